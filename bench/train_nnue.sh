#!/usr/bin/env bash
# Speed of the NNUE trainer (22528 x 256, batches of 16,384, forward, backward and Adam) against the
# same network in libtorch with embedding_bag, in positions per second. Batches are in memory: reading
# is not measured. The best of ROUNDS.
#
# Positions: master games of the shared data, labelled on the spot; or DATASET, any score dataset.
set -euo pipefail
cd "$(dirname "$0")/.."
train=${ALEPH_TRAIN:-bin/aleph-train}
lab=${ALEPH_LAB:-bin/aleph-lab}
shared=${ALEPH_SHARED:-../shared}
rounds=${ROUNDS:-3}
threads=${THREADS:-2}
dataset=${DATASET:-}
[ -x "$train" ] || { echo "bench/train_nnue.sh: $train is not built: run make train" >&2; exit 1; }

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
if [ -z "$dataset" ]; then
  database=$shared/data/elite/twic_both2450.pgn.zst
  [ -r "$database" ] || { echo "bench/train_nnue.sh: no games in $shared; set DATASET" >&2; exit 1; }
  [ -x "$lab" ] || { echo "bench/train_nnue.sh: $lab is not built: run make lab" >&2; exit 1; }
  { zstd -dc --long=27 "$database" 2>/dev/null || true; } | head -n 80000 >"$scratch/games.pgn"
  "$lab" data build --schema policy --pgn "$scratch/games.pgn" --out "$scratch/moves" >/dev/null
  "$train" train nnue-baseline "$scratch" >/dev/null
  dataset=$scratch/labels
  "$lab" data label --in "$scratch/moves" --limit 140000 --out "$dataset" --plain \
    --net "$(echo "$scratch"/nn-*.nnue)" >/dev/null
fi
echo "threads: $threads, rounds: $rounds"
"$train" train nnue-speed "$dataset" --threads "$threads" --rounds "$rounds"
