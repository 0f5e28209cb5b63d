//! A plan as its own program prints it.

use crate::cli::args::DiffArgs;
use crate::cli::{Console, EXIT_CHANGES, Failure, open};
use crate::load::{LoadError, whole};
use crate::render::plain::escaped_lines;
use crate::render::terraform::{Mode, Plan, Product, plan};
use crate::schema::Schemas;
use crate::value::Value;

pub(super) fn run(args: &DiffArgs, console: &mut Console<'_>) -> Result<u8, Failure> {
    if args.other.is_some() {
        return Err(Failure::usage(
            "`--format terraform` prints one plan, expected no second file",
        ));
    }
    let document = whole::value(&open::input(&args.file)?)?;
    if document.get("resource_changes").is_none() && document.get("planned_values").is_none() {
        return Err(LoadError::Unreadable {
            file: args.file.display().to_string(),
            message:
                "has no `resource_changes`, expected a plan as `terraform show -json` prints it"
                    .to_owned(),
            detail: String::new(),
        }
        .into());
    }
    let schemas = match &args.schema {
        Some(schemas) => whole::value(&open::input(schemas)?)?,
        None => Value::NULL,
    };
    let read = Plan::read(
        &document,
        &Schemas::new(&schemas),
        Mode::Normal,
        Product::Terraform,
    );
    let text = escaped_lines(&plan(&read));
    console.out.write_all(text.as_bytes())?;
    let is_told = args.exit_code && has_changes(&document);
    Ok(if is_told { EXIT_CHANGES } else { 0 })
}

/// Whether anything is to be done: an action that is not a no-op, of a resource or an output.
fn has_changes(document: &Value) -> bool {
    let acts = |change: &Value| {
        let actions = change.get("actions").and_then(Value::as_array);
        actions
            .into_iter()
            .flatten()
            .any(|action| action.as_str() != Some("no-op"))
    };
    let resources = document.get("resource_changes").and_then(Value::as_array);
    let outputs = document.get("output_changes").and_then(Value::as_map);
    resources
        .into_iter()
        .flatten()
        .filter_map(|entry| entry.get("change"))
        .any(acts)
        || outputs
            .into_iter()
            .flatten()
            .any(|(_, change)| acts(change))
}
