//! What a graph of resources and one of stacks are drawn with.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io;

use super::super::Failure;
use super::MAX_WIDTH;
use crate::render::plain::columns;
use crate::stack::ResourceId;
use crate::text::{escaped, plural};

/// A picture of a graph: of resources, or of stacks, which have a number too.
pub(super) struct Picture<'p> {
    /// The nodes by their frame, each in their order. Without a name: those in none.
    pub(super) frames: BTreeMap<Option<String>, Vec<ResourceId>>,
    /// The name of a node.
    pub(super) name: &'p dyn Fn(ResourceId) -> String,
    /// The text that Graphviz shows beside the pointer; `None` for the name.
    pub(super) tooltip: &'p dyn Fn(ResourceId) -> Option<&'p str>,
    /// The node around which the picture is drawn; its frame is thick.
    pub(super) center: Option<ResourceId>,
}

/// An edge of a picture.
pub(super) struct Edge {
    pub(super) ends: (ResourceId, ResourceId),
    pub(super) label: String,
    pub(super) style: Style,
}

/// The line of an edge.
#[derive(PartialEq, Eq)]
pub(super) enum Style {
    Solid,
    Parent,
    Provider,
    Guess,
}

impl Picture<'_> {
    /// Draws the picture with these edges for Graphviz.
    pub(super) fn dot(
        &self,
        edges: &mut dyn Iterator<Item = Edge>,
        out: &mut dyn io::Write,
    ) -> io::Result<()> {
        out.write_all(b"digraph {\n  rankdir = LR\n  node [shape = box]\n")?;
        for (number, (frame, ids)) in self.frames.iter().enumerate() {
            if let Some(name) = frame {
                let label = dot_quoted(name);
                writeln!(out, "  subgraph cluster_{number} {{ label = \"{label}\"")?;
            }
            for id in ids {
                let (number, label) = (id.0, dot_quoted(&(self.name)(*id)));
                write!(out, "  n{number} [label = \"{label}\"")?;
                if let Some(tooltip) = (self.tooltip)(*id) {
                    write!(out, ", tooltip = \"{}\"", dot_quoted(tooltip))?;
                }
                let is_center = self.center == Some(*id);
                let width = if is_center { ", penwidth = 3" } else { "" };
                writeln!(out, "{width}]")?;
            }
            if frame.is_some() {
                out.write_all(b"  }\n")?;
            }
        }
        for Edge { ends, label, style } in edges {
            let style = match style {
                Style::Solid => "",
                Style::Parent | Style::Guess => ", style = dashed",
                Style::Provider => ", style = dotted",
            };
            let (from, to) = (ends.0.0, ends.1.0);
            writeln!(out, "  n{from} -> n{to} [label = \"{label}\"{style}]")?;
        }
        out.write_all(b"}\n")
    }

    /// Draws the picture with these edges for Mermaid.
    pub(super) fn mermaid(
        &self,
        edges: &mut dyn Iterator<Item = Edge>,
        out: &mut dyn io::Write,
    ) -> io::Result<()> {
        out.write_all(b"graph LR\n")?;
        for (number, (frame, ids)) in self.frames.iter().enumerate() {
            if let Some(name) = frame {
                writeln!(out, "  subgraph g{number}[\"{}\"]", mermaid_label(name))?;
            }
            for id in ids {
                let label = mermaid_label(&(self.name)(*id));
                writeln!(out, "  n{}[\"{label}\"]", id.0)?;
            }
            if frame.is_some() {
                out.write_all(b"  end\n")?;
            }
        }
        if let Some(center) = self.center {
            writeln!(out, "  style n{} stroke-width:3px", center.0)?;
        }
        for Edge { ends, label, style } in edges {
            let is_guess = style == Style::Guess;
            let arrow = if is_guess { "-.->" } else { "-->" };
            writeln!(out, "  n{} {arrow}|{label}| n{}", ends.0.0, ends.1.0)?;
        }
        Ok(())
    }
}

/// The steps of an order, counted from 1: the name of each, and a word.
pub(super) fn steps(steps: impl Iterator<Item = (String, String)>) -> String {
    let numbered = (1..).zip(steps);
    let row = |(number, (name, word)): (usize, (String, String))| {
        [number.to_string(), escaped(&name), word]
    };
    let rows: Vec<[String; 3]> = numbered.map(row).collect();
    columns(&rows, MAX_WIDTH)
}

/// `text` inside the quotes of Graphviz, which interprets backslashes and entities.
fn dot_quoted(text: &str) -> String {
    escaped(text)
        .replace('\\', "\\\\")
        .replace('"', "\\\"")
        .replace('&', "&amp;")
}

/// `text` inside the quotes of a label. Mermaid reads labels as HTML or Markdown and looks for its own directives everywhere,
/// but it reads entities with `#` in place of `&`.
fn mermaid_label(text: &str) -> String {
    let mut out = String::new();
    for char in escaped(text).chars() {
        let is_plain =
            !char.is_ascii() || char.is_ascii_alphanumeric() || " .,_-:/()[]$+=".contains(char);
        if is_plain {
            out.push(char);
        } else {
            // Writing to a string cannot fail.
            _ = write!(out, "#{};", u32::from(char));
        }
    }
    out
}

/// Maximum number of circles that are named, and of members of one.
const MAX_NAMED: usize = 100;

/// The failure to order what needs each other in circles. `name` names a member.
pub(super) fn no_order(
    circles: &[Vec<ResourceId>],
    name: impl Fn(ResourceId) -> String,
) -> Failure {
    let line = |circle: &Vec<ResourceId>| circle_line(circle, &name);
    let mut detail: Vec<String> = circles.iter().take(MAX_NAMED).map(line).collect();
    if circles.len() > MAX_NAMED {
        detail.push(format!("{} more cycles", circles.len() - MAX_NAMED));
    }
    Failure::No {
        message: format!(
            "no order is possible: {}",
            plural(circles.len(), "dependency cycle")
        ),
        detail,
    }
}

/// The members of a circle, the first again at the end.
pub(super) fn circle_line(circle: &[ResourceId], name: impl Fn(ResourceId) -> String) -> String {
    let mut names: Vec<String> = circle.iter().take(MAX_NAMED).map(|id| name(*id)).collect();
    if circle.len() > MAX_NAMED {
        names.push(format!("… ({} members)", circle.len()));
    }
    names.extend(circle.first().map(|id| name(*id)));
    names.join(" → ")
}
