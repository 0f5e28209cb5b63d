//! Ties: objects that stay and refer to one that goes, by its literal id, ARN, address or name.
//!
//! A program that no longer knows an object does not say who uses it: the reference is a text. [`Ties`] keeps the names of what
//! the plan deletes or replaces. At the end the bytes of the others are searched for these names, and only those that have one are
//! read.
//!
//! A name counts only if it means the object: not if a resource that stays, or that comes, has it too, and not if the object
//! itself has it from another one (the id of a bucket's policy is the name of the bucket).

use std::cell::LazyCell;
use std::collections::{BTreeMap, BTreeSet, HashSet};

use super::pods::full_name;
use super::tables::WORDS;
use super::{Fact, Notice, Reader, Seen, stays, words};
use crate::change::decode::document;
use crate::change::kinds::hash_of;
use crate::change::rules::Level;
use crate::change::texts::each_text;
use crate::path::{Path, Segment, walk};
use crate::stack::{Action, Flags, Mode, Resource, ResourceId, Stack, State};
use crate::text::{has_word, pieces};
use crate::value::Value;

/// Maximum number of replaced objects for which one resource is searched again.
const MAX_NEXT: usize = 64;

/// Maximum nesting of values that are searched.
const MAX_DEPTH: usize = 16;

/// Minimum length of an id that may be a part of a longer text.
const MIN_PART: usize = 12;

/// A name of an object that goes.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Name {
    pub(super) text: Box<str>,
    pub(super) owner: ResourceId,
    /// True if the text means the object wherever it occurs.
    pub(super) is_id: bool,
}

/// The names of the objects that go, and of those that come.
#[derive(Clone, Default, Debug)]
pub(super) struct Ties {
    gone: Vec<Name>,
    /// The ids under which replaced objects are found from now on.
    next: BTreeMap<ResourceId, Vec<Box<str>>>,
    /// Hashes of the names of objects that come or stay.
    taken: HashSet<u64>,
}

impl Ties {
    pub(super) fn add(&mut self, seen: &Seen<'_>) {
        let resource = seen.resource;
        if !matches!(resource.mode, Mode::Managed | Mode::Component) {
            return;
        }
        // An old copy shares its name with the new one, and only its id is its own.
        let is_copy = resource
            .flags
            .intersects(Flags::DEPOSED | Flags::PENDING_DELETE);
        if matches!(seen.action, Action::Delete | Action::Replace) {
            let mut own = names(resource, resource.before.as_ref());
            own.retain(|(_, is_id)| *is_id || !is_copy);
            self.gone.extend(own.into_iter().map(|(text, is_id)| Name {
                text,
                owner: seen.id,
                is_id,
            }));
        }
        if seen.action != Action::Delete {
            let after = names(resource, resource.after.as_ref());
            if seen.action == Action::Replace {
                let before = names(resource, resource.before.as_ref());
                let is_new = |name: &&(Box<str>, bool)| name.1 && !before.contains(name);
                let ids = after.iter().filter(is_new);
                let ids: Vec<Box<str>> = ids.map(|(text, _)| text.clone()).collect();
                self.next.insert(seen.id, ids);
            }
            self.taken
                .extend(after.iter().map(|(text, _)| hash_of(text)));
        }
    }

    pub(super) fn merge(&mut self, other: Self) {
        self.gone.extend(other.gone);
        self.taken.extend(other.taken);
        self.next.extend(other.next);
    }

    pub(super) fn finish(mut self, reader: &Reader<'_>) -> Vec<Notice> {
        let stack = reader.stack;
        self.gone
            .retain(|name| !self.taken.contains(&hash_of(&name.text)));
        self.gone.sort_unstable();
        // A name of two objects means neither. An id or address of two that go together, such as a bucket and its web site, goes.
        let mut names: Vec<Name> = Vec::new();
        for same in self.gone.chunk_by(|one, other| one.text == other.text) {
            let is_of_one = same.iter().all(|name| name.owner == same[0].owner);
            if is_of_one || same.iter().all(|name| name.is_id) {
                names.push(same[0].clone());
            }
        }
        if names.is_empty() {
            return Vec::new();
        }
        let texts: HashSet<&str> = names.iter().map(|name| &*name.text).collect();
        let others = || stack.ids().filter(|id| stays(stack, *id));
        let kept: HashSet<&str> = others()
            .map(|id| stack.compared_id(id))
            .filter(|id| texts.contains(id))
            .collect();
        let kept: HashSet<Box<str>> = kept.into_iter().map(Into::into).collect();
        names.retain(|name| !kept.contains(&name.text));
        let finder = Finder::of(&names);
        let is_object = |id: &ResourceId| {
            let flags = stack.record(*id).flags;
            !flags.intersects(Flags::DATA | Flags::PROVIDER | Flags::STACK)
        };
        let others: Vec<ResourceId> = others().filter(is_object).collect();
        let tied = reader.with_bytes(&others, |_, bytes| finder.is_any_in(bytes));
        let next = &self.next;
        let mut facts = reader.gather(&tied, |ids| {
            let found = ids.iter().filter_map(|id| {
                let search = Search {
                    stack,
                    finder: &finder,
                    resource: &(reader.read)(*id)?,
                    id: *id,
                };
                Some(search.facts(next))
            });
            found.flatten().collect()
        });
        facts.sort_by_key(|(owner, fact)| (*owner, fact.id));
        let facts = facts.chunk_by(|one, other| one.0 == other.0);
        facts.map(|facts| notice(stack, facts)).collect()
    }
}

/// The notice about an object that goes, with the places that name it.
fn notice(stack: &Stack, facts: &[(ResourceId, Fact)]) -> Notice {
    let owner = facts[0].0;
    let facts: Vec<Fact> = facts.iter().map(|(_, fact)| fact.clone()).collect();
    let name = stack.spoken_name(owner);
    let (level, verb) = match stack.record(owner).action {
        Some(Action::Replace) => (Level::Warning, "replaces"),
        _ => (Level::Danger, "deletes"),
    };
    let says = format!("stays and refers to {name}, which this plan {verb}");
    Notice {
        root: Some(owner),
        ..Notice::of(stack, facts, level, "dangling-reference", says)
    }
}

/// The names of an object in one state. True beside an id, false beside a name that other types may have too.
pub(super) fn names(resource: &Resource, state: Option<&State>) -> Vec<(Box<str>, bool)> {
    let Some(state) = state else {
        return Vec::new();
    };
    let last_word = LazyCell::new(|| words::last_of_type(&resource.ty));
    let is_name = |key: &str| {
        WORDS.plain_names.has(key) && (key != "bucket" || last_word.starts_with("bucket"))
    };
    let is_known = |key: &str| is_wherever(key) || is_name(key);
    let is_own_key = |key: &str| is_known(key) || last_word_of(key) == *last_word;
    let maps = state.sets().filter_map(Value::as_map);
    // The texts, each with its key. A masked one names nothing.
    let mut texts: Vec<(&str, &str, bool)> = Vec::new();
    for (key, value) in maps.flat_map(|map| map.iter()) {
        texts.extend(
            value
                .as_str()
                .map(|text| (&**key, text, !value.is_secret())),
        );
    }
    // The id of a part is often that of the whole, which the program gives.
    let is_of_another = |text: &str| {
        let mut others = texts.iter().filter(|(_, other, _)| *other == text);
        others.any(|(key, _, _)| !is_own_key(key))
    };
    let full_name = state.sets().find_map(|it| full_name(&resource.ty, it));
    let full_name = full_name.map(|it| (it.into(), true));
    let mut found: Vec<(Box<str>, bool)> = full_name.into_iter().collect();
    let id = resource.id.as_ref();
    let id = id.and_then(|id| Some(("id", id.as_str()?, !id.is_secret())));
    let own = texts.iter().copied().chain(id);
    for (key, text, is_shown) in own {
        let is_id = is_wherever(key);
        if !is_shown {
            continue;
        }
        if is_id && is_telling(text) && !is_of_another(text) {
            found.push((text.into(), true));
        } else if (is_id || is_name(key)) && text.len() > 2 && !is_of_another(text) {
            found.push((text.into(), false));
        }
    }
    found.sort_unstable();
    found.dedup_by(|one, other| {
        one.0 == other.0 && {
            other.1 |= one.1;
            true
        }
    });
    found
}

/// True for a property whose text means the object wherever it occurs: an id or an address.
fn is_wherever(key: &str) -> bool {
    WORDS.ids.has(key) || WORDS.addresses.has(key) || WORDS.address_ends.has(&last_word_of(key))
}

fn last_word_of(key: &str) -> String {
    pieces(key).last().unwrap_or_default().to_lowercase()
}

/// True if a text is no word that two objects may share.
fn is_telling(text: &str) -> bool {
    let has_digit = text.bytes().any(|byte| byte.is_ascii_digit());
    let has_mark = text
        .bytes()
        .any(|byte| matches!(byte, b'-' | b':' | b'/' | b'.'));
    text.len() >= 8 && has_digit && has_mark || text.len() >= 40
}

/// Finds names in the bytes of resources.
///
/// A name means an object only where nothing that goes on is after it, so it is looked up at these places, by its last bytes. They
/// tell more than the first ones: many ARNs begin alike. That takes a fifth of the time of an automaton for all names.
pub(super) struct Finder<'n> {
    /// The names, sorted by their texts from the end.
    names: Vec<&'n Name>,
    /// By name: the place of the longest other name that it ends with.
    shorter: Vec<Option<usize>>,
    /// By byte: true if a name ends with it.
    last: [bool; 256],
    /// The ends of names that are shorter than [`END`].
    short_ends: Bits,
    /// The ends of all others.
    ends: Bits,
}

/// Number of bytes at its end by which a name is looked up.
const END: usize = 8;

/// The same for names that are shorter. No name has fewer bytes.
pub(super) const SHORT_END: usize = 3;

impl<'n> Finder<'n> {
    pub(super) fn of(all: &'n [Name]) -> Self {
        let mut names: Vec<&Name> = all.iter().collect();
        names.sort_by(|one, other| from_end(&one.text).cmp(from_end(&other.text)));
        let [mut short_ends, mut ends] = [Bits::of(all.len()), Bits::of(all.len())];
        let mut last = [false; 256];
        let mut shorter: Vec<Option<usize>> = Vec::new();
        for (place, name) in names.iter().enumerate() {
            let text = name.text.as_bytes();
            if let Some(byte) = text.last() {
                last[usize::from(*byte)] = true;
            }
            match end(text) {
                Some(end) => ends.add(end),
                None => short_ends.add(short_end(text)),
            }
            // All names between a name and one that ends with it end with it too.
            let mut above = place.checked_sub(1);
            while let Some(it) = above
                && !name.text.ends_with(&*names[it].text)
            {
                above = shorter[it];
            }
            shorter.push(above);
        }
        Self {
            names,
            shorter,
            last,
            short_ends,
            ends,
        }
    }

    /// True if a name is in these bytes.
    fn is_any_in(&self, bytes: &[u8]) -> bool {
        let mut ends = self.ends(bytes);
        ends.any(|text| self.at_end_of(text).next().is_some())
    }

    /// The names in a text, each with the place where it ends.
    pub(super) fn names_in(&self, text: &[u8]) -> impl Iterator<Item = (&'n Name, usize)> {
        let ends = self.ends(text);
        ends.flat_map(|text| self.at_end_of(text).map(|name| (name, text.len())))
    }

    /// The beginnings of a text at whose end a name may end, and no word goes on.
    fn ends<'t>(&self, text: &'t [u8]) -> impl Iterator<Item = &'t [u8]> {
        // Most places are ruled out by the bytes on both sides.
        let is_last = |byte: u8| self.last[usize::from(byte)];
        let pairs = text.windows(2).enumerate();
        let inner =
            pairs.filter(move |(_, pair)| !GOES_ON[usize::from(pair[1])] && is_last(pair[0]));
        let whole = text.last().filter(|byte| is_last(**byte));
        let ends = inner.map(|(place, _)| place + 1);
        let ends = ends.chain(whole.map(|_| text.len()));
        ends.map(|end| &text[..end]).filter(|text| {
            let is_end = end(text).is_some_and(|end| self.ends.has(end));
            is_end || self.short_ends.has(short_end(text))
        })
    }

    /// The names with which a text ends, the longest first.
    fn at_end_of(&self, text: &[u8]) -> impl Iterator<Item = &'n Name> {
        let end = self
            .names
            .partition_point(|name| from_end(&name.text).le(text.iter().rev()));
        let places = std::iter::successors(end.checked_sub(1), |place| self.shorter[*place]);
        let names = places.map(|place| self.names[place]);
        names.filter(|name| text.ends_with(name.text.as_bytes()))
    }
}

fn from_end(text: &str) -> impl Iterator<Item = &u8> {
    text.as_bytes().iter().rev()
}

/// The last bytes of a text as a number; `None` for a text that is shorter.
fn end(text: &[u8]) -> Option<u64> {
    let end: &[u8; END] = text.last_chunk()?;
    Some(u64::from_le_bytes(*end))
}

/// The same for fewer bytes; 0 for a text that is shorter.
fn short_end(text: &[u8]) -> u64 {
    let end: Option<&[u8; SHORT_END]> = text.last_chunk();
    end.map_or(0, |[first, second, third]| {
        u64::from_le_bytes([*first, *second, *third, 0, 0, 0, 0, 0])
    })
}

/// A set of numbers that may have more than were added.
struct Bits(Vec<u64>);

impl Bits {
    /// An empty set for this number of numbers.
    fn of(n_numbers: usize) -> Self {
        let n_words = n_numbers.next_power_of_two().clamp(1 << 9, 1 << 16);
        Self(vec![0; n_words])
    }

    fn add(&mut self, number: u64) {
        let (word, bit) = self.place(number);
        self.0[word] |= bit;
    }

    fn has(&self, number: u64) -> bool {
        let (word, bit) = self.place(number);
        self.0[word] & bit != 0
    }

    fn place(&self, number: u64) -> (usize, u64) {
        // The digits of the golden ratio mix the bits; the highest ones are mixed best.
        let mixed = (number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40) as usize;
        (mixed >> 6 & (self.0.len() - 1), 1 << (mixed & 63))
    }
}

/// By byte: true if a word goes on with it.
const GOES_ON: [bool; 256] = {
    let mut words = [false; 256];
    let mut byte = 0_u8;
    while byte < 128 {
        words[byte as usize] = byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
        byte += 1;
    }
    words
};

/// The search of one resource that stays.
struct Search<'s> {
    stack: &'s Stack,
    finder: &'s Finder<'s>,
    resource: &'s Resource,
    id: ResourceId,
}

impl Search<'_> {
    /// True if a text of the resource that is no secret has this name in it.
    fn has(&self, name: &str) -> bool {
        let mut has = false;
        let sets = self.resource.current().into_iter().flat_map(State::sets);
        sets.for_each(|set| {
            each_text(set, &mut |text| {
                let mut places = text.match_indices(name);
                has |= places.any(|(at, _)| is_apart(text, at + name.len(), name));
            });
        });
        has
    }

    /// The places that name objects that go, each with its object. One that knows the `next` object too does without the old one.
    fn facts(&self, next: &BTreeMap<ResourceId, Vec<Box<str>>>) -> Vec<(ResourceId, Fact)> {
        let mut found = BTreeMap::new();
        self.run(&mut found);
        let mut n_left = MAX_NEXT;
        found.retain(|owner, _| {
            n_left = n_left.saturating_sub(1);
            let mut next = next.get(owner).into_iter().flatten();
            n_left == 0 || !next.any(|name| self.has(name))
        });
        let facts = found.into_iter();
        facts
            .flat_map(|(owner, facts)| facts.into_iter().map(move |fact| (owner, fact)))
            .collect()
    }

    fn run(&self, facts: &mut BTreeMap<ResourceId, Vec<Fact>>) {
        let Some(state) = self.resource.current() else {
            return;
        };
        let Some(value) = state.section(self.resource.program_section()) else {
            return;
        };
        let address = self.resource.address.as_deref();
        let expressions = address.and_then(|it| self.stack.expressions.of_resource(it));
        for (key, value) in value.as_map().into_iter().flatten() {
            // A value that the provider reports is no reference that somebody wrote.
            let is_set = expressions.is_none_or(|it| it.get(key).is_some());
            if is_set && !WORDS.ids.has(key) {
                self.walk(value, &mut Path(vec![Segment::Key(key.clone())]), facts);
            }
        }
    }

    fn walk(&self, value: &Value, at: &mut Path, facts: &mut BTreeMap<ResourceId, Vec<Fact>>) {
        walk(value, at, &mut |path, value| {
            if let (Some(text), false) = (value.as_str(), value.is_secret()) {
                if let Some((_, document)) = document(value) {
                    self.walk(&document, &mut path.clone(), facts);
                    return false;
                }
                let key = path.last_key().unwrap_or_default();
                let found = self.finder.names_in(text.as_bytes());
                let meant = found.filter(|(name, end)| self.is_meant(name, text, *end, key));
                // A name may be there more than once.
                let meant: BTreeSet<&Name> = meant.map(|(name, _)| name).collect();
                for name in meant {
                    let fact = Fact::now(self.id, path.clone(), value.clone());
                    facts.entry(name.owner).or_default().push(fact);
                }
            }
            !value.is_secret() && path.0.len() < MAX_DEPTH
        });
    }

    /// True if the name that ends at `end` in the text at this key means its object.
    fn is_meant(&self, name: &Name, text: &str, end: usize, key: &str) -> bool {
        if name.owner == self.id {
            return false;
        }
        let is_all = text == &*name.text;
        if name.is_id {
            return is_all || name.text.len() >= MIN_PART && is_apart(text, end, &name.text);
        }
        if !is_all || key.eq_ignore_ascii_case("name") {
            return false;
        }
        // A name means an object only where a property asks for one of its type.
        let ty = words::of_type(self.stack.ty(name.owner));
        has_word(key, &ty)
    }
}

/// True if nothing goes on at the ends of the part of a text that ends at `end`.
fn is_apart(text: &str, end: usize, part: &str) -> bool {
    let goes_on =
        |char: Option<char>| char.is_some_and(|it| it.is_alphanumeric() || it == '-' || it == '_');
    let sides = text.get(..end - part.len()).zip(text.get(end..));
    sides.is_some_and(|(before, after)| {
        !goes_on(before.chars().next_back()) && !goes_on(after.chars().next())
    })
}

#[cfg(test)]
mod tests {
    use aho_corasick::AhoCorasick;
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::super::Documents;
    use super::*;
    use crate::change::rules::Rules;
    use crate::stack::{Header, Kind};
    use crate::value::Map;

    #[test]
    fn a_part_is_apart_where_no_word_goes_on() {
        let check = |text: &str, part: &str, want: bool| {
            let end = text.find(part).expect("the part is in the text") + part.len();
            assert_eq!(is_apart(text, end, part), want, "{part} in {text}");
        };
        check("arn:aws:iam::1:role/app", "role/app", true);
        check("https://db.example.com:5432", "db.example.com", true);
        check("my-db.example.com", "db.example.com", false);
        check("db.example.com_old", "db.example.com", false);
        check("é1234", "1234", false);
        check("{\"1234\"}", "1234", true);
    }

    #[test]
    fn a_replaced_object_goes_by_its_old_names_and_comes_by_its_new_ids() {
        let state = |id: &str| {
            let map = Map::from_iter([("arn", Value::from(id)), ("name", Value::from("orders"))]);
            Some(State {
                outputs: Some(Value::from(map)),
                ..State::default()
            })
        };
        let mut resource = Resource::new("aws_sqs_queue.it", "aws_sqs_queue");
        resource.before = state("arn:aws:sqs:1:orders-0");
        resource.after = state("arn:aws:sqs:1:orders-1");
        let mut ties = Ties::default();
        ties.add(&Seen {
            stack: &Stack::new(Header::new(Kind::TerraformPlan)),
            id: ResourceId(0),
            action: Action::Replace,
            resource: &resource,
            leaves: &[],
            origins: &|| &[],
            rules: &Rules::default(),
            found: &[],
            read: &|_| None,
            documents: &Documents::default(),
        });
        let gone: Vec<(&str, bool)> = ties.gone.iter().map(|it| (&*it.text, it.is_id)).collect();
        assert_eq!(gone, [("arn:aws:sqs:1:orders-0", true), ("orders", false)]);
        // The name stays taken, so it means the new object, and is none by which that is found from now on.
        let next: Vec<Box<str>> = vec!["arn:aws:sqs:1:orders-1".into()];
        assert_eq!(ties.next, BTreeMap::from([(ResourceId(0), next)]));
        let taken = ["arn:aws:sqs:1:orders-1", "orders"];
        assert_eq!(ties.taken, taken.map(hash_of).into());
    }

    proptest! {
        #[test]
        fn names_are_found_where_nothing_goes_on(
            texts in vec("[ab:/-]{3,14}|arn:aws:iam::1:role/[ab]{1,3}", 1..8),
            // Most of it is made of names.
            bytes in vec(prop_oneof![any::<prop::sample::Index>().prop_map(Some), Just(None)], 0..12),
            between in "[ab\" é-]{1,3}",
        ) {
            let texts = std::collections::BTreeSet::from_iter(texts);
            let name = |text: &String| Name { text: text.as_str().into(), owner: ResourceId(0), is_id: true };
            let names: Vec<Name> = texts.iter().map(name).collect();
            let part = |place: &Option<prop::sample::Index>| place.map_or("x", |place| &names[place.index(names.len())].text);
            let text = bytes.iter().map(part).collect::<Vec<_>>().join(&between) + "}";
            let automaton = AhoCorasick::new(names.iter().map(|name| name.text.as_bytes())).expect("few names");
            let found = automaton.find_overlapping_iter(&text);
            let ends = found.filter(|it| !GOES_ON[usize::from(text.as_bytes()[it.end()])]);
            let mut want: Vec<&Name> = ends.map(|it| &names[it.pattern().as_usize()]).collect();
            want.sort_unstable();
            want.dedup();
            let finder = Finder::of(&names);
            let mut found: Vec<&Name> = finder.names_in(text.as_bytes()).map(|(name, _)| name).collect();
            found.sort_unstable();
            found.dedup();
            prop_assert_eq!(finder.is_any_in(text.as_bytes()), !want.is_empty());
            prop_assert_eq!(found, want, "{}", text);
        }
    }
}
