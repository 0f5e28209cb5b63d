//! Draws the list of a folder: a line for each file, with its name, contents, age and size.

use std::path::Path;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::Files;
use crate::load::LoadError;
use crate::load::folder::{Contents, FolderFile, Role as FileRole};
use crate::render::plain;
use crate::tui::command::{Command, MarkCommand, SearchCommand};
use crate::tui::keymap::{self, Scope};
use crate::tui::overlays::type_in::draw_prompt;
use crate::tui::overlays::{boxed, clear};
use crate::tui::panes::changes::Topic;
use crate::tui::rows::{Span, shown};
use crate::tui::theme::{Role, Theme};
use crate::tui::widgets::frame::{self, Labels};
use crate::tui::widgets::pen::{Pen, width_of};
use crate::tui::widgets::text::{count, fit, fit_end, fit_middle, plural, width, wrap_words};

/// Maximum widths of the kind, of the resources or changes, and of the age.
const MAX_WIDTHS: Widths = Widths {
    kind: 26,
    facts: 26,
    age: 13,
};
/// Maximum width of the kind on a narrow screen.
const NARROW_KIND: usize = 18;
/// Minimum width of the list for the size of the files, and for the whole name of the kind.
const WIDE: u16 = 96;

/// The widths of the columns beside the names.
#[derive(Clone, Copy, Default)]
struct Widths {
    kind: usize,
    facts: usize,
    age: usize,
}

impl Files {
    /// Draws the overlay over the whole body.
    pub fn view(&self, theme: &Theme, body: Rect, buffer: &mut Buffer) {
        clear(body, buffer);
        let pane = boxed(body);
        frame::draw(pane, &self.labels(body), theme, buffer);
        let area = pane.inner;
        let Some((footer, list)) = area.height.checked_sub(1).map(|height| {
            let footer = Rect::new(area.x, area.y + height, area.width, 1);
            (footer, Rect { height, ..area })
        }) else {
            return;
        };
        if let Some((text, role)) = self.remark() {
            let room = usize::from(list.width).saturating_sub(2);
            for (line, piece) in (0..list.height).zip(wrap_words(&text, room)) {
                let mut pen = Pen::new(buffer, theme, list, line);
                pen.skip(1).put(piece, role);
            }
        }
        let has_workspaces = self
            .entries()
            .iter()
            .any(|it| !it.current && { it.workspace.is_some() && it.label() != it.name });
        let widths = self.widths(list);
        let area = self.list_area(body);
        area.draw(self.cursor, theme, buffer, |buffer, area, row| {
            let entry = &self.entries()[self.rows[row]];
            let mut pen = Pen::new(buffer, theme, area, 0);
            let is_marked = self.marked.contains(&entry.path);
            pen.put(if is_marked { "● " } else { "  " }, Role::Badge);
            self.draw_file(&mut pen, entry, widths, has_workspaces);
        });
        self.draw_footer(theme, footer, buffer);
    }

    fn labels(&self, body: Rect) -> Labels {
        let key = |command| keymap::key_in(Scope::Files, command);
        let (n_rows, n_files) = (self.rows.len(), self.entries().len());
        let status = if let Some((old, new)) = self.pair() {
            let [old, new] = self.names_of([old, new]);
            format!("{} compare {old} → {new}", key(Command::Accept))
        } else if self.marked.len() == 1 {
            let mark = key(Command::Mark(MarkCommand::Selected));
            format!("1 marked · {mark} mark another one to compare")
        } else if n_rows < n_files {
            format!("{n_rows} of {}", plural(n_files, "file"))
        } else {
            plural(n_files, "file")
        };
        let folder = shown(&self.folder.display().to_string());
        Labels {
            title: fit_end(&folder, usize::from(body.width).saturating_sub(24)),
            status,
            focused: true,
        }
    }

    /// The labels of two files. A stack and its copy have the same one: then the names of the files.
    fn names_of(&self, paths: [&Path; 2]) -> [String; 2] {
        let label = |path| {
            let entry = self.entries().iter().find(|entry| entry.path == path);
            shown(&entry.map_or_else(String::new, FolderFile::label))
        };
        let labels = paths.map(label);
        if labels[0] != labels[1] {
            return labels;
        }
        let name = |path: &Path| {
            path.file_name()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned()
        };
        paths.map(|path| shown(&name(path)))
    }

    /// The text in place of the rows.
    fn remark(&self) -> Option<(String, Role)> {
        match &self.entries {
            None => Some(("listing…".to_owned(), Role::Dim)),
            Some(Err(error)) => Some((shown(error), Role::Danger)),
            Some(Ok(entries)) if entries.is_empty() => Some((
                "No file in this folder opens: no state, plan, preview, log of a run or Pulumi backend."
                    .to_owned(),
                Role::Dim,
            )),
            Some(Ok(_)) if self.rows.is_empty() => {
                let back = keymap::key_in(Scope::Prompt, Command::Cancel);
                let text = format!("no file matches · {back} clear the filter");
                Some((text, Role::Dim))
            }
            Some(Ok(_)) => None,
        }
    }

    /// The widths that the rows on the screen need.
    fn widths(&self, list: Rect) -> Widths {
        let mut needed = Widths::default();
        let rows = self.rows.iter().skip(self.cursor.top);
        for row in rows.take(usize::from(list.height)) {
            let entry = &self.entries()[*row];
            let contents = self.contents.get(&entry.path);
            needed.kind = needed.kind.max(width(&kind(entry, contents)));
            needed.facts = needed.facts.max(width_of(&facts(contents)));
            needed.age = needed.age.max(width(&age(entry)));
        }
        let max_kind = if list.width >= WIDE {
            MAX_WIDTHS.kind
        } else {
            NARROW_KIND
        };
        Widths {
            kind: needed.kind.min(max_kind),
            facts: needed.facts.min(MAX_WIDTHS.facts),
            age: needed.age.min(MAX_WIDTHS.age),
        }
    }

    fn draw_file(
        &self,
        pen: &mut Pen<'_>,
        entry: &FolderFile,
        widths: Widths,
        has_workspaces: bool,
    ) {
        let contents = self.contents.get(&entry.path);
        let kind = fit(&kind(entry, contents), widths.kind);
        let mut right = vec![Span::new(
            format!("  {kind:<width$}  ", width = widths.kind),
            Role::Text,
        )];
        right.extend(padded(facts(contents), widths.facts));
        let (age, room) = (age(entry), widths.age + 2);
        right.push(Span::new(format!("{age:>room$}"), Role::Dim));
        if pen.room() >= usize::from(WIDE) - 4 {
            let size = plain::size(entry.bytes);
            right.push(Span::new(format!("{size:>9}"), Role::Number));
        }
        right.push(Span::new(" ", Role::Text));
        pen.put_right(&right);
        let is_current = entry.current && has_workspaces;
        // In words, and in short.
        let badges = match entry.role {
            FileRole::Errored => ["  could not be written to its backend", "  not written"],
            FileRole::Backup => ["  previous copy", "  copy"],
            FileRole::History => ["  after an earlier update", "  earlier"],
            FileRole::State if is_current => ["  in use"; 2],
            FileRole::State | FileRole::Plan | FileRole::Other => [""; 2],
        };
        let label = shown(&entry.label());
        let fits = |badge: &&str| width(&label) + width(badge) <= pen.room();
        let badge = badges.into_iter().find(fits).unwrap_or(badges[1]);
        let role = match entry.role {
            FileRole::State if is_current => Role::Good,
            FileRole::Errored => Role::Danger,
            FileRole::State
            | FileRole::Plan
            | FileRole::Backup
            | FileRole::History
            | FileRole::Other => Role::Dim,
        };
        let room = pen.room().saturating_sub(width(badge)).max(12);
        pen.put(&fit_middle(&label, room), Role::Title);
        pen.put(badge, role);
    }

    /// Draws the filter, or the trouble with the selected file, or its path.
    fn draw_footer(&self, theme: &Theme, area: Rect, buffer: &mut Buffer) {
        let mut pen = Pen::new(buffer, theme, area, 0);
        let find = keymap::key_in(Scope::Files, Command::Search(SearchCommand::Open));
        if self.is_typing {
            pen.put(&format!(" {find}"), Role::Hint);
            draw_prompt(&self.filter, &mut pen, theme);
            return;
        }
        if !self.filter.text().is_empty() {
            let filter = shown(self.filter.text());
            pen.put(&format!(" {find} {filter}  "), Role::Badge);
        }
        let Some(entry) = self.selected() else { return };
        pen.skip(1);
        if let Some(Err(error)) = self.contents.get(&entry.path) {
            pen.put(&shown(&error.to_string()), Role::Danger);
        } else {
            let path = shown(&entry.path.display().to_string());
            let room = pen.room();
            pen.put(&fit_middle(&path, room), Role::Dim);
        }
    }
}

/// The time since the last write.
fn age(entry: &FolderFile) -> String {
    let age = entry.age.map(|age| plain::ago(age.as_secs()));
    age.unwrap_or_default()
}

/// The kind of a file: by its contents if it was read, and otherwise by its name.
fn kind(entry: &FolderFile, contents: Option<&Result<Contents, LoadError>>) -> String {
    let by_name = match entry.role {
        FileRole::State | FileRole::Errored | FileRole::Backup | FileRole::History => "state",
        FileRole::Plan => "plan",
        FileRole::Other => "",
    };
    match contents {
        Some(Ok(contents)) => shown(&contents.kind),
        Some(Err(_)) | None => by_name.to_owned(),
    }
}

/// The number of resources or the changes, after damage.
fn facts(contents: Option<&Result<Contents, LoadError>>) -> Vec<Span> {
    let contents = match contents {
        None => return vec![Span::new("…", Role::Dim)],
        Some(Err(LoadError::Locked { .. })) => return vec![Span::new("encrypted", Role::Badge)],
        Some(Err(_)) => return vec![Span::new("⚠ does not open", Role::Danger)],
        Some(Ok(contents)) => contents,
    };
    if let Some(damage) = &contents.damage {
        let text = fit(&format!("⚠ {}", shown(damage)), MAX_WIDTHS.facts);
        return vec![Span::new(text, Role::Danger)];
    }
    if contents.changes.is_empty() {
        let n = plural(contents.n_resources, "resource");
        return vec![Span::new(n, Role::Text)];
    }
    let mut spans = Vec::new();
    for (action, n) in &contents.changes {
        if *action != crate::stack::Action::Noop {
            let text = format!("{}{} ", action.sign().trim(), count(*n));
            spans.push(Span::new(text, Topic::Change(*action).role()));
        }
    }
    if spans.is_empty() {
        spans.push(Span::new("no changes", Role::Good));
    }
    spans
}

/// Spans in exactly `room` cells. Those that do not fit are dropped, with `…` in their place.
fn padded(mut spans: Vec<Span>, room: usize) -> Vec<Span> {
    let mut is_cut = false;
    while width_of(&spans) + usize::from(is_cut) > room && spans.len() > 1 {
        spans.pop();
        is_cut = true;
    }
    if is_cut {
        spans.push(Span::new("…", Role::Dim));
    }
    let fill = room.saturating_sub(width_of(&spans));
    spans.push(Span::new(" ".repeat(fill), Role::Text));
    spans
}
