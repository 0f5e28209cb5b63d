//! Possible secrets in a Pulumi file are masked everywhere, by every command: a table of places and forms.

use serde_json::{Value as Json, json};
use stacklens::pulumi::wire::{ARCHIVE, ASSET, OUTPUT, REFERENCE, SECRET, SIGNATURE};

use super::{command, json};

/// The text that nothing may print.
const HIDDEN: &str = "hunter2-hunter2";
const STACK: &str = "urn:pulumi:s::p::pulumi:pulumi:Stack::p-s";
const URN: &str = "urn:pulumi:s::p::a:b:C::thing";
const PROVIDER: &str = "urn:pulumi:s::p::pulumi:providers:a::main";

/// Values that contain the text, and are secret or may be.
fn forms() -> Vec<Json> {
    let signed = |signature: &str, rest: Json| {
        let mut form = json!({ SIGNATURE: signature });
        let fields = rest.as_object().expect("fields").clone();
        form.as_object_mut().expect("a form").extend(fields);
        form
    };
    let quoted = json!(HIDDEN).to_string();
    let secret = signed(SECRET, json!({"plaintext": quoted}));
    let known = [
        secret.clone(),
        signed(SECRET, json!({"plaintext": HIDDEN})),
        signed(SECRET, json!({"value": HIDDEN})),
        signed(SECRET, json!({"ciphertext": HIDDEN})),
        signed(SECRET, json!({"ciphertext": HIDDEN, "plaintext": quoted})),
        signed(SECRET, json!({"plaintext": [HIDDEN]})),
        signed(OUTPUT, json!({"value": HIDDEN, "secret": true})),
        signed(OUTPUT, json!({"value": HIDDEN, "secret": "yes"})),
        signed(ASSET, json!({"text": [HIDDEN]})),
        signed(ASSET, json!({"text": secret})),
        signed(ASSET, json!({"path": 1, "text": HIDDEN})),
        signed(ARCHIVE, json!({"assets": [HIDDEN]})),
        signed(ARCHIVE, json!({"assets": {"a": HIDDEN}})),
        signed(ARCHIVE, json!({"assets": {"a": secret}})),
        signed(REFERENCE, json!({"urn": {"a": HIDDEN}})),
        signed("no-such-signature", json!({"a": HIDDEN})),
        json!({SIGNATURE: 7, "a": {"b": [HIDDEN]}}),
        json!({SIGNATURE: null, HIDDEN: 1}),
    ];
    let texts = known.clone().map(|form| json!(form.to_string()));
    let nested = known.clone().map(|form| json!({"k": [form, 1]}));
    let nested_texts = known
        .clone()
        .map(|form| json!(json!({"k": [form]}).to_string()));
    [known, texts, nested, nested_texts].concat()
}

fn state(ty: &str, urn: &str, inputs: &Json, outputs: &Json) -> Json {
    json!({"urn": urn, "type": ty, "custom": ty != "pulumi:pulumi:Stack", "id": "i-1", "inputs": inputs, "outputs": outputs})
}

/// A resource with these inputs and outputs, and a provider and a stack with the same.
fn resources(inputs: &Json, outputs: &Json) -> [Json; 3] {
    [
        state("pulumi:pulumi:Stack", STACK, &json!({}), outputs),
        state("pulumi:providers:a", PROVIDER, inputs, outputs),
        state("a:b:C", URN, inputs, outputs),
    ]
}

fn deployment(resources: &[Json]) -> String {
    json!({"version": 3, "deployment": {"resources": resources}}).to_string()
}

fn preview(old: &[Json], new: &[Json]) -> String {
    let steps = old.iter().zip(new).map(|(old, new)| {
        json!({"op": "update", "urn": new["urn"], "oldState": old, "newState": new, "diffReasons": ["a"],
            "detailedDiff": {"a": {"kind": "update", "inputDiff": true}}})
    });
    json!({"steps": steps.collect::<Vec<_>>()}).to_string()
}

fn events(old: &[Json], new: &[Json]) -> String {
    let events = old.iter().zip(new).map(|(old, new)| {
        let metadata = json!({"op": "update", "urn": new["urn"], "type": new["type"], "old": old, "new": new, "diffs": ["a"],
            "detailedDiff": {"a": {"diffKind": "update", "inputDiff": true}}});
        json!({"sequence": 0, "timestamp": 0, "resourcePreEvent": {"metadata": metadata, "planning": true}}).to_string()
    });
    events.collect::<Vec<_>>().join("\n")
}

fn plan(inputs: &Json, outputs: &Json, declared: &Json) -> String {
    let of = |urn: &str, ty: &str| {
        json!({"goal": {"type": ty, "name": "n", "custom": true, "additionalSecretOutputs": declared,
                "inputDiff": {"adds": inputs, "updates": inputs}, "outputDiff": {"adds": outputs, "updates": outputs}},
            "steps": ["update"], "state": outputs, "urn": urn})
    };
    let plans = json!({URN: of(URN, "a:b:C"), PROVIDER: of(PROVIDER, "pulumi:providers:a")});
    json!({"manifest": {"version": "v3.0.0"}, "resourcePlans": plans}).to_string()
}

/// Runs every command on each of these files, and on their difference to the first. None may print the text.
#[track_caller]
fn check(what: &str, files: &[String]) {
    let folder = tempfile::tempdir().unwrap();
    let names: Vec<String> = (0..files.len())
        .map(|number| {
            let path = folder.path().join(format!("{number}.json"));
            std::fs::write(&path, &files[number]).unwrap();
            path.to_str().expect("UTF-8").to_owned()
        })
        .collect();
    let run = |args: &[&str]| {
        let run = command(args);
        assert!(
            !run.out.contains(HIDDEN) && !run.err.contains(HIDDEN),
            "{what}: {args:?} shows what is secret"
        );
        run
    };
    for file in &names {
        let info = run(&["info", file]);
        assert_eq!(info.code, 0, "{what}: {info:?}");
        for args in [
            &["info", file, "--json"][..],
            &["ls", file, "--json"],
            &["find", file, "@**", "--json"],
            &["find", file, "=~."],
            &["find", file, "=~.", "--json"],
            &["diff", file],
            &["diff", file, "--json"],
            &["diff", file, "--markdown"],
            &["check", file],
            &["check", file, "--json"],
            &["graph", file],
            &["graph", file, "--format", "mermaid"],
            &["get", file, STACK],
        ] {
            run(args);
        }
        run(&["diff", file, &names[0]]);
        run(&["diff", &names[0], file, "--json"]);
        let found = run(&["find", file, &format!("={HIDDEN}"), "--json"]);
        assert_eq!(
            found.out.trim(),
            "[]",
            "{what}: a search finds what is secret"
        );
        for urn in [URN, PROVIDER] {
            run(&["get", file, urn]);
            run(&["get", file, urn, "--json"]);
            for of in [
                "inputs",
                "outputs",
                "before.inputs",
                "before.outputs",
                "before",
                "after",
            ] {
                run(&["get", file, urn, "root", "--of", of]);
                for path in ["root", "a", "a.k[0]", "b[0].c", "**", "a.*", "b[*].c"] {
                    run(&["get", file, urn, path, "--of", of, "--json"]);
                }
            }
        }
        for output in ["output.a", "output.b"] {
            run(&["get", file, output]);
            run(&["get", file, output, "--of", "before"]);
        }
    }
}

#[test]
fn possible_secrets_are_masked_in_every_file() {
    // All at once, each under a separate key; and some separately: a whole set of properties, `a`, and below it.
    let forms = forms();
    let all: Json = (0..)
        .zip(&forms)
        .map(|(number, form)| (format!("a{number}"), form.clone()))
        .collect::<serde_json::Map<_, _>>()
        .into();
    let whole = forms
        .iter()
        .step_by(47)
        .filter(|form| form.get(SIGNATURE).is_some());
    let some = whole.flat_map(|form| [form.clone(), json!({"a": form, "b": [{"c": form}]})]);
    for (number, properties) in some.chain([all]).enumerate() {
        let plain = json!({"a": "open"});
        let (secret, open) = (
            resources(&properties, &properties),
            resources(&plain, &plain),
        );
        let files = [
            deployment(&secret),
            preview(&secret, &open),
            events(&open, &secret),
            plan(&properties, &properties, &json!(null)),
        ];
        check(&format!("properties {number}"), &files);
    }
}

#[test]
fn a_secret_on_one_side_is_masked_on_both() {
    let secret = |value: &Json| json!({SIGNATURE: SECRET, "plaintext": value.to_string()});
    let open = json!({"a": HIDDEN, "b": [{"c": HIDDEN, "d": 1}], "e": {"f": {"g": HIDDEN}}});
    let hidden = json!({"a": secret(&json!("x")), "b": [{"c": secret(&json!("y")), "d": 1}], "e": secret(&json!({"f": {"g": "z"}}))});
    let (open, hidden) = (resources(&open, &open), resources(&hidden, &hidden));
    for (what, old, new) in [("new", &open, &hidden), ("old", &hidden, &open)] {
        let files = [preview(old, new), events(old, new)];
        check(what, &files);
        let folder = tempfile::tempdir().unwrap();
        for file in files {
            let path = folder.path().join("file.json");
            std::fs::write(&path, file).unwrap();
            let path = path.to_str().unwrap();
            for of in ["before.inputs", "inputs", "before.outputs", "outputs"] {
                let got = json(&["get", path, URN, "--of", of, "--json"]);
                let want =
                    json!({"a": "[secret]", "b": [{"c": "[secret]", "d": 1}], "e": "[secret]"});
                assert_eq!(got, want, "{what} {of}");
                let got = json(&["get", path, URN, "e.f.g", "--of", of, "--json"]);
                assert_eq!(got, json!("[secret]"), "{what} {of}");
            }
            // Only the requested value was revealed.
            let side = if what == "new" {
                "before.inputs"
            } else {
                "inputs"
            };
            let run = command(&["get", path, URN, "e.f.g", "--of", side, "--reveal"]);
            assert!(run.out.contains(HIDDEN), "{run:?}");
        }
    }
}

#[test]
fn declared_secret_outputs_are_masked_in_saved_plans() {
    let properties = json!({"a": HIDDEN, "b": "open"});
    check("declared", &[plan(&properties, &properties, &json!(["a"]))]);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("plan.json");
    std::fs::write(&path, plan(&properties, &properties, &json!(["a", "x"]))).unwrap();
    let path = path.to_str().unwrap();
    let got = json(&["get", path, URN, "--of", "outputs", "--json"]);
    assert_eq!(got, json!({"a": "[secret]", "b": "open"}));
    let whole = json(&["get", path, URN, "--json"]);
    assert_eq!(
        whole["outputDiff"]["updates"],
        json!({"a": "[secret]", "b": "open"})
    );
    // A list in an unknown form may name each of them.
    for declared in [json!("a"), json!([["a"]]), json!({"a": true})] {
        let hidden = json!({"a": HIDDEN});
        check("declared oddly", &[plan(&hidden, &hidden, &declared)]);
        let mut resources = resources(&json!({}), &hidden);
        for resource in &mut resources {
            resource["additionalSecretOutputs"] = declared.clone();
        }
        check("declared oddly", &[deployment(&resources)]);
    }
}

#[test]
fn secrets_of_the_configuration_are_masked() {
    let config = json!({
        "p:a": {"secure": HIDDEN},
        "p:b": {"value": HIDDEN, "secret": true},
        "p:c": {"string": HIDDEN, "secret": true, "object": false},
        "p:d": {"deep": [{"secure": HIDDEN}, "open-text"]},
        "p:e": json!({"deep": {"secure": HIDDEN}}).to_string(),
        "p:f": {SIGNATURE: SECRET, "plaintext": HIDDEN},
        "p:g": {"secure": HIDDEN, "more": 1},
        "p:j": {"deep": {"value": HIDDEN, "secret": true}, "list": [{"deeper": {"value": HIDDEN, "secret": "yes"}}]},
        "p:k": {"deep": {SIGNATURE: "nope", "a": HIDDEN}, "list": [{"secure": HIDDEN}]},
        "p:h": "shown-text",
        "p:i": {"value": "seen-text", "secret": false},
    });
    let keys = json!({"type": "passphrase", "state": {"salt": format!("v1:AAAA:v1:{HIDDEN}"), "encryptedkey": HIDDEN, "url": "awskms://key",
        "owner": {SIGNATURE: SECRET, "plaintext": json!(HIDDEN).to_string()}}});
    let deployment = json!({"manifest": {"version": "v3.0.0"}, "resources": resources(&json!({}), &json!({})), "secrets_providers": keys});
    let files = [
        json!({"version": 3, "checkpoint": {"stack": "organization/p/s", "config": config, "latest": deployment}}),
        json!({"version": 3, "deployment": deployment}),
        json!({"config": config, "steps": [{"op": "same", "urn": URN}]}),
        json!({"manifest": {}, "config": config, "resourcePlans": {}}),
        json!({"version": 1, "plan": {"manifest": {}, "config": config, "resourcePlans": {}}}),
        json!({"sequence": 0, "timestamp": 0, "preludeEvent": {"config": config}}),
    ];
    let files = files.map(|file| file.to_string());
    check("configuration", &files);
    let folder = tempfile::tempdir().unwrap();
    for (number, file) in files.iter().enumerate() {
        let path = folder.path().join("file.json");
        std::fs::write(&path, file).unwrap();
        let run = command(&["info", path.to_str().unwrap()]);
        if number != 1 {
            for shown in ["shown-text", "seen-text", "open-text"] {
                assert!(run.out.contains(shown), "{number}: {run:?}");
            }
        }
        if number < 2 {
            assert!(run.out.contains("awskms://key"), "{run:?}");
        }
    }
}
