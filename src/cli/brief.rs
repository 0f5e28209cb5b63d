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

use std::borrow::Cow;
use std::path::PathBuf;
use std::slice;

use super::args::{BriefArgs, BriefForm, FailOn};
use super::{Console, Failure, diff, open};
use crate::change::rules::Rules;
use crate::json;
use crate::load::brief::page::Page;
use crate::load::brief::{Brief, plans};
use crate::load::fleet::{Archive, Place, Roots, is_archive};
use crate::load::record::{Record, RecordError, Standing};
use crate::load::remote::Address;
use crate::load::rules::rules;
use crate::load::{self, Document, Input, LoadError, schemas};
use crate::terraform::schema::Schemas;
use crate::text::{count, plural};

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
    One(Place),
    /// Two files, the old one first.
    Compared([PathBuf; 2]),
    /// Several files, each with a part.
    Each(Vec<Place>),
}

/// Maximum number of places that an error names.
const MAX_NAMED: usize = 5;

/// Maximum number of states that are named because they have no plan.
const MAX_STATES: usize = 20;

impl Subject {
    /// The files that the arguments name, or that lie in the folders, archives and lists that they name.
    fn of(args: &BriefArgs, console: &mut Console<'_>) -> Result<Self, Failure> {
        let is_pipe = |file: &&PathBuf| file.as_os_str() == "-";
        let files = open::without_schemas(args.files.clone(), console)?;
        if files.iter().filter(is_pipe).count() > 1 {
            return Err(Failure::usage(
                "the standard input cannot be several files, expected one `-`",
            ));
        }
        if args.compare {
            let two = <[PathBuf; 2]>::try_from(files);
            return two.map(Self::Compared).map_err(|files| {
                let found = files.len();
                Failure::usage(format!("--compare needs two files, found {found}"))
            });
        }
        let below = |roots| plans::below(roots, open::keyed(Input::path(""), console));
        let mut places = Vec::new();
        let mut states = Vec::new();
        for file in &files {
            if !file.is_dir() && !is_archive(file) {
                places.push(Place::File(file.clone()));
                continue;
            }
            let found = below(Roots::new([file.clone()]));
            // Opening a folder with one state gives this state.
            if found.plans.is_empty() && (file.is_dir() && found.states.len() < 2) {
                places.push(Place::File(file.clone()));
                continue;
            }
            places.extend(found.plans);
            states.extend(found.states);
        }
        if let Some(list) = &args.from {
            let mut roots = Roots::new([]);
            roots.add_list(list)?;
            let found = below(roots);
            places.extend(found.plans);
            states.extend(found.states);
        }
        if places.is_empty() {
            return Err(without_plan(args, &states));
        }
        if !states.is_empty() {
            console.remark(&named(&states));
            if let [only] = &places[..] {
                console.remark(&format!("the brief of {only}"));
            }
        }
        Ok(match <[Place; 1]>::try_from(places) {
            Ok([place]) => Self::One(place),
            Err(places) => match &places[..] {
                [Place::File(old), Place::File(new)] if are_compared([old, new], console) => {
                    Self::Compared([old.clone(), new.clone()])
                }
                _ => Self::Each(places),
            },
        })
    }

    /// The files, without those in archives.
    fn files(&self) -> Vec<PathBuf> {
        let of = |place: &Place| match place {
            Place::File(path)
            | Place::Entry {
                archive: Archive::File(path),
                ..
            } => path.clone(),
            Place::Entry { .. } | Place::Object(_) | Place::Stdin => PathBuf::new(),
        };
        match self {
            Self::One(place) => vec![of(place)],
            Self::Compared(files) => files.to_vec(),
            Self::Each(places) => places.iter().map(of).collect(),
        }
    }
}

/// True if one of two files is a state or a pipe.
fn are_compared(files: [&PathBuf; 2], console: &Console<'_>) -> bool {
    files.into_iter().any(|file| {
        let kind = || load::kind(&open::keyed(Input::path(file), console));
        // A pipe can be read only once.
        let is_pipe = file.as_os_str() == "-" || file.exists() && !file.is_file();
        is_pipe || matches!(kind(), Ok(kind) if !kind.has_changes())
    })
}

/// The input of a file, or of an entry of an archive.
fn input_of(place: &Place, console: &Console<'_>) -> Result<Input, Failure> {
    match place {
        Place::File(path) => diff::input(slice::from_ref(path), console),
        Place::Entry { .. } | Place::Object(_) | Place::Stdin => {
            Ok(place.input(&open::keyed(Input::path(""), console))?)
        }
    }
}

/// `2 states without a plan beside them: a, b`.
fn named(states: &[Place]) -> String {
    let names = states.iter().take(MAX_STATES).map(ToString::to_string);
    let names = names.collect::<Vec<_>>().join(", ");
    let more = match states.len().saturating_sub(MAX_STATES) {
        0 => String::new(),
        n => format!(", and {} more", count(n as u64)),
    };
    let states = plural(states.len(), "state");
    format!("{states} without a plan in the same folder: {names}{more}")
}

/// The failure for places without a plan.
fn without_plan(args: &BriefArgs, states: &[Place]) -> Failure {
    let found = match states {
        [] => String::new(),
        states => format!(", found {}; `stacklens info` lists them", named(states)),
    };
    let places = args.files.iter().chain(&args.from).take(MAX_NAMED);
    let places = places.map(|place| Address::public(place).display().to_string());
    let places = places.collect::<Vec<_>>().join(", ");
    let message = format!("no plan is there, expected a plan, a preview or a run{found}");
    LoadError::unreadable(&places, message).into()
}

pub(super) fn run(args: &BriefArgs, console: &mut Console<'_>) -> Result<u8, Failure> {
    let subject = Subject::of(args, console)?;
    let settings = &console.settings;
    let files = subject.files();
    let inputs = files.iter().chain(&args.review.record);
    let inputs = inputs.chain(&args.review.cost);
    let inputs = inputs.chain(settings.rules()).chain(settings.policies());
    open::keep_inputs(args.form.html.as_deref(), inputs.map(PathBuf::as_path))?;
    if args.fail_on.contains(&FailOn::Unreviewed) && args.review.record.is_none() {
        return Err(Failure::usage("--fail-on unreviewed needs --record"));
    }
    // Of several plans, the mutes beside one are not those of the others.
    let beside: &[PathBuf] = match &subject {
        Subject::One(_) | Subject::Compared(_) => &files,
        Subject::Each(_) => &[],
    };
    let mut rules = rules(open::rule_files(&console.settings, beside))?;
    if args.muted {
        rules = Cow::Owned(rules.into_owned().without_mutes());
    }
    let input = match &subject {
        Subject::One(place) => input_of(place, console)?,
        Subject::Compared(files) => diff::input(files, console)?,
        Subject::Each(places) => return parts::run(places, args, &rules, console),
    };
    let recording = args.review.recording(String::new());
    let record = recording.map(|it| Ok::<_, RecordError>((Record::open(&it.file)?, it)));
    let record = record.transpose()?;
    let costs = args.review.costs()?;
    let mut report = review(&input, &rules, console)?;
    if let Some(costs) = costs {
        let page = report.page;
        report.page = page.with_costs(&costs, &report.document.stack);
    }
    if let Some((record, recording)) = record
        && let Some(hashes) = record.hashes(&report.document, &report.schemas, &|| false)
    {
        let standing = recording.standing(&record, &hashes)?;
        report.standing = Some(standing);
        report.page.remarks.push(standing.words());
        report.page.remarks.extend(record.repeated(&hashes));
        report.page.remarks.extend(record.notes(&hashes));
    }
    let answer = gate::answer(&args.fail_on, &report, &rules);
    for line in &answer.lines {
        console.remark(line);
    }
    let file = Address::public(&files[0]);
    let (stack, page) = (&report.document.stack, &report.page);
    let (code, title) = (answer.code, diff::title(&report.document));
    match &args.form {
        BriefForm {
            html: Some(file), ..
        } => {
            let data = html::document(&report, &title);
            html::write_to(file, &title, &data, code, console)
        }
        BriefForm { json: true, .. } => console.answer(code, |out| {
            json::write_pretty(out, &as_json::document(&report))
        }),
        BriefForm { sarif: true, .. } => {
            let mut findings = sarif::Collector::default();
            findings.add(page, &report.document, &file, "");
            console.answer(code, |out| findings.write(out))
        }
        BriefForm { markdown: true, .. } => {
            let counts = text::counts(stack, page);
            console.print(code, &markdown::text(&title, &counts, page))
        }
        BriefForm { .. } => console.print(code, &text::text(stack, page, &console.paint())),
    }
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
