//! `schema`: the JSON Schemas of the JSON outputs.
//!
//! Of many stacks a command prints one object a line: an element of the list that it prints for one file, after its stack and file.

use super::args::SchemaArgs;
use super::fleet::fields;
use super::{Console, Failure};
use crate::json::{self, Numbers};
use crate::render::json::object;
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
    let list = json::parse(list.as_bytes(), Numbers::Exact).ok()?.value;
    let element = list.get("items")?;
    let field = |help| object(&[("type", &"string"), ("description", &help)]);
    let stack = field("The short name of the stack, which no other one has.");
    let file = field("Its file; the name of an entry of an archive follows after !/.");
    let own = object(&[("stack", &stack), ("file", &file)]);
    let mut required: Vec<Value> = own
        .as_map()?
        .keys()
        .map(|key| Value::from(&**key))
        .collect();
    required.extend(element.get("required")?.as_array()?.iter().cloned());
    let properties = fields(Some(&own)).chain(fields(element.get("properties")));
    let of_list = fields(Some(&list)).filter(|(key, _)| !matches!(&**key, "items" | "type"));
    let schema: Map = of_list.chain(fields(Some(element))).collect();
    let schema = schema
        .set("$id", format!("urn:stacklens:{name}:1").into())
        .set("required", required.into())
        .set("properties", properties.collect::<Map>().into());
    Some(json::to_pretty(&schema.into()) + "\n")
}

pub(super) fn run(args: &SchemaArgs, console: &mut Console<'_>) -> Result<u8, Failure> {
    let names: Vec<String> = names().map(str::to_owned).collect();
    let text = match &args.command {
        None => names.join("\n") + "\n",
        Some(wanted) => text(wanted).ok_or_else(|| {
            let message = format!("no JSON output of a command {wanted} has a schema");
            Failure::unknown(&message, wanted, names)
        })?,
    };
    console.print(0, &text)
}
