//! Instances of one list that slid: an element left the list or joined it, and each later instance becomes what its neighbor was.
//!
//! An instance keeps what the provider gave it (its id, its ARN) and takes on what the program says of its neighbor. So the values
//! that it gains are compared, not all of them. A value that all instances gain comes from another change.

use std::collections::BTreeMap;

use super::sketch::{Sketch, values};
use super::{Evidence, Pair, Shift, ShiftKind};
use crate::change::rules::Level;
use crate::change::vocabulary::WORDS;
use crate::stack::{Action, Resource, ResourceId, State};
use crate::text::{count, has_word};

/// Minimum share of the gained values that are those of the neighbor, in percent.
const MIN_LIKE: usize = 60;

/// Maximum length of the text that names an element, in characters.
const MAX_LABEL: usize = 60;

/// The way in which a list slid.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Slide {
    /// This number of elements left the list before its end.
    Out(u64),
    /// This number of elements joined the list before its end.
    In(u64),
}

/// The place of a number in the name of an instance.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Form {
    /// `count`: `it[1]`.
    Index,
    /// A key of `for_each`: `it["1"]`.
    Key,
    /// The end of the name: `it-1`.
    Suffix,
}

impl Form {
    pub(super) fn name(self, stem: &str, number: u64) -> String {
        match self {
            Self::Index => format!("{stem}[{number}]"),
            Self::Key => format!("{stem}[\"{number}\"]"),
            Self::Suffix => format!("{stem}{number}"),
        }
    }
}

/// A changed instance with a number, as far as all are kept: only those of lists that may have slid are read again.
#[derive(Clone, Copy, Debug)]
pub(super) struct Member {
    pub(super) id: ResourceId,
    action: Action,
    was_there: bool,
    will_be_there: bool,
}

impl Member {
    pub(super) fn of(id: ResourceId, action: Action, resource: &Resource) -> Self {
        Self {
            id,
            action,
            was_there: resource.before.is_some(),
            will_be_there: resource.after.is_some(),
        }
    }

    fn is_kept(self) -> bool {
        self.was_there && self.will_be_there
    }
}

/// The values of an instance.
struct Instance {
    id: ResourceId,
    action: Action,
    /// The names before and after.
    names: [Option<Sketch>; 2],
    /// Hashes of the values before, sorted.
    before: Option<Box<[u64]>>,
    /// Hashes of the values that are only there after the change, sorted.
    gains: Option<Box<[u64]>>,
    /// A changing text that names the element.
    label: Option<Box<str>>,
}

impl Instance {
    fn of(id: ResourceId, action: Action, resource: &Resource) -> Self {
        let before = resource.before.as_ref().map(values);
        let after = resource.after.as_ref().map(values);
        let is_new = |hash: &u64| {
            before
                .as_ref()
                .is_none_or(|before| before.binary_search(hash).is_err())
        };
        let sketch = |state: &Option<State>| Some(Sketch::of(resource, Some(state.as_ref()?)));
        Self {
            id,
            action,
            names: [&resource.before, &resource.after].map(sketch),
            gains: after.map(|after| after.iter().copied().filter(is_new).collect()),
            before,
            label: label(resource),
        }
    }

    fn is_kept(&self) -> bool {
        self.before.is_some() && self.gains.is_some()
    }

    /// Number of values that the instance takes over from `other`, and their share of those that it gains, in percent. Those in
    /// `common` do not count. `None` if it gains nothing, or if `other` is new.
    fn taken_from(&self, other: &Self, common: &[u64]) -> Option<(usize, usize)> {
        let before = other.before.as_ref()?;
        let gains = self.gains.iter().flatten();
        let own = gains.filter(|it| common.binary_search(it).is_err());
        let n_own = own.clone().count();
        let n_taken = own.filter(|it| before.binary_search(it).is_ok()).count();
        Some((n_taken, (n_taken * 100).checked_div(n_own)?))
    }

    /// True if the instance takes on a name that `other` had.
    fn takes_name_of(&self, other: &Self) -> bool {
        match (&self.names[1], &other.names[0]) {
            (Some(after), Some(before)) => after.shares_name(before),
            (None, _) | (_, None) => false,
        }
    }
}

/// The slide of the changed instances of one resource at `stem`, if each of them is one.
pub(super) fn find(
    (stem, form): (&str, Form),
    members: &BTreeMap<u64, Member>,
    read: &dyn Fn(ResourceId) -> Option<Resource>,
) -> Option<Shift> {
    let slide = ends(members)?;
    let instance = |(number, member): (&u64, &Member)| {
        Some((
            *number,
            Instance::of(member.id, member.action, &read(member.id)?),
        ))
    };
    let instances: Option<BTreeMap<u64, Instance>> = members.iter().map(instance).collect();
    let mut instances = instances?;
    if let Slide::Out(by) = slide {
        leave_start(&mut instances, by);
    }
    let instances = &instances;
    let common = common(instances);
    let mut pairs = Vec::new();
    let mut moves: Vec<(u64, u64)> = Vec::new();
    let (mut n_gained, mut has_name) = (0, false);
    for (number, instance) in instances {
        // The number of the instance whose values this one takes on.
        let source = match slide {
            Slide::Out(by) => number.checked_add(by)?,
            Slide::In(by) => match number.checked_sub(by) {
                Some(source) => source,
                None => continue,
            },
        };
        let takes = match slide {
            Slide::Out(_) => instance.is_kept(),
            Slide::In(_) => instance.gains.is_some(),
        };
        // The first new elements take over from nobody, and nothing is known of a source that does not change.
        let Some(other) = instances.get(&source).filter(|_| takes) else {
            continue;
        };
        let (n_taken, like) = instance.taken_from(other, &common)?;
        if like < MIN_LIKE {
            return None;
        }
        n_gained += n_taken;
        has_name |= instance.takes_name_of(other);
        pairs.push(Pair {
            gone: other.id,
            new: instance.id,
            evidence: Evidence::Properties(u32::try_from(like).unwrap_or(100)),
        });
        moves.push((source, *number));
    }
    // One value in one instance may be the same by chance.
    if pairs.is_empty() || n_gained < 2 && !has_name {
        return None;
    }
    let (level, says) = story((stem, form), slide, instances, &moves)?;
    let moves = in_turn(moves, slide, instances)?.into_iter();
    let name = |number: u64| form.name(stem, number);
    Some(Shift {
        kind: ShiftKind::Slide(slide),
        pairs,
        moves: moves.map(|(from, to)| (name(from), name(to))).collect(),
        alarm: Some((level, says)),
    })
}

/// The moves of ascending instances in an order in which each one leads to a free place.
fn in_turn(
    mut moves: Vec<(u64, u64)>,
    slide: Slide,
    instances: &BTreeMap<u64, Instance>,
) -> Option<Vec<(u64, u64)>> {
    Some(match slide {
        // An instance in between that does not change keeps its place, which no other one can take.
        _ if !is_gapless(instances) => Vec::new(),
        // The elements that left step aside first, so that their places are free.
        Slide::Out(by) => {
            let first = *instances.keys().next()?;
            let last = *instances.keys().next_back()?;
            let aside = (first..first.checked_add(by)?).zip(last + 1..);
            aside.chain(moves).collect()
        }
        Slide::In(_) => {
            moves.reverse();
            moves
        }
    })
}

/// Takes out the instances before the element that left. They change for another reason, and take nothing from a neighbor.
fn leave_start(instances: &mut BTreeMap<u64, Instance>, by: u64) {
    while let Some((number, first)) = instances.first_key_value() {
        // Nothing is known of a neighbor that does not change.
        let source = number.checked_add(by).and_then(|it| instances.get(&it));
        let Some(before) = source.and_then(|it| it.before.as_ref()) else {
            return;
        };
        let mut gains = first.gains.iter().flatten();
        let takes = gains.any(|it| before.binary_search(it).is_ok());
        if first.action != Action::Update || takes {
            return;
        }
        instances.pop_first();
    }
}

/// True if every instance from the first one to the last one changes.
fn is_gapless(instances: &BTreeMap<u64, Instance>) -> bool {
    let ends = instances.first_key_value().zip(instances.last_key_value());
    ends.is_some_and(|((first, _), (last, _))| last - first == instances.len() as u64 - 1)
}

/// The slide that the instances at the end of the list show: they go or come.
fn ends(members: &BTreeMap<u64, Member>) -> Option<Slide> {
    let count = |is: fn(&Member) -> bool| members.values().filter(|it| is(it)).count() as u64;
    let n_gone = count(|it| !it.will_be_there);
    let n_new = count(|it| !it.was_there);
    let last = *members.keys().next_back()?;
    let by = n_gone.max(n_new);
    let is_end = |number: &u64| *number + by > last;
    let are_ends = members
        .iter()
        .filter(|(_, it)| !it.is_kept())
        .all(|(number, _)| is_end(number));
    if count(|it| it.is_kept()) == 0 || (n_gone == 0) == (n_new == 0) || !are_ends {
        return None;
    }
    Some(if n_gone > 0 {
        Slide::Out(by)
    } else {
        Slide::In(by)
    })
}

/// The values that all instances gain, sorted; none if there is one instance.
fn common(instances: &BTreeMap<u64, Instance>) -> Vec<u64> {
    let mut kept = instances.values().filter(|it| it.is_kept());
    let gains = |it: &Instance| it.gains.clone().unwrap_or_default();
    let Some(first) = kept.next() else {
        return Vec::new();
    };
    let mut common: Vec<u64> = gains(first).to_vec();
    let mut n = 1;
    for other in kept {
        n += 1;
        let gains = gains(other);
        common.retain(|it| gains.binary_search(it).is_ok());
    }
    if n > 1 { common } else { Vec::new() }
}

/// The weight of a slide, and its story: the list, the element that went or came, and what happens to the later ones.
fn story(
    (stem, form): (&str, Form),
    slide: Slide,
    instances: &BTreeMap<u64, Instance>,
    moves: &[(u64, u64)],
) -> Option<(Level, String)> {
    let slid = instances.values().filter(|it| it.is_kept());
    let (replaced, updated): (Vec<_>, Vec<_>) = slid.partition(|it| it.action == Action::Replace);
    let list = stem
        .rsplit("::")
        .next()
        .unwrap_or(stem)
        .trim_end_matches(['-', '_', '.']);
    let element = |number: u64| {
        let short = form.name("", number);
        match instances.get(&number).and_then(|it| it.label.as_deref()) {
            Some(label) => format!("{short} ({label})"),
            None => short,
        }
    };
    let mut happens = Vec::new();
    let mut say = |n: u64, words: &str| {
        happens.extend((n > 0).then(|| format!("{} {words}", count(n))));
    };
    say(replaced.len() as u64, "replaced");
    say(updated.len() as u64, "updated");
    let words = match slide {
        Slide::Out(by) => {
            let first = *instances.keys().next()?;
            say(by, "deleted at its end");
            let gone: Vec<String> = (first..first.checked_add(by)?).map(element).collect();
            format!("element {} left the list {list}", gone.join(", "))
        }
        Slide::In(by) => {
            say(by, "created at its end");
            let first = moves.iter().map(|(from, _)| *from).min()?;
            format!(
                "an element joined the list {list} before {}",
                element(first)
            )
        }
    };
    let level = if replaced.is_empty() {
        Level::Warning
    } else {
        Level::Danger
    };
    let says = format!(
        "{words}: the later ones slide into their neighbors' places, {}",
        happens.join(", ")
    );
    Some((level, says))
}

/// A text of an element before the change that names it: `cidr_block "10.0.1.0/24"`.
fn label(resource: &Resource) -> Option<Box<str>> {
    let before = resource.before.as_ref()?.properties()?;
    let after = resource.after.as_ref().and_then(State::properties);
    let texts = before.as_map()?.iter().filter_map(|(key, value)| {
        let text = value
            .as_str()
            .filter(|text| !value.is_secret() && !text.is_empty())?;
        let new = after.and_then(|after| after.get(key));
        let is_own = new.is_none_or(|new| new.as_str() != Some(text));
        let is_short = text.chars().count() <= MAX_LABEL;
        (is_own && is_short && has_word(key, &WORDS.own_labels))
            .then(|| (key.len(), format!("{key} \"{text}\"")))
    });
    texts.min().map(|(_, text)| text.into())
}
