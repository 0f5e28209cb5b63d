//! What a person does, and what then stands on the screen.

use super::harness::{Session, screen};

const WIDE: (u16, u16) = (120, 40);

#[test]
fn a_state_opens_as_a_tree_and_its_first_resource() {
    let text = screen("pulumi-state/shop.json", "");
    assert!(text.contains("[1 Res]"), "{text}");
    let mut session = Session::open("pulumi-state/shop.json", WIDE);
    session.keys("jjl").shows("Resources").shows("urn:pulumi:");
    session.keys("q");
    assert!(session.has_quit);
}
