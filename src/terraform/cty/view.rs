//! Walking a typed value.

use std::collections::BTreeSet;
use std::sync::{Arc, LazyLock};

use crate::types::Type;
use crate::value::{Markers, Payload, Value};

use super::Typed;

static DYNAMIC: Type = Type::Dynamic;
static NULL: Value = Value::NULL;
static UNKNOWN: LazyLock<Value> = LazyLock::new(Value::computed);

/// A typed value, borrowed. The parts of a null are null and the parts of an unknown are unknown, each with its type.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    /// The type.
    pub ty: &'a Type,
    /// The value.
    pub value: &'a Value,
}

impl<'a> View<'a> {
    /// The null value of a type.
    pub fn null(ty: &'a Type) -> Self {
        Self { ty, value: &NULL }
    }

    /// The unknown value of a type.
    pub fn unknown(ty: &'a Type) -> Self {
        Self {
            ty,
            value: &UNKNOWN,
        }
    }

    /// True if the value is null.
    pub fn is_null(self) -> bool {
        self.value.is_null()
    }

    /// True if the value is known at this level. Null is known.
    pub fn is_known(self) -> bool {
        !self.value.is_computed()
    }

    /// True if the value is a collection or a structure whose elements can be iterated.
    pub fn has_elements(self) -> bool {
        matches!(self.value.payload(), Payload::Array(_) | Payload::Map(_))
    }

    /// Number of elements; `None` unless the value is a known collection or structure.
    pub fn len(self) -> Option<usize> {
        match self.value.payload() {
            Payload::Array(array) => Some(array.len()),
            Payload::Map(map) => Some(map.len()),
            _ => None,
        }
    }

    /// Number of elements by the type or the value: the type of a tuple or an object says it for null and unknown values too.
    /// `None` if neither does.
    pub fn count(self) -> Option<usize> {
        match self.ty {
            Type::Tuple(elements) => Some(elements.len()),
            Type::Object(object) => Some(object.attributes.len()),
            _ => self.len(),
        }
    }

    /// The elements of a list or tuple, in order: those of an unknown tuple are unknown. Empty for other unknowns and for null.
    pub fn elements(self) -> Vec<Self> {
        match self.ty {
            Type::Tuple(elements) if !self.is_known() => {
                elements.iter().map(View::unknown).collect()
            }
            _ => self.items().collect(),
        }
    }

    /// True if the value is a known collection or structure without elements.
    pub fn is_empty(self) -> bool {
        self.len() == Some(0)
    }

    /// The type of an attribute, or of the values of a map; `dynamic` if there is no such type.
    pub fn key_type(self, key: &str) -> &'a Type {
        match self.ty {
            Type::Object(object) => object.attributes.get(key).unwrap_or(&DYNAMIC),
            Type::Map(element) => element,
            _ => &DYNAMIC,
        }
    }

    /// The type of an element; `dynamic` if there is no such type.
    pub fn index_type(self, index: usize) -> &'a Type {
        match self.ty {
            Type::Array(element) | Type::Set(element) => element,
            Type::Tuple(elements) => elements.get(index).unwrap_or(&DYNAMIC),
            _ => &DYNAMIC,
        }
    }

    /// The attribute of an object. It is null if the object is null, and unknown if the object is unknown.
    #[must_use]
    pub fn attribute(self, name: &str) -> Self {
        let ty = self.key_type(name);
        match self.value.payload() {
            Payload::Map(map) => map
                .get(name)
                .map_or(Self::null(ty), |value| Self { ty, value }),
            Payload::Computed(_) => Self::unknown(ty),
            _ => Self::null(ty),
        }
    }

    /// The element at `index` of a known list, tuple or set; `None` past the end.
    pub fn index(self, index: usize) -> Option<Self> {
        Some(Self {
            ty: self.index_type(index),
            value: self.value.as_array()?.get(index)?,
        })
    }

    /// The value at `key` in a known map or object.
    pub fn key(self, key: &str) -> Option<Self> {
        Some(Self {
            ty: self.key_type(key),
            value: self.value.get(key)?,
        })
    }

    /// The elements of a known list, tuple or set, in order; empty for anything else.
    pub fn items(self) -> impl ExactSizeIterator<Item = Self> + 'a {
        let items = self
            .value
            .as_array()
            .map_or(&[][..], crate::value::Array::as_slice);
        items.iter().enumerate().map(move |(index, value)| Self {
            ty: self.index_type(index),
            value,
        })
    }

    /// The entries of a known map or object, sorted by key as in cty; empty for anything else.
    pub fn entries(self) -> impl Iterator<Item = (&'a Arc<str>, Self)> + 'a {
        let entries = self.value.as_map().map(crate::value::Map::sorted);
        entries.into_iter().flatten().map(move |(key, value)| {
            (key, {
                Self {
                    ty: self.key_type(key),
                    value,
                }
            })
        })
    }

    /// The elements of a known collection or structure, those of a map or object sorted by key; empty for anything else.
    pub fn parts(self) -> impl Iterator<Item = Self> + 'a {
        self.items().chain(self.entries().map(|(_, value)| value))
    }

    /// Clones the type and the value.
    pub fn to_typed(self) -> Typed {
        Typed::trusted(self.ty.clone(), self.value.clone())
    }

    /// The union of all marks on the value and inside it.
    pub fn deep_markers(self) -> Markers {
        let mut all = Markers::default();
        collect_markers(self.value, &mut all);
        all
    }
}

fn collect_markers(value: &Value, all: &mut Markers) {
    if value.is_marked() {
        *all = all.union(&value.markers());
    }
    match value.payload() {
        Payload::Array(items) => items.iter().for_each(|item| collect_markers(item, all)),
        Payload::Map(map) => map.values().for_each(|value| collect_markers(value, all)),
        _ => {}
    }
}

/// True if the value or anything inside it has a mark.
pub(super) fn is_marked_below(value: &Value) -> bool {
    value.any(Value::is_marked)
}

/// The same value without marks at any depth.
pub(super) fn unmarked(value: &Value) -> Value {
    if !value.any(Value::is_marked) {
        return value.clone();
    }
    value.without_markers().with_parts(|_, it| unmarked(it))
}

/// The names of the marks in `markers`, with `sensitive` for the secret marker.
pub(super) fn mark_names(markers: &Markers) -> BTreeSet<Arc<str>> {
    let mut names: BTreeSet<Arc<str>> = markers.labels().iter().cloned().collect();
    if markers.secret() {
        names.insert("sensitive".into());
    }
    names
}
