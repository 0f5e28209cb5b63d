//! Encodes values in the wire form; shared with the stored form.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::{ARCHIVE, ASSET, BYTES, OUTPUT, REDACTED, REFERENCE, SECRET, SIGNATURE, UNKNOWN};
use crate::value::{
    Archive, Array, Asset, Map, Member, Payload, Reference, ReferenceId, Sealed, Text, Value,
};

/// The key of a secret's payload in the wire form.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum SecretKey {
    /// Under `plaintext`, as the specification prints it.
    #[default]
    Plaintext,
    /// Under `value`, as engines and SDKs write it.
    Value,
    /// No key: the payload is left out, as an engine does for displays.
    Masked,
}

/// The canonical wire form of `value`. This reveals secrets unless they are [masked](SecretKey::Masked): the wire is not
/// encrypted.
///
/// A secret without its plaintext has its ciphertext under `ciphertext`, which no decoder of the wire takes for a secret with
/// contents. cty's marks and refinements have no wire form and are left out.
pub fn encode(value: &Value, secret_key: SecretKey) -> Value {
    let key = match secret_key {
        SecretKey::Masked if value.is_secret() => return left_out(REDACTED.into()),
        SecretKey::Plaintext => "plaintext",
        SecretKey::Value | SecretKey::Masked => "value",
    };
    let payload = match value.payload() {
        Payload::Array(items) => encode_array(items, &|item| encode(item, secret_key)),
        Payload::Map(map) => encode_map(map, &|value| encode(value, secret_key)),
        Payload::Reference(reference) => encode_reference(reference, Form::Wire),
        Payload::Sealed(sealed) => return left_out(sealed_text(sealed)),
        payload => encode_leaf(payload),
    };
    if !value.dependencies().is_empty() {
        let urns = value
            .dependencies()
            .iter()
            .map(|urn| Value::from(urn.as_str()));
        let fields = [
            (!value.is_computed()).then_some(("value", payload)),
            value.is_secret().then_some(("secret", Value::from(true))),
            Some(("dependencies", Value::from(urns.collect::<Vec<_>>()))),
        ];
        signed(OUTPUT, fields.into_iter().flatten())
    } else if value.is_secret() {
        signed(SECRET, [(key, payload)])
    } else {
        payload
    }
}

/// A secret without its plaintext. Not part of [`encode`], whose stack frames must be small because values may be deep.
fn left_out(ciphertext: Value) -> Value {
    signed(SECRET, [("ciphertext", ciphertext)])
}

// Loops rather than iterators, which would put ten frames on the stack for each level of a deep value.

pub(super) fn encode_array(items: &Array, encode: &dyn Fn(&Value) -> Value) -> Value {
    let mut encoded = Vec::with_capacity(items.len());
    for item in items {
        encoded.push(encode(item));
    }
    Value::from(encoded)
}

pub(super) fn encode_map(map: &Map, encode: &dyn Fn(&Value) -> Value) -> Value {
    let mut encoded = Vec::with_capacity(map.len());
    for (key, value) in map {
        encoded.push((key.clone(), encode(value)));
    }
    Value::from(encoded.into_iter().collect::<Map>())
}

/// The form to write.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    Wire,
    State,
}

/// The form of a payload without inner values.
pub(super) fn encode_leaf(payload: &Payload) -> Value {
    match payload {
        Payload::Computed(_) => Value::from(UNKNOWN),
        Payload::String(text) if text.as_str().is_none() => signed(
            BYTES,
            [("value", Value::from(STANDARD.encode(text.as_bytes())))],
        ),
        Payload::Asset(asset) => encode_asset(asset),
        Payload::Archive(archive) => encode_archive(archive),
        Payload::Sealed(sealed) => sealed_text(sealed),
        payload => Value::new(payload.clone()),
    }
}

pub(super) fn sealed_text(sealed: &Sealed) -> Value {
    Value::from(match sealed {
        Sealed::Ciphertext(text) => &**text,
        Sealed::Redacted => REDACTED,
    })
}

pub(super) fn encode_reference(reference: &Reference, form: Form) -> Value {
    let id = match &reference.id {
        ReferenceId::None => None,
        ReferenceId::Unknown => Some(Text::default()),
        ReferenceId::Known(id) => Some(id.clone()),
    };
    let version = match form {
        Form::Wire => present("packageVersion", &reference.package_version),
        Form::State => Some(("packageVersion", encode_text(&reference.package_version))),
    };
    let fields = [
        Some(("urn", encode_text(&reference.urn))),
        id.map(|id| ("id", encode_text(&id))),
        version,
        present("name", &reference.name).filter(|_| form == Form::Wire),
        present("type", &reference.resource_type).filter(|_| form == Form::Wire),
    ];
    signed(REFERENCE, fields.into_iter().flatten())
}

fn encode_asset(asset: &Asset) -> Value {
    let text = asset.text.clone().unwrap_or_default();
    let fields = [
        present("hash", &asset.hash),
        present("text", &text),
        present("path", &asset.path),
        present("uri", &asset.uri),
    ];
    signed(ASSET, fields.into_iter().flatten())
}

fn encode_archive(archive: &Archive) -> Value {
    let members = archive.assets.as_ref().map(|assets| {
        let members = assets.iter().map(|(name, member)| {
            let member = match member {
                Member::Asset(asset) => encode_asset(asset),
                Member::Archive(archive) => encode_archive(archive),
            };
            (name.clone(), member)
        });
        ("assets", Value::from(members.collect::<Map>()))
    });
    let fields = [
        present("hash", &archive.hash),
        members,
        present("path", &archive.path),
        present("uri", &archive.uri),
    ];
    signed(ARCHIVE, fields.into_iter().flatten())
}

fn encode_text(text: &Text) -> Value {
    encode_leaf(&Payload::String(text.clone()))
}

fn present(key: &'static str, text: &Text) -> Option<(&'static str, Value)> {
    (!text.as_bytes().is_empty()).then(|| (key, encode_text(text)))
}

/// The map that encodes another kind of value.
pub(super) fn signed<'k>(
    signature: &str,
    fields: impl IntoIterator<Item = (&'k str, Value)>,
) -> Value {
    let signature = (SIGNATURE, Value::from(signature));
    Value::from(std::iter::once(signature).chain(fields).collect::<Map>())
}
