//! cty values as MessagePack: what binary plan files hold.
//!
//! The type directs the reading: a list, set or tuple is an array, a map or object a map. Where the type says `dynamic`, the value
//! is an array of its type (JSON in a byte string) and itself. An extension is an unknown value, with its refinements inside.
//!
//! # Source
//!
//! zclconf/go-cty 1.18.1, `cty/msgpack`.

mod decode;
mod open;
mod unknown;

use super::Path;

pub use decode::from_msgpack;
pub use open::from_msgpack_open;

/// Where and why bytes are no value of a type.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
#[error("expected {expected} at {path}")]
pub struct Error {
    /// Where in the value.
    pub path: Path,
    /// What was expected there.
    pub expected: String,
}

/// How deep values may nest, those of `dynamic` type included, whose depth no type limits.
const MAX_DEPTH: usize = 300;

/// The code of an extension with refinements.
const REFINED: i8 = 0x0c;

/// The longest body of refinements.
const MAX_REFINED: usize = 1_024;
