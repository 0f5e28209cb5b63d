//! The popup of everything that can be copied: a line for each form, with what it would give.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::{boxed, centered, clear};
use crate::render::copy::Form;
use crate::tui::rows::shown;
use crate::tui::theme::{Role, Theme};
use crate::tui::widgets::cursor::Cursor;
use crate::tui::widgets::frame::{self, Labels};
use crate::tui::widgets::pen::Pen;

/// A preview shows so many characters at most.
const MAX_PREVIEW: usize = 300;

/// The forms and what they give.
#[derive(Clone, Debug)]
pub struct YankPopup {
    /// What it is about, escaped.
    pub title: String,
    rows: Vec<(Form, char, &'static str, Result<String, String>)>,
    cursor: Cursor,
}

impl YankPopup {
    /// A popup of these forms.
    pub fn new(title: String, give: impl Fn(Form) -> Result<String, String>) -> Self {
        let rows = Form::ALL
            .into_iter()
            .map(|(form, key, name)| (form, key, name, give(form).map(|text| preview(&text))))
            .collect();
        Self {
            title,
            rows,
            cursor: Cursor::default(),
        }
    }

    /// Takes new previews; the cursor stays.
    pub fn refresh(&mut self, give: impl Fn(Form) -> Result<String, String>) {
        for (form, _, _, text) in &mut self.rows {
            *text = give(*form).map(|text| preview(&text));
        }
    }

    /// Moves the cursor.
    pub fn step(&mut self, delta: isize) {
        self.cursor.step(delta, self.rows.len(), self.rows.len());
    }

    /// The form at the cursor.
    pub fn chosen(&self) -> Option<Form> {
        self.rows.get(self.cursor.row).map(|(form, ..)| *form)
    }

    /// Draws it.
    pub fn view(&self, theme: &Theme, body: Rect, buffer: &mut Buffer) {
        let area = centered(body, 110, self.rows.len() + 2);
        clear(area, buffer);
        let labels = Labels {
            title: format!("Copy · {}", self.title),
            status: "x copies a secret unseen · Esc closes".to_owned(),
            focused: true,
        };
        let pane = boxed(area);
        frame::draw(pane, &labels, theme, buffer);
        let area = pane.inner;
        let height = usize::from(area.height);
        // A small screen shows the rows around the cursor.
        let top = (self.cursor.row + 1).saturating_sub(height);
        for (line, (index, row)) in (0..area.height).zip(self.rows.iter().enumerate().skip(top)) {
            let (_, key, name, text) = row;
            let is_selected = index == self.cursor.row;
            let mut pen = Pen::new(buffer, theme, area, line);
            pen.put(if is_selected { "▶" } else { " " }, Role::Focus);
            pen.put(&format!("y{key} "), Role::Hint);
            pen.put(&format!("{name:<16} "), Role::Key);
            match text {
                Ok(text) => pen.put(text, Role::Text),
                Err(why) => pen.put(why, Role::Dim),
            };
            if is_selected {
                let line = Rect::new(area.x, area.y + line, area.width, 1);
                buffer.set_style(line.intersection(buffer.area), theme.cursor(true));
            }
        }
    }
}

/// The beginning of a text on one line.
fn preview(text: &str) -> String {
    let start: String = text.chars().take(MAX_PREVIEW).collect();
    let flat: Vec<&str> = start.split('\n').map(str::trim).collect();
    shown(&flat.join(" "))
}
