//! Generated test files that are not texts: plan files, and files that are packed or in another encoding.

use std::io::Write;

use rmp::encode;
use serde_json::Value;
use stacklens::load::{self, Document, Input};
use zip::write::SimpleFileOptions;

/// A field of a protobuf message that holds bytes: a text, or another message.
fn field(number: u8, bytes: &[u8]) -> Vec<u8> {
    assert!(number < 16, "one byte of a tag");
    let (mut out, mut length) = (vec![number << 3 | 2], bytes.len());
    while length >= 0x80 {
        out.push(u8::try_from(length & 0x7f | 0x80).unwrap());
        length >>= 7;
    }
    out.push(u8::try_from(length).unwrap());
    out.extend_from_slice(bytes);
    out
}

/// A resource that is created with these attributes, in msgpack. `secret` decides whether its attribute `secret` is sensitive.
fn creation(address: &str, msgpack: &[u8], secret: bool) -> Vec<u8> {
    let mut change = [&[0x08, 1][..], &field(2, &field(1, msgpack))].concat();
    if secret {
        let step = field(1, b"secret");
        change.extend(field(4, &field(1, &step)));
    }
    let provider = br#"provider["registry.terraform.io/hashicorp/a"]"#;
    [
        field(13, address.as_bytes()),
        field(8, provider),
        field(9, &change),
    ]
    .concat()
}

/// A plan file: two resources of one type, one of which marks `secret` as sensitive, and a configuration.
pub(crate) fn plan_file() -> Vec<u8> {
    let first = creation(
        "a_b.first",
        b"\x82\xa2id\xd4\x00\x00\xa6secret\xa6squid!",
        true,
    );
    let second = creation("a_b.second", b"\x82\xa2id\xa1x\xa6secret\xa6kraken", false);
    let plan = [
        &[0x08, 3][..],
        &field(
            2,
            &[
                field(1, b"size"),
                field(2, &field(1, b"\x92\xc4\x08\"number\"\x05")),
            ]
            .concat(),
        ),
        &field(
            2,
            &[
                field(1, b"token"),
                field(2, &field(1, b"\x92\xc4\x08\"string\"\xa5hydra")),
            ]
            .concat(),
        ),
        &field(3, &second),
        &field(3, &first),
        &field(14, b"1.9.0"),
    ]
    .concat();
    let config = "variable \"size\" {}\nvariable \"token\" {\n  sensitive = true\n}\n\
        resource \"a_b\" \"first\" {\n  secret = \"squid!\"\n}\n\
        resource \"a_b\" \"second\" {\n  secret = a_b.first.secret\n}\n";
    archive(&[
        ("tfplan", &plan),
        ("tfconfig/m-/main.tf", config.as_bytes()),
    ])
}

/// A plan file of `address`, whose argument `secret` is sensitive. The archive contains `files`: configuration files and any
/// others.
pub(crate) fn configured_plan(address: &str, files: &[(&str, &str)]) -> Vec<u8> {
    let attributes = b"\x82\xa2id\xd4\x00\x00\xa6secret\xa6squid!";
    let plan = [
        &[0x08, 3][..],
        &field(3, &creation(address, attributes, true)),
        &field(14, b"1.9.0"),
    ]
    .concat();
    let mut entries = vec![("tfplan", plan.as_slice())];
    entries.extend(files.iter().map(|(name, text)| (*name, text.as_bytes())));
    archive(&entries)
}

/// A plan file whose resource has a provider of `registry`, and with a lock of a provider of `locked`.
pub(crate) fn plan_file_of(registry: &str, locked: &str) -> Vec<u8> {
    let mut change = creation("a_b.first", b"\x81\xa2id\xa1x", false);
    // The lengths in the message stay valid, since the names are equally long.
    let mut places = change.windows(registry.len());
    let at = places.position(|place| place == b"registry.terraform.io");
    let at = at.expect("the provider is named");
    change[at..at + registry.len()].copy_from_slice(registry.as_bytes());
    let plan = [&[0x08, 3][..], &field(3, &change), &field(14, b"1.9.0")].concat();
    let lock = format!("provider \"{locked}/hashicorp/a\" {{\n  version = \"1.0.0\"\n}}\n");
    archive(&[("tfplan", &plan), (".terraform.lock.hcl", lock.as_bytes())])
}

fn archive(entries: &[(&str, &[u8])]) -> Vec<u8> {
    let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, contents) in entries {
        archive
            .start_file(*name, SimpleFileOptions::default())
            .unwrap();
        archive.write_all(contents).unwrap();
    }
    archive.finish().unwrap().into_inner()
}

/// A plan file of two resources. The values of the first one end in the middle, and the second one is whole.
pub(crate) fn undecodable_plan_file() -> Vec<u8> {
    let broken = creation("a_b.first", b"\x82\xa2id\xa1x\xa4size", false);
    let whole = creation("a_b.second", b"\x81\xa2id\xa1y", false);
    let plan = [
        &[0x08, 3][..],
        &field(3, &broken),
        &field(3, &whole),
        &field(14, b"1.9.0"),
    ];
    plan_file_with(&plan.concat())
}

/// The plan file for a plan in JSON that changes nothing.
pub(crate) fn unchanged_plan_file(plan: &Value) -> Vec<u8> {
    let changes = plan["resource_changes"].as_array().expect("changes");
    let resource = |change: &Value| {
        let text = |key: &str| change[key].as_str().unwrap_or_default();
        let provider = format!("provider[\"{}\"]", text("provider_name"));
        let values = unchanged(&change["change"]);
        field(
            3,
            &[
                field(13, text("address").as_bytes()),
                field(7, text("deposed").as_bytes()),
                field(8, provider.as_bytes()),
                field(9, &values),
            ]
            .concat(),
        )
    };
    let outputs = plan["output_changes"].as_object().expect("outputs");
    let output = |(name, change): (&String, &Value)| {
        let is_sensitive = u8::from(change["after_sensitive"] == true);
        field(
            4,
            &[
                &field(1, name.as_bytes())[..],
                &field(2, &unchanged(change)),
                &[3 << 3, is_sensitive],
            ]
            .concat(),
        )
    };
    let plan: Vec<u8> = [vec![0x08, 3], field(14, b"1.9.0")]
        .into_iter()
        .chain(changes.iter().map(resource))
        .chain(outputs.iter().map(output))
        .flatten()
        .collect();
    plan_file_with(&plan)
}

/// The message of a change that changes nothing.
fn unchanged(change: &Value) -> Vec<u8> {
    let mut value = Vec::new();
    pack(&change["after"], &mut value);
    let mut message = field(2, &field(1, &value));
    for (name, mask) in change["after_sensitive"].as_object().into_iter().flatten() {
        if mask == true {
            let path = field(1, &field(1, name.as_bytes()));
            message.extend([field(3, &path), field(4, &path)].concat());
        }
    }
    message
}

/// Writes a value as msgpack. Memory takes every byte.
fn pack(value: &Value, out: &mut Vec<u8>) {
    let length = |n: usize| u32::try_from(n).expect("a small value");
    match value {
        Value::Null => _ = encode::write_nil(out),
        Value::Bool(value) => _ = encode::write_bool(out, *value),
        Value::Number(number) => {
            _ = encode::write_sint(out, number.as_i64().expect("an integer"));
        }
        Value::String(text) => _ = encode::write_str(out, text),
        Value::Array(items) => {
            _ = encode::write_array_len(out, length(items.len()));
            for item in items {
                pack(item, out);
            }
        }
        Value::Object(map) => {
            _ = encode::write_map_len(out, length(map.len()));
            for (key, value) in map {
                _ = encode::write_str(out, key);
                pack(value, out);
            }
        }
    }
}

/// A plan file with these bytes as the plan.
pub(crate) fn plan_file_with(plan: &[u8]) -> Vec<u8> {
    archive(&[("tfplan", plan)])
}

/// `text` in all supported packings and encodings, by name.
pub(crate) fn packed(text: &str) -> Vec<(&'static str, Vec<u8>)> {
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(text.as_bytes()).unwrap();
    let utf16 = |bom: [u8; 2], bytes: fn(u16) -> [u8; 2]| -> Vec<u8> {
        bom.into_iter()
            .chain(text.encode_utf16().flat_map(bytes))
            .collect()
    };
    vec![
        ("gzip", gzip.finish().unwrap()),
        ("zstd", zstd::encode_all(text.as_bytes(), 1).unwrap()),
        ("utf16le", utf16([0xff, 0xfe], u16::to_le_bytes)),
        ("utf16be", utf16([0xfe, 0xff], u16::to_be_bytes)),
        ("bom", [b"\xef\xbb\xbf", text.as_bytes()].concat()),
    ]
}

pub(crate) fn open(name: &str, bytes: impl Into<Vec<u8>>) -> Document {
    let input = Input::bytes(name, bytes.into());
    load::load(&input).unwrap_or_else(|error| panic!("{error}"))
}
