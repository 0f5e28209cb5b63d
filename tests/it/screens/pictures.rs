//! Whole screens as snapshots: the first things that a new user sees. The line of keys is left out; it follows the table.

use super::harness::Session;

/// The screen without its last line.
fn picture(fixture: &str, size: (u16, u16), keys: &str) -> String {
    let mut session = Session::open(fixture, size);
    let text = session.keys(keys).text();
    let lines: Vec<&str> = text.lines().collect();
    lines[..lines.len() - 1].join("\n")
}

#[test]
fn a_resource_of_a_state_on_a_wide_screen() {
    let keys = "guorders-db<Enter><Tab>jj";
    insta::assert_snapshot!(picture("pulumi-state/shop.json", (120, 40), keys));
}

#[test]
fn a_tree_on_a_common_screen() {
    insta::assert_snapshot!(picture("tfplan-json/shop.json", (80, 24), "1jj"));
}

#[test]
fn values_on_a_common_screen() {
    let keys = "guassets-policy<Enter><Enter>j<Enter>jlj";
    insta::assert_snapshot!(picture("pulumi-state/shop.json", (80, 24), keys));
}

#[test]
fn a_narrow_screen() {
    insta::assert_snapshot!(picture("pulumi-state/shop.json", (40, 10), "jjj"));
}

#[test]
fn a_question_before_a_secret() {
    let keys = "guorders-pw<Enter><Tab>jjjx";
    insta::assert_snapshot!(picture("pulumi-state/shop.json", (80, 24), keys));
}
