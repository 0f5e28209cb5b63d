//! The record of the review: marks of an earlier session come from its file, and new ones go there.

use std::sync::Arc;

use super::App;
use crate::load::record::name_of;
use crate::stack::ChangeId;
use crate::tui::any_job::Takes;
use crate::tui::effect::Effect;
use crate::tui::jobs::recall::Recall;
use crate::tui::overlays::ask::{Ask, Asks};
use crate::tui::review::{Recorded, Review};
use crate::tui::widgets::text::plural;

impl App {
    /// Requests the hashes of all changes, if the person named a record and the file was read to its end.
    pub(super) fn recall(&mut self) {
        let Some(recording) = self.session.input.record.clone() else {
            return;
        };
        if !self.views.changes.list.is_review || self.session.loading.is_some() {
            return;
        }
        if let Some(document) = self.session.document.clone() {
            self.start(Recall {
                document,
                schemas: self.session.schemas.clone(),
                recording: *recording,
            });
        }
    }

    /// Takes that the record could not be written.
    pub(super) fn not_recorded(&mut self, error: &str) {
        self.say_error(format!("the last marks are not kept: {error}"));
    }

    /// Asks for a note on these changes. It begins as the note that the first one has.
    pub(super) fn ask_note(&mut self, changes: Vec<ChangeId>) {
        let Review::Known(_) = &self.session.review else {
            self.say_error("a note needs a record of the review: start with --record FILE");
            return;
        };
        let known = changes.first();
        let known = known.and_then(|change| self.session.review.note(*change));
        let title = format!("Note on {}", plural(changes.len(), "change"));
        let text = known.unwrap_or_default();
        self.overlays
            .push(Ask::line(Asks::Note(changes), &title, text, "keep"));
    }

    /// Writes a note on these changes to the record. They are reviewed then.
    pub(super) fn note(&mut self, changes: &[ChangeId], text: &str) {
        let Review::Known(recorded) = &self.session.review else {
            return;
        };
        let recorded = Arc::clone(recorded);
        let of_plan = changes.iter();
        let of_plan = of_plan.filter(|change| recorded.hashes.contains_key(*change));
        let changes: Vec<ChangeId> = of_plan.copied().collect();
        for change in &changes {
            self.mark_reviewed(*change);
        }
        recorded.note(&changes, text);
        self.effects.push(Effect::Record(recorded));
        self.say(match text {
            "" => "note removed".to_owned(),
            _ => format!("note on {}", plural(changes.len(), "change")),
        });
    }

    /// Writes the mark of a change, or its removal, to the record.
    pub(super) fn record(&mut self, change: ChangeId) {
        let Review::Known(recorded) = &self.session.review else {
            return;
        };
        let is_reviewed = self.session.reviewed.contains(&change);
        let name = is_reviewed.then(|| name_of(self.session.stack(), change));
        if !recorded.mark(change, name.as_deref()) {
            return;
        }
        // One write is enough for a group.
        if !matches!(self.effects.last(), Some(Effect::Record(_))) {
            self.effects.push(Effect::Record(recorded.clone()));
        }
    }
}

impl Takes<Recall> for App {
    /// Takes the record: what it has is reviewed, and what was marked meanwhile goes there.
    fn take(&mut self, recorded: Result<Recorded, String>) {
        let recorded = match recorded {
            Ok(recorded) => recorded,
            Err(error) => {
                self.session.review = Review::Failed;
                self.say_error(format!("marks are not kept: {error}"));
                return;
            }
        };
        let marked: Vec<ChangeId> = self.session.reviewed.iter().copied().collect();
        let reviewed: Vec<ChangeId> = recorded.reviewed.clone();
        let words = recorded.standing.words();
        self.session.review = Review::Known(Arc::new(recorded));
        // A file that is planned anew keeps the marks of this session.
        if let Some(recording) = &mut self.session.input.record {
            recording.carries = true;
        }
        for change in reviewed {
            self.mark_reviewed(change);
        }
        for change in marked {
            self.record(change);
        }
        let alike = self.session.review.alike();
        if let Some(page) = &mut self.views.changes.stories.page {
            page.take_alike(&alike, &self.session.reviewed);
        }
        self.say(words);
    }
}
