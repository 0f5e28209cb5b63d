//! Settings: keys of the configuration of a stack that a property is named after. A new value that one of them has comes from it. One that
//! keeps the old value was not followed: it is perhaps misspelled, and the program takes its default.

use super::{Fact, Notice, Seen, once};
use crate::change::leaves::Leaf;
use crate::change::rules::Level;
use crate::stack::{ResourceId, Section, Stack};
use crate::text::{escaped, words};
use crate::value::{Payload, Value};

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
        let says = format!(
            "the configuration says otherwise: {} is {value}",
            escaped(key)
        );
        let fact = Fact::at(seen.id, leaf.path.clone());
        keeps_old.then(|| Notice::at(fact, Level::Warning, "setting-not-followed", says))
    }))
}

/// The key of the configuration that gives a new value: `from the setting shop:retryHours`.
pub(super) fn in_words(stack: &Stack, id: ResourceId, leaf: &Leaf) -> Option<String> {
    let (key, value) = setting(stack, id, leaf)?;
    is_same(value, &leaf.after).then(|| format!("from the setting {}", escaped(key)))
}

/// The setting that a property is named after: its key has the words of the property, perhaps behind those of the resource.
fn setting<'s>(stack: &'s Stack, id: ResourceId, leaf: &Leaf) -> Option<(&'s str, &'s Value)> {
    let mut fields = stack.header.fields.iter();
    let (_, config) = fields.find(|(name, _)| name == CONFIG)?;
    let name = leaf.name().filter(|_| leaf.section != Section::Options)?;
    let own = words(name);
    let whole = [words(stack.spoken_name(id)), own.clone()]
        .concat()
        .concat();
    let is_telling = own.len() >= MIN_WORDS;
    let own = own.concat();
    let is_named_so = |key: &str| {
        let key = key.rsplit(':').next().unwrap_or(key);
        let key = words(key).concat();
        key == whole || is_telling && key == own
    };
    let mut settings = config.as_map()?.iter();
    let (key, value) = settings.find(|(key, _)| is_named_so(key))?;
    Some((&**key, value)).filter(|(_, value)| !value.is_secret())
}

/// True for a setting, which is a text, with the plain value of a property.
fn is_same(setting: &Value, value: &Value) -> bool {
    let text = |value: &Value| match value.payload() {
        _ if value.is_secret() => None,
        Payload::String(_) => value.as_str().map(str::to_owned),
        Payload::Number(number) => Some(number.to_plain(20)),
        Payload::Bool(is_set) => Some(is_set.to_string()),
        _ => None,
    };
    text(setting).is_some_and(|it| text(value) == Some(it))
}
