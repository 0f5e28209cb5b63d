//! The configuration in a plan file, or the sources next to a file, with everything masked that the plan and its schemas know to be secret.

use super::Document;
use crate::change::configuration::{Configuration, Secrets};
use crate::stack::{Flags, ResourceId};
use crate::terraform::schema::SchemaKind;

/// Reads the configuration of `document`, of Pulumi the file that declares the resource `id`. It has no files if there are none;
/// `None` if `cancelled`. This is work for the background.
pub fn read(
    document: &Document,
    id: Option<ResourceId>,
    cancelled: &dyn Fn() -> bool,
) -> Option<Configuration> {
    let sources = document.sources_of(id);
    if sources.files.is_empty() {
        return Some(Configuration::new(&sources, &Secrets::default()));
    }
    let secrets = secrets(document, cancelled)?;
    let mut configuration = Configuration::new(&sources, &secrets);
    if document.stack.header.kind.is_pulumi()
        && let Some(id) = id
        && let Some(position) = document.position(id)
    {
        configuration.declare(document.stack.identity(id), &position);
    }
    Some(configuration)
}

/// The secrets of `document`, to be found wherever they appear in its file; `None` if `cancelled`. Reads every resource with a
/// secret.
pub(super) fn secrets(document: &Document, cancelled: &dyn Fn() -> bool) -> Option<Secrets> {
    let stack = &document.stack;
    let mut secrets = Secrets::default();
    secrets.add_likely(&stack.header.masking);
    for id in stack.ids() {
        if cancelled() {
            return None;
        }
        let has_secrets = stack.record(id).flags.contains(Flags::SECRET);
        if has_secrets && let Ok(resource) = document.resource(id) {
            secrets.add_resource(&resource);
        }
    }
    for (address, paths) in &*stack.sensitive {
        for path in paths {
            secrets.add_argument(address, path);
        }
    }
    for output in stack.outputs.iter() {
        secrets.add_value(&output.value);
        if let Some(before) = &output.before {
            secrets.add_value(before);
        }
    }
    for invocation in stack.invocations.iter() {
        if let Some(config) = &invocation.config {
            secrets.add_action(&invocation.address, &config.value);
        }
    }
    for (_, value) in &stack.header.fields {
        secrets.add_value(value);
    }
    let hidden = &stack.header.hidden;
    for (provider, hidden) in hidden.providers() {
        let name = provider.rsplit('/').next().unwrap_or(provider);
        secrets.add_schema(&format!("provider.{name}"), hidden);
    }
    for id in stack.ids().filter(|_| !hidden.is_empty()) {
        let mode = stack.tables.prefix(stack.record(id).prefix).mode();
        let kind = SchemaKind::of_mode(mode).unwrap_or(SchemaKind::Managed);
        if let Some(hidden) = hidden.find(stack.provider(id), kind, stack.ty(id)) {
            secrets.add_schema(stack.name(id), &hidden);
        }
    }
    for invocation in stack.invocations.iter() {
        let found = hidden.find(&invocation.provider, SchemaKind::Action, &invocation.ty);
        if let Some(hidden) = found {
            secrets.add_action_schema(&invocation.address, &hidden);
        }
    }
    Some(secrets)
}
