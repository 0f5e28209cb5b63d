//! Pulumi deployments: `pulumi stack export`, and the checkpoint files of a self-managed backend.
//!
//! # Source
//!
//! pulumi/pulumi `sdk/go/common/apitype/core.go` and `pkg/backend/diy`; versions 0 to 4.

pub(crate) mod integrity;

use crate::format::draft::{self, RowOrigin};
use crate::format::keys::{Fit, Keys, VERSION_NUMBER};
use crate::format::table::{Format, Marks};
use crate::render::copy::{Wanted, Written};
use crate::text::hex;

use super::resource::{
    self,
    walk::{Row, known},
};
use crate::format::envelope::Envelope;
use crate::format::fields::{object, text, texts, whole};
use crate::format::{Oddities, ReadError, Site, Target, parse_object};
use crate::index::indexer::{Counted, Indexer};
use crate::index::scan::{Next, OutlineState};
use crate::index::walk::Odd;
use crate::json::Numbers;
use crate::json::tape::Cursor;
use crate::pulumi::urn;
use crate::stack::{About, Flags, Kind, Resource, Severity};
use crate::value::Map;
use integrity::{Names, Position};

pub(crate) const FORMAT: Format = Format {
    kind: Kind::PulumiState,
    title: "Pulumi state",
    from: "`pulumi stack export`; `.pulumi/stacks/*.json`",
    noun: "state",
    versions: &[],
    marks: Marks::Keys(fit),
    outline,
    index,
    resource: read,
    envelope,
    translate: None,
    events: None,
    walk: Some(walk),
    written: Some(Written {
        sections,
        output: None,
    }),
};

/// Deployments are also found without resources, and without a wrapper.
fn fit(keys: &Keys) -> Option<Fit> {
    if keys.has_any(&["deployment", "checkpoint", "resources[].urn"]) {
        return Some(Fit::Sure);
    }
    let has_manifest = keys.has_any(&["resources", "secrets_providers", "manifest.magic"]);
    let is_likely = keys.has("manifest") && has_manifest
        || keys.has_any(&["latest.manifest", "latest.resources", "latest.time"])
        // A stack to which nothing was ever deployed.
        || keys.has_any(&["stack", "target"])
            && keys.only(&["stack", "target", "config", "latest"])
        || keys.has(VERSION_NUMBER) && keys.only(&["version", "features"]);
    is_likely.then_some(Fit::Likely)
}

/// An interrupted operation wraps its resource.
fn sections(wanted: &Wanted<'_>) -> Vec<Vec<&'static str>> {
    let section = wanted.section_keys();
    vec![section.clone(), [vec!["resource"], section].concat()]
}

const TOP: OutlineState = 0;
const CHECKPOINT: OutlineState = 1;
const DEPLOYMENT: OutlineState = 2;
const RESOURCES: OutlineState = 3;
const OPERATIONS: OutlineState = 4;

const RESOURCE: u8 = 0;
const OPERATION: u8 = 1;

/// The features of deployments that this program supports.
const FEATURES: &[&str] = &[
    "refreshBeforeUpdate",
    "views",
    "hooks",
    "taint",
    "replaceWith",
    "snippets-prototype",
    "extensionParameterization",
    "byteString",
];

fn outline(place: OutlineState, key: Option<&str>) -> Next {
    match (place, key) {
        (TOP, Some("deployment")) | (TOP | CHECKPOINT, Some("latest")) => Next::Enter(DEPLOYMENT),
        (TOP, Some("checkpoint")) => Next::Enter(CHECKPOINT),
        (TOP | DEPLOYMENT, Some("resources")) => Next::Enter(RESOURCES),
        (TOP | DEPLOYMENT, Some("pending_operations")) => Next::Enter(OPERATIONS),
        (RESOURCES, None) => Next::Element(RESOURCE),
        (OPERATIONS, None) => Next::Element(OPERATION),
        _ => Next::Keep,
    }
}

fn walk(site: Site<'_>, cursor: &mut Cursor<'_>, indexer: &mut Indexer) -> Result<(), Odd> {
    if site.element.role == OPERATION {
        return Err(Odd);
    }
    let mut found = resource::walk::read(cursor, indexer)?;
    resource::walk::edges(&mut found, indexer);
    let names = Names {
        urn: &found.urn,
        parts: urn::parts(&found.urn),
        ty: &found.ty,
        id: &found.id,
        parent: &found.parent,
        custom: found.custom,
    };
    if integrity::is_odd(&names) {
        indexer.odd();
    }
    let row = Row {
        id: known(&found.id),
        provider: &found.provider,
        action: None,
        may_hide: false,
    };
    resource::walk::push(site.element, &found, &row, indexer);
    Ok(())
}

fn index(site: Site<'_>, bytes: &[u8], indexer: &mut Indexer) {
    let counted = if site.element.role == RESOURCE {
        Counted::Resource
    } else {
        Counted::No
    };
    let mut oddities = Oddities::new();
    let parsed = parse(bytes, &mut oddities);
    if parsed.as_ref().is_ok_and(|map| {
        site.element.role == OPERATION || integrity::is_odd(&integrity::names(map))
    }) {
        indexer.odd();
    }
    let outcome = parsed.map(|map| whole_resource(&map));
    let entry = RowOrigin::whole(site, counted);
    draft::add(indexer, outcome, &entry, &oddities);
}

fn read(_: &Target<'_>, bytes: &[u8], oddities: &mut Oddities) -> Result<Resource, ReadError> {
    parse(bytes, oddities).map(|map| whole_resource(&map))
}

/// The faults of the resource in these bytes; see [`integrity`].
pub(crate) fn findings(bytes: &[u8], position_of: &dyn Fn(&str) -> Position) -> Vec<String> {
    parse(bytes, &mut Oddities::new())
        .map_or_else(|_| Vec::new(), |map| integrity::findings(&map, position_of))
}

fn parse(bytes: &[u8], oddities: &mut Oddities) -> Result<Map, ReadError> {
    parse_object("the resource", bytes, Numbers::Double, oddities)
}

/// The resource of an element, which may be an interrupted operation on one.
fn whole_resource(map: &Map) -> Resource {
    let Some(inner) = object(map, "resource").filter(|_| !map.contains_key("urn")) else {
        return resource::read(map);
    };
    let mut resource = resource::read(inner);
    resource.flags |= Flags::PENDING_OPERATION;
    let operation = text(map, "type");
    resource
        .fields
        .insert(0, ("interrupted operation".into(), operation.into()));
    resource
}

fn envelope(rest: &Map, envelope: &mut Envelope) {
    let checkpoint = object(rest, "checkpoint").unwrap_or(rest);
    let deployment = object(rest, "deployment")
        .or_else(|| object(checkpoint, "latest"))
        .unwrap_or(rest);
    if let Some(version) = whole(rest, "version") {
        envelope.header.format_version = version.to_string();
        if !(1..=4).contains(&version) {
            envelope.refuse(format!(
                "deployment version {version} is not known (1 to 4 are)"
            ));
        }
    }
    let header = &mut envelope.header;
    if let Some(manifest) = object(deployment, "manifest") {
        text(manifest, "version").clone_into(&mut header.tool_version);
    }
    let stack = match text(checkpoint, "stack") {
        "" => text(checkpoint, "target"),
        stack => stack,
    };
    match stack.rsplit_once('/') {
        Some((before, name)) => {
            name.clone_into(&mut header.stack);
            let project = before.rsplit_once('/').map_or(before, |(_, name)| name);
            project.clone_into(&mut header.project);
        }
        None if !stack.is_empty() => stack.clone_into(&mut header.stack),
        None => {}
    }
    envelope.stored_fields(
        rest,
        &["version", "deployment", "checkpoint", "latest", "resources"],
    );
    if object(rest, "checkpoint").is_some() {
        envelope.stored_fields(checkpoint, &["stack", "latest"]);
    }
    if object(rest, "deployment").is_some() || object(checkpoint, "latest").is_some() {
        envelope.stored_fields(deployment, &["resources", "pending_operations"]);
    }
    for feature in texts(rest, "features") {
        if !FEATURES.contains(&feature) {
            envelope.note(
                Severity::Warning,
                "features",
                format!("the feature {feature} is unknown; its data may not be shown"),
            );
        }
    }
    integrity(deployment, envelope);
}

fn integrity(deployment: &Map, envelope: &mut Envelope) {
    if let Some(manifest) = object(deployment, "manifest") {
        let (version, magic) = (text(manifest, "version"), text(manifest, "magic"));
        let expected = magic_of(version);
        if !version.is_empty() && !magic.is_empty() && magic != expected {
            envelope.note(
                Severity::Warning,
                "manifest.magic",
                "the magic number does not match the version: the file was edited by hand"
                    .to_owned(),
            );
        }
    }
    if let Some(error) =
        object(deployment, "metadata").and_then(|metadata| object(metadata, "integrity_error"))
    {
        envelope.quote(
            Severity::Warning,
            About::Integrity,
            "metadata.integrity_error",
            text(error, "error"),
        );
    }
}

/// The magic that the manifest must have for this version of the engine.
fn magic_of(version: &str) -> String {
    use sha2::Digest;
    hex(&sha2::Sha256::digest(version.as_bytes()))
}
