//! Escaping texts for display: nothing may move the cursor, change the terminal or hide.

use std::fmt::{self, Write};
use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

/// Writes `text` with every character that could move a terminal's cursor, change its state or hide text made visible: C0, C1 and
/// DEL, line and paragraph separators, bidirectional controls and invisible characters become `\u{…}` (`\n`, `\t`, `\r` their
/// short forms). Invisible characters that are part of an emoji stay.
pub fn escape_into(out: &mut impl Write, text: &str) -> fmt::Result {
    escape(out, text, |_| false)
}

/// `text` as [`escape_into`] writes it.
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    // Writing to a `String` cannot fail.
    _ = escape_into(&mut out, text);
    out
}

/// Like [`escaped`], but line breaks and tabs stay.
pub fn escaped_lines(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    // Writing to a `String` cannot fail.
    _ = escape(&mut out, text, |char| matches!(char, '\n' | '\t'));
    out
}

fn escape(out: &mut impl Write, text: &str, stays: impl Fn(char) -> bool) -> fmt::Result {
    let mut rest = 0;
    for emoji in emoji(text) {
        escape_all(out, &text[rest..emoji.start], &stays)?;
        out.write_str(&text[emoji.clone()])?;
        rest = emoji.end;
    }
    escape_all(out, &text[rest..], &stays)
}

fn escape_all(out: &mut impl Write, text: &str, stays: &impl Fn(char) -> bool) -> fmt::Result {
    let mut rest = text;
    let is_escaped = |char: char| is_unsafe_to_show(char) && !stays(char);
    while let Some(at) = rest.find(is_escaped) {
        let (plain, behind) = rest.split_at(at);
        out.write_str(plain)?;
        let mut chars = behind.chars();
        match chars.next() {
            Some('\n') => out.write_str("\\n")?,
            Some('\t') => out.write_str("\\t")?,
            Some('\r') => out.write_str("\\r")?,
            Some('\u{1b}') => out.write_str("␛")?,
            Some(char) => write!(out, "\\u{{{:x}}}", u32::from(char))?,
            None => {}
        }
        rest = chars.as_str();
    }
    out.write_str(rest)
}

/// The emoji in `text` that contain an invisible character: joined ones, and those with a variation selector.
fn emoji(text: &str) -> impl Iterator<Item = Range<usize>> {
    // Source: Unicode Technical Standard #51, "emoji_zwj_sequence" and "emoji_presentation_sequence".
    static EMOJI: LazyLock<Regex> = LazyLock::new(|| {
        let element = r"\p{Extended_Pictographic}(?:\x{FE0F}|\p{Emoji_Modifier})?";
        let pattern = format!(r"{element}(?:\x{{200D}}{element})*|[0-9#*]\x{{FE0F}}\x{{20E3}}");
        Regex::new(&pattern).expect("the pattern is a constant")
    });
    let is_wanted = text.contains(['\u{200d}', '\u{fe0f}']);
    let found = is_wanted.then(|| EMOJI.find_iter(text));
    found.into_iter().flatten().map(|found| found.range())
}

/// True if `char` must not reach a terminal unescaped, unless it is part of an emoji. This is the only such list; see
/// [`escape_into`].
///
/// # Source
///
/// Unicode 16.0, `DerivedCoreProperties.txt`: `Default_Ignorable_Code_Point`; also controls, separators and annotations.
pub fn is_unsafe_to_show(char: char) -> bool {
    char.is_control()
        || matches!(char,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}'
            | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn escaped(text: &str) -> String {
        let mut out = String::new();
        escape_into(&mut out, text).unwrap();
        out
    }

    #[test]
    fn no_code_point_hides() {
        let hidden = Regex::new(r"^[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Zl}\p{Zp}]$").unwrap();
        let mut n_hidden = 0;
        for char in '\0'..=char::MAX {
            let text = char.to_string();
            let is_hidden = hidden.is_match(&text);
            n_hidden += u32::from(is_hidden);
            assert!(
                is_unsafe_to_show(char) || !is_hidden,
                "{:x}",
                u32::from(char)
            );
            // Between letters, and after an emoji that it does not belong to.
            for text in [format!("a{char}b"), format!("\u{2764}{char}{char}x")] {
                let shown = escaped(&text);
                let n_shown = shown.chars().filter(|it| *it == char).count();
                let n_most = usize::from(char == '\u{fe0f}' && text.starts_with('\u{2764}'));
                assert!(!is_hidden || n_shown <= n_most, "{shown:?}");
            }
        }
        assert!(n_hidden > 4_000);
    }

    #[test]
    fn emoji_stay_whole_and_hide_nothing() {
        for text in [
            "\u{2764}\u{fe0f}",
            "\u{1f469}\u{200d}\u{1f680}",
            "\u{1f469}\u{1f3fd}\u{200d}\u{2764}\u{fe0f}\u{200d}\u{1f468}",
            "1\u{fe0f}\u{20e3}",
            "\u{1f1eb}\u{1f1f7}",
        ] {
            assert_eq!(escaped(text), text);
        }
        for (text, want) in [
            ("a\u{200d}b", r"a\u{200d}b"),
            ("\u{1f469}\u{200d}", "\u{1f469}\\u{200d}"),
            ("\u{200d}\u{1f469}", "\\u{200d}\u{1f469}"),
            ("\u{2764}\u{fe0f}\u{fe0f}", "\u{2764}\u{fe0f}\\u{fe0f}"),
            ("\u{2764}\u{fe0e}", "\u{2764}\\u{fe0e}"),
            ("1\u{fe0f}", r"1\u{fe0f}"),
            // A flag followed by tags may hold any text.
            ("\u{1f3f4}\u{e0067}", "\u{1f3f4}\\u{e0067}"),
        ] {
            assert_eq!(escaped(text), want);
        }
    }

    #[test]
    fn lines_keep_their_breaks() {
        let shown = escaped_lines("a\n\tb\r\u{2764}\u{fe0f}\u{feff}");
        assert_eq!(shown, "a\n\tb\\r\u{2764}\u{fe0f}\\u{feff}");
    }
}
