//! `check`: runs every check that is possible with the given files, and says which checks need more.

use std::fmt::Write as _;

use super::args::CheckArgs;
use super::fleet::{Counted, Form, Printer, Reply, Target};
use super::paint::Paint;
use super::{Console, EXIT_NO, Failure, fleet, open};
use crate::change::audit::Finding;
use crate::format::ReadError;
use crate::load::audit::{Audit, Check, Need, is_promise, of_note};
use crate::load::fleet::{Fleet, Opened};
use crate::load::remote::Address;
use crate::load::schemas::{self, SchemaFile};
use crate::load::{Document, Input, LoadError};
use crate::render::json;
use crate::stack::{Kind, Severity};
use crate::terraform::objchange::Semantics;
use crate::terraform::schema::Schemas;
use crate::text::{escaped, plural};
use crate::tui::theme::Role;
use crate::value::Value;

pub(super) fn run(args: &CheckArgs, console: &mut Console<'_>) -> Result<u8, Failure> {
    let file = match Target::of(args.files.clone(), &args.stacks, console)? {
        Target::One(file) => file,
        Target::Many(_) if args.state.is_some() => {
            return Err(Failure::usage("--state is for one plan, found many stacks"));
        }
        Target::Many(fleet) => return many(&fleet, Form::of(args.json), console),
    };
    let input = open::keyed(open::input(&file)?, console);
    let plan = open::load(&input, console)?;
    let kind = plan.stack.header.kind;
    if args.state.is_some() && !is_promise(kind) {
        return Err(Failure::usage(format!(
            "{}: {kind} is not a plan, expected a Terraform plan or a saved Pulumi plan for --state",
            Address::public(&file).display()
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
    let schemas = schemas_of(kind, &input)?;
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
    if console.schemas.is_some() && ran.iter().all(|check| check.needs != Some(Need::Schemas)) {
        console.remark(&if kind.is_pulumi() {
            format!("--schema is not used: {kind} is not a file of Terraform")
        } else {
            format!("--schema is used only to mask values: no check of {kind} needs it")
        });
    }
    let findings = findings(&audit).map_err(|source| Failure::Read {
        file: Address::public(&file).display().to_string(),
        source,
    })?;
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
    let rows = findings.iter().map(as_json);
    let rows = rows.chain(missing.iter().map(missing_json));
    console.rows((Form::of(args.json), code), rows, |paint| {
        text(&findings, by.as_deref(), &ran, &missing, paint)
    })
}

/// The schemas by which a file of this kind is checked.
fn schemas_of(kind: Kind, input: &Input) -> Result<Option<SchemaFile<Schemas>>, LoadError> {
    if kind.is_pulumi() {
        return Ok(None);
    }
    schemas::of(input)
}

/// The findings of the audit and the notes of the file, the worst first.
fn findings(audit: &Audit<'_>) -> Result<Vec<Finding>, ReadError> {
    let mut findings = Vec::new();
    audit.run(&mut |_| true, &mut |finding| findings.push(finding))?;
    findings.extend(audit.plan.stack.notes.iter().filter_map(of_note));
    findings.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
    Ok(findings)
}

/// Prints the findings of many stacks, each with its stack, then their number.
fn many(fleet: &Fleet, form: Form, console: &mut Console<'_>) -> Result<u8, Failure> {
    let paint = console.paint();
    let mut counts = Counts::default();
    let mut printer = Printer::default();
    let work = |opened: &Opened<'_>, document: &Document| {
        let schemas = schemas_of(document.stack.header.kind, &opened.input())?;
        let audit = Audit {
            plan: document.clone(),
            after: None,
            schemas: schemas.as_ref().map(|found| &found.contents),
        };
        let findings = match findings(&audit) {
            Ok(findings) => findings,
            Err(error) => {
                let reply = Reply {
                    partial: Some(error.to_string()),
                    ..Reply::default()
                };
                return Ok((reply, Counts::default()));
            }
        };
        let objects = findings.iter().map(as_json);
        let reply = Reply {
            is_hit: findings.iter().any(|it| it.severity > Severity::Info),
            ..Reply::of(form, objects, || lines(&findings, &paint))
        };
        Ok((reply, counts_of(&findings)))
    };
    let tally = fleet::each(
        fleet,
        &Counted::All,
        console,
        &work,
        &mut |member, reply, of_severity, console| {
            for (count, n) in counts.iter_mut().zip(of_severity) {
                *count += n;
            }
            printer.print(member, &reply, form, console)
        },
    )?;
    if form == Form::Text {
        let stacks = plural(tally.n_asked(), "stack");
        writeln!(console.out, "{stacks}: {}", totals(counts))?;
    }
    Ok(if tally.n_hits == 0 { 0 } else { EXIT_NO })
}

/// A line for each finding, then their number and the checks.
fn text(
    findings: &[Finding],
    by: Option<&str>,
    ran: &[Check],
    missing: &[Check],
    paint: &Paint,
) -> String {
    let mut out = lines(findings, paint);
    // Writing to a string cannot fail.
    _ = writeln!(out, "{}", totals(counts_of(findings)));
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

/// Numbers of findings by severity.
type Counts = [usize; Severity::COUNT];

fn counts_of(findings: &[Finding]) -> Counts {
    let mut counts = Counts::default();
    for finding in findings {
        counts[finding.severity as usize] += 1;
    }
    counts
}

/// The number of findings of each severity, in words.
fn totals(counts: Counts) -> String {
    let of = |severity: Severity| counts[severity as usize];
    format!(
        "{}, {}, {} {}",
        plural(
            of(Severity::Error) + of(Severity::Failure),
            Severity::Error.name()
        ),
        plural(of(Severity::Warning), Severity::Warning.name()),
        of(Severity::Info),
        Severity::Info.plural()
    )
}

/// A line for each finding.
fn lines(findings: &[Finding], paint: &Paint) -> String {
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
    out
}

/// Example: `the plan against its outcome (needs --state)`.
fn listed(missing: &[Check]) -> String {
    let one = |check: &Check| match check.needs {
        Some(needs) => format!("{} (needs {})", check.title, needs.option()),
        None => check.title.to_owned(),
    };
    missing.iter().map(one).collect::<Vec<_>>().join(", ")
}

/// A check that did not run, as an entry among the findings.
fn missing_json(check: &Check) -> Value {
    let needs = check.needs.map_or("", Need::option);
    let message = format!("not checked: {}; {needs} is missing", check.title);
    json::object(&[
        ("resource", &""),
        ("path", &"root"),
        ("severity", &Severity::Info.name()),
        ("kind", &"not_run"),
        ("check", &check.name),
        ("needs", &needs),
        ("message", &message),
    ])
}

fn as_json(finding: &Finding) -> Value {
    json::object(&[
        ("resource", &finding.resource),
        ("path", &finding.path.to_property_path().to_tolerant()),
        ("severity", &finding.severity.name()),
        ("kind", &finding.kind),
        ("message", &finding.sentence),
    ])
}
