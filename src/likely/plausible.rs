//! The test whether a text can be the secret that its name announces.

use std::sync::LazyLock;

use regex::bytes::Regex;

use super::file::{Look, WORDS};
use super::forms::{compile, token_starts};
use super::names::Names;

/// Minimum length of a secret, in bytes.
const MIN_SECRET: usize = 3;

/// Minimum length of a text without an inner order.
const MIN_RANDOM: usize = 14;

/// Texts that are something else than a secret: where the secret is kept, what it is made from, a time, a
/// size, a place. They are data, `assets/secrets/words.toml`.
static ELSEWHERE: LazyLock<Regex> = LazyLock::new(|| {
    let forms = WORDS.elsewhere.iter().map(|it| format!("(?:{it})"));
    let forms: Vec<String> = forms.collect();
    compile(&format!("^(?:{})$", forms.join("|")))
});

/// True if `text` can be the secret that a name with this look announces.
pub(super) fn can_be(names: &Names, look: Look, text: &str) -> bool {
    let text = text.trim();
    let is_elsewhere = || ELSEWHERE.is_match(text.as_bytes()) && !is_begun_token(text);
    if text.len() < MIN_SECRET || names.is_plain(text) || is_elsewhere() {
        return false;
    }
    match look {
        Look::Any => !is_prose(text) && !is_name_of_secret(names, text),
        Look::Mixed => text.len() >= 6 && !has_space(text) && is_mixed(text),
        Look::Random => is_random(text) || is_pair_in_base64(text) || is_pair(text),
        Look::Header => true,
    }
}

fn has_space(text: &str) -> bool {
    text.contains(char::is_whitespace)
}

/// True for several words, most of which are words of a language.
fn is_prose(text: &str) -> bool {
    let words: Vec<&str> = text.split_whitespace().collect();
    let is_word = |word: &&&str| {
        let word = word.trim_matches(|it: char| it.is_ascii_punctuation());
        let mut letters = word.chars();
        !word.is_empty() && letters.all(|it| it.is_alphabetic() || matches!(it, '-' | '\''))
    };
    let is_mostly_words = words.iter().filter(is_word).count() * 4 >= words.len() * 3;
    words.len() >= 2 && is_mostly_words && !is_passphrase(&words)
}

/// True for four words or more in lower case, none of which joins or points at others, as in a sentence: `correct horse battery staple`.
fn is_passphrase(words: &[&str]) -> bool {
    let is_own = |word: &&str| {
        let is_plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
        word.bytes().all(is_plain) && !WORDS.of_sentences.iter().any(|it| it == *word)
    };
    words.len() >= 4 && words.iter().all(is_own)
}

/// True for a name in lower case whose last word is that of a secret: `db-password`.
fn is_name_of_secret(names: &Names, text: &str) -> bool {
    let is_name =
        |byte: u8| byte.is_ascii_lowercase() || matches!(byte, b'-' | b'_' | b'/' | b'.' | b':');
    text.bytes().all(is_name)
        && text.contains(['-', '_', '/', ':', '.'])
        && names.look(text).is_some()
}

/// True if a text is more than words and numbers with separators between them.
pub(super) fn is_mixed(text: &str) -> bool {
    let is_separator = |it: char| matches!(it, '-' | '_' | '.' | '/' | ':' | ' ');
    let mut parts = text.split(is_separator).filter(|part| !part.is_empty());
    let host = text.rsplit('@').next();
    let is_address = text.contains('@') && host.is_some_and(|host| host.contains('.'));
    !is_address && (parts.any(is_mixed_part) || is_serial(text) || is_begun_token(text))
}

/// True for three groups or more of as many capitals and digits each: `ABCD-1234-EFGH`.
fn is_serial(text: &str) -> bool {
    let is_sign = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit();
    let groups: Vec<&str> = text.split('-').collect();
    let length = groups[0].len();
    let is_group = |group: &&str| group.len() == length && group.bytes().all(is_sign);
    groups.len() >= 3
        && length >= 4
        && groups.iter().all(is_group)
        && text.bytes().any(|byte| byte.is_ascii_digit())
        && text.bytes().any(|byte| byte.is_ascii_uppercase())
}

/// True for a text that begins as the tokens of a service do, and goes on with more than words: `hvs.CAESIJ`, `npm_k3jx92`.
fn is_begun_token(text: &str) -> bool {
    let mut starts = token_starts().iter();
    let rest = starts.find_map(|start| text.strip_prefix(start));
    rest.is_some_and(|rest| {
        let is_more = |byte: u8| byte.is_ascii_digit() || byte.is_ascii_uppercase();
        let has_letter = rest.bytes().any(|byte| byte.is_ascii_alphabetic());
        rest.len() >= 4 && has_letter && rest.bytes().any(is_more)
    })
}

/// True if a text has digits among its letters, capitals in its middle, or signs.
fn is_mixed_part(part: &str) -> bool {
    let word = part.trim_end_matches(|it: char| it.is_ascii_digit());
    let n_digits = part.len() - word.len();
    if word.is_empty() {
        return n_digits >= 12;
    }
    let has_digit_inside = word.bytes().any(|byte| byte.is_ascii_digit());
    let has_sign = part.bytes().any(|byte| !byte.is_ascii_alphanumeric());
    let is_version = matches!(word, "v" | "V" | "rev" | "r");
    let pairs = word.as_bytes().windows(2);
    let turns = pairs.filter(|it| it[0].is_ascii_lowercase() != it[1].is_ascii_lowercase());
    let is_long_jumble = word.len() >= 12 && turns.count() * 3 >= word.len();
    let ends_in_digits = n_digits >= 1 && n_digits != 4 && !is_version && word.len() >= 4;
    // A secret of a one-time password in base32.
    let is_base32 = part.len() >= 16 && part.bytes().all(|it| it.is_ascii_uppercase());
    has_digit_inside || has_sign || is_long_jumble || ends_in_digits || is_base32
}

/// True for a long text without an inner order.
pub(super) fn is_random(text: &str) -> bool {
    let text = text.trim_end_matches('=');
    let is_digit = |byte: u8| byte.is_ascii_alphanumeric() || b"+/-_.~!@#$%^&*".contains(&byte);
    if text.len() < MIN_RANDOM || !text.bytes().all(is_digit) {
        return false;
    }
    let mut seen = [false; 256];
    text.bytes().for_each(|byte| seen[usize::from(byte)] = true);
    let n_seen = seen.iter().filter(|it| **it).count();
    let class = |byte: u8| match byte {
        b'0'..=b'9' => 0,
        b'a'..=b'z' => 1,
        b'A'..=b'Z' => 2,
        _ => 3,
    };
    let is_jumble = |part: &&str| {
        let turns = part.as_bytes().windows(2);
        turns.filter(|it| class(it[0]) != class(it[1])).count() * 5 >= part.len()
    };
    let parts = text.split(['-', '_', '.', '/']);
    let n_jumbled: usize = parts.filter(is_jumble).map(str::len).sum();
    n_seen >= 8 && n_jumbled >= 10
}

/// True for `user:password`.
fn is_pair(text: &str) -> bool {
    let is_user = |byte: u8| byte.is_ascii_alphanumeric() || b"_-.@+".contains(&byte);
    let pair = text.split_once(':').filter(|_| !has_space(text));
    pair.is_some_and(|(user, password)| {
        let is_name = !user.is_empty() && user.bytes().all(is_user);
        is_name && password.len() >= 4 && is_mixed(password)
    })
}

/// True for `user:password` in base64.
fn is_pair_in_base64(text: &str) -> bool {
    let decoded = crate::secrets::base64_unpadded(text.trim_end_matches('=').as_bytes());
    let text = decoded.and_then(|bytes| String::from_utf8(bytes).ok());
    text.is_some_and(|text| {
        let pair = text.split_once(':');
        pair.is_some_and(|(user, password)| {
            !user.is_empty() && password.len() >= 3 && text.chars().all(|it| !it.is_control())
        })
    })
}
