//! Collections from typed elements.

use std::sync::Arc;

use indexmap::IndexMap;

use super::Typed;
use crate::types::{ObjectType, Type};
use crate::value::{Map, Value};

/// Collects the attributes of an object: their types and their values.
#[derive(Default)]
pub(crate) struct Fields {
    types: ObjectType,
    values: Vec<(Arc<str>, Value)>,
}

impl Fields {
    /// Adds an attribute. It replaces an earlier attribute with the same name.
    pub(crate) fn add(&mut self, name: &Arc<str>, attribute: Typed) {
        let (ty, value) = attribute.into_parts();
        self.types.attributes.insert(name.clone(), ty);
        self.values.push((name.clone(), value));
    }

    /// The type of the object, and its attribute values.
    pub(crate) fn into_parts(self) -> (ObjectType, Map) {
        (self.types, self.values.into_iter().collect())
    }

    /// The object.
    pub(crate) fn into_object(self) -> Typed {
        let (types, map) = self.into_parts();
        Typed::trusted(Type::Object(types), map.into())
    }
}

/// A tuple of these elements.
pub(crate) fn tuple(items: impl IntoIterator<Item = Typed>) -> Typed {
    let (types, values): (Vec<_>, Vec<_>) = items.into_iter().map(Typed::into_parts).unzip();
    Typed::trusted(Type::Tuple(types.into()), values.into())
}

/// The common type of some elements. Elements of type `dynamic` fit any other type. `None` if the types differ.
fn element_type<'t>(wanted: &Type, types: impl Iterator<Item = &'t Type>) -> Option<Type> {
    let mut common: Option<&Type> = None;
    for ty in types.filter(|ty| **ty != Type::Dynamic) {
        if common.is_some_and(|common| common != ty) {
            return None;
        }
        common = Some(ty);
    }
    // Without an element of definite type, `wanted` stays.
    Some(common.unwrap_or(wanted).clone())
}

/// A list or set (the same as `like`) of these elements; `None` if they have different types.
pub(super) fn collection(like: &Type, items: Vec<Typed>) -> Option<Typed> {
    let (Type::Array(wanted) | Type::Set(wanted)) = like else {
        return None;
    };
    let element = Arc::new(element_type(wanted, items.iter().map(Typed::ty))?);
    let values: Vec<Value> = items.into_iter().map(|item| item.into_parts().1).collect();
    if matches!(like, Type::Set(_)) {
        return Typed::new(Type::Set(element), values.into()).ok();
    }
    Some(Typed::trusted(Type::Array(element), values.into()))
}

/// A map of these entries; `None` if they have different types. Of a repeated key only the last entry counts, for the types too.
pub(super) fn map(wanted: &Type, entries: Vec<(Arc<str>, Typed)>) -> Option<Typed> {
    let entries: IndexMap<Arc<str>, Typed> = entries.into_iter().collect();
    let element = element_type(wanted, entries.values().map(Typed::ty))?;
    let map: Map = entries
        .into_iter()
        .map(|(key, item)| (key, item.into_parts().1))
        .collect();
    Some(Typed::trusted(Type::Map(Arc::new(element)), map.into()))
}
