//! Loading: reads a path or a pipe in chunks, turns them into records, and reads bytes again on demand. The only reader of the
//! file system.

mod ahead;
pub mod asset;
pub mod audit;
pub mod brief;
mod byte_source;
mod collect;
pub mod compare;
pub mod configuration;
pub mod configuration_file;
pub mod cost;
mod cycles;
mod damage;
pub mod export;
pub mod fleet;
pub mod folder;
mod identity;
mod input;
pub mod keys;
mod live;
pub mod log_file;
mod logged;
mod masking;
pub mod memory;
mod merged;
mod nearby;
pub mod output;
mod prepare;
pub mod record;
mod registry;
pub mod remote;
mod repeated;
pub mod rules;
mod run;
pub mod schemas;
mod sidecar;
mod subject;
mod supplied;
pub mod timeline;
pub mod whole;
mod workers;

pub use crate::format::log_secrets::LogSecrets;
pub use compare::Compared;
pub use cycles::Cycles;
pub use identity::Identity;
pub use input::{Input, Origin, name};
pub use nearby::Nearby;

use std::collections::{HashMap, HashSet};
#[cfg(feature = "internals")]
use std::io::Read;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use hashbrown::DefaultHashBuilder;
use keys::KeysError;

use crate::change::secret_texts::Filter as _;
use crate::format::log_secrets::HIDDEN;
use crate::format::{ReadError, Source};
use crate::stack::graph::Graph;
use crate::stack::{
    Batch, Counts, Damage, Edge, Expressions, Header, Invocation, Kind, ModuleCall, Note, Output,
    Resource, ResourceId, Severity, Sources, Span, Stack,
};
use crate::text::Limit;
use prepare::{Body, Prepared};
use subject::Subject;

/// The events while a file loads, in this order: one `Opened`, any number of `Indexed`, one `Finished`. If one pipe has a
/// preview followed by the events of the update, the whole sequence comes once more. It replaces all earlier events.
pub enum LoadEvent {
    /// The format is known.
    Opened {
        /// The file, with its header and without resources.
        document: Box<Document>,
        /// Size of the file in bytes, if known.
        total: Option<u64>,
    },
    /// More resources.
    Indexed {
        /// The additions to the stack.
        batch: Box<Batch>,
        /// Number of bytes read so far.
        bytes: u64,
    },
    /// The end of the file, or of loading.
    Finished(Box<Summary>),
}

/// The facts that are known only at the end of the file.
pub struct Summary {
    /// The header, now whole.
    pub header: Header,
    /// The outputs of the stack.
    pub outputs: Vec<Output>,
    /// Further notes. A note about a resource may omit its place, which is then the name of the resource.
    pub notes: Vec<Note>,
    /// Counts over the whole file.
    pub counts: Counts,
    /// The dependencies between resources.
    pub graph: Graph,
    /// Circles of needs in the graph.
    pub cycles: Cycles,
    /// The needs of resources, as the configuration gives them; see [`Stack::references`].
    pub references: Arc<HashMap<Arc<str>, Vec<Edge>>>,
    /// The arguments of resources, as the configuration gives them; see [`Stack::expressions`].
    pub expressions: Arc<Expressions>,
    /// See [`Stack::module_calls`].
    pub module_calls: Arc<HashMap<Arc<str>, ModuleCall>>,
    /// The actions that a plan invokes; see [`Stack::invocations`].
    pub invocations: Vec<Invocation>,
    /// The arguments of resources that the configuration marks as sensitive; see [`Stack::sensitive`].
    pub sensitive: Arc<HashMap<Arc<str>, Vec<crate::path::Path>>>,
    /// The resources with messages that repeat a secret; see [`Stack::repeating`].
    pub repeating: Arc<HashSet<ResourceId>>,
    /// The secrets of a log, which notes may repeat.
    pub secrets: LogSecrets,
    /// The files of the configuration; see [`Stack::sources`].
    pub sources: Arc<Sources>,
    /// Damage to the file itself; the part before it is shown.
    pub damage: Option<Damage>,
    /// True if the person stopped the loading before the end.
    pub stopped: bool,
}

/// The reason why a file cannot be shown at all.
#[derive(thiserror::Error, Debug)]
pub enum LoadError {
    /// The system refused (exit code 74).
    #[error("{file}: {}", in_words(source))]
    Io {
        /// The file.
        file: String,
        /// The system's error.
        source: std::io::Error,
    },
    /// OpenTofu encrypted it, and no known key opens it (exit code 65).
    #[error("{file}: {source}")]
    Locked {
        /// The file.
        file: String,
        /// The reason why it cannot be decrypted.
        source: KeysError,
        /// The key that a person could type to open it, in words; `None` if nothing would help.
        wants: Option<&'static str>,
        /// The input to open with the typed key.
        input: Box<Input>,
    },
    /// One of two files is cut off or broken, so they are not compared (exit code 65).
    #[error("{file}: {message}; --allow-damaged compares what was read")]
    Damaged {
        /// The file.
        file: String,
        /// The damage, with its place.
        message: String,
    },
    /// Two files that cannot be compared (exit code 64).
    #[error("a file of {} and one of {} cannot be compared, expected two files of one tool", one.tool(), other.tool())]
    Unlike {
        /// The kind of the old file.
        one: Kind,
        /// The kind of the new file.
        other: Kind,
    },
    /// One of two files has no values to compare (exit code 64).
    #[error("{file}: {}", in_place_of(*kind))]
    Incomparable {
        /// The file.
        file: String,
        /// Its kind.
        kind: Kind,
    },
    /// It is something else (exit code 65).
    #[error("{file}: {message}")]
    Unreadable {
        /// The file.
        file: String,
        /// Three parts: what the file looks like, what was expected, and where.
        message: String,
        /// Details for a person who asks for them.
        detail: String,
    },
}

/// A file that is open, or two that are compared: the index, and the bytes.
#[derive(Clone)]
pub struct Document {
    /// The index.
    pub stack: Stack,
    /// The bytes.
    pub source: Arc<dyn Source>,
    /// The two files, if they are compared.
    pub compared: Option<Arc<Compared>>,
    /// The sources next to the file.
    pub nearby: Arc<Nearby>,
}

impl Document {
    /// A file without resources so far.
    pub fn new(header: Header, source: Arc<dyn Source>) -> Self {
        Self {
            stack: Stack::new(header),
            source,
            compared: None,
            nearby: Arc::default(),
        }
    }

    /// True if the bytes are still those that were indexed.
    pub fn is_unchanged(&self) -> bool {
        let first = Span { offset: 0, len: 1 };
        self.source.read(first).is_ok()
    }

    /// The comparison of two files. Its header is that of the new one.
    fn of_two(header: Header, compared: Arc<Compared>) -> Self {
        let mut stack = Stack::new(header);
        stack.is_comparison = true;
        Self {
            stack,
            source: compared.clone(),
            compared: Some(compared),
            nearby: Arc::default(),
        }
    }

    /// The whole of one resource.
    ///
    /// # Errors
    ///
    /// See [`crate::format::resource`].
    pub fn resource(&self, id: ResourceId) -> Result<Resource, ReadError> {
        self.resource_of(&self.stack, id)
    }

    /// Like [`Document::resource`], with the bytes from `source`, which has those of [`Document::source`].
    fn resource_from(&self, id: ResourceId, source: &dyn Source) -> Result<Resource, ReadError> {
        match &self.compared {
            Some(compared) => compared.resource(id),
            None => crate::format::resource(&self.stack, id, source),
        }
    }

    /// Like [`Document::resource`], with another state of the index.
    fn resource_of(&self, stack: &Stack, id: ResourceId) -> Result<Resource, ReadError> {
        match &self.compared {
            Some(compared) => compared.resource(id),
            None => crate::format::resource(stack, id, &*self.source),
        }
    }
}

/// Like [`load_limited`], with the usual limits: the way into the library for tests and examples.
///
/// # Errors
///
/// If nothing in it can be shown.
#[cfg(any(test, feature = "internals"))]
pub fn load(input: &Input) -> Result<Document, LoadError> {
    load_limited(input, Limits::default())
}

/// Reads all of `input`.
///
/// # Errors
///
/// If nothing in it can be shown. Errors in parts of it become notes of the stack.
pub fn load_limited(input: &Input, limits: Limits) -> Result<Document, LoadError> {
    load_within(input, limits, &AtomicBool::new(false))
}

/// Like [`load_limited`]; the document is incomplete if `cancel` was set.
fn load_within(input: &Input, limits: Limits, cancel: &AtomicBool) -> Result<Document, LoadError> {
    let mut document: Option<Document> = None;
    stream_within(
        input,
        limits,
        cancel,
        &mut |event| match (event, &mut document) {
            (
                LoadEvent::Opened {
                    document: begun, ..
                },
                document,
            ) => *document = Some(*begun),
            (LoadEvent::Indexed { batch, .. }, Some(document)) => document.stack.extend(*batch),
            (LoadEvent::Finished(summary), Some(document)) => settle(&mut document.stack, *summary),
            (LoadEvent::Indexed { .. } | LoadEvent::Finished(_), None) => {}
        },
    )?;
    document.ok_or_else(|| LoadError::Unreadable {
        file: name(input),
        message: "nothing to read".to_owned(),
        detail: String::new(),
    })
}

/// Puts the facts from the end of the file into the stack.
pub fn settle(stack: &mut Stack, mut summary: Summary) {
    if !summary.secrets.is_empty() {
        for note in Arc::make_mut(&mut stack.notes) {
            if summary.secrets.are_in(&note.message) {
                HIDDEN.clone_into(&mut note.message);
            }
        }
    }
    stack.header = summary.header;
    stack.outputs = Arc::new(summary.outputs);
    let mut notes = summary.notes;
    if let Some(damage) = &summary.damage {
        let note = Note::new(Severity::Error, "the file", damage.message.clone());
        notes.insert(0, note);
    }
    notes.extend(summary.cycles.notes(stack));
    stack.name_places(&mut notes);
    Arc::make_mut(&mut stack.notes).extend(notes);
    stack.counts = summary.counts;
    stack.graph = Arc::new(summary.graph);
    stack.references = summary.references;
    stack.expressions = summary.expressions;
    stack.module_calls = summary.module_calls;
    stack.set_invocations(summary.invocations);
    stack.sensitive = summary.sensitive;
    stack.repeating = summary.repeating;
    stack.sources = summary.sources;
    stack.damage = summary.damage;
}

/// Limits on the sizes of files.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Maximum number of bytes of an unpacked file, and of a file that has to be read whole.
    pub max_bytes: u64,
    /// The advice to a person with a larger file.
    pub advice: &'static str,
    /// True if even a small compressed file may unpack to `max_bytes`.
    pub any_ratio: bool,
    /// True if files that are cut off may be compared. A resource that is missing in such a file is then neither new nor
    /// deleted.
    pub allow_damaged: bool,
}

impl Limits {
    /// The limits of a person who names a size.
    pub fn up_to(max_bytes: u64) -> Self {
        Self {
            max_bytes,
            any_ratio: true,
            ..Self::default()
        }
    }

    /// The limit of what is read whole.
    pub fn whole(self) -> Limit {
        Limit {
            bytes: self.max_bytes,
            advice: self.advice,
        }
    }
}

impl Default for Limits {
    /// 4 GiB, and no decompression bombs.
    fn default() -> Self {
        Self {
            max_bytes: 4 << 30,
            advice: "--max-size allows more",
            any_ratio: false,
            allow_damaged: false,
        }
    }
}

/// The kind of a file, by its first bytes.
///
/// # Errors
///
/// If it cannot be read or is of no known kind.
pub fn kind(input: &Input) -> Result<Kind, LoadError> {
    let prepared = prepare::prepare(input, input.limits)?;
    Ok(prepared.format.kind)
}

/// Reads `input` piece by piece and passes the findings to `sink`, until the end or until `cancel` is set.
///
/// # Errors
///
/// If nothing in it can be shown.
pub fn stream_within(
    input: &Input,
    limits: Limits,
    cancel: &AtomicBool,
    sink: &mut dyn FnMut(LoadEvent),
) -> Result<(), LoadError> {
    stream_digested(input, limits, cancel, None, sink)
}

/// Like [`stream_within`]. With a `digest`, batches have the hashes of the bytes of resources, if these are read piece by
/// piece.
///
/// # Errors
///
/// If nothing in it can be shown.
pub fn stream_digested(
    input: &Input,
    limits: Limits,
    cancel: &AtomicBool,
    digest: Option<&DefaultHashBuilder>,
    sink: &mut dyn FnMut(LoadEvent),
) -> Result<(), LoadError> {
    memory::expect(input, limits);
    let nearby = Arc::new(Nearby::of(input));
    let sink = &mut |mut event| {
        if let LoadEvent::Opened { document, .. } = &mut event {
            document.nearby = Arc::clone(&nearby);
        }
        sink(event);
    };
    if let Some(older) = &input.older {
        return stream_pair(older, input, limits, cancel, sink);
    }
    logged::stream(input, sink, |sink| {
        let prepared = prepare::prepare(input, limits)?;
        index(input, prepared, limits, cancel, digest, sink)
    })
}

/// Like [`stream_within`], for bytes from `reader`; `input` only names them. Tests feed a pipe by hand with it.
///
/// # Errors
///
/// If nothing in it can be shown.
#[cfg(feature = "internals")]
pub fn stream_from(
    input: &Input,
    reader: Box<dyn Read + Send>,
    limits: Limits,
    cancel: &AtomicBool,
    sink: &mut dyn FnMut(LoadEvent),
) -> Result<(), LoadError> {
    let prepared = prepare::prepare_stream(input, reader, limits)?;
    index(input, prepared, limits, cancel, None, sink)
}

fn index(
    input: &Input,
    prepared: Prepared,
    limits: Limits,
    cancel: &AtomicBool,
    digest: Option<&DefaultHashBuilder>,
    sink: &mut dyn FnMut(LoadEvent),
) -> Result<(), LoadError> {
    let Prepared {
        format,
        body,
        notes,
    } = prepared;
    let subject = Subject::new(input, format, notes, cancel)?;
    let mut masked = |mut event| {
        masking::mask(&mut event, &input.masking);
        sink(event);
    };
    let sink: &mut dyn FnMut(LoadEvent) = &mut masked;
    match body {
        Body::Json(json) => {
            // `pulumi up --json` first prints its preview, and then the events of the update.
            let next = |behind| {
                let log = prepare::prepare_stream(input, behind, limits).ok()?;
                let is_log = log.format.kind == Kind::PulumiEvents;
                (format.kind == Kind::PulumiPreview && is_log).then_some(log)
            };
            match run::run(subject, json, digest, &next, sink)? {
                Some(log) => index(input, log, limits, cancel, digest, sink),
                None => Ok(()),
            }
        }
        Body::Log(log) => {
            let rest = if input.origin == Origin::Stdin {
                live::Rest::Drained
            } else {
                live::Rest::Left
            };
            live::run(subject, log, rest, limits, sink)
        }
    }
}

/// Compares `older` with the other file of `input`.
fn stream_pair(
    older: &Origin,
    input: &Input,
    limits: Limits,
    cancel: &AtomicBool,
    sink: &mut dyn FnMut(LoadEvent),
) -> Result<(), LoadError> {
    let part = |origin: &Origin| Input {
        origin: origin.clone(),
        older: None,
        ..input.clone()
    };
    // Either file may have the schemas of both beside it.
    let old = schemas::lend(&part(&input.origin), part(older));
    let new = schemas::lend(&part(older), part(&input.origin));
    let outcome = compare::stream(&old, &new, limits, cancel, sink);
    outcome.map_err(|error| match error {
        LoadError::Locked {
            file,
            source,
            wants,
            ..
        } => {
            // The bytes of the standard input are gone.
            let is_lost = input.origins().any(|origin| *origin == Origin::Stdin);
            LoadError::Locked {
                file,
                source,
                wants: wants.filter(|_| !is_lost),
                input: Box::new(Input {
                    keys: None,
                    ..input.clone()
                }),
            }
        }
        error => error,
    })
}

/// The contents of a file without values to compare, and the expected ones.
fn in_place_of(kind: Kind) -> String {
    let expected = "expected a state or a plan";
    match kind {
        Kind::ProviderSchemas => format!(
            "holds the schemas of providers, {expected}, and one file of schemas beside it or with --schema"
        ),
        kind => format!("is of the kind {kind}, which has no values to compare, {expected}"),
    }
}

/// An error of the system in words, without its number.
pub fn in_words(error: &std::io::Error) -> String {
    use std::io::ErrorKind;
    match error.kind() {
        // An error of this program has its words.
        _ if error.get_ref().is_some() => error.to_string(),
        ErrorKind::IsADirectory => "this is a folder, expected a file".to_owned(),
        ErrorKind::InvalidData => "this is not text in UTF-8".to_owned(),
        ErrorKind::NotFound => "no such file".to_owned(),
        ErrorKind::PermissionDenied => "permission denied".to_owned(),
        _ => error.to_string(),
    }
}

/// A file that cannot be read or written.
#[derive(thiserror::Error, Debug)]
#[error("{file}: {}", in_words(source))]
pub struct FileError {
    file: String,
    /// The system's error.
    pub source: std::io::Error,
}

impl FileError {
    /// Names the file of an error.
    fn at(file: &std::path::Path) -> impl Fn(std::io::Error) -> Self {
        move |source| Self {
            file: file.display().to_string(),
            source,
        }
    }
}

impl LoadError {
    /// The error of a file that could not be read: from the system, or from invalid contents.
    fn reading(file: &str, source: std::io::Error) -> Self {
        if damage::is_of_contents(&source) {
            return Self::unreadable(file, format!("a compressed file that is broken: {source}"));
        }
        Self::Io {
            file: file.to_owned(),
            source,
        }
    }

    /// The system's refusal of a file.
    pub(crate) fn io(file: &std::path::Path, source: std::io::Error) -> Self {
        Self::Io {
            file: file.display().to_string(),
            source,
        }
    }

    /// A file that is something else, without details.
    pub(crate) fn unreadable(file: &str, message: String) -> Self {
        Self::Unreadable {
            file: file.to_owned(),
            message,
            detail: String::new(),
        }
    }
}
