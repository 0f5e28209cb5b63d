//! A long text over the screen: a string of many lines, or a list of lines that may lead somewhere.

mod plain;

use self::plain::PlainText;
use super::popup::Popup;
use super::{Outcome, boxed, framed, width_around};
use crate::stack::ResourceId;
use crate::tui::command::{Command, Pan};
use crate::tui::jobs::{Cancel, Ticket};
use crate::tui::keymap::{self, Scope};
use crate::tui::layout;
use crate::tui::popup::{Stage, Wanted};
use crate::tui::rows::Span;
use crate::tui::theme::{Role, Theme};
use crate::tui::widgets::cursor::{Cursor, Page, Scroll, ShownRow, Step, step};
use crate::tui::widgets::frame::Labels;
use crate::tui::widgets::pen::{Pen, width_of, wrapped};
use crate::tui::widgets::scrollbar::{self, Bar};
use crate::tui::widgets::text::{cells, count, plural, width};
use std::borrow::Cow;
use std::fmt;
use std::rc::Rc;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use zeroize::{Zeroize, Zeroizing};

/// Cells of a popup that its lines do not use: the frame, the cursor and a blank or the scrollbar.
const MARGINS: usize = 4;

/// Maximum number of screen lines of one line.
const MAX_LINES: usize = 1000;

/// Cells by which a text moves sideways at once.
const PAN: usize = 8;

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
    /// It is the source of the selected item. It stands beside the panes of a wide screen and over those of a narrow one.
    Source,
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
#[derive(Clone, Debug)]
pub(super) enum Lines {
    Made(Vec<TextLine>),
    OnDemand(Rc<dyn Rows>),
}

/// A text of any size, of which a row is made when it is shown.
pub trait Rows: fmt::Debug {
    /// Number of rows.
    fn n_rows(&self) -> usize;

    /// Width of the widest row, or more.
    fn width(&self) -> usize;

    /// A row.
    fn row(&self, row: usize) -> TextLine;
}

impl Lines {
    fn len(&self) -> usize {
        match self {
            Self::Made(lines) => lines.len(),
            Self::OnDemand(text) => text.n_rows(),
        }
    }

    fn get(&self, row: usize) -> Cow<'_, TextLine> {
        match self {
            Self::Made(lines) => lines.get(row).map_or_else(Cow::default, Cow::Borrowed),
            Self::OnDemand(text) => Cow::Owned(text.row(row)),
        }
    }

    /// The lines that were made. Those made on demand lead nowhere.
    pub(super) fn made(&self) -> &[TextLine] {
        match self {
            Self::Made(lines) => lines,
            Self::OnDemand(_) => &[],
        }
    }
}

/// A text with a cursor.
#[derive(Debug)]
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
    /// The work whose progress the last lines say, and the number of lines above these. It ends with the popup.
    work: Option<(Ticket, usize)>,
}

impl TextView {
    /// A view of plain text.
    pub fn plain(title: impl Into<String>, text: Zeroizing<String>, secret: bool) -> Self {
        let mut view = Self::of_lines(title, Vec::new(), About::Value);
        view.show(PlainText::new(text, secret), secret);
        view
    }

    /// Shows these rows in place of the others.
    pub fn show(&mut self, rows: impl Rows + 'static, secret: bool) {
        self.widest = rows.width();
        self.lines = Lines::OnDemand(Rc::new(rows));
        self.secret = secret;
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
            work: None,
        }
    }

    /// Begins work whose progress the last lines say. Returns the flag of the work.
    pub fn begin(&mut self) -> Cancel {
        let ticket = Ticket::default();
        let flag = ticket.flag();
        self.work = Some((ticket, self.lines.len()));
        flag
    }

    /// True while the work goes on.
    pub fn is_working(&self) -> bool {
        self.work.is_some()
    }

    /// Shows these lines as the progress of the work, or as its result.
    pub fn progress(&mut self, last: Vec<TextLine>, is_done: bool) {
        if let (Lines::Made(lines), Some((_, n_above))) = (&mut self.lines, &self.work) {
            lines.truncate(*n_above);
            lines.extend(last);
            let widths = lines.iter().map(|line| width_of(&line.spans));
            self.widest = widths.max().unwrap_or(0);
        }
        self.work.take_if(|_| is_done);
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

    /// Brings the selected line onto the screen.
    pub fn fit(&mut self, stage: Stage) {
        self.with_cursor(stage, Cursor::fit);
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

    /// True if the person selects a line, for something to do there.
    fn selects(&self) -> bool {
        self.about == About::Source || self.lines.made().iter().any(|line| line.target.is_some())
    }

    /// `12–30 of 64 lines`; empty if all of them are on the screen.
    fn status(&self, rows: &[(Rect, ShownRow)]) -> String {
        if self.is_working() {
            return keymap::hints(Scope::Text, &[(Command::Cancel, "stop")]);
        }
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
        &[Scope::Text, Scope::List]
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
            About::Source => layout::source(stage.body),
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
        let selects = self.selects();
        match command {
            Command::Move(motion) => self.with_cursor(stage, |cursor, page| {
                let step = step(motion, None, page);
                match step {
                    // Without a line to select, the text itself moves.
                    Step::By(lines) | Step::Lines(lines) if !selects => {
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
                self.fit(stage);
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
        let labels = Labels::of(self.title.clone(), self.status(&self.shown(stage)));
        self.draw(&labels, theme, stage, buffer);
    }
}

impl TextView {
    /// Draws the lines, with these texts in the frame.
    pub fn draw(&self, labels: &Labels, theme: &Theme, stage: Stage, buffer: &mut Buffer) {
        let rows = self.shown(stage);
        framed(self.area(stage), labels, theme, buffer);
        let selects = self.selects();
        for (area, shown) in rows {
            let is_selected = selects && shown.row == self.cursor.row;
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
