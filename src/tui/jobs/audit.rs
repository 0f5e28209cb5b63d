//! The audit of a plan, or of a plan together with a later file.

use std::sync::Arc;

use super::pace::Pace;
use super::{Cancel, Job, Topic};
use crate::change::audit::Finding;
use crate::load::audit::{Audit, Progress, by_identity};
use crate::load::{Document, Input, schemas};
use crate::stack::{ResourceId, Severity};
use crate::terraform::schema::Schemas;

/// Minimum time between two reports of progress, in milliseconds.
const PATIENCE: u64 = 200;

/// Maximum number of findings listed for each severity. The rest are only counted.
const MAX_FINDINGS: usize = 10_000;

/// A request to check a plan against the rules, and against a later file if there is one.
pub struct AuditPlan {
    /// The plan.
    pub document: Document,
    /// Its origin: schemas may lie beside the file.
    pub input: Input,
}

/// An answer of the audit.
pub enum Audited {
    /// The schemas of the providers of the plan.
    Schemas(Arc<Schemas>),
    /// The progress.
    Progress(Progress),
    /// The findings.
    Report(Arc<Report>),
}

/// The result of auditing a plan.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Report {
    /// The schemas and the later file that the plan was checked against; `None` if there were neither.
    pub basis: Option<String>,
    /// The error that ended the audit early.
    pub failure: Option<String>,
    /// The findings, worst first, each with its resource in the file that is shown.
    pub listed: Vec<(Finding, Option<ResourceId>)>,
    /// Number of findings of severity `Error`: broken promises.
    pub n_errors: usize,
    /// Number of findings of severity `Warning`: broken rules.
    pub n_warnings: usize,
    /// Number of findings of severity `Info`.
    pub n_info: usize,
}

impl Job for AuditPlan {
    type Answer = Audited;

    const TOPIC: Topic = Topic::named("auditing");

    /// Reports the progress now and then.
    fn run(self, cancel: &Cancel, say: &mut dyn FnMut(Self::Answer)) {
        let Self { document, input } = &self;
        let audited = |report: Report| Audited::Report(Arc::new(report));
        let found = match schemas::of(input) {
            // The schemas read here do not describe Pulumi providers.
            Ok(found) => found.filter(|_| !document.stack.header.kind.is_pulumi()),
            Err(error) => {
                return say(audited(Report {
                    failure: Some(error.to_string()),
                    ..Report::default()
                }));
            }
        };
        let source = found.as_ref().map(ToString::to_string);
        let schemas = found.map(|found| Arc::new(found.contents));
        if let Some(schemas) = schemas.clone() {
            say(Audited::Schemas(schemas));
        }
        let Some(audit) = Audit::of(document, schemas.as_deref()) else {
            return;
        };
        if !audit.has_basis() {
            return say(audited(Report::default()));
        }
        let later = audit
            .after
            .as_ref()
            .map(|after| after.stack.header.kind.to_string());
        let basis: Vec<String> = [source, later].into_iter().flatten().collect();
        let mut report = Report {
            basis: Some(basis.join(" and ")),
            ..Report::default()
        };
        let mut findings: [Vec<Finding>; 3] = Default::default();
        let mut pace = Pace::new(PATIENCE);
        let mut progress = |progress: Progress| {
            pace.answer(|| say(Audited::Progress(progress)));
            !cancel.is_cancelled()
        };
        let mut sink = |finding: Finding| {
            let (n_found, kept) = match finding.severity {
                Severity::Error | Severity::Failure => (&mut report.n_errors, &mut findings[0]),
                Severity::Warning => (&mut report.n_warnings, &mut findings[1]),
                Severity::Info => (&mut report.n_info, &mut findings[2]),
            };
            *n_found += 1;
            if kept.len() < MAX_FINDINGS {
                kept.push(finding);
            }
        };
        let outcome = audit.run(&mut progress, &mut sink);
        if cancel.is_cancelled() {
            return;
        }
        report.failure = outcome.err().map(|error| error.to_string());
        let ids = by_identity(document);
        let listed = findings.into_iter().flatten();
        report.listed = listed
            .map(|finding| {
                let id = ids.get(&finding.resource).copied();
                (finding, id)
            })
            .collect();
        say(audited(report));
    }
}
