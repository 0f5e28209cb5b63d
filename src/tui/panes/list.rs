//! A list of rows of values with a cursor: the details of a resource, the outputs of a stack.

use std::collections::HashSet;

use crate::tui::rows::{Row, Spot};
use crate::tui::widgets::cursor::Cursor;

/// Rows with their open containers and a cursor. The pane that draws them fits the page to the cursor.
#[derive(Clone, Default, Debug)]
pub struct RowList {
    /// The rows.
    pub rows: Vec<Row>,
    /// The open containers. They stay open when the rows change, so that the next resource opens the same places.
    pub open: HashSet<Spot>,
    /// The selected row.
    pub cursor: Cursor,
    /// The row of the container of each row.
    containers: Vec<Option<usize>>,
}

/// The result of a command on a row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Folded {
    /// A container opened or closed. The rows must be rebuilt.
    Changed,
    /// The cursor moved.
    Moved,
    /// The row does not fold: Enter goes where it leads.
    Entered,
    /// Nothing folds.
    Nothing,
}

impl RowList {
    /// The selected row.
    pub fn selected(&self) -> Option<&Row> {
        self.rows.get(self.cursor.row)
    }

    /// The place of the selected row.
    pub fn selected_spot(&self) -> Option<Spot> {
        self.selected().map(|row| row.spot.clone())
    }

    /// Replaces the rows. The cursor stays on its value, or near it.
    pub fn set_rows(&mut self, rows: Vec<Row>) {
        let spot = self.selected_spot();
        self.rows = rows;
        self.containers = containers(&self.rows);
        if let Some(spot) = spot {
            self.select(&spot);
        }
    }

    /// Puts the cursor on the row of `spot`, or on the innermost container around it that has a row. Returns false if no row
    /// matches.
    pub fn select(&mut self, spot: &Spot) -> bool {
        let mut spot = spot.clone();
        loop {
            if let Some(row) = self.rows.iter().position(|row| row.spot.is_value(&spot)) {
                self.cursor.select(row);
                return true;
            }
            let path = match &mut spot.inside {
                Some(inside) if inside.0.is_empty() => {
                    spot.inside = None;
                    continue;
                }
                Some(inside) => inside,
                None => &mut spot.path,
            };
            if path.0.pop().is_none() {
                return false;
            }
        }
    }

    /// Moves to the row of the surrounding container.
    pub fn around(&mut self) -> Folded {
        match self.containers.get(self.cursor.row).copied().flatten() {
            Some(row) => {
                self.cursor.select(row);
                Folded::Moved
            }
            None => Folded::Nothing,
        }
    }

    /// The rows of the containers of a row, outermost first.
    pub fn containers_of(&self, row: usize) -> Vec<usize> {
        let above = |row: &usize| self.containers.get(*row).copied().flatten();
        let mut found: Vec<usize> = std::iter::successors(above(&row), above).collect();
        found.reverse();
        found
    }

    /// Opens or closes the selected row, which has rows inside.
    pub fn toggle(&mut self) -> Folded {
        let Some(spot) = self.selected_spot() else {
            return Folded::Nothing;
        };
        if !self.open.remove(&spot) {
            self.open.insert(spot);
        }
        Folded::Changed
    }

    /// Opens the containers around a value.
    pub fn open_around(&mut self, spot: &Spot) {
        let mut around = Spot::top(spot.part);
        if spot.part.starts_closed() {
            self.open.insert(around.clone());
        } else {
            self.open.remove(&around);
        }
        for segment in &spot.path.0 {
            around = around.child(segment.clone());
            if around != *spot {
                self.open.insert(around.clone());
            }
        }
    }

    /// Moves to the next sibling, or with -1 to the previous one.
    pub fn sibling(&mut self, step: isize) {
        let row = sibling(&self.rows, self.cursor.row, step);
        self.cursor.select(row);
    }
}

/// The row of the sibling `step` places after `row`, or of the last one in that direction.
pub fn sibling(rows: &[Row], row: usize, step: isize) -> usize {
    let mut row = row;
    let Some(depth) = rows.get(row).map(|row| row.depth) else {
        return row;
    };
    for _ in 0..step.unsigned_abs() {
        let mut next = row;
        loop {
            next = next.wrapping_add_signed(step.signum());
            match rows.get(next) {
                Some(other) if other.depth == depth => {
                    row = next;
                    break;
                }
                Some(other) if other.depth > depth => {}
                _ => return row,
            }
        }
    }
    row
}

/// The row of the container of each row. A container comes before what it contains.
fn containers(rows: &[Row]) -> Vec<Option<usize>> {
    let mut open: Vec<usize> = Vec::new();
    let containers = rows.iter().enumerate().map(|(index, row)| {
        while open
            .last()
            .is_some_and(|above| rows[*above].depth >= row.depth)
        {
            open.pop();
        }
        let container = open.last().copied();
        open.push(index);
        container
    });
    containers.collect()
}
