//! Against the stream: of several that change one property, the one that goes another way. Its value gets smaller or older where
//! theirs get larger or newer, it grows out of proportion, it comes from another expression, it has another form, or it leaves what they
//! leave for something else. Or it stays as it is.
//!
//! All of these are questions about one table: the changed values of each property of a type, as hashes.

use std::cmp::Ordering;

use memchr::memmem;

use super::arguments::root_in_words;
use super::{Fact, Notice, Reader, Seen};
use crate::change::decode::document;
use crate::change::groups::most_frequent;
use crate::change::kinds::{Tag, hash_of};
use crate::change::leaves::Leaf;
use crate::change::quantity::{compare, compare_versions, growth};
use crate::change::rules::Level;
use crate::change::texts::plain_text;
use crate::change::vocabulary::WORDS;
use crate::path::{Path, Segment};
use crate::stack::{Resource, ResourceId, Section, Stack};
use crate::text::has_word;
use crate::value::{Payload, Value};

/// The name of the mechanism that finds resources that keep a value that others give up.
pub(super) const LEFT_BEHIND: &str = "left-behind";

/// Number of others that make a stream for each one that goes another way.
const MIN_STREAM: usize = 3;

/// Number of times that a change is larger than the usual one, from which on it is out of proportion.
const MIN_BEYOND: f64 = 3.0;

/// Number of others of one form beside which another form is odd.
const MIN_ALIKE: usize = 6;

/// Minimum length of a text that others keep by no chance.
const MIN_KEPT: usize = 4;

/// Maximum length of a text that is told.
const MAX_KEPT: usize = 60;

/// Maximum number of resources that keep it.
const MAX_KEEPING: usize = 8;

/// Maximum number of unchanged resources of one type that are searched for a text.
const MAX_READ: usize = 500;

/// Maximum number of resources whose expressions are compared.
const MAX_ROOTS: usize = 64;

/// The direction of a change.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
enum Way {
    Grows,
    Shrinks,
    Newer,
    Older,
}

impl Way {
    const ALL: [Self; 4] = [Self::Grows, Self::Shrinks, Self::Newer, Self::Older];

    fn opposite(self) -> Self {
        match self {
            Self::Grows => Self::Shrinks,
            Self::Shrinks => Self::Grows,
            Self::Newer => Self::Older,
            Self::Older => Self::Newer,
        }
    }

    fn words(self) -> &'static str {
        match self {
            Self::Grows => "grows",
            Self::Shrinks => "gets smaller",
            Self::Newer => "gets newer",
            Self::Older => "gets older",
        }
    }
}

/// A changed value.
#[derive(Clone, Debug)]
pub(super) struct Step {
    /// The hash of type and property.
    property: u64,
    id: ResourceId,
    path: Path,
    way: Option<Way>,
    /// The growth of the value: 2 for twice as much.
    growth: Option<f64>,
    section: Section,
    before: u64,
    after: u64,
    form: u64,
    /// True if a rule warns of the change.
    is_warned: bool,
}

/// The changed values of a resource.
pub(super) fn find(seen: &Seen<'_>) -> Vec<Step> {
    let leaves = seen.properties().filter(|leaf| is_told(leaf));
    let leaves = leaves.filter(|_| seen.changes_values());
    let steps = leaves.map(|leaf| {
        // A tag is one property, whatever has it.
        let ty = match Tag::of(leaf) {
            Tag::No => seen.stack.ty(seen.id),
            Tag::Label | Tag::Annotation => "",
        };
        Step {
            property: hash_of(&(ty, leaf.pattern().to_string())),
            id: seen.id,
            path: leaf.path.clone(),
            way: way(leaf),
            growth: growth(&leaf.before, &leaf.after),
            section: leaf.section,
            before: hash_of(&leaf.before.to_string()),
            after: hash_of(&leaf.after.to_string()),
            form: form(&leaf.after),
            is_warned: seen.found.iter().any(|it| {
                let is_heavy = !it.is_open && it.rule.level == Level::Warning;
                is_heavy && !it.path.0.is_empty() && leaf.path.contains(&it.path)
            }),
        }
    });
    steps.collect()
}

/// A notice about each resource that goes another way than most.
pub(super) fn notices(mut steps: Vec<Step>, reader: &Reader<'_>) -> Vec<Notice> {
    steps.sort_by(|one, other| {
        (one.property, one.id, &one.path).cmp(&(other.property, other.id, &other.path))
    });
    let properties = steps.chunk_by(|one, other| one.property == other.property);
    let enough = properties.filter(|it| it.len() > MIN_STREAM);
    let notices = enough.flat_map(|steps| {
        let family = Family::of(reader.stack, steps);
        let questions = [
            Family::of_other_way,
            Family::of_other_root,
            Family::of_other_form,
            Family::of_other_value,
        ];
        let mut answers = questions.iter().filter_map(|it| it(&family, reader));
        let odd = answers.find(|it| !it.is_empty()).unwrap_or_default();
        odd.into_iter().chain(family.left_behind(reader))
    });
    notices.collect()
}

/// The changed values of one property of a type, one of each resource.
struct Family<'s> {
    stack: &'s Stack,
    steps: Vec<&'s Step>,
}

impl<'s> Family<'s> {
    fn of(stack: &'s Stack, steps: &'s [Step]) -> Self {
        // Of several elements of a list nobody knows which belongs to which.
        let lone = steps.chunk_by(|one, other| one.id == other.id);
        let lone = lone.filter_map(|all| match all {
            [one] => Some(one),
            _ => None,
        });
        Self {
            stack,
            steps: lone.collect(),
        }
    }

    /// The few of their type that keep the value that all of these give up.
    fn left_behind(&self, reader: &Reader<'_>) -> Option<Notice> {
        let [first, rest @ ..] = &self.steps[..] else {
            return None;
        };
        let is_alike = |it: &&Step| (it.before, it.after) == (first.before, first.after);
        let ty = self.stack.ty(first.id);
        let is_of_one_type = rest.iter().all(|it| self.stack.ty(it.id) == ty);
        if self.steps.len() < MIN_STREAM || !is_of_one_type || !rest.iter().all(is_alike) {
            return None;
        }
        let value = (reader.read)(first.id)?;
        let value = value.before.as_ref()?.section(first.section)?;
        let is_given_up = |it: &Value| hash_of(&it.to_string()) == first.before;
        let kept = first_at(value, &first.path.0, &is_given_up)?;
        let is_name = |text: &&str| (MIN_KEPT..=MAX_KEPT).contains(&text.len());
        let text = kept.as_str().filter(is_name)?;
        let has_text = memmem::Finder::new(text);
        let unchanged: Vec<ResourceId> = reader.unchanged(ty).take(MAX_READ + 1).collect();
        if unchanged.len() > MAX_READ {
            return None;
        }
        let near = reader.with_bytes(&unchanged, |_, bytes| has_text.find(bytes).is_some());
        let keeps = |(id, resource): (ResourceId, Resource)| {
            let value = resource.current()?.section(first.section)?;
            first_at(value, &first.path.0, &|it| it.is_identical(&kept)).map(|_| id)
        };
        let keeping: Vec<ResourceId> = reader.each(near).filter_map(keeps).collect();
        let is_few = keeping.len() <= MAX_KEEPING && self.steps.len() >= MIN_STREAM * keeping.len();
        if keeping.is_empty() || !is_few {
            return None;
        }
        let names = self.stack.by_name(keeping.iter().copied());
        let names: Vec<&str> = names.iter().map(|id| self.stack.spoken_name(*id)).collect();
        let keep = if names.len() == 1 { "keeps" } else { "keep" };
        let says = format!("left behind: {} {keep} {kept}", names.join(", "));
        let ids = self.steps.iter().map(|it| it.id);
        Some(Notice::of_all(
            self.stack,
            ids,
            Level::Note,
            LEFT_BEHIND,
            says,
        ))
    }

    /// The others that change the property, in words.
    fn others(&self, n: usize) -> String {
        let mut types = self.steps.iter().map(|it| self.stack.ty(it.id));
        let first = types.next().unwrap_or_default();
        if types.all(|ty| ty == first) {
            format!("the {n} other {first} that change it")
        } else {
            format!("the {n} others that change it")
        }
    }

    /// Those that go another way than most, or much further.
    fn of_other_way(&self, _: &Reader<'_>) -> Option<Vec<Notice>> {
        let odd = [self.against().unwrap_or_default(), self.beyond()].concat();
        (!odd.is_empty()).then_some(odd)
    }

    /// Those whose change is out of proportion: many times that of most.
    fn beyond(&self) -> Vec<Notice> {
        let of_way = |grows: bool| {
            let steps = self.steps.iter().copied();
            let sized = steps.filter_map(|it| Some((it, it.growth?.ln().abs())));
            let mut sized: Vec<(&Step, f64)> = sized
                .filter(|(it, _)| it.growth.is_some_and(|growth| (growth > 1.0) == grows))
                .collect();
            sized.sort_by(|(_, one), (_, other)| one.total_cmp(other));
            sized
        };
        let notices = [true, false].into_iter().flat_map(|grows| {
            let sized = of_way(grows);
            // The usual change is the one in the middle of the smaller half and the rest.
            let usual = sized
                .get(sized.len().saturating_sub(1) / 2)
                .map_or(0.0, |it| it.1);
            let n_usual = sized.partition_point(|(_, size)| *size < usual + MIN_BEYOND.ln());
            let (others, odd) = sized.split_at(n_usual);
            let is_stream = others.len() >= MIN_STREAM && others.len() > odd.len();
            let most = others.last().map_or(0.0, |it| it.1);
            let odd = odd
                .iter()
                .filter(move |(_, size)| is_stream && *size >= most + MIN_BEYOND.ln());
            let n = others.len();
            odd.map(move |(step, size)| {
                let others = self.others(n);
                let way = if grows { Way::Grows } else { Way::Shrinks };
                let says = format!(
                    "out of proportion: it {} {} times, and at most {} times in {others}",
                    way.words(),
                    times(*size),
                    times(most)
                );
                step.notice(Level::Note, says)
            })
            .collect::<Vec<_>>()
        });
        notices.collect()
    }

    /// Those that go another way than most.
    fn against(&self) -> Option<Vec<Notice>> {
        let going = |way: Way| {
            self.steps
                .iter()
                .copied()
                .filter(move |it| it.way == Some(way))
        };
        let (way, n_stream, odd) = Way::ALL.into_iter().find_map(|way| {
            let n_stream = going(way).count();
            let odd: Vec<&Step> = going(way.opposite()).collect();
            let is_stream = !odd.is_empty() && n_stream >= MIN_STREAM * odd.len();
            is_stream.then_some((way, n_stream, odd))
        })?;
        let notice = |step: &&Step| {
            let level = match way {
                // Two things say that it is no usual change.
                _ if step.is_warned => Level::Danger,
                Way::Newer => Level::Warning,
                Way::Grows | Way::Shrinks | Way::Older => Level::Note,
            };
            let says = format!(
                "against the stream: it {} in {}",
                way.words(),
                self.others(n_stream)
            );
            step.notice(level, says)
        };
        Some(odd.iter().map(notice).collect())
    }

    /// Those that get another value than most, and from another expression.
    fn of_other_root(&self, _: &Reader<'_>) -> Option<Vec<Notice>> {
        let (usual, odd) = self.split(|step| step.after, MIN_STREAM)?;
        let root = |step: &Step| {
            let address = self.stack.address(step.id)?;
            root_in_words(self.stack, address, &step.path, None)
        };
        let of_usual = root(usual[0])?;
        let is_usual = |it: &&Step| root(it).as_ref() == Some(&of_usual);
        if !usual.iter().take(MAX_ROOTS).all(is_usual) {
            return None;
        }
        let notice = |step: &&Step| {
            root(step).filter(|own| *own != of_usual)?;
            let says = format!(
                "{} take another value, {of_usual}",
                self.others(usual.len())
            );
            Some(step.notice(Level::Note, says))
        };
        Some(odd.iter().filter_map(notice).collect())
    }

    /// Those that leave the value that most leave too, for another one than they do.
    fn of_other_value(&self, reader: &Reader<'_>) -> Option<Vec<Notice>> {
        let (usual, odd) = self.split(|step| step.after, MIN_ALIKE)?;
        let before = usual[0].before;
        let leaves_it = |step: &&Step| step.before == before;
        if !usual.iter().all(leaves_it) {
            return None;
        }
        let resource = (reader.read)(usual[0].id)?;
        let after = resource.after.as_ref()?.section(usual[0].section)?;
        let is_new = |it: &Value| hash_of(&it.to_string()) == usual[0].after;
        let value = first_at(after, &usual[0].path.0, &is_new)?;
        if value.as_str().is_some_and(|it| it.len() > MAX_KEPT) {
            return None;
        }
        let says = format!("{} become {value}", self.others(usual.len()));
        let odd = odd.into_iter().filter(leaves_it);
        let notices = odd.map(|step| step.notice(Level::Note, says.clone()));
        Some(notices.collect())
    }

    /// Those whose value has another form than all others.
    fn of_other_form(&self, _: &Reader<'_>) -> Option<Vec<Notice>> {
        let (usual, odd) = self.split(|step| step.form, MIN_ALIKE)?;
        let notice = |step: &&Step| {
            let says = format!(
                "a value of another form than in {}",
                self.others(usual.len())
            );
            step.notice(Level::Note, says)
        };
        Some(odd.iter().map(notice).collect())
    }

    /// The steps that share a fact, and the few that have another one: at most one for each `min` of the others.
    fn split(&self, fact: fn(&Step) -> u64, min: usize) -> Option<(Vec<&Step>, Vec<&Step>)> {
        let counts = most_frequent(self.steps.iter().map(|it| fact(it)));
        let (most, n) = *counts.first()?;
        let n_odd = self.steps.len() - n;
        let is_split = n_odd > 0 && n >= min * n_odd;
        is_split.then(|| self.steps.iter().copied().partition(|it| fact(it) == most))
    }
}

impl Step {
    fn notice(&self, level: Level, says: String) -> Notice {
        let fact = Fact::at(self.id, self.path.clone());
        Notice::at(fact, level, "against-the-stream", says)
    }
}

/// The first value at a place that is meant, in whatever elements of lists. The place may lead into the document in a string. Masked
/// values are not found.
fn first_at(value: &Value, steps: &[Segment], is_meant: &dyn Fn(&Value) -> bool) -> Option<Value> {
    if value.is_secret() {
        return None;
    }
    let Some((step, rest)) = steps.split_first() else {
        return is_meant(value).then(|| value.clone());
    };
    let inner = document(value).map(|(_, inner)| inner);
    let value = inner.as_ref().unwrap_or(value);
    match step {
        Segment::Key(key) => first_at(value.get(key)?, rest, is_meant),
        Segment::Index(_) => value
            .as_array()?
            .iter()
            .find_map(|it| first_at(it, rest, is_meant)),
    }
}

/// The factor of a growth, from its logarithm: `120`, `1.5`.
fn times(size: f64) -> String {
    let n = size.exp();
    let rounded = if n < 10.0 {
        (n * 10.0).round() / 10.0
    } else {
        n.round()
    };
    rounded.to_string()
}

/// True for a change from one plain value to another.
fn is_told(leaf: &Leaf) -> bool {
    let is_plain = |value: &Value| plain_text(value).is_some();
    !leaf.is_without_effect()
        && is_plain(&leaf.after)
        && (is_plain(&leaf.before) || leaf.before.is_null())
}

/// The direction of a change, if it has one.
fn way(leaf: &Leaf) -> Option<Way> {
    let is_text = leaf.after.as_str().is_some();
    let name = leaf.path.last_key();
    let is_version = is_text && name.is_some_and(|name| has_word(name, &WORDS.versions));
    let quantity = || compare(&leaf.before, &leaf.after).map(|order| (order, false));
    let version = || compare_versions(&leaf.before, &leaf.after).map(|order| (order, true));
    let (order, is_version) = if is_version {
        version().or_else(quantity)?
    } else {
        quantity().or_else(|| version().filter(|_| is_text))?
    };
    match (order, is_version) {
        (Ordering::Less, false) => Some(Way::Grows),
        (Ordering::Greater, false) => Some(Way::Shrinks),
        (Ordering::Less, true) => Some(Way::Newer),
        (Ordering::Greater, true) => Some(Way::Older),
        (Ordering::Equal, _) => None,
    }
}

/// The form of a value: its kind, and of a text the signs that names and numbers do not have.
fn form(value: &Value) -> u64 {
    let Some(text) = value.as_str() else {
        return hash_of(&match value.payload() {
            Payload::Number(_) => "number",
            Payload::Bool(true) => "true",
            _ => "",
        });
    };
    let scheme = text.split_once("://").map_or("", |(scheme, _)| scheme);
    let has = |sign: char| text.contains(sign);
    let signs: String = "/:@*,?{}$%=+".chars().filter(|sign| has(*sign)).collect();
    hash_of(&(scheme, signs, text.is_empty(), has(' ')))
}
