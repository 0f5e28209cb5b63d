//! Hashing an asset or an archive in the background: how far it is.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::text::TextLine;
use super::{boxed, centered, clear};
use crate::render::plain;
use crate::tui::theme::{Role, Theme};
use crate::tui::widgets::frame::{self, Labels};
use crate::tui::widgets::pen::Pen;

/// Work under way.
#[derive(Debug)]
pub struct Verify {
    /// Its ticket.
    pub ticket: u64,
    /// What is hashed, escaped.
    pub title: String,
    /// What the file says of it.
    pub facts: Vec<TextLine>,
    /// How many bytes were read.
    pub n_read: u64,
    /// How many there are, where that is known.
    pub size: Option<u64>,
    /// Ends the work.
    pub stop: Arc<AtomicBool>,
}

impl Verify {
    /// Draws it.
    pub fn view(&self, theme: &Theme, body: Rect, buffer: &mut Buffer) {
        let area = centered(body, 76, self.facts.len() + 4);
        clear(area, buffer);
        let labels = Labels {
            title: self.title.clone(),
            status: "Esc stops".to_owned(),
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
