//! Values as spans, and strings compared word by word.

use std::fmt::{self, Write};

use super::{Role, Span};
use crate::change::difference::numbered;
use crate::terraform::objchange::lcs;
use crate::text;
use crate::value::{Payload, Shown, Value};

/// Longer strings are not compared word by word. In bytes.
const MAX_COMPARED: usize = 20_000;

/// Maximum length of a container that is shown in one line, in bytes.
const MAX_PREVIEW: usize = 200;

/// A value in one line.
pub(super) fn spans(value: &Value) -> Vec<Span> {
    let payload = match value.shown() {
        Shown::Secret(mask) => return vec![Span::new(mask, Role::Secret)],
        Shown::Plain(payload) => payload,
    };
    let span = match payload {
        Payload::Null => Span::new("null", Role::Null),
        Payload::Bool(bool) => Span::new(bool.to_string(), Role::Bool),
        Payload::Number(number) => Span::new(number.to_string(), Role::Number),
        Payload::String(_) => Span::new(value.to_string(), Role::String),
        Payload::Computed(_) => Span::new(super::KNOWN_AFTER_APPLY, Role::Unknown),
        Payload::Array(_) | Payload::Map(_) => Span::new(preview(value), Role::Container),
        Payload::Asset(_) | Payload::Archive(_) | Payload::Reference(_) | Payload::Sealed(_) => {
            Span::new(value.to_string(), Role::Other)
        }
    };
    vec![span]
}

/// The beginning of a value in one line.
fn preview(value: &Value) -> String {
    struct Bounded(String);

    impl Write for Bounded {
        fn write_str(&mut self, text: &str) -> fmt::Result {
            self.0.push_str(text);
            if self.0.len() > MAX_PREVIEW {
                Err(fmt::Error)
            } else {
                Ok(())
            }
        }
    }

    let mut out = Bounded(String::new());
    if write!(out, "{value}").is_err() {
        out.0.truncate(text::head(&out.0, MAX_PREVIEW).len());
        out.0.push('…');
    }
    out.0
}

/// The size of a container, in one line.
pub(super) fn size(value: &Value) -> Vec<Span> {
    match value.shown() {
        Shown::Plain(Payload::Array(array)) if !array.is_empty() => {
            vec![Span::new(format!("[{}]", array.len()), Role::Container)]
        }
        Shown::Plain(Payload::Map(map)) if !map.is_empty() => {
            vec![Span::new(format!("{{{}}}", map.len()), Role::Container)]
        }
        _ => spans(value),
    }
}

/// Two strings of one line each, quoted, with the words that differ marked on each side.
pub(super) fn quoted_words(before: &Value, after: &Value) -> (Vec<Span>, Vec<Span>) {
    match (before.shown(), after.shown()) {
        (Shown::Plain(Payload::String(old)), Shown::Plain(Payload::String(new))) => {
            let (old, new) = (old.to_str_lossy(), new.to_str_lossy());
            let (mut old, mut new) = words(&quoted_inside(&old), &quoted_inside(&new));
            for side in [&mut old, &mut new] {
                side.insert(0, Span::new("\"", Role::String));
                side.push(Span::new("\"", Role::String));
            }
            (merged(old), merged(new))
        }
        _ => (spans(before), spans(after)),
    }
}

fn quoted_inside(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}

/// Two texts with the words that differ marked on each side.
pub fn words(before: &str, after: &str) -> (Vec<Span>, Vec<Span>) {
    if before.len().saturating_add(after.len()) > MAX_COMPARED {
        return (
            vec![escaped(before, Role::String)],
            vec![escaped(after, Role::String)],
        );
    }
    let (old, new) = (tokens(before), tokens(after));
    let [old_numbers, new_numbers] = numbered([&old, &new]);
    // The tokens that both texts have in the same order.
    let same = lcs::common(&old_numbers, &new_numbers);
    let n_same: usize = same.iter().map(|(at, _)| old[*at].trim().len()).sum();
    // If the texts share next to nothing, marking everything says less than marking nothing.
    if n_same * 3 < before.trim().len().min(after.trim().len()) {
        return (
            vec![escaped(before, Role::String)],
            vec![escaped(after, Role::String)],
        );
    }
    let side = |tokens: &[&str], kept: Vec<usize>| {
        let mut spans: Vec<Span> = tokens
            .iter()
            .map(|it| Span::new(*it, Role::Changed))
            .collect();
        for at in kept {
            spans[at].role = Role::String;
        }
        spans
    };
    let (kept_old, kept_new) = same.into_iter().unzip();
    let (old, new) = (side(&old, kept_old), side(&new, kept_new));
    let escaped = |spans: Vec<Span>| {
        let spans = merged(spans).into_iter();
        spans.map(|span| escaped(&span.text, span.role)).collect()
    };
    (escaped(old), escaped(new))
}

/// Joins two emoji to one.
const JOINER: char = '\u{200d}';

/// A text in words, runs of blanks, and other characters one by one: `db-1.example` is `db`, `-`, `1`, `.`, `example`. An emoji of
/// several characters stays whole.
fn tokens(text: &str) -> Vec<&str> {
    let class = |char: char| match char {
        _ if char.is_alphanumeric() || char == '_' => 0,
        _ if char.is_whitespace() => 1,
        _ => 2,
    };
    let mut tokens = Vec::new();
    let mut start = 0;
    let mut last = None;
    let mut is_joined = false;
    for (index, char) in text.char_indices() {
        let class = class(char);
        let is_mark = matches!(
            char,
            JOINER | '\u{fe0f}' | '\u{20e3}' | '\u{1f3fb}'..='\u{1f3ff}'
        );
        let is_new = last.is_some_and(|last| last != class || class == 2);
        if is_new && !is_mark && !is_joined {
            tokens.push(&text[start..index]);
            start = index;
        }
        last = Some(class);
        is_joined = char == JOINER;
    }
    tokens.push(&text[start..]);
    tokens
}

/// One line of a text.
pub(super) fn line(text: &str) -> Vec<Span> {
    vec![escaped(text, Role::String)]
}

fn escaped(text: &str, role: Role) -> Span {
    Span::new(text::escaped(text), role)
}

/// Joins neighboring spans of the same role.
fn merged(spans: Vec<Span>) -> Vec<Span> {
    let mut merged: Vec<Span> = Vec::new();
    for span in spans {
        match merged.last_mut() {
            Some(last) if last.role == span.role => last.text.push_str(&span.text),
            _ => merged.push(span),
        }
    }
    merged
}
