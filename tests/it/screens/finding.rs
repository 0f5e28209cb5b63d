//! Finding and filtering in the view in front.

use std::sync::Arc;

use super::harness::Session;

const WIDE: (u16, u16) = (120, 40);
const PLAN: &str = "tfplan-json/shop.json";

#[test]
fn changes_are_filtered_by_their_values() {
    let mut session = Session::open(PLAN, WIDE);
    session
        .keys("2<wait>fold:t3.small<Enter>")
        .shows("1 of 13 changes")
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
    for view in ["1", "2d1"] {
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
        .shows("2 hits")
        .shows("▶ aws_db_instance.main");
    session.keys("<Enter>").shows("2 of 13 changes");
    // Read again, the filter waits again.
    session.keys("R").settle().shows("2 of 13 changes");
}

#[test]
fn filters_of_rows_survive_a_reload() {
    for (fixture, keys, filter) in [
        ("pulumi-state/shop.json", "3furl<Enter>", "filter: url"),
        (
            "pulumi-state/shop.json",
            "guvpc<Enter>ufsubnet<Enter>",
            "filter: subnet",
        ),
        ("tfstate/every-field.tfstate", "5fa<Enter>", "filter: a"),
    ] {
        let mut session = Session::open(fixture, WIDE);
        session.keys(keys).shows(filter);
        session.keys("R<wait>").shows(filter);
    }
}

#[test]
fn neighbors_are_found_and_filtered_in_their_view() {
    let mut session = Session::open("pulumi-state/shop.json", WIDE);
    session.keys("guvpc<Enter>u").shows("used by (");
    let all = session.text();
    session
        .keys("/subnet")
        .shows("Find in this list")
        .shows("3 of ");
    let line = session.cursor_line();
    assert!(line.contains("subnet"), "{line}");
    session
        .keys("<Enter>")
        .shows("[1/3] subnet")
        .shows("[4 Deps");
    session
        .keys("n")
        .shows("[2/3] subnet")
        .keys("N")
        .shows("[1/3]");
    session.keys("NN").shows("[2/3] subnet");
    session.keys("<Esc>").shows("search ended");
    session
        .keys("fsubnet<Enter>")
        .shows("filtered to 3 of ")
        .shows("used by (3 of ")
        .shows("filter: subnet")
        .shows("[4 Deps");
    // The filter is edited, and Esc in the bar leaves it as it was.
    session.keys("f-a<Esc>").shows("filter: subnet");
    session
        .keys("fzzz<Enter>")
        .shows("no row contains subnetzzz");
    session.keys("<Esc><Esc>").shows("filter cleared");
    session.hides("filter: subnet").keys("gg");
    assert_eq!(
        all.matches("subnet").count(),
        session.text().matches("subnet").count()
    );
    // Another resource in the middle has all its neighbors.
    session
        .keys("fsubnet<Enter><Enter>")
        .hides("filter: subnet");
}

#[test]
fn outputs_are_found_and_filtered_in_their_view() {
    let mut session = Session::open(PLAN, WIDE);
    session
        .keys("3<wait>/zones b<Enter>")
        .shows("[3 Outputs")
        .shows("[1/");
    let line = session.cursor_line();
    assert!(line.contains("\"b\""), "{line}");
    session
        .keys("gg/@zones[*]<Enter>")
        .shows("[1/")
        .keys("n")
        .shows("[2/");
    session.keys("<Esc>fendpoint<Enter>");
    session
        .shows("filter: endpoint")
        .shows("endpoint")
        .hides("zones");
    session.keys("<Esc>").shows("filter cleared").shows("zones");
    // Never by a masked value, and no field of a resource.
    session
        .keys("/plan-hunter2")
        .shows("no row contains plan-hunter2");
    session
        .keys("<Esc>/a type:vpc")
        .shows("no row is a resource · Enter search the resources")
        .keys("<Enter>")
        .shows("[1 Resources")
        .shows("/ a type:vpc");
    session.keys("<Esc>").shows("[3 Outputs");
}

#[test]
fn problems_are_found_and_filtered_in_their_view() {
    let resource = |name: &str| {
        format!(
            r#"{{"urn":"urn:pulumi:s::p::k:m:T::{name}","custom":true,"type":"k:m:T","id":"1","dependencies":["urn:pulumi:s::p::k:m:T::gone"]}}"#
        )
    };
    let all = ["red-1", "blue", "red-2"].map(resource).join(",");
    let text = format!(r#"{{"version":3,"deployment":{{"manifest":{{}},"resources":[{all}]}}}}"#);
    let mut session = Session::open_bytes("s.json", text.as_bytes(), WIDE);
    session
        .keys("5<wait>gg/red<Enter>")
        .shows("[1/2] red")
        .shows("[5 Problems");
    session.keys("n").shows("[2/2] red");
    assert!(
        session.cursor_line().contains("red-2"),
        "{}",
        session.text()
    );
    session
        .keys("<Esc>fblue<Enter>")
        .shows("Problems · filter: blue");
    session
        .hides("red-1")
        .keys("<Esc>")
        .shows("red-1")
        .shows("filter cleared");
    // A search among resources goes on as before.
    session
        .keys("1/red<Enter>5ggn")
        .shows("[5 Problems")
        .shows("/2] red");
}

#[test]
fn every_view_answers_the_keys_that_find_and_arrange() {
    for file in [PLAN, "pulumi-state/shop.json", "tf-ui-json/web-apply.jsonl"] {
        for view in ["b", "1", "2", "3", "4", "5"] {
            for key in ["n", "N", "*", "#", "s", "t", "/", "f"] {
                let mut session = Session::open(file, WIDE);
                session.keys(view).keys("<wait>");
                let before = session.text();
                session.keys(key);
                let says = session.app.message.as_ref().map(|it| it.text.clone());
                assert!(
                    says.is_some() || session.text() != before,
                    "{key} does nothing in view {view} of {file}"
                );
            }
        }
    }
    // A list that is neither sorted nor arranged says where that works.
    for view in ["3", "4", "5"] {
        let mut session = Session::open(PLAN, WIDE);
        session
            .keys(view)
            .keys("s")
            .shows("not in this view; 1 shows the resources");
        session
            .keys("t")
            .shows("not in this view; 1 shows the resources");
    }
}

#[test]
fn the_texts_of_the_brief_come_with_its_page_and_no_key_makes_them() {
    let mut session = Session::open(PLAN, WIDE);
    session.keys("b<wait>");
    let texts = |session: &Session| {
        let brief = session.app.views.of(stacklens::tui::command::View::Brief);
        let texts = brief.row_texts(&session.app.session);
        Arc::clone(&texts.expect("the page is there").texts)
    };
    let first = texts(&session);
    assert!(
        first.iter().any(|text| text.contains("instance_type")),
        "{first:?}"
    );
    // The line of hints names what this bar obeys.
    session
        .keys("/web")
        .shows("Down next")
        .hides("Tab complete");
    session.keys("<Enter>nn").shows("] web");
    assert!(Arc::ptr_eq(&first, &texts(&session)));
}

#[test]
fn the_hits_in_a_list_are_found_once_and_again_when_its_rows_change() {
    for view in ["b", "5", "4", "3"] {
        let mut session = Session::open_bytes("demo", stacklens::cli::demo::PREVIEW, (120, 40));
        session.keys("gucluster<Enter>").keys(view).keys("<wait>");
        let texts = |session: &Session| {
            let (views, view) = (&session.app.views, session.app.window.view);
            views
                .of(view)
                .row_texts(&session.app.session)
                .unwrap()
                .texts
        };
        let before = texts(&session);
        assert!(!before.is_empty(), "{view}");
        // The same texts say that the hits are still the same.
        session.keys("/o<Enter>nN");
        assert!(Arc::ptr_eq(&before, &texts(&session)), "{view}");
        session.shows("] o");
    }
    let mut session = Session::open_bytes("demo", stacklens::cli::demo::PREVIEW, (120, 40));
    session.keys("5<wait>/orders<Enter>n").shows("[1/1] orders");
    session
        .keys("fcdn<Enter>n")
        .shows("no row contains orders any more");
    session.keys("<Esc>");
}
