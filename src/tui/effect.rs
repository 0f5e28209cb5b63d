//! What the model asks the world for.

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
use crate::tui::carry::Chosen;
use crate::value::Value;

/// A walk over the graph.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Walk {
    /// To all that is tied to a resource.
    Reach(ResourceId, Direction),
    /// From one of two resources to the other, whichever needs the other.
    Way(ResourceId, ResourceId),
}

/// What is to be found without reading the file.
pub enum Look {
    /// What a walk over the graph comes to.
    Walk(Arc<Graph>, Walk),
    /// What a person names, as it was typed or as the file refers to it: a URN, an address or a name.
    Find(Box<Stack>, String),
    /// What the person chose in another version of the file.
    Carry {
        /// What was chosen.
        chosen: Box<Chosen>,
        /// Snapshots: the stack where it was, and the one where it is looked for.
        stacks: Box<[Stack; 2]>,
    },
}

/// A wish, performed by `run`. Answers come as events with the same ticket.
pub enum Effect {
    /// Read a file from its start; ends any reading under way.
    Load {
        /// For the answers.
        ticket: u64,
        /// Which file.
        input: Input,
    },
    /// End the reading under way; what was read stays.
    StopLoading,
    /// Read one resource.
    Read {
        /// For the answer.
        ticket: u64,
        /// The file.
        document: Document,
        /// Which one.
        id: ResourceId,
    },
    /// Find out why a resource changes, back to the root.
    Explain {
        /// For the answer.
        ticket: u64,
        /// The file.
        document: Document,
        /// Which one.
        id: ResourceId,
    },
    /// Hold the plan against the rules, and against what came later.
    Audit {
        /// For the answers.
        ticket: u64,
        /// The file.
        document: Document,
        /// Where it comes from, since schemas may lie beside.
        input: Input,
    },
    /// Find something in what is indexed; one answer.
    Look {
        /// For the answer.
        ticket: u64,
        /// What.
        look: Look,
    },
    /// Arrange the tree anew.
    Arrange {
        /// For the answer.
        ticket: u64,
        /// A snapshot of the stack.
        stack: Stack,
        /// How.
        request: tree::Request,
    },
    /// Search; ends any search under way.
    Search(answer::Search),
    /// Find all hits of a resource.
    Hits(answer::Hits),
    /// End the search under way.
    StopSearch,
    /// Find where in the file a resource is.
    Locate {
        /// For the answer.
        ticket: u64,
        /// The file.
        document: Document,
        /// Which one.
        id: ResourceId,
    },
    /// Say when this time is over.
    Wake {
        /// For the answer.
        ticket: u64,
        /// How long.
        after: Duration,
    },
    /// Read what is to be copied of many resources.
    Marked(answer::Marked),
    /// Say by which way a text would be copied.
    Route,
    /// Put a text into the clipboard.
    Copy {
        /// What it is, for the message.
        what: String,
        /// The text.
        text: String,
    },
    /// Decode a string.
    Decode {
        /// For the answer.
        ticket: u64,
        /// How.
        decoder: Decoder,
        /// The string.
        value: Value,
    },
    /// Derive the key of a stack.
    Unlock {
        /// For the answer.
        ticket: u64,
        /// What the stack says of its secrets.
        providers: Value,
        /// What may open them; `None` for what the environment gives.
        keys: Option<Arc<Keys>>,
    },
    /// Hash an asset or an archive.
    Verify {
        /// For the answers.
        ticket: u64,
        /// The asset or archive.
        value: Value,
        /// Where relative paths begin.
        base: PathBuf,
        /// Ends the work.
        stop: Arc<AtomicBool>,
    },
    /// Read the configuration that a plan file carries.
    Configure {
        /// For the answer.
        ticket: u64,
        /// The file.
        document: Document,
    },
    /// List what lies in a folder.
    List {
        /// For the answer.
        ticket: u64,
        /// The folder.
        folder: PathBuf,
    },
    /// Find the updates of the stack that a file belongs to, and read what was recorded of each.
    History {
        /// For the answers.
        ticket: u64,
        /// The file.
        file: PathBuf,
    },
    /// Find the updates in which a value changed.
    Trace {
        /// For the answers.
        ticket: u64,
        /// A file of the stack.
        file: PathBuf,
        /// The last update that counts; all if `None`.
        from: Option<usize>,
        /// Which value.
        subject: Subject,
        /// Ends the work.
        stop: Arc<AtomicBool>,
    },
    /// Draw every cell anew: the terminal may have lost some.
    Redraw,
    /// Take the mouse, or leave it to the terminal.
    Mouse(bool),
    /// Stop as ^Z does.
    Suspend,
    /// End.
    Quit,
}
