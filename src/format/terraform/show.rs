//! States of Terraform and OpenTofu as `terraform show -json` prints them.
//!
//! # Source
//!
//! hashicorp/terraform `internal/command/jsonstate`.

use super::identity::{self, Identity, dependencies, id_of, instance_address};
use crate::change::masks::fold;
use crate::format::draft::{self, RowOrigin};
use crate::format::envelope::Envelope;
use crate::format::fields::{flag, object, others, text};
use crate::format::keys::{Fit, Keys};
use crate::format::table::{Format, Marks};
use crate::format::{Oddities, ReadError, Site, Target};
use crate::index::indexer::{Counted, Indexer};
use crate::index::scan::{Next, OutlineState};
use crate::render::copy::{End, Wanted, Written};
use crate::stack::{Flags, Kind, Output, Resource, Section, State};
use crate::value::Map;

pub(crate) const FORMAT: Format = Format {
    kind: Kind::TerraformShow,
    title: "Terraform / OpenTofu state in JSON",
    from: "`terraform show -json`",
    noun: "state (show -json)",
    versions: &[],
    marks: Marks::Keys(fit),
    outline,
    index,
    resource: read,
    envelope,
    translate: None,
    events: None,
    walk: Some(super::plan::index::of_resource),
    written: Some(Written {
        sections,
        output: Some(output),
    }),
};

fn fit(keys: &Keys) -> Option<Fit> {
    keys.has_any(&["values.root_module", "values.outputs", "format_version"])
        .then_some(Fit::Sure)
}

fn sections(wanted: &Wanted<'_>) -> Vec<Vec<&'static str>> {
    match wanted.section {
        Section::Outputs => vec![vec!["values"]],
        Section::Inputs | Section::Options => Vec::new(),
    }
}

fn output(output: &Output, end: End) -> Vec<&str> {
    match end {
        // A state has no value before: it is in the other of two files.
        End::Before => Vec::new(),
        End::After | End::Unknown => vec!["values", "outputs", &output.name, "value"],
    }
}

const VALUES: OutlineState = 1;
const MODULE: OutlineState = 2;
const RESOURCES: OutlineState = 3;
const MODULES: OutlineState = 4;

fn outline(place: OutlineState, key: Option<&str>) -> Next {
    match (place, key) {
        (0, Some("values")) => Next::Enter(VALUES),
        (VALUES, Some("root_module")) | (MODULES, None) => Next::Enter(MODULE),
        (MODULE, Some("resources")) => Next::Enter(RESOURCES),
        (MODULE, Some("child_modules")) => Next::Enter(MODULES),
        (MODULE, _) => Next::Skip,
        (RESOURCES, None) => Next::Element(0),
        _ => Next::Keep,
    }
}

/// The fields that [`Resource`] has a field for.
const TOLD: &[&str] = &[
    "address",
    "mode",
    "type",
    "name",
    "index",
    "provider_name",
    "values",
    "sensitive_values",
    "depends_on",
    "tainted",
    "deposed_key",
];

fn index(site: Site<'_>, bytes: &[u8], indexer: &mut Indexer) {
    let entry = RowOrigin::whole(site, Counted::Resource);
    let mut oddities = Oddities::new();
    let outcome = identity::element("the resource", bytes, &mut oddities).and_then(|map| {
        let identity = identity(&map)?;
        let prefix = identity.prefix(site.context);
        Ok(of_resource(&identity, &prefix, &map))
    });
    draft::add(indexer, outcome, &entry, &oddities);
}

fn read(target: &Target<'_>, bytes: &[u8], oddities: &mut Oddities) -> Result<Resource, ReadError> {
    let map = identity::element("the resource", bytes, oddities)?;
    let (identity, prefix) = target.identity();
    Ok(of_resource(&identity, &prefix, &map))
}

fn identity(map: &Map) -> Result<Identity, ReadError> {
    let (mode, ty) = (text(map, "mode"), text(map, "type"));
    let address = match text(map, "address") {
        "" if ty.is_empty() => {
            return Err(ReadError::unexpected("the resource", "an address", "none"));
        }
        "" => instance_address("", mode, ty, text(map, "name"), map.get("index")),
        address => address.to_owned(),
    };
    Ok(Identity {
        address,
        mode: mode.to_owned(),
        ty: ty.to_owned(),
        provider: text(map, "provider_name").to_owned(),
        deposed: text(map, "deposed_key").to_owned(),
    })
}

fn of_resource(identity: &Identity, prefix: &str, map: &Map) -> Resource {
    let mut resource = identity.resource(prefix);
    resource.flags = resource.flags.with(Flags::TAINTED, flag(map, "tainted"));
    let values = map
        .get("values")
        .filter(|values| !values.is_null())
        .map(|values| fold(values, None, map.get("sensitive_values")));
    resource.id = id_of(values.as_ref());
    resource.after = Some(State::of_attributes(values));
    resource.edges = dependencies(map, "depends_on").collect();
    resource.fields = others(map, TOLD).collect();
    resource
}

fn envelope(rest: &Map, envelope: &mut Envelope) {
    identity::versions("state", rest, envelope);
    let outputs = object(rest, "values").and_then(|values| object(values, "outputs"));
    for (name, output) in outputs.into_iter().flatten() {
        if let Some(output) = output.as_map() {
            identity::output(name, output, envelope);
        }
    }
    envelope.fields(rest, &["format_version", "terraform_version", "values"]);
    super::plan::check_notes(rest, envelope);
}
