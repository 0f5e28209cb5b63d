//! Literals in expressions.

use std::borrow::Cow;
use std::ops::Range;

use crate::terraform::quoting::escape;

/// The notation of a literal.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Form {
    /// In quotes, with `\n` and `$${`.
    Quoted,
    /// In a heredoc, with `$${`.
    Heredoc,
    /// In the quotes of JSON. A template in it is part of the literal.
    Json,
    /// A number.
    Number,
    /// `true` or `false`.
    Bool,
}

impl Form {
    /// True if it is a text.
    pub fn is_text(self) -> bool {
        matches!(self, Self::Quoted | Self::Heredoc | Self::Json)
    }
}

/// A literal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Literal<'t> {
    /// Its byte range, without the quotes.
    pub span: Range<usize>,
    /// The text as written.
    pub text: &'t str,
    /// The notation.
    pub form: Form,
    /// The innermost key around the literal inside the expression: `b` for `1` in `{ a = { b = [1] } }`.
    pub key: Option<Cow<'t, str>>,
    /// True if it is inside the arguments of `sensitive(…)`.
    pub is_sensitive: bool,
}

impl<'t> Literal<'t> {
    /// The literal at `span` in `text`, without a key.
    pub fn new(text: &'t str, span: Range<usize>, form: Form) -> Self {
        Self {
            text: &text[span.clone()],
            span,
            form,
            key: None,
            is_sensitive: false,
        }
    }

    /// The value with its escapes resolved. Invalid escapes stay as they are.
    pub fn decode(&self) -> Cow<'t, str> {
        match self.form {
            Form::Quoted => unescape(self.text, true),
            Form::Heredoc => unescape(self.text, false),
            Form::Json => decode_json(self.text),
            Form::Number | Form::Bool => Cow::Borrowed(self.text),
        }
    }

    /// Length in bytes, with the quotes.
    pub(super) fn outer_len(&self) -> usize {
        let n_quotes = match self.form {
            Form::Quoted | Form::Json => 2,
            Form::Heredoc | Form::Number | Form::Bool => 0,
        };
        self.span.len() + n_quotes
    }
}

/// Decodes a JSON string, given without its quotes. A string that cannot be decoded is returned unchanged.
fn decode_json(text: &str) -> Cow<'_, str> {
    if !text.contains('\\') {
        return Cow::Borrowed(text);
    }
    let quoted = format!("\"{text}\"");
    let mut reader = crate::json::Reader::new(quoted.as_bytes());
    match reader.next() {
        Ok(Some(crate::json::Token::String(decoded))) => {
            Cow::Owned(decoded.decode_lossy().into_owned())
        }
        _ => Cow::Borrowed(text),
    }
}

/// The value of a heredoc, given the literals in it; `None` if it has interpolations or is not a heredoc.
pub(super) fn heredoc(text: &str, literals: &[Literal<'_>]) -> Option<String> {
    let (opening, rest) = text.strip_prefix("<<")?.split_once('\n')?;
    let written = match literals {
        [only] if only.form == Form::Heredoc => only.text,
        [] => "",
        _ => return None,
    };
    let name = opening.trim().trim_start_matches('-');
    let is_whole = rest.strip_prefix(written)?.trim() == name;
    is_whole.then(|| {
        if opening.starts_with('-') {
            unescape(&flush(written), false).into_owned()
        } else {
            unescape(written, false).into_owned()
        }
    })
}

/// Removes the indentation that all lines of a `<<-` heredoc share. Blank lines do not count and are kept.
///
/// # Source
///
/// hashicorp/hcl v2 `hclsyntax/parser_template.go`, `flushHeredocTemplateParts`.
fn flush(text: &str) -> String {
    let n_blanks = |line: &str| line.chars().take_while(|char| char.is_whitespace()).count();
    let is_blank = |line: &str| line.trim().is_empty() && line.ends_with('\n');
    let lines = || text.split_inclusive('\n');
    let n_common = lines().filter(|line| !is_blank(line)).map(n_blanks).min();
    let n_common = n_common.unwrap_or_default();
    let flushed = |line: &str| -> String {
        let n_cut = if is_blank(line) { 0 } else { n_common };
        line.chars().skip(n_cut).collect()
    };
    lines().map(flushed).collect()
}

fn unescape(text: &str, with_backslashes: bool) -> Cow<'_, str> {
    if !text.contains(['\\', '$', '%']) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['\\', '$', '%']) {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let (meant, length) = if with_backslashes && rest.starts_with('\\') {
            escape(rest)
        } else if rest.starts_with("$${") || rest.starts_with("%%{") {
            (rest[1..].chars().next(), 2)
        } else {
            (None, 0)
        };
        if let Some(char) = meant {
            out.push(char);
            rest = &rest[length..];
        } else {
            // One character unchanged. It is ASCII.
            out.push_str(&rest[..1]);
            rest = &rest[1..];
        }
    }
    out.push_str(rest);
    Cow::Owned(out)
}
