//! Facts: the value at a path of a resource.

use stacklens::load::Document;
use stacklens::path::{Path, Segment};
use stacklens::stack::{Masks, Of, Resource, lookup};
use stacklens::value::{Map, Number, Payload, Sealed, Value};

use super::{Outcome, text_of};

/// Checks the facts and the unknown values that the index lists for a file.
pub(super) fn check(document: &Document, entry: &Map) -> Outcome {
    for fact in list(entry, "facts").filter_map(Value::as_map) {
        one(document, text_of(entry, "kind"), fact)?;
    }
    for unknown in list(entry, "unknown").filter_map(Value::as_array) {
        let address = unknown.get(0).and_then(Value::as_str).unwrap_or_default();
        let path = steps(unknown.get(1));
        let of = "after".parse().expect("a section");
        let any = resources(document, address)?.iter().any(|resource| {
            lookup(resource, &path, of, Masks::Lift).is_ok_and(|answer| answer.value.is_computed())
        });
        if !any {
            return Err(format!("{address} {path}: expected an unknown value"));
        }
    }
    for address in list(entry, "addresses").filter_map(Value::as_str) {
        resources(document, address)?;
    }
    Ok(())
}

fn list<'v>(entry: &'v Map, key: &str) -> impl Iterator<Item = &'v Value> {
    entry
        .get(key)
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
}

/// The index writes `a.b.0` for the instances of an old state, which is upgraded to `a.b[0]`.
fn upgraded(address: &str, note: &str) -> String {
    match address.rsplit_once('.') {
        Some((base, index)) if note.starts_with("flatmap") && index.parse::<u64>().is_ok() => {
            format!("{base}[{index}]")
        }
        _ => address.to_owned(),
    }
}

/// Every resource with this identity. If there are several, one of them has the value.
fn resources(document: &Document, address: &str) -> Result<Vec<Resource>, String> {
    let found = document.stack.find(address);
    if found.is_empty() {
        return Err(format!("{address}: not found"));
    }
    found
        .into_iter()
        .map(|id| {
            document
                .resource(id)
                .map_err(|error| format!("{address}: {error}"))
        })
        .collect()
}

fn steps(path: Option<&Value>) -> Path {
    let steps = path.and_then(Value::as_array).into_iter().flatten();
    Path(
        steps
            .map(|step| {
                if let Some(key) = step.as_str() {
                    return Segment::from(key);
                }
                let index = step.as_number().and_then(Number::to_i64);
                Segment::from(usize::try_from(index.unwrap_or(0)).unwrap_or(0))
            })
            .collect(),
    )
}

fn one(document: &Document, kind: &str, fact: &Map) -> Outcome {
    let address = &*upgraded(text_of(fact, "address"), text_of(fact, "note"));
    let path = steps(fact.get("path"));
    let wanted = fact.get("value").cloned().unwrap_or_default();
    let secret = fact.get("sensitive").and_then(Value::as_bool) == Some(true);
    let mut why = String::new();
    for resource in resources(document, address)? {
        match compare(&resource, kind, &path, &wanted, secret) {
            Ok(()) => return Ok(()),
            Err(error) => why = error,
        }
    }
    Err(format!("{address} {path}: {why}"))
}

/// The properties that a path of the index belongs to, and the rest of the path.
fn section(kind: &str, path: &Path) -> (Of, Path) {
    let key = |index: usize| match path.0.get(index) {
        Some(Segment::Key(key)) => &**key,
        _ => "",
    };
    let (of, n_steps) = match (kind, key(0), key(1)) {
        ("pulumi-preview", when, section) => {
            let when = if when == "oldState" {
                "before"
            } else {
                "after"
            };
            (format!("{when}.{section}"), 2)
        }
        ("pulumi-plan", ..) => ("after.outputs".to_owned(), 1),
        ("pulumi-state", section, _) => (section.to_owned(), 1),
        ("tfplan-json" | "tfplan-binary", when, _) => (when.to_owned(), 1),
        _ => ("outputs".to_owned(), 0),
    };
    let of = of.parse().expect("the index names sections");
    (of, Path(path.0[n_steps..].to_vec()))
}

fn compare(resource: &Resource, kind: &str, path: &Path, wanted: &Value, secret: bool) -> Outcome {
    let (of, path) = section(kind, path);
    let answer = lookup(resource, &path, of, Masks::Lift)
        .map(|answer| answer.value)
        .map_err(|missing| format!("not found: {missing}"))?;
    if secret {
        let masked = lookup(resource, &path, of, Masks::Keep)
            .map_err(|missing| format!("not found with masks: {missing}"))?;
        if !masked.value.is_secret() {
            return Err("not masked".to_owned());
        }
    }
    let found = answer.reveal();
    let equal = match found.payload() {
        Payload::Sealed(Sealed::Ciphertext(text)) => wanted.as_str() == Some(&**text),
        Payload::Sealed(Sealed::Redacted) => wanted.as_str() == Some("[secret]"),
        _ => found == *wanted,
    };
    if equal {
        Ok(())
    } else {
        Err(format!("expected {wanted}, found {answer}"))
    }
}
