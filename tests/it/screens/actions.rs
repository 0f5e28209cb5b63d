//! Actions that a plan invokes, in the Changes view.

use stacklens::load::Input;

use super::harness::Session;
use crate::cli::actions::PLAN;

#[test]
fn actions_are_listed_with_the_change_that_triggers_them() {
    let mut session = Session::open_bytes("plan.json", PLAN.as_bytes(), (120, 40));
    session
        .keys("2ttt<wait>")
        .shows("update »2")
        .shows("invoked before this change")
        .shows("» action.lab_wash.before  before update")
        .shows("invoked after this change")
        .shows("» action.lab_wash.after  after update")
        .shows("if it fails, the resource is tainted")
        .shows("rounds: (known after apply)")
        .shows("soap: [secret]")
        .hides("hush");
}

#[test]
fn all_actions_are_a_section_of_the_list() {
    let mut session = Session::open_bytes("plan.json", PLAN.as_bytes(), (120, 40));
    session
        .keys("2ttt<wait>")
        .shows("▾ actions (4)")
        .shows("· 4 actions");
    session
        .keys("G")
        .shows("» action.lab_wash.after · will be invoked")
        .shows("triggered by lab_flask.one");
    session
        .keys("kk")
        .shows("» action.lab_ring.later · is deferred")
        .shows("deferred: a");
    // Rows that are not resources cannot be reviewed, copied or explained.
    session.keys("r").shows("select a change");
    session.keys("k").shows("tone: \"a␛[2Jb\"").keys("<Tab>jj");
    // The section closes like any other.
    session.keys("<Tab>k<Enter>").shows("▸ actions (4, hidden)");
    session.keys("gg").shows("invoked before this change");
}

#[test]
fn what_a_plan_invokes_is_no_difference_between_two_files() {
    let file = |name: &str, text: String| Input::bytes(name, text.into_bytes());
    let newer = PLAN.replace(r#""volume": 2"#, r#""volume": 3"#);
    let pair = Input::pair(file("one.json", PLAN.to_owned()), file("two.json", newer));
    let mut session = Session::open_input(pair, (120, 40));
    session
        .keys("2<wait>")
        .shows("2 → 3")
        .hides("actions (")
        .hides("invoked");
}
