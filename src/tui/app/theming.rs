//! The choice of a theme, and the background that the terminal reports.

use super::App;
use crate::tui::overlays::themes::{self, AUTO, Themes};
use crate::tui::theme::{Background, Palette, Rgb};

impl App {
    /// Takes the color that the terminal reports as its background.
    pub(super) fn background_known(&mut self, color: Rgb) {
        self.theme = self.theme.on(Background::Known(color));
    }

    pub(super) fn open_themes(&mut self) {
        self.overlays.push(Themes::popup(&self.theme));
    }

    /// Chooses a theme by its name.
    pub(super) fn choose_theme(&mut self, name: &str) {
        let chosen = match name {
            AUTO => Ok(None),
            name => Palette::named(name).map(Some),
        };
        match chosen {
            Ok(chosen) => self.apply(themes::chosen(chosen)),
            Err(error) => self.say_error(error.to_string()),
        }
    }
}
