//! Families: what most resources of a type change alike is told once, by those of them that change nothing else.
//!
//! A new release changes four properties of each of twelve functions, and one more of nine of them. The four are told of the three
//! others; each of the nine tells what is its own.
//!
//! # Laws
//!
//! 1. What a family shares is told by a member that changes nothing else.
//! 2. A change that forces a replacement, or that a rule judges, is always told of its resource.

use hashbrown::{HashMap, HashSet};

use super::{Action, Counts, LeafPrint, Member, Print, ResourceId, is_free};

/// Minimum number of resources that change alike.
const MIN_ALIKE: usize = 3;

/// Share of the changed resources of a type that change alike: two of three.
const SHARE: (usize, usize) = (2, 3);

/// Number of resources up to which those with other changes besides are named.
pub(super) const FEW: usize = 3;

/// Resources that are compared: their type and the action on them.
type Of = (u32, Action);

/// The changes that families share.
#[derive(Default)]
pub(super) struct Families {
    /// By the values, or by the words that differ.
    alike: HashSet<(Of, Print)>,
    /// The places of the shared changes of members that have others besides, with those members.
    besides: HashMap<Of, HashMap<Vec<Print>, Vec<ResourceId>>>,
}

impl Families {
    pub(super) fn of(members: &[Member], counts: &Counts<'_>) -> Self {
        let mut sizes: HashMap<Of, usize> = HashMap::new();
        let mut sharing: HashMap<(Of, Print), usize> = HashMap::new();
        for member in members {
            let of = of(member);
            let prints = counts.own(member).flat_map(|leaf| [leaf.change, leaf.edit]);
            let prints: HashSet<Print> = prints.collect();
            *sizes.entry(of).or_default() += usize::from(!prints.is_empty());
            for print in prints {
                *sharing.entry((of, print)).or_default() += 1;
            }
        }
        sharing.retain(|(of, _), n| {
            let (part, whole) = SHARE;
            *n >= MIN_ALIKE && *n * whole >= sizes[of] * part
        });
        let mut families = Self {
            alike: sharing.into_keys().collect(),
            besides: HashMap::new(),
        };
        let is_teller = |member: &&Member| {
            let is_shared = |leaf| families.is_shared(member, leaf, counts);
            counts.own(member).all(is_shared)
        };
        let tellers = members.iter().filter(is_teller);
        let told = tellers.flat_map(|member| {
            let prints = counts.own(member);
            prints.flat_map(move |leaf| [leaf.change, leaf.edit].map(|print| (of(member), print)))
        });
        let told: HashSet<(Of, Print)> = told.collect();
        families.alike.retain(|it| told.contains(it));
        let mut besides: HashMap<Of, HashMap<Vec<Print>, Vec<ResourceId>>> = HashMap::new();
        for member in members {
            let (shared, rest) = families.split(member, counts);
            if !shared.is_empty() && !rest.is_empty() {
                let of_type = besides.entry(of(member)).or_default();
                of_type.entry(places(&shared)).or_default().push(member.id);
            }
        }
        families.besides = besides;
        families
    }

    /// The changes of a member that are not common: those that its family shares, and the rest.
    pub(super) fn split(
        &self,
        member: &Member,
        counts: &Counts<'_>,
    ) -> (Vec<LeafPrint>, Vec<LeafPrint>) {
        let own = counts.own(member).copied();
        own.partition(|leaf| self.is_shared(member, leaf, counts))
    }

    /// The resources that have these changes of a member, or some of them, and others besides: their number, and a few.
    pub(super) fn besides(&self, member: &Member, own: &[LeafPrint]) -> (usize, Vec<ResourceId>) {
        let own = places(own);
        let is_told = |it: &[Print]| it.iter().all(|place| own.binary_search(place).is_ok());
        let all = self.besides.get(&of(member)).into_iter().flatten();
        let told = all.filter(|(places, _)| is_told(places));
        let (mut n, mut few) = (0, Vec::new());
        for (_, ids) in told {
            n += ids.len();
            few.extend(ids.iter().take(FEW));
        }
        (n, few)
    }

    fn is_shared(&self, member: &Member, leaf: &LeafPrint, counts: &Counts<'_>) -> bool {
        let is_alike = |print| self.alike.contains(&(of(member), print));
        is_free(leaf, counts.judged) && (is_alike(leaf.change) || is_alike(leaf.edit))
    }
}

fn of(member: &Member) -> Of {
    (member.ty, member.action)
}

fn places(leaves: &[LeafPrint]) -> Vec<Print> {
    let mut places: Vec<Print> = leaves.iter().map(|leaf| leaf.place).collect();
    places.sort_unstable();
    places.dedup();
    places
}
