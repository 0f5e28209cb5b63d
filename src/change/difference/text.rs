//! The difference of strings: in one line, line by line, or as the JSON or YAML that they hold.

use super::align::{align, by_index, is_by_index, numbered};
use super::pair::{After, Pair, Relevant, Steps};
use super::{Action, Alignment, Diff, DiffKind, MAX_DEPTH, plain};
use crate::change::decode::{Decoder, document};
use crate::json::{self, Numbers};
use crate::value::{Payload, Value};

/// A line of a string of several lines.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TextLine {
    /// Kept (`Same`), deleted or created. All lines are kept in a string that is created or deleted as a whole.
    pub action: Action,
    /// The line, without its line break.
    pub text: String,
}

/// The difference of two strings, either of which may be null.
pub(super) fn text(pair: &Pair<'_>) -> Diff {
    let action = pair.action();
    let kind = kind(pair, action);
    pair.node(action, kind)
}

fn kind(pair: &Pair<'_>, action: Action) -> DiffKind {
    let (old, new) = match action {
        Action::Create => (None, pair.planned()),
        Action::Same => (pair.planned(), pair.planned()),
        Action::Delete => (pair.prior(), None),
        Action::Update => (pair.prior(), pair.planned()),
    };
    if pair.setting.depth <= MAX_DEPTH {
        let (old_json, new_json) = (embedded(old), embedded(new));
        if old_json.is_some() && new_json.is_some()
            || action != Action::Update && (old_json.is_some() || new_json.is_some())
        {
            let json = (old_json.unwrap_or_default(), new_json.unwrap_or_default());
            return DiffKind::Json(Box::new(of_values(pair, action, &json)));
        }
        if old_json.is_some() || new_json.is_some() {
            let pair = pair.clone().replacing_nothing();
            let (before, after) = (
                pair.deleted(After::Known).implicit(),
                pair.created().implicit(),
            );
            return DiffKind::TypeChange {
                before: Box::new(text(&before)),
                after: Box::new(text(&after)),
            };
        }
    }
    if action == Action::Update {
        match (
            lines_of_both(old, new, pair.setting.alignment),
            document_of_both(pair, old, new),
        ) {
            (DiffKind::Lines(lines), Some((form, values))) => DiffKind::Document {
                form,
                values: Box::new(values),
                lines,
            },
            (kind, _) => kind,
        }
    } else {
        lines_of_one(old.or(new))
    }
}

fn of_values(pair: &Pair<'_>, action: Action, (old, new): &(Value, Value)) -> Diff {
    let mut inner = Pair::root(old, new, Steps::default(), Relevant::All);
    inner.before.explicit = action != Action::Create;
    inner.after.explicit = action != Action::Delete;
    inner.setting.depth = pair.setting.depth + 1;
    inner.setting.alignment = pair.setting.alignment;
    inner.extent = pair.extent;
    inner.setting.times = pair.setting.times;
    plain::plain(&inner)
}

/// The difference of two documents of one form, YAML or properties, with that form; `None` if either string is something else.
fn document_of_both(
    pair: &Pair<'_>,
    old: Option<&Value>,
    new: Option<&Value>,
) -> Option<(Decoder, Diff)> {
    // Terraform does not parse them.
    if pair.setting.depth > MAX_DEPTH || pair.setting.alignment == Alignment::Terraform {
        return None;
    }
    let ((form, old), (form_of_new, new)) = (document(old?)?, document(new?)?);
    let is_form = form == form_of_new && form != Decoder::Json;
    let (old, new) = as_streams(old, new);
    is_form.then(|| (form, of_values(pair, Action::Update, &(old, new))))
}

/// Two documents of YAML. If one text has several of them, the other one has a list of one.
fn as_streams(old: Value, new: Value) -> (Value, Value) {
    match (old.as_array().is_some(), new.as_array().is_some()) {
        (true, false) => (old, vec![new].into()),
        (false, true) => (vec![old].into(), new),
        (true, true) | (false, false) => (old, new),
    }
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

/// The text to compare line by line; `None` if it has only one line.
fn several_lines(value: Option<&Value>) -> Option<String> {
    let text = String::from_utf8_lossy(bytes(value?)?);
    text.contains('\n').then(|| text.trim().to_owned())
}

fn lines_of_one(value: Option<&Value>) -> DiffKind {
    let Some(text) = several_lines(value) else {
        return DiffKind::Line;
    };
    let line = |text: &str| TextLine {
        action: Action::Same,
        text: text.to_owned(),
    };
    DiffKind::Lines(text.split('\n').map(line).collect())
}

fn lines_of_both(old: Option<&Value>, new: Option<&Value>, alignment: Alignment) -> DiffKind {
    let (old_lines, new_lines) = (several_lines(old), several_lines(new));
    if old_lines.is_none() && new_lines.is_none() {
        return DiffKind::Line;
    }
    let one_line = |value: Option<&Value>| {
        let bytes = value.and_then(bytes).unwrap_or(b"null");
        String::from_utf8_lossy(bytes).into_owned()
    };
    let old = old_lines.unwrap_or_else(|| one_line(old));
    let new = new_lines.unwrap_or_else(|| one_line(new));
    let (old, new): (Vec<&str>, Vec<&str>) = (old.split('\n').collect(), new.split('\n').collect());
    let [old_numbers, new_numbers] = numbered([&old, &new]);
    let line = |action: Action, text: &str| TextLine {
        action,
        text: text.to_owned(),
    };
    let mut told = Vec::with_capacity(old.len().max(new.len()));
    let is_by_index = alignment == Alignment::Terraform
        && is_by_index([old.len(), new.len()], &old_numbers, &new_numbers, []);
    let order = if is_by_index {
        by_index(old.len())
    } else {
        align(&old_numbers, &new_numbers, |_| false)
    };
    for sides in order {
        match sides {
            (Some(before), Some(after)) if old_numbers[before] == new_numbers[after] => {
                told.push(line(Action::Same, old[before]));
            }
            (before, after) => {
                told.extend(before.map(|index| line(Action::Delete, old[index])));
                told.extend(after.map(|index| line(Action::Create, new[index])));
            }
        }
    }
    DiffKind::Lines(told)
}
