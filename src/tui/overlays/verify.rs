//! The progress of hashing an asset or an archive in the background.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::Outcome;
use super::popup::Popup;
use super::text::TextLine;
use super::{framed, width_around};
use crate::render::plain;
use crate::tui::command::Command;
use crate::tui::jobs::Ticket;
use crate::tui::keymap::{self, Scope};
use crate::tui::popup::{Stage, Wanted};
use crate::tui::theme::{Role, Theme};
use crate::tui::widgets::frame::Labels;
use crate::tui::widgets::pen::{Pen, width_of};

/// Cells for the progress.
const PROGRESS: usize = 40;

/// A hash that is being computed.
#[derive(Debug)]
pub struct Verify {
    /// The name of the asset or archive, escaped.
    pub title: String,
    /// Facts that the file records about it.
    pub facts: Vec<TextLine>,
    /// Number of bytes read.
    pub n_read: u64,
    /// Total number of bytes, if it is known.
    pub size: Option<u64>,
    /// The work, which ends with this popup.
    pub ticket: Ticket,
}

impl Verify {
    fn labels(&self) -> Labels {
        Labels {
            title: self.title.clone(),
            status: keymap::hints(Scope::Text, &[(Command::Cancel, "stop")]),
            focused: true,
        }
    }
}

impl Popup for Verify {
    fn scopes(&self) -> &'static [Scope] {
        &[Scope::Text]
    }

    fn update(&mut self, command: Command, _: Stage) -> Outcome {
        match command {
            Command::Cancel => Outcome::Close,
            _ => Outcome::Nothing,
        }
    }

    fn area(&self, stage: Stage) -> Rect {
        // An archive has many members; more than a screen of them does not matter.
        let facts = self.facts.iter().take(usize::from(stage.body.height));
        let widest = facts.map(|fact| width_of(&fact.spans)).max().unwrap_or(0);
        let width = width_around(&self.labels(), widest.max(PROGRESS));
        stage.beside(&Wanted {
            width,
            min_width: PROGRESS,
            height: |_| self.facts.len() + 4,
        })
    }

    fn view(&self, theme: &Theme, stage: Stage, buffer: &mut Buffer) {
        let inner = framed(self.area(stage), &self.labels(), theme, buffer);
        let last = inner.height.saturating_sub(1);
        for (line, fact) in (0..last).zip(&self.facts) {
            let mut pen = Pen::new(buffer, theme, inner, line);
            pen.skip(1).put_all(&fact.spans);
        }
        let mut pen = Pen::new(buffer, theme, inner, last);
        let progress = match self.size.filter(|size| *size > 0) {
            Some(size) => {
                let tenths = self.n_read.min(size).saturating_mul(10) / size;
                let filled = usize::try_from(tenths).unwrap_or(10).min(10);
                let bar = "▓".repeat(filled) + &"░".repeat(10 - filled);
                format!(
                    "{bar} {} of {}",
                    plain::size(self.n_read),
                    plain::size(size)
                )
            }
            None => format!("reading {}", plain::size(self.n_read)),
        };
        pen.skip(1).put(&progress, Role::Badge);
    }
}
