//! A report as JSON: a list with an object for each resource, then for drift, for outputs and for actions of no resource.

use std::collections::HashMap;

use super::{OutputChange, Report, ResourceChange};
use crate::change::causes::{Cause, Causes, Origin};
use crate::change::leaves::{Leaf, Strings, of_section};
use crate::path::{Path, Segment};
use crate::render::json;
use crate::stack::{Action, Invocation, Section};
use crate::value::Value;

/// The objects of a report, in its order.
pub(super) fn report(report: &Report) -> impl Iterator<Item = Value> {
    let entries = report.entries.iter().map(|it| entry(it, None));
    let drifted = report.drifted.iter().map(|it| entry(it, Some(true)));
    let outputs = report.outputs.iter().map(output);
    let invoked = report.invoked.iter().map(invocation);
    entries.chain(drifted).chain(outputs).chain(invoked)
}

/// The changed leaves of an entry. Outputs that only echo an input are left out.
fn changed_leaves(entry: &ResourceChange) -> Vec<Leaf> {
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

/// The name of each origin of an entry.
type Names<'e> = HashMap<&'e Origin, &'e str>;

fn names(entry: &ResourceChange) -> Names<'_> {
    let causes = entry.causes.iter();
    let origins = causes.flat_map(Causes::origins);
    origins
        .zip(entry.names.iter().map(String::as_str))
        .collect()
}

/// The cause of a leaf's change, if the file has it.
fn why(entry: &ResourceChange, names: &Names<'_>, leaf: &Leaf) -> Option<String> {
    if let Some(reason) = leaf.reason {
        return Some(reason.words().to_owned());
    }
    let causes = entry.causes.as_ref()?;
    let found = causes.at(leaf.section, &leaf.path);
    let words: Vec<&str> = found
        .iter()
        .filter_map(|cause| match cause {
            Cause::From(origin) => names.get(origin).copied(),
            cause => cause.word(causes.is_pulumi()),
        })
        .collect();
    (!words.is_empty()).then(|| words.join("; "))
}

fn leaf_json(leaf: Leaf, path: &Path, why: Option<String>, section: Option<Section>) -> Value {
    json::object([
        ("path", Some(path.to_tolerant().into())),
        ("action", Some(leaf.action.name().into())),
        ("before", Some(leaf.before)),
        ("after", Some(leaf.after)),
        ("replaces", leaf.replaces.then(|| true.into())),
        ("why", why.map(Value::from)),
        ("section", section.map(|section| section.name().into())),
    ])
}

fn entry(entry: &ResourceChange, is_drift: Option<bool>) -> Value {
    let is_terraform = entry.address.is_some();
    let names = names(entry);
    let changes: Vec<_> = changed_leaves(entry)
        .into_iter()
        .map(|leaf| {
            let why = why(entry, &names, &leaf);
            let (path, section) = (leaf.path.clone(), leaf.section);
            leaf_json(leaf, &path, why, (!is_terraform).then_some(section))
        })
        .collect();
    let invoked: Vec<_> = entry.invoked.iter().map(invocation).collect();
    let text = |text: &Option<String>| text.as_deref().map(Value::from);
    let also: Vec<&str> = entry.also.iter().copied().map(Action::name).collect();
    let order = entry.order.map(|order| order.words().replace(' ', "-"));
    json::object([
        ("urn", Some(entry.urn.as_str().into())),
        ("address", text(&entry.address)),
        ("action", Some(entry.action.name().into())),
        ("also", some_texts(&mut also.iter().copied())),
        ("order", order.map(Value::from)),
        (
            "steps",
            some_texts(&mut entry.steps.iter().map(String::as_str)),
        ),
        (
            "reasons",
            Some(json::texts(entry.reasons.iter().map(String::as_str))),
        ),
        (
            "remarks",
            some_texts(&mut entry.of_properties.iter().map(String::as_str)),
        ),
        ("moved_from", text(&entry.moved_from)),
        ("importing", entry.importing.clone()),
        ("deferred", text(&entry.deferred)),
        ("drift", is_drift.map(Value::from)),
        ("changes", Some(changes.into())),
        ("invokes", (!invoked.is_empty()).then(|| invoked.into())),
        ("error", text(&entry.error)),
    ])
}

/// A list of texts; `None` if there are none.
fn some_texts(texts: &mut dyn Iterator<Item = &str>) -> Option<Value> {
    let mut texts = texts.peekable();
    texts.peek().is_some().then(|| json::texts(texts))
}

fn output(output: &OutputChange) -> Value {
    let changes: Vec<_> = of_section(&output.part, Strings::Whole)
        .into_iter()
        .map(|leaf| {
            let mut path = Path::root().child(Segment::from(output.name.as_str()));
            path.0.extend(leaf.path.0.iter().cloned());
            leaf_json(leaf, &path, None, None)
        })
        .collect();
    let address = format!("output.{}", output.name);
    json::object([
        ("urn", Some(address.as_str().into())),
        ("address", Some(address.into())),
        ("action", Some(output.action.name().into())),
        ("reasons", Some(json::texts([]))),
        ("changes", Some(changes.into())),
        ("output", Some(output.name.as_str().into())),
    ])
}

fn invocation(invocation: &Invocation) -> Value {
    json::object([
        ("urn", Some(invocation.address.as_str().into())),
        ("address", Some(invocation.address.as_str().into())),
        ("action", Some("invoke".into())),
        ("reasons", Some(json::texts([]))),
        ("changes", Some(Vec::new().into())),
        ("when", Some(invocation.when().into())),
        (
            "config",
            invocation.config.as_ref().map(|it| it.value.clone()),
        ),
    ])
}
