//! The `encryption` block: key providers, methods, and their targets.

use super::envelope::{Meta, OpenError, key_of_hex, service};
use super::settings::{self, Body, Setting};
use crate::secrets::Key;

/// An `encryption` block from `TF_ENCRYPTION` or a file, in HCL or JSON. The enclosing word `encryption` is optional.
pub struct Config {
    body: Body,
}

impl std::fmt::Debug for Config {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Config([secret])")
    }
}

/// A parse error of the configuration. It quotes nothing, because the text holds passphrases.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("expected {expected} at line {line} of the encryption configuration")]
pub struct ConfigError {
    /// The line, counted from 1.
    pub line: usize,
    /// A description of the expected value.
    pub expected: &'static str,
}

/// The kind of file that is encrypted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Target {
    /// A state.
    State,
    /// A plan.
    Plan,
}

/// A key provider.
pub(super) enum Provider {
    Passphrase(Key),
    /// Uses the key of another provider as the passphrase.
    Chain(String),
    Static(Key),
    Service {
        provider: &'static str,
        needs: &'static str,
    },
}

/// AES-GCM with a key and additional data.
pub(super) struct Method {
    pub(super) keys: String,
    pub(super) aad: Vec<u8>,
}

impl Config {
    /// Parses the text of a configuration.
    ///
    /// # Errors
    ///
    /// If the text is neither JSON nor in the supported subset of HCL.
    pub fn parse(text: &str) -> Result<Self, ConfigError> {
        let mut body = settings::read(text).map_err(|misread| ConfigError {
            line: misread.line,
            expected: misread.expected,
        })?;
        // A full configuration nests it as `terraform { encryption { … } }`.
        for outer in ["terraform", "tofu", "encryption"] {
            if matches!(body.get(outer), Some(Setting::Body(_)))
                && let Some(Setting::Body(inner)) = body.swap_remove(outer)
            {
                body = inner;
            }
        }
        Ok(Self { body })
    }

    /// The names of the methods to try, the main one first. `unencrypted` methods cannot decrypt and are left out.
    pub(super) fn methods(&self, target: Target) -> Result<Vec<String>, OpenError> {
        let name = match target {
            Target::State => "state",
            Target::Plan => "plan",
        };
        let mut methods = Vec::new();
        let mut at = body(&self.body, name);
        while let Some(block) = at {
            methods.extend(name_of(block, "method").map(str::to_owned));
            at = body(block, "fallback");
        }
        // Remote state can have a separate method.
        if target == Target::State
            && let Some(remote) = body(&self.body, "remote_state_data_sources")
            && let Some(default) = body(remote, "default")
        {
            methods.extend(name_of(default, "method").map(str::to_owned));
        }
        methods.retain(|method| !method.starts_with("method.unencrypted."));
        if methods.is_empty() {
            return Err(OpenError::Config(format!("method for the {name}")));
        }
        Ok(methods)
    }

    /// The type and the block of the thing with this name: `WORD.TYPE.NAME`.
    fn block<'n>(&self, word: &str, name: &'n str) -> Option<(&'n str, &Body)> {
        let (kind, label) = name
            .strip_prefix(word)?
            .strip_prefix('.')?
            .split_once('.')?;
        let block = body(body(body(&self.body, word)?, kind)?, label)?;
        Some((kind, block))
    }

    /// The method with this name, `method.TYPE.NAME`.
    pub(super) fn method(&self, name: &str) -> Result<Method, OpenError> {
        let missing = || OpenError::Config(format!("`{name}`"));
        let (kind, block) = self.block("method", name).ok_or_else(missing)?;
        if kind != "aes_gcm" {
            return Err(OpenError::KeyService {
                provider: "another encryption method",
                needs: "`tofu state pull` or `tofu show` with its program",
            });
        }
        let keys = name_of(block, "keys").ok_or_else(missing)?.to_owned();
        let aad = match block.get("aad") {
            None => Vec::new(),
            Some(Setting::Numbers(numbers)) => numbers
                .iter()
                .map(|number| byte(*number))
                .collect::<Option<_>>()
                .ok_or_else(missing)?,
            Some(_) => return Err(missing()),
        };
        Ok(Method { keys, aad })
    }

    /// The provider with this name, `key_provider.TYPE.NAME`, and the key of its data in `meta`.
    pub(super) fn provider(&self, name: &str) -> Result<(Provider, String), OpenError> {
        let missing = || OpenError::Config(format!("`{name}`"));
        let (kind, block) = self.block("key_provider", name).ok_or_else(missing)?;
        let alias = text(block, "encrypted_metadata_alias").filter(|alias| !alias.is_empty());
        let meta_key = alias.unwrap_or(name).to_owned();
        let provider = match kind {
            "pbkdf2" => match (text(block, "passphrase"), name_of(block, "chain")) {
                (Some(passphrase), _) => {
                    Provider::Passphrase(Key::from(passphrase.as_bytes().to_vec()))
                }
                (None, Some(chain)) => Provider::Chain(chain.to_owned()),
                (None, None) => return Err(OpenError::Config(format!("passphrase in `{name}`"))),
            },
            "static" => {
                let key = text(block, "key").and_then(key_of_hex);
                Provider::Static(key.ok_or_else(missing)?)
            }
            kind => match service(kind) {
                Some(Meta::Service { provider, needs }) => Provider::Service { provider, needs },
                _ => return Err(missing()),
            },
        };
        Ok((provider, meta_key))
    }
}

fn body<'b>(body: &'b Body, name: &str) -> Option<&'b Body> {
    match body.get(name)? {
        Setting::Body(inner) => Some(inner),
        _ => None,
    }
}

fn text<'b>(body: &'b Body, name: &str) -> Option<&'b str> {
    match body.get(name)? {
        Setting::Text(text) => Some(text),
        _ => None,
    }
}

/// A reference. In JSON it may be a plain string.
fn name_of<'b>(body: &'b Body, name: &str) -> Option<&'b str> {
    match body.get(name)? {
        Setting::Text(text) => Some(text),
        Setting::Reference(name) => Some(name),
        _ => None,
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "checked to be a whole number from 0 to 255"
)]
fn byte(number: f64) -> Option<u8> {
    let is_byte = number.fract() == 0.0 && (0.0..=255.0).contains(&number);
    is_byte.then_some(number as u8)
}
