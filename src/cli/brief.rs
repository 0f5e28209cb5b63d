//! `brief`: the changes of a plan, or between two files, condensed: the same change once, the odd ones first. Of a state, what it holds.
//!
//! Each form prints the same [`Page`].

mod as_json;
mod gate;
mod html;
mod markdown;
mod sarif;
mod text;

use std::path::PathBuf;

use super::args::{BriefArgs, FailOn};
use super::failure::answered;
use super::{Console, EXIT_FOUND, Failure, diff, open};
use crate::json;
use crate::load::brief::Brief;
use crate::load::brief::page::Page;
use crate::load::record::{Record, Standing};
use crate::load::rules::rules;
use crate::load::{Document, output, schemas};
use crate::terraform::schema::Schemas;

/// Everything that a form is made from.
struct Report<'r> {
    document: &'r Document,
    page: &'r Page,
    standing: Option<Standing>,
    schemas: &'r Schemas,
}

pub(super) fn run(args: &BriefArgs, console: &mut Console<'_>) -> Result<u8, Failure> {
    let input = diff::input(&args.file, args.other.as_deref(), console)?;
    let document = open::load(&input, console)?;
    let inputs = [Some(&args.file), args.other.as_ref(), args.record.as_ref()];
    let settings = &console.settings;
    let inputs = inputs
        .into_iter()
        .flatten()
        .chain(settings.rules())
        .chain(settings.policies());
    open::keep_inputs(args.html.as_deref(), inputs.map(PathBuf::as_path))?;
    if args.fail_on.contains(&FailOn::Unreviewed) && args.record.is_none() {
        return Err(Failure::usage("--fail-on unreviewed needs --record"));
    }
    let record = args.record.as_deref().map(Record::open).transpose()?;
    let rules = rules(console.settings.rules(), console.settings.policies())?;
    let schemas = schemas::of(&input)?
        .map(|found| found.contents)
        .unwrap_or_default();
    let Some(brief) = Brief::of(&document, &schemas, &rules, &|| false) else {
        return Ok(0);
    };
    let mut page = Page::of(&brief, &document, &schemas);
    let standing = record.and_then(|record| {
        let hashes = record.hashes(&document, &schemas, &|| false)?;
        Some(record.standing(&hashes))
    });
    page.remarks.extend(standing.map(Standing::words));
    let closed = gate::closed(&args.fail_on, &brief, &page, standing);
    for reason in &closed {
        console.remark(reason);
    }
    let report = Report {
        document: &document,
        page: &page,
        standing,
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
        json::write_pretty(
            console.out,
            &as_json::Report::new(page, stack, report.standing),
        )
    } else if args.sarif {
        json::write_pretty(
            console.out,
            &sarif::Log::new(page, report.document, &args.file),
        )
    } else if args.markdown {
        let title = diff::title(report.document);
        let text = markdown::text(&title, stack, page);
        console.out.write_all(text.as_bytes())
    } else {
        let text = text::text(stack, page, &console.paint());
        console.out.write_all(text.as_bytes())
    };
    Ok(printed?)
}
