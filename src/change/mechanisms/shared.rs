//! One cause for many: a provider's configuration, or a variable, a local or a module's output that many changed properties are
//! set to.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use super::arguments::{Source, cause, decides, in_words, root_at};
use super::{Fact, Notice, Reader, Seen};
use crate::change::rules::Level;
use crate::path::{Path, Segment};
use crate::stack::{Action, EdgeKind, Mode, ResourceId};
use crate::terraform::address::config_address;

/// Number of resources from which on a cause is worth a line.
const MIN_SHARED: usize = 3;

/// Maximum number of causes that are told.
const MAX_CAUSES: usize = 20;

/// The references of changed properties.
#[derive(Clone, Default, Debug)]
pub(super) struct Shared {
    /// The resources and properties that each source changes.
    references: BTreeMap<Source, BTreeSet<(ResourceId, Path)>>,
}

impl Shared {
    pub(super) fn add(&mut self, seen: &Seen<'_>) {
        let address = seen.resource.address.as_deref();
        let Some(address) = address.filter(|_| seen.changes_values() && !is_provider(seen)) else {
            return;
        };
        let config = config_address(address);
        let Some(expressions) = seen.stack.expressions.get(&*config) else {
            return;
        };
        for leaf in seen.leaves {
            // A value that is not known, or that means the same, says nothing about its cause.
            if leaf.is_without_effect() || leaf.after.is_computed() {
                continue;
            }
            let Some(top) = leaf.path.first_key() else {
                continue;
            };
            let property = Path(vec![Segment::Key(top.clone())]);
            let Some(argument) = expressions.get(top) else {
                let cause = decides(&property).then(|| cause(seen.stack, seen.id, top));
                if let Some(cause) = cause.flatten() {
                    let places = self.references.entry(cause).or_default();
                    places.insert((seen.id, property));
                }
                continue;
            };
            if let Some(root) = root_at(seen.stack, &config, argument, leaf) {
                let places = self.references.entry(root.into()).or_default();
                places.insert((seen.id, property));
            }
        }
    }

    pub(super) fn merge(&mut self, other: Self) {
        for (source, places) in other.references {
            self.references.entry(source).or_default().extend(places);
        }
    }

    pub(super) fn finish(self, reader: &Reader<'_>) -> Vec<Notice> {
        let stack = reader.stack;
        let many = self.references.into_iter().filter_map(|(source, places)| {
            let ids: BTreeSet<ResourceId> = places.iter().map(|(id, _)| *id).collect();
            (ids.len() >= MIN_SHARED).then_some((source, places, ids))
        });
        let mut many: Vec<_> = many.collect();
        many.sort_by_cached_key(|(source, _, ids)| (Reverse(ids.len()), source.to_string()));
        many.truncate(MAX_CAUSES);
        let causes = many.into_iter().map(|(source, places, ids)| {
            let properties: BTreeSet<String> =
                places.iter().map(|(_, path)| path.to_string()).collect();
            let properties: Vec<String> = properties.into_iter().take(4).collect();
            let level = if source.provider.is_some() {
                Level::Danger
            } else {
                Level::Note
            };
            let (n, properties) = (ids.len(), properties.join(", "));
            let source = in_words(stack, &source);
            let says = format!("{n} resources take {properties} from {source}");
            Notice::of_all(stack, ids, level, super::ONE_CAUSE, says)
        });
        causes.collect()
    }
}

fn is_provider(seen: &Seen<'_>) -> bool {
    seen.resource.mode == Mode::Provider
}

/// The notice about a provider whose configuration changes.
pub(super) fn of_provider(seen: &Seen<'_>) -> Vec<Notice> {
    let Seen {
        stack, id, action, ..
    } = *seen;
    if !seen.changes_values() || !is_provider(seen) {
        return Vec::new();
    }
    let facts = seen.properties().map(|leaf| Fact::of(id, leaf));
    let facts: Vec<Fact> = facts.collect();
    let links = stack
        .graph
        .used_by(id)
        .iter()
        .filter(|link| link.kind == EdgeKind::Provider);
    let users: BTreeSet<ResourceId> = links.map(|link| link.to).collect();
    let changes =
        |id: &&ResourceId| !matches!(stack.record(**id).action, None | Some(Action::Noop));
    let is_replaced = |id: &&ResourceId| stack.record(**id).action == Some(Action::Replace);
    let (n_changed, n_replaced) = (
        users.iter().filter(changes).count(),
        users.iter().filter(is_replaced).count(),
    );
    if users.is_empty() || facts.is_empty() && action != Action::Replace {
        return Vec::new();
    }
    let is_elsewhere = action == Action::Replace || facts.iter().any(|fact| decides(&fact.path));
    let level = match () {
        () if is_elsewhere => Level::Danger,
        () if n_changed > 0 => Level::Warning,
        () => Level::Note,
    };
    let says = format!(
        "the configuration of a provider changes: it manages {} resources here, of which {n_changed} change and {n_replaced} are replaced",
        users.len()
    );
    vec![Notice::about(id, level, super::ONE_CAUSE, says).with(facts)]
}
