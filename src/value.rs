//! Values: the contents of a property, whichever engine wrote it.
//!
//! A [`Value`] is a [`Payload`] (null, bool, number, string, array, map, asset, archive, resource reference, computed, sealed) with
//! [`Markers`] (secret, dependencies). Pulumi's property values and the cty values of Terraform and OpenTofu both map to it.
//! Whatever a cty type adds to a value (list or set or tuple, map or object, the type of a null) comes from a separate
//! [`Type`](crate::types::Type), never from a second value tree.
//!
//! # Laws
//!
//! 1. **Normal by construction.** Two values of the same meaning have the same representation, so `==` is derived and tests may
//!    compare structurally. Only [`Markers`] compare by hand: the origin of a mask does not count. There is one null: absent
//!    collections convert to it.
//! 2. **Four kinds of nothing.** Null, `{}`, `[]` and an absent key are different. Deleting the last key of a map gives `{}`.
//! 3. **Markers are a set.** Secretness is a flag; dependencies are sorted bytewise and deduplicated. The order and number of
//!    applications never matter. No markers and empty markers are one representation.
//! 4. **Markers sit on one level.** A secret map and a map of secret values are different values.
//! 5. **The payload and the markers are independent.** [`Value::with_payload`] keeps the markers; [`Value::with_secret`] and
//!    [`Value::with_dependencies`] keep the payload, and setting dependencies replaces them. There are two exceptions: a sealed
//!    payload is always secret, and a text with a [cover](Value::with_cover) shows only its other parts as its payload. Marking it
//!    secret takes the cover off.
//! 6. **Secrets do not print.** `Debug` and `Display` of a value show `[secret]` for every secret below it.
//!    [`Value::payload`] is for computing; [`Value::shown`] is for showing, and has no payload for a secret.
//! 7. **Sharing is cheap.** Cloning any value is O(1); setting or deleting below a path copies only the containers on the path.
//!
//! # Equalities
//!
//! All equalities of values in the program. Each has one name and one meaning; use the first one that answers the question.
//!
//! | name | numbers | unknowns | markers | use it for |
//! |---|---|---|---|---|
//! | `==` | IEEE: NaN differs from NaN, -0 equals 0 | equal if their refinements are | part of the value | identity of representation: tests, caches, "is this the value that I have" |
//! | [`same`] | as `==` | equal to null, and to an absent key | ignored | the content of JSON texts: alignment of lists, forms of one value |
//! | [`Value::equals`] with [`Equality::Strict`](crate::pulumi::equality::Equality) | as `==` | equal to each other | part of the value | differences as Pulumi's engine computes them; assets compare by hash, an unknown id of a reference equals any id |
//! | [`Value::equals`] with [`Equality::RelaxComputed`](crate::pulumi::equality::Equality) | as `==` | equal to anything with the same markers | part of the value | a promise of a Pulumi plan against the outcome |
//! | [`raw_equals`](crate::terraform::cty::View::raw_equals) | 512 bits, as cty | equal if type and refinements are | part of the value | Terraform's rules that ask for the very same value: no-op, planned sets |
//! | [`raw_equals_unrefined`](crate::terraform::cty::View::raw_equals_unrefined) | 512 bits | equal if their type is | part of the value | Terraform's rules that compare unknowns without their refinements: valid plans, set elements that come from the prior state |
//! | [`known_equals`](crate::terraform::cty::View::known_equals) | 512 bits | never equal | ignored | cty's `Equals` giving true: elements of sets, compatible outcomes; nulls of all types are equal |
//! | [`value_equal`](crate::terraform::objchange::value_equal) | 512 bits | never equal | counted: as many different marks | the longest common subsequence of Terraform's lists |
//!
//! The cty ones compare a value together with its [`Type`](crate::types::Type); the others need none. Two are private, because
//! they serve one rule each: the older rules of `pulumi::diff` compare an unknown id of a reference as an id, and the audit of a
//! plan without schemas takes a list for a set (`same_in_any_order`). The order of keys in a map counts in none of them.
//!
//! A difference is more than an inequality: [`change::difference`](crate::change::difference) says what to show, and decides
//! with the equality of the engine whose file it shows.
//!
//! # Example
//!
//! ```
//! use stacklens::value::{Map, Value};
//!
//! let password = Value::from("hunter2").with_secret(true);
//! let inputs = Value::from(Map::from_iter([("user", Value::from("admin")), ("password", password)]));
//! assert_eq!(inputs.to_string(), r#"{user: "admin", password: [secret]}"#);
//! ```
//!
//! # Source
//!
//! The property value specification (`property.Value`), and pulumi/pulumi `sdk/go/property` for the corners of equality.

mod array;
mod asset;
pub(crate) mod content;
mod fmt;
mod map;
mod masking;
mod number;
pub mod output;
mod queries;
mod text;
mod unknown;
mod urn;

use std::panic::{RefUnwindSafe, UnwindSafe};
use std::sync::Arc;

pub use array::Array;
pub use asset::{Archive, Asset, Member, Reference, ReferenceId};
pub use content::same;
pub use map::Map;
pub use number::Number;
pub(crate) use number::{Decimal, by_sign};
pub use text::Text;
pub use unknown::{Bound, Refinements};
pub use urn::Urn;

/// A payload with its markers. The laws are those of this [module](self).
#[derive(Clone, PartialEq, Default)]
pub struct Value {
    payload: Payload,
    /// `None` exactly if no marker is set, so that equality can be derived.
    markers: Option<Arc<Markers>>,
}

/// The contents of a value without its markers.
///
/// `Debug` prints the kind only, because a payload does not know whether it is secret.
#[derive(Clone, PartialEq, Default)]
pub enum Payload {
    /// The absence of a value.
    #[default]
    Null,
    /// True or false.
    Bool(bool),
    /// A double or an exact decimal.
    Number(Number),
    /// Bytes that are usually UTF-8.
    String(Text),
    /// A sequence. A cty set is an array in canonical order with a set type.
    Array(Array),
    /// Keys to values, in the order of the file.
    Map(Map),
    /// A blob.
    Asset(Arc<Asset>),
    /// A collection of blobs.
    Archive(Arc<Archive>),
    /// A link to a resource.
    Reference(Arc<Reference>),
    /// Not known yet; `Some` only for cty unknowns with refinements.
    Computed(Option<Arc<Refinements>>),
    /// A secret whose plaintext is not known. Always marked secret.
    Sealed(Sealed),
}

/// The reason why the plaintext of a secret is not known.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Sealed {
    /// The file holds this ciphertext.
    Ciphertext(Arc<str>),
    /// The tool that wrote the file left the value out (`[secret]`).
    Redacted,
}

/// Secretness, dependencies, and the other named marks that a cty value may carry.
#[derive(Clone, Default, Debug)]
pub struct Markers {
    secret: bool,
    /// Only set together with `secret`.
    mirrored: bool,
    /// Only set together with `secret`.
    likely: Option<Likely>,
    /// The text as it is, if the payload shows only the parts of it that are not secret.
    covered: Option<Covered>,
    dependencies: Vec<Urn>,
    labels: Vec<Arc<str>>,
}

/// Equality ignores `mirrored` and `likely`, which say where the mask comes from.
impl PartialEq for Markers {
    fn eq(&self, other: &Self) -> bool {
        self.secret == other.secret
            && self.covered == other.covered
            && self.dependencies == other.dependencies
            && self.labels == other.labels
    }
}

impl Eq for Markers {}

/// Masks the contents of a packed secret by the rules that found it. `None` stands for contents without a secret.
#[derive(Clone)]
pub(crate) struct InnerMask(pub(crate) Arc<InnerFn>);

pub(crate) type InnerFn =
    dyn Fn(&Value) -> Option<Value> + Send + Sync + UnwindSafe + RefUnwindSafe;

impl InnerMask {
    pub(crate) fn masked(&self, contents: &Value) -> Option<Value> {
        (self.0)(contents)
    }
}

impl std::fmt::Debug for InnerMask {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("InnerMask")
    }
}

/// The part of a value that makes it a secret although the file does not mark it.
#[derive(Clone, Debug)]
enum Likely {
    /// A part of what the text holds packed.
    Packed(InnerMask),
    /// The value.
    Whole,
}

/// A text of which the payload shows only some parts. It is never printed.
#[derive(Clone, PartialEq, Eq)]
struct Covered(Text);

impl std::fmt::Debug for Covered {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(LIKELY_SECRET)
    }
}

impl Markers {
    /// True if the value is secret.
    pub fn secret(&self) -> bool {
        self.secret
    }

    /// The resources that the value depends on, sorted bytewise, without repetition.
    pub fn dependencies(&self) -> &[Urn] {
        &self.dependencies
    }

    /// Names of cty marks other than `sensitive`, sorted, without repetition.
    pub fn labels(&self) -> &[Arc<str>] {
        &self.labels
    }

    /// The markers of both.
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        let mut union = self.clone();
        let is_own = |markers: &Self| markers.secret && !markers.mirrored;
        union.secret |= other.secret;
        union.mirrored = union.secret && !is_own(self) && !is_own(other);
        let is_marked = |markers: &Self| markers.secret && markers.likely.is_none();
        let likely = match (&self.likely, &other.likely) {
            (Some(Likely::Whole), _) | (_, Some(Likely::Whole)) => Some(Likely::Whole),
            (own, other) => own.as_ref().or(other.as_ref()).cloned(),
        };
        union.likely = likely.filter(|_| !is_marked(self) && !is_marked(other));
        union
            .dependencies
            .extend(other.dependencies.iter().cloned());
        union.labels.extend(other.labels.iter().cloned());
        union.normalize();
        union
    }

    fn normalize(&mut self) {
        self.dependencies
            .sort_unstable_by(|a, b| a.as_str().cmp(b.as_str()));
        self.dependencies.dedup();
        self.labels.sort_unstable();
        self.labels.dedup();
    }

    fn is_empty(&self) -> bool {
        !self.secret
            && self.covered.is_none()
            && self.dependencies.is_empty()
            && self.labels.is_empty()
    }
}

/// The text in place of a secret that the file marks.
pub const SECRET: &str = "[secret]";

/// The words of Terraform for a value that is not known yet.
pub const KNOWN_AFTER_APPLY: &str = "(known after apply)";

/// The text in place of a text that the file does not mark, and whose form says that it is secret.
pub const LIKELY_SECRET: &str = "[likely secret]";

/// A value as it may be shown: a secret is opaque.
#[derive(Clone, Copy)]
pub enum Shown<'a> {
    /// The value is secret. The text is shown in its place.
    Secret(&'static str),
    /// The value is not secret; values below it may be.
    Plain(&'a Payload),
}

impl Value {
    /// The null value without markers.
    pub const NULL: Self = Self {
        payload: Payload::Null,
        markers: None,
    };

    /// A value of `payload` without markers, except that a sealed payload is always secret.
    pub fn new(payload: Payload) -> Self {
        Self::NULL.with_payload(payload)
    }

    /// An unknown value without refinements.
    pub fn computed() -> Self {
        Self::new(Payload::Computed(None))
    }

    /// The payload, for computing. For a screen, a log, an index or a clipboard use [`Value::shown`].
    pub fn payload(&self) -> &Payload {
        &self.payload
    }

    /// The payload, taken out of the value.
    pub fn into_payload(self) -> Payload {
        self.payload
    }

    /// The value as it may be shown.
    pub fn shown(&self) -> Shown<'_> {
        if self.is_secret() {
            Shown::Secret(self.mask())
        } else {
            Shown::Plain(&self.payload)
        }
    }

    /// The text in place of the value where it is masked: [`LIKELY_SECRET`] or [`SECRET`].
    pub fn mask(&self) -> &'static str {
        if self.is_likely_secret() {
            LIKELY_SECRET
        } else {
            SECRET
        }
    }

    /// The same payload without any marker, and a [covered](Self::is_covered) text as a whole; a sealed payload stays secret. This is the
    /// only way to make a secret showable, called when the person asks to reveal or to copy this value. Markers below stay.
    #[must_use]
    pub fn reveal(&self) -> Self {
        Self::new(self.whole_payload())
    }

    /// The same payload without any marker, for computing. A covered text stays covered.
    pub(crate) fn without_markers(&self) -> Self {
        Self::new(self.payload.clone())
    }

    fn whole_payload(&self) -> Payload {
        let covered = self.markers.as_ref().and_then(|it| it.covered.as_ref());
        match covered {
            Some(Covered(text)) => Payload::String(text.clone()),
            None => self.payload.clone(),
        }
    }

    /// True if the payload shows only some parts of a text: the others are likely secrets.
    pub fn is_covered(&self) -> bool {
        let markers = self.markers.as_ref();
        markers.is_some_and(|markers| markers.covered.is_some())
    }

    /// True if this level is secret, or a part of its text is.
    pub fn is_masked(&self) -> bool {
        self.is_secret() || self.is_covered()
    }

    /// The text `shown` in place of this text, of which some parts are likely secrets. [`Self::reveal`] gives it back. A value that is
    /// secret is unchanged.
    #[must_use]
    pub fn with_cover(self, shown: String) -> Self {
        let Payload::String(text) = self.whole_payload() else {
            return self;
        };
        if self.is_secret() {
            return self;
        }
        let markers = Markers {
            covered: Some(Covered(text)),
            ..self.markers()
        };
        let mut value = self.with_markers(markers);
        value.payload = Payload::String(Text::from(shown));
        value
    }

    /// The same value without its cover: the whole text is in the payload. For values that are masked as a whole.
    fn without_cover(mut self) -> Self {
        if self.is_covered() {
            self.payload = self.whole_payload();
            let markers = Markers {
                covered: None,
                ..self.markers()
            };
            self = self.with_markers(markers);
        }
        self
    }

    /// The same value with all of its strings, at any depth, in memory that is zeroed when the last owner drops it
    /// ([`Text::into_wiped`]). For decrypted secrets. Keys of maps and numbers are not moved.
    #[must_use]
    pub fn into_wiped(mut self) -> Self {
        self.payload = match self.payload {
            Payload::String(text) => Payload::String(text.into_wiped()),
            Payload::Array(items) => Payload::Array(items.map_values(Self::into_wiped)),
            Payload::Map(map) => Payload::Map(map.map_values(Self::into_wiped)),
            Payload::Asset(asset) => Payload::Asset(Asset::into_wiped(asset)),
            Payload::Archive(archive) => Payload::Archive(Archive::into_wiped(archive)),
            payload => payload,
        };
        self
    }

    /// True if this level is secret.
    pub fn is_secret(&self) -> bool {
        self.markers.as_ref().is_some_and(|markers| markers.secret)
    }

    /// True if this level is secret only because the value on the other side of the change is.
    pub fn is_mirrored(&self) -> bool {
        self.markers
            .as_ref()
            .is_some_and(|markers| markers.mirrored)
    }

    /// True if this level is secret because of its form or its name: the file does not mark it.
    pub fn is_likely_secret(&self) -> bool {
        self.markers
            .as_ref()
            .is_some_and(|markers| markers.likely.is_some())
    }

    /// The same value, marked secret because of its form or its name. A value that is secret already is unchanged.
    #[must_use]
    pub fn with_likely_secret(self) -> Self {
        if self.is_secret() {
            return self;
        }
        let value = self.without_cover();
        let markers = Markers {
            secret: true,
            likely: Some(Likely::Whole),
            ..value.markers()
        };
        value.with_markers(markers)
    }

    /// Like [`Value::with_likely_secret`], for a text that is secret because of a part of what it holds packed, as in base64.
    pub(crate) fn with_packed_secret(self, mask: InnerMask) -> Self {
        if self.is_secret() {
            return self;
        }
        let value = self.with_likely_secret();
        let markers = Markers {
            likely: Some(Likely::Packed(mask)),
            ..value.markers()
        };
        value.with_markers(markers)
    }

    /// The text that is secret only because of a part of what it holds packed, without its mask: for unpacking it, whose result is
    /// masked in its turn.
    pub(crate) fn packed_secret(&self) -> Option<Self> {
        self.inner_mask().map(|_| self.without_markers())
    }

    /// The mask of what a [packed secret](Self::packed_secret) holds.
    pub(crate) fn inner_mask(&self) -> Option<&InnerMask> {
        match &self.markers.as_ref()?.likely {
            Some(Likely::Packed(mask)) => Some(mask),
            Some(Likely::Whole) | None => None,
        }
    }

    /// The same value, marked secret because the value on the other side of the change is. A value that is secret itself is
    /// unchanged.
    #[must_use]
    pub fn with_mirrored_secret(self) -> Self {
        if self.is_secret() {
            return self;
        }
        let value = self.without_cover();
        let markers = Markers {
            secret: true,
            mirrored: true,
            ..value.markers()
        };
        value.with_markers(markers)
    }

    /// Like [`Value::with_mirrored_secret`], with the mask of `other`.
    fn with_mirror_of(self, other: &Self) -> Self {
        let was_secret = self.is_secret();
        let mut value = self.with_mirrored_secret();
        if !was_secret && other.is_likely_secret() {
            let markers = Markers {
                likely: other.markers().likely,
                ..value.markers()
            };
            value = value.with_markers(markers);
        }
        value
    }

    /// The resources that this level depends on.
    pub fn dependencies(&self) -> &[Urn] {
        self.markers
            .as_ref()
            .map_or(&[], |markers| &markers.dependencies)
    }

    /// True if both have the same markers at this level.
    pub(crate) fn has_markers_of(&self, other: &Self) -> bool {
        self.markers == other.markers
    }

    /// The markers of this level; empty ones if there are none.
    pub fn markers(&self) -> Markers {
        self.markers.as_deref().cloned().unwrap_or_default()
    }

    /// True if this level has any marker.
    pub fn is_marked(&self) -> bool {
        self.markers.is_some()
    }

    /// The same value with its secretness set.
    #[must_use]
    pub fn with_secret(mut self, secret: bool) -> Self {
        if secret {
            self = self.without_cover();
        }
        if secret != self.is_secret() {
            let mut markers = self.markers();
            markers.secret = secret;
            markers.mirrored &= secret;
            markers.likely = markers.likely.filter(|_| secret);
            self = self.with_markers(markers);
        }
        self
    }

    /// The same value with its dependencies replaced.
    #[must_use]
    pub fn with_dependencies(self, dependencies: impl IntoIterator<Item = Urn>) -> Self {
        let markers = Markers {
            dependencies: dependencies.into_iter().collect(),
            ..self.markers()
        };
        self.with_markers(markers)
    }

    /// The same value with its other cty marks replaced.
    #[must_use]
    pub fn with_labels<L: Into<Arc<str>>>(self, labels: impl IntoIterator<Item = L>) -> Self {
        let markers = Markers {
            labels: labels.into_iter().map(Into::into).collect(),
            ..self.markers()
        };
        self.with_markers(markers)
    }

    /// The same payload with `markers` instead of its markers.
    #[must_use]
    pub fn with_markers(mut self, mut markers: Markers) -> Self {
        markers.secret |= matches!(self.payload, Payload::Sealed(_));
        markers.normalize();
        self.markers = (!markers.is_empty()).then(|| Arc::new(markers));
        self
    }

    /// The same markers with another payload.
    #[must_use]
    pub fn with_payload(mut self, payload: Payload) -> Self {
        let is_sealed = matches!(payload, Payload::Sealed(_));
        self.payload = payload;
        if is_sealed {
            self.with_secret(true)
        } else {
            self
        }
    }

    /// True if the payload is null, marked or not.
    pub fn is_null(&self) -> bool {
        matches!(self.payload, Payload::Null)
    }

    /// True if the payload is unknown.
    pub fn is_computed(&self) -> bool {
        matches!(self.payload, Payload::Computed(_))
    }

    /// The map, if the payload is one.
    pub fn as_map(&self) -> Option<&Map> {
        if let Payload::Map(map) = &self.payload {
            Some(map)
        } else {
            None
        }
    }

    /// The array, if the payload is one.
    pub fn as_array(&self) -> Option<&Array> {
        if let Payload::Array(array) = &self.payload {
            Some(array)
        } else {
            None
        }
    }

    /// The string, if the payload is one and it is UTF-8.
    pub fn as_str(&self) -> Option<&str> {
        if let Payload::String(text) = &self.payload {
            text.as_str()
        } else {
            None
        }
    }

    /// The bool, if the payload is one.
    pub fn as_bool(&self) -> Option<bool> {
        if let Payload::Bool(bool) = self.payload {
            Some(bool)
        } else {
            None
        }
    }

    /// The number, if the payload is one.
    pub fn as_number(&self) -> Option<&Number> {
        if let Payload::Number(number) = &self.payload {
            Some(number)
        } else {
            None
        }
    }

    /// The value of `key`, if the payload is a map that has it.
    pub fn get(&self, key: &str) -> Option<&Self> {
        self.as_map()?.get(key)
    }
}

impl From<bool> for Value {
    fn from(bool: bool) -> Self {
        Self::new(Payload::Bool(bool))
    }
}

impl From<Number> for Value {
    fn from(number: Number) -> Self {
        Self::new(Payload::Number(number))
    }
}

impl From<f64> for Value {
    fn from(double: f64) -> Self {
        Self::from(Number::from(double))
    }
}

impl From<Text> for Value {
    fn from(text: Text) -> Self {
        Self::new(Payload::String(text))
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::from(Text::from(text))
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Self::from(Text::from(text))
    }
}

impl From<Array> for Value {
    fn from(array: Array) -> Self {
        Self::new(Payload::Array(array))
    }
}

impl From<Vec<Self>> for Value {
    fn from(items: Vec<Self>) -> Self {
        Self::from(Array::from(items))
    }
}

impl From<Map> for Value {
    fn from(map: Map) -> Self {
        Self::new(Payload::Map(map))
    }
}

/// Absence is null: the only conversion from "nothing" to a value.
impl<T: Into<Self>> From<Option<T>> for Value {
    fn from(option: Option<T>) -> Self {
        option.map_or(Self::NULL, Into::into)
    }
}

#[cfg(test)]
mod tests;
