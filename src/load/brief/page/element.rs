//! The name of an element in the place of a change, where an index says nothing: `env[DB_POOL_MAX].value`, `States[Pay].Retry`.

use std::sync::Arc;

use crate::change::decode::document;
use crate::change::difference::{Action, name_of};
use crate::change::leaves::Leaf;
use crate::change::vocabulary::says_what_it_does;

use crate::path::{Glob, GlobSegment, Segment};
use crate::stack::Resource;
use crate::text::escaped;
use crate::value::Value;

/// Maximum number of characters of the names in one place.
const MAX_NAMES: usize = 60;

/// Maximum number of elements of a list whose elements have names: each is found among all.
const MAX_ELEMENTS: usize = 256;

/// A place in a named element of a list, or of a map from names to things.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Element {
    /// The place of the list or the map.
    list: String,
    /// The name of the element, or the names of several.
    names: String,
    /// The place in the element, with the sign before it; "" for the element itself.
    within: String,
    /// The text of the element that says what it does, such as `action "skip"` of a rule, unless the place is that.
    does: Option<String>,
}

/// The property of an element that says what it does, with its text.
fn does(element: &Value) -> Option<(Arc<str>, String)> {
    let mut entries = element.as_map().filter(|_| !element.is_secret())?.iter();
    let (key, value) = entries.find(|(key, _)| says_what_it_does(key))?;
    let text = escaped(Some(value).filter(|it| !it.is_secret())?.as_str()?);
    (!text.is_empty()).then(|| (Arc::clone(key), text))
}

impl Element {
    /// The innermost named element that a change is in. What is masked gives no name.
    pub(super) fn of(resource: &Resource, leaf: &Leaf) -> Option<Self> {
        let state = match leaf.action {
            Action::Delete => resource.before.as_ref(),
            Action::Create | Action::Update | Action::Same => resource.after.as_ref(),
        };
        let steps = &leaf.path.0;
        let mut value = state?.section(leaf.section)?.clone();
        let mut found = None;
        for (at, step) in steps.iter().enumerate() {
            if leaf.document == Some(at) {
                value = document(&value)?.1;
            }
            if value.is_secret() {
                return None;
            }
            value = match step {
                Segment::Key(key) => {
                    let thing = value.get(key)?.clone();
                    if leaf.things.contains(&at) {
                        found = Some((at, escaped(key), does(&thing)));
                    }
                    thing
                }
                Segment::Index(index) => {
                    let list = value.as_array()?;
                    let named = Some(list.as_slice()).filter(|it| it.len() <= MAX_ELEMENTS);
                    let name = named.and_then(|it| name_of(it, *index));
                    let element = list.get(*index)?;
                    found = name
                        .map(|name| (at, escaped(name), does(element)))
                        .or(found);
                    element.clone()
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

    /// The words for the work of the element, `action skip`; "" if nothing says it.
    pub(super) fn does(&self) -> &str {
        self.does.as_deref().unwrap_or_default()
    }

    /// The place in the element; "" for the element itself.
    pub(super) fn within(&self) -> &str {
        self.within.trim_start_matches('.')
    }

    /// The element itself, if another place is in it too.
    pub(super) fn around(&self, other: &Self) -> Option<Self> {
        let is_one = self.list == other.list && self.names == other.names;
        is_one.then(|| Self {
            within: String::new(),
            ..self.clone()
        })
    }

    /// The same place in several elements; `None` if it is another one, or if the names are long.
    pub(super) fn with(&self, other: &Self) -> Option<Self> {
        let is_new = !self.names.split(", ").any(|name| name == other.names);
        let more = is_new.then(|| format!(", {}", other.names));
        let names = self.names.clone() + &more.unwrap_or_default();
        let is_one = self.list == other.list && self.within == other.within;
        (is_one && names.chars().count() <= MAX_NAMES).then(|| Self {
            names,
            ..self.clone()
        })
    }
}
