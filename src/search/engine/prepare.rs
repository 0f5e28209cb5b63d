//! Making a query ready for one index: words, patterns and conditions apart, and what types and paths are worth to them.

use super::condition::{Condition, addressed, condition};
use super::shapes::Shapes;
use super::verdict::Verdict;
use super::{Search, Selection, bits};
use crate::search::fuzzy::Skim;
use crate::search::rank::Best;
use crate::search::{Index, Query, TermKind};

impl<'q> Search<'q> {
    pub(super) fn new(
        index: &'q Index,
        query: &'q Query,
        selection: &Selection,
        limit: usize,
    ) -> Self {
        let mut search = Self {
            index,
            query,
            words: Vec::new(),
            asks_properties: false,
            conditions: Vec::new(),
            addresses: Vec::new(),
            not_words: Vec::new(),
            types: Vec::new(),
            paths: Vec::new(),
            path_fits: vec![true; index.paths.len()],
            path_denied: vec![false; index.paths.len()],
            has_denied: false,
            has_urn: false,
            type_knows: Vec::new(),
            verdicts: vec![Verdict::Unknown; index.classes.len()],
            shapes: Shapes::new(0, 0),
            matcher: Skim::default(),
            best: Best::new(limit),
            total: 0,
            resources: Vec::new(),
            limit,
        };
        for term in &query.terms {
            search.take(term.negated, &term.kind, selection);
        }
        search.match_tables();
        search
    }

    fn take(&mut self, negated: bool, kind: &'q TermKind, selection: &Selection) {
        let condition = match kind {
            TermKind::Word(word) if negated => {
                self.not_words.push(word);
                return;
            }
            // The bits of a u32 are enough for a person.
            TermKind::Word(word) => {
                if self.words.len() < 31 {
                    self.has_urn |= word.is_urn();
                    self.words.push(word);
                }
                return;
            }
            TermKind::Pattern { pattern, text, .. } => {
                if let Some(ids) = addressed(self.index, text) {
                    self.conditions.push((negated, Condition::Among(ids)));
                    self.addresses.push(text);
                    return;
                }
                let covers = self.query.reads_values();
                let (fits, covered) = self.index.fitting(pattern);
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
            kind => condition(self.index, kind, selection),
        };
        self.conditions.push((negated, condition));
    }

    fn match_tables(&mut self) {
        let tables = &self.index.stack().tables;
        self.types = tables
            .prefixes
            .iter()
            .map(|prefix| {
                self.words
                    .iter()
                    .map(|word| {
                        // A URN that is pasted names its prefix, not only its type.
                        if word.is_urn() {
                            None
                        } else {
                            word.fit(prefix.ty())
                        }
                    })
                    .collect()
            })
            .collect();
        self.paths = self
            .index
            .paths
            .iter()
            .map(|path| {
                self.words
                    .iter()
                    .map(|word| {
                        word.fits_mask(path.mask)
                            .then(|| word.fit(&path.text))
                            .flatten()
                    })
                    .collect()
            })
            .collect();
        self.type_knows = self
            .types
            .iter()
            .map(|fits| bits(fits.iter().map(Option::is_some)))
            .collect();
        self.shapes = Shapes::new(tables.shapes.len(), self.words.len());
        for (path, ok) in self.index.paths.iter().zip(&mut self.path_fits) {
            *ok &= !self
                .not_words
                .iter()
                .any(|word| word.find(&path.text).is_some());
        }
    }
}
