//! Checking resources, first by class and by the letters of the name; the name itself is compared only if these leave it open.
//!
//! Checks that apply to all resources of a block run as loops without branches, because names are unpredictable.
//!
//! # Law
//!
//! The hits, their number and their order are those of a plain loop over all resources and properties. The test
//! `the_best_hits_are_truly_the_best` compares the two. Measured alone on 25,000 resources: the upper bounds of scores
//! ([`Limits`]) halve the time of a letter (`o` from 18 to 9 ms) and of a pattern, and save a sixth for a word. The columns save
//! a fifth for a word in many names and a tenth for a word in none.

use super::super::index::OTHER;
use super::super::word::Word;
use super::columns::Columns;
use super::{Demand, NAME, Search, WHOLE};
use crate::stack::ShapeId;

/// The result for a resource, given its class and the words in its name or type.
#[derive(Clone, Copy)]
pub(super) struct Outcome {
    /// Number of hits, the resource itself included.
    pub(super) n_hits: u32,
    /// Score of the best hit, without the name and the type.
    pub(super) top: i32,
    /// The hits among its properties: a position in `shapes`.
    pub(super) position: u32,
    /// Number of hits that are the resource as a whole: one or zero.
    pub(super) n_whole: u32,
}

/// The outcome of a resource without a hit.
const NOTHING: Outcome = Outcome {
    n_hits: 0,
    top: 0,
    position: 0,
    n_whole: 0,
};

/// Upper bound of the score of a word in a name.
pub(super) struct Limits {
    /// The first letter of the word in lower case.
    first: Option<u8>,
    /// By length of the name, if the name starts with that letter.
    starting: [i64; 256],
    /// By length of the name, if the name starts with another letter.
    apart: [i64; 256],
}

impl Limits {
    pub(super) fn of(word: &Word) -> Self {
        let first = word.text().bytes().next();
        let first = first.map(|first| first.to_ascii_lowercase());
        let own = first.unwrap_or_default();
        let limits = |first: u8| {
            std::array::from_fn(|len| {
                // A bound by length needs ASCII text, and the length of very long names is not stored.
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

    /// The bound for a name of `len` bytes (255 for all longer ones) whose first letter in lower case is `first`.
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
    /// Checks all resources of a block. Those that are hits or have hits stay open.
    pub(super) fn judge(&mut self, columns: &mut Columns) {
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
    }

    /// Sets the words that the names may contain by their letters, or that the types contain.
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

    /// Removes the words that the name may have contained but does not. Returns true if the resource may still be a hit.
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

    /// The outcome for a resource of `class` whose name or type contains the words of `known`.
    #[inline]
    pub(super) fn outcome(&mut self, class: u32, known: u32) -> Outcome {
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
            n_hits: hits.count.saturating_add(u32::from(whole)),
            top: i32::try_from(top).unwrap_or(i32::MAX),
            position: u32::try_from(position).unwrap_or(u32::MAX),
            n_whole: u32::from(whole),
        }
    }

    /// Upper bound of the score of the name and the type.
    pub(super) fn most(&self, columns: &Columns, at: usize) -> i64 {
        let (letters, first, len) = (columns.letters[at], columns.firsts[at], columns.lens[at]);
        let (prefix, _) = self.index.classes[columns.classes[at] as usize];
        let of_types = self.type_worths(prefix).iter().enumerate();
        let mut sum = self.bonus;
        for (word, of_type) in of_types.filter(|(word, _)| columns.known[at] >> word & 1 == 1) {
            let demand = &self.demands[word];
            let may_be_in_name = letters & demand.letters == demand.letters;
            let of_name = may_be_in_name.then(|| self.limits[word].at(first, len));
            sum += of_name.max(*of_type).unwrap_or(0);
        }
        sum
    }

    /// True if resources of a shape have a property that a negated term excludes.
    fn denies(&self, shape: ShapeId) -> bool {
        self.has_denied && {
            let mut paths = self.index.stack().tables.shape(shape);
            paths.any(|path| self.path_denied[path.0 as usize])
        }
    }
}
