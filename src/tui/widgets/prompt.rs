//! A line to type in.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::style::Modifier;
use unicode_segmentation::UnicodeSegmentation;

use super::pen::Pen;
use super::text::{fit_end, prefix};
use crate::text::escaped;
use crate::tui::theme::{Role, Theme};

/// A key press or a pasted text.
#[derive(Clone, Copy, Debug)]
pub enum Typing<'a> {
    /// A key that is not a command.
    Key(KeyEvent),
    /// A pasted text.
    Paste(&'a str),
}

/// A typed text and a cursor in it.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Prompt {
    text: String,
    /// Byte offset of the cursor, on a grapheme boundary.
    at: usize,
}

impl Prompt {
    /// A prompt with this text and the cursor after it.
    pub fn new(text: impl Into<String>) -> Self {
        let text = text.into();
        Self {
            at: text.len(),
            text,
        }
    }

    /// A prompt with the cursor between these texts.
    pub fn around(before: String, behind: &str) -> Self {
        Self {
            at: before.len(),
            text: before + behind,
        }
    }

    /// The typed text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The text before the cursor.
    pub fn before(&self) -> &str {
        &self.text[..self.at]
    }

    /// The text after the cursor.
    pub fn behind(&self) -> &str {
        &self.text[self.at..]
    }

    /// Takes a key press, or a pasted text without the blanks around it. Returns false if a prompt has no use for the key.
    pub fn input(&mut self, typing: Typing<'_>) -> bool {
        match typing {
            Typing::Key(key) => self.key(key),
            Typing::Paste(text) => {
                self.insert(text.trim());
                true
            }
        }
    }

    /// Inserts a text at the cursor, without its control characters.
    fn insert(&mut self, text: &str) {
        let text: String = text.chars().filter(|char| !char.is_control()).collect();
        self.text.insert_str(self.at, &text);
        self.at += text.len();
    }

    /// Handles a key press. Returns false if a prompt has no use for the key.
    fn key(&mut self, key: KeyEvent) -> bool {
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        match key.code {
            KeyCode::Char('u') if control => {
                self.text.replace_range(..self.at, "");
                self.at = 0;
            }
            KeyCode::Char('w') if control => {
                let kept = self.before().trim_end();
                let kept = kept.rfind(char::is_whitespace).map_or(0, |at| at + 1);
                self.text.replace_range(kept..self.at, "");
                self.at = kept;
            }
            KeyCode::Char('a') if control => self.at = 0,
            KeyCode::Char('e') if control => self.at = self.text.len(),
            KeyCode::Char('h') if control => self.backspace(),
            KeyCode::Char(char) if !control && !key.modifiers.contains(KeyModifiers::ALT) => {
                self.insert(char.encode_utf8(&mut [0; 4]));
            }
            KeyCode::Backspace => self.backspace(),
            KeyCode::Delete => {
                let len = self.behind().graphemes(true).next().map_or(0, str::len);
                self.text.replace_range(self.at..self.at + len, "");
            }
            KeyCode::Left => self.at = self.previous(),
            KeyCode::Right => {
                self.at += self.behind().graphemes(true).next().map_or(0, str::len);
            }
            KeyCode::Home => self.at = 0,
            KeyCode::End => self.at = self.text.len(),
            _ => return false,
        }
        true
    }

    fn previous(&self) -> usize {
        let len = self
            .before()
            .graphemes(true)
            .next_back()
            .map_or(0, str::len);
        self.at - len
    }

    fn backspace(&mut self) {
        let start = self.previous();
        self.text.replace_range(start..self.at, "");
        self.at = start;
    }
}

/// Draws the typed text and its cursor.
pub fn draw_prompt(prompt: &Prompt, pen: &mut Pen<'_>, theme: &Theme) {
    let room = pen.room().saturating_sub(3);
    let before = fit_end(&escaped(prompt.before()), room);
    let behind = escaped(prompt.behind());
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typing_moving_and_deleting() {
        let mut prompt = Prompt::new("ab d");
        prompt.key(KeyEvent::from(KeyCode::Left));
        prompt.key(KeyEvent::from(KeyCode::Char('é')));
        assert_eq!(prompt.text(), "ab éd");
        prompt.key(KeyEvent::from(KeyCode::Backspace));
        prompt.key(KeyEvent::new(KeyCode::Char('w'), KeyModifiers::CONTROL));
        assert_eq!((prompt.before(), prompt.behind()), ("", "d"));
        prompt.insert("x\u{1b}[2J");
        assert_eq!(prompt.text(), "x[2Jd");
        assert!(!prompt.key(KeyEvent::from(KeyCode::F(5))));
    }
}
