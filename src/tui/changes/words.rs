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
    let [running, done] = in_a_run(record.action.unwrap_or(Action::Noop));
    if flags.contains(Flags::RUNNING) {
        return Some((running, Role::Badge));
    }
    let is_done = flags.contains(Flags::DONE);
    is_done.then_some((done, Role::Good))
}

/// The words for an action under way in a run, and for one that is done.
fn in_a_run(action: Action) -> [&'static str; 2] {
    match action {
        Action::Create => ["creating", "created"],
        Action::Update => ["updating", "updated"],
        Action::Replace => ["replacing", "replaced"],
        Action::Delete => ["deleting", "deleted"],
        Action::Read => ["reading", "read"],
        Action::Import => ["importing", "imported"],
        Action::Move | Action::Forget | Action::Defer | Action::Noop => ["running", "done"],
    }
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

/// The words for a change, for the title of its difference.
pub fn happens(stack: &Stack, id: ResourceId) -> String {
    let record = stack.record(id);
    let action = record.action.unwrap_or(Action::Noop);
    let flags = record.flags;
    let words = match action {
        _ if stack.is_history => action.happened(),
        _ if stack.is_comparison => action.compared(),
        Action::Move if flags.is_drift() => "has moved",
        _ if flags.is_drift() => return format!("was {}", action.drifted()),
        _ if is_lost(stack, id) => "failed to replace, the old one is deleted",
        _ if stack.header.kind.is_log() && flags.contains(Flags::PENDING_OPERATION) => {
            "was under way when the log ended"
        }
        Action::Move | Action::Forget | Action::Defer | Action::Noop => planned(action),
        Action::Delete if stack.is_old_copy(id) => in_state(
            flags,
            "failed to delete an old copy",
            ["deleting an old copy", "an old copy was deleted"],
            "an old copy will be destroyed",
        ),
        Action::Delete if flags.contains(Flags::RETAIN_ON_DELETE) => {
            let gone = "removed from the state, kept in the cloud";
            let failed = "failed to remove from the state";
            in_state(flags, failed, ["removing from the state", gone], gone)
        }
        Action::Create
        | Action::Update
        | Action::Replace
        | Action::Delete
        | Action::Read
        | Action::Import => {
            let is_kept = action == Action::Replace && flags.contains(Flags::RETAIN_ON_DELETE);
            let planned = match planned(action) {
                words if is_kept => format!("{words}, the old one is kept in the cloud"),
                words => words.to_owned(),
            };
            let failed = format!("failed to {}", action.name());
            return in_state(flags, &failed, in_a_run(action), &planned).to_owned();
        }
    };
    words.to_owned()
}

/// The words for the state of a change in a run, or for one that is planned.
fn in_state<'a>(
    flags: Flags,
    failed: &'a str,
    [running, done]: [&'a str; 2],
    planned: &'a str,
) -> &'a str {
    match flags {
        _ if flags.contains(Flags::FAILED) => failed,
        _ if flags.contains(Flags::RUNNING) => running,
        _ if flags.contains(Flags::DONE) => done,
        _ => planned,
    }
}

/// The words for an action that a plan holds.
fn planned(action: Action) -> &'static str {
    match action {
        Action::Create => "will be created",
        Action::Update => "will be updated in place",
        Action::Replace => "must be replaced",
        Action::Delete => "will be destroyed",
        Action::Read => "will be read during apply",
        Action::Import => "will be imported",
        Action::Move => "has moved",
        Action::Forget => "will be forgotten, not destroyed",
        Action::Defer => "is deferred to a later run",
        Action::Noop => "does not change",
    }
}
