use super::*;
use crate::stack::{Header, Kind};
use crate::value::Map;

fn map(entries: Vec<(&str, Value)>) -> Value {
    Value::from(entries.into_iter().collect::<Map>())
}

#[track_caller]
fn check(value: &Value, open: &[Spot], revealed: Option<&Spot>, want: &str) {
    let look = Look {
        open: &open.iter().cloned().collect(),
        revealed,
        sources: &HashMap::new(),
        stack: &Stack::new(Header::new(Kind::TerraformState)),
    };
    let rows = rows_below(value, &Spot::top(Part::Outputs), 0, look);
    let lines: Vec<_> = rows
        .iter()
        .map(|row| {
            let body: String = row.body.iter().map(|span| &*span.text).collect();
            format!("{}{} {body}\n", "  ".repeat(row.depth), row.label)
        })
        .collect();
    assert_eq!(lines.concat(), want);
}

fn spot(key: &str) -> Spot {
    Spot::top(Part::Outputs).child(key.into())
}

#[test]
fn four_kinds_of_nothing_look_different() {
    let value = map(vec![
        ("null", Value::NULL),
        ("map", map(vec![])),
        ("array", Value::from(vec![])),
        ("string", Value::from("")),
    ]);
    check(
        &value,
        &[],
        None,
        "null null\nmap {}\narray []\nstring \"\"\n",
    );
}

#[test]
fn a_folded_container_previews_what_is_in_it_masked() {
    let tags = map(vec![
        ("Name", Value::from("db")),
        ("key", Value::from("hunter2").with_secret(true)),
        ("more", map(vec![("a", Value::from(1.0))])),
    ]);
    let value = map(vec![("tags", tags)]);
    check(
        &value,
        &[],
        None,
        "tags {3} Name=\"db\" key=[secret] more={1}\n",
    );
    let want = "tags {3}\n  Name \"db\"\n  key [secret]\n  more {1} a=1\n";
    check(&value, &[spot("tags")], None, want);
}

#[test]
fn json_in_a_string_opens_with_an_inner_path() {
    let value = map(vec![(
        "policy",
        Value::from(r#"{"Statement":[{"Action":"s3:*"}]}"#),
    )]);
    let inside = Spot {
        inside: Some(Path::root()),
        ..spot("policy")
    };
    check(
        &value,
        std::slice::from_ref(&inside),
        None,
        "policy {} JSON in a string, 33 B\n  Statement [1] {1}\n",
    );
    let all = containers(&value, &Spot::top(Part::Outputs), 9, 100);
    assert_eq!(all.len(), 3);
    assert!(all.contains(&inside));
}

#[test]
fn one_secret_is_revealed_and_no_other() {
    let secret = |text: &str| Value::from(text).with_secret(true);
    let value = map(vec![
        ("a", secret("one")),
        ("b", secret("two")),
        ("j", secret("{\"k\":1}")),
    ]);
    check(
        &value,
        &[],
        Some(&spot("a")),
        "a \"one\"\nb [secret]\nj [secret]\n",
    );
}

#[test]
fn control_characters_are_visible() {
    let value = map(vec![("k\u{1b}[2J", Value::from("\u{202e}a\u{7}"))]);
    check(&value, &[], None, "k␛[2J \"\\u{202e}a\\u{7}\"\n");
}

#[test]
fn a_literal_archive_opens() {
    use crate::value::{Archive, Asset, Member};
    let asset = |text: &str| {
        Member::Asset(Arc::new(Asset {
            text: Some(text.into()),
            ..Asset::default()
        }))
    };
    let archive = |members: Vec<(&str, Member)>| {
        let members = members.into_iter();
        Arc::new(Archive {
            assets: Some(
                members
                    .map(|(name, member)| (name.into(), member))
                    .collect(),
            ),
            hash: "abc".into(),
            ..Archive::default()
        })
    };
    let inner = archive(vec![("deep.txt", asset("x"))]);
    let outer = archive(vec![
        ("a.txt", asset("hello")),
        ("lib", Member::Archive(inner)),
    ]);
    let file = Archive {
        path: "./dist".into(),
        ..Archive::default()
    };
    let value = map(vec![
        ("code", Value::new(Payload::Archive(outer))),
        ("file", Value::new(Payload::Archive(file.into()))),
    ]);
    check(
        &value,
        &[],
        None,
        "code <archive> 2 members\nfile <archive> ./dist\n",
    );
    let top = Spot::top(Part::Outputs);
    let all = containers(&value, &top, usize::MAX, 100);
    let want = "code <archive> 2 members
  assets {2}
    a.txt <asset> text, 5 B
    lib <archive> 1 member
      assets {1}
        deep.txt <asset> text, 1 B
      hash \"abc\"
  hash \"abc\"
file <archive> ./dist
";
    check(&value, &all, None, want);
    let look = Look {
        open: &all.into_iter().collect(),
        revealed: None,
        sources: &HashMap::new(),
        stack: &Stack::new(Header::new(Kind::PulumiState)),
    };
    let rows = rows_below(&value, &top, 0, look);
    let deep = rows
        .iter()
        .find(|row| row.label == "deep.txt")
        .expect("it is listed");
    assert_eq!(deep.leads, Leads::Text);
    let found = deep.spot.path.reach(&value).expect("it is found");
    assert_eq!(lossless_text(&found).as_deref(), Some("x"));
    let hidden = map(vec![(
        "code",
        value.get("code").unwrap().clone().with_secret(true),
    )]);
    check(
        &hidden,
        &containers(&hidden, &top, 9, 9),
        None,
        "code [secret]\n",
    );
}
