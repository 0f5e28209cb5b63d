//! Commands on many stacks: every answer says its stack, and comes in the order of names.
//!
//! Text has the name of the stack as its first column. JSON has one object a line, with `stack` and `file` before the fields that it has
//! for one file. Read errors are printed on standard error, and the exit code is 65.

use std::ffi::{OsStr, OsString};
use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::args::Stacks;
use super::{Console, EXIT_NO, Failure, open};
use crate::load::fleet::{Answer, Asked, Copies, Ended, Fleet, Member, Opened, Roots};
use crate::load::remote::Address;
use crate::load::{self, Document, Input, LoadError};
use crate::render::json;
use crate::render::plain::padded;
use crate::search::{Prefilter, Query};
use crate::text::{count, escaped, plural};
use crate::tui::theme::Role;
use crate::value::{Map, Value};

/// Maximum width of the column of names, in cells.
const MAX_NAME: usize = 40;

/// Maximum number of errors that are said one by one.
const MAX_ERRORS: usize = 20;

/// Maximum number of names in a remark.
const MAX_NAMED: usize = 5;

/// The files that a command is about.
pub(super) enum Target {
    /// One file, with the answer that it always had.
    One(PathBuf),
    /// Many stacks.
    Many(Fleet),
}

impl Target {
    /// The files that these arguments name, besides the `places` before a query or a resource.
    pub(super) fn of(
        places: Vec<PathBuf>,
        stacks: &Stacks,
        console: &Console<'_>,
    ) -> Result<Self, Failure> {
        let fleet = of(places, stacks, console)?;
        if stacks.from.is_none()
            && let Some(only) = fleet.roots.sole()
        {
            return Ok(Self::One(only));
        }
        Ok(Self::Many(fleet))
    }
}

/// The fleet that these arguments name, whatever the number of its members.
pub(super) fn of(
    places: Vec<PathBuf>,
    stacks: &Stacks,
    console: &Console<'_>,
) -> Result<Fleet, Failure> {
    let mut roots = Roots::new(places);
    if let Some(list) = &stacks.from {
        roots.add_list(list)?;
    }
    Ok(Fleet {
        roots,
        like: open::keyed(Input::path(""), console),
        copies: if stacks.all {
            Copies::Ask
        } else {
            Copies::Leave
        },
    })
}

/// The words after a command.
pub(super) fn words<'w>(first: Option<&'w PathBuf>, rest: &'w [OsString]) -> Vec<&'w OsStr> {
    let first = first.map(|it| it.as_os_str()).into_iter();
    first.chain(rest.iter().map(OsString::as_os_str)).collect()
}

/// Splits the words after a command into files and the rest. The first word is a file unless a list names the files; a later word is one
/// if it exists and looks like a path.
pub(super) fn split(
    first: Option<&PathBuf>,
    rest: &[OsString],
    stacks: &Stacks,
) -> Result<(Vec<PathBuf>, Vec<String>), Failure> {
    let words = words(first, rest);
    let is_file = |(index, word): &(usize, &&OsStr)| {
        let looks_so = word.to_string_lossy().contains(['.', '/', '\\']);
        // A word such as `https://…` may be a value to search for.
        let is_bucket = Address::of(Path::new(word)).is_some_and(|address| address.is_bucket());
        looks_so && Path::new(word).exists() || is_bucket || *index == 0 && stacks.from.is_none()
    };
    let n_files = words.iter().enumerate().take_while(is_file).count();
    let (files, rest) = words.split_at(n_files);
    let text = |word: &&OsStr| {
        let text = word.to_str().map(str::to_owned);
        text.ok_or_else(|| Failure::usage("a query has to be UTF-8"))
    };
    let rest = rest.iter().map(text).collect::<Result<_, _>>()?;
    Ok((files.iter().map(PathBuf::from).collect(), rest))
}

/// The answer of one stack.
#[derive(Default)]
pub(super) struct Reply {
    /// Its lines, without the name of the stack.
    pub(super) text: String,
    /// Its lines as JSON objects, without the name of the stack.
    pub(super) objects: Vec<Value>,
    /// True if it counts for the exit code 0.
    pub(super) is_hit: bool,
    /// The parts that could not be read.
    pub(super) partial: Option<String>,
}

impl Reply {
    /// Rows as objects or as text. They are a hit if there are any.
    pub(super) fn of(
        form: Form,
        objects: impl Iterator<Item = Value>,
        text: impl FnOnce() -> String,
    ) -> Self {
        let mut reply = Self::default();
        match form {
            Form::Text => reply.text = text(),
            Form::Json => reply.objects = objects.collect(),
        }
        reply.is_hit = !reply.text.is_empty() || !reply.objects.is_empty();
        reply
    }
}

/// The form of the output.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// Lines with the stack in the first column.
    Text,
    /// An object a line.
    Json,
}

impl Form {
    pub(super) fn of(is_json: bool) -> Self {
        if is_json { Self::Json } else { Self::Text }
    }
}

/// The members that could not be read, and those that were left out.
#[derive(Default)]
pub(super) struct Tally {
    /// Number of members.
    pub(super) n_members: usize,
    /// Number of members with a hit.
    pub(super) n_hits: usize,
    /// Number of members that could not be read whole.
    pub(super) n_failed: usize,
    n_left: usize,
    versions: Named,
    twins: Named,
}

/// Some members, and the names of the first.
#[derive(Default)]
struct Named {
    n: usize,
    names: Vec<String>,
}

impl Named {
    fn add(&mut self, name: String) {
        self.n += 1;
        if self.names.len() < MAX_NAMED {
            self.names.push(name);
        }
    }

    /// Says that they were left out.
    fn say(&self, noun: &str, console: &mut Console<'_>) {
        if self.n > 0 {
            let is_cut = self.n > self.names.len();
            let more = if is_cut { ", …" } else { "" };
            let names = self.names.join(", ");
            let all = plural(self.n, noun);
            console.remark(&format!(
                "{all} left out: {names}{more}; --all asks them too"
            ));
        }
    }
}

/// The stacks that count: those whose copies are twins, and are left out.
pub(super) enum Counted {
    /// All.
    All,
    /// Those with a hit. The others are not even read if the filter says that they have none.
    Hits(Option<Prefilter>),
}

/// The work on a stack: the reply, and what else the command keeps of it.
pub(super) type Work<'w, T> =
    dyn Fn(&Opened<'_>, &Document) -> Result<(Reply, T), LoadError> + Sync + 'w;

/// Asks every stack that may have hits, and prints the answers. The exit code is 0 if one is a hit.
pub(super) fn ask(
    fleet: &Fleet,
    query: Option<&Query>,
    form: Form,
    console: &mut Console<'_>,
    reply: &(dyn Fn(&Opened<'_>, &Document) -> Result<Reply, LoadError> + Sync),
) -> Result<u8, Failure> {
    let mut printer = Printer::default();
    let counted = Counted::Hits(query.and_then(Prefilter::of));
    let work = |opened: &Opened<'_>, document: &Document| Ok((reply(opened, document)?, ()));
    let tally = each(
        fleet,
        &counted,
        console,
        &work,
        &mut |member, reply, (), console| printer.print(member, &reply, form, console),
    )?;
    Ok(if tally.n_hits == 0 { EXIT_NO } else { 0 })
}

/// Asks every stack, hands on each reply that counts, and says what is missing.
pub(super) fn each<T: Send>(
    fleet: &Fleet,
    counted: &Counted,
    console: &mut Console<'_>,
    work: &Work<'_, T>,
    take: &mut dyn FnMut(&Member, Reply, T, &mut Console<'_>) -> io::Result<()>,
) -> Result<Tally, Failure> {
    let asked = |opened: &Opened<'_>| {
        if let Counted::Hits(Some(filter)) = counted
            && !opened.may_hit(filter)
        {
            return Ok(Asked::uncounted(None));
        }
        let document = opened.load()?;
        let (mut reply, kept) = work(opened, &document)?;
        reply.partial = open::partial(&document.stack).or(reply.partial);
        let counts = reply.is_hit || matches!(counted, Counted::All);
        Ok(Asked {
            fingerprint: counts.then(|| opened.fingerprint(&document)).flatten(),
            result: Some((reply, kept)),
        })
    };
    let (tally, ended) = answers(
        fleet,
        console,
        &asked,
        &mut |member, answer, tally, console| {
            let Answer::Done(Some((reply, kept))) = answer else {
                return Ok(());
            };
            if let Some(partial) = &reply.partial {
                tally.failed(&format!("{}: {partial}", member.place), console);
            }
            if member.twin.is_some() && fleet.copies == Copies::Leave {
                tally.twin(member);
                return Ok(());
            }
            tally.n_hits += usize::from(reply.is_hit);
            take(member, reply, kept, console)
        },
    )?;
    if let Some(ended) = ended {
        tally.end(fleet, &ended, console)?;
    }
    Ok(tally)
}

/// Takes the answer of a member.
type Take<'t, T> =
    dyn FnMut(&Member, Answer<T>, &mut Tally, &mut Console<'_>) -> io::Result<()> + 't;

/// Asks every stack, and hands on its answer. Nobody reads on if there is no end.
pub(super) fn answers<T: Send>(
    fleet: &Fleet,
    console: &mut Console<'_>,
    work: &load::fleet::Work<'_, T>,
    take: &mut Take<'_, T>,
) -> io::Result<(Tally, Option<Ended>)> {
    let mut tally = Tally::default();
    let mut outcome = Ok(());
    let ended = fleet.ask(&AtomicBool::new(false), work, &mut |member, answer| {
        tally.n_members += 1;
        match &answer {
            Answer::Left => tally.left(&member),
            Answer::Failed(error) => tally.failed(&error.to_string(), console),
            Answer::Done(_) => {}
        }
        outcome = take(&member, answer, &mut tally, console);
        if outcome.is_ok() {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    });
    match outcome {
        // A closed pipe has all that it wants.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok((tally, None)),
        outcome => outcome.map(|()| (tally, Some(ended))),
    }
}

/// The failure for roots without a member.
fn nothing(fleet: &Fleet) -> Failure {
    let places = fleet.roots.places.iter().take(MAX_NAMED);
    let places: Vec<_> = places
        .map(|place| Address::public(place).display().to_string())
        .collect();
    let message = "no state and no plan is there, expected a file or a folder with one";
    LoadError::unreadable(&places.join(", "), message.to_owned()).into()
}

impl Tally {
    /// Number of members that were asked.
    pub(super) fn n_asked(&self) -> usize {
        self.n_members - self.n_left - self.versions.n - self.twins.n
    }

    /// Counts a member that could not be read whole, and says why.
    pub(super) fn failed(&mut self, message: &str, console: &mut Console<'_>) {
        self.n_failed += 1;
        console.is_partial = true;
        if self.n_failed <= MAX_ERRORS {
            console.remark(message);
        }
    }

    /// Counts a member that was left out as an older copy.
    pub(super) fn left(&mut self, member: &Member) {
        match &member.version {
            Some(version) if version.is_older => self.versions.add(member.name.clone()),
            Some(_) | None => self.n_left += 1,
        }
    }

    fn twin(&mut self, member: &Member) {
        if let Some(first) = &member.twin {
            self.twins
                .add(format!("{} (a copy of {first})", member.name));
        }
    }

    /// Says what was not read.
    ///
    /// # Errors
    ///
    /// If there is no member.
    pub(super) fn end(
        &self,
        fleet: &Fleet,
        ended: &Ended,
        console: &mut Console<'_>,
    ) -> Result<(), Failure> {
        if self.n_members == 0 {
            return Err(nothing(fleet));
        }
        let (failed, left) = (self.n_failed, self.n_left);
        let (links, archives) = (ended.n_links, ended.archives.len());
        if failed > 0 {
            let hidden = match failed.saturating_sub(MAX_ERRORS) as u64 {
                0 => String::new(),
                n => format!(
                    "; {} are not listed here, `stacklens info` lists all",
                    count(n)
                ),
            };
            let of = plural(self.n_members, "stack");
            let failed = count(failed as u64);
            console.remark(&format!("{failed} of {of} could not be read whole{hidden}"));
        }
        if left > 0 {
            let backups = plural(left, "backup");
            console.remark(&format!("{backups} left out; --all asks them too"));
        }
        self.versions.say("older version", console);
        self.twins.say("twin", console);
        if links > 0 {
            let links = plural(usize::try_from(links).unwrap_or(usize::MAX), "link");
            console.remark(&format!("{links} out of these folders not followed"));
        }
        if archives > 0 {
            let named = ended.archives.iter().take(MAX_NAMED);
            let named: Vec<_> = named.map(|it| it.display().to_string()).collect();
            let (archives, named) = (plural(archives, "archive"), named.join(", "));
            console.remark(&format!("{archives} not opened unless named: {named}"));
        }
        Ok(())
    }
}

/// Prints the answers, each with its stack.
#[derive(Default)]
pub(super) struct Printer {
    /// The width of the column of names: that of the longest so far.
    width: usize,
}

impl Printer {
    /// Prints an answer, so that a reader has it before the next one is known.
    pub(super) fn print(
        &mut self,
        member: &Member,
        reply: &Reply,
        form: Form,
        console: &mut Console<'_>,
    ) -> io::Result<()> {
        match form {
            Form::Text if reply.text.is_empty() => return Ok(()),
            Form::Json if reply.objects.is_empty() => return Ok(()),
            Form::Text => self.text(member, &reply.text, console)?,
            Form::Json => {
                for object in &reply.objects {
                    json::write_line(console.out, &stacked(member, object))?;
                }
            }
        }
        console.out.flush()
    }

    fn text(&mut self, member: &Member, text: &str, console: &mut Console<'_>) -> io::Result<()> {
        let name = escaped(&member.name);
        self.width = self.width.max(name.chars().count().min(MAX_NAME));
        let name = console.paint().role(Role::Type, &padded(&name, self.width));
        for line in text.lines() {
            writeln!(console.out, "{name}  {line}")?;
        }
        Ok(())
    }
}

/// The object with its stack and file before its fields.
pub(super) fn stacked(member: &Member, object: &Value) -> Value {
    let own = json::object(&[("stack", &member.name), ("file", &member.place.to_string())]);
    let all: Map = fields(Some(&own)).chain(fields(Some(object))).collect();
    all.into()
}

/// The fields of an object.
pub(super) fn fields(object: Option<&Value>) -> impl Iterator<Item = (Arc<str>, Value)> {
    let fields = object.and_then(Value::as_map).into_iter().flatten();
    fields.map(|(key, value)| (key.clone(), value.clone()))
}
