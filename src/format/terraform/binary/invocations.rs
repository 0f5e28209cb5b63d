//! Invocations of actions in a plan file, in the form that `show -json` has for them.

use super::changes::{mask, provider, reason_deferred};
use super::message::{Invocation, LifecycleTrigger, Plan};
use super::values::Values;
use crate::terraform::address;
use crate::terraform::schema::SchemaKind;
use crate::value::{Map, Value};

/// The action invocations, in file order.
pub(super) fn invoked(plan: &Plan, values: &Values) -> Value {
    let invoked = plan.action_invocations.iter();
    invoked
        .map(|one| Value::from(invocation(one, values)))
        .collect::<Vec<_>>()
        .into()
}

/// The deferred action invocations.
pub(super) fn deferred(plan: &Plan, values: &Values) -> Value {
    let deferred = plan.deferred_action_invocations.iter();
    deferred
        .filter_map(|deferred| {
            let inner = deferred.invocation.as_ref()?;
            let reason = deferred.deferred.as_ref().map_or(0, |why| why.reason);
            Some(Value::from(Map::from_iter([
                ("reason", Value::from(reason_deferred(reason))),
                ("action_invocation", invocation(inner, values).into()),
            ])))
        })
        .collect::<Vec<_>>()
        .into()
}

fn invocation(invocation: &Invocation, values: &Values) -> Map {
    let (ty, name) = type_and_name(&invocation.addr);
    let provider = provider(&invocation.provider);
    let mut map = Map::from_iter([
        ("address", Value::from(&*invocation.addr)),
        ("type", Value::from(&*ty)),
        ("name", Value::from(name)),
        ("provider_name", Value::from(&*provider)),
    ]);
    if let Some(config) = &invocation.config {
        let known = values.type_of(&provider, SchemaKind::Action, &ty);
        let place = &invocation.addr;
        let parts = values.unpack(place, "config", &config.msgpack, known.as_deref());
        let sensitive = mask(place, &parts.value, &invocation.sensitive_paths, values);
        map = map
            .set("config_values", parts.value)
            .set("config_sensitive", sensitive)
            .set("config_unknown", parts.unknown);
    }
    if let Some(trigger) = &invocation.lifecycle {
        map = map.set("lifecycle_action_trigger", lifecycle(trigger).into());
    }
    if let Some(trigger) = &invocation.asked {
        let mut asked = Map::default();
        if !trigger.caller.is_empty() {
            asked = asked.set("calling_resource_address", Value::from(&*trigger.caller));
        }
        map = map.set("invoke_action_trigger", asked.into());
    }
    map
}

fn lifecycle(trigger: &LifecycleTrigger) -> Map {
    let event = match trigger.event {
        1 => "BeforeCreate",
        2 => "AfterCreate",
        3 => "BeforeUpdate",
        4 => "AfterUpdate",
        5 => "BeforeDestroy",
        6 => "AfterDestroy",
        7 => "Invoke",
        _ => "Unknown",
    };
    let on_failure = match trigger.on_failure {
        1 => "ActionOnFailureTaint",
        2 => "ActionOnFailureContinue",
        _ => "ActionOnFailureHalt",
    };
    let number = |number: i64| crate::value::Number::exact(&number.to_string());
    let number = |it: i64| number(it).map(Value::from).unwrap_or_default();
    Map::from_iter([
        (
            "triggering_resource_address",
            Value::from(&*trigger.resource),
        ),
        ("action_trigger_event", event.into()),
        ("action_trigger_block_index", number(trigger.block_index)),
        ("actions_list_index", number(trigger.list_index)),
        ("on_failure", on_failure.into()),
    ])
}

/// The type and the name in the address of an action: `module.m.action.TYPE.NAME[KEY]`.
fn type_and_name(action: &str) -> (String, String) {
    let module = address::module_of(action);
    let local = action[module.len()..].trim_start_matches('.');
    let config = address::config_address(local);
    let local = config.strip_prefix("action.").unwrap_or(&config);
    let (ty, name) = local.split_once('.').unwrap_or((local, ""));
    (ty.to_owned(), name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::terraform::binary::message::{
        AskedTrigger, Deferred, DeferredInvocation, DynamicValue, Path, PathStep, step,
    };
    use crate::json::to_compact;

    /// `{heat: 80, soap: "x", rounds: unknown}` in msgpack.
    const CONFIG: &[u8] = b"\x83\xa4heat\x50\xa4soap\xa1x\xa6rounds\xd4\x00\x00";

    #[test]
    fn invocations_read_as_in_json() {
        let soap = PathStep {
            selector: Some(step::Selector::AttributeName("soap".to_owned())),
        };
        let invocation = Invocation {
            addr: r#"module.m["a.b"].action.lab_wash.it["k"]"#.to_owned(),
            provider: r#"provider["registry.terraform.io/acme/lab"]"#.to_owned(),
            config: Some(DynamicValue {
                msgpack: CONFIG.to_vec(),
            }),
            sensitive_paths: vec![Path { steps: vec![soap] }],
            lifecycle: Some(LifecycleTrigger {
                resource: "lab_flask.one".to_owned(),
                event: 4,
                block_index: 1,
                list_index: 2,
                on_failure: 1,
            }),
            asked: None,
        };
        let asked = Invocation {
            addr: "action.lab_ring.bell".to_owned(),
            asked: Some(AskedTrigger::default()),
            ..Invocation::default()
        };
        let plan = Plan {
            action_invocations: vec![invocation],
            deferred_action_invocations: vec![DeferredInvocation {
                deferred: Some(Deferred { reason: 4 }),
                invocation: Some(asked),
            }],
            ..Plan::default()
        };
        let known = Values::read(None);
        assert_eq!(
            to_compact(&invoked(&plan, &known)),
            concat!(
                r#"[{"address":"module.m[\"a.b\"].action.lab_wash.it[\"k\"]","type":"lab_wash","name":"it","#,
                r#""provider_name":"registry.terraform.io/acme/lab","config_values":{"heat":80,"soap":"x"},"#,
                r#""config_sensitive":{"soap":true},"config_unknown":{"rounds":true},"#,
                r#""lifecycle_action_trigger":{"triggering_resource_address":"lab_flask.one","action_trigger_event":"AfterUpdate","#,
                r#""action_trigger_block_index":1,"actions_list_index":2,"on_failure":"ActionOnFailureTaint"}}]"#
            )
        );
        assert_eq!(
            to_compact(&deferred(&plan, &known)),
            concat!(
                r#"[{"reason":"absent_prereq","action_invocation":{"address":"action.lab_ring.bell","type":"lab_ring","name":"bell","#,
                r#""provider_name":"","invoke_action_trigger":{}}}]"#
            )
        );
    }
}
