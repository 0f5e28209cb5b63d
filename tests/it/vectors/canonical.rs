//! The canonical encoding of values in the Pulumi vectors (see their README), to and from [`Value`].

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map as JsonMap, Value as Json, json};
use stacklens::json::{self as text, Numbers};
use stacklens::pulumi::urn::Urn;
use stacklens::value::{Archive, Asset, Map, Member, Payload, Reference, ReferenceId, Text, Value};

/// The value of a canonical encoding.
pub(crate) fn value(canonical: &Json) -> Value {
    let payload = payload(canonical);
    let urns = canonical["dependencies"].as_array().into_iter().flatten();
    Value::new(payload)
        .with_secret(canonical["secret"] == json!(true))
        .with_dependencies(urns.map(|urn| Urn::from(urn.as_str().unwrap())))
}

fn payload(canonical: &Json) -> Payload {
    let inner = &canonical["value"];
    match canonical["type"].as_str().unwrap() {
        "null" => Payload::Null,
        "bool" => Payload::Bool(inner.as_bool().unwrap()),
        "number" => Payload::Number(number(inner).into()),
        "string" => Payload::String(bytes(canonical, "value").unwrap_or_default()),
        "array" => Payload::Array(inner.as_array().unwrap().iter().map(value).collect()),
        "map" => Payload::Map(map(inner)),
        "asset" => Payload::Asset(asset(canonical).into()),
        "archive" => Payload::Archive(archive(canonical).into()),
        "resourceReference" => Payload::Reference(reference(canonical).into()),
        "computed" => Payload::Computed(None),
        other => panic!("no canonical type: {other}"),
    }
}

/// A map of canonical values.
pub(crate) fn map(canonical: &Json) -> Map {
    let entries = canonical.as_object().unwrap().iter();
    entries
        .map(|(key, canonical)| (key.as_str(), value(canonical)))
        .collect()
}

fn number(canonical: &Json) -> f64 {
    match canonical.as_str() {
        Some("NaN") => f64::NAN,
        Some("Infinity") => f64::INFINITY,
        Some("-Infinity") => f64::NEG_INFINITY,
        Some("-0") => -0.0,
        _ => canonical.as_f64().unwrap(),
    }
}

fn bytes(canonical: &Json, key: &str) -> Option<Text> {
    if let Some(base64) = canonical[format!("{key}Base64")].as_str() {
        return Some(STANDARD.decode(base64).unwrap().into());
    }
    canonical[key].as_str().map(Text::from)
}

fn asset(canonical: &Json) -> Asset {
    Asset {
        text: bytes(canonical, "text").filter(|text| !text.as_bytes().is_empty()),
        path: bytes(canonical, "path").unwrap_or_default(),
        uri: bytes(canonical, "uri").unwrap_or_default(),
        hash: bytes(canonical, "hash").unwrap_or_default(),
    }
}

fn archive(canonical: &Json) -> Archive {
    let member = |(name, canonical): (&String, &Json)| {
        let member = match payload(canonical) {
            Payload::Asset(asset) => Member::Asset(asset),
            Payload::Archive(archive) => Member::Archive(archive),
            other => panic!("no member of an archive: {other:?}"),
        };
        (name.as_str().into(), member)
    };
    Archive {
        assets: canonical["assets"]
            .as_object()
            .map(|assets| assets.iter().map(member).collect()),
        path: bytes(canonical, "path").unwrap_or_default(),
        uri: bytes(canonical, "uri").unwrap_or_default(),
        hash: bytes(canonical, "hash").unwrap_or_default(),
    }
}

fn reference(canonical: &Json) -> Reference {
    let id = &canonical["id"];
    Reference {
        urn: bytes(canonical, "urn").unwrap_or_default(),
        id: match id["type"].as_str() {
            None | Some("null") => ReferenceId::None,
            Some("computed") => ReferenceId::Unknown,
            Some(_) => ReferenceId::Known(bytes(id, "value").unwrap()),
        },
        package_version: bytes(canonical, "packageVersion").unwrap_or_default(),
        name: bytes(canonical, "name").unwrap_or_default(),
        resource_type: bytes(canonical, "resourceType").unwrap_or_default(),
    }
}

/// The canonical encoding of a value.
pub(crate) fn encode(value: &Value) -> Json {
    let mut out = JsonMap::new();
    encode_payload(value.payload(), &mut out);
    if value.is_secret() {
        out.insert("secret".into(), json!(true));
    }
    if !value.dependencies().is_empty() {
        let urns: Vec<_> = value.dependencies().iter().map(Urn::as_str).collect();
        out.insert("dependencies".into(), json!(urns));
    }
    Json::Object(out)
}

fn encode_payload(payload: &Payload, out: &mut JsonMap<String, Json>) {
    let (kind, inner) = match payload {
        Payload::Null => ("null", None),
        Payload::Bool(bool) => ("bool", Some(json!(bool))),
        Payload::Number(number) => ("number", Some(encode_number(number.to_f64()))),
        Payload::String(text) => {
            insert_bytes(out, "value", text, true);
            ("string", None)
        }
        Payload::Array(items) => ("array", Some(items.iter().map(encode).collect())),
        Payload::Map(map) => ("map", Some(encode_map(map))),
        Payload::Asset(asset) => {
            insert_bytes(out, "text", &asset.text.clone().unwrap_or_default(), false);
            insert_sources(out, &asset.path, &asset.uri, &asset.hash);
            ("asset", None)
        }
        Payload::Archive(archive) => {
            if let Some(assets) = &archive.assets {
                let member = |(name, member): (&std::sync::Arc<str>, &Member)| {
                    let payload = match member {
                        Member::Asset(asset) => Payload::Asset(asset.clone()),
                        Member::Archive(archive) => Payload::Archive(archive.clone()),
                    };
                    (name.to_string(), encode(&Value::new(payload)))
                };
                out.insert("assets".into(), assets.iter().map(member).collect());
            }
            insert_sources(out, &archive.path, &archive.uri, &archive.hash);
            ("archive", None)
        }
        Payload::Reference(reference) => {
            encode_reference(reference, out);
            ("resourceReference", None)
        }
        Payload::Computed(_) => ("computed", None),
        Payload::Sealed(_) => ("sealed", None),
    };
    out.insert("type".into(), json!(kind));
    if let Some(inner) = inner {
        out.insert("value".into(), inner);
    }
}

/// Canonical encodings by key.
pub(crate) fn encode_map(map: &Map) -> Json {
    let entries = map.iter();
    Json::Object(
        entries
            .map(|(key, value)| (key.to_string(), encode(value)))
            .collect(),
    )
}

fn encode_number(number: f64) -> Json {
    if number.is_nan() {
        json!("NaN")
    } else if number.is_infinite() {
        json!(if number > 0.0 {
            "Infinity"
        } else {
            "-Infinity"
        })
    } else if number == 0.0 && number.is_sign_negative() {
        json!("-0")
    } else {
        json!(number)
    }
}

fn encode_reference(reference: &Reference, out: &mut JsonMap<String, Json>) {
    insert_bytes(out, "urn", &reference.urn, true);
    let id = match &reference.id {
        ReferenceId::None => json!({"type": "null"}),
        ReferenceId::Unknown => json!({"type": "computed"}),
        ReferenceId::Known(id) => encode(&Value::from(id.clone())),
    };
    out.insert("id".into(), id);
    insert_bytes(out, "packageVersion", &reference.package_version, false);
    insert_bytes(out, "name", &reference.name, false);
    insert_bytes(out, "resourceType", &reference.resource_type, false);
}

fn insert_sources(out: &mut JsonMap<String, Json>, path: &Text, uri: &Text, hash: &Text) {
    insert_bytes(out, "path", path, false);
    insert_bytes(out, "uri", uri, false);
    insert_bytes(out, "hash", hash, false);
}

fn insert_bytes(out: &mut JsonMap<String, Json>, key: &str, text: &Text, even_empty: bool) {
    match text.as_str() {
        Some("") if !even_empty => {}
        Some(text) => {
            out.insert(key.into(), json!(text));
        }
        None => {
            let base64 = STANDARD.encode(text.as_bytes());
            out.insert(format!("{key}Base64"), json!(base64));
        }
    }
}

/// The value of plain JSON, read by our own reader.
pub(crate) fn plain(json: &Json) -> Value {
    text::parse(json.to_string().as_bytes(), Numbers::Double)
        .expect("serde_json prints JSON")
        .value
}

/// True if two canonical encodings are identical: equal, with numbers as doubles.
pub(crate) fn same(a: &Json, b: &Json) -> bool {
    match (a, b) {
        (Json::Number(a), Json::Number(b)) => {
            let [a, b] = [a, b].map(|number| number.as_f64().unwrap());
            a.to_bits() == b.to_bits()
        }
        (Json::String(a), Json::Number(b)) | (Json::Number(b), Json::String(a)) => {
            a == "-0" && b.as_f64().unwrap().to_bits() == (-0.0_f64).to_bits()
        }
        (Json::Array(a), Json::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
        }
        (Json::Object(a), Json::Object(b)) => {
            a.len() == b.len()
                && a.iter()
                    .all(|(key, a)| b.get(key).is_some_and(|b| same(a, b)))
        }
        _ => a == b,
    }
}

/// Compares a result with the expected one.
pub(crate) fn expect(want: &Json, got: &Json) -> Result<(), String> {
    if same(want, got) {
        Ok(())
    } else {
        Err(format!("expected {want}, got {got}"))
    }
}
