#!/usr/bin/env bash
# From PGN to a dataset and back, on real games with clocks.
#
# Building: PGN to "human" Parquet with all cores, against Debian's pgn-extract -Wuci on the same plain
# file, which reads and checks the same moves and writes text.
# The two run by turns, ROUNDS times: the ratio is that of their whole times, since machines are
# faster in one minute than in the next. Floors: 150,000 positions a second, 3 x pgn-extract.
# Reading: shuffled batches with tokens and masks, masks stored or made again. Floor: 500,000 rows a
# second, with memory below 1 GB.
set -euo pipefail
cd "$(dirname "$0")/.."
lab=${LAB:-bin/aleph-lab}
peer=${PGN_EXTRACT:-$(command -v pgn-extract || echo /usr/games/pgn-extract)}
data=${ALEPH_SHARED:-../shared}/data
workers=${WORKERS:-$(nproc)}
rounds=${ROUNDS:-5}
[ -x "$lab" ] || { echo "bench/data.sh: $lab is not built: run make lab" >&2; exit 1; }
[ -x "$peer" ] || { echo "bench/data.sh: no pgn-extract: run make setup-test" >&2; exit 1; }
[ -d "$data" ] || { echo "bench/data.sh: skipped, there is no shared data (set ALEPH_SHARED)"; exit 0; }

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
zstd -dq --long=27 "$data/human_clock/human_lichess_clk.train.pgn.zst" -o "$folder/games.pgn"

seconds() {
  local start
  start=$(date +%s.%N)
  "$@" >/dev/null 2>&1 || true
  echo "$(date +%s.%N) $start" | awk '{printf "%.2f", $1 - $2}'
}
for masks in "" --masks; do
  ours='' theirs=''
  for _ in $(seq "$rounds"); do
    rm -rf "$folder/set$masks"
    ours="$ours $(seconds "$lab" data build --pgn "$folder/games.pgn" --out "$folder/set$masks" --workers "$workers" $masks)"
    theirs="$theirs $(seconds "$peer" -s -Wuci "-o$folder/out.uci" "$folder/games.pgn")"
  done
  rows=$("$lab" data sql "$folder/set$masks" "SELECT count(*) AS n FROM rows" | tail -n 1 | tr -d ' ')
  size=$(du -sm "$folder/set$masks" | cut -f1)
  awk -v ours="$ours" -v theirs="$theirs" -v r="$rows" -v m="${masks:-without masks}" -v s="$size" 'BEGIN {
    n = split(ours, a, " "); split(theirs, b, " ")
    for (i = 1; i <= n; ++i) { o += a[i]; t += b[i] }
    printf "build, %s: %d rows, %d a second, %d MB; seconds:%s; pgn-extract -Wuci:%s: %.1f x\n",
      m, r, n * r / o, s, ours, theirs, t / o}'
done
"$lab" data read "$folder/set" --batch 1024
"$lab" data read "$folder/set--masks" --batch 1024
