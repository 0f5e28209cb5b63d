//! Places of values: which part of a resource, the path, and the way inside of a document that a string holds.

use super::{decoded, fields};
use crate::path::{Path, Segment};
use crate::stack::{Place, Resource, Section, When};
use crate::value::Value;

/// Which values of a resource.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Part {
    /// What the program asked for.
    Inputs,
    /// What the provider answered; Terraform's attributes; outputs of the stack.
    Outputs,
    /// One of these before the change, where it is another than now.
    Before(Section),
    /// What else the file says of it.
    Fields,
}

impl Part {
    /// All parts, in the order in which they are listed.
    pub const ALL: [Self; 5] = [
        Self::Inputs,
        Self::Outputs,
        Self::Before(Section::Inputs),
        Self::Before(Section::Outputs),
        Self::Fields,
    ];

    /// The section, for those that are sections.
    pub fn section(self) -> Option<Section> {
        match self {
            Self::Inputs => Some(Section::Inputs),
            Self::Outputs => Some(Section::Outputs),
            Self::Before(section) => Some(section),
            Self::Fields => None,
        }
    }

    /// The part of `resource` that a set of properties is shown in.
    pub fn of(section: Section, before: bool, resource: &Resource) -> Self {
        match section {
            _ if before && resource.after.is_some() => Self::Before(section),
            Section::Inputs => Self::Inputs,
            Section::Outputs => Self::Outputs,
        }
    }

    /// Where the values of the part are in `resource`; `None` for what is no set of properties.
    pub fn place(self, resource: &Resource) -> Option<Place> {
        let when = match self {
            Self::Before(_) => When::Before,
            _ if resource.after.is_none() => When::Before,
            _ => When::After,
        };
        self.section().map(|section| Place { when, section })
    }

    /// Whether its values are listed only when they are asked for.
    pub fn starts_closed(self) -> bool {
        matches!(self, Self::Before(_) | Self::Fields)
    }

    /// The name for a person.
    pub fn name(self) -> &'static str {
        match self {
            Self::Inputs => "inputs",
            Self::Outputs => "outputs",
            Self::Before(Section::Inputs) => "inputs before the change",
            Self::Before(Section::Outputs) => "outputs before the change",
            Self::Fields => "fields",
        }
    }
}

/// A value of a resource, by its place.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Spot {
    /// Which values.
    pub part: Part,
    /// The path.
    pub path: Path,
    /// The path inside the document that the string at `path` holds.
    pub inside: Option<Path>,
}

impl Spot {
    /// All values of a part.
    pub fn top(part: Part) -> Self {
        Self {
            part,
            path: Path::root(),
            inside: None,
        }
    }

    /// One step further in.
    #[must_use]
    pub fn child(&self, segment: Segment) -> Self {
        match &self.inside {
            None => Self {
                path: self.path.child(segment),
                ..self.clone()
            },
            Some(inside) => Self {
                inside: Some(inside.child(segment)),
                ..self.clone()
            },
        }
    }

    /// Whether the row at this place shows the value at `other`: the same one, or the document that the string there holds.
    pub fn is_value(&self, other: &Self) -> bool {
        let is_document = other.inside.is_none() && self.inside == Some(Path::root());
        self.part == other.part
            && self.path == other.path
            && (self.inside == other.inside || is_document)
    }

    /// The property that is shown at this place of a resource; `None` for what is no property.
    pub fn place(&self, resource: &Resource) -> Option<crate::search::Place> {
        let place = self.part.place(resource)?;
        Some(crate::search::Place {
            before: place.when == When::Before,
            section: place.section,
            path: self.path.clone(),
        })
    }

    /// The value at this place of a resource.
    pub fn value(&self, resource: &Resource) -> Option<Value> {
        let value = match self.part.place(resource) {
            Some(place) => place.value_at(resource, &self.path),
            None => self.path.reach(&fields(resource)),
        }?;
        match &self.inside {
            None => Some(value),
            Some(inside) => inside.reach(&decoded(&value)?.value),
        }
    }
}
