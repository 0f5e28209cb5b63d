//! The bar that searches all stacks. The list above it shows what is found while one types.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::popup::Popup;
use super::search::draw_bar;
use super::{Outcome, language};
use crate::search::Goal;
use crate::tui::command::{Command, SearchCommand};
use crate::tui::keymap::Scope;
use crate::tui::popup::Stage;
use crate::tui::theme::Theme;
use crate::tui::widgets::frame::Labels;
use crate::tui::widgets::prompt::{Prompt, Typing};

/// Height of the bar in lines: the title and the query.
const HEIGHT: u16 = 2;

/// The bar.
#[derive(Debug)]
pub struct StackSearch(Prompt);

impl StackSearch {
    /// A bar with this text.
    pub fn new(text: &str) -> Self {
        Self(Prompt::new(text))
    }
}

impl Popup for StackSearch {
    fn obeys(&self, command: Command) -> bool {
        command != Command::Complete
    }

    fn scopes(&self) -> &'static [Scope] {
        &[Scope::StackSearch, Scope::Prompt]
    }

    fn update(&mut self, command: Command, stage: Stage) -> Outcome {
        match command {
            Command::Move(_) => Outcome::Tell(command),
            Command::Search(SearchCommand::Language) => {
                Outcome::Open(Box::new(language::page(stage.body.width)))
            }
            Command::Accept => Outcome::Close,
            Command::Cancel => {
                Outcome::All(vec![Outcome::Close, Outcome::SearchStacks(String::new())])
            }
            _ => Outcome::Nothing,
        }
    }

    fn input(&mut self, typing: Typing<'_>, _: Stage) -> Outcome {
        let before = self.0.text().to_owned();
        if !self.0.input(typing) || before == self.0.text() {
            return Outcome::Done;
        }
        Outcome::SearchStacks(self.0.text().to_owned())
    }

    fn n_covered(&self, _: Rect) -> u16 {
        HEIGHT
    }

    fn outlives_file(&mut self) -> bool {
        true
    }

    fn view(&self, theme: &Theme, stage: Stage, buffer: &mut Buffer) {
        let labels = Labels::of("Search all stacks", "");
        draw_bar(
            self.area(stage),
            &labels,
            (Goal::Go, &self.0),
            theme,
            buffer,
        );
    }
}
