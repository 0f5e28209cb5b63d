//! Advice on a query that is being typed: its possible continuations, and how far its path leads.

use std::ops::Range;

use super::field::{self, Field, Values};
use super::{FIELDS, Index, Query, Searched, TermKind};
use crate::path::Glob;

/// Maximum number of completions. A map of labels may have a thousand keys; this is enough to choose from.
const MAX: usize = 100;

/// Minimum length of the beginning of a word of a field that is completed without the field.
const MIN_WORD: usize = 3;

/// A text that may continue a query.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Completion {
    /// Text that replaces [`Advice::range`] in the query.
    pub text: String,
    /// Number of resources that have the key or the value; 0 if that is unknown.
    pub n_resources: u64,
}

/// Advice on the text before the cursor.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Advice {
    /// The text.
    pub before: String,
    /// The bytes that a completion replaces.
    pub range: Range<usize>,
    /// The possible completions, most frequent first.
    pub completions: Vec<Completion>,
    /// The longest known start of the path at the cursor.
    pub known: Option<KnownPath>,
}

/// The longest start of a path that some resource has.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KnownPath {
    /// The start.
    pub path: String,
    /// True if it is the whole path.
    pub is_whole: bool,
    /// Number of resources that have it.
    pub n_resources: u64,
}

impl Advice {
    /// The longest text that all completions start with, unless it would take letters away.
    pub fn common(&self) -> Option<&str> {
        let common = common_start(&self.completions)?;
        let typed = self.before.get(self.range.clone())?;
        let is_only = self.completions.len() == 1;
        (is_only || common.starts_with(typed)).then_some(common)
    }
}

/// The longest common start of all completions.
fn common_start(completions: &[Completion]) -> Option<&str> {
    let first = completions.first()?.text.as_str();
    let len = completions.iter().fold(first.len(), |len, other| {
        let same = first.char_indices().zip(other.text.chars());
        let same = same.take_while(|((_, one), other)| one == other);
        len.min(
            same.last()
                .map_or(0, |((at, char), _)| at + char.len_utf8()),
        )
    });
    first.get(..len)
}

impl Index {
    /// Advice on a query that ends in `before` so far.
    pub fn advise(&self, before: &str, searched: Searched) -> Advice {
        let (range, completions) = self.complete(before, searched);
        Advice {
            before: before.to_owned(),
            range,
            completions,
            known: self.known_path(before),
        }
    }

    fn known_path(&self, before: &str) -> Option<KnownPath> {
        // A path that ends in a dot is still being typed.
        let typed = before.strip_suffix('.').unwrap_or(before);
        let query = Query::parse(typed).ok()?;
        let term = query.terms().next_back()?;
        let TermKind::Pattern { pattern, .. } = &term.kind else {
            return None;
        };
        if term.place.end != typed.len() {
            return None;
        }
        let states = self.states(pattern);
        let reached = (1..=pattern.0.len()).rev().map(|done| {
            let reached = states.iter().map(|states| usize::from(!states[done]));
            let counts = self.count(&reached.collect::<Vec<_>>(), 1);
            (done, counts[0])
        });
        let n_all = self.n_resources() as u64;
        let (done, n_resources) = { reached }
            .find(|(_, count)| *count > 0)
            .unwrap_or((0, n_all));
        Some(KnownPath {
            path: pattern.first(done).to_tolerant(),
            is_whole: done == pattern.0.len(),
            n_resources,
        })
    }

    /// For each of `n_groups` groups of property paths, the number of resources with one of its paths. A path with another group is
    /// not counted.
    fn count(&self, group_of: &[usize], n_groups: usize) -> Vec<u64> {
        let mut counts = vec![0; n_groups];
        // The last shape that was counted for each group.
        let mut counted = vec![usize::MAX; n_groups];
        let shapes = self.shapes.iter().zip(self.stack().tables.shapes.iter());
        for (index, (count, shape)) in shapes.enumerate() {
            for path in shape {
                let group = group_of.get(path.0 as usize).copied();
                let group = group.filter(|group| *group < n_groups);
                if let Some(group) = group.filter(|group| counted[*group] != index) {
                    counted[group] = index;
                    counts[group] += u64::from(*count);
                }
            }
        }
        counts
    }

    /// Completions for the end of `before`, and the bytes that they replace: keys of a property path, values of a field, or
    /// fields.
    fn complete(&self, before: &str, searched: Searched) -> (Range<usize>, Vec<Completion>) {
        let ends = |char: char| char.is_whitespace() || char == '|';
        let term = before.rfind(ends).map_or(0, |blank| blank + 1);
        let word = &before[term..];
        let bare = word.trim_start_matches('!');
        let from = |text: &str| before.len() - text.len()..before.len();
        let is_path = bare.starts_with(['@', '.', '[', '*']) || bare.starts_with("root.") || {
            matches!(
                Query::parse(word).ok().and_then(|query| query.terms().next().cloned()),
                Some(term) if matches!(term.kind, TermKind::Pattern { .. })
            )
        };
        if is_path {
            let (partial, keys) = self.keys_of(bare);
            return (from(partial), keys);
        }
        if let Some((name, typed)) = bare.split_once(':')
            && let Some(field) = field::find(name)
        {
            let partial = typed.rsplit(',').next().unwrap_or(typed);
            if let Values::Paths = field.values {
                let (partial, keys) = self.keys_of(partial);
                return (from(partial), keys);
            }
            return (from(partial), self.values_of(&field.values, partial));
        }
        let holds_changes = self.stack().holds_changes();
        let is_taken = |field: &&Field| {
            (searched == Searched::Changes || !field.is_of_changes())
                && (holds_changes || field.name != field::ACTION)
        };
        let fields = FIELDS.iter().filter(is_taken);
        let names = fields.clone().map(|field| format!("{}:", field.name));
        let names = names.filter(|text| text.starts_with(bare));
        let names: Vec<String> = names.collect();
        // A word of a field means the field more often than a text of the file: `deleted` is `action:deleted`.
        let closed = fields.filter(|field| !field.words().is_empty());
        let kind = self.stack().header.kind;
        let is_word = !bare.contains(['"', ',']) && field::says(kind, bare);
        let takes = |field: &&Field| is_word && field.takes(bare);
        let names_it = |field: &&Field| is_word && field.words().contains(&bare);
        // A field that has the word itself means it more than one that understands it.
        let is_named = closed.clone().any(|field| names_it(&field));
        let whole = closed.clone().filter(|field| {
            if is_named {
                names_it(field)
            } else {
                takes(field)
            }
        });
        let mut words: Vec<String> = whole
            .map(|field| format!("{}:{bare}", field.name))
            .collect();
        if names.is_empty() && words.is_empty() && bare.len() >= MIN_WORD {
            let begun = closed.flat_map(|field| {
                let found = self.values_of(&field.values, bare).into_iter();
                let begun = found.filter(|it| it.text.starts_with(bare));
                begun.map(|it| format!("{}:{}", field.name, it.text))
            });
            words.extend(begun);
        }
        let completions = names.into_iter().chain(words).map(|text| Completion {
            text,
            n_resources: 0,
        });
        (from(bare), completions.collect())
    }

    /// The values of a field that start with `partial`, else those that contain it.
    fn values_of(&self, values: &Values, partial: &str) -> Vec<Completion> {
        let all = match values {
            Values::Any | Values::Paths => Vec::new(),
            Values::Words(words) => {
                let words = words().into_iter();
                let words = words.filter(|word| field::says(self.stack().header.kind, word));
                words.map(|word| (word, 0)).collect()
            }
            Values::Known(known) => known(self),
        };
        // These would need quotes.
        let needs_quotes = |char: char| char.is_whitespace() || matches!(char, '|' | ',');
        let simple = |(text, _): &&(&str, u64)| !text.is_empty() && !text.contains(needs_quotes);
        let fitting = |fits: fn(&str, &str) -> bool| {
            let fitting = all.iter().filter(simple);
            let fitting = fitting.filter(|(text, _)| fits(text, partial));
            let completions = fitting.map(|(text, n_resources)| Completion {
                text: (*text).to_owned(),
                n_resources: *n_resources,
            });
            completions.collect::<Vec<_>>()
        };
        let mut found = fitting(|text, partial| text.starts_with(partial));
        if found.is_empty() {
            found = fitting(|text, partial| text.contains(partial));
        }
        if matches!(values, Values::Known(_)) {
            sort(&mut found);
        }
        found.truncate(MAX);
        found
    }

    /// The typed part of the last key of a path, and the keys that start with it.
    fn keys_of<'t>(&self, path: &'t str) -> (&'t str, Vec<Completion>) {
        let cut = path
            .rfind(['.', '[', '@'])
            .map_or(0, |at| at + usize::from(!path[at..].starts_with('[')));
        let (above, partial) = path.split_at(cut);
        let keys = self.keys_below(above, partial);
        (partial, keys.unwrap_or_default())
    }

    /// The keys starting with `partial` below the path `above`, as typed. `None` if it is not a path.
    fn keys_below(&self, above: &str, partial: &str) -> Option<Vec<Completion>> {
        let above = above.trim_start_matches('@').trim_start_matches('.');
        let pattern = Glob::parse_tolerant(above.strip_suffix('.').unwrap_or(above)).ok()?;
        let (fits, _) = self.fitting(&pattern);
        let mut keys: Vec<&str> = Vec::new();
        let mut group_of = vec![usize::MAX; self.paths.len()];
        let nodes = &self.stack().tables.paths[..self.paths.len()];
        for (index, node) in nodes.iter().enumerate() {
            let Some(parent) = node.parent.filter(|parent| fits[parent.0 as usize]) else {
                continue;
            };
            let above = &self.paths[parent.0 as usize].text;
            let text = &self.paths[index].text[above.len()..];
            let text = text.strip_prefix('.').unwrap_or(text);
            if !text.starts_with(partial) {
                continue;
            }
            let known = keys.iter().position(|other| *other == text);
            if known.is_none() && keys.len() == MAX {
                continue;
            }
            group_of[index] = known.unwrap_or_else(|| {
                keys.push(text);
                keys.len() - 1
            });
        }
        let counts = self.count(&group_of, keys.len());
        let completions = keys
            .iter()
            .zip(counts)
            .map(|(text, n_resources)| Completion {
                text: (*text).to_owned(),
                n_resources,
            });
        let mut completions: Vec<_> = completions.collect();
        sort(&mut completions);
        Some(completions)
    }
}

/// Most frequent first.
fn sort(completions: &mut [Completion]) {
    completions.sort_by(|one, other| {
        let by_count = other.n_resources.cmp(&one.n_resources);
        by_count.then_with(|| one.text.cmp(&other.text))
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn advice(before: &str, range: Range<usize>, texts: &[&str]) -> Advice {
        let completions = texts.iter().map(|text| Completion {
            text: (*text).to_owned(),
            n_resources: 1,
        });
        Advice {
            before: before.to_owned(),
            range,
            completions: completions.collect(),
            known: None,
        }
    }

    #[test]
    fn completions_share_their_start() {
        let some = advice("@pa", 1..3, &["password", "passwordPolicy"]);
        assert_eq!(some.common(), Some("password"));
        assert_eq!(advice("@", 1..1, &["a", "é"]).common(), Some(""));
        assert_eq!(advice("@", 1..1, &[]).common(), None);
    }

    #[test]
    fn a_start_that_takes_letters_away_is_no_completion() {
        let some = advice("type:sub", 5..8, &["aws:Subnet", "aws:Subscription"]);
        assert_eq!(some.common(), None);
        let only = advice("type:sub", 5..8, &["aws:Subnet"]);
        assert_eq!(only.common(), Some("aws:Subnet"));
    }
}
