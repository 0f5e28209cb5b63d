//! Resources that arrive and change while a person watches: the log of a run from a pipe.
//!
//! The selection, the open nodes and the marks stay. The selected row keeps its place on the screen.

use super::Model;
use crate::stack::{Batch, Flags, ResourceId, Stack};
use crate::tree::Node;
use crate::tui::effect::Effect;
use crate::tui::overlays::Overlay;
use crate::tui::overlays::question::{Asks, Question};
use crate::tui::widgets::cursor::Cursor;

/// The progress of a run.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Progress {
    /// Steps under way.
    pub running: usize,
    /// Steps that are done.
    pub done: usize,
    /// Steps that failed.
    pub failed: usize,
    /// Steps that were under way when the log ended.
    pub unfinished: usize,
    /// True if the run goes on but its pipe is no longer read.
    pub is_cut: bool,
}

impl Progress {
    /// True if no step is known.
    pub fn is_empty(&self) -> bool {
        self.words().is_empty()
    }

    /// The known numbers, in words.
    pub fn words(&self) -> String {
        let parts = [
            (self.done, "done"),
            (self.running, "running"),
            (self.failed, "failed"),
            (self.unfinished, "unfinished"),
        ];
        let told = parts.iter().filter(|(n, _)| *n > 0);
        let told: Vec<_> = told.map(|(n, word)| format!("{n} {word}")).collect();
        told.join(", ")
    }

    fn count(&mut self, stack: &Stack, id: ResourceId, step: fn(&mut usize)) {
        let flags = stack.record(id).flags;
        for (flag, number) in [
            (Flags::RUNNING, &mut self.running),
            (Flags::DONE, &mut self.done),
            (Flags::FAILED, &mut self.failed),
        ] {
            if flags.contains(flag) {
                step(number);
            }
        }
        if stack.header.kind.is_log() && flags.contains(Flags::PENDING_OPERATION) {
            step(&mut self.unfinished);
        }
    }
}

impl Model {
    /// Adds a batch of records to the file.
    pub(super) fn extend(&mut self, batch: Batch) {
        let Some(document) = &mut self.document else {
            return;
        };
        let stack = &mut document.stack;
        let from = stack.len();
        let n_notes = stack.notes.len();
        let is_noted = !batch.notes.is_empty() || !batch.attributions.is_empty();
        let mut renewed: Vec<_> = batch.renewed.iter().map(|it| it.resource).collect();
        let (n_renewed, amended) = (renewed.len(), batch.amendments.iter());
        // Between two files, a later record may decide the action of an earlier resource.
        let masked: Vec<_> = batch.siblings.concat();
        let judged = amended.filter(|it| it.action.is_some() && it.resource.index() < from);
        renewed.extend(judged.map(|it| it.resource));
        for id in &renewed[..n_renewed] {
            self.progress
                .count(stack, *id, |n| *n = n.saturating_sub(1));
        }
        stack.extend(batch);
        let counted = renewed[..n_renewed].iter().copied();
        for id in counted.chain(stack.ids().skip(from)) {
            self.progress.count(stack, id, |n| *n += 1);
        }
        if self.tree.filter.is_none() {
            self.tree.tree.extend(stack, from);
        }
        self.changes.renew(stack, from, &renewed);
        if !self.touched {
            // Nobody has chosen a row yet: the first row stays selected.
            self.changes.cursor = Cursor::default();
        }
        // All notes are listed at the end. Sorting a growing list at every batch would take too long.
        if is_noted && n_notes < 10_000 {
            self.show_problems();
        }
        // A new record may hide values of an earlier one about the same object.
        for id in renewed.iter().chain(&masked) {
            self.outdate(*id);
        }
        if !renewed.is_empty() {
            self.outdate_search();
        }
        let height = self.pane_height(0);
        self.tree.settle(height);
        self.settle_changes();
        self.follow();
        self.renew_filter();
    }

    /// Quits. Asks first if a run still writes into the pipe.
    pub(super) fn quit(&mut self) {
        let is_running = self.is_live() && (self.loading.is_some() || self.progress.is_cut);
        if !is_running {
            self.ask(Effect::Quit);
            return;
        }
        self.overlays.push(Overlay::Question(Question {
            asks: Asks::Quit,
            title: "Quit while the run goes on?".to_owned(),
            lines: vec![
                "The run still writes into this pipe. Quitting closes the pipe, and the run may fail half-way.".to_owned(),
                String::new(),
                "Quit all the same?".to_owned(),
            ],
        }));
    }

    /// Drops a resource that changed since it was read. If it is shown, it is read again.
    pub(super) fn outdate(&mut self, id: ResourceId) {
        if self.kept.remove(&id).is_some() {
            self.kept_order.retain(|kept| *kept != id);
        }
        // An answer under way may be from before the change. The next one comes after it.
        self.reading.remove(&id);
        let is_shown = self.detail.id() == Some(id)
            || self.difference.subject == Some(id)
            || self.tree.has_props(Node::Resource(id));
        if is_shown {
            self.outdated.insert(id);
            self.resource(id);
        }
    }
}
