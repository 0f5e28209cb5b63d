//! The secrets that a file gives: its messages may repeat them.

use std::collections::HashSet;

use memchr::memmem;

use crate::change::configuration::{Finder, MIN_CONTAINED};
use crate::json::Str;
use crate::path::children;
use crate::value::{Payload, Value};

/// Maximum number of secrets that are searched one by one; more are searched all at once.
const FEW: usize = 16;

/// The text in place of a message that repeats a secret.
pub(crate) const HIDDEN: &str = "a message that holds a secret";

/// All messages of a file, to find out quickly that a resource has no text that one of them repeats.
pub(crate) struct Messages {
    all: HashSet<String>,
    /// All messages, one after the other.
    joined: String,
    /// Length in bytes of the longest message.
    longest: usize,
}

impl Messages {
    pub(crate) fn new(messages: impl Iterator<Item = String>) -> Self {
        let all: HashSet<String> = messages.filter(|message| !message.is_empty()).collect();
        let mut joined = String::new();
        for message in &all {
            joined.push_str(message);
            joined.push('\0');
        }
        let longest = all.iter().map(String::len).max().unwrap_or(0);
        Self {
            all,
            joined,
            longest,
        }
    }

    /// Adds the texts of a value.
    pub(crate) fn texts_of(value: &Value, texts: &mut Vec<String>) {
        if let Payload::String(text) = value.payload() {
            texts.push(text.to_str_lossy().into_owned());
        }
        for (_, inner) in children(value) {
            Self::texts_of(inner, texts);
        }
    }

    /// True if a text in JSON occurs in a message. A text may be JSON itself: then its own texts count too. Keys do not count,
    /// because no key is secret. If it is false, [`LogSecrets::are_in`] is false of every message and every text in `json`.
    pub(crate) fn may_repeat(&self, json: &[u8]) -> bool {
        let mut rest = json;
        while let Some(start) = memchr::memchr(b'"', rest) {
            rest = &rest[start + 1..];
            let Some(end) = end_of_string(rest) else {
                return true;
            };
            let text = Str::of_raw(&rest[..end]);
            rest = &rest[end + 1..];
            let is_key = rest.trim_ascii_start().starts_with(b":");
            if is_key {
                continue;
            }
            let bytes = text.decode();
            let has_texts = text.is_escaped() && bytes.contains(&b'"');
            if has_texts && self.may_repeat(&bytes) {
                return true;
            }
            if bytes.len() <= self.longest && self.have(&text.decode_lossy()) {
                return true;
            }
        }
        false
    }

    fn have(&self, text: &str) -> bool {
        self.all.contains(text)
            || text.len() >= MIN_CONTAINED
                && memmem::find(self.joined.as_bytes(), text.as_bytes()).is_some()
    }
}

/// The index of the quote that ends a string; `None` if none does.
fn end_of_string(text: &[u8]) -> Option<usize> {
    let mut from = 0;
    loop {
        let at = from + memchr::memchr2(b'"', b'\\', &text[from..])?;
        if text[at] == b'"' {
            return Some(at);
        }
        from = at + 2;
        if from > text.len() {
            return None;
        }
    }
}

/// Secret texts.
#[derive(Default)]
pub struct LogSecrets {
    /// True if not all secrets are known: any message may repeat one.
    has_more: bool,
    texts: HashSet<String>,
    /// In the order in which they came.
    all: Vec<String>,
    /// Finds the first `n_found` of them.
    finder: Option<Finder>,
    n_found: usize,
}

impl LogSecrets {
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
        if !text.is_empty() && self.texts.insert(text.clone()) {
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
    use proptest::prelude::*;

    use super::*;
    use crate::json::to_compact;

    #[test]
    fn secrets_are_found_in_messages() {
        let mut secrets = LogSecrets::default();
        for number in 0..100 {
            let secret = Value::from(format!("secret-{number:03}")).with_secret(true);
            secrets.take(&vec![Value::from("in clear"), secret].into());
            assert!(
                secrets.are_in(&format!("no login with secret-{number:03}")),
                "{number}"
            );
            assert!(secrets.are_in("no login with secret-000"), "{number}");
            assert!(
                !secrets.are_in("no login with secret-100, in clear"),
                "{number}"
            );
        }
        secrets.take(&Value::from("short").with_secret(true));
        assert!(secrets.are_in("short"));
        assert!(!secrets.are_in("a short one"));
    }

    proptest! {
        /// The quick look finds every resource that has a text which a message repeats.
        #[test]
        fn a_quick_look_misses_no_repeated_text(
            texts in proptest::collection::vec("[a-c\"\\\\é\n]{0,9}", 1..4),
            before in "[a-c ]{0,4}",
            number in 0_usize..3,
            n_wraps in 0_usize..3,
        ) {
            let repeated = &texts[number % texts.len()];
            let message = format!("{before}{repeated}!");
            for message in [message, repeated.clone()] {
                let mut secrets = LogSecrets::default();
                for text in &texts {
                    secrets.take_text(text.clone());
                }
                let values = texts.iter().map(|text| {
                    // Pulumi keeps a secret as JSON in a text.
                    let wrapped = (0..n_wraps).fold(text.clone(), |text, _| to_compact(&text.into()));
                    Value::from(wrapped)
                });
                let json = to_compact(&values.collect::<Vec<_>>().into());
                let messages = Messages::new(std::iter::once(message.clone()));
                prop_assert!(!secrets.are_in(&message) || messages.may_repeat(json.as_bytes()), "{json}: {message}");
            }
        }
    }

    #[test]
    fn a_quick_look_passes_over_other_texts() {
        let messages = Messages::new(["no login with tangerine".to_owned()].into_iter());
        assert!(
            !messages.may_repeat(br#"{"name": "db", "password": "grapefruit", "note": "a \"b\""}"#)
        );
        assert!(!messages.may_repeat(br#"{"tangerine" : "grapefruit"}"#));
        assert!(messages.may_repeat(br#"{"password": "tangerine"}"#));
        assert!(messages.may_repeat(br#"{"plaintext": "\"tangerine\""}"#));
        assert!(messages.may_repeat(br#"{"broken": "tan"#));
    }
}
