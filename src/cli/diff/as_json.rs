//! A report as JSON: a list with an object for each resource, then for drift, for outputs and for actions of no resource.

use std::collections::HashMap;

use super::{OutputChange, Report, ResourceChange};
use crate::change::causes::{Cause, Causes, Origin};
use crate::change::leaves::{Leaf, Strings, of_section};
use crate::path::{Path, Segment};
use crate::render::json;
use crate::stack::{Invocation, Section};
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

fn leaf_json(leaf: &Leaf, path: &Path, why: Option<&str>, section: Option<Section>) -> Value {
    json::object(&[
        ("path", &path.to_tolerant()),
        ("action", &leaf.action.name()),
        ("before", &leaf.before),
        ("after", &leaf.after),
        ("replaces", &leaf.replaces.then_some(true)),
        ("why", &why),
        ("section", &section.map(Section::name)),
    ])
}

fn entry(entry: &ResourceChange, is_drift: Option<bool>) -> Value {
    let is_terraform = entry.address.is_some();
    let names = names(entry);
    let changes = changed_leaves(entry).into_iter().map(|leaf| {
        let why = why(entry, &names, &leaf);
        let section = (!is_terraform).then_some(leaf.section);
        leaf_json(&leaf, &leaf.path, why.as_deref(), section)
    });
    let invoked: Vec<_> = entry.invoked.iter().map(invocation).collect();
    let also: Vec<_> = entry.also.iter().map(|it| it.name()).collect();
    let order = entry.order.map(|order| order.words().replace(' ', "-"));
    json::object(&[
        ("urn", &entry.urn),
        ("address", &entry.address),
        ("action", &entry.action.name()),
        ("also", &some(&also)),
        ("order", &order),
        ("steps", &some(&entry.steps)),
        ("reasons", &entry.reasons),
        ("remarks", &some(&entry.of_properties)),
        ("moved_from", &entry.moved_from),
        ("position", &entry.position),
        ("importing", &entry.importing),
        ("deferred", &entry.deferred),
        ("drift", &is_drift),
        ("changes", &changes.collect::<Vec<_>>()),
        ("invokes", &some(&invoked)),
        ("error", &entry.error),
    ])
}

/// A list; `None` if it is empty.
fn some<T>(list: &[T]) -> Option<&[T]> {
    Some(list).filter(|list| !list.is_empty())
}

fn output(output: &OutputChange) -> Value {
    let changes = of_section(&output.part, Strings::Whole)
        .into_iter()
        .map(|leaf| {
            let mut path = Path::root().child(Segment::from(output.name.as_str()));
            path.0.extend(leaf.path.0.iter().cloned());
            leaf_json(&leaf, &path, None, None)
        });
    let address = format!("output.{}", output.name);
    json::object(&[
        ("urn", &address),
        ("address", &address),
        ("action", &output.action.name()),
        ("reasons", &NONE),
        ("changes", &changes.collect::<Vec<_>>()),
        ("output", &output.name),
    ])
}

fn invocation(invocation: &Invocation) -> Value {
    json::object(&[
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
