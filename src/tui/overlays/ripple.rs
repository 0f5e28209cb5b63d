//! The ripple: what happens when a resource changes, as an indented list.

mod draw;

use std::collections::HashMap;

use std::ops::Range;

use ratatui::layout::Rect;

use super::Outcome;
use super::menu::{Menu, MenuPopup};
use super::popup::RowUse;
use crate::stack::ResourceId;
use crate::stack::graph::Direction;
use crate::tui::command::Command;
use crate::tui::edges::{properties, why};
use crate::tui::keymap::Scope;
use crate::tui::outline::Strip;
use crate::tui::popup::{Stage, Wanted};
use crate::tui::ripple::layout::Subject;
use crate::tui::ripple::{Ripple, RippleOrigin};
use crate::tui::rows::Span;
use crate::tui::session::Session;
use crate::tui::stacks::OtherEnd;
use crate::tui::theme::Role;
use crate::tui::widgets::cursor::Cursor;
use crate::tui::widgets::frame::Labels;

/// The lines of a ripple.
#[derive(Debug)]
pub struct RippleLines {
    ripple: Box<Ripple>,
    /// The reason for the edge to each line that was on the screen.
    reasons: HashMap<usize, String>,
}

/// A ripple on the screen.
pub type RippleView = MenuPopup<RippleLines>;

impl RippleView {
    /// A ripple with the cursor on the resource that was selected.
    pub fn of(ripple: Box<Ripple>) -> Self {
        let selected = Subject::Own(ripple.origin.selected);
        let selected = ripple.lines.iter().position(|it| it.subject == selected);
        let reasons = HashMap::new();
        Self::at(selected.unwrap_or(0), RippleLines { ripple, reasons })
    }

    /// The cause, the direction and the selected resource.
    pub fn origin(&self) -> RippleOrigin {
        let ripple = &self.menu.ripple;
        RippleOrigin {
            selected: self
                .menu
                .own(self.cursor.row)
                .unwrap_or(ripple.origin.cause),
            ..ripple.origin
        }
    }

    /// Says why each resource on the screen needs another, once the needing one is read. Asks for those that are not. Of one that
    /// cannot be read it says the kinds of the edge.
    pub fn explain(&mut self, session: &Session, stage: Stage) -> Outcome {
        let mut missing = Vec::new();
        for at in self.on_screen(stage) {
            let edge = self.menu.edge(at);
            let unexplained = edge.filter(|_| !self.menu.reasons.contains_key(&at));
            let Some(edge) = unexplained else { continue };
            let stack = &self.menu.ripple.stack;
            let properties = match session.resources.get(edge.0) {
                Some(resource) => properties(stack, edge.1, resource),
                None if session.resources.is_unreadable(edge.0) => Vec::new(),
                None => {
                    missing.push(Outcome::Read(edge.0));
                    continue;
                }
            };
            let why = why(stack, edge, Some(&properties));
            self.menu.reasons.insert(at, why);
        }
        Outcome::All(missing)
    }
}

impl RippleLines {
    /// The resource of this stack on a line.
    fn own(&self, at: usize) -> Option<ResourceId> {
        self.ripple.lines.get(at)?.subject.own()
    }

    /// The end in another stack on a line.
    fn other(&self, at: usize) -> Option<&OtherEnd> {
        match self.ripple.lines.get(at)?.subject {
            Subject::Own(_) => None,
            Subject::Other(index) => self.ripple.others.get(index),
        }
    }

    /// The dependent resource of the edge to a line, and the resource that it depends on. `None` for the cause, and in another stack.
    fn edge(&self, at: usize) -> Option<(ResourceId, ResourceId)> {
        let line = self.ripple.lines.get(at).filter(|_| at > 0)?;
        let parent = self.own(line.parent)?;
        let id = line.subject.own()?;
        Some(match self.ripple.origin.direction {
            Direction::UsedBy => (id, parent),
            Direction::DependsOn => (parent, id),
        })
    }
}

impl Menu for RippleLines {
    const SCOPES: &'static [Scope] = &[Scope::Ripple, Scope::List];

    fn labels(&self) -> Labels {
        Labels::default()
    }

    fn frame(&self, row: usize, _shown: Range<usize>, room: usize) -> Labels {
        Labels::of(self.head(room).0, self.status(row))
    }

    fn totals(&self, room: usize) -> Vec<Span> {
        let blank = [Span::new(" ", Role::Text)];
        [&blank, &self.head(room).1[..], &blank].concat()
    }

    fn n_rows(&self) -> usize {
        self.ripple.lines.len()
    }

    fn line(&self, row: usize, room: usize) -> Strip {
        self.strip(row, room)
    }

    /// It covers the panes.
    fn width(&self) -> usize {
        0
    }

    fn place(&self, _: &Wanted<&dyn Fn(usize) -> usize>, stage: Stage) -> Rect {
        stage.body
    }

    fn row_use(&self) -> RowUse {
        RowUse::Open(Command::Accept)
    }

    /// Goes to the resource on a line, in this stack or in another one.
    fn choose(&mut self, row: usize) -> Outcome {
        if let Some(id) = self.own(row) {
            return Outcome::GoTo(id);
        }
        self.other(row).map_or(Outcome::Done, |end| {
            Outcome::open_other(end, self.ripple.among.as_ref())
        })
    }

    fn obey(&mut self, command: Command, _: &mut Cursor) -> Outcome {
        if command != Command::OtherDirection {
            return Outcome::Nothing;
        }
        let RippleOrigin {
            cause, direction, ..
        } = self.ripple.origin;
        Outcome::Ripple(RippleOrigin {
            cause,
            direction: match direction {
                Direction::DependsOn => Direction::UsedBy,
                Direction::UsedBy => Direction::DependsOn,
            },
            selected: cause,
        })
    }

    fn stays(&self) -> bool {
        false
    }
}
