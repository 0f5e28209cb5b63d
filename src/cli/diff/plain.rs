//! A report as lines of text.

use std::fmt::Write as _;

use super::super::paint::Paint;
use super::{Report, ResourceChange};
use crate::change::review::SectionDiff;
use crate::render::invocation;
use crate::render::lines::{Body, Line, Options, Span, lines};
use crate::stack::{Action, Invocation};
use crate::text::{count, escaped, plural};
use crate::tui::theme::Role;

pub(super) fn text(report: &Report<'_>, paint: &Paint) -> String {
    let mut out = String::new();
    // Writing to a string cannot fail.
    for entry in report.in_order() {
        let line = format!("{} {}", entry.action.sign(), headline(report, entry));
        _ = writeln!(out, "{}", paint.role(entry.action.into(), &line));
        write_parts(&mut out, entry, report.options, paint);
        for invocation in entry.invoked() {
            write_invocation(&mut out, invocation, report.options);
        }
    }
    if !report.invoked.is_empty() {
        _ = writeln!(out, "{}", paint.role(Role::Title, "actions"));
    }
    for invocation in &report.invoked {
        write_invocation(&mut out, invocation, report.options);
    }
    if !report.outputs.is_empty() {
        _ = writeln!(out, "{}", paint.role(Role::Title, "outputs"));
    }
    for output in &report.outputs {
        let line = format!("  {} {}", output.action.sign(), escaped(output.name));
        _ = writeln!(out, "{}", paint.role(output.action.into(), &line));
        write_part(&mut out, &output.part, report.options, paint);
    }
    if !report.drifted.is_empty() {
        _ = writeln!(out, "{}", paint.role(Role::Title, "drift"));
    }
    for entry in &report.drifted {
        _ = writeln!(out, "  {}", drift_headline(entry));
        write_parts(&mut out, entry, report.options, paint);
    }
    _ = writeln!(out, "{}", summary(report));
    out
}

/// The line for a resource that drifted.
pub(super) fn drift_headline(entry: &ResourceChange<'_>) -> String {
    let word = entry.action.drifted();
    format!("≈ {}  {word}", escaped(&entry.identity()))
}

/// The line with the action on a resource, and its cause.
pub(super) fn headline(report: &Report<'_>, entry: &ResourceChange<'_>) -> String {
    let mut line = format!(
        "{}  {}{}",
        escaped(&entry.identity()),
        report.word(entry.action),
        entry.aside()
    );
    let why = entry.why();
    if !why.is_empty() {
        _ = write!(line, "  ({})", escaped(&why.join(", ")));
    }
    line
}

pub(super) fn summary(report: &Report<'_>) -> String {
    let is_comparison = report.stack.is_comparison;
    let agreement = report.stack.counts.agreement;
    let is_outcome = agreement.is_some_and(|it| it.is_outcome);
    let of_action = |(action, n): (Action, usize)| match action {
        _ if !is_comparison => format!("{} to {}", count(n as u64), action.name()),
        Action::Update if is_outcome => format!("{} differ from the plan", count(n as u64)),
        Action::Update if n > 1 => format!("{} differ", count(n as u64)),
        _ => format!("{} {}", count(n as u64), action.compared()),
    };
    let mut counts: Vec<_> = report.counts().into_iter().map(of_action).collect();
    let n_deferred = report
        .entries
        .iter()
        .filter(|it| it.deferred().is_some())
        .count();
    if n_deferred > 0 {
        counts.push(format!("{} deferred", count(n_deferred as u64)));
    }
    let n_outputs = report.outputs.len();
    if n_outputs > 0 {
        let what = match (is_comparison, n_outputs) {
            (false, _) => "changed",
            (true, 1) => "differs",
            (true, _) => "differ",
        };
        counts.push(format!("{} {what}", plural(n_outputs, "output")));
    }
    let entries = report.entries.iter().flat_map(ResourceChange::invoked);
    let invoked = entries.chain(report.invoked.iter().copied());
    let (deferred, now): (Vec<_>, Vec<_>) = invoked.partition(|it| it.deferred.is_some());
    for (invoked, what) in [(now, "to invoke"), (deferred, "deferred")] {
        let n_invoked = invoked.len();
        if n_invoked > 0 {
            counts.push(format!("{} {what}", plural(n_invoked, "action")));
        }
    }
    if report.stack.changes().is_empty() {
        let nothing = if is_comparison {
            "no differences"
        } else {
            "no changes"
        };
        counts.push(nothing.to_owned());
    }
    if let Some(agreement) = agreement {
        counts.extend(agreement.words());
    }
    if !report.drifted.is_empty() {
        counts.push(format!("{} drifted", report.drifted.len()));
    }
    counts.join(" · ")
}

/// Writes an action and its configuration.
pub(super) fn write_invocation(out: &mut String, one: &Invocation, options: Options) {
    _ = writeln!(out, "    {}", invocation::title(one));
    for line in invocation::details(one, options) {
        _ = writeln!(out, "        {line}");
    }
}

/// Writes the properties of an entry, or the reason that it could not be read.
fn write_parts(out: &mut String, entry: &ResourceChange<'_>, options: Options, paint: &Paint) {
    if let Err(error) = &entry.resource {
        _ = writeln!(out, "    could not be read: {}", escaped(error));
    }
    for part in &entry.parts {
        if entry.parts.len() > 1 {
            _ = writeln!(out, "    {}", part.section);
        }
        write_part(out, part, options, paint);
    }
}

fn write_part(out: &mut String, part: &SectionDiff, options: Options, paint: &Paint) {
    for line in lines(&part.diff, options) {
        let text = format!("    {}{}", line.action.sign(), body(&line));
        _ = writeln!(out, "{}", paint.leaf(line.action, &text));
    }
}

/// A line without its sign.
pub(super) fn body(line: &Line) -> String {
    let mut text = " ".repeat(1 + 2 * line.depth);
    if let Some(label) = &line.label {
        text.push_str(label);
        text.push_str(if matches!(line.body, Body::Folded { .. }) {
            " "
        } else {
            ": "
        });
    }
    for Span { text: part, .. } in line.unified() {
        text.push_str(&part);
    }
    if let Some(remark) = line.remark() {
        text.push_str("  # ");
        text.push_str(remark);
    }
    text
}
