use super::*;

fn folder(files: &[&str]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for file in files {
        let (name, contents) = file.split_once('=').unwrap_or((file, ""));
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, contents).unwrap();
    }
    folder
}

#[track_caller]
fn check(files: &[&str], want: &[&str]) {
    let folder = folder(files);
    let mut found: Vec<_> = list(folder.path())
        .unwrap()
        .into_iter()
        .map(|entry| {
            let current = if entry.current { " current" } else { "" };
            format!("{:?} {}{current}", entry.role, entry.label())
        })
        .collect();
    found.sort();
    assert_eq!(found, want);
}

#[test]
fn lists_a_backend_with_projects() {
    check(
        &[
            ".pulumi/meta.yaml=version: 1",
            ".pulumi/stacks/net/prod.json",
            ".pulumi/stacks/net/prod.json.bak",
            ".pulumi/stacks/net/prod.json.1699999999",
            ".pulumi/stacks/net/prod.pulumi-tags",
            ".pulumi/stacks/app/dev.json.gz",
        ],
        &["Backup net/prod", "State app/dev", "State net/prod"],
    );
}

#[test]
fn lists_an_old_backend() {
    check(
        &[".pulumi/stacks/prod.json", ".pulumi/stacks/prod.json.attrs"],
        &["State prod"],
    );
    check(&["stacks/prod.json.zst"], &["State prod"]);
}

#[test]
fn lists_workspaces() {
    check(
        &[
            "terraform.tfstate",
            "terraform.tfstate.backup",
            "terraform.tfstate.d/blue/terraform.tfstate",
            ".terraform/environment=blue",
            "prod.tfplan",
            "main.tf",
        ],
        &[
            "Backup terraform.tfstate.backup",
            "Plan prod.tfplan",
            "State blue/terraform.tfstate current",
            "State terraform.tfstate",
        ],
    );
    check(&["main.tf"], &[]);
}

#[test]
fn a_part_of_a_backend_lists_what_is_in_it() {
    let folder = folder(&[
        ".pulumi/stacks/net/prod.json",
        ".pulumi/stacks/net/dev.json",
        ".pulumi/stacks/app/prod.json.gz",
        ".pulumi/history/net/prod/prod-100.history.json",
    ]);
    let names = |part: &str| -> Vec<String> {
        let entries = list(&folder.path().join(part)).unwrap();
        entries
            .into_iter()
            .map(|entry| format!("{}/{}", entry.project.unwrap_or_default(), entry.name))
            .collect()
    };
    assert_eq!(names(".pulumi/stacks").len(), 3);
    assert_eq!(names(".pulumi/stacks/net"), ["net/dev", "net/prod"]);
    assert_eq!(names(".pulumi/history/net/prod"), ["net/prod"]);
}

#[test]
fn a_file_of_a_backend_belongs_to_a_stack() {
    let folder = folder(&[
        "stacks/net/prod.json",
        "history/net/prod/prod-1.checkpoint.json",
    ]);
    let of = |file: &str| {
        place(&folder.path().join(file)).map(|it| (it.project.unwrap_or_default(), it.stack))
    };
    let prod = Some(("net".to_owned(), "prod".to_owned()));
    assert_eq!(of("stacks/net/prod.json"), prod);
    assert_eq!(of("stacks/net/prod.json.gz.bak"), prod);
    assert_eq!(of("history/net/prod/prod-1.checkpoint.json"), prod);
    assert_eq!(
        of("stacks/prod.json"),
        Some((String::new(), "prod".to_owned()))
    );
    assert_eq!(of("other/prod.json"), None);
    assert_eq!(
        of_file(&folder.path().join("stacks/net/prod.json")),
        folder.path()
    );
    let state = Path::new("terraform.tfstate.d/blue/terraform.tfstate");
    assert_eq!(of_file(state), Path::new("."));
    assert_eq!(of_file(Path::new("a.json")), Path::new("."));
}

#[test]
fn lists_history_newest_first() {
    let folder = folder(&[
        "stacks/net/prod.json",
        "history/net/prod/prod-100.history.json",
        "history/net/prod/prod-100.checkpoint.json",
        "history/net/prod/prod-200.history.json.gz",
    ]);
    let updates = history(folder.path(), Some("net"), "prod");
    let found: Vec<_> = updates
        .iter()
        .map(|update| (update.nanos, update.checkpoint.is_some()))
        .collect();
    assert_eq!(found, [(200, false), (100, true)]);
}

#[test]
fn files_of_any_name_are_listed_if_their_first_bytes_are_known() {
    let state = r#"saved.txt={"version":4,"terraform_version":"1.9.0","serial":1,"lineage":"x","resources":[]}"#;
    check(
        &[
            state,
            "package.json={\"name\":\"x\"}",
            "notes.md=# notes",
            ".hidden=x",
        ],
        &["Other saved.txt"],
    );
}

#[test]
fn the_newest_stack_comes_first_and_its_files_stay_together() {
    let folder = folder(&[
        "stacks/one.json",
        "stacks/one.json.bak",
        "stacks/two.json",
        "stacks/two.json.bak",
    ]);
    let written = |file: &str, seconds: u64| {
        let path = folder.path().join("stacks").join(file);
        let time = SystemTime::UNIX_EPOCH + Duration::from_secs(seconds);
        let file = fs::File::options().write(true).open(path).unwrap();
        file.set_modified(time).unwrap();
    };
    written("one.json", 400);
    written("one.json.bak", 100);
    written("two.json", 300);
    written("two.json.bak", 200);
    let listed = || -> Vec<_> {
        let entries = list(folder.path()).unwrap();
        let rows = entries
            .iter()
            .map(|it| format!("{:?} {}", it.role, it.label()));
        rows.collect()
    };
    assert_eq!(
        listed(),
        ["State one", "Backup one", "State two", "Backup two"]
    );
    written("two.json.bak", 500);
    assert_eq!(
        listed(),
        ["Backup two", "State two", "State one", "Backup one"]
    );
}
