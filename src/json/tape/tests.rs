use proptest::prelude::*;
use proptest::sample::Index;

use super::*;
use crate::json::{Numbers, Reader, Token, parse};

/// The start of each token, and a letter for its kind.
type Tokens = Vec<(usize, char)>;

fn by_reader(text: &[u8]) -> Option<Tokens> {
    let mut reader = Reader::new(text);
    let mut tokens = Vec::new();
    while let Some(token) = reader.next().ok()? {
        let kind = match token {
            Token::Null => 'n',
            Token::Bool(true) => 't',
            Token::Bool(false) => 'f',
            Token::Number(_) => '0',
            Token::String(_) => 's',
            Token::Key(_) => 'k',
            Token::ArrayStart => '[',
            Token::ArrayEnd => ']',
            Token::MapStart => '{',
            Token::MapEnd => '}',
        };
        tokens.push((reader.token_start(), kind));
    }
    Some(tokens)
}

fn by_tape(tape: &mut Tape, text: &[u8]) -> Option<Tokens> {
    let mut cursor = tape.read(text).cursor().ok()?;
    let mut tokens = Vec::new();
    let mut open: Vec<(bool, Where)> = Vec::new();
    loop {
        let start = cursor.start();
        let kind = match cursor.value().ok()? {
            Met::Null => 'n',
            Met::Bool(true) => 't',
            Met::Bool(false) => 'f',
            Met::Number => '0',
            Met::String(raw) => {
                assert_eq!(raw.as_ptr(), text[start + 1..].as_ptr());
                's'
            }
            Met::Array => '[',
            Met::Map => '{',
        };
        tokens.push((start, kind));
        match kind {
            '[' => open.push((false, Where::First)),
            '{' => open.push((true, Where::First)),
            _ => {}
        }
        loop {
            let Some((is_map, place)) = open.last_mut() else {
                return cursor.is_done().then_some(tokens);
            };
            let place = std::mem::replace(place, Where::Later);
            if *is_map {
                // A key that is not the expected one passes nothing.
                let before = cursor.clone();
                assert!(!cursor.passes_key(place, b"another key"));
                let mut expecting = before.clone();
                let key = cursor.key(place);
                for expected in [&b""[..], b"a", b"ab"] {
                    let mut ahead = before.clone();
                    if ahead.passes_key(place, expected) {
                        assert_eq!((key, ahead.at), (Ok(Some(expected)), cursor.at));
                    }
                }
                if let Some(raw) = key.ok()? {
                    let has_escape = memchr::memchr(b'\\', raw).is_some();
                    let is_passed = !has_escape && expecting.passes_key(place, raw);
                    let has_colon = text.get(cursor.at - 2) == Some(&b'"');
                    assert!(has_escape || !has_colon || is_passed);
                    let offset = raw.as_ptr() as usize - text.as_ptr() as usize;
                    tokens.push((offset - 1, 'k'));
                    break;
                }
            } else if cursor.item(place).ok()? {
                break;
            }
            let end = if *is_map { '}' } else { ']' };
            tokens.push((cursor.offset() - 1, end));
            open.pop();
        }
    }
}

#[track_caller]
fn check(text: &str, is_json: bool) {
    let tokens = by_tape(&mut Tape::default(), text.as_bytes());
    assert_eq!(tokens, by_reader(text.as_bytes()));
    assert_eq!(tokens.is_some(), is_json);
}

#[test]
fn strings_hide_what_is_in_them() {
    check(r#"{"a\"]}": "}],\\", "é\u0041/": [",", {"": ":"}]}"#, true);
    check(r#"["a\\\\", "\\\"", "\\"]"#, true);
    check(r#"["\x"]"#, false);
    check(r#"["\u00g0"]"#, false);
    check(r#"["a]"#, false);
}

#[test]
fn what_is_no_token_is_found() {
    for wrong in [
        "",
        "[1 2]",
        "[01]",
        "[1.]",
        "[tru]",
        "[truex]",
        "[nul l]",
        "[\"a\"x]",
        "[1\"a\"]",
        "[,]",
        "[1,]",
        "{\"a\":1,}",
        "{\"a\" 1}",
        "{a:1}",
        "{\"a\":}",
        "[1}",
        "{\"a\":1]",
        "[1] 2",
        "[\\]",
        "[1\\\"\\\"]",
        "[\u{1}]",
        "[\u{e9}]",
        "[--1]",
        "[1e]",
        "{1:2}",
        "]",
        ":",
    ] {
        check(wrong, false);
    }
}

#[test]
fn skipped_values_are_checked() {
    let mut tape = Tape::default();
    for (text, is_json) in [
        (r#"{"a": [1, {"b": []}], "c": "]"}"#, true),
        ("[[], {}]", true),
        ("[[1, {}]", false),
        ("[{\"a\": 1]}", false),
    ] {
        let mut cursor = tape.read(text.as_bytes()).cursor().unwrap();
        let skipped = cursor.skip();
        assert_eq!(skipped.is_ok() && cursor.is_done(), is_json, "{text}");
    }
}

/// Valid texts with oddities that have to be reported: the tape leaves them to the reader.
#[test]
fn what_is_odd_is_not_walked() {
    let walked = |text: &str| by_tape(&mut Tape::default(), text.as_bytes()).is_some();
    for odd in [
        r#""\ud83d""#,
        r#""\ude00""#,
        r#""\ude00\ud83d""#,
        r#""\ud83d\ud83d\ude00""#,
        r#""\\ud83d\ude00""#,
        r#"["\ud83d","\ude00"]"#,
        "[1e400]",
        "[-1E-400]",
        "[0.5e+99999999999999999999]",
        "[1e00100]",
    ] {
        assert!(by_reader(odd.as_bytes()).is_some(), "{odd}");
        assert!(!walked(odd), "{odd}");
    }
    for plain in [
        r#""\ud83d\ude00\uD83D\uDE00""#,
        r#""\\\ud83d\ude00""#,
        "[1e99]",
        "[12345.678e-12]",
        "[0E000]",
        "[1e+0099]",
        "[0.5e-00000000000000000012]",
    ] {
        assert!(walked(plain), "{plain}");
    }
}

fn json() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        Just("null".to_owned()),
        Just("true".to_owned()),
        Just("false".to_owned()),
        "-?(0|[1-9][0-9]{0,3})(\\.[0-9]{1,3})?([eE][+-]?[0-9]{1,2})?",
        string(),
    ];
    let space = "[ \n\t\r]{0,3}";
    leaf.prop_recursive(5, 60, 6, move |inner| {
        let items = prop::collection::vec((space, inner.clone(), space), 0..6);
        let entries = prop::collection::vec((space, string(), space, inner, space), 0..6);
        prop_oneof![
            items.prop_map(|items| {
                let items: Vec<_> = items
                    .into_iter()
                    .map(|(before, item, behind)| before + &item + &behind)
                    .collect();
                format!("[{}]", items.join(","))
            }),
            entries.prop_map(|entries| {
                let entries: Vec<_> = entries
                    .into_iter()
                    .map(|(before, key, between, value, behind)| {
                        before + &key + &between + ":" + &value + &behind
                    })
                    .collect();
                format!("{{{}}}", entries.join(","))
            }),
        ]
    })
}

fn string() -> impl Strategy<Value = String> {
    "\"([a-c{}\\[\\]:, é]|\\\\[\"\\\\/bfnrt]|\\\\u[0-9a-cefA-CEF][0-9a-fA-F]{3}|\\\\ud8[0-9a-f]{2}\\\\uDD[0-9A-F]{2}){0,12}\""
}

/// True if a number has an exponent of three digits or more, which the tape leaves to the reader.
fn has_large_exponent(text: &[u8]) -> bool {
    let mut reader = Reader::new(text);
    while let Ok(Some(token)) = reader.next() {
        if let Token::Number(number) = token
            && let Some((_, exponent)) = number.split_once(['e', 'E'])
            && exponent.trim_start_matches(['+', '-', '0']).len() > 2
        {
            return true;
        }
    }
    false
}

proptest! {
    #[test]
    fn the_reader_and_the_tape_agree(
        text in json(),
        changed in prop::option::of((any::<Index>(), prop::sample::select(&b"[]{}:,\"\\ a0-.\n\x01\xff"[..]))),
    ) {
        let mut bytes = text.into_bytes();
        let is_changed = changed.is_some();
        if let Some((index, byte)) = changed {
            let index = index.index(bytes.len());
            bytes[index] = byte;
        }
        // The tape is for a value without white space around it, and the changed byte may have become white space.
        let bytes = bytes.trim_ascii();
        // Marks of an earlier text must not leak into this one.
        let mut tape = Tape::default();
        let _ = tape.read(&b"[1,2,3,4,5,6,7,8,9]".repeat(9));
        let walked = by_tape(&mut tape, bytes);
        // The changed byte may have split a surrogate pair, or made an exponent longer.
        let has_notes = || parse(bytes, Numbers::Exact).is_ok_and(|parsed| !parsed.notes.is_empty());
        if walked.is_some() || !(has_notes() || has_large_exponent(bytes)) {
            prop_assert_eq!(&walked, &by_reader(bytes));
        }
        prop_assert!(is_changed || walked.is_some(), "the tape is used");
    }
}
