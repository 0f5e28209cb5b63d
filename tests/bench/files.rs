//! Files of many megabytes on a disk: comparing two of them, and finding a rare value in one.
//!
//! Budgets, on two threads and with the files in the page cache: comparing two states 1.3 times what indexing both takes, which
//! is measured beside it; a rare value 60 ms for each GB.

#[path = "../support/lib.rs"]
mod support;

use std::fmt::Write as _;
use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::PathBuf;

use divan::{Bencher, black_box};
use stacklens::load::{self, Document, Input};
use stacklens::search::{Facts, Index, LIMIT, Query, SearchResult, run};
use support::stacks::Random;
use tempfile::TempDir;

/// Number of resources in a file.
const N_RESOURCES: u32 = 100_000;

/// A text in one resource only.
const NEEDLE: &str = "needle-7f3a";

fn main() {
    divan::main();
}

/// A state with random names and values, about 110 MB; every `changed`th resource differs, unless `changed` is 0.
fn state(folder: &TempDir, name: &str, changed: u32) -> Option<PathBuf> {
    let path = folder.path().join(name);
    let mut file = BufWriter::new(File::create(&path).ok()?);
    let mut random = Random(11);
    file.write_all(b"{\"version\":3,\"deployment\":{\"manifest\":{},\"resources\":[\n")
        .ok()?;
    let mut text = String::new();
    for number in 0..N_RESOURCES {
        text.clear();
        let id = random.below(1 << 30);
        let _ = write!(
            text,
            r#"{{"urn":"urn:pulumi:prod::net::aws:s3/bucket:Bucket::bucket-{number}-{id:x}","type":"aws:s3/bucket:Bucket",
            "custom":true,"id":"b-{id:x}","outputs":{{"arn":"arn:aws:s3:::{id:x}","tags":{{"#
        );
        for tag in 0..24 {
            let value = random.below(1 << 30);
            let _ = write!(text, r#""key{tag}":"value-{value:x}-{value:o}","#);
        }
        let version = u32::from(changed > 0 && number % changed == 0);
        let rare = if number == N_RESOURCES / 2 {
            NEEDLE
        } else {
            ""
        };
        let comma = if number + 1 < N_RESOURCES { "," } else { "" };
        let _ = writeln!(text, r#""rare":"{rare}"}},"version":{version}}}}}{comma}"#);
        file.write_all(text.as_bytes()).ok()?;
    }
    file.write_all(b"]}}\n").ok()?;
    file.flush().ok()?;
    Some(path)
}

fn n_resources(input: &Input) -> usize {
    load::load(input).map_or(0, |document| document.stack.len())
}

/// Two files of which the second has changes in every `changed`th resource.
fn two_states(changed: u32) -> Option<(TempDir, Input, Input)> {
    let folder = tempfile::tempdir().ok()?;
    let old = state(&folder, "old.json", 0)?;
    let new = state(&folder, "new.json", changed)?;
    Some((folder, Input::path(old), Input::path(new)))
}

/// The baseline for the comparisons.
#[divan::bench(sample_count = 5)]
fn index_two_states(bencher: Bencher<'_, '_>) {
    let Some((_folder, old, new)) = two_states(1000) else {
        return;
    };
    bencher.bench_local(|| n_resources(black_box(&old)) + n_resources(black_box(&new)));
}

/// Budget: 1.3 times [`index_two_states`], with one change in a thousand resources. One in ten has no budget.
#[divan::bench(args = [1000, 10], sample_count = 5)]
fn compare_two_states(bencher: Bencher<'_, '_>, changed: u32) {
    let Some((_folder, old, new)) = two_states(changed) else {
        return;
    };
    let pair = Input::pair(old, new);
    bencher.bench_local(|| n_resources(black_box(&pair)));
}

fn find(document: &Document, index: &Index, query: &Query) -> SearchResult {
    let facts = Facts::default();
    run(
        index,
        query,
        None,
        &facts,
        Some(document),
        LIMIT,
        &mut |_, _| true,
    )
    .unwrap_or_default()
}

/// Budget: 6.6 ms, which is 60 ms for each GB, from the key to the whole answer, at most 4 MB in use. `A/b` may be written in
/// several ways.
#[divan::bench(args = ["=needle-7f3a", "=needle/7f3a", "=needle-7f3a type:aws:s3/*"], sample_count = 20)]
fn rare_value(bencher: Bencher<'_, '_>, text: &str) {
    let found = tempfile::tempdir()
        .ok()
        .and_then(|folder| Some((state(&folder, "state.json", 0)?, folder)));
    let Some((path, _folder)) = found else {
        return;
    };
    let Ok(document) = load::load(&Input::path(path)) else {
        return;
    };
    let index = Index::new(&document.stack);
    let query = Query::parse(text).unwrap_or_default();
    bencher.bench_local(|| find(&document, &index, black_box(&query)).total);
}
