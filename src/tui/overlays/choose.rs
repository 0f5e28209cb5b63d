//! Commands to choose from: the help (`?`) and the palette (`:`). Typing narrows the list. Enter runs the selected command.

use super::popup::{Popup, scroll_list};
use super::{Outcome, boxed, framed, width_around};
use crate::stack::Action;
use crate::tui::changes::words::{DRIFT_SIGN, INVOKED_SIGN, OUTPUTS_SIGN};
use crate::tui::command::Command;
use crate::tui::keymap::{self, Binding, Scope};
use crate::tui::popup::Stage;
use crate::tui::rows::Span;
use crate::tui::theme::{Role, Theme};
use crate::tui::widgets::cursor::{Cursor, Page, Scroll};
use crate::tui::widgets::frame::Labels;
use crate::tui::widgets::list_area::ListArea;
use crate::tui::widgets::pen::{Pen, below};
use crate::tui::widgets::prompt::{Prompt, Typing, draw_prompt};
use crate::tui::widgets::text::{cells, plural, width};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

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
#[derive(Clone, Copy, PartialEq, Eq)]
enum Line {
    Heading(&'static str),
    /// A command, by its position in the list.
    Row(usize),
    /// A sign of the lists, and its meaning.
    Sign(&'static str, &'static str),
}

/// The signs besides those of actions.
const SIGNS: [(&str, &str); 6] = [
    (DRIFT_SIGN, "changed outside: it happened already"),
    (OUTPUTS_SIGN, "outputs that change"),
    (INVOKED_SIGN, "actions that are invoked"),
    ("-/+", "replace: the old one is destroyed first"),
    ("+/-", "replace: the new one is created first"),
    ("↗", "a value that leads to another resource"),
];

/// All signs, with what they mean.
fn signs() -> impl Iterator<Item = (&'static str, &'static str)> {
    let actions = Action::ALL.into_iter().filter(|it| *it != Action::Noop);
    let actions = actions.map(|action| (action.sign(), action.name()));
    actions.chain(SIGNS)
}

/// Minimum width of a column of the help.
const COLUMN: u16 = 52;

/// Width of the column of keys in the help. Longer ones push the text beside them.
const KEYS: usize = 9;

/// Cells of a row of the help around its keys.
const BESIDE_KEYS: usize = 4;

/// Maximum width of the palette. A longer text ends in `…`.
const MAX_PALETTE: usize = 104;

/// Width of the column of names in the palette.
const NAME: usize = 20;

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

    /// Completes the prompt to the name of the selected command. False if there is no command, or its name is typed.
    pub fn complete(&mut self) -> bool {
        let selected = self.matching.get(self.cursor.row);
        let Some(binding) = selected.filter(|it| it.name != self.prompt.text()) else {
            return false;
        };
        self.prompt = Prompt::new(binding.name);
        self.narrow();
        true
    }

    /// The command that Enter runs, with its name.
    pub fn chosen(&self) -> Option<(Command, &'static str)> {
        let binding = self.matching.get(self.cursor.row)?;
        Some((binding.command, binding.name))
    }

    fn labels(&self) -> Labels {
        let key = |command| keymap::key_in(Scope::Prompt, command);
        let (run, back) = (key(Command::Accept), key(Command::Cancel));
        let complete = key(Command::Complete);
        let (title, noun) = match self.style {
            Style::Help => (
                format!("Keys · type to search · {run} run · {back} back"),
                "key",
            ),
            Style::Palette => (
                format!("Commands · {complete} complete · {run} run · {back} back"),
                "command",
            ),
        };
        Labels::of(title, plural(self.matching.len(), noun))
    }

    /// The area below the typed text.
    fn list_area(&self, stage: Stage) -> Rect {
        below(boxed(self.area(stage)).inner, 1)
    }

    /// The lines of the help: the keys of the view, the signs, then all other keys.
    fn lines(&self) -> Vec<Line> {
        let (mut lines, mut group) = (Vec::new(), "");
        let mut signs = self.signs();
        for (row, binding) in self.matching.iter().enumerate() {
            if binding.group != group {
                if !group.is_empty() {
                    lines.append(&mut signs);
                }
                group = binding.group;
                lines.push(Line::Heading(group));
            }
            lines.push(Line::Row(row));
        }
        lines.append(&mut signs);
        lines
    }

    /// The signs that match all typed words, below their heading.
    fn signs(&self) -> Vec<Line> {
        const HEADING: &str = "Signs";
        let typed = self.prompt.text().to_lowercase();
        let matches = |(sign, meaning): &(&str, &str)| {
            let text = format!("{sign} {meaning} {}", HEADING.to_lowercase());
            typed.split_whitespace().all(|word| text.contains(word))
        };
        let signs = signs().filter(matches);
        let signs = signs.map(|(sign, meaning)| Line::Sign(sign, meaning));
        let mut lines: Vec<Line> = signs.collect();
        if self.style == Style::Palette || lines.is_empty() {
            return Vec::new();
        }
        lines.insert(0, Line::Heading(HEADING));
        lines
    }

    /// The lines of the help on the screen, in one or two columns, each with its place.
    fn cells(&self, stage: Stage) -> Vec<(Rect, Line)> {
        let area = self.list_area(stage);
        let n_columns = (area.width / COLUMN).clamp(1, 2);
        let capacity = usize::from(area.height * n_columns);
        if capacity == 0 {
            return Vec::new();
        }
        let lines = self.lines();
        let is_selected = |line: &Line| *line == Line::Row(self.cursor.row);
        let selected = lines.iter().position(is_selected).unwrap_or(0);
        let first = selected / capacity * capacity;
        let width = area.width / n_columns;
        let height = usize::from(area.height);
        let shown = lines.into_iter().skip(first).take(capacity).enumerate();
        let placed = shown.map(|(at, line)| {
            let (column, row) = (cells(at / height), cells(at % height));
            let place = Rect::new(area.x + column * width, area.y + row, width, 1);
            (place, line)
        });
        placed.collect()
    }

    /// The rows of the help on the screen.
    pub(super) fn help_rows(&self, stage: Stage) -> Vec<(Rect, usize)> {
        let rows = self.cells(stage).into_iter();
        let rows = rows.filter_map(|(area, line)| match line {
            Line::Heading(_) | Line::Sign(..) => None,
            Line::Row(row) => Some((area, row)),
        });
        rows.collect()
    }

    /// Moves the cursor by `delta` rows.
    pub(super) fn step(&mut self, delta: isize, stage: Stage) {
        let height = usize::from(self.list_area(stage).height);
        self.cursor
            .step(delta, Page::flat(self.matching.len(), height));
    }

    /// The text of the selected row of the help, if the row ends in `…`.
    fn cut_help(&self, stage: Stage) -> Option<&'static str> {
        let binding = self.matching.get(self.cursor.row)?;
        let cells = self.cells(stage);
        let (cell, _) = cells
            .iter()
            .find(|(_, line)| *line == Line::Row(self.cursor.row))?;
        let room = usize::from(cell.width)
            .saturating_sub(BESIDE_KEYS + width(&keymap::all_spelled(binding)).max(KEYS));
        Some(binding.help).filter(|help| width(help) > room)
    }

    fn draw_help(&self, theme: &Theme, stage: Stage, buffer: &mut Buffer) {
        for (cell, line) in self.cells(stage) {
            let mut pen = Pen::new(buffer, theme, cell, 0);
            match line {
                Line::Heading(group) => {
                    pen.skip(1).put(group, Role::Title);
                }
                Line::Sign(sign, meaning) => {
                    pen.put(&format!("   {sign:<KEYS$} "), Role::Key);
                    pen.put(meaning, Role::Text);
                }
                Line::Row(row) => {
                    let is_selected = row == self.cursor.row;
                    let binding = self.matching[row];
                    pen.put(if is_selected { "▶" } else { " " }, Role::Focus);
                    let keys = keymap::all_spelled(binding);
                    pen.put(&format!("  {keys:<KEYS$} "), Role::Hint);
                    pen.put(binding.help, Role::Text);
                    if is_selected {
                        theme.highlight(buffer, cell, true);
                    }
                }
            }
        }
    }

    /// The rows on the screen, while commands are listed by name.
    fn palette(&self, stage: Stage) -> Option<ListArea> {
        match self.style {
            Style::Help => None,
            Style::Palette => Some(ListArea::new(self.list_area(stage), self.matching.len())),
        }
    }
}

impl Popup for Choose {
    fn scopes(&self) -> &'static [Scope] {
        &[Scope::Prompt]
    }

    fn outlives_file(&mut self) -> bool {
        true
    }

    fn list(&self, stage: Stage) -> Option<(ListArea, Cursor)> {
        Some((self.palette(stage)?, self.cursor))
    }

    fn cursor(&mut self) -> Option<&mut Cursor> {
        Some(&mut self.cursor)
    }

    fn selected(&self, _: Stage) -> Option<usize> {
        (!self.matching.is_empty()).then_some(self.cursor.row)
    }

    fn rows(&self, stage: Stage) -> Vec<(Rect, usize)> {
        match self.palette(stage) {
            Some(list) => list.rows(self.cursor.top).collect(),
            None => self.help_rows(stage),
        }
    }

    fn scroll(&mut self, scroll: Scroll, stage: Stage) -> Outcome {
        match (self.style, scroll) {
            (Style::Palette, _) => return scroll_list(self, scroll, stage),
            (Style::Help, Scroll::By(delta)) => self.step(delta, stage),
            // The help has no scrollbar.
            (Style::Help, Scroll::To(_)) => {}
        }
        Outcome::Done
    }

    fn input(&mut self, typing: Typing<'_>, _: Stage) -> Outcome {
        if self.prompt.input(typing) {
            self.narrow();
        }
        Outcome::Done
    }

    /// The area of the popup. Its width does not change while the person types.
    fn area(&self, stage: Stage) -> Rect {
        let most = usize::from(stage.body.height).saturating_sub(2).max(6);
        let (n_lines, width) = match self.style {
            Style::Help => (self.lines().len(), usize::from(COLUMN) * 3),
            Style::Palette => {
                let texts = self.offered.iter().map(|it| {
                    let keys = keymap::keys_from_view(it);
                    NAME + 4 + width(it.help) + width(&keys)
                });
                let widest = texts.max().unwrap_or(0);
                (
                    self.matching.len(),
                    width_around(&self.labels(), widest).min(MAX_PALETTE),
                )
            }
        };
        // The frame and the typed text.
        let height = (n_lines + 3).max(6);
        stage.middle(width, height.min(most))
    }

    /// The rows on the screen, while commands are listed by name.
    fn update(&mut self, command: Command, stage: Stage) -> Outcome {
        match command {
            Command::Move(motion) => {
                let height = usize::from(self.list_area(stage).height);
                self.cursor
                    .obey(motion, Page::flat(self.matching.len(), height));
            }
            Command::Complete if !self.complete() => return Outcome::Nothing,
            Command::Complete => {}
            Command::Accept => {
                return Outcome::Run {
                    chosen: self.chosen(),
                    typed: self.prompt.text().trim().to_owned(),
                    is_palette: self.style == Style::Palette,
                };
            }
            Command::Cancel => return Outcome::Close,
            _ => return Outcome::Nothing,
        }
        Outcome::Done
    }

    fn view(&self, theme: &Theme, stage: Stage, buffer: &mut Buffer) {
        let mut labels = self.labels();
        if let Style::Help = self.style
            && let Some(help) = self.cut_help(stage)
        {
            help.clone_into(&mut labels.status);
        }
        let inner = framed(self.area(stage), &labels, theme, buffer);
        let mut pen = Pen::new(buffer, theme, inner, 0);
        pen.put(
            match self.style {
                Style::Help => " ?",
                Style::Palette => " :",
            },
            Role::Hint,
        );
        draw_prompt(&self.prompt, &mut pen, theme);
        if self.matching.is_empty() && self.lines().is_empty() {
            let none = "nothing matches";
            Pen::new(buffer, theme, self.list_area(stage), 0)
                .skip(1)
                .put(none, Role::Dim);
        }
        match self.palette(stage) {
            None => self.draw_help(theme, stage, buffer),
            Some(list) => list.draw(self.cursor, theme, buffer, |buffer, area, row| {
                let binding = self.matching[row];
                let mut pen = Pen::new(buffer, theme, area, 0);
                pen.put(&format!("{:<NAME$} ", binding.name), Role::Key);
                pen.put_right(&[Span::new(keymap::keys_from_view(binding), Role::Hint)]);
                pen.put(binding.help, Role::Text);
            }),
        }
    }
}
