//! The summary of a member: what a list of stacks says about each.

use super::super::Document;
use crate::stack::{Changes, Flags, Kind, Severity, Tool};

/// The facts about a member that stay when its document is gone.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StackSummary {
    /// The kind of the file.
    pub kind: Kind,
    /// The program that wrote it.
    pub tool: Tool,
    /// The version of that program, "" if not recorded.
    pub tool_version: String,
    /// The stack or workspace, "" if not known.
    pub stack: String,
    /// The project; for Terraform the stem of the file name.
    pub project: String,
    /// Number of resources.
    pub n_resources: u64,
    /// Number of outputs.
    pub n_outputs: u64,
    /// Number of outermost secret values.
    pub n_secrets: u64,
    /// The numbers of changes.
    pub changes: Changes,
    /// Number of resources that changed outside of the program.
    pub n_drifted: u64,
    /// Number of resources that wait for something: an operation that did not end, a deletion, a replacement.
    pub n_pending: u64,
    /// Number of notes that are a warning or worse.
    pub n_problems: u64,
    /// The damage, in a few words.
    pub damage: Option<String>,
    /// The time of the last change in seconds since 1970, if the file records it.
    pub changed: Option<u64>,
}

/// The flags of resources that wait for something.
const PENDING: [Flags; 5] = [
    Flags::PENDING_OPERATION,
    Flags::PENDING_DELETE,
    Flags::PENDING_REPLACEMENT,
    Flags::DEPOSED,
    Flags::TAINTED,
];

impl StackSummary {
    /// The summary of a document.
    pub fn of(document: &Document) -> Self {
        let stack = &document.stack;
        let header = &stack.header;
        let is_pending = |flags: Flags| PENDING.iter().any(|it| flags.contains(*it));
        let flags = stack.ids().map(|id| stack.record(id).flags);
        let n_pending = flags.filter(|flags| is_pending(*flags)).count();
        let notes = stack.notes.iter();
        let n_problems = notes.filter(|it| it.severity > Severity::Info).count();
        Self {
            kind: header.kind,
            tool: header.tool,
            tool_version: header.tool_version.clone(),
            stack: header.stack.clone(),
            project: header.project.clone(),
            n_resources: stack.counts.resources,
            n_outputs: stack.outputs.len() as u64,
            n_secrets: stack.counts.secrets,
            changes: stack.changes(),
            n_drifted: stack.n_drifted(),
            n_pending: n_pending as u64,
            n_problems: n_problems as u64,
            damage: stack.damage_title(),
            changed: stack.written_at(),
        }
    }
}
