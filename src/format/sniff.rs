//! Sniffing: which format a file is of, by its first bytes and never by its name.

use std::collections::BTreeSet;

use super::{Format, terraform_old_state};
use crate::json::{Reader, Token};
use crate::stack::Kind;

/// How many tokens are looked at; what tells the formats apart stands at the front.
const MAX_TOKENS: usize = 20_000;

/// What a file looks like.
#[derive(Clone, Debug)]
pub(crate) enum Guess {
    /// A file of this format.
    Format(&'static Format),
    /// Something else: what it looks like, in words that fit behind "this is".
    Other(String),
}

/// Looks at the beginning of a JSON text.
pub(crate) fn sniff(head: &[u8]) -> Guess {
    let keys = keys(head);
    if keys.is_empty() {
        return Guess::Other(describe(head));
    }
    if keys.contains("encrypted_data") {
        return Guess::Other("a state or plan that OpenTofu encrypted".to_owned());
    }
    if keys.contains("remote_plan_format") {
        return Guess::Other(
            "a bookmark of a plan that lies in HCP Terraform, not the plan itself".to_owned(),
        );
    }
    let is_old = keys.contains("modules[].path") && keys.contains("version");
    if is_old || is_backend_record(&keys) {
        return Guess::Format(&terraform_old_state::FORMAT);
    }
    kind(&keys).and_then(super::of_kind).map_or_else(
        || {
            let named: Vec<String> = keys
                .iter()
                .filter(|key| !key.contains(['.', '[']))
                .take(5)
                .map(|key| format!("`{key}`"))
                .collect();
            Guess::Other(format!("JSON of another kind (with {})", named.join(", ")))
        },
        Guess::Format,
    )
}

/// Whether the keys are those of `.terraform/terraform.tfstate`.
fn is_backend_record(keys: &BTreeSet<String>) -> bool {
    (keys.contains("backend.type") || keys.contains("state_store.type"))
        && !keys.contains("resources")
}

fn kind(keys: &BTreeSet<String>) -> Option<Kind> {
    let has = |key: &str| keys.contains(key);
    let any = |names: &[&str]| names.iter().any(|name| has(name));
    if any(&["resourcePlans", "plan.resourcePlans"]) {
        return Some(Kind::PulumiPlan);
    }
    if any(&["deployment", "checkpoint", "resources[].urn"]) {
        return Some(Kind::PulumiState);
    }
    if any(&["steps[].op", "changeSummary"]) {
        return Some(Kind::PulumiPreview);
    }
    if any(&["resource_changes", "planned_values", "output_changes"])
        || has("prior_state") && has("format_version")
    {
        return Some(Kind::TerraformPlan);
    }
    if has("provider_schemas") {
        return Some(Kind::ProviderSchemas);
    }
    if any(&["@level", "@message"]) {
        return Some(Kind::TerraformUi);
    }
    if any(&["events[].sequence", "events[].timestamp"]) || has("sequence") && has("timestamp") {
        return Some(Kind::PulumiEvents);
    }
    let state = any(&["terraform_version", "serial", "lineage"]);
    if any(&["resources[].instances", "modules[].path"])
        || has("version") && state
        || state && any(&["resources", "modules"])
    {
        return Some(Kind::TerraformState);
    }
    if any(&["values.root_module", "values.outputs"]) || has("format_version") {
        return Some(Kind::TerraformShow);
    }
    if has("latest") && any(&["target", "stack", "config"])
        || has("manifest") && any(&["resources", "secrets_providers", "manifest.magic"])
        || any(&["target", "stack"]) && has("config")
    {
        return Some(Kind::PulumiState);
    }
    if has("steps") {
        return Some(Kind::PulumiPreview);
    }
    None
}

/// The keys in the first bytes of a JSON text down to the third level, written `a.b` and, in arrays, `a[].b`.
fn keys(head: &[u8]) -> BTreeSet<String> {
    let mut reader = Reader::new(head);
    let mut keys = BTreeSet::new();
    // For each open bracket the path of what is in it.
    let mut open: Vec<String> = Vec::new();
    let mut path = String::new();
    for _ in 0..MAX_TOKENS {
        let Ok(Some(token)) = reader.next() else {
            break;
        };
        match token {
            Token::Key(key) => {
                let top = open.last().cloned().unwrap_or_default();
                path = if top.is_empty() {
                    key.decode_lossy().into_owned()
                } else {
                    format!("{top}.{}", key.decode_lossy())
                };
                if open.len() <= 3 {
                    keys.insert(path.clone());
                }
            }
            Token::MapStart => {
                if open.len() > 3 {
                    if reader.skip_rest().is_err() {
                        break;
                    }
                } else {
                    open.push(path.clone());
                }
            }
            Token::ArrayStart => {
                if open.len() > 3 {
                    if reader.skip_rest().is_err() {
                        break;
                    }
                } else {
                    path = format!("{path}[]");
                    open.push(path.clone());
                }
            }
            Token::MapEnd | Token::ArrayEnd => {
                open.pop();
                path = open.last().cloned().unwrap_or_default();
            }
            _ => path = open.last().cloned().unwrap_or_default(),
        }
    }
    keys
}

/// What bytes that are no JSON look like.
fn describe(head: &[u8]) -> String {
    let text = String::from_utf8_lossy(&head[..head.len().min(4096)]);
    let trimmed = text.trim_start_matches('\u{feff}').trim_start();
    let lower = trimmed.get(..200.min(trimmed.len())).unwrap_or(trimmed);
    let lower = lower.to_ascii_lowercase();
    if trimmed.is_empty() {
        return "an empty file".to_owned();
    }
    if lower.starts_with("<!doctype html") || lower.starts_with("<html") {
        return "an HTML page: a login page or an error page was saved in place of the file"
            .to_owned();
    }
    if trimmed.starts_with("version https://git-lfs") {
        return "a git-lfs pointer: fetch the file itself with `git lfs pull`".to_owned();
    }
    if lower.starts_with("<?xml") || lower.starts_with("<error>") {
        let code = between(trimmed, "<Code>", "</Code>");
        return match code {
            Some(code) => format!(
                "an XML error document of an object store ({}) in place of the file",
                code.chars().take(40).collect::<String>()
            ),
            None => "an XML document".to_owned(),
        };
    }
    if trimmed.starts_with("tfstate") {
        return "a binary state of Terraform 0.1 to 0.3, which no program reads any more"
            .to_owned();
    }
    if head.iter().take(512).any(|byte| *byte == 0) {
        return "a binary file of another kind".to_owned();
    }
    "text that is not JSON".to_owned()
}

fn between<'t>(text: &'t str, before: &str, after: &str) -> Option<&'t str> {
    let (_, rest) = text.split_once(before)?;
    Some(rest.split_once(after)?.0)
}

/// The line of a merge conflict marker among the first bytes of a file, if there is one.
pub(crate) fn merge_conflict(head: &[u8]) -> Option<usize> {
    head.split(|byte| *byte == b'\n')
        .position(|line| line.trim_ascii_start().starts_with(b"<<<<<<< "))
        .map(|index| index + 1)
}
