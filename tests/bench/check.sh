#!/usr/bin/env bash
# Fails if the program has become slow or large, by ratios of one run.
#
#   tests/bench/check.sh [OLD_STACKLENS]
#
# Each form of file is made (needs python3, jq and wc) and read by stacklens, by jq, and by `wc -l`, which is a pass at the speed of memchr.
# With the binary of an earlier release, the two are compared too. The limits are in check.py.
set -euo pipefail
cd "$(dirname "$0")/../.."
cargo build --release --quiet --locked
exec python3 tests/bench/check.py "${CARGO_TARGET_DIR:-$PWD/target}/release/stacklens" "${ROUNDS:-5}" "$@"
