//! Invocations of actions in a plan, masked.

use crate::change::masks::fold;
use crate::format::fields::{items, object, text};
use crate::stack::{Config, Invocation, Trigger};
use crate::terraform::schema::{HiddenPlaces, SchemaKind};
use crate::value::{Map, Value};

/// The invocations of a plan, the deferred ones included.
pub(super) fn of_plan(plan: &Map, places: &HiddenPlaces) -> Vec<Invocation> {
    let invoked = items(plan, "action_invocations").filter_map(Value::as_map);
    let deferred = items(plan, "deferred_action_invocations").filter_map(Value::as_map);
    let mut found: Vec<_> = invoked.map(|one| invocation(one, None, places)).collect();
    found.extend(deferred.filter_map(|one| {
        let inner = object(one, "action_invocation")?;
        Some(invocation(
            inner,
            Some(text(one, "reason").to_owned()),
            places,
        ))
    }));
    found
}

fn invocation(map: &Map, deferred: Option<String>, places: &HiddenPlaces) -> Invocation {
    let sensitive = map.get("config_sensitive");
    let hidden = places.find(
        text(map, "provider_name"),
        SchemaKind::Action,
        text(map, "type"),
    );
    let hide = |value: Value| match &hidden {
        Some(hidden) => hidden.fold(&value),
        None => value,
    };
    let config = map.get("config_values").map(|values| Config {
        value: hide(fold(values, map.get("config_unknown"), sensitive)),
        known: hide(fold(values, None, sensitive)),
    });
    Invocation {
        address: text(map, "address").to_owned(),
        ty: text(map, "type").to_owned(),
        name: text(map, "name").to_owned(),
        provider: text(map, "provider_name").to_owned(),
        config,
        trigger: trigger(map),
        deferred,
    }
}

fn trigger(map: &Map) -> Trigger {
    if let Some(trigger) = object(map, "lifecycle_action_trigger") {
        let number = |name: &str| {
            let number = trigger.get(name).and_then(Value::as_number);
            let number = number.and_then(crate::value::Number::to_i64);
            number.and_then(|number| u64::try_from(number).ok())
        };
        return Trigger::Lifecycle {
            resource: text(trigger, "triggering_resource_address").to_owned(),
            event: text(trigger, "action_trigger_event").to_owned(),
            place: (
                number("action_trigger_block_index").unwrap_or_default(),
                number("actions_list_index").unwrap_or_default(),
            ),
            on_failure: text(trigger, "on_failure").to_owned(),
        };
    }
    match object(map, "invoke_action_trigger") {
        Some(trigger) => {
            let caller = text(trigger, "calling_resource_address");
            Trigger::Asked {
                caller: Some(caller.to_owned()).filter(|caller| !caller.is_empty()),
            }
        }
        None => Trigger::Unknown,
    }
}
