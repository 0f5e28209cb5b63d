//! A report as JSON: a list with an object for each resource, then for drift, for outputs and for actions of no resource.

use std::collections::HashMap;

use super::{OutputChange, Report, ResourceChange};
use crate::change::causes::{Cause, Origin};
use crate::change::leaves::{Leaf, Strings, of_section};
use crate::path::{Path, Segment};
use crate::render::json::object;
use crate::render::remarks;
use crate::stack::{Action, Invocation, Section, Stack};
use crate::value::Value;

/// The objects of a report, in its order.
pub(super) fn report(report: &Report<'_>) -> impl Iterator<Item = Value> {
    let entries = report.entries.iter().map(|it| entry(it, None));
    let drifted = report.drifted.iter().map(|it| entry(it, Some(true)));
    let outputs = report.outputs.iter().map(output);
    let invoked = report.invoked.iter().map(|it| invocation(it));
    entries.chain(drifted).chain(outputs).chain(invoked)
}

/// The changed leaves of an entry. Outputs that only echo an input are left out.
fn changed_leaves(entry: &ResourceChange<'_>) -> Vec<Leaf> {
    let mut changed: Vec<Leaf> = Vec::new();
    let mut earlier: HashMap<Path, Vec<usize>> = HashMap::new();
    for part in &entry.parts {
        let n_before = changed.len();
        for leaf in of_section(part, Strings::Whole) {
            let mut same_path = earlier.get(&leaf.path).into_iter().flatten();
            if !same_path.any(|other| changed[*other].after == leaf.after) {
                changed.push(leaf);
            }
        }
        for (number, leaf) in changed.iter().enumerate().skip(n_before) {
            earlier.entry(leaf.path.clone()).or_default().push(number);
        }
    }
    changed
}

/// The cause of a leaf's change, if the file has it.
fn why(entry: &ResourceChange<'_>, leaf: &Leaf) -> Option<String> {
    if let Some(reason) = leaf.reason {
        return Some(reason.words().to_owned());
    }
    let causes = entry.causes.as_ref()?;
    let found = causes.at(leaf.section, &leaf.path);
    let words = found.iter().filter_map(|cause| match cause {
        Cause::From(origin) => Some(in_words(entry.stack, origin)),
        cause => cause.word(causes.is_pulumi()).map(str::to_owned),
    });
    let words: Vec<String> = words.collect();
    (!words.is_empty()).then(|| words.join("; "))
}

/// Example: `from aws_db_instance.main.id, which changes (replace)`.
fn in_words(stack: &Stack, origin: &Origin) -> String {
    let mut words = format!("from {}", stack.identity(origin.id));
    if let Some(attribute) = &origin.attribute {
        words.push('.');
        words.push_str(attribute);
    }
    match stack.record(origin.id).action {
        None | Some(Action::Noop) => {}
        Some(action) => {
            words.push_str(", which changes (");
            words.push_str(action.name());
            words.push(')');
        }
    }
    words
}

fn leaf_json(leaf: &Leaf, path: &Path, why: Option<&str>, section: Option<Section>) -> Value {
    object(&[
        ("path", &path.to_tolerant()),
        ("action", &leaf.action.name()),
        ("before", &leaf.before),
        ("after", &leaf.after),
        ("replaces", &leaf.replaces.then_some(true)),
        ("why", &why),
        ("section", &section.map(Section::name)),
    ])
}

fn entry(entry: &ResourceChange<'_>, is_drift: Option<bool>) -> Value {
    let (stack, id) = (entry.stack, entry.id);
    let address = stack.address(id);
    let changes = changed_leaves(entry).into_iter().map(|leaf| {
        let why = why(entry, &leaf);
        let section = address.is_none().then_some(leaf.section);
        leaf_json(&leaf, &leaf.path, why.as_deref(), section)
    });
    let invoked: Vec<_> = entry.invoked().iter().map(invocation).collect();
    let also: Vec<_> = entry.also().map(Action::name).collect();
    let order = stack.replace_order(id);
    let order = order.map(|order| order.words().replace(' ', "-"));
    let (resource, change) = (entry.resource(), entry.change());
    let remarks = resource.map(|it| remarks::of_properties(it, &entry.parts));
    object(&[
        ("urn", &stack.urn(id)),
        ("address", &address),
        ("action", &entry.action.name()),
        ("also", &some(&also)),
        ("order", &order),
        ("steps", &change.and_then(|it| some(&it.steps))),
        ("reasons", &entry.reasons()),
        ("remarks", &remarks.as_deref().and_then(some)),
        ("moved_from", &change.map(|it| &it.previous_address)),
        ("position", &resource.map(|it| &it.position)),
        ("importing", &change.map(|it| &it.importing)),
        ("deferred", &entry.deferred()),
        ("drift", &is_drift),
        ("changes", &changes.collect::<Vec<_>>()),
        ("invokes", &some(&invoked)),
        ("error", &entry.resource.as_ref().err()),
    ])
}

/// A list; `None` if it is empty.
fn some<T>(list: &[T]) -> Option<&[T]> {
    Some(list).filter(|list| !list.is_empty())
}

fn output(output: &OutputChange<'_>) -> Value {
    let changes = of_section(&output.part, Strings::Whole)
        .into_iter()
        .map(|leaf| {
            let mut path = Path::root().child(Segment::from(output.name));
            path.0.extend(leaf.path.0.iter().cloned());
            leaf_json(&leaf, &path, None, None)
        });
    let address = format!("output.{}", output.name);
    object(&[
        ("urn", &address),
        ("address", &address),
        ("action", &output.action.name()),
        ("reasons", &NONE),
        ("changes", &changes.collect::<Vec<_>>()),
        ("output", &output.name),
    ])
}

fn invocation(invocation: &Invocation) -> Value {
    object(&[
        ("urn", &invocation.address),
        ("address", &invocation.address),
        ("action", &"invoke"),
        ("reasons", &NONE),
        ("changes", &NONE),
        ("when", &invocation.when()),
        ("config", &invocation.config.as_ref().map(|it| &it.value)),
    ])
}

const NONE: &[&str] = &[];
