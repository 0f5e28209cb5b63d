//! `info`: prints the kind of a file, with versions, counts and notes.

mod stacks;

use std::fmt::Write as _;

use super::args::InfoArgs;
use super::fleet::{Form, Target};
use super::paint::Paint;
use super::{Console, Failure, open};
use crate::load::Document;
use crate::pulumi::steps::in_words;
use crate::render::json;
use crate::render::plain::padded;
use crate::stack::{Action, LOCKS_FIELD, Note, Stack, Verb};
use crate::text::{count, escaped, plural};
use crate::tui::theme::Role;
use crate::value::{Map, Value};

pub(super) fn run(args: &InfoArgs, console: &mut Console<'_>) -> Result<u8, Failure> {
    let file = match Target::of(args.files.clone(), &args.stacks, console)? {
        Target::One(file) => file,
        Target::Many(fleet) => return stacks::print(&fleet, Form::of(args.json), console),
    };
    let document = open::document(&file, console)?;
    if args.json {
        return console.answer(0, |out| json::write(out, &as_json(&document.stack)));
    }
    print(&document, console)
}

pub(super) fn print(document: &Document, console: &mut Console<'_>) -> Result<u8, Failure> {
    console.print(0, &text(&document.stack, &console.paint()))
}

fn as_json(stack: &Stack) -> Value {
    let (header, counts) = (&stack.header, &stack.counts);
    let changes = counts.changes.iter().map(|(word, count)| (&**word, *count));
    let actions = stack.n_by_action();
    let actions = actions
        .iter()
        .map(|(action, count)| (action.name(), *count));
    let locks = header.fields.iter().find(|(name, _)| name == LOCKS_FIELD);
    json::object(&[
        ("kind", &header.kind.name()),
        ("format_version", &header.format_version),
        ("tool", &header.tool.name()),
        ("tool_version", &header.tool_version),
        ("stack", &header.stack),
        ("project", &header.project),
        ("resources", &counts.resources),
        ("deposed", &counts.deposed),
        ("outputs", &stack.outputs.len()),
        ("secrets", &counts.secrets),
        ("changes", &json::counts(changes)),
        ("actions", &json::counts(actions)),
        ("drifted", &Some(stack.n_drifted()).filter(|n| *n > 0)),
        ("dependency_locks", &locks.map(|(_, locks)| locks)),
        ("notes", &stack.notes.iter().map(note).collect::<Vec<_>>()),
    ])
}

fn note(note: &Note) -> Value {
    json::object(&[
        ("severity", &note.severity.name()),
        ("where", &&*note.place),
        ("message", &&*note.message),
    ])
}

fn text(stack: &Stack, paint: &Paint) -> String {
    let (header, counts) = (&stack.header, &stack.counts);
    let mut lines: Vec<(&str, String)> = vec![(
        "kind",
        versioned(header.kind.name(), &header.format_version),
    )];
    lines.push(("tool", versioned(header.tool.name(), &header.tool_version)));
    for (label, text) in [("stack", &header.stack), ("project", &header.project)] {
        if !text.is_empty() {
            lines.push((label, escaped(text)));
        }
    }
    let mut resources = count(counts.resources);
    if counts.deposed > 0 {
        // Writing to a string cannot fail.
        _ = write!(resources, " and {} deposed", count(counts.deposed));
    }
    lines.push(("resources", resources));
    lines.push(("outputs", count(stack.outputs.len() as u64)));
    lines.push(("secrets", count(counts.secrets)));
    if !counts.changes.is_empty() {
        lines.push(("changes", changes(stack)));
    }
    if !counts.changes.is_empty() && header.kind.is_pulumi() {
        let steps = counts.changes.iter();
        let steps = steps.map(|(step, n)| format!("{} {}", count(*n), escaped(&in_words(step))));
        lines.push(("steps", steps.collect::<Vec<_>>().join(" · ")));
    }
    let n_drifted = stack.n_drifted();
    if n_drifted > 0 {
        lines.push(("drifted", count(n_drifted)));
    }
    for (name, value) in &header.fields {
        if name != LOCKS_FIELD {
            lines.push((name, format!("{value}")));
        }
    }
    lines.extend(header.dependency_locks().map(|it| ("locked", lock(it))));
    let mut out = String::new();
    let label = |name: &str| padded(&escaped(name), 10);
    // Writing to a string cannot fail.
    for (name, text) in lines {
        _ = writeln!(out, "{}  {text}", paint.role(Role::Key, &label(name)));
    }
    for note in stack.notes.iter() {
        let label = paint.severity(note.severity, &label(note.severity.name()));
        let [place, message] = [&note.place, &note.message].map(|it| escaped(it));
        let colon = if place.is_empty() { "" } else { ": " };
        _ = writeln!(out, "{label}  {place}{colon}{message}");
    }
    out
}

/// Example: `2 replace · 2 update · 1 of them also import`. Each resource counts once.
fn changes(stack: &Stack) -> String {
    let changes = stack.changes();
    let once = |action| {
        let mut all = changes.resources.iter();
        all.find(|it| it.0 == action).map_or(0, |(_, n)| *n as u64)
    };
    let own = changes.resources.iter();
    let own = own.map(|(action, n)| format!("{} {}", count(*n as u64), action.name()));
    let also = stack.n_by_action().into_iter();
    let also = also.filter(|(action, n)| *action != Action::Noop && *n > once(*action));
    let also = also.map(|(action, n)| {
        let n = count(n - once(action));
        format!("{n} of them also {}", action.name())
    });
    let all: Vec<String> = own
        .chain(also)
        .chain(changes.beside_resources(Verb::Change))
        .collect();
    if all.is_empty() {
        stack.total(&changes)
    } else {
        all.join(" · ")
    }
}

/// Example: `registry.terraform.io/hashicorp/aws 5.1.0 · wanted >= 5.0.0 · 3 hashes`.
fn lock(lock: &Map) -> String {
    let text = |key: &str| lock.get(key).and_then(Value::as_str).unwrap_or_default();
    let mut line = versioned(&escaped(text("provider")), text("version"));
    if !text("constraints").is_empty() {
        // Writing to a string cannot fail.
        _ = write!(line, " · wanted {}", escaped(text("constraints")));
    }
    let n_hashes = lock.get("hashes").and_then(Value::as_number);
    if let Some(n_hashes) = n_hashes {
        let n = n_hashes.to_i64().and_then(|n| usize::try_from(n).ok());
        let n_hashes = n.map_or_else(|| format!("{n_hashes} hashes"), |n| plural(n, "hash"));
        _ = write!(line, " · {n_hashes}");
    }
    line
}

fn versioned(name: &str, version: &str) -> String {
    if version.is_empty() {
        name.to_owned()
    } else {
        format!("{name} {}", escaped(version))
    }
}
