//! Plan files beside their JSON: both tell the same, value by value.

use std::collections::BTreeMap;
use std::path::Path;

use stacklens::load::{self, Document, Input};
use stacklens::stack::Flags;

/// What a document tells of each resource, by identity.
fn told(document: &Document) -> BTreeMap<String, Vec<String>> {
    let stack = &document.stack;
    let mut told: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for id in stack.ids() {
        let resource = document.resource(id).expect("the resource can be read");
        let drift = stack.record(id).flags.contains(Flags::DRIFT_ENTRY);
        let change = resource.change.as_ref().expect("plans hold changes");
        // `show` leaves out moves that change nothing from the drift.
        if drift && change.own_words == "no-op" {
            continue;
        }
        let text = |state: &Option<stacklens::stack::State>| {
            let outputs = state.as_ref().and_then(|state| state.outputs.as_ref());
            outputs.map(|outputs| stacklens::json::to_compact(&sorted(outputs)))
        };
        let entry = format!(
            "{} {:?} {:?} {:?} {:?} before {:?} after {:?}",
            change.own_words,
            change.reasons,
            change.previous_address,
            change.replace_paths,
            change.importing,
            text(&resource.before),
            text(&resource.after),
        );
        told.entry(format!("{} {drift}", stack.identity(id)))
            .or_default()
            .push(entry);
    }
    told
}

fn sorted(value: &stacklens::value::Value) -> stacklens::value::Value {
    use stacklens::value::{Map, Payload, Value};
    match value.payload() {
        Payload::Map(map) => {
            let entries = map.sorted().into_iter();
            let sorted: Map = entries
                .map(|(key, value)| (key.clone(), sorted(value)))
                .collect();
            value.clone().with_payload(Payload::Map(sorted))
        }
        Payload::Array(items) => {
            let items: Vec<Value> = items.iter().map(sorted).collect();
            value.clone().with_payload(Payload::Array(items.into()))
        }
        _ => value.clone(),
    }
}

#[test]
fn plan_files_tell_what_their_json_tells() {
    let Some(folder) = super::folder().map(|folder| folder.join("terraform/binary-plans")) else {
        return;
    };
    for entry in folder.read_dir().into_iter().flatten().flatten() {
        let path = entry.path();
        if path
            .extension()
            .is_some_and(|extension| extension == "tfplan")
        {
            compare(&path);
        }
    }
}

#[track_caller]
fn compare(plan: &Path) {
    let load = |path: &Path| load::load(&Input::Path(path.to_owned())).expect("it can be read");
    let (binary, json) = (load(plan), load(&plan.with_extension("show.json")));
    let (binary_told, json_told) = (told(&binary), told(&json));
    for (identity, want) in &json_told {
        let found = binary_told.get(identity);
        assert_eq!(found, Some(want), "{}: {identity}", plan.display());
    }
    assert_eq!(binary_told.len(), json_told.len(), "{}", plan.display());
    let outputs = |document: &Document| -> BTreeMap<String, String> {
        let outputs = document.stack.outputs.iter();
        outputs
            .map(|output| {
                let before = output.before.as_ref().map(sorted);
                let text = format!(
                    "{:?} {:?} {:?}",
                    output.action,
                    before,
                    sorted(&output.value)
                );
                (output.name.to_string(), text)
            })
            .collect()
    };
    assert_eq!(outputs(&binary), outputs(&json), "{}", plan.display());
}
