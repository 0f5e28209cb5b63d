//! Restores a person's choices in another version of the file: selections, folds and marks, found again by names that stay the
//! same.

use std::collections::{BTreeSet, HashMap, HashSet};

use crate::load::Document;
use crate::stack::{ChangeId, GroupId, PrefixId, ProviderId, ResourceId, Stack};
use crate::tree::{Folds, Node};
use crate::tui::rows::Spot;
use crate::tui::since::{Reading, Since};

/// A person's choices in a file. Ids belong to one stack.
#[derive(Clone, Default, Debug)]
pub struct Chosen {
    /// The selected node of the tree.
    pub node: Option<Node>,
    /// The selected value of the selected resource.
    pub spot: Option<Spot>,
    /// The resource that all views show.
    pub current: Option<ResourceId>,
    /// The selected change.
    pub change: Option<ResourceId>,
    /// The nodes that are open.
    pub folds: Folds,
    /// The marked resources.
    pub marks: BTreeSet<ResourceId>,
    /// The changes that the person has reviewed. They stay reviewed only if their texts are the same.
    pub reviewed: BTreeSet<ChangeId>,
}

impl Chosen {
    fn resources(&self) -> impl Iterator<Item = ResourceId> {
        let nodes = self.folds.exceptions.keys().copied().chain(self.node);
        nodes
            .filter_map(Node::resource)
            .chain(self.marks.iter().copied())
            .chain(self.reviewed.iter().filter_map(|it| it.resource()))
            .chain(self.change)
            .chain(self.current)
    }
}

/// The choices made in a file, until they are found again in the new one.
#[derive(Clone)]
pub struct Remembered {
    /// The choices.
    pub chosen: Chosen,
    /// The file that they were made in.
    pub document: Option<Document>,
    /// The hashes of the texts of its resources.
    pub digests: Vec<u64>,
}

/// Choices, and where to find them again.
pub struct Carried {
    /// The choices.
    pub remembered: Remembered,
    /// The file to find them in.
    pub new: Reading,
}

impl Carried {
    /// Finds the choices again, and what moved in the file. A change stays reviewed if its text is the same: another version may
    /// change something else in the same resource.
    pub fn find(self) -> (Chosen, Option<Since>) {
        let Remembered {
            mut chosen,
            document,
            digests,
        } = self.remembered;
        let Some(document) = document else {
            return (Chosen::default(), None);
        };
        let is_unchanged = document.is_unchanged();
        let stack = document.stack;
        let old = Reading { stack, digests };
        let since = Since::between(&old, &self.new);
        if since.is_none() && !is_unchanged {
            chosen.reviewed.clear();
        }
        let mut found = restore(&chosen, &old.stack, &self.new.stack);
        if let Some(since) = &since {
            let is_fresh = |id| since.fresh.contains(&id);
            (found.reviewed).retain(|change| !change.resource().is_some_and(is_fresh));
        }
        (found, since)
    }
}

/// Finds the choices made in `old` again in `new`; those that are gone are dropped. If several resources share a URN or address,
/// the second is found again as the second. Takes as long as reading all names, so it runs in the background.
fn restore(chosen: &Chosen, old: &Stack, new: &Stack) -> Chosen {
    let known = |id: &ResourceId| id.index() < old.len();
    let wanted: HashSet<ResourceId> = chosen.resources().filter(known).collect();
    let resources = resources(&wanted, old, new);
    let node = |node: &Node| match node {
        Node::Resource(id) => resources.get(id).copied().map(Node::Resource),
        Node::Group(group) => {
            let [old, new] = [old, new].map(|it| &it.tables.groups[..]);
            same(group.0, old, new, |it| &it.path).map(|it| Node::Group(GroupId(it)))
        }
        Node::Type(prefix) => {
            let [old, new] = [old, new].map(|it| &it.tables.prefixes[..]);
            same(prefix.0, old, new, |it| it.ty()).map(|it| Node::Type(PrefixId(it)))
        }
        Node::Provider(provider) => {
            let [old, new] = [old, new].map(|it| &it.tables.providers[..]);
            same(provider.0, old, new, |it| it).map(|it| Node::Provider(ProviderId(it)))
        }
        Node::Providers => Some(Node::Providers),
        Node::Outputs => Some(Node::Outputs),
    };
    let exceptions = chosen.folds.exceptions.iter();
    let found = |ids: &BTreeSet<ResourceId>| {
        let ids = ids.iter().filter_map(|id| resources.get(id).copied());
        ids.collect()
    };
    // An output stays reviewed if it is the same.
    let output = |at: usize| {
        let known = old.outputs.get(at)?;
        let position = new.outputs.iter().position(|it| it == known)?;
        Some(ChangeId::Output(position))
    };
    let reviewed = chosen.reviewed.iter().filter_map(|change| match change {
        ChangeId::Resource(id) => resources.get(id).copied().map(ChangeId::Resource),
        ChangeId::Output(at) => output(*at),
        ChangeId::Invocation(_) => None,
    });
    Chosen {
        node: chosen.node.as_ref().and_then(node),
        spot: chosen.spot.clone(),
        current: chosen.current.and_then(|id| resources.get(&id).copied()),
        change: chosen.change.and_then(|id| resources.get(&id).copied()),
        folds: Folds {
            level: chosen.folds.level,
            exceptions: exceptions
                .filter_map(|(folded, open)| Some((node(folded)?, *open)))
                .collect(),
        },
        marks: found(&chosen.marks),
        reviewed: reviewed.collect(),
    }
}

/// The position in `new` of the entry with the name of entry `at` of `old`.
fn same<T>(at: u32, old: &[T], new: &[T], name: fn(&T) -> &str) -> Option<u32> {
    let wanted = name(old.get(at as usize)?);
    let position = new.iter().position(|it| name(it) == wanted)?;
    u32::try_from(position).ok()
}

/// Maps the wanted resources of `old` to those of `new` that have the same identity.
fn resources(
    wanted: &HashSet<ResourceId>,
    old: &Stack,
    new: &Stack,
) -> HashMap<ResourceId, ResourceId> {
    // Names are slices of the index. Only resources with a wanted name have their identity spelled out.
    let names: HashSet<&str> = wanted.iter().map(|id| old.name(*id)).collect();
    let listed = |stack: &Stack| {
        let mut by_identity: HashMap<String, Vec<ResourceId>> = HashMap::new();
        for id in stack.ids().filter(|id| names.contains(stack.name(*id))) {
            by_identity.entry(stack.identity(id)).or_default().push(id);
        }
        by_identity
    };
    if names.is_empty() {
        return HashMap::new();
    }
    let (before, after) = (listed(old), listed(new));
    let mut found = HashMap::new();
    for (identity, ids) in &before {
        let Some(others) = after.get(identity) else {
            continue;
        };
        for (nth, id) in ids.iter().enumerate().filter(|(_, id)| wanted.contains(id)) {
            let other = others.get(nth).or(others.first());
            found.extend(other.map(|other| (*id, *other)));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{Chosen, restore};
    use crate::load::{self, Input};
    use crate::stack::{ChangeId, Stack};
    use crate::tree::{Folds, Node};

    fn stack(names: &[&str]) -> Stack {
        let resources: Vec<String> = names
            .iter()
            .map(|name| format!(r#"{{"urn":"urn:pulumi:s::p::k:m:T::{name}","custom":true,"type":"k:m:T","id":"1"}}"#))
            .collect();
        let text = format!(
            r#"{{"version":3,"deployment":{{"manifest":{{}},"resources":[{}]}}}}"#,
            resources.join(",")
        );
        let input = Input::bytes("s.json", text.into_bytes());
        load::load(&input).unwrap().stack
    }

    #[test]
    fn an_output_stays_reviewed_if_it_is_the_same() {
        let plan = |outputs: &[[&str; 2]]| {
            let output = |[name, after]: &[&str; 2]| {
                format!(
                    r#""{name}": {{"actions": ["update"], "before": "x", "after": "{after}", "after_unknown": false}}"#
                )
            };
            let outputs: Vec<String> = outputs.iter().map(output).collect();
            let text = format!(
                r#"{{"format_version": "1.2", "terraform_version": "1.9.0", "resource_changes": [], "output_changes": {{{}}}}}"#,
                outputs.join(",")
            );
            load::load(&Input::bytes("plan.json", text.into_bytes()))
                .unwrap()
                .stack
        };
        let old = plan(&[["a", "1"], ["b", "1"], ["c", "1"]]);
        let new = plan(&[["0", "1"], ["a", "1"], ["b", "2"]]);
        let chosen = Chosen {
            reviewed: (0..3).map(ChangeId::Output).collect(),
            ..Chosen::default()
        };
        let restored = restore(&chosen, &old, &new);
        assert_eq!(restored.reviewed, [ChangeId::Output(1)].into());
    }

    #[test]
    fn choices_are_found_by_name_and_equals_by_their_order() {
        let old = stack(&["a", "b", "twice", "twice", "gone"]);
        let new = stack(&["new", "twice", "b", "twice", "a"]);
        let ids: Vec<_> = old.ids().collect();
        let node = |index: usize| Node::Resource(ids[index]);
        let chosen = Chosen {
            node: Some(node(3)),
            current: Some(ids[0]),
            change: Some(ids[1]),
            folds: Folds {
                level: 2,
                exceptions: [(node(0), true), (node(4), true), (Node::Outputs, false)].into(),
            },
            marks: ids.iter().copied().collect(),
            ..Chosen::default()
        };
        let restored = restore(&chosen, &old, &new);
        let others: Vec<_> = new.ids().collect();
        assert_eq!(restored.node, Some(Node::Resource(others[3])));
        assert_eq!(restored.current, Some(others[4]));
        assert_eq!(restored.change, Some(others[2]));
        assert_eq!(restored.folds.level, 2);
        let exceptions = [(Node::Resource(others[4]), true), (Node::Outputs, false)];
        assert_eq!(restored.folds.exceptions, exceptions.into());
        let marks = [1, 2, 3, 4].map(|index| others[index]);
        assert_eq!(restored.marks, marks.into());
    }
}
