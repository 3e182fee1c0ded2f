#!/usr/bin/env bash
# Installs the default network, Stockfish 15.1's, from Debian's stockfish package, if it is not there:
#   tools/import_default_net.sh ALEPH [FOLDER]      FOLDER: instead of the user's data directory
# Says nothing when it is there, and never fails: the engine can be built and used without it.
set -euo pipefail
aleph=${1:?usage: tools/import_default_net.sh ALEPH [FOLDER]} folder=${2:-}
name=nn-ad9b42354671
stockfish=${ALEPH_STOCKFISH:-/usr/games/stockfish}

"$aleph" net info "${folder:+$folder/}$name${folder:+.nnue}" >/dev/null 2>&1 && exit 0
if [ ! -r "$stockfish" ]; then
  echo "network: $name is not installed: it comes with Debian's stockfish package (make setup)" >&2
  exit 0
fi
"$aleph" net import --quiet "$stockfish" ${folder:+--to "$folder"} ||
  echo "network: $name could not be installed" >&2
