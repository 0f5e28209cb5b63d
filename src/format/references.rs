//! References of a configuration: which resource takes what from which, as the configuration part of a plan tells.
//!
//! An expression names what it reads (`aws_vpc.main.id`, `var.cidr`, `module.net.vpc_id`). Variables and outputs are followed
//! through the calls of modules to the resources behind them.

use std::collections::HashMap;
use std::sync::Arc;

use super::fields::{flag, items, object, text, texts};
use crate::path::{Path, Segment};
use crate::stack::{Edge, EdgeKind};
use crate::value::{Map, Payload, Value};

/// How many modules a reference is followed through.
const MAX_HOPS: usize = 32;

/// How many resources one expression may lead to.
const MAX_TARGETS: usize = 1_000;

/// What each resource of a configuration needs, by its address there.
pub(super) fn of_configuration(configuration: &Map) -> Vec<(Arc<str>, Vec<Edge>)> {
    let mut modules = HashMap::new();
    if let Some(root) = object(configuration, "root_module") {
        collect(root, String::new(), None, &mut modules, 0);
    }
    let tree = Tree { modules };
    let mut found = Vec::new();
    let mut paths: Vec<&String> = tree.modules.keys().collect();
    paths.sort_unstable();
    for path in paths {
        let module = &tree.modules[path];
        for resource in items(module.body, "resources").filter_map(Value::as_map) {
            let address = join(path, text(resource, "address"));
            found.push((Arc::from(address), tree.edges(path, resource)));
        }
    }
    found
}

/// What the configuration says of the arguments of each resource, by its address there.
pub(super) fn expressions(configuration: &Map) -> Vec<(Arc<str>, Value)> {
    let mut modules = HashMap::new();
    if let Some(root) = object(configuration, "root_module") {
        collect(root, String::new(), None, &mut modules, 0);
    }
    let of_module = |(path, module): (&String, &Module<'_>)| -> Vec<(Arc<str>, Value)> {
        items(module.body, "resources")
            .filter_map(Value::as_map)
            .map(|resource| {
                let address = join(path, text(resource, "address"));
                // A resource without arguments has no expressions in the file.
                let expressions = resource.get("expressions").cloned();
                (
                    Arc::from(address),
                    expressions.unwrap_or_else(|| Map::default().into()),
                )
            })
            .collect()
    };
    modules.iter().flat_map(of_module).collect()
}

/// The arguments of each resource, by its address in the configuration, that take something from what the configuration itself
/// calls sensitive: a variable or an output. An index in such a path stands for all elements: a set has another order.
pub(super) fn sensitive(configuration: &Map) -> Vec<(Arc<str>, Vec<Path>)> {
    let mut modules = HashMap::new();
    if let Some(root) = object(configuration, "root_module") {
        collect(root, String::new(), None, &mut modules, 0);
    }
    let tree = Tree { modules };
    let mut found = Vec::new();
    for (path, module) in &tree.modules {
        for resource in items(module.body, "resources").filter_map(Value::as_map) {
            let mut hidden = Vec::new();
            for (name, expression) in object(resource, "expressions").into_iter().flatten() {
                let top = Path(vec![Segment::Key(name.clone())]);
                walk(expression, &top, &mut |references, at| {
                    let reads = |reference: &&str| tree.is_sensitive(path, reference, MAX_HOPS);
                    if longest(references).iter().any(reads) {
                        hidden.push(at.clone());
                    }
                });
            }
            if !hidden.is_empty() {
                let address = join(path, text(resource, "address"));
                found.push((Arc::from(address), hidden));
            }
        }
    }
    found
}

struct Module<'c> {
    body: &'c Map,
    /// The call that it is the body of.
    call: Option<&'c Map>,
}

struct Tree<'c> {
    modules: HashMap<String, Module<'c>>,
}

fn collect<'c>(
    body: &'c Map,
    path: String,
    call: Option<&'c Map>,
    modules: &mut HashMap<String, Module<'c>>,
    depth: usize,
) {
    if depth > MAX_HOPS {
        return;
    }
    for (name, call) in object(body, "module_calls").into_iter().flatten() {
        let Some(call) = call.as_map() else { continue };
        if let Some(inner) = object(call, "module") {
            let path = join(&path, &format!("module.{name}"));
            collect(inner, path, Some(call), modules, depth + 1);
        }
    }
    modules.insert(path, Module { body, call });
}

fn join(module: &str, address: &str) -> String {
    if module.is_empty() {
        address.to_owned()
    } else {
        format!("{module}.{address}")
    }
}

/// A resource that an expression reads, and what of it.
struct Target {
    address: String,
    attribute: Option<String>,
}

impl Tree<'_> {
    fn edges(&self, module: &str, resource: &Map) -> Vec<Edge> {
        let mut edges: Vec<Edge> = Vec::new();
        let add = |references: &[&str], path: Option<&Path>, edges: &mut Vec<Edge>| {
            let mut targets = Vec::new();
            for reference in longest(references) {
                self.resolve(module, reference, MAX_HOPS, &mut targets);
            }
            for target in targets {
                edges.push(Edge {
                    target: target.address,
                    kind: EdgeKind::Property,
                    property: path.cloned(),
                    attribute: target.attribute,
                });
            }
        };
        for (name, expression) in object(resource, "expressions").into_iter().flatten() {
            let path = Path(vec![Segment::Key(name.clone())]);
            walk(expression, &path, &mut |references, path| {
                add(references, Some(path), &mut edges);
            });
        }
        for key in ["count_expression", "for_each_expression"] {
            if let Some(expression) = resource.get(key) {
                walk(expression, &Path::root(), &mut |references, _| {
                    add(references, None, &mut edges);
                });
            }
        }
        if let Some(expression) = resource.get("replace_triggered_by") {
            walk(expression, &Path::root(), &mut |references, _| {
                let mut targets = Vec::new();
                for reference in longest(references) {
                    self.resolve(module, reference, MAX_HOPS, &mut targets);
                }
                edges.extend(targets.into_iter().map(|target| Edge {
                    target: target.address,
                    kind: EdgeKind::ReplaceWith,
                    property: None,
                    attribute: target.attribute,
                }));
            });
        }
        for reference in texts(resource, "depends_on") {
            let mut targets = Vec::new();
            self.resolve(module, reference, MAX_HOPS, &mut targets);
            edges.extend(targets.into_iter().map(|target| Edge {
                target: target.address,
                kind: EdgeKind::Dependency,
                property: None,
                attribute: None,
            }));
        }
        let mut unique: Vec<Edge> = Vec::with_capacity(edges.len());
        for edge in edges {
            if !unique.contains(&edge) {
                unique.push(edge);
            }
        }
        unique
    }

    /// Adds the resources that `reference`, written in `module`, leads to.
    fn resolve(&self, module: &str, reference: &str, hops: usize, targets: &mut Vec<Target>) {
        if hops == 0 || targets.len() >= MAX_TARGETS {
            return;
        }
        let plain = crate::address::config_address(reference);
        let parts: Vec<&str> = plain.split('.').collect();
        match parts.as_slice() {
            ["var", name, ..] => self.resolve_variable(module, name, hops, targets),
            ["module", name, rest @ ..] => {
                self.resolve_output(module, name, rest.first().copied(), hops, targets);
            }
            [
                "local" | "each" | "count" | "path" | "terraform" | "self",
                ..,
            ]
            | []
            | [_] => {}
            ["data", ty, name, rest @ ..] => {
                push(module, &format!("data.{ty}.{name}"), rest, targets);
            }
            ["ephemeral", ty, name, rest @ ..] => {
                push(module, &format!("ephemeral.{ty}.{name}"), rest, targets);
            }
            [ty, name, rest @ ..] => push(module, &format!("{ty}.{name}"), rest, targets),
        }
    }

    /// Whether the configuration calls sensitive what `reference`, written in `module`, reads.
    fn is_sensitive(&self, module: &str, reference: &str, hops: usize) -> bool {
        let plain = crate::address::config_address(reference);
        let parts: Vec<&str> = plain.split('.').collect();
        let Some(hops) = hops.checked_sub(1) else {
            return false;
        };
        let body = |module: &str| self.modules.get(module).map(|module| module.body);
        let declared = |body: Option<&Map>, kind: &str, name: &str| {
            let declared = body.and_then(|body| object(body, kind));
            declared.and_then(|all| object(all, name)).cloned()
        };
        let reads = |module: &str, expression: &Value| {
            let mut any = false;
            walk(expression, &Path::root(), &mut |references, _| {
                let reads = |it: &&str| self.is_sensitive(module, it, hops);
                any = any || longest(references).iter().any(reads);
            });
            any
        };
        match parts.as_slice() {
            ["var", name, ..] => {
                let own = declared(body(module), "variables", name);
                let call = self.modules.get(module).and_then(|module| module.call);
                let given = call.and_then(|call| object(call, "expressions")?.get(name));
                own.is_some_and(|own| flag(&own, "sensitive"))
                    || given
                        .zip(caller(module))
                        .is_some_and(|(given, caller)| reads(caller, given))
            }
            ["module", call, name, ..] => {
                let inner = join(module, &format!("module.{call}"));
                declared(body(&inner), "outputs", name).is_some_and(|output| {
                    flag(&output, "sensitive")
                        || output
                            .get("expression")
                            .is_some_and(|expression| reads(&inner, expression))
                })
            }
            _ => false,
        }
    }

    fn resolve_variable(&self, module: &str, name: &str, hops: usize, targets: &mut Vec<Target>) {
        let Some(call) = self.modules.get(module).and_then(|module| module.call) else {
            return;
        };
        let Some(caller) = caller(module) else { return };
        let expression = object(call, "expressions").and_then(|inputs| inputs.get(name));
        if let Some(expression) = expression {
            self.follow(caller, expression, hops, targets);
        }
    }

    fn resolve_output(
        &self,
        module: &str,
        call: &str,
        output: Option<&str>,
        hops: usize,
        targets: &mut Vec<Target>,
    ) {
        let inner = join(module, &format!("module.{call}"));
        let Some(outputs) = self
            .modules
            .get(&inner)
            .and_then(|module| object(module.body, "outputs"))
        else {
            return;
        };
        for (name, declared) in outputs {
            if output.is_none_or(|output| *output == **name)
                && let Some(expression) = declared.get("expression")
            {
                self.follow(&inner, expression, hops, targets);
            }
        }
    }

    fn follow(&self, module: &str, expression: &Value, hops: usize, targets: &mut Vec<Target>) {
        walk(expression, &Path::root(), &mut |references, _| {
            for reference in longest(references) {
                self.resolve(module, reference, hops - 1, targets);
            }
        });
    }
}

fn push(module: &str, address: &str, rest: &[&str], targets: &mut Vec<Target>) {
    let address = join(module, address);
    let attribute = (!rest.is_empty()).then(|| rest.join("."));
    let known = targets
        .iter()
        .any(|target| target.address == address && target.attribute == attribute);
    if !known {
        targets.push(Target { address, attribute });
    }
}

fn caller(module: &str) -> Option<&str> {
    let (before, _) = module.rsplit_once("module.")?;
    Some(before.strip_suffix('.').unwrap_or(before))
}

/// References come with their prefixes behind them (`a.b.id`, `a.b`): only the longest say something.
fn longest<'r>(references: &[&'r str]) -> Vec<&'r str> {
    references
        .iter()
        .enumerate()
        .filter(|(index, reference)| {
            let longer = index
                .checked_sub(1)
                .and_then(|before| references.get(before));
            longer.is_none_or(|longer| {
                !longer
                    .strip_prefix(**reference)
                    .is_some_and(|rest| rest.starts_with(['.', '[']))
            })
        })
        .map(|(_, reference)| *reference)
        .collect()
}

/// Calls `found` with the references of each expression below `expression` and the property that it is the value of.
fn walk(expression: &Value, path: &Path, found: &mut dyn FnMut(&[&str], &Path)) {
    match expression.payload() {
        Payload::Map(map) => {
            let references: Vec<&str> = texts(map, "references").collect();
            if !references.is_empty() {
                found(&references, path);
            } else if !map.contains_key("constant_value") {
                for (key, inner) in map {
                    walk(inner, &path.child(Segment::Key(key.clone())), found);
                }
            }
        }
        Payload::Array(items) => {
            for (index, inner) in items.iter().enumerate() {
                walk(inner, &path.child(Segment::Index(index)), found);
            }
        }
        _ => {}
    }
}
