//! Matches configured elements of a set with prior elements. Elements have no key, so this is a guess by likeness.

use std::collections::{HashMap, VecDeque};

use super::{Body, Semantics};
use crate::terraform::cty::{Fields, Typed, View, key_text, tuple};
use crate::terraform::schema::{Block, NestedBlock, Nesting};
use crate::types::Type;
use crate::value::Value;

/// The prior elements that are still free.
pub(super) struct Candidates<'a> {
    semantics: Semantics,
    body: Body<'a>,
    elements: Vec<Candidate<'a>>,
    /// Indexes of free elements in order, by the text that a configured element must share with them, so that each is compared
    /// with few. Prior elements without contents match any configured element and have no text.
    free: HashMap<Option<String>, VecDeque<usize>>,
}

struct Candidate<'a> {
    element: View<'a>,
    /// The element without the values that may have been computed, for the comparison of 0.13.
    configured: Option<Typed>,
}

impl<'a> Candidates<'a> {
    /// The elements of `prior`. An unknown or null set has none.
    pub(super) fn new(semantics: Semantics, body: Body<'a>, prior: View<'a>) -> Self {
        let elements = prior.items().map(|element| Candidate {
            element,
            configured: match (semantics, body) {
                (Semantics::V0_13, Body::Block(block)) => Some(without_computed(block, element)),
                _ => None,
            },
        });
        let elements: Vec<Candidate<'a>> = elements.collect();
        let mut free: HashMap<_, VecDeque<usize>> = HashMap::new();
        for (index, candidate) in elements.iter().enumerate() {
            let shared = match &candidate.configured {
                Some(configured) => Some(key_text(configured.view())),
                None if !candidate.element.has_elements() => None,
                None => Some(shared_text(body, candidate.element)),
            };
            free.entry(shared).or_default().push_back(index);
        }
        Self {
            semantics,
            body,
            elements,
            free,
        }
    }

    /// Takes the first free element that may result from `config`.
    pub(super) fn take(&mut self, config: View<'_>) -> Option<View<'a>> {
        let shared = match (self.semantics, self.body) {
            (Semantics::V0_13, Body::Block(_)) => key_text(config),
            _ => shared_text(self.body, config),
        };
        let found = [Some(shared), None].into_iter().filter_map(|text| {
            let free = self.free.get(&text)?;
            let at = free.iter().position(|index| self.fits(*index, config))?;
            Some((free[at], at, text))
        });
        let (index, at, text) = found.min_by_key(|(index, ..)| *index)?;
        self.free.get_mut(&text)?.remove(at);
        Some(self.elements[index].element)
    }

    fn fits(&self, index: usize, config: View<'_>) -> bool {
        let candidate = &self.elements[index];
        match &candidate.configured {
            Some(configured) => configured.view().raw_equals(config),
            None => may_come_from(self.body, candidate.element, config),
        }
    }
}

/// A text of the attributes that only the configuration sets. A configured element and the element that results from it have the
/// same text. The attributes of an unknown element are unknown, and those of a null are null.
fn shared_text(body: Body<'_>, element: View<'_>) -> String {
    let mut text = String::new();
    for (name, attribute) in body.attributes() {
        if attribute.nested.is_none() && !attribute.flags.computed {
            text.push_str(&key_text(element.attribute(name)));
            text.push(';');
        }
    }
    text
}

/// True if `prior` is `config` with only computed attributes filled in.
///
/// Iterates over the contents of `prior`. So a prior null matches any configuration, and a prior list matches if it is a prefix
/// of the configured one.
fn may_come_from(body: Body<'_>, prior: View<'_>, config: View<'_>) -> bool {
    config.raw_equals_unrefined(prior) || object_may_come_from(body, prior, config)
}

fn object_may_come_from(body: Body<'_>, prior: View<'_>, config: View<'_>) -> bool {
    if !prior.has_elements() {
        return true;
    }
    if config.is_null() {
        return prior.is_empty();
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

/// `element` with every computed attribute null, for the comparison of 0.13 with the configuration. Lists become tuples and maps
/// become objects, which are not equal to any configuration.
fn without_computed(block: &Block, element: View<'_>) -> Typed {
    if !element.has_elements() {
        return element.to_typed();
    }
    let mut fields = Fields::default();
    for (name, attribute) in block.attributes() {
        let field = if attribute.flags.computed {
            Typed::trusted(attribute.ty.clone(), Value::NULL)
        } else {
            element.attribute(name).to_typed()
        };
        fields.add(name, field);
    }
    for (name, nested) in block.blocks() {
        fields.add(
            name,
            block_without_computed(nested, element.attribute(name)),
        );
    }
    fields.into_object()
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
        Nesting::List => tuple(items()),
        Nesting::Map => {
            let mut fields = Fields::default();
            for (key, item) in value.entries() {
                fields.add(key, without_computed(&nested.block, item));
            }
            fields.into_object()
        }
    }
}
