//! Schemas: a provider's description of a resource type (`terraform providers schema -json`).
//!
//! A [`Block`] has attributes (a value each) and nested block types (single objects or collections). An attribute may have a
//! nested type: an object, or a collection of objects, with attributes.
//!
//! # Laws
//!
//! 1. **The implied type follows from the schema** and is computed once, when the schema is created. A value conforms to a schema
//!    if its type conforms to [`Block::implied_type`].
//! 2. **A dynamic part below a list or map block makes it a tuple or an object** at value level, and `dynamic` in the implied
//!    type, because its elements may then differ in type. See [`NestedBlock::is_dynamic`].
//! 3. **Reading is tolerant**: unknown fields are ignored, and known fields must have the right type.
//!
//! # Source
//!
//! hashicorp/terraform 883c7221 (1.17.0-dev), `internal/configs/configschema` and `internal/command/jsonprovider`.

mod decode;
mod hidden;
mod providers;
mod read;

use std::sync::Arc;

use indexmap::IndexMap;

use crate::terraform::cty::{Fields, Typed, View, tuple};
use crate::types::cty::{conforms, has_dynamic, without_optional};
use crate::types::{ObjectType, Type};
use crate::value::{Array, Map, Value};

pub use hidden::{Hidden, HiddenPlaces};
pub use providers::{SchemaKind, Schemas};
pub use read::ReadError;

/// A schema with its version, which is compared with a state's `schema_version`.
#[derive(Clone, PartialEq, Debug)]
pub struct Schema {
    /// The version. The provider increments it when old states need an upgrade.
    pub version: u64,
    /// The attributes and blocks of the resource type.
    pub block: Block,
}

/// Attributes and nested block types.
#[derive(Clone, PartialEq, Debug)]
pub struct Block {
    attributes: IndexMap<Arc<str>, Attribute>,
    blocks: IndexMap<Arc<str>, NestedBlock>,
    computed: bool,
    implied: Type,
    dynamic: bool,
}

impl Default for Block {
    /// A block without attributes and blocks.
    fn default() -> Self {
        Self {
            attributes: IndexMap::default(),
            blocks: IndexMap::default(),
            computed: false,
            implied: Type::Object(ObjectType::default()),
            dynamic: false,
        }
    }
}

/// One attribute.
#[derive(Clone, PartialEq, Debug)]
pub struct Attribute {
    /// The type of its value. Derived from `nested` if that is set.
    pub ty: Type,
    /// The nested type, if the attribute has one.
    pub nested: Option<NestedType>,
    /// Flags for the source and the visibility of its value.
    pub flags: AttributeFlags,
    /// The provider's description; "" if it has none.
    pub description: Arc<str>,
}

/// Flags for the source and the visibility of an attribute.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "these are the words of the format, each independent of the others"
)]
pub struct AttributeFlags {
    /// The configuration must set it.
    pub required: bool,
    /// The configuration may set it.
    pub optional: bool,
    /// The provider may set it if the configuration does not.
    pub computed: bool,
    /// Its value is never shown.
    pub sensitive: bool,
    /// Its value goes to the provider, and is not stored in any state or plan.
    pub write_only: bool,
    /// The provider has deprecated it.
    pub deprecated: bool,
}

/// The nested type of an attribute.
#[derive(Clone, PartialEq, Debug)]
pub struct NestedType {
    /// The kind of object or collection; never [`Nesting::Group`].
    pub nesting: Nesting,
    attributes: IndexMap<Arc<str>, Attribute>,
}

/// A nested block type.
#[derive(Clone, PartialEq, Debug)]
pub struct NestedBlock {
    /// The nesting mode: a single block or a collection, and the way its instances are identified.
    pub nesting: Nesting,
    /// The contents of each instance.
    pub block: Block,
    /// Minimum number of blocks in a configuration.
    pub min_items: u64,
    /// Maximum number of blocks in a configuration; 0 if unlimited.
    pub max_items: u64,
}

/// The way in which nested objects are held.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Nesting {
    /// One object, or null.
    Single,
    /// One object, never null: an absent block reads as an empty one.
    Group,
    /// Objects in order.
    List,
    /// Objects without order or repetition.
    Set,
    /// Objects by key.
    Map,
}

impl Nesting {
    /// True if there may be any number of objects.
    pub fn is_collection(self) -> bool {
        matches!(self, Self::List | Self::Set | Self::Map)
    }

    /// The type of objects of type `object` that are held in this way.
    fn of_objects(self, object: Type) -> Type {
        match self {
            Self::Single | Self::Group => object,
            Self::List => Type::Array(Arc::new(object)),
            Self::Set => Type::Set(Arc::new(object)),
            Self::Map => Type::Map(Arc::new(object)),
        }
    }

    /// The name in schema files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Single => "single",
            Self::Group => "group",
            Self::List => "list",
            Self::Set => "set",
            Self::Map => "map",
        }
    }
}

impl Block {
    /// A block of these attributes and nested block types. `computed` is true for blocks that a provider may fill in.
    pub fn new(
        attributes: IndexMap<Arc<str>, Attribute>,
        blocks: IndexMap<Arc<str>, NestedBlock>,
        computed: bool,
    ) -> Self {
        let mut object = object_of(&attributes);
        for (name, nested) in &blocks {
            object
                .attributes
                .insert(name.clone(), nested.implied_type());
        }
        let implied = Type::Object(object);
        Self {
            dynamic: has_dynamic(&implied),
            attributes,
            blocks,
            computed,
            implied,
        }
    }

    /// The attributes, in file order.
    pub fn attributes(&self) -> &IndexMap<Arc<str>, Attribute> {
        &self.attributes
    }

    /// The nested block types, in file order.
    pub fn blocks(&self) -> &IndexMap<Arc<str>, NestedBlock> {
        &self.blocks
    }

    /// True if the provider may fill in blocks of this kind.
    pub fn is_computed(&self) -> bool {
        self.computed
    }

    /// The object type of this block's values. It has `dynamic` where the type depends on the value.
    pub fn implied_type(&self) -> &Type {
        &self.implied
    }

    /// True if a value conforms to this block's implied type. Where that type leaves the elements of a list or map open, each
    /// element must conform to its block or nested type. A null conforms whatever its type, and so does an unknown of type
    /// `dynamic`.
    pub fn admits(&self, value: View<'_>) -> bool {
        if is_open(value) || (!self.dynamic && conforms(value.ty, &self.implied)) {
            return true;
        }
        let Type::Object(object) = value.ty else {
            return false;
        };
        let admits = |name: &str| match (self.attributes.get(name), self.blocks.get(name)) {
            (Some(attribute), _) => attribute.admits(value.attribute(name)),
            (None, Some(nested)) => nested.admits(value.attribute(name)),
            (None, None) => false,
        };
        object.attributes.len() == self.attributes.len() + self.blocks.len()
            && object.attributes.keys().all(|name| admits(name))
    }

    /// The decoded value of an empty block: attributes null, single blocks null, group blocks empty in turn, collections empty.
    /// Known as `AllAttributesNull` in 0.13 and as `EmptyValue` today.
    pub fn empty_value(&self) -> Typed {
        let mut fields = Fields::default();
        for (name, attribute) in &self.attributes {
            fields.add(name, Typed::null(attribute.ty.clone()));
        }
        for (name, nested) in &self.blocks {
            fields.add(name, nested.empty_value());
        }
        fields.into_object()
    }
}

impl Attribute {
    /// An attribute of a plain type.
    pub fn new(ty: &Type, flags: AttributeFlags) -> Self {
        Self {
            ty: without_optional(ty),
            nested: None,
            flags,
            description: Arc::from(""),
        }
    }

    /// An attribute of a nested type.
    pub fn nested(nested: NestedType, flags: AttributeFlags) -> Self {
        Self {
            ty: nested.implied_type(),
            nested: Some(nested),
            flags,
            description: Arc::from(""),
        }
    }
}

/// True if the value conforms to anything: it is null, or its type is `dynamic`.
fn is_open(value: View<'_>) -> bool {
    value.is_null() || *value.ty == Type::Dynamic
}

/// True if each of several objects conforms. A list whose elements differ in type is a tuple, and such a map is an object.
fn all_admitted(nesting: Nesting, value: View<'_>, admits: impl Fn(View<'_>) -> bool) -> bool {
    match (nesting, value.ty) {
        (Nesting::Single | Nesting::Group, _) => admits(value),
        // The elements of an unknown follow from its type.
        (Nesting::List, Type::Tuple(types)) if !value.is_known() => {
            types.iter().map(View::unknown).all(admits)
        }
        (Nesting::Map, Type::Object(object)) if !value.is_known() => {
            object.attributes.values().map(View::unknown).all(admits)
        }
        (Nesting::List, Type::Array(_) | Type::Tuple(_))
        | (Nesting::Set, Type::Set(_))
        | (Nesting::Map, Type::Map(_) | Type::Object(_)) => {
            value.is_known() && value.parts().all(admits)
        }
        _ => false,
    }
}

impl Attribute {
    fn admits(&self, value: View<'_>) -> bool {
        if is_open(value) || conforms(value.ty, &self.ty) {
            return true;
        }
        let admits = |nested: &NestedType| {
            all_admitted(nested.nesting, value, |object| nested.admits(object))
        };
        self.nested.as_ref().is_some_and(admits)
    }
}

impl NestedType {
    /// True if an object has only these attributes, and each conforms. A missing attribute reads as null.
    fn admits(&self, object: View<'_>) -> bool {
        let Type::Object(ty) = object.ty else {
            return is_open(object);
        };
        ty.attributes.keys().all(|name| {
            let attribute = self.attributes.get(name);
            attribute.is_some_and(|attribute| attribute.admits(object.attribute(name)))
        })
    }
}

impl NestedType {
    /// A collection of objects with these attributes. A group becomes single: attributes have no groups.
    pub fn new(nesting: Nesting, attributes: IndexMap<Arc<str>, Attribute>) -> Self {
        let nesting = if nesting == Nesting::Group {
            Nesting::Single
        } else {
            nesting
        };
        Self {
            nesting,
            attributes,
        }
    }

    /// The attributes of each object.
    pub fn attributes(&self) -> &IndexMap<Arc<str>, Attribute> {
        &self.attributes
    }

    fn implied_type(&self) -> Type {
        let object = Type::Object(object_of(&self.attributes));
        self.nesting.of_objects(object)
    }
}

impl NestedBlock {
    /// True if the instances may differ in type, so that a list of them is a tuple and a map of them an object.
    pub fn is_dynamic(&self) -> bool {
        self.block.dynamic
    }

    /// The type of the value under the name of the blocks. It has `dynamic` where the type depends on the value.
    pub fn implied_type(&self) -> Type {
        match self.nesting {
            Nesting::List | Nesting::Map if self.is_dynamic() => Type::Dynamic,
            nesting => nesting.of_objects(self.block.implied.clone()),
        }
    }

    fn admits(&self, value: View<'_>) -> bool {
        is_open(value)
            || (!self.is_dynamic() && conforms(value.ty, &self.implied_type()))
            || all_admitted(self.nesting, value, |element| self.block.admits(element))
    }

    /// The value for no blocks of this kind.
    pub fn empty_value(&self) -> Typed {
        let of = |value: Value| Typed::trusted(self.implied_type(), value);
        match self.nesting {
            Nesting::Single => of(Value::NULL),
            Nesting::Group => self.block.empty_value(),
            Nesting::List if self.is_dynamic() => tuple([]),
            Nesting::Map if self.is_dynamic() => Fields::default().into_object(),
            Nesting::List | Nesting::Set => of(Array::default().into()),
            Nesting::Map => of(Map::default().into()),
        }
    }
}

fn object_of(attributes: &IndexMap<Arc<str>, Attribute>) -> ObjectType {
    ObjectType {
        attributes: attributes
            .iter()
            .map(|(name, attribute)| (name.clone(), attribute.ty.clone()))
            .collect(),
        ..ObjectType::default()
    }
}
