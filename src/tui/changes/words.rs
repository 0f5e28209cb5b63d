//! Words for what happens to a resource. They follow the file: a plan says *will be*, a run *creating*, *created* or *failed*,
//! a comparison *only in new*, the history of a stack *was created*.

use crate::stack::{Action, Flags, ResourceId, Stack};
use crate::tui::theme::Role;

/// The names of the two sides of a difference.
pub fn sides(stack: &Stack) -> [&'static str; 2] {
    if stack.is_comparison && !stack.is_history {
        ["old", "new"]
    } else {
        ["before", "after"]
    }
}

/// The sign of drift, one cell wide.
pub const DRIFT_SIGN: &str = "≈";

/// The sign of outputs, one cell wide.
pub const OUTPUTS_SIGN: &str = "⇥";

/// The sign of invoked actions, one cell wide.
pub const INVOKED_SIGN: &str = "»";

/// The sign, the word and the role of the action on a resource: `~ update`, `≈ changed outside`. `None` if nothing happens to it.
pub fn action(stack: &Stack, id: ResourceId) -> Option<(&'static str, &'static str, Role)> {
    let record = stack.record(id);
    let action = record.action.filter(|it| *it != Action::Noop)?;
    if stack.is_kept(id) {
        return Some((Action::Forget.sign(), "kept", Role::Other));
    }
    if stack.is_comparison || !record.flags.is_drift() {
        return Some((action.sign(), stack.word_of(id, action), action.into()));
    }
    Some((DRIFT_SIGN, action.drifted(), Role::Other))
}

/// The progress of a run on a resource: `creating`, `created`, `failed!`. `None` if the file is not the log of a run.
pub fn progress(stack: &Stack, id: ResourceId) -> Option<(&'static str, Role)> {
    let record = stack.record(id);
    let flags = record.flags;
    if flags.contains(Flags::FAILED) {
        return Some(("failed!", Role::Danger));
    }
    if flags.contains(Flags::PENDING_OPERATION) {
        return Some(("unfinished!", Role::Danger));
    }
    let (running, done) = match record.action.unwrap_or(Action::Noop) {
        Action::Create => ("creating", "created"),
        Action::Update => ("updating", "updated"),
        Action::Replace => ("replacing", "replaced"),
        Action::Delete => ("deleting", "deleted"),
        Action::Read => ("reading", "read"),
        Action::Import => ("importing", "imported"),
        Action::Move | Action::Forget | Action::Defer | Action::Noop => ("running", "done"),
    };
    if flags.contains(Flags::RUNNING) {
        return Some((running, Role::Badge));
    }
    let is_done = flags.contains(Flags::DONE);
    is_done.then_some((done, Role::Good))
}

/// True if a run deleted the old object of a replacement and failed to create the new one.
pub fn is_lost(stack: &Stack, id: ResourceId) -> bool {
    let record = stack.record(id);
    let is_over = record
        .flags
        .intersects(Flags::FAILED | Flags::PENDING_OPERATION);
    stack.header.kind.is_log()
        && record.action == Some(Action::Replace)
        && is_over
        && record.flags.contains(Flags::PENDING_REPLACEMENT)
}

/// The words for a change that was not made by a run.
fn happened_outside(action: Action) -> &'static str {
    match action {
        Action::Delete => "was deleted outside",
        Action::Create => "was created outside",
        Action::Move => "has moved",
        Action::Update
        | Action::Replace
        | Action::Read
        | Action::Import
        | Action::Forget
        | Action::Defer
        | Action::Noop => "was changed outside",
    }
}

/// The words for a change, for the title of its difference.
pub fn happens(stack: &Stack, id: ResourceId) -> &'static str {
    let record = stack.record(id);
    let action = record.action.unwrap_or(Action::Noop);
    let flags = record.flags;
    if stack.is_history {
        return action.happened();
    }
    if stack.is_comparison {
        return action.compared();
    }
    if flags.is_drift() {
        return happened_outside(action);
    }
    if is_lost(stack, id) {
        return "failed to replace, the old one is deleted";
    }
    if stack.header.kind.is_log() && flags.contains(Flags::PENDING_OPERATION) {
        return "was under way when the log ended";
    }
    let run = |running: &'static str, done, failed| {
        let states = [
            (Flags::FAILED, failed),
            (Flags::RUNNING, running),
            (Flags::DONE, done),
        ];
        let mut states = states.into_iter();
        let state = states.find(|(flag, _)| flags.contains(*flag));
        state.map(|(_, words)| words)
    };
    match action {
        Action::Create => {
            run("creating", "created", "failed to create").unwrap_or("will be created")
        }
        Action::Update => {
            run("updating", "updated", "failed to update").unwrap_or("will be updated in place")
        }
        Action::Replace => run("replacing", "replaced", "failed to replace").unwrap_or(
            if flags.contains(Flags::RETAIN_ON_DELETE) {
                "must be replaced, the old one is kept in the cloud"
            } else {
                "must be replaced"
            },
        ),
        Action::Delete if stack.is_old_copy(id) => run(
            "deleting an old copy",
            "an old copy was deleted",
            "failed to delete an old copy",
        )
        .unwrap_or("an old copy will be destroyed"),
        Action::Delete if flags.contains(Flags::RETAIN_ON_DELETE) => run(
            "removing from the state",
            "removed from the state, kept in the cloud",
            "failed to remove from the state",
        )
        .unwrap_or("removed from the state, kept in the cloud"),
        Action::Delete => {
            run("deleting", "deleted", "failed to delete").unwrap_or("will be destroyed")
        }
        Action::Read => {
            run("reading", "read", "failed to read").unwrap_or("will be read during apply")
        }
        Action::Import => {
            run("importing", "imported", "failed to import").unwrap_or("will be imported")
        }
        Action::Move => "has moved",
        Action::Forget => "will be forgotten, not destroyed",
        Action::Defer => "is deferred to a later run",
        Action::Noop => "does not change",
    }
}
