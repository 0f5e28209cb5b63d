//! Shapes of types, inference and conformance, and the combinators of outputs.

use std::cell::Cell;

use serde_json::Value as Json;
use stacklens::json::{self, Numbers};
use stacklens::pulumi::urn::Urn;
use stacklens::types::{MisfitKind, ObjectType, Type};
use stacklens::value::Value;
use stacklens::value::output::Output;

use super::super::canonical;

pub(crate) fn run(case: &Json) -> Result<(), String> {
    match case["op"].as_str() {
        Some("shapes") => shapes(case),
        Some("apply") => apply(case),
        Some("all") => all(case),
        Some("unwrap") => unwrap(case),
        Some("infer") => infer(case),
        Some("conform") => conform(case),
        other => Err(format!("no such operation: {other:?}")),
    }
}

fn same<T: PartialEq + std::fmt::Display>(what: &str, got: &T, want: &T) -> Result<(), String> {
    if got == want {
        Ok(())
    } else {
        Err(format!("{what}: expected {want}, got {got}"))
    }
}

fn shapes(case: &Json) -> Result<(), String> {
    let of = ty(&case["type"])?;
    notation(&case["typeText"], &of)?;
    let expect = &case["expect"];
    for (name, got) in [
        ("inputShape", of.input_shape()),
        ("outputShape", of.output_shape()),
        ("plainShape", of.plain_shape()),
    ] {
        same(name, &got, &ty(&expect[name])?)?;
        notation(&expect[format!("{name}Text")], &got)?;
    }
    Ok(())
}

/// Checks that the type prints as the vector has it.
fn notation(text: &Json, ty: &Type) -> Result<(), String> {
    same("notation", &Json::from(ty.to_string()), text)
}

fn ty(json: &Json) -> Result<Type, String> {
    let of = || ty(&json["of"]);
    let list = || {
        json["of"]
            .as_array()
            .ok_or("no list of types")?
            .iter()
            .map(ty)
            .collect::<Result<Vec<_>, _>>()
    };
    Ok(match json["kind"].as_str() {
        Some("Null") => Type::Null,
        Some("Bool") => Type::Bool,
        Some("Number") => Type::Number,
        Some("String") => Type::String,
        Some("Asset") => Type::Asset,
        Some("Archive") => Type::Archive,
        Some("ResourceReference") => Type::Reference,
        Some("Tuple") => Type::Tuple(list()?.into()),
        Some("Union") => Type::Union(list()?),
        Some("Array") => Type::Array(of()?.into()),
        Some("Map") => Type::Map(of()?.into()),
        Some("Promise") => Type::Promise(of()?.into()),
        Some("Output") => Type::Output(of()?.into()),
        Some("Input") => Type::Input(of()?.into()),
        Some("Enum") => Type::Enum(
            of()?.into(),
            json["values"]
                .as_array()
                .ok_or("no values")?
                .iter()
                .map(value)
                .collect(),
        ),
        Some("Object") => object(&json["fields"])?,
        other => return Err(format!("no such kind of type: {other:?}")),
    })
}

/// The fields of an object: a list of pairs, a list of objects with a name and a type, or an object.
fn object(fields: &Json) -> Result<Type, String> {
    let mut object = ObjectType::default();
    let mut add = |key: &str, field: &Json| {
        object.attributes.insert(key.into(), ty(field)?);
        Ok::<_, String>(())
    };
    match fields {
        Json::Object(map) => {
            for (key, field) in map {
                add(key, field)?;
            }
        }
        Json::Array(list) => {
            for field in list {
                let parts: Vec<&Json> = match field {
                    Json::Array(pair) => pair.iter().collect(),
                    Json::Object(map) => map.values().collect(),
                    _ => return Err(format!("no field: {field}")),
                };
                let key = parts.iter().find_map(|part| part.as_str());
                let of = parts.iter().find(|part| part.is_object());
                add(key.ok_or("no key")?, of.ok_or("no type")?)?;
            }
        }
        _ => return Err(format!("no fields: {fields}")),
    }
    Ok(Type::Object(object))
}

fn value(json: &Json) -> Value {
    json::parse(json.to_string().as_bytes(), Numbers::Double)
        .expect("JSON")
        .value
}

fn output(json: &Json) -> Output<Value> {
    let output = if json["unknown"] == true {
        Output::unknown()
    } else {
        Output::known(json.get("value").map_or(Value::NULL, value))
    };
    with_metadata(output, json)
}

fn with_metadata<T>(output: Output<T>, json: &Json) -> Output<T> {
    let dependencies = json["dependencies"].as_array().into_iter().flatten();
    output
        .with_secret(json["secret"] == true)
        .with_dependencies(dependencies.filter_map(|urn| urn.as_str().map(Urn::from)))
}

/// The output as the vectors write it, so that everything counts, including the order of the dependencies.
fn told(output: &Output<Value>) -> Json {
    let mut told = serde_json::json!({
        "dependencies": output.dependencies().iter().map(Urn::as_str).collect::<Vec<_>>(),
        "unknown": output.is_unknown(),
        "secret": output.is_secret(),
    });
    if let Some(value) = output.value() {
        told["value"] = serde_json::from_str(&json::to_compact(value)).expect("JSON");
    }
    told
}

fn apply(case: &Json) -> Result<(), String> {
    let ran = Cell::new(false);
    let result = output(&case["output"]).apply(|_| {
        ran.set(true);
        output(&case["callbackReturns"])
    });
    same("result", &told(&result), &case["expect"]["result"])?;
    same(
        "callback runs",
        &Json::from(ran.get()),
        &case["expect"]["callbackRuns"],
    )
}

fn all(case: &Json) -> Result<(), String> {
    let outputs = case["outputs"].as_array().ok_or("no outputs")?;
    let all = Output::all(outputs.iter().map(output)).map(Value::from);
    same("result", &told(&all), &case["expect"]["result"])
}

fn unwrap(case: &Json) -> Result<(), String> {
    let outer = &case["outer"];
    let nested = if outer["unknown"] == true {
        Output::unknown()
    } else {
        Output::known(output(&case["inner"]))
    };
    let flat = with_metadata(nested, outer).unwrap();
    same("result", &told(&flat), &case["expect"]["result"])
}

fn infer(case: &Json) -> Result<(), String> {
    let inferred = Type::infer(&canonical::value(&case["value"]));
    notation(&case["expect"]["typeText"], &inferred)
}

/// Checks the place and the kind of every misfit.
fn conform(case: &Json) -> Result<(), String> {
    let of = ty(&case["type"])?;
    notation(&case["typeText"], &of)?;
    let misfits = of
        .check(&canonical::value(&case["value"]))
        .err()
        .unwrap_or_default();
    let misfits = misfits.iter().map(|misfit| {
        let kind = match misfit.kind {
            MisfitKind::Kind { .. } => "kind",
            MisfitKind::Metadata { .. } => "metadata",
            MisfitKind::Length { .. } => "length",
            MisfitKind::Missing(_) => "missing",
            MisfitKind::Unexpected(_) => "unexpected",
            MisfitKind::NotInEnum(_) => "not in enum",
            MisfitKind::NotInUnion { .. } => "not in union",
            MisfitKind::TooDeep => "too deep",
        };
        Json::from([misfit.path.to_string(), kind.to_owned()].to_vec())
    });
    same("misfits", &misfits.collect(), &case["expect"]["misfits"])
}
