//! Drift beside the changes of a plan: it is called drift everywhere, and a resource counts once.

use super::harness::Session;

/// `role` was changed outside and is not changed by the plan, `queue` is gone and created again, and `topic` is listed for its
/// drift only. `worker` reads `role` and `queue`.
const PLAN: &str = r#"{"format_version": "1.2", "terraform_version": "1.9.0", "planned_values": {"root_module": {}},
    "resource_drift": [
      {"address": "lab_role.role", "mode": "managed", "type": "lab_role", "name": "role", "provider_name": "registry.terraform.io/acme/lab",
       "change": {"actions": ["update"], "before": {"id": "r", "path": "/a"}, "after": {"id": "r", "path": "/b"},
                  "after_unknown": {}, "before_sensitive": {}, "after_sensitive": {}}},
      {"address": "lab_topic.topic", "mode": "managed", "type": "lab_topic", "name": "topic", "provider_name": "registry.terraform.io/acme/lab",
       "change": {"actions": ["update"], "before": {"id": "t", "size": 5}, "after": {"id": "t", "size": 5},
                  "after_unknown": {}, "before_sensitive": {}, "after_sensitive": {}}},
      {"address": "lab_queue.queue", "mode": "managed", "type": "lab_queue", "name": "queue", "provider_name": "registry.terraform.io/acme/lab",
       "change": {"actions": ["delete"], "before": {"id": "q"}, "after": null,
                  "after_unknown": {}, "before_sensitive": {}, "after_sensitive": false}}],
    "resource_changes": [
      {"address": "lab_role.role", "mode": "managed", "type": "lab_role", "name": "role", "provider_name": "registry.terraform.io/acme/lab",
       "change": {"actions": ["no-op"], "before": {"id": "r", "path": "/b"}, "after": {"id": "r", "path": "/b"},
                  "after_unknown": {}, "before_sensitive": {}, "after_sensitive": {}}},
      {"address": "lab_queue.queue", "mode": "managed", "type": "lab_queue", "name": "queue", "provider_name": "registry.terraform.io/acme/lab",
       "change": {"actions": ["create"], "before": null, "after": {},
                  "after_unknown": {"id": true}, "before_sensitive": false, "after_sensitive": {}}},
      {"address": "lab_worker.worker", "mode": "managed", "type": "lab_worker", "name": "worker", "provider_name": "registry.terraform.io/acme/lab",
       "change": {"actions": ["create"], "before": null, "after": {"role": "r", "topic": "t"},
                  "after_unknown": {"queue": true}, "before_sensitive": false, "after_sensitive": {}}}],
    "configuration": {"root_module": {"resources": [
      {"address": "lab_role.role", "mode": "managed", "type": "lab_role", "name": "role", "expressions": {}},
      {"address": "lab_topic.topic", "mode": "managed", "type": "lab_topic", "name": "topic", "expressions": {}},
      {"address": "lab_queue.queue", "mode": "managed", "type": "lab_queue", "name": "queue", "expressions": {}},
      {"address": "lab_worker.worker", "mode": "managed", "type": "lab_worker", "name": "worker",
       "expressions": {"role": {"references": ["lab_role.role.id", "lab_role.role"]},
                       "topic": {"references": ["lab_topic.topic.id", "lab_topic.topic"]},
                       "queue": {"references": ["lab_queue.queue.id", "lab_queue.queue"]}}}]}}}"#;

fn open() -> Session {
    Session::open_bytes("plan.json", PLAN.as_bytes(), (120, 40))
}

/// The screen lines with this text.
fn lines(session: &Session, text: &str) -> Vec<String> {
    let screen = session.text();
    let lines = screen.lines().filter(|line| line.contains(text));
    lines.map(str::to_owned).collect()
}

/// Selects the row with this text in the view in front.
fn select(session: &mut Session, text: &str) {
    session.keys("gg");
    for _ in 0..30 {
        if session.cursor_line().contains(text) {
            return;
        }
        session.keys("j");
    }
    panic!("no row {text} in\n{}", session.text());
}

#[test]
fn rows_of_drift_are_in_the_past_and_listed() {
    let mut session = open();
    session.keys("2ttt<wait>").shows("changed outside (3)");
    session.shows("deleted outside").hides("update");
    select(&mut session, "≈ role");
    session.shows("was changed outside").hides("will be");
    session.shows("/a").shows("/b");
    select(&mut session, "≈ queue");
    session.shows("was deleted outside");
}

#[test]
fn enter_in_the_brief_goes_to_the_difference_of_what_changed_outside() {
    let mut session = open();
    session.keys("b<wait>").shows("without effect");
    select(&mut session, "lab_role.role");
    session.keys("<Enter><wait>").shows("was changed outside");
    session.shows("/a").shows("/b");
    session.keys("b");
    select(&mut session, "lab_topic.topic");
    session.keys("<Enter><wait>").shows("was changed outside");
}

#[test]
fn what_changed_outside_of_a_resource_that_the_plan_changes_has_its_own_difference() {
    let plan = PLAN.replace(
        r#""change": {"actions": ["no-op"], "before": {"id": "r", "path": "/b"}, "after": {"id": "r", "path": "/b"}"#,
        r#""change": {"actions": ["update"], "before": {"id": "r", "path": "/b", "size": 1}, "after": {"id": "r", "path": "/b", "size": 2}"#,
    );
    let mut session = Session::open_bytes("plan.json", plan.as_bytes(), (120, 40));
    session.keys("b<wait>").shows("the plan keeps it");
    session.keys("G");
    while !session.cursor_line().contains("the plan keeps it") {
        session.keys("k");
    }
    session.keys("<Enter><wait>").shows("was changed outside");
    session.shows("/a").shows("/b");
}

#[test]
fn drift_without_a_difference_shows_its_values() {
    let mut session = open();
    session.keys("2ttt<wait>");
    select(&mut session, "≈ topic");
    session
        .shows("the values in this file are the same before and after")
        .shows("size")
        .hides("this file has no values");
}

#[test]
fn the_tree_has_a_sign_for_drift() {
    let mut session = open();
    session.keys("1<wait>");
    select(&mut session, "topic");
    assert!(
        session.cursor_line().contains("≈ ▸ topic"),
        "{}",
        session.text()
    );
    session.shows("changed outside");
}

#[test]
fn views_of_a_drifted_resource_show_the_resource() {
    let mut session = open();
    session.keys("2ttt<wait>");
    select(&mut session, "≈ queue");
    session.keys("1<wait>");
    assert!(
        session.cursor_line().contains("+ ▸ queue"),
        "{}",
        session.text()
    );
    session.keys("2<wait>");
    assert!(
        session.cursor_line().contains("≈ queue"),
        "{}",
        session.text()
    );
    session.keys("u<wait>").shows("used by (1)").shows("worker");
}

#[test]
fn a_drifted_resource_is_one_neighbor() {
    let mut session = open();
    session.keys("2ttt<wait>");
    select(&mut session, "+ worker");
    session.keys("d<wait>").shows("depends on (3)");
    assert_eq!(
        lines(&session, "lab_queue.queue").len(),
        1,
        "{}",
        session.text()
    );
    assert!(lines(&session, "lab_topic.topic")[0].contains("drifted"));
}

#[test]
fn a_ripple_counts_a_drifted_resource_once() {
    let mut session = open();
    session.keys("2ttt<wait>");
    select(&mut session, "≈ queue");
    session
        .keys("gi<wait>")
        .shows("What happens when + lab_queue.queue is created")
        .shows("2 create")
        .shows("1 step");
    let text = session.text();
    assert_eq!(text.matches("1 step").count(), 1, "{text}");
}

/// A preview that deletes a resource which the cloud keeps, and one which it does not.
#[test]
fn a_retained_resource_is_not_said_to_be_destroyed() {
    let step = |name: &str, retain: &str| {
        format!(
            r#"{{"op": "delete", "urn": "urn:pulumi:s::p::k:m:T::{name}", "oldState": {{"urn": "urn:pulumi:s::p::k:m:T::{name}",
            "custom": true, "type": "k:m:T", "id": "1", "inputs": {{"a": 1}}{retain}}}}}"#
        )
    };
    let preview = format!(
        r#"{{"steps": [{}, {}], "changeSummary": {{"delete": 2}}}}"#,
        step("kept", r#", "retainOnDelete": true"#),
        step("gone", "")
    );
    let mut session = Session::open_bytes("preview.json", preview.as_bytes(), (120, 40));
    session
        .keys("2ttt<wait>gg<wait>")
        .shows("gone · will be destroyed")
        .keys("jj")
        .shows("kept · removed from the state, kept in the cloud")
        .shows("   kept ")
        .hides("will be destroyed");
}

#[test]
fn the_head_of_a_resource_has_no_absent_facts() {
    let state = r#"{"version": 3, "deployment": {"manifest": {"time": "0001-01-01T00:00:00Z"}, "resources": [
        {"urn": "urn:pulumi:s::p::k:m:T::one", "custom": false, "type": "k:m:T", "created": "0001-01-01T00:00:00Z",
         "modified": "2026-01-02T00:00:00Z", "outputs": {"a": 1}}]}}"#;
    let mut session = Session::open_bytes("s.json", state.as_bytes(), (120, 40));
    session
        .shows("modified 2026-01-02")
        .hides("0001-01-01")
        .hides("id        none")
        .hides("next section");
    let mut session = open();
    session.keys("1<wait>").hides("urn:pulumi").keys("yU");
    assert!(
        session
            .copied
            .last()
            .is_some_and(|urn| urn.starts_with("urn:pulumi:"))
    );
}

#[test]
fn a_dependency_that_also_drifted_has_its_planned_action_and_says_so() {
    let mut session = open();
    session.keys("gulab_worker.worker<Enter>d");
    let queue = lines(&session, "lab_queue.queue  .queue ← id");
    assert!(queue.iter().any(|line| line.contains("+ lab_queue.queue")));
    assert!(queue.iter().any(|line| line.contains("drifted")));
}

#[test]
fn drift_alone_is_no_change_and_outputs_alone_are_said() {
    let mut session = Session::open("tfplan-json/refresh-only.json", (120, 40));
    session
        .keys("b<wait>")
        .shows("no changes")
        .shows(" 2 Changes  3 Outputs");
    // The list is there all the same.
    session.keys("2").shows("2 changed outside");
    let plan = r#"{"format_version": "1.2", "terraform_version": "1.9.0", "planned_values": {"root_module": {}}, "resource_changes": [],
        "output_changes": {"address": {"actions": ["update"], "before": "a", "after": "b", "after_unknown": false,
                                       "before_sensitive": false, "after_sensitive": false}}}"#;
    let mut session = Session::open_bytes("plan.json", plan.as_bytes(), (120, 40));
    session
        .keys("b<wait>")
        .shows("1 output changes")
        .hides("no changes");
    session
        .keys("2")
        .shows("Changes · 1 output ")
        .shows(r#"~ address  "a" → "b""#)
        .hides("no changes");
}

#[test]
fn a_name_that_nothing_has_is_answered_with_the_nearest_one() {
    let mut session = open();
    session
        .keys("guqeue<Enter><wait>")
        .shows("lab_queue.queue` is alike");
}
