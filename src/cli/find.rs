//! `find`: prints search hits with their values.

use super::args::FindArgs;
use super::fleet::{Form, Reply, Target};
use super::paint::Paint;
use super::{Console, EXIT_NO, Failure, fleet, open, query};
use crate::load::Document;
use crate::load::fleet::Fleet;
use crate::path::{Path, Segment};
use crate::render::json;
use crate::render::plain::columns_with;
use crate::search::{At, Goal, Hit, Index, OutputHit, Query, SearchResult};
use crate::stack::{Masks, Of, Output, Resource, ResourceId, Stack, lookup};
use crate::text::{cut, escaped};
use crate::tui::theme::Role;
use crate::value::Value;

/// Maximum number of hits that are printed.
const LIMIT: usize = 1_000_000;

/// Maximum width of a column of the list, in cells.
const MAX_WIDTH: usize = 60;

/// Maximum length of a value in the list, in characters.
const MAX_VALUE: usize = 200;

pub(super) fn run(args: &FindArgs, console: &mut Console<'_>) -> Result<u8, Failure> {
    let (places, words) = fleet::split(args.file.as_ref(), &args.query, &args.stacks)?;
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
    let paint = console.paint();
    fleet::ask(fleet, Some(query), form, console, &|opened, document| {
        let stack = &document.stack;
        let index = Index::new(stack);
        let found = query::of_many(opened, document, &index, query, LIMIT)?.unwrap_or_default();
        let rows = rows(document, &index, &found);
        let objects = rows.iter().map(|row| as_json(stack, row));
        Ok(Reply {
            partial: (found.unread > 0).then(|| unread(&found)),
            ..Reply::of(form, objects, || text(stack, &rows, &paint))
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
    let stack = &document.stack;
    let code = if rows.is_empty() { EXIT_NO } else { 0 };
    let objects = rows.iter().map(|row| as_json(stack, row));
    let printed = console.rows((form, code), objects, |paint| text(stack, &rows, paint));
    if found.unread > 0 {
        console.remark(&unread(&found));
        console.is_partial = true;
    }
    printed
}

fn unread(found: &SearchResult) -> String {
    format!("{} resources could not be read again", found.unread)
}

/// The rows of the hits: outputs first.
fn rows(document: &Document, index: &Index, found: &SearchResult) -> Vec<HitRow> {
    let (mut sides, mut resources) = (Last(None), Last(None));
    let of_outputs = found.outputs.iter();
    let of_outputs = of_outputs.map(|hit| output_row(&document.stack, hit, &mut sides));
    let rows = found.hits.iter();
    let rows = rows.map(|hit| row(document, index, hit, &mut resources));
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

/// The last value that was read, by its key: hits of one resource or output often follow each other.
struct Last<K, V>(Option<(K, V)>);

impl<K: PartialEq, V> Last<K, V> {
    fn of(&mut self, key: K, read: impl FnOnce(&K) -> V) -> &V {
        let last = self.0.take().filter(|(last, _)| *last == key);
        let (_, value) = self.0.insert(last.unwrap_or_else(|| {
            let value = read(&key);
            (key, value)
        }));
        value
    }
}

/// The values of an output after and before.
type Sides = [Option<Value>; 2];

/// An output, or a value inside one: then the path is the one inside it.
fn output_row(stack: &Stack, hit: &OutputHit, last: &mut Last<String, Sides>) -> HitRow {
    let place = &hit.place;
    let (name, inner) = match place.path.0.split_first() {
        Some((Segment::Key(name), rest)) => (name.to_string(), Path(rest.to_vec())),
        _ => (String::new(), Path::root()),
    };
    let sides = last.of(name.clone(), |name| {
        let output = stack.outputs.iter().find(|it| *it.name == *name);
        output.map_or_else(Sides::default, Output::sides)
    });
    let side = &sides[usize::from(place.before)];
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

fn row(
    document: &Document,
    index: &Index,
    hit: &Hit,
    last: &mut Last<ResourceId, Option<Resource>>,
) -> HitRow {
    let (section, path, value) = match &hit.at {
        At::Resource => (String::new(), String::new(), None),
        At::Indexed(path) => {
            let text = index.path_text(*path).to_owned();
            (index.section(*path).to_string(), text, None)
        }
        At::Property(place) => {
            let section = place.section_word();
            let of = section.parse::<Of>().unwrap_or_default();
            let resource = last.of(hit.resource, |id| document.resource(*id).ok());
            let resource = resource.as_ref();
            let answer = resource.and_then(|it| lookup(it, &place.path, of, Masks::Keep).ok());
            let value = answer.map(|answer| answer.value);
            (section, place.path.to_tolerant(), value)
        }
    };
    HitRow {
        of: Owner::Resource(hit.resource),
        section,
        path,
        value,
    }
}

fn as_json(stack: &Stack, row: &HitRow) -> Value {
    let (urn, address) = match &row.of {
        Owner::Resource(id) => (Some(stack.urn(*id)), stack.address(*id).map(str::to_owned)),
        Owner::Output(name) => (None, Some(format!("output.{name}"))),
    };
    json::object(&[
        ("urn", &urn),
        ("address", &address),
        ("section", &row.section),
        ("path", &row.path),
        ("value", &row.value.clone().unwrap_or_default()),
    ])
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
        Some(value) => cut(value, MAX_VALUE),
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
