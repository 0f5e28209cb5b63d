//! The updates of a stack, and those in which a value changed.

use std::path::Path;
use std::sync::Arc;

use super::{Answer, Cancel};
use crate::load::timeline::{self, Subject};

/// Sends the updates of the stack that a file belongs to, then the record of each update, newest first.
pub(super) fn run(file: &Path, send: &mut dyn FnMut(Answer)) {
    let history = timeline::history(file).map(Arc::new);
    send(Answer::History(history.clone()));
    let updates = history.iter().flat_map(|history| &history.updates);
    for (index, update) in updates.enumerate().collect::<Vec<_>>().into_iter().rev() {
        let record = timeline::record(update).map_err(|error| error.to_string());
        send(Answer::Recorded(index, record));
    }
}

/// Sends the updates in which a value changed, newest first.
pub(super) fn trace(
    file: &Path,
    from: Option<usize>,
    subject: &Subject,
    stop: &Cancel,
    send: &mut dyn FnMut(Answer),
) {
    let history = timeline::history(file);
    if let Some(history) = &history {
        let newest = from.unwrap_or(usize::MAX);
        history.trace(newest, subject, stop.flag(), &mut |traced| {
            let record = traced.found.as_ref().map(|found| {
                let update = &history.updates[found.index];
                (update.nanos, timeline::record(update).unwrap_or_default())
            });
            send(Answer::Traced(traced, record));
        });
    }
    send(Answer::TraceEnded(history.is_some()));
}
