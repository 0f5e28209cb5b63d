//! Commands to choose from: the help (`?`) and the palette (`:`). Typing narrows the list. Enter runs the selected command.

use super::Outcome;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::type_in::draw_prompt;
use super::{boxed, centered, clear};
use crate::tui::command::Command;
use crate::tui::keymap::{self, Binding, Scope};
use crate::tui::rows::Span;
use crate::tui::theme::{Role, Theme};
use crate::tui::widgets::cursor::Cursor;
use crate::tui::widgets::frame::{self, Labels};
use crate::tui::widgets::pen::Pen;
use crate::tui::widgets::prompt::{Prompt, Typing};
use crate::tui::widgets::text::{cells, plural};

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
    offered: Vec<&'static Binding>,
    matching: Vec<&'static Binding>,
}

/// A line of the help.
#[derive(Clone, Copy)]
enum Line {
    Heading(&'static str),
    /// A command, by its position in the list.
    Row(usize),
}

/// Minimum width of a column of the help.
const COLUMN: u16 = 52;

impl Choose {
    /// The list of these commands, with nothing typed.
    pub fn new(style: Style, offered: Vec<&'static Binding>) -> Self {
        let mut choose = Self {
            style,
            prompt: Prompt::default(),
            cursor: Cursor::default(),
            offered,
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
        let matches = |binding: &&&'static Binding| {
            let keys = match self.style {
                Style::Palette => keymap::keys_from_view(binding),
                Style::Help => keymap::all_spelled(binding),
            };
            let text = format!("{} {} {}", binding.name, binding.group, binding.help);
            let text = text.to_lowercase();
            words
                .iter()
                .all(|word| text.contains(word) || keys.split(' ').any(|key| key == *word))
        };
        self.matching = self.offered.iter().filter(matches).copied().collect();
        if self.style == Style::Palette {
            // A name that begins with the typed text ranks before one that contains it.
            self.matching
                .sort_by_key(|binding| (binding.name != typed, !binding.name.starts_with(&typed)));
        }
        self.cursor = Cursor::default();
    }

    /// Takes a key press or a pasted text. True if the text changed.
    pub fn input(&mut self, typing: Typing<'_>) -> bool {
        let has_changed = self.prompt.input(typing);
        if has_changed {
            self.narrow();
        }
        has_changed
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

    fn area(&self, body: Rect) -> Rect {
        let mut n_lines = self.matching.len();
        if self.style == Style::Help {
            let groups = self
                .matching
                .chunk_by(|one, other| one.group == other.group);
            n_lines += groups.count();
        }
        // The frame and the typed text.
        let height = (n_lines + 3).max(6);
        let most = usize::from(body.height).saturating_sub(2).max(6);
        centered(body, usize::from(COLUMN) * 3, height.min(most))
    }

    /// Handles a command.
    pub fn update(&mut self, command: Command, body: Rect) -> Outcome {
        match command {
            Command::Move(motion) => {
                let height = usize::from(self.area(body).height).saturating_sub(3);
                self.cursor.obey(motion, self.matching.len(), height);
            }
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
        let area = self.area(body);
        clear(area, buffer);
        let key = |command| keymap::key_in(Scope::Prompt, command);
        let (run, back) = (key(Command::Accept), key(Command::Cancel));
        let labels = match self.style {
            Style::Help => Labels {
                title: format!("Keys · type to search · {run} run · {back} back"),
                status: plural(self.matching.len(), "key"),
                focused: true,
            },
            Style::Palette => {
                let complete = key(Command::Complete);
                Labels {
                    title: format!("Commands · {complete} complete · {run} run · {back} back"),
                    status: plural(self.matching.len(), "command"),
                    focused: true,
                }
            }
        };
        let pane = boxed(area);
        frame::draw(pane, &labels, theme, buffer);
        let area = pane.inner;
        let mut pen = Pen::new(buffer, theme, area, 0);
        pen.put(
            match self.style {
                Style::Help => " ?",
                Style::Palette => " :",
            },
            Role::Hint,
        );
        draw_prompt(&self.prompt, &mut pen, theme);
        let list = Rect::new(
            area.x,
            area.y + area.height.min(1),
            area.width,
            area.height.saturating_sub(1),
        );
        if self.matching.is_empty() {
            let none = "nothing matches";
            Pen::new(buffer, theme, list, 0)
                .skip(1)
                .put(none, Role::Dim);
        }
        match self.style {
            Style::Help => self.draw_help(theme, list, buffer),
            Style::Palette => self.draw_palette(theme, list, buffer),
        }
    }

    /// Draws the page of keys with the selected one, in one or two columns.
    fn draw_help(&self, theme: &Theme, area: Rect, buffer: &mut Buffer) {
        let n_columns = (area.width / COLUMN).clamp(1, 2);
        let capacity = usize::from(area.height * n_columns);
        if capacity == 0 {
            return;
        }
        let (mut lines, mut selected, mut group) = (Vec::new(), 0, "");
        for (row, binding) in self.matching.iter().enumerate() {
            if binding.group != group {
                group = binding.group;
                lines.push(Line::Heading(group));
            }
            if row == self.cursor.row {
                selected = lines.len();
            }
            lines.push(Line::Row(row));
        }
        let first = selected / capacity * capacity;
        let width = area.width / n_columns;
        for (at, line) in lines.iter().skip(first).take(capacity).enumerate() {
            let (column, row) = (at / usize::from(area.height), at % usize::from(area.height));
            let cell = Rect::new(
                area.x + cells(column) * width,
                area.y + cells(row),
                width,
                1,
            );
            let mut pen = Pen::new(buffer, theme, cell, 0);
            match *line {
                Line::Heading(group) => {
                    pen.skip(1).put(group, Role::Title);
                }
                Line::Row(row) => {
                    let is_selected = row == self.cursor.row;
                    let binding = self.matching[row];
                    pen.put(if is_selected { "▶" } else { " " }, Role::Focus);
                    let keys = keymap::all_spelled(binding);
                    pen.put(&format!("  {keys:<13} "), Role::Hint);
                    pen.put(binding.help, Role::Text);
                    if is_selected {
                        theme.highlight(buffer, cell, true);
                    }
                }
            }
        }
    }

    fn draw_palette(&self, theme: &Theme, area: Rect, buffer: &mut Buffer) {
        for line in 0..area.height {
            let row = self.cursor.top + usize::from(line);
            let Some(binding) = self.matching.get(row) else {
                break;
            };
            let mut pen = Pen::new(buffer, theme, area, line);
            let is_selected = row == self.cursor.row;
            pen.put(if is_selected { "▶" } else { " " }, Role::Focus);
            pen.put(&format!("{:<20} ", binding.name), Role::Key);
            pen.put_right(&[Span::new(keymap::keys_from_view(binding), Role::Hint)]);
            pen.put(binding.help, Role::Text);
            if is_selected {
                let line = Rect::new(area.x, area.y + line, area.width, 1);
                theme.highlight(buffer, line, true);
            }
        }
    }
}
