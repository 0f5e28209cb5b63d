//! Searching the outputs of the stack.
//!
//! An output is a property without a resource: its path starts with its name, and its type is `output`. Outputs of Pulumi are
//! properties of the stack, which is a resource, and are found there.

use std::collections::HashSet;
use std::ops::Range;

use super::engine::{NAME, PATH, WHOLE, worth};
use super::field::Test;
use super::query::Term;
use super::values::{Asked, ChangeTerms, ChangedValue, asked};
use super::{Anchor, Query, TermKind, Word};
use crate::path::{Path, Segment, walk};
use crate::stack::{Output, Stack};
use crate::text::join_ranges;
use crate::value::{Payload, Shown, Value};

/// The type of outputs in queries.
pub(super) const TYPE: &str = "output";

/// An output of the stack, or a value inside one, that a query found.
#[derive(Clone, PartialEq, Debug)]
pub struct OutputHit {
    /// The place of the hit.
    pub place: OutputPlace,
    /// Score of the hit, comparable within one search.
    pub score: i64,
    /// Byte ranges of the path's text that matched, ascending and not adjacent.
    pub path: Vec<Range<usize>>,
}

/// An output of the stack, or a value inside one.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct OutputPlace {
    /// True if the value belongs to the state before the change only.
    pub before: bool,
    /// The name of the output, then the path inside its value.
    pub path: Path,
}

/// The hits of `query` among the outputs of a Terraform or OpenTofu stack, in the order of the file.
pub fn outputs(stack: &Stack, query: &Query) -> Vec<OutputHit> {
    if stack.header.kind.is_pulumi() || query.is_empty() {
        return Vec::new();
    }
    let searches: Vec<_> = query
        .alternatives
        .iter()
        .map(|it| Search::new(it))
        .collect();
    let mut hits: Vec<OutputHit> = Vec::new();
    for output in stack.outputs.iter() {
        let from = hits.len();
        for search in &searches {
            search.look_at(output, from, &mut hits);
        }
        if searches.len() > 1 {
            hits[from..].sort_by(|one, other| one.place.cmp(&other.place));
        }
    }
    hits
}

/// One alternative of a query.
struct Search<'q> {
    terms: &'q [Term],
    words: Vec<(bool, &'q Word)>,
    wanted: Vec<Asked<'q>>,
    unwanted: Vec<Asked<'q>>,
    changes: ChangeTerms<'q>,
    /// True if a term is about properties, not only about outputs as a whole.
    asks_properties: bool,
}

impl<'q> Search<'q> {
    fn new(terms: &'q [Term]) -> Self {
        let (wanted, unwanted) = asked(terms);
        let words = terms.iter().filter_map(|term| match &term.kind {
            TermKind::Word(word) => Some((term.negated, word)),
            _ => None,
        });
        let has_pattern = terms
            .iter()
            .any(|term| !term.negated && matches!(term.kind, TermKind::Pattern { .. }));
        Self {
            terms,
            words: words.collect(),
            asks_properties: has_pattern || !wanted.is_empty(),
            wanted,
            unwanted,
            changes: ChangeTerms::of(terms),
        }
    }

    /// Adds the hits of an output to `hits`, which from index `from` on holds those of other alternatives.
    fn look_at(&self, output: &Output, from: usize, hits: &mut Vec<OutputHit>) {
        if !self.admits(output) {
            return;
        }
        let mut known = HashSet::new();
        let mut path = Path(vec![Segment::Key(output.name.clone())]);
        let [after, before] = sides(output);
        for (is_before, value) in [(false, after), (true, before)] {
            let Some(value) = value else { continue };
            visit(value, &mut path, &mut |path, value| {
                if is_before && known.contains(path) {
                    return;
                }
                if let Some((score, marks)) = self.matches(path, value) {
                    if !is_before {
                        known.insert(path.clone());
                    }
                    let place = OutputPlace {
                        before: is_before,
                        path: path.clone(),
                    };
                    if let Some(hit) = hits[from..].iter_mut().find(|it| it.place == place) {
                        hit.score = hit.score.max(score);
                        hit.path.extend(marks);
                        join_ranges(&mut hit.path);
                        return;
                    }
                    hits.push(OutputHit {
                        place,
                        score,
                        path: marks,
                    });
                }
            });
        }
    }

    /// True if the terms about the output as a whole hold.
    fn admits(&self, output: &Output) -> bool {
        let sides = sides(output);
        self.terms.iter().all(|term| {
            let holds = match &term.kind {
                TermKind::Fact(field, wanted) => match field.test {
                    Test::Resource { is_of, .. } => is_of(output, wanted),
                    // No section of a query is about outputs.
                    Test::Section => false,
                    Test::Change(_) => return true,
                },
                _ => return true,
            };
            holds != term.negated
        }) && !self.has_unwanted(&sides)
            && self.admits_changes(output)
    }

    /// True if the terms about changed values hold.
    fn admits_changes(&self, output: &Output) -> bool {
        if self.changes.is_empty() {
            return true;
        }
        let values = ChangedValue::of_output(output);
        let is_wanted = !self.changes.asks() || values.iter().any(|it| self.changes.hold(it));
        is_wanted && !self.changes.forbid(&values)
    }

    fn has_unwanted(&self, sides: &[Option<&Value>; 2]) -> bool {
        let mut found = false;
        for value in sides.iter().flatten() {
            visit(value, &mut Path::root(), &mut |_, value| {
                found |= shown(value)
                    .is_some_and(|payload| self.unwanted.iter().any(|asked| asked.holds(payload)));
            });
        }
        found
    }

    /// The score of a hit at `path` and the ranges that matched; `None` if there is no hit.
    fn matches(&self, path: &Path, value: &Value) -> Option<(i64, Vec<Range<usize>>)> {
        let is_whole = path.0.len() == 1;
        if !self.wanted.is_empty() {
            let payload = shown(value)?;
            if !self.wanted.iter().all(|asked| asked.holds(payload)) {
                return None;
            }
        } else if !is_whole
            && !self.asks_properties
            && self.words.iter().all(|(negated, _)| *negated)
        {
            // The query asks only for outputs, not for values inside them.
            return None;
        }
        for term in self.terms {
            if let TermKind::Pattern { pattern, .. } = &term.kind {
                let fits = if self.wanted.is_empty() || term.negated {
                    pattern.fits(path)
                } else {
                    pattern.matches(path)
                };
                if fits == term.negated {
                    return None;
                }
            }
        }
        self.words_match(path, is_whole)
    }

    fn words_match(&self, path: &Path, is_whole: bool) -> Option<(i64, Vec<Range<usize>>)> {
        let text = path.to_string();
        let above = Path(path.0[..path.0.len() - 1].to_vec()).to_string();
        let tail = match path.0.last() {
            Some(Segment::Index(_)) if !is_whole => text.len(),
            _ => above.len(),
        };
        let (mut score, mut marks) = (0, Vec::new());
        let mut touches = self.asks_properties || self.words.iter().all(|(negated, _)| *negated);
        for (negated, word) in &self.words {
            if *negated {
                if word.find(&text).is_some() || word.find(TYPE).is_some() {
                    return None;
                }
                continue;
            }
            if let Some(fit) = word.fit(&text) {
                touches |= fit.end > tail;
                score += worth(fit) + if is_whole { NAME } else { PATH };
                marks.extend(word.find(&text));
            } else {
                // The type matches only the output as a whole.
                let fit = word
                    .fit(TYPE)
                    .filter(|_| word.anchor() == Anchor::Fuzzy || is_whole)?;
                touches |= is_whole;
                score += worth(fit);
            }
        }
        if is_whole && !self.asks_properties {
            score += WHOLE;
        }
        join_ranges(&mut marks);
        touches.then_some((score, marks))
    }
}

/// True if something in the output is so, on one side at least.
pub(super) fn has(output: &Output, is_so: fn(&Value) -> bool) -> bool {
    let mut found = false;
    for value in sides(output).into_iter().flatten() {
        visit(value, &mut Path::root(), &mut |_, value| {
            found |= is_so(value);
        });
    }
    found
}

/// The value after and the value before the change.
fn sides(output: &Output) -> [Option<&Value>; 2] {
    let after = Some(&output.value).filter(|value| !(value.is_null() && output.before.is_some()));
    [after, output.before.as_ref()]
}

/// Calls `found` with `value` and all values below it. Stops at every mask.
fn visit(value: &Value, path: &mut Path, found: &mut dyn FnMut(&Path, &Value)) {
    walk(value, path, &mut |path, value| {
        found(path, value);
        !value.is_secret()
    });
}

fn shown(value: &Value) -> Option<&Payload> {
    match value.shown() {
        Shown::Plain(payload) => Some(payload),
        Shown::Secret(_) => None,
    }
}

#[cfg(test)]
mod tests;
