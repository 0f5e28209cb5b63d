//! Styles as escape sequences, for printed output.
//!
//! # Source
//!
//! ECMA-48, "SGR: select graphic rendition"; the bright colors and `38;5` and `38;2` as xterm has them.

use ratatui::style::{Color, Modifier, Style};

use super::{Role, Theme};

/// Attributes with their parameters.
const ATTRIBUTES: [(Modifier, &str); 5] = [
    (Modifier::BOLD, "1"),
    (Modifier::DIM, "2"),
    (Modifier::ITALIC, "3"),
    (Modifier::UNDERLINED, "4"),
    (Modifier::REVERSED, "7"),
];

impl Theme {
    /// The text in the style of a role, for a terminal that reads printed output. The text itself stays as it is.
    pub fn painted(&self, role: Role, text: &str) -> String {
        let parameters = parameters(self.style(role));
        if parameters.is_empty() || text.is_empty() {
            return text.to_owned();
        }
        format!("\u{1b}[{}m{text}\u{1b}[0m", parameters.join(";"))
    }
}

fn parameters(style: Style) -> Vec<String> {
    let attributes = ATTRIBUTES.iter();
    let attributes = attributes.filter(|(attribute, _)| style.add_modifier.contains(*attribute));
    let attributes = attributes.map(|(_, parameter)| (*parameter).to_owned());
    attributes.chain(style.fg.and_then(foreground)).collect()
}

/// The parameter of a text color; `None` for the terminal's own.
fn foreground(color: Color) -> Option<String> {
    let number = match color {
        Color::Reset => return None,
        Color::Black => 30,
        Color::Red => 31,
        Color::Green => 32,
        Color::Yellow => 33,
        Color::Blue => 34,
        Color::Magenta => 35,
        Color::Cyan => 36,
        Color::Gray => 37,
        Color::DarkGray => 90,
        Color::LightRed => 91,
        Color::LightGreen => 92,
        Color::LightYellow => 93,
        Color::LightBlue => 94,
        Color::LightMagenta => 95,
        Color::LightCyan => 96,
        Color::White => 97,
        Color::Indexed(index) => return Some(format!("38;5;{index}")),
        Color::Rgb(red, green, blue) => return Some(format!("38;2;{red};{green};{blue}")),
    };
    Some(number.to_string())
}

#[cfg(test)]
mod tests {
    use super::super::{Background, Depth, Palette};
    use super::*;

    #[test]
    fn a_style_is_written_in_the_colors_that_the_terminal_has() {
        let painted = |depth| {
            let theme = Theme::new(depth, Some(Palette::Dark), Background::Unknown);
            theme.painted(Role::Delete, "gone")
        };
        assert_eq!(painted(Depth::None), "\u{1b}[1mgone\u{1b}[0m");
        assert_eq!(painted(Depth::Sixteen), "\u{1b}[1;91mgone\u{1b}[0m");
        assert!(painted(Depth::Indexed).starts_with("\u{1b}[1;38;5;"));
        assert!(painted(Depth::True).starts_with("\u{1b}[1;38;2;"));
        let theme = Theme::default();
        assert_eq!(theme.painted(Role::Delete, ""), "");
    }
}
