//! Unlike: a new resource that is nearly the same as some that are there, and differs in a property in which all of these agree.
//!
//! A third alarm is made after two others, with one word that is not theirs. Only words and switches are compared: names, numbers and
//! texts differ from resource to resource. The parts of a new component have a story of their own.
//!
//! A name of another one is told too where all others have their own, also of a part: a new reader in the group of another one.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use super::tables::WORDS;
use super::words::listed;
use super::{Fact, Notice, Reader, is_unchanged};
use crate::change::kinds::{Components, hash_of};
use crate::change::rules::Level;
use crate::change::texts::plain_text;
use crate::change::vocabulary;
use crate::path::{Path, Segment, walk};
use crate::stack::{Action, Mode, Resource, ResourceId, Stack};
use crate::text::{has_word, joined, with_name, words};
use crate::value::Value;

/// Minimum number of resources that have their own name at a place.
const MIN_OWN: usize = 3;

/// Minimum number of resources that agree.
const MIN_ALIKE: usize = 2;

/// Maximum number of properties in which they differ from the new one. With more it is something else.
const MAX_DIFFERENT: usize = 2;

/// Maximum number of resources of one type that are read.
const MAX_READ: usize = 64;

/// Maximum number of resources of all types that are read.
const MAX_READ_IN_ALL: usize = 256;

/// Maximum number of new resources of one type.
const MAX_NEW: usize = 16;

/// Maximum number of values of one resource.
const MAX_LEAVES: usize = 200;

/// Maximum number of resources that are named.
const MAX_NAMES: usize = 3;

/// Maximum length of a word.
const MAX_WORD: usize = 40;

/// The values of a resource: by hash of the place, the hash of the value.
type Values = HashMap<u64, u64>;

/// The values of a resource, and its own names in them.
struct Known {
    values: Values,
    /// By hash of the place, the hash of a text in which the name of the resource is left out.
    named: Values,
}

/// The resources of a type, in the order of the file.
struct Kin {
    /// Those that come.
    new: Vec<ResourceId>,
    /// Those that were there before.
    old: Vec<ResourceId>,
}

impl Kin {
    fn of(stack: &Stack, ids: &[ResourceId]) -> Self {
        let action = |id: ResourceId| stack.effect(id).filter(|_| stack.mode(id) == Mode::Managed);
        let is_new = |id: &ResourceId| action(*id) == Some(Action::Create);
        let was_there = |id: &ResourceId| {
            let changed = [Action::Update, Action::Replace, Action::Delete];
            let is_changed = action(*id).is_some_and(|it| changed.contains(&it));
            is_changed || is_unchanged(stack, *id)
        };
        let ids = ids.iter().copied();
        Self {
            new: ids.clone().filter(is_new).collect(),
            old: ids.filter(was_there).collect(),
        }
    }
}

/// A note about each new resource that differs from those that are most like it.
pub(super) fn notices(reader: &Reader<'_>) -> Vec<Notice> {
    let stack = reader.stack;
    let mut n_left = MAX_READ_IN_ALL;
    let mut kins: Vec<Kin> = Vec::new();
    let all = reader.by_type().values().map(|ids| Kin::of(stack, ids));
    for mut kin in all.filter(|kin| !kin.new.is_empty()) {
        kin.new.truncate(MAX_NEW.min(n_left));
        kin.old.truncate(MAX_READ.min(n_left));
        n_left = n_left.saturating_sub(kin.new.len() + kin.old.len());
        kins.push(kin);
    }
    kins.retain(|kin| !kin.new.is_empty() && kin.old.len() >= MIN_ALIKE);
    if kins.is_empty() {
        return Vec::new();
    }
    let components = Components::of(stack, Action::Create);
    let parts: HashSet<ResourceId> = components.iter().map(|(id, _)| id).collect();
    let ids = kins.iter().flat_map(|kin| kin.new.iter().chain(&kin.old));
    let ids: Vec<ResourceId> = ids.copied().collect();
    let known: HashMap<ResourceId, Known> = reader
        .gather(&ids, |ids| {
            let read = ids.iter().filter_map(|id| Some((*id, (reader.read)(*id)?)));
            let known = |(id, it)| (id, Known::of(&it, &stack.identity(id)));
            read.map(known).collect()
        })
        .into_iter()
        .collect();
    let of_kin = |kin: &Kin| -> Vec<Notice> {
        let lone = kin.new.iter().filter(|id| !parts.contains(id));
        let unlike = lone.filter_map(|id| notice(*id, kin, &known, reader));
        let new = kin.new.iter();
        unlike
            .chain(new.filter_map(|id| of_another(*id, kin, &known, reader)))
            .collect()
    };
    kins.iter().flat_map(of_kin).collect()
}

/// A note about a new resource that has a text of another one, where that and the others have their own names in it.
fn of_another(
    id: ResourceId,
    kin: &Kin,
    known: &HashMap<ResourceId, Known>,
    reader: &Reader<'_>,
) -> Option<Notice> {
    let own = known.get(&id)?;
    let others: Vec<(ResourceId, &Known)> = kin
        .old
        .iter()
        .filter_map(|id| Some((*id, known.get(id)?)))
        .collect();
    let owner = |place: &u64, value: &u64| {
        let there = others
            .iter()
            .filter(|(_, it)| it.values.contains_key(place));
        let there: Vec<&(ResourceId, &Known)> = there.collect();
        let named = there.iter().map(|(_, it)| it.named.get(place));
        let named: HashSet<Option<&u64>> = named.collect();
        let are_own = there.len() >= MIN_OWN && named.len() == 1 && !named.contains(&None);
        let owner = there
            .iter()
            .find(|(_, it)| it.values.get(place) == Some(value));
        owner.filter(|_| are_own).map(|(id, _)| *id)
    };
    let is_its_own = |place: &u64| own.named.contains_key(place);
    let found = own.values.iter().filter_map(|(place, value)| {
        let owner = owner(place, value).filter(|_| !is_its_own(place))?;
        Some((*place, owner))
    });
    let found: BTreeMap<u64, ResourceId> = found.collect();
    let texts = texts(id, &found.keys().copied().collect(), reader)?;
    let (path, value) = texts.into_iter().next()?;
    let owner = reader.stack.spoken_name(*found.get(&hash_of(&path))?);
    let says =
        format!("{path} is {value}, which {owner} has; all others have their own name there");
    let fact = Fact::at(id, path);
    Some(Notice::at(fact, Level::Note, "name-of-another", says))
}

impl Known {
    /// The values of a resource with this identity.
    fn of(resource: &Resource, identity: &str) -> Self {
        let (mut values, mut named) = (Values::new(), Values::new());
        each_value(resource, &mut |path, value| {
            let place = hash_of(path);
            values.insert(place, hash_of(&value.to_string()));
            let text = value.as_str().and_then(|it| with_name(it, identity));
            named.extend(text.map(|text| (place, hash_of(&text))));
        });
        Self { values, named }
    }
}

/// The values of a resource that are known, not empty and not masked.
fn each_value(resource: &Resource, take: &mut dyn FnMut(&Path, &Value)) {
    let section = resource.program_section();
    let Some(set) = resource.current().and_then(|it| it.section(section)) else {
        return;
    };
    let mut n = 0;
    walk(set, &mut Path::root(), &mut |path, value| {
        if value.is_secret() || value.is_computed() || n >= MAX_LEAVES {
            return false;
        }
        if plain_text(value).is_some_and(|it| !it.is_empty()) {
            n += 1;
            take(path, value);
        }
        true
    });
}

/// The others with at least half of the values of a resource, each with the number of equal ones, the most alike first.
fn by_likeness<'v>(
    id: ResourceId,
    own: &Values,
    others: &[ResourceId],
    known: &'v HashMap<ResourceId, Known>,
) -> Vec<(usize, ResourceId, &'v Values)> {
    let others = others.iter().filter(|other| **other != id);
    let alike = others.filter_map(|other| {
        let theirs = &known.get(other)?.values;
        let equal = own
            .iter()
            .filter(|(place, it)| theirs.get(place) == Some(it));
        let n_equal = equal.count();
        (2 * n_equal >= own.len()).then_some((n_equal, *other, theirs))
    });
    let mut alike: Vec<_> = alike.collect();
    alike.sort_by_key(|(n_equal, id, _)| (Reverse(*n_equal), *id));
    alike
}

/// The note about a new resource, if it is unlike those that are most like it.
fn notice(
    id: ResourceId,
    kin: &Kin,
    known: &HashMap<ResourceId, Known>,
    reader: &Reader<'_>,
) -> Option<Notice> {
    let stack = reader.stack;
    let own = &known.get(&id)?.values;
    let mut alike = by_likeness(id, own, &kin.old, known);
    // One that is as much like it as the second one counts too.
    let (n_equal, ..) = *alike.get(MIN_ALIKE - 1)?;
    alike.retain(|(n, ..)| n + 1 >= n_equal);
    let [(_, nearest, theirs), others @ ..] = &alike[..] else {
        return None;
    };
    // Others that come along may be made on purpose as this one is.
    let mut along = by_likeness(id, own, &kin.new, known);
    along.retain(|(n, ..)| n + 1 >= n_equal);
    let differs = |(place, it): &(&u64, &u64)| {
        let usual = theirs.get(place);
        let are_one = others.iter().all(|(.., theirs)| theirs.get(place) == usual);
        let is_alone = || {
            along
                .iter()
                .all(|(.., theirs)| theirs.get(place) != Some(it))
        };
        are_one && usual.is_some_and(|usual| usual != *it) && is_alone()
    };
    let places: BTreeSet<u64> = own
        .iter()
        .filter(differs)
        .map(|(place, _)| *place)
        .collect();
    if places.is_empty() {
        return None;
    }
    let [mine, usual] = [id, *nearest].map(|it| texts(it, &places, reader));
    let (mine, usual) = (mine?, usual?);
    let names = alike.iter().map(|(_, id, _)| *id);
    let is_switch = |(path, value): &(&Path, &Value)| {
        let other = usual.get(*path);
        let mut ids = names.clone().chain([id]);
        is_kind(path)
            && [Some(*value), other]
                .iter()
                .all(|it| it.is_some_and(is_word))
            && !ids.any(|id| {
                is_named(stack, id, value) || other.is_some_and(|it| is_named(stack, id, it))
            })
    };
    let different: Vec<(&Path, &Value)> = mine.iter().filter(is_switch).collect();
    let ([(path, value), rest @ ..], true) = (&different[..], different.len() <= MAX_DIFFERENT)
    else {
        return None;
    };
    let told = |path: &Path, value: &Value| format!("{path} is {value}, and {}", usual[path]);
    let alike = stack.by_name(names);
    let names: Vec<&str> = alike.iter().map(|id| stack.spoken_name(*id)).collect();
    let names = listed(&names, MAX_NAMES);
    let mut says = vec![format!(
        "{} in {names}, which are most like it",
        told(path, value)
    )];
    let rest = rest.iter();
    says.extend(rest.map(|(path, value)| format!("{} there", told(path, value))));
    let facts = different
        .iter()
        .map(|(path, _)| Fact::at(id, (*path).clone()));
    let notice = Notice::about(id, Level::Note, "unlike-its-kind", says.join("; "));
    Some(notice.with(facts))
}

/// The values of a resource at places with these hashes.
fn texts(
    id: ResourceId,
    places: &BTreeSet<u64>,
    reader: &Reader<'_>,
) -> Option<BTreeMap<Path, Value>> {
    let resource = (reader.read)(id)?;
    let mut texts = BTreeMap::new();
    each_value(&resource, &mut |path, value| {
        if places.contains(&hash_of(path)) {
            texts.insert(path.clone(), value.clone());
        }
    });
    Some(texts)
}

/// True for a property that may choose one of a few ways to work: no name, tag or text for people.
fn is_kind(path: &Path) -> bool {
    let is_tag = |step: &Segment| match step {
        Segment::Key(key) => WORDS.labels.has(&joined(key)) || vocabulary::WORDS.tags.has(key),
        Segment::Index(_) => false,
    };
    let name = path.last_key().unwrap_or_default();
    let is_name = has_word(name, &WORDS.identities) || has_word(name, &WORDS.prose);
    !path.0.iter().any(is_tag) && !is_name
}

/// True for a switch, or a word without digits, blanks and slashes.
fn is_word(value: &Value) -> bool {
    let is_letter = |char: char| char.is_alphabetic() || matches!(char, '-' | '_');
    let text = value.as_str();
    let is_word = text.is_some_and(|it| it.len() <= MAX_WORD && it.chars().all(is_letter));
    is_word || value.as_bool().is_some()
}

/// True if a value has only words that are in the name of a resource.
fn is_named(stack: &Stack, id: ResourceId, value: &Value) -> bool {
    let own = words(&stack.identity(id));
    let text = value.as_str().map(words);
    text.is_some_and(|text| text.iter().all(|word| own.contains(word)))
}
