//! Lookup of all values that a pattern names.

use super::{Masks, Missing, MissingKind, Of, Stop, descend, first, inside, wrapped};
use crate::path::{Glob, GlobSegment, Path};
use crate::stack::Resource;
use crate::value::{Payload, Sealed, Value};

/// The values that `pattern` names in the first of the places of `of` that has any, each with its path, in the order of the tree.
///
/// # Errors
///
/// If no place has any.
pub fn lookup_all(
    resource: &Resource,
    pattern: &Glob,
    of: Of,
    masks: Masks,
) -> Result<Vec<(Path, Value)>, Missing> {
    let in_place = |top: &Value, other: Option<&Value>| matches(top, other, pattern, masks);
    let found = first(resource, pattern, of, in_place).map(|(_, found)| found);
    found.or_else(|missing| {
        let path = pattern.as_path().ok_or_else(|| missing.clone())?;
        let answer = wrapped::lookup(resource, &path, of, masks).ok_or(missing)?;
        Ok(vec![(path, answer.value)])
    })
}

/// The values that `pattern` names below `top`; else the number of its steps that lead to something and the reason why the next
/// one does not. `other` is the same value on the other side of a change, as in [`descend`].
///
/// Masks end a pattern: if its steps before the first wildcard lead to a secret, that secret is the answer. A secret below a
/// wildcard has nothing below it.
///
/// # Errors
///
/// If the pattern names nothing.
pub fn matches(
    top: &Value,
    other: Option<&Value>,
    pattern: &Glob,
    masks: Masks,
) -> Result<Vec<(Path, Value)>, Stop> {
    let is_wild = |step: &GlobSegment| matches!(step, GlobSegment::Splat | GlobSegment::Deep);
    let n_head = pattern.0.iter().position(is_wild);
    let n_head = n_head.unwrap_or(pattern.0.len());
    let head = pattern.first(n_head).as_path().unwrap_or_default();
    let mut value = descend(top, other, &head, masks)?;
    if n_head == pattern.0.len() {
        return Ok(vec![(head, value)]);
    }
    if value.is_secret() {
        if masks == Masks::Keep || matches!(value.payload(), Payload::Sealed(_)) {
            return Ok(vec![(head, value)]);
        }
        value = value.reveal();
    }
    if value.is_computed() {
        return Err((n_head, MissingKind::Unknown));
    }
    if let Some(inner) = inside(&value) {
        value = inner;
    }
    if masks == Masks::Keep {
        value = closed(&value);
    }
    let rest = Glob(pattern.0[n_head..].to_vec());
    let found = rest.find(&value);
    if found.is_empty() {
        return Err(match rest.get(&value) {
            Ok(_) => (n_head, MissingKind::NothingBelow),
            Err(miss) => (n_head + miss.n_steps, MissingKind::NoMatch(miss.why)),
        });
    }
    let with_head = |(path, value): (Path, &Value)| {
        let steps = head.0.iter().cloned().chain(path.0);
        (steps.collect(), value.clone())
    };
    Ok(found.into_iter().map(with_head).collect())
}

/// The value with the contents of its secrets left out.
fn closed(value: &Value) -> Value {
    if value.is_secret() {
        return Value::new(Payload::Sealed(Sealed::Redacted));
    }
    value.with_parts(|_, it| closed(it))
}
