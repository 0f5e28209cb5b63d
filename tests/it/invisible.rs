//! Characters that hide, reorder text or steer a terminal: none reaches an output or a screen unescaped, from any text of a file.
//! Emoji that draw stay.

use std::path::{Path, PathBuf};

use regex::Regex;
use serde_json::Value;

use crate::cli::command;
use crate::markup::spoilt;
use crate::screens::harness::Session;

/// The ends of each range of such characters, by Unicode's properties. C0 first, which includes `\n` and `\t`.
fn characters() -> Vec<char> {
    let hidden = hidden();
    let is_hidden = |char: char| hidden.is_match(char.encode_utf8(&mut [0; 4]));
    let all: Vec<char> = ('\0'..=char::MAX).filter(|char| is_hidden(*char)).collect();
    let is_end = |index: usize| {
        let code = |index: usize| all.get(index).map(|char| u32::from(*char));
        let here = code(index);
        index
            .checked_sub(1)
            .is_none_or(|before| code(before).map(|code| code + 1) != here)
            || here.map(|code| code + 1) != code(index + 1)
    };
    let ends = (0..all.len()).filter(|index| is_end(*index));
    ends.map(|index| all[index])
        .chain(['\t', '\n', '\r', '\u{1b}', '\u{9b}'])
        .collect()
}

/// Independent of the list in the program.
fn hidden() -> Regex {
    Regex::new(r"[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\p{Cc}\p{Zl}\p{Zp}]").unwrap()
}

/// An emoji that contains such a character and draws.
const EMOJI: &str = "\u{2764}\u{fe0f}";

/// A word that contains each of the characters.
fn hostile(characters: &[char]) -> String {
    let mut word = format!("zq{EMOJI}");
    for char in characters {
        word.push(*char);
        word.push('x');
    }
    word
}

#[track_caller]
fn check(text: &str, what: &dyn Fn() -> String, hidden: &Regex) {
    // Line breaks and columns stay as they are.
    let plain = text.replace(EMOJI, "").replace(['\n', '\t'], "");
    if let Some(found) = hidden.find(&plain) {
        let from = plain[..found.start()].char_indices().rev().nth(40);
        let around = &plain[from.map_or(0, |(at, _)| at)..found.end()];
        panic!("{}: {around:?}", what());
    }
}

/// The files in which every text is replaced: all kinds with texts that only they have.
const FILES: &[&str] = &[
    "tests/corpus/pulumi-state/shop.json",
    "tests/corpus/tfstate/shop.tfstate",
    "tests/corpus/tfplan-json/shop.json",
    "tests/corpus/pulumi-events/shop-replace.jsonl",
    "assets/demo.json",
];

fn spoil(file: &str, word: &str) -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
    // The JSON parser of the tests has no such number.
    let text = std::fs::read_to_string(path).unwrap().replace("1e400", "1");
    let documents = serde_json::Deserializer::from_str(&text).into_iter::<Value>();
    let documents: Vec<Value> = documents.map(Result::unwrap).collect();
    let lines = documents
        .iter()
        .map(|document| spoilt(document, word, false).to_string());
    lines.collect::<Vec<_>>().join("\n").into_bytes()
}

/// A file with a name that is as hostile as its texts.
fn written(folder: &Path, file: &str, word: &str) -> PathBuf {
    let extension = file.rsplit('.').next().unwrap();
    let name = "a\u{1b}[31m\u{202e}\u{200b}\n\u{9b}\u{ad}b";
    let path = folder.join(format!("{name}.{extension}"));
    std::fs::write(&path, spoil(file, word)).unwrap();
    path
}

#[test]
fn no_command_prints_a_character_that_hides() {
    let (hidden, word) = (hidden(), hostile(&characters()));
    let folder = tempfile::tempdir().unwrap();
    for file in FILES {
        let path = written(folder.path(), file, &word);
        let path = path.to_str().unwrap();
        let run = |args: &[&str]| {
            let run = command(args);
            for text in [&run.out, &run.err] {
                check(text, &|| format!("{file}: {args:?}"), &hidden);
            }
            run
        };
        let listed = run(&["ls", path, "--json"]);
        let listed: Vec<Value> = serde_json::from_str(&listed.out).unwrap();
        assert!(!listed.is_empty(), "{file}");
        assert!(run(&["ls", path]).out.contains(EMOJI), "{file}");
        for args in [
            &["info", path][..],
            &["info", path, "--json"],
            &["find", path, "**"],
            &["find", path, "**", "--json"],
            &["find", path, &word],
            &["find", path, &format!("=~({word}")],
            &["ls", path, &format!("no:{word}")],
            &["graph", path],
            &["graph", path, "--format", "mermaid"],
            &["diff", path],
            &["diff", path, "--json"],
            &["diff", path, "--markdown"],
            &["brief", path],
            &["brief", path, "--json"],
            &["brief", path, "--markdown"],
            &["brief", path, "--html", "-"],
            &["brief", path, "--sarif"],
            &["diff", path, "--format", "terraform"],
            &["check", path],
            &["check", path, "--json"],
            &["get", path, &word],
            &["deps", path, &word],
            &["info", &format!("{path}{word}").replace('\0', "")],
            &[path],
        ] {
            run(args);
        }
        for row in listed.iter().take(4) {
            let name = row["address"].as_str().or(row["urn"].as_str()).unwrap();
            run(&["get", path, name]);
            run(&["get", path, name, "--json"]);
            run(&["get", path, name, &format!("no[\"{}\"]", "a\u{202e}b")]);
            run(&["deps", path, name]);
            run(&["deps", path, name, "--reverse", "--transitive", "--json"]);
        }
        // Nor the messages about a file that cannot be read.
        std::fs::write(path, format!("{{\"version\": 4, {word}")).unwrap();
        run(&["info", path]);
        run(&["ls", path]);
    }
}

#[test]
fn no_screen_has_a_character_that_hides() {
    let (hidden, word) = (hidden(), hostile(&characters()));
    let folder = tempfile::tempdir().unwrap();
    for file in FILES {
        let mut session = Session::open_path(written(folder.path(), file, &word), (100, 30));
        let mut trail = String::new();
        for keys in [
            "<wait>",
            "1zR",
            "jjj",
            "<Tab>",
            "jj",
            "o",
            "<Esc>",
            "y",
            "<Esc>",
            "2",
            "<Tab>",
            ".",
            "|",
            "w",
            "jjj",
            "r",
            "<Esc><Esc>",
            "3zR",
            "4",
            "d",
            "u",
            "gi",
            "<Esc>",
            "5<wait>",
            "jj",
            "<Enter>",
            "<Esc>",
            "1/zq<wait>",
            "<Enter>",
            "<Esc>",
            "gu",
            "<Esc>",
            ":",
            "<Esc>",
            "S<wait>",
            "<Esc>",
            "?",
        ] {
            session.keys(keys);
            trail.push_str(keys);
            check(&session.text(), &|| format!("{file}: {trail}"), &hidden);
        }
    }
}
