//! The person's choices for the explorer, and a file that is read again when it changes.

use std::fs;
use std::path::Path;

use stacklens::load::Input;
use stacklens::tui::command::View;
use stacklens::tui::event::Event;
use stacklens::tui::preferences::Preferences;

use super::harness::Session;

const SIZE: (u16, u16) = (120, 40);

fn open(fixture: &str, preferences: &Preferences) -> Session {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(fixture);
    Session::open_as(Input::path(path), preferences, SIZE)
}

const PLAN: &str = "tests/corpus/tfplan-json/shop.json";
const STATE: &str = "tests/corpus/pulumi-state/shop.json";

#[test]
fn a_file_opens_on_the_preferred_view_if_it_has_it() {
    let view = |fixture, first_view| {
        let preferences = Preferences {
            first_view,
            ..Preferences::default()
        };
        open(fixture, &preferences).app.window.view
    };
    assert_eq!(view(PLAN, None), View::Brief);
    assert_eq!(view(PLAN, Some(View::Changes)), View::Changes);
    assert_eq!(view(PLAN, Some(View::Resources)), View::Resources);
    assert_eq!(view(STATE, None), View::Resources);
    assert_eq!(view(STATE, Some(View::Problems)), View::Problems);
    assert_eq!(view(STATE, Some(View::Brief)), View::Brief);
}

#[test]
fn unchanged_neighbors_and_the_mouse_are_there_from_the_start() {
    let preferences = Preferences {
        context: 3,
        mouse: true,
        ..Preferences::default()
    };
    let mut session = open(PLAN, &preferences);
    assert!(session.app.window.mouse);
    session.keys("2");
    assert_eq!(session.app.views.changes.difference.context, 3);
}

#[test]
fn the_history_of_queries_ends_where_the_setting_says() {
    let preferences = Preferences {
        n_queries: 1,
        ..Preferences::default()
    };
    let mut session = open(STATE, &preferences);
    session.keys("/vpc<Enter>/orders<Enter>/");
    session.shows("orders").shows("recent");
    let recent = session.text().matches("recent").count();
    assert_eq!(recent, 1);
}

fn state(names: &[&str]) -> String {
    let resource = |name: &&str| {
        format!(
            r#"{{"urn":"urn:pulumi:s::p::k:m:T::{name}","custom":true,"type":"k:m:T","id":"id-{name}","outputs":{{"a":1}}}}"#
        )
    };
    let resources: Vec<_> = names.iter().map(resource).collect();
    format!(
        r#"{{"version":3,"deployment":{{"manifest":{{}},"resources":[{}]}}}}"#,
        resources.join(",")
    )
}

#[test]
fn a_watched_file_is_read_again_and_the_place_stays() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("state.json");
    fs::write(&path, state(&["one", "two", "three"])).unwrap();
    let preferences = Preferences {
        watch: true,
        ..Preferences::default()
    };
    let mut session = Session::open_as(Input::path(&path), &preferences, SIZE);
    session.shows("watched").keys("gutwo<Enter>");
    let selected = |session: &Session| {
        let id = session.app.session.current.unwrap();
        session.app.session.stack().name(id).to_owned()
    };
    assert_eq!(selected(&session), "two");
    fs::write(&path, state(&["zero", "one", "two", "three", "four"])).unwrap();
    session.event(Event::FileChanged);
    session.settle();
    session.shows("the file changed: read again").shows("four");
    assert_eq!(selected(&session), "two");
    // Somebody who types is not disturbed.
    session.keys("/tw");
    fs::write(&path, state(&["two"])).unwrap();
    session.event(Event::FileChanged);
    session.settle();
    session.shows("four").keys("<Esc>").settle();
    assert_eq!(session.app.session.stack().len(), 1);
}

#[test]
fn a_file_that_is_not_watched_is_only_reported() {
    let mut session = open(STATE, &Preferences::default());
    session.event(Event::FileChanged);
    session.shows("the file changed since it was opened");
    assert!(!session.text().contains("watched"));
}
