//! The details of the selected node: a few header lines that identify it, then its values.

mod header;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

pub(in crate::modules::tui) use header::strange_host;

use super::list::{Folded, RowList};
use super::outputs::{self, Changes};
use super::{Ctx, line_of_row, lines_of_row};
use crate::format::ReadError;
use crate::path::{Path, Segment};
use crate::stack::graph::Direction;
use crate::stack::{Resource, ResourceId, Stack};
use crate::tree::Node;
use crate::tui::command::{FoldCommand, FoldStep};
use crate::tui::layout::Pane;
use crate::tui::outline::{CURSOR, Laid, RowLine, Strip};
use crate::tui::rows::{self, Look, Part, Row, Span, Spot};
use crate::tui::session::Session;
use crate::tui::theme::Role;
use crate::tui::widgets::cursor::Cursor;
use crate::tui::widgets::pen::{Pen, below, joined, put_text};
use crate::tui::widgets::text::{cells, fit_middle};
use crate::value::{Map, Value};

/// The values that are shown.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Parts {
    /// The inputs: the values that the program asked for.
    Inputs,
    /// The outputs: the values that the provider returned.
    #[default]
    Outputs,
    /// Both, with everything else in the file.
    Both,
}

impl Parts {
    /// The next choice, wrapping around at the end.
    #[must_use]
    pub fn next(self) -> Self {
        match self {
            Self::Inputs => Self::Outputs,
            Self::Outputs => Self::Both,
            Self::Both => Self::Inputs,
        }
    }

    /// The name shown to a person.
    pub fn name(self) -> &'static str {
        match self {
            Self::Inputs => "inputs",
            Self::Outputs => "outputs",
            Self::Both => "both",
        }
    }
}

/// Maximum number of containers opened at once. Opening more is of no use.
const LIMIT: usize = 50_000;

/// The details of one node of the tree.
#[derive(Clone, Default, Debug)]
pub struct DetailPane {
    /// The node that is shown.
    pub subject: Option<Node>,
    /// The resource of the node, once it is read.
    pub resource: Option<Result<Arc<Resource>, ReadError>>,
    /// The values that are shown.
    pub parts: Parts,
    /// The rows of values.
    pub list: RowList,
    /// True if long values wrap.
    pub wrap: bool,
    /// Number of resources of other stacks that the resource needs, and that need it.
    n_others: [usize; 2],
    sources: HashMap<Path, Vec<(String, String)>>,
    /// The values by part: those of the resource, or those of the stack's outputs.
    values: Vec<(Part, Value)>,
    /// The changes of the stack's outputs, if these are the subject.
    changes: Changes,
    /// A short text about the contents of a folder, or about the changes of the stack's outputs.
    pub summary: Option<String>,
}

impl DetailPane {
    /// Shows another node. Its resource arrives later through [`DetailPane::set_resource`].
    pub fn show(&mut self, subject: Option<Node>) {
        if self.subject != subject {
            self.subject = subject;
            self.resource = None;
            self.values.clear();
            self.changes = outputs::Changes::default();
            self.summary = None;
            self.n_others = [0; 2];
            self.list.rows.clear();
            self.list.cursor = Cursor::default();
        }
    }

    /// The resource that is shown.
    pub fn id(&self) -> Option<ResourceId> {
        match self.subject {
            Some(Node::Resource(id)) => Some(id),
            _ => None,
        }
    }

    /// The resource that is shown. `None` until it is read, or if reading failed.
    pub fn read(&self) -> Option<&Arc<Resource>> {
        self.resource.as_ref()?.as_ref().ok()
    }

    /// Takes the resource that was read, or the error.
    pub fn set_resource(&mut self, resource: Result<Arc<Resource>, ReadError>) {
        self.sources = resource
            .as_ref()
            .map(|resource| rows::sources(resource))
            .unwrap_or_default();
        self.values = resource
            .as_ref()
            .map(|resource| rows::parts(resource))
            .unwrap_or_default();
        self.resource = Some(resource);
    }

    /// Counts the resources of other stacks that the resource needs, and that need it.
    pub fn count_others(&mut self, session: &Session) {
        let (Some(id), Some(among)) = (self.id(), &session.among) else {
            return;
        };
        let read = self.read().map(|it| &**it);
        let others = |direction| among.others(session.stack(), id, read, direction).len();
        self.n_others = [Direction::DependsOn, Direction::UsedBy].map(others);
    }

    /// Takes the outputs of the stack.
    pub fn set_outputs(&mut self, stack: &Stack) {
        self.sources = HashMap::new();
        self.values = outputs::parts(stack);
        self.changes = outputs::changes(stack);
        let summary = outputs::summary(stack);
        self.summary = Some(summary).filter(|summary| !summary.is_empty());
    }

    /// The values by part.
    pub fn values(&self) -> &[(Part, Value)] {
        &self.values
    }

    /// Keeps only the outputs with these names. The title says the query that they were chosen by.
    pub fn narrow(&mut self, names: &HashSet<Segment>, query: &str) {
        for (_, value) in &mut self.values {
            let entries = value.as_map().into_iter().flatten();
            let kept = entries.filter(|(key, _)| names.contains(&Segment::Key((*key).clone())));
            let kept = kept.map(|(key, value)| (key.clone(), value.clone()));
            *value = Value::from(kept.collect::<Map>());
        }
        let filter = format!("filter: {}", rows::shown(query));
        let summary = self.summary.take().into_iter().chain([filter]);
        self.summary = Some(summary.collect::<Vec<_>>().join(" · "));
    }

    /// The parts that are shown, with their values.
    fn shown_parts(&self) -> Vec<(Part, Value)> {
        let has = |wanted: Part| self.values.iter().any(|(part, _)| *part == wanted);
        let wanted = match self.parts {
            // Parts that the resource does not have are not offered.
            Parts::Outputs if !has(Part::Outputs) => Parts::Inputs,
            Parts::Inputs if !has(Part::Inputs) => Parts::Outputs,
            parts => parts,
        };
        let is_wanted = |part: Part| match part {
            Part::Inputs => wanted != Parts::Outputs,
            Part::Outputs => wanted != Parts::Inputs,
            Part::Before(_) | Part::Options | Part::Fields => true,
        };
        let shown = self.values.iter().filter(|(part, _)| is_wanted(*part));
        shown.cloned().collect()
    }

    /// Rebuilds the rows.
    pub fn remake(&mut self, revealed: Option<&Spot>, stack: &Stack, pane: Pane) {
        let parts = self.shown_parts();
        let is_section = |(part, _): &&(Part, Value)| !part.starts_closed();
        let n_sections = parts.iter().filter(is_section).count();
        let look = Look {
            open: &self.list.open,
            revealed,
            sources: &self.sources,
            stack,
        };
        let mut all = rows::rows_of_parts(&parts, look, |part| {
            let has_heading = n_sections > 1 || part.starts_closed();
            let is_flipped = self.list.open.contains(&Spot::top(part));
            has_heading.then_some(is_flipped == part.starts_closed())
        });
        if !self.changes.is_empty() {
            let is_before = |part: Part| matches!(part, Part::Before(_));
            let mut values = self.values.iter();
            let before = values.find(|(part, _)| is_before(*part));
            let before = before.map(|(_, value)| value);
            outputs::annotate(&mut all, &self.changes, before, look);
        }
        self.list.set_rows(all);
        self.fit(stack, pane);
    }

    /// The rows as they stand on the screen.
    pub fn laid<'a>(&'a self, stack: &Stack, pane: Pane) -> Laid<'a> {
        let area = self.values_area(stack, pane);
        let room = usize::from(area.width.saturating_sub(CURSOR));
        // A wider label does not move the values of its neighbors to the right.
        let max_align = usize::from(area.width) / 3;
        let make = move |row: usize| match self.list.rows.get(row) {
            Some(row) if self.wrap => {
                let lines = lines_of_row(row, room, max_align).into_iter();
                lines.map(RowLine::from).collect()
            }
            Some(row) => vec![line_of_row(row, room, max_align).into()],
            None => Vec::new(),
        };
        let laid = Laid::new(pane, area, self.list.rows.len(), self.list.cursor, make);
        let laid = if self.wrap { laid } else { laid.flat() };
        let sticky = self.sticky(&laid, room);
        laid.below(sticky.into_iter().collect())
    }

    /// Brings the selected row onto the screen.
    pub fn fit(&mut self, stack: &Stack, pane: Pane) {
        let (cursor, ()) = self.laid(stack, pane).act(Cursor::fit);
        self.list.cursor = cursor;
    }

    /// Opens or closes containers, or moves among them. The caller builds the rows again if containers changed.
    pub fn fold(&mut self, command: FoldCommand) -> Folded {
        let is_open = self.list.selected().and_then(|row| row.fold.is_open());
        let before = self.list.open.clone();
        match command.on(is_open) {
            FoldStep::Toggle => return self.list.toggle(),
            FoldStep::Into => {
                self.list.cursor.select(self.list.cursor.row + 1);
                return Folded::Moved;
            }
            FoldStep::Out | FoldStep::OutAndClose => return self.list.around(),
            FoldStep::Enter => return Folded::Entered,
            FoldStep::Below => self.open_below(),
            FoldStep::Level(u16::MAX) => self.set_levels(usize::MAX),
            FoldStep::Level(level) => self.set_levels(usize::from(level).saturating_sub(1)),
            FoldStep::Nothing => return Folded::Nothing,
        }
        if self.list.open == before {
            Folded::Nothing
        } else {
            Folded::Changed
        }
    }

    /// Opens `levels` levels of containers and closes the rest.
    fn set_levels(&mut self, levels: usize) {
        let tops = Part::ALL.map(Spot::top);
        self.list.open.retain(|spot| tops.contains(spot));
        if levels == usize::MAX {
            self.open_headings();
        }
        for (part, value) in self.shown_parts() {
            let found = rows::containers(&value, &Spot::top(part), levels, LIMIT);
            self.list.open.extend(found);
        }
    }

    /// Opens the closed headings on the screen. The set holds what is not as it starts.
    fn open_headings(&mut self) {
        let tops = Part::ALL.map(Spot::top);
        let is_closed = |row: &&Row| row.fold.is_open() == Some(false) && tops.contains(&row.spot);
        for heading in self.list.rows.iter().filter(is_closed) {
            if !self.list.open.remove(&heading.spot) {
                self.list.open.insert(heading.spot.clone());
            }
        }
    }

    /// Opens the selected row and everything below it.
    fn open_below(&mut self) {
        let Some(spot) = self.list.selected_spot() else {
            return;
        };
        let parts = self.shown_parts();
        let Some((_, value)) = parts.iter().find(|(part, _)| *part == spot.part) else {
            return;
        };
        let found = rows::containers(value, &Spot::top(spot.part), usize::MAX, LIMIT);
        let is_below = |other: &Spot| {
            let outer = other.path.0.starts_with(&spot.path.0);
            let inner = match (&spot.inside, &other.inside) {
                (Some(inside), Some(other)) => other.0.starts_with(&inside.0),
                (Some(_), None) => false,
                (None, _) => true,
            };
            outer && inner
        };
        self.list.open.extend(found.into_iter().filter(is_below));
    }

    /// Number of header lines in a pane of this height.
    pub fn header_height(&self, stack: &Stack, height: u16) -> u16 {
        let lines = self.header(stack).len();
        match height {
            0..=7 => 0,
            8..=13 => cells(lines.min(2)),
            _ => cells(lines),
        }
    }

    fn header(&self, stack: &Stack) -> Vec<header::Line> {
        let Some(subject) = self.subject else {
            return Vec::new();
        };
        header::lines(
            stack,
            subject,
            self.n_others,
            self.read().map(|it| &**it),
            self.tabs(stack),
            self.summary.clone().filter(|_| subject != Node::Outputs),
        )
    }

    /// The line between header and values, which lists the parts.
    fn tabs(&self, stack: &Stack) -> Vec<Span> {
        let Some(state) = self.read().and_then(|resource| resource.current()) else {
            return Vec::new();
        };
        let n = |value: &Option<Value>| {
            let map = value.as_ref().and_then(Value::as_map);
            map.map_or(0, crate::value::Map::len)
        };
        match (&state.inputs, &state.outputs) {
            (None, None) => vec![Span::new("no values", Role::Dim)],
            (None, outputs) => {
                let name = if stack.header.kind.is_pulumi() {
                    "outputs"
                } else {
                    "attributes"
                };
                vec![Span::new(format!("{name} {}", n(outputs)), Role::Title)]
            }
            (inputs, None) => vec![Span::new(format!("inputs {}", n(inputs)), Role::Title)],
            (inputs, outputs) => {
                let tabs = [
                    (Parts::Inputs, format!("inputs {}", n(inputs))),
                    (Parts::Outputs, format!("outputs {}", n(outputs))),
                    (Parts::Both, "both".to_owned()),
                ];
                let tab = |(parts, text)| {
                    if parts == self.parts {
                        Span::new(format!("[{text}]"), Role::Title)
                    } else {
                        Span::new(text, Role::Dim)
                    }
                };
                joined(tabs.map(tab), " · ")
            }
        }
    }

    /// Draws the pane.
    pub fn view(&self, ctx: Ctx<'_>, pane: Pane, buffer: &mut Buffer) {
        let mut title = self
            .subject
            .map(|subject| header::title(ctx.session.stack(), subject))
            .unwrap_or_default();
        if let (Some(Node::Outputs), Some(summary)) = (self.subject, &self.summary) {
            title = format!("{title} · {summary}");
        }
        let status = self.list.cursor.words(self.list.rows.len());
        let title = fit_middle(&title, usize::from(pane.outer.width).saturating_sub(6));
        ctx.frame(pane, title, status, buffer);
        let area = pane.inner;
        let height = self.header_height(ctx.session.stack(), area.height);
        let lines = self.header(ctx.session.stack());
        for (line, text) in (0..height).zip(&lines) {
            text.draw(&mut Pen::new(buffer, ctx.theme, area, line));
        }
        let area = self.values_area(ctx.session.stack(), pane);
        if let Some(Err(error)) = &self.resource {
            let message = rows::shown(&error.to_string());
            put_text(&message, Role::Danger, ctx.theme, area, buffer);
            return;
        }
        if self.subject == Some(Node::Outputs) && ctx.session.stack().outputs.is_empty() {
            let text = if ctx.session.loading.is_some() {
                "no outputs yet; the file is still being read"
            } else {
                "no outputs"
            };
            put_text(text, Role::Dim, ctx.theme, area, buffer);
            return;
        }
        self.laid(ctx.session.stack(), pane)
            .draw(ctx.theme, ctx.focused, buffer);
    }

    /// The line of the containers of the first row on the screen, if they are above the screen, with the row of the innermost one.
    fn sticky(&self, laid: &Laid<'_>, room: usize) -> Option<(usize, Strip)> {
        let shown = laid.with_page(|page| self.list.cursor.shown(page));
        let first = shown.first()?;
        let top = first.row;
        // The line never covers the selected row.
        if top == 0 || self.list.cursor.row == top || first.n_hidden + first.lines.len() > 1 {
            return None;
        }
        let above = self.list.containers_of(top + 1);
        let labels = above.iter().map(|row| &*self.list.rows[*row].label);
        let path = labels.collect::<Vec<_>>().join(" › ");
        let spans = vec![
            Span::fold(true, Role::Dim),
            Span::new(fit_middle(&path, room.saturating_sub(2)), Role::Key),
        ];
        Some((*above.last()?, spans.into()))
    }

    /// The area of the values, below the header.
    pub fn values_area(&self, stack: &Stack, pane: Pane) -> Rect {
        let header = self.header_height(stack, pane.inner.height);
        below(pane.inner, usize::from(header))
    }
}
