//! Changed leaves as hashes.
//!
//! The hashes are the same in every run, so two runs agree on the kinds of a plan. They cover the contents of secrets and must not
//! be written to a file.

use core::net::IpAddr;
use std::cmp::Ordering;
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher, Hash, Hasher};

use super::lines::first_moved;
use crate::change::difference::Reason;
use crate::change::groups::counted;
use crate::change::leaves::Leaf;
use crate::change::quantity::{compare, compare_versions};
use crate::change::schedule;
use crate::change::vocabulary::WORDS;
use crate::path::Segment;
use crate::text::{has_word, with_name};
use crate::value::content::content_hash;
use crate::value::{Payload, Sealed, Value};

/// A hash of 128 bits. Two different things have one print with a chance that can be neglected.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Print(u128);

impl Print {
    /// The print of anything that can be hashed.
    pub fn of(thing: &impl Hash) -> Self {
        Self::with(|state, _| thing.hash(state))
    }

    /// The print of all that `feed` hashes.
    fn with(feed: impl Fn(&mut DefaultHasher, &Seeded)) -> Self {
        let half = |seed: u64| {
            let seeded = Seeded(seed);
            let mut state = seeded.build_hasher();
            feed(&mut state, &seeded);
            u128::from(state.finish())
        };
        Self(half(0) << 64 | half(1))
    }
}

/// A hash of 64 bits. It is the same in every run.
pub fn hash_of(thing: &(impl Hash + ?Sized)) -> u64 {
    BuildHasherDefault::<DefaultHasher>::new().hash_one(thing)
}

/// Builds hashers that differ by a number.
struct Seeded(u64);

impl BuildHasher for Seeded {
    type Hasher = DefaultHasher;

    fn build_hasher(&self) -> DefaultHasher {
        let mut state = BuildHasherDefault::<DefaultHasher>::new().build_hasher();
        state.write_u64(self.0);
        state
    }
}

/// A changed leaf as prints.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct LeafPrint {
    /// The place and the sign: section, generalised path, action, its effect on the resource, and the line of the text that moves.
    pub place: Print,
    /// The place with both values.
    pub change: Print,
    /// The place with the words that differ, so that `a.prod/v1` → `a.prod/v2` and `b.prod/v1` → `b.prod/v2` are one edit; the
    /// change itself if there are none. The words of the resource's name are its name, whatever it is.
    pub edit: Print,
    /// The numbers that differ, if the values are texts that differ in nothing else, as those of two releases do; else 0.
    pub text: u64,
    /// The direction of the change; `None` if it has none.
    pub direction: Option<Direction>,
    /// The language of a document that is only written differently; `None` for any other change.
    pub spelling: Option<Language>,
    /// True if both values are texts.
    pub is_text: bool,
    /// True if it has no effect.
    pub is_idle: bool,
    /// The kind of tag that changes.
    pub tag: Tag,
    /// True if it forces the replacement of the resource.
    pub replaces: bool,
}

/// The direction of a change.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Direction {
    /// A quantity grows, or a version gets newer.
    Up,
    /// A quantity shrinks, or a version gets older.
    Down,
    /// A schedule comes less often.
    Rarer,
    /// A schedule comes more often.
    Oftener,
}

/// The language of a document.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Language {
    /// JSON.
    Json,
    /// YAML.
    Yaml,
}

/// A kind of tag.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Tag {
    /// It is none.
    No,
    /// A tag or a label, which only names something.
    Label,
    /// An annotation, which may also tell a program what to do: `nginx.ingress.kubernetes.io/rewrite-target`.
    Annotation,
}

/// The property that holds annotations.
const ANNOTATIONS: &str = "annotations";

impl LeafPrint {
    /// The prints of a leaf of the resource `owner`. A value that the file leaves out is equal to no other.
    pub fn of(leaf: &Leaf, owner: &str) -> Self {
        let place = Print::of(&(
            leaf.section,
            leaf.pattern(),
            leaf.action,
            leaf.replaces,
            leaf.reason,
        ));
        let moved = first_moved(leaf);
        let moved = moved.map(|(line, to)| (with_name(&line, owner).unwrap_or(line), to));
        let place = moved.map_or(place, |moved| Print::of(&(place, moved)));
        let change = Print::with(|state, seeded| {
            place.hash(state);
            for value in [&leaf.before, &leaf.after] {
                side(value).hash(state);
                state.write_u64(content_hash(value, seeded));
                if matches!(value.payload(), Payload::Sealed(Sealed::Redacted)) {
                    owner.hash(state);
                }
            }
        });
        let texts = Edit::of(leaf);
        let text = texts.as_ref().and_then(|edit| release(leaf, edit));
        let is_awaited = leaf.after.is_computed() && !leaf.after.is_secret();
        let edit = match texts {
            Some(edit) => match newer(leaf, &edit) {
                Some(way) => Print::of(&(place, "version", way)),
                None => Print::of(&(place, edit.named(owner))),
            },
            None if is_awaited => Print::of(&(place, "known after apply")),
            None => change,
        };
        let order = compare(&leaf.before, &leaf.after)
            .or_else(|| compare_versions(&leaf.before, &leaf.after));
        let is_masked = leaf.before.is_secret() || leaf.after.is_secret();
        let often = schedule::compare(&leaf.before, &leaf.after).filter(|_| !is_masked);
        Self {
            place,
            change,
            edit,
            text: text.unwrap_or(0),
            direction: match (order.filter(|_| !is_masked), often) {
                (Some(Ordering::Less), _) => Some(Direction::Up),
                (Some(Ordering::Greater), _) => Some(Direction::Down),
                (_, Some(Ordering::Greater)) => Some(Direction::Rarer),
                (_, Some(Ordering::Less)) => Some(Direction::Oftener),
                (_, Some(Ordering::Equal) | None) => None,
            },
            is_text: leaf.before.as_str().is_some() && leaf.after.as_str().is_some(),
            spelling: spelling(leaf),
            is_idle: is_idle(leaf),
            tag: Tag::of(leaf),
            replaces: leaf.replaces,
        }
    }
}

/// True for a change that has no effect: another spelling, or another order of the same elements.
pub(super) fn is_idle(leaf: &Leaf) -> bool {
    let is_order = matches!(leaf.reason, Some(Reason::OtherOrder | Reason::Moved));
    leaf.is_without_effect() || is_order && !leaf.replaces
}

/// True for another order of a list that may be gone through from its start.
pub(super) fn is_order(leaf: &Leaf) -> bool {
    matches!(leaf.reason, Some(Reason::OtherOrder | Reason::Moved))
        && has_step(leaf, &WORDS.in_order)
}

/// True if the property of a leaf has one of these words in its name.
pub(super) fn has_step(leaf: &Leaf, words: &[impl AsRef<str>]) -> bool {
    match leaf.path.0.last() {
        Some(Segment::Key(key)) => has_word(key, words),
        Some(Segment::Index(_)) | None => false,
    }
}

/// The language of a document that is only written differently.
fn spelling(leaf: &Leaf) -> Option<Language> {
    if !is_idle(leaf) {
        return None;
    }
    let is_json = |text: &str| text.trim_start().starts_with(['{', '[']);
    match (leaf.reason, leaf.before.as_str()) {
        (Some(Reason::FormattingOnly), Some(text)) if !is_json(text) => Some(Language::Yaml),
        (Some(Reason::FormattingOnly), _) => Some(Language::Json),
        _ => leaf.document.map(|_| Language::Json),
    }
}

/// Number of steps to the deepest property that holds tags: `metadata[0].labels`.
const MAX_TAG_DEPTH: usize = 3;

impl Tag {
    /// The kind of tag that a change is about.
    pub fn of(leaf: &Leaf) -> Self {
        let mut steps = leaf.path.0.iter().take(MAX_TAG_DEPTH);
        let holder = steps.find_map(|step| match step {
            Segment::Key(key) if WORDS.tags.has(key) => Some(&**key),
            Segment::Key(_) | Segment::Index(_) => None,
        });
        match holder {
            None => Self::No,
            Some(ANNOTATIONS) => Self::Annotation,
            Some(_) => Self::Label,
        }
    }
}

/// The words of a text that a change takes away and brings, or its signs if the words are the same.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Edit {
    /// The words that are only in the text before, in its order.
    pub(super) removed: Vec<String>,
    /// The words that are only in the text after, in its order.
    pub(super) added: Vec<String>,
}

impl Edit {
    /// The edit of a text; `None` if a side is no text or is masked, or if only the order of the words differs.
    pub(super) fn of(leaf: &Leaf) -> Option<Self> {
        let text = |value: &'_ Value| -> Option<String> {
            let text = value.as_str().filter(|_| !value.is_secret())?;
            (text.len() <= MAX_EDITED).then(|| text.to_owned())
        };
        let (before, after) = (text(&leaf.before)?, text(&leaf.after)?);
        if is_hash(before.trim_end_matches('=')) && is_hash(after.trim_end_matches('=')) {
            let [removed, added] = unnamed([before, after].map(|text| vec![text]));
            return Some(Self { removed, added });
        }
        let by = |parts: fn(&str) -> Vec<&str>| {
            let (before, after) = (parts(&before), parts(&after));
            let (removed, added) = (without(&before, &after), without(&after, &before));
            let [removed, added] = unnamed([removed, added]);
            let is_edit = !removed.is_empty() || !added.is_empty();
            is_edit.then_some(Self { removed, added })
        };
        let Some(mut edit) = by(words) else {
            return by(signs);
        };
        // Of expressions with the same words, a bracket or a slash may be what tells them apart.
        if let Some(own) = by(brackets) {
            edit.removed.extend(own.removed);
            edit.added.extend(own.added);
        }
        Some(edit)
    }

    /// The edit with one sign for the names of a resource with this identity, unless that leaves nothing that differs.
    fn named(self, identity: &str) -> Self {
        let called_so = |words: &Vec<String>| -> Option<Vec<String>> {
            let text = with_name(&words.join(" "), identity)?;
            Some(text.split(' ').map(str::to_owned).collect())
        };
        let edit = match [&self.removed, &self.added].map(called_so) {
            [None, None] => return self,
            [removed, added] => Self {
                removed: removed.unwrap_or_else(|| self.removed.clone()),
                added: added.unwrap_or_else(|| self.added.clone()),
            },
        };
        if edit.removed == edit.added {
            self
        } else {
            edit
        }
    }
}

/// The words of both sides with one sign for every hash: a new one tells nothing. Digits alone are a hash beside one with letters.
fn unnamed(sides: [Vec<String>; 2]) -> [Vec<String>; 2] {
    let is_one = |word: &String| is_hash(word.trim_end_matches('='));
    let has_letter = |word: &&String| word.bytes().any(|byte| byte.is_ascii_alphabetic());
    let mut hashes = sides.iter().flatten().filter(|word| is_one(word));
    if !hashes.any(|word| has_letter(&word)) {
        return sides;
    }
    let name = |word: String| if is_one(&word) { "#".to_owned() } else { word };
    sides.map(|words| words.into_iter().map(name).collect())
}

/// Minimum number of hexadecimal digits of a hash.
const MIN_HASH: usize = 7;

/// Minimum length of a text of digits and letters that is a hash of any base.
const MIN_DIGEST: usize = 20;

/// True for a hash, as far as a text tells.
pub fn is_hash(text: &str) -> bool {
    let is_hex = text.bytes().all(|byte| byte.is_ascii_hexdigit());
    let is_digest = || {
        let is_digit = |byte: u8| byte.is_ascii_digit();
        let is_sign =
            |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'-' | b'_');
        text.len() >= MIN_DIGEST && text.bytes().any(is_digit) && text.bytes().all(is_sign)
    };
    is_hex && text.len() >= MIN_HASH || is_digest()
}

/// The order of two versions of one thing, in a property that is named for it: each resource has its own, and goes the same way.
fn newer(leaf: &Leaf, edit: &Edit) -> Option<Ordering> {
    let name = leaf.name()?;
    let has_digit = |word: &String| word.bytes().any(|byte| byte.is_ascii_digit());
    let sides = [&edit.removed, &edit.added];
    let is_number = sides
        .iter()
        .all(|side| !side.is_empty() && side.iter().all(has_digit));
    let order = compare_versions(&leaf.before, &leaf.after).filter(|order| order.is_ne());
    order.filter(|_| is_number && has_word(name, &WORDS.versions))
}

/// A hash of the numbers that differ, if two texts differ in nothing else, as those of two releases do. Addresses are none. A single
/// number tells too little, so the texts have to be equal too.
fn release(leaf: &Leaf, edit: &Edit) -> Option<u64> {
    let texts = [leaf.before.as_str()?, leaf.after.as_str()?];
    let is_number = |word: &str| word.bytes().any(|byte| byte.is_ascii_digit());
    let sides = [&edit.removed, &edit.added];
    let has_numbers = |n: usize| sides.iter().all(|side| side.len() >= n);
    if !has_numbers(1) || !sides.into_iter().flatten().all(|word| is_number(word)) {
        return None;
    }
    let is_address = |text: &str| text.parse::<IpAddr>().is_ok() || text.contains('/');
    if texts.into_iter().any(is_address) {
        return None;
    }
    let is_part = |char: char| char.is_ascii_alphanumeric() || matches!(char, '.' | '-' | '_');
    let is_release = |text: &str| {
        let n_numbers = words(text).into_iter().filter(|it| is_number(it)).count();
        n_numbers > 1 && text.chars().all(is_part)
    };
    // One means none.
    if has_numbers(2) {
        Some(Seeded(0).hash_one(sides).max(1))
    } else {
        let is_one = texts.into_iter().all(is_release);
        is_one.then(|| Seeded(1).hash_one(texts).max(1))
    }
}

/// Maximum length in bytes of a text whose words are compared.
const MAX_EDITED: usize = 4096;

/// The parts of `one` that `other` has not, or has less often.
fn without(one: &[&str], other: &[&str]) -> Vec<String> {
    let mut counts = counted(other.iter().copied());
    let own = one.iter().filter(|part| match counts.get_mut(**part) {
        Some(count) if *count > 0 => {
            *count -= 1;
            false
        }
        Some(_) | None => true,
    });
    own.map(|part| (*part).to_owned()).collect()
}

fn words(text: &str) -> Vec<&str> {
    let words = text.split(|char: char| !char.is_alphanumeric());
    words.filter(|word| !word.is_empty()).collect()
}

/// The characters of a text that belong to no word.
fn signs(text: &str) -> Vec<&str> {
    let signs = text.matches(|char: char| !char.is_alphanumeric());
    signs.collect()
}

/// The signs of a text that hold an expression together.
fn brackets(text: &str) -> Vec<&str> {
    text.matches([
        '(', ')', '[', ']', '{', '}', '<', '>', '!', '|', '&', '"', '\'', '/', '*',
    ])
    .collect()
}

/// The part of a value that its content does not cover: absence, unknown and secrecy are different.
fn side(value: &Value) -> (bool, bool, bool) {
    (value.is_null(), value.is_computed(), value.is_secret())
}
