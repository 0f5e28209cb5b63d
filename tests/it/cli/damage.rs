//! Truncated or damaged files: the readable part is printed, the missing part is reported, and the exit code is 65.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use proptest::prelude::*;
use proptest::sample::Index;

use super::{AFTER, BEFORE, PLAN, Run, SHOP, command, root};
use crate::made;

/// One of our files, undamaged.
#[derive(Debug)]
struct Whole {
    name: String,
    bytes: Vec<u8>,
    /// True for a log, which may end after any line, because its run may still be in progress.
    is_log: bool,
    /// True if every byte is needed, as in an archive.
    is_packed: bool,
}

impl Whole {
    /// True if the first `end` bytes are a complete file, too.
    fn is_whole(&self, end: usize) -> bool {
        let (before, after) = self.bytes.split_at(end);
        let is_blank = |bytes: &[u8]| bytes.iter().all(u8::is_ascii_whitespace);
        if self.is_packed {
            return false;
        }
        // A line may lack its line end.
        let ends_line = before.ends_with(b"\n") || after.starts_with(b"\n");
        is_blank(after) || self.is_log && ends_line && !is_blank(before)
    }
}

fn whole_files() -> &'static [Whole] {
    static FILES: OnceLock<Vec<Whole>> = OnceLock::new();
    FILES.get_or_init(|| {
        let mut paths = Vec::new();
        collect(&root().join("tests/corpus"), &mut paths);
        paths.sort();
        let of_path = |path: PathBuf| Whole {
            is_log: path.extension().is_some_and(|it| it == "jsonl"),
            is_packed: path.extension().is_some_and(|it| it == "gz"),
            bytes: fs::read(&path).unwrap(),
            name: path.display().to_string(),
        };
        let state = fs::read_to_string(root().join(BEFORE)).unwrap();
        let packed = made::packed(&state).into_iter();
        let packed = packed.filter(|(name, _)| matches!(*name, "gzip" | "zstd"));
        let made = packed.chain([("plan", made::plan_file())]);
        let made = made.map(|(name, bytes)| Whole {
            name: name.to_owned(),
            bytes,
            is_log: false,
            is_packed: true,
        });
        let files: Vec<Whole> = paths.into_iter().map(of_path).chain(made).collect();
        let folder = tempfile::tempdir().unwrap();
        let files = files.into_iter();
        let files: Vec<Whole> = files
            .filter(|file| {
                let path = folder.path().join("whole");
                fs::write(&path, &file.bytes).unwrap();
                command(&["info", path.to_str().unwrap()]).code == 0
            })
            .collect();
        assert!(files.len() > 30, "{}", files.len());
        files
    })
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        match entry.path() {
            path if path.is_dir() => collect(&path, files),
            path => files.push(path),
        }
    }
}

/// Every printing command on `file`.
fn commands(file: &str) -> Vec<Vec<&str>> {
    let after: [&[&str]; 15] = [
        &["info"],
        &["info", "--json"],
        &["ls"],
        &["ls", "--json"],
        &["ls", "type:a*"],
        &["find", "a"],
        &["find", "=a", "--json"],
        &["get", "nobody"],
        &["deps", "nobody"],
        &["deps", "nobody", "--reverse", "--transitive"],
        &["graph"],
        &["graph", "--format", "mermaid"],
        &["diff"],
        &["diff", "--json"],
        &["check"],
    ];
    let named = after.map(|args| [&args[..1], &[file], &args[1..]].concat());
    named.into_iter().chain([vec![file]]).collect()
}

#[track_caller]
fn check_damaged(args: &[&str], run: &Run) {
    assert_eq!(run.code, 65, "{args:?}: {run:?}");
    assert!(run.err.starts_with("stacklens: "), "{args:?}: {run:?}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_beginning_of_a_file_is_never_taken_for_a_whole_one(file in any::<Index>(), end in any::<Index>()) {
        let file = file.get(whole_files());
        let end = end.index(file.bytes.len());
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("cut");
        fs::write(&path, &file.bytes[..end]).unwrap();
        for args in commands(path.to_str().unwrap()) {
            let run = command(&args);
            if file.is_whole(end) {
                prop_assert!(run.code != 65, "{} cut at {end}: {args:?}: {run:?}", file.name);
            } else {
                prop_assert!(run.code == 65, "{} cut at {end}: {args:?}: {run:?}", file.name);
                prop_assert!(run.err.starts_with("stacklens: "), "{run:?}");
            }
        }
    }
}

/// The number of the line after these bytes, from 1.
fn line_of(before: &[u8]) -> usize {
    before.split(|byte| *byte == b'\n').count()
}

/// Writes `bytes` to a file and returns its path.
fn written(folder: &tempfile::TempDir, name: &str, bytes: &[u8]) -> String {
    let path = folder.path().join(name);
    fs::write(&path, bytes).unwrap();
    path.to_str().unwrap().to_owned()
}

#[test]
fn readable_parts_are_printed_and_missing_ones_are_reported_in_one_line() {
    let cut = "tests/corpus/bad/truncated.tfstate";
    let run = command(&["ls", cut]);
    check_damaged(&["ls"], &run);
    assert!(run.out.contains("aws_db_instance.main "), "{run:?}");
    assert_eq!(run.err.lines().count(), 1, "{run:?}");
    for part in [
        "truncated.tfstate: the file is cut off at line 122, column 17 (byte 3000): ",
        "3 resources read",
    ] {
        assert!(run.err.contains(part), "{run:?}");
    }
    // The part that is there can be read.
    let run = command(&["get", cut, "aws_db_instance.main", "id"]);
    check_damaged(&["get"], &run);
    assert!(!run.out.is_empty(), "{run:?}");
    // The note in `info`.
    let run = command(&["info", cut, "--json"]);
    let info: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    let notes = info["notes"].as_array().unwrap();
    let errors: Vec<_> = notes
        .iter()
        .filter(|it| it["severity"] == "error")
        .collect();
    assert_eq!(errors.len(), 1, "{notes:?}");
    assert!(errors[0]["message"].as_str().unwrap().contains("line 122"));
}

#[test]
fn a_tail_of_zero_bytes_is_missing_contents() {
    let folder = tempfile::tempdir().unwrap();
    for file in [
        BEFORE,
        SHOP,
        PLAN,
        "tests/corpus/tf-ui-json/web-apply.jsonl",
    ] {
        let whole = fs::read(root().join(file)).unwrap();
        for end in [whole.len() / 2, whole.len() * 3 / 4, whole.len() - 3] {
            let mut bytes = whole[..end].to_vec();
            bytes.resize(whole.len() + 4096, 0);
            let path = written(&folder, "zeros", &bytes);
            let run = command(&["ls", &path]);
            check_damaged(&["ls", file], &run);
            let line = line_of(&bytes[..end]);
            assert!(
                run.err.contains(&format!("cut off at line {line}")),
                "{file} {end}: {run:?}"
            );
        }
        // After the end of the document they are not part of it.
        let path = written(&folder, "zeros", &[&whole[..], &[0; 512]].concat());
        check_damaged(&["ls", file], &command(&["ls", &path]));
    }
}

#[test]
fn trailing_data_is_damage() {
    let folder = tempfile::tempdir().unwrap();
    for file in [BEFORE, SHOP, PLAN, "assets/demo.json"] {
        let whole = fs::read(root().join(file)).unwrap();
        let lines = line_of(whole.trim_ascii_end());
        for gap in [0, 3, 200_000] {
            let blank = vec![b'\n'; gap];
            let bytes = [whole.trim_ascii_end(), &blank, b"}garbage"].concat();
            let path = written(&folder, "garbage", &bytes);
            let run = command(&["ls", &path]);
            check_damaged(&["ls", file], &run);
            let place = format!("trailing data at line {} ", lines + gap);
            assert!(run.err.contains(&place), "{file}: {run:?}");
            assert!(!run.out.is_empty());
            // Spaces alone are not damage.
            let path = written(&folder, "blank", &[&whole[..], &blank].concat());
            let run = command(&["ls", &path]);
            assert_eq!((run.code, run.err.as_str()), (0, ""), "{file}");
        }
    }
}

#[test]
fn a_compressed_file_without_its_end_is_cut_off_even_if_its_document_is_whole() {
    let folder = tempfile::tempdir().unwrap();
    let whole = fs::read_to_string(root().join(SHOP)).unwrap();
    for (name, bytes) in made::packed(&whole) {
        if !matches!(name, "gzip" | "zstd") {
            continue;
        }
        for missing in 1..12 {
            let path = written(&folder, name, &bytes[..bytes.len() - missing]);
            check_damaged(&[name], &command(&["ls", &path]));
        }
        let mut garbled = bytes.clone();
        let middle = garbled.len() / 2;
        garbled[middle..].fill(0xa5);
        let path = written(&folder, name, &garbled);
        check_damaged(&[name, "garbled"], &command(&["ls", &path]));
    }
}

#[test]
fn a_log_may_end_after_a_line_but_not_within_one() {
    let folder = tempfile::tempdir().unwrap();
    for file in ["tf-ui-json/web-apply.jsonl", "pulumi-events/web-up.jsonl"] {
        let log = fs::read_to_string(root().join("tests/corpus").join(file)).unwrap();
        let lines: Vec<&str> = log.split_inclusive('\n').collect();
        let end: usize = lines[..lines.len() - 3].iter().map(|line| line.len()).sum();
        let path = written(&folder, "log", &log.as_bytes()[..end]);
        assert_eq!(command(&["ls", &path]).code, 0, "{file}");
        let path = written(&folder, "log", &log.as_bytes()[..end + 20]);
        let run = command(&["ls", &path]);
        check_damaged(&["ls", file], &run);
        let place = format!("cut off at line {}", lines.len() - 2);
        assert!(run.err.contains(&place), "{file}: {run:?}");
        // A line that was truncated when the next one was written.
        let text = [&log[..end + 20], "\n", &log[end..]].concat();
        let path = written(&folder, "log", text.as_bytes());
        let run = command(&["ls", &path]);
        check_damaged(&["ls", file], &run);
        assert!(run.err.contains("only part of an event"), "{run:?}");
    }
}

#[test]
fn a_value_of_a_plan_file_that_cannot_be_decoded_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = written(&folder, "a.tfplan", &made::undecodable_plan_file());
    for args in [
        &["ls", &path][..],
        &["diff", &path],
        &["get", &path, "a_b.second"],
    ] {
        let run = command(args);
        check_damaged(args, &run);
        assert!(
            run.out.contains("a_b.second") || args[0] == "get",
            "{run:?}"
        );
    }
    let run = command(&["info", &path]);
    assert!(run.out.contains("a_b.first"), "{run:?}");
    assert!(
        run.out
            .contains("`after` cannot be decoded and is shown as null"),
        "{run:?}"
    );
}

#[test]
fn a_pipe_that_ends_early_is_cut_off() {
    let bytes = fs::read(root().join(SHOP)).unwrap();
    for (bytes, code) in [(&bytes[..], 0), (&bytes[..bytes.len() - 30], 65)] {
        let mut child = crate::built()
            .args(["ls", "-"])
            .stdin(std::process::Stdio::piped())
            .stdout(std::process::Stdio::piped())
            .stderr(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(bytes).unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(code));
        let err = String::from_utf8(output.stderr).unwrap();
        assert_eq!(
            err.contains("standard input: the file is cut off at line"),
            code == 65,
            "{err}"
        );
        assert!(!output.stdout.is_empty());
    }
}

/// A Terraform state, truncated before its last resource and after its outputs.
fn cut_state(file: &str) -> Vec<u8> {
    let bytes = fs::read(root().join(file)).unwrap();
    let start = |text: &[u8]| text.windows(6).rposition(|it| it == b"\"mode\"");
    let end = start(&bytes).expect("a resource");
    bytes[..end].to_vec()
}

#[test]
fn a_file_that_is_cut_off_is_not_compared() {
    let folder = tempfile::tempdir().unwrap();
    let cut = written(&folder, "cut.tfstate", &cut_state(AFTER));
    for args in [
        &["diff", BEFORE, &cut, "--exit-code"][..],
        &["diff", &cut, BEFORE],
        &["diff", BEFORE, &cut, "--json"],
        &[BEFORE, &cut],
    ] {
        let run = command(args);
        check_damaged(args, &run);
        assert_eq!(run.out, "", "{args:?}");
        for part in ["cut.tfstate", "cut off at line", "--allow-damaged"] {
            assert!(run.err.contains(part), "{args:?}: {run:?}");
        }
    }
}

#[test]
fn resources_that_may_be_in_a_missing_part_are_neither_new_nor_deleted() {
    let folder = tempfile::tempdir().unwrap();
    let cut = written(&folder, "cut.tfstate", &cut_state(BEFORE));
    for (files, fate) in [([BEFORE, &*cut], "deleted"), ([&*cut, BEFORE], "new")] {
        let args = [
            &["diff", "--allow-damaged", "--exit-code", "--json"],
            &files[..],
        ]
        .concat();
        let run = command(&args);
        check_damaged(&args, &run);
        // The resources that both files have do not differ.
        let json: serde_json::Value = serde_json::from_str(&run.out).unwrap();
        assert_eq!(json, serde_json::json!([]), "{args:?}");
        assert!(
            run.err.contains("cut.tfstate: the file is cut off"),
            "{run:?}"
        );
        let run = command(&[&["info"], &files[..1]].concat());
        assert!(!run.out.is_empty(), "{fate}");
    }
    // Without damage the option changes nothing.
    let args = ["diff", BEFORE, AFTER, "--exit-code"];
    let run = command(&[&args[..], &["--allow-damaged"]].concat());
    assert_eq!((run.code, run.out), (2, command(&args).out));
}

#[test]
fn a_check_misses_nothing_in_a_part_that_is_cut_off() {
    let folder = tempfile::tempdir().unwrap();
    let n_missing = |state: &str, code| {
        let run = command(&["check", PLAN, "--state", state, "--json"]);
        assert_eq!(run.code, code, "{run:?}");
        run.out.matches("was_present_now_absent").count()
    };
    assert!(n_missing(AFTER, 1) > 1);
    let cut = written(&folder, "cut.tfstate", &cut_state(AFTER));
    assert_eq!(n_missing(&cut, 65), 0);
}

#[test]
fn the_number_of_words_of_a_query_is_limited_with_a_place() {
    let words = |n: usize| vec!["shop"; n].join(" ");
    let (most, more) = (words(31), words(32));
    for name in ["ls", "find"] {
        assert_eq!(command(&[name, SHOP, &most]).code, 0, "{name}");
        let run = command(&[name, SHOP, &more]);
        assert_eq!(run.code, 64, "{run:?}");
        let place = format!("expected at most 31 words at column {}", 31 * 5 + 1);
        assert!(run.err.contains(&place), "{run:?}");
        // Negated terms and fields do not count.
        let others = format!("{most} {} type:*", vec!["!nothing"; 40].join(" "));
        assert_eq!(command(&[name, SHOP, &others]).code, 0, "{name}");
    }
}
