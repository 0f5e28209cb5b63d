//! Changes of a plan file, in the form that `show -json` has for them.

use super::message::{self, Change, DynamicValue, OutputChange, Path, Plan, ResourceChange, step};
use super::parts::Parts;
use super::values::Values;
use crate::format::fields::text;
use crate::format::terraform::identity::instance_address;
use crate::terraform::address::{self, Address, ProviderAddress};
use crate::terraform::cty::msgpack;
use crate::terraform::schema::SchemaKind;
use crate::types::Type;
use crate::value::{Map, Payload, Value};

/// The resource changes, in Terraform's order.
pub(super) fn changes(changes: &[ResourceChange], values: &Values) -> Value {
    let mut changes: Vec<Value> = changes.iter().map(|one| change(one, values)).collect();
    changes.sort_by_cached_key(|change| {
        let change = change.as_map().cloned().unwrap_or_default();
        let address = text(&change, "address");
        // Changes whose address does not parse come last, sorted by text.
        let parsed = Address::parse(address).map_err(|_| address.to_owned());
        (parsed, text(&change, "deposed").to_owned())
    });
    changes.into()
}

pub(super) fn change(change: &ResourceChange, values: &Values) -> Value {
    let (address, mode, ty) = identity(change);
    let provider = provider(&change.provider);
    let known = SchemaKind::of_mode(mode).and_then(|kind| values.type_of(&provider, kind, &ty));
    let mut element = Map::from_iter([
        ("address", Value::from(&*address)),
        ("mode", Value::from(mode)),
        ("type", Value::from(ty)),
        ("provider_name", Value::from(&*provider)),
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
        .map(|inner| of_change(&address, inner, known.as_deref(), values))
        .unwrap_or_default();
    if !change.required_replace.is_empty() {
        let paths = change.required_replace.iter();
        let paths: Vec<Value> = paths.map(|one| path(&address, one, values)).collect();
        inner = inner.set("replace_paths", paths.into());
    }
    element.set("change", inner.into()).into()
}

/// Address, mode and type of the changed resource.
pub(super) fn identity(change: &ResourceChange) -> (String, &'static str, String) {
    if change.addr.is_empty() {
        let mode = if change.mode == 1 { "data" } else { "managed" };
        let key = old_key(change);
        let (ty, name) = (&change.kind, &change.name);
        let address = instance_address(&change.module_path, mode, ty, name, key.as_ref());
        return (address, mode, ty.clone());
    }
    let module = address::module_of(&change.addr);
    let local = change.addr[module.len()..].trim_start_matches('.');
    let config = address::config_address(local);
    let steps: Vec<&str> = config.split('.').collect();
    let (mode, ty) = match steps.as_slice() {
        ["data", own, _] => ("data", *own),
        ["ephemeral", own, _] => ("ephemeral", *own),
        [own, ..] => ("managed", *own),
        [] => ("managed", ""),
    };
    (change.addr.clone(), mode, ty.to_owned())
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

/// The source of a provider address, which is the provider name in the JSON form. A text that does not parse is returned
/// unchanged.
pub(super) fn provider(address: &str) -> String {
    ProviderAddress::parse(address).map_or_else(|_| address.to_owned(), |parsed| parsed.source())
}

/// The action names of the JSON form for an action number.
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

/// A change in the JSON form. `place` is its resource or output.
fn of_change(place: &str, change: &Change, ty: Option<&Type>, values: &Values) -> Map {
    let value = |index: usize, part: &str| -> Parts {
        let Some(value) = change.values.get(index) else {
            values.lose(place, format!("`{part}` is missing and is shown as null"));
            return Parts::default();
        };
        values.unpack(place, part, &value.msgpack, ty)
    };
    let (before, after) = match change.action {
        0 => {
            let both = value(0, "before");
            (both.clone(), both)
        }
        1 => (Parts::default(), value(0, "after")),
        5 | 8 => (value(0, "before"), Parts::default()),
        _ => (value(0, "before"), value(1, "after")),
    };
    let single =
        |part: &str, value: &DynamicValue| values.unpack(place, part, &value.msgpack, None);
    let words: Vec<Value> = actions(change.action)
        .iter()
        .map(|word| (*word).into())
        .collect();
    let mut map = Map::from_iter([
        ("actions", Value::from(words)),
        (
            "before_sensitive",
            mask(place, &before.value, &change.before_sensitive_paths, values),
        ),
        (
            "after_sensitive",
            mask(place, &after.value, &change.after_sensitive_paths, values),
        ),
        ("before", before.value),
        ("after", after.value),
        ("after_unknown", after.unknown),
    ]);
    if let Some(importing) = &change.importing {
        let id = match &importing.identity {
            _ if !importing.id.is_empty() => Map::from_iter([("id", Value::from(&*importing.id))]),
            Some(identity) => Map::from_iter([("identity", single("importing", identity).value)]),
            None => Map::from_iter([("unknown", Value::from(true))]),
        };
        map = map.set("importing", id.into());
    }
    if !change.generated_config.is_empty() {
        map = map.set("generated_config", Value::from(&*change.generated_config));
    }
    for (key, identity) in [
        ("before_identity", &change.before_identity),
        ("after_identity", &change.after_identity),
    ] {
        if let Some(identity) = identity {
            map = map.set(key, single(key, identity).value);
        }
    }
    map
}

pub(super) fn path(place: &str, path: &Path, values: &Values) -> Value {
    path.steps
        .iter()
        .filter_map(|step| step.selector.as_ref())
        .map(|selector| step_value(place, selector, values))
        .collect::<Vec<_>>()
        .into()
}

/// The steps of a path before the first unknown selector.
fn known_steps(place: &str, path: &Path, values: &Values) -> Vec<Value> {
    let steps = path.steps.iter().map_while(|step| step.selector.as_ref());
    steps
        .map(|selector| step_value(place, selector, values))
        .collect()
}

fn step_value(place: &str, selector: &step::Selector, values: &Values) -> Value {
    match selector {
        step::Selector::AttributeName(name) => Value::from(&**name),
        step::Selector::ElementKey(key) => {
            let part = "the key of an element";
            let key = values.unpack(place, part, &key.msgpack, None).value;
            // A key has to be the same text here as in its map.
            match key.payload() {
                Payload::String(text) => Value::from(&*msgpack::key(text.as_bytes())),
                _ => key,
            }
        }
    }
}

/// The mask of these paths over `value`. A path into a set ends at the set, because set elements have no steps.
pub(super) fn mask(place: &str, value: &Value, paths: &[Path], values: &Values) -> Value {
    if value.is_null() {
        return Value::from(false);
    }
    let mut mask = Value::from(false);
    for path in paths {
        mask = set(mask, value, &known_steps(place, path, values));
    }
    mask
}

/// Adds a path to the mask. The mask is modified in place, not copied: a file may mark many places in one list.
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
        let map = match mask.into_payload() {
            Payload::Map(map) => map,
            _ => Map::default(),
        };
        let (map, own) = map.take(key);
        let own = own.unwrap_or_else(|| Value::from(false));
        return map.set(key, set(own, &inner, below)).into();
    }
    let index = step
        .as_number()
        .and_then(crate::value::Number::to_i64)
        .and_then(|index| usize::try_from(index).ok());
    match (index, value.as_array()) {
        (Some(index), Some(items)) if index < items.len() => {
            let all = match mask.into_payload() {
                Payload::Array(all) if all.len() == items.len() => all,
                _ => vec![Value::from(false); items.len()].into(),
            };
            let inner = items.get(index).cloned().unwrap_or_default();
            let (all, own) = all.take(index);
            let own = set(own.unwrap_or_default(), &inner, below);
            all.set(index, own).into()
        }
        _ => Value::from(true),
    }
}

/// The deferral reason in the JSON form, from its number.
pub(super) fn reason_deferred(reason: i32) -> &'static str {
    match reason {
        1 => "instance_count_unknown",
        2 => "resource_config_unknown",
        3 => "provider_config_unknown",
        4 => "absent_prereq",
        5 => "deferred_prereq",
        _ => "unknown",
    }
}

/// The deferred changes.
pub(super) fn deferred(plan: &Plan, values: &Values) -> Value {
    plan.deferred_changes
        .iter()
        .filter_map(|deferred| {
            let inner = deferred.change.as_ref()?;
            let reason = deferred.deferred.as_ref().map_or(0, |why| why.reason);
            Some(Value::from(Map::from_iter([
                ("reason", Value::from(reason_deferred(reason))),
                ("resource_change", change(inner, values)),
            ])))
        })
        .collect::<Vec<_>>()
        .into()
}

/// The changes of outputs, by name.
pub(super) fn outputs(outputs: &[OutputChange], values: &Values) -> Value {
    let mut outputs: Vec<&OutputChange> = outputs.iter().collect();
    outputs.sort_by(|a, b| a.name.cmp(&b.name));
    outputs
        .into_iter()
        .filter_map(|output| {
            let place = format!("output.{}", output.name);
            let mut map = of_change(&place, output.change.as_ref()?, None, values);
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
