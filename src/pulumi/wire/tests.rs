use crate::value::Payload;
use std::cell::Cell;

use zeroize::Zeroizing;

use super::*;
use crate::json::{self, MAX_DEPTH, Numbers};
use crate::value::{Map, Sealed};

fn read(text: &str) -> Value {
    let text = text
        .replace("SIG", SIGNATURE)
        .replace("SECRET", SECRET)
        .replace("OUTPUT", OUTPUT)
        .replace("REFERENCE", REFERENCE)
        .replace("ARCHIVE", ARCHIVE)
        .replace("ASSET", ASSET)
        .replace("BYTES", BYTES);
    json::parse(text.as_bytes(), Numbers::Double)
        .expect("the test is JSON")
        .value
}

#[track_caller]
fn check_error(text: &str, want: &str) {
    let error = decode(&read(text)).expect_err("this is malformed");
    assert_eq!(error.to_string(), want);
}

#[test]
fn three_forms_are_one_secret() {
    let want = Value::from(42.0).with_secret(true);
    for text in [
        r#"{"SIG": "SECRET", "plaintext": {"SIG": "OUTPUT", "value": 42}}"#,
        r#"{"SIG": "OUTPUT", "secret": true, "value": 42}"#,
        r#"{"SIG": "SECRET", "plaintext": 42}"#,
        r#"{"SIG": "SECRET", "value": 42}"#,
    ] {
        assert_eq!(decode(&read(text)).unwrap(), want, "{text}");
    }
    assert_eq!(
        encode(&want, SecretKey::default()),
        read(r#"{"SIG": "SECRET", "plaintext": 42}"#)
    );
}

#[test]
fn errors_carry_the_path_and_no_value() {
    check_error(
        r#"{"a": [1, {"SIG": "SECRET"}]}"#,
        "expected a value at a[1], found nothing",
    );
    check_error(
        r#"{"b": {"SIG": "OUTPUT", "value": 1, "dependencies": ["x", 2]}}"#,
        "expected a string at b.dependencies[1], found a number",
    );
    check_error(
        r#"{"SIG": "ARCHIVE", "assets": {"x.y": {"SIG": "SECRET", "value": "hunter2"}}}"#,
        "expected an asset or archive at assets[\"x.y\"], found a secret",
    );
    check_error(
        r#"{"SIG": "nope"}"#,
        &format!("expected a known signature at [\"{SIGNATURE}\"], found another string"),
    );
}

#[test]
fn sealed_secrets_stay_sealed_without_a_key() {
    let state = read(
        r#"{"p": {"SIG": "SECRET", "ciphertext": "v1:abc"}, "q": {"SIG": "SECRET", "ciphertext": "[secret]"}}"#,
    );
    let value = decode_state(&state, None).unwrap();
    let sealed = |key| value.get(key).unwrap().payload().clone();
    assert!(sealed("p") == Payload::Sealed(Sealed::Ciphertext("v1:abc".into())));
    assert!(sealed("q") == Payload::Sealed(Sealed::Redacted));
    assert_eq!(encode_state(&value, Secrets::Show), state);
}

#[test]
fn a_value_that_does_not_decode_is_hidden_and_its_neighbours_are_not() {
    for hidden in [
        r#"{"SIG": "nope", "a": "hunter2"}"#,
        r#"{"SIG": null, "a": "hunter2"}"#,
        r#"{"SIG": {}, "a": "hunter2"}"#,
        r#"{"SIG": "SECRET", "plaintext": "hunter2"}"#,
        r#"{"SIG": "SECRET", "value": "hunter2"}"#,
        r#"{"SIG": "SECRET", "plaintext": "\"hunter2\"", "ciphertext": ""}"#,
        r#"{"SIG": "OUTPUT", "value": "hunter2", "secret": true}"#,
        r#"{"SIG": "ASSET", "text": ["hunter2"]}"#,
        r#"{"SIG": "ASSET", "text": {"SIG": "SECRET", "plaintext": "\"hunter2\""}}"#,
        r#"{"SIG": "ARCHIVE", "assets": {"a": "hunter2"}}"#,
        r#"{"SIG": "ARCHIVE", "assets": {"a": {"SIG": "nope", "b": "hunter2"}}}"#,
        r#"{"SIG": "ARCHIVE", "assets": ["hunter2"]}"#,
        r#"{"SIG": "REFERENCE", "id": "hunter2"}"#,
        r#""{\"SIG\": \"SECRET\", \"plaintext\": \"\\\"hunter2\\\"\"}""#,
        r#""[{\"SIG\": \"nope\", \"a\": \"hunter2\"}]""#,
        r#""{\"SIG\": \"ASSET\", \"text\": \"x\"} hunter2""#,
    ] {
        let state = read(&format!(r#"{{"a": [{hidden}], "c": 1}}"#));
        let value = decode_state_leniently(&state, None);
        assert_eq!(value.to_string(), "{a: [[secret]], c: 1}", "{hidden}");
        assert!(
            value
                .get("a")
                .unwrap()
                .as_array()
                .unwrap()
                .get(0)
                .unwrap()
                .is_secret()
        );
    }
    let asset = read(r#"{"a": "{\"SIG\": \"ASSET\", \"text\": \"x\"}", "b": "SIG"}"#);
    assert_eq!(decode_state_leniently(&asset, None), asset);
}

/// Counts the calls.
#[derive(Default)]
struct Counter(Cell<usize>);

impl Decrypt for Counter {
    fn decrypt(&self, _: &str) -> Result<Zeroizing<String>, DecryptError> {
        self.0.set(self.0.get() + 1);
        Ok(Zeroizing::new("1".to_owned()))
    }
}

#[test]
fn every_part_is_decoded_once_however_deep_it_lies() {
    let secret = r#"{"SIG": "SECRET", "ciphertext": "x"}"#;
    // Two of them fail at each level, which must not lead to a second decoding either.
    for (open, close) in [
        (r#"{"SIG": "ARCHIVE", "note": SEC, "assets": {"a": "#, "}}"),
        (r#"{"SIG": "ARCHIVE", "assets": {"b": SEC, "a": "#, "}}"),
        (
            r#"{"SIG": "ARCHIVE", "path": "p", "note": SEC, "assets": {"a": "#,
            "}}",
        ),
        (r#"{"SIG": "ASSET", "note": SEC, "text": "#, "}"),
        (
            r#"{"SIG": "REFERENCE", "note": SEC, "urn": "u", "id": "#,
            "}",
        ),
        (r#"{"SIG": "BYTES", "note": SEC, "value": "#, "}"),
        (r#"{"SIG": "nope", "note": SEC, "value": "#, "}"),
        ("[SEC, ", "]"),
        (r#"{"note": SEC, "a": "#, "}"),
    ] {
        let n_levels = MAX_DEPTH / 2 - 1;
        let text = [
            &open.replace("SEC", secret).repeat(n_levels),
            r#"{"SIG": "ASSET", "text": "x"}"#,
            &close.repeat(n_levels),
        ]
        .concat();
        let state = read(&text);
        let counter = Counter::default();
        decode_state_leniently(&state, Some(&counter));
        assert_eq!(counter.0.get(), n_levels, "{open}");
        let counter = Counter::default();
        _ = decode_state(&state, Some(&counter));
        assert!(counter.0.get() <= n_levels, "{open}");
    }
}

#[test]
fn archives_nest_as_deep_as_anything() {
    let nested = |n_levels: usize| {
        let (open, close) = (r#"{"SIG": "ARCHIVE", "assets": {"a": "#, "}}");
        let text = [
            &open.repeat(n_levels),
            r#"{"SIG": "ASSET", "text": "x"}"#,
            &close.repeat(n_levels),
        ]
        .concat();
        read(&text)
    };
    let form = nested(MAX_DEPTH / 2 - 1);
    let value = decode(&form).unwrap();
    assert_eq!(encode(&value, SecretKey::Value), form);
    assert_eq!(decode_state(&form, None).unwrap(), value);
    assert_eq!(encode_state(&value, Secrets::Show), form);
    assert_eq!(decode_state_leniently(&form, None), value);
}

#[test]
fn a_map_with_the_signature_is_written_as_it_is() {
    for text in [
        r#"{"SIG": "nope", "a": 1}"#,
        r#"[{"SIG": null}]"#,
        r#"{"SIG": "SECRET", "value": 1}"#,
    ] {
        let value = read(text);
        assert_eq!(encode(&value, SecretKey::Value), value, "{text}");
        assert_eq!(encode_state(&value, Secrets::Show), value, "{text}");
    }
}

#[test]
fn nesting_is_limited_through_secrets() {
    // Each level of a stored secret is a separate text: the limit counts all of them.
    let mut state = read("1");
    for _ in 0..4 {
        for _ in 0..MAX_DEPTH / 3 {
            state = Value::from(vec![state]);
        }
        let text = json::to_compact(&state);
        state = Value::from(Map::from_iter([
            (SIGNATURE, Value::from(SECRET)),
            ("plaintext", Value::from(text)),
        ]));
    }
    let error = decode_state(&state, None).expect_err("this is too deep");
    assert_eq!(error.expected, "at most 1,000 levels of nesting");
}

#[test]
fn base64_is_read_as_go_reads_it() {
    let bytes = |text: &str| {
        let form = Map::from_iter([
            ("value", Value::from(text)),
            (SIGNATURE, Value::from(BYTES)),
        ]);
        decode(&Value::from(form)).ok()
    };
    assert_eq!(bytes("aGVs\r\nbG8="), Some(Value::from("hello")));
    assert_eq!(bytes("aGVsbG9="), Some(Value::from("hello")));
    assert_eq!(bytes("aGVsbG8"), None);
    assert_eq!(bytes("aGVsbG8=="), None);
    assert_eq!(bytes("-_=="), None);
}
