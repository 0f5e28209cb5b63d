//! Finds the block that declares each thing.

use std::collections::HashMap;
use std::ops::Range;

use super::line_at;
use crate::path::Path;
use crate::stack::SourceFile;
use crate::terraform::hcl::{Block, Body};

/// The place of a declaration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Declaration {
    /// The position of the file in [`super::Configuration::files`].
    pub file: usize,
    /// The lines of the block, counted from 0.
    pub lines: Range<usize>,
    /// Its attributes by the names that lead to them, each with its line.
    attributes: Vec<(Vec<String>, usize)>,
    /// True if the file is an override file.
    is_override: bool,
    /// True if no other file or block declares the same. Override files do not count.
    pub(super) is_only: bool,
}

impl Declaration {
    /// A declaration of one line of the first file.
    pub(super) fn of_line(line: usize) -> Self {
        Self {
            file: 0,
            lines: line..line + 1,
            attributes: Vec::new(),
            is_override: false,
            is_only: true,
        }
    }

    /// The line of the attribute that sets the property at `path` or a value around it. The first line of the block if no
    /// attribute does.
    pub fn line_of(&self, path: &Path) -> usize {
        let names: Vec<&str> = path.keys().map(|name| &**name).collect();
        let is_around = |own: &[String]| {
            own.len() <= names.len() && own.iter().zip(&names).all(|(own, name)| own == name)
        };
        let found = self.attributes.iter().filter(|(own, _)| is_around(own));
        let found = found.max_by_key(|(own, line)| (own.len(), std::cmp::Reverse(*line)));
        found.map_or(self.lines.start, |(_, line)| *line)
    }
}

/// Adds the declarations of a file. Those of an override file count only if no other file declares the same.
pub(super) fn add(
    places: &mut HashMap<String, Declaration>,
    file: usize,
    source: &SourceFile,
    body: &Body<'_>,
    lines: &[Range<usize>],
) {
    let module = source.module_address();
    let is_override = source.is_override();
    for block in &body.blocks {
        let Some(name) = address(block) else { continue };
        let address = in_module(&module, &name);
        if let Some(known) = places.get_mut(&address)
            && (!known.is_override || is_override)
        {
            known.is_only &= is_override;
            continue;
        }
        let mut attributes = Vec::new();
        gather(&block.body, &mut Vec::new(), lines, &mut attributes);
        let start = line_at(lines, block.span.start);
        let end = line_at(lines, block.span.end.saturating_sub(1)) + 1;
        places.insert(
            address,
            Declaration {
                file,
                lines: start..end,
                attributes,
                is_override,
                is_only: true,
            },
        );
    }
}

/// The address of a thing in a module; a module too is one.
pub(super) fn in_module(module: &str, name: &str) -> String {
    if module.is_empty() {
        name.to_owned()
    } else {
        format!("{module}.{name}")
    }
}

/// The address of a block's declaration in its module; `None` if the block declares nothing with an address.
pub(super) fn address(block: &Block<'_>) -> Option<String> {
    Some(match (&*block.kind, block.labels.as_slice()) {
        ("resource", [ty, name]) => format!("{ty}.{name}"),
        (mode @ ("data" | "ephemeral" | "action" | "list"), [ty, name]) => {
            format!("{mode}.{ty}.{name}")
        }
        ("variable", [name]) => format!("var.{name}"),
        (kind @ ("module" | "output" | "check" | "provider"), [name]) => format!("{kind}.{name}"),
        _ => return None,
    })
}

fn gather(
    body: &Body<'_>,
    above: &mut Vec<String>,
    lines: &[Range<usize>],
    into: &mut Vec<(Vec<String>, usize)>,
) {
    let mut put = |name: &str, byte: usize, above: &mut Vec<String>| {
        above.push(name.to_owned());
        into.push((above.clone(), line_at(lines, byte)));
        above.pop();
    };
    for attribute in &body.attributes {
        put(&attribute.name, attribute.span.start, above);
    }
    for block in &body.blocks {
        let name = nested_name(block);
        put(name, block.span.start, above);
    }
    for block in &body.blocks {
        above.push(nested_name(block).to_owned());
        match block.body.blocks("content").next() {
            Some(content) if block.kind == "dynamic" => gather(&content.body, above, lines, into),
            _ => gather(&block.body, above, lines, into),
        }
        above.pop();
    }
}

/// The name of the property that a nested block sets: `rule` for `dynamic "rule"`.
pub(super) fn nested_name<'b>(block: &'b Block<'_>) -> &'b str {
    match (&*block.kind, block.labels.first()) {
        ("dynamic", Some(label)) => label,
        (kind, _) => kind,
    }
}
