//! State files of Terraform 0.11 and older, versions 1 to 3. They are read as the version 4 that an upgrade produces.
//!
//! Attributes stay flat (`tags.%`, `tags.Name`), because only the provider could unflatten them.
//!
//! # Source
//!
//! hashicorp/terraform `internal/states/statefile/version{1,2,3}_upgrade.go`.

use std::collections::BTreeSet;
use std::sync::Arc;

use base64::Engine;

use super::state;
use super::state::outputs_of_state;
use crate::format::envelope::Envelope;
use crate::format::fields::{flag, items, may_be, object, text, texts};
use crate::format::keys::{Fit, Keys};
use crate::format::table::{Format, Marks, Translated};
use crate::json::{self, Numbers};
use crate::stack::Severity;
use crate::terraform::cty::implied_type;
use crate::types::{self, Type};
use crate::value::{Map, Number, Value};

pub(crate) const FORMAT: Format = Format {
    title: "Terraform state, versions 1 to 3",
    from: "`terraform.tfstate` of Terraform 0.11 and older",
    versions: &["1", "2", "3"],
    marks: Marks::Keys(fit),
    translate: Some(|bytes, _, _| {
        Ok(Translated {
            document: translate(bytes)?,
            ..Translated::default()
        })
    }),
    envelope,
    written: None,
    ..state::FORMAT
};

/// Finds old states, and `.terraform/terraform.tfstate`, the record of a backend.
fn fit(keys: &Keys) -> Option<Fit> {
    let has = |key: &str| keys.has(key);
    let has_modules = has("modules") && !has("resources") || has("modules[].path");
    let is_backend_record =
        keys.has_any(&["backend.type", "state_store.type"]) && !has("resources");
    (has("version") && has_modules || is_backend_record).then_some(Fit::Sure)
}

/// The key in the upgraded document for data that an upgrade drops: the outputs of modules, by `module.NAME.OUTPUT`.
const MODULE_OUTPUTS: &str = "outputs of modules";

fn envelope(rest: &Map, envelope: &mut Envelope) {
    (state::FORMAT.envelope)(&rest.clone().delete(MODULE_OUTPUTS), envelope);
    outputs_of_state(object(rest, MODULE_OUTPUTS), envelope);
    let backend = object(rest, "backend").or_else(|| object(rest, "state_store"));
    if let Some(backend) = backend {
        envelope.note(
            Severity::Warning,
            "backend",
            format!(
                "this is Terraform's record of its backend ({}), not a state: the state is in that backend, and \
                 `terraform state pull` prints it",
                text(backend, "type")
            ),
        );
    }
}

/// The keys that the upgrade rewrites.
const REMADE: &[&str] = &["modules", "remote", "terraform_version", "outputs"];

/// Translates the state into version 4, with its original version number.
pub fn translate(bytes: &[u8]) -> Result<Vec<u8>, String> {
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
    let of_version = old.get("version").and_then(Value::as_number);
    let of_version = of_version.and_then(Number::to_i64);
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
                rows.push(row(of_version, &steps.join("."), key, resource));
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
            let structured = output.as_map();
            let value = match structured {
                Some(output) => output.get("value").cloned().unwrap_or_default(),
                // Version 1 has the bare string. A missing output is the empty string.
                None if output.is_null() => "".into(),
                None => output.clone(),
            };
            let ty = type_of(&value);
            let mut upgraded = Map::from_iter([("value", value), ("type", ty)]);
            if let Some(output) = structured {
                upgraded = upgraded.set("sensitive", may_be(output, "sensitive").into());
            }
            (name.clone(), Value::from(upgraded))
        })
        .collect()
}

/// The type of an old output. The declared type is not used: it only distinguishes string, list and map.
fn type_of(value: &Value) -> Value {
    let implied = implied_type(json::to_compact(value).as_bytes());
    let ty = implied.map_or(Type::Dynamic, simplified);
    types::cty::to_json(&ty).unwrap_or_else(|| "dynamic".into())
}

/// A tuple or object as the list or map that was meant, if all elements have the same type.
fn simplified(ty: Type) -> Type {
    let same = |types: Vec<Type>| match types.split_first() {
        Some((first, others)) if others.iter().all(|other| other == first) => Some(first.clone()),
        _ => None,
    };
    let found = match &ty {
        Type::Tuple(types) => same(types.to_vec()).map(|it| Type::Array(simplified(it).into())),
        Type::Object(object) => {
            let types = object.attributes.values().cloned().collect();
            same(types).map(|it| Type::Map(simplified(it).into()))
        }
        _ => None,
    };
    found.unwrap_or(ty)
}

/// Converts the flat attributes of versions 1 and 2 to version 3: `%` holds the number of entries of a map. Empty collections are
/// left out.
fn counted_anew(attributes: &Map) -> Map {
    let sorted: BTreeSet<&str> = attributes.keys().map(|key| &**key).collect();
    let renamed = |key: &str| {
        let Some(prefix) = key.strip_suffix('#').filter(|it| it.ends_with('.')) else {
            return Some(key.to_owned());
        };
        let inner = sorted.range(prefix..);
        let inner = inner.map_while(|other| other.strip_prefix(prefix));
        let mut steps = inner
            .map(|key| match key.split_once('.') {
                Some((step, _)) if !step.is_empty() => step,
                _ => key,
            })
            .filter(|step| *step != "#")
            .peekable();
        // An empty collection is left out.
        steps.peek()?;
        let is_map = steps.any(|step| step.parse::<i64>().is_err());
        Some(format!("{prefix}{}", if is_map { "%" } else { "#" }))
    };
    let entries = attributes.iter();
    let entries =
        entries.filter_map(|(key, value)| Some((Arc::from(renamed(key)?), value.clone())));
    entries.collect()
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

fn row(of_version: Option<i64>, module: &str, key: &str, resource: &Map) -> Value {
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
    let index = index.and_then(Number::exact).map(Value::from);
    let instance = |old: &Map, is_tainted, deposed| {
        instance(of_version, old, index.as_ref(), is_tainted, deposed)
    };
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
            instances.push(instance(primary, flag(primary, "tainted"), None));
            deposed.extend(tainted);
        }
        (None, Some((first, others))) => {
            instances.push(instance(first, true, None));
            deposed.extend(others);
        }
        (None, None) => {}
    }
    for (number, old) in deposed.into_iter().enumerate() {
        let key = format!("{:08x}", number + 1);
        instances.push(instance(old, flag(old, "tainted"), Some(key)));
    }
    // Dependencies had no module path, and the upgrade dropped them. They are kept here, because they can be followed.
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

fn instance(
    of_version: Option<i64>,
    old: &Map,
    index: Option<&Value>,
    tainted: bool,
    deposed: Option<String>,
) -> Map {
    let mut attributes = object(old, "attributes").cloned().unwrap_or_default();
    if of_version < Some(3) {
        attributes = counted_anew(&attributes);
    }
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
            (Some(text), _) => Number::exact(text),
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
