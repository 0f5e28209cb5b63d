//! `brief`: the changes of a plan, or between two files, condensed: the same change once, the odd ones first.

mod as_json;
mod text;

use super::args::{BriefArgs, FailOn};
use super::failure::answered;
use super::{Console, EXIT_FOUND, Failure, diff, open};
use crate::change::rules::Level;
use crate::json;
use crate::load::brief::Brief;
use crate::load::brief::page::Page;
use crate::load::rules::rules;
use crate::load::{self, schemas};

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
    let rules = rules(&args.rules)?;
    let schemas = schemas::of(&input)?
        .map(|found| found.contents)
        .unwrap_or_default();
    let Some(brief) = Brief::of(&document, &schemas, &rules, &|| false) else {
        return Ok(0);
    };
    let page = Page::of(&brief, &document, &schemas);
    let is_found = args.fail_on.is_some_and(|fail_on| {
        let least = match fail_on {
            FailOn::Danger => Level::Danger,
            FailOn::Warning => Level::Warning,
        };
        let mut alarms = brief.findings.alarms.iter();
        alarms.any(|alarm| alarm.rule.level <= least)
    });
    let printed = if args.json {
        json::write_pretty(console.out, &as_json::Report::new(&page, stack))
    } else {
        console.out.write_all(text::text(stack, &page).as_bytes())
    };
    let code = if is_found { EXIT_FOUND } else { 0 };
    answered(code, printed.map_err(Failure::from))
}
