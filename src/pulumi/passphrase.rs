//! Secrets of a Pulumi stack with the passphrase provider.
//!
//! The state (and `Pulumi.STACK.yaml`) keeps `v1:SALT:CHECK`, where the check value is the ciphertext of the word `pulumi`. The
//! key is PBKDF2-HMAC-SHA256 of the passphrase with the salt, 1,000,000 iterations, 32 bytes. A ciphertext is
//! `v1:NONCE:CIPHERTEXT`: AES-256-GCM, no associated data, base64. The plaintext is the JSON of a stored value.
//!
//! # Source
//!
//! pulumi/pulumi `pkg/secrets/passphrase` and `sdk/go/common/resource/config/crypt.go`.

use sha2::Sha256;
use zeroize::Zeroizing;

use crate::pulumi::wire::{self, Decrypt, DecryptError};
use crate::secrets::{Key, NONCE, base64, open};
use crate::text::escaped;
use crate::value::{Map, Payload, Sealed, Value};

/// Number of hash iterations for the passphrase: about a second.
pub const ITERATIONS: u32 = 1_000_000;

/// Length of the key in bytes.
pub const KEY_LENGTH: usize = 32;

/// The reason why a stack stays locked.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum UnlockError {
    /// The check value cannot be decrypted.
    #[error("incorrect passphrase")]
    Passphrase,
    /// The salt is malformed.
    #[error("malformed salt: expected {0}")]
    Salt(&'static str),
    /// The stack keeps its secrets with another provider.
    #[error("the secrets of this stack are kept by {provider}; `{command}` shows them")]
    Provider {
        /// The provider, as the state names it.
        provider: String,
        /// The command that shows the secrets.
        command: &'static str,
    },
}

/// The salt of a stack, from the `secrets_providers` of its deployment.
///
/// # Errors
///
/// [`UnlockError::Provider`] for a stack that asks a service for its key, [`UnlockError::Salt`] if there is no salt.
pub fn salt(secrets_providers: &Value) -> Result<&str, UnlockError> {
    let kind = secrets_providers
        .get("type")
        .and_then(Value::as_str)
        .filter(|kind| !kind.is_empty())
        .ok_or(UnlockError::Salt("`secrets_providers`"))?;
    let state = |key| {
        let state = secrets_providers.get("state")?;
        state.get(key).and_then(Value::as_str)
    };
    let provider = match kind {
        "passphrase" => {
            return state("salt").ok_or(UnlockError::Salt("a salt in `secrets_providers`"));
        }
        "service" => "the Pulumi service".to_owned(),
        "cloud" => match state("url").and_then(|url| url.split_once("://")) {
            Some((scheme, _)) => format!("a cloud key service ({})", escaped(scheme)),
            None => "a cloud key service".to_owned(),
        },
        kind => format!("`{}`", escaped(kind)),
    };
    Err(UnlockError::Provider {
        provider,
        command: "pulumi stack export --show-secrets",
    })
}

/// The key of `passphrase` with `salt`. Takes about a second.
pub fn derive(passphrase: &[u8], salt: &[u8]) -> Key {
    let mut key = Zeroizing::new(vec![0; KEY_LENGTH]);
    pbkdf2::pbkdf2_hmac::<Sha256>(passphrase, salt, ITERATIONS, &mut key);
    Key::from(key)
}

/// The key of a stack, checked with the check value.
#[derive(Clone, Debug)]
pub struct Unlocked {
    key: Key,
}

impl Unlocked {
    /// The plaintext of `v1:NONCE:CIPHERTEXT`; `None` if the text does not have this form or this key does not decrypt it.
    fn open(&self, ciphertext: &str) -> Option<Zeroizing<Vec<u8>>> {
        let parts = Parts::parse(ciphertext)?;
        open(self.key.as_bytes(), &parts.nonce, &parts.ciphertext, &[])
    }

    /// `value` with every sealed secret below it opened. Each stays secret: it is shown when the person asks for it.
    ///
    /// Also returns the number of secrets that could not be opened. They stay sealed.
    pub fn unseal(&self, value: &Value) -> (Value, usize) {
        let mut n_sealed = 0;
        let opened = self.unseal_below(value, 0, &mut n_sealed);
        (opened, n_sealed)
    }

    fn unseal_below(&self, value: &Value, depth: usize, n_sealed: &mut usize) -> Value {
        if depth > crate::json::MAX_DEPTH {
            return value.clone();
        }
        let Payload::Sealed(sealed) = value.payload() else {
            return value.with_parts(|_, item| self.unseal_below(item, depth + 1, n_sealed));
        };
        if let Sealed::Ciphertext(ciphertext) = sealed {
            let stored = Value::from(Map::from_iter([
                (wire::SIGNATURE, Value::from(wire::SECRET)),
                ("ciphertext", Value::from(&**ciphertext)),
            ]));
            if let Ok(opened) = wire::decode_state(&stored, Some(self)) {
                return value.clone().with_payload(opened.into_payload());
            }
        }
        *n_sealed += 1;
        value.clone()
    }
}

impl Decrypt for Unlocked {
    fn decrypt(&self, ciphertext: &str) -> Result<Zeroizing<String>, DecryptError> {
        let bytes = self.open(ciphertext).ok_or(DecryptError)?;
        let text = std::str::from_utf8(&bytes).map_err(|_| DecryptError)?;
        Ok(Zeroizing::new(text.to_owned()))
    }
}

/// The key of a stack from its passphrase (which may be empty) and its `salt`, the text `v1:SALT:v1:NONCE:CHECK`.
///
/// # Errors
///
/// If the salt is malformed, which is reported before the key is derived, or the passphrase is wrong.
pub fn unlock(passphrase: &[u8], salt: &str) -> Result<Unlocked, UnlockError> {
    let mut parts = salt.trim().splitn(3, ':');
    let (version, salt, check) = (parts.next(), parts.next(), parts.next());
    let (Some(version), Some(salt), Some(check)) = (version, salt, check) else {
        return Err(UnlockError::Salt("`v1:`, a salt and a check value"));
    };
    if version != "v1" {
        return Err(UnlockError::Salt("version `v1`"));
    }
    let salt = base64(salt).ok_or(UnlockError::Salt("a salt in base64"))?;
    if Parts::parse(check).is_none() {
        return Err(UnlockError::Salt("a check value `v1:NONCE:CIPHERTEXT`"));
    }
    let unlocked = Unlocked {
        key: derive(passphrase, &salt),
    };
    match unlocked.open(check) {
        Some(word) if word.as_slice() == b"pulumi" => Ok(unlocked),
        _ => Err(UnlockError::Passphrase),
    }
}

/// The passphrase in a passphrase file: its text without the white space around it.
pub fn of_file(text: &[u8]) -> &[u8] {
    text.trim_ascii()
}

struct Parts {
    nonce: Vec<u8>,
    ciphertext: Vec<u8>,
}

impl Parts {
    /// `v1:NONCE:CIPHERTEXT`, no more and no fewer parts.
    fn parse(text: &str) -> Option<Self> {
        let mut parts = text.split(':');
        let (version, nonce, ciphertext) = (parts.next()?, parts.next()?, parts.next()?);
        if version != "v1" || parts.next().is_some() {
            return None;
        }
        let nonce = base64(nonce).filter(|nonce| nonce.len() == NONCE)?;
        let ciphertext = base64(ciphertext)?;
        Some(Self { nonce, ciphertext })
    }
}

#[cfg(test)]
mod tests;
