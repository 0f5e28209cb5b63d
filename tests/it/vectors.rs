//! Conformance vectors: every case of every file below a folder, made by running the real engines.
//!
//! `STACKLENS_VECTORS=DIR cargo test --release --test it vectors -- --nocapture` runs any folder with the layout of
//! `../shared/vectors`, which is the default where it is there. The cases of `tests/vectors` are always run.

mod canonical;
mod formats;
mod kinds;
mod objchange;
mod rendering;
mod rewrite;
mod values;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde_json::Value as Json;
use stacklens::json::{Numbers, parse};
use stacklens::value::Value;

use crate::not_run;

/// Runs one case: `Err` says what was expected and what came instead.
pub(crate) type Runner = fn(case: &Json) -> Result<(), String>;

/// Runs one case of a file whose numbers must keep their digits.
pub(crate) type ExactRunner = fn(case: &Value) -> Result<(), String>;

/// The runner for each file, by the part of its name before the first dot.
const RUNNERS: [&[(&str, Runner)]; 5] = [
    values::RUNNERS,
    kinds::RUNNERS,
    objchange::RUNNERS,
    rendering::RUNNERS,
    formats::RUNNERS,
];

/// Our own cases, and those of the other folder if it is there; if not, the output says that these were not run.
#[test]
fn every_case() {
    let mut n_failed = run_all(&own_folder(), "tests/vectors/");
    match folder() {
        Some(folder) => n_failed += run_all(&folder, ""),
        None => not_run("vectors", "../shared/vectors"),
    }
    assert_eq!(n_failed, 0, "failed cases");
}

fn own_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/vectors")
}

/// The least number of cases of our own that a rule has.
const MIN_CASES: usize = 20;

/// Rules with fewer: a passphrase takes a million rounds of a hash, and OpenTofu's envelopes stand beside the code that opens them.
const FEW: [&str; 2] = ["passphrase", "tofu_encryption"];

#[test]
fn every_rule_has_cases_of_our_own() {
    let mut n_cases: BTreeMap<String, usize> = BTreeMap::new();
    for file in files(&own_folder()) {
        let text = std::fs::read_to_string(&file).expect("the file can be read");
        let document: Json = serde_json::from_str(&text).expect("vectors are JSON");
        let cases = cases(&document);
        let names: BTreeSet<&str> = cases.iter().map(name).collect();
        assert_eq!(names.len(), cases.len(), "a name occurs twice in {file:?}");
        *n_cases.entry(stem(&file).to_owned()).or_default() += cases.len();
    }
    let exact = rendering::EXACT_RUNNERS.iter().map(|(rule, _)| *rule);
    let rules = RUNNERS.iter().flat_map(|table| table.iter());
    for rule in rules.map(|(rule, _)| *rule).chain(exact) {
        let n = n_cases.remove(rule).unwrap_or(0);
        let is_enough = n >= MIN_CASES || FEW.contains(&rule);
        assert!(is_enough, "{rule} has {n} cases in tests/vectors");
    }
    assert!(n_cases.is_empty(), "no rule has the name of {n_cases:?}");
}

/// Runs the cases below a folder, and returns how many failed. Their paths are printed behind `prefix`.
fn run_all(folder: &Path, prefix: &str) -> usize {
    let files = files(folder);
    files.iter().map(|file| run(folder, file, prefix)).sum()
}

/// The files of cases below a folder, in the order of their paths.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    collect(folder, &mut files);
    files.sort();
    assert!(!files.is_empty(), "no vectors below {}", folder.display());
    files
}

/// The cases of a file.
fn cases(document: &Json) -> &[Json] {
    let cases = document.get("cases").unwrap_or(document).as_array();
    cases.expect("vectors are a list of cases")
}

/// The rule that a file is of: its name up to the first dot.
fn stem(file: &Path) -> &str {
    let name = file.file_name().and_then(|name| name.to_str());
    name.and_then(|name| name.split('.').next())
        .unwrap_or_default()
}

fn name(case: &Json) -> &str {
    let name = case.get("id").or_else(|| case.get("name"));
    name.and_then(Json::as_str).unwrap_or("?")
}

fn folder() -> Option<PathBuf> {
    if let Some(folder) = std::env::var_os("STACKLENS_VECTORS") {
        return Some(PathBuf::from(folder));
    }
    let shared = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/vectors");
    shared.is_dir().then_some(shared)
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in folder.read_dir().expect("the folder can be listed") {
        let path = entry.expect("the folder can be listed").path();
        if path.is_dir() {
            collect(&path, files);
        } else if path
            .extension()
            .is_some_and(|extension| extension == "json")
        {
            files.push(path);
        }
    }
}

/// The cases of a file that is a list of them.
fn exact_cases(text: &str) -> Vec<Value> {
    let document = parse(text.as_bytes(), Numbers::Exact).expect("vectors are JSON");
    let cases = document
        .value
        .as_array()
        .expect("vectors are a list of cases");
    cases.as_slice().to_vec()
}

/// Runs the cases of one file, prints the outcome, and returns how many failed.
fn run(folder: &Path, file: &Path, prefix: &str) -> usize {
    let shown = file
        .strip_prefix(folder)
        .expect("below the folder")
        .display();
    let text = std::fs::read_to_string(file).expect("the file can be read");
    let document: Json = serde_json::from_str(&text).expect("vectors are JSON");
    let cases = cases(&document);
    let stem = stem(file);
    let runner = RUNNERS
        .iter()
        .flat_map(|table| table.iter())
        .find(|(name, _)| *name == stem)
        .map(|(_, runner)| *runner);
    let exact_runner = rendering::EXACT_RUNNERS
        .iter()
        .find(|(name, _)| *name == stem)
        .map(|(_, runner)| (*runner, exact_cases(&text)));
    let mut failures = Vec::new();
    for (index, case) in cases.iter().enumerate() {
        let name = name(case);
        let outcome = std::panic::catch_unwind(|| match (&exact_runner, runner) {
            (Some((runner, cases)), _) => runner(&cases[index]),
            (None, Some(runner)) => runner(case),
            (None, None) => Err("no runner for this file".to_owned()),
        });
        let outcome = outcome.unwrap_or_else(|_| Err("panicked".to_owned()));
        if let Err(why) = outcome {
            failures.push((name, why));
        }
    }
    println!(
        "vectors {prefix}{shown}: {} passed, {} failed",
        cases.len() - failures.len(),
        failures.len()
    );
    for (name, why) in &failures {
        println!("  {name}: {why}");
    }
    failures.len()
}
