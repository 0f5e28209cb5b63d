//! The open file and the choices of the person, shared by all views.
//!
//! Ids belong to one stack. [`Session::exchange`] is the only place that sets the document, and it forgets everything that holds
//! ids of the old one.

mod batch;
mod cache;
mod progress;

use std::collections::BTreeSet;
use std::sync::Arc;

use hashbrown::DefaultHashBuilder;

pub use self::batch::{Changed, failure};
pub use self::cache::Cache;
pub use self::progress::{Loading, Progress};
use super::changes::Topic;
use super::command::View;
use super::jobs::Tickets;
use super::restore_selection::Remembered;
use super::review::Review;
use super::ripple::RippleOrigin;
use super::row_key::RowKey;
use super::rows::Spot;
use super::since::Since;
use super::stacks::OpenStack;
use crate::change::configuration::Configuration;
use crate::change::rules::Rules;
use crate::load::{Document, Input, Origin};
use crate::pulumi::passphrase::Unlocked;
use crate::stack::{ChangeId, Flags, Header, Kind, ResourceId, Stack};
use crate::terraform::schema::Schemas;
use crate::tree::Node;
use crate::value::{Payload, Sealed, Value};

/// A place to return to.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Visited {
    /// The view.
    pub view: View,
    /// Index of the pane that had the keys.
    pub focus: usize,
    /// The resource that all views showed.
    pub current: Option<ResourceId>,
    /// The row of the tree: its node, and its offset below it.
    pub row: Option<(Node, usize)>,
    /// The selected value of the details.
    pub value: Option<(ResourceId, Spot)>,
    /// The selected change.
    pub change: Option<ChangeId>,
    /// The selected row of the view, if it is a list.
    pub list_row: Option<RowKey>,
    /// The ripple that covered the view.
    pub ripple: Option<RippleOrigin>,
}

/// A secret that can be shown.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Secret {
    /// A value of a resource, or of the outputs of the stack if `id` is `None`.
    Value {
        /// The resource.
        id: Option<ResourceId>,
        /// The value.
        spot: Spot,
    },
    /// The masked text on the selected line, in the overlay of sources.
    Source,
}

/// Number of seconds for which a secret is shown.
pub const SHOWN_FOR: u32 = 30;

/// The one secret that is shown.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Revealed {
    /// The secret.
    pub secret: Secret,
    /// Seconds until it is hidden.
    pub seconds_left: u32,
    /// The timer of the next second.
    pub timer: u64,
}

/// The open file, and the choices that all views share.
pub struct Session {
    /// The origin of the file.
    pub input: Input,
    /// The rules of the review, if the person named any.
    pub rules: Option<Arc<Rules>>,
    /// The rules with their mutes, while the brief tells what is muted.
    pub muting: Option<Arc<Rules>>,
    /// The file, as far as it is loaded.
    pub document: Option<Document>,
    /// An empty stack, used before anything is loaded.
    empty: Stack,
    /// The progress of loading; `None` if no file is being loaded.
    pub loading: Option<Loading>,
    /// The reason that the file cannot be shown.
    pub failure: Option<String>,
    /// The resource that all views show.
    pub current: Option<ResourceId>,
    /// The resources that were read.
    pub resources: Cache,
    /// The requests under way.
    pub tickets: Tickets,
    /// The marked resources.
    pub marks: BTreeSet<ResourceId>,
    /// Changes that the person has reviewed.
    pub reviewed: BTreeSet<ChangeId>,
    /// The record of the review, if the person named one.
    pub review: Review,
    /// The one secret that is revealed.
    pub revealed: Option<Revealed>,
    /// The schemas of the providers, if they are known.
    pub schemas: Option<Arc<Schemas>>,
    /// The key of the stack, once its passphrase is known.
    pub unlocked: Option<Arc<Unlocked>>,
    /// The progress of the run, if the file is a run's log.
    pub progress: Progress,
    /// The configuration that the plan file carries, once it was read for somebody who asked to see it.
    pub configuration: Option<Arc<Configuration>>,
    /// The hash of texts of resources, the same for each reading of a file.
    pub digest: DefaultHashBuilder,
    /// The hashes of the texts of the resources that were read.
    pub digests: Vec<u64>,
    /// The changes of the file since it was read before.
    pub since: Option<Since>,
    /// The choices that reloading must restore.
    pub remembered: Option<Remembered>,
    /// True after the first key press; until then no row was chosen.
    pub touched: bool,
    /// True once the person quits while a copy is still being made.
    pub quits: bool,
    /// The file among other stacks, if it was opened from a list.
    pub among: Option<OpenStack>,
}

impl Session {
    /// A session that is about to open `input`.
    pub fn new(input: Input) -> Self {
        Self {
            rules: input.rules.clone(),
            muting: None,
            input,
            document: None,
            empty: Stack::new(Header::new(Kind::PulumiState)),
            loading: None,
            failure: None,
            current: None,
            resources: Cache::default(),
            tickets: Tickets::default(),
            marks: BTreeSet::new(),
            reviewed: BTreeSet::new(),
            review: Review::Unknown,
            revealed: None,
            schemas: None,
            unlocked: None,
            progress: Progress::default(),
            configuration: None,
            digest: DefaultHashBuilder::default(),
            digests: Vec::new(),
            since: None,
            remembered: None,
            touched: false,
            quits: false,
            among: None,
        }
    }

    /// Replaces the open document, and forgets everything that belongs to the old one.
    pub fn exchange(&mut self, opened: Option<Document>) {
        self.tickets.forget_stack();
        let input = self.input.clone();
        *self = Self {
            document: opened,
            // State of files, not of their contents.
            rules: self.rules.take(),
            muting: self.muting.take(),
            loading: self.loading.take(),
            tickets: std::mem::take(&mut self.tickets),
            among: self.among.take(),
            digest: self.digest.clone(),
            // Ids are kept together with the stack that they belong to.
            remembered: self.remembered.take(),
            ..Self::new(input)
        };
    }

    /// The resources whose changes the person has reviewed.
    pub fn reviewed_resources(&self) -> impl Iterator<Item = ResourceId> {
        self.reviewed.iter().filter_map(|change| change.resource())
    }

    /// The stack; empty before anything is loaded.
    pub fn stack(&self) -> &Stack {
        self.document.as_ref().map_or(&self.empty, |it| &it.stack)
    }

    /// The resource of the stack itself; Pulumi lists it among the first.
    pub fn stack_resource(&self) -> Option<ResourceId> {
        let stack = self.stack();
        let mut first = stack.ids().take(64);
        first.find(|id| stack.record(*id).flags.contains(Flags::STACK))
    }

    /// A value, opened if it is a ciphertext and the stack is unlocked. It stays as secret as before.
    pub fn opened(&self, value: Value) -> Value {
        match (value.payload(), &self.unlocked) {
            (Payload::Sealed(Sealed::Ciphertext(_)), Some(unlocked)) => unlocked.unseal(&value).0,
            _ => value,
        }
    }

    /// True if the file is from Pulumi.
    pub fn is_pulumi(&self) -> bool {
        self.stack().header.kind.is_pulumi()
    }

    /// True if the file is the log of a run on standard input.
    pub fn is_live(&self) -> bool {
        self.input.sole_origin() == Some(&Origin::Stdin) && self.stack().header.kind.is_log()
    }

    /// True if no step of the run of a log goes on.
    pub fn is_run_over(&self) -> bool {
        self.loading.is_none() && !self.progress.is_cut
    }

    /// True if a change was planned and the run ended before it started.
    pub fn is_not_started(&self, id: ResourceId) -> bool {
        self.is_run_over() && self.is_waiting(id)
    }

    /// True if a change was planned, and a run began without it.
    pub fn is_waiting(&self, id: ResourceId) -> bool {
        let began = Flags::RUNNING | Flags::DONE | Flags::FAILED | Flags::PENDING_OPERATION;
        let is_change = Topic::of(self.stack(), id).is_some_and(Topic::is_reviewed);
        let has_begun = self.progress.has_begun();
        has_begun && is_change && !self.stack().record(id).flags.intersects(began)
    }

    /// The time that a change has been under way, in seconds.
    pub fn running_for(&self, id: ResourceId) -> Option<u64> {
        let [_, last] = self.stack().clock?;
        let started = self.stack().started.get(&id)?;
        Some(last.saturating_sub(*started) + self.progress.n_seconds)
    }

    /// True if a list of the first `n_seen` resources is to be made again. While a file is read, each list covers a quarter more
    /// than the one before, so that all of them together cost as much as a few.
    pub fn is_due(&self, n_seen: usize) -> bool {
        let len = self.stack().len();
        match self.loading {
            Some(_) => self.is_live() || len > n_seen + n_seen / 4,
            None => len > n_seen,
        }
    }

    /// The duration of a run in seconds, by the times of its log.
    pub fn elapsed(&self) -> Option<u64> {
        let [first, last] = self.stack().clock?;
        Some(last - first + self.progress.n_seconds)
    }

    /// The revealed value of a resource, or of the outputs of the stack if `id` is `None`.
    pub fn revealed_in(&self, id: Option<ResourceId>) -> Option<&Spot> {
        match &self.revealed.as_ref()?.secret {
            Secret::Value { id: other, spot } => (*other == id).then_some(spot),
            Secret::Source => None,
        }
    }
}
