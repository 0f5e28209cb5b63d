//! Strings: in one line, line by line, or as the JSON that they hold.

use super::align::{align, is_by_index};
use super::pair::{After, Pair, Relevant, Steps};
use super::{Action, Diff, Kind, MAX_DEPTH, plain};
use crate::json::{self, Numbers};
use crate::value::{Payload, Value};

/// A line of a string of several lines.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TextLine {
    /// Whether it is kept, deleted or created. All are kept in a string that is created or deleted as a whole.
    pub action: Action,
    /// The line, without its end.
    pub text: String,
}

/// The difference of two strings, either of which may be null.
pub(super) fn text(pair: &Pair<'_>) -> Diff {
    let action = pair.action();
    let kind = kind(pair, action);
    pair.node(action, kind)
}

fn kind(pair: &Pair<'_>, action: Action) -> Kind {
    let (old, new) = match action {
        Action::Create => (None, pair.planned()),
        Action::Same => (pair.planned(), pair.planned()),
        Action::Delete => (pair.prior(), None),
        Action::Update => (pair.prior(), pair.planned()),
    };
    if pair.depth <= MAX_DEPTH {
        let (old_json, new_json) = (embedded(old), embedded(new));
        if old_json.is_some() && new_json.is_some()
            || action != Action::Update && (old_json.is_some() || new_json.is_some())
        {
            let json = (old_json.unwrap_or_default(), new_json.unwrap_or_default());
            return Kind::Json(Box::new(of_json(pair, action, &json)));
        }
        if old_json.is_some() || new_json.is_some() {
            let pair = pair.clone().replacing_nothing();
            let (before, after) = (
                pair.deleted(After::Known).implicit(),
                pair.created().implicit(),
            );
            return Kind::TypeChange {
                before: Box::new(text(&before)),
                after: Box::new(text(&after)),
            };
        }
    }
    if action == Action::Update {
        lines_of_both(old, new)
    } else {
        lines_of_one(old.or(new))
    }
}

fn of_json(pair: &Pair<'_>, action: Action, (old, new): &(Value, Value)) -> Diff {
    let mut inner = Pair::root(old, new, Steps::default(), Relevant::All);
    inner.before.explicit = action != Action::Create;
    inner.after.explicit = action != Action::Delete;
    inner.depth = pair.depth + 1;
    plain::plain(&inner)
}

/// The JSON object or array that a string holds.
fn embedded(value: Option<&Value>) -> Option<Value> {
    let text = bytes(value?)?;
    if !text.starts_with(b"{") && !text.starts_with(b"[") {
        return None;
    }
    Some(json::parse(text, Numbers::Exact).ok()?.value)
}

fn bytes(value: &Value) -> Option<&[u8]> {
    if let Payload::String(text) = value.payload() {
        Some(text.as_bytes())
    } else {
        None
    }
}

/// The text that is compared line by line, if it has several lines.
fn several_lines(value: Option<&Value>) -> Option<String> {
    let text = String::from_utf8_lossy(bytes(value?)?);
    text.contains('\n').then(|| text.trim().to_owned())
}

fn lines_of_one(value: Option<&Value>) -> Kind {
    let Some(text) = several_lines(value) else {
        return Kind::Line;
    };
    let line = |text: &str| TextLine {
        action: Action::Same,
        text: text.to_owned(),
    };
    Kind::Lines(text.split('\n').map(line).collect())
}

fn lines_of_both(old: Option<&Value>, new: Option<&Value>) -> Kind {
    let (old_lines, new_lines) = (several_lines(old), several_lines(new));
    if old_lines.is_none() && new_lines.is_none() {
        return Kind::Line;
    }
    let one_line = |value: Option<&Value>| {
        let bytes = value.and_then(bytes).unwrap_or(b"null");
        String::from_utf8_lossy(bytes).into_owned()
    };
    let old = old_lines.unwrap_or_else(|| one_line(old));
    let new = new_lines.unwrap_or_else(|| one_line(new));
    let (old, new): (Vec<&str>, Vec<&str>) = (old.split('\n').collect(), new.split('\n').collect());
    let mut numbers = std::collections::HashMap::new();
    let mut numbered = |line: &&str| {
        let next = u32::try_from(numbers.len()).unwrap_or(u32::MAX);
        *numbers.entry((*line).to_owned()).or_insert(next)
    };
    let old_numbers: Vec<u32> = old.iter().map(&mut numbered).collect();
    let new_numbers: Vec<u32> = new.iter().map(&mut numbered).collect();
    let line = |told: (Option<usize>, Option<usize>)| {
        let (action, text) = match told {
            (Some(index), Some(_)) => (Action::Same, old[index]),
            (Some(index), None) => (Action::Delete, old[index]),
            (None, Some(index)) => (Action::Create, new[index]),
            (None, None) => (Action::Same, ""),
        };
        TextLine {
            action,
            text: text.to_owned(),
        }
    };
    let told = if is_by_index(&old_numbers, &new_numbers) {
        let at = |index| {
            if old[index] == new[index] {
                vec![(Some(index), Some(index))]
            } else {
                vec![(Some(index), None), (None, Some(index))]
            }
        };
        (0..old.len()).flat_map(at).collect()
    } else {
        align(&old_numbers, &new_numbers, |_, _| false)
    };
    Kind::Lines(told.into_iter().map(line).collect())
}
