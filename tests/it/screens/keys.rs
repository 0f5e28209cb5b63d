//! The line of hints, the popup of key sequences, the help and the palette.

use stacklens::cli::demo;

use super::harness::Session;

const STATE: &str = "pulumi-state/shop.json";

#[test]
fn the_line_of_hints_always_names_the_help() {
    for size in [(120, 40), (80, 24)] {
        let mut session = Session::open_bytes("demo", demo::PREVIEW, size);
        for key in ["1", "2", "3", "4", "5"] {
            session.keys(key);
            let screen = session.text();
            let last = screen.lines().last().unwrap();
            assert!(last.ends_with("? help"), "view {key}: {last}");
        }
    }
}

#[test]
fn the_hints_of_an_empty_list_of_changes_name_no_key_that_needs_a_row() {
    const EMPTY: &[u8] =
        br#"{"format_version": "1.2", "terraform_version": "1.9.8", "resource_changes": []}"#;
    for size in [(120, 40), (80, 24)] {
        let hints =
            |session: &Session| session.text().lines().last().unwrap_or_default().to_owned();
        let mut session = Session::open_bytes("plan.json", EMPTY, size);
        let hints_of_none = hints(session.keys("2<wait>"));
        for word in [
            "Enter",
            "next change",
            "next unreviewed",
            "actions",
            "side by side",
        ] {
            assert!(!hints_of_none.contains(word), "{hints_of_none}");
        }
        let mut session = Session::open_bytes("demo", demo::PREVIEW, size);
        let hints_of_some = hints(session.keys("2<wait>"));
        assert!(hints_of_some.contains("n next change"), "{hints_of_some}");
    }
}

#[test]
fn a_popup_shows_how_a_sequence_goes_on() {
    for size in [(120, 40), (80, 24)] {
        let mut session = Session::open(STATE, size);
        session
            .keys("g")
            .shows("gp")
            .shows("the parent or the module");
        session.shows("gi").shows("gw").shows("Esc back");
        session.keys("<Esc>").hides("gw").hides("not a key");
        session.keys("z").shows("zR").shows("open all");
        session.keys("R").hides("zR");
    }
}

#[test]
fn an_unknown_key_says_so() {
    let mut session = Session::open(STATE, (80, 24));
    session.keys("Z").shows("Z is not a key here · ? help");
    session.keys("gZ").shows("gZ is not a key here · ? help");
}

#[test]
fn the_help_begins_with_the_keys_of_the_view() {
    let mut session = Session::open_bytes("demo", demo::PREVIEW, (120, 40));
    let first = |session: &Session, group: &str| {
        let screen = session.text();
        let mut lines = screen.lines().skip_while(|line| !line.contains("Keys ·"));
        lines.nth(2).is_some_and(|line| line.contains(group))
    };
    session.keys("2?");
    assert!(first(&session, "Changes"), "{}", session.text());
    // Two columns: a later group is beside the first one.
    session
        .shows("mark as reviewed, and go on")
        .shows("open or close; follow");
    session.keys("<Esc>4?");
    assert!(first(&session, "Deps"), "{}", session.text());
    session
        .keys("transitive")
        .shows("all dependents, transitive");
    session.hides("mark as reviewed");
}

#[test]
fn the_help_has_the_signs_of_the_lists_and_finds_them() {
    let mut session = Session::open("tfplan-json/kinds.json", (120, 40));
    session.keys("?");
    for sign in ["±", "≈", "↗", "-/+"] {
        session.shows(sign);
    }
    session.shows("changed outside").shows("Signs");
    session
        .keys("≈")
        .shows("changed outside")
        .hides("nothing matches");
    session.keys("<BS>signs replace").shows("±").hides("≈");
    session.keys("<Esc>:≈").shows("nothing matches");
}

#[test]
fn the_selected_row_of_the_help_is_read_whole() {
    let mut session = Session::open_bytes("demo", demo::PREVIEW, (110, 30));
    let whole = "write a note on the change, or on the whole group, into the record";
    session.keys("b<wait>?").shows("write a note on the change");
    session.hides(whole).keys("<Down><Down><Down>").shows(whole);
    session.keys("<Up>").hides(whole).shows("keys");
}

#[test]
fn the_palette_lists_only_commands_that_can_run() {
    let mut session = Session::open(STATE, (120, 40));
    session.keys(":reviewed").shows("nothing matches");
    session
        .keys("<Enter>")
        .shows("reviewed is not possible here");
    session
        .keys(":clear-m")
        .shows("nothing matches")
        .keys("<Esc>");
    session.keys("<Space>:clear-m").shows("clear-marks");
}

#[test]
fn nothing_is_offered_where_there_is_nothing() {
    for view in ["1", "2", "b"] {
        let mut session = Session::open("pulumi-state/checkpoint-1-empty.json", (80, 24));
        session.keys(view);
        for word in [
            "/ find",
            "f filter",
            "Enter details",
            "n next",
            ". unchanged",
        ] {
            session.hides(word);
        }
        session.shows("? help");
    }
    let mut session = Session::open("pulumi-state/shop.json", (80, 24));
    session.keys("2").hides("Enter difference").hides("/ find");
    session.keys("1").shows("Enter details").shows("/ find");
}

#[test]
fn a_key_that_moves_the_cursor_of_the_help_moves_something() {
    for size in [(120, 40), (80, 24)] {
        for key in ["<Down>", "<Down><Down>", "<PgDn>"] {
            let mut session = Session::open_bytes("demo", demo::PREVIEW, size);
            session.keys("?").keys(key).hides("no row below");
            session.keys("<Esc>?<Up>").shows("no row above");
        }
    }
}

#[test]
fn the_word_for_enter_in_the_bar_is_the_thing_that_it_does() {
    let mut session = Session::open_bytes("demo", demo::PREVIEW, (120, 40));
    session
        .keys("1/db")
        .shows("Enter go there")
        .hides("Enter filter");
    session
        .keys("<Esc>fdb")
        .shows("Enter filter")
        .hides("Enter go there");
}

#[test]
fn a_value_is_looked_for_where_values_are() {
    let mut session = Session::open_bytes("demo", demo::PREVIEW, (120, 40));
    session
        .keys("b<wait>x")
        .shows("select a value first: 2 shows the values that change, 1 all of a resource");
    session
        .keys("1x")
        .shows("select a value first: l opens a resource, Tab goes to its values");
}
