#!/usr/bin/env bash
# The search with a quantile network against the same search without: nodes per second, by turns,
# and nodes to a fixed depth on the 200 positions of bench/positions200.epd; with the shared data, also
# test suites at that depth.
#
#   bench/quantiles.sh [FILE.qnnue]     (default: the one for 15.1's network in nets/)
#
# ROUNDS (5), NODES a position for the speed (200000), DEPTH (14), SUITES=no to leave those out.
set -euo pipefail
cd "$(dirname "$0")/.."
aleph=${ALEPH:-bin/aleph}
rounds=${ROUNDS:-5}
nodes=${NODES:-200000}
depth=${DEPTH:-14}
shared=${ALEPH_SHARED:-../shared}
layers=${1:-$(sed -n 's/^## \(qn-[0-9a-f]*\.qnnue\): 15\.1.*/nets\/\1/p' nets/README.md)}
[ -f "$layers" ] || { echo "bench/quantiles.sh: there is no quantile network '$layers'" >&2; exit 1; }

# bench OPTION... -- prints "nodes nps" of one run.
bench() {
  "$aleph" "setoption name QuantileFile value $layers" "setoption name UseQuantiles value $1" \
    "bench 16 1 $2 bench/positions200.epd $3" 2>/dev/null |
    awk '$2 == "nodes" && $4 == "nps" {print $1, $3}'
}
median() { printf '%s\n' "$@" | sort -n | sed -n "$((($# + 1) / 2))p"; }

on=() off=() ratios=()
for ((i = 0; i < rounds; i++)); do
  read -r _ speed < <(bench true "$nodes" nodes)
  on+=("$speed")
  read -r _ speed < <(bench false "$nodes" nodes)
  off+=("$speed")
  ratios+=("$(awk -v a="${on[-1]}" -v b="${off[-1]}" 'BEGIN {printf "%.3f", a / b}')")
  echo "round $((i + 1)): with ${on[-1]}, without ${off[-1]} nodes per second: ${ratios[-1]} x"
done
# Of ratios, since the speed of a machine changes from minute to minute.
echo "nodes per second, medians: with $(median "${on[@]}"), without $(median "${off[@]}"): $(median "${ratios[@]}") x"

read -r a _ < <(bench true "$depth" depth)
read -r b _ < <(bench false "$depth" depth)
awk -v a="$a" -v b="$b" -v d="$depth" \
  'BEGIN {printf "nodes to depth %d: with %d, without %d: %+.1f %%\n", d, a, b, 100 * (a / b - 1)}'

[ "${SUITES:-yes}" = yes ] || exit 0
for suite in tactical/wac300 positional/STS1-STS15_v6_sf15_scores; do
  file=$shared/data/suites/$suite.epd.zst
  [ -f "$file" ] || { echo "$suite: left out, no shared data"; continue; }
  for use in true false; do
    echo "$suite, UseQuantiles=$use:"
    "$aleph" suite "$file" --depth "$depth" --engine cmd="$aleph" name="quantiles=$use" \
      option.QuantileFile="$layers" option.UseQuantiles="$use" | sed 's/^/  /'
  done
done
