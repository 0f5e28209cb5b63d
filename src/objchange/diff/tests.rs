use super::*;
use crate::json::{Numbers, parse};

fn value(json: &str) -> Value {
    parse(json.as_bytes(), Numbers::Exact).unwrap().value
}

fn diff(before: &str, after: &str) -> Diff {
    describe(&value(before), &value(after), Context::default())
}

/// The elements of a list as `-0 +1 =2:2 ~0:1`.
#[track_caller]
fn check_list(before: &str, after: &str, want: &str) {
    let Kind::List { elements, .. } = diff(before, after).kind else {
        panic!("a list");
    };
    let told: Vec<String> = elements
        .iter()
        .map(|element| match (element.old, element.new) {
            (Some(old), None) => format!("-{old}"),
            (None, Some(new)) => format!("+{new}"),
            (old, new) => {
                let sign = if element.is_change() { '~' } else { '=' };
                format!("{sign}{}:{}", old.unwrap(), new.unwrap())
            }
        })
        .collect();
    assert_eq!(told.join(" "), want, "{before} to {after}");
}

#[test]
fn lists_keep_what_is_common() {
    check_list("[1,2,3]", "[1,3]", "=0:0 -1 =2:1");
    check_list("[1,2,3]", "[3,1,2]", "+0 =0:1 =1:2 -2");
    check_list("[]", "[1]", "+0");
    check_list("[1,1,1]", "[1,2,1]", "=0:0 +1 =1:2 -2");
}

#[test]
fn lists_of_one_length_go_by_index_unless_reordered() {
    check_list("[1,2,3]", "[1,5,3]", "=0:0 ~1:1 =2:2");
    check_list("[1,2]", "[2,1]", "-0 =1:0 +1");
}

#[test]
fn objects_that_face_each_other_are_one_change() {
    check_list(
        r#"[{"a":1},{"b":1},{"c":1}]"#,
        r#"[{"a":2},{"b":1}]"#,
        "~0:0 =1:1 -2",
    );
}

#[test]
fn a_value_and_itself_are_the_same() {
    let text = r#"{"a":[1,{"b":null}],"c":"{\"x\":1}","d":"l1\nl2","e":[]}"#;
    assert_eq!(diff(text, text).action, Action::Same);
}

#[test]
fn formatting_of_json_is_told_apart() {
    let diff = diff(r#"{"p":"{\"a\":1}"}"#, r#"{"p":"{ \"a\": 1 }"}"#);
    let Kind::Object {
        attributes: entries,
        ..
    } = diff.kind
    else {
        panic!("an object");
    };
    assert_eq!(entries[0].1.reason(), Some(Reason::FormattingOnly));
}

#[test]
fn nothing_lies_below_a_secret() {
    let secret = |json: &str| value(json).with_secret(true);
    let diff = describe(
        &secret(r#"{"a":1}"#),
        &value(r#"{"a":2}"#),
        Context::default(),
    );
    assert_eq!(
        diff.kind,
        Kind::Sensitive {
            content: Action::Update,
            before: true,
            after: false,
            block: false,
        }
    );
    assert!(diff.before.is_secret() && diff.after.is_secret());
}

#[test]
fn unknown_keeps_what_was_before() {
    let after = Value::from(crate::value::Map::from_iter([("id", Value::computed())]));
    let diff = describe(&value(r#"{"id":"a"}"#), &after, Context::default());
    let Kind::Object {
        attributes: entries,
        ..
    } = diff.kind
    else {
        panic!("an object");
    };
    assert_eq!(entries[0].1.action, Action::Update);
    assert!(matches!(
        entries[0].1.kind,
        Kind::Unknown { before: Some(_) }
    ));
}

#[test]
fn deep_values_end_in_a_leaf() {
    let nested = |leaf: &str| format!("{}{leaf}{}", "[".repeat(900), "]".repeat(900));
    assert_eq!(diff(&nested("1"), &nested("2")).action, Action::Update);
    assert_eq!(diff(&nested("1"), &nested("1")).action, Action::Same);
}
