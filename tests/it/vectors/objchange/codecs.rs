//! cty values as JSON and as MessagePack.

use std::fmt::Write;

use serde_json::Value as Json;
use stacklens::json;
use stacklens::terraform::cty::{self, Dynamic, Path, Segment, Typed};
use stacklens::types::cty::ReadError;
use stacklens::value::{Payload, Text, Value};

use super::read;
use crate::written;

/// The path at which a value was refused; `None` if the text is not JSON, so that there is no path.
type Refused = Option<Path>;

fn check(case: &Json, got: Result<Typed, Refused>) -> Result<Option<Typed>, String> {
    match (case.get("want_error"), got) {
        (Some(_), Err(None)) => Ok(None),
        (Some(want), Err(Some(path))) if read::is_same_path(&path, &want["path"]) => Ok(None),
        (Some(want), got) => Err(format!("expected an error {want}, got {got:?}")),
        (None, Err(path)) => Err(format!("expected a value, got an error at {path:?}")),
        (None, Ok(got)) => {
            read::expect_same(&printable(&got), &read::value(case, "want"))?;
            Ok(Some(got))
        }
    }
}

/// The outcome of a case whose type is malformed: it has to expect an error.
fn refused(case: &Json, why: &ReadError) -> Result<(), String> {
    match case.get("want_error") {
        Some(_) => Ok(()),
        None => Err(format!("expected a value, got an error in the type: {why}")),
    }
}

/// A value as a case can contain it: a case is JSON, with U+FFFD for each byte that is not UTF-8.
fn printable(of: &Typed) -> Typed {
    let (ty, value) = of.clone().into_parts();
    Typed::new(ty, printable_value(&value)).expect("a value of the same type")
}

fn printable_value(value: &Value) -> Value {
    let payload = match value.payload() {
        Payload::String(text) => Payload::String(Text::from(printable_text(text.as_bytes()))),
        Payload::Array(items) => Payload::Array(items.iter().map(printable_value).collect()),
        Payload::Map(map) => Payload::Map(
            map.iter()
                .map(|(key, value)| {
                    (
                        printable_text(&cty::msgpack::key_bytes(key)),
                        printable_value(value),
                    )
                })
                .collect(),
        ),
        _ => return value.clone(),
    };
    value.clone().with_payload(payload)
}

fn printable_text(bytes: &[u8]) -> String {
    let mut shown = String::new();
    for chunk in bytes.utf8_chunks() {
        shown.push_str(chunk.valid());
        shown.extend(chunk.invalid().iter().map(|_| '\u{fffd}'));
    }
    shown
}

fn printable_path(path: Path) -> Path {
    let steps = path.0.into_iter().map(|step| match step {
        Segment::Key(key) => Segment::Key(printable_text(&cty::msgpack::key_bytes(&key)).into()),
        step => step,
    });
    Path(steps.collect())
}

pub(super) fn value_json(case: &Json) -> Result<(), String> {
    let text = case["json_text"].as_str().expect("a text");
    let ty = match read::type_of(case) {
        Ok(ty) => ty,
        Err(why) => return refused(case, &why),
    };
    let got =
        cty::from_json_text(&ty, text.as_bytes(), Dynamic::Wrapped).map_err(|why| match why {
            cty::ReadError::Mismatch(why) => Some(why.path),
            cty::ReadError::Json(_) => None,
        });
    if let Some(got) = check(case, got)? {
        let printed = written::to_json(got.view(), &ty);
        let again =
            cty::from_json_text(&ty, json::to_compact(&printed).as_bytes(), Dynamic::Wrapped);
        read::expect_same(&again.map_err(|why| why.to_string())?, &got)?;
    }
    let implied = cty::implied_type(text.as_bytes());
    let want = case.get("json_implied_type").filter(|ty| !ty.is_null());
    match (want.map(read::ty), implied) {
        (None, Err(_)) => Ok(()),
        (Some(want), Ok(implied)) if implied == want => Ok(()),
        (want, implied) => Err(format!("expected to imply {want:?}, got {implied:?}")),
    }
}

pub(super) fn msgpack(case: &Json) -> Result<(), String> {
    let hex = case["hex"].as_str().expect("hex digits");
    let bytes: Vec<u8> = (0..hex.len())
        .step_by(2)
        .map(|at| u8::from_str_radix(&hex[at..at + 2], 16).expect("hex digits"))
        .collect();
    let ty = match read::type_of(case) {
        Ok(ty) => ty,
        Err(why) => return refused(case, &why),
    };
    let got = cty::msgpack::from_msgpack(&ty, &bytes).map_err(|why| Some(printable_path(why.path)));
    let Some(got) = check(case, got)? else {
        return Ok(());
    };
    // With the type as a hint, the value is the same.
    let open = cty::from_msgpack_open(Some(&ty), &bytes).map_err(|why| why.to_string())?;
    if open != *got.value() {
        return Err(format!("expected {}, got {open}", got.value()));
    }
    if case.get("canonical").is_some() {
        let printed = written::to_msgpack(got.view(), &ty);
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
