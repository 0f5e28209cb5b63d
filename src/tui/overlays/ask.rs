//! Questions: popups that ask for yes or no, for a line of text, or for a text that is typed unseen. Anything but yes means no.

use std::fmt;

use crossterm::event::{KeyCode, KeyModifiers};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use zeroize::Zeroizing;

use super::popup::{Popup, RowUse};
use super::{Outcome, boxed, framed};
use crate::load::{self, keys::KeysError};
use crate::pulumi::passphrase::UnlockError;
use crate::secrets::Key;
use crate::stack::{ChangeId, ResourceId};
use crate::tui::command::Command;
use crate::tui::keymap::{self, Scope};
use crate::tui::popup::{Stage, Wanted};
use crate::tui::rows::{Spot, label, shown};
use crate::tui::session::{SHOWN_FOR, Secret};
use crate::tui::theme::{Role, Theme};
use crate::tui::widgets::frame::Labels;
use crate::tui::widgets::pen::Pen;
use crate::tui::widgets::prompt::{Prompt, Typing, draw_prompt};
use crate::tui::widgets::text::{cells, width, wrap_words};

/// Minimum and maximum width of a question, in cells. One with an input has the maximum.
const WIDTHS: (usize, usize) = (40, 90);

/// The commands of the answers: yes, and no.
const ANSWERS: [Command; 2] = [Command::Accept, Command::Cancel];

/// Cells between the answers.
const GAP: u16 = 4;

/// Maximum length of a text that is typed unseen, in bytes. It never grows beyond its buffer and so never moves in memory. All of it
/// is zeroed.
const MAX_UNSEEN: usize = 1024;

/// The frames of the spinner.
const SPINNER: [&str; 4] = ["◐", "◓", "◑", "◒"];

/// The thing that a question is about.
#[derive(Clone, Debug)]
pub enum Asks {
    /// Show a secret.
    Reveal(Secret),
    /// Copy a secret without showing it.
    CopySecret {
        /// The resource of the value. `None` for an output of the stack.
        id: Option<ResourceId>,
        /// The place of the value.
        spot: Spot,
    },
    /// Quit while a run still writes into the pipe.
    Quit,
    /// The URN, address, name or id of a resource to go to.
    Goto,
    /// A note on these changes.
    Note(Vec<ChangeId>),
    /// The passphrase of the stack.
    StackKey,
    /// The key of a file that OpenTofu encrypted.
    FileKey(Box<load::Input>),
}

/// The way in which a question is answered.
enum Input {
    YesOrNo,
    Line(Prompt),
    Unseen {
        /// The name of the text, such as `passphrase`.
        wants: String,
        typed: Zeroizing<String>,
    },
}

/// A question.
pub struct Ask {
    /// The thing that it is about.
    pub asks: Asks,
    title: String,
    /// The question in lines, or a remark on it.
    lines: Vec<String>,
    input: Input,
    /// The word for Enter; "" for a question with yes or no.
    verb: &'static str,
    /// The reason for which the last answer was rejected; empty if it was not.
    pub complaint: String,
    /// While an answer is tried: the timer that turns the spinner, and the number of times that it turned.
    pub trying: Option<(u64, usize)>,
}

/// Does not show what is typed.
impl fmt::Debug for Ask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Ask")
            .field("asks", &self.asks)
            .finish_non_exhaustive()
    }
}

impl Ask {
    /// A question with yes or no.
    pub fn confirm(asks: Asks, title: &str, lines: Vec<String>) -> Self {
        Self {
            asks,
            title: title.to_owned(),
            lines,
            input: Input::YesOrNo,
            verb: "",
            complaint: String::new(),
            trying: None,
        }
    }

    /// A question whether a secret may be shown. `what` names it.
    pub fn reveal(what: &str, secret: Secret) -> Self {
        let hide = keymap::key_of(Command::HideAll);
        let lines = vec![
            format!("Show {what} on this screen?"),
            format!("It is hidden again after {SHOWN_FOR} seconds, when you move, or by {hide}."),
        ];
        Self::confirm(Asks::Reveal(secret), "Reveal a secret?", lines)
    }

    /// A question whether a secret may be copied unseen.
    pub fn copy_secret(id: Option<ResourceId>, spot: Spot) -> Self {
        let name = spot.path.0.last().map_or_else(String::new, label);
        let lines = vec![
            format!("Put {name} into the clipboard without showing it?"),
            "Other programs can read the clipboard.".to_owned(),
        ];
        let asks = Asks::CopySecret { id, spot };
        Self::confirm(asks, "Copy a secret?", lines)
    }

    /// A line to type in that begins with this text.
    pub fn line(asks: Asks, title: &str, text: String, verb: &'static str) -> Self {
        Self {
            input: Input::Line(Prompt::new(text)),
            verb,
            ..Self::confirm(asks, title, Vec::new())
        }
    }

    /// A question for the passphrase of a stack.
    pub fn stack_key() -> Self {
        let reveal = keymap::key_of(Command::Reveal);
        Self::unseen(
            Asks::StackKey,
            "Unlock the secrets of this stack",
            "passphrase".to_owned(),
            format!("values stay masked · {reveal} reveal one"),
        )
    }

    /// A question for the key of a file. `wants` describes the key.
    pub fn file_key(input: load::Input, wants: &str) -> Self {
        Self::unseen(
            Asks::FileKey(Box::new(input)),
            "This file is encrypted by OpenTofu",
            format!("type {wants}"),
            "nothing is written to a disk; values stay masked".to_owned(),
        )
    }

    /// Takes that the last key does not fit. Without one there is nothing to complain about.
    pub fn refuse(&mut self, error: &KeysError) {
        self.trying = None;
        self.complaint = match error {
            KeysError::NoKey { .. } | KeysError::NoPassphrase => String::new(),
            KeysError::Unlock(UnlockError::Passphrase) => "incorrect passphrase".to_owned(),
            KeysError::Open(error) => shown(&error.to_string()),
            error => shown(&error.to_string()),
        };
    }

    /// A text to type unseen, such as `a passphrase`, with a remark.
    fn unseen(asks: Asks, title: &str, wants: String, remark: String) -> Self {
        Self {
            input: Input::Unseen {
                wants,
                typed: unseen(),
            },
            verb: "unlock",
            ..Self::confirm(asks, title, vec![remark])
        }
    }

    /// Takes the text that was typed unseen.
    pub fn take_key(&mut self) -> Option<Key> {
        let Input::Unseen { typed, .. } = &mut self.input else {
            return None;
        };
        let typed = std::mem::replace(typed, unseen());
        Some(Key::from(typed.as_bytes().to_vec()))
    }

    /// The lines of the question in a popup of this width.
    fn text(&self, width: usize) -> impl Iterator<Item = &str> {
        let room = width.saturating_sub(4);
        self.lines
            .iter()
            .flat_map(move |line| wrap_words(line, room))
    }

    /// The last line of the popup, for the answer, and the one above it.
    fn last_lines(&self, stage: Stage) -> [Rect; 2] {
        let inner = boxed(self.area(stage)).inner;
        [1, 2].map(|from_end| {
            let y = inner.bottom().saturating_sub(from_end);
            Rect::new(inner.x, y, inner.width, 1).intersection(inner)
        })
    }

    /// The answers with their places: yes, and no, which Enter means too.
    fn answers(&self, stage: Stage) -> Vec<(Rect, [String; 2])> {
        let Input::YesOrNo = self.input else {
            return Vec::new();
        };
        let [yes, no] = ANSWERS.map(|command| keymap::key_in(Scope::Question, command));
        let answers = [
            [yes, " yes".to_owned()],
            [format!("[{no}"), " no]".to_owned()],
        ];
        let [line, _] = self.last_lines(stage);
        let mut x = line.x + 1;
        let placed = answers.into_iter().map(|answer| {
            let area = Rect {
                x,
                width: cells(width(&answer.concat())),
                ..line
            };
            x = area.right() + GAP;
            (area.intersection(line), answer)
        });
        placed.collect()
    }
}

impl Popup for Ask {
    fn scopes(&self) -> &'static [Scope] {
        match self.input {
            Input::YesOrNo => &[Scope::Question],
            Input::Line(_) | Input::Unseen { .. } => &[Scope::Prompt],
        }
    }

    fn obeys(&self, command: Command) -> bool {
        ANSWERS.contains(&command)
    }

    /// Only what belongs to the file goes with it.
    fn outlives_file(&mut self) -> bool {
        match self.asks {
            Asks::Quit | Asks::Goto | Asks::FileKey(_) => true,
            Asks::Reveal(_) | Asks::CopySecret { .. } | Asks::Note(_) | Asks::StackKey => false,
        }
    }

    /// The answers are its rows.
    fn rows(&self, stage: Stage) -> Vec<(Rect, usize)> {
        let areas = self.answers(stage).into_iter().map(|(area, _)| area);
        areas.zip(0..).collect()
    }

    fn row_use(&self, row: usize) -> RowUse {
        RowUse::Choose(ANSWERS[row.min(1)])
    }

    fn update(&mut self, command: Command, _: Stage) -> Outcome {
        match command {
            Command::Accept if self.trying.is_some() => Outcome::Nothing,
            Command::Accept => Outcome::Answered {
                asks: self.asks.clone(),
                text: match &self.input {
                    Input::Line(prompt) => prompt.text().trim().to_owned(),
                    Input::YesOrNo | Input::Unseen { .. } => String::new(),
                },
            },
            Command::Cancel => Outcome::Close,
            _ => Outcome::Nothing,
        }
    }

    fn input(&mut self, typing: Typing<'_>, _: Stage) -> Outcome {
        let is_new = match &mut self.input {
            Input::YesOrNo => false,
            Input::Line(prompt) => prompt.input(typing),
            Input::Unseen { typed, .. } => type_unseen(typed, typing),
        };
        if is_new {
            self.complaint.clear();
        }
        Outcome::Done
    }

    /// Beside the value that it asks about, or in the middle.
    fn accept_word(&self) -> Option<&'static str> {
        Some(self.verb).filter(|verb| !verb.is_empty())
    }

    fn area(&self, stage: Stage) -> Rect {
        let (min_width, most) = WIDTHS;
        let width = match self.input {
            Input::YesOrNo => {
                let widths = self.lines.iter().map(|line| width(line) + 4);
                widths.max().unwrap_or(0).clamp(min_width, most)
            }
            Input::Line(_) | Input::Unseen { .. } => most,
        };
        let is_about_value = matches!(self.asks, Asks::Reveal(_) | Asks::CopySecret { .. });
        let row = stage.row.filter(|_| is_about_value);
        Stage { row, ..stage }.beside(&Wanted {
            width,
            min_width,
            height: |width| self.text(width).count() + 4,
        })
    }

    fn view(&self, theme: &Theme, stage: Stage, buffer: &mut Buffer) {
        let area = self.area(stage);
        let hints = match self.input {
            Input::YesOrNo => String::new(),
            Input::Line(_) | Input::Unseen { .. } => keymap::choices(Scope::Prompt, self.verb),
        };
        let labels = Labels::of(self.title.clone(), hints);
        let inner = framed(area, &labels, theme, buffer);
        for (line, text) in (0..).zip(self.text(usize::from(area.width))) {
            let mut pen = Pen::new(buffer, theme, inner, line);
            pen.skip(1).put(text, Role::Text);
        }
        let [answer, remark] = self.last_lines(stage);
        let mut pen = Pen::new(buffer, theme, remark, 0);
        if let Some((_, turns)) = self.trying {
            pen.skip(1)
                .put(SPINNER[turns % SPINNER.len()], Role::Focus)
                .put(" deriving the key, a second or so", Role::Badge);
        } else {
            pen.skip(1).put(&self.complaint, Role::Danger);
        }
        super::clear(answer, buffer);
        let mut pen = Pen::new(buffer, theme, answer, 0);
        match &self.input {
            Input::YesOrNo => {}
            Input::Line(prompt) => draw_prompt(prompt, &mut pen, theme),
            Input::Unseen { wants, typed } => {
                pen.skip(1).put(wants, Role::Key).put(": ", Role::Key);
                let dots = "•".repeat(typed.chars().count());
                pen.put(&dots, Role::Text).put("▏", Role::Focus);
            }
        }
        for (area, [key, word]) in self.answers(stage) {
            let mut pen = Pen::new(buffer, theme, area, 0);
            pen.put(&key, Role::Hint).put(&word, Role::Text);
        }
    }
}

/// An empty text to type unseen.
fn unseen() -> Zeroizing<String> {
    Zeroizing::new(String::with_capacity(MAX_UNSEEN))
}

/// Takes a key press or a pasted text, blanks included and control characters not, as far as there is room. False if the text has no
/// use for the key.
fn type_unseen(typed: &mut Zeroizing<String>, typing: Typing<'_>) -> bool {
    let mut insert = |text: &str| {
        for char in text.chars().filter(|char| !char.is_control()) {
            if typed.len() + char.len_utf8() <= MAX_UNSEEN {
                typed.push(char);
            }
        }
    };
    match typing {
        Typing::Paste(text) => insert(text),
        Typing::Key(key) => {
            let control = key.modifiers.contains(KeyModifiers::CONTROL);
            match key.code {
                KeyCode::Char('u') if control => *typed = unseen(),
                KeyCode::Char(char) if !control => insert(char.encode_utf8(&mut [0; 4])),
                KeyCode::Backspace => {
                    typed.pop();
                }
                _ => return false,
            }
        }
    }
    true
}
