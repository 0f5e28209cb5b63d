//! The printing commands, run on files.

use std::ffi::OsString;
use std::path::Path;

use stacklens::cli::{self, Console, Next};
use stacklens::json::{self, Numbers};
use stacklens::value::Value;

/// Number of resources of a file that are printed one by one.
const N_NAMES: usize = 4;

/// The exit codes of the command line.
const CODES: [u8; 8] = [
    0,
    cli::EXIT_NO,
    cli::EXIT_CHANGES,
    cli::EXIT_FOUND,
    cli::EXIT_UNJUDGED,
    cli::EXIT_USAGE,
    cli::EXIT_DATA,
    cli::EXIT_IO,
];

/// A command and its output.
pub struct Printed {
    /// The arguments, without the name of the program.
    pub args: Vec<String>,
    /// The exit code.
    pub code: u8,
    /// The standard output.
    pub out: String,
    /// The standard error.
    pub err: String,
}

/// Runs every command on a file with these bytes, and compares it with a part of it.
pub(super) fn run(bytes: &[u8]) {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let [file, part] = ["file", "part"].map(|name| folder.path().join(name));
    std::fs::write(&file, bytes).expect("a temporary file can be written");
    std::fs::write(&part, &bytes[..bytes.len() * 2 / 3]).expect("a temporary file can be written");
    print(&file, &part);
}

/// Runs every command on `file`, and those that compare on both. Fails if a command breaks a law of all commands.
pub fn print(file: &Path, other: &Path) -> Vec<Printed> {
    let [file, other] = [file, other].map(|path| path.to_str().expect("a path that is text"));
    let mut printed: Vec<Printed> = [
        &["info", file][..],
        &["info", file, "--json"],
        &["ls", file],
        &["ls", file, "--json"],
        &["ls", file, "is:secret,drifted"],
        &["find", file, "**"],
        &["find", file, "**", "--json"],
        &["find", file, "type:*", "=~."],
        &["graph", file],
        &["graph", file, "--format", "mermaid"],
        &["diff", file],
        &["diff", file, "--json"],
        &["diff", file, "--markdown"],
        &["brief", file, "--json"],
        &["brief", file, "--markdown"],
        &["brief", file, "--html", "-"],
        &[
            "brief",
            file,
            "--sarif",
            "--fail-on",
            "danger,drift,unknown-access",
        ],
        &["diff", file, "--format", "terraform"],
        &["diff", file, other, "--exit-code"],
        &["diff", file, other, "--json", "--allow-damaged"],
        &["diff", other, file, "--markdown", "--allow-damaged"],
        &["check", file],
        &["check", file, "--json", "--state", other],
        &[file],
    ]
    .into_iter()
    .map(one)
    .collect();
    let listed = printed
        .iter()
        .find(|it| it.args.len() == 3 && it.args[0] == "ls");
    for name in listed.map(|it| names(&it.out)).unwrap_or_default() {
        let name = name.as_str();
        printed.extend(
            [
                &["get", file, name][..],
                &["get", file, name, "--json"],
                &["get", file, name, "--of", "before", "--json"],
                &["get", file, name, "**.a", "--of", "after.inputs"],
                &["get", file, name, "**", "--json"],
                &["get", file, name, "--set", "a.b=[1]", "--delete", "a"],
                &["deps", file, name],
                &["deps", file, name, "--reverse", "--transitive", "--json"],
            ]
            .map(one),
        );
    }
    printed
}

/// The names of the first resources that `ls --json` printed.
fn names(list: &str) -> Vec<String> {
    let Ok(parsed) = json::parse(list.as_bytes(), Numbers::Exact) else {
        return Vec::new();
    };
    let name = |resource: &Value| {
        let resource = resource.as_map()?;
        let name = resource.get("address").or_else(|| resource.get("urn"))?;
        // A name that begins like an option is parsed as an option.
        name.as_str()
            .filter(|name| !name.starts_with('-'))
            .map(str::to_owned)
    };
    let list = parsed.value.as_array().into_iter().flatten();
    list.filter_map(name).take(N_NAMES).collect()
}

fn one(args: &[&str]) -> Printed {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let whole = std::iter::once("stacklens").chain(args.iter().copied());
    let next = cli::run(
        whole.map(OsString::from),
        &mut Console::new(&mut out, &mut err),
    );
    let Next::Exit(code) = next else {
        panic!("{args:?} opens the explorer without a terminal");
    };
    let printed = Printed {
        args: args.iter().map(|&arg| arg.to_owned()).collect(),
        code,
        out: String::from_utf8(out).expect("commands print UTF-8"),
        err: String::from_utf8(err).expect("commands print UTF-8"),
    };
    printed.check();
    printed
}

impl Printed {
    /// Fails if the command broke a law of all commands.
    fn check(&self) {
        let Self {
            args,
            code,
            out,
            err,
        } = self;
        assert!(CODES.contains(code), "{args:?} exits with {code}");
        assert!(
            *code < cli::EXIT_USAGE || !err.is_empty(),
            "{args:?} exits with {code} silently"
        );
        for text in [out, err] {
            let found = text.chars().find(|char| is_control(*char));
            assert!(found.is_none(), "{args:?} prints {found:?} raw");
        }
        if args.iter().any(|arg| arg == "--json") && !out.is_empty() {
            let parsed = json::parse(out.as_bytes(), Numbers::Exact);
            assert!(parsed.is_ok(), "{args:?} prints no JSON: {out}");
        }
    }
}

/// True for characters that move a cursor, change a terminal or turn text around; false for line breaks.
pub fn is_control(char: char) -> bool {
    let turns =
        matches!(char, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    turns || char.is_control() && char != '\n'
}
