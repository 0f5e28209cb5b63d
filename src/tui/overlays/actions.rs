//! The sections of the list of changes with their numbers, to switch each on or off.

use super::popup::{Popup, walk};
use super::{Outcome, boxed, framed, width_around};
use crate::stack::Stack;
use crate::tui::command::Command;
use crate::tui::keymap::{self, Scope};
use crate::tui::panes::changes::Topic;
use crate::tui::popup::{Stage, Wanted};
use crate::tui::theme::{Role, Theme};
use crate::tui::widgets::cursor::Cursor;
use crate::tui::widgets::frame::Labels;
use crate::tui::widgets::list_area::ListArea;
use crate::tui::widgets::pen::Pen;
use crate::tui::widgets::text::{count, width};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

/// The sections to choose from.
#[derive(Clone, Debug)]
pub struct Actions {
    rows: Vec<(Topic, usize, bool)>,
    /// The names of the sections.
    names: Vec<&'static str>,
    pub(super) cursor: Cursor,
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

    fn labels() -> Labels {
        Labels {
            title: "Listed".to_owned(),
            status: keymap::hints(
                Scope::Pick,
                &[(Command::Accept, "switch"), (Command::Cancel, "back")],
            ),
            focused: true,
        }
    }

    /// The number of changes in a section.
    fn number(&self, row: usize) -> String {
        format!("  {}", count(self.rows[row].1 as u64))
    }

    fn list_area(&self, stage: Stage) -> ListArea {
        ListArea::new(boxed(self.area(stage)).inner, self.rows.len())
    }
}

impl Popup for Actions {
    fn scopes(&self) -> &'static [Scope] {
        &[Scope::Pick]
    }

    fn outlives_file(&mut self) -> bool {
        true
    }

    fn list(&self, stage: Stage) -> Option<(ListArea, Cursor)> {
        Some((self.list_area(stage), self.cursor))
    }

    fn cursor(&mut self) -> Option<&mut Cursor> {
        Some(&mut self.cursor)
    }

    /// The area of the popup: beside the list, so that the person sees what a switch does.
    fn area(&self, stage: Stage) -> Rect {
        let rows = self.names.iter().enumerate();
        let widths = rows.map(|(row, name)| 7 + width(name) + width(&self.number(row)));
        let width = width_around(&Self::labels(), widths.max().unwrap_or(0));
        stage.beside(&Wanted {
            width,
            min_width: width,
            height: |_| self.rows.len() + 2,
        })
    }

    fn update(&mut self, command: Command, stage: Stage) -> Outcome {
        match command {
            Command::Move(motion) => walk(self, motion, stage),
            Command::Accept => {
                let Some((topic, _, listed)) = self.rows.get_mut(self.cursor.row) else {
                    return Outcome::Nothing;
                };
                *listed = !*listed;
                return Outcome::Toggle(*topic);
            }
            Command::Cancel => return Outcome::Close,
            _ => return Outcome::Nothing,
        }
        Outcome::Done
    }

    fn view(&self, theme: &Theme, stage: Stage, buffer: &mut Buffer) {
        framed(self.area(stage), &Self::labels(), theme, buffer);
        let list = self.list_area(stage);
        list.draw(self.cursor, theme, buffer, |buffer, area, row| {
            let (topic, _, listed) = self.rows[row];
            let mut pen = Pen::new(buffer, theme, area, 0);
            pen.put(if listed { "[x] " } else { "[ ] " }, Role::Text);
            pen.put(&format!("{} ", topic.sign()), topic.role());
            pen.put(self.names[row], Role::Text);
            pen.put(&self.number(row), Role::Dim);
        });
    }
}
