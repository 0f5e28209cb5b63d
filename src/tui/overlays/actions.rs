//! The sections of the list of changes with their numbers, to switch each on or off.

use super::Outcome;
use super::menu::Menu;
use crate::stack::Stack;
use crate::tui::keymap::{self, Scope};
use crate::tui::outline::Strip;
use crate::tui::panes::changes::Topic;
use crate::tui::rows::Span;
use crate::tui::theme::Role;
use crate::tui::widgets::frame::Labels;
use crate::tui::widgets::text::count;

/// The sections to choose from.
#[derive(Clone, Debug)]
pub struct Actions {
    rows: Vec<(Topic, usize, bool)>,
    /// The names of the sections.
    names: Vec<&'static str>,
}

impl Actions {
    /// The sections, each with its number of changes and true if they are listed.
    pub fn new(stack: &Stack, rows: Vec<(Topic, usize, bool)>) -> Self {
        Self {
            names: rows.iter().map(|row| row.0.name(stack)).collect(),
            rows,
        }
    }

    /// The number of changes in a section.
    fn number(&self, row: usize) -> String {
        format!("  {}", count(self.rows[row].1 as u64))
    }
}

impl Menu for Actions {
    const SCOPES: &'static [Scope] = &[Scope::Pick, Scope::List];

    fn labels(&self) -> Labels {
        Labels::of("Listed", keymap::choices(Scope::Pick, "switch"))
    }

    fn n_rows(&self) -> usize {
        self.rows.len()
    }

    fn line(&self, row: usize, _room: usize) -> Strip {
        let (topic, _, listed) = self.rows[row];
        let spans = vec![
            Span::new(if listed { "[x] " } else { "[ ] " }, Role::Text),
            Span::new(format!("{} ", topic.sign()), topic.role()),
            Span::new(self.names[row], Role::Text),
            Span::new(self.number(row), Role::Dim),
        ];
        spans.into()
    }

    fn choose(&mut self, row: usize) -> Outcome {
        let (topic, _, listed) = &mut self.rows[row];
        *listed = !*listed;
        Outcome::Toggle(*topic)
    }
}
