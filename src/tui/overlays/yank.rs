//! The popup of everything that can be copied: a line for each form, with a preview of the text.

use super::Outcome;
use crate::tui::command::{Command, CopyCommand};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::{boxed, centered, clear};
use crate::render::copy::Form;
use crate::tui::event::Route;
use crate::tui::keymap::{self, Scope};
use crate::tui::rows::shown;
use crate::tui::theme::{Role, Theme};
use crate::tui::widgets::cursor::Cursor;
use crate::tui::widgets::frame::{self, Labels};
use crate::tui::widgets::pen::Pen;

/// Maximum number of characters in a preview.
const MAX_PREVIEW: usize = 300;

/// The forms and their previews.
#[derive(Clone, Debug)]
pub struct YankPopup {
    /// The subject to copy from, escaped.
    pub title: String,
    rows: Vec<PopupRow>,
    cursor: Cursor,
    route: Option<Result<Route, String>>,
}

/// A form and its preview.
#[derive(Clone, Debug)]
struct PopupRow {
    form: Form,
    key: char,
    name: &'static str,
    /// The beginning of the text, or the reason why there is none.
    text: Result<String, String>,
    n_bytes: usize,
}

impl PopupRow {
    fn take(&mut self, given: Result<String, String>) {
        self.n_bytes = given.as_ref().map_or(0, String::len);
        self.text = given.map(|text| preview(&text));
    }
}

impl YankPopup {
    /// A popup of all forms. `name` returns the name of a form. `give` returns its text, or the reason why there is none.
    ///
    /// The URN is not offered: in Pulumi it is the identity, and in Terraform only this program knows it.
    pub fn new(
        title: String,
        name: impl Fn(Form) -> &'static str,
        give: impl Fn(Form) -> Result<String, String>,
    ) -> Self {
        let offered = Form::ALL
            .into_iter()
            .filter(|(form, ..)| *form != Form::Urn);
        let rows = offered.map(|(form, key, _)| {
            let name = name(form);
            let mut row = PopupRow {
                form,
                key,
                name,
                text: Ok(String::new()),
                n_bytes: 0,
            };
            row.take(give(form));
            row
        });
        Self {
            title,
            rows: rows.collect(),
            cursor: Cursor::default(),
            route: None,
        }
    }

    /// Takes new previews. The cursor stays.
    pub fn refresh(&mut self, give: impl Fn(Form) -> Result<String, String>) {
        for row in &mut self.rows {
            row.take(give(row.form));
        }
    }

    /// Sets the route by which a text would be copied, or the reason why there is none.
    pub fn set_route(&mut self, route: Result<Route, String>) {
        self.route = Some(route);
    }

    fn route_text(&self) -> String {
        match &self.route {
            None => String::new(),
            Some(Ok(route)) => format!("via {} · ", route.name),
            Some(Err(why)) => format!("{} · ", shown(why)),
        }
    }

    /// Handles a command.
    pub fn update(&mut self, command: Command) -> Outcome {
        let len = self.rows.len();
        match command {
            Command::Move(motion) => self.cursor.obey(motion, len, len),
            Command::Accept => {
                if let Some(row) = self.rows.get(self.cursor.row) {
                    return Outcome::Copy(row.form);
                }
            }
            Command::Copy(CopyCommand::Form(form)) => return Outcome::Copy(form),
            Command::Copy(CopyCommand::Secret) => return Outcome::CopySecret,
            Command::Cancel => return Outcome::Close,
            _ => {}
        }
        Outcome::Done
    }

    /// Draws the overlay.
    pub fn view(&self, theme: &Theme, body: Rect, buffer: &mut Buffer) {
        let area = centered(body, 110, self.rows.len() + 2);
        clear(area, buffer);
        let labels = Labels {
            title: format!("Copy · {}", self.title),
            status: format!("{}{}", self.route_text(), hints()),
            focused: true,
        };
        let pane = boxed(area);
        frame::draw(pane, &labels, theme, buffer);
        let area = pane.inner;
        let height = usize::from(area.height);
        // A small screen shows the rows around the cursor.
        let top = (self.cursor.row + 1).saturating_sub(height);
        for (line, (index, row)) in (0..area.height).zip(self.rows.iter().enumerate().skip(top)) {
            let PopupRow { key, name, .. } = row;
            let max = match &self.route {
                Some(Ok(route)) => route.max_bytes.unwrap_or(usize::MAX),
                _ => usize::MAX,
            };
            let is_selected = index == self.cursor.row;
            let mut pen = Pen::new(buffer, theme, area, line);
            pen.put(if is_selected { "▶" } else { " " }, Role::Focus);
            pen.put(&format!("y{key} "), Role::Hint);
            pen.put(&format!("{name:<16} "), Role::Key);
            match &row.text {
                Ok(_) if row.n_bytes > max => {
                    let text = format!("{} bytes: too large for OSC 52", row.n_bytes);
                    pen.put(&text, Role::Dim)
                }
                Ok(text) => pen.put(text, Role::Text),
                Err(why) => pen.put(why, Role::Dim),
            };
            if is_selected {
                let line = Rect::new(area.x, area.y + line, area.width, 1);
                theme.highlight(buffer, line, true);
            }
        }
    }
}

/// The beginning of a text, on one line.
fn preview(text: &str) -> String {
    let start: String = text.chars().take(MAX_PREVIEW).collect();
    let flat: Vec<&str> = start.split('\n').map(str::trim).collect();
    shown(&flat.join(" "))
}

fn hints() -> String {
    let words = [
        (Command::Copy(CopyCommand::Secret), "copy a secret unseen"),
        (Command::Cancel, "back"),
    ];
    keymap::hints(Scope::Yank, &words)
}
