//! Decides if two resources differ.

use std::slice::Chunks;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::sync::{Mutex, PoisonError};

use super::{Compared, Halves, Pair, WhichFile};
use crate::change::forms::Tally;
use crate::change::review::between;
use crate::load::Document;
use crate::stack::Comparison;
use crate::stack::{Action, Flags, Kind, Resource, ResourceId};
use crate::terraform::address::is_same_provider;
use crate::value::{SECRET, Value};

/// The fate of a pair of resources.
pub(super) type Verdict = (Pair, Action, Tally);

/// Facts of a resource that only a plan has: about its change, or about the work on it.
const PLANNED: Flags = Flags::TAINTED
    .and(Flags::DRIFTED)
    .and(Flags::MOVED)
    .and(Flags::IMPORTED)
    .and(Flags::DRIFT_ENTRY)
    .and(Flags::DRIFT_ONLY)
    .and(Flags::DEFERRED)
    .and(Flags::CREATE_FIRST)
    .and(Flags::DESTROY_FIRST)
    .and(Flags::CREATE_THEN_FORGET)
    .and(Flags::FORGET_THEN_CREATE)
    .and(Flags::RUNNING)
    .and(Flags::DONE)
    .and(Flags::FAILED);

/// The forms of two files.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Forms {
    /// One form, or logs, which are compared as they are.
    Alike,
    /// Two states or two plans that are written differently.
    Written,
    /// A plan, on this side, and a state.
    Planned(WhichFile),
}

impl Forms {
    fn of(old: Kind, new: Kind) -> Self {
        if old == new || old.is_log() || new.is_log() {
            return Self::Alike;
        }
        match (old.has_changes(), new.has_changes()) {
            (true, false) => Self::Planned(WhichFile::Old),
            (false, true) => Self::Planned(WhichFile::New),
            _ => Self::Written,
        }
    }
}

/// Judges one slice of pairs after the other, until there are no more or until `stop` is set.
pub(super) fn work(
    both: &Compared,
    cases: &Mutex<Chunks<'_, Pair>>,
    tell: &Sender<Vec<Verdict>>,
    stop: &AtomicBool,
) {
    while !stop.load(Ordering::Relaxed) {
        let next = cases.lock().unwrap_or_else(PoisonError::into_inner).next();
        let Some(pairs) = next else { return };
        let mut verdicts = Vec::new();
        for pair in pairs {
            if stop.load(Ordering::Relaxed) {
                break;
            }
            let (action, tally) = both.halves().judge(*pair);
            verdicts.push((*pair, action, tally));
        }
        if tell.send(verdicts).is_err() {
            return;
        }
    }
}

impl Halves {
    /// True if everything but the bytes of two resources is the same: the way to read them, and the other facts in their
    /// records.
    pub(super) fn is_like(&self, pair: Pair) -> bool {
        let (old, new) = (&self.old.stack, &self.new.stack);
        let (one, other) = (old.record(pair.old), new.record(pair.new));
        one.span.len == other.span.len
            && self.has_like_headers()
            && one.action == other.action
            && one.flags == other.flags
            // The bytes of a Terraform instance do not name its provider.
            && old.provider(pair.old) == new.provider(pair.new)
    }

    /// True if equal bytes have the same meaning in both files.
    pub(super) fn has_like_headers(&self) -> bool {
        let (old, new) = (&self.old.stack.header, &self.new.stack.header);
        old.kind == new.kind && old.format_version == new.format_version
    }

    /// The forms of the two files.
    pub(super) fn forms(&self) -> Forms {
        Forms::of(self.old.stack.header.kind, self.new.stack.header.kind)
    }

    /// True if a plan that is compared with a state deletes the resource.
    pub(super) fn is_planned_gone(&self, side: WhichFile, id: ResourceId) -> bool {
        let action = self.stack(side).record(id).action;
        self.forms() == Forms::Planned(side)
            && matches!(action, Some(Action::Delete | Action::Forget))
    }

    /// True if a plan creates or deletes the resource, which makes it a difference to the state after the apply that the state has it
    /// or has it not. The resource is one of the old file.
    pub(super) fn is_not_done(&self, old: ResourceId) -> bool {
        let action = self.old.stack.record(old).action;
        self.forms() == Forms::Planned(WhichFile::Old)
            && matches!(
                action,
                Some(Action::Create | Action::Delete | Action::Forget)
            )
    }

    /// True if it is not a difference that only one of the files has a resource: the plan deletes it, or does not list it. A
    /// plan lists data sources only if they are read during the apply. A plan with targets lists only these.
    pub(super) fn may_be_alone(&self, side: WhichFile, id: ResourceId) -> bool {
        let Forms::Planned(planned) = self.forms() else {
            return false;
        };
        if planned == side {
            return self.is_planned_gone(side, id);
        }
        let mut fields = self.stack(planned).header.fields.iter();
        let is_partial =
            fields.any(|(name, value)| name == "complete" && value.as_bool() == Some(false));
        is_partial || self.stack(side).record(id).flags.contains(Flags::DATA)
    }

    /// The fate of a resource that both files have.
    pub(super) fn judge(&self, pair: Pair) -> (Action, Tally) {
        let nothing = Tally::default();
        if self.is_planned_gone(WhichFile::Old, pair.old) {
            return (Action::Create, nothing);
        }
        if self.is_planned_gone(WhichFile::New, pair.new) {
            return (Action::Delete, nothing);
        }
        if self.is_like(pair) && has_same_bytes(&self.old, &self.new, pair) {
            return (Action::Noop, nothing);
        }
        // A resource that cannot be read may differ: it is listed, and opening it shows the error.
        let (Ok(before), Ok(after)) = (self.old.resource(pair.old), self.new.resource(pair.new))
        else {
            return (Action::Update, nothing);
        };
        let comparison = self.comparison(&before, &after);
        let (parts, tally) = between(before.current(), after.current(), comparison);
        if parts.is_empty() && self.other_differences(&before, &after).is_empty() {
            (Action::Noop, tally)
        } else {
            (Action::Update, tally)
        }
    }

    /// The way to compare two resources.
    pub(super) fn comparison(&self, before: &Resource, after: &Resource) -> Comparison {
        match self.forms() {
            Forms::Alike => Comparison::Alike,
            Forms::Written => Comparison::Forms,
            Forms::Planned(WhichFile::Old) => Comparison::Outcome,
            Forms::Planned(WhichFile::New) => {
                // A state from before the plan does not have the unknown values; a state from after the apply does.
                let begun = after.before.as_ref();
                let is_begun = begun.is_some_and(|begun| {
                    between(before.current(), Some(begun), Comparison::Forms)
                        .0
                        .is_empty()
                });
                if is_begun {
                    Comparison::Forms
                } else {
                    Comparison::Outcome
                }
            }
        }
    }

    /// The differences of two resources beside their properties, in words.
    pub(super) fn other_differences(&self, before: &Resource, after: &Resource) -> Vec<String> {
        let mut reasons = Vec::new();
        let forms = self.forms();
        let mut tell = |what: &str, before: String, after: String| {
            if before != after {
                reasons.push(format!("{what}: {before} → {after}"));
            }
        };
        if !matches!(forms, Forms::Planned(_)) {
            tell("action", action(before), action(after));
        }
        // Terraform has the id among the properties, and it may be unknown in a plan.
        let is_known = |id: &Option<Value>| id.as_ref().is_some_and(|id| !id.is_computed());
        if forms == Forms::Alike
            || before.address.is_none() && is_known(&before.id) && is_known(&after.id)
        {
            let ids = [before.id.as_ref(), after.id.as_ref()];
            let is_secret = ids.into_iter().flatten().any(Value::is_secret);
            let payloads = ids.map(|id| id.map(Value::payload));
            if is_secret && payloads[0] != payloads[1] {
                tell("id", SECRET.to_owned(), format!("{SECRET} changed"));
            } else if !is_secret {
                tell("id", shown(ids[0]), shown(ids[1]));
            }
        }
        let told = |side: WhichFile| match forms {
            Forms::Planned(planned) if planned == side => PLANNED,
            _ => Flags::NONE,
        };
        let text = |text: &Option<String>| text.clone().unwrap_or_default();
        tell("parent", text(&before.parent), text(&after.parent));
        let providers = (text(&before.provider), text(&after.provider));
        if before.address.is_none() || !is_same_provider(&providers.0, &providers.1) {
            tell("provider", providers.0, providers.1);
        }
        // The properties show which are secret or unknown.
        let shown = Flags::SECRET | Flags::UNKNOWN;
        let old = before.flags.without(told(WhichFile::Old)).without(shown);
        let new = after.flags.without(told(WhichFile::New)).without(shown);
        let are_new = new.without(old).names().map(|name| format!("now {name}"));
        let are_gone = old.without(new).names();
        reasons.extend(are_new.chain(are_gone.map(|name| format!("no longer {name}"))));
        reasons
    }
}

fn has_same_bytes(old: &Document, new: &Document, pair: Pair) -> bool {
    let one = old.source.read(old.stack.record(pair.old).span);
    let other = new.source.read(new.stack.record(pair.new).span);
    matches!((one, other), (Ok(one), Ok(other)) if one == other)
}

fn action(resource: &Resource) -> String {
    let change = resource.change.as_ref();
    change.map_or("", |change| change.action.name()).to_owned()
}

fn shown(id: Option<&Value>) -> String {
    id.map_or_else(|| "none".to_owned(), Value::to_string)
}
