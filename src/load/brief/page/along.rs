//! The imports and the moves that come along with other changes.

use super::{Detail, MAX_DETAILS, Maker};
use crate::render::remarks;
use crate::stack::{Action, ChangeId, Changes, Flags, ResourceId, Verb};
use crate::text::{count, escaped};

impl Maker<'_> {
    /// The numbers beside those of all changes, in words: `1 also imported, 2 also moved · 2 outputs change · 3 changed outside`. ""
    /// if nothing does.
    pub(super) fn beside(&self, changes: &Changes) -> String {
        let along = self.along(self.changed.iter().copied());
        let stack = &self.document.stack;
        let n_drifted = stack.n_drifted();
        let drifted = (n_drifted > 0 && !stack.is_comparison)
            .then(|| format!("{} changed outside", count(n_drifted)));
        let words = Some(along).filter(|it| !it.is_empty()).into_iter();
        let outputs = (changes.beside_resources(Verb::Change))
            .filter(|_| changes.n_resources() > 0 && !stack.is_comparison);
        let words: Vec<String> = words.chain(outputs).chain(drifted).collect();
        words.join(" · ")
    }

    /// The number of changes that also import or move, in words: `1 also imported, 2 also moved`. "" if there are none.
    pub(super) fn along(&self, ids: impl Iterator<Item = ResourceId>) -> String {
        let (mut imported, mut moved) = (0, 0);
        for action in ids.flat_map(|id| self.document.stack.actions(id).skip(1)) {
            imported += u64::from(action == Action::Import);
            moved += u64::from(action == Action::Move);
        }
        let words = [(imported, "imported"), (moved, "moved")].into_iter();
        let words = words.filter(|(number, _)| *number > 0);
        let words = words.map(|(number, word)| format!("{} also {word}", count(number)));
        words.collect::<Vec<_>>().join(", ")
    }

    /// The ids that members of a group are imported from and the addresses that they had, if they are few. The line of a single
    /// resource says it.
    pub(super) fn taken_over(&self, ids: &[ResourceId]) -> Vec<Detail> {
        let stack = &self.document.stack;
        let comes = |id: &&ResourceId| {
            let flags = stack.record(**id).flags;
            flags.intersects(Flags::IMPORTED | Flags::MOVED)
        };
        let own: Vec<&ResourceId> = ids.iter().filter(comes).take(MAX_DETAILS + 1).collect();
        if ids.len() == 1 || own.len() > MAX_DETAILS || stack.is_comparison {
            return Vec::new();
        }
        let detail = |id: &&ResourceId| {
            let resource = self.resource(**id)?;
            Some(Detail {
                id: Some(ChangeId::Resource(**id)),
                place: self.name(**id),
                ..Detail::of_words(escaped(&remarks::of_change(&resource).join(", ")))
            })
        };
        own.iter().filter_map(detail).collect()
    }
}
