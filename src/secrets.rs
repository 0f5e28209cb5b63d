//! Unlocking: keys and ciphertexts to plaintexts. Pure: bytes and keys in, bytes out.
//!
//! A person who owns a stack may open its secrets: those of a Pulumi stack with the passphrase provider
//! ([`crate::pulumi::passphrase`]), and the encrypted state and plan files of OpenTofu ([`crate::terraform::encryption`]).
//! Keys and secrets held by another provider or key service are out of reach of an offline program; the errors name what would
//! be needed.
//!
//! Both worlds use these primitives, so they belong to the layer below them. The file formats and the derivation of keys are in
//! the worlds.
//!
//! # Laws
//!
//! 1. A wrong passphrase is an error before anything is shown: authenticated encryption accepts no other key.
//! 2. Keys, passphrases and plaintexts are zeroed when they are dropped, and none of them prints. Strings of a value
//!    that was opened, or decoded from a secret, are zeroed with their last owner ([`crate::value::Value::into_wiped`]);
//!    numbers, keys of maps and cells of the screen are not.
//! 3. Text from a file never makes the work unbounded: iterations and sizes have limits.
//!
//! Deriving a key is slow on purpose (up to a second or so): callers do it in the background.

use aes_gcm::aead::consts::U12;
use aes_gcm::aead::{Aead, KeyInit, Payload as Sealed};
use aes_gcm::aes::{Aes128, Aes192, Aes256};
use aes_gcm::{AesGcm, Nonce};
use base64::Engine;
use base64::alphabet;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use zeroize::Zeroizing;

/// Bytes that are zeroed when dropped, and do not print.
#[derive(Clone, PartialEq, Eq)]
pub struct Key(Zeroizing<Vec<u8>>);

impl Key {
    /// The bytes.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }
}

impl From<Vec<u8>> for Key {
    fn from(bytes: Vec<u8>) -> Self {
        Self(Zeroizing::new(bytes))
    }
}

impl From<Zeroizing<Vec<u8>>> for Key {
    fn from(bytes: Zeroizing<Vec<u8>>) -> Self {
        Self(bytes)
    }
}

impl std::fmt::Debug for Key {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Key([secret])")
    }
}

/// Length of the AES-GCM nonce in bytes.
pub(crate) const NONCE: usize = 12;

/// Standard padded base64. As in the engines, stray bits after the last byte are ignored.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &alphabet::STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::RequireCanonical)
        .with_decode_allow_trailing_bits(true),
);

pub(crate) fn base64(text: &str) -> Option<Vec<u8>> {
    BASE64.decode(text).ok()
}

/// Decodes base64 without its padding.
pub(crate) fn base64_unpadded(digits: &[u8]) -> Option<Vec<u8>> {
    const UNPADDED: GeneralPurpose = GeneralPurpose::new(
        &alphabet::STANDARD,
        GeneralPurposeConfig::new()
            .with_decode_padding_mode(DecodePaddingMode::RequireNone)
            .with_decode_allow_trailing_bits(true),
    );
    UNPADDED.decode(digits).ok()
}

/// AES-GCM with a tag of 16 bytes after the ciphertext, by the length of the key: 16, 24 or 32 bytes. `None` if the key has
/// another length or is wrong, or the data were changed.
pub(crate) fn open(
    key: &[u8],
    nonce: &[u8],
    ciphertext: &[u8],
    aad: &[u8],
) -> Option<Zeroizing<Vec<u8>>> {
    fn with<C: Aead + KeyInit>(
        key: &[u8],
        nonce: &aes_gcm::aead::Nonce<C>,
        sealed: Sealed<'_, '_>,
    ) -> Option<Zeroizing<Vec<u8>>> {
        let cipher = C::new_from_slice(key).ok()?;
        cipher.decrypt(nonce, sealed).ok().map(Zeroizing::new)
    }
    let nonce = Nonce::<U12>::try_from(nonce).ok()?;
    let sealed = Sealed {
        msg: ciphertext,
        aad,
    };
    match key.len() {
        16 => with::<AesGcm<Aes128, U12>>(key, &nonce, sealed),
        24 => with::<AesGcm<Aes192, U12>>(key, &nonce, sealed),
        32 => with::<AesGcm<Aes256, U12>>(key, &nonce, sealed),
        _ => None,
    }
}
