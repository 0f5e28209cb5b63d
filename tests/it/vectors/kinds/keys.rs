//! Passphrases and keys, and the contents they unlock.

use aes_gcm::aead::Aead;
use aes_gcm::{Aes256Gcm, KeyInit, Nonce};
use base64::Engine;
use serde_json::Value as Json;
use stacklens::pulumi::passphrase;
use stacklens::pulumi::wire::Decrypt;
use stacklens::terraform::encryption::{
    Config, Envelope, EnvelopeError, OpenError, Secret, Target,
};
use stacklens::text::from_hex;
use zeroize::Zeroizing;

fn text<'c>(json: &'c Json, name: &str) -> Result<&'c str, String> {
    json[name]
        .as_str()
        .ok_or_else(|| format!("no text `{name}`"))
}

fn base64(text: &str) -> Vec<u8> {
    let engine = base64::engine::general_purpose::STANDARD;
    engine.decode(text).expect("base64")
}

pub(crate) fn passphrase(case: &Json) -> Result<(), String> {
    let expect = &case["expect"];
    let words = text(case, "passphrase")?.as_bytes();
    let unlocked = match passphrase::unlock(words, text(case, "salt")?) {
        Ok(unlocked) => unlocked,
        Err(_) if expect["ok"] == false => return Ok(()),
        Err(err) => return Err(err.to_string()),
    };
    if expect["ok"] != true {
        return Err("unlocked with a wrong passphrase".to_owned());
    }
    // The engine's key opens what ours opened.
    let key = from_hex(text(expect, "keyHex")?).expect("hex digits");
    let check: Vec<&str> = text(case, "salt")?.split(':').skip(3).collect();
    let [nonce, word] = check[..] else {
        return Err(format!("no check value in {check:?}"));
    };
    let cipher = Aes256Gcm::new_from_slice(&key).expect("32 bytes");
    let nonce = Nonce::try_from(&base64(nonce)[..]).expect("12 bytes");
    match cipher.decrypt(&nonce, &base64(word)[..]) {
        Ok(word) if word == b"pulumi" => {}
        _ => return Err("the key is another one".to_owned()),
    }
    for secret in case["secrets"].as_array().into_iter().flatten() {
        let opened = unlocked.decrypt(text(secret, "ciphertext")?);
        match (opened, secret["plaintext"].as_str()) {
            (Ok(opened), Some(want)) if *opened == want => {}
            (Err(_), None) => {}
            (opened, want) => return Err(format!("expected {want:?}, got {opened:?}")),
        }
    }
    Ok(())
}

pub(crate) fn tofu(case: &Json) -> Result<(), String> {
    let envelope = match Envelope::read(text(case, "envelope_text")?.as_bytes()) {
        Ok(envelope) => envelope,
        Err(err) => return opened("envelope", Err(envelope_error(&err)), case),
    };
    if let Some(config) = case["config"].as_str() {
        let config = Config::parse(config).map_err(|err| err.to_string())?;
        return open_with(&envelope, &config, case);
    }
    let aad = base64(case["aad_base64"].as_str().unwrap_or_default());
    let secret = match (case["passphrase"].as_str(), case["key_hex"].as_str()) {
        (Some(words), _) => Secret::Passphrase(words.as_bytes().to_vec().into()),
        (None, Some(key)) => Secret::static_hex(key).ok_or("no hexadecimal key")?,
        (None, None) => return Err("neither passphrase nor key".to_owned()),
    };
    let by_hand = envelope.open(&secret, &aad);
    opened("by hand", by_hand.map_err(|err| open_error(&err)), case)?;
    match case["want_error"].as_str() {
        // A configuration names its provider, so this kind of error does not exist there.
        Some("needs") => Ok(()),
        _ => open_with(&envelope, &config(case, &aad)?, case),
    }
}

fn open_with(envelope: &Envelope, config: &Config, case: &Json) -> Result<(), String> {
    let by_config = envelope.open_with(config, target(case));
    opened(
        "by configuration",
        by_config.map_err(|err| open_error(&err)),
        case,
    )
}

/// Compares a plaintext or the kind of an error with the expected one. A case that names no error takes any.
fn opened(
    how: &str,
    opened: Result<Zeroizing<Vec<u8>>, &'static str>,
    case: &Json,
) -> Result<(), String> {
    let want = case["want_plaintext_base64"].as_str().map(base64);
    match (opened, want) {
        (Ok(opened), Some(want)) if *opened == want => Ok(()),
        (Ok(_), _) => Err(format!("{how}: another plaintext")),
        (Err(kind), None) if case["want_error"].as_str().is_none_or(|want| want == kind) => Ok(()),
        (Err(kind), _) => Err(format!("{how}: {kind}")),
    }
}

fn envelope_error(err: &EnvelopeError) -> &'static str {
    match err {
        EnvelopeError::Plain => "plain",
        EnvelopeError::Version(_) => "version",
        EnvelopeError::Malformed { .. } => "malformed",
    }
}

fn open_error(err: &OpenError) -> &'static str {
    match err {
        OpenError::WrongKey => "wrong key",
        OpenError::KeyService { .. } => "service",
        OpenError::Needs(_) => "needs",
        OpenError::Parameters => "parameters",
        OpenError::Config(_) => "config",
        OpenError::Disagrees(_) => "disagrees",
    }
}

fn target(case: &Json) -> Target {
    if case["kind"] == "plan" {
        Target::Plan
    } else {
        Target::State
    }
}

/// The configuration with which the case was encrypted, as a person would write it.
fn config(case: &Json, aad: &[u8]) -> Result<Config, String> {
    let meta_key = text(case, "meta_key")?;
    let kind = text(case, "provider")?;
    let (name, alias) = match meta_key.strip_prefix(&format!("key_provider.{kind}.")) {
        Some(name) => (name, String::new()),
        None => ("k", format!("encrypted_metadata_alias = \"{meta_key}\"")),
    };
    let given = match (case["passphrase"].as_str(), case["key_hex"].as_str()) {
        (Some(words), _) => format!("passphrase = {}", Json::from(words)),
        (None, key) => format!("key = \"{}\"", key.unwrap_or_default()),
    };
    let text = format!(
        "key_provider \"{kind}\" \"{name}\" {{\n  {given}\n  {alias}\n}}\n\
         method \"aes_gcm\" \"m\" {{\n  keys = key_provider.{kind}.{name}\n  aad = {aad:?}\n}}\n\
         state {{\n  method = method.aes_gcm.m\n}}\nplan {{\n  method = method.aes_gcm.m\n}}\n"
    );
    Config::parse(&text).map_err(|err| err.to_string())
}
