#!/usr/bin/env bash
# A long session: random keys on a large file, then a pipe that brings a line every 100 ms.
#
#   tests/bench/soak.sh [SECONDS [FILE]]
#
# Fails if memory grows by more than 20 MB after the first tenth of the time, if threads or open files are left over, or if the explorer
# takes more than a hundredth of a core between the lines of the pipe. SECONDS is 3600 for each half unless given; without a file, a
# state of a gigabyte is made (needs python3 and Linux's /proc).
set -euo pipefail
cd "$(dirname "$0")/../.."
cargo build --release --quiet --locked
exec python3 tests/bench/soak.py "${CARGO_TARGET_DIR:-$PWD/target}/release/stacklens" "${1:-3600}" "${@:2}"
