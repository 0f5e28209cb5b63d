//! `brief` out of the terminal: every form of its page, and its gate.

mod json;

use std::path::PathBuf;

/// All files of the project whose changes `brief` condenses.
pub(super) fn plans() -> Vec<String> {
    let corpus = super::root().join("tests/corpus");
    let folders = [
        "pulumi-preview",
        "pulumi-events",
        "tf-ui-json",
        "tfplan-json",
    ];
    let mut plans: Vec<PathBuf> = folders
        .iter()
        .flat_map(|folder| std::fs::read_dir(corpus.join(folder)).unwrap())
        .map(|entry| entry.unwrap().path())
        .collect();
    plans.push(super::root().join(super::PREVIEW));
    plans.sort();
    assert!(plans.len() > 15, "{plans:?}");
    let text = |path: PathBuf| path.to_str().unwrap().to_owned();
    plans.into_iter().map(text).collect()
}
