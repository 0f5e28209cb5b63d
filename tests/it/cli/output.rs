//! A full disk, and readers that close early, on the standard output and the standard error.
#![cfg(target_os = "linux")]

use std::fs::File;
use std::io::Read as _;
use std::process::{Command, Stdio};

use super::{AFTER, BEFORE, PLAN, SHOP, root};

/// Every printing command, with its exit code when it can print.
const COMMANDS: &[(&[&str], i32)] = &[
    (&["--help"], 0),
    (&["--version"], 0),
    (&["demo"], 0),
    (&[SHOP], 0),
    (&[BEFORE, AFTER], 0),
    (&["info", SHOP], 0),
    (&["info", SHOP, "--json"], 0),
    (&["ls", SHOP], 0),
    (&["ls", SHOP, "--json"], 0),
    (&["get", SHOP, "vpc"], 0),
    (&["get", SHOP, "vpc", "id", "--json"], 0),
    (&["find", SHOP, "vpc"], 0),
    (&["find", SHOP, "vpc", "--json"], 0),
    (&["deps", SHOP, "vpc", "--reverse"], 0),
    (&["deps", SHOP, "vpc", "--reverse", "--json"], 0),
    (&["graph", SHOP], 0),
    (&["graph", SHOP, "--format", "mermaid"], 0),
    (&["diff", PLAN, "--exit-code"], 2),
    (&["diff", PLAN, "--json", "--exit-code"], 2),
    (&["diff", PLAN, "--markdown", "--exit-code"], 2),
    (&["diff", PLAN, "--format", "terraform", "--exit-code"], 2),
    (&["diff", BEFORE, AFTER, "--exit-code"], 2),
    (&["check", PLAN, "--state", AFTER], 1),
    (&["check", PLAN, "--state", AFTER, "--json"], 1),
    (&["ls", "tests/corpus/bad/truncated.tfstate"], 65),
];

fn program(args: &[&str]) -> Command {
    let mut command = crate::built();
    command.args(args).current_dir(root()).stdin(Stdio::null());
    command
}

fn full() -> File {
    File::options().write(true).open("/dev/full").unwrap()
}

#[test]
fn a_full_disk_is_an_error_with_a_message() {
    for (args, _) in COMMANDS {
        let output = program(args).stdout(full()).output().unwrap();
        let err = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(74), "{args:?}: {err}");
        let last = err.lines().last().unwrap_or_default();
        assert!(
            last.starts_with("stacklens: writing the output: "),
            "{args:?}: {err}"
        );
        let n_said = err
            .lines()
            .filter(|line| line.contains("writing the output"))
            .count();
        assert_eq!(n_said, 1, "{args:?}: {err}");
    }
}

#[test]
fn a_reader_that_goes_away_changes_neither_the_answer_nor_says_anything() {
    for (args, code) in COMMANDS {
        let mut child = program(args)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let mut err = String::new();
        child
            .stderr
            .take()
            .unwrap()
            .read_to_string(&mut err)
            .unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(*code), "{args:?}: {err}");
        assert!(
            !err.contains("panicked") && !err.contains("writing"),
            "{args:?}: {err}"
        );
    }
}

#[test]
fn nobody_has_to_read_the_standard_error() {
    for (args, code) in COMMANDS {
        // A full disk, and a reader that closed.
        let output = program(args).stderr(full()).output().unwrap();
        assert_eq!(output.status.code(), Some(*code), "{args:?}");
        assert!(!output.stdout.is_empty(), "{args:?}");
        let mut child = program(args)
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stderr.take());
        assert_eq!(child.wait().unwrap().code(), Some(*code), "{args:?}");
        // Both closed from the start.
        let line = format!("exec \"$0\" {} 2>&- >&-", args.join(" "));
        let status = crate::without_settings(Command::new("sh"))
            .args(["-c", &line, env!("CARGO_BIN_EXE_stacklens")])
            .current_dir(root())
            .status()
            .unwrap();
        assert_eq!(status.code(), Some(*code), "{args:?}");
    }
}

#[test]
fn a_name_of_several_lines_looks_like_no_other_field() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("stack.json");
    let state = r#"{"version": 3, "deployment": {"resources": [{"urn": "urn:pulumi:s::p::a:b:C::n\tm\nid  i-2", "type": "a:b:C",
        "custom": true, "id": "i-1"}]}}"#;
    std::fs::write(&file, state).unwrap();
    let urn = "urn:pulumi:s::p::a:b:C::n\tm\nid  i-2";
    let out = super::command(&["get", file.to_str().unwrap(), urn]).out;
    let ids: Vec<&str> = out.lines().filter(|line| line.starts_with("id")).collect();
    assert_eq!(ids, ["id              i-1"], "{out}");
    assert!(out.contains(r"n\tm"), "{out}");
}

#[test]
fn messages_of_a_preview_have_no_color_tags() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("preview.json");
    let preview = r#"{"config": {}, "steps": [], "diagnostics": [{"severity": "warning", "urn": "",
        "message": "<{%fg 3%}>warning:<{%reset%}> the cluster is old\n"}]}"#;
    std::fs::write(&file, preview).unwrap();
    let out = super::command(&["info", file.to_str().unwrap()]).out;
    assert!(out.contains("warning: the cluster is old"), "{out}");
    assert!(!out.contains("<{%"), "{out}");
}
