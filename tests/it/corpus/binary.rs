//! Plan files and their JSON: every command gives the same answer on both, value by value.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::Value as Json;
use stacklens::load::{self, Document, Input};

use super::Outcome;
use crate::cli::{Run, command};

/// Checks each plan file of `terraform/binary-plans`. Returns the names of those that failed.
pub(super) fn check(folder: &Path) -> Vec<String> {
    let folder = folder.join("terraform/binary-plans");
    let mut plans: Vec<_> = folder
        .read_dir()
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "tfplan")
        })
        .collect();
    plans.sort();
    let mut failed = Vec::new();
    for plan in plans {
        let name = plan.file_name().unwrap_or_default().to_string_lossy();
        super::tell(
            &format!("terraform/binary-plans/{name}"),
            || compare(&plan),
            &mut failed,
        );
    }
    failed
}

/// A plan file and its JSON, in a folder where they have the same name.
struct Pair {
    binary: String,
    json: String,
}

impl Pair {
    /// The output of both, without differences that only come from the kind of file.
    fn run(&self, args: &[&str]) -> Result<[Run; 2], String> {
        let (verb, rest) = args.split_first().expect("a command");
        let runs = [&self.binary, &self.json].map(|file| {
            let mut run = command(&[&[*verb, file], rest].concat());
            for text in [&mut run.out, &mut run.err] {
                *text = text.replace(file, "PLAN");
            }
            run
        });
        if runs[0].code == runs[1].code {
            Ok(runs)
        } else {
            Err(format!("{args:?}: {runs:?}"))
        }
    }

    fn same(&self, args: &[&str]) -> Outcome {
        let [binary, json] = self.run(args)?;
        if binary.out == json.out && binary.err == json.err {
            return Ok(());
        }
        let mut lines = json.out.lines().zip(binary.out.lines());
        let differs = lines.find(|(wanted, found)| wanted != found);
        Err(format!(
            "{args:?}: {differs:?} {:?} {:?}",
            json.err, binary.err
        ))
    }

    /// The same lines, except for the dependencies of `replace_triggered_by`: a plan file contains them with its configuration,
    /// JSON does not.
    fn same_but_replacements(&self, args: &[&str]) -> Outcome {
        let [binary, json] = self.run(args)?;
        let lines = |run: &Run| -> Vec<String> {
            let lines = run.out.lines().map(|line| line.trim_end_matches(','));
            let lines = lines.filter(|line| !matches!(*line, "[" | "]" | "[]"));
            lines.map(str::to_owned).collect()
        };
        let mut rest = lines(&json).into_iter().peekable();
        for line in lines(&binary) {
            if rest.next_if_eq(&line).is_none() && !line.contains("\"replace-with\"") {
                return Err(format!("{args:?}: {line} where JSON has {:?}", rest.peek()));
            }
        }
        match rest.next() {
            Some(line) => Err(format!("{args:?}: {line} is missing")),
            None if binary.err == json.err => Ok(()),
            None => Err(format!("{args:?}: {:?} {:?}", json.err, binary.err)),
        }
    }
}

/// Writes the configuration in a plan file to a folder, so that the lines of declarations are found for its JSON too.
fn unpack_configuration(plan: &Path, folder: &Path) -> std::io::Result<()> {
    let mut archive = zip::ZipArchive::new(std::fs::File::open(plan)?)?;
    let mut file = archive.by_name("tfconfig/m-/main.tf")?;
    let text = std::io::read_to_string(&mut file)?;
    std::fs::write(folder.join("main.tf"), text)
}

fn compare(plan: &Path) -> Outcome {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let copy = |extension: &str, name: &str| {
        let to = folder.path().join(name);
        std::fs::copy(plan.with_extension(extension), &to).map_err(|error| error.to_string())?;
        Ok::<_, String>(to.display().to_string())
    };
    copy("schemas.json", "plan.schemas.json")?;
    let pair = Pair {
        binary: copy("tfplan", "plan.tfplan")?,
        json: copy("show.json", "plan.json")?,
    };
    unpack_configuration(plan, folder.path()).map_err(|error| error.to_string())?;
    info(&pair)?;
    for args in [
        &["ls"][..],
        &["ls", "--json"],
        &["diff"],
        &["diff", "--json"],
        &["diff", "--markdown"],
        &["diff", "--exit-code"],
    ] {
        pair.same(args)?;
    }
    pair.same_but_replacements(&["graph"])?;
    let json = load::load(&Input::path(&pair.json));
    for name in names(&json.map_err(|error| error.to_string())?) {
        for of in ["before", "after"] {
            for masks in [&["--json"][..], &["--json", "--reveal"]] {
                pair.same(&[&["get", &name, "--of", of], masks].concat())?;
            }
        }
        pair.same(&["get", &name])?;
        if !name.starts_with("output.") {
            pair.same_but_replacements(&["deps", &name, "--json"])?;
        }
    }
    Ok(())
}

/// Every resource (numbered if several have the same name), and every property at the top of each.
fn names(document: &Document) -> Vec<String> {
    let stack = &document.stack;
    let identities: BTreeSet<String> = stack.ids().map(|id| stack.identity(id)).collect();
    let outputs = stack.outputs.iter();
    let outputs = outputs.map(|output| format!("output.{}", output.name));
    identities
        .into_iter()
        .flat_map(|identity| {
            let n_equal = stack.find(&identity).len();
            (1..=n_equal).map(move |number| match n_equal {
                1 => identity.clone(),
                _ => format!("{identity}#{number}"),
            })
        })
        .chain(outputs)
        .collect()
}

/// Everything in the metadata of a JSON plan is in its plan file, too. The plan file may have more.
fn info(pair: &Pair) -> Outcome {
    let [binary, json] = pair.run(&["info", "--json"])?;
    let parse =
        |run: &Run| serde_json::from_str::<Json>(&run.out).map_err(|error| error.to_string());
    let (binary, json) = (parse(&binary)?, parse(&json)?);
    for (key, wanted) in json.as_object().into_iter().flatten() {
        let found = &binary[key];
        let same = match &**key {
            "kind" | "format_version" => !found.is_null(),
            "notes" => wanted
                .as_array()
                .into_iter()
                .flatten()
                .all(|note| found.as_array().is_some_and(|found| found.contains(note))),
            _ => found == wanted,
        };
        if !same {
            return Err(format!("info {key}: expected {wanted}, found {found}"));
        }
    }
    let [binary, json] = pair.run(&["info"])?;
    for line in json.out.lines() {
        let own = ["kind ", "project "]
            .iter()
            .any(|label| line.starts_with(label));
        if !own && !binary.out.lines().any(|other| other == line) {
            return Err(format!("info: {line:?} is not told: {}", binary.out));
        }
    }
    Ok(())
}
