//! Walking dependencies.

use stacklens::load::Input;

use super::harness::Session;

const STATE: &str = "pulumi-state/shop.json";
const PLAN: &str = "tfplan-json/shop.json";

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
        .shows("used by (1)");
    session.keys("[").shows("used by (3");
    // The row that was left is selected again.
    session.keys("jj");
    let left = session.cursor_line();
    session.keys("<Enter>");
    assert_ne!(session.cursor_line(), left);
    session.keys("[");
    assert_eq!(session.cursor_line(), left);
}

#[test]
fn transitive_neighbors_are_listed_on_request() {
    let mut session = at("vpc");
    session
        .keys("U")
        .shows(", transitive")
        .shows(".subnetIds through")
        .shows("2 away");
    session.keys("u").hides(", transitive");
}

#[test]
fn a_ripple_leads_to_what_it_shows_and_back() {
    let mut session = at("vpc");
    session
        .keys("gi")
        .shows("What happens when vpc changes")
        .shows("22 resources")
        .shows("1 step")
        .shows("2 steps")
        .shows("  .vpcId");
    session
        .keys("j<Enter>")
        .hides("What happens when vpc changes");
    let gone_to = session.cursor_line();
    session.keys("[").shows("What happens when vpc changes");
    session.keys("<Enter>");
    assert_eq!(session.cursor_line(), gone_to);
}

#[test]
fn a_ripple_goes_the_other_way_too() {
    let mut session = at("orders-db");
    session
        .keys("gi")
        .shows("What happens when orders-db changes");
    session
        .keys("i")
        .shows("What orders-db depends on")
        .shows(".dbSubnetGroupName")
        .shows("orders-subnets");
    session.keys("i").hides("orders-subnets");
}

#[test]
fn a_ripple_is_the_same_list_at_every_width() {
    for size in [(80, 24), (120, 40), (200, 50)] {
        let mut session = Session::open(PLAN, size);
        session
            .keys("guaws_db_instance.main<Enter>gi")
            .shows("What happens when ± aws_db_instance.main is replaced")
            .shows("▶ ± aws_db_instance.main")
            .shows("cause")
            .shows("│ ± aws_db_proxy_target.main  steps 3, 4  .db ← id")
            .shows("1 step");
    }
}

/// A plan: `app` uses `net`, which is replaced, old object first; `old` used it and is deleted; `dns` uses `app`.
#[test]
fn a_ripple_of_a_plan_has_the_order_of_the_apply() {
    let resource = |name: &str, actions: &str| {
        let before = if actions.contains("delete") || actions == "\"update\"" {
            r#"{"id": "1"}"#
        } else {
            "null"
        };
        let after = if actions == "\"delete\"" {
            "null"
        } else {
            r#"{"id": "2"}"#
        };
        format!(
            r#"{{"address": "x_t.{name}", "mode": "managed", "type": "x_t", "name": "{name}", "provider_name": "p",
            "change": {{"actions": [{actions}], "before": {before}, "after": {after}, "after_unknown": {{}}}}}}"#
        )
    };
    let configured = |name: &str, needs: &str| {
        format!(
            r#"{{"address": "x_t.{name}", "mode": "managed", "type": "x_t", "name": "{name}",
            "expressions": {{"from": {{"references": [{needs}]}}}}}}"#
        )
    };
    let net = r#""x_t.net.id", "x_t.net""#;
    let plan = format!(
        r#"{{"format_version": "1.2", "terraform_version": "1.9.0", "planned_values": {{"root_module": {{}}}},
        "resource_changes": [{}, {}, {}, {}],
        "configuration": {{"root_module": {{"resources": [{}, {}, {}, {}]}}}}}}"#,
        resource("app", r#""create", "delete""#),
        resource("dns", r#""update""#),
        resource("net", r#""delete", "create""#),
        resource("old", r#""delete""#),
        configured("app", net),
        configured("dns", r#""x_t.app.id", "x_t.app""#),
        configured("net", ""),
        configured("old", net),
    );
    let mut session = Session::open_bytes("plan.json", plan.as_bytes(), (120, 24));
    session
        .keys("gux_t.net<Enter>gi")
        .shows("1 delete  2 replace  1 update")
        .shows("± x_t.net  steps 2, 3")
        .shows("- x_t.old  step 1")
        .shows("± x_t.app  steps 4, 6")
        .shows("~ x_t.dns  step 5")
        .shows("destroyed in step 2, created in step 3 of 6");
}

#[test]
fn a_ripple_names_the_kind_of_an_edge_without_a_property() {
    let urn = |name: &str| format!("urn:pulumi:s::p::k:m:T::{name}");
    let text = format!(
        r#"{{"version":3,"deployment":{{"manifest":{{}},"resources":[
            {{"urn":"{top}","type":"k:m:T"}},
            {{"urn":"{child}","custom":true,"type":"k:m:T","id":"1","parent":"{top}"}},
            {{"urn":"{user}","custom":true,"type":"k:m:T","id":"1","dependencies":["{top}"]}},
            {{"urn":"{gone}","custom":true,"type":"k:m:T","id":"1","deletedWith":"{top}"}}]}}}}"#,
        top = urn("top"),
        child = urn("kid"),
        user = urn("user"),
        gone = urn("gone"),
    );
    let mut session = Session::open_bytes("s.json", text.as_bytes(), (120, 30));
    session.keys("gutop<Enter>gi");
    session
        .shows("│ kid  (parent)")
        .shows("│ user  (dependency)")
        .shows("│ gone  (deleted-with)");
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

#[test]
fn both_columns_name_the_property_that_carries_the_edge() {
    let mut session = at("orders-db");
    session
        .keys("u")
        .shows("orders-target  .dbInstanceIdentifier")
        .shows("orders-url  .value")
        .shows("orders-dns  .records");
    session
        .shows("orders-subnets  .dbSubnetGroupName")
        .shows("from the program");
    // In a plan, the configuration also gives the attribute that is used.
    let mut session = Session::open(PLAN, (160, 40));
    session
        .keys("guaws_db_instance.main<Enter>u")
        .shows("± aws_db_proxy_target.main  .db ← id");
    session
        .keys("<Enter>")
        .shows("depends on (1)")
        .shows("aws_db_instance.main  .db ← id");
}

#[test]
fn keys_are_about_the_middle_and_the_same_key_goes_on() {
    let mut session = at("orders-target");
    session.keys("d").shows("┌ orders-target ·");
    // The dependents, then the whole graph.
    session.keys("u").shows("┌ orders-target ·");
    session
        .keys("D")
        .shows("┌ orders-target ·")
        .shows(", transitive");
    session
        .keys("d")
        .shows("┌ orders-target ·")
        .hides(", transitive");
    let first = session.cursor_line();
    session.keys("d").hides("┌ orders-target ·");
    let name = first.split_whitespace().nth(1).unwrap().to_owned();
    session.shows(&format!("┌ {name} ·"));
    session.keys("[").shows("┌ orders-target ·");
}

#[test]
fn the_longest_known_prefix_is_shown_below() {
    at("vpc").keys("u").shows("21 transitively");
    let mut session = Session::open(STATE, (120, 12));
    session.keys("guvpc<Enter>U").shows("+").shows("more");
}

#[test]
fn circles_do_not_hold_up_anything() {
    let urn = |name: &str| format!("urn:pulumi:s::p::k:m:T::{name}");
    let resource = |name: &str, needs: &str| {
        let (urn, needs) = (urn(name), urn(needs));
        format!(
            r#"{{"urn":"{urn}","custom":true,"type":"k:m:T","id":"1","dependencies":["{needs}"],"propertyDependencies":{{"next":["{needs}"]}}}}"#
        )
    };
    let all = [
        resource("a", "b"),
        resource("b", "c"),
        resource("c", "a"),
        resource("self", "self"),
    ];
    let text = format!(
        r#"{{"version":3,"deployment":{{"manifest":{{}},"resources":[{}]}}}}"#,
        all.join(",")
    );
    let mut session = Session::open_bytes("s.json", text.as_bytes(), (120, 30));
    session
        .keys("gua<Enter>D")
        .shows("depends on (2, transitive)");
    session.keys("U").shows("used by (2, transitive)");
    session
        .keys("gi")
        .shows("What happens when a changes")
        .shows("3 resources");
    session.keys("<Esc>1guself<Enter>d").shows("depends on (0)");
}

#[test]
fn a_narrow_screen_says_whose_sides_these_are_and_begins_where_something_is() {
    let mut session = Session::open("tfstate/shop.tfstate", (80, 24));
    session.keys("4");
    session.shows("aws_db_instance.main · depends on 0 · used by [1] · h other side");
    session
        .keys("h")
        .shows("aws_db_instance.main · depends on [0] · used by 1 · l other side");
}

#[test]
fn a_row_shows_the_type_if_there_is_room() {
    let mut session = at("orders-db");
    session.keys("u").shows("aws:ssm:Parameter");
    // The last part of a type replaces the whole one where that has no room.
    let text = session.text();
    let parent = text.lines().find(|line| line.contains("(parent)")).unwrap();
    assert!(
        parent.contains("  Database ") && !parent.contains(":Database"),
        "{parent}"
    );
}

#[test]
fn the_prior_state_has_the_needs_of_what_the_plan_deletes() {
    let change = |name: &str, key: &str| {
        format!(
            r#"{{"address":"t_x.{name}[{key}]","mode":"managed","type":"t_x","name":"{name}","index":{key},"provider_name":"p",
            "change":{{"actions":["delete"],"before":{{"id":"1"}},"after":null,"after_unknown":{{}}}}}}"#
        )
    };
    let text = format!(
        r#"{{"format_version":"1.2","terraform_version":"1.5.0","resource_changes":[{},{},{}],
        "prior_state":{{"format_version":"1.0","values":{{"outputs":{{}},"root_module":{{"resources":[
            {{"address":"t_x.pet[0]","mode":"managed","type":"t_x","name":"pet","values":{{}}}},
            {{"mode":"managed","address":"t_x.bag[0]","type":"t_x","name":"bag","values":{{}},"depends_on":["t_x.pet"]}},
            {{"address":"t_x.bag[1]","mode":"managed","type":"t_x","name":"bag","values":{{}}}}]}}}}}},
        "configuration":{{"root_module":{{}}}}}}"#,
        change("pet", "0"),
        change("bag", "0"),
        change("bag", "1"),
    );
    let mut session = Session::open_bytes("p.json", text.as_bytes(), (120, 40));
    session
        .keys("gut_x.pet[0]<Enter>gi")
        .hides("nothing uses")
        .shows("What happens when - t_x.pet[0] is destroyed")
        .shows("t_x.bag[0]")
        .hides("t_x.bag[1]");
}

/// A state with these resources, each with the addresses of its dependencies.
fn state(resources: &[(&str, &[&str])]) -> Vec<u8> {
    let resources = resources.iter().map(|(name, needs)| {
        let needs: Vec<String> = needs.iter().map(|need| format!("lab_box.{need}")).collect();
        format!(
            r#"{{"mode": "managed", "type": "lab_box", "name": "{name}", "provider": "provider[\"registry.terraform.io/acme/lab\"]",
            "instances": [{{"schema_version": 0, "attributes": {{"id": "{name}"}}, "dependencies": {needs:?}}}]}}"#
        )
    });
    let resources: Vec<String> = resources.collect();
    format!(
        r#"{{"version": 4, "terraform_version": "1.9.0", "serial": 1, "lineage": "l", "outputs": {{}}, "resources": [{}]}}"#,
        resources.join(",")
    )
    .into_bytes()
}

#[test]
fn what_a_state_records_may_be_no_more_than_a_longer_way() {
    let text = state(&[
        ("net", &[]),
        ("disk", &["net", "part"]),
        ("other", &["net"]),
        ("part", &["net"]),
    ]);
    let mut session = Session::open_bytes("s.tfstate", &text, (120, 30));
    session.keys("gulab_box.net<Enter>u<wait>");
    session
        .shows("used by (2 direct, 1 through them)")
        .shows("may be direct or not");
    // The direct ones come first, and the cursor is on the first of them.
    let line = session.cursor_line();
    assert!(line.contains("lab_box.other"), "{line}");
    session.keys("jj");
    let line = session.cursor_line();
    assert!(
        line.contains("lab_box.disk  through lab_box.part"),
        "{line}"
    );
}

#[test]
fn what_only_the_old_file_has_keeps_its_dependencies() {
    let old = state(&[
        ("apex", &["gone"]),
        ("base", &[]),
        ("gone", &["base", "lost"]),
        ("lost", &[]),
    ]);
    let new = state(&[("base", &[]), ("more", &[]), ("apex", &[])]);
    let [old, new] = [("old.tfstate", old), ("new.tfstate", new)]
        .map(|(name, bytes)| stacklens::load::Input::bytes(name.to_owned(), bytes));
    let mut session = Session::open_input(stacklens::load::Input::pair(old, new), (140, 40));
    session.keys("1/gone<Enter>d");
    session
        .shows("depends on (2)")
        .shows("base")
        .shows("lost")
        .shows("used by (1)")
        .shows("apex");
    // Dependencies that the new file no longer has are not taken from the old one.
    session
        .keys("[/base<Enter>d")
        .shows("used by (1)")
        .shows("gone");
}

/// Two modules with the same resource in them.
const TWINS: &str = r#"{"version": 4, "terraform_version": "1.9.0", "serial": 1, "lineage": "a", "outputs": {}, "resources": [
    {"mode": "managed", "type": "lab_ring", "name": "root", "provider": "provider[\"example.com/a/lab\"]",
     "instances": [{"attributes": {"id": "r"}}]},
    {"module": "module.one.module.inner", "mode": "managed", "type": "lab_flask", "name": "leaf",
     "provider": "provider[\"example.com/a/lab\"]", "instances": [{"attributes": {"id": "1"}, "dependencies": ["lab_ring.root"]}]},
    {"module": "module.two", "mode": "managed", "type": "lab_flask", "name": "leaf",
     "provider": "provider[\"example.com/a/lab\"]", "instances": [{"attributes": {"id": "2"}, "dependencies": ["lab_ring.root"]}]}]}"#;

#[test]
fn resources_in_modules_are_told_apart() {
    let input = Input::bytes("twins.tfstate", TWINS.as_bytes());
    let mut session = Session::open_input(input, (200, 50));
    session.keys("gulab_ring.root<Enter>");
    // The sides of the dependencies and the ripple.
    session
        .keys("4")
        .shows("one.inner.lab_flask.leaf")
        .shows("two.lab_flask.leaf");
    session
        .keys("gi")
        .shows("one.inner.lab_flask.leaf")
        .shows("two.lab_flask.leaf");
}

#[test]
fn without_a_resource_nothing_is_looked_for() {
    let mut session = Session::open(STATE, (120, 40));
    session
        .keys("1G4")
        .shows("select a resource")
        .hides("looking")
        .hides("(…)");
}

#[test]
fn a_long_name_leaves_the_sides_in_the_title() {
    let urn = |name: &str| format!("urn:pulumi:prod::shop::a:b:C::{name}");
    let name = "日本語".repeat(60);
    let state = format!(
        r#"{{"version":3,"deployment":{{"manifest":{{}},"resources":[
        {{"urn":"{}","custom":true,"type":"a:b:C","id":"i"}},
        {{"urn":"{}","custom":true,"type":"a:b:C","id":"j","dependencies":["{}"]}}]}}}}"#,
        urn(&name),
        urn("user"),
        urn(&name),
    );
    let mut session = Session::open_bytes("state.json", state.as_bytes(), (80, 24));
    session
        .keys("ggju")
        .shows("used by [1]")
        .shows("other side");
}

#[test]
fn the_smallest_screen_says_whose_sides_it_shows() {
    for size in [(80, 24), (60, 15), (40, 10)] {
        let mut session = Session::open(STATE, size);
        session.keys("guorders-db<Enter>d");
        session.shows("orders-db · depends on [5]");
        session.keys("u").shows("orders-db · ").shows("used by [3]");
    }
}
