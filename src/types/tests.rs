use std::sync::Arc;

use super::*;
use crate::path::Path;
use crate::value::{Map, Urn};

fn object<const N: usize>(attributes: [(&str, Type); N], optional: &[&str]) -> Type {
    Type::Object(ObjectType {
        attributes: attributes.map(|(key, ty)| (key.into(), ty)).into(),
        optional: optional.iter().map(|key| Arc::from(*key)).collect(),
    })
}

fn array(ty: Type) -> Type {
    Type::Array(ty.into())
}

#[test]
fn the_notation_quotes_every_key_and_marks_optional_ones() {
    let choice = Type::Enum(Type::String.into(), vec!["\u{1b}".into(), Value::NULL]);
    let ty = object(
        [
            ("a-b", array(Type::Number)),
            ("c \"d", choice),
            ("", Type::Tuple(TupleType::default())),
        ],
        &["a-b", ""],
    );
    assert_eq!(
        ty.to_string(),
        r#"Object<"a-b"?, Array<Number>, "c \"d", Enum<String, "\u001b", null>, ""?, Tuple<>>"#
    );
}

#[test]
fn shapes_keep_attributes_optional() {
    let ty = object(
        [
            ("a", Type::String),
            ("b", Type::Promise(Type::Number.into())),
        ],
        &["b"],
    );
    assert_eq!(
        ty.input_shape().to_string(),
        r#"Input<Object<"a", Input<String>, "b"?, Input<Number>>>"#
    );
    assert_eq!(
        ty.plain_shape().to_string(),
        r#"Object<"a", String, "b"?, Number>"#
    );
}

#[test]
fn shapes_push_into_sets() {
    let ty = Type::Set(Type::Dynamic.into());
    assert_eq!(
        ty.output_shape().to_string(),
        "Output<Set<Output<Dynamic>>>"
    );
}

fn sample() -> Value {
    Value::from(Map::from_iter([
        ("n", Value::from(1.0)),
        (
            "list",
            Value::from(vec![Value::from("a"), Value::from(true), Value::from("b")]),
        ),
        ("none", Value::from(vec![])),
        ("later", Value::computed()),
        (
            "secret",
            Value::from(Map::from_iter([("key", Value::from("x"))])).with_secret(true),
        ),
        (
            "linked",
            Value::from("i").with_dependencies([Urn::from("urn:x")]),
        ),
    ]))
}

#[test]
fn inference_shows_no_key_of_a_secret() {
    assert_eq!(
        Type::infer(&sample()).to_string(),
        "Object<\"n\", Number, \"list\", Array<Union<String, Bool>>, \"none\", Array<Union<>>, \"later\", Output<Dynamic>, \
         \"secret\", Output<Map<Dynamic>>, \"linked\", Output<String>>"
    );
    assert_eq!(Type::infer(&sample()).check(&sample()), Ok(()));
}

#[test]
fn inference_of_many_unlike_elements_is_bounded() {
    let items = (0..100_000).map(|n| Value::from(Map::from_iter([(format!("k{n}"), Value::NULL)])));
    let value = Value::from(items.collect::<Vec<_>>());
    assert_eq!(Type::infer(&value).to_string(), "Array<Dynamic>");
}

#[track_caller]
fn check_misfits(ty: &Type, value: &Value, want: &[&str]) {
    let misfits = ty.check(value).err().unwrap_or_default();
    let shown: Vec<_> = misfits.iter().map(ToString::to_string).collect();
    assert_eq!(shown, want);
}

#[test]
fn misfits_are_found_by_path() {
    let secret = Type::Output(Type::Map(Type::Number.into()).into());
    let ty = object(
        [
            ("n", Type::String),
            ("list", array(Type::String)),
            ("none", Type::Tuple(vec![Type::Null].into())),
            ("later", Type::Number),
            ("secret", secret),
            ("gone", Type::Null),
        ],
        &[],
    );
    check_misfits(
        &ty,
        &sample(),
        &[
            "expected String, found number at n",
            "expected String, found bool at list[1]",
            "expected 1 elements, found 0 at none",
            "expected Number, found an unknown value at later",
            "expected Output<Map<Number>>, found another secret at secret",
            "unexpected key \"linked\"",
            "missing key \"gone\"",
        ],
    );
}

#[test]
fn misfits_name_the_union_the_enum_and_the_metadata() {
    check_misfits(
        &array(Type::String),
        &Value::from(vec![Value::from("x").with_secret(true)]),
        &["expected String, found a secret value at [0]"],
    );
    check_misfits(
        &Type::Union(vec![Type::String, Type::Number]),
        &Value::NULL,
        &["expected Union<String, Number>, found null"],
    );
    check_misfits(
        &Type::Enum(Type::String.into(), vec!["a".into()]),
        &Value::from("c"),
        &["expected a value of Enum<String, \"a\">"],
    );
}

#[test]
fn an_optional_attribute_may_be_null_or_missing() {
    let ty = object([("a", Type::String)], &["a"]);
    let null = Value::from(Map::from_iter([("a", Value::NULL)]));
    check_misfits(&ty, &null, &[]);
    check_misfits(&ty, &Value::from(Map::default()), &[]);
}

#[test]
fn nested_unions_do_not_multiply_the_work() {
    let mut ty = Type::Null;
    let mut value = Value::from(true);
    for _ in 0..100 {
        ty = Type::Union(vec![Type::Array(ty.into()), Type::Null]);
        value = Value::from(vec![value]);
    }
    let misfits = ty.check(&value).expect_err("a bool is no null");
    assert_eq!(misfits[0].path, Path(vec![0.into(); 100]));
}

#[test]
fn depth_is_bounded() {
    let mut value = Value::NULL;
    for _ in 0..crate::json::MAX_DEPTH + 50 {
        value = Value::from(vec![value]);
    }
    let ty = Type::infer(&value);
    assert_eq!(ty.check(&value), Ok(()));
    assert_eq!(ty.plain_shape(), ty);
}
