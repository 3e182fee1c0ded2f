#!/usr/bin/env bash
# ONNX Runtime for bench/nets.sh and the tests of exported networks, which Debian does not have: out
# of two npm packages, into build/packages/onnxruntime-VERSION. None of their scripts is run.
#   tools/fetch_onnxruntime.sh      does nothing, and says nothing, if it is there
set -euo pipefail
cd "$(dirname "$0")/.."
version=1.22.0
library_sum=08cf3bf4218f0e816c2a534e960d85221274cb319569bdf1136b29da7065b015
binding_sum=229510ccb4eefde35f99c5004a5e5cf402e7735683ddfdaa85ca9b5cda696bb5
folder=build/packages/onnxruntime-$version

[ -e "$folder/complete" ] && exit 0
[ "$(uname -m)" = x86_64 ] || { echo "setup: ONNX Runtime is fetched for x86-64 only" >&2; exit 1; }
command -v npm >/dev/null || { echo "setup: npm is needed to fetch ONNX Runtime" >&2; exit 1; }
echo "setup: fetching ONNX Runtime $version"
mkdir -p "$folder"
stage=$(mktemp -d "$folder/stage.XXXXXX")
trap 'rm -rf "$stage"' EXIT

modules=$stage/node_modules
for package in onnxruntime-node onnxruntime-common; do
  archive=$(cd "$stage" && npm pack --silent --ignore-scripts "$package@$version")
  mkdir -p "$modules/$package"
  tar -xzf "$stage/$archive" -C "$modules/$package" --strip-components=1 \
    --exclude='*/win32/*' --exclude='*/darwin/*' --exclude='*/arm64/*'
done
binaries=$modules/onnxruntime-node/bin/napi-v6/linux/x64
sha256sum --check --quiet <<SUMS
$library_sum  $binaries/libonnxruntime.so.1
$binding_sum  $binaries/onnxruntime_binding.node
SUMS
rm -rf "$folder/node_modules"
mv "$modules" "$folder/node_modules"
touch "$folder/complete"
