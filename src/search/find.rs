//! Finding: the rounds of a search, of which the first with an answer counts.
//!
//! In a file with changes, a word that is the name of an action also means the action: `delete` finds what is deleted.
//!
//! 1. **As written.** Names, types and paths contain the words. Looking for hits, those with scattered letters come after them.
//! 2. **By value.** Words that occur in no name, type or path are looked for in values. Masked values never match.
//! 3. **Scattered letters.** Names, types and paths have the letters of the words in order.
//!
//! A round over the values reads the file, so it runs only if the first one found nothing as written.

use std::sync::Arc;

use super::engine::SCATTERED;
use super::field::id_is;
use super::query::{Alternative, MAX_ALTERNATIVES, Term};
use super::{
    Anchor, Facts, Index, Progress, Query, SearchResult, Supply, TermKind, Word, outputs, run,
};
use crate::stack::ResourceId;

/// Minimum length of a word that is looked for in values, in characters.
const MIN_VALUE: usize = 3;

/// The purpose of a search.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Goal {
    /// Go to the selected hit.
    #[default]
    Go,
    /// Filter rows by the hits.
    Filter,
}

/// The way in which the words of a query were matched.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Reading {
    /// Names, types or paths contain them.
    #[default]
    Written,
    /// Values contain some of them.
    Value,
    /// Names, types or paths have their letters in order.
    Scattered,
    /// They are names of actions, and no name, type or path contains them.
    Action,
    /// They are names of actions, and some names, types or paths contain them.
    NameAndAction,
    /// They are names of actions that no change has, and some names, types or paths contain them.
    NameOnly,
}

impl Reading {
    /// The words after a number of hits; empty if they were matched as written.
    pub fn words(self) -> &'static str {
        match self {
            Self::Written => "",
            Self::Value => " by value",
            Self::Scattered => " by scattered letters",
            Self::Action => " by action",
            Self::NameAndAction => " by name and by action",
            Self::NameOnly => " by name, none by action",
        }
    }
}

/// A search to make.
pub struct Request<'r> {
    /// The index.
    pub index: &'r Index,
    /// The query.
    pub query: &'r Query,
    /// The purpose.
    pub goal: Goal,
    /// The resources to search, ascending; `None` for all.
    pub among: Option<&'r [ResourceId]>,
    /// The only resources that may contain the words as written, ascending, if an earlier search found them.
    pub narrowed: Option<&'r [ResourceId]>,
    /// True to search all resources if nothing was found in `among`.
    pub beyond: bool,
    /// The person's marks.
    pub facts: &'r Facts,
    /// The bytes of the file.
    pub supply: &'r dyn Supply,
    /// Maximum number of hits.
    pub limit: usize,
}

/// Called with progress and the hits so far; false cancels.
type Partial<'p> = dyn FnMut(Progress, &dyn Fn() -> SearchResult) -> bool + 'p;

/// Searches resources and outputs, round by round. `None` if it was cancelled.
pub fn find(request: &Request<'_>, partial: &mut Partial<'_>) -> Option<SearchResult> {
    let header = &request.index.stack().header;
    let has_changes = header.kind.has_changes() || request.index.stack().is_comparison;
    let Some(meant) = has_changes.then(|| request.query.with_actions()).flatten() else {
        return rounds(request, request.query, partial);
    };
    let by_action = Request {
        query: &meant,
        // An earlier search found the resources that contain the words, not those that the action is for.
        narrowed: None,
        ..*request
    };
    let mut found = rounds(&by_action, request.query, partial)?;
    let n_named = request.query.alternatives.len();
    if found.reading == Reading::Written && meant.alternatives.len() > n_named {
        found.reading = found.reading_of_actions(n_named);
    }
    found.query.get_or_insert_with(|| Arc::new(meant));
    Some(found)
}

/// Runs the rounds for a request, whose query stands for `typed`.
fn rounds(request: &Request<'_>, typed: &Query, partial: &mut Partial<'_>) -> Option<SearchResult> {
    let Request { query, goal, .. } = *request;
    let as_written = (goal == Goal::Filter).then(|| Arc::new(query.as_written()));
    let mut fallback: Option<SearchResult> = None;
    let mut is_written = false;
    for is_beyond in request.scopes() {
        let found = request.round(as_written.as_ref(), Reading::Written, is_beyond, partial)?;
        is_written = found.is_written();
        if fallback.is_none() || is_written {
            fallback = Some(found);
        }
        if is_written {
            break;
        }
    }
    let has_several = typed.alternatives.len() > 1;
    if (!is_written || has_several)
        && let Some(by_value) = request.by_value(is_written, partial)?
    {
        let by_value = Arc::new(by_value);
        for is_beyond in request.scopes() {
            let found = request.round(Some(&by_value), Reading::Value, is_beyond, partial)?;
            if found.total > 0 {
                return Some(found);
            }
        }
    }
    // Without such a word, the answer would be the same.
    let mut words = query.terms().filter_map(Term::wanted_word);
    let may_scatter = words.any(|word| word.anchor() == Anchor::Fuzzy);
    if !is_written && goal == Goal::Filter && may_scatter {
        fallback = Some(request.round(None, Reading::Scattered, false, partial)?);
    }
    let mut found = fallback.unwrap_or_default();
    if !is_written && found.total > 0 {
        found.reading = Reading::Scattered;
    }
    Some(found)
}

impl Request<'_> {
    /// False for the search in `among`, then true for the search beyond, if there is one.
    fn scopes(&self) -> impl Iterator<Item = bool> + use<> {
        let is_wider = self.beyond && self.among.is_some() && !self.query.is_empty();
        [false, true].into_iter().take(1 + usize::from(is_wider))
    }

    /// Runs the query, or another one in its place.
    fn round(
        &self,
        other: Option<&Arc<Query>>,
        reading: Reading,
        is_beyond: bool,
        partial: &mut Partial<'_>,
    ) -> Option<SearchResult> {
        let query = other.map_or(self.query, |other| &**other);
        let within = match (reading, is_beyond) {
            (_, true) => None,
            (Reading::Written, false) => self.narrowed.or(self.among),
            (
                Reading::Value
                | Reading::Scattered
                | Reading::Action
                | Reading::NameAndAction
                | Reading::NameOnly,
                false,
            ) => self.among,
        };
        let outputs = outputs(self.index.stack(), query);
        let complete = |found: SearchResult| SearchResult {
            reading,
            is_beyond,
            query: other.cloned(),
            ..found.with_outputs(&outputs)
        };
        let (facts, supply) = (self.facts, Some(self.supply));
        run(
            self.index,
            query,
            within,
            facts,
            supply,
            self.limit,
            &mut |progress, found| partial(progress, &|| complete(found())),
        )
        .map(complete)
    }

    /// The query with those words looked for in values that occur nowhere as written. If all words occur but not together, this is
    /// the last one. The outer `None` says that it was cancelled, the inner one that no word is left for values.
    #[expect(clippy::option_option, reason = "a cancelled search has no answer")]
    fn by_value(&self, is_written: bool, partial: &mut Partial<'_>) -> Option<Option<Query>> {
        let mut query = self.query.as_written();
        let mut is_rewritten = false;
        // The resource that has an id comes before those that refer to it.
        let mut by_id: Vec<Alternative> = Vec::new();
        for terms in &mut query.alternatives {
            let mut lost = Vec::new();
            for (at, term) in terms.iter().enumerate() {
                if let Some(word) = term.wanted_word().filter(|word| may_be_value(word)) {
                    let occurs = self.occurs(word, partial)?;
                    lost.extend((!occurs).then_some(at));
                }
            }
            if lost.is_empty() && !is_written {
                let may_be = |terms: &Alternative, at: usize| {
                    terms[at].wanted_word().is_some_and(may_be_value)
                };
                lost.extend((0..terms.len()).rev().find(|at| may_be(terms, *at)));
            }
            for at in lost {
                if let TermKind::Word(word) = &terms[at].kind {
                    if let Some(kind) = id_is(word.text()) {
                        let mut owner = terms.clone();
                        owner[at].kind = kind;
                        by_id.push(owner);
                    }
                    terms[at].kind = TermKind::Value(word.text().to_owned());
                    is_rewritten = true;
                }
            }
        }
        if query.alternatives.len() + by_id.len() <= MAX_ALTERNATIVES {
            query.alternatives.append(&mut by_id);
        }
        Some(is_rewritten.then_some(query))
    }

    /// True if the word occurs as written in some name, type or path. `None` if it was cancelled.
    fn occurs(&self, word: &Word, partial: &mut Partial<'_>) -> Option<bool> {
        let query = Query::of_word(word.text());
        let facts = Facts::default();
        let mut go_on = |progress: Progress, _: &dyn Fn() -> SearchResult| {
            let over = Progress {
                done: progress.total,
                ..progress
            };
            partial(over, &SearchResult::default)
        };
        let found = run(self.index, &query, None, &facts, None, 1, &mut go_on)?;
        Some(found.total > 0)
    }
}

fn may_be_value(word: &Word) -> bool {
    let is_anywhere = matches!(word.anchor(), Anchor::Fuzzy | Anchor::Exact);
    is_anywhere && word.text().chars().count() >= MIN_VALUE
}

impl Query {
    /// The query whose words are not looked for as scattered letters.
    pub(super) fn as_written(&self) -> Self {
        let mut query = self.clone();
        for term in query.alternatives.iter_mut().flatten() {
            if let TermKind::Word(word) = &mut term.kind
                && word.anchor() == Anchor::Fuzzy
            {
                *word = Word::new(word.text(), Anchor::Exact);
            }
        }
        query
    }
}

impl SearchResult {
    /// True if something was found whose words all occur as written.
    fn is_written(&self) -> bool {
        let scores = self.hits.iter().map(|hit| hit.score);
        let scores = scores.chain(self.outputs.iter().map(|hit| hit.score));
        let best = scores.max();
        best.map_or(self.total > 0, |best| best > SCATTERED / 2)
    }

    /// The reading of a query of which the first `n_named` alternatives are words, and the others have actions.
    fn reading_of_actions(&self, n_named: usize) -> Reading {
        let named = (1_u16 << n_named) - 1;
        let written = || self.hits.iter().filter(|hit| hit.score > SCATTERED / 2);
        match (
            written().any(|hit| hit.alternatives & !named != 0),
            written().any(|hit| hit.alternatives & named != 0),
        ) {
            // A hit that is not kept may have the action.
            (false, true) if self.total == (self.hits.len() + self.outputs.len()) as u64 => {
                Reading::NameOnly
            }
            (false, _) => Reading::Written,
            (true, false) => Reading::Action,
            (true, true) => Reading::NameAndAction,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::engine::tests::{sample, text};
    use super::*;
    use crate::search::LIMIT;

    fn found(query: &str, goal: Goal, among: Option<&[ResourceId]>) -> (SearchResult, Vec<String>) {
        let fixture = sample();
        let request = Request {
            index: &Index::new(&fixture.stack),
            query: &Query::parse(query).unwrap(),
            goal,
            among,
            narrowed: None,
            beyond: goal == Goal::Go,
            facts: &Facts::default(),
            supply: &fixture,
            limit: LIMIT,
        };
        let found = find(&request, &mut |_, _| true).unwrap();
        let texts = found.hits.iter().map(|hit| text(&fixture, hit)).collect();
        (found, texts)
    }

    #[track_caller]
    fn check(query: &str, goal: Goal, reading: Reading, want: &[&str]) {
        let (found, texts) = found(query, goal, None);
        assert_eq!(texts, want, "{query}");
        assert_eq!(found.reading, reading, "{query}");
    }

    #[test]
    fn a_word_that_names_nothing_is_looked_for_in_values() {
        for goal in [Goal::Go, Goal::Filter] {
            check("10.0.3.17", goal, Reading::Value, &["orders-db address"]);
            check("orders 5432", goal, Reading::Value, &["orders-db port"]);
            // All words occur, but not together: the last one is a value.
            check(
                "target orders-db",
                goal,
                Reading::Value,
                &["orders-proxy target"],
            );
            check(
                "web | 10.0.3.17",
                goal,
                Reading::Value,
                &["web", "orders-db address"],
            );
        }
    }

    #[test]
    fn a_masked_value_is_not_found_by_value() {
        check("hunter2", Goal::Go, Reading::Value, &["web note"]);
    }

    #[test]
    fn a_filter_takes_scattered_letters_only_if_nothing_else_fits() {
        let (found_as_written, _) = found("rdb", Goal::Filter, None);
        assert_eq!(found_as_written.reading, Reading::Scattered);
        assert!(found_as_written.total > 0);
        let n = |query, goal| found(query, goal, None).0.resources.len();
        // `net` is in no name; `pro` is in one, and its letters are in others.
        assert_eq!(n("pro", Goal::Filter), 1);
        assert!(n("por", Goal::Go) > n("por", Goal::Filter));
    }

    #[test]
    fn what_is_not_in_the_list_is_found_beyond_it() {
        let list = [ResourceId(1)];
        let (result, texts) = found("web", Goal::Go, Some(&list));
        assert!(result.is_beyond);
        assert_eq!(texts[0], "web");
        // By value, those in the list come first.
        let (result, texts) = found("proxy 'orders-db", Goal::Go, Some(&list));
        assert_eq!(
            (result.is_beyond, &texts[..]),
            (false, &["orders-proxy target".to_owned()][..])
        );
        let (result, _) = found("web", Goal::Filter, Some(&list));
        assert_eq!(result.total, 0);
    }

    #[test]
    fn a_search_in_any_round_ends_if_it_is_not_wanted_any_more() {
        let fixture = sample();
        let query = Query::parse("10.0.3.17").unwrap();
        for n_slices in 0..3 {
            let mut left = n_slices;
            let request = Request {
                index: &Index::new(&fixture.stack),
                query: &query,
                goal: Goal::Go,
                among: None,
                narrowed: None,
                beyond: true,
                facts: &Facts::default(),
                supply: &fixture,
                limit: LIMIT,
            };
            let found = find(&request, &mut |_, _| {
                left -= 1;
                left >= 0
            });
            assert!(found.is_none(), "{n_slices}");
        }
    }
}
