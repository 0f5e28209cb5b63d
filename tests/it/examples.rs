//! The examples of the documentation: every line with this program in it runs.

use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

/// The answer of a build without policies.
const ABSENT: &str = "this build has no Rego policies: cargo install --path . --features policy";

/// A policy of a team.
const POLICY: &str = "package main\nwarn contains \"late\" if input.late";

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// The files that the words in capitals stand for, and those of the examples themselves.
const FILES: &[(&str, &str)] = &[
    ("FILE", "tests/corpus/pulumi-state/shop.json"),
    ("PLAN", "tests/corpus/tfplan-json/shop.json"),
    ("STATE", "tests/corpus/tfstate/shop-after.tfstate"),
    ("OLD", "tests/corpus/tfstate/shop.tfstate"),
    ("NEW", "tests/corpus/tfstate/shop-after.tfstate"),
    ("preview.json", "assets/demo.json"),
    ("state.json", "tests/corpus/pulumi-state/shop.json"),
    ("plan.json", "tests/corpus/tfplan-json/shop.json"),
    ("tfplan.json", "tests/corpus/tfplan-json/shop.json"),
    ("tfplan", "tests/corpus/tfplan-json/shop.json"),
    ("$SHOWFILE", "tests/corpus/tfplan-json/shop.json"),
    ("spacelift.plan.json", "tests/corpus/tfplan-json/shop.json"),
    ("terraform.tfstate", "tests/corpus/tfstate/shop.tfstate"),
    ("old.tfstate", "tests/corpus/tfstate/shop.tfstate"),
    ("new.tfstate", "tests/corpus/tfstate/shop-after.tfstate"),
    (
        "~/.pulumi/stacks/shop/prod.json",
        "tests/corpus/pulumi-state/shop.json",
    ),
    ("~/.pulumi", "tests/corpus/backend/.pulumi"),
];

/// A file of rules, one of costs and one of schemas, for the examples that name their own.
const RULES: &str = "[[rule]]\nid = \"a\"\nlevel = \"note\"\ntypes = [\"a_b\"]\nwhen = \"deleted\"\nsays = \"it goes\"\n";
const COSTS: &str = r#"{"currency": "USD", "projects": [], "totalMonthlyCost": "0"}"#;
const SCHEMAS: &str = r#"{"format_version": "1.0", "provider_schemas": {}}"#;

/// The blocks of a page in one of these languages.
fn blocks(page: &Path, languages: &[&str]) -> Vec<String> {
    let text = fs::read_to_string(page).unwrap();
    let mut blocks: Vec<String> = Vec::new();
    let mut is_inside = false;
    for line in text.lines() {
        if let Some(language) = line.strip_prefix("```") {
            is_inside = languages.contains(&language);
            if is_inside {
                blocks.push(String::new());
            }
        } else if let Some(block) = blocks.last_mut().filter(|_| is_inside) {
            block.extend([line, "\n"]);
        }
    }
    blocks
}

/// The lines of the blocks for a shell, and of those for pipelines, which have commands too.
fn lines(page: &Path) -> Vec<String> {
    let blocks = blocks(page, &["sh", "console", "yaml"]);
    let lines = blocks.iter().flat_map(|block| block.lines());
    lines.map(str::to_owned).collect()
}

/// The pages of the documentation.
fn pages() -> Vec<PathBuf> {
    let own = [
        "README",
        "CONTRIBUTING",
        "SECURITY",
        "CHANGELOG",
        "packaging/README",
    ];
    let mut pages: Vec<PathBuf> = own
        .map(|page| root().join(page).with_extension("md"))
        .into();
    for entry in fs::read_dir(root().join("docs")).unwrap() {
        pages.push(entry.unwrap().path());
    }
    pages.retain(|page| page.extension().is_some_and(|it| it == "md"));
    pages.sort();
    pages
}

/// The words of a command, as a POSIX shell reads them, up to a comment, a pipe or the next command.
fn words(command: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for c in command.chars() {
        match (quote, c) {
            (Some(open), _) if c == open => quote = None,
            (None, '\'' | '"') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None, '#' | '|' | ';' | '>') if word.is_none() || c != '#' => break,
            (None, ' ') => words.extend(word.take()),
            (Some(_) | None, _) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

/// The examples in the help of all commands.
fn of_help() -> Vec<String> {
    let help = |words: &[&str]| {
        let output = crate::built().args(words).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    let program = help(&["--help"]);
    let (_, commands) = program.split_once("Commands:").unwrap();
    let commands = commands.lines().skip(1);
    let commands = commands.take_while(|line| line.starts_with("  ") || line.is_empty());
    let names: Vec<&str> = commands
        .filter(|line| line.starts_with("  ") && !line.starts_with("   "))
        .filter_map(|line| line.split_whitespace().next())
        .filter(|name| *name != "help")
        .collect();
    assert!(names.len() > 14, "{names:?}");
    let mut lines = Vec::new();
    for name in names {
        let text = help(&[name, "--help"]);
        assert!(text.contains("Examples:"), "{name}");
        let has_codes = text.contains("Exit codes:") || name == "completions";
        assert!(has_codes, "{name}");
        lines.push(text);
    }
    let lines = lines.iter().flat_map(|text| text.lines());
    let lines = lines.filter_map(|line| line.strip_prefix("  stacklens "));
    lines.map(|line| format!("stacklens {line}")).collect()
}

#[test]
fn the_examples_of_the_help_run() {
    check(&of_help(), "the help", 25);
}

#[test]
fn the_examples_of_the_documentation_run() {
    let lines: Vec<String> = pages().iter().flat_map(|page| lines(page)).collect();
    check(&lines, "the documentation", 25);
}

/// Runs the commands in these lines. Fails if there are less than `least`.
#[track_caller]
fn check(lines: &[String], of: &str, least: usize) {
    let folder = TempDir::new().unwrap();
    let own = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        path.display().to_string()
    };
    let mut files: Vec<(String, String)> = FILES
        .iter()
        .map(|(name, path)| (String::from(*name), root().join(path).display().to_string()))
        .collect();
    files.push(("team.toml".to_owned(), own("team.toml", RULES)));
    files.push(("policies/".to_owned(), own("team.rego", POLICY)));
    files.push(("schemas.json".to_owned(), own("schemas.json", SCHEMAS)));
    files.push(("costs.json".to_owned(), own("costs.json", COSTS)));
    for stack in ["states/a.tfstate", "states/b.tfstate"] {
        fs::create_dir_all(folder.path().join("states")).unwrap();
        let state = root().join("tests/corpus/tfstate/shop.tfstate");
        fs::copy(state, folder.path().join(stack)).unwrap();
    }
    let stack = folder.path().join("states/a.tfstate").display().to_string();
    for name in ["a.tfstate", "b.tfstate", "states/*.json"] {
        files.push((name.to_owned(), stack.clone()));
    }
    own("list.txt", &format!("{stack}\n"));
    let mut tar = tar::Builder::new(Vec::new());
    tar.append_path_with_name(&stack, "a.tfstate").unwrap();
    fs::write(folder.path().join("states.tar"), tar.into_inner().unwrap()).unwrap();
    files.push((
        "passphrase.txt".to_owned(),
        own("passphrase.txt", "a passphrase"),
    ));
    for plans in ["plans", "previews"] {
        fs::create_dir(folder.path().join(plans)).unwrap();
        for (name, plan) in [
            ("app.json", "tests/corpus/tfplan-json/shop.json"),
            ("shop.json", "assets/demo.json"),
        ] {
            fs::copy(root().join(plan), folder.path().join(plans).join(name)).unwrap();
        }
    }
    let man = folder.path().join("man").display().to_string();
    let packed = fs::File::create(folder.path().join("plans.tar.gz")).unwrap();
    let packed = flate2::write::GzEncoder::new(packed, flate2::Compression::fast());
    let mut tar = tar::Builder::new(packed);
    let plans = folder.path().join("plans");
    tar.append_dir_all("plans", plans).unwrap();
    tar.into_inner().unwrap().finish().unwrap();
    fs::create_dir(folder.path().join("policy")).unwrap();
    own(
        "policy/none.rego",
        "package main\ndeny[msg] { input.never; msg := \"it goes\" }\n",
    );
    files.push(("~/.local/share/man/man1".to_owned(), man));
    let mut n_run = 0;
    for line in lines {
        for (at, _) in line.match_indices("stacklens ") {
            let before = ["; ", "| ", "- ", "run: "];
            let is_command = at == 0 || before.iter().any(|it| line[..at].ends_with(it));
            if !is_command {
                continue;
            }
            let replaced = |word: String| {
                files
                    .iter()
                    .find(|(name, _)| *name == word)
                    .map_or(word, |(_, path)| path.clone())
            };
            let words: Vec<String> = words(&line[at..])
                .into_iter()
                .skip(1)
                .map(replaced)
                .collect();
            // Examples with the current folder are for a person to try.
            if words.is_empty() {
                continue;
            }
            let piped = root().join("tests/corpus/tfstate/shop.tfstate");
            let output = crate::built()
                .args(&words)
                .current_dir(folder.path())
                .stdin(fs::File::open(piped).unwrap())
                .output()
                .unwrap();
            let complaint = String::from_utf8_lossy(&output.stderr);
            let code = output.status.code();
            let is_answer = matches!(code, Some(0..=3)) && !complaint.contains("Usage:");
            let has_policies = cfg!(feature = "policy") || !words.iter().any(|it| it == "--policy");
            if !has_policies {
                assert!(complaint.contains(ABSENT), "{of}: {line}\n{complaint}");
                continue;
            }
            assert!(is_answer, "{of}: {line}\n{words:?}\n{code:?} {complaint}");
            n_run += 1;
        }
    }
    assert!(n_run >= least, "{of}: only {n_run} examples were run");
}

#[test]
fn the_rules_and_settings_of_the_documentation_are_valid() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("example.toml");
    let file = file.to_str().unwrap();
    let plan = root().join("tests/corpus/tfplan-json/shop.json");
    // The file that the settings of docs/secrets.md name.
    fs::write(folder.path().join("our-names.toml"), "").unwrap();
    let mut n_rules = 0;
    let mut n_names = 0;
    let mut n_settings = 0;
    for block in pages().iter().flat_map(|page| blocks(page, &["toml"])) {
        fs::write(file, &block).unwrap();
        let mut command = crate::built();
        if block.contains("[[rule]]") {
            command.arg("brief").arg(&plan).args(["--rules", file]);
            n_rules += 1;
        } else if block.contains("[[name]]") {
            command.arg("info").arg(&plan).args(["--secrets", file]);
            n_names += 1;
        } else {
            command.args(["config", "--config", file]);
            n_settings += 1;
        }
        let output = command.output().unwrap();
        let complaint = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{block}\n{complaint}");
    }
    assert!(n_rules > 1 && n_settings > 0, "{n_rules} {n_settings}");
    assert!(n_names > 0, "{n_names}");
}

/// Links between the pages lead to files that exist.
#[test]
fn links_of_the_documentation_lead_somewhere() {
    for page in pages() {
        let text = fs::read_to_string(&page).unwrap();
        for part in text.split("](").skip(1) {
            let target = part.split(')').next().unwrap();
            if target.contains("://") || target.starts_with('#') {
                continue;
            }
            let path = page
                .parent()
                .unwrap()
                .join(target.split('#').next().unwrap());
            assert!(path.exists(), "{}: {target}", page.display());
        }
    }
}
