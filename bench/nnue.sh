#!/usr/bin/env bash
# Speed of every network at hand, per second: the first layer alone (accumulators) and whole evaluations,
# each from scratch and incrementally along the moves of real games; then final values in a tree around
# the games as a search walks it, without and with lazy evaluation.
# "most" is the ratio that incremental work could reach if the first layer cost nothing at all.
# Processor time of one thread; the best of ROUNDS for each game.
#
# Games: master games of the shared data (the first GAMES of them), or bench/games.txt.
set -euo pipefail
cd "$(dirname "$0")/.."
aleph=${ALEPH:-bin/aleph}
rounds=${ROUNDS:-5}
count=${GAMES:-20}
shared=${ALEPH_SHARED:-../shared}
folders=(${ALEPH_NETS:-build/nets} "$shared/nets/nnue" "${XDG_DATA_HOME:-$HOME/.local/share}/aleph/nets")
[ -x "$aleph" ] || { echo "bench/nnue.sh: $aleph is not built: run make" >&2; exit 1; }

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
games=bench/games.txt
database=$shared/data/elite/twic_both2450.pgn.zst
extract=$(command -v pgn-extract || echo /usr/games/pgn-extract)
if [ -r "$database" ] && [ -x "$extract" ] && command -v zstd >/dev/null; then
  { zstd -dc --long=27 "$database" 2>/dev/null || true; } | head -n $((count * 30)) >"$scratch/games.pgn"
  "$extract" -s -Wuci -C -N -V -w100000 "$scratch/games.pgn" 2>/dev/null |
    grep -v '^\[' | grep -v '^$' | sed 's/ [^ ]*$//' | sed -n "1,${count}p" >"$scratch/games.txt"
  games=$scratch/games.txt
fi

echo "$(grep -vc '^#' "$games") games, $rounds rounds, $("$aleph" --version | grep kernels)"
printf '%-16s %5s | %10s %11s %6s | %10s %11s %6s %6s | %10s %10s\n' network width 'acc fresh' \
  incremental ratio 'eval fresh' incremental ratio most tree lazy
seen=" "
for folder in "${folders[@]}"; do
  for file in "$folder"/nn-*.nnue; do
    name=$(basename "$file" .nnue)
    [ -e "$file" ] && [[ $seen != *" $name "* ]] || continue
    seen="$seen$name "
    width=$("$aleph" net info "$file" | sed -n "s/^accumulator *\([0-9]*\).*/\1/p")
    "$aleph" speed "$games" --net "$file" --rounds "$rounds" --tsv |
      awk -v name="$name" -v width="$width" -F'\t' '{v[$1] = $2}
        END {printf "%-16s %5s | %10d %11d %5.1fx | %10d %11d %5.1fx %5.1fx | %10d %10d\n", name, width,
             v["accumulator-refresh"], v["accumulator-incremental"],
             v["accumulator-incremental"] / v["accumulator-refresh"],
             v["refresh"], v["incremental"], v["incremental"] / v["refresh"],
             v["later-layers"] / v["refresh"],
             v["search"], v["lazy"]}'
  done
done
