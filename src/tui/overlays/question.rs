//! A question with yes or no. Anything but yes means no.

use super::popup::{Popup, RowUse};
use super::{Outcome, boxed, framed};
use crate::stack::ResourceId;
use crate::tui::command::Command;
use crate::tui::keymap::{self, Scope};
use crate::tui::popup::{Stage, Wanted};
use crate::tui::rows::Spot;
use crate::tui::session::Secret;
use crate::tui::theme::{Role, Theme};
use crate::tui::widgets::frame::Labels;
use crate::tui::widgets::pen::Pen;
use crate::tui::widgets::text::{cells, width, wrap_words};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

/// Widths of a question, in cells.
const WIDTHS: (usize, usize) = (40, 90);

/// The commands of the answers: yes, and no.
const ANSWERS: [Command; 2] = [Command::Accept, Command::Cancel];

/// Cells between the answers.
const GAP: u16 = 4;

/// The answers, each with its key in front: yes, and no, which Enter means too.
fn answers() -> [[String; 2]; 2] {
    let [yes, no] = ANSWERS.map(|command| keymap::key_in(Scope::Question, command));
    [
        [yes, " yes".to_owned()],
        [format!("[{no}"), " no]".to_owned()],
    ]
}

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
    /// The lines of the question in a popup of this width.
    fn text(&self, width: usize) -> Vec<&str> {
        let lines = self.lines.iter();
        lines
            .flat_map(|line| wrap_words(line, width.saturating_sub(4)))
            .collect()
    }

    /// The areas of the answers: yes, no.
    fn answers(&self, stage: Stage) -> [Rect; 2] {
        let inner = boxed(self.area(stage)).inner;
        let mut x = inner.x + 1;
        answers().map(|[key, word]| {
            let width = cells(width(&key) + width(&word));
            let area = Rect::new(x, inner.bottom().saturating_sub(1), width, 1);
            x += width + GAP;
            area.intersection(inner)
        })
    }
}

impl Popup for Question {
    fn scopes(&self) -> &'static [Scope] {
        &[Scope::Question]
    }

    /// Only the end of the program is not about the file.
    fn outlives_file(&mut self) -> bool {
        matches!(self.asks, Asks::Quit)
    }

    /// The answers are its rows.
    fn rows(&self, stage: Stage) -> Vec<(Rect, usize)> {
        self.answers(stage).into_iter().zip(0..).collect()
    }

    fn row_use(&self, row: usize) -> RowUse {
        RowUse::Choose(ANSWERS[row.min(1)])
    }

    fn update(&mut self, command: Command, _: Stage) -> Outcome {
        match command {
            Command::Accept => Outcome::Confirmed(self.asks.clone()),
            Command::Cancel => Outcome::Close,
            _ => Outcome::Nothing,
        }
    }

    /// The area of the popup: beside the value that it asks about. The end of the program is about no value.
    fn area(&self, stage: Stage) -> Rect {
        let widest = self.lines.iter().map(|line| width(line)).max().unwrap_or(0);
        let (min_width, most) = WIDTHS;
        let width = (widest + 4).clamp(min_width, most);
        let height = |width| self.text(width).len() + 4;
        match self.asks {
            Asks::Quit => {
                let width = width.min(usize::from(stage.body.width));
                stage.middle(width, height(width))
            }
            Asks::Reveal(_) | Asks::CopySecret { .. } => stage.beside(&Wanted {
                width,
                min_width,
                height,
            }),
        }
    }

    fn view(&self, theme: &Theme, stage: Stage, buffer: &mut Buffer) {
        let area = self.area(stage);
        let labels = Labels::of(self.title.clone(), "");
        let inner = framed(area, &labels, theme, buffer);
        for (line, text) in (0..).zip(self.text(usize::from(area.width))) {
            let mut pen = Pen::new(buffer, theme, inner, line);
            pen.skip(1).put(text, Role::Text);
        }
        for (area, [key, word]) in self.answers(stage).into_iter().zip(answers()) {
            super::clear(area, buffer);
            let mut pen = Pen::new(buffer, theme, area, 0);
            pen.put(&key, Role::Hint).put(&word, Role::Text);
        }
    }
}
