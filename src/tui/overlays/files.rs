//! The files in a folder: states, plans and copies, to open one or to compare two.
//!
//! The names come first. Then each file is read, and its row says what it contains.

mod draw;

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use ratatui::layout::Rect;

use super::{Outcome, boxed};
use crate::load::folder::{Contents, FolderFile};
use crate::load::{Input, LoadError, Origin};
use crate::tui::command::{Command, MarkCommand, SearchCommand};
use crate::tui::jobs::Cancel;
use crate::tui::keymap::Scope;
use crate::tui::widgets::cursor::{Cursor, Page};
use crate::tui::widgets::list_area::ListArea;
use crate::tui::widgets::prompt::{Prompt, Typing};

/// The list of files in a folder.
#[derive(Debug)]
pub struct Files {
    /// The folder.
    pub folder: PathBuf,
    /// Ends the reading of the files.
    pub stop: Cancel,
    /// The files in the folder. `None` until they are known.
    entries: Option<Result<Vec<FolderFile>, String>>,
    /// The contents of the files that were read.
    contents: HashMap<PathBuf, Result<Contents, LoadError>>,
    /// The listed entries: those that match the filter.
    rows: Vec<usize>,
    /// The selected row.
    pub(super) cursor: Cursor,
    /// Up to two files marked for comparison, in the order of marking.
    marked: Vec<PathBuf>,
    /// The words of the filter.
    filter: Prompt,
    /// True while the filter is typed.
    is_typing: bool,
}

impl Files {
    /// The list of a folder that is being read.
    pub fn new(folder: PathBuf) -> Self {
        Self {
            folder,
            stop: Cancel::default(),
            entries: None,
            contents: HashMap::new(),
            rows: Vec::new(),
            cursor: Cursor::default(),
            marked: Vec::new(),
            filter: Prompt::new(""),
            is_typing: false,
        }
    }

    /// Takes the files in the folder. The cursor goes to `open` if it is among them.
    pub fn take(
        &mut self,
        entries: Result<Vec<FolderFile>, String>,
        open: Option<&Input>,
        body: Rect,
    ) {
        self.entries = Some(entries);
        let open = match open.and_then(Input::sole_origin) {
            Some(Origin::Path(path)) => Some(path.clone()),
            Some(Origin::Folder(_) | Origin::Stdin | Origin::Bytes { .. }) | None => None,
        };
        self.list(open.as_deref(), body);
    }

    /// Takes the contents of a file.
    pub fn take_contents(
        &mut self,
        path: PathBuf,
        contents: Result<Contents, LoadError>,
        body: Rect,
    ) {
        self.contents.insert(path, contents);
        if !self.filter.text().is_empty() {
            self.narrow(body);
        }
    }

    fn entries(&self) -> &[FolderFile] {
        match &self.entries {
            Some(Ok(entries)) => entries,
            Some(Err(_)) | None => &[],
        }
    }

    fn selected(&self) -> Option<&FolderFile> {
        let entry = *self.rows.get(self.cursor.row)?;
        self.entries().get(entry)
    }

    /// Lists the files that match all words of the filter. The cursor goes to `path` if that is listed.
    fn list(&mut self, path: Option<&Path>, body: Rect) {
        let typed = self.filter.text().to_lowercase();
        let matches = |entry: &FolderFile| {
            let mut text = format!("{} {}", entry.label(), entry.path.display());
            if let Some(Ok(contents)) = self.contents.get(&entry.path) {
                text.push(' ');
                text.push_str(&contents.kind);
            }
            let text = text.to_lowercase();
            typed.split_whitespace().all(|word| text.contains(word))
        };
        let entries = self.entries().iter().enumerate();
        let rows = entries.filter(|(_, entry)| matches(entry));
        let rows: Vec<usize> = rows.map(|(index, _)| index).collect();
        let is_path = |index: &usize| Some(&*self.entries()[*index].path) == path;
        let row = rows.iter().position(is_path).unwrap_or(0);
        self.rows = rows;
        let len = self.rows.len();
        self.cursor.go(row, Page::flat(len, Self::height(body)));
    }

    /// Lists again after the filter or the contents of a file changed.
    fn narrow(&mut self, body: Rect) {
        let path = self.selected().map(|entry| entry.path.clone());
        self.list(path.as_deref(), body);
    }

    /// Takes a key press or a pasted text while the filter is typed. True if the filter changed.
    pub fn input(&mut self, typing: Typing<'_>, body: Rect) -> bool {
        let has_changed = self.is_typing && self.filter.input(typing);
        if has_changed {
            self.narrow(body);
        }
        has_changed
    }

    /// The scopes in which its keys are looked up.
    pub fn scopes(&self) -> &'static [Scope] {
        if self.is_typing {
            &[Scope::Prompt]
        } else {
            &[Scope::Files]
        }
    }

    /// Marks the selected file for comparison, or removes its mark. A third mark removes the first one.
    fn mark(&mut self, body: Rect) {
        let Some(path) = self.selected().map(|entry| entry.path.clone()) else {
            return;
        };
        match self.marked.iter().position(|marked| *marked == path) {
            Some(at) => {
                self.marked.remove(at);
            }
            None => self.marked.push(path),
        }
        if self.marked.len() > 2 {
            self.marked.remove(0);
        }
        self.cursor
            .step(1, Page::flat(self.rows.len(), Self::height(body)));
    }

    /// The two marked files, the older one first; `None` if there are no two.
    pub fn pair(&self) -> Option<(&Path, &Path)> {
        let [first, second] = &self.marked[..] else {
            return None;
        };
        let of = |path: &PathBuf| self.entries().iter().find(|entry| entry.path == *path);
        // A copy is older than its original, even if both were written at once.
        let age = |path| {
            let entry = of(path)?;
            Some((entry.modified, std::cmp::Reverse(entry.role)))
        };
        let (old, new) = if age(second) < age(first) {
            (second, first)
        } else {
            (first, second)
        };
        Some((old, new))
    }

    /// The input that Enter opens: the difference of the two marked files. Without two marks, the selected file.
    fn chosen(&self) -> Option<Input> {
        match self.pair() {
            Some((old, new)) => Some(Input::pair(Input::path(old), Input::path(new))),
            None => self.selected().map(|entry| Input::path(&entry.path)),
        }
    }

    /// True if the marked files are of two tools.
    fn are_unlike(&self) -> bool {
        let is_pulumi = |path| match self.contents.get(path)? {
            Ok(contents) => Some(contents.is_pulumi),
            Err(_) => None,
        };
        self.pair().is_some_and(|(old, new)| {
            let (old, new) = (is_pulumi(old), is_pulumi(new));
            old.is_some() && new.is_some() && old != new
        })
    }

    /// Number of rows of files on the screen. The last line is for the selected file.
    fn height(body: Rect) -> usize {
        usize::from(boxed(body).inner.height).saturating_sub(1)
    }

    /// The rows on the screen.
    pub(super) fn list_area(&self, body: Rect) -> ListArea {
        let inner = boxed(body).inner;
        let height = inner.height.saturating_sub(1);
        ListArea::new(Rect { height, ..inner }, self.rows.len())
    }

    /// Handles a command.
    pub fn update(&mut self, command: Command, body: Rect) -> Outcome {
        match command {
            Command::Move(motion) => {
                let (len, height) = (self.rows.len(), Self::height(body));
                self.cursor.obey(motion, Page::flat(len, height));
            }
            Command::Mark(MarkCommand::Selected) => self.mark(body),
            Command::Search(SearchCommand::Open) => self.is_typing = true,
            Command::Cancel if !self.filter.text().is_empty() => {
                self.filter = Prompt::new("");
                self.is_typing = false;
                self.narrow(body);
            }
            Command::Cancel | Command::Accept if self.is_typing => self.is_typing = false,
            Command::Cancel => {
                self.stop.cancel();
                return Outcome::Close;
            }
            Command::Accept if self.are_unlike() => {
                return Outcome::Complain(
                    "a file of Pulumi and one of Terraform cannot be compared".to_owned(),
                );
            }
            Command::Accept => {
                if let Some(input) = self.chosen() {
                    self.stop.cancel();
                    return Outcome::OpenFile(input, self.folder.clone());
                }
            }
            _ => {}
        }
        Outcome::Done
    }
}
