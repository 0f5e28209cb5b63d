//! `diff`: the changes of a plan, or between two states or plans.

mod as_json;
mod markdown;
mod plain;
mod shown;
mod terraform;

pub(super) use shown::pair;

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::sync::Arc;

use super::args::{DiffArgs, DiffFormat};
use super::{Console, EXIT_CHANGES, EXIT_UNJUDGED, Failure, get, open};
use crate::change::audit::schema_of;
use crate::change::causes::{Causes, RESTORED, sources};
use crate::change::difference::{Context, describe};
use crate::change::review::{SectionDiff, review};
use crate::load::{self, Document, Input, schemas};
use crate::render::json;
use crate::render::lines::Options;
use crate::render::remarks;
use crate::stack::{
    Action, Change, Flags, Invocation, Output, ReplaceOrder, Resource, ResourceId, Section, Stack,
};
use crate::terraform::schema::Schemas;

/// The change of one resource.
struct ResourceChange<'d> {
    stack: &'d Stack,
    id: ResourceId,
    action: Action,
    /// The resource with its position; the reason if it could not be read.
    resource: Result<Arc<Resource>, String>,
    parts: Vec<SectionDiff>,
    /// The causes of its changes, as far as the plan has them.
    causes: Option<Causes>,
}

impl<'d> ResourceChange<'d> {
    fn identity(&self) -> String {
        self.stack.identity(self.id)
    }

    /// The resource, if it could be read.
    fn resource(&self) -> Option<&Resource> {
        self.resource.as_deref().ok()
    }

    /// The change as the file has it.
    fn change(&self) -> Option<&Change> {
        self.resource()?.change.as_ref()
    }

    /// Further actions that it counts as: import or move.
    fn also(&self) -> impl Iterator<Item = Action> + use<> {
        self.stack.actions(self.id).skip(1)
    }

    /// The actions that it triggers.
    fn invoked(&self) -> &'d [Invocation] {
        let stack = self.stack;
        let is_drift = stack.record(self.id).flags.is_drift();
        let address = stack.address(self.id);
        let address = address.filter(|_| !stack.is_comparison && !is_drift);
        address.map_or(&[], |it| stack.invocations_of(it))
    }

    /// The reason that it is deferred, in the words of the file.
    fn deferred(&self) -> Option<&str> {
        remarks::deferred(self.resource()?)
    }

    /// The reasons in the words of the file, and the one that only the plan as a whole has.
    fn reasons(&self) -> Vec<&str> {
        let own = self.change().into_iter().flat_map(|it| &it.reasons);
        let is_restored = self.causes.as_ref().is_some_and(Causes::is_restored);
        let restored = is_restored.then_some(RESTORED);
        own.map(String::as_str).chain(restored).collect()
    }

    /// The reasons, the line that declares it, its move, import and deferral, and the first remarks on properties, in words.
    fn why(&self) -> Vec<String> {
        let reasons = self.reasons().into_iter().map(str::to_owned);
        let remarks = self.resource().into_iter().flat_map(|resource| {
            let declared = remarks::declared(resource).into_iter();
            declared.chain(remarks::remarks(resource, &self.parts))
        });
        reasons.chain(remarks).collect()
    }

    /// The details of its action, in words: `, create before destroy`, `, import`.
    fn aside(&self) -> String {
        let copy = self.stack.is_old_copy(self.id).then_some("an old copy");
        let order = self.stack.replace_order(self.id).map(ReplaceOrder::words);
        let also = self.also().map(Action::name);
        let words: Vec<&str> = copy.into_iter().chain(order).chain(also).collect();
        if words.is_empty() {
            String::new()
        } else {
            format!(", {}", words.join(", "))
        }
    }

    /// True if it counts as this action.
    fn counts_as(&self, action: Action) -> bool {
        let is_one = self.action == action || self.also().any(|it| it == action);
        is_one && self.deferred().is_none()
    }
}

/// The change of one stack output.
struct OutputChange<'d> {
    name: &'d str,
    action: Action,
    part: SectionDiff,
}

/// Everything that `diff` prints.
struct Report<'d> {
    stack: &'d Stack,
    entries: Vec<ResourceChange<'d>>,
    outputs: Vec<OutputChange<'d>>,
    /// The actions that are invoked besides those of the entries.
    invoked: Vec<&'d Invocation>,
    /// The resources that drifted, if a plan lists them.
    drifted: Vec<ResourceChange<'d>>,
    /// The parts of a difference to show, and their wording.
    options: Options,
}

impl Report<'_> {
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
        if self.stack.is_comparison {
            action.compared()
        } else {
            action.name()
        }
    }

    /// The entries in the order of a review: destructive actions first.
    fn in_order(&self) -> Vec<&ResourceChange<'_>> {
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
    if args.format() == DiffFormat::Terraform {
        return terraform::run(&files, args, console);
    }
    if args.mode.is_some() {
        return Err(Failure::usage("--mode needs --format terraform"));
    }
    let input = input(&files, console)?;
    let document = open::load(&input, console)?;
    let report = changes(&document, &input)?;
    let unjudged = document.stack.counts.unjudged();
    if let Some(unjudged) = &unjudged {
        console.remark(unjudged);
    }
    let says_nothing = document.stack.changes().is_empty() && unjudged.is_some();
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
pub(super) fn input(files: &[PathBuf], console: &Console<'_>) -> Result<Input, Failure> {
    let inputs = files.iter().map(|file| open::input(file));
    let inputs = inputs.collect::<Result<Vec<_>, _>>()?;
    let input = inputs.into_iter().reduce(Input::pair);
    Ok(open::keyed(input.expect("there is a file"), console))
}

/// Prints the differences between two files, for a person.
pub(super) fn print(pair: &Input, console: &mut Console<'_>) -> Result<u8, Failure> {
    let document = open::load(pair, console)?;
    let report = changes(&document, pair)?;
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
fn changes<'d>(document: &'d Document, input: &Input) -> Result<Report<'d>, Failure> {
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
    let entries: Vec<_> = changed
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
    let drifted = drifted.collect();
    let listed: HashSet<&str> = entries
        .iter()
        .filter_map(|it| stack.address(it.id))
        .collect();
    let is_left = |it: &&Invocation| it.resource().is_none_or(|it| !listed.contains(it));
    let invoked = stack.invocations.iter().filter(|_| !is_pair);
    let invoked = invoked.filter(is_left).collect();
    Ok(Report {
        stack,
        invoked,
        entries,
        outputs: stack.outputs.iter().filter_map(planned_output).collect(),
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

    fn entry(&self, id: ResourceId, action: Action) -> ResourceChange<'d> {
        // A resource that cannot be read does not hide the rest.
        let resource = get::read(self.document, id);
        let resource = resource.map(|it| Arc::new(self.document.with_position(it)));
        let (parts, causes) = match &resource {
            Ok(resource) => self.explained(id, resource),
            Err(_) => (Vec::new(), None),
        };
        ResourceChange {
            stack: &self.document.stack,
            id,
            action,
            resource: resource.map_err(|error| error.to_string()),
            parts,
            causes,
        }
    }

    /// The difference of a resource, and the causes of its changes. A plan has no cause for drift.
    fn explained(
        &self,
        id: ResourceId,
        resource: &Arc<Resource>,
    ) -> (Vec<SectionDiff>, Option<Causes>) {
        let stack = &self.document.stack;
        let schema = schema_of(resource, &self.schemas).map(Arc::new);
        let parts = review(resource, schema.as_ref().map(|schema| &schema.block));
        if stack.record(id).flags.is_drift() {
            return (parts, None);
        }
        let drift = stack.address(id).and_then(|it| self.drifted.get(it));
        let drift = drift.and_then(|entry| self.document.resource(*entry).ok());
        let mut read = |other| self.document.resource(other).ok().map(Arc::new);
        let found = sources(stack, id, resource, &mut read);
        let resource = Arc::clone(resource);
        let causes = Causes::of(stack, found, resource, schema, drift.map(Arc::new));
        (parts, Some(causes))
    }
}

fn planned_output(output: &Output) -> Option<OutputChange<'_>> {
    let action = output.action.filter(|_| output.is_changed())?;
    let before = output.before.clone().unwrap_or_default();
    Some(OutputChange {
        name: &output.name,
        action,
        part: SectionDiff {
            section: Section::Outputs,
            diff: describe(&before, &output.value, Context::default()),
        },
    })
}
