//! What a graph of resources and one of stacks are drawn with.

use std::fmt::Write as _;

use super::super::Failure;
use crate::stack::ResourceId;
use crate::text::{escaped, plural};

/// The first lines of a graph for Graphviz, which end with `}`.
pub(super) const DOT_START: &[u8] = b"digraph {\n  rankdir = LR\n  node [shape = box]\n";

/// The first line of a graph for Mermaid.
pub(super) const MERMAID_START: &[u8] = b"graph LR\n";

/// `text` inside the quotes of Graphviz, which interprets backslashes and entities.
pub(super) fn dot_quoted(text: &str) -> String {
    escaped(text)
        .replace('\\', "\\\\")
        .replace('"', "\\\"")
        .replace('&', "&amp;")
}

/// `text` inside the quotes of a label. Mermaid reads labels as HTML or Markdown and looks for its own directives everywhere,
/// but it reads entities with `#` in place of `&`.
pub(super) fn mermaid_label(text: &str) -> String {
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
