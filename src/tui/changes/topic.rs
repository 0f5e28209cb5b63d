//! The sections of the list of changes.

use crate::stack::{Action, ChangeId, Flags, Output, ResourceId, Stack};
use crate::tui::theme::Role;

/// A section of the list.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Topic {
    /// Changes that failed in a run, whatever their action.
    Failed,
    /// Changes under way in a run, whatever their action.
    Running,
    /// Resources with this action.
    Change(Action),
    /// Resources that changed outside of the program.
    Drift,
    /// Outputs that change.
    Outputs,
    /// Provider actions that are invoked besides the changes.
    Invoked,
}

impl Topic {
    /// All sections in the order of the list.
    pub const ALL: [Self; 15] = [
        Self::Failed,
        Self::Running,
        Self::Change(Action::Delete),
        Self::Change(Action::Replace),
        Self::Change(Action::Update),
        Self::Change(Action::Create),
        Self::Change(Action::Import),
        Self::Change(Action::Forget),
        Self::Change(Action::Move),
        Self::Change(Action::Defer),
        Self::Change(Action::Read),
        Self::Outputs,
        Self::Invoked,
        Self::Drift,
        Self::Change(Action::Noop),
    ];

    /// The sign in front of its rows, one cell wide.
    pub fn sign(self) -> &'static str {
        match self {
            Self::Change(action) => action.sign(),
            Self::Failed => "✗",
            Self::Running => "▸",
            Self::Drift => super::words::DRIFT_SIGN,
            Self::Outputs => super::words::OUTPUTS_SIGN,
            Self::Invoked => super::words::INVOKED_SIGN,
        }
    }

    /// The name of the section in the list of `stack`.
    pub fn name(self, stack: &Stack) -> &'static str {
        match self {
            Self::Change(action) if stack.is_comparison => stack.word(action),
            Self::Change(Action::Import) => "imported",
            Self::Change(Action::Forget) => "forgotten",
            Self::Change(Action::Move) => "moved",
            Self::Change(Action::Defer) => "deferred",
            Self::Change(Action::Read) => "read during apply",
            Self::Change(Action::Noop) => "unchanged",
            Self::Change(action) => action.name(),
            Self::Failed => "failed",
            Self::Running => "running",
            Self::Drift => Action::Update.drifted(),
            Self::Outputs => "outputs",
            Self::Invoked => "actions",
        }
    }

    /// True if the section has its own heading.
    pub fn is_group(self) -> bool {
        !matches!(
            self,
            Self::Failed
                | Self::Running
                | Self::Change(Action::Delete | Action::Replace | Action::Update | Action::Create)
        )
    }

    /// True if the rows of the section are hidden at first.
    pub(super) fn starts_closed(self) -> bool {
        matches!(self, Self::Change(Action::Move | Action::Noop))
    }

    /// True if changes in the section count toward review progress.
    pub fn is_reviewed(self) -> bool {
        !matches!(
            self,
            Self::Drift | Self::Invoked | Self::Change(Action::Noop)
        )
    }

    /// The section that lists a resource. `None` if nothing happens to it.
    pub fn of(stack: &Stack, id: ResourceId) -> Option<Self> {
        let record = stack.record(id);
        if record.flags.is_drift() {
            // The entry of a resource that a refresh only found under another address: its own entry says so.
            let is_told = record.flags.is_second_entry() && !record.flags.contains(Flags::DRIFTED);
            return (!is_told).then_some(Self::Drift);
        }
        let action = record.action?;
        if action != Action::Noop && record.flags.contains(Flags::FAILED) {
            return Some(Self::Failed);
        }
        if action != Action::Noop && record.flags.contains(Flags::RUNNING) {
            return Some(Self::Running);
        }
        if stack.is_kept(id) {
            return Some(Self::Change(Action::Forget));
        }
        Some(Self::Change(action))
    }

    /// The changes of the section that are not those of resources.
    pub(super) fn beside(self, stack: &Stack) -> Vec<ChangeId> {
        match self {
            Self::Outputs => stack.changed_outputs().collect(),
            Self::Invoked => {
                let invocations = 0..stack.invocations.len();
                invocations.map(ChangeId::Invocation).collect()
            }
            Self::Failed | Self::Running | Self::Drift | Self::Change(_) => Vec::new(),
        }
    }

    /// True if the section is about the state of a run, so that its changes have several actions.
    pub fn is_of_run(self) -> bool {
        matches!(self, Self::Failed | Self::Running)
    }

    /// The other sections that count the resource without listing it: because a run works on it, or because it is also imported
    /// or moved.
    pub fn also(stack: &Stack, id: ResourceId) -> impl Iterator<Item = Self> {
        let is_of_run = Self::of(stack, id).is_some_and(Self::is_of_run);
        let n_own = usize::from(!is_of_run);
        stack.actions(id).skip(n_own).map(Self::Change)
    }

    /// The role that sets the style of the section.
    pub fn role(self) -> Role {
        match self {
            Self::Change(action) => action.into(),
            Self::Failed => Role::Danger,
            Self::Running => Role::Badge,
            Self::Drift | Self::Outputs | Self::Invoked => Role::Other,
        }
    }
}

/// True if a change counts toward review progress.
pub fn is_reviewed(stack: &Stack, change: ChangeId) -> bool {
    match change {
        ChangeId::Resource(id) => Topic::of(stack, id).is_some_and(Topic::is_reviewed),
        ChangeId::Output(at) => stack.outputs.get(at).is_some_and(Output::is_changed),
        ChangeId::Invocation(_) => false,
    }
}
