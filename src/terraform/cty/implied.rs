//! The type implied by JSON.

use indexmap::IndexMap;

use super::tree::{Json, Node};
use crate::json::ParseError;
use crate::types::cty::normal_name;
use crate::types::{ObjectType, Type};

/// The reason why a JSON text implies no type.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ImpliedError {
    /// The text is not JSON.
    #[error("not JSON: {0}")]
    Json(#[source] ParseError),
    /// An object has the same key twice, with values of different types.
    #[error("a key is given twice, with values of different types")]
    RepeatedKey,
}

/// The type that a JSON text implies: object types for objects, tuples for arrays, `dynamic` for null.
///
/// # Errors
///
/// If the text is not JSON, or repeats a key with different types.
///
/// # Source
///
/// zclconf/go-cty 1.18.1, `json.ImpliedType`.
pub fn implied_type(text: &[u8]) -> Result<Type, ImpliedError> {
    implied(&Json::parse(text).map_err(ImpliedError::Json)?)
}

pub(super) fn implied(json: &Json<'_>) -> Result<Type, ImpliedError> {
    Ok(match &json.node {
        Node::Bool(_) => Type::Bool,
        Node::Number(_) => Type::Number,
        Node::String(_) => Type::String,
        Node::Array(items) => Type::Tuple(items.iter().map(implied).collect::<Result<_, _>>()?),
        Node::Object(entries) => {
            // Keys are compared as written, and normalized to names only afterwards.
            let mut types = IndexMap::new();
            for (key, json) in entries {
                let ty = implied(json)?;
                if types.get(key).is_some_and(|earlier| *earlier != ty) {
                    return Err(ImpliedError::RepeatedKey);
                }
                types.insert(key, ty);
            }
            let attributes = types.into_iter().map(|(key, ty)| (normal_name(key), ty));
            Type::Object(ObjectType {
                attributes: attributes.collect(),
                ..ObjectType::default()
            })
        }
        Node::Null | Node::Computed(_) | Node::Other => Type::Dynamic,
    })
}
