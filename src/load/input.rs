//! Inputs: the origin of a document's bytes.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::keys::Keys;

/// The origin of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Input {
    /// A file.
    Path(PathBuf),
    /// A folder with several files, of which a person has to choose one.
    Folder(PathBuf),
    /// Standard input.
    Stdin,
    /// Two files to compare, the old one first.
    Pair(Box<(Input, Input)>),
    /// One of these inputs, with the keys that open it if it is encrypted.
    Keyed(Box<Keyed>),
    /// A file, and another one with the schemas of its providers.
    WithSchemas(Box<(Input, PathBuf)>),
    /// Bytes in memory, with a name for messages: the demo.
    Bytes {
        /// The name.
        name: String,
        /// The contents.
        bytes: Arc<[u8]>,
    },
}

/// An input with keys.
#[derive(Clone, Debug)]
pub struct Keyed {
    /// The input, which has no keys itself.
    input: Input,
    /// The keys to try.
    keys: Arc<Keys>,
}

/// The contents of keys are not compared: two inputs are equal only if they share the same keys.
impl PartialEq for Keyed {
    fn eq(&self, other: &Self) -> bool {
        self.input == other.input && Arc::ptr_eq(&self.keys, &other.keys)
    }
}

impl Eq for Keyed {}

impl Input {
    /// The paths of the files that it is read from.
    pub fn paths(&self) -> Vec<&Path> {
        match self {
            Self::Path(path) => vec![path],
            Self::Pair(pair) => [pair.0.paths(), pair.1.paths()].concat(),
            Self::Keyed(keyed) => keyed.input.paths(),
            Self::WithSchemas(both) => both.0.paths(),
            Self::Folder(_) | Self::Stdin | Self::Bytes { .. } => Vec::new(),
        }
    }

    /// The same input, with `keys` in place of any other keys.
    #[must_use]
    pub fn with_keys(self, keys: Arc<Keys>) -> Self {
        let input = match self {
            Self::Keyed(keyed) => keyed.input,
            input => input,
        };
        Self::Keyed(Box::new(Keyed { input, keys }))
    }

    /// The same input without keys.
    pub fn bare(&self) -> &Self {
        match self {
            Self::Keyed(keyed) => &keyed.input,
            input => input,
        }
    }

    /// The keys.
    pub fn keys(&self) -> Option<&Arc<Keys>> {
        match self {
            Self::Keyed(keyed) => Some(&keyed.keys),
            _ => None,
        }
    }

    /// The same file with these schemas beside it; of two files both have them.
    #[must_use]
    pub fn with_schemas(self, schemas: &Path) -> Self {
        match self {
            Self::Pair(pair) => {
                let (old, new) = *pair;
                Self::Pair(Box::new((
                    old.with_schemas(schemas),
                    new.with_schemas(schemas),
                )))
            }
            Self::Keyed(keyed) => {
                let Keyed { input, keys } = *keyed;
                input.with_schemas(schemas).with_keys(keys)
            }
            Self::WithSchemas(both) => both.0.with_schemas(schemas),
            file => Self::WithSchemas(Box::new((file, schemas.to_path_buf()))),
        }
    }

    /// The file itself, without the keys and the schemas that come with it.
    pub fn file(&self) -> &Self {
        match self {
            Self::Keyed(keyed) => keyed.input.file(),
            Self::WithSchemas(both) => both.0.file(),
            file => file,
        }
    }
}

/// The name of `input` for messages.
pub fn name(input: &Input) -> String {
    match input {
        Input::Path(path) | Input::Folder(path) => path.display().to_string(),
        Input::Stdin => "standard input".to_owned(),
        Input::Bytes { name, .. } => name.clone(),
        Input::Keyed(keyed) => name(&keyed.input),
        Input::Pair(pair) => format!("{} → {}", name(&pair.0), name(&pair.1)),
        Input::WithSchemas(both) => name(&both.0),
    }
}
