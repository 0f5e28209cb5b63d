//! Bombs: small files that ask for a lot of time or memory, in every list and map of every format.
//!
//! Each is opened by the real program in a process with at most 1.5 GB of address space. It must end with one of the program's
//! exit codes: no signal, no abort, no panic. The time limit is in processor time, and only detects hangs.

#![cfg(unix)]

mod make;

use std::fs;
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;

use tempfile::TempDir;

use crate::support::harness::Session;

/// Maximum address space of a command, in KiB. A sixth of it is what the command may hold: 512 MiB.
const SPACE: u64 = 3 << 20;

/// Maximum processor time of a command, in seconds. Without optimizations, linear work takes a few at most.
const TIME: u64 = 30;

/// The stack of the program's main thread, in bytes.
const STACK: usize = 8 << 20;

/// Number of entries in a list that every command is tried on.
const MANY: usize = if cfg!(debug_assertions) { 300 } else { 1_000 };

/// Number of entries in a list with which a command that compares each pair of entries never ends.
const VERY_MANY: usize = if cfg!(debug_assertions) {
    20_000
} else {
    60_000
};

/// Every kind of command. `@` is the file, `a` a resource of a Pulumi state, `lab_x.a` one of Terraform.
const COMMANDS: [&[&str]; 12] = [
    &["info", "@"],
    &["ls", "@", "--json"],
    &["find", "@", "**.a"],
    &["get", "@", "a"],
    &["get", "@", "lab_x.a"],
    &["graph", "@"],
    &["diff", "@", "--json"],
    &["diff", "@", "--markdown"],
    &["diff", "@", "--format", "terraform", "--mode", "normal"],
    &["diff", "@", "@"],
    &["check", "@"],
    &["check", "@", "--state", "@"],
];

/// The exit code and the errors of the program, run in `folder` with little memory.
#[track_caller]
fn run(folder: &Path, args: &[&str]) -> (i32, String) {
    let limited = format!("ulimit -v {SPACE} && ulimit -t {TIME} && exec \"$@\"");
    let output = crate::without_settings(Command::new("sh"))
        .args(["-c", &limited, "sh", env!("CARGO_BIN_EXE_stacklens")])
        .args(args)
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .output()
        .unwrap();
    let err = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.signal(), None, "{args:?}: {err}");
    let code = output.status.code().unwrap();
    assert!(
        matches!(code, 0 | 1 | 2 | 64 | 65),
        "{args:?}: {code}: {err}"
    );
    (code, err)
}

fn folder_with(name: &str, contents: impl AsRef<[u8]>) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join(name), contents).unwrap();
    folder
}

/// Opens a file with every command. The file has to be recognized, else the test is pointless.
#[track_caller]
fn explode(name: &str, contents: impl AsRef<[u8]>) {
    let folder = folder_with(name, contents);
    for command in COMMANDS {
        let args = command.iter().map(|it| if *it == "@" { name } else { it });
        let (_, err) = run(folder.path(), &args.collect::<Vec<_>>());
        assert!(!err.contains("of another kind"), "{name}: {err}");
    }
    explore(name, &fs::read(folder.path().join(name)).unwrap());
}

/// Walks through every view of the explorer, on a stack like that of the program. Without optimizations, that of a test is too small
/// for the deepest value.
fn explore(name: &str, contents: &[u8]) {
    thread::scope(|scope| {
        let main = thread::Builder::new().stack_size(STACK);
        let walk = main.spawn_scoped(scope, || walk(name, contents)).unwrap();
        walk.join().expect("no panic");
    });
}

fn walk(name: &str, contents: &[u8]) {
    let mut session = Session::open_bytes(name, contents, (120, 40));
    for keys in [
        "1jjzO<wait>",
        "<Tab>jjzOG",
        "2<wait>jjG",
        "<Tab>jG",
        "3jjG",
        "4jG",
        "5jG<wait>",
    ] {
        session.keys(keys);
        _ = session.text();
    }
}

#[test]
fn states_of_pulumi() {
    for (name, text) in make::states_of_pulumi(MANY) {
        explode(name, text);
    }
}

#[test]
fn runs_of_pulumi() {
    for (name, text) in make::runs_of_pulumi(MANY) {
        explode(name, text);
    }
}

#[test]
fn states_of_terraform() {
    for (name, text) in make::states_of_terraform(MANY) {
        explode(name, text);
    }
}

#[test]
fn plans_of_terraform() {
    for (name, text) in make::plans_of_terraform(MANY) {
        explode(name, text);
    }
}

#[test]
fn configurations_of_terraform() {
    for (name, text) in make::configurations(MANY) {
        explode(name, text);
    }
}

#[test]
fn plan_files() {
    for (name, bytes) in make::plan_files(MANY) {
        explode(name, bytes);
    }
}

/// A name, the generator of the file, and the command.
type Case = (&'static str, fn(usize) -> String, &'static [&'static str]);

/// Runs one command on a list so long that comparing each pair of its entries would hang.
#[test]
fn long_lists_are_read_in_linear_time() {
    let cases: [Case; 20] = [
        ("masks of keys", make::masks_of_keys, &["find", "@", "**.a"]),
        (
            "masks of elements",
            make::masks_of_elements,
            &["get", "@", "lab_x.a"],
        ),
        (
            "masks of flat keys",
            make::masks_of_flat,
            &["get", "@", "lab_x.a"],
        ),
        ("masks of a plan", make::masked_keys, &["find", "@", "**.a"]),
        ("replace_paths", make::replaced_keys, &["diff", "@"]),
        ("detailedDiff", make::detailed_of_keys, &["diff", "@"]),
        (
            "detailedDiff to nowhere",
            make::detailed_to_nowhere,
            &["diff", "@", "--json"],
        ),
        ("named elements", make::named_elements, &["brief", "@"]),
        ("causes", make::caused, &["diff", "@", "--json"]),
        (
            "drift of resources",
            make::drift_of_resources,
            &["diff", "@", "--format", "terraform"],
        ),
        (
            "drift of keys",
            make::drift_of_keys,
            &["diff", "@", "--format", "terraform"],
        ),
        ("dependencies", make::needs, &["deps", "@", "z"]),
        (
            "users of one of many",
            make::needs,
            &["deps", "@", "1", "--reverse"],
        ),
        ("pending operations", make::pending, &["graph", "@"]),
        ("replaceReasons", make::reasons, &["diff", "@"]),
        ("planned changes", make::planned_once_more, &["info", "@"]),
        ("change_summary", make::summaries, &["info", "@"]),
        (
            "sensitive variables",
            make::sensitive_variables,
            &["get", "@", "lab_x.a"],
        ),
        ("names of secrets", make::names_of_secrets, &["brief", "@"]),
        ("names of secrets", make::names_of_secrets, &["diff", "@"]),
    ];
    for (name, make, command) in cases {
        let folder = folder_with("bomb.json", make(VERY_MANY));
        let args = command
            .iter()
            .map(|it| if *it == "@" { "bomb.json" } else { it });
        let (code, err) = run(folder.path(), &args.collect::<Vec<_>>());
        // A search may find nothing, and a plan is printed without schemas.
        let mut remarks = err.lines();
        let is_fine = remarks.all(|line| line.starts_with("stacklens: without --schema"));
        assert!(matches!(code, 0 | 1) && is_fine, "{name}: {err}");
    }
}

#[test]
fn many_masked_elements_of_a_plan_file_are_read_in_linear_time() {
    let folder = folder_with("a.tfplan", make::masked_plan_file(60_000));
    let (code, err) = run(folder.path(), &["info", "a.tfplan"]);
    assert_eq!((code, &*err), (0, ""));
}

#[test]
fn a_decompression_bomb_is_an_error_that_names_the_option() {
    for (name, bytes) in make::packed() {
        let folder = folder_with(name, bytes);
        let (code, err) = run(folder.path(), &["info", name]);
        assert_eq!(code, 65, "{name}: {err}");
        assert!(
            err.contains("--max-size") || err.contains("memory"),
            "{name}: {err}"
        );
    }
}

/// The limit is the one of the program itself: half a gigabyte, and 64 bytes for each byte of the file. Files beside it that do not
/// exist, and pipes, do not raise it.
#[cfg(target_os = "linux")]
#[test]
fn a_small_file_may_not_take_gigabytes() {
    let folder = folder_with("nils.tfplan", dense());
    for script in [
        "exec \"$0\" info nils.tfplan",
        "cat nils.tfplan | \"$0\" info -",
    ] {
        let output = crate::without_settings(Command::new("sh"))
            .args(["-c", script, env!("CARGO_BIN_EXE_stacklens")])
            .current_dir(folder.path())
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let err = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(65), "{script}: {err}");
        let limit = err.split("needs more than ").nth(1);
        let limit = limit.and_then(|it| it.split(' ').next()).expect("a limit");
        let limit: u64 = limit.parse().unwrap();
        assert!((512..600).contains(&limit), "{script}: {err}");
    }
}

#[test]
fn notes_are_bounded_with_a_count_of_the_rest() {
    let n = 5_000;
    let named = |bombs: Vec<make::Bomb>, wanted: &str| {
        let mut bombs = bombs.into_iter();
        bombs.find(|(name, _)| *name == wanted).unwrap().1
    };
    let same_provider = named(make::states_of_pulumi(n), "same-provider");
    let missing = named(make::states_of_terraform(n), "missing");
    let checks = named(make::states_of_terraform(n), "checks");
    for (text, rest) in [
        (missing, "4,900 more notes on it are not listed"),
        (checks, "9,000 more notes of this severity are not listed"),
        (
            same_provider,
            "more resources break its rules and are not listed",
        ),
    ] {
        let document = crate::made::open("bomb", text);
        let notes = &document.stack.notes;
        assert!(notes.len() < 2_200, "{}", notes.len());
        let told = notes.iter().any(|note| note.message.contains(rest));
        assert!(told, "{rest}: {:?}", notes.last());
    }
}

#[test]
fn messages_beside_a_step_are_bounded_with_a_count_of_the_rest() {
    let mut bombs = make::runs_of_pulumi(5_000).into_iter();
    let (_, text) = bombs.find(|(name, _)| *name == "log-said-of-one").unwrap();
    let document = crate::made::open("log", text);
    let resource = document.resource(document.stack.ids().next().unwrap());
    let fields = resource.unwrap().fields;
    let (_, messages) = fields
        .iter()
        .find(|(name, _)| &**name == "messages")
        .unwrap();
    let messages = messages.as_array().unwrap();
    assert_eq!(messages.len(), 101);
    let last = messages.get(100).and_then(|it| it.as_str());
    assert_eq!(last, Some("not listed: 4,899 more messages"));
}

/// Pipes, devices and huge files in places where small files are expected.
#[test]
fn neighbouring_files_are_read_only_if_they_are_small() {
    let pipe = |path: PathBuf| {
        let made = Command::new("mkfifo").arg(&path).status();
        assert!(made.unwrap().success());
    };
    let huge = |path: PathBuf| {
        let file = fs::File::create(path).unwrap();
        file.set_len(1 << 40).unwrap();
    };
    let device = |path: PathBuf| std::os::unix::fs::symlink("/dev/zero", path).unwrap();
    let state = r#"{"version":4,"terraform_version":"1.9.0","resources":[]}"#;
    for put in [&pipe as &dyn Fn(PathBuf), &huge, &device] {
        let folder = folder_with("terraform.tfstate", state);
        let at = |name: &str| folder.path().join(name);
        for inner in [".terraform", ".pulumi/stacks"] {
            fs::create_dir_all(at(inner)).unwrap();
        }
        put(at(".terraform/environment"));
        put(at(".pulumi/meta.yaml"));
        put(at("terraform.schemas.json"));
        put(at("providers.json"));
        for args in [
            &["info", "terraform.tfstate"][..],
            &["check", "terraform.tfstate"],
            // Without a terminal it lists the contents of the folder.
            &["."],
            &[".pulumi"],
        ] {
            run(folder.path(), args);
        }
    }
}

/// Two key providers, each of which asks for the maximum number of rounds.
#[test]
fn rounds_of_hashing_are_bounded_over_all_providers() {
    let salt = "AAAAAAAAAAAAAAAAAAAAAA==";
    let most = stacklens::terraform::encryption::MAX_ITERATIONS;
    let rounds = [10_000, most - 1_000];
    let meta = make::many(2, |index| {
        let rounds = rounds[index];
        let inner = format!(
            r#"{{"salt":"{salt}","iterations":{rounds},"hash_function":"sha256","key_length":32}}"#
        );
        let encoded = base64::Engine::encode(&base64::engine::general_purpose::STANDARD, inner);
        format!(r#""key_provider.pbkdf2.p{index}":"{encoded}""#)
    });
    let data = "A".repeat(64);
    let text = format!(
        r#"{{"serial":1,"lineage":"x","meta":{{{meta}}},"encrypted_data":"{data}","encryption_version":"v0"}}"#
    );
    let folder = folder_with("terraform.tfstate", text);
    fs::write(folder.path().join("pass"), "a long enough passphrase").unwrap();
    let (code, err) = run(
        folder.path(),
        &["info", "terraform.tfstate", "--passphrase-file", "pass"],
    );
    assert_eq!(code, 65, "{err}");
    assert!(err.contains("iterations"), "{err}");
}

/// A small plan file whose values fill the memory.
pub(crate) fn dense() -> Vec<u8> {
    make::dense()
}
