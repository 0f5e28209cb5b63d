//! Compares the search with one that checks everything, following the laws for hits and scores.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::tests::{Fixture, fixture, map, resource};
use super::{FEWER_WORDS, Facts, NAME, PATH, WHOLE, worth};
use crate::search::query::Term;
use crate::search::run;
use crate::search::word::Word;
use crate::search::{At, Index, Query, TermKind};
use crate::stack::{PathId, ResourceId};
use crate::value::Value;

/// Sort key of a hit; the best hit is the smallest.
type Ranked = (std::cmp::Reverse<i64>, ResourceId, Option<PathId>);

/// All hits of a query of words, best first. A hit of several alternatives counts once, with its best score.
fn all_hits(index: &Index, query: &Query) -> Vec<Ranked> {
    let n_words = |terms: &[Term]| wanted_words(terms).count();
    let most = query.alternatives.iter().map(|it| n_words(it)).max();
    let mut best: BTreeMap<(ResourceId, Option<PathId>), i64> = BTreeMap::new();
    for terms in &query.alternatives {
        let n_fewer = most.unwrap_or(0) - n_words(terms);
        let bonus = FEWER_WORDS * i64::try_from(n_fewer).unwrap();
        for (score, id, path) in hits_of(index, terms) {
            let own = best.entry((id, path)).or_insert(i64::MIN);
            *own = (*own).max(score + bonus);
        }
    }
    let ranked = best.into_iter();
    let ranked = ranked.map(|((id, path), score)| (std::cmp::Reverse(score), id, path));
    let mut ranked: Vec<_> = ranked.collect();
    ranked.sort_unstable();
    ranked
}

/// The word of a term. No path of the stacks here fits a pattern of [`TERMS`], so it is one too.
fn word_of(term: &Term) -> Option<&Word> {
    match &term.kind {
        TermKind::Word(word) | TermKind::Pattern { word, .. } => Some(word),
        TermKind::Value(_) | TermKind::ValueRegex(_) | TermKind::Fact(..) => None,
    }
}

/// The words that have to be found.
fn wanted_words(terms: &[Term]) -> impl Iterator<Item = &Word> {
    let terms = terms.iter().filter(|term| !term.negated);
    terms.filter_map(word_of)
}

/// The hits of one alternative, with their scores.
fn hits_of(index: &Index, terms: &[Term]) -> Vec<(i64, ResourceId, Option<PathId>)> {
    let wanted: Vec<&Word> = wanted_words(terms).collect();
    let unwanted = terms.iter().filter(|term| term.negated);
    let unwanted: Vec<&Word> = unwanted.filter_map(word_of).collect();
    let is_denied = |text: &str| unwanted.iter().any(|word| word.find(text).is_some());
    let stack = index.stack();
    let mut hits = Vec::new();
    for id in stack.ids() {
        let (name, ty) = (stack.name(id), stack.ty(id));
        if is_denied(name) || is_denied(ty) {
            continue;
        }
        let known: Vec<Option<i64>> = wanted
            .iter()
            .map(|word| {
                let of_name = word.fit(name).map(|fit| worth(fit) + NAME);
                of_name.max(word.fit(ty).map(worth))
            })
            .collect();
        let score: i64 = known.iter().flatten().sum();
        if known.iter().all(Option::is_some) {
            hits.push((score + WHOLE, id, None));
        }
        for path in stack.tables.shape(stack.record(id).shape) {
            let entry = &index.paths[path.0 as usize];
            if is_denied(&entry.text) {
                continue;
            }
            let (mut score, mut touches, mut has_all) = (score, false, true);
            for (word, known) in wanted.iter().zip(&known) {
                let fit = word.fit(&entry.text);
                touches |= fit.is_some_and(|fit| fit.end > entry.tail);
                if known.is_none() {
                    has_all &= fit.is_some();
                    score += fit.map_or(0, |fit| worth(fit) + PATH);
                }
            }
            if touches && has_all {
                hits.push((score, id, Some(path)));
            }
        }
    }
    hits
}

fn stack_of(resources: &[(String, u8, u8)]) -> Fixture {
    let made = resources.iter().map(|(name, ty, outputs)| {
        let ty = ["a:ab:B", "b:x:Ab", "o:o:O"][usize::from(*ty % 3)];
        let outputs = match outputs % 3 {
            0 => map([("ab", map([("b", Value::NULL)]))]),
            1 => map([("aB", Value::NULL), ("o-a", Value::NULL)]),
            _ => map([]),
        };
        (resource(name, ty, outputs), "{}", None)
    });
    fixture(made.collect())
}

const TERMS: &[&str] = &[
    "a", "b", "o", "ab", "ba", "aob", "'ab", "'a", "^a", "^ab", "b$", "^ab$", "A", "'aB", "é",
    "aé", "!b", "!ab", "!'o", "!^a", "-", "1", "'b-1", "[1]", "b[1]", "![1]", "|", "|", "|",
];

proptest! {
    #[test]
    fn the_best_hits_are_truly_the_best(
        resources in proptest::collection::vec(("[abAoé1\\[\\]-]{0,7}", any::<u8>(), any::<u8>()), 0..40),
        terms in proptest::collection::vec(0..TERMS.len(), 0..7),
        limit in 1..12_usize,
        again in 0..TERMS.len(),
    ) {
        let fixture = stack_of(&resources);
        let index = Index::new(&fixture.stack);
        let text: Vec<_> = terms.iter().map(|term| TERMS[*term]).collect();
        let query = Query::parse(&text.join(" "));
        prop_assume!(query.is_ok());
        let query = query.unwrap();
        let facts = Facts::default();
        let search = |query: &Query, within: Option<&[ResourceId]>| {
            run(&index, query, within, &facts, None, limit, &mut |_, _| true).unwrap()
        };
        let found = search(&query, None);
        let want = all_hits(&index, &query);
        prop_assert_eq!(found.total, want.len() as u64);
        let mut with_hits: Vec<_> = want.iter().map(|hit| hit.1).collect();
        with_hits.sort_unstable();
        with_hits.dedup();
        prop_assert_eq!(&found.resources, &with_hits);
        let place = |hit: &crate::search::Hit| match hit.at {
            At::Indexed(path) => (hit.resource, Some(path)),
            _ => (hit.resource, None),
        };
        let mut best: Vec<_> = found.hits.iter().map(place).collect();
        let mut wanted: Vec<_> = want.iter().take(limit).map(|hit| (hit.1, hit.2)).collect();
        best.sort_unstable();
        wanted.sort_unstable();
        prop_assert_eq!(best, wanted);
        // The surviving resources are enough to answer a query with one more term.
        let longer = Query::parse(&format!("{} {}", query.text, TERMS[again]));
        let longer = longer.unwrap_or_default();
        let (survivors, all) = (search(&longer, Some(&found.resources)), search(&longer, None));
        prop_assert!(!longer.narrows(&query) || (survivors.total, &survivors.hits) == (all.total, &all.hits));
    }
}
