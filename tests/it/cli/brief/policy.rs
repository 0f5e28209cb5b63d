//! `brief --policy`: policies in Rego join the findings.

use std::fs;
use std::path::Path;

use stacklens::load::Input;

use super::super::{Run, command};
use crate::screens::harness::Session;

const PLAN: &str = r#"{"format_version": "1.2", "terraform_version": "1.9.0", "planned_values": {"root_module": {"resources": [
  {"address": "aws_s3_bucket.logs", "mode": "managed", "type": "aws_s3_bucket", "name": "logs",
   "provider_name": "registry.terraform.io/hashicorp/aws", "values": {"acl": "public-read", "pin": 77},
   "sensitive_values": {"pin": true}}]}},
 "variables": {"token": {"value": "hunter22-hunter22"}},
 "configuration": {"root_module": {"variables": {"token": {"sensitive": true}}}},
 "resource_changes": [
  {"address": "aws_s3_bucket.logs", "mode": "managed", "type": "aws_s3_bucket", "name": "logs",
   "provider_name": "registry.terraform.io/hashicorp/aws",
   "change": {"actions": ["create"], "before": null, "after": {"acl": "public-read", "pin": 77}, "after_unknown": {},
    "before_sensitive": false, "after_sensitive": {"pin": true}}}]}"#;

const POLICY: &str = r#"package main

import rego.v1

deny contains msg if {
    some change in input.resource_changes
    change.change.after.acl == "public-read"
    msg := sprintf("Bucket `%s` is public \u001b[31m", [change.address])
}

warn_pin contains msg if {
    some change in input.resource_changes
    change.change.after.pin < 1000
    msg := sprintf("%s has the pin %d", [change.address, change.change.after.pin])
}

warn_token contains msg if {
    msg := sprintf("the token is %s", [substring(input.variables.token.value, 0, 5)])
}
"#;

/// Runs `brief` on [`PLAN`] with a policy in a folder below the one that is named.
fn brief(policy: &str, more: &[&str]) -> (tempfile::TempDir, Run) {
    let folder = tempfile::tempdir().unwrap();
    let run = in_folder(folder.path(), policy, more);
    (folder, run)
}

fn in_folder(folder: &Path, policy: &str, more: &[&str]) -> Run {
    let (plan, policies) = (folder.join("plan.json"), folder.join("policy"));
    fs::write(&plan, PLAN).unwrap();
    fs::create_dir_all(policies.join("aws")).unwrap();
    fs::write(policies.join("aws/buckets.rego"), policy).unwrap();
    fs::write(policies.join("aws/buckets_test.rego"), "not Rego").unwrap();
    let [plan, policies] = [&plan, &policies].map(|path| path.to_str().unwrap());
    let args = [&["brief", plan, "--policy", policies], more].concat();
    command(&args)
}

#[test]
fn messages_of_policies_are_findings_without_secrets() {
    let (_folder, run) = brief(POLICY, &["--fail-on", "danger"]);
    assert_eq!(run.code, 3, "{run:?}");
    for want in [
        r"main.deny: Bucket `aws_s3_bucket.logs` is public ␛[31m",
        "main.warn_pin: its message depends on secret values and is not shown",
        "main.warn_token: its message depends on secret values and is not shown",
    ] {
        assert!(run.out.contains(want), "{want}\n{}", run.out);
    }
    for secret in ["hunte", "pin 77"] {
        assert!(!run.out.contains(secret), "{}", run.out);
    }
    // The finding leads to the resource.
    let (_folder, json) = brief(POLICY, &["--json"]);
    let json: serde_json::Value = serde_json::from_str(&json.out).unwrap();
    let text = json.to_string();
    assert!(text.contains(r#""mechanism":"policy""#), "{text}");
}

#[test]
fn a_policy_that_cannot_be_tried_closes_the_gate() {
    let call = "package main\ndeny[msg] { x := http.send({\"url\": \"http://localhost\"}); msg := x.body }";
    let (_folder, run) = brief(call, &["--fail-on", "danger"]);
    assert_eq!(run.code, 3, "{run:?}");
    assert!(
        run.out.contains("policies were not tried: main.deny in "),
        "{}",
        run.out
    );
}

#[test]
fn a_policy_that_is_wrong_or_missing_is_named() {
    let (folder, run) = brief("package main\ndeny[msg] { msg := }", &[]);
    assert_eq!(run.code, 65, "{run:?}");
    assert!(
        run.err.contains("buckets.rego: line 2, column "),
        "{}",
        run.err
    );
    let none = folder.path().join("none");
    fs::create_dir(&none).unwrap();
    let plan = folder.path().join("plan.json");
    let run = command(&[
        "brief",
        plan.to_str().unwrap(),
        "--policy",
        none.to_str().unwrap(),
    ]);
    assert_eq!(run.code, 74, "{run:?}");
    assert!(run.err.contains("no file ends in .rego"), "{}", run.err);
}

#[test]
fn a_log_has_nothing_that_a_policy_could_read() {
    let folder = tempfile::tempdir().unwrap();
    let policy = folder.path().join("p.rego");
    fs::write(&policy, "package main\ndeny if input.a").unwrap();
    let run = command(&[
        "brief",
        "tests/corpus/tf-ui-json/web-apply.jsonl",
        "--policy",
        policy.to_str().unwrap(),
    ]);
    assert!(
        run.out
            .contains("policies were not tried: the file is not JSON"),
        "{run:?}"
    );
}

#[test]
fn the_explorer_shows_policies_in_its_brief() {
    let folder = tempfile::tempdir().unwrap();
    in_folder(folder.path(), POLICY, &[]);
    let rules = stacklens::load::rules::rules(stacklens::load::rules::Files {
        policies: &[folder.path().join("policy")],
        ..Default::default()
    });
    let rules = rules.unwrap();
    let input = Input {
        rules: Some(std::sync::Arc::new(rules.into_owned())),
        ..Input::path(folder.path().join("plan.json"))
    };
    let mut session = Session::open_input(input, (140, 40));
    session.shows("main.deny: Bucket `aws_s3_bucket.logs` is public");
}
