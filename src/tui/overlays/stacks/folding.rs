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

    /// Opens or closes the selected row.
    pub(super) fn toggle(&mut self, body: Rect) -> Outcome {
        self.fold(FoldCommand::Toggle, body);
        Outcome::Done
    }

    pub(super) fn fold(&mut self, command: FoldCommand, body: Rect) {
        self.has_chosen = true;
        if let Some(level) = command.level() {
            self.folds.level = Some(level);
            self.folds.changed.clear();
            self.outdate();
            return;
        }
        let Some(place) = self.arranged.root.at(self.cursor.row) else {
            return;
        };
        let (branch, own_line) = (place.branch, place.own_line);
        let (is_open, is_foldable) = (branch.is_open, branch.is_foldable());
        let is_inside = place.hit.is_some();
        let parent_line = if is_inside {
            Some(own_line)
        } else {
            place.parent_line
        };
        let Some(key) = key_of(branch) else { return };
        let wants_open = match command {
            FoldCommand::Expand if is_foldable && is_open && !is_inside => {
                self.cursor.step(1, self.page(body));
                return;
            }
            FoldCommand::Collapse if is_inside || !is_open || !is_foldable => {
                if let Some(line) = parent_line {
                    self.cursor.go(line, self.page(body));
                }
                return;
            }
            FoldCommand::OpenBelow => {
                let mut keys = Vec::new();
                below(branch, &mut keys);
                for key in keys {
                    self.choose_open(key, true);
                }
                return;
            }
            FoldCommand::Toggle | FoldCommand::Activate => !is_open,
            FoldCommand::Expand | FoldCommand::Open => true,
            FoldCommand::Collapse | FoldCommand::Close => false,
            FoldCommand::OpenAll | FoldCommand::CloseAll | FoldCommand::Level(_) => return,
        };
        if is_foldable {
            self.choose_open(key, wants_open);
            self.cursor.go(own_line, self.page(body));
        }
    }
}

/// The rows that open and close, from a row on.
fn below(branch: &Branch, keys: &mut Vec<Key>) {
    if branch.is_foldable() {
        keys.extend(key_of(branch));
    }
    for child in branch.children() {
        below(child, keys);
    }
}
