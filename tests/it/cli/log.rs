//! The log: what the program does, and never a text of a file.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::Value;

use super::{AFTER, PLAN, SHOP, root};

/// The words that may come into the log.
const WORDS: &[&str] = &[
    env!("CARGO_PKG_VERSION"),
    "brief",
    "check",
    "debug",
    "deps",
    "diff",
    "ended",
    "error",
    "failed",
    "find",
    "get",
    "indexed",
    "info",
    "ls",
    "no",
    "opened",
    "progress",
    "pulumi-state",
    "settings",
    "started",
    "tfplan-json",
    "tfstate",
    "unreadable",
];

/// Runs the program with a log and returns its exit code and the log.
fn logged(log: &Path, args: &[&str], variables: &[(&str, &str)]) -> (i32, String) {
    let output = crate::built()
        .args(args)
        .arg("--log")
        .arg(log)
        .current_dir(root())
        .envs(variables.iter().copied())
        .output()
        .unwrap();
    let text = fs::read_to_string(log).unwrap_or_default();
    (output.status.code().unwrap(), text)
}

fn lines(log: &str) -> Vec<Value> {
    log.lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{line}: {error}")))
        .collect()
}

/// All texts in a file that are long enough to be found again, with those in embedded JSON.
fn texts(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::String(text) => found.push(text.clone()),
        Value::Array(items) => items.iter().for_each(|item| texts(item, found)),
        Value::Object(members) => {
            for (name, member) in members {
                found.push(name.clone());
                texts(member, found);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

#[test]
fn the_log_has_the_steps_with_times() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    let (code, text) = logged(&log, &["ls", SHOP], &[]);
    assert_eq!(code, 0);
    let lines = lines(&text);
    let events: Vec<_> = lines
        .iter()
        .map(|it| it["event"].as_str().unwrap())
        .collect();
    assert_eq!(
        events,
        ["started", "settings", "opened", "indexed", "ended"]
    );
    assert_eq!(lines[0]["command"], "ls");
    assert_eq!(lines[2]["kind"], "pulumi-state");
    assert_eq!(lines[2]["file"], SHOP);
    assert!(lines[3]["resources"].as_u64().unwrap() > 10);
    let times: Vec<_> = lines.iter().map(|it| it["ms"].as_u64().unwrap()).collect();
    assert!(times.is_sorted(), "{times:?}");
    // A second run is added.
    let (_, both) = logged(&log, &["info", PLAN], &[]);
    assert!(both.starts_with(&text) && both.contains("\"command\":\"info\""));
}

#[test]
fn no_text_of_a_file_comes_into_the_log() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    let debug = [("STACKLENS_LOG", "debug")];
    let broken = folder.path().join("broken.json");
    let secret = r#"{"version":3,"deployment":{"manifest":{},"resources":[{"urn":"hunter2hunter2","type":"swordfish99"#;
    fs::write(&broken, secret).unwrap();
    let broken = broken.to_str().unwrap();
    for args in [
        &["get", SHOP, "orders-pw", "--reveal", "--json"][..],
        &["get", SHOP, "no-such-resource-at-all"],
        &["find", SHOP, "orders-db-7f3a91"],
        &["brief", PLAN],
        &["diff", PLAN, "--json"],
        &["check", PLAN, "--state", AFTER],
        &["deps", SHOP, "orders-db"],
        &["ls", broken],
        &["get", broken, "hunter2hunter2"],
    ] {
        logged(&log, args, &debug);
    }
    let text = fs::read_to_string(&log).unwrap();
    assert!(lines(&text).len() > 40, "{text}");
    // All texts of the log besides the paths of files that the person named.
    let logged: BTreeSet<String> = lines(&text)
        .into_iter()
        .flat_map(|mut line| {
            line.as_object_mut().unwrap().remove("file");
            line.as_object().unwrap().clone().into_iter()
        })
        .filter_map(|(_, value)| value.as_str().map(str::to_owned))
        .collect();
    let others: Vec<_> = logged
        .iter()
        .filter(|it| !WORDS.contains(&it.as_str()))
        .collect();
    assert!(others.is_empty(), "{others:?}");
    let mut found = vec![
        "hunter2hunter2".to_owned(),
        "swordfish99".to_owned(),
        "no-such-resource-at-all".to_owned(),
    ];
    for file in [SHOP, PLAN, AFTER] {
        let value = fs::read_to_string(root().join(file)).unwrap();
        // A number that `serde_json` does not read.
        let value = value.replace("1e400", "1");
        texts(&serde_json::from_str(&value).unwrap(), &mut found);
    }
    // Shorter ones, such as `id`, are parts of words of the log.
    found.retain(|it| it.len() > 10);
    assert!(found.len() > 200, "{}", found.len());
    let paths = [SHOP, PLAN, AFTER, broken];
    let own = paths
        .iter()
        .fold(text, |text, path| text.replace(path, "FILE"));
    for it in &found {
        assert!(!own.contains(it.as_str()), "{it}");
    }
}

#[test]
fn failures_are_logged_by_their_kind() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    let (code, text) = logged(&log, &["ls", "missing.json", "--log-level", "error"], &[]);
    assert_eq!(code, 74);
    let lines = lines(&text);
    let events: Vec<_> = lines
        .iter()
        .map(|it| it["event"].as_str().unwrap())
        .collect();
    assert_eq!(events, ["unreadable", "failed"]);
    assert_eq!(lines[1]["why"], "io");
    assert_eq!(lines[1]["code"], 74);
}

#[test]
fn a_log_is_not_added_to_another_file() {
    let folder = tempfile::tempdir().unwrap();
    let state = folder.path().join("state.json");
    fs::copy(root().join(SHOP), &state).unwrap();
    let before = fs::read(&state).unwrap();
    let (code, _) = logged(&state, &["ls", SHOP], &[]);
    assert_eq!(code, 74);
    assert_eq!(fs::read(&state).unwrap(), before);
}

#[test]
fn a_wrong_level_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    let (code, text) = logged(&log, &["ls", SHOP], &[("STACKLENS_LOG", "loud")]);
    assert_eq!((code, text.as_str()), (64, ""));
    let (code, _) = logged(&log, &["ls", SHOP, "--log-level", "loud"], &[]);
    assert_eq!(code, 64);
}
