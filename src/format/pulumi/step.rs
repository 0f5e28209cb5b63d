//! Steps of a Pulumi update, as previews and event logs write them, and the changes that they make up.
//!
//! A change that is one to a person can be several steps of the engine: `create-replacement`, `replace` and `delete-replaced`
//! replace one resource. All steps of one object are one change.
//!
//! # Laws
//!
//! - The change does not depend on the order of its steps, except for the order of creating and destroying.
//! - A replacement with its halves (`create-replacement`, `delete-replaced`) is the same change as the `replace` alone.
//! - Objects with one URN are distinguished only by the contents of the file: an old copy that is marked for deletion and has
//!   another id than the live object is a separate change.
//!
//! # Source
//!
//! pulumi/pulumi `pkg/resource/deploy/step.go` and `step_generator.go`.

#[cfg(test)]
mod tests;

use indexmap::IndexSet;

use super::resource;
use super::stored;
use crate::format::fields::{self, flag, text};
use crate::path::{Path, Segment};
use crate::pulumi::diff::{self, DetailedEntry, EntryKind, InternalKeys, Options, Rules};
use crate::stack::{Action, Change, Flags, PropertyChange, ReplaceOrder, Resource};
use crate::value::{Map, Value};

#[derive(Clone, Default, Debug)]
pub(crate) struct Step {
    /// The operation in the file's own word.
    pub(crate) op: String,
    /// The operation that a refresh turned out to be (`same`, `update`, `delete`); "" if the file does not say.
    pub(crate) found: String,
    /// Remarks on the progress of the step, for a person.
    pub(crate) remark: String,
    /// The object before.
    pub(crate) old: Option<Map>,
    /// The object after.
    pub(crate) new: Option<Map>,
    /// The properties that force a replacement.
    pub(crate) keys: Vec<String>,
    /// The properties that differ.
    pub(crate) diffs: Vec<String>,
    /// The provider's detailed difference.
    pub(crate) detailed: Option<Vec<PropertyChange>>,
}

/// The object that a step from `old` to `new` works on: the id it has before, else the one it gets, and whether it is a copy that
/// only waits for deletion.
pub(crate) fn object(old: Option<&Map>, new: Option<&Map>) -> (String, bool) {
    let id = [old, new]
        .into_iter()
        .flatten()
        .map(|state| text(state, "id"));
    let id = id.into_iter().find(|id| !id.is_empty()).unwrap_or_default();
    let is_marked = |state: &Map| flag(state, "delete");
    let is_copy = old.is_some_and(is_marked) && new.is_none_or(is_marked);
    (id.to_owned(), is_copy)
}

/// The rank of an operation among those of one change; the lowest names the change.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    /// Creates the new object of a replacement.
    CreateHalf,
    /// A replacement as a whole.
    Replace,
    Delete,
    /// Destroys the old object of a replacement.
    DeleteHalf,
    Forget,
    Create,
    Update,
    Import,
    Read,
    Refresh,
    Same,
}

fn rank(op: &str) -> Rank {
    match op {
        "create-replacement" | "import-replacement" | "read-replacement" => Rank::CreateHalf,
        "replace" => Rank::Replace,
        "delete" => Rank::Delete,
        "delete-replaced" => Rank::DeleteHalf,
        "discard" | "discard-replaced" => Rank::Forget,
        "create" => Rank::Create,
        "import" => Rank::Import,
        "read" => Rank::Read,
        "refresh" => Rank::Refresh,
        "same" | "" => Rank::Same,
        // Rare operations (`remove-pending-replace`, `diff`) and unknown ones change something in the state.
        _ => Rank::Update,
    }
}

fn is_delete_half(op: &str) -> bool {
    matches!(op, "delete-replaced" | "discard-replaced")
}

/// The action of a change with these operations of the file; `found` is the result of its refresh, "" if not known.
///
/// A refresh names the change only if nothing else happens. A half that destroys without a half that creates is a deletion.
pub(crate) fn action<'o>(ops: impl Iterator<Item = &'o str> + Clone, found: &str) -> Action {
    let is_kept = ops.clone().any(|op| rank(op) == Rank::Same);
    match ops.map(rank).min().unwrap_or(Rank::Same) {
        Rank::CreateHalf | Rank::Replace => Action::Replace,
        Rank::Delete | Rank::DeleteHalf => Action::Delete,
        Rank::Forget => Action::Forget,
        Rank::Create => Action::Create,
        Rank::Update => Action::Update,
        Rank::Import => Action::Import,
        Rank::Read => Action::Read,
        Rank::Refresh if found.is_empty() && is_kept => Action::Noop,
        Rank::Refresh if found.is_empty() => Action::Read,
        Rank::Refresh => action([found].into_iter(), ""),
        Rank::Same => Action::Noop,
    }
}

/// True if one of these operations imports.
pub(crate) fn imports<'o>(mut ops: impl Iterator<Item = &'o str>) -> bool {
    ops.any(|op| matches!(op, "import" | "import-replacement"))
}

/// The order of a replacement, from the order of its halves among the operations.
pub(crate) fn order_of_halves<'o>(
    mut ops: impl Iterator<Item = &'o str> + Clone,
) -> Option<ReplaceOrder> {
    let create = ops.clone().position(|op| rank(op) == Rank::CreateHalf);
    let delete = ops.clone().position(is_delete_half);
    let replace = ops.position(|op| rank(op) == Rank::Replace);
    // The engine puts `replace` after the half that comes first.
    let (create, other) = (create?, delete.or(replace)?);
    Some(if create < other {
        ReplaceOrder::CreateFirst
    } else {
        ReplaceOrder::DestroyFirst
    })
}

/// The order of a replacement, from its halves. Without them it follows from the old object: if the new object comes first, the
/// old one is marked for deletion.
fn order(steps: &[Step]) -> Option<ReplaceOrder> {
    let ops = steps.iter().map(|step| step.op.as_str());
    let replacing = || steps.iter().filter(|step| rank(&step.op) <= Rank::Replace);
    let has_mark =
        |key| replacing().any(|step| step.old.as_ref().is_some_and(|old| flag(old, key)));
    let is_known = replacing().any(|step| rank(&step.op) == Rank::Replace && step.old.is_some());
    if let Some(order) = order_of_halves(ops) {
        return Some(order);
    }
    if has_mark("delete") {
        return Some(ReplaceOrder::CreateFirst);
    }
    (is_known || has_mark("pendingReplacement")).then_some(ReplaceOrder::DestroyFirst)
}

/// The resource that the steps of one object, in the order of the file, take from one state to another.
pub(crate) fn merge(urn: &str, steps: &[Step]) -> Resource {
    let ops = || steps.iter().map(|step| step.op.as_str());
    let refresh = || steps.iter().filter(|step| rank(&step.op) == Rank::Refresh);
    let found = refresh().map(found);
    let found = found.min_by_key(|found| rank(found)).unwrap_or_default();
    let action = action(ops(), found);
    let mut by_rank: Vec<&Step> = steps.iter().collect();
    by_rank.sort_by_key(|step| rank(&step.op));
    let is_named = |step: &&&Step| rank(&step.op) < Rank::Refresh;
    // A refresh comes first: the change begins with its result.
    let named = by_rank.iter().filter(is_named).count();
    let tellers = if named > 0 {
        &by_rank[..named]
    } else {
        &by_rank[..]
    };
    let old = whole(tellers.iter().filter_map(|step| step.old.as_ref()));
    let new = whole(tellers.iter().filter_map(|step| step.new.as_ref()));
    let new = new.filter(|_| !matches!(action, Action::Delete | Action::Forget));
    let (old, new) = (old.as_ref(), new.as_ref());
    // The engine keeps the object and stores its new options.
    let action = match (action, old, new) {
        (Action::Noop, Some(old), Some(new)) if resource::gets_other_options(old, new) => {
            Action::Update
        }
        (action, ..) => action,
    };
    let mut resource = between(urn, old, new);
    // An alias keeps the object under another URN.
    let previous = old.map_or("", |old| text(old, "urn"));
    let is_renamed = new.is_some() && !previous.is_empty() && previous != resource.urn;
    let is_half = |step: &Step| rank(&step.op) == Rank::DeleteHalf;
    let is_copy = resource.flags.contains(Flags::PENDING_DELETE);
    let order = order(steps).filter(|_| action == Action::Replace);
    let has_drifted = refresh().any(has_drifted);
    // An unchanged resource does not hide the findings of a refresh.
    let is_drift_alone = has_drifted && named == 0;
    resource.flags = resource
        .flags
        .with(Flags::IMPORTED, imports(ops()))
        .with(Flags::DRIFTED, has_drifted)
        .with(Flags::DRIFT_ONLY, is_drift_alone)
        .with(
            Flags::PENDING_REPLACEMENT,
            action == Action::Delete && !is_copy && steps.iter().any(is_half),
        )
        .with(order.map_or(Flags::NONE, ReplaceOrder::flag), true);
    let words = in_words(steps);
    if !words.is_empty() {
        let words: Vec<Value> = words.iter().map(|word| Value::from(&**word)).collect();
        resource.fields.push(("steps".into(), words.into()));
    }
    let keys = union(tellers, |step| &step.keys);
    let own_words: Vec<&str> = ops().collect();
    resource.change = Some(Change {
        order,
        steps: words,
        replace_paths: keys
            .iter()
            .map(|key| Path(vec![Segment::from(&**key)]))
            .collect(),
        reasons: keys,
        diff_keys: union(tellers, |step| &step.diffs),
        detailed: tellers.iter().find_map(|step| step.detailed.clone()),
        importing: imported_id(steps),
        previous_address: is_renamed.then(|| previous.to_owned()),
        is_refresh: own_words == ["refresh"],
        ..Change::new(action, own_words.join(" "))
    });
    resource
}

/// The first of several accounts of one state, with the properties that only a later one has.
fn whole<'m>(mut accounts: impl Iterator<Item = &'m Map>) -> Option<Map> {
    let first = accounts.next()?.clone();
    Some(accounts.fold(first, |state, other| {
        let mut state = state;
        for section in ["inputs", "outputs"] {
            let is_unsaid = fields::object(&state, section).is_none_or(Map::is_empty);
            if let Some(properties) = other.get(section).filter(|_| is_unsaid) {
                state = state.set(section, properties.clone());
            }
        }
        state
    }))
}

/// The id that an import asks for.
fn imported_id(steps: &[Step]) -> Option<Value> {
    let step = steps
        .iter()
        .find(|step| imports([step.op.as_str()].into_iter()))?;
    let new = step.new.as_ref()?;
    let ids = ["importID", "id"]
        .into_iter()
        .filter_map(|key| new.get(key));
    ids.into_iter()
        .find(|id| id.as_str().is_some_and(|id| !id.is_empty()))
        .cloned()
}

/// The operation that a refresh turned out to be: the one that the file names, or a deletion if no object was found.
fn found(step: &Step) -> &str {
    match (&*step.found, &step.old, &step.new) {
        ("" | "refresh", Some(_), None) => "delete",
        ("refresh", ..) => "",
        (found, ..) => found,
    }
}

/// True if a refresh found the object changed or gone.
fn has_drifted(step: &Step) -> bool {
    match found(step) {
        "same" => false,
        "" => matches!((&step.old, &step.new), (Some(old), Some(new)) if differ(old, new)),
        _ => true,
    }
}

/// True if the properties of two states differ by the rules of the engine. An unknown value equals any other.
fn differ(old: &Map, new: &Map) -> bool {
    let options = Options {
        internal_keys: InternalKeys::Ignore,
        rules: Rules::OlderIgnoringUnknowns,
    };
    ["inputs", "outputs"].into_iter().any(|section| {
        let [old, new] = [old, new].map(|state| {
            let properties = state.get(section).map(stored::decode);
            let map = properties.as_ref().and_then(Value::as_map).cloned();
            map.unwrap_or_default()
        });
        diff::maps(&old, &new, options).is_some()
    })
}

/// The steps in words, if there are several.
fn in_words(steps: &[Step]) -> Vec<String> {
    let word = |step: &Step| {
        let found = Some(found(step)).filter(|_| rank(&step.op) == Rank::Refresh);
        let parts = [Some(&*step.op), found, Some(&*step.remark)];
        let parts = parts.into_iter().flatten().filter(|part| !part.is_empty());
        parts.collect::<Vec<_>>().join(": ")
    };
    if steps.len() < 2 {
        return Vec::new();
    }
    steps.iter().map(word).collect()
}

fn union(steps: &[&Step], of: impl Fn(&Step) -> &Vec<String>) -> Vec<String> {
    let all: IndexSet<&String> = steps.iter().flat_map(|step| of(step)).collect();
    all.into_iter().cloned().collect()
}

/// The resource that a step takes from one state to another.
fn between(urn: &str, old: Option<&Map>, new: Option<&Map>) -> Resource {
    let nothing = Map::default();
    let mut shown = new.or(old).unwrap_or(&nothing).clone();
    // The step names the resource, also if a state in it has another URN: all steps of a resource are one.
    if !urn.is_empty() || !shown.contains_key("urn") {
        shown = shown.set("urn", Value::from(urn));
    }
    let mut resource = resource::read(&shown);
    if let Some(old) = old
        && resource
            .id
            .as_ref()
            .is_none_or(|id| id.is_computed() || id.as_str() == Some(""))
        && let Some(id) = old.get("id")
    {
        resource.id = Some(stored::decode(id));
    }
    resource.before = old.map(resource::state);
    resource.after = new.map(resource::state);
    resource
}

/// A provider's detailed difference, whose kinds are under `kind_key`; `None` if the provider gave no difference.
pub(crate) fn detailed(difference: Option<&Value>, kind_key: &str) -> Option<Vec<PropertyChange>> {
    let entries = difference?.as_map()?;
    let changes = entries.iter().filter_map(|(path, entry)| {
        let (kind, replaces) = EntryKind::parse(entry.get(kind_key)?.as_str()?)?;
        let is_input = entry.get("inputDiff").and_then(Value::as_bool);
        let is_input = is_input.unwrap_or_default();
        Some(PropertyChange {
            path: path.to_string(),
            entry: DetailedEntry { kind, is_input },
            replaces,
        })
    });
    Some(changes.collect())
}
