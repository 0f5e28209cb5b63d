//! Changes of identity in the brief: deletions and creations that are one thing.

use serde_json::{Value, json as value};

use super::command;

/// The brief of a file with this content.
fn brief(content: &Value) -> String {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("plan.json");
    std::fs::write(&file, content.to_string()).unwrap();
    let run = command(&["brief", file.to_str().unwrap()]);
    assert_eq!(run.code, 0, "{run:?}");
    run.out
}

/// A plan of Terraform with these changes: address, type, before, after.
fn plan(changes: &[(&str, &str, Value, Value)]) -> Value {
    let change = |(address, ty, before, after): &(&str, &str, Value, Value)| {
        let actions = match (before, after) {
            (Value::Null, _) => value!(["create"]),
            (_, Value::Null) => value!(["delete"]),
            (before, after) if before == after => value!(["no-op"]),
            _ => value!(["update"]),
        };
        value!({"address": address, "mode": "managed", "type": ty, "name": "it",
                "provider_name": "registry.terraform.io/acme/lab",
                "change": {"actions": actions, "before": before, "after": after, "after_unknown": {},
                           "before_sensitive": {}, "after_sensitive": {}}})
    };
    let changes: Vec<Value> = changes.iter().map(change).collect();
    value!({"format_version": "1.2", "terraform_version": "1.9.0", "planned_values": {"root_module": {}},
            "resource_changes": changes})
}

#[test]
fn a_renamed_resource_comes_with_the_text_that_mends_it() {
    let bucket = value!({"bucket": "it's-logs", "acl": "private", "region": "eu"});
    let out = brief(&plan(&[
        (
            r#"lab_bucket.old["a b"]"#,
            "lab_bucket",
            bucket.clone(),
            Value::Null,
        ),
        ("lab_bucket.new", "lab_bucket", Value::Null, bucket),
    ]));
    let want = r#"LOOK AT THESE FIRST  1 · 2 changes
    lab_bucket.old["a b"] → lab_bucket.new  another name
        it is deleted with what it holds: lab_bucket.old["a b"]
      moved {
        from = lab_bucket.old["a b"]
        to   = lab_bucket.new
      }
      terraform state mv 'lab_bucket.old["a b"]' 'lab_bucket.new'
"#;
    assert!(out.contains(want), "{out}");
}

#[test]
fn a_deletion_and_a_creation_of_other_things_are_two() {
    let disk = |name: &str, size: u32| value!({"name": name, "size": size, "zone": name});
    let out = brief(&plan(&[
        ("lab_disk.old", "lab_disk", disk("a", 1), Value::Null),
        ("lab_disk.new", "lab_disk", Value::Null, disk("b", 2)),
    ]));
    assert!(!out.contains("ONE THING"), "{out}");
}

#[test]
fn a_list_that_slides_is_one_entry_with_its_commands() {
    let user = |name: &str| value!({"name": name, "home": format!("/home/{name}")});
    let out = brief(&plan(&[
        ("lab_user.it[0]", "lab_user", user("ann"), user("ann")),
        ("lab_user.it[1]", "lab_user", user("bob"), user("cyd")),
        ("lab_user.it[2]", "lab_user", user("cyd"), user("dan")),
        ("lab_user.it[3]", "lab_user", user("dan"), Value::Null),
    ]));
    let want = "\
      terraform state mv 'lab_user.it[1]' 'lab_user.it[4]'
      terraform state mv 'lab_user.it[2]' 'lab_user.it[1]'
      terraform state mv 'lab_user.it[3]' 'lab_user.it[2]'
";
    assert!(out.contains("left the list lab_user.it"), "{out}");
    assert!(out.contains(want), "{out}");
    assert!(!out.contains("moved {"), "{out}");
}

#[test]
fn a_component_of_another_name_needs_one_alias() {
    let urn = |parents: &str, ty: &str, name: &str| {
        format!("urn:pulumi:prod::shop::{parents}{ty}::{name}")
    };
    let stack = urn("", "pulumi:pulumi:Stack", "shop-prod");
    let state = |urn: &str, ty: &str, parent: &str, inputs: &Value| {
        let is_custom = !inputs.is_null();
        value!({"urn": urn, "type": ty, "custom": is_custom, "parent": parent, "inputs": inputs})
    };
    let step = |op: &str, old: Value, new: Value| {
        let urn = if new.is_null() {
            &old["urn"]
        } else {
            &new["urn"]
        };
        value!({"op": op, "urn": urn, "oldState": old, "newState": new, "detailedDiff": null})
    };
    let (component, disk) = ("acme:lib:Site", "acme:disk/disk:Disk");
    let [old, new] = ["web", "site"].map(|name| urn("", component, name));
    let below = "acme:lib:Site$";
    let mut steps = Vec::new();
    for (op, container, name) in [("delete", &old, "web"), ("create", &new, "site")] {
        let place = |state: Value| {
            if op == "delete" {
                (state, Value::Null)
            } else {
                (Value::Null, state)
            }
        };
        let (before, after) = place(state(container, component, &stack, &Value::Null));
        steps.push(step(op, before, after));
        for size in [1, 2] {
            let child = urn(below, disk, &format!("{name}-disk{size}"));
            let inputs =
                value!({"label": format!("d{size}"), "size": size, "zone": "a", "kind": "ssd"});
            let (before, after) = place(state(&child, disk, container, &inputs));
            steps.push(step(op, before, after));
        }
    }
    let out =
        brief(&value!({"config": {}, "steps": steps, "changeSummary": {"create": 3, "delete": 3}}));
    let alias = format!("      aliases: [\"{old}\"]\n");
    assert!(
        out.contains("a module or component with another name"),
        "{out}"
    );
    assert_eq!(out.matches("aliases: ").count(), 1, "{out}");
    assert!(out.contains(&alias), "{out}");
}

#[test]
fn a_swap_of_names_that_replaces_both_is_the_cause_of_the_loss() {
    let plan = |actions: Value| {
        let row = |name: &str, previous: &str| {
            value!({"address": format!("aws_sqs_queue.{name}"), "mode": "managed", "type": "aws_sqs_queue", "name": name,
                    "previous_address": format!("aws_sqs_queue.{previous}"),
                    "provider_name": "registry.terraform.io/hashicorp/aws",
                    "change": {"actions": actions, "before": {"name": previous}, "after": {"name": name},
                               "after_unknown": {}, "before_sensitive": {}, "after_sensitive": {}}})
        };
        brief(
            &value!({"format_version": "1.2", "terraform_version": "1.9.0",
                       "resource_changes": [row("logs", "data"), row("data", "logs")]}),
        )
    };
    let section = |out: &str, title: &str| {
        let rest = out.split(title).nth(1).unwrap_or_default().to_owned();
        rest.split("\n\n").next().unwrap_or_default().to_owned()
    };
    let out = plan(value!(["delete", "create"]));
    let danger = section(&out, "LOOK AT THESE FIRST");
    for want in [
        "aws_sqs_queue.data → aws_sqs_queue.logs  two resources swap their names",
        "the queue is deleted with its messages",
    ] {
        assert!(danger.contains(want), "{want}\n{out}");
    }
    assert!(!out.contains("a moved block would keep it"), "{out}");
    let out = plan(value!(["update"]));
    assert!(
        section(&out, "WARNING").contains("two resources swap their names"),
        "{out}"
    );
    assert!(!out.contains("is deleted"), "{out}");
}

#[test]
fn equal_names_say_the_types_and_parents_that_differ() {
    let urn = |types: &str, name: &str| format!("urn:pulumi:prod::shop::{types}::{name}");
    let state = |urn: &str, ty: &str, parent: &str| {
        value!({"urn": urn, "type": ty, "custom": true, "id": "d-0123", "parent": parent,
                "inputs": {"label": "d1", "size": 4, "zone": "a"}})
    };
    let disk = "acme:disk/disk:Disk";
    let parents = [("acme:lib:Old", "web"), ("acme:lib:New", "site")];
    let [old, new] = parents.map(|(ty, name)| {
        let own = urn(&format!("{ty}${disk}"), "data");
        state(&own, disk, &urn(ty, name))
    });
    let kept = parents.map(|(ty, name)| {
        let own = value!({"urn": urn(ty, name), "type": ty, "custom": false});
        value!({"op": "same", "urn": urn(ty, name), "oldState": own, "newState": own})
    });
    let steps = value!([kept[0], kept[1], {"op": "delete", "urn": old["urn"], "oldState": old},
                        {"op": "create", "urn": new["urn"], "newState": new}]);
    let out = brief(&value!({"config": {}, "steps": steps, "changeSummary": {}}));
    let want = "acme:lib:Old$acme:disk/disk:Disk::data of web → acme:lib:New$acme:disk/disk:Disk::data of site";
    assert!(out.contains(want), "{out}");
}
