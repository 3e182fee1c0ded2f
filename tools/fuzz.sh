#!/usr/bin/env bash
# Runs every fuzz target of a build tree, two at a time:  tools/fuzz.sh TREE SECONDS
# Starts from tests/fuzz/corpus/NAME, which it does not change; what it finds on the way stays in
# TREE/corpus/NAME, and inputs that crash in TREE/crashes.
set -euo pipefail
cd "$(dirname "$0")/.."
tree=${1:?usage: tools/fuzz.sh TREE SECONDS} seconds=${2:?usage: tools/fuzz.sh TREE SECONDS}

run_one() {
  local target=$1 name corpora log
  name=$(basename "$target")
  name=${name%_fuzz}
  corpora=("$tree/corpus/$name")
  log=$tree/$name.log
  mkdir -p "$tree/corpus/$name" "$tree/crashes"
  [ -d "tests/fuzz/corpus/$name" ] && corpora+=("tests/fuzz/corpus/$name")
  if "$target" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 \
      -artifact_prefix="$tree/crashes/$name-" "${corpora[@]}" >"$log" 2>&1; then
    echo "fuzz: $name: $(sed -n 's/^stat::number_of_executed_units: *//p' "$log") inputs, no fault"
  else
    tail -n 40 "$log"
    echo "fuzz: $name: FAULT, see $log and $tree/crashes"
    return 1
  fi
}
export -f run_one
export tree seconds

shopt -s nullglob
targets=("$tree"/fuzz/*_fuzz)
if [ ${#targets[@]} = 0 ]; then
  echo "fuzz: there are no targets in tests/fuzz yet"
  exit 0
fi
printf '%s\0' "${targets[@]}" | xargs -0 -n1 -P2 bash -c 'run_one "$1"' run_one
