//! Quoting for shells, Terraform expressions and Markdown.

use std::fmt::Write as _;

use crate::path::{Path, Segment};
use crate::terraform::address::quote_hcl;
use crate::text::is_unsafe_to_show;

/// `text` as one word of a POSIX shell. Control characters use the `$'…'` of bash and zsh, because a terminal would obey them
/// when the text is pasted.
pub fn shell(text: &str) -> String {
    if !text.chars().any(is_unsafe_to_show) {
        return format!("'{}'", text.replace('\'', r"'\''"));
    }
    let mut out = String::from("$'");
    for char in text.chars() {
        match char {
            '\'' => out.push_str(r"\'"),
            '\\' => out.push_str(r"\\"),
            '\n' => out.push_str(r"\n"),
            '\t' => out.push_str(r"\t"),
            _ if is_unsafe_to_show(char) => {
                let mut bytes = [0; 4];
                for byte in char.encode_utf8(&mut bytes).bytes() {
                    // Writing to a `String` cannot fail.
                    _ = write!(out, "\\x{byte:02x}");
                }
            }
            _ => out.push(char),
        }
    }
    out.push('\'');
    out
}

/// Adds the steps of `path` as in a Terraform expression: `.key` for an identifier, else `["…"]`.
///
/// Source: the syntax of HCL 2: identifiers, quoted templates (`${` and `%{` start a template unless doubled).
pub(super) fn traverse(out: &mut String, path: &Path) {
    for segment in &path.0 {
        match segment {
            Segment::Key(key) if is_identifier(key) => {
                out.push('.');
                out.push_str(key);
            }
            Segment::Key(key) => {
                out.push('[');
                out.push_str(&quote_hcl(key, |char| !is_unsafe_to_show(char)));
                out.push(']');
            }
            Segment::Index(index) => {
                // Writing to a `String` cannot fail.
                _ = write!(out, "[{index}]");
            }
        }
    }
}

fn is_identifier(key: &str) -> bool {
    let mut chars = key.chars();
    chars
        .next()
        .is_some_and(|first| first.is_ascii_alphabetic() || first == '_')
        && chars.all(|char| char.is_ascii_alphanumeric() || matches!(char, '_' | '-'))
}
