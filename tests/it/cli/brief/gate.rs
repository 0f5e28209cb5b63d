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
