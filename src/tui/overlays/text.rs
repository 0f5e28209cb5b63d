//! A long text over the screen: a string of many lines, or a list of lines that may lead somewhere.

mod plain;

use self::plain::PlainText;
use super::popup::Popup;
use super::{Outcome, boxed, framed, width_around};
use crate::stack::ResourceId;
use crate::tui::command::{Command, Pan};
use crate::tui::keymap::Scope;
use crate::tui::popup::{Stage, Wanted};
use crate::tui::rows::Span;
use crate::tui::theme::{Role, Theme};
use crate::tui::widgets::cursor::{Cursor, Page, Scroll, ShownRow, Step, step};
use crate::tui::widgets::frame::Labels;
use crate::tui::widgets::pen::{Pen, width_of, wrapped};
use crate::tui::widgets::scrollbar::{self, Bar};
use crate::tui::widgets::text::{cells, count, plural, width};
use std::borrow::Cow;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use zeroize::{Zeroize, Zeroizing};

/// Cells of a popup that its lines do not use: the frame, the cursor and a blank or the scrollbar.
const MARGINS: usize = 4;

/// Maximum number of screen lines of one line.
const MAX_LINES: usize = 1000;

/// Cells by which a text moves sideways at once.
pub(super) const PAN: usize = 8;

/// Width of an explanation that is still readable, in cells.
const MIN_NOTE: usize = 40;

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

/// The lines of a text.
#[derive(Clone, Debug)]
pub(super) enum Lines {
    Made(Vec<TextLine>),
    Plain(PlainText),
}

impl Lines {
    fn len(&self) -> usize {
        match self {
            Self::Made(lines) => lines.len(),
            Self::Plain(text) => text.len(),
        }
    }

    fn get(&self, row: usize) -> Cow<'_, TextLine> {
        match self {
            Self::Made(lines) => lines.get(row).map_or_else(Cow::default, Cow::Borrowed),
            Self::Plain(text) => Cow::Owned(text.row(row)),
        }
    }

    /// The lines that were made. Those of a plain text lead nowhere.
    pub(super) fn made(&self) -> &[TextLine] {
        match self {
            Self::Made(lines) => lines,
            Self::Plain(_) => &[],
        }
    }
}

/// A text with a cursor.
#[derive(Clone, Debug)]
pub struct TextView {
    /// The title of the text.
    pub title: String,
    pub(super) lines: Lines,
    /// The selected line.
    pub cursor: Cursor,
    /// Number of cells scrolled out at the left.
    pub left: usize,
    /// True if long lines wrap.
    pub wrap: bool,
    /// True if the text shows a secret. The view is closed when the secret is hidden again.
    pub secret: bool,
    about: About,
    /// Width of the widest line.
    widest: usize,
}

impl TextView {
    /// A view of plain text.
    pub fn plain(title: impl Into<String>, text: Zeroizing<String>, secret: bool) -> Self {
        let text = PlainText::new(text, secret);
        Self {
            widest: text.width(),
            lines: Lines::Plain(text),
            secret,
            ..Self::of_lines(title, Vec::new(), About::Value)
        }
    }

    /// A view of these lines. Explanations wrap, values do not.
    pub fn of_lines(title: impl Into<String>, lines: Vec<TextLine>, about: About) -> Self {
        let widths = lines.iter().map(|line| width_of(&line.spans));
        Self {
            widest: widths.max().unwrap_or(0),
            title: title.into(),
            lines: Lines::Made(lines),
            cursor: Cursor::default(),
            left: 0,
            wrap: about == About::Row,
            secret: false,
            about,
        }
    }

    /// Number of screen lines that a line takes in a popup of this width.
    fn n_lines(&self, row: usize, width: usize) -> usize {
        if !self.wrap {
            return 1;
        }
        let room = width.saturating_sub(MARGINS).max(1);
        self.with_line(row, |line| wrapped(&line.spans, room, MAX_LINES).len())
    }

    /// Does something with a line. Revealed text does not stay in memory.
    fn with_line<T>(&self, row: usize, act: impl FnOnce(&TextLine) -> T) -> T {
        let mut line = self.lines.get(row);
        let result = act(&line);
        if let (Cow::Owned(line), true) = (&mut line, self.secret) {
            line.spans.iter_mut().for_each(|span| span.text.zeroize());
        }
        result
    }

    /// Number of screen lines of the whole text in a popup of this width, counted no further than `limit`.
    fn height_at(&self, width: usize, limit: usize) -> usize {
        let mut used = 0;
        for row in 0..self.lines.len() {
            if used > limit {
                break;
            }
            used += self.n_lines(row, width);
        }
        used
    }

    /// The area of the lines, and the column of the scrollbar.
    fn inside(&self, stage: Stage) -> (Rect, Bar) {
        let inner = boxed(self.area(stage)).inner;
        let text = Rect {
            width: inner.width.saturating_sub(1),
            ..inner
        };
        let needed = self.height_at(usize::from(inner.width) + 2, usize::from(inner.height));
        let is_longer = needed > usize::from(inner.height);
        let area = Rect {
            x: text.right(),
            width: u16::from(is_longer).min(inner.width),
            ..inner
        };
        let bar = self.with_page(stage, |page| Bar::of(area, &self.cursor, page));
        (text, bar)
    }

    /// Does something with the lines as they stand on the screen.
    fn with_page<T>(&self, stage: Stage, act: impl FnOnce(Page<'_>) -> T) -> T {
        let inner = boxed(self.area(stage)).inner;
        let width = usize::from(inner.width) + 2;
        let (len, height) = (self.lines.len(), usize::from(inner.height));
        let n_lines = |row: usize| self.n_lines(row, width);
        act(if self.wrap {
            Page::of_lines(len, height, &n_lines)
        } else {
            Page::flat(len, height)
        })
    }

    /// Lets the cursor do something in the lines as they stand on the screen.
    fn with_cursor(&mut self, stage: Stage, act: impl FnOnce(&mut Cursor, Page<'_>)) {
        let mut cursor = self.cursor;
        self.with_page(stage, |page| act(&mut cursor, page));
        self.cursor = cursor;
    }

    /// The lines on the screen, each with its place.
    fn shown(&self, stage: Stage) -> Vec<(Rect, ShownRow)> {
        let (area, _) = self.inside(stage);
        let shown = self.with_page(stage, |page| self.cursor.shown(page));
        let place = |row: ShownRow| {
            let place = Rect {
                y: area.y + cells(row.lines.start),
                height: cells(row.lines.len()),
                ..area
            };
            (place, row)
        };
        shown.into_iter().map(place).collect()
    }

    /// The resource that Enter goes to from the selected line.
    pub fn target(&self) -> Option<ResourceId> {
        self.lines.made().get(self.cursor.row)?.target
    }

    /// Moves the text sideways, no further than to its last cells. Wrapped lines have nothing beside them.
    fn pan(&mut self, pan: Pan) -> Outcome {
        let left = match pan {
            Pan::Right => (self.left + PAN).min(self.widest.saturating_sub(1)),
            Pan::Left => self.left.saturating_sub(PAN),
        };
        if self.wrap || left == self.left {
            return Outcome::Nothing;
        }
        self.left = left;
        Outcome::Done
    }

    fn has_targets(&self) -> bool {
        self.lines.made().iter().any(|line| line.target.is_some())
    }

    /// `12–30 of 64 lines`; empty if all of them are on the screen.
    fn status(&self, rows: &[(Rect, ShownRow)]) -> String {
        match (rows.first(), rows.last()) {
            (Some((_, first)), Some((_, last))) if rows.len() < self.lines.len() => {
                let [first, last] = [first, last].map(|it| count(it.row as u64 + 1));
                format!("{first}–{last} of {}", plural(self.lines.len(), "line"))
            }
            _ => String::new(),
        }
    }
}

impl Popup for TextView {
    fn scopes(&self) -> &'static [Scope] {
        &[Scope::Text]
    }

    fn rows(&self, stage: Stage) -> Vec<(Rect, usize)> {
        let rows = self.shown(stage).into_iter();
        rows.map(|(area, shown)| (area, shown.row)).collect()
    }

    fn selected(&self, _: Stage) -> Option<usize> {
        Some(self.cursor.row)
    }

    fn point_at(&mut self, line: usize, stage: Stage) -> Outcome {
        self.with_cursor(stage, |cursor, page| cursor.point_at(line, page));
        Outcome::Done
    }

    fn scroll(&mut self, scroll: Scroll, stage: Stage) -> Outcome {
        self.with_cursor(stage, |cursor, page| cursor.scroll(scroll, page));
        Outcome::Done
    }

    fn area(&self, stage: Stage) -> Rect {
        // The number of lines is shown only if not all of them are on the screen.
        let labels = Labels {
            title: self.title.clone(),
            ..Labels::default()
        };
        let width = width_around(&labels, self.widest + 1);
        let limit = usize::from(stage.body.height);
        let height = |width: usize| self.height_at(width, limit).max(1) + 2;
        let min_width = if self.wrap { MIN_NOTE } else { width };
        let wanted = Wanted {
            width,
            min_width,
            height,
        };
        match self.about {
            About::Row => stage.beside(&wanted),
            About::Value => stage.beside_or_page(&wanted),
            About::Everything => {
                let width = width.min(usize::from(stage.body.width));
                stage.middle(width, height(width))
            }
        }
    }

    fn bar(&self, stage: Stage) -> Option<Bar> {
        Some(self.inside(stage).1)
    }

    fn update(&mut self, command: Command, stage: Stage) -> Outcome {
        let has_targets = self.has_targets();
        match command {
            Command::Move(motion) => self.with_cursor(stage, |cursor, page| {
                let step = step(motion, None, page);
                match step {
                    // Without a line to select, the text itself moves.
                    Step::By(lines) | Step::Lines(lines) if !has_targets => {
                        cursor.scroll(Scroll::By(lines), page);
                    }
                    Step::By(_)
                    | Step::Lines(_)
                    | Step::Row(_)
                    | Step::Siblings(_)
                    | Step::Around(_)
                    | Step::OtherPane(_) => cursor.take(step, page),
                }
            }),
            Command::Wrap => {
                self.wrap = !self.wrap;
                self.left = 0;
                self.with_cursor(stage, super::super::widgets::cursor::Cursor::fit);
                let says = if self.wrap {
                    "long lines wrap"
                } else {
                    "long lines are cut"
                };
                return Outcome::Say(says.to_owned());
            }
            Command::Pan(pan) => return self.pan(pan),
            Command::Accept => return self.target().map_or(Outcome::Nothing, Outcome::GoTo),
            Command::Cancel => return Outcome::Close,
            _ => return Outcome::Nothing,
        }
        Outcome::Done
    }

    fn view(&self, theme: &Theme, stage: Stage, buffer: &mut Buffer) {
        let rows = self.shown(stage);
        let labels = Labels {
            title: self.title.clone(),
            status: self.status(&rows),
            focused: true,
        };
        framed(self.area(stage), &labels, theme, buffer);
        let marks = self.has_targets();
        for (area, shown) in rows {
            let is_selected = shown.row == self.cursor.row && marks;
            let mark = if is_selected { "▶" } else { " " };
            self.with_line(shown.row, |text| {
                let mut pen = Pen::new(buffer, theme, area, 0);
                pen.put(mark, Role::Focus);
                if self.wrap {
                    draw_wrapped(text, &shown, area, theme, buffer);
                } else {
                    draw_from(&mut pen, &text.spans, self.left);
                }
            });
            if is_selected {
                theme.highlight(buffer, area, true);
            }
        }
        scrollbar::draw(buffer, theme, self.inside(stage).1);
    }
}

/// Draws the lines of a row that are on the screen, below its mark.
fn draw_wrapped(text: &TextLine, shown: &ShownRow, area: Rect, theme: &Theme, buffer: &mut Buffer) {
    let room = usize::from(area.width).saturating_sub(1);
    let pieces = wrapped(&text.spans, room, MAX_LINES);
    let pieces = pieces.iter().enumerate().skip(shown.n_hidden);
    for (line, (index, piece)) in (0..area.height).zip(pieces) {
        let mut pen = Pen::new(buffer, theme, area, line);
        if index > 0 {
            pen.put("↪", Role::Dim);
        } else {
            pen.skip(1);
        }
        pen.put_all(piece);
    }
}

/// Draws spans without their first `left` cells.
fn draw_from(pen: &mut Pen<'_>, spans: &[Span], mut left: usize) {
    for span in spans {
        let cells = width(&span.text);
        if left >= cells {
            left -= cells;
            continue;
        }
        let hidden = crate::tui::widgets::text::prefix(&span.text, left).len();
        pen.put(&span.text[hidden..], span.role);
        left = 0;
    }
}
