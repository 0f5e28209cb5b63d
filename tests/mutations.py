#!/usr/bin/env python3
"""Checks that the tests of a clone can fail: breaks one rule after the other, and expects a test to say so.

    tests/mutations.py             all mutations (an hour or more)
    tests/mutations.py lcs glob    those with these words in their names
    tests/mutations.py --list      their names

The tree is copied into a temporary folder, with no other folder beside it, and built there in the dev profile. First the whole
suite has to pass. Then each mutation is applied alone. The tests named with it are run first; if none of them fails, the whole suite
is run. The exit code is 1 if a mutation survives, 2 if one can no longer be applied or does not compile.
"""

import argparse
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


class Stale(Exception):
    """A mutation whose text is not in the tree any more."""


class Mutation:
    """A change to one file that breaks a rule."""

    def __init__(self, name, file, change, tests):
        self.name, self.file, self.change, self.tests = name, file, change, tests


MUTATIONS = []


def replace(name, file, old, new, tests="vectors::"):
    """Puts `new` in the place of `old`, which has to occur once."""

    def change(text):
        if text.count(old) != 1:
            raise Stale(f"{file} has {text.count(old)} times the text:\n{old}")
        return text.replace(old, new)

    MUTATIONS.append(Mutation(name, file, change, tests))


def begin(name, file, function, statement, tests="vectors::"):
    """Lets a function begin with a statement, which is expected to return."""

    def change(text):
        found = list(re.finditer(rf"\bfn {function}\b.*?\{{\n", text, re.DOTALL))
        if len(found) != 1:
            raise Stale(f"{file} has {len(found)} functions {function}")
        end = found[0].end()
        return f"{text[:end]}    if true {{ {statement} }}\n{text[end:]}"

    MUTATIONS.append(Mutation(name, file, change, tests))


OBJCHANGE = "src/objchange/"

# The planning rules.
begin("proposed_new returns the configuration", OBJCHANGE + "proposed.rs", "proposed_new", "return Ok(config.clone());")
begin("proposed_new returns the prior value", OBJCHANGE + "proposed.rs", "proposed_new", "return Ok(prior.clone());")
begin("planned_data_resource_object returns the configuration", OBJCHANGE + "proposed.rs", "planned_data_resource_object", "return Ok(config.clone());")
begin("normalize returns its input", OBJCHANGE + "normalize.rs", "normalize_object_from_legacy_sdk", "return Ok(value.clone());")
begin("prepare_computed_blocks returns its input", OBJCHANGE + "computed_blocks.rs", "prepare_computed_blocks", "return Ok(value.clone());")
begin("every plan is valid", OBJCHANGE + "valid.rs", "assert_plan_valid", "return Ok(Vec::new());")
begin("every object is compatible", OBJCHANGE + "compatible.rs", "assert_object_compatible", "return Ok(Vec::new());")
begin("every value is compatible", OBJCHANGE + "compatible.rs", "assert_value_compatible", "return Vec::new();")
begin("every change is an update", OBJCHANGE + "action.rs", "action_for_change", "return BasicAction::Update;")
begin("the LCS is empty", OBJCHANGE + "lcs.rs", "longest_common_subsequence", "return Vec::new();")
begin("no two elements are equal", OBJCHANGE + "lcs.rs", "value_equal", "return false;")
replace("marks do not count in value_equal", OBJCHANGE + "lcs.rs", "x.known_equals(y) && distinct_marks(x).len() == distinct_marks(y).len()", "x.known_equals(y)")
replace("a group that is not configured is null", "src/schema.rs", "Nesting::Group => self.block.empty_value(),", "Nesting::Group => Typed::trusted(self.implied_type(), Value::NULL),")

# cty.
replace("sets are not sorted", "src/cty/set.rs", "    keyed.sort_by(order);\n", "")
begin("an unknown is null", "src/cty/view.rs", "is_null", "return self.value.is_null() || self.value.is_computed();")
replace("numbers are compared by their text", "src/cty/number.rs", "pub fn compare(a: &Number, b: &Number) -> Ordering {\n", "pub fn compare(a: &Number, b: &Number) -> Ordering {\n    if true { return a.to_string().cmp(&b.to_string()); }\n")
replace("an unknown in msgpack is null", "src/cty/msgpack/decode.rs", "return read_unknown(bytes, ty, place),", "return read_unknown(bytes, ty, place).map(|_| Typed::null(ty.clone())),")

# Paths and URNs.
replace("a glob matches every key", "src/path/glob.rs", "if key == other => {", "if key == other || true => {")
begin("keys are quoted without escapes", "src/path/quote.rs", "write", "return write!(out, \"\\\"{text}\\\"\");")
begin("ignoreChanges does nothing", "src/path/legacy.rs", "reset", "return Some(new.clone()).filter(|_| !old.is_empty() || true);")
replace("a path finds nothing", "src/path.rs", "pub fn get<'v>(&self, value: &'v Value) -> Option<&'v Value> {\n", "pub fn get<'v>(&self, value: &'v Value) -> Option<&'v Value> {\n        if true { return None; }\n")

# Values and their forms.
replace("the wire form drops secrets", "src/wire/decode.rs", "            value: inner.with_secret(true),", "            value: inner.with_secret(false),")
replace("a difference has no deletions", "src/diff.rs", "            None if has_value(old) => _ = diff.deletes.insert(key.clone(), old.clone()),\n", "")
replace("a secret prints as it is", "src/value/fmt.rs", 'Shown::Secret => f.write_str("[secret]"),', "Shown::Secret => write_payload(f, &self.payload),", "laws::")

# Files and screens.
replace("sensitive paths of a state are ignored", "src/format/masks.rs", "pub(super) fn at_path(value: Value, path: &[Step]) -> Value {\n", "pub(super) fn at_path(value: Value, path: &[Step]) -> Value {\n    if true { return value; }\n", "corpus::")
replace("what a stopped comparison did not see is gone", "src/load/compare/comparison.rs", "        if summary.stopped {\n            summary.notes", "        if summary.stopped && n_open == usize::MAX {\n            summary.notes", "loading::")
begin("the tree is not sorted", "src/tree/sort.rs", "sort", "return;", "stories::")


def scratch_copy(folder):
    """Copies the files that git knows, with what was changed in them and not committed yet."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        check=True,
        capture_output=True,
    )
    for name in filter(None, listed.stdout.decode().split("\0")):
        source, copy = ROOT / name, folder / name
        if source.is_file():
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, copy)


def run(tree, target, arguments):
    """Runs tests: the name of the first one that fails, or None; raises if the tree does not compile."""
    command = ["cargo", "test", "--locked", *arguments]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("STACKLENS_")}
    environment |= {"CARGO_TARGET_DIR": str(target), "RUST_BACKTRACE": "0"}
    process = subprocess.Popen(
        command,
        cwd=tree,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        start_new_session=True,
    )
    lines = []
    try:
        for line in process.stdout:
            lines.append(line)
            if "not present: skipped" in line:
                print(f"    not run: {line.strip()}", flush=True)
            # A test that prints something of its own stands in front of the outcome.
            failed = re.search(r"^test (\S+).* FAILED$", line)
            if failed:
                return failed[1]
        if process.wait() == 0:
            return None
        log = "".join(lines[-40:])
        if any(line.startswith("running ") for line in lines):
            return f"the run ended with {process.returncode}:\n{log}"
        raise Stale(f"it does not compile:\n{log}")
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def check(mutation, tree, target):
    """The test that catches a mutation, or None."""
    path = tree / mutation.file
    if not path.is_file():
        raise Stale(f"there is no {mutation.file}")
    text = path.read_text()
    path.write_text(mutation.change(text))
    try:
        return run(tree, target, ["--test", "it", "--", mutation.tests]) or run(tree, target, [])
    finally:
        path.write_text(text)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("words", nargs="*", help="words in the names of mutations")
    parser.add_argument("--list", action="store_true", help="print the names of the mutations")
    parser.add_argument("--no-baseline", action="store_true", help="do not run the suite without a mutation first")
    parser.add_argument("--target", type=Path, help="a build folder to use and keep")
    arguments = parser.parse_args()
    chosen = [it for it in MUTATIONS if not arguments.words or any(word in it.name for word in arguments.words)]
    if arguments.list:
        print("\n".join(it.name for it in chosen))
        return 0
    survived, stale = [], []
    with tempfile.TemporaryDirectory(prefix="mutations-") as folder:
        tree, target = Path(folder) / "clone" / "tree", arguments.target or Path(folder) / "target"
        scratch_copy(tree)
        # All that can be seen without building is said first.
        for mutation in chosen:
            try:
                path = tree / mutation.file
                mutation.change(path.read_text() if path.is_file() else "")
            except Stale as why:
                print(f"CANNOT BE APPLIED  {mutation.name}: {why}", flush=True)
                stale.append(mutation)
        if not arguments.no_baseline:
            print("the suite without a mutation", flush=True)
            failed = run(tree, target, [])
            if failed:
                print(f"it fails without a mutation: {failed}")
                return 2
        for mutation in chosen:
            if mutation in stale:
                continue
            try:
                caught = check(mutation, tree, target)
            except Stale as why:
                print(f"CANNOT BE APPLIED  {mutation.name}: {why}", flush=True)
                stale.append(mutation)
                continue
            if caught:
                print(f"caught    {mutation.name}: {caught}", flush=True)
            else:
                print(f"SURVIVED  {mutation.name}", flush=True)
                survived.append(mutation)
    print(f"{len(chosen)} mutations, {len(survived)} survived, {len(stale)} cannot be applied")
    return 2 if stale else 1 if survived else 0


if __name__ == "__main__":
    sys.exit(main())
