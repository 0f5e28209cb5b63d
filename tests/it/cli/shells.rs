//! Completions of shells, manual pages, and words that are nearly a command.

use std::process::Command;

use tempfile::TempDir;

use super::{BEFORE, SHOP, command, root};

/// The candidates that `shell` gets for the last of `words`.
fn completed(shell: &str, words: &[&str]) -> Vec<String> {
    let output = crate::built()
        .current_dir(root())
        .env("HOME", root())
        .env("STACKLENS_COMPLETE", shell)
        .env("_CLAP_IFS", "\n")
        .env("_CLAP_COMPLETE_INDEX", (words.len() - 1).to_string())
        .arg("--")
        .args(words)
        .output()
        .unwrap();
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{complaint}");
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().map(str::to_owned).collect()
}

#[test]
fn commands_themes_and_rules_are_completed() {
    assert_eq!(completed("bash", &["stacklens", "bri"]), ["brief"]);
    let themes = completed("bash", &["stacklens", "--theme", "solarized-"]);
    assert_eq!(themes, ["solarized-dark", "solarized-light"]);
    let pages = completed("bash", &["stacklens", "man", "s"]);
    assert_eq!(pages, ["schema", "search", "stacklens.toml"]);
    assert_eq!(
        completed("bash", &["stacklens", "schema", "d"]),
        ["deps", "deps-lines", "diff"]
    );
    assert_eq!(
        completed("bash", &["stacklens", "--color", "ne"]),
        ["never"]
    );
    let rules = completed("bash", &["stacklens", "rules", "aws-rds-backup-s"]);
    assert_eq!(rules, ["aws-rds-backup-shortened"]);
}

#[test]
fn resources_of_the_typed_file_are_completed() {
    let listed = command(&["ls", SHOP]).out;
    for shell in ["bash", "fish"] {
        let names = completed(shell, &["stacklens", "get", SHOP, "orders-d"]);
        let names: Vec<&str> = names
            .iter()
            .map(|line| line.split('\t').next().unwrap())
            .collect();
        assert!(names.contains(&"orders-db"), "{names:?}");
        for name in names {
            assert!(listed.contains(name), "{name}");
            assert_eq!(command(&["get", SHOP, name]).code, 0, "{name}");
        }
    }
    let below_home = format!("~/{SHOP}");
    let names = completed("bash", &["stacklens", "get", &below_home, "orders-db"]);
    assert_eq!(names, ["orders-db"]);
    let flags = completed(
        "bash",
        &["stacklens", "deps", "--reverse", SHOP, "orders-db"],
    );
    assert!(flags.contains(&"orders-db".to_owned()), "{flags:?}");
    assert!(completed("bash", &["stacklens", "get", "no-such-file", "orders"]).is_empty());
}

/// Names come from a file: one with a meaning for the shell is quoted, by the shell itself or by us.
#[test]
fn names_do_not_run_as_commands() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("hostile.tfstate");
    let resource = |name: &str| {
        format!(
            r#"{{"mode": "managed", "type": "null_resource", "name": "{name}", "provider": "provider[\"a/b/null\"]",
                 "instances": [{{"index_key": "$(touch x)'`;\"", "attributes": {{}}}}]}}"#
        )
    };
    let text = format!(
        r#"{{"version": 4, "terraform_version": "1.9.0", "serial": 1, "lineage": "a", "outputs": {{}}, "resources": [{}, {}]}}"#,
        resource("plain"),
        resource(r"\u001b[31m"),
    );
    std::fs::write(&file, text).unwrap();
    let file = file.to_str().unwrap();
    let words = ["stacklens", "get", file, "null"];
    let only = |shell: &str| {
        let found = completed(shell, &words);
        assert_eq!(found.len(), 1, "{found:?}");
        found[0].clone()
    };
    let address = r#"null_resource.plain["$(touch x)'`;\""]"#;
    let posix = format!("'{}'", address.replace('\'', r"'\''"));
    assert_eq!(only("bash"), posix);
    assert_eq!(
        only("powershell").split('\t').next().unwrap(),
        format!("'{}'", address.replace('\'', "''"))
    );
    assert!(only("fish").starts_with(address));
}

#[test]
fn the_script_of_each_shell_asks_the_program() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = command(&["completions", shell]).out;
        assert!(script.contains("STACKLENS_COMPLETE"), "{shell}: {script}");
        assert!(script.contains("stacklens"), "{shell}");
    }
    assert_eq!(command(&["completions", "tcsh"]).code, 64);
}

/// Bash itself runs the script and finds a resource.
#[test]
fn bash_completes_a_resource() {
    let program = env!("CARGO_BIN_EXE_stacklens");
    let folder = std::path::Path::new(program).parent().unwrap();
    let path = format!("{}:{}", folder.display(), std::env::var("PATH").unwrap());
    let script = format!(
        r#"source <(stacklens completions bash)
           COMP_WORDS=(stacklens get {BEFORE} aws_db); COMP_CWORD=3; COMP_TYPE=9
           _clap_complete_stacklens stacklens aws_db {BEFORE}
           printf '%s\n' "${{COMPREPLY[@]}}""#
    );
    let bash = crate::without_settings(Command::new("bash"))
        .args(["--norc", "-c", &script])
        .env("PATH", path)
        .current_dir(root())
        .output();
    let Ok(output) = bash else {
        println!("not run: bash is not installed");
        return;
    };
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(
        text.starts_with("aws_db"),
        "{text} {}",
        String::from_utf8_lossy(&output.stderr)
    );
}

#[test]
fn every_command_has_a_manual_page() {
    let folder = TempDir::new().unwrap();
    let to = folder.path().join("man");
    assert_eq!(command(&["man", "--to", to.to_str().unwrap()]).code, 0);
    let read = |name: &str| std::fs::read_to_string(to.join(name)).unwrap();
    let program = read("stacklens.1");
    for name in [
        "info",
        "ls",
        "get",
        "find",
        "deps",
        "graph",
        "brief",
        "diff",
        "check",
        "rules",
        "completions",
        "config",
        "man",
    ] {
        let page = format!("stacklens-{name}.1");
        assert!(read(&page).contains(".SH OPTIONS"), "{page}");
        assert_eq!(read(&page), command(&["man", name]).out, "{page}");
        assert!(
            program.contains(&format!("stacklens\\-{name}(1)")),
            "{name}"
        );
    }
    assert_eq!(program, command(&["man"]).out);
    assert!(!program.contains("stacklens\\-help"), "{program}");
    for heading in [
        ".SH EXAMPLES",
        ".SH \"EXIT CODES\"",
        ".SH VARIABLES",
        ".SH FILES",
    ] {
        assert!(program.contains(heading), "{heading}");
    }
    let demo = ".TP\n\\fBstacklens demo\\fR\nlook around in";
    assert!(program.contains(demo), "{program}");
    // A terminal of the C locale shows nothing else.
    for page in std::fs::read_dir(&to).unwrap() {
        let page = page.unwrap().path();
        let text = std::fs::read_to_string(&page).unwrap();
        assert!(text.is_ascii(), "{}", page.display());
        assert!(text.contains(".SH \"SEE ALSO\""), "{}", page.display());
    }
    let search = read("stacklens-search.7");
    assert!(
        search.contains(".SH FIELDS") && search.contains("marked, reviewed"),
        "{search}"
    );
    let configuration = read("stacklens.toml.5");
    assert!(configuration.contains("STACKLENS_THEME"), "{configuration}");
    assert!(configuration.contains("quit = ["), "{configuration}");
    assert_eq!(configuration, command(&["man", "stacklens.toml"]).out);
    let unknown = command(&["man", "serch"]);
    assert_eq!(unknown.code, 1);
    assert!(unknown.err.contains("search"), "{}", unknown.err);
}

#[test]
fn a_mistyped_command_is_named() {
    let run = command(&["breif", "plan.json"]);
    assert_eq!(run.code, 64);
    assert!(run.err.contains("`brief`"), "{}", run.err);
    let run = command(&["chekc"]);
    assert_eq!(run.code, 64);
    assert!(run.err.contains("`check`"), "{}", run.err);
    let run = command(&["help", "breif"]);
    assert_eq!(run.code, 64);
    assert!(run.err.contains("`brief`"), "{}", run.err);
    let run = command(&["terraform.tfstate"]);
    assert!(!run.err.contains("command"), "{}", run.err);
    assert_eq!(
        command(&["help", "brief"]).out,
        command(&["brief", "--help"]).out
    );
}
