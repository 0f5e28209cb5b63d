//! One change is one row with one mark, whatever its steps in the file.

use std::path::Path;

use super::harness::Session;

const WIDE: (u16, u16) = (140, 40);

fn session(file: &str) -> Session {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus");
    let mut session = Session::open_path(folder.join(file), WIDE);
    session.keys("2<wait>");
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
    session.shows("steps: create-replacement, replace, delete-replaced");
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
    session.shows("Changes · ±2 ~3 +1 =2 →1 …2 ≈3");
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
        .shows("changed outside (3)")
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
