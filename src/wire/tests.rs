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
        .replace("ASSET", ASSET);
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
fn lenient_decoding_keeps_the_neighbours() {
    let state =
        read(r#"{"a": [{"SIG": "nope"}], "p": {"SIG": "SECRET", "plaintext": "{"}, "c": 1}"#);
    let (value, problems) = decode_state_leniently(&state, None);
    assert_eq!(value.get("c"), Some(&Value::from(1.0)));
    assert!(value.get("p").unwrap().is_secret());
    let problems: Vec<_> = problems.iter().map(ToString::to_string).collect();
    assert_eq!(
        problems,
        [
            format!("expected a known signature at a[0][\"{SIGNATURE}\"], found another string"),
            "expected JSON inside the secret at p, found another text".to_owned(),
        ]
    );
}

#[test]
fn nesting_is_limited_through_secrets() {
    // Each level of a stored secret is a text of its own: the limit counts through them.
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
    assert_eq!(error.expected, "no more than 1,000 levels");
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
