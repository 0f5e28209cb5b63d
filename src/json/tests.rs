use super::*;
use crate::value::{Asset, Payload, Value};

#[track_caller]
fn check(text: &str, want: &str) {
    let parsed = parse(text.as_bytes(), Numbers::Exact).expect("this is JSON");
    assert_eq!(to_compact(&parsed.value), want);
    assert_eq!(parsed.notes, []);
}

#[track_caller]
fn check_error(text: &str, want: &str) {
    let error = parse(text.as_bytes(), Numbers::Exact).expect_err("this is not JSON");
    assert_eq!(error.to_string(), want);
}

#[track_caller]
fn check_note(text: &[u8], printed: &str, note: (usize, NoteKind)) {
    let parsed = parse(text, Numbers::Exact).expect("this is JSON");
    assert_eq!(to_compact(&parsed.value), printed);
    let (offset, kind) = note;
    assert_eq!(parsed.notes, [Note { offset, kind }]);
}

#[test]
fn reads_and_prints() {
    check(
        " {\"b\" : [1, 2.50,\t-0, 1e2 ], \"a\":{}, \"c\" : [ ] }\n",
        r#"{"b":[1,2.5,0,100],"a":{},"c":[]}"#,
    );
    check("\u{feff}null", "null");
    check(r#""\u00e9\ud83e\udd8a\/\b\"\\""#, r#""é🦊/\u0008\"\\""#);
    check("9007199254740993", "9007199254740993");
    check("[true,false,null]", "[true,false,null]");
}

#[test]
fn numbers_out_of_range_are_noted() {
    check("1e646456992", "1e646456992");
    check_note(b"1e999999999", "1e999999999", (0, NoteKind::Huge));
    check_note(b"[-1e-999999999]", "[-1e-999999999]", (1, NoteKind::Huge));
    let beyond = b"[1e99999999999999999999]";
    check_note(
        beyond,
        r#"["1e99999999999999999999"]"#,
        (1, NoteKind::HugeExponent),
    );
    check("0e99999999", "0");
}

#[test]
fn doubles_are_the_nearest_ones() {
    let parsed = parse(b"[9007199254740993, -0.0, 1e400]", Numbers::Double).unwrap();
    assert_eq!(
        to_compact(&parsed.value),
        r#"[9007199254740992,-0,"Infinity"]"#
    );
    let offset = 25;
    let kind = NoteKind::Infinite;
    assert_eq!(parsed.notes, [Note { offset, kind }]);
}

#[test]
fn pretty_text_keeps_the_order_of_keys() {
    let parsed = parse(br#"{"b":[1,{}],"a":[]}"#, Numbers::Exact).unwrap();
    assert_eq!(
        to_pretty(&parsed.value),
        "{\n  \"b\": [\n    1,\n    {}\n  ],\n  \"a\": []\n}"
    );
}

#[test]
fn printing_is_safe_to_show() {
    let value = Value::from("\u{1b}[2J\u{7f}\u{9b}\u{202e}\u{200b}\u{e0001}é");
    let text = to_compact(&value);
    assert_eq!(text, r#""\u001b[2J\u007f\u009b\u202e\u200b\udb40\udc01é""#);
    assert_eq!(parse(text.as_bytes(), Numbers::Exact).unwrap().value, value);
}

#[test]
fn secrets_and_unknowns_are_masked() {
    let secret = Value::from("hunter2").with_secret(true);
    let asset = Value::new(Payload::Asset(
        Asset {
            text: Some("x".into()),
            ..Asset::default()
        }
        .into(),
    ));
    let value = Value::from(vec![secret, Value::computed(), asset]);
    assert_eq!(
        to_compact(&value),
        r#"["[secret]","[unknown]",{"text":"x"}]"#
    );
}

#[test]
fn odd_texts_are_read_and_noted() {
    check_note(
        br#"{"a":1,"b":2,"a":3}"#,
        r#"{"a":3,"b":2}"#,
        (13, NoteKind::DuplicateKey),
    );
    check_note(
        br#"["x\ud800y"]"#,
        r#"["x\ud800y"]"#,
        (1, NoteKind::LoneSurrogate),
    );
    check_note(
        br#"["\udc00\ud800"]"#,
        r#"["\udc00\ud800"]"#,
        (1, NoteKind::LoneSurrogate),
    );
    check_note(b"\"a\xffb\"", r#""a\ufffdb""#, (0, NoteKind::NotUtf8));
    check_note(b"\"a\nb\"", r#""a\nb""#, (0, NoteKind::ControlCharacter));
}

#[test]
fn errors_say_where() {
    check_error(
        "",
        "expected a value at column 1, found the end of the text",
    );
    check_error(
        "{\n  \"é\": [1,]\n}",
        "expected a value at line 2, column 11, found `]`",
    );
    check_error("{\"a\" 1}", "expected `:` at column 6, found `1`");
    check_error("{,}", "expected a key or `}` at column 2, found `,`");
    check_error("{\"a\":1,}", "expected a key at column 8, found `}`");
    check_error("[1 2]", "expected `,` or `]` at column 4, found `2`");
    check_error("[1}", "expected `,` or `]` at column 3, found `}`");
    check_error("nul", "expected a value at column 1, found `n`");
    check_error(
        "01",
        "expected no digit after a leading zero at column 2, found `1`",
    );
    check_error(
        "-",
        "expected a digit at column 2, found the end of the text",
    );
    check_error(
        "1.",
        "expected a digit at column 3, found the end of the text",
    );
    check_error(
        "1e+",
        "expected a digit at column 4, found the end of the text",
    );
    check_error("\"\\x\"", "expected an escape at column 3, found `x`");
    check_error(
        "\"\\u12g4\"",
        "expected four hexadecimal digits at column 4, found `1`",
    );
    check_error(
        "\"abc",
        "expected the `\"` that ends the string at column 5, found the end of the text",
    );
    check_error("1 2", "expected the end of the text at column 3, found `2`");
    check_error("\u{1b}", "expected a value at column 1, found `␛`");
}

#[test]
fn nesting_is_limited_in_values_and_not_in_the_reader() {
    let deep = |depth: usize| [vec![b'['; depth], vec![b']'; depth]].concat();
    assert!(parse(&deep(MAX_DEPTH), Numbers::Exact).is_ok());
    let error = parse(&deep(200_000), Numbers::Exact).expect_err("this is too deep");
    assert_eq!(error.offset, MAX_DEPTH);
    assert_eq!(Reader::new(&deep(200_000)).skip_value(), Ok(0..400_000));
    assert!(parse(&vec![b'['; 200_000], Numbers::Exact).is_err());
}

#[test]
fn the_reader_walks_elements_without_values() {
    let text = br#"{"skip": {"a": [1, "]"]}, "resources": [ {"x": 1} , 2 ]} {"next": 1}"#;
    let mut reader = Reader::new(text);
    assert_eq!(reader.next(), Ok(Some(Token::MapStart)));
    let Ok(Some(Token::Key(key))) = reader.next() else {
        panic!("a key comes first");
    };
    assert!(key.is("skip"));
    assert_eq!(reader.skip_value(), Ok(9..24));
    let Ok(Some(Token::Key(key))) = reader.next() else {
        panic!("a key follows");
    };
    assert!(key.is("resources"));
    assert_eq!(reader.next(), Ok(Some(Token::ArrayStart)));
    assert_eq!(reader.next_start(), 41);
    let first = reader.skip_value().unwrap();
    assert_eq!(&text[first], br#"{"x": 1}"#);
    assert_eq!(reader.depth(), 2);
    reader.skip_rest().unwrap();
    assert_eq!(reader.depth(), 1);
    assert_eq!(reader.next(), Ok(Some(Token::MapEnd)));
    let mut next = Reader::at(text, reader.offset());
    assert_eq!(next.skip_value(), Ok(57..68));
    assert_eq!(next.next(), Ok(None));
}

#[test]
fn a_value_can_be_built_in_the_middle() {
    let mut reader = Reader::new(br#"{"a": [1, {"b": 2}], "c": 3}"#);
    let mut notes = Vec::new();
    reader.next().unwrap();
    reader.next().unwrap();
    let value = build(&mut reader, Numbers::Exact, &mut notes).unwrap();
    assert_eq!(to_compact(&value), r#"[1,{"b":2}]"#);
    assert!(matches!(reader.next(), Ok(Some(Token::Key(key))) if key.is("c")));
}

#[test]
fn entries_of_a_pair_are_shared() {
    let text = r#"{"before": {"tags": {"a": [1]}, "size": 1, "name": {"x": {}}}, "after": {"id": {}, "tags": {"a": [1]}, "size": 12, "name": {"x": {}}}}"#;
    let pair = parse_pairs(text.as_bytes(), Numbers::Exact)
        .expect("JSON")
        .value;
    let of = |side: &str, key: &str| pair.get(side).unwrap().get(key).unwrap().as_map().unwrap();
    for key in ["tags", "name"] {
        assert!(of("before", key).is_shared_with(of("after", key)), "{key}");
    }
    assert_eq!(
        pair,
        parse(text.as_bytes(), Numbers::Exact).expect("JSON").value
    );
    // An oddity is noted wherever it is.
    let odd = r#"{"before": {"a": "\ud800"}, "after": {"a": "\ud800"}}"#;
    let parsed = parse_pairs(odd.as_bytes(), Numbers::Exact).expect("JSON");
    assert_eq!(parsed.notes.len(), 2);
}
