//! The details of the selected node: a few header lines that identify it, then its values.

mod header;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

pub(in crate::modules::tui) use header::strange_host;

use super::list::{Folded, RowList};
use super::outputs::{self, Changes};
use super::{Ctx, WrappedRow, draw_row, n_lines_of_row};
use crate::format::ReadError;
use crate::path::{Path, Segment};
use crate::stack::graph::Direction;
use crate::stack::{Resource, ResourceId, Stack};
use crate::tree::Node;
use crate::tui::command::{FoldCommand, Motion};
use crate::tui::layout::Pane;
use crate::tui::rows::{self, Fold, Look, Part, Row, Span, Spot, Zone};
use crate::tui::session::Session;
use crate::tui::theme::Role;
use crate::tui::widgets::cursor::{Cursor, Page, Scroll, Step, step};
use crate::tui::widgets::frame::{self, Labels};
use crate::tui::widgets::pen::Pen;
use crate::tui::widgets::scrollbar::{self, Bar};
use crate::tui::widgets::text::{cells, count, fit_middle, wrap_words};
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
    summary: Option<String>,
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

    /// Sets the text about the contents of a folder.
    pub fn set_summary(&mut self, summary: String) {
        self.summary = Some(summary);
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
    pub fn remake(&mut self, revealed: Option<&Spot>, pulumi: bool, stack: &Stack, pane: Pane) {
        let parts = self.shown_parts();
        let mut all: Vec<Row> = Vec::new();
        let n_sections = parts
            .iter()
            .filter(|(part, _)| !part.starts_closed())
            .count();
        for (part, value) in &parts {
            let look = Look {
                open: &self.list.open,
                revealed,
                sources: &self.sources,
                pulumi,
            };
            let top = Spot::top(*part);
            let mut depth = 0;
            if n_sections > 1 || part.starts_closed() {
                let is_flipped = self.list.open.contains(&top);
                let open = is_flipped == part.starts_closed();
                all.push(super::tree::heading(*part, value, open));
                if !open {
                    continue;
                }
                depth = 1;
            }
            all.extend(rows::rows_below(value, &top, depth, look));
        }
        if !self.changes.is_empty() {
            let is_before = |part: Part| matches!(part, Part::Before(_));
            let mut values = self.values.iter();
            let before = values.find(|(part, _)| is_before(*part));
            let before = before.map(|(_, value)| value);
            outputs::annotate(&mut all, &self.changes, before, revealed);
        }
        self.list.set_rows(all);
        self.fit(stack, pane);
    }

    /// Lets the cursor do something in the rows as they stand on the screen.
    fn with_cursor<T>(
        &mut self,
        stack: &Stack,
        pane: Pane,
        act: impl FnOnce(&mut Cursor, Page<'_>) -> T,
    ) -> T {
        let area = self.values_area(stack, pane);
        let mut cursor = self.list.cursor;
        let n_lines = |row| self.n_lines(row, area);
        let done = act(&mut cursor, self.page(area, &n_lines));
        self.list.cursor = cursor;
        done
    }

    fn page<'a>(&self, area: Rect, n_lines: &'a dyn Fn(usize) -> usize) -> Page<'a> {
        let (len, height) = (self.list.rows.len(), usize::from(area.height));
        if self.wrap {
            Page::of_lines(len, height, n_lines)
        } else {
            Page::flat(len, height)
        }
    }

    /// Brings the selected row onto the screen.
    pub fn fit(&mut self, stack: &Stack, pane: Pane) {
        self.with_cursor(stack, pane, super::super::widgets::cursor::Cursor::fit);
    }

    /// Scrolls the values.
    pub fn scroll(&mut self, scroll: Scroll, stack: &Stack, pane: Pane) {
        self.with_cursor(stack, pane, |cursor, page| cursor.scroll(scroll, page));
    }

    /// Selects a row that the person points at.
    pub fn point_at(&mut self, row: usize, stack: &Stack, pane: Pane) {
        self.with_cursor(stack, pane, |cursor, page| cursor.point_at(row, page));
    }

    /// Moves the cursor. `count` is the count typed before the motion.
    pub fn move_by(&mut self, motion: Motion, count: Option<usize>, stack: &Stack, pane: Pane) {
        let area = self.values_area(stack, pane);
        let n_lines = |row| self.n_lines(row, area);
        match step(motion, count, self.page(area, &n_lines)) {
            Step::Siblings(steps) => self.list.sibling(steps),
            Step::Around(times) => {
                for _ in 0..times {
                    self.list.around();
                }
            }
            step @ (Step::By(_) | Step::Lines(_) | Step::Row(_) | Step::OtherPane(_)) => {
                self.with_cursor(stack, pane, |cursor, page| cursor.take(step, page));
            }
        }
        self.fit(stack, pane);
    }

    /// Opens or closes containers, or moves among them. The caller builds the rows again if containers changed.
    pub fn fold(&mut self, command: FoldCommand) -> Folded {
        let fold = self.list.selected().map(|row| row.fold);
        let before = self.list.open.clone();
        match command {
            FoldCommand::OpenAll => self.set_levels(usize::MAX),
            FoldCommand::Level(level) => self.set_levels(usize::from(level).saturating_sub(1)),
            FoldCommand::CloseAll => self.set_levels(0),
            FoldCommand::OpenBelow => self.open_below(),
            FoldCommand::Activate | FoldCommand::Toggle => return self.list.toggle(),
            FoldCommand::Open if fold == Some(Fold::Closed) => return self.list.toggle(),
            FoldCommand::Open => return Folded::Leaf,
            FoldCommand::Expand => return self.list.expand(),
            FoldCommand::Close | FoldCommand::Collapse => return self.list.collapse(),
        }
        if self.list.open == before {
            Folded::Leaf
        } else {
            Folded::Changed
        }
    }

    /// Opens `levels` levels of containers and closes the rest.
    fn set_levels(&mut self, levels: usize) {
        let tops = Part::ALL.map(Spot::top);
        self.list.open.retain(|spot| tops.contains(spot));
        for (part, value) in self.shown_parts() {
            let found = rows::containers(&value, &Spot::top(part), levels, LIMIT);
            self.list.open.extend(found);
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
                let mut spans = Vec::new();
                for (parts, text) in tabs {
                    if !spans.is_empty() {
                        spans.push(Span::new(" · ", Role::Dim));
                    }
                    spans.push(if parts == self.parts {
                        Span::new(format!("[{text}]"), Role::Title)
                    } else {
                        Span::new(text, Role::Dim)
                    });
                }
                spans
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
        let len = self.list.rows.len();
        let labels = Labels {
            title: fit_middle(&title, usize::from(pane.outer.width).saturating_sub(6)),
            status: match len {
                0 => String::new(),
                _ => format!(
                    "{} of {}",
                    count(self.list.cursor.row as u64 + 1),
                    count(len as u64)
                ),
            },
            focused: ctx.focused,
        };
        frame::draw(pane, &labels, ctx.theme, buffer);
        let area = pane.inner;
        let height = self.header_height(ctx.session.stack(), area.height);
        let lines = self.header(ctx.session.stack());
        for (line, text) in (0..height).zip(&lines) {
            text.draw(&mut Pen::new(buffer, ctx.theme, area, line));
        }
        let area = self.values_area(ctx.session.stack(), pane);
        if let Some(Err(error)) = &self.resource {
            let message = rows::shown(&error.to_string());
            let room = usize::from(area.width).saturating_sub(2);
            for (line, text) in (0..area.height).zip(wrap_words(&message, room)) {
                let mut pen = Pen::new(buffer, ctx.theme, area, line);
                pen.skip(1).put(text, Role::Danger);
            }
            return;
        }
        if self.subject == Some(Node::Outputs) && ctx.session.stack().outputs.is_empty() {
            let text = if ctx.session.loading.is_some() {
                "no outputs yet; the file is still being read"
            } else {
                "no outputs"
            };
            Pen::new(buffer, ctx.theme, area, 0)
                .skip(1)
                .put(text, Role::Dim);
            return;
        }
        self.draw_values(ctx, area, buffer);
        self.draw_sticky(ctx, area, buffer);
        let bar = self.bar(ctx.session.stack(), pane);
        scrollbar::draw(buffer, ctx.theme, bar);
    }

    /// The scrollbar of the values.
    pub fn bar(&self, stack: &Stack, pane: Pane) -> Bar {
        let area = self.values_area(stack, pane);
        let column = Rect {
            y: area.y,
            height: area.height,
            ..scrollbar::column(pane)
        };
        let n_lines = |row| self.n_lines(row, area);
        Bar::of(column, &self.list.cursor, self.page(area, &n_lines))
    }

    /// The containers of the first row on the screen, outermost first, if they are above the screen. They take one line.
    fn sticky(&self, area: Rect) -> Vec<usize> {
        let n_lines = |row| self.n_lines(row, area);
        let shown = self.list.cursor.shown(self.page(area, &n_lines));
        let Some(first) = shown.first() else {
            return Vec::new();
        };
        let top = first.row;
        // The line never covers the selected row.
        if top == 0 || self.list.cursor.row == top || first.n_hidden + first.lines.len() > 1 {
            return Vec::new();
        }
        self.list.containers_of(top + 1)
    }

    fn draw_sticky(&self, ctx: Ctx<'_>, area: Rect, buffer: &mut Buffer) {
        let sticky = self.sticky(area);
        if sticky.is_empty() {
            return;
        }
        let line = Rect { height: 1, ..area }.intersection(buffer.area);
        for position in line.positions() {
            buffer[position].reset();
        }
        let mut pen = Pen::new(buffer, ctx.theme, area, 0);
        pen.put_all(&self.sticky_line(&sticky, area));
    }

    fn sticky_line(&self, sticky: &[usize], area: Rect) -> [Span; 3] {
        let labels = sticky.iter().map(|row| &*self.list.rows[*row].label);
        let path = labels.collect::<Vec<_>>().join(" › ");
        let room = usize::from(area.width).saturating_sub(3);
        [
            Span::new("↑", Role::Dim),
            Span::fold(true, Role::Dim),
            Span::new(fit_middle(&path, room), Role::Key),
        ]
    }

    fn draw_values(&self, ctx: Ctx<'_>, area: Rect, buffer: &mut Buffer) {
        let cursor = self.list.cursor;
        let n_lines = |row| self.n_lines(row, area);
        for shown in cursor.shown(self.page(area, &n_lines)) {
            let Some(row) = self.list.rows.get(shown.row) else {
                continue;
            };
            let is_selected = shown.row == cursor.row;
            let lines = Rect {
                y: area.y + cells(shown.lines.start),
                height: cells(shown.lines.len()),
                ..area
            };
            let mut pen = Pen::new(buffer, ctx.theme, lines, 0);
            pen.put(if is_selected { "▶" } else { " " }, Role::Focus);
            if self.wrap {
                let wrapped = WrappedRow::new(row, pen.room(), max_align(area));
                for (line, index) in (0..lines.height).zip(shown.n_hidden..) {
                    let mut pen = Pen::new(buffer, ctx.theme, lines, line);
                    wrapped.draw(pen.skip(1), index);
                }
            } else {
                draw_row(&mut pen, row, max_align(area));
            }
            if is_selected {
                ctx.theme.highlight(buffer, lines, ctx.focused);
            }
        }
    }

    /// Number of lines of `area` that a row takes.
    fn n_lines(&self, row: usize, area: Rect) -> usize {
        match self.list.rows.get(row) {
            Some(row) if self.wrap => {
                let room = usize::from(area.width).saturating_sub(1);
                n_lines_of_row(row, room, max_align(area))
            }
            _ => 1,
        }
    }

    /// The row of values at a position, and the part of it that lies there.
    pub fn zone_at(&self, at: Position, ctx: Ctx<'_>, pane: Pane) -> Option<(usize, Zone)> {
        let area = self.values_area(ctx.session.stack(), pane);
        let line = usize::from(at.y.checked_sub(area.y)?);
        let mut pen = Pen::asking(ctx.theme, area, at);
        let sticky = self.sticky(area);
        if let (0, Some(container)) = (line, sticky.last()) {
            pen.put_all(&self.sticky_line(&sticky, area));
            return Some((*container, pen.zone()));
        }
        let n_lines = |row| self.n_lines(row, area);
        let (place, index) = self.list.cursor.at_line(line, self.page(area, &n_lines))?;
        let row = self.list.rows.get(place)?;
        pen.skip(1);
        if self.wrap {
            let wrapped = WrappedRow::new(row, pen.room(), max_align(area));
            wrapped.draw(&mut pen, index);
        } else {
            draw_row(&mut pen, row, max_align(area));
        }
        Some((place, pen.zone()))
    }

    /// The selected row on the screen.
    pub fn selected_area(&self, stack: &Stack, pane: Pane) -> Option<Rect> {
        let area = self.values_area(stack, pane);
        let n_lines = |row| self.n_lines(row, area);
        let lines = self.list.cursor.lines(self.page(area, &n_lines))?;
        let above = usize::from(area.y - pane.inner.y);
        Some(pane.lines(above + lines.start..above + lines.end))
    }

    /// The area of the values, below the header.
    pub fn values_area(&self, stack: &Stack, pane: Pane) -> Rect {
        let area = pane.inner;
        let header = self.header_height(stack, area.height);
        Rect::new(
            area.x,
            area.y + header,
            area.width,
            area.height.saturating_sub(header),
        )
    }
}

/// Maximum width of a label that aligns values. A wider label does not move the values of its neighbors to the right.
fn max_align(area: Rect) -> usize {
    usize::from(area.width) / 3
}
