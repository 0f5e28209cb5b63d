//! Conformance vectors: every case of every file below a folder, made by running the real engines.
//!
//! `STACKLENS_VECTORS=DIR cargo test --release --test it vectors -- --nocapture` runs any folder with the layout of
//! `../shared/vectors`, which is the default where it is there.

mod canonical;
mod formats;
mod kinds;
mod objchange;
mod rendering;
mod values;

use std::path::{Path, PathBuf};

use serde_json::Value as Json;
use stacklens::json::{Numbers, parse};
use stacklens::value::Value;

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

#[test]
fn vectors() {
    let Some(folder) = folder() else {
        println!("vectors: not present: skipped");
        return;
    };
    run_all(&folder);
}

/// The project's own cases, which need nothing but a clone.
#[test]
fn own_vectors() {
    run_all(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/vectors"));
}

fn run_all(folder: &Path) {
    let mut files = Vec::new();
    collect(folder, &mut files);
    files.sort();
    assert!(!files.is_empty(), "no vectors below {}", folder.display());
    let mut n_failed = 0;
    for file in files {
        n_failed += run(folder, &file);
    }
    assert_eq!(n_failed, 0, "failed cases");
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
fn run(folder: &Path, file: &Path) -> usize {
    let shown = file
        .strip_prefix(folder)
        .expect("below the folder")
        .display();
    let text = std::fs::read_to_string(file).expect("the file can be read");
    let document: Json = serde_json::from_str(&text).expect("vectors are JSON");
    let cases = document
        .get("cases")
        .unwrap_or(&document)
        .as_array()
        .expect("vectors are a list of cases");
    let stem = file
        .file_name()
        .and_then(|name| name.to_str())
        .and_then(|name| name.split('.').next())
        .unwrap_or_default();
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
        let name = case
            .get("id")
            .or_else(|| case.get("name"))
            .and_then(Json::as_str)
            .unwrap_or("?");
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
        "vectors {shown}: {} passed, {} failed",
        cases.len() - failures.len(),
        failures.len()
    );
    for (name, why) in &failures {
        println!("  {name}: {why}");
    }
    failures.len()
}
