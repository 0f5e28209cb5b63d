//! Finding what a person names: a resource by URN, address or name, and a value of it by section and path.
//!
//! # Laws
//!
//! 1. Without a section, outputs come before inputs, and what will be before what was: the first that has the path answers.
//! 2. Below a masked value the answer is the mask, whether or not the path exists. What is secret on one side of a change is masked
//!    on both.
//! 3. A path goes on inside a string that is itself JSON, and inside of assets and archives; so what the explorer copies is found again.
//!
//! # Example
//!
//! ```
//! use stacklens::stack::Of;
//!
//! assert_eq!("before.inputs".parse::<Of>()?.to_string(), "before.inputs");
//! assert!("middle".parse::<Of>().is_err());
//! # Ok::<(), stacklens::stack::OfError>(())
//! ```

use std::fmt;
use std::str::FromStr;

use super::{Flags, Resource, ResourceId, Section, Stack, base_address};
use crate::json::{self, Numbers};
use crate::path::{Path, Segment};
use crate::value::{Payload, Sealed, Value};

/// The resource that a text names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Choice {
    /// The resource.
    pub id: ResourceId,
    /// How many resources the text names alike: more than 1 for a URN or an address that occurs several times.
    pub n_equal: usize,
}

/// Why a text names no resource.
#[derive(thiserror::Error, Clone, PartialEq, Eq, Debug)]
pub enum ChooseError {
    /// Nothing is called so.
    #[error("no resource is called so")]
    None,
    /// Several different resources have this name.
    #[error("{} resources have this name", .0.len())]
    Several(Vec<ResourceId>),
}

impl Stack {
    /// The one resource that `text` names: a URN, an address, or a name if only one has it; `#2` behind it chooses the second of
    /// equals. Of several with one URN or address, the first that is neither deposed nor pending delete.
    ///
    /// # Errors
    ///
    /// If there is none, or if it is the name of several different ones.
    pub fn choose(&self, text: &str) -> Result<Choice, ChooseError> {
        let found = self.find(text);
        let Some(first) = found.first() else {
            return Err(ChooseError::None);
        };
        let identity = |id: ResourceId| {
            let identity = self.identity(id);
            match self.address(id) {
                Some(_) => base_address(&identity).to_owned(),
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

/// Before or after the change.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum When {
    /// As it was.
    Before,
    /// As it will be; as it is, where nothing changes.
    After,
}

/// One of the four sets of properties of a resource.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Place {
    /// Before or after the change.
    pub when: When,
    /// Inputs or outputs.
    pub section: Section,
}

impl Place {
    /// The properties there.
    pub fn of(self, resource: &Resource) -> Option<&Value> {
        match self.when {
            When::Before => resource.before.as_ref(),
            When::After => resource.after.as_ref(),
        }?
        .section(self.section)
    }

    /// The same set of properties at the other time.
    fn other(self) -> Self {
        let when = match self.when {
            When::Before => When::After,
            When::After => When::Before,
        };
        Self { when, ..self }
    }

    /// The properties there as they may be shown: what is secret before or after the change is masked.
    pub fn shown_of(self, resource: &Resource) -> Option<Value> {
        self.value_at(resource, &Path::root())
    }

    /// The value at `path` there as it may be shown: both sides were masked alike when the resource was read
    /// ([`Resource::mirror_masks`]), by element and not by index.
    pub fn value_at(self, resource: &Resource, path: &Path) -> Option<Value> {
        path.reach(self.of(resource)?)
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let of = Of {
            when: Some(self.when),
            section: Some(self.section),
        };
        fmt::Display::fmt(&of, f)
    }
}

/// Which sets of properties are meant: what `--of` takes. The default is all.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Of {
    when: Option<When>,
    section: Option<Section>,
}

/// A text that is no [`Of`].
#[derive(thiserror::Error, Clone, PartialEq, Eq, Debug)]
#[error(
    "expected `inputs`, `outputs`, `before`, `after`, or `before.` or `after.` in front of `inputs` or `outputs`"
)]
pub struct OfError;

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
            _ => None,
        };
        let of = match text.split_once('.') {
            Some((first, second)) => Self {
                when: Some(when(first).ok_or(OfError)?),
                section: Some(section(second).ok_or(OfError)?),
            },
            None => Self {
                when: when(text),
                section: section(text),
            },
        };
        if of == Self::default() {
            return Err(OfError);
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
    /// The places that are meant, in the order in which they answer.
    pub fn places(self) -> impl Iterator<Item = Place> {
        [When::After, When::Before]
            .into_iter()
            .filter(move |when| self.when.is_none_or(|only| only == *when))
            .flat_map(|when| {
                [Section::Outputs, Section::Inputs].map(|section| Place { when, section })
            })
            .filter(move |place| self.section.is_none_or(|only| only == place.section))
    }
}

impl From<Place> for Of {
    fn from(place: Place) -> Self {
        Self {
            when: Some(place.when),
            section: Some(place.section),
        }
    }
}

/// Whether a path may go on below a secret.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Masks {
    /// Below a secret there is nothing but the secret.
    Keep,
    /// The person asked to reveal: a path goes through a secret whose plaintext is in hand.
    Lift,
}

/// What stands at a path.
#[derive(Clone, PartialEq, Debug)]
pub struct Answer {
    /// Where it was found.
    pub place: Place,
    /// The value, with its markers; of a path that goes below a masked value, a secret without contents.
    pub value: Value,
}

/// No set of properties has the path.
#[derive(thiserror::Error, Clone, PartialEq, Debug)]
#[error("{why}")]
pub struct Missing {
    /// The longest part of the path that exists.
    pub nearest: Path,
    /// Where that part was found; `None` if the resource has none of the properties that were asked for.
    pub place: Option<Place>,
    /// Why it does not go on.
    pub why: MissingKind,
}

/// Why a path does not go on.
#[derive(thiserror::Error, Clone, PartialEq, Eq, Debug)]
pub enum MissingKind {
    /// There are no properties at all.
    #[error("there are no such properties")]
    NoProperties,
    /// A map without the key; it has these, the nearest first.
    #[error("there is no such key")]
    NoKey(Vec<String>),
    /// An array of this length.
    #[error("there are {0} elements")]
    NoElement(usize),
    /// The value has nothing below it.
    #[error("it has nothing below it")]
    NotContainer,
    /// What is below is not known yet.
    #[error("it is not known before apply")]
    Unknown,
}

/// The value at `path` in the first of the places of `of` that has it. The empty path is a whole set of properties.
///
/// # Errors
///
/// If no place has it.
pub fn lookup(resource: &Resource, path: &Path, of: Of, masks: Masks) -> Result<Answer, Missing> {
    let mut missing = Missing {
        nearest: Path::root(),
        place: None,
        why: MissingKind::NoProperties,
    };
    for place in of.places() {
        let Some(top) = place.of(resource) else {
            continue;
        };
        match descend(top, place.other().of(resource), path, masks) {
            Ok(value) => return Ok(Answer { place, value }),
            Err((n_steps, why)) => {
                if missing.place.is_none() || n_steps > missing.nearest.0.len() {
                    missing = Missing {
                        nearest: Path(path.0[..n_steps].to_vec()),
                        place: Some(place),
                        why,
                    };
                }
            }
        }
    }
    Err(missing)
}

/// The value at `path` below `top`, or how many steps could be taken and why no more. `other` is the same value at the other end of
/// a change, and both are [masked alike](Value::masked_like): a path that is only there, below a mask, answers with the mask.
///
/// # Errors
///
/// If the value has no such path.
pub fn descend(
    top: &Value,
    other: Option<&Value>,
    path: &Path,
    masks: Masks,
) -> Result<Value, (usize, MissingKind)> {
    let other = other.filter(|_| masks == Masks::Keep);
    follow(top, &path.0, masks).or_else(|missing| match other {
        Some(other) if path.crosses_secret(other) => {
            Ok(Value::new(Payload::Sealed(Sealed::Redacted)))
        }
        _ => Err(missing),
    })
}

fn follow(top: &Value, steps: &[Segment], masks: Masks) -> Result<Value, (usize, MissingKind)> {
    let mut value = top.clone();
    for (n_taken, segment) in steps.iter().enumerate() {
        if value.is_secret() {
            if masks == Masks::Keep || matches!(value.payload(), Payload::Sealed(_)) {
                return Ok(Value::new(Payload::Sealed(Sealed::Redacted)));
            }
            // What lies below a secret is as secret as it.
            value = value.reveal();
        }
        if let Some(inner) = inside(&value) {
            value = inner;
        }
        value = step(&value, segment).map_err(|why| (n_taken, why))?;
    }
    Ok(value)
}

/// The container that a string holds as JSON, and the fields of an asset or archive.
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

/// The names, those first that look like `wanted`.
fn nearest_first<'a>(wanted: &str, names: impl Iterator<Item = &'a str>) -> Vec<String> {
    let wanted = wanted.to_lowercase();
    let mut names: Vec<_> = names.map(str::to_owned).collect();
    names.sort_by_cached_key(|name| {
        let name = name.to_lowercase();
        if name == wanted {
            0
        } else if name.contains(&wanted) || wanted.contains(&name) {
            1
        } else {
            2
        }
    });
    names
}

#[cfg(test)]
mod tests;
