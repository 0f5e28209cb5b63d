//! A long text over the screen: a string of many lines, or a list of lines that may lead somewhere.

use super::Outcome;
use crate::tui::command::{Command, FoldCommand, Motion};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use zeroize::{Zeroize, Zeroizing};

use super::{boxed, clear};
use crate::stack::ResourceId;
use crate::tui::rows::{Span, shown};
use crate::tui::theme::{Role, Theme};
use crate::tui::widgets::cursor::Cursor;
use crate::tui::widgets::frame::{self, Labels};
use crate::tui::widgets::pen::{Pen, width_of, wrapped};
use crate::tui::widgets::text::{cells, width, wrap};

/// Maximum width of a line, in cells. Longer lines are split.
const MAX_WIDTH: usize = 200;

/// One line of a text.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct TextLine {
    /// The spans, escaped.
    pub spans: Vec<Span>,
    /// The resource that Enter goes to.
    pub target: Option<ResourceId>,
}

/// A text with a cursor.
#[derive(Clone, Debug)]
pub struct TextView {
    /// The title of the text.
    pub title: String,
    /// The lines.
    pub lines: Vec<TextLine>,
    /// The selected line.
    pub cursor: Cursor,
    /// Number of cells scrolled out at the left.
    pub left: usize,
    /// True if long lines wrap.
    pub wrap: bool,
    /// True if the text shows a secret. The view is closed when the secret is hidden again.
    pub secret: bool,
    /// True for a popup that is as large as its text, at the right or the bottom of the screen.
    is_popup: bool,
}

/// Revealed text does not stay in memory.
impl Drop for TextView {
    fn drop(&mut self) {
        if self.secret {
            let spans = self.lines.iter_mut().flat_map(|line| &mut line.spans);
            spans.for_each(|span| span.text.zeroize());
        }
    }
}

impl TextView {
    /// A view of plain text. Tabs become four blanks. Characters that are unsafe to show are made visible.
    pub fn plain(title: impl Into<String>, text: &str, secret: bool) -> Self {
        let lines = text.split('\n').flat_map(|line| {
            let line = line
                .strip_suffix('\r')
                .unwrap_or(line)
                .replace('\t', "    ");
            let line = Zeroizing::new(shown(&line));
            // A very long line is split into several, so that all of it can be reached by scrolling.
            let pieces = wrap(&line, MAX_WIDTH).into_iter().enumerate();
            let lines = pieces.map(|(index, piece)| {
                let text = Span::new(piece, Role::Text);
                TextLine {
                    spans: match index {
                        0 => vec![text],
                        _ => vec![Span::new("↪", Role::Dim), text],
                    },
                    target: None,
                }
            });
            lines.collect::<Vec<_>>()
        });
        Self::of_lines(title, lines.collect(), secret)
    }

    /// A view of these lines.
    pub fn of_lines(title: impl Into<String>, lines: Vec<TextLine>, secret: bool) -> Self {
        Self {
            title: title.into(),
            lines,
            cursor: Cursor::default(),
            left: 0,
            wrap: false,
            secret,
            is_popup: false,
        }
    }

    /// The same text in a popup that leaves the list at the left visible.
    #[must_use]
    pub fn in_popup(mut self) -> Self {
        self.is_popup = true;
        self
    }

    /// The area of the overlay.
    fn area(&self, body: Rect) -> Rect {
        if !self.is_popup {
            return body;
        }
        let widest = self.lines.iter().map(|line| width_of(&line.spans)).max();
        let title = width(&self.title) + 4;
        let wanted = cells(widest.unwrap_or(0).max(title) + 4);
        let width = wanted.min(body.width);
        let height = cells(self.lines.len() + 2).max(3).min(body.height);
        Rect {
            x: body.x + body.width - width,
            y: body.y + body.height - height,
            width,
            height,
        }
    }

    /// The resource that Enter goes to from the selected line.
    pub fn target(&self) -> Option<ResourceId> {
        self.lines.get(self.cursor.row)?.target
    }

    fn has_targets(&self) -> bool {
        self.lines.iter().any(|line| line.target.is_some())
    }

    /// Number of lines that a screen with this body shows at once.
    pub fn height(&self, body: Rect) -> usize {
        usize::from(boxed(self.area(body)).inner.height)
    }

    /// Number of lines shown at once, from the first one on the screen on. At least one.
    pub fn n_shown(&self, body: Rect) -> usize {
        let inner = boxed(self.area(body)).inner;
        if !self.wrap {
            return usize::from(inner.height).max(1);
        }
        let room = usize::from(inner.width).saturating_sub(2).max(1);
        let mut used = 0;
        let lines = self.lines.iter().skip(self.cursor.top);
        let shown = lines.take_while(|line| {
            used += width_of(&line.spans).div_ceil(room).max(1);
            used <= usize::from(inner.height)
        });
        shown.count().max(1)
    }

    /// Handles a command.
    pub fn update(&mut self, command: Command, body: Rect) -> Outcome {
        let len = self.lines.len();
        let page = isize::try_from(self.n_shown(body)).unwrap_or(isize::MAX);
        // If lines wrap over several rows, the last line must be able to scroll to the top to be seen whole.
        let height = if self.wrap { 1 } else { self.height(body) };
        let has_targets =
            self.target().is_some() || self.lines.iter().any(|it| it.target.is_some());
        match command {
            Command::Move(Motion::Down) if has_targets => self.cursor.step(1, len, height),
            Command::Move(Motion::Up) if has_targets => self.cursor.step(-1, len, height),
            Command::Move(Motion::Down) => self.cursor.scroll(1, len, height),
            Command::Move(Motion::Up) => self.cursor.scroll(-1, len, height),
            Command::Move(Motion::PageDown) => self.cursor.scroll(page, len, height),
            Command::Move(Motion::PageUp) => self.cursor.scroll(-page, len, height),
            Command::Move(Motion::Top) => self.cursor.go(0, len, height),
            Command::Move(Motion::Bottom) => self.cursor.go(len, len, height),
            Command::Wrap => {
                self.wrap = !self.wrap;
                self.left = 0;
                // The lines on the screen may take more rows now.
                if self.cursor.row >= self.cursor.top + self.n_shown(body) {
                    self.cursor.go(self.cursor.row, len, 1);
                }
            }
            Command::Fold(FoldCommand::Expand) => self.left += 8,
            Command::Fold(FoldCommand::Collapse) => self.left = self.left.saturating_sub(8),
            Command::Accept => {
                if let Some(target) = self.target() {
                    return Outcome::GoTo(target);
                }
            }
            Command::Cancel => return Outcome::Close,
            _ => {}
        }
        Outcome::Done
    }

    /// Draws the overlay.
    pub fn view(&self, theme: &Theme, body: Rect, buffer: &mut Buffer) {
        let body = self.area(body);
        clear(body, buffer);
        let labels = Labels {
            title: self.title.clone(),
            status: format!("{}/{}", self.cursor.row + 1, self.lines.len()),
            focused: true,
        };
        let pane = boxed(body);
        frame::draw(pane, &labels, theme, buffer);
        let area = pane.inner;
        let marks = self.has_targets();
        let mut line = 0;
        for (index, text) in self.lines.iter().enumerate().skip(self.cursor.top) {
            if line >= area.height {
                break;
            }
            let is_selected = index == self.cursor.row;
            let first = line;
            let mut pen = Pen::new(buffer, theme, area, line);
            let mark = if is_selected && marks { "▶" } else { " " };
            pen.put(mark, Role::Focus);
            line += 1;
            if self.wrap {
                let room = usize::from(area.width).saturating_sub(2);
                let pieces = wrapped(&text.spans, room, usize::from(area.height));
                pen.put_all(pieces.first().map_or(&[], Vec::as_slice));
                for piece in pieces.iter().skip(1) {
                    if line >= area.height {
                        break;
                    }
                    let mut pen = Pen::new(buffer, theme, area, line);
                    pen.put("↪", Role::Dim).put_all(piece);
                    line += 1;
                }
            } else {
                draw_from(&mut pen, &text.spans, self.left);
            }
            if is_selected && marks {
                let rows = Rect::new(area.x, area.y + first, area.width, line - first);
                theme.highlight(buffer, rows, true);
            }
        }
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
