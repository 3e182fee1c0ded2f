#!/usr/bin/env bash
# Installs what Aleph needs on Debian 12, and only what is missing:  tools/setup.sh GROUP...
# Groups: engine, pgo, lab, train, test. Says nothing when nothing is missing.
set -euo pipefail
cd "$(dirname "$0")/.."

declare -A packages=(
  # stockfish: the default network is inside it (tools/import_default_net.sh).
  [engine]="g++ make cmake ninja-build libfmt-dev libcli11-dev nlohmann-json3-dev zlib1g-dev stockfish"
  # clang 19 makes a faster engine than g++ 12, from a profile.
  [pgo]="clang-19 lld-19 llvm-19 libclang-rt-19-dev"
  [lab]="libzstd-dev libbz2-dev libspdlog-dev libyaml-cpp-dev libopenmpi-dev openmpi-bin
         libhdf5-dev"
  # OpenBLAS is not optional: Debian's default BLAS is ten times slower. The openmp flavour, since
  # the pthread one fights with torch's own threads.
  [train]="libtorch-dev libgloo-dev libopenblas0-openmp"
  # SIMDe and qemu run the kernels that this processor cannot. h5py and PyTables check HDF5 files.
  [test]="doctest-dev clang-19 libclang-rt-19-dev clang-format-14 ccache python3 git zstd
          pgn-extract libsimde-dev g++-aarch64-linux-gnu qemu-user-static python3-h5py
          python3-tables"
)
# Folders with a package.json and a package-lock.json, installed together with their group.
declare -A npm_folders=([engine]="" [pgo]="" [lab]="" [train]="" [test]="")

is_installed() {
  [ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

as_root() {
  if [ "$(id -u)" = 0 ]; then
    "$@"
  elif command -v sudo >/dev/null; then
    sudo "$@"
  else
    echo "setup: needs root. Run as root: $*" >&2
    exit 1
  fi
}

install_packages() {
  local missing=() package
  for package in "$@"; do is_installed "$package" || missing+=("$package"); done
  [ ${#missing[@]} = 0 ] && return
  if ! command -v apt-get >/dev/null; then
    echo "setup: no apt-get here. Please install by hand: ${missing[*]}" >&2
    exit 1
  fi
  echo "setup: installing ${missing[*]}"
  as_root apt-get -qq update
  as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -y install --no-install-recommends \
    -o Dpkg::Use-Pty=0 "${missing[@]}" >/dev/null
}

# A lock file newer than the installed tree means the tree is out of date.
install_npm_folder() {
  local folder=$1
  [ "$folder/node_modules/.package-lock.json" -nt "$folder/package-lock.json" ] && return
  echo "setup: installing the node packages of $folder"
  (cd "$folder" && npm ci --silent --no-audit --no-fund)
}

[ $# -gt 0 ] || { echo "usage: tools/setup.sh engine|pgo|lab|train|test ..." >&2; exit 2; }
wanted=() folders=()
for group in "$@"; do
  [ -n "${packages[$group]:-}" ] || { echo "setup: unknown group '$group'" >&2; exit 2; }
  read -r -d '' -a list <<<"${packages[$group]}" || true
  wanted+=("${list[@]}")
  read -r -d '' -a list <<<"${npm_folders[$group]}" || true
  folders+=("${list[@]}")
done
install_packages "${wanted[@]}"
for folder in "${folders[@]}"; do install_npm_folder "$folder"; done
for group in "$@"; do
  case $group in
    lab | train)
      command -v npm >/dev/null || install_packages npm # however it came here: nodesource has no such package
      tools/fetch_duckdb.sh
      ;;
    test)
      command -v npm >/dev/null || install_packages npm
      tools/fetch_onnxruntime.sh || echo "setup: without it the test nets.onnx_runtime is skipped" >&2
      ;;
  esac
done
