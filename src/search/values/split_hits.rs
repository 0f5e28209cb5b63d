//! Replaces hits that represent several properties by single properties.

use std::collections::HashSet;
use std::hash::{BuildHasher, RandomState};

use super::Supply;
use super::walk::spread;
use crate::path::Path;
use crate::search::engine::Search;
use crate::search::{At, Hit, Index, PropertyAddress, SearchResult};
use crate::stack::{self, PathId, Resource, ResourceId, Section, When};

/// The places of hits, by their hashes.
#[derive(Default)]
struct Known(HashSet<u64>, RandomState);

impl Known {
    /// Adds a place. Returns true if it is new.
    fn insert(&mut self, id: ResourceId, before: bool, section: Section, path: &str) -> bool {
        self.0.insert(self.1.hash_one((id, before, section, path)))
    }
}

/// The hits of `alternatives`, with the properties read again.
pub(in crate::modules::search) struct Splitter<'s> {
    pub(in crate::modules::search) alternatives: &'s [Search<'s>],
    pub(in crate::modules::search) supply: &'s dyn Supply,
    pub(in crate::modules::search) limit: usize,
}

impl Splitter<'_> {
    /// Replaces hits that represent all elements of an array by single properties. Reads the resources again.
    pub(in crate::modules::search) fn settle(&self, index: &Index, found: &mut SearchResult) {
        let mut settled: Vec<Hit> = Vec::with_capacity(found.hits.len());
        let mut last: Option<(ResourceId, Option<Resource>)> = None;
        // A key with a separate path may also be one of the many in a folded path.
        let mut known = Known::default();
        for hit in std::mem::take(&mut found.hits) {
            let At::Indexed(path) = hit.at else {
                settled.push(hit);
                continue;
            };
            let stack = index.stack();
            if last.as_ref().is_none_or(|(id, _)| *id != hit.resource) {
                last = Some((hit.resource, self.supply.resource(stack, hit.resource)));
            }
            if let Some(resource) = last.as_ref().and_then(|(_, resource)| resource.as_ref()) {
                self.expand(index, (&hit, path), resource, &mut known, &mut settled);
            } else {
                found.unread += 1;
                settled.push(hit);
            }
            if settled.len() >= self.limit {
                settled.truncate(self.limit);
                break;
            }
        }
        // There may be more hits than the index knew, or none.
        if found.total <= self.limit as u64 {
            found.total = settled.len() as u64;
        }
        found.hits = settled;
    }

    fn expand(
        &self,
        index: &Index,
        (hit, path): (&Hit, PathId),
        resource: &Resource,
        known: &mut Known,
        settled: &mut Vec<Hit>,
    ) {
        let section = index.section(path);
        let segments = index.segments(path);
        for before in [false, true] {
            let when = if before || resource.after.is_none() {
                When::Before
            } else {
                When::After
            };
            let place = stack::PropertySet { when, section };
            let Some(value) = place.shown_of(resource) else {
                continue;
            };
            let mut any = false;
            spread(&value, &segments, &mut Path::root(), &mut |path| {
                let fitting = self.fitting(hit.alternatives, path);
                if settled.len() >= self.limit || fitting == 0 {
                    return;
                }
                any = true;
                let text = path.to_string();
                if !known.insert(hit.resource, before, section, &text) {
                    return;
                }
                let mut hit = Hit {
                    alternatives: fitting,
                    path: Vec::new(),
                    at: At::Property(PropertyAddress {
                        before: when == When::Before,
                        section,
                        path: path.clone(),
                    }),
                    ..hit.clone()
                };
                for search in self.of(fitting) {
                    search.mark(&mut hit, &text);
                }
                settled.push(hit);
            });
            if any {
                return;
            }
        }
    }

    fn of(&self, alternatives: u16) -> impl Iterator<Item = &Search<'_>> {
        let all = self.alternatives.iter();
        all.filter(move |search| alternatives & search.bit != 0)
    }

    /// Those of `alternatives` whose patterns fit `path`.
    fn fitting(&self, alternatives: u16, path: &Path) -> u16 {
        let fits = |search: &&Search<'_>| search.patterns_allow(|pattern| pattern.fits(path));
        let fitting = self.of(alternatives).filter(fits);
        fitting.fold(0, |bits, search| bits | search.bit)
    }
}
