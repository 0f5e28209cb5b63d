//! The brief of a plan says why a resource goes, beside what is lost, and what the plan as a whole says of itself: failed checks,
//! errors and outputs.

use serde_json::{Value, json};

use super::command;
use super::mechanisms::{DELETE, REPLACE, UPDATE, brief_with, row};
use super::rules::written;

const READ: &[&str] = &["read"];

/// The entry of a finding: its first line, and the lines below it.
fn entry<'t>(page: &'t str, of: &str) -> Vec<&'t str> {
    let mut lines = page.lines().skip_while(|line| !line.contains(of));
    let first = lines
        .next()
        .unwrap_or_else(|| panic!("no {of:?} in {page}"));
    let below = lines.take_while(|line| line.starts_with("     "));
    [first].into_iter().chain(below).map(str::trim).collect()
}

fn references(expressions: &[(&str, &str, &str, &[&str])]) -> Value {
    let resource = |(ty, name, property, references): &(&str, &str, &str, &[&str])| {
        let mode = if *ty == "lab_document" {
            "data"
        } else {
            "managed"
        };
        let dot = if mode == "data" { "data." } else { "" };
        json!({"address": format!("{dot}{ty}.{name}"), "mode": mode, "type": ty, "name": name,
               "expressions": {*property: {"references": references}}})
    };
    let resources: Vec<Value> = expressions.iter().map(resource).collect();
    json!({"configuration": {"root_module": {"resources": resources}}})
}

#[test]
fn a_lost_database_names_the_change_that_forces_it_and_its_root() {
    let group = row(
        "aws_db_subnet_group.g",
        REPLACE,
        json!({"name": "old"}),
        json!({"name": "new"}),
    );
    let database = row(
        "aws_db_instance.d",
        REPLACE,
        json!({"group": "old", "allocated_storage": 20}),
        json!({"group": "new", "allocated_storage": 20}),
    )
    .forced_by("group");
    let configuration = references(&[
        (
            "aws_db_instance",
            "d",
            "group",
            &["aws_db_subnet_group.g.name", "aws_db_subnet_group.g"],
        ),
        ("aws_db_subnet_group", "g", "name", &["var.name"]),
    ]);
    let page = brief_with(vec![database, group], configuration);
    let lines = entry(&page, "± aws_db_subnet_group.g");
    assert_eq!(
        lines,
        [
            "± aws_db_subnet_group.g  destroy before create  ~ name  \"old\" → \"new\"  from var.name",
            "± aws_db_instance.d  the database is deleted with its data · ~ group  \"old\" → \"new\"  forces replacement · allocated_storage 20"
        ],
        "{page}"
    );
}

#[test]
fn the_reason_that_the_file_gives_stands_beside_the_loss() {
    for (actions, reason, words) in [
        (REPLACE, "replace_because_tainted", "it is tainted"),
        (REPLACE, "replace_by_request", "replacement was requested"),
        (
            DELETE,
            "delete_because_count_index",
            "count shrank: its index no longer exists",
        ),
    ] {
        let database = row(
            "aws_db_instance.d[0]",
            actions,
            json!({"id": "d"}),
            json!({"id": "d"}),
        );
        let database = database.because(reason);
        let page = brief_with(vec![database], json!({}));
        let lines = entry(&page, "the database is deleted with its data");
        assert_eq!(lines[1], words, "{page}");
    }
}

#[test]
fn what_follows_from_a_data_source_follows_from_what_that_waits_for() {
    let bucket = row("lab_bucket.b", REPLACE, json!({"arn": "x"}), json!({}));
    let document = row("data.lab_document.d", READ, Value::Null, json!({}));
    let document = document.with_unknown(json!({"body": true, "source": true}));
    let policy = row("lab_policy.p", UPDATE, json!({"text": "{}"}), json!({}));
    let policy = policy.with_unknown(json!({"text": true}));
    let configuration = references(&[
        ("lab_bucket", "b", "name", &["var.name"]),
        (
            "lab_document",
            "d",
            "source",
            &["lab_bucket.b.arn", "lab_bucket.b"],
        ),
        (
            "lab_policy",
            "p",
            "text",
            &["data.lab_document.d.body", "data.lab_document.d"],
        ),
    ]);
    let page = brief_with(vec![policy, document, bucket], configuration);
    let mut lines = entry(&page, "± lab_bucket.b");
    let mut along = lines.split_off(1);
    along.sort_unstable();
    assert_eq!(
        along,
        [
            "< data.lab_document.d  read",
            "~ lab_policy.p  ~ text  \"{}\" → (known after apply)"
        ],
        "{page}"
    );
}

#[test]
fn a_slide_is_not_mended_by_a_moved_block() {
    let user = |index: usize| ["ann", "bob", "cleo", "dora"][index];
    let slid = |index: usize| {
        row(
            [
                "aws_iam_user.u[0]",
                "aws_iam_user.u[1]",
                "aws_iam_user.u[2]",
                "aws_iam_user.u[3]",
            ][index],
            UPDATE,
            json!({"name": user(index), "id": user(index)}),
            json!({"name": user(index + 1), "id": user(index + 1)}),
        )
    };
    let last = row(
        "aws_iam_user.u[3]",
        DELETE,
        json!({"name": "dora", "id": "dora"}),
        Value::Null,
    );
    let page = brief_with(vec![slid(1), slid(2), last], json!({}));
    assert!(
        page.contains("slide into their neighbors' places"),
        "{page}"
    );
    assert!(!page.contains("a moved block would keep it"), "{page}");
}

/// The gate for danger of a plan with these keys: its exit code, with the page.
fn gate(condition: &str, more: &Value) -> (i32, String) {
    let mut plan = json!({"format_version": "1.2", "terraform_version": "1.9.0", "planned_values": {"root_module": {}},
                          "resource_changes": []});
    for (key, value) in more.as_object().unwrap() {
        plan[key] = value.clone();
    }
    let (_folder, path) = written("plan.json", &plan.to_string());
    let run = command(&["brief", &path, "--fail-on", condition]);
    (run.code, run.out)
}

fn output(before: &str, after: &Value, was_secret: bool, actions: &[&str]) -> Value {
    json!({"output_changes": {"pass": {"actions": actions, "before": before, "after": after, "after_unknown": false,
        "before_sensitive": was_secret, "after_sensitive": false}}})
}

#[test]
fn an_output_that_turns_plain_is_a_danger_and_one_that_goes_a_note() {
    let (code, page) = gate(
        "danger",
        &output("hunter2", &json!("hunter2"), true, &["update"]),
    );
    assert!(
        page.contains("LOOK AT THESE FIRST  1\n  ~ pass  a secret turns plain"),
        "{page}"
    );
    assert!(!page.contains("hunter2"), "{page}");
    assert_eq!(code, 3);
    let public = "-----BEGIN PUBLIC KEY-----\nMFkw\n-----END PUBLIC KEY-----\n";
    let private = "-----BEGIN PRIVATE KEY-----\nMFkw\n-----END PRIVATE KEY-----\n";
    for (text, code) in [
        (public.to_owned(), 0),
        (private.to_owned(), 3),
        (format!("{public}{private}"), 3),
    ] {
        let output = output(&text, &json!(text), true, &["update"]);
        let (found, page) = gate("danger", &output);
        assert_eq!(found, code, "{page}");
        let is_told = page.contains("it has the form of a public key");
        assert_eq!(is_told, code == 0, "{page}");
    }
    let (code, page) = gate(
        "warning",
        &output("vpc-1", &Value::Null, false, &["delete"]),
    );
    assert!(
        page.contains("NOTE  1\n  - pass  the output goes"),
        "{page}"
    );
    assert_eq!(code, 0);
    let (code, page) = gate(
        "warning",
        &output("vpc-1", &json!("vpc-2"), false, &["update"]),
    );
    assert!(!page.contains("NOTE") && code == 0, "{page}");
}

#[test]
fn failed_checks_and_errors_are_findings_and_close_the_gate() {
    let check = |status: &str| {
        json!({"checks": [{"address": {"kind": "check", "name": "health", "to_display": "check.health"}, "status": status,
            "instances": [{"address": {"to_display": "check.health"}, "status": status,
                           "problems": [{"message": "certificate expired"}]}]}]})
    };
    for (status, title, condition, code) in [
        (
            "fail",
            "WARNING  1\n    check.health  fail: certificate expired",
            "warning",
            3,
        ),
        ("fail", "WARNING  1", "danger", 0),
        (
            "error",
            "LOOK AT THESE FIRST  1\n    check.health  error",
            "danger",
            3,
        ),
        (
            "unknown",
            "NOTE  1\n    check.health  unknown",
            "warning",
            0,
        ),
        ("pass", "", "warning", 0),
    ] {
        let (found, page) = gate(condition, &check(status));
        assert!(page.contains(title), "{status}: {page}");
        assert_eq!(page.contains("check.health"), status != "pass", "{page}");
        assert_eq!(found, code, "{status}: {page}");
    }
    let (code, page) = gate("danger", &json!({"errored": true}));
    assert!(
        page.contains("LOOK AT THESE FIRST  1\n    errored  planning failed"),
        "{page}"
    );
    assert_eq!(code, 3);
}

#[test]
fn an_error_of_a_preview_names_its_resource() {
    let urn = "urn:pulumi:prod::shop::aws:sqs/queue:Queue::q";
    let preview = json!({"config": {}, "steps": [{"op": "update", "urn": urn,
        "oldState": {"urn": urn, "custom": true, "type": "aws:sqs/queue:Queue", "id": "q", "inputs": {"name": "a"}, "outputs": {"name": "a"}},
        "newState": {"urn": urn, "custom": true, "type": "aws:sqs/queue:Queue", "id": "q", "inputs": {"name": "b"}, "outputs": {"name": "b"}}}],
        "diagnostics": [{"urn": urn, "message": "boom", "severity": "error"}]});
    let (_folder, path) = written("preview.json", &preview.to_string());
    let run = command(&["brief", &path, "--fail-on", "danger"]);
    assert!(
        run.out
            .contains("LOOK AT THESE FIRST  1\n  ~ q  aws:sqs/queue:Queue  boom  ~ name"),
        "{}",
        run.out
    );
    assert_eq!(run.code, 3);
}

#[test]
fn an_unknown_source_of_traffic_is_a_warning_in_every_form_of_a_rule() {
    let rule = |address, property: &str, unknown: Value| {
        let before = json!({property: "10.0.0.0/8", "protocol": "tcp", "from_port": 22, "to_port": 22, "access": "Allow",
                            "direction": "Inbound", "destination_port_range": "22", "description": "a", "security_group_id": "sg"});
        let mut after = before.clone();
        for name in unknown.as_object().unwrap().keys() {
            after.as_object_mut().unwrap().remove(name);
        }
        brief_with(
            vec![row(address, UPDATE, before, after).with_unknown(unknown)],
            json!({}),
        )
    };
    for (address, property) in [
        ("aws_vpc_security_group_ingress_rule.r", "cidr_ipv4"),
        ("azurerm_network_security_rule.r", "source_address_prefix"),
    ] {
        let page = rule(
            address,
            property,
            json!({property: true, "security_group_id": true}),
        );
        let lines = entry(&page, "not known before the apply");
        let waits = format!("~ {property}  \"10.0.0.0/8\" → (known after apply)");
        assert_eq!(lines[1], waits, "{page}");
        assert!(!page.contains("not judged"), "{page}");
        // The addresses are known.
        let page = rule(address, property, json!({"description": true}));
        assert!(!page.contains("not known before the apply"), "{page}");
    }
}
