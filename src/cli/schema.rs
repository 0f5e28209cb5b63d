//! `schema`: the JSON Schemas of the JSON outputs.
//!
//! Of many stacks a command prints one object a line: an element of the list that it prints for one file, after its stack and file.

use std::sync::Arc;

use super::args::SchemaArgs;
use super::failure::answered;
use super::{Console, Failure};
use crate::json::{self, Numbers};
use crate::text::or_nearest;
use crate::value::{Map, Value};

/// The name and the text of a schema.
macro_rules! schema {
    ($name:literal) => {
        (
            $name,
            include_str!(concat!("../../assets/schemas/", $name, ".json")),
        )
    };
}

/// The commands whose output with `--json` has a schema, with the schema.
const SCHEMAS: &[(&str, &str)] = &[
    schema!("brief"),
    schema!("check"),
    schema!("config"),
    schema!("deps"),
    schema!("deps-lines"),
    schema!("diff"),
    schema!("find"),
    schema!("info"),
    schema!("info-lines"),
    schema!("ls"),
    schema!("rules"),
];

/// The commands whose lines of many stacks are the elements of their list, with the names of the schemas of these lines.
const LINES: &[(&str, &str)] = &[
    ("check", "check-lines"),
    ("find", "find-lines"),
    ("ls", "ls-lines"),
];

/// The names of all schemas.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    let names = SCHEMAS.iter().map(|(name, _)| *name);
    names.chain(LINES.iter().map(|(_, name)| *name))
}

/// The text of a schema.
fn text(wanted: &str) -> Option<String> {
    let own = |wanted: &str| {
        let found = SCHEMAS.iter().find(|(name, _)| *name == wanted);
        found.map(|(_, text)| *text)
    };
    match LINES.iter().find(|(_, name)| *name == wanted) {
        Some((command, name)) => lines(own(command)?, name),
        None => own(wanted).map(str::to_owned),
    }
}

/// The schema of a line, made from the one of a list.
fn lines(list: &str, name: &str) -> Option<String> {
    let parsed = json::parse(list.as_bytes(), Numbers::Exact).ok()?.value;
    let list = parsed.as_map()?;
    let element = list.get("items")?.as_map()?;
    let field = |help: &str| -> Value {
        [("type", "string".into()), ("description", help.into())]
            .into_iter()
            .collect::<Map>()
            .into()
    };
    let own = [
        (
            "stack",
            field("The short name of the stack, which no other one has."),
        ),
        (
            "file",
            field("Its file; the name of an entry of an archive follows after !/."),
        ),
    ];
    let mut schema: Vec<(Arc<str>, Value)> = Vec::new();
    for (key, value) in list {
        match &**key {
            "items" | "type" => {}
            "$id" => schema.push((key.clone(), format!("urn:stacklens:{name}:1").into())),
            _ => schema.push((key.clone(), value.clone())),
        }
    }
    for (key, value) in element {
        let value = match &**key {
            "required" => {
                let required = value.as_array()?.iter().cloned();
                let own = own.iter().map(|(name, _)| Value::from(*name));
                own.chain(required).collect::<Vec<_>>().into()
            }
            "properties" => {
                let of_element = value.as_map()?.iter();
                let of_element = of_element.map(|(key, value)| (key.clone(), value.clone()));
                let own = own
                    .iter()
                    .map(|(key, value)| ((*key).into(), value.clone()));
                own.chain(of_element).collect::<Map>().into()
            }
            _ => value.clone(),
        };
        schema.push((key.clone(), value));
    }
    let schema: Map = schema.into_iter().collect();
    Some(json::to_pretty(&schema.into()) + "\n")
}

pub(super) fn run(args: &SchemaArgs, console: &mut Console<'_>) -> Result<u8, Failure> {
    let names = || names().map(str::to_owned);
    let text = match &args.command {
        None => names().collect::<Vec<String>>().join("\n") + "\n",
        Some(wanted) => text(wanted).ok_or_else(|| Failure::No {
            message: format!(
                "no JSON output of a command {wanted} has a schema{}",
                or_nearest(wanted, self::names())
            ),
            detail: names().collect(),
        })?,
    };
    answered(
        0,
        console
            .out
            .write_all(text.as_bytes())
            .map_err(Failure::from),
    )
}
