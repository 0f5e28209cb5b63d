use proptest::prelude::*;

use super::*;
use crate::search::field::Is;
use crate::stack::{Action, Flags};

fn one(text: &str) -> Term {
    let query = Query::parse(text).unwrap();
    assert_eq!(query.terms().count(), 1, "{text}");
    query.terms().next().unwrap().clone()
}

#[track_caller]
fn check_word(text: &str, word: &str, anchor: Anchor) {
    let term = one(text);
    let TermKind::Word(found) = &term.kind else {
        panic!("{text} is {term:?}");
    };
    assert_eq!((found.text(), found.anchor()), (word, anchor));
}

#[track_caller]
fn check_error(text: &str, offset: usize, message: &str) {
    let error = Query::parse(text).unwrap_err();
    assert_eq!(error.offset, offset, "{text}: {error}");
    assert!(error.to_string().contains(message), "{text}: {error}");
}

#[test]
fn words_and_their_places() {
    check_word("db", "db", Anchor::Fuzzy);
    check_word("'db", "db", Anchor::Exact);
    check_word("^db", "db", Anchor::Start);
    check_word("db$", "db", Anchor::End);
    check_word("^db$", "db", Anchor::Whole);
    check_word("aws_instance.web", "aws_instance.web", Anchor::Fuzzy);
    check_word(
        "aws:s3/bucket:Bucket",
        "aws:s3/bucket:Bucket",
        Anchor::Fuzzy,
    );
    check_word("\"two words\"", "two words", Anchor::Exact);
    check_word("!", "!", Anchor::Fuzzy);
    check_word("$", "$", Anchor::Fuzzy);
    check_word("root", "root", Anchor::Fuzzy);
}

#[test]
fn texts_with_path_syntax_are_paths() {
    for text in [
        "root.tags.Name",
        "tags[*].key",
        "[\"a key\"].x",
        "**.arn",
        "@tags.Name",
        ".tags",
        "root[0]",
        "!root.tags",
    ] {
        assert!(matches!(one(text).kind, TermKind::Pattern { .. }), "{text}");
    }
    assert!(one("!root.tags").negated);
}

#[test]
fn a_blank_inside_quotes_is_no_end() {
    let query = Query::parse("  a [\"a key\"].x =\"10 \\\" 3\"  b ").unwrap();
    assert_eq!(query.terms().count(), 4);
    let terms: Vec<_> = query.terms().collect();
    assert!(matches!(&terms[2].kind, TermKind::Value(value) if value == "10 \" 3"));
    assert_eq!(&query.text[terms[3].place.clone()], "b");
}

#[test]
fn fields_take_alternatives() {
    let wanted = |text: &str| match one(text).kind {
        TermKind::Fact(field, wanted) => (field.name, wanted),
        other => panic!("{text} is {other:?}"),
    };
    let ("action", Wanted::Actions(actions)) = wanted("action:delete,replace") else {
        panic!("not an action");
    };
    assert_eq!(actions, [Action::Delete, Action::Replace]);
    let ("is", Wanted::Is(is)) = wanted("is:secret,marked") else {
        panic!("not is");
    };
    assert_eq!(is, [Is::Flag(Flags::SECRET), Is::Marked]);
    let ("type", Wanted::Texts(wilds)) = wanted("type:aws:s3/*,rds") else {
        panic!("not a type");
    };
    assert_eq!(wilds.len(), 2);
    let ("depends", Wanted::Names(names)) = wanted("depends:a.b[\"x,y\"],c") else {
        panic!("not depends");
    };
    assert_eq!(names, ["a.b[\"x,y\"]", "c"]);
}

#[test]
fn errors_are_at_their_column() {
    check_error("db action:delete,burn", 17, "delete, replace");
    check_error("is:secrte", 3, "secret");
    check_error("web tags[", 9, "found the end");
    check_error("=~(", 2, "unclosed group");
    check_error("@a.", 3, "expected a key");
}

#[test]
fn a_longer_query_narrows() {
    let narrows = |new: &str, old: &str| {
        Query::parse(new)
            .unwrap()
            .narrows(&Query::parse(old).unwrap())
    };
    assert!(narrows("web", "we"));
    assert!(narrows("web db", "web"));
    assert!(narrows("urn:p", "urn:"));
    assert!(!narrows("urn:", "urn"));
    assert!(!narrows("we", "web"));
    assert!(!narrows("!webs", "!web"));
    assert!(!narrows("web$", "web"));
    assert!(!narrows("=ab", "=a"));
    assert!(narrows("=a b", "=a"));
    assert!(narrows("web | dbs x", "we | db"));
    assert!(!narrows("web | db", "web"));
    assert!(!narrows("web | d", "web |"));
}

proptest! {
    #[test]
    fn any_text_is_a_query_or_an_error_inside_of_it(text in "\\PC{0,24}") {
        match Query::parse(&text) {
            Ok(query) => prop_assert!(query.terms().all(|term| text.get(term.place.clone()).is_some())),
            Err(error) => prop_assert!(text.is_char_boundary(error.offset)),
        }
    }
}

#[test]
fn the_32nd_word_is_an_error_at_its_place() {
    let most = vec!["ab"; 31].join(" ");
    assert_eq!(Query::parse(&most).unwrap().terms().count(), 31);
    check_error(&format!("{most} !no type:x cd"), most.len() + 12, "31");
    assert!(Query::parse(&format!("{most} !no !no =value @path")).is_ok());
}

#[test]
fn alternatives_bind_weaker_than_spaces() {
    let alternatives = |text: &str| {
        let query = Query::parse(text).unwrap();
        let place = |term: &Term| text[term.place.clone()].to_owned();
        let texts = |terms: &Alternative| terms.iter().map(place).collect::<Vec<_>>().join("+");
        let all: Vec<_> = query.alternatives.iter().map(texts).collect();
        all.join(" or ")
    };
    assert_eq!(alternatives("a b | c !d"), "a+b or c+!d");
    assert_eq!(alternatives("a|b"), "a or b");
    assert_eq!(alternatives("type:x|type:y z"), "type:x or type:y+z");
    // Inside quotes and in what values are compared with, the sign is a letter.
    assert_eq!(alternatives("\"a|b\" =~c|d !=e|f"), "\"a|b\"+=~c|d+!=e|f");
    assert_eq!(alternatives("=a | =b"), "=a or =b");
    // The last alternative is still being typed.
    assert_eq!(alternatives("a |"), "a");
    assert_eq!(alternatives(""), "");
}

#[test]
fn an_alternative_without_terms_is_an_error_at_its_place() {
    check_error("| a", 0, "a term before `|`");
    check_error("a || b", 3, "a term before `|`");
    let most = ["!a"; 16].join("|");
    assert_eq!(Query::parse(&most).unwrap().alternatives.len(), 16);
    check_error(&format!("{most}|b"), most.len(), "at most 16 alternatives");
    // Words count in all alternatives together.
    let most = ["a b c d e f"; 5].join(" | ");
    check_error(&format!("{most} g h"), most.len() + 3, "at most 31 words");
}

#[test]
fn a_backslash_in_quotes_stays_unless_it_is_an_escape() {
    let regex = |text: &str| match one(text).kind {
        TermKind::ValueRegex(regex) => regex.as_str().to_owned(),
        other => panic!("{other:?}"),
    };
    assert_eq!(regex(r#"=~"port \d+""#), r"port \d+");
    assert_eq!(regex(r#"=~"port \\d\.""#), r"port \d\.");
    assert_eq!(regex(r#"=~"a \"b\"""#), "a \"b\"");
    let value = |text: &str| match one(text).kind {
        TermKind::Value(value) => value,
        other => panic!("{other:?}"),
    };
    assert_eq!(value(r#"="a\nb c""#), "a\nb c");
    assert_eq!(value(r#"="C:\dir \\ x""#), r"C:\dir \ x");
}

#[test]
fn a_quote_after_a_backslash_does_not_end_an_alternative() {
    let wanted = |text: &str| match one(text).kind {
        TermKind::Fact(field, wanted) => format!("{} {wanted:?}", field.name),
        other => panic!("{other:?}"),
    };
    let names = ["a\",b".to_owned()];
    assert_eq!(
        wanted(r#"depends:"a\",b""#),
        format!("depends Names({names:?})")
    );
}

#[test]
fn a_word_that_is_written_like_a_field_names_the_fields() {
    let unknown = |text: &str| Query::parse(text).unwrap().unknown_field();
    let found = unknown("web !tpye:vpc").unwrap();
    assert_eq!(found.place, 4..13);
    let message = found.to_string();
    let start = "no field is called `tpye`, did you mean `type`? (fields: type, name, id, ";
    assert!(message.starts_with(start), "{message}");
    let message = unknown("nope:x").unwrap().to_string();
    assert!(
        message.starts_with("no field is called `nope` (fields: type, "),
        "{message}"
    );
    for field in FIELDS {
        assert!(message.contains(field.name), "{message}");
    }
    // Written as a word, a value or a path it is meant.
    for text in [
        "'nope:x",
        "=nope:x",
        "web",
        "@nope:x",
        "s3/bucket:Bucket",
        "\"nope:x\"",
    ] {
        assert_eq!(unknown(text), None, "{text}");
    }
}
