//! Paths into the file.
//!
//! The screen leaves out the wrappers that a file puts around values: the element of a resource, the names of its sections, the
//! type beside a dynamic value, the envelope of an output. A path into the file has to go through all of them. It is found by
//! walking the element as it is written.

use super::{NoCopy, Subject, jq_inside};
use crate::path::{Path, Segment};
use crate::pulumi::wire;
use crate::stack::{Flags, Output, ResourceId, Section, Stack};
use crate::terraform::address::ObjectName;
use crate::value::{Map, Value};

/// Location of a resource in the file, and its JSON as written there.
#[derive(Clone, Debug)]
pub struct Location {
    /// The path from the top of the file to the bytes of the resource.
    pub trail: Path,
    /// Those bytes as plain JSON, not interpreted.
    pub element: Value,
    /// True if the file has further elements for the resource, such as the steps of one change.
    pub has_others: bool,
    /// The places of values in files of the format.
    pub written: Written,
}

/// The places of values in the files of a format.
#[derive(Clone, Copy, Debug)]
pub struct Written {
    /// Possible paths of a section within the element of its resource, most likely first.
    pub sections: fn(&Wanted<'_>) -> Vec<Vec<&'static str>>,
    /// The path to an output of the stack from the top of the file, empty if the value is not in the file. `None` if no output of
    /// such a file has a path.
    pub output: Option<fn(&Output, End) -> Vec<&str>>,
}

impl Written {
    /// Paths lead to elements, but to no value.
    pub const ELEMENTS: Self = Self {
        sections: |_| Vec::new(),
        output: None,
    };
}

/// The property that a path has to lead to.
#[derive(Clone, Copy, Debug)]
pub struct Wanted<'a> {
    /// The section of the property.
    pub section: Section,
    /// The path below the section.
    pub path: &'a Path,
    /// The end of the change.
    pub end: End,
}

impl Wanted<'_> {
    /// The keys that lead from a state of Pulumi to the section. Options have none: they are beside the properties.
    pub fn section_keys(&self) -> Vec<&'static str> {
        match self.section {
            Section::Inputs | Section::Outputs => vec![self.section.name()],
            Section::Options => Vec::new(),
        }
    }
}

/// The end of a change that a value is at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// Before the change.
    Before,
    /// After the change, and known.
    After,
    /// After the change, and not known yet.
    Unknown,
}

impl End {
    /// The end of a value that is seen before the change or after it.
    pub(super) fn of(is_before: bool, value: Option<&Value>) -> Self {
        match value {
            _ if is_before => Self::Before,
            Some(value) if value.is_computed() => Self::Unknown,
            _ => Self::After,
        }
    }
}

/// The JSON pointer to the subject.
pub(super) fn pointer(subject: &Subject<'_>) -> Result<String, NoCopy> {
    let location = subject.location.ok_or(NoCopy::NotJson)?;
    if subject.inside.is_some() {
        return Err(NoCopy::NotInFile);
    }
    let mut path = location.trail.clone();
    path.0.extend(inner(subject, location)?);
    Ok(path.to_json_pointer())
}

/// A jq path to the subject, continued into the JSON that a string holds.
pub(super) fn jq(subject: &Subject<'_>) -> Result<String, NoCopy> {
    let value = subject.inside.and_then(|_| subject.value());
    jq_inside(outer_jq(subject)?, subject.inside, value.as_ref())
}

/// A jq path to the subject. It selects by the name of the resource if that is unique, else by position.
fn outer_jq(subject: &Subject<'_>) -> Result<String, NoCopy> {
    let location = subject.location.ok_or(NoCopy::NotJson)?;
    let inner = Path(inner(subject, location)?);
    let chosen = location
        .trail
        .0
        .split_last()
        .filter(|(last, _)| {
            let is_one = !location.has_others && is_only_one(subject.stack, subject.id);
            is_one && matches!(last, Segment::Index(_))
        })
        .and_then(|(_, list)| Some((Path(list.to_vec()), key(location)?)));
    let Some((list, (key, name))) = chosen else {
        let mut path = location.trail.clone();
        path.0.extend(inner.0);
        return Ok(path.to_jq());
    };
    let mut quoted = String::new();
    // Writing to a `String` cannot fail.
    _ = crate::json::write_string(&mut quoted, name);
    let chosen = format!("{}[] | select(.{key} == {quoted})", list.to_jq());
    Ok(if inner.0.is_empty() {
        chosen
    } else {
        format!("{chosen} | {}", inner.to_jq())
    })
}

/// The field of the element that names the resource, and the name.
fn key(location: &Location) -> Option<(&'static str, &str)> {
    ["urn", "address"].into_iter().find_map(|key| {
        let name = location.element.get(key)?.as_str()?;
        Some((key, name))
    })
}

/// True if no other resource has the same URN.
fn is_only_one(stack: &Stack, id: ResourceId) -> bool {
    let (record, name) = (stack.record(id), base(stack.name(id)));
    // An interrupted operation is in a separate list, but holds a resource of the main list.
    !record.flags.intersects(Flags::PENDING_OPERATION)
        && stack
            .ids()
            .filter(|other| {
                base(stack.name(*other)) == name && stack.record(*other).prefix == record.prefix
            })
            .take(2)
            .count()
            == 1
}

/// The name without the key of a deposed object: in the file, a deposed object has the address of its instance.
fn base(name: &str) -> &str {
    ObjectName::parse(name).address
}

/// The steps from the bytes of the resource to the property.
fn inner(subject: &Subject<'_>, location: &Location) -> Result<Vec<Segment>, NoCopy> {
    let Some(place) = subject.place else {
        return Ok(Vec::new());
    };
    let change = subject.resource.change.as_ref();
    if place.before && change.is_some_and(|change| change.comparison.is_some()) {
        // The value is in the other of two files.
        return Err(NoCopy::NotInFile);
    }
    let value = subject.value();
    let wanted = Wanted {
        section: place.section,
        path: &place.path,
        end: End::of(place.before, value.as_ref()),
    };
    (location.written.sections)(&wanted)
        .iter()
        .find_map(|head| descend(&location.element, head, &place.path))
        .ok_or(NoCopy::NotInFile)
}

/// The steps of `head` and then of `path` below `element`, with the wrappers between them.
fn descend(element: &Value, head: &[&str], path: &Path) -> Option<Vec<Segment>> {
    let mut steps: Vec<Segment> = Vec::new();
    let mut at = element;
    for key in head {
        at = at.get(key)?;
        steps.push(Segment::from(*key));
    }
    for segment in &path.0 {
        at = unwrap(at, &mut steps);
        at = segment.step(at).ok()?;
        steps.push(segment.clone());
    }
    unwrap(at, &mut steps);
    Some(steps)
}

/// The value inside the wrappers around `value`. The wrappers are added to `steps`.
fn unwrap<'v>(mut value: &'v Value, steps: &mut Vec<Segment>) -> &'v Value {
    while let Some((key, inner)) = value.as_map().and_then(wrapped) {
        steps.push(Segment::from(key));
        value = inner;
    }
    value
}

/// The value in an envelope of an output or beside its dynamic type. A secret stays wrapped, because only its ciphertext is
/// known.
fn wrapped(map: &Map) -> Option<(&'static str, &Value)> {
    let inner = map.get("value")?;
    let is_output = map
        .get(wire::SIGNATURE)
        .is_some_and(|signature| signature.as_str() == Some(wire::OUTPUT));
    let is_dynamic = map.len() == 2
        && map.get("type").is_some_and(|ty| match ty.as_str() {
            Some(name) => matches!(name, "string" | "number" | "bool" | "dynamic"),
            None => ty
                .as_array()
                .and_then(|parts| parts.get(0)?.as_str())
                .is_some_and(|kind| matches!(kind, "list" | "set" | "map" | "tuple" | "object")),
        });
    (is_output || is_dynamic).then_some(("value", inner))
}
