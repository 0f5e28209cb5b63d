//! Configurations in HCL, as plan files carry them: the references between resources and the sensitive variables, in the form of
//! `show -json`.
//!
//! # Secrets
//!
//! No literal leaves this module but the sources and versions of modules: only the references of an expression are kept. Syntax that cannot be parsed is left out, and
//! the configuration is marked incomplete.
//!
//! # Source
//!
//! hashicorp/terraform 883c7221, `internal/command/jsonconfig`, and `internal/configs/configload` for the folders in a plan file;
//! hashicorp/hcl v2 `hclsyntax`.

use std::collections::BTreeMap;

use crate::json::{self, Numbers};
use crate::stack::{SourceFile, syntax_of};
use crate::terraform::hcl::{self, Block, Body, Expression};
use crate::value::{Map, Value};

/// Maximum depth of nested module calls.
const MAX_CALLS: usize = 32;

/// The folders of modules, by their keys: the names of the calls that lead to them.
pub(crate) type Folders = BTreeMap<String, String>;

/// The folders in the list of modules of a plan file, or in `.terraform/modules/modules.json`, which has the list in an object;
/// empty if the bytes are something else.
pub(crate) fn folders(modules: &[u8]) -> Folders {
    let parsed = json::parse(modules, Numbers::Exact).ok();
    let parsed = parsed.map(|parsed| parsed.value).unwrap_or_default();
    let modules = parsed.get("Modules").unwrap_or(&parsed);
    let modules = modules.as_array().into_iter().flatten();
    let folder = |module: &Value| {
        let text = |key: &str| Some(module.get(key)?.as_str()?.to_owned());
        Some((text("Key")?, text("Dir")?))
    };
    modules.filter_map(folder).collect()
}

/// The file of a configuration in an entry of a plan file; `None` if the entry is something else.
pub(crate) fn source(name: &str, text: String, folders: &Folders) -> Option<SourceFile> {
    let (module, name) = name.strip_prefix("tfconfig/m-")?.split_once('/')?;
    let syntax = syntax_of(name)?;
    let folder = match folders.get(module) {
        Some(folder) if folder == "." || folder.is_empty() => String::new(),
        Some(folder) => format!("{}/", folder.replace('\\', "/")),
        None if module.is_empty() => String::new(),
        None => format!("m-{module}/"),
    };
    Some(SourceFile {
        module: module.to_owned(),
        path: format!("{folder}{name}"),
        syntax: Some(syntax),
        text,
    })
}

/// The configuration in these files. It is marked `incomplete` if part of it cannot be parsed.
pub(crate) fn configuration(files: &[SourceFile]) -> Map {
    let mut modules: BTreeMap<&str, Body<'_>> = BTreeMap::new();
    let mut incomplete = false;
    for file in files {
        let read = file.read();
        incomplete |= !read.is_whole || file.is_override();
        modules.entry(&file.module).or_default().extend(read.body);
    }
    let mut configuration = Map::from_iter([("root_module", module("", &modules, 0).into())]);
    if incomplete {
        configuration = configuration.set("incomplete", true.into());
    }
    configuration
}

fn module(path: &str, modules: &BTreeMap<&str, Body<'_>>, depth: usize) -> Map {
    let Some(body) = modules.get(path).filter(|_| depth <= MAX_CALLS) else {
        return Map::default();
    };
    let (mut resources, mut outputs) = (Vec::new(), Map::default());
    let (mut variables, mut calls) = (Map::default(), Map::default());
    for block in &body.blocks {
        match (&*block.kind, block.labels.as_slice()) {
            ("resource", [ty, name]) => resources.push(resource("managed", ty, name, block)),
            (mode @ ("data" | "ephemeral"), [ty, name]) => {
                resources.push(resource(mode, ty, name, block));
            }
            ("output", [name]) => outputs = outputs.set(&**name, output(block).into()),
            ("variable", [name]) => {
                // If there are several declarations, each may say that it is sensitive.
                let before = variables.get(name).and_then(|known| known.get("sensitive"));
                let declared = match before {
                    Some(sensitive) => Map::from_iter([("sensitive", sensitive.clone())]),
                    None => sensitive(&block.body),
                };
                variables = variables.set(&**name, declared.into());
            }
            ("module", [name]) if !calls.contains_key(name) => {
                let inner = if path.is_empty() {
                    name.to_string()
                } else {
                    format!("{path}.{name}")
                };
                let inner = module(&inner, modules, depth + 1);
                calls = calls.set(&**name, call(block).set("module", inner.into()).into());
            }
            _ => {}
        }
    }
    Map::from_iter([
        ("outputs", Value::from(outputs)),
        ("resources", resources.into()),
        ("variables", variables.into()),
        ("module_calls", calls.into()),
    ])
}

/// Meta-arguments: defined by the language, not by the resource type.
const META: &[&str] = &[
    "count",
    "for_each",
    "depends_on",
    "provider",
    "providers",
    "source",
    "version",
];

/// Meta-blocks. The JSON form leaves out `dynamic` blocks too.
const META_BLOCKS: &[&str] = &["lifecycle", "provisioner", "connection", "dynamic"];

fn resource(mode: &str, ty: &str, name: &str, block: &Block<'_>) -> Value {
    let address = match mode {
        "managed" => format!("{ty}.{name}"),
        mode => format!("{mode}.{ty}.{name}"),
    };
    // Only modules have `source` and `version` as meta-arguments.
    let is_meta =
        |name: &str| META.contains(&name) && !matches!(name, "source" | "version" | "providers");
    let map = Map::from_iter([
        ("address", Value::from(address)),
        ("mode", mode.into()),
        ("type", ty.into()),
        ("name", name.into()),
        ("expressions", expressions(&block.body, &is_meta).into()),
    ]);
    triggers(repetition(map, &block.body), &block.body).into()
}

/// Adds the replacement triggers, which the JSON form leaves out.
fn triggers(map: Map, body: &Body<'_>) -> Map {
    let lifecycles = body.blocks.iter().filter(|block| block.kind == "lifecycle");
    let triggers = lifecycles.filter_map(|block| block.body.attribute("replace_triggered_by"));
    triggers.fold(map, |map, expression| {
        map.set("replace_triggered_by", of_expression(expression))
    })
}

fn call(block: &Block<'_>) -> Map {
    let map = Map::from_iter([(
        "expressions",
        Value::from(expressions(&block.body, &|name| META.contains(&name))),
    )]);
    let constant = |name: &str| block.body.attribute(name)?.constant_text();
    let named = [("source", "source"), ("version", "version_constraint")].into_iter();
    let named = named.filter_map(|(name, key)| Some((key, constant(name)?)));
    let map = named.fold(map, |map, (key, text)| map.set(key, text.into()));
    repetition(map, &block.body)
}

/// Adds the arguments for repetition and order.
fn repetition(mut map: Map, body: &Body<'_>) -> Map {
    for attribute in &body.attributes {
        let expression = &attribute.expression;
        match &*attribute.name {
            "count" => map = map.set("count_expression", of_expression(expression)),
            "for_each" => map = map.set("for_each_expression", of_expression(expression)),
            "depends_on" => {
                let targets = expression.references.iter().map(|reference| {
                    let whole = reference.prefixes().into_iter().next();
                    Value::from(whole.unwrap_or_default())
                });
                map = map.set("depends_on", targets.collect::<Vec<_>>().into());
            }
            _ => {}
        }
    }
    map
}

fn output(block: &Block<'_>) -> Map {
    let value = block.body.attribute("value").map(of_expression);
    sensitive(&block.body).set("expression", value.unwrap_or_else(|| Map::default().into()))
}

/// The `sensitive` mark of a variable or an output. Any value but a plain `false` may be true.
fn sensitive(body: &Body<'_>) -> Map {
    match body.attribute("sensitive") {
        Some(expression) if expression.text.trim() != "false" => {
            Map::from_iter([("sensitive", Value::from(true))])
        }
        _ => Map::default(),
    }
}

/// The arguments and the nested blocks of a body, by name.
fn expressions(body: &Body<'_>, is_meta: &dyn Fn(&str) -> bool) -> Map {
    let mut parts: BTreeMap<&str, Value> = BTreeMap::new();
    for attribute in &body.attributes {
        if !is_meta(&attribute.name) {
            parts.insert(&attribute.name, of_expression(&attribute.expression));
        }
    }
    let mut blocks: BTreeMap<&str, Vec<Value>> = BTreeMap::new();
    for block in &body.blocks {
        if !META_BLOCKS.contains(&&*block.kind) {
            let inner = expressions(&block.body, &|_| false);
            blocks.entry(&block.kind).or_default().push(inner.into());
        }
    }
    // Only the schema knows whether a block may be repeated; these are single by convention.
    for (name, items) in blocks {
        let value = match (name, <[Value; 1]>::try_from(items)) {
            ("timeouts", Ok([only])) => only,
            (_, Ok([only])) => vec![only].into(),
            (_, Err(items)) => items.into(),
        };
        parts.insert(name, value);
    }
    parts.into_iter().collect()
}

fn of_expression(expression: &Expression<'_>) -> Value {
    let references: Vec<Value> = expression
        .references
        .iter()
        .flat_map(hcl::Traversal::prefixes)
        .map(Value::from)
        .collect();
    if references.is_empty() {
        return Map::default().into();
    }
    Map::from_iter([("references", Value::from(references))]).into()
}

#[cfg(test)]
mod tests;
