//! Likely secrets: the forms, with the cases in `tests/secrets`, and the places where a value could be seen.

use std::collections::BTreeMap;

use serde::Deserialize;
use stacklens::likely::{Masking, find};
use stacklens::path::Path;
use stacklens::value::Value;

use crate::cli::command;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    fires: String,
    quiet: String,
}

fn cases() -> BTreeMap<String, Case> {
    toml::from_str(include_str!("../secrets/forms.toml")).unwrap()
}

/// The text of a case.
fn text(case: &str) -> String {
    case.replace('·', "")
}

#[test]
fn every_form_has_a_case_that_it_finds_and_a_near_miss() {
    let cases = cases();
    let forms: toml::Table =
        toml::from_str(include_str!("../../assets/secrets/forms.toml")).unwrap();
    let forms = forms["form"].as_array().unwrap().iter();
    let ids: Vec<&str> = forms.map(|form| form["id"].as_str().unwrap()).collect();
    for id in &ids {
        let case = cases.get(*id).unwrap_or_else(|| panic!("{id} has no case"));
        let found = find(&text(&case.fires)).map(|form| form.id.as_str());
        assert_eq!(found, Some(*id), "{}", case.fires);
        let found = find(&text(&case.quiet)).map(|form| form.id.as_str());
        assert_eq!(found, None, "{id}: {}", case.quiet);
        // The case as it is written is no secret for other programs.
        assert!(find(&case.fires).is_none(), "{id} is written without a dot");
    }
    assert!(cases.keys().all(|id| ids.contains(&id.as_str())));
}

#[test]
fn every_notation_has_a_case_that_it_finds_and_a_near_miss() {
    let cases: BTreeMap<String, Case> =
        toml::from_str(include_str!("../secrets/texts.toml")).unwrap();
    let notations: toml::Table =
        toml::from_str(include_str!("../../assets/secrets/texts.toml")).unwrap();
    let notations = notations["form"].as_array().unwrap().iter();
    let ids: Vec<&str> = notations.map(|it| it["id"].as_str().unwrap()).collect();
    let found = |case: &str| {
        let texts = Masking::default().clear_texts("", &Value::from(text(case)), &Path::root());
        texts.into_iter().find_map(|it| it.form).map(|(_, id)| id)
    };
    for id in &ids {
        let case = cases.get(*id).unwrap_or_else(|| panic!("{id} has no case"));
        assert_eq!(found(&case.fires).as_deref(), Some(*id), "{}", case.fires);
        assert_eq!(found(&case.quiet), None, "{id}: {}", case.quiet);
    }
    assert_eq!(ids.len(), cases.len(), "a case has no notation");
}

/// Every ending of a name, in three styles, and the same name with a word after it that makes it a name about a secret.
#[test]
fn every_ending_of_a_name_masks_a_secret_and_not_what_is_about_one() {
    let names: toml::Table =
        toml::from_str(include_str!("../../assets/secrets/names.toml")).unwrap();
    let rows = names["name"].as_array().unwrap().iter();
    let ends = rows.flat_map(|row| row["ends"].as_array().unwrap());
    let masking = Masking::default();
    for end in ends {
        let end = end.as_str().unwrap();
        let secret = Value::from("Bearer k3Jx92LmQp7RtVz8WnB4");
        let secret = if end.contains("auth") {
            secret
        } else {
            Value::from("k3Jx92LmQp7RtVz8WnB4")
        };
        for name in [
            format!("app_{}", end.replace(' ', "_")),
            end.replace(' ', "-").to_uppercase(),
            end.replace(' ', ""),
        ] {
            assert!(masking.masked(&name, &secret).is_some(), "{name} is shown");
        }
        for after in ["arn", "length", "ttl", "enabled", "rotation_days"] {
            let name = format!("{}_{after}", end.replace(' ', "_"));
            let value = Value::from("every-other-day");
            assert!(masking.masked(&name, &value).is_none(), "{name} is masked");
        }
    }
}

#[test]
fn a_form_is_found_inside_a_longer_text_and_not_inside_a_word() {
    for (id, case) in cases() {
        let secret = text(&case.fires);
        let script = format!("#!/bin/sh\nexport A=\"{secret}\"\nrun\n");
        let found = find(&script).map(|form| form.id.as_str());
        assert_eq!(found, Some(id.as_str()), "{script}");
    }
    let token = text(&cases()["github-token"].fires);
    assert!(find(&format!("a{token}")).is_none());
}

/// A plan that changes the URL of a function, and sets the header of another one.
fn plan(before: &str, after: &str) -> String {
    let change = |name: &str, before: serde_json::Value, after: serde_json::Value| {
        serde_json::json!({"address": format!("aws_lambda_function.{name}"), "mode": "managed", "type": "aws_lambda_function",
            "name": name, "provider_name": "registry.terraform.io/hashicorp/aws", "change": {"actions": ["update"],
            "before": before, "after": after, "after_unknown": {}, "before_sensitive": {}, "after_sensitive": {}}})
    };
    let environment = |url: &str| serde_json::json!({"function_name": "api", "environment": [{"variables": {"URL": url, "MODE": "a"}}]});
    let plan = serde_json::json!({"format_version": "1.2", "terraform_version": "1.9.0",
        "resource_changes": [change("api", environment(before), environment(after))]});
    plan.to_string()
}

/// The file that `text` is written to, kept as long as its folder.
fn written(text: &str) -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("plan.json");
    std::fs::write(&path, text).unwrap();
    let path = path.display().to_string();
    (folder, path)
}

const OLD: &str = "postgres://app:hunter2@db/orders";
const NEW: &str = "postgres://app:dragon77@db/orders";
const ADDRESS: &str = "aws_lambda_function.api";
const PATH: &str = "environment[0].variables.URL";

#[test]
fn likely_secrets_are_masked_with_words_of_their_own_and_revealed_like_others() {
    let (_folder, file) = written(&plan(OLD, NEW));
    for (args, want) in [
        (vec!["get", &file, ADDRESS, PATH], "[likely secret]\n"),
        (
            vec!["get", &file, ADDRESS, PATH, "--json"],
            "\"[likely secret]\"\n",
        ),
        (
            vec!["get", &file, ADDRESS, PATH, "--reveal"],
            "postgres://app:dragon77@db/orders\n",
        ),
        (
            vec!["get", &file, ADDRESS, PATH, "--mask-likely=false"],
            "postgres://app:dragon77@db/orders\n",
        ),
        (
            vec!["get", &file, ADDRESS, "environment[0].variables.MODE"],
            "a\n",
        ),
    ] {
        let run = command(&args);
        assert_eq!(
            (run.out.as_str(), run.code),
            (want, 0),
            "{args:?}: {}",
            run.err
        );
    }
    let diff = command(&["diff", &file]).out;
    assert!(
        diff.contains("[likely secret]") && !diff.contains("hunter2"),
        "{diff}"
    );
    let found = command(&["find", &file, "=dragon77"]);
    assert_eq!((found.out.as_str(), found.code), ("", 1));
    let found = command(&["find", &file, "=dragon77", "--mask-likely=false"]);
    assert!(found.out.contains("dragon77"), "{}", found.out);
}

#[test]
fn a_mask_of_the_file_keeps_its_words() {
    let marked = plan(OLD, NEW).replace(
        "\"after_sensitive\":{}",
        "\"after_sensitive\":{\"environment\":[{\"variables\":{\"URL\":true}}]}",
    );
    let (_folder, file) = written(&marked);
    let run = command(&["get", &file, ADDRESS, PATH]);
    assert_eq!(run.out, "[secret]\n");
}

#[test]
fn check_reports_the_form_and_the_place_and_never_the_text() {
    let plan = plan("x", NEW).replace(
        "\"MODE\":\"a\"",
        "\"API_TOKEN\":\"q9w8e7r6\",\"TOKEN_URL\":\"https://a\"",
    );
    let (_folder, file) = written(&plan);
    let run = command(&["check", &file]);
    assert_eq!(run.code, 1, "{run:?}");
    for line in [
        "warning  aws_lambda_function.api environment[0].variables.URL: a URL with a password in clear text: the file does not mark it as secret  (url-password)",
        "info     aws_lambda_function.api environment[0].variables.API_TOKEN: secret by its name, and in clear text: the file does not mark it",
    ] {
        assert!(run.out.contains(line), "{line}\n{}", run.out);
    }
    assert!(!run.out.contains("TOKEN_URL"), "{}", run.out);
    for form in [vec![], vec!["--json"], vec!["--mask-likely=false"]] {
        let out = command(&[vec!["check", &file], form].concat()).out;
        assert!(
            out.contains("a URL with a password")
                && !out.contains("dragon77")
                && !out.contains("q9w8"),
            "{out}"
        );
    }
    for name in [
        "DBPassword",
        "SMTPPassword",
        "AWSSecretKey",
        "dbPassword",
        "api_token_2",
    ] {
        let (_folder, file) = written(&plan.replace("API_TOKEN", name));
        let out = command(&["check", &file]).out;
        let line =
            format!("environment[0].variables.{name}: secret by its name, and in clear text");
        assert!(out.contains(&line), "{name}: {out}");
    }
    // A file that marks both has no such finding, and a placeholder is none.
    let quiet = plan
        .replace("dragon77", "${PASSWORD}")
        .replace("API_TOKEN", "API_MODE");
    let (_folder, file) = written(&quiet);
    let run = command(&["check", &file]);
    assert!(
        run.code == 0 && !run.out.contains("in clear text:"),
        "{}",
        run.out
    );
}
