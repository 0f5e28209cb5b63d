//! Wrong input: each message says what is wrong, where, and what is meant.

use super::command;
use super::rules::written;

const DEMO: &str = "assets/demo.json";

#[track_caller]
fn says(args: &[&str], code: i32, wanted: &str) {
    let run = command(args);
    assert_eq!(run.code, code, "{args:?}: {run:?}");
    assert!(run.err.contains(wanted), "{args:?}: {}", run.err);
    // No error of the system is shown as the library prints it.
    for raw in [
        "os error",
        "entity not found",
        "stream did not",
        "(with )",
        "(with ``)",
    ] {
        assert!(!run.err.contains(raw), "{args:?}: {}", run.err);
    }
}

#[test]
fn near_names_are_offered_everywhere() {
    for (args, code, near) in [
        (&["get", DEMO, "orders-dbb"][..], 1, "Instance::orders-db\n"),
        (&["deps", DEMO, "orders-dbb"], 1, "Instance::orders-db\n"),
        (
            &["get", DEMO, "orders-db", "endpiont"],
            1,
            "; `endpoint` is alike",
        ),
        (
            &["get", DEMO, "orders-db", "tags.Nme"],
            1,
            "; `Name` is alike",
        ),
        (
            &["get", DEMO, "orders-db", "--of", "inptus"],
            64,
            "; `inputs` is alike",
        ),
        (
            &["get", DEMO, "orders-db", "--of", "befor.inputs"],
            64,
            "; `before.inputs` is alike",
        ),
        (
            &["ls", DEMO, "is:protectd"],
            64,
            "expected `protected`, which is alike, or one of ",
        ),
        (
            &["find", DEMO, "action:updte"],
            64,
            "expected `update`, which is alike, or one of ",
        ),
        (
            &["ls", DEMO, "kind:dnager"],
            64,
            "expected `danger`, which is alike, or one of ",
        ),
        (
            &["find", DEMO, "actoin:update"],
            1,
            "did you mean `action`?",
        ),
        (
            &[DEMO, "--fail-on", "danger"],
            64,
            "`--fail-on` is an option of `brief`: stacklens brief ",
        ),
        (
            &["ls", DEMO, "--fail-on", "danger"],
            64,
            "`--fail-on` is an option of `brief`\n",
        ),
        (
            &["diff", DEMO, "--reveal"],
            64,
            "`--reveal` is an option of `get`\n",
        ),
        (
            &["ls", DEMO, "--watch"],
            64,
            "`--watch` is an option of the explorer, ",
        ),
        (&[DEMO, "--jsn"], 64, "the option `--json` is alike\n"),
        (
            &[DEMO, "brief"],
            64,
            "a command stands before its files: stacklens brief ",
        ),
        (&["brif", DEMO], 64, "the command `brief` is alike"),
        (
            &["rules", "aws-bukcet-deleted"],
            1,
            "\n  aws-bucket-deleted\n",
        ),
        (&["rules", "aws_db_instanc"], 1, "\n  aws_db_instance\n"),
        (&[DEMO, "--theme", "nrod"], 64, "; `nord` is alike"),
        (&["schema", "bref"], 1, "; `brief` is alike"),
        (&["man", "bref"], 1, "; `brief` is alike"),
        (&["brief", DEMO, "--fail-on", "dangr"], 64, "'danger'"),
    ] {
        says(args, code, near);
    }
}

#[test]
fn the_near_name_of_an_output_is_offered() {
    let outputs = json_outputs();
    let (_folder, state) = written("a.tfstate", &outputs);
    says(&["get", &state, "output.adress"], 1, "\n  output.address\n");
}

fn json_outputs() -> String {
    r#"{"version": 4, "terraform_version": "1.9.0", "serial": 1, "lineage": "l", "resources": [],
        "outputs": {"address": {"value": "a", "type": "string"}}}"#
        .to_owned()
}

#[test]
fn a_command_line_that_is_spelled_out_can_be_pasted() {
    let run = command(&["my plan.json", "--fail-on", "danger"]);
    let line = "stacklens brief 'my plan.json' --fail-on danger\n";
    assert!(run.err.contains(line), "{}", run.err);
}

#[test]
fn a_wrong_file_is_told_in_words() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let list = at("list.json", br#"[{"a": 1}]"#);
    let nameless = at("nameless.json", br#"{"": 1}"#);
    let object = at("object.json", br#"{"theme": "nord"}"#);
    let binary = at("binary", b"\xff\xfe\x00\x01");
    let empty = at("empty", b"");
    let dir = folder.path().to_str().unwrap();
    let without = "this is JSON of another kind (without any key)";
    says(&["info", &list], 65, without);
    says(&["info", &nameless], 65, without);
    says(
        &["find", "--from", &empty, "=x"],
        65,
        "empty: the list is empty, expected a path a line",
    );
    says(&["info", "--from", dir], 65, "this is a folder, not a file");
    says(
        &["--config", "/nofile", "ls", DEMO],
        74,
        "/nofile: no such file; `stacklens config --init` prints one to start from",
    );
    says(
        &["--config", dir, "ls", DEMO],
        74,
        ": this is a folder, expected a file",
    );
    says(
        &["--config", &binary, "ls", DEMO],
        74,
        ": this is not text in UTF-8",
    );
    says(
        &["--config", &object, "ls", DEMO],
        64,
        "object.json:1: this is JSON, expected TOML; ",
    );
    says(
        &["brief", DEMO, "--rules", &object],
        65,
        "object.json:1: this is JSON, expected TOML with a table `[[rule]]` for each rule",
    );
    says(
        &["brief", DEMO, "--rules", &list],
        65,
        "this is JSON, expected TOML",
    );
    says(
        &["brief", DEMO, "--rules", &binary],
        74,
        ": this is not text in UTF-8",
    );
    says(
        &["brief", DEMO, "--record", dir],
        74,
        ": this is a folder, expected a file",
    );
    says(
        &["ls", DEMO, "--passphrase-file", dir],
        74,
        ": this is a folder, expected a file",
    );
}
