//! The keys of a JSON document, by which its format is recognized.

use std::collections::BTreeSet;

use crate::json::{Reader, Token};

/// Maximum number of tokens to look at. The keys by which formats differ are near the front.
const MAX_TOKENS: usize = 20_000;

/// Represents a `version` that is a number among the keys; no key at the top has a bracket in it.
pub(super) const VERSION_NUMBER: &str = "version[number]";

/// The confidence that keys give in a format.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Fit {
    /// The keys identify the format.
    Sure,
    /// The keys suggest the format if they identify no other one.
    Likely,
}

/// The keys in the first bytes of a JSON text down to the third level, written `a.b` and, in arrays, `a[].b`.
pub(super) struct Keys(BTreeSet<String>);

impl Keys {
    /// The keys of a text that begins with these bytes.
    pub(super) fn of(head: &[u8]) -> Self {
        let mut reader = Reader::new(head);
        let mut keys = BTreeSet::new();
        // For each open bracket, the path of its contents.
        let mut open: Vec<String> = Vec::new();
        let mut path = String::new();
        for _ in 0..MAX_TOKENS {
            let Ok(Some(token)) = reader.next() else {
                break;
            };
            match token {
                Token::Key(key) => {
                    let top = open.last().cloned().unwrap_or_default();
                    path = if top.is_empty() {
                        key.decode_lossy().into_owned()
                    } else {
                        format!("{top}.{}", key.decode_lossy())
                    };
                    if open.len() <= 3 {
                        keys.insert(path.clone());
                    }
                }
                Token::MapStart => {
                    if open.len() > 3 {
                        if reader.skip_rest().is_err() {
                            break;
                        }
                    } else {
                        open.push(path.clone());
                    }
                }
                Token::ArrayStart => {
                    if open.len() > 3 {
                        if reader.skip_rest().is_err() {
                            break;
                        }
                    } else {
                        path = format!("{path}[]");
                        open.push(path.clone());
                    }
                }
                Token::MapEnd | Token::ArrayEnd => {
                    open.pop();
                    path = open.last().cloned().unwrap_or_default();
                }
                token => {
                    if path == "version" && matches!(token, Token::Number(_)) {
                        keys.insert(VERSION_NUMBER.to_owned());
                    }
                    path = open.last().cloned().unwrap_or_default();
                }
            }
        }
        Self(keys)
    }

    /// True if there are no keys: the text is not JSON.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// True if this key is there.
    pub(super) fn has(&self, key: &str) -> bool {
        self.0.contains(key)
    }

    /// True if one of these keys is there.
    pub(super) fn has_any(&self, keys: &[&str]) -> bool {
        keys.iter().any(|key| self.has(key))
    }

    /// The keys at the top.
    pub(super) fn tops(&self) -> impl Iterator<Item = &str> {
        let all = self.0.iter().map(String::as_str);
        all.filter(|key| !key.contains(['.', '[']))
    }

    /// True if there are no keys at the top but these.
    pub(super) fn only(&self, known: &[&str]) -> bool {
        self.tops().all(|key| known.contains(&key))
    }
}
