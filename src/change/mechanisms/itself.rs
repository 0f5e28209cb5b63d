//! Objects that lead to themselves: a bucket that logs into itself, a queue that is its own dead-letter queue, a subscription whose dead
//! letters go to the topic that it reads.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::tables::WORDS;
use super::{Fact, Notice, Seen, once};
use crate::change::leaves::Leaf;
use crate::change::rules::Level;
use crate::path::Segment;
use crate::stack::State;
use crate::text::{has_word, words};
use crate::value::{Map, Value};

/// Minimum number of bytes of a name.
const MIN_NAME: usize = 4;

/// The places of a resource that lead to itself.
pub(super) fn notices(seen: &Seen<'_>) -> Vec<Notice> {
    if !seen.sets_values() {
        return Vec::new();
    }
    let leading = seen.properties().filter(|leaf| leads_somewhere(leaf));
    once(leading.filter_map(|leaf| {
        let text = leaf.after.as_str().filter(|_| !leaf.after.is_secret())?;
        let text = Some(text).filter(|text| text.len() >= MIN_NAME)?;
        let own = own_name(seen.resource.after.as_ref(), leaf, text)?;
        let says = format!("leads to itself: the value is its own {own}");
        let fact = Fact::new_value(seen.id, leaf);
        Some(Notice::at(fact, Level::Danger, "leads-to-itself", says))
    }))
}

/// True for a new value of a property that leads to another object by its name.
fn leads_somewhere(leaf: &Leaf) -> bool {
    let Some(key) = leaf.path.last_key() else {
        return false;
    };
    !WORDS.names.has(key) && leaf.before != leaf.after && has_word(key, &WORDS.leading)
}

/// The property of the object whose value is `text`: one that names the object, and is not above the leaf.
fn own_name(state: Option<&State>, leaf: &Leaf, text: &str) -> Option<String> {
    let mut sets: Vec<&Value> = state?.sets().collect();
    sets.retain(|set| !set.is_secret());
    let entries = sets
        .iter()
        .filter_map(|set| set.as_map())
        .flat_map(Map::iter);
    let own = entries.filter(|(key, value)| {
        let is_above = leaf.path.0.first() == Some(&Segment::Key(Arc::clone(key)));
        !is_above && value.as_str() == Some(text)
    });
    let own: BTreeSet<&str> = own.map(|(key, _)| &**key).collect();
    let mut names = WORDS.names.iter().map(|it| &**it);
    let name = names.find(|key| own.contains(key));
    // The other end: `dead_letter_topic` beside `topic`.
    let ends = |key: &&str| {
        let end = leaf.path.last_key().and_then(|it| words(it).pop());
        end.as_deref() == Some(key) && !has_word(key, &WORDS.leading)
    };
    let name = name.or_else(|| own.iter().copied().find(ends));
    name.map(str::to_owned)
}
