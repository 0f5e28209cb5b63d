#!/usr/bin/env bash
# Prints the briefs of one or more plans as one Markdown document.
#
#   ci/brief.sh [OPTION OF `stacklens brief` ...] -- PLAN...
#
# Options that take a value are written in one word: --fail-on=danger, --rules=team.toml. The exit code is the highest of all plans:
# 3 if a gate of --fail-on is closed, 65 if a plan cannot be read. STACKLENS is the program to run; LIMIT is the largest size of
# the document in bytes, 65,000 unless set: GitHub takes 65,536. Plans that have no room are named at its end.
set -euo pipefail
program=${STACKLENS:-stacklens} limit=${LIMIT:-65000}
options=()
while [ $# -gt 0 ] && [ "$1" != -- ]; do
  options+=("$1")
  shift
done
[ $# -gt 1 ] || { echo "usage: ci/brief.sh [OPTION ...] -- PLAN..." >&2; exit 64; }
shift

document=$(mktemp) brief=$(mktemp)
trap 'rm -f "$document" "$brief"' EXIT
code=0 left_out=()
for plan in "$@"; do
  result=0
  "$program" brief "${options[@]}" --markdown "$plan" >"$brief" || result=$?
  [ "$result" -gt "$code" ] && code=$result
  # A name may hold anything; in a code span only backticks and line breaks have a meaning.
  name=$(printf '%s' "$plan" | tr -d '\000-\037\177`')
  if [ ! -s "$brief" ]; then
    echo "no brief: the plan could not be read" >"$brief"
  fi
  if [ $(($(wc -c <"$document") + $(wc -c <"$brief") + ${#name} + 500)) -gt "$limit" ]; then
    left_out+=("$name")
    continue
  fi
  [ $# -eq 1 ] || printf '## `%s`\n\n' "$name" >>"$document"
  cat "$brief" >>"$document"
  printf '\n' >>"$document"
done
cat "$document"
if [ ${#left_out[@]} -gt 0 ]; then
  printf '**%d plans are left out**, for want of room. The first: `%s`\n' "${#left_out[@]}" "${left_out[0]:0:200}"
fi
exit "$code"
