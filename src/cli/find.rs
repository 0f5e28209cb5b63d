//! `find`: prints search hits with their values.

use std::fmt::{self, Write as _};

use super::args::FindArgs;
use super::failure::answered;
use super::fleet::{Form, Reply, Target};
use super::paint::Paint;
use super::{Console, EXIT_NO, Failure, fleet, open, query};
use crate::load::Document;
use crate::load::fleet::{Asked, Fleet};
use crate::path::{Path, Segment};
use crate::render::json;
use crate::render::plain::columns_with;
use crate::search::{At, Goal, Hit, Index, OutputHit, Prefilter, Query, SearchResult};
use crate::stack::{Masks, Of, Resource, ResourceId, Stack, lookup};
use crate::text::escaped;
use crate::tui::theme::Role;
use crate::value::Value;

/// Maximum number of hits that are printed.
const LIMIT: usize = 1_000_000;

/// Maximum width of a column of the list, in cells.
const MAX_WIDTH: usize = 60;

/// Maximum length of a value in the list, in characters.
const MAX_VALUE: usize = 200;

pub(super) fn run(args: &FindArgs, console: &mut Console<'_>) -> Result<u8, Failure> {
    let words = args.file.iter().map(|file| file.as_os_str());
    let words = words.chain(args.query.iter().map(|word| &**word));
    let (places, words) = fleet::split(words, &args.stacks)?;
    if words.is_empty() {
        return Err(Failure::usage(
            "find needs a query after the files, such as `=10.0.3.17`",
        ));
    }
    let query = query::parse(&words)?;
    match Target::of(places, &args.stacks, console)? {
        Target::One(file) => one(&file, &query, Form::of(args.json), console),
        Target::Many(fleet) => many(&fleet, &query, Form::of(args.json), console),
    }
}

/// Prints the hits in many stacks.
fn many(
    fleet: &Fleet,
    query: &Query,
    form: Form,
    console: &mut Console<'_>,
) -> Result<u8, Failure> {
    let filter = Prefilter::of(query);
    let paint = console.paint();
    fleet::ask(fleet, form, console, &|opened| {
        if filter
            .as_ref()
            .is_some_and(|filter| !opened.may_hit(filter))
        {
            return Ok(Asked::uncounted(Reply::default()));
        }
        let document = opened.load()?;
        let index = Index::new(&document.stack);
        let found = query::of_many(opened, &document, &index, query, LIMIT)?.unwrap_or_default();
        let unread = (found.unread > 0).then(|| unread(&found));
        let rows = rows(&document, &index, &found);
        let is_hit = !rows.is_empty();
        let mut reply = Reply {
            is_hit,
            partial: unread,
            ..Reply::default()
        };
        match form {
            Form::Text => reply.text = text(&document.stack, &rows, &paint),
            Form::Json => {
                let objects = rows.iter().map(|row| as_json(&document.stack, row));
                reply.objects = objects.collect();
            }
        }
        Ok(Asked {
            result: reply.with_damage(&document),
            fingerprint: is_hit.then(|| opened.fingerprint(&document)).flatten(),
        })
    })
}

/// Prints the hits in one file.
fn one(
    file: &std::path::Path,
    query: &Query,
    form: Form,
    console: &mut Console<'_>,
) -> Result<u8, Failure> {
    let input = open::keyed(open::input(file)?, console);
    let document = open::load(&input, console)?;
    let facts = query::facts(&input, &document, query)?;
    let index = Index::new(&document.stack);
    let asked = (query, &facts);
    let found = query::run(&document, &index, asked, Goal::Go, LIMIT, console);
    let rows = rows(&document, &index, &found);
    let printed = match form {
        Form::Json => json::write_list(
            console.out,
            rows.iter().map(|row| as_json(&document.stack, row)),
        ),
        Form::Text => {
            let text = text(&document.stack, &rows, &console.paint());
            console.out.write_all(text.as_bytes())
        }
    };
    let printed = printed.map_err(Failure::from);
    if found.unread > 0 {
        console.remark(&unread(&found));
        console.is_partial = true;
    }
    let is_empty = found.hits.is_empty() && found.outputs.is_empty();
    answered(if is_empty { EXIT_NO } else { 0 }, printed)
}

fn unread(found: &SearchResult) -> String {
    format!("{} resources could not be read again", found.unread)
}

/// The rows of the hits: outputs first.
fn rows(document: &Document, index: &Index, found: &SearchResult) -> Vec<HitRow> {
    let mut values = Values {
        document,
        last: None,
    };
    let mut sides = Sides::default();
    let of_outputs = found
        .outputs
        .iter()
        .map(|hit| output_row(&document.stack, hit, &mut sides));
    let rows = found.hits.iter().map(|hit| row(index, hit, &mut values));
    of_outputs.chain(rows).collect()
}

fn text(stack: &Stack, rows: &[HitRow], paint: &Paint) -> String {
    let rows: Vec<_> = rows.iter().map(|row| as_text(stack, row)).collect();
    columns_with(&rows, MAX_WIDTH, |_, column, cell| match column {
        1 => paint.role(Role::Key, cell),
        _ => cell.to_owned(),
    })
}

struct HitRow {
    of: Owner,
    section: String,
    path: String,
    /// The value, with its markers; `None` for a resource as a whole, and for some element of an array.
    value: Option<Value>,
}

/// The owner of the property that was hit.
enum Owner {
    Resource(ResourceId),
    /// The output of the stack with this name. It is not a resource.
    Output(String),
}

/// The two values of an output, masked as needed. Cached because hits of one output often follow each other.
#[derive(Default)]
struct Sides {
    /// The name of the output, with its values after and before.
    last: Option<(String, [Option<Value>; 2])>,
}

impl Sides {
    fn of(&mut self, stack: &Stack, name: &str) -> &[Option<Value>; 2] {
        if self.last.as_ref().is_some_and(|(last, _)| last != name) {
            self.last = None;
        }
        let found = || stack.outputs.iter().find(|output| *output.name == *name);
        let (_, sides) = self.last.get_or_insert_with(|| {
            let sides = found().map(|output| {
                let (after, before) = (&output.value, output.before.as_ref());
                // A value that is secret on one side of a change is masked on both.
                let shown = before.map_or_else(|| after.clone(), |it| after.masked_like(it));
                [Some(shown), before.map(|it| it.masked_like(after))]
            });
            (name.to_owned(), sides.unwrap_or_default())
        });
        sides
    }
}

/// An output, or a value inside one: then the path is the one inside it.
fn output_row(stack: &Stack, hit: &OutputHit, sides: &mut Sides) -> HitRow {
    let place = &hit.place;
    let (name, inner) = match place.path.0.split_first() {
        Some((Segment::Key(name), rest)) => (name.to_string(), Path(rest.to_vec())),
        _ => (String::new(), Path::root()),
    };
    let side = &sides.of(stack, &name)[usize::from(place.before)];
    HitRow {
        of: Owner::Output(name),
        section: if place.before {
            "before.outputs".to_owned()
        } else {
            "outputs".to_owned()
        },
        path: inner.to_tolerant(),
        value: side.as_ref().and_then(|side| inner.get(side).cloned()),
    }
}

fn row(index: &Index, hit: &Hit, values: &mut Values<'_>) -> HitRow {
    let id = hit.resource;
    let of = Owner::Resource(id);
    match &hit.at {
        At::Resource => HitRow {
            of,
            section: String::new(),
            path: String::new(),
            value: None,
        },
        At::Indexed(path) => HitRow {
            of,
            section: index.section(*path).to_string(),
            path: index.path_text(*path).to_owned(),
            value: None,
        },
        At::Property(place) => {
            let section = place.section_word();
            let section_of = section.parse::<Of>().unwrap_or_default();
            let answer = values
                .resource(id)
                .and_then(|resource| lookup(resource, &place.path, section_of, Masks::Keep).ok());
            HitRow {
                of,
                section,
                path: place.path.to_tolerant(),
                value: answer.map(|answer| answer.value),
            }
        }
    }
}

/// Cache of the last resource read, because hits of one resource often follow each other.
struct Values<'d> {
    document: &'d Document,
    last: Option<(ResourceId, Option<Resource>)>,
}

impl Values<'_> {
    fn resource(&mut self, id: ResourceId) -> Option<&Resource> {
        if self.last.as_ref().is_none_or(|(last, _)| *last != id) {
            self.last = Some((id, self.document.resource(id).ok()));
        }
        self.last.as_ref()?.1.as_ref()
    }
}

fn as_json(stack: &Stack, row: &HitRow) -> Value {
    let (urn, address) = match &row.of {
        Owner::Resource(id) => (Some(stack.urn(*id)), stack.address(*id).map(str::to_owned)),
        Owner::Output(name) => (None, Some(format!("output.{name}"))),
    };
    json::object([
        ("urn", urn.map(Value::from)),
        ("address", address.map(Value::from)),
        ("section", Some(row.section.as_str().into())),
        ("path", Some(row.path.as_str().into())),
        ("value", Some(row.value.clone().unwrap_or_default())),
    ])
}

/// The start of a text. Writing stops at the maximum length.
#[derive(Default)]
struct Start {
    text: String,
    n_chars: usize,
}

impl fmt::Write for Start {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for char in text.chars() {
            if self.n_chars == MAX_VALUE {
                return Err(fmt::Error);
            }
            self.text.push(char);
            self.n_chars += 1;
        }
        Ok(())
    }
}

fn as_text(stack: &Stack, row: &HitRow) -> [String; 3] {
    // The path of a whole value is its section.
    let path = if row.path == "root" { "" } else { &row.path };
    let dot = if row.section.is_empty() || path.is_empty() {
        ""
    } else {
        "."
    };
    let value = match &row.value {
        None => match &row.of {
            Owner::Resource(id) => escaped(stack.ty(*id)),
            Owner::Output(_) => String::new(),
        },
        Some(value) if value.is_computed() && !value.is_secret() => {
            stack.header.kind.unknown().to_owned()
        }
        Some(value) => {
            let mut start = Start::default();
            match write!(start, "{value}") {
                Ok(()) => start.text,
                Err(_) => start.text + "…",
            }
        }
    };
    let of = match &row.of {
        Owner::Resource(id) => stack.identity(*id),
        Owner::Output(name) => format!("output.{name}"),
    };
    [
        escaped(&of),
        format!("{}{dot}{}", row.section, escaped(path)),
        value,
    ]
}
