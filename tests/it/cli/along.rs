//! Imports, moves and other options of resources that change, or of which only these change.

use serde_json::{Value, json as value};

use super::command;
use super::mechanisms::{has, lacks, preview, state, step};

/// The brief and the difference of a plan with two updates, of which each has a further key.
fn plan(more: [(&str, Value); 2]) -> [String; 2] {
    let rows = ["a", "b"].into_iter().zip(more).map(|(name, (key, more))| {
        let mut row = value!({"address": format!("lab_topic.{name}"), "mode": "managed", "type": "lab_topic", "name": name,
            "provider_name": "registry.terraform.io/acme/lab",
            "change": {"actions": ["update"], "before": {"label": "old"}, "after": {"label": "new"}, "after_unknown": {},
                       "before_sensitive": {}, "after_sensitive": {}}});
        match key {
            "importing" => row["change"][key] = more,
            _ => row[key] = more,
        }
        row
    });
    let rows: Vec<Value> = rows.collect();
    let file =
        value!({"format_version": "1.2", "terraform_version": "1.9.0", "resource_changes": rows});
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("plan.json");
    std::fs::write(&path, file.to_string()).unwrap();
    ["brief", "diff"].map(|verb| command(&[verb, path.to_str().unwrap()]).out)
}

#[test]
fn a_group_says_which_members_are_imported_and_moved() {
    let import = ("importing", value!({"id": "topic/17"}));
    let [brief, diff] = plan([
        import.clone(),
        ("previous_address", value!("lab_topic.old")),
    ]);
    assert!(
        brief.starts_with("2 changes: 2 update · 1 also imported, 1 also moved\n"),
        "{brief}"
    );
    has(
        &brief,
        "the same change, many times",
        &[
            "~ 2 of 2  lab_topic  1 also imported, 1 also moved\n",
            "lab_topic.a  imported from \"topic/17\"\n",
            "lab_topic.b  moved from lab_topic.old\n",
        ],
    );
    assert!(diff.ends_with("2 to update · 1 to import · 1 to move\n"));
    // A plan may name the address that it already has.
    let [brief, _] = plan([import, ("previous_address", value!("lab_topic.b"))]);
    assert!(brief.starts_with("2 changes: 2 update · 1 also imported\n"));
    lacks(&brief, "moved");
}

const TY: &str = "acme:mq/queue:Queue";

/// The brief and a preview in which one queue keeps its properties, with these options before and after.
fn unchanged(before: &Value, after: &Value) -> String {
    let with = |options: &Value| {
        let mut state = state(TY, "jobs", "jobs-0123", &value!({"size": 5}));
        for (key, option) in options.as_object().unwrap() {
            state[key] = option.clone();
        }
        state
    };
    let urn = format!("urn:pulumi:dev::shop::{TY}::jobs");
    preview(vec![
        value!({"op": "same", "urn": urn, "oldState": with(before), "newState": with(after)}),
        step(
            "same",
            TY,
            "other",
            &value!({"size": 5}),
            &value!({"size": 5}),
        ),
    ])
}

#[test]
fn other_options_are_a_change_of_an_unchanged_resource() {
    let provider = |name: &str| format!("urn:pulumi:dev::shop::pulumi:providers:acme::{name}::1f");
    let parent = |name: &str| format!("urn:pulumi:dev::shop::my:group:Group::{name}");
    for (before, after, want) in [
        (
            value!({"deleteBeforeReplace": true}),
            value!({}),
            "- deleteBeforeReplace  true",
        ),
        (
            value!({}),
            value!({"replaceOnChanges": ["size"]}),
            "+ replaceOnChanges[*]  \"size\"",
        ),
        (
            value!({"customTimeouts": {"delete": 3600}}),
            value!({"customTimeouts": {"delete": 60}}),
            "~ customTimeouts.delete  3600 → 60",
        ),
        (
            value!({"parent": parent("one")}),
            value!({"parent": parent("two")}),
            "Group::one\" → \"urn:pulumi:dev::shop::my:group:Group::two\"",
        ),
        (
            value!({"provider": provider("eu")}),
            value!({"provider": provider("us")}),
            "acme::eu\" → \"urn:pulumi:dev::shop::pulumi:providers:acme::us\"",
        ),
        (value!({"protect": true}), value!({}), "- protect  true"),
    ] {
        let out = unchanged(&before, &after);
        assert!(out.starts_with("1 change: 1 update\n"), "{out}");
        let is_guard = want.contains("protect");
        let title = if is_guard { "warning" } else { "on their own" };
        has(&out, title, &["jobs", want.trim_start_matches("- ")]);
    }
}

#[test]
fn the_same_options_written_otherwise_are_no_change() {
    for (before, after) in [
        (value!({"deleteBeforeReplace": false}), value!({})),
        (
            value!({"ignoreChanges": ["a", "b"]}),
            value!({"ignoreChanges": ["b", "a"]}),
        ),
        (value!({}), value!({"customTimeouts": {}})),
        // A guard more is no change that anybody has to look at.
        (value!({}), value!({"protect": true})),
        (
            value!({"ignoreChanges": ["a"]}),
            value!({"ignoreChanges": ["b", "a"]}),
        ),
        // An alias means nothing to a resource that keeps its name.
        (
            value!({"aliases": ["urn:pulumi:dev::shop::acme:mq/queue:Queue::old"]}),
            value!({}),
        ),
        // The engine gives a provider a new id.
        (
            value!({"provider": "urn:pulumi:dev::shop::pulumi:providers:acme::eu::1f"}),
            value!({"provider": "urn:pulumi:dev::shop::pulumi:providers:acme::eu::2e"}),
        ),
    ] {
        let out = unchanged(&before, &after);
        assert!(out.starts_with("no changes"), "{before} {after}\n{out}");
    }
}
