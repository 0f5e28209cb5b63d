//! `find`: search hits with their values.

use super::args::FindArgs;
use super::{Console, EXIT_NO, Failure, open, query};
use crate::load::Document;
use crate::render::json;
use crate::render::plain::{columns, escaped};
use crate::search::{At, Hit, Index};
use crate::stack::{Masks, Of, Resource, ResourceId, lookup};
use crate::value::Value;

/// How many hits are printed at most.
const LIMIT: usize = 1_000_000;

/// A column of the list is at most this wide, in cells.
const MAX_WIDTH: usize = 60;

/// How much of a value is shown in the list, in characters.
const MAX_VALUE: usize = 200;

pub(super) fn run(args: &FindArgs, console: &mut Console<'_>) -> Result<u8, Failure> {
    let query = query::parse(&args.query)?;
    let document = open::document(&args.file, console)?;
    let index = Index::new(&document.stack);
    let found = query::run(&document, &index, &query, LIMIT);
    let mut values = Values {
        document: &document,
        last: None,
    };
    let rows = found.hits.iter().map(|hit| row(&index, hit, &mut values));
    if args.json {
        json::write_list(console.out, rows.map(|row| as_json(&document, &row)))?;
    } else {
        let rows: Vec<_> = rows.map(|row| as_text(&document, &row)).collect();
        console
            .out
            .write_all(columns(&rows, MAX_WIDTH).as_bytes())?;
    }
    if found.unread > 0 {
        writeln!(
            console.err,
            "stacklens: {} resources could not be read again",
            found.unread
        )?;
    }
    Ok(if found.hits.is_empty() { EXIT_NO } else { 0 })
}

struct Row {
    id: ResourceId,
    section: String,
    path: String,
    /// The value, with its markers; `None` for a resource as a whole, and for some element of an array.
    value: Option<Value>,
}

fn row(index: &Index, hit: &Hit, values: &mut Values<'_>) -> Row {
    let id = hit.resource;
    match &hit.at {
        At::Resource => Row {
            id,
            section: String::new(),
            path: String::new(),
            value: None,
        },
        At::Indexed(path) => Row {
            id,
            section: index.section(*path).to_string(),
            path: index.path_text(*path).to_owned(),
            value: None,
        },
        At::Property(place) => {
            let section = place.section_word();
            let of = section.parse::<Of>().unwrap_or_default();
            let answer = values
                .resource(id)
                .and_then(|resource| lookup(resource, &place.path, of, Masks::Keep).ok());
            Row {
                id,
                section,
                path: place.path.to_tolerant(),
                value: answer.map(|answer| answer.value),
            }
        }
    }
}

/// Resources read again; hits of one resource often stand together.
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

fn as_json(document: &Document, row: &Row) -> Value {
    let stack = &document.stack;
    json::object([
        ("urn", Some(stack.urn(row.id).into())),
        ("address", stack.address(row.id).map(Value::from)),
        ("section", Some(row.section.as_str().into())),
        ("path", Some(row.path.as_str().into())),
        ("value", Some(row.value.clone().unwrap_or_default())),
    ])
}

fn as_text(document: &Document, row: &Row) -> [String; 3] {
    let stack = &document.stack;
    let dot = if row.section.is_empty() || row.path.is_empty() {
        ""
    } else {
        "."
    };
    let value = match &row.value {
        None => escaped(stack.ty(row.id)),
        Some(value) if value.is_computed() && !value.is_secret() => {
            stack.header.kind.unknown().to_owned()
        }
        Some(value) => {
            let text = value.to_string();
            match text.char_indices().nth(MAX_VALUE) {
                Some((end, _)) => format!("{}…", &text[..end]),
                None => text,
            }
        }
    };
    let path = if row.path == "root" { "" } else { &row.path };
    [
        escaped(&stack.identity(row.id)),
        format!("{}{dot}{}", row.section, escaped(path)),
        value,
    ]
}
