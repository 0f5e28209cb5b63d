//! Core's proposal to a provider: the configuration, with earlier computed values where the configuration is silent.
//!
//! Attributes come first:
//!
//! - A computed attribute that is null in the configuration keeps its prior value. The exception is an optional attribute of
//!   nested type whose prior value holds something that cannot have been computed. Then the configuration must have set it, and
//!   leaving it out now means null.
//! - Any other attribute of nested type is merged attribute by attribute.
//! - Any other attribute is as configured, null included. It does not matter if it is required.
//!
//! Nested blocks and nested types are then matched with their prior values:
//!
//! - **single, group**: one to one. A single block that is not configured is null.
//! - **list**: by position. An element without a prior element is taken as configured, with nothing merged below.
//! - **map**: by key. An element without a prior element is merged with null.
//! - **set**: each configured element, in canonical order, takes the first free prior element that may result from it: the two
//!   differ only in computed attributes that are null in the configuration. Prior elements are taken once.
//!
//! Unknown values in the configuration stay unknown.
//!
//! 0.13 had no nested types. An absent single block kept the prior one, and a block of unknown number became an empty collection.
//! An element of a set matched a prior one only if that was equal after all its computed attributes were set to null. An element
//! of a map without a prior element was taken as configured. A computed attribute that was not optional kept its prior value
//! whatever the configuration said.
//!
//! # Source
//!
//! hashicorp/terraform 883c7221 and v0.13.0, `objchange.ProposedNew`, `objchange.ProposedNewObject`.

mod set;
mod typed_parts;

use std::borrow::Cow;
use std::sync::Arc;

use indexmap::IndexMap;

use typed_parts::{TypedPart, collection_type, element_type, object, sequence, with_marks};

use super::{Error, Semantics, require};
use crate::terraform::cty::{Typed, View};
use crate::terraform::schema::{Attribute, Block, NestedBlock, NestedType, Nesting};
use crate::types::Type;
use crate::value::Map;

/// The new value that core proposes for an object with this `prior` value and this configuration.
///
/// # Errors
///
/// If a value does not conform to the schema, or the elements of a collection have different types.
pub fn proposed_new(
    schema: &Block,
    prior: &Typed,
    config: &Typed,
    semantics: Semantics,
) -> Result<Typed, Error> {
    require(schema, prior, "prior value")?;
    require(schema, config, "configuration")?;
    Ok(Merge { semantics }
        .block(schema, Prior::Value(prior.view()), config.view())?
        .into_typed())
}

/// The value planned for a data source that is read only during apply: as configured, with computed attributes unknown.
///
/// This merges the configuration with a wholly unknown prior value. Elements of sets never match a prior element, so their
/// computed attributes are null. An element of a map has unknown values of the types that it has in the configuration. Where
/// upstream panics (a configured list block with dynamic parts), computed attributes are unknown.
///
/// # Errors
///
/// If the configuration does not conform to the schema, or the elements of a collection have different types.
///
/// # Source
///
/// hashicorp/terraform 883c7221, `objchange.PlannedDataResourceObject` (`PlannedUnknownObject` in OpenTofu).
pub fn planned_data_resource_object(
    schema: &Block,
    config: &Typed,
    semantics: Semantics,
) -> Result<Typed, Error> {
    require(schema, config, "configuration")?;
    let prior = View::unknown(schema.implied_type());
    Ok(Merge { semantics }
        .block(schema, Prior::Value(prior), config.view())?
        .into_typed())
}

/// The prior value.
#[derive(Clone, Copy)]
enum Prior<'a> {
    Value(View<'a>),
    /// The empty value of a block.
    Empty(&'a Block),
}

impl<'a> Prior<'a> {
    fn attribute(self, name: &str, attribute: &'a Attribute) -> View<'a> {
        match self {
            Self::Value(view) if matches!(view.ty, Type::Object(_)) => part(view, name, attribute),
            Self::Value(view) if !view.is_known() => View::unknown(&attribute.ty),
            _ => View::null(&attribute.ty),
        }
    }

    fn block(self, name: &str, nested: &'a NestedBlock) -> Self {
        match self {
            Self::Value(view) if matches!(view.ty, Type::Object(_)) => {
                Self::Value(view.attribute(name))
            }
            Self::Value(view) if !view.is_known() => {
                Self::Value(View::unknown(nested.block.implied_type()))
            }
            Self::Empty(_) if nested.nesting == Nesting::Group => Self::Empty(&nested.block),
            // An empty collection has no element to offer, and neither has a null.
            _ => Self::Value(View::null(nested.block.implied_type())),
        }
    }

    fn into_part(self) -> TypedPart<'a> {
        match self {
            Self::Value(view) => TypedPart::same(view),
            Self::Empty(block) => {
                let (ty, value) = block.empty_value().into_parts();
                TypedPart {
                    ty: Cow::Owned(ty),
                    value,
                }
            }
        }
    }

    fn value(self) -> Option<View<'a>> {
        match self {
            Self::Value(view) => Some(view),
            Self::Empty(_) => None,
        }
    }
}

/// The attribute of an object. If the object lacks it, it is unknown in an unknown object and else null, of the right type.
fn part<'a>(object: View<'a>, name: &str, attribute: &'a Attribute) -> View<'a> {
    match object.ty {
        Type::Object(ty) if !ty.attributes.contains_key(name) => {
            if object.is_known() {
                View::null(&attribute.ty)
            } else {
                View::unknown(&attribute.ty)
            }
        }
        _ => object.attribute(name),
    }
}

/// A container of attributes: a block, or the nested type of an attribute.
#[derive(Clone, Copy)]
enum Body<'a> {
    Block(&'a Block),
    Object(&'a NestedType),
}

impl<'a> Body<'a> {
    fn attributes(self) -> &'a IndexMap<Arc<str>, Attribute> {
        match self {
            Self::Block(block) => block.attributes(),
            Self::Object(nested) => nested.attributes(),
        }
    }

    fn blocks(self) -> Option<&'a IndexMap<Arc<str>, NestedBlock>> {
        match self {
            Self::Block(block) => Some(block.blocks()),
            Self::Object(_) => None,
        }
    }
}

type Fields<'a> = Vec<(&'a Arc<str>, TypedPart<'a>)>;

/// A merged value.
type Made<'a> = Result<TypedPart<'a>, Error>;

/// Merges configurations with prior values by the rules of one version.
#[derive(Clone, Copy)]
struct Merge {
    semantics: Semantics,
}

impl Merge {
    fn body<'a>(self, body: Body<'a>, prior: View<'a>, config: View<'a>) -> Made<'a> {
        match body {
            Body::Block(block) => self.block(block, Prior::Value(prior), config),
            Body::Object(nested) => self.object(nested, prior, config),
        }
    }

    fn block<'a>(self, block: &'a Block, prior: Prior<'a>, config: View<'a>) -> Made<'a> {
        let prior = match prior {
            Prior::Value(view) if view.is_null() && config.is_null() => {
                return Ok(TypedPart::same(view));
            }
            Prior::Value(view) if view.is_null() => Prior::Empty(block),
            other => other,
        };
        if config.is_null() || !config.is_known() {
            return Ok(prior.into_part());
        }
        let mut fields = self.attributes(block.attributes(), prior, config)?;
        for (name, nested) in block.blocks() {
            let made =
                self.nested_block(nested, prior.block(name, nested), config.attribute(name))?;
            fields.push((name, made));
        }
        let implied = View::null(block.implied_type());
        let same_type = fields
            .iter()
            .all(|(name, made)| *made.ty == *implied.key_type(name));
        let known_type = same_type.then_some(implied.ty);
        Ok(object(fields, known_type, prior.value(), config))
    }

    fn object<'a>(self, nested: &'a NestedType, prior: View<'a>, config: View<'a>) -> Made<'a> {
        if config.is_null() {
            return Ok(TypedPart::same(config));
        }
        // A wholly unknown element becomes an object of unknown attributes.
        let fields = self.attributes(nested.attributes(), Prior::Value(prior), config)?;
        // Each attribute keeps the type of its source. Without dynamic parts that is the type of the whole.
        let has_all = matches!(config.ty, Type::Object(ty) if ty.attributes.len() == fields.len());
        let same_type = fields
            .iter()
            .all(|(name, made)| *made.ty == *config.key_type(name));
        Ok(object(
            fields,
            (has_all && same_type).then_some(config.ty),
            Some(prior),
            config,
        ))
    }

    fn attributes<'a>(
        self,
        attributes: &'a IndexMap<Arc<str>, Attribute>,
        prior: Prior<'a>,
        config: View<'a>,
    ) -> Result<Fields<'a>, Error> {
        let mut fields = Vec::with_capacity(attributes.len());
        for (name, attribute) in attributes {
            let prior = prior.attribute(name, attribute);
            let config = part(config, name, attribute);
            fields.push((name, self.attribute(attribute, prior, config)?));
        }
        Ok(fields)
    }

    fn attribute<'a>(
        self,
        attribute: &'a Attribute,
        prior: View<'a>,
        config: View<'a>,
    ) -> Made<'a> {
        let flags = attribute.flags;
        let was_computed_only =
            self.semantics == Semantics::V0_13 && flags.computed && !flags.optional;
        match &attribute.nested {
            _ if was_computed_only => Ok(TypedPart::same(prior)),
            Some(nested) if flags.computed && config.is_null() => {
                let was_configured = flags.optional && holds_configured(nested, prior);
                Ok(TypedPart::same(if was_configured { config } else { prior }))
            }
            None if flags.computed && config.is_null() => Ok(TypedPart::same(prior)),
            Some(nested) => {
                if config.is_null() || !config.is_known() {
                    return Ok(TypedPart::same(config));
                }
                self.nesting(Body::Object(nested), nested.nesting, prior, config)
            }
            None => Ok(TypedPart::same(config)),
        }
    }

    fn nested_block<'a>(
        self,
        nested: &'a NestedBlock,
        prior: Prior<'a>,
        config: View<'a>,
    ) -> Made<'a> {
        let is_one = matches!(nested.nesting, Nesting::Single | Nesting::Group);
        match self.semantics {
            Semantics::Current if !config.is_known() => return Ok(TypedPart::same(config)),
            Semantics::Current if config.is_null() && nested.nesting == Nesting::Single => {
                return Ok(TypedPart::same(config));
            }
            Semantics::V0_13 if !is_one && !config.has_elements() => {
                return Ok(TypedPart::no_blocks(nested, config.ty));
            }
            _ => {}
        }
        if is_one {
            return self.block(&nested.block, prior, config);
        }
        let prior = prior
            .value()
            .unwrap_or(View::null(nested.block.implied_type()));
        self.nesting(Body::Block(&nested.block), nested.nesting, prior, config)
    }

    /// Merges a collection of objects, or one object of a nested type.
    fn nesting<'a>(
        self,
        body: Body<'a>,
        nesting: Nesting,
        prior: View<'a>,
        config: View<'a>,
    ) -> Made<'a> {
        if nesting == Nesting::Single || nesting == Nesting::Group {
            return self.body(body, prior, config);
        }
        if !config.has_elements() || config.is_empty() {
            return Ok(TypedPart::same(config));
        }
        match nesting {
            Nesting::List => self.list(body, prior, config),
            Nesting::Map => self.map(body, prior, config),
            _ => self.set(body, prior, config),
        }
    }

    fn list<'a>(self, body: Body<'a>, prior: View<'a>, config: View<'a>) -> Made<'a> {
        let mut items = Vec::new();
        for (index, item) in config.items().enumerate() {
            let before = if prior.is_known() {
                prior.index(index)
            } else {
                Some(unknown_element(body, prior.index_type(index), item))
            };
            items.push(match before {
                Some(before) => self.body(body, before, item)?,
                None => TypedPart::same(item),
            });
        }
        sequence(items, prior, config)
    }

    fn map<'a>(self, body: Body<'a>, prior: View<'a>, config: View<'a>) -> Made<'a> {
        let is_object = matches!(config.ty, Type::Object(_));
        let mut fields = Vec::new();
        let entries = config.value.as_map().into_iter().flatten();
        for (key, value) in entries {
            let item = View {
                ty: config.key_type(key),
                value,
            };
            let before = match self.semantics {
                _ if prior.is_known() => prior.key(key),
                // The original has no key to look up, so it takes the type from the configuration.
                Semantics::Current => Some(View::unknown(item.ty)),
                Semantics::V0_13 => Some(View::unknown(prior.key_type(key))),
            };
            let made = match (self.semantics, before) {
                (Semantics::V0_13, _) if is_object && !prior.is_known() => TypedPart::same(item),
                (Semantics::V0_13, None) => TypedPart::same(item),
                (Semantics::Current, None) => self.body(body, View::null(item.ty), item)?,
                (_, Some(before)) => self.body(body, before, item)?,
            };
            fields.push((key, made));
        }
        if is_object {
            return Ok(object(fields, None, Some(prior), config));
        }
        let ty = element_type(fields.iter().map(|(_, made)| made), config)?;
        let entries = fields
            .into_iter()
            .map(|(key, made)| (key.clone(), made.value));
        let value = with_marks(entries.collect::<Map>().into(), prior, config);
        Ok(TypedPart {
            ty: collection_type(ty, config.ty, Type::Map),
            value,
        })
    }

    fn set<'a>(self, body: Body<'a>, prior: View<'a>, config: View<'a>) -> Made<'a> {
        let mut candidates = set::Candidates::new(self.semantics, body, prior);
        let mut items = Vec::new();
        for item in config.items() {
            let before = candidates
                .take(item)
                .unwrap_or(View::null(config.index_type(0)));
            items.push(self.body(body, before, item)?);
        }
        sequence(items, prior, config)
    }
}

/// The unknown element of an unknown list. If the list's type is dynamic, it has the block's type, unless `config` has nothing
/// that could be merged with it.
fn unknown_element<'a>(body: Body<'a>, ty: &'a Type, config: View<'_>) -> View<'a> {
    match (ty, body) {
        (Type::Dynamic, Body::Block(block)) if config.has_elements() => {
            View::unknown(block.implied_type())
        }
        _ => View::unknown(ty),
    }
}

/// True if a prior value holds something that is not null and cannot have been computed.
fn holds_configured(nested: &NestedType, prior: View<'_>) -> bool {
    let in_object = |object: View<'_>| {
        object.has_elements()
            && nested.attributes().iter().any(|(name, attribute)| {
                let value = object.attribute(name);
                !value.is_null()
                    && (!attribute.flags.computed
                        || attribute
                            .nested
                            .as_ref()
                            .is_some_and(|nested| holds_configured(nested, value)))
            })
    };
    match nested.nesting {
        Nesting::Single | Nesting::Group => in_object(prior),
        Nesting::List | Nesting::Set | Nesting::Map => prior.parts().any(in_object),
    }
}
