//! The rules of a review: those of this program, and the files that the person names.

use std::borrow::Cow;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use super::LoadError;
use crate::change::rules::{ParseError, Rules};

/// Maximum size of a file of rules, in bytes.
const MAX_RULES: u64 = 16 << 20;

/// The reason why a file of rules cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum RulesError {
    /// The file cannot be read.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// The file is wrong.
    #[error(transparent)]
    Parse(#[from] ParseError),
}

/// The rules of this program with those of `files`.
///
/// # Errors
///
/// If a file cannot be read, or is no file of rules.
pub fn rules(files: &[PathBuf]) -> Result<Cow<'static, Rules>, RulesError> {
    let mut rules = Cow::Borrowed(Rules::built_in());
    for file in files {
        let name = file.display().to_string();
        let text = text(file).map_err(|source| LoadError::Io {
            file: name.clone(),
            source,
        })?;
        rules = Cow::Owned(rules.into_owned().with_file(&name, &text)?);
    }
    Ok(rules)
}

fn text(file: &Path) -> std::io::Result<String> {
    let mut text = String::new();
    File::open(file)?
        .take(MAX_RULES)
        .read_to_string(&mut text)?;
    Ok(text)
}
