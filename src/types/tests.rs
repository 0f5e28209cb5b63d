use super::notation::MAX_NESTING;
use super::*;
use crate::path::Path;
use crate::value::{Map, Urn};

fn ty(text: &str) -> Type {
    text.parse().unwrap_or_else(|err| panic!("{text}: {err}"))
}

#[track_caller]
fn check_shapes(text: &str, input: &str, output: &str, plain: &str) {
    let ty = ty(text);
    assert_eq!(ty.to_string(), text);
    assert_eq!(ty.input_shape().to_string(), input);
    assert_eq!(ty.output_shape().to_string(), output);
    assert_eq!(ty.plain_shape().to_string(), plain);
}

#[test]
fn shapes_push_the_constructor_inwards() {
    check_shapes("String", "Input<String>", "Output<String>", "String");
    check_shapes(
        "Object<a: Array<String>, b?: Promise<Number>>",
        "Input<Object<a: Input<Array<Input<String>>>, b?: Input<Number>>>",
        "Output<Object<a: Output<Array<Output<String>>>, b?: Output<Number>>>",
        "Object<a: Array<String>, b?: Number>",
    );
}

#[test]
fn shapes_take_one_layer_off_and_expand_inputs() {
    check_shapes(
        "Output<Output<Array<String>>>",
        "Input<Output<Array<String>>>",
        "Output<Output<Array<String>>>",
        "Output<Array<String>>",
    );
    check_shapes(
        "Input<String>",
        "Input<Union<Input<String>, Input<String>>>",
        "Output<Union<Output<String>, Output<String>>>",
        "Union<String, String>",
    );
}

#[track_caller]
fn check_refused(text: &str, column: usize, expected: &str) {
    let err = text.parse::<Type>().expect_err("no type");
    assert_eq!((err.column, &*err.expected), (column, expected));
}

#[test]
fn parse_errors_have_a_column() {
    check_refused("", 1, "a type");
    check_refused("Array<Strin>", 7, "a type");
    check_refused("Array<String", 13, "`>`");
    check_refused("Object<ü: String>", 8, "a key");
    check_refused("Object<\"ü\" String>", 12, "`:`");
    check_refused(
        "Object<a: Null, a: Null>",
        17,
        "a key that was not given before",
    );
    check_refused("Enum<String, nope>", 14, "a JSON value");
    check_refused("Null Null", 6, "the end of the type");
    let deep = "Array<".repeat(100_000);
    check_refused(&deep, (MAX_NESTING + 1) * 6 + 1, "less nesting");
}

#[test]
fn notation_takes_the_commas_of_the_specification() {
    assert_eq!(
        ty("Object< a , String,\"b c\",Number >").to_string(),
        "Object<a: String, \"b c\": Number>"
    );
    assert_eq!(
        ty("Enum<String, \"\\u001b\">").to_string(),
        "Enum<String, \"\\u001b\">"
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
fn inference_tells_no_key_of_a_secret() {
    assert_eq!(
        Type::infer(&sample()).to_string(),
        "Object<n: Number, list: Array<Union<String, Bool>>, none: Array<Union<>>, later: Output<Dynamic>, \
         secret: Output<Map<Dynamic>>, linked: Output<String>>"
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
fn check_misfits(text: &str, value: &Value, want: &[&str]) {
    let misfits = ty(text).check(value).err().unwrap_or_default();
    let shown: Vec<_> = misfits.iter().map(ToString::to_string).collect();
    assert_eq!(shown, want);
}

#[test]
fn misfits_are_found_by_path() {
    check_misfits(
        "Object<n: String, list: Array<String>, none: Tuple<Null>, later: Number, secret: Output<Map<Number>>, gone: Null>",
        &sample(),
        &[
            "expected String, found number at n",
            "expected String, found bool at list[1]",
            "expected 1 elements, found 0 at none",
            "expected Number, found an unknown value at later",
            "expected Output<Map<Number>>, found another secret at secret",
            "unexpected key linked",
            "missing key gone",
        ],
    );
}

#[test]
fn metadata_needs_an_output() {
    let secret = Value::from("x").with_secret(true);
    check_misfits(
        "String",
        &secret,
        &["expected String, found a secret value"],
    );
    check_misfits("Output<String>", &secret, &[]);
    check_misfits("Input<Number>", &Value::computed(), &[]);
    check_misfits(
        "Array<Input<String>>",
        &Value::from(vec![secret.clone()]),
        &[],
    );
    check_misfits(
        "Input<Array<String>>",
        &Value::from(vec![secret]),
        &["expected String, found a secret value at [0]"],
    );
}

#[test]
fn unions_and_enums_admit_their_members() {
    check_misfits("Union<String, Number>", &Value::from(1.0), &[]);
    check_misfits(
        "Union<String, Number>",
        &Value::NULL,
        &["expected Union<String, Number>, found null"],
    );
    check_misfits(
        "Union<String, Array<Number>>",
        &Value::from(vec![Value::from("a")]),
        &["expected Number, found string at [0]"],
    );
    check_misfits("Enum<String, \"a\", \"b\">", &Value::from("b"), &[]);
    check_misfits(
        "Enum<String, \"a\">",
        &Value::from("c"),
        &["expected a value of Enum<String, \"a\">"],
    );
    check_misfits(
        "Object<a?: String>",
        &Value::from(Map::from_iter([("a", Value::NULL)])),
        &[],
    );
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
