//! The popup of everything that can be copied: a line for each form with a preview of the text, and one for a secret.

use super::Outcome;
use super::menu::Menu;
use crate::render::copy::Form;
use crate::stack::Kind;
use crate::tui::command::{Command, CopyCommand};
use crate::tui::copy::name_of;
use crate::tui::event::Route;
use crate::tui::jobs::copy::FormText;
use crate::tui::keymap::{self, Scope};
use crate::tui::outline::Strip;
use crate::tui::rows::{Opening, Span, shown};
use crate::tui::theme::Role;
use crate::tui::widgets::cursor::Cursor;
use crate::tui::widgets::frame::Labels;

/// Maximum number of characters in a preview.
const MAX_PREVIEW: usize = 300;

/// Everything that can be copied.
#[derive(Clone, Debug)]
pub struct YankPopup {
    /// The subject to copy from, escaped.
    pub title: String,
    rows: Vec<PopupRow>,
    route: Option<Result<Route, String>>,
}

/// A thing that can be copied, and its preview.
#[derive(Clone, Debug)]
struct PopupRow {
    copy: CopyCommand,
    name: &'static str,
    /// The beginning of the text, or the reason why there is none.
    text: Result<String, String>,
    n_bytes: usize,
}

impl YankPopup {
    /// The forms in a file of this kind, each with its name. Their texts come with [`take`](Self::take). Of a secret also the
    /// secret itself.
    pub fn new(title: String, kind: Kind, opening: Option<&Opening>) -> Self {
        // The address of a resource of Terraform is its name. A URN of it is made up, so only its own command copies that.
        let offered = Form::ALL.into_iter().filter(|(form, _)| *form != Form::Urn);
        let rows = offered.map(|(form, _)| PopupRow {
            copy: CopyCommand::Form(form),
            name: name_of(form, kind),
            text: Err("…".to_owned()),
            n_bytes: 0,
        });
        let is_secret = opening == Some(&Opening::Reveal);
        let secret = is_secret.then(|| PopupRow {
            copy: CopyCommand::Secret,
            name: "secret",
            text: Err("copy the secret unseen".to_owned()),
            n_bytes: 0,
        });
        Self {
            title,
            rows: rows.chain(secret).collect(),
            route: None,
        }
    }

    /// Takes the texts of some forms.
    pub fn take(&mut self, forms: Vec<FormText>) {
        for (form, text) in forms {
            let copy = CopyCommand::Form(form);
            if let Some(row) = self.rows.iter_mut().find(|row| row.copy == copy) {
                row.n_bytes = text.as_ref().map_or(0, String::len);
                row.text = text.map(|text| preview(&text));
            }
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

    /// A form with its key, and the text or the reason that there is none.
    fn spans(&self, row: usize) -> Vec<Span> {
        let PopupRow {
            copy,
            name,
            text,
            n_bytes,
        } = &self.rows[row];
        let open = keymap::key_of(Command::Copy(CopyCommand::Choose));
        let key = keymap::key_in(Scope::Yank, Command::Copy(*copy));
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
}

impl Menu for YankPopup {
    const SCOPES: &'static [Scope] = &[Scope::Yank, Scope::List];
    const MIN_WIDTH: usize = 60;

    fn labels(&self) -> Labels {
        Labels::of(
            format!("Copy · {}", self.title),
            format!(
                "{}{}",
                self.route_text(),
                keymap::hints(Scope::Yank, &[(Command::Cancel, "back")])
            ),
        )
    }

    fn n_rows(&self) -> usize {
        self.rows.len()
    }

    fn line(&self, row: usize, _room: usize) -> Strip {
        self.spans(row).into()
    }

    fn choose(&mut self, row: usize) -> Outcome {
        Outcome::Copy(self.rows[row].copy)
    }

    fn obey(&mut self, command: Command, _: &mut Cursor) -> Outcome {
        match command {
            Command::Copy(copy) => Outcome::Copy(copy),
            _ => Outcome::Nothing,
        }
    }

    fn has(&self, command: Command, _row: usize) -> bool {
        let is_secret = |row: &PopupRow| row.copy == CopyCommand::Secret;
        command != Command::Copy(CopyCommand::Secret) || self.rows.iter().any(is_secret)
    }

    /// The forms belong to the file.
    fn stays(&self) -> bool {
        false
    }
}

/// The beginning of a text, on one line.
fn preview(text: &str) -> String {
    let start: String = text.chars().take(MAX_PREVIEW).collect();
    let flat: Vec<&str> = start.split('\n').map(str::trim).collect();
    shown(&flat.join(" "))
}
