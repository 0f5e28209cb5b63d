//! Broken files are normal input: whatever is cut off or garbled, a file is read or refused, and nothing panics.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use proptest::prelude::*;
use stacklens::load::{self, Input};

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
