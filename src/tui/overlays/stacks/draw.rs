//! Draws the list of many stacks: a line for each stack with its columns, for each heading with its sums, and for each hit.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::super::framed;
use super::Stacks;
use crate::tui::command::{Command, MarkCommand, SearchCommand};
use crate::tui::hit_lines::column;
use crate::tui::keymap::{self, Scope};
use crate::tui::rows::{Span, shown};
use crate::tui::stacks::{
    Cells, Column, Contents, Key, ListLine, StackRow, badges, cells, padded, plural_of,
};
use crate::tui::theme::{Role, Theme};
use crate::tui::widgets::frame::Labels;
use crate::tui::widgets::pen::{Pen, put_text, width_of};
use crate::tui::widgets::prompt::draw_prompt;
use crate::tui::widgets::text::{count, fit_end, fit_middle, plural, width};

/// Cells before a name, for the mark of the comparison.
const MARK: usize = 2;

/// Cells of an indent.
const INDENT: usize = 2;

/// Minimum room in which long names get half of it, and not more.
const WIDE: usize = 60;

/// Minimum room for names beside other columns.
const MIN_NAME: usize = 16;

/// The width of the names, and the columns beside them with their widths.
struct Columns {
    name: usize,
    others: Vec<(Column, usize)>,
}

impl Stacks {
    /// Draws the overlay over the whole body.
    pub(super) fn draw(&self, theme: &Theme, body: Rect, buffer: &mut Buffer) {
        framed(body, &self.labels(body), theme, buffer);
        let [titles, _, edges, footer] = self.parts(body);
        let list = self.list_area(body);
        if let Some((text, role)) = self.remark() {
            put_text(&text, role, theme, list.area, buffer);
        }
        let room = usize::from(list.area.width).saturating_sub(3);
        let layout = self.columns(room);
        if self.len() > 0 {
            self.draw_titles(&layout, &mut Pen::new(buffer, theme, titles, 0));
        }
        list.draw(self.cursor, theme, buffer, |buffer, area, line| {
            if let Some(place) = self.arranged.at(line) {
                self.draw_line(&place, &layout, &mut Pen::new(buffer, theme, area, 0));
            }
        });
        self.draw_edges(theme, edges, buffer);
        self.draw_footer(theme, footer, buffer);
    }

    /// The columns that have a text and fit beside the names.
    fn columns(&self, room: usize) -> Columns {
        let wanted = MARK + self.fold_width() + self.arranged.name_width + 1;
        // Names take what they need, but a few long ones do not take all.
        let most = if room >= WIDE { room / 2 } else { room * 3 / 5 };
        let name = wanted.min(most.max(MIN_NAME.min(room)));
        let mut left = room.saturating_sub(name);
        let mut chosen = Vec::new();
        for column in Column::BY_NEED {
            let needed = self.arranged.widths[column as usize];
            if needed == 0 {
                continue;
            }
            let titled = needed.max(width(column.title()).min(column.max_width()));
            // A column that all of its cells fill may be narrower than its title.
            let wide = if titled + 2 <= left { titled } else { needed };
            if wide + 2 <= left {
                left -= wide + 2;
                chosen.push((column, wide));
            }
        }
        chosen.sort_by_key(|(column, _)| *column as usize);
        Columns {
            name: name + left,
            others: chosen,
        }
    }

    fn fold_width(&self) -> usize {
        if self.arranged.has_folds { INDENT } else { 0 }
    }

    fn draw_titles(&self, layout: &Columns, pen: &mut Pen<'_>) {
        let n_before = MARK + self.fold_width();
        let name = [Span::new("name", Role::Dim)];
        pen.skip(1 + n_before);
        column(pen, &name, layout.name.saturating_sub(n_before));
        let titles = Column::ALL.map(|it| vec![Span::new(it.title(), Role::Dim)]);
        draw_cells(titles, layout, pen);
    }

    fn draw_line(&self, place: &ListLine<'_>, layout: &Columns, pen: &mut Pen<'_>) {
        if let Some(hit) = place.hit {
            self.draw_hit(place, hit, pen);
            return;
        }
        match place.branch.key {
            Key::Heading(_) => {
                pen.skip(MARK);
                self.draw_name(place, layout, Vec::new(), Role::Container, pen);
                draw_cells(place.branch.totals.cells(self.now), layout, pen);
            }
            Key::Row(row) => {
                let Some(row) = self.rows.get(row) else {
                    return;
                };
                let is_marked = self.marked.contains(&row.member.place);
                pen.put(if is_marked { "● " } else { "  " }, Role::Badge);
                let role = if row.is_original() {
                    Role::Title
                } else {
                    Role::Dim
                };
                self.draw_name(place, layout, badges(row), role, pen);
                if let Contents::Failed(error) = &row.contents {
                    let error = shown(&without_place(error, row));
                    pen.put(&format!("⚠ {error}"), Role::Danger);
                } else {
                    draw_cells(cells(row, self.now), layout, pen);
                }
            }
        }
    }

    /// Draws the name in its column, with the sign of its fold before it and its badges after it.
    fn draw_name(
        &self,
        place: &ListLine<'_>,
        layout: &Columns,
        badges: Vec<Span>,
        role: Role,
        pen: &mut Pen<'_>,
    ) {
        let indent = INDENT * place.branch.depth;
        pen.skip(indent);
        if place.branch.is_foldable {
            let is_open = self.arranged.groups.is_open(place.at);
            pen.put_span(&Span::fold(is_open, Role::Dim));
        } else {
            pen.skip(self.fold_width());
        }
        let used = MARK + indent + self.fold_width();
        let room = layout.name.saturating_sub(used);
        // A badge never takes the name's room.
        let name = Span::new(fit_middle(&place.branch.label, room), role);
        column(pen, &[vec![name], badges].concat(), room);
    }

    fn draw_hit(&self, place: &ListLine<'_>, hit: usize, pen: &mut Pen<'_>) {
        let Key::Row(row) = place.branch.key else {
            return;
        };
        let row = self.rows.get(row);
        let Some(hits) = row.and_then(|row| self.finding.hits.get(&row.member.place)) else {
            return;
        };
        pen.skip(MARK + INDENT * (place.branch.depth + 1));
        let Some(hit) = hits.hits.get(hit) else {
            let more = hits.total.saturating_sub(hits.hits.len() as u64);
            let more = format!("{} more in this stack", count(more));
            pen.put(&more, Role::Dim);
            return;
        };
        let room = pen.room();
        let name = width_of(&hit.line.name).min(room * 2 / 5);
        let path = width_of(&hit.line.path).min((room * 2 / 5).max(room.saturating_sub(name + 24)));
        column(pen, &hit.line.name, name);
        column(pen, &hit.line.path, path);
        pen.put_all(&hit.line.value);
    }

    fn labels(&self, body: Rect) -> Labels {
        let key = |command| keymap::key_in(Scope::Stacks, command);
        let status = if let Some([old, new]) = self.pair() {
            let [old, new] = names_of([old, new]);
            format!("{} compare {old} → {new}", key(Command::Accept))
        } else if self.marked.len() == 1 {
            let mark = key(Command::Mark(MarkCommand::Selected));
            format!("1 marked · {mark} mark another one to compare")
        } else {
            let order = self.order.name();
            format!("sorted by {order} · {}", self.arrangement.name())
        };
        let totals = self.totals();
        let room = usize::from(body.width).saturating_sub(width(&totals) + 8);
        let roots = fit_end(&shown(&self.fleet.roots.to_string()), room.min(60));
        let title = match roots.as_str() {
            roots if width(roots) < 4 && body.width < 60 => totals,
            roots => format!("{roots} · {totals}"),
        };
        Labels::of(title, status)
    }

    /// `1,000 stacks · 12 broken · 23 older versions`.
    fn totals(&self) -> String {
        let tally = &self.arranged.tally;
        let mut parts = vec![plural_of(tally.n_stacks, "stack")];
        if tally.n_broken > 0 {
            parts.push(format!("{} broken", count(tally.n_broken)));
        }
        if tally.n_copies > 0 {
            parts.push(plural_of(tally.n_copies, "older version"));
        }
        if tally.n_twins > 0 {
            parts.push(plural_of(tally.n_twins, "twin"));
        }
        if let Some(ended) = &self.ended {
            if !ended.archives.is_empty() {
                let archives = plural(ended.archives.len(), "archive");
                parts.push(format!("{archives} not opened"));
            }
            if ended.n_links > 0 {
                let links = plural_of(ended.n_links, "link");
                parts.push(format!("{links} not followed"));
            }
        } else if tally.n_unread > 0 {
            parts.push(format!("{} to read", count(tally.n_unread)));
        }
        parts.join(" · ")
    }

    /// The text in place of the rows.
    fn remark(&self) -> Option<(String, Role)> {
        if self.len() > 0 {
            return None;
        }
        let is_filtered = !self.filter.text().is_empty();
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

    /// Draws the search, or the trouble with the selected file, or its path.
    fn draw_footer(&self, theme: &Theme, area: Rect, buffer: &mut Buffer) {
        let mut pen = Pen::new(buffer, theme, area, 0);
        let find = keymap::key_in(Scope::Stacks, Command::Search(SearchCommand::Open));
        if !self.filter.text().is_empty() {
            pen.put_right(&[self.found()]);
        }
        if self.is_typing {
            pen.put(&format!(" {find}"), Role::Hint);
            draw_prompt(&self.filter, &mut pen, theme);
            return;
        }
        if !self.filter.text().is_empty() {
            let filter = shown(self.filter.text());
            pen.put(&format!(" {find} {filter}  "), Role::Badge);
        }
        let Some((row, _)) = self.member() else {
            return;
        };
        let (text, role) = match row.trouble() {
            Some(error) => (error.to_owned(), Role::Danger),
            None => (row.member.place.to_string(), Role::Dim),
        };
        let room = pen.skip(1).room();
        pen.put(&fit_middle(&shown(&text), room), role);
    }

    /// `32 hits in 4 of 1,000 stacks`.
    fn found(&self) -> Span {
        let finding = &self.finding;
        if let Some(error) = &finding.error {
            return Span::new(format!("{} ", shown(error)), Role::Danger);
        }
        let hits = plural_of(finding.n_hits, "hit");
        let searched = if finding.is_running {
            format!(" · {} searched", count(finding.n_searched))
        } else {
            String::new()
        };
        let all = plural_of(self.arranged.tally.n_stacks, "stack");
        let n = count(finding.hits.len() as u64);
        Span::new(format!("{hits} in {n} of {all}{searched} "), Role::Badge)
    }
}

fn draw_cells(mut cells: Cells, layout: &Columns, pen: &mut Pen<'_>) {
    for (column, width) in &layout.others {
        let cell = std::mem::take(&mut cells[*column as usize]);
        pen.put_all(&padded(cell, *column, *width)).skip(2);
    }
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
