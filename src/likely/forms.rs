//! The forms: texts that are secret without doubt, and notations that hold a secret.

use std::ops::Range;
use std::sync::{LazyLock, OnceLock};

use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};
use regex::bytes::{Match, Regex, RegexBuilder};

use super::file::{self, Form, NamesError};
use super::names::Names;
use super::plausible::can_be;
use crate::json::Str;

const FORMS: &str = include_str!("../../assets/secrets/forms.toml");
const NOTATIONS: &str = include_str!("../../assets/secrets/texts.toml");

/// Minimum length of a text that can have one of the forms, in bytes.
pub(super) const MIN_TEXT: usize = 9;

/// Maximum length of the text before a beginning that is searched for a secret.
const MAX_BEFORE: usize = 256;

#[derive(Debug)]
pub(super) struct Compiled {
    form: Regex,
    before: Option<Regex>,
    except: Option<Regex>,
}

pub(super) struct Forms {
    all: Vec<Form>,
    kind: MatchKind,
    /// The form of each beginning.
    of_start: Vec<usize>,
    /// The search for the beginnings, which is made when first needed.
    search: OnceLock<AhoCorasick>,
}

impl Forms {
    /// The forms of a person.
    ///
    /// # Errors
    ///
    /// If one has no beginning or a wrong expression.
    pub(super) fn of_person(forms: Vec<Form>) -> Result<Self, NamesError> {
        forms.iter().try_for_each(Form::check)?;
        Ok(Self::new(forms, MatchKind::Standard))
    }

    /// The forms of a file of this program.
    fn built_in(text: &str, kind: MatchKind) -> Self {
        let mut forms = file::parse(text);
        for form in &mut forms {
            // Notations leave a doubt.
            form.is_sure = kind != MatchKind::Standard;
        }
        Self::new(forms, kind)
    }

    fn new(forms: Vec<Form>, kind: MatchKind) -> Self {
        let of_start = forms.iter().enumerate();
        let of_start = of_start.flat_map(|(index, form)| form.starts.iter().map(move |_| index));
        Self {
            of_start: of_start.collect(),
            kind,
            search: OnceLock::new(),
            all: forms,
        }
    }

    fn search(&self) -> &AhoCorasick {
        self.search.get_or_init(|| {
            AhoCorasick::builder()
                .kind(Some(AhoCorasickKind::ContiguousNFA))
                .match_kind(self.kind)
                .ascii_case_insensitive(self.kind == MatchKind::Standard)
                .build(self.starts())
                .expect("the beginnings are few and short")
        })
    }

    /// The literal beginnings.
    pub(super) fn starts(&self) -> impl Iterator<Item = &str> {
        self.all
            .iter()
            .flat_map(|form| form.starts.iter().map(String::as_str))
    }

    /// Passes the secret parts of `text` in one of these forms to `found`. They may overlap.
    pub(super) fn noted<'f>(
        &'f self,
        names: &Names,
        text: &str,
        found: &mut dyn FnMut(&'f Form, Range<usize>),
    ) {
        for start in self.search().find_overlapping_iter(text) {
            let form = &self.all[self.of_start[start.pattern().as_usize()]];
            if let Some(secret) = form.at(text, start.start()) {
                let can_be = |look| can_be(names, look, &text[secret.clone()]);
                if form.look.is_none_or(can_be) {
                    found(form, secret);
                }
            }
        }
    }
}

fn table() -> &'static Forms {
    static TABLE: LazyLock<Forms> =
        LazyLock::new(|| Forms::built_in(FORMS, MatchKind::LeftmostLongest));
    &TABLE
}

/// The notations. Several may have the same beginning.
pub(super) fn notations() -> &'static Forms {
    static TABLE: LazyLock<Forms> =
        LazyLock::new(|| Forms::built_in(NOTATIONS, MatchKind::Standard));
    &TABLE
}

impl Form {
    /// # Errors
    ///
    /// If it has no beginning or a wrong expression.
    fn check(&self) -> Result<(), NamesError> {
        if self.starts.is_empty() || self.starts.iter().any(String::is_empty) {
            return Err(NamesError::of_form(&self.id, "it has no literal beginning"));
        }
        let wrong = |error: regex::Error| NamesError::of_form(&self.id, &error.to_string());
        let compiled = self.compile().map_err(wrong)?;
        self.compiled.get_or_init(|| compiled);
        Ok(())
    }

    fn compile(&self) -> Result<Compiled, regex::Error> {
        let case = if self.look.is_some() { "(?i)" } else { "" };
        let maybe = |text: &Option<String>| text.as_deref().map(try_compile).transpose();
        Ok(Compiled {
            form: try_compile(&format!("^{case}(?:{})", self.expression))?,
            before: maybe(&self.before)?,
            except: maybe(&self.except)?,
        })
    }

    fn compiled(&self) -> &Compiled {
        let compile = || self.compile().expect("a test compiles the expressions");
        self.compiled.get_or_init(compile)
    }

    /// The part of `text` that is secret, if this form begins at the byte `start`.
    fn at(&self, text: &str, start: usize) -> Option<Range<usize>> {
        let start = start.checked_sub(self.back)?;
        let compiled = self.compiled();
        let found = compiled.form.captures(text.as_bytes().get(start..)?)?;
        let whole = found.get(0)?;
        let end = start + whole.end();
        let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
        let goes_on = text.as_bytes()[..start].last().is_some_and(is_word)
            || text.as_bytes().get(end).is_some_and(is_word);
        let is_placeholder = |except: &Regex| except.is_match(whole.as_bytes());
        let is_it = (self.inside || self.look.is_some() || !goes_on)
            && !compiled.except.as_ref().is_some_and(is_placeholder)
            && has_letters(whole.as_bytes(), self.letters);
        if !is_it {
            return None;
        }
        if let Some(before) = &compiled.before {
            let from = start.saturating_sub(MAX_BEFORE);
            let found = before.captures(&text.as_bytes()[from..start])?;
            if let Some(secret) = found.name("secret") {
                return Some(characters(text, from, &secret));
            }
        }
        let secret = found.name("secret").unwrap_or(whole);
        Some(characters(text, start, &secret))
    }
}

/// The whole characters of `text` with the bytes of a match in what starts at the byte `from`.
fn characters(text: &str, from: usize, found: &Match<'_>) -> Range<usize> {
    let (mut start, mut end) = (from + found.start(), from + found.end());
    while !text.is_char_boundary(start) {
        start -= 1;
    }
    while !text.is_char_boundary(end) {
        end += 1;
    }
    start..end
}

/// An expression over the bytes of a text. Without the tables of Unicode it is ready ten times sooner.
pub(super) fn compile(text: &str) -> Regex {
    try_compile(text).expect("a test compiles the expressions")
}

fn try_compile(text: &str) -> Result<Regex, regex::Error> {
    RegexBuilder::new(text).unicode(false).build()
}

/// True if at least `n` different bytes are in `text`.
fn has_letters(text: &[u8], n: usize) -> bool {
    let mut seen = [false; 256];
    for byte in text {
        seen[usize::from(*byte)] = true;
    }
    seen.iter().filter(|seen| **seen).count() >= n
}

/// The first form that a part of `text` has.
pub fn find(text: &str) -> Option<&'static Form> {
    places(text).next().map(|(form, _)| form)
}

/// The secret parts of `text` that have one of the forms. They may overlap.
pub(crate) fn places(text: &str) -> impl Iterator<Item = (&'static Form, Range<usize>)> + '_ {
    let table = table();
    let is_long = text.len() >= MIN_TEXT;
    let starts = is_long.then(|| table.search().find_iter(text));
    starts.into_iter().flatten().filter_map(move |start| {
        let form = &table.all[table.of_start[start.pattern().as_usize()]];
        form.at(text, start.start()).map(|secret| (form, secret))
    })
}

/// The beginnings of tokens that tell their service: `ghp_`, `xoxb-`, `hvs.`.
pub(super) fn token_starts() -> &'static [&'static str] {
    static STARTS: LazyLock<Vec<&'static str>> = LazyLock::new(|| {
        let is_of_token = |start: &&str| start.len() >= 4 && start.ends_with(['-', '_', '.']);
        table().starts().filter(is_of_token).collect()
    });
    &STARTS
}

/// The beginnings of all forms and notations.
pub(super) fn starts<'s>() -> impl Iterator<Item = &'s str> {
    table().starts().chain(notations().starts())
}

/// True if a text has one of the forms. JSON in it may have escapes where a form has other characters.
pub(crate) fn has_form(text: &str) -> bool {
    find(text).is_some() || text.contains('\\') && find(&unescaped(text)).is_some()
}

/// A text with the escapes of JSON undone.
pub(super) fn unescaped(text: &str) -> String {
    Str::of_raw(text.as_bytes()).decode_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::likely::Masking;
    use crate::likely::file::Look;

    #[test]
    fn all_expressions_compile() {
        for form in table().all.iter().chain(&notations().all) {
            form.compiled();
        }
        assert!(can_be(Names::built_in(), Look::Any, "hunter2"));
        assert!(
            !Masking::default()
                .ranges("export A_TOKEN=q9w8e7r6 # a")
                .is_empty()
        );
    }
}
