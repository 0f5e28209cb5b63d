//! One cause for many: a provider's configuration, or a variable, a local or a module's output that many changed properties are
//! set to.

use std::collections::{BTreeMap, BTreeSet};

use super::{Fact, Notice, Reader, Seen, by_name};
use crate::change::rules::Level;
use crate::path::{Path, Segment};
use crate::stack::{Action, EdgeKind, Mode, ResourceId, Section, Stack};
use crate::terraform::address::{config_address, module_of, parent_module};
use crate::value::{Payload, Value};

/// Number of resources from which on a cause is worth a line.
const MIN_SHARED: usize = 3;

/// Maximum number of module calls that a variable is followed through.
const MAX_CALLS: usize = 16;

/// Maximum number of causes that are told.
const MAX_CAUSES: usize = 20;

/// Words of properties of a provider that decide about where and as whom everything is done.
const PLACES: [&str; 14] = [
    "region",
    "account",
    "endpoint",
    "role",
    "profile",
    "project",
    "subscription",
    "tenant",
    "host",
    "server",
    "context",
    "cluster",
    "url",
    "zone",
];

/// The changed providers, and the references of changed properties.
#[derive(Clone, Default, Debug)]
pub(super) struct Shared {
    providers: Vec<(ResourceId, Action, Vec<Fact>)>,
    /// By the name of a variable, local or output, with its module: the resources and properties that it changes.
    references: BTreeMap<Box<str>, BTreeSet<(ResourceId, Path)>>,
}

impl Shared {
    pub(super) fn add(&mut self, seen: &Seen<'_>) {
        if !matches!(seen.action, Action::Update | Action::Replace) {
            return;
        }
        if seen.resource.mode == Mode::Provider {
            let leaves = seen
                .leaves
                .iter()
                .filter(|leaf| leaf.section != Section::Options);
            let facts = leaves.map(|leaf| Fact {
                id: seen.id,
                path: leaf.path.clone(),
                before: Some(leaf.before.clone()),
                after: Some(leaf.after.clone()),
                note: String::new(),
            });
            self.providers.push((seen.id, seen.action, facts.collect()));
            return;
        }
        let Some(address) = seen.resource.address.as_deref() else {
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
            let Some(Segment::Key(top)) = leaf.path.0.first() else {
                continue;
            };
            let mut found = BTreeSet::new();
            references(expressions.get(top).unwrap_or(&Value::NULL), &mut found);
            // Of several references nobody knows which one changed.
            if let [one] = &found.iter().collect::<Vec<_>>()[..]
                && let Some(root) = root(seen.stack, module_of(&config), one)
            {
                let property = Path(vec![Segment::Key(top.clone())]);
                let places = self.references.entry(root.into()).or_default();
                places.insert((seen.id, property));
            }
        }
    }

    pub(super) fn merge(&mut self, other: Self) {
        self.providers.extend(other.providers);
        for (name, places) in other.references {
            self.references.entry(name).or_default().extend(places);
        }
    }

    pub(super) fn finish(self, reader: &Reader<'_>) -> Vec<Notice> {
        let stack = reader.stack;
        let mut notices: Vec<Notice> = Vec::new();
        for (id, action, facts) in self.providers {
            notices.extend(of_provider(stack, id, action, facts));
        }
        let many = self.references.into_iter().filter_map(|(name, places)| {
            let ids: BTreeSet<ResourceId> = places.iter().map(|(id, _)| *id).collect();
            (ids.len() >= MIN_SHARED).then_some((name, places, ids))
        });
        let mut many: Vec<_> = many.collect();
        many.sort_by_key(|(name, _, ids)| (std::cmp::Reverse(ids.len()), name.clone()));
        let causes = many
            .into_iter()
            .take(MAX_CAUSES)
            .map(|(name, places, ids)| {
                let properties: BTreeSet<String> =
                    places.iter().map(|(_, path)| path.to_string()).collect();
                let properties: Vec<String> = properties.into_iter().take(4).collect();
                let value = variable(stack, &name)
                    .map_or_else(String::new, |value| format!(", now {value}"));
                Notice {
                    level: Level::Note,
                    mechanism: "one-cause-for-many",
                    yields: false,
                    says: format!(
                        "{} resources take {} from {name}{value}",
                        ids.len(),
                        properties.join(", ")
                    ),
                    ids: by_name(stack, ids.into_iter().collect()),
                    facts: Vec::new(),
                }
            });
        notices.extend(causes);
        notices
    }
}

/// The notice about a provider whose configuration changes.
fn of_provider(stack: &Stack, id: ResourceId, action: Action, facts: Vec<Fact>) -> Option<Notice> {
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
        return None;
    }
    let decides = |fact: &Fact| {
        fact.path.0.iter().any(|step| match step {
            Segment::Key(key) => {
                let words = super::words::of_name(key);
                words
                    .iter()
                    .any(|word| PLACES.contains(&&*super::words::singular(word)))
            }
            Segment::Index(_) => false,
        })
    };
    let is_elsewhere = action == Action::Replace || facts.iter().any(decides);
    let level = match () {
        () if is_elsewhere => Level::Danger,
        () if n_changed > 0 => Level::Warning,
        () => Level::Note,
    };
    Some(Notice {
        level,
        mechanism: "one-cause-for-many",
        yields: false,
        ids: vec![id],
        says: format!(
            "the configuration of a provider changes: it manages {} resources here, of which {n_changed} change and {n_replaced} are replaced",
            users.len()
        ),
        facts,
    })
}

/// The variables, locals and outputs that an expression names; a key that differs from instance to instance does not count.
fn references(expression: &Value, found: &mut BTreeSet<String>) {
    match expression.payload() {
        Payload::Map(map) => match map.get("references").and_then(Value::as_array) {
            Some(list) => {
                for reference in list.iter().filter_map(Value::as_str) {
                    let mut steps = reference.split('.');
                    let (first, second) = (steps.next().unwrap_or_default(), steps.next());
                    let name = second.unwrap_or_default();
                    let name = name.split('[').next().unwrap_or_default();
                    match first {
                        "var" | "local" => _ = found.insert(format!("{first}.{name}")),
                        "module" => {
                            // The module alone comes after its output.
                            if let Some(output) = steps.next() {
                                found.insert(format!(
                                    "module.{name}.{}",
                                    output.split('[').next().unwrap_or_default()
                                ));
                            }
                        }
                        "each" | "count" | "path" | "terraform" | "self" => {}
                        _ => _ = found.insert(reference.to_owned()),
                    }
                }
            }
            None => map.values().for_each(|inner| references(inner, found)),
        },
        Payload::Array(items) => items.iter().for_each(|inner| references(inner, found)),
        _ => {}
    }
}

/// The variable, local or output behind a reference that is written in `module`: a variable is followed to the call that sets it.
/// `None` for a reference to a resource.
fn root(stack: &Stack, module: &str, reference: &str) -> Option<String> {
    let (mut module, mut reference) = (module.to_owned(), reference.to_owned());
    for _ in 0..MAX_CALLS {
        let Some(name) = reference
            .strip_prefix("var.")
            .filter(|_| !module.is_empty())
        else {
            break;
        };
        let mut found = BTreeSet::new();
        let call = stack.expressions.get(&*module)?;
        references(call.get(name)?, &mut found);
        match &found.into_iter().collect::<Vec<_>>()[..] {
            [one] => reference.clone_from(one),
            // A constant or several things: the argument of the call is the line to look at.
            _ => return Some(format!("{name} of {module}")),
        }
        module = parent_module(&module).unwrap_or_default().to_owned();
    }
    let is_plain = ["var.", "local.", "module."]
        .iter()
        .any(|it| reference.starts_with(it));
    is_plain.then(|| {
        if module.is_empty() {
            reference
        } else {
            format!("{reference} in {module}")
        }
    })
}

/// The value of a variable of the root module, masked where it is secret.
fn variable(stack: &Stack, reference: &str) -> Option<String> {
    let name = reference.strip_prefix("var.")?;
    let (_, variables) = stack
        .header
        .fields
        .iter()
        .find(|(key, _)| key == "variables")?;
    let text = variables.get(name)?.to_string();
    Some(match text.char_indices().nth(60) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    })
}
