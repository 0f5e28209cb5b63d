//! The whole of `terraform providers schema -json`: schemas of many providers, read one by one when asked for.

use super::{ReadError, Schema};
use crate::value::Value;

/// The schemas of some providers. Holds the JSON; a schema is read when it is looked up, since a file may have thousands.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Schemas {
    providers: Value,
}

/// What a schema describes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// A provider's configuration.
    Provider,
    /// A managed resource.
    Managed,
    /// A data source.
    Data,
    /// An ephemeral resource.
    Ephemeral,
    /// What an action of the provider takes.
    Action,
}

impl Kind {
    /// The kinds that have a schema for each type.
    pub(super) const OF_TYPES: [Self; 4] =
        [Self::Managed, Self::Data, Self::Ephemeral, Self::Action];

    /// The kind of a resource of this `mode`, as plans and states have it.
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
    /// `provider_name`. `None` if there is none. The type is ignored for [`Kind::Provider`].
    pub fn find(
        &self,
        provider: &str,
        kind: Kind,
        type_name: &str,
    ) -> Option<Result<Schema, ReadError>> {
        let schemas = self.providers.get(provider)?.get(kind.key())?;
        let schema = if kind == Kind::Provider {
            schemas
        } else {
            schemas.get(type_name)?
        };
        Some(Schema::read(schema))
    }
}
