//! Text with a role.

use crate::render::lines;
use crate::tui::theme::Role;

/// The part of a row that a text is. It decides what a click there means.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Zone {
    /// The row itself.
    #[default]
    Row,
    /// The sign that opens and closes the row.
    Fold,
    /// The link that the row follows.
    Link,
}

/// A part of a line. Its text is escaped.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Span {
    /// The text.
    pub text: String,
    /// The role, which sets the style.
    pub role: Role,
    /// The part of the row that it is.
    pub zone: Zone,
}

impl Span {
    /// A span of this text, which must be escaped or come from the program itself.
    pub fn new(text: impl Into<String>, role: Role) -> Self {
        Self {
            text: text.into(),
            role,
            zone: Zone::Row,
        }
    }

    /// The sign that opens and closes a row.
    pub fn fold(is_open: bool, role: Role) -> Self {
        let sign = if is_open { "▾ " } else { "▸ " };
        Self::new(sign, role).of(Zone::Fold)
    }

    /// The same span as another part of its row.
    #[must_use]
    pub fn of(self, zone: Zone) -> Self {
        Self { zone, ..self }
    }

    /// A part of the span, or a shorter form of it.
    #[must_use]
    pub fn with_text(&self, text: impl Into<String>) -> Self {
        Self::new(text, self.role).of(self.zone)
    }
}

impl From<&lines::Span> for Span {
    /// A part of a line of a difference. Strings are neutral, so that the tints and the marks stand out.
    fn from(part: &lines::Span) -> Self {
        let role = match part.role {
            lines::Role::String => Role::Text,
            role => role.into(),
        };
        Self::new(part.text.as_str(), role)
    }
}
