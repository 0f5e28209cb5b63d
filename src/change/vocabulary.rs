//! Words that tell what a name means, whoever wrote it: the table `assets/rules/words.toml`. Its comments say what each list is for.

use std::collections::HashMap;
use std::ops::Deref;
use std::sync::LazyLock;

use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::text::words;

/// The table.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Vocabulary {
    pub(super) element_names: Vec<Vec<String>>,
    pub(super) guards: List,
    pub(super) forbidding: List,
    pub(super) sizes: List,
    pub(super) free: List,
    pub(super) public: List,
    pub(super) everybody: List,
    pub(super) statements: List,
    pub(super) sources: List,
    pub(super) narrowing: List,
    pub(super) tags: List,
    pub(super) versions: List,
    pub(super) in_order: List,
    pub(super) doing: List,
    pub(super) orders: List,
    pub(super) telling: List,
    pub(super) generic: List,
    pub(super) own_ids: List,
    pub(super) own_names: List,
    pub(super) scopes: List,
    pub(super) own_labels: List,
    pub(super) repeating: HashMap<String, List>,
    pub(super) providers: HashMap<String, String>,
    pub(super) plain_modules: HashMap<String, List>,
    pub(super) holders: HashMap<String, String>,
    pub(super) seconds: HashMap<String, f64>,
    pub(super) bytes: HashMap<String, f64>,
    pub(super) object_identifiers: HashMap<String, String>,
}

/// The words of this program.
pub(super) static WORDS: LazyLock<Vocabulary> =
    LazyLock::new(|| table(include_str!("../../assets/rules/words.toml")));

/// Reads a table of this program.
pub(super) fn table<T: DeserializeOwned>(text: &str) -> T {
    toml::from_str(text).expect("the embedded table is valid")
}

/// A list of words.
#[derive(Deserialize)]
pub(super) struct List(Vec<String>);

impl List {
    /// True if a text is one of the words.
    pub(super) fn has(&self, text: &str) -> bool {
        self.iter().any(|word| word == text)
    }
}

impl Deref for List {
    type Target = [String];

    fn deref(&self) -> &[String] {
        &self.0
    }
}

/// True for a property of a rule that says what it does, such as `action`.
pub(crate) fn says_what_it_does(key: &str) -> bool {
    WORDS.doing.has(key)
}

/// True for a property of a rule with the number by which rules are gone through, such as `priority`.
pub(crate) fn says_when_it_comes(key: &str) -> bool {
    has_all_of_one(&words(key), &WORDS.orders)
}

/// The place of a property among those that tell what a resource is for, the most telling first.
pub(crate) fn telling_rank(key: &str) -> Option<usize> {
    let words = words(key);
    WORDS.telling.iter().position(|word| words.contains(word))
}

/// True for a property with tags, or by which the provider knows a thing.
pub(crate) fn only_names(key: &str) -> bool {
    WORDS.tags.has(key) || WORDS.own_ids.has(key)
}

/// True if a name of `words` has all words of one of the `phrases`.
pub(super) fn has_all_of_one(words: &[String], phrases: &[String]) -> bool {
    let is_in = |phrase: &String| {
        phrase
            .split(' ')
            .all(|word| words.iter().any(|it| it == word))
    };
    phrases.iter().any(is_in)
}
