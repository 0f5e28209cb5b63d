//! Every command counts a change of a resource once and uses the same words for it.

use serde_json::{Value, json as value};
use stacklens::search::{self, Facts, Index, Query};

use super::{command, json};

/// A preview with the halves of its replacements, and the same preview without them.
const STEPS: &str = "tests/corpus/pulumi-preview/replace-steps.json";
const WHOLE: &str = "tests/corpus/pulumi-preview/replace-whole.json";
/// The run of that preview.
const RUN: &str = "tests/corpus/pulumi-events/shop-replace.jsonl";
/// A Pulumi refresh.
const REFRESH: &str = "tests/corpus/pulumi-events/refresh.jsonl";
/// An OpenTofu plan with every kind of change.
const KINDS: &str = "tests/corpus/tfplan-json/kinds.json";
/// A plan that only refreshes.
const REFRESH_ONLY: &str = "tests/corpus/tfplan-json/refresh-only.json";

/// The last part of the identity of each element.
fn names(list: &Value) -> Vec<&str> {
    let names = list.as_array().unwrap().iter().map(|it| {
        let identity = it.get("address").unwrap_or(&it["urn"]);
        identity.as_str().unwrap().rsplit("::").next().unwrap()
    });
    names
        .map(|name| name.trim_start_matches("acme_disk."))
        .collect()
}

fn found(file: &str, query: &str) -> Vec<String> {
    let found = json(&["find", file, query, "--json"]);
    names(&found).into_iter().map(str::to_owned).collect()
}

/// The list without the copy that waits for deletion: a preview without the halves does not show it.
fn live(list: &Value) -> Vec<Value> {
    let list = list.as_array().unwrap().clone();
    let is_live = |it: &Value| !it["flags"].to_string().contains("pending");
    list.into_iter().filter(is_live).collect()
}

#[test]
fn a_preview_is_the_same_list_with_the_halves_of_replacements_and_without() {
    assert_eq!(
        live(&json(&["ls", STEPS, "--json"])),
        live(&json(&["ls", WHOLE, "--json"]))
    );
    let without_steps = |file: &str| {
        let mut list = json(&["diff", file, "--json"]).as_array().unwrap().clone();
        list.retain(|it| it["action"] != "delete");
        for entry in &mut list {
            entry.as_object_mut().unwrap().remove("steps");
        }
        list
    };
    assert_eq!(without_steps(STEPS), without_steps(WHOLE));
}

#[test]
fn values_of_a_change_of_several_steps_are_found() {
    // The bytes of the change lie in several places, and no resource comes after it here.
    let one = |op: &str| {
        format!(
            r#"{{"op":"{op}","urn":"urn:pulumi:d::s::a:b:C::c","newState":{{"urn":"urn:pulumi:d::s::a:b:C::c","type":"a:b:C","custom":true,"inputs":{{"size":77}}}}}}"#
        )
    };
    let steps = [one("create-replacement"), one("replace")].join(",");
    let preview = format!(r#"{{"config":{{}},"steps":[{steps}],"changeSummary":{{}}}}"#);
    let document = crate::made::open("preview", preview);
    let mut n_slices = 0;
    let found = search::run(
        &Index::new(&document.stack),
        &Query::parse("=77").unwrap(),
        None,
        &Facts::default(),
        Some(&document),
        search::LIMIT,
        &mut |_, _| {
            n_slices += 1;
            n_slices < 100
        },
    );
    let found = found.expect("one resource is looked at in few slices");
    assert_eq!((found.total, n_slices), (1, 1));
}

#[test]
fn resources_and_actions_count_changes_and_changes_count_steps() {
    for (file, resources, changes, actions) in [
        (
            STEPS,
            5,
            value!({"same": 1, "create-replacement": 2, "replace": 2, "delete-replaced": 3, "import": 1, "update": 2}),
            value!({"noop": 1, "replace": 2, "update": 2, "import": 1, "delete": 1}),
        ),
        (
            WHOLE,
            5,
            value!({"same": 1, "replace": 2, "import": 1, "update": 2}),
            value!({"noop": 1, "replace": 2, "update": 2, "import": 1}),
        ),
        (
            RUN,
            5,
            value!({"same": 1, "create-replacement": 2, "replace": 2, "delete-replaced": 3, "import": 1, "update": 2, "refresh": 2}),
            value!({"noop": 1, "replace": 2, "update": 2, "import": 1, "delete": 1}),
        ),
    ] {
        let info = json(&["info", file, "--json"]);
        assert_eq!(info["resources"], resources, "{file}");
        assert_eq!(info["changes"], changes, "{file}");
        assert_eq!(info["actions"], actions, "{file}");
    }
}

#[test]
fn a_copy_that_waits_for_deletion_is_a_row_of_its_own() {
    for file in [STEPS, RUN] {
        let rows = json(&["ls", file, "--json"]);
        let rows = rows
            .as_array()
            .unwrap()
            .iter()
            .filter(|row| row["name"] == "logs");
        let rows: Vec<_> = rows.map(|row| (&row["id"], &row["action"])).collect();
        let (live, copy) = (
            (&value!("bu-1"), &value!("update")),
            (&value!("bu-0"), &value!("delete")),
        );
        assert_eq!(rows, [live, copy], "{file}");
        assert_eq!(found(file, "is:pending"), ["logs"]);
        let text = command(&["diff", file]).out;
        assert!(text.contains("::logs  delete, an old copy"), "{text}");
    }
}

#[test]
fn a_replacement_differs_from_old_to_new_and_keeps_its_steps() {
    for file in [STEPS, RUN] {
        let diff = json(&["diff", file, "--json"]);
        let entry = |name: &str| {
            let mut entries = diff.as_array().unwrap().iter();
            entries
                .find(|it| it["urn"].as_str().unwrap().ends_with(name))
                .unwrap()
                .clone()
        };
        let main = entry("::main");
        assert_eq!(main["order"], "create-before-destroy", "{file}");
        assert_eq!(
            main["steps"],
            value!(["create-replacement", "replace", "delete-replaced"])
        );
        let changes = main["changes"].as_array().unwrap();
        let engine = changes.iter().find(|it| it["path"] == "engine").unwrap();
        assert_eq!(
            (&engine["before"], &engine["after"]),
            (&value!("v14"), &value!("v15"))
        );
        assert!(
            !changes.iter().any(|it| it["action"] == "delete"),
            "{changes:?}"
        );
        let cache = entry("::cache");
        assert_eq!(cache["order"], "destroy-before-create", "{file}");
        assert_eq!(
            cache["steps"],
            value!(["delete-replaced", "replace", "create-replacement"])
        );
        let jobs = entry("::jobs");
        assert_eq!(
            (&jobs["action"], &jobs["also"]),
            (&value!("update"), &value!(["import"]))
        );
    }
    let got = json(&["get", STEPS, "main", "--json"]);
    assert_eq!(got["change"], "create-replacement replace delete-replaced");
    assert_eq!(
        got["steps"],
        value!(["create-replacement", "replace", "delete-replaced"])
    );
    assert_eq!(
        json(&[
            "get",
            STEPS,
            "main",
            "engine",
            "--of",
            "before.inputs",
            "--json"
        ]),
        "v14"
    );
    assert_eq!(
        json(&[
            "get",
            STEPS,
            "main",
            "engine",
            "--of",
            "after.inputs",
            "--json"
        ]),
        "v15"
    );
    // The values of each step are searched.
    assert_eq!(found(STEPS, "=v15"), ["main"]);
}

/// Header, list, search and difference of a plan agree.
#[test]
fn imports_moves_and_deferred_changes_count_everywhere_alike() {
    let table: [(&str, &[&str]); 7] = [
        ("replace", &["swapped", "rebuilt"]),
        ("update", &["data", "renamed", "grown"]),
        ("create", &["fresh"]),
        ("import", &["taken", "grown"]),
        ("move", &["renamed"]),
        ("defer", &["later", "awaited"]),
        ("delete", &[]),
    ];
    let actions = &json(&["info", KINDS, "--json"])["actions"];
    let mut diff = json(&["diff", KINDS, "--json"]);
    // Drift is listed after the changes.
    diff.as_array_mut()
        .unwrap()
        .retain(|it| it["drift"] != true);
    let summary = command(&["diff", KINDS]).out;
    for (action, wanted) in table {
        let n = wanted.len();
        assert_eq!(
            actions.get(action).cloned(),
            (n > 0).then(|| n.into()),
            "{action}"
        );
        let query = format!("action:{action}");
        if n > 0 {
            assert_eq!(found(KINDS, &query), wanted);
        } else {
            assert_eq!(command(&["find", KINDS, &query]).code, 1);
        }
        let mut of_diff = names(&diff);
        let entries = diff.as_array().unwrap().iter();
        let counts: Vec<bool> = entries
            .map(|it| it["action"] == action || it["also"].to_string().contains(action))
            .collect();
        let mut counts = counts.into_iter();
        of_diff.retain(|_| counts.next().unwrap());
        assert_eq!(of_diff, wanted, "{action}");
        let last = summary.lines().last().unwrap();
        let said = if action == "defer" {
            format!("{n} deferred")
        } else {
            format!("{n} to {action}")
        };
        assert_eq!(last.contains(&said), n > 0, "{last}");
    }
    assert_eq!(found(KINDS, "action:deferred"), ["later", "awaited"]);
}

#[test]
fn create_before_destroy_is_distinct_from_destroy_before_create() {
    for (name, order) in [
        ("swapped", "create before destroy"),
        ("rebuilt", "destroy before create"),
    ] {
        let word = order.replace(' ', "-");
        let address = format!("acme_disk.{name}");
        let text = command(&["diff", KINDS]).out;
        assert!(
            text.contains(&format!("± {address}  replace, {order}")),
            "{text}"
        );
        let markdown = command(&["diff", KINDS, "--markdown"]).out;
        assert!(
            markdown.contains(&format!("replace, {order} |")),
            "{markdown}"
        );
        let diff = json(&["diff", KINDS, "--json"]);
        let entry = diff
            .as_array()
            .unwrap()
            .iter()
            .find(|it| it["address"] == *address)
            .unwrap();
        assert_eq!(entry["order"], *word);
        let rows = json(&["ls", KINDS, "--json"]);
        let row = rows
            .as_array()
            .unwrap()
            .iter()
            .find(|it| it["address"] == *address)
            .unwrap();
        assert!(row["flags"].to_string().contains(&word), "{row}");
        assert_eq!(found(KINDS, &format!("is:{word}")), [name]);
    }
}

#[test]
fn a_replacement_that_only_forgets_the_old_object_is_not_shown_as_a_destruction() {
    let text = std::fs::read_to_string(super::root().join(KINDS)).unwrap();
    let mut plan: serde_json::Value = serde_json::from_str(&text).unwrap();
    let changes = plan["resource_changes"].as_array_mut().unwrap();
    for (name, actions) in [
        ("swapped", ["create", "forget"]),
        ("rebuilt", ["forget", "create"]),
    ] {
        let address = format!("acme_disk.{name}");
        let change = changes.iter_mut().find(|it| it["address"] == *address);
        change.unwrap()["change"]["actions"] = actions.map(serde_json::Value::from).to_vec().into();
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("plan.json");
    std::fs::write(&path, plan.to_string()).unwrap();
    let path = path.to_str().unwrap();
    for (name, order) in [
        ("swapped", "create before forget"),
        ("rebuilt", "forget before create"),
    ] {
        let flag = order.replace(' ', "-");
        assert_eq!(found(path, &format!("is:{flag}")), [name]);
        for args in [&["diff", path][..], &["diff", path, "--markdown"]] {
            let out = command(args).out;
            let mut lines = out.lines();
            let line = lines.find(|line| line.contains(name)).unwrap();
            assert!(line.contains(order), "{line}");
            assert!(
                line.contains("the old object will be forgotten, not deleted"),
                "{line}"
            );
            assert!(!line.contains("destroy"), "{line}");
        }
    }
}

#[test]
fn drift_is_found_once_and_a_move_is_not_drift() {
    // `gone` is listed for its drift only, `data` also for a change.
    assert_eq!(found(KINDS, "is:drifted"), ["gone", "data"]);
    assert_eq!(json(&["info", KINDS, "--json"])["drifted"], 2);
    assert_eq!(found(REFRESH_ONLY, "is:drifted"), ["data", "gone"]);
    assert_eq!(found(REFRESH, "is:drifted"), ["opened", "lost"]);
    assert_eq!(found(RUN, "is:drifted"), ["logs"]);
}

#[test]
fn info_counts_a_resource_once_and_tells_steps_in_words() {
    let lines = |file: &str| {
        let out = command(&["info", file]).out;
        let line = |name: &str| {
            out.lines()
                .find(|it| it.starts_with(name))
                .map(str::to_owned)
        };
        [line("changes"), line("steps")]
    };
    let [changes, steps] = lines(RUN);
    assert_eq!(
        changes.unwrap(),
        "changes     1 delete · 2 replace · 2 update · 1 of them also import"
    );
    let steps = steps.unwrap();
    assert!(
        steps.contains("3 delete the replaced one · ")
            && steps.contains("2 create the replacement"),
        "{steps}"
    );
    let [changes, steps] = lines(REFRESH_ONLY);
    assert_eq!((changes.as_deref(), steps), (None, None));
}

#[test]
fn a_plan_that_only_refreshes_has_its_drift_to_tell() {
    for (file, line, wanted) in [
        (
            REFRESH_ONLY,
            "≈ acme_disk.data  changed outside",
            ["data", "gone"],
        ),
        (REFRESH, "::opened  changed outside", ["opened", "lost"]),
    ] {
        let run = command(&["diff", file, "--exit-code"]);
        // Drift is no change, for both tools.
        assert_eq!(run.code, 0, "{}", run.out);
        assert!(run.out.contains(line), "{}", run.out);
        assert!(
            run.out.ends_with("\nno changes · 2 drifted\n"),
            "{}",
            run.out
        );
        let diff = json(&["diff", file, "--json"]);
        assert_eq!(names(&diff), wanted);
        assert!(
            diff.as_array()
                .unwrap()
                .iter()
                .all(|it| it["drift"] == true)
        );
    }
}

#[test]
fn the_registry_of_the_providers_decides_between_opentofu_and_terraform() {
    let tool = |file: &str| json(&["info", file, "--json"])["tool"].clone();
    assert_eq!(tool(KINDS), "opentofu");
    assert_eq!(tool(REFRESH_ONLY), "terraform");
    let folder = tempfile::tempdir().unwrap();
    let provider = "registry.opentofu.org/hashicorp/acme";
    let resource = |mode: &str| value!({"address": "data.acme_disk.a", "mode": mode, "type": "acme_disk", "name": "a", "provider_name": provider});
    let prior = value!({"format_version": "1.0", "values": {"root_module": {"resources": [resource("data")]}}});
    let configuration = value!({"root_module": {}, "provider_config": {"acme": {"name": "acme", "full_name": provider}}});
    let plan = |key: &str, part: Value| value!({"format_version": "1.2", "resource_changes": [], key: part});
    let instance = value!({"schema_version": 0, "attributes": {"id": "a"}});
    let state = value!({"version": 4, "terraform_version": "1.9.0", "serial": 1, "lineage": "x", "outputs": {}, "resources": [
        {"mode": "managed", "type": "acme_disk", "name": "a", "provider": format!("provider[\"{provider}\"]"), "instances": [instance]}
    ]});
    for (name, text, wanted) in [
        ("prior", plan("prior_state", prior.clone()), "opentofu"),
        (
            "configuration",
            plan("configuration", configuration),
            "opentofu",
        ),
        ("state", state, "opentofu"),
        ("show", prior, "opentofu"),
        // A value with the name is not a provider.
        (
            "value",
            plan(
                "variables",
                value!({"x": {"value": "\"provider_name\": \"registry.opentofu.org/a"}}),
            ),
            "terraform",
        ),
    ] {
        let file = folder.path().join(format!("{name}.json"));
        for text in [
            text.to_string(),
            serde_json::to_string_pretty(&text).unwrap(),
        ] {
            std::fs::write(&file, &text).unwrap();
            assert_eq!(tool(file.to_str().unwrap()), wanted, "{name}: {text}");
        }
    }
}

/// A preview in which engine and provider say more than the values of the inputs.
fn told(detailed: &str, options: &str) -> String {
    told_by(&[], detailed, options)
}

fn told_by(flags: &[&str], detailed: &str, options: &str) -> String {
    let urn = "urn:pulumi:d::s::a:b:C::c";
    let secret = r#"{"4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", "ciphertext": "[secret]"}"#;
    let preview = format!(
        r#"{{"config": {{}}, "changeSummary": {{}}, "steps": [{{"op": "update", "urn": "{urn}", "detailedDiff": {{{detailed}}},
            "diffReasons": ["size", "engine"],
            "oldState": {{"urn": "{urn}", "type": "a:b:C", "custom": true, "id": "1",
                "inputs": {{"size": 1, "tags": {{"Owner": "ops"}}, "rules": [1], "token": "hunter2"}},
                "outputs": {{"size": 1, "zone": "a", "token": {secret}}}}},
            "newState": {{"urn": "{urn}", "type": "a:b:C", "custom": true, "id": "1", {options}
                "inputs": {{"size": 2, "tags": {{"Owner": "ops"}}, "rules": [], "token": "hunter3"}},
                "outputs": {{"size": 1, "zone": "b"}}}}}}]}}"#
    );
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("preview.json");
    std::fs::write(&file, preview).unwrap();
    let args = ["diff", file.to_str().unwrap()];
    let run = command(&[&args, flags].concat());
    assert_eq!(run.code, 0, "{}", run.err);
    run.out
}

#[test]
fn no_remark_is_lost_without_a_count() {
    let entries = |n| {
        let entries = (0..n).map(|i| format!(r#""far{i}": {{"kind": "add"}}"#));
        entries.collect::<Vec<_>>().join(",")
    };
    let out = told("", "");
    assert!(!out.contains("more remarks"), "{out}");
    let json = told_by(&["--json"], &entries(520), "");
    let report: serde_json::Value = serde_json::from_str(&json).unwrap();
    let remarks: Vec<&str> = report[0]["remarks"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it.as_str().unwrap())
        .collect();
    let changes = report[0]["changes"].as_array().unwrap();
    let added = changes.iter().filter(|it| it["action"] == "create");
    assert_eq!(added.count(), 500);
    assert!(
        remarks.contains(&"20 more remarks in the file are not read"),
        "{json}"
    );
}

#[test]
fn a_detailed_difference_is_shown_where_it_adds_to_the_values() {
    let out = told(
        r#""size": {"kind": "update"}, "zone": {"kind": "update-replace", "inputDiff": false},
            "disks[0].type": {"kind": "add"}, "tags.Owner": {"kind": "delete", "inputDiff": true}, "token": {"kind": "update"},
            "hidden": {"kind": "update"}"#,
        r#""hideDiff": ["hidden"],"#,
    );
    assert!(
        out.contains("provider: adds disks[0].type [unknown]"),
        "{out}"
    );
    assert!(out.contains(r#"-   Owner: "ops""#), "{out}");
    assert!(
        out.contains(r#"~ zone: "a" → "b"  # forces replacement"#),
        "{out}"
    );
    assert!(
        !out.contains("updates zone") && !out.contains("deletes tags.Owner"),
        "{out}"
    );
    assert!(out.contains("engine: engine differs"), "{out}");
    assert!(out.contains("hideDiff: hidden changes"), "{out}");
    // The inputs show it, and one side of it is secret.
    assert!(
        !out.contains("updates size") && !out.contains("engine: size"),
        "{out}"
    );
    assert!(!out.contains("updates token"), "{out}");
}

#[test]
fn properties_reported_by_a_provider_are_masked_if_either_side_is_secret() {
    let out = told(
        r#""token": {"kind": "delete"}, "token.x": {"kind": "add"}"#,
        "",
    );
    let told = out.lines().next().unwrap();
    assert!(!told.contains("hunter"), "{out}");
}

#[test]
fn paths_of_ignore_changes_are_shown_with_their_effect() {
    let options = r#""ignoreChanges": ["tags.Owner", "size", "rules[0]", "nowhere", "tags.*"],"#;
    let out = told("", options);
    assert!(
        out.contains(r#"ignoreChanges: tags.Owner keeps "ops""#),
        "{out}"
    );
    assert!(
        out.contains("ignoreChanges: tags[\"*\"] keeps its old value"),
        "{out}"
    );
    assert!(
        out.contains("ignoreChanges: size differs; an update keeps 1"),
        "{out}"
    );
    assert!(
        out.contains("ignoreChanges: rules[0] cannot be kept"),
        "{out}"
    );
    assert!(!out.contains("ignoreChanges: nowhere"), "{out}");
}

#[test]
fn the_brief_counts_what_the_difference_lists() {
    let brief = command(&["brief", KINDS]);
    let n_changes = json(&["diff", KINDS, "--json"])
        .as_array()
        .unwrap()
        .iter()
        .filter(|it| it["output"].is_null() && it["drift"].is_null())
        .count();
    assert_eq!(brief.code, 0, "{brief:?}");
    assert!(
        brief.out.starts_with(&format!("{n_changes} changes: ")),
        "{n_changes}: {}",
        brief.out
    );
}

#[test]
fn the_brief_of_equal_files_has_no_differences() {
    assert_eq!(
        command(&["brief", "--compare", WHOLE, WHOLE]).out,
        "no differences\n"
    );
    assert_eq!(
        command(&["brief", "--compare", KINDS, KINDS]).out,
        "no differences\n"
    );
}

#[test]
fn every_change_is_in_one_section_of_the_brief() {
    let others = ["outside", "outputs", "checks", "known"];
    for file in [KINDS, WHOLE, super::PREVIEW, super::PLAN] {
        let page = json(&["brief", file, "--json"]);
        let total = page["changes"].as_u64().unwrap();
        let sections = page["sections"].as_array().unwrap().iter();
        let sections = sections.filter(|it| !others.contains(&it["section"].as_str().unwrap()));
        let entries = sections.flat_map(|it| it["entries"].as_array().unwrap());
        let mut told = std::collections::BTreeSet::new();
        for entry in entries {
            let along = entry["along"].as_array().into_iter().flatten();
            for resource in std::iter::once(entry)
                .chain(along)
                .flat_map(|it| it["resources"].as_array().unwrap())
            {
                let urn = resource["urn"].as_str().unwrap();
                assert!(
                    told.insert((urn, resource["action"].as_str())),
                    "{file}: {urn} is told twice"
                );
            }
        }
        assert_eq!(told.len() as u64, total, "{file}");
    }
}

#[test]
fn what_changes_only_because_of_another_resource_is_below_it() {
    let out = command(&["brief", super::PREVIEW]).out;
    let (_, below) = out.split_once("  ± orders-db  ").unwrap();
    let (below, _) = below.split_once("\n\n").unwrap();
    for name in ["orders-dns", "orders-target", "orders-url"] {
        assert!(
            below.contains(&format!("~ {name}  ")) || below.contains(&format!("± {name}  ")),
            "{out}"
        );
    }
}

/// A preview that drops options of resources, one of them without any other change.
const OPTIONS: &str = "tests/corpus/pulumi-preview/options.json";

#[test]
fn options_are_a_part_of_the_difference() {
    let diff = json(&["diff", OPTIONS, "--json"]);
    let changes: Vec<_> = diff
        .as_array()
        .unwrap()
        .iter()
        .map(|it| &it["changes"])
        .collect();
    let [ledger, orders] = &changes[..] else {
        panic!("two resources lose a guard or a value: {diff}");
    };
    let option = |path: &str, before: Value| {
        value!({"path": path, "action": "delete", "before": before, "after": null,
                "why": "program", "section": "options"})
    };
    assert_eq!(**ledger, value!([option("protect", value!(true))]));
    let orders = orders.as_array().unwrap();
    assert_eq!(orders[0], option("ignoreChanges[0]", value!("size")));
    assert_eq!(orders[1]["path"], "size");
    assert_eq!(orders[1]["section"], "inputs");
}

#[test]
fn a_resource_that_only_loses_its_guard_is_in_the_brief() {
    let brief = command(&["brief", OPTIONS]).out;
    assert!(brief.starts_with("2 changes: 2 update\n"), "{brief}");
    assert!(
        brief.contains("ledger  acme:db/server:Server  nothing protects it from deletion any longer  - protect  true\n"),
        "{brief}"
    );
    // A guard that is added, and a former name that is no longer needed, are no changes of their own.
    assert!(
        !brief.contains("guarded") && !brief.contains("  ~ still"),
        "{brief}"
    );
}

#[test]
fn an_output_that_is_no_longer_sensitive_says_so_and_stays_masked() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("plan.json");
    let output =
        |sensitive: bool| value!({"sensitive": sensitive, "type": "string", "value": "hunter2"});
    let change = |sensitive: bool| {
        value!({"actions": ["update"], "before": "hunter2", "after": "hunter2", "after_unknown": false,
                "before_sensitive": sensitive, "after_sensitive": sensitive})
    };
    // A plan says of an output only that one side is sensitive; the planned value says which.
    let plan = value!({
        "format_version": "1.2", "terraform_version": "1.9.0", "resource_changes": [],
        "planned_values": {"root_module": {}, "outputs": {"key": output(false), "kept": output(true)}},
        "output_changes": {"key": change(true), "kept": change(true)},
        "configuration": {"root_module": {"outputs": {"key": {}, "kept": {"sensitive": true}}}}});
    std::fs::write(&file, plan.to_string()).unwrap();
    // The brief says it among the findings and among the outputs.
    for (print, n) in [("diff", 1), ("brief", 2)] {
        let text = command(&[print, file.to_str().unwrap()]).out;
        let marked: Vec<_> = text
            .lines()
            .filter(|line| line.contains("no longer sensitive"))
            .collect();
        assert_eq!(marked.len(), n, "{text}");
        assert!(!text.contains("hunter2"), "{text}");
    }
}

#[test]
fn the_heaviest_finding_about_a_change_stands_for_the_lighter_ones() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("plan.json");
    let side =
        |n: u8| format!(r#"{{"metadata": [{{"name": "w"}}], "spec": [{{"replicas": "{n}"}}]}}"#);
    let plan = |after: u8| {
        format!(
            r#"{{"format_version": "1.2", "terraform_version": "1.9.0", "resource_changes": [{{"address": "kubernetes_deployment.w",
            "mode": "managed", "type": "kubernetes_deployment", "name": "w", "provider_name": "registry.terraform.io/hashicorp/kubernetes",
            "change": {{"actions": ["update"], "before": {}, "after": {}, "after_unknown": {{}}, "before_sensitive": {{}},
            "after_sensitive": {{}}}}}}]}}"#,
            side(3),
            side(after)
        )
    };
    let brief = |after| {
        std::fs::write(&file, plan(after)).unwrap();
        let page = json(&["brief", file.to_str().unwrap(), "--json"]);
        let findings = page["sections"][0]["entries"][0]["findings"]
            .as_array()
            .unwrap();
        let ids = findings
            .iter()
            .map(|it| it["rule"].as_str().unwrap().to_owned());
        ids.collect::<Vec<_>>()
    };
    let none_left = brief(0);
    assert_eq!(none_left, ["kubernetes-workload-stopped"]);
    assert_eq!(brief(2), ["kubernetes-workload-smaller"]);
}

/// A Terraform plan.
const PLAN: &str = "tests/corpus/tfplan-json/shop.json";

#[test]
fn changes_are_found_by_path_and_by_old_and_new_value() {
    let hits = |query: &str| -> Vec<String> {
        let found = json(&["find", PLAN, query, "--json"]);
        let hits = found.as_array().unwrap().iter();
        hits.map(|hit| {
            format!(
                "{} {}.{} {}",
                hit["address"], hit["section"], hit["path"], hit["value"]
            )
            .replace('"', "")
        })
        .collect()
    };
    assert_eq!(
        hits("path:instance_type old:t3.small"),
        ["aws_instance.web[0] before.outputs.instance_type t3.small"]
    );
    assert_eq!(
        hits("new:t3.large"),
        ["aws_instance.web[0] outputs.instance_type t3.large"]
    );
    // An unchanged resource has the value too.
    assert_eq!(hits("old:t3.small").len(), 1);
    assert_eq!(
        hits("old:db-1.example.com")[0].split(' ').next(),
        Some("output.endpoint")
    );
    // A masked value has a path.
    assert_eq!(
        hits("path:password type:aws_db_instance"),
        ["aws_db_instance.main outputs.password [secret]"]
    );
}

#[test]
fn a_masked_value_is_found_by_no_side() {
    for query in ["old:plan-hunter2", "new:plan-correct-horse", "old:plan*"] {
        let run = command(&["find", PLAN, query, "--json"]);
        assert_eq!((run.code, run.out.trim()), (1, "[]"), "{query}");
    }
}

#[test]
fn kinds_are_the_sections_of_the_brief() {
    assert_eq!(
        found(PLAN, "kind:danger"),
        ["aws_db_instance.main", "aws_db_proxy_target.main"]
    );
    assert_eq!(found(PLAN, "kind:follows"), ["aws_db_proxy_target.main"]);
    let brief = command(&["brief", PLAN]).out;
    let n = brief
        .lines()
        .find_map(|line| line.strip_prefix("ON THEIR OWN  "));
    let listed = json(&["ls", PLAN, "kind:alone", "--json"]);
    let n_listed = listed.as_array().unwrap().len();
    assert_eq!(n, Some(n_listed.to_string().as_str()));
}

#[test]
fn a_state_refuses_fields_about_changes() {
    for query in ["path:tags", "old:x", "new:x", "!kind:gone"] {
        let run = command(&["ls", "tests/corpus/pulumi-state/shop.json", query]);
        assert_eq!(run.code, 64, "{query}");
        let says = "is about changes, and a pulumi-state holds none";
        assert!(run.err.contains(says), "{run:?}");
    }
}

/// The number of changes that each command gives, and the exit code of `diff`.
fn counts(file: &str) -> ([u64; 5], i32) {
    let brief = json(&["brief", file, "--json"]);
    let info = json(&["info", file, "--json"]);
    let along = |name: &str| info["actions"].get(name).map_or(0, |n| n.as_u64().unwrap());
    let all: u64 = info["actions"]
        .as_object()
        .unwrap()
        .values()
        .map(|n| n.as_u64().unwrap())
        .sum();
    let actions: u64 = brief["actions"]
        .as_object()
        .unwrap()
        .values()
        .map(|n| n.as_u64().unwrap())
        .sum();
    let diff = json(&["diff", file, "--json"]);
    let is_resource = |it: &&Value| it.get("drift").is_none() && it.get("output").is_none();
    let is_also = |it: &&Value| it.get("also").is_some();
    let entries: Vec<&Value> = diff
        .as_array()
        .unwrap()
        .iter()
        .filter(is_resource)
        .collect();
    let n_also = entries.iter().copied().filter(is_also).count() as u64;
    let every = "action:create,update,replace,delete,read,import,move,forget,defer";
    let listed = json(&["ls", file, every, "--json"]);
    let counts = [
        brief["changes"].as_u64().unwrap(),
        actions,
        entries.len() as u64,
        all - along("noop") - n_also,
        listed.as_array().unwrap().len() as u64,
    ];
    (counts, command(&["diff", file, "--exit-code"]).code)
}

#[test]
fn every_command_has_one_count_of_changes() {
    for (file, n, code) in [
        (STEPS, 5, 2),
        (WHOLE, 4, 2),
        (RUN, 5, 2),
        (REFRESH, 0, 0),
        (REFRESH_ONLY, 0, 0),
        (KINDS, 9, 2),
        ("tests/corpus/tfplan-json/shop.json", 13, 2),
        ("tests/corpus/pulumi-events/web-up.jsonl", 5, 2),
        ("tests/corpus/tf-ui-json/web-apply.jsonl", 5, 2),
        ("assets/demo.json", 21, 2),
    ] {
        assert_eq!(counts(file), ([n; 5], code), "{file}");
    }
}

#[test]
fn drift_alone_is_no_change_and_outputs_alone_are_said() {
    let plan = |more: Value| {
        let mut plan = value!({"format_version": "1.2", "terraform_version": "1.9.0", "resource_changes": [
            {"address": "acme_disk.a", "mode": "managed", "type": "acme_disk", "name": "a", "provider_name": "example.com/acme/acme",
             "change": {"actions": ["no-op"], "before": {"size": 2}, "after": {"size": 2}, "after_unknown": {}}}]});
        for (key, value) in more.as_object().unwrap() {
            plan[key] = value.clone();
        }
        plan.to_string()
    };
    let folder = tempfile::tempdir().unwrap();
    let written = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let drift = value!({"resource_drift": [{"address": "acme_disk.a", "mode": "managed", "type": "acme_disk", "name": "a",
        "provider_name": "example.com/acme/acme",
        "change": {"actions": ["update"], "before": {"size": 1}, "after": {"size": 2}, "after_unknown": {}}}]});
    let drift = written("drift.json", &plan(drift));
    assert_eq!(counts(&drift), ([0; 5], 0));
    let head = |file: &str| {
        command(&["brief", file])
            .out
            .lines()
            .next()
            .unwrap()
            .to_owned()
    };
    assert_eq!(head(&drift), "no changes · 1 changed outside");
    let urn = "urn:pulumi:dev::shop::acme:fs/bucket:Bucket::a";
    let state = |size: u8| value!({"urn": urn, "custom": true, "type": "acme:fs/bucket:Bucket", "id": "a", "inputs": {}, "outputs": {"size": size}});
    let [old, new] = [state(1), state(2)];
    let metadata = |op: &str| value!({"op": op, "urn": urn, "type": "acme:fs/bucket:Bucket", "old": old, "new": new, "detailedDiff": null});
    let events = [
        value!({"preludeEvent": {"config": {}}}),
        value!({"resourcePreEvent": {"metadata": metadata("refresh")}}),
        value!({"resOutputsEvent": {"metadata": metadata("refresh")}}),
    ];
    let lines = events.into_iter().enumerate().map(|(number, mut event)| {
        event["sequence"] = number.into();
        event["timestamp"] = 1_764_000_000.into();
        format!("{event}\n")
    });
    let log = written("log.jsonl", &lines.collect::<String>());
    assert_eq!(json(&["info", &log, "--json"])["drifted"], 1);
    assert_eq!(counts(&log), ([0; 5], 0));
    assert_eq!(head(&log), "no changes · 1 changed outside");
    for file in [&drift, &log] {
        assert_eq!(command(&["diff", "--exit-code", file]).code, 0, "{file}");
        assert_eq!(
            command(&["brief", "--fail-on", "drift", file]).code,
            3,
            "{file}"
        );
    }
    let outputs = value!({"output_changes": {"address": {"actions": ["update"], "before": "a", "after": "b", "after_unknown": false,
        "before_sensitive": false, "after_sensitive": false}}});
    let outputs = written("outputs.json", &plan(outputs));
    assert_eq!(counts(&outputs), ([0; 5], 2));
    let brief = command(&["brief", &outputs]).out;
    assert!(brief.starts_with("1 output changes\n"), "{brief}");
    let diff = command(&["diff", &outputs]).out;
    assert!(diff.ends_with("\n1 output changed\n"), "{diff}");
    assert_eq!(json(&["brief", &outputs, "--json"])["changed_outputs"], 1);
    let several = command(&["brief", &outputs, &drift]).out;
    let first = several.lines().next().unwrap();
    assert_eq!(first, "2 plans · 1 output changes");
    let stacks = command(&["info", &outputs, &drift]).out;
    assert!(stacks.contains("1 output to change"), "{stacks}");
    // A resource that is also imported counts once.
    let stacks = command(&["info", STEPS, &outputs]).out;
    assert!(stacks.contains("5 to change"), "{stacks}");
}

#[test]
fn a_failed_step_keeps_what_only_its_start_says() {
    let state = |size: u32, outputs: &str| {
        format!(
            r#"{{"urn":"urn:pulumi:d::s::a:b:C::foo","type":"a:b:C","custom":true,"id":"1","inputs":{{"size":{size}}},"outputs":{outputs}}}"#
        )
    };
    let event = |name: &str, op: &str, old: &str, new: &str, more: &str| {
        format!(
            r#"{{"sequence":1,"timestamp":1,"{name}":{{"metadata":{{"op":"{op}","urn":"urn:pulumi:d::s::a:b:C::foo","type":"a:b:C",
                "old":{old},"new":{new},"detailedDiff":null}}{more}}}}}"#
        )
        .replace('\n', "")
    };
    let (old, new) = (state(1, r#"{"arn":"x"}"#), state(2, "{}"));
    let bare =
        r#"{"urn":"urn:pulumi:d::s::a:b:C::foo","type":"a:b:C","id":"1","inputs":{},"outputs":{}}"#;
    let ends = [
        ("null", "null"),
        (bare, bare),
        (&*old, &*new),
        ("null", &*new),
    ];
    for (op, has_old, has_new) in [
        ("update", true, true),
        ("replace", true, true),
        ("create-replacement", true, true),
        ("create", false, true),
        ("import", false, true),
        ("delete", true, false),
        ("delete-replaced", true, false),
    ] {
        let side = |has: bool, state: &str| {
            if has {
                state.to_owned()
            } else {
                "null".to_owned()
            }
        };
        for (end_old, end_new) in ends {
            let (old, new) = (side(has_old, &old), side(has_new, &new));
            let lines = [
                event("resourcePreEvent", op, &old, &new, ""),
                event(
                    "resOpFailedEvent",
                    op,
                    &side(has_old, end_old),
                    &side(has_new, end_new),
                    r#","status":2,"steps":1"#,
                ),
            ];
            let folder = tempfile::tempdir().unwrap();
            let file = folder.path().join("log.jsonl");
            std::fs::write(&file, lines.join("\n") + "\n").unwrap();
            let file = file.to_str().unwrap();
            let get = |path: &str, of: &str| {
                let urn = "urn:pulumi:d::s::a:b:C::foo";
                command(&["get", file, urn, path, "--of", of]).out
            };
            let want = |has: bool, text: &str| if has { text.to_owned() } else { String::new() };
            assert_eq!(
                get("size", "before.inputs"),
                want(has_old, "1\n"),
                "{op} {end_old}"
            );
            assert_eq!(
                get("arn", "before.outputs"),
                want(has_old, "x\n"),
                "{op} {end_old}"
            );
            assert_eq!(
                get("size", "after.inputs"),
                want(has_new, "2\n"),
                "{op} {end_new}"
            );
        }
    }
}

/// A preview of one update, whose provider gives a detailed difference.
fn set_back(detailed: &str, reasons: &str) -> (tempfile::TempDir, String) {
    let urn = "urn:pulumi:d::s::aws:ecs/service:Service::web";
    let inputs = r#"{"desiredCount":6,"name":"web","key":{"4dabf18193072939515e22adb298388d":"1b47061264138c4ac30d75fd1eb44270","ciphertext":"[secret]"},"tags":{"a":"1"},"ports":[1,2]}"#;
    let text = format!(
        r#"{{"config":{{}},"steps":[{{"op":"update","urn":"{urn}","detailedDiff":{detailed},"diffReasons":{reasons},
            "oldState":{{"urn":"{urn}","type":"aws:ecs/service:Service","custom":true,"id":"1","inputs":{inputs},
                "outputs":{{"desiredCount":24,"name":"web","arn":"x","tags":{{"a":"1","b":"2"}},"ports":[1,2,3]}}}},
            "newState":{{"urn":"{urn}","type":"aws:ecs/service:Service","custom":true,"id":"1","inputs":{inputs}}}}}]}}"#
    );
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("preview.json");
    std::fs::write(&file, text).unwrap();
    let file = file.to_str().unwrap().to_owned();
    (folder, file)
}

#[test]
fn an_output_with_an_entry_for_a_part_is_not_deleted() {
    // The engine compares found values with inputs, and an output is no input.
    let (_folder, file) = set_back(
        r#"{"all.c":{"kind":"add"},"all.a":{"kind":"update"}}"#,
        "[]",
    );
    let text = std::fs::read_to_string(&file).unwrap();
    let changes = |old: &str, new: &str| {
        let text = text.replacen(r#""outputs":{"#, &format!(r#""outputs":{{{old}"#), 1);
        let others =
            r#""desiredCount":24,"name":"web","arn":"x","tags":{"a":"1","b":"2"},"ports":[1,2,3]"#;
        let outputs = format!(r#"]}},"outputs":{{{new}{others}}}}}}}]}}"#);
        let is_foreseen = !new.is_empty();
        let text = if is_foreseen {
            text.replace("]}}}]}", &outputs)
        } else {
            text
        };
        std::fs::write(&file, text).unwrap();
        let diff = json(&["diff", &file, "--json"]);
        let changes = diff[0]["changes"].as_array().cloned().unwrap_or_default();
        let short = |it: &Value| value!([it["path"], it["action"], it["before"], it["after"]]);
        changes.iter().map(short).collect::<Vec<_>>()
    };
    let old = r#""all":{"a":"1","b":"2"},"#;
    assert_eq!(
        changes(old, r#""all":{"a":"3","b":"2","c":"4"},"#),
        [
            value!(["all.a", "update", "1", "3"]),
            value!(["all.c", "create", null, "4"])
        ]
    );
    assert_eq!(
        changes(old, ""),
        [value!(["all", "update", {"a": "1", "b": "2"}, "[unknown]"])]
    );
}

#[test]
fn properties_that_only_the_provider_names_are_changes() {
    for (detailed, want) in [
        (
            r#"{"desiredCount":{"kind":"update","inputDiff":false}}"#,
            vec![value!(["desiredCount", "update", 24, 6])],
        ),
        (
            r#"{"tags.b":{"kind":"delete"},"arn":{"kind":"update"}}"#,
            vec![
                value!(["arn", "update", "x", "[unknown]"]),
                value!(["tags.b", "delete", "2", null]),
            ],
        ),
        (
            r#"{"ports[2]":{"kind":"delete"},"desiredCount":{"kind":"update-replace"}}"#,
            vec![
                value!(["desiredCount", "update", 24, 6]),
                value!(["ports[2]", "delete", 3, null]),
            ],
        ),
        // The file masks the values, and the name alone says that they differ.
        (
            r#"{"key":{"kind":"update","inputDiff":true}}"#,
            vec![value!(["key", "update", "[secret]", "[secret]"])],
        ),
        ("{}", vec![]),
        ("null", vec![value!(["desiredCount", "update", 24, 6])]),
    ] {
        let (_folder, file) = set_back(detailed, r#"["desiredCount"]"#);
        let diff = json(&["diff", &file, "--json"]);
        let changes = diff[0]["changes"].as_array().cloned().unwrap_or_default();
        let found: Vec<Value> = changes
            .iter()
            .map(|it| value!([it["path"], it["action"], it["before"], it["after"]]))
            .collect();
        assert_eq!(found, want, "{detailed}");
        let replaces = changes.iter().any(|it| it["replaces"] == true);
        assert_eq!(replaces, detailed.contains("replace"), "{detailed}");
        // Each is told once, as a change and not as a remark.
        let out = command(&["diff", &file]).out;
        assert!(!out.contains("provider: "), "{out}");
        for change in &want {
            // The brief tells no index.
            let path = change[0].as_str().unwrap().replace("[2]", "[*]");
            // Nobody asks for a value that the provider sets.
            if change[3] == "[unknown]" {
                continue;
            }
            let out = command(&["brief", &file]).out;
            assert!(
                out.contains(&format!("~ {path} ")) || out.contains(&format!("- {path} ")),
                "{out}"
            );
        }
    }
}

#[test]
fn a_masked_text_is_compared_by_its_plain_parse() {
    let manifest = |replicas: u32, indent: &str| {
        format!(
            "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\nspec:\n  replicas: {replicas}\n  template:\n    spec:\n      containers:\n{indent}- name: web\n{indent}  image: web:1.2\n"
        )
    };
    let plan = |before: [&str; 2], after: [&str; 2], token: &str| {
        let side = |[text, parse]: [&str; 2]| value!({"yaml_body": text, "yaml_body_parsed": parse, "token": token});
        let marks = value!({"yaml_body": true, "token": true});
        let plan = value!({"format_version": "1.2", "terraform_version": "1.9.0", "resource_changes": [
            {"address": "kubectl_manifest.web", "mode": "managed", "type": "kubectl_manifest", "name": "web",
             "provider_name": "registry.terraform.io/gavinbunney/kubectl",
             "change": {"actions": ["update"], "before": side(before), "after": side(after), "after_unknown": {},
                "before_sensitive": marks, "after_sensitive": marks}}]});
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("plan.json");
        std::fs::write(&file, plan.to_string()).unwrap();
        let path = file.to_str().unwrap();
        (command(&["diff", path]).out, command(&["brief", path]).out)
    };
    let (narrow, wide) = (manifest(5, "      "), manifest(5, "        "));
    let stopped = manifest(0, "        ");
    let (diff, brief) = plan([&narrow; 2], [&stopped; 2], "x");
    assert!(diff.contains("replicas: 5 → 0"), "{diff}");
    assert!(diff.contains("yaml_body: [secret]"), "{diff}");
    assert!(brief.contains("yaml_body_parsed.spec.replicas"), "{brief}");
    // Only the layout differs.
    let (diff, brief) = plan([&narrow; 2], [&wide; 2], "x");
    assert!(
        diff.contains("yaml_body: [secret] → [secret]  # formatting only"),
        "{diff}"
    );
    assert!(brief.contains("WITHOUT EFFECT  1"), "{brief}");
    // The parse leaves out what changes.
    let with = |key: &str| format!("{narrow}data:\n  key: {key}\n");
    let hidden = with("(sensitive value)");
    let (diff, _) = plan(
        [&with("first-key"), &hidden],
        [&with("other-key"), &hidden],
        "x",
    );
    assert!(
        diff.contains("yaml_body: [secret] → [secret]  # changed"),
        "{diff}"
    );
    assert!(!diff.contains("-key"), "{diff}");
    // Another secret of the resource in it hides it.
    let token = "s3cr3t-t0ken-0123456789";
    let with = stopped.replace("web:1.2", token);
    let (diff, _) = plan([&narrow; 2], [&with; 2], token);
    assert!(
        !diff.contains("s3cr3t") && !diff.contains("replicas"),
        "{diff}"
    );
}

/// The steps of a resource are one change, also if a state in them has another URN.
#[test]
fn a_preview_whose_states_have_other_urns_does_not_differ_from_itself() {
    let urn = |ty: &str| format!("urn:pulumi:dev::shop::a:b:{ty}::main");
    let steps = serde_json::json!([
        {"op": "update", "urn": urn("C"), "oldState": {"urn": urn("D")}},
        {"op": "update", "urn": urn("C"), "newState": {}},
    ]);
    let preview = serde_json::json!({"steps": steps}).to_string();
    let (_folder, path) = super::rules::written("preview.json", &preview);
    let run = command(&["diff", &path, &path]);
    assert_eq!(run.out, "no differences\n", "{run:?}");
}
