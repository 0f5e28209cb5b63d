//! A question with yes or no. Anything but yes means no.

use super::Outcome;
use crate::tui::command::Command;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::{boxed, centered, clear};
use crate::stack::ResourceId;
use crate::tui::rows::Spot;
use crate::tui::session::Secret;
use crate::tui::theme::{Role, Theme};
use crate::tui::widgets::frame::{self, Labels};
use crate::tui::widgets::pen::Pen;
use crate::tui::widgets::text::{width, wrap_words};

/// An action that needs a confirmation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Asks {
    /// Show a secret.
    Reveal(Secret),
    /// Quit while a run still writes into the pipe.
    Quit,
    /// Copy a secret without showing it.
    CopySecret {
        /// The resource of the value. `None` for an output of the stack.
        id: Option<ResourceId>,
        /// The place of the value.
        spot: Spot,
    },
}

/// A question.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Question {
    /// The action to confirm.
    pub asks: Asks,
    /// The title.
    pub title: String,
    /// The question, in lines.
    pub lines: Vec<String>,
}

impl Question {
    /// Handles a command.
    pub fn update(&self, command: Command) -> Outcome {
        match command {
            Command::Accept => Outcome::Confirmed(self.asks.clone()),
            Command::Cancel => Outcome::Close,
            _ => Outcome::Done,
        }
    }

    /// Draws the overlay.
    pub fn view(&self, theme: &Theme, body: Rect, buffer: &mut Buffer) {
        let widest = self.lines.iter().map(|line| width(line)).max().unwrap_or(0);
        let room = (widest + 4).clamp(40, 90).min(usize::from(body.width));
        let text: Vec<&str> = self
            .lines
            .iter()
            .flat_map(|line| wrap_words(line, room.saturating_sub(4)))
            .collect();
        let area = centered(body, room, text.len() + 4);
        clear(area, buffer);
        let labels = Labels {
            title: self.title.clone(),
            status: String::new(),
            focused: true,
        };
        let pane = boxed(area);
        frame::draw(pane, &labels, theme, buffer);
        for (line, text) in (0..).zip(&text) {
            let mut pen = Pen::new(buffer, theme, pane.inner, line);
            pen.skip(1).put(text, Role::Text);
        }
        let mut pen = Pen::new(
            buffer,
            theme,
            pane.inner,
            pane.inner.height.saturating_sub(1),
        );
        pen.skip(1).put("y", Role::Hint).put(" yes    ", Role::Text);
        pen.put("[n", Role::Hint).put(" no]", Role::Text);
    }
}
