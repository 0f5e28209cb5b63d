//! `brief` with several files: one document with a part for each.

use std::fs;

use serde_json::Value;
use tempfile::TempDir;

use super::super::rules::PLAN_TEXT;
use super::super::{AFTER, BEFORE, PLAN, Run, command};
use super::large_plan;

/// A plan without changes.
fn calm() -> String {
    large_plan(0, "")
}

/// The layout of Terragrunt: a folder with a plan for each unit. One of them is broken.
fn units() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in [
        ("dev", calm()),
        ("prod/app", PLAN_TEXT.to_owned()),
        ("prod/logs", large_plan(2, "")),
        ("stage", "{\"format".to_owned()),
    ] {
        let unit = folder.path().join(name);
        fs::create_dir_all(&unit).unwrap();
        fs::write(unit.join("tfplan.json"), text).unwrap();
    }
    folder
}

/// Runs `brief` on the folder. File names in the output are relative to it.
fn brief(folder: &TempDir, args: &[&str]) -> Run {
    let path = folder.path().to_str().unwrap();
    let mut run = command(&[&["brief", path], args].concat());
    for text in [&mut run.out, &mut run.err] {
        *text = text.replace(&format!("{path}/"), "");
    }
    run
}

#[test]
fn a_folder_of_plans_is_one_text_with_the_worst_first() {
    let run = brief(&units(), &[]);
    assert_eq!(run.code, 65, "{run:?}");
    let mut lines = run.out.lines();
    assert_eq!(
        lines.next(),
        Some("4 plans · 1 with dangers · 1 could not be read · 5 changes: 5 update")
    );
    let rows: Vec<&str> = lines.skip(1).take(4).map(str::trim).collect();
    let starts = ["stage", "prod/app", "prod/logs", "dev"];
    for (row, start) in rows.iter().zip(starts) {
        assert!(row.starts_with(start), "{rows:#?}");
    }
    assert!(rows[0].contains("could not be read: "), "{rows:#?}");
    assert!(
        rows[1].ends_with("3 changes: 3 update · 2 dangers, 2 warnings"),
        "{rows:#?}"
    );
    assert!(rows[3].ends_with("no changes"), "{rows:#?}");
    let titles = run.out.lines().filter(|line| line.starts_with("=== "));
    let titles: Vec<&str> = titles.collect();
    assert_eq!(
        titles,
        starts.map(|unit| format!("=== {unit}/tfplan.json ==="))
    );
    // A part is the brief of its file.
    let folder = units();
    let file = folder.path().join("prod/app/tfplan.json");
    let alone = command(&["brief", file.to_str().unwrap()]).out;
    assert!(run.out.contains(&alone), "{}", run.out);
    assert_eq!(run.err.lines().count(), 1, "{run:?}");
    assert!(!run.out.contains("hunter"), "{}", run.out);
}

#[test]
fn the_json_has_every_file_and_is_as_its_schema_says() {
    let run = brief(&units(), &["--json"]);
    assert_eq!(run.code, 65);
    let document: Value = serde_json::from_str(&run.out).unwrap();
    super::json::check_brief(&document);
    assert_eq!(document["files"], 4);
    assert_eq!(document["with_dangers"], 1);
    assert_eq!(document["unread"], 1);
    assert_eq!(document["changes"], 5);
    assert_eq!(document["actions"], serde_json::json!({"update": 5}));
    let parts = document["parts"].as_array().unwrap();
    let files: Vec<&str> = parts
        .iter()
        .map(|it| it["file"].as_str().unwrap())
        .collect();
    assert_eq!(
        files,
        ["stage", "prod/app", "prod/logs", "dev"].map(|unit| format!("{unit}/tfplan.json"))
    );
    assert!(parts[0]["error"].is_string() && parts[0].get("brief").is_none());
    assert_eq!(parts[1]["brief"]["changes"], 3);
    assert_eq!(parts[3]["brief"]["changes"], 0);
    // A person can read it: it is indented as a whole.
    assert!(
        run.out.contains("\n        \"version\": 2,\n"),
        "{}",
        run.out
    );
}

#[test]
fn the_markdown_has_a_table_and_stays_below_the_limit() {
    let run = brief(&units(), &["--markdown"]);
    let start = "\
## 4 plans · 1 with dangers · 1 could not be read

**5 changes**: 5 update

| plan | found | changes |
|---|---|---|
| `stage/tfplan.json` |  | could not be read: `";
    assert!(run.out.starts_with(start), "{}", run.out);
    let row = "| `prod/app/tfplan.json` | 2 dangers, 2 warnings | 3 changes: 3 update |\n";
    assert!(run.out.contains(row), "{}", run.out);
    assert!(
        run.out
            .contains("\n### `dev/tfplan.json`\n\n**no changes**\n"),
        "{}",
        run.out
    );

    // Large plans share the room evenly, and a small one is whole.
    let folder = tempfile::tempdir().unwrap();
    for name in ["a", "b", "c"] {
        fs::write(
            folder.path().join(format!("{name}.json")),
            large_plan(600, "x"),
        )
        .unwrap();
    }
    fs::write(folder.path().join("d.json"), PLAN_TEXT).unwrap();
    let out = brief(&folder, &["--markdown"]).out;
    assert!(out.len() <= 65_536 && out.len() > 55_000, "{}", out.len());
    let parts: Vec<&str> = out.split("\n### ").skip(1).collect();
    assert_eq!(parts.len(), 4);
    let sizes: Vec<usize> = parts.iter().map(|part| part.len()).collect();
    let large: Vec<usize> = sizes
        .iter()
        .copied()
        .filter(|size| *size > 10_000)
        .collect();
    assert_eq!(large.len(), 3, "{sizes:?}");
    assert!(
        large.iter().max().unwrap() - large.iter().min().unwrap() < 1_000,
        "{sizes:?}"
    );
    for part in parts.iter().filter(|part| part.len() > 10_000) {
        assert!(part.contains("**Left out here**: "), "{part}");
        let opened = part
            .lines()
            .filter(|line| line.starts_with("<details>"))
            .count();
        assert_eq!(
            opened,
            part.lines().filter(|line| *line == "</details>").count()
        );
    }

    // With very many of them the last ones are counted.
    let folder = tempfile::tempdir().unwrap();
    for number in 0..400 {
        let file = folder.path().join(format!("unit-{number:03}.json"));
        fs::write(file, large_plan(if number < 100 { 30 } else { 0 }, "")).unwrap();
    }
    let out = brief(&folder, &["--markdown"]).out;
    assert!(out.len() <= 65_536 && out.len() > 40_000, "{}", out.len());
    let n_shown = out.matches("\n### ").count();
    let left_out = format!("\n**{} plans without room here**\n", 400 - n_shown);
    assert!(out.ends_with(&left_out), "{}", &out[out.len() - 200..]);
    assert!(out.starts_with("## 400 plans\n"), "{}", &out[..100]);
}

#[test]
fn the_findings_of_all_plans_are_one_run() {
    let run = brief(&units(), &["--sarif"]);
    let log: Value = serde_json::from_str(&run.out).unwrap();
    let runs = log["runs"].as_array().unwrap();
    assert_eq!(runs.len(), 1);
    let run = &runs[0];
    assert_eq!(run["artifacts"].as_array().unwrap().len(), 3);
    let results = run["results"].as_array().unwrap();
    assert_eq!(results.len(), 6, "{run:#}");
    let mut prints: Vec<String> = Vec::new();
    for result in results {
        let at = &result["locations"][0]["physicalLocation"]["artifactLocation"];
        let index = usize::try_from(at["index"].as_u64().unwrap()).unwrap();
        assert_eq!(run["artifacts"][index]["location"]["uri"], at["uri"]);
        prints.push(result["partialFingerprints"].to_string());
    }
    prints.sort();
    prints.dedup();
    assert_eq!(prints.len(), 6);
    let invocation = &run["invocations"][0];
    assert_eq!(invocation["executionSuccessful"], false);
    let message = invocation["toolExecutionNotifications"][0]["message"]["text"].as_str();
    assert!(
        message.unwrap().contains("stage/tfplan.json"),
        "{invocation}"
    );
}

#[test]
fn the_page_for_a_browser_has_every_file() {
    let run = brief(&units(), &["--html", "-"]);
    assert_eq!(run.code, 65);
    let start = r#"<script type="application/json" id="data">"#;
    let data = run.out.split_once(start).unwrap().1;
    let data: Value = serde_json::from_str(data.split_once("</script>").unwrap().0).unwrap();
    assert_eq!(data["counts"], "5 changes: 5 update");
    let parts = data["parts"].as_array().unwrap();
    assert_eq!(parts.len(), 4);
    assert!(parts[0].get("page").is_none(), "{}", parts[0]);
    assert_eq!(parts[1]["file"], "prod/app/tfplan.json");
    assert_eq!(parts[1]["found"], "2 dangers, 2 warnings");
    assert_eq!(parts[1]["page"]["differences"].as_array().unwrap().len(), 3);
    // The numbers of differences count in their part: the script moves them.
    for part in &parts[1..] {
        let page = &part["page"];
        let n = page["differences"].as_array().unwrap().len() as u64;
        let sections = page["sections"].as_array().unwrap().iter();
        let entries = sections.flat_map(|section| section["entries"].as_array().unwrap());
        let mut ids = entries.flat_map(|entry| entry["ids"].as_array().unwrap());
        assert!(ids.all(|id| id.as_u64().unwrap() < n), "{part}");
    }
    assert!(!run.out.contains("hunter"));
}

#[test]
fn the_gate_is_closed_by_any_plan() {
    let folder = units();
    fs::remove_dir_all(folder.path().join("stage")).unwrap();
    let run = brief(&folder, &["--fail-on", "danger"]);
    assert_eq!(run.code, 3, "{run:?}");
    assert_eq!(
        run.err,
        "stacklens: prod/app/tfplan.json: --fail-on danger: 2 places\n"
    );
    let run = brief(&folder, &["--fail-on", "warning"]);
    assert_eq!(
        run.err,
        "stacklens: prod/app/tfplan.json: --fail-on warning: 4 places\n\
         stacklens: prod/logs/tfplan.json: --fail-on warning: 2 places\n"
    );
    assert_eq!(brief(&folder, &["--fail-on", "drift"]).code, 0);
    // A plan that cannot be read may have dangers too.
    assert_eq!(brief(&units(), &["--fail-on", "danger"]).code, 65);
}

#[test]
fn plans_are_parts_and_states_are_compared() {
    let of = |args: &[&str]| command(&[&["brief"], args].concat());
    let first = |args: &[&str]| of(args).out.lines().next().unwrap_or_default().to_owned();
    assert!(first(&[PLAN, "assets/demo.json"]).starts_with("2 plans · "));
    assert_eq!(
        of(&[BEFORE, AFTER]).out,
        of(&[BEFORE, AFTER, "--compare"]).out
    );
    assert!(
        !first(&[BEFORE, AFTER]).starts_with("2 "),
        "{}",
        first(&[BEFORE, AFTER])
    );
    assert!(first(&[PLAN, PLAN, "--compare"]).contains("no differences"));
    assert!(first(&[BEFORE, AFTER, BEFORE]).starts_with("3 states"));
    assert!(first(&[PLAN, AFTER, "assets/demo.json"]).starts_with("3 files · "));
    for wrong in [
        &["-", "-"][..],
        &[PLAN, "--compare"],
        &[PLAN, PLAN, PLAN, "--compare"],
        &[PLAN, PLAN, "--record", "no-such-record.json"],
        &[PLAN, PLAN, "--fail-on", "unreviewed"],
    ] {
        let run = of(wrong);
        assert_eq!((run.code, run.out.as_str()), (64, ""), "{wrong:?}: {run:?}");
    }
    let run = of(&[PLAN, PLAN, "--record", "no-such-record.json"]);
    assert!(run.err.contains("keeps the review of one plan"), "{run:?}");
}

#[test]
fn a_file_that_is_missing_costs_only_its_part() {
    let run = command(&["brief", PLAN, "no-such-plan.json", "--json"]);
    assert_eq!(run.code, 65, "{run:?}");
    let document: Value = serde_json::from_str(&run.out).unwrap();
    super::json::check_brief(&document);
    assert_eq!(document["parts"][0]["file"], "no-such-plan.json");
    let error = document["parts"][0]["error"].as_str().unwrap();
    assert!(!error.contains("no-such-plan"), "{error}");
    assert!(document["parts"][1]["brief"]["changes"].as_u64() > Some(0));
}

#[test]
fn no_text_of_a_file_or_name_becomes_markup() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["a|b`<img>.json", "c\u{1b}[2J\u{202e}.json"] {
        fs::write(
            folder.path().join(name),
            "{\"format_version\": \"|`<img>\u{1b}",
        )
        .unwrap();
    }
    fs::write(folder.path().join("plan.json"), PLAN_TEXT).unwrap();
    let path = folder.path().to_str().unwrap();
    let files: Vec<String> = ["a|b`<img>.json", "c\u{1b}[2J\u{202e}.json", "plan.json"]
        .iter()
        .map(|name| format!("{path}/{name}"))
        .collect();
    for form in [
        &[][..],
        &["--markdown"],
        &["--json"],
        &["--sarif"],
        &["--html", "-"],
    ] {
        let mut args = vec!["brief"];
        args.extend(files.iter().map(String::as_str));
        args.extend(form);
        let run = command(&args);
        assert_eq!(run.code, 65, "{run:?}");
        assert!(
            !run.out.contains(['\u{1b}', '\u{202e}']),
            "{form:?}: {}",
            run.out
        );
        assert!(
            !run.err.contains(['\u{1b}', '\u{202e}']),
            "{form:?}: {}",
            run.err
        );
        if form == ["--html", "-"] {
            assert!(!run.out.contains("<img"), "{}", run.out);
        }
        if form == ["--markdown"] {
            let html = comrak::markdown_to_html(&run.out, &comrak::Options::default());
            assert!(!html.contains("<img"), "{html}");
        }
    }
}

/// Two units with plans beside their states, and two states without a plan.
fn mixed() -> TempDir {
    let folder = units();
    for name in ["dev", "prod/app", "old/a", "old/b"] {
        let unit = folder.path().join(name);
        fs::create_dir_all(&unit).unwrap();
        fs::write(unit.join("terraform.tfstate"), BEFORE_TEXT).unwrap();
    }
    fs::remove_dir_all(folder.path().join("stage")).unwrap();
    folder
}

const BEFORE_TEXT: &str = r#"{"version":4,"terraform_version":"1.9.0","serial":1,"lineage":"a","outputs":{},"resources":[]}"#;

#[test]
fn states_without_a_plan_are_named_beside_the_plans() {
    let folder = mixed();
    let run = brief(&folder, &[]);
    assert_eq!(run.code, 0, "{run:?}");
    assert!(run.out.starts_with("3 plans · 1 with dangers"), "{run:?}");
    let named = "2 states without a plan in the same folder: old/a/terraform.tfstate, old/b/terraform.tfstate";
    assert!(run.err.contains(named), "{run:?}");
    // With a single plan the brief has no parts, and it is said which plan it is of.
    fs::remove_dir_all(folder.path().join("prod")).unwrap();
    let run = brief(&folder, &[]);
    assert_eq!(run.code, 0, "{run:?}");
    assert!(
        run.err.contains(named) && run.err.contains("the brief of dev/tfplan.json"),
        "{run:?}"
    );
    fs::remove_file(folder.path().join("dev/tfplan.json")).unwrap();
    let run = brief(&folder, &[]);
    assert_eq!(run.code, 65, "{run:?}");
    assert!(run.out.is_empty(), "{run:?}");
    assert!(
        run.err
            .contains("no plan is there, expected a plan, a preview or a run, found 3 states"),
        "{run:?}"
    );
}

#[test]
fn an_archive_and_a_list_have_the_parts_of_a_folder() {
    let folder = mixed();
    let of_folder = brief(&folder, &[]);
    let elsewhere = tempfile::tempdir().unwrap();
    let archive = elsewhere.path().join("units.tar");
    let mut tar = tar::Builder::new(Vec::new());
    tar.append_dir_all("", folder.path()).unwrap();
    fs::write(&archive, tar.into_inner().unwrap()).unwrap();
    let archive = archive.to_str().unwrap();
    let of_archive = command(&["brief", archive]);
    assert_eq!(of_archive.code, 0, "{of_archive:?}");
    let prefix = format!("{archive}!/");
    // Only the widths of the columns differ with the names.
    let words = |text: &str| {
        let text = text.replace(&prefix, "");
        text.split_whitespace()
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    assert!(of_archive.out.contains(&prefix), "{of_archive:?}");
    assert_eq!(words(&of_archive.out), words(&of_folder.out));
    assert_eq!(words(&of_archive.err), words(&of_folder.err));
    let list = elsewhere.path().join("list");
    let path = folder.path().to_str().unwrap();
    fs::write(
        &list,
        format!("{path}/dev/tfplan.json\n{path}/prod\n{path}/old/a\n"),
    )
    .unwrap();
    let of_list = command(&["brief", "--from", list.to_str().unwrap()]);
    assert_eq!(of_list.code, 0, "{of_list:?}");
    assert!(
        of_list.out.starts_with("3 plans · 1 with dangers"),
        "{of_list:?}"
    );
    assert!(
        of_list.err.contains("1 state without a plan"),
        "{of_list:?}"
    );
    // A missing file of the list costs only its part.
    fs::write(
        &list,
        format!("{path}/dev/tfplan.json\n{path}/missing.json\n"),
    )
    .unwrap();
    let of_list = command(&["brief", "--from", list.to_str().unwrap()]);
    assert_eq!(of_list.code, 65, "{of_list:?}");
    assert!(of_list.out.contains("missing.json") && of_list.out.contains("could not be read"));
}
