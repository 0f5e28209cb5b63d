//! `check`: what in a plan breaks the rules that its own program checks, and what came out otherwise.

use super::args::CheckArgs;
use super::{Console, EXIT_NO, Failure, open};
use crate::cty::Path;
use crate::load::audit::{Audit, is_promise};
use crate::load::{LoadError, schemas};
use crate::objchange::Semantics;
use crate::objchange::audit::{Finding, Severity};
use crate::render::json;
use crate::render::plain::escaped;
use crate::stack::{self, Note};
use crate::value::Value;

pub(super) fn run(args: &CheckArgs, console: &mut Console<'_>) -> Result<u8, Failure> {
    let mut input = open::input(&args.file)?;
    if let Some(schemas) = &args.schema {
        input = input.with_schemas(schemas);
    }
    let input = open::keyed(input, console);
    let plan = open::load(&input, console)?;
    let kind = plan.stack.header.kind;
    if !is_promise(kind) {
        return Err(Failure::usage(format!(
            "{}: {kind} makes no promises, expected a plan of Terraform or a saved plan of Pulumi",
            args.file.display()
        )));
    }
    let after = args
        .state
        .as_deref()
        .map(|file| open::document(file, console))
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
    if !audit.has_basis() {
        console.remark("without --schema or --state there is nothing to hold the plan against");
    }
    let mut findings = Vec::new();
    audit
        .run(&mut |_| true, &mut |finding| findings.push(finding))
        .map_err(|source| Failure::Read {
            file: args.file.display().to_string(),
            source,
        })?;
    findings.extend(plan.stack.notes.iter().filter_map(of_note));
    // What matters most is not to be looked for among the rest.
    findings.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
    print(&findings, args, console)?;
    if let Some(found) = &schemas
        && !args.json
    {
        let rules = match audit.semantics() {
            Semantics::Current => "today's rules",
            Semantics::V0_13 => "the rules of Terraform 0.13 to 0.15",
        };
        let found = escaped(&found.to_string());
        writeln!(console.out, "checked by {rules}, with {found}")?;
    }
    let is_broken = findings
        .iter()
        .any(|finding| finding.severity > Severity::Info);
    Ok(if is_broken { EXIT_NO } else { 0 })
}

/// What is odd about the file itself: no rule is broken by it, but what cannot be read cannot be checked either.
fn of_note(note: &Note) -> Option<Finding> {
    let severity = match note.severity {
        stack::Severity::Error => Severity::Error,
        stack::Severity::Warning => Severity::Info,
        stack::Severity::Info => return None,
    };
    Some(Finding {
        resource: note.place.clone(),
        path: Path::default(),
        severity,
        kind: "file",
        sentence: note.message.clone(),
    })
}

fn print(findings: &[Finding], args: &CheckArgs, console: &mut Console<'_>) -> Result<(), Failure> {
    if args.json {
        json::write_list(console.out, findings.iter().map(as_json))?;
        return Ok(());
    }
    for finding in findings {
        let path = if finding.path.0.is_empty() {
            String::new()
        } else {
            format!(" {}", finding.path)
        };
        writeln!(
            console.out,
            "{:7}  {}{path}: {}",
            finding.severity.to_string(),
            escaped(&finding.resource),
            escaped(&finding.sentence)
        )?;
    }
    let count = |severity| {
        let findings = findings.iter();
        findings
            .filter(|finding| finding.severity == severity)
            .count()
    };
    writeln!(
        console.out,
        "{} errors, {} warnings, {} remarks",
        count(Severity::Error),
        count(Severity::Warning),
        count(Severity::Info)
    )?;
    Ok(())
}

fn as_json(finding: &Finding) -> Value {
    json::object([
        ("resource", Some(finding.resource.as_str().into())),
        (
            "path",
            Some(finding.path.to_property_path().to_tolerant().into()),
        ),
        ("severity", Some(finding.severity.to_string().into())),
        ("kind", Some(finding.kind.into())),
        ("message", Some(finding.sentence.as_str().into())),
    ])
}
