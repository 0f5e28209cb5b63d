//! Pairs as shifts: alone, or together with all others of a module or component that has another name.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::{Evidence, Match, Pair, Pairs, Shift, ShiftKind, Side};
use crate::change::groups::{counted, grouped};
use crate::pulumi::urn;
use crate::stack::ResourceId;
use crate::terraform::address::{Address, module_of, parent_module};

/// A module or component with another name: from, to.
type Renamed = (String, String);

/// The shifts of all resources that go or come.
pub(super) fn shifts(all: &Pairs) -> Vec<Shift> {
    let (gone, new, matches) = (&all.gone[..], &all.new[..], &all.matches()[..]);
    let renamed = |it: &Match| renamed(&gone[it.gone], &new[it.new]);
    let containers = grouped(matches.iter().filter_map(|it| Some((renamed(it)?, it))));
    let places = [Places::of(gone), Places::of(new)];
    let mut shifts = Vec::new();
    let mut taken: HashSet<ResourceId> = HashSet::new();
    let mut grouped: HashSet<(usize, usize)> = HashSet::new();
    for ((from, to), members) in containers {
        // One resource that stays behind shows that the container was not renamed.
        let n_inside = places[0].n_inside.get(&*from);
        let is_whole = n_inside == Some(&members.len());
        if !is_whole || !all.is_renamed([&places[0], &places[1]], &from, &to) {
            continue;
        }
        grouped.extend(members.iter().map(|it| (it.gone, it.new)));
        let mut pairs: Vec<Pair> = Vec::new();
        let own = |side: usize, name: &str| places[side].by_name.get(name).copied();
        // Two components may have become one. It is in one shift only.
        if let (Some(one), Some(other)) = (own(0, &from), own(1, &to))
            && taken.insert(other)
        {
            let evidence = members.iter().map(|it| it.evidence).min();
            pairs.push(Pair {
                gone: one,
                new: other,
                evidence: evidence.unwrap_or(Evidence::Name),
            });
        }
        pairs.extend(members.iter().map(|it| pair(it, gone, new)));
        shifts.push(Shift::quiet(ShiftKind::Container, pairs, vec![(from, to)]));
    }
    let single = matches
        .iter()
        .filter(|it| !grouped.contains(&(it.gone, it.new)));
    let single: Vec<&Match> = single.collect();
    let (lists, single) = all.lists(&single);
    shifts.extend(lists);
    for it in single {
        let (one, other) = (&gone[it.gone], &new[it.new]);
        let moves = vec![(one.name.to_string(), other.name.to_string())];
        let pairs = vec![pair(it, gone, new)];
        shifts.push(Shift::quiet(kind(one, other), pairs, moves));
    }
    shifts
}

fn pair(it: &Match, gone: &[Side], new: &[Side]) -> Pair {
    Pair {
        gone: gone[it.gone].id,
        new: new[it.new].id,
        evidence: it.evidence,
    }
}

/// The resources of one side by their names and by the modules and components that contain them.
struct Places<'s> {
    by_name: HashMap<&'s str, ResourceId>,
    n_inside: HashMap<&'s str, usize>,
}

impl<'s> Places<'s> {
    fn of(sides: &'s [Side]) -> Self {
        let mut n_inside: HashMap<&str, usize> = HashMap::new();
        for side in sides {
            if let Some(parent) = &side.parent {
                *n_inside.entry(parent).or_default() += 1;
                continue;
            }
            let mut module = module_of(&side.name);
            while !module.is_empty() {
                *n_inside.entry(module).or_default() += 1;
                module = parent_module(module).unwrap_or_default();
            }
        }
        Self {
            by_name: sides.iter().map(|side| (&*side.name, side.id)).collect(),
            n_inside,
        }
    }
}

/// The address of an instance without its last key, and the key.
pub(super) fn keyed(name: &str) -> Option<(&str, &str)> {
    let stem = &name[..name.rfind('[').filter(|_| name.ends_with(']'))?];
    Some((stem, &name[stem.len()..]))
}

impl Pairs {
    /// The resources whose instances all have another name with the same keys, each as one shift, and the other matches.
    fn lists<'m>(&self, matches: &[&'m Match]) -> (Vec<Shift>, Vec<&'m Match>) {
        let count = |sides: &[Side]| {
            let keyed = sides.iter().filter_map(|side| keyed(&side.name));
            counted(keyed.map(|(stem, _)| stem.to_owned()))
        };
        let (n_gone, n_new) = (count(&self.gone), count(&self.new));
        let mut lists: BTreeMap<Renamed, Vec<&Match>> = BTreeMap::new();
        let mut others = Vec::new();
        for it in matches {
            let (gone, new) = (&self.gone[it.gone].name, &self.new[it.new].name);
            match keyed(gone).zip(keyed(new)) {
                Some(((from, key), (to, other))) if key == other && from != to => {
                    let list = lists.entry((from.to_owned(), to.to_owned())).or_default();
                    list.push(*it);
                }
                Some(_) | None => others.push(*it),
            }
        }
        let mut shifts = Vec::new();
        for ((from, to), members) in lists {
            let is_whole = [n_gone.get(&from), n_new.get(&to)] == [Some(&members.len()); 2];
            let is_kept = self.kept_stems.contains(&*from) || self.kept_stems.contains(&*to);
            if members.len() < 2 || !is_whole || is_kept {
                others.extend(members);
                continue;
            }
            let kind = kind(&self.gone[members[0].gone], &self.new[members[0].new]);
            let pairs = members.iter().map(|it| pair(it, &self.gone, &self.new));
            shifts.push(Shift::quiet(kind, pairs.collect(), vec![(from, to)]));
        }
        others.sort_by_key(|it| (it.gone, it.new));
        (shifts, others)
    }

    /// True if nothing says that one of two containers is on both sides of the change.
    fn is_renamed(&self, [gone, new]: [&Places<'_>; 2], from: &str, to: &str) -> bool {
        if from.starts_with(urn::PREFIX) {
            return gone.by_name.contains_key(from) && new.by_name.contains_key(to);
        }
        !self.kept_modules.contains(from) && !self.kept_modules.contains(to)
    }
}

/// The container that has another name, if all else of the two names is the same.
fn renamed(gone: &Side, new: &Side) -> Option<Renamed> {
    if let (Some(one), Some(other)) = (&gone.parent, &new.parent) {
        return (one != other).then(|| (one.to_string(), other.to_string()));
    }
    let (one, other) = (
        Address::parse(&gone.name).ok()?,
        Address::parse(&new.name).ok()?,
    );
    let is_same =
        one.name == other.name && one.key == other.key && one.module.len() == other.module.len();
    let mut differing = one
        .module
        .iter()
        .zip(&other.module)
        .enumerate()
        .filter(|(_, (one, other))| one != other);
    let place = differing.next().filter(|_| is_same)?.0;
    if differing.next().is_some() {
        return None;
    }
    let path = |name: &str| {
        crate::terraform::address::outer_modules(module_of(name), place + 1).to_owned()
    };
    Some((path(&gone.name), path(&new.name)))
}

/// The difference between the names of a pair.
fn kind(gone: &Side, new: &Side) -> ShiftKind {
    if let (Ok(one), Ok(other)) = (Address::parse(&gone.name), Address::parse(&new.name)) {
        return match one.module == other.module {
            true if one.name == other.name => ShiftKind::Key,
            true => ShiftKind::Renamed,
            false => ShiftKind::Parent,
        };
    }
    let name = |side: &Side| {
        urn::parts(&side.name).map_or_else(String::new, |parts| parts.name.to_owned())
    };
    if name(gone) == name(new) {
        ShiftKind::Parent
    } else {
        ShiftKind::Renamed
    }
}
