//! Names of any width: rows stay inside their panes, and rows that differ look different.

use std::fmt::Write as _;

use stacklens::tui::theme::{Depth, Palette};

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
