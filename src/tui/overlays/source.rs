//! The source of a configuration over the screen: a file with the block of what was selected, and the list of all files.
//!
//! What is secret in it is masked ([`crate::change::configuration`]), and what the person reveals is hidden again when the cursor
//! leaves the line.

mod draw;

use std::ops::Range;
use std::sync::Arc;

use crossterm::event::KeyEvent;
use ratatui::layout::Rect;

use super::boxed;
use crate::change::configuration::{Configuration, Listing, Masking, Paint, Place};
use crate::path::Path;
use crate::tui::command::Command;
use crate::tui::keymap::Scope;
use crate::tui::widgets::cursor::Cursor;
use crate::tui::widgets::prompt::Prompt;

/// What is to be shown of a configuration.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Wanted {
    /// Its address there; "" for the configuration as such.
    pub address: String,
    /// The property whose argument is looked for.
    pub path: Path,
}

/// What of a configuration is on the screen.
pub struct SourceView {
    wanted: Wanted,
    /// `None` until it is read.
    configuration: Option<Arc<Configuration>>,
    /// The block of what is wanted.
    place: Option<Place>,
    /// Which file.
    file: usize,
    /// The selected line.
    cursor: Cursor,
    /// How many cells are scrolled out at the left.
    left: usize,
    /// The list of files, while one chooses.
    files: Option<Cursor>,
    /// The text that is being typed to look for, and the line that one began at.
    finding: Option<(Prompt, usize)>,
    /// What was looked for last.
    sought: String,
    /// The lines that are revealed, and the clock that hides them.
    revealed: Option<(Range<usize>, u64)>,
}

impl std::fmt::Debug for SourceView {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "SourceView({:?})", self.wanted)
    }
}

impl SourceView {
    /// The source of `wanted`, before the configuration is read.
    pub fn new(wanted: Wanted) -> Self {
        Self {
            wanted,
            configuration: None,
            place: None,
            file: 0,
            cursor: Cursor::default(),
            left: 0,
            files: None,
            finding: None,
            sought: String::new(),
            revealed: None,
        }
    }

    /// Takes the configuration and goes to what is wanted of it; to the list of files if nothing is, or it is not there.
    pub fn take(&mut self, configuration: Arc<Configuration>, body: Rect) {
        self.place = configuration.find(&self.wanted.address).cloned();
        self.configuration = Some(configuration);
        if self.place.is_some() {
            self.go_to_block(body);
        } else {
            self.files = Some(Cursor::default());
        }
    }

    /// Where its keys are in the table.
    pub fn scopes(&self) -> &'static [Scope] {
        match (&self.finding, &self.files) {
            (Some(_), _) => &[Scope::Prompt],
            (None, Some(_)) => &[Scope::SourceFiles],
            (None, None) => &[Scope::Source],
        }
    }

    fn listing(&self) -> Option<&Listing> {
        self.configuration.as_ref()?.files.get(self.file)
    }

    fn n_lines(&self) -> usize {
        self.listing().map_or(0, Listing::n_lines)
    }

    fn height(body: Rect) -> usize {
        usize::from(boxed(body).inner.height)
    }

    /// Selects the line of what is wanted, with its whole block on the screen if there is room.
    fn go_to_block(&mut self, body: Rect) {
        let Some(place) = &self.place else { return };
        let (line, lines) = (place.line_of(&self.wanted.path), place.lines.clone());
        self.file = place.file;
        self.left = 0;
        self.revealed = None;
        let (len, height) = (self.n_lines(), Self::height(body));
        let needed = (line + 1 - lines.start.min(line)).max(lines.len().min(height));
        self.cursor.top = if needed <= height {
            lines
                .start
                .saturating_sub(height.saturating_sub(needed).min(3))
        } else {
            line.saturating_sub(height / 3)
        };
        self.cursor.go(line, len, height);
    }

    /// Takes a key of what is being typed.
    pub fn key(&mut self, key: KeyEvent, body: Rect) {
        if let Some((prompt, _)) = &mut self.finding
            && prompt.key(key)
        {
            self.find_typed(body);
        }
    }

    /// Takes a text that is pasted.
    pub fn insert(&mut self, text: &str) {
        if let Some((prompt, _)) = &mut self.finding {
            prompt.insert(text.trim());
        }
    }

    /// Goes to the first line behind where one began that has what is typed.
    fn find_typed(&mut self, body: Rect) {
        let Some((prompt, from)) = &self.finding else {
            return;
        };
        let (typed, from) = (prompt.text().to_owned(), *from);
        let found = self.lines_with(&typed, from, 1).unwrap_or(from);
        let (len, height) = (self.n_lines(), Self::height(body));
        self.cursor.go(found, len, height);
        self.moved();
    }

    /// Goes on to the next line with what was looked for, or back to the one before; false if there is none.
    pub fn seek(&mut self, command: Command, body: Rect) -> bool {
        let len = self.n_lines();
        if self.sought.is_empty() || len == 0 {
            return false;
        }
        let (step, from) = match command {
            Command::PrevHit => (len - 1, self.cursor.row + len - 1),
            _ => (1, self.cursor.row + 1),
        };
        let sought = self.sought.clone();
        let found = self.lines_with(&sought, from % len, step);
        if let Some(found) = found.filter(|found| *found != self.cursor.row) {
            self.cursor.go(found, len, Self::height(body));
            self.moved();
            return true;
        }
        false
    }

    /// The first line from `from` on, in steps of `step` around the file, that has `text`. Small letters stand for both, and what is
    /// masked is not looked into.
    fn lines_with(&self, text: &str, from: usize, step: usize) -> Option<usize> {
        let listing = self.listing()?;
        let len = listing.n_lines();
        if text.is_empty() || len == 0 {
            return None;
        }
        let mut lines = (0..len).map(|n| (from + n * step) % len);
        lines.find(|line| {
            let parts = listing.line(*line, Masking::Masked);
            let whole: String = parts
                .iter()
                .filter(|part| part.paint != Paint::Secret)
                .map(|part| &*part.text)
                .collect();
            find(&whole, text).is_some()
        })
    }

    /// One step back: from the search or the list of files to the file; false if there is none.
    pub fn leave(&mut self, body: Rect) -> bool {
        if let Some((_, from)) = self.finding.take() {
            self.cursor.go(from, self.n_lines(), Self::height(body));
            return true;
        }
        // A list that one did not come to from a file.
        self.files.take().is_some() && self.place.is_some()
    }

    /// Does what a key asks for.
    pub fn obey(&mut self, command: Command, body: Rect) {
        if self.finding.is_some() {
            if command == Command::Accept
                && let Some((prompt, _)) = self.finding.take()
            {
                prompt.text().clone_into(&mut self.sought);
            }
            return;
        }
        if self.files.is_some() {
            self.obey_in_files(command, body);
            return;
        }
        let (len, height) = (self.n_lines(), Self::height(body));
        let page = isize::try_from(height).unwrap_or(isize::MAX);
        match command {
            Command::Down => self.cursor.step(1, len, height),
            Command::Up => self.cursor.step(-1, len, height),
            Command::PageDown => self.cursor.step(page, len, height),
            Command::PageUp => self.cursor.step(-page, len, height),
            Command::Top => self.cursor.go(0, len, height),
            Command::Bottom => self.cursor.go(len, len, height),
            Command::Expand => self.left += 8,
            Command::Collapse => self.left = self.left.saturating_sub(8),
            Command::Activate => self.go_to_block(body),
            Command::Search => self.finding = Some((Prompt::default(), self.cursor.row)),
            Command::Folder => {
                let mut cursor = Cursor::default();
                let n_files = self.configuration.as_ref().map_or(0, |it| it.files.len());
                cursor.go(self.file, n_files, height);
                self.files = Some(cursor);
            }
            _ => {}
        }
        self.moved();
    }

    fn obey_in_files(&mut self, command: Command, body: Rect) {
        let (Some(cursor), Some(configuration)) = (&mut self.files, &self.configuration) else {
            return;
        };
        // A remark may stand above the list.
        let height = Self::height(body).saturating_sub(3);
        let len = configuration.files.len();
        let page = isize::try_from(height).unwrap_or(isize::MAX);
        match command {
            Command::Down => cursor.step(1, len, height),
            Command::Up => cursor.step(-1, len, height),
            Command::PageDown => cursor.step(page, len, height),
            Command::PageUp => cursor.step(-page, len, height),
            Command::Top => cursor.go(0, len, height),
            Command::Bottom => cursor.go(len, len, height),
            Command::Accept if len > 0 => {
                let chosen = cursor.row;
                self.files = None;
                if chosen != self.file || self.place.is_none() {
                    self.file = chosen;
                    self.cursor = Cursor::default();
                    self.left = 0;
                    self.revealed = None;
                }
                // From here on there is a file to come back to.
                self.place.get_or_insert_with(|| Place::none(chosen));
            }
            _ => {}
        }
    }

    /// Hides what is revealed if the cursor left it.
    fn moved(&mut self) {
        let row = self.cursor.row;
        self.revealed.take_if(|(lines, _)| !lines.contains(&row));
    }

    /// The place of the selected line: `FILE:LINE`, counted from 1.
    pub fn place(&self) -> Option<String> {
        let path = &self.listing()?.path;
        Some(format!("{path}:{}", self.cursor.row + 1))
    }

    /// The file and the line, counted from 1, if something on the selected line is masked.
    pub fn masked_place(&self) -> Option<(&str, usize)> {
        let listing = self.listing()?;
        let row = self.cursor.row;
        listing.is_masked(row).then_some((&*listing.path, row + 1))
    }

    /// Shows what is masked on the selected line, with the lines that it is one with.
    pub fn reveal(&mut self, ticket: u64) {
        let lines = self
            .listing()
            .map(|listing| listing.masked_with(self.cursor.row));
        self.revealed = lines.map(|lines| (lines, ticket));
    }

    /// Hides what is revealed, of a clock only what it is for; false if there is nothing to hide.
    pub fn hide(&mut self, ticket: Option<u64>) -> bool {
        let hidden = self
            .revealed
            .take_if(|(_, own)| ticket.is_none_or(|ticket| ticket == *own));
        hidden.is_some()
    }
}

/// Where `sought` is in `text`; letters that it has small stand for both.
fn find(text: &str, sought: &str) -> Option<Range<usize>> {
    if sought.is_empty() {
        return None;
    }
    if sought.chars().any(char::is_uppercase) {
        return text.find(sought).map(|at| at..at + sought.len());
    }
    let starts = text.char_indices().map(|(at, _)| at);
    let mut found = starts.filter_map(|at| {
        let mut chars = text[at..].char_indices();
        let mut end = at;
        for wanted in sought.chars() {
            let (offset, char) = chars.next()?;
            if char != wanted && !char.to_lowercase().eq([wanted]) {
                return None;
            }
            end = at + offset + char.len_utf8();
        }
        Some(at..end)
    });
    found.next()
}
