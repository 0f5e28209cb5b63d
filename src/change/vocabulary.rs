//! Words that tell what a name means, whoever wrote it: the table `assets/rules/words.toml`. Its comments say what each list is for.

use std::collections::HashMap;
use std::sync::LazyLock;

use serde::Deserialize;

/// The table.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Vocabulary {
    pub(super) element_names: Vec<Vec<String>>,
    pub(super) guards: Vec<String>,
    pub(super) forbidding: Vec<String>,
    pub(super) sizes: Vec<String>,
    pub(super) free: Vec<String>,
    pub(super) public: Vec<String>,
    pub(super) sources: Vec<String>,
    pub(super) narrowing: Vec<String>,
    pub(super) providers: HashMap<String, String>,
    pub(super) plain_modules: HashMap<String, Vec<String>>,
    pub(super) holders: HashMap<String, String>,
    pub(super) seconds: HashMap<String, f64>,
    pub(super) bytes: HashMap<String, f64>,
    pub(super) object_identifiers: HashMap<String, String>,
}

/// The words of this program.
pub(super) static WORDS: LazyLock<Vocabulary> = LazyLock::new(|| {
    let text = include_str!("../../assets/rules/words.toml");
    toml::from_str(text).expect("the embedded table is valid")
});

/// True if a list has the word.
pub(super) fn has(list: &[String], word: &str) -> bool {
    list.iter().any(|it| it == word)
}

/// True if a name of `words` has all words of one of the `phrases`.
pub(super) fn has_all_of_one(words: &[String], phrases: &[String]) -> bool {
    let is_in = |phrase: &String| phrase.split(' ').all(|word| has(words, word));
    phrases.iter().any(is_in)
}
