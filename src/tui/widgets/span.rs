//! Text with a role.

use crate::tui::theme::Role;

/// A part of a line. Its text is escaped.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Span {
    /// The text.
    pub text: String,
    /// The role, which sets the style.
    pub role: Role,
}

impl Span {
    /// A span of this text, which must be escaped or come from the program itself.
    pub fn new(text: impl Into<String>, role: Role) -> Self {
        Self {
            text: text.into(),
            role,
        }
    }
}
