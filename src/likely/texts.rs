//! The secret parts of a text: what follows the name of a secret, in any notation, and what is packed in base64.
//!
//! A notation is not parsed as a whole. Every name in a text is looked at with the sign that follows it, so that a file of settings
//! is read at any depth of quotes, and although it is cut or holds templates.

use std::io::Read;
use std::ops::Range;
use std::sync::LazyLock;

use regex::bytes::Regex;

use super::file::{Look, WORDS};
use super::forms::compile;
use super::names::Names;
use super::plausible::{can_be, is_mixed, is_random};
use crate::text::head;

/// Maximum length of a text between a name and its value, in bytes.
const MAX_GAP: usize = 96;

/// Number of bytes of a value without quotes, of an element of XML or of a block of YAML that tell whether it is a secret: the end of
/// a longer one is looked for only then, so that each byte is looked at once.
const MAX_VALUE: usize = 1 << 10;

/// Maximum length of a name in a text, in bytes.
const MAX_NAME: usize = 128;

/// Minimum length of a run of base64 that is decoded.
const MIN_BASE64: usize = 16;

/// Minimum length of a line of base64 that goes on in the next line.
const MIN_LINE: usize = 40;

/// Maximum size of what is unpacked, in bytes.
const MAX_UNPACKED: usize = 1 << 20;

/// Maximum size of what is unpacked, in times of its packed size and bytes beyond it: work stays in proportion to the file.
const MAX_RATIO: (usize, usize) = (16, 1 << 12);

/// The key of a name whose value is beside it, at the end of the text before the name.
static NAMED: LazyLock<Regex> = LazyLock::new(|| {
    let keys = "name|key|variable|parameter_?key|parameter_?name|header|env|setting|property|field|option_?name|n";
    compile(&format!(
        r#"(?i)(?:^|[^a-z0-9])(?:(?:{keys})\\*["']?\s*[:=]\s*|(?:variable|parameter|output)\s+)\\*["']?[\w./:-]{{0,60}}$"#
    ))
});

/// From the end of a name to its value beside it.
static BESIDE: LazyLock<Regex> = LazyLock::new(|| {
    let keys = "value|val|parameter_?value|string_?value|plaintext_?value|default_?value|default|content|option_?value|v";
    let others =
        "type|in|secure|slot_?setting|propagate_at_launch|namespace|description|sensitive|required";
    compile(&format!(
        r#"^(?i)(?:[\\"',;\s{{}}<>-]|\\n)*(?:(?:{others})\\*["']?\s*[:=]\s*\\*["']?[\w:. ]*(?:[\\"',;\s]|\\n)*)*(?:{keys})\\*["']?\s*[:=]\s*"#
    ))
});

/// A value in quotes before its name, at the end of a text: `"value": "…", "name": "`.
static VALUE_FIRST: LazyLock<Regex> = LazyLock::new(|| {
    compile(
        r#"(?i)(?:value|parametervalue)\\*"\s*:\s*\\*"(?P<secret>[^"\\]+)\\*"\s*,(?:\s|\\n)*\\*"(?:name|key|parameterkey)\\*"\s*:\s*\\*"$"#,
    )
});

/// Adds the parts of `text` that follow the name of a secret, and can be one, to `found`.
pub(super) fn named(names: &Names, text: &str, found: &mut Vec<Range<usize>>) {
    let bytes = text.as_bytes();
    if ["arn:", "urn:"].iter().any(|it| text.starts_with(it)) {
        return;
    }
    let mut done = 0;
    let (mut secret_end, mut entries_end) = (0, 0);
    for stem in names.stems().find_iter(text) {
        if stem.start() < done {
            continue;
        }
        let name = name_at(bytes, stem.start(), stem.end());
        done = name.end;
        if name.is_empty() || name.len() > MAX_NAME {
            continue;
        }
        let is_secret = &text[name.clone()] == "Secret" && is_kind(&text[..name.start]);
        if is_secret && name.start >= secret_end {
            let from = text[secret_end..name.end].rfind("\n---");
            let from = from.map_or(secret_end, |at| secret_end + at + 1);
            let end = text[name.end..].find("\n---");
            secret_end = end.map_or(text.len(), |at| name.end + at);
            of_secret(names, text, from..secret_end, found);
        }
        let Some(look) = names.look(&text[name.clone()]) else {
            continue;
        };
        let place = Place {
            names,
            text,
            name,
            look,
        };
        if let Some(secret) = place.secret() {
            done = done.max(secret.end);
            found.push(secret);
        } else if place.name.start >= entries_end {
            entries_end = place.entries(found);
        }
    }
}

/// True for the text before the kind of an object of Kubernetes.
fn is_kind(before: &str) -> bool {
    before.ends_with("kind: ") || before.ends_with("kind: \"")
}

/// Adds the values in a document with a `Secret` of Kubernetes to `found`. Its data may stand before its kind.
fn of_secret(names: &Names, text: &str, document: Range<usize>, found: &mut Vec<Range<usize>>) {
    let from = document.start;
    for key in ["data:", "stringData:"] {
        let keys = text[document.clone()].match_indices(key);
        for (at, _) in keys.filter(|(at, _)| *at == 0 || text[from..from + at].ends_with('\n')) {
            let name = from + at..from + at + key.len() - 1;
            let look = Look::Mixed;
            let place = Place {
                names,
                text,
                name,
                look,
            };
            place.entries(found);
        }
    }
}

/// The name around the bytes `start..end`.
fn name_at(bytes: &[u8], start: usize, end: usize) -> Range<usize> {
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.');
    let before = bytes[..start].iter().rev().take(MAX_NAME);
    let mut first = start - before.take_while(|byte| is_name(**byte)).count();
    let after = bytes[end..].iter().take(MAX_NAME);
    let mut last = end + after.take_while(|byte| is_name(**byte)).count();
    // The letter of an escape is no part of the name.
    if first > 0 && bytes[first - 1] == b'\\' && first < start {
        let n_escape = if bytes[first] == b'u' { 5 } else { 1 };
        first = (first + n_escape).min(start);
    }
    while first < last && matches!(bytes[first], b'-' | b'.') {
        first += 1;
    }
    while first < last && matches!(bytes[last - 1], b'-' | b'.') {
        last -= 1;
    }
    first..last
}

/// The name of a secret in a text.
struct Place<'t> {
    names: &'t Names,
    text: &'t str,
    name: Range<usize>,
    look: Look,
}

impl Place<'_> {
    /// The part of the text that is the secret.
    fn secret(&self) -> Option<Range<usize>> {
        self.after_name()
            .or_else(|| self.beside())
            .or_else(|| self.value_first())
    }

    fn bytes(&self) -> &[u8] {
        self.text.as_bytes()
    }

    /// The text before the name, not all of it.
    fn before(&self) -> &str {
        tail(&self.text[..self.name.start], MAX_GAP)
    }

    /// The value after the name and a sign.
    fn after_name(&self) -> Option<Range<usize>> {
        let bytes = self.bytes();
        let is_flag = self.before().ends_with('-');
        let mut at = self.name.end;
        let mut is_closed = false;
        while at < bytes.len() && at - self.name.end < 16 {
            match bytes[at] {
                b'\\' if matches!(bytes.get(at + 1), Some(b'"' | b'\'' | b'\\')) => {}
                b'"' | b'\'' | b'`' | b']' => is_closed = true,
                _ => break,
            }
            at += 1;
        }
        let space = skip_space(bytes, at);
        let sign = *bytes.get(space)?;
        let next = bytes.get(space + 1).copied();
        let start = match (sign, next) {
            (b'=', Some(b'>')) | (b':' | b'?', Some(b'=')) => space + 2,
            (b'=', Some(b'=')) | (b':', Some(b':')) => return None,
            (b':', Some(b'/')) if bytes.get(space + 2) == Some(&b'/') => return None,
            (b'=' | b':', _) => space + 1,
            (b'>', _) if self.is_in_tag() => return self.of_element(space + 1),
            (b',', _) if is_closed && (is_flag || self.is_argument()) => space + 1,
            (b'"' | b'\'', _) if space > at && !is_closed => space,
            _ if space > at && (is_flag || self.is_set()) => space,
            _ => return None,
        };
        self.value_at(start, sign == b':')
    }

    /// True for the first argument of a call: `setenv("API_KEY", …`.
    fn is_argument(&self) -> bool {
        let before = self.before().trim_end_matches(['"', '\'', '\\']);
        before.ends_with('(')
    }

    /// True after a word that sets the name to the text behind it.
    fn is_set(&self) -> bool {
        let before = self.before();
        // A line with nothing but a name and a word, as Redis and netrc have it.
        if before.trim_end_matches([' ', '\t']).is_empty() || before.ends_with('\n') {
            let rest = head(&self.text[self.name.end..], MAX_GAP);
            let rest = rest.split('\n').next().unwrap_or_default();
            return rest.split_whitespace().count() == 1;
        }
        let Some(before) = before.strip_suffix(' ') else {
            return false;
        };
        WORDS.setters.iter().any(|word| {
            let rest = before.strip_suffix(word.as_str());
            let goes_on = |rest: &str| rest.ends_with(|it: char| it.is_ascii_alphanumeric());
            rest.is_some_and(|rest| !goes_on(rest))
        })
    }

    /// True for a name in a tag of XML.
    fn is_in_tag(&self) -> bool {
        let before = self.before();
        let opens = |sign: &str, closing: &str| {
            let open = before.rfind(sign);
            open.is_some_and(|open| !before[open..].contains(closing))
        };
        opens("<", ">") || opens("\\u003c", "\\u003e")
    }

    /// The text of an XML element.
    fn of_element(&self, start: usize) -> Option<Range<usize>> {
        let end_in = |text: &str| text.find('<').or_else(|| text.find("\\u003c"));
        let is_short = self.text.len() - start <= MAX_VALUE;
        if is_short && end_in(&self.text[start..]).is_none() {
            return None;
        }
        self.judged_to(start, end_in)
    }

    /// The value in the field beside the one that holds the name.
    fn beside(&self) -> Option<Range<usize>> {
        if !NAMED.is_match(self.before().as_bytes()) {
            return None;
        }
        let rest = head(&self.text[self.name.end..], 4 * MAX_GAP);
        let gap = BESIDE.find(rest.as_bytes())?;
        self.value_at(self.name.end + gap.end(), true)
    }

    /// The value in the field before the one that holds the name.
    fn value_first(&self) -> Option<Range<usize>> {
        let before = tail(&self.text[..self.name.start], 8 * MAX_GAP);
        if !before.ends_with('"') {
            return None;
        }
        let from = self.name.start - before.len();
        let value = VALUE_FIRST.captures(before.as_bytes())?.name("secret")?;
        self.judged(from + value.start()..from + value.end())
    }

    /// The value that starts at the byte `start`.
    fn value_at(&self, start: usize, is_field: bool) -> Option<Range<usize>> {
        let bytes = self.bytes();
        let is_spaced = matches!(bytes.get(start), Some(b' ' | b'\t'));
        let start = skip_space(bytes, start);
        let escapes = bytes[start..].iter().take_while(|byte| **byte == b'\\');
        let n_escapes = escapes.count();
        let quote = bytes.get(start + n_escapes).copied()?;
        if matches!(quote, b'"' | b'\'' | b'`') {
            let first = start + n_escapes + 1;
            return self.judged(first..self.closing(first, quote, n_escapes));
        }
        if quote == b'{' {
            // An object with the value in it: `{"value": …`.
            let rest = head(&self.text[start..], 4 * MAX_GAP);
            let gap = BESIDE.find(rest.as_bytes())?;
            return self.value_at(start + gap.end(), true);
        }
        if is_field && matches!(quote, b'|' | b'>') && n_escapes == 0 {
            return self.block(start);
        }
        let is_line = is_field && is_spaced;
        let end_before = |limit: usize| {
            let mut within = start..limit.min(bytes.len());
            within.find(|at| self.ends_at(*at, is_line))
        };
        let near = end_before(start + MAX_VALUE);
        let end = near.unwrap_or_else(|| bytes.len().min(start + MAX_VALUE));
        let value = head(self.text.get(start..)?, end - start);
        let value = value.split(" #").next().unwrap_or_default().trim_end();
        let mut value = value.trim_end_matches([',', ';']);
        for (open, close) in [('(', ')'), ('{', '}'), ('[', ']')] {
            while value.ends_with(close) && !value.contains(open) {
                value = &value[..value.len() - 1];
            }
        }
        // `type:Type` is no setting.
        let is_told = !is_field || is_spaced || is_mixed(value);
        let secret = self.judged(start..start + value.len());
        let secret = secret.filter(|_| is_told)?;
        // The end of a long secret is looked for only if its beginning can be one.
        let is_cut = near.is_none() && end < bytes.len();
        let end = is_cut.then(|| end_before(bytes.len()).unwrap_or(bytes.len()));
        Some(secret.start..end.unwrap_or(secret.end))
    }

    /// True if a value without quotes ends before the byte `at`. One that fills its line may hold spaces.
    fn ends_at(&self, at: usize, is_line: bool) -> bool {
        let bytes = self.bytes();
        let rest = &bytes[at + 1..];
        match bytes[at] {
            b'\n' | b'\r' | b'"' | b'\'' | b'<' | b'`' => true,
            b' ' | b'\t' => !is_line || starts_field(rest),
            b'\\' => matches!(
                rest.first(),
                None | Some(b'n' | b'r' | b't' | b'"' | b'\'' | b'\\' | b'u')
            ),
            sign @ (b'|' | b'&' | b';' | b',') => {
                let next = rest.first();
                next.is_none_or(|next| next.is_ascii_whitespace() || *next == sign)
                    || starts_field(rest)
            }
            _ => false,
        }
    }

    /// The end of the text in a quote, which has this number of backslashes before it.
    fn closing(&self, first: usize, quote: u8, n_escapes: usize) -> usize {
        let bytes = self.bytes();
        let mut n_before = 0;
        for (at, byte) in bytes.iter().enumerate().skip(first) {
            match *byte {
                b'\\' => n_before += 1,
                byte if byte == quote && n_before <= n_escapes => return at - n_before,
                _ => n_before = 0,
            }
        }
        bytes.len()
    }

    /// The lines of a YAML block, which are indented more than the line of its key.
    fn block(&self, start: usize) -> Option<Range<usize>> {
        let text = self.text;
        // The sign ends its line, so that each line is looked at once.
        let sign = head(&text[start..], 8).lines().next().unwrap_or_default();
        if sign.trim_end().len() > 3 || !text[start + sign.len()..].starts_with(['\n', '\r']) {
            return None;
        }
        let line = text[..self.name.start].rfind('\n').map_or(0, |at| at + 1);
        let indent = |line: &str| line.len() - line.trim_start_matches([' ', '-']).len();
        let own = indent(&text[line..self.name.end]);
        let first = start + text[start..].find('\n')? + 1;
        self.judged_to(first, |text| {
            let mut end = 0;
            let mut lines = text.split_inclusive('\n');
            let is_last = lines.any(|line| {
                let is_last = !line.trim().is_empty() && indent(line) <= own;
                end += if is_last { 0 } else { line.len() };
                is_last
            });
            is_last.then_some(end)
        })
    }

    /// The secret from `start` to the end that `end_in` finds, or else to the end of the text.
    fn judged_to(
        &self,
        start: usize,
        end_in: impl Fn(&str) -> Option<usize>,
    ) -> Option<Range<usize>> {
        let rest = &self.text[start..];
        let near = head(rest, MAX_VALUE);
        let end = end_in(near);
        let body = near[..end.unwrap_or(near.len())].trim_end();
        let start = start + body.len() - body.trim_start().len();
        let secret = self.judged(start..start + body.trim_start().len())?;
        if end.is_some() || near.len() == rest.len() {
            return Some(secret);
        }
        let end = end_in(rest).unwrap_or(rest.len());
        let end = self.text.len() - rest.len() + rest[..end].trim_end().len();
        Some(secret.start..end)
    }

    /// Adds the values of the YAML entries at any depth below a name for several secrets: `tokens:`, or `data:` in a `Secret`. Returns
    /// the end of the entries.
    fn entries(&self, found: &mut Vec<Range<usize>>) -> usize {
        let text = self.text;
        if !text[self.name.end..].starts_with(":\n") {
            return self.name.end;
        }
        let line = text[..self.name.start].rfind('\n').map_or(0, |at| at + 1);
        let indent = |line: &str| line.len() - line.trim_start_matches(' ').len();
        let own = indent(&text[line..]);
        let mut at = self.name.end + 2;
        for line in text[at..].split_inclusive('\n') {
            let start = at;
            if !line.trim().is_empty() && indent(line) <= own {
                break;
            }
            at += line.len();
            let Some((key, value)) = line.split_once(": ") else {
                continue;
            };
            let from = start + key.len() + 2;
            let bare = value.trim().trim_matches(['"', '\'']);
            let first = from + value.find(bare).unwrap_or_default();
            let is_secret = !self.names.is_about(key) && can_be(self.names, Look::Mixed, bare);
            found.extend(is_secret.then_some(first..first + bare.len()));
        }
        at
    }

    /// The range, if its text can be the secret. A scheme before credentials stays readable.
    fn judged(&self, range: Range<usize>) -> Option<Range<usize>> {
        let text = self.text.get(range.clone())?;
        let bare = credentials(text);
        let is_secret = if bare.len() < text.len() {
            can_be(self.names, Look::Mixed, bare)
        } else {
            match self.look {
                Look::Header => is_random(text),
                look => can_be(self.names, look, text),
            }
        };
        is_secret.then(|| range.end - bare.len()..range.end)
    }
}

/// The credentials of a header without their scheme.
pub(super) fn credentials(text: &str) -> &str {
    let after = |scheme: &String| {
        let head = text.get(..scheme.len())?;
        let rest = text[head.len()..].strip_prefix(' ')?;
        head.eq_ignore_ascii_case(scheme).then_some(rest)
    };
    match WORDS.schemes.iter().find_map(after) {
        Some(rest) => {
            let bare = rest.trim_start();
            bare.strip_prefix("token=").unwrap_or(bare)
        }
        None => text,
    }
}

fn skip_space(bytes: &[u8], mut at: usize) -> usize {
    while matches!(bytes.get(at), Some(b' ' | b'\t')) {
        at += 1;
    }
    at
}

/// True if another setting starts here: `host=`, `"user":`.
fn starts_field(bytes: &[u8]) -> bool {
    let bytes = bytes.trim_ascii_start();
    let is_name = |byte: &&u8| byte.is_ascii_alphanumeric() || b"_.-[]/".contains(byte);
    let n_name = bytes.iter().take(64).take_while(is_name).count();
    let sign = bytes[n_name..].trim_ascii_start().first();
    let is_flag = bytes.first() == Some(&b'-') && bytes.get(1).is_some_and(u8::is_ascii_alphabetic);
    let is_named = n_name > 0 && matches!(sign, Some(b'=' | b':'));
    is_named || bytes.first() == Some(&b'"') || is_flag
}

fn tail(text: &str, n: usize) -> &str {
    let mut from = text.len().saturating_sub(n);
    while !text.is_char_boundary(from) {
        from += 1;
    }
    &text[from..]
}

/// Calls `take` with each run of base64 in `text` and with the text that it holds, packed or not.
pub(super) fn packed(text: &str, take: &mut dyn FnMut(Range<usize>, &str)) {
    let bytes = text.as_bytes();
    let is_digit = |byte: u8| byte.is_ascii_alphanumeric() || b"+/-_".contains(&byte);
    let mut at = 0;
    while at < bytes.len() {
        if !is_digit(bytes[at]) {
            at += 1;
            continue;
        }
        let start = at;
        let mut line = at;
        loop {
            let digits = bytes[at..].iter().take_while(|byte| is_digit(**byte));
            at += digits.count();
            let n_break = match bytes[at..] {
                [b'\n', next, ..] if is_digit(next) => 1,
                [b'\r', b'\n', next, ..] | [b'\\', b'n', next, ..] if is_digit(next) => 2,
                _ => 0,
            };
            if n_break == 0 || at - line < MIN_LINE {
                break;
            }
            at += n_break;
            line = at;
        }
        let padding = bytes[at..].iter().take(2).take_while(|byte| **byte == b'=');
        let end = at + padding.count();
        if at - start >= MIN_BASE64
            && let Some(inner) = unpacked(&text[start..at])
        {
            take(start..end, &inner);
        }
        at = end;
    }
}

/// The text in a run of base64: as it is, in UTF-16, or in gzip.
fn unpacked(run: &str) -> Option<String> {
    let digits = run.replace("\\n", "").replace('-', "+").replace('_', "/");
    let digits = digits.bytes().filter(|byte| !byte.is_ascii_whitespace());
    let bytes = crate::secrets::base64_unpadded(&digits.collect::<Vec<u8>>())?;
    if bytes.starts_with(b"\x1f\x8b") {
        let mut text = Vec::new();
        let reader = flate2::read::MultiGzDecoder::new(&*bytes);
        let (times, more) = MAX_RATIO;
        let most = MAX_UNPACKED.min(times * bytes.len() + more) as u64;
        // What can be read of a broken stream counts.
        _ = reader.take(most).read_to_end(&mut text);
        return Some(String::from_utf8_lossy(&text).into_owned());
    }
    if bytes.len() >= 8 && bytes[1] == 0 && bytes[3] == 0 {
        let pairs = bytes.chunks_exact(2);
        let units = pairs.map(|pair| u16::from_le_bytes([pair[0], pair[1]]));
        return String::from_utf16(&units.collect::<Vec<_>>()).ok();
    }
    let text = String::from_utf8(bytes).ok()?;
    let is_readable = |it: char| !it.is_control() || matches!(it, '\n' | '\r' | '\t');
    text.chars().all(is_readable).then_some(text)
}
