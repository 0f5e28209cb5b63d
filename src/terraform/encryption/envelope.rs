//! The envelope and its decryption.

use sha2::{Sha256, Sha512};
use zeroize::Zeroizing;

use super::config::{Config, Provider, Target};
use crate::json::{self, Numbers};
use crate::secrets::{Key, NONCE, base64, open};
use crate::text::from_hex;
use crate::value::Value;

/// Maximum number of PBKDF2 iterations, so that a file cannot keep us busy for hours.
pub const MAX_ITERATIONS: u32 = 50_000_000;

/// An encrypted state or plan.
#[derive(Clone, Debug)]
pub struct Envelope {
    /// The serial of the state; `None` if the envelope does not have it.
    pub serial: Option<u64>,
    /// The lineage of the state; `None` if the envelope does not have it.
    pub lineage: Option<String>,
    /// The data of the key providers, with the key under which each stored it.
    pub meta: Vec<(String, Meta)>,
    data: Vec<u8>,
}

/// A key provider's data in the envelope.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Meta {
    /// A key derived from a passphrase.
    Pbkdf2 {
        /// The salt.
        salt: Vec<u8>,
        /// Number of iterations.
        iterations: u32,
        /// The hash function.
        hash: Hash,
        /// Length of the key in bytes.
        key_length: usize,
    },
    /// A key that is in the configuration.
    Static,
    /// A key that a service or a program holds.
    Service {
        /// The key provider.
        provider: &'static str,
        /// A description of the way to open it.
        needs: &'static str,
    },
}

/// A hash function of PBKDF2.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Hash {
    /// SHA-256.
    Sha256,
    /// SHA-512.
    Sha512,
}

/// The reason why a text is not a valid envelope.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum EnvelopeError {
    /// The text is not JSON, or has no `encryption_version`.
    #[error("not an encrypted OpenTofu file")]
    Plain,
    /// An unknown version.
    #[error("encryption version {0:?} is not known, only \"v0\" is")]
    Version(String),
    /// A field is missing or invalid.
    #[error("malformed envelope: expected {expected} at {at}")]
    Malformed {
        /// The path of the field.
        at: String,
        /// A description of the expected value.
        expected: &'static str,
    },
}

/// The reason why an envelope cannot be opened.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum OpenError {
    /// None of the given keys opens it.
    #[error("wrong passphrase or key, or encrypted with other additional data (`aad`)")]
    WrongKey,
    /// The key is held by a service or a program.
    #[error("the key is held by {provider}, which cannot be asked offline: {needs}")]
    KeyService {
        /// The key provider.
        provider: &'static str,
        /// A description of the way to open it.
        needs: &'static str,
    },
    /// A different kind of secret is needed.
    #[error("this file needs {0}")]
    Needs(&'static str),
    /// The parameters need too many iterations, or give a key that AES does not take.
    #[error(
        "the envelope asks for a key that no AES method takes, or for more than {MAX_ITERATIONS} iterations"
    )]
    Parameters,
    /// The configuration lacks something, or has a reference cycle.
    #[error("the encryption configuration has no usable {0}")]
    Config(String),
    /// The envelope and the state inside differ in `serial` or `lineage`.
    #[error("the envelope does not belong to the state inside of it: `{0}` differs")]
    Disagrees(&'static str),
}

/// A secret that a person enters to open an envelope.
#[derive(Clone, Debug)]
pub enum Secret {
    /// The passphrase of a `pbkdf2` key provider.
    Passphrase(Key),
    /// The key of a `static` key provider.
    Static(Key),
}

impl Secret {
    /// Parses a static key of hexadecimal digits; `None` if the text is something else.
    pub fn static_hex(text: &str) -> Option<Self> {
        key_of_hex(text.trim()).map(Self::Static)
    }
}

/// Decodes hexadecimal digits; `None` if the text is something else.
pub(super) fn key_of_hex(text: &str) -> Option<Key> {
    let bytes = from_hex(text).filter(|bytes| !bytes.is_empty())?;
    Some(Key::from(bytes))
}

impl Envelope {
    /// Parses an envelope.
    ///
    /// # Errors
    ///
    /// [`EnvelopeError::Plain`] if the text is something else, so that the caller can try other formats.
    pub fn read(bytes: &[u8]) -> Result<Self, EnvelopeError> {
        let parsed = json::parse(bytes, Numbers::Exact).map_err(|_| EnvelopeError::Plain)?;
        Self::of_value(&parsed.value)
    }

    /// Like [`Envelope::read`], for JSON that is already parsed.
    ///
    /// # Errors
    ///
    /// As [`Envelope::read`].
    pub fn of_value(value: &Value) -> Result<Self, EnvelopeError> {
        let malformed = |at: &str, expected| EnvelopeError::Malformed {
            at: at.to_owned(),
            expected,
        };
        match value.get("encryption_version").and_then(Value::as_str) {
            None | Some("") => return Err(EnvelopeError::Plain),
            Some("v0") => {}
            Some(version) => return Err(EnvelopeError::Version(version.to_owned())),
        }
        let data = value
            .get("encrypted_data")
            .and_then(Value::as_str)
            .and_then(base64)
            .ok_or_else(|| malformed("encrypted_data", "base64"))?;
        let mut meta = Vec::new();
        for (key, text) in value
            .get("meta")
            .and_then(Value::as_map)
            .into_iter()
            .flatten()
        {
            let at = format!("meta.{key}");
            let read = text
                .as_str()
                .and_then(base64)
                .and_then(|bytes| json::parse(&bytes, Numbers::Exact).ok())
                .ok_or_else(|| malformed(&at, "JSON in base64"))?;
            let read = Meta::read(key, &read.value)
                .ok_or_else(|| malformed(&at, "what a known key provider writes"))?;
            meta.push((key.to_string(), read));
        }
        Ok(Self {
            serial: value.get("serial").and_then(integer),
            lineage: value
                .get("lineage")
                .and_then(Value::as_str)
                .map(str::to_owned),
            meta,
            data,
        })
    }

    /// The kind of file inside, as far as the envelope shows: only a state has a serial and a lineage there.
    pub fn target(&self) -> Target {
        if self.serial.is_some() || self.lineage.is_some() {
            Target::State
        } else {
            Target::Plan
        }
    }

    /// The secret that opens this envelope offline, in words for a prompt; `None` if there is no such secret.
    pub fn wants(&self) -> Option<&'static str> {
        let mut meta = self.meta.iter().map(|(_, meta)| meta);
        meta.find(|meta| !matches!(meta, Meta::Service { .. }))
            .map(Meta::needs)
    }

    /// The error for an envelope that no secret opens offline: names the holder of the key.
    pub fn out_of_reach(&self) -> OpenError {
        let mut meta = self.meta.iter();
        meta.find_map(|(_, meta)| match meta {
            Meta::Service { provider, needs } => Some(OpenError::KeyService { provider, needs }),
            Meta::Pbkdf2 { .. } | Meta::Static => None,
        })
        .unwrap_or(OpenError::Needs("the key of its encryption method"))
    }

    /// Decrypts with one secret that a person entered. `aad` is the additional data of the method, which the envelope does not
    /// contain (empty by default).
    ///
    /// # Errors
    ///
    /// If the secret does not open it, or is not of the needed kind.
    pub fn open(&self, secret: &Secret, aad: &[u8]) -> Result<Zeroizing<Vec<u8>>, OpenError> {
        let mut failure = self
            .wants()
            .map_or_else(|| self.out_of_reach(), OpenError::Needs);
        let mut rounds = MAX_ITERATIONS;
        for (_, meta) in &self.meta {
            let key = match (meta, secret) {
                (Meta::Pbkdf2 { .. }, Secret::Passphrase(passphrase)) => {
                    meta.derive(passphrase.as_bytes(), &mut rounds)?
                }
                (Meta::Static, Secret::Static(key)) => key.clone(),
                (Meta::Service { provider, needs }, _) if self.meta.len() == 1 => {
                    return Err(OpenError::KeyService { provider, needs });
                }
                _ => continue,
            };
            if let Some(plaintext) = self.try_key(&key, aad)? {
                return Ok(plaintext);
            }
            failure = OpenError::WrongKey;
        }
        Err(failure)
    }

    /// Decrypts with the methods that `config` has for `target`: the main method, then its fallbacks in order.
    ///
    /// # Errors
    ///
    /// The error of the main method, if no method opens it.
    pub fn open_with(
        &self,
        config: &Config,
        target: Target,
    ) -> Result<Zeroizing<Vec<u8>>, OpenError> {
        let mut first = None;
        let mut rounds = MAX_ITERATIONS;
        for method in config.methods(target)? {
            let opened = config
                .method(&method)
                .and_then(|method| {
                    Ok((self.key(config, &method.keys, 0, &mut rounds)?, method.aad))
                })
                .and_then(|(key, aad)| self.try_key(&key, &aad)?.ok_or(OpenError::WrongKey));
            match opened {
                Ok(plaintext) => return Ok(plaintext),
                Err(err) => first = first.or(Some(err)),
            }
        }
        Err(first.unwrap_or_else(|| OpenError::Config("method".to_owned())))
    }

    /// The key of the provider `name` (`key_provider.TYPE.NAME`). It may use up to `rounds` iterations.
    fn key(
        &self,
        config: &Config,
        name: &str,
        depth: usize,
        rounds: &mut u32,
    ) -> Result<Key, OpenError> {
        // A longer chain is a cycle.
        const LONGEST_CHAIN: usize = 16;
        if depth > LONGEST_CHAIN {
            return Err(OpenError::Config("chain of key providers".to_owned()));
        }
        let (provider, meta_key) = config.provider(name)?;
        match provider {
            Provider::Static(key) => Ok(key),
            Provider::Service { provider, needs } => Err(OpenError::KeyService { provider, needs }),
            Provider::Passphrase(passphrase) => self
                .meta_of(&meta_key)?
                .derive(passphrase.as_bytes(), rounds),
            Provider::Chain(other) => {
                let passphrase = self.key(config, &other, depth + 1, rounds)?;
                self.meta_of(&meta_key)?
                    .derive(passphrase.as_bytes(), rounds)
            }
        }
    }

    fn meta_of(&self, key: &str) -> Result<&Meta, OpenError> {
        let found = self.meta.iter().find(|(name, _)| name == key);
        found
            .map(|(_, meta)| meta)
            .ok_or_else(|| OpenError::Config(format!("key provider for `{key}` of this file")))
    }

    /// Decrypts with `key`; `None` if the key is wrong.
    fn try_key(&self, key: &Key, aad: &[u8]) -> Result<Option<Zeroizing<Vec<u8>>>, OpenError> {
        if !matches!(key.as_bytes().len(), 16 | 24 | 32) {
            return Err(OpenError::Parameters);
        }
        let Some((nonce, sealed)) = self.data.split_at_checked(NONCE) else {
            return Ok(None);
        };
        let Some(plaintext) = open(key.as_bytes(), nonce, sealed, aad) else {
            return Ok(None);
        };
        self.agree(&plaintext)?;
        Ok(Some(plaintext))
    }

    /// Checks that serial and lineage are those of the state inside. A plan has none outside.
    fn agree(&self, plaintext: &[u8]) -> Result<(), OpenError> {
        if self.serial.is_none() && self.lineage.is_none() {
            return Ok(());
        }
        // A state that is not JSON is left to its reader.
        let Ok(inner) = json::parse(plaintext, Numbers::Exact) else {
            return Ok(());
        };
        let inner_serial = inner.value.get("serial").and_then(integer);
        let inner_lineage = inner.value.get("lineage").and_then(Value::as_str);
        if self.serial.is_some() && self.serial != inner_serial {
            return Err(OpenError::Disagrees("serial"));
        }
        if self.lineage.is_some() && self.lineage.as_deref() != inner_lineage {
            return Err(OpenError::Disagrees("lineage"));
        }
        Ok(())
    }
}

impl Meta {
    /// Reads the data of a key provider, by the type in the key `key_provider.TYPE.NAME`. If that is an alias, the fields decide.
    fn read(key: &str, meta: &Value) -> Option<Self> {
        let kind = key
            .strip_prefix("key_provider.")
            .and_then(|rest| rest.split('.').next());
        let has = |name: &str| meta.get(name).is_some();
        Some(match kind {
            Some("pbkdf2") => return Self::pbkdf2(meta),
            Some("static") => Self::Static,
            Some(kind) if service(kind).is_some() => service(kind)?,
            _ if has("salt") && has("iterations") => return Self::pbkdf2(meta),
            _ if has("magic") => Self::Static,
            _ if has("ciphertext_blob") => service("aws_kms")?,
            _ if has("external_data") => service("external")?,
            _ if has("algo") || has("authentication_tag") => service("azure_vault")?,
            _ if has("ciphertext") => {
                let text = meta
                    .get("ciphertext")
                    .and_then(Value::as_str)
                    .and_then(base64)?;
                let is_vault = text.starts_with(b"vault:") || has("associated_data");
                service(if is_vault { "openbao" } else { "gcp_kms" })?
            }
            _ => Self::Service {
                provider: "an unknown key provider",
                needs: "`tofu state pull` or `tofu show` with its configuration",
            },
        })
    }

    fn pbkdf2(meta: &Value) -> Option<Self> {
        let number = |name: &str| meta.get(name).and_then(integer);
        Some(Self::Pbkdf2 {
            salt: meta.get("salt").and_then(Value::as_str).and_then(base64)?,
            iterations: u32::try_from(number("iterations")?).ok()?,
            hash: match meta.get("hash_function").and_then(Value::as_str)? {
                "sha256" => Hash::Sha256,
                "sha512" => Hash::Sha512,
                _ => return None,
            },
            key_length: usize::try_from(number("key_length")?).ok()?,
        })
    }

    fn needs(&self) -> &'static str {
        match self {
            Self::Pbkdf2 { .. } => "a passphrase",
            Self::Static => "a static key (hexadecimal)",
            Self::Service { needs, .. } => needs,
        }
    }

    /// The key of `passphrase`. Slow on purpose: its iterations are subtracted from `rounds`, the budget of all providers.
    fn derive(&self, passphrase: &[u8], rounds: &mut u32) -> Result<Key, OpenError> {
        let Self::Pbkdf2 {
            salt,
            iterations,
            hash,
            key_length,
        } = self
        else {
            return Err(OpenError::Needs(self.needs()));
        };
        if *iterations == 0 || !matches!(key_length, 16 | 24 | 32) {
            return Err(OpenError::Parameters);
        }
        *rounds = rounds
            .checked_sub(*iterations)
            .ok_or(OpenError::Parameters)?;
        let mut key = Zeroizing::new(vec![0; *key_length]);
        match hash {
            Hash::Sha256 => {
                pbkdf2::pbkdf2_hmac::<Sha256>(passphrase, salt, *iterations, &mut key);
            }
            Hash::Sha512 => {
                pbkdf2::pbkdf2_hmac::<Sha512>(passphrase, salt, *iterations, &mut key);
            }
        }
        Ok(Key::from(key))
    }
}

/// A key provider that does not work offline, and what it needs.
pub(super) fn service(kind: &str) -> Option<Meta> {
    let (provider, needs) = match kind {
        "aws_kms" => (
            "AWS KMS",
            "`tofu state pull` or `tofu show` with credentials for its KMS key",
        ),
        "gcp_kms" => (
            "Google Cloud KMS",
            "`tofu state pull` or `tofu show` with credentials for its KMS key",
        ),
        "openbao" => (
            "OpenBao",
            "`tofu state pull` or `tofu show` with a token for its transit key",
        ),
        "azure_vault" => (
            "Azure Key Vault",
            "`tofu state pull` or `tofu show` with credentials for its vault",
        ),
        "external" => (
            "an external program",
            "`tofu state pull` or `tofu show` with its `external` command",
        ),
        "xor" => (
            "a combination of two key providers",
            "`tofu state pull` or `tofu show` with both of them",
        ),
        _ => return None,
    };
    Some(Meta::Service { provider, needs })
}

fn integer(value: &Value) -> Option<u64> {
    value
        .as_number()?
        .to_i64()
        .and_then(|number| number.try_into().ok())
}
