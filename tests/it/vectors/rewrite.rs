//! States rewritten as Terraform does: upgraded to version 4, in Terraform's order, without fields that it no longer writes.
//!
//! # Source
//!
//! hashicorp/terraform `internal/states/statefile` (`version4.go`, `version3_upgrade.go`).

use std::collections::{HashMap, HashSet};

use stacklens::format::upgrade_state;
use stacklens::json::{self, Numbers};
use stacklens::terraform::address::ProviderAddress;
use stacklens::value::{Map, Number, Value};

/// The fields of an instance that are written.
const INSTANCE: &[&str] = &[
    "index_key",
    "status",
    "deposed",
    "schema_version",
    "attributes",
    "attributes_flat",
    "sensitive_attributes",
    "identity_schema_version",
    "identity",
    "private",
    "dependencies",
    "create_before_destroy",
];

/// The state in `bytes`, upgraded to version 4. An error if `bytes` hold no state, if its version is unknown, or if an instance
/// occurs twice in it.
pub(super) fn rewrite_state(bytes: &[u8]) -> Result<Value, String> {
    let parsed = json::parse(bytes, Numbers::Exact).map_err(|error| error.to_string())?;
    let parsed = parsed.value;
    let version = parsed
        .get("version")
        .and_then(Value::as_number)
        .and_then(Number::to_i64);
    let value = match version {
        Some(4) => parsed,
        Some(1) if has_structured_outputs(&parsed) => {
            return Err("expected a text for each output of a state of version 1".to_owned());
        }
        Some(1..=3) => {
            let upgraded = upgrade_state(bytes)?;
            let upgraded = json::parse(&upgraded, Numbers::Exact);
            upgraded.map_err(|error| error.to_string())?.value
        }
        _ => return Err(format!("expected version 1 to 4, found {version:?}")),
    };
    let Some(state) = value.as_map() else {
        return Err("expected an object".to_owned());
    };
    let mut new = Map::from_iter([("version", exact(4))]);
    if let Some(version) = state.get("terraform_version") {
        new = new.set("terraform_version", version.clone());
    }
    for (field, default) in [("serial", exact(0)), ("lineage", "".into())] {
        let value = state.get(field).filter(|value| !value.is_null());
        new = new.set(field, value.cloned().unwrap_or(default));
    }
    let checks = state.get("check_results").cloned().unwrap_or_default();
    new = new
        .set("outputs", outputs(state))
        .set("resources", rows(state, version != Some(4))?)
        .set("check_results", checks);
    Ok(new.into())
}

fn exact(number: u32) -> Value {
    Number::exact(&number.to_string()).map_or(Value::NULL, Value::from)
}

/// True if an output of some module is not a string.
fn has_structured_outputs(state: &Value) -> bool {
    let Some(state) = state.as_map() else {
        return false;
    };
    items(state, "modules")
        .filter_map(Value::as_map)
        .filter_map(|module| object(module, "outputs"))
        .flat_map(Map::values)
        .any(|output| output.as_str().is_none() && !output.is_null())
}

fn outputs(state: &Map) -> Value {
    object(state, "outputs")
        .into_iter()
        .flatten()
        .filter_map(|(name, output)| {
            let kept: Map = output
                .as_map()?
                .iter()
                .filter(|(key, value)| match &***key {
                    "value" | "type" => true,
                    "sensitive" => value.as_bool() == Some(true),
                    _ => false,
                })
                .map(|(key, value)| (key.clone(), value.clone()))
                .collect();
            Some((name.clone(), Value::from(kept)))
        })
        .collect::<Map>()
        .into()
}

/// One entry of `resources`: its head and its instances.
struct Row {
    head: Map,
    instances: Vec<Value>,
}

fn rows(state: &Map, is_old: bool) -> Result<Value, String> {
    let mut rows: Vec<Row> = Vec::new();
    let mut known = HashMap::new();
    let mut seen = HashSet::new();
    for row in items(state, "resources").filter_map(Value::as_map) {
        let head = head(row);
        let index = *known.entry(key(&head)).or_insert_with(|| {
            rows.push(Row {
                head,
                instances: Vec::new(),
            });
            rows.len() - 1
        });
        for instance in items(row, "instances").filter_map(Value::as_map) {
            let key = instance.get("index_key").map(json::to_compact);
            let place = (index, key, text(instance, "deposed").to_owned());
            if !seen.insert(place) {
                return Err(format!("{:?} is there twice", rows[index].head));
            }
            rows[index].instances.push(normal(instance, is_old));
        }
    }
    rows.sort_by_cached_key(|row| {
        let field = |name| text(&row.head, name).to_owned();
        (field("module"), field("mode"), field("type"), field("name"))
    });
    let rows = rows.into_iter().map(|mut row| {
        row.instances.sort_by_cached_key(order);
        Value::from(row.head.set("instances", row.instances.into()))
    });
    Ok(rows.collect::<Vec<_>>().into())
}

/// The sort key of an instance: instances without a key first, then numbers, then strings. A deposed object follows the instance
/// with its key.
fn order(instance: &Value) -> (u8, i64, String, String) {
    let key = instance.get("index_key");
    let number = key.and_then(Value::as_number).and_then(Number::to_i64);
    let word = key.and_then(Value::as_str).unwrap_or_default();
    let class = match (number, key) {
        (_, None) => 0,
        (Some(_), _) => 1,
        (None, Some(_)) => 2,
    };
    let deposed = instance.get("deposed").and_then(Value::as_str);
    (
        class,
        number.unwrap_or(0),
        word.to_owned(),
        deposed.unwrap_or_default().to_owned(),
    )
}

fn head(row: &Map) -> Map {
    let mut head: Map = row
        .iter()
        .filter(|(key, _)| matches!(&***key, "module" | "mode" | "type" | "name"))
        .map(|(key, value)| (key.clone(), value.clone()))
        .collect();
    if text(&head, "module").is_empty() {
        head = head.delete("module");
    }
    head.set("provider", provider(row).into())
}

/// The fields that identify a head.
fn key(head: &Map) -> [Option<String>; 5] {
    ["module", "mode", "type", "name", "provider"]
        .map(|field| head.get(field).map(json::to_compact))
}

/// The provider in today's notation. Old states have only a name, or none; Terraform's own provider is built in.
fn provider(row: &Map) -> String {
    let written = text(row, "provider");
    if written.contains('"') {
        return ProviderAddress::parse(written)
            .map_or_else(|_| written.to_owned(), |address| address.to_string());
    }
    let ty = text(row, "type");
    let spelled = match written {
        "" => format!(
            "provider.{}",
            ty.split_once('_').map_or(ty, |(name, _)| name)
        ),
        written if written.contains("provider.") => written.to_owned(),
        written => format!("provider.{written}"),
    };
    match ProviderAddress::parse_legacy(&spelled) {
        Ok(mut address) if address.ty == "terraform" => {
            "terraform.io".clone_into(&mut address.host);
            "builtin".clone_into(&mut address.namespace);
            address.to_string()
        }
        Ok(address) => address.to_string(),
        Err(_) => spelled,
    }
}

fn normal(instance: &Map, is_old: bool) -> Value {
    let mut normal: Map = instance
        .iter()
        .filter(|(key, value)| {
            // An upgrade drops dependencies: they were relative to their module.
            let dropped = is_old && &***key == "dependencies";
            INSTANCE.contains(&&***key) && !value.is_null() && !dropped
        })
        .map(|(key, value)| (key.clone(), value.clone()))
        .collect();
    for (field, default) in [
        ("schema_version", exact(0)),
        ("sensitive_attributes", Vec::new().into()),
        ("identity_schema_version", exact(0)),
    ] {
        if !normal.contains_key(field) {
            normal = normal.set(field, default);
        }
    }
    normal.into()
}

fn text<'v>(map: &'v Map, key: &str) -> &'v str {
    map.get(key).and_then(Value::as_str).unwrap_or_default()
}

fn items<'v>(map: &'v Map, key: &str) -> impl Iterator<Item = &'v Value> + use<'v> {
    let items = map.get(key).and_then(Value::as_array);
    items.into_iter().flat_map(|items| items.iter())
}

fn object<'v>(map: &'v Map, key: &str) -> Option<&'v Map> {
    map.get(key).and_then(Value::as_map)
}
