//! The list of themes. The screen shows the selected one while the list is open.

use ratatui::layout::Rect;

use super::Outcome;
use super::menu::Menu;
use crate::tui::command::Command;
use crate::tui::keymap::{self, Scope};
use crate::tui::outline::Strip;
use crate::tui::popup::Stage;
use crate::tui::rows::Span;
use crate::tui::theme::{Palette, Role, Theme};
use crate::tui::widgets::cursor::Cursor;
use crate::tui::widgets::frame::Labels;

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
}

impl Menu for Themes {
    const SCOPES: &'static [Scope] = &[Scope::Themes];

    fn labels(&self) -> Labels {
        Labels {
            title: "Themes".to_owned(),
            status: keymap::hints(
                Scope::Themes,
                &[(Command::Accept, "choose"), (Command::Cancel, "back")],
            ),
            focused: true,
        }
    }

    fn n_rows(&self) -> usize {
        Self::palettes().count()
    }

    fn line(&self, row: usize, _room: usize) -> Strip {
        let palette = Self::palettes().nth(row).flatten();
        let name = palette.map_or(AUTO, Palette::name);
        let more = palette.is_none().then_some("  by the background");
        Strip {
            indent: 1,
            spans: vec![
                Span::new(name, Role::Text),
                Span::new(more.unwrap_or_default(), Role::Dim),
            ],
            ..Strip::default()
        }
    }

    fn cursor(&self) -> Cursor {
        self.cursor
    }

    fn cursor_mut(&mut self) -> &mut Cursor {
        &mut self.cursor
    }

    fn choose(&mut self, _row: usize) -> Outcome {
        Outcome::Theme {
            chosen: self.chosen(),
            is_new: true,
        }
    }

    fn back(&self) -> Outcome {
        Outcome::Theme {
            chosen: self.before.chosen(),
            is_new: false,
        }
    }

    /// Shows the selected theme.
    fn moved(&self) -> Outcome {
        Outcome::Preview(self.chosen())
    }

    /// In the corner, because the screen shows the theme.
    fn place(&self, _width: usize, stage: Stage) -> Rect {
        stage.corner(WIDTH, self.n_rows() + 2)
    }
}

/// The name of no theme: the background of the terminal decides.
pub const AUTO: &str = "auto";
