//! Running a query over the index.
//!
//! A [`Search`] is one alternative of a query. A [`Union`] runs all of them and counts a hit once.

mod columns;
pub(super) mod condition;
mod marks;
mod prepare;
mod shapes;
mod union;
mod verdict;

pub(super) use union::Union;

use std::collections::HashSet;
use std::sync::Arc;

use condition::Condition;
use shapes::{Ranked, ShapeHits, Shapes};
use verdict::Limits;

use super::fuzzy::Skim;
use super::query::Term;
use super::word::{self, Fit, Word};
use super::{Hit, Index, OutputHit, Query, Reading, Target, TermKind};
use crate::change::sections::Sections;
use crate::path::Glob;
use crate::stack::{PathId, PrefixId, ResourceId, ShapeId};
use crate::terraform::schema::Schemas;

/// Score of a hit with one scattered word, relative to a hit with none.
pub(super) const SCATTERED: i64 = -100_000;

/// Extra score for a word in the name, relative to one in the type.
pub(super) const NAME: i64 = 60;

/// Extra score for a word in the path, relative to one in the type.
pub(super) const PATH: i64 = 30;

/// Extra score for a resource, relative to one of its properties.
pub(super) const WHOLE: i64 = 500;

/// Extra score of an alternative for each word that it has less than the longest one, so that it ranks among the others.
pub(super) const FEWER_WORDS: i64 = 1000;

/// Facts that the index does not have: the person's marks, the sections of the brief, and the schemas of the providers.
#[derive(Clone, Default, Debug)]
pub struct Facts {
    /// The marked resources.
    pub marked: Arc<HashSet<ResourceId>>,
    /// The reviewed resources.
    pub reviewed: Arc<HashSet<ResourceId>>,
    /// The resources that are new or differ since the file was read before.
    pub fresh: Arc<HashSet<ResourceId>>,
    /// The sections of the brief, for `kind:`.
    pub sections: Arc<Sections>,
    /// The schemas of the providers, which tell sets from lists.
    pub schemas: Option<Arc<Schemas>>,
}

/// The answer to a query.
#[derive(Clone, Default, Debug)]
pub struct SearchResult {
    /// The best hits, best first, up to the limit of the search.
    pub hits: Vec<Hit>,
    /// Number of hits.
    pub total: u64,
    /// The resources that are hits or have hits, ascending.
    pub resources: Vec<ResourceId>,
    /// Number of resources that could not be read again although their values were needed.
    pub unread: u64,
    /// The outputs of the stack that are hits, in the order of the file; they count in `total`.
    pub outputs: Vec<OutputHit>,
    /// The way in which the words were matched.
    pub reading: Reading,
    /// True if there was nothing in the list that was searched first, so that the hits are elsewhere.
    pub is_beyond: bool,
    /// The query that was run in place of the one that was asked, with the same text.
    pub query: Option<Arc<Query>>,
}

impl SearchResult {
    /// Adds outputs of the stack to the answer.
    #[must_use]
    pub fn with_outputs(mut self, outputs: &[OutputHit]) -> Self {
        self.total += outputs.len() as u64;
        self.outputs.extend_from_slice(outputs);
        self
    }

    /// The best hit: the first one of those with the highest score, a resource before an output.
    pub fn best(&self) -> Option<Target> {
        let hits = self.hits.iter().map(|hit| (hit.score, Target::of_hit(hit)));
        let outputs = self.outputs.iter();
        let outputs = outputs.map(|hit| (hit.score, Target::of_output(hit)));
        let all = hits.chain(outputs);
        let best = all.reduce(|best, next| if next.0 > best.0 { next } else { best });
        best.map(|(_, target)| target)
    }
}

/// Progress of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Progress {
    /// Number of resources done.
    pub done: usize,
    /// Number of resources in all.
    pub total: usize,
}

/// One alternative of a query, prepared for one index.
pub(super) struct Search<'q> {
    pub(super) index: &'q Index,
    /// The terms. All of them have to hold.
    pub(super) terms: &'q [Term],
    /// The bit of the alternative in [`Hit::alternatives`].
    pub(super) bit: u16,
    /// Extra score of every hit, see [`FEWER_WORDS`].
    bonus: i64,
    words: Vec<&'q Word>,
    /// True if only properties can be hits.
    pub(super) asks_properties: bool,
    conditions: Vec<(bool, Condition<'q>)>,
    /// Patterns that are the address of a resource, or, as no path fits them, words like a part of one.
    addresses: Vec<&'q Word>,
    not_words: Vec<&'q Word>,
    /// By word: letters that a name needs to contain it.
    demands: Vec<Demand>,
    /// By word: upper bound of its score in a name.
    limits: Vec<Limits>,
    /// Bit set of the words whose presence in an ASCII name follows from the letters of the name.
    told_by_letters: u32,
    /// By prefix and word: score of the word in the type.
    type_worths: Vec<Option<i64>>,
    /// By class: bit set of the words in the type, and one more entry for resources without a class.
    class_knows: Vec<u32>,
    /// By prefix: true if its resources may be hits.
    prefix_fits: Vec<bool>,
    /// True if no resource has to be checked individually.
    is_free: bool,
    /// By path and word: score of the word in the path.
    path_worths: Vec<Option<i64>>,
    /// By path: the words that it contains.
    path_knows: Vec<PathKnows>,
    /// By path: true if the path passes the patterns, those that must fit and those that must not.
    path_fits: Vec<bool>,
    /// By path: true if a pattern that must not fit fits.
    path_denied: Vec<bool>,
    has_denied: bool,
    shapes: Shapes,
    matcher: Skim,
    /// Maximum number of hits of one resource that are ranked.
    limit: usize,
}

/// Letters that a name needs to contain a word.
#[derive(Clone, Copy)]
struct Demand {
    /// The mask of letters.
    letters: u64,
    /// The first letter; 0 if it may be any.
    first: u8,
}

/// The words that a path contains.
#[derive(Clone, Copy)]
struct PathKnows {
    words: u32,
    /// True if a word reaches the last step of the path, or if that does not matter.
    touches: bool,
}

impl Search<'_> {
    /// True if the resource may be a hit or have one, by the terms about resources. Drift in a plan is a second record of the
    /// same resource; it is skipped, because the first record represents both.
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

    /// Bit set of the words in the name or the type, and their score.
    fn known(&self, id: ResourceId) -> (u32, i64) {
        let of_types = self.type_worths(self.index.stack().record(id).prefix);
        let letters = self.index.names[id.index()];
        let (mut known, mut score) = (0, self.bonus);
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

    /// Score of each word in a type.
    fn type_worths(&self, prefix: PrefixId) -> &[Option<i64>] {
        let (from, n_words) = (prefix.0 as usize * self.words.len(), self.words.len());
        &self.type_worths[from..from + n_words]
    }

    /// Score of each word in a path.
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

    /// Score that a property path adds to the words of `known`; `None` if the path is not a hit.
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

    /// Score of the words if all are in the name, the type or `path`; else `None`. If the query needs it, one word must reach the
    /// part of `path` from byte `tail` on.
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

    /// True if each pattern fits unless it is negated. One that is taken for an address is not matched as a pattern.
    pub(super) fn patterns_allow(&self, fits: impl Fn(&Glob) -> bool) -> bool {
        self.terms.iter().all(|term| match &term.kind {
            TermKind::Pattern { pattern, word } => {
                fits(pattern) != term.negated || self.addresses.contains(&word)
            }
            _ => true,
        })
    }

    /// True if every word may be in the name, the type or some path of the resource.
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

/// Bit set of the positions of the true `members`.
fn bits(members: impl Iterator<Item = bool>) -> u32 {
    members
        .enumerate()
        .fold(0, |set, (at, is_in)| set | u32::from(is_in) << at)
}

#[cfg(test)]
mod naive;
#[cfg(test)]
pub(super) mod tests;
