//! Looking at one resource: by its class and the letters of its name, and by the name itself only where these leave it open.

use std::collections::HashMap;

use super::super::index::{ELSEWHERE, OTHER};
use super::super::rank::Candidate;
use super::{NAME, Search, WHOLE};
use crate::stack::{PathId, ResourceId, ShapeId};

/// The largest table; beyond it there is a map.
const MAX_TABLE: usize = 1 << 16;

/// What a resource is to a query, given its class and which words its name or type has.
#[derive(Clone, Copy)]
pub(super) struct Outcome {
    /// How many hits it is and has.
    n_hits: u32,
    /// What the best of them is worth beside its name and type.
    top: i32,
    /// The hits among its properties: a position in `shapes`.
    position: u32,
    /// Whether it is a hit as a whole.
    whole: bool,
}

/// No hit.
const NOTHING: Outcome = Outcome {
    n_hits: 0,
    top: 0,
    position: 0,
    whole: false,
};

/// The outcomes that were worked out, by class and words.
pub(super) struct Outcomes {
    n_words: usize,
    table: Vec<Option<Outcome>>,
    map: HashMap<(u32, u32), Outcome>,
}

impl Outcomes {
    pub(super) fn new(n_classes: usize, n_words: usize) -> Self {
        let len = n_classes
            .checked_shl(u32::try_from(n_words).unwrap_or(u32::MAX))
            .filter(|len| n_words < 16 && *len <= MAX_TABLE);
        Self {
            n_words,
            table: vec![None; len.unwrap_or(0)],
            map: HashMap::new(),
        }
    }

    fn find(&self, class: u32, known: u32) -> Option<Outcome> {
        if self.table.is_empty() {
            return self.map.get(&(class, known)).copied();
        }
        self.table[self.slot(class, known)]
    }

    fn keep(&mut self, class: u32, known: u32, outcome: Outcome) {
        if self.table.is_empty() {
            self.map.insert((class, known), outcome);
        } else {
            let slot = self.slot(class, known);
            self.table[slot] = Some(outcome);
        }
    }

    fn slot(&self, class: u32, known: u32) -> usize {
        ((class as usize) << self.n_words) | known as usize
    }
}

impl Search<'_> {
    pub(super) fn look_at(&mut self, id: ResourceId) {
        let at = id.index();
        let class = self.index.class_of[at];
        if class == ELSEWHERE {
            return;
        }
        let (prefix, _) = self.index.classes[class as usize];
        let of_type = self.type_knows[prefix.0 as usize];
        let possible = self.possible(at);
        // A resource with fewer words has no more hits.
        let mut outcome = self.outcome(class, of_type | possible);
        if outcome.n_hits == 0 {
            return;
        }
        let mut known = of_type | possible;
        let mut asked = possible & !of_type;
        if self.index.firsts[at] != OTHER {
            asked &= !self.told_by_letters;
        }
        if asked != 0 {
            let name = self.index.name(id);
            while asked != 0 {
                let word = asked.trailing_zeros() as usize;
                asked &= asked - 1;
                if self.has(word, id, name) {
                    continue;
                }
                known &= !(1 << word);
                outcome = self.outcome(class, known);
                if outcome.n_hits == 0 {
                    return;
                }
            }
        }
        if !self.is_free && !self.admits(id) {
            return;
        }
        self.resources.push(id);
        self.total += u64::from(outcome.n_hits);
        let top = i64::from(outcome.top);
        if self.best.wants(self.most(at, known) + top) {
            let (_, score) = self.known(id);
            if self.best.wants(score + top) {
                self.rank(id, outcome, score);
            }
        }
    }

    /// The words that the name may have, by its letters.
    fn possible(&self, at: usize) -> u32 {
        let (letters, first) = (self.index.names[at], self.index.firsts[at]);
        let mut possible = 0;
        for (word, demand) in self.demands.iter().enumerate() {
            let has_letters = letters & demand.letters == demand.letters;
            let has_first = demand.first == 0 || demand.first == first || first == OTHER;
            possible |= u32::from(has_letters && has_first) << word;
        }
        possible
    }

    /// Whether a name that may have a word has it.
    fn has(&self, word: usize, id: ResourceId, name: &str) -> bool {
        let word = self.words[word];
        if word.is_urn() {
            word.fit(&self.index.stack().urn(id)).is_some()
        } else {
            word.is_in(name, self.index.names[id.index()])
        }
    }

    /// What a resource of `class` is if the words of `known` are in its name or type.
    fn outcome(&mut self, class: u32, known: u32) -> Outcome {
        if let Some(outcome) = self.outcomes.find(class, known) {
            return outcome;
        }
        let outcome = self.work_out_class(class, known);
        self.outcomes.keep(class, known, outcome);
        outcome
    }

    fn work_out_class(&mut self, class: u32, known: u32) -> Outcome {
        let (prefix, shape) = self.index.classes[class as usize];
        if !self.prefix_fits[prefix.0 as usize] {
            return NOTHING;
        }
        let position = self.shapes.find(shape, known).unwrap_or_else(|| {
            let hits = self.work_out(shape, known);
            self.shapes.keep(shape, known, hits)
        });
        let hits = self.shapes.at(position);
        let all = (1_u32 << self.words.len()) - 1;
        let whole = known == all && !self.asks_properties && !self.denies(shape);
        let top = match (whole, hits.count) {
            (true, 0) => WHOLE,
            (true, _) => hits.top.max(WHOLE),
            (false, _) => hits.top,
        };
        Outcome {
            n_hits: hits.count + u32::from(whole),
            top: i32::try_from(top).unwrap_or(i32::MAX),
            position: u32::try_from(position).unwrap_or(u32::MAX),
            whole,
        }
    }

    /// Lets the hits compete; name and type are worth `score`.
    fn rank(&mut self, id: ResourceId, outcome: Outcome, score: i64) {
        if outcome.whole {
            self.compete(id, None, score + WHOLE);
        }
        if u32::from(outcome.whole) == outcome.n_hits {
            return;
        }
        let class = self.index.class_of[id.index()];
        let (_, shape) = self.index.classes[class as usize];
        let ranked = self.shapes.ranked(outcome.position as usize);
        let ranked = ranked.unwrap_or_else(|known| self.rank_paths(shape, known));
        for (worth, path) in &ranked {
            if !self.compete(id, Some(*path), score + worth) {
                break;
            }
        }
        self.shapes.keep_ranked(outcome.position as usize, ranked);
    }

    fn compete(&mut self, resource: ResourceId, path: Option<PathId>, score: i64) -> bool {
        let wants = self.best.wants(score);
        if wants {
            self.best.push(Candidate {
                score,
                resource,
                path,
            });
        }
        wants
    }

    /// What the name and the type cannot be worth more than, if they have the words of `known`.
    fn most(&self, at: usize, known: u32) -> i64 {
        let (prefix, _) = self.index.classes[self.index.class_of[at] as usize];
        let (letters, first, len) = (
            self.index.names[at],
            self.index.firsts[at],
            self.index.lens[at],
        );
        let of_types = self.type_worths(prefix);
        let mut sum = 0;
        for (word, of_type) in of_types.iter().enumerate() {
            if known & (1 << word) == 0 {
                continue;
            }
            let demand = &self.demands[word];
            let may_be_in_name = letters & demand.letters == demand.letters;
            let of_name = may_be_in_name.then(|| {
                // Only texts of one script have lengths that say something.
                let best = if first != OTHER && len < u8::MAX && self.words[word].is_ascii() {
                    self.words[word].best_score(usize::from(len), first)
                } else {
                    1400
                };
                i64::from(best) + NAME
            });
            sum += of_name.max(*of_type).unwrap_or(0);
        }
        sum
    }

    /// Whether resources of a shape have a property that they must not have.
    fn denies(&self, shape: ShapeId) -> bool {
        self.has_denied && {
            let mut paths = self.index.stack().tables.shape(shape).iter();
            paths.any(|path| self.path_denied[path.0 as usize])
        }
    }
}
