//! A file that arrives piece by piece.

use super::harness::Session;

const WIDE: (u16, u16) = (120, 40);
const STATE: &str = "pulumi-state/shop.json";

#[test]
fn the_first_resources_show_before_the_end_of_the_file() {
    let mut session = Session::open_held(STATE, WIDE);
    session.shows("reading").shows("Esc stops");
    // Opened, and the first batch.
    session.deliver(2);
    session.shows("shop-prod").shows("Esc stops").shows("%");
    session.keys("jjj").shows("4/");
    let line = session.cursor_line();
    session.deliver(usize::MAX);
    session.hides("Esc stops").shows("READ-ONLY");
    let name = |line: &str| {
        let mut words = line.split_whitespace();
        words
            .find(|word| word.starts_with(char::is_alphabetic))
            .map(str::to_owned)
    };
    assert_eq!(name(&session.cursor_line()), name(&line));
}

#[test]
fn escape_stops_loading_and_keeps_what_was_read() {
    let mut session = Session::open_held(STATE, WIDE);
    session.deliver(2);
    session.keys("<Esc>").shows("stopping; what was read stays");
    assert!(session.has_stopped);
    session.shows("shop-prod");
}

#[test]
fn a_file_that_changes_is_noticed() {
    let mut session = Session::open(STATE, WIDE);
    session.event(stacklens::tui::event::Event::FileChanged);
    session.shows("the file changed since it was opened; R reads it again");
    session.keys("R").shows("read again");
}

#[test]
fn trouble_in_the_file_is_listed() {
    let mut session = Session::open("bad/truncated.tfstate", WIDE);
    session.keys("5<wait>").shows("Problems").shows("error");
}

#[test]
fn a_filter_finds_what_comes_after_it_was_set() {
    let mut session = Session::open_held(STATE, WIDE);
    session.deliver(2);
    session
        .keys("fname:orders-<Enter>")
        .shows("filter: name:orders-");
    session.deliver(usize::MAX);
    session
        .shows("orders-db")
        .shows("orders-url")
        .hides("legacy-logs");
    session.keys("<Esc>").shows("legacy-logs");
}

#[test]
fn reading_again_finds_what_was_chosen() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("state.json");
    let resource = |name: &str, size: u32| {
        format!(
            r#"{{"urn":"urn:pulumi:s::p::k:m:T::{name}","custom":true,"type":"k:m:T","id":"1","outputs":{{"arn":"x","size":{size},"zone":"z"}}}}"#
        )
    };
    let write = |names: &[&str], size: u32| {
        let resources: Vec<_> = names.iter().map(|name| resource(name, size)).collect();
        let text = format!(
            r#"{{"version":3,"deployment":{{"manifest":{{}},"resources":[{}]}}}}"#,
            resources.join(",")
        );
        std::fs::write(&path, text).unwrap();
    };
    write(&["a", "b", "c"], 1);
    let mut session = Session::open_path(path.clone(), WIDE);
    session.keys("jl jk<Tab>j").shows("root.size");
    write(&["new", "c", "b", "a"], 2);
    session.keys("R").shows("read again").shows("root.size");
    session.shows("▾ b").shows("size  2").shows("●");
    // A filter stays, and finds what is new.
    session.keys("<Tab>fname:a,new<Enter>").shows("/2");
    write(&["new", "a", "other", "new2"], 3);
    session.keys("R").shows("filter: name:a,new").shows("/3");
}

#[test]
fn nothing_is_called_final_before_the_file_is_read() {
    let mut session = Session::open_held("tfplan-json/shop.json", WIDE);
    session.deliver(1);
    session
        .keys("2<wait>")
        .shows("the file is still being read");
    session.keys("5<wait>").shows("no problems so far");
    session.deliver(usize::MAX);
    session.keys("2<wait>").hides("still being read");
    session.keys("5<wait>").hides("so far");
}

#[test]
fn a_stack_without_outputs_says_so() {
    let mut session = Session::open("tfplan-json/format-1.2.json", WIDE);
    session.keys("3<wait>").shows("no outputs");
}

#[test]
fn below_an_overlay_nothing_is_said_of_keys_that_it_takes() {
    let mut session = Session::open(STATE, WIDE);
    session.shows("c copies this URN");
    session.keys("?").hides("c copies this URN");
    session.keys("<Esc>").shows("c copies this URN");
}
