//! The cause of the change of each property.

use super::harness::Session;

/// One resource is replaced. Another one uses its id, was changed outside, and is changed by its configuration and its provider.
const PLAN: &str = r#"{"format_version": "1.2", "terraform_version": "1.9.0", "planned_values": {"root_module": {}},
    "resource_drift": [
      {"address": "lab_flask.two", "mode": "managed", "type": "lab_flask", "name": "two", "provider_name": "registry.terraform.io/acme/lab",
       "change": {"actions": ["update"], "before": {"id": "2", "shelf": "south"}, "after": {"id": "2", "shelf": "north"},
                  "after_unknown": {}, "before_sensitive": {}, "after_sensitive": {}}}],
    "resource_changes": [
      {"address": "lab_flask.one", "mode": "managed", "type": "lab_flask", "name": "one", "provider_name": "registry.terraform.io/acme/lab",
       "action_reason": "replace_because_cannot_update",
       "change": {"actions": ["delete", "create"], "before": {"id": "1", "volume": 1}, "after": {"volume": 2},
                  "after_unknown": {"id": true}, "before_sensitive": {}, "after_sensitive": {}, "replace_paths": [["volume"]]}},
      {"address": "lab_flask.two", "mode": "managed", "type": "lab_flask", "name": "two", "provider_name": "registry.terraform.io/acme/lab",
       "change": {"actions": ["update"],
                  "before": {"id": "2", "size": 1, "volume": 1, "link": "1", "shelf": "north", "ports": [{"n": 1}], "old": "x"},
                  "after": {"id": "2", "size": 8, "volume": 2, "shelf": "south", "ports": [{"n": 2}], "old": null},
                  "after_unknown": {"link": true}, "before_sensitive": {}, "after_sensitive": {}}}],
    "configuration": {"root_module": {"resources": [
      {"address": "lab_flask.one", "mode": "managed", "type": "lab_flask", "name": "one", "provider_config_key": "lab", "schema_version": 0,
       "expressions": {"volume": {"references": ["var.volume"]}}},
      {"address": "lab_flask.two", "mode": "managed", "type": "lab_flask", "name": "two", "provider_config_key": "lab", "schema_version": 0,
       "expressions": {"volume": {"constant_value": 2}, "shelf": {"constant_value": "south"},
                       "link": {"references": ["lab_flask.one.id", "lab_flask.one"]}}}]}}}"#;

const SCHEMAS: &str = r#"{"format_version": "1.0", "provider_schemas": {"registry.terraform.io/acme/lab": {"resource_schemas": {
    "lab_flask": {"version": 0, "block": {"attributes": {
        "id": {"type": "string", "computed": true}, "size": {"type": "number", "computed": true},
        "volume": {"type": "number", "optional": true}, "link": {"type": "string", "optional": true},
        "old": {"type": "string", "optional": true}, "shelf": {"type": "string", "optional": true, "sensitive": true},
        "ports": {"type": ["set", ["object", {"n": "number"}]], "computed": true}}}}}}}}"#;

fn open(size: (u16, u16)) -> Session {
    let mut session = Session::open_bytes("plan.json", PLAN.as_bytes(), size);
    session.keys("2ttt<wait>ggj");
    session
}

/// The screen line with this label.
#[track_caller]
fn line(session: &Session, label: &str) -> String {
    let screen = session.text();
    let line = screen.lines().find(|line| line.contains(label));
    line.unwrap_or_else(|| panic!("no {label} on\n{screen}"))
        .to_owned()
}

#[test]
fn each_changed_property_says_where_its_change_comes_from() {
    let session = open((140, 40));
    assert!(line(&session, "~ link").contains("← lab_flask.one.id (replaced)"));
    assert!(line(&session, "~ shelf").contains("← a change outside"));
    assert!(line(&session, "~ size").contains("← provider"));
    assert!(line(&session, "~ volume").contains("← configuration"));
    // It may be an argument that is no longer set, or a value that the provider computes.
    assert!(!line(&session, "~ old").contains('←'), "{}", session.text());
    // Blocks may be written by a `dynamic` block, which the configuration in a plan leaves out.
    assert!(!line(&session, "n  1").contains('←'), "{}", session.text());
}

#[test]
fn with_a_schema_more_is_known() {
    let folder = tempfile::tempdir().unwrap();
    let plan = folder.path().join("plan.json");
    std::fs::write(&plan, PLAN).unwrap();
    std::fs::write(folder.path().join("providers.json"), SCHEMAS).unwrap();
    let mut session = Session::open_path(plan, (240, 40));
    session.keys("2ttt<wait>ggj");
    assert!(line(&session, "~ shelf").contains("sensitive by its schema"));
    assert!(line(&session, "- old").contains("← configuration"));
    // A set: one element is removed, the other is added.
    session.shows("-     n  1").shows("+     n  2");
    session.hides("north").hides("south");
}

/// A list from which one element was removed outside and to which one was added; the plan undoes both, and the program adds
/// another.
#[test]
fn only_the_elements_that_drifted_come_from_drift() {
    let plan = r#"{"format_version": "1.2", "terraform_version": "1.9.0", "planned_values": {"root_module": {}},
        "resource_drift": [
          {"address": "a_b.c", "mode": "managed", "type": "a_b", "name": "c", "provider_name": "registry.terraform.io/x/a",
           "change": {"actions": ["update"], "before": {"l": ["own", "lost"]}, "after": {"l": ["came", "own"]},
                      "after_unknown": {}, "before_sensitive": {}, "after_sensitive": {}}}],
        "resource_changes": [
          {"address": "a_b.c", "mode": "managed", "type": "a_b", "name": "c", "provider_name": "registry.terraform.io/x/a",
           "change": {"actions": ["update"], "before": {"l": ["came", "own"]}, "after": {"l": ["own", "lost", "made"]},
                      "after_unknown": {}, "before_sensitive": {}, "after_sensitive": {}}}],
        "configuration": {"root_module": {"resources": [
          {"address": "a_b.c", "mode": "managed", "type": "a_b", "name": "c", "expressions": {"l": {"references": ["var.l"]}}}]}}}"#;
    let mut session = Session::open_bytes("plan.json", plan.as_bytes(), (140, 40));
    session.keys("2ttt<wait>");
    assert!(
        line(&session, "\"came\"").contains("← a change outside"),
        "{}",
        session.text()
    );
    assert!(
        line(&session, "\"lost\"").contains("← a change outside"),
        "{}",
        session.text()
    );
    assert!(
        line(&session, "\"made\"").contains("← configuration"),
        "{}",
        session.text()
    );
}

/// The built-in provider mirrors its input, and has no schema in a plan.
#[test]
fn a_computed_value_that_goes_is_not_told_to_come_from_the_configuration() {
    let plan = r#"{"format_version": "1.2", "terraform_version": "1.9.0", "planned_values": {"root_module": {}},
        "resource_changes": [
          {"address": "terraform_data.c", "mode": "managed", "type": "terraform_data", "name": "c",
           "provider_name": "terraform.io/builtin/terraform",
           "change": {"actions": ["update"], "before": {"input": "x", "output": "x"}, "after": {"input": null, "output": null},
                      "after_unknown": {}, "before_sensitive": {}, "after_sensitive": {}}}],
        "configuration": {"root_module": {"resources": [
          {"address": "terraform_data.c", "mode": "managed", "type": "terraform_data", "name": "c", "expressions": {}}]}}}"#;
    let mut session = Session::open_bytes("plan.json", plan.as_bytes(), (140, 40));
    session.keys("2ttt<wait>");
    assert!(
        !line(&session, "~ output").contains('←'),
        "{}",
        session.text()
    );
}

#[test]
fn a_cause_is_a_link() {
    let mut session = open((140, 40));
    session.keys("<Tab>n").shows("▶~ link");
    session.keys("<Enter>").shows("Resources");
    assert!(session.cursor_line().contains("one"), "{}", session.text());
    session.keys("[").shows("Changes");
}

#[test]
fn r_tells_the_cause_of_the_property_under_the_cursor() {
    let mut session = open((140, 40));
    session
        .keys("<Tab>nr")
        .shows("link  takes its value from lab_flask.one.id (replaced)");
    session.keys("<Esc>Gr").shows("volume  ← configuration");
}

/// A resource that was read before the configuration was known is read again.
#[test]
fn causes_are_known_of_what_was_looked_at_early() {
    let mut session = Session::open_held("tfplan-json/shop.json", (240, 40));
    session.deliver(2);
    session
        .keys("2gg")
        .keys("jjj")
        .shows("aws_db_proxy_target.main · must be replaced");
    session.deliver(100);
    assert!(line(&session, "~ db").contains("← aws_db_instance.main.id (replaced)"));
}

/// A plan file contains its configuration as written, and so the arguments of `replace_triggered_by`. The stack is built by hand
/// from a plan in JSON, with the same added to its configuration.
#[test]
fn a_chain_goes_through_triggers() {
    let plan = r#"{"format_version": "1.2", "terraform_version": "1.9.0", "planned_values": {"root_module": {}},
        "resource_changes": [
          {"address": "lab_flask.one", "mode": "managed", "type": "lab_flask", "name": "one", "provider_name": "registry.terraform.io/acme/lab",
           "change": {"actions": ["update"], "before": {"id": "1", "volume": 1}, "after": {"id": "1", "volume": 2},
                      "after_unknown": {}, "before_sensitive": {}, "after_sensitive": {}}},
          {"address": "lab_flask.two", "mode": "managed", "type": "lab_flask", "name": "two", "provider_name": "registry.terraform.io/acme/lab",
           "action_reason": "replace_by_triggers",
           "change": {"actions": ["delete", "create"], "before": {"id": "2"}, "after": {}, "after_unknown": {"id": true},
                      "before_sensitive": {}, "after_sensitive": {}}}],
        "configuration": {"root_module": {"resources": [
          {"address": "lab_flask.one", "mode": "managed", "type": "lab_flask", "name": "one", "expressions": {"volume": {"constant_value": 2}}},
          {"address": "lab_flask.two", "mode": "managed", "type": "lab_flask", "name": "two", "expressions": {},
           "replace_triggered_by": {"references": ["lab_flask.one.volume", "lab_flask.one"]}}]}}}"#;
    let mut session = Session::open_bytes("plan.json", plan.as_bytes(), (140, 40));
    session
        .keys("2ttt<wait>gg")
        .shows("replace -/+ ← lab_flask.one.volume")
        .keys("r")
        .shows("replace_triggered_by  names lab_flask.one.volume")
        .shows("the root is lab_flask.one")
        .shows("Enter go there");
    session.keys("jjj").keys("<Enter>");
    assert!(session.cursor_line().contains("one"), "{}", session.text());
}

#[test]
fn drift_that_cannot_be_read_is_requested_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("plan.json");
    std::fs::write(&path, PLAN).unwrap();
    let mut session = Session::open_path(path.clone(), (120, 40));
    session.hold().press("2");
    // The resource is read, and its drift entry is requested when the file is another one already.
    std::fs::write(&path, PLAN.replace("north", "a longer word")).unwrap();
    session.answer(0);
    for _ in 0..10 {
        if session.n_late() > 0 {
            session.answer(0);
        }
    }
    assert_eq!(session.n_late(), 0);
    session.shows("the file changed since it was opened");
}

#[test]
fn a_list_that_drift_took_away_comes_from_drift() {
    let plan = PLAN
        .replace(
            r#"{"id": "2", "shelf": "south"}"#,
            r#"{"id": "2", "shelf": "south", "tags": ["lost"]}"#,
        )
        .replace(
            r#"{"id": "2", "size": 8,"#,
            r#"{"id": "2", "size": 8, "tags": ["lost"],"#,
        );
    let mut session = Session::open_bytes("plan.json", plan.as_bytes(), (120, 40));
    session.keys("2ttt<wait>ggj");
    assert!(
        line(&session, "\"lost\"").contains("← a change outside"),
        "{}",
        session.text()
    );
}
