//! Broken files are normal input: a truncated or garbled file is read or refused, and nothing panics.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use proptest::prelude::*;
use stacklens::load::{self, Input};
use stacklens::stack::Severity;

use crate::made;

/// Number of resources that are read after a file was opened.
const READ: usize = 20;

/// Larger files are left to the other tests, because here each is read many times. In bytes.
const MAX_BYTES: u64 = 512 * 1024;

fn files() -> &'static [(String, Vec<u8>)] {
    static FILES: OnceLock<Vec<(String, Vec<u8>)>> = OnceLock::new();
    FILES.get_or_init(|| {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut paths = Vec::new();
        for folder in ["tests/corpus", "assets"] {
            collect(&root.join(folder), &mut paths);
        }
        if let Some(folder) = crate::shared_corpus("damaged files") {
            collect(&folder, &mut paths);
        }
        paths.sort();
        let state = fs::read_to_string(root.join("tests/corpus/tfstate/shop.tfstate"));
        let packed = made::packed(&state.expect("a fixture of our own"));
        let made = packed.into_iter().chain([("plan", made::plan_file())]);
        let made = made.map(|(name, bytes)| (format!("made/{name}"), bytes));
        let name = |path: &Path| {
            path.strip_prefix(root)
                .unwrap_or(path)
                .display()
                .to_string()
        };
        paths
            .iter()
            .map(|path| {
                (
                    name(path),
                    fs::read(path).expect("a file of the corpus can be read"),
                )
            })
            .chain(made)
            .collect()
    })
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder)
        .into_iter()
        .flatten()
        .filter_map(Result::ok)
    {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, files);
        } else if entry
            .metadata()
            .is_ok_and(|metadata| metadata.len() <= MAX_BYTES)
        {
            files.push(path);
        }
    }
}

/// Opens the bytes and reads the first and the last resources. The result does not matter here.
fn survive(name: &str, bytes: Vec<u8>) {
    let input = Input::bytes(name, bytes);
    match load::load(&input) {
        Ok(document) => {
            let ids: Vec<_> = document.stack.ids().collect();
            for id in ids.iter().take(READ).chain(ids.iter().rev().take(READ)) {
                // A resource that cannot be read gives an error, which must have a text.
                if let Err(error) = document.resource(*id) {
                    assert!(!error.to_string().is_empty());
                }
            }
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_prefix_is_read_or_refused(file in any::<prop::sample::Index>(), at in 0.0..1.0_f64) {
        let Some((name, bytes)) = (!files().is_empty()).then(|| file.get(files())) else { return Ok(()) };
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::cast_precision_loss, reason = "a place in a small file")]
        let cut = (bytes.len() as f64 * at) as usize;
        survive(name, bytes[..cut].to_vec());
    }

    #[test]
    fn any_garbled_byte_is_read_or_refused(file in any::<prop::sample::Index>(), at in any::<prop::sample::Index>(), byte: u8) {
        let Some((name, bytes)) = (!files().is_empty()).then(|| file.get(files())) else { return Ok(()) };
        let mut bytes = bytes.clone();
        if !bytes.is_empty() {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        survive(name, bytes);
    }
}

/// A state with one resource that has these attributes.
fn state(attributes: &str) -> String {
    format!(
        r#"{{"version":4,"terraform_version":"1.9.0","resources":[{{"mode":"managed","type":"a_b","name":"c",
        "provider":"provider[\"registry.terraform.io/h/a\"]","instances":[{{"schema_version":0,"attributes":{attributes}}}]}}]}}"#
    )
}

/// A deployment with one resource that has these outputs.
fn deployment(outputs: &str) -> String {
    format!(
        r#"{{"version":3,"deployment":{{"resources":[{{"urn":"urn:pulumi:s::p::a:b:C::c","type":"a:b:C","custom":true,
        "outputs":{outputs}}}]}}}}"#
    )
}

#[test]
fn oddities_of_a_resource_are_noted_with_it() {
    for (properties, want, remark) in [
        (
            r#"{"a":1,"a":2}"#,
            "{a: 2}",
            "a key occurs twice; the last value is used",
        ),
        (
            r#"{"a":{"b":[{"c":1,"c":2}]}}"#,
            "{a: {b: [{c: 2}]}}",
            "a key occurs twice; the last value is used",
        ),
        (
            r#"{"a":"\ud800"}"#,
            "",
            "a string holds half of a surrogate pair",
        ),
    ] {
        for text in [state(properties), deployment(properties)] {
            let document = made::open("test", text);
            let resource = document
                .resource(document.stack.ids().next().unwrap())
                .unwrap();
            let outputs = resource.after.unwrap().outputs.unwrap();
            assert!(want.is_empty() || outputs.to_string() == want, "{outputs}");
            let told = resource
                .fields
                .iter()
                .find(|(name, _)| &**name == "odd JSON");
            let told = told.map(|(_, value)| value.to_string()).unwrap_or_default();
            assert!(told.contains(remark), "{properties}: {told}");
        }
    }
}

/// A plan with this change of its only resource.
fn plan(change: &str) -> String {
    format!(
        r#"{{"format_version":"1.2","resource_changes":[{{"address":"a_b.c","mode":"managed","type":"a_b","name":"c",
        "change":{{"actions":["create"],"before":null,{change}}}}}]}}"#
    )
}

/// The notes on the only resource of a file, each with its place.
#[track_caller]
fn notes_on_the_resource(text: &str) -> Vec<String> {
    let document = made::open("test", text);
    assert_eq!(document.stack.len(), 1, "{text}");
    let id = document.stack.ids().next().unwrap();
    let name = document.stack.identity(id);
    let notes = document.stack.notes.iter();
    let notes = notes.filter(|note| note.resource == Some(id));
    notes
        .map(|note| {
            assert_eq!(note.place, name);
            assert_eq!(note.severity, Severity::Warning);
            note.message.clone()
        })
        .collect()
}

const TWICE: &str = "a key occurs twice; the last value is used";

#[test]
fn oddities_of_a_resource_are_noted_as_soon_as_the_file_is_read() {
    let half = "a string holds half of a surrogate pair";
    // Next to keys that only look alike.
    let plain = [
        r#"{"a":{"x":1},"b":{"x":1},"x":[{"x":1},{"x":2},{"y":{"x":1}}]}"#.to_owned(),
        r#"{"a":"\ud83d\ude00","b":"\\ud800","c":1e99,"d":-0.5E-99}"#.to_owned(),
        format!("{{{}}}", numbered(0..3_000)),
    ];
    for properties in &plain {
        for text in [state(properties), deployment(properties)] {
            assert_eq!(notes_on_the_resource(&text), [""; 0], "{properties}");
        }
    }
    let odd = [
        (r#"{"a":1,"a":2}"#.to_owned(), TWICE),
        (r#"{"a":1,"b":2,"\u0061":3}"#.to_owned(), TWICE),
        (r#"{"a":[{"x":1},{"x":1,"y":[],"x":2}]}"#.to_owned(), TWICE),
        (format!("{{{},\"k7\":0}}", numbered(0..3_000)), TWICE),
        (format!("{{{},\"k2999\":0}}", numbered(0..3_000)), TWICE),
        (r#"{"a":"\ud800"}"#.to_owned(), half),
        (r#"{"\udc00":1}"#.to_owned(), half),
        (r#"{"a":["\udc00\ud800"]}"#.to_owned(), half),
    ];
    for (properties, remark) in &odd {
        for text in [state(properties), deployment(properties)] {
            let notes = notes_on_the_resource(&text);
            assert!(notes[0].starts_with(remark), "{properties}: {notes:?}");
        }
    }
    let huge = r#"{"a":1e999999999}"#;
    let exact = "a number is outside the range of Terraform numbers";
    let double = "a number exceeds the range of a double and is read as infinity";
    assert!(notes_on_the_resource(&state(huge))[0].starts_with(exact));
    assert!(notes_on_the_resource(&deployment(huge))[0].starts_with(double));
    let beyond = r#"{"a":1e-99999999999999999999}"#;
    let notes = notes_on_the_resource(&state(beyond));
    assert!(notes[0].starts_with("a number has too large an exponent"));
}

/// The entries `"k0":0`, `"k1":1`, ….
fn numbered(numbers: std::ops::Range<u32>) -> String {
    let entries: Vec<_> = numbers
        .map(|number| format!("\"k{number}\":{number}"))
        .collect();
    entries.join(",")
}

#[test]
fn repeated_keys_are_noted_at_any_depth() {
    let secret = r#""4dabf18193072939515e22adb298388d":"1b47061264138c4ac30d75fd1eb44270""#;
    for text in [
        // Among the fields of a resource: unused ones, and ones that follow many others.
        deployment("{}").replace("\"custom\":true", "\"custom\":false,\"custom\":true"),
        deployment("{}").replace(
            "\"outputs\"",
            r#""customTimeouts":{"create":1,"create":2},"outputs""#,
        ),
        deployment("{}").replace(
            "\"outputs\"",
            r#""propertyDependencies":{"a":[],"a":[]},"outputs""#,
        ),
        deployment("{}").replace(
            "\"outputs\"",
            &format!("{},\"k3\":0,\"outputs\"", numbered(0..50)),
        ),
        // In a form that represents another value.
        deployment(&format!(
            r#"{{"a":{{{secret},"ciphertext":"x","ciphertext":"y"}}}}"#
        )),
        state(r#"{"a":{"value":{"b":1,"b":2},"type":["object",{"b":"number"}]}}"#),
        // In masks.
        plan(r#""after":{"a":1},"after_sensitive":{"a":true,"a":false}"#),
        plan(r#""after":{"a":1},"after_unknown":{"z":{"b":true,"b":false}}"#),
        plan(r#""after":{"a":1},"after":{"a":2}"#),
    ] {
        let notes = notes_on_the_resource(&text);
        assert!(notes[0].starts_with(TWICE), "{text}: {notes:?}");
    }
    // In an old state and in a log, which are converted, and in the list of resources itself.
    for (text, want) in [
        (
            r#"{"version":3,"modules":[{"path":["root"],"path":["root"],"resources":{}}]}"#,
            TWICE,
        ),
        (
            "{\"@level\":\"info\",\"@level\":\"info\",\"@message\":\"\",\"type\":\"version\"}\n",
            TWICE,
        ),
        (
            r#"{"version":4,"serial":1,"resources":[],"resources":[]}"#,
            "`resources` occurs twice; both are shown",
        ),
    ] {
        let document = made::open("test", text);
        let mut notes = document.stack.notes.iter();
        assert!(notes.any(|note| note.message == want), "{text}");
    }
}

#[test]
fn different_keys_that_lead_to_elements_are_not_repeated() {
    // Every section of a provider leads to the same place, and every provider.
    let sections: Vec<String> = (0..200)
        .map(|n| format!(r#""s{n}_schemas":{{"t":{{}}}}"#))
        .collect();
    let sections = sections.join(",");
    let schemas = |sections: &str| {
        format!(
            r#"{{"format_version":"1.0","provider_schemas":{{"r.io/h/a":{{{sections}}},"r.io/h/b":{{{sections}}}}}}}"#
        )
    };
    for (text, want) in [
        (schemas(&sections), None),
        (
            schemas(&format!(r#"{sections},"s7_schemas":{{}}"#)),
            Some("`s7_schemas` occurs twice; both are shown"),
        ),
    ] {
        let document = made::open("test", text);
        let mut notes = document.stack.notes.iter();
        let found = notes.find(|note| note.message.contains("twice"));
        assert_eq!(found.map(|note| &*note.message), want);
    }
}

#[test]
fn notes_that_say_the_same_of_many_resources_are_counted() {
    let one = r#"{"urn":"urn:pulumi:s::p::a:b:C::c","type":"a:b:C","custom":true,"delete":true,"x":1,"x":2}"#;
    let text = format!(
        r#"{{"version":3,"deployment":{{"resources":[{}]}}}}"#,
        vec![one; 1_500].join(",")
    );
    let document = made::open("test", text);
    let notes = &document.stack.notes;
    let n_told = notes
        .iter()
        .filter(|note| note.message.starts_with(TWICE))
        .count();
    assert_eq!(n_told, 1_000);
    let left_out = "500 more notes of this severity are not listed";
    assert!(notes.iter().any(|note| note.message == left_out));
}

#[test]
fn modules_are_followed_a_hundred_deep() {
    let module = |depth: u32| -> String {
        let steps: Vec<_> = (0..depth)
            .map(|number| format!("module.m{number}"))
            .collect();
        steps.join(".")
    };
    for (depth, n_groups, is_noted) in [(100, 100, false), (101, 100, true), (20_000, 100, true)] {
        let text = state("{}").replace(
            "\"mode\"",
            &format!("\"module\":\"{}\",\"mode\"", module(depth)),
        );
        let document = made::open("test", text);
        let stack = &document.stack;
        assert_eq!(stack.tables.groups.len(), n_groups, "{depth}");
        let id = stack.ids().next().unwrap();
        assert!(stack.identity(id).starts_with(&module(depth)));
        let noted = stack
            .notes
            .iter()
            .any(|note| note.message.starts_with("modules nest more than 100 deep"));
        assert_eq!(noted, is_noted, "{depth}");
    }
}

#[test]
fn a_plan_in_an_archive_may_be_as_big_as_one_allows() {
    let input = Input::bytes("plan", made::plan_file());
    assert!(load::load(&input).is_ok());
    let error = load::load_limited(&input, load::Limits::up_to(64))
        .err()
        .unwrap();
    assert_eq!(
        error.to_string(),
        "plan: more than 64 bytes; --max-size allows more"
    );
    let packed = made::plan_file_with(&b" ".repeat(1 << 20));
    let limits = load::Limits::up_to(1 << 18);
    let input = Input::bytes("plan", packed);
    let error = load::load_limited(&input, limits)
        .err()
        .unwrap()
        .to_string();
    assert_eq!(
        error,
        "plan: this is a zip archive whose `tfplan` has more than 256 KiB; --max-size allows more"
    );
    // The contents are not a plan, but now they are read.
    let error = load::load_limited(&input, load::Limits::up_to(1 << 21))
        .err()
        .unwrap();
    assert!(!error.to_string().contains("--max-size"), "{error}");
}

#[test]
fn deep_nesting_is_refused_with_its_position() {
    for n in [1_001, 100_000] {
        for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
            let deep = format!("{{\"a\":{}1{}}}", open.repeat(n), close.repeat(n));
            for text in [state(&deep), deployment(&deep)] {
                let document = made::open("test", text);
                let notes = document.stack.notes.iter();
                let mut errors = notes.filter(|note| note.severity == Severity::Error);
                let told = errors.next().expect("a note");
                assert!(
                    told.message.contains("1,000 levels of nesting"),
                    "{}",
                    told.message
                );
            }
        }
        // Also outside resources.
        let deep = format!(
            r#"{{"version":4,"terraform_version":"1.9.0","x":{}1{},"resources":[]}}"#,
            "[".repeat(n),
            "]".repeat(n)
        );
        let document = made::open("test", deep);
        assert!(
            document
                .stack
                .notes
                .iter()
                .any(|note| note.message.contains("1,000 levels of nesting"))
        );
    }
}

#[test]
fn unreadable_resources_are_noted_before_they_are_opened() {
    for n in 985..1_005 {
        let deep = format!("{{\"a\":{}1{}}}", "[".repeat(n), "]".repeat(n));
        let after = format!("\"after\":{deep}");
        for text in [state(&deep), deployment(&deep), plan(&after)] {
            let document = made::open("test", text);
            let id = document.stack.ids().next().unwrap();
            let mut notes = document.stack.notes.iter();
            let is_noted = notes.any(|note| note.severity == Severity::Error);
            assert!(is_noted || document.resource(id).is_ok(), "{n}");
        }
    }
}

#[test]
fn long_strings_and_long_lists_are_read() {
    let long = format!(r#"{{"a":"{}"}}"#, "x".repeat(4 << 20));
    let keys: Vec<String> = (0..100_000)
        .map(|number| format!("\"k{number}\":{number}"))
        .collect();
    let many = format!("{{{}}}", keys.join(","));
    for (properties, n_paths) in [(&long, 10), (&many, 1_100)] {
        for text in [state(properties), deployment(properties)] {
            let document = made::open("test", text);
            assert_eq!(document.stack.len(), 1);
            // The index stays small, whatever their number.
            assert!(document.stack.tables.paths.len() <= n_paths);
            let resource = document
                .resource(document.stack.ids().next().unwrap())
                .unwrap();
            let outputs = resource.after.unwrap().outputs.unwrap();
            let outputs = outputs.as_map().unwrap();
            assert!(
                outputs
                    .get("a")
                    .is_some_and(|a| a.as_str().is_some_and(|a| a.len() == 4 << 20))
                    || outputs.len() == 100_000
            );
        }
    }
}

#[test]
fn numbers_beyond_all_doubles_stay_exact_or_become_infinite() {
    let numbers = r#"{"a":1e999999999,"b":-1e-999999999,"c":9007199254740993}"#;
    let outputs = |text: String| {
        let document = made::open("test", text);
        let resource = document
            .resource(document.stack.ids().next().unwrap())
            .unwrap();
        resource.after.unwrap().outputs.unwrap().to_string()
    };
    assert_eq!(
        outputs(state(numbers)),
        "{a: 1e999999999, b: -1e-999999999, c: 9007199254740993}"
    );
    assert_eq!(
        outputs(deployment(numbers)),
        "{a: Infinity, b: -0, c: 9007199254740992}"
    );
}
