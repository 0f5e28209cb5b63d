//! Exchanging the file: no id of one stack is ever used on another stack.
//!
//! A [`ResourceId`](crate::stack::ResourceId) is a position in one stack. In another stack the same number is a different
//! resource or does not exist. Two rules keep them apart:
//!
//! 1. Everything in the model that holds ids is cleared in the step that exchanges the document. [`Model::exchange`] is the only
//!    place that sets the document. It names every field of the model, so that a new field does not compile until it is handled
//!    there.
//! 2. Answers carry a ticket, and tickets only grow. The exchange makes all tickets about the old stack invalid
//!    ([`Tickets::forget_stack`](crate::tui::jobs::Tickets::forget_stack)).
//!
//! Choices cross over by name only (`tui/restore_selection.rs`).

use super::Model;
use crate::load::Document;
use crate::tree::Folds;
use crate::tui::overlays::Overlay;

impl Model {
    /// Replaces the open document with another one, still without resources, and forgets everything that belongs to the old one.
    pub(super) fn exchange(&mut self, opened: Option<Document>) {
        self.tickets.forget_stack();
        let keeps_filter = self.remembered.is_some();
        let Self {
            document,
            failure,
            tree,
            detail,
            changes,
            difference,
            outputs,
            deps,
            problems,
            overlays,
            marks,
            revealed,
            schemas,
            unlocked,
            history,
            searching,
            located,
            awaited,
            kept,
            kept_order,
            reading,
            outdated,
            configuring,
            progress,
            walks,
            naming,
            touched,
            // State of the person and the screen.
            screen: _,
            theme: _,
            view: _,
            focus: _,
            zoomed: _,
            split: _,
            message: _,
            mouse: _,
            pressed: _,
            count: _,
            tickets: _,
            effects: _,
            // State of files, not of their contents; resources are named by URN.
            input: _,
            loading: _,
            timeline: _,
            wanted_update: _,
            folder: _,
            // Ids are kept together with the stack that they belong to.
            remembered: _,
            empty: _,
        } = self;
        *document = opened;
        *failure = None;
        match &mut tree.filter {
            // After a reload the filter is searched again.
            Some(filter) if keeps_filter => {
                filter.ids.clear();
                filter.n_seen = 0;
            }
            filter => *filter = None,
        }
        tree.clear(Folds::default());
        detail.show(None);
        changes.clear();
        difference.show(None);
        outputs.show(None);
        deps.clear();
        problems.clear();
        overlays.retain_mut(Overlay::outlives_file);
        marks.clear();
        *revealed = None;
        *schemas = None;
        *unlocked = None;
        history.clear();
        *searching = super::searching::Searching::default();
        *located = super::copying::Located::default();
        *awaited = super::copying::Awaited::default();
        kept.clear();
        kept_order.clear();
        reading.clear();
        outdated.clear();
        *configuring = super::configuring::Configuring::default();
        *progress = super::live::Progress::default();
        *walks = super::deps::Walks::default();
        *naming = None;
        *touched = false;
    }
}
