//! Draws the list of many stacks: a line for each stack with its columns, for each heading with its sums, and for each hit.

use ratatui::buffer::Buffer;

use super::StacksView;
use crate::text::counted;
use crate::tui::command::{Command, FoldCommand, MarkCommand, SearchCommand};
use crate::tui::hit_lines::column;
use crate::tui::keymap::{self, Scope};
use crate::tui::layout::Pane;
use crate::tui::outline::{CURSOR, Laid, RowLine, Strip};
use crate::tui::panes::Ctx;
use crate::tui::rows::{Span, shown};
use crate::tui::stacks::{
    Cells, Column, Contents, Key, ListLine, Order, StackRow, badges, cells, padded, plural_of,
};
use crate::tui::theme::Role;
use crate::tui::widgets::pen::{Pen, put_text, width_of};
use crate::tui::widgets::text::{count, fit_end, fit_middle, n_of, plural, width};

/// Cells before a name, for the mark of the comparison.
const MARK: usize = 2;

/// Cells between two columns.
const GAP: usize = 2;

/// Cells of an indent.
const INDENT: usize = 2;

/// Minimum room in which long names get three sevenths of it and not more, and the sorted column is never left out.
const WIDE: usize = 60;

/// Minimum width of a column that its cells do not fit into.
const MIN_COLUMN: usize = 12;

/// Minimum room for names beside other columns.
const MIN_NAME: usize = 16;

/// Cells of the line about a comparison without the two names.
const AROUND_PAIR: usize = 54;

/// Maximum width of the places in the frame, in cells, and the least that says something.
const MAX_ROOTS: usize = 60;
const MIN_ROOTS: usize = 8;

/// The width of a line and of the names, and the columns beside them with their widths.
struct Columns {
    room: usize,
    name: usize,
    others: Vec<(Column, usize)>,
}

impl StacksView {
    /// Draws the view.
    pub(super) fn draw(&self, ctx: Ctx<'_>, pane: Pane, buffer: &mut Buffer) {
        let [title, status] = self.labels(pane);
        ctx.frame(pane, title, status, buffer);
        let [titles, rows, edges] = self.parts(pane);
        if let Some((text, role)) = self.remark() {
            put_text(&text, role, ctx.theme, rows, buffer);
        } else {
            let mut pen = Pen::new(buffer, ctx.theme, titles, 0);
            pen.skip(usize::from(CURSOR));
            pen.put_all(&self.titles(&self.columns(pane)));
        }
        self.lines(pane).draw(ctx.theme, ctx.focused, buffer);
        self.draw_edges(ctx.theme, edges, buffer);
    }

    /// The rows as they stand on the screen.
    pub(super) fn lines(&self, pane: Pane) -> Laid<'_> {
        let [_, rows, _] = self.parts(pane);
        let layout = self.columns(pane);
        let make = move |line| self.arranged.at(line).map(|it| self.line(&it, &layout));
        let make = move |line| make(line).map(RowLine::from).into_iter().collect();
        Laid::new(pane, rows, self.n_lines(), self.cursor, make).flat()
    }

    /// The columns that have a text and fit beside the names.
    fn columns(&self, pane: Pane) -> Columns {
        let room = usize::from(pane.inner.width.saturating_sub(CURSOR));
        let wanted = MARK + self.fold_width() + self.arranged.name_width + 1;
        // Names take what they need, but a few long ones do not take all.
        let most = if room >= WIDE {
            room * 3 / 7
        } else {
            room * 3 / 5
        };
        let name = wanted.min(most.max(MIN_NAME.min(room)));
        let mut left = room.saturating_sub(name);
        let mut chosen = Vec::new();
        let sorted = self.shown_order().column().filter(|_| room >= WIDE);
        let others = Column::BY_NEED.into_iter();
        let others = others.filter(|column| Some(*column) != sorted);
        for column in sorted.into_iter().chain(others) {
            let needed = self.arranged.widths[column as usize];
            let most = left.saturating_sub(GAP);
            // A number is not cut.
            let least = if column.is_right() {
                needed
            } else {
                needed.min(MIN_COLUMN)
            };
            if needed == 0 || most < least {
                continue;
            }
            let title = width(&self.title(Some(column)).text);
            let wide = needed.max(title.min(column.max_width())).min(most);
            left -= wide + GAP;
            chosen.push((column, wide));
        }
        chosen.sort_by_key(|(column, _)| *column as usize);
        Columns {
            room,
            name: name + left,
            others: chosen,
        }
    }

    fn fold_width(&self) -> usize {
        if self.arranged.has_folds { INDENT } else { 0 }
    }

    /// The titles of the columns.
    fn titles(&self, layout: &Columns) -> Vec<Span> {
        let n_before = MARK + self.fold_width();
        let name = [blank(n_before), self.title(None)];
        let titles = Column::ALL.map(|it| vec![self.title(Some(it))]);
        [column(&name, layout.name), in_columns(titles, layout)].concat()
    }

    /// The title of a column, or of the names, with a sign if it sorts the rows.
    fn title(&self, column: Option<Column>) -> Span {
        let title = column.map_or("name", Column::title);
        let order = self.shown_order();
        if order.column() != column {
            return Span::new(title, Role::Dim);
        }
        let sign = if order == Order::Name { "↑" } else { "↓" };
        Span::new(format!("{title} {sign}"), Role::Key)
    }

    fn line(&self, place: &ListLine<'_>, layout: &Columns) -> Vec<Span> {
        let Key::Row(row) = place.branch.key else {
            let name = self.named(place, layout, blank(MARK), (Role::Container, Vec::new()));
            let sums = place.branch.totals.cells(self.now);
            return [name, in_columns(sums, layout)].concat();
        };
        let Some(row) = self.rows.get(row) else {
            return Vec::new();
        };
        if let Some(hit) = place.hit {
            return self.hit(row, place.branch.depth, hit, layout);
        }
        let is_marked = self.marked.contains(&row.member.place);
        let mark = Span::new(if is_marked { "● " } else { "  " }, Role::Badge);
        let role = if row.is_original() {
            Role::Title
        } else {
            Role::Dim
        };
        let name = self.named(place, layout, mark, (role, badges(row)));
        if let Contents::Failed(error) = &row.contents {
            let error = shown(&without_place(error, row));
            let error = Span::new(format!("  ⚠ {error}"), Role::Danger);
            return [name, vec![error]].concat();
        }
        [name, in_columns(cells(row, self.now), layout)].concat()
    }

    /// The name in its column, with a mark and the sign of its fold before it and its badges after it.
    fn named(
        &self,
        place: &ListLine<'_>,
        layout: &Columns,
        mark: Span,
        (role, badges): (Role, Vec<Span>),
    ) -> Vec<Span> {
        let indent = INDENT * place.branch.depth;
        let sign = match self.is_open(place.at) {
            Some(is_open) => Span::fold(is_open, Role::Dim),
            None => blank(self.fold_width()),
        };
        let room = layout
            .name
            .saturating_sub(MARK + indent + self.fold_width());
        // A badge never takes the name's room.
        let name = Span::new(fit_middle(&place.branch.label, room), role);
        let name = vec![mark, blank(indent), sign, name];
        column(&[name, badges].concat(), layout.name)
    }

    fn hit(&self, row: &StackRow, depth: usize, hit: usize, layout: &Columns) -> Vec<Span> {
        let Some(hits) = self.finding.hits.get(&row.member.place) else {
            return Vec::new();
        };
        let indent = blank(MARK + INDENT * (depth + 1));
        let Some(hit) = hits.hits.get(hit) else {
            let more = hits.total.saturating_sub(hits.hits.len() as u64);
            let more = format!("{} more in this stack", count(more));
            return vec![indent, Span::new(more, Role::Dim)];
        };
        let room = layout.room.saturating_sub(width(&indent.text));
        let name = width_of(&hit.line.name).min(room * 2 / 5);
        let path = width_of(&hit.line.path).min((room * 2 / 5).max(room.saturating_sub(name + 24)));
        [vec![indent], hit.line.in_columns(name, path)].concat()
    }

    /// The texts in the frame: the places with their totals, and the order or what is marked.
    fn labels(&self, pane: Pane) -> [String; 2] {
        let status = if let Some((pair, why)) = self.pair() {
            let enter = keymap::key_of(Command::Fold(FoldCommand::Activate));
            let room = usize::from(pane.outer.width).saturating_sub(AROUND_PAIR) / 2;
            let [old, new] = names_of(pair).map(|name| fit_middle(&name, room));
            format!("{enter} compare {old} → {new} · {why}")
        } else if self.marked.len() == 1 {
            let mark = keymap::key_in(Scope::Stacks, Command::Mark(MarkCommand::Selected));
            format!("1 marked · {mark} mark another one to compare")
        } else {
            let order = self.shown_order().name();
            format!("sorted by {order} · {}", self.arrangement.name())
        };
        let totals = self.totals();
        // Without a box both texts stand on one line.
        let beside = if pane.boxed { 0 } else { width(&status) };
        let room = usize::from(pane.outer.width).saturating_sub(width(&totals) + beside + 8);
        let roots = self.roots().map(ToString::to_string).unwrap_or_default();
        let roots = fit_end(&shown(&roots), room.min(MAX_ROOTS));
        let title = if width(&roots) < MIN_ROOTS {
            totals
        } else {
            format!("{roots} · {totals}")
        };
        [title, status]
    }

    /// `1,000 stacks · 12 broken · 23 older versions`.
    fn totals(&self) -> String {
        let totals = &self.arranged.totals;
        let mut parts = vec![plural_of(totals.n_stacks, "stack")];
        parts.extend(counted([(totals.n_broken, "broken")]));
        let copies = [(totals.n_copies, "older version"), (totals.n_twins, "twin")];
        let copies = copies.into_iter().filter(|(n, _)| *n > 0);
        parts.extend(copies.map(|(n, noun)| plural_of(n, noun)));
        if let Some(ended) = &self.ended {
            if !ended.archives.is_empty() {
                let archives = plural(ended.archives.len(), "archive");
                parts.push(format!("{archives} not opened"));
            }
            if ended.n_links > 0 {
                let links = plural_of(ended.n_links, "link");
                parts.push(format!("{links} not followed"));
            }
        } else if totals.n_unread > 0 {
            parts.push(format!("{} to read", count(totals.n_unread)));
        }
        parts.join(" · ")
    }

    /// The text in place of the rows.
    fn remark(&self) -> Option<(String, Role)> {
        if self.n_lines() > 0 {
            return None;
        }
        let is_filtered = !self.filter.is_empty();
        let is_busy = self.work.is_arranging || self.ended.is_none();
        let (text, role) = if self.rows.is_empty() && !is_busy {
            let text = "No stack here: no state, plan, preview, log of a run or Pulumi backend.";
            (text.to_owned(), Role::Dim)
        } else if is_filtered && self.finding.is_running {
            ("searching all stacks…".to_owned(), Role::Dim)
        } else if is_filtered && !is_busy {
            let back = keymap::key_in(Scope::StackSearch, Command::Cancel);
            (
                format!("nothing found · {back} clear the search"),
                Role::Dim,
            )
        } else {
            ("listing…".to_owned(), Role::Dim)
        };
        Some((text, role))
    }

    /// The line below the list: the search, and the trouble with the selected file or its path.
    pub(super) fn about_selected(&self, room: usize) -> Strip {
        let (mut spans, mut right) = (Vec::new(), Vec::new());
        if !self.filter.is_empty() {
            let find = keymap::key_in(Scope::Stacks, Command::Search(SearchCommand::Open));
            let filter = shown(&self.filter);
            spans.push(Span::new(format!("{find} {filter}   "), Role::Badge));
            right.push(self.found());
        }
        if let Some((row, _)) = self.member() {
            let (text, role) = match row.trouble() {
                Some(error) => (error.to_owned(), Role::Danger),
                None => (row.member.place.to_string(), Role::Dim),
            };
            let room = room.saturating_sub(width_of(&spans) + width_of(&right) + 1);
            spans.push(Span::new(fit_middle(&shown(&text), room), role));
        }
        Strip::from(spans).ending(right)
    }

    /// `2 names · 32 hits in 4 of 1,000 stacks`.
    fn found(&self) -> Span {
        let finding = &self.finding;
        if let Some(error) = &finding.error {
            return Span::new(format!("{} ", shown(error)), Role::Danger);
        }
        let hits = plural_of(finding.n_hits, "hit");
        let searched = if finding.is_running {
            let searched = n_of(finding.n_searched, self.rows.len());
            format!(" · {searched} files searched")
        } else {
            String::new()
        };
        let names = match self.arranged.n_by_name {
            0 => String::new(),
            n => format!("{} · ", plural(n, "name")),
        };
        let all = plural_of(self.arranged.totals.n_stacks, "stack");
        let n = count(finding.hits.len() as u64);
        let text = format!("{names}{hits} in {n} of {all}{searched} ");
        Span::new(text, Role::Badge)
    }
}

/// Cells after a gap, each in its column.
fn in_columns(mut cells: Cells, layout: &Columns) -> Vec<Span> {
    let cells = layout.others.iter().map(|(column, width)| {
        let cell = std::mem::take(&mut cells[*column as usize]);
        [vec![blank(GAP)], padded(cell, *column, *width)].concat()
    });
    cells.flatten().collect()
}

fn blank(n: usize) -> Span {
    Span::new(" ".repeat(n), Role::Text)
}

/// An error without the path that it starts with, because the row has the name.
fn without_place(error: &str, row: &StackRow) -> String {
    let place = format!("{}: ", row.member.place);
    error.strip_prefix(&place).unwrap_or(error).to_owned()
}

/// The names of two files. A stack and its copy may have the same one: then the names of the files.
fn names_of(rows: [&StackRow; 2]) -> [String; 2] {
    let names = rows.map(|row| shown(&row.member.name));
    if names[0] != names[1] {
        return names;
    }
    rows.map(|row| shown(&row.member.file_name()))
}
