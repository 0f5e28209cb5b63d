//! The files of this room in TOML: forms, a table for each, and names of secrets. The head of each file says what its keys mean.

use std::sync::OnceLock;

use serde::Deserialize;

use super::Form;
use super::names::Look;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(rename = "form")]
    forms: Vec<Entry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    id: String,
    says: String,
    starts: Vec<String>,
    form: String,
    #[serde(default)]
    back: usize,
    #[serde(default)]
    inside: bool,
    #[serde(default = "usual_letters")]
    letters: usize,
    #[serde(default)]
    except: Option<String>,
    #[serde(default)]
    value: Option<Word>,
    #[serde(default)]
    before: Option<String>,
}

fn usual_letters() -> usize {
    8
}

impl Entry {
    fn form(self) -> Form {
        Form {
            id: self.id,
            says: self.says,
            starts: self.starts,
            expression: self.form,
            before: self.before,
            back: self.back,
            inside: self.inside,
            letters: self.letters,
            except: self.except,
            is_sure: true,
            look: self.value.map(Word::look),
            compiled: OnceLock::new(),
        }
    }
}

/// The forms in `text`, a file of this program.
pub(super) fn parse(text: &str) -> Vec<Form> {
    let file: File = toml::from_str(text).expect("a test reads the file");
    file.forms.into_iter().map(Entry::form).collect()
}

/// A look as a file writes it.
#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Word {
    Any,
    Mixed,
    Random,
    Header,
}

impl Word {
    fn look(self) -> Look {
        match self {
            Self::Any => Look::Any,
            Self::Mixed => Look::Mixed,
            Self::Random => Look::Random,
            Self::Header => Look::Header,
        }
    }
}

/// The reason why a file of names cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct NamesError(String);

impl NamesError {
    pub(super) fn of_form(id: &str, message: &str) -> Self {
        Self(format!("form `{id}`: {message}"))
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NamesFile {
    #[serde(rename = "name", default)]
    rows: Vec<Row>,
    #[serde(rename = "form", default)]
    forms: Vec<Entry>,
    #[serde(default)]
    lists: Lists,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    #[expect(dead_code, reason = "names the row in the file and in its cases")]
    id: String,
    value: Word,
    ends: Vec<String>,
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

/// The contents of a file of names. A person's file may also have forms.
pub(super) struct NameRows {
    pub rows: Vec<(Look, Vec<String>)>,
    pub forms: Vec<Form>,
    pub lists: Lists,
}

/// The names in `text`.
pub(super) fn names(text: &str) -> Result<NameRows, NamesError> {
    let file: NamesFile =
        toml::from_str(text).map_err(|error| NamesError(error.message().to_owned()))?;
    let rows = file.rows.into_iter();
    Ok(NameRows {
        rows: rows.map(|row| (row.value.look(), row.ends)).collect(),
        forms: file.forms.into_iter().map(Entry::form).collect(),
        lists: file.lists,
    })
}
