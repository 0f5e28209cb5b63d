//! The resources of a file by their keys, once all are known: the names that others refer to them by.
//!
//! The first resource with each key is known. So the groups are counted, and nothing is sorted but the few that share a key.

use super::Collector;
use super::intern::number;

/// Groups of resources that have the same key.
#[derive(Default)]
pub(super) struct ByKey {
    /// By the first resource with a key: the range of its group. Empty for the others.
    ranges: Vec<(u32, u32)>,
    /// The resources, those with one key together.
    members: Vec<Member>,
}

/// A resource of a group.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Member {
    pub(super) id: u32,
    /// The number of its module in depth-first order.
    pub(super) place: u32,
}

impl ByKey {
    /// Groups the resources for which `first_of` gives the first one with their key. The members of a group are in the order of
    /// the file.
    fn new(n_records: u32, first_of: impl Fn(u32) -> Option<u32>) -> Self {
        let firsts: Vec<Option<u32>> = (0..n_records).map(first_of).collect();
        let known = || {
            (0..)
                .zip(&firsts)
                .filter_map(|(id, first)| Some((id, (*first)? as usize)))
        };
        let mut ranges = vec![(0, 0); n_records as usize];
        for (_, first) in known() {
            ranges[first].1 += 1;
        }
        let mut end = 0;
        for range in &mut ranges {
            let start = end;
            end += range.1;
            *range = (start, start);
        }
        let mut members = vec![Member { id: 0, place: 0 }; end as usize];
        for (id, first) in known() {
            let end = &mut ranges[first].1;
            members[*end as usize].id = id;
            *end += 1;
        }
        Self { ranges, members }
    }

    /// The resources with the key whose first resource is `first`.
    pub(super) fn of(&self, first: u32) -> &[Member] {
        let (start, end) = self.ranges[first as usize];
        &self.members[start as usize..end as usize]
    }

    /// The resources of each key.
    pub(super) fn groups(&self) -> impl Iterator<Item = &[Member]> {
        let firsts = (0..number(self.ranges.len())).map(|first| self.of(first));
        firsts.filter(|group| !group.is_empty())
    }

    /// Sets the places of all members, and sorts each group by `rank`.
    fn arrange<R: Ord>(&mut self, place: impl Fn(u32) -> u32, rank: impl Fn(&Member) -> R) {
        for member in &mut self.members {
            member.place = place(member.id);
        }
        for (start, end) in &self.ranges {
            let group = &mut self.members[*start as usize..*end as usize];
            if group.len() > 1 {
                group.sort_unstable_by_key(&rank);
            }
        }
    }
}

impl Collector {
    /// The resources by their keys, those of one key in the order of the file. Those of Terraform are in the order of the modules
    /// that they are in, by configuration and then by `place`.
    pub(super) fn by_key(
        &self,
        is_left_out: impl Fn(u32) -> bool,
        place: impl Fn(u32) -> u32,
    ) -> ByKey {
        let mut by_key = ByKey::new(self.n_records, |id| {
            let first = self.keys.first(self.keys.of(id));
            first.filter(|_| !is_left_out(id))
        });
        if !self.kind.is_pulumi() {
            let config = |id: u32| self.modules.config(self.module_of[id as usize]);
            by_key.arrange(place, |member| (config(member.id), member.place, member.id));
        }
        by_key
    }

    /// The resources with this key.
    pub(super) fn same_key<'k>(&self, by_key: &'k ByKey, key: u64) -> &'k [Member] {
        let first = self.keys.first(key);
        first.map_or(&[], |first| by_key.of(first))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn groups_are_those_of_sorted_keys(
            keys in prop::collection::vec(prop::option::of(0_u32..9), 0..30),
        ) {
            let first_of = |id: u32| {
                let key = keys[id as usize]?;
                keys.iter().position(|other| *other == Some(key)).map(number)
            };
            let by_key = ByKey::new(number(keys.len()), first_of);
            let mut sorted: Vec<(u32, u32)> =
                keys.iter().zip(0..).filter_map(|(key, id)| Some(((*key)?, id))).collect();
            sorted.sort_unstable();
            let mut groups: Vec<Vec<u32>> = sorted
                .chunk_by(|(one, _), (other, _)| one == other)
                .map(|group| group.iter().map(|(_, id)| *id).collect())
                .collect();
            groups.sort_unstable();
            let found = by_key.groups().map(|group| group.iter().map(|member| member.id).collect());
            prop_assert_eq!(found.collect::<Vec<Vec<u32>>>(), groups.clone());
            for group in groups {
                let found = by_key.of(group[0]).iter().map(|member| member.id);
                prop_assert_eq!(found.collect::<Vec<_>>(), group);
            }
        }
    }
}
