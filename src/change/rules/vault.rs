//! Policies of Vault: the capabilities that each path has, in HCL or in JSON.
//!
//! # Source
//!
//! Vault, Policies: a policy is a list of `path` blocks with `capabilities`; `deny` takes all others away.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use super::Part;
use crate::path::children;
use crate::terraform::hcl::{Syntax, read};
use crate::value::Value;

/// The capability that takes all others away.
const DENY: &str = "deny";

/// The capabilities of each path.
type Paths = BTreeMap<String, BTreeSet<String>>;

/// The capabilities on a path that the policy `after` has and `before` has not, one path each: `secret/*: delete, update`. `None` for a
/// text that is no policy: it may have any.
pub(super) fn gained(before: &Value, after: &Value) -> Option<Vec<Part>> {
    let (before, after) = (paths(before)?, paths(after)?);
    // The denied path before which a new one counts.
    let over = |path: &str| {
        let denied = after.iter().find(|(other, of_path)| {
            of_path.contains(DENY) && have_one_path(path, other) && comes_first(path, other)
        });
        denied.map_or_else(String::new, |(other, _)| {
            format!(", and not the deny of {other}")
        })
    };
    let granted = |paths: &Paths, path: &str| match paths.get(path) {
        Some(of_path) if !of_path.contains(DENY) => of_path.clone(),
        Some(_) | None => BTreeSet::new(),
    };
    let new = after.keys().filter_map(|path| {
        let (old, new) = (granted(&before, path), granted(&after, path));
        let new: Vec<&str> = new.difference(&old).map(String::as_str).collect();
        (!new.is_empty()).then(|| format!("{path}: {}{}", new.join(", "), over(path)))
    });
    // A path that is no longer denied may be allowed by a rule with a wildcard.
    let denied = before.iter().filter(|(path, of_path)| {
        of_path.contains(DENY) && !after.contains_key(*path) && !after.is_empty()
    });
    let denied = denied.map(|(path, _)| format!("{path}: no longer denied"));
    Some(new.chain(denied).map(Part::Comes).collect())
}

/// True if the rule of the first of two paths counts where both fit.
///
/// # Source
///
/// Vault, Policies, Priority matching.
fn comes_first(one: &str, other: &str) -> bool {
    let order = |path: &str| {
        let first = path.find(['+', '*']).unwrap_or(usize::MAX);
        let n_segments = path.split('/').filter(|it| *it == "+").count();
        let is_open = path.ends_with('*');
        (
            first,
            !is_open,
            Reverse(n_segments),
            path.len(),
            path.to_owned(),
        )
    };
    order(one) > order(other)
}

/// True if a path is possible that both of two fit: `+` stands for one segment, and `*` at the end for any text.
fn have_one_path(one: &str, other: &str) -> bool {
    let (mut one, mut other) = (one.split('/').peekable(), other.split('/').peekable());
    loop {
        let (own, its) = match (one.next(), other.next()) {
            (None, None) => return true,
            (None, _) | (_, None) => return false,
            (Some(own), Some(its)) => (own, its),
        };
        let open = |text: &str, is_last: bool| {
            text.strip_suffix('*')
                .filter(|_| is_last)
                .map(str::to_owned)
        };
        let own_open = open(own, one.peek().is_none());
        let its_open = open(its, other.peek().is_none());
        match (own_open, its_open) {
            (Some(own), Some(its)) => return own.starts_with(&its) || its.starts_with(&own),
            (Some(begin), None) => return its == "+" || its.starts_with(&begin),
            (None, Some(begin)) => return own == "+" || own.starts_with(&begin),
            (None, None) if own == its || own == "+" || its == "+" => {}
            (None, None) => return false,
        }
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_path_whose_first_wildcard_is_later_counts() {
        let check = |one: &str, other: &str, shared: bool, first: bool| {
            let found = (have_one_path(one, other), comes_first(one, other));
            assert_eq!(found, (shared, first), "{one} and {other}");
            assert_eq!(have_one_path(other, one), shared, "{other} and {one}");
        };
        check("kv/data/eu-*", "kv/data/+/bank", true, true);
        check("*", "kv/data/+/bank", true, false);
        check("kv/data/eu", "kv/data/+", true, true);
        check("kv/+/a", "kv/*", true, true);
        check("kv/us-*", "kv/eu-*", false, true);
        check("kv/a/b", "kv/+", false, true);
        check("kv/a", "kv/a/*", false, true);
        check("kv/a", "kv/a*", true, true);
        check("kv/*", "kv", false, false);
    }
}
