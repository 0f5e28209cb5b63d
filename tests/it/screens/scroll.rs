//! Lists whose rows take several lines: the brief, the changes, the difference, the details and the problems scroll and page by
//! lines, and a click never moves them.

use std::fmt::Write as _;

use crossterm::event::{KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::Rect;
use stacklens::tui::event::Event;

use super::harness::Session;

/// A plan whose every change takes several lines, in the list and in the difference.
fn plan() -> String {
    let mut changes = Vec::new();
    for n in 0..14 {
        let (mut before, mut after) = (String::new(), String::new());
        for property in 0..=(n % 4) {
            let comma = if property > 0 { "," } else { "" };
            let text =
                format!("value number {property} of plate {n}, which is long enough for a line");
            _ = write!(
                before,
                r#"{comma}"a_property_with_a_long_name_{n}x{property}":"{text} before {}""#,
                "b".repeat(60)
            );
            _ = write!(
                after,
                r#"{comma}"a_property_with_a_long_name_{n}x{property}":"{text} after {}""#,
                "a".repeat(60)
            );
        }
        let (actions, paths) = match n % 3 {
            0 => (
                r#""delete","create""#,
                format!(r#"["a_property_with_a_long_name_{n}x0"]"#),
            ),
            _ => (r#""update""#, String::new()),
        };
        changes.push(format!(
            r#"{{"address":"acme_plate.n{n:02}_with_a_long_name","mode":"managed","type":"acme_plate","name":"n{n:02}_with_a_long_name",
            "provider_name":"example.com/acme/acme","change":{{"actions":[{actions}],"before":{{{before}}},"after":{{{after}}},
            "replace_paths":[{paths}],"after_unknown":{{}},"before_sensitive":{{}},"after_sensitive":{{}}}}}}"#
        ));
    }
    let changes = changes.join(",");
    format!(
        r#"{{"format_version":"1.2","terraform_version":"1.9.0","resource_changes":[{changes}]}}"#
    )
}

/// A resource with many long values of different lengths.
fn state() -> String {
    let mut outputs = String::new();
    for n in 0..20 {
        let comma = if n > 0 { "," } else { "" };
        let text = format!("start of {n}, {}, end of {n}", "long ".repeat(n * 17 % 60));
        _ = write!(outputs, r#"{comma}"key{n:02}":"{text}""#);
    }
    format!(
        r#"{{"version":3,"deployment":{{"manifest":{{}},"resources":[{{"urn":"urn:pulumi:prod::shop::a:b:C::one","custom":true,
        "type":"a:b:C","id":"i","outputs":{{{outputs}}}}}]}}}}"#
    )
}

/// A list on the screen.
struct List {
    session: Session,
    /// Number of its pane.
    pane: usize,
}

impl List {
    fn open(text: &str, size: (u16, u16), keys: &str, pane: usize) -> Self {
        let mut session = Session::open_bytes("list.json", text.as_bytes(), size);
        session.keys(keys);
        session.keys("m");
        Self { session, pane }
    }

    /// The area of the rows: below the head of the details.
    fn area(&self, screen: &str) -> Rect {
        let area = self.session.app.areas().panes[self.pane].inner;
        let lines = screen.lines().skip(usize::from(area.y));
        let mut lines = lines.take(usize::from(area.height)).zip(1..);
        let head = lines.find_map(|(line, n)| line.contains("─ outputs").then_some(n));
        let head = head.unwrap_or(0);
        Rect {
            y: area.y + head,
            height: area.height - head,
            ..area
        }
    }

    /// The lines of the list on the screen, without the cursor, and the line of the cursor.
    fn lines(&self) -> (Vec<String>, Option<usize>) {
        let screen = self.session.text();
        let area = self.area(&screen);
        let lines = screen.lines().skip(usize::from(area.y));
        let lines = lines.take(usize::from(area.height));
        let inside = |line: &str| {
            let cells = line.chars().skip(usize::from(area.x));
            cells.take(usize::from(area.width)).collect::<String>()
        };
        let lines: Vec<_> = lines.map(inside).collect();
        let cursor = lines.iter().position(|line| line.starts_with('▶'));
        let bare = lines.iter().map(|it| it.replace(['▶', '↑'], " "));
        (bare.collect(), cursor)
    }

    fn mouse(&mut self, kind: MouseEventKind, (column, row): (u16, u16)) {
        self.session.event(Event::Mouse(MouseEvent {
            kind,
            column,
            row,
            modifiers: KeyModifiers::NONE,
        }));
    }

    fn wheel(&mut self, kind: MouseEventKind) {
        let area = self.session.app.areas().panes[self.pane].inner;
        self.mouse(kind, (area.x + 1, area.bottom() - 1));
    }

    /// All lines of the list: what the wheel shows from its beginning to its end.
    fn all(&mut self) -> Vec<String> {
        self.session.keys("gg");
        for _ in 0..3 {
            self.wheel(MouseEventKind::ScrollUp);
        }
        let (mut before, _) = self.lines();
        let mut all = before.clone();
        loop {
            self.wheel(MouseEventKind::ScrollDown);
            let (after, cursor) = self.lines();
            assert!(cursor.is_some(), "{}", self.session.text());
            if before == after {
                return all;
            }
            let n_new = (1..=3).find(|n| before[*n..] == after[..after.len() - n]);
            let n_new = n_new.unwrap_or_else(|| {
                panic!("the wheel moved by more than three lines\n{before:#?}\n{after:#?}")
            });
            all.extend_from_slice(&after[after.len() - n_new..]);
            before = after;
        }
    }

    /// The numbers that the first line on the screen may have in the list.
    #[track_caller]
    fn tops(&self, all: &[String], height: usize) -> Vec<usize> {
        let (lines, cursor) = self.lines();
        assert!(cursor.is_some(), "{}", self.session.text());
        let windows = all.windows(height).enumerate();
        let tops = windows.filter(|(_, window)| *window == lines);
        let tops: Vec<usize> = tops.map(|(top, _)| top).collect();
        assert!(!tops.is_empty(), "not in the list:\n{}", lines.join("\n"));
        tops
    }

    /// Page keys show every line and come to both ends.
    fn check_pages(&mut self, all: &[String], height: usize) {
        for (start, key, is_down) in [
            ("gg", "<C-f>", true),
            ("G", "<C-b>", false),
            ("gg", "<C-d>", true),
            ("G", "<C-u>", false),
        ] {
            self.session.keys(start);
            let mut before = self.tops(all, height);
            let mut screen = self.session.text();
            loop {
                self.session.keys(key);
                let after = self.tops(all, height);
                let is_page = |(from, to): (usize, usize)| {
                    let (from, to) = if is_down { (from, to) } else { (to, from) };
                    from <= to && to - from <= height
                };
                let ways = before
                    .iter()
                    .flat_map(|from| after.iter().map(|to| (*from, *to)));
                assert!(
                    ways.into_iter().any(is_page),
                    "{key}: {before:?} to {after:?}"
                );
                let next = self.session.text();
                if next == screen {
                    break;
                }
                (before, screen) = (after, next);
            }
            let end = if is_down { all.len() - height } else { 0 };
            assert!(before.contains(&end), "{key} ends at {before:?}, not {end}");
        }
    }

    /// A click on any line moves nothing.
    fn check_clicks(&mut self) {
        self.session.keys("gg<C-f>");
        let screen = self.session.text();
        let (area, (before, _)) = (self.area(&screen), self.lines());
        for row in area.y..area.bottom() {
            let selected = self.session.app.stage().row;
            if selected.is_some_and(|area| (area.y..area.bottom()).contains(&row)) {
                // A second click would open the row.
                continue;
            }
            let at = (area.x + area.width / 2, row);
            self.mouse(MouseEventKind::Down(MouseButton::Left), at);
            self.mouse(MouseEventKind::Up(MouseButton::Left), at);
            let (after, cursor) = self.lines();
            assert_eq!(after, before, "a click on line {row} moved the page");
            let cursor = cursor.expect("the selected row is on the screen");
            assert!(cursor <= usize::from(row - area.y));
        }
    }

    fn check(&mut self) {
        let all = self.all();
        let height = self.lines().0.len();
        assert!(all.len() > height + 6, "{all:#?}");
        self.check_pages(&all, height);
        self.check_clicks();
    }
}

#[test]
fn the_brief_scrolls_by_lines() {
    for size in [(120, 20), (60, 12)] {
        List::open(&plan(), size, "bzR", 0).check();
    }
}

#[test]
fn the_list_of_changes_scrolls_by_lines() {
    for size in [(120, 14), (56, 12)] {
        List::open(&plan(), size, "2", 0).check();
    }
}

#[test]
fn the_difference_scrolls_by_lines() {
    for size in [(120, 12), (80, 12)] {
        List::open(&plan(), size, "2jw<Tab>", 1).check();
    }
}

#[test]
fn the_details_scroll_by_lines() {
    for size in [(120, 30), (60, 18)] {
        let mut list = List::open(&state(), size, "1G<Tab>w", 1);
        list.check();
        let all = list.all();
        for n in 0..20 {
            let start = format!("key{n:02}");
            assert!(all.iter().any(|line| line.contains(&start)), "{all:#?}");
        }
    }
}

#[test]
fn a_row_higher_than_the_screen_is_read_to_its_end_with_the_keys() {
    let text = format!("start {} end of it", "word ".repeat(150));
    let state = format!(
        r#"{{"version":3,"deployment":{{"manifest":{{}},"resources":[{{"urn":"urn:pulumi:prod::shop::a:b:C::one","custom":true,
        "type":"a:b:C","id":"i","outputs":{{"text":"{text}","next":"x"}}}}]}}}}"#
    );
    let mut list = List::open(&state, (80, 14), "1G<Tab>w", 1);
    list.session
        .keys("gg")
        .shows("start word")
        .hides("end of it");
    list.session.keys("<C-d><C-d>").shows("end of it");
}
