//! Events that reach the model.

use std::sync::Arc;

use crossterm::event::{KeyEvent, MouseEvent};

use crate::change::causes::ChainLink;
use crate::change::configuration::Configuration;
use crate::change::decode::DecodeError;
use crate::format::ReadError;
use crate::load::audit::Progress;
use crate::load::folder::Entry;
use crate::load::keys::KeysError;
use crate::load::timeline::{History, Record, Traced};
use crate::load::{LoadError, LoadEvent};
use crate::pulumi::passphrase::Unlocked;
use crate::render::copy::{Form, Location};
use crate::search::{Hit, Index, SearchResult};
use crate::stack::graph::{self, Reached};
use crate::stack::{Resource, ResourceId};
use crate::terraform::schema::Schemas;
use crate::tree::Tree;
use crate::tui::answer::{Report, Verified};
use crate::tui::restore_selection::Chosen;
use crate::value::Value;

/// Something the model must know about. Answers carry the ticket of the request; answers with an old ticket are dropped.
pub enum Event {
    /// A key was pressed.
    Key(KeyEvent),
    /// The mouse was used.
    Mouse(MouseEvent),
    /// A text was pasted.
    Paste(String),
    /// The size of the screen changed.
    Resize(u16, u16),
    /// A file is being read.
    Load {
        /// Ticket of the request.
        ticket: u64,
        /// The progress: the header, more records, or the end.
        event: LoadEvent,
    },
    /// A file could not be read.
    LoadFailed {
        /// Ticket of the request.
        ticket: u64,
        /// The error.
        error: LoadError,
    },
    /// A resource was read.
    Read {
        /// Ticket of the stack that the resource belongs to.
        ticket: u64,
        /// The resource.
        id: ResourceId,
        /// The resource.
        resource: Result<Arc<Resource>, ReadError>,
    },
    /// The causes of a resource's change are known.
    Explained {
        /// Ticket of the stack that the resource belongs to.
        ticket: u64,
        /// The resource.
        id: ResourceId,
        /// From the resource to the root.
        steps: Vec<ChainLink>,
    },
    /// The schemas of the providers of a plan were read.
    Schemas {
        /// Ticket of the audit that they are for.
        ticket: u64,
        /// The schemas.
        schemas: Arc<Schemas>,
    },
    /// The plan is being audited.
    Auditing {
        /// Ticket of the request.
        ticket: u64,
        /// The progress of the audit.
        progress: Progress,
    },
    /// The plan was audited.
    Audited {
        /// Ticket of the request.
        ticket: u64,
        /// The findings.
        report: Arc<Report>,
    },
    /// A walk over the graph reached everything connected to a resource.
    Reached {
        /// Ticket of the request.
        ticket: u64,
        /// Nearest first.
        reached: Arc<Vec<Reached>>,
    },
    /// A path between two resources was looked for.
    WayFound {
        /// Ticket of the request.
        ticket: u64,
        /// The path; `None` if there is none.
        way: Option<Vec<graph::PathEdge>>,
    },
    /// A name that a person entered was looked up.
    Named {
        /// Ticket of the request.
        ticket: u64,
        /// The resources with this URN, address or name, in the order of the file.
        ids: Vec<ResourceId>,
    },
    /// The choices made in another version of the file were found again.
    Carried {
        /// Ticket of the request.
        ticket: u64,
        /// The choices that still exist.
        chosen: Box<Chosen>,
    },
    /// The tree was built again.
    Arranged {
        /// Ticket of the request.
        ticket: u64,
        /// The tree.
        tree: Box<Tree>,
    },
    /// A search has an answer, perhaps a partial or an empty one.
    Found {
        /// Ticket of the request.
        ticket: u64,
        /// For the next search.
        index: Arc<Index>,
        /// The result.
        found: Arc<SearchResult>,
        /// The values of the first hits.
        values: Vec<Option<Value>>,
        /// True if the answer is complete.
        done: bool,
    },
    /// All hits of a resource are known.
    Hits {
        /// Ticket of the request.
        ticket: u64,
        /// The index of the resource in the search result, and its hits in order; `None` if there are no more.
        found: Option<(usize, Vec<Hit>)>,
    },
    /// The text to copy from many resources was read.
    Marked {
        /// Ticket of the request.
        ticket: u64,
        /// The form to copy.
        form: Form,
        /// A line for each resource that has something to copy.
        lines: Vec<String>,
        /// Number of resources without a line.
        n_missing: usize,
        /// The reason for the first of these.
        why_not: Option<String>,
    },
    /// The route by which a text would be copied is known.
    Routed(Result<Route, String>),
    /// The location of a resource in the file is known, or that it has none.
    Located {
        /// Ticket of the request.
        ticket: u64,
        /// The location; `None` if it was not found.
        location: Option<Arc<Location>>,
    },
    /// A requested delay is over.
    Woke {
        /// Ticket of the request.
        ticket: u64,
    },
    /// A string was decoded, or decoding failed.
    Decoded {
        /// Ticket of the request.
        ticket: u64,
        /// The decoded value.
        result: Result<Value, DecodeError>,
    },
    /// The key of a stack was derived, or that failed.
    Unlocked {
        /// Ticket of the request.
        ticket: u64,
        /// The key, checked.
        result: Result<Arc<Unlocked>, KeysError>,
    },
    /// An asset is being hashed.
    Verifying {
        /// Ticket of the request.
        ticket: u64,
        /// Number of bytes read.
        n_read: u64,
        /// Number of bytes in total, if known.
        size: Option<u64>,
    },
    /// An asset was hashed.
    Verified {
        /// Ticket of the request.
        ticket: u64,
        /// The result.
        verified: Verified,
    },
    /// A text was copied, or copying failed.
    Copied {
        /// The name of the text, for the message: `path`.
        what: String,
        /// Length of the text in characters.
        n_chars: usize,
        /// The route, or why there was none.
        result: Result<String, String>,
    },
    /// The configuration that a plan file carries was read.
    Configured {
        /// Ticket of the request.
        ticket: u64,
        /// The configuration.
        configuration: Arc<Configuration>,
    },
    /// A folder was listed, or that failed.
    Listed {
        /// Ticket of the request.
        ticket: u64,
        /// Its entries, or the error in the system's words.
        result: Result<Vec<Entry>, String>,
    },
    /// The updates of a stack are known; `None` if there are none.
    History {
        /// Ticket of the request.
        ticket: u64,
        /// The updates.
        history: Option<Arc<History>>,
    },
    /// The record of an update was read, or that failed.
    Recorded {
        /// Ticket of the request.
        ticket: u64,
        /// The index of the update.
        index: usize,
        /// The record.
        record: Result<Record, String>,
    },
    /// The search for changes of a value made progress.
    Traced {
        /// Ticket of the request.
        ticket: u64,
        /// The progress, and the change that was found, if any.
        traced: Traced,
        /// The time of the update in which the value changed, and its record.
        told: Option<(u64, Record)>,
    },
    /// The search for changes of a value is over.
    TraceEnded {
        /// Ticket of the request.
        ticket: u64,
        /// True if the stack has a history.
        has_history: bool,
    },
    /// A background thread panicked.
    Crashed {
        /// The work that was under way.
        what: &'static str,
    },
    /// The file changed since it was opened.
    FileChanged,
    /// The system asks the program to end.
    Terminate,
}

impl Event {
    /// The ticket of an answer about a stack; `None` for all other events.
    pub fn stack_ticket(&self) -> Option<u64> {
        match self {
            Self::Read { ticket, .. }
            | Self::Explained { ticket, .. }
            | Self::Schemas { ticket, .. }
            | Self::Auditing { ticket, .. }
            | Self::Audited { ticket, .. }
            | Self::Reached { ticket, .. }
            | Self::WayFound { ticket, .. }
            | Self::Named { ticket, .. }
            | Self::Carried { ticket, .. }
            | Self::Arranged { ticket, .. }
            | Self::Found { ticket, .. }
            | Self::Hits { ticket, .. }
            | Self::Marked { ticket, .. }
            | Self::Located { ticket, .. }
            | Self::Decoded { ticket, .. }
            | Self::Unlocked { ticket, .. }
            | Self::Verifying { ticket, .. }
            | Self::Verified { ticket, .. }
            | Self::Configured { ticket, .. } => Some(*ticket),
            Self::Key(_)
            | Self::Mouse(_)
            | Self::Paste(_)
            | Self::Resize(..)
            | Self::Load { .. }
            | Self::LoadFailed { .. }
            | Self::Routed(_)
            | Self::Woke { .. }
            | Self::Copied { .. }
            | Self::Listed { .. }
            | Self::History { .. }
            | Self::Recorded { .. }
            | Self::Traced { .. }
            | Self::TraceEnded { .. }
            | Self::Crashed { .. }
            | Self::FileChanged
            | Self::Terminate => None,
        }
    }
}

/// A route to the person's clipboard.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Route {
    /// Its name: `OSC 52 through tmux`.
    pub name: String,
    /// Maximum size of a text in bytes, if the route has a limit.
    pub max_bytes: Option<usize>,
}
