//! Resources that arrive and change while a person watches: the log of a run from a pipe.
//!
//! The selection, the open nodes and the marks stay. The selected row keeps its place on the screen.

use std::time::Duration;

use super::App;
use crate::stack::{Batch, ResourceId};
use crate::tree::Node;
use crate::tui::command::View;
use crate::tui::effect::Effect;
use crate::tui::jobs::copy::CopyForm;
use crate::tui::overlays::ask::{Ask, Asks};

const SECOND: Duration = Duration::from_secs(1);

impl App {
    /// True if the progress of a run is on the screen.
    pub(super) fn shows_run(&self) -> bool {
        self.window.view == View::Changes && self.session.progress.has_begun()
    }

    /// Counts the seconds of a run while something runs and its progress is on the screen. One timer runs at a time.
    pub(super) fn watch_run(&mut self) {
        if self.is_run_moving() && self.session.progress.timer.is_none() {
            self.session.progress.timer = Some(self.start_timer(SECOND));
        }
    }

    pub(super) fn second_of_run(&mut self, timer: u64) {
        if self.session.progress.timer != Some(timer) {
            return;
        }
        self.session.progress.timer = None;
        if self.is_run_moving() {
            self.session.progress.n_seconds += 1;
            self.watch_run();
        }
    }

    /// True if a step of a live run is under way and the progress is on the screen.
    fn is_run_moving(&self) -> bool {
        let session = &self.session;
        let is_live = session.is_live() && session.loading.is_some();
        is_live && session.progress.running > 0 && self.shows_run()
    }

    /// Adds a batch of records to the file.
    pub(super) fn extend(&mut self, batch: Batch) {
        let Some(changed) = self.session.take(batch) else {
            return;
        };
        self.with_views(|views, ctx| views.take_changed(&changed, ctx));
        if changed.is_noted {
            self.show_problems();
        }
        // A new record may hide values of an earlier one about the same object.
        for id in changed.renewed.iter().chain(&changed.masked) {
            self.outdate(*id);
        }
        if !changed.renewed.is_empty() {
            self.outdate_search();
        }
        self.follow();
        self.renew_filter();
        self.watch_run();
    }

    /// Quits. Asks first if a run still writes into the pipe.
    pub(super) fn quit(&mut self) {
        let is_running = self.session.is_live()
            && (self.session.loading.is_some() || self.session.progress.is_cut);
        if !is_running {
            // A copy that was asked for is made before, unless the person insists.
            let is_copying = self.session.tickets.holds::<CopyForm>();
            if is_copying && !std::mem::replace(&mut self.session.quits, true) {
                return;
            }
            self.ask(Effect::Quit);
            return;
        }
        let lines = [
            "The run still writes into this pipe. Quitting closes the pipe, and the run may fail half-way.",
            "",
            "Quit all the same?",
        ];
        let lines = lines.map(str::to_owned).into();
        self.overlays.push(Ask::confirm(
            Asks::Quit,
            "Quit while the run goes on?",
            lines,
        ));
    }

    /// Drops a resource that changed since it was read. If it is shown, it is read again.
    pub(super) fn outdate(&mut self, id: ResourceId) {
        self.session.resources.drop(id);
        let is_shown = self.views.resources.detail.id() == Some(id)
            || self.views.changes.difference.subject == Some(id)
            || self.views.resources.tree.has_props(Node::Resource(id));
        if is_shown {
            self.session.resources.outdate(id);
            self.resource(id);
        }
    }
}
