//! Every mutation of `tests/mutations.py` can still be applied: the text that it looks for occurs once in its file.

use std::fs;

use super::root;

/// The start of the path that the script names once.
const OBJCHANGE: &str = "src/terraform/objchange/";

/// Reads the literal at the start of a line of Python. Returns its value and the rest of the line.
fn literal(code: &str) -> Option<(String, &str)> {
    let quote = code.chars().next().filter(|first| "\"'".contains(*first))?;
    let mut text = String::new();
    let mut rest = code[1..].chars();
    loop {
        text.push(match rest.next()? {
            end if end == quote => return Some((text, rest.as_str())),
            '\\' => match rest.next()? {
                'n' => '\n',
                same @ ('\\' | '"' | '\'') => same,
                _ => return None,
            },
            other => other,
        });
    }
}

/// Reads a call: its mutation's name, its file and the text that it looks for there.
fn call(line: &str) -> Option<[String; 3]> {
    let (name, rest) = literal(line.split_once('(')?.1)?;
    let rest = rest.strip_prefix(", ")?;
    let (folder, rest) = match rest.strip_prefix("OBJCHANGE + ") {
        Some(rest) => (OBJCHANGE, rest),
        None => ("", rest),
    };
    let (file, rest) = literal(rest)?;
    let (anchor, _) = literal(rest.strip_prefix(", ")?)?;
    Some([name, format!("{folder}{file}"), anchor])
}

#[test]
fn every_mutation_can_be_applied() {
    let script = fs::read_to_string(root().join("tests/mutations.py")).expect("the script");
    assert!(script.contains(&format!("OBJCHANGE = \"{OBJCHANGE}\"")));
    let (mut n_calls, mut stale) = (0, Vec::new());
    for line in script.lines() {
        if !(line.starts_with("replace(") || line.starts_with("begin(")) {
            continue;
        }
        n_calls += 1;
        let [name, file, anchor] = call(line).unwrap_or_else(|| panic!("cannot read {line}"));
        let text = fs::read_to_string(root().join(&file)).unwrap_or_default();
        let times = text.matches(&anchor).count();
        if times != 1 {
            stale.push(format!("{name}: {file} has {times} times: {anchor}"));
        }
    }
    assert!(n_calls >= 27, "{n_calls} mutations were found");
    assert!(stale.is_empty(), "{}", stale.join("\n"));
}
