#!/usr/bin/env python3
"""Checks that the tests of a clone can fail: breaks one rule after the other, and expects a test to say so.

    tests/mutations.py             all mutations
    tests/mutations.py lcs glob    those with these words in their names
    tests/mutations.py --list      their names

The tree is copied into a temporary folder, with no other folder beside it. All mutations are written into the copy, each behind a
switch, so that one build in the dev profile is enough. Then the copied files are restored, for the tests that read them. First all
tests have to pass with no switch on. Then each mutation is switched on alone. The tests named with it are run first; if none of them
fails, all are run. The exit code is 1 if a mutation survives, 2 if one can no longer be applied, the copy does not compile, or a
test fails without a mutation.
"""

import argparse
import json
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
    """A change to one file that breaks a rule where `MUTANT` is true."""

    def __init__(self, name, file, change, tests):
        self.name, self.file, self.change, self.tests = name, file, change, tests


# The calls below are also read by `tests/it/tidy/mutations.rs`: one call to a line, with literals as arguments.
MUTATIONS = []


def replace(name, file, old, new, tests="vectors::"):
    """Puts `new` in the place of `old`, which has to occur once."""

    def change(text):
        if text.count(old) != 1:
            raise Stale(f"{file} has {text.count(old)} times the text:\n{old}")
        return text.replace(old, new)

    MUTATIONS.append(Mutation(name, file, change, tests))


def begin(name, file, head, statement, tests="vectors::"):
    """Lets the function whose text begins with `head` begin with a statement, which returns."""

    def change(text):
        found = list(re.finditer(re.escape(head) + r".*?\{\n", text, re.DOTALL))
        if len(found) != 1:
            raise Stale(f"{file} has {len(found)} times: {head}")
        end = found[0].end()
        return f"{text[:end]}    if MUTANT {{ {statement} }}\n{text[end:]}"

    MUTATIONS.append(Mutation(name, file, change, tests))


# Stands at the end of the copied `src/lib.rs`.
SWITCH = """
#[allow(missing_docs)]
pub fn is_mutant(number: usize) -> bool {
    static CHOSEN: std::sync::OnceLock<Option<usize>> = std::sync::OnceLock::new();
    *CHOSEN.get_or_init(|| std::env::var("MUTANT").ok()?.parse().ok()) == Some(number)
}
"""

OBJCHANGE = "src/terraform/objchange/"

# The planning rules.
begin("proposed_new returns the configuration", OBJCHANGE + "proposed.rs", "pub fn proposed_new(", "return Ok(config.clone());")
begin("proposed_new returns the prior value", OBJCHANGE + "proposed.rs", "pub fn proposed_new(", "return Ok(prior.clone());")
begin("planned_data_resource_object returns the configuration", OBJCHANGE + "proposed.rs", "pub fn planned_data_resource_object(", "return Ok(config.clone());")
begin("normalize returns its input", OBJCHANGE + "normalize.rs", "pub fn normalize_object_from_legacy_sdk(", "return Ok(value.clone());")
begin("prepare_computed_blocks returns its input", OBJCHANGE + "computed_blocks.rs", "pub fn prepare_computed_blocks(", "return Ok(value.clone());")
begin("every plan is valid", OBJCHANGE + "valid.rs", "pub fn assert_plan_valid(", "return Ok(Vec::new());")
begin("every object is compatible", OBJCHANGE + "compatible.rs", "pub fn assert_object_compatible(", "return Ok(Vec::new());")
begin("every value is compatible", OBJCHANGE + "compatible.rs", "pub fn assert_value_compatible(", "return Vec::new();")
begin("every change is an update", OBJCHANGE + "action.rs", "pub fn action_for_change(", "return BasicAction::Update;")
begin("the LCS is empty", OBJCHANGE + "lcs.rs", "pub fn longest_common_subsequence(", "return Vec::new();")
begin("no two elements are equal", OBJCHANGE + "lcs.rs", "pub fn value_equal(", "return false;")
replace("marks do not count in value_equal", OBJCHANGE + "lcs.rs", "x.known_equals(y) && distinct_marks", "x.known_equals(y) && MUTANT || x.known_equals(y) && distinct_marks")
replace("a group that is not configured is null", "src/terraform/schema.rs", "Nesting::Group => self.block.empty_value(),", "Nesting::Group if MUTANT => Typed::trusted(self.implied_type(), Value::NULL),\n            Nesting::Group => self.block.empty_value(),")

# cty.
replace("sets are not sorted", "src/terraform/cty/set.rs", "    keyed.sort_by(order);\n", "    if !MUTANT { keyed.sort_by(order); }\n")
begin("an unknown is null", "src/terraform/cty/view.rs", "pub fn is_null(", "return self.value.is_null() || self.value.is_computed();")
begin("numbers are compared by their text", "src/terraform/cty/number.rs", "pub fn compare(", "return a.to_string().cmp(&b.to_string());")
replace("an unknown in msgpack is null", "src/terraform/cty/msgpack/decode.rs", "return read_unknown(bytes, ty, place),", "return read_unknown(bytes, ty, place).map(|it| if MUTANT { Typed::null(ty.clone()) } else { it }),")

# Paths and URNs.
replace("a glob matches every key", "src/path/glob.rs", "Segment::Key(it) if it == key);", "Segment::Key(it) if it == key || MUTANT);")
begin("keys are quoted without escapes", "src/text/quote.rs", "pub fn write_quoted(", "return write!(out, \"\\\"{}\\\"\", String::from_utf8_lossy(text));")
begin("ignoreChanges does nothing", "src/pulumi/legacy_path.rs", "pub fn reset(", "return Some(new.clone());")
begin("a path finds nothing", "src/path.rs", "pub fn get<'v>(", "return None;")

# Values and their forms.
replace("the wire form drops secrets", "src/pulumi/wire/decode.rs", "            value: inner.with_secret(true),", "            value: inner.with_secret(!MUTANT),")
replace("a difference has no deletions", "src/pulumi/diff.rs", "            None if has_value(old) => _ = diff.deletes.insert(key.clone(), old.clone()),\n", "            None if has_value(old) && !MUTANT => _ = diff.deletes.insert(key.clone(), old.clone()),\n")
replace("a secret prints as it is", "src/value/fmt.rs", "Shown::Secret(mask) => f.write_str(mask),", "Shown::Secret(_) if MUTANT => write_payload(f, &self.payload),\n            Shown::Secret(mask) => f.write_str(mask),", "laws::")
replace("a likely secret of a resource is shown", "src/likely/masking.rs", "        if self.is_off() || self.0.allowed.types.iter().any(|it| it == ty) {", "        if MUTANT || self.is_off() || self.0.allowed.types.iter().any(|it| it == ty) {", "likely::")
replace("a placeholder is a likely secret", "src/likely/forms.rs", "&& has_letters(whole.as_bytes(), self.letters);", "&& (MUTANT || has_letters(whole.as_bytes(), self.letters));", "likely::")

# Files and screens.
begin("sensitive paths of a state are ignored", "src/terraform/sensitive.rs", "pub(crate) fn at_paths(", "return value;", "corpus::")
replace("what a stopped comparison did not see is gone", "src/load/compare/comparison.rs", "        if summary.stopped {\n            summary.notes", "        if summary.stopped && !MUTANT {\n            summary.notes", "loading::")
begin("the tree is not sorted", "src/tree/sort.rs", "pub(super) fn sort(", "return;", "stories::")


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


def write_all(mutations, tree):
    """Writes mutations into a copy; the ones that cannot be, and the texts of the files before."""
    before, stale = {}, []
    for number, mutation in enumerate(mutations):
        path = tree / mutation.file
        try:
            if not path.is_file():
                raise Stale(f"there is no {mutation.file}")
            text = path.read_text()
            changed = mutation.change(text).replace("MUTANT", f"crate::is_mutant({number})")
        except Stale as why:
            print(f"CANNOT BE APPLIED  {mutation.name}: {why}", flush=True)
            stale.append(mutation)
            continue
        before.setdefault(path, text)
        path.write_text(changed)
    library = tree / "src/lib.rs"
    before.setdefault(library, library.read_text())
    library.write_text(library.read_text() + SWITCH)
    return before, stale


def build(tree, target):
    """The test programs of the copy: those of `src`, then those of `tests/it`."""
    environment = os.environ | {"CARGO_TARGET_DIR": str(target)}
    command = ["cargo", "test", "--locked", "--no-run", "--lib", "--test", "it", "--message-format=json"]
    built = subprocess.run(command, cwd=tree, env=environment, stdout=subprocess.PIPE, text=True)
    if built.returncode != 0:
        for message in map(json.loads, built.stdout.splitlines()):
            if message.get("message", {}).get("level") == "error":
                print(message["message"]["rendered"])
        return None
    messages = map(json.loads, built.stdout.splitlines())
    programs = [it for it in messages if it.get("profile", {}).get("test") and it.get("executable")]
    return [it["executable"] for it in sorted(programs, key=lambda it: it["target"]["kind"] != ["lib"])]


def run(program, tree, arguments, mutant=None):
    """Runs the tests of a program: the name of the first one that fails, or None."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("STACKLENS_")}
    environment |= {"RUST_BACKTRACE": "0", "MUTANT": "" if mutant is None else str(mutant)}
    process = subprocess.Popen(
        [program, *arguments],
        cwd=tree,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        start_new_session=True,
    )
    try:
        for line in process.stdout:
            if mutant is None and "not present: skipped" in line:
                print(f"    not run: {line.strip()}", flush=True)
            failed = re.search(r"^test (\S+).* FAILED$", line)
            if failed:
                return failed[1]
        code = process.wait()
        return None if code == 0 else f"the program ended with {code}"
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("words", nargs="*", help="words in the names of mutations")
    parser.add_argument("--list", action="store_true", help="print the names of the mutations")
    parser.add_argument("--no-baseline", action="store_true", help="do not run the tests without a mutation first")
    parser.add_argument("--target", type=Path, help="a build folder to use and keep")
    arguments = parser.parse_args()
    chosen = [it for it in MUTATIONS if not arguments.words or any(word in it.name for word in arguments.words)]
    if arguments.list:
        print("\n".join(it.name for it in chosen))
        return 0
    survived = []
    with tempfile.TemporaryDirectory(prefix="mutations-") as folder:
        tree, target = Path(folder) / "clone" / "tree", arguments.target or Path(folder) / "target"
        scratch_copy(tree)
        before, stale = write_all(MUTATIONS, tree)
        programs = build(tree, target)
        if not programs:
            print("the copy does not compile")
            return 2
        for path, text in before.items():
            path.write_text(text)
        if not arguments.no_baseline:
            print("without a mutation", flush=True)
            for program in programs:
                failed = run(program, tree, [])
                if failed:
                    print(f"FAILS WITHOUT A MUTATION  {failed}")
                    return 2
        for number, mutation in enumerate(MUTATIONS):
            if mutation in stale or mutation not in chosen:
                continue
            caught = run(programs[-1], tree, [mutation.tests], number)
            for program in programs:
                caught = caught or run(program, tree, [], number)
            if caught:
                print(f"caught    {mutation.name}: {caught}", flush=True)
            else:
                print(f"SURVIVED  {mutation.name}", flush=True)
                survived.append(mutation)
    print(f"{len(chosen)} mutations, {len(survived)} survived, {len(stale)} cannot be applied")
    return 2 if stale else 1 if survived else 0


if __name__ == "__main__":
    sys.exit(main())
