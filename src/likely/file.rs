//! The files of this room in TOML: forms, a table for each, and names of secrets. The head of each file says what its keys mean.

use std::sync::{LazyLock, OnceLock};

use serde::Deserialize;

use super::forms::Compiled;

/// The look that a value needs to be the secret that its name announces.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Look {
    /// Any text that is not obviously something else.
    Any,
    /// Also not a word, and not a name made of words.
    Mixed,
    /// Also long and without an inner order.
    Random,
    /// A scheme and its credentials: `Bearer …`.
    Header,
}

/// A form of secret texts, as a file has it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Form {
    /// Its name.
    pub id: String,
    /// The thing that such a text is, with its article.
    pub says: String,
    /// The literal beginnings.
    pub(super) starts: Vec<String>,
    /// The expression, which is compiled when first needed.
    #[serde(rename = "form")]
    pub(super) expression: String,
    /// The expression of the text before the beginning.
    pub(super) before: Option<String>,
    /// Number of characters before the beginning that belong to the form.
    #[serde(default)]
    pub(super) back: usize,
    /// True if the match may stand inside a word.
    #[serde(default)]
    pub(super) inside: bool,
    /// Minimum number of different characters: fewer are a placeholder.
    #[serde(default = "usual_letters")]
    pub(super) letters: usize,
    /// The expression of placeholders.
    pub(super) except: Option<String>,
    /// True if a text of this form is secret without doubt.
    #[serde(skip, default = "sure")]
    pub is_sure: bool,
    /// The look of the secret in it.
    #[serde(rename = "value")]
    pub(super) look: Option<Look>,
    #[serde(skip)]
    pub(super) compiled: OnceLock<Compiled>,
}

fn usual_letters() -> usize {
    8
}

fn sure() -> bool {
    true
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FormsFile {
    #[serde(rename = "form")]
    forms: Vec<Form>,
}

/// The forms in `text`, a file of this program.
pub(super) fn parse(text: &str) -> Vec<Form> {
    let file: FormsFile = toml::from_str(text).expect("a test reads the file");
    file.forms
}

/// Words and expressions that tell whether a text can be a secret. The comments of the file say what each list is for.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Words {
    pub schemes: Vec<String>,
    pub setters: Vec<String>,
    pub of_sentences: Vec<String>,
    pub elsewhere: Vec<String>,
}

pub(super) static WORDS: LazyLock<Words> = LazyLock::new(|| {
    let text = include_str!("../../assets/secrets/words.toml");
    toml::from_str(text).expect("a test reads the file")
});

/// The reason why a file of names cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct NamesError(String);

impl NamesError {
    pub(super) fn of_form(id: &str, message: &str) -> Self {
        Self(format!("form `{id}`: {message}"))
    }
}

/// The contents of a file of names. A person's file may also have forms.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct NamesFile {
    #[serde(rename = "name", default)]
    pub rows: Vec<Row>,
    #[serde(rename = "form", default)]
    pub forms: Vec<Form>,
    #[serde(default)]
    pub lists: Lists,
}

/// Endings of names, with the look of the values that are secret.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Row {
    #[expect(dead_code, reason = "names the row in the file and in its cases")]
    id: String,
    pub value: Look,
    pub ends: Vec<String>,
}

/// The lists of words in a file of names.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Lists {
    pub after: Vec<String>,
    pub starts: Vec<String>,
    pub never: Vec<String>,
    pub other_keys: Vec<String>,
    pub beside: Vec<String>,
    pub values: Vec<String>,
    pub plain: Vec<String>,
    pub about: Vec<String>,
}

/// The names in `text`.
pub(super) fn names(text: &str) -> Result<NamesFile, NamesError> {
    toml::from_str(text).map_err(|error| NamesError(error.message().to_owned()))
}
