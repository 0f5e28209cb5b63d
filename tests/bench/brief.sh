#!/usr/bin/env bash
# Times the brief of plans of 1,000, 10,000 and 100,000 changes beside their index. Fails if its cost is not linear.
#
#   tests/bench/brief.sh [shapes | FILE ...]
#
# Without files it makes plans of Terraform and previews of Pulumi (needs python3, and a gigabyte and a half for the largest), then plans
# of extreme shapes: everything is alike, differs, is deleted, or refers to one thing. With `shapes` it makes these alone. Of the
# brief, the time of the index is left out; the first finding is the first on the explorer's screen, without the time of an `echo`.
# Runs are interleaved on a warm page cache and the median of ROUNDS (5) counts.
set -euo pipefail
cd "$(dirname "$0")/../.."
cargo build --release --quiet --locked
exec python3 tests/bench/brief.py "${CARGO_TARGET_DIR:-$PWD/target}/release/stacklens" "${ROUNDS:-5}" "$@"
