//! File formats: the [`table`] of formats, sniffing, and reading a resource.
//!
//! A format is a file below `pulumi` or `terraform` and a row of the [`table`]: a few pure functions over bytes. Only
//! [`crate::load`] knows files, pipes, threads and offsets.
//!
//! # How a file is read
//!
//! 1. `sniff` looks at the first bytes and names the format.
//! 2. The scanner (`scan`) finds the elements of the file by the format's outline while the file streams by.
//! 3. The format's `index` turns each element into rows of an `Indexer`; its `envelope` reads the parts outside of the elements.
//! 4. When a resource is looked at, its bytes are read again and the format's `resource` builds a [`Resource`] from them.

mod draft;
pub(crate) mod envelope;
pub(crate) mod event_log;
mod fields;
mod hide;
mod keys;
pub(crate) mod log_secrets;
pub(crate) mod oddities;
pub(crate) mod pulumi;
mod pulumi_config;
mod sniff;
mod source;
pub(crate) mod terraform;

#[cfg(test)]
mod tests;

pub mod locate;
pub mod table;

pub(crate) use crate::format::pulumi::deployment::integrity::Position;
pub(crate) use crate::format::terraform::identity::is_of_opentofu;
#[cfg(feature = "internals")]
pub use crate::format::terraform::old_state::translate as upgrade_state;
pub(crate) use crate::format::terraform::plan::prior;
use crate::terraform::address::ObjectName;
pub(crate) use hide::{MESSAGES, cut_paths, hide_both, secret_texts};
pub use source::{ReadError, Source, SourceError};
pub use table::Format;

pub(crate) use sniff::{Guess, has_plain_values, may_be_known, merge_conflict, sniff};
pub(crate) use table::of_magic;

use crate::format::terraform::identity::Identity;
use crate::index::scan::Element;
use crate::json::{self, Numbers};
use crate::stack::{
    Action, Edge, Header, Kind, Others, Output, Resource, ResourceId, Severity, Stack, State,
};
use crate::terraform::schema::HiddenPlaces;
use crate::value::{Map, Value};
use envelope::Envelope;

/// Oddities in the JSON of an element: a key given twice, half of a surrogate pair.
type Oddities = Vec<json::Note>;

/// Maximum number of oddities that are reported for a resource.
const MAX_REMARKS: usize = 20;

/// Facts about a file that are not in its bytes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Context {
    /// The workspace, for URNs of Terraform.
    pub workspace: String,
    /// The project, for URNs of Terraform.
    pub project: String,
    /// The places that the schemas of the providers call sensitive or write-only.
    pub hidden: HiddenPlaces,
}

/// An element of a file that is indexed, and the facts about its file.
#[derive(Clone, Copy)]
pub(crate) struct Site<'e> {
    pub(crate) element: &'e Element,
    pub(crate) context: &'e Context,
}

/// A resource that is read again.
pub(crate) struct Target<'a> {
    stack: &'a Stack,
    id: ResourceId,
}

impl Target<'_> {
    /// The URN; "" if only the bytes are known.
    fn urn(&self) -> String {
        if self.id.index() < self.stack.len() {
            self.stack.urn(self.id)
        } else {
            String::new()
        }
    }

    /// The identity that the record of a Terraform resource holds, and the prefix of its URN.
    fn identity(&self) -> (Identity, String) {
        let record = self.stack.record(self.id);
        let prefix = self.stack.tables.prefix(record.prefix);
        let name = ObjectName::parse(self.stack.name(self.id));
        let identity = Identity {
            address: name.address.to_owned(),
            mode: prefix.mode().to_owned(),
            ty: self.stack.ty(self.id).to_owned(),
            provider: self.stack.provider(self.id).to_owned(),
            deposed: name.deposed.unwrap_or_default().to_owned(),
        };
        (identity, prefix.text().to_owned())
    }

    /// The needs of the resource with this address, as the configuration gives them.
    fn references(&self, config_address: &str) -> Vec<Edge> {
        self.stack
            .references
            .get(config_address)
            .cloned()
            .unwrap_or_default()
    }
}

/// The whole of one resource, read from its bytes. It is masked by its siblings, too.
///
/// # Errors
///
/// If the bytes cannot be read again, or are not a resource of the format.
pub fn resource(stack: &Stack, id: ResourceId, source: &dyn Source) -> Result<Resource, ReadError> {
    let mut resource = entry(stack, id, source)?;
    match stack.siblings.of(id) {
        None | Some(Others::Many(false)) => {}
        Some(Others::Many(true)) => hide::hide_all(&mut resource),
        Some(Others::Few(members)) => {
            let others = members.iter().filter(|other| **other != id);
            let others = others.map(|other| entry(stack, *other, source));
            hide::hide_like(&mut resource, &others.collect::<Result<Vec<_>, _>>()?);
        }
    }
    hide::hide_repeats(&mut resource);
    hide_likely(stack, &mut resource);
    Ok(resource)
}

/// Hides the likely secrets of a resource.
fn hide_likely(stack: &Stack, resource: &mut Resource) {
    hide::hide_likely(resource, &stack.header.masking);
}

/// The whole of one resource as its own record has it.
fn entry(stack: &Stack, id: ResourceId, source: &dyn Source) -> Result<Resource, ReadError> {
    let record = stack.record(id);
    let bytes = source.read(record.span)?;
    let Some(format) = table::of(&stack.header) else {
        return Err(ReadError::unexpected(
            stack.identity(id),
            "a known format",
            stack.header.kind,
        ));
    };
    let mut oddities = Oddities::new();
    let mut resource = (format.resource)(&Target { stack, id }, &bytes, &mut oddities)?;
    if !oddities.is_empty() {
        let remarks = oddities.iter().take(MAX_REMARKS).map(|oddity| {
            let place = oddity.offset;
            Value::from(&*format!("{} (byte {place} of the resource)", oddity.kind))
        });
        let remarks: Vec<Value> = remarks.collect();
        resource.fields.push(("odd JSON".into(), remarks.into()));
    }
    hide::hide(&mut resource, &stack.header.hidden);
    if stack.repeating.contains(&id) {
        hide::hide_messages(&mut resource);
    }
    // Some facts are only elsewhere in the file: operations under way, drift.
    resource.flags |= record.flags;
    Ok(resource)
}

/// A resource of a Pulumi file, whose bytes are complete.
pub(crate) fn pulumi_resource(format: &Format, bytes: &[u8]) -> Option<Resource> {
    let header = Header::new(format.kind);
    let stack = Stack::new(header);
    let target = Target {
        stack: &stack,
        id: ResourceId(0),
    };
    (format.resource)(&target, bytes, &mut Oddities::new()).ok()
}

/// The faults of a resource of a deployment, in plain words. `position_of` looks up the position of a URN in the list of resources.
pub(crate) fn findings(bytes: &[u8], position_of: &dyn Fn(&str) -> Position) -> Vec<String> {
    crate::format::pulumi::deployment::findings(bytes, position_of)
}

/// The addresses in the configuration that a resource of a Terraform state depends on, from its bytes. Version 0.12.0 wrote
/// names that are relative to a module under another key. They are left out.
pub(crate) fn dependencies(format: &Format, bytes: &[u8]) -> Vec<String> {
    let key = match format.kind {
        Kind::TerraformShow => "depends_on",
        _ => "dependencies",
    };
    let parsed = json::parse(bytes, Numbers::Exact);
    let map = parsed
        .ok()
        .and_then(|parsed| parsed.value.as_map().cloned());
    let edges = map
        .iter()
        .flat_map(|map| crate::format::terraform::identity::dependencies(map, key));
    edges.map(|edge| edge.target).collect()
}

/// The outputs of a stack, from the root resource. A preview that does not compute them leaves them unchanged: nothing is known
/// about their changes.
pub(crate) fn outputs_of(root: &Resource) -> Vec<Output> {
    // If the outputs are secret as a whole, their names are too.
    let outputs = |state: &Option<State>| {
        let outputs = state.as_ref()?.outputs.as_ref()?;
        outputs.as_map().filter(|_| !outputs.is_secret()).cloned()
    };
    let (before, after) = (outputs(&root.before), outputs(&root.after));
    let is_worked_out = after.is_some() || root.after.is_none();
    let old = before.filter(|_| is_worked_out).unwrap_or_default();
    let new = if is_worked_out {
        after
    } else {
        outputs(&root.before)
    }
    .unwrap_or_default();
    let changes = root.change.is_some() && is_worked_out;
    let mut all: Vec<Output> = Vec::new();
    for (name, value) in &new {
        let before = old.get(name).cloned();
        let action = match &before {
            None => Action::Create,
            Some(before) if before == value => Action::Noop,
            Some(_) => Action::Update,
        };
        all.push(Output {
            name: name.clone(),
            value: value.clone(),
            before,
            action: changes.then_some(action),
            declared_type: String::new(),
        });
    }
    for (name, value) in old.iter().filter(|(name, _)| !new.contains_key(name)) {
        all.push(Output {
            name: name.clone(),
            value: Value::NULL,
            before: Some(value.clone()),
            action: Some(Action::Delete),
            declared_type: String::new(),
        });
    }
    all.into_iter().map(Output::with_mirrored_masks).collect()
}

/// Reads the header and the other facts about a log as a whole.
pub(crate) fn envelope_of_log(format: &Format, head: &Map, envelope: &mut Envelope) {
    (format.envelope)(head, envelope);
}

/// Reads the header and the other facts in the rest of a file; `rest` is JSON without the elements.
pub(crate) fn envelope(format: &Format, rest: &[u8], envelope: &mut Envelope) {
    let numbers = if format.kind.is_pulumi() {
        Numbers::Double
    } else {
        Numbers::Exact
    };
    match json::parse(rest, numbers) {
        Ok(parsed) => {
            for note in parsed.notes {
                envelope.note(
                    Severity::Warning,
                    "outside of the resources",
                    note.kind.to_string(),
                );
            }
            let map = parsed.value.as_map().cloned().unwrap_or_default();
            (format.envelope)(&map, envelope);
        }
        Err(error) => envelope.note(
            Severity::Error,
            "outside of the resources",
            error.to_string(),
        ),
    }
}

/// The value of an element.
fn parse_element(
    bytes: &[u8],
    numbers: Numbers,
    oddities: &mut Oddities,
) -> Result<Value, ReadError> {
    match json::parse_pairs(bytes, numbers) {
        Ok(parsed) => {
            oddities.extend(parsed.notes);
            Ok(parsed.value)
        }
        Err(error) => Err(ReadError::unexpected(
            format_args!("byte {} of the element", error.offset),
            error.expected,
            error.found,
        )),
    }
}

/// The object in an element; `what` names it in an error.
fn parse_object(
    what: &str,
    bytes: &[u8],
    numbers: Numbers,
    oddities: &mut Oddities,
) -> Result<Map, ReadError> {
    let value = parse_element(bytes, numbers, oddities)?;
    let map = value.as_map().cloned();
    map.ok_or_else(|| ReadError::unexpected(what, "an object", fields::kind(&value)))
}
