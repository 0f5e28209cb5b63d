//! A file that arrives in pieces.

use ratatui::style::Color;
use stacklens::tui::theme::{Depth, Palette};

use super::harness::Session;

const WIDE: (u16, u16) = (120, 40);
const STATE: &str = "pulumi-state/shop.json";

#[test]
fn the_first_resources_show_before_the_end_of_the_file() {
    let mut session = Session::open_held(STATE, WIDE);
    session.shows("reading").shows("Esc stop");
    // The opening event, and the first batch.
    session.deliver(2);
    session.shows("shop-prod").shows("Esc stop").shows("%");
    session.keys("jjj").shows("4 of");
    let line = session.cursor_line();
    session.deliver(usize::MAX);
    session.hides("Esc stop").shows("? help");
    let name = |line: &str| {
        let mut words = line.split_whitespace();
        words
            .find(|word| word.starts_with(char::is_alphabetic))
            .map(str::to_owned)
    };
    assert_eq!(name(&session.cursor_line()), name(&line));
}

#[test]
fn escape_stops_loading_and_keeps_what_was_read() {
    let mut session = Session::open_held(STATE, WIDE);
    session.deliver(2);
    session
        .keys("<Esc>")
        .shows("stopping; the part already read stays");
    assert!(session.has_stopped());
    session.shows("shop-prod");
}

#[test]
fn a_file_that_changes_is_noticed() {
    let mut session = Session::open(STATE, WIDE);
    session.event(stacklens::tui::event::Event::FileChanged);
    session.shows("the file changed since it was opened · R read it again");
    session.keys("R").shows("read again");
}

#[test]
fn trouble_in_the_file_is_listed() {
    let mut session = Session::open("bad/truncated.tfstate", WIDE);
    session.keys("5<wait>").shows("Problems").shows("error");
}

#[test]
fn a_filter_finds_what_comes_after_it_was_set() {
    let mut session = Session::open_held(STATE, WIDE);
    session.deliver(2);
    session
        .keys("fname:orders-<Enter>")
        .shows("filter: name:orders-");
    session.deliver(usize::MAX);
    session
        .shows("orders-db")
        .shows("orders-url")
        .hides("legacy-logs");
    session.keys("<Esc>").shows("legacy-logs");
}

#[test]
fn reading_again_finds_what_was_chosen() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("state.json");
    let resource = |name: &str, size: u32| {
        format!(
            r#"{{"urn":"urn:pulumi:s::p::k:m:T::{name}","custom":true,"type":"k:m:T","id":"1","outputs":{{"arn":"x","size":{size},"zone":"z"}}}}"#
        )
    };
    let write = |names: &[&str], size: u32| {
        let resources: Vec<_> = names.iter().map(|name| resource(name, size)).collect();
        let text = format!(
            r#"{{"version":3,"deployment":{{"manifest":{{}},"resources":[{}]}}}}"#,
            resources.join(",")
        );
        std::fs::write(&path, text).unwrap();
    };
    write(&["a", "b", "c"], 1);
    let mut session = Session::open_path(path.clone(), WIDE);
    session.keys("jl jk<Tab>j").shows(" size     ");
    write(&["new", "c", "b", "a"], 2);
    session.keys("R").shows("read again").shows(" size     ");
    session.shows("▾ b").shows("size  2").shows("●");
    // A filter stays, and matches new resources.
    session.keys("<Tab>fname:a,new<Enter>").shows("2 match");
    write(&["new", "a", "other", "new2"], 3);
    session
        .keys("R")
        .shows("filter: name:a,new")
        .shows("3 match");
}

#[test]
fn nothing_is_called_final_before_the_file_is_read() {
    let mut session = Session::open_held("tfplan-json/shop.json", WIDE);
    session.deliver(1);
    session
        .keys("2<wait>")
        .shows("the file is still being read");
    session.keys("5<wait>").shows("no problems so far");
    session.deliver(usize::MAX);
    session.keys("2<wait>").hides("still being read");
    session.keys("5<wait>").hides("so far");
}

#[test]
fn a_stack_without_outputs_says_so() {
    let mut session = Session::open("tfplan-json/format-1.2.json", WIDE);
    session.keys("3<wait>").shows("no outputs");
}

#[test]
fn below_an_overlay_nothing_is_said_of_keys_that_it_takes() {
    let mut session = Session::open(STATE, WIDE);
    session.shows("c copy URN");
    session.keys("?").hides("c copy URN");
    session.keys("<Esc>").shows("c copy URN");
}

#[test]
fn the_title_says_that_a_file_is_cut_off_and_where() {
    for size in [WIDE, (80, 24)] {
        let session = Session::open("bad/truncated.tfstate", size);
        let title = session.text().lines().next().unwrap().to_owned();
        let want = "truncated.tfstate · ⚠ cut off at line 122 · 3 resources read";
        assert!(title.contains(want), "{title}");
    }
    // On the smallest screen, only the position is left.
    let mut session = Session::open("bad/truncated.tfstate", (40, 10));
    session.shows("⚠ cut off at line 122");
}

#[test]
fn the_title_of_a_review_says_that_a_plan_is_cut_off() {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/tests/corpus/tfplan-json/shop.json"
    );
    let plan = std::fs::read(path).unwrap();
    let end = plan
        .windows(18)
        .rposition(|it| it == b"\"resource_changes\"");
    let cut = end.map_or(plan.len() / 2, |end| usize::midpoint(end, plan.len()));
    for size in [WIDE, (80, 24)] {
        let session = Session::open_bytes("plan.json", &plan[..cut], size);
        let title = session.text().lines().next().unwrap().to_owned();
        assert!(title.contains("⚠ cut off at line "), "{title}");
        assert!(title.contains(" read"), "{title}");
    }
}

#[test]
fn damage_is_red_in_the_title() {
    let mut session = Session::open("bad/truncated.tfstate", (80, 24));
    let red = session.style_of("⚠ cut off", Depth::Sixteen, Palette::Dark);
    assert_eq!(red.fg, Some(Color::LightRed));
}

#[test]
fn two_files_are_not_compared_in_the_explorer_if_one_is_cut_off() {
    use stacklens::load::Input;
    let corpus = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus");
    let old = Input::path(corpus.join("tfstate/shop.tfstate"));
    let new = Input::path(corpus.join("bad/truncated.tfstate"));
    let mut session = Session::open_input(Input::pair(old, new), WIDE);
    session
        .shows("the file is cut off at line 122")
        .shows("--allow-damaged compares what was read")
        .hides("aws_vpc.main");
}

/// A state with two resources. The name of the second one is `name`, which brings its quotes.
fn named(name: &str) -> String {
    format!(
        r#"{{
  "version": 4, "terraform_version": "1.9.0", "serial": 1, "lineage": "l", "outputs": {{}},
  "resources": [
    {{"mode": "managed", "type": "a_b", "name": "first", "provider": "provider[\"registry.terraform.io/x/a\"]", "instances": [{{"attributes": {{"id": "1"}}}}]}},
    {{
      "mode": "managed", "type": "a_b", "name": {name},
      "provider": "provider[\"registry.terraform.io/x/a\"]",
      "instances": [{{"attributes": {{"id": "2"}}}}]
    }},
    {{"mode": "managed", "type": "a_b", "name": "third", "provider": "provider[\"registry.terraform.io/x/a\"]", "instances": [{{"attributes": {{"id": "3"}}}}]}}
  ]
}}
"#
    )
}

#[test]
fn a_forgotten_quote_is_not_taken_for_a_file_that_is_cut_off() {
    let open = named("\"second");
    let on_one_line = open.replace('\n', " ").replace("\"second, ", "\"second,");
    for (text, line) in [(&open, 6), (&on_one_line, 1)] {
        let mut session = Session::open_bytes("s.tfstate", text.as_bytes(), WIDE);
        session
            .shows(&format!("⚠ string without end at line {line}"))
            .hides("cut off");
        session.keys("5");
        session.shows(&format!("the string that starts at line {line}, column"));
    }
}

#[test]
fn a_broken_element_in_the_middle_is_said_in_the_title_and_in_the_folder() {
    let text = named("second");
    for size in [WIDE, (80, 24)] {
        let mut session = Session::open_bytes("s.tfstate", text.as_bytes(), size);
        session.shows("⚠ 1 broken at line 5 · 2 resources read");
    }
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("one.tfstate"), &text).unwrap();
    std::fs::write(folder.path().join("two.tfstate"), named("\"second\"")).unwrap();
    let mut session = Session::open_path(folder.path().join("two.tfstate"), WIDE);
    session.keys("gf").shows("⚠ 1 broken at line 5");
}

#[test]
fn a_replacement_counts_once_however_its_steps_come() {
    let state = |name: &str| {
        let filler = "x".repeat(3_000);
        format!(
            r#"{{"urn":"URN","custom":true,"type":"my:mod:Thing","inputs":{{"name":"{name}","filler":"{filler}"}}}}"#
        )
    };
    let step = |number: usize, op: &str| {
        let (old, new) = (state("a"), state("b"));
        let step = format!(r#"{{"op":"{op}","urn":"URN","oldState":{old},"newState":{new}}}"#);
        step.replace(
            "URN",
            &format!("urn:pulumi:dev::shop::my:mod:Thing::thing-{number}"),
        )
    };
    // They are more than one batch, and a batch has several steps of a resource that it brings.
    let steps = (0..200).flat_map(|number| {
        ["create-replacement", "replace", "delete-replaced"].map(|op| step(number, op))
    });
    let preview = format!(r#"{{"steps":[{}]}}"#, steps.collect::<Vec<_>>().join(","));
    let mut session = Session::open_bytes("preview.json", preview.as_bytes(), WIDE);
    session.keys("2<wait>").shows("reviewed 0 of 200");
}
