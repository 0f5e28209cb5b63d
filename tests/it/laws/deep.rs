//! The deepest accepted values survive everything that walks them, on the small stack of a test thread.

use stacklens::json::{self, MAX_DEPTH, Numbers};
use stacklens::path::{Glob, Path, Segment};
use stacklens::pulumi::diff::{self, Options};
use stacklens::pulumi::equality::Equality;
use stacklens::pulumi::legacy_path::LegacyPath;
use stacklens::pulumi::wire::{self, Ciphertext, SecretKey, Secrets};
use stacklens::value::{Map, Value};

fn deep(open: &str, leaf: &str, close: &str) -> Value {
    let n_levels = MAX_DEPTH;
    let text = [
        open.repeat(n_levels),
        leaf.to_owned(),
        close.repeat(n_levels),
    ]
    .concat();
    let parsed = json::parse(text.as_bytes(), Numbers::Double);
    parsed.expect("this is as deep as it may be").value
}

#[test]
fn arrays_and_maps() {
    for (open, close, step) in [
        ("[", "]", Segment::from(0)),
        ("{\"a\":", "}", Segment::from("a")),
    ] {
        let [value, other] = ["1", "2"].map(|leaf| deep(open, leaf, close));
        let text = json::to_pretty(&value);
        assert_eq!(
            json::parse(text.as_bytes(), Numbers::Double).unwrap().value,
            value
        );
        assert!(value.to_string().len() > MAX_DEPTH);
        assert!(!value.equals(&other, Equality::Strict) && !value.has_secrets());
        assert!(diff::values(&value, &other, Options::default()).is_some());
        assert_eq!(
            wire::decode(&wire::encode(&value, SecretKey::Value)).unwrap(),
            value
        );
        let stored = wire::encode_state(&value, Secrets::Encrypt(&Ciphertext));
        assert_eq!(wire::decode_state(&stored, None).unwrap(), value);
        let path = Path(vec![step; MAX_DEPTH]);
        assert_eq!(path.get(&value), Some(&Value::from(1.0)));
        assert_eq!(path.set(&value, &Value::from(2.0)), Ok(other));
        let found = Glob::parse_tolerant("**").unwrap().find(&value);
        assert_eq!(found.len(), MAX_DEPTH + 1);
        let legacy = LegacyPath::from(&path);
        assert!(legacy.add(&Value::NULL, &Value::NULL).is_some());
        assert!(legacy.delete(&value).is_some());
        let map = |value: &Value| Map::from_iter([("top", value.clone())]);
        let below = LegacyPath::from(
            &[Path(vec!["top".into()]), path]
                .into_iter()
                .flat_map(|path| path.0)
                .collect(),
        );
        assert_eq!(below.reset(&map(&value), &map(&value)), Some(map(&value)));
    }
}

#[test]
fn archives() {
    let (open, close) = (
        format!(
            r#"{{"{}":"{}","assets":{{"a":"#,
            wire::SIGNATURE,
            wire::ARCHIVE
        ),
        "}}",
    );
    let n_levels = MAX_DEPTH / 2 - 1;
    let leaf = format!(r#"{{"{}":"{}","text":"x"}}"#, wire::SIGNATURE, wire::ASSET);
    let text = [open.repeat(n_levels), leaf, close.repeat(n_levels)].concat();
    let form = json::parse(text.as_bytes(), Numbers::Double).unwrap().value;
    let value = wire::decode(&form).unwrap();
    assert_eq!(wire::encode(&value, SecretKey::Value), form);
    assert!(json::to_pretty(&value).len() > n_levels);
    assert_eq!(value.to_string(), "archive(1 asset)");
    assert!(value.is_identical(&value.clone()) && !value.has_secrets());
    // Nothing is hashed at this depth, so the value is not even equal to itself.
    assert!(!value.equals(&value, Equality::Strict));
}

#[test]
fn secrets_inside_secrets() {
    let mut state = Value::from(1.0);
    for _ in 0..12 {
        state = wire::encode_state(&Value::from(vec![state]).with_secret(true), Secrets::Show);
    }
    // Each level escapes the one inside it, so the text grows but the depth stays bounded.
    let value = wire::decode_state_leniently(&state, None);
    assert!(value.is_secret());
    assert_eq!(value, wire::decode_state(&state, None).unwrap());
}
