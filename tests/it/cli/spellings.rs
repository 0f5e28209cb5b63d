//! Two spellings of one value are a change without effect, in plans and in previews.

use serde_json::{Value, json as value};

use super::command;
use super::mechanisms::{UPDATE, brief, has, lacks, preview, row, step};

const NONE: &str = "without effect";

/// The briefs of a plan and of a preview in which a property of a resource changes in this way.
fn briefs(types: [&'static str; 2], property: &str, before: &Value, after: &Value) -> [String; 2] {
    let with = |value: &Value| value!({"name": "it", property: value});
    let [terraform, pulumi] = types;
    let mut own = step("update", pulumi, "it", &with(before), &with(after));
    own["diffReasons"] = value!([property]);
    [
        brief(vec![row(terraform, UPDATE, with(before), with(after))]),
        preview(vec![own]),
    ]
}

#[track_caller]
fn check(types: [&'static str; 2], property: &str, [before, after]: [Value; 2], want: &str) {
    for out in briefs(types, property, &before, &after) {
        match want {
            "" => lacks(&out, "WITHOUT EFFECT"),
            want => {
                has(&out, NONE, &[want]);
                lacks(&out, "DANGER");
                lacks(&out, "WARNING");
                lacks(&out, "ON THEIR OWN");
            }
        }
    }
}

const POLICY: [&str; 2] = ["aws_iam_role_policy.it", "aws:iam/rolePolicy:RolePolicy"];

fn policy(statement: &Value) -> Value {
    value!(value!({"Version": "2012-10-17", "Statement": statement}).to_string())
}

fn statement(action: &Value, resource: &Value, who: &Value, from: &Value) -> Value {
    value!({"Effect": "Allow", "Action": action, "Resource": resource, "Principal": who,
            "Condition": {"StringEquals": {"aws:SourceAccount": from}}})
}

#[test]
fn a_part_of_a_policy_is_the_same_as_a_list_of_it() {
    let (who, own) = (
        value!({"AWS": "arn:aws:iam::123456789012:role/a"}),
        value!("1"),
    );
    let one = statement(&value!("s3:Get"), &value!("arn:x"), &who, &own);
    let listed = statement(
        &value!(["s3:Get"]),
        &value!(["arn:x"]),
        &value!({"AWS": ["arn:aws:iam::123456789012:role/a"]}),
        &value!(["1"]),
    );
    let want = "Action  a list of one means the same";
    check(
        POLICY,
        "policy",
        [policy(&value!([one])), policy(&value!([listed]))],
        want,
    );
    let want = "policy.Statement  a list of one means the same";
    check(
        POLICY,
        "policy",
        [policy(&one), policy(&value!([listed]))],
        want,
    );
    check(
        POLICY,
        "policy",
        [policy(&value!([listed])), policy(&one)],
        want,
    );
    // Two are another thing than one.
    let two = statement(&value!(["s3:Get", "s3:Put"]), &value!("arn:x"), &who, &own);
    check(POLICY, "policy", [policy(&one), policy(&two)], "");
    // Elsewhere a list may mean something.
    let types = ["lab_app.it", "lab:app/app:App"];
    check(types, "Action", [value!("a"), value!(["a"])], "");
}

#[test]
fn the_case_of_actions_does_not_count_but_that_of_resources_does() {
    let (who, own) = (value!("*"), value!("1"));
    let of = |action: &str, resource: &str| {
        policy(&value!([statement(
            &value!([action, "sqs:*"]),
            &value!(resource),
            &who,
            &own
        )]))
    };
    let want = "Action  the case of actions does not count";
    check(
        POLICY,
        "policy",
        [of("s3:getobject", "arn:x"), of("s3:GetObject", "arn:x")],
        want,
    );
    check(
        POLICY,
        "policy",
        [of("s3:GetObject", "arn:x"), of("s3:GetObject", "arn:X")],
        "",
    );
    check(
        POLICY,
        "policy",
        [of("s3:getobject", "arn:x"), of("s3:GetObjects", "arn:x")],
        "",
    );
}

#[test]
fn an_account_is_the_same_principal_by_its_number_and_by_its_root() {
    let of = |who: &Value| {
        policy(&value!([statement(
            &value!("s3:Get"),
            &value!("arn:x"),
            who,
            &value!("1")
        )]))
    };
    let number = of(&value!({"AWS": "123456789012"}));
    let root = of(&value!({"AWS": ["arn:aws:iam::123456789012:root"]}));
    check(
        POLICY,
        "policy",
        [number.clone(), root],
        "Principal.AWS  same principal",
    );
    check(
        POLICY,
        "policy",
        [of(&value!("*")), of(&value!({"AWS": "*"}))],
        "same principal",
    );
    let other = of(&value!({"AWS": "arn:aws:iam::123456789013:root"}));
    check(POLICY, "policy", [number.clone(), other], "");
    let role = of(&value!({"AWS": "arn:aws:iam::123456789012:role/root"}));
    check(POLICY, "policy", [number, role], "");
}

#[test]
fn amounts_of_kubernetes_are_compared_with_their_units() {
    let types = ["kubernetes_deployment.it", "kubernetes:apps/v1:Deployment"];
    let of = |cpu: &str, memory: &str| value!([{"container": [{"name": "a", "resources": [{"limits": {"cpu": cpu, "memory": memory}}]}]}]);
    let want = "limits.cpu  \"1000m\" → \"1\"  same amount";
    check(types, "spec", [of("1000m", "1Gi"), of("1", "1024Mi")], want);
    let want = "limits.cpu  \"0.5\" → \"500m\"  same amount";
    check(
        types,
        "spec",
        [of("0.5", "1Gi"), of("500m", "1073741824")],
        want,
    );
    check(types, "spec", [of("1000m", "1G"), of("1000m", "1Gi")], "");
    check(types, "spec", [of("100m", "1Gi"), of("1", "1Gi")], "");
    let claim = |size: &str| value!({"resources": {"requests": {"storage": size}}});
    check(
        types,
        "spec",
        [claim("1Gi"), claim("1024Mi")],
        "storage  \"1Gi\" → \"1024Mi\"  same amount",
    );
    // Elsewhere such a text is a name.
    check(
        types,
        "spec",
        [value!({"x": "1Gi"}), value!({"x": "1024Mi"})],
        "",
    );
    let manifest = |cpu: &str| {
        value!(format!(
            "apiVersion: v1\nkind: Pod\nspec:\n  containers:\n  - name: a\n    resources:\n      limits:\n        cpu: {cpu}\n"
        ))
    };
    let types = ["kubectl_manifest.it", "kubernetes:yaml/v2:ConfigGroup"];
    check(
        types,
        "yaml_body",
        [manifest("1000m"), manifest("1")],
        "limits.cpu  \"1000m\" → 1  same amount",
    );
}

#[test]
fn durations_are_compared_where_a_rule_knows_them() {
    let types = ["google_pubsub_topic.it", "gcp:pubsub/topic:Topic"];
    let of = |text: &str| value!(text);
    let want = "same duration";
    check(
        types,
        "message_retention_duration",
        [of("86400s"), of("24h")],
        want,
    );
    check(
        types,
        "messageRetentionDuration",
        [of("P1D"), of("PT24H")],
        want,
    );
    check(
        types,
        "message_retention_duration",
        [of("86400s"), of("48h")],
        "",
    );
    check(
        types,
        "message_retention_duration",
        [of("24"), of("24h")],
        "",
    );
    check(types, "label", [of("86400s"), of("24h")], "");
}

#[test]
fn texts_that_differ_in_the_ends_of_lines_say_so_in_one_line() {
    let types = ["lab_file.it", "lab:file/file:File"];
    let of = |text: &str| value!(text);
    let want = "content  only line ends differ\n";
    check(types, "content", [of("a\nb\n"), of("a\r\nb\r\n")], want);
    check(
        types,
        "content",
        [of("a: 1\r\nb: 2\r\n"), of("a: 1\nb: 2\n")],
        want,
    );
    check(types, "content", [of("a\nb\n"), of("a\r\nc\r\n")], "");
    // A script with the ends of Windows does not start.
    let script = [of("#!/bin/sh\nls\n"), of("#!/bin/sh\r\nls\r\n")];
    check(types, "content", script, "");
    let out = &briefs(
        types,
        "content",
        &of("#!/bin/sh\nls\n"),
        &of("#!/bin/sh\r\nls\r\n"),
    )[0];
    has(
        out,
        "on their own",
        &["only line ends differ, but a script needs those of Unix"],
    );
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("plan.json");
    let change = value!({"actions": UPDATE, "before": {"content": "a\nb\n"}, "after": {"content": "a\r\nb\r\n"}});
    let plan = value!({"format_version": "1.2", "terraform_version": "1.9.0", "planned_values": {"root_module": {}},
        "resource_changes": [{"address": "lab_file.it", "mode": "managed", "type": "lab_file", "name": "it",
            "provider_name": "registry.terraform.io/acme/lab", "change": change}]});
    std::fs::write(&path, plan.to_string()).unwrap();
    let out = command(&["diff", path.to_str().unwrap()]).out;
    assert!(
        out.contains("content: <text> 2 lines  # only line ends differ\n"),
        "{out}"
    );
    assert_eq!(out.lines().count(), 3, "{out}");
}

#[test]
fn numbers_in_another_notation_are_the_same() {
    let types = ["lab_app.it", "lab:app/app:App"];
    let of = |json: &str| serde_json::from_str::<Value>(json).unwrap();
    check(
        types,
        "body",
        [value!(r#"{"a": 1000}"#), value!(r#"{"a": "1e3"}"#)],
        "body.a  same number",
    );
    check(
        types,
        "body",
        [value!(r#"{"a": 30}"#), value!(r#"{"a": 30.0}"#)],
        "body  formatting only",
    );
    check(types, "size", [of("30"), of("30.0")], "no value differs");
    // A text with a point may be a version.
    check(
        types,
        "body",
        [value!(r#"{"a": "1.10"}"#), value!(r#"{"a": 1.1}"#)],
        "",
    );
    check(
        types,
        "body",
        [value!(r#"{"a": "007"}"#), value!(r#"{"a": 7}"#)],
        "",
    );
}

#[test]
fn masked_spellings_are_compared_by_equality_only() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("plan.json");
    let change = value!({"actions": UPDATE, "before": {"content": "a\nb\n"}, "after": {"content": "a\r\nb\r\n"},
        "before_sensitive": {"content": true}, "after_sensitive": {"content": true}});
    let plan = value!({"format_version": "1.2", "terraform_version": "1.9.0", "planned_values": {"root_module": {}},
        "resource_changes": [{"address": "lab_file.it", "mode": "managed", "type": "lab_file", "name": "it",
            "provider_name": "registry.terraform.io/acme/lab", "change": change}]});
    std::fs::write(&path, plan.to_string()).unwrap();
    let out = command(&["brief", path.to_str().unwrap()]).out;
    lacks(&out, "line ends");
    has(&out, "on their own", &["content  [secret] → [secret]"]);
}

#[test]
fn a_document_that_leaves_a_stream_of_yaml_is_shown() {
    let object =
        |name: &str| format!("apiVersion: v1\nkind: Namespace\nmetadata:\n  name: {name}\n");
    let both = value!(format!("{}---\n{}", object("a"), object("b")));
    let types = ["lab_app.it", "kubernetes:yaml/v2:ConfigGroup"];
    for out in briefs(types, "yaml", &both, &value!(object("a"))) {
        let own = [
            "- yaml[*].kind  \"Namespace\"",
            "- yaml[*].metadata.name  \"b\"",
        ];
        has(&out, "on their own", &own);
        lacks(&out, "name  \"a\"");
    }
}
