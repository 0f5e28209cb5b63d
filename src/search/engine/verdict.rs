//! Looking at resources: by their classes and the letters of their names, and at names only where these leave it open.
//!
//! What is asked of all resources of a block is asked in loops without branches, as nobody can foretell how names go.

use std::collections::HashMap;

use super::super::index::OTHER;
use super::super::rank::Candidate;
use super::super::word::Word;
use super::columns::Columns;
use super::{Demand, NAME, Search, WHOLE};
use crate::stack::{PathId, ResourceId, ShapeId};

/// The largest table; beyond it there is a map.
const MAX_TABLE: usize = 1 << 16;

/// What a resource is to a query, given its class and which words its name or type has.
#[derive(Clone, Copy)]
pub(super) struct Outcome {
    /// How many hits it is and has; [`UNKNOWN`] if that was not worked out.
    n_hits: u32,
    /// What the best of them is worth beside its name and type.
    top: i32,
    /// The hits among its properties: a position in `shapes`.
    position: u32,
    /// How many of the hits are the resource as a whole: one or none.
    n_whole: u32,
}

/// Not worked out yet.
const UNKNOWN: u32 = u32::MAX;

/// No hit.
const NOTHING: Outcome = Outcome {
    n_hits: 0,
    top: 0,
    position: 0,
    n_whole: 0,
};

/// The outcomes that were worked out, by class and words.
pub(super) struct Outcomes {
    n_words: usize,
    table: Vec<Outcome>,
    map: HashMap<(u32, u32), Outcome>,
}

impl Outcomes {
    pub(super) fn new(n_classes: usize, n_words: usize) -> Self {
        let len = n_classes
            .checked_shl(u32::try_from(n_words).unwrap_or(u32::MAX))
            .filter(|len| n_words < 16 && *len <= MAX_TABLE);
        let unknown = Outcome {
            n_hits: UNKNOWN,
            ..NOTHING
        };
        Self {
            n_words,
            table: vec![unknown; len.unwrap_or(0)],
            map: HashMap::new(),
        }
    }

    #[inline]
    fn find(&self, class: u32, known: u32) -> Option<Outcome> {
        if self.table.is_empty() {
            return self.map.get(&(class, known)).copied();
        }
        let outcome = self.table[self.slot(class, known)];
        (outcome.n_hits != UNKNOWN).then_some(outcome)
    }

    fn keep(&mut self, class: u32, known: u32, outcome: Outcome) {
        if self.table.is_empty() {
            self.map.insert((class, known), outcome);
        } else {
            let slot = self.slot(class, known);
            self.table[slot] = outcome;
        }
    }

    fn slot(&self, class: u32, known: u32) -> usize {
        ((class as usize) << self.n_words) | known as usize
    }
}

/// What a name cannot be worth more than to a word.
pub(super) struct Limits {
    /// The first letter of the word in lower case.
    first: Option<u8>,
    /// By length of the name, if it starts with that letter.
    starting: [i64; 256],
    /// The same if it starts with another.
    apart: [i64; 256],
}

impl Limits {
    pub(super) fn of(word: &Word) -> Self {
        let first = word.text().bytes().next();
        let first = first.map(|first| first.to_ascii_lowercase());
        let own = first.unwrap_or_default();
        let limits = |first: u8| {
            std::array::from_fn(|len| {
                // Only texts of one script have lengths that say something, and those of very long ones are not known.
                let is_told = word.is_ascii() && len < usize::from(u8::MAX);
                let best = if is_told {
                    word.best_score(len, first)
                } else {
                    1400
                };
                i64::from(best) + NAME
            })
        };
        Self {
            first,
            starting: limits(own),
            apart: limits(own.wrapping_add(1)),
        }
    }

    /// The limit for a name of `len` bytes, 255 for all longer ones, whose first letter in lower case is `first`.
    fn at(&self, first: u8, len: u8) -> i64 {
        let len = if first == OTHER { u8::MAX } else { len };
        let limits = if self.first.is_none_or(|own| own == first) {
            &self.starting
        } else {
            &self.apart
        };
        limits[usize::from(len)]
    }
}

impl Search<'_> {
    /// Looks at all resources of a block.
    pub(super) fn look_at(&mut self, columns: &mut Columns) {
        self.guess(columns);
        columns.open.clear();
        columns.open.extend((0..).take(columns.ids.len()));
        columns.retain(|columns, at| {
            let outcome = self.outcome(columns.classes[at], columns.known[at]);
            outcome.n_hits > 0
        });
        let all = (1_u32 << self.words.len()) - 1;
        if all != self.told_by_letters || columns.has_other {
            columns.retain(|columns, at| self.has_words(columns, at));
        }
        if !self.is_free {
            columns.retain(|columns, at| self.admits(columns.ids[at]));
        }
        self.rank_all(columns);
    }

    /// Which words the names may have by their letters, or the types have.
    fn guess(&self, columns: &mut Columns) {
        let of_types = columns.classes.iter();
        let of_types = of_types.map(|class| self.class_knows[*class as usize]);
        columns.known.clear();
        columns.known.extend(of_types);
        for (word, Demand { letters, first }) in self.demands.iter().enumerate() {
            let rows = columns.known.iter_mut().zip(&columns.letters);
            if *first == 0 {
                for (known, own) in rows {
                    *known |= u32::from(own & letters == *letters) << word;
                }
            } else {
                for ((known, own), own_first) in rows.zip(&columns.firsts) {
                    let has_first = own_first == first || *own_first == OTHER;
                    *known |= u32::from(own & letters == *letters && has_first) << word;
                }
            }
        }
    }

    /// Takes the words back that a name might have had and has not; whether the resource may be a hit all the same.
    fn has_words(&mut self, columns: &mut Columns, at: usize) -> bool {
        let class = columns.classes[at];
        let mut known = columns.known[at];
        let mut asked = known & !self.class_knows[class as usize];
        if columns.firsts[at] != OTHER {
            asked &= !self.told_by_letters;
        }
        if asked == 0 {
            return true;
        }
        let (id, letters) = (columns.ids[at], columns.letters[at]);
        let (name, rest) = self.index.stack().name_with_rest(id);
        while asked != 0 {
            let word = asked.trailing_zeros();
            asked &= asked - 1;
            let word_at = self.words[word as usize];
            let has_word = if word_at.is_urn() {
                word_at.fit(&self.index.stack().urn(id)).is_some()
            } else {
                word_at.is_in(name, rest, letters)
            };
            known &= !(u32::from(!has_word) << word);
            // A resource with fewer words has no more hits.
            if !has_word && self.outcome(class, known).n_hits == 0 {
                return false;
            }
        }
        columns.known[at] = known;
        true
    }

    /// Counts the resources that are hits, and lets those compete that may be among the best.
    fn rank_all(&mut self, columns: &Columns) {
        let mut floor = self.best.floor();
        for at in &columns.open {
            let at = *at as usize;
            let (id, known) = (columns.ids[at], columns.known[at]);
            let outcome = self.outcome(columns.classes[at], known);
            self.resources.push(id);
            self.total += u64::from(outcome.n_hits);
            let top = i64::from(outcome.top);
            if floor.is_none_or(|floor| self.most(columns, at) + top > floor) {
                let (_, score) = self.known(id);
                self.rank(id, outcome, score);
                floor = self.best.floor();
            }
        }
    }

    /// What a resource of `class` is if the words of `known` are in its name or type.
    #[inline]
    fn outcome(&mut self, class: u32, known: u32) -> Outcome {
        if let Some(outcome) = self.outcomes.find(class, known) {
            return outcome;
        }
        let outcome = self.work_out_class(class, known);
        self.outcomes.keep(class, known, outcome);
        outcome
    }

    fn work_out_class(&mut self, class: u32, known: u32) -> Outcome {
        let Some((prefix, shape)) = self.index.classes.get(class as usize).copied() else {
            return NOTHING;
        };
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
            n_hits: (hits.count + u32::from(whole)).min(UNKNOWN - 1),
            top: i32::try_from(top).unwrap_or(i32::MAX),
            position: u32::try_from(position).unwrap_or(u32::MAX),
            n_whole: u32::from(whole),
        }
    }

    /// Lets the hits compete; name and type are worth `score`.
    fn rank(&mut self, id: ResourceId, outcome: Outcome, score: i64) {
        if outcome.n_whole > 0 {
            self.compete(id, None, score + WHOLE);
        }
        if outcome.n_whole == outcome.n_hits {
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

    /// What the name and the type cannot be worth more than.
    fn most(&self, columns: &Columns, at: usize) -> i64 {
        let (letters, first, len) = (columns.letters[at], columns.firsts[at], columns.lens[at]);
        let (prefix, _) = self.index.classes[columns.classes[at] as usize];
        let of_types = self.type_worths(prefix).iter().enumerate();
        let mut sum = 0;
        for (word, of_type) in of_types.filter(|(word, _)| columns.known[at] >> word & 1 == 1) {
            let demand = &self.demands[word];
            let may_be_in_name = letters & demand.letters == demand.letters;
            let of_name = may_be_in_name.then(|| self.limits[word].at(first, len));
            sum += of_name.max(*of_type).unwrap_or(0);
        }
        sum
    }

    /// Whether resources of a shape have a property that they must not have.
    fn denies(&self, shape: ShapeId) -> bool {
        self.has_denied && {
            let mut paths = self.index.stack().tables.shape(shape);
            paths.any(|path| self.path_denied[path.0 as usize])
        }
    }
}
