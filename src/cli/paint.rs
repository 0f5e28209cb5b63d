//! Colors of printed output, through the roles of the themes.
//!
//! # Law
//!
//! Without its escape sequences a colored output is the plain one, byte for byte.

use crate::change::difference;
use crate::stack::{Action, Severity};
use crate::tui::theme::{Role, Theme};

/// Colors the texts that a terminal reads, and leaves others as they are.
pub(super) struct Paint(Option<Box<Theme>>);

impl Paint {
    /// Colors with the theme, or not at all.
    pub(super) fn new(theme: Option<Box<Theme>>) -> Self {
        Self(theme)
    }

    /// The text in the style of a role.
    pub(super) fn role(&self, role: Role, text: &str) -> String {
        match &self.0 {
            Some(theme) => theme.painted(role, text),
            None => text.to_owned(),
        }
    }

    /// The text in the style of an action; as it is without one.
    pub(super) fn action(&self, action: Option<Action>, text: &str) -> String {
        match action {
            Some(action) => self.role(action.into(), text),
            None => text.to_owned(),
        }
    }

    /// The text in the style of an action on a leaf.
    pub(super) fn leaf(&self, action: difference::Action, text: &str) -> String {
        let role = match action {
            difference::Action::Same => Role::Text,
            difference::Action::Create => Role::Create,
            difference::Action::Delete => Role::Delete,
            difference::Action::Update => Role::Update,
        };
        self.role(role, text)
    }

    /// The text in the style of a severity.
    pub(super) fn severity(&self, severity: Severity, text: &str) -> String {
        let role = match severity {
            Severity::Error | Severity::Failure => Role::Danger,
            Severity::Warning => Role::Update,
            Severity::Info => Role::Dim,
        };
        self.role(role, text)
    }
}
