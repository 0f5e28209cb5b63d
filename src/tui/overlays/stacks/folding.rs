//! Opening and closing rows of the list.

use ratatui::layout::Rect;

use super::{Stacks, key_of};
use crate::tui::command::FoldCommand;
use crate::tui::overlays::Outcome;
use crate::tui::stacks::{Branch, Key};

impl Stacks {
    /// Opens or closes a row.
    pub(super) fn set_open(&mut self, key: &Key, is_open: bool) {
        if let Some(path) = self.arranged.paths.get(key) {
            self.arranged.root.set_open(path, is_open);
        }
    }

    /// Opens or closes a row, and remembers it for later arrangements.
    pub(super) fn choose_open(&mut self, key: Key, is_open: bool) {
        self.set_open(&key, is_open);
        self.folded.push(key.clone());
        self.folds.changed.insert(key, is_open);
    }

    /// Opens or closes rows, or goes into a row or out of it.
    pub(super) fn fold(&mut self, command: FoldCommand, body: Rect) -> Outcome {
        self.has_chosen = true;
        if let Some(level) = command.level() {
            if !differs(&self.arranged.root, 0, level) {
                return Outcome::Nothing;
            }
            self.folds.level = Some(level);
            self.folds.changed.clear();
            self.outdate();
            return Outcome::Done;
        }
        let Some(place) = self.arranged.root.at(self.cursor.row) else {
            return Outcome::Nothing;
        };
        let (branch, own_line) = (place.branch, place.own_line);
        let (is_open, is_foldable) = (branch.is_open, branch.is_foldable());
        let is_inside = place.hit.is_some();
        let parent_line = if is_inside {
            Some(own_line)
        } else {
            place.parent_line
        };
        let Some(key) = key_of(branch) else {
            return Outcome::Nothing;
        };
        let wants_open = match command {
            FoldCommand::Expand if is_foldable && is_open && !is_inside => {
                self.cursor.step(1, self.page(body));
                return Outcome::Done;
            }
            FoldCommand::Collapse if is_inside || !is_open || !is_foldable => {
                let Some(line) = parent_line else {
                    return Outcome::Nothing;
                };
                self.cursor.go(line, self.page(body));
                return Outcome::Done;
            }
            FoldCommand::OpenBelow => {
                let mut keys = Vec::new();
                closed_below(branch, &mut keys);
                if keys.is_empty() {
                    return Outcome::Nothing;
                }
                for key in keys {
                    self.choose_open(key, true);
                }
                return Outcome::Done;
            }
            FoldCommand::Toggle | FoldCommand::Activate => !is_open,
            FoldCommand::Expand | FoldCommand::Open => true,
            FoldCommand::Collapse | FoldCommand::Close => false,
            FoldCommand::OpenAll | FoldCommand::CloseAll | FoldCommand::Level(_) => is_open,
        };
        if !is_foldable || wants_open == is_open {
            return Outcome::Nothing;
        }
        self.choose_open(key, wants_open);
        self.cursor.go(own_line, self.page(body));
        Outcome::Done
    }
}

/// True if rows below a branch, at this depth, open or close when `level` levels are open.
fn differs(branch: &Branch, depth: u16, level: u16) -> bool {
    branch.children().iter().any(|child| {
        let is_other = child.is_foldable() && child.is_open != (depth < level);
        is_other || differs(child, depth + 1, level)
    })
}

/// The closed rows, from a row on.
fn closed_below(branch: &Branch, keys: &mut Vec<Key>) {
    if branch.is_foldable() && !branch.is_open {
        keys.extend(key_of(branch));
    }
    for child in branch.children() {
        closed_below(child, keys);
    }
}
