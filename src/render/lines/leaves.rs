//! A described difference as a list of changed leaves.

use crate::change::difference::{Action, Diff, DiffKind, Element, Elements, Group, Reason};
use crate::path::{Path, Segment};
use crate::value::Value;

/// A changed place without changed places below it.
#[derive(Clone, PartialEq, Debug)]
pub struct Leaf {
    /// The place: after the change, or before it if it is deleted.
    pub path: Path,
    /// The action on the leaf.
    pub action: Action,
    /// The value before, secret where it is sensitive; null if there was none.
    pub before: Value,
    /// The value after, secret where it is sensitive; null if there will be none.
    pub after: Value,
    /// True if this place, or the container that the leaf represents, forces the replacement of the resource.
    pub replaces: bool,
    /// Reason why the leaf counts as changed although its content is the same.
    pub reason: Option<Reason>,
}

/// The changed leaves, in the order of the description. A string is a leaf, whatever it holds.
pub fn leaves(diff: &Diff) -> Vec<Leaf> {
    let mut leaves = Vec::new();
    collect(diff, &Path::root(), false, &mut leaves);
    leaves
}

fn collect(diff: &Diff, path: &Path, replaces: bool, out: &mut Vec<Leaf>) {
    if diff.action == Action::Same && !diff.replaces {
        return;
    }
    let replaces = replaces || diff.replaces;
    let before = out.len();
    let in_elements = |elements: &Elements, out: &mut Vec<Leaf>| {
        let is_shown = |element: &Element<'_>| element.is_change() || element.replaces();
        for element in elements.iter().filter(is_shown) {
            let index = element.new.or(element.old).unwrap_or_default();
            let path = path.child(Segment::Index(index));
            collect(&element.diff(), &path, replaces, out);
        }
    };
    match &diff.kind {
        DiffKind::List { elements, .. } | DiffKind::Set { elements, .. } => {
            in_elements(elements, out);
        }
        DiffKind::Map {
            entries: children, ..
        }
        | DiffKind::Object {
            attributes: children,
            ..
        } => {
            for (key, child) in children {
                collect(child, &path.child(Segment::Key(key.clone())), replaces, out);
            }
        }
        DiffKind::Block { attributes, groups } => {
            for (key, child) in attributes {
                collect(child, &path.child(Segment::Key(key.clone())), replaces, out);
            }
            for group in groups {
                in_group(group, path, replaces, out);
            }
        }
        _ => {}
    }
    // A container that is empty, or whose children are all the same, is itself the leaf.
    if out.len() == before && (diff.action != Action::Same || diff.replaces) {
        out.push(Leaf {
            path: path.clone(),
            action: diff.action,
            before: diff.before.clone(),
            after: diff.after.clone(),
            replaces,
            reason: diff.reason(),
        });
    }
}

fn in_group(group: &Group, path: &Path, replaces: bool, out: &mut Vec<Leaf>) {
    for member in &group.members {
        collect(
            &member.diff,
            &group.path(member, path),
            replaces || group.replaces,
            out,
        );
    }
}
