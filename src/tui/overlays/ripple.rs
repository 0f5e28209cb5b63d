//! The ripple: what happens when a resource changes, in columns by distance. A narrow screen shows the same as an indented list.

mod draw;

use std::collections::HashMap;

use ratatui::layout::Rect;

use super::popup::{Popup, RowUse};
use super::{Outcome, boxed};
use crate::stack::ResourceId;
use crate::stack::graph::Direction;
use crate::tui::command::{Command, Motion, RippleCommand};
use crate::tui::edges::{CarryingProperty, why};
use crate::tui::keymap::Scope;
use crate::tui::layout::TWO_PANES_FROM;
use crate::tui::popup::Stage;
use crate::tui::ripple::layout::{Place, Subject};
use crate::tui::ripple::{Ripple, RippleOrigin};
use crate::tui::stacks::OtherEnd;
use crate::tui::theme::Theme;
use crate::tui::widgets::cursor::{Cursor, Page, Scroll, Step, step};
use crate::tui::widgets::scrollbar::Bar;
use ratatui::buffer::Buffer;

/// A ripple with a cursor.
#[derive(Clone, Debug)]
pub struct RippleView {
    ripple: Box<Ripple>,
    /// The reason for the edge to each place that was on the screen.
    reasons: HashMap<usize, String>,
    /// Index of the selected place.
    selected: usize,
    /// The first row on the screen.
    top: usize,
}

impl RippleView {
    /// A ripple with the cursor on the resource that was selected.
    pub fn new(ripple: Box<Ripple>) -> Self {
        let mut places = ripple.layout.places.iter();
        let selected = Subject::Own(ripple.origin.selected);
        let selected = places.position(|it| it.subject == selected);
        Self {
            ripple,
            reasons: HashMap::new(),
            selected: selected.unwrap_or(0),
            top: 0,
        }
    }

    /// The cause, the direction and the selected resource.
    pub fn origin(&self) -> RippleOrigin {
        RippleOrigin {
            selected: self
                .place()
                .subject
                .own()
                .unwrap_or(self.ripple.origin.cause),
            ..self.ripple.origin
        }
    }

    fn place(&self) -> Place {
        self.ripple.layout.places[self.selected]
    }

    /// The position of the selected place in its column or in the indented list, and the length of that.
    fn position(&self, body: Rect) -> (usize, usize) {
        if is_wide(body) {
            let column = self.ripple.layout.column(self.place().depth);
            (self.selected - column.start, column.len())
        } else {
            (self.place().line, self.ripple.layout.places.len())
        }
    }

    /// Moves up or down: in the column, or in the indented list.
    fn step(&mut self, motion: Motion, body: Rect) {
        let (at, len) = self.position(body);
        let row = match step(motion, None, Page::flat(len, height(body))) {
            Step::By(delta) | Step::Lines(delta) => at.saturating_add_signed(delta),
            Step::Row(row) => row,
            Step::Siblings(_) | Step::Around(_) | Step::OtherPane(_) => at,
        };
        self.go(row.min(len - 1), body);
    }

    /// Goes to a position in the column or in the indented list.
    fn go(&mut self, row: usize, body: Rect) {
        self.selected = if is_wide(body) {
            self.ripple.layout.column(self.place().depth).start + row
        } else {
            self.ripple.layout.on_line(row).unwrap_or(self.selected)
        };
    }

    /// The row of the selected place, and the first row on a screen.
    fn place_on_screen(&self, body: Rect) -> Cursor {
        let (row, len) = if is_wide(body) {
            (self.place().row, self.ripple.layout.n_rows)
        } else {
            (self.place().line, self.ripple.layout.places.len())
        };
        let mut cursor = Cursor::at(row, self.top);
        cursor.fit(Page::flat(len, height(body)));
        cursor
    }

    fn scrollbar(&self, body: Rect) -> Bar {
        let inner = boxed(body).inner;
        let headings = u16::from(is_wide(body)).min(inner.height);
        let len = if is_wide(body) {
            self.ripple.layout.n_rows
        } else {
            self.ripple.layout.places.len()
        };
        let area = Rect {
            x: inner.right().saturating_sub(1),
            y: inner.y + headings,
            width: inner.width.min(1),
            height: inner.height - headings,
        };
        Bar::flat(area, self.place_on_screen(body).top, len)
    }

    /// The end in another stack at a place.
    fn other(&self, at: usize) -> Option<&OtherEnd> {
        match self.ripple.layout.places.get(at)?.subject {
            Subject::Own(_) => None,
            Subject::Other(index) => self.ripple.others.get(index),
        }
    }

    /// Goes to the selected resource, in this stack or in another one.
    fn enter(&self) -> Outcome {
        let place = self.place().subject;
        if let Some(id) = place.own() {
            return Outcome::GoTo(id);
        }
        let among = self.ripple.among.as_ref();
        let known = self.other(self.selected).zip(among);
        let place = known.and_then(|(end, among)| among.place_of(end.stack?));
        match (place, known) {
            (Some(place), Some((end, _))) => Outcome::ShowOther {
                place: place.clone(),
                resource: end.resource.clone(),
                view: end.view(),
            },
            (_, Some((end, _))) => {
                Outcome::Say(format!("{} is not in the list of stacks", end.name))
            }
            (_, None) => Outcome::Done,
        }
    }

    /// The dependent resource of the edge to a place, and the resource that it depends on. `None` for the cause, and in another stack.
    fn edge(&self, at: usize) -> Option<(ResourceId, ResourceId)> {
        let place = self.ripple.layout.places.get(at).filter(|_| at > 0)?;
        let parent = self.ripple.layout.places[place.parent].subject.own()?;
        let id = place.subject.own()?;
        Some(match self.ripple.origin.direction {
            Direction::UsedBy => (id, parent),
            Direction::DependsOn => (parent, id),
        })
    }

    /// The places on the screen whose edges have no reason yet, each with the edge.
    pub fn unexplained(&self, body: Rect) -> Vec<(usize, (ResourceId, ResourceId))> {
        let missing = self.visible(body).into_iter();
        let missing = missing.filter(|at| !self.reasons.contains_key(at));
        missing
            .filter_map(|at| Some((at, self.edge(at)?)))
            .collect()
    }

    /// Takes the properties that carry the edge to a place.
    pub fn explain(&mut self, at: usize, properties: &[CarryingProperty]) {
        if let Some(edge) = self.edge(at) {
            self.reasons
                .insert(at, why(&self.ripple.stack, edge, Some(properties)));
        }
    }
}

impl Popup for RippleView {
    fn scopes(&self) -> &'static [Scope] {
        &[Scope::Ripple]
    }

    fn area(&self, stage: Stage) -> Rect {
        stage.body
    }

    fn view(&self, theme: &Theme, stage: Stage, buffer: &mut Buffer) {
        self.draw(theme, stage.body, buffer);
    }

    fn rows(&self, stage: Stage) -> Vec<(Rect, usize)> {
        self.places(stage.body)
    }

    fn row_use(&self, _: usize) -> RowUse {
        RowUse::Open(Command::Accept)
    }

    fn selected(&self, _: Stage) -> Option<usize> {
        Some(self.selected)
    }

    fn point_at(&mut self, at: usize, stage: Stage) -> Outcome {
        self.selected = at;
        self.top = self.place_on_screen(stage.body).top;
        Outcome::Done
    }

    fn update(&mut self, command: Command, stage: Stage) -> Outcome {
        let body = stage.body;
        match command {
            Command::Move(motion) => self.step(motion, body),
            Command::Ripple(RippleCommand::Nearer) => {
                let parent = self.place().parent;
                if std::mem::replace(&mut self.selected, parent) == parent {
                    return Outcome::Nothing;
                }
            }
            Command::Ripple(RippleCommand::Further) => {
                let Some(child) = self.ripple.layout.first_child(self.selected) else {
                    return Outcome::Nothing;
                };
                self.selected = child;
            }
            Command::Ripple(RippleCommand::OtherDirection) => {
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
        self.top = self.place_on_screen(body).top;
        Outcome::Done
    }

    fn bar(&self, stage: Stage) -> Option<Bar> {
        Some(self.scrollbar(stage.body))
    }

    /// Moves by as many rows: the selected place stays on the screen.
    fn scroll(&mut self, scroll: Scroll, stage: Stage) -> Outcome {
        let body = stage.body;
        let rows = |row: usize| isize::try_from(row).unwrap_or(isize::MAX);
        let delta = match scroll {
            Scroll::By(delta) => delta,
            Scroll::To(top) => rows(top) - rows(self.place_on_screen(body).top),
        };
        let (at, len) = self.position(body);
        self.go(at.saturating_add_signed(delta).min(len - 1), body);
        self.top = self.place_on_screen(body).top;
        Outcome::Done
    }
}

/// True if a body has room for columns.
fn is_wide(body: Rect) -> bool {
    body.width >= TWO_PANES_FROM
}

/// Number of rows shown at once. The columns have a line of headings.
fn height(body: Rect) -> usize {
    let height = usize::from(boxed(body).inner.height);
    height.saturating_sub(usize::from(is_wide(body)))
}
