//! The scripts that post a brief from a pipeline, against a server on this machine.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::{Arc, Mutex};
use std::thread;

use tempfile::TempDir;

const PLAN: &str = "tests/corpus/tfplan-json/shop.json";
const STATE: &str = "tests/corpus/tfstate/shop.tfstate";

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// True if the programs that the scripts need are installed. Says so if not.
fn can_run(programs: &[&str]) -> bool {
    let is_there = |program: &&&str| {
        let found = Command::new(program).arg("--version").output();
        found.is_ok_and(|output| output.status.success())
    };
    let missing: Vec<_> = programs.iter().filter(|it| !is_there(it)).collect();
    if !missing.is_empty() {
        println!("not run: {missing:?} not installed");
    }
    missing.is_empty()
}

fn brief(options: &[&str], plans: &[&str]) -> Output {
    crate::without_settings(Command::new("bash"))
        .arg("ci/brief.sh")
        .args(options)
        .arg("--")
        .args(plans)
        .current_dir(root())
        .env("STACKLENS", env!("CARGO_BIN_EXE_stacklens"))
        .output()
        .unwrap()
}

fn text(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

#[test]
fn several_plans_are_one_document() {
    if !can_run(&["bash"]) {
        return;
    }
    let one = brief(&[], &[PLAN]);
    assert_eq!(one.status.code(), Some(0));
    assert!(text(&one).starts_with("### `"), "{}", text(&one));
    let both = text(&brief(&[], &[PLAN, "assets/demo.json"]));
    assert!(both.starts_with("## 2 plans · "), "{both}");
    for plan in [PLAN, "assets/demo.json"] {
        assert!(both.contains(&format!("\n### `{plan}`\n")), "{both}");
    }
}

#[test]
fn patterns_and_folders_are_plans() {
    if !can_run(&["bash"]) {
        return;
    }
    let found = text(&brief(&[], &["tests/corpus/**/format-1.[01].json"]));
    for plan in ["format-1.0.json", "format-1.1.json"] {
        let title = format!("\n### `tests/corpus/tfplan-json/{plan}`\n");
        assert!(found.contains(&title), "{found}");
    }
    let folder = text(&brief(&[], &["tests/corpus/tfplan-json"]));
    assert!(folder.starts_with("## "), "{folder}");
    let none = brief(&[], &["no/such/*.json"]);
    assert_eq!(none.status.code(), Some(74));
    let said = "no brief:\n\n    stacklens: no/such/*.json: no such file\n";
    assert_eq!(text(&none), said);
    // A name with a blank is one plan.
    let place = TempDir::new().unwrap();
    let plan = place.path().join("a plan.json");
    std::fs::copy(root().join(PLAN), &plan).unwrap();
    let pattern = place.path().join("*.json");
    assert_eq!(
        brief(&[], &[pattern.to_str().unwrap()]).status.code(),
        Some(0)
    );
    assert_eq!(brief(&[], &[plan.to_str().unwrap()]).status.code(), Some(0));
}

#[test]
fn the_gate_and_errors_reach_the_exit_code() {
    if !can_run(&["bash"]) {
        return;
    }
    let closed = brief(&["--fail-on=danger"], &["assets/demo.json"]);
    assert_eq!(closed.status.code(), Some(3));
    assert!(
        text(&closed).len() > 100,
        "the brief is printed all the same"
    );
    let unread = brief(&[], &["assets/demo.json", "no-such-plan.json"]);
    assert_eq!(unread.status.code(), Some(65));
    assert!(
        text(&unread).contains("could not be read") && text(&unread).contains("`assets/demo.json`"),
        "{}",
        text(&unread)
    );
    assert_eq!(brief(&[], &[]).status.code(), Some(64));
    assert_ne!(brief(&[], &[STATE]).status.code(), Some(3));
}

/// A request that the server got: its method with its path, its token, and its body.
#[derive(Clone, Debug)]
struct Request {
    line: String,
    token: String,
    body: String,
}

/// A server of comments: the address, and the requests so far. Every list holds these comments.
fn server(comments: &'static str) -> (String, Arc<Mutex<Vec<Request>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let requests = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&requests);
    thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let mut reader = BufReader::new(stream.try_clone().unwrap());
            let (mut line, mut token, mut length) = (String::new(), String::new(), 0);
            reader.read_line(&mut line).unwrap();
            loop {
                let mut header = String::new();
                reader.read_line(&mut header).unwrap();
                let lower = header.to_lowercase();
                if let Some(value) = lower.strip_prefix("content-length:") {
                    length = value.trim().parse().unwrap();
                } else if lower.starts_with("authorization:") || lower.starts_with("private-token:")
                {
                    header.trim().clone_into(&mut token);
                } else if header.trim().is_empty() {
                    break;
                }
            }
            let mut body = vec![0; length];
            reader.read_exact(&mut body).unwrap();
            let request = Request {
                line: line.trim_end_matches(" HTTP/1.1\r\n").to_owned(),
                token,
                body: String::from_utf8(body).unwrap(),
            };
            let answer = if request.line.starts_with("GET") {
                comments
            } else {
                "{}"
            };
            seen.lock().unwrap().push(request);
            let length = answer.len();
            write!(
                stream,
                "HTTP/1.1 200 OK\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{answer}"
            )
            .unwrap();
        }
    });
    (address, requests)
}

fn comment(folder: &Path, variables: &[(&str, &str)]) -> Output {
    let file = folder.join("brief.md");
    std::fs::write(&file, "21 changes, \"2\" delete\n").unwrap();
    let output = crate::without_settings(Command::new("bash"))
        .args(["ci/comment.sh", "prod"])
        .arg(&file)
        .current_dir(root())
        .env_remove("GITHUB_ACTIONS")
        .env_remove("GITLAB_CI")
        .env("no_proxy", "127.0.0.1")
        .envs(variables.iter().copied())
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    output
}

const BODY: &str = r#"{"body":"<!-- stacklens:prod -->\n21 changes, \"2\" delete\n"}"#;

fn compact(json: &str) -> String {
    let value: serde_json::Value = serde_json::from_str(json).unwrap();
    value.to_string()
}

#[test]
fn a_comment_on_github_is_posted_or_replaced() {
    if !can_run(&["bash", "curl", "jq"]) {
        return;
    }
    let folder = TempDir::new().unwrap();
    let event = folder.path().join("event.json");
    std::fs::write(&event, r#"{"pull_request": {"number": 7}}"#).unwrap();
    for (comments, wanted) in [
        (
            r#"[{"id": 1, "body": "hello"}, {"id": 2, "body": "<!-- stacklens:test -->\nx"}]"#,
            "POST /repos/a/b/issues/7/comments",
        ),
        (
            r#"[{"id": 1, "body": "hello"}, {"id": 3, "body": "<!-- stacklens:prod -->\nx"}]"#,
            "PATCH /repos/a/b/issues/comments/3",
        ),
    ] {
        let (address, requests) = server(comments);
        comment(
            folder.path(),
            &[
                ("GITHUB_ACTIONS", "true"),
                ("GITHUB_API_URL", &address),
                ("GITHUB_REPOSITORY", "a/b"),
                ("GITHUB_EVENT_PATH", event.to_str().unwrap()),
                ("GITHUB_TOKEN", "t0ken"),
            ],
        );
        let requests = requests.lock().unwrap();
        let last = requests.last().unwrap();
        assert_eq!(last.line, wanted);
        assert_eq!(last.token, "Authorization: Bearer t0ken");
        assert_eq!(compact(&last.body), BODY);
    }
}

#[test]
fn a_comment_on_gitlab_is_posted_or_replaced() {
    if !can_run(&["bash", "curl", "jq"]) {
        return;
    }
    let folder = TempDir::new().unwrap();
    for (comments, wanted) in [
        ("[]", "POST /projects/5/merge_requests/9/notes"),
        (
            r#"[{"id": 4, "body": "<!-- stacklens:prod -->"}]"#,
            "PUT /projects/5/merge_requests/9/notes/4",
        ),
    ] {
        let (address, requests) = server(comments);
        comment(
            folder.path(),
            &[
                ("GITLAB_CI", "true"),
                ("CI_API_V4_URL", &address),
                ("CI_PROJECT_ID", "5"),
                ("CI_MERGE_REQUEST_IID", "9"),
                ("GITLAB_TOKEN", "t0ken"),
            ],
        );
        let requests = requests.lock().unwrap();
        let last = requests.last().unwrap();
        assert_eq!(last.line, wanted);
        assert_eq!(last.token, "PRIVATE-TOKEN: t0ken");
        assert_eq!(compact(&last.body), BODY);
    }
}

#[test]
fn outside_of_a_pull_request_nothing_is_posted() {
    if !can_run(&["bash", "curl", "jq"]) {
        return;
    }
    let folder = TempDir::new().unwrap();
    let output = comment(folder.path(), &[]);
    assert!(String::from_utf8_lossy(&output.stderr).contains("nothing posted"));
    let output = comment(folder.path(), &[("GITLAB_CI", "true")]);
    assert!(String::from_utf8_lossy(&output.stderr).contains("no merge request"));
}

#[test]
fn an_empty_file_is_not_posted() {
    if !can_run(&["bash"]) {
        return;
    }
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("brief.md");
    std::fs::write(&file, "").unwrap();
    let output = crate::without_settings(Command::new("bash"))
        .args(["ci/comment.sh", "prod"])
        .arg(&file)
        .current_dir(root())
        .env("GITHUB_ACTIONS", "true")
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert!(String::from_utf8_lossy(&output.stderr).contains("is empty"));
}

/// Runs the script of the action's last step as a runner does. `api` is the address of the server, `fail_on` the input of this name.
fn action(folder: &Path, api: &str, fail_on: &str) -> Output {
    let text = std::fs::read_to_string(root().join("action.yml")).unwrap();
    let (_, script) = text.rsplit_once("run: |\n").unwrap();
    let place = |name: &str| folder.join(name);
    std::fs::write(place("step.sh"), script).unwrap();
    std::fs::write(place("event.json"), r#"{"pull_request": {"number": 7}}"#).unwrap();
    std::fs::write(place("summary.md"), "").unwrap();
    crate::without_settings(Command::new("bash"))
        .args(["--noprofile", "--norc", "-eo", "pipefail"])
        .arg(place("step.sh"))
        .current_dir(root())
        .env("no_proxy", "127.0.0.1")
        .env("STACKLENS", env!("CARGO_BIN_EXE_stacklens"))
        .env("SOURCE", root())
        .env("PLANS", format!("assets/demo.json\n\n{PLAN}\n"))
        .env("FAIL_ON", fail_on)
        .env("RULES", "")
        .env("KEY", "prod")
        .env("COMMENT", "true")
        .env("GITHUB_ACTIONS", "true")
        .env("GITHUB_API_URL", api)
        .env("GITHUB_REPOSITORY", "a/b")
        .env("GITHUB_TOKEN", "t0ken")
        .env("GITHUB_EVENT_PATH", place("event.json"))
        .env("GITHUB_STEP_SUMMARY", place("summary.md"))
        .env("RUNNER_TEMP", folder)
        .output()
        .unwrap()
}

#[test]
fn the_step_of_the_action_posts_the_brief_and_then_fails() {
    if !can_run(&["bash", "curl", "jq"]) {
        return;
    }
    let folder = TempDir::new().unwrap();
    let (api, requests) = server("[]");
    assert_eq!(action(folder.path(), &api, "danger").status.code(), Some(3));
    let summary = std::fs::read_to_string(folder.path().join("summary.md")).unwrap();
    assert!(
        summary.starts_with("## 2 plans · 2 with dangers"),
        "{summary}"
    );
    let requests = requests.lock().unwrap();
    let last = requests.last().unwrap();
    assert_eq!(last.line, "POST /repos/a/b/issues/7/comments");
    let body: serde_json::Value = serde_json::from_str(&last.body).unwrap();
    let posted = format!("<!-- stacklens:prod -->\n{summary}");
    assert_eq!(body["body"], posted);
}

#[test]
fn a_comment_that_cannot_be_posted_fails_the_step_but_does_not_hide_the_gate() {
    if !can_run(&["bash", "curl", "jq"]) {
        return;
    }
    let folder = TempDir::new().unwrap();
    let nobody = "http://127.0.0.1:1";
    let closed = action(folder.path(), nobody, "danger");
    assert_eq!(closed.status.code(), Some(3));
    let said = String::from_utf8(closed.stderr).unwrap();
    assert!(said.contains("may the token write comments?"), "{said}");
    let open = action(folder.path(), nobody, "").status.code();
    assert!(![Some(0), Some(3)].contains(&open), "{open:?}");
}

/// Runs the hook for pre-commit on these files.
fn hook(files: &[&str]) -> Output {
    let text = std::fs::read_to_string(root().join(".pre-commit-hooks.yaml")).unwrap();
    let entry = text
        .lines()
        .find_map(|it| it.trim().strip_prefix("entry: "));
    let mut words = entry.unwrap().split(' ');
    assert_eq!(words.next(), Some("stacklens"));
    let output = crate::built()
        .args(words)
        .args(files)
        .current_dir(root())
        .output();
    output.unwrap()
}

#[test]
fn the_hook_checks_all_files_of_a_commit() {
    let good = hook(&[STATE, PLAN]);
    assert_eq!(good.status.code(), Some(0));
    assert!(text(&good).starts_with("2 stacks: "), "{}", text(&good));
    assert_eq!(hook(&[STATE]).status.code(), Some(0));
    let folder = TempDir::new().unwrap();
    let cut = folder.path().join("cut.tfstate");
    std::fs::write(&cut, r#"{"version": 4, "resources": ["#).unwrap();
    let broken = hook(&[STATE, cut.to_str().unwrap()]);
    assert_eq!(broken.status.code(), Some(65));
}
