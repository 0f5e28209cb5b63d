//! The findings of the audit of a plan, in the list of problems.

use std::path::{Path, PathBuf};

use stacklens::load::Input;

use super::harness::Session;

const SCHEMAS: &str = r#"{"format_version": "1.0", "provider_schemas": {"registry.terraform.io/acme/lab": {"resource_schemas": {
    "lab_flask": {"version": 0, "block": {"attributes": {
        "id": {"type": "string", "computed": true},
        "size": {"type": "number", "optional": true, "computed": true},
        "volume": {"type": "number", "optional": true},
        "label": {"type": "string", "optional": true, "sensitive": true}}}}}}}}"#;

/// A provider plans a volume that nobody configured, a label other than the configured one, and a size that it chooses.
const PLAN: &str = r#"{"format_version": "1.2", "terraform_version": "1.9.0", "planned_values": {"root_module": {}},
    "resource_changes": [
      {"address": "lab_flask.one", "mode": "managed", "type": "lab_flask", "name": "one",
       "provider_name": "registry.terraform.io/acme/lab",
       "change": {"actions": ["create"], "before": null, "after": {"size": 1, "volume": 3, "label": "hush-2"},
                  "after_unknown": {"id": true}, "before_sensitive": false, "after_sensitive": {"label": true}}},
      {"address": "lab_flask.two", "mode": "managed", "type": "lab_flask", "name": "two",
       "provider_name": "registry.terraform.io/acme/lab",
       "change": {"actions": ["update"], "before": {"id": "2", "size": 1, "volume": 1, "label": null},
                  "after": {"id": "2", "size": 8, "volume": 2, "label": null},
                  "after_unknown": {}, "before_sensitive": {}, "after_sensitive": {}}}],
    "configuration": {"root_module": {"resources": [
      {"address": "lab_flask.one", "mode": "managed", "type": "lab_flask", "name": "one", "provider_config_key": "lab", "schema_version": 0,
       "expressions": {"volume": {"constant_value": 2}, "label": {"constant_value": "hush-1"}}},
      {"address": "lab_flask.two", "mode": "managed", "type": "lab_flask", "name": "two", "provider_config_key": "lab", "schema_version": 0,
       "expressions": {"volume": {"constant_value": 2}}}]}}}"#;

fn write(folder: &Path, name: &str, text: &str) -> PathBuf {
    let path = folder.join(name);
    std::fs::write(&path, text).unwrap();
    path
}

#[test]
fn a_plan_is_checked_by_the_schemas_that_lie_beside_it() {
    let folder = tempfile::tempdir().unwrap();
    let plan = write(folder.path(), "plan.json", PLAN);
    write(folder.path(), "plan.schemas.json", SCHEMAS);
    let mut session = Session::open_path(plan, (120, 40));
    session
        .keys("5<wait>")
        .shows("plan.schemas.json, found in the same folder")
        .shows("2 problems ┘")
        .shows("warning lab_flask.one")
        .shows("▸ info (1)")
        .hides("the provider changes it")
        .hides("hush");
    session
        .keys("G<Enter>")
        .shows("▾ info (1)")
        .shows("lab_flask.two size  the provider changes it from 1 to 8");
}

#[test]
fn a_finding_leads_to_the_property_it_is_about() {
    let folder = tempfile::tempdir().unwrap();
    let plan = write(folder.path(), "plan.json", PLAN);
    let schemas = write(folder.path(), "lab.json", SCHEMAS);
    let input = Input::path(plan).with_schemas(&schemas);
    let mut session = Session::open_input(input, (120, 40));
    session.keys("5<wait>").shows("checked against lab.json");
    let row = session.text();
    let volume = row
        .lines()
        .filter(|line| line.contains("warning "))
        .position(|line| line.contains("lab_flask.one volume"))
        .expect("a finding about the volume");
    session.keys(&"j".repeat(volume)).keys("<Enter>");
    assert!(
        session.cursor_line_of_focus().contains("volume"),
        "{}",
        session.text()
    );
    session.keys("[").shows("Problems");
}

#[test]
fn a_plan_beside_a_later_state_tells_what_came_out_otherwise() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus");
    let pair = Input::pair(
        Input::path(corpus.join("tfplan-json/shop.json")),
        Input::path(corpus.join("tfstate/shop-after.tfstate")),
    );
    let mut session = Session::open_input(pair, (120, 40));
    session
        .keys("25<wait>")
        .shows("the plan was checked against tfstate")
        .shows("error   null_resource.counter")
        .shows("▸ info")
        .keys("<Enter>")
        .shows("[1 Resources]")
        .shows("null_resource");
}

#[test]
fn checks_that_did_not_run_are_named() {
    let mut session = Session::open("tfplan-json/shop.json", (80, 24));
    session
        .keys("5<wait>")
        .shows("the plan itself was not checked: this needs --schema");
    let folder = tempfile::tempdir().unwrap();
    let plan = write(folder.path(), "plan.json", PLAN);
    let schemas = write(folder.path(), "lab.json", "{\"a\": 1}");
    let input = Input::path(plan).with_schemas(&schemas);
    Session::open_input(input, (80, 24))
        .keys("5<wait>")
        // Without the requested schemas, secrets would be shown.
        .hides("lab_flask")
        .shows("is not a schema file");
}

#[test]
fn the_states_of_a_plan_are_its_outcome_or_from_before_it() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus");
    let beside = |state: &str| {
        let pair = Input::pair(
            Input::path(corpus.join("tfplan-json/shop.json")),
            Input::path(corpus.join("tfstate").join(state)),
        );
        let mut session = Session::open_input(pair, (120, 40));
        session.keys("5<wait>");
        session
    };
    beside("shop-applied.tfstate")
        .shows("the plan follows the rules: checked against tfstate")
        .hides("errors (")
        .hides("warnings (");
    beside("shop-prior.tfstate")
        .shows("this state is from before the plan, so the outcome is not checked")
        .hides("errors (");
    // The state of another run is neither.
    beside("shop.tfstate").shows("errors (");
}
