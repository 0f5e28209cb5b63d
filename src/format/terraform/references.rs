//! References of a configuration: the values that each resource takes from another, from the configuration part of a plan.
//!
//! An expression lists its references (`aws_vpc.main.id`, `var.cidr`, `module.net.vpc_id`). Variables and outputs are followed
//! through module calls to the resources that their values come from.

mod flow;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use indexmap::IndexSet;

use self::flow::Flow;
use crate::format::fields::{items, may_be, object, text, texts};
use crate::likely;
use crate::path::{self, Path, Segment};
use crate::stack::{Edge, EdgeKind, Expressions, ModuleCall, address_of_provider};
use crate::terraform::schema::HiddenPlaces;
use crate::value::{Map, Value};

/// Maximum depth of module calls that are followed.
const MAX_MODULES: usize = 32;

/// Maximum number of references that are kept for a configuration: each may lead to many resources through modules.
const MAX_EDGES: usize = 250_000;

/// Facts about the resources of a configuration, by configuration address.
#[derive(Default)]
pub(crate) struct References {
    /// The dependencies of each resource.
    pub(crate) edges: Vec<(Arc<str>, Vec<Edge>)>,
    /// Lower bound on the number of dependencies that are left out.
    pub(crate) n_left_out: usize,
    /// The arguments of each resource, of each call of a module, and of each provider.
    pub(crate) expressions: Expressions,
    /// The module of each call.
    pub(crate) module_calls: Vec<(Arc<str>, ModuleCall)>,
    /// The arguments that read something sensitive: a variable or an output that the configuration marks, or an attribute that a
    /// schema marks. An index in such a path matches
    /// every element, because a set has another order.
    pub(crate) sensitive: Vec<(Arc<str>, Vec<Path>)>,
    /// The outputs of the stack that read something sensitive.
    pub(crate) sensitive_outputs: HashSet<Arc<str>>,
}

/// Collects the references of a configuration. `hidden` has the places that the schemas mark.
pub(crate) fn of_configuration(configuration: &Map, hidden: &HiddenPlaces) -> References {
    let mut modules = HashMap::new();
    if let Some(root) = object(configuration, "root_module") {
        collect(root, String::new(), None, &mut modules, 0);
    }
    let flow = Flow::new(&modules, hidden);
    let mut found = References {
        sensitive_outputs: sensitive_outputs(&flow, &modules),
        ..References::default()
    };
    let mut n_edges = 0;
    let mut paths: Vec<&String> = modules.keys().collect();
    paths.sort_unstable();
    for path in paths {
        for resource in items(modules[path].body, "resources").filter_map(Value::as_map) {
            let address: Arc<str> = join(path, text(resource, "address")).into();
            let (mut edges, n_more) = edges(&flow, path, resource);
            let n_all = edges.len() + n_more;
            edges.truncate(MAX_EDGES - n_edges);
            n_edges += edges.len();
            found.n_left_out = found.n_left_out.saturating_add(n_all - edges.len());
            found.edges.push((address.clone(), edges));
            let hidden = sensitive(&flow, path, resource);
            if !hidden.is_empty() {
                found.sensitive.push((address.clone(), hidden));
            }
            // The file has no `expressions` for a resource without arguments.
            let expressions = resource.get("expressions").cloned();
            let expressions = expressions.unwrap_or_else(|| Map::default().into());
            let provider = text(resource, "provider_config_key");
            if !provider.is_empty() {
                let key = Arc::from(provider);
                found.expressions.add_provider(address.clone(), key);
            }
            if let Some(expression) = repeat(resource) {
                found.expressions.add_repeat(address.clone(), expression);
            }
            found.expressions.add(address, expressions);
        }
        for (name, default) in defaults(modules[path].body) {
            let module = Arc::from(path.as_str());
            found.expressions.add_default(module, name, default);
        }
        // The arguments of a module are under its own address.
        let call = modules[path].call;
        if let Some(expression) = call.and_then(repeat) {
            found
                .expressions
                .add_repeat(path.as_str().into(), expression);
        }
        if let Some(call) = call.and_then(module_call) {
            found.module_calls.push((path.as_str().into(), call));
        }
        if let Some(arguments) = call.and_then(|call| call.get("expressions")) {
            found
                .expressions
                .add(path.as_str().into(), arguments.clone());
        }
    }
    for (address, arguments) in providers(configuration) {
        found.expressions.add(address, arguments);
    }
    found
}

/// The expression of `count` or `for_each` of a resource or a call.
fn repeat(map: &Map) -> Option<Value> {
    let keys = ["count_expression", "for_each_expression"];
    keys.iter().find_map(|key| map.get(key)).cloned()
}

/// The defaults of the variables of a module, without those that the configuration marks as secret.
fn defaults(module: &Map) -> impl Iterator<Item = (Arc<str>, Value)> + '_ {
    let variables = object(module, "variables").into_iter().flatten();
    variables.filter_map(|(name, variable)| {
        let variable = variable.as_map()?;
        let default = variable.get("default").filter(|it| !it.is_null())?;
        let is_hidden = ["sensitive", "ephemeral"]
            .iter()
            .any(|key| may_be(variable, key));
        (!is_hidden).then(|| (name.clone(), default.clone()))
    })
}

/// The arguments of the providers, by addresses such as `provider.aws.west`. A module that gets its provider from its caller has an
/// entry without arguments.
fn providers(configuration: &Map) -> impl Iterator<Item = (Arc<str>, Value)> + '_ {
    let providers = object(configuration, "provider_config").into_iter();
    providers.flatten().filter_map(|(key, provider)| {
        let provider = provider.as_map()?;
        let arguments = provider.get("expressions").cloned();
        let is_passed = key.contains(':') && arguments.is_none();
        let arguments = arguments.unwrap_or_else(|| Map::default().into());
        (!is_passed).then(|| (address_of_provider(key).into(), arguments))
    })
}

/// The outputs of the root module that read something sensitive.
fn sensitive_outputs(flow: &Flow, modules: &HashMap<String, Module<'_>>) -> HashSet<Arc<str>> {
    let root = modules
        .get("")
        .and_then(|root| object(root.body, "outputs"));
    let mut names = HashSet::new();
    for (name, output) in root.into_iter().flatten() {
        let expression = output.get("expression").unwrap_or(&Value::NULL);
        walk(expression, &Path::root(), &mut |references, _| {
            let reads = |reference: &&str| flow.is_sensitive("", reference);
            if longest(references).iter().any(reads) {
                names.insert(name.clone());
            }
        });
    }
    names
}

/// The arguments of a resource that read something sensitive.
fn sensitive(flow: &Flow, module: &str, resource: &Map) -> Vec<Path> {
    let mut hidden = Vec::new();
    for (name, expression) in object(resource, "expressions").into_iter().flatten() {
        let top = Path(vec![Segment::Key(name.clone())]);
        walk(expression, &top, &mut |references, at| {
            let reads = |reference: &&str| flow.is_sensitive(module, reference);
            if longest(references).iter().any(reads) {
                hidden.push(at.clone());
            }
        });
    }
    hidden
}

struct Module<'c> {
    body: &'c Map,
    /// The call of this module; `None` at the root.
    call: Option<&'c Map>,
}

fn collect<'c>(
    body: &'c Map,
    path: String,
    call: Option<&'c Map>,
    modules: &mut HashMap<String, Module<'c>>,
    depth: usize,
) {
    if depth > MAX_MODULES {
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

/// The module of a call; `None` if the file does not name it, or if its source holds a secret.
fn module_call(call: &Map) -> Option<ModuleCall> {
    let (source, version) = (text(call, "source"), text(call, "version_constraint"));
    let is_shown = !source.is_empty() && !likely::is_secret_text(source);
    is_shown.then(|| ModuleCall {
        source: source.to_owned(),
        version: version.to_owned(),
    })
}

fn join(module: &str, address: &str) -> String {
    if module.is_empty() {
        address.to_owned()
    } else {
        format!("{module}.{address}")
    }
}

/// The dependencies of a resource without duplicates, and the number of those left out.
fn edges(flow: &Flow, module: &str, resource: &Map) -> (Vec<Edge>, usize) {
    let (mut edges, mut n_more) = (IndexSet::new(), 0_usize);
    let mut add = |references: &[&str], kind, property: Option<&Path>| {
        let (targets, n_behind) = flow.targets(module, references);
        n_more = n_more.saturating_add(n_behind);
        for target in targets {
            if edges.len() >= MAX_EDGES {
                n_more += 1;
                continue;
            }
            edges.insert(Edge {
                target: target.address,
                kind,
                property: property.cloned(),
                attribute: target.attribute,
                instance: target.instance,
            });
        }
    };
    for (name, expression) in object(resource, "expressions").into_iter().flatten() {
        let path = Path(vec![Segment::Key(name.clone())]);
        walk(expression, &path, &mut |references, path| {
            add(&longest(references), EdgeKind::Property, Some(path));
        });
    }
    for (key, kind) in [
        ("count_expression", EdgeKind::Property),
        ("for_each_expression", EdgeKind::Property),
        ("replace_triggered_by", EdgeKind::ReplaceWith),
    ] {
        if let Some(expression) = resource.get(key) {
            walk(expression, &Path::root(), &mut |references, _| {
                add(&longest(references), kind, None);
            });
        }
    }
    for reference in texts(resource, "depends_on") {
        add(&[reference], EdgeKind::Dependency, None);
    }
    (edges.into_iter().collect(), n_more)
}

/// A reference is followed by its prefixes (`a.b.id`, `a.b`). Only the longest are kept.
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

/// Calls `found` with the references of each expression below `expression`, and the path of its property.
fn walk(expression: &Value, path: &Path, found: &mut dyn FnMut(&[&str], &Path)) {
    path::walk(expression, &mut path.clone(), &mut |path, value| {
        let Some(map) = value.as_map() else {
            return true;
        };
        let references: Vec<&str> = texts(map, "references").collect();
        if !references.is_empty() {
            found(&references, path);
        }
        references.is_empty() && !map.contains_key("constant_value")
    });
}
