use aes_gcm::aead::{Aead, KeyInit};
use aes_gcm::{Aes256Gcm, Nonce};
use base64::Engine;

use super::*;
use crate::pulumi::urn::Urn;

/// A key that is not derived, because that takes a second.
fn unlocked() -> Unlocked {
    Unlocked {
        key: Key::from(vec![7; KEY_LENGTH]),
    }
}

fn encrypt(plaintext: &str) -> String {
    let cipher = Aes256Gcm::new_from_slice(&[7; KEY_LENGTH]).expect("32 bytes");
    let nonce = Nonce::try_from(&[1; NONCE][..]).expect("12 bytes");
    let sealed = cipher
        .encrypt(&nonce, plaintext.as_bytes())
        .expect("encrypted");
    let base64 = &base64::engine::general_purpose::STANDARD;
    format!("v1:{}:{}", base64.encode([1; NONCE]), base64.encode(sealed))
}

fn sealed(ciphertext: &str) -> Value {
    Value::new(Payload::Sealed(Sealed::Ciphertext(ciphertext.into())))
}

#[track_caller]
fn check_refused(salt: &str, want: &str) {
    let err = unlock(b"x", salt).expect_err("no such salt");
    assert_eq!(err.to_string(), want);
}

#[test]
fn malformed_salts_are_refused_at_once() {
    check_refused(
        "",
        "malformed salt: expected `v1:`, a salt and a check value",
    );
    check_refused(
        "v1:AAAA",
        "malformed salt: expected `v1:`, a salt and a check value",
    );
    check_refused(
        "v2:AAAA:v1:AAAA:AAAA",
        "malformed salt: expected version `v1`",
    );
    check_refused(
        "v1:!:v1:AAAA:AAAA",
        "malformed salt: expected a salt in base64",
    );
    check_refused(
        "v1:AAAA:v1:AAAA:AAAA",
        "malformed salt: expected a check value `v1:NONCE:CIPHERTEXT`",
    );
    check_refused(
        "v1:AAAA:v1:AAAAAAAAAAAAAAAA:AAAA:",
        "malformed salt: expected a check value `v1:NONCE:CIPHERTEXT`",
    );
}

#[test]
fn ciphertexts_of_another_form_or_key_do_not_open() {
    let key = unlocked();
    let good = encrypt("\"x\"");
    assert_eq!(key.decrypt(&good).expect("opens").as_str(), "\"x\"");
    for bad in [
        String::new(),
        good.replacen("v1", "v2", 1),
        good[3..].to_owned(),
        format!("{good}:"),
        good.replace("AQEB", "AQEC"),
    ] {
        assert_eq!(key.decrypt(&bad), Err(DecryptError), "{bad}");
    }
}

#[test]
fn unsealed_values_stay_secret_and_keep_their_markers() {
    let value = Value::from(vec![
        sealed(&encrypt("{\"a\":[1]}")).with_dependencies([Urn::from("urn:x")]),
        Value::from(1.0),
        sealed("v1:broken"),
        Value::new(Payload::Sealed(Sealed::Redacted)),
        sealed(&encrypt("not JSON")),
    ]);
    let (opened, n_sealed) = unlocked().unseal(&value);
    assert_eq!(n_sealed, 3);
    let items = opened.as_array().expect("an array");
    let first = items.get(0).expect("the first");
    assert!(first.is_secret());
    assert_eq!(first.reveal().to_string(), "{a: [1]}");
    assert_eq!(first.dependencies(), [Urn::from("urn:x")]);
    assert_eq!(
        items.get(2),
        value.as_array().and_then(|items| items.get(2))
    );
}

#[test]
fn nothing_of_a_key_prints() {
    assert_eq!(
        format!("{:?}", unlocked()),
        "Unlocked { key: Key([secret]) }"
    );
}

#[test]
fn other_providers_name_their_command() {
    let providers = |kind: &str| Value::from(Map::from_iter([("type", Value::from(kind))]));
    let err = salt(&providers("\u{1b}[2J")).expect_err("unknown");
    assert_eq!(
        err.to_string(),
        "the secrets of this stack are kept by `␛[2J`; `pulumi stack export --show-secrets` shows them"
    );
    let state = Value::from(Map::from_iter([("salt", Value::from("v1:x"))]));
    let known = Value::from(Map::from_iter([
        ("type", Value::from("passphrase")),
        ("state", state),
    ]));
    assert_eq!(salt(&known), Ok("v1:x"));
}

#[test]
fn passphrase_files_are_trimmed() {
    assert_eq!(of_file(b" hunter2 \r\n"), b"hunter2");
}

#[test]
fn an_opened_secret_is_zeroed_on_drop() {
    let ciphertext = encrypt(r#"{"a": "plain", "b": ["esc\u0061ped"]}"#);
    let (opened, _) = unlocked().unseal(&sealed(&ciphertext));
    assert!(opened.is_secret());
    let texts = ["a", "b"].map(|key| opened.get(key).expect("a key"));
    let texts = [
        texts[0],
        texts[1]
            .as_array()
            .and_then(|items| items.get(0))
            .expect("an item"),
    ];
    for (value, want) in texts.into_iter().zip(["plain", "escaped"]) {
        let Payload::String(text) = value.payload() else {
            panic!("{want} is a string");
        };
        assert_eq!(text.as_str(), Some(want));
        assert!(text.is_wiped(), "{want}");
    }
}
