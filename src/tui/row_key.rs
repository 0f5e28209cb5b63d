//! The identity of a row: it is found again while other rows come and go.

use std::sync::Arc;

use super::brief::Anchor;
use super::changes::ListKey;
use super::command::View;
use super::rows::Spot;
use crate::load::fleet::Place;
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
