//! The dependencies between resources, once the whole file is known.

use std::sync::Arc;

use hashbrown::{HashMap, HashSet};

use super::Collector;
use super::by_key::{Member, Places};
use super::drift::Drift;
use super::edges::Edges;
use crate::stack::graph::{Graph, Link};
use crate::stack::{Edge, EdgeKind, Note, ResourceId, Severity, Span};
use crate::text::plural;

/// Maximum number of links of a graph. A state in which everything depends on everything is cut there, a small one early.
fn max_links(n_records: usize) -> usize {
    const LEAST: usize = 2_000_000;
    const EACH: usize = 32;
    const MOST: usize = 30_000_000;
    (LEAST + EACH * n_records).min(MOST)
}

impl Collector {
    /// The dependency graph, and notes on missing resources. The needs that the configuration gives count for every instance.
    pub(in crate::modules::load) fn graph(
        &mut self,
        references: &[(Arc<str>, Vec<Edge>)],
    ) -> (Graph, Vec<Note>) {
        let edges = std::mem::take(&mut self.edges);
        self.graph_of(&edges, references)
    }

    /// The dependency graph of the part that was read. The file goes on.
    pub(in crate::modules::load) fn graph_so_far(&mut self) -> Graph {
        let edges = std::mem::take(&mut self.edges);
        let n_suspects = self.integrity.suspects.len();
        let n_dangling = self.integrity.dangling.len();
        let (graph, _) = self.graph_of(&edges, &[]);
        // The end of the file decides about them.
        self.integrity.suspects.truncate(n_suspects);
        self.integrity.dangling.truncate(n_dangling);
        self.edges = edges;
        graph
    }

    fn graph_of(
        &mut self,
        edges: &Edges,
        references: &[(Arc<str>, Vec<Edge>)],
    ) -> (Graph, Vec<Note>) {
        let references: HashMap<u64, &Vec<Edge>> = references
            .iter()
            .map(|(address, edges)| (self.hasher.hash(address.as_bytes()), edges))
            .collect();
        let prior = std::mem::take(&mut self.needs_before);
        let places = Places::new(&self.modules, &self.module_of);
        // A resource and its drift are one node of the graph.
        let second = self.drift.as_ref().map(Drift::second_entries);
        let second = second.unwrap_or_default();
        let is_second = |id: u32| second.get(id as usize).copied().unwrap_or_default();
        let by_key = self.by_key(is_second, &places);
        let max_links = max_links(self.n_records as usize);
        let (mut n_links, mut n_left_out) = (0, 0_u64);
        let (mut suspects, mut dangling) = (Vec::new(), Vec::new());
        let graph = Graph::build(self.n_records as usize, |from, found| {
            if is_second(from.0) {
                return;
            }
            let mut link_to = |group: &[Member], kind| {
                let room = max_links - n_links - found.len();
                n_left_out += group.len().saturating_sub(room) as u64;
                found.extend(group.iter().take(room).map(|member| Link {
                    to: ResourceId(member.id),
                    kind,
                }));
            };
            let mut add = |target, kind| {
                let same_key = self.same_key(&by_key, target);
                if same_key.is_empty() && self.integrity.is_terraform_state {
                    dangling.push(from.0);
                } else if !self.kind.is_pulumi() {
                    let groups = places.reach(from.0, same_key);
                    groups.for_each(|group| link_to(group, kind));
                } else {
                    if !self.integrity.passes(from.0, kind, same_key) {
                        suspects.push(from.0);
                    }
                    link_to(same_key, kind);
                }
            };
            match self.renewed_edges.get(&from.0) {
                Some(renewed) => renewed
                    .iter()
                    .for_each(|(target, kind)| add(*target, *kind)),
                None => edges
                    .of(from.0)
                    .for_each(|(target, kind)| add(target, kind)),
            }
            if !references.is_empty() {
                let own = references.get(&self.keys.of(from.0));
                for edge in own.into_iter().flat_map(|edges| edges.iter()) {
                    add(self.hasher.hash(edge.target.as_bytes()), edge.kind);
                }
            }
            let needs = self.unconfigured(&prior, from.0, &references);
            needs.for_each(|target| add(target, EdgeKind::Dependency));
            n_links += found.len();
        });
        let notes = left_out(n_left_out).into_iter().collect();
        self.integrity.suspects.append(&mut suspects);
        self.integrity.dangling.append(&mut dangling);
        if self.integrity.is_wanted {
            self.by_key = by_key;
        }
        (graph, notes)
    }

    /// Takes the entries of the prior state of resources that the plan deletes or forgets, by the hashes of their addresses.
    pub(in crate::modules::load) fn take_leaving(&mut self) -> Vec<(u64, Span)> {
        let mut entries = std::mem::take(&mut self.entries_before);
        let leaving: HashSet<u64> = self.leaving.values().copied().collect();
        entries.retain(|(address, _)| leaving.contains(address));
        entries
    }

    /// The key of the resource with a configuration address.
    pub(in crate::modules::load) fn key_of(&self, address: &str) -> u64 {
        self.hasher.hash(address.as_bytes())
    }

    /// Sets the needs that resources have in the prior state, as the hash of an address and a key.
    pub(in crate::modules::load) fn set_needs_before(&mut self, mut needs: Vec<(u64, u64)>) {
        needs.sort_unstable();
        needs.dedup();
        self.needs_before = needs;
    }

    /// The needs in `prior` that the configuration of the resource does not name. None for a resource that stays.
    fn unconfigured(
        &self,
        prior: &[(u64, u64)],
        from: u32,
        references: &HashMap<u64, &Vec<Edge>>,
    ) -> impl Iterator<Item = u64> {
        let own = self.keys.of(from);
        let address = self.leaving.get(&from).copied();
        let configured = references.get(&own).filter(|_| address.is_some());
        let configured = configured.into_iter().flat_map(|edges| edges.iter());
        let configured: HashSet<u64> = configured
            .map(|edge| self.hasher.hash(edge.target.as_bytes()))
            .collect();
        let start = address.map_or(prior.len(), |own| {
            prior.partition_point(|(address, _)| *address < own)
        });
        let needs = prior[start..]
            .iter()
            .take_while(move |(own, _)| Some(*own) == address);
        let targets = needs.map(|(_, target)| *target);
        targets.filter(move |target| !configured.contains(target))
    }
}

/// A note on the number of dependencies that are left out, unless it is 0.
fn left_out(n: u64) -> Option<Note> {
    (n > 0).then(|| {
        let links = plural(usize::try_from(n).unwrap_or(usize::MAX), "more link");
        let message = format!("not shown: {links}; lists of dependents are incomplete");
        Note::new(Severity::Warning, "dependencies", message)
    })
}
