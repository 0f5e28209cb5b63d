//! The outputs of the stack: their changes, and the forms in which they can be copied.

use super::harness::Session;

const WIDE: (u16, u16) = (120, 40);

#[test]
fn outputs_tell_what_happens_to_them() {
    let mut session = Session::open("tfplan-json/shop.json", WIDE);
    session
        .keys("3<wait>")
        .shows("2 update · 1 unchanged")
        .shows(r#"~ endpoint  "db-1.example.com" → (known after apply)"#)
        .shows("~ password  [secret] → [secret]")
        .shows("changed")
        .shows("▸   zones")
        .hides("plan-hunter2")
        .hides("plan-correct-horse");
    session.keys("jyy").shows("not copied: the value is secret");
    session.keys("yu");
    session.keys("yj");
    assert_eq!(
        session.copied,
        ["output.password", ".output_changes.password.after"]
    );
    session
        .keys("xy")
        .shows("plan-correct-horse")
        .hides("plan-hunter2");
    session.keys("k").hides("plan-correct-horse");
    let mut state = Session::open("tfstate/shop.tfstate", WIDE);
    state.keys("3<wait>").hides("→");
}

#[test]
fn what_goes_away_is_shown_as_it_was() {
    let plan = r#"{"format_version":"1.2","terraform_version":"1.9.8","planned_values":{"root_module":{}},
        "resource_changes":[],"configuration":{},"output_changes":{
        "key":{"actions":["delete"],"before":"plan-old-key","after":null,"after_unknown":false,"before_sensitive":true,"after_sensitive":false},
        "hosts":{"actions":["update"],"before":{"a":"one","b":"two"},"after":{"b":"three","c":"four"},"after_unknown":false,"before_sensitive":false,"after_sensitive":false},
        "made":{"actions":["create"],"before":null,"after":"new","after_unknown":false,"before_sensitive":false,"after_sensitive":false}}}"#;
    let mut session = Session::open_bytes("plan.json", plan.as_bytes(), WIDE);
    session
        .keys("3<wait>")
        .shows("1 delete · 1 update · 1 create")
        .shows("- key    [secret]")
        .shows("+ made   \"new\"")
        .hides("plan-old-key");
    session.keys("gg/@hosts<Enter>zo");
    session
        .shows("~ b  \"two\" → \"three\"")
        .shows("+ c  \"four\"")
        .shows("- a  \"one\"");
    session.keys("jjjyy");
    session.keys("yj");
    assert_eq!(
        session.copied,
        ["one", ".output_changes.hosts.before.a"],
        "{}",
        session.text()
    );
    session.keys("/@key<Enter>xy").shows("plan-old-key");
    session.keys("X").hides("plan-old-key");
    session.keys("yx").shows("Copy a secret?").keys("y");
    assert_eq!(
        session.copied.last().map(String::as_str),
        Some("plan-old-key")
    );
}

#[test]
fn lists_of_outputs_are_aligned_as_those_of_resources() {
    let plan = r#"{"format_version":"1.2","terraform_version":"1.9.8","planned_values":{"root_module":{}},
        "resource_changes":[],"configuration":{},"output_changes":{
        "hosts":{"actions":["update"],"before":["one","two","three"],"after":["two","three","four"],"after_unknown":false,"before_sensitive":false,"after_sensitive":false}}}"#;
    let mut session = Session::open_bytes("plan.json", plan.as_bytes(), WIDE);
    session.keys("3<wait>/@hosts<Enter>zo");
    session
        .shows(r#"  [0]  "two""#)
        .shows(r#"  [1]  "three""#)
        .shows(r#"+ [2]  "four""#)
        .shows(r#"- [0]  "one""#)
        .hides("→ \"two\"");
}

#[test]
fn outputs_of_pulumi_are_copied_as_properties_of_the_stack() {
    let mut session = Session::open("pulumi-state/shop.json", WIDE);
    session.keys("3<wait>");
    let n = session.app.views.outputs.values.list.rows.len();
    assert!(n > 1, "{}", session.text());
    session.keys("yp");
    session.keys("yP");
    session.keys("yu");
    let [path, pointer, urn] = &session.copied.clone()[..] else {
        panic!("{:?}\n{}", session.copied, session.text());
    };
    assert!(pointer.ends_with(&format!("/outputs/{path}")), "{pointer}");
    assert!(urn.ends_with("pulumi:pulumi:Stack::shop-prod"), "{urn}");
    // A hit among the outputs leads to the place where they are listed.
    session.keys(&format!("1<wait>/@{path} type:pulumi:pulumi:Stack<Enter>"));
    session.shows("outputs of the stack");
    assert!(
        session.cursor_line().contains(path.as_str()),
        "{}",
        session.text()
    );
}

#[test]
fn a_preview_that_does_not_work_outputs_out_deletes_none() {
    let urn = "urn:pulumi:dev::p::pulumi:pulumi:Stack::p-dev";
    let state = format!(r#""urn":"{urn}","custom":false,"type":"pulumi:pulumi:Stack""#);
    let preview = format!(
        r#"{{"config":{{}},"steps":[{{"op":"same","urn":"{urn}",
        "oldState":{{{state},"outputs":{{"endpoint":"a.example.com"}}}},"newState":{{{state}}}}}],
        "duration":1,"changeSummary":{{"same":1}}}}"#
    );
    let mut session = Session::open_bytes("preview.json", preview.as_bytes(), WIDE);
    session
        .keys("3<wait>")
        .shows(r#"endpoint  "a.example.com""#);
    session
        .hides("delete")
        .hides("- endpoint")
        .hides("before the change");
    session.keys("yy");
    session.keys("yP");
    assert_eq!(
        session.copied,
        ["a.example.com", "/steps/0/oldState/outputs/endpoint"]
    );
    session
        .keys("1<wait>/=a.example<Enter>")
        .shows("outputs of the stack");
    assert!(
        session.cursor_line().contains("endpoint"),
        "{}",
        session.text()
    );
}

#[test]
fn both_sides_of_a_changed_output_are_visible_on_a_narrow_screen() {
    let (old, new) = ("o".repeat(60), "n".repeat(60));
    let plan = format!(
        r#"{{"format_version": "1.2", "terraform_version": "1.9.0", "planned_values": {{"root_module": {{}}}}, "resource_changes": [],
        "output_changes": {{"endpoint": {{"actions": ["update"], "before": "{old}-was", "after": "{new}-is", "after_unknown": false,
        "before_sensitive": false, "after_sensitive": false}}}}}}"#
    );
    let mut session = Session::open_bytes("plan.json", plan.as_bytes(), (80, 24));
    session
        .keys("3<wait>")
        .shows("-was\" → \"nnn")
        .shows("-is\"");
}

#[test]
fn the_outputs_that_differ_come_first_in_a_comparison() {
    let state = |outputs: &str| {
        let text = format!(
            r#"{{"version": 4, "terraform_version": "1.9.0", "serial": 1, "lineage": "l", "outputs": {{{outputs}}}, "resources": []}}"#
        );
        text.into_bytes()
    };
    let output =
        |name: &str, value: u32| format!(r#""{name}": {{"value": {value}, "type": "number"}}"#);
    let old = state(&[output("alpha", 1), output("beta", 1), output("gone", 1)].join(","));
    let new = state(&[output("alpha", 1), output("beta", 2)].join(","));
    let [old, new] = [("old.tfstate", old), ("new.tfstate", new)]
        .map(|(name, bytes)| stacklens::load::Input::bytes(name.to_owned(), bytes));
    let mut session = Session::open_input(stacklens::load::Input::pair(old, new), (120, 24));
    session.keys("3<wait>");
    let screen = session.text();
    let at = |name: &str| {
        screen
            .find(name)
            .unwrap_or_else(|| panic!("no {name} on\n{screen}"))
    };
    assert!(
        at("beta") < at("alpha") && at("gone") < at("alpha"),
        "{screen}"
    );
}

#[test]
fn names_of_any_length_leave_room_for_both_sides_of_an_output() {
    let names = ["x".repeat(200), "日本語の名前".repeat(20)];
    let outputs = names.clone().map(|name| {
        format!(r#""{name}":{{"actions":["update"],"before":"older","after":"newer","after_unknown":false}}"#)
    });
    let plan = format!(
        r#"{{"format_version":"1.2","terraform_version":"1.9.0","resource_changes":[],"output_changes":{{{}}}}}"#,
        outputs.join(",")
    );
    for size in [(120, 40), (80, 24)] {
        let mut session = Session::open_bytes("plan.json", plan.as_bytes(), size);
        session.keys("3");
        let screen = session.text();
        let n_whole = screen
            .lines()
            .filter(|line| line.contains("\"older\" → \"newer\""))
            .count();
        assert_eq!(n_whole, 2, "{screen}");
    }
}

/// A plan that changes a resource, an output that has its text, and two other outputs.
const CHANGED: &str = r#"{"format_version":"1.2","terraform_version":"1.9.8","planned_values":{"root_module":{}},
    "resource_changes":[{"address":"lab_flask.one","mode":"managed","type":"lab_flask","name":"one","provider_name":"example.com/acme/lab",
        "change":{"actions":["update"],"before":{"label":"blue-flask"},"after":{"label":"green-flask"},"after_unknown":{}}}],
    "output_changes":{
        "key":{"actions":["update"],"before":"old-key","after":"new-key","after_unknown":false,"before_sensitive":true,"after_sensitive":true},
        "label":{"actions":["update"],"before":"blue-flask","after":"green-flask","after_unknown":false,"before_sensitive":false,"after_sensitive":false},
        "same":{"actions":["no-op"],"before":"s","after":"s","after_unknown":false,"before_sensitive":false,"after_sensitive":false},
        "zones":{"actions":["update"],"before":["a","b"],"after":["a","c"],"after_unknown":false,"before_sensitive":false,"after_sensitive":false}}}"#;

#[test]
fn changed_outputs_are_rows_of_the_list_of_changes() {
    let mut session = Session::open_bytes("plan.json", CHANGED.as_bytes(), WIDE);
    session
        .keys("2ttt<wait>")
        .shows("Changes · by action · ~1 · 3 outputs")
        .shows("▾ outputs (3)")
        .shows("~ key  [secret] → [secret]")
        .shows(r#"~ label  "blue-flask" → "green-flask""#)
        .shows("reviewed 0 of 4")
        .hides("same")
        .hides("old-key");
    // The difference is that of the output, and its values can be copied and revealed.
    session
        .keys("G")
        .shows("~ output zones · update")
        .keys("<Tab>");
    session.shows(r#"~   [1]  "b" → "c""#).keys("jjyy");
    session.keys("<Tab>kk").shows("~ output key · update");
    session.keys("<Tab>xy").shows("new-key").keys("<Tab>");
    session.keys("j").hides("new-key");
    // A mark, the next one, and the end.
    session
        .keys("k<Space>")
        .shows("✓~ key")
        .shows("reviewed 1 of 4");
    session
        .keys("<Space>")
        .shows("✓~ label")
        .shows("reviewed 2 of 4");
    session.keys("<Space>").shows("reviewed 3 of 4");
    session.keys("<Space>").shows("all 4 changes are reviewed");
    session
        .keys("<Space>")
        .shows("not reviewed")
        .shows("reviewed 3 of 4");
    // A section closes like any other.
    session
        .keys("G<Tab><Tab>h<Enter>")
        .shows("▸ outputs (3, hidden)");
}

#[test]
fn an_output_is_reviewed_with_the_story_that_tells_it() {
    let mut session = Session::open_bytes("plan.json", CHANGED.as_bytes(), WIDE);
    session.keys("b<wait>").shows("0/4").shows("~ output label");
    session.keys("<Space>").shows("2/4");
    session
        .keys("<Space>")
        .shows("3/4")
        .keys("<Space>")
        .shows("4/4");
    session
        .keys("2ttt<wait>")
        .shows("✓~ label")
        .shows("reviewed 4 of 4");
}

#[test]
fn the_line_of_an_output_below_a_story_is_about_the_output() {
    let mut session = Session::open_bytes("plan.json", CHANGED.as_bytes(), WIDE);
    session
        .keys("b<wait>")
        .shows(r#"~ output label  "blue-flask" → "green-flask""#);
    session.keys("/output label<Enter><Esc>");
    session.keys("r").shows("select a change");
    session
        .keys("<Space>")
        .shows("1 change reviewed")
        .shows("1/4");
    session
        .keys("2")
        .shows("✓      ~ output label")
        .hides("✓  ~ lab_flask.one");
    session.keys("b/output label<Enter><Esc><Enter>");
    session.shows("[2 Changes").shows("~ output label · update");
    assert!(session.cursor_line().contains("~ output label"));
    session.keys("[").shows("[b Brief]");
}

#[test]
fn a_filter_and_a_search_in_the_changes_find_outputs() {
    let mut session = Session::open_bytes("plan.json", CHANGED.as_bytes(), WIDE);
    session.keys("2<wait>fzones<wait><Enter><wait>");
    session
        .shows("filtered to 1 change")
        .shows("▾ outputs (1)")
        .shows("~ zones")
        .hides("lab_flask");
    // One that stays is no change.
    session.keys("<Esc>fsame<wait><Enter>");
    session.shows("no change found for same").keys("<Esc><Esc>");
    session
        .keys("/zones<wait><Enter><wait>")
        .shows("[2 Changes");
    session.shows("~ output zones · update");
    assert!(session.cursor_line().contains("~ zones"));
}

#[test]
fn the_row_of_an_output_is_copied_as_a_value_of_the_stack() {
    let mut session = Session::open_bytes("plan.json", CHANGED.as_bytes(), WIDE);
    session.keys("2ttt<wait>Gkcyy");
    assert_eq!(session.copied, ["label", "green-flask"]);
    session.keys("kyy").shows("not copied: the value is secret");
    session
        .keys("x")
        .hides("new-key")
        .keys("<Esc>")
        .hides("new-key");
    assert_eq!(session.copied.len(), 2, "{:?}", session.copied);
}
