use super::*;
use crate::change::difference::{Context, describe};
use crate::json::{Numbers, parse};
use crate::value::{Map, Value};

fn value(json: &str) -> Value {
    parse(json.as_bytes(), Numbers::Exact).unwrap().value
}

fn drawn(lines: &[Line]) -> String {
    let sign = |action| match action {
        Action::Same => ' ',
        Action::Create => '+',
        Action::Update => '~',
        Action::Delete => '-',
    };
    let draw = |line: &Line| {
        let text: String = line.unified().into_iter().map(|span| span.text).collect();
        let label = line
            .label
            .as_ref()
            .map_or(String::new(), |label| format!("{label} "));
        let remark = line
            .remark()
            .map_or(String::new(), |remark| format!(" ! {remark}"));
        format!(
            "{}{} {label}{text}{remark}\n",
            "  ".repeat(line.depth),
            sign(line.action)
        )
    };
    lines.iter().map(draw).collect()
}

#[track_caller]
fn check(before: &str, after: &str, want: &str) {
    let diff = describe(&value(before), &value(after), Context::default());
    assert_eq!(drawn(&lines(&diff, Options::default())), want);
}

#[test]
fn unchanged_is_folded_and_what_identifies_stays() {
    check(
        r#"{"a":1,"b":2,"id":"i-1","tags":{"Name":"web","x":"y"}}"#,
        r#"{"a":1,"b":3,"id":"i-1","tags":{"Name":"web","x":"y"}}"#,
        "~ b 2 → 3\n  id \"i-1\"\n  tags.Name \"web\"\n  … 1 unchanged attribute\n",
    );
}

#[test]
fn lists_show_their_neighbors() {
    check(
        r#"{"l":[1,2,3,4,5]}"#,
        r#"{"l":[1,2,4,5]}"#,
        "~ l [5] → [4]\n    … 1 unchanged element\n    [1] 2\n  - [2] 3\n    [2] 4\n    … 1 unchanged element\n",
    );
}

#[test]
fn an_element_that_moved_says_from_where() {
    let diff = describe(
        &value(r#"{"l":["a","b","c","d"]}"#),
        &value(r#"{"l":["b","c","x","a"]}"#),
        Context::default(),
    );
    let text = drawn(&lines(&diff, Options::default()));
    assert!(text.contains("    [3] moved from [0] \"a\"\n"), "{text}");
    assert!(text.contains("  - [3] \"d\"\n  + [2] \"x\"\n"), "{text}");
    assert_eq!(text.matches("\"a\"").count(), 1, "{text}");
}

#[test]
fn words_and_lines_are_compared() {
    check(
        r#"{"t":"one\ntwo and more\nthree"}"#,
        r#"{"t":"one\ntwo and less\nthree"}"#,
        "~ t <text> 3 lines\n    one\n  - two and more\n  + two and less\n    three\n",
    );
    let diff = describe(
        &value(r#""the old one""#),
        &value(r#""the new one""#),
        Context::default(),
    );
    let Body::Both { before, .. } = &lines(&diff, Options::default())[0].body else {
        panic!("both sides");
    };
    assert_eq!(before[1], Span::new("old", Role::Changed));
}

#[test]
fn json_in_a_string_is_a_tree_with_its_own_path() {
    let [before, after] = [r#"{"p":"{\"a\":[1]}"}"#, r#"{"p":"{\"a\":[1,2]}"}"#].map(value);
    let diff = describe(&before, &after, Context::default());
    let lines = lines(&diff, Options::default());
    let last = lines.last().unwrap();
    assert_eq!(last.path.to_string(), "p");
    assert_eq!(last.inside.as_ref().unwrap().to_string(), "a[1]");
    check(
        r#"{"p":"{\"a\":1}"}"#,
        r#"{"p":"{ \"a\": 1 }"}"#,
        "~ p JSON in a string ! formatting only\n",
    );
}

#[test]
fn secrets_and_unknowns() {
    let map = |value: Value| Value::from(Map::from_iter([("pw", value)]));
    let secret = |text: &str| map(Value::from(text).with_secret(true));
    let diff = describe(&secret("a"), &secret("b"), Context::default());
    assert_eq!(
        drawn(&lines(&diff, Options::ALL)),
        "~ pw [secret] → [secret] ! changed\n"
    );
    let diff = describe(
        &value(r#"{"pw":["a"]}"#),
        &map(Value::computed()),
        Context::default(),
    );
    assert_eq!(
        drawn(&lines(&diff, Options::ALL)),
        "~ pw [\"a\"] → (known after apply)\n"
    );
    let diff = describe(
        &value(r#"{"pw":"one\ntwo"}"#),
        &map(Value::computed()),
        Context::default(),
    );
    assert_eq!(
        drawn(&lines(&diff, Options::ALL)),
        "~ pw <text> 2 lines → (known after apply)\n"
    );
}

#[test]
fn other_kinds_are_deleted_and_created() {
    check(
        r#"{"a":[1]}"#,
        r#"{"a":"x"}"#,
        "- a [1]\n  - [0] 1\n+ a \"x\"\n",
    );
    check(r#"{"a":1}"#, r#"{"a":"x"}"#, "~ a 1 → \"x\"\n");
}

#[test]
fn long_values_are_laid_out_in_part() {
    let list = |first: u32| {
        let items: Vec<String> = (first..first + 9).map(|n| n.to_string()).collect();
        value(&format!("{{\"l\":[{}],\"z\":{first}}}", items.join(",")))
    };
    let diff = describe(&list(0), &list(100), Context::default());
    let options = |most| Options {
        most,
        ..Options::default()
    };
    let part = drawn(&lines(&diff, options(2)));
    let want = "~ l [9]\n  ~ [0] 0 → 100\n  ~ [1] 1 → 101\n  ~ … 7 more elements, 7 changed\n~ z 0 → 100\n";
    assert_eq!(part, want);
    assert_eq!(lines(&diff, options(9)), lines(&diff, Options::default()));

    // Left-out places that did not change are counted separately.
    let one_changed = describe(
        &value("[0,1,2,3,4]"),
        &value("[0,9,2,3,4]"),
        Context::default(),
    );
    let all = Options {
        most: 3,
        ..Options::ALL
    };
    let drawn = drawn(&lines(&one_changed, all));
    assert!(
        drawn.ends_with("    [2] 2\n    … 2 more elements, 0 changed\n"),
        "{drawn}"
    );
}

#[test]
fn long_texts_are_laid_out_in_part() {
    let text = |changed: u32| {
        let lines: Vec<String> = (0..9).map(|n| format!("{n}{changed}")).collect();
        Value::from(lines.join("\n"))
    };
    let options = Options {
        most: 2,
        ..Options::default()
    };
    for (before, after, want) in [
        (text(1), text(2), "~ … 16 more lines, 16 changed\n"),
        (Value::NULL, text(2), "~ … 7 more lines, 7 changed\n"),
    ] {
        let diff = describe(&before, &after, Context::default());
        let drawn = drawn(&lines(&diff, options));
        assert_eq!(drawn.lines().count(), 4, "{drawn}");
        assert!(drawn.ends_with(want), "{drawn}");
    }
}

#[test]
fn emoji_on_a_changed_line_are_shown() {
    let (old, new) = text::words(
        "a ❤\u{fe0f} 👩\u{200d}💻 of one",
        "a ❤\u{fe0f} 👩\u{200d}🔬 of one",
    );
    let texts = |spans: Vec<Span>| spans.into_iter().map(|span| span.text).collect::<Vec<_>>();
    assert_eq!(texts(old), ["a ❤\u{fe0f} ", "👩\u{200d}💻", " of one"]);
    assert_eq!(texts(new), ["a ❤\u{fe0f} ", "👩\u{200d}🔬", " of one"]);
}
