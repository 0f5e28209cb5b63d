//! The resources of a file by their keys, once all are known: the names that others refer to them by.
//!
//! The first resource with each key is known. So the groups are counted, and nothing is sorted but the few that share a key.

use std::ops::Range;

use super::Collector;
use super::intern::number;
use super::modules::{Config, Module, Modules};

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

/// The places of resources in the tree of modules.
pub(super) struct Places<'c> {
    modules: &'c Modules,
    ranges: Vec<Range<u32>>,
    /// By resource.
    module_of: &'c [Module],
}

impl<'c> Places<'c> {
    pub(super) fn new(modules: &'c Modules, module_of: &'c [Module]) -> Self {
        Self {
            modules,
            ranges: modules.ranges(),
            module_of,
        }
    }

    /// The number of the module of a resource in depth-first order.
    fn of(&self, id: u32) -> u32 {
        self.ranges[self.module_of[id as usize] as usize].start
    }

    fn config(&self, id: u32) -> Config {
        self.modules.config(self.module_of[id as usize])
    }

    /// The resources with one key that `from` may depend on, for each module of the configuration that they are in.
    pub(super) fn reach<'m>(
        &self,
        from: u32,
        mut same_key: &'m [Member],
    ) -> impl Iterator<Item = &'m [Member]> {
        std::iter::from_fn(move || {
            let (first, last) = (same_key.first()?, same_key.last()?);
            let here = self.config(first.id);
            // Nearly always all resources with one key are in one module of the configuration.
            let n_same = if self.config(last.id) == here {
                same_key.len()
            } else {
                same_key.partition_point(|member| self.config(member.id) <= here)
            };
            let (same, behind) = same_key.split_at(n_same);
            same_key = behind;
            let shared = self.modules.shared(self.module_of[from as usize], here);
            let range = &self.ranges[shared as usize];
            let start = same.partition_point(|member| member.place < range.start);
            let end = same.partition_point(|member| member.place < range.end);
            Some(&same[start..end])
        })
    }
}

impl Collector {
    /// The resources by their keys, those of one key in the order of the file. Those of Terraform are in the order of the modules
    /// that they are in, by configuration and then by place.
    pub(super) fn by_key(&self, is_left_out: impl Fn(u32) -> bool, places: &Places<'_>) -> ByKey {
        let mut by_key = ByKey::new(self.n_records, |id| {
            let first = self.keys.first(self.keys.of(id));
            first.filter(|_| !is_left_out(id))
        });
        if !self.kind.is_pulumi() {
            let config = |member: &Member| places.config(member.id);
            let rank = |member: &Member| (config(member), member.place, member.id);
            by_key.arrange(|id| places.of(id), rank);
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
