//! Commands: each one changes something or says in one line that it does not, in every view and in every popup.

use stacklens::cli::demo;
use stacklens::tui::command::{Command, Motion};
use stacklens::tui::keymap::{BINDINGS, Binding};

use super::harness::Session;

const WIDE: (u16, u16) = (120, 40);
const NARROW: (u16, u16) = (80, 24);

/// A file, and the keys that lead to a place in it.
type Place = (&'static str, &'static str);

fn open((file, keys): Place, size: (u16, u16)) -> Session {
    let mut session = match file {
        "demo" => Session::open_bytes("demo", demo::PREVIEW, size),
        file => Session::open(file, size),
    };
    session.holds_verifying = true;
    session.keys(keys);
    session
}

/// The bindings that apply. Of several for one key the first one counts.
fn bindings(session: &Session) -> Vec<&'static Binding> {
    let mut found: Vec<&Binding> = Vec::new();
    for scope in session.app.scopes() {
        for binding in BINDINGS.iter().filter(|it| it.scope == scope) {
            let key = binding.keys.first();
            if key.is_some() && !found.iter().any(|it| it.keys.contains(&binding.keys[0])) {
                found.push(binding);
            }
        }
    }
    found
}

/// Checks every command of a place. The screen and the message are all that a person notices.
fn check(place: Place, size: (u16, u16)) {
    let mut session = open(place, size);
    session.app.message = None;
    let before = session.text();
    for binding in bindings(&session) {
        // A cursor that is at the end stays there, and the others have their effect outside of the screen.
        let is_silent = matches!(
            binding.command,
            Command::Move(Motion::Top | Motion::Bottom) | Command::Suspend | Command::Reload
        );
        if is_silent {
            continue;
        }
        session.press(binding.keys[0]);
        let has_message = session.app.message.take().is_some();
        let is_changed = session.has_quit || session.text() != before;
        assert!(
            has_message || is_changed || !session.copied.is_empty(),
            "{} ({:?}) does nothing and says nothing at {place:?} of {size:?}\n{before}",
            binding.keys[0],
            binding.command
        );
        if is_changed {
            session = open(place, size);
            session.app.message = None;
        }
    }
}

#[test]
fn every_command_of_a_view_changes_something_or_says_so() {
    const VIEWS: [&str; 6] = ["b", "1", "2", "3", "4", "5"];
    for keys in VIEWS
        .iter()
        .chain(&["1<Tab>", "2j", "2G", "2<Tab>j", "4h", "5j"])
    {
        check(("tfplan-json/kinds.json", keys), WIDE);
    }
    for keys in VIEWS {
        check(("pulumi-state/checkpoint-3.json", keys), NARROW);
    }
}

#[test]
fn every_command_of_a_view_without_rows_says_so() {
    for view in ["1", "2", "4", "5"] {
        check(("pulumi-state/checkpoint-1-empty.json", view), NARROW);
    }
}

#[test]
fn every_command_of_a_popup_changes_something_or_says_so() {
    let places = [
        "?", ":", "/", "/b", "f", "gu", "gt", "gf", "Ggi", "2a", "2r", "y", "5/", "5/zzz",
        "G<Tab>e", "G<Tab>T",
    ];
    for keys in places {
        check(("tfplan-json/kinds.json", keys), WIDE);
    }
    let backend = "backend/.pulumi/stacks/shop/dev.json";
    for place in [
        ("pulumi-state/vault.json", "gudoor<Enter><Tab>x"),
        (backend, "gl"),
        (backend, "gf"),
        (backend, "gf/"),
    ] {
        check(place, WIDE);
    }
}

#[test]
fn the_folds_of_the_changes_open_and_close_together() {
    let mut session = Session::open_bytes("demo", demo::PREVIEW, WIDE);
    session.keys("2<wait>ttt").shows("by action");
    session.keys("zM").shows("▸ imported").hides("▾");
    session.keys("zM").shows("nothing to close in this view");
    session.keys("zR").shows("▾ imported").hides("▸ ");
    session.keys("zR").shows("nothing to open in this view");
    session.keys("zMz1").shows("▾ imported");
    // The cursor stays on its row, or goes to the heading that hides it.
    session.keys("G");
    let line = session.cursor_line();
    session.keys("H");
    let heading = session.cursor_line();
    assert_ne!(line, heading);
    session.keys("GzM");
    let name = |line: &str| {
        line.trim_start_matches(['│', '▶', ' ', '▸', '▾'])
            .to_owned()
    };
    let first = |line: &str| name(line).split(' ').next().unwrap_or_default().to_owned();
    assert_eq!(first(&session.cursor_line()), first(&heading));
    // A closed heading opens with everything below.
    session.keys("zO").shows("▾");
    session.keys("zc").hides("▾");
}

#[test]
fn the_folds_of_modules_open_by_level() {
    let mut session = Session::open("tfplan-json/shop.json", WIDE);
    session.keys("2<wait>");
    while !session.text().contains("by module") {
        session.keys("t");
    }
    session.keys("zR");
    let all = session.text();
    session.keys("zM").hides("▾ module.");
    let none = session.text();
    session.keys("z1");
    let first = session.text();
    assert!(first != none, "{first}");
    session.keys("z9");
    // The position of the cursor differs.
    let folds = |screen: &str| screen.matches('▾').count();
    assert_eq!(folds(&session.text()), folds(&all));
}

#[test]
fn the_folds_of_the_problems_answer_from_every_row() {
    let resource = |name: &str| {
        format!(
            r#"{{"urn":"urn:pulumi:s::p::k:m:T::{name}","custom":true,"type":"k:m:T","id":"1","dependencies":["urn:pulumi:s::p::k:m:T::gone"]}}"#
        )
    };
    let text = format!(
        r#"{{"version":3,"deployment":{{"manifest":{{}},"resources":[{}]}}}}"#,
        resource("red")
    );
    let mut session = Session::open_bytes("s.json", text.as_bytes(), WIDE);
    for keys in ["zM", "zR", "z1", "zO", "zc", "h", "l"] {
        session.keys("5").keys(keys).shows("nothing to ");
    }
}
