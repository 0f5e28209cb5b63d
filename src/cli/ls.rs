//! `ls`: lists the resources, one per line.

use std::path::Path;

use super::args::LsArgs;
use super::fleet::{Form, Reply, Target};
use super::paint::Paint;
use super::{Console, EXIT_NO, Failure, fleet, open, query};
use crate::load::Document;
use crate::load::fleet::Fleet;
use crate::render::json;
use crate::render::plain::columns_with;
use crate::search::{Goal, Index, Query};
use crate::stack::{Action, Flags, ResourceId, Stack};
use crate::text::escaped;
use crate::tui::theme::Role;
use crate::value::Value;

/// Maximum width of a column, in cells, so that one long URN does not push everything off the screen.
const MAX_WIDTH: usize = 100;

/// The roles of the columns; `None` for the action.
const COLUMNS: [Option<Role>; 5] = [
    Some(Role::Text),
    Some(Role::Type),
    Some(Role::Dim),
    Some(Role::Badge),
    None,
];

/// Number of rows that are aligned together: more than a screen, without holding a whole list in memory.
const BLOCK: usize = 10_000;

pub(super) fn run(args: &LsArgs, console: &mut Console<'_>) -> Result<u8, Failure> {
    let (places, words) = fleet::split(args.file.as_ref(), &args.query, &args.stacks)?;
    let query = match &words[..] {
        [] => None,
        words => Some(query::parse(words)?),
    };
    match Target::of(places, &args.stacks, console)? {
        Target::One(file) => one(&file, query.as_ref(), Form::of(args.json), console),
        Target::Many(fleet) => many(&fleet, query.as_ref(), Form::of(args.json), console),
    }
}

/// Lists the resources of many stacks.
fn many(
    fleet: &Fleet,
    query: Option<&Query>,
    form: Form,
    console: &mut Console<'_>,
) -> Result<u8, Failure> {
    let paint = console.paint();
    let code = fleet::ask(fleet, query, form, console, &|opened, document| {
        let stack = &document.stack;
        let ids: Vec<_> = match query {
            Some(query) => {
                let index = Index::new(stack);
                let found = query::of_many(opened, document, &index, query, 0)?;
                found.map(|found| found.resources).unwrap_or_default()
            }
            None => listed(stack).collect(),
        };
        let objects = ids.iter().map(|id| as_json(stack, *id));
        Ok(Reply::of(form, objects, || text(stack, &ids, &paint)))
    })?;
    Ok(if query.is_some() { code } else { 0 })
}

/// Lists the resources of one file.
fn one(
    file: &Path,
    query: Option<&Query>,
    form: Form,
    console: &mut Console<'_>,
) -> Result<u8, Failure> {
    let input = open::keyed(open::input(file)?, console);
    let document = open::load(&input, console)?;
    let stack = &document.stack;
    let ids: Vec<_> = match query {
        Some(query) => {
            let facts = query::facts(&input, &document, query)?;
            let (index, asked) = (Index::new(stack), (query, &facts));
            query::run(&document, &index, asked, Goal::Filter, 0, console).resources
        }
        None => listed(stack).collect(),
    };
    let code = if ids.is_empty() && query.is_some() {
        EXIT_NO
    } else {
        0
    };
    match form {
        Form::Json => {
            let rows = ids.into_iter().map(|id| as_json(stack, id));
            console.answer(code, |out| json::write_list(out, rows))
        }
        Form::Text => print(&document, ids, code, console),
    }
}

/// All resources except the drift entries of a plan. A query also finds drift entries that have no other entry.
pub(super) fn listed(stack: &Stack) -> impl Iterator<Item = ResourceId> + '_ {
    stack
        .ids()
        .filter(|id| !stack.record(*id).flags.contains(Flags::DRIFT_ENTRY))
}

pub(super) fn print(
    document: &Document,
    ids: impl IntoIterator<Item = ResourceId>,
    code: u8,
    console: &mut Console<'_>,
) -> Result<u8, Failure> {
    let paint = console.paint();
    let mut ids = ids.into_iter().peekable();
    console.answer(code, |out| {
        while ids.peek().is_some() {
            let block: Vec<_> = ids.by_ref().take(BLOCK).collect();
            out.write_all(text(&document.stack, &block, &paint).as_bytes())?;
        }
        Ok(())
    })
}

/// A line for each resource, aligned.
fn text(stack: &Stack, ids: &[ResourceId], paint: &Paint) -> String {
    let rows: Vec<_> = ids.iter().map(|id| row(stack, *id)).collect();
    columns_with(&rows, MAX_WIDTH, |index, column, cell| {
        match COLUMNS[column] {
            // There is nothing in this column.
            Some(_) if cell == "-" => paint.role(Role::Dim, cell),
            Some(role) => paint.role(role, cell),
            None => paint.action(stack.effect(ids[index]), cell),
        }
    })
}

fn row(stack: &Stack, id: ResourceId) -> [String; 5] {
    let record = stack.record(id);
    let flags: Vec<_> = shown_flags(record.flags).collect();
    let or_dash = |text: String| {
        if text.is_empty() {
            "-".to_owned()
        } else {
            text
        }
    };
    [
        escaped(&stack.identity(id)),
        or_dash(escaped(stack.ty(id))),
        or_dash(escaped(stack.provider_id(id))),
        or_dash(flags.join(",")),
        stack
            .effect(id)
            .map_or_else(String::new, |action| action.name().to_owned()),
    ]
}

/// The names of the flags, except those that the mode already says.
fn shown_flags(flags: Flags) -> impl Iterator<Item = &'static str> {
    flags.names().filter(|word| *word != "custom")
}

/// The fields of a resource.
pub(super) fn as_json(stack: &Stack, id: ResourceId) -> Value {
    let flags = stack.record(id).flags;
    let present = |text: &'_ str| Some(text.to_owned()).filter(|it| !it.is_empty());
    json::object(&[
        ("urn", &stack.urn(id)),
        ("address", &stack.address(id)),
        ("type", &stack.ty(id)),
        ("name", &stack.short_name(id)),
        ("id", &present(stack.provider_id(id))),
        ("mode", &stack.mode(id).name()),
        ("custom", &flags.contains(Flags::CUSTOM)),
        ("parent", &stack.parent_name(id)),
        ("provider", &present(stack.provider(id))),
        ("flags", &flags.names().collect::<Vec<_>>()),
        ("action", &stack.effect(id).map(Action::name)),
    ])
}
