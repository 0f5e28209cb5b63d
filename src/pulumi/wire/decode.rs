//! Decodes the wire form; shared with the stored form.

use std::sync::Arc;

use base64::Engine as _;
use base64::alphabet;
use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig};
use indexmap::IndexMap;

use super::state::{Opened, StateRules};
use super::{ARCHIVE, ASSET, BYTES, DecodeError, FLOAT, OUTPUT, REFERENCE, SECRET, SIGNATURE};
use super::{UNKNOWN, UNKNOWNS, has_signature, kind, may_be_signed};
use crate::json::{self, MAX_DEPTH, Numbers};
use crate::path::Segment;
use crate::pulumi::urn::{self, Urn};
use crate::value::{
    Archive, Array, Asset, Map, Member, Number, Payload, Reference, ReferenceId, Sealed, Text,
    Value,
};

/// Decodes a wire form. See the [module](super) for the rules.
///
/// A value in `wire` that is already decoded (an asset, a secret) stays as it is.
///
/// # Errors
///
/// On an unknown signature, on a field of the wrong kind, and below [`MAX_DEPTH`] levels.
pub fn decode(wire: &Value) -> Result<Value, DecodeError> {
    Decoder { rules: Rules::Wire }
        .node(wire, 0)
        .map(|decoded| decoded.value)
}

/// Standard base64 as Go reads it: padded, and with any values in the unused bits before the padding.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &alphabet::STANDARD,
    GeneralPurposeConfig::new().with_decode_allow_trailing_bits(true),
);

/// The form to read.
pub(super) enum Rules<'r> {
    Wire,
    State(StateRules<'r>),
}

pub(super) struct Decoder<'r> {
    pub(super) rules: Rules<'r>,
}

/// A value and its wrapper. A field that needs a string does not accept a wrapped one.
pub(super) struct Decoded {
    pub(super) value: Value,
    wrapper: Wrapper,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Wrapper {
    None,
    Secret,
    Output {
        known: bool,
        /// True if the value inside the output is not wrapped again.
        bare: bool,
    },
}

impl From<Value> for Decoded {
    fn from(value: Value) -> Self {
        Self {
            value,
            wrapper: Wrapper::None,
        }
    }
}

impl Decoded {
    pub(super) fn secret(inner: Value) -> Self {
        Self {
            value: inner.with_secret(true),
            wrapper: Wrapper::Secret,
        }
    }

    fn kind(&self) -> &'static str {
        match self.wrapper {
            Wrapper::None => kind(&self.value),
            Wrapper::Secret => "a secret",
            Wrapper::Output { .. } => "an output",
        }
    }

    fn bare(&self) -> Option<&Payload> {
        (self.wrapper == Wrapper::None && !self.value.is_marked()).then(|| self.value.payload())
    }
}

impl Decoder<'_> {
    pub(super) fn node(&mut self, form: &Value, depth: usize) -> Result<Decoded, DecodeError> {
        if depth > MAX_DEPTH {
            return Err(DecodeError::new("at most 1,000 levels of nesting", "more"));
        }
        if form.is_marked() {
            return Ok(form.clone().into());
        }
        // A separate function for each kind of container keeps the stack frames small.
        match form.payload() {
            Payload::Array(items) => self.array(items, depth),
            Payload::Map(map) => self.map(map, depth),
            payload => Ok(self.leaf(form, payload, depth)),
        }
    }

    fn leaf(&mut self, form: &Value, payload: &Payload, depth: usize) -> Decoded {
        match payload {
            Payload::String(text) if self.is_unknown(text) => Value::computed().into(),
            Payload::String(text) if self.hides_secret(text, depth) => {
                Decoded::secret(form.clone())
            }
            Payload::Number(number) => Value::from(Number::from(number.to_f64())).into(),
            _ => form.clone().into(),
        }
    }

    /// True if the text may contain the form of a secret: providers keep structured arguments as JSON in a string. That
    /// includes a text with the signature that is not JSON.
    fn hides_secret(&mut self, text: &Text, depth: usize) -> bool {
        if !self.is_lenient() || !may_be_signed(text.as_bytes()) {
            return false;
        }
        let Ok(form) = json::parse(text.as_bytes(), Numbers::Double) else {
            return has_signature(text.as_bytes());
        };
        let inner = self.node(&form.value, depth + 1);
        inner.map_or(true, |inner| inner.value.has_secrets())
    }

    fn is_stored(&self) -> bool {
        matches!(self.rules, Rules::State(_))
    }

    fn is_lenient(&self) -> bool {
        matches!(&self.rules, Rules::State(rules) if rules.is_lenient)
    }

    fn array(&mut self, items: &Array, depth: usize) -> Result<Decoded, DecodeError> {
        let mut decoded = Vec::with_capacity(items.len());
        for (index, item) in items.iter().enumerate() {
            let item = self.child(item, depth, || index.into())?;
            decoded.push(item.value);
        }
        let is_same = decoded
            .iter()
            .zip(items)
            .all(|(one, other)| one.is_shared_with(other));
        // An array that occurs twice in the file stays one in memory.
        let decoded = if is_same {
            Value::from(items.clone())
        } else {
            Value::from(decoded)
        };
        Ok(decoded.into())
    }

    fn map(&mut self, map: &Map, depth: usize) -> Result<Decoded, DecodeError> {
        match map.get(SIGNATURE) {
            None => self.plain_map(map, depth),
            Some(signature) if self.is_stored() && signature.as_str() == Some(SECRET) => {
                let decoded = self.stored_secret(map, depth);
                self.or_hidden(decoded, || Value::new(Payload::Sealed(sealed(map))))
            }
            Some(signature) => self.signed_map(map, signature, depth),
        }
    }

    fn signed_map(
        &mut self,
        map: &Map,
        signature: &Value,
        depth: usize,
    ) -> Result<Decoded, DecodeError> {
        match self.fields(map, signature, depth) {
            Ok(fields) => {
                let decoded = self.meaning(&fields, signature);
                self.or_hidden(decoded, || fields.into_value())
            }
            Err(error) => {
                self.or_hidden(Err(error), || Value::new(Payload::Sealed(Sealed::Redacted)))
            }
        }
    }

    /// A form that cannot be decoded may be a secret. A lenient decoder makes it one, with the `rest` inside.
    fn or_hidden(
        &self,
        decoded: Result<Decoded, DecodeError>,
        rest: impl FnOnce() -> Value,
    ) -> Result<Decoded, DecodeError> {
        match decoded {
            Err(_) if self.is_lenient() => Ok(Decoded::secret(rest())),
            decoded => decoded,
        }
    }

    /// Decodes the form one level down, and puts that level into the path of an error.
    fn child(
        &mut self,
        form: &Value,
        depth: usize,
        segment: impl Fn() -> Segment,
    ) -> Result<Decoded, DecodeError> {
        self.node(form, depth + 1)
            .map_err(|error| error.below(segment()))
    }

    fn is_unknown(&self, text: &Text) -> bool {
        let bytes = text.as_bytes();
        bytes.len() == UNKNOWN.len()
            && match self.rules {
                Rules::Wire => UNKNOWNS.iter().any(|unknown| unknown.as_bytes() == bytes),
                Rules::State(_) => bytes == UNKNOWN.as_bytes(),
            }
    }

    fn plain_map(&mut self, map: &Map, depth: usize) -> Result<Decoded, DecodeError> {
        let mut decoded = Vec::with_capacity(map.len());
        for (key, value) in map {
            let value = self.child(value, depth, || (&**key).into())?;
            decoded.push((key.clone(), value.value));
        }
        let is_same = decoded
            .iter()
            .zip(map.values())
            .all(|((_, one), other)| one.is_shared_with(other));
        let map = if is_same {
            map.clone()
        } else {
            decoded.into_iter().collect()
        };
        Ok(Value::from(map).into())
    }

    fn stored_secret(&mut self, map: &Map, depth: usize) -> Result<Decoded, DecodeError> {
        let opened = match &self.rules {
            Rules::State(rules) => rules.open(map)?,
            Rules::Wire => Opened::Sealed(sealed(map)),
        };
        let (form, rules) = match opened {
            Opened::Sealed(sealed) => {
                return Ok(Decoded::secret(Value::new(Payload::Sealed(sealed))));
            }
            Opened::Form(form, rules) => (form, rules),
        };
        let mut inner = Decoder {
            rules: Rules::State(rules),
        };
        let decoded = inner.node(&form.into_wiped(), depth + 1)?;
        Ok(Decoded::secret(decoded.value.into_wiped()))
    }

    /// The value of a map with this signature.
    fn meaning(&self, fields: &Fields, signature: &Value) -> Result<Decoded, DecodeError> {
        let Some(Payload::String(text)) = fields.get(SIGNATURE).and_then(Decoded::bare) else {
            return Err(DecodeError::new("a known signature", kind(signature)).below(SIGNATURE));
        };
        let is_wire = matches!(self.rules, Rules::Wire);
        match (text.as_str(), is_wire) {
            (Some(SECRET), true) => {
                let payload = fields.get("value").or_else(|| fields.get("plaintext"));
                let payload = payload.ok_or_else(|| DecodeError::new("a value", "nothing"))?;
                Ok(Decoded::secret(payload.value.clone()))
            }
            (Some(OUTPUT), true) => output(fields),
            (Some(REFERENCE), _) => reference(fields, is_wire).map(Decoded::from),
            (Some(ASSET), _) => asset(fields).map(Decoded::from),
            (Some(ARCHIVE), _) => archive(fields).map(Decoded::from),
            (Some(BYTES), _) => bytes(fields).map(Decoded::from),
            (Some(FLOAT), false) => float(fields).map(Decoded::from),
            _ => Err(DecodeError::new("a known signature", "another string").below(SIGNATURE)),
        }
    }

    fn fields(
        &mut self,
        map: &Map,
        signature: &Value,
        depth: usize,
    ) -> Result<Fields, DecodeError> {
        let is_archive = signature.as_str() == Some(ARCHIVE);
        let mut fields = Fields {
            fields: IndexMap::with_capacity(map.len()),
            members: None,
        };
        for (key, value) in map {
            let forms = plain_entries(value).filter(|_| is_archive && **key == *ASSETS);
            if let Some(forms) = forms {
                fields.members = Some(self.members(forms, depth + 1)?);
            } else {
                let field = self.child(value, depth, || (&**key).into())?;
                fields.fields.insert(key.clone(), field);
            }
        }
        Ok(fields)
    }

    /// The members of an archive. A map of values would lose the wrappers of its values.
    fn members(&mut self, forms: &Map, depth: usize) -> Result<Entries, DecodeError> {
        let mut members = Entries::with_capacity(forms.len());
        for (name, form) in forms {
            let member = self
                .child(form, depth, || (&**name).into())
                .map_err(|error| error.below(ASSETS))?;
            members.insert(name.clone(), member);
        }
        Ok(members)
    }
}

/// The field of an archive that holds its members.
const ASSETS: &str = "assets";

/// The entries of a map without a signature.
fn plain_entries(form: &Value) -> Option<&Map> {
    let map = form.as_map().filter(|_| !form.is_marked())?;
    (!map.contains_key(SIGNATURE)).then_some(map)
}

/// The ciphertext of a stored secret, if it has one.
fn sealed(map: &Map) -> Sealed {
    let ciphertext = map.get("ciphertext").and_then(Value::as_str);
    ciphertext.map_or(Sealed::Redacted, |text| Sealed::Ciphertext(text.into()))
}

type Entries = IndexMap<Arc<str>, Decoded>;

/// The decoded fields of a map with a signature.
struct Fields {
    fields: Entries,
    /// The members of an archive, if these are a plain map. They are then not among the fields.
    members: Option<Entries>,
}

impl Fields {
    fn get(&self, key: &str) -> Option<&Decoded> {
        self.fields.get(key)
    }

    /// The fields as a map of values.
    fn into_value(self) -> Value {
        let values = |entries: Entries| {
            let entries = entries.into_iter();
            entries
                .map(|(key, entry)| (key, entry.value))
                .collect::<Map>()
        };
        let map = values(self.fields);
        Value::from(match self.members {
            Some(members) => map.set(ASSETS, Value::from(values(members))),
            None => map,
        })
    }

    /// A string that may be absent.
    fn find_text(&self, key: &'static str) -> Result<Option<Text>, DecodeError> {
        let Some(field) = self.get(key) else {
            return Ok(None);
        };
        match field.bare() {
            Some(Payload::String(text)) => Ok(Some(text.clone())),
            _ => Err(DecodeError::new("a string", field.kind()).below(key)),
        }
    }

    /// A string that is "" where it is absent.
    fn text(&self, key: &'static str) -> Result<Text, DecodeError> {
        self.find_text(key).map(Option::unwrap_or_default)
    }

    /// A string that must be there.
    fn required_text(&self, key: &'static str) -> Result<Text, DecodeError> {
        self.find_text(key)?
            .ok_or_else(|| DecodeError::new("a string", "nothing").below(key))
    }
}

/// An archive of the first of path, URL and members that is not empty. If all are empty, it has no members.
fn archive(fields: &Fields) -> Result<Value, DecodeError> {
    let mut archive = Archive {
        hash: fields.text("hash")?,
        path: fields.text("path")?,
        ..Archive::default()
    };
    if archive.path.as_bytes().is_empty() {
        archive.uri = fields.text("uri")?;
        if archive.uri.as_bytes().is_empty() {
            archive.assets = Some(members(fields)?);
        }
    }
    Ok(Value::new(Payload::Archive(archive.into())))
}

fn members(fields: &Fields) -> Result<IndexMap<Arc<str>, Member>, DecodeError> {
    if let Some(assets) = fields.get(ASSETS) {
        return Err(DecodeError::new("a map of members", assets.kind()).below(ASSETS));
    }
    let mut members = IndexMap::new();
    for (name, member) in fields.members.iter().flatten() {
        let member = match member.bare() {
            Some(Payload::Asset(asset)) => Member::Asset(asset.clone()),
            Some(Payload::Archive(archive)) => Member::Archive(archive.clone()),
            _ => {
                return Err(DecodeError::new("an asset or archive", member.kind())
                    .below(&**name)
                    .below(ASSETS));
            }
        };
        members.insert(name.clone(), member);
    }
    Ok(members)
}

fn output(fields: &Fields) -> Result<Decoded, DecodeError> {
    let secret = match fields.get("secret").map(|field| (field.bare(), field)) {
        None => false,
        Some((Some(Payload::Bool(secret)), _)) => *secret,
        Some((_, field)) => {
            return Err(DecodeError::new("a bool", field.kind()).below("secret"));
        }
    };
    let dependencies = dependencies(fields)?;
    let inner = fields.get("value");
    let value = inner.map_or_else(Value::computed, |inner| inner.value.clone());
    let secret = secret || value.is_secret();
    Ok(Decoded {
        value: value.with_secret(secret).with_dependencies(dependencies),
        wrapper: Wrapper::Output {
            known: inner.is_some(),
            bare: inner.is_some_and(|inner| inner.bare().is_some()),
        },
    })
}

fn dependencies(fields: &Fields) -> Result<Vec<Urn>, DecodeError> {
    let Some(field) = fields.get("dependencies") else {
        return Ok(Vec::new());
    };
    let Some(Payload::Array(items)) = field.bare() else {
        return Err(DecodeError::new("an array", field.kind()).below("dependencies"));
    };
    let urn = |(index, item): (usize, &Value)| match item.as_str() {
        Some(urn) if !item.is_marked() => Ok(Urn::from(urn)),
        _ => Err(DecodeError::new("a string", kind(item))
            .below(index)
            .below("dependencies")),
    };
    items.iter().enumerate().map(urn).collect()
}

fn reference(fields: &Fields, is_wire: bool) -> Result<Value, DecodeError> {
    let urn = fields.required_text("urn")?;
    let mut reference = Reference {
        id: if is_wire {
            wire_id(fields)
        } else {
            state_id(fields)
        }?,
        package_version: fields.text("packageVersion")?,
        name: Text::default(),
        resource_type: Text::default(),
        urn,
    };
    if is_wire {
        reference.name = fields.text("name")?;
        reference.resource_type = fields.text("type")?;
    }
    if let Some(parts) = reference.urn.as_str().and_then(urn::parts) {
        if reference.name.as_bytes().is_empty() {
            reference.name = parts.name.into();
        }
        if reference.resource_type.as_bytes().is_empty() {
            reference.resource_type = parts.ty().into();
        }
    }
    Ok(Value::new(Payload::Reference(reference.into())))
}

/// A known id, or an unknown one where the text is empty.
fn id_of(text: &Text) -> ReferenceId {
    if text.as_bytes().is_empty() {
        ReferenceId::Unknown
    } else {
        ReferenceId::Known(text.clone())
    }
}

fn wire_id(fields: &Fields) -> Result<ReferenceId, DecodeError> {
    let Some(field) = fields.get("id") else {
        return Ok(ReferenceId::None);
    };
    match (field.wrapper, field.value.payload()) {
        (Wrapper::Output { known: false, .. }, _) | (Wrapper::None, Payload::Computed(_)) => {
            Ok(ReferenceId::Unknown)
        }
        (Wrapper::None | Wrapper::Output { bare: true, .. }, Payload::String(id)) => Ok(id_of(id)),
        _ => Err(DecodeError::new("a string", field.kind()).below("id")),
    }
}

/// State files of 2021 have the id as `{"V": …}`: null, a string, or a map for an unknown one.
fn state_id(fields: &Fields) -> Result<ReferenceId, DecodeError> {
    let Some(field) = fields.get("id") else {
        return Ok(ReferenceId::None);
    };
    let wrong = || DecodeError::new("a string", field.kind()).below("id");
    match field.bare().ok_or_else(wrong)? {
        Payload::String(id) => Ok(id_of(id)),
        Payload::Map(map) => match map.get("V").map(Value::payload) {
            None | Some(Payload::Null) => Ok(ReferenceId::None),
            Some(Payload::String(id)) => Ok(id_of(id)),
            Some(Payload::Map(_)) => Ok(ReferenceId::Unknown),
            Some(_) => Err(wrong()),
        },
        _ => Err(wrong()),
    }
}

fn asset(fields: &Fields) -> Result<Value, DecodeError> {
    let text = fields.text("text")?;
    let asset = Asset {
        text: (!text.as_bytes().is_empty()).then_some(text),
        path: fields.text("path")?,
        uri: fields.text("uri")?,
        hash: fields.text("hash")?,
    };
    Ok(Value::new(Payload::Asset(asset.into())))
}

fn bytes(fields: &Fields) -> Result<Value, DecodeError> {
    let text = fields.required_text("value")?;
    // Go skips line breaks too.
    let mut digits = text.as_bytes().to_vec();
    digits.retain(|byte| !matches!(byte, b'\r' | b'\n'));
    match BASE64.decode(digits) {
        Ok(bytes) => Ok(Value::from(Text::from(bytes))),
        Err(_) => Err(DecodeError::new("base64", "another string").below("value")),
    }
}

fn float(fields: &Fields) -> Result<Value, DecodeError> {
    let text = fields.required_text("value")?;
    let digits = text
        .as_str()
        .filter(|text| text.bytes().all(|byte| byte.is_ascii_hexdigit()));
    match digits.and_then(|digits| u64::from_str_radix(digits, 16).ok()) {
        Some(bits) => Ok(Value::from(f64::from_bits(bits))),
        None => Err(DecodeError::new("16 hexadecimal digits", "another string").below("value")),
    }
}
