//! The invented stack that `stacklens demo` opens: a web shop with a pending preview.
//!
//! It has one of everything: components, secrets with and without their plaintext, unknowns, a replacement that pulls another one
//! after it, policies as JSON in strings (one of them only reformatted), lists with elements in between, texts of several lines.

use crate::load::Input;

/// The preview, as `pulumi preview --json` writes it, except that its secrets are there to be revealed.
pub const PREVIEW: &[u8] = include_bytes!("../../assets/demo.json");

/// The demo as an input.
pub fn input() -> Input {
    Input::bytes("demo", PREVIEW)
}
