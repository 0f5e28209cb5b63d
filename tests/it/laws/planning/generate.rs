//! Schemas, and values that conform to them, derived from a string of bytes so that a failure shrinks well.

use std::sync::Arc;

use indexmap::IndexMap;
use proptest::prelude::*;
use stacklens::terraform::cty::Typed;
use stacklens::terraform::schema::{
    Attribute, AttributeFlags, Block, NestedBlock, NestedType, Nesting,
};
use stacklens::types::{ObjectType, Type};
use stacklens::value::{Map, Number, Value};

/// A schema, a prior value that is known, and a configuration that may have unknowns.
#[derive(Clone, Debug)]
pub(super) struct Case {
    pub(super) schema: Block,
    pub(super) prior: Typed,
    pub(super) config: Typed,
}

impl Case {
    pub(super) fn any() -> impl Strategy<Value = Self> {
        proptest::collection::vec(any::<u8>(), 8..300).prop_map(|bytes| {
            let mut source = Source { bytes, at: 0 };
            let schema = source.block(2, Parts::Any);
            let prior = source.object(&schema, Unknowns::None);
            let config = source.object(&schema, Unknowns::Some);
            Self {
                schema,
                prior: typed(prior),
                config: typed(config),
            }
        })
    }
}

fn typed((ty, value): (Type, Value)) -> Typed {
    Typed::new(ty, value).expect("made for its type")
}

/// Allowed contents for a part of a schema.
#[derive(Clone, Copy, PartialEq)]
enum Parts {
    Any,
    /// No dynamic types: elements of one collection have one type.
    Static,
    /// No dynamic types and no computed attributes: two elements of a set must not become equal.
    Configured,
}

#[derive(Clone, Copy, PartialEq)]
enum Unknowns {
    None,
    Some,
}

/// Choices, one from each byte; zeros when they run out.
struct Source {
    bytes: Vec<u8>,
    at: usize,
}

impl Source {
    fn choice(&mut self, n: u8) -> u8 {
        let byte = self.bytes.get(self.at).copied().unwrap_or(0);
        self.at += 1;
        byte % n
    }

    fn block(&mut self, depth: u8, parts: Parts) -> Block {
        let attributes = self.attributes(depth, parts);
        let mut blocks = IndexMap::new();
        let n_blocks = if depth == 0 { 0 } else { self.choice(3) };
        for index in 0..n_blocks {
            let nesting = self.nesting();
            let parts = match (nesting, parts) {
                (Nesting::Set, Parts::Any) => Parts::Static,
                (_, parts) => parts,
            };
            let nested = NestedBlock {
                nesting,
                block: self.block(depth - 1, parts),
                min_items: 0,
                max_items: 0,
            };
            blocks.insert(Arc::from(format!("block{index}")), nested);
        }
        Block::new(attributes, blocks, false)
    }

    fn nesting(&mut self) -> Nesting {
        [
            Nesting::Single,
            Nesting::List,
            Nesting::Set,
            Nesting::Map,
            Nesting::Group,
        ][usize::from(self.choice(5))]
    }

    fn attributes(&mut self, depth: u8, parts: Parts) -> IndexMap<Arc<str>, Attribute> {
        let n_attributes = 1 + self.choice(3);
        (0..n_attributes)
            .map(|index| (Arc::from(format!("a{index}")), self.attribute(depth, parts)))
            .collect()
    }

    fn attribute(&mut self, depth: u8, parts: Parts) -> Attribute {
        let mut flags = AttributeFlags::default();
        match self.choice(4) {
            0 => flags.required = true,
            1 => flags.optional = true,
            2 => flags.computed = true,
            _ => (flags.optional, flags.computed) = (true, true),
        }
        if parts == Parts::Configured {
            flags.computed = false;
        }
        if depth > 0 && self.choice(4) == 0 {
            let nesting = self.nesting();
            let parts = if nesting == Nesting::Set || parts == Parts::Configured {
                Parts::Configured
            } else {
                Parts::Static
            };
            let nested = NestedType::new(nesting, self.attributes(depth - 1, parts));
            return Attribute::nested(nested, flags);
        }
        Attribute::new(&self.ty(2, parts), flags)
    }

    fn ty(&mut self, depth: u8, parts: Parts) -> Type {
        match self.choice(if depth == 0 { 3 } else { 8 }) {
            0 => Type::String,
            1 => Type::Number,
            2 => Type::Bool,
            3 => Type::Array(Arc::new(self.ty(depth - 1, Parts::Static))),
            4 => Type::Set(Arc::new(self.ty(depth - 1, Parts::Static))),
            5 => Type::Map(Arc::new(self.ty(depth - 1, Parts::Static))),
            6 if parts == Parts::Any => Type::Dynamic,
            _ => {
                let attributes = ["p", "q"].map(|name| {
                    let ty = self.ty(depth - 1, Parts::Static);
                    (Arc::from(name), ty)
                });
                Type::Object(ObjectType {
                    attributes: IndexMap::from(attributes),
                    ..ObjectType::default()
                })
            }
        }
    }

    fn object(&mut self, block: &Block, unknowns: Unknowns) -> (Type, Value) {
        let mut fields = self.fields(block.attributes(), unknowns);
        for (name, nested) in block.blocks() {
            let field = self.nested_block(nested, unknowns);
            fields.push((name.clone(), field));
        }
        object_of(fields)
    }

    fn fields(
        &mut self,
        attributes: &IndexMap<Arc<str>, Attribute>,
        unknowns: Unknowns,
    ) -> Vec<(Arc<str>, (Type, Value))> {
        attributes
            .iter()
            .map(|(name, attribute)| (name.clone(), self.attribute_value(attribute, unknowns)))
            .collect()
    }

    fn attribute_value(&mut self, attribute: &Attribute, unknowns: Unknowns) -> (Type, Value) {
        let Some(nested) = &attribute.nested else {
            return self.value(&attribute.ty, unknowns);
        };
        let ty = attribute.ty.clone();
        match self.choice(6) {
            0 => return (ty, Value::NULL),
            1 if unknowns == Unknowns::Some => return (ty, Value::computed()),
            _ => {}
        }
        let mut item = || object_of(self.fields(nested.attributes(), unknowns)).1;
        let value = match nested.nesting {
            Nesting::Single | Nesting::Group => item(),
            Nesting::List | Nesting::Set => Value::from(vec![item(), item()]),
            Nesting::Map => Map::from_iter([("x", item()), ("y", item())]).into(),
        };
        (ty, value)
    }

    fn nested_block(&mut self, nested: &NestedBlock, unknowns: Unknowns) -> (Type, Value) {
        if unknowns == Unknowns::Some && self.choice(8) == 1 {
            return (nested.implied_type(), Value::computed());
        }
        match nested.nesting {
            Nesting::Single if self.choice(3) == 0 => (nested.implied_type(), Value::NULL),
            Nesting::Single | Nesting::Group => self.object(&nested.block, unknowns),
            Nesting::List | Nesting::Set => {
                let n_items = self.choice(4);
                let (types, values): (Vec<_>, Vec<_>) = (0..n_items)
                    .map(|_| self.object(&nested.block, unknowns))
                    .unzip();
                let ty = if nested.is_dynamic() {
                    Type::Tuple(types.into())
                } else {
                    nested.implied_type()
                };
                (ty, values.into())
            }
            Nesting::Map => {
                let keys = ["x", "y", "z"];
                let n_items = usize::from(self.choice(4));
                let items = keys[..n_items]
                    .iter()
                    .map(|key| (Arc::from(*key), self.object(&nested.block, unknowns)));
                let (ty, value) = object_of(items.collect());
                if nested.is_dynamic() {
                    (ty, value)
                } else {
                    (nested.implied_type(), value)
                }
            }
        }
    }

    fn value(&mut self, ty: &Type, unknowns: Unknowns) -> (Type, Value) {
        match self.choice(6) {
            0 => return (ty.clone(), Value::NULL),
            1 if unknowns == Unknowns::Some => return (ty.clone(), Value::computed()),
            _ => {}
        }
        let value = match ty {
            Type::Bool => Value::from(self.choice(2) == 1),
            Type::Number => {
                let text = ["0", "-1.5", "100000000000000000000000001", "0.1"];
                let text = text[usize::from(self.choice(4))];
                Value::from(Number::exact(text).expect("a number"))
            }
            Type::String => Value::from(["", "a", "e\u{301}", "x y"][usize::from(self.choice(4))]),
            Type::Array(element) | Type::Set(element) => {
                let n_items = self.choice(3);
                let items = (0..n_items).map(|_| self.value(element, unknowns).1);
                Value::from(items.collect::<Vec<_>>())
            }
            Type::Map(element) => {
                let item = self.value(element, unknowns).1;
                Map::from_iter([("k", item)]).into()
            }
            Type::Object(object) => {
                let fields = object
                    .attributes
                    .iter()
                    .map(|(name, ty)| (name.clone(), self.value(ty, unknowns).1));
                fields.collect::<Map>().into()
            }
            _ => {
                let ty = self.ty(1, Parts::Static);
                return self.value(&ty, unknowns);
            }
        };
        (ty.clone(), value)
    }
}

fn object_of(fields: Vec<(Arc<str>, (Type, Value))>) -> (Type, Value) {
    let mut object = ObjectType::default();
    let mut entries = Vec::new();
    for (name, (ty, value)) in fields {
        object.attributes.insert(name.clone(), ty);
        entries.push((name, value));
    }
    (Type::Object(object), Map::from_iter(entries).into())
}
