//! Findings about changes that look right alone: the neighbors of a property, the kin of a new resource, the pods beside those that join
//! a service, and lines of a text in another order.

use serde_json::{Value, json as value};

use super::mechanisms::{
    CREATE, DELETE, NOTHING, Row, UPDATE, brief, brief_with, has, lacks, preview, row, step,
};

/// The brief of maps of which each changes its host, with what else is in the last one.
fn hosts(old: &str, last: &Value) -> String {
    let config = |name: &str, host: &str, more: &Value| {
        let mut data = value!({"DB_HOST": host, "LOG_LEVEL": name});
        let more = more.as_object().cloned().unwrap_or_default();
        data.as_object_mut().unwrap().extend(more);
        value!({"metadata": {"name": format!("{name}-config")}, "data": data})
    };
    let usual = value!({"DB_MODE": "readonly", "DB_USER": "reader"});
    let step = |name: &str, old: &str, more: &Value| {
        let (before, after) = (config(name, old, more), config(name, "db-ro.local", more));
        step(
            "update",
            "kubernetes:core/v1:ConfigMap",
            name,
            &before,
            &after,
        )
    };
    preview(vec![
        step("reports", "db.local", &usual),
        step("statements", "db.local", &usual),
        step("kyc", old, last),
    ])
}

#[test]
fn another_value_beside_the_same_change_is_told() {
    let out = hosts(
        "db.local",
        &value!({"DB_MODE": "readwrite", "DB_USER": "reader"}),
    );
    has(
        &out,
        "note",
        &[
            "kyc  kubernetes:core/v1:ConfigMap  DB_MODE is \"readwrite\" here, and \"readonly\" in the 2 others that change DB_HOST",
        ],
    );
    has(&out, "on their own", &["kyc", "DB_MODE is"]);
    assert_eq!(out.matches("(odd-beside)").count(), 1, "{out}");
    for (old, last) in [
        // The same values, or none.
        (
            "db.local",
            value!({"DB_MODE": "readonly", "DB_USER": "reader"}),
        ),
        ("db.local", value!({"DB_USER": "reader"})),
        // Its own name.
        (
            "db.local",
            value!({"DB_MODE": "readonly", "DB_USER": "kyc"}),
        ),
        // A property that does not belong to the host.
        (
            "db.local",
            value!({"DB_MODE": "readonly", "DB_USER": "reader", "MODE": "full"}),
        ),
        // Another change.
        (
            "other.local",
            value!({"DB_MODE": "readwrite", "DB_USER": "reader"}),
        ),
        // A text that nobody reads in one line.
        (
            "db.local",
            value!({"DB_MODE": "x".repeat(41), "DB_USER": "reader"}),
        ),
        // A value that is masked.
        (
            "db.local",
            value!({"DB_MODE": {"4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
            "plaintext": "\"readwrite\""}, "DB_USER": "reader"}),
        ),
    ] {
        lacks(&hosts(old, &last), "odd-beside");
    }
}

#[test]
fn variables_of_a_container_have_neighbors_too() {
    let jobs = |mode: &str| {
        let job = |address: &'static str, mode: &str| {
            let side = |queue: &str| {
                value!({"id": address, "container": [{"name": "main", "env": [
                    {"name": "QUEUE_URL", "value": queue}, {"name": "QUEUE_MODE", "value": mode}, {"name": "LEVEL", "value": address}]}]})
            };
            row(
                address,
                UPDATE,
                side("https://q/old"),
                side("https://q/new"),
            )
        };
        brief(vec![
            job("lab_job.a", "drain"),
            job("lab_job.b", "drain"),
            job("lab_job.c", "drain"),
            job("lab_job.d", mode),
        ])
    };
    has(
        &jobs("replay"),
        "note",
        &["QUEUE_MODE is \"replay\" here, and \"drain\" in the 3 others that change QUEUE_URL"],
    );
    lacks(&jobs("drain"), "odd-beside");
}

#[test]
fn the_masked_name_of_a_variable_is_never_told() {
    let of = |mask: &Value| {
        let job = |address: &'static str, mode: &str| {
            let side = |queue: &str| {
                value!({"id": address, "env": [
                    {"name": "QUEUE_URL", "value": queue}, {"name": "QUEUE_HORSE", "value": mode}, {"name": "LEVEL", "value": address}]})
            };
            let change = row(
                address,
                UPDATE,
                side("https://q/old"),
                side("https://q/new"),
            );
            change.masked(mask.clone())
        };
        brief(vec![
            job("lab_job.a", "drain"),
            job("lab_job.b", "drain"),
            job("lab_job.c", "replay"),
        ])
    };
    has(
        &of(&value!({})),
        "note",
        &["QUEUE_HORSE is \"replay\" here"],
    );
    let out = of(&value!({"env": [{}, {"name": true}, {}]}));
    lacks(&out, "HORSE");
    lacks(&out, "odd-beside");
}

/// A deployment of Terraform whose pods have these labels and ports.
fn deployment(name: &str, labels: &Value, ports: &Value) -> Value {
    let container = value!([{"name": name, "port": ports}]);
    value!({"metadata": [{"name": name, "namespace": "media"}], "spec": [{"template": [
        {"metadata": [{"labels": labels}], "spec": [{"container": container}]}]}]})
}

fn service(selector: &Value, port: &str) -> Value {
    value!({"id": "media/ingest", "metadata": [{"name": "ingest", "namespace": "media"}],
        "spec": [{"selector": selector, "port": [{"port": 80, "target_port": port}]}]})
}

/// The brief of a service with a deployment behind it, and what the plan does besides.
fn joined_by(port: &str, more: Vec<Row>) -> String {
    let stays =
        |address: &'static str, side: &Value| row(address, NOTHING, side.clone(), side.clone());
    let ports = value!([{"container_port": 8080, "name": "http"}]);
    let mut rows = vec![
        stays(
            "kubernetes_deployment_v1.ingest",
            &deployment("ingest", &value!({"app": "ingest"}), &ports),
        ),
        stays(
            "kubernetes_service_v1.ingest",
            &service(&value!({"app": "ingest"}), port),
        ),
    ];
    rows.extend(more);
    brief(rows)
}

#[test]
fn a_workload_that_joins_a_service_is_told() {
    let rescan = |app: &str, ports: Value| {
        let labels = value!({"app": app, "component": "rescan"});
        let after = deployment("rescan", &labels, &ports);
        row(
            "kubernetes_deployment_v1.rescan",
            CREATE,
            Value::Null,
            after,
        )
    };
    let joins = "gets requests of kubernetes_service_v1.ingest from now on, beside kubernetes_deployment_v1.ingest";
    for (port, ports, missing) in [
        ("8080", value!([{"container_port": 9102}]), Some("8080")),
        (
            "http",
            value!([{"container_port": 8080, "name": "web"}]),
            Some("http"),
        ),
        ("8080", value!([]), Some("8080")),
        ("8080", value!([{"container_port": 8080}]), None),
        (
            "http",
            value!([{"container_port": 1, "name": "http"}]),
            None,
        ),
        // Nobody says that the others listen there.
        ("7070", value!([{"container_port": 9102}]), None),
    ] {
        let out = joined_by(port, vec![rescan("ingest", ports)]);
        let (level, says) = match missing {
            Some(port) => (
                "warning",
                format!("{joins}, and none of its containers has port {port}  "),
            ),
            None => ("note", format!("{joins}  ")),
        };
        has(&out, level, &[&says]);
    }
    lacks(
        &joined_by("8080", vec![rescan("other", value!([]))]),
        "from now on",
    );
}

#[test]
fn a_workload_of_another_cluster_joins_nothing() {
    let labels = value!({"app": "ingest"});
    let ports = value!([]);
    let of = |key: &str| {
        let resource = |address: &str, key: &str| {
            let (ty, name) = address.split_once('.').unwrap();
            value!({"address": address, "mode": "managed", "type": ty, "name": name, "provider_config_key": key, "expressions": {},
                    "schema_version": 0})
        };
        let config = |name: &str| value!({"name": "lab", "alias": name, "expressions": {"host": {"constant_value": name}}});
        let config = value!({"configuration": {
            "provider_config": {"lab.a": config("a"), "lab.b": config("b")},
            "root_module": {"resources": [
                resource("kubernetes_deployment_v1.ingest", "lab.a"), resource("kubernetes_service_v1.ingest", "lab.a"),
                resource("kubernetes_deployment_v1.rescan", key)]}}});
        let stays = |address: &'static str, side: Value| row(address, NOTHING, side.clone(), side);
        let rows = vec![
            stays(
                "kubernetes_deployment_v1.ingest",
                deployment("ingest", &labels, &ports),
            ),
            stays("kubernetes_service_v1.ingest", service(&labels, "80")),
            row(
                "kubernetes_deployment_v1.rescan",
                CREATE,
                Value::Null,
                deployment("rescan", &labels, &ports),
            ),
        ];
        brief_with(rows, config)
    };
    let joins = "gets requests of kubernetes_service_v1.ingest from now on";
    has(&of("lab.a"), "note", &[joins]);
    lacks(&of("lab.b"), joins);
}

#[test]
fn a_workload_that_replaces_another_one_joins_nothing() {
    let labels = |app: &str| value!({"app": app});
    let of = |app: &str| deployment("next", &labels(app), &value!([]));
    let update =
        |old: &str, new: &str| row("kubernetes_deployment_v1.next", UPDATE, of(old), of(new));
    has(
        &joined_by("7070", vec![update("next", "ingest")]),
        "note",
        &["gets requests of kubernetes_service_v1.ingest from now on"],
    );
    // It has got them before.
    let mut before = of("ingest");
    before["spec"][0]["template"][0]["metadata"][0]["labels"]["tier"] = value!("x");
    let known = row(
        "kubernetes_deployment_v1.next",
        UPDATE,
        before,
        of("ingest"),
    );
    lacks(&joined_by("7070", vec![known]), "from now on");
    // The first one goes.
    let web = |address: &'static str, actions, before, after| row(address, actions, before, after);
    let ports = value!([]);
    let old = deployment("old", &labels("web"), &ports);
    let service = service(&labels("web"), "8080");
    let out = brief(vec![
        web("kubernetes_deployment_v1.old", DELETE, old, Value::Null),
        web(
            "kubernetes_deployment_v1.web",
            CREATE,
            Value::Null,
            deployment("web", &labels("web"), &ports),
        ),
        web(
            "kubernetes_service_v1.web",
            NOTHING,
            service.clone(),
            service,
        ),
    ]);
    lacks(&out, "from now on");
}

#[test]
fn a_selector_that_still_finds_its_pods_is_calmed() {
    let of = |selector: &Value| {
        let labels = value!({"app": "ingest", "track": "stable"});
        let pods = deployment("ingest", &labels, &value!([]));
        brief(vec![
            row(
                "kubernetes_deployment_v1.ingest",
                NOTHING,
                pods.clone(),
                pods,
            ),
            row(
                "kubernetes_service_v1.ingest",
                UPDATE,
                service(&value!({"app": "ingest"}), "8080"),
                service(selector, "8080"),
            ),
        ])
    };
    let out = of(&value!({"app": "ingest", "track": "stable"}));
    has(
        &out,
        "note",
        &["still selects kubernetes_deployment_v1.ingest"],
    );
    lacks(&out, "LOOK AT THESE FIRST");
    let out = of(&value!({"app": "ingest", "track": "canary"}));
    has(&out, "danger", &["it finds no pods any longer"]);
    lacks(&out, "still selects");
}

/// The alarm of a window.
fn alarm(name: &str, operator: &str) -> Value {
    value!({"name": name, "namespace": "Shop/Windows", "metricName": format!("{name}Minutes"), "statistic": "Maximum",
        "period": 60, "threshold": 0, "comparisonOperator": operator, "treatMissingData": "notBreaching"})
}

/// The brief of a new alarm beside three others.
fn kin(new: &Value, last: &Value) -> String {
    let ty = "aws:cloudwatch/metricAlarm:MetricAlarm";
    let same = |name: &str, side: &Value| step("same", ty, name, side, side);
    let latency = value!({"name": "latency", "namespace": "Shop/Api", "metricName": "Latency", "statistic": "Average",
        "period": 60, "threshold": 12, "comparisonOperator": "GreaterThanOrEqualToThreshold"});
    preview(vec![
        same("bank", &alarm("bank", "GreaterThanThreshold")),
        same("deploy", last),
        same("latency", &latency),
        step("create", ty, "scheme", &Value::Null, new),
    ])
}

#[test]
fn a_new_resource_with_a_word_that_its_kin_have_not_is_told() {
    let usual = alarm("deploy", "GreaterThanThreshold");
    let odd = alarm("scheme", "GreaterThanOrEqualToThreshold");
    let out = kin(&odd, &usual);
    has(
        &out,
        "note",
        &[
            "comparisonOperator is \"GreaterThanOrEqualToThreshold\", and \"GreaterThanThreshold\" in bank and deploy, which are most like it",
        ],
    );
    // Its kin do not agree.
    let name = "unlike-its-kind";
    lacks(&kin(&odd, &alarm("deploy", "LessThanThreshold")), name);
    lacks(&kin(&alarm("scheme", "GreaterThanThreshold"), &usual), name);
    let with = |key: &str, mine: Value, theirs: Value| {
        let mut sides = [("scheme", mine), ("deploy", theirs)].map(|(name, it)| {
            let mut side = alarm(name, "GreaterThanThreshold");
            side[key] = it;
            side
        });
        let [mine, theirs] = &mut sides;
        kin(mine, theirs)
    };
    // Numbers, texts and names differ from one to the other.
    lacks(&with("period", value!(300), value!(60)), name);
    lacks(
        &with(
            "treatMissingData",
            value!("as it is"),
            value!("notBreaching"),
        ),
        name,
    );
    lacks(
        &with("treatMissingData", value!("scheme"), value!("notBreaching")),
        name,
    );
    lacks(
        &with("metricName", value!("Other"), value!("Minutes")),
        name,
    );
    has(
        &with(
            "treatMissingData",
            value!("breaching"),
            value!("notBreaching"),
        ),
        "note",
        &["treatMissingData is \"breaching\", and \"notBreaching\" in bank and deploy"],
    );
    // It is something else altogether.
    let mut other = alarm("scheme", "LessThanThreshold");
    (other["statistic"], other["treatMissingData"]) = (value!("Sum"), value!("missing"));
    lacks(&kin(&other, &usual), name);
}

/// Three that stay have their own names at a place, and the new one has that of one of them.
#[test]
fn a_new_resource_with_the_name_of_another_one_is_told() {
    let name = "name-of-another";
    let of = |group: &str, usual: &str| {
        let reader = |name: &str, group: &str| value!({"name": name, "group": format!("readers/{group}"), "topic": "scans"});
        let same = |address: &'static str, name: &str, group: &str| {
            row(address, NOTHING, reader(name, group), reader(name, group))
        };
        brief(vec![
            same("lab_reader.tracking", "tracking", "tracking"),
            same("lab_reader.search", "search", "search"),
            same("lab_reader.billing", "billing", usual),
            row("lab_reader.eta", CREATE, Value::Null, reader("eta", group)),
        ])
    };
    let says = "group is \"readers/tracking\", which lab_reader.tracking has; all others have their own name there";
    has(&of("tracking", "billing"), "note", &[says]);
    lacks(&of("eta", "billing"), name);
    lacks(&of("other", "billing"), name);
    // Two that are there share a group.
    lacks(&of("tracking", "search"), name);
}

#[test]
fn a_resource_that_takes_the_place_of_another_one_is_like_it() {
    let repository = |name: &str, is_private: bool| value!({"name": name, "topics": ["shop"], "branch": "main", "auto_init": true, "private": is_private, "merge": "squash"});
    let same = |address: &'static str, name: &str| {
        let side = repository(name, true);
        row(address, NOTHING, side.clone(), side)
    };
    let of = |more: Vec<Row>| {
        let mut rows = vec![
            same("lab_repository.orders", "orders"),
            same("lab_repository.billing", "billing"),
            row(
                "lab_repository.docs",
                CREATE,
                Value::Null,
                repository("docs", false),
            ),
        ];
        rows.extend(more);
        brief(rows)
    };
    has(
        &of(Vec::new()),
        "note",
        &["private is false, and true in lab_repository.billing and lab_repository.orders"],
    );
    let old = repository("manual", false);
    lacks(
        &of(vec![row("lab_repository.manual", DELETE, old, Value::Null)]),
        "unlike-its-kind",
    );
}

#[test]
fn a_line_that_moves_leaves_the_group() {
    let owners = |address: &'static str, before: &str, after: &str| {
        let side =
            |content: &str| value!({"id": address, "file": "CODEOWNERS", "content": content});
        row(address, UPDATE, side(before), side(after))
    };
    let old = "* @acme/all\n/docs/ @acme/docs\n/iam/ @acme/security\n";
    let grown = "* @acme/all\n/docs/ @acme/docs\n/github/ @acme/platform\n/iam/ @acme/security\n";
    let of = |last: &str| {
        brief(vec![
            owners("lab_file.a", old, grown),
            owners("lab_file.b", old, grown),
            owners("lab_file.c", old, grown),
            owners("lab_file.d", old, last),
        ])
    };
    let moved = "/docs/ @acme/docs\n/github/ @acme/platform\n/iam/ @acme/security\n*   @acme/all\n";
    has(
        &of(moved),
        "on their own",
        &["lab_file.d", "moved to the end: \"* @acme/all\""],
    );
    has(&of(moved), "the same change, many times", &["~ 3 of 4"]);
    // A line that goes, and another one that comes at the end.
    let other = "/docs/ @acme/docs\n/github/ @acme/platform\n/iam/ @acme/security\n* @acme/core\n";
    lacks(&of(other), "moved");
    lacks(&of(grown), "moved");
    has(&of(grown), "the same change, many times", &["~ 4 of 4"]);
}
