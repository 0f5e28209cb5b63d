//! The values that a line of the brief tells.

use serde_json::{Value, json as value};

use super::super::mechanisms::{DELETE, UPDATE, brief, brief_with, lacks, preview, row, step};

#[test]
fn an_annotation_of_its_own_is_no_tag() {
    let ingress = |target: &str, owner: &str| {
        value!({"id": "i", "metadata": [{"name": "meters", "annotations": {"nginx.ingress.kubernetes.io/rewrite-target": target},
                "labels": {"owner": owner}}]})
    };
    let of = |after| {
        brief(vec![row(
            "kubernetes_ingress_v1.meters",
            UPDATE,
            ingress("/$2", "a"),
            after,
        )])
    };
    let out = of(ingress("/$1", "a"));
    lacks(&out, "NOTHING BUT TAGS");
    assert!(out.contains("\"/$2\" → \"/$1\""), "{out}");
    let out = of(ingress("/$2", "b"));
    assert!(out.contains("NOTHING BUT TAGS"), "{out}");
}

#[test]
fn long_texts_of_a_few_members_are_told_of_each() {
    let filter = |area: &str, rest: &str| value!({"id": area, "limit": if rest.starts_with('(') { 1 } else { 2 }, "sql_filter": format!("area = '{area}' AND {rest} AND retries < 5")});
    let both = "(product = 'INTRADAY' OR product = 'DAYAHEAD')";
    let out = brief(vec![
        row(
            "lab_rule.de",
            UPDATE,
            filter("DE", both),
            filter("DE", &both[1..both.len() - 1]),
        ),
        row(
            "lab_rule.nl",
            UPDATE,
            filter("NL", both),
            filter("NL", "product IN ('INTRADAY', 'DAYAHEAD')"),
        ),
    ]);
    let line = |words: &[&str]| {
        let has = |line: &&str| words.iter().all(|it| line.contains(it));
        assert!(out.lines().any(|line| has(&line)), "{out}");
    };
    line(&[
        "AND product = 'INTRADAY' OR product = 'DAYAHEAD' AND",
        "of lab_rule.de",
    ]);
    line(&["product IN ('INTRADAY', 'DAYAHEAD')", "of lab_rule.nl"]);
}

#[test]
fn empty_values_of_an_element_that_comes_are_not_told() {
    let variable = |name: &str, value: &str| value!({"name": name, "value": value, "secret_name": "", "delay": -1});
    let app = |all: &[Value]| value!({"id": "a", "env": all});
    let out = brief(vec![row(
        "lab_app.it",
        UPDATE,
        app(&[variable("A", "1")]),
        app(&[variable("A", "1"), variable("MODE", "fast")]),
    )]);
    assert!(
        out.contains("+ env[MODE]  name: \"MODE\", value: \"fast\", delay: -1"),
        "{out}"
    );
    lacks(&out, "secret_name");
}

#[test]
fn a_few_with_values_of_their_own_are_no_group() {
    let config = value!({"root_module": {
        "variables": {"pay": {"default": "0 5 * * 1-5"}},
        "resources": [
            {"address": "lab_job.docs", "mode": "managed", "type": "lab_job", "name": "docs", "provider_config_key": "lab",
             "expressions": {"schedule": {"constant_value": "*/15 * * * *"}}, "schema_version": 0},
            {"address": "lab_job.pay", "mode": "managed", "type": "lab_job", "name": "pay", "provider_config_key": "lab",
             "expressions": {"schedule": {"references": ["var.pay"]}}, "schema_version": 0}]}});
    let job = |schedule: &str| value!({"schedule": schedule});
    let rows = vec![
        row(
            "lab_job.docs",
            UPDATE,
            job("*/10 * * * *"),
            job("*/15 * * * *"),
        ),
        row(
            "lab_job.pay",
            UPDATE,
            job("0 5 * * 1-5"),
            job("0 5 1-5 * *"),
        ),
    ];
    let out = brief_with(
        rows,
        value!({"configuration": config, "variables": {"pay": {"value": "0 5 1-5 * *"}}}),
    );
    let docs = "lab_job.docs  ~ schedule  \"*/10 * * * *\" → \"*/15 * * * *\"  1.5 times less often  constant in the configuration\n";
    let pay = "lab_job.pay  ~ schedule  \"0 5 * * 1-5\" → \"0 5 1-5 * *\"  4.4 times less often  from var.pay, now \"0 5 1-5 * *\"";
    assert!(out.contains(docs) && out.contains(pay), "{out}");
}

/// A step of a preview in which a record takes its health check from another one.
fn record(name: &str, check: [&str; 2]) -> Value {
    let state = |check: &str| value!({"check": check});
    let mut step = step(
        "update",
        "lab:dns/record:Record",
        name,
        &state("0b1"),
        &state(check[0]),
    );
    let urn = |name: &str| format!("urn:pulumi:dev::shop::lab:dns/check:Check::{name}");
    for side in ["oldState", "newState"] {
        step[side]["propertyDependencies"] = value!({"check": [urn(check[1])]});
        step[side]["dependencies"] = value!([urn(check[1])]);
    }
    step
}

#[test]
fn a_value_from_another_resource_names_it() {
    let check = |name: &str, code: &str| {
        let state = value!({"path": "/", "code": code});
        step("same", "lab:dns/check:Check", name, &state, &state)
    };
    let out = preview(vec![
        check("api", "4c7"),
        check("far", "9d2"),
        record("api", ["4c7", "api"]),
        record("partner", ["9d2", "far"]),
    ]);
    assert!(out.contains("→ \"4c7\"  from api\n"), "{out}");
    assert!(out.contains("→ \"9d2\"  from far\n"), "{out}");
}

#[test]
fn a_module_that_goes_whole_says_in_one_line_what_is_less_than_a_danger() {
    let gone = |address| {
        row(
            address,
            DELETE,
            value!({"id": "x", "name": "x"}),
            Value::Null,
        )
    };
    let out = brief(vec![
        gone("aws_cloudwatch_metric_alarm.stays_alone"),
        gone("module.old.aws_cloudwatch_metric_alarm.cpu"),
        gone("module.old.aws_route53_health_check.it"),
        gone("module.old.aws_kinesis_firehose_delivery_stream.it"),
        gone("module.old.aws_efs_mount_target.it"),
        gone("module.old.aws_lambda_function.it"),
        gone("module.old.aws_s3_bucket.logs"),
        gone("module.old.aws_lb.it"),
    ]);
    let mut lines = out
        .lines()
        .filter(|line| line.contains("names do not fail over any longer"));
    let line = lines.next().unwrap_or_default();
    assert!(
        line.contains("records are not delivered any longer") && line.contains(" · "),
        "{out}"
    );
    lacks(line, "module.old");
    // An alarm that only serves the module goes with it.
    assert_eq!(out.matches("nobody is alarmed").count(), 2, "{out}");
}
