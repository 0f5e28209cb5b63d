//! `brief --sarif`, for systems that collect findings.

use serde_json::Value;

use super::super::rules::{PLAN_TEXT, written};
use super::super::schema::Schema;
use super::super::{command, json};
use super::plans;

/// The rules of SARIF 2.1.0 for the parts that the output has.
fn schema() -> Schema {
    Schema::new(serde_json::from_str(include_str!("sarif-parts.json")).unwrap())
}

/// The results of a log, after a check of its form and of the references in it.
fn results(args: &[&str]) -> Vec<Value> {
    let log = json(args);
    schema().check(&log, &args.join(" "));
    let run = &log["runs"][0];
    let results = run["results"].as_array().unwrap().clone();
    for result in &results {
        let rule = &run["tool"]["driver"]["rules"]
            [usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap()];
        assert_eq!(
            (&rule["id"], &rule["defaultConfiguration"]["level"]),
            (&result["ruleId"], &result["level"])
        );
        let at = &result["locations"][0]["physicalLocation"]["artifactLocation"];
        assert_eq!(at["uri"], run["artifacts"][0]["location"]["uri"]);
    }
    let mut rules: Vec<&Value> = run["tool"]["driver"]["rules"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| &it["id"])
        .collect();
    let n_rules = rules.len();
    rules.sort_by_key(ToString::to_string);
    rules.dedup();
    assert_eq!(rules.len(), n_rules);
    results
}

#[test]
fn each_place_of_a_finding_is_a_result() {
    let (_folder, plan) = written("a plan.json", PLAN_TEXT);
    let results = results(&["brief", &plan, "--sarif"]);
    let brief: Vec<(&str, &str, &str)> = results
        .iter()
        .map(|it| {
            (
                it["ruleId"].as_str().unwrap(),
                it["level"].as_str().unwrap(),
                it["message"]["text"].as_str().unwrap(),
            )
        })
        .collect();
    assert_eq!(
        brief,
        [
            (
                "aws-rds-backup-shortened",
                "error",
                "aws_db_instance.main: backups are kept for a shorter time: backup_retention_period  14 → 1"
            ),
            (
                "aws-rds-password-changed",
                "warning",
                "aws_db_instance.main: the password of the administrator changes: password  [secret] → [secret]"
            ),
            (
                "unknown-where-it-matters",
                "warning",
                "aws_db_instance.main: not known before the apply, and it decides if nothing protects the database from deletion any longer: deletion_protection  true → (known after apply)"
            ),
            (
                "aws-sg-open",
                "error",
                "aws_security_group.web: ports are open to the whole internet: ingress  0.0.0.0/0 to tcp 22"
            ),
        ]
    );
    let location = &results[0]["locations"][0];
    let logical = serde_json::json!([
        {"name": "aws_db_instance.main", "fullyQualifiedName": "aws_db_instance.main", "kind": "resource"},
        {"name": "backup_retention_period", "fullyQualifiedName": "aws_db_instance.main#backup_retention_period", "kind": "property"},
    ]);
    assert_eq!(location["logicalLocations"], logical);
    let uri = location["physicalLocation"]["artifactLocation"]["uri"]
        .as_str()
        .unwrap();
    assert!(
        uri.starts_with("file:///") && uri.ends_with("/a%20plan.json"),
        "{uri}"
    );
}

#[test]
fn a_rule_that_fires_on_many_has_a_result_for_each() {
    let (_folder, plan) = written("plan.json", &super::large_plan(300, ""));
    let results = results(&["brief", &plan, "--sarif"]);
    assert_eq!(results.len(), 300);
    let mut prints: Vec<String> = results
        .iter()
        .map(|it| it["partialFingerprints"].to_string())
        .collect();
    prints.sort();
    prints.dedup();
    assert_eq!(prints.len(), 300);
}

#[test]
fn the_findings_of_every_plan_are_sarif() {
    let n: usize = plans()
        .iter()
        .map(|plan| results(&["brief", plan, "--sarif"]).len())
        .sum();
    assert!(n > 5, "{n}");
    let hostile = PLAN_TEXT.replace(
        "aws_db_instance.main",
        r"a.b[\u0022[x](https://x)\u001b\u0022]",
    );
    let (_folder, plan) = written("plan.json", &hostile);
    let text = results(&["brief", &plan, "--sarif"])[0]["message"]["text"].to_string();
    assert!(!text.contains("](") && !text.contains("u001b"), "{text}");
    assert_eq!(command(&["brief", &plan, "--sarif", "--json"]).code, 64);
}

#[test]
fn a_result_has_the_line_of_its_change() {
    let plan: Value = serde_json::from_str(PLAN_TEXT).unwrap();
    let pretty = serde_json::to_string_pretty(&plan).unwrap();
    for (name, text) in [
        ("one-line.json", plan.to_string()),
        ("many-lines.json", pretty),
    ] {
        let (_folder, file) = written(name, &text);
        let lines: Vec<&str> = text.lines().collect();
        for result in results(&["brief", &file, "--sarif"]) {
            let location = &result["locations"][0];
            let line = location["physicalLocation"]["region"]["startLine"]
                .as_u64()
                .unwrap();
            let line = usize::try_from(line).unwrap();
            let address = location["logicalLocations"][0]["fullyQualifiedName"]
                .as_str()
                .unwrap();
            // The element of the change begins on this line, and its address is the next one.
            let near = lines[line - 1..lines.len().min(line + 3)].concat();
            assert!(
                near.contains(&format!("\"{address}\"")),
                "{name}:{line}: {near}"
            );
        }
    }
}
