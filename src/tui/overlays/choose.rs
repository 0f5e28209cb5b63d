//! Commands to choose from: the help (`?`) and the palette (`:`). Typing narrows the list. Enter runs the selected command.

use super::Outcome;
use crate::tui::command::Motion;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::type_in::draw_prompt;
use super::{boxed, centered, clear};
use crate::tui::command::Command;
use crate::tui::keymap::{self, BINDINGS, Binding};
use crate::tui::theme::{Role, Theme};
use crate::tui::widgets::cursor::Cursor;
use crate::tui::widgets::frame::{self, Labels};
use crate::tui::widgets::pen::Pen;
use crate::tui::widgets::prompt::Prompt;
use crate::tui::widgets::text::plural;

/// The kind of list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Style {
    /// All keys under their headings.
    Help,
    /// Commands by name.
    Palette,
}

/// A list of commands.
#[derive(Clone, Debug)]
pub struct Choose {
    /// The kind of list.
    pub style: Style,
    /// The typed text.
    pub prompt: Prompt,
    /// The selected row among the matching commands.
    pub cursor: Cursor,
    matching: Vec<&'static Binding>,
}

impl Choose {
    /// The whole list, with nothing typed.
    pub fn new(style: Style) -> Self {
        let mut choose = Self {
            style,
            prompt: Prompt::default(),
            cursor: Cursor::default(),
            matching: Vec::new(),
        };
        choose.narrow();
        choose
    }

    /// Lists the commands that match all typed words. A word must be one of the keys, or be part of the name, the heading or the
    /// text.
    pub fn narrow(&mut self) {
        let typed = self.prompt.text().to_lowercase();
        let words: Vec<&str> = typed.split_whitespace().collect();
        self.matching = BINDINGS
            .iter()
            .filter(|binding| !binding.help.is_empty())
            .filter(|binding| self.style == Style::Help || !binding.name.is_empty())
            .filter(|binding| {
                let keys = keymap::all_spelled(binding);
                let text = format!("{} {} {}", binding.name, binding.group, binding.help);
                let text = text.to_lowercase();
                words
                    .iter()
                    .all(|word| text.contains(word) || keys.split(' ').any(|key| key == *word))
            })
            .collect();
        if self.style == Style::Help {
            // The table starts with special keys, but a person who learns the keys starts with moving.
            let groups = [
                "Move", "Fold", "Views", "Search", "Goto", "Deps", "Changes", "History", "Yank",
                "Secrets", "Other",
            ];
            self.matching.sort_by_key(|binding| {
                groups
                    .iter()
                    .position(|group| *group == binding.group)
                    .unwrap_or(groups.len())
            });
        } else {
            // A name that begins with the typed text ranks before one that contains it.
            self.matching
                .sort_by_key(|binding| (binding.name != typed, !binding.name.starts_with(&typed)));
        }
        self.cursor = Cursor::default();
    }

    /// Completes the prompt to the name of the selected command.
    pub fn complete(&mut self) {
        if let Some(binding) = self.matching.get(self.cursor.row) {
            self.prompt = Prompt::new(binding.name);
            self.narrow();
        }
    }

    /// The command that Enter runs, with its name.
    pub fn chosen(&self) -> Option<(Command, &'static str)> {
        let binding = self.matching.get(self.cursor.row)?;
        Some((binding.command, binding.name))
    }

    /// Moves the cursor.
    pub fn step(&mut self, delta: isize, body: Rect) {
        let height = usize::from(Self::area(body).height).saturating_sub(3);
        self.cursor.step(delta, self.matching.len(), height);
    }

    fn area(body: Rect) -> Rect {
        centered(body, 96, usize::from(body.height).saturating_sub(2).max(6))
    }

    /// Obeys a command.
    pub fn update(&mut self, command: Command, body: Rect) -> Outcome {
        match command {
            Command::Move(Motion::Down) => self.step(1, body),
            Command::Move(Motion::Up) => self.step(-1, body),
            Command::Move(Motion::PageDown) => self.step(10, body),
            Command::Move(Motion::PageUp) => self.step(-10, body),
            Command::Complete => self.complete(),
            Command::Accept => {
                return Outcome::Run {
                    chosen: self.chosen(),
                    typed: self.prompt.text().trim().to_owned(),
                    is_palette: self.style == Style::Palette,
                };
            }
            Command::Cancel => return Outcome::Close,
            _ => {}
        }
        Outcome::Done
    }

    /// Draws the overlay.
    pub fn view(&self, theme: &Theme, body: Rect, buffer: &mut Buffer) {
        let area = Self::area(body);
        clear(area, buffer);
        let labels = Labels {
            title: match self.style {
                Style::Help => "Keys · type to search · Enter run · Esc back".to_owned(),
                Style::Palette => "Commands · Tab complete · Enter run · Esc back".to_owned(),
            },
            status: plural(self.matching.len(), "command"),
            focused: true,
        };
        let pane = boxed(area);
        frame::draw(pane, &labels, theme, buffer);
        let area = pane.inner;
        let mut pen = Pen::new(buffer, theme, area, 0);
        pen.put(
            if self.style == Style::Help {
                " ?"
            } else {
                " :"
            },
            Role::Hint,
        );
        draw_prompt(&self.prompt, &mut pen, theme);
        let mut last_group = "";
        for line in 1..area.height {
            let row = self.cursor.top + usize::from(line) - 1;
            let Some(binding) = self.matching.get(row) else {
                break;
            };
            let mut pen = Pen::new(buffer, theme, area, line);
            let is_selected = row == self.cursor.row;
            pen.put(if is_selected { "▶" } else { " " }, Role::Focus);
            let keys = keymap::all_spelled(binding);
            if self.style == Style::Help {
                let group = if binding.group == last_group {
                    ""
                } else {
                    binding.group
                };
                let room = 10.max(group.len() + 1).min(22);
                pen.put(&format!("{group:<room$}"), Role::Title);
                pen.put(&format!("{keys:<14} "), Role::Hint);
            } else {
                pen.put(&format!("{:<20} ", binding.name), Role::Key);
                pen.put_right(&[crate::tui::rows::Span::new(keys, Role::Hint)]);
            }
            last_group = binding.group;
            pen.put(binding.help, Role::Text);
            if is_selected {
                let line = Rect::new(area.x, area.y + line, area.width, 1);
                theme.highlight(buffer, line, true);
            }
        }
    }
}
