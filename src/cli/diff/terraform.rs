//! A plan as Terraform itself prints it.

use std::path::PathBuf;

use super::exit_code;
use crate::cli::args::{DiffArgs, PlanMode};
use crate::cli::{Console, Failure, get, open};
use crate::load::remote::Address;
use crate::load::{LoadError, schemas};
use crate::render::terraform::{Mode, Plan, Product, plan as plan_text};
use crate::stack::{Kind, Tool};
use crate::text::escaped_lines;

pub(super) fn run(
    files: &[PathBuf],
    args: &DiffArgs,
    console: &mut Console<'_>,
) -> Result<u8, Failure> {
    if files.len() > 1 {
        return Err(Failure::usage(
            "`--format terraform` prints one plan, expected no second file",
        ));
    }
    let input = super::input(files, console)?;
    let document = open::load(&input, console)?;
    let stack = &document.stack;
    let kind = stack.header.kind;
    let refused = match kind {
        Kind::TerraformPlan | Kind::TerraformPlanBinary => stack.counts.unjudged(),
        _ => Some(format!(
            "is of the kind {kind}, expected a plan of Terraform or OpenTofu"
        )),
    };
    if let Some(message) = refused {
        let file = Address::public(&files[0]).display().to_string();
        return Err(LoadError::unreadable(&file, message).into());
    }
    let schemas = schemas::of(&input)?.map(|found| found.contents);
    if schemas.is_none() {
        console.remark(
            "without --schema sets are printed as lists and objects as maps, and blocks are only those that the \
             configuration in the plan writes out",
        );
    }
    let resources = stack
        .ids()
        .map(|id| get::read(&document, id))
        .collect::<Result<Vec<_>, _>>()?;
    let product = match stack.header.tool {
        Tool::OpenTofu => Product::OpenTofu,
        Tool::Pulumi | Tool::Terraform => Product::Terraform,
    };
    let mode = match args.mode {
        Some(PlanMode::Normal) => Mode::Normal,
        Some(PlanMode::Destroy) => Mode::Destroy,
        Some(PlanMode::RefreshOnly) => Mode::RefreshOnly,
        None => Mode::of(stack),
    };
    let plan = Plan::of(
        stack,
        resources,
        &schemas.unwrap_or_default(),
        mode,
        product,
    );
    if args.mode.is_none() && !plan.says_mode(stack) {
        console.remark("a JSON plan without changes does not record its mode; set it with --mode");
    }
    let plan = escaped_lines(&plan_text(&plan));
    console.print(exit_code(args, stack), &plan)
}
