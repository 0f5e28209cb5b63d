use indexmap::IndexMap;

use super::*;
use crate::change::leaves::leaves;
use crate::change::review::SectionDiff;
use crate::json::{Numbers, parse};
use crate::stack::Section;
use crate::terraform::schema::{Attribute, AttributeFlags, NestedBlock, Nesting};
use crate::types::Type;
use crate::value::Map;

fn value(json: &str) -> Value {
    parse(json.as_bytes(), Numbers::Exact).unwrap().value
}

fn diff(before: &str, after: &str) -> Diff {
    describe(&value(before), &value(after), Context::default())
}

/// The elements of a list as `-0 +1 =2:2 ~0:1`.
#[track_caller]
fn check_list(before: &str, after: &str, want: &str) {
    let DiffKind::List { elements, .. } = diff(before, after).kind else {
        panic!("a list");
    };
    let texts: Vec<String> = elements
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
    assert_eq!(texts.join(" "), want, "{before} to {after}");
}

#[test]
fn lists_keep_what_is_common() {
    check_list("[1,2,3]", "[1,3]", "=0:0 -1 =2:1");
    check_list("[1,2,3]", "[3,1,4]", "-1 =2:0 =0:1 +2");
    check_list("[]", "[1]", "+0");
    check_list("[1,1,1]", "[1,2,1]", "=0:0 +1 =1:2 -2");
}

#[test]
fn an_element_that_moved_is_neither_deleted_nor_created() {
    check_list("[1,2,3,4]", "[2,3,9,1]", "=1:0 =2:1 -3 +2 =0:3");
    check_list("[1,2,3]", "[7,2,1]", "+0 =1:1 -2 =0:2");
    // One of two alike goes: the other one stays.
    check_list("[1,2,1]", "[2,1]", "-0 =1:0 =2:1");
    let old = r#"[{"a":1},{"a":2},{"a":3}]"#;
    let new = r#"[{"a":2},{"a":4},{"a":1}]"#;
    check_list(old, new, "=1:0 ~2:1 =0:2");
    let moved = |before: &str, after: &str| {
        let DiffKind::List { elements, .. } = diff(before, after).kind else {
            panic!("a list");
        };
        let moved = elements.iter().filter(Element::is_moved);
        moved.map(|it| it.new.unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(moved("[1,2,3,4]", "[2,3,9,1]"), [3]);
    assert_eq!(moved(old, new), [2]);
    // Nothing else changes, so the list says it.
    assert_eq!(moved("[1,2,3]", "[2,3,1]"), [0_usize; 0]);
}

#[test]
fn lists_of_one_length_go_by_content() {
    check_list("[1,2,3]", "[1,5,3]", "=0:0 ~1:1 =2:2");
    check_list("[1,2,3]", "[2,3,4]", "-0 =1:0 =2:1 +2");
    check_list("[1,2,3]", "[4,1,3]", "+0 =0:1 -1 =2:2");
    let old = r#"[{"n":"a"},{"n":"b"},{"n":"c"}]"#;
    let new = r#"[{"n":"b"},{"n":"c"},{"n":"d"}]"#;
    check_list(old, new, "-0 =1:0 =2:1 +2");
    let DiffKind::Lines(lines) = diff(
        r#""a
b
c""#,
        r#""b
c
d""#,
    )
    .kind
    else {
        panic!("lines");
    };
    let found: Vec<_> = lines
        .iter()
        .map(|line| (line.action.sign(), &*line.text))
        .collect();
    assert_eq!(found, [("-", "a"), (" ", "b"), (" ", "c"), ("+", "d")]);
}

#[test]
fn terraforms_own_text_aligns_lists_of_one_length_by_index() {
    let context = Context {
        alignment: Alignment::Terraform,
        ..Context::default()
    };
    let diff = describe(&value("[1,2,3]"), &value("[2,3,4]"), context);
    let DiffKind::List { elements, .. } = diff.kind else {
        panic!("a list");
    };
    let found: Vec<_> = elements
        .iter()
        .map(|element| (element.old, element.new))
        .collect();
    assert_eq!(found, [0, 1, 2].map(|at| (Some(at), Some(at))));
}

#[test]
fn blocks_of_a_list_face_those_of_the_same_content() {
    let inner = Block::new(IndexMap::new(), IndexMap::new(), false);
    let nested = NestedBlock {
        nesting: Nesting::List,
        block: inner,
        min_items: 0,
        max_items: 0,
    };
    let schema = Block::new(
        IndexMap::new(),
        IndexMap::from_iter([("rule".into(), nested)]),
        false,
    );
    let [old, new] = [
        r#"{"rule":[{"n":"a"},{"n":"b"},{"n":"c"}]}"#,
        r#"{"rule":[{"n":"b"},{"n":"c"},{"n":"d"}]}"#,
    ]
    .map(value);
    let order = |alignment| {
        let context = Context {
            schema: Some(&schema),
            alignment,
            ..Context::default()
        };
        let DiffKind::Block { groups, .. } = describe(&old, &new, context).kind else {
            panic!("a block");
        };
        groups[0]
            .members
            .iter()
            .map(|member| member.index)
            .collect::<Vec<_>>()
    };
    let at = |old, new| (old, new);
    let by_content = [
        at(Some(0), None),
        at(Some(1), Some(0)),
        at(Some(2), Some(1)),
        at(None, Some(2)),
    ];
    assert_eq!(order(Alignment::Content), by_content);
    assert_eq!(
        order(Alignment::Terraform),
        [0, 1, 2].map(|it| at(Some(it), Some(it)))
    );
}

#[test]
fn blocks_in_another_order_are_a_change_of_their_order() {
    let path = Attribute {
        ty: Type::String,
        nested: None,
        flags: AttributeFlags::default(),
        description: "".into(),
    };
    let nested = NestedBlock {
        nesting: Nesting::List,
        block: Block::new(
            IndexMap::from_iter([("path_pattern".into(), path)]),
            IndexMap::new(),
            false,
        ),
        min_items: 0,
        max_items: 0,
    };
    let blocks = IndexMap::from_iter([("ordered_rule".into(), nested)]);
    let schema = Block::new(IndexMap::new(), blocks, false);
    let side = |paths: &[&str]| {
        let rules: Vec<String> = paths
            .iter()
            .map(|it| format!(r#"{{"path_pattern":"{it}"}}"#))
            .collect();
        value(&format!(r#"{{"ordered_rule":[{}]}}"#, rules.join(",")))
    };
    let check = |after: &[&str], want: &[(&str, Action)]| {
        let context = Context {
            schema: Some(&schema),
            ..Context::default()
        };
        let diff = describe(&side(&["/live/*", "/*"]), &side(after), context);
        let parts = [SectionDiff {
            section: Section::Outputs,
            diff,
        }];
        let found: Vec<(String, Action)> = leaves(&parts)
            .iter()
            .map(|it| (it.path.to_string(), it.action))
            .collect();
        let want: Vec<(String, Action)> = want
            .iter()
            .map(|(path, it)| ((*path).to_owned(), *it))
            .collect();
        assert_eq!(found, want, "{after:?}");
    };
    let order = ("ordered_rule", Action::Update);
    check(&["/live/*", "/*"], &[]);
    check(&["/*", "/live/*"], &[order]);
    let new = ("ordered_rule[0].path_pattern", Action::Create);
    check(&["/help", "/*", "/live/*"], &[order, new]);
    // Masked blocks show neither their order nor their names.
    let secret = |paths: &[&str]| {
        let rules = side(paths).get("ordered_rule").cloned().unwrap();
        Value::from(Map::from_iter([("ordered_rule", rules.with_secret(true))]))
    };
    let context = Context {
        schema: Some(&schema),
        ..Context::default()
    };
    let diff = describe(
        &secret(&["/live/*", "/*"]),
        &secret(&["/*", "/live/*"]),
        context,
    );
    let DiffKind::Block { groups, .. } = diff.kind else {
        panic!("a block")
    };
    assert!(!groups[0].is_reordered);
}

#[test]
fn lists_in_another_order_keep_all_elements() {
    check_list("[1,2,3]", "[3,1,2]", "=2:0 =0:1 =1:2");
    check_list("[1,2,1]", "[1,1,2]", "=0:0 =2:1 =1:2");
    let node = diff("[1,2]", "[2,1]");
    assert_eq!(node.action, Action::Update);
    assert_eq!(node.reason(), Some(Reason::OtherOrder));
}

#[test]
fn objects_with_lists_in_another_order_are_one_thing() {
    let old = r#"[{"v":["a","b"]},{"w":1},{"v":["c","d"]},{"w":1}]"#;
    let new = r#"[{"v":["d","c"]},{"w":1},{"w":1},{"v":["b","a"]}]"#;
    check_list(old, new, "~2:0 =1:1 =3:2 ~0:3");
    let other = r#"[{"v":["d","c"]},{"w":1},{"w":1},{"v":["b","e"]}]"#;
    check_list(old, other, "~0:0 =1:1 -2 =3:2 +3");
    // A long list is not looked into.
    let swaps = |n: usize| {
        let list = |first: &str, last: &str| {
            let between = (2..n).map(|n| format!(r#"{{"w":{n}}}"#));
            let all = [first.to_owned()].into_iter().chain(between);
            let all: Vec<String> = all.chain([last.to_owned()]).collect();
            format!("[{}]", all.join(","))
        };
        let before = list(r#"{"v":["a","b"]}"#, r#"{"v":["c","d"]}"#);
        let node = diff(&before, &list(r#"{"v":["d","c"]}"#, r#"{"v":["b","a"]}"#));
        let DiffKind::List { elements, .. } = &node.kind else {
            panic!("a list");
        };
        elements
            .iter()
            .any(|it| (it.old, it.new) == (Some(0), Some(n - 1)))
    };
    assert!(swaps(1_000));
    assert!(!swaps(1_001));
}

#[test]
fn objects_of_one_name_are_one_thing() {
    let old = r#"[{"Sid":"a","e":1},{"Sid":"b","e":1},{"Sid":"c","e":1}]"#;
    let new = r#"[{"Sid":"d","e":1},{"Sid":"c","e":2},{"Sid":"a","e":1}]"#;
    check_list(old, new, "+0 ~2:1 =0:2 -1");
    // A name that two elements share, or that one lacks, names nothing.
    let shared = r#"[{"key":"a","v":1},{"key":"a","v":2}]"#;
    check_list(
        shared,
        r#"[{"key":"a","v":3},{"key":"a","v":1}]"#,
        "+0 =0:1 -1",
    );
    let lacking = r#"[{"name":"a"},{"v":2}]"#;
    check_list(lacking, r#"[{"v":3},{"name":"a"}]"#, "+0 =0:1 -1");
    // Both ends of a range of ports and the protocol name a rule.
    let rules = r#"[{"from_port":80,"to_port":80,"protocol":"tcp","c":["a"]},{"from_port":22,"to_port":22,"protocol":"tcp","c":["a"]}]"#;
    let wider = r#"[{"from_port":22,"to_port":22,"protocol":"tcp","c":["a","b"]}]"#;
    check_list(rules, wider, "-0 ~1:0");
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
fn a_change_of_json_formatting_is_no_change_of_values() {
    let diff = diff(r#"{"p":"{\"a\":1}"}"#, r#"{"p":"{ \"a\": 1 }"}"#);
    let DiffKind::Object { entries, .. } = diff.kind else {
        panic!("an object");
    };
    assert_eq!(entries[0].1.reason(), Some(Reason::FormattingOnly));
}

#[test]
fn objects_of_an_untyped_list_count_as_far_as_they_are_of_interest() {
    let paths = [Path::parse("l[1].a").unwrap(), Path::parse("m").unwrap()];
    let context = Context {
        relevant: Some(&paths),
        alignment: Alignment::Terraform,
        ..Context::default()
    };
    let change =
        |before: &str, after: &str| describe(&value(before), &value(after), context).is_change();
    assert!(!change(
        r#"{"l":[{"a":1},{"a":3}]}"#,
        r#"{"l":[{"a":2},{"a":3}]}"#
    ));
    assert!(change(
        r#"{"l":[{"a":1},{"a":3}]}"#,
        r#"{"l":[{"a":1},{"a":4}]}"#
    ));
    assert!(!change(
        r#"{"l":[{"a":1},{"b":3}]}"#,
        r#"{"l":[{"a":1},{"b":4}]}"#
    ));
    // Only objects have keys that may be of no interest.
    assert!(change(r#"{"l":[1,{"a":1}]}"#, r#"{"l":[2,{"a":1}]}"#));
    assert!(change(r#"{"m":[{"a":1}]}"#, r#"{"m":[{"a":2}]}"#));
    assert!(!change(r#"{"n":[1]}"#, r#"{"n":[2]}"#));
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
        DiffKind::Sensitive {
            content: Action::Update,
            before: true,
            after: false,
            block: false,
        }
    );
    assert!(diff.before.is_secret() && diff.after.is_secret());
}

#[test]
fn a_mask_that_comes_or_goes_hides_no_change_of_the_value() {
    let reason =
        |before: Value, after: Value| describe(&before, &after, Context::default()).reason();
    let secret = |text: &str| Value::from(text).with_secret(true);
    for (before, after, want) in [
        (secret("a"), "a".into(), Reason::NoLongerSensitive),
        ("a".into(), secret("a"), Reason::BecomesSensitive),
        (secret("a"), "b".into(), Reason::ChangesAndTurnsPlain),
        ("a".into(), secret("b"), Reason::ChangesAndBecomesSensitive),
    ] {
        assert_eq!(reason(before, after), Some(want));
    }
    assert_eq!(reason(secret("a"), secret("b")), None);
}

#[test]
fn an_element_that_loses_its_mask_is_a_change() {
    let secret = |value: Value| value.with_secret(true);
    let old = Value::from(vec![Value::from("a"), secret(Value::from("kangaroo"))]);
    let new = Value::from(vec![Value::from("a"), Value::from("kangaroo")]);
    for (before, after, reason) in [
        (&old, &new, Reason::NoLongerSensitive),
        (&new, &old, Reason::BecomesSensitive),
    ] {
        // As they are loaded: what one side masks is masked on the other one too.
        let sides = [before.masked_like(after), after.masked_like(before)];
        let diff = describe(&sides[0], &sides[1], Context::default());
        assert_eq!(diff.action, Action::Update);
        let DiffKind::List { elements, .. } = &diff.kind else {
            panic!("{diff:?}");
        };
        let changed: Vec<_> = elements.iter().filter(Element::is_change).collect();
        assert_eq!(changed.len(), 1);
        assert_eq!(changed[0].diff().reason(), Some(reason));
    }
}

#[test]
fn unknown_keeps_what_was_before() {
    let after = Value::from(crate::value::Map::from_iter([("id", Value::computed())]));
    let diff = describe(&value(r#"{"id":"a"}"#), &after, Context::default());
    let DiffKind::Object { entries, .. } = diff.kind else {
        panic!("an object");
    };
    assert_eq!(entries[0].1.action, Action::Update);
    assert!(matches!(
        entries[0].1.kind,
        DiffKind::Unknown { before: Some(_) }
    ));
}

#[test]
fn deep_values_end_in_a_leaf() {
    let nested = |leaf: &str| format!("{}{leaf}{}", "[".repeat(900), "]".repeat(900));
    assert_eq!(diff(&nested("1"), &nested("2")).action, Action::Update);
    assert_eq!(diff(&nested("1"), &nested("1")).action, Action::Same);
}

/// Adds the leaves that differ below a node.
fn changed_leaves(diff: &Diff, at: &str, found: &mut Vec<String>) {
    match &diff.kind {
        DiffKind::Object { entries, .. } => entries
            .iter()
            .for_each(|(key, child)| changed_leaves(child, &format!("{at}.{key}"), found)),
        DiffKind::List { elements, .. } => elements
            .iter()
            .for_each(|element| changed_leaves(&element.diff(), &format!("{at}[]"), found)),
        _ if diff.is_change() => found.push(format!("{at} {} {}", diff.before, diff.after)),
        _ => {}
    }
}

/// The leaves that differ in two texts of YAML.
fn yaml(before: &str, after: &str) -> Option<Vec<String>> {
    let diff = describe(
        &Value::from(before),
        &Value::from(after),
        Context::default(),
    );
    assert_eq!(diff.action, Action::Update);
    let DiffKind::Document { values, lines, .. } = &diff.kind else {
        return None;
    };
    assert!(lines.iter().any(|line| line.action != Action::Same));
    let mut found = Vec::new();
    changed_leaves(values, "", &mut found);
    if found.is_empty() {
        assert_eq!(diff.reason(), Some(Reason::FormattingOnly));
    }
    Some(found)
}

#[test]
fn yaml_in_strings_is_compared_as_values() {
    let old = "apiVersion: v1\nkind: Pod\nspec:\n  replicas: 1\n  names: [a, b]\n";
    let new = "kind: Pod\napiVersion: v1\nspec:\n    names:\n    - a\n    - c\n    replicas: 2\n";
    let found = yaml(old, new).unwrap();
    assert_eq!(found[found.len() - 1], ".spec.replicas 1 2");
    assert!(
        found.iter().all(|leaf| leaf.starts_with(".spec.")),
        "{found:?}"
    );
    // Key order, comments and style do not count as differences.
    let same = "# a comment\nspec: {replicas: 1, names: [\"a\", b]}\nkind: Pod\napiVersion: v1\n";
    assert_eq!(yaml(old, same), Some(vec![]));
    // Several documents, and one key with a nested value.
    assert_eq!(
        yaml(
            "a: 1\nb: 2\n---\na: 3\nb: 4\n",
            "a: 1\nb: 2\n---\na: 3\nb: 5\n"
        ),
        Some(vec!["[].b 4 5".to_owned()])
    );
    assert_eq!(
        yaml("a:\n  b: 1\n", "a:\n  b: 2\n"),
        Some(vec![".a.b 1 2".to_owned()])
    );
    // Text that only looks like YAML stays text.
    for (old, new) in [
        ("Note: one\ntwo\n", "Note: one\nthree\n"),
        ("a: 1\nb: [\n", "a: 1\nb: [2\n"),
        ("a: 1\nb: 2\n", "plain\ntext\n"),
    ] {
        assert_eq!(yaml(old, new), None, "{old}");
    }
}
