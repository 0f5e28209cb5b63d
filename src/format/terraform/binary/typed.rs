//! Types of a plan file's values, from the schemas of its providers. Numbers that do not fit a double are written as strings, and
//! only the type distinguishes them from strings.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;

use crate::json::{self, Numbers};
use crate::terraform::schema::{self, Kind};
use crate::types::Type;

/// The provider, the kind and the name of a resource type.
type Name = (String, Kind, String);

/// Schemas from the output of `providers schema -json`. Without them no type is known.
pub(super) struct Schemas {
    schemas: schema::Schemas,
    /// Cache of the types looked up so far: a plan needs the same few again and again.
    known: RefCell<HashMap<Name, Option<Arc<Type>>>>,
}

impl Schemas {
    /// Parses the document. Anything else gives no schemas.
    pub(super) fn read(bytes: Option<&[u8]>) -> Self {
        let parsed = bytes.and_then(|bytes| json::parse(bytes, Numbers::Exact).ok());
        let schemas = parsed.map(|parsed| schema::Schemas::new(&parsed.value));
        Self {
            schemas: schemas.unwrap_or_default(),
            known: RefCell::default(),
        }
    }

    /// The type of the values of a resource type; `None` if it is not known.
    pub(super) fn type_of(&self, provider: &str, kind: Kind, ty: &str) -> Option<Arc<Type>> {
        let key = (provider.to_owned(), kind, ty.to_owned());
        let mut known = self.known.borrow_mut();
        let found = known.entry(key).or_insert_with(|| {
            let schema = self.schemas.find(provider, kind, ty)?.ok()?;
            Some(Arc::new(schema.block.implied_type().clone()))
        });
        found.clone()
    }
}
