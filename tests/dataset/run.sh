#!/bin/bash
# Runs the queries of docs/dataset.md with DuckDB, and with Spark if that is asked for, on a made fleet, and compares the answers with those of
# the program.
#
#   tests/dataset/run.sh BINARY [--spark]
#
# Needs Python, and installs its packages into a folder of its own. If they cannot be installed it says so, and nothing is compared.
set -euo pipefail

binary=$(realpath "$1")
spark=${2:-}
here=$(dirname "$(realpath "$0")")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

packages=(duckdb pytz)
[ -z "$spark" ] || packages+=(pyspark)
python=${DATASET_PYTHON:-$folder/venv/bin/python}
if [ -z "${DATASET_PYTHON:-}" ]; then
    if ! { python3 -m venv "$folder/venv" && "$folder/venv/bin/pip" install -q "${packages[@]}"; } > "$folder/install.log" 2>&1; then
        tail -3 "$folder/install.log"
        echo "NOT RUN: ${packages[*]} cannot be installed here, so no query of docs/dataset.md was tried"
        exit 0
    fi
fi
"$python" "$here/queries.py" "$binary" "$folder/work" ${spark:+"$spark"}
