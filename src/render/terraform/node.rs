//! One node of a difference and its children, as text.

mod collections;

use std::sync::Arc;

use super::quote::{digits, name};
use crate::change::difference::{Action, Diff, DiffKind, Group, TextLine};
use crate::text::quoted;
use crate::value::{KNOWN_AFTER_APPLY, Payload, Value};
use collections::{list, map, set};

/// The style of a node. Each field answers a question that only the nodes above can answer.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "five independent questions, each passed on in its own way"
)]
pub(super) struct Style {
    /// True if `-> null` is left out.
    pub(super) no_null: bool,
    /// True if the node says that it forces replacement though its own path does not. Children do not inherit it.
    pub(super) forces: bool,
    /// True if the node does not say that it forces replacement, because another node says it for both. Children do not inherit
    /// it.
    pub(super) never_forces: bool,
    /// True if unchanged nodes are shown too.
    pub(super) all: bool,
    /// True if the column of signs is left out.
    pub(super) no_signs: bool,
}

impl Style {
    /// The style for children.
    fn below(self) -> Self {
        Self {
            forces: false,
            never_forces: false,
            ..self
        }
    }

    fn showing_all(self) -> Self {
        Self { all: true, ..self }
    }

    fn without_null(self) -> Self {
        Self {
            no_null: true,
            ..self
        }
    }

    fn sign(self, action: Action) -> &'static str {
        if self.no_signs {
            return "";
        }
        match action {
            Action::Same => "    ",
            Action::Create => "  + ",
            Action::Update => "  ~ ",
            Action::Delete => "  - ",
        }
    }

    /// The beginning of a line: the indentation and the sign.
    fn lead(self, indent: usize, action: Action) -> String {
        margin(indent) + self.sign(action)
    }

    /// The replacement remark of a node. Terraform knows no paths inside dynamic values.
    fn forces(self, diff: &Diff) -> &'static str {
        if (diff.replaces && !diff.is_dynamic || self.forces) && !self.never_forces {
            " # forces replacement"
        } else {
            ""
        }
    }

    fn null(self, action: Action) -> &'static str {
        if action == Action::Delete && !self.no_null {
            " -> null"
        } else {
            ""
        }
    }
}

fn margin(indent: usize) -> String {
    "    ".repeat(indent)
}

fn hidden(what: &str, count: usize) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("# ({count} unchanged {what}{plural} hidden)")
}

/// The node as text. The first line follows the sign and the name; further lines are indented by `indent` levels.
pub(super) fn node(diff: &Diff, indent: usize, style: Style) -> String {
    let (action, forces) = (diff.action, style.forces(diff));
    match &diff.kind {
        DiffKind::Leaf => {
            let (before, after) = (|| leaf(&diff.before), || leaf(&diff.after));
            match action {
                Action::Create => after() + forces,
                Action::Delete => before() + style.null(action) + forces,
                Action::Same => before() + forces,
                Action::Update => format!("{} -> {}{forces}", before(), after()),
            }
        }
        DiffKind::Line => line(diff, style),
        DiffKind::Lines(lines) | DiffKind::Document { lines, .. } => {
            text(diff, lines, indent, style)
        }
        DiffKind::Json(inner) => json(diff, inner, indent, style),
        DiffKind::List { elements, nested } => list(diff, elements, !nested, indent, style),
        DiffKind::Set { elements, nested } => set(diff, elements, *nested, indent, style),
        DiffKind::Map { entries, nested } => map(diff, entries, *nested, indent, style),
        DiffKind::Object { entries, nested } => object(diff, entries, *nested, indent, style),
        DiffKind::Block { attributes, groups } => block(diff, attributes, groups, indent, style),
        DiffKind::Unknown { before: None } => format!("{KNOWN_AFTER_APPLY}{forces}"),
        DiffKind::Unknown {
            before: Some(before),
        } => {
            let inner = Style {
                never_forces: diff.replaces && !diff.is_dynamic,
                ..style.below().without_null()
            };
            let before = node(before, indent, inner);
            format!("{before} -> {KNOWN_AFTER_APPLY}{forces}")
        }
        DiffKind::Sensitive { block: false, .. } => {
            format!("(sensitive value){}{forces}", style.null(action))
        }
        DiffKind::Sensitive { block: true, .. } => {
            let margin = style.lead(indent, Action::Same);
            format!(
                "{{{forces}\n\
                 {margin}  # At least one attribute in this block is (or was) sensitive,\n\
                 {margin}  # so its contents will not be displayed.\n\
                 {margin}}}"
            )
        }
        DiffKind::WriteOnly { sensitive } => {
            let sensitive = if *sensitive { "sensitive, " } else { "" };
            format!(
                "({sensitive}write-only attribute){}{forces}",
                style.null(action)
            )
        }
        // Neither side says separately that it forces replacement.
        DiffKind::TypeChange { before, after } => {
            let [before, after] = [before, after].map(|it| node(it, indent, style.without_null()));
            format!("{before} -> {after}")
        }
    }
}

fn leaf(value: &Value) -> String {
    match value.payload() {
        _ if value.is_likely_secret() => "(sensitive value)".to_owned(),
        Payload::Number(number) => digits(number),
        Payload::Computed(_) => KNOWN_AFTER_APPLY.to_owned(),
        Payload::String(text) => quoted(text.as_bytes()),
        _ => value.to_string(),
    }
}

/// The warning before a node whose sensitivity changes.
fn warning(diff: &Diff, indent: usize) -> Option<String> {
    let DiffKind::Sensitive {
        content,
        before,
        after,
        block,
    } = diff.kind
    else {
        return None;
    };
    if before == after || matches!(content, Action::Create | Action::Delete) {
        return None;
    }
    let what = if block {
        "this block"
    } else {
        "this attribute value"
    };
    let margin = margin(indent);
    let unchanged = if content == Action::Same && !block {
        " The value is unchanged."
    } else {
        ""
    };
    let (first, second) = if before {
        (
            "no longer be marked as sensitive",
            "after applying this change.",
        )
    } else {
        (
            "be marked as sensitive and will not",
            "display in UI output after applying this change.",
        )
    };
    Some(format!(
        "  # Warning: {what} will {first}\n{margin}  # {second}{unchanged}"
    ))
}

/// Adds one child: its warnings, its sign, `head`, the node, `tail`.
fn child(out: &mut String, diff: &Diff, head: &str, tail: &str, indent: usize, style: Style) {
    if let Some(warning) = warning(diff, indent) {
        put!(out, "{}{warning}\n", margin(indent));
    }
    let lead = style.lead(indent, diff.action);
    put!(out, "{lead}{head}{}{tail}\n", node(diff, indent, style));
}

/// Adds the end of a container.
fn close(out: &mut String, bracket: char, indent: usize, style: Style, null: &str) {
    put!(out, "{}{bracket}{null}", style.lead(indent, Action::Same));
}

fn count(out: &mut String, what: &str, n_hidden: usize, indent: usize, style: Style) {
    if n_hidden > 0 {
        let lead = style.lead(indent + 1, Action::Same);
        put!(out, "{lead}{}\n", hidden(what, n_hidden));
    }
}

/// `key` padded to `width`, and ` = `. As in Terraform, the width is in bytes and the padding in characters.
fn assigned(key: &str, width: usize) -> String {
    let padding = width.saturating_sub(key.chars().count());
    format!("{key}{} = ", " ".repeat(padding))
}

fn widest<'k>(keys: impl Iterator<Item = &'k String>) -> usize {
    keys.map(String::len).max().unwrap_or_default()
}

/// True if an attribute is shown even if it did not change.
fn is_important(name: &str) -> bool {
    matches!(name, "id" | "name" | "tags")
}

fn line(diff: &Diff, style: Style) -> String {
    let forces = style.forces(diff);
    match diff.action {
        Action::Create | Action::Same => leaf(&diff.after) + forces,
        Action::Delete if diff.before.is_null() => leaf(&diff.before) + forces,
        Action::Delete => leaf(&diff.before) + style.null(diff.action) + forces,
        Action::Update => format!("{} -> {}{forces}", leaf(&diff.before), leaf(&diff.after)),
    }
}

fn text(diff: &Diff, lines: &[TextLine], indent: usize, style: Style) -> String {
    let mut out = format!("<<-EOT{}\n", style.forces(diff));
    for line in lines {
        let lead = style.lead(indent + 1, line.action);
        put!(out, "{lead}{}\n", line.text);
    }
    let lead = style.lead(indent, Action::Same);
    put!(out, "{lead}EOT{}", style.null(diff.action));
    out
}

fn json(diff: &Diff, inner: &Diff, indent: usize, style: Style) -> String {
    let mut inner_style = style.below().without_null();
    let mut sign = match diff.action {
        Action::Update => Action::Update,
        _ => Action::Same,
    };
    let (mut remark, mut forces) = ("", "");
    if inner.action == Action::Same && diff.action == Action::Update {
        remark = if diff.replaces {
            " # whitespace changes force replacement"
        } else {
            " # whitespace changes"
        };
        inner_style.all = true;
        sign = Action::Same;
    } else {
        forces = style.forces(diff);
    }
    let drawn = node(inner, indent + 1, inner_style);
    if drawn.contains('\n') {
        format!(
            "jsonencode({remark}\n{}{drawn}{forces}\n{}){}",
            style.lead(indent + 1, sign),
            style.lead(indent, Action::Same),
            style.null(diff.action)
        )
    } else {
        format!("jsonencode({drawn}){remark}{forces}")
    }
}

fn object(
    diff: &Diff,
    attributes: &[(Arc<str>, Diff)],
    nested: bool,
    indent: usize,
    style: Style,
) -> String {
    let (null, forces) = (style.null(diff.action), style.forces(diff));
    if attributes.is_empty() {
        return format!("{{}}{null}{forces}");
    }
    let below = Style {
        no_null: !nested,
        ..style.below()
    };
    let mut out = format!("{{{forces}\n");
    shown_attributes(&mut out, attributes, indent, style, below);
    close(&mut out, '}', indent, style, null);
    out
}

/// The attributes of an object or a block. Hidden ones are counted.
fn shown_attributes(
    out: &mut String,
    attributes: &[(Arc<str>, Diff)],
    indent: usize,
    style: Style,
    below: Style,
) {
    let keys: Vec<String> = attributes.iter().map(|(key, _)| name(key)).collect();
    let width = widest(keys.iter());
    let mut n_hidden = 0;
    for ((key, attribute), shown) in attributes.iter().zip(&keys) {
        let own = if is_important(key) {
            below.showing_all()
        } else if attribute.action == Action::Same && !style.all {
            n_hidden += 1;
            continue;
        } else {
            below
        };
        child(out, attribute, &assigned(shown, width), "", indent + 1, own);
    }
    count(out, "attribute", n_hidden, indent, style);
}

fn block(
    diff: &Diff,
    attributes: &[(Arc<str>, Diff)],
    groups: &[Group],
    indent: usize,
    style: Style,
) -> String {
    let forces = style.forces(diff);
    if attributes.is_empty() && groups.is_empty() {
        return format!("{{}}{forces}");
    }
    let mut out = format!("{{{forces}\n");
    shown_attributes(&mut out, attributes, indent, style, style.below());
    let mut n_hidden = 0;
    for group in groups {
        let mut is_first = true;
        for member in &group.members {
            if member.diff.action == Action::Same && !style.all {
                n_hidden += 1;
                continue;
            }
            if is_first && !attributes.is_empty() {
                out.push('\n');
            }
            is_first = false;
            let own = Style {
                forces: group.replaces,
                ..style.below()
            };
            let mut head = name(&group.name);
            if let Some(key) = &member.key {
                put!(head, " {}", quoted(key.as_bytes()));
            }
            head.push(' ');
            child(&mut out, &member.diff, &head, "", indent + 1, own);
        }
    }
    if n_hidden > 0 {
        out.push('\n');
        count(&mut out, "block", n_hidden, indent, style);
    }
    close(&mut out, '}', indent, style, "");
    out
}
