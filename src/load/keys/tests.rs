use aes_gcm::aead::{Aead, KeyInit};
use aes_gcm::{Aes128Gcm, Nonce};
use base64::Engine;

use super::*;

const STATE: &str = r#"{"version": 4, "serial": 1, "lineage": "x", "resources": []}"#;

/// [`STATE`] encrypted with sixteen bytes of 5.
fn encrypted() -> String {
    let encode = |bytes: &[u8]| base64::engine::general_purpose::STANDARD.encode(bytes);
    let cipher = Aes128Gcm::new_from_slice(&[5; 16]).expect("16 bytes");
    let nonce = Nonce::try_from(&[9; 12][..]).expect("12 bytes");
    let sealed = cipher.encrypt(&nonce, STATE.as_bytes()).expect("encrypted");
    format!(
        "{{\"serial\":1,\"lineage\":\"x\",\"meta\":{{\"key_provider.static.s\":\"{}\"}},\"encrypted_data\":\"{}\",\"encryption_version\":\"v0\"}}",
        encode(br#"{"magic":"Hello world!"}"#),
        encode(&[&[9; 12][..], &sealed].concat())
    )
}

const DIGITS: &str = "05050505050505050505050505050505";

fn keys(variables: &[(&str, &str)]) -> Result<Keys, KeysError> {
    Keys::of_variables(|name| {
        let found = variables.iter().find(|(variable, _)| *variable == name);
        found.map(|(_, text)| OsString::from(text))
    })
}

fn config(key: &str) -> String {
    format!(
        "key_provider \"static\" \"s\" {{ key = \"{key}\" }}\n\
         method \"aes_gcm\" \"m\" {{ keys = key_provider.static.s }}\nstate {{ method = method.aes_gcm.m }}"
    )
}

#[track_caller]
fn check(variables: &[(&str, &str)], want: Result<(), &str>) {
    let opened = keys(variables).and_then(|keys| keys.decrypt(encrypted().as_bytes()));
    match (opened, want) {
        (Ok(Some(text)), Ok(())) => assert_eq!(text.as_slice(), STATE.as_bytes()),
        (Err(err), Err(want)) => assert_eq!(err.to_string(), want),
        (opened, want) => panic!("{opened:?} is not {want:?}"),
    }
}

#[test]
fn the_environment_opens_encrypted_files() {
    check(&[("TF_ENCRYPTION", &config(DIGITS))], Ok(()));
    check(&[("PULUMI_CONFIG_PASSPHRASE", DIGITS)], Ok(()));
    check(
        &[("TF_ENCRYPTION", &config(&"06".repeat(16)))],
        Err(
            "encrypted by OpenTofu: wrong passphrase or key, or encrypted with other additional data (`aad`)",
        ),
    );
    check(
        &[
            ("TF_ENCRYPTION", &config(&"06".repeat(16))),
            ("PULUMI_CONFIG_PASSPHRASE", DIGITS),
        ],
        Ok(()),
    );
    check(
        &[],
        Err(
            "encrypted by OpenTofu; it needs a static key (hexadecimal): set TF_ENCRYPTION, or use --passphrase-file",
        ),
    );
    check(
        &[("TF_ENCRYPTION", "state {")],
        Err(
            "in TF_ENCRYPTION: expected an attribute or a block at line 1 of the encryption configuration",
        ),
    );
}

#[test]
fn plain_files_are_left_alone() {
    let keys = Keys::default();
    assert!(keys.decrypt(STATE.as_bytes()).expect("plain").is_none());
    // A plain file that mentions encryption, too.
    let text = STATE.replace("\"x\"", "\"x\", \"encryption_version\": \"\"");
    assert!(keys.decrypt(text.as_bytes()).expect("plain").is_none());
}

#[test]
fn a_file_with_digits_opens_by_a_static_key() {
    let folder = tempfile::tempdir().expect("a folder");
    let secret = folder.path().join("key");
    fs::write(&secret, format!(" {DIGITS}\n")).expect("written");
    let keys = Keys::default()
        .with_passphrase_file(&secret)
        .expect("a key");
    let opened = keys.decrypt(encrypted().as_bytes()).expect("opened");
    assert_eq!(opened.as_deref().map(Vec::as_slice), Some(STATE.as_bytes()));
    assert_eq!(
        wants(encrypted().as_bytes()),
        Some("a static key (hexadecimal)")
    );
}

#[test]
fn key_services_are_named_and_ask_for_nothing() {
    let text = encrypted().replace("key_provider.static.s", "key_provider.aws_kms.s");
    let error = Keys::default().decrypt(text.as_bytes()).expect_err("shut");
    assert_eq!(
        error.to_string(),
        "encrypted by OpenTofu: the key is held by AWS KMS, which cannot be asked offline: \
         `tofu state pull` or `tofu show` with credentials for its KMS key"
    );
    assert_eq!(wants(text.as_bytes()), None);
}

#[test]
fn stacks_of_other_providers_say_so() {
    let providers = |text: &str| {
        crate::json::parse(text.as_bytes(), crate::json::Numbers::Double)
            .expect("JSON")
            .value
    };
    let keys = keys(&[("PULUMI_CONFIG_PASSPHRASE", "")]).expect("keys");
    let err = |text| {
        keys.unlock(&providers(text))
            .expect_err("locked")
            .to_string()
    };
    assert_eq!(
        err(r#"{"type": "service", "state": {"url": "https://x"}}"#),
        "the secrets of this stack are kept by the Pulumi service; `pulumi stack export --show-secrets` shows them"
    );
    assert_eq!(
        err(r#"{"type": "cloud", "state": {"url": "awskms://alias/x"}}"#),
        "the secrets of this stack are kept by a cloud key service (awskms); `pulumi stack export --show-secrets` shows them"
    );
    assert_eq!(
        err("{\"type\": \"passphrase\", \"state\": {}}"),
        "malformed salt: expected a salt in `secrets_providers`"
    );
    assert_eq!(err("null"), "malformed salt: expected `secrets_providers`");
    let locked = Keys::default().unlock(&providers(
        r#"{"type": "passphrase", "state": {"salt": "v1:AAAA:v1:A:A"}}"#,
    ));
    assert!(matches!(locked, Err(KeysError::NoPassphrase)));
}
