//! State files of Terraform and OpenTofu, version 4.
//!
//! # Source
//!
//! hashicorp/terraform `internal/states/statefile/version4.go`, opentofu/opentofu the same.

mod index;

use super::identity::{self, Identity, dependencies, id_of, instance_address};
use crate::format::draft::{self, RowOrigin};
use crate::format::envelope::Envelope;
use crate::format::fields::{items, kind, may_be, object, others, text, texts, whole};
use crate::format::keys::{Fit, Keys};
use crate::format::table::{Format, Marks};
use crate::format::{Oddities, ReadError, Site, Target};
use crate::index::indexer::{Counted, Indexer};
use crate::index::scan::{Next, OutlineState};
use crate::json::{self, Reader, Token};
use crate::render::copy::{End, Wanted, Written};
use crate::stack::{
    About, DECLARED, Flags, Kind, Output, Resource, Section, Severity, Span, State, Tool,
};
use crate::terraform::cty_json;
use crate::terraform::sensitive::{self, SensitiveSegment};
use crate::value::{Map, Payload, Value};

pub(crate) const FORMAT: Format = Format {
    kind: Kind::TerraformState,
    title: "Terraform / OpenTofu state",
    from: "`terraform.tfstate`; `terraform state pull`",
    noun: "state",
    versions: &[],
    marks: Marks::Keys(fit),
    outline,
    index,
    resource: read,
    envelope,
    translate: None,
    events: None,
    walk: Some(index::index),
    written: Some(Written {
        sections,
        output: Some(output),
    }),
};

fn fit(keys: &Keys) -> Option<Fit> {
    let has = |key: &str| keys.has(key);
    let is_described = keys.has_any(&["terraform_version", "serial", "lineage"]);
    let has_contents = keys.has_any(&["resources", "modules", "outputs", "check_results"]);
    let is_sure = has("resources[].instances")
        || has("modules[].path")
        || has("version") && (is_described || has_contents)
        || is_described && (has("resources") || has("modules"));
    is_sure.then_some(Fit::Sure)
}

fn sections(wanted: &Wanted<'_>) -> Vec<Vec<&'static str>> {
    match wanted.section {
        Section::Outputs => vec![vec!["attributes"], vec!["attributes_flat"]],
        Section::Inputs | Section::Options => Vec::new(),
    }
}

fn output(output: &Output, end: End) -> Vec<&str> {
    match end {
        // A state has no value before: it is in the other of two files.
        End::Before => Vec::new(),
        End::After | End::Unknown => vec!["outputs", &output.name, "value"],
    }
}

fn outline(place: OutlineState, key: Option<&str>) -> Next {
    match (place, key) {
        (0, Some("resources")) => Next::Enter(1),
        (1, None) => Next::Element(0),
        _ => Next::Keep,
    }
}

/// The fields of an instance that [`Resource`] has a field for.
const TOLD: &[&str] = &[
    "index_key",
    "status",
    "deposed",
    "attributes",
    "attributes_flat",
    "sensitive_attributes",
    "dependencies",
    "depends_on",
];

/// Indexes the instances of a row: one element of the file holds many resources.
fn index(site: Site<'_>, bytes: &[u8], indexer: &mut Indexer) {
    let entry = |span| RowOrigin {
        span,
        ..RowOrigin::whole(site, Counted::Resource)
    };
    let mut oddities = Oddities::new();
    let row = match identity::element("the row", bytes, &mut oddities) {
        Ok(row) => row,
        Err(error) => return draft::add(indexer, Err(error), &entry(None), &oddities),
    };
    let spans = instance_spans(bytes).unwrap_or_default();
    // Oddities of the row itself are reported with its first instance.
    let is_inside = |note: &json::Note| spans.iter().any(|span| span.contains(&note.offset));
    let (inside, outside): (Oddities, Oddities) = oddities.into_iter().partition(is_inside);
    crate::format::oddities::remark(indexer, &outside, site.element.start);
    for (span, instance) in spans.into_iter().zip(items(&row, "instances")) {
        let own = |note: &&json::Note| span.contains(&note.offset);
        let oddities: Oddities = inside.iter().filter(own).copied().collect();
        let span = Span {
            offset: site.element.start + span.start as u64,
            len: u32::try_from(span.len()).unwrap_or(u32::MAX),
        };
        let Some(instance) = instance.as_map() else {
            let error = ReadError::unexpected("the instance", "an object", kind(instance));
            draft::add(indexer, Err(error), &entry(Some(span)), &oddities);
            continue;
        };
        let identity = identity(&row, instance);
        let prefix = identity.prefix(site.context);
        let resource = of_instance(&identity, &prefix, instance);
        let mut entry = entry(Some(span));
        if !identity.deposed.is_empty() {
            entry.counted = Counted::Deposed;
        }
        draft::add(indexer, Ok(resource), &entry, &oddities);
    }
}

/// The byte ranges of the instances in a row.
fn instance_spans(row: &[u8]) -> Option<Vec<std::ops::Range<usize>>> {
    let mut reader = Reader::new(row);
    let mut spans = Vec::new();
    reader.next().ok()?;
    while let Some(Token::Key(key)) = reader.next().ok()? {
        if !key.is("instances") {
            reader.skip_value().ok()?;
            continue;
        }
        spans.clear();
        if reader.next().ok()? != Some(Token::ArrayStart) {
            continue;
        }
        let depth = reader.depth();
        loop {
            let start = reader.next_start();
            match reader.next().ok()? {
                Some(Token::ArrayEnd) if reader.depth() < depth => break,
                Some(Token::ArrayStart | Token::MapStart) => reader.skip_rest().ok()?,
                _ => {}
            }
            spans.push(start..reader.offset());
        }
    }
    Some(spans)
}

fn identity(row: &Map, instance: &Map) -> Identity {
    let (mode, ty) = (text(row, "mode"), text(row, "type"));
    let provider = match text(instance, "provider") {
        "" => text(row, "provider"),
        own => own,
    };
    Identity {
        address: instance_address(
            text(row, "module"),
            mode,
            ty,
            text(row, "name"),
            instance.get("index_key"),
        ),
        mode: mode.to_owned(),
        ty: ty.to_owned(),
        provider: provider.to_owned(),
        deposed: text(instance, "deposed").to_owned(),
    }
}

fn read(target: &Target<'_>, bytes: &[u8], oddities: &mut Oddities) -> Result<Resource, ReadError> {
    let instance = identity::element("the instance", bytes, oddities)?;
    let (identity, prefix) = target.identity();
    Ok(of_instance(&identity, &prefix, &instance))
}

fn of_instance(identity: &Identity, prefix: &str, instance: &Map) -> Resource {
    let mut resource = identity.resource(prefix);
    resource.flags = resource
        .flags
        .with(Flags::TAINTED, text(instance, "status") == "tainted");
    let mut declared = Map::default();
    let nested = instance
        .get("attributes")
        .filter(|attributes| !attributes.is_null());
    let attributes = match (nested, instance.get("attributes_flat")) {
        (Some(nested), _) => {
            let attributes = cty_json::unwrap_dynamic(nested, &mut declared);
            Some(masked(attributes, instance, sensitive::at_paths))
        }
        (None, Some(flat)) => Some(masked(flat.clone(), instance, sensitive::at_flat_paths)),
        (None, None) => None,
    };
    resource.id = id_of(attributes.as_ref());
    resource.after = Some(State::of_attributes(attributes));
    resource.edges = dependencies(instance, "dependencies")
        .chain(dependencies(instance, "depends_on"))
        .collect();
    resource.fields = others(instance, TOLD)
        .map(|(key, value)| {
            // A provider's private data may contain anything, secrets included.
            let secret = &*key == "private";
            (key, value.with_secret(secret))
        })
        .collect();
    if !declared.is_empty() {
        let declared = Value::from(declared);
        resource.fields.push((DECLARED.into(), declared));
    }
    resource
}

/// The attributes of an instance, with its sensitive paths hidden by `at`.
fn masked(
    attributes: Value,
    instance: &Map,
    at: fn(Value, Vec<Vec<SensitiveSegment>>) -> Value,
) -> Value {
    match instance.get("sensitive_attributes").map(Value::payload) {
        None | Some(Payload::Null) => attributes,
        Some(Payload::Array(paths)) => at(attributes, paths.iter().map(sensitive::path).collect()),
        // A path that cannot be parsed may lead anywhere.
        Some(_) => attributes.with_secret(true),
    }
}

fn envelope(rest: &Map, envelope: &mut Envelope) {
    let header = &mut envelope.header;
    header.tool = Tool::Terraform;
    text(rest, "terraform_version").clone_into(&mut header.tool_version);
    match whole(rest, "version") {
        Some(version) => {
            header.format_version = version.to_string();
            if !(1..=4).contains(&version) {
                envelope.refuse(format!("state version {version} is not known (1 to 4 are)"));
            }
        }
        None => envelope.note(
            Severity::Warning,
            "version",
            "the state does not say its version; read as version 4".to_owned(),
        ),
    }
    outputs_of_state(object(rest, "outputs"), envelope);
    envelope.fields(
        rest,
        &["version", "terraform_version", "outputs", "resources"],
    );
    check_notes(rest, envelope);
}

/// Adds the outputs of a state, whose dynamic values are wrapped.
pub(crate) fn outputs_of_state(outputs: Option<&Map>, envelope: &mut Envelope) {
    for (name, output) in outputs.into_iter().flatten() {
        let Some(output) = output.as_map() else {
            continue;
        };
        let ty = output.get("type");
        let value = output.get("value").cloned().unwrap_or_default();
        let value = cty_json::unwrap_as(value, ty).with_secret(may_be(output, "sensitive"));
        envelope.output(name, value, ty.map(cty_json::type_text).unwrap_or_default());
    }
}

fn check_notes(rest: &Map, envelope: &mut Envelope) {
    for check in items(rest, "check_results").filter_map(Value::as_map) {
        if !matches!(text(check, "status"), "fail" | "error") {
            continue;
        }
        for object in items(check, "objects").filter_map(Value::as_map) {
            for message in texts(object, "failure_messages") {
                envelope.quote(
                    Severity::Warning,
                    About::Check,
                    text(object, "object_addr"),
                    message,
                );
            }
        }
    }
}
