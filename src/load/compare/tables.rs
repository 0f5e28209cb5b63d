//! What the tables and outputs of two files are together.

use std::collections::HashMap;
use std::sync::Arc;

use super::OLD;
use crate::stack::{
    Action, Group, GroupId, Output, PrefixId, ProviderId, Record, ShapeId, Span, Stack, Tables,
};
use crate::value::Value;

/// How ids of the tables of the old file read in the tables of both.
pub(super) struct Translation {
    prefixes: u32,
    providers: u32,
    groups: Vec<GroupId>,
}

impl Translation {
    /// The record of something that is gone.
    pub(super) fn record(&self, record: Record) -> Record {
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
pub(super) fn join(new: &Tables, old: &Tables) -> (Tables, Translation) {
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

/// The outputs of both files. One that only one of them has is new or gone if the other file `is_whole`.
pub(super) fn outputs(old: &Stack, new: &[Output], is_whole: [bool; 2]) -> Vec<Output> {
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
                None => is_whole[0].then_some(Action::Create),
                Some(before) if *before == output.value => Some(Action::Noop),
                Some(_) => Some(Action::Update),
            };
            Output {
                before,
                action,
                ..output.clone()
            }
        })
        .collect();
    for output in old.outputs.iter().filter(|_| is_whole[1]) {
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
