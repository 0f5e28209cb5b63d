//! Broken files: read or refused as the index expects, with no raw bytes on their way to a terminal.

use stacklens::load::{self, Input, LoadError};
use stacklens::stack::Severity;
use stacklens::text::is_unsafe_to_show;
use stacklens::value::Map;

use super::{Outcome, counts, text_of};

/// Checks a file of `malformed/`.
pub(super) fn check(input: &Input, entry: &Map, all: &[&Map]) -> Outcome {
    let expect = text_of(entry, "expect");
    let mentions = |word: &str| {
        expect
            .split(|char: char| !char.is_alphanumeric())
            .any(|part| part == word)
    };
    match load::load(input) {
        Err(error) => {
            if !mentions("error") && !mentions("partial") {
                return Err(format!("refused: {error}"));
            }
            let (message, detail) = match &error {
                LoadError::Unreadable {
                    message, detail, ..
                } => (message.clone(), detail.clone()),
                LoadError::Io { .. }
                | LoadError::Unlike { .. }
                | LoadError::Incomparable { .. }
                | LoadError::Damaged { .. } => {
                    return Err(format!("not a message about the file: {error}"));
                }
                LoadError::Locked { .. } => return Err(format!("nothing here is locked: {error}")),
            };
            if message.is_empty() || message.len() > 400 {
                return Err(format!("a clear message, not {message:?}"));
            }
            if (message + &detail).chars().any(is_unsafe_to_show) {
                return Err("the message holds control characters".to_owned());
            }
            names_version(expect, &error.to_string(), entry)
        }
        Ok(document) => {
            let stack = &document.stack;
            let told = stack.damage.is_some()
                || stack
                    .notes
                    .iter()
                    .any(|note| note.severity == Severity::Error);
            if mentions("ok") {
                let made_from = text_of(entry, "made_from");
                let original = all.iter().find(|other| text_of(other, "file") == made_from);
                if let Some(original) = original {
                    counts(&document, original)?;
                }
            } else if mentions("error") && !mentions("partial") && !told && !mentions("empty") {
                return Err("read without a word".to_owned());
            }
            for id in stack.ids() {
                // Broken resources give an error; none may panic.
                let _ = document.resource(id);
            }
            Ok(())
        }
    }
}

fn names_version(expect: &str, message: &str, entry: &Map) -> Outcome {
    if !expect.contains("naming the version") {
        return Ok(());
    }
    let version = text_of(entry, "mutation")
        .rsplit(' ')
        .next()
        .unwrap_or_default();
    if message.contains(version) {
        Ok(())
    } else {
        Err(format!("the version {version} is not in: {message}"))
    }
}
