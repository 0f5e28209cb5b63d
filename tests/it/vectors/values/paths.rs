//! `path_parse`, `path_print`, `path_ops`.

use serde_json::{Value as Json, json};
use stacklens::path::{Glob, GlobSegment, Miss, MissKind, Path, Segment};
use stacklens::pulumi::legacy_path::{LegacyPath, LegacySegment, Strictness};
use stacklens::value::Value;

use super::super::canonical;

pub(crate) fn path_parse(case: &Json) -> Result<(), String> {
    let text = case["text"].as_str().unwrap();
    let glob = Glob::parse(text).map(|glob| (glob_json(&glob), glob.to_string()));
    check_parsed("glob", &case["expect"]["glob"], glob)?;
    let path = Path::parse(text).map(|path| (path_json(&path), path.to_string()));
    check_parsed("path", &case["expect"]["path"], path)?;
    for (name, strictness) in [("loose", Strictness::Loose), ("strict", Strictness::Strict)] {
        let path = LegacyPath::parse(text, strictness);
        let path = path.map(|path| (legacy_json(&path), path.to_string()));
        check_parsed(name, &case["expect"][name], path)?;
    }
    Ok(())
}

fn check_parsed<E: std::fmt::Display>(
    name: &str,
    want: &Json,
    parsed: Result<(Json, String), E>,
) -> Result<(), String> {
    match parsed {
        Err(_) if want.get("error").is_some() => Ok(()),
        Err(error) => Err(format!("{name}: expected {want}, got the error: {error}")),
        Ok((segments, printed)) => {
            let printed_as_wanted = want.get("printed").is_none_or(|want| *want == printed);
            if want.get("segments") == Some(&segments) && printed_as_wanted {
                Ok(())
            } else {
                Err(format!("{name}: expected {want}, got {segments} {printed}"))
            }
        }
    }
}

pub(crate) fn path_print(case: &Json) -> Result<(), String> {
    let expect = &case["expect"];
    let glob = glob(&case["segments"]);
    let printed = if glob.0.is_empty() {
        // The top has no notation in the newer language: its text is empty, which does not parse.
        assert_eq!(glob.to_string(), "");
        json!({"error": Glob::parse("").is_err()})
    } else {
        json!(glob.to_string())
    };
    let is_error = expect["glob"].get("error").is_some();
    if printed != expect["glob"] && !(is_error && printed["error"] == json!(true)) {
        return Err(format!("expected {}, got {printed}", expect["glob"]));
    }
    let legacy = legacy(&case["segments"]).to_string();
    if expect["legacy"] == legacy {
        Ok(())
    } else {
        Err(format!("expected {}, got {legacy:?}", expect["legacy"]))
    }
}

pub(crate) fn path_ops(case: &Json) -> Result<(), String> {
    let value = |key: &str| canonical::value(&case[key]);
    let path_of = |json: &Json| glob(json).as_path().unwrap();
    let path = &case["path"];
    let got = match case["op"].as_str().unwrap() {
        "path_get" => return check_found(case, path_of(path).find(&value("value")).cloned()),
        "path_set" => return check_found(case, path_of(path).set(&value("value"), &value("to"))),
        "glob_get" => return glob_get(case, &glob(path), &value("value")),
        "glob_matches" => {
            json!({"matches": glob(&case["glob"]).matches(&path_of(path))})
        }
        "legacy_get" => answer(legacy(path).get(&value("value")).cloned()),
        "legacy_set" => in_place(case, legacy(path).set(&value("value"), &value("to"))),
        "legacy_delete" => in_place(case, legacy(path).delete(&value("value"))),
        "legacy_add" => answer(legacy(path).add(&value("value"), &value("to"))),
        "legacy_contains" => json!({"contains": legacy(path).contains(&legacy(&case["other"]))}),
        "legacy_reset" => {
            let [old, new] = ["old", "new"].map(|key| canonical::map(&case[key]));
            match legacy(path).reset(&old, &new) {
                Some(new) => json!({"ok": true, "new": canonical::encode_map(&new)}),
                None => json!({"ok": false}),
            }
        }
        other => return Err(format!("unknown op {other}")),
    };
    canonical::expect(&case["expect"], &got)
}

fn answer(value: Option<Value>) -> Json {
    match value {
        Some(value) => json!({"ok": true, "value": canonical::encode(&value)}),
        None => json!({"ok": false}),
    }
}

/// The engine changes the tree in place, so a failed change leaves it unchanged.
fn in_place(case: &Json, changed: Option<Value>) -> Json {
    let ok = changed.is_some();
    let value = changed.unwrap_or_else(|| canonical::value(&case["value"]));
    json!({"ok": ok, "value": canonical::encode(&value)})
}

fn check_found(case: &Json, found: Result<Value, Miss>) -> Result<(), String> {
    let expect = &case["expect"];
    match found {
        Ok(value) => canonical::expect(expect, &json!({"value": canonical::encode(&value)})),
        Err(miss) if expect.get("error").is_some() => {
            let Some(want) = expect.get("found") else {
                return Ok(());
            };
            // The engine returns an incomplete container without its markers. We keep them, because they may mark a secret.
            let found = match miss.why {
                MissKind::NoKey | MissKind::NoElement => miss.found.reveal(),
                MissKind::NoMap | MissKind::NoArray | MissKind::NoContainer => miss.found,
            };
            canonical::expect(want, &canonical::encode(&found))
        }
        Err(miss) => Err(format!("expected {expect}, got the miss: {miss}")),
    }
}

fn glob_get(case: &Json, glob: &Glob, value: &Value) -> Result<(), String> {
    let expect = &case["expect"];
    let found = match glob.get(value) {
        Ok(found) => found,
        Err(_) if expect.get("error").is_some() => return Ok(()),
        Err(miss) => return Err(format!("expected {expect}, got the miss: {miss}")),
    };
    let Some(want) = expect["matches"].as_array() else {
        return Err(format!("expected {expect}, got {} matches", found.len()));
    };
    let sorted = |mut matches: Vec<Json>| {
        matches.sort_by_key(|found| found["path"].to_string());
        Json::Array(matches)
    };
    let found = found
        .iter()
        .map(|(path, value)| json!({"path": path_json(path), "value": canonical::encode(value)}));
    canonical::expect(&sorted(want.clone()), &sorted(found.collect()))
}

fn glob(segments: &Json) -> Glob {
    let segment = |segment: &Json| {
        if let Some(key) = segment["key"].as_str() {
            GlobSegment::Key(key.into())
        } else if let Some(index) = segment["index"].as_u64() {
            GlobSegment::Index(usize::try_from(index).unwrap())
        } else {
            GlobSegment::Splat
        }
    };
    Glob(segments.as_array().unwrap().iter().map(segment).collect())
}

fn legacy(segments: &Json) -> LegacyPath {
    let segment = |segment: &Json| match segment["index"].as_i64() {
        Some(index) => LegacySegment::Index(index),
        None => LegacySegment::Key(segment["key"].as_str().unwrap_or("*").into()),
    };
    LegacyPath(segments.as_array().unwrap().iter().map(segment).collect())
}

fn glob_json(glob: &Glob) -> Json {
    let segments = glob.0.iter().map(|segment| match segment {
        GlobSegment::Key(key) => json!({"key": &**key}),
        GlobSegment::Index(index) => json!({"index": index}),
        GlobSegment::Splat => json!({"splat": true}),
        GlobSegment::Deep => json!({"deep": true}),
    });
    segments.collect()
}

fn path_json(path: &Path) -> Json {
    let segments = path.0.iter().map(|segment| match segment {
        Segment::Key(key) => json!({"key": &**key}),
        Segment::Index(index) => json!({"index": index}),
    });
    segments.collect()
}

fn legacy_json(path: &LegacyPath) -> Json {
    let segments = path.0.iter().map(|segment| match segment {
        LegacySegment::Key(key) => json!({"key": &**key}),
        LegacySegment::Index(index) => json!({"index": index}),
    });
    segments.collect()
}
