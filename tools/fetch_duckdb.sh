#!/usr/bin/env bash
# DuckDB for aleph-lab, which Debian does not have: the library and its C header out of two npm
# packages, into build/packages/duckdb-VERSION. Nothing of the packages is run.
#   tools/fetch_duckdb.sh      does nothing, and says nothing, if it is there
set -euo pipefail
cd "$(dirname "$0")/.."
version=1.4.4
library_package=@duckdb/node-bindings-linux-x64@$version-r.4
header_package=duckdb@$version
library_sum=1ef33048e12235115ac0d277a0aaccbb560e33248144f488b5ac005cd9ba81b5
header_sum=cbe6a827284375c5a646b8f27dbd3a00808ce8738b5bbb49c190cb1e08540281
folder=build/packages/duckdb-$version

[ -e "$folder/complete" ] && exit 0
[ "$(uname -m)" = x86_64 ] || { echo "setup: DuckDB is fetched for x86-64 only" >&2; exit 1; }
command -v npm >/dev/null || { echo "setup: npm is needed to fetch DuckDB" >&2; exit 1; }
echo "setup: fetching DuckDB $version"
mkdir -p "$folder"
stage=$(mktemp -d "$folder/stage.XXXXXX")
trap 'rm -rf "$stage"' EXIT

# One file of a package, by its path inside.
take() {
  local archive
  archive=$(cd "$stage" && npm pack --silent --ignore-scripts "$1")
  tar -xzf "$stage/$archive" -C "$stage" "package/$2"
  echo "$4  $stage/package/$2" | sha256sum --check --quiet
  mkdir -p "$(dirname "$folder/$3")"
  mv "$stage/package/$2" "$folder/$3"
  rm -rf "${stage:?}/package" "$stage/$archive"
}
take "$library_package" libduckdb.so lib/libduckdb.so "$library_sum"
take "$header_package" src/duckdb/src/include/duckdb.h include/duckdb.h "$header_sum"
touch "$folder/complete"
