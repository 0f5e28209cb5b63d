//! Values from another environment: a new value that carries another environment's, region's or account's mark than all of its
//! neighbors.
//!
//! Texts have marks: `prod`, `eu-west-1`, the number of an account in an ARN. The mark that nearly all names and values of the file
//! have is at home. A change from the mark that is at home to another one is a danger if few resources make it. If many do, it is
//! what the plan is about.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use super::tables::WORDS;
use super::{Fact, Notice, Reader, Seen};
use crate::change::decode::document;
use crate::change::leaves::Leaf;
use crate::change::rules::Level;
use crate::change::texts::each_text;
use crate::stack::{Mode, ResourceId, Stack, State};
use crate::value::Value;

/// Minimum number of resources with a mark that is at home.
const MIN_HOME: usize = 3;

/// Minimum share of the resources with a mark of a class that have the one that is at home, in percent.
const MIN_SHARE: usize = 80;

/// Maximum number of candidates that are kept.
const MAX_CANDIDATES: usize = 1_000;

/// Maximum number of resources of which a strange mark is found odd.
const MAX_ODD: usize = 3;

/// Maximum number of unchanged resources that are read as neighbors.
const MAX_NEIGHBORS: usize = 256;

/// Maximum length of a document that is searched for marks.
const MAX_DOCUMENT: usize = 65_536;

/// Maximum length of a text that is searched for marks.
const MAX_TEXT: usize = 2_048;

/// A kind of mark.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
enum Class {
    Environment,
    Region,
    Account,
}

impl Class {
    fn noun(self) -> &'static str {
        match self {
            Self::Environment => "environment",
            Self::Region => "region",
            Self::Account => "account",
        }
    }
}

/// A mark in a text.
type Mark = (Class, Box<str>);

/// A new value with a mark that the value before had not.
#[derive(Clone, Debug)]
struct Candidate {
    fact: Fact,
    /// The mark of the same class in the value before, if there was one.
    old: Option<Box<str>>,
    new: Mark,
}

/// The marks of the values before, and the new values with other marks.
#[derive(Clone, Default, Debug)]
pub(super) struct Marks {
    /// Number of resources whose values before have a mark.
    before: BTreeMap<Mark, usize>,
    candidates: Vec<Candidate>,
}

impl Marks {
    pub(super) fn add(&mut self, seen: &Seen<'_>) {
        if !seen.is_managed() {
            return;
        }
        self.count(seen.resource.before.as_ref());
        if seen.sets_values() {
            for leaf in seen.leaves {
                self.judge(seen.id, leaf);
            }
        }
    }

    /// Counts a resource by the marks of its values.
    fn count(&mut self, state: Option<&State>) {
        let mut own = Found::default();
        let sets = state.into_iter().flat_map(State::sets);
        sets.for_each(|set| own.collect(set));
        for mark in own.marks {
            *self.before.entry(mark).or_default() += 1;
        }
    }

    /// Keeps a leaf whose new text has a mark that the old one has not.
    fn judge(&mut self, id: ResourceId, leaf: &Leaf) {
        if leaf.after.is_secret() || leaf.before.is_secret() {
            return;
        }
        let (mut old, mut new) = (Found::default(), Found::default());
        new.collect(&leaf.after);
        if new.marks.is_empty() || leaf.path.has_word(&WORDS.prose) {
            return;
        }
        old.collect(&leaf.before);
        let [old, new] = [old, new].map(|found| BTreeSet::from_iter(found.marks));
        for mark in new.difference(&old) {
            let was = old
                .iter()
                .find(|(class, text)| *class == mark.0 && !new.contains(&(*class, text.clone())));
            self.candidates.push(Candidate {
                fact: Fact::new_value(id, leaf),
                old: was.map(|(_, text)| text.clone()),
                new: mark.clone(),
            });
        }
        self.bound_often();
    }

    /// Drops candidates before there are too many.
    fn bound_often(&mut self) {
        if self.candidates.len() > 2 * MAX_CANDIDATES {
            self.bound();
        }
    }

    /// Keeps the first candidates in the order of the file.
    fn bound(&mut self) {
        let order = |it: &Candidate| (it.fact.id, it.fact.path.clone(), it.new.clone());
        self.candidates.sort_by_cached_key(order);
        self.candidates.truncate(MAX_CANDIDATES);
    }

    pub(super) fn merge(&mut self, other: Self) {
        for (mark, count) in other.before {
            *self.before.entry(mark).or_default() += count;
        }
        self.candidates.extend(other.candidates);
        self.bound_often();
    }

    pub(super) fn finish(mut self, reader: &Reader<'_>) -> Vec<Notice> {
        if self.candidates.is_empty() {
            return Vec::new();
        }
        self.bound();
        self.add_neighbors(reader);
        let names = of_names(reader.stack);
        for (mark, count) in names {
            let known = self.before.entry(mark).or_default();
            *known = count.max(*known);
        }
        let mut with_mark: BTreeMap<&Mark, BTreeSet<ResourceId>> = BTreeMap::new();
        for it in &self.candidates {
            with_mark.entry(&it.new).or_default().insert(it.fact.id);
        }
        let mut found: BTreeMap<(Level, Mark, Box<str>), Vec<Fact>> = BTreeMap::new();
        for class in [Class::Environment, Class::Region, Class::Account] {
            let Some(home) = self.home(class) else {
                continue;
            };
            let of_class = self.candidates.iter().filter(|it| {
                let is_odd = with_mark[&it.new].len() <= MAX_ODD;
                it.new.0 == class && *it.new.1 != *home && is_odd
            });
            for candidate in of_class {
                if let Some(level) = self.level(candidate, &home) {
                    let key = (level, candidate.new.clone(), home.clone());
                    found.entry(key).or_default().push(candidate.fact.clone());
                }
            }
        }
        let notices = found
            .into_iter()
            .map(|((level, (class, text), home), facts)| {
                let says = format!(
                    "a new value names the {} {text}, and the other values here belong to {home}",
                    class.noun()
                );
                Notice::of(reader.stack, facts, level, "another-environment", says)
            });
        notices.collect()
    }

    /// Adds the marks of resources that stay the same and have the type of a candidate: of all, or of the first by name.
    fn add_neighbors(&mut self, reader: &Reader<'_>) {
        let stack = reader.stack;
        let types = self.candidates.iter();
        let types: BTreeSet<&str> = types.map(|it| stack.ty(it.fact.id)).collect();
        let ids = types.into_iter().flat_map(|ty| reader.unchanged(ty));
        let mut ids: Vec<ResourceId> = ids.collect();
        if ids.len() > MAX_NEIGHBORS {
            ids.sort_by_cached_key(|id| stack.identity(*id));
            ids.truncate(MAX_NEIGHBORS);
        }
        for (_, resource) in reader.each(ids) {
            let state = resource.current();
            self.count(state.filter(|_| resource.mode == Mode::Managed));
        }
    }

    /// The mark of a class that nearly all resources with one have.
    fn home(&self, class: Class) -> Option<Box<str>> {
        let of_class = || self.before.iter().filter(|((it, _), _)| *it == class);
        let total: usize = of_class().map(|(_, count)| count).sum();
        let ((_, text), count) = of_class().max_by_key(|(_, count)| **count)?;
        let is_home = *count >= MIN_HOME && *count * 100 >= total * MIN_SHARE;
        is_home.then(|| text.clone())
    }

    /// The weight of a strange mark that few resources get; `None` if it is not strange enough.
    fn level(&self, candidate: &Candidate, home: &str) -> Option<Level> {
        if candidate.old.as_deref() == Some(home) {
            return Some(Level::Danger);
        }
        // A value that had no mark says less: only a mark that nothing here has had so far counts.
        let is_unheard = !self.before.contains_key(&candidate.new);
        let is_clear = candidate.new.0 != Class::Region && candidate.old.is_none();
        (is_unheard && is_clear).then_some(Level::Warning)
    }
}

/// Number of resources whose names or ids have a mark. The name of the stack counts as much as is needed.
fn of_names(stack: &Stack) -> BTreeMap<Mark, usize> {
    let mut counts: BTreeMap<Mark, usize> = BTreeMap::new();
    let mut add = |texts: &[&str], weight: usize| {
        let mut own = Found::default();
        for text in texts {
            own.add(text);
        }
        for mark in own.marks {
            *counts.entry(mark).or_default() += weight;
        }
    };
    add(&[&stack.header.stack], MIN_HOME);
    for id in stack.ids() {
        add(&[stack.name(id), stack.compared_id(id)], 1);
    }
    counts
}

/// The marks of some texts.
#[derive(Default)]
struct Found {
    marks: HashSet<Mark>,
}

impl Found {
    /// Adds the marks of all texts of a value.
    fn collect(&mut self, value: &Value) {
        each_text(value, &mut |text| {
            let may_be_document = text.starts_with(['{', '[']) && text.len() <= MAX_DOCUMENT;
            match may_be_document.then(|| document(&text.into())).flatten() {
                Some((_, inner)) => self.collect(&inner),
                None => self.add(text),
            }
        });
    }

    /// Adds the marks of a text.
    fn add(&mut self, text: &str) {
        // A sentence is prose, and a device is no environment.
        let is_prose = || memchr::memchr_iter(b' ', text.as_bytes()).nth(2).is_some();
        if text.len() > MAX_TEXT || text.starts_with("/dev/") || is_prose() {
            return;
        }
        let is_end = |byte: &u8| !byte.is_ascii_alphanumeric();
        let mut words = text.as_bytes().split(is_end);
        let mut next = [words.next(), words.next(), words.next()];
        while let [Some(word), second, third] = next {
            if let Some(environment) = environment(word) {
                self.insert(Class::Environment, environment);
            }
            if let Some(region) = second.and_then(|second| region(word, second, third)) {
                self.insert(Class::Region, &region);
            }
            if is_account(word, text) {
                self.insert(Class::Account, &String::from_utf8_lossy(word));
            }
            next = [second, third, words.next()];
        }
        for account in containers(text).into_iter().flatten() {
            self.insert(Class::Account, account);
        }
    }

    fn insert(&mut self, class: Class, text: &str) {
        self.marks.insert((class, text.into()));
    }
}

/// The environment that a word means.
fn environment(word: &[u8]) -> Option<&'static str> {
    let mut all = WORDS.environments.iter();
    let (_, environment) = all.find(|(it, _)| it.as_bytes().eq_ignore_ascii_case(word))?;
    Some(environment)
}

/// True for a word that is the number of an account of AWS: alone, in an ARN or in an address of a service.
fn is_account(word: &[u8], text: &str) -> bool {
    let is_number = word.len() == 12 && word.iter().all(u8::is_ascii_digit);
    is_number && (text.len() == 12 || text.starts_with("arn:") || text.contains(".amazonaws.com"))
}

/// The subscription of Azure and the project of Google that a text names.
fn containers(text: &str) -> [Option<&str>; 2] {
    let mut found = [None; 2];
    // Both are the first of their kind, and named for the part of a path before them.
    for slash in memchr::memchr_iter(b'/', text.as_bytes()) {
        let (before, after) = (&text[..slash], &text[slash + 1..]);
        let name = || after.split('/').next();
        if found[0].is_none() && before.ends_with("/subscriptions") {
            found[0] = name();
        }
        if found[1].is_none() && before.ends_with("projects") {
            found[1] = name();
        }
    }
    let is_of_google = || text.starts_with("projects/") || text.contains(".googleapis.com/");
    let [subscription, project] = found.map(|name| name.filter(|name| !name.is_empty()));
    [subscription, project.filter(|_| is_of_google())]
}

/// The region at the start of these words: `eu-west-1`, `europe-west4`.
fn region(area: &[u8], place: &[u8], zone: Option<&[u8]>) -> Option<String> {
    let is_area = || matches!(area.len(), 2..=12) && area.iter().all(u8::is_ascii_lowercase);
    let is_direction = |word: &[u8]| WORDS.directions.iter().any(|it| it.as_bytes() == word);
    let text = String::from_utf8_lossy;
    if area.len() == 2 {
        let zone = zone.filter(|_| is_direction(place) && is_area())?;
        // The letter of a zone comes after the number of its region.
        let number = without_end(zone, u8::is_ascii_lowercase);
        let is_number = matches!(number.len(), 1 | 2) && number.iter().all(u8::is_ascii_digit);
        let is_zone = is_number && zone.len() <= number.len() + 1;
        return is_zone.then(|| format!("{}-{}-{}", text(area), text(place), text(number)));
    }
    if !place.last()?.is_ascii_digit() {
        return None;
    }
    let direction = without_end(place, u8::is_ascii_digit);
    let is_region = is_direction(direction) && is_area();
    is_region.then(|| format!("{}-{}", text(area), text(place)))
}

/// A word without the bytes of a kind at its end.
fn without_end(word: &[u8], is_left_out: fn(&u8) -> bool) -> &[u8] {
    let last = word.iter().rposition(|byte| !is_left_out(byte));
    &word[..last.map_or(0, |last| last + 1)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, want: &[&str]) {
        let mut found = Found::default();
        found.add(text);
        let found = BTreeSet::from_iter(found.marks);
        let found: Vec<String> = found
            .iter()
            .map(|(class, text)| format!("{} {text}", class.noun()))
            .collect();
        assert_eq!(found, want, "{text}");
    }

    #[test]
    fn texts_have_marks() {
        check("shop-production-db", &["environment prod"]);
        check(
            "arn:aws:sqs:eu-west-1:123456789012:jobs-stg",
            &[
                "environment staging",
                "region eu-west-1",
                "account 123456789012",
            ],
        );
        check("eu-central-1a", &["region eu-central-1"]);
        check("europe-west4-b", &["region europe-west4"]);
        check("https://db.prod.example.com:5432", &["environment prod"]);
        check("latest", &[]);
        check("/dev/sdf", &[]);
        check("this is the test of the whole thing", &[]);
        check("123456789012345", &[]);
        check("build 202611231200", &[]);
        check(
            "https://sqs.eu-central-1.amazonaws.com/123456789012/jobs",
            &["region eu-central-1", "account 123456789012"],
        );
        check(
            "123456789012.dkr.ecr.eu-west-1.amazonaws.com/shop:2.0",
            &["region eu-west-1", "account 123456789012"],
        );
        check(
            "/subscriptions/0b1f6471-1bf0-4dda-aec3-111122223333/resourceGroups/rg-shop",
            &["account 0b1f6471-1bf0-4dda-aec3-111122223333"],
        );
        check(
            "https://www.googleapis.com/compute/v1/projects/shop-main/zones/a",
            &["account shop-main"],
        );
    }
}
