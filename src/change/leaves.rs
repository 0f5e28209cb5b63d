//! The changed leaves of a resource.
//!
//! A [`Leaf`] is a changed place without changed places below it. Everything a review says of a change it says of leaves: they are
//! grouped by kind, tested by rules and listed in `diff --json`.
//!
//! # Laws
//!
//! 1. Two sections without a difference have no leaves, and every changed section has at least one.
//! 2. Every change of a value is at or below the path of a leaf.
//! 3. **Masked by construction.** A sensitive value is a leaf as a whole, and both of its sides carry the secret marker.
//! 4. Leaves share their values with the difference; nothing is copied deep.
//!
//! # Example
//!
//! ```
//! use stacklens::change::difference::{Context, describe};
//! use stacklens::change::leaves::leaves;
//! use stacklens::change::review::SectionDiff;
//! use stacklens::json::{Numbers, parse};
//! use stacklens::stack::Section;
//!
//! let value = |json: &str| parse(json.as_bytes(), Numbers::Exact).unwrap().value;
//! let (before, after) = (value(r#"{"policy": "{\"a\": 1}"}"#), value(r#"{"policy": "{\"a\": 2}"}"#));
//! let diff = describe(&before, &after, Context::default());
//! let found = leaves(&[SectionDiff { section: Section::Outputs, diff }]);
//! assert_eq!(found[0].path.to_string(), "policy.a");
//! assert_eq!(found[0].document, Some(1));
//! ```

use std::sync::Arc;

use super::difference::{Action, Diff, DiffKind, Element, Elements, Group, Reason};
use super::review::SectionDiff;
use crate::path::{Glob, GlobSegment, Path, Segment};
use crate::stack::Section;
use crate::value::Value;

/// A changed place without changed places below it.
#[derive(Clone, PartialEq, Debug)]
pub struct Leaf {
    /// The set of properties.
    pub section: Section,
    /// The place: after the change, or before it if the value is deleted. It may lead into the JSON or YAML of a string.
    pub path: Path,
    /// Number of steps of the path that lead to the string with the document; `None` for a place that is in no string.
    pub document: Option<usize>,
    /// The number of the step that leads to a name with its value, such as a variable of a container, and the name.
    pub pair: Option<(usize, Arc<str>)>,
    /// The numbers of the steps whose key is the name of a thing and no property, such as a state of a state machine.
    pub things: Vec<usize>,
    /// The action on the leaf.
    pub action: Action,
    /// The value before, secret where it is sensitive; null if there was none.
    pub before: Value,
    /// The value after, secret where it is sensitive; null if there will be none.
    pub after: Value,
    /// True if this place, or the container that the leaf represents, forces the replacement of the resource.
    pub replaces: bool,
    /// The reason why the leaf counts as changed although its content is the same.
    pub reason: Option<Reason>,
}

impl Leaf {
    /// True if the change means nothing to the provider.
    pub fn is_without_effect(&self) -> bool {
        !self.replaces && self.reason.is_some_and(Reason::is_without_effect)
    }

    /// The name of the property: of a pair its name, else the last key of the path.
    pub fn name(&self) -> Option<&str> {
        let pair = self.pair.as_ref().map(|(_, name)| &**name);
        pair.or_else(|| self.path.last_key())
    }

    /// The [pattern] of its place, without the names of things.
    pub fn place(&self) -> Glob {
        let mut place = pattern(&self.path);
        for at in &self.things {
            if let Some(step) = place.0.get_mut(*at) {
                *step = GlobSegment::Splat;
            }
        }
        place
    }

    /// The place with the name of a pair, which counts: each variable of a container is a property of its own.
    pub fn pattern(&self) -> Glob {
        let mut pattern = self.place();
        if let Some((at, name)) = &self.pair
            && let Some(step) = pattern.0.get_mut(*at)
        {
            *step = GlobSegment::Key(Arc::clone(name));
        }
        pattern
    }
}

/// A path with its indices and its numbered map keys generalised: `rules[*].port`, `instances[*].image`.
pub fn pattern(path: &Path) -> Glob {
    let step = |segment: &Segment| match segment {
        Segment::Index(_) => GlobSegment::Splat,
        Segment::Key(key) if is_numbered(key) => GlobSegment::Splat,
        Segment::Key(key) => GlobSegment::Key(key.clone()),
    };
    Glob(path.0.iter().map(step).collect())
}

/// True for a key that names one of many things, such as `web-1` or `10.0.0.0/16`, and not a property.
fn is_numbered(key: &str) -> bool {
    let is_property = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let has_digit = key.bytes().any(|byte| byte.is_ascii_digit());
    let starts_with_digit = key.bytes().next().is_some_and(|byte| byte.is_ascii_digit());
    has_digit && (starts_with_digit || !key.bytes().all(is_property))
}

/// The part of a changed string that is a leaf.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Strings {
    /// The string as a whole, whatever it holds.
    Whole,
    /// The changed places of the JSON or YAML that it holds.
    Documents,
}

/// The changed leaves of a resource, in the order of the description. Those of a document in a string are its changed places.
pub fn leaves(parts: &[SectionDiff]) -> Vec<Leaf> {
    let of_part = |part: &SectionDiff| of_section(part, Strings::Documents);
    parts.iter().flat_map(of_part).collect()
}

/// The changed leaves of one section, in the order of the description.
pub fn of_section(part: &SectionDiff, strings: Strings) -> Vec<Leaf> {
    let mut walk = Walk {
        section: part.section,
        strings,
        steps: Vec::new(),
        document: None,
        pair: None,
        things: Vec::new(),
        is_policy: false,
        leaves: Vec::new(),
    };
    walk.node(&part.diff, false);
    walk.leaves
}

/// The leaves so far, and the position of the walk.
struct Walk {
    section: Section,
    strings: Strings,
    steps: Vec<Segment>,
    /// Number of steps to the document that the walk is in.
    document: Option<usize>,
    /// The pair of a name and a value that the walk is in.
    pair: Option<(usize, Arc<str>)>,
    /// The steps whose key is the name of a thing.
    things: Vec<usize>,
    /// True inside an access policy, where the order of a list has no meaning.
    is_policy: bool,
    leaves: Vec<Leaf>,
}

impl Walk {
    fn node(&mut self, diff: &Diff, replaces: bool) {
        if diff.action == Action::Same && !diff.replaces {
            return;
        }
        let replaces = replaces || diff.replaces;
        if diff.spelling.is_some() {
            self.leaf(diff, replaces, diff.spelling);
            return;
        }
        let n_before = self.leaves.len();
        match &diff.kind {
            DiffKind::List { elements, .. } => {
                self.elements(elements, replaces);
                let is_reordered = elements.is_reordered() && diff.action == Action::Update;
                if is_reordered && self.leaves.len() > n_before {
                    self.leaf(diff, replaces, Some(self.order(Reason::Moved)));
                }
            }
            DiffKind::Set { elements, .. } => self.elements(elements, replaces),
            DiffKind::Map { entries, .. } | DiffKind::Object { entries, .. } => {
                let is_document = self.document.is_some();
                let holds_things =
                    is_document && [&diff.after, &diff.before].into_iter().any(holds_things);
                let n_things = self.things.len();
                self.things.extend(holds_things.then_some(self.steps.len()));
                self.entries(entries, replaces);
                self.things.truncate(n_things);
            }
            DiffKind::Block { attributes, groups } => {
                self.entries(attributes, replaces);
                for group in groups {
                    let name = &group.name;
                    if let [Some(old), Some(new)] =
                        [&diff.before, &diff.after].map(|it| it.get(name))
                        && group.is_reordered
                    {
                        let replaces = replaces || group.replaces;
                        self.steps.push(Segment::Key(name.clone()));
                        self.add(Action::Update, [old, new], replaces, Some(Reason::Moved));
                        self.steps.pop();
                    }
                    self.group(group, replaces);
                }
            }
            DiffKind::Json(values) | DiffKind::Document { values, .. } => {
                if self.strings == Strings::Documents {
                    self.document(values, replaces);
                }
            }
            // Each of these is a leaf as a whole.
            DiffKind::Leaf
            | DiffKind::Line
            | DiffKind::Lines(_)
            | DiffKind::Unknown { .. }
            | DiffKind::Sensitive { .. }
            | DiffKind::WriteOnly { .. }
            | DiffKind::TypeChange { .. } => {}
        }
        // A container that is empty, or whose children are all the same, is itself the leaf.
        if self.leaves.len() == n_before {
            let reason = diff.reason().map(|reason| match reason {
                Reason::OtherOrder => self.order(reason),
                reason => reason,
            });
            self.leaf(diff, replaces, reason);
        }
    }

    /// The reason of a list in another order: `outside` of an access policy.
    fn order(&self, outside: Reason) -> Reason {
        if self.is_policy {
            Reason::PolicyOrder
        } else {
            outside
        }
    }

    fn leaf(&mut self, diff: &Diff, replaces: bool, reason: Option<Reason>) {
        self.add(diff.action, [&diff.before, &diff.after], replaces, reason);
    }

    /// Adds a leaf at this place.
    fn add(
        &mut self,
        action: Action,
        [before, after]: [&Value; 2],
        replaces: bool,
        reason: Option<Reason>,
    ) {
        self.leaves.push(Leaf {
            section: self.section,
            path: Path(self.steps.clone()),
            document: self.document,
            pair: self.pair.clone(),
            things: self.things.clone(),
            action,
            before: before.clone(),
            after: after.clone(),
            replaces,
            reason,
        });
    }

    fn entries(&mut self, entries: &[(Arc<str>, Diff)], replaces: bool) {
        for (key, child) in entries {
            self.child(Segment::Key(key.clone()), child, replaces);
        }
    }

    fn child(&mut self, step: Segment, diff: &Diff, replaces: bool) {
        self.steps.push(step);
        self.node(diff, replaces);
        self.steps.pop();
    }

    fn elements(&mut self, elements: &Elements, replaces: bool) {
        // A provider names elements by index. Its reason for an element that only moved is about the elements that change.
        let has_changes = elements.iter().any(|it| it.is_change());
        let replaces =
            replaces || has_changes && elements.iter().any(|it| !it.is_change() && it.replaces());
        let is_shown =
            |element: &Element<'_>| element.is_change() || !has_changes && element.replaces();
        for element in elements.iter().filter(is_shown) {
            let index = element.new.or(element.old).unwrap_or_default();
            self.element(vec![Segment::Index(index)], &element.diff(), replaces);
        }
    }

    fn group(&mut self, group: &Group, replaces: bool) {
        let replaces = replaces || group.replaces;
        for member in &group.members {
            let steps = group.path(member, &Path::root()).0;
            self.element(steps, &member.diff, replaces);
        }
    }

    /// An element, to which these steps lead. Of a name with its value, the name is a step too.
    fn element(&mut self, steps: Vec<Segment>, diff: &Diff, replaces: bool) {
        let depth = self.steps.len();
        self.steps.extend(steps);
        let is_element = matches!(self.steps.last(), Some(Segment::Index(_)));
        let name = name_of_pair(&diff.after).or_else(|| name_of_pair(&diff.before));
        let name = name.filter(|_| is_element);
        let pair = name
            .map(|name| (self.steps.len() - 1, name))
            .or_else(|| self.pair.clone());
        let outer = std::mem::replace(&mut self.pair, pair);
        self.node(diff, replaces);
        self.pair = outer;
        self.steps.truncate(depth);
    }

    fn document(&mut self, values: &Diff, replaces: bool) {
        let (document, is_policy) = (self.document, self.is_policy);
        self.document = document.or(Some(self.steps.len()));
        self.is_policy = [&values.before, &values.after]
            .into_iter()
            .any(is_policy_document);
        self.node(values, replaces);
        (self.document, self.is_policy) = (document, is_policy);
    }
}

/// Properties beside the name in a pair of a name and a value.
const VALUES: [&str; 3] = ["value", "valueFrom", "value_from"];

/// The name in a pair of a name and a value.
fn name_of_pair(element: &Value) -> Option<Arc<str>> {
    let pair = element.as_map()?;
    let has_value = VALUES.iter().any(|key| pair.get(key).is_some());
    let is_other = |key: &str| key != "name" && !VALUES.contains(&key);
    let name = pair
        .get("name")
        .filter(|name| !name.is_secret())?
        .as_str()?;
    (has_value && !pair.iter().any(|(key, _)| is_other(key))).then(|| name.into())
}

/// Minimum number of things in a map of them.
const MIN_THINGS: usize = 3;

/// True for a map from names to things of one kind, as far as its form tells: all are objects, and have a property in common.
fn holds_things(value: &Value) -> bool {
    let Some(map) = value.as_map().filter(|map| map.len() >= MIN_THINGS) else {
        return false;
    };
    let mut things = map.iter().map(|(_, thing)| thing.as_map());
    let Some(Some(first)) = things.next() else {
        return false;
    };
    let rest: Option<Vec<_>> = things.collect();
    rest.is_some_and(|rest| {
        let mut keys = first.iter().map(|(key, _)| key);
        keys.any(|key| rest.iter().all(|thing| thing.get(key).is_some()))
    })
}

/// True for an access policy in the language of AWS, which other clouds share.
fn is_policy_document(value: &Value) -> bool {
    value.get("Statement").is_some()
}

#[cfg(test)]
mod tests;
