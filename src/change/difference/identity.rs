//! Elements of two lists that are one thing: the same content at another place, or the same name.
//!
//! Elements are paired by a key that names them if every element has it and no two elements of a side share it. A secret or
//! unknown value names nothing.

use hashbrown::HashMap;

use crate::value::content::Numbers;
use crate::value::{Map, Payload, Value};

/// The index of an element before and after, in display order.
pub(super) type Order = Vec<(Option<usize>, Option<usize>)>;

/// The properties that name an element of a list, best first. All properties of a row together are one name.
const KEYS: &[&[&str]] = &[
    &["Sid"],
    &["sid"],
    &["id"],
    &["Id"],
    &["ID"],
    &["name"],
    &["Name"],
    &["key"],
    &["Key"],
    &["rule_number"],
    &["ruleNumber"],
    &["rule_no"],
    &["ruleNo"],
    &["priority"],
    &["Priority"],
    &["description"],
    &["Description"],
    &["mountPath"],
    &["mount_path"],
    &["host", "port"],
    &["from_port", "to_port", "protocol"],
    &["fromPort", "toPort", "protocol"],
    &["containerPort"],
    &["container_port"],
    &["port", "protocol"],
    &["port"],
];

/// The pairs of elements that have one name on both sides, with the elements that have no counterpart; `None` if no key names
/// the elements.
pub(super) fn by_name(before: &[Value], after: &[Value]) -> Option<Order> {
    let is_object = |value: &Value| value.as_map().is_some() && !value.is_secret();
    if before.is_empty() || after.is_empty() || !before.iter().chain(after).all(is_object) {
        return None;
    }
    KEYS.iter().find_map(|key| {
        let mut numbers = Numbers::default();
        let old = names(before, key, &mut numbers)?;
        let new = names(after, key, &mut numbers)?;
        let places: HashMap<&[u32], usize> = old.iter().map(|it| &**it).zip(0..).collect();
        let counterparts: Vec<Option<usize>> = new
            .iter()
            .map(|name| places.get(&**name).copied())
            .collect();
        let is_found = counterparts.iter().any(Option::is_some);
        is_found.then(|| in_new_order(before.len(), &counterparts))
    })
}

/// The pairs of two lists with the same elements, given as numbers that are equal where the elements are; `None` if the lists
/// differ in more than their order.
pub(super) fn by_content(before: &[u32], after: &[u32]) -> Option<Order> {
    if before.len() != after.len() || before == after {
        return None;
    }
    let mut places: HashMap<u32, Vec<usize>> = HashMap::new();
    for (place, number) in before.iter().enumerate().rev() {
        places.entry(*number).or_default().push(place);
    }
    let pair = |(new, number)| {
        let old = places.get_mut(number).and_then(Vec::pop)?;
        Some((Some(old), Some(new)))
    };
    after.iter().enumerate().map(pair).collect()
}

/// The pairs of two lists with the same elements, of which the lists of texts in it may have another order too: the rules of a role
/// are the same whatever the order of their verbs. `None` if the lists differ in more than that.
pub(super) fn by_content_in_any_order(before: &[Value], after: &[Value]) -> Option<Order> {
    let is_object = |value: &Value| value.as_map().is_some();
    if before.len() != after.len() || !before.iter().chain(after).all(is_object) {
        return None;
    }
    let [before, after] = [before, after].map(|list| list.iter().map(in_order).collect());
    let (before, after): (Vec<Value>, Vec<Value>) = (before, after);
    let mut numbers = Numbers::default();
    let [old, new] = [&before, &after].map(|list| numbers.of(list).numbers);
    by_content(&old, &new)
}

/// A value whose lists of texts are sorted.
fn in_order(value: &Value) -> Value {
    let payload = match value.payload() {
        Payload::Map(map) => {
            let entries = map
                .iter()
                .map(|(key, value)| (key.clone(), in_order(value)));
            Payload::Map(entries.collect::<Map>())
        }
        Payload::Array(items) => {
            let mut items: Vec<Value> = items.iter().map(in_order).collect();
            if items.iter().all(|item| item.as_str().is_some()) {
                items.sort_by(|one, other| one.as_str().cmp(&other.as_str()));
            }
            Payload::Array(items.into())
        }
        _ => return value.clone(),
    };
    value.clone().with_payload(payload)
}

/// True if the paired elements have another order after than before.
pub(super) fn is_crossing(order: &Order) -> bool {
    let pairs = order.iter().filter(|(_, new)| new.is_some());
    !pairs.filter_map(|(old, _)| *old).is_sorted()
}

/// The names of elements as numbers; `None` if one has no name, or shares its name.
fn names<'v>(list: &'v [Value], key: &[&str], numbers: &mut Numbers<'v>) -> Option<Vec<Vec<u32>>> {
    let names: Vec<Vec<u32>> = list
        .iter()
        .map(|element| {
            let parts = key
                .iter()
                .map(|property| element.get(property).filter(|it| is_name(it)));
            parts.map(|part| Some(numbers.number(part?).0)).collect()
        })
        .collect::<Option<_>>()?;
    let mut sorted: Vec<&[u32]> = names.iter().map(Vec::as_slice).collect();
    sorted.sort_unstable();
    let is_unique = sorted.windows(2).all(|pair| pair[0] != pair[1]);
    is_unique.then_some(names)
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
