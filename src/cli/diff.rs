//! `diff`: the changes of a plan, or between two states or plans.

mod as_json;
mod markdown;
mod plain;
mod shown;
mod terraform;

pub(super) use shown::pair;

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::Arc;

use super::args::{DiffArgs, DiffFormat};
use super::{Console, EXIT_CHANGES, EXIT_UNJUDGED, Failure, get, open};
use crate::change::audit::schema_of;
use crate::change::causes::{Causes, Origin, RESTORED, sources};
use crate::change::difference::{Context, describe};
use crate::change::review::{SectionDiff, review};
use crate::load::{self, Document, Input, schemas};
use crate::render::json;
use crate::render::lines::Options;
use crate::render::remarks;
use crate::stack::{
    Action, Agreement, Changes, Flags, Invocation, Output, Position, ReplaceOrder, Resource,
    ResourceId, Section, Stack,
};
use crate::terraform::schema::Schemas;
use crate::value::Value;

/// The change of one resource.
#[derive(Default)]
struct ResourceChange {
    urn: String,
    address: Option<String>,
    ty: String,
    action: Action,
    /// True if it was an old copy waiting for deletion.
    is_old_copy: bool,
    /// Further actions that it counts as: import or move.
    also: Vec<Action>,
    /// For a replacement: the step that comes first, create or destroy.
    order: Option<ReplaceOrder>,
    /// The steps of the change in the words of the file, if there are several.
    steps: Vec<String>,
    reasons: Vec<String>,
    /// The line that declares it, its move, import and deferral, and the first remarks on properties, in words.
    remarks: Vec<String>,
    /// All remarks on properties that are not in the difference.
    of_properties: Vec<String>,
    /// The line that declares it.
    position: Option<Position>,
    /// The address before a move.
    moved_from: Option<String>,
    /// The id that is imported.
    importing: Option<Value>,
    /// The reason that it is deferred, in the words of the file.
    deferred: Option<String>,
    parts: Vec<SectionDiff>,
    /// The causes of its changes, as far as the plan has them.
    causes: Option<Causes>,
    /// The names of the other resources among the causes, in the same order.
    names: Vec<String>,
    /// The actions that it triggers.
    invoked: Vec<Invocation>,
    /// The reason that it could not be read.
    error: Option<String>,
}

impl ResourceChange {
    fn identity(&self) -> &str {
        self.address.as_deref().unwrap_or(&self.urn)
    }

    /// The details of its action, in words: `, create before destroy`, `, import`.
    fn aside(&self) -> String {
        let copy = self.is_old_copy.then_some("an old copy");
        let order = self.order.map(ReplaceOrder::words);
        let also = self.also.iter().copied().map(Action::name);
        let words: Vec<&str> = copy.into_iter().chain(order).chain(also).collect();
        if words.is_empty() {
            String::new()
        } else {
            format!(", {}", words.join(", "))
        }
    }

    /// True if it counts as this action.
    fn counts_as(&self, action: Action) -> bool {
        self.deferred.is_none() && (self.action == action || self.also.contains(&action))
    }
}

/// The change of one stack output.
struct OutputChange {
    name: String,
    action: Action,
    part: SectionDiff,
}

/// Everything that `diff` prints.
struct Report {
    entries: Vec<ResourceChange>,
    outputs: Vec<OutputChange>,
    /// The actions that are invoked besides those of the entries.
    invoked: Vec<Invocation>,
    /// True for a comparison of two files, false for a plan.
    is_comparison: bool,
    /// Differences that are only in the format of the two files.
    agreement: Option<Agreement>,
    /// The resources that drifted, if a plan lists them.
    drifted: Vec<ResourceChange>,
    /// The numbers of changes.
    changes: Changes,
    /// The parts of a difference to show, and their wording.
    options: Options,
}

impl Report {
    /// Number of entries of each action, destructive actions first, without deferred entries.
    fn counts(&self) -> Vec<(Action, usize)> {
        Action::ALL
            .into_iter()
            .map(|action| {
                let entries = self.entries.iter();
                (action, entries.filter(|it| it.counts_as(action)).count())
            })
            .filter(|(_, count)| *count > 0)
            .collect()
    }

    /// The word for an action: an instruction in a plan, a finding between two files.
    fn word(&self, action: Action) -> &'static str {
        if self.is_comparison {
            action.compared()
        } else {
            action.name()
        }
    }

    /// The entries in the order of a review: destructive actions first.
    fn in_order(&self) -> Vec<&ResourceChange> {
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
    let files = [Some(args.file.clone()), args.other.clone()].into_iter();
    let files = open::without_schemas(files.flatten().collect(), console)?;
    let mut files = files.into_iter();
    let args = &DiffArgs {
        file: files.next().unwrap_or_default(),
        other: files.next(),
        ..args.clone()
    };
    if args.format() == DiffFormat::Terraform {
        return terraform::run(args, console);
    }
    if args.mode.is_some() {
        return Err(Failure::usage("--mode needs --format terraform"));
    }
    let input = input(&args.file, args.other.as_deref(), console)?;
    let document = open::load(&input, console)?;
    let report = changes(&document, &input)?;
    let unjudged = document.stack.counts.unjudged();
    if let Some(unjudged) = &unjudged {
        console.remark(unjudged);
    }
    let says_nothing = report.changes.is_empty() && unjudged.is_some();
    let code = exit_code(args, &document.stack);
    match args.format() {
        DiffFormat::Json | DiffFormat::Terraform => {
            console.answer(code, |out| json::write_list(out, as_json::report(&report)))
        }
        // An empty report would say that nothing changes.
        DiffFormat::Markdown | DiffFormat::Text if says_nothing => Ok(code),
        DiffFormat::Markdown => console.print(code, &markdown::text(&title(&document), &report)),
        DiffFormat::Text => console.print(code, &plain::text(&report, &console.paint())),
    }
}

/// The exit code of `--exit-code`; 0 without it.
fn exit_code(args: &DiffArgs, stack: &Stack) -> u8 {
    if !args.exit_code {
        0
    } else if !stack.changes().is_empty() {
        EXIT_CHANGES
    } else if stack.counts.unjudged().is_some() {
        EXIT_UNJUDGED
    } else {
        0
    }
}

/// The file, or both files, with the schemas that the person named.
pub(super) fn input(
    file: &Path,
    other: Option<&Path>,
    console: &Console<'_>,
) -> Result<Input, Failure> {
    let mut input = open::input(file)?;
    if let Some(other) = other {
        input = Input::pair(input, open::input(other)?);
    }
    Ok(open::keyed(input, console))
}

/// Prints the differences between two files, for a person.
pub(super) fn print(pair: &Input, console: &mut Console<'_>) -> Result<u8, Failure> {
    let report = changes(&open::load(pair, console)?, pair)?;
    console.print(0, &plain::text(&report, &console.paint()))
}

/// The name of the stack.
pub(super) fn title(document: &Document) -> String {
    let header = &document.stack.header;
    match (header.project.as_str(), header.stack.as_str()) {
        ("", stack) => stack.to_owned(),
        (project, "") => project.to_owned(),
        (project, stack) => format!("{project}/{stack}"),
    }
}

/// The changes in a plan, or between two files.
fn changes(document: &Document, input: &Input) -> Result<Report, Failure> {
    let stack = &document.stack;
    let is_pair = stack.is_comparison;
    if !is_pair && !stack.header.kind.has_changes() {
        return Err(Failure::usage(format!(
            "{}: {} holds no changes, expected a plan, or a second file to compare with",
            load::name(input),
            stack.header.kind
        )));
    }
    let schemas = schemas::of(input)?.map(|found| found.contents);
    let schemas = schemas.unwrap_or_default();
    let reading = Reading::new(document, schemas);
    let changed = stack
        .ids()
        .filter_map(|id| Some((id, stack.change_of(id)?)));
    let entries: Vec<ResourceChange> = changed
        .map(|(id, action)| reading.entry(id, action))
        .collect();
    // Drift in the new file is not a difference between the two files.
    let is_drift = |id: &ResourceId| {
        let flags = stack.record(*id).flags;
        !is_pair && flags.is_drift() && flags.contains(Flags::DRIFTED)
    };
    let drifted = stack.ids().filter(is_drift).map(|id| {
        let action = stack.record(id).action.unwrap_or(Action::Update);
        reading.entry(id, action)
    });
    let drifted: Vec<ResourceChange> = drifted.collect();
    let listed: HashSet<&str> = entries
        .iter()
        .filter_map(|it| it.address.as_deref())
        .collect();
    let is_left = |it: &&Invocation| it.resource().is_none_or(|it| !listed.contains(it));
    let invoked = stack.invocations.iter().filter(|_| !is_pair);
    let invoked = invoked.filter(is_left).cloned().collect();
    Ok(Report {
        invoked,
        entries,
        outputs: stack.outputs.iter().filter_map(planned_output).collect(),
        is_comparison: is_pair,
        agreement: stack.counts.agreement,
        changes: stack.changes(),
        drifted,
        options: Options {
            unknown: stack.header.kind.unknown(),
            ..Options::default()
        },
    })
}

/// A document with everything needed to read the changes of its resources.
pub(super) struct Reading<'d> {
    document: &'d Document,
    schemas: Schemas,
    /// The drift entries of a plan, by address.
    drifted: HashMap<&'d str, ResourceId>,
}

impl<'d> Reading<'d> {
    /// Reads the changes of a document, with the schemas of its providers.
    pub(super) fn new(document: &'d Document, schemas: Schemas) -> Self {
        let stack = &document.stack;
        let is_drift = |id: &ResourceId| stack.record(*id).flags.is_drift();
        let drifted = stack.ids().filter(is_drift);
        Self {
            document,
            schemas,
            drifted: drifted.map(|id| (stack.name(id), id)).collect(),
        }
    }

    fn entry(&self, id: ResourceId, action: Action) -> ResourceChange {
        let stack = &self.document.stack;
        let is_drift = stack.record(id).flags.is_drift();
        let invoked = stack
            .address(id)
            .filter(|_| !stack.is_comparison && !is_drift);
        let invoked = invoked.map(|it| stack.invocations_of(it).to_vec());
        let mut entry = ResourceChange {
            urn: stack.urn(id),
            address: stack.address(id).map(str::to_owned),
            ty: stack.ty(id).to_owned(),
            action,
            is_old_copy: stack.is_old_copy(id),
            also: stack.actions(id).skip(1).collect(),
            order: stack.replace_order(id),
            invoked: invoked.unwrap_or_default(),
            ..ResourceChange::default()
        };
        // A resource that cannot be read does not hide the rest.
        match get::read(self.document, id) {
            Ok(resource) => self.take(&mut entry, id, resource),
            Err(error) => entry.error = Some(error.to_string()),
        }
        entry
    }

    fn take(&self, entry: &mut ResourceChange, id: ResourceId, resource: Resource) {
        let stack = &self.document.stack;
        let resource = Arc::new(self.document.with_position(resource));
        entry.position.clone_from(&resource.position);
        let schema = schema_of(&resource, &self.schemas).map(Arc::new);
        entry.parts = review(&resource, schema.as_ref().map(|schema| &schema.block));
        entry.remarks = remarks::declared(&resource).into_iter().collect();
        let remarks = remarks::remarks(&resource, &entry.parts);
        entry.remarks.extend(remarks);
        entry.of_properties = remarks::of_properties(&resource, &entry.parts);
        entry.deferred = remarks::deferred(&resource).map(str::to_owned);
        if let Some(change) = &resource.change {
            entry.steps.clone_from(&change.steps);
            entry.reasons.clone_from(&change.reasons);
            entry.moved_from.clone_from(&change.previous_address);
            entry.importing.clone_from(&change.importing);
        }
        // A plan has no cause for drift.
        if stack.record(id).flags.is_drift() {
            return;
        }
        let drift = stack.address(id).and_then(|it| self.drifted.get(it));
        let drift = drift.and_then(|entry| self.document.resource(*entry).ok());
        let mut read = |other| self.document.resource(other).ok().map(Arc::new);
        let found = sources(stack, id, &resource, &mut read);
        let causes = Causes::of(stack, found, resource, schema, drift.map(Arc::new));
        if causes.is_restored() {
            entry.reasons.push(RESTORED.to_owned());
        }
        let origins = causes.origins().iter();
        entry.names = origins.map(|origin| in_words(stack, origin)).collect();
        entry.causes = Some(causes);
    }
}

/// Example: `from aws_db_instance.main.id, which changes (replace)`.
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
    let action = output.action.filter(|_| output.is_changed())?;
    let before = output.before.clone().unwrap_or_default();
    Some(OutputChange {
        name: output.name.to_string(),
        action,
        part: SectionDiff {
            section: Section::Outputs,
            diff: describe(&before, &output.value, Context::default()),
        },
    })
}
