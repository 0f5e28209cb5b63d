//! The mouse: off until it is wanted, and then everything that is drawn to be used answers.

use crossterm::event::{KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use stacklens::cli::demo;
use stacklens::tui::command::View;
use stacklens::tui::event::Event;

use super::harness::Session;

const DOWN: MouseEventKind = MouseEventKind::Down(MouseButton::Left);
const DRAG: MouseEventKind = MouseEventKind::Drag(MouseButton::Left);
const UP: MouseEventKind = MouseEventKind::Up(MouseButton::Left);

fn point(session: &mut Session, kind: MouseEventKind, (column, row): (u16, u16)) {
    session.event(Event::Mouse(MouseEvent {
        kind,
        column,
        row,
        modifiers: KeyModifiers::NONE,
    }));
}

/// The first cell of a text on the screen.
#[track_caller]
fn cell_of(session: &Session, text: &str) -> (u16, u16) {
    let screen = session.text();
    let found = screen.lines().zip(0..).find_map(|(line, row)| {
        let at = line.find(text)?;
        Some((u16::try_from(line[..at].chars().count()).unwrap(), row))
    });
    found.unwrap_or_else(|| panic!("no {text}\n{screen}"))
}

#[track_caller]
fn click(session: &mut Session, text: &str) {
    let at = cell_of(session, text);
    point(session, DOWN, at);
    point(session, UP, at);
}

/// A preview with the mouse on.
fn preview(size: (u16, u16)) -> Session {
    let mut session = Session::open_bytes("demo", demo::PREVIEW, size);
    session.keys("1m");
    session
}

/// A state of 300 resources with the mouse on.
fn long(size: (u16, u16)) -> Session {
    let resources: Vec<String> = (0..300)
        .map(|n| {
            let urn = format!("urn:pulumi:prod::shop::a:b:C::thing-{n:03}");
            format!(r#"{{"urn":"{urn}","custom":true,"type":"a:b:C","id":"i"}}"#)
        })
        .collect();
    let text = format!(
        r#"{{"version":3,"deployment":{{"manifest":{{}},"resources":[{}]}}}}"#,
        resources.join(",")
    );
    let mut session = Session::open_bytes("long.json", text.as_bytes(), size);
    session.keys("m");
    session
}

#[test]
fn nothing_answers_until_the_mouse_is_on_and_then_the_line_says_how_to_mark_text() {
    let mut session = Session::open_bytes("demo", demo::PREVIEW, (120, 40));
    let before = session.text();
    click(&mut session, "1 Resources");
    assert_eq!(session.text(), before);
    session.keys("m").shows("Shift+drag marks text");
    session.keys("m").shows("mouse off");
}

fn header(session: &Session) -> String {
    session.text().lines().next().unwrap().to_owned()
}

#[test]
fn every_tab_and_the_help_answer_at_every_width() {
    for width in [200, 120, 80, 40] {
        let mut session = preview((width, 30));
        for (key, name) in [
            ("2", "Changes"),
            ("3", "Outputs"),
            ("4", "Deps"),
            ("1", "Resources"),
        ] {
            let line = header(&session);
            let tabs = line.find("[1").or_else(|| line.find(" 1 ")).unwrap();
            let before = [" ", "["].map(|before| format!("{before}{key}"));
            let at = before
                .iter()
                .filter_map(|it| line[tabs..].find(it))
                .min()
                .unwrap_or_else(|| panic!("{line}"));
            let column = line[..tabs + at].chars().count() + 1;
            point(&mut session, DOWN, (u16::try_from(column).unwrap(), 0));
            assert_eq!(format!("{:?}", session.app.window.view), name, "{line}");
        }
        let line = header(&session);
        let column = line[..line.rfind('?').unwrap()].chars().count();
        point(&mut session, DOWN, (u16::try_from(column).unwrap(), 0));
        session.shows("Keys");
    }
}

#[test]
fn the_sign_of_a_fold_opens_and_closes_with_one_click() {
    let mut session = preview((120, 40));
    let (column, row) = cell_of(&session, "▾ shop-prod");
    session.shows("orders-db");
    point(&mut session, DOWN, (column, row));
    session.shows("▸ shop-prod").hides("orders-db-rule");
    point(&mut session, DOWN, (column, row));
    session.shows("▾ shop-prod");
    // The name selects, and a second click opens.
    let name = (column + 3, row);
    session.keys("G");
    point(&mut session, DOWN, name);
    session.shows("▾ shop-prod");
    point(&mut session, DOWN, name);
    session.shows("▸ shop-prod");
}

#[test]
fn the_sign_of_a_group_of_changes_folds_it() {
    let mut session = preview((120, 40));
    session.keys("2ttt<wait>");
    let sign = cell_of(&session, "▾ imported");
    point(&mut session, DOWN, sign);
    session.shows("▸ imported");
    point(&mut session, DOWN, sign);
    session.shows("▾ imported");
}

#[test]
fn a_link_is_followed_with_one_click() {
    let mut session = Session::open("pulumi-state/shop.json", (120, 40));
    session.keys("mguorders-db<Enter>");
    let title = session.text().lines().nth(1).unwrap().to_owned();
    assert!(title.contains("orders-db"), "{title}");
    let name = session.text();
    let (_, rest) = name.split_once("↗ ").unwrap();
    let name = rest.split([' ', ',']).next().unwrap().to_owned();
    click(&mut session, "↗");
    let title = session.text().lines().nth(1).unwrap().to_owned();
    assert!(title.contains(&name), "{name} in {title}");
}

#[test]
fn the_wheel_scrolls_what_is_under_it_and_the_focus_stays() {
    let mut session = long((120, 40));
    session.keys("j<Tab>");
    let focus = session.app.window.focus;
    point(&mut session, MouseEventKind::ScrollDown, (10, 10));
    point(&mut session, MouseEventKind::ScrollDown, (10, 10));
    assert_eq!(session.app.window.focus, focus);
    session.hides("thing-001").shows("thing-010");
    point(&mut session, MouseEventKind::ScrollUp, (10, 10));
    point(&mut session, MouseEventKind::ScrollUp, (10, 10));
    session.shows("thing-001");
}

#[test]
fn the_scrollbar_jumps_and_is_dragged_to_the_end_and_beyond() {
    for size in [(120, 40), (80, 24)] {
        let mut session = long(size);
        let bar = cell_of(&session, "▕");
        point(&mut session, DOWN, (bar.0, size.1 / 2));
        session.hides("thing-001").shows("thing-150");
        for row in [size.1 - 4, size.1 - 1] {
            point(&mut session, DRAG, (3, row));
        }
        session.shows("thing-299");
        point(&mut session, UP, (3, size.1 - 1));
        point(&mut session, DRAG, (3, 2));
        session.shows("thing-299");
    }
}

#[test]
fn the_border_between_the_panes_is_dragged() {
    let mut session = preview((120, 40));
    let border = |session: &Session| {
        let line = session.text().lines().nth(1).unwrap().to_owned();
        line.chars().position(|it| it == '┐').unwrap()
    };
    let before = border(&session);
    let at = u16::try_from(before).unwrap();
    point(&mut session, DOWN, (at, 10));
    assert_eq!(border(&session), before);
    point(&mut session, DRAG, (70, 12));
    assert!([70, 71].contains(&border(&session)));
    point(&mut session, DRAG, (1, 12));
    assert_eq!(border(&session), 23);
    point(&mut session, UP, (1, 12));
    point(&mut session, DRAG, (60, 12));
    assert_eq!(border(&session), 23);
}

#[test]
fn a_click_on_a_problem_below_the_headings_selects_that_problem() {
    let mut session = preview((120, 40));
    session.keys("5");
    let last = session.text();
    let (row, line) = (0..)
        .zip(last.lines())
        .filter(|(_, line)| line.contains("warning ") || line.contains("info  "))
        .last()
        .unwrap();
    assert!(line.contains("info  "), "{last}");
    point(&mut session, DOWN, (12, row));
    assert!(
        session.cursor_line().contains("info "),
        "{}",
        session.text()
    );
}

#[test]
fn each_column_of_the_dependencies_answers() {
    let mut session = preview((120, 40));
    session.keys("guorders-db<Enter>d").shows("used by (3");
    let used = session.text();
    let used = used.lines().nth(3).unwrap().rsplit("││").next().unwrap();
    let name = used.split_whitespace().find(|word| word.len() > 3).unwrap();
    let at = cell_of(&session, &format!(" {name} "));
    // A click on the other side goes to that side, and a second click to the resource.
    point(&mut session, DOWN, (at.0 + 1, at.1));
    assert!(session.cursor_line().contains(name), "{name}");
    point(&mut session, DOWN, (at.0 + 1, at.1));
    let deps = &session.app.views.deps;
    let center = session
        .app
        .session
        .stack()
        .short_name(deps.center().unwrap());
    assert_eq!(center, name);
}

/// A state whose values and names contain the signs of folds and links.
fn signs() -> Session {
    let urn = |name: &str| format!("urn:pulumi:s::p::k:m:T::{name}");
    let text = format!(
        r#"{{"version":3,"deployment":{{"manifest":{{}},"resources":[
        {{"urn":"{}","custom":true,"type":"k:m:T","id":"1","outputs":{{"to":"x"}}}},
        {{"urn":"{}","custom":true,"type":"k:m:T","id":"2","dependencies":["{}"],"propertyDependencies":{{"link":["{}"]}},
         "outputs":{{"link":"1","plain":"a ↗ b","signed":"▾ c","triggers":{{"x":"a ↗ b"}}}}}}]}}}}"#,
        urn("other"),
        urn("▸ box"),
        urn("other"),
        urn("other"),
    );
    let mut session = Session::open_bytes("s.json", text.as_bytes(), (120, 30));
    session.keys("m/box<Enter>");
    session
}

#[test]
fn a_sign_inside_a_value_is_no_link_and_no_fold() {
    let mut session = signs();
    for text in ["b\"", "▾ c", "{1} x"] {
        let mut at = cell_of(&session, text);
        at.0 += u16::from(text == "{1} x") * 9;
        point(&mut session, DOWN, at);
        point(&mut session, UP, at);
        session.shows("▸ triggers").hides("nothing to open");
        let title = session.text().lines().nth(1).unwrap().to_owned();
        assert!(title.contains("box"), "{title}");
    }
    // A second click on the selected row opens it.
    let mut at = cell_of(&session, "{1} x");
    at.0 += 9;
    point(&mut session, DOWN, at);
    session.shows("▾ triggers");
    // The sign of the fold and the link answer with one click.
    let mut session = signs();
    click(&mut session, "▸ triggers");
    session.shows("▾ triggers");
    click(&mut session, "↗ other");
    let title = session.text().lines().nth(1).unwrap().to_owned();
    assert!(title.contains("other"), "{}", session.text());
}

#[test]
fn a_sign_inside_a_name_is_no_fold() {
    let mut session = signs();
    session.keys("gg");
    let (column, row) = cell_of(&session, "▸ box");
    let line = session
        .text()
        .lines()
        .nth(usize::from(row))
        .unwrap()
        .to_owned();
    // The sign of the fold stands in front of the one in the name.
    assert!(
        line.contains("▸ ▸ box") || line.contains("▾ ▸ box"),
        "{line}"
    );
    point(&mut session, DOWN, (column, row));
    session.hides("▾ ▸ box");
    point(&mut session, DOWN, (column, row));
    session.shows("▾ ▸ box");
}

#[test]
fn the_cause_beside_a_difference_is_followed_with_one_click() {
    let mut session = preview((160, 40));
    session.keys("2<wait>guorders-url<Enter>2<wait>");
    click(&mut session, "← orders-db (");
    session.shows("[1 Resources]");
    assert!(
        session.cursor_line().contains("orders-db"),
        "{}",
        session.text()
    );
}

#[test]
fn a_file_is_selected_with_one_click_and_opened_with_two() {
    let mut session = Session::open("tfstate/shop.tfstate", (120, 40));
    session.keys("mgf").shows("version-3");
    click(&mut session, "every-field");
    assert_eq!(session.app.window.view, View::Stacks);
    assert!(session.cursor_line().contains("every-field"));
    click(&mut session, "every-field");
    assert_ne!(session.app.window.view, View::Stacks);
    session.shows("every-field");
}
