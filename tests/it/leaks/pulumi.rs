//! Places in Pulumi files.

use serde_json::{Value as Json, json};

use super::{CANARY, Place};

const SIGNATURE: &str = "4dabf18193072939515e22adb298388d";
const SECRET: &str = "1b47061264138c4ac30d75fd1eb44270";

const STACK: &str = "urn:pulumi:dev::shop::pulumi:pulumi:Stack::shop-dev";
const ITEM: &str = "urn:pulumi:dev::shop::vault:index:Item::a";

/// A secret whose plaintext is in the file.
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

/// A resource with a secret map, the key of which is the canary.
fn boxed() -> Json {
    let properties = json!({"box": secret(&json!({CANARY: [{"x": 1}]}))});
    item(&properties, &properties)
}

/// A state with a live resource and an old copy of it that waits for its deletion.
fn copies(live: &Json, old: &Json) -> Json {
    let mut state = state(&json!({}), live);
    let mut copy = item(&json!({}), old);
    copy["delete"] = json!(true);
    copy["id"] = json!("2");
    state["deployment"]["resources"]
        .as_array_mut()
        .unwrap()
        .push(copy);
    state
}

/// Signed objects that cannot be decoded, or that say that they are secret; plain, or as JSON text.
fn odd_forms(as_text: bool) -> Json {
    let forms = [
        json!({SIGNATURE: SECRET, "plaintext": json!(CANARY).to_string()}),
        json!({SIGNATURE: SECRET, "value": CANARY}),
        json!({SIGNATURE: SECRET, "ciphertext": CANARY}),
        json!({SIGNATURE: "c44067f5952c0a294b673a41bacd8c17", "text": [CANARY]}),
        json!({SIGNATURE: "0def7320c3a5731c473e5ecbe6d01bc7", "assets": {"a": CANARY}}),
        json!({SIGNATURE: "5cf8f73096256a8f31e491e813e4eb8e", "urn": {"a": CANARY}}),
        json!({SIGNATURE: "d0e6a833031e9bbcd3f4e8bde6ca49a4", "value": CANARY, "secret": true}),
        json!({SIGNATURE: "0123456789abcdef0123456789abcdef", CANARY: CANARY}),
        json!({SIGNATURE: 7, "a": {"b": [CANARY]}}),
    ];
    let form = |form: Json| {
        if as_text {
            json!(json!({"k": [form]}).to_string())
        } else {
            form
        }
    };
    let named = (0..).zip(forms);
    let named = named.map(|(number, it)| (format!("form{number}"), form(it)));
    Json::Object(named.collect())
}

/// A state with a provider that has these inputs and outputs.
fn provider(inputs: &Json) -> Json {
    let urn = "urn:pulumi:dev::shop::pulumi:providers:vault::main";
    let provider = json!({"urn": urn, "custom": true, "id": "1", "type": "pulumi:providers:vault", "inputs": inputs, "outputs": inputs});
    state_of(&provider, &json!({}))
}

/// A resource with plaintext outputs that it declares to be secret.
fn declared(names: &Json) -> Json {
    let mut item = item(
        &json!({}),
        &json!({"pw": CANARY, "box": {CANARY: [CANARY]}}),
    );
    item["additionalSecretOutputs"] = names.clone();
    item
}

/// A reference to a stack with these names of secret outputs.
fn reference(names: &Json, word: &str) -> Json {
    let urn = "urn:pulumi:dev::shop::pulumi:pulumi:StackReference::base";
    let outputs = json!({"name": "org/base/dev", "outputs": {"open": "x", "pw": word, "box": {"list": [word]}},
        "secretOutputNames": names});
    json!({"urn": urn, "custom": true, "id": "org/base/dev", "type": "pulumi:pulumi:StackReference", "parent": STACK, "external": true,
        "inputs": {"name": "org/base/dev"}, "outputs": outputs})
}

/// Secret settings of a stack.
fn config() -> Json {
    json!({
        "shop:a": {"secure": CANARY},
        "shop:b": {"value": CANARY, "secret": true},
        "shop:c": {"string": CANARY, "secret": true, "object": false},
        "shop:d": json!({"deep": {"secure": CANARY}}).to_string(),
        "shop:e": {"deep": [{"value": CANARY, "secret": "yes"}]},
    })
}

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
            "pulumi: signed forms that do not decode",
            STATE,
            &state(&odd_forms(false), &odd_forms(false)),
        )
        .with_other(&other()),
        Place::new(
            "pulumi: JSON text of a provider",
            STATE,
            &provider(&odd_forms(true)),
        )
        .with_other(&other()),
        Place::new(
            "pulumi: declared secret outputs",
            STATE,
            &state_of(&declared(&json!(["pw", "box"])), &json!({})),
        )
        .with_other(&other()),
        Place::new(
            "pulumi: declared oddly",
            STATE,
            &state_of(&declared(&json!({"pw": true})), &json!({})),
        ),
        Place::new(
            "pulumi: stack reference",
            STATE,
            &state_of(&reference(&json!(["pw", "box"]), CANARY), &json!({})),
        )
        .with_other(&state_of(
            &reference(&json!(["pw", "box"]), "x"),
            &json!({}),
        )),
        Place::new(
            "pulumi: stack reference, odd names",
            STATE,
            &state_of(&reference(&json!("pw"), CANARY), &json!({})),
        ),
        Place::new(
            "pulumi: stack reference, secret in the other file",
            STATE,
            &state_of(&reference(&json!(["pw", "box"]), "x"), &json!({})),
        )
        .with_other(&state_of(&reference(&json!([]), CANARY), &json!({})))
        .of_both(),
        Place::new(
            "pulumi preview: stack reference",
            "preview.json",
            &preview(
                &reference(&json!([]), CANARY),
                &reference(&json!(["pw", "box"]), "x"),
            ),
        ),
        Place::new("pulumi: what a provider said of a secret", STATE, &{
            let mut item = item(&json!({"pw": hidden}), &json!({}));
            item["initErrors"] = json!([format!("cannot log in with {CANARY}")]);
            state_of(&item, &json!({}))
        }),
        Place::new(
            "pulumi: configuration",
            STATE,
            &json!({"version": 3, "checkpoint": {"stack": "organization/shop/dev", "config": config(),
                "latest": state(&json!({}), &json!({}))["deployment"]}}),
        ),
        Place::new("pulumi preview: configuration", "preview.json", &{
            let mut preview = preview(&old(&json!("x")), &old(&json!("y")));
            preview["config"] = config();
            preview
        }),
        Place {
            bytes: {
                let start =
                    json!({"sequence": 0, "timestamp": 1, "preludeEvent": {"config": config()}});
                let step = String::from_utf8(events(&old(&hidden), &old(&json!(CANARY)))).unwrap();
                let step = step.lines().nth(1).unwrap();
                format!("{start}\n{step}\n").into_bytes()
            },
            ..Place::new(
                "pulumi events: configuration, after with secret before",
                "events.jsonl",
                &json!({}),
            )
        },
        Place {
            bytes: {
                let mut bytes = events(&old(&hidden), &old(&json!(CANARY)));
                let message = json!({"sequence": 9, "timestamp": 1, "diagnosticEvent": {"severity": "error", "color": "raw",
                    "urn": "urn:pulumi:dev::shop::acme:db:Other::b", "message": format!("cannot log in with {CANARY}")}});
                bytes.extend_from_slice(format!("{message}\n").as_bytes());
                bytes
            },
            ..Place::new(
                "pulumi events: a message about another resource",
                "events.jsonl",
                &json!({}),
            )
        },
        Place::new(
            "pulumi preview: a map with a secret becomes a text",
            "preview.json",
            &preview(
                &old(&json!({"user": "me", "word": secret(&json!("x"))})),
                &old(&json!(format!("me:{CANARY}"))),
            ),
        ),
        Place::new(
            "pulumi preview: a secret moved in its list",
            "preview.json",
            &preview(
                &old(&json!(["a", secret(&json!(CANARY))])),
                &old(&json!([CANARY, "b", "a"])),
            ),
        ),
        Place::new(
            "pulumi plan: differences of declared secrets",
            "plan.json",
            &json!({"manifest": {"time": "2026-01-01T00:00:00Z", "magic": "", "version": "v3.200.0"}, "resourcePlans": {ITEM: {
                "goal": {"type": "vault:index:Item", "name": "a", "custom": true, "additionalSecretOutputs": ["pw", "box"], "inputDiff": {},
                    "outputDiff": {"adds": {"pw": CANARY}, "updates": {"box": {CANARY: [CANARY]}}}},
                "steps": ["update"], "state": {"pw": CANARY, "box": {CANARY: [CANARY]}}}}}),
        ),
        Place::new(
            "pulumi: an old copy beside the live resource",
            STATE,
            &copies(&json!({"pw": hidden}), &json!({"pw": CANARY})),
        ),
        Place::new(
            "pulumi: a live resource beside its old copy",
            STATE,
            &copies(&json!({"pw": CANARY}), &json!({"pw": hidden})),
        ),
        Place::new("pulumi: many old copies", STATE, &{
            let mut state = copies(&json!({"pw": hidden}), &json!({"pw": CANARY}));
            let all = state["deployment"]["resources"].as_array_mut().unwrap();
            let copy = all.last().unwrap().clone();
            all.extend(std::iter::repeat_n(copy, 20));
            state
        }),
        Place::new(
            "pulumi preview: deletion of an old copy",
            "preview.json",
            &{
                let mut preview = preview(&old(&hidden), &old(&hidden));
                let mut copy = old(&json!(CANARY));
                copy["delete"] = json!(true);
                copy["id"] = json!("2");
                let step = json!({"op": "delete", "urn": ITEM, "oldState": copy});
                preview["steps"].as_array_mut().unwrap().push(step);
                preview
            },
        ),
        Place::new("pulumi: id", STATE, &{
            let mut item = item(&json!({}), &json!({"id": hidden}));
            item["id"] = json!(CANARY);
            state_of(&item, &json!({}))
        }),
        Place::new("pulumi: declared id", STATE, &{
            let mut item = item(&json!({}), &json!({"id": CANARY}));
            item["id"] = json!(CANARY);
            item["additionalSecretOutputs"] = json!(["id"]);
            state_of(&item, &json!({}))
        }),
        Place::new("pulumi: id of secret outputs", STATE, &{
            let mut item = item(&json!({}), &secret(&json!({"id": CANARY})));
            item["id"] = json!(CANARY);
            state_of(&item, &json!({}))
        }),
        Place::new("pulumi: address of the secrets provider", STATE, &{
            let mut state = state(&json!({}), &json!({}));
            state["deployment"]["secrets_providers"] = json!({"type": "service", "state": {"url": format!("https://me:{CANARY}@host/x"), "owner": "o"}});
            state
        }),
        Place::new("pulumi preview: diagnostics", "preview.json", &{
            let mut preview = preview(&old(&hidden), &old(&hidden));
            let message = format!("cannot log in with {CANARY}");
            preview["diagnostics"] = json!([
                {"urn": ITEM, "message": message, "severity": "error"},
                {"urn": STACK, "message": message, "severity": "warning"},
                {"message": message, "severity": "info"},
            ]);
            preview
        }),
        Place::new(
            "pulumi: what a provider said of another resource",
            STATE,
            &{
                let mut state = state(&json!({"pw": hidden}), &json!({}));
                let other = json!({"urn": "urn:pulumi:dev::shop::vault:index:Item::b", "custom": true, "id": "2",
                "type": "vault:index:Item", "inputs": {}, "outputs": {}, "initErrors": [format!("cannot log in with {CANARY}")]});
                state["deployment"]["resources"]
                    .as_array_mut()
                    .unwrap()
                    .insert(0, other);
                state
            },
        ),
        Place {
            bytes: {
                let mut bytes = events(&old(&hidden), &old(&hidden));
                let policy = json!({"sequence": 9, "timestamp": 1, "policyEvent": {"resourceUrn": ITEM, "color": "raw",
                    "message": format!("bad {CANARY}"), "policyName": "p", "policyPackName": "q", "policyPackVersion": "1",
                    "enforcementLevel": "mandatory"}});
                bytes.extend_from_slice(format!("{policy}\n").as_bytes());
                bytes
            },
            ..Place::new("pulumi events: policy", "events.jsonl", &json!({}))
        },
        Place::new("pulumi preview: keys below a secret", "preview.json", &{
            let mut preview = preview(&boxed(), &boxed());
            let step = &mut preview["steps"][0];
            let (path, quoted) = (format!("box.{CANARY}"), format!("box[\"{CANARY}\"]"));
            step["op"] = json!("replace");
            step["diffReasons"] = json!(["box", path, quoted]);
            step["replaceReasons"] = json!([path, format!("box.*.{CANARY}")]);
            step["detailedDiff"] = json!({path.clone(): {"kind": "update-replace", "inputDiff": true},
                quoted.clone(): {"kind": "add"}, format!("{path}[0].x"): {"kind": "delete", "inputDiff": false},
                format!("box[\"{CANARY}"): {"kind": "update"}});
            for state in ["oldState", "newState"] {
                step[state]["ignoreChanges"] = json!([path, quoted, format!("*.{CANARY}")]);
                step[state]["hideDiff"] = json!([path]);
                step[state]["propertyDependencies"] = json!({path.clone(): [STACK]});
            }
            preview
        }),
        Place::new("pulumi: keys below a secret", STATE, &{
            let mut item = boxed();
            let path = format!("box.{CANARY}");
            item["ignoreChanges"] = json!([path]);
            item["replaceOnChanges"] = json!([path]);
            item["propertyDependencies"] = json!({path: [STACK]});
            state_of(&item, &json!({}))
        }),
        Place::new(
            "pulumi: the other file has it, secret here",
            STATE,
            &state(&json!({"pw": secret(&json!("x"))}), &json!({})),
        )
        .with_other(&state(&json!({"pw": CANARY}), &json!({})))
        .of_both(),
    ]
}

/// Places of a text that is not marked, and whose form says that it is secret.
pub(super) fn likely() -> Vec<Place> {
    let url = &format!("https://app:{CANARY}@example.com/feed");
    let old = |value: &str| item(&json!({"pw": value}), &json!({"pw": value}));
    let asset = json!({SIGNATURE: "c44067f5952c0a294b673a41bacd8c17", "text": format!("url = {url}"), "hash": "00"});
    vec![
        Place::new(
            "pulumi, likely: property",
            STATE,
            &state(&json!({"pw": url}), &json!({"pw": [url]})),
        )
        .with_other(&state(&json!({"pw": "x"}), &json!({"pw": "x"}))),
        Place::new(
            "pulumi, likely: asset",
            STATE,
            &state(&json!({"pw": asset}), &json!({})),
        ),
        Place::new(
            "pulumi, likely: output",
            STATE,
            &state_of(&old("x"), &json!({"pw": url})),
        ),
        Place::new(
            "pulumi preview, likely: before",
            "preview.json",
            &preview(&old(url), &old("x")),
        ),
        Place::new(
            "pulumi preview, likely: after",
            "preview.json",
            &preview(&old("x"), &old(url)),
        ),
        Place {
            bytes: events(&old("x"), &old(url)),
            ..Place::new("pulumi events, likely: after", "events.jsonl", &json!({}))
        },
        Place::new("pulumi preview, likely: configuration", "preview.json", &{
            let mut preview = preview(&old("x"), &old("y"));
            preview["config"] = json!({"shop:a": url});
            preview
        }),
        Place::new("pulumi preview, likely: diagnostics", "preview.json", &{
            let mut preview = preview(&old("x"), &old("y"));
            preview["diagnostics"] = json!([{"urn": ITEM, "message": format!("no login at {url}"), "severity": "error"}]);
            preview
        }),
        Place::new("pulumi, likely: message of a provider", STATE, &{
            let mut item = old("x");
            item["initErrors"] = json!([format!("no login at {url}")]);
            state_of(&item, &json!({}))
        }),
    ]
}
