//! Colors and styles: a role for every kind of text, and a style for every role.
//!
//! Panes name roles and never colors. Color is never the only sign: everything important has a glyph, a word or an attribute
//! too, so that a screen without color ([`Depth::None`]) says the same.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier, Style};

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
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
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

/// A set of colors.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Palette {
    /// For a dark background.
    Dark,
    /// For a light background.
    Light,
    /// For a dark background and for people who cannot tell red from green.
    ColorBlind,
    /// Like `ColorBlind`, for a light background.
    ColorBlindLight,
}

impl Palette {
    /// Each palette with the name that `:theme` takes.
    pub const NAMES: [(&'static str, Self); 4] = [
        ("dark", Self::Dark),
        ("light", Self::Light),
        ("colorblind", Self::ColorBlind),
        ("colorblind-light", Self::ColorBlindLight),
    ];

    fn is_light(self) -> bool {
        matches!(self, Self::Light | Self::ColorBlindLight)
    }

    fn is_color_blind(self) -> bool {
        matches!(self, Self::ColorBlind | Self::ColorBlindLight)
    }
}

/// The palette and color depth of the screen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Theme {
    /// Number of colors to use.
    pub depth: Depth,
    /// The palette.
    pub palette: Palette,
}

impl Default for Theme {
    fn default() -> Self {
        Self {
            depth: Depth::True,
            palette: Palette::Dark,
        }
    }
}

/// A color for dark and for light backgrounds, each as an exact RGB value and as the nearest of the sixteen named colors.
struct Paint {
    dark: u32,
    light: u32,
    dark_name: Color,
    light_name: Color,
}

const fn paint(dark: u32, light: u32, dark_name: Color, light_name: Color) -> Paint {
    Paint {
        dark,
        light,
        dark_name,
        light_name,
    }
}

impl Theme {
    /// Reads the theme from environment variables.
    ///
    /// `NO_COLOR` turns color off. `STACKLENS_THEME` names a palette; without it `COLORFGBG` says whether the background is dark
    /// or light. `COLORTERM` and `TERM` give the number of colors.
    pub fn from_env(var: impl Fn(&str) -> Option<String>) -> Self {
        let no_color = var("NO_COLOR").is_some_and(|it| !it.is_empty());
        let term = var("TERM").unwrap_or_default();
        let depth = if no_color || term == "dumb" {
            Depth::None
        } else if var("COLORTERM").is_some_and(|it| it == "truecolor" || it == "24bit") {
            Depth::True
        } else if term.contains("256color") {
            Depth::Indexed
        } else {
            Depth::Sixteen
        };
        let named = var("STACKLENS_THEME").and_then(|name| Self::palette_named(&name));
        let background_is_light = var("COLORFGBG")
            .and_then(|it| it.rsplit(';').next().and_then(|it| it.parse::<u8>().ok()))
            .is_some_and(|background| matches!(background, 7 | 9..=15));
        let palette = named.unwrap_or(if background_is_light {
            Palette::Light
        } else {
            Palette::Dark
        });
        Self { depth, palette }
    }

    /// The palette with this name.
    pub fn palette_named(name: &str) -> Option<Palette> {
        Palette::NAMES
            .iter()
            .find(|(other, _)| *other == name)
            .map(|(_, palette)| *palette)
    }

    /// The style of a role.
    pub fn style(self, role: Role) -> Style {
        let style = self
            .color(role)
            .map_or_else(Style::new, |color| Style::new().fg(color));
        style.add_modifier(modifiers(role))
    }

    /// The style of the row under the cursor, applied over the styles of its contents.
    pub fn cursor(self, focused: bool) -> Style {
        let color = match (self.depth, self.palette.is_light(), focused) {
            (Depth::None | Depth::Sixteen, _, true) => {
                return Style::new().add_modifier(Modifier::REVERSED);
            }
            (Depth::None | Depth::Sixteen, _, false) => {
                return Style::new().add_modifier(Modifier::BOLD);
            }
            (_, false, true) => 0x2d_3f_5e,
            (_, false, false) => 0x2a_2d_34,
            (_, true, true) => 0xcf_e0_fa,
            (_, true, false) => 0xe6_e6_ea,
        };
        Style::new().bg(self.exact(color))
    }

    /// Applies the cursor style to `area`, over its contents.
    ///
    /// Text in the terminal's default color gets a color that is readable on the new background, whatever that default is.
    pub fn highlight(self, buffer: &mut Buffer, area: Rect, focused: bool) {
        self.lay(buffer, area, self.cursor(focused));
    }

    /// Applies the background of a removed ([`Role::Delete`]) or an added ([`Role::Create`]) line to `area`, over its contents.
    /// Other roles have none, and neither have sixteen colors.
    pub fn lay_tint(self, buffer: &mut Buffer, area: Rect, role: Role) {
        let color = match (role, self.palette.is_light(), self.palette.is_color_blind()) {
            _ if matches!(self.depth, Depth::None | Depth::Sixteen) => return,
            (Role::Delete, false, false) => 0x3c_1f_24,
            (Role::Delete, false, true) => 0x40_28_10,
            (Role::Delete, true, false) => 0xff_e5_e2,
            (Role::Delete, true, true) => 0xff_e8_d0,
            (Role::Create, false, false) => 0x16_32_20,
            (Role::Create, false, true) => 0x10_2e_48,
            (Role::Create, true, false) => 0xdc_f5_e0,
            (Role::Create, true, true) => 0xdc_ec_fa,
            _ => return,
        };
        self.lay(buffer, area, Style::new().bg(self.exact(color)));
    }

    /// Applies the style of the top line to `area`, before or after its text is written.
    pub fn lay_bar(self, buffer: &mut Buffer, area: Rect) {
        self.lay(buffer, area, self.bar());
    }

    fn lay(self, buffer: &mut Buffer, area: Rect, style: Style) {
        let area = area.intersection(buffer.area);
        buffer.set_style(area, style);
        if style.bg.is_none() {
            return;
        }
        let text = if self.palette.is_light() {
            0x1f_23_28
        } else {
            0xe8_ea_ed
        };
        let text = self.exact(text);
        for position in area.positions() {
            let cell = &mut buffer[position];
            if cell.fg == Color::Reset {
                cell.fg = text;
            }
        }
    }

    /// The style of the top line.
    pub fn bar(self) -> Style {
        match (self.depth, self.palette.is_light()) {
            (Depth::None | Depth::Sixteen, _) => Style::new().add_modifier(Modifier::REVERSED),
            (_, false) => Style::new().bg(self.exact(0x20_24_2c)),
            (_, true) => Style::new().bg(self.exact(0xdd_e3_ee)),
        }
    }

    fn color(self, role: Role) -> Option<Color> {
        let paint = role_paint(role, self.palette.is_color_blind())?;
        let light = self.palette.is_light();
        match self.depth {
            Depth::None => None,
            Depth::Sixteen if light => Some(paint.light_name),
            Depth::Sixteen => Some(paint.dark_name),
            _ if light => Some(self.exact(paint.light)),
            _ => Some(self.exact(paint.dark)),
        }
    }

    fn exact(self, color: u32) -> Color {
        let [_, red, green, blue] = color.to_be_bytes();
        if self.depth == Depth::True {
            Color::Rgb(red, green, blue)
        } else {
            Color::Indexed(nearest_index(red, green, blue))
        }
    }
}

/// The nearest color of the 256-color palette, from its 216-color cube and its 24 grays.
fn nearest_index(red: u8, green: u8, blue: u8) -> u8 {
    const STEPS: [u8; 6] = [0, 95, 135, 175, 215, 255];
    let distance = |one: [u8; 3], other: [u8; 3]| -> u32 {
        one.iter()
            .zip(other)
            .map(|(one, other)| u32::from(one.abs_diff(other)).pow(2))
            .sum()
    };
    let wanted = [red, green, blue];
    let cube = (0..216_u8).map(|index| {
        let [red, green, blue] = [index / 36, index / 6 % 6, index % 6].map(usize::from);
        (16 + index, [STEPS[red], STEPS[green], STEPS[blue]])
    });
    let grays = (0..24_u8).map(|index| (232 + index, [8 + 10 * index; 3]));
    cube.chain(grays)
        .min_by_key(|(_, color)| distance(*color, wanted))
        .map_or(15, |(index, _)| index)
}

fn modifiers(role: Role) -> Modifier {
    match role {
        Role::Title | Role::Focus | Role::Danger | Role::Delete | Role::Replace | Role::Hint => {
            Modifier::BOLD
        }
        Role::Null | Role::Unknown | Role::Container => Modifier::ITALIC,
        Role::Reference => Modifier::UNDERLINED,
        Role::Match | Role::Changed => Modifier::BOLD.union(Modifier::UNDERLINED),
        _ => Modifier::empty(),
    }
}

fn role_paint(role: Role, color_blind: bool) -> Option<Paint> {
    use Color::{Blue, Cyan, DarkGray, Gray, Green, LightBlue, LightRed, Magenta, Red, Yellow};
    Some(match role {
        Role::Text | Role::Title => return None,
        Role::Dim | Role::Border => paint(0x8a_90_9c, 0x6a_6f_7a, Gray, DarkGray),
        Role::Focus | Role::Hint => paint(0x8a_b4_f8, 0x0b_57_d0, LightBlue, Blue),
        Role::Key => paint(0x9c_dc_fe, 0x0b_4f_8a, Cyan, Blue),
        Role::String => paint(0xb5_d3_9b, 0x2d_6a_1f, Green, Green),
        Role::Number => paint(0xd7_ba_7d, 0x8a_50_00, Yellow, Magenta),
        Role::Keyword | Role::Bool => paint(0xc5_9c_f0, 0x6f_2d_a8, Magenta, Magenta),
        Role::Null => paint(0x9a_9a_a6, 0x70_70_78, Gray, DarkGray),
        Role::Unknown => paint(0xe0_a8_5c, 0x9a_5b_00, Yellow, Magenta),
        Role::Secret => paint(0xf2_8b_b0, 0xa8_1e_5a, Magenta, Magenta),
        Role::Name | Role::Reference | Role::Other => paint(0x7f_d1_e6, 0x00_66_80, Cyan, Cyan),
        Role::Type => paint(0x9f_a8_b8, 0x5a_60_70, Gray, DarkGray),
        Role::Container => paint(0xa8_ad_b8, 0x5c_62_6e, Gray, DarkGray),
        Role::Danger | Role::Delete if color_blind => paint(0xf0_86_3c, 0xb0_48_00, LightRed, Red),
        Role::Danger | Role::Delete => paint(0xff_7b_72, 0xc0_1c_28, LightRed, Red),
        Role::Good | Role::Create if color_blind => paint(0x6c_b8_f0, 0x00_5f_a8, LightBlue, Blue),
        Role::Good | Role::Create => paint(0x7e_d0_8a, 0x1a_7f_37, Green, Green),
        Role::Match => paint(0xff_d8_66, 0xa0_50_00, Yellow, Red),
        Role::Changed => paint(0xff_e0_a0, 0x80_30_00, Yellow, Red),
        Role::Update if color_blind => paint(0xf0_e4_42, 0x7a_6a_00, Yellow, Cyan),
        Role::Badge | Role::Update => paint(0xe6_c3_6a, 0x8a_5a_00, Yellow, Magenta),
        Role::Replace if color_blind => paint(0xe0_90_c0, 0x9a_3a_78, Magenta, Magenta),
        Role::Replace => paint(0xe0_8a_f0, 0x8a_2a_b0, Magenta, Magenta),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_environment_chooses() {
        let theme = |vars: &[(&str, &str)]| {
            Theme::from_env(|name| {
                vars.iter()
                    .find(|(other, _)| *other == name)
                    .map(|(_, value)| (*value).to_owned())
            })
        };
        assert_eq!(theme(&[("NO_COLOR", "1")]).depth, Depth::None);
        assert_eq!(theme(&[("TERM", "xterm-256color")]).depth, Depth::Indexed);
        assert_eq!(theme(&[("TERM", "linux")]).depth, Depth::Sixteen);
        assert_eq!(theme(&[("COLORTERM", "truecolor")]).depth, Depth::True);
        assert_eq!(theme(&[("COLORFGBG", "0;15")]).palette, Palette::Light);
        assert_eq!(
            theme(&[("STACKLENS_THEME", "colorblind")]).palette,
            Palette::ColorBlind
        );
    }

    #[test]
    fn without_color_no_style_has_one() {
        let theme = Theme {
            depth: Depth::None,
            palette: Palette::Dark,
        };
        for role in [Role::Create, Role::Delete, Role::Secret, Role::String] {
            assert_eq!(theme.style(role).fg, None);
        }
        assert_eq!(theme.cursor(true).bg, None);
    }

    #[test]
    fn exact_colors_have_a_near_one_of_256() {
        assert_eq!(nearest_index(255, 0, 0), 196);
        assert_eq!(nearest_index(8, 8, 8), 232);
    }
}
