//! Broken files are normal input: whatever is cut off or garbled, a file is read or refused, and nothing panics.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use proptest::prelude::*;
use stacklens::load::{self, Input};
use stacklens::stack::Severity;

use crate::made;

/// Resources that are read in whole after a file was opened.
const READ: usize = 20;

/// Files above this many bytes are left to the other tests: here each is read many times.
const MAX_BYTES: u64 = 512 * 1024;

fn files() -> &'static [(String, Vec<u8>)] {
    static FILES: OnceLock<Vec<(String, Vec<u8>)>> = OnceLock::new();
    FILES.get_or_init(|| {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut paths = Vec::new();
        for folder in ["tests/corpus", "assets", "../shared/corpus"] {
            collect(&root.join(folder), &mut paths);
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

/// Opens the bytes and reads the first and the last resources; whether anything could be shown does not matter here.
fn survive(name: &str, bytes: Vec<u8>) {
    let input = Input::Bytes {
        name: name.to_owned(),
        bytes: Arc::from(bytes),
    };
    match load::load(&input) {
        Ok(document) => {
            let ids: Vec<_> = document.stack.ids().collect();
            for id in ids.iter().take(READ).chain(ids.iter().rev().take(READ)) {
                // A resource that cannot be read is an error with words, which must print.
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

/// A state with these attributes in its one resource.
fn state(attributes: &str) -> String {
    format!(
        r#"{{"version":4,"terraform_version":"1.9.0","resources":[{{"mode":"managed","type":"a_b","name":"c",
        "provider":"provider[\"registry.terraform.io/h/a\"]","instances":[{{"schema_version":0,"attributes":{attributes}}}]}}]}}"#
    )
}

/// A deployment with these outputs in its one resource.
fn deployment(outputs: &str) -> String {
    format!(
        r#"{{"version":3,"deployment":{{"resources":[{{"urn":"urn:pulumi:s::p::a:b:C::c","type":"a:b:C","custom":true,
        "outputs":{outputs}}}]}}}}"#
    )
}

#[test]
fn what_is_odd_about_a_resource_is_told_with_it() {
    for (properties, want, remark) in [
        (
            r#"{"a":1,"a":2}"#,
            "{a: 2}",
            "a key is given twice, the last value counts",
        ),
        (
            r#"{"a":{"b":[{"c":1,"c":2}]}}"#,
            "{a: {b: [{c: 2}]}}",
            "a key is given twice, the last value counts",
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

#[test]
fn what_nests_too_deep_is_refused_with_its_place() {
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
        // Outside of the resources too.
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
fn what_is_long_and_what_is_many_is_read() {
    let long = format!(r#"{{"a":"{}"}}"#, "x".repeat(4 << 20));
    let keys: Vec<String> = (0..100_000)
        .map(|number| format!("\"k{number}\":{number}"))
        .collect();
    let many = format!("{{{}}}", keys.join(","));
    for (properties, n_paths) in [(&long, 10), (&many, 1_100)] {
        for text in [state(properties), deployment(properties)] {
            let document = made::open("test", text);
            assert_eq!(document.stack.len(), 1);
            // However many there are, the index stays small.
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
