use super::*;
use crate::change::difference::{Context, describe};
use crate::json::{Numbers, parse};

fn value(json: &str) -> Value {
    parse(json.as_bytes(), Numbers::Exact).unwrap().value
}

fn found(before: &str, after: &str) -> Vec<Leaf> {
    let diff = describe(&value(before), &value(after), Context::default());
    leaves(&[SectionDiff {
        section: Section::Inputs,
        diff,
    }])
}

/// The leaves as `path before -> after`, with their reason.
#[track_caller]
fn check(before: &str, after: &str, want: &[&str]) {
    let text = |leaf: &Leaf| {
        let reason = leaf
            .reason
            .map(|it| format!(" ({})", it.words()))
            .unwrap_or_default();
        format!("{} {} -> {}{reason}", leaf.path, leaf.before, leaf.after)
    };
    let found: Vec<String> = found(before, after).iter().map(text).collect();
    assert_eq!(found, want, "{before} to {after}");
}

#[test]
fn a_leaf_is_the_deepest_changed_place() {
    check("{}", "{}", &[]);
    check(
        r#"{"a":{"b":1,"c":2}}"#,
        r#"{"a":{"b":1,"c":3}}"#,
        &["a.c 2 -> 3"],
    );
    check(r#"{"a":[1,2]}"#, r#"{"a":[1]}"#, &["a[1] 2 -> null"]);
    check("{}", r#"{"a":{}}"#, &["a null -> {}"]);
}

#[test]
fn objects_of_a_list_are_matched_by_name() {
    check(
        r#"{"rules":[{"name":"web","port":80},{"name":"db","port":5432}]}"#,
        r#"{"rules":[{"name":"new","port":1},{"name":"web","port":81},{"name":"db","port":5432}]}"#,
        &[
            r#"rules[0].name null -> "new""#,
            "rules[0].port null -> 1",
            "rules[1].port 80 -> 81",
        ],
    );
    // No two elements of one side may share the name.
    check(
        r#"{"rules":[{"name":"a","port":1},{"name":"a","port":2}]}"#,
        r#"{"rules":[{"name":"a","port":2},{"name":"a","port":3}]}"#,
        &[
            r#"rules[0].name "a" -> null"#,
            "rules[0].port 1 -> null",
            r#"rules[1].name null -> "a""#,
            "rules[1].port null -> 3",
        ],
    );
}

#[test]
fn another_order_is_one_leaf() {
    check(
        r#"{"a":[1,2,3]}"#,
        r#"{"a":[3,1,2]}"#,
        &["a [1, 2, 3] -> [3, 1, 2] (same elements, other order)"],
    );
    check(
        r#"{"a":[{"id":1,"v":1},{"id":2,"v":1}]}"#,
        r#"{"a":[{"id":2,"v":1},{"id":1,"v":9}]}"#,
        &[
            "a[1].v 1 -> 9",
            r"a [{id: 1, v: 1}, {id: 2, v: 1}] -> [{id: 2, v: 1}, {id: 1, v: 9}] (elements moved to another place)",
        ],
    );
    let order = &found(r#"{"command":["a","b"]}"#, r#"{"command":["b","a"]}"#)[0];
    assert!(
        !order.is_without_effect(),
        "the order of a list may have a meaning"
    );
}

#[test]
fn documents_in_strings_are_compared_as_values() {
    check(
        r#"{"p":"b=1\nc.d = x\n"}"#,
        r##"{"p":"# sorted\nc.d=x\na=0\nb=2\n"}"##,
        &[r#"p.a null -> "0""#, r#"p.b "1" -> "2""#],
    );
    check(
        r#"{"p":"{\"Statement\":[{\"Sid\":\"a\",\"Effect\":\"Deny\"},{\"Sid\":\"b\"}]}"}"#,
        r#"{"p":"{\"Statement\":[{\"Sid\":\"b\"},{\"Sid\":\"a\",\"Effect\":\"Deny\"}]}"}"#,
        &[
            r#"p.Statement [{Sid: "a", Effect: "Deny"}, {Sid: "b"}] -> [{Sid: "b"}, {Sid: "a", Effect: "Deny"}] (same elements, other order)"#,
        ],
    );
    check(
        r#"{"p":"{\"a\":1, \"b\":2}"}"#,
        r#"{"p":"{\"b\":2,\"a\":1}"}"#,
        &[r#"p "{\"a\":1, \"b\":2}" -> "{\"b\":2,\"a\":1}" (formatting only)"#],
    );
    let policy = &found(
        r#"{"p":"{\"Statement\":[1,2]}"}"#,
        r#"{"p":"{\"Statement\":[2,1]}"}"#,
    )[0];
    assert!(policy.is_without_effect());
    assert_eq!(policy.document, Some(1));
}

#[test]
fn a_number_and_its_text_are_the_same_number() {
    check(
        r#"{"port":443}"#,
        r#"{"port":"443"}"#,
        &[r#"port 443 -> "443" (same number)"#],
    );
    // A text with another spelling may be a version or an account.
    check(r#"{"v":1.1}"#, r#"{"v":"1.10"}"#, &[r#"v 1.1 -> "1.10""#]);
    check(
        r#"{"v":"1.1"}"#,
        r#"{"v":"1.10"}"#,
        &[r#"v "1.1" -> "1.10""#],
    );
}

#[test]
fn a_secret_is_a_leaf_as_a_whole() {
    let secret = |json: &str| {
        Value::from(crate::value::Map::from_iter([(
            "s",
            value(json).with_secret(true),
        )]))
    };
    let diff = describe(
        &secret(r#"{"a":1}"#),
        &secret(r#"{"a":2}"#),
        Context::default(),
    );
    let found = leaves(&[SectionDiff {
        section: Section::Inputs,
        diff,
    }]);
    assert_eq!(found.len(), 1);
    assert!(found[0].before.is_secret() && found[0].after.is_secret());
    assert_eq!(found[0].path.to_string(), "s");
}

#[test]
fn a_value_that_becomes_unknown_is_one_leaf() {
    let after = Value::from(crate::value::Map::from_iter([("list", Value::computed())]));
    let diff = describe(&value(r#"{"list":["a"]}"#), &after, Context::default());
    let found = leaves(&[SectionDiff {
        section: Section::Outputs,
        diff,
    }]);
    let [leaf] = &found[..] else {
        panic!("one leaf");
    };
    assert_eq!(leaf.path.to_string(), "list");
    assert_eq!(leaf.action, Action::Update);
}

#[test]
fn the_name_of_a_thing_in_a_document_is_no_part_of_the_pattern() {
    let places = |before: &str, after: &str| -> Vec<String> {
        let text = |json: &str| format!(r#"{{"doc": {}}}"#, serde_json::to_string(json).unwrap());
        let found = found(&text(before), &text(after));
        found.iter().map(|it| it.pattern().to_string()).collect()
    };
    let states = |timeout: u32| {
        format!(
            r#"{{"states": {{"pay": {{"type": "Task", "t": {timeout}}}, "ask": {{"type": "Task"}}, "end": {{"type": "Done"}}}}}}"#
        )
    };
    assert_eq!(places(&states(1), &states(2)), ["doc.states[*].t"]);
    // Properties of two kinds, two things, and a map outside of a document are read as they are written.
    let mixed = |n: u32| format!(r#"{{"a": {{"x": {n}}}, "b": {{"y": 1}}, "c": {{"x": 1}}}}"#);
    assert_eq!(places(&mixed(1), &mixed(2)), ["doc.a.x"]);
    let two = |n: u32| format!(r#"{{"requests": {{"cpu": {n}}}, "limits": {{"cpu": 4}}, "n": 1}}"#);
    assert_eq!(places(&two(1), &two(2)), ["doc.requests.cpu"]);
    let [before, after] = [1, 2].map(states);
    assert_eq!(
        found(&before, &after)[0].pattern().to_string(),
        "states.pay.t"
    );
}
