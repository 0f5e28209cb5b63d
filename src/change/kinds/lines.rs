//! Lines of a text that stand in another order. In a file of which the first or the last line that fits decides, that is all that matters.
//!
//! Only lines that both texts have, and have once, are compared, so that closing brackets and blank lines say nothing. Hashes such as
//! those of a certificate say nothing either.

use std::collections::HashMap;

use super::print::is_hash;
use crate::change::groups::counted;
use crate::change::leaves::Leaf;
use crate::text::{cut, escaped};
use crate::value::Value;

/// Maximum length in bytes of a text whose lines are compared.
const MAX_TEXT: usize = 64 << 10;

/// Maximum number of characters of a line that is told.
const MAX_TOLD: usize = 60;

/// A line that moves, and the end that it goes to.
type Moved = (String, Option<&'static str>);

/// The first line of the text before that another one passes on its way to the text after, with one blank between its words. As few
/// lines as possible are said to move. With the end of the text that it goes to, if it is one. `None` if all stand in their order, and for texts that are masked, long or of one line.
pub(super) fn first_moved(leaf: &Leaf) -> Option<Moved> {
    let is_told = leaf.reason.is_none();
    is_told.then(|| moved(&leaf.before, &leaf.after)).flatten()
}

fn moved(before: &Value, after: &Value) -> Option<Moved> {
    fn text(value: &Value) -> Option<&str> {
        let text = value.as_str().filter(|_| !value.is_secret())?;
        (text.len() <= MAX_TEXT && text.contains('\n')).then_some(text)
    }
    let (before, after) = (text(before)?, text(after)?);
    let new: HashMap<String, usize> = lone_lines(after).into_iter().zip(0..).collect();
    let old = lone_lines(before).into_iter();
    let kept: Vec<(String, usize)> = old
        .filter_map(|line| new.get(&line).map(|place| (line, *place)))
        .collect();
    let places: Vec<usize> = kept.iter().map(|(_, place)| *place).collect();
    if places.is_sorted() {
        return None;
    }
    let in_order = longest_rise(&places);
    let is_moved = |at: &usize| in_order.binary_search(at).is_err();
    let first = (0..kept.len()).find(is_moved)?;
    let (line, place) = kept.into_iter().nth(first)?;
    let to = match place {
        0 => Some("to the start"),
        _ if place + 1 == new.len() => Some("to the end"),
        _ => None,
    };
    Some((line, to))
}

/// The line that moves, in words: `moved to the end: "* @acme/engineering"`.
pub fn moved_in_words(leaf: &Leaf) -> Option<String> {
    first_moved(leaf).map(|(line, to)| in_words(&line, to))
}

fn in_words(line: &str, to: Option<&str>) -> String {
    let gap = if to.is_some() { " " } else { "" };
    let line = escaped(&cut(&line, MAX_TOLD));
    format!("moved{gap}{}: \"{line}\"", to.unwrap_or_default())
}

/// The lines that a text has once and that say something, with one blank between words.
fn lone_lines(text: &str) -> Vec<String> {
    let says = |line: &&str| line.contains(char::is_alphanumeric) && !is_hash(line.trim());
    let lines = text.lines().filter(says);
    let lines = lines.map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "));
    let lines: Vec<String> = lines.collect();
    let counts = counted(lines.iter().map(String::as_str));
    let lone = lines.iter().filter(|line| counts[line.as_str()] == 1);
    lone.cloned().collect()
}

/// The places of the longest rising run of these numbers, of which no two are equal, in their order.
fn longest_rise(numbers: &[usize]) -> Vec<usize> {
    // For each length, the place of the smallest number that ends a run of it.
    let mut ends: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = Vec::with_capacity(numbers.len());
    for (at, number) in numbers.iter().enumerate() {
        let n_smaller = ends.partition_point(|end| numbers[*end] < *number);
        before.push(n_smaller.checked_sub(1).map(|last| ends[last]));
        match ends.get_mut(n_smaller) {
            Some(end) => *end = at,
            None => ends.push(at),
        }
    }
    let last = ends.last().copied();
    let mut run: Vec<usize> = std::iter::successors(last, |at| before[*at]).collect();
    run.reverse();
    run
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(before: &str, after: &str, want: Option<(&str, &str)>) {
        let found = moved(&Value::from(before), &Value::from(after));
        let found = found.map(|(line, to)| in_words(&line, to));
        let want = want.map(|(to, line)| format!("moved{to}: \"{line}\""));
        assert_eq!(found, want, "{before:?} {after:?}");
    }

    #[test]
    fn the_line_that_moves_is_told() {
        check(
            "* @all\n/a @a\n/b @b\n",
            "/a @a\n/b @b\n* @all\n",
            Some((" to the end", "* @all")),
        );
        check(
            "/a @a\n/b @b\n*   @all",
            "*   @all\n/c\n/a @a\n/b @b",
            Some((" to the start", "* @all")),
        );
        check("a\nb\nc\nd\n", "b\nc\na\nd\n", Some(("", "a")));
        // Two that change places: one of them is said to.
        check("a\nb\n", "b\na\n", Some((" to the end", "a")));
        check(
            "a\u{202e}\nb\n",
            "b\na\u{202e}\n",
            Some((" to the end", r"a\u{202e}")),
        );
        // A line is cut before its signs are made visible, so that none of these is cut.
        let line = format!("{}\u{202e}b", "a".repeat(58));
        let told = format!(r"{}\u{{202e}}b", "a".repeat(58));
        check(
            &format!("{line}\nb\n"),
            &format!("b\n{line}\n"),
            Some((" to the end", &told)),
        );
    }

    #[test]
    fn lines_that_come_and_go_or_are_there_twice_do_not_move() {
        check("a\nb\nc\n", "b\nx\nc\nd\n", None);
        check("if a\n}\nif b\n", "if b\n}\nif c\n", None);
        check("a\n\nb\nb\n", "b\n\na\nb\n", None);
        check("a\nb\n", "a\n  b\n", None);
        check("a b", "b a", None);
        check("0123456789abcdef\nb\n", "b\n0123456789abcdef\n", None);
        let (before, after) = (Value::from("a\nb\n"), Value::from("b\na\n"));
        assert_eq!(moved(&before.clone().with_secret(true), &after), None);
        assert_eq!(moved(&before, &after.with_secret(true)), None);
    }

    #[test]
    fn as_few_as_possible_move() {
        for (numbers, want) in [
            (&[3, 0, 1, 2][..], &[1, 2, 3][..]),
            (&[0, 1, 2], &[0, 1, 2]),
            (&[2, 1, 0], &[2]),
            (&[0, 4, 1, 2, 3], &[0, 2, 3, 4]),
            (&[], &[]),
        ] {
            assert_eq!(longest_rise(numbers), want, "{numbers:?}");
        }
    }
}
