//! The source of a configuration, beside the panes of a wide screen and over those of a narrow one: the lines of a file with the block
//! of the selected resource, and a menu of all files.
//!
//! Secrets in the source are masked ([`crate::change::configuration`]). A revealed secret is hidden again when the cursor leaves
//! the line.

mod files;

use std::ops::Range;
use std::sync::Arc;

use ratatui::layout::Rect;
use zeroize::{Zeroize as _, Zeroizing};

use self::files::SourceFiles;
use super::Outcome;
use super::ask::Ask;
use super::menu::{Menu, MenuPopup};
use super::popup::RowUse;
use crate::change::configuration::{Configuration, Declaration, Listing, Masking, Paint};
use crate::path::{Path, Segment};
use crate::stack::{GroupId, Kind, Position, ResourceId, Stack};
use crate::terraform::address::{ObjectName, config_address};
use crate::tui::command::{Command, SourceCommand};
use crate::tui::keymap::{self, Scope};
use crate::tui::layout;
use crate::tui::outline::Strip;
use crate::tui::popup::{Stage, Wanted};
use crate::tui::rows::{Span, shown};
use crate::tui::session::Secret;
use crate::tui::theme::Role;
use crate::tui::widgets::cursor::Cursor;
use crate::tui::widgets::frame::Labels;
use crate::tui::widgets::text::{fit_end, n_of};

/// The blanks of a tab.
const TAB: &str = "    ";

/// Cells of the frame that the title leaves to the number of the line.
const STATUS: usize = 24;

/// The part of a configuration to show.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct SourcePart {
    /// Address in the configuration. Empty for the configuration as a whole.
    pub address: String,
    /// The property whose argument to select.
    pub path: Path,
}

impl SourcePart {
    /// An output of the configuration, or a value in it.
    pub fn of_output(path: &Path) -> Self {
        let Some((Segment::Key(name), rest)) = path.0.split_first() else {
            return Self::default();
        };
        Self {
            address: format!("output.{name}"),
            path: Path(rest.to_vec()),
        }
    }

    /// A resource, or a value of it.
    pub fn of_resource(stack: &Stack, id: ResourceId, path: Path) -> Self {
        let address = if stack.header.kind.is_pulumi() {
            stack.identity(id)
        } else {
            let name = ObjectName::parse(stack.name(id));
            name.config_address().into_owned()
        };
        Self { address, path }
    }

    /// A module.
    pub fn of_module(stack: &Stack, group: GroupId) -> Self {
        Self {
            address: config_address(&stack.tables.group(group).path).into_owned(),
            path: Path::root(),
        }
    }
}

/// The reason that there is no source of an item to show. `position` is the line that declares it.
pub fn why_none(kind: Kind, position: Option<&Position>) -> String {
    match (kind, position) {
        (Kind::TerraformPlan, _) => {
            "no configuration in this plan or next to it; open the plan file that it was printed from"
                .to_owned()
        }
        (Kind::TerraformPlanBinary, _) => "this plan file carries no configuration".to_owned(),
        (kind, Some(position)) if kind.is_pulumi() => {
            format!("{} is not next to this file", shown(&position.file))
        }
        (kind, None) if kind.is_pulumi() => {
            "this file names no line of the program for it".to_owned()
        }
        (_, Some(_) | None) => "no configuration next to this file".to_owned(),
    }
}

/// The source of a configuration.
#[derive(Debug)]
pub struct Source {
    wanted: SourcePart,
    /// `None` until the configuration is read.
    configuration: Option<Arc<Configuration>>,
    /// The place of the wanted block.
    place: Option<Declaration>,
    /// Index of the file that is shown.
    file: Option<usize>,
    /// The lines whose masked text is shown.
    revealed: Range<usize>,
}

/// A source on the screen.
pub type SourceView = MenuPopup<Source>;

impl SourceView {
    /// A view of `wanted`, before the configuration is read.
    pub fn of(wanted: SourcePart) -> Self {
        Self::new(Source {
            wanted,
            configuration: None,
            place: None,
            file: None,
            revealed: 0..0,
        })
    }

    /// Takes the configuration and goes to the wanted block. Returns the menu of files if there is no such block.
    pub fn take(&mut self, configuration: Arc<Configuration>) -> Option<MenuPopup<SourceFiles>> {
        let source = &mut self.menu;
        source.place = configuration.find(&source.wanted.address).cloned();
        source.configuration = Some(configuration);
        source.go_to_block(&mut self.cursor);
        source.files().filter(|_| self.menu.place.is_none())
    }

    /// Shows a file from its first line on.
    pub fn open(&mut self, file: usize) {
        if self.menu.file != Some(file) {
            self.menu.file = Some(file);
            self.menu.revealed = 0..0;
            self.cursor = Cursor::default();
        }
    }

    /// Shows the masked text on the selected line, with the other lines that its masks reach into.
    pub fn reveal(&mut self) {
        let lines = self
            .menu
            .listing()
            .map(|it| it.masked_with(self.cursor.row));
        self.menu.revealed = lines.unwrap_or(0..0);
    }

    /// Masks it again.
    pub fn hide(&mut self) {
        self.menu.revealed = 0..0;
    }

    /// True if masked text is shown.
    pub fn is_revealed(&self) -> bool {
        self.menu.is_secret()
    }
}

impl Source {
    fn files(&self) -> Option<MenuPopup<SourceFiles>> {
        Some(SourceFiles::popup(self.configuration.clone()?, self.file))
    }

    fn listing(&self) -> Option<&Listing> {
        self.configuration.as_ref()?.files.get(self.file?)
    }

    /// Selects the wanted line, and shows its block from its first line on.
    fn go_to_block(&mut self, cursor: &mut Cursor) {
        let Some(place) = &self.place else { return };
        *cursor = Cursor::at(place.line_of(&self.wanted.path), place.lines.start);
        self.file = Some(place.file);
        self.revealed = 0..0;
    }

    /// The place of a line: `FILE:LINE`, counted from 1.
    fn position(&self, row: usize) -> Option<String> {
        let path = &self.listing()?.path;
        Some(format!("{path}:{}", row + 1))
    }

    /// True if something on a line is masked.
    fn is_masked(&self, row: usize) -> bool {
        self.listing().is_some_and(|listing| listing.is_masked(row))
    }

    /// The words in place of a file.
    fn why_no_file(&self) -> Span {
        let (text, role) = match (&self.configuration, &*self.wanted.address) {
            (None, _) => ("reading the configuration…".to_owned(), Role::Dim),
            (Some(_), "") => (String::new(), Role::Dim),
            (Some(_), address) => {
                let text = format!("no block of the configuration declares {}", shown(address));
                (text, Role::Badge)
            }
        };
        Span::new(text, role)
    }
}

impl Menu for Source {
    const SCOPES: &'static [Scope] = &[Scope::Source, Scope::Text, Scope::List];

    fn labels(&self) -> Labels {
        Labels::of("configuration", "")
    }

    fn frame(&self, row: usize, _shown: Range<usize>, room: usize) -> Labels {
        let Some(listing) = self.listing() else {
            return self.labels();
        };
        let module = match &*listing.module {
            "" => String::new(),
            module => format!(" · {}", shown(module)),
        };
        let title = format!("{}{module}", shown(&listing.path));
        let cut = if listing.is_cut { " · cut" } else { "" };
        let hint = |command, word| keymap::hints(Scope::Source, &[(command, word)]);
        let masked = match (self.is_secret(), self.is_masked(row)) {
            (true, _) => format!(" · revealed · {}", hint(Command::HideAll, "hide")),
            (false, true) => format!(" · {}", hint(Command::Reveal, "reveal")),
            (false, false) => String::new(),
        };
        let line = n_of(row + 1, listing.n_lines());
        let title = fit_end(&title, room.saturating_sub(STATUS));
        Labels::of(title, format!("line {line}{cut}{masked}"))
    }

    fn n_rows(&self) -> usize {
        self.listing().map_or(1, Listing::n_lines)
    }

    fn line(&self, row: usize, _room: usize) -> Strip {
        let Some(listing) = self.listing() else {
            return vec![self.why_no_file()].into();
        };
        let digits = listing.n_lines().to_string().len();
        let block = self.place.as_ref();
        let block = block.filter(|block| Some(block.file) == self.file);
        let (mark, role) = if block.is_some_and(|block| block.lines.contains(&row)) {
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
        for mut part in listing.line(row, masking) {
            let text = Zeroizing::new(part.text.replace('\t', TAB));
            spans.push(Span::new(shown(&text), role_of(part.paint)));
            part.text.zeroize();
        }
        spans.into()
    }

    /// Its place has a width.
    fn width(&self) -> usize {
        0
    }

    fn row_use(&self) -> RowUse {
        RowUse::Look
    }

    fn is_secret(&self) -> bool {
        !self.revealed.is_empty()
    }

    /// No line leads anywhere.
    fn choose(&mut self, _row: usize) -> Outcome {
        Outcome::Nothing
    }

    /// Hides the revealed lines if the cursor left them.
    fn moved(&mut self, row: usize) -> Outcome {
        if !self.revealed.contains(&row) {
            self.revealed = 0..0;
        }
        Outcome::Done
    }

    fn obey(&mut self, command: Command, cursor: &mut Cursor) -> Outcome {
        let position = self.position(cursor.row);
        match command {
            Command::InSource(SourceCommand::Block) => {
                self.go_to_block(cursor);
                Outcome::Done
            }
            Command::InSource(SourceCommand::Files) => {
                let files = self.files();
                files.map_or(Outcome::Nothing, |files| Outcome::Open(Box::new(files)))
            }
            Command::InSource(SourceCommand::CopyPosition) => {
                position.map_or(Outcome::Nothing, |text| Outcome::CopyText {
                    what: "position",
                    text,
                })
            }
            Command::Reveal if !self.is_masked(cursor.row) => {
                Outcome::Say("nothing on this line is masked".to_owned())
            }
            Command::Reveal => {
                let at = shown(&position.unwrap_or_default());
                let what = format!("the masked values at {at}");
                Outcome::Open(Box::new(Ask::reveal(&what, Secret::Source)))
            }
            Command::HideAll => Outcome::Hide,
            _ => Outcome::Nothing,
        }
    }

    fn has(&self, command: Command, row: usize) -> bool {
        command != Command::Accept && (command != Command::Reveal || self.is_masked(row))
    }

    fn stays(&self) -> bool {
        false
    }

    fn place(&self, _: &Wanted<&dyn Fn(usize) -> usize>, stage: Stage) -> Rect {
        layout::source(stage.body)
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
