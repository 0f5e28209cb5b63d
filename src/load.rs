//! Loading: a path or a pipe to chunks, to records, and bytes again on demand. The only reader of the file system.

pub mod asset;
pub mod audit;
mod collect;
pub mod compare;
pub mod configuration;
mod cycles;
mod damage;
mod feed;
pub mod folder;
mod identity;
mod input;
pub mod keys;
mod live;
pub mod memory;
mod merged;
mod prepare;
mod registry;
mod run;
pub mod schemas;
mod side;
mod subject;
mod supplied;
pub mod timeline;
pub mod whole;
mod workers;

pub use compare::Compared;
pub use cycles::Cycles;
pub use identity::Identity;
pub use input::{Input, Keyed, name};

use std::collections::HashMap;
use std::io::Read;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use hashbrown::DefaultHashBuilder;
use keys::KeysError;

use crate::format::{ReadError, Source};
use crate::stack::graph::Graph;
use crate::stack::{
    Batch, Counts, Damage, Edge, Header, Invocation, Kind, Note, Output, Resource, ResourceId,
    Severity, Sources, Stack,
};
use crate::value::Value;
use prepare::{Body, Prepared};
use subject::Subject;

/// What happens while a file loads, in this order: one `Opened`, any number of `Indexed`, one `Finished`. Where a preview is followed
/// by the events of the update in one pipe, all that comes once more, and what was told before does not count any more.
pub enum LoadEvent {
    /// The format is known.
    Opened {
        /// The file, with its header and without resources.
        document: Box<Document>,
        /// How many bytes the file has, where that is known.
        total: Option<u64>,
    },
    /// More resources.
    Indexed {
        /// What to add to the stack.
        batch: Box<Batch>,
        /// How many bytes have been read.
        bytes: u64,
    },
    /// The end of the file, or of loading.
    Finished(Box<Summary>),
}

/// What is known only at the end of the file.
pub struct Summary {
    /// The header, now whole.
    pub header: Header,
    /// The outputs of the stack.
    pub outputs: Vec<Output>,
    /// Further notes. One about a resource may leave its place out: it is the name of the resource.
    pub notes: Vec<Note>,
    /// Counts over the whole file.
    pub counts: Counts,
    /// Who depends on whom.
    pub graph: Graph,
    /// Circles of needs in the graph.
    pub cycles: Cycles,
    /// What the configuration says that resources need; see [`Stack::references`].
    pub references: Arc<HashMap<Arc<str>, Vec<Edge>>>,
    /// What the configuration says of the arguments of resources; see [`Stack::expressions`].
    pub expressions: Arc<HashMap<Arc<str>, Value>>,
    /// The actions that a plan invokes; see [`Stack::invocations`].
    pub invocations: Vec<Invocation>,
    /// What the configuration calls sensitive of the arguments of resources; see [`Stack::sensitive`].
    pub sensitive: Arc<HashMap<Arc<str>, Vec<crate::path::Path>>>,
    /// The files of the configuration; see [`Stack::sources`].
    pub sources: Arc<Sources>,
    /// Damage to the file itself: the part before it is shown.
    pub damage: Option<Damage>,
    /// Whether the person stopped it before the end.
    pub stopped: bool,
}

/// Why a file cannot be shown at all.
#[derive(thiserror::Error, Debug)]
pub enum LoadError {
    /// The system refused (exit code 74).
    #[error("{file}: {source}")]
    Io {
        /// The file.
        file: String,
        /// What the system said.
        source: std::io::Error,
    },
    /// OpenTofu encrypted it, and nothing at hand opens it (exit code 65).
    #[error("{file}: {source}")]
    Locked {
        /// The file.
        file: String,
        /// Why it stays shut.
        source: KeysError,
        /// What a person could type to open it; `None` where nothing would help.
        wants: Option<&'static str>,
        /// What to open with the key that was typed.
        input: Box<Input>,
    },
    /// One of two files is cut off or broken, so that they are not compared (exit code 65).
    #[error("{file}: {message}; --allow-damaged compares what was read")]
    Damaged {
        /// The file.
        file: String,
        /// What is missing of it, and where.
        message: String,
    },
    /// Two files that cannot be compared (exit code 64).
    #[error("{one} and {other} cannot be compared, expected two files of one tool")]
    Unlike {
        /// What the old one is.
        one: Kind,
        /// What the new one is.
        other: Kind,
    },
    /// It is something else (exit code 65).
    #[error("{file}: {message}")]
    Unreadable {
        /// The file.
        file: String,
        /// What it looks like, what was expected, and where.
        message: String,
        /// More, for those who want to know.
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
}

impl Document {
    /// A file of which no resource is read yet.
    pub fn new(header: Header, source: Arc<dyn Source>) -> Self {
        Self {
            stack: Stack::new(header),
            source,
            compared: None,
        }
    }

    /// The comparison of two files. Its header is that of the new one.
    fn of_two(header: Header, compared: Arc<Compared>) -> Self {
        let mut stack = Stack::new(header);
        stack.is_comparison = true;
        Self {
            stack,
            source: compared.clone(),
            compared: Some(compared),
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

    /// The same by another state of the index.
    fn resource_of(&self, stack: &Stack, id: ResourceId) -> Result<Resource, ReadError> {
        match &self.compared {
            Some(compared) => compared.resource(id),
            None => crate::format::resource(stack, id, &*self.source),
        }
    }
}

/// Reads all of `input`.
///
/// # Errors
///
/// If nothing of it can be shown; trouble in parts of it becomes notes of the stack.
pub fn load(input: &Input) -> Result<Document, LoadError> {
    load_limited(input, Limits::default())
}

/// As [`load`], with limits of one's own.
///
/// # Errors
///
/// If nothing of it can be shown.
pub fn load_limited(input: &Input, limits: Limits) -> Result<Document, LoadError> {
    load_within(input, limits, &AtomicBool::new(false))
}

/// As [`load`]; what comes back is incomplete if `cancel` was set.
fn load_until(input: &Input, cancel: &AtomicBool) -> Result<Document, LoadError> {
    load_within(input, Limits::default(), cancel)
}

/// The same, with limits of one's own.
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

/// Puts what is known at the end of the file into the stack.
pub fn settle(stack: &mut Stack, summary: Summary) {
    stack.header = summary.header;
    stack.outputs = Arc::new(summary.outputs);
    let mut notes = summary.notes;
    if let Some(damage) = &summary.damage {
        let note = Note {
            severity: Severity::Error,
            place: "the file".to_owned(),
            message: damage.message.clone(),
            resource: None,
        };
        notes.insert(0, note);
    }
    notes.extend(summary.cycles.notes(stack));
    stack.name_places(&mut notes);
    Arc::make_mut(&mut stack.notes).extend(notes);
    stack.counts = summary.counts;
    stack.graph = Arc::new(summary.graph);
    stack.references = summary.references;
    stack.expressions = summary.expressions;
    stack.set_invocations(summary.invocations);
    stack.sensitive = summary.sensitive;
    stack.sources = summary.sources;
    stack.damage = summary.damage;
}

/// How much is let in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// How many bytes a compressed file may have once unpacked, and a file that has to be read whole.
    pub max_bytes: u64,
    /// Whether a small file may unpack to as much as that.
    pub any_ratio: bool,
    /// True if files that are cut off may be compared. What is missing in one is then neither new nor deleted.
    pub allow_damaged: bool,
}

impl Limits {
    /// What a person allows who names a size.
    pub fn up_to(max_bytes: u64) -> Self {
        Self {
            max_bytes,
            any_ratio: true,
            ..Self::default()
        }
    }
}

impl Default for Limits {
    /// 4 GiB, and no bombs.
    fn default() -> Self {
        Self {
            max_bytes: 4 << 30,
            any_ratio: false,
            allow_damaged: false,
        }
    }
}

/// Reads `input` piece by piece and tells `sink` what was found, until the end or until `cancel` is set.
///
/// # Errors
///
/// If nothing of it can be shown.
pub fn stream(
    input: &Input,
    cancel: &AtomicBool,
    sink: &mut dyn FnMut(LoadEvent),
) -> Result<(), LoadError> {
    stream_within(input, Limits::default(), cancel, sink)
}

/// As [`stream`], with limits of one's own.
///
/// # Errors
///
/// If nothing of it can be shown.
pub fn stream_within(
    input: &Input,
    limits: Limits,
    cancel: &AtomicBool,
    sink: &mut dyn FnMut(LoadEvent),
) -> Result<(), LoadError> {
    stream_digested(input, limits, cancel, None, sink)
}

/// As [`stream_within`]; with a `digest` batches tell the hashes of the bytes of resources, where these are read piece by piece.
fn stream_digested(
    input: &Input,
    limits: Limits,
    cancel: &AtomicBool,
    digest: Option<&DefaultHashBuilder>,
    sink: &mut dyn FnMut(LoadEvent),
) -> Result<(), LoadError> {
    memory::expect(input, limits);
    if let Input::Pair(pair) = input.file() {
        return stream_pair(pair, input, limits, cancel, sink);
    }
    let prepared = prepare::prepare(input, limits)?;
    index(input, prepared, limits, cancel, digest, sink)
}

/// As [`stream_within`], for bytes that come from `reader`; `input` only names them.
///
/// # Errors
///
/// If nothing of it can be shown.
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
    match body {
        Body::Json(json) => {
            // `pulumi up --json` prints what it is about to do first, and then the events of doing it.
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
            let rest = if *input.file() == Input::Stdin {
                live::Rest::Drained
            } else {
                live::Rest::Left
            };
            live::run(subject, log, rest, limits, sink)
        }
    }
}

/// Both files of a pair, with the keys of `input`.
fn stream_pair(
    pair: &(Input, Input),
    input: &Input,
    limits: Limits,
    cancel: &AtomicBool,
    sink: &mut dyn FnMut(LoadEvent),
) -> Result<(), LoadError> {
    let part = |part: &Input| match input.keys() {
        Some(keys) => part.clone().with_keys(keys.clone()),
        None => part.clone(),
    };
    // Either may lie beside the schemas of both.
    let old = schemas::lend(&pair.1, part(&pair.0));
    let new = schemas::lend(&pair.0, part(&pair.1));
    let outcome = compare::stream(&old, &new, limits, cancel, sink);
    outcome.map_err(|error| match error {
        LoadError::Locked {
            file,
            source,
            wants,
            ..
        } => {
            // What the standard input gave is gone.
            let is_lost = [&pair.0, &pair.1].map(Input::file).contains(&&Input::Stdin);
            LoadError::Locked {
                file,
                source,
                wants: wants.filter(|_| !is_lost),
                input: Box::new(input.bare().clone()),
            }
        }
        error => error,
    })
}

impl LoadError {
    /// The error of a file that could not be read: the fault of the system, or of what the file holds.
    fn reading(file: &str, source: std::io::Error) -> Self {
        if damage::is_of_contents(&source) {
            return Self::unreadable(file, format!("a compressed file that is broken: {source}"));
        }
        Self::Io {
            file: file.to_owned(),
            source,
        }
    }

    fn unreadable(file: &str, message: String) -> Self {
        Self::Unreadable {
            file: file.to_owned(),
            message,
            detail: String::new(),
        }
    }
}
