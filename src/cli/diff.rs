//! `diff`: the changes of a plan, or between two states or plans.

mod compare;
mod markdown;
mod plain;
mod terraform;

use super::args::{DiffArgs, DiffFormat};
use super::{Console, EXIT_CHANGES, Failure, get, open};
use crate::load::Document;
use crate::objchange::diff::{Context, Reason, describe};
use crate::objchange::review::{Part, review};
use crate::objchange::why::{Origin, origins};
use crate::path::Path;
use crate::render::json;
use crate::render::lines::{Leaf, Options, leaves};
use crate::stack::{Action, Flags, Output, Section, Stack};
use crate::value::Value;

/// What happens to one resource.
struct Entry {
    urn: String,
    address: Option<String>,
    ty: String,
    action: Action,
    reasons: Vec<String>,
    parts: Vec<Part>,
    /// Which properties take their values from other resources, and from which.
    origins: Vec<(Path, String)>,
    /// Why it could not be read.
    error: Option<String>,
}

impl Entry {
    fn identity(&self) -> &str {
        self.address.as_deref().unwrap_or(&self.urn)
    }
}

/// What happens to one output of the stack.
struct OutputChange {
    name: String,
    action: Action,
    part: Part,
}

/// Everything that `diff` tells.
struct Report {
    entries: Vec<Entry>,
    outputs: Vec<OutputChange>,
    /// How many resources changed outside of the program, where a plan lists them.
    n_drifted: usize,
    /// What is shown of a difference, and in whose words.
    options: Options,
}

impl Report {
    fn is_empty(&self) -> bool {
        self.entries.is_empty() && self.outputs.is_empty()
    }

    /// How many entries there are of each action, those that destroy first.
    fn counts(&self) -> Vec<(Action, usize)> {
        Action::ALL
            .into_iter()
            .map(|action| {
                let entries = self.entries.iter();
                (
                    action,
                    entries.filter(|entry| entry.action == action).count(),
                )
            })
            .filter(|(_, count)| *count > 0)
            .collect()
    }

    /// The entries as they are reviewed: those that destroy first.
    fn in_order(&self) -> Vec<&Entry> {
        let mut entries: Vec<_> = self.entries.iter().collect();
        entries.sort_by_key(|entry| {
            Action::ALL
                .iter()
                .position(|action| *action == entry.action)
        });
        entries
    }
}

pub(super) fn run(args: &DiffArgs, console: &mut Console<'_>) -> Result<u8, Failure> {
    if args.format() == DiffFormat::Terraform {
        return terraform::run(args, console);
    }
    let document = open::document(&args.file, console)?;
    let report = match &args.other {
        Some(other) => compare::report(&document, &open::document(other, console)?)?,
        None => planned(&document, args)?,
    };
    let text = match args.format() {
        DiffFormat::Json | DiffFormat::Terraform => {
            json::write_list(console.out, report.entries.iter().map(as_json))?;
            String::new()
        }
        DiffFormat::Markdown => markdown::text(&title(&document), &report),
        DiffFormat::Text => plain::text(&report, console.has_color),
    };
    console.out.write_all(text.as_bytes())?;
    let is_told = args.exit_code && !report.is_empty();
    Ok(if is_told { EXIT_CHANGES } else { 0 })
}

/// What differs from `old` to `new`, for a person.
pub(super) fn print(
    old: &Document,
    new: &Document,
    console: &mut Console<'_>,
) -> Result<(), Failure> {
    let text = plain::text(&compare::report(old, new)?, console.has_color);
    Ok(console.out.write_all(text.as_bytes())?)
}

/// What the stack is called.
fn title(document: &Document) -> String {
    let header = &document.stack.header;
    match (header.project.as_str(), header.stack.as_str()) {
        ("", stack) => stack.to_owned(),
        (project, "") => project.to_owned(),
        (project, stack) => format!("{project}/{stack}"),
    }
}

/// The changes that a plan holds.
fn planned(document: &Document, args: &DiffArgs) -> Result<Report, Failure> {
    let stack = &document.stack;
    if !stack.header.kind.has_changes() {
        return Err(Failure::usage(format!(
            "{}: {} holds no changes, expected a plan, or a second file to compare with",
            args.file.display(),
            stack.header.kind
        )));
    }
    let mut entries = Vec::new();
    let mut n_drifted = 0;
    for id in stack.ids() {
        let record = stack.record(id);
        if record.flags.contains(Flags::DRIFT_ENTRY) {
            n_drifted += 1;
            continue;
        }
        let action = match record.action {
            None | Some(Action::Noop) => continue,
            Some(action) => action,
        };
        let mut entry = Entry {
            urn: stack.urn(id),
            address: stack.address(id).map(str::to_owned),
            ty: stack.ty(id).to_owned(),
            action,
            reasons: Vec::new(),
            parts: Vec::new(),
            origins: Vec::new(),
            error: None,
        };
        // One resource that cannot be read does not hide the others.
        match get::read(document, id) {
            Ok(resource) => {
                entry.parts = review(&resource);
                entry.origins = origins(stack, id, &resource)
                    .iter()
                    .map(|origin| (origin.property.clone(), in_words(stack, origin)))
                    .collect();
                entry.reasons = resource
                    .change
                    .map(|change| change.reasons)
                    .unwrap_or_default();
            }
            Err(error) => entry.error = Some(error.to_string()),
        }
        entries.push(entry);
    }
    Ok(Report {
        entries,
        outputs: stack.outputs.iter().filter_map(planned_output).collect(),
        n_drifted,
        options: Options {
            unknown: stack.header.kind.unknown(),
            ..Options::default()
        },
    })
}

/// `from aws_db_instance.main.id, which changes (replace)`.
fn in_words(stack: &Stack, origin: &Origin) -> String {
    let mut words = format!("from {}", stack.identity(origin.id));
    if let Some(attribute) = &origin.attribute {
        words.push('.');
        words.push_str(attribute);
    }
    match stack.record(origin.id).action {
        None | Some(Action::Noop) => {}
        Some(action) => {
            words.push_str(", which changes (");
            words.push_str(action.name());
            words.push(')');
        }
    }
    words
}

fn planned_output(output: &Output) -> Option<OutputChange> {
    let action = output.action.filter(|action| *action != Action::Noop)?;
    let before = output.before.clone().unwrap_or_default();
    output_change(&output.name, action, &before, &output.value)
}

fn output_change(
    name: &str,
    action: Action,
    before: &Value,
    after: &Value,
) -> Option<OutputChange> {
    let diff = describe(before, after, Context::default());
    diff.is_change().then(|| OutputChange {
        name: name.to_owned(),
        action,
        part: Part {
            section: Section::Outputs,
            diff,
        },
    })
}

/// The changed leaves of an entry, with their sections. What the provider only echoes of the inputs is left out.
fn told(entry: &Entry) -> Vec<(Section, Leaf)> {
    let mut told: Vec<(Section, Leaf)> = Vec::new();
    for part in &entry.parts {
        let n_before = told.len();
        for leaf in leaves(&part.diff) {
            let is_echo = told[..n_before]
                .iter()
                .any(|(_, other)| other.path == leaf.path && other.after == leaf.after);
            if !is_echo {
                told.push((part.section, leaf));
            }
        }
    }
    told
}

/// Why a leaf changes, where the file tells.
fn why(entry: &Entry, leaf: &Leaf) -> Option<String> {
    match leaf.reason {
        Some(Reason::FormattingOnly) => Some("formatting only".to_owned()),
        Some(Reason::BecomesSensitive) => Some("becomes sensitive".to_owned()),
        Some(Reason::NoLongerSensitive) => Some("no longer sensitive".to_owned()),
        None => {
            let origins = entry.origins.iter();
            let words: Vec<_> = origins
                .filter(|(property, _)| leaf.path.0.starts_with(&property.0))
                .map(|(_, words)| words.as_str())
                .collect();
            (!words.is_empty()).then(|| words.join("; "))
        }
    }
}

fn as_json(entry: &Entry) -> Value {
    let is_terraform = entry.address.is_some();
    let changes: Vec<_> = told(entry)
        .into_iter()
        .map(|(section, leaf)| {
            let why = why(entry, &leaf);
            json::object([
                ("path", Some(leaf.path.to_tolerant().into())),
                ("action", Some(leaf.action.name().into())),
                ("before", Some(leaf.before)),
                ("after", Some(leaf.after)),
                ("replaces", leaf.replaces.then(|| true.into())),
                ("why", why.map(Value::from)),
                ("section", (!is_terraform).then(|| section.name().into())),
            ])
        })
        .collect();
    json::object([
        ("urn", Some(entry.urn.as_str().into())),
        ("address", entry.address.as_deref().map(Value::from)),
        ("action", Some(entry.action.name().into())),
        (
            "reasons",
            Some(json::texts(entry.reasons.iter().map(String::as_str))),
        ),
        ("changes", Some(changes.into())),
        ("error", entry.error.as_deref().map(Value::from)),
    ])
}
