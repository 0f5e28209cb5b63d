//! Keys that the person supplies: in the environment, in a file, or typed into a prompt.
//!
//! | where | opens |
//! |---|---|
//! | `PULUMI_CONFIG_PASSPHRASE` (may be empty), else the file that `PULUMI_CONFIG_PASSPHRASE_FILE` names | secrets of a Pulumi stack |
//! | `TF_ENCRYPTION` (HCL or JSON) | encrypted states and plans of OpenTofu |
//! | a passphrase file or a prompt | either: for a static key its hexadecimal digits |
//!
//! None of it prints, and all of it is zeroed when dropped.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use zeroize::Zeroizing;

use crate::pulumi::passphrase::{self, UnlockError, Unlocked};
use crate::secrets::Key;
use crate::terraform::encryption::{
    Config, ConfigError, Envelope, EnvelopeError, OpenError, Secret,
};
use crate::text::Limit;
use crate::value::Value;

/// The limit of a file with a passphrase.
const PASSPHRASE_FILE: Limit = Limit {
    bytes: 1 << 16,
    advice: "a passphrase alone is expected",
};

/// Keys that may open a stack or a file.
#[derive(Debug, Default)]
pub struct Keys {
    passphrase: Option<Key>,
    encryption: Option<Config>,
}

/// The reason why a key is missing or does not work.
#[derive(Debug, thiserror::Error)]
pub enum KeysError {
    /// A file cannot be read, or is far too large for what it should be.
    #[error("cannot read {}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The reason.
        #[source]
        source: std::io::Error,
    },
    /// `TF_ENCRYPTION` is not understood.
    #[error("in TF_ENCRYPTION: {0}")]
    Config(#[source] ConfigError),
    /// No passphrase was given.
    #[error(
        "no passphrase is given: set PULUMI_CONFIG_PASSPHRASE or PULUMI_CONFIG_PASSPHRASE_FILE, or use --passphrase-file"
    )]
    NoPassphrase,
    /// An encrypted file, and no key that could open it.
    #[error("encrypted by OpenTofu; it needs {needs}: set TF_ENCRYPTION, or use --passphrase-file")]
    NoKey {
        /// The key that its provider needs.
        needs: &'static str,
    },
    /// The stack stays locked.
    #[error(transparent)]
    Unlock(#[from] UnlockError),
    /// The envelope is broken.
    #[error(transparent)]
    Envelope(EnvelopeError),
    /// The envelope stays shut.
    #[error("encrypted by OpenTofu: {0}")]
    Open(#[source] OpenError),
}

impl Keys {
    /// The keys in the environment of this process.
    ///
    /// # Errors
    ///
    /// If the passphrase file that is named there cannot be read, or `TF_ENCRYPTION` is invalid.
    pub fn of_environment() -> Result<Self, KeysError> {
        Self::of_variables(|name| std::env::var_os(name))
    }

    fn of_variables(variable: impl Fn(&str) -> Option<OsString>) -> Result<Self, KeysError> {
        let text =
            |name: &str| variable(name).map(|text| Zeroizing::new(text.into_encoded_bytes()));
        let mut keys = Self::default();
        if let Some(passphrase) = text("PULUMI_CONFIG_PASSPHRASE") {
            keys.passphrase = Some(Key::from(passphrase));
        } else if let Some(path) =
            variable("PULUMI_CONFIG_PASSPHRASE_FILE").filter(|path| !path.is_empty())
        {
            keys = keys.with_passphrase_file(Path::new(&path))?;
        }
        if let Some(config) = text("TF_ENCRYPTION") {
            let config = Zeroizing::new(String::from_utf8_lossy(&config).into_owned());
            if !config.trim().is_empty() {
                keys.encryption = Some(Config::parse(&config).map_err(KeysError::Config)?);
            }
        }
        Ok(keys)
    }

    /// The same keys with the passphrase in a file, without the white space around it, in place of any other one.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or is larger than any passphrase.
    pub fn with_passphrase_file(self, path: &Path) -> Result<Self, KeysError> {
        let io = |source| KeysError::Io {
            path: path.to_owned(),
            source,
        };
        let file = fs::File::open(path).map_err(io)?;
        let mut text = Zeroizing::new(Vec::new());
        PASSPHRASE_FILE.read_to(file, &mut text).map_err(io)?;
        Ok(self.with_passphrase(passphrase::of_file(&text)))
    }

    /// The same keys with this passphrase in place of any other one.
    #[must_use]
    pub fn with_passphrase(mut self, passphrase: &[u8]) -> Self {
        self.passphrase = Some(Key::from(passphrase.to_vec()));
        self
    }

    /// The key of a Pulumi stack, from the `secrets_providers` of its deployment. Takes about a second.
    ///
    /// # Errors
    ///
    /// If there is no passphrase, it is wrong, or another provider keeps the secrets.
    pub fn unlock(&self, secrets_providers: &Value) -> Result<Unlocked, KeysError> {
        let salt = passphrase::salt(secrets_providers)?;
        let passphrase = self.passphrase.as_ref().ok_or(KeysError::NoPassphrase)?;
        Ok(passphrase::unlock(passphrase.as_bytes(), salt)?)
    }

    /// The plaintext of a file that OpenTofu encrypted; `None` if the file is not encrypted.
    ///
    /// The configuration of the environment comes first, then the passphrase. Slow on purpose.
    ///
    /// # Errors
    ///
    /// If the file is encrypted and cannot be opened.
    pub fn decrypt(&self, bytes: &[u8]) -> Result<Option<Zeroizing<Vec<u8>>>, KeysError> {
        let envelope = match Envelope::read(bytes) {
            Ok(envelope) => envelope,
            Err(EnvelopeError::Plain) => return Ok(None),
            Err(source) => return Err(KeysError::Envelope(source)),
        };
        let mut failure = match envelope.wants() {
            Some(needs) => KeysError::NoKey { needs },
            None => KeysError::Open(envelope.out_of_reach()),
        };
        let by_config = self
            .encryption
            .as_ref()
            .map(|config| envelope.open_with(config, envelope.target()));
        let by_passphrase = || Some(open(&envelope, self.passphrase.as_ref()?));
        let attempts = by_config
            .into_iter()
            .chain(std::iter::once_with(by_passphrase).flatten());
        for attempt in attempts {
            match attempt {
                Ok(plaintext) => return Ok(Some(plaintext)),
                Err(source) => failure = KeysError::Open(source),
            }
        }
        Err(failure)
    }
}

/// Opens the envelope with the typed text, which is a passphrase or the digits of a static key.
fn open(envelope: &Envelope, typed: &Key) -> Result<Zeroizing<Vec<u8>>, OpenError> {
    let as_digits = std::str::from_utf8(typed.as_bytes())
        .ok()
        .and_then(Secret::static_hex);
    let by_passphrase = envelope.open(&Secret::Passphrase(typed.clone()), &[]);
    match (by_passphrase, as_digits) {
        (Err(OpenError::Needs(_)), Some(key)) => envelope.open(&key, &[]),
        (outcome, _) => outcome,
    }
}

/// The plaintext of a file that OpenTofu encrypted, with the given keys, else with those of the environment. `None` if the file
/// is not encrypted.
///
/// # Errors
///
/// If the file is encrypted and cannot be opened.
pub(super) fn decrypt(
    given: Option<&Keys>,
    bytes: &[u8],
) -> Result<Option<Zeroizing<Vec<u8>>>, KeysError> {
    let by_given = given.map(|keys| keys.decrypt(bytes));
    if let Some(Ok(outcome)) = by_given {
        return Ok(outcome);
    }
    let by_environment = Keys::of_environment().and_then(|keys| keys.decrypt(bytes));
    match (by_environment, by_given) {
        // Errors about the key that the person gave just now come first.
        (Err(_), Some(Err(error))) => Err(error),
        (outcome, _) => outcome,
    }
}

/// The key that a person could type to open the encrypted file, in words for a prompt; `None` if nothing would help.
pub(super) fn wants(bytes: &[u8]) -> Option<&'static str> {
    Envelope::read(bytes).ok()?.wants()
}

#[cfg(test)]
mod tests;
