//! A saved Pulumi plan and a later preview: changes that the plan does not allow are listed among the problems.

use super::harness::Session;
use stacklens::load::Input;

const PLAN: &str = r#"{"resourcePlans": {
    "urn:pulumi:dev::lab::acme:lab/flask:Flask::one": {
      "goal": {"type": "acme:lab/flask:Flask", "name": "one", "custom": true,
        "inputDiff": {"updates": {"volume": 2, "label": {"4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", "ciphertext": "AAEC"}},
          "deletes": ["old"]}, "outputDiff": {}},
      "steps": ["update"], "state": {}},
    "urn:pulumi:dev::lab::acme:lab/flask:Flask::two": {
      "goal": {"type": "acme:lab/flask:Flask", "name": "two", "custom": true, "inputDiff": {}, "outputDiff": {}},
      "steps": ["same"], "state": {}}},
    "manifest": {"time": "2026-01-01T00:00:00Z", "magic": "m", "version": "v3.200.0"}, "config": {}}"#;

const PREVIEW: &str = r#"{"steps": [
    {"op": "update", "urn": "urn:pulumi:dev::lab::acme:lab/flask:Flask::one",
     "oldState": {"urn": "urn:pulumi:dev::lab::acme:lab/flask:Flask::one", "custom": true, "type": "acme:lab/flask:Flask",
       "inputs": {"volume": 1, "old": "x"}, "outputs": {"volume": 1}},
     "newState": {"urn": "urn:pulumi:dev::lab::acme:lab/flask:Flask::one", "custom": true, "type": "acme:lab/flask:Flask",
       "inputs": {"volume": 3, "old": "x"}, "outputs": {"volume": 3}}},
    {"op": "delete", "urn": "urn:pulumi:dev::lab::acme:lab/flask:Flask::two",
     "oldState": {"urn": "urn:pulumi:dev::lab::acme:lab/flask:Flask::two", "custom": true, "type": "acme:lab/flask:Flask",
       "inputs": {}, "outputs": {}}},
    {"op": "create", "urn": "urn:pulumi:dev::lab::acme:lab/flask:Flask::three",
     "newState": {"urn": "urn:pulumi:dev::lab::acme:lab/flask:Flask::three", "custom": true, "type": "acme:lab/flask:Flask",
       "inputs": {}}}],
    "changeSummary": {"update": 1, "delete": 1, "create": 1}}"#;

#[test]
fn a_saved_plan_beside_a_later_preview_tells_what_it_does_not_allow() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        Input::path(path)
    };
    let pair = Input::pair(write("plan.json", PLAN), write("later.json", PREVIEW));
    let mut session = Session::open_input(pair, (120, 40));
    session
        .keys("5<wait>")
        .shows("the plan was checked against")
        .shows("error   one volume")
        .shows("2 was planned, and it is 3")
        .shows("error   one old  it was to be deleted, but still exists")
        .shows("error   one label  it was planned, but is missing")
        .shows("the plan allows noop, but the action is delete")
        .shows("error   three  it changes, but is not in the plan");
    let row = session.text();
    let found = row.lines().filter(|line| line.contains("error "));
    let volume = found
        .into_iter()
        .position(|line| line.contains("one volume"));
    session
        .keys("gg")
        .keys(&"j".repeat(volume.expect("a finding about the volume")))
        .keys("<Enter>");
    assert!(
        session.cursor_line_of_focus().contains("volume"),
        "{}",
        session.text()
    );
    session.keys("[").shows("Problems");
}
