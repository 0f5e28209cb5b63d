#!/usr/bin/env bash
# Makes what goes beside the program in a package: manual pages and completions.
#
#   packaging/prepare.sh target/release/stacklens target/package-files
#
# The program writes them itself, so they are those of this version.
set -euo pipefail
program=$1 out=$2
rm -rf "$out"
mkdir -p "$out/man" "$out/completions"
"$program" man --to "$out/man"
"$program" completions bash >"$out/completions/stacklens.bash"
"$program" completions zsh >"$out/completions/_stacklens"
"$program" completions fish >"$out/completions/stacklens.fish"
"$program" completions elvish >"$out/completions/stacklens.elv"
"$program" completions powershell >"$out/completions/stacklens.ps1"
