//! Files as OpenTofu encrypts them, made on the spot.

use aes_gcm::aead::{Aead, KeyInit};
use aes_gcm::{Aes256Gcm, Nonce};
use base64::Engine;

/// How the key of a file is kept.
#[derive(Clone, Copy)]
pub(crate) enum Lock {
    /// By this passphrase.
    Passphrase(&'static str),
    /// A static key: this byte, 32 times.
    Static(u8),
    /// By a key service: the type of its provider.
    Service(&'static str),
}

/// The envelope around `plaintext`; a state has a serial and a lineage outside, a plan has not.
pub(crate) fn envelope(plaintext: &[u8], lock: Lock, outside: &str) -> Vec<u8> {
    let encode = |bytes: &[u8]| base64::engine::general_purpose::STANDARD.encode(bytes);
    let mut key = [1; 32];
    let (name, meta) = match lock {
        Lock::Passphrase(passphrase) => {
            pbkdf2::pbkdf2_hmac::<sha2::Sha512>(passphrase.as_bytes(), b"salt!!", 50, &mut key);
            (
                "pbkdf2",
                r#"{"salt":"c2FsdCEh","iterations":50,"hash_function":"sha512","key_length":32}"#,
            )
        }
        Lock::Static(byte) => {
            key = [byte; 32];
            ("static", r#"{"magic":"Hello world!"}"#)
        }
        Lock::Service(name) => (name, r#"{"ciphertext_blob":"AAAA","ciphertext":"AAAA"}"#),
    };
    let cipher = Aes256Gcm::new_from_slice(&key).unwrap();
    let nonce = Nonce::try_from(&[3; 12][..]).unwrap();
    let sealed = cipher.encrypt(&nonce, plaintext).unwrap();
    let data = encode(&[&[3; 12][..], &sealed].concat());
    format!(
        r#"{{{outside}"meta":{{"key_provider.{name}.k":"{}"}},"encrypted_data":"{data}","encryption_version":"v0"}}"#,
        encode(meta.as_bytes())
    )
    .into_bytes()
}

/// A state of OpenTofu with one secret.
pub(crate) const STATE: &str = r#"{"version":4,"terraform_version":"1.10.1","serial":7,"lineage":"l-1","outputs":{},"resources":[
    {"mode":"managed","type":"random_password","name":"door","provider":"provider[\"registry.opentofu.org/hashicorp/random\"]",
     "instances":[{"schema_version":0,"attributes":{"id":"none","result":"marigold","length":8},
                   "sensitive_attributes":[[{"type":"get_attr","value":"result"}]]}]}]}"#;

/// What stands around an encrypted [`STATE`].
pub(crate) const OUTSIDE: &str = r#""serial":7,"lineage":"l-1","#;

/// [`STATE`] under this lock.
pub(crate) fn state(lock: Lock) -> Vec<u8> {
    envelope(STATE.as_bytes(), lock, OUTSIDE)
}
