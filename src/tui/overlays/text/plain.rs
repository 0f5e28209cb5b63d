//! A plain text of any size as rows. A row is made when it is shown, so that a text of 100 MB opens at once.

use zeroize::{Zeroize as _, Zeroizing};

use crate::tui::rows::{Span, shown};
use crate::tui::theme::Role;
use crate::tui::widgets::pen::width_of;
use crate::tui::widgets::text::prefix;

/// Maximum width of a row, in cells. Longer lines continue on the next row, so that all of them can be reached by scrolling.
const MAX_WIDTH: usize = 200;

/// Number of rows whose widths are measured. A text of more rows is a page.
const MAX_MEASURED: usize = 200;

/// A text, and the places of its rows in it. A secret is zeroed when it is dropped. Zeroing another text would only take time: a
/// pause when 100 MB are closed.
#[derive(Debug)]
pub(super) struct PlainText {
    text: String,
    is_secret: bool,
    /// The byte offset of each row.
    starts: Vec<usize>,
}

impl Drop for PlainText {
    fn drop(&mut self) {
        if self.is_secret {
            self.text.zeroize();
        }
    }
}

impl PlainText {
    /// The rows of a text.
    pub(super) fn new(mut text: Zeroizing<String>, is_secret: bool) -> Self {
        let text = std::mem::take(&mut *text);
        let mut starts = Vec::new();
        let mut start = 0;
        let ends = memchr::memchr_iter(b'\n', text.as_bytes());
        for end in ends.chain([text.len()]) {
            starts.push(start);
            let mut rest = &text[start..end];
            while let Some(len) = cut(rest) {
                rest = &rest[len..];
                starts.push(end - rest.len());
            }
            start = end + 1;
        }
        Self {
            text,
            is_secret,
            starts,
        }
    }

    /// Number of rows.
    pub(super) fn n_rows(&self) -> usize {
        self.starts.len()
    }

    /// Width of the widest row, or more.
    pub(super) fn width(&self) -> usize {
        if self.n_rows() > MAX_MEASURED {
            return MAX_WIDTH;
        }
        let widths = (0..self.n_rows()).map(|row| width_of(&self.row(row)));
        widths.max().unwrap_or(0)
    }

    /// A row. Tabs become four blanks. Characters that are unsafe to show are made visible.
    pub(super) fn row(&self, row: usize) -> Vec<Span> {
        let Some(start) = self.starts.get(row).copied() else {
            return Vec::new();
        };
        let end = self.starts.get(row + 1).copied();
        let text = &self.text[start..end.unwrap_or(self.text.len())];
        // A line break ends the text of a row that no other row continues.
        let text = text
            .strip_suffix('\n')
            .filter(|_| end.is_some())
            .unwrap_or(text);
        let text = text.strip_suffix('\r').unwrap_or(text);
        let blanks = Zeroizing::new(text.replace('\t', "    "));
        let text = Span::new(shown(&blanks), Role::Text);
        let is_start = start == 0 || self.text.as_bytes()[start - 1] == b'\n';
        if is_start {
            vec![text]
        } else {
            vec![Span::new("↪", Role::Dim), text]
        }
    }
}

/// Number of bytes of a line that go on its first row. `None` if all of them do.
fn cut(line: &str) -> Option<usize> {
    if line.len() <= MAX_WIDTH {
        return None;
    }
    // Letters of ASCII take a cell each, so they need no measuring.
    let len = if line.as_bytes()[..=MAX_WIDTH].is_ascii() {
        MAX_WIDTH
    } else {
        prefix(line, MAX_WIDTH).len()
    };
    Some(len).filter(|len| (1..line.len()).contains(len))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(text: &str) -> Vec<String> {
        let text = PlainText::new(Zeroizing::new(text.to_owned()), false);
        let row = |row| {
            let spans = text.row(row);
            spans.iter().map(|span| &*span.text).collect()
        };
        (0..text.n_rows()).map(row).collect()
    }

    #[test]
    fn every_line_is_a_row_and_a_long_one_continues() {
        assert_eq!(rows(""), [""]);
        assert_eq!(rows("a\r\n\tb\n"), ["a", "    b", ""]);
        let long = rows(&format!("{}\nend", "x".repeat(401)));
        assert_eq!(long.len(), 4);
        assert_eq!(long[0], "x".repeat(200));
        assert_eq!(long[1], format!("↪{}", "x".repeat(200)));
        assert_eq!(long[2..], ["↪x", "end"]);
        // No character is cut in two, and wide ones take two cells.
        let wide = rows(&"語".repeat(150));
        assert_eq!(wide, ["語".repeat(100), format!("↪{}", "語".repeat(50))]);
        assert_eq!(rows(&"x".repeat(200)).len(), 1);
    }

    #[test]
    fn nothing_of_a_text_is_lost() {
        let text = "é\t\u{7}\n".repeat(150) + &"家族👨‍👩‍👧 ".repeat(300);
        let joined: String = rows(&text)
            .iter()
            .map(|row| row.trim_start_matches('↪'))
            .collect();
        assert_eq!(joined, shown(&text.replace('\t', "    ").replace('\n', "")));
    }
}
