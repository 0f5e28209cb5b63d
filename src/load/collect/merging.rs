//! Steps of a preview: several elements of the file that are one change are one record.
//!
//! The first step of a change makes its record. Later steps wait until the whole file is read; then all of them are read once
//! more as one element.

use hashbrown::HashMap;

use super::{Collector, Tally};
use crate::index::indexer::{Counted, Findings, Row};
use crate::index::objects::{Object, Objects};
use crate::stack::{Action, Note, ResourceId, Severity, Span};
use crate::text::count;

/// Maximum number of steps of one change that are read. The engine has fewer operations than this.
const MAX_STEPS: usize = 64;

/// The changes of several steps, and the steps that wait.
#[derive(Default)]
pub(super) struct Merging {
    objects: Objects,
    /// By record: its first step.
    first: Vec<MergedStep>,
    /// The later steps of a record.
    later: HashMap<u32, Vec<MergedStep>>,
}

/// One step of a change.
#[derive(Clone, Copy)]
struct MergedStep {
    span: Span,
    action: Option<Action>,
}

/// A change of several steps.
pub(in crate::modules::load) struct Merged {
    /// Its record.
    pub(in crate::modules::load) resource: ResourceId,
    /// The spans of its steps, in the order of the file.
    pub(in crate::modules::load) steps: Vec<Span>,
    /// The step with the most information about the change.
    pub(in crate::modules::load) main: Span,
}

impl Collector {
    /// Takes the findings of a piece whose rows are steps.
    pub(super) fn add_steps(&mut self, worker: usize, findings: Findings) {
        let mut objects = findings.objects.iter().peekable();
        let mut places: Vec<(u32, bool)> = Vec::with_capacity(findings.rows.len());
        for (index, row, name, id) in findings.named_rows() {
            let object = objects.next_if(|(of, _)| *of == index);
            let object = object.map(|(_, object)| *object);
            let tally = self.tally(worker, (index, row), &findings.words);
            places.push(self.step(worker, row, object, tally, (name, id)));
        }
        let place = |row: u32| places.get(row as usize).copied().unwrap_or_default();
        for (row, target, kind) in &findings.edges {
            // The edges of later steps come with the merged change.
            if let (resource, true) = place(*row) {
                self.edges.push(resource, *target, *kind);
            }
        }
        for (row, note) in findings.notes {
            self.note_of_resource(row.map(|row| place(row).0), note);
        }
    }

    /// Adds a step. Returns its record, and true if that record is new.
    fn step(
        &mut self,
        worker: usize,
        row: &Row,
        object: Option<Object>,
        mut tally: Tally,
        (name, id): (&str, &str),
    ) -> (u32, bool) {
        let (mut row, next) = (*row, self.n_records);
        let part = MergedStep {
            span: row.span,
            action: row.action,
        };
        if let (Some(merging), Some(object)) = (&mut self.merging, object) {
            let resource = merging.objects.change_of(object, next);
            if resource < next {
                let later = merging.later.entry(resource).or_default();
                later.push(part);
                self.count(&Tally {
                    words: tally.words,
                    ..Tally::default()
                });
                return (resource, false);
            }
            if !merging.objects.is_counted(object.urn, resource) {
                row.counted = Counted::No;
                tally.resource = false;
            }
        }
        if let Some(merging) = &mut self.merging {
            merging.first.push(part);
        }
        self.row(worker, &row, tally, name, id);
        (next, true)
    }

    /// The changes of several steps, in the order of the file.
    pub(in crate::modules::load) fn take_merged(&mut self) -> Vec<Merged> {
        let Some(merging) = self.merging.take() else {
            return Vec::new();
        };
        let mut later: Vec<_> = merging.later.into_iter().collect();
        later.sort_unstable_by_key(|(resource, _)| *resource);
        let mut changes = Vec::new();
        for (resource, later) in later {
            let Some(first) = merging.first.get(resource as usize) else {
                continue;
            };
            if later.len() >= MAX_STEPS {
                let n_left = later.len() + 1 - MAX_STEPS;
                self.note_of_resource(Some(resource), too_many(n_left));
            }
            let parts: Vec<MergedStep> =
                [*first].into_iter().chain(later).take(MAX_STEPS).collect();
            // Among equals, the first.
            let rank = |part: &&MergedStep| match part.action {
                Some(Action::Replace) => 0,
                Some(Action::Noop | Action::Read) | None => 2,
                Some(_) => 1,
            };
            let main = parts.iter().min_by_key(rank).unwrap_or(first).span;
            changes.push(Merged {
                resource: ResourceId(resource),
                steps: parts.iter().map(|part| part.span).collect(),
                main,
            });
        }
        changes
    }

    /// Takes the findings of a change whose steps were read as one element.
    pub(in crate::modules::load) fn merge(&mut self, resource: ResourceId, mut findings: Findings) {
        self.learn(0, &mut findings);
        let secrets = findings.rows.first().map_or(0, |row| row.secrets);
        let tally = self.tallies.as_ref();
        let tally = tally.and_then(|tallies| tallies.get(resource.index()).cloned());
        // Each step was counted when it was added.
        let tally = Tally {
            secrets,
            ..tally.unwrap_or_default()
        };
        self.replace(resource, &findings, &tally);
    }
}

fn too_many(n_left: usize) -> Note {
    let [most, left] = [MAX_STEPS, n_left].map(|n| count(n as u64));
    let message = format!("more than {most} steps; {left} are counted, but not shown");
    Note::new(Severity::Warning, "", message)
}
