//! `brief PLAN STATE`: what came out otherwise, and the values that became known.

use std::fs;

use serde_json::{Value as Json, json};

use super::super::command;

/// The name and the index of `web[3]`.
fn parts(name: &str) -> (&str, Option<usize>) {
    match name.strip_suffix(']').and_then(|name| name.split_once('[')) {
        Some((base, index)) => (base, index.parse().ok()),
        None => (name, None),
    }
}

/// A plan of servers with unknown addresses, and the state after its apply. Each server has a name, the address before, and the one
/// after.
fn outcome(servers: &[(&str, Option<&str>, &str)], secret: bool) -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let change = |(name, before, _): &(&str, Option<&str>, &str)| {
        let actions = if before.is_some() {
            ["update"]
        } else {
            ["create"]
        };
        let (base, index) = parts(name);
        json!({"address": format!("lab_server.{name}"), "mode": "managed", "type": "lab_server", "name": base, "index": index,
            "provider_name": "registry.terraform.io/acme/lab",
            "change": {"actions": actions, "before": before.map(|it| json!({"zone": "a", "size": 1, "ip": it})),
                "after": {"zone": "a", "size": 2}, "after_unknown": {"ip": true},
                "before_sensitive": {"ip": secret}, "after_sensitive": {"ip": secret}}})
    };
    let instance = |(name, _, after): &(&str, Option<&str>, &str)| {
        let (base, index) = parts(name);
        json!({"mode": "managed", "type": "lab_server", "name": base, "provider": "provider[\"registry.terraform.io/acme/lab\"]",
            "instances": [{"schema_version": 0, "index_key": index, "attributes": {"zone": "a", "size": 2, "ip": after}}]})
    };
    let plan = json!({"format_version": "1.2", "terraform_version": "1.9.0", "planned_values": {"root_module": {}},
        "resource_changes": servers.iter().map(change).collect::<Vec<Json>>()});
    let state = json!({"version": 4, "terraform_version": "1.9.0", "serial": 2, "lineage": "a", "outputs": {},
        "resources": servers.iter().map(instance).collect::<Vec<Json>>()});
    let [plan_file, state_file] =
        ["plan.json", "after.tfstate"].map(|name| folder.path().join(name));
    fs::write(&plan_file, plan.to_string()).unwrap();
    fs::write(&state_file, state.to_string()).unwrap();
    let [plan_file, state_file] = [&plan_file, &state_file].map(|file| file.to_str().unwrap());
    let run = command(&["brief", plan_file, state_file]);
    assert_eq!(run.code, 0, "{run:?}");
    (folder, run.out)
}

#[track_caller]
fn section(text: &str) -> String {
    let (_, rest) = text
        .split_once("BECAME KNOWN WITH THE APPLY")
        .unwrap_or_else(|| panic!("{text}"));
    rest.split("\n\n").next().unwrap().to_owned()
}

#[test]
fn a_value_that_differs_from_before_stands_first() {
    let (_folder, text) = outcome(
        &[
            ("a", Some("10.0.0.1"), "10.0.0.1"),
            ("b", Some("10.0.0.2"), "10.0.0.9"),
            ("c", None, "10.0.0.3"),
        ],
        false,
    );
    assert!(
        text.starts_with("nothing came out otherwise · 3 as planned · 3 values became known\n"),
        "{text}"
    );
    let section = section(&text);
    let lines: Vec<&str> = section.lines().map(str::trim).collect();
    assert_eq!(
        lines,
        [
            "2 · 3 changes",
            r#"lab_server.b  1 value  ~ ip  "10.0.0.2" → "10.0.0.9"  differs from before"#,
            "lab_server.a, lab_server.c  2 values",
        ],
        "{text}"
    );
}

#[test]
fn a_value_that_differs_from_all_siblings_stands_out() {
    let others = ["web[0]", "web[1]", "web[2]", "web[4]"].map(|name| (name, None, "10.0.0.1"));
    let servers = [&others[..], &[("web[3]", None, "10.9.9.9")]].concat();
    let (_folder, text) = outcome(&servers, false);
    let section = section(&text);
    let mut lines = section.lines().map(str::trim).skip(1);
    assert_eq!(
        lines.next(),
        Some(r#"lab_server.web[3]  1 value  + ip  "10.9.9.9"  differs from all siblings"#),
        "{text}"
    );
    // Of two values that occur twice each, none is odd.
    let mixed = [
        &others[..2],
        &[("web[2]", None, "10.9.9.9"), ("web[3]", None, "10.9.9.9")],
    ]
    .concat();
    let (_folder, text) = outcome(&mixed, false);
    assert!(!text.contains("differs from all siblings"), "{text}");
}

#[test]
fn a_secret_that_became_known_is_masked() {
    let (_folder, text) = outcome(&[("a", Some("hunter21"), "hunter22")], true);
    let section = section(&text);
    assert!(
        section.contains("ip  [secret] → [secret]  differs from before"),
        "{text}"
    );
    assert!(!text.contains("hunter"), "{text}");
}

#[test]
fn between_two_files_nothing_is_deleted() {
    let [old, new] = [
        "tests/corpus/tfstate/shop.tfstate",
        "tests/corpus/tfstate/shop-after.tfstate",
    ];
    let run = command(&["brief", old, new]);
    assert!(
        run.out.starts_with("7 differences: 2 only in old, "),
        "{}",
        run.out
    );
    assert!(
        run.out.contains("\nONLY IN THE OLD FILE  2\n"),
        "{}",
        run.out
    );
    assert!(!run.out.contains("DELETED"), "{}", run.out);
}

/// The brief of a file beside another one.
fn beside(old: &Json, new: &Json) -> String {
    let folder = tempfile::tempdir().unwrap();
    let names = [("plan.json", old), ("after.json", new)].map(|(name, file)| {
        let path = folder.path().join(name);
        fs::write(&path, file.to_string()).unwrap();
        path
    });
    let [old, new] = [&names[0], &names[1]].map(|file| file.to_str().unwrap());
    let run = command(&["brief", old, new]);
    assert_eq!(run.code, 0, "{run:?}");
    run.out
}

/// A plan with some changes of databases, and the state that has these with their size.
fn databases(changes: &[(&str, &str)], after: &[(&str, u32)]) -> String {
    let of = |size: u32| json!({"identifier": "x", "allocated_storage": size, "deletion_protection": false});
    let change = |(name, action): &(&str, &str)| {
        let before = (*action != "create").then(|| of(10));
        let planned = (*action != "delete").then(|| of(20));
        json!({"address": format!("aws_db_instance.{name}"), "mode": "managed", "type": "aws_db_instance", "name": name,
            "provider_name": "registry.terraform.io/hashicorp/aws",
            "change": {"actions": [action], "before": before, "after": planned, "after_unknown": {},
                "before_sensitive": {}, "after_sensitive": {}}})
    };
    let instance = |(name, size): &(&str, u32)| {
        json!({"mode": "managed", "type": "aws_db_instance", "name": name,
            "provider": "provider[\"registry.terraform.io/hashicorp/aws\"]",
            "instances": [{"schema_version": 0, "attributes": of(*size)}]})
    };
    let plan = json!({"format_version": "1.2", "terraform_version": "1.9.0", "planned_values": {"root_module": {}},
        "resource_changes": changes.iter().map(change).collect::<Vec<Json>>()});
    let state = json!({"version": 4, "terraform_version": "1.9.0", "serial": 2, "lineage": "a", "outputs": {},
        "resources": after.iter().map(instance).collect::<Vec<Json>>()});
    beside(&plan, &state)
}

#[test]
fn what_the_plan_promised_and_the_apply_did_not_do_says_so() {
    let changes = [
        ("old", "delete"),
        ("new", "create"),
        ("kept", "update"),
        ("lost", "update"),
        ("done", "delete"),
    ];
    let out = databases(&changes, &[("old", 10), ("kept", 20), ("extra", 5)]);
    assert!(
        out.starts_with(
            "4 came out otherwise: 1 not in the state, 1 not created, 1 not in the plan, 1 not deleted · 2 as planned\n"
        ),
        "{out}"
    );
    for line in [
        "\nNOT IN THE STATE  2\n",
        "  - aws_db_instance.lost  not in the state\n",
        "  - aws_db_instance.new  not created\n",
        "  + aws_db_instance.extra  not in the plan\n",
        "  + aws_db_instance.old  not deleted\n",
    ] {
        assert!(out.contains(line), "no {line:?} in\n{out}");
    }
    // As it was planned, nothing of this is said.
    let out = databases(&changes, &[("new", 20), ("kept", 20), ("lost", 20)]);
    assert!(
        out.starts_with("nothing came out otherwise · 5 as planned\n"),
        "{out}"
    );
    assert!(
        !out.contains("not deleted") && !out.contains("not created"),
        "{out}"
    );
}

#[test]
fn rules_about_the_work_of_an_apply_are_silent_after_it() {
    // A deletion that did not happen loses nothing, and an apply that is over cannot fail on less storage than planned.
    let changes = [("old", "delete"), ("new", "create"), ("kept", "update")];
    let out = databases(&changes, &[("old", 10), ("kept", 10)]);
    assert!(out.contains("~ allocated_storage  20 → 10"), "{out}");
    for text in ["LOOK AT THESE FIRST", "WARNING", "the apply", "deleted  ("] {
        assert!(!out.contains(text), "{text} in\n{out}");
    }
    // A protection that the plan promised and that is not there is a danger.
    let of = |protected: bool| json!({"identifier": "x", "instance_class": if protected { "a" } else { "b" }, "deletion_protection": protected});
    let plan = json!({"format_version": "1.2", "terraform_version": "1.9.0", "planned_values": {"root_module": {}},
        "resource_changes": [{"address": "aws_db_instance.it", "mode": "managed", "type": "aws_db_instance", "name": "it",
            "provider_name": "registry.terraform.io/hashicorp/aws",
            "change": {"actions": ["create"], "before": null, "after": of(true), "after_unknown": {}}}]});
    let state = json!({"version": 4, "terraform_version": "1.9.0", "serial": 2, "lineage": "a", "outputs": {},
        "resources": [{"mode": "managed", "type": "aws_db_instance", "name": "it",
            "provider": "provider[\"registry.terraform.io/hashicorp/aws\"]",
            "instances": [{"schema_version": 0, "attributes": of(false)}]}]});
    let out = beside(&plan, &state);
    assert!(out.contains("deletion_protection  true → false"), "{out}");
    assert!(out.contains("LOOK AT THESE FIRST  1\n"), "{out}");
    assert!(!out.contains("aws-rds-class"), "{out}");
}

#[test]
fn a_preview_beside_the_stack_says_what_did_not_happen() {
    const TY: &str = "aws:sqs/queue:Queue";
    let of = |name: &str| {
        json!({"urn": format!("urn:pulumi:dev::shop::{TY}::{name}"), "custom": true, "type": TY,
        "id": format!("{name}-id"), "inputs": {"name": name}, "outputs": {"name": name}})
    };
    let step = |op: &str, name: &str| {
        let mut step = json!({"op": op, "urn": format!("urn:pulumi:dev::shop::{TY}::{name}")});
        if op != "create" {
            step["oldState"] = of(name);
        }
        if op != "delete" {
            step["newState"] = of(name);
        }
        step
    };
    let preview = json!({"config": {}, "diagnostics": [], "changeSummary": {},
        "steps": [step("delete", "old"), step("create", "new"), step("same", "kept")]});
    let state = json!({"version": 3, "deployment": {"manifest": {"time": "2026-01-01T00:00:00Z", "magic": "", "version": ""},
        "resources": [of("old"), of("kept")]}});
    let out = beside(&preview, &state);
    for line in [
        "2 came out otherwise: 1 not created, 1 not deleted",
        "  - new  aws:sqs/queue:Queue  not created\n",
        "  + old  aws:sqs/queue:Queue  not deleted\n",
    ] {
        assert!(out.contains(line), "no {line:?} in\n{out}");
    }
}
