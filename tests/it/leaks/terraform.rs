//! Places in Terraform and OpenTofu files.

use serde_json::{Map, Value as Json, json};

use super::{CANARY, Place, Schemas, placements};
use crate::made::configured_plan;

const PROVIDER: &str = "registry.terraform.io/acme/vault";

/// The schemas of the provider, for all places.
pub(super) fn schemas() -> Json {
    let block = json!({
        "attributes": {
            "id": {"type": "string", "computed": true},
            "name": {"type": "string", "optional": true},
            "hidden": {"type": "string", "optional": true, "sensitive": true},
            "once": {"type": "string", "optional": true, "write_only": true},
            "odd": {"type": "no such type", "optional": true, "sensitive": true},
            "nested": {"nested_type": {"nesting_mode": "map", "attributes": {
                "hidden": {"type": "string", "sensitive": true}, "name": {"type": "string"}}}},
        },
        "block_types": {
            "login": {"nesting_mode": "list", "block": {"attributes": {"hidden": {"type": "string", "sensitive": true}}}},
            "rule": {"nesting_mode": "set", "block": {"attributes": {"hidden": {"type": "string", "sensitive": true}}}},
        },
    });
    json!({"format_version": "1.0", "provider_schemas": {PROVIDER: {
        "provider": {"version": 0, "block": {"attributes": {"credential": {"type": "string", "sensitive": true}}}},
        "resource_schemas": {"vault_item": {"version": 0, "block": block}, "vault_case": placements::schema()},
        "data_source_schemas": {"vault_item": {"version": 0, "block": block}},
        "action_schemas": {"vault_act": {"block": {"attributes": {"hidden": {"type": "string", "sensitive": true}}}}},
    }}})
}

/// A state with these attributes, and additional fields.
fn state_of(mode: &str, attributes: &Json, additional: &Json) -> Json {
    let mut instance = json!({"schema_version": 0, "attributes": attributes});
    let fields = instance.as_object_mut().unwrap();
    for (key, value) in additional.as_object().unwrap() {
        fields.insert(key.clone(), value.clone());
    }
    json!({
        "version": 4, "terraform_version": "1.9.0", "serial": 1, "lineage": "a", "outputs": {},
        "resources": [{
            "mode": mode, "type": "vault_item", "name": "a", "provider": format!("provider[\"{PROVIDER}\"]"), "instances": [instance],
        }],
    })
}

fn state(attributes: &Json, paths: &Json) -> Json {
    state_of(
        "managed",
        attributes,
        &json!({"sensitive_attributes": paths}),
    )
}

fn shown(values: &Json, mask: &Json) -> Json {
    json!({"format_version": "1.0", "terraform_version": "1.9.0", "values": {"outputs": {}, "root_module": {"resources": [{
        "address": "vault_item.a", "mode": "managed", "type": "vault_item", "name": "a", "provider_name": PROVIDER,
        "values": values, "sensitive_values": mask,
    }]}}})
}

/// A plan with this change of one resource.
fn plan(change: &Json) -> Json {
    plan_with(change, &json!({}))
}

fn plan_with(change: &Json, more: &Json) -> Json {
    let mut plan = json!({
        "format_version": "1.2", "terraform_version": "1.9.0",
        "resource_changes": [{
            "address": "vault_item.a", "mode": "managed", "type": "vault_item", "name": "a", "provider_name": PROVIDER,
            "change": change,
        }],
    });
    let fields = plan.as_object_mut().unwrap();
    for (key, value) in more.as_object().unwrap() {
        fields.insert(key.clone(), value.clone());
    }
    plan
}

/// An update from `before` to `after` with these masks.
fn update(before: &Json, after: &Json, masks: [&Json; 2]) -> Json {
    json!({
        "actions": ["update"], "before": before, "after": after, "after_unknown": {}, "before_sensitive": masks[0],
        "after_sensitive": masks[1],
    })
}

fn attr(name: &str) -> Json {
    json!({"type": "get_attr", "value": name})
}

fn index(key: &Json) -> Json {
    json!({"type": "index", "value": {"value": key, "type": "dynamic"}})
}

/// `{"id": "1", "name": "n"}` with additional fields.
fn with(more: &Json) -> Json {
    let mut all = Map::from_iter([
        ("id".to_owned(), json!("1")),
        ("name".to_owned(), json!("n")),
    ]);
    all.extend(more.as_object().unwrap().clone());
    all.into()
}

fn pw(value: &str) -> Json {
    with(&json!({"pw": value}))
}

const STATE: &str = "terraform.tfstate";
const PLAN: &str = "plan.json";

pub(super) fn states() -> Vec<Place> {
    let other = || state(&pw("another"), &json!([]));
    let masked = |name, attributes: &Json, paths: &Json| {
        Place::new(name, STATE, &state(attributes, paths)).with_other(&other())
    };
    let by_schema = |name, more: &Json, schemas| {
        Place::new(name, STATE, &state(&with(more), &json!([])))
            .with_other(&state(
                &with(&json!({"hidden": "h", "once": "o"})),
                &json!([]),
            ))
            .with_schemas(schemas)
    };
    let output = |name, output: Json| {
        let mut state = other();
        state["outputs"] = json!({"pw": output});
        Place::new(name, STATE, &state).with_other(&other())
    };
    let backend = |name, settings: Json| {
        let state = json!({"version": 3, "serial": 1, "lineage": "a", "backend": {"type": "any", "config": settings, "hash": 1},
            "modules": [{"path": ["root"], "outputs": {}, "resources": {}}]});
        Place::new(name, STATE, &state)
    };
    let hidden = json!([[attr("pw")]]);
    vec![
        masked("state: attribute", &pw(CANARY), &hidden),
        masked(
            "state: attribute repeated in a text",
            &with(&json!({"pw": CANARY, "url": format!("https://u:{CANARY}@h/")})),
            &hidden,
        ),
        masked(
            "state: attribute repeated in JSON",
            &with(&json!({"pw": CANARY, "more": json!({"list": [CANARY]}).to_string()})),
            &hidden,
        ),
        masked(
            "state: key of a masked object repeated in JSON",
            &with(&json!({"box": {"pw": CANARY}, "more": json!({"pw": CANARY}).to_string()})),
            &json!([[attr("box")]]),
        ),
        masked(
            "state: key of a masked object repeated in YAML",
            &with(&json!({"box": {"pw": CANARY}, "more": format!("a: 1\npw: {CANARY}\n")})),
            &json!([[attr("box")]]),
        ),
        masked(
            "state: key in masked JSON repeated",
            &with(&json!({"box": json!({"key": CANARY}).to_string(), "key": CANARY})),
            &json!([[attr("box")]]),
        ),
        masked(
            "state: below an attribute",
            &with(&json!({"box": {"pw": CANARY, "name": "x"}})),
            &json!([[attr("box"), index(&json!("pw"))]]),
        ),
        masked(
            "state: key below a mask",
            &with(&json!({"box": {CANARY: 1}})),
            &json!([[attr("box")]]),
        ),
        masked(
            "state: element",
            &with(&json!({"list": ["a", CANARY]})),
            &json!([[attr("list"), index(&json!(1))]]),
        ),
        masked("state: id", &json!({"id": CANARY}), &json!([[attr("id")]])),
        masked(
            "state: dynamic value",
            &with(&json!({"box": {"value": {"pw": CANARY}, "type": ["object", {"pw": "string"}]}})),
            &json!([[attr("box"), attr("pw")]]),
        ),
        masked(
            "state: key in the type of a dynamic value",
            &with(&json!({"box": {"value": {"pw": {CANARY: "x"}}, "type": ["object", {"pw": ["object", {CANARY: "string"}]}]}})),
            &json!([[attr("box"), attr("pw")]]),
        ),
        masked(
            "state: type of a masked dynamic value",
            &with(&json!({"box": {"value": {CANARY: "x"}, "type": ["object", {CANARY: "string"}]}})),
            &json!([[attr("box")]]),
        ),
        masked(
            "state: path of a type below a mask",
            &with(&json!({"box": {CANARY: {"value": "x", "type": "string"}}})),
            &json!([[attr("box")]]),
        ),
        Place::new(
            "state: identity by its key",
            STATE,
            &state_of(
                "managed",
                &pw("7"),
                &json!({"sensitive_attributes": hidden, "identity": {"pw": CANARY}, "identity_schema_version": 0}),
            ),
        ),
        Place::new(
            "state: identity by its value",
            STATE,
            &state_of(
                "managed",
                &pw(CANARY),
                &json!({"sensitive_attributes": hidden, "identity": {"path": format!("items/{CANARY}/x")}}),
            ),
        ),
        Place::new(
            "state: private data of the provider",
            STATE,
            &state_of("managed", &pw("x"), &json!({"private": CANARY})),
        ),
        Place::new(
            "state: deposed object",
            STATE,
            &state_of("managed", &pw(CANARY), &json!({"sensitive_attributes": hidden, "deposed": "01234567"})),
        ),
        by_schema("state: schema beside", &json!({"hidden": CANARY}), Schemas::Beside),
        by_schema("state: schema named", &json!({"hidden": CANARY}), Schemas::Named),
        by_schema("state: write-only", &json!({"once": CANARY}), Schemas::Beside),
        by_schema("state: sensitive of an unknown type", &json!({"odd": CANARY}), Schemas::Beside),
        by_schema("state: nested attribute of a schema", &json!({"nested": {"k": {"hidden": CANARY}}}), Schemas::Beside),
        by_schema("state: list block of a schema", &json!({"login": [{"hidden": CANARY}]}), Schemas::Beside),
        by_schema("state: set block of a schema", &json!({"rule": [{"hidden": "a"}, {"hidden": CANARY}]}), Schemas::Named),
        by_schema("state: object where a schema wants text", &json!({"hidden": {CANARY: [CANARY]}}), Schemas::Named),
        Place::new(
            "state: data source by its schema",
            STATE,
            &state_of("data", &with(&json!({"hidden": CANARY})), &json!({})),
        )
        .with_schemas(Schemas::Beside),
        Place::new(
            "state: provider of another registry",
            STATE,
            &json!({"version": 4, "terraform_version": "1.9.0", "serial": 1, "lineage": "a", "outputs": {}, "resources": [{
                "mode": "managed", "type": "vault_item", "name": "a", "provider": "provider[\"registry.opentofu.org/acme/vault\"].alias",
                "instances": [{"attributes": with(&json!({"hidden": CANARY}))}],
            }]}),
        )
        .with_schemas(Schemas::Beside),
        Place::new(
            "state: the other file has the mask",
            STATE,
            &state(&pw("another"), &hidden),
        )
        .with_other(&state(&pw(CANARY), &json!([])))
        .of_both(),
        Place::new(
            "state: the other file has the schema",
            STATE,
            &state(&with(&json!({"hidden": "another"})), &json!([])),
        )
        .with_other(&state(&with(&json!({"hidden": CANARY})), &json!([])))
        .with_schemas(Schemas::Beside)
        .of_both(),
        output("state: output", json!({"value": CANARY, "type": "string", "sensitive": true})),
        output("state: output, odd mark", json!({"value": CANARY, "type": "string", "sensitive": "yes"})),
        output(
            "state: object output",
            json!({"value": {CANARY: [CANARY]}, "type": ["object", {"a": ["list", "string"]}], "sensitive": true}),
        ),
        Place::new("state: failed check", STATE, &{
            let mut state = state(&pw(CANARY), &hidden);
            state["check_results"] = json!([{"object_kind": "resource", "config_addr": "vault_item.b", "status": "fail",
                "objects": [{"object_addr": "vault_item.b", "status": "fail", "failure_messages": [format!("bad {CANARY}")]}]}]);
            state
        }),
        Place::new("state: failed check beside an output", STATE, &{
            let mut state = state(&pw("x"), &hidden);
            state["outputs"] = json!({"pw": {"value": CANARY, "type": "string", "sensitive": true}});
            state["check_results"] = json!([{"object_kind": "check", "config_addr": "check.c", "status": "fail",
                "objects": [{"object_addr": "check.c", "status": "fail", "failure_messages": [format!("bad {CANARY}")]}]}]);
            state
        }),
        Place::new("state: failed check, by the schema", STATE, &{
            let mut state = state(&with(&json!({"hidden": CANARY})), &json!([]));
            state["check_results"] = json!([{"object_kind": "check", "config_addr": "check.c", "status": "fail",
                "objects": [{"object_addr": "check.c", "status": "fail", "failure_messages": [format!("bad {CANARY}")]}]}]);
            state
        })
        .with_schemas(Schemas::Beside),
        Place::new("shown state", "show.json", &shown(&pw(CANARY), &json!({"pw": true})))
            .with_other(&shown(&pw("another"), &json!({}))),
        Place::new("shown state: schema", "show.json", &shown(&with(&json!({"hidden": CANARY})), &json!({})))
            .with_schemas(Schemas::Beside),
        Place::new(
            "shown state: output",
            "show.json",
            &json!({"format_version": "1.0", "terraform_version": "1.9.0", "values": {"outputs": {
                "pw": {"value": CANARY, "type": "string", "sensitive": true}}, "root_module": {}}}),
        ),
        Place::new(
            "state of old: flat attributes",
            STATE,
            &{
                let mut state = state(&json!(null), &json!([[attr("box"), index(&json!("pw"))]]));
                state["resources"][0]["instances"][0]["attributes_flat"] = json!({"id": "1", "box.%": "1", "box.pw": CANARY});
                state
            },
        ),
        Place::new(
            "state of old: flat attributes by their nearest name",
            STATE,
            &{
                let mut state = state(&json!(null), &json!([[attr("box"), {"type": "splat"}]]));
                state["resources"][0]["instances"][0]["attributes_flat"] = json!({"id": "1", "box.%": "1", "box.pw": CANARY});
                state
            },
        ),
        backend("backend: key pair", json!({"access_key": CANARY, "secret_key": "x"})),
        backend("backend: token", json!({"token": CANARY, "hostname": "h"})),
        backend("backend: connection string", json!({"conn_str": format!("postgres://me:{CANARY}@host/db")})),
        backend("backend: password in an address", json!({"address": format!("https://me:{CANARY}@host/state")})),
        backend("backend: headers", json!({"headers": {"Authorization": CANARY}})),
        backend("backend: nested", json!({"assume_role": {"session_token": CANARY}})),
        backend("backend: key of a client", json!({"client_private_key_pem": CANARY})),
        Place::new(
            "remote of old",
            STATE,
            &json!({"version": 3, "serial": 1, "lineage": "a", "remote": {"type": "s3", "config": {"secret_key": CANARY}},
                "modules": [{"path": ["root"], "outputs": {}, "resources": {}}]}),
        ),
        Place::new(
            "output of old",
            STATE,
            &json!({"version": 3, "serial": 1, "lineage": "a", "modules": [{"path": ["root"], "resources": {},
                "outputs": {"pw": {"sensitive": true, "type": "string", "value": CANARY}}}]}),
        ),
    ]
}

pub(super) fn plans() -> Vec<Place> {
    let later = || state(&pw("later"), &json!([]));
    let changed = |name, change: &Json| Place::new(name, PLAN, &plan(change)).with_other(&later());
    let with_more = |name, more: Json| Place::new(name, PLAN, &plan_with(&no_op(), &more));
    let none = json!({});
    let hidden = json!({"pw": true});
    let by_schema = |name, before: Json, after: Json| {
        let after = update(&with(&before), &with(&after), [&json!({}), &json!({})]);
        Place::new(name, PLAN, &plan(&after))
            .with_other(&state(&with(&json!({"hidden": "later"})), &json!([])))
            .with_schemas(Schemas::Beside)
    };
    let old_configuration = |variable: Json| {
        json!({"root_module": {
            "variables": {"pw": variable},
            "resources": [{"address": "vault_item.a", "mode": "managed", "type": "vault_item", "name": "a",
                "expressions": {"pw": {"references": ["var.pw"]}}}],
        }})
    };
    vec![
        changed("plan: both sides", &update(&pw(CANARY), &pw("new"), [&hidden, &hidden])),
        changed("plan: after", &update(&pw("old"), &pw(CANARY), [&none, &hidden])),
        changed("plan: before, masked after", &update(&pw(CANARY), &pw("new"), [&none, &hidden])),
        changed("plan: after, masked before", &update(&pw("old"), &pw(CANARY), [&hidden, &none])),
        changed(
            "plan: before, masked after where it is gone",
            &update(&pw(CANARY), &with(&none), [&none, &hidden]),
        ),
        changed("plan: before, masked after as a whole", &update(&pw(CANARY), &pw("new"), [&none, &json!(true)])),
        changed(
            "plan: created",
            &json!({"actions": ["create"], "before": null, "after": pw(CANARY), "after_unknown": {}, "before_sensitive": false,
                "after_sensitive": hidden}),
        ),
        changed(
            "plan: deleted, masked after",
            &json!({"actions": ["delete"], "before": pw(CANARY), "after": null, "after_unknown": {}, "before_sensitive": {},
                "after_sensitive": hidden}),
        ),
        changed(
            "plan: key below a mask",
            &update(&with(&json!({"box": {CANARY: 1}})), &with(&json!({"box": {}})), [&json!({"box": true}), &json!({"box": true})]),
        ),
        changed(
            "plan: path that forces replacement",
            &{
                let mask = json!({"box": true});
                let mut change = update(&with(&json!({"box": {CANARY: 1}})), &with(&json!({"box": {}})), [&mask, &mask]);
                change["actions"] = json!(["delete", "create"]);
                change["replace_paths"] = json!([["box", CANARY]]);
                change
            },
        ),
        changed(
            "plan: elements that moved",
            &update(
                &with(&json!({"list": ["a", CANARY, "b"]})),
                &with(&json!({"list": [CANARY, "b", "c"]})),
                [&json!({"list": [false, true, false]}), &json!({"list": [true, false, false]})],
            ),
        ),
        changed(
            "plan: elements of different number",
            &update(
                &with(&json!({"list": [CANARY]})),
                &with(&json!({"list": ["x", CANARY]})),
                [&json!({"list": [true]}), &json!({"list": [false, true]})],
            ),
        ),
        changed(
            "plan: JSON text",
            &update(
                &pw("{}"),
                &pw(&json!({"inner": {"pw": CANARY}}).to_string()),
                [&hidden, &hidden],
            ),
        ),
        by_schema("plan: schema after", json!({"hidden": "old"}), json!({"hidden": CANARY})),
        by_schema("plan: schema before", json!({"hidden": CANARY}), json!({"hidden": "new"})),
        by_schema("plan: schema, block", json!({"login": [{"hidden": CANARY}]}), json!({"login": []})),
        by_schema("plan: write-only", json!({"once": null}), json!({"once": CANARY})),
        Place::new(
            "plan: schema named",
            PLAN,
            &plan(&update(&with(&json!({"hidden": "old"})), &with(&json!({"hidden": CANARY})), [&none, &none])),
        )
        .with_other(&state(&with(&json!({"hidden": "later"})), &json!([])))
        .with_schemas(Schemas::Named),
        Place::new(
            "plan: the later state has it, by the schema of the plan",
            PLAN,
            &plan(&update(&with(&json!({"hidden": "old"})), &with(&json!({"hidden": "new"})), [&none, &none])),
        )
        .with_other(&state(&with(&json!({"hidden": CANARY})), &json!([])))
        .with_schemas(Schemas::Beside)
        .of_both(),
        Place::new(
            "plan: the later state has it, by the mask of the plan",
            PLAN,
            &plan(&update(&pw("old"), &pw("new"), [&hidden, &hidden])),
        )
        .with_other(&state(&pw(CANARY), &json!([])))
        .of_both(),
        changed(
            "plan: import",
            &{
                let mut change = update(&json!({"id": CANARY}), &json!({"id": CANARY}), [&json!({"id": true}), &json!({"id": true})]);
                change["actions"] = json!(["no-op"]);
                change["importing"] = json!({"id": CANARY});
                change
            },
        ),
        changed(
            "plan: import by identity",
            &{
                let mut change = update(&pw(CANARY), &pw(CANARY), [&hidden, &hidden]);
                change["importing"] = json!({"identity": {"pw": CANARY, "region": "r"}});
                change
            },
        ),
        changed(
            "plan: identities",
            &{
                let mut change = update(&pw(CANARY), &pw(CANARY), [&hidden, &hidden]);
                change["before_identity"] = json!({"pw": CANARY});
                change["after_identity"] = json!({"pw": CANARY, "path": [format!("a/{CANARY}")]});
                change
            },
        ),
        changed(
            "plan: generated configuration",
            &{
                let mut change = update(&pw(CANARY), &pw(CANARY), [&hidden, &hidden]);
                change["importing"] = json!({"id": "1"});
                change["generated_config"] =
                    json!(format!("resource \"vault_item\" \"a\" {{\n  name = \"n\"\n  pw   = \"{CANARY}\"\n  # {CANARY}\n}}\n"));
                change
            },
        ),
        changed(
            "plan: generated configuration that is broken",
            &{
                let mut change = update(&pw("x"), &pw("x"), [&hidden, &hidden]);
                change["generated_config"] = json!(format!("resource \"vault_item\" \"a\" {{\n  pw = \"{CANARY}"));
                change
            },
        ),
        Place::new(
            "plan: generated configuration by its schema",
            PLAN,
            &plan(&{
                let mut change = update(&with(&none), &with(&none), [&none, &none]);
                change["generated_config"] =
                    json!(format!("resource \"vault_item\" \"a\" {{\n  login {{\n    hidden = \"{CANARY}\"\n  }}\n  once = \"{CANARY}\"\n}}\n"));
                change
            }),
        )
        .with_schemas(Schemas::Beside),
        with_more("plan: variable", {
            let configuration = json!({"root_module": {"variables": {"pw": {"sensitive": true}}}});
            json!({"variables": {"pw": {"value": CANARY}}, "configuration": configuration})
        }),
        with_more("plan: variable, odd mark", {
            let configuration = json!({"root_module": {"variables": {"pw": {"sensitive": "true"}}}});
            json!({"variables": {"pw": {"value": {"deep": [CANARY]}}}, "configuration": configuration})
        }),
        with_more("plan: variable that nothing declares", json!({"variables": {"pw": {"value": CANARY}}})),
        with_more(
            "plan: default of a variable",
            json!({"configuration": old_configuration(json!({"default": CANARY, "sensitive": true}))}),
        ),
        Place::new(
            "plan of old: argument from a sensitive variable",
            PLAN,
            &plan_with(
                &json!({"actions": ["update"], "before": pw("old"), "after": pw(CANARY), "after_unknown": {}}),
                &json!({"format_version": "0.1", "configuration": old_configuration(json!({"sensitive": true}))}),
            ),
        )
        .with_other(&later()),
        Place::new(
            "plan of old: id from a sensitive variable",
            PLAN,
            &plan_with(
                &json!({"actions": ["update"], "before": {"id": CANARY, "name": "m"}, "after": {"id": CANARY, "name": "n"}, "after_unknown": {}}),
                &json!({"format_version": "0.1", "configuration": {"root_module": {
                    "variables": {"pw": {"sensitive": true}},
                    "resources": [{"address": "vault_item.a", "mode": "managed", "type": "vault_item", "name": "a",
                        "expressions": {"id": {"references": ["var.pw"]}}}]}}}),
            ),
        ),
        old_by_schema("plan of old: output of what a schema hides", "vault_item.a.hidden", false),
        old_by_schema("plan of old: unchanged output of what a schema hides", "vault_item.a.hidden", true),
        old_by_schema("plan of old: output of a resource with a hidden part", "vault_item.a", false),
        old_by_schema("plan of old: output of a hidden part of blocks", "vault_item.a.login[0].hidden", false),
        old_by_schema("plan of old: output of a module", "module.m.out", false),
        Place::new(
            "plan of old: argument from what a schema hides",
            PLAN,
            &plan_with(
                &json!({"actions": ["update"], "before": pw("old"), "after": pw(CANARY), "after_unknown": {}}),
                &json!({"format_version": "0.1", "configuration": {"root_module": {"resources": [
                    {"address": "vault_item.a", "mode": "managed", "type": "vault_item", "name": "a",
                        "expressions": {"pw": {"references": ["data.vault_item.b.hidden", "data.vault_item.b"]}}}]}}}),
            ),
        )
        .with_schemas(Schemas::Beside),
        changed(
            "plan: a map with a secret becomes a text",
            &update(
                &with(&json!({"box": {"pw": "x", "name": "me"}})),
                &with(&json!({"box": format!("me:{CANARY}")})),
                [&json!({"box": {"pw": true}}), &none],
            ),
        ),
        changed(
            "plan: an element moved",
            &update(
                &with(&json!({"list": ["a", CANARY]})),
                &with(&json!({"list": [CANARY, "b", "a"]})),
                [&json!({"list": [false, true]}), &none],
            ),
        ),
        by_schema(
            "plan: a block moved",
            json!({"login": [{"name": "a", "hidden": "x"}, {"name": "b", "hidden": CANARY}]}),
            json!({"login": [{"name": "b", "hidden": CANARY}, {"name": "c"}, {"name": "a", "hidden": CANARY}]}),
        ),
        with_more(
            "plan: output",
            json!({"output_changes": {"pw": {"actions": ["update"], "before": "x", "after": CANARY, "after_unknown": false,
                "before_sensitive": true, "after_sensitive": true}}}),
        ),
        with_more(
            "plan: output before, masked after",
            json!({"output_changes": {"pw": {"actions": ["update"], "before": CANARY, "after": "x", "after_unknown": false,
                "before_sensitive": false, "after_sensitive": true}}}),
        ),
        with_more(
            "plan: output after, masked before in part",
            json!({"output_changes": {"box": {"actions": ["update"], "before": {"pw": "x"}, "after": {"pw": CANARY}, "after_unknown": false,
                "before_sensitive": {"pw": true}, "after_sensitive": false}}}),
        ),
        with_more(
            "plan: output that goes",
            json!({"output_changes": {"pw": {"actions": ["delete"], "before": CANARY, "after": null, "after_unknown": false,
                "before_sensitive": false, "after_sensitive": true}}}),
        ),
        with_more(
            "plan: output, masked by what is planned",
            json!({"output_changes": {"pw": {"actions": ["create"], "before": null, "after": CANARY, "after_unknown": false}},
                "planned_values": {"outputs": {"pw": {"sensitive": true, "value": CANARY}}, "root_module": {}}}),
        ),
        with_more("plan: drift", json!({"resource_drift": [{
            "address": "vault_item.a", "mode": "managed", "type": "vault_item", "name": "a", "provider_name": PROVIDER,
            "change": update(&pw(CANARY), &pw("x"), [&none, &hidden])}]})),
        Place::new("plan: failed check", PLAN, &plan_with(
            &update(&pw(CANARY), &pw(CANARY), [&hidden, &hidden]),
            &json!({"checks": [failed_check()]}),
        )),
        Place::new("plan of old: failed check", PLAN, &plan_with(
            &json!({"actions": ["update"], "before": pw("old"), "after": pw(CANARY), "after_unknown": {}}),
            &json!({"format_version": "0.1", "checks": [failed_check()], "configuration": old_configuration(json!({"sensitive": true}))}),
        )),
        Place::new("plan: relevant attribute below a mask", PLAN, &plan_with(
            &update(&with(&json!({"box": {CANARY: 1}})), &with(&json!({"box": {}})), [&json!({"box": true}), &json!({"box": true})]),
            &json!({"relevant_attributes": [{"resource": "vault_item.a", "attribute": ["box", CANARY]},
                {"resource": "vault_item.a", "attribute": ["box", CANARY, 0, "x"]}]}),
        )),
        changed_and_drifted("plan: drift, masked in the change", &update(&pw("a"), &pw("b"), [&hidden, &hidden]), &update(&pw(CANARY), &pw("x"), [&none, &none])),
        changed_and_drifted("plan: change, masked in the drift", &update(&pw(CANARY), &pw("b"), [&none, &none]), &update(&pw("a"), &pw("x"), [&none, &hidden])),
        changed_and_drifted(
            "plan: key below a mask of the drift",
            &update(&with(&json!({"box": {CANARY: 1}})), &with(&json!({"box": {}})), [&none, &none]),
            &update(&with(&json!({"box": {"x": 1}})), &with(&json!({"box": {}})), [&json!({"box": true}), &none]),
        ),
        with_more("plan: deposed object beside a masked one", json!({"resource_changes": [
            {"address": "vault_item.a", "mode": "managed", "type": "vault_item", "name": "a", "provider_name": PROVIDER,
                "change": update(&pw("a"), &pw("b"), [&hidden, &hidden])},
            {"address": "vault_item.a", "mode": "managed", "type": "vault_item", "name": "a", "provider_name": PROVIDER, "deposed": "01234567",
                "change": {"actions": ["delete"], "before": pw(CANARY), "after": null, "after_unknown": {}}}]})),
        with_more("plan: deferred", json!({"deferred_changes": [{"reason": "provider_config_unknown", "resource_change": {
            "address": "vault_item.b", "mode": "managed", "type": "vault_item", "name": "b", "provider_name": PROVIDER,
            "change": update(&pw(CANARY), &pw("x"), [&none, &hidden])}}]})),
        with_more("plan: action", json!({"action_invocations": [{
            "address": "action.vault_act.go", "type": "vault_act", "name": "go", "provider_name": PROVIDER,
            "config_values": {"pw": CANARY}, "config_sensitive": {"pw": true}, "config_unknown": {},
            "lifecycle_action_trigger": {"triggering_resource_address": "vault_item.a", "action_trigger_event": "AfterUpdate",
                "action_trigger_block_index": 0, "actions_list_index": 0}}]})),
        with_more("plan: action by its schema", json!({"action_invocations": [{
            "address": "action.vault_act.go", "type": "vault_act", "name": "go", "provider_name": PROVIDER,
            "config_values": {"hidden": CANARY}, "config_sensitive": {}, "config_unknown": {},
            "invoke_action_trigger": {}}]}))
        .with_schemas(Schemas::Beside),
    ]
}

/// A plan of Terraform 0.12, which has no masks. The canary is in an output that reads `reference`.
fn old_by_schema(name: &'static str, reference: &str, is_kept: bool) -> Place {
    let outputs = json!({"pw": {"sensitive": false, "value": CANARY}});
    let mut more = json!({"format_version": "0.1", "planned_values": {"outputs": outputs, "root_module": {}},
    "configuration": {"root_module": {
        "outputs": {"pw": {"expression": {"references": [reference]}}},
        "module_calls": {"m": {"source": "./m", "module": {
            "outputs": {"out": {"expression": {"references": ["vault_item.b.hidden", "vault_item.b"]}}}}}},
    }}});
    if !is_kept {
        more["output_changes"] = json!({"pw": {"actions": ["create"], "before": null, "after": CANARY, "after_unknown": false}});
    }
    let values = with(&json!({"hidden": CANARY}));
    let change =
        json!({"actions": ["create"], "before": null, "after": values, "after_unknown": {}});
    Place::new(name, PLAN, &plan_with(&change, &more)).with_schemas(Schemas::Beside)
}

/// A failed check with a message that repeats the canary.
fn failed_check() -> Json {
    json!({"address": {"kind": "check", "name": "c", "to_display": "check.c"}, "status": "fail", "instances": [
        {"address": {"to_display": "check.c"}, "status": "fail", "problems": [{"message": format!("bad {CANARY}")}]}]})
}

/// A plan with a change of a resource, and another one outside of the program.
fn changed_and_drifted(name: &'static str, change: &Json, drift: &Json) -> Place {
    let drift = json!({"resource_drift": [{"address": "vault_item.a", "mode": "managed", "type": "vault_item", "name": "a",
        "provider_name": PROVIDER, "change": drift}]});
    Place::new(name, PLAN, &plan_with(change, &drift))
}

fn no_op() -> Json {
    let both = pw("same");
    json!({"actions": ["no-op"], "before": both, "after": both, "after_unknown": {}, "before_sensitive": {}, "after_sensitive": {}})
}

/// Masks that no program writes, in states and in plans.
pub(super) fn odd_masks() -> Vec<Place> {
    let path = |name, attributes: Json, paths: Json| {
        Place::new(name, STATE, &state(&with(&attributes), &paths))
            .with_other(&state(&with(&json!({})), &json!([])))
    };
    let text = || json!({"pw": CANARY});
    let list = || json!({"list": ["a", CANARY]});
    let mut places = vec![
        path(
            "path: step of a kind that is not known",
            text(),
            json!([[attr("pw"), {"type": "splat"}]]),
        ),
        path(
            "path: first step of a kind that is not known",
            text(),
            json!([[{"type": "marks", "value": "pw"}]]),
        ),
        path(
            "path: negative index",
            list(),
            json!([[attr("list"), index(&json!(-1))]]),
        ),
        path(
            "path: index past the end",
            list(),
            json!([[attr("list"), index(&json!(7))]]),
        ),
        path(
            "path: fraction",
            list(),
            json!([[attr("list"), index(&json!(1.5))]]),
        ),
        path(
            "path: object as an index",
            list(),
            json!([[attr("list"), index(&json!({"a": 1}))]]),
        ),
        path(
            "path: null as an index",
            list(),
            json!([[attr("list"), index(&json!(null))]]),
        ),
        path(
            "path: text as an index",
            list(),
            json!([[attr("list"), index(&json!("1"))]]),
        ),
        path(
            "path: number as a key",
            json!({"box": {"pw": CANARY}}),
            json!([[attr("box"), index(&json!(0))]]),
        ),
        path(
            "path: step that is null",
            text(),
            json!([[attr("pw"), null]]),
        ),
        path("path: null", text(), json!([null])),
        path("path: text", text(), json!(["pw"])),
        path("path: object", text(), json!([{"pw": true}])),
        path("path: empty", text(), json!([[]])),
        path(
            "path: below a text",
            text(),
            json!([[attr("pw"), attr("deeper")]]),
        ),
        path("paths: true", text(), json!(true)),
        path("paths: text", text(), json!("pw")),
        path("paths: object", text(), json!({"pw": true})),
    ];
    let masks: [(&'static str, &'static str, &'static str, Json, Json); 13] = [
        (
            "mask: number",
            "shown mask: number",
            "other mask: number",
            text(),
            json!({"pw": 1}),
        ),
        (
            "mask: text",
            "shown mask: text",
            "other mask: text",
            text(),
            json!({"pw": "true"}),
        ),
        (
            "mask: null",
            "shown mask: null",
            "other mask: null",
            text(),
            json!({"pw": null}),
        ),
        (
            "mask: object over a text",
            "shown mask: object over a text",
            "",
            text(),
            json!({"pw": {"a": false}}),
        ),
        (
            "mask: array over a text",
            "shown mask: array over a text",
            "",
            text(),
            json!({"pw": []}),
        ),
        (
            "mask: object over an array",
            "shown mask: object over an array",
            "",
            list(),
            json!({"list": {"1": true}}),
        ),
        (
            "mask: array over an object",
            "shown mask: array over an object",
            "",
            json!({"box": {"pw": CANARY}}),
            json!({"box": [true]}),
        ),
        (
            "mask: too short",
            "shown mask: too short",
            "",
            list(),
            json!({"list": [false]}),
        ),
        (
            "mask: empty for an array",
            "shown mask: empty for an array",
            "",
            list(),
            json!({"list": []}),
        ),
        (
            "mask: too long",
            "shown mask: too long",
            "",
            list(),
            json!({"list": [false, false, true]}),
        ),
        (
            "mask: text as a whole",
            "shown mask: text as a whole",
            "other mask: text as a whole",
            text(),
            json!("yes"),
        ),
        (
            "mask: array as a whole",
            "shown mask: array as a whole",
            "",
            text(),
            json!([true]),
        ),
        (
            "mask: number as a whole",
            "shown mask: number as a whole",
            "other mask: number as a whole",
            text(),
            json!(0),
        ),
    ];
    for (of_plan, of_state, of_other, content, mask) in masks {
        let (content, none) = (with(&content), json!({}));
        let change = update(&with(&none), &content, [&none, &mask]);
        places.push(Place::new(of_plan, PLAN, &plan(&change)));
        places.push(Place::new(of_state, "show.json", &shown(&content, &mask)));
        if !of_other.is_empty() && mask.is_object() && !mask["pw"].is_null()
            || mask.is_string()
            || mask.is_number()
        {
            let change = update(&content, &with(&none), [&none, &mask]);
            places.push(Place::new(of_other, PLAN, &plan(&change)));
        }
    }
    places
}

/// Files that are not JSON documents.
pub(super) fn others() -> Vec<Place> {
    let sources = |name, text: &str| {
        let files = [("tfconfig/m-/main.tf", text)];
        Place {
            bytes: configured_plan("vault_item.a", &files),
            ..Place::new(name, "plan.tfplan", &json!({}))
        }
    };
    let output = json!({"@level": "info", "@message": "Outputs: 1", "@module": "terraform.ui", "type": "outputs",
        "outputs": {"pw": {"sensitive": true, "type": "string", "value": CANARY}}});
    let resource = json!({"addr": "vault_item.a", "module": "", "resource": "vault_item.a", "implied_provider": "vault",
        "resource_type": "vault_item", "resource_name": "a", "resource_key": null});
    let hook = |ty: &str, more: Json| {
        let mut hook = json!({"resource": resource, "action": "create"});
        for (key, value) in more.as_object().unwrap() {
            hook[key] = value.clone();
        }
        json!({"@level": "error", "@message": format!("vault_item.a: {CANARY}"), "@module": "terraform.ui", "type": ty, "hook": hook})
    };
    let lines = |name, events: &[&Json]| {
        let version = json!({"@level": "info", "@message": "Terraform 1.9.0", "@module": "terraform.ui", "type": "version",
            "terraform": "1.9.0", "ui": "1.2"});
        let lines: Vec<String> = [&version]
            .into_iter()
            .chain(events.iter().copied())
            .map(Json::to_string)
            .collect();
        Place {
            bytes: format!("{}\n", lines.join("\n")).into_bytes(),
            ..Place::new(name, "run.jsonl", &json!({}))
        }
    };
    let diagnostic = |address: &str| {
        json!({"@level": "error", "@message": "Error", "@module": "terraform.ui", "type": "diagnostic", "diagnostic": {
            "severity": "error", "summary": "bad", "detail": format!("no login with {CANARY}"), "address": address}})
    };
    let start = hook("apply_start", json!({}));
    let log = |name, event: Json| {
        let version = json!({"@level": "info", "@message": "Terraform 1.9.0", "@module": "terraform.ui", "type": "version",
            "terraform": "1.9.0", "ui": "1.2"});
        Place {
            bytes: format!("{version}\n{event}\n").into_bytes(),
            ..Place::new(name, "run.jsonl", &json!({}))
        }
    };
    vec![
        sources(
            "plan file: default of a sensitive variable",
            &format!(
                "variable \"pw\" {{\n  sensitive = true\n  default   = \"{CANARY}\"\n}}\n\nlocals {{\n  again = \"see {CANARY}\"\n}}\n# {CANARY}\n\
                 resource \"vault_item\" \"a\" {{\n  name = \"{CANARY}\"\n}}\n"
            ),
        ),
        sources(
            "plan file: argument of a module",
            &format!(
                "module \"m\" {{\n  source   = \"./m\"\n  password = \"{CANARY}\"\n}}\nresource \"vault_item\" \"a\" {{\n  secret = \"{CANARY}\"\n}}\n"
            ),
        ),
        sources(
            "plan file: settings of a provider and a backend",
            &format!(
                "terraform {{\n  backend \"s3\" {{\n    secret_key = \"{CANARY}\"\n  }}\n}}\nprovider \"vault\" {{\n  token = \"{CANARY}\"\n}}\n\
                 resource \"vault_item\" \"a\" {{}}\n"
            ),
        ),
        sources(
            "plan file: provider by its schema",
            &format!("provider \"vault\" {{\n  credential = \"{CANARY}\"\n}}\nresource \"vault_item\" \"a\" {{}}\n"),
        )
        .with_schemas(Schemas::Beside),
        sources(
            "plan file: resource by its schema",
            &format!("resource \"vault_item\" \"a\" {{\n  login {{\n    hidden = \"{CANARY}\"\n  }}\n}}\n"),
        )
        .with_schemas(Schemas::Named),
        lines("log: diagnostics before an output", &[&start, &diagnostic("vault_item.a"), &diagnostic(""), &output]),
        lines("log: diagnostics after an output", &[&output, &start, &diagnostic("vault_item.a"), &diagnostic("")]),
        lines("log: an operation that failed", &[&start, &hook("apply_errored", json!({})), &output]),
        lines("log: id", &[&start, &hook("apply_complete", json!({"id_key": "id", "id_value": CANARY})), &output]),
        lines(
            "log: id that is imported",
            &[&json!({"@level": "info", "@message": "p", "@module": "terraform.ui", "type": "planned_change",
                "change": {"resource": resource, "action": "import", "importing": {"id": CANARY}}}), &output],
        ),
        log(
            "log: outputs",
            json!({"@level": "info", "@message": "Outputs: 1", "@module": "terraform.ui", "type": "outputs",
                "outputs": {"pw": {"sensitive": true, "type": "string", "value": CANARY}}}),
        ),
    ]
}

/// Places of a text that no mask covers, and whose form says that it is secret.
pub(super) fn likely() -> Vec<Place> {
    let url = &format!("postgres://app:{CANARY}@db.example.com/orders");
    let none = json!([]);
    let of = |name, attributes: &Json| {
        Place::new(name, STATE, &state(attributes, &none)).with_other(&state(&pw("x"), &none))
    };
    let script = format!("#!/bin/sh\nexport DATABASE_URL={url}\nrun --all\n");
    let document = json!({"env": [{"name": "A", "value": url}]}).to_string();
    let escaped = document.replace('/', "\\/");
    let empty = json!({});
    let change = |before: &Json, after: &Json| plan(&update(before, after, [&empty, &empty]));
    let diagnostic = json!({"@level": "error", "@message": "Error", "@module": "terraform.ui", "type": "diagnostic", "diagnostic": {
        "severity": "error", "summary": "bad", "detail": format!("no login at {url}"), "address": "vault_item.a"}});
    let version = json!({"@level": "info", "@message": "Terraform 1.9.0", "@module": "terraform.ui", "type": "version",
        "terraform": "1.9.0", "ui": "1.2"});
    vec![
        of("likely: attribute", &pw(url)),
        of("likely: line of a script", &pw(&script)),
        of("likely: list", &with(&json!({"pw": ["a", {"b": url}]}))),
        of("likely: JSON text", &pw(&document)),
        of("likely: escaped JSON text", &pw(&escaped)),
        Place::new("likely: output", STATE, &{
            let mut state = state(&pw("x"), &none);
            state["outputs"] = json!({"pw": {"value": url, "type": "string"}});
            state
        }),
        Place::new("likely: failed check", STATE, &{
            let mut state = state(&pw("x"), &none);
            state["check_results"] = json!([{"object_kind": "check", "config_addr": "check.c", "status": "fail",
                "objects": [{"object_addr": "check.c", "status": "fail", "failure_messages": [format!("bad {url}")]}]}]);
            state
        }),
        Place::new("likely: before", PLAN, &change(&pw(url), &pw("x"))),
        Place::new("likely: after", PLAN, &change(&pw("x"), &pw(url))),
        Place::new(
            "likely: both sides",
            PLAN,
            &change(&pw(url), &pw(&format!("{url}2"))),
        ),
        Place::new(
            "likely: output of a plan",
            PLAN,
            &plan_with(
                &update(&pw("x"), &pw("y"), [&empty, &empty]),
                &json!({"output_changes": {"pw": {"actions": ["update"], "before": url, "after": "x", "after_unknown": false,
                "before_sensitive": false, "after_sensitive": false}}}),
            ),
        ),
        Place::new(
            "likely: variable",
            PLAN,
            &plan_with(
                &update(&pw("x"), &pw("y"), [&empty, &empty]),
                &json!({"variables": {"pw": {"value": url}}, "configuration": {"root_module": {
                "variables": {"pw": {"default": url}},
                "resources": [{"address": "vault_item.a", "mode": "managed", "type": "vault_item", "name": "a",
                    "provider_config_key": "vault", "expressions": {"pw": {"constant_value": url}}}]}}}),
            ),
        ),
        Place {
            bytes: format!("{version}\n{diagnostic}\n").into_bytes(),
            ..Place::new("likely: diagnostic", "run.jsonl", &json!({}))
        },
        Place {
            bytes: configured_plan(
                "vault_item.a",
                &[(
                    "tfconfig/m-/main.tf",
                    &format!("resource \"vault_item\" \"a\" {{\n  name = \"{url}\"\n}}\n# {url}\n"),
                )],
            ),
            ..Place::new("likely: configuration", "plan.tfplan", &json!({}))
        },
    ]
}
