//! Finding and filtering in the view in front.

use super::harness::Session;

const WIDE: (u16, u16) = (120, 40);
const PLAN: &str = "tfplan-json/shop.json";

#[test]
fn changes_are_filtered_by_their_values() {
    let mut session = Session::open(PLAN, WIDE);
    session
        .keys("2<wait>fold:t3.small<Enter>")
        .shows("1 of 14 changes")
        .shows("filter: old:t3.small")
        .shows("web[0]")
        .hides("counter");
    session.keys("fpath:**.n<C-u>path:triggers.*<Enter>");
    session.shows("counter").hides("web[0]");
    session
        .keys("f<C-u>kind:follows<Enter>")
        .shows("db_proxy_target")
        .hides("counter");
    // A masked value is never found by its content.
    session.keys("f<C-u>old:plan-hunter2<Enter>");
    session.shows("no change found for old:plan-hunter2");
}

#[test]
fn a_found_change_leads_to_its_property() {
    let mut session = Session::open(PLAN, WIDE);
    session.keys("2<wait>/path:instance_type<Enter>");
    let line = session.cursor_line_of_focus();
    assert!(line.contains("instance_type"), "{}", session.text());
}

#[test]
fn fields_about_changes_are_refused_elsewhere() {
    for view in ["b", "1", "4"] {
        let mut session = Session::open(PLAN, WIDE);
        session
            .keys(view)
            .keys("<wait>/db !kind:gone")
            .shows("^ kind: works in the Changes view only");
        session
            .keys("<Enter>")
            .shows("this is not a query")
            .shows("kind: works in the Changes view only");
    }
}

#[test]
fn fields_about_changes_are_completed_in_changes() {
    let mut session = Session::open(PLAN, WIDE);
    session.keys("2<wait>/ki<Tab>").shows("/ kind:");
    session.keys("wa<Tab>").shows("/ kind:warning");
    session.keys("<C-u>path:trig<Tab>").shows("/ path:triggers");
    session.keys("<Esc>1<wait>/ki<Tab>").hides("kind:");
}

#[test]
fn a_query_about_the_brief_waits_for_it() {
    let mut session = Session::open_held(PLAN, WIDE);
    session.deliver(1);
    session
        .keys("2fkind:danger")
        .shows("waiting for the brief of the changes")
        .shows("0 hits so far");
    session
        .settle()
        .shows("1 hit")
        .shows("▶ aws_db_instance.main");
    session.keys("<Enter>").shows("1 of 14 changes");
    // Read again, the filter waits again.
    session.keys("R").settle().shows("1 of 14 changes");
}
