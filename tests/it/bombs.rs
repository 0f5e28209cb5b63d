//! Bombs: small files that ask for much time or memory, in every list and map of every format.
//!
//! Each is opened by the real program, with every printing command, in a process that may take 1.5 GB of address space. It must end by
//! itself with one of its own exit codes: no signal, no abort, no panic. The time limit is only there to notice a hang.

#![cfg(unix)]

mod make;

use std::fs;
use std::io::Read as _;
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// How much address space a command may take, in KiB.
const SPACE: u64 = 1536 << 10;

/// How much time of a processor a command may take, in seconds: without optimizations what is linear takes a few.
const TIME: u64 = 30;

/// How long a command may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(600);

/// Every printing command; `@` is the file.
const COMMANDS: [&[&str]; 9] = [
    &["info", "@"],
    &["ls", "@"],
    &["find", "@", "a"],
    &["find", "@", "=x"],
    &["find", "@", "**.a"],
    &["get", "@", "a"],
    &["graph", "@"],
    &["diff", "@"],
    &["check", "@"],
];

struct Run {
    status: ExitStatus,
    err: String,
}

/// Runs the program in `folder` with little memory.
#[track_caller]
fn run(folder: &Path, args: &[&str]) -> Run {
    let mut child = Command::new("sh")
        .args([
            "-c",
            &format!("ulimit -v {SPACE} && ulimit -t {TIME} && exec \"$@\""),
            "sh",
        ])
        .arg(env!("CARGO_BIN_EXE_stacklens"))
        .args(args)
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut pipe = child.stderr.take().unwrap();
    let reader = thread::spawn(move || {
        let mut err = Vec::new();
        pipe.read_to_end(&mut err).unwrap();
        String::from_utf8_lossy(&err).into_owned()
    });
    let status = ended(&mut child, args);
    Run {
        status,
        err: reader.join().unwrap(),
    }
}

#[track_caller]
fn ended(child: &mut Child, args: &[&str]) -> ExitStatus {
    let end = Instant::now() + PATIENCE;
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return status;
        }
        if Instant::now() > end {
            let _ = child.kill();
            panic!("{args:?} never ends");
        }
        thread::sleep(Duration::from_millis(5));
    }
}

/// Opens a file with every command. Returns the exit codes.
#[track_caller]
fn explode(name: &str, contents: impl AsRef<[u8]>) -> Vec<i32> {
    let folder = folder_with(name, contents);
    let mut codes = Vec::new();
    for command in COMMANDS {
        let args: Vec<&str> = command
            .iter()
            .map(|it| if *it == "@" { name } else { it })
            .collect();
        let Run { status, err } = run(folder.path(), &args);
        let code = status.code();
        assert_eq!(status.signal(), None, "{args:?}: {err}");
        assert!(
            matches!(code, Some(0 | 1 | 2 | 64 | 65)),
            "{args:?}: {status}: {err}"
        );
        codes.extend(code);
    }
    codes
}

fn folder_with(name: &str, contents: impl AsRef<[u8]>) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join(name), contents).unwrap();
    folder
}

#[track_caller]
fn explode_all(bombs: &[(&str, fn(usize) -> String, usize)]) {
    for (name, make, n) in bombs {
        explode(name, make(*n));
    }
}

#[test]
fn states_of_pulumi() {
    explode_all(make::PULUMI_STATES);
}

#[test]
fn runs_of_pulumi() {
    explode_all(make::PULUMI_RUNS);
}

#[test]
fn states_of_terraform() {
    explode_all(make::TERRAFORM_STATES);
}

#[test]
fn plans_of_terraform() {
    explode_all(make::TERRAFORM_PLANS);
}

#[test]
fn configurations_of_terraform() {
    explode_all(make::CONFIGURATIONS);
}

#[test]
fn what_unpacks_to_far_too_much_is_an_error_that_says_what_to_do() {
    for (name, bytes) in make::packed() {
        let folder = folder_with(name, bytes);
        for command in ["info", "check"] {
            let Run { status, err } = run(folder.path(), &[command, name]);
            assert_eq!(status.code(), Some(65), "{command} {name}: {status}: {err}");
            assert!(
                err.contains("--max-size") || err.contains("memory"),
                "{err}"
            );
        }
    }
}

#[test]
fn a_plan_file_holds_no_bomb() {
    for (name, bytes) in make::plan_files() {
        explode(name, bytes);
    }
}

/// Pipes, devices and huge files in the places of small ones.
#[test]
fn what_lies_beside_is_read_only_if_it_is_a_small_file() {
    let pipe = |path: PathBuf| {
        let made = Command::new("mkfifo").arg(&path).status();
        assert!(made.unwrap().success());
    };
    let huge = |path: PathBuf| {
        let file = fs::File::create(path).unwrap();
        file.set_len(1 << 40).unwrap();
    };
    let state = r#"{"version":4,"terraform_version":"1.9.0","resources":[]}"#;
    let device = |path: PathBuf| std::os::unix::fs::symlink("/dev/zero", path).unwrap();
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
            // Without a terminal it says what the folder holds.
            &["."],
            &[".pulumi"],
        ] {
            let Run { status, err } = run(folder.path(), args);
            assert_eq!(status.signal(), None, "{args:?}: {err}");
            assert_ne!(status.code(), Some(101), "{args:?}: {err}");
        }
    }
}

/// Many key providers, each of which asks for as many rounds as one may.
#[test]
fn rounds_of_hashing_are_bounded_over_all_providers() {
    let rounds = 20_000_000;
    let salt = "AAAAAAAAAAAAAAAAAAAAAA==";
    let meta: Vec<String> = (0..50)
        .map(|index| {
            let inner = format!(
                r#"{{"salt":"{salt}","iterations":{rounds},"hash_function":"sha256","key_length":32}}"#
            );
            let encoded = base64::Engine::encode(&base64::engine::general_purpose::STANDARD, inner);
            format!(r#""key_provider.pbkdf2.p{index}":"{encoded}""#)
        })
        .collect();
    let data = "A".repeat(64);
    let text = format!(
        r#"{{"serial":1,"lineage":"x","meta":{{{}}},"encrypted_data":"{data}","encryption_version":"v0"}}"#,
        meta.join(",")
    );
    let folder = folder_with("terraform.tfstate", text);
    fs::write(folder.path().join("pass"), "a long enough passphrase").unwrap();
    let Run { status, err } = run(
        folder.path(),
        &["--passphrase-file", "pass", "info", "terraform.tfstate"],
    );
    assert_eq!(status.code(), Some(65), "{status}: {err}");
    assert!(err.contains("iterations"), "{err}");
}
