//! Values that repeat a secret of their own resource: a provider may copy a sensitive argument into an attribute without a mask.
//!
//! # Law
//!
//! A text is hidden if it is secret elsewhere in the resource under the same key, or if it is secret by a mask of its own there
//! and long enough that it is no common word. A map that is secret as a whole hides many common words, such as the name of a
//! region. Those stay visible under other keys.

use std::collections::HashSet;
use std::sync::Arc;

use super::{hide_elsewhere, sets};
use crate::change::secret_texts::MIN_CONTAINED;
use crate::path::{Segment, children};
use crate::stack::Resource;
use crate::value::{Payload, Value};

/// Minimum number of characters of a secret that is hidden under any key.
const MIN_TOKEN: usize = 16;

/// The secret texts of a resource that are looked for.
#[derive(Default)]
struct Repeated {
    /// With the key that each has.
    keyed: HashSet<(Arc<str>, String)>,
    /// Under any key.
    tokens: HashSet<String>,
}

/// Hides the properties of a resource that repeat one of its secrets.
pub(in crate::format) fn hide_repeats(resource: &mut Resource) {
    if !sets(resource).any(Value::has_secrets) {
        return;
    }
    let mut secrets = Repeated::default();
    for set in sets(resource) {
        secrets.collect(None, set, set.is_secret());
    }
    if secrets.keyed.is_empty() && secrets.tokens.is_empty() {
        return;
    }
    let mut is_hidden = false;
    for state in [&mut resource.before, &mut resource.after]
        .into_iter()
        .flatten()
    {
        for set in [&mut state.inputs, &mut state.outputs]
            .into_iter()
            .flatten()
        {
            if let Some(hidden) = secrets.hide(None, set) {
                *set = hidden;
                is_hidden = true;
            }
        }
    }
    if is_hidden {
        resource.mirror_masks();
        hide_elsewhere(resource, None);
    }
}

impl Repeated {
    /// Collects the secret texts in `value`, which has this key; `is_inside` something secret or not.
    fn collect(&mut self, key: Option<&Arc<str>>, value: &Value, is_inside: bool) {
        let is_secret = is_inside || value.is_secret();
        if let Payload::String(text) = value.payload()
            && is_secret
        {
            let text = text.to_str_lossy();
            let n_chars = text.chars().count();
            if let Some(key) = key.filter(|_| n_chars >= MIN_CONTAINED) {
                self.keyed.insert((Arc::clone(key), text.to_string()));
            }
            if value.is_secret() && n_chars >= MIN_TOKEN && !text.contains(char::is_whitespace) {
                self.tokens.insert(text.into_owned());
            }
        }
        for (segment, below) in children(value) {
            match &segment {
                Segment::Key(key) => self.collect(Some(key), below, is_secret),
                // An element belongs to the key of its list.
                Segment::Index(_) => self.collect(key, below, is_secret),
            }
        }
    }

    /// `value`, which has this key, with the texts hidden that repeat a secret. `None` if there are none.
    fn hide(&self, key: Option<&Arc<str>>, value: &Value) -> Option<Value> {
        if value.is_secret() {
            return None;
        }
        let payload = match value.payload() {
            Payload::String(text) => {
                let text = text.to_str_lossy();
                let is_keyed = || {
                    let pair = key.map(|key| (Arc::clone(key), text.to_string()));
                    pair.is_some_and(|pair| self.keyed.contains(&pair))
                };
                let is_repeated = self.tokens.contains(&*text) || is_keyed();
                return is_repeated.then(|| value.clone().with_secret(true));
            }
            Payload::Map(map) => {
                let hidden: Vec<_> = map
                    .iter()
                    .filter_map(|(key, value)| Some((key.clone(), self.hide(Some(key), value)?)))
                    .collect();
                if hidden.is_empty() {
                    return None;
                }
                let mut map = map.clone();
                for (key, value) in hidden {
                    map = map.set(&*key, value);
                }
                Payload::Map(map)
            }
            Payload::Array(items) => {
                let hidden: Vec<_> = items.iter().map(|item| self.hide(key, item)).collect();
                if hidden.iter().all(Option::is_none) {
                    return None;
                }
                let items = items.iter().zip(hidden);
                let items = items.map(|(item, hidden)| hidden.unwrap_or_else(|| item.clone()));
                Payload::Array(items.collect())
            }
            _ => return None,
        };
        Some(value.clone().with_payload(payload))
    }
}
