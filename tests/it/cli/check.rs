//! `check`: everything that can be checked with the given files, and the files that each other check needs.

use super::{AFTER, BEFORE, PLAN, SHOP, command, json};

/// The checks that did not run, each with the file it needs.
fn missing(args: &[&str]) -> Vec<(String, String)> {
    let found = json(args);
    let rows = found.as_array().unwrap().iter();
    let rows = rows.filter(|row| row["kind"] == "not_run");
    let text = |value: &serde_json::Value| value.as_str().unwrap().to_owned();
    rows.map(|row| {
        assert_eq!(row["severity"], "info");
        let needs = text(&row["needs"]);
        assert!(text(&row["message"]).contains(&needs));
        (text(&row["check"]), needs)
    })
    .collect()
}

fn pair(check: &str, needs: &str) -> (String, String) {
    (check.to_owned(), needs.to_owned())
}

#[test]
fn a_forgotten_option_is_said_in_text_in_json_and_beside_them() {
    let all = [
        pair("provider_rules", "--schema"),
        pair("outcome", "--state"),
    ];
    assert_eq!(missing(&["check", PLAN, "--json"]), all);
    assert_eq!(
        missing(&["check", PLAN, "--state", AFTER, "--json"]),
        all[..1]
    );
    let run = command(&["check", PLAN]);
    for text in [&run.out, &run.err] {
        let line = text
            .lines()
            .find(|line| line.contains("not checked: "))
            .unwrap();
        assert!(
            line.contains("(needs --schema)") && line.contains("(needs --state)"),
            "{line}"
        );
    }
    assert!(
        run.out
            .contains("checked: the file itself, the consistency of the plan"),
        "{run:?}"
    );
    let run = command(&["check", PLAN, "--json"]);
    assert!(run.err.contains("not checked: "), "{run:?}");
}

#[test]
fn a_state_lacks_nothing() {
    for state in [BEFORE, SHOP, "tests/corpus/tfshow-json/state.json"] {
        assert_eq!(missing(&["check", state, "--json"]), []);
        let run = command(&["check", state]);
        assert!(
            run.out
                .contains("checked: the file itself, the integrity of the state"),
            "{run:?}"
        );
        assert!(
            !run.out.contains("not checked") && run.err.is_empty(),
            "{run:?}"
        );
    }
    assert_eq!(command(&["check", BEFORE]).code, 0);
}

#[test]
fn a_schema_masks_a_state_that_no_check_needs_it_for() {
    let folder = tempfile::tempdir().unwrap();
    let schemas = folder.path().join("named.json");
    let text = r#"{"format_version": "1.0", "provider_schemas": {}}"#;
    std::fs::write(&schemas, text).unwrap();
    let schemas = schemas.to_str().unwrap();
    let run = command(&["check", BEFORE, "--schema", schemas]);
    assert_eq!(
        run.err.trim(),
        "stacklens: --schema is used only to mask values: no check of tfstate needs it"
    );
    let run = command(&["check", SHOP, "--schema", schemas]);
    assert_eq!(
        run.err.trim(),
        "stacklens: --schema is not used: pulumi-state is not a file of Terraform"
    );
}

/// The output of `check` for a file with this text.
fn checked(name: &str, text: &str) -> (i32, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    std::fs::write(&path, text).unwrap();
    let run = command(&["check", path.to_str().unwrap()]);
    (run.code, run.out)
}

#[test]
fn a_state_that_breaks_a_rule_ends_with_1() {
    let text = r#"{"version":3,"deployment":{"resources":[{"urn":"urn:pulumi:s::p::a:b:C::c","type":"a:b:C","custom":true,
        "dependencies":["urn:pulumi:s::p::a:b:C::gone"]}]}}"#;
    let (code, out) = checked("state.json", text);
    assert_eq!(code, 1, "{out}");
    assert!(
        out.contains("warning") && out.contains("a:b:C::gone, which is not in this file"),
        "{out}"
    );
    // Possible problems are reported, but do not fail the check.
    let text = r#"{"version":4,"resources":[{"mode":"managed","type":"a_b","name":"c","provider":"provider[\"registry.terraform.io/h/a\"]",
        "instances":[{"schema_version":0,"attributes":{},"dependencies":["a_b.none","data.a_b.x","module.m.a_b.d"]}]}]}"#;
    let (code, _) = checked("terraform.tfstate", text);
    assert_eq!(code, 0);
}

/// A plan with one change.
fn plan(actions: &str, before: &str, after: &str) -> String {
    format!(
        r#"{{"format_version":"1.2","terraform_version":"1.9.0","planned_values":{{}},"resource_changes":[{{"address":"a_b.c","mode":"managed",
        "type":"a_b","name":"c","provider_name":"registry.terraform.io/h/a",
        "change":{{"actions":{actions},"before":{before},"after":{after},"after_unknown":{{}}}}}}]}}"#
    )
}

#[test]
fn a_plan_that_contradicts_itself_ends_with_1() {
    for (actions, before, after, want) in [
        (r#"["create"]"#, "null", r#"{"x":1}"#, ""),
        (r#"["update"]"#, r#"{"x":1}"#, r#"{"x":2}"#, ""),
        (r#"["delete"]"#, r#"{"x":1}"#, "null", ""),
        (r#"["delete","create"]"#, r#"{"x":1}"#, r#"{"x":2}"#, ""),
        (r#"["no-op"]"#, r#"{"x":1}"#, r#"{"x":1}"#, ""),
        (
            r#"["no-op"]"#,
            r#"{"x":1}"#,
            r#"{"x":2}"#,
            "its action is noop, but its values change",
        ),
        (
            r#"["create"]"#,
            r#"{"x":1}"#,
            r#"{"x":1}"#,
            "its action is create, but it has values before",
        ),
        (
            r#"["create"]"#,
            "null",
            "null",
            "its action is create, but it has no values after",
        ),
        (
            r#"["update"]"#,
            "null",
            r#"{"x":2}"#,
            "its action is update, but it has no values before",
        ),
        (
            r#"["delete"]"#,
            r#"{"x":1}"#,
            r#"{"x":2}"#,
            "its action is delete, but it has values after",
        ),
        (
            r#"["delete"]"#,
            "null",
            "null",
            "its action is delete, but it has no values before",
        ),
        (
            r#"["delete","create"]"#,
            r#"{"x":1}"#,
            "null",
            "its action is replace, but it has no values after",
        ),
    ] {
        let (code, out) = checked("plan.json", &plan(actions, before, after));
        assert_eq!(
            code,
            i32::from(!want.is_empty()),
            "{actions} {before} {after}: {out}"
        );
        assert!(out.contains(want), "{actions} {before} {after}: {out}");
    }
}

/// The schemas of the provider of `lab_flask`, which has lists of blocks, one of them computed, and of the data source `lab_shelf`.
const SCHEMAS: &str = r#"{"format_version":"1.0","provider_schemas":{"registry.terraform.io/acme/lab":{
    "resource_schemas":{"lab_flask":{"version":0,"block":{
        "attributes":{"name":{"type":"string","optional":true},"tags":{"type":["list","string"],"optional":true,"computed":true}},
        "block_types":{
            "port":{"nesting_mode":"list","block":{"attributes":{"number":{"type":"number","optional":true}}}},
            "seal":{"nesting_mode":"list","computed":true,"block":{"computed":true,
                "attributes":{"kind":{"type":"string","optional":true,"computed":true}}}}}}},
      "lab_bottle":{"version":0,"block":{"attributes":{"name":{"type":"string","optional":true}},
        "block_types":{"port":{"nesting_mode":"list","block":{"attributes":{"number":{"type":"number","optional":true}}}}}}}},
    "data_source_schemas":{"lab_shelf":{"version":0,"block":{"attributes":{"id":{"type":"string","computed":true},
        "key":{"type":"string","computed":true,"sensitive":true},"name":{"type":"string","required":true}}}}}}}}"#;

/// The findings of `check` for one resource of a plan, by [`SCHEMAS`], with a later state if there is one: attributes of the same
/// resource, and outputs.
fn audited(
    [mode, ty]: [&str; 2],
    change: &str,
    expressions: &str,
    outputs: &str,
    later: Option<[&str; 2]>,
) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let prefix = if mode == "data" { "data." } else { "" };
    let plan = format!(
        r#"{{"format_version":"1.2","terraform_version":"1.9.0","planned_values":{{"root_module":{{}}}},"output_changes":{outputs},
        "resource_changes":[{{"address":"{prefix}{ty}.a","mode":"{mode}","type":"{ty}","name":"a",
            "provider_name":"registry.terraform.io/acme/lab","change":{change}}}],
        "configuration":{{"root_module":{{"resources":[{{"address":"{prefix}{ty}.a","mode":"{mode}","type":"{ty}","name":"a",
            "provider_config_key":"lab","schema_version":0,"expressions":{expressions}}}]}}}}}}"#
    );
    let (plan, schemas) = (write("plan.json", &plan), write("given.json", SCHEMAS));
    let mut args = vec!["check", &plan, "--schema", &schemas, "--json"];
    let state = later.map(|[attributes, outputs]| {
        let text = format!(
            r#"{{"version":4,"terraform_version":"1.9.0","serial":1,"lineage":"l","outputs":{outputs},"resources":[{{"mode":"{mode}",
            "type":"{ty}","name":"a","provider":"provider[\"registry.terraform.io/acme/lab\"]",
            "instances":[{{"schema_version":0,"attributes":{attributes}}}]}}]}}"#
        );
        write("later.tfstate", &text)
    });
    if let Some(state) = &state {
        args.extend(["--state", state]);
    }
    let found = json(&args);
    let rows = found.as_array().unwrap().iter();
    let rows = rows.filter(|row| row["kind"] != "not_run");
    rows.map(|row| {
        let text = |key: &str| row[key].as_str().unwrap_or_default();
        format!("{} {}: {}", text("severity"), text("path"), text("message"))
    })
    .collect()
}

const FLASK: [&str; 2] = ["managed", "lab_flask"];
const BOTTLE: [&str; 2] = ["managed", "lab_bottle"];
const SHELF: [&str; 2] = ["data", "lab_shelf"];

fn updated(before: &str, after: &str) -> String {
    format!(r#"{{"actions":["update"],"before":{before},"after":{after},"after_unknown":{{}}}}"#)
}

#[test]
fn a_computed_block_that_nobody_configures_stays_unless_the_provider_changes_it() {
    let of = |kind: &str| format!(r#"{{"name":"a","port":[],"seal":[{{"kind":"{kind}"}}]}}"#);
    let change = updated(&of("wax"), &of("lead"));
    assert_eq!(
        audited(
            FLASK,
            &change,
            r#"{"name":{"constant_value":"a"}}"#,
            "{}",
            None
        ),
        [
            r#"info seal[0].kind: the provider changes it from "wax" to "lead", but the configuration does not"#
        ]
    );
}

#[test]
fn the_null_block_of_an_old_provider_is_an_empty_one() {
    let null = r#"{"name":"a","port":null}"#;
    let change = updated(r#"{"name":"b","port":null}"#, null);
    let expressions = r#"{"name":{"constant_value":"a"}}"#;
    let later = [r#"{"name":"a","port":[]}"#, "{}"];
    assert_eq!(
        audited(BOTTLE, &change, expressions, "{}", Some(later)),
        [""; 0]
    );
    let later = [r#"{"name":"a","port":[{"number":1}]}"#, "{}"];
    assert_eq!(
        audited(BOTTLE, &change, expressions, "{}", Some(later)).len(),
        1
    );
}

#[test]
fn of_a_long_list_only_the_changes_of_the_provider_are_reported() {
    let of = |tags: &str| format!(r#"{{"name":"a","port":[],"seal":[],"tags":{tags}}}"#);
    let change = updated(&of(r#"["x","y","z"]"#), &of(r#"["x","z","new"]"#));
    assert_eq!(
        audited(
            FLASK,
            &change,
            r#"{"name":{"constant_value":"a"}}"#,
            "{}",
            None
        ),
        [r#"info tags: the provider removes "y" and adds "new", but the configuration does not"#]
    );
}

#[test]
fn a_read_that_is_put_off_is_planned_by_core_alone() {
    let expressions = r#"{"name":{"constant_value":"a"}}"#;
    let read = |after: &str, unknown: &str| {
        let change = format!(
            r#"{{"actions":["read"],"before":null,"after":{after},"after_unknown":{unknown},"after_sensitive":{{}}}}"#
        );
        audited(SHELF, &change, expressions, "{}", None)
    };
    let unknown = r#"{"id":true,"key":true}"#;
    assert_eq!(read(r#"{"name":"a"}"#, unknown), [""; 0]);
    assert_eq!(
        read(r#"{"name":"b"}"#, unknown),
        [r#"warning name: "b" is planned, the configuration says "a""#]
    );
    assert_eq!(
        read(r#"{"name":"a","id":"1","key":"hunter2"}"#, "{}"),
        [
            r#"warning id: it is read during apply, but is already "1""#,
            "warning key: it is read during apply, but already has a secret",
        ]
    );
}

#[test]
fn outputs_come_out_as_planned() {
    let change = updated(r#"{"name":"b","port":[]}"#, r#"{"name":"a","port":[]}"#);
    let expressions = r#"{"name":{"constant_value":"a"}}"#;
    let outputs = r#"{
        "kept":{"actions":["create"],"before":null,"after":["a","b"],"after_unknown":false},
        "other":{"actions":["create"],"before":null,"after":1,"after_unknown":false},
        "secret":{"actions":["create"],"before":null,"after":"hunter2","after_unknown":false,"after_sensitive":true},
        "unknown":{"actions":["create"],"before":null,"after_unknown":true},
        "missing":{"actions":["create"],"before":null,"after":true,"after_unknown":false}}"#;
    let actual = r#"{
        "kept":{"value":["a","b"],"type":["list","string"]},
        "other":{"value":2,"type":"number"},
        "secret":{"value":"hunter3","type":"string","sensitive":true},
        "unknown":{"value":"x","type":"string"}}"#;
    let later = Some([r#"{"name":"a","port":[]}"#, actual]);
    assert_eq!(
        audited(BOTTLE, &change, expressions, outputs, later),
        [
            "error root: 1 was planned, there is 2",
            "error root: a sensitive value is not the planned one",
            "error root: it was planned, but is not in the state",
        ]
    );
}

/// A plan that updates, deletes, moves and creates, and a state in which `size` is the size of the updated object.
#[test]
fn a_state_from_before_the_plan_breaks_no_promise() {
    let folder = tempfile::tempdir().unwrap();
    let change = |name: &str, more: &str, change: &str| {
        format!(
            r#"{{"address":"a_b.{name}","mode":"managed","type":"a_b","name":"{name}","provider_name":"registry.terraform.io/x/a"{more},
            "change":{{{change},"after_unknown":{{}},"before_sensitive":{{}},"after_sensitive":{{}}}}}}"#
        )
    };
    let changes = [
        change(
            "up",
            "",
            r#""actions":["update"],"before":{"id":"u","size":1},"after":{"id":"u","size":2}"#,
        ),
        change(
            "gone",
            "",
            r#""actions":["delete"],"before":{"id":"g"},"after":null"#,
        ),
        change(
            "new",
            "",
            r#""actions":["create"],"before":null,"after":{"size":1}"#,
        ),
        change(
            "to",
            r#","previous_address":"a_b.from""#,
            r#""actions":["update"],"before":{"id":"m","size":1},"after":{"id":"m","size":2}"#,
        ),
    ];
    let plan = format!(
        r#"{{"format_version":"1.2","terraform_version":"1.9.0","planned_values":{{"root_module":{{}}}},"resource_changes":[{}]}}"#,
        changes.join(",")
    );
    let found = |size: u32| {
        let instance = |name: &str, attributes: &str| {
            format!(
                r#"{{"mode":"managed","type":"a_b","name":"{name}","provider":"provider[\"registry.terraform.io/x/a\"]",
                "instances":[{{"schema_version":0,"attributes":{attributes}}}]}}"#
            )
        };
        let resources = [
            instance("up", &format!(r#"{{"id":"u","size":{size}}}"#)),
            instance("gone", r#"{"id":"g"}"#),
            instance("from", r#"{"id":"m","size":1}"#),
        ];
        let state = format!(
            r#"{{"version":4,"terraform_version":"1.9.0","serial":1,"lineage":"l","outputs":{{}},"resources":[{}]}}"#,
            resources.join(",")
        );
        let [plan_file, state_file] =
            ["plan.json", "s.tfstate"].map(|name| folder.path().join(name));
        std::fs::write(&plan_file, &plan).unwrap();
        std::fs::write(&state_file, state).unwrap();
        command(&[
            "check",
            plan_file.to_str().unwrap(),
            "--state",
            state_file.to_str().unwrap(),
        ])
        .out
    };
    let text = found(1);
    assert!(
        text.contains("this state is from before the plan"),
        "{text}"
    );
    assert!(text.contains("0 errors"), "{text}");
    // A state after a part of the apply is no such state.
    let text = found(2);
    assert!(!text.contains("from before"), "{text}");
    assert!(
        text.contains("it was to be deleted, but is in the state"),
        "{text}"
    );
}

#[test]
fn numbers_and_their_nouns_agree() {
    // One warning, and no errors.
    let plan = r#"{"format_version":"1.2","terraform_version":"1.9.0","resource_changes":[],
        "checks":[{"address":{"kind":"check","to_display":"check.up"},"status":"fail",
        "instances":[{"address":{"to_display":"check.up"},"status":"fail","problems":[{"message":"it is down"}]}]}]}"#;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("plan.json");
    std::fs::write(&path, plan).unwrap();
    let run = command(&["check", path.to_str().unwrap()]);
    let is_one = |line: &&str| line.contains("1 warnings") || line.contains("1 errors");
    assert_eq!(run.out.lines().find(is_one), None, "{}", run.out);
    let counts = run.out.lines().find(|line| line.ends_with(" info"));
    let counts = counts.unwrap_or_else(|| panic!("{run:?}"));
    assert!(
        counts.contains("1 warning,") || counts.contains("1 error,"),
        "{counts}"
    );
}
