//! The source of a configuration, beside the panes of a wide screen and over those of a narrow one: a file with the block of the selected resource, and the list of all files.
//!
//! Secrets in the source are masked ([`crate::change::configuration`]). A revealed secret is hidden again when the cursor leaves
//! the line.

mod draw;

use super::Outcome;
use super::popup::{Popup, RowUse};
use crate::tui::popup::Stage;
use crate::tui::rows::shown;
use crate::tui::session::Secret;
use crate::tui::theme::Theme;
use ratatui::buffer::Buffer;
use std::ops::Range;
use std::sync::Arc;

use ratatui::layout::Rect;

use super::boxed;
use super::text::PAN;
use crate::change::configuration::{Configuration, Declaration, Listing, Masking, Paint};
use crate::path::Path;
use crate::tui::command::{Command, Pan, SearchCommand, SourceCommand};
use crate::tui::keymap::{Scope, key_in};
use crate::tui::layout;
use crate::tui::widgets::cursor::{Cursor, Page};
use crate::tui::widgets::list_area::ListArea;
use crate::tui::widgets::prompt::{Prompt, Typing};
use crate::tui::widgets::text::{cells, wrap_words};

/// The part of a configuration to show.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Wanted {
    /// Address in the configuration. Empty for the configuration as a whole.
    pub address: String,
    /// The property whose argument to select.
    pub path: Path,
}

/// A view of the source of a configuration.
pub struct SourceView {
    wanted: Wanted,
    /// `None` until the configuration is read.
    configuration: Option<Arc<Configuration>>,
    /// The place of the wanted block. If there is none, the file that was chosen from the list.
    place: Option<Declaration>,
    /// Index of the file that is shown.
    file: usize,
    /// The selected line.
    cursor: Cursor,
    /// Number of cells scrolled out at the left.
    left: usize,
    /// The cursor in the list of files, while the list is shown.
    files: Option<Cursor>,
    /// The search text that is being typed, and the line where the search began.
    finding: Option<(Prompt, usize)>,
    /// The last search text.
    sought: String,
    /// The lines whose masked text is shown.
    revealed: Option<Range<usize>>,
}

impl std::fmt::Debug for SourceView {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "SourceView({:?})", self.wanted)
    }
}

impl SourceView {
    /// A view of `wanted`, before the configuration is read.
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

    /// Takes the configuration and goes to the wanted block. Shows the list of files if there is no such block.
    pub fn take(&mut self, configuration: Arc<Configuration>, body: Rect) {
        self.place = configuration.find(&self.wanted.address).cloned();
        self.configuration = Some(configuration);
        if self.place.is_some() {
            self.go_to_block(layout::source(body));
        } else {
            self.files = Some(Cursor::default());
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

    /// Selects the wanted line and shows its whole block if there is room.
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
        self.cursor.go(line, Page::flat(len, height));
    }

    /// Goes to the first line with the typed text, starting at the line where the search began.
    fn find_typed(&mut self, body: Rect) {
        let Some((prompt, from)) = &self.finding else {
            return;
        };
        let (typed, from) = (prompt.text().to_owned(), *from);
        let found = self.lines_with(&typed, from, 1).unwrap_or(from);
        let (len, height) = (self.n_lines(), Self::height(body));
        self.cursor.go(found, Page::flat(len, height));
        self.hide_unless_selected();
    }

    /// Goes to the next line with the search text, or with -1 to the previous one. Returns false if there is no other line.
    fn seek(&mut self, step: isize, body: Rect) -> bool {
        let len = self.n_lines();
        if self.sought.is_empty() || len == 0 {
            return false;
        }
        // Around the file, a step back is one of all lines but one forward.
        let step = if step < 0 { len - 1 } else { 1 };
        let sought = self.sought.clone();
        let found = self.lines_with(&sought, (self.cursor.row + step) % len, step);
        if let Some(found) = found.filter(|found| *found != self.cursor.row) {
            self.cursor.go(found, Page::flat(len, Self::height(body)));
            self.hide_unless_selected();
            return true;
        }
        false
    }

    fn go_match(&mut self, step: isize, body: Rect) -> Outcome {
        if self.seek(step, body) {
            return Outcome::Done;
        }
        let key = key_in(Scope::Source, Command::Search(SearchCommand::Open));
        Outcome::Complain(format!("no other match · {key} find"))
    }

    /// The first line that contains `text`, from `from` on in steps of `step` around the file. Case matters only if `text` has an
    /// upper-case letter. Masked text is not searched.
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

    /// Goes back one step: from the search or the list of files to the file. Returns false if there is no file to go back to.
    fn leave(&mut self, body: Rect) -> bool {
        if let Some((_, from)) = self.finding.take() {
            self.cursor
                .go(from, Page::flat(self.n_lines(), Self::height(body)));
            return true;
        }
        // A list that was not opened from a file has no file to go back to.
        self.files.take().is_some() && self.place.is_some()
    }

    fn obey(&mut self, command: Command, body: Rect) -> Outcome {
        if self.finding.is_some() {
            if command == Command::Accept
                && let Some((prompt, _)) = self.finding.take()
            {
                prompt.text().clone_into(&mut self.sought);
            }
            return Outcome::Done;
        }
        if self.files.is_some() {
            return self.obey_in_files(command, body);
        }
        let (len, height) = (self.n_lines(), Self::height(body));
        match command {
            Command::Move(motion) => self.cursor.obey(motion, Page::flat(len, height)),
            Command::Pan(Pan::Right) => self.left += PAN,
            Command::Pan(Pan::Left) if self.left == 0 => return Outcome::Nothing,
            Command::Pan(Pan::Left) => self.left = self.left.saturating_sub(PAN),
            Command::InSource(SourceCommand::Block) => self.go_to_block(body),
            Command::Search(SearchCommand::Open) => {
                self.finding = Some((Prompt::default(), self.cursor.row));
            }
            Command::InSource(SourceCommand::Files) => {
                let mut cursor = Cursor::default();
                let n_files = self.configuration.as_ref().map_or(0, |it| it.files.len());
                cursor.go(self.file, Page::flat(n_files, height));
                self.files = Some(cursor);
            }
            _ => return Outcome::Nothing,
        }
        self.hide_unless_selected();
        Outcome::Done
    }

    fn obey_in_files(&mut self, command: Command, body: Rect) -> Outcome {
        let height = self.list_area(body).map_or(0, |(list, _)| list.height());
        let (Some(cursor), Some(configuration)) = (&mut self.files, &self.configuration) else {
            return Outcome::Nothing;
        };
        let len = configuration.files.len();
        match command {
            Command::Move(motion) => cursor.obey(motion, Page::flat(len, height)),
            Command::Accept if len > 0 => {
                let chosen = cursor.row;
                self.files = None;
                if chosen != self.file || self.place.is_none() {
                    self.file = chosen;
                    self.cursor = Cursor::default();
                    self.left = 0;
                    self.revealed = None;
                }
                // From here on there is a file to return to.
                self.place.get_or_insert_with(|| Declaration::none(chosen));
            }
            _ => return Outcome::Nothing,
        }
        Outcome::Done
    }

    /// The words above the list of files: the block that was looked for and not found.
    fn remark(&self) -> Option<String> {
        let is_lost = self.place.is_none() && !self.wanted.address.is_empty();
        is_lost.then(|| {
            let address = shown(&self.wanted.address);
            format!("no block of the configuration declares {address}")
        })
    }

    /// The rows of the list of files or of the source, and its cursor. `None` until the configuration is read.
    fn list_area(&self, body: Rect) -> Option<(ListArea, Cursor)> {
        let configuration = self.configuration.as_ref()?;
        let inner = boxed(body).inner;
        let Some(cursor) = self.files else {
            return Some((ListArea::new(inner, self.n_lines()), self.cursor));
        };
        let room = usize::from(inner.width).saturating_sub(2);
        let remark = self.remark();
        let n_above = remark.map_or(0, |text| wrap_words(&text, room).len());
        let n_above = cells(n_above).min(inner.height);
        let area = Rect {
            y: inner.y + n_above,
            height: inner.height - n_above,
            ..inner
        };
        Some((ListArea::new(area, configuration.files.len()), cursor))
    }

    /// Hides the revealed lines if the cursor left them.
    fn hide_unless_selected(&mut self) {
        let row = self.cursor.row;
        self.revealed.take_if(|lines| !lines.contains(&row));
    }

    /// The place of the selected line: `FILE:LINE`, counted from 1.
    fn place(&self) -> Option<String> {
        let path = &self.listing()?.path;
        Some(format!("{path}:{}", self.cursor.row + 1))
    }

    /// The file and the line, counted from 1, if something on the selected line is masked.
    fn masked_place(&self) -> Option<(&str, usize)> {
        let listing = self.listing()?;
        let row = self.cursor.row;
        listing.is_masked(row).then_some((&*listing.path, row + 1))
    }

    /// Shows or hides the masked text on the selected line, with the other lines that its masks reach into.
    pub fn set_revealed(&mut self, is_revealed: bool) {
        let row = self.cursor.row;
        let listing = self.listing().filter(|_| is_revealed);
        self.revealed = listing.map(|listing| listing.masked_with(row));
    }

    /// True if masked text is shown.
    pub fn is_revealed(&self) -> bool {
        self.revealed.is_some()
    }
}

impl Popup for SourceView {
    fn obeys(&self, command: Command) -> bool {
        self.finding.is_none() || matches!(command, Command::Accept | Command::Cancel)
    }

    fn scopes(&self) -> &'static [Scope] {
        match (&self.finding, &self.files) {
            (Some(_), _) => &[Scope::Prompt],
            (None, Some(_)) => &[Scope::SourceFiles],
            (None, None) => &[Scope::Source],
        }
    }

    /// Takes a key press or a pasted text while a search text is typed. True if the text changed.
    fn input(&mut self, typing: Typing<'_>, stage: Stage) -> bool {
        let Some((prompt, _)) = &mut self.finding else {
            return false;
        };
        let has_changed = prompt.input(typing);
        if has_changed {
            self.find_typed(layout::source(stage.body));
        }
        has_changed
    }

    fn update(&mut self, command: Command, stage: Stage) -> Outcome {
        let body = self.area(stage);
        match command {
            Command::Cancel if self.leave(body) => {}
            Command::Cancel => return Outcome::Close,
            Command::Search(SearchCommand::NextHit) => return self.go_match(1, body),
            Command::Search(SearchCommand::PrevHit) => return self.go_match(-1, body),
            Command::InSource(SourceCommand::CopyPosition) => {
                return self
                    .place()
                    .map_or(Outcome::Nothing, |text| Outcome::CopyText {
                        what: "position",
                        text,
                    });
            }
            Command::Reveal => {
                return match self.masked_place() {
                    None => Outcome::Say("nothing on this line is masked".to_owned()),
                    Some((path, line)) => Outcome::AskToShow {
                        what: format!("the masked values at {}", shown(&format!("{path}:{line}"))),
                        secret: Secret::Source,
                    },
                };
            }
            Command::HideAll => return Outcome::Hide,
            command => return self.obey(command, body),
        }
        Outcome::Done
    }

    fn area(&self, stage: Stage) -> Rect {
        layout::source(stage.body)
    }

    fn view(&self, theme: &Theme, stage: Stage, buffer: &mut Buffer) {
        self.draw(theme, self.area(stage), buffer);
    }

    fn list(&self, stage: Stage) -> Option<(ListArea, Cursor)> {
        self.list_area(self.area(stage))
    }

    fn cursor(&mut self) -> Option<&mut Cursor> {
        Some(self.files.as_mut().unwrap_or(&mut self.cursor))
    }

    fn row_use(&self, _: usize) -> RowUse {
        match self.files {
            Some(_) => RowUse::Open(Command::Accept),
            None => RowUse::Look,
        }
    }

    fn moved(&mut self) -> Outcome {
        self.hide_unless_selected();
        Outcome::Done
    }
}

/// The byte range of `sought` in `text`. Case matters only if `sought` has an upper-case letter.
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
