//! Results of checks in a plan file, and the attributes that its changes depend on, in the form that `show -json` has for them.

use prost::Message;

use super::changes::path;
use super::message::{CheckResults, RelevantAttribute};
use super::values::Values;
use crate::json;
use crate::terraform::address::{self, Address, AddressMode};
use crate::value::{Map, Value};

/// The results of checks, by what they check.
pub(super) fn checks(results: &[CheckResults]) -> Value {
    let mut results: Vec<&CheckResults> = results.iter().collect();
    results.sort_by(|a, b| a.config_addr.cmp(&b.config_addr));
    results
        .into_iter()
        .map(of_results)
        .collect::<Vec<_>>()
        .into()
}

fn of_results(results: &CheckResults) -> Value {
    let mut objects: Vec<_> = results.objects.iter().collect();
    objects.sort_by(|a, b| a.object_addr.cmp(&b.object_addr));
    let instances = objects.into_iter().map(|object| {
        let problems = object
            .failure_messages
            .iter()
            .map(|message| Value::from(Map::from_iter([("message", Value::from(&**message))])));
        let problems: Vec<Value> = problems.collect();
        let mut instance = Map::from_iter([
            ("address", instance_address(&object.object_addr)),
            ("status", Value::from(status(object.status))),
        ]);
        if !problems.is_empty() {
            instance = instance.set("problems", problems.into());
        }
        Value::from(instance)
    });
    let instances: Vec<Value> = instances.collect();
    let mut check = Map::from_iter([
        ("address", config_address(results)),
        ("status", Value::from(status(results.status))),
    ]);
    if !instances.is_empty() {
        check = check.set("instances", instances.into());
    }
    check.into()
}

/// The kind and the configuration address of the checked object.
fn config_address(results: &CheckResults) -> Value {
    let whole = &*results.config_addr;
    let module = address::module_of(whole);
    let local = whole[module.len()..].trim_start_matches('.');
    let kind = match results.kind {
        1 => "resource",
        2 => "output_value",
        3 => "check",
        4 => "var",
        _ => "unspecified",
    };
    let mut fields = vec![("kind", Value::from(kind))];
    let resource = (results.kind == 1)
        .then(|| Address::parse(whole).ok())
        .flatten();
    if let Some(resource) = &resource {
        let mode = match resource.mode {
            AddressMode::Managed => "managed",
            AddressMode::Data => "data",
            AddressMode::Ephemeral => "ephemeral",
            AddressMode::List => "list",
        };
        fields.push(("mode", mode.into()));
    }
    if !module.is_empty() {
        fields.push(("module", module.into()));
    }
    let name = match &resource {
        Some(resource) => &*resource.name,
        None => local.split_once('.').map_or(local, |(_, name)| name),
    };
    fields.push(("name", name.into()));
    fields.push(("to_display", whole.into()));
    if let Some(resource) = &resource {
        fields.push(("type", Value::from(&*resource.ty)));
    }
    Map::from_iter(fields).into()
}

fn instance_address(address: &str) -> Value {
    let module = address::module_of(address);
    let mut fields = Map::from_iter([("to_display", Value::from(address))]);
    if !module.is_empty() {
        fields = fields.set("module", module.into());
    }
    fields.into()
}

fn status(status: i32) -> &'static str {
    match status {
        1 => "pass",
        2 => "fail",
        3 => "error",
        _ => "unknown",
    }
}

/// The attributes that changes depend on, in order.
pub(super) fn relevant_attributes(messages: &[Vec<u8>], values: &Values) -> Value {
    let decode = |message: &Vec<u8>| match RelevantAttribute::decode(&**message) {
        Ok(relevant) => Some(relevant),
        Err(error) => {
            values.lose(
                "relevant_attributes",
                format!("an entry cannot be decoded: {error}"),
            );
            None
        }
    };
    let relevant = messages.iter().filter_map(decode);
    let mut attributes: Vec<(String, Value)> = relevant
        .map(|relevant| {
            let steps = relevant.attr.as_ref();
            let steps = steps.map(|steps| path(&relevant.resource, steps, values));
            (relevant.resource, steps.unwrap_or_default())
        })
        .collect();
    attributes.sort_by_cached_key(|(resource, steps)| (resource.clone(), json::to_compact(steps)));
    let attributes = attributes.into_iter().map(|(resource, steps)| {
        Value::from(Map::from_iter([
            ("resource", Value::from(resource)),
            ("attribute", steps),
        ]))
    });
    attributes.collect::<Vec<_>>().into()
}
