//! The progress of hashing an asset or an archive in the background.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::text::TextLine;
use super::{boxed, centered, clear};
use crate::render::plain;
use crate::tui::command::Command;
use crate::tui::jobs::Cancel;
use crate::tui::keymap::{self, Scope};
use crate::tui::theme::{Role, Theme};
use crate::tui::widgets::frame::{self, Labels};
use crate::tui::widgets::pen::Pen;

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
    /// Ends the work.
    pub stop: Cancel,
}

impl Verify {
    /// Draws the overlay.
    pub fn view(&self, theme: &Theme, body: Rect, buffer: &mut Buffer) {
        let area = centered(body, 76, self.facts.len() + 4);
        clear(area, buffer);
        let labels = Labels {
            title: self.title.clone(),
            status: keymap::hints(Scope::Text, &[(Command::Cancel, "stop")]),
            focused: true,
        };
        let pane = boxed(area);
        frame::draw(pane, &labels, theme, buffer);
        let mut line = 0;
        for fact in &self.facts {
            let mut pen = Pen::new(buffer, theme, pane.inner, line);
            pen.skip(1).put_all(&fact.spans);
            line += 1;
        }
        let mut pen = Pen::new(buffer, theme, pane.inner, line + 1);
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
