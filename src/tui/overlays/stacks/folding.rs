//! Opening and closing rows of the list.

use std::collections::HashMap;

use ratatui::layout::Rect;

use super::Stacks;
use crate::tui::command::{FoldCommand, FoldStep};
use crate::tui::overlays::Outcome;
use crate::tui::stacks::Folds;

impl Stacks {
    /// Opens or closes branches, and remembers it for later arrangements.
    pub(super) fn choose_open(&mut self, branches: Vec<usize>, is_open: bool) {
        for at in &branches {
            let key = self.arranged.branches[*at].key.clone();
            self.folds.changed.insert(key, is_open);
        }
        self.arranged.groups.set_open(branches, is_open);
    }

    /// Opens or closes rows, or goes into a row or out of it.
    pub(super) fn fold(&mut self, command: FoldCommand, body: Rect) -> Outcome {
        self.has_chosen = true;
        let (groups, branches) = (&self.arranged.groups, &self.arranged.branches);
        let is_open = |at: usize| branches[at].is_foldable.then(|| groups.is_open(at));
        if let FoldStep::Level(level) = command.on(None) {
            let is_wanted = |at: usize| branches[at].depth < usize::from(level);
            let is_other = |at: usize| is_open(at).is_some_and(|open| open != is_wanted(at));
            if !(0..branches.len()).any(is_other) {
                return Outcome::Nothing;
            }
            self.rearrange(body, |it| {
                it.folds = Folds {
                    level: Some(level),
                    changed: HashMap::new(),
                };
            });
            return Outcome::Done;
        }
        let Some(place) = self.arranged.at(self.cursor.row) else {
            return Outcome::Nothing;
        };
        let (at, is_inside) = (place.at, place.hit.is_some());
        let own_line = groups.row(at, 0);
        let around = || groups.row(groups.around(at).next()?, 0);
        let parent_line = if is_inside { own_line } else { around() };
        let step = match command.on(is_open(at)) {
            FoldStep::Toggle if is_inside && command == FoldCommand::Collapse => FoldStep::Out,
            FoldStep::Into if is_inside => FoldStep::Nothing,
            step => step,
        };
        match (step, parent_line) {
            (FoldStep::Into, _) => self.cursor.step(1, self.page(body)),
            (FoldStep::Out, Some(line)) => self.cursor.go(line, self.page(body)),
            (FoldStep::Below, _) => {
                let below = [at].into_iter().chain(groups.below(at));
                let closed: Vec<usize> = below.filter(|at| is_open(*at) == Some(false)).collect();
                if closed.is_empty() {
                    return Outcome::Nothing;
                }
                self.choose_open(closed, true);
            }
            (FoldStep::Toggle, _) => {
                let opens = is_open(at) == Some(false);
                self.choose_open(vec![at], opens);
                self.cursor.go(own_line.unwrap_or(0), self.page(body));
            }
            (
                FoldStep::Out
                | FoldStep::OutAndClose
                | FoldStep::Enter
                | FoldStep::Level(_)
                | FoldStep::Nothing,
                _,
            ) => return Outcome::Nothing,
        }
        Outcome::Done
    }
}
