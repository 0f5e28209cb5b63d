//! Answers that come late or never: nothing waits for them for good, and none is taken for another.

use stacklens::cli::demo;
use stacklens::load::Input;
use stacklens::load::audit::Progress;
use stacklens::tui::any_job::Takes;
use stacklens::tui::app::App;
use stacklens::tui::event::Event;
use stacklens::tui::jobs::Job;
use stacklens::tui::jobs::audit::AuditPlan;
use stacklens::tui::jobs::deps::Reach;
use stacklens::tui::jobs::explain::Explain;
use stacklens::tui::jobs::read::Read;

use super::harness::Session;

const WIDE: (u16, u16) = (120, 40);

/// A review whose last rows on the screen, from `resize-role` on, wait for explanations that never come.
fn unexplained(input: Input) -> Session {
    let mut session = Session::open_input(input, (120, 14));
    session.keys("2t<wait>016G").hold().keys("jjjj").lose();
    session.app.views.problems.progress = Some(Progress { done: 1, total: 2 });
    session.shows("resize ").hides("code, +1");
    session
}

fn crash<J: Job>(session: &mut Session)
where
    App: Takes<J>,
{
    session.event(Event::Crashed {
        what: J::TOPIC.name,
        lose: <App as Takes<J>>::lose,
    });
}

#[test]
fn a_crash_leaves_only_its_own_row_without_an_explanation() {
    let mut session = unexplained(Input::bytes("demo", demo::PREVIEW));
    crash::<Explain>(&mut session);
    session.shows("explaining ended in a bug");
    let n_asked = session.app.views.changes.list.asked.len();
    assert!(n_asked > 0);
    assert_eq!(
        session.n_late(),
        n_asked,
        "an answer for each of the other rows"
    );
    session.settle().shows("code, +1");
    // Nor is the row that crashed requested again.
    session.keys("k");
    assert!(session.app.views.changes.list.asked.is_empty());
    crash::<AuditPlan>(&mut session);
    session.keys("5").hides("checking the plan");
}

#[test]
fn a_reload_that_fails_leaves_nothing_waiting() {
    for (file, wanted) in [
        (demo::PREVIEW, "code, +1"),
        (PLAN.as_bytes(), "size, zones"),
    ] {
        let mut session = Session::open_bytes("file", file, WIDE);
        session.keys("2ttt<wait>b");
        session.hold().keys("R").deliver(usize::MAX);
        session.keys("2").hides(wanted);
        let is_audited = file == PLAN.as_bytes();
        let progress = Progress { done: 1, total: 2 };
        session.app.views.problems.progress = is_audited.then_some(progress);
        // The answers about the file that is shown come after the failure.
        session.app.session.input = Input::path("no-such-file");
        session.keys("R").deliver(usize::MAX);
        session.shows("no such file").settle().shows(wanted);
        session.keys("5").hides("checking the plan");
    }
}

/// A plan that changes a number, and only the order of a set.
const PLAN: &str = r#"{"format_version": "1.2", "terraform_version": "1.9.0", "planned_values": {"root_module": {}},
    "resource_changes": [
      {"address": "lab_flask.one", "mode": "managed", "type": "lab_flask", "name": "one",
       "provider_name": "registry.terraform.io/acme/lab",
       "change": {"actions": ["update"], "before": {"size": 1, "zones": ["a", "b"]}, "after": {"size": 2, "zones": ["b", "a"]},
                  "after_unknown": {}, "before_sensitive": {}, "after_sensitive": {}}}]}"#;

const SCHEMAS: &str = r#"{"format_version": "1.0", "provider_schemas": {"registry.terraform.io/acme/lab": {"resource_schemas": {
    "lab_flask": {"version": 0, "block": {"attributes": {
        "size": {"type": "number", "optional": true},
        "zones": {"type": ["set", "string"], "optional": true}}}}}}}}"#;

#[test]
fn explanations_from_before_the_schemas_are_dropped() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("plan.json");
    std::fs::write(&path, PLAN).unwrap();
    let mut session = Session::open_path(path.clone(), WIDE);
    session.keys("2ttt<wait>").shows("size, zones");
    std::fs::write(folder.path().join("plan.schemas.json"), SCHEMAS).unwrap();
    session.hold().keys("R").deliver(usize::MAX);
    // The explanation that is requested now comes after the schemas, but was made without them.
    session.keys("k");
    assert!(!session.app.views.changes.list.asked.is_empty());
    assert!(session.app.session.schemas.is_none());
    session.settle().shows(" size").hides("zones");
}

#[test]
fn a_name_that_is_looked_up_for_a_closed_prompt_is_no_answer_to_the_next_one() {
    let mut session = Session::open_bytes("demo", demo::PREVIEW, WIDE);
    session.hold().keys("guorders-db<Enter><Esc>").keys("gucdn");
    session.settle().shows("cdn");
    assert!(!session.app.overlays.is_empty(), "{}", session.text());
    session.keys("<Enter>").settle();
    assert!(session.app.overlays.is_empty(), "{}", session.text());
    session.shows("▶").hides("orders-db ·");
}

#[test]
fn a_ripple_that_comes_late_does_not_take_the_keys() {
    let mut session = Session::open("pulumi-state/shop.json", WIDE);
    session.keys("guvpc<Enter>").hold().keys("gi");
    assert_eq!(session.n_late(), 1);
    session.keys("<Esc>").settle();
    assert!(session.app.overlays.is_empty());
    session
        .keys("gi")
        .settle()
        .shows("What happens when vpc changes");
}

#[test]
fn a_crash_ends_what_it_leaves_waiting() {
    let mut session = Session::open("pulumi-state/shop.json", (200, 50));
    session.keys("guvpc<Enter>").hold().keys("U");
    session.shows("looking …").lose();
    crash::<Reach>(&mut session);
    session.keys("uU").settle();
    session.shows("2 away").hides("looking …");
    let mut session = Session::open("pulumi-state/shop.json", (200, 50));
    session.hold().keys("jjj").lose();
    assert!(session.app.views.resources.detail.read().is_none());
    crash::<Read>(&mut session);
    session.keys("kj").settle();
    assert!(session.app.views.resources.detail.read().is_some());
}
