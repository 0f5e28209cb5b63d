//! Requests from the model to the world outside.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use crate::change::decode::Decoder;
use crate::load::keys::Keys;
use crate::load::timeline::Subject;
use crate::load::{Document, Input};
use crate::stack::graph::{Direction, Graph};
use crate::stack::{ResourceId, Stack};
use crate::tree;
use crate::tui::answer;
use crate::tui::restore_selection::Chosen;
use crate::value::Value;

/// A walk over the graph.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GraphQuery {
    /// From a resource to everything connected to it.
    Reach(ResourceId, Direction),
    /// The shortest dependency chain between two resources, in whichever direction there is one.
    Way(ResourceId, ResourceId),
}

/// A lookup that does not read the file.
pub enum Look {
    /// A walk over the graph.
    Walk(Arc<Graph>, GraphQuery),
    /// Resources by URN, address or name, as a person typed it or as the file refers to them.
    Find(Box<Stack>, String),
    /// A person's choices in another version of the file.
    Carry {
        /// The choices.
        chosen: Box<Chosen>,
        /// Snapshots: the stack the choices were made in, and the stack to find them in.
        stacks: Box<[Stack; 2]>,
    },
}

/// A request, performed by `run`. Answers come as events with the same ticket.
pub enum Effect {
    /// Read a file from its start. Ends any reading under way.
    Load {
        /// Ticket of the answers.
        ticket: u64,
        /// The file.
        input: Input,
    },
    /// End the reading under way. The part already read stays.
    StopLoading,
    /// Read one resource.
    Read {
        /// Ticket of the answer.
        ticket: u64,
        /// The file.
        document: Document,
        /// The resource.
        id: ResourceId,
    },
    /// Find out why a resource changes, back to the root cause.
    Explain {
        /// Ticket of the answer.
        ticket: u64,
        /// The file.
        document: Document,
        /// The resource.
        id: ResourceId,
    },
    /// Check the plan against the rules and against a later file.
    Audit {
        /// Ticket of the answers.
        ticket: u64,
        /// The file.
        document: Document,
        /// The origin of the file: schemas may lie beside it.
        input: Input,
    },
    /// Look something up without reading the file; one answer.
    Look {
        /// Ticket of the answer.
        ticket: u64,
        /// The lookup.
        look: Look,
    },
    /// Build the tree again.
    Arrange {
        /// Ticket of the answer.
        ticket: u64,
        /// A snapshot of the stack.
        stack: Stack,
        /// The arrangement.
        request: tree::Request,
    },
    /// Search. Ends any search under way.
    Search(answer::Search),
    /// Find all hits of a resource.
    Hits(answer::Hits),
    /// End the search under way.
    StopSearch,
    /// Find the location of a resource in the file.
    Locate {
        /// Ticket of the answer.
        ticket: u64,
        /// The file.
        document: Document,
        /// The resource.
        id: ResourceId,
    },
    /// Send an event after this time.
    Wake {
        /// Ticket of the answer.
        ticket: u64,
        /// The delay.
        after: Duration,
    },
    /// Read the text to copy from many resources.
    Marked(answer::Marked),
    /// Find the route by which a text would be copied.
    Route,
    /// Put a text on the clipboard.
    Copy {
        /// The name of the text, for the message.
        what: String,
        /// The text.
        text: String,
    },
    /// Decode a string.
    Decode {
        /// Ticket of the answer.
        ticket: u64,
        /// The decoder.
        decoder: Decoder,
        /// The string.
        value: Value,
    },
    /// Derive the key of a stack.
    Unlock {
        /// Ticket of the answer.
        ticket: u64,
        /// The stack's secrets provider, as the file records it.
        providers: Value,
        /// The keys to try; `None` for those of the environment.
        keys: Option<Arc<Keys>>,
    },
    /// Hash an asset or an archive.
    Verify {
        /// Ticket of the answers.
        ticket: u64,
        /// The asset or archive.
        value: Value,
        /// The folder that relative paths start from.
        base: PathBuf,
        /// Ends the work.
        stop: Arc<AtomicBool>,
    },
    /// Read the configuration that a plan file carries.
    Configure {
        /// Ticket of the answer.
        ticket: u64,
        /// The file.
        document: Document,
    },
    /// List a folder.
    List {
        /// Ticket of the answer.
        ticket: u64,
        /// The folder.
        folder: PathBuf,
    },
    /// Find the updates of the stack that a file belongs to, and read the record of each.
    History {
        /// Ticket of the answers.
        ticket: u64,
        /// The file.
        file: PathBuf,
    },
    /// Find the updates in which a value changed.
    Trace {
        /// Ticket of the answers.
        ticket: u64,
        /// A file of the stack.
        file: PathBuf,
        /// Index of the newest update to look at; `None` for all updates.
        from: Option<usize>,
        /// The value.
        subject: Subject,
        /// Ends the work.
        stop: Arc<AtomicBool>,
    },
    /// Redraw every cell: the terminal may have lost some.
    Redraw,
    /// Turn mouse capture on, or leave the mouse to the terminal.
    Mouse(bool),
    /// Suspend the program, as ^Z does.
    Suspend,
    /// Quit.
    Quit,
}
