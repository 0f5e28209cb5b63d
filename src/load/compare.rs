//! Two files as one: what differs from the old one to the new one, as a stack with changes.
//!
//! Resources are one if they have one name; those with the same name are paired in the order of the file. The resources of the new
//! file keep their ids, those that are gone come behind them. A resource is read from both files when somebody looks at it.
//!
//! The old file is indexed first; then each piece of the new one is compared with it as soon as it is indexed.

mod waiting;

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock, RwLockReadGuard};

use waiting::Waiting;

use super::{
    Document, Input, Limits, LoadError, LoadEvent, Summary, load_within, name, stream_within,
};
use crate::format::{ReadError, Source, SourceError};
use crate::objchange::review::{COMPARED, between};
use crate::stack::{
    Action, Batch, Change, Chunk, Flags, Group, GroupId, Output, PrefixId, ProviderId, Record,
    Resource, ResourceId, ShapeId, Span, Stack, Tables,
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

/// The resources of both files: in the order of `new`, then what is gone in the order of `old`. Lists of drift do not count.
pub fn pairs(old: &Stack, new: &Stack) -> Vec<Pair> {
    let mut waiting = Waiting::new(old);
    let there = waiting::resources(new).map(|id| (waiting.take(old, new, id), id));
    let mut pairs: Vec<_> = there
        .map(|(before, id)| Pair {
            before,
            after: Some(id),
        })
        .collect();
    pairs.extend(waiting.rest().map(|id| Pair {
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

/// Reads the old file to the end, then the new one, and tells `sink` piece by piece of a stack whose changes lead from `old` to `new`.
/// If it is stopped before the end of the new file, nothing is said to be gone.
///
/// # Errors
///
/// If either cannot be shown at all, the two are not of one tool, or it is stopped before the end of the old file.
pub(super) fn stream(
    old: &Input,
    new: &Input,
    limits: Limits,
    cancel: &AtomicBool,
    sink: &mut dyn FnMut(LoadEvent),
) -> Result<(), LoadError> {
    let old_file = load_within(old, limits, cancel)?;
    if cancel.load(Ordering::Relaxed) {
        let message = "stopped before all of it was read".to_owned();
        return Err(LoadError::unreadable(&name(old), message));
    }
    let damage = old_file.stack.damage.as_ref();
    let damage = damage.map(|damage| format!("{}: {damage}", name(old)));
    let kind = old_file.stack.header.kind;
    let mut old_file = Some(old_file);
    let mut compared: Option<Arc<Compared>> = None;
    let mut other_tool = None;
    let mut n_read = 0;
    stream_within(new, limits, cancel, &mut |event| match (event, &compared) {
        (LoadEvent::Opened { header, .. }, _) if header.kind.is_pulumi() != kind.is_pulumi() => {
            other_tool = Some(header.kind);
        }
        (
            LoadEvent::Opened {
                header,
                source,
                total,
            },
            _,
        ) => {
            let Some(old) = old_file.take() else { return };
            let stack = Stack::new(header.clone());
            let both = Arc::new(Compared::new(old, Document { stack, source }));
            let source = Arc::clone(&both) as Arc<dyn Source>;
            compared = Some(both);
            sink(LoadEvent::Opened {
                header,
                source,
                total,
            });
        }
        (LoadEvent::Indexed { batch, bytes }, Some(compared)) => {
            n_read = bytes;
            let batch = Box::new(compared.extend(*batch));
            sink(LoadEvent::Indexed { batch, bytes });
        }
        (LoadEvent::Finished(mut summary), Some(compared)) => {
            let batch = Box::new(compared.finish(&mut summary));
            summary.damage = summary.damage.take().or(damage.clone());
            sink(LoadEvent::Indexed {
                batch,
                bytes: n_read,
            });
            sink(LoadEvent::Finished(summary));
        }
        (LoadEvent::Indexed { .. } | LoadEvent::Finished(_), None) => {}
    })?;
    match other_tool {
        Some(other) => Err(LoadError::Unlike { one: kind, other }),
        None => Ok(()),
    }
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

/// What the tables of the old file add behind those of the new one; modules with one path are one.
fn join(new: &Tables, old: &Tables) -> (Tables, Translation) {
    let number = |len: usize| u32::try_from(len).unwrap_or(u32::MAX);
    let mut tables = Tables {
        prefixes: old.prefixes.clone(),
        providers: old.providers.clone(),
        ..Tables::default()
    };
    let mut translation = Translation {
        prefixes: number(new.prefixes.len()),
        providers: number(new.providers.len()),
        groups: Vec::new(),
    };
    let by_path: HashMap<&str, GroupId> = (0..)
        .zip(&new.groups)
        .map(|(index, group)| (&*group.path, GroupId(index)))
        .collect();
    for group in &old.groups {
        let known = by_path.get(&*group.path).copied();
        translation.groups.push(known.unwrap_or_else(|| {
            let parent = group
                .parent
                .and_then(|parent| translation.groups.get(parent.0 as usize).copied());
            let id = GroupId(number(new.groups.len() + tables.groups.len()));
            tables.groups.push(Group {
                path: Arc::clone(&group.path),
                parent,
            });
            id
        }));
    }
    (tables, translation)
}

fn outputs(old: &Stack, new: &[Output]) -> Vec<Output> {
    let before = |name: &str| {
        old.outputs
            .iter()
            .find(|output| &*output.name == name)
            .map(|output| output.value.clone())
    };
    let mut outputs: Vec<_> = new
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
        if !new.iter().any(|other| other.name == output.name) {
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

/// Both files, of which the new one grows.
struct Compared {
    old: Document,
    new: RwLock<Newer>,
    waiting: Mutex<Waiting>,
}

/// The new file, as far as it is read, and what it is to the old one.
struct Newer {
    document: Document,
    /// By resource of the new file: the one it was, and what happened to it. `None` for drift that a plan lists.
    changes: Vec<Option<(Option<ResourceId>, Action)>>,
    /// What only the old file has; known at the end.
    gone: Vec<ResourceId>,
}

impl Compared {
    fn new(old: Document, new: Document) -> Self {
        Self {
            waiting: Mutex::new(Waiting::new(&old.stack)),
            old,
            new: RwLock::new(Newer {
                document: new,
                changes: Vec::new(),
                gone: Vec::new(),
            }),
        }
    }

    fn newer(&self) -> RwLockReadGuard<'_, Newer> {
        self.new.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// The batch of the new file with what happened to its resources. Only one thread calls this, and [`Compared::finish`] at the end:
    /// between its steps others may read.
    fn extend(&self, mut batch: Batch) -> Batch {
        let first = {
            let mut newer = self.new.write().unwrap_or_else(PoisonError::into_inner);
            newer.document.stack.extend(batch.clone());
            newer.changes.len()
        };
        let newer = self.newer();
        let new = &newer.document;
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        let mut changes = Vec::with_capacity(batch.chunk.len());
        for (id, record) in (first..).zip(&mut batch.chunk.records) {
            let id = ResourceId(u32::try_from(id).unwrap_or(u32::MAX));
            let change = waiting::is_resource(&new.stack, id).then(|| {
                let before = waiting.take(&self.old.stack, &new.stack, id);
                (before, self.action(before, new, id))
            });
            if let Some((_, action)) = change {
                record.action = Some(action);
            }
            changes.push(change);
        }
        // What turns out later may be what differs.
        let mut again = Vec::new();
        let amended = batch.amendments.iter_mut();
        let amended = amended.filter(|it| it.flags != Flags::NONE);
        let renewed = batch.renewed.iter_mut();
        let later = amended
            .map(|it| (it.resource, &mut it.action))
            .chain(renewed.map(|it| (it.resource, &mut it.record.action)));
        for (id, told) in later {
            let known = newer.changes.get(id.index());
            let change = known.or_else(|| changes.get(id.index().wrapping_sub(first)));
            if let Some(Some((before, _))) = change {
                let action = self.action(*before, new, id);
                *told = Some(action);
                again.push((id.index(), Some((*before, action))));
            }
        }
        drop(newer);
        let mut newer = self.new.write().unwrap_or_else(PoisonError::into_inner);
        newer.changes.append(&mut changes);
        for (index, change) in again {
            newer.changes[index] = change;
        }
        batch
    }

    /// The end of the new file: what is gone, and the summary of both.
    fn finish(&self, summary: &mut Summary) -> Batch {
        let mut newer = self.new.write().unwrap_or_else(PoisonError::into_inner);
        let stack = &mut newer.document.stack;
        stack.header = summary.header.clone();
        stack.references = Arc::clone(&summary.references);
        stack.expressions = Arc::clone(&summary.expressions);
        summary.outputs = outputs(&self.old.stack, &summary.outputs);
        let mut batch = Batch::default();
        if !summary.stopped {
            let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
            let (tables, translation) = join(&stack.tables, &self.old.stack.tables);
            batch.tables = tables;
            newer.gone = waiting.rest().collect();
            for id in &newer.gone {
                let record = translation.record(*self.old.stack.record(*id));
                push(&mut batch.chunk, &self.old.stack, *id, record);
            }
        }
        let mut numbers: HashMap<Action, u64> = HashMap::new();
        for (_, action) in newer.changes.iter().flatten() {
            *numbers.entry(*action).or_default() += 1;
        }
        *numbers.entry(Action::Delete).or_default() += newer.gone.len() as u64;
        let told = Action::ALL
            .iter()
            .filter_map(|action| Some((action.name().to_owned(), *numbers.get(action)?)));
        summary.counts.changes = told.filter(|(_, count)| *count > 0).collect();
        batch
    }

    /// What happened to a resource of the new file, which was `before` in the old one.
    fn action(&self, before: Option<ResourceId>, new: &Document, after: ResourceId) -> Action {
        let Some(before) = before else {
            return Action::Create;
        };
        if has_same_bytes(&self.old, before, new, after) {
            return Action::Noop;
        }
        match (self.old.resource(before), new.resource(after)) {
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
        let newer = self.newer();
        let new = &newer.document;
        let (before, after, action) = match id.index().checked_sub(new.stack.len()) {
            None => match newer.changes.get(id.index()).copied().flatten() {
                Some((before, action)) => (before, Some(id), action),
                None => return new.resource(id),
            },
            Some(index) => (newer.gone.get(index).copied(), None, Action::Delete),
        };
        let before = before.map(|id| self.old.resource(id)).transpose()?;
        let after = after.map(|id| new.resource(id)).transpose()?;
        drop(newer);
        let reasons = match (&before, &after) {
            (Some(before), Some(after)) => other_differences(before, after),
            _ => Vec::new(),
        };
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
            self.newer().document.source.read_into(span, bytes)
        } else {
            let span = Span {
                offset: span.offset & !OLD,
                ..span
            };
            self.old.source.read_into(span, bytes)
        }
    }

    fn other_span(&self, id: ResourceId) -> Option<Span> {
        let newer = self.newer();
        let (before, _) = newer.changes.get(id.index()).copied().flatten()?;
        let span = self.old.stack.record(before?).span;
        Some(Span {
            offset: span.offset | OLD,
            ..span
        })
    }

    fn resource(&self, id: ResourceId) -> Option<Result<Resource, ReadError>> {
        Some(self.read_pair(id))
    }

    fn sides(&self) -> Option<[Document; 2]> {
        Some([self.old.clone(), self.newer().document.clone()])
    }
}
