//! Texts that make a resource under another name one thing again, to copy into a program or a shell.

use std::fmt::Write as _;

use super::copy::shell;
use crate::change::pairs::{Shift, ShiftKind};
use crate::pulumi::urn;
use crate::stack::Stack;
use crate::text::quoted;

/// The text for the program: `moved` blocks, or the aliases of each resource. `None` if no such text helps.
pub fn for_program(stack: &Stack, shift: &Shift) -> Option<String> {
    match shift.kind {
        // A block may not lead to the place of another object, and these two moves are what the program says.
        ShiftKind::Slide(_) | ShiftKind::Swap => return None,
        ShiftKind::Renamed | ShiftKind::Key | ShiftKind::Parent | ShiftKind::Container => {}
    }
    let mut out = String::new();
    for (from, to) in &shift.moves {
        // Writing to a string cannot fail.
        _ = if stack.header.kind.is_pulumi() {
            writeln!(out, "aliases: [{}]", quoted(from.as_bytes()))
        } else {
            writeln!(out, "moved {{\n  from = {from}\n  to   = {to}\n}}")
        };
    }
    Some(out)
}

/// The commands that rename the objects in the state, in their order. `None` if none help, or for Pulumi where aliases do the same.
pub fn for_shell(stack: &Stack, shift: &Shift) -> Option<String> {
    if shift.kind == ShiftKind::Swap || shift.moves.is_empty() {
        return None;
    }
    if stack.header.kind.is_pulumi() {
        return matches!(shift.kind, ShiftKind::Slide(_)).then(|| renames(shift));
    }
    let program = stack.header.tool.program();
    let mut out = String::new();
    for (from, to) in &shift.moves {
        _ = writeln!(out, "{program} state mv {} {}", shell(from), shell(to));
    }
    Some(out)
}

/// The commands that rename the resources of a list, which cannot have each other's names as aliases.
fn renames(shift: &Shift) -> String {
    let mut out = String::new();
    for (from, to) in &shift.moves {
        let name = urn::parts(to).map_or(to.as_str(), |parts| parts.name);
        _ = writeln!(out, "pulumi state rename {} {}", shell(from), shell(name));
    }
    out
}
