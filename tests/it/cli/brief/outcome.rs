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
            "3",
            "lab_server.b  lab_server  1 value",
            r#"~ ip  "10.0.0.2" → "10.0.0.9"  differs from before"#,
            "lab_server.a, lab_server.c  lab_server  2 values",
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
        Some("lab_server.web[3]  lab_server  1 value"),
        "{text}"
    );
    assert_eq!(
        lines.next(),
        Some(r#"+ ip  "10.9.9.9"  differs from all siblings"#),
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
