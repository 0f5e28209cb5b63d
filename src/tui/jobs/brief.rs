//! The brief of the changes. Its findings are sent while it is made.

use std::sync::Arc;

use super::pace::Pace;
use super::{Cancel, Job, Topic};
use crate::change::rules::Rules;
use crate::load::Document;
use crate::load::brief::page::Page;
use crate::load::brief::{Brief, Progress};
use crate::load::cost::Costs;
use crate::terraform::schema::Schemas;
use crate::tui::brief::Listed;

/// Minimum time before the first partial page and between two of them, in milliseconds.
const PATIENCE: u64 = 50;

/// A request to condense the changes to one page.
pub struct MakeBrief {
    /// The file.
    pub document: Document,
    /// They tell sets from lists.
    pub schemas: Option<Arc<Schemas>>,
    /// The rules; without any, those of this program.
    pub rules: Option<Arc<Rules>>,
    /// The costs of the plan.
    pub costs: Option<Arc<Costs>>,
}

/// The page of the brief.
pub struct Briefed {
    /// The page.
    pub listed: Box<Listed>,
    /// Number of changed resources that are read, if the page is not whole.
    pub n_read: Option<usize>,
}

impl Job for MakeBrief {
    type Answer = Briefed;

    const TOPIC: Topic = Topic::named("making the brief");

    fn run(self, cancel: &Cancel, say: &mut dyn FnMut(Self::Answer)) {
        let document = &self.document;
        let schemas = self.schemas.unwrap_or_default();
        let rules = self.rules.as_deref();
        let rules = rules.unwrap_or_else(|| Rules::built_in());
        let mut pace = Pace::later(PATIENCE);
        let mut watch = |progress: &Progress<'_>| {
            pace.answer(|| {
                let so_far = Page::so_far(&progress.so_far(), document);
                say(Briefed {
                    listed: Box::new(Listed::new(so_far, &document.stack)),
                    n_read: Some(progress.n_read),
                });
            });
        };
        let is_cancelled = || cancel.is_cancelled();
        let brief = Brief::watched(document, &schemas, rules, &is_cancelled, &mut watch);
        if let Some(brief) = brief {
            let mut whole = Page::of(&brief, document, &schemas);
            if let Some(costs) = &self.costs {
                whole = whole.with_costs(costs, &document.stack);
            }
            say(Briefed {
                listed: Box::new(Listed::new(whole, &document.stack)),
                n_read: None,
            });
        }
    }
}
