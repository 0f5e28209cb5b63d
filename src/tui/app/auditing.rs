//! The audit of the plan: it runs in the background as soon as the file is read.

use std::sync::Arc;

use super::App;
use crate::load::audit::is_promise;
use crate::tui::any_job::Takes;
use crate::tui::jobs::audit::{AuditPlan, Audited, Report};

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
        let input = self.session.input.clone();
        self.start(AuditPlan { document, input });
    }

    fn audited(&mut self, report: Arc<Report>) {
        self.views.problems.progress = None;
        self.views.problems.report = Some(report);
        let had_errors = self.views.problems.n_errors > 0;
        self.show_problems();
        if !had_errors {
            self.notice_errors();
        }
    }
}

impl Takes<AuditPlan> for App {
    fn take(&mut self, answer: Audited) {
        match answer {
            Audited::Schemas(schemas) => self.take_schemas(schemas),
            Audited::Progress(progress) => self.views.problems.progress = Some(progress),
            Audited::Report(report) => self.audited(report),
        }
    }

    fn lose(&mut self) {
        self.views.problems.progress = None;
    }
}
