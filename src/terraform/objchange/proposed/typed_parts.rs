//! Merged values with their types.

use std::borrow::Cow;
use std::sync::Arc;

use crate::terraform::cty::{Typed, View, canonical_set};
use crate::terraform::objchange::Error;
use crate::terraform::schema::{NestedBlock, Nesting};
use crate::types::{ObjectType, TupleType, Type};
use crate::value::{Array, Map, Value};

/// A value whose type is borrowed where possible, from a schema or from the source value.
pub(super) struct TypedPart<'a> {
    pub(super) ty: Cow<'a, Type>,
    pub(super) value: Value,
}

impl<'a> TypedPart<'a> {
    pub(super) fn same(view: View<'a>) -> Self {
        Self {
            ty: Cow::Borrowed(view.ty),
            value: view.value.clone(),
        }
    }

    /// The empty collection that 0.13 used for blocks that are not configured or whose number is unknown. It used the configured
    /// type, so an unknown of type `dynamic` became a list or a map although its blocks may differ in type.
    pub(super) fn no_blocks(nested: &NestedBlock, configured: &Type) -> Self {
        let element = || Arc::new(nested.block.implied_type().clone());
        let ty = match (nested.nesting, configured) {
            (Nesting::List, Type::Tuple(_)) => Type::Tuple(TupleType::default()),
            (Nesting::List, _) => Type::Array(element()),
            (Nesting::Map, Type::Object(_)) => Type::Object(ObjectType::default()),
            (Nesting::Map, _) => Type::Map(element()),
            _ => Type::Set(element()),
        };
        let value = match nested.nesting {
            Nesting::Map => Map::default().into(),
            _ => Array::default().into(),
        };
        Self {
            ty: Cow::Owned(ty),
            value,
        }
    }

    pub(super) fn into_typed(self) -> Typed {
        Typed::trusted(self.ty.into_owned(), self.value)
    }
}

/// An object of these attributes; `known_type` is its type if the schema determines it.
pub(super) fn object<'a>(
    fields: Vec<(&'a Arc<str>, TypedPart<'a>)>,
    known_type: Option<&'a Type>,
    prior: Option<View<'a>>,
    config: View<'a>,
) -> TypedPart<'a> {
    let ty = known_type.map_or_else(
        || {
            let attributes = fields
                .iter()
                .map(|(name, made)| ((*name).clone(), made.ty.clone().into_owned()));
            Cow::Owned(Type::Object(ObjectType {
                attributes: attributes.collect(),
                ..ObjectType::default()
            }))
        },
        Cow::Borrowed,
    );
    let entries = fields
        .into_iter()
        .map(|(name, made)| (name.clone(), made.value));
    let value = Value::from(entries.collect::<Map>());
    TypedPart {
        ty,
        value: with_marks(value, prior.unwrap_or(config), config),
    }
}

/// A list, set or tuple of these elements, depending on `config`.
pub(super) fn sequence<'a>(
    items: Vec<TypedPart<'a>>,
    prior: View<'a>,
    config: View<'a>,
) -> Result<TypedPart<'a>, Error> {
    if matches!(config.ty, Type::Tuple(_)) {
        let (types, values): (Vec<_>, Vec<_>) = items
            .into_iter()
            .map(|made| (made.ty.into_owned(), made.value))
            .unzip();
        return Ok(TypedPart {
            ty: Cow::Owned(Type::Tuple(types.into())),
            value: with_marks(values.into(), prior, config),
        });
    }
    let element = element_type(items.iter(), config)?;
    let values: Vec<Value> = items.into_iter().map(|made| made.value).collect();
    if matches!(config.ty, Type::Set(_)) {
        let items = match &element {
            Some(element) => canonical_set(element, values),
            None => canonical_set(config.index_type(0), values),
        };
        return Ok(TypedPart {
            ty: collection_type(element, config.ty, Type::Set),
            value: with_marks(items.into(), prior, config),
        });
    }
    Ok(TypedPart {
        ty: collection_type(element, config.ty, Type::Array),
        value: with_marks(Array::from(values).into(), prior, config),
    })
}

/// The common type of all elements; `None` if it is the configuration's.
pub(super) fn element_type<'m, 'a: 'm>(
    mut items: impl Iterator<Item = &'m TypedPart<'a>>,
    config: View<'a>,
) -> Result<Option<Type>, Error> {
    let configured = match config.ty {
        Type::Array(element) | Type::Set(element) | Type::Map(element) => &**element,
        _ => return Ok(None),
    };
    let Some(first) = items.next() else {
        return Ok(None);
    };
    if items.any(|made| made.ty != first.ty) {
        return Err(Error::MixedElements);
    }
    Ok((*first.ty != *configured).then(|| first.ty.clone().into_owned()))
}

pub(super) fn collection_type(
    element: Option<Type>,
    configured: &Type,
    wrap: fn(Arc<Type>) -> Type,
) -> Cow<'_, Type> {
    element.map_or(Cow::Borrowed(configured), |element| {
        Cow::Owned(wrap(Arc::new(element)))
    })
}

/// A container merged from two values keeps the marks of both, so that everything hidden stays hidden.
pub(super) fn with_marks(value: Value, prior: View<'_>, config: View<'_>) -> Value {
    if !prior.value.is_marked() && !config.value.is_marked() {
        return value;
    }
    value.with_markers(prior.value.markers().union(&config.value.markers()))
}
