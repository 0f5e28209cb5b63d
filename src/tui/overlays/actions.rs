//! The sections of the list of changes with their numbers, to switch each on or off.

use super::Outcome;
use crate::tui::command::Command;
use crate::tui::keymap::{self, Scope};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::{boxed, centered, clear};
use crate::stack::Stack;
use crate::tui::panes::changes::Topic;
use crate::tui::theme::{Role, Theme};
use crate::tui::widgets::cursor::Cursor;
use crate::tui::widgets::frame::{self, Labels};
use crate::tui::widgets::pen::Pen;
use crate::tui::widgets::text::count;

/// The sections to choose from.
#[derive(Clone, Debug)]
pub struct Actions {
    rows: Vec<(Topic, usize, bool)>,
    /// The names of the sections.
    names: Vec<&'static str>,
    cursor: Cursor,
}

impl Actions {
    /// The sections, each with its number of changes and true if they are listed.
    pub fn new(stack: &Stack, rows: Vec<(Topic, usize, bool)>) -> Self {
        Self {
            names: rows.iter().map(|row| row.0.name(stack)).collect(),
            rows,
            cursor: Cursor::default(),
        }
    }

    /// Handles a command.
    pub fn update(&mut self, command: Command) -> Outcome {
        let len = self.rows.len();
        match command {
            Command::Move(motion) => self.cursor.obey(motion, len, len),
            Command::Accept => {
                if let Some((topic, _, listed)) = self.rows.get_mut(self.cursor.row) {
                    *listed = !*listed;
                    return Outcome::Toggle(*topic);
                }
            }
            Command::Cancel => return Outcome::Close,
            _ => {}
        }
        Outcome::Done
    }

    /// Draws the overlay.
    pub fn view(&self, theme: &Theme, body: Rect, buffer: &mut Buffer) {
        let area = centered(body, 44, self.rows.len() + 2);
        clear(area, buffer);
        let labels = Labels {
            title: "Listed".to_owned(),
            status: keymap::hints(
                Scope::Pick,
                &[(Command::Accept, "switch"), (Command::Cancel, "back")],
            ),
            focused: true,
        };
        let pane = boxed(area);
        frame::draw(pane, &labels, theme, buffer);
        let area = pane.inner;
        for (line, (index, (topic, number, listed))) in
            (0..area.height).zip(self.rows.iter().enumerate())
        {
            let is_selected = index == self.cursor.row;
            let mut pen = Pen::new(buffer, theme, area, line);
            pen.put(if is_selected { "▶" } else { " " }, Role::Focus);
            pen.put(if *listed { "[x] " } else { "[ ] " }, Role::Text);
            pen.put(&format!("{} ", topic.sign()), topic.role());
            pen.put(self.names[index], Role::Text);
            pen.put(&format!("  {}", count(*number as u64)), Role::Dim);
            if is_selected {
                let line = Rect::new(area.x, area.y + line, area.width, 1);
                theme.highlight(buffer, line, true);
            }
        }
    }
}
