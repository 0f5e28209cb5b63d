//! Findings about what stands beside a change: siblings in proportion, those that stay behind, and what answers a danger.

use serde_json::{Value, json as value};

use super::mechanisms::{DELETE, NOTHING, Row, UPDATE, brief, has, lacks, preview, row, step};

/// Updates of one number of several resources.
fn grown(values: &[(u32, u32)]) -> String {
    let row = |(at, (old, new)): (usize, &(u32, u32))| {
        let address: &'static str = format!("lab_pool.p{at}").leak();
        let side = |n: u32| value!({"id": address, "limit": n});
        row(address, UPDATE, side(*old), side(*new))
    };
    brief(values.iter().enumerate().map(row).collect())
}

#[test]
fn a_number_that_grows_out_of_proportion_is_told_on_its_own() {
    let out = grown(&[(30, 36), (40, 48), (50, 60), (40, 4800)]);
    has(&out, "on their own", &["lab_pool.p3", "limit  40 → 4800"]);
    has(
        &out,
        "note",
        &[
            "out of proportion: it grows 120 times, and at most 1.2 times in the 3 other lab_pool that change it",
        ],
    );
    assert!(
        out.contains("~ 3 of 4  lab_pool  ~ limit  30, 40, 50 → 36, 48, 60"),
        "{out}"
    );
    // Twice as much is nothing.
    lacks(
        &grown(&[(30, 36), (40, 48), (50, 60), (40, 80)]),
        "proportion",
    );
    // Two against two are no stream.
    lacks(
        &grown(&[(30, 36), (40, 48), (50, 5000), (40, 4800)]),
        "proportion",
    );
    let out = grown(&[(36, 30), (48, 40), (60, 50), (4800, 40)]);
    has(&out, "note", &["it gets smaller 120 times"]);
}

/// Rules of which all but the last wait for another source, each in a document.
fn sources(kept: &str) -> String {
    let pattern = |source: &str, kind: &str| value!({"id": kind, "event_pattern": format!(r#"{{"source": ["{source}"], "kind": ["{kind}"]}}"#)});
    let changed = ["lab_rule.a", "lab_rule.b", "lab_rule.c", "lab_rule.d"].map(|address| {
        row(
            address,
            UPDATE,
            pattern("shop.orders", address),
            pattern("shop.orders.v2", address),
        )
    });
    let kept = pattern(kept, "last");
    let unchanged = row("lab_rule.last", NOTHING, kept.clone(), kept);
    brief(changed.into_iter().chain([unchanged]).collect())
}

#[test]
fn the_one_that_keeps_what_its_siblings_give_up_is_named() {
    let out = sources("shop.orders");
    has(
        &out,
        "the same change, many times",
        &["left behind: lab_rule.last keeps \"shop.orders\""],
    );
    lacks(&out, "common: left behind");
    // Another value is nobody's leftover, and neither is a longer one.
    lacks(&sources("shop.refunds"), "left behind");
    lacks(&sources("shop.orders.old"), "left behind");
}

#[test]
fn how_often_a_schedule_comes_is_told_and_tells_its_siblings_apart() {
    let job = |name: &str, old: &str, new: &str| {
        let side = |schedule: &str| value!({"name": name, "schedule": schedule});
        step(
            "update",
            "gcp:cloudscheduler/job:Job",
            name,
            &side(old),
            &side(new),
        )
    };
    let out = preview(vec![
        job("a", "0 1 * * *", "5 1 * * *"),
        job("b", "10 2 * * *", "15 2 * * *"),
        job("c", "20 3 * * *", "25 3 * * *"),
        job("scans", "15 2 * * *", "15 2 1 * *"),
    ]);
    has(
        &out,
        "on their own",
        &[
            "scans",
            "\"15 2 * * *\" → \"15 2 1 * *\"  31 times less often",
        ],
    );
    assert_eq!(out.matches("times less often").count(), 1, "{out}");
}

#[test]
fn a_schedule_that_passes_a_sibling_says_so() {
    const TY: &str = "gcp:cloudscheduler/job:Job";
    let job = |name: &str, schedule: &str, zone: &str| value!({"name": name, "schedule": schedule, "timeZone": zone});
    let of = |old: &str, new: &str, sibling: Value| {
        preview(vec![
            step(
                "update",
                TY,
                "positions",
                &job("positions", old, "Europe/Zurich"),
                &job("positions", new, "Europe/Zurich"),
            ),
            step("same", TY, "submit", &sibling, &sibling),
        ])
    };
    let submit = || job("submit", "45 16 * * 1-5", "Europe/Zurich");
    let passes = |word: &str| format!("comes {word} submit from now on");
    let out = of("20 16 * * 1-5", "50 16 * * 1-5", submit());
    has(&out, "note", &[&passes("after")]);
    let out = of("50 16 * * 1-5", "20 16 * * 1-5", submit());
    has(&out, "note", &[&passes("before")]);
    for out in [
        of("20 16 * * 1-5", "40 16 * * 1-5", submit()),
        // Other days, another time zone, and a schedule that comes each hour.
        of(
            "20 16 * * 1-5",
            "50 16 * * 1-5",
            job("submit", "45 16 * * 6", "Europe/Zurich"),
        ),
        of(
            "20 16 * * 1-5",
            "50 16 * * 1-5",
            job("submit", "45 16 * * 1-5", "Etc/UTC"),
        ),
        of(
            "20 16 * * 1-5",
            "50 16 * * 1-5",
            job("submit", "45 * * * 1-5", "Europe/Zurich"),
        ),
    ] {
        lacks(&out, "from now on");
    }
}

#[test]
fn a_new_path_that_counts_before_a_denied_one_says_so() {
    let policy = |more: &str| {
        let text = format!(
            "path \"kv/data/m/*\" {{\n  capabilities = [\"read\"]\n}}\npath \"kv/data/m/+/bank\" {{\n  capabilities = [\"deny\"]\n}}\n{more}"
        );
        value!({"name": "support", "policy": text})
    };
    let of = |path: &str| {
        let more = format!("path \"{path}\" {{\n  capabilities = [\"read\"]\n}}\n");
        brief(vec![row(
            "vault_policy.support",
            UPDATE,
            policy(""),
            policy(&more),
        )])
    };
    let over = "and not the deny of kv/data/m/+/bank";
    has(
        &of("kv/data/m/eu-*"),
        "warning",
        &["somebody may do more in the vault"],
    );
    assert!(of("kv/data/m/eu-*").contains(over));
    for path in ["kv/data/*", "kv/data/n/eu-*", "kv/metadata/m/eu-*"] {
        lacks(&of(path), over);
    }
}

#[test]
fn a_sign_tells_expressions_with_the_same_words_apart() {
    let member = |name: &str, end: &str| {
        let side = |expression: String| value!({"name": name, "expression": expression});
        let before = side(format!("startsWith(\"buckets/{name}/objects/\")"));
        let after = side(format!(
            "kind == \"Object\" && startsWith(\"buckets/{name}{end}\")"
        ));
        step(
            "update",
            "gcp:projects/iAMMember:IAMMember",
            name,
            &before,
            &after,
        )
    };
    let out = preview(vec![
        member("bring", "/"),
        member("dhl", "/"),
        member("gls", "/"),
        member("post", ""),
    ]);
    has(
        &out,
        "on their own",
        &["post", "startsWith(\\\"buckets/post\\\")"],
    );
    lacks(&out, "4 of 4");
}

#[test]
fn a_claim_whose_volume_is_retained_loses_nothing() {
    let of = |policy: &str, bound_to: &str| {
        let claim = value!({"metadata": {"name": "tiles", "namespace": "geo"}, "spec": {"storageClassName": ""}});
        let volume = value!({"metadata": {"name": "share"}, "spec": {
            "persistentVolumeReclaimPolicy": policy, "claimRef": {"name": "tiles", "namespace": bound_to}}});
        let kind = |kind: &str| format!("kubernetes:core/v1:{kind}");
        preview(vec![
            step(
                "delete",
                &kind("PersistentVolumeClaim"),
                "tiles",
                &claim,
                &Value::Null,
            ),
            step("same", &kind("PersistentVolume"), "share", &volume, &volume),
        ])
    };
    let want = "the volume and its data stay: the volume share is retained";
    has(&of("Retain", "geo"), "note", &[want]);
    for out in [of("Delete", "geo"), of("Retain", "other")] {
        has(
            &out,
            "danger",
            &["the volume is deleted, and perhaps its data"],
        );
    }
}

#[test]
fn a_claim_whose_class_retains_its_volume_loses_nothing() {
    let of = |policy: &str| {
        let claim = value!({"metadata": {"name": "tiles", "namespace": "geo"}, "spec": {"storageClassName": "fast"}});
        let class = value!({"metadata": {"name": "fast"}, "reclaimPolicy": policy});
        let (claims, classes) = (
            "kubernetes:core/v1:PersistentVolumeClaim",
            "kubernetes:storage.k8s.io/v1:StorageClass",
        );
        preview(vec![
            step("delete", claims, "tiles", &claim, &Value::Null),
            step("same", classes, "fast", &class, &class),
        ])
    };
    let out = of("Retain");
    has(
        &out,
        "note",
        &["the volume and its data stay: its storage class fast retains them"],
    );
    lacks(&out, "LOOK AT THESE FIRST");
    let out = of("Delete");
    has(
        &out,
        "danger",
        &["the volume is deleted, and perhaps its data"],
    );
}

#[test]
fn a_workload_that_gets_no_requests_may_stop() {
    let of = |wanted: Value| {
        let blue = |n: u32| {
            value!({"metadata": {"name": "blue", "namespace": "shop"},
                "spec": {"replicas": n, "template": {"metadata": {"labels": {"app": "printer", "color": "blue"}}}}})
        };
        let service = value!({"metadata": {"name": "printer", "namespace": "shop"}, "spec": {"selector": wanted}});
        preview(vec![
            step(
                "update",
                "kubernetes:apps/v1:Deployment",
                "blue",
                &blue(6),
                &blue(0),
            ),
            step(
                "same",
                "kubernetes:core/v1:Service",
                "printer",
                &service,
                &service,
            ),
        ])
    };
    let out = of(value!({"app": "printer", "color": "green"}));
    has(
        &out,
        "note",
        &["gets no requests already: printer looks for color = green"],
    );
    lacks(&out, "LOOK AT THESE FIRST");
    lacks(&out, "no copy is left running");
    for wanted in [
        value!({"app": "printer"}),
        value!({"app": "other"}),
        value!({"tier": "web"}),
    ] {
        has(&of(wanted), "danger", &["no pod runs any longer"]);
    }
}

/// All of a retired service, whose workload has so many copies.
fn retired(replicas: u32, more: Vec<Row>) -> String {
    let gone = |address: &'static str, side: Value| row(address, DELETE, side, Value::Null);
    let named =
        |name: &str| value!({"id": name, "metadata": [{"name": name, "namespace": "shop"}]});
    let mut fax = named("fax");
    fax["spec"] = value!([{"replicas": replicas}]);
    let mut rows = vec![
        gone("module.fax.kubernetes_deployment_v1.this", fax),
        gone(
            "module.fax.kubernetes_network_policy_v1.this",
            named("fax-policy"),
        ),
        gone(
            "module.fax.kubernetes_config_map_v1.this",
            named("fax-config"),
        ),
        gone(
            "module.fax.aws_sqs_queue.jobs",
            value!({"id": "q-1", "name": "fax-jobs"}),
        ),
    ];
    rows.extend(more);
    brief(rows)
}

#[test]
fn what_only_serves_a_component_goes_with_it() {
    let out = retired(0, Vec::new());
    lacks(&out, "LOOK AT THESE FIRST");
    lacks(&out, "pods are open to traffic that was refused");
    lacks(&out, "deleted with its messages");
    // A service that runs may have messages on their way.
    let out = retired(2, Vec::new());
    has(&out, "danger", &["the queue is deleted with its messages"]);
    lacks(&out, "pods are open to traffic that was refused");
    // A part of the component stays, so it does not go whole.
    let kept = value!({"id": "kept", "metadata": [{"name": "kept", "namespace": "shop"}]});
    let kept = row(
        "module.fax.kubernetes_service_v1.this",
        NOTHING,
        kept.clone(),
        kept,
    );
    let out = retired(0, vec![kept]);
    has(
        &out,
        "danger",
        &["pods are open to traffic that was refused"],
    );
}

#[test]
fn a_type_that_holds_something_is_off_only_by_its_own_table() {
    let version = |is_on: bool| {
        let version = value!({"secret": "api-key", "enabled": is_on, "deletionPolicy": "DELETE"});
        let ty = "gcp:secretmanager/secretVersion:SecretVersion";
        preview(vec![step("delete", ty, "v6", &version, &Value::Null)])
    };
    has(&version(false), "note", &["off already, enabled false"]);
    has(&version(true), "danger", &["the secret is deleted"]);
}

#[test]
fn a_variable_of_a_container_is_a_property_of_its_own() {
    let api = |name: &str, release: &str, limit: &str| {
        value!({"metadata": {"name": name}, "spec": {"template": {"spec": {"containers": [{"name": "app", "env": [
            {"name": "RELEASE", "value": release}, {"name": "LIMIT", "value": limit}]}]}}}})
    };
    let update = |name: &str, limit: &str| {
        let (before, after) = (api(name, "1.0", "5"), api(name, "1.1", limit));
        step(
            "update",
            "kubernetes:apps/v1:Deployment",
            name,
            &before,
            &after,
        )
    };
    let out = preview(vec![
        update("a", "5"),
        update("b", "5"),
        update("c", "5"),
        update("d", "90"),
    ]);
    // Those with nothing but the release are one story, and the other one tells its limit alone.
    assert!(
        out.contains("~ 3 of 4  kubernetes:apps/v1:Deployment"),
        "{out}"
    );
    has(&out, "on their own", &["env[LIMIT].value  \"5\" → \"90\""]);
}

#[test]
fn a_rule_says_what_it_does_beside_what_changes() {
    let rules = |expression: &str| {
        value!({"id": "r-1", "rules": [
            {"description": "hooks", "action": "skip", "expression": expression},
            {"description": "office", "action": "block", "expression": "path eq \"/admin\""}]})
    };
    let out = brief(vec![row(
        "cloudflare_ruleset.main",
        UPDATE,
        rules("path eq \"/hooks\""),
        rules("uri contains \"/hooks\""),
    )]);
    has(
        &out,
        "warning",
        &[
            "a rule is for other requests",
            "rules[hooks].expression",
            "action skip",
        ],
    );
    lacks(&out, "a rule is gone");
}

/// The configuration links all instances of a block, so the texts of what stands between tell which queue belongs to the work.
#[test]
fn work_waits_for_its_own_queue_and_not_for_those_of_other_instances() {
    const ARN: &str = "arn:aws:lambda:eu-central-1:123456789012:function:tax";
    let function = |timeout: u32| value!({"id": "tax", "arn": ARN, "function_name": "tax", "timeout": timeout});
    let queue = |name: &str, wait: u32| {
        let arn = format!("arn:aws:sqs:eu-central-1:123456789012:{name}");
        value!({"id": arn, "arn": arn, "name": name, "visibility_timeout_seconds": wait})
    };
    let mapping = |queue: &str| {
        let arn = format!("arn:aws:sqs:eu-central-1:123456789012:{queue}");
        value!({"id": "m-1", "function_name": ARN, "event_source_arn": arn})
    };
    let resource = |address: &str, expressions: Value| {
        let (ty, name) = address.split_once('.').unwrap_or_default();
        value!({"address": address, "mode": "managed", "type": ty, "name": name, "provider_config_key": "aws",
                "expressions": expressions, "for_each_expression": {"references": ["var.queues"]}})
    };
    let of = |own: &str| {
        let refers = |to: &str| value!({"references": [to]});
        let resources = [
            resource("aws_lambda_function.it", value!({})),
            resource("aws_sqs_queue.it", value!({})),
            resource(
                "aws_lambda_event_source_mapping.it",
                value!({"function_name": refers("aws_lambda_function.it"), "event_source_arn": refers("aws_sqs_queue.it")}),
            ),
        ];
        let same = |address, it: Value| row(address, NOTHING, it.clone(), it);
        let rows = vec![
            row(
                "aws_lambda_function.it[\"tax\"]",
                UPDATE,
                function(30),
                function(240),
            ),
            same("aws_sqs_queue.it[\"tax\"]", queue("tax", 600)),
            same("aws_sqs_queue.it[\"mail\"]", queue("mail", 60)),
            same("aws_lambda_event_source_mapping.it[\"tax\"]", mapping(own)),
        ];
        let more = value!({"configuration": {"root_module": {"resources": resources}}});
        super::mechanisms::brief_with(rows, more)
    };
    lacks(&of("tax"), "may take longer");
    let says = "may take longer than aws_sqs_queue.it[\"mail\"] waits, 60 seconds";
    has(&of("mail"), "warning", &[says]);
}

#[test]
fn work_that_takes_longer_than_its_queue_waits_is_told() {
    let function =
        |timeout: u32| value!({"id": "settle", "function_name": "settle", "timeout": timeout});
    let queue =
        |wait: u32| value!({"id": "q-1", "name": "settle", "visibility_timeout_seconds": wait});
    let refer = |name: &str, to: &str| {
        value!({"address": name, "mode": "managed", "type": name.split('.').next(), "name": "it", "provider_config_key": "aws",
            "expressions": {"refers": {"references": [to]}}})
    };
    let of = |timeouts: (u32, u32), waits: (u32, u32)| {
        let actions = |(old, new): (u32, u32)| if old == new { NOTHING } else { UPDATE };
        let rows = vec![
            row(
                "aws_lambda_function.it",
                actions(timeouts),
                function(timeouts.0),
                function(timeouts.1),
            ),
            row(
                "aws_sqs_queue.it",
                actions(waits),
                queue(waits.0),
                queue(waits.1),
            ),
        ];
        let resources = [
            refer("aws_lambda_function.it", "aws_sqs_queue.it"),
            refer("aws_sqs_queue.it", "var.x"),
        ];
        let more = value!({"configuration": {"root_module": {"resources": resources}}});
        super::mechanisms::brief_with(rows, more)
    };
    let says = "may take longer than aws_sqs_queue.it waits, 180 seconds";
    has(&of((30, 240), (180, 180)), "warning", &[says]);
    let says = "aws_lambda_function.it may take longer than it waits, 180 seconds";
    has(&of((200, 200), (360, 180)), "warning", &[says]);
    // It is told once of a pair of which both change.
    assert_eq!(
        of((30, 240), (360, 180)).matches("may take longer").count(),
        2
    );
    for (timeouts, waits) in [
        ((30, 120), (180, 180)),
        ((240, 300), (180, 180)),
        ((30, 240), (180, 360)),
    ] {
        lacks(&of(timeouts, waits), "may take longer");
    }
}

#[test]
fn things_of_a_map_in_a_document_change_alike_whatever_their_names() {
    let machine = |address: &'static str, states: &[&str], after: &str| {
        let side = |more: &str| {
            let states = states.iter().map(|name| {
                let is_caught = more == "catch" && *name == "Settle";
                let next = if is_caught { "Pay" } else { "Ask" };
                let limit = if more.is_empty() {
                    ""
                } else {
                    r#", "Limit": 60"#
                };
                format!(r#""{name}": {{"Type": "Task", "Catch": "{next}"{limit}}}"#)
            });
            let states = states.collect::<Vec<_>>().join(", ");
            value!({"id": address, "definition": format!(r#"{{"States": {{{states}}}}}"#)})
        };
        row(address, UPDATE, side(""), side(after))
    };
    let out = brief(vec![
        machine("lab_flow.a", &["Read", "Check", "End"], "limit"),
        machine("lab_flow.b", &["Load", "Judge", "Send"], "limit"),
        machine("lab_flow.c", &["Open", "Write", "Close"], "limit"),
        machine("lab_flow.d", &["Score", "Settle", "Stop"], "catch"),
    ]);
    let line = "~ 3 of 4  lab_flow  + definition.States[*].Limit  60  in 3 places";
    assert!(out.contains(line), "{out}");
    // A single one has its name.
    let line = r#"lab_flow.d  ~ definition.States[Settle].Catch  "Ask" → "Pay""#;
    assert!(out.contains(line), "{out}");
}
