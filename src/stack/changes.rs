//! The changes of a file: the one meaning of the word, for every tool, command and view.
//!
//! # Laws
//!
//! 1. A *change* is an object that the file creates, updates, replaces, deletes, reads, imports, moves, forgets or defers. It counts
//!    once, under [its strongest action](Stack::effect), whatever its steps in a log are. An old copy that waits for deletion is an
//!    object of its own.
//! 2. Outputs and invoked actions change too. They count beside the resources, not among them.
//! 3. Drift is no change: it happened outside, and the file does nothing to the object. [`Stack::n_drifted`] counts it.

use super::{Action, Output, ResourceId, Stack};
use crate::text::{count, plural};
use crate::value::Value;

/// A change of a file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ChangeId {
    /// That of a resource.
    Resource(ResourceId),
    /// That of an output, by its position in the stack.
    Output(usize),
    /// An invoked action, by its position in the stack.
    Invocation(usize),
}

impl ChangeId {
    /// The resource, if it is the change of one.
    pub fn resource(self) -> Option<ResourceId> {
        match self {
            Self::Resource(id) => Some(id),
            Self::Output(_) | Self::Invocation(_) => None,
        }
    }
}

impl From<ResourceId> for ChangeId {
    fn from(id: ResourceId) -> Self {
        Self::Resource(id)
    }
}

/// The numbers of changes, each resource once.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Changes {
    /// Number of resources by action, in the order of [`Action::ALL`], without the actions that do not occur.
    pub resources: Vec<(Action, usize)>,
    /// Number of outputs.
    pub n_outputs: usize,
    /// Number of actions that a plan invokes.
    pub n_invoked: usize,
}

impl Changes {
    /// Number of resources.
    pub fn n_resources(&self) -> usize {
        self.resources.iter().map(|(_, n)| n).sum()
    }

    /// True if nothing changes.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Adds the changes of another file.
    pub fn add(&mut self, other: &Self) {
        let of = |changes: &Self, action| {
            let mut own = changes.resources.iter();
            own.find(|(it, _)| *it == action).map_or(0, |(_, n)| *n)
        };
        let sums = Action::ALL.map(|action| (action, of(self, action) + of(other, action)));
        self.resources = sums.into_iter().filter(|(_, n)| *n > 0).collect();
        self.n_outputs += other.n_outputs;
        self.n_invoked += other.n_invoked;
    }

    /// Example: `1 output changes · 2 actions to invoke`. `None` if there are neither.
    pub fn beside_resources(&self, verb: Verb) -> Option<String> {
        let [one, many] = verb.forms();
        let outputs = match self.n_outputs {
            0 => None,
            1 => Some(format!("1 output {one}")),
            n => Some(format!("{} {many}", plural(n, "output"))),
        };
        let invoked = (self.n_invoked > 0).then(|| plural(self.n_invoked, "action") + " to invoke");
        let words: Vec<String> = outputs.into_iter().chain(invoked).collect();
        (!words.is_empty()).then(|| words.join(" · "))
    }
}

/// The verb for outputs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verb {
    /// Of a plan or a run.
    Change,
    /// Of two files.
    Differ,
}

impl Verb {
    fn forms(self) -> [&'static str; 2] {
        match self {
            Self::Change => ["changes", "change"],
            Self::Differ => ["differs", "differ"],
        }
    }
}

impl Output {
    /// True if it changes.
    pub fn is_changed(&self) -> bool {
        self.action.is_some_and(|action| action != Action::Noop)
    }

    /// The value after the change and the one before it, as they may be shown. A value that is secret on one side is masked on both.
    pub fn sides(&self) -> [Option<Value>; 2] {
        let after = (self.action != Some(Action::Delete)).then_some(&self.value);
        let before = self.before.as_ref();
        let before = before.filter(|_| self.action != Some(Action::Create));
        let mask = |one: Option<&Value>, other: Option<&Value>| {
            let value = one?;
            Some(other.map_or_else(|| value.clone(), |other| value.masked_like(other)))
        };
        [mask(after, before), mask(before, after)]
    }
}

impl Stack {
    /// The action that changes a resource; `None` if it does not change, or only drifted.
    pub fn change_of(&self, id: ResourceId) -> Option<Action> {
        let is_drift = self.record(id).flags.is_drift();
        self.effect(id)
            .filter(|action| !is_drift && *action != Action::Noop)
    }

    /// The outputs that change.
    pub fn changed_outputs(&self) -> impl Iterator<Item = ChangeId> {
        let outputs = self.outputs.iter().enumerate();
        let changed = outputs.filter(|(_, output)| output.is_changed());
        changed.map(|(at, _)| ChangeId::Output(at))
    }

    /// The numbers of its changes.
    pub fn changes(&self) -> Changes {
        let mut counts = Action::ALL.map(|action| (action, 0));
        for action in self.ids().filter_map(|id| self.change_of(id)) {
            if let Some((_, n)) = counts.iter_mut().find(|(it, _)| *it == action) {
                *n += 1;
            }
        }
        Changes {
            resources: counts.into_iter().filter(|(_, n)| *n > 0).collect(),
            n_outputs: self.changed_outputs().count(),
            n_invoked: self.invocations.len(),
        }
    }

    /// These changes in words: `21 changes`, `no differences`, `1 output changes`, and for a plan beside its outcome `1 came out
    /// otherwise`.
    pub fn total(&self, changes: &Changes) -> String {
        let is_plain = self.is_comparison && !self.is_history;
        let (verb, noun) = if is_plain {
            (Verb::Differ, "difference")
        } else {
            (Verb::Change, "change")
        };
        match (changes.n_resources(), changes.beside_resources(verb)) {
            (0, Some(others)) => others,
            (0, None) if self.is_outcome() => "nothing came out otherwise".to_owned(),
            (0, None) => format!("no {noun}s"),
            (n, _) if self.is_outcome() => format!("{} came out otherwise", count(n as u64)),
            (n, _) => plural(n, noun),
        }
    }
}
