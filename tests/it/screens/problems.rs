//! The list of problems.

use super::harness::Session;

#[test]
fn problems_of_one_kind_stand_together_below_their_count() {
    let urn = |name: &str| format!("urn:pulumi:s::p::k:m:T::{name}");
    let resource = |name: &str, more: &str| {
        let urn = urn(name);
        format!(r#"{{"urn":"{urn}","custom":true,"type":"k:m:T","id":"1"{more}}}"#)
    };
    let lost = |name: &str| resource(name, &format!(r#","dependencies":["{}"]"#, urn("gone")));
    let loose = resource(
        "loose",
        &format!(
            r#","outputs":{{"to":{{"4dabf18193072939515e22adb298388d":"5cf8f73096256a8f31e491e813e4eb8e","urn":"{}"}}}}"#,
            urn("nowhere")
        ),
    );
    let all = [lost("one"), loose, lost("two"), lost("three")].join(",");
    let text = format!(r#"{{"version":3,"deployment":{{"manifest":{{}},"resources":[{all}]}}}}"#);
    let mut session = Session::open_bytes("s.json", text.as_bytes(), (120, 30));
    session
        .keys("5<wait>")
        .shows(" (4)")
        .shows("it depends on …, which is not in this file (3)");
    let screen = session.text();
    let row = |name: &str| {
        let mut rows = screen.lines();
        rows.position(|line| line.contains(&format!("{name}  ")))
    };
    assert_eq!(row("three"), row("two").map(|row| row + 1), "{screen}");
    assert!(row("loose") > row("three"), "{screen}");
    session.keys("GG<Enter>").shows("[1 Resources");
}

#[test]
fn a_problem_is_named_once() {
    let mut session = Session::open("tf-ui-json/web-apply.jsonl", (120, 30));
    session
        .keys("5j")
        .shows("Modification errored after 3s")
        .hides("aws_db_instance.orders: Modification");
    // The line below the list has the URN of the selected problem.
    let mut session = Session::open_bytes("demo", stacklens::cli::demo::PREVIEW, (120, 30));
    session.keys("5<wait>").shows("▶warning orders-db");
    assert_eq!(session.text().matches("::orders-db").count(), 1);
}

#[test]
fn a_file_that_does_not_open_says_so_once() {
    let mut session = Session::open("bad/other.json", (100, 24));
    session
        .shows("this is JSON of another kind")
        .shows("try again")
        .hides("0 notes");
    assert_eq!(session.text().matches("of another kind").count(), 1);
}

#[test]
fn without_a_file_no_view_claims_to_know_one() {
    let gone = std::path::PathBuf::from("/nowhere/plan.json");
    let mut session = Session::open_path(gone, (100, 24));
    session
        .shows("/nowhere/plan.json: no such file")
        .hides("os error");
    for key in ["b", "2", "3", "4"] {
        session
            .keys(key)
            .shows("nothing is open")
            .hides("counting")
            .hides("a state has no changes")
            .hides("select a resource");
    }
}

/// The demo has a warning, and a note of information, which the header does not count.
#[test]
fn the_frame_and_the_header_count_the_same_problems() {
    let mut session = Session::open_bytes("demo", stacklens::cli::demo::PREVIEW, (120, 30));
    session
        .keys("5<wait>")
        .shows("[5 Problems 1]")
        .shows("1 problem · 1 info");
    session
        .keys("forders<Enter>")
        .shows("[5 Problems 1]")
        .shows("0 of 1 info");
    session.keys("<Esc>").shows("1 problem · 1 info");
}
