//! `brief`: the changes of a plan, or between two files, condensed: the same change once, the odd ones first. Of a state, what it holds.
//! Of several files, a document with a part for each.
//!
//! Each form prints the same [`Page`].

mod as_json;
mod gate;
mod html;
mod markdown;
mod parts;
mod sarif;
mod text;

use std::path::{Path, PathBuf};

use super::args::{BriefArgs, BriefForm, FailOn};
use super::failure::answered;
use super::{Console, EXIT_FOUND, Failure, diff, open};
use crate::change::rules::Rules;
use crate::json;
use crate::load::brief::page::Page;
use crate::load::brief::{Brief, plans};
use crate::load::record::{Record, Standing};
use crate::load::remote::Address;
use crate::load::rules::rules;
use crate::load::{Document, Input, schemas};
use crate::terraform::schema::Schemas;

/// Everything that a form is made from.
struct Report {
    document: Document,
    brief: Brief,
    page: Page,
    standing: Option<Standing>,
    schemas: Schemas,
}

/// The files of a brief.
enum Subject {
    /// One file.
    One(PathBuf),
    /// Two files, the old one first.
    Compared([PathBuf; 2]),
    /// Several files, each with a part.
    Each(Vec<PathBuf>),
}

impl Subject {
    /// The files that the arguments name, or that lie in the folders that they name.
    fn of(args: &BriefArgs, console: &Console<'_>) -> Result<Self, Failure> {
        let is_pipe = |file: &&PathBuf| file.as_os_str() == "-";
        if args.files.iter().filter(is_pipe).count() > 1 {
            return Err(Failure::usage(
                "the standard input cannot be several files, expected one `-`",
            ));
        }
        if args.compare {
            let two = <[PathBuf; 2]>::try_from(args.files.clone());
            return two.map(Self::Compared).map_err(|files| {
                let found = files.len();
                Failure::usage(format!("--compare needs two files, found {found}"))
            });
        }
        let limited = |input| Input {
            limits: console.limits,
            ..open::keyed(input, console)
        };
        let mut files = Vec::new();
        for file in &args.files {
            let plans = if file.is_dir() {
                plans::below(file, limited(Input::path("")))
            } else {
                Vec::new()
            };
            if plans.is_empty() {
                files.push(file.clone());
            }
            files.extend(plans);
        }
        let is_state = |file: &PathBuf| {
            let input = open::input(file).map(limited);
            let kind = input.map(|input| plans::kind(&input));
            matches!(kind, Ok(Ok(kind)) if !kind.has_changes())
        };
        Ok(match <[PathBuf; 1]>::try_from(files) {
            Ok([file]) => Self::One(file),
            Err(files) => match <[PathBuf; 2]>::try_from(files) {
                Ok(two) if two.iter().any(|it| is_pipe(&it) || is_state(it)) => Self::Compared(two),
                Ok(two) => Self::Each(two.into()),
                Err(files) => Self::Each(files),
            },
        })
    }

    /// The files.
    fn files(&self) -> &[PathBuf] {
        match self {
            Self::One(file) => std::slice::from_ref(file),
            Self::Compared(files) => files,
            Self::Each(files) => files,
        }
    }
}

/// A form of the brief.
#[derive(Clone, Copy)]
enum Form<'a> {
    Text,
    Json,
    Sarif,
    Markdown,
    /// For a browser, into this file; `-` is the standard output.
    Html(&'a Path),
}

impl<'a> Form<'a> {
    fn of(form: &'a BriefForm) -> Self {
        match &form.html {
            Some(file) => Self::Html(file),
            None if form.json => Self::Json,
            None if form.sarif => Self::Sarif,
            None if form.markdown => Self::Markdown,
            None => Self::Text,
        }
    }
}

pub(super) fn run(args: &BriefArgs, console: &mut Console<'_>) -> Result<u8, Failure> {
    let subject = Subject::of(args, console)?;
    let settings = &console.settings;
    let inputs = subject.files().iter().chain(&args.record);
    let inputs = inputs.chain(settings.rules()).chain(settings.policies());
    open::keep_inputs(args.form.html.as_deref(), inputs.map(PathBuf::as_path))?;
    if args.fail_on.contains(&FailOn::Unreviewed) && args.record.is_none() {
        return Err(Failure::usage("--fail-on unreviewed needs --record"));
    }
    let rules = rules(console.settings.rules(), console.settings.policies())?;
    let input = match &subject {
        Subject::One(file) => diff::input(file, None, console)?,
        Subject::Compared([old, new]) => diff::input(old, Some(new), console)?,
        Subject::Each(files) => return parts::run(files, args, &rules, console),
    };
    let record = args.record.as_deref().map(Record::open).transpose()?;
    let mut report = review(&input, &rules, console)?;
    if let Some(record) = record
        && let Some(hashes) = record.hashes(&report.document, &report.schemas, &|| false)
    {
        let standing = record.standing(&hashes);
        report.standing = Some(standing);
        report.page.remarks.push(standing.words());
        report.page.remarks.extend(record.notes(&hashes));
    }
    let closed = gate::closed(&args.fail_on, &report);
    for reason in &closed {
        console.remark(reason);
    }
    let code = if closed.is_empty() { 0 } else { EXIT_FOUND };
    answered(
        code,
        print(
            Form::of(&args.form),
            &report,
            &Address::public(&subject.files()[0]),
            console,
        ),
    )
}

/// Reads a file, or two, and condenses the changes.
fn review(input: &Input, rules: &Rules, console: &mut Console<'_>) -> Result<Report, Failure> {
    let document = open::load(input, console)?;
    let schemas = schemas::of(input)?.map(|found| found.contents);
    let schemas = schemas.unwrap_or_default();
    let brief = Brief::of(&document, &schemas, rules, &|| false).unwrap_or_default();
    Ok(Report {
        page: Page::of(&brief, &document, &schemas),
        document,
        brief,
        standing: None,
        schemas,
    })
}

fn print(
    form: Form<'_>,
    report: &Report,
    file: &Path,
    console: &mut Console<'_>,
) -> Result<(), Failure> {
    let (stack, page) = (&report.document.stack, &report.page);
    let printed = match form {
        Form::Html(file) => {
            let title = diff::title(&report.document);
            return html::write_to(file, &title, &html::Data::of(report, &title), console);
        }
        Form::Json => json::write_pretty(console.out, &as_json::Report::of(report)),
        Form::Sarif => {
            let mut findings = sarif::Collector::default();
            findings.add(page, &report.document, file, "");
            json::write_pretty(console.out, &findings.log())
        }
        Form::Markdown => {
            let title = diff::title(&report.document);
            let text = markdown::text(&title, &text::counts(stack, page), page);
            console.out.write_all(text.as_bytes())
        }
        Form::Text => {
            let text = text::text(stack, page, &console.paint());
            console.out.write_all(text.as_bytes())
        }
    };
    Ok(printed?)
}
