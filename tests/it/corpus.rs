//! The acceptance corpus: every file of an `INDEX.json` is recognized, counted and read as another program counted and read it.
//!
//! `STACKLENS_CORPUS=DIR cargo test --release --test it corpus -- --nocapture` runs any folder with the layout of
//! `../shared/corpus`, which is the default if it exists. The files of `tests/corpus` are always read.

mod binary;
mod facts;
mod malformed;
mod own;
mod pulumi;

use std::collections::BTreeMap;
use std::path::Path;

use stacklens::json::{self, Numbers};
use stacklens::load::{self, Document, Input};
use stacklens::stack::Flags;
use stacklens::value::{Map, Value};

use crate::cli::command;
use crate::screens::paths;
use crate::{audit, plans, shared_corpus};

/// The result of a check, with the reason if it failed.
pub(crate) type Outcome = Result<(), String>;

/// Our own files, and those of the other folder if it exists. If not, the output says that these were not read.
#[test]
fn every_file() {
    let mut failed = own::check();
    if let Some(folder) = shared_corpus("corpus") {
        failed.extend(check_all(&folder));
    }
    assert_eq!(failed, [""; 0], "files that failed");
}

/// A check of many files of the corpus together.
type Check = fn(&Path) -> Outcome;

/// Checks every file of the index of a folder, and all other files there. Returns the names of those that failed.
fn check_all(folder: &Path) -> Vec<String> {
    let text = std::fs::read(folder.join("INDEX.json")).expect("the index can be read");
    // A number is a double in a Pulumi file and an exact decimal in a Terraform file.
    let [exact, double] = [Numbers::Exact, Numbers::Double].map(|numbers| {
        json::parse(&text, numbers)
            .expect("the index is JSON")
            .value
    });
    let exact_entries = entries(&exact);
    assert!(!exact_entries.is_empty(), "no files in the index");
    let mut failed = Vec::new();
    for (exact, double) in exact_entries.iter().zip(entries(&double)) {
        let is_pulumi = text_of(exact, "kind").starts_with("pulumi");
        let entry = if is_pulumi { double } else { exact };
        let check = || check(folder, entry, &exact_entries);
        tell(text_of(exact, "file"), check, &mut failed);
    }
    failed.extend(pulumi::check(folder));
    failed.extend(binary::check(folder));
    let others: [(&str, Check); 4] = [
        ("plans as text", plans::check),
        ("forms of one stack", plans::forms::check),
        ("audit of plans", audit::check),
        ("paths into files", paths::check),
    ];
    for (name, check) in others {
        tell(name, || check(folder), &mut failed);
    }
    failed
}

/// Prints the result of a check of `file`, and records the name if it failed.
pub(crate) fn tell(file: &str, check: impl FnOnce() -> Outcome, failed: &mut Vec<String>) {
    let check = std::panic::AssertUnwindSafe(check);
    let outcome = std::panic::catch_unwind(check).unwrap_or_else(|_| Err("panicked".to_owned()));
    match outcome {
        Ok(()) => println!("corpus {file}: ok"),
        Err(why) => {
            failed.push(file.to_owned());
            println!("corpus {file}: FAILED: {why}");
        }
    }
}

fn entries(index: &Value) -> Vec<&Map> {
    index
        .get("files")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(Value::as_map)
        .collect()
}

fn text_of<'v>(map: &'v Map, key: &str) -> &'v str {
    map.get(key).and_then(Value::as_str).unwrap_or_default()
}

fn check(folder: &Path, entry: &Map, all: &[&Map]) -> Outcome {
    let input = Input::path(folder.join(text_of(entry, "file")));
    if text_of(entry, "kind") == "malformed" {
        return malformed::check(&input, entry, all);
    }
    let document = load::load(&input).map_err(|error| error.to_string())?;
    let kind = text_of(entry, "kind");
    if document.stack.header.kind.name() != kind {
        return Err(format!("recognized as {}", document.stack.header.kind));
    }
    let errors: Vec<_> = document
        .stack
        .notes
        .iter()
        .filter(|note| note.severity == stacklens::stack::Severity::Error)
        .map(|note| format!("{}: {}", note.place, note.message))
        .collect();
    if !errors.is_empty() {
        return Err(format!("notes of errors: {}", errors.join("; ")));
    }
    counts(&document, entry)?;
    info(&folder.join(text_of(entry, "file")), entry)?;
    facts::check(&document, entry)
}

/// Compares the output of `info --json` with the index.
fn info(file: &Path, entry: &Map) -> Outcome {
    let printed = command(&["info", &file.display().to_string(), "--json"]);
    let printed =
        json::parse(printed.out.as_bytes(), Numbers::Exact).map_err(|error| error.to_string())?;
    let printed = printed.value;
    for name in ["kind", "resources", "deposed", "outputs", "secrets"] {
        let (Some(wanted), Some(found)) = (entry.get(name), printed.get(name)) else {
            continue;
        };
        if wanted.as_array().is_none() && wanted.to_string() != found.to_string() {
            return Err(format!("info {name}: expected {wanted}, found {found}"));
        }
    }
    if let Some(wanted) = whole(entry, "replacements") {
        let actions = printed.get("actions").and_then(Value::as_map);
        let found = actions.and_then(|actions| whole(actions, "replace"));
        if found.unwrap_or(0) != wanted {
            return Err(format!("info replace: expected {wanted}, found {found:?}"));
        }
    }
    if let Some(wanted) = entry.get("changes").and_then(Value::as_map) {
        let found = printed.get("changes").and_then(Value::as_map);
        let of = |map: &Map| -> BTreeMap<String, String> {
            let entries = map.iter();
            entries
                .map(|(op, count)| (op.to_string(), count.to_string()))
                .collect()
        };
        if found.map(of) != Some(of(wanted)) {
            return Err(format!(
                "info changes: expected {wanted:?}, found {found:?}"
            ));
        }
    }
    Ok(())
}

/// Compares each count of the index with that of the stack.
pub(crate) fn counts(document: &Document, entry: &Map) -> Outcome {
    let stack = &document.stack;
    let flagged = |flags: Flags| -> u64 {
        let has = |id| {
            let record = stack.record(id);
            record.flags.contains(flags) && !record.flags.contains(Flags::DRIFT_ENTRY)
        };
        stack.ids().filter(|id| has(*id)).count() as u64
    };
    let current = |flags: Flags| -> u64 {
        let has = |id| {
            let found = stack.record(id).flags;
            found.contains(flags) && !found.contains(Flags::DEPOSED)
        };
        stack.ids().filter(|id| has(*id)).count() as u64
    };
    let kind = text_of(entry, "kind");
    let is_state = kind == "tfstate";
    let is_old = is_state && whole(entry, "version").is_some_and(|version| version < 4);
    let mut expected: Vec<(&str, u64)> = vec![
        ("resources", stack.counts.resources),
        (
            "deposed",
            if is_state {
                stack.counts.deposed
            } else {
                flagged(Flags::DEPOSED)
            },
        ),
        ("drift", flagged_drift(document)),
        ("protected", flagged(Flags::PROTECTED)),
        ("pending_delete", flagged(Flags::PENDING_DELETE)),
        ("providers", flagged(Flags::PROVIDER)),
        ("components", flagged(Flags::COMPONENT)),
        ("external", flagged(Flags::EXTERNAL)),
        ("secrets", stack.counts.secrets),
        ("moved", flagged(Flags::MOVED)),
        ("importing", flagged(Flags::IMPORTED)),
    ];
    if kind.starts_with("tf") && !kind.ends_with("binary") {
        let tainted = if is_state {
            current(Flags::TAINTED)
        } else {
            flagged(Flags::TAINTED)
        };
        expected.push(("tainted", tainted));
        expected.push(("outputs", stack.outputs.len() as u64));
    }
    if is_state && !is_old {
        expected.push(("managed", current(Flags::CUSTOM)));
        expected.push(("data", current(Flags::DATA)));
    }
    for (name, found) in expected {
        if let Some(wanted) = whole(entry, name)
            && wanted != found
            && !differs_by_definition(kind, name)
        {
            return Err(format!("{name}: expected {wanted}, found {found}"));
        }
    }
    texts(document, entry)?;
    changes(document, entry)
}

/// Counts of the index that are defined differently from those that the stack has under the same name.
fn differs_by_definition(kind: &str, name: &str) -> bool {
    // Binary plans list moves without a change among the drift. Schemas count the entries of each provider.
    matches!(
        (kind, name),
        ("tfplan-binary", "drift") | ("provider-schemas", "providers")
    )
}

fn flagged_drift(document: &Document) -> u64 {
    let stack = &document.stack;
    let drifted = |id| stack.record(id).flags.contains(Flags::DRIFT_ENTRY);
    stack.ids().filter(|id| drifted(*id)).count() as u64
}

fn texts(document: &Document, entry: &Map) -> Outcome {
    let header = &document.stack.header;
    let version = if text_of(entry, "kind") == "pulumi-plan" {
        ""
    } else {
        &*header.format_version
    };
    let wanted_version = entry.get("version").or_else(|| entry.get("format_version"));
    let spelled = match wanted_version {
        Some(version) => match (version.as_str(), version.as_number()) {
            (Some(text), _) => text.to_owned(),
            (_, Some(number)) => number.to_string(),
            _ => String::new(),
        },
        None => String::new(),
    };
    if !version.is_empty() && !spelled.is_empty() && version != spelled {
        return Err(format!("version: expected {spelled}, found {version}"));
    }
    for (name, found) in [
        ("terraform_version", &header.tool_version),
        ("tool_version", &header.tool_version),
        ("engine", &header.tool_version),
    ] {
        let wanted = text_of(entry, name);
        if !wanted.is_empty() && wanted != found {
            return Err(format!("{name}: expected {wanted}, found {found}"));
        }
    }
    let stack = text_of(entry, "stack")
        .rsplit('/')
        .next()
        .unwrap_or_default();
    if !stack.is_empty() && stack != header.stack {
        return Err(format!("stack: expected {stack}, found {}", header.stack));
    }
    Ok(())
}

fn changes(document: &Document, entry: &Map) -> Outcome {
    let Some(wanted) = entry.get("changes").and_then(Value::as_map) else {
        return Ok(());
    };
    let found = &document.stack.counts.changes;
    let n_found = found.iter().filter(|(_, count)| *count > 0).count();
    for (words, count) in wanted {
        let count = count.as_number().map_or(0, |count| {
            count.to_string().parse::<u64>().unwrap_or_default()
        });
        let own = found
            .iter()
            .find(|(own, _)| **own == **words)
            .map_or(0, |(_, count)| *count);
        if own != count {
            return Err(format!("changes {words}: expected {count}, found {own}"));
        }
    }
    if n_found != wanted.len() {
        return Err(format!("changes: expected {wanted:?}, found {found:?}"));
    }
    Ok(())
}

fn whole(entry: &Map, name: &str) -> Option<u64> {
    entry.get(name)?.as_number()?.to_string().parse().ok()
}
