//! The module instances of a file as a tree, and the instances that each may depend on.
//!
//! A dependency names a resource of the configuration, which may have instances in many module instances. A reference travels
//! up and down through the calls of one instance, so nothing in `module.a[0]` reads from `module.a[1]`: both ends are in the
//! same instances of the modules that contain both by configuration. The part of the tree that an instance of a module may
//! reach is then everything below one node. With the tree numbered in depth-first order, that is a range of numbers.

use std::ops::Range;
use std::sync::Arc;

use hashbrown::HashMap;

use super::intern::number;
use crate::stack::GroupId;
use crate::terraform::address;

/// A module instance: 0 for the root, else one more than its group.
pub(super) type Module = u32;

/// A module of the configuration; 0 for the root.
pub(super) type Config = u32;

/// All module instances that were met.
pub(super) struct Modules {
    index: HashMap<Arc<str>, Module>,
    /// By module; parents come before their children.
    nodes: Vec<ModuleNode>,
    config_index: HashMap<String, Config>,
    /// By module of the configuration: its parent, and its depth.
    configs: Vec<(Config, u32)>,
}

struct ModuleNode {
    parent: Module,
    config: Config,
}

impl Default for Modules {
    fn default() -> Self {
        Self {
            index: HashMap::new(),
            nodes: vec![ModuleNode {
                parent: 0,
                config: 0,
            }],
            config_index: HashMap::new(),
            configs: vec![(0, 0)],
        }
    }
}

impl Modules {
    /// The group of a module instance, if it was met.
    pub(super) fn find(&self, path: &str) -> Option<GroupId> {
        self.index.get(path).map(|module| GroupId(module - 1))
    }

    /// Adds a module instance whose parent was met before.
    pub(super) fn add(&mut self, path: &Arc<str>, parent: Option<GroupId>) -> GroupId {
        let parent = parent.map_or(0, |parent| parent.0 + 1);
        let around = self.config(parent);
        let next = number(self.configs.len());
        let name = address::config_address(path).into_owned();
        let config = *self.config_index.entry(name).or_insert(next);
        if config == next {
            let depth = self.configs[around as usize].1 + 1;
            self.configs.push((around, depth));
        }
        let module = number(self.nodes.len());
        self.nodes.push(ModuleNode { parent, config });
        self.index.insert(path.clone(), module);
        GroupId(module - 1)
    }

    /// The module of the configuration that `module` is an instance of.
    pub(super) fn config(&self, module: Module) -> Config {
        self.nodes[module as usize].config
    }

    /// The innermost instance around `module`, or `module` itself, that contains everything it can reach in `config`.
    pub(super) fn shared(&self, mut module: Module, mut config: Config) -> Module {
        loop {
            let own = self.config(module);
            let (around, depth) = self.configs[config as usize];
            let own_depth = self.configs[own as usize].1;
            if own == config {
                return module;
            }
            if own_depth >= depth {
                module = self.nodes[module as usize].parent;
            }
            if depth >= own_depth {
                config = around;
            }
        }
    }

    /// By module: the range from its number in depth-first order to the first number after its subtree.
    pub(super) fn ranges(&self) -> Vec<Range<u32>> {
        let mut sizes = vec![1_u32; self.nodes.len()];
        for module in (1..self.nodes.len()).rev() {
            sizes[self.nodes[module].parent as usize] += sizes[module];
        }
        // The next free number for a child of each module.
        let mut next = vec![1_u32; self.nodes.len()];
        let mut ranges = Vec::with_capacity(self.nodes.len());
        ranges.push(0..sizes[0]);
        for module in 1..self.nodes.len() {
            let slot = &mut next[self.nodes[module].parent as usize];
            let start = *slot;
            *slot += sizes[module];
            next[module] = start + 1;
            ranges.push(start..start + sizes[module]);
        }
        ranges
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn add(modules: &mut Modules, path: &str) -> Module {
        if path.is_empty() {
            return 0;
        }
        if let Some(group) = modules.find(path) {
            return group.0 + 1;
        }
        let parent = address::parent_module(path)
            .map(|parent| add(modules, parent))
            .and_then(|parent| parent.checked_sub(1))
            .map(GroupId);
        modules.add(&Arc::from(path), parent).0 + 1
    }

    /// True if the modules that two paths have in common by name are the same instances, found by comparing step by step.
    fn agree(one: &str, other: &str) -> bool {
        let steps = |path: &str| {
            let address = format!("{path}.a.b");
            let parsed = address::Address::parse(address.trim_start_matches('.'));
            parsed.expect("an address").module
        };
        let (one, other) = (steps(one), steps(other));
        let shared = one
            .iter()
            .zip(&other)
            .take_while(|(one, other)| one.name == other.name);
        shared.into_iter().all(|(one, other)| one.key == other.key)
    }

    proptest! {
        #[test]
        fn a_range_holds_what_agrees(
            paths in proptest::collection::vec("(module\\.[ab](\\[[01]\\])?(\\.module\\.[ab](\\[[01]\\])?){0,2})?", 1..30),
        ) {
            let mut modules = Modules::default();
            let numbers: Vec<_> = paths.iter().map(|path| add(&mut modules, path)).collect();
            let ranges = modules.ranges();
            for (from, own) in paths.iter().zip(&numbers) {
                for (to, other) in paths.iter().zip(&numbers) {
                    let shared = modules.shared(*own, modules.config(*other));
                    let inside = ranges[shared as usize].contains(&ranges[*other as usize].start);
                    prop_assert_eq!(inside, agree(from, to), "{} {}", from, to);
                }
            }
        }
    }
}
