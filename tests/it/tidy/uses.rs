//! The modules of the crate and the uses between them.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// A module as its path below `src`, in parts.
pub(super) type Module = Vec<String>;

/// A use of one module by another.
pub(super) struct Use {
    pub(super) by: Module,
    pub(super) of: Module,
    /// Line number, from 1.
    pub(super) line: usize,
}

pub(super) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The files below `src`, sorted.
pub(super) fn sources() -> Vec<PathBuf> {
    files_below(&root().join("src"))
}

/// The Rust files below a folder, in order.
pub(super) fn files_below(folder: &Path) -> Vec<PathBuf> {
    fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).expect("the folder can be listed") {
            let path = entry.expect("the folder can be listed").path();
            if path.is_dir() {
                collect(&path, files);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                files.push(path);
            }
        }
    }
    let mut files = Vec::new();
    collect(folder, &mut files);
    files.sort();
    files
}

/// The module of a file. The roots of the library and of the program are modules with those names.
pub(super) fn module(file: &Path) -> Module {
    let below = file
        .strip_prefix(root().join("src"))
        .expect("below src")
        .with_extension("");
    below
        .components()
        .map(|part| part.as_os_str().to_string_lossy().into_owned())
        .collect()
}

/// The code of a file without comments and tests. Lines stay where they are.
pub(super) fn code(file: &Path) -> String {
    let is_below = file
        .parent()
        .is_some_and(|folder| folder.ends_with("tests"));
    if is_below || file.file_stem().is_some_and(|stem| stem == "tests") {
        return String::new();
    }
    let source = fs::read_to_string(file).expect("a source file can be read");
    let product = source
        .split("#[cfg(test)]\nmod tests {")
        .next()
        .unwrap_or_default();
    let lines = product.lines().map(|line| match line.split_once("//") {
        Some((code, _)) if !code.contains('"') => code,
        _ => line,
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// All uses between modules, in any form: `use` with and without groups, and paths inside code.
pub(super) fn uses() -> Vec<Use> {
    let files = sources();
    let modules: BTreeSet<Module> = files.iter().map(|file| module(file)).collect();
    let mut uses = Vec::new();
    for file in &files {
        let (by, code) = (module(file), code(file));
        for start in paths(&code) {
            let line = code[..start].matches('\n').count() + 1;
            for path in leaves(&code[start..]) {
                let of = resolve(&by, &path, &modules);
                if !of.is_empty() && of != by {
                    let by = by.clone();
                    uses.push(Use { by, of, line });
                }
            }
        }
    }
    uses
}

/// Byte offsets of the paths that start at the crate, at this module, or at its parent.
fn paths(code: &str) -> Vec<usize> {
    let mut starts: Vec<usize> = ["crate::", "self::", "super::"]
        .into_iter()
        .flat_map(|head| code.match_indices(head))
        .map(|(at, _)| at)
        .filter(|at| {
            let before = code[..*at].chars().next_back();
            !before.is_some_and(|char| char == ':' || char == '_' || char.is_alphanumeric())
        })
        .collect();
    starts.sort_unstable();
    starts
}

/// True if `code` names `path`, such as `std::fs`, in full or through a group: `use std::{fs, thread}`. A name that is only the
/// start of a longer one counts as well, as in `path::`.
pub(super) fn names_path(code: &str, path: &str) -> bool {
    let head = path.split("::").next().unwrap_or(path);
    code.contains(path)
        || code
            .match_indices(&format!("{head}::{{"))
            .any(|(at, _)| leaves(&code[at..]).iter().any(|it| it.starts_with(path)))
}

/// The paths at the start of a text: more than one for a group in braces.
fn leaves(text: &str) -> Vec<String> {
    let end = text
        .find(|char: char| !(char == ':' || char == '_' || char.is_alphanumeric()))
        .unwrap_or(text.len());
    let (head, rest) = text.split_at(end);
    if !(rest.starts_with('{') && head.ends_with("::")) {
        return vec![head.to_owned()];
    }
    let (mut depth, mut from, mut found) = (0, 1, Vec::new());
    for (at, char) in rest.char_indices() {
        match char {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 || depth == 1 && char == ',' {
            let inner = leaves(rest[from..at].trim());
            found.extend(inner.into_iter().map(|path| format!("{head}{path}")));
            from = at + 1;
        }
        if depth == 0 {
            break;
        }
    }
    found
}

/// The module that a path leads to or into.
fn resolve(by: &Module, path: &str, modules: &BTreeSet<Module>) -> Module {
    let mut parts = path.split("::").filter(|part| !part.is_empty()).peekable();
    let mut of = by.clone();
    while let Some(head) = parts.next_if(|part| matches!(*part, "crate" | "self" | "super")) {
        match head {
            "crate" => of.clear(),
            "super" => drop(of.pop()),
            _ => {}
        }
    }
    of.extend(parts.map(str::to_owned));
    while !of.is_empty() && !modules.contains(&of) {
        of.pop();
    }
    of
}

#[test]
fn names_in_groups_are_found() {
    let code = "use std::{\n    collections::{BTreeMap, HashMap},\n    fs::{self, File}, thread,\n};\nuse a::std::Net;";
    for name in ["std::fs", "std::thread", "std::collections::HashMap"] {
        assert!(names_path(code, name), "{name}");
    }
    for name in ["std::net", "std::time", "std::HashMap", "collections::fs"] {
        assert!(!names_path(code, name), "{name}");
    }
    assert!(names_path("std::fs::read(path)", "std::fs"));
}

#[test]
fn all_forms_of_use_are_read() {
    let code = "use crate::a::{self, b::{C, d::*}, e as f};\nlet x = super::g::H::new(self::i::J);\npub(in crate::k) fn";
    let found: Vec<String> = paths(code)
        .into_iter()
        .flat_map(|start| leaves(&code[start..]))
        .collect();
    let want = [
        "crate::a::self",
        "crate::a::b::C",
        "crate::a::b::d::",
        "crate::a::e",
        "super::g::H::new",
        "self::i::J",
        "crate::k",
    ];
    assert_eq!(found, want);
    let modules: BTreeSet<Module> =
        [vec!["a".to_owned()], vec!["a".to_owned(), "b".to_owned()]].into();
    let by = vec!["a".to_owned(), "c".to_owned()];
    assert_eq!(resolve(&by, "super::b::C", &modules), ["a", "b"]);
    assert_eq!(resolve(&by, "crate::a::self", &modules), ["a"]);
    assert_eq!(resolve(&by, "crate::x::Y", &modules), [""; 0]);
}
