//! Encrypted state and plan files of OpenTofu.
//!
//! An envelope is JSON: `encrypted_data` in base64 (nonce of 12 bytes, ciphertext, tag of 16 bytes; AES-GCM by the length of the key),
//! `encryption_version`, and `meta` with what each key provider needs to make the key again. A state has `serial` and `lineage` beside
//! it, which must be those of the state inside.
//!
//! A key comes from one secret that a person gives ([`Envelope::open`]) or from the text of an `encryption` block, as
//! `TF_ENCRYPTION` holds it ([`Config`], [`Envelope::open_with`]). Offline that is a passphrase (`pbkdf2`), a static key, or a chain
//! of those; what a key service holds is named ([`OpenError::KeyService`]).
//!
//! # Source
//!
//! opentofu/opentofu `internal/encryption` (key providers, methods, envelopes).

mod config;
mod envelope;
mod settings;

pub use config::{Config, ConfigError, Target};
pub use envelope::{Envelope, EnvelopeError, Hash, MAX_ITERATIONS, Meta, OpenError, Secret};

#[cfg(test)]
mod tests;
