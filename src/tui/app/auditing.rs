//! The audit of the plan: it runs in the background as soon as the file is read. Also commands that go to its findings.

use std::sync::Arc;

use super::App;
use crate::load::audit::is_promise;
use crate::tui::command::FoldCommand;
use crate::tui::jobs::Job;
use crate::tui::jobs::audit::Report;
use crate::tui::rows::{Part, Spot};

impl App {
    /// Requests the audit of a plan, or of a plan together with a later file.
    pub(super) fn audit(&mut self) {
        let Some(document) = self.session.document.clone() else {
            return;
        };
        let is_pair = self.session.input.older.is_some();
        if !is_pair && !is_promise(document.stack.header.kind) {
            return;
        }
        self.start(Job::Audit(document, self.session.input.clone()));
    }

    pub(super) fn audited(&mut self, report: Arc<Report>) {
        self.problems.progress = None;
        self.problems.report = Some(report);
        let had_errors = self.problems.n_errors > 0;
        self.show_problems();
        if !had_errors {
            self.notice_errors();
        }
    }

    /// Opens and closes rows in the Problems view, and goes to the subject of a row.
    pub(super) fn fold_problems(&mut self, command: FoldCommand) {
        let height = self.pane_height(0);
        if self.problems.is_fold() {
            let is_open = self.problems.shows_info;
            let wanted = match command {
                FoldCommand::Activate | FoldCommand::Toggle => !is_open,
                FoldCommand::Expand | FoldCommand::Open | FoldCommand::OpenAll => true,
                FoldCommand::Collapse | FoldCommand::Close | FoldCommand::CloseAll => false,
                FoldCommand::OpenBelow | FoldCommand::Level(_) => is_open,
            };
            if wanted != is_open {
                self.problems.shows_info = wanted;
                if let Some(document) = &self.session.document {
                    self.problems.set(&document.stack, height);
                }
            }
            return;
        }
        if command != FoldCommand::Activate {
            return;
        }
        let Some(id) = self.selected() else { return };
        let spot = self.problem_spot();
        self.go_to(id);
        if let Some(spot) = spot {
            self.aim_at(id, spot);
            self.window.focus = 1;
        }
    }

    /// The property that the selected finding is about; `None` if it is about the whole resource.
    pub(super) fn problem_spot(&self) -> Option<Spot> {
        let finding = self.problems.finding()?;
        let path = finding.path.to_property_path();
        if path.0.is_empty() {
            return None;
        }
        let part = if self.session.is_pulumi() {
            Part::Inputs
        } else {
            Part::Outputs
        };
        Some(Spot {
            path,
            ..Spot::top(part)
        })
    }
}
