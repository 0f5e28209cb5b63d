//! The difference of a resource: selects the sets of properties to compare and the context of the comparison.
//!
//! A Terraform plan compares attributes. Pulumi compares the inputs that the program asks for. The provider's outputs are
//! compared only if no input differs (a refresh, drift), because in a preview most of them are a copy of the inputs. The options
//! of a resource that stays are compared beside them. Properties that only the provider's detailed difference names are changes too.
//!
//! Two files are compared by [`between`], both inputs and outputs.

use indexmap::IndexSet;

use super::decode::document;
pub use super::difference::SectionDiff;
use super::difference::{Action, Context, Diff, DiffKind, Extent, Reason, describe};
use super::forms::{Tally, Unknowns, settle};
use super::provider_diff::with_reported;
use super::rules::times;
use crate::path::Path;
use crate::pulumi::legacy_path::{LegacyPath, Strictness};
use crate::stack::{Change, Comparison, Resource, Section, State};
use crate::terraform::schema::Block;
use crate::value::{Payload, Value, same};

/// The changes that a plan or preview makes to a resource; empty if there are none. A `schema` (for Terraform resources)
/// distinguishes sets from lists and blocks from attributes.
pub fn review(resource: &Resource, schema: Option<&Block>) -> Vec<SectionDiff> {
    review_of(resource, schema, Extent::Whole)
}

/// Like [`review`], for the parts that `extent` names.
pub fn review_of(resource: &Resource, schema: Option<&Block>, extent: Extent) -> Vec<SectionDiff> {
    let (before, after) = (resource.before.as_ref(), resource.after.as_ref());
    let change = resource.change.as_ref();
    if let Some(comparison) = change.and_then(|change| change.comparison) {
        return between(before, after, comparison).0;
    }
    let replaces = change.map(forcing_paths).unwrap_or_default();
    let context = Context {
        schema,
        replaces: &replaces,
        extent,
        times: Some(times()),
        ..Context::default()
    };
    let options = options(before, after);
    let outputs = || {
        let mut part = part(Section::Outputs, before, after, context)?;
        compare_by_parse(&mut part.diff);
        Some(part)
    };
    if resource.address.is_some() {
        return options.into_iter().chain(outputs()).collect();
    }
    // A set that is missing on one side only because the engine does not know it yet is unchanged.
    let is_one_sided = before.is_some() && after.is_some_and(|after| after.outputs.is_none());
    let asked = part(Section::Inputs, before, after, context);
    let asked = asked.or_else(|| if is_one_sided { None } else { outputs() });
    let parts = options.into_iter().chain(asked).collect();
    with_reported(resource, parts, context)
}

/// The ends of the names of attributes with the plain parse of the masked text beside them: `yaml_body` and `yaml_body_parsed`.
pub(crate) const PARSES: [&str; 2] = ["_parsed", "Parsed"];

/// Compares a masked text by its plain parse, if the file shows one: it means the same if the parse does.
fn compare_by_parse(diff: &mut Diff) {
    let (DiffKind::Map { entries, .. }
    | DiffKind::Object { entries, .. }
    | DiffKind::Block {
        attributes: entries,
        ..
    }) = &mut diff.kind
    else {
        return;
    };
    for index in 0..entries.len() {
        let (key, child) = &entries[index];
        if !matches!(child.kind, DiffKind::Sensitive { .. }) || child.action != Action::Update {
            continue;
        }
        // A parse with parts taken out does not say whether those change.
        let is_whole = |side: &Value, masked: &Value, name: &str| {
            let shown = side.get(name).and_then(document);
            let masked = document(&masked.clone().with_secret(false));
            shown.is_some_and(|(_, shown)| masked.is_some_and(|(_, it)| same(&it, &shown)))
        };
        let mut names = PARSES.iter().map(|end| format!("{key}{end}"));
        let name = names.find(|name| {
            is_whole(&diff.before, &child.before, name) && is_whole(&diff.after, &child.after, name)
        });
        let Some(name) = name else {
            continue;
        };
        let mut others = entries.iter();
        let parse = others.find(|(key, _)| **key == *name);
        let is_same = parse.is_none_or(|(_, parse)| {
            !parse.is_change() || parse.reason().is_some_and(Reason::is_without_effect)
        });
        if is_same {
            entries[index].1.spelling = Some(Reason::FormattingOnly);
        }
    }
}

/// The [`properties`](State::properties) of a resource that does not differ. Null if the file has none.
pub fn properties(resource: &Resource) -> Value {
    let state = resource.before.as_ref().or(resource.after.as_ref());
    let properties = state.and_then(State::properties);
    properties.cloned().unwrap_or_default()
}

/// The difference of the options of a resource that stays.
fn options(before: Option<&State>, after: Option<&State>) -> Option<SectionDiff> {
    let has_options = |state: Option<&State>| state.is_some_and(|state| state.options.is_some());
    let is_known = has_options(before) && has_options(after);
    is_known
        .then(|| part(Section::Options, before, after, Context::default()))
        .flatten()
}

/// The values of a changed resource without a difference. Drift may be in parts that the file leaves out.
pub fn alike(resource: &Resource) -> Option<SectionDiff> {
    let sections = [Section::Inputs, Section::Outputs].into_iter();
    let mut shared = sections.filter_map(|section| {
        let [Some(old), Some(new)] = resource.sides(section) else {
            return None;
        };
        let diff = describe(old, new, Context::default());
        (!diff.is_change()).then_some(SectionDiff { section, diff })
    });
    shared.next()
}

/// The differences between two states of a resource, inputs first, and the counts of those that come only from the form.
pub fn between(
    before: Option<&State>,
    after: Option<&State>,
    comparison: Comparison,
) -> (Vec<SectionDiff>, Tally) {
    let unknowns = match comparison {
        Comparison::Alike => {
            let sections = [Section::Inputs, Section::Outputs].into_iter();
            let parts = sections.filter_map(|it| part(it, before, after, Context::default()));
            let parts = options(before, after).into_iter().chain(parts);
            return (parts.collect(), Tally::default());
        }
        Comparison::Forms => Unknowns::Differ,
        Comparison::Outcome => Unknowns::Match,
    };
    let (mut parts, mut tally) = (Vec::new(), Tally::default());
    for section in [Section::Inputs, Section::Outputs] {
        // One form marks a secret itself where another masks it because the other side is secret. Both count as own masks.
        let side = |state: Option<&State>| {
            state.and_then(|state| state.section(section).map(Value::with_own_masks))
        };
        let (old, new) = (side(before), side(after));
        // A file form without these properties says nothing about them.
        if before.is_some() && after.is_some() && (old.is_none() || new.is_none()) {
            continue;
        }
        let (old, new, own) = settle(&old.unwrap_or_default(), &new.unwrap_or_default(), unknowns);
        tally = tally.and(own);
        let diff = describe(&old, &new, Context::default());
        parts.extend(diff.is_change().then_some(SectionDiff { section, diff }));
    }
    (parts, tally)
}

fn part(
    section: Section,
    before: Option<&State>,
    after: Option<&State>,
    context: Context<'_>,
) -> Option<SectionDiff> {
    let side = |state: Option<&State>| {
        let value = state.and_then(|state| state.section(section));
        match value {
            Some(value) if section == Section::Inputs => without_defaults(value),
            value => value.cloned().unwrap_or_default(),
        }
    };
    let diff = describe(&side(before), &side(after), context);
    diff.is_change().then_some(SectionDiff { section, diff })
}

/// The key that Pulumi's bridge adds to remember which inputs are defaults.
const INTERNAL: &str = "__defaults";

/// Inputs without the keys that Pulumi's bridge adds. Parts without such a key stay shared.
fn without_defaults(value: &Value) -> Value {
    let has_key = |value: &Value| value.get(INTERNAL).is_some();
    if !value.any(has_key) {
        return value.clone();
    }
    let value = value.with_parts(|_, it| without_defaults(it));
    match value.as_map().map(|map| map.clone().delete(INTERNAL)) {
        Some(own) => value.with_payload(Payload::Map(own)),
        None => value,
    }
}

/// The path of an entry in a detailed difference; `None` if it is none.
pub(super) fn path_of(entry: &str) -> Option<Path> {
    let path = LegacyPath::parse(entry, Strictness::Loose).ok()?;
    path.to_path()
}

/// The paths that force a replacement: those named in the file and those marked in the provider's detailed difference.
pub fn forcing_paths(change: &Change) -> Vec<Path> {
    let mut paths: IndexSet<Path> = change.replace_paths.iter().cloned().collect();
    let entries = change.detailed.iter().flatten();
    let forcing = entries.filter(|entry| entry.replaces);
    paths.extend(forcing.filter_map(|entry| path_of(&entry.path)));
    paths.into_iter().collect()
}
