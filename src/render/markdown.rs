//! Pieces of Markdown that hold any text without becoming markup.

/// `text` as code within a line. A text with backticks stands between more of them.
pub fn code(text: &str) -> String {
    if text.trim().is_empty() {
        return String::new();
    }
    let ticks = "`".repeat(longest_run(text) + 1);
    let blank = if text.starts_with('`') || text.ends_with('`') {
        " "
    } else {
        ""
    };
    format!("{ticks}{blank}{text}{blank}{ticks}")
}

/// `text` inside a cell of a table.
pub fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

/// The fence around a block of code that holds `body`: longer than any in it.
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
        assert_eq!(code("a``b`"), "``` a``b` ```");
        assert_eq!(code(" "), "");
        assert_eq!(fence("a"), "```");
        assert_eq!(fence("````\n"), "`````");
        assert_eq!(cell("a|b"), "a\\|b");
    }
}
