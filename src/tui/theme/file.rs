//! Theme files: TOML, one line for each role.
//!
//! ```toml
//! inherits = "dark"              # roles that are not listed come from this theme
//! background = "#1e1e1e"         # the background for which the colors were chosen
//!
//! [roles]
//! delete = "#ff7b72 light-red/red bold"
//! ```
//!
//! The words of a role: an exact color; the name of one of the sixteen colors, or two of them for dark and light backgrounds;
//! attributes (`bold`, `dim`, `italic`, `underline`). With `default`, ordinary text keeps the color of the terminal.

use std::collections::BTreeMap;

use ratatui::style::{Color, Modifier};
use serde::Deserialize;
use thiserror::Error;
use toml::Spanned;

use super::Role;
use super::color::Rgb;
use super::palette::FILES;

/// A theme file, parsed.
#[derive(Clone, Debug)]
pub(super) struct ThemeFile {
    /// The background for which the colors were chosen.
    pub(super) background: Rgb,
    /// Minimum contrast of text.
    pub(super) contrast: f64,
    /// The background of the selected row with and without focus, if the theme sets them.
    pub(super) cursor: [Option<Rgb>; 2],
    /// The paint of each role.
    pub(super) paints: [Paint; Role::ALL.len()],
}

/// The color and the attributes of a role.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Paint {
    /// The exact color.
    pub(super) exact: Option<Rgb>,
    /// The named colors for a dark and a light background.
    pub(super) named: Option<[Color; 2]>,
    /// The attributes.
    pub(super) attributes: Modifier,
    /// True if text on the terminal's own background keeps the terminal's color.
    pub(super) is_default: bool,
}

/// A theme file is wrong.
#[derive(Debug, Error)]
#[error("{file}:{line}: {message}")]
pub(super) struct ParseError {
    file: String,
    line: usize,
    message: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Raw {
    inherits: Option<Spanned<String>>,
    background: Spanned<String>,
    contrast: Option<f64>,
    #[serde(default)]
    cursor: RawCursor,
    roles: Spanned<BTreeMap<String, Spanned<String>>>,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields)]
struct RawCursor {
    focused: Option<Spanned<String>>,
    unfocused: Option<Spanned<String>>,
}

/// Parses the text of the theme file `name`.
pub(super) fn parse(name: &str, text: &str) -> Result<ThemeFile, ParseError> {
    let error = |at: usize, message: String| ParseError {
        file: format!("assets/themes/{name}.toml"),
        line: 1 + text
            .get(..at)
            .map_or(0, |before| before.matches('\n').count()),
        message,
    };
    let raw: Raw = toml::from_str(text).map_err(|source| {
        let at = source.span().map_or(0, |span| span.start);
        error(at, source.message().to_owned())
    })?;
    let exact = |color: &Spanned<String>| {
        Rgb::parse(color.get_ref()).ok_or_else(|| {
            let found = color.get_ref();
            error(
                color.span().start,
                format!("expected a color such as #1e1e1e, found `{found}`"),
            )
        })
    };
    let parent = match &raw.inherits {
        None => None,
        Some(parent) => {
            let file = FILES.iter().find(|(name, _)| name == parent.get_ref());
            let (name, text) = file.ok_or_else(|| {
                let found = parent.get_ref();
                error(parent.span().start, format!("no theme is called `{found}`"))
            })?;
            Some(parse(name, text)?)
        }
    };
    let roles = raw.roles.get_ref();
    if let Some((unknown, line)) = roles
        .iter()
        .find(|(name, _)| Role::ALL.iter().all(|(_, other)| other != name))
    {
        let message = format!("no role is called `{unknown}`");
        return Err(error(line.span().start, message));
    }
    let mut paints = [Paint::default(); Role::ALL.len()];
    for (paint, (role, name)) in paints.iter_mut().zip(Role::ALL) {
        *paint = match (roles.get(name), &parent) {
            (Some(line), _) => Paint::parse(line.get_ref())
                .map_err(|message| error(line.span().start, format!("`{name}`: {message}")))?,
            (None, Some(parent)) => parent.paints[role as usize],
            (None, None) => {
                let message = format!("the role `{name}` is missing");
                return Err(error(raw.roles.span().start, message));
            }
        };
    }
    let RawCursor { focused, unfocused } = &raw.cursor;
    Ok(ThemeFile {
        background: exact(&raw.background)?,
        contrast: raw.contrast.unwrap_or(super::MIN_CONTRAST),
        cursor: [
            focused.as_ref().map(exact).transpose()?,
            unfocused.as_ref().map(exact).transpose()?,
        ],
        paints,
    })
}

impl Paint {
    fn parse(text: &str) -> Result<Self, String> {
        let mut paint = Self::default();
        for word in text.split_whitespace() {
            match word {
                "default" => paint.is_default = true,
                "bold" => paint.attributes |= Modifier::BOLD,
                "dim" => paint.attributes |= Modifier::DIM,
                "italic" => paint.attributes |= Modifier::ITALIC,
                "underline" => paint.attributes |= Modifier::UNDERLINED,
                _ if word.starts_with('#') => {
                    let exact = Rgb::parse(word);
                    paint.exact = Some(exact.ok_or_else(|| {
                        format!("expected a color such as #1e1e1e, found `{word}`")
                    })?);
                }
                _ => {
                    let (dark, light) = word.split_once('/').unwrap_or((word, word));
                    paint.named = Some([named(dark)?, named(light)?]);
                }
            }
        }
        Ok(paint)
    }
}

/// The color with this name.
fn named(name: &str) -> Result<Color, String> {
    const NAMES: [(&str, Color); 17] = [
        ("terminal", Color::Reset),
        ("black", Color::Black),
        ("red", Color::Red),
        ("green", Color::Green),
        ("yellow", Color::Yellow),
        ("blue", Color::Blue),
        ("magenta", Color::Magenta),
        ("cyan", Color::Cyan),
        ("gray", Color::Gray),
        ("dark-gray", Color::DarkGray),
        ("light-red", Color::LightRed),
        ("light-green", Color::LightGreen),
        ("light-yellow", Color::LightYellow),
        ("light-blue", Color::LightBlue),
        ("light-magenta", Color::LightMagenta),
        ("light-cyan", Color::LightCyan),
        ("white", Color::White),
    ];
    let found = NAMES.iter().find(|(other, _)| *other == name);
    found.map(|(_, color)| *color).ok_or_else(|| {
        format!("expected a color or bold, dim, italic or underline, found `{name}`")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_theme_files_are_valid() {
        for (name, text) in FILES {
            parse(name, text).unwrap();
        }
    }

    #[test]
    fn errors_name_the_file_and_the_line() {
        let error = |text: &str| parse("mine", text).unwrap_err().to_string();
        let head = "inherits = \"dark\"\nbackground = \"#000000\"\n[roles]\n";
        assert_eq!(
            error(&format!("{head}key = \"#12\"\n")),
            "assets/themes/mine.toml:4: `key`: expected a color such as #1e1e1e, found `#12`"
        );
        assert_eq!(
            error(&format!("{head}key = \"bold\"\nkeys = \"bold\"\n")),
            "assets/themes/mine.toml:5: no role is called `keys`"
        );
        assert_eq!(
            error("background = \"#000000\"\n[roles]\nkey = \"bold\"\n"),
            "assets/themes/mine.toml:2: the role `text` is missing"
        );
        assert!(error("background = \n").starts_with("assets/themes/mine.toml:1: "));
        assert_eq!(
            error("inherits = \"drak\"\nbackground = \"#000000\"\n[roles]\n"),
            "assets/themes/mine.toml:1: no theme is called `drak`"
        );
    }
}
