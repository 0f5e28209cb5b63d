//! The list of themes. The screen shows the selected one while the list is open.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::{Outcome, boxed, clear};
use crate::tui::command::Command;
use crate::tui::keymap::{self, Scope};
use crate::tui::theme::{Palette, Role, Theme};
use crate::tui::widgets::cursor::Cursor;
use crate::tui::widgets::frame::{self, Labels};
use crate::tui::widgets::pen::Pen;
use crate::tui::widgets::text::cells;

/// Width of the list, in cells. The screen beside it stays visible.
const WIDTH: u16 = 30;

/// Themes to choose from.
#[derive(Clone, Debug)]
pub struct Themes {
    /// The theme when the list was opened. Going back restores it.
    before: Theme,
    cursor: Cursor,
}

impl Themes {
    /// The list, with the cursor on the current theme.
    pub fn new(current: &Theme) -> Self {
        let row = Self::rows().position(|row| row == current.chosen());
        Self {
            before: *current,
            cursor: Cursor {
                row: row.unwrap_or(0),
                top: 0,
            },
        }
    }

    /// The rows: by the background, then each theme.
    fn rows() -> impl Iterator<Item = Option<Palette>> {
        std::iter::once(None).chain(Palette::ALL.map(Some))
    }

    /// Handles a command.
    pub fn update(&mut self, command: Command, body: Rect) -> Outcome {
        match command {
            Command::Move(motion) => {
                let height = usize::from(boxed(Self::area(body)).inner.height);
                self.cursor.obey(motion, Self::rows().count(), height);
            }
            Command::Accept => {
                return Outcome::Theme {
                    chosen: self.selected(),
                    is_new: true,
                };
            }
            Command::Cancel => {
                return Outcome::Theme {
                    chosen: self.before.chosen(),
                    is_new: false,
                };
            }
            _ => return Outcome::Done,
        }
        Outcome::Preview(self.selected())
    }

    /// The selected theme; `None` if the background decides.
    fn selected(&self) -> Option<Palette> {
        Self::rows().nth(self.cursor.row).flatten()
    }

    fn area(body: Rect) -> Rect {
        let height = cells(Self::rows().count() + 2).min(body.height);
        let width = WIDTH.min(body.width);
        Rect::new(body.right() - width, body.y, width, height)
    }

    /// Draws the overlay.
    pub fn view(&self, theme: &Theme, body: Rect, buffer: &mut Buffer) {
        let area = Self::area(body);
        clear(area, buffer);
        let labels = Labels {
            title: "Themes".to_owned(),
            status: keymap::hints(
                Scope::Themes,
                &[(Command::Accept, "choose"), (Command::Cancel, "back")],
            ),
            focused: true,
        };
        let pane = boxed(area);
        frame::draw(pane, &labels, theme, buffer);
        let area = pane.inner;
        let rows = Self::rows().enumerate().skip(self.cursor.top);
        for (line, (index, row)) in (0..area.height).zip(rows) {
            let is_selected = index == self.cursor.row;
            let mut pen = Pen::new(buffer, theme, area, line);
            pen.put(if is_selected { "▶ " } else { "  " }, Role::Focus);
            pen.put(row.map_or(AUTO, Palette::name), Role::Text);
            if row.is_none() {
                pen.put("  by the background", Role::Dim);
            }
            if is_selected {
                let line = Rect::new(area.x, area.y + line, area.width, 1);
                theme.highlight(buffer, line, true);
            }
        }
    }
}

/// The name of no theme: the background of the terminal decides.
pub const AUTO: &str = "auto";
