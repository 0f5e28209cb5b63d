//! Colors and styles: a role for every kind of text, and a style for every role.
//!
//! Panes name roles and never colors. Color is never the only sign: everything important has a glyph, a word or an attribute
//! too, so that a screen without color ([`Depth::None`]) says the same.
//!
//! A [`Theme`] is resolved from a theme file (`assets/themes`), the number of colors and the background of the terminal. These
//! laws hold for every theme on every background, and a test computes them:
//!
//! - Text has a contrast of at least 4.5 on the background of the terminal, on tinted lines and on the bar; dim text and borders
//!   have at least 3. A color of the file that has less is moved towards black or white until it has enough.
//! - The selected row has one foreground and one background across. It differs visibly from the rows around it, with focus and
//!   without. Up to sixteen colors it is reversed with focus and underlined without.
//! - If a theme is named for the other kind of background than the terminal has, the theme paints its own background.

mod color;
mod file;
mod mix;
mod palette;
mod sgr;
#[cfg(test)]
mod tests;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier, Style};

pub use self::color::Rgb;
use self::file::ThemeFile;
use self::mix::{COMMON, Mixer};
pub use self::palette::Palette;
use crate::change::difference;
use crate::change::rules::Level;
use crate::render::lines;
use crate::stack::Action;

/// The role of a piece of text.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Role {
    /// Ordinary text.
    Text,
    /// Secondary text.
    Dim,
    /// The title of a pane, the name of the file.
    Title,
    /// The frame of a pane without focus.
    Border,
    /// The frame of the focused pane.
    Focus,
    /// The key of a property.
    Key,
    /// A string.
    String,
    /// A number.
    Number,
    /// True or false.
    Bool,
    /// Null.
    Null,
    /// A value known after apply.
    Unknown,
    /// A masked secret.
    Secret,
    /// A link to a resource.
    Reference,
    /// A keyword of a language.
    Keyword,
    /// A name in source code that refers to something.
    Name,
    /// A type.
    Type,
    /// The size or the beginning of a container.
    Container,
    /// An informational note.
    Badge,
    /// A danger or an error.
    Danger,
    /// A success or a confirmation.
    Good,
    /// A key to press.
    Hint,
    /// Letters that a search matched.
    Match,
    /// Words that differ between two strings.
    Changed,
    /// Created.
    Create,
    /// Updated.
    Update,
    /// Replaced.
    Replace,
    /// Deleted.
    Delete,
    /// Read, imported, moved, forgotten.
    Other,
}

impl Role {
    /// All roles in the order of their declaration, with their names in theme files.
    pub const ALL: [(Self, &'static str); 28] = [
        (Self::Text, "text"),
        (Self::Dim, "dim"),
        (Self::Title, "title"),
        (Self::Border, "border"),
        (Self::Focus, "focus"),
        (Self::Key, "key"),
        (Self::String, "string"),
        (Self::Number, "number"),
        (Self::Bool, "bool"),
        (Self::Null, "null"),
        (Self::Unknown, "unknown"),
        (Self::Secret, "secret"),
        (Self::Reference, "reference"),
        (Self::Keyword, "keyword"),
        (Self::Name, "name"),
        (Self::Type, "type"),
        (Self::Container, "container"),
        (Self::Badge, "badge"),
        (Self::Danger, "danger"),
        (Self::Good, "good"),
        (Self::Hint, "hint"),
        (Self::Match, "match"),
        (Self::Changed, "changed"),
        (Self::Create, "create"),
        (Self::Update, "update"),
        (Self::Replace, "replace"),
        (Self::Delete, "delete"),
        (Self::Other, "other"),
    ];

    /// Minimum contrast of the role, in a theme whose text has at least `text`.
    fn contrast(self, text: f64) -> f64 {
        match self {
            Self::Dim | Self::Border => 3.0,
            _ => text,
        }
    }
}

impl From<Action> for Role {
    fn from(action: Action) -> Self {
        match action {
            Action::Create => Self::Create,
            Action::Update => Self::Update,
            Action::Replace => Self::Replace,
            Action::Delete => Self::Delete,
            Action::Read | Action::Import | Action::Move | Action::Forget | Action::Defer => {
                Self::Other
            }
            Action::Noop => Self::Dim,
        }
    }
}

impl From<difference::Action> for Role {
    fn from(action: difference::Action) -> Self {
        match action {
            difference::Action::Same => Self::Dim,
            difference::Action::Create => Self::Create,
            difference::Action::Update => Self::Update,
            difference::Action::Delete => Self::Delete,
        }
    }
}

impl From<Level> for Role {
    fn from(level: Level) -> Self {
        match level {
            Level::Danger => Self::Danger,
            Level::Warning => Self::Badge,
            Level::Note => Self::Title,
        }
    }
}

impl From<lines::Role> for Role {
    fn from(role: lines::Role) -> Self {
        match role {
            lines::Role::String => Self::String,
            lines::Role::Changed => Self::Changed,
            lines::Role::Number => Self::Number,
            lines::Role::Bool => Self::Bool,
            lines::Role::Null => Self::Null,
            lines::Role::Container => Self::Container,
            lines::Role::Secret => Self::Secret,
            lines::Role::Unknown => Self::Unknown,
            lines::Role::Other => Self::Reference,
            lines::Role::Note => Self::Dim,
        }
    }
}

/// Number of colors to use.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Depth {
    /// No color: the terminal has none, or the person wants none.
    None,
    /// The sixteen named colors.
    Sixteen,
    /// The palette of 256 colors.
    Indexed,
    /// All colors (24 bits).
    True,
}

/// The known background of the terminal.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Background {
    /// Nothing is known: it is taken for a dark one.
    #[default]
    Unknown,
    /// It is light.
    Light,
    /// Its color.
    Known(Rgb),
}

impl Background {
    fn is_light(self) -> bool {
        match self {
            Self::Unknown => false,
            Self::Light => true,
            Self::Known(color) => color.is_light(),
        }
    }
}

/// Minimum contrast of text, as WCAG 2 asks for.
const MIN_CONTRAST: f64 = 4.5;

/// The roles whose lines can be tinted.
const TINTED: [Role; 4] = [Role::Create, Role::Update, Role::Replace, Role::Delete];

/// The styles of the screen, resolved from a theme file for a number of colors and a background.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Theme {
    depth: Depth,
    chosen: Option<Palette>,
    background: Background,
    styles: [Style; Role::ALL.len()],
    /// The selected row with and without focus.
    cursor: [Style; 2],
    bar: Style,
    /// The backgrounds of tinted lines, and the style of the words that differ on them.
    tints: [Option<(Color, Style)>; TINTED.len()],
    /// The color of ordinary text on a painted background.
    text: Color,
    /// The background of the screen, if the theme paints it.
    ground: Option<Color>,
}

impl Default for Theme {
    fn default() -> Self {
        Self::new(Depth::True, None, Background::Unknown)
    }
}

impl Theme {
    /// Reads the theme for a terminal from environment variables.
    ///
    /// `COLORTERM` and `TERM` give the number of colors, if there may be some. Without a chosen theme the background decides;
    /// `COLORFGBG` says whether it is light until the terminal reports it.
    pub fn from_env(
        chosen: Option<Palette>,
        has_color: bool,
        var: impl Fn(&str) -> Option<String>,
    ) -> Self {
        let var = |name: &str| var(name).filter(|value| !value.is_empty());
        let term = var("TERM").unwrap_or_default();
        let depth = if !has_color {
            Depth::None
        } else if var("COLORTERM").is_some_and(|it| it == "truecolor" || it == "24bit") {
            Depth::True
        } else if term.contains("256color") {
            Depth::Indexed
        } else {
            Depth::Sixteen
        };
        let background = var("COLORFGBG")
            .and_then(|it| it.rsplit(';').next().and_then(|it| it.parse::<u8>().ok()))
            .filter(|background| matches!(background, 7 | 9..=15))
            .map_or(Background::Unknown, |_| Background::Light);
        Self::new(depth, chosen, background)
    }

    /// Resolves a theme; `None` chooses `dark` or `light` by the background.
    pub fn new(depth: Depth, chosen: Option<Palette>, background: Background) -> Self {
        let by_background = if background.is_light() {
            Palette::Light
        } else {
            Palette::Dark
        };
        let palette = chosen.unwrap_or(by_background);
        let file = palette.file();
        if depth <= Depth::Sixteen || palette == Palette::Sixteen {
            let is_light = match background {
                Background::Known(color) => color.is_light(),
                Background::Unknown | Background::Light if palette == Palette::Sixteen => {
                    background.is_light()
                }
                Background::Unknown | Background::Light => file.background.is_light(),
            };
            let theme = Self::named_colors(depth.min(Depth::Sixteen), &file, is_light);
            return Self {
                depth,
                chosen,
                background,
                ..theme
            };
        }
        let (grounds, is_painted) = match background {
            Background::Known(color) if color.is_light() == file.background.is_light() => {
                (vec![color], false)
            }
            Background::Known(_) => (vec![file.background], true),
            Background::Unknown | Background::Light => {
                let common = COMMON[usize::from(file.background.is_light())];
                let grounds = std::iter::once(file.background).chain(common);
                (grounds.collect(), false)
            }
        };
        let theme = Mixer { depth, grounds }.theme(&file, is_painted);
        Self {
            chosen,
            background,
            ..theme
        }
    }

    /// The same theme on another background.
    #[must_use]
    pub fn on(&self, background: Background) -> Self {
        Self::new(self.depth, self.chosen, background)
    }

    /// Another theme on the same terminal; `None` chooses by the background.
    #[must_use]
    pub fn with(&self, chosen: Option<Palette>) -> Self {
        Self::new(self.depth, chosen, self.background)
    }

    /// The chosen theme; `None` if the background decides.
    pub fn chosen(&self) -> Option<Palette> {
        self.chosen
    }

    /// True if the screen has colors.
    pub fn has_color(&self) -> bool {
        self.depth > Depth::None
    }

    /// A theme of the sixteen named colors, or of attributes alone.
    fn named_colors(depth: Depth, file: &ThemeFile, is_light: bool) -> Self {
        let sixteen = Palette::Sixteen.file();
        let styles = Role::ALL.map(|(role, _)| {
            let [own, common] = [file, &sixteen].map(|file| file.paints[role as usize]);
            let paint = if own.named.is_some() { own } else { common };
            let color = paint.named.map(|named| named[usize::from(is_light)]);
            let style = Style::new().add_modifier(paint.attributes);
            match color.filter(|_| depth > Depth::None) {
                Some(color) if color != Color::Reset => style.fg(color),
                _ => style,
            }
        });
        let reversed = Style::new().add_modifier(Modifier::REVERSED);
        Self {
            depth,
            chosen: None,
            background: Background::Unknown,
            styles,
            cursor: [
                reversed,
                Style::new().add_modifier(Modifier::BOLD | Modifier::UNDERLINED),
            ],
            bar: reversed,
            tints: [None; TINTED.len()],
            text: Color::Reset,
            ground: None,
        }
    }

    /// The style of a role.
    pub fn style(&self, role: Role) -> Style {
        self.styles[role as usize]
    }

    /// Lays the cursor over the rows in `area`: one foreground and one background across, whatever the roles of the text.
    ///
    /// Bold, italic and underlined text stays so. This is the only way to draw a cursor.
    pub fn highlight(&self, buffer: &mut Buffer, area: Rect, focused: bool) {
        let style = self.cursor[usize::from(!focused)];
        for position in area.intersection(buffer.area).positions() {
            let cell = &mut buffer[position];
            cell.fg = Color::Reset;
            cell.bg = Color::Reset;
            cell.modifier.remove(Modifier::DIM);
            cell.set_style(style);
        }
    }

    /// Applies the background of created, updated, replaced or deleted lines to `area`, over their text. Words that differ
    /// ([`Role::Changed`]) get a stronger one. Other roles have none, and neither have sixteen colors.
    pub fn lay_tint(&self, buffer: &mut Buffer, area: Rect, role: Role) {
        let tinted = TINTED.iter().position(|tinted| *tinted == role);
        let Some((background, word)) = tinted.and_then(|index| self.tints[index]) else {
            return;
        };
        let changed = self.style(Role::Changed);
        for position in area.intersection(buffer.area).positions() {
            let cell = &mut buffer[position];
            let is_changed =
                Some(cell.fg) == changed.fg && cell.modifier.contains(changed.add_modifier);
            if is_changed {
                cell.set_style(word);
            } else if cell.bg == Color::Reset {
                cell.bg = background;
                if cell.fg == Color::Reset {
                    cell.fg = self.text;
                }
            }
        }
    }

    /// Applies the style of the top line to `area`, over its text.
    pub fn lay_bar(&self, buffer: &mut Buffer, area: Rect) {
        let danger = self.style(Role::Danger).fg;
        for position in area.intersection(buffer.area).positions() {
            let cell = &mut buffer[position];
            if cell.fg == Color::Reset {
                cell.fg = self.text;
            } else if self.bar.bg.is_none() && Some(cell.fg) != danger {
                // A reversed color would be a stripe. Only a danger may be one.
                cell.fg = Color::Reset;
            }
            cell.set_style(self.bar);
        }
    }

    /// Paints the background of the theme wherever `buffer` has none. Does nothing if the terminal's background fits the theme.
    pub fn lay_ground(&self, buffer: &mut Buffer) {
        let Some(ground) = self.ground else {
            return;
        };
        for cell in &mut buffer.content {
            if cell.bg == Color::Reset {
                cell.bg = ground;
            }
            if cell.fg == Color::Reset {
                cell.fg = self.text;
            }
        }
    }
}
