//! Values and lists as plain text for the printing commands. Every text is escaped, every secret masked.

use std::fmt::Write as _;

use unicode_width::UnicodeWidthStr as _;

use crate::json;
use crate::text::{escaped, escaped_lines};
use crate::value::{Payload, SECRET, Shown, Value};

/// A value for a person: a string without quotes, a container as indented JSON, a secret as `[secret]`. An unknown value is
/// `unknown`, the words of the file's own tool.
pub fn value(value: &Value, unknown: &str) -> String {
    match value.shown() {
        Shown::Secret(mask) => mask.to_owned(),
        Shown::Plain(Payload::Sealed(_)) => SECRET.to_owned(),
        Shown::Plain(Payload::String(text)) => escaped_lines(&text.to_str_lossy()),
        Shown::Plain(Payload::Computed(_)) => unknown.to_owned(),
        Shown::Plain(_) => json::to_pretty(value),
    }
}

/// Like [`value`], but on one line.
pub fn line(of: &Value, unknown: &str) -> String {
    match of.shown() {
        Shown::Plain(Payload::String(text)) => escaped(&text.to_str_lossy()),
        Shown::Plain(Payload::Array(_) | Payload::Map(_)) => json::to_compact(of),
        _ => value(of, unknown),
    }
}

/// A time in seconds since 1970, in UTC: `2026-11-21 20:31`.
///
/// # Source
///
/// Howard Hinnant, `chrono`-Compatible Low-Level Date Algorithms, `civil_from_days`.
pub fn utc(seconds: u64) -> String {
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    // Years begin in March, so that a leap day is the last day of one.
    let days = days + 719_468;
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 {
        shifted_month + 3
    } else {
        shifted_month - 9
    };
    let year = era * 400 + year_of_era + u64::from(month <= 2);
    let (hour, minute) = (rest / 3_600, rest % 3_600 / 60);
    format!("{year}-{month:02}-{day:02} {hour:02}:{minute:02}")
}

/// A time span before now, in its largest unit: `5 min ago`, `3 h ago`, `12 days ago`.
pub fn ago(seconds: u64) -> String {
    const MINUTE: u64 = 60;
    const HOUR: u64 = 60 * MINUTE;
    const DAY: u64 = 24 * HOUR;
    match seconds {
        0..MINUTE => "just now".to_owned(),
        MINUTE..HOUR => format!("{} min ago", seconds / MINUTE),
        HOUR..172_800 => format!("{} h ago", seconds / HOUR),
        _ => format!("{} days ago", seconds / DAY),
    }
}

/// A number of bytes for a person: `412 B`, `1.2 KB`, `788 MB`, in steps of 1,000.
pub fn size(bytes: u64) -> String {
    const UNITS: [&str; 5] = ["KB", "MB", "GB", "TB", "PB"];
    if bytes < 1000 {
        return format!("{bytes} B");
    }
    // Tenths of the unit avoid floating point.
    let (mut tenths, mut unit) = (bytes / 100, 0);
    while tenths >= 10_000 && unit + 1 < UNITS.len() {
        tenths /= 1000;
        unit += 1;
    }
    if tenths < 100 {
        format!("{}.{} {}", tenths / 10, tenths % 10, UNITS[unit])
    } else {
        format!("{} {}", tenths / 10, UNITS[unit])
    }
}

/// `text` padded with spaces to `width` terminal cells; longer texts are not cut.
pub fn padded(text: &str, width: usize) -> String {
    let mut out = text.to_owned();
    for _ in text.width()..width {
        out.push(' ');
    }
    out
}

/// Rows of cells as aligned columns, with two spaces between them and none at the end of a line. Cells must be escaped.
///
/// A column is as wide as its widest cell, up to `max` terminal cells. Wider cells overflow their row.
pub fn columns<const N: usize>(rows: &[[String; N]], max: usize) -> String {
    columns_with(rows, max, |_, _, cell| cell.to_owned())
}

/// Like [`columns`]. `dress` returns a cell as it is written, by its row and column; the columns are as wide as without it.
pub fn columns_with<const N: usize>(
    rows: &[[String; N]],
    max: usize,
    dress: impl Fn(usize, usize, &str) -> String,
) -> String {
    let mut widths = [0; N];
    for row in rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(cell.width().min(max));
        }
    }
    let mut out = String::new();
    for (index, row) in rows.iter().enumerate() {
        let mut line = String::new();
        for (column, (cell, width)) in row.iter().zip(widths).enumerate() {
            if !line.is_empty() {
                line.push_str("  ");
            }
            line.push_str(&dress(index, column, cell));
            line.push_str(&" ".repeat(width.saturating_sub(cell.width())));
        }
        // Writing to a `String` cannot fail.
        _ = writeln!(out, "{}", line.trim_end());
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_in_utc() {
        assert_eq!(utc(0), "1970-01-01 00:00");
        assert_eq!(utc(951_782_340), "2000-02-28 23:59");
        assert_eq!(utc(951_782_400), "2000-02-29 00:00");
        assert_eq!(utc(1_796_083_199), "2026-11-30 23:59");
    }

    #[test]
    fn ages_have_one_unit() {
        for (seconds, want) in [
            (0, "just now"),
            (59, "just now"),
            (60, "1 min ago"),
            (3_599, "59 min ago"),
            (3_600, "1 h ago"),
            (172_799, "47 h ago"),
            (172_800, "2 days ago"),
            (31_536_000, "365 days ago"),
        ] {
            assert_eq!(ago(seconds), want);
        }
    }

    #[test]
    fn sizes_have_two_digits_or_more() {
        for (bytes, want) in [
            (0, "0 B"),
            (999, "999 B"),
            (1000, "1.0 KB"),
            (9999, "9.9 KB"),
            (10_000, "10 KB"),
            (999_999, "999 KB"),
            (1_000_000, "1.0 MB"),
            (788_000_000, "788 MB"),
            (u64::MAX, "18446 PB"),
        ] {
            assert_eq!(size(bytes), want);
        }
    }

    #[test]
    fn columns_are_aligned_and_not_padded_at_the_end() {
        let rows = [["a", "b", "c"], ["long", "日本", ""]].map(|row| row.map(str::to_owned));
        assert_eq!(columns(&rows, 10), "a     b     c\nlong  日本\n");
        assert_eq!(columns(&rows, 2), "a   b   c\nlong  日本\n");
    }

    #[test]
    fn control_characters_are_escaped_but_not_line_breaks() {
        let text = Value::from("one\n\ttwo\r\u{1b}[31m\u{202e}");
        assert_eq!(value(&text, "?"), "one\n\ttwo\\r␛[31m\\u{202e}");
        assert_eq!(value(&text.with_secret(true), "?"), "[secret]");
        assert_eq!(value(&Value::computed(), "?"), "?");
    }
}
