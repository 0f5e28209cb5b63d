//! The places that schemas mark as sensitive or write-only.
//!
//! They are read from the raw JSON and not from the parsed schema: a schema that cannot be fully parsed still says which values
//! to mask.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use super::SchemaKind;
use super::providers::full_name;
use crate::value::{Array, Map, Payload, Value};

/// Maximum depth of blocks and nested types. Everything deeper is hidden.
const MAX_DEPTH: usize = 100;

/// The sensitive and write-only places of a block.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Hidden {
    /// True if the whole value is hidden.
    all: bool,
    layout: Layout,
    /// Hidden places in each object, by the name of the attribute or block. Empty if nothing is hidden.
    below: BTreeMap<Arc<str>, Self>,
}

/// The layout of a block's objects in its value.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
enum Layout {
    /// A single object, or objects in a list.
    #[default]
    Object,
    /// Objects in a set. Its elements have no keys, so all of it is hidden if something in it is.
    Set,
    /// Objects in a map, under arbitrary keys.
    ByKey,
}

impl Hidden {
    /// Reads the hidden places of a block from its attributes and nested blocks.
    fn of_block(block: &Value, depth: usize) -> Self {
        if depth > MAX_DEPTH {
            return Self::everything();
        }
        let mut below = BTreeMap::new();
        for (name, attribute) in entries(block, "attributes") {
            below.insert(name.clone(), Self::of_attribute(attribute, depth));
        }
        for (name, nested) in entries(block, "block_types") {
            let inner = nested.get("block").unwrap_or(&Value::NULL);
            let inner = Self::of_block(inner, depth + 1);
            below.insert(name.clone(), inner.nested(nested));
        }
        below.retain(|_, hidden| !hidden.is_empty());
        Self {
            below,
            ..Self::default()
        }
    }

    /// Applies the collection type in `schema`. If that is unknown, all of the collection is hidden.
    fn nested(self, schema: &Value) -> Self {
        if self.is_empty() {
            return self;
        }
        let layout = match schema.get("nesting_mode").and_then(Value::as_str) {
            Some("single" | "group" | "list") => Layout::Object,
            Some("set") => Layout::Set,
            Some("map") => Layout::ByKey,
            _ => return Self::everything(),
        };
        Self { layout, ..self }
    }

    fn of_attribute(attribute: &Value, depth: usize) -> Self {
        // Anything but null and false may mean true.
        let is_set = |key: &str| match attribute.get(key).map(Value::payload) {
            None | Some(Payload::Null | Payload::Bool(false)) => false,
            Some(_) => true,
        };
        if is_set("sensitive") || is_set("write_only") {
            return Self::everything();
        }
        match attribute.get("nested_type") {
            Some(nested) => Self::of_block(nested, depth + 1).nested(nested),
            None => Self::default(),
        }
    }

    fn everything() -> Self {
        Self {
            all: true,
            ..Self::default()
        }
    }

    /// True if nothing is hidden.
    pub fn is_empty(&self) -> bool {
        !self.all && self.below.is_empty()
    }

    /// Everything that either of the two hides.
    fn union(&self, other: &Self) -> Self {
        if self.all || other.all || self.layout != other.layout && !self.is_empty() {
            return Self::everything();
        }
        let mut below = self.below.clone();
        for (name, hidden) in &other.below {
            let both = below
                .get(name)
                .map_or_else(|| hidden.clone(), |own| own.union(hidden));
            below.insert(name.clone(), both);
        }
        Self {
            below,
            ..other.clone()
        }
    }

    /// The value with its hidden places marked as secret.
    ///
    /// ```
    /// use stacklens::json::{Numbers, parse};
    /// use stacklens::terraform::schema::{HiddenPlaces, SchemaKind};
    ///
    /// let json = |text: &str| parse(text.as_bytes(), Numbers::Exact).unwrap().value;
    /// let schemas = json(r#"{"provider_schemas": {"p": {"resource_schemas": {"t": {"block": {
    ///     "attributes": {"password": {"type": "string", "sensitive": true}}}}}}}}"#);
    /// let places = HiddenPlaces::new(&schemas);
    /// let hidden = places.find("p", SchemaKind::Managed, "t").unwrap();
    /// let folded = hidden.fold(&json(r#"{"user": "a", "password": "b"}"#));
    /// assert_eq!(folded.to_string(), r#"{user: "a", password: [secret]}"#);
    /// ```
    #[must_use]
    pub fn fold(&self, value: &Value) -> Value {
        if self.all {
            return value.clone().with_secret(true);
        }
        if self.below.is_empty() {
            return value.clone();
        }
        let folded = match value.payload() {
            Payload::Array(items) => {
                let items: Array = items.iter().map(|item| self.fold_object(item)).collect();
                if self.layout == Layout::Set && items.iter().any(Value::has_secrets) {
                    return value.clone().with_secret(true);
                }
                Payload::Array(items)
            }
            Payload::Map(map) => {
                let entry = |(key, value): (&Arc<str>, &Value)| {
                    let folded = match self.below.get(key) {
                        _ if self.layout == Layout::ByKey => self.fold_object(value),
                        Some(hidden) => hidden.fold(value),
                        None => value.clone(),
                    };
                    (key.clone(), folded)
                };
                Payload::Map(map.iter().map(entry).collect::<Map>())
            }
            // A null or an unknown hides nothing. Anything else is not an object, so it may be the contents of one.
            Payload::Null | Payload::Computed(_) => return value.clone(),
            _ => return value.clone().with_secret(true),
        };
        value.clone().with_payload(folded)
    }

    /// Like [`Self::fold`], for one object of a collection.
    fn fold_object(&self, value: &Value) -> Value {
        let object = Self {
            layout: Layout::Object,
            ..self.clone()
        };
        object.fold(value)
    }

    /// True if the value at `path`, names without indexes, is hidden, or something below it is.
    pub fn hides<'p>(&self, mut path: impl Iterator<Item = &'p str>) -> bool {
        if self.all {
            return true;
        }
        // A key of a map is not a name.
        if self.layout == Layout::ByKey {
            return !self.is_empty();
        }
        match path.next() {
            Some(name) => self.below.get(name).is_some_and(|it| it.hides(path)),
            None => !self.is_empty(),
        }
    }

    /// Calls `found` with the names on the path to each hidden place.
    pub fn each(&self, found: &mut dyn FnMut(&[&str])) {
        self.walk(&mut Vec::new(), found);
    }

    fn walk<'h>(&'h self, above: &mut Vec<&'h str>, found: &mut dyn FnMut(&[&str])) {
        if self.all {
            return found(above);
        }
        for (name, hidden) in &self.below {
            above.push(name);
            hidden.walk(above, found);
            above.pop();
        }
    }
}

/// The hidden places of all types in a set of schemas.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct HiddenPlaces(Arc<HashMap<TypeName, Vec<OfProvider>>>);

/// A kind of resource, and the name of its type.
type TypeName = (SchemaKind, Arc<str>);

/// A provider, and the hidden places of one of its types.
type OfProvider = (Arc<str>, Arc<Hidden>);

impl HiddenPlaces {
    /// Reads the schemas of a file (`{format_version, provider_schemas}`).
    pub fn new(schemas: &Value) -> Self {
        let mut places: HashMap<_, Vec<OfProvider>> = HashMap::new();
        let providers = schemas.get("provider_schemas").unwrap_or(schemas);
        for (provider, schemas) in providers.as_map().into_iter().flatten() {
            let mut add = |kind, ty: &Arc<str>, schema: &Value| {
                let block = schema.get("block").unwrap_or(schema);
                let hidden = Arc::new(Hidden::of_block(block, 0));
                places
                    .entry((kind, ty.clone()))
                    .or_default()
                    .push((provider.clone(), hidden));
            };
            for kind in SchemaKind::OF_TYPES {
                for (ty, schema) in entries(schemas, kind.key()) {
                    add(kind, ty, schema);
                }
            }
            if let Some(schema) = schemas.get(SchemaKind::Provider.key()) {
                add(SchemaKind::Provider, &Arc::default(), schema);
            }
        }
        places.retain(|_, all| all.iter().any(|(_, hidden)| !hidden.is_empty()));
        Self(Arc::new(places))
    }

    /// True if no type hides anything.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The providers with hidden places in their own configuration.
    pub fn providers(&self) -> impl Iterator<Item = (&str, &Hidden)> {
        let all = self.0.get(&(SchemaKind::Provider, Arc::default()));
        let all = all.into_iter().flatten();
        all.map(|(provider, hidden)| (&**provider, &**hidden))
    }

    /// The hidden places of a type of `provider`, which is a full name or a reference from a state
    /// (`provider["registry.terraform.io/hashicorp/aws"].west`). If the provider is not known by that name (old files, or another
    /// registry), everything that any provider hides in a type of that name. `None` if nothing is hidden.
    pub fn find(&self, provider: &str, kind: SchemaKind, ty: &str) -> Option<Arc<Hidden>> {
        if self.0.is_empty() {
            return None;
        }
        let all = self.0.get(&(kind, Arc::from(ty)))?;
        let provider = full_name(provider);
        let own = all.iter().find(|(name, _)| **name == *provider);
        let hidden = match (own, &all[..]) {
            (Some((_, hidden)), _) | (None, [(_, hidden)]) => hidden.clone(),
            (None, all) => {
                let hidden = all.iter().map(|(_, hidden)| &**hidden);
                Arc::new(hidden.fold(Hidden::default(), |all, one| all.union(one)))
            }
        };
        (!hidden.is_empty()).then_some(hidden)
    }
}

fn entries<'v>(value: &'v Value, key: &str) -> impl Iterator<Item = (&'v Arc<str>, &'v Value)> {
    value.get(key).and_then(Value::as_map).into_iter().flatten()
}
