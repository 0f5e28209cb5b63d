//! Types of a plan file's values by the schemas of its providers: a number that no double holds is written as a text, and only its
//! type tells it from one.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;

use crate::json::{self, Numbers};
use crate::terraform::schema::{self, Kind};
use crate::types::Type;

/// The provider, the kind and the name of a resource type.
type Name = (String, Kind, String);

/// The schemas in the document of `providers schema -json`; without one, no type is known.
pub(super) struct Schemas {
    schemas: schema::Schemas,
    /// The types that were asked for: a plan asks for the same few again and again.
    known: RefCell<HashMap<Name, Option<Arc<Type>>>>,
}

impl Schemas {
    /// Reads the document; what is no such document has no schemas.
    pub(super) fn read(bytes: Option<&[u8]>) -> Self {
        let parsed = bytes.and_then(|bytes| json::parse(bytes, Numbers::Exact).ok());
        let schemas = parsed.map(|parsed| schema::Schemas::new(&parsed.value));
        Self {
            schemas: schemas.unwrap_or_default(),
            known: RefCell::default(),
        }
    }

    /// The type of the values of a resource type.
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
