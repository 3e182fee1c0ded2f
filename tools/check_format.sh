#!/usr/bin/env bash
# Says which C++ files clang-format would change; with --fix, changes them.
# Looks at files git tracks and at new ones it does not ignore; without git, at the source folders.
# clang-format 14 is the judge: its versions disagree with each other.
set -euo pipefail
cd "$(dirname "$0")/.."

formatter=$(command -v clang-format-14 || command -v clang-format || true)
if [ -z "$formatter" ]; then
  echo "check_format: skipped, clang-format is not installed (make setup-test)"
  exit 77
fi
list_files() {
  git ls-files --cached --others --exclude-standard -- '*.h' '*.cpp' 2>/dev/null ||
    find src apps tests bench tools \( -name '*.h' -o -name '*.cpp' \) 2>/dev/null
}
mapfile -t files < <(list_files | sort -u | while read -r file; do
  [ -f "$file" ] && echo "$file"
done)

if [ "${1:-}" = --fix ]; then
  "$formatter" -i "${files[@]}"
  exit
fi
status=0
for file in "${files[@]}"; do
  if ! "$formatter" --dry-run --Werror "$file" >/dev/null 2>&1; then
    echo "$file: not formatted (make format)"
    status=1
  fi
done
[ $status = 0 ] && echo "check_format: ${#files[@]} files are formatted"
exit $status
