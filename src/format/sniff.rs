//! Sniffing: finds the format of a file by its first bytes and never by its name.

use super::keys::{Fit, Keys};
use super::table::{FORMATS, Format, Marks};
use super::terraform::dependency_locks;
use crate::json::Reader;
use crate::terraform::hcl::{self, Syntax};

/// A guess at the contents of a file.
#[derive(Clone, Debug)]
pub(crate) enum Guess {
    /// A file of this format.
    Format(&'static Format),
    /// Something else: a description in words that fit after "this is".
    Other(String),
}

/// Looks at the beginning of a JSON text.
pub(crate) fn sniff(head: &[u8]) -> Guess {
    let keys = Keys::of(head);
    if keys.is_empty() {
        return Guess::Other(describe(head));
    }
    if keys.has("encrypted_data") {
        return Guess::Other("a state or plan that OpenTofu encrypted".to_owned());
    }
    if keys.has("remote_plan_format") {
        return Guess::Other(
            "a bookmark of a plan that is stored in HCP Terraform, not the plan itself".to_owned(),
        );
    }
    recognise(&keys).map_or_else(|| Guess::Other(describe_keys(&keys)), Guess::Format)
}

/// True if bytes that begin like this may be a file of a known format, possibly packed, encrypted, or after other text. False is
/// certain, and costs a look at the beginnings of lines.
///
/// Law: true for all bytes in which [`sniff`] and its callers recognise a format. A test compares them.
pub(crate) fn may_be_known(head: &[u8]) -> bool {
    const PACKED: [&[u8]; 5] = [
        b"\x1f\x8b",
        b"\x28\xb5\x2f\xfd",
        b"PK\x03\x04",
        b"\xff\xfe",
        b"\xfe\xff",
    ];
    let text = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head);
    let opens = |text: &[u8]| matches!(text.first(), Some(b'{' | b'['));
    PACKED.iter().any(|magic| head.starts_with(magic))
        || opens(text.trim_ascii_start())
        || memchr::memchr_iter(b'\n', text).any(|at| text.get(at + 1) == Some(&b'{'))
}

/// True if values are certainly written in a file that begins like this as JSON writes them: it is neither translated nor a log. Looks
/// at the first bytes only, unless these leave it open.
pub(crate) fn has_plain_values(head: &[u8]) -> bool {
    const START: usize = 1024;
    // Of JSON files only the states of old versions are translated, and they have this key.
    let may_be_old = memchr::memmem::find(head, b"\"modules\"").is_some();
    let guess = match sniff(&head[..head.len().min(START)]) {
        Guess::Format(format) if !may_be_old => Guess::Format(format),
        Guess::Format(_) | Guess::Other(_) => sniff(head),
    };
    match guess {
        Guess::Format(format) => format.translate.is_none() && format.events.is_none(),
        Guess::Other(_) => false,
    }
}

/// The first format that these keys identify, or else the first one that they suggest.
fn recognise(keys: &Keys) -> Option<&'static Format> {
    let of = |wanted| {
        FORMATS.iter().find(|format| match format.marks {
            Marks::Keys(fit) => fit(keys) == Some(wanted),
            Marks::Magic(_) => false,
        })
    };
    of(Fit::Sure).or_else(|| of(Fit::Likely))
}

/// Related files that are not supported: keys that they have at the top, and a description.
const NEIGHBORS: &[(&[&str], &str)] = &[
    (
        &["Modules"],
        "Terraform's list of installed modules, not a state or plan",
    ),
    (
        &["ID", "Operation", "Who"],
        "the lock that a run of Terraform holds on a state, not the state itself",
    ),
    (
        &["current-hash", "chunks"],
        "the list of the pieces in which Consul holds a state, not the state itself",
    ),
    (
        &["kind", "startTime", "resourceChanges"],
        "Pulumi's record of an update; the state after it is in the `.checkpoint.json` beside it",
    ),
    (
        &["pid", "username", "hostname"],
        "the lock that a run of Pulumi holds on a stack, not the stack itself",
    ),
    (
        &["version", "tags"],
        "the tags of a Pulumi stack, not the stack itself",
    ),
];

/// Describes JSON that is no object with keys.
const WITHOUT_KEYS: &str = "JSON of another kind (without any key)";

/// Describes JSON of another kind.
fn describe_keys(keys: &Keys) -> String {
    let is = |(known, _): &&(&[&str], &str)| known.iter().all(|key| keys.has(key));
    if let Some((_, what)) = NEIGHBORS.iter().find(is) {
        return (*what).to_owned();
    }
    let named = keys.tops().filter(|key| !key.is_empty()).take(5);
    let named: Vec<String> = named.map(|key| format!("`{key}`")).collect();
    if named.is_empty() {
        return WITHOUT_KEYS.to_owned();
    }
    format!("JSON of another kind (with {})", named.join(", "))
}

/// Describes bytes that are not JSON.
fn describe(head: &[u8]) -> String {
    let text = String::from_utf8_lossy(&head[..head.len().min(4096)]);
    let trimmed = text.trim_start_matches('\u{feff}').trim_start();
    let lower = trimmed.get(..200.min(trimmed.len())).unwrap_or(trimmed);
    let lower = lower.to_ascii_lowercase();
    if trimmed.is_empty() {
        return "an empty file".to_owned();
    }
    if lower.starts_with("<!doctype html") || lower.starts_with("<html") {
        return "an HTML page: a login page or an error page was saved in place of the file"
            .to_owned();
    }
    if trimmed.starts_with("version https://git-lfs") {
        return "a git-lfs pointer: fetch the file itself with `git lfs pull`".to_owned();
    }
    if lower.starts_with("<?xml") || lower.starts_with("<error>") {
        let code = between(trimmed, "<Code>", "</Code>");
        return match code {
            Some(code) => format!(
                "an XML error document of an object store ({}) in place of the file",
                code.chars().take(40).collect::<String>()
            ),
            None => "an XML document".to_owned(),
        };
    }
    if trimmed.starts_with("tfstate") {
        return "a binary state of Terraform 0.1 to 0.3, which no program reads any more"
            .to_owned();
    }
    if head.iter().take(512).any(|byte| *byte == 0) {
        return "a binary file of another kind".to_owned();
    }
    if is_json(head) {
        return WITHOUT_KEYS.to_owned();
    }
    configuration(trimmed).unwrap_or_else(|| "text that is not JSON".to_owned())
}

/// True if the text begins as JSON does. Anything may follow the first value.
fn is_json(head: &[u8]) -> bool {
    let mut reader = Reader::new(head);
    reader.next().is_ok() && reader.next().is_ok()
}

/// Describes a text in the language of Terraform; `None` if it is something else.
fn configuration(text: &str) -> Option<String> {
    const BLOCKS: &[&str] = &[
        "resource",
        "data",
        "module",
        "variable",
        "output",
        "provider",
        "terraform",
        "locals",
    ];
    // Maximum number of locked providers that are named.
    const MAX_NAMED: usize = 5;
    let locks = dependency_locks::read(text);
    if locks.iter().any(|lock| lock.provider.contains('/')) {
        let named = locks.iter().take(MAX_NAMED);
        let named: Vec<_> = named
            .map(|lock| format!("{} {}", lock.provider, lock.version))
            .collect();
        let more = if locks.len() > MAX_NAMED { ", …" } else { "" };
        return Some(format!(
            "a dependency lock file, which records the chosen provider versions ({}{more}): open the state or the plan",
            named.join(", ")
        ));
    }
    let file = hcl::read(text, Syntax::Native);
    let blocks = &file.body.blocks;
    let is_one = blocks.iter().any(|block| BLOCKS.contains(&&*block.kind));
    is_one.then(|| {
        "a Terraform or OpenTofu configuration, not a plan: open the plan or the state".to_owned()
    })
}

fn between<'t>(text: &'t str, before: &str, after: &str) -> Option<&'t str> {
    let (_, rest) = text.split_once(before)?;
    Some(rest.split_once(after)?.0)
}

/// The line of a merge conflict marker among the first bytes of a file, if there is one.
pub(crate) fn merge_conflict(head: &[u8]) -> Option<usize> {
    head.split(|byte| *byte == b'\n')
        .position(|line| line.trim_ascii_start().starts_with(b"<<<<<<< "))
        .map(|index| index + 1)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;

    /// The files below a folder.
    fn files(folder: &Path, found: &mut Vec<std::path::PathBuf>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                files(&path, found);
            } else {
                found.push(path);
            }
        }
    }

    #[test]
    fn plain_values_are_told_by_the_first_bytes_as_by_all() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut found = Vec::new();
        files(&root.join("tests/corpus"), &mut found);
        let mut n_plain = 0;
        for path in found {
            let bytes = fs::read(&path).unwrap();
            let is_plain = match sniff(&bytes) {
                Guess::Format(format) => format.translate.is_none() && format.events.is_none(),
                Guess::Other(_) => false,
            };
            n_plain += usize::from(is_plain);
            assert_eq!(has_plain_values(&bytes), is_plain, "{}", path.display());
        }
        assert!(n_plain > 30, "{n_plain}");
    }

    #[test]
    fn what_is_recognised_may_be_known() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut found = Vec::new();
        files(&root.join("tests/corpus"), &mut found);
        found.push(root.join("assets/demo.json"));
        let mut n_known = 0;
        for path in found {
            let bytes = fs::read(&path).unwrap();
            let bom = [b"\xef\xbb\xbf \n", &bytes[..]].concat();
            let after_text = [b"Previewing update:\n", &bytes[..]].concat();
            if matches!(sniff(&bytes), Guess::Format(_)) {
                n_known += 1;
                for head in [&bytes, &bom, &after_text] {
                    assert!(may_be_known(head), "{}", path.display());
                }
            }
        }
        assert!(n_known > 40, "{n_known}");
        for head in [
            "# text",
            "",
            "\u{7f}ELF",
            "<html>",
            "key: {}\n [1]",
            "a = {",
        ] {
            assert!(!may_be_known(head.as_bytes()), "{head}");
        }
    }
}
