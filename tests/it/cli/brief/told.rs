//! The values that a line of the brief tells.

use serde_json::{Value, json as value};

use super::super::mechanisms::{UPDATE, brief, lacks, row};

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
    let filter = |area: &str, rest: &str| value!({"id": area, "sql_filter": format!("area = '{area}' AND {rest} AND retries < 5")});
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
