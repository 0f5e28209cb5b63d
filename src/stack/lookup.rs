//! Lookup of a resource by URN, address, name or id, and of a value by section and path.
//!
//! # Laws
//!
//! 1. Without a section, outputs come before inputs, and values after the change before those before it. The first set that has
//!    the path answers.
//! 2. Below a masked value the answer is the mask, whether or not the path exists. A value that is secret on one side of a change
//!    is masked on both.
//! 3. A path continues inside a string that is itself JSON, and inside assets and archives, so that a path copied in the explorer
//!    is found again. A pattern continues so up to its first wildcard.
//! 4. The wrapper of a dynamic value is not part of a path. A path that leads nowhere may still go through it, as in the file.
//!
//! # Example
//!
//! ```
//! use stacklens::stack::Of;
//!
//! assert_eq!("before.inputs".parse::<Of>().unwrap().to_string(), "before.inputs");
//! assert!("middle".parse::<Of>().is_err());
//! ```

mod pattern;
mod wrapped;

use std::fmt;
use std::str::FromStr;

pub use pattern::{lookup_all, matches};
pub use wrapped::DECLARED;

use super::{Flags, Resource, ResourceId, Section, Stack};
use crate::json::{self, Numbers};
use crate::path::{Glob, GlobSegment, MissKind, Path, Segment};
use crate::terraform::address::ObjectName;
use crate::text::{alike, nearest, or_nearest};
use crate::value::{Payload, Sealed, Value};

/// The resource with a given name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Choice {
    /// The resource.
    pub id: ResourceId,
    /// Number of resources with this name: more than 1 for a URN or an address that occurs several times.
    pub n_equal: usize,
}

/// The reason why no single resource has a given name.
#[derive(thiserror::Error, Clone, PartialEq, Eq, Debug)]
pub enum ChooseError {
    /// No resource has this name.
    #[error("no resource has this name")]
    None,
    /// Several different resources have this name.
    #[error("{} resources have this name", .0.len())]
    Several(Vec<ResourceId>),
}

impl Stack {
    /// The resources whose names are most like `text`, which names none, at most `most`. First come those whose name contains the last
    /// part of it.
    pub fn similar(&self, text: &str, most: usize) -> Vec<ResourceId> {
        let last = text.rsplit(['.', ':']).next().unwrap_or(text);
        let last = last.to_lowercase();
        if last.is_empty() {
            return Vec::new();
        }
        let has_last = |id: &ResourceId| self.name(*id).to_lowercase().contains(&last);
        let mut found: Vec<ResourceId> = self.ids().filter(has_last).take(most).collect();
        let is_own = |id: &ResourceId| self.own_record(*id) == *id;
        let names = self.ids().filter(is_own).flat_map(|id| {
            let short = self.short_name(id);
            // An address ends with the name and its index.
            let own = short.split('[').next().unwrap_or(short);
            let own = own.rsplit('.').next().unwrap_or(own);
            [self.name(id), short, own].map(|name| (name, id))
        });
        for id in alike(text, names) {
            if found.len() == most {
                break;
            }
            if !found.contains(&id) {
                found.push(id);
            }
        }
        found
    }

    /// The one resource named `text`: a URN, an address, or a name if it is unique. A `#2` after it selects the second of equals.
    /// If several have the same URN or address, the first that is neither deposed nor pending delete is chosen.
    ///
    /// # Errors
    ///
    /// If no resource has the name, or several different ones have it.
    pub fn choose(&self, text: &str) -> Result<Choice, ChooseError> {
        let found = self.find(text);
        let Some(first) = found.first() else {
            return Err(ChooseError::None);
        };
        let identity = |id: ResourceId| {
            let identity = self.identity(id);
            match self.address(id) {
                Some(_) => ObjectName::parse(&identity).address.to_owned(),
                None => identity,
            }
        };
        let same = identity(*first);
        if found.iter().any(|id| identity(*id) != same) {
            return Err(ChooseError::Several(found));
        }
        let is_live = |id: &&ResourceId| {
            !self
                .record(**id)
                .flags
                .intersects(Flags::DEPOSED | Flags::PENDING_DELETE)
        };
        Ok(Choice {
            id: *found.iter().find(is_live).unwrap_or(first),
            n_equal: found.len(),
        })
    }
}

/// One side of a change: before or after.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum When {
    /// The state before.
    Before,
    /// The state after; the current state if nothing changes.
    After,
}

/// One of the four sets of properties of a resource.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PropertySet {
    /// The side of the change.
    pub when: When,
    /// The section: inputs or outputs.
    pub section: Section,
}

impl PropertySet {
    /// The properties at this place.
    pub fn of(self, resource: &Resource) -> Option<&Value> {
        match self.when {
            When::Before => resource.before.as_ref(),
            When::After => resource.after.as_ref(),
        }?
        .section(self.section)
    }

    /// The same section on the other side of the change.
    fn other(self) -> Self {
        let when = match self.when {
            When::Before => When::After,
            When::After => When::Before,
        };
        Self { when, ..self }
    }

    /// The properties at this place as they may be shown: values that are secret before or after the change are masked.
    pub fn shown_of(self, resource: &Resource) -> Option<Value> {
        self.value_at(resource, &Path::root())
    }

    /// The value at `path` as it may be shown. Both sides were masked alike when the resource was read
    /// ([`Resource::mirror_masks`]), by element and not by index.
    pub fn value_at(self, resource: &Resource, path: &Path) -> Option<Value> {
        path.reach(self.of(resource)?)
    }
}

impl fmt::Display for PropertySet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let of = Of {
            when: Some(self.when),
            section: Some(self.section),
        };
        fmt::Display::fmt(&of, f)
    }
}

/// A selection of property sets, as given to `--of`. The default is all.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Of {
    when: Option<When>,
    section: Option<Section>,
}

/// The error for a text that is not an [`Of`]: the end of its message, with the nearest one.
#[derive(thiserror::Error, Clone, PartialEq, Eq, Debug)]
#[error(
    "expected `inputs`, `outputs`, `before`, `after`, or `before.` or `after.` in front of `inputs` or `outputs`{0}"
)]
pub struct OfError(String);

impl OfError {
    fn new(text: &str) -> Self {
        let all = [
            "inputs",
            "outputs",
            "options",
            "before",
            "after",
            "before.inputs",
            "before.outputs",
            "after.inputs",
            "after.outputs",
        ];
        Self(or_nearest(text, all))
    }
}

impl FromStr for Of {
    type Err = OfError;

    fn from_str(text: &str) -> Result<Self, OfError> {
        let when = |word| match word {
            "before" => Some(When::Before),
            "after" => Some(When::After),
            _ => None,
        };
        let section = |word| match word {
            "inputs" => Some(Section::Inputs),
            "outputs" => Some(Section::Outputs),
            "options" => Some(Section::Options),
            _ => None,
        };
        let of = match text.split_once('.') {
            Some((first, second)) => Self {
                when: Some(when(first).ok_or_else(|| OfError::new(text))?),
                section: Some(section(second).ok_or_else(|| OfError::new(text))?),
            },
            None => Self {
                when: when(text),
                section: section(text),
            },
        };
        if of == Self::default() {
            return Err(OfError::new(text));
        }
        Ok(of)
    }
}

impl fmt::Display for Of {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let when = match self.when {
            None => "",
            Some(When::Before) => "before",
            Some(When::After) => "after",
        };
        let section = self.section.map_or("", Section::name);
        let dot = if when.is_empty() || section.is_empty() {
            ""
        } else {
            "."
        };
        write!(f, "{when}{dot}{section}")
    }
}

impl Of {
    /// The selected places, in the order in which they are tried.
    pub fn places(self) -> impl Iterator<Item = PropertySet> {
        [When::After, When::Before]
            .into_iter()
            .filter(move |when| self.when.is_none_or(|only| only == *when))
            .flat_map(|when| {
                [Section::Outputs, Section::Inputs].map(|section| PropertySet { when, section })
            })
            .filter(move |place| self.section.is_none_or(|only| only == place.section))
    }
}

impl From<PropertySet> for Of {
    fn from(place: PropertySet) -> Self {
        Self {
            when: Some(place.when),
            section: Some(place.section),
        }
    }
}

/// The treatment of a path that continues below a secret.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Masks {
    /// The path ends at the secret.
    Keep,
    /// The person asked to reveal: a path continues through a secret whose plaintext is known.
    Lift,
}

/// The value at a path.
#[derive(Clone, PartialEq, Debug)]
pub struct Answer {
    /// The place where it was found.
    pub place: PropertySet,
    /// The value, with its markers. For a path below a masked value it is a secret without contents.
    pub value: Value,
}

/// No set of properties has the path, or a value that the pattern names.
#[derive(thiserror::Error, Clone, PartialEq, Debug)]
#[error("{why}")]
pub struct Missing {
    /// The longest part of the path or pattern that exists.
    pub nearest: Glob,
    /// The place of that part; `None` if the resource has none of the requested properties.
    pub place: Option<PropertySet>,
    /// The reason why it does not continue.
    pub why: MissingKind,
    /// The key that is most like the next one, and its place, which may be another one.
    pub alike: Option<(PropertySet, String)>,
}

/// The reason why a path does not continue.
#[derive(thiserror::Error, Clone, PartialEq, Eq, Debug)]
pub enum MissingKind {
    /// There are no properties.
    #[error("it has no properties")]
    NoProperties,
    /// A map without the key. These are its keys, the most similar first.
    #[error("there is no such key")]
    NoKey(Vec<String>),
    /// An array that is too short; this is its length.
    #[error("it has {0} elements")]
    NoElement(usize),
    /// The value is not a container.
    #[error("it has no elements or keys")]
    NotContainer,
    /// The value below is not known yet.
    #[error("it is known after apply")]
    Unknown,
    /// The next step of the pattern leads to nothing.
    #[error("there is {0}")]
    NoMatch(MissKind),
    /// The pattern is well formed for the value, but names nothing in it.
    #[error("nothing below it matches")]
    NothingBelow,
}

impl MissingKind {
    /// The key that is most like the step after `n_steps` of a pattern, which is missing.
    pub fn near(&self, pattern: &Glob, n_steps: usize) -> Option<String> {
        match (self, pattern.0.get(n_steps)) {
            (Self::NoKey(keys), Some(GlobSegment::Key(key))) => {
                nearest(key, keys.iter().map(String::as_str)).map(str::to_owned)
            }
            (_, _) => None,
        }
    }
}

/// The end of a path or pattern: the number of steps that exist, and the reason why the next one does not.
type Stop = (usize, MissingKind);

/// The value at `path` in the first of the places of `of` that has it. The empty path gives a whole set of properties.
///
/// # Errors
///
/// If no place has it.
pub fn lookup(resource: &Resource, path: &Path, of: Of, masks: Masks) -> Result<Answer, Missing> {
    let in_place = |top: &Value, other: Option<&Value>| descend(top, other, path, masks);
    first(resource, &Glob::from(path), of, in_place)
        .map(|(place, value)| Answer { place, value })
        .or_else(|missing| wrapped::lookup(resource, path, of, masks).ok_or(missing))
}

/// The answer of the first of the places of `of` that has one, and that place. `steps` are what `answer` looks for.
fn first<T>(
    resource: &Resource,
    steps: &Glob,
    of: Of,
    answer: impl Fn(&Value, Option<&Value>) -> Result<T, Stop>,
) -> Result<(PropertySet, T), Missing> {
    let mut missing = Missing {
        nearest: Glob::default(),
        place: None,
        why: MissingKind::NoProperties,
        alike: None,
    };
    let mut n_known = 0;
    for place in of.places() {
        let Some(top) = place.of(resource) else {
            continue;
        };
        match answer(top, place.other().of(resource)) {
            Ok(found) => return Ok((place, found)),
            Err((n_steps, why)) => {
                if let Some(near) = why.near(steps, n_steps)
                    && (missing.alike.is_none() || n_steps > n_known)
                {
                    missing.alike = Some((place, near));
                    n_known = n_steps;
                }
                if missing.place.is_none() || n_steps > missing.nearest.0.len() {
                    missing.nearest = steps.first(n_steps);
                    missing.place = Some(place);
                    missing.why = why;
                }
            }
        }
    }
    Err(missing)
}

/// The value at `path` below `top`; else the number of steps that exist and the reason why the next one does not. `other` is the
/// same value on the other side of a change, and both are [masked alike](Value::masked_like): a path that exists only there,
/// below a mask, gives the mask.
///
/// # Errors
///
/// If the value has no such path.
pub fn descend(
    top: &Value,
    other: Option<&Value>,
    path: &Path,
    masks: Masks,
) -> Result<Value, Stop> {
    let other = other.filter(|_| masks == Masks::Keep);
    follow(top, &path.0, masks).or_else(|missing| match other {
        Some(other) if path.crosses_secret(other) => {
            Ok(Value::new(Payload::Sealed(Sealed::Redacted)))
        }
        _ => Err(missing),
    })
}

fn follow(top: &Value, steps: &[Segment], masks: Masks) -> Result<Value, Stop> {
    let mut value = top.clone();
    for (n_taken, segment) in steps.iter().enumerate() {
        if value.is_secret() {
            if masks == Masks::Keep || matches!(value.payload(), Payload::Sealed(_)) {
                return Ok(Value::new(Payload::Sealed(Sealed::Redacted)));
            }
            // A value below a secret is secret, too.
            value = value.reveal();
        }
        if let Some(inner) = inside(&value) {
            value = inner;
        }
        value = step(&value, segment).map_err(|why| (n_taken, why))?;
    }
    Ok(value)
}

/// The container in a string that is JSON, or the fields of an asset or archive.
fn inside(value: &Value) -> Option<Value> {
    let Payload::String(text) = value.payload() else {
        return value.fields();
    };
    let start = text
        .as_bytes()
        .iter()
        .find(|byte| !byte.is_ascii_whitespace())?;
    if !matches!(start, b'{' | b'[') {
        return None;
    }
    let parsed = json::parse(text.as_bytes(), Numbers::Exact).ok()?;
    Some(parsed.value)
}

fn step(value: &Value, segment: &Segment) -> Result<Value, MissingKind> {
    match (segment, value.payload()) {
        (Segment::Key(key), Payload::Map(map)) => map.get(key).cloned().ok_or_else(|| {
            MissingKind::NoKey(nearest_first(key, map.keys().map(|other| &**other)))
        }),
        (Segment::Index(index), Payload::Array(items)) => items
            .get(*index)
            .cloned()
            .ok_or(MissingKind::NoElement(items.len())),
        (_, Payload::Map(map)) => Err(MissingKind::NoKey(
            map.keys().map(ToString::to_string).collect(),
        )),
        (_, Payload::Array(items)) => Err(MissingKind::NoElement(items.len())),
        (_, Payload::Computed(_)) => Err(MissingKind::Unknown),
        _ => Err(MissingKind::NotContainer),
    }
}

/// The names, with those most similar to `wanted` first.
fn nearest_first<'a>(wanted: &str, names: impl Iterator<Item = &'a str>) -> Vec<String> {
    let names: Vec<&str> = names.collect();
    let small = wanted.to_lowercase();
    let contains = |name: &str| {
        let name = name.to_lowercase();
        name.contains(&small) || small.contains(&name)
    };
    let is_first = |name: &&str| contains(name);
    let (mut ordered, rest): (Vec<&str>, Vec<&str>) = names.into_iter().partition(is_first);
    let near = alike(wanted, rest.iter().map(|name| (*name, *name)));
    ordered.extend(&near);
    ordered.extend(rest.iter().filter(|name| !near.contains(name)));
    ordered.into_iter().map(str::to_owned).collect()
}

#[cfg(test)]
mod tests;
