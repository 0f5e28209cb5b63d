//! Lists, sets and maps as text.

use std::sync::Arc;

use super::{Style, assigned, child, close, count, node, widest};
use crate::change::difference::{Action, Diff, DiffKind, Elements};
use crate::text::quoted;

pub(super) fn list(
    diff: &Diff,
    elements: &Elements,
    context: bool,
    indent: usize,
    style: Style,
) -> String {
    let (null, forces) = (style.null(diff.action), style.forces(diff));
    if elements.is_empty() {
        return format!("[]{null}{forces}");
    }
    let below = style.below().without_null();
    let unchanged = style.below().showing_all();
    let mut out = format!("[{forces}\n");
    let (mut n_passed, mut last_passed) = (0_usize, None);
    let mut is_next_shown = false;
    for element in elements.iter() {
        let is_same = !element.is_change();
        if is_same && !is_next_shown && !style.all {
            n_passed += 1;
            last_passed = Some(element);
            continue;
        }
        is_next_shown = false;
        let mut own = below;
        if context {
            let n_hidden = n_passed.saturating_sub(1);
            count(&mut out, "element", n_hidden, indent, below);
            if let Some(last) = last_passed.take() {
                let lead = style.lead(indent + 1, Action::Same);
                let drawn = node(&last.diff(), indent + 1, unchanged);
                put!(out, "{lead}{drawn},\n");
            }
            n_passed = 0;
            if is_same {
                own = unchanged;
            } else {
                is_next_shown = true;
            }
        }
        child(&mut out, &element.diff(), "", ",", indent + 1, own);
    }
    count(&mut out, "element", n_passed, indent, style);
    close(&mut out, ']', indent, style, null);
    out
}

pub(super) fn set(
    diff: &Diff,
    elements: &Elements,
    nested: bool,
    indent: usize,
    style: Style,
) -> String {
    let null = style.null(diff.action);
    let forces = if nested { "" } else { style.forces(diff) };
    if elements.is_empty() {
        return format!("[]{null}{forces}");
    }
    let below = Style {
        forces: diff.replaces && nested,
        ..style.below().without_null()
    };
    let mut out = format!("[{forces}\n");
    let mut n_hidden = 0;
    for element in elements.iter() {
        if element.is_change() || style.all {
            child(&mut out, &element.diff(), "", ",", indent + 1, below);
        } else {
            n_hidden += 1;
        }
    }
    count(&mut out, "element", n_hidden, indent, style);
    close(&mut out, ']', indent, style, null);
    out
}

pub(super) fn map(
    diff: &Diff,
    entries: &[(Arc<str>, Diff)],
    nested: bool,
    indent: usize,
    style: Style,
) -> String {
    let null = style.null(diff.action);
    let forces = if nested { "" } else { style.forces(diff) };
    if entries.is_empty() {
        return format!("{{}}{null}{forces}");
    }
    let below = Style {
        no_null: diff.action == Action::Delete || nested,
        forces: diff.replaces && nested,
        ..style.below()
    };
    let keys: Vec<String> = entries
        .iter()
        .map(|(key, _)| quoted(key.as_bytes()))
        .collect();
    let width = if nested { 0 } else { widest(keys.iter()) };
    let mut out = format!("{{{forces}\n");
    let mut n_hidden = 0;
    for ((_, element), key) in entries.iter().zip(&keys) {
        if element.action == Action::Same && !style.all {
            n_hidden += 1;
            continue;
        }
        let is_object = matches!(element.kind, DiffKind::Object { .. });
        let (name, comma) = (assigned(key, width), if is_object { "," } else { "" });
        child(&mut out, element, &name, comma, indent + 1, below);
    }
    count(&mut out, "element", n_hidden, indent, style);
    close(&mut out, '}', indent, style, null);
    out
}
