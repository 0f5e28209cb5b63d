use super::print::Edit;
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

fn told_by(rows: &[Row<'_>], links: &Links) -> Partition {
    let mut kinds = Kinds::default();
    for (number, (name, action, before, after)) in rows.iter().enumerate() {
        let subject = Subject {
            id: ResourceId(u32::try_from(number).unwrap()),
            name,
            ty: name.split('.').next().unwrap(),
            action: *action,
            is_missed: false,
            is_in_order: false,
            mute: None,
        };
        let leaves = told(changed(&value(before), &value(after)));
        kinds.add(subject, &leaves, &|_| false, &|_| true);
    }
    kinds.finish(links)
}

fn partition(rows: &[Row<'_>]) -> Partition {
    told_by(rows, &Links::default())
}

/// The stories as `SHAPE names`, those that come along after `>`.
#[track_caller]
fn check_with(rows: &[Row<'_>], links: &Links, want: &[&str]) -> Partition {
    let found = told_by(rows, links);
    let names = |kind: &Kind| {
        let names: Vec<&str> = kind.members.iter().map(|id| rows[id.index()].0).collect();
        names.join(" ")
    };
    let text = |story: &Story| {
        let along = story.along.iter().map(|kind| format!(" > {}", names(kind)));
        format!(
            "{:?} {}{}",
            story.head.shape,
            names(&story.head),
            along.collect::<String>()
        )
    };
    let stories: Vec<String> = found.stories.iter().map(text).collect();
    assert_eq!(stories, want);
    found
}

#[track_caller]
fn check(rows: &[Row<'_>], want: &[&str]) -> Partition {
    check_with(rows, &Links::default(), want)
}

const OLD: &str = r#"{"tags":{"release":"1"},"size":1}"#;
const NEW: &str = r#"{"tags":{"release":"2"},"size":1}"#;
const BIG: &str = r#"{"tags":{"release":"2"},"size":9}"#;

#[test]
fn a_common_change_is_told_once() {
    let found = check(
        &[
            ("a.x", UPDATE, OLD, NEW),
            ("b.y", UPDATE, OLD, NEW),
            ("c.z", UPDATE, OLD, NEW),
            ("d.big", UPDATE, OLD, BIG),
        ],
        &["Own d.big", "Tags a.x b.y c.z"],
    );
    assert_eq!((found.common.len(), found.common[0].n_resources), (1, 4));
    assert_eq!(
        found.stories[0].head.changes.len(),
        1,
        "only the size is its own"
    );
    // Two are too few.
    check(
        &[("a.x", UPDATE, OLD, NEW), ("d.big", UPDATE, OLD, BIG)],
        &["Own d.big", "Tags a.x"],
    );
    // Resources of one type have it in common by their type.
    let one_type = [
        ("a.x", UPDATE, r#"{"v":1}"#, r#"{"v":2}"#),
        ("a.y", UPDATE, r#"{"v":1}"#, r#"{"v":2}"#),
        ("a.z", UPDATE, r#"{"v":1}"#, r#"{"v":2}"#),
    ];
    assert_eq!(check(&one_type, &["Own a.x a.y a.z"]).common, []);
}

#[test]
fn a_change_that_a_rule_judges_is_never_common() {
    let (old, new) = (r#"{"encrypted":true}"#, r#"{"encrypted":false}"#);
    let rows = [
        ("a.x", UPDATE, old, new),
        ("b.x", UPDATE, old, new),
        ("c.x", UPDATE, old, new),
    ];
    assert_eq!(partition(&rows).common.len(), 1);
    let mut kinds = Kinds::default();
    for (number, (name, ..)) in rows.iter().enumerate() {
        let subject = Subject {
            id: ResourceId(u32::try_from(number).unwrap()),
            name,
            ty: name,
            action: UPDATE,
            is_missed: false,
            is_in_order: false,
            mute: None,
        };
        let leaves = changed(&value(old), &value(new));
        kinds.add(subject, &leaves, &|_| number == 1, &|_| true);
    }
    let found = kinds.finish(&Links::default());
    assert_eq!((found.common.len(), found.stories.len()), (0, 3));
}

#[test]
fn values_that_differ_in_each_of_many_are_one_story() {
    let row = |name, sum| (name, UPDATE, r#"{"checksum":"0"}"#, sum);
    let rows = [
        row("file.a", r#"{"checksum":"x1"}"#),
        row("file.b", r#"{"checksum":"x2"}"#),
        row("file.c", r#"{"checksum":"x3"}"#),
        row("file.d", r#"{"checksum":"x4"}"#),
        row("other.c", r#"{"checksum":"x3"}"#),
        ("file.e", UPDATE, r#"{"mode":"x"}"#, r#"{"mode":"y"}"#),
    ];
    let all = "Own file.a file.b file.c file.d";
    let found = check(&rows, &["Own file.e", "Own other.c", all]);
    assert!(!found.stories[2].head.changes[0].same_values);
    // A group of a few would need as many lines.
    check(&rows[..3], &["Own file.a", "Own file.b", "Own file.c"]);
    // Values that differ only by the own name are alike.
    let named = |name, sum| (name, UPDATE, r#"{"checksum":"all"}"#, sum);
    check(
        &[
            named("file.a", r#"{"checksum":"sum-a"}"#),
            named("file.b", r#"{"checksum":"sum-b"}"#),
        ],
        &["Own file.a file.b"],
    );
}

#[test]
fn the_one_that_goes_the_other_way_is_a_story_of_its_own() {
    let row = |name, days| (name, UPDATE, r#"{"days":30}"#, days);
    let rows = [
        row("log.a", r#"{"days":90}"#),
        row("log.b", r#"{"days":14}"#),
        row("log.c", r#"{"days":60}"#),
    ];
    check(&rows, &["Own log.b", "Own log.a log.c"]);
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
fn changes_without_effect_never_split_a_story() {
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
            ("c.y", UPDATE, r#"{"size":1}"#, r#"{"size":2}"#),
        ],
        &["Own c.x c.y", "NoEffect a.x b.x"],
    );
    let head = &found.stories[0].head;
    assert_eq!(
        (head.changes.len(), head.tail.len(), head.tail[0].1),
        (1, 1, 1)
    );
    // A replacement has an effect, even if only the formatting shows.
    check(&[("a.x", Action::Replace, old, new)], &["Own a.x"]);
}

#[test]
fn whole_resources_are_told_by_type() {
    check(
        &[
            ("a.x", Action::Create, "null", r#"{"v":1}"#),
            ("a.y", Action::Create, "null", r#"{"v":2}"#),
            ("b.z", Action::Create, "null", r#"{"v":2}"#),
            ("a.w", Action::Delete, r#"{"v":2}"#, "null"),
            ("a.m", Action::Move, r#"{"v":2}"#, r#"{"v":2}"#),
        ],
        &["Whole a.w", "Whole b.z", "Whole a.x a.y", "Whole a.m"],
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
    check(&rows, &["Own a.rare", "Own a.usual", "Own a.p a.q"]);
}

#[test]
fn what_follows_stands_below_its_cause_and_gives_it_its_weight() {
    let size = |name, size| (name, UPDATE, r#"{"size":1}"#, size);
    let rows = [
        (
            "key.k",
            Action::Replace,
            r#"{"region":"a"}"#,
            r#"{"region":"b"}"#,
        ),
        size("db.d", r#"{"size":2}"#),
        size("db.e", r#"{"size":2}"#),
        ("tag.t", UPDATE, OLD, NEW),
    ];
    let id = |number| ResourceId(number);
    let danger = Weight {
        level: Level::Danger,
        print: Print::of(&"lost"),
    };
    let mut links = Links {
        // A resource of which nothing but tags changes takes nothing along.
        roots: [(id(1), id(0)), (id(2), id(3))].into(),
        said: [(id(1), danger)].into_iter().collect(),
        ..Links::default()
    };
    let found = check_with(
        &rows,
        &links,
        &["Own key.k > db.d", "Own db.e", "Tags tag.t"],
    );
    assert_eq!(found.stories[0].title, Title::Found(Level::Danger));
    links.wholes = [(id(1), 7), (id(3), 7)].into_iter().collect();
    let found = check_with(&rows, &links, &["Own db.d tag.t > db.e", "Own key.k"]);
    assert_eq!(found.stories[0].whole, Some(7));
}

#[test]
fn what_is_said_tells_siblings_apart() {
    let size = |name| (name, UPDATE, r#"{"size":1}"#, r#"{"size":2}"#);
    let rows = [
        size("a.x"),
        size("a.y"),
        size("a.z"),
        ("b.t", UPDATE, OLD, NEW),
    ];
    let said = |number, print: &str, level| {
        let print = Print::of(&print);
        (ResourceId(number), Weight { level, print })
    };
    let links = Links {
        said: [
            said(0, "one", Level::Warning),
            said(2, "one", Level::Warning),
            said(3, "tag", Level::Warning),
        ]
        .into_iter()
        .collect(),
        ..Links::default()
    };
    check_with(&rows, &links, &["Own b.t", "Own a.x a.z", "Own a.y"]);
}

#[test]
fn a_change_that_repeats_another_is_told_once() {
    let leaves = |before: &str, after: &str| -> Vec<String> {
        let told = told(changed(&value(before), &value(after)));
        told.iter().map(|leaf| leaf.path.to_string()).collect()
    };
    let tags = leaves(
        r#"{"tags":{"r":"1"},"tags_all":{"r":"1","o":"x"}}"#,
        r#"{"tags":{"r":"2"},"tags_all":{"r":"2","o":"y"}}"#,
    );
    assert_eq!(tags, ["tags.r", "tags_all.o"]);
    let other = leaves(
        r#"{"tags":{"r":"1"},"tags_all":{"r":"1"}}"#,
        r#"{"tags":{"r":"2"},"tags_all":{"r":"3"}}"#,
    );
    assert_eq!(other, ["tags.r", "tags_all.r"]);
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
    let (one, other) = (LeafPrint::of(leaf, "a"), LeafPrint::of(leaf, "b"));
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
    assert_eq!(all_alike.stories.len(), 1);
    let shared = all_alike.stories[0].head.changes[0];
    assert!(shared.same_edit && !shared.same_values);
    let one_off = plan(["prod", "prod", "staging", "prod", "prod"]);
    let members: Vec<_> = one_off
        .stories
        .iter()
        .map(|it| it.head.members.clone())
        .collect();
    assert_eq!(members[0], [ResourceId(2)]);
    assert_eq!(members[1].len(), 4);
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

#[test]
fn what_a_family_changes_alike_is_told_by_a_member_that_changes_nothing_else() {
    let old = r#"{"code":"0a1b2c3d4e","size":1}"#;
    let rows = [
        ("fn.a", UPDATE, old, r#"{"code":"1a1b2c3d4e","size":1}"#),
        ("fn.b", UPDATE, old, r#"{"code":"2a1b2c3d4e","size":1}"#),
        ("fn.c", UPDATE, old, r#"{"code":"3a1b2c3d4e","size":9}"#),
        (
            "fn.d",
            UPDATE,
            old,
            r#"{"code":"4a1b2c3d4e","size":1,"v":1}"#,
        ),
        ("other.x", UPDATE, old, r#"{"code":"5a1b2c3d4e","size":1}"#),
    ];
    let want = ["Own fn.c", "Own fn.d", "Own other.x", "Own fn.a fn.b"];
    let found = check(&rows, &want);
    let n_changes = |at: usize| found.stories[at].head.changes.len();
    assert_eq!([n_changes(0), n_changes(1), n_changes(3)], [1, 1, 1]);
    assert_eq!(found.stories[3].head.n_besides, 2);
    // If all have something of their own, each tells all of it.
    let found = partition(&rows[2..]);
    assert!(found.stories.iter().all(|it| it.head.n_besides == 0));
    // One that takes another value than the others is apart.
    let rows = [
        ("fn.a", UPDATE, r#"{"v":"a"}"#, r#"{"v":"b"}"#),
        ("fn.b", UPDATE, r#"{"v":"a"}"#, r#"{"v":"b"}"#),
        ("fn.c", UPDATE, r#"{"v":"a"}"#, r#"{"v":"b"}"#),
        ("fn.d", UPDATE, r#"{"v":"a"}"#, r#"{"v":"c"}"#),
    ];
    check(&rows, &["Own fn.d", "Own fn.a fn.b fn.c"]);
}

#[test]
fn siblings_that_follow_from_several_causes_are_one_story() {
    let alias = |name| (name, UPDATE, r#"{"v":"1"}"#, r#"{"v":"2"}"#);
    let rows = [
        ("fn.a", UPDATE, r#"{"m":"a"}"#, r#"{"m":"b"}"#),
        ("fn.b", UPDATE, r#"{"n":"a"}"#, r#"{"n":"b"}"#),
        alias("to.a"),
        alias("to.b"),
        alias("to.c"),
    ];
    let id = |number| ResourceId(number);
    let links = |roots: [u32; 3]| Links {
        roots: [2, 3, 4].map(id).into_iter().zip(roots.map(id)).collect(),
        ..Links::default()
    };
    let apart = ["Own fn.a", "Own fn.b", "Own to.a to.b to.c"];
    check_with(&rows, &links([0, 1, 0]), &apart);
    let below_one = ["Own fn.a > to.a to.b to.c", "Own fn.b"];
    check_with(&rows, &links([0, 0, 0]), &below_one);
}

#[test]
fn the_numbers_of_a_release_are_common_wherever_they_are() {
    let rows = [
        (
            "a.x",
            UPDATE,
            r#"{"tags":{"r":"2026.1.4"}}"#,
            r#"{"tags":{"r":"2026.2.5"}}"#,
        ),
        (
            "b.y",
            UPDATE,
            r#"{"env":{"R":"2026.1.4"}}"#,
            r#"{"env":{"R":"2026.2.5"}}"#,
        ),
        (
            "c.z",
            UPDATE,
            r#"{"text":"of 2026-1-4"}"#,
            r#"{"text":"of 2026-2-5"}"#,
        ),
    ];
    let found = partition(&rows);
    let common = &found.common[..];
    assert_eq!(
        (common.len(), common[0].n_resources, common[0].n_places),
        (1, 3, 3)
    );
    assert!(found.stories.iter().all(|it| it.title == Title::Tags));
    // Addresses and single numbers are told where they are.
    for (old, new) in [
        ("10.0.1.4", "10.0.2.5"),
        ("30s", "15s"),
        ("10.1.0.0/16", "10.2.1.0/16"),
    ] {
        let side = |value: &str| format!(r#"{{"v":"{value}"}}"#);
        let [old, new] = [old, new].map(side);
        let rows = [("a.x", UPDATE, &*old, &*new), ("a.y", UPDATE, &*old, &*new)];
        assert_eq!(partition(&rows).common, []);
        assert_eq!(
            LeafPrint::of(&changed(&value(&old), &value(&new))[0], "").text,
            0
        );
    }
}
