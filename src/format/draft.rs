//! Rows of an indexer from whole resources: for formats without a walk, and for elements in which a walk finds something odd.

use super::hide;
use super::{ReadError, Site};
use crate::index::indexer::{Counted, Draft, Indexer};
use crate::index::scan::Element;
use crate::json;
use crate::path::children;
use crate::pulumi::urn::ProviderReference;
use crate::stack::{EdgeKind, Flags, Note, Resource, Section, Severity, Span, n_secrets};
use crate::terraform::address;
use crate::terraform::address::ObjectName;
use crate::value::{Payload, Value};

/// The origin of a resource, and its role in the counts.
pub(super) struct RowOrigin<'e> {
    pub(super) site: Site<'e>,
    /// Its role in the counts.
    pub(super) counted: Counted,
    /// Its span, if that is not the whole element.
    pub(super) span: Option<Span>,
    /// The name of the row if the resource cannot be read.
    pub(super) fallback: &'e str,
}

impl<'e> RowOrigin<'e> {
    /// A whole element. A resource that cannot be read has no name.
    pub(super) fn whole(site: Site<'e>, counted: Counted) -> Self {
        Self {
            site,
            counted,
            span: None,
            fallback: "",
        }
    }
}

/// Adds a resource, or a broken row if it cannot be read; `oddities` are those of its element.
pub(super) fn add(
    indexer: &mut Indexer,
    outcome: Result<Resource, ReadError>,
    entry: &RowOrigin<'_>,
    oddities: &[json::Note],
) {
    let Site { element, context } = entry.site;
    super::oddities::remark(indexer, oddities, element.start);
    let span = entry.span.unwrap_or_else(|| span_of(element));
    match outcome {
        Ok(mut resource) => {
            hide::hide(&mut resource, &context.hidden);
            add_whole(indexer, &resource, span, entry.counted);
        }
        Err(error) => broken(
            indexer,
            span,
            entry.fallback,
            &error.to_string(),
            entry.counted,
        ),
    }
}

pub(super) fn span_of(element: &Element) -> Span {
    Span {
        offset: element.start,
        len: u32::try_from(element.end - element.start).unwrap_or(u32::MAX),
    }
}

/// Adds a row for something that cannot be read, and a note with the reason.
pub(super) fn broken(indexer: &mut Indexer, span: Span, name: &str, why: &str, counted: Counted) {
    indexer.abandon();
    let name = if name.is_empty() {
        format!("(broken, at byte {})", span.offset)
    } else {
        name.to_owned()
    };
    let note = Note::new(
        Severity::Error,
        format!("{name}, byte {}", span.offset),
        format!("this resource cannot be read: {why}"),
    );
    indexer.note(note, true);
    indexer.push(&Draft {
        span,
        flags: Flags::BROKEN,
        action: None,
        prefix: "",
        name: &name,
        id: "",
        group: "",
        provider: "",
        parent: "",
        key: &name,
        words: "",
        secrets: 0,
        counted,
        may_hide: true,
    });
}

fn add_whole(indexer: &mut Indexer, resource: &Resource, span: Span, counted: Counted) {
    for edge in &resource.edges {
        match edge.kind {
            EdgeKind::Provider => {
                if let Some(urn) = ProviderReference::urn_in(&edge.target) {
                    indexer.edge(urn, edge.kind);
                }
            }
            kind => indexer.edge(&edge.target, kind),
        }
    }
    let (mut secrets, mut unknown) = (0, false);
    for section in [Section::Inputs, Section::Outputs] {
        let sides = [&resource.before, &resource.after];
        let sides = sides.map(|state| state.as_ref().and_then(|state| state.section(section)));
        for properties in sides.into_iter().flatten() {
            indexer.properties(section, properties);
            unknown |= look(indexer, properties, resource.address.is_some());
        }
        secrets += n_secrets(sides);
    }
    let name = resource.address.as_deref().unwrap_or(&resource.name);
    let prefix = resource
        .urn
        .strip_suffix(name)
        .and_then(|prefix| prefix.strip_suffix("::"))
        .unwrap_or_default();
    let object = ObjectName::parse(name);
    let config = object.config_address();
    let is_terraform = resource.address.is_some();
    indexer.push(&Draft {
        span,
        flags: resource.flags.with(Flags::UNKNOWN, unknown),
        action: resource.change.as_ref().map(|change| change.action),
        prefix,
        name,
        id: resource
            .id
            .as_ref()
            .filter(|id| !id.is_secret())
            .and_then(Value::as_str)
            .unwrap_or_default(),
        group: if is_terraform {
            address::module_of(name)
        } else {
            ""
        },
        provider: resource.provider.as_deref().unwrap_or_default(),
        parent: if is_terraform {
            ""
        } else {
            resource.parent.as_deref().unwrap_or_default()
        },
        key: if is_terraform { &config } else { &resource.urn },
        words: if indexer.has_words() {
            ""
        } else {
            resource
                .change
                .as_ref()
                .map_or("", |change| &change.own_words)
        },
        secrets: u32::try_from(secrets).unwrap_or(u32::MAX),
        counted,
        may_hide: true,
    });
}

/// Adds the references in a value. True if something in it is unknown. Secrets are skipped, except in files of Terraform.
fn look(indexer: &mut Indexer, value: &Value, is_terraform: bool) -> bool {
    if value.is_secret() && !is_terraform {
        return false;
    }
    let mut unknown = value.is_computed();
    if let Payload::Reference(reference) = value.payload() {
        indexer.reference(&reference.urn.to_str_lossy());
    }
    for (_, inner) in children(value) {
        unknown |= look(indexer, inner, is_terraform);
    }
    unknown
}
