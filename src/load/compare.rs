//! Two files as one: what differs from the old one to the new one, as a stack with changes.
//!
//! Resources are one if they have one name; those with the same name are paired in the order of the file. The resources of the new
//! file keep their ids, those that are gone come behind them. A resource is read from both files when somebody looks at it.

use std::collections::HashMap;
use std::sync::Arc;

use super::{Document, Input, LoadError, LoadEvent, Summary, load};
use crate::format::{ReadError, Source, SourceError};
use crate::objchange::review::{COMPARED, between};
use crate::stack::{
    Action, Batch, Change, Chunk, Counts, Flags, Group, GroupId, Output, PrefixId, ProviderId,
    Record, Resource, ResourceId, ShapeId, Span, Stack, Tables,
};
use crate::value::Value;

/// Marks the spans of the old file among those of both. No file is that long.
const OLD: u64 = 1 << 63;

/// A resource in either file, or in both.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pair {
    /// In the old file.
    pub before: Option<ResourceId>,
    /// In the new file.
    pub after: Option<ResourceId>,
}

/// What has to be the same for two resources to be one: what the person calls it, and whether it is an old copy.
///
/// The address for Terraform, since a URN made from it has the name of the file in it.
type Key = (String, bool);

fn key(stack: &Stack, id: ResourceId) -> Key {
    let flags = stack.record(id).flags;
    (stack.identity(id), flags.contains(Flags::PENDING_DELETE))
}

/// The resources of both files: in the order of `new`, then what is gone in the order of `old`. Lists of drift do not count.
pub fn pairs(old: &Stack, new: &Stack) -> Vec<Pair> {
    fn ids(stack: &Stack) -> impl Iterator<Item = ResourceId> + '_ {
        stack
            .ids()
            .filter(|id| !stack.record(*id).flags.contains(Flags::DRIFT_ENTRY))
    }
    let mut waiting: HashMap<Key, Vec<ResourceId>> = HashMap::new();
    for id in ids(old) {
        waiting.entry(key(old, id)).or_default().push(id);
    }
    for ids in waiting.values_mut() {
        ids.reverse();
    }
    let mut pairs: Vec<_> = ids(new)
        .map(|id| Pair {
            before: waiting.get_mut(&key(new, id)).and_then(Vec::pop),
            after: Some(id),
        })
        .collect();
    let mut gone: Vec<_> = waiting.into_values().flatten().collect();
    gone.sort_unstable();
    pairs.extend(gone.into_iter().map(|id| Pair {
        before: Some(id),
        after: None,
    }));
    pairs
}

/// Whether two resources of one format are written alike, so that nothing needs to be read.
pub fn has_same_bytes(
    old: &Document,
    before: ResourceId,
    new: &Document,
    after: ResourceId,
) -> bool {
    let (one, other) = (old.stack.record(before), new.stack.record(after));
    let (old_header, new_header) = (&old.stack.header, &new.stack.header);
    one.span.len == other.span.len
        && old_header.kind == new_header.kind
        && old_header.format_version == new_header.format_version
        && one.action == other.action
        && one.flags == other.flags
        && matches!(
            (old.source.read(one.span), new.source.read(other.span)),
            (Ok(one), Ok(other)) if one == other
        )
}

/// What differs between two resources beside their properties, in words.
pub fn other_differences(before: &Resource, after: &Resource) -> Vec<String> {
    let mut reasons = Vec::new();
    let action = |resource: &Resource| {
        resource
            .change
            .as_ref()
            .map_or("", |change| change.action.name())
            .to_owned()
    };
    let shown = |id: &Option<Value>| {
        id.as_ref()
            .map_or_else(|| "none".to_owned(), Value::to_string)
    };
    let flags = |resource: &Resource| {
        // Whether there are secrets or unknowns, the properties tell.
        let told = resource
            .flags
            .names()
            .filter(|word| !matches!(*word, "secret" | "unknown"));
        told.collect::<Vec<_>>().join(", ")
    };
    let mut tell = |what: &str, before: String, after: String| {
        if before != after {
            reasons.push(format!("{what}: {before} → {after}"));
        }
    };
    tell("action", action(before), action(after));
    tell("id", shown(&before.id), shown(&after.id));
    tell("flags", flags(before), flags(after));
    let text = |text: &Option<String>| text.clone().unwrap_or_default();
    tell("parent", text(&before.parent), text(&after.parent));
    tell("provider", text(&before.provider), text(&after.provider));
    reasons
}

/// Reads both files to the end and tells `sink` of a stack whose changes lead from `old` to `new`.
///
/// # Errors
///
/// If either cannot be shown at all, or the two are not of one tool.
pub fn stream(old: &Input, new: &Input, sink: &mut dyn FnMut(LoadEvent)) -> Result<(), LoadError> {
    let (old_file, new_file) = (load(old)?, load(new)?);
    let (one, other) = (old_file.stack.header.kind, new_file.stack.header.kind);
    if one.is_pulumi() != other.is_pulumi() {
        return Err(LoadError::Unlike { one, other });
    }
    let source = Arc::new(Compared::new(old_file, new_file));
    let (batch, counts) = source.index();
    let new = &source.new.stack;
    let summary = Summary {
        header: new.header.clone(),
        outputs: outputs(&source.old.stack, new),
        notes: new.notes.to_vec(),
        counts,
        graph: (*new.graph).clone(),
        references: Arc::clone(&new.references),
        expressions: Arc::clone(&new.expressions),
        damage: new.damage.clone(),
        stopped: false,
    };
    sink(LoadEvent::Opened {
        header: new.header.clone(),
        source: Arc::clone(&source) as Arc<dyn Source>,
        total: None,
    });
    sink(LoadEvent::Indexed {
        batch: Box::new(batch),
        bytes: 0,
    });
    sink(LoadEvent::Finished(Box::new(summary)));
    Ok(())
}

fn push(chunk: &mut Chunk, stack: &Stack, id: ResourceId, record: Record) {
    chunk.push(record, stack.name(id), stack.provider_id(id));
}

/// How ids of the tables of the old file read in the tables of both.
struct Translation {
    prefixes: u32,
    providers: u32,
    groups: Vec<GroupId>,
}

impl Translation {
    /// The record of something that is gone.
    fn record(&self, record: Record) -> Record {
        Record {
            span: Span {
                offset: record.span.offset | OLD,
                ..record.span
            },
            prefix: PrefixId(record.prefix.0 + self.prefixes),
            group: record
                .group
                .and_then(|group| self.groups.get(group.0 as usize).copied()),
            // Its parent may be gone too, and ids of the old file mean something else here.
            parent: None,
            provider: record
                .provider
                .map(|provider| ProviderId(provider.0 + self.providers)),
            shape: ShapeId(0),
            action: Some(Action::Delete),
            ..record
        }
    }
}

/// The tables of the new file with those of the old one behind them; modules with one path are one.
fn join(new: &Tables, old: &Tables) -> (Tables, Translation) {
    let mut tables = new.clone();
    let number = |len: usize| u32::try_from(len).unwrap_or(u32::MAX);
    let mut translation = Translation {
        prefixes: number(new.prefixes.len()),
        providers: number(new.providers.len()),
        groups: Vec::new(),
    };
    tables.prefixes.extend(old.prefixes.iter().cloned());
    tables.providers.extend(old.providers.iter().cloned());
    let mut by_path: HashMap<Arc<str>, GroupId> = (0..)
        .zip(&new.groups)
        .map(|(index, group)| (Arc::clone(&group.path), GroupId(index)))
        .collect();
    for group in &old.groups {
        let id = *by_path.entry(Arc::clone(&group.path)).or_insert_with(|| {
            let parent = group
                .parent
                .and_then(|parent| translation.groups.get(parent.0 as usize).copied());
            tables.groups.push(Group {
                path: Arc::clone(&group.path),
                parent,
            });
            GroupId(number(tables.groups.len() - 1))
        });
        translation.groups.push(id);
    }
    (tables, translation)
}

fn outputs(old: &Stack, new: &Stack) -> Vec<Output> {
    let before = |name: &str| {
        old.outputs
            .iter()
            .find(|output| &*output.name == name)
            .map(|output| output.value.clone())
    };
    let mut outputs: Vec<_> = new
        .outputs
        .iter()
        .map(|output| {
            let before = before(&output.name);
            let action = match &before {
                None => Action::Create,
                Some(before) if *before == output.value => Action::Noop,
                Some(_) => Action::Update,
            };
            Output {
                before,
                action: Some(action),
                ..output.clone()
            }
        })
        .collect();
    for output in old.outputs.iter() {
        if !new.outputs.iter().any(|other| other.name == output.name) {
            outputs.push(Output {
                before: Some(output.value.clone()),
                value: Value::NULL,
                action: Some(Action::Delete),
                ..output.clone()
            });
        }
    }
    outputs
}

/// The bytes of both files.
struct Compared {
    old: Document,
    new: Document,
    /// Those that the new file has, ascending, then those that are gone.
    pairs: Vec<Pair>,
    /// How many of them the new file has.
    n_there: usize,
}

impl Compared {
    fn new(old: Document, new: Document) -> Self {
        let pairs = pairs(&old.stack, &new.stack);
        let n_there = pairs.partition_point(|pair| pair.after.is_some());
        Self {
            old,
            new,
            pairs,
            n_there,
        }
    }

    /// The records of both. Those of the new file keep their ids; drift that a plan lists is no pair and stays as it is.
    fn index(&self) -> (Batch, Counts) {
        let (tables, translation) = join(&self.new.stack.tables, &self.old.stack.tables);
        let mut chunk = Chunk::default();
        let mut numbers: HashMap<Action, u64> = HashMap::new();
        for id in self.new.stack.ids() {
            let mut record = *self.new.stack.record(id);
            if let Some(pair) = self.there(id) {
                let action = self.action(pair);
                record.action = Some(action);
                *numbers.entry(action).or_default() += 1;
            }
            push(&mut chunk, &self.new.stack, id, record);
        }
        for before in self.pairs[self.n_there..]
            .iter()
            .filter_map(|pair| pair.before)
        {
            let record = translation.record(*self.old.stack.record(before));
            push(&mut chunk, &self.old.stack, before, record);
            *numbers.entry(Action::Delete).or_default() += 1;
        }
        let changes = Action::ALL
            .iter()
            .filter_map(|action| Some((action.name().to_owned(), *numbers.get(action)?)));
        let counts = Counts {
            changes: changes.collect(),
            ..self.new.stack.counts.clone()
        };
        (
            Batch {
                chunk,
                tables,
                ..Batch::default()
            },
            counts,
        )
    }

    /// The pair of a resource of the new file.
    fn there(&self, id: ResourceId) -> Option<Pair> {
        let there = &self.pairs[..self.n_there];
        let index = there
            .binary_search_by_key(&Some(id), |pair| pair.after)
            .ok()?;
        Some(there[index])
    }

    /// The pair of a resource of both together.
    fn pair(&self, id: ResourceId) -> Option<Pair> {
        match id.index().checked_sub(self.new.stack.len()) {
            None => self.there(id),
            Some(gone) => self.pairs[self.n_there..].get(gone).copied(),
        }
    }

    fn action(&self, pair: Pair) -> Action {
        let (before, after) = match (pair.before, pair.after) {
            (None, _) => return Action::Create,
            (_, None) => return Action::Delete,
            (Some(before), Some(after)) => (before, after),
        };
        if has_same_bytes(&self.old, before, &self.new, after) {
            return Action::Noop;
        }
        match (self.old.resource(before), self.new.resource(after)) {
            (Ok(before), Ok(after))
                if other_differences(&before, &after).is_empty()
                    && between(before.current(), after.current()).is_empty() =>
            {
                Action::Noop
            }
            // What cannot be read may differ: it is listed, and looking at it says why it cannot be read.
            _ => Action::Update,
        }
    }

    fn read_pair(&self, id: ResourceId) -> Result<Resource, ReadError> {
        let Some(pair) = self.pair(id) else {
            return self.new.resource(id);
        };
        let before = pair.before.map(|id| self.old.resource(id)).transpose()?;
        let after = pair.after.map(|id| self.new.resource(id)).transpose()?;
        let reasons = match (&before, &after) {
            (Some(before), Some(after)) => other_differences(before, after),
            _ => Vec::new(),
        };
        let action = self.action(pair);
        let states = (
            before
                .as_ref()
                .and_then(|resource| resource.current().cloned()),
            after
                .as_ref()
                .and_then(|resource| resource.current().cloned()),
        );
        let Some(mut resource) = after.or(before) else {
            return Err(ReadError::unexpected(
                "the comparison",
                "a resource of either file",
                "none",
            ));
        };
        (resource.before, resource.after) = states;
        resource.change = Some(Change {
            action,
            own_words: COMPARED.to_owned(),
            reasons,
            replace_paths: Vec::new(),
            diff_keys: Vec::new(),
            detailed: None,
            previous_address: None,
            importing: None,
        });
        Ok(resource)
    }
}

impl Source for Compared {
    fn read_into(&self, span: Span, bytes: &mut Vec<u8>) -> Result<(), SourceError> {
        if span.offset & OLD == 0 {
            self.new.source.read_into(span, bytes)
        } else {
            let span = Span {
                offset: span.offset & !OLD,
                ..span
            };
            self.old.source.read_into(span, bytes)
        }
    }

    fn other_span(&self, id: ResourceId) -> Option<Span> {
        let pair = self.there(id)?;
        let span = self.old.stack.record(pair.before?).span;
        Some(Span {
            offset: span.offset | OLD,
            ..span
        })
    }

    fn resource(&self, id: ResourceId) -> Option<Result<Resource, ReadError>> {
        Some(self.read_pair(id))
    }

    fn sides(&self) -> Option<[&Document; 2]> {
        Some([&self.old, &self.new])
    }
}
