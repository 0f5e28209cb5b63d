//! A text over the screen: a string of many lines, or a list of lines that may lead somewhere. It is a [`Menu`] of its lines.

mod plain;

use std::ops::Range;

use ratatui::layout::Rect;
use zeroize::Zeroizing;

use self::plain::PlainText;
use super::Outcome;
use super::menu::{Menu, MenuPopup};
use crate::stack::ResourceId;
use crate::tui::command::Command;
use crate::tui::jobs::{Cancel, Ticket};
use crate::tui::keymap::{self, Scope};
use crate::tui::outline::Strip;
use crate::tui::popup::{Stage, Wanted};
use crate::tui::rows::Span;
use crate::tui::theme::Role;
use crate::tui::widgets::frame::Labels;
use crate::tui::widgets::pen::width_of;
use crate::tui::widgets::text::{count, plural};

/// The subject of a text, which decides its place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum About {
    /// It explains the selected row, and stands beside it.
    Row,
    /// It is the selected value. It stands beside its row if all of it has room there, and is a page otherwise.
    Value,
    /// It is about more than one row, and stands in the middle.
    Everything,
}

/// One line of a text.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct TextLine {
    /// The spans, escaped.
    pub spans: Vec<Span>,
    /// The resource that Enter goes to.
    pub target: Option<ResourceId>,
}

impl From<Vec<Span>> for TextLine {
    fn from(spans: Vec<Span>) -> Self {
        Self {
            spans,
            target: None,
        }
    }
}

impl TextLine {
    /// A line of one text.
    pub fn of(text: impl Into<String>, role: Role) -> Self {
        vec![Span::new(text, role)].into()
    }
}

/// The lines of a text.
#[derive(Debug)]
enum Lines {
    Made(Vec<TextLine>),
    /// Those of a string, of which a line is made when it is shown.
    Plain(PlainText),
}

/// A text.
#[derive(Debug)]
pub struct Text {
    title: String,
    lines: Lines,
    /// True if the text shows a secret. The popup is closed when the secret is hidden again.
    pub secret: bool,
    about: About,
    /// Width of the widest line.
    widest: usize,
    /// The work whose progress the last lines say, and the number of lines above these. It ends with the popup.
    work: Option<(Ticket, usize)>,
}

/// A text on the screen.
pub type TextView = MenuPopup<Text>;

impl TextView {
    /// A string.
    pub fn plain(title: impl Into<String>, text: Zeroizing<String>, secret: bool) -> Self {
        let text = PlainText::new(text, secret);
        Self::new(Text {
            title: title.into(),
            widest: text.width(),
            lines: Lines::Plain(text),
            secret,
            about: About::Value,
            work: None,
        })
    }

    /// A view of these lines. Explanations wrap, values do not.
    pub fn of_lines(title: impl Into<String>, lines: Vec<TextLine>, about: About) -> Self {
        let text = Text {
            title: title.into(),
            widest: widest(&lines),
            lines: Lines::Made(lines),
            secret: false,
            about,
            work: None,
        };
        Self {
            wrap: about == About::Row,
            ..Self::new(text)
        }
    }

    /// Begins work whose progress the last lines say. Returns the flag of the work.
    pub fn begin(&mut self) -> Cancel {
        let ticket = Ticket::default();
        let flag = ticket.flag();
        self.menu.work = Some((ticket, self.menu.n_rows()));
        flag
    }

    /// Shows these lines as the progress of the work, or as its result.
    pub fn progress(&mut self, last: Vec<TextLine>, is_done: bool) {
        let text = &mut self.menu;
        if let (Lines::Made(lines), Some((_, n_above))) = (&mut text.lines, &text.work) {
            lines.truncate(*n_above);
            lines.extend(last);
            text.widest = widest(lines);
        }
        text.work.take_if(|_| is_done);
    }
}

impl Text {
    /// The lines that were made. Those of a string lead nowhere.
    pub(super) fn made(&self) -> &[TextLine] {
        match &self.lines {
            Lines::Made(lines) => lines,
            Lines::Plain(_) => &[],
        }
    }

    fn target(&self, row: usize) -> Option<ResourceId> {
        self.made().get(row)?.target
    }
}

impl Menu for Text {
    const SCOPES: &'static [Scope] = &[Scope::Text, Scope::List];
    const MAX_WIDTH: usize = usize::MAX;

    /// The number of lines is shown only if not all of them are on the screen.
    fn labels(&self) -> Labels {
        Labels::of(self.title.clone(), "")
    }

    /// `12–30 of 64 lines`, unless all of them are on the screen.
    fn frame(&self, _row: usize, shown: Range<usize>, _room: usize) -> Labels {
        let status = if self.work.is_some() {
            keymap::hints(Scope::Text, &[(Command::Cancel, "stop")])
        } else if !shown.is_empty() && shown.len() < self.n_rows() {
            let [first, last] = [shown.start + 1, shown.end].map(|it| count(it as u64));
            format!("{first}–{last} of {}", plural(self.n_rows(), "line"))
        } else {
            String::new()
        };
        Labels::of(self.title.clone(), status)
    }

    fn n_rows(&self) -> usize {
        match &self.lines {
            Lines::Made(lines) => lines.len(),
            Lines::Plain(text) => text.n_rows(),
        }
    }

    fn line(&self, row: usize, _room: usize) -> Strip {
        match &self.lines {
            Lines::Made(lines) => lines[row].spans.clone().into(),
            Lines::Plain(text) => text.row(row).into(),
        }
    }

    fn width(&self) -> usize {
        self.widest + 1
    }

    fn selects(&self) -> bool {
        self.made().iter().any(|line| line.target.is_some())
    }

    fn is_secret(&self) -> bool {
        self.secret
    }

    fn choose(&mut self, row: usize) -> Outcome {
        self.target(row).map_or(Outcome::Nothing, Outcome::GoTo)
    }

    fn has(&self, command: Command, row: usize) -> bool {
        command != Command::Accept || self.target(row).is_some()
    }

    fn stays(&self) -> bool {
        false
    }

    fn place(&self, wanted: &Wanted<&dyn Fn(usize) -> usize>, stage: Stage) -> Rect {
        match self.about {
            About::Row => stage.beside(wanted),
            About::Value => stage.beside_or_page(wanted),
            About::Everything => Stage::new(stage.body).beside(wanted),
        }
    }
}

/// Width of the widest line, in cells.
fn widest(lines: &[TextLine]) -> usize {
    let widths = lines.iter().map(|line| width_of(&line.spans));
    widths.max().unwrap_or(0)
}
