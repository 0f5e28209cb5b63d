//! The Resources view: columns that hold against length and depth, sums, ancestors that stay, the marks in the scrollbar, the head of
//! the details, and what empty lists say.

use std::collections::HashSet;

use crossterm::event::{KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use ratatui::buffer::{Buffer, Cell};
use stacklens::tui::event::Event;
use stacklens::tui::theme::{Depth, Palette};

use super::harness::Session;

const STATE: &str = "pulumi-state/shop.json";
const PLAN: &str = "tfplan-json/shop.json";
const SIZES: [(u16, u16); 3] = [(80, 24), (120, 40), (200, 60)];

/// A preview, step by step.
#[derive(Default)]
struct Preview(Vec<String>);

impl Preview {
    /// Adds a step and returns its URN.
    fn step(&mut self, op: &str, ty: &str, name: &str, parent: &str) -> String {
        let urn = format!("urn:pulumi:prod::shop::{ty}::{name}");
        let parent = match parent {
            "" => String::new(),
            parent => format!(r#","parent":"{parent}""#),
        };
        let state = |value: u32| {
            format!(
                r#"{{"urn":"{urn}","custom":true,"type":"{ty}","id":"i"{parent},"inputs":{{"a":{value}}},"outputs":{{"a":{value}}}}}"#
            )
        };
        self.0.push(format!(
            r#"{{"op":"{op}","urn":"{urn}","oldState":{},"newState":{}}}"#,
            state(1),
            state(2)
        ));
        urn
    }

    fn open(&self, size: (u16, u16)) -> Session {
        let text = format!(r#"{{"config":{{}},"steps":[{}]}}"#, self.0.join(","));
        let mut session = Session::open_bytes("preview.json", text.as_bytes(), size);
        session.keys("1<wait>");
        session
    }
}

/// A stack with a chain of 40 levels, and 1,142 changes below one parent.
fn hard() -> Preview {
    let mut preview = Preview::default();
    let root = preview.step("same", "pulumi:pulumi:Stack", "shop-prod", "");
    let mut parent = root.clone();
    for level in 0..40 {
        let op = if level == 3 { "update" } else { "same" };
        parent = preview.step(op, "shop:index:Level", &format!("level-{level}"), &parent);
    }
    preview.step(
        "replace",
        "aws:rds/instance:Instance",
        "at-the-bottom",
        &parent,
    );
    let network = preview.step("same", "shop:net:Network", "network", &root);
    for number in 0..1142 {
        let op = ["update", "create", "replace"][number % 3];
        let name = format!("rule-{number:04}");
        preview.step(
            op,
            "aws:ec2/securityGroupRule:SecurityGroupRule",
            &name,
            &network,
        );
    }
    preview
}

/// Names of 200 cells that differ in the middle, half of them wide.
fn long() -> Preview {
    let mut preview = Preview::default();
    let root = preview.step("same", "pulumi:pulumi:Stack", "shop-prod", "");
    for letter in 'a'..'g' {
        let name = format!("{0}{letter}{0}", "long-".repeat(20));
        preview.step("update", "aws:ec2/subnet:Subnet", &name, &root);
        let name = format!("{0}{letter}{0}", "名前🚀".repeat(16));
        preview.step("create", "aws:rds/instance:Instance", &name, &root);
    }
    preview
}

/// The rows of the left pane.
fn rows(session: &Session) -> Vec<String> {
    let screen = session.text();
    let lines: Vec<&str> = screen.lines().collect();
    let body = &lines[2..lines.len() - 2];
    let tree = session.app.areas().panes[0].inner;
    let (from, width) = (usize::from(tree.x), usize::from(tree.width));
    let left = body.iter().map(|line| line.chars().skip(from).take(width));
    left.map(Iterator::collect).collect()
}

/// The column of a text in a row, in characters.
fn column(row: &str, text: &str) -> Option<usize> {
    row.find(text).map(|at| row[..at].chars().count())
}

#[test]
fn signs_have_a_column_whatever_the_depth() {
    for size in SIZES {
        let mut session = hard().open(size);
        session.keys("zR");
        let mut n_signs = 0;
        for _ in 0..4 {
            for row in rows(&session) {
                let sign: Vec<char> = row.chars().skip(2).take(1).collect();
                if row.contains("level-3 ")
                    || row.contains("at-the-bottom")
                    || row.contains("rule-")
                {
                    assert!(['~', '±', '+'].contains(&sign[0]), "{row}");
                    n_signs += 1;
                }
            }
            session.keys("<PgDn>");
        }
        assert!(n_signs > 10, "{}", session.text());
    }
}

#[test]
fn folded_parents_sum_up_the_changes_below() {
    let mut session = hard().open((120, 40));
    session.keys("zM").shows("±381 ~382 +381");
    session.keys("l").keys("G").shows("±380 ~381 +381");
    let mut session = Session::open(PLAN, (120, 40));
    session.keys("1<wait>");
    let module = rows(&session)
        .into_iter()
        .find(|row| row.contains("module.eks"));
    assert!(
        module.is_some_and(|row| row.contains("+2")),
        "{}",
        session.text()
    );
}

#[test]
fn forty_levels_still_show_the_name_and_the_type() {
    for size in SIZES {
        let mut session = hard().open(size);
        session.keys("zR/at-the-bottom<wait><Enter><wait>");
        let row = session.cursor_line();
        assert!(row.contains("at-the") && row.contains("41 ▸"), "{row}");
        assert!(row.contains("rds:Instance"), "{row}");
        // Each level of the chain is at the right of the one above, up to the limit.
        session.keys("gg");
        let columns: Vec<_> = rows(&session)
            .iter()
            .filter(|row| row.contains("level-"))
            .filter_map(|row| column(row, "▾"))
            .collect();
        assert!(columns.len() > 8 && columns.is_sorted(), "{columns:?}");
        assert!(columns[0] < columns[4], "{columns:?}");
    }
}

/// 20,000 rules below one parent, of which two change in another way than the others.
fn many_siblings() -> Preview {
    let mut preview = Preview::default();
    let network = preview.step("same", "shop:net:Network", "network", "");
    for number in 0..20_000 {
        let op = match number {
            7 => "delete",
            19_998 => "replace",
            _ => "update",
        };
        let ty = "aws:ec2/securityGroupRule:SecurityGroupRule";
        preview.step(op, ty, &format!("rule-{number:05}"), &network);
    }
    preview
}

#[test]
fn twenty_thousand_siblings_hold_in_each_view() {
    let preview = many_siblings();
    for size in SIZES {
        let mut session = preview.open(size);
        session.keys("zM").shows("network");
        session.shows("-1 ±1 ~19,998");
        session.keys("zRG");
        assert!(
            session.cursor_line().contains("rule-19999"),
            "{}",
            session.cursor_line()
        );
        // The parent stays visible above the rows.
        session.shows("network").hides("rule-00000");
        session.keys("/rule-12345<wait><Enter><wait>");
        assert!(session.cursor_line().contains("rule-12345"));
        session.keys("gp");
        assert!(session.cursor_line().contains("network"));
        // The brief has them in a few lines, and the odd ones by name.
        session.keys("b<wait>");
        session.shows("rule-00007").shows("rule-19998");
        session.shows("19,998").hides("rule-00300");
        session.keys("2<wait>zRG");
        assert_eq!(session.text().lines().count(), usize::from(size.1));
        session.keys("<Esc>ggn");
        assert!(
            ["rule-00007", "rule-19998"]
                .iter()
                .any(|rule| session.text().contains(rule)),
            "{}",
            session.text()
        );
    }
}

#[test]
fn names_of_any_length_leave_the_types_and_stay_different() {
    for size in SIZES {
        let session = long().open(size);
        let rows = rows(&session);
        let named =
            |part: &str| -> Vec<&String> { rows.iter().filter(|row| row.contains(part)).collect() };
        let (subnets, databases) = (named("ec2:Subnet"), named("rds:Instance"));
        assert_eq!(
            (subnets.len(), databases.len()),
            (6, 6),
            "{}",
            session.text()
        );
        for group in [subnets, databases] {
            for (at, row) in group.iter().enumerate() {
                assert!(!group[..at].contains(row), "{}", session.text());
            }
        }
    }
}

#[test]
fn the_ancestors_of_the_first_row_stay_and_never_cover_the_cursor() {
    for size in SIZES {
        let mut session = hard().open(size);
        session.keys("/rule-0700<wait><Enter><wait>");
        let above = rows(&session);
        assert!(
            above[0].starts_with('↑') && above[0].contains("shop-prod"),
            "{above:#?}"
        );
        assert!(
            above[1].starts_with('↑') && above[1].contains("network"),
            "{above:#?}"
        );
        assert!(!above[2].starts_with('↑'), "{above:#?}");
        for keys in ["k", "k", "^u", "<PgUp>", "j", "<PgDn>", "G", "gg", "^d"] {
            let keys = keys
                .replace('^', "<C-")
                .replace("<C-u", "<C-u>")
                .replace("<C-d", "<C-d>");
            for _ in 0..12 {
                session.keys(&keys);
                let n_cursors = rows(&session)
                    .iter()
                    .filter(|row| row.starts_with('▶'))
                    .count();
                assert_eq!(n_cursors, 1, "after {keys}\n{}", session.text());
            }
        }
        // Nothing stays that is on the screen anyway.
        session.keys("gg").hides("↑");
    }
}

#[test]
fn headings_of_the_details_close_and_open_with_all_others() {
    let mut session = Session::open(STATE, (120, 40));
    session.keys("guorders-db<Enter><Tab>ih");
    for (keys, shown) in [("h", "▸ outputs"), ("zR", "▾ outputs"), ("h", "▸ outputs")] {
        session.keys(keys).shows(shown);
    }
}

#[test]
fn no_line_is_blank_between_the_rows_of_the_tree() {
    for height in [10, 14, 24] {
        let mut session = Session::open(STATE, (80, height));
        session.keys("1zR");
        for keys in [&["j"; 60][..], &["k"; 60], &["<C-d>"; 6], &["<C-u>"; 6]].concat() {
            session.keys(keys);
            let rows = rows(&session);
            let n_rows = rows.iter().take_while(|row| !row.trim().is_empty()).count();
            let rest = &rows[n_rows..];
            assert!(rest.iter().all(|row| row.trim().is_empty()), "{rows:#?}");
        }
    }
}

#[test]
fn pages_leave_out_no_row() {
    let mut session = hard().open((120, 40));
    session.keys("zMlG/rule-0000<wait><Enter><wait>");
    let mut seen = std::collections::BTreeSet::new();
    for _ in 0..60 {
        for row in rows(&session) {
            seen.extend(row.find("rule-").map(|at| row[at..at + 9].to_owned()));
        }
        session.keys("<PgDn>");
    }
    assert_eq!(seen.len(), 1142);
}

fn click(session: &mut Session, column: u16, row: u16) {
    session.event(Event::Mouse(MouseEvent {
        kind: MouseEventKind::Down(MouseButton::Left),
        column,
        row,
        modifiers: KeyModifiers::NONE,
    }));
}

#[test]
fn a_click_on_an_ancestor_selects_it() {
    let mut session = hard().open((120, 40));
    session.keys("m/rule-0700<wait><Enter><wait>");
    click(&mut session, 10, 5);
    assert!(
        session.cursor_line().contains("rule-"),
        "{}",
        session.text()
    );
    session.keys("/rule-0700<wait><Enter><wait>");
    click(&mut session, 10, 3);
    assert!(
        session.cursor_line().contains("network"),
        "{}",
        session.text()
    );
}

/// The scrollbar of the left pane of a screen.
fn bar(buffer: &Buffer) -> String {
    bar_cells(buffer).map(Cell::symbol).collect()
}

fn bar_cells(buffer: &Buffer) -> impl Iterator<Item = &Cell> {
    let right = (0..buffer.area.width - 1)
        .find(|x| buffer[(*x, 1)].symbol() == "┐" || buffer[(*x, 1)].symbol() == "┓")
        .unwrap_or(buffer.area.width);
    (2..buffer.area.height - 3).map(move |y| &buffer[(right - 1, y)])
}

#[test]
fn the_scrollbar_marks_changes_problems_and_hits() {
    let mut preview = Preview::default();
    let root = preview.step("same", "pulumi:pulumi:Stack", "shop-prod", "");
    for number in 0..700 {
        let op = match number {
            699 => "replace",
            300 => "update",
            _ => "same",
        };
        preview.step(op, "a:b:C", &format!("r{number:03}"), &root);
    }
    let mut session = preview.open((120, 40));
    session.keys("zRgg");
    let marks = |session: &mut Session| bar(&session.cells(Depth::None, Palette::Dark));
    let without = marks(&mut session);
    assert_eq!(without.matches('▐').count(), 2, "{without}");
    assert!(
        without.ends_with('▐') && without.starts_with('█'),
        "{without}"
    );
    session.keys("/r500<wait><Enter><wait>gg");
    let with = marks(&mut session);
    assert_eq!(with.matches('▐').count(), 3, "{with}");
    assert_eq!(with.find('▐'), without.find('▐'), "{with}");
    // It has one color.
    let cells = session.cells(Depth::True, Palette::Dark);
    let colors: HashSet<_> = bar_cells(&cells).map(|cell| cell.fg).collect();
    assert!(colors.len() <= 2, "{colors:?}");
    // Going to a hit below a closed parent opens it, and the marks move with the rows.
    session.keys("zMn<wait>gg");
    assert_eq!(marks(&mut session), with);
    // A closed parent has the mark of everything below it, and a list that fits has no bar.
    session.keys("ggzM");
    assert!(!marks(&mut session).contains('▐'), "{}", session.text());
}

#[test]
fn the_counts_name_what_they_count() {
    let mut preview = Preview::default();
    for number in 0..41 {
        preview.step("same", "a:b:C", &format!("r{number}"), "");
    }
    let mut session = preview.open((120, 40));
    session.keys("011j").shows(" 12 of 41 resources ");
    let mut session = Session::open(PLAN, (120, 40));
    session.keys("1<wait>gg").shows(" 1 of 17 rows ");
    let mut session = Session::open(STATE, (120, 40));
    session.keys("guorders-db<Enter><Tab>jj").shows(" 3 of 31 ");
}

#[test]
fn the_details_say_what_it_is_what_happens_and_what_needs_it() {
    let mut session = Session::open_bytes("demo", stacklens::cli::demo::PREVIEW, (120, 40));
    session.keys("1<wait>guorders-db<Enter>");
    session
        .shows("aws:rds:Instance · orders-db")
        .shows("± replace  2")
        .shows("needed by 3")
        .shows("d u");
    session
        .keys("guvpc<Enter>")
        .shows("id vpc-")
        .shows(" protected ");
}

#[test]
fn an_address_is_listed_once_and_providers_have_rows() {
    let mut session = Session::open(PLAN, (120, 40));
    session.keys("1<wait>guaws_s3_bucket.logs<Enter>");
    let screen = session.text();
    let head = screen.lines().take(30).collect::<String>();
    assert_eq!(head.matches("aws_s3_bucket.logs").count(), 1, "{screen}");
    session.hides("urn:");
    session.keys("gP").shows("hashicorp/aws");
    assert!(
        session.cursor_line().contains("hashicorp/aws"),
        "{}",
        session.text()
    );
    session.shows("of this provider");
    session.keys("[");
    assert!(session.cursor_line().contains("logs"), "{}", session.text());
}

#[test]
fn the_containers_of_the_first_value_stay() {
    let items: Vec<String> = (0..20_000)
        .map(|n| format!(r#"{{"comparison":"GreaterThan","n":{n}}}"#))
        .collect();
    let text = format!(
        r#"{{"version":3,"deployment":{{"manifest":{{}},"resources":[{{"urn":"urn:pulumi:s::p::k:m:T::x","custom":true,"type":"k:m:T","id":"1",
        "outputs":{{"monitoring":{{"alarms":[{}]}}}}}}]}}}}"#,
        items.join(",")
    );
    let mut session = Session::open_bytes("s.json", text.as_bytes(), (120, 40));
    session
        .keys("<Tab>zR")
        .keys("G")
        .shows("↑▾ monitoring › alarms");
    session.shows("of 60,002");
    session.keys("gg").hides("↑");
    session.keys("06000G");
    let is_element = |_| {
        session
            .keys("j")
            .text()
            .contains("↑▾ monitoring › alarms › [")
    };
    assert!((0..3).any(is_element));
}

#[test]
fn keys_of_secrets_come_from_the_table() {
    let mut session = Session::open(STATE, (120, 40));
    session.keys("guorders-pw<Enter>").shows("x reveal");
}

#[test]
fn empty_lists_say_what_they_are_and_what_to_do() {
    let state = br#"{"version":3,"deployment":{"manifest":{}}}"#;
    Session::open_bytes("s.json", state, (80, 24))
        .keys("1<wait>")
        .shows("this stack has no resources")
        .shows("R read it again · gf other files here");
    let plan = br#"{"format_version":"1.2","terraform_version":"1.9.0","planned_values":{"root_module":{}}}"#;
    Session::open_bytes("p.json", plan, (80, 24))
        .keys("1<wait>")
        .shows("this plan has no resources");
    // A filter whose resources are gone after a reload.
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s.json");
    let write = |name: &str| {
        let text = format!(
            r#"{{"version":3,"deployment":{{"manifest":{{}},"resources":[{{"urn":"urn:pulumi:s::p::k:m:T::{name}","custom":true,"type":"k:m:T","id":"1"}}]}}}}"#
        );
        std::fs::write(&path, text).unwrap();
    };
    write("web");
    let mut session = Session::open_path(path.clone(), (80, 24));
    session.keys("fname:web<Enter><wait>");
    write("gone");
    session
        .keys("R<wait>")
        .shows("no resource matches name:web")
        .shows("Esc show all 1 resource · f edit the filter");
    session.keys("<Esc>").shows("▸ gone");
}

#[test]
fn every_size_and_number_of_colors_holds() {
    for size in [
        (200, 60),
        (120, 40),
        (100, 30),
        (80, 24),
        (40, 10),
        (20, 8),
        (10, 4),
        (3, 2),
    ] {
        let mut session = hard().open(size);
        session.keys("zRG<PgUp><PgUp>ggjjl<Tab>Gw");
        for depth in [Depth::None, Depth::Sixteen, Depth::Indexed, Depth::True] {
            for palette in [Palette::Dark, Palette::Light] {
                session.cells(depth, palette);
            }
        }
    }
}

#[test]
fn badges_shrink_before_the_names_beside_them() {
    let mut session = Session::open("pulumi-state/shop.json", (120, 40));
    session
        .keys("1")
        .shows("orders-proxy  old copy!")
        .shows("api-hpa  pending!")
        .shows("…PodAutoscaler");
    session.resize(150, 40).shows("pending delete!");
    session.resize(100, 40).shows("orders-url  tai");
}

#[test]
fn the_row_of_a_stack_counts_the_changes_that_the_brief_counts() {
    let mut preview = Preview::default();
    let stack = preview.step("same", "pulumi:pulumi:Stack", "shop-prod", "");
    preview.step("delete", "pulumi:providers:acme", "default_1", &stack);
    preview.step("create", "pulumi:providers:acme", "default_2", &stack);
    preview.step("update", "acme:queue:Queue", "jobs", &stack);
    let kept = preview.step("delete", "acme:queue:Queue", "kept", &stack);
    let last = preview.0.last_mut().unwrap();
    *last = last.replace(
        &format!(r#""{kept}","custom":true"#),
        &format!(r#""{kept}","custom":true,"retainOnDelete":true"#),
    );
    let mut session = preview.open((120, 40));
    session
        .keys("b")
        .shows("4 changes   1 delete   1 update   1 create   1 forget")
        .keys("1gg")
        .shows("shop-prod");
    let counts = session.cursor_line();
    assert!(counts.contains(" -1 ~1 +1 .1"), "{}", session.text());
    // The folder of the providers has its own part of them.
    session.keys("zR").shows("providers");
    let screen = session.text();
    let folder = screen.lines().find(|line| line.contains(" providers"));
    assert!(
        folder.is_some_and(|line| line.contains("-1 +1")),
        "{screen}"
    );
}
