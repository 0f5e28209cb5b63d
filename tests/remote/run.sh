#!/usr/bin/env bash
# Builds the program with all features and checks it beside real servers on the loopback. Their programs go to target/remote.
# Exit code 3: a server cannot be installed here, so nothing was checked.
set -euo pipefail
cd "$(dirname "$0")/../.."
tools=$PWD/target/remote
mkdir -p "$tools"
if [ ! -x "$tools/bin/moto_server" ]; then
    python3 -m venv "$tools" && "$tools/bin/pip" install --quiet --requirement tests/remote/requirements.txt ||
        { echo "tests/remote: the Python packages of the servers cannot be installed" >&2; exit 3; }
fi
if [ ! -x "$tools/node_modules/.bin/azurite-blob" ]; then
    npm install --silent --no-fund --no-audit --prefix "$tools" azurite ||
        { echo "tests/remote: azurite cannot be installed" >&2; exit 3; }
fi
cargo build --all-features --locked
PATH="$tools/node_modules/.bin:$tools/bin:$PATH" "$tools/bin/python3" tests/remote/check.py target/debug/stacklens "$@"
