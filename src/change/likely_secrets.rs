//! Likely secrets: texts that are secret by their form, although the file does not mark them.
//!
//! The forms are data: private keys, tokens with the prefix and the length that a service gives them, JSON Web Tokens, URLs with a
//! password. A form leaves no doubt. A name such as `password` does, so it masks nothing; see
//! [`clear_texts`].
//!
//! # Laws
//!
//! 1. A text that holds such a form is masked as a whole ([`masked`]). Values around it are not.
//! 2. A mask that the file gives stays as it is.
//! 3. A text without any of the literal beginnings is passed over by one search; no expression is tried on it.
//!
//! # Example
//!
//! ```
//! use stacklens::change::likely_secrets::{find, masked};
//! use stacklens::value::Value;
//!
//! let url = "postgres://app:hunter2@db.example.com/orders";
//! assert_eq!(find(url).unwrap().says, "a URL with a password");
//! assert_eq!(masked(&Value::from(url)).unwrap().to_string(), "[likely secret]");
//! assert!(find("postgres://db.example.com/orders").is_none());
//! ```

mod file;

use std::ops::Range;
use std::sync::{Arc, LazyLock, OnceLock};

use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};
use regex::Regex;

use super::secret_names::ends_in_secret;
use crate::json::{Reader, Str, Token};
use crate::path::{Path, Segment, children};
use crate::value::{Map, Payload, Value};

const FORMS: &str = include_str!("../../assets/secrets/forms.toml");

/// Minimum length of a text that can have one of the forms, in bytes.
const MIN_TEXT: usize = 9;

/// A form of secret texts.
#[derive(Debug)]
pub struct Form {
    /// Its name.
    pub id: String,
    /// The thing that such a text is, with its article.
    pub says: String,
    /// The literal beginnings.
    starts: Vec<String>,
    /// The expression, which is compiled when first needed.
    expression: String,
    /// Number of characters before the beginning that belong to the form.
    back: usize,
    /// True if the match may stand inside a word.
    inside: bool,
    /// Minimum number of different characters: fewer are a placeholder.
    letters: usize,
    /// The expression of placeholders.
    except: Option<String>,
    compiled: OnceLock<Compiled>,
}

#[derive(Debug)]
struct Compiled {
    form: Regex,
    except: Option<Regex>,
}

struct Forms {
    all: Vec<Form>,
    starts: AhoCorasick,
    /// The form of each beginning.
    of_start: Vec<usize>,
}

fn table() -> &'static Forms {
    static TABLE: LazyLock<Forms> = LazyLock::new(|| {
        let forms = file::parse(FORMS);
        let of_start = forms.iter().enumerate();
        let of_start = of_start.flat_map(|(index, form)| form.starts.iter().map(move |_| index));
        let starts = AhoCorasick::builder()
            .kind(Some(AhoCorasickKind::DFA))
            .match_kind(MatchKind::LeftmostLongest)
            .build(forms.iter().flat_map(|form| &form.starts))
            .expect("the beginnings are few and short");
        Forms {
            of_start: of_start.collect(),
            starts,
            all: forms,
        }
    });
    &TABLE
}

impl Form {
    fn compiled(&self) -> &Compiled {
        self.compiled.get_or_init(|| {
            let compile = |text: &str| Regex::new(text).expect("a test compiles the expressions");
            Compiled {
                form: compile(&format!("^(?:{})", self.expression)),
                except: self.except.as_deref().map(compile),
            }
        })
    }

    /// The part of `text` that has this form, if it begins at the byte `start`.
    fn at(&self, text: &str, start: usize) -> Option<Range<usize>> {
        let start = start.checked_sub(self.back)?;
        let compiled = self.compiled();
        let found = compiled.form.find(text.get(start..)?)?;
        let end = start + found.end();
        let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
        let goes_on = text.as_bytes()[..start].last().is_some_and(is_word)
            || text.as_bytes().get(end).is_some_and(is_word);
        let is_placeholder = |except: &Regex| except.is_match(found.as_str());
        let is_it = (self.inside || !goes_on)
            && !compiled.except.as_ref().is_some_and(is_placeholder)
            && has_letters(found.as_str(), self.letters);
        is_it.then_some(start..end)
    }
}

/// True if at least `n` different bytes are in `text`.
fn has_letters(text: &str, n: usize) -> bool {
    let mut seen = [false; 256];
    for byte in text.bytes() {
        seen[usize::from(byte)] = true;
    }
    seen.iter().filter(|seen| **seen).count() >= n
}

/// The first form that a part of `text` has.
pub fn find(text: &str) -> Option<&'static Form> {
    places(text).next().map(|(form, _)| form)
}

/// The parts of `text` that have one of the forms. They may overlap.
pub(crate) fn places(text: &str) -> impl Iterator<Item = (&'static Form, Range<usize>)> + '_ {
    let table = table();
    let is_long = text.len() >= MIN_TEXT;
    let starts = is_long.then(|| table.starts.find_iter(text));
    starts.into_iter().flatten().filter_map(move |start| {
        let form = &table.all[table.of_start[start.pattern().as_usize()]];
        form.at(text, start.start()).map(|range| (form, range))
    })
}

/// True if [`masked`] would mark a text of the value that is written as this valid JSON.
pub(crate) fn is_in(json: &[u8]) -> bool {
    if json.len() < MIN_TEXT {
        return false;
    }
    // An escape may hide a character of a literal beginning, except those for quotes, backslashes and white space, which no
    // beginning has.
    let mut escapes = memchr::memchr_iter(b'\\', json);
    let may_be_in = table().starts.is_match(json)
        || escapes.any(|at| matches!(json.get(at + 1), Some(b'u' | b'/')));
    let mut reader = Reader::new(json);
    while may_be_in && let Ok(Some(token)) = reader.next() {
        if let Token::String(text) = token
            && is_likely(&text.decode_lossy())
        {
            return true;
        }
    }
    false
}

/// True if a text has one of the forms. JSON in it may have escapes where a form has other characters.
fn is_likely(text: &str) -> bool {
    let unescaped = || Str::of_raw(text.as_bytes()).decode_lossy();
    find(text).is_some() || text.contains('\\') && find(&unescaped()).is_some()
}

/// `value` with every text marked that has one of the forms; `None` if there is none to mark.
pub fn masked(value: &Value) -> Option<Value> {
    if value.is_secret() {
        return None;
    }
    let payload = match value.payload() {
        Payload::String(text) => {
            let is_likely = is_likely(&text.to_str_lossy());
            return is_likely.then(|| value.clone().with_likely_secret());
        }
        Payload::Map(map) => {
            let marked = map.iter().filter_map(|(key, it)| Some((key, masked(it)?)));
            let marked: Vec<_> = marked.collect();
            if marked.is_empty() {
                return None;
            }
            let of_key = |map: Map, (key, it): (&Arc<str>, Value)| map.set(&**key, it);
            Payload::Map(marked.into_iter().fold(map.clone(), of_key))
        }
        Payload::Array(items) => {
            let marked: Vec<_> = items.iter().map(masked).collect();
            if marked.iter().all(Option::is_none) {
                return None;
            }
            let both = items.iter().zip(marked);
            Payload::Array(
                both.map(|(it, marked)| marked.unwrap_or_else(|| it.clone()))
                    .collect(),
            )
        }
        Payload::Asset(_) | Payload::Archive(_) => {
            let has_any = |fields: &Value| masked(fields).is_some();
            let is_likely = value.fields().as_ref().is_some_and(has_any);
            return is_likely.then(|| value.clone().with_likely_secret());
        }
        Payload::Null
        | Payload::Bool(_)
        | Payload::Number(_)
        | Payload::Reference(_)
        | Payload::Computed(_)
        | Payload::Sealed(_) => return None,
    };
    Some(value.clone().with_payload(payload))
}

/// A text in clear that is secret by its form, or may be by its name.
#[derive(Clone, PartialEq, Debug)]
pub struct ClearText {
    /// The place of the text.
    pub path: Path,
    /// The thing that the text is, with the name of its form; `None` if only the name of the property says that it is secret.
    pub form: Option<(&'static str, &'static str)>,
}

/// The texts in `value`, at `path`, that are secret by their form or by their name and that the file does not mark.
pub fn clear_texts(value: &Value, path: &Path) -> Vec<ClearText> {
    let mut walk = Walk {
        path: path.clone(),
        found: Vec::new(),
    };
    let last = path.0.iter().rev().find_map(|it| match it {
        Segment::Key(key) => Some(key.clone()),
        Segment::Index(_) => None,
    });
    walk.value(value, last.as_deref().unwrap_or_default());
    walk.found
}

struct Walk {
    path: Path,
    found: Vec<ClearText>,
}

impl Walk {
    /// Adds the texts in `value`, which has this name.
    fn value(&mut self, value: &Value, name: &str) {
        if value.is_secret() && !value.is_likely_secret() {
            return;
        }
        if let Payload::String(text) = value.payload() {
            let text = text.to_str_lossy();
            let form = find(&text).map(|form| (form.says.as_str(), form.id.as_str()));
            if form.is_some() || ends_in_secret(name) && may_be_secret(&text) {
                let path = self.path.clone();
                self.found.push(ClearText { path, form });
            }
            return;
        }
        if value.is_likely_secret() {
            let (path, form) = (self.path.clone(), Some(("a file with a secret", "file")));
            self.found.push(ClearText { path, form });
            return;
        }
        // `{name: "DB_PASSWORD", value: "…"}`: the name is beside the value.
        let named = ["name", "key"]
            .into_iter()
            .find_map(|key| value.get(key)?.as_str());
        for (segment, below) in children(value) {
            let name = match &segment {
                Segment::Key(key) if &**key == "value" => named.unwrap_or(key),
                Segment::Key(key) => key,
                Segment::Index(_) => name,
            };
            self.path.0.push(segment.clone());
            self.value(below, name);
            self.path.0.pop();
        }
    }
}

/// True if the text of a value whose name says that it is secret may be one: it is no reference to where the secret is kept.
fn may_be_secret(text: &str) -> bool {
    let starts = [
        "arn:",
        "projects/",
        "/",
        "http",
        "vault:",
        "ref+",
        "secret:",
        "op://",
        "@",
        "$",
        "{",
        "<",
        "%",
    ];
    let is_word = [
        "true", "false", "enabled", "disabled", "required", "optional", "none", "null", "string",
    ];
    text.len() >= 4
        && !text.contains(char::is_whitespace)
        && !starts.iter().any(|start| text.starts_with(start))
        && !is_word.contains(&text.to_ascii_lowercase().as_str())
        && text.chars().any(|char| char != '*' && char != 'x')
}
