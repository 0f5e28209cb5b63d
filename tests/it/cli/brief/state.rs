//! `brief` of a state: what it holds, and what is wrong with it.

use serde_json::Value;

use super::super::command;

#[track_caller]
fn brief(file: &str) -> String {
    let run = command(&["brief", file]);
    assert_eq!((run.code, run.err.as_str()), (0, ""), "{}", run.out);
    run.out
}

#[track_caller]
fn shows(text: &str, wanted: &[&str]) {
    for want in wanted {
        assert!(text.contains(want), "{want}\n{text}");
    }
}

#[test]
fn a_state_of_terraform_is_counted_by_type_provider_and_secrets() {
    let text = brief("tests/corpus/tfstate/shop.tfstate");
    shows(
        &text,
        &[
            "8 resources, 2 outputs, 2 secrets\n",
            "  aws_instance         3 ████████████████████████\n",
            "  aws_db_instance      1 ████████\n",
            "  hashicorp/aws        7 ████████████████████████\n",
            "  hashicorp/time       1 ████\n",
            "terraform_data.any ",
            "will be replaced by the next apply",
            "aws_instance.web[1] (deposed 9f3c01ab) ",
            "an old object that is still to be deleted",
            "password  [secret]",
            "written by terraform 1.9.8",
        ],
    );
}

#[test]
fn a_state_of_pulumi_is_counted_by_package_and_component() {
    let text = brief("tests/corpus/pulumi-state/shop.json");
    shows(
        &text,
        &[
            "38 resources, 6 outputs, 18 secrets\n",
            "  aws default_6_50_0           19 █",
            "  orders      8 ████████████████████████\n",
            "23 more\n",
            "an old copy that is still to be deleted",
            "interrupted while creating",
            "kubeconfig  [secret]",
            "written 2026-11-18T16:42:10.113Z by pulumi v3.142.0",
        ],
    );
}

#[test]
fn notes_of_one_kind_stand_in_one_line() {
    let urn = |name: &str| format!("urn:pulumi:s::p::k:m:T::{name}");
    let needing = |name: &str, gone: &str| {
        let (urn, gone) = (urn(name), urn(gone));
        format!(
            r#"{{"urn":"{urn}","custom":true,"type":"k:m:T","id":"1","dependencies":["{gone}"]}}"#
        )
    };
    let all = ["a", "b", "c"].map(|name| needing(name, &format!("gone-{name}")));
    let all = all.join(",");
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("s.json");
    let text = format!(r#"{{"version":3,"deployment":{{"manifest":{{}},"resources":[{all}]}}}}"#);
    std::fs::write(&file, text).unwrap();
    shows(
        &brief(file.to_str().unwrap()),
        &[
            "WARNING  1 · 3 changes\n",
            "a, b, c  k:m:T  it depends on …, which is not in this file\n",
        ],
    );
}

/// The query of each line finds as many resources as the line says.
#[test]
fn each_line_leads_to_what_it_counts() {
    for file in [
        "tests/corpus/tfstate/shop.tfstate",
        "tests/corpus/tfstate/every-field.tfstate",
        "tests/corpus/pulumi-state/shop.json",
        "tests/corpus/tfshow-json/state.json",
    ] {
        let run = command(&["brief", file, "--json"]);
        let page: Value = serde_json::from_str(&run.out).unwrap();
        let sections = page["sections"].as_array().unwrap();
        let counted = ["types", "providers", "modules", "holding"];
        let mut n_lines = 0;
        for section in sections {
            if !counted.contains(&section["section"].as_str().unwrap()) {
                continue;
            }
            for entry in section["entries"].as_array().unwrap() {
                let says = entry["says"].as_str().unwrap().trim_start();
                let (count, bar) = says.split_once(' ').unwrap();
                assert!(bar.contains('█'), "{says}");
                let query = entry["query"].as_str().unwrap();
                let found = command(&["ls", file, query]).out;
                assert_eq!(
                    found.lines().count().to_string(),
                    count,
                    "{file} {query}\n{found}"
                );
                n_lines += 1;
            }
        }
        assert!(n_lines > 2, "{file}");
    }
}

#[test]
fn damage_of_a_state_is_a_danger() {
    let folder = tempfile::tempdir().unwrap();
    let cut = folder.path().join("cut.tfstate");
    let text = std::fs::read_to_string("tests/corpus/tfstate/shop.tfstate").unwrap();
    std::fs::write(&cut, &text[..text.len() / 2]).unwrap();
    let run = command(&["brief", cut.to_str().unwrap(), "--fail-on", "danger"]);
    assert!(run.out.contains("\nLOOK AT THESE FIRST  "), "{}", run.out);
    assert!(run.err.contains("--fail-on danger: "), "{}", run.err);
}
