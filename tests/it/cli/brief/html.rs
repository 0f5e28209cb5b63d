//! `brief --html`: one file for a browser without a network.

use std::fs;
use std::io::Write as _;
use std::process::{Command as Process, Stdio};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;
use sha2::{Digest as _, Sha256};

use super::super::command;
use super::super::rules::{PLAN_TEXT, written};
use super::{large_plan, plans};

/// The text between two marks that occur once.
fn between<'t>(page: &'t str, start: &str, end: &str) -> &'t str {
    let (_, rest) = page
        .split_once(start)
        .unwrap_or_else(|| panic!("no {start}"));
    rest.split_once(end).unwrap().0
}

fn page(plan: &str) -> String {
    let run = command(&["brief", plan, "--html", "-"]);
    assert!(run.code == 0 || run.code == 65, "{run:?}");
    run.out
}

fn data(page: &str) -> Value {
    let text = between(
        page,
        r#"<script type="application/json" id="data">"#,
        "</script>",
    );
    assert!(!text.contains('<'));
    serde_json::from_str(text).unwrap()
}

#[test]
fn the_file_has_the_brief_and_every_difference() {
    let (folder, plan) = written("plan.json", PLAN_TEXT);
    let file = folder.path().join("brief.html");
    let run = command(&[
        "brief",
        &plan,
        "--html",
        file.to_str().unwrap(),
        "--fail-on",
        "danger",
    ]);
    assert_eq!((run.code, run.out.as_str()), (3, ""), "{run:?}");
    let html = fs::read_to_string(&file).unwrap();
    assert_eq!(html, page(&plan));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
    assert!(!html.contains("hunter"), "{html}");
    let data = data(&html);
    assert_eq!(data["counts"], "3 changes: 3 update");
    let first = &data["sections"][0]["entries"][0];
    assert_eq!(
        first["rule"],
        serde_json::json!([
            "aws-rds-backup-shortened",
            "danger",
            "aws-rds-password-changed",
            "warning"
        ])
    );
    assert_eq!(
        first["details"],
        serde_json::json!([
            ["~", "backup_retention_period  14 → 1"],
            [" ", "the password of the administrator changes"],
            ["~", "password  [secret] → [secret]"],
            [
                " ",
                "not known before the apply, and it decides if nothing protects the database from deletion any longer"
            ],
            ["~", "deletion_protection  true → (known after apply)"],
        ])
    );
    let database =
        &data["differences"][usize::try_from(first["ids"][0].as_u64().unwrap()).unwrap()];
    assert_eq!(database["name"], "aws_db_instance.main");
    let lines = database["parts"][0][1].to_string();
    for want in [
        r#"[0,"~","backup_retention_period:",[["n","14"],["d"," → "],["n","1"]],""]"#,
        r#"["x","[secret]"]"#,
        "(known after apply)",
    ] {
        assert!(lines.contains(want), "{want}: {lines}");
    }
    assert_eq!(data["differences"].as_array().unwrap().len(), 3);
}

/// The policy forbids every request, and the style and the script are the ones that it allows.
#[test]
fn nothing_but_the_own_script_runs() {
    let (_folder, plan) = written("plan.json", PLAN_TEXT);
    check_frame(&page(&plan));
    let many = command(&["brief", &plan, "assets/demo.json", "--html", "-"]).out;
    assert!(many.contains("<title>2 plans · 2 with dangers"), "{many}");
    check_frame(&many);
}

#[track_caller]
fn check_frame(page: &str) {
    let policy = between(
        page,
        r#"http-equiv="Content-Security-Policy" content=""#,
        "\"",
    );
    let hash = |text: &str| format!("'sha256-{}'", STANDARD.encode(Sha256::digest(text)));
    let (style, script) = (
        between(page, "<style>", "</style>"),
        between(page, "<script>", "</script>"),
    );
    assert_eq!(
        policy,
        format!(
            "default-src 'none'; style-src {}; script-src {}; base-uri 'none'; form-action 'none'",
            hash(style),
            hash(script)
        )
    );
    for part in [style, script, between(page, "<body>", "<noscript>")] {
        for word in [
            "http:",
            "https:",
            "src=",
            "href=",
            "url(",
            "@import",
            "innerHTML",
            "fetch(",
            "{{",
        ] {
            assert!(!part.contains(word), "{word}");
        }
    }
}

#[test]
fn no_text_of_a_file_ends_its_element() {
    let hostile = r"</script><img src=x onerror=alert(1)><!--{{data}}\u0022\u001b";
    let text = PLAN_TEXT.replace("aws_db_instance.main", &format!("a.b{hostile}"));
    let (_folder, plan) = written("plan <b>.json", &text);
    let page = page(&plan);
    assert_eq!(page.matches("<script").count(), 2);
    assert_eq!(
        page.matches("<img").count() + page.matches("<!--").count() + page.matches("<b>").count(),
        0
    );
    assert!(!page.contains('\u{1b}'));
    let name = data(&page)["sections"][0]["entries"][0]["names"].to_string();
    assert!(
        name.contains("</script><img src=x onerror=alert(1)>"),
        "{name}"
    );
}

#[test]
fn every_plan_has_a_page() {
    for plan in plans() {
        let data = data(&page(&plan));
        let n = data["differences"].as_array().unwrap().len() as u64;
        for section in data["sections"].as_array().unwrap() {
            for entry in section["entries"].as_array().unwrap() {
                let ids = entry["ids"].as_array().unwrap();
                assert!(
                    ids.iter().all(|id| id.as_u64().unwrap() < n),
                    "{plan}: {entry}"
                );
            }
        }
    }
    let (_folder, plan) = written("plan.json", &large_plan(2000, ""));
    assert_eq!(
        data(&page(&plan))["differences"].as_array().unwrap().len(),
        2000
    );
}

#[test]
fn a_file_that_is_read_is_never_written() {
    let (folder, plan) = written("plan.json", PLAN_TEXT);
    let run = command(&["brief", &plan, "--html", &plan]);
    assert_eq!((run.code, run.out.as_str()), (64, ""), "{run:?}");
    assert!(
        run.err.contains("is read, expected another file to write"),
        "{run:?}"
    );
    assert_eq!(fs::read_to_string(&plan).unwrap(), PLAN_TEXT);
    let nowhere = folder.path().join("no/such/folder/brief.html");
    let run = command(&["brief", &plan, "--html", nowhere.to_str().unwrap()]);
    assert_eq!(run.code, 74, "{run:?}");
    assert!(
        run.err.contains("brief.html: cannot be written: "),
        "{run:?}"
    );
}

/// As much of a browser as the script of the page needs. It prints the titles of the sections before and after a search for `backup`.
const BROWSER: &str = r#"
const made = {};
function element(tag) {
  return { tag, style: {}, children: [], className: "", value: "", scrollTop: 0, clientHeight: 9000, listeners: {}, text: "",
    classList: { add() {} }, setAttribute() {}, focus() {}, select() {}, querySelectorAll: () => [],
    get textContent() { return this.text + this.children.map((it) => it.textContent ?? it).join(""); },
    set textContent(text) { this.text = text; },
    append(...more) { this.children.push(...more); }, replaceChildren(...all) { this.children = all; },
    addEventListener(name, act) { this.listeners[name] = act; } };
}
globalThis.document = { getElementById: (id) => made[id] ??= element(id), createElement: element, addEventListener() {} };
globalThis.window = { addEventListener() {} };
globalThis.HTMLButtonElement = class {};
const page = require("fs").readFileSync(0, "utf8");
const part = (from, to) => page.slice(page.indexOf(from) + from.length).split(to)[0];
document.getElementById("data").textContent = part('<script type="application/json" id="data">', "</script>");
eval(part("\n<script>", "</script>"));
const titles = () => made.rows.children.filter((it) => it.className.startsWith("row title")).map((it) => it.textContent.slice(1));
console.log(titles().join("|"));
made.search.value = "backup";
made.search.listeners.keydown({ key: "Enter", preventDefault() {}, stopPropagation() {} });
console.log(titles().join("|"));
"#;

/// Runs where Node.js is installed, and says so elsewhere.
#[test]
fn under_a_filter_a_section_says_how_many_of_its_changes_fit() {
    let (_folder, plan) = written("plan.json", PLAN_TEXT);
    let node = Process::new("node")
        .args(["-e", BROWSER])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn();
    let Ok(mut node) = node else {
        eprintln!("not run: there is no node");
        return;
    };
    let mut input = node.stdin.take().unwrap();
    input.write_all(page(&plan).as_bytes()).unwrap();
    drop(input);
    let printed = String::from_utf8(node.wait_with_output().unwrap().stdout).unwrap();
    let (all, found) = printed.trim_end().split_once('\n').expect(&printed);
    assert!(
        all.starts_with("LOOK AT THESE FIRST  2|ON THEIR OWN  1|"),
        "{all}"
    );
    assert!(all.ends_with("|all changes  3"), "{all}");
    assert_eq!(found, "LOOK AT THESE FIRST  1 of 2|all changes  1 of 3");
}
