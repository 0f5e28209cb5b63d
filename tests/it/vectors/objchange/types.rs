//! Types, and the types that schemas imply.

use std::sync::Arc;

use serde_json::{Value as Json, json};
use stacklens::terraform::cty::Typed;
use stacklens::types::{Type, cty};

use super::read;

pub(super) fn type_json(case: &Json) -> Result<(), String> {
    let text = case
        .get("json_text")
        .and_then(Json::as_str)
        .map_or_else(|| case["json"].to_string(), str::to_owned);
    let got = cty::parse(text.as_bytes());
    if case.get("want_error").is_some() {
        return match got {
            Ok(got) => Err(format!("expected an error, got {got:?}")),
            Err(_) => Ok(()),
        };
    }
    let got = got.map_err(|error| error.to_string())?;
    if tree(&got) != case["want"] {
        return Err(format!("expected {}, got {}", case["want"], tree(&got)));
    }
    let friendly = cty::friendly_name(&got);
    if friendly != case["friendly"] {
        return Err(format!("expected {}, got {friendly}", case["friendly"]));
    }
    let again = cty::read(&cty::to_json(&got).expect("a cty type"));
    if again.as_ref() != Ok(&got) {
        return Err(format!("printed and read again: {again:?}"));
    }
    Ok(())
}

fn tree(of: &Type) -> Json {
    match of {
        Type::Bool => json!({"kind": "bool"}),
        Type::Number => json!({"kind": "number"}),
        Type::String => json!({"kind": "string"}),
        Type::Dynamic => json!({"kind": "dynamic"}),
        Type::Array(element) => json!({"kind": "list", "element": tree(element)}),
        Type::Set(element) => json!({"kind": "set", "element": tree(element)}),
        Type::Map(element) => json!({"kind": "map", "element": tree(element)}),
        Type::Tuple(elements) => {
            json!({"kind": "tuple", "elements": elements.iter().map(tree).collect::<Vec<_>>()})
        }
        Type::Object(object) => {
            let attributes: serde_json::Map<String, Json> = object
                .attributes
                .iter()
                .map(|(name, of)| (name.to_string(), tree(of)))
                .collect();
            let mut tree = json!({"kind": "object", "attributes": attributes});
            if !object.optional.is_empty() {
                tree["optional"] = object.optional.iter().map(|name| json!(**name)).collect();
            }
            tree
        }
        other => panic!("no cty type: {other:?}"),
    }
}

pub(super) fn implied_type(case: &Json) -> Result<(), String> {
    let schema = read::schema(case);
    let want = read::ty(&case["want"]);
    if *schema.implied_type() == want {
        Ok(())
    } else {
        Err(format!(
            "expected {want:?}, got {:?}",
            schema.implied_type()
        ))
    }
}

pub(super) fn all_attributes_null(case: &Json) -> Result<(), String> {
    read::expect_same(
        &read::schema(case).empty_value(),
        &read::value(case, "want"),
    )
}

pub(super) fn set_order(case: &Json) -> Result<(), String> {
    let element = read::ty(&case["element_type"]);
    let (_, items): (Vec<_>, Vec<_>) = read::values(case, "elements")
        .into_iter()
        .map(Typed::into_parts)
        .unzip();
    let set = Typed::new(Type::Set(Arc::new(element)), items.into()).expect("a set");
    let want = read::values(&case["want"], "set");
    let got: Vec<_> = set.view().items().collect();
    let same = got.len() == want.len()
        && got
            .iter()
            .zip(&want)
            .all(|(got, want)| got.raw_equals(want.view()));
    if same {
        Ok(())
    } else {
        Err(format!("expected {want:?}, got {got:?}"))
    }
}
