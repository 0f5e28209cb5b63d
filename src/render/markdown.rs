//! Pieces of Markdown that hold any text without becoming markup.
//!
//! Texts of a file are written as code: everywhere else, hosts look for links, mentions and references to issues.

use crate::change::difference::Action;
use crate::text::escaped;

/// The first letter of a line of a difference, by which a viewer colors it. There is only `!` for an update.
pub fn colored_sign(action: Action) -> &'static str {
    match action {
        Action::Update => "!",
        Action::Same | Action::Create | Action::Delete => action.sign(),
    }
}

/// `text` as code within a line, with control characters and line breaks made visible. A text with backticks is fenced by a
/// longer run of them. A text of spaces only gives nothing.
pub fn code(text: &str) -> String {
    let text = escaped(text);
    if text.trim().is_empty() {
        return String::new();
    }
    let ticks = "`".repeat(longest_run(&text) + 1);
    let blank = if text.starts_with('`') || text.ends_with('`') {
        " "
    } else {
        ""
    };
    format!("{ticks}{blank}{text}{blank}{ticks}")
}

/// `text` as code inside a cell of a table, where a bar ends the cell even in code.
///
/// A backslash escapes a bar. After another backslash only some hosts accept that, so there the bar is written as an escape.
pub fn cell(text: &str) -> String {
    code(&text.replace("\\|", "\\\\u{7c}")).replace('|', "\\|")
}

/// `text` as it is if it is nothing but words, else as code. Words cannot be markup, a link, a mention, a reference or a commit.
pub fn prose(text: &str) -> String {
    let is_plain = |word: &str| {
        let word = word.trim_matches(['(', ')', ',', ';', '\'']);
        let is_text = word
            .chars()
            .all(|char| char.is_ascii_lowercase() || char == '-');
        let is_number = word.len() < 7 && word.chars().all(|char| char.is_ascii_digit());
        is_text && !word.starts_with('-') && !word.ends_with('-') || is_number
    };
    let starts_with_mark = text.starts_with(['(', ')', ',', ';', '\'']);
    let is_ordered_list = text.starts_with(|char: char| char.is_ascii_digit());
    if text.split(' ').all(is_plain) && !starts_with_mark && !is_ordered_list {
        text.to_owned()
    } else {
        code(text)
    }
}

/// `text` as code inside HTML.
pub fn html_code(text: &str) -> String {
    let text = escaped(text)
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;");
    format!("<code>{text}</code>")
}

/// The fence around a block of code that holds `body`: longer than any run of backticks in it.
pub fn fence(body: &str) -> String {
    "`".repeat((longest_run(body) + 1).max(3))
}

/// The length of the longest run of backticks.
fn longest_run(text: &str) -> usize {
    text.split(|char| char != '`')
        .map(str::len)
        .max()
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_ends_its_code() {
        assert_eq!(code("a"), "`a`");
        assert_eq!(code("a``b"), "```a``b```");
        assert_eq!(code("a``b`"), "``` a``b` ```");
        assert_eq!(code("`"), "`` ` ``");
        assert_eq!(code("a\nb"), "`a\\nb`");
        assert_eq!(code(" "), "");
        assert_eq!(fence("a"), "```");
        assert_eq!(fence("````\n"), "`````");
        assert_eq!(cell("a|b"), "`a\\|b`");
        assert_eq!(cell("a\\|b"), "`a\\\\u{7c}b`");
        assert_eq!(
            prose("logs are deleted sooner (or later)"),
            "logs are deleted sooner (or later)"
        );
        for text in [
            "@team fails",
            "a *b*",
            "see https://a",
            "www.a",
            "GH-1",
            "a1b2c3d4",
            "<b>",
            "1. a",
            "12345678",
            "a - b",
        ] {
            assert_eq!(prose(text), code(text), "{text}");
        }
        assert_eq!(html_code("<img>&"), "<code>&lt;img&gt;&amp;</code>");
    }
}
