//! The places and near misses as resources and outputs of plans and states, through every printing command.

use serde_json::{Map, Value as Json, json};

use super::table::{near, places};
use crate::cli::command;

/// The commands that print a file, each in every form.
const COMMANDS: &[&[&str]] = &[
    &["info"],
    &["info", "--json"],
    &["ls"],
    &["ls", "--json"],
    &["diff"],
    &["diff", "--format", "terraform"],
    &["diff", "--json"],
    &["diff", "--markdown"],
    &["brief"],
    &["brief", "--markdown"],
    &["brief", "--json"],
    &["brief", "--sarif"],
    &["check"],
    &["check", "--json"],
    &["find", "="],
    &["find", "Tr0ub4dor"],
];

/// A plan of Terraform with a resource for each value. The number of a resource chooses between create, update and delete.
fn plan(values: &[(String, Json)]) -> String {
    let change = |(index, (name, value)): (usize, &(String, Json))| {
        let filled = json!({ name: value, "size": index });
        let other = json!({ "size": index + 1 });
        let (actions, before, after) = match index % 3 {
            0 => (json!(["create"]), Json::Null, filled),
            1 => (json!(["update"]), other, filled),
            _ => (json!(["delete"]), filled, Json::Null),
        };
        json!({
            "address": format!("acme_thing.r{index}"), "mode": "managed", "type": "acme_thing", "name": format!("r{index}"),
            "provider_name": "registry.terraform.io/acme/acme",
            "change": {"actions": actions, "before": before, "after": after, "after_unknown": {}, "before_sensitive": {}, "after_sensitive": {}},
        })
    };
    let changes: Vec<Json> = values.iter().enumerate().map(change).collect();
    let mut variables = Map::new();
    let mut outputs = Map::new();
    for (name, value) in values {
        variables.insert(name.clone(), json!({ "value": value }));
        let output = json!({"actions": ["create"], "before": null, "after": value, "after_unknown": false, "before_sensitive": false, "after_sensitive": false});
        outputs.insert(name.clone(), output);
    }
    let plan = json!({"format_version": "1.2", "terraform_version": "1.9.0", "variables": variables, "resource_changes": changes, "output_changes": outputs});
    plan.to_string()
}

/// A state of Pulumi with a resource for each value.
fn state(values: &[(String, Json)]) -> String {
    let resource = |(index, (name, value)): (usize, &(String, Json))| {
        let properties = json!({ name: value });
        json!({
            "urn": format!("urn:pulumi:dev::app::acme:index/thing:Thing::r{index}"), "custom": true, "id": format!("r-{index}"),
            "type": "acme:index/thing:Thing", "inputs": properties, "outputs": properties,
        })
    };
    let resources: Vec<Json> = values.iter().enumerate().map(resource).collect();
    let manifest = json!({"time": "2024-01-01T00:00:00Z", "magic": "", "version": "v3.100.0"});
    json!({"version": 3, "deployment": {"manifest": manifest, "resources": resources}}).to_string()
}

/// What all commands print of a file with this text.
fn printed(text: &str) -> Vec<(String, String)> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file.json");
    std::fs::write(&path, text).unwrap();
    let file = path.display().to_string();
    let run = |args: &&[&str]| {
        let args = [&args[..1], &[file.as_str()], &args[1..]].concat();
        let run = command(&args);
        assert!(run.code != 64 && run.code != 2, "{args:?}: {}", run.err);
        (args.join(" "), run.out + &run.err)
    };
    // A state alone has no changes.
    let is_plan = text.contains("resource_changes");
    let of_file = |args: &&&[&str]| is_plan || !matches!(args[0], "diff" | "brief");
    let commands = COMMANDS.iter().filter(of_file);
    let mut all: Vec<(String, String)> = commands.map(run).collect();
    let page = folder.path().join("page.html").display().to_string();
    if command(&["brief", &file, "--html", &page]).code == 0 {
        let html = std::fs::read_to_string(&page).unwrap();
        all.push(("brief --html".to_owned(), html));
    }
    for index in 0..12 {
        let address = if is_plan {
            format!("acme_thing.r{index}")
        } else {
            format!("urn:pulumi:dev::app::acme:index/thing:Thing::r{index}")
        };
        all.push(run(&&["get", address.as_str()][..]));
        all.push(run(&&["get", address.as_str(), "--json"][..]));
    }
    all
}

#[test]
fn no_command_prints_a_secret_of_the_table() {
    let places = places();
    for some in places.chunks(120) {
        let values: Vec<(String, Json)> = some
            .iter()
            .map(|place| (place.name.clone(), place.value.clone()))
            .collect();
        for text in [plan(&values), state(&values)] {
            for (args, out) in printed(&text) {
                for place in some {
                    let seen = place.secrets.iter().find(|it| out.contains(it.as_str()));
                    assert!(
                        seen.is_none(),
                        "{args} prints {seen:?} of {}: {} = {}",
                        place.kind,
                        place.name,
                        place.value
                    );
                }
            }
        }
    }
}

#[test]
fn commands_print_the_near_misses_of_the_table() {
    let near = near();
    let texts = near.iter().filter_map(|it| Some((it, it.value.as_str()?)));
    let plain = texts.filter(|(_, text)| {
        text.len() > 3 && text.is_ascii() && !text.contains(['\n', '"', '\\', '$', '<', '(', '@'])
    });
    let plain: Vec<_> = plain.collect();
    let values: Vec<(String, Json)> = plain
        .iter()
        .map(|(it, text)| (it.name.clone(), json!(text)))
        .collect();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("plan.json");
    std::fs::write(&path, plan(&values)).unwrap();
    let file = path.display().to_string();
    let out = command(&["diff", &file, "--json"]).out;
    assert!(!out.contains("[likely secret]"), "a near miss is masked");
    for (it, text) in plain {
        assert!(out.contains(text), "{} = {text}", it.name);
    }
}
