//! `schema`: the JSON Schemas of the JSON outputs.

use super::args::SchemaArgs;
use super::failure::answered;
use super::{Console, Failure};

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
    schema!("diff"),
    schema!("find"),
    schema!("info"),
    schema!("ls"),
    schema!("rules"),
];

/// The names of all schemas.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    SCHEMAS.iter().map(|(name, _)| *name)
}

pub(super) fn run(args: &SchemaArgs, console: &mut Console<'_>) -> Result<u8, Failure> {
    let names = || names().map(str::to_owned);
    let text = match &args.command {
        None => names().collect::<Vec<String>>().join("\n") + "\n",
        Some(wanted) => {
            let found = SCHEMAS.iter().find(|(name, _)| name == wanted);
            let (_, text) = found.ok_or_else(|| Failure::No {
                message: format!("no JSON output of a command {wanted} has a schema"),
                detail: names().collect(),
            })?;
            (*text).to_owned()
        }
    };
    answered(
        0,
        console
            .out
            .write_all(text.as_bytes())
            .map_err(Failure::from),
    )
}
