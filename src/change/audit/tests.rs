use super::*;
use crate::json::{Numbers, parse};

fn json(text: &str) -> Value {
    parse(text.as_bytes(), Numbers::Exact).unwrap().value
}

fn schema() -> Block {
    Block::read(&json(
        r#"{"attributes": {
            "id": {"type": "string", "computed": true},
            "name": {"type": "string", "required": true},
            "size": {"type": "number", "optional": true},
            "password": {"type": "string", "optional": true, "sensitive": true},
            "zone": {"type": "string", "optional": true, "computed": true}},
          "block_types": {"rule": {"nesting_mode": "list", "block": {"attributes": {"port": {"type": "number", "required": true}}}}}}"#,
    ))
    .unwrap()
}

fn texts(findings: &[Finding]) -> Vec<String> {
    findings
        .iter()
        .map(|finding| {
            format!(
                "{} {}: {}",
                finding.severity.name(),
                finding.path,
                finding.sentence
            )
        })
        .collect()
}

fn plan(prior: &str, expressions: &str, planned: &str) -> Vec<String> {
    let schema = schema();
    let subject = Subject {
        resource: "thing.one",
        schema: &schema,
        semantics: Semantics::Current,
    };
    let found = audit_plan(
        subject,
        &json(prior),
        None,
        Some(&json(expressions)),
        &json(planned),
    );
    texts(&found.unwrap())
}

#[test]
fn constants_decide_and_references_do_not() {
    let expressions = r#"{"name": {"constant_value": "a"}, "size": {"references": ["var.size"]}}"#;
    assert_eq!(
        plan(
            "null",
            expressions,
            r#"{"name": "b", "size": 3, "rule": []}"#
        ),
        [r#"warning name: "b" is planned, the configuration says "a""#]
    );
    assert_eq!(
        plan("null", expressions, r#"{"name": "a", "size": 3}"#),
        [""; 0]
    );
}

#[test]
fn a_constant_is_converted_as_the_program_does() {
    let expressions = r#"{"name": {"constant_value": 5}, "size": {"constant_value": "3"}}"#;
    assert_eq!(
        plan("null", expressions, r#"{"name": "5", "size": 3}"#),
        [""; 0]
    );
}

#[test]
fn values_that_the_plan_keeps_may_be_ignored_on_purpose() {
    let expressions = r#"{"name": {"constant_value": "a"}}"#;
    let prior = r#"{"name": "a", "size": 7}"#;
    assert_eq!(plan(prior, expressions, prior), [""; 0]);
    assert_eq!(
        plan(prior, expressions, r#"{"name": "a", "size": 8}"#),
        [
            "warning size: 8 is planned, but only the configuration sets this attribute, and it does not"
        ]
    );
}

#[test]
fn dynamic_blocks_may_add_blocks_but_not_take_any() {
    let expressions =
        r#"{"name": {"constant_value": "a"}, "rule": [{"port": {"constant_value": 1}}]}"#;
    assert_eq!(
        plan(
            "null",
            expressions,
            r#"{"name": "a", "rule": [{"port": 1}, {"port": 2}]}"#
        ),
        [""; 0]
    );
    assert_eq!(
        plan("null", expressions, r#"{"name": "a", "rule": []}"#),
        ["warning rule: 0 blocks are planned, the configuration has 1"]
    );
}

#[test]
fn secrets_are_not_shown() {
    let expressions =
        r#"{"name": {"constant_value": "a"}, "password": {"constant_value": "hunter2"}}"#;
    assert_eq!(
        plan(
            "null",
            expressions,
            r#"{"name": "a", "password": "hunter3"}"#
        ),
        ["warning password: the planned sensitive value is not the configured one"]
    );
}

fn outcome(planned: &str, unknown: &str, actual: &str) -> Vec<String> {
    let schema = schema();
    let subject = Subject {
        resource: "thing.one",
        schema: &schema,
        semantics: Semantics::Current,
    };
    let planned = crate::change::masks::fold(&json(planned), Some(&json(unknown)), None);
    texts(&audit_outcome(subject, &planned, &json(actual)).unwrap())
}

#[test]
fn the_outcome_reports_broken_promises_and_values_that_became_known() {
    assert_eq!(
        outcome(
            r#"{"name": "a", "size": 3}"#,
            r#"{"id": true, "password": true}"#,
            r#"{"name": "a", "size": 4, "id": "i-1", "password": "hunter2"}"#,
        ),
        [
            "error size: 3 was planned, there is 4",
            r#"info id: it was unknown in the plan, and is now "i-1""#,
            "info password: it was unknown in the plan, and is now a secret",
        ]
    );
}

#[test]
fn changes_that_core_did_not_propose_come_from_the_provider() {
    let schema = schema();
    let subject = Subject {
        resource: "thing.one",
        schema: &schema,
        semantics: Semantics::Current,
    };
    let found = provider_changes(
        subject,
        &json(r#"{"id": "i-1", "name": "a", "zone": "x"}"#),
        Some(&json(r#"{"name": {"constant_value": "b"}}"#)),
        &json(r#"{"id": "i-1", "name": "b", "zone": "y"}"#),
    );
    assert_eq!(
        texts(&found.unwrap()),
        [r#"info zone: the provider changes it from "x" to "y", but the configuration does not"#]
    );
}
