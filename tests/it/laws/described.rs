//! Laws of described differences.

use proptest::collection::vec;
use proptest::prelude::*;
use stacklens::change::difference::{
    Action, Context, Diff, DiffKind, Elements, Extent, describe, same,
};
use stacklens::change::leaves::{Leaf, leaves};
use stacklens::change::review::SectionDiff;
use stacklens::json::{Numbers, parse};
use stacklens::path::{Path, Segment};
use stacklens::stack::Section;
use stacklens::terraform::schema::Block;
use stacklens::value::{Array, Map, Value};

use super::generate::{Kinds, key, map, value};

/// Calls `check` with every node.
fn walk(diff: &Diff, check: &mut impl FnMut(&Diff)) {
    check(diff);
    match &diff.kind {
        DiffKind::List { elements, .. } | DiffKind::Set { elements, .. } => {
            for element in elements.iter() {
                walk(&element.diff(), check);
            }
        }
        DiffKind::Map {
            entries: children, ..
        }
        | DiffKind::Object {
            entries: children, ..
        } => {
            for (_, child) in children {
                walk(child, check);
            }
        }
        DiffKind::Block { attributes, groups } => {
            for (_, child) in attributes {
                walk(child, check);
            }
            for member in groups.iter().flat_map(|group| &group.members) {
                walk(&member.diff, check);
            }
        }
        DiffKind::Json(inner) | DiffKind::Document { values: inner, .. } => walk(inner, check),
        DiffKind::Unknown {
            before: Some(before),
        } => walk(before, check),
        DiffKind::TypeChange { before, after } => {
            walk(before, check);
            walk(after, check);
        }
        _ => {}
    }
}

/// The elements are listed without gaps and in their order after the change, each with the same action as its own difference.
/// Those on both sides have the same order before, unless the list says otherwise.
#[track_caller]
fn check_elements(diff: &Diff, elements: &Elements) {
    let len = |value: &Value| value.as_array().map_or(0, Array::len);
    let mut old: Vec<usize> = elements.iter().filter_map(|element| element.old).collect();
    let new: Vec<usize> = elements.iter().filter_map(|element| element.new).collect();
    let kept = elements.iter().filter(|element| element.new.is_some());
    let kept: Vec<usize> = kept.filter_map(|element| element.old).collect();
    assert_eq!(kept.is_sorted(), !elements.is_reordered(), "{diff:?}");
    old.sort_unstable();
    assert!(old.iter().copied().eq(0..len(&diff.before)), "{diff:?}");
    assert!(new.iter().copied().eq(0..len(&diff.after)), "{diff:?}");
    assert_eq!(elements.iter().count(), elements.len());
    for element in elements.iter() {
        assert_eq!(
            element.diff().action,
            element.action,
            "{:?}",
            element.diff()
        );
    }
}

/// Two lists whose elements are picked from a few values.
fn lists(kinds: Kinds) -> impl Strategy<Value = (Value, Value)> {
    let places = || vec(any::<prop::sample::Index>(), 0..9);
    (vec(value(kinds), 1..5), places(), places()).prop_map(|(pool, before, after)| {
        let list = |places: Vec<prop::sample::Index>| {
            let items: Vec<Value> = places
                .iter()
                .map(|place| place.get(&pool).clone())
                .collect();
            Value::from(items)
        };
        (list(before), list(after))
    })
}

fn check_lists(diff: &Diff) {
    walk(diff, &mut |node| {
        if let DiffKind::List { elements, .. } = &node.kind {
            check_elements(node, elements);
        }
    });
}

/// The changed leaves of two maps, as far as `extent` says.
fn leaves_of(before: &Value, after: &Value, replaces: &[Path], extent: Extent) -> Vec<Leaf> {
    let context = Context {
        replaces,
        extent,
        ..Context::default()
    };
    let diff = describe(before, after, context);
    let section = Section::Outputs;
    leaves(&[SectionDiff { section, diff }])
}

proptest! {
    #[test]
    fn what_stays_adds_nothing_to_what_changes(
        before in map(Kinds::Pulumi),
        edits in vec((key(), value(Kinds::Pulumi)), 0..4),
        replaces in vec(vec(key(), 1..3), 0..2),
    ) {
        let after = edits.into_iter().fold(before.clone(), |map, (key, value)| map.set(key.as_str(), value));
        let (inner, other) = (Value::from(before.clone()), Value::from(after.clone()));
        let nested = |map: Map, inner: Value| Value::from(map.set("inner", inner));
        let (before, after) = (nested(before, inner), nested(after, other));
        let path = |keys: &Vec<String>| Path(keys.iter().map(|key| Segment::from(key.as_str())).collect());
        let replaces: Vec<Path> = replaces.iter().map(path).collect();
        let [whole, changes] = [Extent::Whole, Extent::Changes].map(|extent| leaves_of(&before, &after, &replaces, extent));
        prop_assert_eq!(format!("{:?}", whole), format!("{:?}", changes));
    }

    #[test]
    fn nothing_happens_to_what_stays(value in value(Kinds::Pulumi)) {
        let diff = describe(&value, &value.clone(), Context::default());
        walk(&diff, &mut |node| assert_eq!(node.action, Action::Same, "{node:?}"));
    }

    #[test]
    fn lists_are_described_as_they_are((before, after) in lists(Kinds::Pulumi)) {
        let diff = describe(&before, &after, Context::default());
        check_lists(&diff);
        if diff.action == Action::Same {
            prop_assert!(same(&before, &after));
        }
    }

    #[test]
    fn elements_of_a_type_are_described_as_they_are(
        before in vec(element(), 0..9),
        after in vec(element(), 0..9),
    ) {
        let object = r#"["object", {"a": "string", "b": ["list", "string"], "c": ["map", "string"]}]"#;
        let list = format!(r#"["list", {object}]"#);
        let [before, after] = [before, after].map(|items| Value::from(Map::from_iter([("it", Value::from(items))])));
        for element in [object, &list, r#""string""#, r#""dynamic""#] {
            for collection in ["list", "set"] {
                let schema = format!(r#"{{"attributes": {{"it": {{"type": ["{collection}", {element}], "optional": true}}}}}}"#);
                let schema = parse(schema.as_bytes(), Numbers::Exact).expect("JSON");
                let schema = Block::read(&schema.value).expect("a schema");
                let context = Context { schema: Some(&schema), ..Context::default() };
                let diff = describe(&before, &after, context);
                walk(&diff, &mut |node| match &node.kind {
                    DiffKind::List { elements, .. } => check_elements(node, elements),
                    DiffKind::Set { elements, .. } => {
                        for element in elements.iter() {
                            assert_eq!(element.diff().action, element.action);
                        }
                    }
                    _ => {}
                });
            }
        }
    }
}

/// An element of a list of objects, including values that count as nothing.
fn element() -> BoxedStrategy<Value> {
    let text = prop_oneof![
        Just(Value::NULL),
        Just(Value::computed()),
        "[ab]{0,2}".prop_map(Value::from),
        "[ab]".prop_map(|text| Value::from(text).with_secret(true)),
    ];
    let texts = vec(text.clone(), 0..3).prop_map(Value::from);
    let map = prop_oneof![
        Just(Value::NULL),
        text.clone()
            .prop_map(|text| Map::from_iter([("k", text)]).into())
    ];
    let object = (text.clone(), texts.clone(), map)
        .prop_map(|(a, b, c)| Value::from(Map::from_iter([("a", a), ("b", b), ("c", c)])));
    prop_oneof![4 => object.boxed(), 1 => text.boxed(), 1 => texts.boxed()].boxed()
}
