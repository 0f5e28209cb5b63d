//! Provider schemas: `terraform providers schema -json`, browsed like a stack whose resources are resource types.
//!
//! # Source
//!
//! hashicorp/terraform `internal/command/jsonprovider`.

use super::identity::Identity;
use crate::format::draft::{self, RowOrigin};
use crate::format::envelope::Envelope;
use crate::format::fields::text;
use crate::format::keys::{Fit, Keys};
use crate::format::table::{Format, Marks};
use crate::format::{Oddities, ReadError, Site, Target};
use crate::index::indexer::{Counted, Indexer};
use crate::index::scan::{Next, OutlineState};
use crate::json::Numbers;
use crate::render::copy::Written;
use crate::stack::{Kind, Resource, State, Tool};
use crate::value::Map;

pub(crate) const FORMAT: Format = Format {
    kind: Kind::ProviderSchemas,
    title: "Provider schemas",
    from: "`terraform providers schema -json`",
    noun: "provider schemas",
    versions: &[],
    marks: Marks::Keys(fit),
    outline,
    index,
    resource: read,
    envelope,
    translate: None,
    events: None,
    walk: None,
    written: Some(Written::ELEMENTS),
};

fn fit(keys: &Keys) -> Option<Fit> {
    keys.has("provider_schemas").then_some(Fit::Sure)
}

fn outline(place: OutlineState, key: Option<&str>) -> Next {
    match (place, key) {
        (0, Some("provider_schemas")) => Next::Enter(1),
        (1, Some(_)) => Next::Enter(2),
        (2, Some("provider")) | (3, Some(_)) => Next::Element(0),
        (2, Some(_)) => Next::Enter(3),
        _ => Next::Keep,
    }
}

fn index(site: Site<'_>, bytes: &[u8], indexer: &mut Indexer) {
    let [_, provider, section, rest @ ..] = &*site.element.trail else {
        return;
    };
    let local = crate::terraform::address::provider_type(provider);
    let ty = rest.first().map_or(local, |name| name);
    let (mode, address) = match &**section {
        "resource_schemas" => ("managed", ty.to_owned()),
        "data_source_schemas" => ("data", format!("data.{ty}")),
        "ephemeral_resource_schemas" => ("ephemeral", format!("ephemeral.{ty}")),
        "provider" => ("provider", format!("provider.{ty}")),
        "functions" => ("function", format!("provider::{local}::{ty}")),
        other => {
            let word = other
                .strip_suffix("_schemas")
                .unwrap_or(other)
                .trim_end_matches("_resource");
            (word, format!("{word}.{ty}"))
        }
    };
    let identity = Identity {
        address,
        mode: mode.to_owned(),
        ty: ty.to_owned(),
        provider: provider.to_string(),
        deposed: String::new(),
    };
    let prefix = identity.prefix(site.context);
    let counted = if &**section == "resource_schemas" {
        Counted::Resource
    } else {
        Counted::No
    };
    let entry = RowOrigin {
        fallback: &identity.address,
        ..RowOrigin::whole(site, counted)
    };
    let mut oddities = Oddities::new();
    let outcome = of_schema(&identity, &prefix, bytes, &mut oddities);
    draft::add(indexer, outcome, &entry, &oddities);
}

fn read(target: &Target<'_>, bytes: &[u8], oddities: &mut Oddities) -> Result<Resource, ReadError> {
    let (identity, prefix) = target.identity();
    of_schema(&identity, &prefix, bytes, oddities)
}

fn of_schema(
    identity: &Identity,
    prefix: &str,
    bytes: &[u8],
    oddities: &mut Oddities,
) -> Result<Resource, ReadError> {
    let schema = crate::format::parse_element(bytes, Numbers::Exact, oddities)?;
    let mut resource = identity.resource(prefix);
    // Show the attributes and blocks directly: the version alone is not useful.
    let shown = schema.get("block").cloned().unwrap_or(schema.clone());
    resource.after = Some(State::of_attributes(Some(shown)));
    if let (Some(map), true) = (schema.as_map(), schema.get("block").is_some()) {
        resource.fields = map
            .iter()
            .filter(|(key, _)| &***key != "block")
            .map(|(key, value)| (key.clone(), value.clone()))
            .collect();
    }
    Ok(resource)
}

fn envelope(rest: &Map, envelope: &mut Envelope) {
    envelope.header.tool = Tool::Terraform;
    text(rest, "format_version").clone_into(&mut envelope.header.format_version);
    let providers = rest
        .get("provider_schemas")
        .and_then(|schemas| schemas.as_map())
        .map(|schemas| {
            schemas
                .keys()
                .map(|name| crate::value::Value::from(&**name))
                .collect::<Vec<_>>()
        });
    if let Some(providers) = providers {
        envelope
            .header
            .fields
            .push(("providers".to_owned(), providers.into()));
    }
}
