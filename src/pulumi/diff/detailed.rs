//! A provider's detailed diff, as a difference for display.

use std::sync::Arc;

use super::{ArrayDiff, MapDiff, Options, Rules, ValueDiff, values};
use crate::json::MAX_DEPTH;
use crate::pulumi::legacy_path::{LegacyPath, LegacySegment, Strictness};
use crate::value::{Map, Value};

/// A provider's report about one path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DetailedEntry {
    /// The kind of change.
    pub kind: EntryKind,
    /// True if old and new *inputs* were compared, rather than old outputs with new inputs.
    pub is_input: bool,
}

/// The kind of change at a path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EntryKind {
    /// A value appears.
    Add,
    /// A value disappears.
    Delete,
    /// A value changes.
    Update,
}

impl EntryKind {
    /// Reads a file's `add`, `delete`, `update`, each also with `-replace`. Returns the kind, and true if the resource must be
    /// replaced for it. `None` for any other text.
    pub fn parse(text: &str) -> Option<(Self, bool)> {
        let (kind, replaces) = match text.strip_suffix("-replace") {
            Some(kind) => (kind, true),
            None => (text, false),
        };
        let kind = match kind {
            "add" => Self::Add,
            "delete" => Self::Delete,
            "update" => Self::Update,
            _ => return None,
        };
        Some((kind, replaces))
    }
}

/// The properties of a step on both sides.
#[derive(Clone, Copy, Debug)]
pub struct Sides<'s> {
    /// The inputs before.
    pub old_inputs: &'s Map,
    /// The outputs before.
    pub old_outputs: &'s Map,
    /// The inputs after.
    pub new_inputs: &'s Map,
    /// The outputs after.
    pub new_outputs: &'s Map,
    /// True if the step reads the actual resource instead of changing it, so that new values are in the outputs.
    pub is_refresh: bool,
}

/// A detailed diff for display.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Translated {
    /// The difference to show; `None` if there is nothing to show.
    pub diff: Option<MapDiff>,
    /// The paths of `hide` that hid an entry, sorted by their printed form.
    pub hidden: Vec<LegacyPath>,
}

/// Translates a provider's `detailed` diff, which gives paths and their kinds of change, into a difference for display.
///
/// A text that is not a path is read as one key. For the last step of a path the provider is trusted: a value that it adds or
/// deletes but that does not exist shows as unknown, and an update of equal values is shown. An earlier step that only one side
/// has is added or deleted as a whole. A secret, an unknown, or a value with dependencies on the way is used for everything below
/// it. Entries at or below a path of `hide` are left out.
pub fn translate<'t>(
    detailed: impl IntoIterator<Item = (&'t str, DetailedEntry)>,
    sides: Sides<'_>,
    hide: &[LegacyPath],
) -> Translated {
    let mut entries: Vec<_> = detailed.into_iter().collect();
    // An entry may be below another. The outer entry is written first, whatever the order of the file.
    entries.sort_by_key(|(text, _)| *text);
    let mut top = ValueDiff::default();
    let mut hidden = Vec::new();
    for (text, entry) in entries {
        let path = LegacyPath::parse(text, Strictness::Loose)
            .ok()
            // A path that is deeper than any value can be is not a path either.
            .filter(|path| (1..=MAX_DEPTH).contains(&path.0.len()))
            .unwrap_or_else(|| LegacyPath(vec![LegacySegment::Key(text.into())]));
        if let Some(hiding) = hide.iter().find(|hide| hide.contains(&path)) {
            hidden.push(hiding.clone());
            continue;
        }
        let old = if entry.is_input {
            sides.old_inputs
        } else {
            sides.old_outputs
        };
        let new = if sides.is_refresh && !entry.is_input {
            sides.new_outputs
        } else {
            sides.new_inputs
        };
        let [old, new] = [old, new].map(|map| Value::from(map.clone()));
        add(&path.0, entry.kind, &mut top, Some(&old), Some(&new));
    }
    hidden.sort_by_key(LegacyPath::to_string);
    hidden.dedup();
    Translated {
        diff: top.map.map(|map| *map),
        hidden,
    }
}

/// Records the change at `path` below the parents in their difference.
fn add(
    path: &[LegacySegment],
    kind: EntryKind,
    parent: &mut ValueDiff,
    old: Option<&Value>,
    new: Option<&Value>,
) {
    let Some((first, rest)) = path.split_first() else {
        return;
    };
    let (old, new) = (child(first, old), child(first, new));
    let mut place = match first {
        LegacySegment::Key(key) => DiffSlot::Key(parent.map.get_or_insert_default(), key),
        LegacySegment::Index(index) => {
            DiffSlot::Index(parent.array.get_or_insert_default(), *index)
        }
    };
    let is_nothing =
        |value: Option<&Value>| value.is_none_or(|value| value.is_null() && !value.is_marked());
    let or_unknown = |value: Option<&Value>| value.map_or_else(Value::computed, Value::clone);
    match (kind, is_nothing(old), is_nothing(new)) {
        (EntryKind::Add, ..) if rest.is_empty() => place.add(or_unknown(new)),
        (EntryKind::Delete, ..) if rest.is_empty() => place.delete(or_unknown(old)),
        (EntryKind::Update, ..) if rest.is_empty() => {
            *place.update() = update(old.unwrap_or(&Value::NULL), new.unwrap_or(&Value::NULL));
        }
        (_, true, false) => place.add(or_unknown(new)),
        (_, false, true) => place.delete(or_unknown(old)),
        _ => add(rest, kind, place.update(), old, new),
    }
}

fn update(old: &Value, new: &Value) -> ValueDiff {
    let options = Options {
        rules: Rules::Older,
        ..Options::default()
    };
    values(old, new, options).unwrap_or_else(|| ValueDiff::whole(old, new))
}

/// The value one step below `value`; a marked or unknown value itself.
fn child<'v>(segment: &LegacySegment, value: Option<&'v Value>) -> Option<&'v Value> {
    let value = value?;
    if value.is_marked() || value.is_computed() {
        return Some(value);
    }
    segment.step(value.payload())
}

/// One key or index of a difference.
enum DiffSlot<'d> {
    Key(&'d mut MapDiff, &'d Arc<str>),
    Index(&'d mut ArrayDiff, i64),
}

impl DiffSlot<'_> {
    fn add(&mut self, new: Value) {
        match self {
            Self::Key(diff, key) => diff.adds.insert(Arc::clone(key), new),
            Self::Index(diff, index) => diff.adds.insert(*index, new),
        };
    }

    fn delete(&mut self, old: Value) {
        match self {
            Self::Key(diff, key) => diff.deletes.insert(Arc::clone(key), old),
            Self::Index(diff, index) => diff.deletes.insert(*index, old),
        };
    }

    fn update(&mut self) -> &mut ValueDiff {
        match self {
            Self::Key(diff, key) => diff.updates.entry(Arc::clone(key)).or_default(),
            Self::Index(diff, index) => diff.updates.entry(*index).or_default(),
        }
    }
}
