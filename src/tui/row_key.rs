//! The identity of a row: it is found again while other rows come and go. A search finds rows by their texts.

use std::sync::Arc;

use super::brief::Anchor;
use super::changes::ListKey;
use super::command::View;
use super::rows::{Spot, shown};
use crate::load::fleet::Place;
use crate::path::Path;
use crate::search::{RowQuery, Rows};
use crate::stack::ResourceId;

/// The identity of a row of a view that is a list.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RowKey {
    /// A row of the brief.
    Brief(Anchor),
    /// A row of the changes.
    Change(ListKey),
    /// A value of an output.
    Output(Spot),
    /// A neighbor on the side with the cursor.
    Neighbor(NeighborKey),
    /// A problem.
    Problem(ProblemKey),
    /// A stack.
    Stack(Place),
}

impl RowKey {
    /// True if this is the identity of a row: of an output also if it is what the text of it holds.
    pub fn is(&self, row: &Self) -> bool {
        match (self, row) {
            (Self::Output(own), Self::Output(row)) => own.is_value(row),
            _ => self == row,
        }
    }

    /// The row of the brief.
    pub fn anchor(&self) -> Option<&Anchor> {
        match self {
            Self::Brief(anchor) => Some(anchor),
            Self::Change(_)
            | Self::Output(_)
            | Self::Neighbor(_)
            | Self::Problem(_)
            | Self::Stack(_) => None,
        }
    }

    /// The view that has the row.
    pub fn view(&self) -> View {
        match self {
            Self::Brief(_) => View::Brief,
            Self::Change(_) => View::Changes,
            Self::Output(_) => View::Outputs,
            Self::Neighbor(_) => View::Deps,
            Self::Problem(_) => View::Problems,
            Self::Stack(_) => View::Stacks,
        }
    }
}

/// The rows of a view as texts, and the index of the selected one.
#[derive(Clone, Default, Debug)]
pub struct RowTexts {
    /// The texts.
    pub texts: Arc<Vec<String>>,
    /// The paths of the rows; `None` if they have none.
    pub paths: Option<Arc<Vec<Path>>>,
    /// The identity of each row.
    pub keys: Arc<Vec<RowKey>>,
    /// The index of the selected row.
    pub at: usize,
    /// The rows that are not among them, in words; "" if all are.
    pub without: &'static str,
}

impl RowTexts {
    /// The row with this identity.
    pub fn row_of(&self, key: &RowKey) -> Option<usize> {
        self.keys.iter().position(|own| key.is(own))
    }

    /// The rows that are as wanted, ascending. A resource of a group takes the place of the lines about the group, which are above it.
    pub fn hits(&self, query: &RowQuery) -> Vec<usize> {
        let path = |row: usize| self.paths.as_ref().and_then(|paths| paths.get(row));
        let anchor = |row: usize| self.keys.get(row).and_then(RowKey::anchor);
        let rows = self.texts.iter().enumerate().rev();
        let hits = rows.filter(|(row, text)| query.matches(text, path(*row)));
        let mut member = None;
        let mut hits: Vec<usize> = hits
            .map(|(row, _)| row)
            .filter(|row| {
                let own = anchor(*row);
                member = own.filter(|it| it.is_member()).or(member);
                !own.zip(member).is_some_and(|(own, it)| own.has_member(it))
            })
            .collect();
        hits.reverse();
        hits
    }

    /// Says that no row contains a text, and which rows were left out.
    pub fn none_contains(&self, text: &str) -> String {
        let without = match self.without {
            "" => String::new(),
            without => format!(" ({without} not searched)"),
        };
        format!("no row contains {}{without}", shown(text))
    }

    /// The kind of the rows.
    pub fn kind(&self) -> Rows {
        match self.paths {
            Some(_) => Rows::Values,
            None => Rows::Texts,
        }
    }
}

/// The identity of a neighbor of a resource.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NeighborKey {
    /// A resource of this stack.
    Own(ResourceId),
    /// An end in another stack, by the name of the stack and the identity of the resource there.
    Other(String, Option<Arc<str>>),
}

/// The identity of a row of the problems.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ProblemKey {
    /// A note of the file, by its position.
    Note(usize),
    /// A finding of the audit, by its position in the report.
    Finding(usize),
    /// The heading above the findings of severity info.
    Info,
}
