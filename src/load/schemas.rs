//! The provider schemas that go with a plan: a file that the person names, or a file beside the plan.
//!
//! A plan has no types: numbers may be written as texts, sets look like lists, and computed values have no mark. The output of
//! `terraform providers schema -json` has them, and so has that of `tofu providers schema -json`, in the same form. Neither
//! names a file. Beside a plan or a state, schemas are found under the usual names: `PLAN.schemas.json` (in place of the
//! extension of the plan) or one of [`NAMES`].

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use memchr::memmem;

use super::{Input, Limits, LoadError, Origin, kind, prepare, sidecar, whole};
use crate::json::{self, Numbers};
use crate::stack::{Kind, Note, Severity};
use crate::terraform::schema::{HiddenPlaces, Schemas};
use crate::text::Limit;
use crate::value::Value;

/// The key that every file of schemas has.
const KEY: &[u8] = b"\"provider_schemas\"";

/// The limit of schemas that are read without being asked for.
const BESIDE: Limit = Limit {
    bytes: 256 << 20,
    advice: "--schema reads it anyway",
};

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
pub struct SchemaFile<T> {
    /// Its name, for the person.
    pub name: String,
    /// True if it was found beside the plan; false if the person named it.
    pub is_beside: bool,
    /// Its contents.
    pub contents: T,
}

impl<T> fmt::Display for SchemaFile<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        if self.is_beside {
            f.write_str(", found in the same folder")?;
        }
        Ok(())
    }
}

/// The document with the schemas that the person named.
fn document(path: &Path) -> Result<Value, LoadError> {
    let input = Input::path(path);
    let value = whole::value(&input)?;
    if !is_schemas(&value) {
        return Err(LoadError::unreadable(
            &super::name(&input),
            "is not a schema file, expected the output of `terraform providers schema -json`"
                .to_owned(),
        ));
    }
    Ok(value)
}

/// The person's schemas, else those next to the input. Of two inputs the older one's come first. Otherwise `None`.
///
/// # Errors
///
/// If the schemas that the person named cannot be read.
pub fn of(input: &Input) -> Result<Option<SchemaFile<Schemas>>, LoadError> {
    if let Some(path) = &input.schemas {
        return Ok(Some(SchemaFile {
            name: name(path),
            is_beside: false,
            contents: Schemas::new(&document(path)?),
        }));
    }
    // A part of a schema may lack the attributes that are needed.
    let whole = |origin| beside_of(origin).filter(|it| it.trouble.is_none());
    Ok(input.origins().find_map(whole).map(|it| SchemaFile {
        name: name(&it.path),
        is_beside: true,
        contents: Schemas::new(&it.document),
    }))
}

/// The places that the schemas of `input` mark as sensitive or write-only; none without schemas. An unreadable
/// companion schema file adds a note.
pub(super) fn hidden(input: &Input) -> Result<(HiddenPlaces, Option<Note>), LoadError> {
    if let Some(path) = &input.schemas {
        let note = input
            .has_schemas_as_file
            .then(|| Note::new(Severity::Info, PLACE, as_file(path)));
        return Ok((HiddenPlaces::new(&document(path)?), note));
    }
    Ok(match beside_of(&input.origin) {
        Some(it) => (HiddenPlaces::new(&it.document), it.note()),
        None => (HiddenPlaces::default(), None),
    })
}

/// Says that a file of schemas, which was given as one of several files, is used as with `--schema`.
pub fn as_file(path: &Path) -> String {
    let name = name(path);
    format!("{name} holds the schemas of providers: it is used as with --schema, not compared")
}

/// The files without the one that holds schemas, and that one.
///
/// # Errors
///
/// If several hold schemas.
pub fn apart(files: Vec<PathBuf>) -> Result<(Vec<PathBuf>, Option<PathBuf>), LoadError> {
    // A pipe can be read only once.
    let is_schemas = |file: &PathBuf| {
        let kind = || kind(&Input::path(file)).ok();
        file.is_file() && kind() == Some(Kind::ProviderSchemas)
    };
    if files.len() < 2 {
        return Ok((files, None));
    }
    let (mut schemas, others): (Vec<_>, Vec<_>) = files.into_iter().partition(is_schemas);
    match (schemas.pop(), schemas.pop()) {
        (Some(one), Some(_)) => Err(LoadError::Incomparable {
            file: one.display().to_string(),
            kind: Kind::ProviderSchemas,
        }),
        (schemas, _) => Ok((others, schemas)),
    }
}

/// The place of a note on the schemas that a file is read with.
pub(crate) const PLACE: &str = "the schemas";

/// `to` with the schemas of `from`, unless `to` has its own schemas.
pub fn lend(from: &Input, to: Input) -> Input {
    let own = |input: &Input| {
        let named = input.schemas.clone();
        named.or_else(|| beside_of(&input.origin).map(|it| it.path))
    };
    if own(&to).is_some() {
        return to;
    }
    match own(from) {
        Some(schemas) => to.with_schemas(&schemas),
        None => to,
    }
}

/// A file of schemas beside another file.
struct Beside {
    path: PathBuf,
    /// The part of it that could be read.
    document: Value,
    /// The reason why it could not be read whole.
    trouble: Option<String>,
}

impl Beside {
    fn note(&self) -> Option<Note> {
        let trouble = self.trouble.as_ref()?;
        let (file, part) = (name(&self.path), is_schemas(&self.document));
        let read = if part { "in part" } else { "not" };
        Some(Note::new(
            Severity::Warning,
            PLACE,
            format!(
                "{file} was {read} read: {trouble}; values that the rest of it would mask are shown"
            ),
        ))
    }
}

/// The schemas beside a file: the first that can be read whole, else the first that is damaged.
fn beside_of(origin: &Origin) -> Option<Beside> {
    let Origin::Path(path) = origin else {
        return None;
    };
    let mut damaged = None;
    for path in beside(path) {
        match schemas_in(&path) {
            Some(found) if found.trouble.is_none() => return Some(found),
            found => damaged = damaged.or(found),
        }
    }
    damaged
}

/// The schemas in a file; `None` if it is something else.
fn schemas_in(path: &Path) -> Option<Beside> {
    let found = |document, trouble| {
        Some(Beside {
            path: path.to_owned(),
            document,
            trouble,
        })
    };
    let is_schema_text = |bytes: &[u8]| memmem::find(bytes, KEY).is_some();
    let bytes = match short(path) {
        Ok(bytes) => prepare::utf8(bytes),
        Err(error) => {
            let head = sidecar::head(path).map(prepare::utf8).unwrap_or_default();
            return is_schema_text(&head)
                .then(|| found(Value::NULL, Some(error.to_string())))
                .flatten();
        }
    };
    if !is_schema_text(&bytes) {
        return None;
    }
    match json::parse(&bytes, Numbers::Exact) {
        Ok(parsed) => is_schemas(&parsed.value)
            .then(|| found(parsed.value, None))
            .flatten(),
        Err(error) => {
            let part = part(&bytes[..error.offset.min(bytes.len())]);
            let part = json::parse(&part, Numbers::Exact).map(|parsed| parsed.value);
            let part = part.ok().filter(is_schemas).unwrap_or_default();
            found(part, Some(error.to_string()))
        }
    }
}

/// The longest prefix of a cut-off document that ends after an element, with its open containers closed.
fn part(text: &[u8]) -> Vec<u8> {
    let (mut end, mut closers) = (0, Vec::new());
    let (mut open, mut is_text, mut is_escaped) = (Vec::new(), false, false);
    for (at, byte) in text.iter().enumerate() {
        if is_text {
            is_text = is_escaped || *byte != b'"';
            is_escaped = !is_escaped && *byte == b'\\';
            continue;
        }
        match byte {
            b'"' => is_text = true,
            b'{' => open.push(b'}'),
            b'[' => open.push(b']'),
            b'}' | b']' => _ = open.pop(),
            _ => {}
        }
        let is_end = match byte {
            b',' => Some(at),
            b'{' | b'[' | b'}' | b']' => Some(at + 1),
            _ => None,
        };
        if let Some(at) = is_end {
            end = at;
            closers.clone_from(&open);
            if open.is_empty() {
                break;
            }
        }
    }
    let mut whole = text[..end].to_vec();
    whole.extend(closers.iter().rev());
    whole
}

/// Like [`of`], as bytes.
pub(super) fn bytes(input: &Input) -> Result<Option<SchemaFile<Vec<u8>>>, LoadError> {
    if let Some(path) = &input.schemas {
        return Ok(Some(SchemaFile {
            name: name(path),
            is_beside: false,
            contents: whole::bytes(&Input::path(path))?,
        }));
    }
    match &input.origin {
        Origin::Path(path) => Ok(beside(path).find_map(|path| {
            // A file with such a name may be something else.
            let contents = short(&path)
                .ok()
                .filter(|bytes| memmem::find(bytes, KEY).is_some())?;
            Some(SchemaFile {
                name: name(&path),
                is_beside: true,
                contents,
            })
        })),
        Origin::Object(_) | Origin::Roots(_) | Origin::Stdin | Origin::Bytes { .. } => Ok(None),
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
fn short(path: &Path) -> io::Result<Vec<u8>> {
    let bytes = sidecar::read(path, BESIDE)?;
    super::memory::expect(&Input::path(path), Limits::default());
    Ok(bytes)
}

fn name(path: &Path) -> String {
    path.file_name().map_or_else(
        || path.display().to_string(),
        |name| name.to_string_lossy().into_owned(),
    )
}
