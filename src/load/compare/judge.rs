//! Whether two resources differ.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender};
use std::sync::{Arc, Mutex, PoisonError};

use super::{Compared, Halves, Leaving, Pair, Told};
use crate::load::Document;
use crate::objchange::review::between;
use crate::stack::{Action, Resource, ResourceId};
use crate::value::Value;

/// Pairs that are written differently.
pub(super) struct Case {
    /// Of which comparison they are.
    pub(super) both: Arc<Compared>,
    /// The pairs.
    pub(super) pairs: Vec<Pair>,
}

/// What happened to a resource of the new file; `None` if nobody wants to know any more.
pub(super) type Verdict = (ResourceId, Option<Action>);

/// Judges one case after the other, until there are no more or until `stop` is set.
pub(super) fn work(cases: &Mutex<Receiver<Case>>, tell: &Sender<Told>, stop: &AtomicBool) {
    let _leaving = Leaving(tell);
    loop {
        let next = cases.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(Case { both, pairs }) = next else {
            return;
        };
        let judge = |pair: Pair| {
            let is_wanted = !stop.load(Ordering::Relaxed);
            (pair.new, is_wanted.then(|| both.halves().judge(pair)))
        };
        let verdicts = pairs.into_iter().map(judge).collect();
        if tell.send(Told::Judged(both, verdicts)).is_err() {
            return;
        }
    }
}

impl Halves {
    /// Whether all but the bytes of two resources is the same: how to read them, and what else their records say.
    pub(super) fn is_like(&self, pair: Pair) -> bool {
        let (old, new) = (&self.old.stack, &self.new.stack);
        let (one, other) = (old.record(pair.old), new.record(pair.new));
        one.span.len == other.span.len
            && self.has_like_headers()
            && one.action == other.action
            && one.flags == other.flags
            // The bytes of an instance of Terraform do not tell its provider.
            && old.provider(pair.old) == new.provider(pair.new)
    }

    /// Whether the same bytes mean the same in both files.
    pub(super) fn has_like_headers(&self) -> bool {
        let (old, new) = (&self.old.stack.header, &self.new.stack.header);
        old.kind == new.kind && old.format_version == new.format_version
    }

    /// What happened to a resource that both files have.
    pub(super) fn judge(&self, pair: Pair) -> Action {
        if self.is_like(pair) && has_same_bytes(&self.old, &self.new, pair) {
            return Action::Noop;
        }
        match (self.old.resource(pair.old), self.new.resource(pair.new)) {
            (Ok(before), Ok(after))
                if other_differences(&before, &after).is_empty()
                    && between(before.current(), after.current()).is_empty() =>
            {
                Action::Noop
            }
            // What cannot be read may differ: it is listed, and looking at it says why it cannot be read.
            _ => Action::Update,
        }
    }
}

fn has_same_bytes(old: &Document, new: &Document, pair: Pair) -> bool {
    let one = old.source.read(old.stack.record(pair.old).span);
    let other = new.source.read(new.stack.record(pair.new).span);
    matches!((one, other), (Ok(one), Ok(other)) if one == other)
}

/// What differs between two resources beside their properties, in words.
pub(super) fn other_differences(before: &Resource, after: &Resource) -> Vec<String> {
    let mut reasons = Vec::new();
    let action = |resource: &Resource| {
        resource
            .change
            .as_ref()
            .map_or("", |change| change.action.name())
            .to_owned()
    };
    let shown = |id: &Option<Value>| {
        id.as_ref()
            .map_or_else(|| "none".to_owned(), Value::to_string)
    };
    let flags = |resource: &Resource| {
        // Whether there are secrets or unknowns, the properties tell.
        let told = resource
            .flags
            .names()
            .filter(|word| !matches!(*word, "secret" | "unknown"));
        told.collect::<Vec<_>>().join(", ")
    };
    let mut tell = |what: &str, before: String, after: String| {
        if before != after {
            reasons.push(format!("{what}: {before} → {after}"));
        }
    };
    tell("action", action(before), action(after));
    tell("id", shown(&before.id), shown(&after.id));
    tell("flags", flags(before), flags(after));
    let text = |text: &Option<String>| text.clone().unwrap_or_default();
    tell("parent", text(&before.parent), text(&after.parent));
    tell("provider", text(&before.provider), text(&after.provider));
    reasons
}
