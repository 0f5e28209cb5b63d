//! Running all alternatives of a query.
//!
//! # Law
//!
//! The hits are those that the alternatives have one by one. A hit of several counts once, with its best score. Paths are counted
//! once for each shape and set of words found elsewhere, as within one alternative. The test
//! `the_best_hits_are_truly_the_best` compares the union with a plain loop.

use std::cmp::Reverse;
use std::collections::HashMap;

use super::columns::{self, Columns};
use super::verdict::Outcome;
use super::{FEWER_WORDS, Facts, Search, SearchResult, WHOLE};
use crate::search::query::Term;
use crate::search::rank::{Best, Candidate};
use crate::search::{Hit, Index, Progress};
use crate::stack::{PathId, ResourceId};

/// Number of resources to check before the first answer.
const FIRST_SLICE: usize = 2 * 1024;

/// Number of resources to check between two tests for cancellation.
const SLICE: usize = 16 * 1024;

/// Maximum number of hits in an answer that is not the last.
const MAX_PARTIAL: usize = 60;

/// Alternatives of a query, prepared for one index.
pub(in crate::modules::search) struct Union<'q> {
    pub(in crate::modules::search) alternatives: Vec<Search<'q>>,
    /// Number of different hits among the properties of resources that several alternatives find, by the alternatives and the
    /// positions of their hits.
    counts: HashMap<Vec<(usize, u32)>, u64>,
    best: Best,
    total: u64,
    resources: Vec<ResourceId>,
}

/// An alternative that finds something in a resource.
struct Finder {
    /// Its index.
    at: usize,
    /// Bit set of the words in the name or the type.
    known: u32,
    outcome: Outcome,
}

impl<'q> Union<'q> {
    pub(in crate::modules::search) fn new(
        index: &'q Index,
        alternatives: impl Iterator<Item = (usize, &'q [Term])>,
        facts: &Facts,
        limit: usize,
    ) -> Self {
        let mut alternatives: Vec<Search<'q>> = alternatives
            .map(|(at, terms)| Search {
                bit: 1 << at,
                ..Search::new(index, terms, facts, limit)
            })
            .collect();
        let n_words = |search: &Search<'_>| i64::try_from(search.words.len()).unwrap_or(i64::MAX);
        let most = alternatives.iter().map(n_words).max().unwrap_or(0);
        for search in &mut alternatives {
            search.bonus = FEWER_WORDS * (most - n_words(search));
        }
        Self {
            alternatives,
            counts: HashMap::new(),
            best: Best::new(limit),
            total: 0,
            resources: Vec::new(),
        }
    }

    /// Checks the resources one by one, or those in `within`. After each slice `partial` gets the hits so far and returns false
    /// to cancel. Returns `None` if it did.
    pub(in crate::modules::search) fn run(
        &mut self,
        within: Option<&[ResourceId]>,
        limit: usize,
        partial: &mut dyn FnMut(Progress, &dyn Fn() -> SearchResult) -> bool,
    ) -> Option<SearchResult> {
        let Some(index) = self.alternatives.first().map(|search| search.index) else {
            return Some(SearchResult::default());
        };
        let total = within.map_or(index.n_resources(), <[_]>::len);
        let mut blocks: Vec<Columns> = Vec::new();
        blocks.resize_with(self.alternatives.len(), Columns::default);
        let mut done = 0;
        while done < total {
            let slice = if done == 0 { FIRST_SLICE } else { SLICE };
            let end = (done + slice).min(total);
            for start in (done..end).step_by(columns::LEN) {
                let range = start..(start + columns::LEN).min(end);
                for (search, columns) in self.alternatives.iter_mut().zip(&mut blocks) {
                    match within {
                        Some(ids) => columns.gather(index, &ids[range.clone()]),
                        None => columns.fill(index, range.clone()),
                    }
                    search.judge(columns);
                }
                match &blocks[..] {
                    [columns] => self.rank_all(columns),
                    blocks => self.merge(blocks),
                }
            }
            done = end;
            if !partial(Progress { done, total }, &|| self.found(MAX_PARTIAL)) {
                return None;
            }
        }
        Some(self.found(limit))
    }

    /// The hits so far, with the best `limit` of them.
    fn found(&self, limit: usize) -> SearchResult {
        let candidates = self.best.sorted().into_iter().take(limit);
        let mut hits: Vec<Hit> = candidates
            .map(|candidate| candidate.describe(&self.alternatives))
            .collect();
        // Scattered words were ranked by their width only. Few hits are left now, so the finer measure decides.
        hits.sort_by_key(|hit| Reverse(hit.score));
        SearchResult {
            hits,
            total: self.total,
            resources: self.resources.clone(),
            ..SearchResult::default()
        }
    }

    /// Counts the open resources of a block, and ranks those that may be among the best. There is one alternative.
    fn rank_all(&mut self, columns: &Columns) {
        let mut floor = self.best.floor();
        for at in &columns.open {
            let at = *at as usize;
            let (id, known) = (columns.ids[at], columns.known[at]);
            let search = &mut self.alternatives[0];
            let outcome = search.outcome(columns.classes[at], known);
            self.resources.push(id);
            self.total += u64::from(outcome.n_hits);
            let top = i64::from(outcome.top);
            if floor.is_none_or(|floor| search.most(columns, at) + top > floor) {
                self.rank(0, id, outcome);
                floor = self.best.floor();
            }
        }
    }

    /// Counts and ranks the resources that are open in one of the blocks, which hold the same resources.
    fn merge(&mut self, blocks: &[Columns]) {
        let mut cursors = vec![0; blocks.len()];
        let mut finders = Vec::new();
        loop {
            let open = |(columns, cursor): (&Columns, &usize)| columns.open.get(*cursor).copied();
            let next = blocks.iter().zip(&cursors).filter_map(open).min();
            let Some(at) = next else { return };
            finders.clear();
            let row = at as usize;
            let mut most = i64::MIN;
            for (alternative, columns) in blocks.iter().enumerate() {
                if columns.open.get(cursors[alternative]) != Some(&at) {
                    continue;
                }
                cursors[alternative] += 1;
                let (search, known) = (&mut self.alternatives[alternative], columns.known[row]);
                let outcome = search.outcome(columns.classes[row], known);
                most = most.max(search.most(columns, row) + i64::from(outcome.top));
                finders.push(Finder {
                    at: alternative,
                    known,
                    outcome,
                });
            }
            let id = blocks[0].ids[row];
            self.resources.push(id);
            let may_be_best = self.best.floor().is_none_or(|floor| most > floor);
            match &finders[..] {
                [one] => {
                    self.total += u64::from(one.outcome.n_hits);
                    if may_be_best {
                        self.rank(one.at, id, one.outcome);
                    }
                }
                several => {
                    self.total += self.count(id, several);
                    if may_be_best {
                        self.rank_shared(id, several);
                    }
                }
            }
        }
    }

    /// Number of different hits in a resource.
    fn count(&mut self, id: ResourceId, finders: &[Finder]) -> u64 {
        let is_whole = finders.iter().any(|finder| finder.outcome.n_whole > 0);
        let keys = finders.iter().map(|it| (it.at, it.outcome.position));
        let alternatives = &self.alternatives;
        let n_paths = self.counts.entry(keys.collect()).or_insert_with(|| {
            let paths = shape_of(&alternatives[0], id);
            let is_hit = |path: &PathId| {
                let mut scores = finders.iter().map(|it| (&alternatives[it.at], it.known));
                scores.any(|(search, known)| search.path_score(*path, known).is_some())
            };
            paths.filter(is_hit).count() as u64
        });
        *n_paths + u64::from(is_whole)
    }

    /// Adds the hits of several alternatives in a resource to the best ones.
    fn rank_shared(&mut self, id: ResourceId, finders: &[Finder]) {
        let (best, alternatives) = (&mut self.best, &self.alternatives);
        let known = finders.iter().map(|finder| {
            let search = &alternatives[finder.at];
            (finder, search, search.known(id).1)
        });
        let known: Vec<_> = known.collect();
        let wholes = known.iter().filter(|(it, ..)| it.outcome.n_whole > 0);
        let wholes = wholes.map(|(_, search, score)| (search.bit, score + WHOLE));
        compete(best, id, None, wholes);
        for path in shape_of(&alternatives[0], id) {
            let scores = known.iter().filter_map(|(finder, search, score)| {
                let of_path = search.path_score(path, finder.known)?;
                Some((search.bit, score + of_path))
            });
            compete(best, id, Some(path), scores);
        }
    }

    /// Adds the hits of one alternative in a resource to the best ones.
    fn rank(&mut self, alternative: usize, id: ResourceId, outcome: Outcome) {
        let search = &mut self.alternatives[alternative];
        let (_, score) = search.known(id);
        let bit = search.bit;
        if outcome.n_whole > 0 {
            compete(&mut self.best, id, None, [(bit, score + WHOLE)].into_iter());
        }
        if outcome.n_whole == outcome.n_hits {
            return;
        }
        let shape = search.index.stack().record(id).shape;
        let ranked = search.shapes.ranked(outcome.position as usize);
        let ranked = ranked.unwrap_or_else(|known| search.rank_paths(shape, known));
        for (worth, path) in &ranked {
            let hit = [(bit, score + worth)].into_iter();
            if !compete(&mut self.best, id, Some(*path), hit) {
                break;
            }
        }
        search.shapes.keep_ranked(outcome.position as usize, ranked);
    }
}

/// The property paths of a resource.
fn shape_of(search: &Search<'_>, id: ResourceId) -> impl Iterator<Item = PathId> {
    let stack = search.index.stack();
    stack.tables.shape(stack.record(id).shape)
}

/// Adds a hit to the best ones, with the bits and the scores of the alternatives that have it. False if it is too bad.
fn compete(
    best: &mut Best,
    resource: ResourceId,
    path: Option<PathId>,
    scores: impl Iterator<Item = (u16, i64)>,
) -> bool {
    let all = scores.fold((0, i64::MIN), |(bits, top), (bit, score)| {
        (bits | bit, top.max(score))
    });
    let (alternatives, score) = all;
    let wants = alternatives != 0 && best.wants(score);
    if wants {
        best.push(Candidate {
            score,
            resource,
            path,
            alternatives,
        });
    }
    wants
}
