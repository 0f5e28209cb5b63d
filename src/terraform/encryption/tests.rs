use aes_gcm::aead::{Aead, KeyInit, Payload};
use aes_gcm::{Aes128Gcm, Nonce};
use base64::Engine;

use super::*;
use crate::secrets::Key;

const STATE: &str = r#"{"version": 4, "serial": 3, "lineage": "a-b"}"#;

fn encode(bytes: impl AsRef<[u8]>) -> String {
    base64::engine::general_purpose::STANDARD.encode(bytes)
}

/// An envelope around [`STATE`], encrypted with a 16-byte key.
fn envelope(key: &[u8], aad: &[u8], outside: &str, meta: &[(&str, &str)]) -> Envelope {
    let cipher = Aes128Gcm::new_from_slice(key).expect("16 bytes");
    let nonce = Nonce::try_from(&[9; 12][..]).expect("12 bytes");
    let msg = STATE.as_bytes();
    let sealed = cipher
        .encrypt(&nonce, Payload { msg, aad })
        .expect("encrypted");
    let meta: Vec<_> = meta
        .iter()
        .map(|(name, json)| format!("\"{name}\": \"{}\"", encode(json)))
        .collect();
    let data = encode([&[9; 12][..], &sealed].concat());
    let text = format!(
        "{{{outside} \"meta\": {{{}}}, \"encrypted_data\": \"{data}\", \"encryption_version\": \"v0\"}}",
        meta.join(", ")
    );
    Envelope::read(text.as_bytes()).expect("an envelope")
}

const STATIC: (&str, &str) = ("key_provider.static.s", r#"{"magic": "Hello world!"}"#);
const PBKDF2: &str =
    r#"{"salt": "AAAA", "iterations": 10, "hash_function": "sha256", "key_length": 16}"#;

fn derived(passphrase: &[u8]) -> [u8; 16] {
    let mut key = [0; 16];
    pbkdf2::pbkdf2_hmac::<sha2::Sha256>(passphrase, &[0, 0, 0], 10, &mut key);
    key
}

fn passphrase(text: &str) -> Secret {
    Secret::Passphrase(Key::from(text.as_bytes().to_vec()))
}

#[track_caller]
fn check(envelope: &Envelope, secret: &Secret, aad: &[u8], want: Result<(), &str>) {
    let opened = envelope.open(secret, aad).map(|text| text.to_vec());
    match want {
        Ok(()) => assert_eq!(opened, Ok(STATE.as_bytes().to_vec())),
        Err(want) => assert_eq!(opened.expect_err("refused").to_string(), want),
    }
}

const WRONG: &str = "wrong passphrase or key, or encrypted with other additional data (`aad`)";

#[test]
fn a_secret_of_a_person_opens_what_it_fits() {
    let sealed = envelope(&[5; 16], b"", "", &[STATIC]);
    let key = Secret::static_hex("05050505050505050505050505050505\n").expect("hexadecimal");
    check(&sealed, &key, b"", Ok(()));
    check(&sealed, &key, b"x", Err(WRONG));
    check(
        &sealed,
        &Secret::static_hex("ff".repeat(16).as_str()).expect("hexadecimal"),
        b"",
        Err(WRONG),
    );
    check(
        &sealed,
        &passphrase("x"),
        b"",
        Err("this file needs a static key (hexadecimal)"),
    );
    let sealed = envelope(&derived(b"pw"), b"", "", &[("alias", PBKDF2)]);
    assert_eq!(sealed.wants(), Some("a passphrase"));
    check(&sealed, &passphrase("pw"), b"", Ok(()));
    check(&sealed, &passphrase("pv"), b"", Err(WRONG));
}

#[test]
fn key_services_are_named() {
    for (key, meta, want) in [
        ("key_provider.aws_kms.k", "{}", "AWS KMS"),
        ("alias", r#"{"ciphertext_blob": "AA=="}"#, "AWS KMS"),
        ("alias", r#"{"ciphertext": "dmF1bHQ6djE6YQ=="}"#, "OpenBao"),
        ("alias", r#"{"ciphertext": "AAAA"}"#, "Google Cloud KMS"),
        (
            "alias",
            r#"{"ciphertext": "AA==", "algo": "x"}"#,
            "Azure Key Vault",
        ),
        ("alias", r#"{"external_data": {}}"#, "an external program"),
    ] {
        let err = envelope(&[5; 16], b"", "", &[(key, meta)]).open(&passphrase("x"), b"");
        let err = err.expect_err("held by a service").to_string();
        assert!(err.contains(want), "{err}");
    }
}

#[test]
fn the_envelope_belongs_to_its_state() {
    let key = Secret::Static(Key::from(vec![5; 16]));
    let with = |outside| envelope(&[5; 16], b"", outside, &[STATIC]);
    check(
        &with("\"serial\": 3, \"lineage\": \"a-b\","),
        &key,
        b"",
        Ok(()),
    );
    check(
        &with("\"serial\": 4,"),
        &key,
        b"",
        Err("the envelope does not belong to the state inside of it: `serial` differs"),
    );
    check(
        &with("\"lineage\": \"c\","),
        &key,
        b"",
        Err("the envelope does not belong to the state inside of it: `lineage` differs"),
    );
}

#[track_caller]
fn check_read(text: &str, want: &str) {
    let err = Envelope::read(text.as_bytes()).expect_err("no envelope");
    assert_eq!(err.to_string(), want);
}

#[test]
fn other_files_are_no_envelopes() {
    check_read("", "not an encrypted OpenTofu file");
    check_read(STATE, "not an encrypted OpenTofu file");
    check_read(
        "{\"encryption_version\": \"v9\"}",
        "encryption version \"v9\" is not known, only \"v0\" is",
    );
    check_read(
        "{\"encryption_version\": \"v0\"}",
        "malformed envelope: expected base64 at encrypted_data",
    );
    check_read(
        "{\"encryption_version\": \"v0\", \"encrypted_data\": \"\", \"meta\": {\"a\": \"e30\"}}",
        "malformed envelope: expected JSON in base64 at meta.a",
    );
}

#[test]
fn files_cannot_ask_for_endless_work() {
    let meta = PBKDF2.replace("10", "4000000000");
    let sealed = envelope(&[5; 16], b"", "", &[("k", &meta)]);
    assert_eq!(
        sealed.open(&passphrase("x"), b""),
        Err(OpenError::Parameters)
    );
}

const HCL: &str = r#"
# Written for this test.
terraform {
  encryption {
    key_provider "static" "s" { key = "05050505050505050505050505050505" }
    key_provider "pbkdf2" "c" {
      chain                    = key_provider.static.s // its key is the passphrase
      encrypted_metadata_alias = "mine"
    }
    key_provider "pbkdf2" "p" {
      passphrase = <<-EOT
pw
      EOT
    }
    /* two methods */
    method "aes_gcm" "old" { keys = key_provider.static.s }
    method "aes_gcm" "new" {
      keys = key_provider.pbkdf2.c
      aad  = [99, 116,
              120]
    }
    method "unencrypted" "u" {}
    state {
      method = method.aes_gcm.new
      fallback {
        method = method.aes_gcm.old
        fallback { method = method.unencrypted.u }
      }
    }
  }
}
"#;

const JSON: &str = r#"{
  "key_provider": {
    "static": {"s": {"key": "05050505050505050505050505050505"}},
    "pbkdf2": {"c": [{"chain": "${key_provider.static.s}", "encrypted_metadata_alias": "mine"}]}
  },
  "method": {
    "aes_gcm": {"old": {"keys": "key_provider.static.s"}, "new": {"keys": "${key_provider.pbkdf2.c}", "aad": [99, 116, 120]}}
  },
  "state": {"method": "method.aes_gcm.new", "fallback": {"method": "method.aes_gcm.old"}}
}"#;

#[test]
fn configurations_open_by_chains_and_fallbacks() {
    let chained = envelope(&derived(&[5; 16]), b"ctx", "", &[STATIC, ("mine", PBKDF2)]);
    let old = envelope(&[5; 16], b"", "", &[STATIC]);
    for text in [HCL, JSON] {
        let config = Config::parse(text).expect("understood");
        for sealed in [&chained, &old] {
            let opened = sealed.open_with(&config, Target::State).expect("opened");
            assert_eq!(opened.as_slice(), STATE.as_bytes());
        }
        let err = old.open_with(&config, Target::Plan).expect_err("no plan");
        assert_eq!(
            err.to_string(),
            "the encryption configuration has no usable method for the plan"
        );
        assert_eq!(format!("{config:?}"), "Config([secret])");
    }
}

#[track_caller]
fn check_config(text: &str, want: &str) {
    let sealed = envelope(&[5; 16], b"", "", &[STATIC]);
    let err = match Config::parse(text) {
        Ok(config) => sealed
            .open_with(&config, Target::State)
            .expect_err("unusable")
            .to_string(),
        Err(err) => err.to_string(),
    };
    assert_eq!(err, want);
}

#[test]
fn configurations_say_what_they_lack() {
    check_config(
        "",
        "the encryption configuration has no usable method for the state",
    );
    check_config(
        "state {\n  method = \n}",
        "the encryption configuration has no usable method for the state",
    );
    check_config(
        "state {",
        "expected an attribute or a block at line 1 of the encryption configuration",
    );
    check_config(
        "a = 1\n= 2\n",
        "expected an attribute or a block at line 2 of the encryption configuration",
    );
    check_config(
        "{\"a\": \n nope}",
        "expected JSON at line 2 of the encryption configuration",
    );
    check_config(
        "state { method = method.aes_gcm.gone }",
        "the encryption configuration has no usable `method.aes_gcm.gone`",
    );
    let round = "key_provider \"pbkdf2\" \"a\" { chain = key_provider.pbkdf2.a }\n\
                 method \"aes_gcm\" \"m\" { keys = key_provider.pbkdf2.a }\nstate { method = method.aes_gcm.m }";
    check_config(
        round,
        "the encryption configuration has no usable chain of key providers",
    );
    check_config(
        &"a {".repeat(100_000),
        "expected an attribute or a block at line 1 of the encryption configuration",
    );
}

/// Checks that the configuration with the passphrase expression `written` opens the file of the passphrase `meant`.
#[track_caller]
fn check_passphrase(written: &str, meant: &str) {
    let text = format!(
        "key_provider \"pbkdf2\" \"p\" {{\n  passphrase = {written}\n}}\n\
         method \"aes_gcm\" \"m\" {{\n  keys = key_provider.pbkdf2.p\n}}\n\
         state {{\n  method = method.aes_gcm.m\n}}\n"
    );
    let config = Config::parse(&text).expect("understood");
    let meta = [("key_provider.pbkdf2.p", PBKDF2)];
    let sealed = envelope(&derived(meant.as_bytes()), b"", "", &meta);
    let opened = sealed.open_with(&config, Target::State).expect("opened");
    assert_eq!(opened.as_slice(), STATE.as_bytes());
}

#[test]
fn passphrases_are_read_as_the_language_writes_them() {
    check_passphrase(r#""plain""#, "plain");
    check_passphrase(r#""a\tb\"\u00e9""#, "a\tb\"\u{e9}");
    check_passphrase(r#""$${x}%%{y}$z""#, "${x}%{y}$z");
    check_passphrase("<<EOT\n  as it is\n\n b\nEOT", "  as it is\n\n b\n");
    check_passphrase(
        "<<-EOT\n    two\n\n      lines\n    EOT",
        "two\n\n  lines\n",
    );
    check_passphrase("<<-EOT\n\ta $${b}\n\tEOT", "a ${b}\n");
}

#[test]
fn an_expression_is_not_a_passphrase() {
    for written in [
        "var.passphrase",
        "\"a${b}\"",
        "trimspace(\"a\")",
        "<<EOT\n${a}\nEOT",
    ] {
        let text = format!(
            "key_provider \"pbkdf2\" \"p\" {{\n  passphrase = {written}\n}}\n\
             method \"aes_gcm\" \"m\" {{\n  keys = key_provider.pbkdf2.p\n}}\n\
             state {{\n  method = method.aes_gcm.m\n}}\n"
        );
        check_config(
            &text,
            "the encryption configuration has no usable passphrase in `key_provider.pbkdf2.p`",
        );
    }
}
