//! The findings of mechanisms in the brief: dangers that follow from the structure of a plan, whatever the types.

use std::fmt::Write as _;

use serde_json::{Value, json as value};

use super::{command, json};

/// A changed resource of a plan.
#[derive(Clone)]
pub(super) struct Row {
    address: &'static str,
    actions: &'static [&'static str],
    before: Value,
    after: Value,
    unknown: Value,
    replace_paths: Value,
    mask: Value,
    reason: Option<&'static str>,
}

impl Row {
    /// The change with values that are known after apply.
    pub(super) fn with_unknown(self, unknown: Value) -> Self {
        Self { unknown, ..self }
    }

    /// The change with the property that forces its replacement.
    pub(super) fn forced_by(self, property: &str) -> Self {
        Self {
            replace_paths: value!([[property]]),
            ..self
        }
    }

    /// The change with values that are sensitive on both sides.
    pub(super) fn masked(self, mask: Value) -> Self {
        Self { mask, ..self }
    }

    /// The change with the reason that the file gives.
    pub(super) fn because(self, reason: &'static str) -> Self {
        Self {
            reason: Some(reason),
            ..self
        }
    }
}

pub(super) fn row(
    address: &'static str,
    actions: &'static [&'static str],
    before: Value,
    after: Value,
) -> Row {
    Row {
        address,
        actions,
        before,
        after,
        unknown: value!({}),
        replace_paths: value!([]),
        mask: value!({}),
        reason: None,
    }
}

pub(super) const CREATE: &[&str] = &["create"];
pub(super) const DELETE: &[&str] = &["delete"];
pub(super) const UPDATE: &[&str] = &["update"];
pub(super) const REPLACE: &[&str] = &["delete", "create"];
pub(super) const NOTHING: &[&str] = &["no-op"];

/// The brief of a plan of Terraform with these changes.
pub(super) fn brief(rows: Vec<Row>) -> String {
    brief_with(rows, value!({}))
}

/// The brief of a plan of Terraform with these changes and further keys.
pub(super) fn brief_with(rows: Vec<Row>, more: Value) -> String {
    let change = |row: Row| {
        let config = row.address.split('[').next().unwrap();
        let mut names = config.rsplit('.');
        let (name, ty) = (names.next().unwrap(), names.next().unwrap());
        let kind = if config.starts_with("data.") {
            "data"
        } else {
            "managed"
        };
        value!({"address": row.address, "mode": kind, "type": ty, "name": name,
                "provider_name": "registry.terraform.io/acme/lab", "action_reason": row.reason,
                "change": {"actions": row.actions, "before": row.before, "after": row.after, "after_unknown": row.unknown,
                           "before_sensitive": row.mask, "after_sensitive": row.mask, "replace_paths": row.replace_paths}})
    };
    let changes: Vec<Value> = rows.into_iter().map(change).collect();
    let mut plan = value!({"format_version": "1.2", "terraform_version": "1.9.0", "planned_values": {"root_module": {}},
                           "resource_changes": changes});
    let Value::Object(more) = more else {
        panic!("expected an object, found {more}");
    };
    for (key, value) in more {
        plan[key] = value;
    }
    printed(&plan)
}

fn printed(file: &Value) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("plan.json");
    std::fs::write(&path, file.to_string()).unwrap();
    let path = path.to_str().unwrap();
    let run = command(&["brief", path]);
    assert_eq!(run.code, 0, "{run:?}");
    run.out + &findings(&json(&["brief", path, "--json"]))
}

/// The findings of a brief by level, each as `names  type  says  (id)` with its places and the changes of its story.
pub(super) fn findings(brief: &Value) -> String {
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let sections = list(&brief["sections"]).into_iter();
    let entries = sections.flat_map(|section| list(&section["entries"]));
    let entries: Vec<Value> = entries
        .flat_map(|entry| {
            let along = list(&entry["along"]);
            std::iter::once(entry).chain(along)
        })
        .collect();
    let mut out = String::new();
    for level in ["danger", "warning", "note"] {
        _ = writeln!(out, "\n@{level}");
        for entry in &entries {
            for finding in list(&entry["findings"])
                .iter()
                .filter(|it| it["level"] == level)
            {
                let names: Vec<String> = list(&entry["names"]).iter().map(text).collect();
                let id = text(&finding["rule"]) + &text(&finding["mechanism"]);
                let says = text(&finding["says"]);
                _ = writeln!(
                    out,
                    "  {}  {}  {says}  ({id})",
                    names.join(", "),
                    text(&entry["type"])
                );
                for place in list(&finding["places"]) {
                    _ = writeln!(out, "      {}", text(&place["path"]));
                }
                for detail in list(&entry["details"]) {
                    let [before, after] = [text(&detail["before"]), text(&detail["after"])];
                    let arrow = if before.is_empty() || after.is_empty() {
                        ""
                    } else {
                        " → "
                    };
                    let [place, note] = [text(&detail["place"]), text(&detail["note"])];
                    _ = writeln!(out, "      {place}  {before}{arrow}{after}  {note}");
                }
            }
        }
    }
    out
}

/// The brief of a preview of Pulumi with these steps.
pub(super) fn preview(steps: Vec<Value>) -> String {
    preview_with(&value!({}), steps)
}

/// The brief of a preview of Pulumi with this configuration and these steps.
pub(super) fn preview_with(config: &Value, steps: Vec<Value>) -> String {
    let mut file = value!({"config": config, "diagnostics": [], "changeSummary": {}});
    file["steps"] = Value::Array(steps);
    printed(&file)
}

/// The state of a resource of Pulumi.
pub(super) fn state(ty: &str, name: &str, id: &str, inputs: &Value) -> Value {
    let provider = ty.split(':').next().unwrap();
    let provider = format!("urn:pulumi:dev::shop::pulumi:providers:{provider}::default::0");
    value!({"urn": format!("urn:pulumi:dev::shop::{ty}::{name}"), "custom": true, "type": ty, "id": id, "inputs": inputs,
            "outputs": inputs, "provider": provider})
}

/// A step that takes a resource of Pulumi from one state to another.
pub(super) fn step(op: &str, ty: &str, name: &str, before: &Value, after: &Value) -> Value {
    let mut step =
        value!({"op": op, "urn": format!("urn:pulumi:dev::shop::{ty}::{name}"), "provider": ""});
    let id = format!("{name}-id-0123");
    for (key, inputs) in [("oldState", before), ("newState", after)] {
        if !inputs.is_null() {
            step[key] = state(ty, name, &id, inputs);
        }
    }
    step
}

/// The lines of the section with this title.
fn section(out: &str, title: &str) -> String {
    let title = match title {
        level @ ("danger" | "warning" | "note") => format!("@{level}"),
        title => title.to_uppercase(),
    };
    let mut lines = out.lines().skip_while(|line| !line.starts_with(&title));
    let head = lines.next().into_iter();
    let body = lines.take_while(|line| line.starts_with(' '));
    head.chain(body)
        .fold(String::new(), |text, line| text + line + "\n")
}

#[track_caller]
pub(super) fn has(out: &str, title: &str, wanted: &[&str]) {
    let section = section(out, title);
    for text in wanted {
        assert!(section.contains(text), "no {text:?} in {title:?} of\n{out}");
    }
}

#[track_caller]
pub(super) fn lacks(out: &str, unwanted: &str) {
    assert!(!out.contains(unwanted), "{unwanted:?} in\n{out}");
}

fn subnet(name: &str, cidr: &str) -> Value {
    value!({"id": format!("subnet-{name}"), "arn": format!("arn:lab:{name}"), "vpc": "vpc-1", "public": false,
            "cidr_block": cidr, "zone": name, "mtu": 9000, "owner": "123"})
}

/// A subnet that takes on the arguments of another one, with what the provider gave it.
fn as_other(own: &Value, other: &Value) -> Value {
    let mut after = other.clone();
    for key in ["id", "arn"] {
        after[key] = own[key].clone();
    }
    after
}

#[test]
fn a_list_that_is_updated_into_its_neighbors_is_one_finding() {
    let [a, b, c] = ["a", "b", "c"].map(|zone| {
        subnet(
            zone,
            &format!("10.0.{}.0/24", zone.len() + usize::from(zone.as_bytes()[0])),
        )
    });
    let out = brief(vec![
        row("lab_subnet.it[0]", UPDATE, a.clone(), as_other(&a, &b)),
        row("lab_subnet.it[1]", UPDATE, b.clone(), as_other(&b, &c)),
        row("lab_subnet.it[2]", DELETE, c, Value::Null),
    ]);
    let want = "element [0] (zone \"a\") left the list lab_subnet.it: the later ones slide into their neighbors' places, 2 updated, \
                1 deleted at its end";
    has(&out, "warning", &[want]);
    assert!(
        out.contains("\n      terraform state mv 'lab_subnet.it[1]' 'lab_subnet.it[0]'\n"),
        "{out}"
    );
}

#[test]
fn a_list_that_is_replaced_into_its_neighbors_is_a_danger() {
    let [a, b, c] = ["a", "b", "c"].map(|zone| subnet(zone, &format!("10.{zone}")));
    let new = |other: &Value| {
        let mut after = other.clone();
        after
            .as_object_mut()
            .unwrap()
            .retain(|key, _| key != "id" && key != "arn");
        after
    };
    let replaced = |address, before: &Value, after: &Value| Row {
        unknown: value!({"id": true, "arn": true}),
        ..row(address, REPLACE, before.clone(), new(after))
    };
    let out = brief(vec![
        row("lab_subnet.it[0]", NOTHING, a.clone(), a),
        replaced("lab_subnet.it[\"1\"]", &b, &c),
        row("lab_subnet.it[\"2\"]", DELETE, c, Value::Null),
    ]);
    has(
        &out,
        "danger",
        &[
            "element [\"1\"] (zone \"b\") left the list lab_subnet.it",
            "1 replaced, 1 deleted at its end",
        ],
    );
}

#[test]
fn a_list_of_pulumi_slides_by_the_numbers_in_its_names() {
    const TY: &str = "lab:net/subnet:Subnet";
    let inputs =
        |name: &str| value!({"cidrBlock": format!("10.{name}"), "zone": name, "public": false});
    let [a, b, c] = ["a", "b", "c"].map(inputs);
    let out = preview(vec![
        step("replace", TY, "subnet-0", &a, &b),
        step("update", TY, "subnet-1", &b, &c),
        step("delete", TY, "subnet-2", &c, &Value::Null),
    ]);
    has(
        &out,
        "look at these first",
        &[
            "element 0 (zone \"a\") left the list subnet: ",
            "1 replaced, 1 updated, 1 deleted at its end",
            "pulumi state rename 'urn:pulumi:dev::shop::lab:net/subnet:Subnet::subnet-1' 'subnet-0'",
        ],
    );
}

#[test]
fn the_same_change_in_a_list_that_shrinks_is_no_slide() {
    let disk = |size: u32, name: &str| value!({"id": name, "size": size, "kind": "ssd"});
    let out = brief(vec![
        row("lab_disk.it[0]", UPDATE, disk(1, "a"), disk(2, "a")),
        row("lab_disk.it[1]", DELETE, disk(2, "b"), Value::Null),
    ]);
    lacks(&out, "left the list");
    let with = |size: u32, release: &str| value!({"size": size, "release": release, "kind": "ssd"});
    let out = brief(vec![
        row("lab_disk.it[0]", UPDATE, with(1, "1"), with(1, "2")),
        row("lab_disk.it[1]", UPDATE, with(1, "1"), with(1, "2")),
        row("lab_disk.it[2]", DELETE, with(1, "2"), Value::Null),
    ]);
    lacks(&out, "left the list");
}

#[test]
fn a_reference_by_literal_id_to_what_goes_is_a_danger() {
    let role = value!({"id": "app-worker-7", "arn": "arn:lab:iam::1234:role/app-worker-7", "name": "app-worker-7"});
    let policy =
        r#"{"Statement": [{"Principal": {"AWS": "arn:lab:iam::1234:role/app-worker-7"}}]}"#;
    let queue = value!({"id": "q-1", "policy": policy});
    let job = value!({"id": "j-1", "worker_role": "app-worker-7", "title": "app-worker-7"});
    let out = brief(vec![
        row("lab_role.it", DELETE, role.clone(), Value::Null),
        row("lab_queue.jobs", NOTHING, queue.clone(), queue.clone()),
        row(
            "lab_job.it",
            UPDATE,
            value!({"id": "j-1", "title": "x"}),
            job,
        ),
    ]);
    has(
        &out,
        "danger",
        &[
            "lab_role.it  lab_role  stays and refers to lab_role.it, which this plan deletes",
            "in 2 places  lab_queue.jobs stays and refers to it  policy.Statement[0].Principal.AWS  \"arn:lab:iam::1234:role/app-worker-7\"",
            "lab_job.it stays and refers to it  worker_role",
        ],
    );
    // The same name comes back, and what reports a value does not refer to it.
    let out = brief(vec![
        row("lab_role.it", DELETE, role.clone(), Value::Null),
        row("lab_role.other", CREATE, Value::Null, role),
        row("lab_queue.jobs", NOTHING, queue.clone(), queue),
    ]);
    lacks(&out, "refers to");
}

#[test]
fn the_id_of_a_part_is_no_reference_to_it() {
    let bucket = value!({"id": "shop-logs-1", "bucket": "shop-logs-1"});
    let block = value!({"id": "shop-logs-1", "bucket": "shop-logs-1", "kept": "shop-logs-1"});
    let out = brief(vec![
        row("lab_bucket_policy.it", DELETE, block, Value::Null),
        row("lab_bucket.it", NOTHING, bucket.clone(), bucket),
        row(
            "lab_site.it",
            NOTHING,
            value!({"origin_bucket": "shop-logs-1"}),
            value!({"origin_bucket": "shop-logs-1"}),
        ),
    ]);
    lacks(&out, "refers to");
}

#[test]
fn the_last_rule_of_something_that_stays_is_told() {
    let group = value!({"id": "sg-0123", "name": "web"});
    let rule = |id: &str, way: &str, port: u32| value!({"id": id, "type": way, "port": port, "group_id": "sg-0123"});
    let (https, http, out_rule) = (
        rule("r-1", "ingress", 443),
        rule("r-2", "ingress", 80),
        rule("r-3", "egress", 0),
    );
    let rows = |with_http: &'static [&'static str]| {
        let after = if with_http == DELETE {
            Value::Null
        } else {
            http.clone()
        };
        vec![
            row("lab_group.web", NOTHING, group.clone(), group.clone()),
            row("lab_group_rule.https", DELETE, https.clone(), Value::Null),
            row("lab_group_rule.http", with_http, http.clone(), after),
            row(
                "lab_group_rule.out",
                NOTHING,
                out_rule.clone(),
                out_rule.clone(),
            ),
        ]
    };
    let out = brief(rows(DELETE));
    has(
        &out,
        "warning",
        &["lab_group.web stays, and all 2 on it of type ingress group rule are deleted"],
    );
    lacks(&brief(rows(NOTHING)), "last-of-its-kind");
}

#[test]
fn a_list_of_parts_that_becomes_empty_is_told() {
    let listed = |targets: Value, copies: u32, tags: Value| value!({"targets": targets, "replica_count": copies, "labels": tags});
    let out = brief(vec![
        row(
            "lab_pool.it",
            UPDATE,
            listed(value!(["a", "b"]), 3, value!(["x"])),
            listed(value!([]), 0, value!([])),
        ),
        row(
            "lab_pool.near",
            UPDATE,
            listed(value!(["a", "b"]), 3, value!([])),
            listed(value!(["a"]), 1, value!([])),
        ),
    ]);
    has(
        &out,
        "warning",
        &[
            "lab_pool.it  lab_pool  no copy and no element is left",
            "targets  [\"a\", \"b\"] → []",
            "replica_count  3 → 0",
        ],
    );
    let warning = section(&out, "warning");
    let is_place = |line: &&str| ["labels", "labels[0]"].contains(&line.trim());
    assert_eq!(warning.lines().filter(is_place).count(), 0, "{out}");
    lacks(&warning, "near");
}

#[test]
fn a_guard_that_goes_with_what_it_guards_is_silent() {
    let bucket = value!({"id": "shop-logs", "bucket": "shop-logs", "force_destroy": false});
    let block = value!({"id": "shop-logs", "bucket": "shop-logs", "block_public_acls": true});
    let rows = |bucket_goes: bool| {
        let (actions, after) = if bucket_goes {
            (DELETE, Value::Null)
        } else {
            (NOTHING, bucket.clone())
        };
        vec![
            row("aws_s3_bucket.it", actions, bucket.clone(), after),
            row(
                "aws_s3_bucket_public_access_block.it",
                DELETE,
                block.clone(),
                Value::Null,
            ),
        ]
    };
    lacks(&brief(rows(true)), "public access is not blocked");
    has(
        &brief(rows(false)),
        "danger",
        &["public access is not blocked any longer"],
    );
}

/// The configuration of a plan with these resources: address, type, expressions.
fn configuration(resources: &[(&str, &str, Value)]) -> Value {
    let resource = |(address, ty, expressions): &(&str, &str, Value)| {
        value!({"address": address, "mode": "managed", "type": ty, "name": address.rsplit('.').next().unwrap(),
                "provider_config_key": "lab", "expressions": expressions, "schema_version": 0})
    };
    let resources: Vec<Value> = resources.iter().map(resource).collect();
    value!({"configuration": {"root_module": {"resources": resources, "variables": {"release": {}, "size": {}}}}})
}

#[test]
fn a_watched_property_that_is_not_known_names_what_it_waits_for() {
    let plan = |is_set: bool| {
        let mut expressions = value!({"engine": {"constant_value": "pg"}});
        if is_set {
            expressions["publicly_accessible"] =
                value!({"references": ["lab_switch.it.state", "lab_switch.it"]});
        }
        let rows = vec![
            Row {
                unknown: value!({"state": true}),
                ..row(
                    "lab_switch.it",
                    CREATE,
                    Value::Null,
                    value!({"rotation": true}),
                )
            },
            Row {
                unknown: value!({"publicly_accessible": true}),
                ..row(
                    "aws_db_instance.it",
                    UPDATE,
                    value!({"publicly_accessible": false, "engine": "pg"}),
                    value!({"engine": "pg"}),
                )
            },
        ];
        let more = configuration(&[
            ("lab_switch.it", "lab_switch", value!({})),
            ("aws_db_instance.it", "aws_db_instance", expressions),
        ]);
        brief_with(rows, more)
    };
    let out = plan(true);
    has(
        &out,
        "warning",
        &[
            "not known before the apply, and it decides if it gets a public address",
            "publicly_accessible  false → (known after apply)  waits for lab_switch.it.state (create)",
        ],
    );
    lacks(&out, "COULD NOT BE JUDGED");
    lacks(&plan(false), "it decides if");
}

#[test]
fn only_whole_words_of_a_name_say_that_a_property_has_addresses() {
    let of = |source: &str| {
        value!({"resource_group_name": "rg-a", "direction": "Inbound", "access": "Allow", "protocol": "Tcp",
            "destination_port_range": "22", "source_address_prefix": source})
    };
    let unknown = value!({"resource_group_name": true, "source_address_prefix": true});
    let mut after = of("");
    for key in ["resource_group_name", "source_address_prefix"] {
        after.as_object_mut().unwrap().remove(key);
    }
    let change = row(
        "azurerm_network_security_rule.it",
        UPDATE,
        of("10.0.0.0/8"),
        after,
    );
    let out = brief(vec![change.with_unknown(unknown)]);
    has(
        &out,
        "warning",
        &[
            "not known before the apply, and it decides if",
            "source_address_prefix  \"10.0.0.0/8\" → (known after apply)",
        ],
    );
    let warning = section(&out, "warning");
    let places = warning
        .lines()
        .filter(|line| line.trim() == "resource_group_name");
    assert_eq!(places.count(), 0, "{out}");
    // Words of people: `entitlement` has no title.
    let plan = |key: &str| {
        let home = row(
            "lab_home.prod",
            NOTHING,
            value!({"name": "prod"}),
            value!({"name": "prod"}),
        );
        let change = |text: &str| value!({"size": 1, key: text});
        brief(vec![
            home,
            row(
                "lab_job.it",
                UPDATE,
                change("app-prod-eu"),
                change("app-staging-eu"),
            ),
        ])
    };
    assert_eq!(
        plan("entitlement").replace("entitlement", "purpose"),
        plan("purpose")
    );
}

#[test]
fn a_secret_without_a_cause_is_told_with_the_siblings_that_keep_theirs() {
    let secret = |text: &str| value!({"token": text, "zone": "a"});
    let rows = || {
        vec![
            row(
                "lab_app.it[\"a\"]",
                UPDATE,
                secret("hunter2"),
                secret("hunter3"),
            ),
            row(
                "lab_app.it[\"b\"]",
                NOTHING,
                secret("hunter2"),
                secret("hunter2"),
            ),
        ]
    };
    let masked = |mut rows: Vec<Row>, more: Value| {
        let config = "lab_app.it";
        let plan = {
            let changes: Vec<Value> = rows.drain(..).map(|row| {
                value!({"address": row.address, "mode": "managed", "type": "lab_app", "name": "it",
                        "provider_name": "registry.terraform.io/acme/lab",
                        "change": {"actions": row.actions, "before": row.before, "after": row.after, "after_unknown": {},
                                   "before_sensitive": {"token": true}, "after_sensitive": {"token": true}}})
            }).collect();
            let mut plan = value!({"format_version": "1.2", "terraform_version": "1.9.0", "resource_changes": changes});
            plan["configuration"] =
                configuration(&[(config, "lab_app", more)])["configuration"].clone();
            plan
        };
        printed(&plan)
    };
    let out = masked(
        rows(),
        value!({"token": {"references": ["data.lab_vault.it.token", "data.lab_vault.it"]}}),
    );
    has(
        &out,
        "warning",
        &[
            "a secret changes with no visible cause, and not in lab_app.it[\"b\"]  (secret-changes)",
            "token",
        ],
    );
    lacks(&out, "hunter");
    let out = masked(rows(), value!({"token": {"references": ["var.token"]}}));
    has(
        &out,
        "note",
        &[
            "a secret changes, and not in lab_app.it[\"b\"]",
            "from var.token",
        ],
    );
    lacks(&section(&out, "warning"), "secret");
}

#[test]
fn guards_of_pulumi_that_go_are_told() {
    const TY: &str = "acme:db/server:Server";
    let with = |options: Value| {
        let mut state = state(TY, "main", "db-0123", &value!({"size": 5}));
        for (key, value) in options.as_object().unwrap() {
            state[key] = value.clone();
        }
        state
    };
    let preview_of = |before: Value, after: Value| {
        let urn = format!("urn:pulumi:dev::shop::{TY}::main");
        preview(vec![
            value!({"op": "same", "urn": urn, "oldState": with(before), "newState": with(after)}),
        ])
    };
    let out = preview_of(
        value!({"protect": true, "ignoreChanges": ["size", "engine"], "additionalSecretOutputs": ["token"]}),
        value!({"ignoreChanges": ["size"]}),
    );
    has(
        &out,
        "danger",
        &[
            "outputs that were secret are stored and shown in clear text",
            "additionalSecretOutputs",
        ],
    );
    has(
        &out,
        "warning",
        &[
            "nothing protects it from deletion any longer  (guard-goes)",
            "protect  true",
            "changes that were ignored are applied from now on",
        ],
    );
    let out = preview_of(
        value!({"ignoreChanges": ["size"]}),
        value!({"protect": true, "ignoreChanges": ["size", "engine"]}),
    );
    lacks(&out, "guard-goes");
}

/// Pulumi keeps the old input of what it ignores, so that only the outputs say what the object has.
#[test]
fn what_was_ignored_shows_what_the_object_has() {
    let size = |size: u32| value!({"scaling": {"desired": size}, "name": "core"});
    let mut step = step("update", "lab:index:Pool", "core", &size(6), &size(6));
    step["oldState"]["ignoreChanges"] = value!(["scaling.desired"]);
    step["oldState"]["outputs"] = size(41);
    let out = preview(vec![step]);
    has(
        &out,
        "warning",
        &[
            "changes that were ignored are applied from now on",
            "scaling.desired  41 → 6",
        ],
    );
}

#[test]
fn a_deletion_that_keeps_the_object_is_no_loss() {
    let bucket = value!({"bucket": "files", "forceDestroy": false});
    let nothing = Value::Null;
    let mut kept = step(
        "delete",
        "aws:s3/bucketV2:BucketV2",
        "files",
        &bucket,
        &nothing,
    );
    kept["oldState"]["retainOnDelete"] = value!(true);
    let out = preview(vec![kept]);
    assert!(out.starts_with("1 change: 1 forget\n"), "{out}");
    has(&out, "warning", &["is forgotten: it keeps running"]);
    lacks(&out, "aws-bucket-deleted");
    lacks(&out, "DELETED OR REPLACED");
}

/// Providers of Pulumi name the elements of a list by index.
#[test]
fn an_element_that_only_stands_elsewhere_does_not_change() {
    let names = |names: &[&str]| value!({"names": names});
    let (old, new) = (
        names(&["a", "b", "edi", "x"]),
        names(&["a", "atlas", "b", "x"]),
    );
    let mut step = step("replace", "lab:index:Names", "edge", &old, &new);
    step["detailedDiff"] = value!({
        "names[1]": {"kind": "update-replace", "inputDiff": false},
        "names[2]": {"kind": "update-replace", "inputDiff": false}});
    let out = preview(vec![step]);
    has(
        &out,
        "on their own",
        &[
            "+ names[*]  \"atlas\"  forces replacement",
            "- names[*]  \"edi\"  forces replacement",
        ],
    );
    lacks(&out, "\"b\"");
}

#[test]
fn a_provider_that_manages_nothing_is_no_cause() {
    let version = |version: &str| value!({"version": version});
    let (old, new) = (version("6.0.0"), version("7.0.0"));
    let out = preview(vec![step(
        "update",
        "pulumi:providers:aws",
        "idle",
        &old,
        &new,
    )]);
    lacks(&out, "one-cause-for-many");
}

#[test]
fn a_secret_that_turns_plain_is_a_danger() {
    let row_of = |after_mask: Value| {
        let plan = value!({"format_version": "1.2", "terraform_version": "1.9.0", "resource_changes": [
            {"address": "lab_app.it", "mode": "managed", "type": "lab_app", "name": "it",
             "provider_name": "registry.terraform.io/acme/lab",
             "change": {"actions": ["update"], "before": {"token": "hunter2", "size": 1}, "after": {"token": "hunter2", "size": 2},
                        "after_unknown": {}, "before_sensitive": {"token": true}, "after_sensitive": after_mask}}]});
        printed(&plan)
    };
    let out = row_of(value!({}));
    has(&out, "danger", &["a secret turns plain"]);
    lacks(&out, "hunter");
    lacks(&row_of(value!({"token": true})), "turns plain");
}

#[test]
fn a_forgotten_resource_is_told_with_what_it_exposes() {
    let open = value!({"id": "sg-1", "ingress": [{"protocol": "tcp", "from_port": 22, "to_port": 22, "cidr_blocks": ["0.0.0.0/0"]}]});
    let out = brief(vec![
        row("aws_security_group.ssh", &["forget"], open, Value::Null),
        row(
            "lab_disk.it",
            &["forget"],
            value!({"id": "d-1", "size": 5}),
            Value::Null,
        ),
    ]);
    has(
        &out,
        "danger",
        &[
            "aws_security_group.ssh",
            "is forgotten and keeps running with what it exposes",
        ],
    );
    has(
        &out,
        "warning",
        &[
            "lab_disk.it  lab_disk  is forgotten: it keeps running, and nothing manages it any longer",
        ],
    );
}

#[test]
fn drift_that_the_plan_undoes_shows_three_values() {
    let disk = |size: u32, tag: &str| value!({"id": "d-1", "size": size, "tag": tag});
    let drift = |before: Value, after: Value| {
        let actions = if after.is_null() {
            value!(["delete"])
        } else {
            value!(["update"])
        };
        value!({"resource_drift": [{"address": "lab_disk.it", "mode": "managed", "type": "lab_disk", "name": "it",
                "provider_name": "registry.terraform.io/acme/lab",
                "change": {"actions": actions, "before": before, "after": after, "after_unknown": {},
                           "before_sensitive": {}, "after_sensitive": {}}}]})
    };
    let out = brief_with(
        vec![row("lab_disk.it", UPDATE, disk(9, "a"), disk(5, "b"))],
        drift(disk(5, "a"), disk(9, "a")),
    );
    has(
        &out,
        "warning",
        &[
            "the plan sets back what was changed outside",
            "size  9 → 5  applied last 5, found 9",
        ],
    );
    let warning = section(&out, "warning");
    let undone: Vec<&str> = warning
        .lines()
        .filter(|line| line.contains("applied last"))
        .collect();
    assert_eq!(undone.len(), 1, "{out}");
    let out = brief_with(
        vec![row("lab_disk.it", CREATE, Value::Null, disk(5, "a"))],
        drift(disk(5, "a"), Value::Null),
    );
    has(
        &out,
        "warning",
        &["lab_disk.it  lab_disk  deleted outside, and the plan creates it again"],
    );
    // The plan takes over what was found, and changes something else.
    let out = brief_with(
        vec![row("lab_disk.it", UPDATE, disk(9, "a"), disk(9, "b"))],
        drift(disk(5, "a"), disk(9, "a")),
    );
    lacks(&out, "drift-undone");
}

#[test]
fn guards_and_sizes_are_on_the_line_of_what_goes() {
    let plate =
        value!({"id": "d-1", "deletion_protection": false, "disk_size_gb": 200, "zone": "a"});
    let out = brief(vec![row("lab_plate.it", DELETE, plate, Value::Null)]);
    has(
        &out,
        "on their own",
        &["deletion_protection false · disk_size_gb 200"],
    );
    lacks(&out, "zone  ");
    let database = |name: &str| value!({"id": "d-1", "skip_final_snapshot": true, "allocated_storage": 200, "identifier": name});
    let out = brief(vec![row(
        "aws_db_instance.it",
        &["create", "delete"],
        database("a"),
        database("b"),
    )]);
    has(
        &out,
        "danger",
        &[
            "the database is deleted with its data",
            "skip_final_snapshot true · allocated_storage 200",
        ],
    );
    let lines = out.lines().take_while(|line| !line.starts_with('@'));
    let n_told = lines
        .filter(|line| line.contains("allocated_storage"))
        .count();
    assert_eq!(n_told, 1, "{out}");
}

#[test]
fn a_value_of_another_environment_is_told() {
    let service = |name: &str, database: &str| value!({"id": format!("shop-prod-{name}"), "database": database, "size": 1});
    let db = |name: &str, place: &str| format!("{name}.{place}.example.com");
    let rows = |odd: &str| {
        let mut rows: Vec<Row> = [
            "lab_service.a",
            "lab_service.b",
            "lab_service.c",
            "lab_service.d",
        ]
        .into_iter()
        .map(|address| {
            let name = address.rsplit('.').next().unwrap();
            row(
                address,
                UPDATE,
                service(name, &db("old", "prod")),
                service(name, &db("new", "prod")),
            )
        })
        .collect();
        rows.push(row(
            "lab_service.e",
            UPDATE,
            service("e", &db("old", "prod")),
            service("e", &db("new", odd)),
        ));
        rows
    };
    let out = brief(rows("staging"));
    has(
        &out,
        "danger",
        &[
            "lab_service.e  lab_service  a new value names the environment staging, and the other values here belong to prod",
            "database  \"old.prod.example.com\" → \"new.staging.example.com\"",
        ],
    );
    lacks(&brief(rows("prod")), "another-environment");
    // A plan that takes everything elsewhere is about that.
    let moved: Vec<Row> = [
        "lab_service.a",
        "lab_service.b",
        "lab_service.c",
        "lab_service.d",
        "lab_service.e",
    ]
    .into_iter()
    .map(|address| {
        row(
            address,
            UPDATE,
            service("x", &db("old", "prod")),
            service("x", &db("old", "staging")),
        )
    })
    .collect();
    lacks(&brief(moved), "another-environment");
}

#[test]
fn a_region_or_an_account_of_nobody_else_is_told() {
    const TY: &str = "lab:mq/queue:Queue";
    let queue = |account: &str, region: &str| value!({"target": format!("arn:lab:sqs:{region}:{account}:jobs")});
    let ours = queue("123456789012", "eu-west-1");
    let mut steps: Vec<Value> = ["a", "b", "c"]
        .into_iter()
        .map(|name| {
            step(
                "update",
                TY,
                name,
                &ours,
                &value!({"target": "arn:lab:sqs:eu-west-1:123456789012:done"}),
            )
        })
        .collect();
    steps.push(step(
        "update",
        TY,
        "far",
        &ours,
        &queue("123456789012", "us-east-1"),
    ));
    steps.push(step(
        "update",
        TY,
        "foreign",
        &ours,
        &queue("999999999999", "eu-west-1"),
    ));
    let out = preview(steps);
    has(
        &out,
        "danger",
        &[
            "far  lab:mq/queue:Queue  a new value names the region us-east-1, and the other values here belong to eu-west-1",
            "foreign  lab:mq/queue:Queue  a new value names the account 999999999999, and the other values here belong to 123456789012",
        ],
    );
}

#[test]
fn a_variable_is_the_cause_of_many_changes() {
    let tagged = |release: &str| value!({"tags": {"release": release}, "size": 1});
    let mut config = value!({"root_module": {
        "variables": {"release": {}},
        "resources": [
            {"address": "lab_disk.it", "mode": "managed", "type": "lab_disk", "name": "it", "provider_config_key": "lab",
             "expressions": {"tags": {"references": ["var.release"]}}, "schema_version": 0}],
        "module_calls": {"web": {
            "expressions": {"version_tag": {"references": ["var.release"]}},
            "module": {"variables": {"version_tag": {}}, "resources": [
                {"address": "lab_app.it", "mode": "managed", "type": "lab_app", "name": "it", "provider_config_key": "lab",
                 "expressions": {"tags": {"references": ["var.version_tag", "each.key"]}}, "schema_version": 0}]}}}}});
    let plan = |config: &Value, release: &str| {
        let rows = [
            "lab_disk.it[0]",
            "lab_disk.it[1]",
            "module.web.lab_app.it[\"a\"]",
        ];
        let rows = rows
            .map(|address| row(address, UPDATE, tagged("1"), tagged("2")))
            .into_iter()
            .collect();
        brief_with(
            rows,
            value!({"configuration": config, "variables": {"release": {"value": release}}}),
        )
    };
    let out = plan(&config, "2");
    let head = "\ncommon: 3 resources take tags from var.release, now \"2\"\n";
    assert!(out.contains(head), "{out}");
    // What a map has beside its only reference is not from there.
    lacks(&plan(&config, "1"), "take tags from");
    // Of two variables nobody knows which one changed.
    config["root_module"]["resources"][0]["expressions"]["tags"]["references"] =
        value!(["var.release", "var.owner"]);
    lacks(&plan(&config, "2"), "take tags from");
}

#[test]
fn a_provider_that_goes_elsewhere_is_a_danger() {
    const TY: &str = "lab:mq/queue:Queue";
    let provider = |inputs: Value| {
        value!({"urn": "urn:pulumi:dev::shop::pulumi:providers:lab::main", "custom": true, "type": "pulumi:providers:lab",
                "id": "9f3c", "inputs": inputs, "outputs": inputs})
    };
    let steps = |after: Value| {
        let mut steps = vec![
            value!({"op": "update", "urn": "urn:pulumi:dev::shop::pulumi:providers:lab::main",
                                     "oldState": provider(value!({"region": "eu-west-1", "version": "1.2.0"})), "newState": provider(after)}),
        ];
        for name in ["a", "b"] {
            let mut step = step(
                "replace",
                TY,
                name,
                &value!({"size": 1}),
                &value!({"size": 1, "label": "x"}),
            );
            for key in ["oldState", "newState"] {
                step[key]["provider"] =
                    value!("urn:pulumi:dev::shop::pulumi:providers:lab::main::9f3c");
            }
            step["provider"] = value!("urn:pulumi:dev::shop::pulumi:providers:lab::main::9f3c");
            steps.push(step);
        }
        steps
    };
    let want = "the configuration of a provider changes: it manages 2 resources here, of which 2 change and 2 are replaced";
    let out = preview(steps(value!({"region": "us-east-1", "version": "1.2.0"})));
    has(
        &out,
        "danger",
        &[want, "region  \"eu-west-1\" → \"us-east-1\""],
    );
    let out = preview(steps(value!({"region": "eu-west-1", "version": "1.3.0"})));
    has(&out, "warning", &[want, "version  \"1.2.0\" → \"1.3.0\""]);
    lacks(&section(&out, "danger"), "provider");
    // What one of its own properties forces does not follow from it.
    let mut all = steps(value!({"region": "eu-west-1", "version": "1.3.0"}));
    all[1]["replaceReasons"] = value!(["label"]);
    let out = preview(all);
    assert!(out.contains("\n  ± a  lab:mq/queue:Queue"), "{out}");
    assert!(out.contains("\n      ± b  lab:mq/queue:Queue"), "{out}");
}

#[test]
fn null_and_an_empty_collection_are_the_same_where_nobody_sets_them() {
    let rows = || {
        vec![row(
            "lab_app.it",
            UPDATE,
            value!({"rules": null, "size": 1}),
            value!({"rules": [], "size": 1}),
        )]
    };
    let of = |expressions: Value, other: Value| {
        brief_with(
            rows(),
            configuration(&[
                ("lab_app.it", "lab_app", expressions),
                ("lab_app.other", "lab_app", other),
            ]),
        )
    };
    let want = "rules  null and empty are the same here";
    let block = value!({"rules": [{"port": {"constant_value": 1}}]});
    // Nobody sets it; or it is a block, in this resource or in another one of its type.
    has(&of(value!({}), value!({})), "without effect", &[want]);
    has(
        &of(value!({"rules": {"constant_value": []}}), block),
        "without effect",
        &[want],
    );
    // An argument that the program sets to an empty list may mean something.
    lacks(
        &of(value!({"rules": {"constant_value": []}}), value!({})),
        "without effect",
    );
    lacks(&brief(rows()), "WITHOUT EFFECT");
}

#[test]
fn null_and_an_empty_collection_are_the_same_where_the_provider_says_so() {
    const TY: &str = "lab:app/app:App";
    let of = |detailed: Value| {
        let mut step = step(
            "update",
            TY,
            "it",
            &value!({"size": 1}),
            &value!({"size": 2, "rules": []}),
        );
        step["detailedDiff"] = detailed;
        preview(vec![step])
    };
    let quiet = of(value!({"size": {"kind": "update", "inputDiff": false}}));
    lacks(&quiet, "+ rules");
    let loud = of(
        value!({"size": {"kind": "update", "inputDiff": false}, "rules": {"kind": "add", "inputDiff": false}}),
    );
    assert!(loud.contains("+ rules  []"), "{loud}");
}

#[test]
fn a_row_says_what_else_happens_to_its_resource() {
    let mut moved = value!({"format_version": "1.2", "terraform_version": "1.9.0", "resource_changes": [
        {"address": "lab_app.new", "previous_address": "lab_app.old", "mode": "managed", "type": "lab_app", "name": "new",
         "provider_name": "registry.terraform.io/acme/lab",
         "change": {"actions": ["update"], "before": {"size": 1}, "after": {"size": 2}, "after_unknown": {},
                    "before_sensitive": {}, "after_sensitive": {}}},
        {"address": "lab_disk.it", "mode": "managed", "type": "lab_disk", "name": "it",
         "provider_name": "registry.terraform.io/acme/lab",
         "change": {"actions": ["update"], "before": {"kind": "a"}, "after": {"kind": "b"}, "after_unknown": {},
                    "before_sensitive": {}, "after_sensitive": {}, "importing": {"id": "d-77"}}}]});
    moved["deferred_changes"] = value!([{"reason": "provider_config_unknown", "resource_change": {
        "address": "lab_net.it", "mode": "managed", "type": "lab_net", "name": "it",
        "provider_name": "registry.terraform.io/acme/lab",
        "change": {"actions": ["create"], "before": null, "after": {}, "after_unknown": {}, "before_sensitive": {},
                   "after_sensitive": {}}}}]);
    moved["checks"] = value!([
        {"address": {"kind": "check", "to_display": "check.health"}, "status": "fail",
         "instances": [{"address": {"to_display": "check.health"}, "status": "fail", "problems": [{"message": "it is down"}]}]},
        {"address": {"kind": "resource", "to_display": "lab_app.new"}, "status": "unknown", "instances": []}]);
    moved["errored"] = value!(true);
    let out = printed(&moved);
    for want in [
        "~ lab_app.new  moved from lab_app.old  ~ size  1 → 2",
        "~ lab_disk.it  imported from \"d-77\"  ~ kind  \"a\" → \"b\"",
        "… lab_net.it  defer, deferred: the provider configuration is unknown",
        "check.health  fail: it is down",
        "lab_app.new  unknown",
        "errored  planning failed: the plan is incomplete",
    ] {
        assert!(out.contains(want), "no {want:?} in\n{out}");
    }
}

#[test]
fn an_error_of_a_preview_is_on_the_page() {
    let diagnostics = |severity: &str| {
        printed(&value!({"config": {}, "steps": [], "changeSummary": {},
            "diagnostics": [{"urn": "urn:pulumi:dev::shop::lab:app/app:App::it", "severity": severity, "message": "no such zone\nat x"}]}))
    };
    let out = diagnostics("error");
    has(
        &out,
        "look at these first",
        &["urn:pulumi:dev::shop::lab:app/app:App::it  no such zone"],
    );
    lacks(&diagnostics("warning"), "no such zone");
}

#[test]
fn aliases_of_pulumi_are_moves_and_may_swap() {
    const TY: &str = "lab:app/app:App";
    let aliased = |old: &str, new: &str, inputs: [&Value; 2]| {
        let mut step = step("update", TY, new, inputs[0], inputs[1]);
        step["oldState"]["urn"] = value!(format!("urn:pulumi:dev::shop::{TY}::{old}"));
        step
    };
    let (one, two) = (value!({"size": 1}), value!({"size": 2}));
    let out = preview(vec![
        aliased("blue", "green", [&one, &two]),
        aliased("green", "blue", [&two, &one]),
    ]);
    has(
        &out,
        "warning",
        &[
            "two resources swap their names: each becomes what the program says of the other",
            "blue → green",
        ],
    );
    let out = preview(vec![aliased("old", "new", [&one, &two])]);
    lacks(&out, "swap");
    let moved = format!("new  {TY}  moved from urn:pulumi:dev::shop::{TY}::old");
    assert!(out.contains(&moved), "{out}");
}

#[test]
fn drift_shows_what_was_applied_and_found_and_what_the_plan_makes_of_it() {
    let disk = |size: u32, tag: &str| value!({"id": "d-1", "size": size, "tag": tag});
    let drift = |address: &str, before: Value, after: Value| {
        value!({"address": address, "mode": "managed", "type": "lab_disk", "name": "it",
                "provider_name": "registry.terraform.io/acme/lab",
                "change": {"actions": if after.is_null() { value!(["delete"]) } else { value!(["update"]) }, "before": before,
                           "after": after, "after_unknown": {}, "before_sensitive": {}, "after_sensitive": {}}})
    };
    let out = brief_with(
        vec![
            row("lab_disk.it", UPDATE, disk(9, "hand"), disk(5, "hand")),
            row("lab_disk.gone", CREATE, Value::Null, disk(1, "x")),
        ],
        value!({"resource_drift": [drift("lab_disk.it", disk(5, "a"), disk(9, "hand")), drift("lab_disk.gone", disk(1, "x"), Value::Null)]}),
    );
    has(
        &out,
        "changed outside",
        &[
            "~ size  5 → 9  the plan sets it back",
            "~ tag  \"a\" → \"hand\"  the plan keeps it",
        ],
    );
}

#[test]
fn an_old_copy_that_something_uses_by_its_id_is_a_danger() {
    let copy = value!({"id": "i-0aa11bb22", "name": "web"});
    let live = value!({"id": "i-0cc33dd44", "name": "web"});
    let plan = |target: &str| {
        let change = |address: &str, ty: &str, actions: Value, before: &Value, after: &Value| {
            value!({"address": address, "mode": "managed", "type": ty, "name": "it",
                    "provider_name": "registry.terraform.io/acme/lab",
                    "change": {"actions": actions, "before": before, "after": after, "after_unknown": {}, "before_sensitive": {},
                               "after_sensitive": {}}})
        };
        let user = value!({"id": "t-1", "target": target, "web": "web"});
        let mut deposed = change(
            "lab_web.it",
            "lab_web",
            value!(["delete"]),
            &copy,
            &Value::Null,
        );
        deposed["deposed"] = value!("9f3c01ab");
        printed(
            &value!({"format_version": "1.2", "terraform_version": "1.9.0", "resource_changes": [
            change("lab_web.it", "lab_web", value!(["no-op"]), &live, &live), deposed,
            change("lab_route.it", "lab_route", value!(["no-op"]), &user, &user)]}),
        )
    };
    has(
        &plan("i-0aa11bb22"),
        "danger",
        &[
            "lab_route.it",
            "refers to lab_web.it (deposed 9f3c01ab), which this plan deletes",
        ],
    );
    lacks(&plan("i-0cc33dd44"), "refers to");
}

#[test]
fn a_new_value_with_the_form_of_a_secret_is_a_danger_and_a_name_alone_is_a_note() {
    let function = |url: &str, mode: &str| value!({"function_name": "api", "environment": [{"variables": {"DATABASE_URL": url, "MODE": mode}}]});
    let url = "postgres://app:hunter2@db.internal/orders";
    let plain = "postgres://db.internal/orders";
    let out = brief(vec![
        row(
            "aws_lambda_function.api",
            UPDATE,
            function(plain, "a"),
            function(url, "a"),
        ),
        // It was there before, so the plan does not bring it.
        row(
            "aws_lambda_function.old",
            UPDATE,
            function(url, "a"),
            function(url, "b"),
        ),
        row(
            "acme_user.new",
            CREATE,
            Value::Null,
            value!({"name": "u", "password": "correct-horse", "password_policy": "strict", "token": "arn:aws:x:y"}),
        ),
    ]);
    has(
        &out,
        "danger",
        &[
            "a URL with a password in clear text",
            "environment[0].variables.DATABASE_URL",
            "[likely secret]",
        ],
    );
    lacks(&out, "hunter2");
    lacks(&section(&out, "danger"), "aws_lambda_function.old");
    has(
        &out,
        "note",
        &["secret by its name", "acme_user.new", "password"],
    );
    assert_eq!(out.matches("password_policy").count(), 0, "{out}");
    let out = preview(vec![step(
        "update",
        "acme:index:Job",
        "job",
        &value!({"env": {"URL": plain}}),
        &value!({"env": {"URL": url}}),
    )]);
    has(
        &out,
        "danger",
        &["a URL with a password in clear text", "env.URL"],
    );
    lacks(&out, "hunter2");
}

#[test]
fn a_secret_that_turns_up_in_clear_text_elsewhere_is_a_danger() {
    let masked = |row: Row, mask: Value| (row, mask);
    let of = |rows: Vec<(Row, Value)>| {
        let changes: Vec<Value> = rows
            .into_iter()
            .map(|(row, mask)| {
                let (ty, name) = row.address.split_once('.').unwrap();
                value!({"address": row.address, "mode": "managed", "type": ty, "name": name,
                    "provider_name": "registry.terraform.io/acme/lab",
                    "change": {"actions": row.actions, "before": row.before, "after": row.after, "after_unknown": {},
                               "before_sensitive": mask, "after_sensitive": mask}})
            })
            .collect();
        printed(
            &value!({"format_version": "1.2", "terraform_version": "1.9.0", "resource_changes": changes}),
        )
    };
    let password = || {
        let values = value!({"id": "none", "result": "kx9TTq2vWz", "length": 10});
        masked(
            row("random_password.db", NOTHING, values.clone(), values),
            value!({"result": true}),
        )
    };
    let service = |text: &str| {
        let values = |text: &str| value!({"name": "api", "args": [text]});
        masked(
            row("acme_service.api", UPDATE, values("none"), values(text)),
            value!({}),
        )
    };
    for text in ["kx9TTq2vWz", "--dsn=db;key=kx9TTq2vWz;tls"] {
        let out = of(vec![password(), service(text)]);
        has(
            &out,
            "danger",
            &[
                "holds the secret result of random_password.db in clear text",
                "args[0]",
            ],
        );
        let danger = section(&out, "danger");
        let places: Vec<&str> = danger
            .lines()
            .filter(|line| line.contains("holds the"))
            .collect();
        assert!(!places.concat().contains("kx9TTq2vWz"), "{danger}");
    }
    // A near miss: another text, and a resource that says what its own secret is.
    let out = of(vec![password(), service("kx9TTq2vWy")]);
    lacks(&out, "holds the secret");
}

#[test]
fn two_that_swap_their_values_are_one_finding() {
    let card = |group: &str| value!({"id": "eni", "description": "d", "security_groups": [group]});
    let swap = |one: [&str; 2], other: [&str; 2]| {
        brief(vec![
            row(
                "aws_network_interface.admin",
                UPDATE,
                card(one[0]),
                card(one[1]),
            ),
            row(
                "aws_network_interface.web",
                UPDATE,
                card(other[0]),
                card(other[1]),
            ),
        ])
    };
    let out = swap(["sg-0111", "sg-0222"], ["sg-0222", "sg-0111"]);
    has(
        &out,
        "danger",
        &[
            "two resources of one type swap their security_groups",
            "aws_network_interface.admin, aws_network_interface.web",
            "sg-0111",
            "sg-0222",
        ],
    );
    // Both change alike, only one takes the other's value, and a switch is no name.
    lacks(
        &swap(["sg-0111", "sg-0222"], ["sg-0111", "sg-0222"]),
        "swap",
    );
    lacks(
        &swap(["sg-0111", "sg-0222"], ["sg-0222", "sg-0333"]),
        "swap",
    );
    let switch = |on: bool| value!({"id": "a", "enabled": on.to_string()});
    let out = brief(vec![
        row("acme_job.a", UPDATE, switch(true), switch(false)),
        row("acme_job.b", UPDATE, switch(false), switch(true)),
    ]);
    lacks(&out, "swap");
    let subnet = |id: &str| value!({"subnetId": id, "size": 1});
    let step_of = |name: &str, one: &str, other: &str| {
        step(
            "update",
            "acme:index:Vm",
            name,
            &subnet(one),
            &subnet(other),
        )
    };
    let out = preview(vec![
        step_of("a", "subnet-1", "subnet-2"),
        step_of("b", "subnet-2", "subnet-1"),
    ]);
    has(
        &out,
        "warning",
        &["two resources of one type swap their subnetId", "subnet-1"],
    );
}

#[test]
fn something_that_leads_to_itself_is_told() {
    let logging =
        |target: &str| value!({"id": "logs-1", "bucket": "logs-1", "target_bucket": target});
    let of = |target: &str| {
        brief(vec![row(
            "aws_s3_bucket_logging.a",
            UPDATE,
            logging("audit"),
            logging(target),
        )])
    };
    has(
        &of("logs-1"),
        "danger",
        &[
            "leads to itself: the value is its own",
            "target_bucket",
            "\"audit\" → \"logs-1\"",
        ],
    );
    lacks(&of("logs-2"), "leads to itself");
    let queue = |dead: &str| {
        value!({"name": "jobs", "arn": "arn:aws:sqs:x:1:jobs",
            "redrivePolicy": format!("{{\"deadLetterTargetArn\": \"{dead}\", \"maxReceiveCount\": 5}}")})
    };
    let of = |dead: &str| {
        let before = queue("arn:aws:sqs:x:1:dead");
        preview(vec![step(
            "update",
            "aws:sqs/queue:Queue",
            "jobs",
            &before,
            &queue(dead),
        )])
    };
    has(
        &of("arn:aws:sqs:x:1:jobs"),
        "danger",
        &["leads to itself", "redrivePolicy.deadLetterTargetArn"],
    );
    lacks(&of("arn:aws:sqs:x:1:dead2"), "leads to itself");
}

#[test]
fn a_copy_in_the_zone_of_its_original_is_told() {
    let original = value!({"id": "orders", "identifier": "orders", "availability_zone": "eu-1a"});
    let copy = |zone: &str| value!({"id": "orders-2", "identifier": "orders-2", "replicate_source_db": "orders", "availability_zone": zone});
    let of = |zone: &str| {
        brief(vec![
            row(
                "aws_db_instance.orders",
                NOTHING,
                original.clone(),
                original.clone(),
            ),
            row("aws_db_instance.copy", UPDATE, copy("eu-1b"), copy(zone)),
        ])
    };
    has(
        &of("eu-1a"),
        "warning",
        &[
            "is in the zone of aws_db_instance.orders, of which it is a copy",
            "\"eu-1b\" → \"eu-1a\"",
        ],
    );
    lacks(&of("eu-1c"), "in the zone of");
    let db =
        |name: &str, zone: &str, of: &str| value!({"name": name, "zone": zone, "sourceId": of});
    let main = db("main", "z1", "");
    let of = |zone: &str| {
        preview(vec![
            step("same", "acme:db:Db", "main", &main, &main),
            step(
                "update",
                "acme:db:Db",
                "copy",
                &db("copy", "z2", "main-id-0123"),
                &db("copy", zone, "main-id-0123"),
            ),
        ])
    };
    has(&of("z1"), "warning", &["is in the zone of"]);
    lacks(&of("z3"), "in the zone of");
}

#[test]
fn an_address_of_what_goes_is_a_reference_to_it() {
    let balancer = value!({"id": "arn:lb/legacy/5f", "name": "legacy", "dns_name": "legacy-1887.eu-west-1.elb.example.com"});
    let record = |to: &str| value!({"id": "Z1_p", "name": "p.shop.example", "type": "CNAME", "records": [to]});
    let of = |to: &str| {
        brief(vec![
            row("aws_lb.legacy", DELETE, balancer.clone(), Value::Null),
            row(
                "aws_route53_record.partners",
                NOTHING,
                record(to),
                record(to),
            ),
        ])
    };
    has(
        &of("legacy-1887.eu-west-1.elb.example.com"),
        "danger",
        &[
            "aws_route53_record.partners",
            "stays and refers to it  records[0]",
        ],
    );
    lacks(
        &of("other-1887.eu-west-1.elb.example.com"),
        "stays and refers",
    );
}

#[test]
fn a_role_that_trusts_an_account_of_pods_by_its_old_name_refers_to_it() {
    const ACCOUNT: &str = "kubernetes:core/v1:ServiceAccount";
    let account = |name: &str| value!({"metadata": {"name": name, "namespace": "shop"}});
    let role = |subjects: Value| {
        let role =
            value!({"trust": {"Condition": {"StringEquals": {"oidc.example:sub": subjects}}}});
        step("same", "lab:iam/role:Role", "returns", &role, &role)
    };
    let of = |subjects: Value| {
        preview(vec![
            step(
                "replace",
                ACCOUNT,
                "returns",
                &account("returns"),
                &account("returns-api"),
            ),
            role(subjects),
        ])
    };
    has(
        &of(value!("system:serviceaccount:shop:returns")),
        "warning",
        &["returns stays and refers to it", "oidc.example:sub"],
    );
    // It knows the new name too, or means another namespace.
    let both = value!([
        "system:serviceaccount:shop:returns",
        "system:serviceaccount:shop:returns-api"
    ]);
    for subjects in [both, value!("system:serviceaccount:lab:returns")] {
        lacks(&of(subjects), "stays and refers");
    }
}

#[test]
fn a_deletion_names_the_twin_that_is_created() {
    let database = |id: &str| value!({"id": id, "identifier": "orders", "engine": "postgres", "allocated_storage": 200, "db_name": "orders", "username": "app"});
    let of = |new: Value| {
        brief(vec![
            row(
                "aws_db_instance.orders",
                DELETE,
                database("orders"),
                Value::Null,
            ),
            row("aws_db_instance.main", CREATE, Value::Null, new),
        ])
    };
    let out = of(database("orders"));
    let twin = "aws_db_instance.orders → aws_db_instance.main  another name\n        the database is deleted with its data: aws_db_instance.orders\n";
    has(&out, "look at these first", &[twin, "      moved {\n"]);
    let other = value!({"identifier": "reports", "engine": "mysql", "allocated_storage": 50, "db_name": "r", "username": "root"});
    lacks(&of(other), "another name");
    let inputs = database("orders");
    let out = preview(vec![
        step(
            "delete",
            "aws:rds/instance:Instance",
            "orders",
            &inputs,
            &Value::Null,
        ),
        step(
            "create",
            "aws:rds/instance:Instance",
            "orders-main",
            &Value::Null,
            &inputs,
        ),
    ]);
    has(
        &out,
        "look at these first",
        &[
            "orders → orders-main  aws:rds/instance:Instance  another name",
            "aliases",
        ],
    );
}

#[test]
fn a_range_that_widens_says_what_it_was() {
    let rule = |cidr: &str| value!({"type": "ingress", "cidr_blocks": [cidr], "from_port": 443, "to_port": 443, "protocol": "tcp"});
    let out = brief(vec![row(
        "aws_security_group_rule.r",
        UPDATE,
        rule("10.0.0.0/22"),
        rule("10.0.0.0/2"),
    )]);
    has(&out, "warning", &["10.0.0.0/22 → 0.0.0.0/2 to tcp 443"]);
    let out = brief(vec![row(
        "aws_security_group_rule.r",
        UPDATE,
        rule("10.0.0.0/22"),
        rule("192.0.2.0/24"),
    )]);
    has(&out, "warning", &["192.0.2.0/24 to tcp 443"]);
}

#[test]
fn a_script_in_base64_shows_its_line_that_differs() {
    let of = |text: &str| value!({"name": "web", "user_data": text});
    let (one, two) = ("IyEvYmluL3NoCnJ1biBvbmUK", "IyEvYmluL3NoCnJ1biB0d28K");
    let out = brief(vec![row(
        "aws_launch_template.web",
        UPDATE,
        of(one),
        of(two),
    )]);
    has(
        &out,
        "on their own",
        &["user_data  \"run one\" → \"run two\"", "in base64"],
    );
}

#[test]
fn unchanged_neighbors_say_which_environment_is_at_home() {
    let plan = |homes: [&str; 4]| {
        let service =
            |place: &str| value!({"database": format!("db.{place}.example.com"), "size": 1});
        let names = ["lab_app.a", "lab_app.b", "lab_app.c", "lab_app.d"];
        let kept = names.into_iter().zip(homes);
        let kept = kept.map(|(name, home)| row(name, NOTHING, service(home), service(home)));
        let odd = row("lab_app.e", UPDATE, service("prod"), service("staging"));
        brief(kept.chain([odd]).collect())
    };
    has(
        &plan(["prod"; 4]),
        "danger",
        &[
            "lab_app.e  lab_app  a new value names the environment staging, and the other values here belong to prod",
        ],
    );
    lacks(
        &plan(["prod", "staging", "prod", "staging"]),
        "another-environment",
    );
}

#[test]
fn texts_that_look_the_same_are_told() {
    let plan = |property: &str, before: &str, after: &str| {
        let text = |text: &str| value!({property: text});
        brief(vec![row("lab_user.it", UPDATE, text(before), text(after))])
    };
    let out = plan("user_name", "admin", "\u{430}dmin");
    has(
        &out,
        "warning",
        &[
            "lab_user.it  lab_user  a new text looks like the old one, and is another one  (looks-the-same)",
            "looks the same, but \u{430} is U+0430",
        ],
    );
    let out = plan("label", "abc", "a\u{200b}bc");
    has(&out, "note", &["looks the same, but U+200B is invisible"]);
    let out = plan("user_name", "Abc", "abc");
    has(&out, "note", &["only the case differs"]);
    lacks(&plan("user_name", "admin", "adnin"), "looks-the-same");
}

#[test]
fn another_format_of_a_text_shows_no_signs() {
    let body = |text: &str| value!({"body": text});
    let out = brief(vec![row(
        "lab_manifest.it",
        UPDATE,
        body("a: [1, 2]\nb: 3\n"),
        body("a:\n  - 1\n  - 2\nb: 3\n"),
    )]);
    has(&out, "without effect", &["~ body  formatting only\n"]);
}

#[test]
fn an_address_of_a_bucket_and_its_web_site_that_both_go_is_a_reference() {
    let site = "downloads.shop.example.s3-website.eu-central-1.amazonaws.com";
    let bucket = value!({"id": "downloads.shop.example", "bucket": "downloads.shop.example", "website_endpoint": site});
    let website = value!({"id": "downloads.shop.example", "bucket": "downloads.shop.example", "website_endpoint": site});
    let record =
        |to: &str| value!({"id": "r-1", "name": "downloads", "type": "CNAME", "content": to});
    let of = |to: &str| {
        brief(vec![
            row(
                "aws_s3_bucket.downloads",
                DELETE,
                bucket.clone(),
                Value::Null,
            ),
            row(
                "aws_s3_bucket_website_configuration.downloads",
                DELETE,
                website.clone(),
                Value::Null,
            ),
            row(
                "cloudflare_record.downloads",
                NOTHING,
                record(to),
                record(to),
            ),
        ])
    };
    has(
        &of(site),
        "danger",
        &[
            "cloudflare_record.downloads",
            "stays and refers to aws_s3_bucket.downloads, which this plan deletes",
        ],
    );
    lacks(
        &of("uploads.shop.example.s3-website.eu-central-1.amazonaws.com"),
        "stays and refers",
    );
}

#[test]
fn a_value_that_gets_the_mark_of_an_environment_that_nobody_has_is_told() {
    let service = |name: &str, url: &str| value!({"id": format!("shop-prod-{name}"), "name": name, "url": url});
    let of = |url: &str| {
        let names = [
            "lab_service.a",
            "lab_service.b",
            "lab_service.c",
            "lab_service.d",
        ];
        let mut rows = names.map(|address| {
            let name = address.rsplit('.').next().unwrap();
            row(
                address,
                NOTHING,
                service(name, "https://pay.example.com"),
                service(name, "https://pay.example.com"),
            )
        });
        rows[0] = row(
            "lab_service.a",
            UPDATE,
            service("a", "https://pay.example.com"),
            service("a", url),
        );
        brief(rows.into())
    };
    has(
        &of("https://sandbox.pay.example.com"),
        "warning",
        &["lab_service.a  lab_service  a new value names the environment sandbox"],
    );
    lacks(&of("https://new.pay.example.com"), "names the environment");
    // A mark that other resources have too is no foreign one.
    lacks(&of("https://prod.pay.example.com"), "names the environment");
}

#[test]
fn two_places_of_one_object_that_swap_their_values_are_a_finding() {
    let gateway = |one: &str, other: &str| value!({"id": "g-1", "certificates": [{"name": "api", "secret_id": one}, {"name": "web", "secret_id": other}]});
    let of = |after: Value| {
        brief(vec![row(
            "lab_gateway.it",
            UPDATE,
            gateway("api.example", "web.example"),
            after,
        )])
    };
    has(
        &of(gateway("web.example", "api.example")),
        "warning",
        &[
            "lab_gateway.it  lab_gateway  certificates[api].secret_id and certificates[web].secret_id swap their values",
            "certificates[api].secret_id  \"api.example\" → \"web.example\"",
            "certificates[web].secret_id  \"web.example\" → \"api.example\"",
        ],
    );
    // Elements without names of their own, and keys, have their paths.
    let plain = |one: &str, other: &str| value!({"id": "g-1", "certificates": [{"port": 1, "weight": 1, "secret_id": one}, {"port": 1, "weight": 2, "secret_id": other}]});
    let keyed =
        |one: &str, other: &str| value!({"id": "g-1", "routes": {"api": one, "web": other}});
    for (make, says) in [
        (
            &plain as &dyn Fn(&str, &str) -> Value,
            "certificates[0].secret_id and certificates[1].secret_id swap their values",
        ),
        (&keyed, "routes.api and routes.web swap their values"),
    ] {
        let out = brief(vec![row(
            "lab_gateway.it",
            UPDATE,
            make("api.example", "web.example"),
            make("web.example", "api.example"),
        )]);
        has(&out, "warning", &[says]);
    }
    // One alone, or whole elements in another order, are no swap.
    lacks(&of(gateway("web.example", "web.example")), "swap");
    lacks(&of(gateway("web.example", "new.example")), "swap");
    let moved = value!({"id": "g-1", "certificates": [{"name": "web", "secret_id": "web.example"}, {"name": "api", "secret_id": "api.example"}]});
    lacks(&of(moved), "swap");
}

#[test]
fn rules_of_a_role_in_another_order_give_nothing() {
    let role =
        |rules: Value| value!({"id": "r-1", "metadata": [{"name": "deployer"}], "rule": rules});
    let of = |after: Value| {
        let before = value!([
            {"api_groups": ["apps"], "resources": ["deployments", "statefulsets"], "verbs": ["get", "patch"]},
            {"api_groups": [""], "resources": ["secrets", "configmaps"], "verbs": ["get", "list"]},
        ]);
        brief(vec![row(
            "kubernetes_role.it",
            UPDATE,
            role(before),
            role(after),
        )])
    };
    let reordered = value!([
        {"api_groups": [""], "resources": ["configmaps", "secrets"], "verbs": ["list", "get"]},
        {"api_groups": ["apps"], "resources": ["statefulsets", "deployments"], "verbs": ["patch", "get"]},
    ]);
    lacks(&of(reordered), "LOOK AT THESE FIRST");
    let more = value!([
        {"api_groups": [""], "resources": ["configmaps"], "verbs": ["list", "get"]},
        {"api_groups": ["apps"], "resources": ["statefulsets", "deployments", "secrets"], "verbs": ["patch", "get"]},
    ]);
    has(&of(more), "warning", &["the role allows more"]);
}

#[test]
fn a_selector_of_a_service_is_told_unless_it_finds_the_same_pods() {
    let service = |selector: Value| value!({"id": "shop/api", "metadata": [{"name": "api", "namespace": "shop"}], "spec": [{"selector": selector}]});
    let deployment = |name: &str, labels: Value| {
        value!({"id": format!("shop/{name}"), "metadata": [{"name": name, "namespace": "shop"}],
            "spec": [{"template": [{"metadata": [{"labels": labels}]}]}]})
    };
    let of = |after: Value, namespace: &str| {
        let api = deployment("api", value!({"app": "api", "name": "api"}));
        let mut web = deployment("web", value!({"app": "web", "name": "web"}));
        web["metadata"][0]["namespace"] = namespace.into();
        brief(vec![
            row(
                "kubernetes_service_v1.api",
                UPDATE,
                service(value!({"app": "api"})),
                service(after),
            ),
            row("kubernetes_deployment_v1.api", NOTHING, api.clone(), api),
            row("kubernetes_deployment_v1.web", NOTHING, web.clone(), web),
        ])
    };
    has(
        &of(value!({"name": "backend"}), "shop"),
        "danger",
        &["it finds no pods any longer, before those of kubernetes_deployment_v1.api"],
    );
    has(
        &of(value!({"name": "web"}), "shop"),
        "warning",
        &[
            "requests go to the pods of kubernetes_deployment_v1.web, before to those of kubernetes_deployment_v1.api",
        ],
    );
    // Pods of another namespace are not found.
    has(
        &of(value!({"name": "web"}), "other"),
        "danger",
        &["it finds no pods any longer"],
    );
    let same = of(value!({"name": "api"}), "shop");
    lacks(&same, "pods");
    lacks(&same, "LOOK AT THESE FIRST");
}

#[test]
fn a_binding_that_takes_a_role_from_members_of_other_resources_is_a_danger() {
    let member = |name: &str, role: &str, project: &str| value!({"id": format!("{project}/{role}/{name}"), "project": project, "role": role, "member": format!("serviceAccount:{name}")});
    let of = |members: Value| {
        let (api, other) = (
            member("api", "roles/sql.client", "shop"),
            member("job", "roles/sql.client", "lab"),
        );
        let reader = member("reader", "roles/viewer", "shop");
        brief(vec![
            row(
                "google_project_iam_binding.sql",
                CREATE,
                Value::Null,
                value!({"project": "shop", "role": "roles/sql.client", "members": members}),
            ),
            row("google_project_iam_member.api", NOTHING, api.clone(), api),
            row(
                "google_project_iam_member.job",
                NOTHING,
                other.clone(),
                other,
            ),
            row(
                "google_project_iam_member.reader",
                NOTHING,
                reader.clone(),
                reader,
            ),
        ])
    };
    let out = of(value!(["serviceAccount:report"]));
    has(
        &out,
        "danger",
        &[
            "google_project_iam_binding.sql  google_project_iam_binding  sets all members of roles/sql.client",
            "member  \"serviceAccount:api\"  of google_project_iam_member.api",
        ],
    );
    lacks(&section(&out, "danger"), "serviceAccount:job");
    lacks(
        &of(value!(["serviceAccount:report", "serviceAccount:api"])),
        "sets all members",
    );
}
