//! `brief`: the changes of a plan, or between two files, condensed: the same change once, the odd ones first.
//!
//! Each form prints the same [`Page`].

mod as_json;
mod gate;
mod html;
mod markdown;
mod sarif;
mod text;

use super::args::BriefArgs;
use super::failure::answered;
use super::{Console, EXIT_FOUND, Failure, diff, open};
use crate::json;
use crate::load::brief::Brief;
use crate::load::brief::page::Page;
use crate::load::rules::rules;
use crate::load::{self, Document, output, schemas};
use crate::terraform::schema::Schemas;

/// Everything that a form is made from.
struct Report<'r> {
    document: &'r Document,
    page: &'r Page,
    schemas: &'r Schemas,
}

pub(super) fn run(args: &BriefArgs, console: &mut Console<'_>) -> Result<u8, Failure> {
    let input = diff::input(&args.file, args.other.as_deref(), console)?;
    let document = open::load(&input, console)?;
    let stack = &document.stack;
    if !stack.is_comparison && !stack.header.kind.has_changes() {
        return Err(Failure::usage(format!(
            "{}: {} holds no changes, expected a plan, or a second file to compare with",
            load::name(&input),
            stack.header.kind
        )));
    }
    keep_inputs(args)?;
    let rules = rules(&args.rules)?;
    let schemas = schemas::of(&input)?
        .map(|found| found.contents)
        .unwrap_or_default();
    let Some(brief) = Brief::of(&document, &schemas, &rules, &|| false) else {
        return Ok(0);
    };
    let page = Page::of(&brief, &document, &schemas);
    let closed = gate::closed(&args.fail_on, &brief, &page);
    for reason in &closed {
        console.remark(reason);
    }
    let report = Report {
        document: &document,
        page: &page,
        schemas: &schemas,
    };
    let code = if closed.is_empty() { 0 } else { EXIT_FOUND };
    answered(code, print(args, &report, console))
}

fn print(args: &BriefArgs, report: &Report<'_>, console: &mut Console<'_>) -> Result<(), Failure> {
    let (stack, page) = (&report.document.stack, report.page);
    let printed = if let Some(file) = &args.html {
        if file.as_os_str() == "-" {
            html::write(console.out, report)
        } else {
            let written = output::write(file, |out| html::write(out, report));
            return written.map_err(|source| Failure::file(file, source));
        }
    } else if args.json {
        json::write_pretty(console.out, &as_json::Report::new(page, stack))
    } else if args.sarif {
        json::write_pretty(console.out, &sarif::Log::new(page, stack, &args.file))
    } else if args.markdown {
        let title = diff::title(report.document);
        let text = markdown::text(&title, stack, page);
        console.out.write_all(text.as_bytes())
    } else {
        console.out.write_all(text::text(stack, page).as_bytes())
    };
    Ok(printed?)
}

/// Refuses to write over a file that is read.
fn keep_inputs(args: &BriefArgs) -> Result<(), Failure> {
    let inputs = [Some(&args.file), args.other.as_ref()]
        .into_iter()
        .flatten();
    let mut inputs = inputs.chain(&args.rules);
    let Some(file) = &args.html else {
        return Ok(());
    };
    match inputs.find(|input| output::is_same_file(file, input)) {
        Some(input) => Err(Failure::usage(format!(
            "{}: is read, expected another file to write",
            input.display()
        ))),
        None => Ok(()),
    }
}
