//! cty values as MessagePack, the encoding of binary plan files.
//!
//! The type directs the decoding: a list, set or tuple is an array, a map or object is a map. For the type `dynamic`, the value
//! is an array of its type (JSON in a byte string) and the value itself. An extension is an unknown value with its refinements.
//!
//! A byte of a map key that is not UTF-8 is escaped, as in `a�(ff)b`: see [`key`].
//!
//! # Source
//!
//! zclconf/go-cty 1.18.1, `cty/msgpack`.

mod decode;
mod key;
mod open;
mod unknown;

use super::Path;

pub use decode::from_msgpack;
pub use key::{key, key_bytes};
pub use open::from_msgpack_open;

/// A decoding error.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
#[error("expected {expected} at {path}")]
pub struct Error {
    /// The path in the value.
    pub path: Path,
    /// A description of the expected value.
    pub expected: String,
}

/// Maximum nesting depth of values. It also limits values of type `dynamic`, whose depth no type limits.
const MAX_DEPTH: usize = 300;

/// Type code of an extension with refinements.
const REFINED: i8 = 0x0c;

/// Maximum size of the refinements in bytes.
const MAX_REFINED: usize = 1_024;
