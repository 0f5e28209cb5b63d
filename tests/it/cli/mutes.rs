//! Mutes: what a team knows is left out of the brief, counted, and shown on request.

use std::fs;
use std::path::Path;

use serde_json::{Value, json as value};

use super::{command, json};

/// A folder with a plan: a service whose count changes, a database whose backups are kept for a shorter time, and a queue.
struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Self {
        let folder = Self(tempfile::tempdir().unwrap());
        let change = |address: &str, before: Value, after: Value| {
            let (ty, name) = address.split_once('.').unwrap();
            value!({"address": address, "mode": "managed", "type": ty, "name": name,
                    "provider_name": "registry.terraform.io/acme/lab",
                    "change": {"actions": ["update"], "before": before, "after": after, "after_unknown": {},
                               "before_sensitive": {}, "after_sensitive": {}}})
        };
        let plan = value!({"format_version": "1.2", "resource_changes": [
            change("lab_service.api", value!({"size": 5}), value!({"size": 3})),
            change("lab_service.web", value!({"size": 5, "note": "a"}), value!({"size": 3, "note": "b"})),
            change("aws_db_instance.main", value!({"backup_retention_period": 14}), value!({"backup_retention_period": 3})),
        ]});
        fs::write(folder.path().join("plan.json"), plan.to_string()).unwrap();
        folder
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn write(&self, name: &str, text: &str) -> String {
        let path = self.path().join(name);
        fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    }

    fn plan(&self) -> String {
        self.path().join("plan.json").to_str().unwrap().to_owned()
    }

    /// The brief with these options.
    #[track_caller]
    fn brief(&self, options: &[&str]) -> String {
        let plan = self.plan();
        let words: Vec<&str> = ["brief", &plan]
            .into_iter()
            .chain(options.iter().copied())
            .collect();
        let run = command(&words);
        assert_eq!(run.code, 0, "{run:?}");
        run.out
    }
}

const SIZE: &str = "[[mute]]\ntype = \"lab_*\"\nproperty = \"size\"\nold = 5\nreason = \"the autoscaler sets it\"\n";

#[test]
fn a_muted_property_is_counted_and_shown_on_request() {
    let folder = Folder::new();
    let rules = folder.write("mine.toml", SIZE);
    let out = folder.brief(&["--rules", &rules]);
    assert!(
        out.contains("\nMUTED  1\n  ~ lab_service.api  the autoscaler sets it\n"),
        "{out}"
    );
    assert!(out.contains("mine.toml:1: the autoscaler sets it"), "{out}");
    assert!(!out.contains("size"), "{out}");
    // What else changes is told.
    assert!(
        out.contains("~ lab_service.web  ~ note  \"a\" → \"b\""),
        "{out}"
    );
    assert!(out.contains("\nmuted in 2 changes by "), "{out}");
    let shown = folder.brief(&["--rules", &rules, "--muted"]);
    assert_eq!(shown, folder.brief(&[]));
    assert!(shown.contains("size  5 → 3"), "{shown}");
    let page = json(&["brief", &folder.plan(), "--json", "--rules", &rules]);
    assert_eq!(page["muted"][0]["changes"], 2);
    assert_eq!(page["muted"][0]["line"], 1);
    assert_eq!(page["muted"][0]["reason"], "the autoscaler sets it");
}

#[test]
fn other_values_types_and_days_are_not_muted() {
    let folder = Folder::new();
    for other in [
        SIZE.replace("lab_*", "other_*"),
        SIZE.replace("old = 5", "old = 4"),
        SIZE.replace("\"size\"", "\"note.size\""),
    ] {
        let rules = folder.write("mine.toml", &other);
        assert_eq!(
            folder.brief(&["--rules", &rules]),
            folder.brief(&[]),
            "{other}"
        );
    }
    let rules = folder.write("mine.toml", &format!("{SIZE}until = \"2001-01-31\"\n"));
    let out = folder.brief(&["--rules", &rules]);
    assert!(out.contains("size  5 → 3"), "{out}");
    assert!(out.contains("mutes nothing since 2001-01-31: "), "{out}");
    let rules = folder.write("mine.toml", &format!("{SIZE}until = 2999-12-31\n"));
    assert!(folder.brief(&["--rules", &rules]).contains("\nMUTED  1"));
}

/// A danger needs the name of its rule.
#[test]
fn a_finding_is_muted_by_its_rule_and_never_by_its_property_alone() {
    let folder = Folder::new();
    let property =
        "[[mute]]\ntype = \"*\"\nproperty = \"backup_retention_period\"\nreason = \"copies\"\n";
    let rules = folder.write("mine.toml", property);
    assert_eq!(folder.brief(&["--rules", &rules]), folder.brief(&[]));
    let rule = "[[mute]]\ntype = \"aws_db_instance\"\nrule = \"aws-rds-backup-shortened\"\nlevel = \"none\"\nreason = \"copies\"\n";
    let rules = folder.write("mine.toml", rule);
    let out = folder.brief(&["--rules", &rules]);
    assert!(!out.contains("LOOK AT THESE FIRST"), "{out}");
    // The change itself stays.
    assert!(out.contains("backup_retention_period  14 → 3"), "{out}");
    assert!(out.contains("\nmuted in 1 change by "), "{out}");
    let gate = [
        "brief",
        &folder.plan(),
        "--fail-on",
        "danger",
        "--rules",
        &rules,
    ];
    assert_eq!(command(&gate).code, 0);
    assert_eq!(command(&gate[..4]).code, 3);
}

#[test]
fn a_file_beside_the_plan_and_the_settings_may_mute() {
    let folder = Folder::new();
    let settings = folder.write("config.toml", &format!("theme = \"nord\"\n\n{SIZE}"));
    let out = folder.brief(&["--config", &settings]);
    assert!(
        out.contains("config.toml:3: the autoscaler sets it"),
        "{out}"
    );
    let beside = folder.write("stacklens.mutes.toml", SIZE);
    let out = folder.brief(&[]);
    assert!(
        out.contains("stacklens.mutes.toml:1: the autoscaler sets it"),
        "{out}"
    );
    // It may come with the plan of somebody else, so it cannot replace a rule.
    fs::write(
        &beside,
        "[[rule]]\nid = \"aws-rds-backup-shortened\"\nlevel = \"note\"\ntypes = [\"x\"]\nwhen = \"deleted\"\nsays = \"s\"\n",
    )
    .unwrap();
    let run = command(&["brief", &folder.plan()]);
    assert_ne!(run.code, 0);
    assert!(
        run.err.contains("expected nothing but `[[mute]]`"),
        "{run:?}"
    );
}

#[test]
fn nothing_that_is_replaced_is_muted_and_what_changed_outside_is() {
    let folder = tempfile::tempdir().unwrap();
    let change = |address: &str, actions: Value, before: Value, after: Value| {
        let (ty, name) = address.split_once('.').unwrap();
        let is_replaced = actions.as_array().unwrap().len() > 1;
        let forced = if is_replaced {
            value!([["size"]])
        } else {
            value!([])
        };
        value!({"address": address, "mode": "managed", "type": ty, "name": name,
                "provider_name": "registry.terraform.io/acme/lab",
                "change": {"actions": actions, "before": before, "after": after, "after_unknown": {},
                           "before_sensitive": {}, "after_sensitive": {}, "replace_paths": forced}})
    };
    let plan = value!({"format_version": "1.2",
        "resource_drift": [change("lab_queue.q", value!(["update"]), value!({"size": 1}), value!({"size": 2}))],
        "resource_changes": [
            change("lab_service.api", value!(["delete", "create"]), value!({"size": 5}), value!({"size": 3})),
            change("lab_queue.q", value!(["no-op"]), value!({"size": 2}), value!({"size": 2}))]});
    let path = folder.path().join("plan.json");
    fs::write(&path, plan.to_string()).unwrap();
    let path = path.to_str().unwrap();
    let outside = "CHANGED OUTSIDE";
    assert!(command(&["brief", path]).out.contains(outside));
    let mute = "[[mute]]\ntype = \"lab_*\"\nproperty = \"size\"\nreason = \"by hand\"\n";
    fs::write(folder.path().join("stacklens.mutes.toml"), mute).unwrap();
    let out = command(&["brief", path]).out;
    assert!(out.contains("± lab_service.api"), "{out}");
    assert!(out.contains("size  5 → 3  forces replacement"), "{out}");
    assert!(!out.contains(outside), "{out}");
    assert!(out.contains("\nmuted in 1 change by "), "{out}");
}
