//! Loading: a path or a pipe to chunks, to records, and bytes again on demand. The only reader of the file system.

pub mod asset;
pub mod folder;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::format::{ReadError, Source};
use crate::graph::Graph;
use crate::stack::{Batch, Counts, Header, Note, Output, Resource, ResourceId, Stack};

/// Where a file comes from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Input {
    /// A file or a folder.
    Path(PathBuf),
    /// Standard input.
    Stdin,
    /// Bytes in hand, with a name for messages: the demo.
    Bytes {
        /// The name.
        name: String,
        /// The contents.
        bytes: Arc<[u8]>,
    },
}

/// What happens while a file loads, in this order: one `Opened`, any number of `Indexed`, one `Finished`.
pub enum LoadEvent {
    /// The format is known.
    Opened {
        /// What is known of the file so far.
        header: Header,
        /// The bytes of what is indexed.
        source: Arc<dyn Source>,
        /// How many bytes the file has, where that is known.
        total: Option<u64>,
    },
    /// More resources.
    Indexed {
        /// What to add to the stack.
        batch: Batch,
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
    /// Further notes.
    pub notes: Vec<Note>,
    /// Counts over the whole file.
    pub counts: Counts,
    /// Who depends on whom.
    pub graph: Graph,
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

/// A file that is open: its index, and its bytes.
#[derive(Clone)]
pub struct Document {
    /// The index.
    pub stack: Stack,
    /// The bytes.
    pub source: Arc<dyn Source>,
}

impl Document {
    /// The whole of one resource.
    ///
    /// # Errors
    ///
    /// See [`crate::format::resource`].
    pub fn resource(&self, id: ResourceId) -> Result<Resource, ReadError> {
        crate::format::resource(&self.stack, id, &*self.source)
    }
}

/// Reads all of `input`.
///
/// # Errors
///
/// If nothing of it can be shown; trouble in parts of it becomes notes of the stack.
pub fn load(input: &Input) -> Result<Document, LoadError> {
    let mut document: Option<Document> = None;
    stream(
        input,
        &AtomicBool::new(false),
        &mut |event| match (event, &mut document) {
            (LoadEvent::Opened { header, source, .. }, document) => {
                *document = Some(Document {
                    stack: Stack::new(header),
                    source,
                });
            }
            (LoadEvent::Indexed { batch, .. }, Some(document)) => document.stack.extend(batch),
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
    Arc::make_mut(&mut stack.notes).extend(summary.notes);
    stack.counts = summary.counts;
    stack.graph = Arc::new(summary.graph);
}

/// Reads `input` piece by piece and tells `sink` what was found, until the end or until `cancel` is set.
///
/// # Errors
///
/// If nothing of it can be shown.
pub fn stream(
    input: &Input,
    _cancel: &AtomicBool,
    _sink: &mut dyn FnMut(LoadEvent),
) -> Result<(), LoadError> {
    Err(LoadError::Unreadable {
        file: name(input),
        message: "no format is known".to_owned(),
        detail: String::new(),
    })
}

/// The name of `input` for messages.
pub fn name(input: &Input) -> String {
    match input {
        Input::Path(path) => path.display().to_string(),
        Input::Stdin => "standard input".to_owned(),
        Input::Bytes { name, .. } => name.clone(),
    }
}
