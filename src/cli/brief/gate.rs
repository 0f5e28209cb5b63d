//! The gate of a pipeline: the conditions with which `brief` fails.

use super::Report;
use crate::change::rules::Level;
use crate::cli::args::FailOn;
use crate::load::brief::page::{Page, Part, Title};
use crate::load::record::Standing;
use crate::text::plural;

/// The conditions that hold, each in a line. The gate is open if there are none.
pub(super) fn closed(fail_on: &[FailOn], report: &Report) -> Vec<String> {
    let page = &report.page;
    let mut lines = Vec::new();
    for condition in fail_on {
        let n_places = match condition {
            FailOn::Danger => n_found(page, Level::Danger) + n_failed(report),
            FailOn::Warning => n_found(page, Level::Warning) + n_failed(report),
            FailOn::Unreviewed => report.standing.map_or(0, Standing::n_left),
            FailOn::Drift => count(page, |part| part.title == Title::Outside),
            FailOn::UnknownAccess => report.brief.findings.n_waiting,
        };
        if n_places > 0 {
            let places = plural(n_places, "place");
            lines.push(format!("--fail-on {}: {places}", condition.name()));
        }
    }
    lines
}

/// Number of failures of a run. Those of a plan are findings.
fn n_failed(report: &Report) -> usize {
    let is_run = report.document.stack.header.kind.is_log();
    let is_failure = |part: &&Part| is_run && part.title == Title::Checks;
    count(&report.page, is_failure)
}

/// Number of findings of a level, or heavier.
pub(super) fn n_found(page: &Page, least: Level) -> usize {
    count(page, |part| {
        part.title.level().is_some_and(|level| level <= least)
    })
}

fn count(page: &Page, is_counted: impl Fn(&&Part) -> bool) -> usize {
    page.parts
        .iter()
        .filter(is_counted)
        .map(|part| part.count)
        .sum()
}
