//! Replaces hits that represent several properties by single properties.

use std::collections::HashSet;
use std::hash::{BuildHasher, RandomState};

use super::Reader;
use super::walk::spread;
use crate::path::Path;
use crate::search::{At, Hit, PropertyAddress, SearchResult, TermKind};
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

impl Reader<'_> {
    /// Replaces hits that represent all elements of an array by single properties. Reads the resources again.
    pub(in crate::search) fn settle(&self, found: &mut SearchResult) {
        let mut settled: Vec<Hit> = Vec::with_capacity(found.hits.len());
        let mut last: Option<(ResourceId, Option<Resource>)> = None;
        // A key with a separate path may also be one of the many in a folded path.
        let mut known = Known::default();
        for hit in std::mem::take(&mut found.hits) {
            let At::Indexed(path) = hit.at else {
                settled.push(hit);
                continue;
            };
            let stack = self.search.index.stack();
            if last.as_ref().is_none_or(|(id, _)| *id != hit.resource) {
                last = Some((hit.resource, self.supply.resource(stack, hit.resource)));
            }
            if let Some(resource) = last.as_ref().and_then(|(_, resource)| resource.as_ref()) {
                self.expand(&hit, path, resource, &mut known, &mut settled);
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
        hit: &Hit,
        path: PathId,
        resource: &Resource,
        known: &mut Known,
        settled: &mut Vec<Hit>,
    ) {
        let index = self.search.index;
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
            spread(&value, &segments, &mut Vec::new(), &mut |path| {
                let path = Path(path.to_vec());
                if settled.len() >= self.limit || !self.fits(&path) {
                    return;
                }
                any = true;
                let text = path.to_string();
                if !known.insert(hit.resource, before, section, &text) {
                    return;
                }
                let mut hit = Hit {
                    at: At::Resource,
                    ..hit.clone()
                };
                self.search.mark(&mut hit, &text);
                hit.at = At::Property(PropertyAddress {
                    before: when == When::Before,
                    section,
                    path,
                });
                settled.push(hit);
            });
            if any {
                return;
            }
        }
    }

    fn fits(&self, path: &Path) -> bool {
        self.search.query.terms.iter().all(|term| match &term.kind {
            TermKind::Pattern { pattern, text, .. } => {
                term.negated != pattern.fits(path) || self.search.is_address(text)
            }
            _ => true,
        })
    }
}
