//! The answers of each command.

use serde_json::{Value, json as value};

use crate::made::configured_plan;
use crate::screens::harness::Session;

use super::{AFTER, BEFORE, PLAN, PREVIEW, SHOP, check_get, command, json};

#[test]
fn info_counts() {
    let info = json(&["info", PREVIEW, "--json"]);
    let keys: Vec<_> = info.as_object().unwrap().keys().collect();
    let mut want = vec![
        "kind",
        "format_version",
        "tool",
        "tool_version",
        "stack",
        "project",
        "resources",
        "deposed",
        "outputs",
        "secrets",
        "changes",
        "actions",
        "notes",
    ];
    want.sort_unstable();
    let mut sorted: Vec<_> = keys.iter().map(|key| key.as_str()).collect();
    sorted.sort_unstable();
    assert_eq!(sorted, want);
    assert_eq!(info["kind"], "pulumi-preview");
    assert_eq!(
        (&info["stack"], &info["project"]),
        (&value!("prod"), &value!("shop"))
    );
    assert_eq!(info["resources"], 41);
    assert_eq!(
        info["changes"],
        value!({"update": 12, "same": 20, "read": 1, "replace": 2, "create": 3, "import": 1, "delete": 2})
    );
    assert_eq!(
        info["actions"],
        value!({"update": 12, "noop": 20, "read": 1, "replace": 2, "create": 3, "import": 1, "delete": 2})
    );
    let notes = info["notes"].as_array().unwrap();
    assert!(
        notes.iter().all(|note| note["severity"] != "error"),
        "{notes:?}"
    );
    assert!(notes.iter().any(|note| note["severity"] == "warning"
        && note["where"].as_str().unwrap().ends_with("::orders-db")));

    let plan = json(&["info", PLAN, "--json"]);
    assert_eq!(plan["resources"], 14);
    assert_eq!(plan["changes"]["delete+create"], 1);
    assert_eq!(plan["actions"]["replace"], 2);
    assert_eq!(plan["actions"]["move"], 1);

    let state = json(&["info", BEFORE, "--json"]);
    assert_eq!(
        (&state["resources"], &state["deposed"]),
        (&value!(8), &value!(1))
    );
    assert_eq!(state["outputs"], 2);
    assert_eq!(state["changes"], value!({}));
    assert_eq!(state["tool_version"], "1.9.8");
}

#[test]
fn info_lists_the_locked_versions_of_providers() {
    let locks = "provider \"registry.terraform.io/hashicorp/a\" {\n  version = \"1.2.3\"\n  constraints = \"~> 1.0\"\n  \
        hashes = [\"h1:A=\", \"zh:0\"]\n}\n";
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tfplan");
    let plan = configured_plan("a_b.c", &[(".terraform.lock.hcl", locks)]);
    std::fs::write(&path, plan).unwrap();
    let path = path.to_str().unwrap();
    let info = json(&["info", path, "--json"]);
    assert_eq!(
        info["dependency_locks"],
        value!([{"provider": "registry.terraform.io/hashicorp/a", "version": "1.2.3", "constraints": "~> 1.0", "hashes": 2}])
    );
    let text = command(&["info", path]).out;
    let line = "locked      registry.terraform.io/hashicorp/a 1.2.3 · wanted ~> 1.0 · 2 hashes";
    assert!(text.lines().any(|it| it == line), "{text}");
    assert!(!text.contains("\nsources"), "{text}");
}

#[test]
fn ls_has_one_entry_for_each_resource() {
    let rows = json(&["ls", SHOP, "--json"]);
    let row = |name: &str, ty: &str| {
        let mut rows = rows.as_array().unwrap().iter();
        rows.find(|row| row["name"] == name && row["type"] == ty)
            .unwrap()
            .clone()
    };
    let db = row("orders-db", "aws:rds/instance:Instance");
    assert_eq!(
        db["urn"],
        "urn:pulumi:prod::shop::shop:data:Database$aws:rds/instance:Instance::orders-db"
    );
    assert_eq!(db["id"], "db-ORDERSK7Q");
    assert_eq!(db["mode"], "managed");
    assert_eq!(db["custom"], true);
    assert_eq!(
        db["parent"],
        "urn:pulumi:prod::shop::shop:data:Database::orders"
    );
    assert!(db["flags"].as_array().unwrap().contains(&value!("secret")));
    assert!(db.get("action").is_none() && db.get("address").is_none());
    assert_eq!(row("orders", "shop:data:Database")["mode"], "component");
    assert_eq!(row("us-east-1", "pulumi:providers:aws")["mode"], "provider");
    assert_eq!(row("shop-prod", "pulumi:pulumi:Stack")["mode"], "stack");
    assert!(
        row("vpc", "aws:ec2/vpc:Vpc")["flags"]
            .as_array()
            .unwrap()
            .contains(&value!("protected"))
    );

    let plan = json(&["ls", PLAN, "--json"]);
    let plan = plan.as_array().unwrap();
    // Drift is listed separately from the changes of the plan.
    assert_eq!(plan.len(), 14);
    let pool = plan
        .iter()
        .find(|row| row["address"] == r#"module.eks.aws_eks_node_group.pool["a.b"]"#)
        .unwrap();
    assert_eq!(pool["parent"], "module.eks");
    assert_eq!(pool["action"], "create");
    assert_eq!(
        pool["urn"],
        r#"urn:pulumi:default::shop::terraform:module:Module$aws:managed:aws_eks_node_group::module.eks.aws_eks_node_group.pool["a.b"]"#
    );
    let ami = plan.iter().find(|row| row["type"] == "aws_ami").unwrap();
    assert_eq!(
        (&ami["mode"], &ami["action"]),
        (&value!("data"), &value!("read"))
    );

    let text = command(&["ls", PLAN, "action:delete,replace"]).out;
    assert_eq!(text.lines().count(), 4, "{text}");
    assert!(
        text.lines()
            .all(|line| line.ends_with("delete") || line.ends_with("replace"))
    );
}

#[test]
fn get_takes_the_names_that_ls_prints() {
    for file in [SHOP, PREVIEW, PLAN, BEFORE] {
        for row in json(&["ls", file, "--json"]).as_array().unwrap() {
            for key in ["urn", "address"] {
                if let Some(text) = row.get(key).and_then(|text| text.as_str()) {
                    let run = command(&["get", file, text, "--json"]);
                    assert_eq!(run.code, 0, "{file} {text}: {}", run.err);
                    // Numbers of any size are printed, which this JSON reader does not accept.
                    let quoted = serde_json::to_string(text).unwrap();
                    assert!(
                        run.out.contains(&format!("\"{key}\": {quoted}")),
                        "{}",
                        run.out
                    );
                }
            }
        }
    }
}

#[test]
fn get_finds_values() {
    check_get(PREVIEW, &["orders-db", "engineVersion"], 0, "16.3\n");
    check_get(PREVIEW, &["orders-db", "root.engineVersion"], 0, "16.3\n");
    check_get(
        PREVIEW,
        &["orders-db", "engineVersion", "--of", "before"],
        0,
        "15.4\n",
    );
    check_get(
        PREVIEW,
        &["orders-db", "engineVersion", "--of", "before.inputs"],
        0,
        "15.4\n",
    );
    check_get(PREVIEW, &["orders-db", "multiAz"], 0, "false\n");
    check_get(PREVIEW, &["orders-db", "multiAz", "--of", "after"], 1, "");
    check_get(
        PREVIEW,
        &["orders-db", "endpoint", "--json"],
        0,
        "\"[unknown]\"\n",
    );
    check_get(
        PREVIEW,
        &["orders-db", "finalSnapshotIdentifier", "--json"],
        0,
        "null\n",
    );
    check_get(
        PREVIEW,
        &["assets-policy", "policy.Statement[0].Action[1]"],
        0,
        "s3:PutObject\n",
    );
    check_get(PREVIEW, &["legacy-logs", "acl"], 0, "log-delivery-write\n");
    check_get(PREVIEW, &["output.replicas"], 0, "5\n");
    check_get(PREVIEW, &["output.replicas", "--of", "before"], 0, "3\n");
    check_get(
        BEFORE,
        &["time_static.big", "unix"],
        0,
        "9007199254740993\n",
    );
    check_get(BEFORE, &["time_static.big", "huge", "--json"], 0, "1e400\n");
    check_get(BEFORE, &["time_static.big", "ratio", "--json"], 0, "0.1\n");
    check_get(
        BEFORE,
        &["terraform_data.any", "input.x[2]", "--json"],
        0,
        "{}\n",
    );
    check_get(
        PLAN,
        &["aws_db_instance.main", "id"],
        0,
        "(known after apply)\n",
    );
    check_get(
        PLAN,
        &["aws_db_instance.main", "id", "--of", "before"],
        0,
        "db-1\n",
    );
    check_get(
        PLAN,
        &["aws_instance.web[0]", "instance_type"],
        0,
        "t3.large\n",
    );
}

#[test]
fn get_masks() {
    for file in [PREVIEW, SHOP] {
        check_get(file, &["orders-pw", "result"], 0, "[secret]\n");
        check_get(
            file,
            &["orders-pw", "result", "--json"],
            0,
            "\"[secret]\"\n",
        );
        check_get(file, &["orders-pw", "result.below.it[3]"], 0, "[secret]\n");
        check_get(
            file,
            &["orders-pw", "result", "--reveal"],
            0,
            "correct-horse-battery\n",
        );
    }
    check_get(
        BEFORE,
        &["aws_db_instance.main", "password"],
        0,
        "[secret]\n",
    );
    check_get(
        BEFORE,
        &["aws_db_instance.main", "password", "--reveal"],
        0,
        "plan-hunter2\n",
    );
    check_get(BEFORE, &["output.password"], 0, "[secret]\n");
    check_get(
        PLAN,
        &["aws_db_instance.main", "password", "--json"],
        0,
        "\"[secret]\"\n",
    );
    let whole = json(&["get", PREVIEW, "api-secrets", "--of", "inputs", "--json"]);
    assert_eq!(whole["stringData"]["SESSION_KEY"], "[secret]");
    assert_eq!(whole["kind"], "Secret");
    let whole = json(&[
        "get",
        PREVIEW,
        "api-secrets",
        "--of",
        "inputs",
        "--json",
        "--reveal",
    ]);
    assert_eq!(whole["stringData"]["SESSION_KEY"], "sk-77decade");
}

#[test]
fn get_chooses_among_equals() {
    let run = command(&["get", BEFORE, "aws_instance.web[1]", "id"]);
    assert_eq!((run.code, run.out.as_str()), (0, "i-01\n"));
    assert!(run.err.contains("matches 2 resources"), "{}", run.err);
    check_get(BEFORE, &["aws_instance.web[1]#1", "id"], 0, "i-01\n");
    check_get(BEFORE, &["aws_instance.web[1]#2", "id"], 0, "i-09\n");
    check_get(
        BEFORE,
        &["aws_instance.web[1] (deposed 9f3c01ab)", "id"],
        0,
        "i-09\n",
    );
    check_get(BEFORE, &["aws_instance.web[1]#3", "id"], 1, "");
    check_get(SHOP, &["orders-proxy", "id"], 0, "orders-proxy\n");
    check_get(SHOP, &["orders-proxy#2", "id"], 0, "orders-proxy-old\n");

    let run = command(&["get", PREVIEW, "api"]);
    assert_eq!(run.code, 1);
    assert!(run.err.contains("3 resources"), "{}", run.err);
    assert_eq!(run.err.lines().count(), 4, "{}", run.err);
    // A drifted resource is listed a second time, but that entry does not represent the resource.
    let run = command(&["get", PLAN, "aws_instance.web[0]", "instance_type"]);
    assert_eq!((run.out.as_str(), run.err.as_str()), ("t3.large\n", ""));
}

#[test]
fn get_says_how_far_a_path_exists() {
    let run = command(&["get", PREVIEW, "orders-db", "tags.Nam.x"]);
    assert_eq!(run.code, 1);
    assert!(
        run.err.contains("nearest that exists is tags"),
        "{}",
        run.err
    );
    assert!(run.err.contains("Name"), "{}", run.err);
    let run = command(&["get", PREVIEW, "db-sg", "ingress[7].fromPort"]);
    assert!(
        run.err
            .contains("nearest that exists is ingress: it has 3 elements"),
        "{}",
        run.err
    );
}

#[test]
fn find_looks_into_the_outputs_of_the_stack() {
    let state = r#"{"version":4,"terraform_version":"1.9.0","serial":1,"lineage":"l","resources":[],"outputs":{
        "zone":{"value":{"names":["kraken","squid"]},"type":["object",{"names":["list","string"]}]},
        "token":{"value":"hydra","type":"string","sensitive":true}}}"#;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("terraform.tfstate");
    std::fs::write(&path, state).unwrap();
    let path = path.to_str().unwrap();
    assert_eq!(
        json(&["find", path, "=kraken", "--json"]),
        value!([{"address": "output.zone", "section": "outputs", "path": "names[0]", "value": "kraken"}])
    );
    let run = command(&["find", path, "zone"]);
    assert!(run.out.starts_with("output.zone "), "{}", run.out);
    let run = command(&["find", path, "token"]);
    assert!(
        run.out.contains("output.token") && run.out.contains("[secret]"),
        "{}",
        run.out
    );
    assert_eq!(command(&["find", path, "=hydra"]).code, 1);
}

#[test]
fn find_lists_a_key_once_whether_it_folded_or_not() {
    let labels: Vec<String> = (0..1_500).map(|key| format!("\"l{key}\":{key}")).collect();
    let state = format!(
        r#"{{"version":3,"deployment":{{"resources":[{{"urn":"urn:pulumi:dev::web::a:b:C::c","type":"a:b:C",
        "custom":true,"id":"i","outputs":{{"labels":{{{}}}}}}}]}}}}"#,
        labels.join(",")
    );
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("state.json");
    std::fs::write(&path, state).unwrap();
    let path = path.to_str().unwrap();
    for (query, n_hits) in [
        ("root.labels[*]", 1_500),
        ("root.labels.l7", 1),
        ("root.labels.l1499", 1),
    ] {
        let run = command(&["find", path, query]);
        assert_eq!(run.out.lines().count(), n_hits, "{query}");
    }
}

#[test]
fn find_gives_values_and_their_places() {
    let hits = json(&["find", PREVIEW, "=10.0.3.17/32", "--json"]);
    let hits = hits.as_array().unwrap();
    assert!(!hits.is_empty());
    for hit in hits {
        assert!(hit["urn"].as_str().unwrap().ends_with("::db-sg"));
        assert_eq!(hit["value"], "10.0.3.17/32");
        let section = hit["section"].as_str().unwrap();
        let run = command(&[
            "get",
            PREVIEW,
            hit["urn"].as_str().unwrap(),
            hit["path"].as_str().unwrap(),
            "--of",
            section,
        ]);
        assert_eq!(run.out, "10.0.3.17/32\n", "{hit}");
    }
    for (query, n_hits) in [
        ("engineVersion", 2),
        (".engineVersion", 2),
        ("root.engineVersion", 2),
        ("engineVersion !orders", 0),
    ] {
        let run = command(&["find", PREVIEW, query]);
        assert_eq!(run.out.lines().count(), n_hits, "{query}: {}", run.out);
    }
    // `|` finds the hits of both sides, each once.
    let lines = |query: &str| command(&["find", PREVIEW, query]).out.lines().count();
    let either = lines("engineVersion | =10.0.3.17/32 | @engineVersion");
    assert_eq!(either, 2 + hits.len());
    let run = command(&["find", PREVIEW, "engineVersion || x"]);
    assert!(
        run.err.contains("a term before `|` at column 16"),
        "{}",
        run.err
    );
    for secret in ["=correct-horse", "=~tr0ub4dor", "=sk-77decade"] {
        assert_eq!(command(&["find", PREVIEW, secret, "--json"]).out, "[]\n");
    }
}

#[test]
fn deps_list_resources_and_properties() {
    let deps = json(&["deps", PREVIEW, "orders-db", "--json"]);
    let password = deps
        .as_array()
        .unwrap()
        .iter()
        .find(|dep| dep["property"] == "password")
        .unwrap();
    assert!(password["urn"].as_str().unwrap().ends_with("::orders-pw"));
    assert_eq!(password["kind"], "property");
    let names = |args: &[&str]| -> Vec<String> {
        let deps = json(args);
        let name = |dep: &serde_json::Value| {
            let text = dep.get("address").unwrap_or(&dep["urn"]).as_str().unwrap();
            text.rsplit("::").next().unwrap().to_owned()
        };
        deps.as_array().unwrap().iter().map(name).collect()
    };
    assert_eq!(
        names(&["deps", PREVIEW, "orders-db", "--reverse", "--json"]),
        ["orders-target", "orders-url", "orders-dns"]
    );
    let all = names(&[
        "deps",
        PREVIEW,
        "vpc",
        "--reverse",
        "--transitive",
        "--json",
    ]);
    assert!(all.contains(&"orders-dns".to_owned()), "{all:?}");
    assert_eq!(
        names(&[
            "deps",
            BEFORE,
            "aws_db_instance.main",
            "--reverse",
            "--json"
        ]),
        ["aws_db_proxy_target.main"]
    );
    let plan = json(&["deps", PLAN, "aws_db_proxy_target.main", "--json"]);
    assert_eq!(plan[0]["address"], "aws_db_instance.main");
}

#[test]
fn graphs_are_of_both_languages() {
    let dot = command(&["graph", PLAN]).out;
    assert!(
        dot.starts_with("digraph {\n") && dot.ends_with("}\n"),
        "{dot}"
    );
    assert!(
        dot.contains(r#"[label = "module.eks.aws_eks_node_group.pool[\"a.b\"]""#),
        "{dot}"
    );
    let mermaid = command(&["graph", PLAN, "--format", "mermaid"]).out;
    assert!(mermaid.starts_with("graph LR\n"), "{mermaid}");
    assert!(mermaid.contains("pool[#34;a.b#34;]"), "{mermaid}");
    assert!(mermaid.contains("-->|"), "{mermaid}");
}

#[test]
fn diff_lists_the_leaves_of_a_plan() {
    let diff = json(&["diff", PLAN, "--json"]);
    let diff = diff.as_array().unwrap();
    assert_eq!(
        diff.len(),
        13 + 1 + 2,
        "all but one no-op, drift, and two outputs"
    );
    let entry = |address: &str| {
        diff.iter()
            .find(|entry| entry["address"] == address)
            .unwrap()
    };
    let db = entry("aws_db_instance.main");
    assert_eq!(db["action"], "replace");
    assert_eq!(db["reasons"], value!(["replace_because_cannot_update"]));
    let change = |entry: &serde_json::Value, path: &str| {
        let mut changes = entry["changes"].as_array().unwrap().iter();
        changes.find(|change| change["path"] == path).cloned()
    };
    assert_eq!(
        change(db, "storage_encrypted"),
        Some(
            value!({"path": "storage_encrypted", "action": "update", "before": false, "after": true, "replaces": true, "why": "configuration"})
        )
    );
    assert_eq!(
        change(db, "password"),
        Some(
            value!({"path": "password", "action": "update", "before": "[secret]", "after": "[secret]", "why": "configuration"})
        )
    );
    assert_eq!(change(db, "id").unwrap()["after"], "[unknown]");
    assert_eq!(change(db, "id").unwrap()["why"], "provider");
    assert_eq!(change(db, "engine"), None);
    let target = entry("aws_db_proxy_target.main");
    assert_eq!(
        change(target, "db").unwrap()["why"],
        "from aws_db_instance.main.id, which changes (replace)"
    );
    let text = command(&["diff", PLAN, "--json"]).out;
    assert!(text.contains(r#""before":9007199254740993,"after":9007199254740995"#));
    assert_eq!(entry("aws_iam_role.api")["action"], "move");
    assert_eq!(entry("aws_iam_role.api")["changes"], value!([]));

    let preview = json(&["diff", PREVIEW, "--json"]);
    let role = preview
        .as_array()
        .unwrap()
        .iter()
        .find(|entry| entry["urn"].as_str().unwrap().ends_with("::resize-role"))
        .unwrap();
    assert_eq!(role["changes"][0]["why"], "formatting only");
    assert_eq!(role["changes"].as_array().unwrap().len(), 1);
}

/// A plan with a move, an import, a deferral, drift and outputs.
const EVERYTHING: &str = r#"{"format_version":"1.2","terraform_version":"1.14.0","planned_values":{"root_module":{}},"configuration":{},
    "resource_changes":[
      {"address":"a_b.new","previous_address":"a_b.old","mode":"managed","type":"a_b","name":"new","provider_name":"p/q/a",
       "change":{"actions":["no-op"],"before":{"id":"1"},"after":{"id":"1"},"after_unknown":{},"before_sensitive":{},"after_sensitive":{}}},
      {"address":"a_b.both","previous_address":"a_b.was","mode":"managed","type":"a_b","name":"both","provider_name":"p/q/a",
       "change":{"actions":["update"],"before":{"n":1},"after":{"n":2},"after_unknown":{},"before_sensitive":{},"after_sensitive":{}}},
      {"address":"a_b.got","mode":"managed","type":"a_b","name":"got","provider_name":"p/q/a",
       "change":{"actions":["no-op"],"before":{"id":"i-1"},"after":{"id":"i-1"},"after_unknown":{},"before_sensitive":{},"after_sensitive":{},
         "importing":{"id":"i-1"}}}],
    "deferred_changes":[{"reason":"provider_config_unknown","resource_change":{"address":"a_b.later","mode":"managed","type":"a_b",
       "name":"later","provider_name":"p/q/a","change":{"actions":["create"],"before":null,"after":{"n":1},"after_unknown":{},
       "before_sensitive":false,"after_sensitive":{}}}}],
    "resource_drift":[
      {"address":"a_b.both","mode":"managed","type":"a_b","name":"both","provider_name":"p/q/a",
       "change":{"actions":["update"],"before":{"n":0},"after":{"n":1},"after_unknown":{},"before_sensitive":{},"after_sensitive":{}}},
      {"address":"a_b.lost","mode":"managed","type":"a_b","name":"lost","provider_name":"p/q/a",
       "change":{"actions":["delete"],"before":{"id":"9"},"after":null,"after_unknown":{},"before_sensitive":{},"after_sensitive":false}}],
    "output_changes":{"hosts":{"actions":["update"],"before":["a","b"],"after":["b","c"],"after_unknown":false,
       "before_sensitive":false,"after_sensitive":false}}}"#;

#[test]
fn diff_loses_nothing_that_a_plan_says() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("plan.json");
    std::fs::write(&file, EVERYTHING).unwrap();
    let file = file.to_str().unwrap();
    let told = json(&["diff", file, "--json"]);
    let entry = |key: &str, name: &str, is_drift: bool| {
        let mut entries = told.as_array().unwrap().iter();
        let found = entries.find(|it| it[key] == name && it["drift"].is_boolean() == is_drift);
        found
            .unwrap_or_else(|| panic!("no {name} in {told}"))
            .clone()
    };
    assert_eq!(entry("address", "a_b.new", false)["moved_from"], "a_b.old");
    assert_eq!(entry("address", "a_b.both", false)["moved_from"], "a_b.was");
    assert_eq!(entry("address", "a_b.got", false)["importing"], "i-1");
    let later = entry("address", "a_b.later", false);
    assert_eq!(later["deferred"], "provider_config_unknown");
    let drift = entry("address", "a_b.both", true);
    let changes = value!([{"path": "n", "action": "update", "before": 0, "after": 1}]);
    assert_eq!(drift["changes"], changes);
    assert_eq!(entry("address", "a_b.lost", true)["action"], "delete");
    let changes = value!([
        {"path": "hosts[0]", "action": "delete", "before": "a", "after": null},
        {"path": "hosts[1]", "action": "create", "before": null, "after": "c"},
    ]);
    assert_eq!(entry("address", "output.hosts", false)["changes"], changes);
    for format in ["text", "markdown"] {
        let text = command(&["diff", file, "--format", format]).out;
        for words in [
            "moved from a_b.old",
            "moved from a_b.was",
            "imported from \"i-1\"",
            "deferred: the provider configuration is unknown",
            "1 deferred",
            "≈ a_b.both  changed outside",
            "n: 0 → 1",
            "≈ a_b.lost  deleted outside",
            "[0]: \"a\"",
            "[1]: \"c\"",
            "2 drifted",
        ] {
            assert!(text.contains(words), "no {words:?} in {text}");
        }
        assert!(!text.contains("to create"), "{text}");
    }
}

/// Lists whose elements moved. Each element is masked on one side only, by its index there.
#[test]
fn a_mask_goes_with_its_element_wherever_it_moves() {
    let change = |before: Value, after: Value, masks: [Value; 2]| {
        value!({"actions": ["update"], "before": before, "after": after, "after_unknown": {},
            "before_sensitive": masks[0], "after_sensitive": masks[1]})
    };
    let user = |name: &str, key: &str| value!({"name": name, "key": key});
    let cases = [
        (value!(["hush", "a"]), value!(["a", "hush"]), value!([true])),
        (
            value!(["hush", "a"]),
            value!(["a", "b", "hush", "c"]),
            value!([true]),
        ),
        (
            value!(["x", "hush"]),
            value!(["hush", "hush", "y"]),
            value!([false, true]),
        ),
        (
            value!([user("u", "hush"), user("v", "open")]),
            value!([user("v", "open"), user("u", "hush")]),
            value!([{"key": true}]),
        ),
        (
            value!([user("u", "hush"), user("v", "open")]),
            value!([user("v", "open"), user("w", "new"), user("z", "hush")]),
            value!([{"key": true}]),
        ),
    ];
    let folder = tempfile::tempdir().unwrap();
    for (number, (one, other, mask)) in cases.into_iter().enumerate() {
        for is_before in [true, false] {
            let nothing = value!(false);
            let (before, after, masks) = if is_before {
                (&one, &other, [mask.clone(), nothing])
            } else {
                (&other, &one, [nothing, mask.clone()])
            };
            let inner = [value!({"l": masks[0]}), value!({"l": masks[1]})];
            let plan = value!({"format_version": "1.2", "terraform_version": "1.9.0", "planned_values": {"root_module": {}},
                "resource_changes": [{"address": "a_b.c", "mode": "managed", "type": "a_b", "name": "c", "provider_name": "x/y/a",
                    "change": change(value!({"l": before}), value!({"l": after}), inner)}],
                "output_changes": {"o": change(before.clone(), after.clone(), masks)}});
            let file = folder.path().join("plan.json");
            std::fs::write(&file, plan.to_string()).unwrap();
            let file = file.to_str().unwrap();
            for format in ["text", "markdown", "json"] {
                let text = command(&["diff", file, "--format", format]).out;
                assert!(text.contains("[secret]"), "{number} {is_before}: {text}");
                assert!(!text.contains("hush"), "{number} {is_before}: {text}");
            }
            let mut session =
                Session::open_bytes("plan.json", plan.to_string().as_bytes(), (130, 40));
            for keys in ["2<wait>", "3<wait>jzR"] {
                session.keys(keys).hides("hush");
            }
        }
    }
}

#[test]
fn diff_compares_two_states() {
    let diff = json(&["diff", BEFORE, AFTER, "--json"]);
    let told: Vec<_> = diff
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| {
            (
                entry["address"].as_str().unwrap(),
                entry["action"].as_str().unwrap(),
            )
        })
        .collect();
    assert_eq!(
        told,
        [
            ("aws_db_instance.main", "update"),
            ("aws_db_proxy_target.main", "update"),
            ("aws_instance.web[0]", "update"),
            ("time_static.big", "update"),
            ("module.eks.aws_eks_cluster.this", "create"),
            ("aws_instance.web[1] (deposed 9f3c01ab)", "delete"),
            ("aws_s3_bucket.logs", "delete"),
            ("output.endpoint", "update"),
            ("output.password", "update"),
        ]
    );
    assert_eq!(command(&["diff", SHOP, SHOP, "--json"]).out, "[]\n");
    assert_eq!(command(&["diff", SHOP, SHOP]).out, "no differences\n");
}

#[test]
fn diff_prints_for_people_and_for_pull_requests() {
    let text = command(&["diff", PLAN]).out;
    assert!(text.starts_with("- aws_s3_bucket.logs  delete"), "{text}");
    assert!(
        text.contains("    ~ storage_encrypted: false → true  # forces replacement\n"),
        "{text}"
    );
    assert!(
        text.contains("    ~ password: [secret] → [secret]  # changed\n"),
        "{text}"
    );
    let last = text.lines().last().unwrap();
    assert_eq!(
        last,
        "2 to delete · 2 to replace · 4 to update · 2 to create · 1 to import · 1 to move · 1 to read · 2 outputs changed · 1 drifted"
    );
    let markdown = command(&["diff", PLAN, "--markdown"]).out;
    assert!(markdown.starts_with("### `shop/default`\n"), "{markdown}");
    assert!(
        markdown.contains(
            "| `±` | `aws_db_instance.main` | `aws_db_instance` | replace, destroy before create |"
        ),
        "{markdown}"
    );
    let fences = markdown
        .lines()
        .filter(|line| line.starts_with("```"))
        .count();
    assert_eq!(fences % 2, 0);
    let terraform = command(&["diff", PLAN, "--format", "terraform"]).out;
    assert!(
        terraform.contains("  # aws_db_instance.main must be replaced\n"),
        "{terraform}"
    );
}

/// The document that the explorer would open for two files.
fn joined(old: &str, new: &str) -> stacklens::load::Document {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let args = [
        "stacklens".into(),
        super::root().join(old).into_os_string(),
        super::root().join(new).into_os_string(),
    ];
    let next = stacklens::cli::run(
        args,
        &mut stacklens::cli::Console {
            is_terminal: true,
            ..stacklens::cli::Console::new(&mut out, &mut err)
        },
    );
    let stacklens::cli::Next::Explore(input) = next else {
        panic!("{next:?}: {}", String::from_utf8_lossy(&err));
    };
    stacklens::load::load(&input).unwrap()
}

#[test]
fn two_files_open_as_the_changes_from_one_to_the_other() {
    let document = joined(BEFORE, AFTER);
    let stack = &document.stack;
    let of_states = json(&["diff", BEFORE, AFTER, "--json"]);
    let mut want: Vec<_> = of_states
        .as_array()
        .unwrap()
        .iter()
        .filter(|entry| entry["output"].is_null())
        .map(|entry| {
            (
                entry["address"].as_str().unwrap().to_owned(),
                entry["action"].as_str().unwrap().to_owned(),
            )
        })
        .collect();
    let mut found = Vec::new();
    for id in stack.ids() {
        let resource = document.resource(id).unwrap();
        let change = resource.change.unwrap();
        assert_eq!(stack.record(id).action, Some(change.action));
        assert_eq!(resource.address.as_deref(), stack.address(id));
        let action = change.action.name();
        if action != "noop" {
            assert_eq!(resource.before.is_some(), action != "create");
            found.push((stack.identity(id), action.to_owned()));
        }
    }
    want.sort();
    found.sort();
    assert_eq!(found, want);

    for same in [SHOP, PREVIEW] {
        let document = joined(same, same);
        let stack = &document.stack;
        assert!(stack.len() > 30);
        let changed = stack
            .ids()
            .filter(|id| stack.record(*id).action != Some(stacklens::stack::Action::Noop));
        assert_eq!(changed.count(), 0, "{same}");
    }
}

#[test]
fn check_holds_a_plan_beside_its_outcome() {
    let findings = json(&["check", PLAN, "--state", AFTER, "--json"]);
    let findings = findings.as_array().unwrap();
    let of = |address: &str| -> Vec<_> {
        findings
            .iter()
            .filter(|finding| finding["resource"] == address)
            .collect()
    };
    let id = of("aws_db_instance.main");
    assert!(
        id.iter()
            .any(|finding| finding["path"] == "id" && finding["severity"] == "info"),
        "{id:?}"
    );
    assert!(
        id.iter().all(|finding| finding["severity"] == "info"),
        "{id:?}"
    );
    assert_eq!(of("null_resource.counter")[0]["severity"], "error");
    assert_eq!(of("aws_instance.web[0]").len(), 0);
    assert_eq!(command(&["check", PLAN, "--state", AFTER]).code, 1);
    assert_eq!(command(&["check", PLAN]).code, 0);
    assert_eq!(command(&["check", BEFORE, "--state", AFTER]).code, 64);
}

#[test]
fn check_holds_a_saved_plan_beside_a_preview() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let urn = |name: &str| format!("urn:pulumi:dev::lab::lab:index:Flask::{name}");
    let goal = |adds: serde_json::Value, steps: &[&str], name: &str| {
        value!({"goal": {"type": "lab:index:Flask", "name": name, "custom": true, "parent": "", "protect": false, "dependencies": [], "provider": "",
            "inputDiff": {"adds": adds}, "outputDiff": {}, "propertyDependencies": {}, "ignoreChanges": [], "additionalSecretOutputs": [],
            "aliases": [], "id": "", "customTimeouts": {}}, "steps": steps, "state": {}})
    };
    let plan = write(
        "plan.json",
        &value!({"manifest": {"time": "2026-01-01T00:00:00Z", "magic": "", "version": ""}, "resourcePlans": {
            urn("kept"): goal(value!({"volume": 3}), &["update"], "kept"),
            urn("missed"): goal(value!({"volume": 3}), &["same"], "missed"),
            urn("gone"): goal(value!({}), &["create"], "gone"),
        }})
        .to_string(),
    );
    let step = |name: &str, op: &str, volume: u32| {
        let state = value!({"urn": urn(name), "custom": true, "id": "f", "type": "lab:index:Flask", "inputs": {"volume": volume}, "outputs": {}});
        value!({"op": op, "urn": urn(name), "oldState": state, "newState": state, "detailedDiff": null})
    };
    let preview = write(
        "preview.json",
        &value!({"steps": [step("kept", "same", 3), step("missed", "update", 4), step("new", "update", 1)]}).to_string(),
    );
    let findings = json(&["check", &plan, "--state", &preview, "--json"]);
    let mut told: Vec<_> = findings
        .as_array()
        .unwrap()
        .iter()
        .map(|finding| {
            let name = finding["resource"]
                .as_str()
                .unwrap()
                .rsplit("::")
                .next()
                .unwrap();
            format!(
                "{name} {}: {}",
                finding["path"].as_str().unwrap(),
                finding["message"].as_str().unwrap()
            )
        })
        .collect();
    told.sort_unstable();
    assert_eq!(
        told,
        [
            "gone root: it was planned, but is missing",
            "missed root: the plan allows noop, but the action is update",
            "missed volume: 3 was planned, and it is 4",
            "new root: it changes, but is not in the plan",
        ]
    );
    // In the part that is cut off there may be more.
    let texts = [&plan, &preview].map(|path| std::fs::read_to_string(path).unwrap());
    let ends = [
        ",\"manifest\"",
        ",{\"detailedDiff\":null,\"newState\":{\"custom\":true,\"id\":\"f\",\"inputs\":{\"volume\":1}",
    ];
    for (cut, end) in [(0, ends[0]), (1, ends[1])] {
        let end = texts[cut].find(end).unwrap_or_else(|| texts[cut].len() - 2);
        let mut texts = texts.clone();
        texts[cut].truncate(end);
        let (plan, preview) = (write("cut.json", &texts[0]), write("later.json", &texts[1]));
        let run = command(&["check", &plan, "--state", &preview, "--json"]);
        assert_eq!(run.code, 65, "{run:?}");
        let of_gone = run.out.contains("was_present_now_absent");
        let of_new = run.out.contains("not_planned");
        assert_eq!([of_gone, of_new], [cut == 0, false], "{run:?}");
    }
}

#[test]
fn members_of_an_archive_have_paths() {
    use stacklens::pulumi::wire::{ARCHIVE, ASSET, SIGNATURE};
    let asset = serde_json::json!({SIGNATURE: ASSET, "text": "hello", "hash": "abc"});
    let inner = serde_json::json!({SIGNATURE: ARCHIVE, "assets": {"deep.txt": asset}});
    let archive = serde_json::json!({SIGNATURE: ARCHIVE, "hash": "def", "assets": {"a.txt": asset, "lib": inner}});
    let resource = serde_json::json!({"urn": "urn:pulumi:s::p::a:b:C::n", "type": "a:b:C", "custom": true, "external": true,
        "inputs": {"code": archive}});
    let state = serde_json::json!({"version": 3, "deployment": {"resources": [resource]}});
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("state.json");
    std::fs::write(&file, state.to_string()).unwrap();
    let file = file.to_str().unwrap();
    for (path, want) in [
        (r#"code.assets["a.txt"].text"#, serde_json::json!("hello")),
        (
            r#"code.assets.lib.assets["deep.txt"].hash"#,
            serde_json::json!("abc"),
        ),
        (
            r#"code.assets.lib.assets["deep.txt"]"#,
            serde_json::json!({"text": "hello", "hash": "abc"}),
        ),
        ("code.hash", serde_json::json!("def")),
    ] {
        assert_eq!(json(&["get", file, "n", path, "--json"]), want, "{path}");
    }
    let run = command(&["get", file, "n", "code.assets.none"]);
    assert_eq!(run.code, 1);
    assert!(run.err.contains("its keys: a.txt, lib"), "{run:?}");
    // An external resource is read, but is not a data source.
    let row = &json(&["ls", file, "--json"])[0];
    assert_eq!(row["mode"], "external");
    let flags = row["flags"].as_array().unwrap();
    assert!(
        flags.contains(&"external".into()) && !flags.contains(&"data".into()),
        "{row}"
    );
}

#[test]
fn archives_in_archives_are_read_in_one_go() {
    use stacklens::pulumi::wire::{ARCHIVE, ASSET, SIGNATURE};
    let mut archive = serde_json::json!({SIGNATURE: ASSET, "text": "x"});
    for _ in 0..100 {
        archive = serde_json::json!({SIGNATURE: ARCHIVE, "assets": {"a": archive, "b": {SIGNATURE: ASSET, "text": "y"}}});
    }
    let resource = serde_json::json!({"urn": "urn:pulumi:s::p::a:b:C::n", "type": "a:b:C", "custom": true, "inputs": {"code": archive}});
    let state = serde_json::json!({"version": 3, "deployment": {"resources": [resource]}});
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("state.json");
    std::fs::write(&file, state.to_string()).unwrap();
    let file = file.to_str().unwrap();
    assert_eq!(json(&["info", file, "--json"])["resources"], 1);
    assert_eq!(command(&["ls", file]).code, 0);
    assert_eq!(command(&["find", file, "@code"]).code, 0);
    let deep = format!("code{}", ".assets.a".repeat(100));
    assert_eq!(json(&["get", file, "n", &deep, "--json"])["text"], "x");
}

#[test]
fn get_prints_the_wire_form_and_keeps_secrets() {
    use stacklens::json::{Numbers, parse};
    use stacklens::pulumi::wire;

    let get = |args: &[&str]| {
        let all = [&["get", SHOP, "orders-pw"][..], args].concat();
        let run = command(&all);
        assert_eq!(run.code, 0, "{}", run.err);
        run.out
    };
    let form = |text: &str| parse(text.as_bytes(), Numbers::Double).unwrap().value;
    // The secret is left out, and its place says so.
    for wire in ["--wire", "--wire=state"] {
        let masked = get(&["result", wire]);
        let stored = wire::decode_state(&form(&masked), None).unwrap();
        assert!(
            stored.is_secret() && !masked.contains("correct"),
            "{masked}"
        );
    }
    let revealed = wire::decode(&form(&get(&["result", "--wire", "--reveal"]))).unwrap();
    assert!(revealed.is_secret());
    assert_eq!(revealed.reveal().as_str(), Some("correct-horse-battery"));
    let stored = form(&get(&["result", "--wire=state", "--reveal"]));
    assert_eq!(wire::decode_state(&stored, None).unwrap(), revealed);
    // A whole set of properties, without its secrets.
    let whole = get(&["--wire"]);
    assert!(
        whole.contains("\"length\"") && !whole.contains("correct"),
        "{whole}"
    );

    let terraform = command(&["get", BEFORE, "aws_instance.web", "--wire"]);
    assert_eq!(terraform.code, 64, "{}", terraform.err);
}

#[test]
fn the_help_of_the_program_and_of_each_command_is_as_reviewed() {
    let whole = command(&["--help"]);
    assert_eq!((whole.code, whole.err.as_str()), (0, ""));
    let commands = whole.out.split_once("Commands:\n").expect("commands").1;
    let names = commands.lines().take_while(|line| !line.is_empty());
    let names = names.filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    let names: Vec<&str> = names
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    assert!(names.contains(&"brief") && names.len() > 8, "{names:?}");
    let mut all = format!("$ stacklens --help\n{}", whole.out);
    for name in names.into_iter().filter(|name| *name != "help") {
        let run = command(&[name, "--help"]);
        assert_eq!((run.code, run.err.as_str()), (0, ""), "{name}");
        all.extend(["\n$ stacklens ", name, " --help\n", &run.out]);
    }
    insta::assert_snapshot!("help", all);
}

#[test]
fn a_whole_output_that_is_found_has_no_trailing_dot() {
    let run = command(&[
        "find",
        "tests/corpus/tfstate/shop.tfstate",
        "=db-1.example.com",
    ]);
    assert_eq!(run.code, 0, "{run:?}");
    let line = run.out.lines().find(|line| line.starts_with("output."));
    let line = line.unwrap_or_else(|| panic!("{run:?}"));
    let words: Vec<&str> = line.split_whitespace().collect();
    assert_eq!(
        words,
        ["output.endpoint", "outputs", "\"db-1.example.com\""]
    );
}
