//! A report as Markdown, for a pull request.

use std::fmt::Write as _;

use super::{Report, ResourceChange, plain};
use crate::change::review::SectionDiff;
use crate::render::lines::{Options, lines};
use crate::render::markdown::{cell, code, colored_sign, fence, html_code};
use crate::text::escaped;

pub(super) fn text(title: &str, report: &Report<'_>) -> String {
    let mut out = String::new();
    // Writing to a string cannot fail.
    _ = writeln!(out, "### {}\n\n{}\n", code(title), plain::summary(report));
    if !report.entries.is_empty() {
        out.push_str("| | resource | type | action | why |\n|---|---|---|---|---|\n");
    }
    for entry in report.in_order() {
        let why: Vec<String> = entry.why().iter().map(|it| cell(it)).collect();
        _ = writeln!(
            out,
            "| {} | {} | {} | {}{} | {} |",
            cell(entry.action.sign()),
            cell(&entry.identity()),
            cell(report.stack.ty(entry.id)),
            report.word(entry.action),
            entry.aside(),
            why.join(", "),
        );
    }
    for entry in report.in_order() {
        let mut body = String::new();
        write_parts(&mut body, entry, report.options);
        for invocation in entry.invoked() {
            plain::write_invocation(&mut body, invocation, report.options);
        }
        let summary = format!("{} {}", entry.action.sign(), plain::headline(report, entry));
        section(&mut out, &html_code(&summary), &body);
    }
    let mut body = String::new();
    for invocation in &report.invoked {
        plain::write_invocation(&mut body, invocation, report.options);
    }
    section(&mut out, "actions", &body);
    let mut body = String::new();
    for output in &report.outputs {
        _ = writeln!(body, "@@ {} @@", escaped(output.name));
        write_part(&mut body, &output.part, report.options);
    }
    section(&mut out, "outputs", &body);
    let mut body = String::new();
    for entry in &report.drifted {
        _ = writeln!(body, "{}", plain::drift_headline(entry));
        write_parts(&mut body, entry, report.options);
    }
    section(&mut out, "drift", &body);
    out
}

/// Folds `body` under `summary`, which is HTML. Without a body there is nothing.
fn section(out: &mut String, summary: &str, body: &str) {
    if body.is_empty() {
        return;
    }
    let fence = fence(body);
    _ = writeln!(
        out,
        "\n<details><summary>{summary}</summary>\n\n{fence}diff\n{body}{fence}\n\n</details>"
    );
}

/// Writes the properties of an entry, or the reason that it could not be read.
fn write_parts(out: &mut String, entry: &ResourceChange<'_>, options: Options) {
    if let Err(error) = &entry.resource {
        _ = writeln!(out, "could not be read: {}", escaped(error));
    }
    for part in &entry.parts {
        if entry.parts.len() > 1 {
            _ = writeln!(out, "@@ {} @@", part.section);
        }
        write_part(out, part, options);
    }
}

/// Writes the lines of a part.
fn write_part(out: &mut String, part: &SectionDiff, options: Options) {
    for line in lines(&part.diff, options) {
        let sign = colored_sign(line.action);
        _ = writeln!(out, "{sign}{}", plain::body(&line));
    }
}
