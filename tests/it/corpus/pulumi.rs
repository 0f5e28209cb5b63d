//! Event logs and checkpoints of Pulumi's own tests, compared with a plain reading of the same files.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value as Json;
use stacklens::load::{self, Document, Input};
use stacklens::path::{Path as PropertyPath, Segment};
use stacklens::stack::{Action, Masks, Of, ResourceId, Severity, lookup};

use super::Outcome;

/// The operations for which a resource is replaced.
const REPLACES: [&str; 4] = [
    "replace",
    "create-replacement",
    "import-replacement",
    "read-replacement",
];

/// Checks each file of `pulumi/events` and `pulumi/checkpoints`. Returns the names of those that failed.
pub(super) fn check(folder: &Path) -> Vec<String> {
    let folder = folder.join("pulumi");
    let mut failed = Vec::new();
    let index = folder.join("events/INDEX.json");
    let entries: Json = fs::read(index).map_or(Json::Null, |text| {
        serde_json::from_slice(&text).expect("the index is JSON")
    });
    for entry in entries.as_array().into_iter().flatten() {
        let name = entry["name"].as_str().unwrap_or_default();
        let path = folder.join("events").join(name).join("eventstream.json");
        super::tell(
            &format!("pulumi/events/{name}"),
            || events(&path, entry),
            &mut failed,
        );
    }
    let mut checkpoints: Vec<PathBuf> = fs::read_dir(folder.join("checkpoints"))
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "json")
        })
        .collect();
    checkpoints.sort();
    for path in checkpoints {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        super::tell(
            &format!("pulumi/checkpoints/{name}"),
            || checkpoint(&path),
            &mut failed,
        );
    }
    failed
}

fn open(path: &Path, kind: &str) -> Result<Document, String> {
    let document = load::load(&Input::path(path.to_owned())).map_err(|error| error.to_string())?;
    let stack = &document.stack;
    if stack.header.kind.name() != kind {
        return Err(format!("recognized as {}", stack.header.kind));
    }
    let wrong = stack
        .notes
        .iter()
        .find(|note| note.severity == Severity::Error);
    match wrong {
        Some(note) => Err(format!("{}: {}", note.place, note.message)),
        None => Ok(document),
    }
}

/// The counts of the index, and those of the events as another JSON reader reads them.
fn events(path: &Path, entry: &Json) -> Outcome {
    let document = open(path, "pulumi-events")?;
    let text = fs::read(path).map_err(|error| error.to_string())?;
    let events: Vec<Json> = serde_json::Deserializer::from_slice(&text)
        .into_iter()
        .collect::<Result<_, _>>()
        .map_err(|error| error.to_string())?;
    let started = ops(&events, &["resourcePreEvent"]);
    same("changes", &changes(&document), &started)?;
    let urns = |replaced: bool| -> BTreeSet<&str> {
        let started = events
            .iter()
            .map(|event| &event["resourcePreEvent"]["metadata"]);
        let op = |metadata: &Json| metadata["op"].as_str().unwrap_or_default().to_owned();
        let is_asked = |it: &&Json| !replaced || REPLACES.contains(&&*op(it));
        let asked = started.filter(is_asked);
        asked
            .filter_map(|metadata| metadata["urn"].as_str())
            .collect()
    };
    let stack = &document.stack;
    let resources = urns(false).len() as u64;
    same("resources", &stack.counts.resources, &resources)?;
    let is_replaced = |id: &ResourceId| stack.record(*id).action == Some(Action::Replace);
    let n_replaced = stack.ids().filter(is_replaced).count();
    same("replacements", &n_replaced, &urns(true).len())?;
    // The result of an operation (a refresh: no changes) has another name than its start.
    let all = ["resourcePreEvent", "resOutputsEvent", "resOpFailedEvent"];
    let wanted = match entry.get("ops") {
        Some(ops) => counts(ops),
        // The index has no counts for displays.
        None => ops(&events, &all),
    };
    same("ops", &ops(&events, &all), &wanted)?;
    if let Some(wanted) = entry.get("events") {
        let n_events = document.stack.header.fields.iter();
        let n_events = n_events.clone().find(|(name, _)| name == "events");
        let n_events = n_events
            .map(|(_, value)| value.to_string())
            .unwrap_or_default();
        let wanted: u64 = counts(wanted).values().sum();
        same("events", &n_events, &wanted.to_string())?;
    }
    Ok(())
}

fn changes(document: &Document) -> BTreeMap<String, u64> {
    let changes = document.stack.counts.changes.iter();
    changes.map(|(op, count)| (op.clone(), *count)).collect()
}

fn ops(events: &[Json], names: &[&str]) -> BTreeMap<String, u64> {
    let mut ops = BTreeMap::new();
    for event in events {
        for name in names {
            if let Some(op) = event[name]["metadata"]["op"].as_str() {
                *ops.entry(op.to_owned()).or_default() += 1;
            }
        }
    }
    ops
}

fn counts(json: &Json) -> BTreeMap<String, u64> {
    let counts = json.as_object().into_iter().flatten();
    counts
        .map(|(name, count)| (name.clone(), count.as_u64().unwrap_or_default()))
        .collect()
}

fn same<T: PartialEq + std::fmt::Debug>(what: &str, found: &T, wanted: &T) -> Outcome {
    if found == wanted {
        Ok(())
    } else {
        Err(format!("{what}: expected {wanted:?}, found {found:?}"))
    }
}

/// Every resource and every scalar at the top of its inputs and outputs, in order.
fn checkpoint(path: &Path) -> Outcome {
    let document = open(path, "pulumi-state")?;
    let text = fs::read(path).map_err(|error| error.to_string())?;
    let json: Json = serde_json::from_slice(&text).map_err(|error| error.to_string())?;
    let version = json["version"].to_string();
    same("version", &document.stack.header.format_version, &version)?;
    let secret = Json::from("1b47061264138c4ac30d75fd1eb44270");
    let latest = &json["checkpoint"]["latest"];
    let resources = latest["resources"].as_array().ok_or("no resources")?;
    same("resources", &document.stack.len(), &resources.len())?;
    for (id, json) in document.stack.ids().zip(resources) {
        let resource = document.resource(id).map_err(|error| error.to_string())?;
        same(
            "urn",
            &&*resource.urn,
            &json["urn"].as_str().unwrap_or_default(),
        )?;
        same(
            "type",
            &&*resource.ty,
            &json["type"].as_str().unwrap_or_default(),
        )?;
        let own_id = resource.id.as_ref().and_then(|id| id.as_str());
        same("id", &own_id, &json["id"].as_str())?;
        for section in ["inputs", "outputs"] {
            let of: Of = section.parse().expect("a section");
            for (key, wanted) in json[section].as_object().into_iter().flatten() {
                let path = PropertyPath(vec![Segment::from(&**key)]);
                let answer = lookup(&resource, &path, of, Masks::Keep)
                    .map_err(|missing| format!("{} {section}.{key}: {missing}", resource.urn))?;
                // A secret is a map with a signature. It is masked, with or without a plaintext.
                if wanted.get("4dabf18193072939515e22adb298388d") == Some(&secret) {
                    same(key, &answer.value.is_secret(), &true)?;
                } else if let Some(wanted) = wanted.as_str() {
                    same(key, &answer.value.as_str(), &Some(wanted))?;
                } else if let Some(wanted) = wanted.as_bool() {
                    same(key, &answer.value.as_bool(), &Some(wanted))?;
                }
            }
        }
    }
    Ok(())
}
