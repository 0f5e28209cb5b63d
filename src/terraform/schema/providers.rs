//! The output of `terraform providers schema -json`: schemas of many providers, each read on demand.

use super::{ReadError, Schema};
use crate::value::Value;

/// The schemas of some providers. Holds the JSON: a file may have thousands of schemas, so each is read when it is looked up.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Schemas {
    providers: Value,
}

/// The kind of object that a schema describes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SchemaKind {
    /// A provider's configuration.
    Provider,
    /// A managed resource.
    Managed,
    /// A data source.
    Data,
    /// An ephemeral resource.
    Ephemeral,
    /// The arguments of a provider's action.
    Action,
}

impl SchemaKind {
    /// The kinds that have one schema per type.
    pub(super) const OF_TYPES: [Self; 4] =
        [Self::Managed, Self::Data, Self::Ephemeral, Self::Action];

    /// The kind of a resource with this `mode` in a plan or state.
    pub fn of_mode(mode: &str) -> Option<Self> {
        match mode {
            "managed" => Some(Self::Managed),
            "data" => Some(Self::Data),
            "ephemeral" => Some(Self::Ephemeral),
            _ => None,
        }
    }

    pub(super) fn key(self) -> &'static str {
        match self {
            Self::Provider => "provider",
            Self::Managed => "resource_schemas",
            Self::Data => "data_source_schemas",
            Self::Ephemeral => "ephemeral_resource_schemas",
            Self::Action => "action_schemas",
        }
    }
}

impl Schemas {
    /// The schemas of a file (`{format_version, provider_schemas}`), or of its `provider_schemas` alone.
    pub fn new(json: &Value) -> Self {
        Self {
            providers: json.get("provider_schemas").unwrap_or(json).clone(),
        }
    }

    /// The schema of a type of `provider`, which is a full name (`registry.terraform.io/hashicorp/aws`) as in a plan's
    /// `provider_name`, or a reference from a state. `None` if there is no such schema. The type is ignored for [`SchemaKind::Provider`].
    pub fn find(
        &self,
        provider: &str,
        kind: SchemaKind,
        type_name: &str,
    ) -> Option<Result<Schema, ReadError>> {
        let schemas = self.providers.get(full_name(provider))?.get(kind.key())?;
        let schema = if kind == SchemaKind::Provider {
            schemas
        } else {
            schemas.get(type_name)?
        };
        Some(Schema::read(schema))
    }
}

/// The full name of a provider in a text that is one, or that is a reference from a state
/// (`provider["registry.terraform.io/hashicorp/aws"].west`).
pub(super) fn full_name(provider: &str) -> &str {
    provider.split('"').nth(1).unwrap_or(provider)
}
