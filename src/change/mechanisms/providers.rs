//! Resources of Pulumi that move from one provider to another.

use std::collections::{BTreeMap, BTreeSet};

use super::arguments::decides;
use super::{Fact, Notice, Reader, Seen};
use crate::change::difference::{Context, describe};
use crate::change::leaves::{Strings, of_section};
use crate::change::review::SectionDiff;
use crate::change::rules::Level;
use crate::path::{Path, Segment};
use crate::stack::{Mode, Resource, ResourceId, Section};

/// Number of resources from which on a provider that is only another version is worth a line.
const MIN_MOVED: usize = 3;

/// Maximum number of pairs of providers that are compared.
const MAX_PAIRS: usize = 20;

/// A resource that moves from one provider to another, with the URNs of both.
pub(super) type Moved = ([Box<str>; 2], ResourceId);

/// The resource, if it moves.
pub(super) fn find(seen: &Seen<'_>) -> Option<Moved> {
    let option = Path(vec![Segment::from("provider")]);
    let mut leaves = seen.leaves.iter();
    let leaf = leaves.find(|it| it.section == Section::Options && it.path == option)?;
    let sides = [leaf.before.as_str()?, leaf.after.as_str()?];
    (seen.resource.mode != Mode::Provider).then(|| (sides.map(Box::from), seen.id))
}

/// A notice about all resources that move between two providers.
pub(super) fn notices(moved: Vec<Moved>, reader: &Reader<'_>) -> Vec<Notice> {
    let mut pairs: BTreeMap<[Box<str>; 2], BTreeSet<ResourceId>> = BTreeMap::new();
    for (sides, id) in moved {
        pairs.entry(sides).or_default().insert(id);
    }
    let mut pairs: Vec<_> = pairs.into_iter().collect();
    pairs.sort_by_key(|(_, ids)| std::cmp::Reverse(ids.len()));
    let pairs = pairs.into_iter().take(MAX_PAIRS);
    pairs.filter_map(|it| notice(reader, it)).collect()
}

/// The notice about resources that move to a provider with another configuration.
fn notice(
    reader: &Reader<'_>,
    (sides, ids): ([Box<str>; 2], BTreeSet<ResourceId>),
) -> Option<Notice> {
    let stack = reader.stack;
    let find = |urn: &str| stack.find(urn).first().copied();
    let [old, new] = [find(&sides[0])?, find(&sides[1])?];
    let inputs = |id: ResourceId| {
        let Resource { before, after, .. } = (reader.read)(id)?;
        after.or(before)?.inputs
    };
    let diff = describe(&inputs(old)?, &inputs(new)?, Context::default());
    let section = Section::Inputs;
    let leaves = of_section(&SectionDiff { section, diff }, Strings::Documents);
    let facts: Vec<Fact> = leaves.iter().map(|leaf| Fact::of(new, leaf)).collect();
    let is_elsewhere = facts.iter().any(|fact| decides(&fact.path));
    if !is_elsewhere && ids.len() < MIN_MOVED {
        return None;
    }
    let level = if is_elsewhere {
        Level::Danger
    } else {
        Level::Note
    };
    let moving = match ids.len() {
        1 => "1 resource moves".to_owned(),
        n => format!("{n} resources move"),
    };
    let [old, new] = [old, new].map(|id| stack.name(id));
    let says = format!("{moving} from the provider {old} to {new}");
    Some(Notice::of_all(stack, ids, level, super::ONE_CAUSE, says).with(facts))
}
