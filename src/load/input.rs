//! Inputs: the origin of a document's bytes, and the options of its loading.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::Limits;
use super::cost::Costs;
use super::fleet::Roots;
use super::keys::Keys;
use super::record::Recording;
use super::remote::Address;
use crate::change::rules::Rules;
use crate::likely::Masking;

/// A file to load, or two to compare.
#[derive(Clone, Debug)]
pub struct Input {
    /// The file; of two files the newer one.
    pub origin: Origin,
    /// The older file that it is compared with.
    pub older: Option<Origin>,
    /// The keys to try if a file is encrypted.
    pub keys: Option<Arc<Keys>>,
    /// The file with the schemas of the providers, if the person named one. It is for both files.
    pub schemas: Option<PathBuf>,
    /// True if `schemas` were given as one of two files.
    pub has_schemas_as_file: bool,
    /// The record of the review, if the person named a file for it.
    pub record: Option<Box<Recording>>,
    /// The costs of the plan, if the person named a file.
    pub costs: Option<Arc<Costs>>,
    /// The limits of the explorer on the size of the file.
    pub limits: Limits,
    /// The rules of the review, if the person named any beside those of this program.
    pub rules: Option<Arc<Rules>>,
    /// The rules for the secrets that a file does not mark.
    pub masking: Masking,
}

/// The origin of a file's bytes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Origin {
    /// A file.
    Path(PathBuf),
    /// An object in a bucket, or a state behind HTTP.
    Object(Address),
    /// Places with many stacks, of which a person has to choose one.
    Roots(Roots),
    /// Standard input.
    Stdin,
    /// Bytes in memory, with a name for messages: the demo.
    Bytes {
        /// The name.
        name: String,
        /// The contents.
        bytes: Arc<[u8]>,
    },
}

/// The contents of keys are not compared: two inputs are equal only if they share the same keys.
impl PartialEq for Input {
    fn eq(&self, other: &Self) -> bool {
        let keys = |input: &Self| input.keys.as_ref().map(Arc::as_ptr);
        (&self.origin, &self.older, &self.schemas) == (&other.origin, &other.older, &other.schemas)
            && keys(self) == keys(other)
            && self.masking == other.masking
    }
}

impl Eq for Input {}

impl From<Origin> for Input {
    fn from(origin: Origin) -> Self {
        Self {
            origin,
            older: None,
            keys: None,
            schemas: None,
            has_schemas_as_file: false,
            record: None,
            costs: None,
            limits: Limits::default(),
            rules: None,
            masking: Masking::default(),
        }
    }
}

impl Input {
    /// A file, or what an [`Address`] names.
    pub fn path(path: impl Into<PathBuf>) -> Self {
        let path = path.into();
        match Address::of(&path) {
            Some(address) => Origin::Object(address).into(),
            None => Origin::Path(path).into(),
        }
    }

    /// The stacks below a folder.
    pub fn folder(folder: impl Into<PathBuf>) -> Self {
        Self::roots(Roots::new([folder.into()]))
    }

    /// The stacks below some places.
    pub fn roots(roots: Roots) -> Self {
        Origin::Roots(roots).into()
    }

    /// Standard input.
    pub fn stdin() -> Self {
        Origin::Stdin.into()
    }

    /// Bytes in memory, with a name for messages.
    pub fn bytes(name: impl Into<String>, bytes: impl Into<Arc<[u8]>>) -> Self {
        Origin::Bytes {
            name: name.into(),
            bytes: bytes.into(),
        }
        .into()
    }

    /// Two files to compare. Both get the keys, schemas and rules of either.
    pub fn pair(old: Self, new: Self) -> Self {
        Self {
            origin: new.origin,
            older: Some(old.origin),
            keys: new.keys.or(old.keys),
            limits: new.limits,
            record: new.record.or(old.record),
            costs: new.costs.or(old.costs),
            has_schemas_as_file: new.has_schemas_as_file || old.has_schemas_as_file,
            schemas: new.schemas.or(old.schemas),
            rules: new.rules.or(old.rules),
            masking: new.masking,
        }
    }

    /// The same input, with `keys` in place of any other keys.
    #[must_use]
    pub fn with_keys(mut self, keys: Arc<Keys>) -> Self {
        self.keys = Some(keys);
        self
    }

    /// The same input, with these schemas in place of any other ones.
    #[must_use]
    pub fn with_schemas(mut self, schemas: &Path) -> Self {
        self.schemas = Some(schemas.to_path_buf());
        self
    }

    /// The origin of a file that is not compared with another one.
    pub fn sole_origin(&self) -> Option<&Origin> {
        match self.older {
            Some(_) => None,
            None => Some(&self.origin),
        }
    }

    /// The origins of its files, the old one first.
    pub fn origins(&self) -> impl Iterator<Item = &Origin> {
        self.older.iter().chain([&self.origin])
    }

    /// The paths of the files that it is read from.
    pub fn paths(&self) -> Vec<&Path> {
        fn path(origin: &Origin) -> Option<&Path> {
            match origin {
                Origin::Path(path) => Some(path),
                Origin::Object(_) | Origin::Roots(_) | Origin::Stdin | Origin::Bytes { .. } => None,
            }
        }
        self.origins().filter_map(path).collect()
    }
}

/// The name of `input` for messages.
pub fn name(input: &Input) -> String {
    let of = |origin: &Origin| match origin {
        Origin::Path(path) => path.display().to_string(),
        Origin::Object(address) => address.to_string(),
        Origin::Roots(roots) => roots.to_string(),
        Origin::Stdin => "standard input".to_owned(),
        Origin::Bytes { name, .. } => name.clone(),
    };
    input.origins().map(of).collect::<Vec<_>>().join(" → ")
}
