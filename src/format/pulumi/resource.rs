//! A resource as Pulumi's files write it: in deployments, previews, plans and event logs alike.

pub(super) mod walk;

use std::sync::Arc;

use super::stored;
use crate::format::fields::{flag, object, text, texts};
use crate::path::{Path, Segment};
use crate::pulumi::{urn, wire};
use crate::stack::{Edge, EdgeKind, Flags, Mode, Position, Resource, State};
use crate::value::{Map, Payload, Value};

/// The fields that have a field in [`Resource`].
const SHOWN: &[&str] = &[
    "urn",
    "type",
    "custom",
    "id",
    "inputs",
    "outputs",
    "defaults",
    "parent",
    "dependencies",
    "propertyDependencies",
    "provider",
];

/// The fields that are true or false.
const FLAGS: [(&str, Flags); 6] = [
    ("delete", Flags::PENDING_DELETE),
    ("protect", Flags::PROTECTED),
    ("taint", Flags::TAINTED),
    ("external", Flags::EXTERNAL),
    ("retainOnDelete", Flags::RETAIN_ON_DELETE),
    ("pendingReplacement", Flags::PENDING_REPLACEMENT),
];

/// The flags that a field gives, if it is true or false.
fn flags_of(field: &[u8]) -> Option<Flags> {
    let mut all = FLAGS.iter();
    let found = all.find(|(name, _)| name.as_bytes() == field);
    found.map(|(_, flags)| *flags)
}

/// The resource in `map`, in its current state.
pub(crate) fn read(map: &Map) -> Resource {
    let urn = text(map, "urn").to_owned();
    let parts = urn::parts(&urn);
    let own_type = text(map, "type");
    let ty = match (own_type, &parts) {
        ("", Some(parts)) => parts.ty(),
        _ => own_type,
    };
    let flags = flags(map, ty);
    let provider = text(map, "provider");
    let parent = text(map, "parent");
    Resource {
        name: parts.map_or(&*urn, |parts| parts.name).to_owned(),
        address: None,
        ty: ty.to_owned(),
        mode: mode(flags),
        flags,
        id: map.get("id").map(stored::decode),
        parent: (!parent.is_empty()).then(|| parent.to_owned()),
        provider: (!provider.is_empty()).then(|| provider.to_owned()),
        before: None,
        after: Some(state(map)),
        change: None,
        edges: edges(map),
        position: Position::of_pulumi(text(map, "sourcePosition")),
        fields: map
            .iter()
            .filter(|(key, _)| !SHOWN.contains(&&***key) && flags_of(key.as_bytes()).is_none())
            .map(|(key, value)| (key.clone(), stored::decode(value)))
            .collect(),
        urn,
    }
}

/// The yes-or-no facts that the file gives for a resource of type `ty`.
pub(crate) fn flags(map: &Map, ty: &str) -> Flags {
    let custom = flag(map, "custom");
    let is_stack = ty == urn::STACK_TYPE;
    let name = urn::parts(text(map, "urn")).map_or("", |parts| parts.name);
    let given = FLAGS.iter().filter(|(field, _)| flag(map, field));
    given
        .fold(Flags::NONE, |all, (_, flags)| all | *flags)
        .with(Flags::CUSTOM, custom)
        .with(Flags::COMPONENT, !custom && !is_stack)
        .with(Flags::STACK, is_stack)
        .with(Flags::PROVIDER, ty.starts_with(urn::PROVIDER_TYPE))
        .with(Flags::DEFAULT_PROVIDER, urn::is_default_provider(ty, name))
        .with(
            Flags::INIT_ERRORS,
            map.get("initErrors")
                .and_then(Value::as_array)
                .is_some_and(|errors| !errors.is_empty()),
        )
}

/// The mode of a resource with these flags.
pub(crate) fn mode(flags: Flags) -> Mode {
    if flags.contains(Flags::STACK) {
        Mode::Stack
    } else if flags.contains(Flags::PROVIDER) {
        Mode::Provider
    } else if flags.contains(Flags::COMPONENT) {
        Mode::Component
    } else if flags.contains(Flags::EXTERNAL) {
        Mode::External
    } else {
        Mode::Managed
    }
}

/// A state with the fields and properties that only `other`, the same state as told elsewhere, has.
pub(crate) fn completed(state: Map, other: &Map) -> Map {
    let is_unsaid = |value: &Value| match value.payload() {
        Payload::Null => true,
        Payload::Map(map) => map.is_empty(),
        Payload::String(text) => text.as_bytes().is_empty(),
        _ => false,
    };
    let mut completed = state;
    for (key, value) in other {
        if completed.get(key).is_none_or(is_unsaid) {
            completed = completed.set(key.clone(), value.clone());
        }
    }
    completed
}

/// The properties in `map`; outputs that are declared secret are marked so.
pub(crate) fn state(map: &Map) -> State {
    let properties = |key| {
        let properties = map.get(key).filter(|properties| !properties.is_null());
        properties.map(stored::decode)
    };
    State {
        inputs: properties("inputs"),
        outputs: properties("outputs").map(|outputs| hide(outputs, map)),
        options: Some(options(map)),
    }
}

/// The options of a resource that a program sets, and that change the treatment of the resource.
const OPTIONS: &[&str] = &[
    "protect",
    "retainOnDelete",
    "ignoreChanges",
    "additionalSecretOutputs",
    "aliases",
    "deletedWith",
    "replaceWith",
    "deleteBeforeReplace",
    "replaceOnChanges",
    "hideDiff",
    "provider",
    "parent",
    "customTimeouts",
];

/// The options in `map` that are set. A provider is named without its id, which the program does not choose.
fn options(map: &Map) -> Value {
    let entry = |key: &&'static str| {
        let value = map.get(key).filter(|value| !is_unset(value))?;
        let value = match (*key, value.as_str()) {
            ("provider", Some(reference)) => {
                Value::from(urn::ProviderReference::split(reference).0)
            }
            _ => stored::decode(value),
        };
        Some((*key, value))
    };
    Value::from(OPTIONS.iter().filter_map(entry).collect::<Map>())
}

/// True for the value of an option that is not set.
fn is_unset(value: &Value) -> bool {
    match value.payload() {
        Payload::Null | Payload::Bool(false) => true,
        Payload::String(text) => text.as_bytes().is_empty(),
        Payload::Array(items) => items.is_empty(),
        Payload::Map(map) => map.is_empty(),
        Payload::Bool(true)
        | Payload::Number(_)
        | Payload::Asset(_)
        | Payload::Archive(_)
        | Payload::Reference(_)
        | Payload::Computed(_)
        | Payload::Sealed(_) => false,
    }
}

/// True if a resource that is otherwise the same gets other options, which changes the state. A guard counts if it goes. The order
/// of a list does not count, and neither do aliases, which mean nothing to an object that keeps its name. With a new name the parent
/// changes too.
pub(crate) fn gets_other_options(old: &Map, new: &Map) -> bool {
    let is_renamed = !text(old, "urn").is_empty() && text(old, "urn") != text(new, "urn");
    let [old, new] = [old, new].map(options);
    OPTIONS
        .iter()
        .any(|key| match (*key, old.get(key), new.get(key)) {
            ("aliases", ..) | ("protect" | "retainOnDelete" | "deletedWith", None, _) => false,
            ("parent", ..) if is_renamed => false,
            ("ignoreChanges" | "additionalSecretOutputs", old, new) => !has_all(new, old),
            (_, old, new) => !has_all(old, new) || !has_all(new, old),
        })
}

/// True if an option has everything that `other` has.
fn has_all(option: Option<&Value>, other: Option<&Value>) -> bool {
    match (
        option.and_then(Value::as_array),
        other.and_then(Value::as_array),
    ) {
        (Some(own), Some(other)) => other.iter().all(|it| own.iter().any(|its| its == it)),
        _ => other.is_none() || option == other,
    }
}

/// True if a resource may have secrets: something in it has a signature, or is declared to be secret.
pub(crate) fn may_hide(map: &Map) -> bool {
    map.iter().any(|(key, value)| {
        matches!(
            &**key,
            wire::SIGNATURE | wire::SECRET_OUTPUT_NAMES | "additionalSecretOutputs"
        ) || match value.payload() {
            Payload::Map(map) => may_hide(map),
            Payload::Array(items) => items.iter().filter_map(Value::as_map).any(may_hide),
            Payload::String(text) => wire::may_be_signed(text.as_bytes()),
            _ => false,
        }
    })
}

/// Outputs with those marked that the resource in `map` declares to be secret. If that declaration cannot be parsed, all are
/// marked.
pub(crate) fn hide(outputs: Value, map: &Map) -> Value {
    hide_declared(hide_referenced(outputs), map)
}

/// The outputs of a stack reference, with those marked that the other stack calls secret (`secretOutputNames`). The type is not
/// checked: any resource with such a list is treated as a stack reference.
fn hide_referenced(outputs: Value) -> Value {
    let Some(names) = outputs.get(wire::SECRET_OUTPUT_NAMES).map(Value::payload) else {
        return outputs;
    };
    let names: Option<Vec<&str>> = match names {
        Payload::Null => return outputs,
        Payload::Array(names) => names.iter().map(Value::as_str).collect(),
        _ => None,
    };
    let (Some(all), Some(referenced)) = (outputs.as_map(), outputs.get("outputs")) else {
        return outputs;
    };
    let hidden = match (names, referenced.as_map()) {
        (Some(names), Some(map)) => {
            let entry = |(key, value): (&Arc<str>, &Value)| {
                let hides = value.is_secret() || names.contains(&&**key);
                (key.clone(), value.clone().with_secret(hides))
            };
            let map = map.iter().map(entry).collect();
            referenced.clone().with_payload(Payload::Map(map))
        }
        (Some(names), None) if names.is_empty() => return outputs,
        _ => referenced.clone().with_secret(true),
    };
    let all = all.clone().set("outputs", hidden);
    outputs.with_payload(Payload::Map(all))
}

fn hide_declared(properties: Value, map: &Map) -> Value {
    let declared = match map.get("additionalSecretOutputs").map(Value::payload) {
        None | Some(Payload::Null) => return properties,
        Some(Payload::Array(names)) => names.as_slice(),
        Some(_) => return properties.with_secret(true),
    };
    let names: Option<Vec<&str>> = declared.iter().map(Value::as_str).collect();
    match (names, properties.payload()) {
        (Some(names), Payload::Map(shown)) => {
            let mut hidden = shown.clone();
            for name in names {
                if let Some(value) = shown.get(name) {
                    hidden = hidden.set(name, value.clone().with_secret(true));
                }
            }
            properties.with_payload(Payload::Map(hidden))
        }
        (Some(names), _) if names.is_empty() => properties,
        _ => properties.with_secret(true),
    }
}

pub(crate) fn edges(map: &Map) -> Vec<Edge> {
    let edge = |target: &str, kind, property| Edge {
        target: target.to_owned(),
        kind,
        property,
        attribute: None,
        instance: None,
    };
    let mut edges = Vec::new();
    let mut targets = std::collections::HashSet::new();
    for (property, _) in object(map, "propertyDependencies").into_iter().flatten() {
        let path = Path(vec![Segment::Key(Arc::clone(property))]);
        for target in object(map, "propertyDependencies")
            .into_iter()
            .flat_map(|by_property| texts(by_property, property))
        {
            targets.insert(target);
            edges.push(edge(target, EdgeKind::Property, Some(path.clone())));
        }
    }
    for target in texts(map, "dependencies") {
        if !targets.contains(target) {
            edges.push(edge(target, EdgeKind::Dependency, None));
        }
    }
    for (field, kind) in [
        ("parent", EdgeKind::Parent),
        ("provider", EdgeKind::Provider),
        ("deletedWith", EdgeKind::DeletedWith),
    ] {
        let target = text(map, field);
        if !target.is_empty() {
            edges.push(edge(target, kind, None));
        }
    }
    for target in texts(map, "replaceWith") {
        edges.push(edge(target, EdgeKind::ReplaceWith, None));
    }
    edges
}
