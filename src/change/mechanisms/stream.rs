//! Against the stream: of several that change one property, the one that goes another way. Its value gets smaller or older where
//! theirs get larger or newer, it comes from another expression, or it has another form.
//!
//! All three are questions about one table: the changed values of each property of a type, as hashes.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use super::arguments::root_in_words;
use super::tables::WORDS;
use super::{Fact, Notice, Reader, Seen};
use crate::change::kinds::{Tag, hash_of, pattern};
use crate::change::leaves::Leaf;
use crate::change::quantity::{compare, compare_versions};
use crate::change::rules::Level;
use crate::path::Path;
use crate::stack::{ResourceId, Section, Stack};
use crate::text::has_word;
use crate::value::{Payload, Value};

/// Number of others that make a stream for each one that goes another way.
const MIN_STREAM: usize = 3;

/// Number of others of one form beside which another form is odd.
const MIN_ALIKE: usize = 6;

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
    after: u64,
    form: u64,
    /// True if a rule warns of the change.
    is_warned: bool,
}

/// The changed values of a resource.
pub(super) fn find(seen: &Seen<'_>) -> Vec<Step> {
    let leaves = seen.leaves.iter().filter(|leaf| is_told(leaf));
    let leaves = leaves.filter(|_| seen.changes_values());
    let steps = leaves.map(|leaf| {
        // A tag is one property, whatever has it.
        let ty = match Tag::of(leaf) {
            Tag::No => seen.stack.ty(seen.id),
            Tag::Label | Tag::Annotation => "",
        };
        Step {
            property: hash_of(&(ty, pattern(&leaf.path).to_string())),
            id: seen.id,
            path: leaf.path.clone(),
            way: way(leaf),
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
            Family::against,
            Family::of_other_root,
            Family::of_other_form,
        ];
        let mut answers = questions.iter().map(|question| question(&family));
        answers.find(|it| !it.is_empty()).unwrap_or_default()
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

    /// Those that go another way than most.
    fn against(&self) -> Vec<Notice> {
        let going = |way: Way| {
            self.steps
                .iter()
                .copied()
                .filter(move |it| it.way == Some(way))
        };
        let found = Way::ALL.into_iter().find_map(|way| {
            let n_stream = going(way).count();
            let odd: Vec<&Step> = going(way.opposite()).collect();
            let is_stream = !odd.is_empty() && n_stream >= MIN_STREAM * odd.len();
            is_stream.then_some((way, n_stream, odd))
        });
        let Some((way, n_stream, odd)) = found else {
            return Vec::new();
        };
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
        odd.iter().map(notice).collect()
    }

    /// Those that get another value than most, and from another expression.
    fn of_other_root(&self) -> Vec<Notice> {
        let Some((usual, odd)) = self.split(|step| step.after, MIN_STREAM) else {
            return Vec::new();
        };
        let root = |step: &Step| {
            let address = self.stack.address(step.id)?;
            root_in_words(self.stack, address, &step.path, None)
        };
        let Some(of_usual) = usual.first().and_then(|it| root(it)) else {
            return Vec::new();
        };
        if !usual
            .iter()
            .take(MAX_ROOTS)
            .all(|it| root(it).as_ref() == Some(&of_usual))
        {
            return Vec::new();
        }
        let notice = |step: &&Step| {
            root(step).filter(|own| *own != of_usual)?;
            let says = format!(
                "{} take another value, {of_usual}",
                self.others(usual.len())
            );
            Some(step.notice(Level::Note, says))
        };
        odd.iter().filter_map(notice).collect()
    }

    /// Those whose value has another form than all others.
    fn of_other_form(&self) -> Vec<Notice> {
        let Some((usual, odd)) = self.split(|step| step.form, MIN_ALIKE) else {
            return Vec::new();
        };
        let notice = |step: &&Step| {
            let says = format!(
                "a value of another form than in {}",
                self.others(usual.len())
            );
            step.notice(Level::Note, says)
        };
        odd.iter().map(notice).collect()
    }

    /// The steps that share a fact, and the few that have another one: at most one for each `min` of the others.
    fn split(&self, fact: fn(&Step) -> u64, min: usize) -> Option<(Vec<&Step>, Vec<&Step>)> {
        let mut counts: BTreeMap<u64, usize> = BTreeMap::new();
        for step in &self.steps {
            *counts.entry(fact(step)).or_default() += 1;
        }
        let (most, n) = counts.iter().max_by_key(|(_, n)| **n)?;
        let n_odd = self.steps.len() - n;
        let is_split = n_odd > 0 && *n >= min * n_odd;
        is_split.then(|| self.steps.iter().copied().partition(|it| fact(it) == *most))
    }
}

impl Step {
    fn notice(&self, level: Level, says: String) -> Notice {
        Notice {
            ids: vec![self.id],
            says,
            facts: vec![Fact::at(self.id, self.path.clone())],
            ..Notice::new(level, "against-the-stream")
        }
    }
}

/// True for a change from one plain value to another.
fn is_told(leaf: &Leaf) -> bool {
    let is_plain = |value: &Value| {
        let is_scalar = matches!(
            value.payload(),
            Payload::String(_) | Payload::Number(_) | Payload::Bool(_)
        );
        is_scalar && !value.is_secret()
    };
    leaf.section != Section::Options
        && !leaf.is_without_effect()
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
