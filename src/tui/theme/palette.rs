//! The themes that a person can choose, each a file in `assets/themes`.

use super::file::{ThemeFile, parse};
use crate::text::{escaped, or_nearest};

/// A theme that a person can choose.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Palette {
    /// For a dark background.
    Dark,
    /// For a light background.
    Light,
    /// The sixteen colors of the terminal.
    Sixteen,
    /// Strong contrast on black.
    HighContrast,
    /// Strong contrast on white.
    HighContrastLight,
    /// For people who cannot tell red from green.
    ColorBlind,
    /// Like `ColorBlind`, for a light background.
    ColorBlindLight,
    /// For people who cannot tell blue from green.
    Tritanopia,
    /// Like `Tritanopia`, for a light background.
    TritanopiaLight,
    /// Solarized.
    SolarizedDark,
    /// Solarized for a light background.
    SolarizedLight,
    /// Nord.
    Nord,
}

/// The name and the text of a theme file.
macro_rules! theme_file {
    ($name:literal) => {
        (
            $name,
            include_str!(concat!("../../../assets/themes/", $name, ".toml")),
        )
    };
}

/// The theme files with their names, in the order of [`Palette`].
pub(super) const FILES: [(&str, &str); 12] = [
    theme_file!("dark"),
    theme_file!("light"),
    theme_file!("sixteen"),
    theme_file!("high-contrast"),
    theme_file!("high-contrast-light"),
    theme_file!("colorblind"),
    theme_file!("colorblind-light"),
    theme_file!("tritanopia"),
    theme_file!("tritanopia-light"),
    theme_file!("solarized-dark"),
    theme_file!("solarized-light"),
    theme_file!("nord"),
];

impl Palette {
    /// All themes, in the order of the list.
    pub const ALL: [Self; FILES.len()] = [
        Self::Dark,
        Self::Light,
        Self::Sixteen,
        Self::HighContrast,
        Self::HighContrastLight,
        Self::ColorBlind,
        Self::ColorBlindLight,
        Self::Tritanopia,
        Self::TritanopiaLight,
        Self::SolarizedDark,
        Self::SolarizedLight,
        Self::Nord,
    ];

    /// The name that `--theme` and `:theme` take.
    pub fn name(self) -> &'static str {
        FILES[self as usize].0
    }

    /// The theme with this name.
    ///
    /// # Errors
    ///
    /// If there is none. The error lists all names.
    pub fn named(name: &str) -> Result<Self, UnknownTheme> {
        let mut all = Self::ALL.into_iter();
        all.find(|theme| theme.name() == name)
            .ok_or_else(|| UnknownTheme(name.to_owned()))
    }

    /// The theme file.
    pub(super) fn file(self) -> ThemeFile {
        let (name, text) = FILES[self as usize];
        parse(name, text).expect("a test parses all theme files")
    }
}

/// No theme has this name.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("no theme is called `{}`{}; themes: {}", escaped(.0), or_nearest(.0, Palette::ALL.map(Palette::name)), names())]
pub struct UnknownTheme(String);

/// The names of all themes, separated by commas.
fn names() -> String {
    Palette::ALL.map(Palette::name).join(", ")
}
