//! The updates of a stack, and those in which a value changed.

use std::sync::Arc;

use super::{Cancel, Counts, Job, Topic};
use crate::load::Input;
use crate::load::fleet::Place;
use crate::load::timeline::{self, History, Record, Subject, Traced};

/// A request for the updates of the stack that a file belongs to.
pub struct ReadHistory {
    /// The file.
    pub file: Place,
    /// An input with the limits of the states.
    pub like: Input,
    /// The index of the update to go to, and the resource to select there. `None` for the last update.
    pub at: Option<(usize, String)>,
}

/// The updates of a stack.
pub enum UpdatesRead {
    /// All of them; `None` if there are none, or the reason that nobody knows.
    Listed(
        Result<Option<Arc<History>>, String>,
        Option<(usize, String)>,
    ),
    /// The record of the update with this index. The newest comes first.
    Recorded(usize, Result<Record, String>),
}

impl Job for ReadHistory {
    type Answer = UpdatesRead;

    const TOPIC: Topic = Topic {
        counts: Counts::Last,
        ..Topic::named("reading the history")
    };

    fn run(self, cancel: &Cancel, say: &mut dyn FnMut(Self::Answer)) {
        let history = timeline::history(&self.file, self.like.limits);
        let history = history.map(|it| it.map(Arc::new));
        let history = history.map_err(|error| error.to_string());
        say(UpdatesRead::Listed(history.clone(), self.at));
        let updates = history.iter().flatten();
        let updates = updates.flat_map(|history| &history.updates);
        let updates: Vec<_> = updates.enumerate().collect();
        let newest_first = updates.into_iter().rev();
        for (index, update) in newest_first.take_while(|_| !cancel.is_cancelled()) {
            let record = timeline::record(update).map_err(|error| error.to_string());
            say(UpdatesRead::Recorded(index, record));
        }
    }
}

/// A request for the updates in which a value changed.
pub struct TraceValue {
    /// A file of the stack.
    pub file: Place,
    /// An input with the options of the states.
    pub like: Input,
    /// Index of the newest update to look at; `None` for all updates.
    pub from: Option<usize>,
    /// The value.
    pub subject: Subject,
}

/// The progress of the search for changes of a value. The newest change comes first.
pub enum Tracing {
    /// Another update was looked at. With a change that was found: the time of the update, and its record.
    Traced(Box<Traced>, Option<(Option<u64>, Record)>),
    /// The search is over. True if the stack has a history.
    Ended(bool),
}

impl Job for TraceValue {
    type Answer = Tracing;

    const TOPIC: Topic = Topic::named("searching the history");

    fn run(self, cancel: &Cancel, say: &mut dyn FnMut(Self::Answer)) {
        let history = timeline::history(&self.file, self.like.limits);
        let history = history.ok().flatten();
        if let Some(history) = &history {
            let newest = self.from.unwrap_or(usize::MAX);
            history.trace(
                newest,
                &self.subject,
                &self.like,
                cancel.flag(),
                &mut |traced| {
                    let record = traced.found.as_ref().map(|found| {
                        let update = &history.updates[found.index];
                        (update.nanos, timeline::record(update).unwrap_or_default())
                    });
                    say(Tracing::Traced(Box::new(traced), record));
                },
            );
        }
        say(Tracing::Ended(history.is_some()));
    }
}
