use super::*;
use crate::change::difference::{Context, describe};
use crate::change::leaves::leaves;
use crate::change::review::SectionDiff;
use crate::json::{Numbers, parse};
use crate::stack::Section;
use crate::value::Value;

fn value(json: &str) -> Value {
    parse(json.as_bytes(), Numbers::Exact).unwrap().value
}

fn changed(before: &Value, after: &Value) -> Vec<Leaf> {
    let diff = describe(before, after, Context::default());
    leaves(&[SectionDiff {
        section: Section::Outputs,
        diff,
    }])
}

/// A plan in short: resources `TYPE.NAME`, each with its action and the values before and after.
type Row<'r> = (&'r str, Action, &'r str, &'r str);

const UPDATE: Action = Action::Update;

fn partition(rows: &[Row<'_>]) -> Partition {
    let mut kinds = Kinds::default();
    for (number, (name, action, before, after)) in rows.iter().enumerate() {
        let subject = Subject {
            id: ResourceId(u32::try_from(number).unwrap()),
            name,
            ty: name.split('.').next().unwrap(),
            family: name.trim_end_matches(|char: char| char.is_ascii_digit()),
            action: *action,
        };
        match action {
            Action::Noop => kinds.add_unchanged(subject),
            _ => kinds.add(subject, &changed(&value(before), &value(after))),
        }
    }
    kinds.finish(&Retired::default())
}

/// The kinds as `SHAPE names`, with the number of common changes besides.
#[track_caller]
fn check(rows: &[Row<'_>], want: &[&str]) -> Partition {
    let found = partition(rows);
    let text = |kind: &Kind| {
        let names: Vec<&str> = kind.members.iter().map(|id| rows[id.index()].0).collect();
        let also = if kind.also.is_empty() {
            String::new()
        } else {
            format!(" and {}", kind.also.len())
        };
        format!("{:?} {}{also}", kind.shape, names.join(" "))
    };
    let kinds: Vec<String> = found.kinds.iter().map(text).collect();
    assert_eq!(kinds, want);
    found
}

const OLD: &str = r#"{"tags":{"release":"1"},"size":1}"#;
const NEW: &str = r#"{"tags":{"release":"2"},"size":1}"#;

#[test]
fn a_common_change_is_shown_once() {
    let found = check(
        &[
            ("a.x", UPDATE, OLD, NEW),
            ("b.y", UPDATE, OLD, NEW),
            ("c.z", UPDATE, OLD, NEW),
            ("d.big", UPDATE, OLD, r#"{"tags":{"release":"2"},"size":9}"#),
        ],
        &["Same a.x b.y c.z", "Places d.big and 1"],
    );
    let own = &found.kinds[1];
    assert_eq!(own.also.len(), 1, "the release is common");
    assert!(own.alone());
    assert_eq!(own.changes.len(), 1, "only the size is its own");
    // Two are too few to factor a change out.
    check(
        &[
            ("a.x", UPDATE, OLD, NEW),
            ("d.big", UPDATE, OLD, r#"{"tags":{"release":"2"},"size":9}"#),
        ],
        &["Places d.big", "Places a.x"],
    );
}

#[test]
fn another_value_is_another_change() {
    let other = r#"{"tags":{"release":"3"},"size":1}"#;
    check(
        &[
            ("a.x", UPDATE, OLD, NEW),
            ("b.x", UPDATE, OLD, NEW),
            ("c.x", UPDATE, OLD, NEW),
            ("d.x", UPDATE, OLD, other),
        ],
        &["Same a.x b.x c.x", "Places d.x"],
    );
}

#[test]
fn values_that_differ_in_each_are_grouped_by_type_and_place() {
    let row = |name, sum| (name, UPDATE, r#"{"checksum":"0"}"#, sum);
    let found = check(
        &[
            row("file.a", r#"{"checksum":"1"}"#),
            row("file.b", r#"{"checksum":"2"}"#),
            row("other.c", r#"{"checksum":"3"}"#),
            ("file.d", UPDATE, r#"{"mode":"0"}"#, r#"{"mode":"1"}"#),
        ],
        &["Places file.a file.b", "Places file.d", "Places other.c"],
    );
    assert!(!found.kinds[0].changes[0].same_values);
}

#[test]
fn indices_and_numbered_keys_are_generalised() {
    let text = |json: &str| {
        let place = &changed(&value("{}"), &value(json))[0];
        pattern(&place.path).to_string()
    };
    assert_eq!(text(r#"{"rules":[{"port":1}]}"#), "rules[*].port");
    assert_eq!(text(r#"{"nodes":{"web-1":{"port":1}}}"#), "nodes[*].port");
    assert_eq!(text(r#"{"s3_bucket":{"ipv4":1}}"#), "s3_bucket.ipv4");
    assert_eq!(text(r#"{"tags":{"app/name":1}}"#), r#"tags["app/name"]"#);
}

#[test]
fn changes_without_effect_are_a_kind() {
    let (old, new) = (
        r#"{"p":"{\"a\":1,\"b\":2}"}"#,
        r#"{"p":"{\"b\":2,\"a\":1}"}"#,
    );
    let found = check(
        &[
            ("a.x", UPDATE, old, new),
            ("b.x", UPDATE, old, new),
            (
                "c.x",
                UPDATE,
                r#"{"p":"{\"a\":1}","size":1}"#,
                r#"{"p":"{ \"a\":1}","size":2}"#,
            ),
        ],
        &["Places c.x", "NoEffect a.x b.x"],
    );
    assert_eq!(found.kinds[0].changes.len(), 1);
    // A replacement has an effect, even if only the formatting shows.
    check(&[("a.x", Action::Replace, old, new)], &["Places a.x"]);
}

#[test]
fn whole_resources_are_grouped_by_type() {
    check(
        &[
            ("a.x", Action::Create, "null", r#"{"v":1}"#),
            ("a.y", Action::Create, "null", r#"{"v":2}"#),
            ("b.z", Action::Create, "null", r#"{"v":2}"#),
            ("a.w", Action::Delete, r#"{"v":2}"#, "null"),
        ],
        &["Whole a.x a.y", "Whole a.w", "Whole b.z"],
    );
}

#[test]
fn the_oddest_comes_first() {
    let many = |name| (name, UPDATE, r#"{"size":1}"#, r#"{"size":2,"v":1}"#);
    let (old, new) = (r#"{"size":1}"#, r#"{"size":3}"#);
    let rows = [
        ("a.usual", UPDATE, old, new),
        ("a.rare", UPDATE, old, r#"{"size":1,"public":true}"#),
        many("a.p"),
        many("a.q"),
    ];
    check(&rows, &["Same a.p a.q", "Places a.rare", "Places a.usual"]);
}

/// The odd ones by name.
#[track_caller]
fn check_odd(rows: &[Row<'_>], want: &[(&str, Difference)]) -> Vec<Odd> {
    let odd = partition(rows).odd;
    let found: Vec<_> = odd
        .iter()
        .map(|odd| (rows[odd.id.index()].0, odd.difference))
        .collect();
    assert_eq!(found, want);
    odd
}

#[test]
fn what_comes_or_goes_is_not_odd_among_those_that_stay() {
    let usual = |name| (name, UPDATE, OLD, NEW);
    let all = ["a.x0", "a.x1", "a.x2", "a.x3", "a.x4", "a.x5"].map(usual);
    let rows = [
        &all[..],
        &[
            ("a.x6", Action::Create, "null", NEW),
            ("a.x7", Action::Delete, OLD, "null"),
        ],
    ];
    check_odd(&rows.concat(), &[]);
}

#[test]
fn the_sibling_that_changes_differently_is_odd() {
    let both = r#"{"tags":{"release":"2"}}"#;
    let usual = |name| (name, UPDATE, OLD, NEW);
    let odd = check_odd(
        &[
            usual("a.x0"),
            usual("a.x1"),
            usual("a.x2"),
            ("a.x3", UPDATE, OLD, both),
        ],
        &[("a.x3", Difference::Places)],
    );
    assert_eq!(
        (odd[0].n_alike, odd[0].extra.len(), odd[0].missing.len()),
        (3, 1, 0)
    );
    check_odd(
        &[
            usual("a.x0"),
            usual("a.x1"),
            usual("a.x2"),
            ("a.x3", Action::Noop, OLD, OLD),
        ],
        &[("a.x3", Difference::Unchanged)],
    );
    let other = r#"{"tags":{"release":"0"},"size":1}"#;
    check_odd(
        &[
            usual("a.x0"),
            usual("a.x1"),
            usual("a.x2"),
            ("a.x3", UPDATE, OLD, other),
        ],
        &[("a.x3", Difference::Values)],
    );
    check_odd(
        &[
            usual("a.x0"),
            usual("a.x1"),
            usual("a.x2"),
            ("a.x3", Action::Replace, OLD, NEW),
        ],
        &[("a.x3", Difference::Action)],
    );
}

#[test]
fn siblings_that_do_not_agree_have_no_odd_one() {
    let usual = |name| (name, UPDATE, OLD, NEW);
    check_odd(
        &[
            usual("a.x0"),
            usual("a.x1"),
            ("a.x2", Action::Noop, OLD, OLD),
        ],
        &[],
    );
    let row = |name, size| (name, UPDATE, r#"{"size":0}"#, size);
    // Each has another value, and all the same place.
    let rows = [
        row("a.x0", r#"{"size":1}"#),
        row("a.x1", r#"{"size":2}"#),
        row("a.x2", r#"{"size":3}"#),
        row("a.x3", r#"{"size":4}"#),
    ];
    check_odd(&rows, &[]);
    // One change among many that stay is not odd.
    let stay = |name| (name, Action::Noop, OLD, OLD);
    check_odd(
        &[stay("a.x0"), stay("a.x1"), stay("a.x2"), usual("a.x3")],
        &[],
    );
}

#[test]
fn a_value_that_the_file_leaves_out_is_like_no_other() {
    use crate::value::{Map, Payload, Sealed};
    let redacted = Value::new(Payload::Sealed(Sealed::Redacted));
    let state = |value: Value| Value::from(Map::from_iter([("password", value)]));
    let after = state(Value::from("x").with_secret(true));
    let found = changed(&state(redacted), &after);
    let leaf = found
        .iter()
        .find(|leaf| leaf.path.to_string() == "password")
        .unwrap();
    let (one, other) = (LeafPrint::of(leaf, &"a"), LeafPrint::of(leaf, &"b"));
    assert_eq!(one.place, other.place);
    assert_ne!(one.change, other.change);
}

#[test]
fn the_value_of_another_environment_is_odd_among_values_that_differ_in_each() {
    let side = |name: &str, stage: &str, version: u8| {
        format!(r#"{{"url":"https://{name}.{stage}.example.com/v{version}"}}"#)
    };
    let names = ["p.url1", "p.url2", "p.url3", "p.url4", "p.url5"];
    let plan = |stages: [&str; 5]| {
        let row = |(name, stage): (&'static str, &str)| {
            (name, side(name, "prod", 1), side(name, stage, 2))
        };
        let rows: Vec<_> = names.into_iter().zip(stages).map(row).collect();
        let rows: Vec<Row<'_>> = rows
            .iter()
            .map(|(name, before, after)| (*name, UPDATE, before.as_str(), after.as_str()))
            .collect();
        partition(&rows)
    };
    let all_alike = plan(["prod"; 5]);
    assert_eq!(all_alike.odd, []);
    let shared = all_alike.kinds[0].changes[0];
    assert!(shared.same_edit && !shared.same_values);
    let one_off = plan(["prod", "prod", "staging", "prod", "prod"]);
    assert!(!one_off.kinds[0].changes[0].same_edit);
    let odd: Vec<_> = one_off
        .odd
        .iter()
        .map(|odd| (odd.id, odd.difference))
        .collect();
    assert_eq!(odd, [(ResourceId(2), Difference::Values)]);
}

#[test]
fn an_edit_is_the_words_that_differ_and_never_those_of_a_secret() {
    let of = |before: &str, after: &str| Edit::of(&changed(&value(before), &value(after))[0]);
    let edit = of(r#"{"a":"x.prod/v1 x"}"#, r#"{"a":"x.prod/v2"}"#).unwrap();
    assert_eq!(
        (edit.removed, edit.added),
        (vec!["v1".into(), "x".into()], vec!["v2".into()])
    );
    assert_eq!(of(r#"{"a":1}"#, r#"{"a":2}"#), None);
    let secret = |text: &str| {
        let map = crate::value::Map::from_iter([("a", Value::from(text).with_secret(true))]);
        Value::from(map)
    };
    let leaf = &changed(&secret("one two"), &secret("one three"))[0];
    assert_eq!(Edit::of(leaf), None);
}
