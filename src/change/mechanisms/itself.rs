//! Objects that lead to themselves: a bucket that logs into itself, a queue that is its own dead-letter queue.

use super::tables::WORDS;
use super::{Fact, Notice, Seen};
use crate::change::leaves::Leaf;
use crate::change::rules::Level;
use crate::path::Segment;
use crate::stack::{Section, State};
use crate::text::has_word;
use crate::value::Value;

/// Minimum number of bytes of a name.
const MIN_NAME: usize = 4;

/// The places of a resource that lead to itself.
pub(super) fn notices(seen: &Seen<'_>) -> Vec<Notice> {
    if !seen.sets_values() {
        return Vec::new();
    }
    let mut notices: Vec<Notice> = Vec::new();
    for leaf in seen.leaves.iter().filter(|leaf| leads_somewhere(leaf)) {
        let text = leaf
            .after
            .as_str()
            .filter(|text| text.len() >= MIN_NAME && !leaf.after.is_secret());
        let Some(own) = text.and_then(|text| own_name(seen.resource.after.as_ref(), leaf, text))
        else {
            continue;
        };
        // Pulumi has a property among the inputs and among the outputs.
        if notices.iter().any(|known| known.facts[0].path == leaf.path) {
            continue;
        }
        notices.push(Notice {
            ids: vec![seen.id],
            says: format!("leads to itself: the value is its own {own}"),
            facts: vec![Fact::new_value(seen.id, leaf)],
            ..Notice::new(Level::Danger, "leads-to-itself")
        });
    }
    notices
}

/// True for a new value of a property that leads to another object by its name.
fn leads_somewhere(leaf: &Leaf) -> bool {
    let Some(key) = leaf.path.last_key() else {
        return false;
    };
    leaf.section != Section::Options
        && !WORDS.names.has(key)
        && leaf.before != leaf.after
        && has_word(key, &WORDS.leading)
}

/// The property of the object whose value is `text`: one that names the object, and is not above the leaf.
fn own_name(state: Option<&State>, leaf: &Leaf, text: &str) -> Option<&'static str> {
    let is_own = |set: &Value, key: &str| set.get(key).and_then(Value::as_str) == Some(text);
    let mut sets: Vec<&Value> = state?.sets().collect();
    sets.retain(|set| !set.is_secret());
    let mut names = WORDS.names.iter().map(|it| &**it);
    names.find(|key| {
        leaf.path.0.first() != Some(&Segment::from(*key)) && sets.iter().any(|set| is_own(set, key))
    })
}
