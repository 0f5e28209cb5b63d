//! Sniffing: finds the format of a file by its first bytes and never by its name.

use std::collections::BTreeSet;

use super::Format;
use super::terraform::dependency_locks;
use super::terraform::old_state;
use crate::json::{Reader, Token};
use crate::stack::Kind;
use crate::terraform::hcl::{self, Syntax};

/// Maximum number of tokens that are looked at; the keys that tell the formats apart are near the front.
const MAX_TOKENS: usize = 20_000;

/// A guess at the contents of a file.
#[derive(Clone, Debug)]
pub(crate) enum Guess {
    /// A file of this format.
    Format(&'static Format),
    /// Something else: a description in words that fit after "this is".
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
    if is_old_state(&keys) || is_backend_record(&keys) {
        return Guess::Format(&old_state::FORMAT);
    }
    kind(&keys)
        .and_then(super::of_kind)
        .map_or_else(|| Guess::Other(describe_keys(&keys)), Guess::Format)
}

/// True if the keys are those of a state of Terraform 0.11 or older.
fn is_old_state(keys: &BTreeSet<String>) -> bool {
    let has_modules = keys.contains("modules") && !keys.contains("resources");
    keys.contains("version") && (has_modules || keys.contains("modules[].path"))
}

/// True if the keys are those of `.terraform/terraform.tfstate`.
fn is_backend_record(keys: &BTreeSet<String>) -> bool {
    (keys.contains("backend.type") || keys.contains("state_store.type"))
        && !keys.contains("resources")
}

/// Keys that only a plan has, whatever other keys there are.
const OF_PLANS: &[&str] = &[
    "resource_changes",
    "planned_values",
    "output_changes",
    "resource_drift",
    "deferred_changes",
    "action_invocations",
    "deferred_action_invocations",
    "relevant_attributes",
];

/// Keys that only a plan has besides `format_version`. A state has its checks beside its values.
const OF_VERSIONED_PLANS: &[&str] = &[
    "prior_state",
    "configuration",
    "variables",
    "timestamp",
    "applyable",
    "complete",
    "errored",
    "checks",
];

fn kind(keys: &BTreeSet<String>) -> Option<Kind> {
    let has = |key: &str| keys.contains(key);
    let any = |names: &[&str]| names.iter().any(|name| has(name));
    if any(&["resourcePlans", "plan.resourcePlans", "plan.manifest"]) {
        return Some(Kind::PulumiPlan);
    }
    if is_preview(keys) {
        return Some(Kind::PulumiPreview);
    }
    if any(&["deployment", "checkpoint", "resources[].urn"]) {
        return Some(Kind::PulumiState);
    }
    let is_shown = any(&["values.root_module", "values.outputs", "values"]);
    if any(OF_PLANS) || has("format_version") && !is_shown && any(OF_VERSIONED_PLANS) {
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
    if is_state(keys) {
        return Some(Kind::TerraformState);
    }
    if any(&["values.root_module", "values.outputs"]) || has("format_version") {
        return Some(Kind::TerraformShow);
    }
    // A plan without resources; deployments have no configuration beside their manifest.
    if has("manifest") && has("config") {
        return Some(Kind::PulumiPlan);
    }
    is_deployment(keys).then_some(Kind::PulumiState)
}

/// True if the keys are those of a preview, whose parts are left out if they are empty, or of the summary that `--output json`
/// prints.
fn is_preview(keys: &BTreeSet<String>) -> bool {
    let has = |key: &str| keys.contains(key);
    let parts = [
        "config",
        "steps",
        "diagnostics",
        "duration",
        "changeSummary",
        "maybeCorrupt",
    ];
    let n_parts = parts.iter().filter(|part| has(part)).count();
    has("steps[].op")
        || has("changeSummary")
        || has("resources[].urn") && has("resources[].op")
        || has("result") && has("summary") && has("duration")
        || only(keys, &parts) && (n_parts > 1 || has("steps") || has("diagnostics"))
}

/// True if the keys are those of a state of Terraform or OpenTofu, version 4.
fn is_state(keys: &BTreeSet<String>) -> bool {
    let has = |key: &str| keys.contains(key);
    let is_described = ["terraform_version", "serial", "lineage"]
        .iter()
        .any(|key| has(key));
    let has_contents = ["resources", "modules", "outputs", "check_results"]
        .iter()
        .any(|key| has(key));
    has("resources[].instances")
        || has("modules[].path")
        || has("version") && (is_described || has_contents)
        || is_described && (has("resources") || has("modules"))
}

/// True if the keys are those of a deployment or checkpoint without resources, or without a wrapper.
fn is_deployment(keys: &BTreeSet<String>) -> bool {
    let has = |key: &str| keys.contains(key);
    let has_manifest = ["resources", "secrets_providers", "manifest.magic"]
        .iter()
        .any(|key| has(key));
    has("manifest") && has_manifest
        || ["latest.manifest", "latest.resources", "latest.time"]
            .iter()
            .any(|key| has(key))
        // A stack to which nothing was ever deployed.
        || (has("stack") || has("target")) && only(keys, &["stack", "target", "config", "latest"])
        || has(VERSION_NUMBER) && only(keys, &["version", "features"])
}

/// True if there are no keys at the top but these.
fn only(keys: &BTreeSet<String>, known: &[&str]) -> bool {
    tops(keys).all(|key| known.contains(&key))
}

/// The keys at the top.
fn tops(keys: &BTreeSet<String>) -> impl Iterator<Item = &str> {
    let all = keys.iter().map(String::as_str);
    all.filter(|key| !key.contains(['.', '[']))
}

/// Related files that are not supported: keys that they have at the top, and a description.
const NEIGHBORS: &[(&[&str], &str)] = &[
    (
        &["Modules"],
        "Terraform's list of the modules that are installed, not a state or plan",
    ),
    (
        &["ID", "Operation", "Who"],
        "the lock that a run of Terraform holds on a state, not the state itself",
    ),
    (
        &["current-hash", "chunks"],
        "the list of the pieces in which Consul holds a state, not the state itself",
    ),
    (
        &["kind", "startTime", "resourceChanges"],
        "Pulumi's record of an update; the state after it is in the `.checkpoint.json` beside it",
    ),
    (
        &["pid", "username", "hostname"],
        "the lock that a run of Pulumi holds on a stack, not the stack itself",
    ),
    (
        &["version", "tags"],
        "the tags of a Pulumi stack, not the stack itself",
    ),
];

/// Describes JSON of another kind.
fn describe_keys(keys: &BTreeSet<String>) -> String {
    let is = |(known, _): &&(&[&str], &str)| known.iter().all(|key| keys.contains(*key));
    if let Some((_, what)) = NEIGHBORS.iter().find(is) {
        return (*what).to_owned();
    }
    let named: Vec<String> = tops(keys).take(5).map(|key| format!("`{key}`")).collect();
    format!("JSON of another kind (with {})", named.join(", "))
}

/// Represents a `version` that is a number among the keys; no key at the top has a bracket in it.
const VERSION_NUMBER: &str = "version[number]";

/// The keys in the first bytes of a JSON text down to the third level, written `a.b` and, in arrays, `a[].b`.
fn keys(head: &[u8]) -> BTreeSet<String> {
    let mut reader = Reader::new(head);
    let mut keys = BTreeSet::new();
    // For each open bracket, the path of its contents.
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
            token => {
                if path == "version" && matches!(token, Token::Number(_)) {
                    keys.insert(VERSION_NUMBER.to_owned());
                }
                path = open.last().cloned().unwrap_or_default();
            }
        }
    }
    keys
}

/// Describes bytes that are not JSON.
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
    if is_json(head) {
        return "JSON of another kind (without any key)".to_owned();
    }
    configuration(trimmed).unwrap_or_else(|| "text that is not JSON".to_owned())
}

/// True if the text begins as JSON does. Anything may follow the first value.
fn is_json(head: &[u8]) -> bool {
    let mut reader = Reader::new(head);
    reader.next().is_ok() && reader.next().is_ok()
}

/// Describes a text in the language of Terraform; `None` if it is something else.
fn configuration(text: &str) -> Option<String> {
    const BLOCKS: &[&str] = &[
        "resource",
        "data",
        "module",
        "variable",
        "output",
        "provider",
        "terraform",
        "locals",
    ];
    // Maximum number of locked providers that are named.
    const MAX_NAMED: usize = 5;
    let locks = dependency_locks::read(text);
    if locks.iter().any(|lock| lock.provider.contains('/')) {
        let named = locks.iter().take(MAX_NAMED);
        let named: Vec<_> = named
            .map(|lock| format!("{} {}", lock.provider, lock.version))
            .collect();
        let more = if locks.len() > MAX_NAMED { ", …" } else { "" };
        return Some(format!(
            "a dependency lock file, which says which versions of providers were chosen ({}{more}): open the state or the plan",
            named.join(", ")
        ));
    }
    let file = hcl::read(text, Syntax::Native);
    let blocks = &file.body.blocks;
    let is_one = blocks.iter().any(|block| BLOCKS.contains(&&*block.kind));
    is_one.then(|| {
        "a configuration of Terraform or OpenTofu, from which a plan is made: open the plan or the state"
            .to_owned()
    })
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
