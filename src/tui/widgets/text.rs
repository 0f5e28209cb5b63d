//! Text measured in terminal cells.

use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

pub use crate::text::{count, plural};

/// Ten cells of which as many are filled as there are tenths done.
pub fn tenths(done: u64, all: u64) -> String {
    let filled = done.min(all).saturating_mul(10) / all.max(1);
    let filled = usize::try_from(filled).unwrap_or(10);
    "▓".repeat(filled) + &"░".repeat(10 - filled)
}

/// `3 of 1,200`.
pub fn n_of(n: usize, all: usize) -> String {
    format!("{} of {}", count(n as u64), count(all as u64))
}

/// Width of `text`, in cells.
pub fn width(text: &str) -> usize {
    if text.is_ascii() {
        text.len()
    } else {
        text.width()
    }
}

/// A duration: `8 s`, `2 min 5 s`, `1 h 3 min`.
pub fn time(seconds: u64) -> String {
    match (seconds / 3_600, seconds / 60 % 60, seconds % 60) {
        (0, 0, seconds) => format!("{seconds} s"),
        (0, minutes, seconds) => format!("{minutes} min {seconds} s"),
        (hours, minutes, _) => format!("{hours} h {minutes} min"),
    }
}

/// The part of `text` that fits in `room` terminal cells, cut between graphemes, with `…` if anything is missing.
///
/// Returns "" if `room` is 0. Wide characters count 2 cells.
pub fn fit(text: &str, room: usize) -> String {
    if width(text) <= room {
        return text.to_owned();
    }
    if room == 0 {
        return String::new();
    }
    let mut fitting = prefix(text, room - 1).to_owned();
    fitting.push('…');
    fitting
}

/// A text with blanks up to a width.
pub fn padded(text: &str, room: usize) -> String {
    let blanks = " ".repeat(room.saturating_sub(width(text)));
    format!("{text}{blanks}")
}

/// The words of `text` that fit, with `…` if anything is missing. A word with a number in it is never cut: part of a count is another
/// count.
pub fn fit_counts(text: &str, room: usize) -> String {
    let fitting = fit(text, room);
    let Some(start) = fitting.strip_suffix('…').filter(|_| width(text) > room) else {
        return fitting;
    };
    let word = start.len() - start.rsplit(' ').next().map_or(0, str::len);
    let rest = text[word..].split(' ').next().unwrap_or_default();
    let is_count = rest.len() > start.len() - word && rest.contains(|it: char| it.is_ascii_digit());
    if is_count {
        format!("{}…", &start[..word])
    } else {
        fitting
    }
}

/// The longest end of `text` that fits, with `…` in front if anything is missing.
pub fn fit_end(text: &str, room: usize) -> String {
    if width(text) <= room {
        return text.to_owned();
    }
    let mut start = text.len();
    let mut used = 1;
    for (index, grapheme) in text.grapheme_indices(true).rev() {
        used += width(grapheme);
        if used > room {
            break;
        }
        start = index;
    }
    if room == 0 {
        String::new()
    } else {
        format!("…{}", &text[start..])
    }
}

/// The start and the end of `text`, with `…` between them if anything is missing. Both parts are about equally wide.
pub fn fit_middle(text: &str, room: usize) -> String {
    if width(text) <= room {
        return text.to_owned();
    }
    let Some(kept) = room.checked_sub(1) else {
        return String::new();
    };
    let start = prefix(text, kept.div_ceil(2));
    format!("{start}{}", fit_end(text, room - width(start)))
}

/// The longest start of `text` that takes at most `room` cells.
pub fn prefix(text: &str, room: usize) -> &str {
    let mut used = 0;
    for (index, grapheme) in text.grapheme_indices(true) {
        used += width(grapheme);
        if used > room {
            return &text[..index];
        }
    }
    text
}

/// Number of bytes of the first line of a text that is wrapped between words. A word that is longer than a line is cut.
pub fn line_end(text: &str, room: usize) -> usize {
    let mut cut = prefix(text, room.max(1));
    if cut.is_empty() {
        // A wide character cannot be shown in a single column, but the text must go on.
        cut = text.graphemes(true).next().unwrap_or(text);
    }
    let behind = &text[cut.len()..];
    if behind.is_empty() || behind.starts_with(' ') {
        return cut.len();
    }
    let end = cut
        .trim_end_matches(|char| char != ' ')
        .trim_end_matches(' ');
    if end.is_empty() {
        cut.len()
    } else {
        cut.rfind(' ').unwrap_or(cut.len())
    }
}

/// Wraps prose into lines of at most `room` cells, broken between words. A longer word is cut. The space at a break is left out.
pub fn wrap_words(text: &str, room: usize) -> Vec<&str> {
    let mut lines = Vec::new();
    let mut rest = text;
    loop {
        let line = &rest[..line_end(rest, room)];
        lines.push(line);
        rest = &rest[line.len()..];
        if rest.is_empty() {
            return lines;
        }
        rest = rest.strip_prefix(' ').unwrap_or(rest);
    }
}

/// A length in cells, in the type that the terminal uses. A length that does not fit becomes `u16::MAX`.
pub fn cells(number: usize) -> u16 {
    u16::try_from(number).unwrap_or(u16::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_cut_between_graphemes() {
        assert_eq!(fit("abc", 3), "abc");
        assert_eq!(fit("abcd", 3), "ab…");
        assert_eq!(fit("日本語", 4), "日…");
        assert_eq!(fit("abc", 0), "");
        assert_eq!(fit_counts("-1 ±21 ~12", 10), "-1 ±21 ~12");
        assert_eq!(fit_counts("-1 ±21 ~12", 9), "-1 ±21 …");
        assert_eq!(fit_counts("-1 ±21 ~12", 7), "-1 ±21…");
        assert_eq!(fit_counts("-1 ±21 ~12", 6), "-1 …");
        assert_eq!(fit_counts("1,234", 4), "…");
        assert_eq!(fit_counts("needs more", 8), "needs m…");
        assert_eq!(fit_end("abcdef", 4), "…def");
        assert_eq!(fit_middle("prod-1.tfstate", 9), "prod…tate");
        assert_eq!(fit_middle("prod", 4), "prod");
        assert_eq!(fit_middle("prod", 1), "…");
        assert_eq!(fit_middle("prod", 0), "");
        assert_eq!(wrap_words("", 5), [""]);
        assert_eq!(wrap_words("told from sets", 8), ["told", "from", "sets"]);
        assert_eq!(wrap_words("from sets", 4), ["from", "sets"]);
        assert_eq!(wrap_words("lengthy a", 3), ["len", "gth", "y a"]);
    }
}
