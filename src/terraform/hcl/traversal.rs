//! Traversals: a name with its attributes and indexes, and the object that it refers to.

use std::borrow::Cow;

use crate::terraform::quoting::quote_key;

/// A step after a name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Traverser<'t> {
    /// `.name`.
    Attribute(Cow<'t, str>),
    /// `[0]`, with its digits.
    Number(Cow<'t, str>),
    /// `["key"]`.
    Key(Cow<'t, str>),
}

/// A name with the steps after it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Traversal<'t> {
    /// The name.
    pub root: Cow<'t, str>,
    /// The steps.
    pub steps: Vec<Traverser<'t>>,
}

impl Traversal<'_> {
    /// Copies the borrowed strings.
    pub(super) fn into_owned<'o>(self) -> Traversal<'o> {
        let owned = |text: Cow<'_, str>| Cow::Owned(text.into_owned());
        let steps = self.steps.into_iter().map(|step| match step {
            Traverser::Attribute(name) => Traverser::Attribute(owned(name)),
            Traverser::Number(digits) => Traverser::Number(owned(digits)),
            Traverser::Key(key) => Traverser::Key(owned(key)),
        });
        Traversal {
            root: owned(self.root),
            steps: steps.collect(),
        }
    }

    /// The references that the JSON form of a plan lists for this traversal: itself, each prefix down to the object that it
    /// refers to, and that object without its key. Empty if it does not refer to an object.
    ///
    /// Source: hashicorp/terraform `internal/command/jsonconfig/expression.go`, `internal/addrs/parse_ref.go`.
    pub fn prefixes(&self) -> Vec<String> {
        let steps = self.steps.as_slice();
        let is_attribute = |index: usize| matches!(steps.get(index), Some(Traverser::Attribute(_)));
        // Number of steps that name the object, without its key.
        let n_bare = match &*self.root {
            "data" | "ephemeral" | "resource" => 2,
            _ => 1,
        };
        if !(0..n_bare).all(is_attribute) {
            return Vec::new();
        }
        let is_named = matches!(
            &*self.root,
            "var" | "local" | "each" | "count" | "path" | "terraform" | "tofu" | "self"
        );
        let is_keyed = !is_named
            && matches!(
                steps.get(n_bare),
                Some(Traverser::Number(_) | Traverser::Key(_))
            );
        let mut n_subject = n_bare + usize::from(is_keyed);
        if self.root == "module" && is_attribute(n_subject) {
            n_subject += 1;
        }
        let text = |n_steps: usize| self.text(n_steps);
        let mut prefixes: Vec<String> = (n_subject..=steps.len()).rev().map(text).collect();
        if n_bare < n_subject {
            prefixes.push(text(n_bare));
        }
        prefixes
    }

    /// The traversal up to `n_steps` steps, as written.
    fn text(&self, n_steps: usize) -> String {
        let mut text = match &*self.root {
            // The explicit form of a reference that does not need this word.
            "resource" => String::new(),
            root => root.to_owned(),
        };
        for step in self.steps.iter().take(n_steps) {
            match step {
                Traverser::Attribute(name) if text.is_empty() => text.push_str(name),
                Traverser::Attribute(name) => text.extend([".", name]),
                Traverser::Number(digits) => text.extend(["[", digits, "]"]),
                Traverser::Key(key) => text.extend(["[", &quote_key(key), "]"]),
            }
        }
        text
    }
}
