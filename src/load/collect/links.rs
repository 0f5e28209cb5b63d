//! Who depends on whom, once the whole file is known.

use std::collections::HashMap;
use std::sync::Arc;

use super::Collector;
use super::integrity::of_key;
use crate::graph::{Graph, Link};
use crate::stack::{Edge, Note, ResourceId, Severity};

/// How many links a graph may have; a state in which everything depends on everything is cut there.
const MAX_LINKS: usize = 30_000_000;

impl Collector {
    /// Who depends on whom, and notes of what is missing.
    /// What the configuration says counts for every instance.
    pub(in crate::load) fn graph(
        &mut self,
        references: &[(Arc<str>, Vec<Edge>)],
    ) -> (Graph, Vec<Note>) {
        self.add_references(references);
        self.renew_edges();
        let mut by_key: Vec<(u64, u32)> = self.keys.iter().copied().zip(0..).collect();
        by_key.sort_unstable();
        let mut links = Vec::with_capacity(self.edges.len());
        let mut notes = Vec::new();
        let mut reach = Reach::default();
        for (from, target, kind) in std::mem::take(&mut self.edges) {
            if links.len() >= MAX_LINKS {
                break;
            }
            let same_key = of_key(&by_key, target);
            let link = |to| {
                (
                    ResourceId(from),
                    Link {
                        to: ResourceId(to),
                        kind,
                    },
                )
            };
            if self.is_terraform {
                let found = self.reached(&mut reach, from, target, same_key);
                links.extend(found.iter().map(|to| link(*to)));
            } else {
                if !self.integrity.passes(from, kind, same_key) {
                    self.integrity.suspects.push(from);
                }
                links.extend(same_key.iter().map(|(_, to)| link(*to)));
            }
        }
        if links.len() >= MAX_LINKS {
            notes.push(Note {
                severity: Severity::Warning,
                place: "dependencies".to_owned(),
                message: "too many dependencies to show them all".to_owned(),
                resource: None,
            });
        }
        if self.integrity.is_wanted {
            self.by_key = by_key;
        }
        (Graph::new(self.n_records as usize, links), notes)
    }

    /// Puts the edges that renewed records have now in the place of those that they had.
    fn renew_edges(&mut self) {
        if self.renewed_edges.is_empty() {
            return;
        }
        let renewed = &self.renewed_edges;
        self.edges.retain(|(from, ..)| !renewed.contains_key(from));
        self.edges.extend(
            renewed.iter().flat_map(|(from, edges)| {
                edges.iter().map(|(target, kind)| (*from, *target, *kind))
            }),
        );
        // The order of the file, whatever was renewed when.
        self.edges.sort_by_key(|(from, ..)| *from);
    }

    fn add_references(&mut self, references: &[(Arc<str>, Vec<Edge>)]) {
        if references.is_empty() {
            return;
        }
        let by_key: HashMap<u64, &Vec<Edge>> = references
            .iter()
            .map(|(address, edges)| (self.hasher.hash(address.as_bytes()), edges))
            .collect();
        for (from, key) in (0..).zip(&self.keys) {
            for edge in by_key.get(key).into_iter().flat_map(|edges| edges.iter()) {
                let target = self.hasher.hash(edge.target.as_bytes());
                self.edges.push((from, target, edge.kind));
            }
        }
    }

    /// The instances that a dependency by configuration means: modules that both ends are in must be the same instances. What one
    /// resource of a module reaches, all of the module reach.
    fn reached<'r>(
        &self,
        reach: &'r mut Reach,
        from: u32,
        target: u64,
        same_key: &[(u64, u32)],
    ) -> &'r [u32] {
        let group = |id: u32| self.group_of.get(id as usize).copied().unwrap_or(0);
        let own = group(from);
        let Reach { known, agreeing } = reach;
        known.entry((own, target)).or_insert_with(|| {
            same_key
                .iter()
                .map(|(_, id)| *id)
                .filter(|id| {
                    let other = group(*id);
                    *agreeing
                        .entry((own, other))
                        .or_insert_with(|| self.agree(own, other))
                })
                .collect()
        })
    }

    fn agree(&self, a: u32, b: u32) -> bool {
        let path = |group: u32| {
            let index = (group as usize).checked_sub(1);
            index.map_or("", |index| &*self.group_list[index])
        };
        a == b || crate::address::modules_agree(path(a), path(b))
    }
}

/// What was found out while dependencies are followed.
#[derive(Default)]
struct Reach {
    /// The resources that a module reaches under a key.
    known: HashMap<(u32, u64), Box<[u32]>>,
    /// Whether two modules may depend on each other.
    agreeing: HashMap<(u32, u32), bool>,
}
