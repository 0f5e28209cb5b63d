//! The secrets that a file gives: its messages may repeat them.

use std::collections::HashSet;

use crate::change::configuration::Finder;
use crate::path::children;
use crate::value::{Payload, Value};

/// Maximum number of secrets that are searched one by one; more are searched all at once.
const FEW: usize = 16;

/// The text in place of a message that repeats a secret.
pub(crate) const HIDDEN: &str = "a message that holds a secret";

/// Secret texts.
#[derive(Default)]
pub struct Told {
    /// True if not all secrets are known: any message may repeat one.
    has_more: bool,
    /// Length in bytes of the longest message, if it is known. No message repeats a longer secret.
    longest: Option<usize>,
    texts: HashSet<String>,
    /// In the order in which they came.
    all: Vec<String>,
    /// Finds the first `n_found` of them.
    finder: Option<Finder>,
    n_found: usize,
}

impl Told {
    /// No secrets yet, for messages of at most this length in bytes.
    pub(crate) fn of_at_most(longest: usize) -> Self {
        Self {
            longest: Some(longest),
            ..Self::default()
        }
    }

    /// True if no message can repeat a secret.
    pub(crate) fn is_empty(&self) -> bool {
        self.all.is_empty() && !self.has_more
    }

    /// Records that there are secrets beside those that were taken.
    pub(crate) fn have_more(&mut self) {
        self.has_more = true;
    }

    /// Takes a secret text.
    pub(crate) fn take_text(&mut self, text: String) {
        let may_fit = self.longest.is_none_or(|longest| text.len() <= longest);
        if !text.is_empty() && may_fit && self.texts.insert(text.clone()) {
            self.all.push(text);
        }
    }

    /// Takes the secret texts of a value.
    pub(crate) fn take(&mut self, value: &Value) {
        self.take_below(value, false);
    }

    fn take_below(&mut self, value: &Value, is_secret: bool) {
        let is_secret = is_secret || value.is_secret();
        if let (true, Payload::String(text)) = (is_secret, value.payload()) {
            self.take_text(text.to_str_lossy().into_owned());
        }
        for (_, inner) in children(value) {
            self.take_below(inner, is_secret);
        }
    }

    /// `value` with the texts that repeat a secret masked.
    pub(crate) fn hide(&mut self, value: &Value) -> Value {
        let hidden = match value.payload() {
            Payload::String(text) => {
                let is_secret = value.is_secret() || self.are_in(&text.to_str_lossy());
                return value.clone().with_secret(is_secret);
            }
            Payload::Map(map) => {
                let entries = map.iter();
                let entries = entries.map(|(key, value)| (key.clone(), self.hide(value)));
                Payload::Map(entries.collect())
            }
            Payload::Array(items) => Payload::Array(items.iter().map(|it| self.hide(it)).collect()),
            _ => return value.clone(),
        };
        value.clone().with_payload(hidden)
    }

    /// True if a message is one of the secrets, or contains one that is long enough to rule out chance. The work on all
    /// messages of a log is linear in the secrets, times a logarithm.
    pub(crate) fn are_in(&mut self, message: &str) -> bool {
        if self.has_more || self.texts.contains(message) {
            return true;
        }
        let n_fresh = self.all.len() - self.n_found;
        if n_fresh > FEW.max(self.n_found) {
            self.finder = Finder::new(self.all.iter().map(String::as_str));
            self.n_found = self.all.len();
            // Too many to be searched for: any message may repeat one.
            if self.finder.is_none() {
                return true;
            }
        }
        let fresh = Finder::new(self.all[self.n_found..].iter().map(String::as_str));
        let mut finders = [&self.finder, &fresh].into_iter().flatten();
        finders.any(|finder| finder.is_in(message))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_told_as_secret_is_found_in_messages() {
        let mut told = Told::default();
        for number in 0..100 {
            let secret = Value::from(format!("secret-{number:03}")).with_secret(true);
            told.take(&vec![Value::from("in clear"), secret].into());
            assert!(
                told.are_in(&format!("no login with secret-{number:03}")),
                "{number}"
            );
            assert!(told.are_in("no login with secret-000"), "{number}");
            assert!(
                !told.are_in("no login with secret-100, in clear"),
                "{number}"
            );
        }
        told.take(&Value::from("short").with_secret(true));
        assert!(told.are_in("short"));
        assert!(!told.are_in("a short one"));
    }
}
