//! The difference of values of a cty type.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::align::at_index;
use super::elements::{Inside, Telling};
use super::identity::{Order, by_name};
use super::pair::{After, Pair};
use super::{Action, Alignment, Diff, DiffKind, list, plain, text};
use crate::types::{ObjectType, Type};
use crate::value::content::Numbers;
use crate::value::{Payload, Value};

/// The difference of two values of type `ty`.
///
/// The legacy provider SDK does not distinguish `""` from null. So `""` counts as null if the schema may come from that SDK.
pub(super) fn typed(pair: &Pair<'_>, ty: &Type) -> Diff {
    if pair.modern {
        return of_type(pair, ty);
    }
    let mut pair = pair.clone();
    for side in [&mut pair.before, &mut pair.after] {
        side.value = side.value.filter(|value| value.as_str() != Some(""));
    }
    of_type(&pair, ty)
}

fn of_type(pair: &Pair<'_>, ty: &Type) -> Diff {
    if let Some(diff) = pair.whole(false, After::Known, |pair| typed(pair, ty)) {
        return diff;
    }
    match ty {
        _ if !fits(pair.prior(), ty) || !fits(pair.planned(), ty) => untyped(pair),
        Type::String => text::text(pair),
        Type::Bool | Type::Number => pair.node(pair.action(), DiffKind::Leaf),
        Type::Array(element) => list::list(pair, &Inside::Of(element.clone())),
        Type::Tuple(elements) => tuple(pair, elements),
        Type::Set(element) => {
            let mut telling = Telling::new(pair, Inside::Of(element.clone()));
            for (old, new) in set_order(pair) {
                telling.tell(old, new, None);
            }
            let (elements, action) = telling.done_in_any_order();
            let kind = DiffKind::Set {
                elements,
                nested: false,
            };
            pair.node(action, kind)
        }
        Type::Map(element) => {
            let (entries, action) = plain::map(pair, |pair| typed(pair, element));
            let kind = DiffKind::Map {
                entries,
                nested: false,
            };
            pair.node(action, kind)
        }
        Type::Object(object) => of_object(pair, object),
        _ => untyped(pair),
    }
}

/// The difference of two values by their own types, inside a value that has a type.
fn untyped(pair: &Pair<'_>) -> Diff {
    let mut pair = pair.clone();
    pair.setting.is_dynamic = true;
    plain::plain(&pair)
}

/// True if a value is of the kind that its type declares. A file may hold values that its schema does not know.
fn fits(value: Option<&Value>, ty: &Type) -> bool {
    let Some(value) = value else {
        return true;
    };
    match ty {
        Type::String => matches!(value.payload(), Payload::String(_)),
        Type::Bool => matches!(value.payload(), Payload::Bool(_)),
        Type::Number => matches!(value.payload(), Payload::Number(_)),
        Type::Array(_) | Type::Tuple(_) | Type::Set(_) => value.as_array().is_some(),
        Type::Map(_) | Type::Object(_) => value.as_map().is_some(),
        _ => true,
    }
}

fn tuple(pair: &Pair<'_>, types: &[Type]) -> Diff {
    let (n_old, n_new) = pair.lengths();
    let mut telling = Telling::new(pair, Inside::Any);
    for index in 0..types.len().max(n_old).max(n_new) {
        let (old, new) = at_index(index, (n_old, n_new));
        let child = pair.index(old, new).of_interest();
        let diff = match types.get(index) {
            Some(ty) => typed(&child, ty),
            None => plain::plain(&child),
        };
        telling.described(old, new, diff);
    }
    let (elements, action) = telling.done();
    let kind = DiffKind::List {
        elements,
        nested: false,
    };
    pair.node(action, kind)
}

/// Pairs the elements of two sets. Returns their indexes in display order: on both sides, deleted, or created.
///
/// Elements are paired if they are equal in content and in sensitivity, and not unknown. Of the others, those of the same name
/// are paired, except in Terraform's own text.
pub(super) fn set_order(pair: &Pair<'_>) -> Order {
    let (before, after) = (pair.elements_before(), pair.elements_after());
    let mut numbers = Numbers::default();
    let [old_list, new_list] = [before, after].map(|list| numbers.of(list));
    let mut equal: HashMap<(u32, bool), Vec<usize>> = HashMap::new();
    for (index, (number, value)) in new_list.iter().zip(after).enumerate() {
        if !value.is_computed() {
            let places = equal.entry((*number, pair.masks(value))).or_default();
            places.push(index);
        }
    }
    let mut told = Vec::with_capacity(before.len());
    let mut taken = HashSet::new();
    for (index, (number, value)) in old_list.iter().zip(before).enumerate() {
        let places = equal.remove(&(*number, pair.masks(value)));
        told.push((
            Some(index),
            places.as_ref().and_then(|places| places.last().copied()),
        ));
        taken.extend(places.into_iter().flatten());
    }
    let new = (0..after.len()).filter(|index| !taken.contains(index));
    told.extend(new.map(|index| (None, Some(index))));
    match pair.setting.alignment {
        Alignment::Content => with_names(told, before, after),
        Alignment::Terraform => told,
    }
}

/// An order of elements with those paired that have no counterpart yet and the same name.
fn with_names(order: Order, before: &[Value], after: &[Value]) -> Order {
    let is_paired = |(old, new): &(Option<usize>, Option<usize>)| old.is_some() && new.is_some();
    let (mut paired, alone): (Order, Order) = order.into_iter().partition(is_paired);
    let old: Vec<usize> = alone.iter().filter_map(|(old, _)| *old).collect();
    let new: Vec<usize> = alone.iter().filter_map(|(_, new)| *new).collect();
    let pick = |list: &[Value], places: &[usize]| -> Vec<Value> {
        places.iter().map(|place| list[*place].clone()).collect()
    };
    match by_name(&pick(before, &old), &pick(after, &new)) {
        Some(named) => {
            let place = |(one, other): (Option<usize>, Option<usize>)| {
                (one.map(|it| old[it]), other.map(|it| new[it]))
            };
            paired.extend(named.into_iter().map(place));
        }
        None => paired.extend(alone),
    }
    paired.sort_by_key(|(old, new)| (old.is_none(), *old, *new));
    paired
}

fn of_object(pair: &Pair<'_>, object: &ObjectType) -> Diff {
    let (entries, action) = object_with(
        pair,
        object.attributes.keys(),
        |_| true,
        |child, key| {
            Some(match object.attributes.get(key) {
                Some(ty) => typed(child, ty),
                None => plain::plain(child),
            })
        },
    );
    let kind = DiffKind::Object {
        entries,
        nested: false,
    };
    pair.node(action, kind)
}

/// The attributes of an object, and its action: those that the schema `names`, and all others of the values that pass
/// `is_attribute`. Attributes for which `describe` returns `None` are left out.
pub(super) fn object_with<'n>(
    pair: &Pair<'_>,
    names: impl Iterator<Item = &'n Arc<str>>,
    is_attribute: impl Fn(&str) -> bool,
    describe: impl Fn(&Pair<'_>, &str) -> Option<Diff>,
) -> (Vec<(Arc<str>, Diff)>, Action) {
    let mut keys = pair.keys();
    keys.retain(|key| is_attribute(key));
    keys.extend(names.cloned());
    keys.sort_unstable();
    keys.dedup();
    let mut action = pair.start();
    let mut attributes = Vec::with_capacity(keys.len());
    for key in keys {
        let child = pair.key(&key).of_interest().implicit();
        let Some(diff) = describe(&child, &key) else {
            continue;
        };
        if diff.action == Action::Same && child.is_nothing() {
            continue;
        }
        action = action.with_child(diff.action);
        attributes.push((key, diff));
    }
    (attributes, action)
}
