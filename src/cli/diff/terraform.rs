//! A plan as its own program prints it.

use super::planned;
use crate::cli::args::DiffArgs;
use crate::cli::{Console, EXIT_CHANGES, Failure, get, open};
use crate::load::{LoadError, whole};
use crate::render::plain::escaped_lines;
use crate::render::terraform::{Mode, Plan, Product, plan};
use crate::schema::Schemas;
use crate::stack::{Kind, Tool};
use crate::value::Value;

pub(super) fn run(args: &DiffArgs, console: &mut Console<'_>) -> Result<u8, Failure> {
    if args.other.is_some() {
        return Err(Failure::usage(
            "`--format terraform` prints one plan, expected no second file",
        ));
    }
    let document = open::document(&args.file, console)?;
    let stack = &document.stack;
    if !matches!(
        stack.header.kind,
        Kind::TerraformPlan | Kind::TerraformPlanBinary
    ) {
        return Err(LoadError::Unreadable {
            file: args.file.display().to_string(),
            message: format!(
                "is of the kind {}, expected a plan of Terraform or OpenTofu",
                stack.header.kind
            ),
            detail: String::new(),
        }
        .into());
    }
    let schemas = match &args.schema {
        Some(schemas) => whole::value(&open::input(schemas)?)?,
        None => Value::NULL,
    };
    let resources = stack
        .ids()
        .map(|id| get::read(&document, id))
        .collect::<Result<Vec<_>, _>>()?;
    let product = match stack.header.tool {
        Tool::OpenTofu => Product::OpenTofu,
        Tool::Pulumi | Tool::Terraform => Product::Terraform,
    };
    let plan = plan(&Plan::of(
        stack,
        resources,
        &Schemas::new(&schemas),
        Mode::Normal,
        product,
    ));
    console.out.write_all(escaped_lines(&plan).as_bytes())?;
    let is_told = args.exit_code && !planned(&document, args)?.is_empty();
    Ok(if is_told { EXIT_CHANGES } else { 0 })
}
