//! JSON: a pull tokenizer, a value builder and a printer.
//!
//! This is the only JSON reader for the contents of a person's file. It keeps what general readers drop: the exact digits of
//! numbers, the order of keys, byte offsets, and strings that are not Unicode.
//!
//! - [`Reader`] gives tokens with byte offsets and builds nothing. Strings without escapes are borrowed.
//! - `tape` does the same for texts that are read once and are almost always valid: faster, but without error
//!   details.
//! - [`parse`] builds a [`Value`](crate::value::Value) of null, bool, number, string, array and map, without markers. The
//!   *meaning* of such JSON (secrets, unknowns, assets) comes from [`crate::pulumi::wire`] and the readers of the formats.
//! - [`to_compact`] and [`to_pretty`] print; [`write_pretty`] and [`write_compact`] print the documents of this program, which are no values.
//!
//! # Laws
//!
//! 1. **Total.** Every input ends in a value or a [`ParseError`] with its position. Nothing recurses, so no nesting overflows a
//!    stack.
//! 2. **Tolerant where meaning survives.** A repeated key (the last one wins), a lone surrogate, bytes that are not UTF-8 and raw
//!    control characters in a string are accepted and noted. So are numbers beyond the range of the program that wrote them
//!    ([`Note`]).
//! 3. **Exact.** With [`Numbers::Exact`] no number passes through a double; with [`Numbers::Double`] each is the nearest double.
//! 4. **Printing is safe to show.** C0, C1, DEL, bidirectional and zero-width characters are written `\uXXXX`; reading the text
//!    back gives the same value. Secrets print as `"[secret]"` and unknowns as `"[unknown]"`.
//!
//! # Units
//!
//! Offsets are bytes from the start of the text. Lines and columns count from 1; a column counts characters.
//!
//! # Example
//!
//! ```
//! use stacklens::json::{self, Numbers};
//!
//! let parsed = json::parse(br#"{"n": 9007199254740993, "n": 0.10}"#, Numbers::Exact)?;
//! assert_eq!(json::to_compact(&parsed.value), r#"{"n":0.1}"#);
//! assert_eq!(parsed.notes.len(), 1);
//! # Ok::<(), json::ParseError>(())
//! ```
//!
//! # Source
//!
//! RFC 8259 for the grammar; WTF-8 (Simon Sapin) for strings with lone surrogates.

pub(crate) mod block;
mod build;
mod print;
mod reader;
pub(crate) mod tape;
mod text;

pub use build::{MAX_DEPTH, Note, NoteKind, Numbers, build, parse, parse_pairs};
pub(crate) use print::{Json, serialize_raw};
pub use print::{to_compact, to_pretty, write_compact, write_pretty, write_string};
pub use reader::{Reader, Token};
pub use text::Str;

pub use crate::text::ParseError;

/// True for a text that is JSON where something else was expected. Cut off, it may still begin like an object.
pub fn is_json(text: &str) -> bool {
    text.trim_start().starts_with('{') || parse(text.as_bytes(), Numbers::Exact).is_ok()
}

#[cfg(test)]
mod tests;
