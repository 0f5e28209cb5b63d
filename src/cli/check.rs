//! `check`: runs every check that is possible with the given files, and says which checks need more.

use std::fmt::Write as _;

use super::args::CheckArgs;
use super::failure::answered;
use super::fleet::{Form, Printer, Reply, Target};
use super::paint::Paint;
use super::{Console, EXIT_NO, Failure, fleet, open};
use crate::change::audit::Finding;
use crate::format::ReadError;
use crate::load::audit::{Audit, Check, Need, is_promise, of_note};
use crate::load::fleet::{Asked, Fleet, Opened};
use crate::load::remote::Address;
use crate::load::{LoadError, schemas};
use crate::render::json;
use crate::stack::Severity;
use crate::terraform::objchange::Semantics;
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
    let mut counts = [0; Severity::COUNT];
    let mut printer = Printer::default();
    let work = |opened: &Opened<'_>| {
        let document = opened.load()?;
        let schemas = if document.stack.header.kind.is_pulumi() {
            None
        } else {
            schemas::of(&opened.input())?
        };
        let audit = Audit {
            plan: document.clone(),
            after: None,
            schemas: schemas.as_ref().map(|found| &found.contents),
        };
        let mut reply = Reply::default();
        let mut of_severity = [0; Severity::COUNT];
        match findings(&audit) {
            Err(error) => reply.partial = Some(error.to_string()),
            Ok(findings) => {
                for finding in &findings {
                    of_severity[finding.severity as usize] += 1;
                }
                reply.is_hit = findings.iter().any(|it| it.severity > Severity::Info);
                match form {
                    Form::Text => reply.text = lines(&findings, &paint),
                    Form::Json => reply.objects = findings.iter().map(as_json).collect(),
                }
            }
        }
        Ok(Asked {
            result: (reply.with_damage(&document), of_severity),
            fingerprint: opened.fingerprint(&document),
        })
    };
    let tally = fleet::each(
        fleet,
        console,
        &work,
        &mut |member, reply, of_severity, console| {
            for (count, n) in counts.iter_mut().zip(of_severity) {
                *count += n;
            }
            printer.print(member, reply, form, console)
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
    let mut counts = [0; Severity::COUNT];
    for finding in findings {
        counts[finding.severity as usize] += 1;
    }
    // Writing to a string cannot fail.
    _ = writeln!(out, "{}", totals(counts));
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

/// The number of findings of each severity, in words.
fn totals(counts: [usize; Severity::COUNT]) -> String {
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
