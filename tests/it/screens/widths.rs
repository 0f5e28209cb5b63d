//! Names of any width: rows stay inside their panes, and rows that differ look different.

use std::fmt::Write as _;

use stacklens::load::Input;
use stacklens::tui::command::View;
use stacklens::tui::overlays::find_rows::FindRows;
use stacklens::tui::overlays::popup::Popup;
use stacklens::tui::overlays::search::SearchBar;
use stacklens::tui::theme::{Depth, Palette};
use unicode_width::UnicodeWidthStr as _;

use super::harness::Session;

/// Names of some 200 cells in wide characters, in emoji and in ASCII. Those of a pair differ at the end only.
fn names() -> Vec<String> {
    let stems = [
        "日本語の名前".repeat(16),
        "🚀👩‍👩‍👧".repeat(45),
        "abcdefghij".repeat(20),
    ];
    let pairs = stems
        .iter()
        .flat_map(|stem| [format!("{stem}1"), format!("{stem}2")]);
    pairs.collect()
}

/// A preview that changes these resources, each of which needs the one before, with as many outputs.
fn preview() -> String {
    let (mut steps, mut before) = (String::new(), None);
    for name in names() {
        let urn = |name: &str| format!("urn:pulumi:dev::web::my:index:Thing::{name}");
        let needs = before
            .as_deref()
            .map_or_else(String::new, |it| format!("\"{}\"", urn(it)));
        let state = |value: usize| {
            format!(
                r#"{{"urn":"{}","type":"my:index:Thing","custom":true,"id":"i","inputs":{{"{name}":{value}}},
                "outputs":{{}},"dependencies":[{needs}]}}"#,
                urn(&name)
            )
        };
        let comma = if steps.is_empty() { "" } else { "," };
        _ = write!(
            steps,
            r#"{comma}{{"op":"update","urn":"{}","oldState":{},"newState":{}}}"#,
            urn(&name),
            state(1),
            state(2)
        );
        before = Some(name);
    }
    format!(r#"{{"config":{{}},"steps":[{steps}],"changeSummary":{{"update":6}}}}"#)
}

/// A state with these resources. Each refers to a resource that is missing, and is an output.
fn state() -> String {
    let (mut resources, mut outputs) = (String::new(), String::new());
    for name in names() {
        let urn = |name: &str| format!("urn:pulumi:dev::web::my:index:Thing::{name}");
        let comma = if resources.is_empty() { "" } else { "," };
        _ = write!(
            resources,
            r#"{comma}{{"urn":"{}","type":"my:index:Thing","custom":true,"id":"i","dependencies":["{}"]}}"#,
            urn(&name),
            urn(&format!("gone-{name}"))
        );
        _ = write!(outputs, r#"{comma}"{name}":"value""#);
    }
    format!(
        r#"{{"version":3,"deployment":{{"manifest":{{}},"resources":[{{"urn":"urn:pulumi:dev::web::pulumi:pulumi:Stack::web-dev",
        "custom":false,"type":"pulumi:pulumi:Stack","outputs":{{{outputs}}}}},{resources}]}}}}"#
    )
}

/// Checks that no text reaches over the right end of a pane: its frame, or its blank column with the scrollbar.
#[track_caller]
fn check(session: &mut Session, what: &str) {
    let buffer = session.cells(Depth::None, Palette::Dark);
    for pane in session.app.areas().panes {
        if pane.outer.is_empty() || !session.app.overlays.is_empty() {
            continue;
        }
        let last = pane.outer.right() - 1;
        for y in pane.inner.y..pane.inner.bottom() {
            let symbol = buffer[(last, y)].symbol();
            let is_end = " │┃║▕█▐↑!~±".contains(symbol);
            assert!(
                is_end,
                "{what}: {symbol:?} at the end of line {y}\n{}",
                session.text()
            );
        }
    }
}

#[test]
fn rows_stay_inside_their_panes() {
    for size in [(120, 40), (80, 24), (40, 10)] {
        for keys in [
            "b", "bzR", "2", "2jjj", "2j|<Tab>", "2jw<Tab>", "1j<Tab>w", "1jjd", "1jju", "gi", "5",
            "2<wait>r", "y", "?", ":", "/日", "ggf1",
        ] {
            let mut session = Session::open_bytes("plan.json", preview().as_bytes(), size);
            session.keys(keys);
            check(&mut session, &format!("{keys} at {size:?}"));
        }
        for keys in [
            "b", "1", "3", "3G", "3w", "5", "5jjj", "1Gd", "1Gu", "3/日", "5f1",
        ] {
            let mut session = Session::open_bytes("state.json", state().as_bytes(), size);
            session.keys(keys);
            check(&mut session, &format!("{keys} at {size:?}"));
        }
    }
}

/// The lines of the panes with one of the signs, without what differs by chance.
fn rows(session: &Session, is_row: impl Fn(&str) -> bool) -> Vec<String> {
    let screen = session.text();
    let lines = screen.lines().skip(1).filter(|line| is_row(line));
    lines.map(|line| line.replace('▶', " ")).collect()
}

#[test]
fn rows_that_differ_look_different() {
    for size in [(120, 40), (80, 24)] {
        let parts = ["日本", "🚀", "abcde"];
        let is_name = |line: &str| parts.iter().any(|part| line.contains(part));
        for (text, keys, n) in [
            (preview(), "bzR", 6),
            (preview(), "2", 2),
            (state(), "1", 6),
            (state(), "3", 6),
        ] {
            let mut session = Session::open_bytes("file.json", text.as_bytes(), size);
            session.keys(keys);
            let mut rows = rows(&session, is_name);
            let all = rows.len();
            rows.sort_unstable();
            rows.dedup();
            assert!(
                rows.len() >= n.min(all),
                "{keys} at {size:?}: {rows:#?}\n{}",
                session.text()
            );
            assert!(all >= n, "{keys} at {size:?}: {}", session.text());
        }
    }
}

/// Checks that no wide character is cut, and that the frame of the topmost overlay is whole.
#[track_caller]
fn check_cells(session: &mut Session, what: &str) {
    let buffer = session.cells(Depth::None, Palette::Dark);
    let screen = buffer.area;
    for y in 0..screen.height {
        let mut x = 0;
        while x < screen.width {
            let symbol = buffer[(x, y)].symbol();
            let cells = u16::try_from(symbol.width()).unwrap().max(1);
            let rest = (x + 1..x + cells)
                .all(|at| at < screen.width && buffer[(at, y)].symbol().trim().is_empty());
            assert!(
                rest,
                "{what}: {symbol:?} is cut in line {y}\n{}",
                session.text()
            );
            x += cells;
        }
    }
    let stage = session.app.stage();
    let Some(overlay) = session.app.overlays.top() else {
        return;
    };
    let area = overlay.area(stage);
    assert_eq!(stage.body.union(area), stage.body, "{what}: {area}");
    if area.width < 4 || area.height < 3 || !is_boxed(overlay) {
        return;
    }
    for y in area.y + 1..area.bottom() - 1 {
        for x in [area.x, area.right() - 1] {
            let symbol = buffer[(x, y)].symbol();
            assert!(
                "│┃║▕█▐".contains(symbol),
                "{what}: {symbol:?} in the frame in line {y}\n{}",
                session.text()
            );
        }
    }
}

/// True for an overlay in a box. The bars at the bottom have a line above them.
fn is_boxed(overlay: &dyn Popup) -> bool {
    overlay.cast::<SearchBar>().is_none() && overlay.cast::<FindRows>().is_none()
}

/// Checks the screen at all widths from 40 to 200 cells.
#[track_caller]
fn check_all_widths(session: &mut Session, what: &str) {
    assert!(
        !session.app.overlays.is_empty(),
        "{what} opens nothing\n{}",
        session.text()
    );
    for width in 40..=200 {
        session.resize(width, 20);
        check_cells(session, &format!("{what} at {width}"));
    }
}

#[test]
fn popups_are_whole_at_every_width() {
    for keys in [
        "2<wait>r",
        "2<wait>y",
        "2<wait><Tab>y",
        "1jy",
        "1jj<Tab>ljy",
        "1jj<Tab>ljT",
        "g",
        "?",
        ":",
        "gt",
        "2a",
        "gu日本",
        "2/日",
        "2f日",
        "b/日",
        "q",
    ] {
        let mut session = Session::open_bytes("plan.json", preview().as_bytes(), (120, 40));
        session.keys(keys).settle();
        if keys == "g" || keys == "q" {
            // The popup of continuations is no overlay, and nothing is asked before the end.
            for width in 40..=200 {
                session.resize(width, 20);
                check_cells(&mut session, &format!("{keys} at {width}"));
            }
            continue;
        }
        check_all_widths(&mut session, keys);
    }
    for keys in ["1jjy", "3jy", "3/日", "5f1", "1gu日本"] {
        let mut session = Session::open_bytes("state.json", state().as_bytes(), (120, 40));
        session.keys(keys).settle();
        check_all_widths(&mut session, keys);
    }
}

#[test]
fn every_step_of_a_ripple_is_whole_at_every_width() {
    for keys in ["", "jj", "i", "G"] {
        let mut session = Session::open_bytes("plan.json", preview().as_bytes(), (120, 40));
        session.keys("1jjgi").settle().keys(keys).settle();
        check_all_widths(&mut session, &format!("gi{keys}"));
    }
    let mut session = Session::open_bytes("plan.json", preview().as_bytes(), (80, 24));
    session.keys("1jjgi").settle();
    let parts = ["日本", "🚀", "abcde"];
    let is_name = |line: &str| line.contains("step") && parts.iter().any(|it| line.contains(it));
    let mut rows = rows(&session, is_name);
    rows.sort_unstable();
    rows.dedup();
    assert_eq!(rows.len(), 6, "{}", session.text());
}

#[test]
fn the_list_of_a_folder_is_whole_at_every_width() {
    let folder = tempfile::tempdir().unwrap();
    // A name of a file has at most 255 bytes. The last character tells these apart.
    let fitting = |name: &str| {
        let end = (0..=240).rev().find(|at| name.is_char_boundary(*at));
        let (start, rest) = name.split_at(end.unwrap_or(0));
        format!("{start}{}", rest.chars().next_back().unwrap_or('x'))
    };
    for name in names() {
        for (end, text) in [("json", state()), ("tfplan", preview())] {
            let path = folder.path().join(format!("{}.{end}", fitting(&name)));
            std::fs::write(path, text).unwrap();
        }
    }
    let open = || Session::open_input(Input::folder(folder.path()), (120, 40));
    for keys in ["", "j", "<Space>j<Space>", "/日本", "/nothing"] {
        let mut session = open();
        session.keys(keys).settle();
        assert_eq!(session.app.window.view, View::Stacks, "{keys}");
        for width in 40..=200 {
            session.resize(width, 20);
            check_cells(&mut session, &format!("{keys} at {width}"));
        }
    }
    let mut session = open();
    for width in [80, 120, 200] {
        session.resize(width, 40).settle();
        let is_file = |line: &str| line.contains("state") || line.contains("preview");
        let mut lines = rows(&session, is_file);
        assert_eq!(lines.len(), 12, "{}", session.text());
        lines.sort_unstable();
        lines.dedup();
        assert_eq!(lines.len(), 12, "{}", session.text());
    }
}
