//! Makes the bombs: one list or map of a format with very many, very deep, very long or very equal entries each.

use std::io::Write as _;

use serde_json::{Value, json};

/// A name, what makes it, and how large.
pub(super) type Bomb = (&'static str, fn(usize) -> String, usize);

fn list<T: Into<Value>>(n: usize, item: impl Fn(usize) -> T) -> Value {
    (0..n)
        .map(|index| item(index).into())
        .collect::<Vec<Value>>()
        .into()
}

fn map<T: Into<Value>>(n: usize, item: impl Fn(usize) -> (String, T)) -> Value {
    let entries = (0..n).map(item).map(|(key, value)| (key, value.into()));
    Value::Object(entries.collect())
}

/// `value` with the fields of `more` in it.
fn with(mut value: Value, more: Value) -> Value {
    if let (Value::Object(value), Value::Object(more)) = (&mut value, more) {
        value.extend(more);
    }
    value
}

/// `text` with the string `@@` replaced by a value that nests `n` deep.
fn deep(text: &Value, open: &str, inner: &str, close: &str, n: usize) -> String {
    let nested = format!("{}{inner}{}", open.repeat(n), close.repeat(n));
    text.to_string().replacen("\"@@\"", &nested, 1)
}

fn square(n: usize) -> usize {
    n.isqrt()
}

const SIGNATURE: &str = "4dabf18193072939515e22adb298388d";
const SECRET: &str = "1b47061264138c4ac30d75fd1eb44270";
const ASSET: &str = "c44067f5952c0a294b673a41bacd8c17";
const ARCHIVE: &str = "0def7320c3a5731c473e5ecbe6d01bc7";

fn urn(name: &str) -> String {
    format!("urn:pulumi:s::p::k:m:T::{name}")
}

fn resource(name: &str, more: Value) -> Value {
    with(
        json!({"urn": urn(name), "custom": true, "type": "k:m:T", "id": "1"}),
        more,
    )
}

fn deployment(resources: Value) -> Value {
    json!({"version": 3, "deployment": {"manifest": {}, "resources": resources}})
}

fn one(more: Value) -> Value {
    deployment(json!([resource("a", more)]))
}

/// States of Pulumi.
pub(super) const PULUMI_STATES: &[Bomb] = &[
    (
        "empty",
        |n| deployment(list(n, |_| json!({}))).to_string(),
        100_000,
    ),
    (
        "alike",
        |n| {
            deployment(list(n, |_| {
                resource("a", json!({"dependencies": [urn("a")]}))
            }))
            .to_string()
        },
        20_000,
    ),
    (
        "each-to-each",
        |n| {
            let n = square(n);
            let needs = |_| json!({"dependencies": list(n, |other| urn(&other.to_string()))});
            deployment(list(n, |index| resource(&index.to_string(), needs(index)))).to_string()
        },
        200_000,
    ),
    (
        "needs",
        |n| {
            deployment(json!([
                resource("a", json!({})),
                resource(
                    "b",
                    json!({
        "inputs": map(n, |index| (format!("k{index}"), 1)),
        "dependencies": list(n, |index| urn(&index.to_string())),
        "propertyDependencies": map(n, |index| (format!("k{index}"), json!([urn("a")])))})
                )
            ]))
            .to_string()
        },
        20_000,
    ),
    (
        "parents",
        |n| {
            deployment(list(n, |index| {
                resource(
                    &index.to_string(),
                    json!({"parent": urn(&(index + 1).to_string())}),
                )
            }))
            .to_string()
        },
        20_000,
    ),
    (
        "cycle",
        |n| {
            deployment(list(n, |index| {
                let next = urn(&((index + 1) % n).to_string());
                resource(
                    &index.to_string(),
                    json!({"parent": next, "dependencies": [next]}),
                )
            }))
            .to_string()
        },
        20_000,
    ),
    (
        "wide",
        |n| {
            one(json!({
        "inputs": map(n, |index| (format!("k{index}"), index.to_string())),
        "outputs": map(n, |index| (format!("k{index}"), index))}))
            .to_string()
        },
        20_000,
    ),
    (
        "list",
        |n| {
            one(json!({
        "inputs": {"l": list(n, |index| index)}, "outputs": {"l": list(n, |index| n - index)}}))
            .to_string()
        },
        20_000,
    ),
    (
        "deep",
        |n| {
            deep(
                &one(json!({"outputs": {"a": "@@"}})),
                r#"{"a":"#,
                "1",
                "}",
                n,
            )
        },
        990,
    ),
    (
        "too-deep",
        |n| deep(&one(json!({"outputs": {"a": "@@"}})), "[", "1", "]", n),
        1_000_000,
    ),
    (
        "secrets",
        |n| {
            let open = format!(r#"{{"{SIGNATURE}":"{SECRET}","value":"#);
            deep(&one(json!({"outputs": {"a": "@@"}})), &open, "1", "}", n)
        },
        900,
    ),
    (
        "archives",
        |n| {
            let open = format!(r#"{{"{SIGNATURE}":"{ARCHIVE}","assets":{{"a":"#);
            let inner = format!(r#"{{"{SIGNATURE}":"{ASSET}","text":"x"}}"#);
            deep(
                &one(json!({"outputs": {"a": "@@"}})),
                &open,
                &inner,
                "}}",
                n,
            )
        },
        400,
    ),
    (
        "ciphertexts",
        |n| {
            one(json!({"outputs": map(n, |index| {
                (format!("k{index}"), json!({SIGNATURE: SECRET, "ciphertext": "v1:AAAA:BBBB"}))
            })}))
            .to_string()
        },
        10_000,
    ),
    (
        "additional",
        |n| {
            one(json!({
        "additionalSecretOutputs": list(n, |index| format!("k{index}")),
        "outputs": map(n, |index| (format!("k{index}"), index))}))
            .to_string()
        },
        20_000,
    ),
    (
        "documents",
        |n| {
            one(json!({"outputs": map(n, |index| {
                (format!("k{index}"), r#"{"a":[1,{"b":"c"}]}"#)
            })}))
            .to_string()
        },
        10_000,
    ),
    (
        "anchors",
        |n| {
            let lines = (1..n).map(|index| {
                let all = vec![format!("*a{}", index - 1); 10].join(",");
                format!("\na{index}: &a{index} [{all}]")
            });
            let text = format!("a0: &a0 [x]{}", lines.collect::<String>());
            one(json!({"outputs": {"y": text}, "inputs": {"y": format!("{text}\nz: 1")}}))
                .to_string()
        },
        50,
    ),
    (
        "pending",
        |n| {
            let operation = json!({"resource": resource("a", json!({})), "type": "updating"});
            json!({"version": 3, "deployment": {"manifest": {}, "resources": [resource("a", json!({}))],
            "pending_operations": vec![operation; n]}}).to_string()
        },
        10_000,
    ),
    (
        "long",
        |n| {
            let name = "n".repeat(n);
            deployment(json!([resource(
                &name,
                json!({"outputs": {"k".repeat(n): name}})
            )]))
            .to_string()
        },
        1_000_000,
    ),
    (
        "type",
        |n| {
            deployment(json!([{"urn": format!("urn:pulumi:s::p::{}a:b:C::x", "a:b:C$".repeat(n)), "type": "a:b:C"}])).to_string()
        },
        100_000,
    ),
    (
        "repeats",
        |n| {
            let keys = vec![r#""k":1"#; n].join(",");
            one(json!({"outputs": "@@"}))
                .to_string()
                .replace("\"@@\"", &format!("{{{keys}}}"))
        },
        100_000,
    ),
    (
        "twice",
        |n| {
            format!(
                r#"{{"version":3,"deployment":{{"manifest":{{}},{}"resources":[]}}}}"#,
                r#""resources":[],"#.repeat(n)
            )
        },
        50_000,
    ),
    (
        "digits",
        |n| {
            one(json!({"outputs": {"a": "@@"}}))
                .to_string()
                .replace("\"@@\"", &"9".repeat(n))
        },
        200_000,
    ),
    (
        "exponents",
        |n| {
            one(json!({"outputs": {"a": "@@"}})).to_string().replace(
                "\"@@\"",
                &format!("[{}]", vec!["1e999999999999,-1e-99999999"; n].join(",")),
            )
        },
        10_000,
    ),
    (
        "providers",
        |n| {
            deployment(list(n, |index| {
                let provider = format!("urn:pulumi:s::p::pulumi:providers:k::d{index}");
                resource(
                    &index.to_string(),
                    json!({"provider": format!("{provider}::{index}")}),
                )
            }))
            .to_string()
        },
        20_000,
    ),
    (
        "blank",
        |n| {
            format!(
                r#"{{"version":3,{}"deployment":{{"manifest":{{}},"resources":[]}}}}"#,
                " ".repeat(n)
            )
        },
        5_000_000,
    ),
    (
        "outputs",
        |n| {
            deployment(json!([{"urn": "urn:pulumi:s::p::pulumi:pulumi:Stack::p-s", "type": "pulumi:pulumi:Stack",
        "outputs": map(n, |index| (format!("k{index}"), index))}])).to_string()
        },
        20_000,
    ),
];

fn step(op: &str, name: &str, more: Value) -> Value {
    let state = resource(name, json!({"inputs": {"a": 1}}));
    with(json!({"op": op, "urn": urn(name), "newState": state}), more)
}

fn preview(steps: Value) -> String {
    json!({"config": {}, "steps": steps}).to_string()
}

/// The lines of a log that begins as Pulumi's do.
fn events(n: usize, event: impl Fn(usize) -> Value) -> String {
    let first = json!({"sequence": 0, "timestamp": 1, "preludeEvent": {"config": {}}});
    let rest = (0..n).map(|index| with(json!({"sequence": index, "timestamp": 1}), event(index)));
    let lines = std::iter::once(first).chain(rest);
    lines.map(|line| format!("{line}\n")).collect()
}

fn before_step(name: &str) -> Value {
    let state = json!({"type": "k:m:T", "urn": urn(name), "custom": true, "id": "", "parent": "", "inputs": {}, "outputs": {}});
    json!({"resourcePreEvent": {"metadata": {"op": "create", "urn": urn(name), "type": "k:m:T", "old": null, "new": state}}})
}

/// Previews, saved plans and logs of Pulumi.
pub(super) const PULUMI_RUNS: &[Bomb] = &[
    (
        "steps",
        |n| {
            preview(list(n, |index| {
                step("create", &index.to_string(), json!({}))
            }))
        },
        10_000,
    ),
    (
        "same",
        |n| preview(list(n, |_| step("replace", "a", json!({})))),
        10_000,
    ),
    (
        "detailed",
        |n| {
            preview(json!([with(
                step(
                    "update",
                    "a",
                    json!({
            "oldState": resource("a", json!({"inputs": map(n, |index| (format!("k{index}"), 1))})),
            "detailedDiff": map(n, |index| (format!("k{index}"), json!({"kind": "update", "inputDiff": true})))})
                ),
                json!({"newState": resource("a", json!({"inputs": map(n, |index| (format!("k{index}"), 2))}))}),
            )]))
        },
        20_000,
    ),
    (
        "detailed-list",
        |n| {
            preview(json!([with(
                step(
                    "update",
                    "a",
                    json!({
            "oldState": resource("a", json!({"inputs": {"l": list(n, |index| index)}})),
            "detailedDiff": map(n, |index| (format!("l[{index}]"), json!({"kind": "update", "inputDiff": true})))})
                ),
                json!({"newState": resource("a", json!({"inputs": {"l": list(n, |index| index + 1)}}))}),
            )]))
        },
        20_000,
    ),
    (
        "detailed-nowhere",
        |n| {
            preview(json!([step(
                "update",
                "a",
                json!({
        "detailedDiff": map(n, |index| (format!("k[{index}].x"), json!({"kind": "update-replace", "inputDiff": true})))})
            )]))
        },
        20_000,
    ),
    (
        "reasons",
        |n| {
            preview(json!([step(
                "update",
                "a",
                json!({
        "replaceReasons": list(n, |index| format!("k{index}")),
        "diffReasons": list(n, |index| format!("k{index}"))})
            )]))
        },
        20_000,
    ),
    (
        "summary",
        |n| {
            json!({"steps": [], "changeSummary": map(n, |index| (format!("op{index}"), index))})
                .to_string()
        },
        20_000,
    ),
    (
        "diagnostics",
        |n| {
            json!({"steps": [step("create", "a", json!({}))],
        "diagnostics": list(n, |_| json!({"urn": urn("a"), "message": "m", "severity": "error"}))})
            .to_string()
        },
        20_000,
    ),
    (
        "plan",
        |n| {
            let keys = |value: usize| map(n, move |index| (format!("k{index}"), value));
            json!({"manifest": {"time": "2020-01-01T00:00:00Z", "magic": "x", "version": "v3"}, "resourcePlans": {urn("a"): {
            "goal": {"type": "k:m:T", "name": "a", "custom": true, "outputDiff": {}, "inputDiff": {
                "adds": keys(1), "updates": keys(2), "deletes": list(n, |index| format!("k{index}"))}},
            "steps": vec!["create"; n], "state": {}}}}).to_string()
        },
        10_000,
    ),
    (
        "log",
        |n| events(n, |index| before_step(&index.to_string())),
        10_000,
    ),
    ("log-same", |n| events(n, |_| before_step("a")), 10_000),
    (
        "log-said",
        |n| {
            events(
                n,
                |index| json!({"diagnosticEvent": {"urn": urn(&index.to_string()), "message": "m", "severity": "error"}}),
            )
        },
        20_000,
    ),
    (
        "log-summaries",
        |n| {
            events(
                n,
                |index| json!({"summaryEvent": {"resourceChanges": {format!("op{index}"): 1}}}),
            )
        },
        20_000,
    ),
    (
        "log-empty",
        |n| format!("{}{}", events(0, |_| json!({})), "{}\n".repeat(n)),
        100_000,
    ),
    (
        "log-line",
        |n| format!("{}{{\"x\":\"{}", events(0, |_| json!({})), "a".repeat(n)),
        5_000_000,
    ),
];

fn state(resources: Value, outputs: Value) -> Value {
    json!({"version": 4, "terraform_version": "1.9.0", "serial": 1, "lineage": "x", "outputs": outputs, "resources": resources})
}

fn managed(name: &str, instances: Value) -> Value {
    json!({"mode": "managed", "type": "lab_x", "name": name, "provider": "provider[\"registry.terraform.io/lab/lab\"]", "instances": instances})
}

fn instances(n: usize, more: &Value) -> Value {
    list(n, |index| {
        with(
            json!({"index_key": index, "attributes": {"id": "x"}}),
            more.clone(),
        )
    })
}

fn attribute(name: &str) -> Value {
    json!({"type": "get_attr", "value": name})
}

/// States of Terraform, old ones too, and its shown states.
pub(super) const TERRAFORM_STATES: &[Bomb] = &[
    (
        "resources",
        |n| {
            state(
                list(n, |index| {
                    managed(&format!("r{index}"), json!([{"attributes": {}}]))
                }),
                json!({}),
            )
            .to_string()
        },
        10_000,
    ),
    (
        "instances",
        |n| state(json!([managed("a", instances(n, &json!({})))]), json!({})).to_string(),
        20_000,
    ),
    (
        "empty-instances",
        |n| state(json!([managed("a", list(n, |_| json!({})))]), json!({})).to_string(),
        50_000,
    ),
    (
        "deposed",
        |n| {
            state(
                json!([managed(
                    "a",
                    list(
                        n,
                        |index| json!({"deposed": format!("{index:08x}"), "attributes": {}})
                    )
                )]),
                json!({}),
            )
            .to_string()
        },
        10_000,
    ),
    (
        "masks",
        |n| {
            state(
                json!([managed(
                    "a",
                    json!([{
        "attributes": map(n, |index| (format!("k{index}"), "v")),
        "sensitive_attributes": list(n, |index| json!([attribute(&format!("k{index}"))]))}])
                )]),
                json!({}),
            )
            .to_string()
        },
        20_000,
    ),
    (
        "masks-of-elements",
        |n| {
            state(json!([managed("a", json!([{
        "attributes": {"l": vec!["v"; n]},
        "sensitive_attributes": list(n, |index| json!([attribute("l"), {"type": "index", "value": {"value": index, "type": "number"}}]))}]))]), json!({})).to_string()
        },
        20_000,
    ),
    (
        "masks-alike",
        |n| {
            state(
                json!([managed(
                    "a",
                    json!([{
        "attributes": {"l": vec!["v"; n]},
        "sensitive_attributes": vec![json!([attribute("l")]); n]}])
                )]),
                json!({}),
            )
            .to_string()
        },
        20_000,
    ),
    (
        "deep-masks",
        |n| {
            let n = square(n);
            let paths = list(n, |index| Value::from(vec![attribute("a"); index]));
            deep(
                &state(
                    json!([managed(
                        "a",
                        json!([{"attributes": "@@", "sensitive_attributes": paths}])
                    )]),
                    json!({}),
                ),
                r#"{"a":"#,
                "1",
                "}",
                n,
            )
        },
        40_000,
    ),
    (
        "each-to-each",
        |n| {
            state(
                json!([
                    managed("a", instances(n, &json!({}))),
                    managed("b", instances(n, &json!({"dependencies": ["lab_x.a"]}))),
                ]),
                json!({}),
            )
            .to_string()
        },
        5_000,
    ),
    (
        "outputs",
        |n| {
            state(
                json!([]),
                map(n, |index| {
                    (
                        format!("o{index}"),
                        json!({"value": index, "type": "number", "sensitive": index % 2 == 0}),
                    )
                }),
            )
            .to_string()
        },
        20_000,
    ),
    (
        "output",
        |n| {
            state(
                json!([]),
                json!({"o": {"value": list(n, |index| json!({"a": index})), "type": "dynamic"}}),
            )
            .to_string()
        },
        20_000,
    ),
    (
        "type",
        |n| {
            deep(
                &state(json!([]), json!({"o": {"value": 1, "type": "@@"}})),
                r#"["list","#,
                "\"string\"",
                "]",
                n,
            )
        },
        50_000,
    ),
    (
        "modules",
        |n| {
            state(
                list(n, |index| {
                    with(
                        managed("a", json!([{"attributes": {}}])),
                        json!({"module": format!("module.m{index}")}),
                    )
                }),
                json!({}),
            )
            .to_string()
        },
        10_000,
    ),
    (
        "deep-module",
        |n| {
            let module = vec!["module.m"; n].join(".");
            state(
                json!([with(
                    managed("a", json!([{"attributes": {}}])),
                    json!({"module": module})
                )]),
                json!({}),
            )
            .to_string()
        },
        20_000,
    ),
    (
        "deep-modules",
        |n| {
            let n = square(n);
            state(
                list(n, |index| {
                    with(
                        managed("a", json!([{"attributes": {}}])),
                        json!({"module": vec!["module.m"; index + 1].join(".")}),
                    )
                }),
                json!({}),
            )
            .to_string()
        },
        100_000,
    ),
    (
        "checks",
        |n| {
            with(state(json!([]), json!({})), json!({"check_results": list(n, |index| json!({
        "object_kind": "resource", "config_addr": format!("lab_x.a{index}"), "status": "fail",
        "objects": [{"object_addr": format!("lab_x.a{index}"), "status": "fail", "failure_messages": ["m", "m"]}]}))})).to_string()
        },
        10_000,
    ),
    (
        "wide",
        |n| {
            state(
                json!([managed(
                    "a",
                    json!([{"attributes": map(n, |index| (format!("k{index}"), index))}])
                )]),
                json!({}),
            )
            .to_string()
        },
        20_000,
    ),
    (
        "old",
        |n| {
            json!({"version": 3, "terraform_version": "0.11.0", "serial": 1, "modules": [{"path": ["root"], "outputs": {},
        "resources": map(n, |index| (format!("lab_x.r{index}"), json!({"type": "lab_x", "depends_on": ["lab_x.r0"],
            "primary": {"id": "x", "attributes": {"id": "x", "a.#": "1", "a.0": "v"}}, "deposed": [{"id": "d"}]})))}]}).to_string()
        },
        5_000,
    ),
    (
        "old-modules",
        |n| {
            json!({"version": 3, "terraform_version": "0.11.0", "serial": 1, "modules": list(n, |index| json!({
        "path": ["root", format!("m{index}")], "outputs": {},
        "resources": {"lab_x.a": {"type": "lab_x", "primary": {"id": "x", "attributes": {}}}}}))}).to_string()
        },
        5_000,
    ),
    (
        "old-outputs",
        |n| {
            json!({"version": 1, "terraform_version": "0.5.0", "serial": 1, "modules": [{"path": ["root"],
        "outputs": map(n, |index| (format!("o{index}"), "v")), "resources": {}}]}).to_string()
        },
        20_000,
    ),
    (
        "shown-modules",
        |n| {
            json!({"format_version": "1.0", "terraform_version": "1.9.0", "values": {"root_module": {"child_modules": list(n, |index| json!({
        "address": format!("module.m{index}"), "resources": [{"address": format!("module.m{index}.lab_x.a"), "mode": "managed",
        "type": "lab_x", "name": "a", "provider_name": "p", "values": {"a": 1}, "sensitive_values": {"a": true}}]}))}}}).to_string()
        },
        5_000,
    ),
    (
        "shown-deep",
        |n| {
            deep(
                &json!({"format_version": "1.0", "terraform_version": "1.9.0", "values": {"root_module": "@@"}}),
                r#"{"child_modules":["#,
                "{}",
                "]}",
                n,
            )
        },
        50_000,
    ),
    (
        "schemas",
        |n| {
            json!({"format_version": "1.0", "provider_schemas": {"p": {"resource_schemas": map(n, |index| (format!("lab_x{index}"),
        json!({"version": 0, "block": {"attributes": {"a": {"type": "string", "optional": true}}}})))}}}).to_string()
        },
        10_000,
    ),
];

fn plan(changes: Value, more: Value) -> Value {
    with(
        json!({"format_version": "1.2", "terraform_version": "1.9.0", "planned_values": {"root_module": {}},
            "resource_changes": changes, "configuration": {"root_module": {}}}),
        more,
    )
}

fn change(name: &str, change: Value) -> Value {
    json!({"address": format!("lab_x.{name}"), "mode": "managed", "type": "lab_x", "name": name,
        "provider_name": "registry.terraform.io/lab/lab", "change": change})
}

fn update(before: Value, after: Value, more: Value) -> Value {
    with(
        json!({"actions": ["update"], "before": before, "after": after}),
        more,
    )
}

fn updated(before: Value, after: Value, more: Value) -> String {
    plan(json!([change("a", update(before, after, more))]), json!({})).to_string()
}

fn ui(n: usize, line: impl Fn(usize) -> Value) -> String {
    let first = json!({"@level": "info", "@message": "Terraform 1.9.0", "@module": "terraform.ui", "type": "version", "terraform": "1.9.0", "ui": "1.2"});
    let rest = (0..n).map(|index| {
        with(
            json!({"@level": "info", "@message": "m", "@module": "terraform.ui"}),
            line(index),
        )
    });
    let lines = std::iter::once(first).chain(rest);
    lines.map(|line| format!("{line}\n")).collect()
}

/// Plans of Terraform in JSON, and the logs of its runs.
pub(super) const TERRAFORM_PLANS: &[Bomb] = &[
    (
        "changes",
        |n| {
            plan(
                list(n, |index| {
                    change(
                        &format!("r{index}"),
                        update(
                            json!({"a": 1}),
                            json!({"a": 2}),
                            json!({"after_unknown": {"id": true}}),
                        ),
                    )
                }),
                json!({}),
            )
            .to_string()
        },
        10_000,
    ),
    (
        "empty",
        |n| plan(list(n, |_| json!({})), json!({})).to_string(),
        50_000,
    ),
    (
        "replace-paths",
        |n| {
            updated(
                map(n, |index| (format!("k{index}"), 1)),
                map(n, |index| (format!("k{index}"), 2)),
                json!({"replace_paths": list(n, |index| json!([format!("k{index}")]))}),
            )
        },
        20_000,
    ),
    (
        "replace-elements",
        |n| {
            updated(
                json!({"l": list(n, |index| index)}),
                json!({"l": list(n, |index| n - index)}),
                json!({"replace_paths": list(n, |index| json!(["l", index]))}),
            )
        },
        10_000,
    ),
    (
        "masks",
        |n| {
            let all = || map(n, |index| (format!("k{index}"), true));
            updated(
                map(n, |index| (format!("k{index}"), 1)),
                map(n, |index| (format!("k{index}"), 2)),
                json!({"before_sensitive": all(), "after_sensitive": all(), "after_unknown": all()}),
            )
        },
        20_000,
    ),
    (
        "blocks",
        |n| {
            updated(
                json!({"l": list(n, |index| json!({"a": index, "b": index.to_string()}))}),
                json!({"l": list(n, |index| json!({"a": n - index, "b": (index + 1).to_string()}))}),
                json!({}),
            )
        },
        10_000,
    ),
    (
        "shuffled",
        |n| {
            updated(
                json!({"l": list(n, |index| (index * 7919 % n).to_string())}),
                json!({"l": list(n, |index| (index * 104_729 % n).to_string())}),
                json!({}),
            )
        },
        10_000,
    ),
    (
        "lines",
        |n| {
            let text = |by: usize| {
                (0..n)
                    .map(|index| format!("{}\n", index * by % n))
                    .collect::<String>()
            };
            updated(
                json!({"t": text(7919)}),
                json!({"t": text(104_729)}),
                json!({}),
            )
        },
        10_000,
    ),
    (
        "words",
        |n| {
            let text = |by: usize| {
                (0..n)
                    .map(|index| format!("{} ", index * by % n))
                    .collect::<String>()
            };
            updated(
                json!({"t": text(7919)}),
                json!({"t": text(104_729)}),
                json!({}),
            )
        },
        10_000,
    ),
    (
        "documents",
        |n| {
            let text = |by: usize| list(n, |index| index * by).to_string();
            updated(json!({"t": text(2)}), json!({"t": text(3)}), json!({}))
        },
        10_000,
    ),
    (
        "outputs",
        |n| {
            plan(json!([]), json!({"output_changes": map(n, |index| (format!("o{index}"), update(index.into(), (index + 1).into(), json!({}))))})).to_string()
        },
        10_000,
    ),
    (
        "output",
        |n| {
            plan(json!([]), json!({"output_changes": {"o": update(
        list(n, |index| json!({"a": index})), list(n, |index| json!({"a": n - index})), json!({}))}})).to_string()
        },
        10_000,
    ),
    (
        "drift",
        |n| {
            plan(
        list(n, |index| change(&format!("r{index}"), update(json!({"a": 1}), json!({"a": 2}), json!({})))),
        json!({"relevant_attributes": list(n, |index| json!({"resource": format!("lab_x.r{index}"), "attribute": ["a"]})),
            "resource_drift": list(n, |index| change(&format!("r{index}"), update(json!({"a": 0}), json!({"a": 1}), json!({}))))})).to_string()
        },
        5_000,
    ),
    (
        "checks",
        |n| {
            plan(json!([]), json!({"checks": list(n, |index| json!({
        "address": {"kind": "resource", "mode": "managed", "name": "a", "to_display": format!("lab_x.a{index}"), "type": "lab_x"}, "status": "fail",
        "instances": [{"address": {"to_display": format!("lab_x.a{index}")}, "status": "fail", "problems": [{"message": "m"}]}]}))})).to_string()
        },
        10_000,
    ),
    (
        "deposed",
        |n| {
            plan(
                list(n, |index| {
                    with(
                        change(
                            "a",
                            json!({"actions": ["delete"], "before": {"a": 1}, "after": null}),
                        ),
                        json!({"deposed": format!("{index:08x}")}),
                    )
                }),
                json!({}),
            )
            .to_string()
        },
        10_000,
    ),
    (
        "variables",
        |n| {
            plan(json!([]), json!({"variables": map(n, |index| (format!("v{index}"), json!({"value": index})))})).to_string()
        },
        20_000,
    ),
    (
        "log",
        |n| {
            ui(n, |index| {
                json!({"type": "planned_change", "change": {"action": "create", "resource": {
        "addr": format!("lab_x.r{index}"), "resource": "r", "resource_type": "lab_x", "resource_name": "r", "module": ""}}})
            })
        },
        10_000,
    ),
    (
        "log-same",
        |n| {
            ui(n, |_| {
                json!({"type": "planned_change", "change": {"action": "create", "resource": {
        "addr": "lab_x.r", "resource": "r", "resource_type": "lab_x", "resource_name": "r", "module": ""}}})
            })
        },
        10_000,
    ),
    (
        "log-summaries",
        |n| {
            ui(
                n,
                |index| json!({"type": "change_summary", "changes": {"add": index, "change": 0, "remove": 0, "operation": "plan"}}),
            )
        },
        20_000,
    ),
    (
        "log-said",
        |n| {
            ui(
                n,
                |_| json!({"@level": "error", "type": "diagnostic", "diagnostic": {"severity": "error", "summary": "x", "detail": "y"}}),
            )
        },
        20_000,
    ),
    (
        "log-outputs",
        |n| {
            ui(
                n,
                |index| json!({"type": "outputs", "outputs": {format!("o{index}"): {"sensitive": false, "type": "string", "value": "x"}}}),
            )
        },
        20_000,
    ),
];

fn refs(names: &[&str]) -> Value {
    json!({"references": names})
}

fn block(name: &str, expressions: Value, more: Value) -> Value {
    with(
        json!({"address": format!("lab_x.{name}"), "mode": "managed", "type": "lab_x", "name": name, "expressions": expressions}),
        more,
    )
}

fn configured(root: Value) -> String {
    let changes = json!([change(
        "a",
        json!({"actions": ["create"], "before": null, "after": {"a": 1}})
    )]);
    plan(changes, json!({"configuration": {"root_module": root}})).to_string()
}

/// Configurations in plans of Terraform.
pub(super) const CONFIGURATIONS: &[Bomb] = &[
    (
        "doubling-outputs",
        |n| {
            let mut module = json!({"outputs": {"o": {"expression": refs(&["lab_x.a.id"])}}});
            for _ in 0..n {
                module = json!({"outputs": {"o": {"expression": refs(&["module.m.o", "local.x", "module.m.o"])}},
                "module_calls": {"m": {"expressions": {}, "module": module}}});
            }
            configured(
                json!({"module_calls": {"m": {"expressions": {}, "module": module}},
            "resources": [block("a", json!({"a": refs(&["module.m.o"])}), json!({}))]}),
            )
        },
        30,
    ),
    (
        "doubling-variables",
        |n| {
            let declared = json!({"v": {}, "w": {}});
            let mut module = json!({"variables": declared, "resources": [block("a", json!({"a": refs(&["var.v", "var.w"])}), json!({}))]});
            for _ in 0..n {
                module = json!({"variables": declared, "module_calls": {"m": {"module": module,
                "expressions": {"v": refs(&["var.v", "var.w"]), "w": refs(&["var.w", "var.v"])}}}});
            }
            configured(module)
        },
        30,
    ),
    (
        "wide-module",
        |n| {
            let n = square(n);
            let outputs = map(n, |index| {
                (
                    format!("o{index}"),
                    json!({"expression": refs(&[&format!("lab_x.r{index}")])}),
                )
            });
            configured(
                json!({"module_calls": {"m": {"expressions": {}, "module": {"outputs": outputs}}},
            "resources": list(n, |index| block(&format!("r{index}"), map(20, |key| (format!("a{key}"), refs(&["module.m"]))), json!({})))}),
            )
        },
        400_000,
    ),
    (
        "references",
        |n| {
            configured(json!({"resources": [block("a", json!({
        "a": {"references": list(n, |index| format!("lab_x.q{index}.id"))},
        "b": {"references": vec!["lab_x.q", "lab_x.z"].repeat(n)}}), json!({}))]}))
        },
        20_000,
    ),
    (
        "arguments",
        |n| {
            configured(
                json!({"resources": [block("a", map(n, |index| (format!("a{index}"), refs(&["lab_x.q.id"]))), json!({}))]}),
            )
        },
        20_000,
    ),
    (
        "sensitive-variables",
        |n| {
            configured(json!({
        "variables": map(n, |index| (format!("v{index}"), json!({"sensitive": true}))),
        "resources": [block("a", map(n, |index| (format!("a{index}"), refs(&[&format!("var.v{index}")]))), json!({}))]}))
        },
        10_000,
    ),
    (
        "depends-on",
        |n| {
            configured(
                json!({"resources": [block("a", json!({}), json!({"depends_on": list(n, |index| format!("lab_x.q{index}"))}))]}),
            )
        },
        20_000,
    ),
    (
        "blocks",
        |n| {
            configured(
                json!({"resources": [block("a", json!({"b": list(n, |_| json!({"x": refs(&["lab_x.q"])}))}), json!({}))]}),
            )
        },
        20_000,
    ),
    (
        "deep",
        |n| {
            let text: Value = serde_json::from_str(&configured(
                json!({"resources": [block("a", json!({"b": "@@"}), json!({}))]}),
            ))
            .unwrap();
            deep(&text, r#"{"a":"#, r#"{"references":["lab_x.q"]}"#, "}", n)
        },
        900,
    ),
    (
        "calls",
        |n| {
            configured(
                json!({"module_calls": map(n, |index| (format!("m{index}"), json!({
        "expressions": {"v": if index == 0 { refs(&["lab_x.a.id"]) } else { refs(&[&format!("module.m{}.o", index - 1)]) }},
        "module": {"variables": {"v": {}}, "outputs": {"o": {"expression": refs(&["var.v"])}}}}))),
        "resources": [block("a", json!({"a": refs(&[&format!("module.m{}.o", n - 1)])}), json!({}))]}),
            )
        },
        5_000,
    ),
];

/// A file of gzip with this many times the same bytes between two others.
fn gzip(start: &str, unit: &str, n: usize, end: &str) -> Vec<u8> {
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(start.as_bytes()).unwrap();
    let block = unit.repeat(1 << 16);
    for _ in 0..n.div_ceil(1 << 16) {
        gzip.write_all(block.as_bytes()).unwrap();
    }
    gzip.write_all(end.as_bytes()).unwrap();
    gzip.finish().unwrap()
}

/// Small files that unpack to far too much.
pub(super) fn packed() -> Vec<(&'static str, Vec<u8>)> {
    let resources = r#"{"version":3,"deployment":{"manifest":{},"resources":["#;
    let log = "{\"sequence\":0,\"timestamp\":1,\"preludeEvent\":{\"config\":{}}}\n";
    let twice = |inner: Vec<u8>| zstd::encode_all(&*inner, 3).unwrap();
    let blanks = || format!("{resources}{}", " ".repeat(300 << 20));
    vec![
        (
            "empty.json.gz",
            gzip(resources, "{},", 100_000_000, "{}]}}"),
        ),
        (
            "blank.json.gz",
            gzip(resources, "                ", 20_000_000, "]}}"),
        ),
        ("log.jsonl.gz", gzip(log, "{}\n", 100_000_000, "")),
        (
            "line.jsonl.gz",
            gzip(
                &format!("{log}{{\"x\":\""),
                "aaaaaaaaaaaaaaaa",
                20_000_000,
                "",
            ),
        ),
        (
            "blank.json.zst",
            zstd::encode_all(blanks().as_bytes(), 3).unwrap(),
        ),
        (
            "twice.json.gz.zst",
            twice(gzip(resources, "                ", 20_000_000, "]}}")),
        ),
        ("utf16.json.gz", utf16()),
        (
            "changes.tfplan",
            archive(&message(3, b"").repeat(40_000_000), &[]),
        ),
        ("nils.tfplan", {
            let n = 60_000_000_u32;
            let nils = [&[0xdd][..], &n.to_be_bytes(), &vec![0xc0; n as usize]].concat();
            let change = [number(1, 2), message(2, &message(1, &nils))].concat();
            archive(
                &message(3, &[message(13, b"lab_x.a"), message(9, &change)].concat()),
                &[],
            )
        }),
    ]
}

/// JSON of blanks in UTF-16, packed.
fn utf16() -> Vec<u8> {
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(b"\xff\xfe{\0").unwrap();
    let block = b" \0".repeat(1 << 20);
    for _ in 0..150 {
        gzip.write_all(&block).unwrap();
    }
    gzip.finish().unwrap()
}

fn varint(mut number: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    while number >= 0x80 {
        bytes.push(number.to_le_bytes()[0] | 0x80);
        number >>= 7;
    }
    bytes.push(number.to_le_bytes()[0]);
    bytes
}

/// A field of a protobuf message that holds bytes.
fn message(field: u64, bytes: &[u8]) -> Vec<u8> {
    [
        &varint(field << 3 | 2)[..],
        &varint(bytes.len() as u64),
        bytes,
    ]
    .concat()
}

/// A field of a protobuf message that holds a number.
fn number(field: u64, number: u64) -> Vec<u8> {
    [varint(field << 3), varint(number)].concat()
}

/// A plan file with these fields of a plan, and with these entries beside it.
fn archive(fields: &[u8], entries: &[(String, Vec<u8>)]) -> Vec<u8> {
    let plan = [&number(1, 3)[..], &message(14, b"1.9.0"), fields].concat();
    let mut writer = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let options = zip::write::SimpleFileOptions::default();
    let plan = [("tfplan".to_owned(), plan)];
    for (name, contents) in plan.iter().chain(entries) {
        writer.start_file(name.as_str(), options).unwrap();
        writer.write_all(contents).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

/// Plan files with something in them that asks for much.
pub(super) fn plan_files() -> Vec<(&'static str, Vec<u8>)> {
    let sources: Vec<_> = (0..4)
        .map(|index| (format!("tfconfig/m-/main{index}.tf"), vec![b' '; 40 << 20]))
        .collect();
    let nested = format!("x = {}1{}", "[".repeat(100_000), "]".repeat(100_000));
    let blocks = "resource \"lab_x\" \"a\" {\n".repeat(50_000);
    let heredoc = "x = <<E\n".repeat(50_000);
    let template = format!("x = \"{}\"", "${\"".repeat(50_000));
    let text = |contents: String| vec![("tfconfig/m-/main.tf".to_owned(), contents.into_bytes())];
    // An array that says that it has four billion elements, in one that says so too.
    let lengths = [0xdd, 0xff, 0xff, 0xff, 0xff].repeat(1000);
    let claimed = [number(1, 2), message(2, &message(1, &lengths))].concat();
    vec![
        (
            "changes.tfplan",
            archive(&message(3, b"").repeat(100_000), &[]),
        ),
        (
            "outputs.tfplan",
            archive(&message(4, b"").repeat(100_000), &[]),
        ),
        ("sources.tfplan", archive(b"", &sources)),
        ("nested.tfplan", archive(b"", &text(nested))),
        ("blocks.tfplan", archive(b"", &text(blocks))),
        ("heredoc.tfplan", archive(b"", &text(heredoc))),
        ("template.tfplan", archive(b"", &text(template))),
        (
            "lengths.tfplan",
            archive(
                &message(3, &[message(13, b"lab_x.a"), message(9, &claimed)].concat()),
                &[],
            ),
        ),
        (
            "entries.tfplan",
            archive(
                b"",
                &(0..20_000)
                    .map(|index| (format!("e{index}"), Vec::new()))
                    .collect::<Vec<_>>(),
            ),
        ),
    ]
}
