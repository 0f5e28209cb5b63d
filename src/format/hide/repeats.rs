//! Values that repeat a secret of their own resource: a provider may copy a sensitive argument into an attribute without a mask.
//!
//! # Law
//!
//! A text is hidden if it is secret elsewhere in the resource under the same key, or if it contains a text that is secret by a
//! mask of its own there and long enough that it is no common word. A map that is secret as a whole hides many common words, such
//! as the name of a region. Those stay visible under other keys.
//!
//! The JSON or YAML in a text counts on both sides: its keys are keys, and the text is hidden as a whole if a part of it is.
//!
//! A provider that masks a text may show its parse on purpose: `yaml_body` and `yaml_body_parsed`. The masked text hides nothing in
//! its parse. Other secrets do.

use std::cell::OnceCell;
use std::collections::HashSet;
use std::sync::Arc;

use super::{has_secrets, hide_elsewhere, sets};
use crate::change::decode::document;
use crate::change::review::PARSES;
use crate::change::secret_texts::{Finder, MIN_CONTAINED};
use crate::path::{Segment, children};
use crate::stack::Resource;
use crate::value::{Map, Payload, Value};

/// Minimum number of characters of a secret that is hidden under any key.
const MIN_TOKEN: usize = 16;

/// Maximum number of documents around a text: JSON in the JSON of a text, and so on.
const MAX_DOCUMENTS: usize = 3;

/// The masked texts that are collected.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
enum Masked {
    #[default]
    All,
    /// Those whose parse the resource does not show.
    Unparsed,
}

/// The secret texts of a resource that are looked for.
#[derive(Default)]
struct Repeated {
    masked: Masked,
    /// True if the resource shows the parse of a masked text.
    has_parse: bool,
    /// The secrets that count in such a parse.
    in_parse: Option<Box<Self>>,
    /// With the key that each has.
    keyed: HashSet<(Arc<str>, String)>,
    /// In any text.
    tokens: HashSet<String>,
    /// Finds the tokens; built when first needed. `None` if there are too many.
    finder: OnceCell<Option<Finder>>,
}

/// Hides the properties of a resource that repeat one of its secrets.
pub(in crate::modules::format) fn hide_repeats(resource: &mut Resource) {
    if !has_secrets(resource) {
        return;
    }
    let mut secrets = Repeated::of(resource, Masked::All);
    if secrets.keyed.is_empty() && secrets.tokens.is_empty() {
        return;
    }
    if secrets.has_parse {
        secrets.in_parse = Some(Box::new(Repeated::of(resource, Masked::Unparsed)));
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
            if let Some(hidden) = secrets.hide(None, set, 0) {
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

/// True if `key` has the plain parse of the masked text beside it.
fn is_plain_parse(map: &Map, key: &str) -> bool {
    let masked = PARSES.iter().find_map(|end| key.strip_suffix(end));
    let Some(masked) = masked
        .and_then(|masked| map.get(masked))
        .filter(|it| it.is_secret())
    else {
        return false;
    };
    let parse = |value: &Value| match document(value) {
        Some((_, document)) => Some(document),
        None => value.as_map().map(|_| value.clone()),
    };
    let keys = |value: &Value| {
        let mut keys: Vec<Arc<str>> = value.as_map().map(|map| map.keys().cloned().collect())?;
        keys.sort_unstable();
        Some(keys)
    };
    let shown = map.get(key).filter(|value| !value.is_secret());
    let shown = shown.and_then(parse).and_then(|it| keys(&it));
    let text = parse(&masked.clone().with_secret(false)).and_then(|it| keys(&it));
    shown.is_some() && shown == text
}

impl Repeated {
    fn of(resource: &Resource, masked: Masked) -> Self {
        let mut secrets = Self {
            masked,
            ..Self::default()
        };
        for set in sets(resource) {
            secrets.collect(None, set, set.is_secret(), 0);
        }
        secrets
    }

    /// Collects the secret texts in `value`, which has this key; `is_inside` something secret or not.
    fn collect(
        &mut self,
        key: Option<&Arc<str>>,
        value: &Value,
        is_inside: bool,
        n_documents: usize,
    ) {
        let is_secret = is_inside || value.is_secret();
        if let Payload::String(text) = value.payload()
            && is_secret
        {
            if n_documents < MAX_DOCUMENTS
                && let Some((_, inner)) = document(&value.clone().with_secret(false))
            {
                self.collect(None, &inner, true, n_documents + 1);
            }
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
            if let (Segment::Key(key), Some(map)) = (&segment, value.as_map())
                && below.is_secret()
                && PARSES
                    .iter()
                    .any(|end| is_plain_parse(map, &format!("{key}{end}")))
            {
                self.has_parse = true;
                if self.masked == Masked::Unparsed {
                    continue;
                }
            }
            match &segment {
                Segment::Key(key) => self.collect(Some(key), below, is_secret, n_documents),
                // An element belongs to the key of its list.
                Segment::Index(_) => self.collect(key, below, is_secret, n_documents),
            }
        }
    }

    /// True if `text`, which has this key, is a secret, or contains a token.
    fn has(&self, key: Option<&Arc<str>>, text: &str) -> bool {
        let finder = || Finder::new(self.tokens.iter().map(String::as_str));
        // Text that cannot be searched for may be in any text.
        let contains = || {
            let finder = self.finder.get_or_init(finder).as_ref();
            finder.is_none_or(|finder| finder.is_in(text))
        };
        let pair = key.map(|key| (Arc::clone(key), text.to_owned()));
        pair.is_some_and(|pair| self.keyed.contains(&pair)) || !self.tokens.is_empty() && contains()
    }

    /// `value`, which has this key, with the texts hidden that repeat a secret. `None` if there are none.
    fn hide(&self, key: Option<&Arc<str>>, value: &Value, n_documents: usize) -> Option<Value> {
        if value.is_secret() {
            return None;
        }
        let payload = match value.payload() {
            Payload::String(text) => {
                let in_document = || {
                    let inner = document(value).filter(|_| n_documents < MAX_DOCUMENTS);
                    inner.is_some_and(|(_, it)| self.hide(None, &it, n_documents + 1).is_some())
                };
                let is_repeated = self.has(key, &text.to_str_lossy()) || in_document();
                return is_repeated.then(|| value.clone().with_secret(true));
            }
            Payload::Map(map) => {
                let hidden: Vec<_> = map
                    .iter()
                    .filter_map(|(key, value)| {
                        let secrets = match &self.in_parse {
                            Some(in_parse) if is_plain_parse(map, key) => in_parse,
                            _ => self,
                        };
                        Some((key.clone(), secrets.hide(Some(key), value, n_documents)?))
                    })
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
                let hidden: Vec<_> = items
                    .iter()
                    .map(|item| self.hide(key, item, n_documents))
                    .collect();
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
