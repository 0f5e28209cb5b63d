//! Odd ones out: siblings of which all but a few change alike.

use std::collections::BTreeMap;

use hashbrown::HashSet;

use super::{LeafPrint, Member, Print, Unchanged};
use crate::stack::{Action, ResourceId};

/// Minimum number of siblings that change alike for each odd one.
const MIN_ALIKE_FOR_ODD: usize = 3;

/// A resource that does not change as its siblings do.
#[derive(Clone, PartialEq, Debug)]
pub struct Odd {
    /// The resource.
    pub id: ResourceId,
    /// The way in which it differs.
    pub difference: Difference,
    /// The action on the siblings.
    pub action: Action,
    /// Number of siblings that change alike.
    pub n_alike: usize,
    /// The first of these by name.
    pub example: ResourceId,
    /// The changes that it has and its siblings have not.
    pub extra: Vec<LeafPrint>,
    /// The changes that its siblings have and it has not.
    pub missing: Vec<LeafPrint>,
}

/// The way in which a resource does not change as its siblings do.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Difference {
    /// It does not change at all.
    Unchanged,
    /// Another action.
    Action,
    /// Other places.
    Places,
    /// The same places, other values.
    Values,
}

/// Maximum number of unchanged siblings that are odd.
pub(super) const MAX_UNCHANGED: usize = 16;

/// The part of a change by which siblings are compared.
#[derive(Clone, Copy, PartialEq, Eq)]
enum By {
    Changes,
    Edits,
    Places,
}

impl By {
    fn of(self, leaf: &LeafPrint) -> Print {
        match self {
            Self::Changes => leaf.change,
            Self::Edits => leaf.edit,
            Self::Places => leaf.place,
        }
    }

    /// The print of the changes of a member.
    fn signature(self, member: &Member) -> Print {
        let mut prints: Vec<Print> = member.leaves.iter().map(|leaf| self.of(leaf)).collect();
        prints.sort_unstable();
        prints.dedup();
        Print::of(&(member.action, prints))
    }
}

/// The relation of siblings.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Relation {
    Family,
    /// Resources of one type have less in common. Some that change alike are not odd.
    Type,
}

/// The outcome for a resource. One that comes or goes is not odd among those that stay: its action says so already.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Fate {
    Comes,
    Goes,
    Stays,
}

impl Fate {
    const ALL: [Self; 3] = [Self::Comes, Self::Goes, Self::Stays];

    fn of(action: Action) -> Self {
        match action {
            Action::Create | Action::Import => Self::Comes,
            Action::Delete | Action::Forget => Self::Goes,
            Action::Noop
            | Action::Read
            | Action::Update
            | Action::Replace
            | Action::Move
            | Action::Defer => Self::Stays,
        }
    }
}

/// The siblings that one of them may be odd among.
#[derive(Default)]
struct Siblings<'m> {
    changed: Vec<&'m Member>,
    unchanged: Vec<&'m Unchanged>,
}

/// An odd one with its name.
type Named<'m> = (&'m str, Odd);

/// The odd ones among the changed resources, which are sorted by name, and those that do not change. Siblings have one fate, and are
/// of one family, then of one type.
pub(super) fn find(changed: &[&Member], unchanged: &BTreeMap<(u32, Print), Unchanged>) -> Vec<Odd> {
    let mut families: BTreeMap<(u32, Print, Fate), Siblings<'_>> = BTreeMap::new();
    let mut types: BTreeMap<(u32, Fate), Siblings<'_>> = BTreeMap::new();
    for member in changed {
        let fate = Fate::of(member.action);
        let family = families.entry((member.ty, member.family, fate));
        family.or_default().changed.push(member);
        let ty = types.entry((member.ty, fate));
        ty.or_default().changed.push(member);
    }
    for ((ty, family), unchanged) in unchanged {
        for fate in Fate::ALL {
            let family = families.get_mut(&(*ty, *family, fate));
            let ty = types.get_mut(&(*ty, fate));
            for siblings in [family, ty].into_iter().flatten() {
                siblings.unchanged.push(unchanged);
            }
        }
    }
    let mut seen: HashSet<ResourceId> = HashSet::new();
    let mut found: Vec<Named<'_>> = Vec::new();
    let families = families.values().map(|it| (it, Relation::Family));
    let types = types.values().map(|it| (it, Relation::Type));
    for (siblings, relation) in families.chain(types) {
        let odd = among(siblings, relation).into_iter();
        found.extend(odd.filter(|(_, odd)| seen.insert(odd.id)));
    }
    found.sort_by(|(one, odd), (other, another)| one.cmp(other).then(odd.id.cmp(&another.id)));
    found.into_iter().map(|(_, odd)| odd).collect()
}

fn among<'m>(siblings: &Siblings<'m>, relation: Relation) -> Vec<Named<'m>> {
    // By values if these are the same in most siblings, else by the words that differ, else by places.
    let found = [By::Changes, By::Edits, By::Places]
        .into_iter()
        .find_map(|by| Some((by, majority(siblings, by, relation)?)));
    let Some((by, Majority { alike, odd })) = found else {
        return Vec::new();
    };
    let example = alike[0];
    let of = |difference, id, extra, missing| Odd {
        id,
        difference,
        action: example.action,
        n_alike: alike.len(),
        example: example.id,
        extra,
        missing,
    };
    let changed = odd.into_iter().map(|member| {
        let without = |one: &Member, other: &Member| -> Vec<LeafPrint> {
            let has: HashSet<Print> = other.leaves.iter().map(|leaf| by.of(leaf)).collect();
            let leaves = one.leaves.iter().filter(|leaf| !has.contains(&by.of(leaf)));
            leaves.copied().collect()
        };
        let (extra, missing) = (without(member, example), without(example, member));
        let odd = of(difference(member, example), member.id, extra, missing);
        (&*member.name, odd)
    });
    let n_unchanged: usize = siblings.unchanged.iter().map(|it| it.count).sum();
    let is_odd = n_unchanged <= MAX_UNCHANGED && n_unchanged * MIN_ALIKE_FOR_ODD <= alike.len();
    let unchanged = siblings.unchanged.iter().filter(|_| is_odd);
    let unchanged = unchanged.flat_map(|it| it.first.iter().map(|(name, id)| (&**name, *id)));
    let unchanged = unchanged.map(|(name, id)| {
        let missing = example.leaves.to_vec();
        (name, of(Difference::Unchanged, id, Vec::new(), missing))
    });
    changed.chain(unchanged).collect()
}

fn difference(member: &Member, example: &Member) -> Difference {
    if member.action != example.action {
        Difference::Action
    } else if By::Places.signature(member) != By::Places.signature(example) {
        Difference::Places
    } else {
        Difference::Values
    }
}

/// Siblings that change alike, which are most of those that change, and the others.
struct Majority<'m> {
    alike: Vec<&'m Member>,
    odd: Vec<&'m Member>,
}

fn majority<'m>(siblings: &Siblings<'m>, by: By, relation: Relation) -> Option<Majority<'m>> {
    if siblings.changed.len() < MIN_ALIKE_FOR_ODD {
        return None;
    }
    let mut groups: BTreeMap<Print, Vec<&Member>> = BTreeMap::new();
    for member in &siblings.changed {
        groups.entry(by.signature(member)).or_default().push(member);
    }
    let most = groups.values().map(Vec::len).max()?;
    // A change that no leaf shows is like no other.
    let is_majority = |group: &Vec<&Member>| {
        let n_odd = siblings.changed.len() - group.len();
        group.len() == most
            && !group[0].leaves.is_empty()
            && group.len() >= MIN_ALIKE_FOR_ODD * n_odd.max(1)
    };
    let (print, alike) = groups.iter().find(|(_, group)| is_majority(group))?;
    let (print, alike) = (*print, alike.clone());
    let is_odd = |group: &Vec<&Member>| relation == Relation::Family || group.len() == 1;
    let others = groups
        .into_iter()
        .filter(|(it, group)| *it != print && is_odd(group));
    let odd = others.flat_map(|(_, group)| group).collect();
    Some(Majority { alike, odd })
}
