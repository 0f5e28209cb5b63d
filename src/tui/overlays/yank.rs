//! The popup of everything that can be copied: a line for each form, with a preview of the text.

use super::popup::{Popup, walk};
use super::{Outcome, boxed, framed, width_around};
use crate::render::copy::Form;
use crate::tui::command::{Command, CopyCommand};
use crate::tui::event::Route;
use crate::tui::keymap::{self, Scope};
use crate::tui::popup::{Stage, Wanted};
use crate::tui::rows::{Span, shown};
use crate::tui::theme::{Role, Theme};
use crate::tui::widgets::cursor::Cursor;
use crate::tui::widgets::frame::Labels;
use crate::tui::widgets::list_area::ListArea;
use crate::tui::widgets::pen::{Pen, width_of};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

/// Maximum width of the popup, in cells.
const MAX_WIDTH: usize = 110;

/// Width of the popup with which the previews still say something.
const MIN_WIDTH: usize = 60;

/// Maximum number of characters in a preview.
const MAX_PREVIEW: usize = 300;

/// The forms and their previews.
#[derive(Clone, Debug)]
pub struct YankPopup {
    /// The subject to copy from, escaped.
    pub title: String,
    rows: Vec<PopupRow>,
    pub(super) cursor: Cursor,
    route: Option<Result<Route, String>>,
    /// True if the value is a secret, which can be copied unseen.
    pub has_secret: bool,
}

/// A form and its preview.
#[derive(Clone, Debug)]
struct PopupRow {
    form: Form,
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
        let offered = Form::ALL.into_iter().filter(|(form, _)| *form != Form::Urn);
        let rows = offered.map(|(form, _)| {
            let name = name(form);
            let mut row = PopupRow {
                form,
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
            has_secret: false,
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

    fn hints(&self) -> String {
        let secret = (Command::Copy(CopyCommand::Secret), "copy the secret unseen");
        let secret = Some(secret).filter(|_| self.has_secret);
        let words = secret.into_iter().chain([(Command::Cancel, "back")]);
        keymap::hints(Scope::Yank, &words.collect::<Vec<_>>())
    }

    fn labels(&self) -> Labels {
        Labels {
            title: format!("Copy · {}", self.title),
            status: format!("{}{}", self.route_text(), self.hints()),
            focused: true,
        }
    }

    /// A form with its key, and the text or the reason that there is none.
    fn spans(&self, row: usize) -> Vec<Span> {
        let PopupRow {
            form,
            name,
            text,
            n_bytes,
        } = &self.rows[row];
        let open = keymap::key_of(Command::Copy(CopyCommand::Choose));
        let key = keymap::key_in(Scope::Yank, Command::Copy(CopyCommand::Form(*form)));
        let max = match &self.route {
            Some(Ok(route)) => route.max_bytes.unwrap_or(usize::MAX),
            _ => usize::MAX,
        };
        let text = match text {
            Ok(_) if *n_bytes > max => {
                let text = format!("{n_bytes} bytes: too large for OSC 52");
                Span::new(text, Role::Dim)
            }
            Ok(text) => Span::new(text.clone(), Role::Text),
            Err(why) => Span::new(why.clone(), Role::Dim),
        };
        vec![
            Span::new(format!("{open}{key} "), Role::Hint),
            Span::new(format!("{name:<16} "), Role::Key),
            text,
        ]
    }

    fn list_area(&self, stage: Stage) -> ListArea {
        ListArea::new(boxed(self.area(stage)).inner, self.rows.len())
    }
}

impl Popup for YankPopup {
    fn obeys(&self, command: Command) -> bool {
        self.has_secret || command != Command::Copy(CopyCommand::Secret)
    }

    fn scopes(&self) -> &'static [Scope] {
        &[Scope::Yank]
    }

    fn list(&self, stage: Stage) -> Option<(ListArea, Cursor)> {
        Some((self.list_area(stage), self.cursor))
    }

    fn cursor(&mut self) -> Option<&mut Cursor> {
        Some(&mut self.cursor)
    }

    fn area(&self, stage: Stage) -> Rect {
        let widths = (0..self.rows.len()).map(|row| width_of(&self.spans(row)));
        let width = width_around(&self.labels(), widths.max().unwrap_or(0)).min(MAX_WIDTH);
        stage.beside(&Wanted {
            width,
            min_width: MIN_WIDTH,
            height: |_| self.rows.len() + 2,
        })
    }

    fn update(&mut self, command: Command, stage: Stage) -> Outcome {
        match command {
            Command::Move(motion) => walk(self, motion, stage),
            Command::Accept => {
                let row = self.rows.get(self.cursor.row);
                return row.map_or(Outcome::Nothing, |row| Outcome::Copy(row.form));
            }
            Command::Copy(CopyCommand::Form(form)) => return Outcome::Copy(form),
            Command::Copy(CopyCommand::Secret) => return Outcome::CopySecret,
            Command::Cancel => return Outcome::Close,
            _ => return Outcome::Nothing,
        }
        Outcome::Done
    }

    fn view(&self, theme: &Theme, stage: Stage, buffer: &mut Buffer) {
        framed(self.area(stage), &self.labels(), theme, buffer);
        let list = self.list_area(stage);
        list.draw(self.cursor, theme, buffer, |buffer, area, row| {
            Pen::new(buffer, theme, area, 0).put_all(&self.spans(row));
        });
    }
}

/// The beginning of a text, on one line.
fn preview(text: &str) -> String {
    let start: String = text.chars().take(MAX_PREVIEW).collect();
    let flat: Vec<&str> = start.split('\n').map(str::trim).collect();
    shown(&flat.join(" "))
}
