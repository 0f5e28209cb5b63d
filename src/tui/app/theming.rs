//! The choice of a theme, and the background that the terminal reports.

use super::App;
use crate::tui::command::{Command, Motion};
use crate::tui::overlays::Overlay;
use crate::tui::overlays::themes::{AUTO, Themes};
use crate::tui::theme::{Background, Palette, Rgb};

impl App {
    /// Takes the color that the terminal reports as its background.
    pub(super) fn background_known(&mut self, color: Rgb) {
        self.theme = self.theme.on(Background::Known(color));
    }

    pub(super) fn open_themes(&mut self) {
        self.overlays
            .push(Overlay::Themes(Box::new(Themes::new(&self.theme))));
    }

    pub(super) fn obey_in_themes(&mut self, command: Command) {
        let body = self.areas().body;
        let Some(Overlay::Themes(themes)) = self.overlays.last_mut() else {
            return;
        };
        match command {
            Command::Move(Motion::Down) => themes.step(1, body),
            Command::Move(Motion::Up) => themes.step(-1, body),
            Command::Accept | Command::Cancel => {}
            // Other keys do nothing in this list.
            _ => return,
        }
        let wanted = match command {
            Command::Cancel => themes.before().chosen(),
            _ => themes.selected(),
        };
        self.theme = self.theme.with(wanted);
        if matches!(command, Command::Accept | Command::Cancel) {
            self.overlays.pop();
        }
        if command == Command::Accept {
            self.say_theme();
        }
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

    fn say_theme(&mut self) {
        let name = self.theme.chosen().map_or(AUTO, Palette::name);
        self.say(format!("theme {name}"));
    }
}
