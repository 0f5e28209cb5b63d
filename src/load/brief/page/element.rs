//! The name of an element in the place of a change, where an index says nothing: `env[DB_POOL_MAX].value`, `States[Pay].Retry`.

use std::sync::Arc;

use crate::change::decode::document;
use crate::change::difference::{Action, name_of};
use crate::change::leaves::Leaf;
use crate::change::vocabulary::says_what_it_does;

use crate::path::{Glob, GlobSegment, Segment};
use crate::stack::{Resource, State};
use crate::text::escaped;
use crate::value::{Array, Payload, Shown, Value, same};

/// Maximum number of characters of the names in one place.
const MAX_NAMES: usize = 60;

/// Maximum number of elements of a list whose elements have names: each is found among all.
const MAX_ELEMENTS: usize = 256;

/// A place in an element of a list, or of a map from names to things.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Element {
    /// The place of the list or the map.
    list: String,
    /// The name of the element, or the names of several; [`UNNAMED`] without one.
    names: String,
    /// The place in the element, with the sign before it; "" for the element itself.
    within: String,
    /// The text of the element that says what it does, such as `action "skip"` of a rule, unless the place is that.
    does: Option<String>,
    /// The text that tells an element apart that has no name, which is this one or one in it.
    apart: Option<String>,
}

/// The name of an element without one.
const UNNAMED: &str = "*";

/// Maximum number of elements of a list in which a text is looked for that tells one apart: each text is compared with all others.
const MAX_UNNAMED: usize = 64;

/// Maximum number of characters of a text that tells an element apart.
const MAX_APART: usize = 50;

/// The property that tells an element of a list apart, with its value, if the list had such an element before too: the first one that
/// all elements have in their own way. A text says more than a number.
fn apart(list: &[Value], element: &Value, other: Option<&[Value]>) -> Option<(Arc<str>, String)> {
    let is_lone = |key: &str, value: &Value| {
        let has_it = |it: &&Value| it.get(key).is_some_and(|it| same(it, value));
        let all_have = || list.iter().all(|it| it.get(key).is_some());
        let was_there = || other.is_some_and(|it| it.iter().filter(has_it).count() == 1);
        list.iter().filter(has_it).count() == 1 && all_have() && was_there()
    };
    let says = |value: &Value| match value.shown() {
        Shown::Plain(Payload::String(_)) => Some(0),
        Shown::Plain(Payload::Number(_)) => Some(1),
        Shown::Plain(_) | Shown::Secret(_) => None,
    };
    let entries = element.as_map()?.iter();
    let found = entries
        .filter_map(|(key, value)| Some((says(value)?, key, value)))
        .filter(|(_, key, value)| is_lone(key, value));
    let (_, key, value) = found.min_by_key(|(rank, ..)| *rank)?;
    let text = escaped(&format!("{value:#}"));
    let n_cut = text.chars().count().saturating_sub(MAX_APART);
    // The end of an id or an address says most.
    let end: String = text.chars().skip(n_cut).collect();
    let text = if n_cut > 0 {
        format!("\"…{end}")
    } else {
        end
    };
    Some((Arc::clone(key), text))
}

/// The property of an element that says what it does, with its text.
fn does(element: &Value) -> Option<(Arc<str>, String)> {
    let mut entries = element.as_map().filter(|_| !element.is_secret())?.iter();
    let (key, value) = entries.find(|(key, _)| says_what_it_does(key))?;
    let text = escaped(Some(value).filter(|it| !it.is_secret())?.as_str()?);
    (!text.is_empty()).then(|| (Arc::clone(key), text))
}

impl Element {
    /// The innermost element that a change is in and that can be told apart. What is masked gives no name.
    pub(super) fn of(resource: &Resource, leaf: &Leaf) -> Option<Self> {
        let [own, other] = match leaf.action {
            Action::Delete => [&resource.before, &resource.after],
            Action::Create | Action::Update | Action::Same => [&resource.after, &resource.before],
        };
        let section = |side: &Option<State>| side.as_ref()?.section(leaf.section).cloned();
        let mut value = section(own)?;
        // The same place on the other side, as long as it is one.
        let mut other = section(other);
        let (mut found, mut told_apart) = (None, None);
        for (at, step) in leaf.path.0.iter().enumerate() {
            if leaf.document == Some(at) {
                value = document(&value)?.1;
                other = other.and_then(|it| Some(document(&it)?.1));
            }
            if value.is_secret() {
                return None;
            }
            (value, other) = match step {
                Segment::Key(key) => {
                    let thing = value.get(key)?.clone();
                    if leaf.things.contains(&at) {
                        found = Some((at, escaped(key), does(&thing)));
                    }
                    (thing, other.and_then(|it| it.get(key).cloned()))
                }
                Segment::Index(index) => {
                    let list = value.as_array()?;
                    let element = list.get(*index)?;
                    let others = other.as_ref().and_then(Value::as_array);
                    let others = others.map(Array::as_slice);
                    let is_inside = at + 1 < leaf.path.0.len();
                    let list = list.as_slice();
                    let is_short = list.len() <= MAX_ELEMENTS;
                    if let Some(name) = is_short.then(|| name_of(list, *index)).flatten() {
                        found = Some((at, escaped(name), does(element)));
                        told_apart = None;
                    } else if is_inside
                        && (2..=MAX_UNNAMED).contains(&list.len())
                        && let Some((key, text)) = apart(list, element, others)
                    {
                        found = found.or(Some((at, UNNAMED.to_owned(), None)));
                        told_apart = Some(format!("{} {text}", escaped(&key)));
                    }
                    (
                        element.clone(),
                        others.and_then(|it| it.get(*index).cloned()),
                    )
                }
            };
        }
        let (at, names, does) = found.filter(|(_, name, _)| name.chars().count() <= MAX_NAMES)?;
        let steps = leaf.place().0;
        let place = |steps: &[GlobSegment]| escaped(&Glob(steps.to_vec()).to_string());
        let within = match &steps[at + 1..] {
            [] => String::new(),
            rest @ [GlobSegment::Key(_), ..] => format!(".{}", place(rest)),
            rest => place(rest),
        };
        let does = does.filter(|(key, _)| within.trim_start_matches('.') != &**key);
        Some(Self {
            list: place(&steps[..at]),
            names,
            within,
            does: does.map(|(key, text)| format!("{key} {text}")),
            apart: told_apart,
        })
    }

    /// The place in words.
    pub(super) fn place(&self) -> String {
        let Self {
            list,
            names,
            within,
            ..
        } = self;
        format!("{list}[{names}]{within}")
    }

    /// The words that tell the element apart, or for its work, `action skip`; "" if nothing says it.
    pub(super) fn does(&self) -> &str {
        let words = self.apart.as_deref().or(self.does.as_deref());
        words.unwrap_or_default()
    }

    /// The place in the element; "" for the element itself.
    pub(super) fn within(&self) -> &str {
        self.within.trim_start_matches('.')
    }

    /// The element itself, if another place is in it too.
    pub(super) fn around(&self, other: &Self) -> Option<Self> {
        let is_one = self.list == other.list && self.names == other.names;
        (is_one && self.apart == other.apart).then(|| Self {
            within: String::new(),
            ..self.clone()
        })
    }

    /// The element itself, whatever the place in it.
    pub(super) fn itself(&self) -> Self {
        Self {
            within: String::new(),
            does: None,
            ..self.clone()
        }
    }

    /// The same place in several elements; `None` if it is another one, or if the names are long.
    pub(super) fn with(&self, other: &Self) -> Option<Self> {
        let is_new = !self.names.split(", ").any(|name| name == other.names);
        let more = is_new.then(|| format!(", {}", other.names));
        let names = self.names.clone() + &more.unwrap_or_default();
        let is_one = self.list == other.list && self.within == other.within;
        let is_one = is_one && self.apart == other.apart && self.does == other.does;
        (is_one && names.chars().count() <= MAX_NAMES).then(|| Self {
            names,
            ..self.clone()
        })
    }
}
