use indexmap::IndexMap;

use super::*;

#[test]
fn markers_do_not_depend_on_the_order_of_application() {
    let [a, b] = ["urn:pulumi:s::p::t::a", "urn:pulumi:s::p::t::b"].map(Urn::from);
    let one =
        Value::from("text")
            .with_secret(true)
            .with_dependencies([b.clone(), a.clone(), b.clone()]);
    let other = Value::NULL
        .with_dependencies([a, b])
        .with_secret(true)
        .with_payload(Payload::String("text".into()));
    assert_eq!(one, other);
    assert_eq!(
        Value::from("text").with_secret(true).with_secret(false),
        Value::from("text")
    );
}

#[test]
fn four_kinds_of_nothing() {
    let empty_map = Value::from(Map::from_iter([("a", Value::NULL)]).delete("a"));
    assert_eq!(empty_map, Value::from(Map::default()));
    assert_ne!(empty_map, Value::NULL);
    assert_ne!(empty_map, Value::from(Array::default()));
    assert_ne!(Map::from_iter([("a", Value::NULL)]), Map::default());
    assert_eq!(Value::from(None::<&str>), Value::NULL);
}

#[test]
fn maps_ignore_the_order_of_keys() {
    let [one, two] = [Value::from(1.0), Value::from(2.0)];
    let forward = Map::from_iter([("a", one.clone()), ("b", two.clone())]);
    let backward = Map::from_iter([("b", two), ("a", one)]);
    assert_eq!(forward, backward);
}

#[test]
fn secrets_do_not_print() {
    let secret = Value::from("hunter2").with_secret(true);
    let value = Value::from(vec![Value::from("a\u{1b}[31m\u{202e}"), secret.clone()]);
    assert_eq!(value.to_string(), r#"["a␛[31m\u{202e}", [secret]]"#);
    assert_eq!(
        format!(
            "{secret:?} {:?} {:?}",
            secret.payload(),
            Text::from("hunter2")
        ),
        "[secret] string Text(7 bytes)"
    );
    assert_eq!(secret.reveal().to_string(), r#""hunter2""#);
}

#[test]
fn sealed_payloads_are_secret() {
    let sealed = Value::new(Payload::Sealed(Sealed::Redacted));
    assert!(sealed.is_secret());
    assert!(sealed.clone().with_secret(false).is_secret());
    assert!(sealed.clone().with_markers(Markers::default()).is_secret());
    assert!(sealed.reveal().is_secret());
    assert!(
        Value::from(1.0)
            .with_payload(sealed.into_payload())
            .is_secret()
    );
}

#[test]
fn a_value_is_small() {
    assert!(size_of::<Value>() <= 32, "{}", size_of::<Value>());
}

#[test]
fn a_wiped_value_is_equal_and_its_strings_are_zeroed_on_drop() {
    fn all_wiped(value: &Value) -> bool {
        match value.payload() {
            Payload::String(text) => text.is_wiped(),
            Payload::Array(items) => items.iter().all(all_wiped),
            Payload::Map(map) => map.values().all(all_wiped),
            Payload::Asset(asset) => asset.text.iter().all(Text::is_wiped),
            Payload::Archive(archive) => all_members_wiped(archive),
            _ => true,
        }
    }
    fn all_members_wiped(archive: &Archive) -> bool {
        let mut members = archive.assets.iter().flat_map(IndexMap::values);
        members.all(|member| match member {
            Member::Asset(asset) => asset.text.iter().all(Text::is_wiped),
            Member::Archive(archive) => all_members_wiped(&archive.clone()),
        })
    }
    let asset = Arc::new(Asset {
        text: Some("three".into()),
        ..Asset::default()
    });
    let inner = Arc::new(Archive {
        assets: Some(IndexMap::from_iter([(
            "x".into(),
            Member::Asset(asset.clone()),
        )])),
        ..Archive::default()
    });
    let archive = Archive {
        assets: Some(IndexMap::from_iter([("y".into(), Member::Archive(inner))])),
        ..Archive::default()
    };
    let value = Value::from(Map::from_iter([
        ("c", Value::new(Payload::Asset(asset))),
        ("d", Value::new(Payload::Archive(archive.into()))),
        ("a", Value::from("one")),
        ("b", Value::from(vec![Value::from("two").with_secret(true)])),
    ]));
    assert!(!all_wiped(&value));
    let wiped = value.clone().into_wiped();
    assert!(all_wiped(&wiped));
    assert!(all_wiped(&wiped.clone().with_secret(true)));
    assert_eq!(wiped, value);
    assert_eq!(size_of::<Text>(), size_of::<&str>());
}
