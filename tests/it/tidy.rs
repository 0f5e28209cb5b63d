//! House rules that the compiler cannot check.

mod mutations;
mod uses;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;

use regex::Regex;
use stacklens::dataset::{Column, Table};
use stacklens::format::table::{Format, listed};
use stacklens::search::{FIELDS, Field, SYNTAX, Syntax};
use stacklens::settings::{SETTINGS, Setting};
use stacklens::tui::command::View;
use stacklens::tui::keymap::{BINDINGS, Binding, Scope, spelled};

use uses::{code, files_below, module, names_path, root, sources, uses};

/// The layers, lowest first, as in the head of `src/lib.rs`. A module uses its own layer and the ones before it.
const LAYERS: &[(&str, &[&str])] = &[
    (
        "language",
        &[
            "text", "json", "value", "path", "types", "secrets", "likely", "log",
        ],
    ),
    ("worlds", &["pulumi", "terraform"]),
    ("stack", &["stack"]),
    ("change", &["change"]),
    ("derived", &["search", "tree", "render", "dataset"]),
    ("index", &["index"]),
    ("format", &["format"]),
    ("load", &["load"]),
    ("front end", &["settings", "cli", "tui"]),
    ("roots", &["lib", "main", "program"]),
];

/// Parts of the operating system and the terminal, with the modules that may use them.
const SYSTEM: &[(&str, &[&str])] = &[
    ("std::fs", &["load", "tui/run"]),
    ("std::net", &[]),
    ("std::thread", &["load", "tui/run"]),
    ("std::time", &["load", "tui/run"]),
    ("std::process", &["main", "program"]),
    ("std::env", &["program", "tui/run"]),
    ("crossterm", &["tui"]),
    ("ratatui", &["tui"]),
];

/// Modules outside those homes, each with the reason.
const EXCEPTIONS: &[(&str, &str, &str)] = &[
    (
        "std::fs",
        "cli/man",
        "writes the manual pages into the folder that the person names",
    ),
    (
        "std::env",
        "cli/completions",
        "the shell that asks for completions says so in a variable",
    ),
    (
        "std::env",
        "load/keys",
        "the passphrase and the key file may be named by variables",
    ),
    (
        "std::env",
        "load/remote/credentials",
        "credentials of buckets stand in the variables of the ecosystem",
    ),
    (
        "std::time",
        "tui",
        "`Duration` as data, and jobs that pace their partial answers (`tui/jobs/pace`)",
    ),
    (
        "std::time",
        "change/policies/rego",
        "`Duration` as data: the interpreter of policies ends a rule that takes too long",
    ),
];

/// Crates with a single home: the only modules that may name them.
const HOMES: &[(&str, &[&str])] = &[
    ("fuzzy_matcher", &["search"]),
    ("foldhash", &["index/hash"]),
    ("regorus", &["change/policies/rego"]),
    (
        "serde",
        &[
            "likely/file",
            "change/mechanisms/tables",
            "change/rules/file",
            "change/vocabulary",
            "json/print",
            "load/cost",
            "load/record",
            "load/remote/versions",
            "render/json",
            "settings/print",
            "tui/theme/file",
        ],
    ),
    (
        "toml::",
        &[
            "likely/file",
            "change/mechanisms/tables",
            "change/rules/file",
            "change/vocabulary",
            "settings/file",
            "tui/theme/file",
        ],
    ),
    ("etcetera", &["program"]),
    ("object_store", &["load/remote"]),
    ("quick_xml", &["load/remote/versions"]),
    ("reqwest", &["load/remote"]),
    ("rustls", &["load/remote"]),
    ("parquet::", &["load/export/table_file"]),
    ("strsim", &["text/nearest"]),
    ("tokio", &["load/remote"]),
    ("num_bigint", &["terraform/cty/number", "load/cost"]),
    ("arboard", &["tui/run/desktop"]),
    ("color_eyre", &["program", "tui/run", "cli"]),
];

fn layer(module: &[String]) -> Option<usize> {
    let top = module.first()?.as_str();
    LAYERS
        .iter()
        .position(|(_, modules)| modules.contains(&top))
}

#[test]
fn every_module_uses_its_own_layer_and_lower_ones() {
    let mut wrong: Vec<String> = sources()
        .iter()
        .map(|file| module(file))
        .filter(|module| layer(module).is_none())
        .map(|module| format!("{} is in no layer", module.join("/")))
        .collect();
    for it in uses() {
        if layer(&it.of) > layer(&it.by) {
            let (by, of) = (it.by.join("/"), it.of.join("::"));
            wrong.push(format!(
                "src/{by}.rs:{}: uses {of} of a higher layer",
                it.line
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Folders within one folder are ordered: none leads back to itself through the uses of its modules.
#[test]
fn folders_of_one_layer_use_each_other_in_one_direction() {
    let modules: BTreeSet<_> = sources().iter().map(|file| module(file)).collect();
    let is_folder = |part: &[String]| {
        let mut inner = modules.iter().filter(|module| module.len() > part.len());
        inner.any(|module| module.starts_with(part))
    };
    let mut graph: BTreeMap<Vec<String>, BTreeSet<Vec<String>>> = BTreeMap::new();
    for it in uses() {
        let n_common = (it.by.iter().zip(&it.of))
            .take_while(|(by, of)| by == of)
            .count();
        let [by, of] = [&it.by, &it.of].map(|module| module.get(..=n_common));
        // A file next to folders is not part of their order.
        if let (Some(by), Some(of)) = (by, of)
            && is_folder(by)
            && is_folder(of)
        {
            graph.entry(by.to_vec()).or_default().insert(of.to_vec());
        }
    }
    for start in graph.keys() {
        let (mut seen, mut next) = (BTreeSet::new(), vec![start]);
        while let Some(folder) = next.pop() {
            for of in graph.get(folder).into_iter().flatten() {
                assert_ne!(
                    of,
                    start,
                    "{} uses itself through {}",
                    start.join("/"),
                    folder.join("/")
                );
                if seen.insert(of) {
                    next.push(of);
                }
            }
        }
    }
}

#[test]
fn the_system_is_named_in_few_places() {
    check_homes(SYSTEM);
}

#[test]
fn crates_with_a_home_stay_at_home() {
    check_homes(HOMES);
}

/// Checks that each name occurs only in the modules listed with it, and in those below them.
#[track_caller]
fn check_homes(names: &[(&str, &[&str])]) {
    let mut wrong = Vec::new();
    for file in sources() {
        let (module, code) = (module(&file).join("/"), code(&file));
        for (name, homes) in names {
            let excepted = EXCEPTIONS.iter().filter(|it| it.0 == *name);
            let at_home = homes
                .iter()
                .chain(excepted.map(|it| &it.1))
                .any(|home| module == *home || module.starts_with(&format!("{home}/")));
            if !at_home && names_path(&code, name) {
                wrong.push(format!("src/{module}.rs names {name}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The default build makes no connection: the crates for it belong to the feature `remote`, which nobody gets without asking.
#[test]
fn the_default_build_has_no_network() {
    let manifest = fs::read_to_string(root().join("Cargo.toml")).unwrap();
    assert!(manifest.contains("\ndefault = [\"internals\"]\n"));
    let of_remote = manifest.lines().find(|line| line.starts_with("remote = ["));
    let named = Regex::new(r#""dep:([^"]+)""#).unwrap();
    let mut n_named = 0;
    for crate_name in named.captures_iter(of_remote.unwrap()) {
        let start = format!("{} = ", &crate_name[1]);
        let line = manifest.lines().find(|line| line.starts_with(&start));
        assert!(line.unwrap().contains("optional = true"), "{start}");
        n_named += 1;
    }
    assert!(n_named > 4, "{n_named}");
    // The crates that open connections are among them.
    for network in ["object_store", "reqwest", "rustls", "tokio"] {
        assert!(
            of_remote.unwrap().contains(&format!("\"dep:{network}\"")),
            "{network}"
        );
    }
}

/// A message names a key by the table of keys, so that a binding can change in one place.
#[test]
fn no_message_spells_a_key() {
    let literal = Regex::new(r#""(?:[^"\\\n]|\\.)*""#).unwrap();
    let key = Regex::new(r"\b(Enter|Esc|Space|S-Tab|Tab|PgUp|PgDn) [a-z]|· [^\s{0-9]{1,2} [a-z]")
        .unwrap();
    let mut wrong = Vec::new();
    for file in sources() {
        let module = module(&file).join("/");
        if !module.starts_with("tui/") || module == "tui/keymap" {
            continue;
        }
        for text in literal.find_iter(&code(&file)).map(|it| it.as_str()) {
            if key.is_match(text) {
                wrong.push(format!("src/{module}.rs: {text}"));
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

/// The tables of the documentation that are generated from the code: the page, the name in their marks, and the table.
fn tables() -> Vec<(&'static str, &'static str, String)> {
    let of_dataset = Table::ALL.map(|it| ("docs/dataset.md", it.name(), dataset_table(it)));
    let others = [
        ("docs/search.md", "syntax", syntax_table()),
        ("docs/search.md", "fields", field_table()),
        ("docs/formats.md", "formats", format_table()),
        ("docs/keys.md", "keys", key_tables()),
        ("docs/configuration.md", "settings", settings_table()),
        ("tests/README.md", "tests", test_table()),
    ];
    of_dataset.into_iter().chain(others).collect()
}

/// One row for each file of the integration tests: the first sentence of its head.
fn test_table() -> String {
    let folder = root().join("tests/it");
    let files = files_below(&folder);
    let row = |file: &PathBuf| {
        let text = fs::read_to_string(file).expect("a test can be read");
        let head = text.lines().map_while(|line| line.strip_prefix("//! "));
        let head = head.collect::<Vec<_>>().join(" ");
        let sentence = head.split_once(". ").map_or(&*head, |(first, _)| first);
        let sentence = sentence.trim_end_matches('.').replace('|', "\\|");
        assert!(
            !sentence.is_empty(),
            "{} begins with no words",
            file.display()
        );
        let name = file.strip_prefix(&folder).expect("it is in the folder");
        let name = name.to_string_lossy().replace('\\', "/");
        format!("| `{name}` | {sentence} |\n")
    };
    let rows: String = files.iter().map(row).collect();
    format!("| file | tests |\n|---|---|\n{rows}")
}

/// One row for each column.
fn dataset_table(table: Table) -> String {
    let row = |it: &Column| {
        let null = if it.is_nullable { "yes" } else { "" };
        format!(
            "| `{}` | {} | {} | {null} |\n",
            it.name,
            it.ty.name(),
            it.help
        )
    };
    let rows: String = table.columns().iter().map(row).collect();
    format!("| column | type | meaning | null |\n|---|---|---|---|\n{rows}")
}

/// One row for each form of a term.
fn syntax_table() -> String {
    let row = |syntax: &Syntax| {
        let examples = syntax.examples.iter();
        let examples = examples.map(|it| format!("`{}`", it.replace('|', "\\|")));
        let examples: Vec<_> = examples.collect();
        let help = syntax.help.replace('*', "`*`");
        format!("| {} | {help} |\n", examples.join(" "))
    };
    let rows: String = SYNTAX.iter().map(row).collect();
    format!("| written | means |\n|---|---|\n{rows}")
}

/// One row for each field of a query.
fn field_table() -> String {
    let row = |field: &Field| format!("| `{}:` | {} |\n", field.name, field.explained());
    let rows: String = FIELDS.iter().map(row).collect();
    format!("| field | means |\n|---|---|\n{rows}")
}

/// One row for each format.
fn format_table() -> String {
    let row = |format: &&Format| {
        format!(
            "| {} | {} | `{}` |\n",
            format.title, format.from, format.kind
        )
    };
    let rows: String = listed().iter().map(row).collect();
    format!("| file | from | kind |\n|---|---|---|\n{rows}")
}

/// One row for each setting.
fn settings_table() -> String {
    let row = |it: &Setting| {
        let names = [Some(it.variable()), Some(it.option.to_owned())];
        let names = names.into_iter().flatten().filter(|name| !name.is_empty());
        let names: Vec<_> = names.map(|name| format!("`{name}`")).collect();
        let expected = it.form.expected();
        format!(
            "| `{}` | {} | {expected} | {} |\n",
            it.assigned(),
            it.help,
            names.join(" ")
        )
    };
    let rows: String = SETTINGS.iter().map(row).collect();
    format!("| default | means | values | also |\n|---|---|---|---|\n{rows}")
}

/// A table for each group of keys, with one row for each key.
fn key_tables() -> String {
    let is_listed = |it: &&Binding| {
        let of_view = View::ALL
            .iter()
            .any(|view| view.row().scope == Some(it.scope));
        of_view || matches!(it.scope, Scope::Main | Scope::Timeline)
    };
    let listed: Vec<&Binding> = BINDINGS.iter().filter(is_listed).collect();
    let mut groups: Vec<&str> = Vec::new();
    for binding in &listed {
        if !groups.contains(&binding.group) {
            groups.push(binding.group);
        }
    }
    let code = |keys: &&str| format!("`{}`", spelled(keys).replace('|', "\\|"));
    let row = |it: &&Binding| {
        let keys: Vec<_> = it.keys.iter().map(code).collect();
        format!("| {} | {} |\n", keys.join(" "), it.help)
    };
    let table = |group: &str| {
        let of_group = listed
            .iter()
            .filter(|it| it.group == group && !it.help.is_empty());
        let rows: String = of_group.map(row).collect();
        format!("\n## {group}\n\n| key | does |\n|---|---|\n{rows}")
    };
    groups.into_iter().map(table).collect()
}

#[test]
fn tables_of_the_documentation_are_those_of_the_code() {
    for (page, name, table) in tables() {
        let path = root().join(page);
        let text = fs::read_to_string(&path).expect("the page can be read");
        let (start, end) = (format!("<!-- {name} -->\n"), format!("<!-- /{name} -->"));
        let (before, rest) = text.split_once(&start).expect("the page has the mark");
        let (_, after) = rest
            .split_once(&end)
            .expect("the page has the closing mark");
        let want = format!("{before}{start}{table}{end}{after}");
        if std::env::var_os("UPDATE").is_some() {
            fs::write(&path, want).expect("the page can be written");
            continue;
        }
        assert!(
            text == want,
            "{page} is behind the code; `UPDATE=1 cargo test tidy` rewrites its tables"
        );
    }
}

/// Maximum length of a source file in lines. One that is longer has two jobs.
const MAX_LINES: usize = 900;

#[test]
fn files_can_be_read_in_one_sitting() {
    let long: Vec<_> = sources()
        .into_iter()
        .filter_map(|file| {
            let source = fs::read_to_string(&file).expect("a source file can be read");
            let n_lines = source.lines().count();
            (n_lines > MAX_LINES)
                .then(|| format!("src/{}.rs: {n_lines} lines", module(&file).join("/")))
        })
        .collect();
    assert!(long.is_empty(), "{}", long.join("\n"));
}
