//! House rules that a compiler does not know.

use std::fs;
use std::path::{Path, PathBuf};

/// The layers, lowest first. A module uses its own layer and the ones before it.
const LAYERS: &[(&str, &[&str])] = &[
    (
        "core",
        &[
            "value",
            "urn",
            "address",
            "path",
            "types",
            "json",
            "hcl",
            "cty",
            "schema",
            "wire",
            "diff",
            "objchange",
            "output",
            "asset",
            "secrets",
            "stack",
            "graph",
        ],
    ),
    ("derived", &["config", "search", "tree", "render"]),
    ("readers", &["format", "load"]),
    ("front end", &["cli", "tui"]),
];

/// Crates that have one home: the only modules that may name them.
const HOMES: &[(&str, &[&str])] = &[
    ("fuzzy_matcher", &["search"]),
    ("arboard", &["tui/run/desktop"]),
    ("color_eyre", &["main", "tui/run", "cli"]),
];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn sources() -> Vec<PathBuf> {
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
    collect(&root().join("src"), &mut files);
    files.sort();
    files
}

/// The path below `src`, with `/`, without `.rs`.
fn module(file: &Path) -> String {
    let below = file
        .strip_prefix(root().join("src"))
        .expect("below src")
        .with_extension("");
    below
        .components()
        .map(|part| part.as_os_str().to_string_lossy().into_owned())
        .collect::<Vec<_>>()
        .join("/")
}

fn layer(module: &str) -> Option<usize> {
    LAYERS
        .iter()
        .position(|(_, modules)| modules.contains(&module))
}

/// The top modules that a source names by `crate::NAME`, one for each line that does; lines of documentation do not count.
fn used(source: &str) -> impl Iterator<Item = (usize, &str)> {
    source
        .lines()
        .enumerate()
        .filter(|(_, line)| !line.trim_start().starts_with("//"))
        .flat_map(|(index, line)| {
            line.match_indices("crate::").map(move |(at, found)| {
                let rest = &line[at + found.len()..];
                let end = rest
                    .find(|char: char| !char.is_alphanumeric() && char != '_')
                    .unwrap_or(rest.len());
                (index + 1, &rest[..end])
            })
        })
}

#[test]
fn every_module_uses_its_own_layer_and_lower_ones() {
    let mut wrong = Vec::new();
    for file in sources() {
        let module = module(&file);
        let top = module.split('/').next().unwrap_or_default();
        if matches!(top, "lib" | "main") {
            continue;
        }
        let Some(own) = layer(top) else {
            wrong.push(format!("{module}: `{top}` is in no layer"));
            continue;
        };
        let source = fs::read_to_string(&file).expect("a source file can be read");
        for (line, name) in used(&source) {
            if layer(name).is_some_and(|other| other > own) {
                wrong.push(format!(
                    "src/{module}.rs:{line}: {} uses {name} of a higher layer",
                    LAYERS[own].0
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_core_touches_no_file_clock_thread_or_terminal() {
    let mut wrong = Vec::new();
    for file in sources() {
        let module = module(&file);
        let top = module.split('/').next().unwrap_or_default();
        if layer(top).is_none_or(|layer| layer > 1) {
            continue;
        }
        let source = fs::read_to_string(&file).expect("a source file can be read");
        for world in [
            "std::fs",
            "std::env",
            "std::thread",
            "std::net",
            "std::process",
            "crossterm",
            "ratatui",
        ] {
            if source
                .lines()
                .any(|line| !line.trim_start().starts_with("//") && line.contains(world))
            {
                wrong.push(format!("src/{module}.rs names {world}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn crates_with_a_home_stay_at_home() {
    let mut wrong = Vec::new();
    for file in sources() {
        let module = module(&file);
        let source = fs::read_to_string(&file).expect("a source file can be read");
        for (name, homes) in HOMES {
            let at_home = homes
                .iter()
                .any(|home| module == *home || module.starts_with(&format!("{home}/")));
            if !at_home
                && source
                    .lines()
                    .any(|line| !line.trim_start().starts_with("//") && line.contains(name))
            {
                wrong.push(format!("src/{module}.rs names {name}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn modules_have_names() {
    let unnamed: Vec<_> = sources()
        .into_iter()
        .filter(|file| file.file_stem().is_some_and(|stem| stem == "mod"))
        .collect();
    assert!(unnamed.is_empty(), "`mod.rs`: {unnamed:?}");
}

#[test]
fn there_is_one_crossterm() {
    let lock = fs::read_to_string(root().join("Cargo.lock")).expect("Cargo.lock is committed");
    assert_eq!(
        lock.matches("name = \"crossterm\"").count(),
        1,
        "ratatui and we must use the same crossterm"
    );
}

/// The tables of the README that are made from the code, by the name in their marks.
fn tables() -> [(&'static str, String); 2] {
    [
        ("formats", stacklens::format::markdown()),
        ("keys", stacklens::tui::keymap::markdown()),
    ]
}

#[test]
fn tables_of_the_readme_are_those_of_the_code() {
    let path = root().join("README.md");
    let readme = fs::read_to_string(&path).expect("README.md can be read");
    let mut want = readme.clone();
    for (name, table) in tables() {
        let (start, end) = (format!("<!-- {name} -->\n"), format!("<!-- /{name} -->"));
        let (before, rest) = want.split_once(&start).expect("the README has the mark");
        let (_, after) = rest
            .split_once(&end)
            .expect("the README has the closing mark");
        want = format!("{before}{start}{table}{end}{after}");
    }
    if std::env::var_os("UPDATE").is_some() {
        fs::write(&path, want).expect("README.md can be written");
        return;
    }
    assert!(
        readme == want,
        "README.md is behind the code; `UPDATE=1 cargo test tidy` rewrites its tables"
    );
}

/// How long a source file may be. One that is a table or one long `match` is fine up to here; others are split at 500.
const MAX_LINES: usize = 900;

#[test]
fn files_can_be_read_in_one_sitting() {
    let long: Vec<_> = sources()
        .into_iter()
        .filter_map(|file| {
            let source = fs::read_to_string(&file).expect("a source file can be read");
            let n_lines = source.lines().count();
            (n_lines > MAX_LINES).then(|| format!("src/{}.rs: {n_lines} lines", module(&file)))
        })
        .collect();
    assert!(long.is_empty(), "{}", long.join("\n"));
}
