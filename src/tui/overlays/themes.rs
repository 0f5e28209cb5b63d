//! The list of themes. The screen shows the selected one while the list is open.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::popup::{Popup, walk};
use super::{Outcome, boxed, framed};
use crate::tui::command::Command;
use crate::tui::keymap::{self, Scope};
use crate::tui::popup::Stage;
use crate::tui::theme::{Palette, Role, Theme};
use crate::tui::widgets::cursor::Cursor;
use crate::tui::widgets::frame::Labels;
use crate::tui::widgets::list_area::ListArea;
use crate::tui::widgets::pen::Pen;

/// Width of the list, in cells. The screen beside it stays visible.
const WIDTH: usize = 30;

/// Themes to choose from.
#[derive(Clone, Debug)]
pub struct Themes {
    /// The theme when the list was opened. Going back restores it.
    before: Theme,
    pub(super) cursor: Cursor,
}

impl Themes {
    /// The list, with the cursor on the current theme.
    pub fn new(current: &Theme) -> Self {
        let row = Self::palettes().position(|row| row == current.chosen());
        Self {
            before: *current,
            cursor: Cursor::at(row.unwrap_or(0), 0),
        }
    }

    /// The rows: by the background, then each theme.
    fn palettes() -> impl Iterator<Item = Option<Palette>> {
        std::iter::once(None).chain(Palette::ALL.map(Some))
    }

    /// The selected theme; `None` if the background decides.
    fn chosen(&self) -> Option<Palette> {
        Self::palettes().nth(self.cursor.row).flatten()
    }

    fn list_area(&self, stage: Stage) -> ListArea {
        ListArea::new(boxed(self.area(stage)).inner, Self::palettes().count())
    }
}

impl Popup for Themes {
    fn scopes(&self) -> &'static [Scope] {
        &[Scope::Themes]
    }

    fn outlives_file(&mut self) -> bool {
        true
    }

    /// The area of the popup: in the corner, because the screen shows the theme.
    fn area(&self, stage: Stage) -> Rect {
        stage.corner(WIDTH, Self::palettes().count() + 2)
    }

    fn list(&self, stage: Stage) -> Option<(ListArea, Cursor)> {
        Some((self.list_area(stage), self.cursor))
    }

    fn cursor(&mut self) -> Option<&mut Cursor> {
        Some(&mut self.cursor)
    }

    /// Shows the selected theme.
    fn moved(&mut self) -> Outcome {
        Outcome::Preview(self.chosen())
    }

    fn update(&mut self, command: Command, stage: Stage) -> Outcome {
        match command {
            Command::Move(motion) => walk(self, motion, stage),
            Command::Accept => {
                return Outcome::Theme {
                    chosen: self.chosen(),
                    is_new: true,
                };
            }
            Command::Cancel => {
                return Outcome::Theme {
                    chosen: self.before.chosen(),
                    is_new: false,
                };
            }
            _ => return Outcome::Nothing,
        }
        self.moved()
    }

    fn view(&self, theme: &Theme, stage: Stage, buffer: &mut Buffer) {
        let labels = Labels {
            title: "Themes".to_owned(),
            status: keymap::hints(
                Scope::Themes,
                &[(Command::Accept, "choose"), (Command::Cancel, "back")],
            ),
            focused: true,
        };
        framed(self.area(stage), &labels, theme, buffer);
        self.list_area(stage)
            .draw(self.cursor, theme, buffer, |buffer, area, row| {
                let palette = Self::palettes().nth(row).flatten();
                let mut pen = Pen::new(buffer, theme, area, 0);
                pen.skip(1)
                    .put(palette.map_or(AUTO, Palette::name), Role::Text);
                if palette.is_none() {
                    pen.put("  by the background", Role::Dim);
                }
            });
    }
}

/// The name of no theme: the background of the terminal decides.
pub const AUTO: &str = "auto";
