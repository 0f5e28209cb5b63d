//! Places of values: the part of a resource, the path, and the path inside a document that a string holds.

use super::{decoded, fields, label};
use crate::path::{Path, Segment};
use crate::stack::{PropertySet, Resource, Section, When};
use crate::value::Value;

/// A set of values of a resource.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Part {
    /// The values that the program asked for.
    Inputs,
    /// The values that the provider returned, Terraform's attributes, or the outputs of the stack.
    Outputs,
    /// The properties before the change, if they differ from the current ones.
    Before(Section),
    /// The options of the resource. They are listed with the difference only, since they are among the fields.
    Options,
    /// Everything else in the file about the resource.
    Fields,
}

impl Part {
    /// The parts that a resource lists, in their order.
    pub const ALL: [Self; 5] = [
        Self::Inputs,
        Self::Outputs,
        Self::Before(Section::Inputs),
        Self::Before(Section::Outputs),
        Self::Fields,
    ];

    /// The section of properties that the part shows. `None` for [`Part::Fields`].
    pub fn section(self) -> Option<Section> {
        match self {
            Self::Inputs => Some(Section::Inputs),
            Self::Outputs => Some(Section::Outputs),
            Self::Before(section) => Some(section),
            Self::Options => Some(Section::Options),
            Self::Fields => None,
        }
    }

    /// The part of `resource` that shows a section, before or after the change.
    pub fn of(section: Section, before: bool, resource: &Resource) -> Self {
        match section {
            _ if before && resource.after.is_some() => Self::Before(section),
            Section::Inputs => Self::Inputs,
            Section::Outputs => Self::Outputs,
            Section::Options => Self::Options,
        }
    }

    /// The place of the part's values in `resource`. `None` if the part is not a set of properties.
    pub fn place(self, resource: &Resource) -> Option<PropertySet> {
        let when = match self {
            Self::Before(_) => When::Before,
            _ if resource.after.is_none() => When::Before,
            _ => When::After,
        };
        self.section().map(|section| PropertySet { when, section })
    }

    /// True if the values are listed only on request.
    pub fn starts_closed(self) -> bool {
        matches!(self, Self::Before(_) | Self::Fields)
    }

    /// The name shown to a person.
    pub fn name(self) -> &'static str {
        match self {
            Self::Inputs => "inputs",
            Self::Outputs => "outputs",
            Self::Before(Section::Inputs) => "inputs before the change",
            Self::Before(Section::Outputs) => "outputs before the change",
            Self::Before(Section::Options) => "options before the change",
            Self::Options => "options",
            Self::Fields => "fields",
        }
    }
}

/// A value of a resource, by its place.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Spot {
    /// The part that the value belongs to.
    pub part: Part,
    /// The path.
    pub path: Path,
    /// The path inside the document that the string at `path` holds.
    pub inside: Option<Path>,
}

impl Spot {
    /// The path inside the document. `None` also for the string that holds the document.
    pub fn inner(&self) -> Option<&Path> {
        self.inside.as_ref().filter(|inside| !inside.0.is_empty())
    }

    /// All values of a part.
    pub fn top(part: Part) -> Self {
        Self {
            part,
            path: Path::root(),
            inside: None,
        }
    }

    /// The name of the value: the last segment of its path, or the name of its part.
    pub fn label(&self) -> String {
        match self.path.0.last() {
            Some(segment) => label(segment),
            None => self.part.name().to_owned(),
        }
    }

    /// The same value before the change. `None` for one that is from before, or that belongs to no section.
    pub fn before(&self) -> Option<Self> {
        let section = match self.part {
            Part::Inputs | Part::Outputs | Part::Options => self.part.section()?,
            Part::Before(_) | Part::Fields => return None,
        };
        Some(Self {
            part: Part::Before(section),
            ..self.clone()
        })
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

    /// True if the row at this place shows the value at `other`: the same value, or the document that the string there holds.
    pub fn is_value(&self, other: &Self) -> bool {
        let is_document = other.inside.is_none() && self.inside == Some(Path::root());
        self.part == other.part
            && self.path == other.path
            && (self.inside == other.inside || is_document)
    }

    /// The property at this place of a resource. `None` if the place is not a property.
    pub fn place(&self, resource: &Resource) -> Option<crate::search::PropertyAddress> {
        let place = self.part.place(resource)?;
        Some(crate::search::PropertyAddress {
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
