//! The audit of a plan, or of a plan together with a later file.

use std::sync::Arc;

use super::Answer;
use super::pace::Pace;
use crate::change::audit::Finding;
use crate::load::audit::{Audit, Progress, by_identity};
use crate::load::{Document, Input, schemas};
use crate::stack::{ResourceId, Severity};

/// Minimum time between two reports of progress, in milliseconds.
const PATIENCE: u64 = 200;

/// Maximum number of findings listed for each severity. The rest are only counted.
const MAX_FINDINGS: usize = 10_000;

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

/// Audits until done or `cancelled`. Reports its progress now and then.
pub(super) fn run(
    document: &Document,
    input: &Input,
    cancelled: &dyn Fn() -> bool,
    send: &mut dyn FnMut(Answer),
) {
    let audited = |report: Report| Answer::Audited(Arc::new(report));
    let found = match schemas::of(input) {
        // The schemas read here do not describe Pulumi providers.
        Ok(found) => found.filter(|_| !document.stack.header.kind.is_pulumi()),
        Err(error) => {
            return send(audited(Report {
                failure: Some(error.to_string()),
                ..Report::default()
            }));
        }
    };
    let source = found.as_ref().map(ToString::to_string);
    let schemas = found.map(|found| Arc::new(found.contents));
    if let Some(schemas) = schemas.clone() {
        send(Answer::Schemas(schemas));
    }
    let Some(audit) = Audit::of(document, schemas.as_deref()) else {
        return;
    };
    if !audit.has_basis() {
        return send(audited(Report::default()));
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
        pace.answer(|| send(Answer::Auditing(progress)));
        !cancelled()
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
    if cancelled() {
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
    send(audited(report));
}
