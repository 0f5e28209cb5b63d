//! One change is one row with one mark, whatever its steps in the file.

use std::path::Path;

use serde_json::json;

use super::harness::Session;

const WIDE: (u16, u16) = (140, 40);

fn session(file: &str) -> Session {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus");
    let mut session = Session::open_path(folder.join(file), WIDE);
    session.keys("2<wait>");
    // Of a plan, which is arranged by story.
    if session.app.views.changes.lists_stories() {
        session.keys("ttt<wait>gg<wait>");
    }
    session
}

/// Number of rows of the list that begin with `text`.
fn n_rows(session: &Session, text: &str) -> usize {
    let screen = session.text();
    let rows = screen.lines().filter_map(|line| line.strip_prefix('│'));
    rows.filter(|row| row.trim_start_matches(['▶', ' ']).starts_with(text))
        .count()
}

#[test]
fn a_replacement_is_one_row_and_one_mark() {
    for file in [
        "pulumi-preview/replace-steps.json",
        "pulumi-preview/replace-whole.json",
        "pulumi-events/shop-replace.jsonl",
    ] {
        let mut session = session(file);
        assert_eq!(n_rows(&session, "± main "), 1, "{}", session.text());
        session.shows("±2 ~2 · 1 imported");
        session.shows("! engine").shows(" +/-");
    }
    let mut session = session("pulumi-preview/replace-whole.json");
    session
        .shows("reviewed 0 of 4")
        .keys("<Space>")
        .shows("reviewed 1 of 4");
}

#[test]
fn the_steps_stand_beside_the_difference_and_in_the_detail() {
    let mut session = session("pulumi-preview/replace-steps.json");
    // The copy that waits for deletion comes first.
    session
        .shows("- logs · an old copy will be destroyed")
        .shows("delete old copy");
    session.keys("j");
    session.shows("± main · must be replaced, create before destroy");
    session.shows("steps: create the replacement; replace; delete the replaced one");
    session.shows("\"v14\" → \"v15\"");
    session
        .keys("j")
        .shows("± cache · must be replaced, destroy before create");
    session
        .keys("jj")
        .shows("~ logs · will be updated in place");
    session
        .keys("k")
        .shows("~ jobs · will be updated in place, imported");
    session.keys("gg1<wait>/main<Enter><wait>");
    session
        .shows("± replace  2")
        .shows(" create before destroy · engine")
        .shows("fields (1)");
    session.keys("<Tab>Gl<Down>l");
    session.shows("create-replacement").shows("delete-replaced");
}

#[test]
fn rows_say_the_order_and_what_else_happens() {
    let mut session = session("tfplan-json/kinds.json");
    session.shows("replace +/-").shows("replace -/+");
    session.shows("update moved").shows("update imported");
    // By story.
    session.keys("tt<wait>");
    session.shows("Changes · ±2 ~3 +1 =2 →1 …2 ≈2");
    // In less room, whole counts are left out, and the sum is not.
    session.resize(56, 24).shows("Changes · 9: ±2 ~3 +1 …");
    session.resize(120, 40).keys("ttt<wait>");
    session.shows("deferred (2)");
    session.shows("imported (1, 1 more above)");
    session.shows("opentofu plan");
}

#[test]
fn a_plan_that_only_refreshes_opens_on_its_drift() {
    let mut one = session("tfplan-json/refresh-only.json");
    one.shows("changed outside (2)")
        .shows("≈ acme_disk.data · was changed outside");
    one.keys("j")
        .shows("≈ acme_disk.gone · was deleted outside");
    let mut other = session("pulumi-events/refresh.jsonl");
    other
        .shows("changed outside (2)")
        .shows("≈ opened · was changed outside");
    // Changes come first, if there are any.
    session("tfplan-json/kinds.json")
        .shows("changed outside (2)")
        .shows("± acme_disk.swapped · must be replaced");
}

#[test]
fn drift_is_found_from_the_search_bar() {
    let mut session = session("tfplan-json/refresh-only.json");
    session
        .keys("/is:drifted<wait>")
        .shows("acme_disk.data")
        .shows("acme_disk.gone");
    session.keys("<Enter><wait>").shows("data");
}

#[test]
fn the_difference_has_the_options() {
    let mut session = session("pulumi-preview/options.json");
    session
        .keys("2")
        .shows("ledger")
        .shows("orders")
        .shows("protect")
        .hides("guarded");
}

#[test]
fn what_is_kept_in_the_cloud_does_not_count_as_deleted() {
    let state = |name: &str, more: &str| {
        format!(
            r#"{{"urn": "urn:pulumi:s::p::a:b:C::{name}", "custom": true, "type": "a:b:C", "id": "1", "inputs": {{}}, "outputs": {{}}{more}}}"#
        )
    };
    let step = |name: &str, more: &str| {
        let old = state(name, more);
        format!(r#"{{"op": "delete", "urn": "urn:pulumi:s::p::a:b:C::{name}", "oldState": {old}}}"#)
    };
    let text = format!(
        r#"{{"steps": [{}, {}], "changeSummary": {{"delete": 2}}}}"#,
        step("held", r#", "retainOnDelete": true"#),
        step("lost", "")
    );
    let mut session = Session::open_bytes("preview.json", text.as_bytes(), (140, 40));
    session.keys("2<wait>").shows("Changes · -1 · 1 forgotten");
    session.shows(". held").shows("- lost");
}

/// A plan that changes one nested property of four resources of a type with a long name.
fn nested() -> String {
    let change = |name: &str| {
        let side = |cidr: &str| format!(r#"{{"input":{{"cidr":"{cidr}","name":"{name}"}}}}"#);
        format!(
            r#"{{"address":"acme_network_interface_attachment.{name}","mode":"managed","type":"acme_network_interface_attachment",
            "name":"{name}","provider_name":"example.com/acme/acme","change":{{"actions":["delete","create"],"before":{},"after":{},
            "replace_paths":[["input","cidr"]],"after_unknown":{{}},"before_sensitive":{{}},"after_sensitive":{{}}}}}}"#,
            side("10.0.0.0/8"),
            side("10.1.0.0/16")
        )
    };
    let changes = ["north_of_the_river", "south_of_the_river", "east", "west"].map(change);
    format!(
        r#"{{"format_version":"1.2","terraform_version":"1.9.0","resource_changes":[{}]}}"#,
        changes.join(",")
    )
}

#[test]
fn a_type_that_all_rows_share_gives_its_room_to_the_properties() {
    for size in [(120, 30), (80, 24)] {
        let mut session = Session::open_bytes("plan.json", nested().as_bytes(), size);
        session.keys("2ttt<wait>");
        let screen = session.text();
        let rows = screen
            .lines()
            .filter(|line| line.contains("of_the_river") && line.contains('±'));
        let rows: Vec<&str> = rows.filter(|line| !line.contains("will be")).collect();
        assert!(rows.len() >= 2, "{screen}");
        for row in rows
            .iter()
            .filter(|row| !row.contains("acme_network_interface_attachment."))
        {
            assert!(row.contains("input.cidr"), "{screen}");
        }
    }
}

#[test]
fn the_chain_of_causes_leaves_the_difference_visible() {
    let mut session = Session::open_bytes("plan.json", nested().as_bytes(), (120, 30));
    session.keys("2<wait>").shows("\"10.1.0.0/16\"");
    let pane = session.app.areas().panes[1].inner;
    let right = |session: &Session| -> Vec<String> {
        let screen = session.text();
        let lines = screen.lines().skip(usize::from(pane.y));
        let inside = |line: &str| line.chars().skip(usize::from(pane.x)).collect::<String>();
        lines.take(3).map(inside).collect()
    };
    let before = right(&session);
    session.keys("r").shows("Why");
    assert_eq!(right(&session), before, "{}", session.text());
}

#[test]
fn a_heading_has_no_changes_to_go_through() {
    let plan = nested().replace(r#""address":""#, r#""address":"module.net."#);
    let mut session = Session::open_bytes("plan.json", plan.as_bytes(), (120, 30));
    session.keys("2t<wait>gg").shows("module.net");
    assert!(session.app.views.changes.list.selected().is_none());
    for key in ["n", "N"] {
        session
            .keys(key)
            .shows("this row has no difference to go through");
    }
}

#[test]
fn enter_opens_a_long_text_of_the_difference() {
    let change = |text: &str| json!({"note": text, "size": 1});
    let plan = json!({
        "format_version": "1.2", "terraform_version": "1.9.0",
        "resource_changes": [{
            "address": "a_b.one", "mode": "managed", "type": "a_b", "name": "one",
            "change": {
                "actions": ["update"], "before": change(&"was ".repeat(60)), "after": change(&"will be ".repeat(60)),
                "after_unknown": {}, "before_sensitive": {}, "after_sensitive": {},
            },
        }],
    });
    let mut session = Session::open_bytes("plan.json", plan.to_string().as_bytes(), WIDE);
    session.keys("2ttt<wait>gg");
    for _ in 0..4 {
        session.keys("j");
    }
    session.keys("<wait><Tab>gg");
    for _ in 0..8 {
        session.keys("o");
        if !session.app.overlays.is_empty() {
            break;
        }
        session.keys("j");
    }
    let opened = session.text();
    assert!(!session.app.overlays.is_empty(), "{opened}");
    session.keys("<Esc><Enter>");
    assert_eq!(session.text(), opened);
}
