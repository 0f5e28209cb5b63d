#!/usr/bin/env bash
# Compares stacklens with other programs on the same files: wall time, CPU time and peak memory, as ratios.
#
#   tests/bench/compare.sh [FILE ...]
#
# Without files it makes one of each form (needs python3). Programs that are not installed (jq, jless, terraform) are left out; `cat`
# shows what reading alone takes, and an `echo` what the harness takes. The explorer is timed to its first row with a resource, jless to
# its first line with data. Then searches are typed into the explorer, key by key, until the answer to each key is whole. Runs are
# interleaved on a warm page cache and the median of ROUNDS (5) counts: on a noisy machine only ratios of one run mean anything.
set -euo pipefail
cd "$(dirname "$0")/../.."
cargo build --release --quiet --locked
exec python3 tests/bench/compare.py "${CARGO_TARGET_DIR:-$PWD/target}/release/stacklens" "${ROUNDS:-5}" "$@"
