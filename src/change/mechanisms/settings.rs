//! Settings: keys of the configuration of a stack that a property is named after. A new value that one of them has comes from it. One that
//! keeps the old value was not followed: it is perhaps misspelled, and the program takes its default.

use super::{Fact, Notice, Seen, once};
use crate::change::leaves::Leaf;
use crate::change::rules::Level;
use crate::change::texts::plain_text;
use crate::stack::{ResourceId, Section, Stack};
use crate::text::{escaped, words};
use crate::value::Value;

/// The header field with the configuration of a stack.
const CONFIG: &str = "config";

/// Minimum number of words of a property that a key has by no chance.
const MIN_WORDS: usize = 2;

/// The changed properties of the resource whose setting keeps the old value.
pub(super) fn notices(seen: &Seen<'_>) -> Vec<Notice> {
    let leaves = seen.leaves.iter().filter(|_| seen.changes_values());
    once(leaves.filter_map(|leaf| {
        let (key, value) = setting(seen.stack, seen.id, leaf)?;
        let keeps_old = !is_same(value, &leaf.after) && is_same(value, &leaf.before);
        let says = format!("the configuration says otherwise: {key} is {value}");
        let fact = Fact::at(seen.id, leaf.path.clone());
        keeps_old.then(|| Notice::at(fact, Level::Warning, "setting-not-followed", says))
    }))
}

/// The key of the configuration that gives a new value: `from the setting shop:retryHours`.
pub(super) fn in_words(stack: &Stack, id: ResourceId, leaf: &Leaf) -> Option<String> {
    let (key, value) = setting(stack, id, leaf)?;
    is_same(value, &leaf.after).then(|| format!("from the setting {}", escaped(key)))
}

/// The setting that a property is named after: its key has the words of the property, behind those of the resource if there is one with
/// these. Of several such keys nobody knows which one it is.
fn setting<'s>(stack: &'s Stack, id: ResourceId, leaf: &Leaf) -> Option<(&'s str, &'s Value)> {
    let mut fields = stack.header.fields.iter();
    let (_, config) = fields.find(|(name, _)| name == CONFIG)?;
    let config = config.as_map()?;
    let name = leaf.name().filter(|_| leaf.section != Section::Options)?;
    let own = words(name);
    let whole = [words(stack.spoken_name(id)), own.clone()].concat();
    let named = |wanted: &[String]| {
        let wanted = wanted.concat();
        let named = config.iter().filter(move |(key, _)| {
            let key = key.rsplit(':').next().unwrap_or(key);
            words(key).concat() == wanted
        });
        named.collect::<Vec<_>>()
    };
    let mut found = named(&whole);
    if found.is_empty() && own.len() >= MIN_WORDS {
        found = named(&own);
    }
    match found[..] {
        [(key, value)] if !value.is_secret() => Some((key, value)),
        [] | [_, ..] => None,
    }
}

/// True for a setting, which is a text, with the plain value of a property.
fn is_same(setting: &Value, value: &Value) -> bool {
    let setting = plain_text(setting);
    setting.is_some() && setting == plain_text(value)
}
