//! The lines of the log about the files that are read.

use std::path::Path;

use super::{Input, LoadError, LoadEvent};
use crate::log::{Field, Level, log};

/// Reads a file with `read`, and logs when it is open, when it is indexed, and why it cannot be read.
pub(super) fn stream(
    input: &Input,
    sink: &mut dyn FnMut(LoadEvent),
    read: impl FnOnce(&mut dyn FnMut(LoadEvent)) -> Result<(), LoadError>,
) -> Result<(), LoadError> {
    let mut n_resources = 0;
    let result = read(&mut |event| {
        log_event(input, &event, &mut n_resources);
        sink(event);
    });
    if let Err(error) = &result {
        let fields = [file(input), ("why", Field::Word(error.why()))];
        log(Level::Error, "unreadable", &fields);
    }
    result
}

fn log_event(input: &Input, event: &LoadEvent, n_resources: &mut u64) {
    match event {
        LoadEvent::Opened { document, total } => {
            *n_resources = 0;
            let kind = document.stack.header.kind.name();
            let fields = [
                file(input),
                ("kind", Field::Word(kind)),
                ("bytes", Field::Number(total.unwrap_or_default())),
            ];
            log(Level::Info, "opened", &fields);
        }
        LoadEvent::Indexed { batch, bytes } => {
            *n_resources += batch.chunk.n_records() as u64;
            let fields = [
                ("resources", Field::Number(*n_resources)),
                ("bytes", Field::Number(*bytes)),
            ];
            log(Level::Debug, "progress", &fields);
        }
        LoadEvent::Finished(summary) => {
            let level = match summary.damage {
                Some(_) => Level::Warn,
                None => Level::Info,
            };
            let fields = [
                file(input),
                ("resources", Field::Number(*n_resources)),
                ("damaged", Field::Number(summary.damage.is_some().into())),
                ("stopped", Field::Number(summary.stopped.into())),
            ];
            log(level, "indexed", &fields);
        }
    }
}

fn file(input: &Input) -> (&'static str, Field<'_>) {
    let path: Option<&Path> = input.paths().into_iter().next();
    ("file", path.map_or(Field::Word("-"), Field::File))
}

impl LoadError {
    /// The reason in a word.
    pub fn why(&self) -> &'static str {
        match self {
            Self::Io { .. } => "io",
            Self::Locked { .. } => "locked",
            Self::Damaged { .. } => "damaged",
            Self::Unlike { .. } => "unlike",
            Self::Incomparable { .. } => "incomparable",
            Self::Unreadable { .. } => "unreadable",
        }
    }
}
