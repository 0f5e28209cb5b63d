//! The provider schemas that go with a plan: a file that the person names, or a file beside the plan.
//!
//! A plan does not give types: it does not tell numbers from texts or sets from lists, and does not mark computed values. The
//! output of `terraform providers schema -json` does, and that of `tofu providers schema -json`, which has the same form.
//! Neither names a file. Beside a plan or a state, schemas are found under the usual names: `PLAN.schemas.json` (in place of
//! the extension of the plan) or one of [`NAMES`].

use std::fmt;
use std::path::{Path, PathBuf};

use memchr::memmem;

use super::{Input, Limits, LoadError, whole};
use crate::json::{self, Numbers};
use crate::terraform::schema::{HiddenPlaces, Schemas};
use crate::value::Value;

/// The key that every file of schemas has.
const KEY: &[u8] = b"\"provider_schemas\"";

/// Maximum size in bytes of schemas that are read without being asked for.
const MAX_BESIDE: u64 = 256 << 20;

/// The usual names of schemas of a whole folder, in the order in which they are looked for.
pub const NAMES: [&str; 6] = [
    "providers.json",
    "schemas.json",
    "schema.json",
    "providers-schema.json",
    "provider-schemas.json",
    "tfschemas.json",
];

/// A file of schemas.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Found<T> {
    /// Its name, for the person.
    pub name: String,
    /// True if it was found beside the plan; false if the person named it.
    pub is_beside: bool,
    /// Its contents.
    pub contents: T,
}

impl<T> fmt::Display for Found<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        if self.is_beside {
            f.write_str(", which lies beside")?;
        }
        Ok(())
    }
}

/// The document with the schemas that the person named.
fn document(path: &Path) -> Result<Value, LoadError> {
    let input = Input::Path(path.to_owned());
    let value = whole::value(&input)?;
    if !is_schemas(&value) {
        return Err(LoadError::unreadable(
            &super::name(&input),
            "is something else, expected what `terraform providers schema -json` prints".to_owned(),
        ));
    }
    Ok(value)
}

/// The schemas that go with `input`: those that the person named, else those beside it (of two files beside the old one, then
/// the new one); `None` if there are none. Other files beside it do not count.
///
/// # Errors
///
/// If the schemas that the person named cannot be read.
pub fn of(input: &Input) -> Result<Option<Found<Schemas>>, LoadError> {
    match input {
        Input::WithSchemas(both) => Ok(Some(Found {
            name: name(&both.1),
            is_beside: false,
            contents: Schemas::new(&document(&both.1)?),
        })),
        Input::Pair(pair) => Ok(of(&pair.0)?.or(of(&pair.1)?)),
        Input::Path(_) => Ok(beside_of(input).map(|(path, document)| Found {
            name: name(&path),
            is_beside: true,
            contents: Schemas::new(&document),
        })),
        Input::Keyed(_) => of(input.bare()),
        Input::Folder(_) | Input::Stdin | Input::Bytes { .. } => Ok(None),
    }
}

/// The places that the schemas of `input` mark as sensitive or write-only; none without schemas.
pub(super) fn hidden(input: &Input) -> Result<HiddenPlaces, LoadError> {
    Ok(match input.bare() {
        Input::WithSchemas(both) => HiddenPlaces::new(&document(&both.1)?),
        _ => match beside_of(input) {
            Some((_, document)) => HiddenPlaces::new(&document),
            None => HiddenPlaces::default(),
        },
    })
}

/// `to` with the schemas of `from`, unless `to` has its own schemas.
pub fn lend(from: &Input, to: Input) -> Input {
    let own = |input: &Input| match input.bare() {
        Input::WithSchemas(both) => Some(both.1.clone()),
        bare => beside_of(bare).map(|(path, _)| path),
    };
    if own(&to).is_some() {
        return to;
    }
    match own(from) {
        Some(schemas) => to.with_schemas(&schemas),
        None => to,
    }
}

/// The schemas beside a file.
fn beside_of(input: &Input) -> Option<(PathBuf, Value)> {
    match input.bare() {
        Input::Path(path) => beside(path).find_map(|path| {
            let bytes = short(&path).filter(|bytes| memmem::find(bytes, KEY).is_some())?;
            let value = json::parse(&bytes, Numbers::Exact).ok()?.value;
            is_schemas(&value).then_some((path, value))
        }),
        _ => None,
    }
}

/// Like [`of`], as bytes.
pub(super) fn bytes(input: &Input) -> Result<Option<Found<Vec<u8>>>, LoadError> {
    match input {
        Input::WithSchemas(both) => {
            let bytes = whole::bytes(&Input::Path(both.1.clone()))?;
            Ok(Some(Found {
                name: name(&both.1),
                is_beside: false,
                contents: bytes,
            }))
        }
        Input::Path(path) => Ok(beside(path).find_map(|path| {
            // A file with such a name may be something else.
            let contents = short(&path).filter(|bytes| memmem::find(bytes, KEY).is_some())?;
            Some(Found {
                name: name(&path),
                is_beside: true,
                contents,
            })
        })),
        Input::Keyed(_) => bytes(input.bare()),
        Input::Folder(_) | Input::Pair(_) | Input::Stdin | Input::Bytes { .. } => Ok(None),
    }
}

fn is_schemas(value: &Value) -> bool {
    value
        .get("provider_schemas")
        .is_some_and(|it| it.as_map().is_some())
        || value.get("format_version").is_some() && value.as_map().is_some_and(|map| map.len() == 1)
}

fn beside(path: &Path) -> impl Iterator<Item = PathBuf> {
    let own = std::iter::once(path.with_extension("schemas.json"));
    own.chain(NAMES.map(|name| path.with_file_name(name)))
}

/// The bytes of a file that exists and is not too big.
fn short(path: &Path) -> Option<Vec<u8>> {
    let bytes = super::side::read(path, MAX_BESIDE).ok()?;
    super::memory::expect(&Input::Path(path.to_owned()), Limits::default());
    Some(bytes)
}

fn name(path: &Path) -> String {
    path.file_name().map_or_else(
        || path.display().to_string(),
        |name| name.to_string_lossy().into_owned(),
    )
}
