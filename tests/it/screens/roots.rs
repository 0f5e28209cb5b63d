//! The chain of causes names only what the file shows to be a cause.

use super::harness::Session;

const PROVIDER: &str = "registry.terraform.io/acme/lab";

/// A change of a plan.
fn change(address: &str, change: &str) -> String {
    let local = address.split('[').next().unwrap_or(address);
    let (ty, name) = local.split_once('.').unwrap();
    format!(
        r#"{{"address": {address:?}, "mode": "managed", "type": "{ty}", "name": "{name}", "provider_name": "{PROVIDER}",
        "change": {{"before_sensitive": {{}}, "after_sensitive": {{}}, {change}}}}}"#
    )
}

/// A resource of the configuration.
fn config(address: &str, expressions: &str) -> String {
    let (ty, name) = address.split_once('.').unwrap();
    format!(
        r#"{{"address": "{address}", "mode": "managed", "type": "{ty}", "name": "{name}", "expressions": {{{expressions}}}}}"#
    )
}

fn plan(changes: &[String], resources: &[String], more: &str) -> String {
    format!(
        r#"{{"format_version": "1.2", "terraform_version": "1.9.0", "planned_values": {{"root_module": {{}}}}, {more}
        "resource_changes": [{}], "configuration": {{"root_module": {{"resources": [{}]}}}}}}"#,
        changes.join(","),
        resources.join(",")
    )
}

/// Opens the chain of causes of the change with this name.
fn why(text: &str, row: &str) -> Session {
    let mut session = Session::open_bytes("plan.json", text.as_bytes(), (140, 40));
    session.keys("2ttt<wait>gg");
    for _ in 0..30 {
        if session.cursor_line().contains(row) {
            session.keys("r");
            return session;
        }
        session.keys("j");
    }
    panic!("no {row} in\n{}", session.text());
}

const UPDATED: &str = r#""actions": ["update"], "before": {"id": "r", "arn": "a", "tags": 1}, "after": {"id": "r", "arn": "a", "tags": 2}, "after_unknown": {}"#;
const REPLACED: &str = r#""actions": ["delete", "create"], "before": {"id": "1", "n": 1}, "after": {"n": 2}, "after_unknown": {"id": true}, "replace_paths": [["n"]]"#;

#[test]
fn the_root_is_the_last_place_that_the_file_shows() {
    let role = r#""actions": ["delete", "create"], "before": {"id": "1", "n": 1}, "after": {"n": 2}, "after_unknown": {"id": true}, "replace_paths": [["n"]]"#;
    let text = plan(
        &[change("lab_role.role", role)],
        &[config(
            "lab_role.role",
            r#""n": {"references": ["var.size"]}"#,
        )],
        r#""variables": {"size": {"value": 2}},"#,
    );
    let mut session = why(&text, "role");
    session
        .shows("n  from var.size")
        .shows("forces replacement");
    session.shows("the replacement starts here");
    // Its last line leads to the resource.
    session.keys("jjjjj<Enter>").hides("nothing to go to");
    let update = r#""actions": ["update"], "before": {"tags": 1}, "after": {"tags": 2}, "after_unknown": {}"#;
    let text = plan(
        &[change("lab_role.role", update)],
        &[config("lab_role.role", r#""tags": {"constant_value": 2}"#)],
        "",
    );
    why(&text, "role")
        .shows("tags  constant in the configuration")
        .hides("the file shows no change");
}

#[test]
fn an_unchanged_property_is_no_cause() {
    let worker = r#""actions": ["update"], "before": {"role": "a", "size": 1}, "after": {"role": "a", "size": 2}, "after_unknown": {}"#;
    let text = plan(
        &[
            change("lab_role.role", UPDATED),
            change("lab_worker.worker", worker),
        ],
        &[
            config("lab_role.role", ""),
            config(
                "lab_worker.worker",
                r#""role": {"references": ["lab_role.role.arn", "lab_role.role"]}, "size": {"constant_value": 2}"#,
            ),
        ],
        "",
    );
    why(&text, "~ worker")
        .shows("the change starts here")
        .hides("takes its value");
}

/// The property changes, but the attribute of the other resource does not.
#[test]
fn an_attribute_that_keeps_its_value_is_no_cause() {
    let worker = r#""actions": ["update"], "before": {"role": "x"}, "after": {"role": "a"}, "after_unknown": {}"#;
    let text = plan(
        &[
            change("lab_role.role", UPDATED),
            change("lab_worker.worker", worker),
        ],
        &[
            config("lab_role.role", ""),
            config(
                "lab_worker.worker",
                r#""role": {"references": ["lab_role.role.arn", "lab_role.role"]}"#,
            ),
        ],
        "",
    );
    why(&text, "~ worker").shows("the change starts here");
}

#[test]
fn the_matching_instance_is_the_cause() {
    let same =
        r#""actions": ["no-op"], "before": {"id": "0"}, "after": {"id": "0"}, "after_unknown": {}"#;
    let worker = r#""actions": ["update"], "before": {"disk": "1"}, "after": {}, "after_unknown": {"disk": true}"#;
    for (reference, root) in [
        (r#""lab_disk.disk", "each.key""#, r#"lab_disk.disk["b"]"#),
        (
            r#""lab_disk.disk[\"c\"].id", "lab_disk.disk[\"c\"]", "lab_disk.disk""#,
            r#"lab_disk.disk["c"]"#,
        ),
    ] {
        let text = plan(
            &[
                change(r#"lab_disk.disk["a"]"#, REPLACED),
                change(r#"lab_disk.disk["b"]"#, REPLACED),
                change(r#"lab_disk.disk["c"]"#, REPLACED),
                change(r#"lab_worker.worker["b"]"#, worker),
                change("lab_worker.none", same),
            ],
            &[
                config("lab_disk.disk", ""),
                config(
                    "lab_worker.worker",
                    &format!(r#""disk": {{"references": [{reference}]}}"#),
                ),
            ],
            "",
        );
        why(&text, "~ worker")
            .shows(&format!("the root is {root}"))
            .keys("<Esc>d<wait>");
    }
}

/// A resource that changed outside, and a creation and an update that read it.
fn drifted(relevant: &str) -> String {
    let drift = change(
        "lab_role.role",
        r#""actions": ["update"], "before": {"arn": "a"}, "after": {"arn": "b"}, "after_unknown": {}"#,
    );
    let created = r#""actions": ["create"], "before": null, "after": {"role": "b"}, "after_unknown": {"id": true}"#;
    let updated = r#""actions": ["update"], "before": {"role": "a"}, "after": {"role": "b"}, "after_unknown": {}"#;
    let role = r#""role": {"references": ["lab_role.role.arn", "lab_role.role"]}"#;
    plan(
        &[
            change("lab_worker.new", created),
            change("lab_worker.old", updated),
        ],
        &[
            config("lab_role.role", ""),
            config("lab_worker.new", role),
            config("lab_worker.old", role),
        ],
        &format!(r#""resource_drift": [{drift}], "relevant_attributes": [{relevant}],"#),
    )
}

#[test]
fn drift_is_a_root_only_if_the_plan_says_so() {
    why(&drifted(""), "+ new").shows("the change starts here");
    why(&drifted(""), "~ old").shows("the change starts here");
    let relevant = drifted(r#"{"resource": "lab_role.role", "attribute": ["arn"]}"#);
    why(&relevant, "+ new").shows("the change starts here");
    why(&relevant, "~ old")
        .shows("≈ lab_role.role  changed outside")
        .shows("the root is lab_role.role");
    let other = drifted(r#"{"resource": "lab_role.role", "attribute": ["path"]}"#);
    why(&other, "~ old").shows("the change starts here");
}

#[test]
fn a_creation_is_not_caused_by_what_comes_first() {
    let disk =
        r#""actions": ["create"], "before": null, "after": {}, "after_unknown": {"id": true}"#;
    let worker =
        r#""actions": ["create"], "before": null, "after": {}, "after_unknown": {"disk": true}"#;
    let text = plan(
        &[
            change("lab_disk.disk", disk),
            change("lab_worker.worker", worker),
        ],
        &[
            config("lab_disk.disk", ""),
            config(
                "lab_worker.worker",
                r#""disk": {"references": ["lab_disk.disk.id", "lab_disk.disk"]}"#,
            ),
        ],
        "",
    );
    why(&text, "+ worker")
        .shows("disk  takes its value from lab_disk.disk.id")
        .shows("lab_disk.disk comes first")
        .hides("the root is");
}

/// A resource with its old and new inputs, and the resources that its property `content` comes from.
fn step(op: &str, name: &str, [old, new]: [&str; 2], from: &str, more: &str) -> String {
    let urn = |name: &str| format!("urn:pulumi:s::p::k:m:T::{name}");
    let from = if from.is_empty() {
        String::new()
    } else {
        format!("{:?}", urn(from))
    };
    let state = |inputs: &str| {
        format!(
            r#"{{"urn": "{}", "custom": true, "type": "k:m:T", "id": "1", "inputs": {inputs}, "outputs": {{}},
            "provider": "urn:pulumi:s::p::pulumi:providers:k::prov::1",
            "dependencies": [{from}], "propertyDependencies": {{"content": [{from}]}}}}"#,
            urn(name)
        )
    };
    format!(
        r#"{{"op": "{op}", "urn": "{}", "oldState": {}, "newState": {}{more}}}"#,
        urn(name),
        state(old),
        state(new)
    )
}

/// The value that stands for an unknown text in a preview.
const UNKNOWN: &str = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

#[test]
fn a_pulumi_change_is_traced_through_its_changed_properties() {
    let unknown = format!(r#"{{"content": "{UNKNOWN}"}}"#);
    let steps = [
        step("update", "one", [r#"{"a": 1}"#, r#"{"a": 2}"#], "", ""),
        step(
            "replace",
            "two",
            [r#"{"content": "x"}"#, &unknown],
            "one",
            r#", "replaceReasons": ["content"]"#,
        ),
        step(
            "update",
            "three",
            [r#"{"content": "x", "b": 1}"#, r#"{"content": "x", "b": 2}"#],
            "two",
            "",
        ),
        step(
            "update",
            "four",
            [r#"{"b": 1, "__defaults": ["b"]}"#, r#"{"b": 2}"#],
            "",
            "",
        ),
    ];
    let text = format!(
        r#"{{"steps": [{}], "changeSummary": {{"update": 3}}}}"#,
        steps.join(",")
    );
    why(&text, "± two")
        .shows("content  takes its value from one")
        .shows("the root is one");
    why(&text, "~ three").shows("the change starts here");
    why(&text, "~ four").hides("__defaults");
}

#[test]
fn a_replaced_provider_is_the_cause() {
    let provider = r#"{"op": "replace", "urn": "urn:pulumi:s::p::pulumi:providers:k::prov",
        "oldState": {"urn": "urn:pulumi:s::p::pulumi:providers:k::prov", "custom": true, "type": "pulumi:providers:k", "id": "1", "inputs": {"region": "a"}},
        "newState": {"urn": "urn:pulumi:s::p::pulumi:providers:k::prov", "custom": true, "type": "pulumi:providers:k", "id": "1", "inputs": {"region": "b"}},
        "replaceReasons": ["region"]}"#;
    let steps = [
        provider.to_owned(),
        step(
            "replace",
            "one",
            [r#"{"a": 1}"#, r#"{"a": 1}"#],
            "",
            r#", "replaceReasons": ["provider"]"#,
        ),
    ];
    let text = format!(
        r#"{{"steps": [{}], "changeSummary": {{"replace": 2}}}}"#,
        steps.join(",")
    );
    why(&text, "± one")
        .shows("provider  is prov")
        .shows("the root is prov");
}

#[test]
fn a_long_chain_is_shown_whole() {
    let n = 12;
    let mut changes = vec![change("lab_link.l0", REPLACED)];
    let mut resources = vec![config("lab_link.l0", "")];
    for at in 1..n {
        let replaced = r#""actions": ["delete", "create"], "before": {"id": "1", "up": "1"}, "after": {}, "after_unknown": {"id": true, "up": true}, "replace_paths": [["up"]]"#;
        changes.push(change(&format!("lab_link.l{at}"), replaced));
        let up = at - 1;
        resources.push(config(
            &format!("lab_link.l{at}"),
            &format!(r#""up": {{"references": ["lab_link.l{up}.id", "lab_link.l{up}"]}}"#),
        ));
    }
    why(&plan(&changes, &resources, ""), "± l11")
        .shows("± lab_link.l11")
        .shows("the root is lab_link.l0");
}

/// A resource that was deleted outside is created again, and another one takes its id.
#[test]
fn what_was_deleted_outside_is_created_because_of_that() {
    let old = r#""before": {"id": "1", "size": 1, "tags": ["a"]}"#;
    let drift = change(
        "lab_disk.disk",
        &format!(r#""actions": ["delete"], {old}, "after": null, "after_unknown": {{}}"#),
    );
    let created = r#""actions": ["create"], "before": null, "after": {"size": 1, "tags": ["a"]}, "after_unknown": {"id": true}"#;
    let changes = [
        change("lab_disk.disk", created),
        change(
            "lab_disk.worker",
            r#""actions": ["create"], "before": null, "after": {"size": 2}, "after_unknown": {"disk": true, "id": true}"#,
        ),
    ];
    let resources = [
        config("lab_disk.disk", r#""size": {"constant_value": 1}"#),
        config(
            "lab_disk.worker",
            r#""disk": {"references": ["lab_disk.disk.id", "lab_disk.disk"]}"#,
        ),
    ];
    let more = format!(r#""resource_drift": [{drift}],"#);
    let text = plan(&changes, &resources, &more);
    why(&text, "+ disk")
        .shows("because it was deleted outside")
        .hides("the change starts here");
    let mut session = Session::open_bytes("plan.json", text.as_bytes(), (160, 40));
    session
        .keys("2ttt<wait>")
        .shows("│▶ because it was deleted outside")
        // Its values come from the configuration.
        .hides("← a change outside");
    why(&text, "+ worker").shows("lab_disk.disk comes first");
}

#[test]
fn what_stays_as_it_is_is_the_source_of_no_value() {
    let unknown = format!(r#"{{"content": "{UNKNOWN}", "b": 2}}"#);
    let steps = [
        step("same", "vpc", [r#"{"a": 1}"#, r#"{"a": 1}"#], "", ""),
        step("update", "one", [r#"{"a": 1}"#, r#"{"a": 2}"#], "", ""),
        step(
            "update",
            "kept",
            [r#"{"content": "x"}"#, r#"{"content": "y"}"#],
            "vpc",
            "",
        ),
        step(
            "update",
            "moved",
            [r#"{"content": "x", "b": 1}"#, &unknown],
            "one",
            "",
        ),
    ];
    let text = format!(
        r#"{{"steps": [{}], "changeSummary": {{"update": 3}}}}"#,
        steps.join(",")
    );
    let mut session = Session::open_bytes("preview.json", text.as_bytes(), (160, 40));
    session.keys("2ttt<wait>ggj");
    session.shows("~ kept · will be updated").hides("← vpc");
    session.keys("j").shows("output<string>").shows("← one");
}

#[test]
fn a_value_that_the_plan_does_not_set_back_is_not_from_drift() {
    let entry = |sides: &str| change("lab_disk.disk", sides);
    let drift = entry(
        r#""actions": ["update"], "before": {"id": "1", "size": 1, "mode": "a"}, "after": {"id": "1", "size": 2, "mode": "b"},
        "after_unknown": {}"#,
    );
    let planned = entry(
        r#""actions": ["update"], "before": {"id": "1", "size": 2, "mode": "b"}, "after": {"id": "1", "size": 3, "mode": "a"},
        "after_unknown": {}"#,
    );
    let constants = r#""size": {"constant_value": 3}, "mode": {"constant_value": "a"}"#;
    let more = format!(r#""resource_drift": [{drift}],"#);
    let text = plan(&[planned], &[config("lab_disk.disk", constants)], &more);
    let mut session = Session::open_bytes("plan.json", text.as_bytes(), (160, 40));
    session.keys("2<wait>");
    let screen = session.text();
    let line = |label: &str| screen.lines().find(|line| line.contains(label)).unwrap();
    assert!(line("~ mode").contains("← a change outside"), "{screen}");
    assert!(line("~ size").contains("← configuration"), "{screen}");
}

/// The plan has `disk` instances that are replaced, and a worker that is updated.
fn worker_of(replaced: &[&str], kept: &[&str], references: &str) -> String {
    let same =
        r#""actions": ["no-op"], "before": {"id": "0"}, "after": {"id": "0"}, "after_unknown": {}"#;
    let worker = r#""actions": ["update"], "before": {"disk": "1"}, "after": {"disk": "2"}, "after_unknown": {}"#;
    let mut changes: Vec<String> = replaced.iter().map(|it| change(it, REPLACED)).collect();
    changes.extend(kept.iter().map(|it| change(it, same)));
    changes.push(change(r#"lab_worker.worker["b"]"#, worker));
    let resources = [
        config("lab_disk.disk", ""),
        config(
            "lab_worker.worker",
            &format!(r#""disk": {{"references": [{references}]}}"#),
        ),
    ];
    plan(&changes, &resources, "")
}

#[test]
fn each_key_means_its_own_instance_and_no_other() {
    let (a, b, c) = (
        r#"lab_disk.disk["a"]"#,
        r#"lab_disk.disk["b"]"#,
        r#"lab_disk.disk["c"]"#,
    );
    let references = r#""lab_disk.disk", "each.key""#;
    // The instance with the key stays, so those with other keys are no cause.
    why(&worker_of(&[a, c], &[b], references), "~ worker")
        .shows("the change starts here")
        .hides(a)
        .hides(c);
    // A key alone refers to nothing.
    why(&worker_of(&[a, b, c], &[], r#""each.key""#), "~ worker")
        .shows("the change starts here")
        .hides("takes its value");
}

#[test]
fn what_goes_with_its_module_says_no_more_than_the_file() {
    let gone =
        r#""actions": ["delete"], "before": {"id": "1"}, "after": null, "after_unknown": {}"#;
    for (reason, address, words) in [
        (
            "delete_because_no_module",
            "lab_disk.disk",
            "its module call was removed, or its count or for_each no longer ha",
        ),
        (
            "delete_because_count_index",
            "lab_disk.disk[0]",
            "count shrank: its index no longer exists",
        ),
        (
            "delete_because_each_key",
            r#"lab_disk.disk["a"]"#,
            "its key is no longer in for_each",
        ),
    ] {
        let text = plan(&[change(address, gone)], &[config("lab_disk.disk", "")], "");
        let text = text.replace("\"mode\": \"managed\", \"type\": \"lab_disk\", \"name\": \"disk\", \"provider_name\"",
            &format!("\"action_reason\": \"{reason}\", \"mode\": \"managed\", \"type\": \"lab_disk\", \"name\": \"disk\", \"provider_name\""));
        assert!(text.contains(reason));
        why(&text, "- disk")
            .shows(words)
            .hides("not in the configuration");
    }
}
