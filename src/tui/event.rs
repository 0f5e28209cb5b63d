//! What happened.

use std::sync::Arc;

use crossterm::event::{KeyEvent, MouseEvent};

use crate::change::causes::Step;
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
use crate::search::{Found, Hit, Index};
use crate::stack::graph::{self, Reached};
use crate::stack::{Resource, ResourceId};
use crate::terraform::schema::Schemas;
use crate::tree::Tree;
use crate::tui::answer::{Report, Verified};
use crate::tui::carry::Chosen;
use crate::value::Value;

/// Something that the model must know of. Answers carry the ticket of the request; an old ticket is no news.
pub enum Event {
    /// A key was pressed.
    Key(KeyEvent),
    /// The mouse was used.
    Mouse(MouseEvent),
    /// A text was pasted.
    Paste(String),
    /// The screen has another size.
    Resize(u16, u16),
    /// A file is being read.
    Load {
        /// Of the request.
        ticket: u64,
        /// What was found.
        event: LoadEvent,
    },
    /// A file cannot be read.
    LoadFailed {
        /// Of the request.
        ticket: u64,
        /// Why.
        error: LoadError,
    },
    /// A resource was read.
    Read {
        /// Of the stack that it is of.
        ticket: u64,
        /// Which one.
        id: ResourceId,
        /// The resource.
        resource: Result<Arc<Resource>, ReadError>,
    },
    /// It is known why a resource changes.
    Explained {
        /// Of the stack that it is of.
        ticket: u64,
        /// Which one.
        id: ResourceId,
        /// From the resource to the root.
        steps: Vec<Step>,
    },
    /// The schemas of the providers of a plan were read.
    Schemas {
        /// Of the audit that they are for.
        ticket: u64,
        /// The schemas.
        schemas: Arc<Schemas>,
    },
    /// The plan is being audited.
    Auditing {
        /// Of the request.
        ticket: u64,
        /// How far that is.
        progress: Progress,
    },
    /// The plan was audited.
    Audited {
        /// Of the request.
        ticket: u64,
        /// What was found.
        report: Arc<Report>,
    },
    /// A walk came to everything that is tied to a resource.
    Reached {
        /// Of the request.
        ticket: u64,
        /// Nearest first.
        reached: Arc<Vec<Reached>>,
    },
    /// A way was looked for.
    WayFound {
        /// Of the request.
        ticket: u64,
        /// The way; `None` if there is none.
        way: Option<Vec<graph::Step>>,
    },
    /// What a person named was looked for.
    Named {
        /// Of the request.
        ticket: u64,
        /// The resources with this URN, address or name, in the order of the file.
        ids: Vec<ResourceId>,
    },
    /// What was chosen in another version of the file was found again.
    Carried {
        /// Of the request.
        ticket: u64,
        /// What is left of it.
        chosen: Box<Chosen>,
    },
    /// The tree was arranged anew.
    Arranged {
        /// Of the request.
        ticket: u64,
        /// The tree.
        tree: Box<Tree>,
    },
    /// Something was found, or nothing.
    Found {
        /// Of the request.
        ticket: u64,
        /// For the next search.
        index: Arc<Index>,
        /// What was found.
        found: Arc<Found>,
        /// The values of the first hits.
        values: Vec<Option<Value>>,
        /// Whether that is all.
        done: bool,
    },
    /// All hits of a resource are known.
    Hits {
        /// Of the request.
        ticket: u64,
        /// The position of the resource in what was found, and its hits in order; `None` if there are no more.
        found: Option<(usize, Vec<Hit>)>,
    },
    /// What is to be copied of many resources is read.
    Marked {
        /// Of the request.
        ticket: u64,
        /// As what.
        form: Form,
        /// A line for each resource that has something to give.
        lines: Vec<String>,
        /// How many have not.
        n_missing: usize,
        /// Why the first of these has not.
        why_not: Option<String>,
    },
    /// It is known by which way a text would be copied.
    Routed(Result<Route, String>),
    /// It is known where in the file a resource is, or that there is no way to it.
    Located {
        /// Of the request.
        ticket: u64,
        /// Which one.
        id: ResourceId,
        /// Where.
        location: Option<Arc<Location>>,
    },
    /// The time asked for is over.
    Woke {
        /// Of the request.
        ticket: u64,
    },
    /// A string was decoded, or not.
    Decoded {
        /// Of the request.
        ticket: u64,
        /// What came out.
        result: Result<Value, DecodeError>,
    },
    /// The key of a stack was derived, or not.
    Unlocked {
        /// Of the request.
        ticket: u64,
        /// The key, checked.
        result: Result<Arc<Unlocked>, KeysError>,
    },
    /// An asset is being hashed.
    Verifying {
        /// Of the request.
        ticket: u64,
        /// How many bytes were read.
        n_read: u64,
        /// How many there are, where that is known.
        size: Option<u64>,
    },
    /// An asset was hashed.
    Verified {
        /// Of the request.
        ticket: u64,
        /// What came out.
        verified: Verified,
    },
    /// A text was copied, or not.
    Copied {
        /// What it was, for the message: `path`.
        what: String,
        /// How many characters it has.
        n_chars: usize,
        /// The route, or why there was none.
        result: Result<String, String>,
    },
    /// The configuration that a plan file carries was read.
    Configured {
        /// Of the request.
        ticket: u64,
        /// The configuration.
        configuration: Arc<Configuration>,
    },
    /// A folder was listed, or cannot be.
    Listed {
        /// Of the request.
        ticket: u64,
        /// What lies in it, or what the system said.
        result: Result<Vec<Entry>, String>,
    },
    /// The updates of a stack are known; `None` if there are none.
    History {
        /// Of the request.
        ticket: u64,
        /// The updates.
        history: Option<Arc<History>>,
    },
    /// What was recorded of an update was read, or cannot be.
    Recorded {
        /// Of the request.
        ticket: u64,
        /// Which update.
        index: usize,
        /// The record.
        record: Result<Record, String>,
    },
    /// The search for changes of a value went on.
    Traced {
        /// Of the request.
        ticket: u64,
        /// How far it is, and what was found.
        traced: Traced,
        /// When the update was that something was found in, and what was recorded of it.
        told: Option<(u64, Record)>,
    },
    /// The search for changes of a value ended.
    TraceEnded {
        /// Of the request.
        ticket: u64,
        /// Whether the stack has a history at all.
        has_history: bool,
    },
    /// Work in the background ended in a bug of ours.
    Crashed {
        /// What was under way.
        what: &'static str,
    },
    /// The file is not as it was when it was opened.
    FileChanged,
    /// The system wants us to end.
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

/// The way to the person's clipboard.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Route {
    /// What it is called: `OSC 52 through tmux`.
    pub name: String,
    /// How many bytes of text go that way at most, where there is a limit.
    pub max_bytes: Option<usize>,
}
