//! Building a tree of a whole stack, and adding one resource to it.

use std::collections::{HashMap, HashSet};

use hashbrown::hash_map::Entry;

use super::marks::Own;
use super::sort::Sorter;
use super::{Arrangement, Folds, MAX_DEPTH, NONE, Node, Order, Tree};
use crate::stack::{Action, Flags, GroupId, ProviderId, ResourceId, Severity, Stack};

/// The options of a tree.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Request {
    /// The arrangement of the nodes.
    pub arrangement: Arrangement,
    /// The order of siblings.
    pub order: Order,
    /// The state of open and closed nodes.
    pub folds: Folds,
    /// Shows only these resources (ascending) and their parents. Everything is open. `None` shows all.
    pub filter: Option<Vec<ResourceId>>,
    /// Opens everything that has children if that gives at most this number of rows. Ignored if the person folded anything.
    pub open_if_at_most: usize,
}

/// The parent of a resource, before there are nodes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Above {
    Top,
    Node(Node),
}

impl Tree {
    /// The tree of a stack. Sorts, so a large stack belongs in the background.
    pub fn new(stack: &Stack, request: Request) -> Self {
        let mut folds = request.folds;
        if request.filter.is_some() {
            folds = Folds {
                level: MAX_DEPTH,
                exceptions: HashMap::new(),
            };
        }
        let untouched = folds == Folds::default();
        let mut tree = Self::empty(request.arrangement, folds);
        let mut plan = Plan::new(stack, request.arrangement, request.filter.as_deref());
        plan.sort(stack, request.order);
        plan.grow(&mut tree, stack);
        if request.filter.is_none() && request.arrangement == Arrangement::Parent {
            add_providers(&mut tree, stack);
        }
        if request.filter.is_none() && !stack.outputs.is_empty() {
            tree.push(0, Node::Outputs);
        }
        tree.recount();
        tree.n_seen = stack.len();
        if untouched && tree.entries.len() <= request.open_if_at_most {
            tree.open_all_without_trace();
        }
        tree
    }

    /// Opens all nodes with children. The level decides about nodes that are added later.
    fn open_all_without_trace(&mut self) {
        self.open_families(|entry| super::upkeep::is_opened_by_level(entry.node));
    }
}

/// True if a record has no separate row: drift that the plan found is listed with the changes.
fn is_elsewhere(stack: &Stack, id: ResourceId) -> bool {
    stack.record(id).flags.is_second_entry()
}

fn is_root_provider(stack: &Stack, id: ResourceId) -> bool {
    let record = stack.record(id);
    record.flags.contains(Flags::PROVIDER)
        && record
            .parent
            .is_none_or(|parent| stack.record(parent).flags.contains(Flags::STACK))
}

/// Appends one resource, for a stack that is still being read. A parent that is not in the tree yet is ignored.
pub(super) fn add(tree: &mut Tree, stack: &Stack, id: ResourceId) {
    if is_elsewhere(stack, id) {
        return;
    }
    let record = stack.record(id);
    let above = match tree.arrangement {
        Arrangement::Flat => 0,
        Arrangement::Type => {
            let node = Node::Type(record.prefix);
            match tree.entry(node) {
                Some(entry) => entry,
                None => tree.attach(0, node),
            }
        }
        Arrangement::Parent if is_root_provider(stack, id) => match tree.entry(Node::Providers) {
            Some(entry) => entry,
            None => tree.attach(0, Node::Providers),
        },
        Arrangement::Parent => match (record.parent, record.group) {
            (Some(parent), _) => tree.entry(Node::Resource(parent)).unwrap_or(0),
            (None, Some(group)) => module(tree, stack, group),
            (None, None) => 0,
        },
    };
    let above = not_too_deep(tree, above);
    let entry = tree.attach(above, Node::Resource(id));
    tree.count_resource(entry, Own::of(stack, id, false));
}

fn module(tree: &mut Tree, stack: &Stack, group: GroupId) -> u32 {
    // Missing modules, from the inside out.
    let mut missing = Vec::new();
    let mut above = 0;
    let mut next = Some(group);
    while let Some(group) = next {
        if let Some(entry) = tree.entry(Node::Group(group)) {
            above = entry;
            break;
        }
        missing.push(group);
        next = stack.tables.group(group).parent;
    }
    for group in missing.into_iter().rev() {
        above = not_too_deep(tree, above);
        above = tree.attach(above, Node::Group(group));
    }
    above
}

fn not_too_deep(tree: &Tree, mut above: u32) -> u32 {
    while tree.entries[above as usize].depth >= MAX_DEPTH {
        above = tree.entries[above as usize].parent;
    }
    above
}

/// The nodes of the tree to build: children by their parent.
struct Plan {
    top: Vec<Node>,
    below: hashbrown::HashMap<Node, Vec<Node>>,
}

impl Plan {
    fn new(stack: &Stack, arrangement: Arrangement, filter: Option<&[ResourceId]>) -> Self {
        let kept = filter.map(|ids| with_parents(stack, arrangement, ids));
        let mut plan = Self {
            top: Vec::new(),
            below: hashbrown::HashMap::new(),
        };
        let mut types: HashMap<&str, Node> = HashMap::new();
        let mut groups = HashSet::new();
        for id in stack.ids() {
            let wanted = kept.as_ref().is_none_or(|kept| kept[id.index()]);
            if !wanted || is_elsewhere(stack, id) {
                continue;
            }
            let record = stack.record(id);
            let above = match arrangement {
                Arrangement::Flat => Above::Top,
                Arrangement::Type => {
                    let node = *types
                        .entry(stack.ty(id))
                        .or_insert(Node::Type(record.prefix));
                    plan.once(Above::Top, node);
                    Above::Node(node)
                }
                Arrangement::Parent if is_root_provider(stack, id) => {
                    plan.once(Above::Top, Node::Providers);
                    Above::Node(Node::Providers)
                }
                Arrangement::Parent => match (record.parent, record.group) {
                    (Some(parent), _) if parent != id => Above::Node(Node::Resource(parent)),
                    (_, Some(group)) => {
                        plan.modules(stack, group, &mut groups);
                        Above::Node(Node::Group(group))
                    }
                    _ => Above::Top,
                },
            };
            plan.add(above, Node::Resource(id));
        }
        plan
    }

    fn modules(&mut self, stack: &Stack, group: GroupId, seen: &mut HashSet<GroupId>) {
        let mut next = Some(group);
        while let Some(group) = next {
            if !seen.insert(group) {
                return;
            }
            next = stack.tables.group(group).parent;
            let above = next.map_or(Above::Top, |parent| Above::Node(Node::Group(parent)));
            self.add(above, Node::Group(group));
        }
    }

    fn add(&mut self, above: Above, node: Node) {
        match above {
            Above::Top => self.top.push(node),
            Above::Node(above) => self.below.entry(above).or_default().push(node),
        }
    }

    /// Adds a folder if it is missing.
    fn once(&mut self, above: Above, node: Node) {
        if let Entry::Vacant(below) = self.below.entry(node) {
            below.insert(Vec::new());
            self.add(above, node);
        }
    }

    fn sort(&mut self, stack: &Stack, order: Order) {
        let sorter = Sorter::new(stack, order);
        sorter.sort(&mut self.top);
        self.below.values_mut().for_each(|nodes| sorter.sort(nodes));
    }

    /// Adds the nodes to `tree`. Cycles of parents, which cannot be reached from the top, are cut open and put at the top.
    fn grow(mut self, tree: &mut Tree, stack: &Stack) {
        let mut waiting: Vec<(u32, Node)> = self.top.drain(..).rev().map(|it| (0, it)).collect();
        let noted = noted(stack);
        self.grow_from(tree, &mut waiting, stack, &noted);
        let mut lost: Vec<Node> = self.below.keys().copied().collect();
        lost.sort_unstable_by_key(|node| match node {
            Node::Resource(id) => id.0,
            _ => NONE,
        });
        for node in lost {
            match node {
                Node::Resource(id) if id.index() < stack.len() && !tree.contains(node) => {
                    waiting.push((0, node));
                }
                _ => {
                    let below = self.below.remove(&node).unwrap_or_default();
                    waiting.extend(below.into_iter().rev().map(|node| (0, node)));
                }
            }
            self.grow_from(tree, &mut waiting, stack, &noted);
        }
    }

    fn grow_from(
        &mut self,
        tree: &mut Tree,
        waiting: &mut Vec<(u32, Node)>,
        stack: &Stack,
        noted: &HashSet<ResourceId>,
    ) {
        while let Some((above, node)) = waiting.pop() {
            if tree.contains(node) {
                continue;
            }
            let above = not_too_deep(tree, above);
            let entry = tree.push(above, node);
            if let Node::Resource(id) = node {
                let own = Own::of(stack, id, noted.contains(&id));
                tree.count_resource(entry, own);
            }
            if let Some(below) = self.below.remove(&node) {
                waiting.extend(below.into_iter().rev().map(|node| (entry, node)));
            }
        }
    }
}

/// Adds provider nodes for Terraform files, where providers are not resources.
fn add_providers(tree: &mut Tree, stack: &Stack) {
    if stack.header.kind.is_pulumi() {
        return;
    }
    let mut counts = vec![0_u32; stack.tables.providers.len()];
    for id in stack.ids().filter(|id| !is_elsewhere(stack, *id)) {
        if let Some(provider) = stack.record(id).provider {
            counts[provider.0 as usize] += 1;
        }
    }
    let used = (0..).map(ProviderId).zip(counts).filter(|(_, n)| *n > 0);
    let mut used: Vec<_> = used.collect();
    used.sort_by_key(|(id, _)| stack.tables.provider(*id));
    if used.is_empty() {
        return;
    }
    let folder = tree.push(0, Node::Providers);
    for (id, n) in used {
        let entry = tree.push(folder, Node::Provider(id));
        tree.family_mut(entry).n_resources = n;
    }
}

/// The resources that a warning or an error of the stack is about.
fn noted(stack: &Stack) -> HashSet<ResourceId> {
    let notes = stack.notes.iter();
    notes
        .filter(|note| note.severity > Severity::Info)
        .filter_map(|note| note.resource)
        .collect()
}

/// By resource: true if it is one of `ids` or, in an arrangement with parents, above one of them.
fn with_parents(stack: &Stack, arrangement: Arrangement, ids: &[ResourceId]) -> Vec<bool> {
    let mut kept = vec![false; stack.len()];
    for id in ids {
        let mut next = Some(*id);
        while let Some(id) = next {
            match kept.get_mut(id.index()) {
                Some(kept @ false) => *kept = true,
                _ => break,
            }
            next = (arrangement == Arrangement::Parent)
                .then(|| stack.record(id).parent)
                .flatten();
        }
    }
    kept
}

/// The position of an action in the order of review.
pub(super) fn rank(action: Option<Action>) -> usize {
    action
        .and_then(|action| Action::ALL.iter().position(|other| *other == action))
        .unwrap_or(Action::ALL.len())
}
