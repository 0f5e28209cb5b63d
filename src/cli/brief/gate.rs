//! The gate of a pipeline: the conditions with which `brief` fails.
//!
//! Law: the gate is open only if every condition was judged. A file that cannot answer a condition does not pass it.

use super::Report;
use crate::change::rules::{Level, Rules};
use crate::cli::args::{FailOn, word};
use crate::cli::{EXIT_FOUND, EXIT_UNJUDGED, open};
use crate::load::brief::page::{Entry, Page, Part, Said, Title};
use crate::load::record::Standing;
use crate::stack::{Flags, Kind, Stack};
use crate::text::plural;

/// The answer of the gate to one file.
pub(super) struct Answer {
    /// The conditions that hold and those that could not be judged, each in a line.
    pub(super) lines: Vec<String>,
    /// The exit code; 0 if the gate is open.
    pub(super) code: u8,
}

/// Judges the conditions.
pub(super) fn answer(fail_on: &[FailOn], report: &Report, rules: &Rules) -> Answer {
    let mut answer = Answer {
        lines: Vec::new(),
        code: 0,
    };
    for condition in fail_on {
        let name = word(condition);
        let n_places = n_places(*condition, report);
        if n_places > 0 {
            let places = plural(n_places, "place");
            answer.lines.push(format!("--fail-on {name}: {places}"));
            answer.code = EXIT_FOUND;
        } else if let Some(why) = unjudged(*condition, report, rules) {
            answer.lines.push(unanswered(*condition, &why));
            answer.code = worse(answer.code, EXIT_UNJUDGED);
        }
    }
    answer
}

/// The line for a condition that could not be judged.
pub(super) fn unanswered(condition: FailOn, why: &str) -> String {
    format!("--fail-on {} could not be judged: {why}", word(&condition))
}

/// The exit code for two files with these: a condition that holds says more than one that could not be judged.
pub(super) fn worse(one: u8, other: u8) -> u8 {
    if [one, other].contains(&EXIT_FOUND) {
        EXIT_FOUND
    } else {
        one.max(other)
    }
}

/// Number of places at which a condition holds.
fn n_places(condition: FailOn, report: &Report) -> usize {
    let page = &report.page;
    match condition {
        FailOn::Danger => n_found(page, Level::Danger) + n_failed(report),
        FailOn::Warning => n_found(page, Level::Warning) + n_failed(report),
        FailOn::Unreviewed => report.standing.map_or(0, Standing::n_left),
        FailOn::Drift if report.document.stack.is_comparison => 0,
        FailOn::Drift => usize::try_from(report.document.stack.n_drifted()).unwrap_or(usize::MAX),
        FailOn::UnknownAccess => report.brief.findings.n_waiting,
    }
}

/// The reason why the file cannot answer a condition; `None` if it can.
fn unjudged(condition: FailOn, report: &Report, rules: &Rules) -> Option<String> {
    let stack = &report.document.stack;
    let is_about_findings = matches!(condition, FailOn::Danger | FailOn::Warning);
    if !stack.holds_changes() {
        // Policies judge a state too.
        let is_judged = is_about_findings && !rules.policies().is_empty();
        let what = if stack.header.kind == Kind::ProviderSchemas {
            "a file of provider schemas"
        } else {
            "a state alone"
        };
        let why =
            format!("{what} has no changes, expected a plan, or a second file to compare with");
        return (!is_judged).then_some(why);
    }
    if open::partial(stack).is_some() {
        return Some("a part of the file could not be read".to_owned());
    }
    if let n @ 1.. = report.brief.unread.len() {
        return Some(format!("{} could not be read", plural(n, "resource")));
    }
    if let Some(why) = stack.counts.unjudged() {
        return Some(why);
    }
    match condition {
        FailOn::Drift if stack.is_comparison => {
            Some("two files do not say who made a change".to_owned())
        }
        FailOn::Danger | FailOn::Warning | FailOn::UnknownAccess if lacks_values(stack) => {
            Some("the log of a plan has no values, expected `terraform show -json PLAN`".to_owned())
        }
        FailOn::Unreviewed if report.standing.is_none() => {
            Some("the changes could not be compared with the record".to_owned())
        }
        FailOn::Danger
        | FailOn::Warning
        | FailOn::Unreviewed
        | FailOn::Drift
        | FailOn::UnknownAccess => None,
    }
}

/// True for the log of a plan of Terraform with changes. That of an apply says what failed.
fn lacks_values(stack: &Stack) -> bool {
    let of_run = Flags::RUNNING | Flags::DONE | Flags::FAILED;
    let changed = stack.ids().filter(|id| stack.change_of(*id).is_some());
    let mut flags = changed.map(|id| stack.record(id).flags).peekable();
    let is_planned = flags.peek().is_some() && flags.all(|flags| !flags.intersects(of_run));
    stack.header.kind == Kind::TerraformUi && is_planned
}

/// Number of failures of a run that are about no change. The others are findings.
fn n_failed(report: &Report) -> usize {
    let parts = report.page.parts.iter();
    let checks = parts.filter(|part| part.title == Title::Checks);
    checks.map(|part| part.count).sum()
}

/// Number of places of findings of a level, or heavier.
pub(super) fn n_found(page: &Page, least: Level) -> usize {
    let parts = page.parts.iter().filter(|part| part.title != Title::Checks);
    let n_of = |part: &Part, entry: &Entry| -> usize {
        let said = entry.with_along().flat_map(|entry| &entry.said);
        let said: Vec<&Said> = said.collect();
        let found = said.iter().filter(|said| said.level <= least);
        let is_of_section = part.title.level().is_some_and(|level| level <= least);
        // The problems of a state are said by no rule.
        match said.len() {
            0 if is_of_section => entry.n_changes(),
            _ => found.map(|said| said.places.len().max(1)).sum(),
        }
    };
    let entries = parts.flat_map(|part| part.entries.iter().map(move |entry| (part, entry)));
    entries.map(|(part, entry)| n_of(part, entry)).sum()
}
