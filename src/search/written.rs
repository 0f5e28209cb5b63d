//! The places of a text at which a query is written: what a screen marks.

use std::ops::Range;

use super::{Anchor, Query, TermKind, Word};
use crate::path::GlobSegment;

impl Query {
    /// The places of `text` where a word, a value or the last key of a pattern is written, by their beginnings. Scattered letters
    /// and fields have no place.
    pub fn written_in(&self, text: &str) -> Vec<Range<usize>> {
        let mut places = Vec::new();
        for term in self.terms().filter(|term| !term.negated) {
            match &term.kind {
                TermKind::Word(word) => places.extend(word.all_in(text)),
                TermKind::Pattern { pattern, .. } => {
                    if let Some(GlobSegment::Key(key)) = pattern.0.last() {
                        places.extend(Word::new(key, Anchor::Exact).all_in(text));
                    }
                }
                TermKind::Value(wanted) => {
                    let found = text.match_indices(wanted.as_str());
                    places.extend(found.map(|(at, it)| at..at + it.len()));
                }
                TermKind::ValueRegex(regex) => {
                    places.extend(regex.find_iter(text).map(|found| found.range()));
                }
                TermKind::Fact(..) => {}
            }
        }
        places.retain(|place| !place.is_empty());
        places.sort_by_key(|place| place.start);
        places
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(query: &str, text: &str, want: &[&str]) {
        let places = Query::parse(query).unwrap().written_in(text);
        let found: Vec<_> = places.into_iter().map(|place| &text[place]).collect();
        assert_eq!(found, want, "{query:?} in {text}");
    }

    #[test]
    fn all_places_are_found_and_scattered_letters_are_not() {
        check("net", "subnet_id subnet-1 NET", &["net", "net", "NET"]);
        check("sbnt", "subnet_id", &[]);
        check("id !net | =-1", "subnet_id subnet-1", &["id", "-1"]);
        check("**.tags.Name", "tags.Name = name", &["Name"]);
        check("=~[0-9]+ is:secret", "a10b2 secret", &["10", "2"]);
        check("'é", "éa É", &["é", "É"]);
    }
}
