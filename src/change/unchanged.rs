//! The properties that a change leaves as they are, as the file writes them.
//!
//! Most properties of a changed resource stay the same. To review a change they need not become values: [`Unchanged`] has their names
//! and reads their texts on demand.
//!
//! # Laws
//!
//! 1. None of the properties is masked, unknown, or secret by its form.
//! 2. The properties of a resource are those in its values and those here; none is in both. The same goes for the entries of a map that
//!    changes.

use std::borrow::Cow;

use crate::json::{Reader, Str, Token};

/// The unchanged properties of a resource: their names, and their values as JSON.
#[derive(Clone, Default, Debug)]
pub struct Unchanged<'t> {
    /// The names, and the values as valid JSON.
    entries: Vec<(&'t str, &'t [u8])>,
    /// The values of the entries that stay the same in properties that change otherwise.
    inner: Vec<&'t [u8]>,
}

impl<'t> Unchanged<'t> {
    /// Adds a property with its value, which is valid JSON.
    pub(crate) fn add(&mut self, name: &'t str, value: &'t [u8]) {
        self.entries.push((name, value));
    }

    /// Adds the value of an entry of a property that changes otherwise.
    pub(crate) fn add_inner(&mut self, value: &'t [u8]) {
        self.inner.push(value);
    }

    /// True if all properties of the resource are in its values.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty() && self.inner.is_empty()
    }

    /// The names of the properties that stay the same.
    pub fn names(&self) -> impl Iterator<Item = &'t str> {
        self.entries.iter().map(|(name, _)| *name)
    }

    /// The properties that stay the same and are texts.
    pub fn texts(&self) -> impl Iterator<Item = (&'t str, Cow<'t, str>)> {
        let entries = self.entries.iter();
        entries.filter_map(|(name, value)| Some((*name, text(value)?)))
    }

    /// Calls `take` with each text at any depth, without the keys of maps.
    pub fn each_text(&self, take: &mut dyn FnMut(&str)) {
        let entries = self.entries.iter().map(|(_, value)| value);
        for value in entries.chain(&self.inner) {
            if let Some(text) = text(value) {
                take(&text);
                continue;
            }
            if memchr::memchr(b'"', value).is_none() {
                continue;
            }
            let mut reader = Reader::new(value);
            while let Ok(Some(token)) = reader.next() {
                if let Token::String(text) = token {
                    take(&text.decode_lossy());
                }
            }
        }
    }
}

/// The text that a value is.
fn text(value: &[u8]) -> Option<Cow<'_, str>> {
    let raw = value.strip_prefix(b"\"")?.strip_suffix(b"\"")?;
    Some(Str::of_raw(raw).decode_lossy())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_those_of_the_values() {
        let mut unchanged = Unchanged::default();
        unchanged.add("a", br#""x \u0026 y""#);
        unchanged.add("b", br#"[{"c": "d", "e": ["f", 1]}, null]"#);
        unchanged.add("g", b"12");
        unchanged.add_inner(br#""z""#);
        let texts: Vec<_> = unchanged.texts().collect();
        assert_eq!(texts, [("a", Cow::from("x & y"))]);
        let mut all = Vec::new();
        unchanged.each_text(&mut |text| all.push(text.to_owned()));
        assert_eq!(all, ["x & y", "d", "f", "z"]);
    }
}
