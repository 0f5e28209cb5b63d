//! The choice of a theme, and the background that the terminal reports.

use super::App;
use crate::tui::overlays::themes::{AUTO, Themes};
use crate::tui::theme::{Background, Palette, Rgb};

impl App {
    /// Takes the color that the terminal reports as its background.
    pub(super) fn background_known(&mut self, color: Rgb) {
        self.theme = self.theme.on(Background::Known(color));
    }

    pub(super) fn open_themes(&mut self) {
        self.overlays.push(Themes::new(&self.theme));
    }

    /// Shows a theme; `None` if the background decides.
    pub(super) fn preview_theme(&mut self, chosen: Option<Palette>) {
        self.theme = self.theme.with(chosen);
    }

    /// Chooses a theme by its name.
    pub(super) fn choose_theme(&mut self, name: &str) {
        let chosen = match name {
            AUTO => Ok(None),
            name => Palette::named(name).map(Some),
        };
        match chosen {
            Ok(chosen) => {
                self.theme = self.theme.with(chosen);
                self.say_theme();
            }
            Err(error) => self.say_error(error.to_string()),
        }
    }

    pub(super) fn say_theme(&mut self) {
        let name = self.theme.chosen().map_or(AUTO, Palette::name);
        self.say(format!("theme {name}"));
    }
}
