//! The values of a detail: short enough for a line, and cut so that the difference is in it.

use super::{MAX_VALUE, cut};
use crate::change::decode::{Decoder, packing};
use crate::change::likely_secrets::masked;
use crate::text::escaped;
use crate::value::{Shown, Value};

/// Characters that both texts share and that stay in front of the difference.
const CONTEXT: usize = 20;

/// The beginning of a value.
pub(super) fn short(value: &Value) -> String {
    let text = if value.is_computed() && !value.is_secret() {
        "(known after apply)".to_owned()
    } else {
        escaped(&value.to_string())
    };
    cut(&text)
}

/// Both values of a change, and a word about them if they are not as they are in the file. Of long texts it is the part that
/// differs; of texts in base64 the decoded ones.
pub(super) fn both(before: &Value, after: &Value) -> (String, String, &'static str) {
    let (decoded, note) = match (from_base64(before), from_base64(after)) {
        (Some(before), Some(after)) => (Some([before, after]), "in base64"),
        (None, _) | (_, None) => (None, ""),
    };
    let [before, after] = decoded.unwrap_or_else(|| [before.clone(), after.clone()]);
    let is_text =
        |value: &Value| matches!(value.shown(), Shown::Plain(_)) && value.as_str().is_some();
    if is_text(&before) && is_text(&after) {
        let texts = [&before, &after].map(|value| value.as_str().unwrap_or_default());
        let is_long = texts
            .iter()
            .any(|text| text.chars().count() > MAX_VALUE || text.contains('\n'));
        if is_long {
            let [before, after] = differing(texts).map(|text| short(&Value::from(text)));
            return (before, after, note);
        }
    }
    (short(&before), short(&after), note)
}

/// The text in a string in base64, masked if it has the form of a secret; `None` for other strings.
fn from_base64(value: &Value) -> Option<Value> {
    packing(value).filter(|it| *it == Decoder::Base64)?;
    let decoded = Decoder::Base64.decode(value).ok()?;
    let text = decoded.as_str()?;
    let is_readable = |char: char| !char.is_control() || matches!(char, '\n' | '\r' | '\t');
    let is_text = !text.is_empty() && text.chars().all(is_readable);
    is_text.then(|| masked(&decoded).unwrap_or(decoded))
}

/// The parts of two texts that differ: without the lines that both begin and end with, and without most of what a single line has in
/// common.
fn differing(texts: [&str; 2]) -> [String; 2] {
    let lines = texts.map(|text| text.lines().collect::<Vec<_>>());
    let shortest = lines[0].len().min(lines[1].len());
    let is_same = |from: [usize; 2]| lines[0][from[0]] == lines[1][from[1]];
    let head = (0..shortest).take_while(|at| is_same([*at, *at])).count();
    let back = |at: usize| [lines[0].len() - 1 - at, lines[1].len() - 1 - at];
    let tail = (0..shortest - head)
        .take_while(|at| is_same(back(*at)))
        .count();
    let parts = [&lines[0], &lines[1]].map(|lines| lines[head..lines.len() - tail].join("\n"));
    let shared = parts[0].chars().zip(parts[1].chars());
    let n_shared = shared.take_while(|(one, other)| one == other).count();
    let skipped = n_shared.saturating_sub(CONTEXT);
    parts.map(|part| {
        let rest: String = part.chars().skip(skipped).collect();
        if skipped > 0 {
            format!("…{rest}")
        } else {
            rest
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(before: &str, after: &str, want: [&str; 3]) {
        let (before, after, note) = both(&before.into(), &after.into());
        assert_eq!([before.as_str(), after.as_str(), note], want);
    }

    #[test]
    fn the_part_that_differs_is_shown() {
        check("a", "b", ["\"a\"", "\"b\"", ""]);
        let script = |line: &str| format!("#!/bin/sh\nset -e\n{line}\necho done\n");
        check(
            &script("run one"),
            &script("run two"),
            ["\"run one\"", "\"run two\"", ""],
        );
        check(
            &script("run one"),
            "#!/bin/sh\nset -e\necho done\n",
            ["\"run one\"", "\"\"", ""],
        );
        let long = |end: &str| format!("{}{end}", "x".repeat(200));
        check(
            &long("one"),
            &long("two"),
            [
                "\"…xxxxxxxxxxxxxxxxxxxxone\"",
                "\"…xxxxxxxxxxxxxxxxxxxxtwo\"",
                "",
            ],
        );
    }

    #[test]
    fn base64_is_decoded_and_a_secret_in_it_is_masked() {
        // `#!/bin/sh\nrun one\n`, `#!/bin/sh\nrun two\n`, and a line with `https://app:hunter2@h/`.
        let [one, two] = ["IyEvYmluL3NoCnJ1biBvbmUK", "IyEvYmluL3NoCnJ1biB0d28K"];
        check(one, two, ["\"run one\"", "\"run two\"", "in base64"]);
        let secret = "IyEvYmluL3NoCmN1cmwgaHR0cHM6Ly9hcHA6aHVudGVyMkBoLwo=";
        let (_, after, _) = both(&one.into(), &secret.into());
        assert_eq!(after, "[likely secret]");
        check(
            one,
            "plain text",
            [&format!("{one:?}"), "\"plain text\"", ""],
        );
    }
}
