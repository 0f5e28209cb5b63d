//! The combined tables and outputs of two files.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::judge::Forms;
use super::{OLD, WhichFile};
use crate::change::forms::{Tally, Unknowns, settle};
use crate::stack::{
    Action, Group, GroupId, Output, PrefixId, ProviderId, Record, ShapeId, Span, Tables,
};
use crate::value::Value;

/// Translates ids of the old file's tables into those of the joined tables.
pub(super) struct Translation {
    prefixes: u32,
    providers: u32,
    groups: Vec<GroupId>,
}

impl Translation {
    /// The record of a deleted resource.
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
            // Its parent may be deleted too, and ids of the old file mean something else here.
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

/// The entries that the tables of the old file add after those of the new one. Modules with one path are merged.
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

/// The outputs of two files with their changes, and the number of differences that do not count. Outputs that a plan deletes,
/// or sets to null, are not in the state after it.
///
/// An output that only one file has is new or deleted if the other file `is_whole`.
pub(super) fn outputs(
    old: &[Output],
    new: &[Output],
    forms: Forms,
    is_whole: [bool; 2],
) -> (Vec<Output>, Tally) {
    let is_there = |side: WhichFile, output: &Output| {
        let is_gone = output.action == Some(Action::Delete) || output.value.is_null();
        forms != Forms::Planned(side) || !is_gone
    };
    let old: Vec<_> = old
        .iter()
        .filter(|it| is_there(WhichFile::Old, it))
        .collect();
    let new: Vec<_> = new
        .iter()
        .filter(|it| is_there(WhichFile::New, it))
        .collect();
    let (mut tally, mut outputs) = (Tally::default(), Vec::new());
    let before: HashMap<&str, &Value> = old.iter().map(|it| (&*it.name, &it.value)).collect();
    for output in &new {
        let (before, value) = match before.get(&*output.name) {
            Some(before) => {
                let (before, value, own) = settled(before, output, forms);
                tally = tally.and(own);
                (Some(before), value)
            }
            None => (None, output.value.clone()),
        };
        let action = match &before {
            None => is_whole[0].then_some(Action::Create),
            Some(before) if *before == value => Some(Action::Noop),
            Some(_) => Some(Action::Update),
        };
        outputs.push(Output {
            value,
            before,
            action,
            ..(*output).clone()
        });
    }
    let known: HashSet<&str> = new.iter().map(|it| &*it.name).collect();
    let is_gone = |it: &&&Output| is_whole[1] && !known.contains(&*it.name);
    for output in old.iter().filter(is_gone) {
        outputs.push(Output {
            before: Some(output.value.clone()),
            value: Value::NULL,
            action: Some(Action::Delete),
            ..(*output).clone()
        });
    }
    // Outputs that differ come first.
    outputs.sort_by_key(|output| matches!(output.action, None | Some(Action::Noop)));
    let outputs = outputs.into_iter().map(Output::with_mirrored_masks);
    (outputs.collect(), tally)
}

/// The values of an output in both files without the differences that do not count.
fn settled(before: &Value, output: &Output, forms: Forms) -> (Value, Value, Tally) {
    let is_begun = |begun: &Value| {
        let (before, begun, _) = settle(before, begun, Unknowns::Differ);
        before == begun
    };
    let unknowns = match forms {
        Forms::Alike => return (before.clone(), output.value.clone(), Tally::default()),
        Forms::Planned(WhichFile::New) if output.before.as_ref().is_some_and(is_begun) => {
            Unknowns::Differ
        }
        Forms::Written => Unknowns::Differ,
        Forms::Planned(_) => Unknowns::Match,
    };
    settle(before, &output.value, unknowns)
}
