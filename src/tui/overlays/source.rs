//! The source of a configuration, beside the panes of a wide screen and over those of a narrow one: the page of a file with the block of
//! the selected resource, and a menu of all files.
//!
//! Secrets in the source are masked ([`crate::change::configuration`]). A revealed secret is hidden again when the cursor leaves
//! the line.

mod files;

use std::ops::Range;
use std::sync::Arc;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use zeroize::{Zeroize as _, Zeroizing};

use self::files::SourceFiles;
use super::menu::MenuPopup;
use super::popup::{Popup, RowUse};
use super::text::{About, Rows, TextLine, TextView};
use super::{Outcome, boxed};
use crate::change::configuration::{Configuration, Declaration, Listing, Masking, Paint};
use crate::path::Path;
use crate::tui::command::{Command, SourceCommand};
use crate::tui::keymap::{self, Scope};
use crate::tui::popup::Stage;
use crate::tui::rows::{Span, shown};
use crate::tui::session::Secret;
use crate::tui::theme::{Role, Theme};
use crate::tui::widgets::cursor::{Cursor, Scroll};
use crate::tui::widgets::frame::Labels;
use crate::tui::widgets::scrollbar::Bar;
use crate::tui::widgets::text::{fit_end, n_of};
use crate::value::SECRET;

/// The blanks of a tab.
const TAB: &str = "    ";

/// The part of a configuration to show.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Wanted {
    /// Address in the configuration. Empty for the configuration as a whole.
    pub address: String,
    /// The property whose argument to select.
    pub path: Path,
}

/// A view of the source of a configuration.
#[derive(Debug)]
pub struct SourceView {
    wanted: Wanted,
    /// `None` until the configuration is read.
    configuration: Option<Arc<Configuration>>,
    /// The place of the wanted block.
    place: Option<Declaration>,
    /// Index of the file that is shown.
    file: Option<usize>,
    page: TextView,
    /// The lines whose masked text is shown.
    revealed: Range<usize>,
}

/// The lines of a file.
#[derive(Debug)]
struct SourceLines {
    configuration: Arc<Configuration>,
    file: usize,
    /// The lines of the wanted block.
    block: Range<usize>,
    revealed: Range<usize>,
}

impl SourceView {
    /// A view of `wanted`, before the configuration is read.
    pub fn new(wanted: Wanted) -> Self {
        Self {
            wanted,
            configuration: None,
            place: None,
            file: None,
            page: remark("reading the configuration…", Role::Dim),
            revealed: 0..0,
        }
    }

    /// Takes the configuration and goes to the wanted block. Returns the menu of files if there is no such block.
    pub fn take(
        &mut self,
        configuration: Arc<Configuration>,
        stage: Stage,
    ) -> Option<MenuPopup<SourceFiles>> {
        self.place = configuration.find(&self.wanted.address).cloned();
        self.configuration = Some(configuration);
        if self.place.is_some() {
            self.go_to_block(stage);
            return None;
        }
        let text = match &*self.wanted.address {
            "" => String::new(),
            address => format!("no block of the configuration declares {}", shown(address)),
        };
        self.page = remark(&text, Role::Badge);
        self.files()
    }

    fn files(&self) -> Option<MenuPopup<SourceFiles>> {
        Some(SourceFiles::popup(self.configuration.clone()?, self.file))
    }

    fn listing(&self) -> Option<&Listing> {
        self.configuration.as_ref()?.files.get(self.file?)
    }

    /// Opens a file at its first line.
    fn open(&mut self, file: usize) {
        self.file = Some(file);
        self.page = remark("", Role::Text);
        self.reveal(0..0);
    }

    /// Shows the file with the masked text of these lines.
    fn reveal(&mut self, lines: Range<usize>) {
        let Some((configuration, file)) = self.configuration.clone().zip(self.file) else {
            return;
        };
        let block = self.place.as_ref().filter(|place| place.file == file);
        self.revealed = lines.clone();
        let is_revealed = self.is_revealed();
        let lines = SourceLines {
            configuration,
            file,
            block: block.map_or(0..0, |place| place.lines.clone()),
            revealed: lines,
        };
        self.page.show(lines, is_revealed);
    }

    /// Selects the wanted line and shows its whole block if there is room.
    fn go_to_block(&mut self, stage: Stage) {
        let Some(place) = &self.place else { return };
        let (line, lines) = (place.line_of(&self.wanted.path), place.lines.clone());
        self.open(place.file);
        let height = usize::from(boxed(self.area(stage)).inner.height);
        let needed = (line + 1 - lines.start.min(line)).max(lines.len().min(height));
        let top = if needed <= height {
            lines
                .start
                .saturating_sub(height.saturating_sub(needed).min(3))
        } else {
            line.saturating_sub(height / 3)
        };
        self.page.cursor = Cursor::at(line, top);
        self.page.fit(stage);
    }

    /// Hides the revealed lines if the cursor left them.
    fn hide_unless_selected(&mut self) {
        if self.is_revealed() && !self.revealed.contains(&self.page.cursor.row) {
            self.reveal(0..0);
        }
    }

    /// The place of the selected line: `FILE:LINE`, counted from 1.
    fn position(&self) -> Option<String> {
        let path = &self.listing()?.path;
        Some(format!("{path}:{}", self.page.cursor.row + 1))
    }

    /// True if something on the selected line is masked.
    fn is_masked(&self) -> bool {
        let row = self.page.cursor.row;
        self.listing().is_some_and(|listing| listing.is_masked(row))
    }

    /// Shows or hides the masked text on the selected line, with the other lines that its masks reach into.
    pub fn set_revealed(&mut self, is_revealed: bool) {
        let row = self.page.cursor.row;
        let listing = self.listing().filter(|_| is_revealed);
        self.reveal(listing.map_or(0..0, |listing| listing.masked_with(row)));
    }

    /// True if masked text is shown.
    pub fn is_revealed(&self) -> bool {
        !self.revealed.is_empty()
    }

    fn labels(&self, room: usize) -> Labels {
        let Some(listing) = self.listing() else {
            return Labels::of("configuration", "");
        };
        let module = match &*listing.module {
            "" => String::new(),
            module => format!(" · {}", shown(module)),
        };
        let title = format!("{}{module}", shown(&listing.path));
        let cut = if listing.is_cut { " · cut" } else { "" };
        let hint = |command, word| keymap::hints(Scope::Source, &[(command, word)]);
        let masked = match (self.is_revealed(), self.is_masked()) {
            (true, _) => format!(" · revealed · {}", hint(Command::HideAll, "hide")),
            (false, true) => format!(" · {}", hint(Command::Reveal, "reveal")),
            (false, false) => String::new(),
        };
        let line = n_of(self.page.cursor.row + 1, listing.n_lines());
        let status = format!("line {line}{cut}{masked}");
        Labels::of(fit_end(&title, room), status)
    }
}

/// A page with a remark in place of a file.
fn remark(text: &str, role: Role) -> TextView {
    TextView::of_lines("", vec![TextLine::of(text, role)], About::Source)
}

impl Popup for SourceView {
    fn scopes(&self) -> &'static [Scope] {
        &[Scope::Source, Scope::Text, Scope::List]
    }

    fn obeys(&self, command: Command) -> bool {
        (command != Command::Reveal || self.is_masked()) && self.page.obeys(command)
    }

    fn update(&mut self, command: Command, stage: Stage) -> Outcome {
        let copied = |text| Outcome::CopyText {
            what: "position",
            text,
        };
        match command {
            Command::InSource(SourceCommand::Block) => self.go_to_block(stage),
            Command::InSource(SourceCommand::Files) => {
                let files = self.files();
                return files.map_or(Outcome::Nothing, |files| Outcome::Open(Box::new(files)));
            }
            Command::InSource(SourceCommand::CopyPosition) => {
                return self.position().map_or(Outcome::Nothing, copied);
            }
            Command::Reveal if !self.is_masked() => {
                return Outcome::Say("nothing on this line is masked".to_owned());
            }
            Command::Reveal => {
                let place = self.position().unwrap_or_default();
                return Outcome::AskToShow {
                    what: format!("the masked values at {}", shown(&place)),
                    secret: Secret::Source,
                };
            }
            Command::HideAll => return Outcome::Hide,
            command => {
                let outcome = self.page.update(command, stage);
                self.hide_unless_selected();
                return outcome;
            }
        }
        Outcome::Done
    }

    fn take_chosen(&mut self, row: usize) -> Outcome {
        if self.file != Some(row) {
            self.open(row);
        }
        Outcome::Done
    }

    fn area(&self, stage: Stage) -> Rect {
        self.page.area(stage)
    }

    fn view(&self, theme: &Theme, stage: Stage, buffer: &mut Buffer) {
        let room = usize::from(self.area(stage).width).saturating_sub(24);
        self.page.draw(&self.labels(room), theme, stage, buffer);
    }

    fn rows(&self, stage: Stage) -> Vec<(Rect, usize)> {
        self.page.rows(stage)
    }

    fn row_use(&self, _: usize) -> RowUse {
        RowUse::Look
    }

    fn selected(&self, stage: Stage) -> Option<usize> {
        self.page.selected(stage)
    }

    fn bar(&self, stage: Stage) -> Option<Bar> {
        self.page.bar(stage)
    }

    fn point_at(&mut self, row: usize, stage: Stage) -> Outcome {
        let outcome = self.page.point_at(row, stage);
        self.hide_unless_selected();
        outcome
    }

    fn scroll(&mut self, scroll: Scroll, stage: Stage) -> Outcome {
        let outcome = self.page.scroll(scroll, stage);
        self.hide_unless_selected();
        outcome
    }
}

impl SourceLines {
    fn listing(&self) -> &Listing {
        &self.configuration.files[self.file]
    }

    /// Number of digits of the numbers of lines.
    fn n_digits(&self) -> usize {
        self.n_rows().to_string().len()
    }
}

impl Rows for SourceLines {
    fn n_rows(&self) -> usize {
        self.listing().n_lines()
    }

    fn width(&self) -> usize {
        let before = self.n_digits() + " ▌ ".chars().count();
        // A mask may be longer than the text under it.
        before + self.listing().longest(TAB.len()) + SECRET.len()
    }

    fn row(&self, row: usize) -> TextLine {
        let digits = self.n_digits();
        let (mark, role) = if self.block.contains(&row) {
            ("▌ ", Role::Focus)
        } else {
            ("  ", Role::Dim)
        };
        let mut spans = vec![
            Span::new(format!("{:>digits$} ", row + 1), role),
            Span::new(mark, role),
        ];
        let masking = if self.revealed.contains(&row) {
            Masking::Revealed
        } else {
            Masking::Masked
        };
        for mut part in self.listing().line(row, masking) {
            let text = Zeroizing::new(part.text.replace('\t', TAB));
            spans.push(Span::new(shown(&text), role_of(part.paint)));
            part.text.zeroize();
        }
        spans.into()
    }
}

fn role_of(paint: Paint) -> Role {
    match paint {
        Paint::Plain => Role::Text,
        Paint::Comment => Role::Dim,
        Paint::Keyword | Paint::BlockType => Role::Keyword,
        Paint::Label | Paint::Function => Role::Title,
        Paint::Attribute => Role::Key,
        Paint::String => Role::String,
        Paint::Escape | Paint::Template => Role::Badge,
        Paint::Number => Role::Number,
        Paint::Bool => Role::Bool,
        Paint::Null => Role::Null,
        Paint::Reference => Role::Name,
        Paint::Secret => Role::Secret,
    }
}
