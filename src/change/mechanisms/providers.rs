//! Resources of Pulumi that move from one provider to another.

use std::collections::{BTreeMap, BTreeSet};

use super::arguments::decides;
use super::{Fact, Notice, Reader, Seen, by_name};
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

/// The resources that move from one provider to another, by the URNs of both.
#[derive(Clone, Default, Debug)]
pub(super) struct Providers {
    moved: BTreeMap<[Box<str>; 2], BTreeSet<ResourceId>>,
}

impl Providers {
    pub(super) fn add(&mut self, seen: &Seen<'_>) {
        if seen.resource.mode == Mode::Provider {
            return;
        }
        let option = Path(vec![Segment::from("provider")]);
        let is_it = |section: Section, path: &Path| section == Section::Options && *path == option;
        let mut leaves = seen.leaves.iter();
        let leaf = leaves.find(|leaf| is_it(leaf.section, &leaf.path));
        let sides = leaf.and_then(|leaf| Some([leaf.before.as_str()?, leaf.after.as_str()?]));
        if let Some(sides) = sides {
            let ids = self.moved.entry(sides.map(Box::from)).or_default();
            ids.insert(seen.id);
        }
    }

    pub(super) fn merge(&mut self, other: Self) {
        for (sides, ids) in other.moved {
            self.moved.entry(sides).or_default().extend(ids);
        }
    }

    pub(super) fn finish(self, reader: &Reader<'_>) -> Vec<Notice> {
        let mut moved: Vec<_> = self.moved.into_iter().collect();
        moved.sort_by_key(|(sides, ids)| (std::cmp::Reverse(ids.len()), sides.clone()));
        let moved = moved.into_iter().take(MAX_PAIRS);
        moved.filter_map(|it| notice(reader, it)).collect()
    }
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
    let facts = leaves.into_iter().map(|leaf| Fact {
        id: new,
        path: leaf.path,
        before: Some(leaf.before),
        after: Some(leaf.after),
        note: String::new(),
    });
    let facts: Vec<Fact> = facts.collect();
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
    Some(Notice {
        says: format!("{moving} from the provider {old} to {new}"),
        ids: by_name(stack, ids.into_iter().collect()),
        facts,
        ..Notice::new(level, super::ONE_CAUSE)
    })
}
