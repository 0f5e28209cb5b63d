//! Shared parts of the formats of Terraform and OpenTofu: the names of objects, and common fields of their JSON forms.

use std::borrow::Cow;

use crate::format::envelope::Envelope;
use crate::format::fields::{may_be, text, texts};
use crate::format::{Context, Oddities, ReadError};
use crate::json::Numbers;
use crate::stack::{Edge, EdgeKind, Flags, Mode, Resource, Tool};
use crate::terraform::address;
use crate::terraform::address::ObjectName;
use crate::terraform::cty_json;
use crate::value::{Map, Value};

/// The dependencies that a resource lists under `key`, by their addresses in the configuration.
pub(crate) fn dependencies<'m>(map: &'m Map, key: &str) -> impl Iterator<Item = Edge> + use<'m> {
    texts(map, key).map(|target| Edge {
        target: address::config_address(target).into_owned(),
        kind: EdgeKind::Dependency,
        property: None,
        attribute: None,
        instance: None,
    })
}

/// Identifies a resource instance object, with owned strings or strings borrowed from the file.
#[derive(Clone, Default, Debug)]
pub(crate) struct Identity<T = String> {
    /// The address of the instance, without a deposed key.
    pub(crate) address: T,
    /// `managed`, `data`, …
    pub(crate) mode: T,
    /// The resource type.
    pub(crate) ty: T,
    /// The provider, as the file writes it.
    pub(crate) provider: T,
    /// The key of a deposed object.
    pub(crate) deposed: T,
}

impl<T: AsRef<str>> Identity<T> {
    /// The address of the module instance, "" at the root.
    pub(crate) fn module(&self) -> &str {
        address::module_of(self.address.as_ref())
    }

    /// The full name: the address, and the deposed key if there is one.
    pub(crate) fn name(&self) -> Cow<'_, str> {
        let (address, deposed) = (self.address.as_ref(), self.deposed.as_ref());
        if deposed.is_empty() {
            return address.into();
        }
        let deposed = Some(deposed);
        ObjectName { address, deposed }.to_string().into()
    }

    /// The address in the configuration.
    pub(crate) fn config_address(&self) -> Cow<'_, str> {
        address::config_address(self.address.as_ref())
    }

    /// The part of the URN before the name.
    pub(crate) fn prefix(&self, context: &Context) -> String {
        let ty = self.ty.as_ref();
        let provider = match address::provider_type(self.provider.as_ref()) {
            // Old states name no provider: the type begins with its name.
            "" => ty.split_once('_').map_or(ty, |(name, _)| name),
            provider => provider,
        };
        let mode = match self.mode.as_ref() {
            "" => "managed",
            mode => mode,
        };
        // Only addresses in a module begin like this.
        let module = if self.address.as_ref().starts_with("module.") {
            "terraform:module:Module$"
        } else {
            ""
        };
        let parts = [
            "urn:pulumi:",
            &context.workspace,
            "::",
            &context.project,
            "::",
            module,
            provider,
            ":",
            mode,
            ":",
            ty,
        ];
        parts.concat()
    }

    pub(crate) fn mode(&self) -> Mode {
        match self.mode.as_ref() {
            "data" => Mode::Data,
            "ephemeral" => Mode::Ephemeral,
            _ => Mode::Managed,
        }
    }

    /// The flags that follow from the identity.
    pub(crate) fn flags(&self) -> Flags {
        let data = self.mode.as_ref() == "data";
        Flags::NONE
            .with(Flags::CUSTOM, !data)
            .with(Flags::DATA, data)
            .with(Flags::DEPOSED, !self.deposed.as_ref().is_empty())
    }
}

impl Identity {
    /// A resource with this identity and nothing else.
    pub(crate) fn resource(&self, prefix: &str) -> Resource {
        let name = self.name().into_owned();
        Resource {
            urn: format!("{prefix}::{name}"),
            address: Some(name.clone()),
            mode: self.mode(),
            flags: self.flags(),
            parent: Some(self.module().to_owned()).filter(|module| !module.is_empty()),
            provider: Some(self.provider.clone()).filter(|provider| !provider.is_empty()),
            ..Resource::new(name, self.ty.clone())
        }
    }
}

/// An instance key in the form that follows an address: `[0]`, `["a"]`, or nothing.
pub(crate) fn key_suffix(key: Option<&Value>) -> String {
    match key {
        None => String::new(),
        Some(key) if key.is_null() => String::new(),
        Some(key) => match (key.as_str(), key.as_number()) {
            (Some(text), _) => format!("[{}]", address::quote_key(text)),
            (_, Some(number)) => format!("[{number}]"),
            _ => String::new(),
        },
    }
}

/// The address of an instance by its parts.
pub(crate) fn instance_address(
    module: &str,
    mode: &str,
    ty: &str,
    name: &str,
    key: Option<&Value>,
) -> String {
    let module = if module.is_empty() {
        String::new()
    } else {
        format!("{module}.")
    };
    let mode = match mode {
        "" | "managed" => String::new(),
        mode => format!("{mode}."),
    };
    format!("{module}{mode}{ty}.{name}{}", key_suffix(key))
}

/// The id among the attributes. It is secret if all attributes are.
pub(crate) fn id_of(attributes: Option<&Value>) -> Option<Value> {
    let attributes = attributes?;
    let id = attributes.get("id").filter(|id| !id.is_null())?;
    Some(
        id.clone()
            .with_secret(id.is_secret() || attributes.is_secret()),
    )
}

/// True if a provider, named by its source or by the address of a configuration of it, comes from OpenTofu's registry.
pub(crate) fn is_of_opentofu(provider: &str) -> bool {
    let source = provider.split_once("provider[\"");
    let source = source.map_or(provider, |(_, source)| source);
    source.starts_with("registry.opentofu.org/")
}

/// The object in an element.
pub(crate) fn element(what: &str, bytes: &[u8], oddities: &mut Oddities) -> Result<Map, ReadError> {
    crate::format::parse_object(what, bytes, Numbers::Exact, oddities)
}

/// Reads the versions of the program and of the format from `show -json`. A new major version of the format is refused, because
/// it may change the meaning of fields.
pub(crate) fn versions(what: &str, rest: &Map, envelope: &mut Envelope) {
    let header = &mut envelope.header;
    header.tool = Tool::Terraform;
    text(rest, "terraform_version").clone_into(&mut header.tool_version);
    text(rest, "format_version").clone_into(&mut header.format_version);
    let version = header.format_version.clone();
    let major = version.split('.').next();
    if major.is_some_and(|major| major.parse::<u32>().is_ok_and(|major| major > 1)) {
        envelope.refuse(format!(
            "{what} format version {version} is not known (0.1 to 1.x are)"
        ));
    }
}

/// Adds an output in the form of `show -json`: the outputs of a state, or the unchanged outputs of a plan.
pub(crate) fn output(name: &std::sync::Arc<str>, output: &Map, envelope: &mut Envelope) {
    let value = output.get("value").cloned().unwrap_or_default();
    let ty = output.get("type").map(cty_json::type_text);
    let value = value.with_secret(may_be(output, "sensitive"));
    envelope.output(name, value, ty.unwrap_or_default());
}
