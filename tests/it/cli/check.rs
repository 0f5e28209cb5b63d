//! `check`: everything that can be checked with what is given, and what each other check needs.

use super::{AFTER, BEFORE, PLAN, SHOP, command, json};

/// The checks that did not run, with what they need.
fn missing(args: &[&str]) -> Vec<(String, String)> {
    let found = json(args);
    let rows = found.as_array().unwrap().iter();
    let rows = rows.filter(|row| row["kind"] == "not_run");
    let text = |value: &serde_json::Value| value.as_str().unwrap().to_owned();
    rows.map(|row| {
        assert_eq!(row["severity"], "info");
        let needs = text(&row["needs"]);
        assert!(text(&row["message"]).contains(&needs));
        (text(&row["check"]), needs)
    })
    .collect()
}

fn pair(check: &str, needs: &str) -> (String, String) {
    (check.to_owned(), needs.to_owned())
}

#[test]
fn a_forgotten_option_is_said_in_text_in_json_and_beside_them() {
    let all = [
        pair("provider_rules", "--schema"),
        pair("outcome", "--state"),
    ];
    assert_eq!(missing(&["check", PLAN, "--json"]), all);
    assert_eq!(
        missing(&["check", PLAN, "--state", AFTER, "--json"]),
        all[..1]
    );
    let run = command(&["check", PLAN]);
    for text in [&run.out, &run.err] {
        let line = text
            .lines()
            .find(|line| line.contains("not checked: "))
            .unwrap();
        assert!(
            line.contains("(needs --schema)") && line.contains("(needs --state)"),
            "{line}"
        );
    }
    assert!(
        run.out
            .contains("checked: the file itself, the plan by itself"),
        "{run:?}"
    );
    let run = command(&["check", PLAN, "--json"]);
    assert!(run.err.contains("not checked: "), "{run:?}");
}

#[test]
fn a_state_lacks_nothing() {
    for state in [BEFORE, SHOP, "tests/corpus/tfshow-json/state.json"] {
        assert_eq!(missing(&["check", state, "--json"]), []);
        let run = command(&["check", state]);
        assert!(
            run.out
                .contains("checked: the file itself, the integrity of the state"),
            "{run:?}"
        );
        assert!(
            !run.out.contains("not checked") && run.err.is_empty(),
            "{run:?}"
        );
    }
    assert_eq!(command(&["check", BEFORE]).code, 0);
}

#[test]
fn a_schema_masks_a_state_that_no_check_needs_it_for() {
    let folder = tempfile::tempdir().unwrap();
    let schemas = folder.path().join("named.json");
    let text = r#"{"format_version": "1.0", "provider_schemas": {}}"#;
    std::fs::write(&schemas, text).unwrap();
    let schemas = schemas.to_str().unwrap();
    let run = command(&["check", BEFORE, "--schema", schemas]);
    assert_eq!(
        run.err.trim(),
        "stacklens: --schema only masks: no check of tfstate needs it"
    );
    let run = command(&["check", SHOP, "--schema", schemas]);
    assert_eq!(
        run.err.trim(),
        "stacklens: --schema is not used: pulumi-state is not a file of Terraform"
    );
}

/// What `check` says of a file with this text.
fn checked(name: &str, text: &str) -> (i32, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    std::fs::write(&path, text).unwrap();
    let run = command(&["check", path.to_str().unwrap()]);
    (run.code, run.out)
}

#[test]
fn a_state_that_breaks_a_rule_ends_with_1() {
    let text = r#"{"version":3,"deployment":{"resources":[{"urn":"urn:pulumi:s::p::a:b:C::c","type":"a:b:C","custom":true,
        "dependencies":["urn:pulumi:s::p::a:b:C::gone"]}]}}"#;
    let (code, out) = checked("state.json", text);
    assert_eq!(code, 1, "{out}");
    assert!(
        out.contains("warning") && out.contains("a:b:C::gone, which is not in this file"),
        "{out}"
    );
    // What may be so is said, and is no reason to stop.
    let text = r#"{"version":4,"resources":[{"mode":"managed","type":"a_b","name":"c","provider":"provider[\"registry.terraform.io/h/a\"]",
        "instances":[{"schema_version":0,"attributes":{},"dependencies":["a_b.none","data.a_b.x","module.m.a_b.d"]}]}]}"#;
    let (code, _) = checked("terraform.tfstate", text);
    assert_eq!(code, 0);
}

/// A plan with one change.
fn plan(actions: &str, before: &str, after: &str) -> String {
    format!(
        r#"{{"format_version":"1.2","terraform_version":"1.9.0","planned_values":{{}},"resource_changes":[{{"address":"a_b.c","mode":"managed",
        "type":"a_b","name":"c","provider_name":"registry.terraform.io/h/a",
        "change":{{"actions":{actions},"before":{before},"after":{after},"after_unknown":{{}}}}}}]}}"#
    )
}

#[test]
fn a_plan_that_contradicts_itself_ends_with_1() {
    for (actions, before, after, want) in [
        (r#"["create"]"#, "null", r#"{"x":1}"#, ""),
        (r#"["update"]"#, r#"{"x":1}"#, r#"{"x":2}"#, ""),
        (r#"["delete"]"#, r#"{"x":1}"#, "null", ""),
        (r#"["delete","create"]"#, r#"{"x":1}"#, r#"{"x":2}"#, ""),
        (r#"["no-op"]"#, r#"{"x":1}"#, r#"{"x":1}"#, ""),
        (
            r#"["create"]"#,
            r#"{"x":1}"#,
            r#"{"x":1}"#,
            "its action is create, and it has values before",
        ),
        (
            r#"["create"]"#,
            "null",
            "null",
            "its action is create, and it has no values after",
        ),
        (
            r#"["update"]"#,
            "null",
            r#"{"x":2}"#,
            "its action is update, and it has no values before",
        ),
        (
            r#"["delete"]"#,
            r#"{"x":1}"#,
            r#"{"x":2}"#,
            "its action is delete, and it has values after",
        ),
        (
            r#"["delete"]"#,
            "null",
            "null",
            "its action is delete, and it has no values before",
        ),
        (
            r#"["delete","create"]"#,
            r#"{"x":1}"#,
            "null",
            "its action is replace, and it has no values after",
        ),
    ] {
        let (code, out) = checked("plan.json", &plan(actions, before, after));
        assert_eq!(
            code,
            i32::from(!want.is_empty()),
            "{actions} {before} {after}: {out}"
        );
        assert!(out.contains(want), "{actions} {before} {after}: {out}");
    }
}
