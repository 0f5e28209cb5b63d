//! `value_ops`.

use serde_json::{Value as Json, json};
use stacklens::pulumi::equality::Equality;
use stacklens::pulumi::urn::Urn;
use stacklens::value::Value;

use super::super::canonical;

pub(crate) fn value_ops(case: &Json) -> Result<(), String> {
    let value = |key: &str| canonical::value(&case[key]);
    let got = match case["op"].as_str().unwrap() {
        "equals" => {
            let (a, b) = (value("a"), value("b"));
            json!({
                "equal": a.equals(&b, Equality::Strict),
                "equalRelaxComputed": a.equals(&b, Equality::RelaxComputed),
            })
        }
        "has" => json!({
            "hasSecrets": value("value").has_secrets(),
            "hasComputed": value("value").has_computed(),
        }),
        "normalize" => of(&value("value")),
        "with_secret" => of(&value("value").with_secret(case["secret"].as_bool().unwrap())),
        "with_dependencies" => {
            of(&value("value").with_dependencies(texts(case, "dependencies").map(Urn::from)))
        }
        "with_go_value" => of(&value("value").with_payload(value("go").into_payload())),
        "map_set" => of(&canonical::map(&case["map"])
            .set(case["key"].as_str().unwrap(), value("to"))
            .into()),
        "map_delete" => of(&texts(case, "keys")
            .fold(canonical::map(&case["map"]), stacklens::value::Map::delete)
            .into()),
        "map_get" => {
            let map = canonical::map(&case["map"]);
            let found = map.get(case["key"].as_str().unwrap());
            let value = found.cloned().unwrap_or_default();
            json!({"value": canonical::encode(&value), "present": found.is_some()})
        }
        "array_append" => {
            let array = value("array");
            let items = case["items"]
                .as_array()
                .unwrap()
                .iter()
                .map(canonical::value);
            of(&array.as_array().unwrap().clone().append(items).into())
        }
        other => return Err(format!("unknown op {other}")),
    };
    canonical::expect(&case["expect"], &got)
}

fn of(value: &Value) -> Json {
    json!({"value": canonical::encode(value)})
}

fn texts<'c>(case: &'c Json, key: &str) -> impl Iterator<Item = &'c str> {
    let texts = case[key].as_array().into_iter().flatten();
    texts.map(|text| text.as_str().unwrap())
}
