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
    let found: Vec<_> = list(folder.path())
        .unwrap()
        .into_iter()
        .map(|entry| {
            let project = entry
                .project
                .map_or_else(String::new, |project| format!("{project}/"));
            format!(
                "{:?} {project}{}{}",
                entry.role,
                entry.name,
                if entry.current { " current" } else { "" }
            )
        })
        .collect();
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
        &["State app/dev", "State net/prod", "Backup net/prod"],
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
            "State blue current",
            "State default",
            "Plan prod.tfplan",
            "Backup default",
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
