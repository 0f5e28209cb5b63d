//! Who depends on whom, once the whole file is known.

use std::collections::HashMap;
use std::sync::Arc;

use super::Collector;
use super::integrity::of_key;
use super::modules::Module;
use crate::graph::{Graph, Link};
use crate::stack::{Edge, EdgeKind, Note, ResourceId, Severity};

/// How many links a graph may have; a state in which everything depends on everything is cut there.
const MAX_LINKS: usize = 30_000_000;

impl Collector {
    /// Who depends on whom, and notes of what is missing. What the configuration says counts for every instance.
    pub(in crate::load) fn graph(
        &mut self,
        references: &[(Arc<str>, Vec<Edge>)],
    ) -> (Graph, Vec<Note>) {
        self.add_references(references);
        self.renew_edges();
        let edges = std::mem::take(&mut self.edges);
        let ranges = self.modules.ranges();
        let module = |id: u32| self.module_of[id as usize];
        let place = |id: u32| ranges[module(id) as usize].start;
        let config = |id: u32| self.modules.config(module(id));
        let mut by_key: Vec<(u64, u32)> = self.keys.iter().copied().zip(0..).collect();
        if self.is_terraform {
            by_key.sort_unstable_by_key(|(key, id)| (*key, config(*id), place(*id), *id));
        } else {
            by_key.sort_unstable();
        }
        let below = |own: Module, same_config: &[(u64, u32)], found: &mut Vec<Link>, kind| {
            let shared = self.modules.shared(own, config(same_config[0].1));
            let range = &ranges[shared as usize];
            let start = same_config.partition_point(|(_, id)| place(*id) < range.start);
            let end = same_config.partition_point(|(_, id)| place(*id) < range.end);
            found.extend(
                same_config[start..end]
                    .iter()
                    .map(|(_, to)| link(*to, kind)),
            );
        };
        let mut n_links = 0;
        let mut rest = edges.as_slice();
        let mut suspects = Vec::new();
        let graph = Graph::build(self.n_records as usize, |from, found| {
            while let Some(((own, target, kind), behind)) = rest.split_first()
                && *own <= from.0
                && n_links + found.len() < MAX_LINKS
            {
                rest = behind;
                if self.is_terraform {
                    // Nearly always all of one key are of one module of the configuration.
                    let start = by_key.partition_point(|(key, _)| key < target);
                    let mut others = &by_key[start..];
                    while let Some((key, first)) = others.first()
                        && key == target
                    {
                        let config_here = config(*first);
                        let n_same = others.partition_point(|(key, id)| {
                            (*key, config(*id)) <= (*target, config_here)
                        });
                        let (same, behind) = others.split_at(n_same);
                        below(module(*own), same, found, *kind);
                        others = behind;
                    }
                } else {
                    let same_key = of_key(&by_key, *target);
                    if !self.integrity.passes(*own, *kind, same_key) {
                        suspects.push(*own);
                    }
                    found.extend(same_key.iter().map(|(_, to)| link(*to, *kind)));
                }
            }
            n_links += found.len();
        });
        let mut notes = Vec::new();
        if n_links >= MAX_LINKS {
            notes.push(Note {
                severity: Severity::Warning,
                place: "dependencies".to_owned(),
                message: "too many dependencies to show them all".to_owned(),
                resource: None,
            });
        }
        self.integrity.suspects.append(&mut suspects);
        if self.integrity.is_wanted {
            self.by_key = by_key;
        }
        (graph, notes)
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
        self.edges.sort_by_key(|(from, ..)| *from);
    }
}

fn link(to: u32, kind: EdgeKind) -> Link {
    Link {
        to: ResourceId(to),
        kind,
    }
}
