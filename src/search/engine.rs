//! Running a query over the index.

mod columns;
mod condition;
mod marks;
mod prepare;
mod shapes;
mod verdict;

pub(super) use marks::join;

use std::collections::HashSet;
use std::sync::Arc;

use columns::Columns;
use condition::Condition;
use shapes::{Ranked, ShapeHits, Shapes};
use verdict::{Limits, Outcomes};

use super::fuzzy::Skim;
use super::rank::Best;
use super::word::{self, Fit, Word};
use super::{Hit, Index, OutputHit, Query};
use crate::stack::{PathId, PrefixId, ResourceId, ShapeId};

/// How many resources are looked at before asking whether the search is still wanted.
const SLICE: usize = 16 * 1024;

/// What a hit with one scattered word is worth less than one with none.
const SCATTERED: i64 = -100_000;

/// What a word in the name is worth more than in the type.
pub(super) const NAME: i64 = 60;

/// What a word in the path is worth more than in the type.
pub(super) const PATH: i64 = 30;

/// What a resource is worth more than one of its properties.
pub(super) const WHOLE: i64 = 500;

/// How many resources are looked at before the first answer.
const FIRST_SLICE: usize = 2 * 1024;

/// How many hits an answer has at most that is not the last.
const MAX_PARTIAL: usize = 60;

/// What the person has chosen: for `is:marked` and `is:reviewed`.
#[derive(Clone, Default, Debug)]
pub struct Selection {
    /// The marked resources.
    pub marked: Arc<HashSet<ResourceId>>,
    /// The reviewed resources.
    pub reviewed: Arc<HashSet<ResourceId>>,
}

/// What was found.
#[derive(Clone, Default, Debug)]
pub struct Found {
    /// The best hits, best first, at most as many as asked for.
    pub hits: Vec<Hit>,
    /// How many there are.
    pub total: u64,
    /// The resources that are hits or have some, ascending.
    pub resources: Vec<ResourceId>,
    /// How many resources could not be read again although values had to be looked at.
    pub unread: u64,
    /// The outputs of the stack that are hits, in the order of the file; in the total as well.
    pub outputs: Vec<OutputHit>,
}

impl Found {
    /// The answer with outputs of the stack in it.
    #[must_use]
    pub fn with_outputs(mut self, outputs: &[OutputHit]) -> Self {
        self.total += outputs.len() as u64;
        self.outputs.extend_from_slice(outputs);
        self
    }
}

/// How far a search is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Progress {
    /// Resources done.
    pub done: usize,
    /// Resources in all.
    pub total: usize,
}

/// A query made ready for one index.
pub(super) struct Search<'q> {
    pub(super) index: &'q Index,
    pub(super) query: &'q Query,
    words: Vec<&'q Word>,
    /// Whether only properties can be hits.
    pub(super) asks_properties: bool,
    conditions: Vec<(bool, Condition<'q>)>,
    /// Texts of patterns that are addresses of resources.
    addresses: Vec<&'q str>,
    not_words: Vec<&'q Word>,
    /// By word: what a name needs to have it.
    demands: Vec<Demand>,
    /// By word: what a name cannot be worth more than.
    limits: Vec<Limits>,
    /// The words of which the letters of a name of ASCII tell whether it has them.
    told_by_letters: u32,
    /// By prefix and word: what the type is worth.
    type_worths: Vec<Option<i64>>,
    /// By class: which words the type has; one more for what is in no class.
    class_knows: Vec<u32>,
    /// By prefix: whether its resources may be hits.
    prefix_fits: Vec<bool>,
    /// Whether nothing is asked of resources one by one.
    is_free: bool,
    /// By path and word: what the path is worth.
    path_worths: Vec<Option<i64>>,
    /// By path: which words it has.
    path_knows: Vec<PathKnows>,
    /// By path: patterns that have to fit do, and those that must not do not.
    path_fits: Vec<bool>,
    /// By path: one that must not fit does.
    path_denied: Vec<bool>,
    has_denied: bool,
    outcomes: Outcomes,
    shapes: Shapes,
    matcher: Skim,
    best: Best,
    total: u64,
    resources: Vec<ResourceId>,
    limit: usize,
}

/// What a name needs to have a word.
#[derive(Clone, Copy)]
struct Demand {
    /// The letters.
    letters: u64,
    /// The first letter; 0 if it may be any.
    first: u8,
}

/// Which words a path has.
#[derive(Clone, Copy)]
struct PathKnows {
    words: u32,
    /// Whether one of them reaches its last step, or that does not matter.
    touches: bool,
}

impl Search<'_> {
    /// Looks at the resources one by one, or at those `within`; after each slice `partial` gets what was found so far and answers
    /// whether to go on. `None` if it said no.
    pub(super) fn run(
        &mut self,
        within: Option<&[ResourceId]>,
        limit: usize,
        partial: &mut dyn FnMut(Progress, &dyn Fn() -> Found) -> bool,
    ) -> Option<Found> {
        let index = self.index;
        let total = within.map_or(index.len(), <[_]>::len);
        let mut columns = Columns::default();
        let mut done = 0;
        while done < total {
            let slice = if done == 0 { FIRST_SLICE } else { SLICE };
            let end = (done + slice).min(total);
            for start in (done..end).step_by(columns::LEN) {
                let range = start..(start + columns::LEN).min(end);
                match within {
                    Some(ids) => columns.gather(index, &ids[range]),
                    None => columns.fill(index, range),
                }
                self.look_at(&mut columns);
            }
            done = end;
            if !partial(Progress { done, total }, &|| self.found(MAX_PARTIAL)) {
                return None;
            }
        }
        let resources = std::mem::take(&mut self.resources);
        Some(Found {
            resources,
            ..self.found(limit)
        })
    }

    /// Whether the resource as such may be a hit or have one. What a plan found to have drifted is a second record of a resource,
    /// which stands for both.
    pub(super) fn admits(&self, id: ResourceId) -> bool {
        let stack = self.index.stack();
        if stack.record(id).flags.is_second_entry() {
            return false;
        }
        let prefix = stack.record(id).prefix;
        self.prefix_fits[prefix.0 as usize]
            && self
                .conditions
                .iter()
                .all(|(negated, condition)| condition.holds(stack, id) != *negated)
            && !self.not_words.iter().any(|word| {
                let letters = self.index.names[id.index()];
                word.fits_mask(letters)
                    && (word::is_ascii(letters) && word.is_told_by_letters()
                        || word.is_written_in(self.index.name(id), letters))
            })
    }

    /// Which words the name or the type has, and what they are worth.
    fn known(&self, id: ResourceId) -> (u32, i64) {
        let of_types = self.type_worths(self.index.stack().record(id).prefix);
        let letters = self.index.names[id.index()];
        let (mut known, mut score) = (0, 0);
        for (at, (word, of_type)) in self.words.iter().zip(of_types).enumerate() {
            let name = if word.is_urn() {
                word.fit(&self.index.stack().urn(id))
            } else if word.fits_mask(letters) {
                word.fit(self.index.name(id))
            } else {
                None
            };
            if let Some(worth) = name.map(|fit| worth(fit) + NAME).max(*of_type) {
                known |= 1 << at;
                score += worth;
            }
        }
        (known, score)
    }

    /// What each word is worth in a type.
    fn type_worths(&self, prefix: PrefixId) -> &[Option<i64>] {
        let (from, n_words) = (prefix.0 as usize * self.words.len(), self.words.len());
        &self.type_worths[from..from + n_words]
    }

    /// What each word is worth in a path.
    fn path_worths(&self, path: PathId) -> &[Option<i64>] {
        let (from, n_words) = (path.0 as usize * self.words.len(), self.words.len());
        &self.path_worths[from..from + n_words]
    }

    fn work_out(&self, shape: ShapeId, known: u32) -> ShapeHits {
        let paths = self.index.stack().tables.shape(shape);
        let mut count = 0;
        let mut top = i64::MIN;
        for score in paths.filter_map(|path| self.path_score(path, known)) {
            count += 1;
            top = top.max(score);
        }
        ShapeHits::new(count, top, known)
    }

    /// The hits of a shape, best first.
    fn rank_paths(&self, shape: ShapeId, known: u32) -> Ranked {
        let paths = self.index.stack().tables.shape(shape);
        let mut ranked: Ranked = paths
            .filter_map(|path| Some((self.path_score(path, known)?, path)))
            .collect();
        ranked.sort_by_key(|(score, path)| (std::cmp::Reverse(*score), *path));
        ranked.truncate(self.limit);
        ranked
    }

    /// What a property path adds to the words of `known`; `None` if it is no hit.
    fn path_score(&self, path: PathId, known: u32) -> Option<i64> {
        let at = path.0 as usize;
        let PathKnows { words, touches } = self.path_knows[at];
        let all = (1_u32 << self.words.len()) - 1;
        let is_hit = touches && words | known == all;
        if !is_hit || !self.path_fits[at] || self.path_denied[at] {
            return None;
        }
        let worths = self.path_worths(path).iter().enumerate();
        let counted = worths.filter(|(word, _)| known & (1 << word) == 0);
        Some(counted.filter_map(|(_, worth)| *worth).sum())
    }

    /// What was found so far, with the best `limit` hits.
    pub(super) fn found(&self, limit: usize) -> Found {
        let mut hits: Vec<Hit> = self
            .best
            .sorted()
            .into_iter()
            .take(limit)
            .map(|candidate| self.describe(candidate))
            .collect();
        // Scattered words have been ranked by their width only; now that few are left, by the finer measure.
        hits.sort_by_key(|hit| std::cmp::Reverse(hit.score));
        Found {
            hits,
            total: self.total,
            resources: self.resources.clone(),
            unread: 0,
            outputs: Vec::new(),
        }
    }

    /// Whether all words are in the name, the type or `path`, one of them at the end of it if that matters, and what that is worth.
    pub(super) fn words_score(&self, id: ResourceId, path: &str, tail: usize) -> Option<i64> {
        if self.not_words.iter().any(|word| word.find(path).is_some()) {
            return None;
        }
        let (known, mut score) = self.known(id);
        let mut touches = self.asks_properties;
        for (at, word) in self.words.iter().enumerate() {
            match word.fit(path) {
                Some(fit) => {
                    touches |= fit.end > tail;
                    if known & (1 << at) == 0 {
                        score += worth(fit) + PATH;
                    }
                }
                None if known & (1 << at) == 0 => return None,
                None => {}
            }
        }
        touches.then_some(score)
    }

    /// Whether a pattern's text is the address of a resource, and so no pattern.
    pub(super) fn is_address(&self, text: &str) -> bool {
        self.addresses.contains(&text)
    }

    /// Whether every word may be found in the name, the type or some path of the resource.
    pub(super) fn words_possible(&self, id: ResourceId) -> bool {
        let (known, _) = self.known(id);
        let stack = self.index.stack();
        let shape = stack.tables.shape(stack.record(id).shape);
        let of_paths = shape.map(|path| self.path_knows[path.0 as usize].words);
        of_paths.fold(known, |known, words| known | words) == (1_u32 << self.words.len()) - 1
    }
}

pub(super) fn worth(fit: Fit) -> i64 {
    i64::from(fit.score) + if fit.scattered { SCATTERED } else { 0 }
}

/// A set of small numbers: those at which `members` says yes.
fn bits(members: impl Iterator<Item = bool>) -> u32 {
    members
        .enumerate()
        .fold(0, |set, (at, is_in)| set | u32::from(is_in) << at)
}

#[cfg(test)]
mod naive;
#[cfg(test)]
mod tests;
