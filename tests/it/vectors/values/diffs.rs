//! `diff`, `detailed_diff`.

use serde_json::{Map as JsonMap, Value as Json, json};
use stacklens::pulumi::diff::{
    self, ArrayDiff, DetailedEntry, EntryKind, MapDiff, Options, Rules, Sides, ValueDiff,
};
use stacklens::pulumi::legacy_path::{LegacyPath, Strictness};
use stacklens::value::Value;

use super::super::canonical;

pub(crate) fn diff(case: &Json) -> Result<(), String> {
    let expect = &case["expect"];
    let run = |rules: Rules| {
        let options = Options {
            rules,
            ..Options::default()
        };
        match case["op"].as_str().unwrap() {
            "diff" => {
                let [old, new] = ["old", "new"].map(|side| canonical::map(&case[side]));
                let diff = diff::maps(&old, &new, options);
                let keys = diff.as_ref().map(MapDiff::changed_keys).unwrap_or_default();
                Ok((diff.as_ref().map_or(Json::Null, map_json), json!(keys)))
            }
            "value_diff" => {
                let [old, new] = ["old", "new"].map(|side| canonical::value(&case[side]));
                let diff = diff::values(&old, &new, options);
                Ok((diff.as_ref().map_or(Json::Null, value_json), Json::Null))
            }
            other => Err(format!("unknown op {other}")),
        }
    };
    let (got, keys) = run(Rules::Current)?;
    canonical::expect(&expect["diff"], &got)?;
    canonical::expect(&expect["changedKeys"], &keys)?;
    let older = expect.get("legacy").unwrap_or(&expect["diff"]);
    canonical::expect(older, &run(Rules::Older)?.0)?;
    if case["op"] == "value_diff" {
        // The engine ignores unknowns between maps only.
        return Ok(());
    }
    let relaxed = expect.get("legacyIncludeUnknowns").unwrap_or(older);
    canonical::expect(relaxed, &run(Rules::OlderIgnoringUnknowns)?.0)
}

pub(crate) fn detailed_diff(case: &Json) -> Result<(), String> {
    let map = |key: &str| canonical::map(&case[key]);
    let entries = case["detailedDiff"].as_object().unwrap().iter();
    let entries = entries.map(|(path, entry)| {
        let (kind, _) = EntryKind::parse(entry["kind"].as_str().unwrap()).unwrap();
        let is_input = entry["inputDiff"].as_bool().unwrap_or_default();
        (path.as_str(), DetailedEntry { kind, is_input })
    });
    let hide = case["hideDiffs"].as_array().unwrap().iter();
    let hide = hide.map(|path| LegacyPath::parse(path.as_str().unwrap(), Strictness::Loose));
    let hide: Vec<_> = hide.collect::<Result<_, _>>().unwrap();
    let sides = Sides {
        old_inputs: &map("oldInputs"),
        old_outputs: &map("oldOutputs"),
        new_inputs: &map("newInputs"),
        new_outputs: &map("newOutputs"),
        is_refresh: case["refresh"] == json!(true),
    };
    let translated = diff::translate(entries, sides, &hide);
    let hidden: Vec<_> = translated
        .hidden
        .iter()
        .map(LegacyPath::to_string)
        .collect();
    let diff = translated.diff.as_ref().map_or(Json::Null, map_json);
    canonical::expect(&case["expect"], &json!({"diff": diff, "hidden": hidden}))
}

fn map_json(diff: &MapDiff) -> Json {
    json!({
        "adds": entries_json(&diff.adds, canonical::encode),
        "deletes": entries_json(&diff.deletes, canonical::encode),
        "sames": entries_json(&diff.sames, canonical::encode),
        "updates": entries_json(&diff.updates, value_json),
    })
}

fn array_json(diff: &ArrayDiff) -> Json {
    json!({
        "adds": entries_json(&diff.adds, canonical::encode),
        "deletes": entries_json(&diff.deletes, canonical::encode),
        "sames": entries_json(&diff.sames, canonical::encode),
        "updates": entries_json(&diff.updates, value_json),
    })
}

fn entries_json<'d, K: ToString + 'd, V: 'd>(
    entries: impl IntoIterator<Item = (&'d K, &'d V)>,
    encode: fn(&V) -> Json,
) -> Json {
    let entries = entries.into_iter();
    Json::Object(
        entries
            .map(|(key, value)| (key.to_string(), encode(value)))
            .collect(),
    )
}

fn value_json(diff: &ValueDiff) -> Json {
    let mut out = JsonMap::new();
    let mut insert = |key: &str, value: Json| out.insert(key.to_owned(), value);
    let encode = |value: &Value| canonical::encode(value);
    insert("old", encode(&diff.old));
    insert("new", encode(&diff.new));
    if let Some(array) = &diff.array {
        insert("array", array_json(array));
    }
    if let Some(map) = &diff.map {
        insert("object", map_json(map));
    }
    Json::Object(out)
}
