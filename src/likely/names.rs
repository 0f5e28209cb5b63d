//! Names that say that a value is secret: the table in `assets/secrets/names.toml`, and rows that a person adds to it.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{LazyLock, OnceLock};

use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};
use hashbrown::{HashMap, HashSet};

use super::file::{self, Look};
use super::forms::{self, Forms};
use crate::text::words;

const NAMES: &str = include_str!("../../assets/secrets/names.toml");

/// Minimum length of an ending that may follow other letters of the last word: `PGPASSWORD`.
const MIN_SUFFIX: usize = 5;

/// Maximum number of words of an ending.
const MAX_WORDS: usize = 4;

/// Maximum length of a name, in bytes. A longer text is no name.
const MAX_NAME: usize = 160;

/// Number of texts that are looked into before the hints are made. That takes as long as some thousand texts, and the first resource on the screen
/// does not wait for it.
const BEFORE_HINTS: usize = 256;

/// Maximum length of a key beside a name or a value, in bytes.
const MAX_KEY: usize = 24;

/// The names of secrets.
pub(crate) struct Names {
    /// The endings without separators.
    ends: HashMap<String, Look>,
    /// The long ones among them, which may be the end of a word, the longest first.
    suffixes: Vec<(String, Look)>,
    lists: WordLists,
    /// The forms of a person.
    forms: Option<Forms>,
    /// Parts of which every secret name has one.
    stems: AhoCorasick,
    /// These parts, and the beginnings of all forms and notations.
    hints: Hints,
}

/// The lists of words of all files. The head of `names.toml` says what each is for.
#[derive(Default)]
struct WordLists {
    after: HashSet<String>,
    starts: Vec<Vec<String>>,
    never: HashSet<String>,
    other_keys: HashSet<String>,
    beside: HashSet<String>,
    values: HashSet<String>,
    plain: HashSet<String>,
    about: HashSet<String>,
}

impl WordLists {
    fn add(&mut self, lists: file::Lists) {
        self.after.extend(lists.after);
        self.starts.extend(lists.starts.iter().map(|it| words(it)));
        self.never.extend(lists.never);
        self.other_keys.extend(lists.other_keys);
        self.beside.extend(lists.beside);
        self.values.extend(lists.values);
        self.plain.extend(lists.plain);
        self.about.extend(lists.about);
    }
}

/// The search for hints, which is made when it pays.
struct Hints {
    words: Vec<String>,
    n_asked: AtomicUsize,
    search: OnceLock<AhoCorasick>,
}

impl Hints {
    /// True if a text may have a hint.
    fn may_be_in(&self, text: &[u8]) -> bool {
        let is_early = || self.n_asked.fetch_add(1, Ordering::Relaxed) < BEFORE_HINTS;
        if self.search.get().is_none() && is_early() {
            return true;
        }
        let search = self.search.get_or_init(|| search(&self.words));
        search.is_match(text)
    }
}

impl Names {
    /// The names of this program.
    pub(crate) fn built_in() -> &'static Self {
        static BUILT_IN: LazyLock<Names> =
            LazyLock::new(|| Names::parse(&[NAMES]).expect("a test reads the file"));
        &BUILT_IN
    }

    /// The names of this program, and those of `texts`, files of the same form.
    ///
    /// # Errors
    ///
    /// If one is not such a file.
    pub(crate) fn with(texts: &[String]) -> Result<Self, file::NamesError> {
        let own = [NAMES].into_iter();
        let all: Vec<&str> = own.chain(texts.iter().map(String::as_str)).collect();
        Self::parse(&all)
    }

    fn parse(texts: &[&str]) -> Result<Self, file::NamesError> {
        let mut ends: HashMap<String, Look> = HashMap::new();
        let mut lists = WordLists::default();
        let mut rare: HashSet<String> = HashSet::new();
        let mut own_forms = Vec::new();
        for text in texts {
            let file = file::names(text)?;
            for row in &file.rows {
                for end in &row.ends {
                    let words = words(end);
                    ends.insert(words.concat(), row.value);
                    rare.extend(rare_stem(words));
                }
            }
            own_forms.extend(file.forms);
            lists.add(file.lists);
        }
        let long = ends.iter().filter(|(end, _)| end.len() >= MIN_SUFFIX);
        let mut suffixes: Vec<(String, Look)> =
            long.map(|(end, look)| (end.clone(), *look)).collect();
        suffixes.sort_by(|a, b| b.0.len().cmp(&a.0.len()).then_with(|| a.0.cmp(&b.0)));
        let mut hints: Vec<&str> = STEMS.to_vec();
        hints.extend(rare.iter().map(String::as_str));
        let stems = search(&hints);
        hints.extend(forms::starts().map(hint));
        let has_forms = !own_forms.is_empty();
        let own_forms = has_forms.then(|| Forms::of_person(own_forms)).transpose()?;
        hints.extend(own_forms.iter().flat_map(Forms::starts).map(hint));
        let hints = Hints {
            words: hints.into_iter().map(str::to_owned).collect(),
            n_asked: AtomicUsize::new(0),
            search: OnceLock::new(),
        };
        Ok(Self {
            ends,
            suffixes,
            lists,
            forms: own_forms,
            stems,
            hints,
        })
    }

    /// The look of the secret that a name announces; `None` if it announces none.
    pub(crate) fn look(&self, name: &str) -> Option<Look> {
        if name.len() > MAX_NAME || !self.stems.is_match(name) {
            return None;
        }
        let mut words = words(name);
        for word in &mut words {
            word.truncate(word.trim_end_matches(char::is_numeric).len());
        }
        words.retain(|word| !word.is_empty());
        if words.iter().any(|word| self.lists.never.contains(word)) {
            return None;
        }
        if self
            .lists
            .starts
            .iter()
            .any(|start| words.starts_with(start))
        {
            return Some(Look::Mixed);
        }
        loop {
            if let Some(look) = self.end(&words) {
                return Some(look);
            }
            let is_passed_over = |word: &String| self.lists.after.contains(word);
            if words.len() < 2 || !words.pop().as_ref().is_some_and(is_passed_over) {
                return None;
            }
        }
    }

    /// The look of the longest ending of `words`.
    fn end(&self, words: &[String]) -> Option<Look> {
        for first in words.len().saturating_sub(MAX_WORDS)..words.len() {
            if let Some(look) = self.ends.get(&words[first..].concat()) {
                return Some(*look);
            }
        }
        let last = words.last()?;
        let is_end = |(end, _): &&(String, Look)| last.ends_with(end.as_str());
        let suffix = self.suffixes.iter().find(is_end);
        suffix.map(|(_, look)| *look).or_else(|| {
            // The key of anything may be a secret: `bugsnag_key`.
            let is_key = words.len() >= 2 && last == "key";
            let is_other = words
                .iter()
                .any(|word| self.lists.other_keys.contains(word));
            (is_key && !is_other).then_some(Look::Random)
        })
    }

    /// True if the text under this key may be the name of the value beside it.
    pub(crate) fn is_beside(&self, key: &str) -> bool {
        key.len() <= MAX_KEY && has(&self.lists.beside, key)
    }

    /// True if the value under this key may have its name beside it.
    pub(crate) fn is_value(&self, key: &str) -> bool {
        key.len() <= MAX_KEY && has(&self.lists.values, key)
    }

    /// True for a name in a container of secrets whose value is none: `username`.
    pub(crate) fn is_about(&self, name: &str) -> bool {
        let last = words(name).pop();
        last.is_none_or(|last| self.lists.about.contains(&last))
    }

    /// True if a word is no secret, whatever its name says.
    pub(crate) fn is_plain(&self, word: &str) -> bool {
        has(&self.lists.plain, word)
    }

    /// True if a text may have a form or a notation, or the name of a secret in it. Most have not, and this is all that they cost.
    pub(crate) fn may_hold(&self, text: &[u8]) -> bool {
        self.hints.may_be_in(text)
    }

    /// The forms of a person.
    pub(super) fn forms(&self) -> Option<&Forms> {
        self.forms.as_ref()
    }

    /// The search for parts of which every secret name has one.
    pub(crate) fn stems(&self) -> &AhoCorasick {
        &self.stems
    }
}

/// Parts of most endings.
const STEMS: [&str; 9] = [
    "pass", "pwd", "secret", "token", "key", "cred", "auth", "cookie", "dsn",
];

/// The longest word of an ending without one of the usual parts.
fn rare_stem(words: Vec<String>) -> Option<String> {
    let is_usual = |word: &String| STEMS.iter().any(|stem| word.contains(stem));
    if words.iter().any(is_usual) {
        return None;
    }
    words.into_iter().max_by_key(String::len)
}

/// Maximum length of a hint, in bytes. A table of short ones is ready sooner, and stays in the cache.
const MAX_HINT: usize = 5;

/// The beginning of a beginning.
fn hint(start: &str) -> &str {
    let end = start.char_indices().map(|(at, _)| at).nth(MAX_HINT);
    &start[..end.unwrap_or(start.len())]
}

/// The search for these words, also in capitals.
fn search<W: AsRef<[u8]>>(words: &[W]) -> AhoCorasick {
    AhoCorasick::builder()
        .kind(Some(AhoCorasickKind::DFA))
        .match_kind(MatchKind::LeftmostLongest)
        .ascii_case_insensitive(true)
        .build(words)
        .expect("the words are few and short")
}

/// True if a list of words in lower case has this word.
fn has(list: &HashSet<String>, word: &str) -> bool {
    if word.bytes().any(|byte| byte.is_ascii_uppercase()) {
        list.contains(&word.to_ascii_lowercase())
    } else {
        list.contains(word)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hints_rule_out_no_text_with_a_name_or_a_form() {
        let names = Names::with(&[]).unwrap();
        assert!(
            names.may_hold(b"eu-central-1"),
            "an early text is looked into"
        );
        for _ in 0..BEFORE_HINTS {
            names.may_hold(b"eu-central-1");
        }
        assert!(!names.may_hold(b"eu-central-1"));
        let ends = names.ends.keys().map(String::as_str);
        for text in ends.chain(forms::starts()) {
            assert!(names.may_hold(format!("- {text} -").as_bytes()), "{text}");
        }
    }
}
