//! The panes: their state, the commands that change it and their drawing. Panes do not know each other; the model routes.

pub mod changes;
pub mod detail;
pub mod diff;
pub mod list;
pub mod outputs;
pub mod tree;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use ratatui::buffer::Buffer;

use super::layout::Pane;
use super::outline::Strip;
use super::rows::{Fold, Row, Span};
use super::session::Session;
use super::theme::{Role, Theme};
use super::widgets::frame::{self, Labels};
use super::widgets::pen::{joined, width_of, wrapped};
use super::widgets::text::{fit_middle, width};
use crate::path::Segment;
use crate::search::{At, Index, PropertyAddress, Reading, SearchResult};
use crate::stack::{Flags, Output, ResourceId, Section, Stack};

/// A query that narrows a list of resources to those that it finds.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Filter {
    /// The query as it was typed.
    pub query: String,
    /// The resources that match, ascending.
    pub ids: Arc<Vec<ResourceId>>,
    /// The positions of the changed outputs that match, or that have a value that does.
    pub outputs: Arc<HashSet<usize>>,
    /// Number of resources that were searched.
    pub n_seen: usize,
    /// The way in which the words of the query were matched.
    pub reading: Reading,
    /// The best hit in each resource that is listed for something inside, as far as the search knows its hits.
    pub inside: Arc<HashMap<ResourceId, Inside>>,
}

/// A property for which a resource is listed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Inside {
    /// Its path, in which `[*]` is some element.
    pub path: String,
    /// The property; `None` if the values were not read for the search.
    pub place: Option<PropertyAddress>,
}

impl Filter {
    /// A filter whose query is still to be searched.
    pub fn new(query: String) -> Self {
        Self {
            query,
            ..Self::default()
        }
    }

    /// Takes the result of a search in an index.
    #[must_use]
    pub fn with(self, found: &SearchResult, index: &Index) -> Self {
        Self {
            query: self.query,
            ids: Arc::new(found.resources.clone()),
            outputs: Arc::new(found_outputs(found, index.stack())),
            n_seen: index.n_resources(),
            reading: found.reading,
            inside: Arc::new(inside(found, index)),
        }
    }
}

/// The positions of the changed outputs that have hits. Those of Pulumi are properties of the stack.
pub fn found_outputs(found: &SearchResult, stack: &Stack) -> HashSet<usize> {
    let own = found.outputs.iter().map(|hit| &hit.place.path);
    let of_stack = found.hits.iter().filter_map(|hit| match &hit.at {
        At::Property(place) if place.section == Section::Outputs => {
            let is_of_stack = stack.record(hit.resource).flags.contains(Flags::STACK);
            is_of_stack.then_some(&place.path)
        }
        At::Resource | At::Indexed(_) | At::Property(_) => None,
    });
    let names: HashSet<&Segment> = own.chain(of_stack).filter_map(|it| it.0.first()).collect();
    let is_found =
        |it: &Output| it.is_changed() && names.contains(&Segment::Key(Arc::clone(&it.name)));
    let outputs = stack.outputs.iter().enumerate();
    let of_them = outputs.filter(|(_, output)| is_found(output));
    of_them.map(|(at, _)| at).collect()
}

/// The best hit in each resource that is no hit itself.
fn inside(found: &SearchResult, index: &Index) -> HashMap<ResourceId, Inside> {
    let mut best = HashMap::new();
    let mut whole = HashSet::new();
    for hit in &found.hits {
        let (path, place) = match &hit.at {
            At::Resource => {
                whole.insert(hit.resource);
                continue;
            }
            At::Indexed(id) => (index.path_text(*id).to_owned(), None),
            At::Property(place) => (place.path.to_string(), Some(place.clone())),
        };
        best.entry(hit.resource).or_insert(Inside { path, place });
    }
    best.retain(|id, _| !whole.contains(id));
    best
}

/// Everything a pane may see besides its own state.
#[derive(Clone, Copy)]
pub struct Ctx<'a> {
    /// The open file, and the choices that all views share.
    pub session: &'a Session,
    /// The colors and styles of the screen.
    pub theme: &'a Theme,
    /// True if the pane has the keyboard focus.
    pub focused: bool,
}

impl Ctx<'_> {
    /// Draws the frame of a pane.
    pub fn frame(
        &self,
        pane: Pane,
        title: impl Into<String>,
        status: impl Into<String>,
        buffer: &mut Buffer,
    ) {
        let labels = Labels {
            focused: self.focused,
            ..Labels::of(title, status)
        };
        frame::draw(pane, &labels, self.theme, buffer);
    }
}

/// Minimum width in cells of the column that wraps a long value beside its label. A value without that room starts below.
const MIN_COLUMN: usize = 12;

/// Maximum number of lines of one row.
const MAX_LINES: usize = 500;

/// The sign between the sides of a change.
const ARROW: &str = " → ";

/// The layout of a row of values on its line.
struct Places {
    /// Blanks after the label.
    padding: usize,
    /// Spans at the right end.
    remarks: Vec<Span>,
    /// Column where the value starts, in cells.
    at: usize,
    /// Room for the value, in cells.
    room: usize,
}

impl Places {
    fn new(row: &Row, room: usize, max_align: usize) -> Self {
        let mut at = (2 * row.depth).min(room / 3) + 2;
        at += if row.sign.is_some() { 2 } else { 0 };
        if is_heading(row) {
            at += width(&row.label);
            return Self {
                padding: 0,
                remarks: Vec::new(),
                at: at.min(room),
                room: room.saturating_sub(at),
            };
        }
        let mut padding = 0;
        if !row.label.is_empty() {
            let align = row.align.min(max_align);
            padding = align.saturating_sub(width(&row.label)) + 2;
            at += width(&row.label) + padding;
        }
        let left = room.saturating_sub(at);
        // Remarks give way to values: a link is worth more room than a hint.
        let wanted = width_of(&row.body) + 1;
        let links = joined(
            row.remark
                .iter()
                .filter(|it| it.role == Role::Reference)
                .cloned(),
            "  ",
        );
        let all = joined(row.remark.iter().cloned(), "  ");
        let remarks = if width_of(&all) + wanted.min(24) <= left {
            all
        } else if width_of(&links) + wanted.min(16) <= left {
            links
        } else {
            Vec::new()
        };
        let taken = width_of(&remarks) + usize::from(!remarks.is_empty());
        Self {
            padding,
            remarks,
            at: at.min(room),
            room: left.saturating_sub(taken),
        }
    }

    /// The wrapped lines of the value and the column where continuation lines start. `None` if the value fits on its line.
    fn wrapped(&self, row: &Row, room: usize) -> Option<(usize, Vec<Vec<Span>>)> {
        if width_of(&row.body) <= self.room {
            return None;
        }
        if self.room >= MIN_COLUMN {
            return Some((self.at, wrapped(&row.body, self.room, MAX_LINES)));
        }
        // There is no room for a column beside a long label, so the value starts below it.
        let at = (2 * row.depth + 4).min(room / 3);
        let mut lines = vec![Vec::new()];
        lines.extend(wrapped(&row.body, room.saturating_sub(at), MAX_LINES));
        Some((at, lines))
    }
}

/// True for the heading of a part.
fn is_heading(row: &Row) -> bool {
    row.spot.path.0.is_empty() && row.spot.inside.is_none() && !row.label.is_empty()
}

/// The line of a row of values in `room` cells: fold sign, label, value and the remarks at the right.
pub(super) fn line_of_row(row: &Row, room: usize, max_align: usize) -> Strip {
    // A label of any length leaves room for the value.
    let wanted = width_of(&row.body).min(room / 2);
    let left = room.saturating_sub((2 * row.depth).min(room / 3) + 6 + wanted);
    let cut = (width(&row.label) > left.max(room / 3)).then(|| Row {
        label: fit_middle(&row.label, left.max(room / 3)),
        ..row.clone()
    });
    let row = cut.as_ref().filter(|_| wanted > 0).unwrap_or(row);
    let places = Places::new(row, room, max_align);
    let body = both_sides(&row.body, places.room);
    first_line(row, places, room, body)
}

/// The lines of a row of values in `room` cells. A long value is wrapped.
pub(super) fn lines_of_row(row: &Row, room: usize, max_align: usize) -> Vec<Strip> {
    let places = Places::new(row, room, max_align);
    let Some((start, lines)) = places.wrapped(row, room) else {
        return vec![first_line(row, places, room, row.body.clone())];
    };
    let mut lines = lines.into_iter();
    let first = first_line(row, places, room, lines.next().unwrap_or_default());
    let more = lines.map(|spans| Strip::from(spans).indented(start));
    [first].into_iter().chain(more).collect()
}

/// The value of a row in `room` cells. If it is a change that does not fit, both sides are cut in the middle, so that neither
/// disappears.
fn both_sides(body: &[Span], room: usize) -> Vec<Span> {
    let arrow = body.iter().position(|span| span.text == ARROW);
    let Some(arrow) = arrow.filter(|_| width_of(body) > room) else {
        return body.to_vec();
    };
    let (old, new) = (&body[..arrow], &body[arrow + 1..]);
    let free = room.saturating_sub(width(ARROW));
    // The side that needs less than half leaves the rest to the other one.
    let of_old = width_of(old).min((free / 2).max(free.saturating_sub(width_of(new))));
    let cut = |side: &[Span], room: usize| {
        if width_of(side) <= room {
            return side.to_vec();
        }
        let text: String = side.iter().map(|span| &*span.text).collect();
        let text = fit_middle(&text, room);
        vec![side.first().map_or_else(
            || Span::new(&text, Role::Text),
            |span| span.with_text(&text),
        )]
    };
    [
        cut(old, of_old),
        vec![body[arrow].clone()],
        cut(new, free - of_old),
    ]
    .concat()
}

/// The first line of a row, with this part of its value.
fn first_line(row: &Row, places: Places, room: usize, body: Vec<Span>) -> Strip {
    let mut spans = vec![fold_sign(row.fold)];
    if let Some(sign) = &row.sign {
        spans.extend([sign.clone(), Span::new(" ", Role::Text)]);
    }
    let role = if is_heading(row) {
        Role::Title
    } else {
        Role::Key
    };
    spans.push(Span::new(&row.label, role));
    spans.push(Span::new(" ".repeat(places.padding), Role::Text));
    spans.extend(body);
    let indent = (2 * row.depth).min(room / 3);
    Strip::from(spans).ending(places.remarks).indented(indent)
}

/// The fold sign in front of a row.
pub(super) fn fold_sign(fold: Fold) -> Span {
    match fold {
        Fold::Leaf => Span::new("  ", Role::Dim),
        Fold::Closed => Span::fold(false, Role::Dim),
        Fold::Open => Span::fold(true, Role::Dim),
    }
}
