//! cty values as JSON and as MessagePack.

use std::fmt::Write;

use serde_json::Value as Json;
use stacklens::cty::{self, Dynamic, Path, Typed};
use stacklens::json;

use super::read;

fn check(case: &Json, got: Result<Typed, Path>) -> Result<Option<Typed>, String> {
    match (case.get("want_error"), got) {
        (Some(want), Err(path)) if read::is_same_path(&path, &want["path"]) => Ok(None),
        (Some(want), got) => Err(format!("expected an error {want}, got {got:?}")),
        (None, Err(path)) => Err(format!("expected a value, got an error at {path}")),
        (None, Ok(got)) => {
            read::expect_same(&got, &read::value(case, "want"))?;
            Ok(Some(got))
        }
    }
}

pub(super) fn value_json(case: &Json) -> Result<(), String> {
    let text = case["json_text"].as_str().expect("a text");
    let ty = read::ty(&case["type"]);
    let got =
        cty::from_json_text(&ty, text.as_bytes(), Dynamic::Wrapped).map_err(|why| match why {
            cty::ReadError::Mismatch(why) => why.path,
            cty::ReadError::Json(why) => panic!("{why}"),
        });
    if let Some(got) = check(case, got)? {
        let printed = cty::to_json(got.view(), &ty).map_err(|why| why.to_string())?;
        let again =
            cty::from_json_text(&ty, json::to_compact(&printed).as_bytes(), Dynamic::Wrapped);
        read::expect_same(&again.map_err(|why| why.to_string())?, &got)?;
    }
    let implied = cty::implied_type(text.as_bytes()).map_err(|why| why.to_string())?;
    let want = read::ty(&case["json_implied_type"]);
    if implied != want {
        return Err(format!("expected to imply {want:?}, got {implied:?}"));
    }
    Ok(())
}

pub(super) fn msgpack(case: &Json) -> Result<(), String> {
    let hex = case["hex"].as_str().expect("hex digits");
    let bytes: Vec<u8> = (0..hex.len())
        .step_by(2)
        .map(|at| u8::from_str_radix(&hex[at..at + 2], 16).expect("hex digits"))
        .collect();
    let ty = read::ty(&case["type"]);
    let got = cty::from_msgpack(&ty, &bytes).map_err(|why| why.path);
    let Some(got) = check(case, got)? else {
        return Ok(());
    };
    let printed = cty::to_msgpack(got.view(), &ty).map_err(|why| why.to_string())?;
    if case.get("canonical").is_some() {
        let mut text = String::new();
        for byte in &printed {
            write!(text, "{byte:02x}").expect("a string can be written to");
        }
        if text != hex {
            return Err(format!("expected {hex}, wrote {text}"));
        }
    }
    Ok(())
}
