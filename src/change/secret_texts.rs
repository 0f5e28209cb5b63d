//! Secret texts: the texts of secret values, and the messages that repeat one.
//!
//! A message may repeat a secret in part or in another form. [`each_text`] takes a secret apart: its lines, the texts of an asset,
//! those of JSON in it. [`Filter`] undoes the forms that messages have: escapes of JSON, base64.

use std::borrow::Cow;
use std::collections::BTreeSet;

use aho_corasick::{AhoCorasick, AhoCorasickKind, Match, MatchKind};

use crate::json::{self, Numbers, Str};
use crate::path::children;
use crate::secrets;
use crate::value::{Payload, Value};

/// Minimum number of characters of a secret that is masked as part of a text. A shorter one is masked only as a whole text,
/// because it may be part of anything.
pub(crate) const MIN_CONTAINED: usize = 6;

/// Minimum length of a run of characters that is decoded as base64.
const MIN_BASE64: usize = 8;

/// Calls `take` with each text of `value`, and whether it is secret. A secret text comes whole and in parts: without the space
/// around it, its long lines, and the texts in it if it is JSON. A secret number of [`MIN_CONTAINED`] digits is a text, too.
pub(crate) fn each_text(value: &Value, take: &mut dyn FnMut(Cow<'_, str>, bool)) {
    // JSON in a secret text; not by recursion, which the text of a file could make deep.
    let mut inner = Vec::new();
    each_below(value, false, take, &mut inner);
    while let Some(value) = inner.pop() {
        each_below(&value, true, take, &mut inner);
    }
}

fn each_below(
    value: &Value,
    is_secret: bool,
    take: &mut dyn FnMut(Cow<'_, str>, bool),
    inner: &mut Vec<Value>,
) {
    let is_secret = is_secret || value.is_secret();
    match value.payload() {
        Payload::String(text) if is_secret => each_part(&text.to_str_lossy(), take, inner),
        Payload::String(text) => take(text.to_str_lossy(), false),
        Payload::Number(number) if is_secret => {
            let printed = number.to_string();
            let digits = printed.trim_start_matches('-');
            if digits.len() >= MIN_CONTAINED && digits.bytes().all(|byte| byte.is_ascii_digit()) {
                take(Cow::Borrowed(digits), true);
            }
        }
        _ => {
            if let Some(fields) = value.fields() {
                each_below(&fields, is_secret, take, inner);
            }
        }
    }
    for (_, below) in children(value) {
        each_below(below, is_secret, take, inner);
    }
}

/// Takes a secret text and its parts. JSON in it goes to `inner`.
fn each_part(text: &str, take: &mut dyn FnMut(Cow<'_, str>, bool), inner: &mut Vec<Value>) {
    take(Cow::Borrowed(text), true);
    let trimmed = text.trim();
    if trimmed.len() < text.len() {
        take(Cow::Borrowed(trimmed), true);
    }
    if trimmed.contains('\n') {
        // The lines of a text may be indented elsewhere.
        let lines = trimmed.lines().map(str::trim);
        let long = lines.filter(|line| is_long(line));
        long.for_each(|line| take(Cow::Borrowed(line), true));
    }
    if trimmed.starts_with(['{', '[', '"'])
        && let Ok(parsed) = json::parse(trimmed.as_bytes(), Numbers::Exact)
    {
        inner.push(parsed.value);
    }
}

fn is_long(text: &str) -> bool {
    text.chars().take(MIN_CONTAINED).count() == MIN_CONTAINED
}

/// Finds secret texts inside other texts.
pub(crate) struct Finder(AhoCorasick);

impl Finder {
    /// A finder for those of `texts` that are long enough; `None` if there are more than it can search for.
    pub(crate) fn new<'t>(texts: impl Iterator<Item = &'t str>) -> Option<Self> {
        let long: BTreeSet<&str> = texts.filter(|text| is_long(text)).collect();
        // A DFA takes longer to build than the texts take to be searched.
        let builder = AhoCorasick::builder()
            .kind(Some(AhoCorasickKind::ContiguousNFA))
            .match_kind(MatchKind::LeftmostLongest)
            .build(long);
        builder.ok().map(Self)
    }

    /// True if `text` contains a secret text.
    pub(crate) fn is_in(&self, text: &str) -> bool {
        self.0.is_match(text)
    }

    /// The secret texts in `text`.
    pub(crate) fn find_iter<'t>(&'t self, text: &'t str) -> impl Iterator<Item = Match> + 't {
        self.0.find_iter(text)
    }
}

/// The texts that a message holds in another form: the message without the escapes of JSON, and the text of each run of base64.
pub(crate) fn decoded(message: &str) -> Vec<String> {
    let mut found = Vec::new();
    if message.contains('\\') {
        let plain = Str::of_raw(message.as_bytes());
        found.push(plain.decode_lossy().into_owned());
    }
    let is_digit = |byte: &u8| byte.is_ascii_alphanumeric() || b"+/".contains(byte);
    let runs = message.as_bytes().split(|byte| !is_digit(byte));
    let long = runs.filter(|run| run.len() >= MIN_BASE64);
    let bytes = long.filter_map(secrets::base64_unpadded);
    found.extend(bytes.filter_map(|bytes| String::from_utf8(bytes).ok()));
    found
}

/// Secrets to hide in other values.
pub(crate) trait Filter {
    /// True if there are no secrets.
    fn is_empty(&self) -> bool;

    /// True if the value of every attribute with this name is secret.
    fn hides_attribute(&self, name: &str) -> bool;

    /// True if `text` is one of the secrets, or contains one that is long enough to rule out chance.
    fn has_in(&mut self, text: &str) -> bool;

    /// Like [`Filter::has_in`], also for the texts that a message holds in another form.
    fn are_in(&mut self, message: &str) -> bool {
        !self.is_empty()
            && (self.has_in(message) || decoded(message).iter().any(|text| self.has_in(text)))
    }

    /// `value`, which belongs to the attribute `name` if it has one, with the parts masked that repeat a secret.
    fn hide(&mut self, name: Option<&str>, value: &Value) -> Value {
        if name.is_some_and(|name| self.hides_attribute(name)) && !value.is_null() {
            return value.clone().with_secret(true);
        }
        if let Payload::String(text) = value.payload() {
            let is_secret = value.is_secret() || self.are_in(&text.to_str_lossy());
            return value.clone().with_secret(is_secret);
        }
        value.with_parts(|key, it| self.hide(key.map(|key| &**key), it))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::{Asset, Map};

    #[track_caller]
    fn check(secret: Value, want: &[&str]) {
        let mut found = Vec::new();
        let value = Value::from(vec![Value::from("open"), secret.with_secret(true)]);
        each_text(&value, &mut |text, is_secret| {
            if is_secret {
                found.push(text.into_owned());
            }
        });
        assert_eq!(found, want);
    }

    #[test]
    fn a_secret_is_taken_apart() {
        check("hunter22".into(), &["hunter22"]);
        check(" abc1\n".into(), &[" abc1\n", "abc1"]);
        check(
            "BEGIN KEY\n  AAAABBBB\nC\n".into(),
            &[
                "BEGIN KEY\n  AAAABBBB\nC\n",
                "BEGIN KEY\n  AAAABBBB\nC",
                "BEGIN KEY",
                "AAAABBBB",
            ],
        );
        let json = r#"{"user": "bob", "pin": [123456, 12345, 1.5], "more": "[\"deep\"]"}"#;
        check(json.into(), &[json, "bob", "123456", r#"["deep"]"#, "deep"]);
        check(r#""quoted""#.into(), &[r#""quoted""#, "quoted"]);
        check("{not JSON}".into(), &["{not JSON}"]);
        check(Value::from(-123_456_789.0), &["123456789"]);
        check(Value::from(1.5), &[]);
    }

    #[test]
    fn the_text_of_an_asset_is_taken() {
        let asset = Asset {
            text: Some("in-asset".into()),
            ..Asset::default()
        };
        let map = Map::from_iter([("a", Value::new(Payload::Asset(asset.into())))]);
        check(map.into(), &["in-asset"]);
    }

    #[test]
    fn the_encoded_texts_of_a_message_are_found() {
        assert_eq!(decoded("plain words here"), Vec::<String>::new());
        assert_eq!(decoded(r#"sent {"p":"a\"b"}"#), [r#"sent {"p":"a"b"}"#]);
        assert_eq!(decoded("auth cGFzc3dvcmQx"), ["password1"]);
        assert_eq!(decoded("Basic dXNlcjpwYXNzd29yZDI= no"), ["user:password2"]);
    }
}
