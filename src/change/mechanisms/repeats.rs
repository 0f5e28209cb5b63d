//! Repeated secrets: a text that is secret in one place and turns up in clear text in another resource.

use std::collections::{BTreeMap, HashMap};

use super::{Fact, Notice, Reader, Seen, is_unchanged};
use crate::change::kinds::hash_of;
use crate::change::rules::Level;
use crate::likely::names_secret;
use crate::path::{Path, children, walk};
use crate::stack::{Action, Flags, Resource, ResourceId};
use crate::value::{Payload, Value};

/// Minimum number of bytes of a secret that is looked for elsewhere.
const MIN_SECRET: usize = 8;

/// Maximum number of bytes of a text that is looked for elsewhere.
const MAX_SECRET: usize = 4096;

/// Maximum number of unchanged resources whose secrets are read.
const MAX_READ: usize = 2000;

/// Minimum number of bytes of a secret below a container that is secret as a whole: many common words are in it.
const MIN_INSIDE: usize = 16;

/// The hash of a text.
type TextHash = u64;

/// A place of a value.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Place {
    id: ResourceId,
    path: Path,
}

/// The secrets and the new texts in clear.
#[derive(Clone, Default, Debug)]
pub(super) struct Repeats {
    secrets: HashMap<TextHash, Place>,
    clear: Vec<(TextHash, Place)>,
}

impl Repeats {
    pub(super) fn add(&mut self, seen: &Seen<'_>) {
        self.add_secrets(seen.id, seen.resource);
        let is_applied = seen.sets_values() || seen.action == Action::Import;
        let leaves = seen.properties().filter(|_| is_applied);
        for leaf in leaves.filter(|leaf| !leaf.is_without_effect()) {
            walk(&leaf.after, &mut leaf.path.clone(), &mut |path, value| {
                let text = value.as_str().filter(|_| !value.is_secret());
                for part in text.into_iter().flat_map(parts) {
                    let (id, path) = (seen.id, path.clone());
                    self.clear.push((hash_of(part), Place { id, path }));
                }
                !value.is_secret()
            });
        }
    }

    fn add_secrets(&mut self, id: ResourceId, resource: &Resource) {
        let states = [&resource.before, &resource.after];
        for state in states.into_iter().flatten() {
            for set in state.sets().filter(|set| set.has_secrets()) {
                each_secret(set, &mut Path::root(), None, &mut |text, path| {
                    let path = path.clone();
                    self.keep(hash_of(text), Place { id, path });
                });
            }
        }
    }

    /// Keeps the first place of a secret.
    fn keep(&mut self, hash: TextHash, place: Place) {
        let known = self.secrets.entry(hash).or_insert_with(|| place.clone());
        if place < *known {
            *known = place;
        }
    }

    pub(super) fn merge(&mut self, other: Self) {
        self.clear.extend(other.clear);
        for (hash, place) in other.secrets {
            self.keep(hash, place);
        }
    }

    pub(super) fn finish(mut self, reader: &Reader<'_>) -> Vec<Notice> {
        if self.clear.is_empty() {
            return Vec::new();
        }
        let stack = reader.stack;
        let has_secret = |id: &ResourceId| stack.record(*id).flags.contains(Flags::SECRET);
        let unchanged = stack.ids().filter(|id| is_unchanged(stack, *id));
        let unchanged = unchanged.filter(has_secret).take(MAX_READ);
        for (id, resource) in reader.each(unchanged) {
            self.add_secrets(id, &resource);
        }
        let mut found: BTreeMap<Place, Place> = BTreeMap::new();
        for (hash, place) in self.clear {
            if let Some(secret) = self.secrets.get(&hash).filter(|it| it.id != place.id) {
                found.entry(place).or_insert_with(|| secret.clone());
            }
        }
        let notice = |(place, secret): (Place, Place)| {
            let owner = stack.identity(secret.id);
            let says = format!("holds the secret {} of {owner} in clear text", secret.path);
            // The value is the secret.
            let fact = Fact::now(place.id, place.path, Value::from("").with_secret(true));
            Notice::at(fact, Level::Danger, "secret-repeated", says)
        };
        found.into_iter().map(notice).collect()
    }
}

/// A text, and the parts of it that a connection string may have.
fn parts(text: &str) -> impl Iterator<Item = &str> {
    let is_between = |char: char| char.is_whitespace() || "/:@;=,&?\"'".contains(char);
    let inner = text
        .split(is_between)
        .filter(move |part| part.len() < text.len());
    std::iter::once(text)
        .chain(inner)
        .filter(|part| (MIN_SECRET..=MAX_SECRET).contains(&part.len()) && is_mixed(part))
}

/// True if a text is no word, number or name: it has letters and digits, or signs that names do not have.
fn is_mixed(text: &str) -> bool {
    let has = |of: fn(char) -> bool| text.chars().any(of);
    has(char::is_alphabetic)
        && (has(|it| it.is_ascii_digit()) || has(|it| "!#$%^&*()+~|<>{}[]".contains(it)))
}

/// Calls `take` with each text in `value` that the file marks as secret and that is no name of anything, with its path. `above` is
/// the path of the container that is secret as a whole.
fn each_secret(
    value: &Value,
    path: &mut Path,
    above: Option<&Path>,
    take: &mut dyn FnMut(&str, &Path),
) {
    let is_marked = value.is_secret() && !value.is_likely_secret() && !value.is_mirrored();
    if let (Payload::String(text), true) = (value.payload(), is_marked || above.is_some()) {
        let text = text.to_str_lossy();
        let is_long = text.len()
            >= if above.is_some() {
                MIN_INSIDE
            } else {
                MIN_SECRET
            };
        if is_long && text.len() <= MAX_SECRET && is_mixed(&text) && is_own_secret(&text, path) {
            take(&text, above.unwrap_or(path));
        }
        return;
    }
    let whole = (is_marked && above.is_none()).then(|| path.clone());
    for (segment, below) in children(value) {
        path.0.push(segment);
        each_secret(below, path, whole.as_ref().or(above), take);
        path.0.pop();
    }
}

/// True if a secret text is no address or name of something, which other resources have in clear text for good reasons.
fn is_own_secret(text: &str, path: &Path) -> bool {
    let is_name = text.contains(['.', '/', ':']) || text.split('-').count() > 2;
    path.last_key().is_some_and(names_secret) || !is_name && !text.contains(char::is_whitespace)
}
