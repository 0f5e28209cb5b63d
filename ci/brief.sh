#!/usr/bin/env bash
# Prints the brief of one or more plans as one Markdown document, for a comment.
#
#   ci/brief.sh [OPTION OF `stacklens brief` ...] -- PLAN...
#
# A plan is a file, a folder, or a pattern such as 'plans/**/*.json'. Options that take a value are written in one word:
# --fail-on=danger, --rules=team.toml. The exit code is that of the program: 3 if a condition of --fail-on holds, 4 if it cannot
# be judged, 65 if a plan cannot be read. STACKLENS is the program to run.
set -euo pipefail
shopt -s globstar nullglob
options=() plans=()
while [ $# -gt 0 ] && [ "$1" != -- ]; do
  options+=("$1")
  shift
done
[ $# -gt 1 ] || { echo "usage: ci/brief.sh [OPTION ...] -- PLAN..." >&2; exit 64; }
shift

for plan in "$@"; do
  found=("$plan")
  # Without separators the pattern is expanded, and its words are not split.
  # shellcheck disable=SC2206
  [ -e "$plan" ] || IFS='' found=($plan)
  # A pattern that nothing matches stays, so that the program reports it.
  [ ${#found[@]} -gt 0 ] || found=("$plan")
  plans+=("${found[@]}")
done
brief=$(mktemp) errors=$(mktemp)
trap 'rm -f "$brief" "$errors"' EXIT
code=0
"${STACKLENS:-stacklens}" brief "${options[@]}" --markdown "${plans[@]}" >"$brief" 2>"$errors" || code=$?
cat "$errors" >&2
if [ -s "$brief" ]; then
  cat "$brief"
else
  printf 'no brief:\n\n'
  sed 's/^/    /' "$errors"
fi
exit "$code"
