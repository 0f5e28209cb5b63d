//! Statements of Pulumi's engine and its providers about a change that go beyond the compared values.
//!
//! A provider may answer a diff request with additional paths: a value that a refresh found and the update sets back, a default that
//! moves, an output that will follow, an equal value that forces a replacement. [`with_reported`] adds them to the difference.
//! [`statements`] translates them by the engine's rules and leaves out those that the difference already shows. [`kept`] describes the effect of the paths in `ignoreChanges`: the engine resets them to the old value before it asks
//! the provider.
//!
//! # Laws
//!
//! 1. Both sides of an entry are masked alike, whichever set of properties they come from.
//! 2. Work is bounded: at most [`MAX_ENTRIES`] entries and paths are read. [`n_unread`] counts the rest.

use std::collections::HashSet;
use std::sync::Arc;

use super::difference::{Action, Context, Diff, DiffKind, describe};
use super::review::SectionDiff;
use crate::path::{Path, Segment};
use crate::pulumi::diff::{ArrayDiff, EntryKind, MapDiff, Sides, ValueDiff, translate};
use crate::pulumi::legacy_path::{LegacyPath, LegacySegment, Strictness};
use crate::stack::{Change, Resource, Section, State};
use crate::value::{Map, Value, same};

/// Maximum number of entries of a detailed difference, and of paths in an option, that are read.
pub const MAX_ENTRIES: usize = 500;

/// A property that a provider reports as changed.
#[derive(Clone, PartialEq, Debug)]
pub struct ReportedProperty {
    /// The property.
    pub path: LegacyPath,
    /// The value before; `None` if it is added.
    pub old: Option<Value>,
    /// The value after; `None` if it is deleted.
    pub new: Option<Value>,
    /// True if it forces the replacement of the resource.
    pub replaces: bool,
}

/// The statements about a change that its values do not show.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct ProviderStatements {
    /// The properties that the provider names and the difference does not show.
    pub reported: Vec<ReportedProperty>,
    /// The paths of `hideDiff` that hide something from the displays of the engine.
    pub hidden: Vec<LegacyPath>,
    /// The top-level properties that the engine reports as different, without any details.
    pub keys: Vec<String>,
}

/// The statements about the change of `resource`. `parts` are the differences of its values.
pub fn statements(resource: &Resource, parts: &[SectionDiff]) -> ProviderStatements {
    let (Some(change), Some(before), Some(after)) =
        (&resource.change, &resource.before, &resource.after)
    else {
        return ProviderStatements::default();
    };
    if change.comparison.is_some() {
        return ProviderStatements::default();
    }
    let entries = change.detailed.as_deref().unwrap_or_default();
    let entries = &entries[..entries.len().min(MAX_ENTRIES)];
    let [old_inputs, old_outputs, new_inputs, new_outputs] = masked(before, after);
    let sides = Sides {
        old_inputs: &old_inputs,
        old_outputs: &old_outputs,
        new_inputs: &new_inputs,
        new_outputs: &new_outputs,
        is_refresh: change.is_refresh,
    };
    let mut hide = paths(resource, "hideDiff");
    hide.extend(paths(resource, "hideDiffs"));
    let pairs = entries.iter().map(|it| (it.path.as_str(), it.entry));
    let translated = translate(pairs, sides, &hide);
    let mut found = Vec::new();
    if let Some(diff) = &translated.diff {
        of_map(diff, &mut Vec::new(), &mut found);
    }
    let forcing = entries.iter().filter(|it| it.replaces);
    let forcing = forcing.filter_map(|it| LegacyPath::parse(&it.path, Strictness::Loose).ok());
    let forcing: Vec<LegacyPath> = forcing.collect();
    let is_shown = |path: &LegacyPath| parts.iter().any(|part| is_shown(part, path));
    let mut reported: Vec<ReportedProperty> =
        found.into_iter().filter(|it| !is_shown(&it.path)).collect();
    for one in &mut reported {
        one.replaces = forcing.iter().any(|path| path.contains(&one.path));
    }
    let changed = translated.diff.as_ref().map(MapDiff::changed_keys);
    let changed = changed.unwrap_or_default();
    let keys = change.diff_keys.iter().take(MAX_ENTRIES).filter(|key| {
        let top = LegacyPath(vec![LegacySegment::Key(key.as_str().into())]);
        let is_reported = changed.binary_search(&key.as_str()).is_ok();
        !is_reported && !is_shown(&top) && !hide.iter().any(|hide| hide.contains(&top))
    });
    ProviderStatements {
        keys: keys.cloned().collect(),
        reported,
        hidden: translated.hidden,
    }
}

/// The difference of a resource with the properties that only the provider or the engine names. Those are compared as outputs: the
/// value before is what the provider found.
pub fn with_reported(
    resource: &Resource,
    mut parts: Vec<SectionDiff>,
    context: Context<'_>,
) -> Vec<SectionDiff> {
    let (Some(change), Some(before), Some(after)) =
        (&resource.change, &resource.before, &resource.after)
    else {
        return parts;
    };
    let entries = change.detailed.iter().flatten().map(|it| &*it.path);
    let mut names = entries.chain(change.diff_keys.iter().map(String::as_str));
    let is_new = |name: &str| {
        let path = LegacyPath::parse(name, Strictness::Loose).ok();
        path.is_some_and(|path| !parts.iter().any(|part| is_shown(part, &path)))
    };
    if !names.any(is_new) {
        return parts;
    }
    let mut statements = statements(resource, &parts);
    let [_, old_outputs, new_inputs, new_outputs] = masked(before, after).map(Value::from);
    if change.detailed.is_none() {
        let keys = statements.keys.iter();
        let found = keys.filter_map(|key| of_key(key, change, &old_outputs, &new_inputs));
        statements.reported.extend(found);
    }
    let is_of_outputs = |part: &SectionDiff| part.section == Section::Outputs;
    let place = parts.iter().position(is_of_outputs);
    let (mut old, mut new) = match place.map(|place| &parts[place].diff) {
        Some(diff) => (diff.before.clone(), diff.after.clone()),
        None => (old_outputs.clone(), old_outputs.clone()),
    };
    let deleted = deleted(change);
    let mut placed = Vec::new();
    for one in &statements.reported {
        let Some(path) = one.path.to_path() else {
            continue;
        };
        let (path, [before, after]) = if let Some(list) = list_around(&path, one) {
            let sides = [&old_outputs, &new_inputs].map(|side| list.get(side).cloned());
            (list, sides)
        } else {
            let is_set = path.get(&new_inputs).is_some();
            let is_deleted = one.new.is_none() && deleted.contains(&one.path);
            let outcome = (!is_set && !is_deleted).then(|| outcome(one, path.get(&new_outputs)));
            let new = outcome.flatten().or_else(|| one.new.clone());
            (path, [one.old.clone(), new])
        };
        let place = |top: &Value, value| put(&with_parents(top, &path)?, &path, value);
        if let (Some(before), Some(after)) = (place(&old, before), place(&new, after)) {
            (old, new) = (before, after);
            placed.push((path, one.replaces));
        }
    }
    if placed.is_empty() {
        return parts;
    }
    let forcing = placed.iter().filter(|(_, replaces)| *replaces);
    let forcing: Vec<Path> = forcing.map(|(path, _)| path.clone()).collect();
    let replaces = if place.is_some() {
        context.replaces
    } else {
        &forcing
    };
    let context = Context {
        replaces,
        ..context
    };
    let mut diff = describe(&old, &new, context);
    for (path, _) in &placed {
        mark(&mut diff, &path.0);
    }
    if !diff.is_change() {
        return parts;
    }
    let section = Section::Outputs;
    match place {
        Some(place) => parts[place].diff = diff,
        None => parts.push(SectionDiff { section, diff }),
    }
    parts
}

/// The paths that the provider says are deleted.
fn deleted(change: &Change) -> HashSet<LegacyPath> {
    let entries = change.detailed.iter().flatten().take(MAX_ENTRIES);
    let deleted = entries.filter(|it| it.entry.kind == EntryKind::Delete);
    let paths = deleted.filter_map(|it| LegacyPath::parse(&it.path, Strictness::Loose).ok());
    paths.collect()
}

/// The list that an element at `path` joins or leaves. It is compared as a whole, because such elements move the others.
fn list_around(path: &Path, reported: &ReportedProperty) -> Option<Path> {
    let is_element = |segment: &Segment| matches!(segment, Segment::Index(_));
    let n_steps = path.0.iter().position(is_element)?;
    let is_moving = reported.old.is_none() || reported.new.is_none();
    is_moving.then(|| path.0[..n_steps].iter().cloned().collect())
}

/// The value that a property gets if no input sets it and it is not deleted: what the file foresees, else unknown. The engine calls a value
/// deleted that has an entry for a part and is no input. `None` if it is added.
fn outcome(reported: &ReportedProperty, foreseen: Option<&Value>) -> Option<Value> {
    let old = reported.old.as_ref()?;
    let new = foreseen.filter(|new| !same(old, new)).cloned();
    let new = new.unwrap_or_else(Value::computed);
    let is_secret = old.is_secret() || new.is_secret();
    Some(new.with_secret(is_secret))
}

/// A property that the engine names without details, if the value that was found is not the one that the program sets.
fn of_key(
    key: &str,
    change: &Change,
    old_outputs: &Value,
    new_inputs: &Value,
) -> Option<ReportedProperty> {
    let (old, new) = (old_outputs.get(key)?, new_inputs.get(key)?);
    let is_secret = old.is_secret() || new.is_secret();
    let side = |value: &Value| Some(value.clone().with_secret(is_secret));
    let is_key = |path: &Path| path.0 == [Segment::from(key)];
    (!same(old, new)).then(|| ReportedProperty {
        path: LegacyPath(vec![LegacySegment::Key(key.into())]),
        old: side(old),
        new: side(new),
        replaces: change.replace_paths.iter().any(is_key),
    })
}

/// `top` with a map at each place above the path that has nothing. `None` if an element is missing.
fn with_parents(top: &Value, path: &Path) -> Option<Value> {
    let mut with = top.clone();
    for n_steps in 1..path.0.len() {
        let above: Path = path.0[..n_steps].iter().cloned().collect();
        if above.get(&with).is_none() {
            with = above.set(&with, &Map::default().into()).ok()?;
        }
    }
    Some(with)
}

/// `top` with this value at the path, or without one. `None` if the path leads nowhere.
fn put(top: &Value, path: &Path, value: Option<Value>) -> Option<Value> {
    match value {
        Some(value) => path.set(top, &value).ok(),
        None if path.get(top).is_none() => Some(top.clone()),
        None => path.delete(top).ok(),
    }
}

/// Marks the place at the end of the steps as an update although its values are the same: a provider says that it changes. A place in
/// a list stays as it is.
fn mark(diff: &mut Diff, steps: &[Segment]) {
    let Some((first, rest)) = steps.split_first() else {
        if diff.action == Action::Same {
            diff.action = Action::Update;
        }
        if let DiffKind::Sensitive { content, .. } = &mut diff.kind
            && *content == Action::Same
        {
            *content = Action::Update;
        }
        return;
    };
    let (DiffKind::Map { entries, .. } | DiffKind::Object { entries, .. }, Segment::Key(key)) =
        (&mut diff.kind, first)
    else {
        return;
    };
    let index = match entries.binary_search_by(|(other, _)| other.cmp(key)) {
        Ok(index) => index,
        Err(index) => {
            // Equal values may be left out.
            let [Some(old), Some(new)] = [&diff.before, &diff.after].map(|side| side.get(key))
            else {
                return;
            };
            entries.insert(index, (key.clone(), describe(old, new, Context::default())));
            index
        }
    };
    let child = &mut entries[index].1;
    mark(child, rest);
    diff.action = diff.action.with_child(child.action);
}

/// The four sets of properties (inputs and outputs, before and after), each with the masks of all.
fn masked(before: &State, after: &State) -> [Map; 4] {
    let sides = [
        before.section(Section::Inputs),
        before.section(Section::Outputs),
        after.section(Section::Inputs),
        after.section(Section::Outputs),
    ];
    sides.map(|side| {
        let others = sides.iter().flatten();
        let masked =
            side.map(|side| others.fold(side.clone(), |masked, other| masked.masked_like(other)));
        let map = masked.as_ref().and_then(Value::as_map).cloned();
        map.unwrap_or_default()
    })
}

/// The paths that an option of the resource lists.
fn paths(resource: &Resource, option: &str) -> Vec<LegacyPath> {
    let texts = texts(resource, option).take(MAX_ENTRIES);
    let paths = texts.filter_map(|text| LegacyPath::parse(text, Strictness::Loose).ok());
    paths.collect()
}

/// The texts that an option of the resource lists.
fn texts<'r>(resource: &'r Resource, option: &str) -> impl Iterator<Item = &'r str> {
    let field = resource.fields.iter().find(|(key, _)| &**key == option);
    let texts = field.and_then(|(_, value)| value.as_array());
    texts.into_iter().flatten().filter_map(Value::as_str)
}

/// Number of entries, properties and paths about the change of `resource` that [`statements`] and [`kept`] do not read.
pub fn n_unread(resource: &Resource) -> usize {
    let Some(change) = &resource.change else {
        return 0;
    };
    let options = ["hideDiff", "hideDiffs", "ignoreChanges"];
    let options = options.map(|option| texts(resource, option).count());
    let detailed = change.detailed.as_ref().map_or(0, Vec::len);
    let lists = [detailed, change.diff_keys.len()]
        .into_iter()
        .chain(options);
    lists.map(|n| n.saturating_sub(MAX_ENTRIES)).sum()
}

/// True if the two sides of the part differ at the path. A missing value differs from a present one.
fn is_shown(part: &SectionDiff, path: &LegacyPath) -> bool {
    let Some(path) = path.to_path() else {
        return false;
    };
    let [old, new] = [&part.diff.before, &part.diff.after].map(|side| path.get(side));
    old != new || is_masked_change(&part.diff, &path.0)
}

/// True if the place, or one above it, is a masked value that changes.
fn is_masked_change(diff: &Diff, steps: &[Segment]) -> bool {
    match (&diff.kind, steps) {
        (DiffKind::Sensitive { .. }, _) => diff.is_change(),
        (
            DiffKind::Map { entries, .. } | DiffKind::Object { entries, .. },
            [Segment::Key(key), rest @ ..],
        ) => {
            let child = entries.binary_search_by(|(other, _)| other.cmp(key));
            child.is_ok_and(|child| is_masked_change(&entries[child].1, rest))
        }
        _ => false,
    }
}

fn of_map(diff: &MapDiff, path: &mut Vec<LegacySegment>, found: &mut Vec<ReportedProperty>) {
    let segment = |key: &Arc<str>| LegacySegment::Key(Arc::clone(key));
    for (key, new) in &diff.adds {
        push(path, segment(key), (None, Some(new)), found);
    }
    for (key, old) in &diff.deletes {
        push(path, segment(key), (Some(old), None), found);
    }
    for (key, inner) in &diff.updates {
        of_value(inner, path, segment(key), found);
    }
}

fn of_array(diff: &ArrayDiff, path: &mut Vec<LegacySegment>, found: &mut Vec<ReportedProperty>) {
    for (index, new) in &diff.adds {
        push(path, LegacySegment::Index(*index), (None, Some(new)), found);
    }
    for (index, old) in &diff.deletes {
        push(path, LegacySegment::Index(*index), (Some(old), None), found);
    }
    for (index, inner) in &diff.updates {
        of_value(inner, path, LegacySegment::Index(*index), found);
    }
}

fn of_value(
    diff: &ValueDiff,
    path: &mut Vec<LegacySegment>,
    segment: LegacySegment,
    found: &mut Vec<ReportedProperty>,
) {
    if diff.map.is_none() && diff.array.is_none() {
        push(path, segment, (Some(&diff.old), Some(&diff.new)), found);
        return;
    }
    path.push(segment);
    if let Some(map) = &diff.map {
        of_map(map, path, found);
    }
    if let Some(array) = &diff.array {
        of_array(array, path, found);
    }
    path.pop();
}

fn push(
    path: &[LegacySegment],
    segment: LegacySegment,
    (old, new): (Option<&Value>, Option<&Value>),
    found: &mut Vec<ReportedProperty>,
) {
    let is_secret = old.is_some_and(Value::is_secret) || new.is_some_and(Value::is_secret);
    let side = |value: Option<&Value>| {
        let value = value?.clone();
        let is_marked = value.is_secret();
        Some(value.with_secret(is_secret || is_marked))
    };
    let mut path = path.to_vec();
    path.push(segment);
    found.push(ReportedProperty {
        path: LegacyPath(path),
        old: side(old),
        new: side(new),
        replaces: false,
    });
}

/// The effect of one path in `ignoreChanges`.
#[derive(Clone, PartialEq, Debug)]
pub struct Kept {
    /// The path.
    pub path: LegacyPath,
    /// The old value, if the path names one.
    pub old: Option<Value>,
    /// The engine's treatment of the path.
    pub effect: Effect,
}

/// The engine's treatment of a path in `ignoreChanges`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effect {
    /// The new inputs have the old value.
    Kept,
    /// The inputs differ there. An update would restore the old value.
    Differs,
    /// The old value cannot be put into the new inputs: elements or containers on the way are missing.
    Impossible,
    /// The inputs are the same there, but the found outputs differ. An update does not set them back.
    Drifted,
}

/// The effect of each path in `ignoreChanges` on the change of `resource`. Paths that name nothing are left out.
pub fn kept(resource: &Resource, parts: &[SectionDiff]) -> Vec<Kept> {
    let (Some(_), Some(before), Some(after)) =
        (&resource.change, &resource.before, &resource.after)
    else {
        return Vec::new();
    };
    let [old, _, new, _] = masked(before, after);
    let (old_value, new_value) = (Value::from(old.clone()), Value::from(new.clone()));
    let drifted = || parts.iter().filter(|part| part.section == Section::Outputs);
    let ignored = paths(resource, "ignoreChanges");
    let kept = ignored.into_iter().filter_map(|path| {
        let effect = match path.reset(&old, &new) {
            None => Effect::Impossible,
            Some(reset) if reset != new => Effect::Differs,
            Some(_) if drifted().any(|part| is_shown(part, &path)) => Effect::Drifted,
            Some(_) => Effect::Kept,
        };
        let found = path.get(&old_value);
        let is_named = found.is_some() || path.get(&new_value).is_some() || has_splat(&path);
        (is_named || effect != Effect::Kept).then(|| Kept {
            old: found.cloned(),
            effect,
            path,
        })
    });
    kept.collect()
}

fn has_splat(path: &LegacyPath) -> bool {
    let is_splat = |it: &LegacySegment| matches!(it, LegacySegment::Key(key) if &**key == "*");
    path.0.iter().any(is_splat)
}
