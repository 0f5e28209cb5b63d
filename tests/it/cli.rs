//! The printing commands, as a shell sees them: the output on each stream, and the exit code.

pub(crate) mod actions;
mod along;
mod beside;
mod brief;
mod causes;
mod changes;
mod check;
mod colors;
mod commands;
mod config;
mod covered;
mod damage;
mod deps;
mod edges;
mod fleet;
mod get;
mod graph;
mod inside;
mod log;
mod mechanisms;
mod mutes;
mod neighbors;
mod output;
mod pages;
mod providers;
mod pulumi_secrets;
mod relations;
mod retired;
mod rules;
mod schema;
mod secrets;
mod selectors;
mod shells;
mod shifts;
mod spellings;
mod streams;
mod twins;
#[cfg(not(feature = "remote"))]
mod urls;
mod wrong;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use stacklens::cli::{self, Console, Next};

/// A Pulumi state.
pub(crate) const SHOP: &str = "tests/corpus/pulumi-state/shop.json";
/// A Pulumi preview.
const PREVIEW: &str = "assets/demo.json";
/// A Terraform state, and the one after it.
const BEFORE: &str = "tests/corpus/tfstate/shop.tfstate";
const AFTER: &str = "tests/corpus/tfstate/shop-after.tfstate";
/// A Terraform plan.
const PLAN: &str = "tests/corpus/tfplan-json/shop.json";

pub(crate) fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// The result of a command.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

/// Runs the built program in `folder`.
fn program(folder: &Path, args: &[&str]) -> Run {
    let output = crate::built()
        .args(args)
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
        .expect("the program runs");
    Run {
        code: output.status.code().expect("an exit code"),
        out: String::from_utf8(output.stdout).expect("UTF-8"),
        err: String::from_utf8(output.stderr).expect("UTF-8"),
    }
}

/// Runs a command in this process. Paths are relative to the package.
pub(crate) fn command(args: &[&str]) -> Run {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let absolute = |arg: &&str| {
        let path = root().join(arg);
        if arg.contains('/') && path.exists() {
            path.into_os_string()
        } else {
            OsString::from(arg)
        }
    };
    let args = std::iter::once(OsString::from("stacklens")).chain(args.iter().map(absolute));
    let next = cli::run(args, &mut Console::new(&mut out, &mut err));
    Run {
        code: match next {
            Next::Exit(code) => i32::from(code),
            Next::Explore(_) => panic!("there is no terminal"),
        },
        out: String::from_utf8(out).expect("UTF-8"),
        err: String::from_utf8(err).expect("UTF-8"),
    }
}

/// The JSON that a command prints.
#[track_caller]
pub(crate) fn json(args: &[&str]) -> serde_json::Value {
    let run = command(args);
    serde_json::from_str(&run.out).unwrap_or_else(|error| panic!("{args:?}: {error}: {run:?}"))
}

#[track_caller]
fn check_get(file: &str, args: &[&str], code: i32, out: &str) {
    let args = [&["get", file], args].concat();
    let run = command(&args);
    assert_eq!(
        (run.code, run.out.as_str()),
        (code, out),
        "{args:?}: {}",
        run.err
    );
}

#[test]
fn exit_codes_tell_what_happened() {
    for (args, code) in [
        (&["--help"][..], 0),
        (&["--version"], 0),
        (&["info", SHOP], 0),
        (&["get", SHOP, "nobody"], 1),
        (&["get", SHOP, "vpc", "nowhere"], 1),
        (&["find", SHOP, "=nothing-has-this-value"], 1),
        (&["ls", SHOP, "type:nothing"], 1),
        (&["diff", PLAN, "--exit-code"], 2),
        (&["diff", PLAN], 0),
        (&["diff", BEFORE, BEFORE, "--exit-code"], 0),
        (&["diff", BEFORE, AFTER, "--exit-code"], 2),
        (&["info"], 64),
        (&["info", "--nonsense", SHOP], 64),
        (&["a", "b", "c"], 74),
        (&["get", SHOP, "vpc", "tags["], 64),
        (&["get", SHOP, "vpc", "tags.*"], 0),
        (&["get", SHOP, "vpc", "--of", "middle"], 64),
        (&["find", SHOP, "=~("], 64),
        (&["diff", SHOP], 64),
        (&["diff", SHOP, BEFORE], 64),
        (&["info", "tests/corpus/bad/empty.json"], 65),
        (&["info", "tests/corpus/bad/other.json"], 65),
        (&["info", "tests/corpus/bad/sign-in.html"], 65),
        (&["info", "tests/corpus/bad/yaml.yaml"], 65),
        (&["info", "tests/corpus/bad/escapes.txt"], 65),
        (&["info", "src"], 65),
        (&["diff", SHOP, "--format", "terraform"], 65),
        (&["info", "there/is/no/such.file"], 74),
    ] {
        let run = program(&root(), args);
        assert_eq!(run.code, code, "{args:?}: {run:?}");
        let is_error = code >= 64;
        assert!(!is_error || run.out.is_empty(), "{args:?}: {run:?}");
        if is_error {
            assert!(run.err.starts_with("stacklens: "), "{args:?}: {run:?}");
        }
    }
}

#[test]
fn errors_name_the_file_and_hold_no_escapes() {
    let folder = tempfile::tempdir().unwrap();
    let name = "a\u{1b}[31m\u{202e}.json";
    std::fs::write(folder.path().join(name), "\u{1b}[2J no state").unwrap();
    let run = program(folder.path(), &["info", name]);
    assert_eq!(run.code, 65);
    assert!(run.err.contains("a␛[31m\\u{202e}.json"), "{run:?}");
    assert!(!run.err.contains('\u{1b}') && !run.err.contains('\u{202e}'));
    let run = program(folder.path(), &["info", "no\u{1b}.json"]);
    assert_eq!(run.code, 74);
    assert!(run.err.contains("no␛.json"), "{run:?}");
    let run = program(folder.path(), &["--a\u{1b}b"]);
    assert_eq!(run.code, 64);
    assert!(!run.err.contains('\u{1b}'), "{run:?}");
}

#[test]
fn without_a_terminal_the_explorer_prints() {
    let demo = program(&root(), &["demo"]);
    assert_eq!(demo.code, 0);
    assert!(
        demo.out.starts_with("kind        pulumi-preview\n"),
        "{}",
        demo.out
    );
    assert!(demo.out.contains("::orders-db "));
    let two = program(&root(), &[BEFORE, AFTER]);
    assert_eq!(two.code, 0);
    assert_eq!(two.out, command(&["diff", BEFORE, AFTER]).out);
}

#[test]
fn a_folder_of_several_stacks_is_listed() {
    let backend = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus/backend");
    let run = program(&backend, &["."]);
    assert_eq!(run.code, 0, "{}", run.err);
    for told in [
        "(shop/dev, ",
        "(shop/prod, ",
        "(blog/dev, ",
        "the previous copy of shop/dev",
    ] {
        assert!(run.out.contains(told), "{}", run.out);
    }
    // The part of one project.
    let run = program(&backend, &[".pulumi/stacks/blog"]);
    assert!(run.out.contains("dev"), "{}", run.out);
    // A printing command asks all of them.
    let run = program(&backend, &["info", ".pulumi"]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.out.contains("\nshop/prod  "), "{}", run.out);
}

#[test]
fn the_record_of_a_backend_is_no_state() {
    let folder = tempfile::tempdir().unwrap();
    let record = folder.path().join(".terraform/terraform.tfstate");
    std::fs::create_dir(folder.path().join(".terraform")).unwrap();
    let text = r#"{"version":3,"serial":1,"lineage":"1","backend":{"type":"s3","config":{"bucket":"b"},"hash":1},
        "modules":[{"path":["root"],"outputs":{},"resources":{},"depends_on":[]}]}"#;
    std::fs::write(&record, text).unwrap();
    let run = program(folder.path(), &["info", ".terraform/terraform.tfstate"]);
    assert!(
        run.out.contains("record of its backend (s3), not a state"),
        "{}",
        run.out
    );
    // Terraform's own folder is not offered among the states.
    let run = program(folder.path(), &[".terraform"]);
    assert_eq!(run.code, 65, "{}", run.out);
}

#[test]
fn the_current_folder_is_looked_at() {
    let folder = tempfile::tempdir().unwrap();
    let run = program(folder.path(), &[]);
    assert_eq!(run.code, 0);
    assert!(run.out.contains("stacklens demo"), "{run:?}");

    let state = folder.path().join("terraform.tfstate");
    std::fs::copy(root().join(BEFORE), state).unwrap();
    let run = program(folder.path(), &[]);
    assert!(run.out.starts_with("kind        tfstate 4\n"), "{run:?}");

    let backend = tempfile::tempdir().unwrap();
    let stacks = backend.path().join(".pulumi/stacks/shop");
    std::fs::create_dir_all(&stacks).unwrap();
    std::fs::write(backend.path().join(".pulumi/meta.yaml"), "version: 1\n").unwrap();
    std::fs::copy(root().join(SHOP), stacks.join("prod.json")).unwrap();
    let run = program(backend.path(), &[]);
    assert!(run.out.starts_with("kind        pulumi-state"), "{run:?}");
    let run = program(&root(), &["info", &backend.path().to_string_lossy()]);
    assert_eq!(run.code, 0, "{run:?}");

    std::fs::copy(root().join(SHOP), stacks.join("dev.json")).unwrap();
    let run = program(backend.path(), &[]);
    assert!(
        run.out.contains("several") && run.out.contains("dev.json"),
        "{run:?}"
    );
    let run = program(&root(), &["info", &backend.path().to_string_lossy()]);
    assert_eq!(run.code, 0, "{run:?}");
    assert!(run.out.contains("\nshop/prod  "), "{run:?}");
}

#[test]
fn standard_input_is_read() {
    use std::io::Write as _;
    let mut child = crate::built()
        .args(["info", "-", "--json"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let bytes = std::fs::read(root().join(SHOP)).unwrap();
    child.stdin.take().unwrap().write_all(&bytes).unwrap();
    let output = child.wait_with_output().unwrap();
    let from_pipe: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(from_pipe, json(&["info", SHOP, "--json"]));
}

#[test]
fn the_size_limit_can_be_raised() {
    let folder = tempfile::tempdir().unwrap();
    // More than any packed file may unpack to, and more than two hundred times its size.
    let spaces = " ".repeat(80 << 20);
    let state = format!(r#"{{"version":4,"terraform_version":"1.9.0","resources":[]{spaces}}}"#);
    let packed = zstd::encode_all(state.as_bytes(), 1).unwrap();
    std::fs::write(folder.path().join("state.zst"), packed).unwrap();
    for (args, code) in [
        (&[][..], 65),
        (&["--max-size", "90M"], 0),
        (&["--max-size=1M"], 65),
        (&["--max-size=1X"], 64),
        (&["--max-size=99999999999G"], 64),
    ] {
        let run = program(folder.path(), &[&["info", "state.zst"], args].concat());
        assert_eq!(run.code, code, "{args:?}: {run:?}");
        assert!(code != 65 || run.err.contains("--max-size"), "{run:?}");
    }
}
