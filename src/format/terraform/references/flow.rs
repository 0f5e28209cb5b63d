//! The flow of values through modules: the resources that each variable and output leads to, and the sensitive nodes.
//!
//! Every variable and output of every module is a node. It reads other nodes and resources: a variable reads its argument in the
//! module call, an output the references of its expression. Each node is computed once, after the nodes that it reads, and
//! without recursion. So the work grows with the number of references, however often and however deep modules refer to each
//! other.

use std::collections::{HashMap, HashSet};

use super::{Module, join, longest, walk};
use crate::format::fields::{may_be, object};
use crate::path::Path;
use crate::stack::Instance;
use crate::terraform::address::{Address, module_of};
use crate::terraform::schema::{HiddenPlaces, SchemaKind};
use crate::value::{Map, Value};

/// Maximum number of resources that one reference can lead to.
const MAX_TARGETS: usize = 1_000;

/// Maximum number of targets that are kept for all variables and outputs together. It is needed for files in which everything
/// leads everywhere.
const MAX_KEPT: usize = 10_000_000;

/// A resource that an expression reads, and the property.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Target {
    pub(super) address: String,
    pub(super) attribute: Option<String>,
    pub(super) instance: Option<Instance>,
}

/// The target of a reference.
enum Read<'r> {
    Resource(Target),
    /// A variable of the module that contains the reference, or an output of a module that is called there; `None` for all of
    /// its outputs.
    Node(FlowNode<'r>),
    /// Something that does not lead to a resource.
    Nothing,
}

enum FlowNode<'r> {
    Variable(&'r str),
    Output(&'r str, Option<&'r str>),
}

impl Target {
    /// True if the schemas hide the attribute, or something in it.
    fn is_hidden(&self, places: &HiddenPlaces) -> bool {
        let module = module_of(&self.address);
        let own = self.address.get(module.len()..).unwrap_or_default();
        let own = own.strip_prefix('.').unwrap_or(own);
        let (kind, own) = match own.split_once('.') {
            Some(("data", own)) => (SchemaKind::Data, own),
            Some(("ephemeral", own)) => (SchemaKind::Ephemeral, own),
            _ => (SchemaKind::Managed, own),
        };
        let ty = own.split('.').next().unwrap_or_default();
        // A reference does not name the provider.
        let hidden = places.find("", kind, ty);
        let names = self.attribute.iter().flat_map(|text| text.split('.'));
        hidden.is_some_and(|hidden| hidden.hides(names))
    }
}

/// The nodes of a configuration.
pub(super) struct Flow {
    hidden: HiddenPlaces,
    numbers: HashMap<String, usize>,
    targets: Vec<Target>,
    /// Per node: the resources that it leads to, as indexes into `targets`.
    behind: Vec<Vec<u32>>,
    /// Per node: lower bound on the number of resources that are not kept.
    n_more: Vec<usize>,
    is_sensitive: Vec<bool>,
}

/// The references of a node, in the order in which they are written.
#[derive(Clone, Copy)]
enum Reference {
    Target(u32),
    Node(usize),
}

impl Flow {
    /// Resolves every variable and output of these modules.
    pub(super) fn new(modules: &HashMap<String, Module<'_>>, hidden: &HiddenPlaces) -> Self {
        let mut build = Build {
            hidden: hidden.clone(),
            ..Build::default()
        };
        let mut paths: Vec<&String> = modules.keys().collect();
        paths.sort_unstable();
        for path in paths {
            build.module(path, &modules[path], modules);
        }
        build.work_out()
    }

    /// The resources that references written in `module` lead to, in order and without duplicates; and the number of those left
    /// out.
    pub(super) fn targets(&self, module: &str, references: &[&str]) -> (Vec<Target>, usize) {
        let (mut seen, mut found, mut n_more) = (HashSet::new(), Vec::new(), 0);
        let mut add = |target: &Target| {
            if !seen.contains(target) {
                if found.len() < MAX_TARGETS {
                    seen.insert(target.clone());
                    found.push(target.clone());
                } else {
                    n_more += 1;
                }
            }
        };
        let has_own_key = references
            .iter()
            .any(|reference| matches!(*reference, "each.key" | "count.index"));
        let mut n_behind = 0;
        for reference in references {
            match read(
                module,
                &crate::terraform::address::config_address(reference),
            ) {
                Read::Resource(mut target) => {
                    target.instance = instance(reference);
                    // An index that is not constant ends a reference.
                    if target.instance.is_none() && target.attribute.is_none() && has_own_key {
                        target.instance = Some(Instance::Own);
                    }
                    add(&target);
                }
                Read::Node(node) => {
                    let Some(number) = self.numbers.get(&key(module, &node)) else {
                        continue;
                    };
                    n_behind += self.n_more[*number];
                    for target in &self.behind[*number] {
                        add(&self.targets[*target as usize]);
                    }
                }
                Read::Nothing => {}
            }
        }
        (found, n_more + n_behind)
    }

    /// True if `reference`, written in `module`, reads a variable or output that the configuration marks sensitive, or an
    /// attribute that a schema marks.
    pub(super) fn is_sensitive(&self, module: &str, reference: &str) -> bool {
        let plain = crate::terraform::address::config_address(reference);
        let node = match read(module, &plain) {
            Read::Node(node) => node,
            Read::Resource(target) => return target.is_hidden(&self.hidden),
            Read::Nothing => return false,
        };
        let number = self.numbers.get(&key(module, &node));
        number.is_some_and(|number| self.is_sensitive[*number])
    }
}

/// Collects the nodes.
#[derive(Default)]
struct Build {
    hidden: HiddenPlaces,
    numbers: HashMap<String, usize>,
    steps: Vec<Vec<Reference>>,
    is_sensitive: Vec<bool>,
    targets: Vec<Target>,
    target_numbers: HashMap<Target, u32>,
}

impl Build {
    fn node(&mut self, key: String) -> usize {
        let next = self.steps.len();
        let number = *self.numbers.entry(key).or_insert(next);
        if number == next {
            self.steps.push(Vec::new());
            self.is_sensitive.push(false);
        }
        number
    }

    fn module(&mut self, path: &str, module: &Module<'_>, modules: &HashMap<String, Module<'_>>) {
        let inputs = module.call.and_then(|call| object(call, "expressions"));
        for (name, declared) in declared(module.body, "variables") {
            let number = self.node(key(path, &FlowNode::Variable(name)));
            self.is_sensitive[number] |=
                may_be(declared, "sensitive") || may_be(declared, "ephemeral");
        }
        let caller = caller(path).filter(|caller| modules.contains_key(*caller));
        for (name, expression) in inputs.into_iter().flatten() {
            if let Some(caller) = caller {
                let number = self.node(key(path, &FlowNode::Variable(name)));
                self.reads(number, caller, expression);
            }
        }
        let Some((outside, call)) = split(path) else {
            return;
        };
        for (name, declared) in declared(module.body, "outputs") {
            let all = self.node(key(outside, &FlowNode::Output(call, None)));
            let one = self.node(key(outside, &FlowNode::Output(call, Some(name))));
            self.steps[all].push(Reference::Node(one));
            self.is_sensitive[one] |=
                may_be(declared, "sensitive") || may_be(declared, "ephemeral");
            if let Some(expression) = declared.get("expression") {
                self.reads(one, path, expression);
            }
        }
    }

    fn reads(&mut self, number: usize, module: &str, expression: &Value) {
        let (mut steps, mut is_hidden) = (Vec::new(), false);
        walk(expression, &Path::root(), &mut |references, _| {
            for reference in longest(references) {
                match read(
                    module,
                    &crate::terraform::address::config_address(reference),
                ) {
                    Read::Resource(mut target) => {
                        target.instance = instance(reference);
                        is_hidden |= target.is_hidden(&self.hidden);
                        steps.push(Reference::Target(self.target(target)));
                    }
                    Read::Node(node) => steps.push(Reference::Node(self.node(key(module, &node)))),
                    Read::Nothing => {}
                }
            }
        });
        self.is_sensitive[number] |= is_hidden;
        self.steps[number].extend(steps);
    }

    fn target(&mut self, target: Target) -> u32 {
        let next = u32::try_from(self.targets.len()).unwrap_or(u32::MAX);
        let number = *self.target_numbers.entry(target.clone()).or_insert(next);
        if number == next {
            self.targets.push(target);
        }
        number
    }

    fn work_out(mut self) -> Flow {
        self.spread_sensitive();
        let n = self.steps.len();
        let mut flow = Flow {
            hidden: self.hidden,
            numbers: self.numbers,
            targets: self.targets,
            behind: vec![Vec::new(); n],
            n_more: vec![0; n],
            is_sensitive: self.is_sensitive,
        };
        // Per target: the node that it was last seen for.
        let mut seen = vec![usize::MAX; flow.targets.len()];
        let mut n_kept = 0;
        for node in order(&self.steps) {
            let mut own = Vec::new();
            let mut n_more = 0_usize;
            let room = MAX_TARGETS.min(MAX_KEPT.saturating_sub(n_kept));
            let mut add = |target: u32, own: &mut Vec<u32>| {
                if std::mem::replace(&mut seen[target as usize], node) == node {
                    return 0;
                }
                if own.len() < room {
                    own.push(target);
                    return 0;
                }
                1
            };
            for step in &self.steps[node] {
                match step {
                    Reference::Target(target) => n_more += add(*target, &mut own),
                    Reference::Node(other) => {
                        n_more = n_more.saturating_add(flow.n_more[*other]);
                        for target in &flow.behind[*other] {
                            n_more += add(*target, &mut own);
                        }
                    }
                }
            }
            n_kept += own.len();
            flow.behind[node] = own;
            flow.n_more[node] = n_more;
        }
        flow
    }

    /// Marks every node that reads something sensitive as sensitive.
    fn spread_sensitive(&mut self) {
        let mut readers: Vec<Vec<usize>> = vec![Vec::new(); self.steps.len()];
        for (reader, steps) in self.steps.iter().enumerate() {
            for step in steps {
                if let Reference::Node(read) = step {
                    readers[*read].push(reader);
                }
            }
        }
        let mut waiting: Vec<usize> = (0..self.steps.len())
            .filter(|node| self.is_sensitive[*node])
            .collect();
        while let Some(node) = waiting.pop() {
            for reader in &readers[node] {
                if !std::mem::replace(&mut self.is_sensitive[*reader], true) {
                    waiting.push(*reader);
                }
            }
        }
    }
}

/// All nodes, each after the nodes that it reads. In a cycle, which no tool writes, some come earlier.
fn order(steps: &[Vec<Reference>]) -> Vec<usize> {
    let mut ordered = Vec::with_capacity(steps.len());
    let mut is_begun = vec![false; steps.len()];
    for start in 0..steps.len() {
        if std::mem::replace(&mut is_begun[start], true) {
            continue;
        }
        let mut open = vec![(start, 0)];
        while let Some((node, at)) = open.last_mut() {
            let Some(step) = steps[*node].get(*at) else {
                ordered.push(*node);
                open.pop();
                continue;
            };
            *at += 1;
            if let Reference::Node(next) = step
                && !std::mem::replace(&mut is_begun[*next], true)
            {
                open.push((*next, 0));
            }
        }
    }
    ordered
}

fn declared<'c>(body: &'c Map, kind: &str) -> impl Iterator<Item = (&'c str, &'c Map)> {
    let all = object(body, kind).into_iter().flatten();
    all.filter_map(|(name, declared)| Some((&**name, declared.as_map()?)))
}

/// The key of a node that `module` refers to: one of its variables, or an output of a module that it calls.
fn key(module: &str, node: &FlowNode<'_>) -> String {
    match node {
        FlowNode::Variable(name) => format!("{module}\0var\0{name}"),
        FlowNode::Output(call, None) => format!("{module}\0{call}"),
        FlowNode::Output(call, Some(name)) => format!("{module}\0{call}\0{name}"),
    }
}

/// The instance that a reference names with a constant key: `aws_x.y[0].id`.
fn instance(reference: &str) -> Option<Instance> {
    let plain = crate::terraform::address::config_address(reference);
    let mut names = plain.split('.');
    let n = match names.next()? {
        "module" | "var" => return None,
        "data" | "ephemeral" => 3,
        _ => 2,
    };
    let name: Vec<&str> = plain.splitn(n + 1, '.').take(n).collect();
    let key = reference.strip_prefix(&name.join("."))?;
    let end = match key.strip_prefix("[\"") {
        Some(_) => key.find("\"]")? + 1,
        None if key.starts_with('[') => key.find(']')?,
        None => return None,
    };
    let address = &reference[..=reference.len() - key.len() + end];
    Some(Instance::Key(Address::parse(address).ok()?.key?))
}

/// Resolves `reference`, which is written in `module` and has no indexes.
fn read<'r>(module: &str, reference: &'r str) -> Read<'r> {
    fn head(text: &str) -> (&str, Option<&str>) {
        text.split_once('.')
            .map_or((text, None), |(head, rest)| (head, Some(rest)))
    }
    let (first, Some(rest)) = head(reference) else {
        return Read::Nothing;
    };
    let (second, behind) = head(rest);
    let resource = |address: String, attribute: Option<&str>| {
        Read::Resource(Target {
            address: join(module, &address),
            attribute: attribute.map(str::to_owned),
            instance: None,
        })
    };
    match (first, behind) {
        ("var", _) => Read::Node(FlowNode::Variable(second)),
        ("module", behind) => Read::Node(FlowNode::Output(second, behind.map(|it| head(it).0))),
        ("local" | "each" | "count" | "path" | "terraform" | "self", _) => Read::Nothing,
        ("data" | "ephemeral", Some(behind)) => {
            let (name, attribute) = head(behind);
            resource(format!("{first}.{second}.{name}"), attribute)
        }
        _ => resource(format!("{first}.{second}"), behind),
    }
}

/// The calling module; `None` at the root.
fn caller(module: &str) -> Option<&str> {
    split(module).map(|(outside, _)| outside)
}

/// Splits a module path into the calling module and the name of the call.
fn split(module: &str) -> Option<(&str, &str)> {
    let (before, call) = module.rsplit_once("module.")?;
    Some((before.strip_suffix('.').unwrap_or(before), call))
}
