//! State files of Terraform 0.11 and older, versions 1 to 3: read as the version 4 that an upgrade makes of them.
//!
//! Attributes stay flat (`tags.%`, `tags.Name`), as only the provider could unfold them.
//!
//! # Source
//!
//! hashicorp/terraform `internal/states/statefile/version{1,2,3}_upgrade.go`.

use base64::Engine;

use super::envelope::Envelope;
use super::fields::{flag, items, object, text, texts};
use super::terraform_state::outputs_of_state;
use super::{Format, terraform_state};
use crate::json::{self, Numbers};
use crate::stack::Severity;
use crate::value::{Map, Value};

pub(super) const FORMAT: Format = Format {
    title: "Terraform state, versions 1 to 3",
    from: "`terraform.tfstate` of Terraform 0.11 and older",
    translate: Some(translate),
    envelope,
    ..terraform_state::FORMAT
};

/// The key of the upgraded document for what an upgrade drops: the outputs of modules, by `module.NAME.OUTPUT`.
const MODULE_OUTPUTS: &str = "outputs of modules";

fn envelope(rest: &Map, envelope: &mut Envelope) {
    (terraform_state::FORMAT.envelope)(&rest.clone().delete(MODULE_OUTPUTS), envelope);
    outputs_of_state(object(rest, MODULE_OUTPUTS), envelope);
    let backend = object(rest, "backend").or_else(|| object(rest, "state_store"));
    if let Some(backend) = backend {
        envelope.note(
            Severity::Warning,
            "backend",
            format!(
                "this is Terraform's record of its backend ({}), not a state: the state lies in that backend, and \
                 `terraform state pull` prints it",
                text(backend, "type")
            ),
        );
    }
}

/// The keys of a file that the upgrade makes anew.
const REMADE: &[&str] = &["modules", "remote", "terraform_version", "outputs"];

/// The same state in version 4, with the version that it had.
pub(super) fn translate(bytes: &[u8]) -> Result<Vec<u8>, String> {
    let parsed = json::parse(bytes, Numbers::Exact).map_err(|error| error.to_string())?;
    let Some(old) = parsed.value.as_map() else {
        return Err("expected an object".to_owned());
    };
    let mut new: Map = old
        .iter()
        .filter(|(key, _)| !REMADE.contains(&&***key))
        .map(|(key, value)| (key.clone(), value.clone()))
        .collect();
    let version = match text(old, "terraform_version") {
        "" => "0.0.0",
        version => version,
    };
    new = new.set("terraform_version", version.into());
    let mut rows = Vec::new();
    let mut of_modules = Vec::new();
    for module in items(old, "modules").filter_map(Value::as_map) {
        let path: Vec<&str> = texts(module, "path").collect();
        let names = path.strip_prefix(&["root"]).unwrap_or(&path);
        let steps: Vec<String> = names.iter().map(|name| format!("module.{name}")).collect();
        let outputs = outputs(module);
        if names.is_empty() {
            new = new.set("outputs", outputs.into());
        } else {
            let outputs = outputs.iter();
            of_modules.extend(outputs.map(|(name, output)| {
                let name = format!("{}.{name}", steps.join("."));
                (name, output.clone())
            }));
        }
        for (key, resource) in object(module, "resources").into_iter().flatten() {
            if let Some(resource) = resource.as_map() {
                rows.push(row(&steps.join("."), key, resource));
            }
        }
    }
    new = new.set("resources", Value::from(rows));
    if !of_modules.is_empty() {
        let outputs: Map = of_modules.into_iter().collect();
        new = new.set(MODULE_OUTPUTS, outputs.into());
    }
    Ok(json::to_compact(&new.into()).into_bytes())
}

fn outputs(module: &Map) -> Map {
    let outputs = object(module, "outputs").into_iter().flatten();
    outputs
        .map(|(name, output)| {
            let upgraded = match output.as_map() {
                Some(output) => {
                    let value = output.get("value").cloned().unwrap_or_default();
                    let ty = match text(output, "type") {
                        collection @ ("list" | "map") if holds_texts(&value) => {
                            vec![Value::from(collection), Value::from("string")].into()
                        }
                        _ => type_of(&value),
                    };
                    Map::from_iter([("value", value), ("type", ty)])
                        .set("sensitive", flag(output, "sensitive").into())
                }
                // Version 1: the bare text.
                None => Map::from_iter([("value", output.clone()), ("type", "string".into())]),
            };
            (name.clone(), Value::from(upgraded))
        })
        .collect()
}

/// Whether all that a collection holds is text, as it should in the days of these states.
fn holds_texts(value: &Value) -> bool {
    match (value.as_array(), value.as_map()) {
        (Some(items), _) => items.iter().all(|item| item.as_str().is_some()),
        (_, Some(map)) => map.values().all(|item| item.as_str().is_some()),
        _ => false,
    }
}

/// The type of an old output: a string, a list or a map of strings at best.
fn type_of(value: &Value) -> Value {
    if let Some(items) = value.as_array() {
        let types: Vec<Value> = items.iter().map(type_of).collect();
        return vec![Value::from("tuple"), Value::from(types)].into();
    }
    if let Some(map) = value.as_map() {
        let types: Map = map
            .iter()
            .map(|(key, value)| (key.clone(), type_of(value)))
            .collect();
        return vec![Value::from("object"), Value::from(types)].into();
    }
    "string".into()
}

/// The parts of an old key: `data.aws_ami.x.0`.
fn parts(key: &str) -> (&'static str, String, String, Option<&str>) {
    let (mode, rest) = match key.strip_prefix("data.") {
        Some(rest) => ("data", rest),
        None => ("managed", key),
    };
    let (ty, name) = rest.split_once('.').unwrap_or((rest, ""));
    let (name, index) = match name.rsplit_once('.') {
        Some((name, index)) if index.parse::<u64>().is_ok() => (name, Some(index)),
        _ => (name, None),
    };
    (mode, ty.to_owned(), name.to_owned(), index)
}

fn row(module: &str, key: &str, resource: &Map) -> Value {
    let (mode, ty, name, index) = parts(key);
    let ty = match text(resource, "type") {
        "" => ty,
        own => own.to_owned(),
    };
    let mut row = Map::from_iter([
        ("mode", Value::from(mode)),
        ("type", Value::from(ty)),
        ("name", Value::from(name)),
        ("provider", Value::from(text(resource, "provider"))),
    ]);
    if !module.is_empty() {
        row = row.set("module", module.into());
    }
    let index = index.and_then(crate::value::Number::exact).map(Value::from);
    let mut instances = Vec::new();
    let tainted: Vec<&Map> = items(resource, "tainted")
        .filter_map(Value::as_map)
        .collect();
    let primary = object(resource, "primary");
    let mut deposed: Vec<&Map> = items(resource, "deposed")
        .filter_map(Value::as_map)
        .collect();
    match (primary, tainted.split_first()) {
        (Some(primary), _) => {
            instances.push(instance(
                primary,
                index.as_ref(),
                flag(primary, "tainted"),
                None,
            ));
            deposed.extend(tainted);
        }
        (None, Some((first, others))) => {
            instances.push(instance(first, index.as_ref(), true, None));
            deposed.extend(others);
        }
        (None, None) => {}
    }
    for (number, old) in deposed.into_iter().enumerate() {
        let key = format!("{:08x}", number + 1);
        instances.push(instance(
            old,
            index.as_ref(),
            flag(old, "tainted"),
            Some(key),
        ));
    }
    // Dependencies had no module in front and were dropped by the upgrade; here they are worth following.
    let needs: Vec<Value> = texts(resource, "depends_on")
        .map(|target| {
            let target = match module {
                "" => target.to_owned(),
                module => format!("{module}.{target}"),
            };
            let bare = match target.rsplit_once('.') {
                Some((bare, index)) if index.parse::<u64>().is_ok() || index == "*" => {
                    bare.to_owned()
                }
                _ => target,
            };
            Value::from(bare)
        })
        .collect();
    let instances: Vec<Value> = instances
        .into_iter()
        .map(|instance| Value::from(instance.set("dependencies", needs.clone().into())))
        .collect();
    row.set("instances", instances.into()).into()
}

fn instance(old: &Map, index: Option<&Value>, tainted: bool, deposed: Option<String>) -> Map {
    let mut attributes = object(old, "attributes").cloned().unwrap_or_default();
    if text(&attributes, "id").is_empty() && !text(old, "id").is_empty() {
        attributes = attributes.set("id", text(old, "id").into());
    }
    let mut new = Map::default();
    if let Some(index) = index {
        new = new.set("index_key", index.clone());
    }
    if tainted {
        new = new.set("status", "tainted".into());
    }
    if let Some(key) = deposed {
        new = new.set("deposed", key.into());
    }
    let meta = object(old, "meta").cloned().unwrap_or_default();
    let version = meta.get("schema_version").and_then(|version| {
        match (version.as_str(), version.as_number()) {
            (Some(text), _) => crate::value::Number::exact(text),
            (_, Some(number)) => Some(number.clone()),
            _ => None,
        }
    });
    let version = version.map_or_else(|| Value::from(0.0), Value::from);
    new = new
        .set("schema_version", version)
        .set("attributes_flat", attributes.into());
    let rest = meta.delete("schema_version");
    if !rest.is_empty() {
        let text = json::to_compact(&rest.into());
        let private = base64::engine::general_purpose::STANDARD.encode(text);
        new = new.set("private", private.into());
    }
    new
}
