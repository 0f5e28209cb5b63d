//! The configuration file, the variables and the options: later ones win, and what is wrong is said with its place.

use std::fs;
use std::path::{Path, PathBuf};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use tempfile::TempDir;

use super::{PLAN, Run, SHOP, command, root};

/// A folder with a configuration file.
fn configured(text: &str) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("config.toml");
    fs::write(&file, text).unwrap();
    (folder, file)
}

/// Runs a command with a configuration file.
fn with(file: &Path, args: &[&str]) -> Run {
    command(&[&["--config", file.to_str().unwrap()], args].concat())
}

/// Runs the built program with these variables.
fn started(args: &[&str], variables: &[(&str, &str)]) -> Run {
    let output = crate::built()
        .args(args)
        .current_dir(root())
        .envs(variables.iter().copied())
        .output()
        .unwrap();
    Run {
        code: output.status.code().unwrap(),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

/// The line of the settings that begins with this key.
#[track_caller]
fn line(run: &Run, key: &str) -> String {
    let start = format!("{key} = ");
    let line = run.out.lines().find(|line| line.starts_with(&start));
    let line = line.unwrap_or_else(|| panic!("{run:?}"));
    line.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn a_file_beyond_the_limit_is_refused() {
    let padded = |size: usize| {
        let setting = "context = 4\n";
        "#".repeat(size - setting.len() - 1) + "\n" + setting
    };
    let (_folder, file) = configured(&padded(1 << 20));
    assert_eq!(
        line(&with(&file, &["config"]), "context"),
        "context = 4 # config.toml:2"
    );
    let (_folder, file) = configured(&padded((1 << 20) + 1));
    let run = with(&file, &["config"]);
    let want = format!(
        "{}: more than 1 MiB; --config names another file of settings",
        file.display()
    );
    assert!(run.code == 65 && run.err.contains(&want), "{run:?}");
}

#[test]
fn each_value_is_printed_with_its_origin() {
    let (_folder, file) =
        configured("theme = \"nord\"\n\nmouse = true\n[keys]\nquit = [\"Q\", \"^c\"]\n");
    let file = file.to_str().unwrap();
    let variables = [("STACKLENS_CONFIG", file), ("STACKLENS_CONTEXT", "4")];
    let run = started(&["config", "--color", "never"], &variables);
    assert_eq!(run.code, 0, "{run:?}");
    assert!(run.out.starts_with(&format!("# {file}\n")), "{run:?}");
    assert_eq!(line(&run, "theme"), "theme = \"nord\" # config.toml:1");
    assert_eq!(line(&run, "mouse"), "mouse = true # config.toml:3");
    assert_eq!(line(&run, "context"), "context = 4 # STACKLENS_CONTEXT");
    assert_eq!(line(&run, "color"), "color = \"never\" # --color");
    assert_eq!(line(&run, "watch"), "watch = false # default");
    assert_eq!(line(&run, "quit"), "quit = [\"Q\", \"^c\"] # config.toml:5");
}

#[test]
fn an_option_wins_over_a_variable_and_that_over_the_file() {
    let (_folder, file) = configured("theme = \"nord\"\n");
    let file = file.to_str().unwrap();
    let theme = |args: &[&str], variables: &[(&str, &str)]| {
        let config = [("STACKLENS_CONFIG", file)];
        line(&started(args, &[&config, variables].concat()), "theme")
    };
    let variable = [("STACKLENS_THEME", "light")];
    assert_eq!(theme(&["config"], &[]), "theme = \"nord\" # config.toml:1");
    assert_eq!(
        theme(&["config"], &variable),
        "theme = \"light\" # STACKLENS_THEME"
    );
    let option = ["config", "--theme", "dark"];
    assert_eq!(theme(&option, &variable), "theme = \"dark\" # --theme");
    // The option names another file than the variable.
    let (_other, named) = configured("theme = \"sixteen\"\n");
    let named = ["config", "--config", named.to_str().unwrap()];
    assert_eq!(theme(&named, &[]), "theme = \"sixteen\" # config.toml:1");
}

#[test]
fn a_broken_file_stops_every_command_that_reads_it_and_says_where() {
    let (_folder, file) = configured("mouse = true\nthme = \"nord\"\n");
    let complaint = format!(
        "stacklens: {}:2: no setting is called `thme`; `theme` is alike\n",
        file.display()
    );
    for args in [
        &["ls", SHOP][..],
        &["info", SHOP],
        &["brief", PLAN],
        &["diff", PLAN],
        &["check", SHOP],
        &["find", SHOP, "db"],
        &["rules"],
        &["config"],
        &["demo"],
        &[SHOP],
    ] {
        let run = with(&file, args);
        assert_eq!((run.code, run.out.as_str()), (64, ""), "{args:?}");
        assert_eq!(run.err, complaint, "{args:?}");
    }
    // These help to mend it.
    for args in [
        &["config", "--init"][..],
        &["man"],
        &["schema"],
        &["completions", "bash"],
        &["help"],
        &["--help"],
    ] {
        let run = with(&file, args);
        assert_eq!((run.code, run.err.as_str()), (0, ""), "{args:?}");
    }
}

#[test]
fn a_file_that_is_named_must_be_there() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("config.toml");
    let run = with(&file, &["ls", SHOP]);
    assert_eq!(run.code, 74, "{run:?}");
    assert!(run.err.contains("config.toml"), "{run:?}");
}

#[test]
fn a_wrong_variable_is_a_usage_error() {
    let run = started(&["ls", SHOP], &[("STACKLENS_THEME", "drak")]);
    assert_eq!((run.code, run.out.as_str()), (64, ""), "{run:?}");
    let start = "stacklens: STACKLENS_THEME: expected one of `auto`, `dark`, ";
    assert!(run.err.starts_with(start), "{run:?}");
    assert!(
        run.err.ends_with("found `drak`; `dark` is alike\n"),
        "{run:?}"
    );
}

#[test]
fn rules_come_from_the_folder_beside_the_file_and_from_options() {
    let (folder, file) = configured("rules = [\"rules\"]\n");
    let rules = folder.path().join("rules");
    fs::create_dir(&rules).unwrap();
    let rule = |id: &str| {
        format!(
            "[[rule]]\nid = \"{id}\"\nlevel = \"note\"\ntypes = [\"a_b\"]\nwhen = \"deleted\"\nsays = \"it goes\"\n"
        )
    };
    fs::write(rules.join("one.toml"), rule("first-of-ours")).unwrap();
    fs::write(rules.join("notes.txt"), "no rules").unwrap();
    let more = folder.path().join("more.toml");
    fs::write(&more, rule("second-of-ours")).unwrap();
    let run = with(&file, &["rules", "--rules", more.to_str().unwrap()]);
    assert_eq!(run.code, 0, "{run:?}");
    assert!(run.out.contains("first-of-ours") && run.out.contains("second-of-ours"));
    fs::write(rules.join("two.toml"), "[[rule]]\nid = 1\n").unwrap();
    let run = with(&file, &["brief", PLAN]);
    assert_eq!(run.code, 65, "{run:?}");
    assert!(run.err.contains("two.toml:2: "), "{run:?}");
}

#[test]
fn options_of_all_commands_stand_on_either_side() {
    let before = command(&["--color", "always", "--theme", "nord", "config"]);
    let after = command(&["config", "--color", "always", "--theme", "nord"]);
    assert_eq!((before.code, before.out), (0, after.out));
    let run = command(&["--watch", "ls", SHOP]);
    assert_eq!(run.code, 64);
    assert!(
        run.err.contains("--watch is an option of the explorer"),
        "{run:?}"
    );
}

#[test]
fn likely_secrets_are_masked_unless_a_setting_says_otherwise() {
    let folder = tempfile::tempdir().unwrap();
    let state = folder.path().join("state.json");
    let token = format!("ghp_{}", "16C7e42F292c6912E7710c838347Ae178B4a");
    let text = format!(
        r#"{{"version":3,"deployment":{{"manifest":{{}},"resources":[{{"urn":"urn:pulumi:s::p::k:m:T::one","custom":true,"type":"k:m:T","id":"i","outputs":{{"note":"{token}"}}}}]}}}}"#
    );
    fs::write(&state, text).unwrap();
    let state = state.to_str().unwrap();
    let get = ["get", state, "one", "note"];
    let (_folder, file) = configured("mask_likely = false\n");
    assert!(!command(&get).out.contains(&token));
    assert_eq!(with(&file, &get).out, format!("{token}\n"));
    let masked = with(&file, &[&["--mask-likely"], &get[..]].concat());
    assert!(!masked.out.contains(&token), "{masked:?}");
}

#[test]
fn a_person_adds_names_and_forms_of_secrets() {
    let folder = tempfile::tempdir().unwrap();
    let state = folder.path().join("state.json");
    let outputs = serde_json::json!({"door_code": "q9w8", "note": "see acme_q9w8e7r6t5 there", "near": "acme_team", "kept": "beta_q9w8e7r6t5"});
    let resource = serde_json::json!({"urn": "urn:pulumi:s::p::k:m:T::one", "custom": true, "type": "k:m:T", "id": "i", "outputs": outputs});
    let text =
        serde_json::json!({"version": 3, "deployment": {"manifest": {}, "resources": [resource]}});
    fs::write(&state, text.to_string()).unwrap();
    let state = state.to_str().unwrap();
    let names = folder.path().join("names.toml");
    let written = |text: &str| fs::write(&names, text).unwrap();
    let get = |path: &str| {
        command(&[
            "--secrets",
            names.to_str().unwrap(),
            "get",
            state,
            "one",
            path,
        ])
    };
    written(
        "[[name]]\nid = 'door'\nvalue = 'any'\nends = ['door code']\n\
         [[form]]\nid = 'acme'\nsays = 'a token of Acme'\nstarts = ['acme_']\nform = 'acme_[a-z0-9]{10}'\n",
    );
    for (path, shown) in [
        ("door_code", "[likely secret]"),
        ("note", "see [likely secret] there"),
        ("near", "acme_team"),
        ("kept", "beta_q9w8e7r6t5"),
    ] {
        assert_eq!(get(path).out, format!("{shown}\n"));
        assert!(
            shown.contains("likely") != command(&["get", state, "one", path]).out.contains(shown)
        );
    }
    let found = command(&[
        "--secrets",
        names.to_str().unwrap(),
        "find",
        state,
        "q9w8e7r6t5",
        "--json",
    ])
    .out;
    assert!(!found.contains("acme_q9w8e7r6t5"), "{found}");
    for (form, says) in [
        (
            "starts = ['a']\nform = 'a('",
            "names.toml: not a file of names of secrets: form `acme`: regex parse error",
        ),
        (
            "starts = ['a']\nform = '(?x)a # b'",
            "form `acme`: regex parse error",
        ),
        (
            "starts = []\nform = 'a'",
            "form `acme`: it has no literal beginning",
        ),
        ("starts = ['a']", "missing field `form`"),
    ] {
        written(&format!(
            "[[form]]\nid = 'acme'\nsays = 'a token'\n{form}\n"
        ));
        let run = get("note");
        assert!(run.code != 0 && run.out.is_empty(), "{run:?}");
        assert!(run.err.contains(says), "{run:?}");
    }
}

/// The same rules mask everywhere: in what a string holds packed, in findings, in what the person says is none.
#[test]
fn the_names_of_a_person_count_everywhere() {
    let folder = tempfile::tempdir().unwrap();
    let place = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let state = |name: &str, port: u32| {
        let script =
            format!("#!/bin/sh\nrun --with acme_q9w8e7r6t5\ndoor_code=q9w8\nport={port}\n");
        let packed = STANDARD.encode(script);
        let outputs =
            serde_json::json!({"door_code": "q9w8", "note": "see acme_q9w8e7r6t5", "data": packed});
        let resource = serde_json::json!({"urn": "urn:pulumi:s::p::k:m:T::one", "custom": true, "type": "k:m:T", "id": "acme_q9w8e7r6t5",
            "outputs": outputs});
        let file = serde_json::json!({"version": 3, "deployment": {"manifest": {}, "resources": [resource]}});
        fs::write(place(name), file.to_string()).unwrap();
        place(name)
    };
    let (old, new) = (state("old.json", 80), state("new.json", 81));
    let names = place("names.toml");
    fs::write(
        &names,
        "[[name]]\nid = 'door'\nvalue = 'any'\nends = ['door code']\n\
         [[form]]\nid = 'acme'\nsays = 'a token of Acme'\nstarts = ['acme_']\nform = 'acme_[a-z0-9]{10}'\n",
    )
    .unwrap();
    let with_names = |args: &[&str]| command(&[args, &["--secrets", &names]].concat());
    for args in [
        &["diff", &old, &new][..],
        &["diff", &old, &new, "--json"],
        &["diff", &old, &new, "--markdown"],
        &["diff", &old, &new, "--format", "terraform"],
        &["brief", &old, &new],
        &["brief", &old, &new, "--json"],
        &["brief", &old],
        &["check", &old],
        &["ls", &old],
        &["ls", &old, "--json"],
        &["get", &old, "one"],
        &["find", &old, "port"],
        &["graph", &old],
    ] {
        let run = with_names(args);
        let printed = format!("{}{}", run.out, run.err);
        for secret in ["acme_q9w8e7r6t5", "q9w8"] {
            assert!(!printed.contains(secret), "{args:?}: {printed}");
        }
    }
    let opened = with_names(&["diff", &old, &new]).out;
    assert!(
        opened.contains("door_code=[likely secret]") && opened.contains("port=81"),
        "{opened}"
    );
    let found = with_names(&["check", &old]).out;
    for says in ["a token of Acme in clear text", "secret by its name"] {
        assert!(found.contains(says), "{found}");
    }
    let (_folder, file) = configured(&format!(
        "[secrets]\nfiles = [{names:?}]\nallow = [\"door_code\"]\n"
    ));
    let run = with(&file, &["check", &old]);
    assert!(
        run.out.contains("a token of Acme") && !run.out.contains("secret by its name"),
        "{run:?}"
    );
    let (_folder, file) = configured(&format!(
        "[secrets]\nfiles = [{names:?}]\nallow = [\"k:m:T\"]\n"
    ));
    assert!(!with(&file, &["check", &old]).out.contains("in clear text:"));
}

#[test]
fn the_commented_file_can_be_kept() {
    let run = command(&["config", "--init"]);
    assert_eq!(run.code, 0);
    let (_folder, file) = configured(&run.out);
    let run = with(&file, &["config"]);
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    assert_eq!(line(&run, "theme"), "theme = \"auto\" # default");
}

#[test]
fn the_settings_as_json() {
    let (_folder, file) = configured("context = 2\n[keys]\nwrap = \"W\"\n");
    let run = with(&file, &["config", "--json"]);
    let json: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(json["version"], 1);
    assert_eq!(json["file"], file.to_str().unwrap());
    let settings = json["settings"].as_array().unwrap();
    let context = settings.iter().find(|it| it["name"] == "context").unwrap();
    assert_eq!(context["value"], 2);
    assert_eq!(context["from"], "config.toml:1");
    assert_eq!(json["keys"][0]["command"], "wrap");
    assert_eq!(json["keys"][0]["keys"][0], "W");
}

/// The place that the platform has for it. Nothing is made there.
#[cfg(all(unix, not(target_os = "macos")))]
#[test]
fn the_file_of_the_platform_is_read_and_never_made() {
    let home = tempfile::tempdir().unwrap();
    let run = |args: &[&str]| {
        let output = crate::built()
            .args(args)
            .current_dir(root())
            .env_remove("STACKLENS_CONFIG")
            .env_remove("XDG_CONFIG_HOME")
            .env("HOME", home.path())
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(0), "{args:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    let place = home.path().join(".config/stacklens/config.toml");
    let said = format!("# no file at {}\n", place.display());
    assert!(run(&["config"]).starts_with(&said));
    let init = run(&["config", "--init"]);
    assert!(init.contains(&place.display().to_string()), "{init}");
    run(&["ls", SHOP]);
    assert_eq!(fs::read_dir(home.path()).unwrap().count(), 0);
    fs::create_dir_all(place.parent().unwrap()).unwrap();
    fs::write(&place, "watch = true\n").unwrap();
    assert!(run(&["config"]).contains("# config.toml:1\n"));
}
