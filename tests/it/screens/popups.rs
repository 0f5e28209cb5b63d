//! Popups: they fit their content, stand beside the row that they explain, and answer the mouse.

use crossterm::event::{KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::Rect;
use stacklens::cli::demo;
use stacklens::tui::event::Event;

use super::harness::Session;

const WIDE: (u16, u16) = (120, 40);
const NARROW: (u16, u16) = (80, 24);

fn preview(size: (u16, u16), keys: &str) -> Session {
    let mut session = Session::open_bytes("demo", demo::PREVIEW, size);
    session.keys(keys);
    session
}

/// The area of the topmost overlay and the lines of the row that it explains.
#[track_caller]
fn places(session: &Session) -> (Rect, Rect) {
    let stage = session.app.stage();
    let overlay = session.app.overlays.top().expect("an overlay is open");
    (overlay.area(stage), stage.row.expect("a row is selected"))
}

/// Fails unless the overlay is apart from its row and on the screen.
#[track_caller]
fn is_beside(session: &Session) -> Rect {
    let (popup, row) = places(session);
    let body = session.app.areas().body;
    assert!(!popup.intersects(row), "{popup} {row}\n{}", session.text());
    assert_eq!(body.union(popup), body);
    assert!(popup.height < body.height, "{popup}\n{}", session.text());
    popup
}

#[test]
fn the_chain_of_causes_covers_neither_its_row_nor_its_difference() {
    for n in 0..12 {
        let mut session = preview(WIDE, &format!("2gg{}r", "j".repeat(n)));
        if session.app.overlays.is_empty() {
            // Headings have no cause, and the file does not know every cause.
            let is_heading = session.app.selected().is_none();
            session.shows(if is_heading {
                "select a change"
            } else {
                "the file does not say why"
            });
            continue;
        }
        let popup = is_beside(&session);
        // The popup covers the list if the difference fills its pane.
        let [list, pane] = session.app.areas().panes.map(|pane| pane.outer);
        let is_over_one = !popup.intersects(list) || !popup.intersects(pane);
        assert!(is_over_one, "row {n}\n{}", session.text());
    }
}

#[test]
fn popups_about_a_row_never_cover_it() {
    // In order: copy, causes, types, a question about a secret, and a text.
    let all = [
        ("y", "Copy"),
        ("<Tab>jjy", "Copy"),
        ("<Tab>jjjjjjjy", "Copy"),
        ("<Tab>jgy", "Type of"),
    ];
    for size in [WIDE, NARROW, (100, 30), (200, 60)] {
        for (keys, title) in all {
            for n in [0, 3, 9] {
                let mut session = preview(size, &format!("1gg{}{keys}", "j".repeat(n)));
                if session.app.overlays.is_empty() {
                    continue;
                }
                session.shows(title);
                is_beside(&session);
            }
        }
    }
}

#[test]
fn a_popup_is_as_large_as_its_text_and_a_narrow_screen_scrolls_it() {
    let session = preview(WIDE, "2r");
    let (popup, _) = places(&session);
    assert!(popup.height <= 6 && popup.width < 60, "{popup}");
    let mut session = preview(
        NARROW,
        "1gg<Down><Down><Down><Down><Down><Down><Down><Down><Down>y",
    );
    let (popup, _) = places(&session);
    assert!(popup.height < 14, "{popup}");
    session.shows("yy value").hides("ym Markdown");
    session.keys(&"<Down>".repeat(24)).shows("ym Markdown");
    is_beside(&session);
}

#[test]
fn a_value_that_fits_is_a_popup_and_a_long_one_is_a_page() {
    let state = |text: &str| {
        let state = format!(
            r#"{{"version":3,"deployment":{{"manifest":{{}},"resources":[
            {{"urn":"urn:pulumi:p::s::a:b:C::one","custom":true,"type":"a:b:C","id":"i","outputs":{{"text":{text}}}}}]}}}}"#
        );
        let mut session = Session::open_bytes("state.json", state.as_bytes(), WIDE);
        session.keys("guone<Enter><Tab>o");
        session
    };
    let session = state(r#""first\nsecond\nthird""#);
    let popup = is_beside(&session);
    assert_eq!(popup.height, 5, "{}", session.text());
    let lines: Vec<String> = (0..90).map(|n| format!("line {n}")).collect();
    let mut session = state(&format!("{:?}", lines.join("\n")));
    let (page, _) = places(&session);
    assert_eq!(page, session.app.areas().body);
    session.shows("1–35 of 90 lines");
    session.keys("<PgDn>").shows("36–70 of 90 lines");
}

#[test]
fn keys_that_continue_a_sequence_leave_the_selected_row_visible() {
    for size in [WIDE, NARROW] {
        for keys in ["1Gg", "1ggg", "2Gz", "4g"] {
            let session = preview(size, keys);
            let row = session.app.stage().row.unwrap();
            let screen = session.text();
            let title = format!(" {}… ", &keys[keys.len() - 1..]);
            let line = screen.lines().position(|line| line.contains(&title));
            let line = u16::try_from(line.unwrap_or_else(|| panic!("{screen}"))).unwrap();
            let below = screen.lines().nth(usize::from(row.y)).unwrap();
            assert_ne!(row.y, line, "{keys}\n{screen}");
            assert!(below.contains('▶'), "{keys}\n{screen}");
        }
    }
}

fn point(session: &mut Session, kind: MouseEventKind, (column, row): (u16, u16)) {
    session.event(Event::Mouse(MouseEvent {
        kind,
        column,
        row,
        modifiers: KeyModifiers::NONE,
    }));
}

const DOWN: MouseEventKind = MouseEventKind::Down(MouseButton::Left);

/// The first cell of a text inside the topmost overlay.
#[track_caller]
fn cell_of(session: &Session, text: &str) -> (u16, u16) {
    let stage = session.app.stage();
    let area = session.app.overlays.top().unwrap().area(stage);
    let buffer = session.buffer();
    for y in area.y..area.bottom() {
        let cells: Vec<&str> = (area.x..area.right())
            .map(|x| buffer[(x, y)].symbol())
            .collect();
        for at in 0..cells.len() {
            if cells[at..].concat().starts_with(text) {
                return (area.x + u16::try_from(at).unwrap(), y);
            }
        }
    }
    panic!("no {text}\n{}", session.text())
}

#[track_caller]
fn click(session: &mut Session, text: &str) {
    let at = cell_of(session, text);
    point(session, DOWN, at);
    point(session, MouseEventKind::Up(MouseButton::Left), at);
}

#[test]
fn a_click_chooses_a_row_of_every_menu() {
    // The palette runs a command.
    let mut session = preview(WIDE, "1m:");
    session.shows("Commands");
    session.keys("theme");
    click(&mut session, "choose a theme");
    session.shows("high-contrast");
    click(&mut session, "nord");
    session.shows("theme nord");
    assert!(session.app.overlays.is_empty());
    // The help runs a key.
    session.keys("?wrap");
    click(&mut session, "▶");
    session.shows("long values");
    // The forms to copy.
    session.keys("gg<Down>y");
    click(&mut session, "yu URN");
    assert_eq!(session.copied.len(), 1);
    assert!(session.copied[0].starts_with("urn:pulumi:"));
    // The causes lead to a resource.
    session
        .keys("2guorders-target<Enter>2r")
        .shows("the root is");
    click(&mut session, "← ");
    assert!(session.app.overlays.is_empty());
    let current = session.app.session.current.unwrap();
    assert_eq!(session.app.session.stack().short_name(current), "orders-db");
    // The sections of the changes stay open for another switch.
    session.keys("2a").shows("[x] - delete");
    click(&mut session, "[x] - ");
    session.shows("[ ] - ");
    // A suggestion and a hit of the search.
    session.keys("<Esc>1/");
    click(&mut session, "type:");
    session.shows("/ type:");
    session.keys("<Esc>/orders");
    click(&mut session, "orders-url ");
    assert!(session.app.overlays.is_empty());
    assert!(session.cursor_line().contains("orders-url"));
}

#[test]
fn a_question_is_answered_with_a_click() {
    let mut session = preview(WIDE, "m1guorders-pw<Enter><Tab>jjjx");
    session.shows("Reveal a secret?");
    click(&mut session, "[n no]");
    session.hides("Reveal a secret?").hides("revealed for");
    session.keys("x");
    click(&mut session, "y yes");
    session.hides("Reveal a secret?").shows("revealed for");
}

#[test]
fn a_click_outside_closes_every_overlay() {
    for keys in [":", "?", "y", ":theme<Enter>", "/", "2a", "2jjr", "gu"] {
        let mut session = preview(WIDE, &format!("m1gg<Down><Down>{keys}"));
        assert_eq!(session.app.overlays.len(), 1, "{keys}\n{}", session.text());
        let stage = session.app.stage();
        let area = session.app.overlays.top().unwrap().area(stage);
        let mut body = stage.body.positions();
        let outside = body.find(|at| !area.contains(*at)).unwrap();
        let before = session.app.theme.chosen();
        point(&mut session, DOWN, (outside.x, outside.y));
        assert!(session.app.overlays.is_empty(), "{keys}");
        assert_eq!(session.app.theme.chosen(), before);
    }
}

#[test]
fn the_wheel_scrolls_the_popup_under_the_pointer_and_nothing_below_it() {
    let mut session = preview(WIDE, "m1gg:");
    session.shows("search while typing");
    let at = cell_of(&session, "▶");
    point(&mut session, MouseEventKind::ScrollDown, at);
    session.hides("search while typing");
    point(&mut session, MouseEventKind::ScrollUp, at);
    session.shows("search while typing");
    // Outside of the popup nothing moves.
    let before = session.text();
    point(&mut session, MouseEventKind::ScrollDown, (1, 2));
    assert_eq!(session.text(), before);
}

#[test]
fn the_scrollbar_of_a_popup_is_dragged() {
    let mut session = preview(WIDE, "m1:");
    let area = session
        .app
        .overlays
        .top()
        .unwrap()
        .area(session.app.stage());
    let bar = area.right() - 2;
    session.shows("search while typing").hides("▶theme");
    point(&mut session, DOWN, (bar, area.bottom() - 2));
    session.hides("search while typing");
    point(
        &mut session,
        MouseEventKind::Drag(MouseButton::Left),
        (3, area.y),
    );
    session.shows("search while typing");
    assert_eq!(session.app.overlays.len(), 1);
}

#[test]
fn a_resource_of_the_ripple_is_selected_and_then_gone_to() {
    for size in [WIDE, NARROW] {
        let mut session = preview(size, "m1guorders-db<Enter>gi");
        session.shows("What happens when");
        click(&mut session, "± orders-target");
        assert_eq!(session.app.overlays.len(), 1);
        session.shows("orders-target · ");
        click(&mut session, "± orders-target");
        assert!(session.app.overlays.is_empty());
        let current = session.app.session.current.unwrap();
        let name = session.app.session.stack().short_name(current);
        assert_eq!(name, "orders-target");
    }
}

#[test]
fn every_view_has_a_scrollbar_that_answers() {
    let resources: Vec<String> = (0..200)
        .map(|n| {
            let change = r#""actions":["update"],"before":{"a":"1"},"after":{"a":"2"},"after_unknown":{}"#;
            format!(
                r#"{{"address":"x_y.thing_{n:03}","mode":"managed","type":"x_y","name":"thing_{n:03}","provider_name":"p","change":{{{change}}}}}"#
            )
        })
        .collect();
    let plan = format!(
        r#"{{"format_version":"1.2","terraform_version":"1.9.0","resource_changes":[{}]}}"#,
        resources.join(",")
    );
    for size in [WIDE, NARROW] {
        for keys in ["1", "2zR", "bzR"] {
            let mut session = Session::open_bytes("plan.json", plan.as_bytes(), size);
            session.keys(&format!("m{keys}"));
            let buffer = session.buffer();
            let pane = session.app.areas().panes[0];
            let x = pane.inner.right();
            let is_bar = (pane.inner.y..pane.inner.bottom())
                .all(|y| ["▕", "█", "▐"].contains(&buffer[(x, y)].symbol()));
            assert!(is_bar, "{keys}\n{}", session.text());
            let before = session.text();
            point(&mut session, DOWN, (x, pane.inner.bottom() - 1));
            assert_ne!(session.text(), before, "{keys}");
        }
    }
}

#[test]
fn the_wheel_scrolls_each_side_of_the_dependencies() {
    let resources: Vec<String> = (0..120)
        .map(|n| {
            let urn = |name: &str| format!("urn:pulumi:prod::shop::a:b:C::{name}");
            let (name, needs) = match n {
                0 => ("center".to_owned(), String::new()),
                n => (
                    format!("user-{n:03}"),
                    format!(r#","dependencies":["{}"]"#, urn("center")),
                ),
            };
            format!(
                r#"{{"urn":"{}","custom":true,"type":"a:b:C","id":"i"{needs}}}"#,
                urn(&name)
            )
        })
        .collect();
    let state = format!(
        r#"{{"version":3,"deployment":{{"manifest":{{}},"resources":[{}]}}}}"#,
        resources.join(",")
    );
    let mut session = Session::open_bytes("state.json", state.as_bytes(), (200, 40));
    session.keys("mgucenter<Enter>u").shows("used by (119");
    point(&mut session, MouseEventKind::ScrollDown, (150, 10));
    session.hides("user-001").shows("user-010");
}

#[test]
fn a_text_of_many_megabytes_opens_scrolls_and_is_copied() {
    let line = |n: usize| format!("line {n:06} of a log that somebody keeps in a value\\n");
    let log: String = (0..160_000).map(line).collect();
    let text = format!(
        r#"{{"version":3,"deployment":{{"manifest":{{}},"resources":[{{"urn":"urn:pulumi:s::p::k:m:T::x","custom":true,"type":"k:m:T","id":"1",
        "outputs":{{"a":1,"log":"{log}"}}}}]}}}}"#
    );
    let mut session = Session::open_bytes("s.json", text.as_bytes(), (120, 40));
    session.keys("1<wait><Tab>G");
    assert!(session.cursor_line_of_focus().contains("log"));
    session
        .keys("<Enter>")
        .shows("line 000000")
        .shows("1–35 of 160,001 lines")
        .keys("G")
        .shows("line 159999")
        .hides("line 000000")
        .keys("w<C-b>")
        .hides("line 159999")
        .keys("<Esc>y")
        .shows("made when it is copied: the resource takes 8.")
        .keys("y");
    let copied = session.copied.last().expect("the value is copied");
    assert_eq!(copied.lines().count(), 160_000);
}
