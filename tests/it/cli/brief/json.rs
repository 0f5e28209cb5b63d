//! `brief --json`, and the schemas of JSON outputs.

use std::collections::BTreeSet;

use serde_json::Value;

use super::super::rules::{PLAN_TEXT, written};
use super::super::schema::Schema;
use super::super::{AFTER, BEFORE, SHOP, command, json, root};
use super::plans;

/// Fails if a document is no brief.
#[track_caller]
pub(super) fn check_brief(document: &Value) {
    Schema::of("brief").check(document, "the brief");
}

#[test]
fn the_brief_of_every_plan_is_as_its_schema_says() {
    let schema = Schema::of("brief");
    let mut sections = BTreeSet::new();
    let mut check_run = |args: &[&str]| {
        let run = command(args);
        assert!(run.code == 0 || run.code == 65, "{args:?}: {run:?}");
        let document = serde_json::from_str(&run.out).unwrap();
        schema.check(&document, &args.join(" "));
        for section in document["sections"].as_array().unwrap() {
            sections.insert(section["section"].as_str().unwrap().to_owned());
        }
    };
    for plan in plans() {
        check_run(&["brief", &plan, "--json"]);
    }
    check_run(&["brief", BEFORE, AFTER, "--json"]);
    let (_folder, plan) = written("plan.json", PLAN_TEXT);
    check_run(&["brief", &plan, "--json"]);
    let all: Vec<&str> = sections.iter().map(String::as_str).collect();
    assert!(all.len() > 8, "{all:?}");
}

#[test]
fn a_schema_refuses_what_is_no_brief() {
    let schema = Schema::of("brief");
    let (_folder, plan) = written("plan.json", PLAN_TEXT);
    let document = json(&["brief", &plan, "--json"]);
    schema.check(&document, "the brief");
    for (pointer, wrong) in [
        ("/version", Value::from(1)),
        ("/changes", Value::from("3")),
        (
            "/sections/0/entries/0/findings/0/level",
            Value::from("fatal"),
        ),
        ("/sections/0/entries/0/details/0/place", Value::Null),
        (
            "/sections/0/entries/0/resources/0",
            Value::from("aws_db_instance.main"),
        ),
    ] {
        let mut document = document.clone();
        *document.pointer_mut(pointer).unwrap() = wrong;
        assert!(!schema.allows(&document), "{pointer}");
    }
}

#[test]
fn the_json_has_everything_of_the_page() {
    let (_folder, plan) = written("plan.json", PLAN_TEXT);
    let run = command(&["brief", &plan, "--json"]);
    assert_eq!(run.code, 0, "{run:?}");
    assert!(!run.out.contains("hunter"), "{}", run.out);
    let brief: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(brief["version"], 2);
    assert_eq!(brief["kind"], "tfplan-json");
    assert_eq!(brief["changes"], 3);
    assert_eq!(brief["actions"], serde_json::json!({"update": 3}));
    let want = serde_json::json!({
        "action": "update",
        "names": ["aws_db_instance.main"],
        "type": "aws_db_instance",
        "says": "backups are kept for a shorter time",
        "of_type": 1,
        "resources": [{
            "urn": "urn:pulumi:default::plan::aws:managed:aws_db_instance::aws_db_instance.main",
            "address": "aws_db_instance.main",
            "type": "aws_db_instance",
            "name": "aws_db_instance.main",
            "action": "update",
        }],
        "more": 0,
    });
    let mut first = brief["sections"][0]["entries"][0].clone();
    let findings = first.as_object_mut().unwrap().remove("findings").unwrap();
    let details = first.as_object_mut().unwrap().remove("details").unwrap();
    assert_eq!(first, want);
    let urn = "urn:pulumi:default::plan::aws:managed:aws_db_instance::aws_db_instance.main";
    assert_eq!(
        findings[0],
        serde_json::json!({"level": "danger", "says": "backups are kept for a shorter time", "rule": "aws-rds-backup-shortened",
                           "places": [{"urn": urn, "path": "backup_retention_period"}]})
    );
    assert_eq!(
        details[0],
        serde_json::json!({"action": "update", "place": "backup_retention_period", "before": "14", "after": "1"})
    );
    assert_eq!(
        details[1],
        serde_json::json!({"level": "warning", "note": "the password of the administrator changes"})
    );
    assert_eq!(brief["sections"][0]["count"], 2);
    let password = &details[2];
    assert_eq!(
        (&password["before"], &password["after"]),
        (&"[secret]".into(), &"[secret]".into())
    );
    let names: Vec<&Value> = brief["sections"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| &it["section"])
        .collect();
    assert_eq!(names, ["danger", "alone"]);
    assert_eq!(findings[2]["mechanism"], "unknown-where-it-matters");
    let remarks = brief["remarks"].to_string();
    assert!(
        remarks.contains("of a type that no rule knows: acme_thing"),
        "{remarks}"
    );
    assert!(remarks.contains("not judged: 1 masked secret"), "{remarks}");
}

/// The names of `brief --json` are found by `get`, and are in `ls --json`.
#[test]
fn resources_are_named_as_other_commands_name_them() {
    for plan in plans() {
        let (brief, listed) = (
            command(&["brief", &plan, "--json"]),
            command(&["ls", &plan, "--json"]),
        );
        let brief: Value = serde_json::from_str(&brief.out).unwrap();
        let listed: Vec<Value> = serde_json::from_str(&listed.out).unwrap();
        let urns: BTreeSet<&str> = listed.iter().filter_map(|it| it["urn"].as_str()).collect();
        let mut named = BTreeSet::new();
        for section in brief["sections"].as_array().unwrap() {
            for entry in section["entries"].as_array().unwrap() {
                for resource in entry["resources"].as_array().unwrap() {
                    let both = ["urn", "address"]
                        .iter()
                        .filter_map(|key| resource[key].as_str());
                    named.extend(both);
                    let urn = resource["urn"].as_str().unwrap();
                    assert!(
                        urns.contains(urn) || section["section"] == "outside",
                        "{plan}: {urn}"
                    );
                }
            }
        }
        for name in named.into_iter().take(12) {
            let run = command(&["get", &plan, name, "--json"]);
            assert!(run.code == 0 || run.code == 65, "{plan}: {name}: {run:?}");
        }
    }
}

#[test]
fn no_character_of_a_name_reaches_the_terminal_as_a_command() {
    let hostile = PLAN_TEXT.replace(
        "aws_db_instance.main",
        r"aws_db_instance.main[\u0022\u001b[2J\u202e\u0022]",
    );
    let (_folder, plan) = written("plan.json", &hostile);
    let run = command(&["brief", &plan, "--json"]);
    assert!(!run.out.contains(['\u{1b}', '\u{202e}']), "{}", run.out);
    let brief: Value = serde_json::from_str(&run.out).unwrap();
    let address = &brief["sections"][0]["entries"][0]["resources"][0]["address"];
    assert_eq!(address, "aws_db_instance.main[\"\u{1b}[2J\u{202e}\"]");
    let run = command(&[
        "get",
        &plan,
        address.as_str().unwrap(),
        "backup_retention_period",
    ]);
    assert_eq!((run.code, run.out.as_str()), (0, "1\n"), "{run:?}");
}

#[test]
fn schemas_are_listed_and_printed() {
    let run = command(&["schema"]);
    assert!(
        run.code == 0 && run.out.lines().any(|line| line == "brief"),
        "{run:?}"
    );
    for name in run.out.lines() {
        Schema::of(name);
        // The version of the form is a part of its name.
        let id = json(&["schema", name])["$id"].clone();
        let version = if name == "brief" { 2 } else { 1 };
        assert_eq!(id, format!("urn:stacklens:{name}:{version}"));
    }
    let run = command(&["schema", "completions"]);
    assert_eq!(run.code, 1, "{run:?}");
    assert!(
        run.err
            .contains("no JSON output of a command completions has a schema\n  "),
        "{run:?}"
    );
}

#[test]
fn the_settings_are_as_their_schema_says() {
    let schema = Schema::of("config");
    schema.check(&json(&["config", "--json"]), "config");
    let rules = root().join("tests/support/no-settings.toml");
    let args = ["config", "--json", "--config", rules.to_str().unwrap()];
    schema.check(&json(&args), "config of a file");
}

/// The other commands, on plans and states.
#[test]
fn the_output_of_every_command_with_a_schema_is_as_it_says() {
    let mut files = plans();
    files.extend([BEFORE, AFTER, SHOP].map(str::to_owned));
    let schemas = ["info", "ls", "find", "deps", "rules", "diff", "check"].map(Schema::of);
    let mut n_checked = [0; 7];
    for file in &files {
        let listed = command(&["ls", file, "--json"]);
        let listed: Vec<Value> = serde_json::from_str(&listed.out).unwrap();
        let first = listed
            .last()
            .and_then(|it| it["urn"].as_str())
            .unwrap_or_default();
        let runs: [&[&str]; 7] = [
            &["info", file],
            &["ls", file],
            &["find", file, "**"],
            &["deps", file, first, "--transitive"],
            &["rules", "aws_db_instance"],
            &["diff", file],
            &["check", file],
        ];
        for (number, args) in runs.iter().enumerate() {
            let run = command(&[args, &["--json"][..]].concat());
            if !run.out.is_empty() {
                // A number that `serde_json` does not read.
                let out = run.out.replace("1e400", "1");
                schemas[number].check(&serde_json::from_str(&out).unwrap(), &args.join(" "));
                n_checked[number] += 1;
            }
        }
    }
    assert!(n_checked.iter().all(|n| *n > 10), "{n_checked:?}");
}
