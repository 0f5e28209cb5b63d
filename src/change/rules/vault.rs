//! Policies of Vault: the capabilities that each path has, in HCL or in JSON.
//!
//! # Source
//!
//! Vault, Policies: a policy is a list of `path` blocks with `capabilities`; `deny` takes all others away.

use std::collections::{BTreeMap, BTreeSet};

use super::Part;
use super::condition::Answer;
use crate::path::children;
use crate::terraform::hcl::{Syntax, read};
use crate::value::Value;

/// The capability that takes all others away.
const DENY: &str = "deny";

/// The capabilities of each path.
type Paths = BTreeMap<String, BTreeSet<String>>;

/// The answer to: has the policy `after` a capability on a path that `before` has not? A text that is no policy may have any.
pub(super) fn gains(before: &Value, after: &Value) -> Answer {
    match (paths(before), paths(after)) {
        (Some(before), Some(after)) if gained(&before, &after).is_empty() => Answer::No,
        (Some(_), Some(_)) => Answer::Yes,
        (None, _) | (_, None) => Answer::Open,
    }
}

/// The new capabilities, one path each: `secret/*: delete, update`.
pub(super) fn gained_in_words(before: &Value, after: &Value) -> Vec<Part> {
    let (Some(before), Some(after)) = (paths(before), paths(after)) else {
        return Vec::new();
    };
    let gained = gained(&before, &after);
    let part =
        |(path, new): (String, Vec<String>)| Part::Comes(format!("{path}: {}", new.join(", ")));
    gained.into_iter().map(part).collect()
}

fn gained(before: &Paths, after: &Paths) -> Vec<(String, Vec<String>)> {
    let nothing = BTreeSet::new();
    let granted = |paths: &Paths, path: &str| match paths.get(path) {
        Some(of_path) if !of_path.contains(DENY) => of_path.clone(),
        Some(_) | None => nothing.clone(),
    };
    let new = after.keys().filter_map(|path| {
        let (old, new) = (granted(before, path), granted(after, path));
        let new: Vec<String> = new.difference(&old).cloned().collect();
        (!new.is_empty()).then(|| (path.clone(), new))
    });
    let mut found: Vec<(String, Vec<String>)> = new.collect();
    // A path that is no longer denied may be allowed by a rule with a wildcard.
    let denied = before.iter().filter(|(path, of_path)| {
        of_path.contains(DENY) && !after.contains_key(*path) && !after.is_empty()
    });
    found.extend(denied.map(|(path, _)| (path.clone(), vec!["no longer denied".to_owned()])));
    found
}

/// The paths of a policy; `None` if the text is none. No text is a policy without paths.
fn paths(policy: &Value) -> Option<Paths> {
    if policy.is_null() {
        return Some(Paths::new());
    }
    let text = policy.as_str()?;
    let syntax = if text.trim_start().starts_with('{') {
        return of_json(text);
    } else {
        Syntax::Native
    };
    let file = read(text, syntax);
    let mut paths = Paths::new();
    for block in file.body.blocks("path") {
        let (Some(path), Some(list)) = (block.labels.first(), block.body.attribute("capabilities"))
        else {
            continue;
        };
        let texts = list.literals.iter().map(|it| it.decode().into_owned());
        paths.entry(path.to_string()).or_default().extend(texts);
    }
    (file.is_whole && (!paths.is_empty() || text.trim().is_empty())).then_some(paths)
}

fn of_json(text: &str) -> Option<Paths> {
    let policy = crate::json::parse(text.as_bytes(), crate::json::Numbers::Exact)
        .ok()?
        .value;
    let mut paths = Paths::new();
    for (path, rule) in policy.get("path")?.as_map()? {
        let list = rule.get("capabilities").into_iter().flat_map(children);
        let texts = list.filter_map(|(_, it)| it.as_str().map(str::to_owned));
        paths.entry(path.to_string()).or_default().extend(texts);
    }
    Some(paths)
}
