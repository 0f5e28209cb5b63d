//! Findings about changes that go against their siblings, that cannot be applied, or that take nothing away.

use serde_json::{Value, json as value};

use super::mechanisms::{
    CREATE, DELETE, NOTHING, REPLACE, Row, UPDATE, brief, brief_with, has, lacks, preview, row,
    step,
};

/// The options of a change that creates the new object first.
const CREATE_FIRST: &[&str] = &["create", "delete"];

/// Updates of one property of several resources: from, to.
fn updates(addresses: &[&'static str], property: &str, values: &[(Value, Value)]) -> Vec<Row> {
    let side = |value: &Value| {
        let mut side = value!({});
        side[property] = value.clone();
        side
    };
    let rows = addresses.iter().zip(values);
    rows.map(|(address, (old, new))| row(address, UPDATE, side(old), side(new)))
        .collect()
}

const LOGS: [&str; 4] = ["lab_log.a", "lab_log.b", "lab_log.c", "lab_log.d"];

#[test]
fn the_one_that_goes_the_other_way_is_told_on_its_own() {
    let grows = || (value!(30), value!(90));
    let plan =
        |last: (Value, Value)| brief(updates(&LOGS, "weight", &[grows(), grows(), grows(), last]));
    let out = plan((value!(400), value!(14)));
    has(&out, "on their own", &["lab_log.d", "weight  400 → 14"]);
    has(
        &out,
        "note",
        &["against the stream: it grows in the 3 other lab_log that change it"],
    );
    // The line of the change has the place.
    assert_eq!(out.matches("against the stream").count(), 2, "{out}");
    lacks(&plan((value!(10), value!(14))), "against-the-stream");
    // Two against two are no stream.
    let shrinks = || (value!(90), value!(30));
    let out = brief(updates(
        &LOGS,
        "weight",
        &[grows(), grows(), shrinks(), shrinks()],
    ));
    lacks(&out, "against-the-stream");
}

#[test]
fn the_one_whose_value_is_put_together_otherwise_is_told_on_its_own() {
    let shops = ["bags", "fx-rates", "hats", "refunds"];
    let address = |shop: &str| format!("lab_queue.it[\"{shop}\"]");
    let plan = |of_refunds: &str| {
        let queue = |shop: &&str| {
            let dead = match *shop {
                "refunds" => of_refunds.to_owned(),
                shop => format!("topics/{shop}-dead"),
            };
            let address: &'static str = address(shop).leak();
            row(
                address,
                UPDATE,
                value!({"dead_letters": "topics/all-dead"}),
                value!({"dead_letters": dead}),
            )
        };
        brief(shops.iter().map(queue).collect())
    };
    let out = plan("topics/refunds");
    has(
        &out,
        "on their own",
        &[
            "lab_queue.it[\"refunds\"]",
            "\"topics/all-dead\" → \"topics/refunds\"",
        ],
    );
    let others =
        "~ 3 of 4  lab_queue  ~ dead_letters  \"topics/all-dead\" → \"topics/‹name›-dead\"\n";
    assert!(out.contains(others), "{out}");
    assert!(plan("topics/refunds-dead").contains("~ 4 of 4  lab_queue"));
}

#[test]
fn the_one_that_goes_back_to_an_older_version_is_a_warning() {
    let newer = || (value!("1.9.2"), value!("1.10.0"));
    let plan = |last: (Value, Value)| {
        brief(updates(
            &LOGS,
            "engine_version",
            &[newer(), newer(), newer(), last],
        ))
    };
    let out = plan((value!("1.9.2"), value!("1.8.7")));
    has(
        &out,
        "warning",
        &[
            "lab_log.d",
            "against the stream: it gets newer in the 3 other lab_log",
        ],
    );
    lacks(
        &plan((value!("1.8.7"), value!("1.9.2"))),
        "against-the-stream",
    );
}

#[test]
fn a_release_of_pulumi_that_goes_back_is_told_across_types() {
    let labels = |release: &str| value!({"labels": {"release": release}});
    let plan = |last: &str| {
        let names = ["a", "b", "c", "d"];
        let types = [
            "lab:index:Pool",
            "lab:index:Disk",
            "lab:index:Pool",
            "lab:index:Queue",
        ];
        let after = ["2026.11.1", "2026.11.1", "2026.11.1", last];
        let steps = names.iter().zip(types).zip(after);
        let steps = steps.map(|((name, ty), after)| {
            step("update", ty, name, &labels("2026.10.3"), &labels(after))
        });
        preview(steps.collect())
    };
    has(
        &plan("2026.9.1"),
        "warning",
        &["against the stream: it gets newer in the 3 others that change it"],
    );
    lacks(&plan("2026.11.1"), "against-the-stream");
}

#[test]
fn a_value_from_another_expression_than_those_of_its_siblings_is_told() {
    let resource = |name: &str, expression: Value| {
        value!({"address": format!("lab_log.{name}"), "mode": "managed", "type": "lab_log", "name": name,
                "provider_config_key": "lab", "expressions": {"sink": expression}, "schema_version": 0})
    };
    let plan = |expression: Value, last: &str| {
        let shared = || value!({"references": ["var.sink"]});
        let config = value!({"root_module": {"variables": {"sink": {}}, "resources": [
            resource("a", shared()), resource("b", shared()), resource("c", shared()), resource("d", expression)]}});
        let to = |to: &str| (value!("old"), value!(to));
        let rows = updates(
            &LOGS,
            "sink",
            &[to("main"), to("main"), to("main"), to(last)],
        );
        brief_with(
            rows,
            value!({"configuration": config, "variables": {"sink": {"value": "main"}}}),
        )
    };
    let out = plan(value!({"constant_value": "side"}), "side");
    has(
        &out,
        "on their own",
        &[
            "lab_log.d",
            "the 3 other lab_log that change it take another value, from var.sink",
        ],
    );
    lacks(
        &plan(value!({"references": ["var.sink"]}), "side"),
        "against-the-stream",
    );
    lacks(
        &plan(value!({"constant_value": "main"}), "main"),
        "against-the-stream",
    );
}

#[test]
fn a_value_that_leaves_what_all_leave_for_something_else_is_told() {
    const DISKS: [&str; 3] = ["lab_disk.a", "lab_disk.b", "lab_disk.c"];
    let plan = |last: (&str, &str)| {
        let usual = DISKS.iter().chain(&LOGS[..3]);
        let rows = usual.map(|it| (*it, ("always", "daily")));
        let rows = rows.chain([("lab_log.d", last)]);
        let side = |schedule: &str| value!({"tags": {"schedule": schedule}});
        let rows = rows.map(|(it, (old, new))| row(it, UPDATE, side(old), side(new)));
        brief(rows.collect())
    };
    let out = plan(("always", "office-hours"));
    let want = [
        "lab_log.d",
        "the 6 others that change it become \"daily\"",
        "\"always\" → \"office-hours\"",
    ];
    has(&out, "nothing but tags", &want);
    lacks(&plan(("never", "office-hours")), "become");
}

#[test]
fn a_value_of_another_form_than_all_others_is_told() {
    const HOOKS: [&str; 7] = [
        "lab_hook.a",
        "lab_hook.b",
        "lab_hook.c",
        "lab_hook.d",
        "lab_hook.e",
        "lab_hook.f",
        "lab_hook.g",
    ];
    let plan = |last: &str| {
        let to = |to: &str| (value!("https://old.lab.example/in"), value!(to));
        let new = "https://new.lab.example/in";
        let values = [
            to(new),
            to(new),
            to(new),
            to(new),
            to(new),
            to(new),
            to(last),
        ];
        brief(updates(&HOOKS, "target", &values))
    };
    let says = "a value of another form than in the 6 other lab_hook that change it";
    has(
        &plan("http://new.lab.example/in"),
        "note",
        &["lab_hook.g", says],
    );
    lacks(&plan("https://other.lab.example/in"), says);
}

#[test]
fn a_fixed_name_that_two_objects_must_have_at_once_stops_the_apply() {
    let group = |more: Value| {
        let mut group = value!({"name": "web", "vpc_id": "vpc-1", "id": "sg-1", "note": "old"});
        for (key, value) in more.as_object().unwrap() {
            group[key] = value.clone();
        }
        group
    };
    let plan = |actions: &'static [&'static str], after: Value| {
        let row = row(
            "lab_security_group.web",
            actions,
            group(value!({})),
            group(after),
        );
        brief(vec![row.forced_by("note")])
    };
    let says = "the replacement is created first, and its name is taken until the old one is gone";
    let out = plan(CREATE_FIRST, value!({"note": "new"}));
    has(&out, "warning", &[says, "(apply-stops)", "name  \"web\""]);
    lacks(&plan(REPLACE, value!({"note": "new"})), "apply-stops");
    lacks(
        &plan(CREATE_FIRST, value!({"note": "new", "name": "web-2"})),
        "apply-stops",
    );
    // In another network the name is free.
    lacks(
        &plan(CREATE_FIRST, value!({"note": "new", "vpc_id": "vpc-2"})),
        "apply-stops",
    );
    let rule = value!({"name": "web", "note": "old"});
    let other = value!({"name": "web", "note": "new"});
    let out = brief(vec![row("lab_monitor.web", CREATE_FIRST, rule, other)]);
    lacks(&out, "apply-stops");
}

#[test]
fn a_name_that_something_has_that_stays_stops_the_apply() {
    let queue = |name: &str, region: &str| value!({"name": name, "region": region, "id": "q-1"});
    let plan =
        |new: Value, old: Row| brief(vec![row("lab_queue.new", CREATE, Value::Null, new), old]);
    let kept = |actions| {
        let old = queue("jobs", "eu");
        let mut after = old.clone();
        if actions == UPDATE {
            after["delay"] = value!(5);
        }
        row("lab_queue.old", actions, old, after)
    };
    let says = "the apply stops here: lab_queue.old stays and has this name";
    for actions in [NOTHING, UPDATE] {
        has(
            &plan(queue("jobs", "eu"), kept(actions)),
            "warning",
            &["lab_queue.new", says],
        );
        lacks(&plan(queue("jobs", "us"), kept(actions)), "apply-stops");
        lacks(&plan(queue("mails", "eu"), kept(actions)), "apply-stops");
    }
    let gone = row("lab_queue.old", DELETE, queue("jobs", "eu"), Value::Null);
    lacks(&plan(queue("jobs", "eu"), gone), "stays and has this name");
}

#[test]
fn a_guard_that_forbids_a_deletion_stops_the_apply() {
    let plate = |guard: &str, value: Value| {
        let mut plate = value!({"id": "p-1", "name": "plate"});
        plate[guard] = value;
        brief(vec![row("lab_plate.it", DELETE, plate, Value::Null)])
    };
    let out = plate("deletion_protection", value!(true));
    has(
        &out,
        "warning",
        &["the apply stops here: deletion_protection true forbids the deletion"],
    );
    assert_eq!(
        out.lines()
            .take_while(|line| !line.starts_with('@'))
            .filter(|line| line.contains("deletion_protection"))
            .count(),
        1,
        "{out}"
    );
    has(
        &plate("deletion_protection", value!("ACTIVE")),
        "warning",
        &["forbids the deletion"],
    );
    lacks(&plate("deletion_protection", value!(false)), "apply-stops");
    lacks(
        &plate("deletion_protection", value!("INACTIVE")),
        "apply-stops",
    );
    lacks(
        &plate("prevent_deletion_if_contains_resources", value!(true)),
        "apply-stops",
    );
    let out = plate("skip_final_snapshot", value!(false));
    has(
        &out,
        "warning",
        &["a final snapshot is asked for, and final_snapshot_identifier is not set"],
    );
    lacks(&plate("skip_final_snapshot", value!(true)), "apply-stops");
    let named = value!({"skip_final_snapshot": false, "final_snapshot_identifier": "last"});
    lacks(
        &brief(vec![row("lab_plate.it", DELETE, named, Value::Null)]),
        "apply-stops",
    );
    let guarded = |is_on: bool| {
        let pool = value!({"deletionProtection": is_on});
        preview(vec![step(
            "delete",
            "lab:index:Plate",
            "it",
            &pool,
            &Value::Null,
        )])
    };
    has(
        &guarded(true),
        "warning",
        &["deletionProtection true forbids the deletion"],
    );
    lacks(&guarded(false), "apply-stops");
}

#[test]
fn what_is_off_already_loses_nothing_when_it_goes() {
    let alarm = |is_on: bool| {
        let alarm = value!({"id": "a-1", "name": "old-cost", "enabled": is_on});
        brief(vec![row(
            "azurerm_monitor_metric_alert.cost",
            DELETE,
            alarm,
            Value::Null,
        )])
    };
    let out = alarm(false);
    has(
        &out,
        "note",
        &["off already, enabled false; otherwise nobody is alarmed any longer  (off-already)"],
    );
    assert!(!out.contains("\nWARNING"), "{out}");
    let out = alarm(true);
    has(&out, "warning", &["nobody is alarmed any longer"]);
    lacks(&out, "off-already");
    // Data is lost whether somebody uses it or not.
    let database =
        value!({"id": "d-1", "identifier": "main", "status": "stopped", "enabled": false});
    let out = brief(vec![row(
        "aws_db_instance.main",
        DELETE,
        database,
        Value::Null,
    )]);
    has(&out, "danger", &["the database is deleted with its data"]);
    lacks(&out, "off-already");
    let service = |n: u32| {
        let service = value!({"name": "api", "desiredCount": n});
        preview(vec![step(
            "delete",
            "aws:ecs/service:Service",
            "api",
            &service,
            &Value::Null,
        )])
    };
    has(&service(0), "note", &["off already, desiredCount 0"]);
    lacks(&service(2), "off-already");
}

#[test]
fn a_key_that_ended_before_the_plan_loses_nothing_when_it_goes() {
    let key = |end: &str| {
        let key = value!({"id": "k-1", "service_account_id": "partner", "valid_before": end});
        let gone = row(
            "google_service_account_key.partner",
            DELETE,
            key,
            Value::Null,
        );
        brief_with(vec![gone], value!({"timestamp": "2026-11-24T09:12:41Z"}))
    };
    let out = key("2026-03-24T09:11:48Z");
    has(
        &out,
        "note",
        &[
            "off already, valid_before \"2026-03-24T09:11:48Z\"; otherwise what works with the key is locked out",
        ],
    );
    for end in ["2027-02-16T09:00:12Z", "never"] {
        let out = key(end);
        has(&out, "warning", &["what works with the key is locked out"]);
        lacks(&out, "off-already");
    }
}

/// A configuration with a list, two resources that count it, and a module that is called for each element of a map.
fn lists() -> Value {
    let counted = |ty: &str, argument: &str| {
        value!({"address": format!("{ty}.it"), "mode": "managed", "type": ty, "name": "it", "provider_config_key": "lab",
                "expressions": {argument: {"references": ["var.teams", "count.index"]}}, "schema_version": 0,
                "count_expression": {"references": ["var.teams"]}})
    };
    value!({"root_module": {
        "variables": {"teams": {}, "shops": {"default": {"eu": 30}}, "days": {"default": 30}, "key": {"default": "k", "sensitive": true}},
        "resources": [counted("lab_store", "name"), counted("lab_grant", "who"),
            {"address": "lab_log.it", "mode": "managed", "type": "lab_log", "name": "it", "provider_config_key": "lab",
             "expressions": {"days": {"references": ["var.days"]}, "key": {"references": ["var.key"]}}, "schema_version": 0}],
        "module_calls": {"shop": {
            "expressions": {"days": {"references": ["each.value"]}},
            "for_each_expression": {"references": ["var.shops"]},
            "module": {"variables": {"days": {"default": 90}}, "resources": [
                {"address": "lab_log.it", "mode": "managed", "type": "lab_log", "name": "it", "provider_config_key": "lab",
                 "expressions": {"days": {"references": ["var.days"]}}, "schema_version": 0}]}},
         "bank": {
            "expressions": {"days": {"constant_value": 7}},
            "module": {"variables": {"days": {"default": 90}}, "resources": [
                {"address": "lab_log.it", "mode": "managed", "type": "lab_log", "name": "it", "provider_config_key": "lab",
                 "expressions": {"days": {"references": ["var.days"]}}, "schema_version": 0}]}}}}})
}

fn listed(rows: Vec<Row>) -> String {
    let variables = value!({"teams": {"value": ["a", "c"]}, "shops": {"value": {"eu": 7}}, "days": {"value": 7}, "key": {"value": "x"}});
    brief_with(
        rows,
        value!({"configuration": lists(), "variables": variables}),
    )
}

#[test]
fn a_value_of_an_instance_comes_from_the_variable_of_its_list() {
    let days = |days: u32| value!({"days": days});
    let log = |address| listed(vec![row(address, UPDATE, days(30), days(7))]);
    let out = log("module.shop[\"eu\"].lab_log.it");
    let root = "days  30 → 7  from var.shops, now {eu: 7}, its default is {eu: 30}\n";
    assert!(out.contains(root), "{out}");
    let out = log("lab_log.it");
    assert!(
        out.contains("days  30 → 7  from var.days, now 7, its default is 30\n"),
        "{out}"
    );
    let out = log("module.bank.lab_log.it");
    assert!(
        out.contains("days  30 → 7  constant in the call of module.bank, its default is 90\n"),
        "{out}"
    );
    // A default that is secret is not there.
    let key = |key: &str| value!({"key": key});
    let out = listed(vec![row("lab_log.it", UPDATE, key("k"), key("x"))]);
    assert!(!out.contains("its default"), "{out}");
}

#[test]
fn an_entry_of_a_map_comes_from_a_variable_only_if_that_has_its_value() {
    let config = value!({"root_module": {
        "variables": {"release": {}},
        "resources": [
            {"address": "lab_app.it", "mode": "managed", "type": "lab_app", "name": "it", "provider_config_key": "lab",
             "expressions": {"env": {"references": ["var.release"]}, "files": {"references": ["local.files"]}}, "schema_version": 0}]}});
    let app = |of: &str, entry: &str, value: &str| value!({of: {entry: value, "x": "same"}});
    let out = |of: &str, entry: &str, new: &str| {
        brief_with(
            vec![row(
                "lab_app.it",
                UPDATE,
                app(of, entry, "one"),
                app(of, entry, new),
            )],
            value!({"configuration": config, "variables": {"release": {"value": "v2"}}}),
        )
    };
    let from = "\"one\" → \"app:v2\"  from var.release, now \"v2\"\n";
    assert!(out("env", "IMAGE", "app:v2").contains(from));
    // Another entry is written beside it.
    assert!(out("env", "LIMIT", "three").contains("\"one\" → \"three\"\n"));
    // The file does not say what the local has.
    let perhaps = "\"one\" → \"three\"  perhaps from local.files\n";
    assert!(out("files", "LIMIT", "three").contains(perhaps));
}

#[test]
fn lists_that_slide_together_are_one_story() {
    let store = |name: &str| value!({"name": format!("store-{name}"), "url": format!("lab://store-{name}")});
    let grant = |name: &str| value!({"who": format!("team-{name}"), "on": format!("store-{name}")});
    let rows = vec![
        // The first one only gets another label.
        row(
            "lab_store.it[0]",
            UPDATE,
            value!({"name": "store-a", "label": 1}),
            value!({"name": "store-a", "label": 2}),
        ),
        row("lab_store.it[1]", REPLACE, store("b"), store("c")).forced_by("name"),
        row("lab_store.it[2]", REPLACE, store("c"), store("d")).forced_by("name"),
        row("lab_store.it[3]", DELETE, store("d"), Value::Null),
        row("lab_grant.it[1]", REPLACE, grant("b"), grant("c")).forced_by("who"),
        row("lab_grant.it[2]", REPLACE, grant("c"), grant("d")).forced_by("who"),
        row("lab_grant.it[3]", DELETE, grant("d"), Value::Null),
    ];
    let out = listed(rows);
    assert!(
        out.contains("LOOK AT THESE FIRST  1 · 6 changes\n"),
        "{out}"
    );
    let head = "lab_grant.it[1-3], lab_store.it[1-3]  element [1] ";
    assert!(out.contains(head), "{out}");
    assert!(out.contains("from var.teams, now [\"a\", \"c\"]"), "{out}");
    assert!(
        out.contains("terraform state mv 'lab_grant.it[2]' 'lab_grant.it[1]'"),
        "{out}"
    );
    assert!(out.contains("lab_store.it[0]  ~ label  1 → 2"), "{out}");
}

#[test]
fn drift_that_is_set_back_is_a_danger_if_most_of_a_capacity_goes() {
    let plan = |found: u32, applied: u32, property: &str| {
        let of = |n: u32, note: &str| {
            let mut pool = value!({"note": note});
            pool[property] = value!(n);
            pool
        };
        let drift = value!([{"address": "lab_pool.it", "mode": "managed", "type": "lab_pool", "name": "it",
            "provider_name": "registry.terraform.io/acme/lab",
            "change": {"actions": ["update"], "before": of(applied, "a"), "after": of(found, "a"), "after_unknown": {},
                       "before_sensitive": {}, "after_sensitive": {}}}]);
        let row = row("lab_pool.it", UPDATE, of(found, "a"), of(applied, "b"));
        brief_with(vec![row], value!({"resource_drift": drift}))
    };
    let says = "the plan sets back what was changed outside";
    has(&plan(18, 4, "desired_size"), "danger", &[says]);
    has(&plan(18, 12, "desired_size"), "warning", &[says]);
    has(&plan(18, 4, "label"), "warning", &[says]);
}

/// The first rule that fits may win.
#[test]
fn another_order_of_rules_of_an_unknown_type_is_not_without_effect() {
    let rules = |order: [&str; 2]| value!({"rules": [{"match": order[0]}, {"match": order[1]}], "hosts": [{"at": order[0]}, {"at": order[1]}]});
    let plan = |ty: &'static str| {
        brief(vec![row(
            ty,
            UPDATE,
            rules(["/a", "/"]),
            rules(["/", "/a"]),
        )])
    };
    let out = plan("lab_router.it");
    assert!(
        out.contains("ON THEIR OWN  1\n  ~ lab_router.it  ~ rules  same elements, other order"),
        "{out}"
    );
    assert!(!out.contains("WITHOUT EFFECT"), "{out}");
    let out = plan("aws_security_group.it");
    assert!(out.contains("WITHOUT EFFECT  1"), "{out}");
}

#[test]
fn a_warning_against_the_stream_is_a_danger() {
    const GROUPS: [&str; 4] = [
        "aws_cloudwatch_log_group.a",
        "aws_cloudwatch_log_group.b",
        "aws_cloudwatch_log_group.c",
        "aws_cloudwatch_log_group.d",
    ];
    let longer = || (value!(30), value!(90));
    let plan = |last: (Value, Value)| {
        let values = [longer(), longer(), longer(), last];
        brief(updates(&GROUPS, "retention_in_days", &values))
    };
    let shorter = plan((value!(2557), value!(14)));
    has(
        &shorter,
        "danger",
        &[
            "aws_cloudwatch_log_group.d",
            "against the stream: it grows in the 3 other",
        ],
    );
    let alone = brief(updates(
        &GROUPS[3..],
        "retention_in_days",
        &[(value!(2557), value!(14))],
    ));
    has(&alone, "warning", &["logs are deleted sooner"]);
}

#[test]
fn an_output_stands_below_the_resource_that_changes_it() {
    let address = |name: &str| value!({"address": format!("{name}.lab.example"), "size": 1});
    let output = |before: &str| {
        value!({"output_changes": {"url": {"actions": ["update"], "before": before,
        "after": null, "after_unknown": true, "before_sensitive": false, "after_sensitive": false}}})
    };
    let plan = |before: &str| {
        let mut after = address("old");
        after["address"] = Value::Null;
        let row = row("lab_gate.it", REPLACE, address("old"), after);
        brief_with(
            vec![row.with_unknown(value!({"address": true}))],
            output(before),
        )
    };
    let out = plan("old.lab.example");
    assert!(
        out.contains(r#"~ output url  "old.lab.example" → (known after apply)"#),
        "{out}"
    );
    assert!(!out.contains("\nOUTPUTS"), "{out}");
    let out = plan("other.lab.example");
    assert!(out.contains("\nOUTPUTS  1\n  ~ url"), "{out}");
}
