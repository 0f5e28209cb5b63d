//! Commands to choose from: the help (`?`) and the palette (`:`). Typing narrows the list. Enter runs the selected command.

use std::ops::Range;

use ratatui::layout::Rect;

use super::Outcome;
use super::menu::{Menu, MenuPopup};
use crate::stack::Action;
use crate::tui::changes::words::{DRIFT_SIGN, INVOKED_SIGN, OUTPUTS_SIGN};
use crate::tui::command::{Command, View};
use crate::tui::keymap::{self, Binding, Scope};
use crate::tui::outline::Strip;
use crate::tui::popup::{Stage, Wanted};
use crate::tui::rows::Span;
use crate::tui::theme::Role;
use crate::tui::widgets::cursor::Cursor;
use crate::tui::widgets::frame::Labels;
use crate::tui::widgets::prompt::{Prompt, Typing};
use crate::tui::widgets::text::{plural, width};

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
    style: Style,
    /// The typed text.
    prompt: Prompt,
    offered: Vec<&'static Binding>,
    lines: Vec<Line>,
}

/// A line of the list.
#[derive(Clone, Copy, Debug)]
enum Line {
    Heading(&'static str),
    Row(&'static Binding),
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

/// The word for Enter.
const RUN: &str = "run";

/// Minimum width of a column of the help.
const COLUMN: u16 = 52;

/// Width of the column of keys in the help. Longer ones push the text beside them.
const KEYS: usize = 9;

/// Cells of a row of the help around its keys and its text.
const AROUND: usize = 4;

/// Maximum width of the palette. A longer text ends in `…`.
const MAX_PALETTE: usize = 104;

/// Width of the column of names in the palette.
const NAME: usize = 20;

/// Minimum number of lines of the list, with its frame.
const MIN_HEIGHT: usize = 6;

impl Choose {
    /// The list of these commands, with nothing typed.
    pub fn popup(style: Style, offered: Vec<&'static Binding>) -> MenuPopup<Self> {
        let mut choose = Self {
            style,
            prompt: Prompt::default(),
            offered,
            lines: Vec::new(),
        };
        choose.narrow();
        MenuPopup::new(choose)
    }

    /// Lists the commands that match all typed words. A word must be one of the keys, or be part of the name, the heading or the
    /// text.
    fn narrow(&mut self) {
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
        let mut matching: Vec<_> = self.offered.iter().filter(matches).copied().collect();
        self.lines = match self.style {
            Style::Palette => {
                // A name that begins with the typed text ranks before one that contains it.
                matching.sort_by_key(|it| (it.name != typed, !it.name.starts_with(&typed)));
                matching.into_iter().map(Line::Row).collect()
            }
            Style::Help => headed(&matching, signs_with(&words)),
        };
    }

    /// The command on a line.
    fn binding(&self, row: usize) -> Option<&'static Binding> {
        match *self.lines.get(row)? {
            Line::Row(binding) => Some(binding),
            Line::Heading(_) | Line::Sign(..) => None,
        }
    }

    /// Completes the prompt to the name of a command. False if it is typed.
    fn complete(&mut self, row: usize) -> bool {
        let selected = self.binding(row);
        let Some(binding) = selected.filter(|it| it.name != self.prompt.text()) else {
            return false;
        };
        self.prompt = Prompt::new(binding.name);
        self.narrow();
        true
    }

    /// Runs a command, or else what was typed.
    fn run(&self, binding: Option<&'static Binding>) -> Outcome {
        Outcome::Run {
            chosen: binding.map(|it| (it.command, it.name)),
            typed: self.prompt.text().trim().to_owned(),
            style: self.style,
        }
    }
}

/// All keys for the help: those that only this place has first, then the others in the order in which a person learns them.
pub fn keys(view: View, scopes: &[Scope]) -> Vec<&'static Binding> {
    /// The groups after those of the view: these, those of the other views, and those at the end. The groups of overlays follow in
    /// the order of the table.
    const FIRST: [&str; 5] = ["Move", "Fold", "Views", "Search", "Goto"];
    const LAST: [&str; 4] = ["History", "Yank", "Secrets", "Other"];
    let of_views = View::ALL.map(|view| view.row().group);
    let groups: Vec<&str> = FIRST.into_iter().chain(of_views).chain(LAST).collect();
    let own = view.row().group;
    let is_open = scopes.contains(&Scope::Timeline);
    let bindings = keymap::bindings().iter();
    let mut keys: Vec<_> = bindings.filter(|it| !it.help.is_empty()).collect();
    keys.sort_by_key(|binding| {
        let is_own = binding.group == own || is_open && binding.scope == Scope::Timeline;
        let place = groups.iter().position(|group| *group == binding.group);
        (!is_own, place.unwrap_or(groups.len()))
    });
    keys
}

/// The lines of the help: the keys of the view, the signs, then all other keys.
fn headed(matching: &[&'static Binding], mut signs: Vec<Line>) -> Vec<Line> {
    let (mut lines, mut group) = (Vec::new(), "");
    for binding in matching {
        if binding.group != group {
            if !group.is_empty() {
                lines.append(&mut signs);
            }
            group = binding.group;
            lines.push(Line::Heading(group));
        }
        lines.push(Line::Row(binding));
    }
    lines.append(&mut signs);
    lines
}

/// The signs that match all words, below their heading.
fn signs_with(words: &[&str]) -> Vec<Line> {
    const HEADING: &str = "Signs";
    let matches = |(sign, meaning): &(&str, &str)| {
        let text = format!("{sign} {meaning} {}", HEADING.to_lowercase());
        words.iter().all(|word| text.contains(word))
    };
    let signs = signs().filter(matches);
    let mut lines: Vec<Line> = signs
        .map(|(sign, meaning)| Line::Sign(sign, meaning))
        .collect();
    if !lines.is_empty() {
        lines.insert(0, Line::Heading(HEADING));
    }
    lines
}

impl Menu for Choose {
    const SCOPES: &'static [Scope] = &[Scope::Prompt];

    fn labels(&self) -> Labels {
        let choices = keymap::choices(Scope::Prompt, RUN);
        let (title, noun) = match self.style {
            Style::Help => (format!("Keys · type to search · {choices}"), "key"),
            Style::Palette => {
                let complete = keymap::key_in(Scope::Prompt, Command::Complete);
                let title = format!("Commands · {complete} complete · {choices}");
                (title, "command")
            }
        };
        let rows = 0..self.lines.len();
        let n = rows.filter_map(|row| self.binding(row)).count();
        Labels::of(title, plural(n, noun))
    }

    /// The whole text of the selected row of the help, if the row ends in `…`.
    fn frame(&self, row: usize, _shown: Range<usize>, room: usize) -> Labels {
        let mut labels = self.labels();
        if let Some(binding) = self.binding(row).filter(|_| self.style == Style::Help) {
            let inside = u16::try_from(room.saturating_sub(3)).unwrap_or(u16::MAX);
            let column = usize::from(inside / self.n_columns(inside));
            let keys = width(&keymap::all_spelled(binding)).max(KEYS);
            if width(binding.help) + keys + AROUND > column {
                binding.help.clone_into(&mut labels.status);
            }
        }
        labels
    }

    fn n_rows(&self) -> usize {
        self.lines.len()
    }

    fn is_heading(&self, row: usize) -> bool {
        self.binding(row).is_none()
    }

    fn n_columns(&self, room: u16) -> u16 {
        match self.style {
            Style::Help => (room / COLUMN).clamp(1, 2),
            Style::Palette => 1,
        }
    }

    fn line(&self, row: usize, _room: usize) -> Strip {
        match (self.lines[row], self.style) {
            (Line::Heading(group), _) => vec![Span::new(group, Role::Title)].into(),
            (Line::Sign(sign, meaning), _) => vec![
                Span::new(format!("  {sign:<KEYS$} "), Role::Key),
                Span::new(meaning, Role::Text),
            ]
            .into(),
            (Line::Row(binding), Style::Help) => {
                let keys = keymap::all_spelled(binding);
                let keys = Span::new(format!("  {keys:<KEYS$} "), Role::Hint);
                vec![keys, Span::new(binding.help, Role::Text)].into()
            }
            (Line::Row(binding), Style::Palette) => {
                let name = Span::new(format!("{:<NAME$} ", binding.name), Role::Key);
                let keys = Span::new(keymap::keys_from_view(binding), Role::Hint);
                Strip::from(vec![name, Span::new(binding.help, Role::Text)]).ending(vec![keys])
            }
        }
    }

    fn accept_word(&self) -> Option<&'static str> {
        Some(RUN)
    }

    /// It does not change while the person types.
    fn width(&self) -> usize {
        let texts = self.offered.iter().map(|it| {
            let keys = keymap::keys_from_view(it);
            NAME + 5 + width(it.help) + width(&keys)
        });
        match self.style {
            Style::Help => usize::from(COLUMN) * 3,
            Style::Palette => texts.max().unwrap_or(0),
        }
    }

    fn prompt(&self) -> Option<(&'static str, &Prompt)> {
        let sign = match self.style {
            Style::Help => " ?",
            Style::Palette => " :",
        };
        Some((sign, &self.prompt))
    }

    fn take_typed(&mut self, typing: Typing<'_>) -> bool {
        let is_new = self.prompt.input(typing);
        if is_new {
            self.narrow();
        }
        is_new
    }

    fn remark(&self) -> &'static str {
        "nothing matches"
    }

    fn choose(&mut self, row: usize) -> Outcome {
        self.run(self.binding(row))
    }

    fn obey(&mut self, command: Command, cursor: &mut Cursor) -> Outcome {
        match command {
            Command::Complete if self.complete(cursor.row) => {
                *cursor = Cursor::default();
                Outcome::Done
            }
            // Nothing is listed.
            Command::Accept => self.run(None),
            _ => Outcome::Nothing,
        }
    }

    fn place(&self, wanted: &Wanted<&dyn Fn(usize) -> usize>, stage: Stage) -> Rect {
        let most = usize::from(stage.body.height)
            .saturating_sub(2)
            .max(MIN_HEIGHT);
        let width = match self.style {
            Style::Help => wanted.width,
            Style::Palette => wanted.width.min(MAX_PALETTE),
        };
        stage.middle(width, (wanted.height)(width).clamp(MIN_HEIGHT, most))
    }
}
