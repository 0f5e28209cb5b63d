//! Encrypted state and plan files of OpenTofu.
//!
//! An envelope is JSON with three fields. `encrypted_data` is base64 (nonce of 12 bytes, ciphertext, tag of 16 bytes; AES-GCM by
//! the length of the key). `encryption_version` is the version. `meta` has the data that each key provider needs to recreate its
//! key. The envelope of a state also has `serial` and `lineage`, which must be those of the state inside.
//!
//! The key comes either from one secret that a person enters ([`Envelope::open`]), or from the text of an `encryption` block, as
//! in `TF_ENCRYPTION` ([`Config`], [`Envelope::open_with`]). Offline that is a passphrase (`pbkdf2`), a static key, or a chain of
//! those. A key held by a key service is reported as [`OpenError::KeyService`].
//!
//! # Source
//!
//! opentofu/opentofu `internal/encryption` (key providers, methods, envelopes).

mod config;
mod envelope;
mod settings;

#[cfg(feature = "internals")]
pub use config::Target;
pub use config::{Config, ConfigError};
#[cfg(feature = "internals")]
pub use envelope::MAX_ITERATIONS;
pub use envelope::{Envelope, EnvelopeError, OpenError, Secret};

#[cfg(test)]
mod tests;
