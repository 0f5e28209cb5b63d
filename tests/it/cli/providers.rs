//! Providers as the one cause of many changes.

use serde_json::{Value, json as value};

use super::mechanisms::{
    CREATE, NOTHING, REPLACE, Row, brief_with, has, lacks, preview, row, state,
};

/// Three buckets of one provider, with `region` as an argument of the provider.
fn configuration(providers: &Value) -> Value {
    let bucket = |name: &str| {
        value!({"address": format!("lab_bucket.{name}"), "mode": "managed", "type": "lab_bucket", "name": name,
                "provider_config_key": "lab", "expressions": {"label": {"constant_value": "x"}}})
    };
    value!({"configuration": {"provider_config": providers,
                              "root_module": {"variables": {"place": {}},
                                              "resources": [bucket("a"), bucket("b"), bucket("c")]}},
            "variables": {"place": {"value": "us-east-1"}}})
}

fn buckets(
    actions: &'static [&'static str],
    before: &dyn Fn(&str) -> Value,
    after: &dyn Fn(&str) -> Value,
) -> Vec<Row> {
    let names = ["lab_bucket.a", "lab_bucket.b", "lab_bucket.c"];
    let bucket = |name: &'static str| row(name, actions, before(name), after(name));
    names.into_iter().map(bucket).collect()
}

#[test]
fn a_region_that_the_provider_decides_names_the_provider_and_its_variable() {
    let at = |region: &'static str| move |name: &str| value!({"label": "x", "id": name, "region": region});
    let rows = || buckets(REPLACE, &at("eu-west-1"), &at("us-east-1"));
    let own = value!({"name": "lab", "expressions": {"region": {"references": ["var.place"]}}});
    let out = brief_with(rows(), configuration(&value!({"lab": own})));
    has(
        &out,
        "danger",
        &[
            "3 resources take region from var.place through provider.lab, now \"us-east-1\"  (one-cause-for-many)",
        ],
    );
    let fixed = value!({"name": "lab", "expressions": {"region": {"constant_value": "us-east-1"}}});
    let out = brief_with(rows(), configuration(&value!({"lab": fixed})));
    has(
        &out,
        "danger",
        &["3 resources take region from provider.lab  ("],
    );
    // Nobody knows which of two configurations it is if the file does not say it, and another property is not the provider's.
    let mut two = configuration(&value!({"lab": own, "lab.far": own}));
    has(
        &brief_with(rows(), two.clone()),
        "danger",
        &["through provider.lab, "],
    );
    for bucket in two["configuration"]["root_module"]["resources"]
        .as_array_mut()
        .unwrap()
    {
        bucket
            .as_object_mut()
            .unwrap()
            .remove("provider_config_key");
    }
    lacks(&brief_with(rows(), two), "one-cause-for-many");
    let other = value!({"name": "lab", "expressions": {"token": {"references": ["var.place"]}}});
    let other = configuration(&value!({"lab": other}));
    lacks(&brief_with(rows(), other), "one-cause-for-many");
}

/// Buckets of two configurations of one provider, in the root and in a module. `keys` are the keys of the buckets in the module.
fn of_two_configurations(keys: &str, changed: &[&'static str]) -> String {
    const ALL: [&str; 6] = [
        "lab_bucket.a",
        "lab_bucket.b",
        "lab_bucket.west",
        "module.far.lab_bucket.a",
        "module.far.lab_bucket.b",
        "module.far.lab_bucket.c",
    ];
    let at = |region: &str| value!({"label": "x", "id": "i", "region": region});
    let rows = ALL.map(|address| {
        if changed.contains(&address) {
            row(address, REPLACE, at("eu-west-1"), at("us-east-1"))
        } else {
            row(address, NOTHING, at("eu-west-1"), at("eu-west-1"))
        }
    });
    let bucket = |name: &str, key: &str| {
        value!({"address": format!("lab_bucket.{name}"), "mode": "managed", "type": "lab_bucket", "name": name,
                "provider_config_key": key, "expressions": {"label": {"constant_value": "x"}}})
    };
    let provider = |reference: &str| value!({"name": "lab", "expressions": {"region": {"references": [reference]}}});
    let own = value!({"name": "lab", "module_address": "module.far", "expressions": {"region": {"references": ["var.at"]}}});
    let more = value!({"configuration": {
        "provider_config": {"lab": provider("var.home"), "lab.west": provider("var.place"), "module.far:lab": own},
        "root_module": {
            "variables": {"place": {}, "home": {}},
            "resources": [bucket("a", "lab"), bucket("b", "lab"), bucket("west", "lab.west")],
            "module_calls": {"far": {
                "expressions": {"at": {"references": ["var.place"]}},
                "module": {"variables": {"at": {}}, "resources": [bucket("a", keys), bucket("b", keys), bucket("c", keys)]}}}}},
        "variables": {"place": {"value": "us-east-1"}, "home": {"value": "eu-west-1"}}});
    brief_with(rows.to_vec(), more)
}

#[test]
fn each_of_several_configurations_of_a_provider_is_the_cause_of_its_own_resources() {
    let far = [
        "module.far.lab_bucket.a",
        "module.far.lab_bucket.b",
        "module.far.lab_bucket.c",
    ];
    let west = [&["lab_bucket.west"], &far[..]].concat();
    // The module gets its provider from its caller.
    let out = of_two_configurations("lab.west", &west);
    let want = "4 resources take region from var.place through provider.lab.west, now \"us-east-1\"  (one-cause-for-many)";
    has(&out, "danger", &[want]);
    lacks(&out, "var.home");
    // The module configures its provider.
    let out = of_two_configurations("module.far:lab", &far);
    let want = "3 resources take region from var.place through provider.lab in module.far, now \"us-east-1\"";
    has(&out, "danger", &[want]);
    // Two of one configuration and one of another one have no cause in common.
    let out = of_two_configurations("lab", &["lab_bucket.a", "lab_bucket.west", far[0]]);
    lacks(&out, "one-cause-for-many");
}

#[test]
fn resources_that_are_all_gone_have_one_cause() {
    let plan = |kept: &[Row]| {
        let gone = |name: &str| {
            let ty = "lab_bucket";
            value!({"address": format!("{ty}.{name}"), "mode": "managed", "type": ty, "name": name,
                    "provider_name": "registry.terraform.io/acme/lab",
                    "change": {"actions": ["delete"], "before": {"label": name, "id": name}, "after": null,
                               "after_unknown": {}, "before_sensitive": {}, "after_sensitive": {}}})
        };
        let own = value!({"name": "lab", "expressions": {"region": {"references": ["var.place"]},
                                                         "token": {"constant_value": "t"}}});
        let mut more = configuration(&value!({"lab": own}));
        more["resource_drift"] = value!([gone("a"), gone("b"), gone("c")]);
        let mut rows = buckets(CREATE, &|_| Value::Null, &|name| value!({"label": name}));
        rows.extend(kept.iter().cloned());
        brief_with(rows, more)
    };
    let want = "all 3 resources of provider.lab are gone, and the plan creates them again: \
                the provider may look elsewhere: region from var.place, now \"us-east-1\"  (drift-undone)";
    has(&plan(&[]), "danger", &[want]);
    // What is forgotten has no configuration any longer.
    let forgotten = row(
        "lab_bucket.left",
        &["forget"],
        value!({"id": "k"}),
        Value::Null,
    );
    has(&plan(&[forgotten]), "danger", &[want]);
    let kept = row(
        "lab_bucket.kept",
        NOTHING,
        value!({"id": "k"}),
        value!({"id": "k"}),
    );
    let out = plan(&[kept]);
    has(
        &out,
        "warning",
        &["deleted outside, and the plan creates it again"],
    );
    lacks(&out, "may look elsewhere");
}

#[test]
fn resources_of_pulumi_that_move_to_another_provider_name_both() {
    const TY: &str = "lab:mq/queue:Queue";
    let plan = |region: &str, n_queues: usize| {
        let urn = |name: &str| format!("urn:pulumi:dev::shop::pulumi:providers:lab::{name}");
        let provider = |name: &str, version: &str, region: &str| {
            let inputs = value!({"version": version, "region": region});
            state("pulumi:providers:lab", name, name, &inputs)
        };
        let mut steps = vec![
            value!({"op": "create", "urn": urn("default_2_0_0"), "newState": provider("default_2_0_0", "2.0.0", region)}),
            value!({"op": "delete", "urn": urn("default_1_9_0"), "oldState": provider("default_1_9_0", "1.9.0", "eu-west-1")}),
        ];
        for number in 0..n_queues {
            let name = format!("q{number}");
            let of = |provider: &str| {
                let mut state = state(TY, &name, &name, &value!({"size": 1}));
                state["provider"] = value!(format!("{}::{provider}", urn(provider)));
                state
            };
            steps.push(
                value!({"op": "same", "urn": format!("urn:pulumi:dev::shop::{TY}::{name}"),
                               "oldState": of("default_1_9_0"), "newState": of("default_2_0_0")}),
            );
        }
        preview(steps)
    };
    let out = plan("us-east-1", 3);
    has(
        &out,
        "danger",
        &[
            "3 resources move from the provider default_1_9_0 to default_2_0_0  (one-cause-for-many)",
            "region  \"eu-west-1\" → \"us-east-1\"",
            "version  \"1.9.0\" → \"2.0.0\"",
        ],
    );
    has(&out, "look at these first", &["3 lab:mq/queue:Queue"]);
    has(
        &plan("us-east-1", 1),
        "danger",
        &["1 resource moves from the provider"],
    );
    // Another version alone is seldom a danger.
    let out = plan("eu-west-1", 3);
    let head = "\ncommon: 3 resources move from the provider default_1_9_0 to default_2_0_0\n";
    assert!(out.contains(head), "{out}");
    lacks(&out, "one-cause-for-many");
    lacks(&plan("eu-west-1", 1), "from the provider");
}
