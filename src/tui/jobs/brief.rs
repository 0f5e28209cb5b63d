//! The brief of the changes. Its findings are sent while it is made.

use std::sync::Arc;

use super::pace::Pace;
use super::{Answer, Cancel};
use crate::change::rules::Rules;
use crate::load::Document;
use crate::load::brief::page::Page;
use crate::load::brief::{Brief, Progress};
use crate::terraform::schema::Schemas;
use crate::tui::brief::Listed;

/// Minimum time before the first partial page and between two of them, in milliseconds.
const PATIENCE: u64 = 50;

/// The request of a page.
pub struct BriefRequest {
    /// The file.
    pub document: Document,
    /// They tell sets from lists.
    pub schemas: Option<Arc<Schemas>>,
    /// The rules; without any, those of this program.
    pub rules: Option<Arc<Rules>>,
}

impl BriefRequest {
    /// Sends the page, and what is known of it before, unless it is cancelled.
    pub(super) fn run(self, cancel: &Cancel, send: &mut dyn FnMut(Answer)) {
        let document = &self.document;
        let schemas = self.schemas.unwrap_or_default();
        let rules = self.rules.as_deref();
        let rules = rules.unwrap_or_else(|| Rules::built_in());
        let mut pace = Pace::later(PATIENCE);
        let mut watch = |progress: &Progress<'_>| {
            pace.answer(|| {
                let so_far = Page::so_far(&progress.so_far(), document);
                let listed = Listed::new(so_far, &document.stack);
                send(Answer::Briefing(Box::new(listed), progress.n_read));
            });
        };
        let is_cancelled = || cancel.is_cancelled();
        let brief = Brief::watched(document, &schemas, rules, &is_cancelled, &mut watch);
        if let Some(brief) = brief {
            let whole = Page::of(&brief, document, &schemas);
            let listed = Listed::new(whole, &document.stack);
            send(Answer::Briefed(Box::new(listed)));
        }
    }
}
