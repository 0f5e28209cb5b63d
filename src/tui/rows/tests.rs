use super::*;
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
        pulumi: false,
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
