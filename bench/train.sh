#!/usr/bin/env bash
# Speed of learning (forward, backward, Adam; samples a second) against Debian's python3-torch: the two
# small networks of seed 002 as its users write them (bench/train_torch.py), the same batch, the same
# cores, by turns. The best of ROUNDS each. PyTorch has two threads; aleph two replicas of one.
set -euo pipefail
cd "$(dirname "$0")/.."
train=${ALEPH_TRAIN:-bin/aleph-train}
rounds=${ROUNDS:-3} batch=${BATCH:-256} threads=${THREADS:-2}
[ -x "$train" ] || { echo "bench/train.sh: $train is not built: run make train" >&2; exit 1; }
/usr/bin/python3 -c 'import torch' 2>/dev/null ||
  { echo "bench/train.sh: the peer is missing: apt-get install --no-install-recommends python3-torch" >&2; exit 1; }

# The number before "samples a second", or behind "samples per second:".
rate() { sed -nE 's/.*: ([0-9.]+) samples a second.*/\1/p; s/^samples per second: ([0-9.]+).*/\1/p'; }
for model in policy-cnn-small policy-transformer-small; do
  figures=()
  for ((round = 0; round < rounds; ++round)); do
    ours=$("$train" train speed "configs/models/$model.yml" --batch "$batch" --threads "$threads" | rate)
    theirs=$(/usr/bin/python3 bench/train_torch.py "$model" "$batch" 6 "$threads" | rate)
    figures+=("$ours $theirs")
  done
  printf '%s\n' "${figures[@]}" | awk -v model="$model" '
    { if ($1 > ours) ours = $1; if ($2 > theirs) theirs = $2 }
    END { printf "%-28s aleph %8.1f   PyTorch %8.1f   %.2f x\n", model, ours, theirs, ours / theirs }'
done
