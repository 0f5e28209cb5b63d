//! The configuration that a plan file carries, with all that the plan and its schemas know to be secret masked.

use std::collections::HashMap;

use super::{Document, Input, schemas};
use crate::config::{Configuration, Secrets};
use crate::schema::{Block, Kind};
use crate::stack::Flags;

/// Reads the configuration of `document`, which came from `input`; `None` if `cancelled`.
///
/// Every resource with a secret is read, so that its secrets are found wherever they stand in the configuration: this is work for
/// the background.
pub fn read(
    document: &Document,
    input: &Input,
    cancelled: &dyn Fn() -> bool,
) -> Option<Configuration> {
    let stack = &document.stack;
    let mut secrets = Secrets::default();
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
    if let Ok(Some(found)) = schemas::of(input) {
        let schemas = found.contents;
        let mut blocks: HashMap<(&str, &str, &str), Option<Block>> = HashMap::new();
        for id in stack.ids() {
            let (provider, ty) = (stack.provider(id), stack.ty(id));
            let prefix = stack.tables.prefix(stack.record(id).prefix).text();
            let mode = prefix.rsplit(':').nth(1).unwrap_or("managed");
            let block = blocks.entry((provider, mode, ty)).or_insert_with(|| {
                let schema = schemas.find(provider, Kind::of_mode(mode)?, ty)?;
                schema.ok().map(|schema| schema.block)
            });
            if let Some(block) = block {
                secrets.add_schema(stack.name(id), block);
            }
        }
    }
    Some(Configuration::new(&stack.sources, &secrets))
}
