//! Text with a role.

use crate::tui::theme::Role;

/// A part of a line. Its text is escaped.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Span {
    /// The text.
    pub text: String,
    /// What it is.
    pub role: Role,
}

impl Span {
    /// A part of this text, which is escaped or our own.
    pub fn new(text: impl Into<String>, role: Role) -> Self {
        Self {
            text: text.into(),
            role,
        }
    }
}
