#!/usr/bin/env bash
# Posts a Markdown file as a comment on the pull or merge request of this pipeline. An earlier comment with the same key is replaced.
#
#   ci/comment.sh KEY FILE
#
# GitHub Actions: needs GITHUB_TOKEN with `pull-requests: write`. GitLab CI: needs GITLAB_TOKEN with the scope `api`. Uses curl and jq.
# Outside of a pull request, or if the file is empty, nothing is posted, which is said, and the exit code is 0.
set -euo pipefail
[ $# -eq 2 ] || { echo "usage: ci/comment.sh KEY FILE" >&2; exit 64; }
key=$(printf '%s' "$1" | tr -cd 'A-Za-z0-9._/-') file=$2
marker="<!-- stacklens:$key -->"
[ -s "$file" ] || { echo "nothing posted: $file is empty" >&2; exit 0; }

# The token stands in a file of its own, so that no list of processes shows it.
header=$(mktemp) body=$(mktemp)
trap 'rm -f "$header" "$body"' EXIT
chmod 600 "$header"
call() { # METHOD URL [FILE]
  curl --silent --show-error --fail-with-body --retry 3 --max-time 60 --request "$1" --header "@$header" \
    --header 'Content-Type: application/json' ${3:+--data-binary "@$3"} "$2" || {
    echo "nothing posted: may the token write comments? That of a pull request from a fork may not" >&2
    return 1
  }
}

if [ -n "${GITHUB_ACTIONS:-}" ]; then
  number=$(jq -r '.pull_request.number // .issue.number // empty' "${GITHUB_EVENT_PATH:?}")
  [ -n "$number" ] || { echo "nothing posted: this run has no pull request" >&2; exit 0; }
  printf 'Authorization: Bearer %s\n' "${GITHUB_TOKEN:?}" >"$header"
  repository=${GITHUB_API_URL:-https://api.github.com}/repos/${GITHUB_REPOSITORY:?}
  list=$repository/issues/$number/comments create=$list
  one=$repository/issues/comments replace=PATCH
elif [ -n "${GITLAB_CI:-}" ]; then
  number=${CI_MERGE_REQUEST_IID:-}
  [ -n "$number" ] || { echo "nothing posted: this pipeline has no merge request" >&2; exit 0; }
  printf 'PRIVATE-TOKEN: %s\n' "${GITLAB_TOKEN:?}" >"$header"
  list=${CI_API_V4_URL:?}/projects/${CI_PROJECT_ID:?}/merge_requests/$number/notes create=$list
  one=$list replace=PUT
else
  echo "nothing posted: neither GitHub Actions nor GitLab CI" >&2
  exit 0
fi

{ printf '%s\n' "$marker"; cat "$file"; } | jq --raw-input --slurp '{body: .}' >"$body"
earlier=
for ((page = 1; page <= 50; page++)); do
  comments=$(call GET "$list?per_page=100&page=$page")
  earlier=$(jq -r --arg marker "$marker" 'first(.[] | select(.body | startswith($marker)) | .id) // empty' <<<"$comments")
  [ -z "$earlier" ] && [ "$(jq length <<<"$comments")" -eq 100 ] || break
done
if [ -n "$earlier" ]; then
  call "$replace" "$one/$earlier" "$body" >/dev/null
  echo "comment $earlier is replaced"
else
  call POST "$create" "$body" >/dev/null
  echo "a comment is posted"
fi
