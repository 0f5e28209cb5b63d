//! The list of themes. The screen shows the selected one while the list is open.

use ratatui::layout::Rect;

use super::Outcome;
use super::menu::{Menu, MenuPopup};
use crate::tui::keymap::{self, Scope};
use crate::tui::outline::Strip;
use crate::tui::popup::{Stage, Wanted};
use crate::tui::rows::Span;
use crate::tui::theme::{Palette, Role, Theme};
use crate::tui::widgets::frame::Labels;

/// Width of the list, in cells. The screen beside it stays visible.
const WIDTH: usize = 30;

/// Themes to choose from.
#[derive(Clone, Debug)]
pub struct Themes {
    /// The theme when the list was opened. Going back restores it.
    before: Theme,
}

impl Themes {
    /// The list, with the cursor on the current theme.
    pub fn popup(current: &Theme) -> MenuPopup<Self> {
        let row = Self::palettes().position(|row| row == current.chosen());
        MenuPopup::at(row.unwrap_or(0), Self { before: *current })
    }

    /// The rows: by the background, then each theme.
    fn palettes() -> impl Iterator<Item = Option<Palette>> {
        std::iter::once(None).chain(Palette::ALL.map(Some))
    }

    /// The theme of a row; `None` if the background decides.
    fn palette(row: usize) -> Option<Palette> {
        Self::palettes().nth(row).flatten()
    }
}

impl Menu for Themes {
    const SCOPES: &'static [Scope] = &[Scope::List];

    fn labels(&self) -> Labels {
        Labels::of("Themes", keymap::choices(Scope::List, "choose"))
    }

    fn n_rows(&self) -> usize {
        Self::palettes().count()
    }

    fn line(&self, row: usize, _room: usize) -> Strip {
        let palette = Self::palette(row);
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

    fn choose(&mut self, row: usize) -> Outcome {
        Outcome::All(vec![Outcome::Close, chosen(Self::palette(row))])
    }

    fn back(&mut self) -> Outcome {
        Outcome::All(vec![Outcome::Close, Outcome::Theme(self.before.chosen())])
    }

    /// Shows the selected theme.
    fn moved(&mut self, row: usize) -> Outcome {
        Outcome::Theme(Self::palette(row))
    }

    /// In the corner, because the screen shows the theme.
    fn place(&self, _: &Wanted<&dyn Fn(usize) -> usize>, stage: Stage) -> Rect {
        stage.corner(WIDTH, self.n_rows() + 2)
    }
}

/// Shows the theme with this name.
pub fn named(name: &str) -> Outcome {
    if name == AUTO {
        return chosen(None);
    }
    match Palette::named(name) {
        Ok(theme) => chosen(Some(theme)),
        Err(error) => Outcome::Complain(error.to_string()),
    }
}

/// Shows a theme and says its name; `None` if the background decides.
fn chosen(theme: Option<Palette>) -> Outcome {
    let name = theme.map_or(AUTO, Palette::name);
    Outcome::All(vec![
        Outcome::Theme(theme),
        Outcome::Say(format!("theme {name}")),
    ])
}

/// The name of no theme: the background of the terminal decides.
const AUTO: &str = "auto";
