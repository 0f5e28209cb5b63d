//! The errors of stores in the words of this program. Their own texts hold URLs with signatures, so nothing of a URL is repeated.

use std::error::Error as _;
use std::io;

use object_store::Error;

use crate::text::escaped;

/// Maximum length of a server's own words.
const MAX_WORDS: usize = 200;

/// The codes of servers, with what they mean. A list answers with a code where a single object answers with a status.
const CODES: [(&str, Meaning); 10] = [
    ("NoSuchKey", Meaning::Missing),
    ("NoSuchBucket", Meaning::Missing),
    ("BlobNotFound", Meaning::Missing),
    ("ContainerNotFound", Meaning::Missing),
    ("AccessDenied", Meaning::Forbidden),
    ("AuthorizationFailure", Meaning::Forbidden),
    ("AuthenticationFailed", Meaning::Refused),
    ("ExpiredToken", Meaning::Refused),
    ("InvalidAccessKeyId", Meaning::Refused),
    ("SignatureDoesNotMatch", Meaning::Refused),
];

/// The meaning of an error for a person.
#[derive(Clone, Copy)]
enum Meaning {
    Missing,
    Forbidden,
    Refused,
    Other,
}

/// The error in words.
pub(super) fn in_words(error: &Error) -> io::Error {
    if let Error::InvalidPath { source } = error {
        let name = without_urls(&source.to_string());
        let message = format!("the list ends at a name that cannot be asked for: {name}");
        return io::Error::other(message);
    }
    let said = words_of_server(error);
    let code = said.as_deref().and_then(|said| said.split(' ').next());
    let meaning = match error {
        Error::NotFound { .. } => Meaning::Missing,
        Error::PermissionDenied { .. } => Meaning::Forbidden,
        Error::Unauthenticated { .. } => Meaning::Refused,
        _ => {
            let of_code = CODES.iter().find(|(known, _)| Some(*known) == code);
            of_code.map_or(Meaning::Other, |(_, meaning)| *meaning)
        }
    };
    let (kind, words) = match meaning {
        Meaning::Missing => (io::ErrorKind::NotFound, "no such object or bucket"),
        Meaning::Forbidden => (
            io::ErrorKind::PermissionDenied,
            "these credentials may not read it",
        ),
        Meaning::Refused => (
            io::ErrorKind::PermissionDenied,
            "the store does not accept the credentials",
        ),
        Meaning::Other => (io::ErrorKind::Other, "the store cannot be read"),
    };
    let detail = match (said, meaning) {
        (Some(said), _) => said,
        (None, Meaning::Other) => without_urls(&deepest(error)),
        (None, Meaning::Missing | Meaning::Forbidden | Meaning::Refused) => String::new(),
    };
    let separator = if detail.is_empty() { "" } else { ": " };
    io::Error::new(kind, format!("{words}{separator}{detail}"))
}

/// The text of the error that all others come from.
fn deepest(error: &Error) -> String {
    let mut deepest: &dyn std::error::Error = error;
    while let Some(source) = deepest.source() {
        deepest = source;
    }
    deepest.to_string()
}

/// The code and the message in a server's answer, which is XML or JSON.
fn words_of_server(error: &Error) -> Option<String> {
    let whole = chain(error);
    let code = between(&whole, "<Code>", "</Code>")?;
    let message = between(&whole, "<Message>", "</Message>").unwrap_or_default();
    let words = without_urls(&format!("{code} {message}"));
    Some(words.trim_end().to_owned())
}

/// The texts of an error and of all that led to it.
fn chain(error: &Error) -> String {
    let mut texts = error.to_string();
    let mut next = error.source();
    while let Some(error) = next {
        texts.push('\n');
        texts.push_str(&error.to_string());
        next = error.source();
    }
    texts
}

fn between<'t>(text: &'t str, start: &str, end: &str) -> Option<&'t str> {
    let from = text.find(start)? + start.len();
    let length = text[from..].find(end)?;
    Some(&text[from..from + length])
}

/// The text in one line, without the words that are URLs.
fn without_urls(text: &str) -> String {
    let words = text.split_whitespace();
    let kept: Vec<&str> = words
        .map(|word| {
            if word.contains("://") {
                "the URL"
            } else {
                word
            }
        })
        .collect();
    let line: String = kept.join(" ").chars().take(MAX_WORDS).collect();
    escaped(&line)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn generic(text: &str) -> Error {
        Error::Generic {
            store: "S3",
            source: text.to_owned().into(),
        }
    }

    #[test]
    fn a_url_is_never_repeated() {
        let error = generic("GET https://me:pw@host/k?X-Amz-Signature=abc failed\n(timeout)");
        assert_eq!(
            in_words(&error).to_string(),
            "the store cannot be read: GET the URL failed (timeout)"
        );
    }

    #[test]
    fn the_words_of_the_server_are_kept() {
        let error = generic(
            "status 400: <Error><Code>ExpiredToken</Code><Message>The provided token has expired.</Message></Error>",
        );
        assert_eq!(
            in_words(&error).to_string(),
            "the store does not accept the credentials: ExpiredToken The provided token has expired."
        );
    }
}
