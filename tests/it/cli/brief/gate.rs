//! `brief --fail-on`: the gate of a pipeline.

use super::super::command;
use super::super::rules::{PLAN_TEXT, written};

#[track_caller]
fn check(plan: &str, conditions: &[&str], code: i32, err: &str) {
    let mut args = vec!["brief", plan];
    for condition in conditions {
        args.extend(["--fail-on", condition]);
    }
    let run = command(&args);
    assert_eq!(
        (run.code, run.err.as_str()),
        (code, err),
        "{conditions:?}: {}",
        run.out
    );
    assert!(!run.out.is_empty());
}

#[test]
fn each_condition_closes_the_gate_and_says_so() {
    let (_folder, plan) = written("plan.json", PLAN_TEXT);
    let danger = "stacklens: --fail-on danger: 2 places\n";
    let unknown = "stacklens: --fail-on unknown-access: 1 place\n";
    check(&plan, &["danger"], 3, danger);
    check(
        &plan,
        &["warning"],
        3,
        "stacklens: --fail-on warning: 4 places\n",
    );
    check(&plan, &["unknown-access"], 3, unknown);
    check(&plan, &["drift"], 0, "");
    check(
        &plan,
        &["drift,danger", "unknown-access"],
        3,
        &format!("{danger}{unknown}"),
    );
    // A value that is masked cannot be judged either, but it is known.
    let known = PLAN_TEXT.replace(
        r#""after_unknown": {"deletion_protection": true},"#,
        r#""after_unknown": {},"#,
    );
    let known = known.replace(r#""before_sensitive": {"password": true}, "after_sensitive": {"password": true}"#,
        r#""before_sensitive": {"password": true, "deletion_protection": true}, "after_sensitive": {"password": true}"#);
    let (_folder, known) = written("plan.json", &known);
    check(&known, &["unknown-access"], 0, "");
    // An unknown value that no rule looks at.
    let other = PLAN_TEXT.replace(
        r#""after_unknown": {"deletion_protection": true},"#,
        r#""after_unknown": {"address": true},"#,
    );
    let (_folder, other) = written("plan.json", &other);
    check(&other, &["unknown-access"], 0, "");
    check(
        "tests/corpus/tfplan-json/refresh-only.json",
        &["drift"],
        3,
        "stacklens: --fail-on drift: 2 places\n",
    );
    check(
        "tests/corpus/tfplan-json/refresh-only.json",
        &["danger"],
        0,
        "",
    );
}

/// A state of Terraform with a failed check.
const STATE: &str = "tests/corpus/tfstate/shop.tfstate";
const QUIET: &str = r#"{"version": 4, "terraform_version": "1.9.0", "serial": 1, "lineage": "l", "outputs": {}, "resources": []}"#;
const SCHEMAS: &str = r#"{"format_version": "1.0", "provider_schemas": {"example.com/acme/acme": {"resource_schemas": {
    "acme_disk": {"version": 0, "block": {"attributes": {"size": {"type": "number", "optional": true}}}}}}}}"#;

#[test]
fn a_gate_that_cannot_judge_says_so_and_has_its_own_exit_code() {
    let alone = |condition: &str, what: &str| {
        format!(
            "stacklens: --fail-on {condition} could not be judged: {what} has no changes, expected a plan, or a second file to \
             compare with\n"
        )
    };
    let (_folder, state) = written("a.tfstate", QUIET);
    for condition in ["danger", "warning", "drift", "unknown-access"] {
        check(&state, &[condition], 4, &alone(condition, "a state alone"));
    }
    let (_folder, schemas) = written("schemas.json", SCHEMAS);
    let what = "a file of provider schemas";
    check(&schemas, &["danger"], 4, &alone("danger", what));
    // Entries without a change object.
    let plan = r#"{"format_version": "1.2", "terraform_version": "1.9.0", "resource_changes": [
        {"address": "acme_disk.a", "mode": "managed", "type": "acme_disk", "name": "a", "provider_name": "example.com/acme/acme"}]}"#;
    let (_folder, plan) = written("plan.json", plan);
    let why = "1 resource has no change object in this file, so the plan cannot be judged";
    let line = format!("stacklens: --fail-on danger could not be judged: {why}\n");
    check(&plan, &["danger"], 4, &line);
    assert_eq!(command(&["diff", &plan, "--exit-code"]).code, 4);
    assert_eq!(command(&["diff", &plan]).code, 0);
    // Without a condition there is no gate.
    check(&state, &[], 0, "");
}

#[test]
fn a_condition_that_holds_is_worth_more_than_one_that_cannot_be_judged() {
    let run = command(&["brief", STATE, "--fail-on", "danger,warning"]);
    assert!(
        run.err.contains("--fail-on danger could not be judged: "),
        "{run:?}"
    );
    assert!(matches!(run.code, 3 | 4), "{run:?}");
    let (_plan, plan) = written("plan.json", PLAN_TEXT);
    let (_state, state) = written("a.tfstate", QUIET);
    let run = command(&["brief", &plan, &plan, &state, "--fail-on", "danger"]);
    assert_eq!(run.code, 3, "{run:?}");
    let lost = format!("stacklens: {state}: --fail-on danger could not be judged: ");
    assert!(run.err.contains(&lost), "{run:?}");
    let run = command(&["brief", &plan, &plan, &state, "--fail-on", "drift"]);
    assert_eq!(run.code, 4, "{run:?}");
    let run = command(&["brief", &plan, "no-such.json", "--fail-on", "drift"]);
    assert_eq!(run.code, 65, "{run:?}");
    let lost = "no-such.json: --fail-on drift could not be judged: the file could not be read";
    assert!(run.err.contains(lost), "{run:?}");
}

#[test]
fn two_files_do_not_say_who_made_a_change_and_a_log_of_a_plan_has_no_values() {
    let (_old, old) = written("a.tfstate", QUIET);
    let (_new, new) = written("b.tfstate", QUIET);
    let run = command(&["brief", &old, &new, "--fail-on", "drift"]);
    assert_eq!(run.code, 4, "{run:?}");
    assert_eq!(
        command(&["brief", &old, &new, "--fail-on", "danger"]).code,
        0
    );
    let line = r#"{"@level": "info", "@message": "acme_disk.a: Plan to update", "@module": "terraform.ui", "@timestamp": "2026-01-02T03:04:05.000000Z", "type": "planned_change", "change": {"resource": {"addr": "acme_disk.a", "module": "", "resource": "acme_disk.a", "implied_provider": "acme", "resource_type": "acme_disk", "resource_name": "a", "resource_key": null}, "action": "update"}}"#;
    let first = r#"{"@level": "info", "@message": "Terraform 1.9.0", "@module": "terraform.ui", "@timestamp": "2026-01-02T03:04:05.000000Z", "type": "version", "terraform": "1.9.0", "ui": "1.2"}"#;
    let (_folder, log) = written("log.jsonl", &format!("{first}\n{line}\n"));
    let run = command(&["brief", &log, "--fail-on", "danger"]);
    assert_eq!(run.code, 4, "{run:?}");
    assert!(
        run.err.contains("the log of a plan has no values"),
        "{run:?}"
    );
    let run = command(&[
        "brief",
        "tests/corpus/tf-ui-json/refresh-first.jsonl",
        "--fail-on",
        "danger",
    ]);
    assert_ne!(run.code, 4, "{run:?}");
}
