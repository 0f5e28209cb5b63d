//! Elements of two lists that are one thing: the same content at another place, or the same name.
//!
//! Elements are paired by a key that names them if every element has it and no two elements of a side share it. A secret or
//! unknown value names nothing.

use std::hash::{BuildHasher, Hasher};

use hashbrown::{DefaultHashBuilder, HashTable};

use crate::change::vocabulary::WORDS;
use crate::value::content::{Numbers, content_hash, same};
use crate::value::{Payload, Value};

/// The index of an element before and after, in display order.
pub(super) type Order = Vec<(Option<usize>, Option<usize>)>;

/// Maximum number of elements of lists whose elements may have inner lists in another order.
const MAX_ELEMENTS: usize = 1_000;

/// Maximum number of elements of such a list that have no equal one on the other side.
const MAX_LEFT: usize = 64;

/// The pairs of elements that have one name on both sides, with the elements that have no counterpart; `None` if no key names
/// the elements.
pub(super) fn by_name(before: &[Value], after: &[Value]) -> Option<Order> {
    by_name_apart_from(None, before, after)
}

/// Like [`by_name`], and `None` too if `other` may be equal to one of the elements.
pub(super) fn by_name_apart_from(
    other: Option<&Value>,
    before: &[Value],
    after: &[Value],
) -> Option<Order> {
    if before.is_empty() || after.is_empty() || !before.iter().chain(after).all(is_object) {
        return None;
    }
    let hashing = DefaultHashBuilder::default();
    let (order, may_have) = WORDS.element_names.iter().find_map(|key| {
        let old = Names::of(before, key, &hashing)?;
        let new = Names::of(after, key, &hashing)?;
        let elements = after.iter().zip(&new.hashes);
        let counterparts: Vec<Option<usize>> = elements
            .map(|(element, hash)| old.find(*hash, element))
            .collect();
        let may_have = other.is_some_and(|it| {
            name_hash(it, key, &hashing)
                .is_none_or(|hash| old.find(hash, it).or(new.find(hash, it)).is_some())
        });
        let is_found = counterparts.iter().any(Option::is_some);
        is_found.then(|| (in_new_order(before.len(), &counterparts), may_have))
    })?;
    (!may_have).then_some(order)
}

/// The text that names an element of a list, by the key that names all of them. `None` if there is no such key, or the names are no
/// texts.
pub(crate) fn name_of(list: &[Value], index: usize) -> Option<&str> {
    name_by(name_key(list)?, list.get(index)?)
}

/// The property that names all elements of a list, if it is a single one.
pub(crate) fn name_key(list: &[Value]) -> Option<&'static str> {
    if !list.iter().all(is_object) {
        return None;
    }
    let hashing = DefaultHashBuilder::default();
    let mut keys = WORDS.element_names.iter();
    let key = keys.find(|key| Names::of(list, key, &hashing).is_some())?;
    match key.as_slice() {
        [property] => Some(property.as_str()),
        [] | [_, ..] => None,
    }
}

/// The text that names an element by this property.
pub(crate) fn name_by<'v>(key: &str, element: &'v Value) -> Option<&'v str> {
    let name = element.get(key);
    name.filter(|name| !name.is_secret())?.as_str()
}

/// The pairs of two lists with the same elements, given as numbers that are equal where the elements are; `None` if the lists
/// differ in more than their order.
pub(super) fn by_content(before: &[u32], after: &[u32]) -> Option<Order> {
    if before.len() != after.len() || before == after {
        return None;
    }
    let pairs = counterparts(before, after).enumerate();
    pairs
        .map(|(new, old)| Some((Some(old?), Some(new))))
        .collect()
}

/// The pairs of two lists with the same elements, of which the lists of texts in it may have another order too: the rules of a role
/// are the same whatever the order of their verbs. `None` if the lists differ in more than that, or are too long. Only objects
/// without an equal one on the other side are looked into.
pub(super) fn by_content_in_any_order(
    [before, after]: [&[Value]; 2],
    [old, new]: [&[u32]; 2],
) -> Option<Order> {
    if before.len() != after.len() || before.len() > MAX_ELEMENTS {
        return None;
    }
    let mut counterparts: Vec<Option<usize>> = counterparts(old, new).collect();
    let mut is_left = vec![true; before.len()];
    for old in counterparts.iter().flatten() {
        is_left[*old] = false;
    }
    let left_of = |is_left: &dyn Fn(usize) -> bool| -> Vec<usize> {
        (0..before.len()).filter(|place| is_left(*place)).collect()
    };
    let old = left_of(&|place| is_left[place]);
    let new = left_of(&|place| counterparts[place].is_none());
    let mut left = old
        .iter()
        .map(|it| &before[*it])
        .chain(new.iter().map(|it| &after[*it]));
    if old.len() > MAX_LEFT || !left.all(|value| value.as_map().is_some()) {
        return None;
    }
    let in_order = |list: &[Value], places: &[usize]| -> Vec<Value> {
        places.iter().map(|place| in_order(&list[*place])).collect()
    };
    let (before, after) = (in_order(before, &old), in_order(after, &new));
    let mut numbers = Numbers::default();
    let [of_old, of_new] = [&before, &after].map(|list| numbers.of(list));
    for (place, found) in new.into_iter().zip(self::counterparts(&of_old, &of_new)) {
        counterparts[place] = Some(old[found?]);
    }
    let pairs = counterparts.into_iter().enumerate();
    let order: Order = pairs.map(|(new, old)| (old, Some(new))).collect();
    is_crossing(&order).then_some(order)
}

/// The place before of each element after, if there is an equal one. Each place is given once, those of equal elements in their
/// order.
fn counterparts(before: &[u32], after: &[u32]) -> impl Iterator<Item = Option<usize>> {
    let n_numbers = before.iter().max().map_or(0, |max| *max as usize + 1);
    let mut first: Vec<Option<usize>> = vec![None; n_numbers];
    let mut next = vec![None; before.len()];
    for (place, number) in before.iter().enumerate().rev() {
        next[place] = first[*number as usize].replace(place);
    }
    after.iter().map(move |number| {
        let first = first.get_mut(*number as usize)?;
        let place = (*first)?;
        *first = next[place];
        Some(place)
    })
}

/// A value whose lists of texts are sorted.
fn in_order(value: &Value) -> Value {
    let value = value.with_parts(|_, it| in_order(it));
    match value.as_array() {
        Some(items) if items.iter().all(|item| item.as_str().is_some()) => {
            let mut items: Vec<Value> = items.iter().cloned().collect();
            items.sort_by(|one, other| one.as_str().cmp(&other.as_str()));
            value.with_payload(Payload::Array(items.into()))
        }
        Some(_) | None => value,
    }
}

/// True if the paired elements have another order after than before.
pub(super) fn is_crossing(order: &Order) -> bool {
    let pairs = order.iter().filter(|(_, new)| new.is_some());
    !pairs.filter_map(|(old, _)| *old).is_sorted()
}

/// The names of the elements of a list, which no two of them share.
struct Names<'v> {
    list: &'v [Value],
    key: &'static [String],
    /// The hash of the name of each element.
    hashes: Vec<u64>,
    /// The places of the elements, with these hashes.
    places: HashTable<(u64, usize)>,
}

impl<'v> Names<'v> {
    /// `None` if an element has no name, or shares its name.
    fn of(list: &'v [Value], key: &'static [String], hashing: &DefaultHashBuilder) -> Option<Self> {
        let hashes = list.iter().map(|element| name_hash(element, key, hashing));
        let mut names = Self {
            list,
            key,
            hashes: hashes.collect::<Option<_>>()?,
            places: HashTable::with_capacity(list.len()),
        };
        for (place, hash) in names.hashes.iter().enumerate() {
            if names.find(*hash, &list[place]).is_some() {
                return None;
            }
            names
                .places
                .insert_unique(*hash, (*hash, place), |(hash, _)| *hash);
        }
        Some(names)
    }

    /// The place of the element with the same name as `element`, whose name has this hash.
    fn find(&self, hash: u64, element: &Value) -> Option<usize> {
        let is_it = |(of_it, place): &(u64, usize)| {
            let own = &self.list[*place];
            let is_same = |property: &String| match (own.get(property), element.get(property)) {
                (Some(own), Some(other)) => same(own, other),
                _ => false,
            };
            *of_it == hash && self.key.iter().all(is_same)
        };
        Some(self.places.find(hash, is_it)?.1)
    }
}

/// A hash of the name of an element; `None` if it has none.
fn name_hash(element: &Value, key: &[String], hashing: &DefaultHashBuilder) -> Option<u64> {
    let mut hasher = hashing.build_hasher();
    for property in key {
        let part = element.get(property).filter(|it| is_name(it))?;
        hasher.write_u64(content_hash(part, hashing));
    }
    Some(hasher.finish())
}

/// True if an element may have a name.
fn is_object(value: &Value) -> bool {
    value.as_map().is_some() && !value.is_secret()
}

/// True if a value can name an element.
fn is_name(value: &Value) -> bool {
    let is_text = matches!(value.payload(), Payload::Number(_) | Payload::String(_));
    is_text && !value.is_secret() && value.as_str() != Some("")
}

/// The elements after in their order, each with its counterpart before. An element before without a counterpart follows its
/// neighbor.
fn in_new_order(n_before: usize, counterparts: &[Option<usize>]) -> Order {
    let mut is_kept = vec![false; n_before];
    for old in counterparts.iter().flatten() {
        is_kept[*old] = true;
    }
    let mut order = Order::new();
    let deleted_from = |from: usize, order: &mut Order| {
        let deleted = (from..n_before).take_while(|old| !is_kept[*old]);
        order.extend(deleted.map(|old| (Some(old), None)));
    };
    deleted_from(0, &mut order);
    for (new, old) in counterparts.iter().enumerate() {
        order.push((*old, Some(new)));
        if let Some(old) = old {
            deleted_from(old + 1, &mut order);
        }
    }
    order
}
