//! The values of a plan file. Their types come from the schemas of the providers: numbers that do not fit a double are written as
//! strings, and only the type distinguishes them from strings.
//!
//! A value that cannot be decoded is null, and is noted.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;

use super::parts::Parts;
use crate::format::table::Lost;
use crate::json::{self, Numbers};
use crate::terraform::cty::from_msgpack_open;
use crate::terraform::schema::{self, SchemaKind};
use crate::types::Type;

/// The provider, the kind and the name of a resource type.
type Name = (String, SchemaKind, String);

/// Decodes the values of a plan file, with schemas from the output of `providers schema -json`. Without them no type is known.
pub(super) struct Values {
    schemas: schema::Schemas,
    /// Cache of the types looked up so far: a plan needs the same few again and again.
    known: RefCell<HashMap<Name, Option<Arc<Type>>>>,
    lost: RefCell<Vec<Lost>>,
}

impl Values {
    /// Parses the document. Anything else gives no schemas.
    pub(super) fn read(bytes: Option<&[u8]>) -> Self {
        let parsed = bytes.and_then(|bytes| json::parse(bytes, Numbers::Exact).ok());
        let schemas = parsed.map(|parsed| schema::Schemas::new(&parsed.value));
        Self {
            schemas: schemas.unwrap_or_default(),
            known: RefCell::default(),
            lost: RefCell::default(),
        }
    }

    /// The type of the values of a resource type; `None` if it is not known.
    pub(super) fn type_of(&self, provider: &str, kind: SchemaKind, ty: &str) -> Option<Arc<Type>> {
        let key = (provider.to_owned(), kind, ty.to_owned());
        let mut known = self.known.borrow_mut();
        let found = known.entry(key).or_insert_with(|| {
            let schema = self.schemas.find(provider, kind, ty)?.ok()?;
            Some(Arc::new(schema.block.implied_type().clone()))
        });
        found.clone()
    }

    /// Decodes a value, with its type if that is known. `place` and `part` name it in the note if it cannot be decoded.
    pub(super) fn unpack(&self, place: &str, part: &str, bytes: &[u8], ty: Option<&Type>) -> Parts {
        match from_msgpack_open(ty, bytes) {
            Ok(value) => Parts::of(value),
            Err(error) => {
                self.lose(
                    place,
                    format!("`{part}` cannot be decoded and is shown as null: {error}"),
                );
                Parts::default()
            }
        }
    }

    /// Notes that a part of the plan could not be decoded.
    pub(super) fn lose(&self, place: &str, message: String) {
        let place = place.to_owned();
        self.lost.borrow_mut().push(Lost { place, message });
    }

    /// The parts that could not be decoded.
    pub(super) fn into_lost(self) -> Vec<Lost> {
        self.lost.into_inner()
    }
}
