//! Places in files of Pulumi.

use serde_json::{Value as Json, json};

use super::{CANARY, Place};

const SIGNATURE: &str = "4dabf18193072939515e22adb298388d";
const SECRET: &str = "1b47061264138c4ac30d75fd1eb44270";

const STACK: &str = "urn:pulumi:dev::shop::pulumi:pulumi:Stack::shop-dev";
const ITEM: &str = "urn:pulumi:dev::shop::vault:index:Item::a";

/// A secret whose plaintext stands in the file.
fn secret(value: &Json) -> Json {
    json!({SIGNATURE: SECRET, "plaintext": value.to_string()})
}

fn item(inputs: &Json, outputs: &Json) -> Json {
    json!({"urn": ITEM, "custom": true, "id": "1", "type": "vault:index:Item", "parent": STACK, "inputs": inputs, "outputs": outputs})
}

fn state_of(resource: &Json, outputs: &Json) -> Json {
    json!({"version": 3, "deployment": {
        "manifest": {"time": "2026-01-01T00:00:00Z", "magic": "", "version": "v3.200.0"},
        "secrets_providers": {"type": "passphrase", "state": {"salt": "v1:AAAAAAAAAAA=:v1:AAAAAAAAAAAAAAAA:AAAA"}},
        "resources": [
            {"urn": STACK, "custom": false, "type": "pulumi:pulumi:Stack", "outputs": outputs},
            resource,
        ],
    }})
}

fn state(inputs: &Json, outputs: &Json) -> Json {
    state_of(&item(inputs, outputs), &json!({}))
}

fn preview(old: &Json, new: &Json) -> Json {
    json!({"config": {}, "steps": [{"op": "update", "urn": ITEM, "oldState": old, "newState": new, "diffReasons": ["pw"],
        "detailedDiff": {"pw": {"kind": "update", "inputDiff": true}}}], "changeSummary": {"update": 1}})
}

fn events(old: &Json, new: &Json) -> Vec<u8> {
    let start = json!({"sequence": 0, "timestamp": 1, "preludeEvent": {"config": {}}});
    let step = json!({"sequence": 1, "timestamp": 2, "resourcePreEvent": {"metadata": {
        "op": "update", "urn": ITEM, "type": "vault:index:Item", "old": old, "new": new, "diffs": ["pw"],
        "detailedDiff": {"pw": {"diffKind": "update", "inputDiff": true}}, "provider": ""}}});
    format!("{start}\n{step}\n").into_bytes()
}

const STATE: &str = "stack.json";

pub(super) fn places() -> Vec<Place> {
    let hidden = secret(&json!(CANARY));
    let deep = json!({"box": {"list": ["a", secret(&json!({CANARY: [CANARY]}))]}});
    let other = || state(&json!({"pw": "another"}), &json!({"pw": "another"}));
    let held = |name, inputs: &Json, outputs: &Json| {
        Place::new(name, STATE, &state(inputs, outputs)).with_other(&other())
    };
    let old = |value: &Json| item(&json!({"pw": value}), &json!({"pw": value}));
    vec![
        held("pulumi: input", &json!({"pw": hidden}), &json!({})),
        held("pulumi: output", &json!({}), &json!({"pw": hidden})),
        held("pulumi: below", &deep, &deep),
        held(
            "pulumi: ciphertext",
            &json!({"pw": {SIGNATURE: SECRET, "ciphertext": format!("v1:{CANARY}")}}),
            &json!({}),
        ),
        Place::new(
            "pulumi: output of the stack",
            STATE,
            &state_of(
                &item(&json!({}), &json!({})),
                &json!({"pw": hidden, "box": deep}),
            ),
        )
        .with_other(&other()),
        Place::new(
            "pulumi preview: both sides",
            "preview.json",
            &preview(&old(&hidden), &old(&secret(&json!("x")))),
        ),
        Place::new(
            "pulumi preview: before, secret after",
            "preview.json",
            &preview(&old(&json!(CANARY)), &old(&secret(&json!("x")))),
        ),
        Place::new(
            "pulumi preview: after, secret before",
            "preview.json",
            &preview(&old(&secret(&json!("x"))), &old(&json!(CANARY))),
        ),
        Place {
            bytes: events(&old(&hidden), &old(&secret(&json!("x")))),
            ..Place::new("pulumi events: both sides", "events.jsonl", &json!({}))
        },
        Place {
            bytes: events(&old(&json!(CANARY)), &old(&secret(&json!("x")))),
            ..Place::new(
                "pulumi events: before, secret after",
                "events.jsonl",
                &json!({}),
            )
        },
        Place::new(
            "pulumi plan",
            "plan.json",
            &json!({"manifest": {"time": "2026-01-01T00:00:00Z", "magic": "", "version": "v3.200.0"}, "resourcePlans": {ITEM: {
                "goal": {"type": "vault:index:Item", "name": "a", "custom": true, "inputDiff": {"adds": {"pw": hidden}}, "outputDiff": {}},
                "steps": ["create"], "state": {"pw": hidden}}}}),
        ),
        Place::new(
            "pulumi: the other file has it, secret here",
            STATE,
            &state(&json!({"pw": secret(&json!("x"))}), &json!({})),
        )
        .with_other(&state(&json!({"pw": CANARY}), &json!({})))
        .of_both(),
    ]
}
