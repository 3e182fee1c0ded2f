#!/usr/bin/env bash
# Nodes per second of the search against a Stockfish with the same network (15.1's), one thread each,
# alternately: SECONDS_EACH seconds on each of POSITIONS positions of bench/positions.epd, ROUNDS
# times; medians of the rounds.
#
#   STOCKFISH=path bench/search.sh      (default: Debian's, which is built for SSE2 only; for the real
#                                        comparison name a native AVX2 profile build of 15.1)
set -euo pipefail
cd "$(dirname "$0")/.."
aleph=${ALEPH:-bin/aleph}
peer=${STOCKFISH:-$(command -v stockfish || echo /usr/games/stockfish)}
rounds=${ROUNDS:-3}
seconds=${SECONDS_EACH:-1}
count=${POSITIONS:-10}
for program in "$aleph" "$peer"; do
  [ -x "$program" ] || { echo "bench/search.sh: there is no $program" >&2; exit 1; }
done

# Nodes and milliseconds of the last info line before each bestmove, summed up.
speed() {
  {
    echo "setoption name Hash value 64"
    grep -v '^#' bench/positions.epd | head -n "$count" | while read -r fen; do
      printf 'ucinewgame\nisready\nposition fen %s\ngo movetime %d\n' "$fen" $((seconds * 1000))
      sleep "$seconds.3"
    done
    echo quit
  } | "$1" | awk '/^info depth/ {for (i = 1; i < NF; i++) {
        if ($i == "nodes") nodes = $(i + 1); if ($i == "time") time = $(i + 1)}}
      /^bestmove/ {all += nodes; ms += time}
      END {printf "%d\n", all * 1000 / ms}'
}

ours=() theirs=()
for ((i = 0; i < rounds; i++)); do
  ours+=("$(speed "$aleph")")
  theirs+=("$(speed "$peer")")
  echo "round $((i + 1)): aleph ${ours[-1]}, peer ${theirs[-1]} nodes per second"
done
median() { printf '%s\n' "$@" | sort -n | sed -n "$((($# + 1) / 2))p"; }
a=$(median "${ours[@]}") b=$(median "${theirs[@]}")
awk -v a="$a" -v b="$b" -v p="$peer" 'BEGIN {printf "aleph %d, %s %d: %.2f x\n", a, p, b, a / b}'
