//! `ls`: lists the resources, one per line.

use std::path::Path;

use super::args::LsArgs;
use super::failure::answered;
use super::fleet::{Form, Reply, Target};
use super::paint::Paint;
use super::{Console, EXIT_NO, Failure, fleet, open, query};
use crate::load::Document;
use crate::load::fleet::{Asked, Fleet};
use crate::render::json;
use crate::render::plain::columns_with;
use crate::search::{Goal, Index, Prefilter, Query};
use crate::stack::{Flags, ResourceId, Stack};
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
    let words = args.file.iter().map(|file| file.as_os_str());
    let words = words.chain(args.query.iter().map(|word| &**word));
    let (places, words) = fleet::split(words, &args.stacks)?;
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
    let filter = query.and_then(Prefilter::of);
    let paint = console.paint();
    let code = fleet::ask(fleet, form, console, &|opened| {
        if filter
            .as_ref()
            .is_some_and(|filter| !opened.may_hit(filter))
        {
            return Ok(Asked::uncounted(Reply::default()));
        }
        let document = opened.load()?;
        let stack = &document.stack;
        let ids: Vec<_> = match query {
            Some(query) => {
                let index = Index::new(stack);
                let found = query::of_many(opened, &document, &index, query, 0)?;
                found.map(|found| found.resources).unwrap_or_default()
            }
            None => listed(stack).collect(),
        };
        let is_hit = !ids.is_empty();
        let mut reply = Reply {
            is_hit,
            ..Reply::default()
        };
        match form {
            Form::Text => reply.text = text(stack, &ids, &paint),
            Form::Json => reply.objects = ids.iter().map(|id| row_json(stack, *id)).collect(),
        }
        Ok(Asked {
            result: reply.with_damage(&document),
            fingerprint: is_hit.then(|| opened.fingerprint(&document)).flatten(),
        })
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
    let printed = if form == Form::Json {
        let rows = ids.into_iter().map(|id| row_json(stack, id));
        json::write_list(console.out, rows).map_err(Failure::from)
    } else {
        print(&document, ids, console)
    };
    answered(code, printed)
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
    console: &mut Console<'_>,
) -> Result<(), Failure> {
    let paint = console.paint();
    let stack = &document.stack;
    let mut ids = ids.into_iter().peekable();
    while ids.peek().is_some() {
        let block: Vec<_> = ids.by_ref().take(BLOCK).collect();
        console
            .out
            .write_all(text(stack, &block, &paint).as_bytes())?;
    }
    Ok(())
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

pub(super) fn row_json(stack: &Stack, id: ResourceId) -> Value {
    json::object(row_fields(stack, id))
}

pub(super) fn row_fields(
    stack: &Stack,
    id: ResourceId,
) -> impl Iterator<Item = (&'static str, Option<Value>)> + use<'_> {
    let record = stack.record(id);
    let present = |text: &str| (!text.is_empty()).then(|| Value::from(text));
    [
        ("urn", Some(stack.urn(id).into())),
        ("address", stack.address(id).map(Value::from)),
        ("type", Some(stack.ty(id).into())),
        ("name", Some(stack.short_name(id).into())),
        ("id", present(stack.provider_id(id))),
        ("mode", Some(stack.mode(id).name().into())),
        ("custom", Some(record.flags.contains(Flags::CUSTOM).into())),
        ("parent", stack.parent_name(id).map(Value::from)),
        ("provider", present(stack.provider(id))),
        ("flags", Some(json::texts(record.flags.names()))),
        (
            "action",
            stack.effect(id).map(|action| action.name().into()),
        ),
    ]
    .into_iter()
}
