//! A line to type in, with its purpose.

use super::popup::Popup;
use super::{Outcome, clear};
use crate::tui::command::Command;
use crate::tui::keymap::{self, Scope};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Modifier;

use super::framed;
use crate::stack::ChangeId;
use crate::tui::layout::Pane;
use crate::tui::popup::Stage;
use crate::tui::rows::shown;
use crate::tui::theme::{Role, Theme};
use crate::tui::widgets::frame::{self, Labels};
use crate::tui::widgets::pen::{Pen, below};
use crate::tui::widgets::prompt::{Prompt, Typing};
use crate::tui::widgets::text::{fit_end, plural, prefix, width};

/// The purpose of the typed line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Purpose {
    /// Go to the resource with this URN, address, name or id.
    Goto,
    /// Write a note on these changes.
    Note(Vec<ChangeId>),
}

/// A line to type in.
#[derive(Clone, Debug)]
pub struct TypeIn {
    /// The purpose of the line.
    pub purpose: Purpose,
    /// The typed text.
    pub prompt: Prompt,
    /// The reason for which the typed text was rejected; empty if it was not.
    pub complaint: String,
}

impl TypeIn {
    /// An empty line.
    pub fn new(purpose: Purpose) -> Self {
        Self {
            purpose,
            prompt: Prompt::default(),
            complaint: String::new(),
        }
    }

    /// A line that begins with this text.
    #[must_use]
    pub fn with_text(self, text: String) -> Self {
        Self {
            prompt: Prompt::new(text),
            ..self
        }
    }
}

impl Popup for TypeIn {
    fn obeys(&self, command: Command) -> bool {
        matches!(command, Command::Accept | Command::Cancel)
    }

    fn scopes(&self) -> &'static [Scope] {
        &[Scope::Prompt]
    }

    /// A note is on changes of the file.
    fn outlives_file(&mut self) -> bool {
        match self.purpose {
            Purpose::Goto => true,
            Purpose::Note(_) => false,
        }
    }

    fn update(&mut self, command: Command, _: Stage) -> Outcome {
        let text = || self.prompt.text().trim().to_owned();
        match command {
            Command::Accept => match &self.purpose {
                Purpose::Goto => Outcome::Typed(text()),
                Purpose::Note(changes) => Outcome::Noted(changes.clone(), text()),
            },
            Command::Cancel => Outcome::Close,
            _ => Outcome::Nothing,
        }
    }

    fn input(&mut self, typing: Typing<'_>, _: Stage) -> Outcome {
        if self.prompt.input(typing) {
            self.complaint.clear();
        }
        Outcome::Done
    }

    fn area(&self, stage: Stage) -> Rect {
        stage.middle(90, 4)
    }

    fn view(&self, theme: &Theme, stage: Stage, buffer: &mut Buffer) {
        let (title, verb) = match &self.purpose {
            Purpose::Goto => ("Go to a URN, an address or a name".to_owned(), "go to"),
            Purpose::Note(changes) => (
                format!("Note on {}", plural(changes.len(), "change")),
                "keep",
            ),
        };
        let labels = Labels::of(title, keymap::choices(Scope::Prompt, verb));
        let inner = framed(self.area(stage), &labels, theme, buffer);
        draw_prompt(&self.prompt, &mut Pen::new(buffer, theme, inner, 0), theme);
        Pen::new(buffer, theme, inner, 1)
            .skip(1)
            .put(&self.complaint, Role::Danger);
    }
}

/// The column of a place in the prompt of a bar, as far as half of its room.
pub fn caret(prompt: &Prompt, offset: usize, room: usize) -> usize {
    let before = prompt.text().get(..offset).unwrap_or_default();
    (3 + width(&shown(before))).min(room / 2)
}

/// Draws the frame and the prompt of a bar at the bottom of the screen. Returns the area inside.
pub fn draw_bar(
    area: Rect,
    labels: &Labels,
    (sign, prompt): (&str, &Prompt),
    theme: &Theme,
    buffer: &mut Buffer,
) -> Rect {
    clear(area, buffer);
    let pane = Pane {
        outer: area,
        inner: below(area, 1),
        boxed: false,
    };
    frame::draw(pane, labels, theme, buffer);
    let mut pen = Pen::new(buffer, theme, pane.inner, 0);
    pen.put(sign, Role::Hint);
    draw_prompt(prompt, &mut pen, theme);
    pane.inner
}

/// Draws the typed text and its cursor.
pub fn draw_prompt(prompt: &Prompt, pen: &mut Pen<'_>, theme: &Theme) {
    let room = pen.room().saturating_sub(3);
    let before = fit_end(&shown(prompt.before()), room);
    let behind = shown(prompt.behind());
    let at = behind
        .chars()
        .next()
        .map_or_else(|| " ".to_owned(), |char| char.to_string());
    let rest = behind.get(at.len()..).unwrap_or_default();
    pen.skip(1).put(&before, Role::Text);
    pen.put_styled(
        &at,
        theme.style(Role::Text).add_modifier(Modifier::REVERSED),
    );
    let room = pen.room();
    pen.put(prefix(rest, room), Role::Text);
}
