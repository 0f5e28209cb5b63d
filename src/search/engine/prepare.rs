//! Preparing a query for one index: sorts the terms into words, patterns and conditions, and scores types and paths.
//!
//! # Law
//!
//! The letters that a name needs ([`Demand`]) and the upper bounds of its score ([`Limits`]) reject only names that are no hits,
//! or worse than the hits that are kept. The slow twin is a plain loop over all names; the test
//! `the_best_hits_are_truly_the_best` compares the two. Measured alone on 25,000 resources, the bounds halve the time for a
//! letter and for a pattern, and save 20 % for a word.

use std::cmp::Reverse;

use super::condition::{Condition, addressed};
use super::shapes::Shapes;
use super::verdict::Limits;
use super::{Demand, Facts, PATH, PathKnows, Search, bits, worth};
use crate::search::field::Test;
use crate::search::fuzzy::Skim;
use crate::search::query::{MAX_WORDS, Term};
use crate::search::{Index, TermKind};

impl<'q> Search<'q> {
    pub(in crate::modules::search) fn new(
        index: &'q Index,
        terms: &'q [Term],
        facts: &Facts,
        limit: usize,
    ) -> Self {
        let mut search = Self {
            index,
            terms,
            bit: 1,
            bonus: 0,
            words: Vec::new(),
            asks_properties: false,
            conditions: Vec::new(),
            addresses: Vec::new(),
            not_words: Vec::new(),
            demands: Vec::new(),
            limits: Vec::new(),
            told_by_letters: 0,
            type_worths: Vec::new(),
            class_knows: Vec::new(),
            prefix_fits: vec![true; index.stack().tables.prefixes.len()],
            is_free: true,
            path_worths: Vec::new(),
            path_knows: Vec::new(),
            path_fits: vec![true; index.paths.len()],
            path_denied: vec![false; index.paths.len()],
            has_denied: false,
            shapes: Shapes::new(0, 0),
            matcher: Skim::default(),
            limit,
        };
        for term in terms {
            search.take(term.negated, &term.kind, facts);
        }
        search.match_tables();
        search
    }

    fn take(&mut self, negated: bool, kind: &'q TermKind, facts: &Facts) {
        let condition = match kind {
            TermKind::Word(word) if negated => {
                self.not_words.push(word);
                return;
            }
            // A query has at most `MAX_WORDS` words.
            TermKind::Word(word) => {
                self.words.push(word);
                return;
            }
            TermKind::Pattern { pattern, word } => {
                let covers = self.terms.iter().any(Term::reads_values);
                let (fits, covered) = self.index.fitting(pattern);
                let is_path = fits.contains(&true);
                // To look for an address takes a pass over all resources, and going from hit to hit asks again at each.
                let ids = Some(word).filter(|_| !is_path);
                if let Some(ids) = ids.and_then(|word| addressed(self.index, word.text())) {
                    self.conditions.push((negated, Condition::Among(ids)));
                    self.addresses.push(word);
                    return;
                }
                if !is_path && word.text().contains('[') && self.terms.len() <= MAX_WORDS {
                    self.addresses.push(word);
                    let words = if negated {
                        &mut self.not_words
                    } else {
                        &mut self.words
                    };
                    words.push(word);
                    return;
                }
                let fits = if covers { covered } else { fits };
                if negated {
                    self.has_denied = true;
                    for (denied, fits) in self.path_denied.iter_mut().zip(fits) {
                        *denied |= fits;
                    }
                } else {
                    self.asks_properties = true;
                    for (ok, fits) in self.path_fits.iter_mut().zip(fits) {
                        *ok &= fits;
                    }
                }
                return;
            }
            TermKind::Value(_) | TermKind::ValueRegex(_) => {
                self.asks_properties |= !negated;
                return;
            }
            TermKind::Fact(field, wanted) => match field.test {
                Test::Resource { condition, .. } => condition(self.index, wanted, facts),
                Test::Section => {
                    let titles = wanted.sections().iter();
                    let ids = titles.flat_map(|title| facts.sections.of(*title));
                    Condition::Among(ids.copied().collect())
                }
                Test::Change(_) => {
                    self.asks_properties |= !negated;
                    return;
                }
            },
        };
        if let Condition::Prefixes(fits) = condition {
            for (ok, fits) in self.prefix_fits.iter_mut().zip(fits) {
                *ok &= fits != negated;
            }
        } else {
            self.conditions.push((negated, condition));
        }
    }

    fn match_tables(&mut self) {
        let tables = &self.index.stack().tables;
        // Long words are rare, so they exclude most names first.
        self.words.sort_by_key(|word| Reverse(word.text().len()));
        let words = &self.words;
        self.demands = words
            .iter()
            // A pasted URN is compared with the URN, not with the letters of the name.
            .map(|word| Demand {
                letters: if word.is_urn() { 0 } else { word.letters() },
                first: if word.is_urn() { 0 } else { word.needs_first() },
            })
            .collect();
        self.limits = words.iter().map(|word| Limits::of(word)).collect();
        self.told_by_letters = bits(words.iter().map(|word| word.is_told_by_letters()));
        let mut type_knows = Vec::with_capacity(tables.prefixes.len());
        for (prefix, ok) in tables.prefixes.iter().zip(&mut self.prefix_fits) {
            let ty = prefix.ty();
            let worths = words.iter().map(|word| {
                let fit = (!word.is_urn()).then(|| word.fit(ty)).flatten();
                fit.map(worth)
            });
            let from = self.type_worths.len();
            self.type_worths.extend(worths);
            let knows = self.type_worths[from..].iter().map(Option::is_some);
            type_knows.push(bits(knows));
            *ok &= !self.not_words.iter().any(|word| word.find(ty).is_some());
        }
        for (path, ok) in self.index.paths.iter().zip(&mut self.path_fits) {
            let mut knows = PathKnows {
                words: 0,
                touches: self.asks_properties,
            };
            for (at, word) in words.iter().enumerate() {
                let fit = word.fits_mask(path.mask).then(|| word.fit(&path.text));
                let fit = fit.flatten();
                knows.words |= u32::from(fit.is_some()) << at;
                knows.touches |= fit.is_some_and(|fit| fit.end > path.tail);
                self.path_worths.push(fit.map(|fit| worth(fit) + PATH));
            }
            self.path_knows.push(knows);
            let mut not_words = self.not_words.iter();
            *ok &= !not_words.any(|word| word.find(&path.text).is_some());
        }
        let of_classes = self.index.classes.iter();
        let of_classes = of_classes.map(|(prefix, _)| type_knows[prefix.0 as usize]);
        self.class_knows = of_classes.chain([0]).collect();
        self.shapes = Shapes::new(tables.shapes.len(), words.len());
        self.is_free = self.conditions.is_empty() && self.not_words.is_empty();
    }
}
