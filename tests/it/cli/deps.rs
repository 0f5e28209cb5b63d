//! Cycles and references to resources that are not in the file.

use super::{command, json};

/// A Terraform state with these resources of one type, each with the addresses that it depends on.
fn state(resources: &[(&str, &[&str])]) -> String {
    let one = |(name, needs): &(&str, &[&str])| {
        format!(
            r#"{{"mode":"managed","type":"a_b","name":"{name}","provider":"provider[\"registry.terraform.io/h/a\"]",
            "instances":[{{"schema_version":0,"attributes":{{"id":"1"}},"dependencies":{needs:?}}}]}}"#
        )
    };
    let resources: Vec<_> = resources.iter().map(one).collect();
    format!(
        r#"{{"version":4,"terraform_version":"1.9.0","serial":1,"resources":[{}]}}"#,
        resources.join(",")
    )
}

/// A state as `terraform show -json` prints it, with one resource.
fn show(needs: &[&str]) -> String {
    format!(
        r#"{{"format_version":"1.0","terraform_version":"1.9.0","values":{{"root_module":{{"resources":[{{"address":"a_b.x","mode":"managed",
        "type":"a_b","name":"x","provider_name":"registry.terraform.io/h/a","schema_version":0,"values":{{"id":"1"}},"depends_on":{needs:?}}}]}}}}}}"#
    )
}

fn written(folder: &tempfile::TempDir, text: &str) -> String {
    let path = folder.path().join("state.json");
    std::fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}

/// The notes of a file about dependencies.
fn notes(path: &str) -> Vec<String> {
    let info = json(&["info", path, "--json"]);
    let notes = info["notes"].as_array().unwrap().iter();
    let told = notes.map(|note| {
        let text = |key: &str| note[key].as_str().unwrap();
        format!(
            "{} {}: {}",
            text("severity"),
            text("where"),
            text("message")
        )
    });
    told.filter(|note| note.contains("cycle") || note.contains("not in this file"))
        .collect()
}

#[test]
fn missing_resources_of_a_terraform_state_are_a_problem() {
    let folder = tempfile::tempdir().unwrap();
    // A resource with a key is found by the address of its configuration. A data source is not reported as missing.
    let needs = [
        "a_b.y",
        "a_b.gone",
        "module.m.a_b.gone",
        "data.a_b.read",
        "module.m",
        "var.x",
    ];
    let path = written(&folder, &state(&[("x", &needs), ("y", &[])]));
    assert_eq!(
        notes(&path),
        [
            "info a_b.x: it depends on a_b.gone, which is not in this file",
            "info a_b.x: it depends on module.m.a_b.gone, which is not in this file",
        ]
    );
    let path = written(&folder, &show(&["a_b.gone"]));
    assert_eq!(
        notes(&path),
        ["info a_b.x: it depends on a_b.gone, which is not in this file"]
    );
    // The same from the resource, and from one that depends on it.
    let path = written(&folder, &state(&[("w", &["a_b.x"]), ("x", &["a_b.gone"])]));
    let run = command(&["deps", &path, "a_b.x"]);
    assert!(run.out.contains("a_b.gone (not in this file)"), "{run:?}");
    let rows = json(&["deps", &path, "a_b.w", "--transitive", "--json"]);
    let row = &rows.as_array().unwrap()[1];
    assert_eq!(
        (&row["urn"], &row["missing"], &row["depth"], &row["via"]),
        (&"a_b.gone".into(), &true.into(), &2.into(), &"a_b.x".into())
    );
}

#[test]
fn cycles_are_problems_with_their_ways() {
    let folder = tempfile::tempdir().unwrap();
    let path = written(
        &folder,
        &state(&[
            ("a", &["a_b.b"]),
            ("b", &["a_b.c", "a_b.d"]),
            ("c", &["a_b.a"]),
            ("d", &[]),
            ("e", &["a_b.a"]),
        ]),
    );
    assert_eq!(
        notes(&path),
        ["warning a_b.a: a dependency cycle of 3 resources: a_b.a → a_b.b → a_b.c → a_b.a"]
    );
    assert_eq!(command(&["check", &path]).code, 1);
    let cyclic = |args: &[&str]| -> Vec<String> {
        let rows = json(args);
        let rows = rows
            .as_array()
            .unwrap()
            .iter()
            .filter(|row| row["cycle"] == true);
        rows.map(|row| row["address"].as_str().unwrap().to_owned())
            .collect()
    };
    assert_eq!(cyclic(&["deps", &path, "a_b.b", "--json"]), ["a_b.c"]);
    assert_eq!(
        cyclic(&["deps", &path, "a_b.a", "--reverse", "--json"]),
        ["a_b.c"]
    );
    assert_eq!(
        cyclic(&["deps", &path, "a_b.a", "--transitive", "--json"]),
        ["a_b.b", "a_b.c"]
    );
    assert!(command(&["deps", &path, "a_b.a"]).out.contains("(cycle)"));
    assert!(!command(&["deps", &path, "a_b.e"]).out.contains("(cycle)"));
    // A resource that depends on itself.
    let path = written(&folder, &state(&[("a", &["a_b.a"])]));
    assert_eq!(
        notes(&path),
        ["warning a_b.a: a dependency cycle of 1 resource: a_b.a → a_b.a"]
    );
    assert_eq!(cyclic(&["deps", &path, "a_b.a", "--json"]), ["a_b.a"]);
}

#[test]
fn cycles_of_pulumi_are_problems_too_but_not_of_what_is_replaced_together() {
    let folder = tempfile::tempdir().unwrap();
    let resource = |name: &str, field: &str, needs: &str| {
        format!(
            r#"{{"urn":"urn:pulumi:s::p::k:m:T::{name}","custom":true,"type":"k:m:T","id":"1","{field}":["urn:pulumi:s::p::k:m:T::{needs}"]}}"#
        )
    };
    for (field, is_cycle) in [("dependencies", true), ("replaceWith", false)] {
        let resources = [resource("a", field, "b"), resource("b", field, "a")].join(",");
        let text = format!(r#"{{"version":3,"deployment":{{"resources":[{resources}]}}}}"#);
        let path = written(&folder, &text);
        let found: Vec<_> = notes(&path)
            .into_iter()
            .filter(|note| note.contains("cycle"))
            .collect();
        let want =
            "warning urn:pulumi:s::p::k:m:T::a: a dependency cycle of 2 resources: a → b → a";
        let want: &[&str] = if is_cycle { &[want] } else { &[] };
        assert_eq!(found, want);
    }
}

/// A plan may refer to resources that it rightly lacks: data that it read before, or a resource with a count of zero. So these
/// are no problems, and `deps` lists them.
#[test]
fn plans_and_previews_have_cycles_too_and_their_missing_resources_are_listed() {
    let change = |name: &str| {
        serde_json::json!({"address": format!("a_b.{name}"), "mode": "managed", "type": "a_b", "name": name,
            "provider_name": "registry.terraform.io/x/a",
            "change": {"actions": ["update"], "before": {"a": 1}, "after": {"a": 2}, "after_unknown": {}}})
    };
    let block = |name: &str, needs: &str| {
        serde_json::json!({"address": format!("a_b.{name}"), "mode": "managed", "type": "a_b", "name": name,
            "provider_config_key": "a", "schema_version": 0, "expressions": {"a": {"references": [format!("a_b.{needs}")]}}})
    };
    let plan = serde_json::json!({"format_version": "1.2", "terraform_version": "1.9.0", "planned_values": {"root_module": {}},
        "resource_changes": [change("a"), change("b"), change("c")],
        "configuration": {"root_module": {"resources": [block("a", "b"), block("b", "a"), block("c", "gone")]}}});
    let urn = |name: &str| format!("urn:pulumi:s::p::k:m:T::{name}");
    let step = |name: &str, needs: &str| {
        serde_json::json!({"op": "create", "urn": urn(name), "newState": {"urn": urn(name), "custom": true, "type": "k:m:T",
            "id": "", "dependencies": [urn(needs)]}})
    };
    let steps = [step("a", "b"), step("b", "a"), step("c", "gone")];
    let preview = serde_json::json!({"config": {}, "steps": steps});
    let folder = tempfile::tempdir().unwrap();
    for (file, c, cycle) in [
        (
            plan,
            "a_b.c",
            "warning a_b.a: a dependency cycle of 2 resources: a_b.a → a_b.b → a_b.a",
        ),
        (
            preview,
            "c",
            "warning urn:pulumi:s::p::k:m:T::a: a dependency cycle of 2 resources: a → b → a",
        ),
    ] {
        let path = written(&folder, &file.to_string());
        assert_eq!(notes(&path), [cycle]);
        let run = command(&["deps", &path, c]);
        assert!(run.out.contains("gone (not in this file)"), "{run:?}");
    }
}

#[test]
fn resources_that_need_each_other_have_no_order() {
    let folder = tempfile::tempdir().unwrap();
    let path = written(
        &folder,
        &state(&[
            ("a", &["a_b.b"]),
            ("b", &["a_b.c"]),
            ("c", &["a_b.a"]),
            ("d", &[]),
        ]),
    );
    let run = command(&["graph", &path, "--format", "order"]);
    assert_eq!((run.code, &*run.out), (1, ""), "{run:?}");
    assert_eq!(
        run.err,
        "stacklens: no order is possible: 1 dependency cycle\n  a_b.a → a_b.b → a_b.c → a_b.a\n"
    );

    // In a plan it counts what changes.
    let change = |name: &str, action: &str| {
        serde_json::json!({"address": format!("a_b.{name}"), "mode": "managed", "type": "a_b", "name": name,
            "provider_name": "registry.terraform.io/x/a",
            "change": {"actions": [action], "before": {"a": 1}, "after": {"a": 2}, "after_unknown": {}}})
    };
    let block = |name: &str, needs: &str| {
        serde_json::json!({"address": format!("a_b.{name}"), "mode": "managed", "type": "a_b", "name": name,
            "provider_config_key": "a", "schema_version": 0, "expressions": {"a": {"references": [format!("a_b.{needs}")]}}})
    };
    for (of_b, code) in [("update", 1), ("no-op", 0)] {
        let plan = serde_json::json!({"format_version": "1.2", "terraform_version": "1.9.0", "planned_values": {"root_module": {}},
            "resource_changes": [change("a", "update"), change("b", of_b)],
            "configuration": {"root_module": {"resources": [block("a", "b"), block("b", "a")]}}});
        let path = written(&folder, &plan.to_string());
        let run = command(&["graph", &path, "--format", "order"]);
        assert_eq!(run.code, code, "{run:?}");
        assert_eq!(
            run.err.contains("a_b.a → a_b.b → a_b.a"),
            code == 1,
            "{run:?}"
        );
    }
}

#[test]
fn the_order_of_the_apply_keeps_to_the_dependencies() {
    let folder = tempfile::tempdir().unwrap();
    let path = written(
        &folder,
        &state(&[("a", &["a_b.b"]), ("b", &["a_b.c"]), ("c", &[])]),
    );
    let names = |path: &str| -> Vec<String> {
        let run = command(&["graph", path, "--format", "order"]);
        assert_eq!(run.code, 0, "{run:?}");
        let lines = run.out.lines();
        lines
            .map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "))
            .collect()
    };
    assert_eq!(names(&path), ["1 a_b.c", "2 a_b.b", "3 a_b.a"]);

    // In a plan, what goes comes last: what needs another before that.
    let change = |name: &str, actions: &str, before: &str, after: &str| {
        format!(
            r#"{{"address":"a_b.{name}","mode":"managed","type":"a_b","name":"{name}","provider_name":"registry.terraform.io/h/a",
            "change":{{"actions":["{actions}"],"before":{before},"after":{after},"after_unknown":{{}}}}}}"#
        )
    };
    let needs = |name: &str, other: &str| {
        format!(
            r#"{{"address":"a_b.{name}","mode":"managed","type":"a_b","name":"{name}","provider_config_key":"a","schema_version":0,
            "expressions":{{"x":{{"references":["a_b.{other}.id","a_b.{other}"]}}}}}}"#
        )
    };
    let changes = [
        change("user", "create", "null", "{}"),
        change("base", "create", "null", "{}"),
        change("under", "delete", "{}", "null"),
        change("over", "delete", "{}", "null"),
        change("still", "no-op", "{}", "{}"),
        change("swap", r#"delete","create"#, "{}", "{}"),
    ];
    let plan = format!(
        r#"{{"format_version":"1.2","terraform_version":"1.9.0","planned_values":{{"root_module":{{}}}},"resource_changes":[{}],
        "configuration":{{"root_module":{{"resources":[{},{}]}}}}}}"#,
        changes.join(","),
        needs("user", "base"),
        needs("over", "under"),
    );
    assert_eq!(
        names(&written(&folder, &plan)),
        [
            "1 a_b.swap replace: destroy the old one",
            "2 a_b.base create",
            "3 a_b.user create",
            "4 a_b.swap replace: create the new one",
            "5 a_b.over delete",
            "6 a_b.under delete"
        ]
    );
}
