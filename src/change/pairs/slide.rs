//! Instances of one `count` that slid: an element left the list or joined it, and each later instance becomes what its neighbor was.

use std::collections::BTreeMap;

use super::sketch::Sketch;
use super::{Evidence, Pair, Shift, ShiftKind};
use crate::stack::{Resource, ResourceId};

/// Minimum share of properties that an instance takes over from another, in percent.
const MIN_LIKE: u32 = 60;

/// The way in which a list slid.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Slide {
    /// This number of elements left the list before its end.
    Out(u64),
    /// This number of elements joined the list before its end.
    In(u64),
}

/// A changed instance with a number.
#[derive(Clone, Debug)]
pub(super) struct Instance {
    id: ResourceId,
    before: Option<Sketch>,
    after: Option<Sketch>,
}

impl Instance {
    pub(super) fn of(id: ResourceId, resource: &Resource) -> Self {
        Self {
            id,
            before: resource.before.as_ref().map(|_| Sketch::before(resource)),
            after: resource.after.as_ref().map(|_| Sketch::after(resource)),
        }
    }

    pub(super) fn id(&self) -> ResourceId {
        self.id
    }

    fn is_kept(&self) -> bool {
        self.before.is_some() && self.after.is_some()
    }
}

/// The slide of the changed instances of one resource at `stem`, if each of them is one.
pub(super) fn find(stem: &str, instances: &BTreeMap<u64, Instance>) -> Option<Shift> {
    let count = |is: fn(&Instance) -> bool| instances.values().filter(|it| is(it)).count() as u64;
    let (n_gone, n_new) = (
        count(|it| it.after.is_none()),
        count(|it| it.before.is_none()),
    );
    let n_kept = count(Instance::is_kept);
    let last = *instances.keys().next_back()?;
    let by = n_gone.max(n_new);
    // The instances at the end go or come.
    let is_end = |number: &u64| *number + by > last;
    let ends = instances
        .iter()
        .filter(|(_, it)| !it.is_kept())
        .all(|(number, _)| is_end(number));
    if n_kept == 0 || (n_gone == 0) == (n_new == 0) || !ends {
        return None;
    }
    let slide = if n_gone > 0 {
        Slide::Out(by)
    } else {
        Slide::In(by)
    };
    let mut pairs = Vec::new();
    let mut moves: Vec<(u64, u64)> = Vec::new();
    for (number, instance) in instances {
        // The number of the instance whose properties this one takes over.
        let source = match slide {
            Slide::Out(by) => number.checked_add(by)?,
            Slide::In(by) => match number.checked_sub(by) {
                Some(source) => source,
                None => continue,
            },
        };
        let Some(after) = &instance.after else {
            continue;
        };
        let Some(other) = instances.get(&source) else {
            // The first new elements take over from nobody.
            continue;
        };
        let like = other.before.as_ref().map_or(0, |before| before.like(after));
        let own = instance
            .before
            .as_ref()
            .map_or(0, |before| before.like(after));
        if like < MIN_LIKE || like <= own {
            return None;
        }
        pairs.push(Pair {
            gone: other.id,
            new: instance.id,
            evidence: Evidence::Properties(like),
        });
        moves.push((source, *number));
    }
    if pairs.is_empty() {
        return None;
    }
    let moves = match slide {
        // The elements that left step aside first, so that their places are free.
        Slide::Out(by) => {
            let first = *instances.keys().next()?;
            let aside = (first..first.checked_add(by)?).zip(last + 1..);
            aside.chain(moves).collect()
        }
        Slide::In(_) => {
            moves.reverse();
            moves
        }
    };
    let address = |number: u64| format!("{stem}[{number}]");
    Some(Shift {
        kind: ShiftKind::Slide(slide),
        pairs,
        moves: moves
            .into_iter()
            .map(|(from, to)| (address(from), address(to)))
            .collect(),
    })
}
