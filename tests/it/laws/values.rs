//! The normal form.

use proptest::collection::vec;
use proptest::prelude::*;
use stacklens::pulumi::equality::Equality;
use stacklens::pulumi::urn::Urn;
use stacklens::value::{Map, Payload, Value};

use super::generate::{Kinds, key, map, value};

proptest! {
    #[test]
    fn markers_do_not_depend_on_order_or_number(
        value in value(Kinds::Pulumi),
        names in vec("[abc]", 0..5),
        secret: bool,
    ) {
        let urns = || names.iter().map(|name| Urn::from(name.as_str()));
        let forward = value.clone().with_secret(secret).with_dependencies(urns());
        let backward = value.clone().with_dependencies(urns().rev().chain(urns())).with_secret(secret);
        prop_assert_eq!(&forward, &backward);
        prop_assert_eq!(forward.clone().with_secret(secret).with_dependencies(urns()), forward.clone());
        // The payload is unchanged, and all markers move to another payload.
        prop_assert!(forward.payload() == value.payload());
        let moved = Value::NULL.with_markers(forward.markers()).with_payload(value.payload().clone());
        prop_assert_eq!(moved, forward);
    }

    #[test]
    fn maps_forget_how_they_were_made(map in map(Kinds::Pulumi), key in key(), to in value(Kinds::Pulumi)) {
        let reversed: Map = map.iter().rev().map(|(key, value)| (key.clone(), value.clone())).collect();
        prop_assert_eq!(&reversed, &map);
        let set = map.clone().set(key.as_str(), to.clone());
        prop_assert_eq!(set.get(&key), Some(&to));
        prop_assert!(!set.clone().delete(&key).contains_key(&key));
        if !map.contains_key(&key) {
            prop_assert_eq!(set.delete(&key), map.clone());
        }
        let emptied = map.keys().fold(map.clone(), |map, key| map.delete(key));
        prop_assert_eq!(emptied, Map::default());
    }

    #[test]
    fn sharing_never_shows(map in map(Kinds::Pulumi), key in key()) {
        let before = map.clone();
        let _changed = map.clone().set(key.as_str(), Value::NULL).delete("a");
        prop_assert_eq!(before, map);
    }

    #[test]
    fn equality_is_reflexive_symmetric_and_looser(a in value(Kinds::Pulumi), b in value(Kinds::Pulumi)) {
        for equality in [Equality::Strict, Equality::RelaxComputed] {
            prop_assert!(a.equals(&a, equality));
            prop_assert_eq!(a.equals(&b, equality), b.equals(&a, equality));
        }
        prop_assert!(a != b || a.equals(&b, Equality::Strict));
        prop_assert!(!a.equals(&b, Equality::Strict) || a.equals(&b, Equality::RelaxComputed));
    }

    #[test]
    fn an_unknown_relaxes_to_anything_with_its_markers(value in value(Kinds::Pulumi)) {
        let unknown = value.clone().with_payload(Payload::Computed(None));
        prop_assert!(unknown.equals(&value, Equality::RelaxComputed));
        prop_assert_eq!(unknown.equals(&value, Equality::Strict), value.is_computed());
    }

    #[test]
    fn secrets_are_found_and_never_printed(map in map(Kinds::Pulumi), key in key()) {
        let hidden = Value::from("hunter2-hunter2").with_secret(true);
        let value = Value::from(vec![Value::from(map.set(key.as_str(), hidden))]);
        prop_assert!(value.has_secrets());
        let printed = format!("{value} {value:?}");
        prop_assert!(!printed.contains("hunter2"));
    }
}
