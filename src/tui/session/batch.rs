//! Records that arrive: each batch of them changes the file that is open, and so does its end.

use super::Session;
use crate::load::{self, LoadError, Summary};
use crate::stack::{Batch, ResourceId};
use crate::tui::command::Command;
use crate::tui::keymap;
use crate::tui::rows::shown;
use crate::tui::widgets::text::plural;

/// Number of notes from which they are listed at the end only. Sorting a growing list at every batch would take too long.
const MAX_NOTES: usize = 10_000;

/// The resources that a batch changed.
#[derive(Debug)]
pub struct Changed {
    /// Number of resources before it.
    pub from: usize,
    /// Those of them that it renewed, or whose action it decided.
    pub renewed: Vec<ResourceId>,
    /// Resources some of whose values it hides: it has a record about the same object.
    pub masked: Vec<ResourceId>,
    /// True if the notes are to be listed again.
    pub is_noted: bool,
}

impl Session {
    /// Adds a batch of records to the file. `None` if nothing is open.
    pub fn take(&mut self, batch: Batch) -> Option<Changed> {
        let stack = &mut self.document.as_mut()?.stack;
        let from = stack.len();
        let has_notes = !batch.notes.is_empty() || !batch.attributions.is_empty();
        let is_noted = has_notes && stack.notes.len() < MAX_NOTES;
        // A batch may renew a resource that it brings itself, which is new here.
        let renewed = batch.renewed.iter().map(|it| it.resource);
        let mut renewed: Vec<_> = renewed.filter(|id| id.index() < from).collect();
        for id in &renewed {
            self.progress
                .count(stack, *id, |n| *n = n.saturating_sub(1));
        }
        self.progress.count_errors(&batch.notes);
        if batch.clock.is_some_and(|clock| stack.clock != Some(clock)) {
            self.progress.n_seconds = 0;
        }
        self.digests.resize(from, 0);
        self.digests.extend_from_slice(&batch.digests);
        let masked = batch.siblings.concat();
        // Between two files, a later record may decide the action of an earlier resource.
        let amended = batch.amendments.iter().filter(|it| it.action.is_some());
        let judged = amended.map(|it| it.resource);
        let judged: Vec<_> = judged.filter(|id| id.index() < from).collect();
        stack.extend(batch);
        for id in renewed.iter().copied().chain(stack.ids().skip(from)) {
            self.progress.count(stack, id, |n| *n += 1);
        }
        renewed.extend(judged);
        Some(Changed {
            from,
            renewed,
            masked,
            is_noted,
        })
    }

    /// Takes the end of the file, and returns what to say of it.
    pub fn settle(&mut self, summary: Summary) -> Option<String> {
        let is_stopped = summary.stopped;
        let read = self.loading.take();
        if let Some(document) = &mut self.document {
            load::settle(&mut document.stack, summary);
            // The end of the log may add notes and hide others.
            self.progress.errors = 0;
            self.progress.count_errors(&document.stack.notes);
        }
        self.progress.n_seconds = 0;
        self.progress.is_cut = is_stopped && self.is_live();
        let n = plural(self.stack().len(), "resource");
        if self.progress.is_cut {
            return Some(format!("stopped: {n} read; the run itself continues"));
        }
        if is_stopped {
            let percent = read.and_then(|read| read.percent());
            let at = percent.map_or_else(String::new, |percent| format!(" at {percent} %"));
            let reload = keymap::key_of(Command::Reload);
            let words = format!("stopped{at}: {n} read · {reload} read the whole file");
            return Some(words);
        }
        self.is_live().then(|| match self.progress.words() {
            words if words.is_empty() => format!("end of the stream: {n}"),
            words => format!("end of the stream: {words}"),
        })
    }
}

/// The reason that a file cannot be shown, and what to do.
pub fn failure(error: &LoadError) -> String {
    let text = shown(&error.to_string());
    match error {
        LoadError::Unreadable { detail, .. } if !detail.is_empty() => {
            format!("{text} · {}", shown(detail))
        }
        LoadError::Locked { wants: Some(_), .. } => {
            let reload = keymap::key_of(Command::Reload);
            format!("{text} · {reload} try again")
        }
        _ => text,
    }
}
