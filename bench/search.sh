#!/usr/bin/env bash
# Nodes per second of the search against a Stockfish with the same network (15.1's), one thread each:
# SECONDS_EACH seconds on each of POSITIONS positions of bench/positions.epd, ROUNDS times. The two take
# turns at every position, since the speed of a machine changes from minute to minute; the figure is the
# median of the ratios of the rounds.
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

# Nodes and milliseconds of the last info line before bestmove.
search_one() {
  {
    printf 'setoption name Hash value 64\nucinewgame\nisready\nposition fen %s\ngo movetime %d\n' "$2" $((seconds * 1000))
    sleep "$seconds.5"
    echo quit
  } | "$1" | awk '/^info depth/ {for (i = 1; i < NF; i++) {
        if ($i == "nodes") nodes = $(i + 1); if ($i == "time") time = $(i + 1)}}
      END {print nodes, time}'
}

mapfile -t positions < <(grep -v '^#' bench/positions.epd | head -n "$count")
median() { printf '%s\n' "$@" | sort -n | sed -n "$((($# + 1) / 2))p"; }
ours=() theirs=() ratios=()
for ((i = 0; i < rounds; i++)); do
  read -r a b ratio < <(
    for fen in "${positions[@]}"; do
      echo "$(search_one "$aleph" "$fen") $(search_one "$peer" "$fen")"
    done | awk '{n += $1; t += $2; m += $3; u += $4}
      END {printf "%d %d %.3f\n", n * 1000 / t, m * 1000 / u, n * u / t / m}')
  ours+=("$a") theirs+=("$b") ratios+=("$ratio")
  echo "round $((i + 1)): aleph $a, peer $b nodes per second: $ratio x"
done
echo "medians: aleph $(median "${ours[@]}"), $peer $(median "${theirs[@]}"): $(median "${ratios[@]}") x"
