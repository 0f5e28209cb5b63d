//! Plan files of Terraform and OpenTofu: `terraform plan -out`.
//!
//! A plan file is a zip archive with a protobuf message in it, whose values are msgpack. It is turned into the JSON form of a plan
//! first, so that both are read alike.
//!
//! # Source
//!
//! hashicorp/terraform `internal/plans/planfile` and `planproto/planfile.proto`, opentofu/opentofu the same with its differences;
//! zclconf/go-cty `cty/msgpack`.

mod message;
mod typed;
mod unpack;

use std::io::Read;

use prost::Message;

use super::terraform::instance_address;
use super::{Format, terraform_plan};
use crate::address;
use crate::json::{self, Numbers};
use crate::stack::Kind;
use crate::value::{Map, Value};
use message::{Change, OutputChange, Path, Plan, ResourceChange, step};
use typed::Schemas;
use unpack::{Parts, unpack};

pub(super) const FORMAT: Format = Format {
    kind: Kind::TerraformPlanBinary,
    title: "Terraform / OpenTofu plan file",
    from: "`terraform plan -out=FILE`",
    translate: Some(translate),
    events: None,
    ..terraform_plan::FORMAT
};

/// How many bytes an entry of the archive may have once unpacked.
const MAX_ENTRY: u64 = 1 << 30;

fn translate(bytes: &[u8]) -> Result<Vec<u8>, String> {
    translate_with(bytes, None)
}

/// The plan as the document that `show -json` would print, as far as the file holds it, with the numbers that only the schemas of
/// the providers tell from texts.
pub(super) fn translate_with(bytes: &[u8], schemas: Option<&[u8]>) -> Result<Vec<u8>, String> {
    let schemas = Schemas::read(schemas);
    let mut archive = zip::ZipArchive::new(std::io::Cursor::new(bytes))
        .map_err(|error| format!("a zip archive that is broken or cut off: {error}"))?;
    let names: Vec<String> = archive
        .file_names()
        .filter_map(Result::ok)
        .map(std::borrow::Cow::into_owned)
        .collect();
    let Some(plan) = entry(&mut archive, "tfplan")? else {
        return Err(format!(
            "a zip archive without a plan in it ({} entries)",
            names.len()
        ));
    };
    let plan = Plan::decode(&*plan).map_err(|error| format!("a plan that is broken: {error}"))?;
    if plan.version != 3 {
        return Err(format!(
            "a plan file of version {}, which is not known (3 is)",
            plan.version
        ));
    }
    let mut document = Map::from_iter([
        ("format_version", Value::from("")),
        ("terraform_version", Value::from(&*plan.terraform_version)),
    ]);
    let changes = |changes: &[ResourceChange]| -> Value {
        let changes = changes.iter().map(|element| change(element, &schemas));
        changes.collect::<Vec<_>>().into()
    };
    document = document
        .set("resource_changes", changes(&plan.resource_changes))
        .set("resource_drift", changes(&plan.resource_drift))
        .set("deferred_changes", deferred(&plan, &schemas))
        .set("output_changes", outputs(&plan.output_changes))
        .set("variables", variables(&plan));
    if let Some(backend) = &plan.backend {
        document = document.set(
            "backend",
            Map::from_iter([
                ("type", Value::from(&*backend.kind)),
                ("workspace", Value::from(&*backend.workspace)),
            ])
            .into(),
        );
    }
    document = document
        .set("timestamp", Value::from(&*plan.timestamp))
        .set("errored", plan.errored.into())
        .set("mode", ui_mode(plan.ui_mode).into())
        .set(
            "files",
            names
                .into_iter()
                .map(Value::from)
                .collect::<Vec<_>>()
                .into(),
        );
    Ok(json::to_compact(&document.into()).into_bytes())
}

fn ui_mode(mode: i32) -> &'static str {
    match mode {
        1 => "destroy",
        2 => "refresh-only",
        _ => "normal",
    }
}

/// The contents of an entry, if there is one of this name.
fn entry(
    archive: &mut zip::ZipArchive<std::io::Cursor<&[u8]>>,
    name: &str,
) -> Result<Option<Vec<u8>>, String> {
    let file = match archive.by_name(name) {
        Ok(file) => file,
        Err(zip::result::ZipError::FileNotFound) => return Ok(None),
        Err(error) => return Err(format!("a zip archive that is broken: {error}")),
    };
    let mut contents = Vec::new();
    file.take(MAX_ENTRY)
        .read_to_end(&mut contents)
        .map_err(|error| format!("a zip archive that is broken: {error}"))?;
    if contents.len() as u64 == MAX_ENTRY {
        return Err("a zip archive with a plan of more than 1 GiB in it".to_owned());
    }
    Ok(Some(contents))
}

fn change(change: &ResourceChange, schemas: &Schemas) -> Value {
    let mut address = change.addr.clone();
    let mut mode = if change.mode == 1 { "data" } else { "managed" };
    let (mut ty, name) = (change.kind.clone(), change.name.clone());
    if address.is_empty() {
        address = instance_address(
            &change.module_path,
            mode,
            &ty,
            &name,
            old_key(change).as_ref(),
        );
    } else {
        let module = address::module_of(&address);
        let local = address[module.len()..].trim_start_matches('.');
        let config = address::config_address(local);
        let steps: Vec<&str> = config.split('.').collect();
        match steps.as_slice() {
            ["data", own, _] => {
                mode = "data";
                (*own).clone_into(&mut ty);
            }
            ["ephemeral", own, _] => {
                mode = "ephemeral";
                (*own).clone_into(&mut ty);
            }
            [own, ..] => (*own).clone_into(&mut ty),
            [] => {}
        }
    }
    let provider = provider(&change.provider);
    let block = schemas.block(provider, mode, &ty);
    let mut element = Map::from_iter([
        ("address", Value::from(&*address)),
        ("mode", Value::from(mode)),
        ("type", Value::from(ty)),
        ("provider_name", Value::from(provider)),
    ]);
    let previous = &change.prev_run_addr;
    if !previous.is_empty() && *previous != address {
        element = element.set("previous_address", Value::from(&**previous));
    }
    if !change.deposed_key.is_empty() {
        element = element.set("deposed", Value::from(&*change.deposed_key));
    }
    if let Some(reason) = reason(change.action_reason) {
        element = element.set("action_reason", reason.into());
    }
    let mut inner = change
        .change
        .as_ref()
        .map(|inner| of_change(inner, block))
        .unwrap_or_default();
    if !change.required_replace.is_empty() {
        let paths: Vec<Value> = change.required_replace.iter().map(path).collect();
        inner = inner.set("replace_paths", paths.into());
    }
    element.set("change", inner.into()).into()
}

fn old_key(change: &ResourceChange) -> Option<Value> {
    match &change.instance_key {
        None => None,
        Some(message::instance_key::Key::Text(text)) => Some(Value::from(&**text)),
        Some(message::instance_key::Key::Number(number)) => {
            crate::value::Number::exact(&number.to_string()).map(Value::from)
        }
    }
}

/// The source in a provider's address, as the JSON form names providers.
fn provider(address: &str) -> &str {
    match address.split_once("provider[\"") {
        Some((_, rest)) => rest.split_once('"').map_or(rest, |(source, _)| source),
        None => address,
    }
}

/// The words that the JSON form has for the numbers of actions.
fn actions(action: i32) -> &'static [&'static str] {
    match action {
        0 => &["no-op"],
        1 => &["create"],
        2 => &["read"],
        3 => &["update"],
        5 => &["delete"],
        6 => &["delete", "create"],
        7 => &["create", "delete"],
        8 => &["forget"],
        9 => &["create", "forget"],
        10 => &["forget", "create"],
        _ => &["unknown"],
    }
}

fn reason(reason: i32) -> Option<&'static str> {
    Some(match reason {
        1 => "replace_because_tainted",
        2 => "replace_by_request",
        3 => "replace_because_cannot_update",
        4 => "delete_because_no_resource_config",
        5 => "delete_because_wrong_repetition",
        6 => "delete_because_count_index",
        7 => "delete_because_each_key",
        8 => "delete_because_no_module",
        9 => "replace_by_triggers",
        10 => "read_because_config_unknown",
        11 => "read_because_dependency_pending",
        12 => "delete_because_no_move_target",
        13 => "read_because_check_nested",
        14 => "delete_because_enabled_false",
        _ => return None,
    })
}

/// A change in the JSON form.
fn of_change(change: &Change, block: Option<&Map>) -> Map {
    let value = |index: usize| -> Parts {
        change
            .values
            .get(index)
            .map(|value| {
                let parts = unpack(&value.msgpack);
                Parts {
                    value: match block {
                        Some(block) => typed::by_block(&parts.value, block),
                        None => parts.value,
                    },
                    unknown: parts.unknown,
                }
            })
            .unwrap_or_default()
    };
    let (before, after) = match change.action {
        0 => (value(0), value(0)),
        1 => (Parts::default(), value(0)),
        5 | 8 => (value(0), Parts::default()),
        _ => (value(0), value(1)),
    };
    let words: Vec<Value> = actions(change.action)
        .iter()
        .map(|word| (*word).into())
        .collect();
    let mut map = Map::from_iter([
        ("actions", Value::from(words)),
        (
            "before_sensitive",
            mask(&before.value, &change.before_sensitive_paths, block),
        ),
        (
            "after_sensitive",
            mask(&after.value, &change.after_sensitive_paths, block),
        ),
        ("before", before.value),
        ("after", after.value),
        ("after_unknown", after.unknown),
    ]);
    if let Some(importing) = &change.importing {
        let id = if importing.id.is_empty() {
            Map::from_iter([("unknown", Value::from(true))])
        } else {
            Map::from_iter([("id", Value::from(&*importing.id))])
        };
        map = map.set("importing", id.into());
    }
    if !change.generated_config.is_empty() {
        map = map.set("generated_config", Value::from(&*change.generated_config));
    }
    map
}

fn path(path: &Path) -> Value {
    path.steps
        .iter()
        .filter_map(|step| match step.selector.as_ref()? {
            step::Selector::AttributeName(name) => Some(Value::from(&**name)),
            step::Selector::ElementKey(key) => Some(unpack(&key.msgpack).value),
        })
        .collect::<Vec<_>>()
        .into()
}

/// The mask of these paths over `value`; a path that leads into a set stops there, as a set has no steps.
fn mask(value: &Value, paths: &[Path], block: Option<&Map>) -> Value {
    let mut mask = Value::from(false);
    if let Some(block) = block {
        mask = typed::sensitive(value, block);
    }
    for path in paths {
        let steps = self::path(path);
        let steps = steps.as_array().map(|steps| steps.as_slice().to_vec());
        mask = set(mask, value, &steps.unwrap_or_default());
    }
    mask
}

fn set(mask: Value, value: &Value, steps: &[Value]) -> Value {
    let Some((step, below)) = steps.split_first() else {
        return Value::from(true);
    };
    if mask.as_bool() == Some(true) {
        return mask;
    }
    if let Some(key) = step.as_str() {
        if value.as_map().is_none() {
            return Value::from(true);
        }
        let inner = value.get(key).cloned().unwrap_or_default();
        let map = mask.as_map().cloned().unwrap_or_default();
        let own = map.get(key).cloned().unwrap_or_else(|| Value::from(false));
        return map.set(key, set(own, &inner, below)).into();
    }
    let index = step
        .as_number()
        .and_then(crate::value::Number::to_i64)
        .and_then(|index| usize::try_from(index).ok());
    match (index, value.as_array()) {
        (Some(index), Some(items)) if index < items.len() => {
            let own = mask.as_array().map(|mask| mask.as_slice().to_vec());
            let mut own = own.unwrap_or_default();
            own.resize(items.len(), Value::from(false));
            let inner = items.get(index).cloned().unwrap_or_default();
            own[index] = set(own[index].clone(), &inner, below);
            own.into()
        }
        _ => Value::from(true),
    }
}

fn deferred(plan: &Plan, schemas: &Schemas) -> Value {
    plan.deferred_changes
        .iter()
        .filter_map(|deferred| {
            let inner = deferred.change.as_ref()?;
            let reason = deferred.deferred.as_ref().map_or(0, |why| why.reason);
            let word = match reason {
                1 => "instance_count_unknown",
                2 => "resource_config_unknown",
                3 => "provider_config_unknown",
                4 => "absent_prereq",
                5 => "deferred_prereq",
                _ => "unknown",
            };
            Some(Value::from(Map::from_iter([
                ("reason", Value::from(word)),
                ("resource_change", change(inner, schemas)),
            ])))
        })
        .collect::<Vec<_>>()
        .into()
}

fn outputs(outputs: &[OutputChange]) -> Value {
    outputs
        .iter()
        .filter_map(|output| {
            let mut map = of_change(output.change.as_ref()?, None);
            if output.sensitive {
                map = map
                    .set("before_sensitive", true.into())
                    .set("after_sensitive", true.into());
            }
            Some((output.name.clone(), Value::from(map)))
        })
        .collect::<Map>()
        .into()
}

fn variables(plan: &Plan) -> Value {
    let mut names: Vec<_> = plan.variables.iter().collect();
    names.sort_by_key(|(name, _)| *name);
    names
        .into_iter()
        .map(|(name, value)| {
            let value = unpack(&value.msgpack).value;
            // The file does not say which variables are sensitive: its configuration does, in a language of its own.
            (
                name.clone(),
                Value::from(Map::from_iter([("value", value)])),
            )
        })
        .collect::<Map>()
        .into()
}

/// A type in JSON, from inside a dynamic value.
fn type_of(json_text: &[u8]) -> Option<Value> {
    json::parse(json_text, Numbers::Exact)
        .ok()
        .map(|parsed| parsed.value)
}
