//! Modules and components with nearly the same name and the same parts.
//!
//! Their parts often have names made from the name of the whole. A new name of the whole then renames each part at the provider too, and
//! neither names nor properties say that the parts are the same.

use std::collections::BTreeMap;

use super::{Evidence, Match, Pairs, Side, common_prefix, common_suffix};
use crate::change::groups::grouped;
use crate::pulumi::urn;

/// Minimum share of the longer name that both names of a whole have in common, in percent.
const MIN_NAME: usize = 60;

/// Maximum number of wholes with the same parts on one side that are compared with those on the other.
const MAX_ALIKE: usize = 128;

/// Minimum number of parts.
const MIN_PARTS: usize = 2;

/// The types and names of the parts, without the name of the whole, each with its index among the resources.
type Parts<'s> = BTreeMap<(&'s str, String), usize>;

/// The parts of a whole that goes, each with its counterpart in one that comes.
pub(super) fn matches(all: &Pairs) -> Vec<Match> {
    let [going, coming] = [&all.gone, &all.new].map(|sides| parts(all, sides));
    let alike = [&going, &coming].map(by_parts);
    let like = |side: usize, whole: &str, parts: &Parts<'_>| -> Vec<&str> {
        let alike = alike[side].get(&keys(parts)).into_iter().flatten();
        alike.copied().filter(|it| is_like(whole, it)).collect()
    };
    let is_few = |parts: &Parts<'_>| {
        let n_alike = alike
            .each_ref()
            .map(|it| it.get(&keys(parts)).map_or(0, Vec::len));
        n_alike.into_iter().all(|n| n <= MAX_ALIKE)
    };
    let mut found = Vec::new();
    let wholes = going.iter().filter(|(_, parts)| parts.len() >= MIN_PARTS);
    for (from, parts) in wholes.filter(|(_, parts)| is_few(parts)) {
        // Of several nobody knows which one it is.
        let &[to] = like(1, from, parts).as_slice() else {
            continue;
        };
        let others = &coming[to];
        if like(0, to, others).len() != 1 {
            continue;
        }
        for (gone, new) in parts.values().zip(others.values()) {
            let like = all.gone[*gone].sketch.like(&all.new[*new].sketch);
            found.push(all.matched(*gone, *new, like, Evidence::Place));
        }
    }
    found
}

/// The types and names of parts.
fn keys<'p>(parts: &'p Parts<'_>) -> Vec<(&'p str, &'p str)> {
    let keys = parts.keys();
    keys.map(|(ty, name)| (*ty, name.as_str())).collect()
}

/// The wholes that have parts of the same types and names.
fn by_parts<'p>(
    wholes: &'p BTreeMap<&str, Parts<'_>>,
) -> BTreeMap<Vec<(&'p str, &'p str)>, Vec<&'p str>> {
    grouped(wholes.iter().map(|(whole, parts)| (keys(parts), *whole)))
}

/// By module or component that goes or comes as a whole: its parts.
fn parts<'s>(all: &Pairs, sides: &'s [Side]) -> BTreeMap<&'s str, Parts<'s>> {
    let mut wholes: BTreeMap<&str, Parts<'_>> = BTreeMap::new();
    for (place, (side, whole)) in sides.iter().zip(all.wholes(sides)).enumerate() {
        if let Some(whole) = whole {
            let own = name(whole);
            let inner = match urn::parts(&side.name) {
                Some(parts) => parts.name.replace(own, "*"),
                None => side.name.replacen(whole, "*", 1),
            };
            let parts = wholes.entry(whole).or_default();
            parts.insert((&side.ty, inner), place);
        }
    }
    wholes
}

/// The own name of a module or component.
fn name(whole: &str) -> &str {
    match urn::parts(whole) {
        Some(parts) => parts.name,
        None => whole.rsplit_once("module.").map_or(whole, |(_, name)| name),
    }
}

/// True if two wholes differ in their own names only, and these have most of the longer one in common.
fn is_like(one: &str, other: &str) -> bool {
    let (own, others) = (name(one), name(other));
    let is_same_place = one.strip_suffix(own) == other.strip_suffix(others);
    let longer = own.len().max(others.len());
    let common = common_prefix(own, others) + common_suffix(own, others);
    is_same_place && own != others && common.min(longer) * 100 >= longer * MIN_NAME
}
