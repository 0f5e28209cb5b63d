//! Looking at one resource: by its class where its name has no word, and by its name elsewhere.

use super::super::index::ELSEWHERE;
use super::super::rank::Candidate;
use super::super::word::{Fit, Word};
use super::{NAME, Search, WHOLE, bits, worth};
use crate::stack::{PathId, PrefixId, ResourceId, ShapeId};

/// What the resources of a class are if their names have no word of the query: most resources, mostly.
#[derive(Clone, Copy)]
pub(super) enum Verdict {
    /// Nobody has asked yet.
    Unknown,
    /// No hit.
    Nothing,
    /// A hit, or with some.
    Hit {
        hits: Hits,
        /// What the type is worth.
        score: i64,
    },
}

/// What a resource is to a query.
#[derive(Clone, Copy)]
pub(super) struct Hits {
    /// Whether it is a hit as a whole.
    whole: bool,
    /// The hits among its properties: a position in `shapes`.
    position: usize,
    n_properties: u64,
}

impl Search<'_> {
    pub(super) fn look_at(&mut self, id: ResourceId) {
        let class = self.index.class_of[id.index()];
        if class == ELSEWHERE {
            return;
        }
        let letters = self.index.names[id.index()];
        if self.has_urn || self.words.iter().any(|word| word.fits_mask(letters)) {
            self.look_at_name(id, class, letters);
        } else if let Verdict::Hit { hits, score } = self.verdict(class)
            && self.takes(id, hits)
            && self.wants(hits, score)
        {
            self.rank(id, hits, score);
        }
    }

    /// What resources of a class are if their names have no word.
    fn verdict(&mut self, class: u32) -> Verdict {
        let known = self.verdicts[class as usize];
        if !matches!(known, Verdict::Unknown) {
            return known;
        }
        let (prefix, shape) = self.index.classes[class as usize];
        let hits = self.hits(shape, self.type_knows[prefix.0 as usize]);
        let verdict = hits.map_or(Verdict::Nothing, |hits| Verdict::Hit {
            hits,
            score: self
                .type_fits(prefix)
                .iter()
                .flatten()
                .copied()
                .map(worth)
                .sum(),
        });
        self.verdicts[class as usize] = verdict;
        verdict
    }

    fn look_at_name(&mut self, id: ResourceId, class: u32, letters: u64) {
        let (prefix, shape) = self.index.classes[class as usize];
        let of_type = self.type_knows[prefix.0 as usize];
        let known = of_type | self.name_knows(id, letters, of_type);
        let Some(hits) = self.hits(shape, known) else {
            return;
        };
        if self.takes(id, hits) && self.wants(hits, self.most(id, prefix, letters, known)) {
            let (_, score) = self.known(id);
            self.rank(id, hits, score);
        }
    }

    /// What a resource of `shape` is if the words of `known` are in its name or type; `None` if it is nothing.
    fn hits(&mut self, shape: ShapeId, known: u32) -> Option<Hits> {
        let position = self.shapes.find(shape, known).unwrap_or_else(|| {
            let hits = self.work_out(shape, known);
            self.shapes.keep(shape, known, hits)
        });
        let all = (1_u32 << self.words.len()) - 1;
        let hits = Hits {
            whole: known == all && !self.asks_properties && !self.denies(shape),
            position,
            n_properties: self.shapes.at(position).count,
        };
        (hits.whole || hits.n_properties > 0).then_some(hits)
    }

    /// Counts a resource in, unless a condition is against it.
    fn takes(&mut self, id: ResourceId, hits: Hits) -> bool {
        let is_free = self.conditions.is_empty() && self.not_words.is_empty();
        if !is_free && !self.admits(id) {
            return false;
        }
        self.resources.push(id);
        self.total += hits.n_properties + u64::from(hits.whole);
        true
    }

    /// Whether one of the hits would be kept if name and type are worth `score`.
    fn wants(&self, hits: Hits, score: i64) -> bool {
        let best_property = self.shapes.at(hits.position).best.first();
        hits.whole && self.best.wants(score + WHOLE)
            || best_property.is_some_and(|(worth, _)| self.best.wants(score + worth))
    }

    /// Lets the hits compete; name and type are worth `score`.
    fn rank(&mut self, id: ResourceId, hits: Hits, score: i64) {
        if hits.whole {
            self.compete(id, None, score + WHOLE);
        }
        for at in 0.. {
            let Some((worth, path)) = self.shapes.at(hits.position).best.get(at).copied() else {
                return;
            };
            if !self.compete(id, Some(path), score + worth) {
                return;
            }
        }
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

    /// Which words the name has, but for those that need not be asked for.
    fn name_knows(&self, id: ResourceId, letters: u64, known: u32) -> u32 {
        let is_asked = |at: usize, word: &Word| {
            known & (1 << at) == 0 && (word.fits_mask(letters) || word.is_urn())
        };
        let mut words = self.words.iter().enumerate();
        if !words.any(|(at, word)| is_asked(at, word)) {
            return 0;
        }
        let name = self.index.name(id);
        bits(self.words.iter().enumerate().map(|(at, word)| {
            is_asked(at, word)
                && if word.is_urn() {
                    word.fit(&self.index.stack().urn(id)).is_some()
                } else {
                    word.is_in(name, letters)
                }
        }))
    }

    /// What the name and the type cannot be worth more than, if they have the words of `known`.
    fn most(&self, id: ResourceId, prefix: PrefixId, letters: u64, known: u32) -> i64 {
        let len = self.index.lens[id.index()];
        let of_name = |word: &Word| {
            // Only texts of one script have lengths that say something.
            let best = if word.is_ascii() && !word.is_urn() && len < u8::MAX {
                word.best_score(usize::from(len))
            } else {
                1400
            };
            i64::from(best) + NAME
        };
        self.words
            .iter()
            .zip(self.type_fits(prefix))
            .enumerate()
            .filter(|(at, _)| known & (1 << at) != 0)
            .map(|(_, (word, ty))| match ty.map(worth) {
                Some(ty) if !word.fits_mask(letters) => ty,
                Some(ty) => ty.max(of_name(word)),
                None => of_name(word),
            })
            .sum()
    }

    /// How well each word lies in a type.
    fn type_fits(&self, prefix: PrefixId) -> &[Option<Fit>] {
        &self.types[prefix.0 as usize]
    }

    /// Whether resources of a shape have a property that they must not have.
    fn denies(&self, shape: ShapeId) -> bool {
        self.has_denied && {
            let mut paths = self.index.stack().tables.shape(shape).iter();
            paths.any(|path| self.path_denied[path.0 as usize])
        }
    }
}
