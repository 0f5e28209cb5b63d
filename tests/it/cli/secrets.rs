//! No command prints a secret unless it was asked to. No command prints a control character, whatever the file contains.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde_json::Value as Json;

use super::{PREVIEW, command, root};

/// The key of a special object of Pulumi, and its value for secrets.
const SIGNATURE: (&str, &str) = (
    "4dabf18193072939515e22adb298388d",
    "1b47061264138c4ac30d75fd1eb44270",
);

/// Shorter texts occur by chance.
const SHORTEST: usize = 8;

/// Maximum number of resources of a file that are requested one by one.
const MAX_RESOURCES: usize = 2;

/// The texts of a file, separated into those that may be shown and those that may not.
#[derive(Default)]
struct Texts {
    secret: BTreeSet<String>,
    public: BTreeSet<String>,
}

impl Texts {
    fn of(document: &Json) -> Self {
        let mut texts = Self::default();
        texts.walk(document);
        // A text that also occurs unmasked is not a secret.
        let public = std::mem::take(&mut texts.public);
        texts.secret.retain(|secret| {
            secret.len() >= SHORTEST && !public.iter().any(|text| text.contains(secret.as_str()))
        });
        texts
    }

    fn walk(&mut self, value: &Json) {
        match value {
            Json::Object(map) => {
                if map.get(SIGNATURE.0).and_then(Json::as_str) == Some(SIGNATURE.1) {
                    let plaintext = map.get("plaintext").and_then(Json::as_str);
                    let inner = plaintext.and_then(|text| serde_json::from_str(text).ok());
                    self.hide(&inner.unwrap_or(Json::Null));
                    return;
                }
                if let (Some(attributes), Some(paths)) =
                    (map.get("attributes"), map.get("sensitive_attributes"))
                {
                    self.masked_by_paths(attributes, paths);
                    return;
                }
                for (key, value) in map {
                    let mask = match key.as_str() {
                        "before" => map.get("before_sensitive"),
                        "after" => map.get("after_sensitive"),
                        "values" => map.get("sensitive_values"),
                        "value" if map.get("sensitive") == Some(&Json::Bool(true)) => {
                            Some(&Json::Bool(true))
                        }
                        _ => None,
                    };
                    // Values of variables and of a prior state repeat those of resources, which are masked in other places.
                    if matches!(
                        key.as_str(),
                        "variables" | "prior_state" | "planned_values" | "configuration"
                    ) {
                        continue;
                    }
                    match mask {
                        Some(mask) => self.masked(value, mask),
                        None => self.walk(value),
                    }
                }
            }
            Json::Array(items) => items.iter().for_each(|item| self.walk(item)),
            Json::String(text) => _ = self.public.insert(text.clone()),
            _ => {}
        }
    }

    fn masked(&mut self, value: &Json, mask: &Json) {
        match (value, mask) {
            (value, Json::Bool(true)) => self.hide(value),
            (Json::Object(map), Json::Object(masks)) => {
                for (key, value) in map {
                    self.masked(value, masks.get(key).unwrap_or(&Json::Null));
                }
            }
            (Json::Array(items), Json::Array(masks)) => {
                for (index, item) in items.iter().enumerate() {
                    self.masked(item, masks.get(index).unwrap_or(&Json::Null));
                }
            }
            (value, _) => self.walk(value),
        }
    }

    fn masked_by_paths(&mut self, attributes: &Json, paths: &Json) {
        let mut open = attributes.clone();
        for path in paths.as_array().into_iter().flatten() {
            let mut at = Some(&mut open);
            for step in path.as_array().into_iter().flatten() {
                let key = step
                    .get("value")
                    .map(|value| value.get("value").unwrap_or(value));
                at = match (at, key) {
                    (Some(Json::Object(map)), Some(Json::String(key))) => map.get_mut(key),
                    (Some(Json::Array(items)), Some(Json::Number(index))) => index
                        .as_u64()
                        .and_then(|index| items.get_mut(usize::try_from(index).ok()?)),
                    _ => None,
                };
            }
            if let Some(value) = at {
                self.hide(&value.take());
            }
        }
        self.walk(&open);
    }

    fn hide(&mut self, value: &Json) {
        match value {
            Json::String(text) => _ = self.secret.insert(text.clone()),
            Json::Array(items) => items.iter().for_each(|item| self.hide(item)),
            Json::Object(map) => map.values().for_each(|value| self.hide(value)),
            _ => {}
        }
    }
}

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in folder.read_dir().into_iter().flatten() {
        let path = entry.expect("the folder can be listed").path();
        if path.is_dir() {
            files(&path, found);
        } else {
            found.push(path);
        }
    }
}

fn all_files() -> Vec<PathBuf> {
    let mut found = vec![root().join(PREVIEW)];
    files(&root().join("tests/corpus"), &mut found);
    if let Some(folder) = crate::shared_corpus("secrets in what is printed") {
        files(&folder, &mut found);
    }
    found.sort();
    found
}

/// Everything that the commands print of a file.
fn everything(file: &str) -> Vec<(Vec<String>, String)> {
    let mut printed = Vec::new();
    let mut print = |args: &[&str]| {
        let run = command(args);
        printed.push((
            args.iter().map(|arg| (*arg).to_owned()).collect(),
            format!("{}{}", run.out, run.err),
        ));
        run
    };
    let is_readable = print(&["info", file]).code == 0;
    if !is_readable {
        return printed;
    }
    for args in [
        &["info", file, "--json"][..],
        &["ls", file],
        &["find", file, "a"],
        &["find", file, "@a", "--json"],
        &["find", file, "=e"],
        &["graph", file],
        &["graph", file, "--format", "mermaid"],
        &["diff", file],
        &["diff", file, "--json"],
        &["diff", file, "--markdown"],
        &["diff", file, "--format", "terraform"],
        &["diff", file, file],
    ] {
        print(args);
    }
    let rows = print(&["ls", file, "--json"]).out;
    let rows: Json = serde_json::from_str(&rows).expect("`ls --json` prints JSON");
    let mut rows: Vec<_> = rows.as_array().expect("a list").iter().collect();
    let has_secret = |row: &&Json| {
        let flags = row["flags"].as_array().into_iter().flatten();
        flags.into_iter().any(|flag| flag == "secret")
    };
    rows.sort_by_key(|row| !has_secret(row));
    for row in rows.into_iter().take(MAX_RESOURCES) {
        let urn = row["urn"].as_str().expect("a URN");
        print(&["get", file, urn]);
        print(&["get", file, urn, "--json"]);
        print(&["get", file, urn, "root", "--of", "before"]);
        print(&["get", file, urn, "**"]);
        print(&["get", file, urn, "--set", "unlikely=1"]);
        print(&["deps", file, urn]);
        print(&["deps", file, urn, "--reverse", "--transitive", "--json"]);
    }
    printed
}

#[test]
fn nothing_secret_and_no_control_character_is_printed() {
    let mut n_secrets = 0;
    for file in all_files() {
        let bytes = std::fs::read(&file).expect("the file can be read");
        // Large files test nothing here that small ones do not.
        if bytes.len() > 40_000 {
            continue;
        }
        let texts = serde_json::from_slice(&bytes)
            .map_or_else(|_| Texts::default(), |document| Texts::of(&document));
        n_secrets += texts.secret.len();
        for (args, printed) in everything(&file.to_string_lossy()) {
            let control = printed.chars().find(|char| {
                stacklens::text::is_unsafe_to_show(*char) && !matches!(char, '\n' | '\t')
            });
            assert_eq!(control, None, "{args:?}");
            for secret in &texts.secret {
                assert!(
                    !printed.contains(secret.as_str()),
                    "{args:?} prints a secret of {} bytes",
                    secret.len()
                );
            }
        }
    }
    assert!(
        n_secrets >= 4,
        "the fixtures hold secrets, found {n_secrets}"
    );
}

#[test]
fn the_passphrase_of_the_stack_opens_what_is_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("passphrase");
    let vault = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/tests/corpus/pulumi-state/vault.json"
    );
    let get = |passphrase: &str| {
        std::fs::write(&file, passphrase).unwrap();
        let output = crate::built()
            .args(["get", vault, "door", "result", "--reveal"])
            .arg("--passphrase-file")
            .arg(&file)
            .output()
            .unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        (text(output.stdout), text(output.stderr))
    };
    assert!(get("open sesame\n").0.contains("chrysanthemum"));
    let (out, err) = get("wrong");
    assert!(!out.contains("chrysanthemum"));
    assert!(err.contains("incorrect passphrase"), "{err}");
}

#[test]
fn a_passphrase_file_opens_encrypted_files_for_every_command() {
    use crate::encrypted::{self, Lock};
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let state = write("s.tfstate", &encrypted::state(Lock::Passphrase("p w")));
    let by_key = write("k.tfstate", &encrypted::state(Lock::Static(7)));
    let passphrase = write("passphrase", b"p w\n");
    let digits = write("digits", "07".repeat(32).as_bytes());
    let wrong = write("wrong", b"other\n");
    for (command_args, want) in [
        (vec!["info"], "tfstate"),
        (vec!["ls"], "random_password.door"),
        (vec!["get", "random_password.door", "length"], "8"),
        (vec!["find", "@length"], "length"),
        (vec!["graph"], "digraph"),
    ] {
        for (file, key) in [(&state, &passphrase), (&by_key, &digits)] {
            let mut args = command_args.clone();
            args.insert(1, file);
            args.extend(["--passphrase-file", key]);
            let run = command(&args);
            assert!(run.out.contains(want), "{args:?}: {run:?}");
            assert!(!run.out.contains("marigold"), "{args:?}");
        }
    }
    let run = command(&["--passphrase-file", &passphrase, &state]);
    assert!(run.out.contains("random_password.door"), "{run:?}");
    let run = command(&["info", &state, "--passphrase-file", &wrong]);
    assert_eq!(run.code, 65);
    assert!(run.err.contains("wrong passphrase or key"), "{run:?}");
    let run = command(&["info", &state]);
    assert_eq!(run.code, 65);
    assert!(run.err.contains("it needs a passphrase"), "{run:?}");
    let run = command(&["info", &state, "--passphrase-file", "no/such/file"]);
    assert_eq!(run.code, 74);
    let reveal = ["--reveal", "--passphrase-file", passphrase.as_str()];
    let run = command(
        &[
            &["get", &state, "random_password.door", "result"],
            &reveal[..],
        ]
        .concat(),
    );
    assert!(run.out.contains("marigold"), "{run:?}");
}
