//! Secrets in clear text: new values that are secret by their form, or may be by their name, and that the file does not mark.

use std::collections::HashSet;

use super::{Fact, Notice, Reader, Seen};
use crate::change::difference::Reason;
use crate::change::leaves::Leaf;
use crate::change::rules::Level;
use crate::likely::ClearText;
use crate::path::Path;
use crate::stack::{Action, ResourceId};
use crate::value::{Payload, Value};

/// The new texts in clear of a resource.
#[derive(Clone, Debug)]
pub(super) struct Found {
    id: ResourceId,
    texts: Vec<(ClearText, Value)>,
}

/// A secret that a resource has in clear text.
pub(super) fn find(seen: &Seen<'_>) -> Option<Found> {
    if !seen.sets_values() && seen.action != Action::Import {
        return None;
    }
    let mut texts: Vec<(ClearText, Value)> = Vec::new();
    let mut known: HashSet<Path> = HashSet::new();
    for leaf in seen.properties().filter(|leaf| is_new(leaf)) {
        let masking = &seen.stack.header.masking;
        for text in masking.clear_texts(&seen.resource.ty, &leaf.after, &leaf.path) {
            // Pulumi has a property among the inputs and among the outputs.
            if known.insert(text.path.clone()) {
                texts.push((text, leaf.after.clone()));
            }
        }
    }
    (!texts.is_empty()).then_some(Found { id: seen.id, texts })
}

/// A notice about each value with the form of a secret, and one about all with the name of one.
pub(super) fn notices(found: Vec<Found>, reader: &Reader<'_>) -> Vec<Notice> {
    let stack = reader.stack;
    let mut notices = Vec::new();
    let mut named: Vec<Fact> = Vec::new();
    for Found { id, texts } in found {
        for (text, after) in texts {
            let Some((form, _)) = text.form.filter(|_| text.is_sure) else {
                named.push(Fact::at(id, text.path));
                continue;
            };
            let says = format!("{form} in clear text: nothing marks it as secret");
            let fact = Fact::now(id, text.path, masked_whole(after));
            notices.push(Notice::at(fact, Level::Danger, "secret-in-clear", says));
        }
    }
    if !named.is_empty() {
        named.sort_by_cached_key(|it| (stack.identity(it.id), it.id, it.path.clone()));
        let says = "a value that is secret by its name is in clear text";
        notices.push(Notice {
            yields: true,
            ..Notice::of(stack, named, Level::Note, "secret-by-name", says)
        });
    }
    notices
}

/// True for a value that is new, or other than before, and not already in clear text before.
fn is_new(leaf: &Leaf) -> bool {
    let was_clear = leaf.before.is_likely_secret() && !leaf.before.is_mirrored();
    !leaf.reason.is_some_and(Reason::turns_plain)
        && !leaf.is_without_effect()
        && !was_clear
        && !leaf.after.is_mirrored()
}

/// A value of which only the mask is shown. A container may hold other values than the secret one.
fn masked_whole(value: Value) -> Value {
    match value.payload() {
        Payload::String(_) => value,
        _ => value.with_likely_secret(),
    }
}
