//! The files in a folder: states, plans and copies, to open one or to compare two.

use super::Outcome;
use crate::tui::command::{Command, ListCommand, Motion};
use std::path::PathBuf;
use std::time::UNIX_EPOCH;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::{boxed, centered, clear};
use crate::load::folder::{FolderFile, Role as FileRole};
use crate::load::{Input, Origin};
use crate::render::plain;
use crate::tui::rows::{Span, shown};
use crate::tui::theme::{Role, Theme};
use crate::tui::widgets::cursor::Cursor;
use crate::tui::widgets::frame::{self, Labels};
use crate::tui::widgets::pen::Pen;
use crate::tui::widgets::text::{fit_end, plural, wrap_words};

/// The list of files in a folder.
#[derive(Debug)]
pub struct Files {
    /// The folder.
    pub folder: PathBuf,
    /// The files in the folder. `None` until they are known.
    entries: Option<Result<Vec<FolderFile>, String>>,
    /// The selected row.
    cursor: Cursor,
    /// Up to two rows marked for comparison, in the order of marking.
    marked: Vec<usize>,
}

impl Files {
    /// The list of a folder that is being read.
    pub fn new(folder: PathBuf) -> Self {
        Self {
            folder,
            entries: None,
            cursor: Cursor::default(),
            marked: Vec::new(),
        }
    }

    /// Takes the files in the folder. The cursor goes to `open` if it is among them.
    pub fn take(
        &mut self,
        entries: Result<Vec<FolderFile>, String>,
        open: Option<&Input>,
        body: Rect,
    ) {
        let row = entries.as_ref().ok().and_then(|entries| {
            let open = open.and_then(Input::sole_origin);
            let is_open =
                |entry: &FolderFile| matches!(open, Some(Origin::Path(path)) if *path == entry.path);
            entries.iter().position(is_open)
        });
        self.entries = Some(entries);
        self.cursor
            .go(row.unwrap_or(0), self.rows().len(), Self::height(body));
    }

    fn rows(&self) -> &[FolderFile] {
        match &self.entries {
            Some(Ok(entries)) => entries,
            _ => &[],
        }
    }

    /// Moves the cursor.
    pub fn step(&mut self, delta: isize, body: Rect) {
        let len = self.rows().len();
        self.cursor.step(delta, len, Self::height(body));
    }

    /// Marks the selected row for comparison, or removes its mark. A third mark removes the first one.
    pub fn mark(&mut self, body: Rect) {
        let row = self.cursor.row;
        if row >= self.rows().len() {
            return;
        }
        match self.marked.iter().position(|marked| *marked == row) {
            Some(at) => {
                self.marked.remove(at);
            }
            None => self.marked.push(row),
        }
        if self.marked.len() > 2 {
            self.marked.remove(0);
        }
        self.step(1, body);
    }

    /// The input that Enter opens: the difference of the two marked files, older one first. Without two marks, the selected file.
    pub fn chosen(&self) -> Option<Input> {
        let rows = self.rows();
        let input = |row: usize| rows.get(row).map(|entry| Input::path(&entry.path));
        if let [first, second] = self.marked[..] {
            let time = |row: usize| rows.get(row).and_then(|entry| entry.modified);
            // A copy is older than its original, even if both were written at once.
            let age = |row: usize| {
                (
                    time(row),
                    rows.get(row).map(|it| std::cmp::Reverse(it.role)),
                )
            };
            let (old, new) = if age(second) < age(first) {
                (second, first)
            } else {
                (first, second)
            };
            return Some(Input::pair(input(old)?, input(new)?));
        }
        input(self.cursor.row)
    }

    fn area(body: Rect) -> Rect {
        let height = usize::from(body.height).saturating_sub(2).max(6);
        centered(body, 96, height)
    }

    fn height(body: Rect) -> usize {
        usize::from(boxed(Self::area(body)).inner.height)
    }

    /// Obeys a command.
    pub fn update(&mut self, command: Command, body: Rect) -> Outcome {
        match command {
            Command::Move(Motion::Down) => self.step(1, body),
            Command::Move(Motion::Up) => self.step(-1, body),
            Command::Move(Motion::PageDown) => self.step(10, body),
            Command::Move(Motion::PageUp) => self.step(-10, body),
            Command::Move(Motion::Top) => self.step(isize::MIN, body),
            Command::Move(Motion::Bottom) => self.step(isize::MAX, body),
            Command::List(ListCommand::Mark) => self.mark(body),
            Command::Cancel => return Outcome::Close,
            Command::Accept => {
                if let Some(input) = self.chosen() {
                    return Outcome::OpenFile(input, self.folder.clone());
                }
            }
            _ => {}
        }
        Outcome::Done
    }

    /// Draws the overlay.
    pub fn view(&self, theme: &Theme, body: Rect, buffer: &mut Buffer) {
        let area = Self::area(body);
        clear(area, buffer);
        let rows = self.rows();
        let labels = Labels {
            title: fit_end(
                &shown(&self.folder.display().to_string()),
                usize::from(area.width).saturating_sub(24),
            ),
            status: match self.marked.len() {
                2 => "Enter compare".to_owned(),
                _ => plural(rows.len(), "file"),
            },
            focused: true,
        };
        let pane = boxed(area);
        frame::draw(pane, &labels, theme, buffer);
        let area = pane.inner;
        let said = match &self.entries {
            None => Some(("listing…".to_owned(), Role::Dim)),
            Some(Err(error)) => Some((shown(error), Role::Danger)),
            Some(Ok(entries)) if entries.is_empty() => Some((
                "no state, plan or Pulumi backend in this folder".to_owned(),
                Role::Dim,
            )),
            Some(Ok(_)) => None,
        };
        if let Some((text, role)) = said {
            let room = usize::from(area.width).saturating_sub(2);
            for (line, piece) in (0..area.height).zip(wrap_words(&text, room)) {
                let mut pen = Pen::new(buffer, theme, area, line);
                pen.skip(1).put(piece, role);
            }
        }
        for line in 0..area.height {
            let row = self.cursor.top + usize::from(line);
            let Some(entry) = rows.get(row) else { break };
            let is_selected = row == self.cursor.row;
            let mut pen = Pen::new(buffer, theme, area, line);
            pen.put(if is_selected { "▶" } else { " " }, Role::Focus);
            let is_marked = self.marked.contains(&row);
            pen.put(if is_marked { "● " } else { "  " }, Role::Badge);
            draw(&mut pen, entry);
            if is_selected {
                let line = Rect::new(area.x, area.y + line, area.width, 1);
                theme.highlight(buffer, line, true);
            }
        }
    }
}

fn draw(pen: &mut Pen<'_>, entry: &FolderFile) {
    let modified = entry
        .modified
        .and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    let modified = modified.map_or_else(String::new, |since| plain::utc(since.as_secs()));
    pen.put_right(&[
        Span::new(format!("{:>9}  ", plain::size(entry.bytes)), Role::Number),
        Span::new(format!("{modified:<16} "), Role::Dim),
    ]);
    if let Some(project) = &entry.project {
        pen.put(&shown(project), Role::Dim).put("/", Role::Dim);
    }
    let (what, role) = match entry.role {
        FileRole::State => ("", Role::Title),
        FileRole::Plan => ("plan", Role::Title),
        FileRole::Errored => ("could not be written to its backend", Role::Danger),
        FileRole::Backup => ("previous copy", Role::Text),
    };
    pen.put(&shown(&entry.name), role);
    if entry.current {
        pen.put("  in use", Role::Good);
    }
    if !what.is_empty() && shown(&entry.name) != what {
        pen.put("  ", Role::Text).put(what, Role::Badge);
    }
}
