//! Phrases: words that follow each other in a name, and names in the spelling of Pulumi.

use std::fmt;

use super::policy::matches;

/// Words that follow each other in a name. In each of them `*` is any text: `delet* protection*`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Phrase(Vec<Box<str>>);

impl Phrase {
    /// Parses words with spaces between them; `None` if there are none.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let words: Vec<Box<str>> = text.split_whitespace().map(Box::from).collect();
        (!words.is_empty()).then_some(Self(words))
    }

    /// True if these words are in a name of `words`.
    pub(super) fn is_in(&self, words: &[String]) -> bool {
        // Most names have no word with the first letter.
        let first = self.0.first().and_then(|word| word.bytes().next());
        let begins = |word: &String| word.bytes().next() == first;
        if !matches!(first, Some(b'*' | b'?')) && !words.iter().any(begins) {
            return false;
        }
        let is_here = |run: &[String]| {
            let mut pairs = self.0.iter().zip(run);
            pairs.all(|(pattern, word)| matches(pattern, word))
        };
        words.windows(self.0.len()).any(is_here)
    }
}

impl fmt::Display for Phrase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.join(" "))
    }
}

/// A name in the spelling of Pulumi.
pub(super) fn in_camel_case(name: &str) -> String {
    let mut parts = name.split('_');
    let mut camel = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let mut letters = part.chars();
        camel.extend(letters.next().map(|first| first.to_ascii_uppercase()));
        camel.push_str(letters.as_str());
    }
    camel
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::words;

    #[test]
    fn a_phrase_is_a_run_of_words() {
        let is_in = |phrase: &str, name: &str| Phrase::parse(phrase).unwrap().is_in(&words(name));
        assert!(is_in("delet* protection", "enable_deletion_protection"));
        assert!(is_in("tls", "min_tls_version"));
        assert!(is_in("*tls", "min_mtls_version"));
        assert!(!is_in("delet* protection", "protection_deletion"));
        assert!(!is_in("tls", "subtlsomething"));
        assert!(!is_in("deletion protection", "deletion"));
        assert!(Phrase::parse(" ").is_none());
    }
}
