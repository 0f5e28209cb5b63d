//! Traversals: a name with its attributes and indexes, and what of it is the object that it refers to.

use crate::address::quote_key;

/// A step behind a name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Step<'t> {
    /// `.name`.
    Attribute(&'t str),
    /// `[0]`, with its digits.
    Number(&'t str),
    /// `["key"]`.
    Key(&'t str),
}

/// A name with steps behind it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Traversal<'t> {
    pub(super) root: &'t str,
    pub(super) steps: Vec<Step<'t>>,
}

/// What the JSON form lists for a traversal: itself, each of its prefixes down to the object that it refers to, and that object
/// without its key; nothing if it refers to none.
///
/// Source: hashicorp/terraform `internal/command/jsonconfig/expression.go`, `internal/addrs/parse_ref.go`.
pub(super) fn references(traversal: &Traversal<'_>) -> Vec<String> {
    let steps = traversal.steps.as_slice();
    let attribute = |index: usize| match steps.get(index) {
        Some(Step::Attribute(name)) => Some(*name),
        _ => None,
    };
    // How many steps name the object, its key aside.
    let n_bare = match traversal.root {
        "data" | "ephemeral" | "resource" => 2,
        _ => 1,
    };
    if !(0..n_bare).all(|index| attribute(index).is_some()) {
        return Vec::new();
    }
    let is_named = matches!(
        traversal.root,
        "var" | "local" | "each" | "count" | "path" | "terraform" | "tofu" | "self"
    );
    let is_keyed = !is_named && matches!(steps.get(n_bare), Some(Step::Number(_) | Step::Key(_)));
    let mut n_subject = n_bare + usize::from(is_keyed);
    if traversal.root == "module" && attribute(n_subject).is_some() {
        n_subject += 1;
    }
    let text = |n_steps: usize| text(traversal, n_steps);
    let mut references: Vec<String> = (n_subject..=steps.len()).rev().map(text).collect();
    if n_bare < n_subject {
        references.push(text(n_bare));
    }
    references
}

fn text(traversal: &Traversal<'_>, n_steps: usize) -> String {
    let mut text = match traversal.root {
        // The explicit form of what needs no such word.
        "resource" => String::new(),
        root => root.to_owned(),
    };
    for step in traversal.steps.iter().take(n_steps) {
        match step {
            Step::Attribute(name) if text.is_empty() => text.push_str(name),
            Step::Attribute(name) => text.extend([".", name]),
            Step::Number(digits) => text.extend(["[", digits, "]"]),
            Step::Key(key) => text.extend(["[", &quote_key(key), "]"]),
        }
    }
    text
}
