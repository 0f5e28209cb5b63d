//! Collections from typed elements.

use std::sync::Arc;

use super::Typed;
use crate::types::{ObjectType, Type};
use crate::value::{Map, Value};

/// The attributes of an object while they are gathered: their types beside their values.
#[derive(Default)]
pub(crate) struct Fields {
    types: ObjectType,
    values: Vec<(Arc<str>, Value)>,
}

impl Fields {
    /// Adds an attribute; one of the same name before it is replaced.
    pub(crate) fn add(&mut self, name: &Arc<str>, attribute: Typed) {
        let (ty, value) = attribute.into_parts();
        self.types.attributes.insert(name.clone(), ty);
        self.values.push((name.clone(), value));
    }

    /// The type of the object, and its attributes.
    pub(crate) fn into_parts(self) -> (ObjectType, Map) {
        (self.types, self.values.into_iter().collect())
    }

    /// The object.
    pub(crate) fn into_object(self) -> Typed {
        let (types, map) = self.into_parts();
        Typed::trusted(Type::Object(types), map.into())
    }
}

/// The one type of some elements: any that leave theirs open follow the others. `None` if they differ.
fn element_type<'t>(wanted: &Type, types: impl Iterator<Item = &'t Type>) -> Option<Type> {
    let mut common: Option<&Type> = None;
    for ty in types.filter(|ty| **ty != Type::Dynamic) {
        if common.is_some_and(|common| common != ty) {
            return None;
        }
        common = Some(ty);
    }
    // Without a definite element `dynamic` stays: there are none, or they are all open.
    Some(common.unwrap_or(wanted).clone())
}

/// A list or set, whichever `like` is, of these elements; `None` if they have different types.
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

/// A map of these entries; `None` if they have different types.
pub(super) fn map(wanted: &Type, entries: Vec<(Arc<str>, Typed)>) -> Option<Typed> {
    let element = element_type(wanted, entries.iter().map(|(_, item)| item.ty()))?;
    let map: Map = entries
        .into_iter()
        .map(|(key, item)| (key, item.into_parts().1))
        .collect();
    Some(Typed::trusted(Type::Map(Arc::new(element)), map.into()))
}
