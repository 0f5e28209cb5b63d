//! `check`: runs every check that is possible with the given files, and says which checks need more.

use std::fmt::Write as _;

use super::args::CheckArgs;
use super::failure::answered;
use super::paint::Paint;
use super::{Console, EXIT_NO, Failure, open};
use crate::change::audit::Finding;
use crate::load::audit::{Audit, Check, is_promise};
use crate::load::{LoadError, schemas};
use crate::render::json;
use crate::stack::{Note, Severity};
use crate::terraform::cty::Path;
use crate::terraform::objchange::Semantics;
use crate::text::{escaped, plural};
use crate::tui::theme::Role;
use crate::value::Value;

pub(super) fn run(args: &CheckArgs, console: &mut Console<'_>) -> Result<u8, Failure> {
    let input = open::keyed(open::input(&args.file)?, console);
    let plan = open::load(&input, console)?;
    let kind = plan.stack.header.kind;
    if args.state.is_some() && !is_promise(kind) {
        return Err(Failure::usage(format!(
            "{}: {kind} is not a plan, expected a Terraform plan or a saved Pulumi plan for --state",
            args.file.display()
        )));
    }
    let after = args
        .state
        .as_deref()
        .map(|file| {
            // Values that the schemas of the plan mask are masked in the state too.
            let after = open::keyed(open::input(file)?, console);
            let after = schemas::lend(&input, after);
            open::load(&after, console)
        })
        .transpose()?;
    if let Some(after) = &after {
        let other = after.stack.header.kind;
        if other.is_pulumi() != kind.is_pulumi() {
            return Err(LoadError::Unlike { one: kind, other }.into());
        }
    }
    let schemas = if kind.is_pulumi() {
        None
    } else {
        schemas::of(&input)?
    };
    let audit = Audit {
        plan: plan.clone(),
        after: after.clone(),
        schemas: schemas.as_ref().map(|found| &found.contents),
    };
    let (ran, missing) = audit.checks();
    if !missing.is_empty() && !console.is_terminal {
        // Also on stderr, for scripts that keep only stdout or the exit code.
        console.remark(&format!("not checked: {}", listed(&missing)));
    }
    if console.schemas.is_some() && ran.iter().all(|check| check.needs != Some("--schema")) {
        console.remark(&if kind.is_pulumi() {
            format!("--schema is not used: {kind} is not a file of Terraform")
        } else {
            format!("--schema is used only to mask values: no check of {kind} needs it")
        });
    }
    let mut findings = Vec::new();
    audit
        .run(&mut |_| true, &mut |finding| findings.push(finding))
        .map_err(|source| Failure::Read {
            file: args.file.display().to_string(),
            source,
        })?;
    findings.extend(plan.stack.notes.iter().filter_map(of_note));
    // The worst findings come first.
    findings.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
    let is_broken = findings
        .iter()
        .any(|finding| finding.severity > Severity::Info);
    let code = if is_broken { EXIT_NO } else { 0 };
    let by = schemas.as_ref().map(|found| {
        let rules = match audit.semantics() {
            Semantics::Current => "today's rules",
            Semantics::V0_13 => "the rules of Terraform 0.13 to 0.15",
        };
        format!("checked by {rules}, with {found}")
    });
    let printed = if args.json {
        let missing = missing.iter().map(missing_json);
        let rows = findings.iter().map(as_json).chain(missing);
        json::write_list(console.out, rows)
    } else {
        let text = text(&findings, by.as_deref(), &ran, &missing, &console.paint());
        console.out.write_all(text.as_bytes())
    };
    answered(code, printed.map_err(Failure::from))
}

/// The finding for a note of the file; `None` for a note that is not a problem.
fn of_note(note: &Note) -> Option<Finding> {
    let is_problem = note.severity > Severity::Info;
    is_problem.then(|| Finding {
        resource: note.place.clone(),
        path: Path::default(),
        severity: note.severity,
        kind: "file",
        sentence: note.message.clone(),
    })
}

/// A line for each finding, then their number and the checks.
fn text(
    findings: &[Finding],
    by: Option<&str>,
    ran: &[Check],
    missing: &[Check],
    paint: &Paint,
) -> String {
    let mut out = String::new();
    // Writing to a string cannot fail.
    for finding in findings {
        let path = if finding.path.0.is_empty() {
            String::new()
        } else {
            format!(" {}", finding.path)
        };
        _ = writeln!(
            out,
            "{}  {}{}: {}",
            paint.severity(finding.severity, &format!("{:7}", finding.severity.name())),
            escaped(&finding.resource),
            paint.role(Role::Key, &path),
            escaped(&finding.sentence)
        );
    }
    let count = |severity| {
        let findings = findings.iter();
        findings
            .filter(|finding| finding.severity == severity)
            .count()
    };
    _ = writeln!(
        out,
        "{}, {}, {} {}",
        plural(
            count(Severity::Error) + count(Severity::Failure),
            Severity::Error.name()
        ),
        plural(count(Severity::Warning), Severity::Warning.name()),
        count(Severity::Info),
        Severity::Info.plural()
    );
    if let Some(by) = by {
        _ = writeln!(out, "{}", escaped(by));
    }
    let titles: Vec<&str> = ran.iter().map(|check| check.title).collect();
    _ = writeln!(out, "checked: {}", titles.join(", "));
    if !missing.is_empty() {
        _ = writeln!(out, "not checked: {}", listed(missing));
    }
    out
}

/// Example: `the plan against its outcome (needs --state)`.
fn listed(missing: &[Check]) -> String {
    let one = |check: &Check| match check.needs {
        Some(needs) => format!("{} (needs {needs})", check.title),
        None => check.title.to_owned(),
    };
    missing.iter().map(one).collect::<Vec<_>>().join(", ")
}

/// A check that did not run, as an entry among the findings.
fn missing_json(check: &Check) -> Value {
    let needs = check.needs.unwrap_or_default();
    json::object([
        ("resource", Some("".into())),
        ("path", Some("root".into())),
        ("severity", Some(Severity::Info.name().into())),
        ("kind", Some("not_run".into())),
        ("check", Some(check.name.into())),
        ("needs", Some(needs.into())),
        (
            "message",
            Some(format!("not checked: {}; {needs} is missing", check.title).into()),
        ),
    ])
}

fn as_json(finding: &Finding) -> Value {
    json::object([
        ("resource", Some(finding.resource.as_str().into())),
        (
            "path",
            Some(finding.path.to_property_path().to_tolerant().into()),
        ),
        ("severity", Some(finding.severity.name().into())),
        ("kind", Some(finding.kind.into())),
        ("message", Some(finding.sentence.as_str().into())),
    ])
}
