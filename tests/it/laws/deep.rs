//! The deepest values that are let in survive everything that walks them, on the small stack of a test thread.

use stacklens::diff::{self, Options};
use stacklens::json::{self, MAX_DEPTH, Numbers};
use stacklens::path::{Glob, LegacyPath, Path, Segment};
use stacklens::value::{Equality, Map, Value};
use stacklens::wire::{self, Ciphertext, SecretKey, Secrets};

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
fn secrets_inside_secrets() {
    let mut state = Value::from(1.0);
    for _ in 0..12 {
        state = wire::encode_state(&Value::from(vec![state]).with_secret(true), Secrets::Show);
    }
    // Each level escapes the one inside it, so the text grows and the depth does not run away.
    let (value, problems) = wire::decode_state_leniently(&state, None);
    assert!(value.is_secret());
    assert_eq!(problems, []);
}
