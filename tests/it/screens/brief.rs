//! The brief: all changes on one page.

use std::fmt::Write as _;
use std::sync::Arc;

use stacklens::change::rules::Rules;
use stacklens::cli::demo;
use stacklens::load::Input;
use stacklens::load::brief::Brief;
use stacklens::load::brief::page::{Page, Title};
use stacklens::terraform::schema::Schemas;
use stacklens::tui::any_job::Answer;
use stacklens::tui::brief::Listed;
use stacklens::tui::event::Event;
use stacklens::tui::jobs::Cancel;
use stacklens::tui::jobs::brief::{Briefed, MakeBrief};
use stacklens::tui::theme::{Depth, Palette};

use super::harness::Session;

fn demo(size: (u16, u16)) -> Session {
    let mut session = Session::open_bytes("demo", demo::PREVIEW, size);
    session.keys("bgg");
    session
}

/// Goes to the section with this title.
#[track_caller]
fn go_to(session: &mut Session, title: &str) {
    session.keys("gg");
    for _ in 0..20 {
        session.keys("J");
        if session.cursor_line().contains(title) {
            return;
        }
    }
    panic!("no section {title} on\n{}", session.text());
}

/// A Terraform plan with these changes: the name of a resource, its old and its new attributes.
fn plan(changes: &[(&str, &str, &str)]) -> String {
    let mut all = Vec::new();
    for (name, before, after) in changes {
        let action = match (*before, *after) {
            ("null", _) => "create",
            (_, "null") => "delete",
            (before, after) if before == after => "no-op",
            _ => "update",
        };
        all.push(format!(
            r#"{{"address":"acme_disk.{name}","mode":"managed","type":"acme_disk","name":"{name}",
            "provider_name":"example.com/acme/acme","change":{{"actions":["{action}"],"before":{before},"after":{after},
            "after_unknown":{{}},"before_sensitive":{{}},"after_sensitive":{{}}}}}}"#
        ));
    }
    format!(
        r#"{{"format_version":"1.2","terraform_version":"1.9.0","resource_changes":[{}]}}"#,
        all.join(",")
    )
}

fn open(plan: &str, size: (u16, u16)) -> Session {
    let mut session = Session::open_bytes("plan.json", plan.as_bytes(), size);
    session.keys("b");
    session
}

/// Many disks that all grow in the same way, and two that are deleted.
fn many(n: usize) -> String {
    let mut names = Vec::new();
    for at in 0..n {
        names.push(format!("grown{at}"));
    }
    let mut changes: Vec<_> = names
        .iter()
        .map(|name| (name.as_str(), r#"{"size":1}"#, r#"{"size":2}"#))
        .collect();
    changes.push(("old", r#"{"size":5}"#, "null"));
    changes.push(("older", r#"{"size":7,"kept":true}"#, "null"));
    plan(&changes)
}

#[test]
fn the_page_says_how_big_it_is_and_shows_both_values() {
    let mut session = demo((120, 40));
    session
        .shows("[b Brief]  1 Resources")
        .shows("21 changes   2 delete   2 replace   12 update   3 create   1 import   1 read")
        .shows("reviewed ░░░░░░░░░░░░░░░ 0/25")
        .shows("▾ LOOK AT THESE FIRST  1")
        .hides("safe");
    go_to(&mut session, "LOOK AT THESE FIRST");
    session
        .keys("jjjj")
        .shows("storageEncrypted  false → true  forces replacement");
    session.keys("G").shows("not judged:").hides("safe");
}

#[test]
fn a_narrow_screen_shows_less_of_the_same() {
    let mut session = demo((80, 24));
    session
        .shows("[b Brief] 1 2• 3 4 5")
        .shows("21 changes   2 delete")
        .shows("reviewed ░░░░░░░░░░░░░░░ 0/25")
        .shows("▾ LOOK AT THESE FIRST  1");
    go_to(&mut session, "LOOK AT THESE FIRST");
    session
        .keys("jjjj")
        .shows("storageEncrypted  false → true  forces replacement");
}

#[test]
fn values_that_do_not_fit_beside_each_other_are_cut_to_what_differs_or_take_a_line_each() {
    let both = |old: &str, new: &str| {
        let text = plan(&[
            ("one", "null", "{}"),
            (
                "two",
                &format!(r#"{{"text":"{old}","x":1}}"#),
                &format!(r#"{{"text":"{new}","x":2}}"#),
            ),
        ]);
        let mut session = open(&text, (80, 24));
        session.keys("gg");
        session
    };
    let session = both(&"one ".repeat(12), &"two ".repeat(12));
    let screen = session.text();
    let old = screen.lines().position(|line| line.contains("- \"one"));
    let new = screen.lines().position(|line| line.contains("+ \"two"));
    assert!(old.is_some() && new == old.map(|at| at + 1), "{screen}");
    // The words that differ are visible and marked.
    let [old, new] = ["a", "b"].map(|end| format!("{}-{end}", "word ".repeat(10)));
    let mut session = both(&old, &new);
    session.shows("word -a\" → \"…").shows("word -b\"");
    let marked = session.style_of("b", Depth::None, Palette::Dark);
    assert_ne!(marked, ratatui::style::Style::default());
}

#[test]
fn enter_opens_the_difference_and_back_finds_the_row() {
    let mut session = demo((120, 40));
    go_to(&mut session, "WARNING");
    session.keys("n");
    let line = session.cursor_line();
    assert!(line.contains("legacy-logs"), "{line}");
    session.keys("<Enter>").shows("[2 Changes 21]");
    assert!(session.cursor_line().contains("legacy-logs"));
    session.keys("j[").shows("[b Brief]");
    assert_eq!(session.cursor_line(), line);
}

#[test]
fn the_current_resource_moves_with_the_cursor() {
    let mut session = demo((120, 40));
    session.keys("n1").shows("[1 Resources]");
    assert!(
        session.cursor_line().contains("orders-db"),
        "{}",
        session.text()
    );
    session.keys("b").shows("[b Brief]");
    assert!(session.cursor_line().contains("orders-db"));
    session.keys("d").shows("[4 Deps]").shows("orders-db");
}

#[test]
fn space_reviews_a_whole_group_and_moves_the_bar() {
    let mut session = open(&many(6), (120, 40));
    session.keys("gg").shows("reviewed ░░░░░░░░░░░░░░░ 0/8");
    session.shows("▸ ~ 6 of 8  acme_disk").shows("grown0, ");
    session.keys("GN");
    assert!(
        session.cursor_line().contains("6 of 8"),
        "{}",
        session.text()
    );
    session
        .keys("<Space>")
        .shows("6 changes reviewed")
        .shows(" 6/8")
        .shows("✓▸ ~ 6 of 8");
    session.keys("2").shows("reviewed 6 of 8");
    // A group of which all are reviewed gives its marks back.
    session
        .keys("bGN<Space>")
        .shows(" 0/8")
        .shows("not reviewed");
}

#[test]
fn the_review_goes_on_with_what_is_left_and_says_when_it_is_done() {
    let mut session = open(&many(3), (120, 40));
    session.keys("ggn<Space>");
    assert!(
        session.cursor_line().contains("3 of 5"),
        "{}",
        session.text()
    );
    session
        .keys("<Space>")
        .shows("all changes of this page are reviewed")
        .shows("5/5");
}

#[test]
fn a_group_opens_to_its_resources() {
    let mut session = open(&many(6), (120, 40));
    session.keys("GN").hides("acme_disk.grown5");
    session.keys("l").shows("~ acme_disk.grown5");
    session.keys("jjj");
    assert!(
        session.cursor_line().contains("grown"),
        "{}",
        session.text()
    );
    session.keys("<Enter>").shows("[2 Changes");
    session.keys("[hh").hides("~ acme_disk.grown5");
}

#[test]
fn sections_fold_and_motions_go_by_section() {
    let mut session = demo((120, 60));
    go_to(&mut session, "LOOK AT THESE FIRST");
    session.keys("<Enter>").hides("200 → 300");
    session.keys("l").shows("200 → 300");
    session.keys("J");
    assert!(!session.cursor_line().contains("LOOK AT THESE FIRST"));
    session.keys("K");
    assert!(session.cursor_line().contains("LOOK AT THESE FIRST"));
    session.keys("zM").shows("▸ OUTPUTS").hides("orders-dns");
    session
        .keys("zRgg")
        .shows("orders-dns")
        .shows("▾ LOOK AT THESE FIRST");
}

#[test]
fn the_page_opens_from_every_view() {
    let mut session = demo((120, 40));
    for key in ["1", "2", "3", "4", "5"] {
        session.keys(key).hides("[b Brief]");
        session.keys("b").shows("[b Brief]");
    }
}

#[test]
fn causes_are_told_here_too() {
    let mut session = demo((120, 40));
    session.keys("n<wait>r").shows("Why");
}

#[test]
fn a_plan_without_changes_says_so_and_what_could_not_be_judged() {
    let secret = r#"{"size":1}"#;
    let mut session = open(&plan(&[("one", secret, secret)]), (120, 40));
    session.shows("no changes").hides("safe");
    let mut session = Session::open("tfplan-json/refresh-only.json", (120, 40));
    session
        .keys("b")
        .shows("no changes")
        .shows("CHANGED OUTSIDE  2");
}

#[test]
fn the_brief_of_a_state_says_what_it_holds_and_leads_there() {
    let mut session = Session::open("tfstate/shop.tfstate", (120, 40));
    session
        .shows("[1 Resources]")
        .keys("b")
        .shows("8 resources, 2 outputs, 2 secrets")
        .shows("an old object that is still to be deleted")
        .shows("written by terraform 1.9.8");
    insta::assert_snapshot!(session.text());
    while !session.cursor_line().contains("aws_instance  ") {
        session.keys("j");
    }
    session
        .keys("<Enter>")
        .shows("[1 Resources]")
        .shows("filter: type:^aws_instance$")
        .shows("web[0] ")
        .hides("aws_ami")
        .keys("[")
        .shows("[b Brief]");
    assert!(session.cursor_line().contains("aws_instance  "));
    // An output leads to the outputs, a finding to its resource.
    while !session.cursor_line().contains("endpoint") {
        session.keys("j");
    }
    session.keys("<Enter>").shows("[3 Outputs");
}

#[test]
fn the_brief_of_a_state_is_made_when_it_is_wanted_and_again_after_a_reload() {
    let mut session = Session::open("pulumi-state/shop.json", (120, 40));
    session
        .keys("b")
        .shows("38 resources, 6 outputs, 18 secrets")
        .keys("R")
        .shows("38 resources, 6 outputs, 18 secrets");
}

#[test]
fn secrets_are_masked() {
    let text = plan(&[(
        "one",
        r#"{"key":"hunter2","size":1}"#,
        r#"{"key":"swordfish","size":2}"#,
    )]);
    let masks = r#""before_sensitive":{"key":true},"after_sensitive":{"key":true}"#;
    let text = text.replace(r#""before_sensitive":{},"after_sensitive":{}"#, masks);
    let mut session = open(&text, (120, 40));
    session
        .keys("gg")
        .shows("key  [secret] → [secret]")
        .shows("not judged: 1 masked secret")
        .hides("hunter2")
        .hides("swordfish");
}

#[test]
fn while_the_page_is_made_the_counts_are_known() {
    let mut session = Session::open_held("tfplan-json/kinds.json", (120, 40));
    session.deliver(1);
    session.keys("b").shows("reading the changes…");
    session.deliver(1);
    session.shows("reading the changes…").shows("2 replace");
    session.deliver(usize::MAX);
    session
        .hides("reading the changes…")
        .shows("9 changes   2 replace");
}

#[test]
fn a_damaged_file_says_what_the_page_covers() {
    let text = many(3);
    let cut = &text[..text.len() - 400];
    let mut session = open(cut, (120, 40));
    session.shows("this page covers the part that was read");
}

#[test]
fn a_key_costs_the_rows_on_the_screen() {
    let mut text = String::new();
    write!(text, "{}", many(3_000)).unwrap();
    let mut session = open(&text, (120, 40));
    session.keys("gg").shows("3,000 of 3,002");
    // All resources of the group are rows, and the last one is a step away.
    session.keys("GNlG").shows("of 3,0");
    session.keys("gg").shows("LOOK AT THESE FIRST");
}

#[test]
fn the_page_shows_its_beginning_first() {
    let mut session = Session::open_bytes("demo", stacklens::cli::demo::PREVIEW, (80, 24));
    session
        .keys("b")
        .shows("21 changes")
        .shows("LOOK AT THESE FIRST");
    // The resource of the first entry is the current one now.
    session.keys("<Enter>").shows("▶   ± orders-db");
}

#[test]
fn enter_opens_the_difference_of_a_folded_change() {
    let mut session = demo((120, 40));
    // The sections of the list are folded.
    session.keys("2tttzM1b");
    go_to(&mut session, "ON THEIR OWN");
    session
        .keys("j<Enter>")
        .shows("[2 Changes")
        .shows("unified");
}

/// A plan of many disks that grow and of two databases, one of which is deleted.
fn with_databases() -> String {
    let grown: Vec<String> = (0..30).map(|at| format!("grown{at}")).collect();
    let disks = grown
        .iter()
        .map(|name| (name.as_str(), r#"{"size":1}"#, r#"{"size":2}"#));
    let mut changes: Vec<_> = disks.collect();
    changes.push(("old", r#"{"id":"d","backup_retention_period":7}"#, "null"));
    changes.push((
        "main",
        r#"{"id":"e","backup_retention_period":7}"#,
        r#"{"id":"e","backup_retention_period":1}"#,
    ));
    let text = plan(&changes);
    let database = |text: String, name: &str| {
        let [from, to] = ["acme_disk", "aws_db_instance"]
            .map(|ty| format!(r#""address":"{ty}.{name}","mode":"managed","type":"{ty}""#));
        text.replace(&from, &to)
    };
    database(database(text, "old"), "main")
}

/// The page of a plan as far as it is known after these resources, by the ends of their names.
fn so_far(session: &Session, ends: &[&str], n_read: usize) -> Event {
    let document = session.app.session.document.clone().unwrap();
    let stack = &document.stack;
    let ids = stack.ids().filter(|id| {
        let name = stack.identity(*id);
        ends.iter().any(|end| name.ends_with(end))
    });
    let wanted: Vec<_> = ids.collect();
    let schemas = Schemas::default();
    let brief = Brief::of(&document, &schemas, Rules::built_in(), &|| false).unwrap();
    let mut page = Page::of(&brief, &document, &schemas);
    page.parts.retain_mut(|part| {
        part.entries
            .retain(|entry| entry.ids.iter().all(|id| wanted.contains(id)));
        part.count = part.entries.len();
        matches!(part.title, Title::Found(_)) && !part.entries.is_empty()
    });
    let answer = Answer::<MakeBrief>(Briefed {
        listed: Box::new(Listed::new(page, stack)),
        n_read: Some(n_read),
    });
    Event::Answer(Cancel::default(), Box::new(answer))
}

#[test]
fn findings_are_shown_while_the_page_is_made_and_the_row_stays() {
    let text = with_databases();
    let mut session = Session::open_bytes("plan.json", text.as_bytes(), (120, 40));
    session.hold().keys("R");
    session.deliver(usize::MAX);
    // The counts and the changes are there before the page.
    session
        .shows("[b Brief]")
        .shows("32 changes")
        .shows("reading the changes…")
        .shows("aws_db_instance.old");
    session.keys("2").shows("[2 Changes 32]").keys("b");
    let event = so_far(&session, &["old"], 12);
    session.event(event);
    session
        .shows("Brief · reading: 12 of 32 changes")
        .shows("aws_db_instance.old")
        .hides("reading the changes…");
    session.keys("jk");
    let is_old = |session: &Session| {
        let line = session.cursor_line();
        assert!(line.contains("aws_db_instance.old"), "{}", session.text());
    };
    is_old(&session);
    // A finding above it takes no row from under the cursor.
    let event = so_far(&session, &["main", "old"], 20);
    session.event(event);
    session
        .shows("reading: 20 of 32 changes")
        .shows("aws_db_instance.main");
    is_old(&session);
    session.settle().hides("reading:").shows("30 of 30");
    is_old(&session);
}

#[test]
fn a_page_nobody_moved_on_shows_its_beginning_and_its_first_entry() {
    let text = with_databases();
    let mut session = Session::open_bytes("plan.json", text.as_bytes(), (120, 24));
    // The last line says that the file was read again.
    let above = |session: &Session| {
        session
            .text()
            .lines()
            .take(23)
            .collect::<Vec<_>>()
            .join("\n")
    };
    let whole = above(&session);
    session.hold().keys("R");
    session.deliver(usize::MAX);
    let event = so_far(&session, &["old"], 12);
    session.event(event);
    session.settle();
    assert_eq!(above(&session), whole);
}

#[test]
fn rules_of_the_person_are_looked_for_in_the_explorer() {
    let rule = r#"[[rule]]
id = "disk-grows"
level = "danger"
types = ["acme_disk"]
property = "size"
when = "grows"
says = "the disk costs more"
more = """#;
    let rules = Rules::built_in()
        .clone()
        .with_file("own.toml", rule)
        .unwrap();
    let text = plan(&[("one", r#"{"size":1}"#, r#"{"size":2}"#)]);
    let input = Input {
        rules: Some(Arc::new(rules)),
        ..Input::bytes("plan.json", text.into_bytes())
    };
    let mut session = Session::open_input(input, (120, 24));
    session
        .shows("LOOK AT THESE FIRST")
        .shows("the disk costs more");
    session.keys("R").shows("the disk costs more");
}

#[test]
fn what_is_muted_is_told_on_request() {
    let mute =
        "[[mute]]\ntype = \"acme_disk\"\nproperty = \"size\"\nreason = \"grows by itself\"\n";
    let rules = Rules::built_in().clone().with_file("own.toml", mute);
    let text = plan(&[("one", r#"{"size":1}"#, r#"{"size":2}"#)]);
    let input = Input {
        rules: Some(Arc::new(rules.unwrap())),
        ..Input::bytes("plan.json", text.clone().into_bytes())
    };
    let mut session = Session::open_input(input, (120, 24));
    session.shows("MUTED  1").shows("grows by itself");
    session
        .keys("gm")
        .shows("muted changes are told too")
        .shows("ON THEIR OWN  1")
        .hides("grows by itself");
    session.keys("gm").shows("MUTED  1");
    let input = Input::bytes("plan.json", text.into_bytes());
    let mut session = Session::open_input(input, (120, 24));
    session.keys("gm").shows("nothing is muted");
}

/// A plan that opens two security groups to everyone and changes two outputs.
fn opened() -> String {
    let group = |name: &str| {
        let side = |cidr: &str| {
            format!(
                r#"{{"name":"{name}","ingress":[{{"from_port":22,"to_port":22,"protocol":"tcp","cidr_blocks":["{cidr}"],
                "description":"","ipv6_cidr_blocks":[],"prefix_list_ids":[],"security_groups":[],"self":false}}]}}"#
            )
        };
        format!(
            r#"{{"address":"aws_security_group.{name}","mode":"managed","type":"aws_security_group","name":"{name}",
            "provider_name":"registry.terraform.io/hashicorp/aws","change":{{"actions":["update"],"before":{},"after":{},
            "after_unknown":{{}},"before_sensitive":{{}},"after_sensitive":{{}}}}}}"#,
            side("10.0.0.0/8"),
            side("0.0.0.0/0")
        )
    };
    format!(
        r#"{{"format_version":"1.2","terraform_version":"1.9.0","resource_changes":[{},{}],
        "output_changes":{{"first":{{"actions":["update"],"before":"a","after":"b"}},
        "second":{{"actions":["update"],"before":"c","after":"d"}}}}}}"#,
        group("one"),
        group("two")
    )
}

/// Moves down to the row with a text.
#[track_caller]
fn go_down_to(session: &mut Session, text: &str) {
    for _ in 0..60 {
        if session.cursor_line().contains(text) {
            return;
        }
        session.keys("j");
    }
    panic!("no row {text} on\n{}", session.text());
}

#[test]
fn enter_on_a_resource_of_a_group_opens_it() {
    for name in ["one", "two"] {
        let mut session = open(&opened(), (120, 40));
        session.keys("gg");
        go_down_to(&mut session, "2 of 2");
        session.keys("l");
        go_down_to(&mut session, &format!("  ~ aws_security_group.{name}"));
        session.keys("<Enter>").shows("[2 Changes 2]");
        let line = session.cursor_line();
        assert!(line.contains(name), "{line}");
    }
}

#[test]
fn enter_on_an_output_opens_that_output() {
    for name in ["first", "second"] {
        let mut session = open(&opened(), (120, 40));
        go_to(&mut session, "OUTPUTS");
        go_down_to(&mut session, name);
        session.keys("<Enter>").shows("[2 Changes");
        let line = session.cursor_line();
        assert!(line.contains(name), "{line}");
        session.keys("[").shows("[b Brief]");
    }
}

#[test]
fn a_group_counts_resources_and_not_names() {
    let names: Vec<String> = ["anna", "berta", "carla"]
        .into_iter()
        .map(str::to_owned)
        .chain((0..4).map(|n| format!("dora[{n}]")))
        .collect();
    let changes: Vec<_> = names
        .iter()
        .map(|name| (name.as_str(), r#"{"size":1}"#, r#"{"size":2}"#))
        .collect();
    let text = plan(&changes);
    let mut session = open(&text, (80, 30));
    session
        .shows("7 of 7")
        .shows("acme_disk.dora[0-3]")
        .hides(" more");
}

#[test]
fn a_search_in_the_brief_goes_through_its_lines() {
    let mut session = demo((120, 40));
    session.keys("/cdn<Enter>").shows("[b Brief]");
    let line = session.cursor_line();
    assert!(line.contains("cdn"), "{line}");
    session
        .keys("/priceClass")
        .shows("Find in this list")
        .keys("<Esc>");
    // The next keys go through what was found, and back to entries once the search ends.
    session.keys("gg/orders-db<Enter>").shows("[1/");
    let first = session.cursor_line();
    session.keys("n").shows("[2/");
    assert_ne!(session.cursor_line(), first);
    session.keys("N").shows("[1/");
    assert_eq!(session.cursor_line(), first);
    session.keys("<Esc>").shows("search ended");
    // The filter is that of the list of changes.
    session
        .keys("ggf")
        .shows("[2 Changes")
        .shows(" Filter ")
        .keys("<Esc>")
        .shows("[b Brief");
}

#[test]
fn folds_open_and_close_the_sections_of_the_brief() {
    let mut session = demo((120, 60));
    go_to(&mut session, "WARNING");
    let title = session.cursor_line();
    session.keys("jzc").shows("▸ WARNING");
    assert_eq!(session.cursor_line().replace('▸', "▾"), title);
    session.keys("zo").shows("▾ WARNING");
    session
        .keys("zM")
        .shows("▸ WARNING")
        .shows("▸ LOOK AT THESE FIRST");
    session
        .keys("zO")
        .shows("▾ WARNING")
        .shows("▸ LOOK AT THESE FIRST");
    session.keys("zR").shows("▾ LOOK AT THESE FIRST");
}

#[test]
fn the_titles_are_those_of_every_form() {
    let mut session = demo((120, 100));
    for title in ["LOOK AT THESE FIRST", "MOVED AND IMPORTED", "ON THEIR OWN"] {
        session.shows(title);
    }
    session.keys("gg").shows("n next danger");
    session.keys("G").shows("n next entry");
}

#[test]
fn a_search_opens_the_folds_around_its_hits_and_closes_them_again() {
    let mut session = open(&many(30), (120, 40));
    session.keys("zM");
    let closed = session.text();
    session.keys("/older");
    assert!(
        session.cursor_line().contains("older"),
        "{}",
        session.text()
    );
    session.keys("<Esc>");
    assert_eq!(session.text(), closed);
    // A resource of a closed group in a closed section.
    session.keys("/grown29<Enter>").shows("] grown29");
    assert!(
        session.cursor_line().contains("acme_disk.grown29"),
        "{}",
        session.text()
    );
    session.keys("<Esc>/acme_disk.grown1<Enter>n");
    let line = session.cursor_line();
    assert!(line.contains("acme_disk.grown1"), "{line}");
    // The title with the group takes the place of what the search left.
    session.keys("<Esc>gg/older<Enter>").hides("grown29");
}

#[test]
fn keys_after_a_search_in_the_brief_are_for_the_resource_that_was_found() {
    let mut session = open(&many(6), (120, 40));
    // The line of the group names the resource too.
    session.keys("/grown1").shows("1 of ").keys("<Enter>");
    let line = session.cursor_line();
    assert!(line.contains("~ acme_disk.grown1"), "{line}");
    session
        .keys("<Enter>")
        .shows("~ acme_disk.grown1 · will be");
    // Words that only the line of the group has lead to the group.
    session.keys("b/6 of 8<Enter>");
    let line = session.cursor_line();
    assert!(line.contains("~ 6 of 8"), "{line}");
}

#[test]
fn resources_of_a_group_have_the_signs_of_their_own_actions() {
    let names = ["web", "a", "b", "c", "d"];
    let step = |name: &&str| {
        let own = match *name {
            "web" => r#""custom": false"#,
            "a" => {
                r#""custom": true, "retainOnDelete": true, "parent": "urn:pulumi:s::p::a:b:C::web""#
            }
            _ => r#""custom": true, "parent": "urn:pulumi:s::p::a:b:C::web""#,
        };
        let urn = format!("urn:pulumi:s::p::a:b:C::{name}");
        format!(
            r#"{{"op": "delete", "urn": "{urn}", "oldState": {{"urn": "{urn}", "type": "a:b:C", "id": "1", "inputs": {{}}, "outputs": {{}}, {own}}}}}"#
        )
    };
    let steps: Vec<_> = names.iter().map(step).collect();
    let text = format!(r#"{{"steps": [{}]}}"#, steps.join(", "));
    let mut session = Session::open_bytes("preview.json", text.as_bytes(), (120, 40));
    session.keys("bzR").shows("  . a  ").shows("  - b  ");
}

#[test]
fn a_search_in_the_brief_says_which_rows_it_leaves_out() {
    let mut session = open(&many(10_100), (120, 40));
    for folds in ["zM", "zR"] {
        session
            .keys(folds)
            .keys("/grown9099")
            .shows("no row contains grown9099 (the resources of groups were not searched)")
            .keys("<Esc>");
    }
    // The search of the list of changes finds each.
    session.keys("2/grown9099<Enter>");
    assert!(
        session.cursor_line().contains("grown9099"),
        "{}",
        session.text()
    );
}

/// A plan that deletes a database and creates one like it.
fn renamed(old: &str, new: &str) -> String {
    let database = r#"{"id":"orders","identifier":"orders","engine":"postgres","allocated_storage":200,"db_name":"orders","username":"app"}"#;
    let change = |name: &str, action: &str, before: &str, after: &str| {
        format!(
            r#"{{"address":"aws_db_instance.{name}","mode":"managed","type":"aws_db_instance","name":"{name}",
            "provider_name":"registry.terraform.io/hashicorp/aws","change":{{"actions":["{action}"],"before":{before},
            "after":{after},"after_unknown":{{}},"before_sensitive":{{}},"after_sensitive":{{}}}}}}"#
        )
    };
    format!(
        r#"{{"format_version":"1.2","terraform_version":"1.9.0","resource_changes":[{},{}]}}"#,
        change(old, "delete", database, "null"),
        change(new, "create", "null", database)
    )
}

#[test]
fn the_sentences_about_a_new_name_are_never_cut() {
    let long = format!("orders_{}", "replica_".repeat(12));
    for new in ["main", &long] {
        let mut session = open(&renamed("orders", new), (80, 24));
        session
            .shows("another name")
            .shows("the database is deleted with its data")
            .shows("aws_db_instance.");
        session.resize(60, 30);
        session
            .shows("another name")
            .shows("the database is deleted with its data");
    }
}

#[test]
fn a_fact_beside_a_finding_has_no_sign_of_a_change_at_any_width() {
    let resource = |address: &str, action: &str, before: &str, after: &str| {
        let (ty, name) = address.split_once('.').unwrap();
        format!(
            r#"{{"address":"{address}","mode":"managed","type":"{ty}","name":"{name}",
            "provider_name":"registry.terraform.io/hashicorp/google","change":{{"actions":["{action}"],"before":{before},
            "after":{after},"after_unknown":{{}},"before_sensitive":{{}},"after_sensitive":{{}}}}}}"#
        )
    };
    let account = "serviceAccount:booking-api@shop-prod.iam.gserviceaccount.com";
    let member = format!(r#"{{"project":"shop","role":"roles/sql.client","member":"{account}"}}"#);
    let binding =
        r#"{"project":"shop","role":"roles/sql.client","members":["serviceAccount:report"]}"#;
    let text = format!(
        r#"{{"format_version":"1.2","terraform_version":"1.9.0","resource_changes":[{},{}]}}"#,
        resource("google_project_iam_binding.sql", "create", "null", binding),
        resource(
            "google_project_iam_member.booking_api",
            "no-op",
            &member,
            &member
        )
    );
    for size in [(80, 24), (160, 40)] {
        let mut session = open(&text, size);
        session.shows("sets all members of roles/sql.client");
        let screen = session.text();
        let line = screen.lines().find(|line| line.contains(account)).unwrap();
        let (before, _) = line.split_once(account).unwrap();
        assert!(!before.contains(['+', '-']), "{line}");
    }
}

#[test]
fn the_brief_of_a_state_offers_no_review() {
    let mut session = Session::open("pulumi-state/shop.json", (120, 40));
    session.keys("b").hides("reviewed").hides("r why");
    session.keys(":reviewed").hides("mark as reviewed");
    demo((120, 40)).keys("n").shows("Space reviewed");
}

#[test]
fn a_type_that_would_be_cut_to_a_few_cells_is_left_out() {
    demo((40, 12)).shows("orders-db").hides("…nce");
    demo((60, 20)).shows("…Instance");
}

#[test]
fn the_hints_name_the_key_that_opens_a_failed_check() {
    let plan = r#"{"format_version": "1.2", "terraform_version": "1.9.0", "planned_values": {"root_module": {}}, "resource_changes": [],
        "checks": [{"address": {"kind": "check", "name": "health", "to_display": "check.health"}, "status": "fail",
            "instances": [{"address": {"to_display": "check.health"}, "status": "fail", "problems": [{"message": "expired"}]}]}]}"#;
    let mut session = Session::open_bytes("plan.json", plan.as_bytes(), (120, 40));
    session
        .keys("b<wait>gg<Down><Down>")
        .shows("Enter go there");
    assert!(session.cursor_line().contains("check.health"));
    // Nobody reviews a check, and it has no resource that changes.
    session.hides("r why").hides("Space reviewed");
    session.keys("<Enter>").shows("[5 Problems");
}

/// Neither the counts nor the remarks speak of a resource: no key acts on one.
#[test]
fn keys_do_nothing_on_rows_without_a_resource() {
    let change = |name| (name, r#"{"size":1}"#, r#"{"size":2}"#);
    let grown = plan(&["a", "b", "c", "d"].map(change));
    for size in [(120, 40), (80, 24)] {
        // The cursor was on a change before.
        for way in ["gg<Down><Down>gg", "gg<Down><Down>G"] {
            for key in ["<Enter>", "l", "d", "u", "r", "<Space>", "c", "A"] {
                let mut session = open(&grown, size);
                session.keys(way).hides("Enter ");
                let row = session.cursor_line();
                session.keys(key).shows("[b Brief]").shows(" 0/4");
                assert!(session.copied.is_empty(), "{way}{key}");
                assert!(session.app.overlays.is_empty(), "{way}{key}");
                assert_eq!(session.cursor_line(), row, "{way}{key}");
            }
            let mut session = open(&grown, size);
            session
                .keys(way)
                .keys("<Enter>")
                .shows("nothing to open here");
        }
    }
}

/// The last line of the screen, and the names of the palette, on the row with this text.
#[track_caller]
fn offered(session: &mut Session, row: &str) -> (String, Vec<&'static str>) {
    session.keys("gg");
    for _ in 0..200 {
        if session.cursor_line().contains(row) {
            let screen = session.text();
            let hints = screen.lines().last().unwrap_or_default().to_owned();
            let binds = stacklens::tui::keymap::bindings().iter();
            let names = binds.filter(|it| session.app.is_possible(it.command));
            return (hints, names.map(|it| it.name).collect());
        }
        session.keys("<Down>");
    }
    panic!("no row {row} on\n{}", session.text());
}

#[test]
fn a_row_offers_only_the_commands_that_can_be_run_on_it() {
    let mut session = demo((200, 50));
    let (hints, names) = offered(&mut session, "orders-db");
    assert!(
        hints.contains("r why") && hints.contains("Space reviewed"),
        "{hints}"
    );
    for name in ["why", "note", "mark", "depends-on"] {
        assert!(names.contains(&name), "{name} {names:?}");
    }
    // A title, and an output.
    for (row, is_reviewed) in [("▾ WARNING", false), ("~ 3 → 5", true)] {
        let (hints, names) = offered(&mut session, row);
        assert!(!hints.contains("r why"), "{hints}");
        assert_eq!(hints.contains("Space reviewed"), is_reviewed, "{hints}");
        for name in ["note", "reviewed"] {
            assert_eq!(names.contains(&name), is_reviewed, "{row}: {names:?}");
        }
        for name in ["why", "mark", "depends-on"] {
            assert!(!names.contains(&name), "{row}: {name} {names:?}");
        }
    }
    // A group is reviewed as a whole, and has causes.
    let mut session = open(&many(4), (120, 40));
    let (hints, _) = offered(&mut session, "4 of 6");
    assert!(hints.contains("Enter open"), "{hints}");
    session.keys("<Enter>").shows("Enter close");
    session.keys("<Down>").shows("Enter go there");
    assert!(
        hints.contains("r why") && hints.contains("Space reviewed"),
        "{hints}"
    );
}

#[test]
fn a_group_says_which_causes_its_members_have_in_common() {
    // The counts are of a group whose members change by themselves.
    let why = |n: usize| {
        let mut session = open(&many(n), (120, 40));
        offered(&mut session, &format!("{n} of {}", n + 2));
        session
            .keys("<wait>r")
            .shows("Why")
            .shows("~ acme_disk.grown0");
        session
    };
    why(4).shows("none of these 4 follows from another change; this is the first");
    why(40).shows("the first of 40; the others may have other causes");
    // Replacements with one cause have the same root.
    let disk = |name: &str, change: &str, reads: &str| {
        let resource = format!(
            r#"{{"address":"acme_disk.{name}","mode":"managed","type":"acme_disk","name":"{name}",
            "provider_name":"example.com/acme/acme","change":{{{change},"before_sensitive":{{}},"after_sensitive":{{}}}}}}"#
        );
        let expressions = format!(
            r#"{{"address":"acme_disk.{name}","mode":"managed","type":"acme_disk","name":"{name}","expressions":{{{reads}}}}}"#
        );
        (resource, expressions)
    };
    let reads = r#""of":{"references":["acme_disk.root.id","acme_disk.root"]}"#;
    let follows =
        r#""actions":["update"],"before":{"of":"1"},"after":{},"after_unknown":{"of":true}"#;
    let root = r#""actions":["delete","create"],"before":{"id":"1","n":1},"after":{"n":2},"after_unknown":{"id":true},"replace_paths":[["n"]]"#;
    let (changes, config): (Vec<_>, Vec<_>) = [
        disk("root", root, ""),
        disk("one", follows, reads),
        disk("two", follows, reads),
    ]
    .into_iter()
    .unzip();
    let text = format!(
        r#"{{"format_version":"1.2","terraform_version":"1.9.0","planned_values":{{"root_module":{{}}}},
        "resource_changes":[{}],"configuration":{{"root_module":{{"resources":[{}]}}}}}}"#,
        changes.join(","),
        config.join(",")
    );
    let mut session = open(&text, (120, 40));
    offered(&mut session, "~ 2 of 3");
    session
        .keys("<wait>r")
        .shows("all 2 have the same root; this is the way to the first")
        .shows("the root is acme_disk.root");
}

#[test]
fn a_created_resource_does_not_wait_for_its_causes_forever() {
    let mut session = demo((120, 40));
    offered(&mut session, "events-age");
    session.keys("r").hides("still being found");
}

/// A type of a state leads to its resources.
#[test]
fn the_hints_name_the_key_that_lists_the_resources_of_a_type() {
    let mut session = Session::open("pulumi-state/shop.json", (120, 40));
    let (hints, _) = offered(session.keys("b"), "aws:rds:");
    assert!(hints.contains("Enter go there"), "{hints}");
    session.keys("<Enter>").shows("[1 Resources").shows("match");
}

#[test]
fn keys_that_come_before_the_page_do_not_lead_away_from_its_first_entry() {
    let first = Session::open("tfplan-json/shop.json", (120, 40)).cursor_line();
    let mut early = Session::open_held("tfplan-json/shop.json", (120, 40));
    early.keys("bjj").deliver(usize::MAX);
    assert_eq!(early.cursor_line(), first);
}

#[test]
fn the_page_that_a_plan_opens_with_follows_the_current_resource() {
    let plan = plan(&[
        ("first", r#"{"size":1}"#, "null"),
        ("second", r#"{"name":"a"}"#, r#"{"name":"b"}"#),
        ("third", r#"{"cores":1}"#, r#"{"cores":2}"#),
    ]);
    let mut session = Session::open_bytes("plan.json", plan.as_bytes(), (120, 40));
    session.keys("<wait>").shows("[b Brief]");
    assert!(
        session.cursor_line().contains("first"),
        "{}",
        session.text()
    );
    session.keys("1/third<Enter>b").shows("[b Brief]");
    assert!(
        session.cursor_line().contains("third"),
        "{}",
        session.text()
    );
}

#[test]
fn the_title_of_the_page_names_the_section_of_its_first_row() {
    let mut session = Session::open_bytes("demo", stacklens::cli::demo::PREVIEW, (80, 24));
    session.keys("b").shows("─ Brief ─");
    session.keys("<PgDn><PgDn>").shows("─ Brief · ");
    session.keys("gg").shows("─ Brief ─");
}
