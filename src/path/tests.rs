use super::*;

/// The seventeen paths that the specification prints. The newer language reads them literally; the tolerant spelling takes the
/// head `root` for the top.
pub(crate) const EXAMPLES: [(&str, &str); 17] = [
    ("root", ""),
    ("root.nested", "nested"),
    (r#"root["nested"]"#, "nested"),
    ("root.double.nest", "double.nest"),
    (r#"root["double"].nest"#, "double.nest"),
    (r#"root["double"]["nest"]"#, "double.nest"),
    ("root.array[0]", "array[0]"),
    ("root.array[100]", "array[100]"),
    ("root.array[0].nested", "array[0].nested"),
    ("root.array[0][1].nested", "array[0][1].nested"),
    (
        "root.nested.array[0].double[1]",
        "nested.array[0].double[1]",
    ),
    (
        r#"root["key with \"escaped\" quotes"]"#,
        r#"["key with \"escaped\" quotes"]"#,
    ),
    (r#"root["key with a ."]"#, r#"["key with a ."]"#),
    (
        r#"["root key with \"escaped\" quotes"].nested"#,
        r#"["root key with \"escaped\" quotes"].nested"#,
    ),
    (
        r#"["root key with a ."][100]"#,
        r#"["root key with a ."][100]"#,
    ),
    ("root.array[*].field", "array[*].field"),
    (r#"root.array["*"].field"#, r#"array["*"].field"#),
];

#[test]
fn the_examples_of_the_specification() {
    for (text, below_root) in EXAMPLES {
        let glob = Glob::parse(text).unwrap();
        assert_eq!(Glob::parse(&glob.to_string()).unwrap(), glob, "{text}");
        assert_eq!(
            Glob::parse_tolerant(text).unwrap().to_string(),
            below_root,
            "{text}"
        );
    }
}

#[track_caller]
fn check_tolerant(text: &str, want: &str) {
    let glob = Glob::parse_tolerant(text).unwrap();
    assert_eq!(glob.to_tolerant(), want);
    assert_eq!(Glob::parse_tolerant(want).unwrap(), glob);
}

#[test]
fn the_tolerant_spelling() {
    check_tolerant("", "root");
    check_tolerant("root", "root");
    check_tolerant(r#"["root"].x"#, r#"["root"].x"#);
    check_tolerant("root.root", r#"["root"]"#);
    check_tolerant("rooted", "rooted");
    check_tolerant("root-a", r#"["root-a"]"#);
    check_tolerant(".a", "a");
    check_tolerant("a..b.[0]", "a.b[0]");
    check_tolerant("a-b.c d.é", r#"["a-b"]["c d"]["é"]"#);
    check_tolerant("a['b.c']", r#"a["b.c"]"#);
    check_tolerant(r#"["C:\dir"]"#, r#"["C:\\dir"]"#);
    check_tolerant("**.arn", "**.arn");
    check_tolerant("a.**[0]", "a.**[0]");
    check_tolerant("tags[*].key", "tags[*].key");
}

#[track_caller]
fn check_error(text: &str, want: &str) {
    let error = Glob::parse_tolerant(text).expect_err("a parse error");
    assert_eq!(error.to_string(), want);
}

#[test]
fn errors_have_a_column() {
    check_error(
        "a.b[",
        "expected an index, `*` or `\"` at column 5, found the end of the text",
    );
    check_error(
        "é.b.",
        "expected a key at column 5, found the end of the text",
    );
    check_error(
        "a[\"x",
        "expected a closing quote at column 5, found the end of the text",
    );
    check_error("a[0]b", "expected `.` or `[` at column 5, found `b`");
    check_error("a[1x]", "expected `]` at column 4, found `x`");
    check_error(
        "a[x]",
        "expected an index, `*` or `\"` at column 3, found `x`",
    );
    assert_eq!(
        Path::parse("a.*.b").unwrap_err().to_string(),
        "expected a key or an index at column 3, found `*`"
    );
    assert_eq!(
        Path::parse(r#"a["\q"]"#).unwrap_err().to_string(),
        "expected a character or an escape of Go at column 4, found `\\`"
    );
}

fn tree() -> Value {
    let leaf = Value::from("x").with_secret(true);
    let array = Value::from(vec![Value::from(1.0), leaf]).with_secret(true);
    Value::from(Map::from_iter([("a", array), ("b c", Value::from("y"))]))
}

#[test]
fn setting_drops_the_markers_of_what_it_rebuilds() {
    let path = Path::parse("a[0]").unwrap();
    let changed = path.set(&tree(), &Value::NULL).unwrap();
    assert_eq!(path.get(&changed), Some(&Value::NULL));
    assert!(!changed.get("a").unwrap().is_secret());
    assert!(path.crosses_secret(&tree()));
    assert!(!path.crosses_secret(&changed));
    assert_eq!(Path::root().set(&tree(), &Value::NULL), Ok(Value::NULL));
    let miss = Path::parse("a[2]").unwrap().set(&tree(), &Value::NULL);
    assert_eq!(
        miss.unwrap_err().to_string(),
        "no such element after 1 steps"
    );
    let miss = Path::parse("a.b").unwrap().find(&tree()).unwrap_err();
    assert_eq!((miss.n_steps, miss.why), (1, MissKind::NoMap));
}

#[test]
fn deleting_removes() {
    let path = Path::parse("a[0]").unwrap();
    let changed = path.delete(&tree()).unwrap();
    assert_eq!(changed.get("a").unwrap().as_array().unwrap().len(), 1);
    assert_eq!(
        Path::parse("a[9]")
            .unwrap()
            .delete(&tree())
            .unwrap_err()
            .why,
        MissKind::NoElement
    );
}

#[test]
fn globs_find_in_every_depth() {
    let find = |glob: &str| -> Vec<String> {
        let glob = Glob::parse_tolerant(glob).unwrap();
        let tree = tree();
        let found = glob.find(&tree);
        found.iter().map(|(path, _)| path.to_string()).collect()
    };
    assert_eq!(find("**"), ["", "a", "a[0]", "a[1]", r#"["b c"]"#]);
    assert_eq!(find("**[1]"), ["a[1]"]);
    assert_eq!(find("*"), ["a", r#"["b c"]"#]);
    assert_eq!(find("*.x"), [""; 0]);
    assert_eq!(find("**.*.**").len(), 4);
    assert_eq!(find("**.**.a.**"), ["a", "a[0]", "a[1]"]);
    let matches = |glob: &str, path: &str| {
        let glob = Glob::parse_tolerant(glob).unwrap();
        glob.matches(&Path::parse(path).unwrap())
    };
    assert!(matches("**.c", "a.b.c.d"));
    assert!(matches("a.**.d", "a.d"));
    assert!(!matches("a.**.e", "a.b.c.d"));
    assert!(!matches("a[*][*]", "a[0]"));
}

#[test]
fn many_stars_stay_cheap() {
    let deep = (0..500).fold(Value::NULL, |value, _| Value::from(vec![value]));
    let glob = Glob::parse_tolerant("**.*.**.*.**.*.**.*.**").unwrap();
    assert_eq!(glob.find(&deep).len(), 497);
}

#[test]
fn other_spellings() {
    let path = Path(vec!["tags".into(), "a/b~".into(), 0.into()]);
    assert_eq!(path.to_json_pointer(), "/tags/a~1b~0/0");
    assert_eq!(path.to_jq(), r#".tags["a/b~"][0]"#);
    assert_eq!(Path(vec![0.into()]).to_jq(), ".[0]");
    assert_eq!(Path(vec!["a b".into()]).to_jq(), r#".["a b"]"#);
    assert_eq!(Path::root().to_jq(), ".");
}

#[track_caller]
fn check_fit(pattern: &str, path: Vec<Segment>, want: bool) {
    let pattern_ = Glob::parse_tolerant(pattern).unwrap();
    assert_eq!(pattern_.fits(&Path(path)), want, "{pattern}");
}

#[test]
fn patterns_fit_whole_paths() {
    check_fit("root.tags.Name", vec!["tags".into(), "Name".into()], true);
    check_fit("tags.Name", vec!["tags".into(), "Name".into()], true);
    check_fit("tags", vec!["tags".into(), "Name".into()], false);
    check_fit(
        "tags[*].key",
        vec!["tags".into(), 3.into(), "key".into()],
        true,
    );
    check_fit("tags.*", vec!["tags".into(), "Name".into()], true);
    check_fit(r#"["a key"].x"#, vec!["a key".into(), "x".into()], true);
    check_fit(r#"["root"]"#, vec!["root".into()], true);
    check_fit("root", vec![], true);
    check_fit("tags[0]", vec!["tags".into(), 0.into()], true);
    check_fit("tags[0]", vec!["tags".into(), "0".into()], false);
}

#[test]
fn two_stars_match_any_number_of_steps() {
    check_fit("**.arn", vec!["arn".into()], true);
    check_fit("**.arn", vec!["a".into(), 0.into(), "arn".into()], true);
    check_fit("**.arn", vec!["arn".into(), "x".into()], false);
    check_fit("a.**", vec!["a".into()], true);
    check_fit("a.**.b", vec!["a".into(), "x".into(), "b".into()], true);
    check_fit("**", vec![], true);
}

#[test]
fn covers_what_lies_below() {
    let pattern = Glob::parse_tolerant("tags.*").unwrap();
    assert!(pattern.matches(&Path(vec!["tags".into(), "a".into(), 0.into()])));
    assert!(!pattern.matches(&Path(vec!["tags".into()])));
}

#[test]
fn errors_have_their_column() {
    for (text, column) in [
        ("tags[", 5),
        ("tags[x]", 5),
        ("tags.", 5),
        ("tags[\"a", 7),
        ("tags[0]x", 7),
    ] {
        assert_eq!(
            Glob::parse_tolerant(text).unwrap_err().offset,
            column,
            "{text}"
        );
    }
}
