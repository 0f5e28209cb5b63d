//! Alarms that the file answers: what goes is empty or leads nowhere, or something that stays does the same.

use serde_json::{Value, json as value};

use super::mechanisms::{
    CREATE, DELETE, NOTHING, REPLACE, Row, UPDATE, brief, brief_with, has, lacks, preview, row,
    step,
};

fn gone(address: &'static str, before: Value) -> Row {
    row(address, DELETE, before, Value::Null)
}

fn kept(address: &'static str, side: &Value) -> Row {
    row(address, NOTHING, side.clone(), side.clone())
}

/// The brief of the loss of one resource.
fn of_loss(address: &'static str, before: Value) -> String {
    brief(vec![gone(address, before)])
}

#[test]
fn what_leads_nowhere_or_is_empty_goes_without_an_alarm() {
    let route = |state: &str| {
        let route = value!({"id": "r-1", "route_table_id": "rtb-1", "destination_cidr_block": "10.7.0.0/16", "state": state});
        of_loss("aws_route.vendor", route)
    };
    has(
        &route("blackhole"),
        "note",
        &["off already, state \"blackhole\"; otherwise traffic loses its way"],
    );
    has(&route("active"), "danger", &["traffic loses its way"]);

    let files = |targets: u32, size: Value| {
        let files =
            value!({"id": "fs-1", "number_of_mount_targets": targets, "size_in_bytes": size});
        of_loss("aws_efs_file_system.prints", files)
    };
    let empty = value!([{"value": 6144}]);
    has(
        &files(0, empty.clone()),
        "note",
        &["off already, number_of_mount_targets 0"],
    );
    // Nobody mounts it, but there are files, or there may be.
    for size in [value!([{"value": 938_000_000}]), value!([])] {
        has(&files(0, size), "danger", &["deleted with its files"]);
    }
    has(&files(3, empty), "danger", &["deleted with its files"]);

    let record = |name: &str, weight: Value| value!({"id": "z_ro", "name": name, "type": "CNAME", "zone_id": "z", "records": ["r3"], "weighted_routing_policy": weight});
    let weight = |weight: u32| value!([{"weight": weight}]);
    let beside = |own: Value, others: Vec<Row>| {
        let own = gone("aws_route53_record.ro", record("ro.db.shop.example", own));
        brief([own].into_iter().chain(others).collect())
    };
    let other = |name: &str, share: u32| {
        let mut other = record(name, weight(share));
        other["records"] = value!(["r4"]);
        vec![kept("aws_route53_record.other", &other)]
    };
    let resolved = "a name is not resolved any longer";
    let same = || other("ro.db.shop.example", 10);
    has(
        &beside(weight(0), same()),
        "note",
        &["off already, weighted_routing_policy[0].weight 0"],
    );
    for out in [
        beside(weight(1), same()),
        beside(value!([]), same()),
        // Alone it gets all requests, and beside others without a weight its share of them.
        beside(weight(0), Vec::new()),
        beside(weight(0), other("ro.db.shop.example", 0)),
        beside(weight(0), other("rw.db.shop.example", 10)),
    ] {
        has(&out, "warning", &[resolved]);
        lacks(&out, "off already");
    }
}

#[test]
fn a_copy_whose_original_stays_takes_no_data_along() {
    let database = |name: &str, of: &str| {
        value!({"id": format!("db-{name}"), "identifier": name, "arn": format!("arn:aws:rds:eu-west-1:1:db:{name}"),
                "replicate_source_db": of})
    };
    let of = |of: &str, original: Row| {
        let copy = gone("aws_db_instance.copy", database("orders-r1", of));
        brief(vec![copy, original])
    };
    let original = database("orders", "");
    let stays = || kept("aws_db_instance.orders", &original);
    let lost = "the database is deleted with its data";
    for name in ["orders", "arn:aws:rds:eu-west-1:1:db:orders"] {
        let out = of(name, stays());
        lacks(&out, lost);
        has(
            &out,
            "note",
            &["it is a copy of aws_db_instance.orders, which stays"],
        );
    }
    let mut tagged = original.clone();
    tagged["tags"] = value!({"release": "2"});
    let updated = row("aws_db_instance.orders", UPDATE, original.clone(), tagged);
    lacks(&of("orders", updated), lost);
    // Its own data, a copy of another one, and an original that goes or is made anew.
    for out in [
        of("", stays()),
        of("order", stays()),
        of("orders", gone("aws_db_instance.orders", original.clone())),
        of(
            "orders",
            row(
                "aws_db_instance.orders",
                REPLACE,
                original.clone(),
                original.clone(),
            ),
        ),
    ] {
        has(&out, "danger", &[lost]);
        lacks(&out, "is a copy of");
    }
}

/// The configuration of a plan with these configurations of its provider, and resources, each with that of its own.
fn managed(providers: &[&str], resources: &[(&str, &str)]) -> Value {
    let expressions = value!({"region": {"constant_value": "r"}});
    let provider = |key: &&str| {
        let alias = key.split_once('.').map(|(_, alias)| alias);
        (
            (*key).to_owned(),
            value!({"name": "lab", "alias": alias, "expressions": expressions}),
        )
    };
    let providers: serde_json::Map<String, Value> = providers.iter().map(provider).collect();
    let resource = |(address, key): &(&str, &str)| {
        let (ty, name) = address.split_once('.').unwrap();
        value!({"address": address, "mode": "managed", "type": ty, "name": name, "provider_config_key": key, "expressions": {},
                "schema_version": 0})
    };
    let resources: Vec<Value> = resources.iter().map(resource).collect();
    value!({"configuration": {"provider_config": providers, "root_module": {"resources": resources}}})
}

#[test]
fn a_copy_has_one_original_where_its_provider_looks() {
    let database = |id: &str, of: &str| value!({"id": id, "identifier": "orders", "arn": format!("arn:aws:rds:eu-west-1:1:db:{id}"), "replicate_source_db": of});
    let [copy, main, other] = ["copy", "main", "other"].map(|it| match it {
        "copy" => "aws_db_instance.copy",
        "main" => "aws_db_instance.main",
        _ => "aws_db_instance.other",
    });
    let of = |original: &str, others: &[&'static str], config: Value| {
        let mut own = database("copy", original);
        own["identifier"] = value!("orders-r1");
        let kept = others.iter().map(|it| kept(it, &database(it, "")));
        brief_with([gone(copy, own)].into_iter().chain(kept).collect(), config)
    };
    let both = ["lab", "lab.eu"];
    let stays = ["it is a copy of aws_db_instance.main, which stays"];
    let whole = "arn:aws:rds:eu-west-1:1:db:aws_db_instance.main";
    for out in [
        of("orders", &[main], managed(&["lab"], &[(main, "lab")])),
        of(
            "orders",
            &[main],
            managed(&both, &[(copy, "lab.eu"), (main, "lab.eu")]),
        ),
        of(
            "orders",
            &[main, other],
            managed(&both, &[(copy, "lab"), (main, "lab"), (other, "lab.eu")]),
        ),
        // An ARN says itself in which region it is.
        of(
            whole,
            &[main],
            managed(&both, &[(copy, "lab.eu"), (main, "lab")]),
        ),
    ] {
        has(&out, "note", &stays);
    }
    for out in [
        of(
            "orders",
            &[main],
            managed(&both, &[(copy, "lab.eu"), (main, "lab")]),
        ),
        // It is not in the configuration, so nobody knows where it is.
        of("orders", &[main], managed(&both, &[(main, "lab")])),
        of("orders", &[main, other], value!({})),
    ] {
        has(&out, "danger", &["the database is deleted with its data"]);
        lacks(&out, "it is a copy of");
    }
}

#[test]
fn a_copy_is_one_in_the_names_of_pulumi_too() {
    let ty = "gcp:sql/databaseInstance:DatabaseInstance";
    let of = |original: &str| {
        let copy = value!({"name": "orders-r1", "masterInstanceName": "orders"});
        let main = value!({"name": original, "databaseVersion": "POSTGRES_16"});
        preview(vec![
            step("delete", ty, "copy", &copy, &Value::Null),
            step("same", ty, "main", &main, &main),
        ])
    };
    has(
        &of("orders"),
        "note",
        &["it is a copy of main, which stays"],
    );
    has(&of("sales"), "danger", &["copy"]);
}

/// A block of public access, all of whose switches have one value but the first.
fn block(id: &str, [first, others]: [bool; 2]) -> Value {
    value!({"id": id, "bucket": id, "block_public_acls": first, "block_public_policy": others, "ignore_public_acls": others,
            "restrict_public_buckets": others})
}

#[test]
fn the_block_of_an_account_answers_for_a_bucket() {
    let of = |own: [bool; 2], accounts: Vec<Row>| {
        let own = gone("aws_s3_bucket_public_access_block.press", block("b-1", own));
        brief([own].into_iter().chain(accounts).collect())
    };
    let account = |address, on| kept(address, &block("123456789012", on));
    let main = "aws_s3_account_public_access_block.main";
    let other = "aws_s3_account_public_access_block.other";
    let open = "public access is not blocked any longer";
    for (own, all) in [([true, true], [true, true]), ([false, true], [false, true])] {
        let out = of(own, vec![account(main, all)]);
        lacks(&out, open);
        has(
            &out,
            "note",
            &["aws_s3_account_public_access_block.main blocks the same for all of the account"],
        );
    }
    let accounts = vec![account(main, [true, true]), account(other, [false, true])];
    for out in [
        of([true, true], Vec::new()),
        of([true, true], vec![account(main, [false, true])]),
        // Nothing says which account the bucket is in.
        of([true, true], accounts),
        of(
            [true, true],
            vec![gone(main, block("123456789012", [true, true]))],
        ),
    ] {
        has(&out, "danger", &[open]);
    }
}

#[test]
fn the_block_of_an_account_holds_for_the_buckets_of_its_provider() {
    let [own, account] = [
        "aws_s3_bucket_public_access_block.press",
        "aws_s3_account_public_access_block.main",
    ];
    let of = |providers: &[&str], resources: &[(&str, &str)]| {
        let rows = vec![
            gone(own, block("b-1", [true, true])),
            kept(account, &block("123456789012", [true, true])),
        ];
        brief_with(rows, managed(providers, resources))
    };
    let both = ["lab", "lab.eu"];
    let open = "public access is not blocked any longer";
    for out in [
        of(&["lab"], &[(account, "lab")]),
        of(&both, &[(own, "lab.eu"), (account, "lab.eu")]),
    ] {
        lacks(&out, open);
    }
    for out in [
        of(&both, &[(own, "lab"), (account, "lab.eu")]),
        of(&both, &[(account, "lab.eu")]),
    ] {
        has(&out, "danger", &[open]);
    }
}

#[test]
fn two_resources_without_a_provider_are_of_no_account() {
    let ty = |name: &str| format!("aws:s3/{name}:{name}");
    let of = |has_provider: bool| {
        let block =
            |id: &str| value!({"bucket": id, "blockPublicAcls": true, "blockPublicPolicy": true});
        let mut steps = vec![
            step(
                "delete",
                &ty("bucketPublicAccessBlock"),
                "own",
                &block("b-1"),
                &Value::Null,
            ),
            step(
                "same",
                &ty("accountPublicAccessBlock"),
                "all",
                &block(""),
                &block(""),
            ),
        ];
        let sides = steps
            .iter_mut()
            .flat_map(|step| step.as_object_mut().unwrap().values_mut());
        for side in sides.filter(|side| side.is_object() && !has_provider) {
            side.as_object_mut().unwrap().remove("provider");
        }
        preview(steps)
    };
    let covered = "all blocks the same for all of the account";
    has(&of(true), "note", &[covered]);
    lacks(&of(false), covered);
}

#[test]
fn a_ruleset_of_the_same_repository_leaves_a_warning() {
    let of = |repository: &str, enforcement: &str, branch: &str| {
        let protection =
            value!({"repositoryId": "dispatch", "pattern": "main", "enforceAdmins": true});
        let ruleset = value!({"name": "default", "repository": repository, "target": "branch", "enforcement": enforcement,
                              "conditions": {"refName": {"includes": [branch], "excludes": []}}, "rules": {"deletion": true}});
        preview(vec![
            step(
                "delete",
                "github:index/branchProtection:BranchProtection",
                "gone",
                &protection,
                &Value::Null,
            ),
            step(
                "same",
                "github:index/repositoryRuleset:RepositoryRuleset",
                "ruleset",
                &ruleset,
                &ruleset,
            ),
        ])
    };
    let open = "everybody who can push can change the branch";
    let out = of("dispatch", "active", "~DEFAULT_BRANCH");
    lacks(&out, open);
    has(
        &out,
        "warning",
        &["ruleset protects a branch of the same repository"],
    );
    for (repository, enforcement, branch) in [
        ("billing", "active", "~DEFAULT_BRANCH"),
        ("dispatch", "evaluate", "~DEFAULT_BRANCH"),
        ("dispatch", "active", "refs/heads/release/*"),
    ] {
        has(&of(repository, enforcement, branch), "danger", &[open]);
    }
    let of_all = |repositories: &str| {
        let protection = value!({"id": "p-1", "repository_id": "R_1", "pattern": "main"});
        let ruleset = value!({"id": "r-1", "target": "branch", "enforcement": "active",
            "conditions": [{"ref_name": [{"include": ["~DEFAULT_BRANCH"]}], "repository_name": [{"include": [repositories]}]}]});
        brief(vec![
            gone("github_branch_protection.main", protection),
            kept("github_organization_ruleset.all", &ruleset),
        ])
    };
    let covered = "github_organization_ruleset.all protects the default branch of each repository";
    has(&of_all("~ALL"), "warning", &[covered]);
    has(&of_all("dispatch-*"), "danger", &[open]);
}

#[test]
fn a_deposed_object_goes_without_an_alarm_if_another_has_its_place() {
    let of = |actions: &[&str]| {
        let change = |actions: &[&str], key: Value| {
            value!({"address": "aws_acm_certificate.cdn", "mode": "managed", "type": "aws_acm_certificate", "name": "cdn",
                    "provider_name": "registry.terraform.io/hashicorp/aws", "deposed": key,
                    "change": {"actions": actions, "before": {"id": "c-1"}, "after": if actions == ["delete"] { Value::Null } else { value!({"id": "c-1"}) },
                               "after_unknown": {}, "before_sensitive": {}, "after_sensitive": {}}})
        };
        let changes = value!([
            change(actions, Value::Null),
            change(&["delete"], value!("9f3c01ab"))
        ]);
        brief_with(Vec::new(), value!({"resource_changes": changes}))
    };
    let says = "deposed: another object has taken its place";
    let out = of(&["no-op"]);
    has(&out, "note", &[says]);
    lacks(&out, "the certificate is deleted");
    lacks(&of(&["delete"]), says);
}

/// A policy that closes pods with these labels in these directions.
fn policy(namespace: &str, labels: &Value, directions: &Value, ingress: &Value) -> Value {
    value!({"id": "x", "metadata": [{"name": "p", "namespace": namespace}],
            "spec": [{"pod_selector": [{"match_labels": labels, "match_expressions": []}], "policy_types": directions,
                      "ingress": ingress, "egress": []}]})
}

#[test]
fn pods_that_a_wider_policy_closes_stay_closed() {
    let nothing = || value!([]);
    let rule = || value!([{"from": [], "ports": [{"port": 80}]}]);
    let of = |ingress: &Value, other: &Value| {
        let labels = value!({"app": "checkout", "tier": "front"});
        let own = policy("shop", &labels, &value!(["Ingress", "Egress"]), ingress);
        brief(vec![
            gone("kubernetes_network_policy_v1.gone", own),
            kept("kubernetes_network_policy_v1.all", other),
        ])
    };
    let both = || value!(["Egress", "Ingress"]);
    let opened = "pods are open to traffic that was refused";
    for labels in [Value::Null, value!({}), value!({"app": "checkout"})] {
        let other = policy("shop", &labels, &both(), &nothing());
        let out = of(&nothing(), &other);
        lacks(&out, opened);
        has(
            &out,
            "note",
            &[
                "it lets nothing through, so nothing is refused or opened",
                "kubernetes_network_policy_v1.all is for the same pods, which stay closed",
            ],
        );
        let refused = "traffic that only this policy lets through is refused";
        has(&of(&rule(), &other), "warning", &[refused]);
    }
    for other in [
        policy("other", &Value::Null, &both(), &nothing()),
        policy("shop", &value!({"app": "search"}), &both(), &nothing()),
        policy("shop", &Value::Null, &value!(["Ingress"]), &nothing()),
        policy(
            "shop",
            &value!({"app": "checkout", "color": "blue"}),
            &both(),
            &nothing(),
        ),
    ] {
        has(&of(&nothing(), &other), "danger", &[opened]);
    }
}

#[test]
fn a_wider_rule_lets_the_same_traffic_through() {
    let rule = |group: &str, ports: [u16; 2], cidr: &str| {
        value!({"id": format!("sgr-{cidr}"), "security_group_rule_id": format!("sgr-{cidr}"), "security_group_id": group,
                "from_port": ports[0], "to_port": ports[1], "ip_protocol": "tcp", "cidr_ipv4": cidr, "description": cidr})
    };
    let of = |other: Row| {
        let own = rule("sg-1", [5432, 5432], "10.4.16.0/22");
        brief(vec![
            gone("aws_vpc_security_group_ingress_rule.office", own),
            other,
        ])
    };
    let refused = "traffic that the rule lets in is refused";
    let stays = |it: &Value| of(kept("aws_vpc_security_group_ingress_rule.vpc", it));
    let out = stays(&rule("sg-1", [5000, 6000], "10.4.0.0/16"));
    lacks(&out, refused);
    has(
        &out,
        "note",
        &["aws_vpc_security_group_ingress_rule.vpc lets the same traffic through"],
    );
    let mut all = rule("sg-1", [0, 0], "10.0.0.0/8");
    all["ip_protocol"] = value!("udp");
    for other in [
        rule("sg-2", [5432, 5432], "10.4.0.0/16"),
        rule("sg-1", [5433, 5433], "10.4.0.0/16"),
        rule("sg-1", [5432, 5432], "10.4.17.0/24"),
        all,
    ] {
        has(&stays(&other), "warning", &[refused]);
    }
    let wide = rule("sg-1", [5432, 5432], "10.4.0.0/16");
    let out = of(gone(
        "aws_vpc_security_group_ingress_rule.vpc",
        wide.clone(),
    ));
    has(&out, "warning", &[refused]);
    // The way out is no way in.
    let out = of(kept("aws_vpc_security_group_egress_rule.vpc", &wide));
    has(&out, "warning", &[refused]);
}

#[test]
fn a_rule_lets_the_ports_through_that_its_text_names() {
    let rule = |ports: &str, cidr: &str| {
        value!({"id": format!("r-{cidr}"), "type": "ingress", "security_group_id": "sg-1", "ip_protocol": "tcp", "port_range": ports,
                "cidr_ip": cidr})
    };
    let of = |own: &str, other: &str| {
        brief(vec![
            gone(
                "alicloud_security_group_rule.gone",
                rule(own, "10.1.0.0/16"),
            ),
            kept(
                "alicloud_security_group_rule.wide",
                &rule(other, "10.0.0.0/8"),
            ),
        ])
    };
    let through = "alicloud_security_group_rule.wide lets the same traffic through";
    for (own, other) in [
        ("80/80", "1/65535"),
        ("80/80", "80,443"),
        ("443", "80,400-500"),
        ("80/80", "-1/-1"),
        ("ssh", "*"),
        ("ssh", "ssh"),
    ] {
        has(&of(own, other), "note", &[through]);
    }
    for (own, other) in [
        ("80/80", "22/22"),
        ("8080", "80,443"),
        ("80/80", "ssh"),
        ("80,443", "443"),
    ] {
        lacks(&of(own, other), through);
    }
}

#[test]
fn a_rule_with_another_source_beside_its_addresses_is_not_covered() {
    let rule = |ty: &str, cidrs: Value, self_too: bool| {
        value!({"id": format!("r-{cidrs}"), "type": ty, "security_group_id": "sg-1", "from_port": 22, "to_port": 22, "protocol": "tcp",
                "cidr_blocks": cidrs, "self": self_too})
    };
    let of = |ty: &str, self_too: bool, ty_of_other: &str| {
        let own = rule(ty, value!(["10.1.0.0/16", "10.2.0.0/16"]), self_too);
        let other = rule(ty_of_other, value!(["10.0.0.0/8"]), false);
        brief(vec![
            gone("aws_security_group_rule.gone", own),
            kept("aws_security_group_rule.wide", &other),
        ])
    };
    let through = "aws_security_group_rule.wide lets the same traffic through";
    has(&of("ingress", false, "ingress"), "note", &[through]);
    has(&of("egress", false, "egress"), "note", &[through]);
    lacks(&of("ingress", true, "ingress"), through);
    lacks(&of("ingress", false, "egress"), through);
}

/// Settings that go with these other changes.
fn settings(others: Vec<Row>) -> String {
    let map = value!({"id": "shop/locator", "metadata": [{"name": "locator", "namespace": "shop"}], "data": {"LOG": "info"}});
    let own = gone("kubernetes_config_map_v1.locator", map);
    brief([own].into_iter().chain(others).collect())
}

/// A workload that reads settings of a name.
fn workload(settings: &str, replicas: u32) -> Value {
    value!({"id": "shop/w", "metadata": [{"name": "w", "namespace": "shop"}],
            "spec": [{"replicas": replicas, "template": [{"spec": [{"container": [{"env_from": [{"config_map_ref": [{"name": settings}]}]}]}]}]}]})
}

#[test]
fn settings_that_only_serve_what_goes_are_needed_no_longer() {
    let web = "kubernetes_deployment_v1.web";
    let lost = "pods that need it do not start any longer";
    let out = settings(vec![gone(web, workload("locator", 2))]);
    lacks(&out, lost);
    has(
        &out,
        "note",
        &["nothing else needs it: kubernetes_deployment_v1.web goes too"],
    );
    let out = settings(vec![kept(web, &workload("locator", 0))]);
    has(
        &out,
        "note",
        &["nothing else needs it: kubernetes_deployment_v1.web is off already"],
    );
    for out in [
        settings(vec![kept(web, &workload("locator", 2))]),
        settings(vec![
            gone(web, workload("locator", 2)),
            kept("kubernetes_deployment_v1.other", &workload("locator", 1)),
        ]),
        // Nobody in the file needs it, so perhaps somebody outside of it does.
        settings(vec![gone(web, workload("locator-v2", 2))]),
        settings(Vec::new()),
    ] {
        has(&out, "warning", &[lost]);
    }
}

#[test]
fn a_role_that_something_names_is_needed() {
    let arn = "arn:aws:iam::123456789012:role/web-7";
    let of = |name_of_other: &str| {
        let function = |role: &str| value!({"handler": "main", "role": role});
        let role = value!({"name": "web-7", "arn": arn, "assumeRolePolicy": "{}"});
        let ty = "aws:lambda/function:Function";
        let mut gone = step("delete", ty, "web", &function(arn), &Value::Null);
        let role = step("delete", "aws:iam/role:Role", "role", &role, &Value::Null);
        gone["oldState"]["dependencies"] = value!([role["urn"]]);
        gone["oldState"]["propertyDependencies"] = value!({"role": [role["urn"]]});
        let other = function(name_of_other);
        preview(vec![gone, role, step("same", ty, "other", &other, &other)])
    };
    let needed = "nothing else needs it: web goes too";
    has(&of("arn:aws:iam::123456789012:role/api"), "note", &[needed]);
    // Another role whose name goes on.
    has(
        &of("arn:aws:iam::123456789012:role/web-7-blue"),
        "note",
        &[needed],
    );
    lacks(&of(arn), needed);
}

#[test]
fn settings_without_a_name_that_can_be_looked_for_may_be_needed() {
    let of = |name: &str, mask: Value| {
        let map = value!({"id": "x", "metadata": [{"name": name, "namespace": "shop"}], "data": {"LOG": "info"}});
        brief(vec![
            gone("kubernetes_config_map_v1.locator", map).masked(mask),
            gone("kubernetes_deployment_v1.web", workload(name, 2)),
            kept("kubernetes_deployment_v1.other", &workload(name, 1)),
        ])
    };
    for out in [
        of("lo", value!({})),
        of("locator", value!({"metadata": [{"name": true}]})),
    ] {
        lacks(&out, "nothing else needs it");
    }
}

#[test]
fn what_is_managed_under_another_address_is_no_leftover() {
    let bucket = |id: &str, region: &str| value!({"id": id, "bucket": id, "region": region});
    let forgotten = || {
        row(
            "aws_s3_bucket_versioning.media",
            &["forget"],
            bucket("media", "eu-west-1"),
            Value::Null,
        )
    };
    let of = |other: Row| brief(vec![forgotten(), other]);
    let there = "module.shop.aws_s3_bucket_versioning.media";
    let own = bucket("media", "eu-west-1");
    let out = of(kept(there, &own));
    lacks(&out, "nothing manages it any longer");
    has(
        &out,
        "note",
        &["is forgotten here, and managed as module.shop.aws_s3_bucket_versioning.media"],
    );
    // Another type manages it: it is imported by an id of the forgotten one.
    let imported = |id: &str| {
        let side = value!({"id": id, "security_group_rule_id": id});
        let change = |address: &str,
                      actions: &[&str],
                      before: &Value,
                      after: &Value,
                      import: Value| {
            let (ty, name) = address.split_once('.').unwrap();
            value!({"address": address, "mode": "managed", "type": ty, "name": name, "provider_name": "registry.terraform.io/acme/lab",
                    "change": {"actions": actions, "before": before, "after": after, "after_unknown": {}, "before_sensitive": {},
                               "after_sensitive": {}, "importing": import}})
        };
        let rule = value!({"id": "sgrule-1", "security_group_id": "sg-0123456789", "security_group_rule_id": "sgr-0123456789"});
        let changes = value!([
            change(
                "aws_security_group_rule.https",
                &["forget"],
                &rule,
                &Value::Null,
                Value::Null
            ),
            change(
                "aws_vpc_security_group_ingress_rule.https",
                NOTHING,
                &side,
                &side,
                value!({"id": id})
            ),
        ]);
        brief_with(Vec::new(), value!({"resource_changes": changes}))
    };
    let managed = "is forgotten here, and managed as aws_vpc_security_group_ingress_rule.https";
    has(&imported("sgr-0123456789"), "note", &[managed]);
    // The group is no id of the rule.
    lacks(&imported("sg-0123456789"), managed);
    for other in [
        kept(there, &bucket("other", "eu-west-1")),
        kept(there, &bucket("media", "eu-north-1")),
        kept("aws_s3_bucket.media", &own),
        row(there, &["forget"], own.clone(), Value::Null),
        gone(there, own.clone()),
    ] {
        has(&of(other), "warning", &["nothing manages it any longer"]);
    }
}

#[test]
fn a_mark_in_a_document_of_a_neighbor_is_known_here() {
    let policy = |id: &str, account: &str| {
        let text = value!({"Statement": [{"Effect": "Allow", "Action": "s3:PutObject", "Principal": {"AWS": format!("arn:aws:iam::{account}:root")},
                           "Resource": "arn:aws:s3:::logs-b2b/alb/AWSLogs/*"}]});
        value!({"id": id, "bucket": id, "owner": "123456789012", "policy": text.to_string()})
    };
    let of = |neighbor: &str| {
        let own = ["lab_policy.a", "lab_policy.b", "lab_policy.c"]
            .map(|address| kept(address, &policy(address, "123456789012")));
        let neighbor = kept("lab_policy.logs", &policy("logs", neighbor));
        let new = row(
            "lab_policy.new",
            CREATE,
            Value::Null,
            policy("new", "999999999999"),
        );
        brief(own.into_iter().chain([neighbor, new]).collect())
    };
    let foreign = "a new value names the account 999999999999";
    has(&of("123456789012"), "warning", &[foreign]);
    lacks(&of("999999999999"), foreign);
}

#[test]
fn a_secret_name_is_never_told() {
    let secret = "correct-horse-battery";
    let database = value!({"id": "db-1", "identifier": "orders-r1", "replicate_source_db": secret});
    let original = value!({"id": "db-2", "identifier": secret});
    let mut changes = vec![];
    for (address, actions, side, after) in [
        (
            "aws_db_instance.copy",
            value!(["delete"]),
            &database,
            &Value::Null,
        ),
        (
            "aws_db_instance.main",
            value!(["no-op"]),
            &original,
            &original,
        ),
    ] {
        let name = address.rsplit('.').next().unwrap();
        let mask = value!({"replicate_source_db": true, "identifier": true});
        changes.push(value!({"address": address, "mode": "managed", "type": "aws_db_instance", "name": name,
            "provider_name": "registry.terraform.io/acme/lab",
            "change": {"actions": actions, "before": side, "after": after, "after_unknown": {}, "before_sensitive": mask,
                       "after_sensitive": mask}}));
    }
    let out = brief_with(Vec::new(), value!({"resource_changes": changes}));
    lacks(&out, secret);
    has(&out, "danger", &["the database is deleted with its data"]);
}
