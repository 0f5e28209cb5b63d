//! The record of the review: marks of an earlier session come from its file, and new ones go there.

use std::sync::{Arc, PoisonError};

use super::App;
use crate::stack::ResourceId;
use crate::tui::effect::Effect;
use crate::tui::jobs::Job;
use crate::tui::review::{Recorded, Review};

impl App {
    /// Requests the hashes of all changes, if the person named a record and the file was read to its end.
    pub(super) fn recall(&mut self) {
        let Some(path) = self.session.input.record.clone() else {
            return;
        };
        if !self.views.changes.list.is_review || self.session.loading.is_some() {
            return;
        }
        if let Some(document) = self.session.document.clone() {
            self.start(Job::Recall(document, self.session.schemas.clone(), path));
        }
    }

    /// Takes the record: what it has is reviewed, and what was marked meanwhile goes there.
    pub(super) fn recalled(&mut self, recorded: Result<Recorded, String>) {
        let recorded = match recorded {
            Ok(recorded) => recorded,
            Err(error) => {
                self.session.review = Review::Failed;
                self.say_error(format!("marks are not kept: {error}"));
                return;
            }
        };
        let marked: Vec<ResourceId> = self.session.reviewed.iter().copied().collect();
        let reviewed: Vec<ResourceId> = recorded.reviewed.clone();
        let words = recorded.standing.words();
        self.session.review = Review::Known(Arc::new(recorded));
        for id in reviewed {
            self.mark_reviewed(id);
        }
        for id in marked {
            self.record(id);
        }
        self.say(words);
    }

    /// Takes that the record could not be written.
    pub(super) fn not_recorded(&mut self, error: &str) {
        self.say_error(format!("the last marks are not kept: {error}"));
    }

    /// Writes the mark of a change, or its removal, to the record.
    pub(super) fn record(&mut self, id: ResourceId) {
        let Review::Known(recorded) = &self.session.review else {
            return;
        };
        let Some(hash) = recorded.hashes.get(&id) else {
            return;
        };
        {
            let record = recorded.record.lock();
            let mut record = record.unwrap_or_else(PoisonError::into_inner);
            if !self.session.reviewed.contains(&id) {
                record.unmark(hash);
            } else if record.has(hash) {
                return;
            } else {
                record.mark(hash, &self.session.stack().identity(id));
            }
        }
        // One write is enough for a group.
        if !matches!(self.effects.last(), Some(Effect::Record(_))) {
            self.effects.push(Effect::Record(recorded.clone()));
        }
    }
}
