//! Walking dependencies.

use super::harness::Session;

const STATE: &str = "pulumi-state/shop.json";

fn at(name: &str) -> Session {
    let mut session = Session::open(STATE, (120, 40));
    session.keys(&format!("gu{name}<Enter>"));
    session
}

#[test]
fn both_sides_are_listed_and_enter_walks() {
    let mut session = at("orders-db");
    session
        .keys("d")
        .shows("depends on (5")
        .shows("used by (3")
        .shows("(provider)");
    session
        .keys("<Enter>")
        .hides("used by (3")
        .shows("used by (19");
    session.keys("[").shows("used by (3");
}

#[test]
fn what_is_tied_through_others_is_listed_when_asked_for() {
    let mut session = at("vpc");
    session
        .keys("U")
        .shows("through others too")
        .shows("away, by");
    session.keys("u").hides("through others too");
}

#[test]
fn the_impact_list_leads_to_what_it_lists() {
    let mut session = at("vpc");
    session.keys("gi").shows("A change of vpc reaches");
    session.keys("<Enter>").hides("A change of vpc reaches");
}

#[test]
fn the_way_between_two_marked_resources() {
    let mut session = at("vpc");
    session.keys("gw").shows("mark two resources");
    session
        .keys(" guorders-proxy<Enter> gw")
        .shows("The way,")
        .shows("vpc");
}
