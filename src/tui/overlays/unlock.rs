//! The prompt for the passphrase of a stack or the key of an encrypted file. The text is typed unseen, and the key is derived in
//! the background.

use std::fmt;

use crossterm::event::{KeyCode, KeyModifiers};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use zeroize::Zeroizing;

use super::Outcome;
use super::framed;
use super::popup::Popup;
use crate::load::Input;
use crate::secrets::Key;
use crate::tui::command::Command;
use crate::tui::keymap::{self, Scope};
use crate::tui::popup::Stage;
use crate::tui::theme::{Role, Theme};
use crate::tui::widgets::frame::Labels;
use crate::tui::widgets::pen::Pen;
use crate::tui::widgets::prompt::Typing;

/// Maximum length of a passphrase in bytes. The text never grows beyond its buffer and so never moves in memory. All of it is
/// zeroed.
const MAX_TYPED: usize = 1024;

/// The frames of the spinner.
const SPINNER: [&str; 4] = ["◐", "◓", "◑", "◒"];

/// The stack or file to unlock.
#[derive(Clone, Debug)]
pub enum Opens {
    /// The secrets of the stack.
    Stack,
    /// A file that OpenTofu encrypted.
    File {
        /// The key that it needs, such as `a passphrase`.
        wants: &'static str,
        /// The file.
        input: Box<Input>,
    },
}

/// The prompt.
pub struct Unlock {
    /// The stack or file to unlock.
    pub opens: Opens,
    typed: Zeroizing<String>,
    /// The reason for which the last key was rejected.
    pub complaint: String,
    /// True while a key is being derived.
    pub is_waiting: bool,
    /// The timer that turns the spinner.
    pub timer: Option<u64>,
    /// Number of times the spinner turned.
    pub turns: usize,
}

impl Default for Unlock {
    fn default() -> Self {
        Self {
            opens: Opens::Stack,
            typed: Zeroizing::new(String::with_capacity(MAX_TYPED)),
            complaint: String::new(),
            is_waiting: false,
            timer: None,
            turns: 0,
        }
    }
}

/// Never prints what was typed.
impl fmt::Debug for Unlock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Unlock([secret])")
    }
}

impl Unlock {
    /// The prompt for the key of a file.
    pub fn of_file(wants: &'static str, input: Input) -> Self {
        Self {
            opens: Opens::File {
                wants,
                input: Box::new(input),
            },
            ..Self::default()
        }
    }

    /// Appends a text as far as there is room. Control characters are dropped.
    fn insert(&mut self, text: &str) {
        for char in text.chars().filter(|char| !char.is_control()) {
            if self.typed.len() + char.len_utf8() <= MAX_TYPED {
                self.typed.push(char);
            }
        }
    }

    /// Takes the typed text out of the prompt.
    pub fn take(&mut self) -> Key {
        let key = Key::from(self.typed.as_bytes().to_vec());
        self.clear();
        key
    }

    fn clear(&mut self) {
        self.typed = Zeroizing::new(String::with_capacity(MAX_TYPED));
    }
}

impl Popup for Unlock {
    fn obeys(&self, command: Command) -> bool {
        matches!(command, Command::Accept | Command::Cancel)
    }

    fn scopes(&self) -> &'static [Scope] {
        &[Scope::Prompt]
    }

    fn outlives_file(&mut self) -> bool {
        matches!(self.opens, Opens::File { .. })
    }

    fn area(&self, stage: Stage) -> Rect {
        stage.middle(76, 5)
    }

    fn update(&mut self, command: Command, _: Stage) -> Outcome {
        match command {
            Command::Accept if self.is_waiting => Outcome::Nothing,
            Command::Accept => Outcome::Unlock,
            Command::Cancel => Outcome::Close,
            _ => Outcome::Nothing,
        }
    }

    /// Takes a key press or a pasted text, blanks included. True if the text changed.
    fn input(&mut self, typing: Typing<'_>, _: Stage) -> Outcome {
        match typing {
            Typing::Paste(text) => self.insert(text),
            Typing::Key(key) => {
                let control = key.modifiers.contains(KeyModifiers::CONTROL);
                match key.code {
                    KeyCode::Char('u') if control => self.clear(),
                    KeyCode::Char(char) if !control => self.insert(char.encode_utf8(&mut [0; 4])),
                    KeyCode::Backspace => {
                        self.typed.pop();
                    }
                    _ => return Outcome::Done,
                }
            }
        }
        self.complaint.clear();
        Outcome::Done
    }

    fn view(&self, theme: &Theme, stage: Stage, buffer: &mut Buffer) {
        let reveal = keymap::key_of(Command::Reveal);
        let (title, wanted, remark) = match &self.opens {
            Opens::Stack => (
                "Unlock the secrets of this stack",
                "passphrase".to_owned(),
                format!("values stay masked · {reveal} reveal one"),
            ),
            Opens::File { wants, .. } => (
                "This file is encrypted by OpenTofu",
                format!("type {wants}"),
                "nothing is written to a disk; values stay masked".to_owned(),
            ),
        };
        let labels = Labels::of(title.to_owned(), keymap::choices(Scope::Prompt, "unlock"));
        let inner = framed(self.area(stage), &labels, theme, buffer);
        let mut pen = Pen::new(buffer, theme, inner, 0);
        pen.skip(1).put(&wanted, Role::Key).put(": ", Role::Key);
        let typed = "•".repeat(self.typed.chars().count());
        pen.put(&typed, Role::Text).put("▏", Role::Focus);
        let mut pen = Pen::new(buffer, theme, inner, 1);
        pen.skip(1);
        if self.is_waiting {
            let sign = SPINNER[self.turns % SPINNER.len()];
            pen.put(sign, Role::Focus)
                .put(" deriving the key, a second or so", Role::Badge);
        } else {
            pen.put(&self.complaint, Role::Danger);
        }
        Pen::new(buffer, theme, inner, 2)
            .skip(1)
            .put(&remark, Role::Dim);
    }
}
