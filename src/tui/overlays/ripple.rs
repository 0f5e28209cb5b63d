//! The ripple: what happens when a resource changes, as an indented list.

mod draw;

use std::collections::HashMap;

use ratatui::layout::Rect;

use super::popup::{Popup, RowUse, walk};
use super::{Outcome, boxed};
use crate::stack::ResourceId;
use crate::stack::graph::Direction;
use crate::tui::command::Command;
use crate::tui::edges::{CarryingProperty, why};
use crate::tui::keymap::Scope;
use crate::tui::popup::Stage;
use crate::tui::ripple::layout::Subject;
use crate::tui::ripple::{Ripple, RippleOrigin};
use crate::tui::stacks::OtherEnd;
use crate::tui::theme::Theme;
use crate::tui::widgets::cursor::{Cursor, Page};
use crate::tui::widgets::list_area::ListArea;
use ratatui::buffer::Buffer;

/// A ripple with a cursor.
#[derive(Clone, Debug)]
pub struct RippleView {
    ripple: Box<Ripple>,
    /// The reason for the edge to each line that was on the screen.
    reasons: HashMap<usize, String>,
    cursor: Cursor,
}

impl RippleView {
    /// A ripple with the cursor on the resource that was selected.
    pub fn new(ripple: Box<Ripple>) -> Self {
        let selected = Subject::Own(ripple.origin.selected);
        let selected = ripple.lines.iter().position(|it| it.subject == selected);
        Self {
            ripple,
            reasons: HashMap::new(),
            cursor: Cursor::at(selected.unwrap_or(0), 0),
        }
    }

    /// The cause, the direction and the selected resource.
    pub fn origin(&self) -> RippleOrigin {
        RippleOrigin {
            selected: self.subject().own().unwrap_or(self.ripple.origin.cause),
            ..self.ripple.origin
        }
    }

    /// The subject of the selected line.
    fn subject(&self) -> Subject {
        self.ripple.lines[self.cursor.row].subject
    }

    /// The lines in this body, and the cursor there.
    fn list_area(&self, body: Rect) -> (ListArea, Cursor) {
        let list = ListArea::new(boxed(body).inner, self.ripple.lines.len());
        let mut cursor = self.cursor;
        cursor.fit(Page::flat(list.len, list.height()));
        (list, cursor)
    }

    /// The end in another stack on a line.
    fn other(&self, at: usize) -> Option<&OtherEnd> {
        match self.ripple.lines.get(at)?.subject {
            Subject::Own(_) => None,
            Subject::Other(index) => self.ripple.others.get(index),
        }
    }

    /// Goes to the selected resource, in this stack or in another one.
    fn enter(&self) -> Outcome {
        if let Some(id) = self.subject().own() {
            return Outcome::GoTo(id);
        }
        let other = self.other(self.cursor.row);
        other.map_or(Outcome::Done, |end| {
            Outcome::open_other(end, self.ripple.among.as_ref())
        })
    }

    /// The dependent resource of the edge to a line, and the resource that it depends on. `None` for the cause, and in another stack.
    fn edge(&self, at: usize) -> Option<(ResourceId, ResourceId)> {
        let line = self.ripple.lines.get(at).filter(|_| at > 0)?;
        let parent = self.ripple.lines[line.parent].subject.own()?;
        let id = line.subject.own()?;
        Some(match self.ripple.origin.direction {
            Direction::UsedBy => (id, parent),
            Direction::DependsOn => (parent, id),
        })
    }

    /// The lines on the screen whose edges have no reason yet, each with the edge.
    pub fn unexplained(&self, body: Rect) -> Vec<(usize, (ResourceId, ResourceId))> {
        let (list, cursor) = self.list_area(body);
        let missing = list.rows(cursor.top).map(|(_, at)| at);
        let missing = missing.filter(|at| !self.reasons.contains_key(at));
        missing
            .filter_map(|at| Some((at, self.edge(at)?)))
            .collect()
    }

    /// Takes the properties that carry the edge to a line.
    pub fn explain(&mut self, at: usize, properties: &[CarryingProperty]) {
        if let Some(edge) = self.edge(at) {
            self.reasons
                .insert(at, why(&self.ripple.stack, edge, Some(properties)));
        }
    }
}

impl Popup for RippleView {
    fn scopes(&self) -> &'static [Scope] {
        &[Scope::Ripple, Scope::List]
    }

    fn area(&self, stage: Stage) -> Rect {
        stage.body
    }

    fn view(&self, theme: &Theme, stage: Stage, buffer: &mut Buffer) {
        self.draw(theme, stage.body, buffer);
    }

    fn list(&self, stage: Stage) -> Option<(ListArea, Cursor)> {
        Some(self.list_area(stage.body))
    }

    fn cursor(&mut self) -> Option<&mut Cursor> {
        Some(&mut self.cursor)
    }

    fn row_use(&self, _: usize) -> RowUse {
        RowUse::Open(Command::Accept)
    }

    fn update(&mut self, command: Command, stage: Stage) -> Outcome {
        match command {
            Command::Move(motion) => walk(self, motion, stage),
            Command::OtherDirection => {
                let direction = match self.ripple.origin.direction {
                    Direction::DependsOn => Direction::UsedBy,
                    Direction::UsedBy => Direction::DependsOn,
                };
                let cause = self.ripple.origin.cause;
                return Outcome::Ripple(RippleOrigin {
                    cause,
                    direction,
                    selected: cause,
                });
            }
            Command::Accept => return self.enter(),
            Command::Cancel => return Outcome::Close,
            _ => return Outcome::Nothing,
        }
        Outcome::Done
    }
}
