//! The page of a brief: what is told once, and the places and values of its lines.

use serde_json::{Value, json as value};

use super::mechanisms::{CREATE, DELETE, NOTHING, UPDATE, brief, brief_with, has, lacks, row};

#[test]
fn the_element_of_a_list_has_its_name_and_a_masked_one_has_none() {
    let side = |pool: &str, release: &str| {
        let env = value!([{"name": "DB_POOL_MAX", "value": pool}, {"name": "KEEP", "value": "x"},
                          {"name": "RELEASE", "value": release}]);
        value!({"env": env, "containers": value!([{"name": "app", "env": env}]).to_string()})
    };
    let out = brief(vec![row(
        "lab_task.it",
        UPDATE,
        side("12", "a-1"),
        side("32", "a-2"),
    )]);
    // Both places change alike.
    let want = [
        r#"~ {containers[*].env, env}[DB_POOL_MAX].value  "12" → "32""#,
        r#"~ {containers[*].env, env}[RELEASE].value  "a-1" → "a-2""#,
    ];
    has(&out, "on their own", &want);
    // `hunter2` is a likely secret by the name of its property.
    let side = |n: u8| value!({"users": [{"password": "hunter2secret9", "n": n}, {"password": "hunter3secret9", "n": 0}]});
    let out = brief(vec![row("lab_task.it", UPDATE, side(1), side(2))]);
    has(&out, "on their own", &["users[*].n  1 → 2"]);
    lacks(&out, "hunter");
}

/// An element without a name is told apart by a text that no other has and that stays. A new one has no such text.
#[test]
fn an_element_without_a_name_is_told_apart_by_what_stays() {
    let route = |service: &str, paths: &[&str]| value!({"paths": paths, "service": service});
    let before = [route("catalog", &["/rows"]), route("profile", &["/me/*"])];
    let after = [
        route("catalog", &["/me/rows", "/rows"]),
        route("profile", &["/me/*"]),
        route("parties", &["/parties"]),
    ];
    let out = brief(vec![row(
        "lab_map.it",
        UPDATE,
        value!({ "routes": before }),
        value!({ "routes": after }),
    )]);
    let want = [
        r#"+ routes[*].paths[*]  "/me/rows"  service "catalog""#,
        r#"+ routes[*].paths[*]  "/parties""#,
    ];
    has(&out, "on their own", &want);
    // Texts that others have too, or that are masked, tell nothing apart.
    let route =
        |path: &str| value!({"paths": [path], "service": "one", "password": "hunter2secret9"});
    let side = |path: &str| value!({"routes": [route(path), route("/kept")]});
    let out = brief(vec![row("lab_map.it", UPDATE, side("/a"), side("/b"))]);
    lacks(&out, "service");
    lacks(&out, "hunter");
}

/// Of texts of several lines in a group, the lines that differ are told; of numbers that all move alike, by how much.
#[test]
fn a_group_shows_the_lines_that_differ_and_the_step_of_its_numbers() {
    let one = |name: &str, place: u32, line: &str, step: u32| {
        let text = format!("# Owners of {name}\n* @{name}\n{line}");
        value!({"content": text, "priority": place + step})
    };
    let addresses = [
        "lab_file.cart",
        "lab_file.mail",
        "lab_file.stock",
        "lab_file.tax",
    ];
    let rows = addresses.into_iter().zip(1..).map(|(address, at)| {
        let name = &address["lab_file.".len()..];
        row(
            address,
            UPDATE,
            one(name, at * 10, "", 0),
            one(name, at * 10, "/docs @writers\n", 1000),
        )
    });
    let out = brief(rows.collect());
    let want = [
        r#"+ content  "/docs @writers"  more lines"#,
        "~ priority  10…40 → 1010…1040  each +1000",
    ];
    has(&out, "the same change, many times", &want);
}

#[test]
fn a_text_that_only_gets_or_loses_lines_shows_these() {
    let text = |text: &str| value!({"content": text});
    let of = |before: &str, after: &str| {
        brief(vec![row("lab_file.one", UPDATE, text(before), text(after))])
    };
    let (short, long) = ("a 1\nb 2\n", "a 1\nn 3\nb 2\n");
    has(
        &of(short, long),
        "on their own",
        &[r#"+ content  "n 3"  more lines"#],
    );
    has(
        &of(long, short),
        "on their own",
        &[r#"- content  "n 3"  fewer lines"#],
    );
    // A text that was empty comes as a whole, and a line that becomes another one has two sides.
    has(
        &of("", long),
        "on their own",
        &[r#"~ content  "" → "a 1\nn 3\nb 2""#],
    );
    has(
        &of("a 1\nb 2\n", "a 1\nb 3\n"),
        "on their own",
        &[r#"~ content  "b 2" → "b 3""#],
    );
}

#[test]
fn a_domain_is_told_as_the_name_of_what_comes() {
    let of = |address: &'static str, values: Value| {
        brief(vec![row(address, CREATE, Value::Null, values)])
    };
    let out = of(
        "aws_route53_zone.reports",
        value!({"name": "corvapay.example"}),
    );
    has(
        &out,
        "on their own",
        &[r#"create  name "corvapay.example""#],
    );
    let out = of(
        "google_dns_managed_zone.it",
        value!({"name": "carriers-internal", "dns_name": "carriers.int.example."}),
    );
    has(
        &out,
        "on their own",
        &[r#"create  dns_name "carriers.int.example.""#],
    );
    // A plain name is that of the resource, and the address of a server says nothing.
    for values in [
        value!({"name": "reports"}),
        value!({"dns_name": "fs-1.efs.example"}),
        value!({"name": "redis7.4"}),
    ] {
        lacks(&of("lab_server.reports", values), "create  ");
    }
}

/// An element of a list that comes or goes is a line, or two if it is long. Two elements have a line each.
#[test]
fn an_element_that_comes_or_goes_is_one_line() {
    let column = |name: &str, ty: &str| value!({"name": name, "type": ty});
    let statement = |sid: &str, actions: Value, resource: &str| value!({"Sid": sid, "Action": actions, "Resource": resource});
    let policy = |statements: Value| value!({ "Statement": statements }).to_string();
    let long = "x".repeat(90);
    let kept = statement("Keep", value!("s3:GetObject"), "r");
    let gone = statement("Gone", value!(["s3:PutObject", "s3:DeleteObject"]), &long);
    let out = brief(vec![row(
        "lab_table.it",
        UPDATE,
        value!({"columns": [column("id", "int")], "policy": policy(value!([kept, gone]))}),
        value!({"columns": [column("id", "int"), column("trace", "string"), column("zone", "int")],
                "policy": policy(value!([kept]))}),
    )]);
    let want = [
        r#"+ columns[trace]  name: "trace", type: "string""#,
        r#"+ columns[zone]  name: "zone", type: "int""#,
        r#"- policy.Statement[Gone]  Action: ["s3:PutObject", "s3:DeleteObject"], Sid: "Gone""#,
        &format!(r#"- policy.Statement[Gone].Resource  "{long}""#),
    ];
    has(&out, "on their own", &want);
}

/// An output changes with the resource whose text it loses, not with one whose text it keeps. A long map is told by its entries.
#[test]
fn an_output_stands_below_the_resource_whose_text_it_loses() {
    let arn = |name: &str| format!("arn:aws:sqs:eu-central-1:123456789012:{name}");
    let queue = |name: &str| value!({"arn": arn(name)});
    let output = |before: Value, after: Value| {
        value!({"actions": ["update"], "before": before, "after": after, "after_unknown": false,
                "before_sensitive": false, "after_sensitive": false})
    };
    let queues = |names: &[&str]| -> Value {
        let arns = names
            .iter()
            .map(|name| ((*name).to_owned(), value!(arn(name))));
        Value::Object(arns.collect())
    };
    let outputs = value!({"output_changes": {
        "queues": output(queues(&["mail", "stock"]), queues(&["mail", "stock", "tax", "zone"])),
        "main": output(value!(arn("old")), value!(arn("new"))),
    }});
    let rows = vec![
        row("lab_target.gone", DELETE, queue("mail"), Value::Null),
        row("lab_queue.it", UPDATE, queue("old"), queue("new")),
    ];
    let out = brief_with(rows, outputs);
    has(
        &out,
        "on their own",
        &[r#"~ output main  → "arn:aws:sqs:eu-central-1:123456789012:new""#],
    );
    has(&out, "outputs", &["~ queues  ~ {2} → {4}  + tax, + zone"]);
    lacks(&out, "output queues");
    assert!(
        out.starts_with("2 changes: 1 delete, 1 update · 2 outputs change\n"),
        "{out}"
    );
}

/// A value of one sibling alone has its name, and stands first.
#[test]
fn a_group_names_the_elements_that_its_members_change() {
    let side = |own: [&str; 2], pool: &str, release: &str| {
        value!({"env": [{"name": own[0], "setting": own[1]}, {"name": "DB_POOL_MAX", "setting": pool},
                        {"name": "RELEASE", "setting": release}]})
    };
    let task = |name: &'static str, own: &str, pool: &str| {
        let (before, after) = (side([own, "x"], "5", "a-1"), side([own, "y"], pool, "a-2"));
        row(name, UPDATE, before, after)
    };
    let out = brief(vec![
        task("lab_task.a", "MODE", "9"),
        task("lab_task.b", "LEVEL", "9"),
        task("lab_task.c", "LEVEL", "8"),
    ]);
    has(
        &out,
        "the same change",
        &[
            r#"~ env[MODE].setting  "x" → "y"  in 1 of 3"#,
            r#"~ env[LEVEL].setting  "x" → "y"  in 2 of 3"#,
            r#"~ env[DB_POOL_MAX].setting  "5" → "9", "9", "8""#,
            r#"~ env[RELEASE].setting  "a-1" → "a-2""#,
        ],
    );
}

#[test]
fn the_order_of_named_elements_is_told() {
    let side = |names: &[&str]| {
        let rules: Vec<_> = names
            .iter()
            .map(|name| value!({"name": name, "allow": 1}))
            .collect();
        value!({"filter": rules})
    };
    let out = brief(vec![row(
        "lab_acl.it",
        UPDATE,
        side(&["first", "deny", "allow", "last"]),
        side(&["first", "allow", "deny", "last"]),
    )]);
    has(
        &out,
        "on their own",
        &["~ filter  deny, allow → allow, deny  same elements, other order"],
    );
}

#[test]
fn what_comes_and_goes_with_one_key_is_one_story() {
    let new = |address: &'static str| row(address, CREATE, value!(null), value!({"size": 1}));
    let kept = || value!({"size": 1});
    let out = brief(vec![
        new(r#"module.bus.lab_rule.this["lockers"]"#),
        new(r#"module.bus.lab_target.queue["lockers"]"#),
        new(r#"module.bus.lab_rule.this["kept"]"#),
        row(
            r#"module.bus.lab_target.queue["kept"]"#,
            NOTHING,
            kept(),
            kept(),
        ),
        new("lab_rule.it[0]"),
        new("lab_target.it[0]"),
    ]);
    has(
        &out,
        "the same change",
        &[r#"create, all instances ["lockers"] in module.bus"#],
    );
    lacks(&out, r#"instances ["kept"]"#);
    lacks(&out, "instances [0]");
    // A thing that outlives the rest is no part of it.
    let gone = |address: &'static str| row(address, DELETE, value!({"size": 1}), value!(null));
    let out = brief(vec![
        gone(r#"module.bus.lab_rule.this["relay"]"#),
        gone(r#"module.bus.lab_target.queue["relay"]"#),
        gone(r#"module.bus.lab_role.this["relay"]"#),
        row(
            r#"module.bus.lab_registry.kept["relay"]"#,
            NOTHING,
            kept(),
            kept(),
        ),
    ]);
    let says = r#"delete, instances ["relay"] in module.bus, 1 stays"#;
    has(&out, "the same change", &[says]);
}

#[test]
fn places_of_one_property_are_one_line_as_far_as_it_is_short() {
    let side = |by: u32, text: &str| value!({"rules": [{"priority": by, "text": text}, {"priority": 2 * by, "text": text}, {"priority": 3 * by, "text": text}]});
    let long = "x".repeat(60);
    let out = brief(vec![row(
        "lab_acl.it",
        UPDATE,
        side(1, "a"),
        side(10, &long),
    )]);
    has(
        &out,
        "on their own",
        &["rules[*].priority  1, 2, 3 → 10, 20, 30"],
    );
}

#[test]
fn what_is_new_as_a_whole_is_one_story() {
    let new = |address| row(address, CREATE, value!(null), value!({"size": 1}));
    let out = brief(vec![
        new("module.shop_eu.lab_queue.main"),
        new("module.shop_eu.lab_topic.main"),
        new("module.shop_eu.lab_role.main"),
        new("lab_zone.other"),
        row(
            "module.shop_us.lab_queue.main",
            NOTHING,
            value!({"size": 1}),
            value!({"size": 1}),
        ),
    ]);
    has(
        &out,
        "the same change, many times",
        &[
            "create, all of module.shop_eu",
            "module.shop_eu.lab_queue.main, module.shop_eu.lab_role.main, module.shop_eu.lab_topic.main",
        ],
    );
    has(&out, "on their own", &["lab_zone.other  create"]);
}

#[test]
fn a_deletion_that_keeps_its_object_is_a_note() {
    let gone = |policy: &str| {
        let before = value!({"name": "orders", "deletion_policy": policy});
        brief(vec![row(
            "google_sql_database.it",
            DELETE,
            before,
            value!(null),
        )])
    };
    has(
        &gone("DELETE"),
        "look at these first",
        &["the database is deleted with its data"],
    );
    let out = gone("ABANDON");
    has(
        &out,
        "on their own",
        &[r#"only the tool forgets it, the object stays: deletion_policy "ABANDON""#],
    );
    lacks(&out, "look at these first");
    lacks(&out, "\n        deletion_policy");
}

#[test]
fn the_bucket_of_a_permission_is_no_name_of_it() {
    let member = |role: &str| value!({"id": format!("b/kestrel-media-covers/{role}"), "bucket": "b/kestrel-media-covers", "role": role, "member": "user:a"});
    let stays = row(
        "google_storage_bucket_iam_member.admin",
        NOTHING,
        member("admin"),
        member("admin"),
    );
    let goes = row(
        "google_storage_bucket_iam_member.viewer",
        DELETE,
        member("viewer"),
        value!(null),
    );
    lacks(&brief(vec![stays, goes]), "stays and refers to it");
}

#[test]
fn two_objects_with_one_name_in_two_functions_do_not_clash() {
    let alias = |function: &str| value!({"name": "live", "function_name": function});
    let plan = |function: &str| {
        brief(vec![
            row(
                "aws_lambda_alias.old",
                NOTHING,
                alias("orders"),
                alias("orders"),
            ),
            row(
                "aws_lambda_alias.new",
                CREATE,
                value!(null),
                alias(function),
            ),
        ])
    };
    has(&plan("orders"), "warning", &["the apply stops here"]);
    lacks(&plan("returns"), "the apply stops here");
}

#[test]
fn a_network_policy_with_an_equal_twin_opens_nothing() {
    let policy = |name: &str, app: &str| {
        value!({"metadata": [{"name": name, "namespace": "shop"}],
                "spec": [{"pod_selector": [{"match_labels": {"app": app}}], "policy_types": ["Ingress"]}]})
    };
    let plan = |stays: serde_json::Value| {
        brief(vec![
            row(
                "kubernetes_network_policy.old",
                DELETE,
                policy("old", "api"),
                value!(null),
            ),
            row(
                "kubernetes_network_policy.new",
                NOTHING,
                stays.clone(),
                stays,
            ),
        ])
    };
    let danger = "pods are open to traffic that was refused";
    has(
        &plan(policy("new", "web")),
        "look at these first",
        &[danger],
    );
    let out = plan(policy("new", "api"));
    lacks(&out, "look at these first");
    has(&out, "on their own", &["an equal one stays"]);
}

#[test]
fn the_order_of_choices_in_a_document_has_an_effect() {
    let side = |key: &str, all: [u8; 2]| value!({"definition": value!({"States": {"Pay": {key: all}}}).to_string()});
    let of = |key: &str| {
        let plan = row(
            "aws_sfn_state_machine.it",
            UPDATE,
            side(key, [48, 24]),
            side(key, [24, 48]),
        );
        brief(vec![plan])
    };
    has(
        &of("Choices"),
        "on their own",
        &["definition.States.Pay.Choices"],
    );
}
