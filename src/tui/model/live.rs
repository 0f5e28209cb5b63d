//! Resources that come and change while one looks on: the log of a run from a pipe.
//!
//! What is selected, open and marked stays so, and the selected row stays where it is on the screen.

use super::Model;
use crate::stack::{Batch, Flags, ResourceId, Stack};
use crate::tree::Node;
use crate::tui::effect::Effect;
use crate::tui::overlays::Overlay;
use crate::tui::overlays::question::{Asks, Question};
use crate::tui::widgets::cursor::Cursor;

/// How far a run is.
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
    /// Whether the run goes on, but nobody looks at it any more.
    pub is_cut: bool,
}

impl Progress {
    /// Whether nothing is known of any step.
    pub fn is_empty(&self) -> bool {
        self.words().is_empty()
    }

    /// What is known, in words.
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
    /// Takes in what is new in the file.
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
        // Of two files it may turn out later what happened to a resource.
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
            // Nobody has chosen a row yet: the first one is what is looked at.
            self.changes.cursor = Cursor::default();
        }
        // All notes are listed at the end; sorting ever more of them at every batch would not end.
        if is_noted && n_notes < 10_000 {
            self.show_problems();
        }
        for id in &renewed {
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

    /// Quits; asks before if a run still writes into the pipe.
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

    /// What was read of a resource does not hold any more; what shows it is read again.
    pub(super) fn outdate(&mut self, id: ResourceId) {
        if self.kept.remove(&id).is_some() {
            self.kept_order.retain(|kept| *kept != id);
        }
        // An answer that is under way may be of before; the next one comes behind it.
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
