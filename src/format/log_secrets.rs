//! The secrets that a file gives: its messages may repeat them.

use std::collections::HashSet;
use std::ops::RangeInclusive;

use memchr::memmem;

use crate::change::secret_texts::{Filter, Finder, MIN_CONTAINED, decoded, each_text};
use crate::json::Str;
use crate::path::children;
use crate::value::{Payload, Value};

/// The text in place of a message that repeats a secret.
pub(crate) const HIDDEN: &str = "a message that holds a secret";

/// All messages of a file, to find out quickly that a resource has no text that one of them repeats.
///
/// Law: [`Messages::may_repeat`] is true of the JSON of every resource with a secret that [`Filter::are_in`] finds in a message. The test
/// `a_quick_look_misses_no_repeated_text` compares the two.
pub(crate) struct Messages {
    all: HashSet<String>,
    /// All messages, one after the other.
    joined: String,
    runs: Runs,
    /// Lengths in bytes of the shortest and the longest message.
    lengths: RangeInclusive<usize>,
    /// True if a message has so many digits in a row that they may be a secret number.
    has_number: bool,
}

/// The runs of [`MIN_CONTAINED`] bytes in a text, as a set of bits. A text that begins or ends with another run is not in it.
struct Runs {
    /// Their number is a power of two.
    bits: Vec<u64>,
}

impl Runs {
    /// Maximum number of words of bits.
    const MAX: usize = 1 << 16;

    fn of(text: &str) -> Self {
        // Of the bits, at most one in eight is set.
        let n_words = (text.len() / 8).next_power_of_two().min(Self::MAX);
        let mut runs = Self {
            bits: vec![0; n_words],
        };
        for run in text.as_bytes().windows(MIN_CONTAINED) {
            let (word, bit) = runs.place(run);
            runs.bits[word] |= bit;
        }
        runs
    }

    /// False if `text`, which has at least [`MIN_CONTAINED`] bytes, is not part of the text of the runs.
    #[inline]
    fn may_have(&self, text: &str) -> bool {
        let text = text.as_bytes();
        let ends = [&text[..MIN_CONTAINED], &text[text.len() - MIN_CONTAINED..]];
        ends.into_iter().all(|run| {
            let (word, bit) = self.place(run);
            self.bits[word] & bit != 0
        })
    }

    /// The word and the bit of a run.
    #[inline]
    fn place(&self, run: &[u8]) -> (usize, u64) {
        let mut number = [0; 8];
        number[..MIN_CONTAINED].copy_from_slice(run);
        let hash = u64::from_le_bytes(number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let word = usize::try_from(hash >> 38).unwrap_or(0) & (self.bits.len() - 1);
        (word, 1 << (hash >> 58))
    }
}

impl Messages {
    pub(crate) fn new(messages: impl Iterator<Item = String>) -> Self {
        let forms = messages.flat_map(|message| [decoded(&message), vec![message]]);
        let forms = forms.flatten();
        let all: HashSet<String> = forms.filter(|message| !message.is_empty()).collect();
        let mut joined = String::new();
        for message in &all {
            joined.push_str(message);
            joined.push('\0');
        }
        let lengths = all.iter().map(String::len);
        let shortest = lengths.clone().min().unwrap_or(usize::MAX);
        Self {
            runs: Runs::of(&joined),
            has_number: has_number(&joined),
            lengths: shortest..=lengths.max().unwrap_or(0),
            all,
            joined,
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

    /// True if a text or a number in JSON, or a part of one, occurs in a message. A text may be JSON itself: then its own texts
    /// count too. Keys do not count, because no key is secret.
    pub(crate) fn may_repeat(&self, json: &[u8]) -> bool {
        match std::str::from_utf8(json) {
            Ok(json) => self.may_repeat_in(json),
            Err(_) => self.may_repeat_in(&String::from_utf8_lossy(json)),
        }
    }

    fn may_repeat_in(&self, mut rest: &str) -> bool {
        while let Some(start) = memchr::memchr(b'"', rest.as_bytes()) {
            if self.may_be_numbers(&rest[..start]) {
                return true;
            }
            rest = &rest[start + 1..];
            let Some(end) = end_of_string(rest.as_bytes()) else {
                return true;
            };
            let text = &rest[..end];
            rest = &rest[end + 1..];
            let is_key = rest.trim_ascii_start().starts_with(':');
            if !is_key && self.may_be(text) {
                return true;
            }
        }
        self.may_be_numbers(rest)
    }

    /// Like `may_repeat`, for the text between two strings.
    fn may_be_numbers(&self, between: &str) -> bool {
        let is_part = |byte: char| byte.is_ascii_digit() || ".+eE".contains(byte);
        let may_be = |number: &str| {
            let starts = number.starts_with(|byte: char| byte.is_ascii_digit());
            // The digits of a secret may be written in another way.
            starts && (!number.bytes().all(|byte| byte.is_ascii_digit()) || self.have(number))
        };
        self.has_number && between.split(|byte| !is_part(byte)).any(may_be)
    }

    /// Like `may_repeat`, for a text as written between its quotes.
    fn may_be(&self, raw: &str) -> bool {
        let text = Str::of_raw(raw.as_bytes());
        if !text.is_escaped() {
            return self.have_part(raw);
        }
        self.have_part(&text.decode_lossy())
    }

    /// True if `text` or a part of it, see [`each_text`], occurs in a message.
    fn have_part(&self, text: &str) -> bool {
        if self.have(text) {
            return true;
        }
        let trimmed = text.trim();
        let is_json = trimmed.starts_with(['{', '[', '"']);
        trimmed.len() < text.len() && self.have(trimmed)
            || trimmed.contains('\n') && trimmed.lines().any(|line| self.have(line.trim()))
            || is_json && self.may_repeat_in(trimmed)
    }

    fn have(&self, text: &str) -> bool {
        if text.len() < MIN_CONTAINED {
            return text.len() >= *self.lengths.start() && self.all.contains(text);
        }
        text.len() <= *self.lengths.end()
            && self.runs.may_have(text)
            && memmem::find(self.joined.as_bytes(), text.as_bytes()).is_some()
    }
}

/// True if `text` has [`MIN_CONTAINED`] digits in a row.
fn has_number(text: &str) -> bool {
    let mut runs = text.split(|char: char| !char.is_ascii_digit());
    runs.any(|run| run.len() >= MIN_CONTAINED)
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
    /// Finders for the first secrets, with the number of secrets of each: at least twice as many as of the next.
    finders: Vec<(usize, Finder)>,
    /// Number of secrets that they find.
    n_found: usize,
}

impl LogSecrets {
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
        each_text(value, &mut |text, is_secret| {
            if is_secret {
                self.take_text(text.into_owned());
            }
        });
    }

    /// Makes finders for the secrets that came since the last call. Small finders are joined, so that each secret is built into
    /// as many as the logarithm of their number.
    fn find_all(&mut self) {
        let mut from = self.n_found;
        if from == self.all.len() {
            return;
        }
        self.n_found = self.all.len();
        while let Some((n_secrets, _)) = self.finders.last()
            && *n_secrets < 2 * (self.n_found - from)
        {
            from -= n_secrets;
            self.finders.pop();
        }
        match Finder::new(self.all[from..].iter().map(String::as_str)) {
            Some(finder) => self.finders.push((self.n_found - from, finder)),
            // Too many to be searched for: any message may repeat one.
            None => self.has_more = true,
        }
    }
}

impl Filter for LogSecrets {
    fn is_empty(&self) -> bool {
        self.all.is_empty() && !self.has_more
    }

    fn hides_attribute(&self, _: &str) -> bool {
        false
    }

    fn has_in(&mut self, text: &str) -> bool {
        self.find_all();
        let mut finders = self.finders.iter();
        self.has_more || self.texts.contains(text) || finders.any(|(_, finder)| finder.is_in(text))
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
        // Each finder is half as large as the one before it.
        assert_eq!(secrets.n_found, 100);
        assert!(secrets.finders.len() <= 7, "{}", secrets.finders.len());
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
                let values = texts.iter().map(|text| {
                    // Pulumi keeps a secret as JSON in a text.
                    let wrapped = (0..n_wraps).fold(text.clone(), |text, _| to_compact(&text.into()));
                    Value::from(wrapped)
                });
                let values = Value::from(values.collect::<Vec<_>>());
                secrets.take(&values.clone().with_secret(true));
                let json = to_compact(&values);
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
        let messages = Messages::new(["pin 123456, key dGFuZ2VyaW5l".to_owned()].into_iter());
        assert!(!messages.may_repeat(br#"{"n": [12345, 1234567], "m": -654321, "t": "a\nb"}"#));
        for repeated in [
            &br#"{"n": -123456}"#[..],
            br#"{"n": 1.23456e5}"#,
            br#"["[123456]"]"#,
            br#"{"t": "a\n  tangerine\n"}"#,
            br#"{"t": "{\"t\": \"tangerine\"}"}"#,
        ] {
            assert!(messages.may_repeat(repeated));
        }
    }
}
