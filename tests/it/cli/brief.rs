//! `brief` out of the terminal: every form of its page, and its gate.

mod cost;
mod gate;
mod html;
mod json;
mod markdown;
mod outcome;
mod parts;
#[cfg(feature = "policy")]
mod policy;
mod record;
mod sarif;
mod state;
mod told;
#[cfg(not(feature = "policy"))]
mod without_policies;

use std::path::PathBuf;

/// All files of the project whose changes `brief` condenses.
pub(super) fn plans() -> Vec<String> {
    let corpus = super::root().join("tests/corpus");
    let folders = [
        "pulumi-preview",
        "pulumi-events",
        "tf-ui-json",
        "tfplan-json",
    ];
    let mut plans: Vec<PathBuf> = folders
        .iter()
        .flat_map(|folder| std::fs::read_dir(corpus.join(folder)).unwrap())
        .map(|entry| entry.unwrap().path())
        .collect();
    plans.push(super::root().join(super::PREVIEW));
    plans.sort();
    assert!(plans.len() > 15, "{plans:?}");
    let text = |path: PathBuf| path.to_str().unwrap().to_owned();
    plans.into_iter().map(text).collect()
}

/// A plan that updates this many log groups, each in another way. One rule finds all of them.
fn large_plan(n: usize, long: &str) -> String {
    let change = |number: usize| {
        serde_json::json!({"address": format!("aws_cloudwatch_log_group.group-{number}"), "mode": "managed",
            "type": "aws_cloudwatch_log_group", "name": format!("group-{number}"),
            "provider_name": "registry.terraform.io/hashicorp/aws", "change": {"actions": ["update"],
            "before": {"retention_in_days": 400, format!("own{number}"): format!("{long}{number}")},
            "after": {"retention_in_days": 7, format!("own{number}"): format!("{long}{}", number + 1)},
            "after_unknown": {}, "before_sensitive": {}, "after_sensitive": {}}})
    };
    let changes: Vec<_> = (0..n).map(change).collect();
    serde_json::json!({"format_version": "1.2", "terraform_version": "1.9.0", "planned_values": {"root_module": {}},
        "resource_changes": changes}).to_string()
}
