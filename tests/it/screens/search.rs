//! Searching, from keys to the screen.

use ratatui::style::Modifier;
use stacklens::tui::theme::{Depth, Palette};

use super::harness::Session;

const WIDE: (u16, u16) = (120, 40);

fn state() -> Session {
    Session::open("pulumi-state/shop.json", WIDE)
}

#[test]
fn hits_are_listed_while_typing_and_both_panes_follow() {
    let mut session = state();
    session.keys("/orders-db pass");
    session
        .shows("▶ orders-db")
        .shows(".password")
        .shows("[secret]")
        .shows("$aws:rds/instance:Instance::orders-db");
    session.hides("hunter");
}

#[test]
fn enter_goes_there_and_esc_returns() {
    let mut session = state();
    session
        .keys("gunetwork<Enter>")
        .shows("shop:net:Network::network");
    session.keys("/'orders-dns").shows("::orders-dns");
    session.keys("<Esc>").shows("shop:net:Network::network");
    session
        .keys("/'orders-dns<Enter>")
        .shows("::orders-dns")
        .shows("[1/");
    session.keys("[").shows("shop:net:Network::network");
}

#[test]
fn a_value_leads_to_its_row() {
    let mut session = state();
    session.keys("/=10.0.0.0/16 @cidrBlock");
    session.shows("▶  cidrBlock");
    session.keys("<Enter>").shows("▶  cidrBlock").shows("[1/");
}

#[test]
fn next_and_previous_go_around() {
    let mut session = state();
    session.keys("/type:subnet<Enter>");
    let n = session.text().matches("[1/").count();
    assert_eq!(n, 1);
    session.keys("n").shows("[2/");
    session.keys("NN").hides("[2/").hides("[1/");
}

#[test]
fn the_query_becomes_a_filter_of_the_tree() {
    let mut session = state();
    session.keys("/type:subnet<C-f>");
    session
        .shows("filter: type:subnet")
        .shows("subnet-a")
        .hides("legacy-logs");
    session.keys("<Esc>").shows("legacy-logs");
    session.keys("ftype:subnet<Enter>").hides("legacy-logs");
    session.keys("f<C-u><Enter>").shows("legacy-logs");
}

#[test]
fn paths_are_completed_and_their_length_is_said() {
    let mut session = state();
    session.keys("/@tags.").shows("tags in ").shows("Name ");
    session.keys("Na<Tab>").shows("/ @tags.Name");
    session.keys(".x").shows("tags.Name is as far as it leads");
}

#[test]
fn an_error_stands_at_its_column_and_the_last_answer_stays() {
    let mut session = state();
    session.keys("/orders-dns").shows("▶ orders-dns");
    session
        .keys(" is:secrte")
        .shows("^ expected one of custom")
        .shows("▶ orders-dns");
}

#[test]
fn a_masked_value_is_never_found() {
    let mut session = state();
    session.keys("/=hunter2").shows("nothing found");
}

#[test]
fn the_key_under_the_cursor_is_found_elsewhere() {
    let mut session = state();
    session
        .keys("/@cidrBlock<Enter>*")
        .shows("@**.cidrBlock")
        .shows("▶  cidrBlock");
    session.keys("#").shows("@**.cidrBlock");
}

#[test]
fn matched_letters_stand_out() {
    let mut session = state();
    session.keys("/orders");
    let marks = Modifier::BOLD | Modifier::UNDERLINED;
    for depth in [Depth::None, Depth::True] {
        let runs = session.styled(depth, Palette::Dark);
        let marked = runs
            .iter()
            .filter(|(text, style)| text == "orders" && style.add_modifier.contains(marks));
        assert!(marked.count() > 1, "{runs:?}");
    }
}

#[test]
fn what_is_only_before_a_change_has_a_row_of_its_own() {
    let mut session = Session::open("tfplan-json/shop.json", WIDE);
    session
        .keys("1<wait>/=db-1 @id name:aws_db_instance.main")
        .shows("before.outputs.id")
        .keys("<Enter>")
        .shows("▾ outputs before the change")
        .shows("▶    id ");
    session.keys("yy");
    session.keys("yP");
    session.keys("yj");
    assert_eq!(
        session.copied,
        [
            "db-1",
            "/resource_changes/1/change/before/id",
            r#".resource_changes[] | select(.address == "aws_db_instance.main") | .change.before.id"#
        ]
    );
    // What is secret on one side only is masked on both.
    session.hides("plan-hunter2");
}

#[test]
fn a_string_that_holds_a_document_is_a_row_to_land_on() {
    let mut session = Session::open("tfplan-json/shop.json", WIDE);
    session.keys("1<wait>/@policy<Enter>").shows("▶▸ policy");
    session.keys("yp");
    assert_eq!(session.copied, ["aws_s3_bucket_policy.assets.policy"]);
}
