//! Which prior element of a set a configured one comes from. Elements have no name, so this is a guess by likeness.

use super::{Body, Semantics};
use crate::cty::{Typed, View};
use crate::schema::{Block, NestedBlock, Nesting};
use crate::types::{ObjectType, Type};
use crate::value::{Array, Map, Value};

/// The prior elements that no configured element has taken yet.
pub(super) struct Candidates<'a> {
    semantics: Semantics,
    body: Body<'a>,
    free: Vec<Candidate<'a>>,
}

struct Candidate<'a> {
    element: View<'a>,
    /// What 0.13 compares with: the element without what may have been computed.
    configured: Option<Typed>,
    is_taken: bool,
}

impl<'a> Candidates<'a> {
    /// The elements of `prior`; an unknown or null set has none.
    pub(super) fn new(semantics: Semantics, body: Body<'a>, prior: View<'a>) -> Self {
        let free = prior.items().map(|element| Candidate {
            element,
            configured: match (semantics, body) {
                (Semantics::V0_13, Body::Block(block)) => Some(without_computed(block, element)),
                _ => None,
            },
            is_taken: false,
        });
        Self {
            semantics,
            body,
            free: free.collect(),
        }
    }

    /// Takes the first free element that `config` may have led to.
    pub(super) fn take(&mut self, config: View<'_>) -> Option<View<'a>> {
        let body = self.body;
        let found = self.free.iter_mut().find(|candidate| {
            !candidate.is_taken
                && match (self.semantics, &candidate.configured) {
                    (Semantics::V0_13, Some(configured)) => configured.view().raw_equals(config),
                    _ => may_come_from(body, candidate.element, config),
                }
        })?;
        found.is_taken = true;
        Some(found.element)
    }
}

/// Whether `prior` is `config` with nothing but computed attributes filled in.
///
/// Walks what `prior` holds, so a prior null goes with any configuration, and so does a prior list that is a beginning of the
/// configured one.
fn may_come_from(body: Body<'_>, prior: View<'_>, config: View<'_>) -> bool {
    config.raw_equals_unrefined(prior) || object_may_come_from(body, prior, config)
}

fn object_may_come_from(body: Body<'_>, prior: View<'_>, config: View<'_>) -> bool {
    if !prior.has_elements() {
        return true;
    }
    if config.is_null() {
        return false;
    }
    let attributes = body.attributes().iter().all(|(name, attribute)| {
        let (prior, config) = (prior.attribute(name), config.attribute(name));
        if config.raw_equals_unrefined(prior) {
            return true;
        }
        if matches!(config.ty, Type::Set(_)) {
            return false;
        }
        match &attribute.nested {
            Some(nested) => {
                nesting_may_come_from(Body::Object(nested), nested.nesting, prior, config)
            }
            None => attribute.flags.computed && config.is_null(),
        }
    });
    attributes
        && body.blocks().into_iter().flatten().all(|(name, nested)| {
            let (prior, config) = (prior.attribute(name), config.attribute(name));
            config.raw_equals_unrefined(prior)
                || (!matches!(config.ty, Type::Set(_))
                    && nesting_may_come_from(
                        Body::Block(&nested.block),
                        nested.nesting,
                        prior,
                        config,
                    ))
        })
}

fn nesting_may_come_from(
    body: Body<'_>,
    nesting: Nesting,
    prior: View<'_>,
    config: View<'_>,
) -> bool {
    if !prior.has_elements() {
        return true;
    }
    match nesting {
        Nesting::Single | Nesting::Group => object_may_come_from(body, prior, config),
        Nesting::List | Nesting::Set => prior.items().enumerate().all(|(index, prior)| {
            let config = if config.is_known() {
                config.index(index)
            } else {
                Some(View::unknown(config.index_type(index)))
            };
            config.is_some_and(|config| may_come_from(body, prior, config))
        }),
        Nesting::Map => prior.entries().all(|(key, prior)| {
            let config = if config.is_known() {
                config.key(key)
            } else {
                Some(View::unknown(config.key_type(key)))
            };
            config.is_some_and(|config| may_come_from(body, prior, config))
        }),
    }
}

/// `element` with every computed attribute null, as 0.13 compares it with the configuration. That turns lists into tuples and maps
/// into objects, which no configuration is equal to.
fn without_computed(block: &Block, element: View<'_>) -> Typed {
    if !element.has_elements() {
        return element.to_typed();
    }
    let mut object = ObjectType::default();
    let mut entries = Vec::new();
    for (name, attribute) in block.attributes() {
        let (ty, value) = if attribute.flags.computed {
            (attribute.ty.clone(), Value::NULL)
        } else {
            element.attribute(name).to_typed().into_parts()
        };
        object.attributes.insert(name.clone(), ty);
        entries.push((name.clone(), value));
    }
    for (name, nested) in block.blocks() {
        let (ty, value) = block_without_computed(nested, element.attribute(name)).into_parts();
        object.attributes.insert(name.clone(), ty);
        entries.push((name.clone(), value));
    }
    Typed::trusted(Type::Object(object), Map::from_iter(entries).into())
}

fn block_without_computed(nested: &NestedBlock, value: View<'_>) -> Typed {
    if !value.has_elements() {
        return value.to_typed();
    }
    let items = || {
        value
            .items()
            .map(|item| without_computed(&nested.block, item))
    };
    match nested.nesting {
        Nesting::Single | Nesting::Group => without_computed(&nested.block, value),
        Nesting::Set => {
            let items: Vec<Value> = items().map(|item| item.into_parts().1).collect();
            let ty = value.ty.clone();
            Typed::new(ty, items.into()).unwrap_or_else(|_| value.to_typed())
        }
        Nesting::List => {
            let (types, values): (Vec<_>, Vec<_>) = items().map(Typed::into_parts).unzip();
            Typed::trusted(Type::Tuple(types), Array::from(values).into())
        }
        Nesting::Map => {
            let mut object = ObjectType::default();
            let mut entries = Vec::new();
            for (key, item) in value.entries() {
                let (ty, value) = without_computed(&nested.block, item).into_parts();
                object.attributes.insert(key.clone(), ty);
                entries.push((key.clone(), value));
            }
            Typed::trusted(Type::Object(object), Map::from_iter(entries).into())
        }
    }
}
