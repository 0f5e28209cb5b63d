//! Both files as one source: resources are read from both when they are shown.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use super::judge::Forms;
use super::tables::{self, Translation};
use super::{OLD, WhichFile};
use crate::change::forms::Tally;
use crate::format::{ReadError, Source, SourceError, hide_both};
use crate::load::{Document, Summary};
use crate::stack::Comparison;
use crate::stack::graph::{Graph, Link};
use crate::stack::{Action, Agreement, Batch, Change, Flags, Resource, ResourceId, Span, Stack};

/// Both files of a comparison, which may still grow.
pub struct Compared {
    halves: RwLock<Halves>,
}

/// The files as far as they are read, and the relation between them.
pub(super) struct Halves {
    pub(super) old: Document,
    pub(super) new: Document,
    /// By resource of the new file; `None` for drift that a plan lists.
    fates: Vec<Option<Fate>>,
    /// The resources that only the old file has; known at the end.
    gone: Vec<ResourceId>,
}

/// The counterpart of a resource in the old file, and the action that leads from it to the resource.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fate {
    /// Its counterpart in the old file, if that was found already.
    pub(super) before: Option<ResourceId>,
    /// Its action; `None` while it is not known.
    pub(super) action: Option<Action>,
    /// The differences that do not count.
    pub(super) tally: Tally,
}

impl Fate {
    /// A fate without differences.
    pub(super) fn new(before: Option<ResourceId>, action: Option<Action>) -> Self {
        Self {
            before,
            action,
            tally: Tally::default(),
        }
    }
}

impl Halves {
    pub(super) fn stack(&self, side: WhichFile) -> &Stack {
        match side {
            WhichFile::Old => &self.old.stack,
            WhichFile::New => &self.new.stack,
        }
    }

    /// The fate of a resource of the new file; `None` for drift, and while it is not known yet.
    pub(super) fn fate(&self, id: ResourceId) -> Option<Fate> {
        self.fates.get(id.index()).copied().flatten()
    }

    /// The fates of all resources of the new file, in its order.
    pub(super) fn fates(&self) -> impl Iterator<Item = (ResourceId, Fate)> {
        let all = self.new.stack.ids().zip(&self.fates);
        all.filter_map(|(id, fate)| Some((id, (*fate)?)))
    }

    pub(super) fn set_fate(&mut self, id: ResourceId, fate: Fate) {
        if self.fates.len() <= id.index() {
            self.fates.resize(id.index() + 1, None);
        }
        self.fates[id.index()] = Some(fate);
    }

    /// The action of a resource that only the new file has, once the old one is whole.
    pub(super) fn alone(&self, id: ResourceId) -> Action {
        if self.may_be_alone(WhichFile::New, id) {
            Action::Noop
        } else {
            Action::Create
        }
    }

    /// The resources and values that do not count as differences, if the files are of different form. The `n_gone` resources
    /// count as planned too: the old file plans to delete them.
    fn agreement(&self, n_gone: usize, outputs: Tally) -> Option<Agreement> {
        let forms = self.forms();
        if forms == Forms::Alike {
            return None;
        }
        let is_alike = |fate: &Fate| fate.action == Some(Action::Noop) && fate.before.is_some();
        let tallies = self.fates().map(|(_, fate)| fate.tally);
        let tally = tallies.fold(outputs, Tally::and);
        Some(Agreement {
            is_outcome: forms == Forms::Planned(WhichFile::Old),
            n_alike: (self.fates().filter(|(_, fate)| is_alike(fate)).count() + n_gone) as u64,
            n_known: tally.n_known,
            n_reordered: tally.n_reordered,
        })
    }

    /// The end of both files: adds the facts about both to `summary`, which is of the new one. The batch has the resources in
    /// `gone`. These do not include the `n_planned` resources whose deletion was planned. An output that only one file has is
    /// new or deleted if the other file `is_whole`.
    pub(super) fn finish(
        &mut self,
        gone: Vec<ResourceId>,
        n_planned: usize,
        is_whole: [bool; 2],
        summary: &mut Summary,
    ) -> Batch {
        let stack = &mut self.new.stack;
        stack.references = Arc::clone(&summary.references);
        stack.expressions = Arc::clone(&summary.expressions);
        stack.module_calls = Arc::clone(&summary.module_calls);
        stack.sensitive = Arc::clone(&summary.sensitive);
        stack.repeating = Arc::clone(&summary.repeating);
        stack.sources = Arc::clone(&summary.sources);
        let forms = self.forms();
        let (outputs, tally) =
            tables::outputs(&self.old.stack.outputs, &summary.outputs, forms, is_whole);
        summary.outputs = outputs;
        summary.counts.agreement = self.agreement(n_planned, tally);
        // The invocations of a plan are not a difference between two files.
        summary.invocations.clear();
        let mut batch = Batch::default();
        if !gone.is_empty() {
            let old = &self.old.stack;
            let (tables, translation) = tables::join(&self.new.stack.tables, &old.tables);
            batch.tables = tables;
            for id in &gone {
                let mut record = Translation::record(&translation, *old.record(*id));
                let not_done = self.is_not_done(*id);
                record.flags = record.flags.with(Flags::NOT_DONE, not_done);
                batch
                    .chunk
                    .push(record, old.name(*id), old.compared_id(*id));
            }
        }
        let mut numbers: HashMap<Action, u64> = HashMap::new();
        for (_, fate) in self.fates() {
            if let Some(action) = fate.action {
                *numbers.entry(action).or_default() += 1;
            }
        }
        *numbers.entry(Action::Delete).or_default() += gone.len() as u64;
        let counts = Action::ALL
            .iter()
            .filter_map(|action| Some((action.name().to_owned(), *numbers.get(action)?)));
        summary.counts.changes = counts.filter(|(_, count)| *count > 0).collect();
        if !gone.is_empty() {
            summary.graph = self.joined(&summary.graph, &gone);
        }
        self.gone = gone;
        batch
    }

    /// The graph of both files: the dependencies in the new file, and those in the old one of and on the resources in `gone`.
    fn joined(&self, graph: &Graph, gone: &[ResourceId]) -> Graph {
        let n_new = self.new.stack.len();
        let after = |index: usize| ResourceId(u32::try_from(n_new + index).unwrap_or(u32::MAX));
        let gone_ids = gone
            .iter()
            .enumerate()
            .map(|(index, old)| (*old, after(index)));
        let gone_ids: HashMap<ResourceId, ResourceId> = gone_ids.collect();
        let kept = self
            .fates()
            .filter_map(|(id, fate)| Some((fate.before?, id)));
        let kept: HashMap<ResourceId, ResourceId> = kept.collect();
        let old = &self.old.stack.graph;
        Graph::build(n_new + gone.len(), |id, links| {
            links.extend_from_slice(graph.depends_on(id));
            let was_gone = id
                .index()
                .checked_sub(n_new)
                .and_then(|index| gone.get(index));
            let before = was_gone.copied().or_else(|| self.fate(id)?.before);
            for link in before.into_iter().flat_map(|before| old.depends_on(before)) {
                // Between two resources that both files have, only the new file counts.
                let of_gone = was_gone.and_then(|_| kept.get(&link.to));
                if let Some(to) = gone_ids.get(&link.to).or(of_gone) {
                    links.push(Link { to: *to, ..*link });
                }
            }
        })
    }

    fn read_pair(&self, id: ResourceId) -> Result<Resource, ReadError> {
        let (old, new) = (&self.old, &self.new);
        let (before, after, action) = match id.index().checked_sub(new.stack.len()) {
            Some(index) => (self.gone.get(index).copied(), None, Action::Delete),
            None => match self.fate(id) {
                Some(Fate {
                    before,
                    action: Some(action),
                    ..
                }) => (before, Some(id), action),
                // Drift is shown as the plan has it; of other resources the old version is not known yet.
                _ => return new.resource(id),
            },
        };
        let is_gone = [
            before.is_some_and(|id| self.is_planned_gone(WhichFile::Old, id)),
            after.is_some_and(|id| self.is_planned_gone(WhichFile::New, id)),
        ];
        let before = before.map(|id| old.resource(id)).transpose()?;
        let after = after.map(|id| new.resource(id)).transpose()?;
        // The comparison uses the files alone; the values that are shown are masked by both.
        let mut shown = (before.clone(), after.clone());
        if let (Some(before), Some(after)) = (&mut shown.0, &mut shown.1) {
            hide_both(before, after);
        }
        let (reasons, comparison) = match (&before, &after) {
            _ if is_gone[0] => (vec!["planned for deletion".to_owned()], Comparison::Alike),
            (Some(before), Some(after)) if !is_gone[1] => (
                self.other_differences(before, after),
                self.comparison(before, after),
            ),
            _ => (Vec::new(), Comparison::Alike),
        };
        let state = |resource: &Option<Resource>, is_gone: bool| {
            let resource = resource.as_ref().filter(|_| !is_gone)?;
            resource.current().cloned()
        };
        let states = (state(&shown.0, is_gone[0]), state(&shown.1, is_gone[1]));
        let Some(mut resource) = shown.1.or(shown.0) else {
            return Err(ReadError::unexpected(
                "the comparison",
                "a resource of either file",
                "none",
            ));
        };
        (resource.before, resource.after) = states;
        resource.change = Some(Change {
            reasons,
            ..Change::between(action, comparison)
        });
        Ok(resource)
    }
}

impl Compared {
    pub(super) fn new(old: Document, new: Document) -> Self {
        Self {
            halves: RwLock::new(Halves {
                old,
                new,
                fates: Vec::new(),
                gone: Vec::new(),
            }),
        }
    }

    /// The span in the older file with the other values of a resource, besides the bytes of its record. `None` if the older
    /// file does not have the resource.
    pub(crate) fn other_span(&self, id: ResourceId) -> Option<Span> {
        let halves = self.halves();
        let span = halves.old.stack.record(halves.fate(id)?.before?).span;
        Some(Span {
            offset: span.offset | OLD,
            ..span
        })
    }

    /// The whole of a resource: its versions in both files, and its fate.
    pub(crate) fn resource(&self, id: ResourceId) -> Result<Resource, ReadError> {
        self.halves().read_pair(id)
    }

    /// The two files as far as they are read, the old one first.
    pub(crate) fn sides(&self) -> [Document; 2] {
        let halves = self.halves();
        [halves.old.clone(), halves.new.clone()]
    }

    pub(super) fn halves(&self) -> RwLockReadGuard<'_, Halves> {
        self.halves.read().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn halves_mut(&self) -> RwLockWriteGuard<'_, Halves> {
        self.halves.write().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Source for Compared {
    fn read_into(&self, span: Span, bytes: &mut Vec<u8>) -> Result<(), SourceError> {
        let halves = self.halves();
        if span.offset & OLD == 0 {
            halves.new.source.read_into(span, bytes)
        } else {
            let span = Span {
                offset: span.offset & !OLD,
                ..span
            };
            halves.old.source.read_into(span, bytes)
        }
    }

    fn whole(&self) -> Option<Vec<u8>> {
        self.halves().new.source.whole()
    }
}
