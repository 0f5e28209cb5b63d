//! Opens the documents that the arguments name.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::args::{Args, is_command, nearest_command};
use super::{Console, Failure, diff, info, ls};
use crate::change::rules::Rules;
use crate::likely::{Allowed, Masking};
use crate::load::fleet::{Roots, is_archive};
use crate::load::folder::{self, FolderFile, Role};
use crate::load::keys::{Keys, KeysError};
use crate::load::record::Record;
use crate::load::remote::Address;
use crate::load::rules::Files;
use crate::load::{self, Document, Input, LoadError, Origin, output, schemas};
use crate::render::plain::size;
use crate::settings::Settings;
use crate::stack::{Severity, Stack};
use crate::text::{count, escaped};

const WELCOME: &str = "\
stacklens shows what is in a Pulumi, Terraform or OpenTofu stack, and what a plan is about to do to it.

  stacklens demo                      an invented stack with a pending preview
  stacklens terraform.tfstate         a state: also `pulumi stack export`, checkpoints, `terraform show -json`
  stacklens tfplan.json               a plan: `terraform show -json PLAN`, `pulumi preview --json`
  pulumi stack export | stacklens -   from a pipe
  stacklens OLD NEW                   the difference of two states or two plans
  stacklens DIR                       many stacks: a list to sort, to search and to compare

`stacklens --help` lists the printing commands. Nothing is ever changed, and no network is used.
";

/// The input for `file`: `-`, a file, or the one file in a folder that is worth opening.
pub(super) fn input(file: &Path) -> Result<Input, Failure> {
    if file.as_os_str() == "-" {
        return Ok(Input::stdin());
    }
    if !file.is_dir() {
        return Ok(Input::path(file));
    }
    let entries = folder::list(file).map_err(|source| LoadError::io(file, source))?;
    if let Some(entry) = folder::choose(&entries) {
        return Ok(Input::path(&entry.path));
    }
    let message = match entries.len() {
        0 => "is a folder without a state or plan, expected a file".to_owned(),
        n => format!("is a folder with {n} states and plans, expected one of them"),
    };
    let names = entries.iter().map(|it| it.path.display().to_string());
    Err(Failure::Load(LoadError::Unreadable {
        file: file.display().to_string(),
        message,
        detail: names.collect::<Vec<_>>().join("\n"),
    }))
}

/// Loads the whole of `file`.
pub(super) fn document(file: &Path, console: &mut Console<'_>) -> Result<Document, Failure> {
    let input = keyed(input(file)?, console);
    load(&input, console)
}

/// Loads `input`. Prints a remark if a part of it could not be read.
pub(super) fn load(input: &Input, console: &mut Console<'_>) -> Result<Document, Failure> {
    let document = load::load_limited(input, input.limits)?;
    let notes = document.stack.notes.iter();
    for note in notes.filter(|note| note.place.ends_with(load::schemas::PLACE)) {
        console.remark(&note.message);
    }
    if let Some(partial) = partial(&document.stack) {
        console.is_partial = true;
        // The damage message of two files already contains their names.
        let name = match input.older {
            Some(_) => String::new(),
            None => format!("{}: ", load::name(input)),
        };
        console.remark(&format!("{name}{partial}"));
    }
    Ok(document)
}

/// The part of a file that could not be read, in one line; `None` if all of it was.
pub(super) fn partial(stack: &Stack) -> Option<String> {
    if let Some(damage) = &stack.damage {
        return Some(damage.message.clone());
    }
    let mut errors = stack
        .notes
        .iter()
        .filter(|note| note.severity == Severity::Error);
    let first = errors.next()?;
    let more = match errors.count() {
        0 => String::new(),
        n => format!(" ({} more in `stacklens info`)", count(n as u64)),
    };
    Some(format!("{}: {}{more}", first.place, first.message))
}

/// The keys in the passphrase file `file`.
pub(super) fn keys(file: &Path) -> Result<Arc<Keys>, Failure> {
    match Keys::default().with_passphrase_file(file) {
        Ok(keys) => Ok(Arc::new(keys)),
        Err(KeysError::Io { path, source }) => Err(LoadError::io(&path, source).into()),
        Err(error) => Err(Failure::no(error.to_string())),
    }
}

/// The input with the given keys, schemas, masks and limits.
pub(super) fn keyed(mut input: Input, console: &Console<'_>) -> Input {
    input.masking = console.masking.clone();
    input.limits = console.limits;
    let input = match &console.schemas {
        Some(schemas) => input.with_schemas(schemas),
        None => input,
    };
    match &console.keys {
        Some(keys) => input.with_keys(keys.clone()),
        None => input,
    }
}

/// The files without one that holds the schemas of providers. That one is used as with `--schema`, which is said.
pub(super) fn without_schemas(
    files: Vec<PathBuf>,
    console: &mut Console<'_>,
) -> Result<Vec<PathBuf>, Failure> {
    let (files, schemas) = schemas::apart(files)?;
    if let Some(file) = schemas {
        if console.schemas.is_some() {
            return Err(Failure::usage(format!(
                "{}: holds the schemas of providers, expected no other ones with --schema",
                file.display()
            )));
        }
        console.remark(&schemas::as_file(&file));
        console.schemas = Some(file);
    }
    Ok(files)
}

/// The rules for secrets that a file does not mark.
pub(super) fn masking(settings: &Settings) -> Result<Masking, Failure> {
    let allowed = Allowed::new(settings.allowed().iter().map(String::as_str));
    let mut masking = Masking::new(settings.mask_likely()).allowing(allowed);
    let mut texts = Vec::new();
    for file in settings.secrets() {
        let (name, text) = crate::load::rules::read(file)?;
        texts.push(text);
        masking = masking.with_names(&texts).map_err(|error| {
            Failure::no(format!("{name}: not a file of names of secrets: {error}"))
        })?;
    }
    Ok(masking)
}

/// The rules of the explorer; `None` if there are only those of this program.
pub(super) fn rules(settings: &Settings, plans: &[PathBuf]) -> Result<Option<Arc<Rules>>, Failure> {
    let added = crate::load::rules::added(rule_files(settings, plans))?;
    Ok(added.map(Arc::new))
}

/// The files that have something to say in the review of some plans.
pub(super) fn rule_files<'f>(settings: &'f Settings, plans: &'f [PathBuf]) -> Files<'f> {
    Files {
        rules: settings.rules(),
        policies: settings.policies(),
        settings: settings.file(),
        plans,
    }
}

/// `stacklens [FILE [FILE]]`: opens the explorer, or, without a terminal, prints what it would show.
pub(super) fn explore(args: &Args, console: &mut Console<'_>) -> Result<Option<Input>, Failure> {
    if let Some(failure) = args.files.first().and_then(|word| mistyped(word)) {
        return Err(failure);
    }
    let is_late = |word: &&PathBuf| !word.exists() && word.to_str().is_some_and(is_command);
    if let Some(command) = args.files.iter().skip(1).find(is_late) {
        let (command, file) = (command.display(), args.files[0].display());
        return Err(Failure::usage(format!(
            "no file is called `{command}`, and a command stands before its files: stacklens {command} {file}"
        )));
    }
    if let Some(roots) = many(args, console)? {
        args.review.refuse_many("many stacks")?;
        return Ok(Some(keyed(Input::roots(roots), console)));
    }
    let inputs = match &args.files[..] {
        [] => match here(console)? {
            Some(input) => vec![input],
            None => return Ok(None),
        },
        [folder] if folder.is_dir() => match chosen(folder, console)? {
            Some(input) => vec![input],
            None => return Ok(None),
        },
        files => {
            let files = without_schemas(files.to_vec(), console)?;
            let has_schemas_as_file = console.is_terminal && files.len() < args.files.len();
            let input = |file: &PathBuf| {
                input(file).map(|input| Input {
                    has_schemas_as_file,
                    ..input
                })
            };
            files.iter().map(input).collect::<Result<_, _>>()?
        }
    };
    let Some(input) = explore_inputs(inputs, console)? else {
        return Ok(None);
    };
    let user = || ["USER", "USERNAME"].into_iter().find_map(console.variable);
    let by = args.by.clone().or_else(user).unwrap_or_default();
    let recording = args.review.recording(by);
    if let Some(recording) = &recording {
        let read = input.paths().into_iter();
        keep_inputs(
            Some(&recording.file),
            read.chain(args.review.cost.as_deref()),
        )?;
        // A file that is no record is refused before the explorer opens.
        Record::open(&recording.file)?;
    }
    Ok(Some(Input {
        record: recording.map(Box::new),
        ..input
    }))
}

/// The places with many stacks to list in the explorer; `None` for one file, or for two to compare.
fn many(args: &Args, console: &Console<'_>) -> Result<Option<Roots>, Failure> {
    let mut roots = Roots::new(args.files.iter().cloned());
    if let Some(list) = &args.from {
        if !console.is_terminal {
            let why = "--from opens the explorer, which needs a terminal";
            return Err(Failure::usage(why));
        }
        roots.add_list(list)?;
    }
    let is_remote = |place: &PathBuf| Address::of(place).is_some();
    let is_one = |place: &PathBuf| Roots::new([place.clone()]).sole().is_some();
    let are_many = match &roots.places[..] {
        _ if args.from.is_some() => true,
        [] => false,
        // Of several files in a folder a person chooses one.
        [only] if only.is_dir() => {
            let entries = folder::list(only).unwrap_or_default();
            entries.len() != 1 || !is_one(only)
        }
        [only] => (is_archive(only) || is_remote(only)) && !is_one(only),
        [old, new] => [old, new]
            .into_iter()
            .any(|place| (place.exists() || is_remote(place)) && !is_one(place)),
        _ => true,
    };
    Ok((are_many && console.is_terminal).then_some(roots))
}

/// Refuses to write over a file that is read.
pub(super) fn keep_inputs<'p>(
    file: Option<&Path>,
    inputs: impl IntoIterator<Item = &'p Path>,
) -> Result<(), Failure> {
    let is_written = |input: &&Path| file.is_some_and(|file| output::is_same_file(file, input));
    match inputs.into_iter().find(is_written) {
        Some(input) => Err(Failure::usage(format!(
            "{}: is read, expected another file to write",
            input.display()
        ))),
        None => Ok(()),
    }
}

/// The failure for a word that is no file, but nearly the name of a command.
fn mistyped(word: &Path) -> Option<Failure> {
    let word = word
        .to_str()
        .filter(|word| *word != "-" && !Path::new(word).exists())?;
    let name = nearest_command(word)?;
    let word = escaped(word);
    Some(Failure::usage(format!(
        "no file and no command is called `{word}`; the command `{name}` is alike"
    )))
}

/// The file of `folder` to explore. If a person has to choose, prints the list of files instead.
fn chosen(folder: &Path, console: &mut Console<'_>) -> Result<Option<Input>, Failure> {
    let entries = folder::list(folder).map_err(|source| LoadError::io(folder, source))?;
    if let [only] = &entries[..] {
        return Ok(Some(Input::path(&only.path)));
    }
    if entries.is_empty() || folder::choose(&entries).is_some() {
        return input(folder).map(Some);
    }
    print_list(&entries, console)?;
    Ok(None)
}

/// Prints a line for each file of a folder, with the command that opens it.
fn print_list(entries: &[FolderFile], console: &mut Console<'_>) -> io::Result<()> {
    for entry in entries {
        let path = escaped(&entry.path.display().to_string());
        let label = escaped(&entry.label());
        let what = match entry.role {
            Role::State | Role::Other => label,
            Role::Plan => "a plan".to_owned(),
            Role::Errored => "could not be written to its backend".to_owned(),
            Role::Backup => format!("the previous copy of {label}"),
            Role::History => format!("{label} after an earlier update"),
        };
        let size = size(entry.bytes);
        writeln!(console.out, "  stacklens {path}  ({what}, {size})")?;
    }
    Ok(())
}

/// Opens the explorer on `inputs`, or, without a terminal, prints what it would show.
pub(super) fn explore_inputs(
    inputs: Vec<Input>,
    console: &mut Console<'_>,
) -> Result<Option<Input>, Failure> {
    if inputs.len() > 1 && inputs.iter().all(|input| input.origin == Origin::Stdin) {
        return Err(Failure::usage(
            "the standard input cannot be both files, expected a file beside `-`",
        ));
    }
    if console.is_terminal || inputs.len() == 2 {
        let Some(input) = inputs.into_iter().reduce(Input::pair) else {
            return Ok(None);
        };
        let input = keyed(input, console);
        if console.is_terminal {
            return Ok(Some(input));
        }
        diff::print(&input, console)?;
        return Ok(None);
    }
    for input in inputs {
        let document = load(&keyed(input, console), console)?;
        info::print(&document, console)?;
        writeln!(console.out)?;
        ls::print(&document, ls::listed(&document.stack), 0, console)?;
    }
    Ok(None)
}

/// The input in the current folder; `None` and a message if there is nothing, or too much to choose from.
fn here(console: &mut Console<'_>) -> Result<Option<Input>, Failure> {
    // A folder that cannot be listed counts as empty.
    let entries = folder::list(Path::new(".")).unwrap_or_default();
    if console.is_terminal && entries.len() > 1 {
        return Ok(Some(Input::folder(".")));
    }
    if let Some(entry) = folder::choose(&entries) {
        return Ok(Some(Input::path(&entry.path)));
    }
    console.out.write_all(WELCOME.as_bytes())?;
    if !entries.is_empty() {
        writeln!(
            console.out,
            "\nThis folder holds several; open one of them:"
        )?;
        print_list(&entries, console)?;
    }
    Ok(None)
}
