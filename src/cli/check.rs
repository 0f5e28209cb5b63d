//! `check`: what in a plan breaks the rules that its own program checks, and what came out otherwise.

use std::collections::HashMap;

use super::args::CheckArgs;
use super::{Console, EXIT_NO, Failure, get, open};
use crate::load::{Document, whole};
use crate::objchange::Semantics;
use crate::objchange::audit::{
    AuditError, Finding, Severity, audit_change, audit_result, audit_saved, schema_of,
};
use crate::render::json;
use crate::render::plain::escaped;
use crate::schema::Schemas;
use crate::stack::{Flags, Kind, Resource, ResourceId};
use crate::value::Value;

pub(super) fn run(args: &CheckArgs, console: &mut Console<'_>) -> Result<u8, Failure> {
    let plan = open::document(&args.file, console)?;
    let kind = plan.stack.header.kind;
    let is_terraform = matches!(kind, Kind::TerraformPlan | Kind::TerraformPlanBinary);
    if !is_terraform && kind != Kind::PulumiPlan {
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
    if let Some(after) = &after
        && after.stack.header.kind.is_pulumi() == is_terraform
    {
        return Err(Failure::usage(format!(
            "{kind} and {} cannot be compared, expected two files of one tool",
            after.stack.header.kind
        )));
    }
    let findings = if is_terraform {
        let schemas = match &args.schema {
            Some(schemas) => whole::value(&open::input(schemas)?)?,
            None => Value::NULL,
        };
        terraform(&plan, after.as_ref(), &Schemas::new(&schemas))?
    } else {
        pulumi(&plan, after.as_ref())?
    };
    if args.schema.is_none() && after.is_none() {
        writeln!(
            console.err,
            "stacklens: without --schema or --state there is nothing to hold the plan against"
        )?;
    }
    print(&findings, args, console)?;
    if is_terraform && args.schema.is_some() && !args.json {
        let rules = match Semantics::of_version(&plan.stack.header.tool_version) {
            Semantics::Current => "today's rules",
            Semantics::V0_13 => "the rules of Terraform 0.13 to 0.15",
        };
        writeln!(console.out, "checked by {rules}")?;
    }
    let is_broken = findings
        .iter()
        .any(|finding| finding.severity > Severity::Info);
    Ok(if is_broken { EXIT_NO } else { 0 })
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

fn terraform(
    plan: &Document,
    after: Option<&Document>,
    schemas: &Schemas,
) -> Result<Vec<Finding>, Failure> {
    let stack = &plan.stack;
    let semantics = Semantics::of_version(&stack.header.tool_version);
    let actual = after.map(by_identity).unwrap_or_default();
    let mut findings = Vec::new();
    for id in stack.ids() {
        let planned = get::read(plan, id)?;
        let schema = schema_of(&planned, schemas);
        if let Some(schema) = &schema {
            let told = audit_change(stack, &planned, schema, semantics);
            add(&mut findings, &planned, told);
        }
        if let Some(after) = after {
            let actual = actual.get(&stack.identity(id));
            let actual = actual.map(|id| get::read(after, *id)).transpose()?;
            let told = audit_result(&planned, actual.as_ref(), schema.as_ref(), semantics);
            add(&mut findings, &planned, told);
        }
    }
    Ok(findings)
}

/// What is told of a resource; that it cannot be checked is told too.
fn add(findings: &mut Vec<Finding>, resource: &Resource, told: Result<Vec<Finding>, AuditError>) {
    match told {
        Ok(told) => findings.extend(told),
        Err(error) => findings.push(Finding {
            resource: resource.address.clone().unwrap_or_default(),
            path: crate::cty::Path::default(),
            severity: Severity::Warning,
            kind: "not_checked",
            sentence: format!("it cannot be checked: {error}"),
        }),
    }
}

/// The live resources of a file by what the person calls them; deposed ones by their key.
fn by_identity(document: &Document) -> HashMap<String, ResourceId> {
    let stack = &document.stack;
    stack
        .ids()
        .filter(|id| {
            let gone = Flags::DRIFT_ENTRY | Flags::PENDING_DELETE;
            !stack.record(*id).flags.intersects(gone)
        })
        .map(|id| (stack.identity(id), id))
        .collect()
}

fn pulumi(plan: &Document, after: Option<&Document>) -> Result<Vec<Finding>, Failure> {
    let Some(after) = after else {
        return Ok(Vec::new());
    };
    let (planned, actual) = (by_identity(plan), by_identity(after));
    let mut findings = Vec::new();
    for id in plan.stack.ids() {
        let actual = actual.get(&plan.stack.identity(id));
        let actual = actual.map(|id| get::read(after, *id)).transpose()?;
        let planned = get::read(plan, id)?;
        findings.extend(audit_saved(Some(&planned), actual.as_ref()));
    }
    for id in after.stack.ids() {
        if !planned.contains_key(&after.stack.identity(id)) {
            let actual = get::read(after, id)?;
            findings.extend(audit_saved(None, Some(&actual)));
        }
    }
    Ok(findings)
}
