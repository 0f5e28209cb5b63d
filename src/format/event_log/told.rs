//! The secrets that a log has given so far: messages may repeat them.

use std::collections::HashSet;

use crate::change::configuration::Finder;
use crate::path::children;
use crate::value::{Payload, Value};

/// Maximum number of secrets that are searched one by one; more are searched all at once.
const FEW: usize = 16;

/// Secret texts.
#[derive(Default)]
pub(super) struct Told {
    texts: HashSet<String>,
    /// In the order in which they came.
    all: Vec<String>,
    /// Finds the first `n_found` of them.
    finder: Option<Finder>,
    n_found: usize,
}

impl Told {
    /// Takes the secret texts of a value.
    pub(super) fn take(&mut self, value: &Value) {
        self.take_below(value, false);
    }

    fn take_below(&mut self, value: &Value, is_secret: bool) {
        let is_secret = is_secret || value.is_secret();
        if let (true, Payload::String(text)) = (is_secret, value.payload()) {
            let text = text.to_str_lossy().into_owned();
            if self.texts.insert(text.clone()) {
                self.all.push(text);
            }
        }
        for (_, inner) in children(value) {
            self.take_below(inner, is_secret);
        }
    }

    /// True if a message is one of the secrets, or contains one that is long enough to rule out chance. The work on all
    /// messages of a log is linear in the secrets, times a logarithm.
    pub(super) fn are_in(&mut self, message: &str) -> bool {
        if self.texts.contains(message) {
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
