//! Drawing the tree: a column for the signs of changes, guides for the depth, names, and at the right the sums of folded changes and
//! the types.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::{TreePane, is_openable};
use crate::pulumi::urn;
use crate::stack::{Flags, ResourceId, Stack};
use crate::terraform::address::ProviderAddress;
use crate::tree::{Arrangement, Node, Order, RowPosition};
use crate::tui::changes::{own_name, words};
use crate::tui::command::{Command, SearchCommand, View};
use crate::tui::keymap;
use crate::tui::layout::Pane;
use crate::tui::outline::{CURSOR, Laid, Strip};
use crate::tui::panes::{Ctx, fold_sign, line_of_row};
use crate::tui::rows::{self, Fold, Row, Span};
use crate::tui::theme::Role;
use crate::tui::widgets::names::{cut_names, cut_types};
use crate::tui::widgets::pen::{joined, put_text, width_of};
use crate::tui::widgets::scrollbar;
use crate::tui::widgets::text::{count, plural, width};
use std::collections::{BTreeSet, HashMap};

/// Width that a type can always take, whatever the length of the names.
const MIN_TYPE: usize = 14;

/// Width that a name can always take beside a type.
const MIN_NAME: usize = 8;

/// Width of the badges that is left beside a name that fits.
const MIN_BADGE: usize = 3;

/// A row of a node, before it is drawn.
struct Line {
    /// The row.
    row: usize,
    place: RowPosition,
    name: String,
    badges: Vec<Span>,
    /// The sums and the type.
    right: Vec<Span>,
    /// The type; "" if it has no column.
    ty: String,
    /// Room for the name and everything after it, in cells.
    room: usize,
}

impl Line {
    /// Room for the type, in cells. A name cannot push it out.
    fn room_for_type(&self) -> usize {
        let least = if self.right.is_empty() {
            self.room * 2 / 5
        } else {
            0
        };
        let rest = width(&self.name) + width_of(&self.badges) + width_of(&self.right) + 3;
        self.room.saturating_sub(rest).max(least).max(MIN_TYPE)
    }

    /// Room for the name beside everything else, in cells.
    fn room_for_name(&self) -> usize {
        let taken = width_of(&self.right) + usize::from(!self.right.is_empty());
        let room = self.room.saturating_sub(taken);
        let beside = match width_of(&self.badges) {
            0 => 0,
            badges => badges + 2,
        };
        // A name tells rows apart even if little is left of the badges.
        let least = match width(&self.name) {
            name if name + 2 + MIN_BADGE <= room => name,
            _ => MIN_NAME.min(room),
        };
        room.saturating_sub(beside).max(least)
    }

    /// Shortens the badges if there is no room for them beside the name and the type.
    fn fit_badges(&mut self, flags: Flags) {
        let beside = width_of(&self.right) + width_of(&self.badges) + 3;
        if width(&self.name) + beside > self.room {
            self.badges = badges(flags, BadgeWords::Short);
        }
    }

    /// Writes the type at the right.
    fn put_type(&mut self, ty: String) {
        if ty.is_empty() {
            return;
        }
        if !self.right.is_empty() {
            self.right.push(Span::new("  ", Role::Text));
        }
        self.right.push(Span::new(ty, Role::Type));
    }
}

impl TreePane {
    /// Draws the pane.
    pub fn view(&self, ctx: Ctx<'_>, pane: Pane, buffer: &mut Buffer) {
        ctx.frame(pane, self.title(), self.status(), buffer);
        if self.tree.is_empty() {
            self.draw_empty(ctx, rows_area(pane), buffer);
            return;
        }
        let laid = self.laid(ctx.session.stack(), &ctx.session.marks, pane);
        laid.draw(ctx.theme, ctx.focused, buffer);
        scrollbar::draw_marked(buffer, ctx.theme, laid.bar(), |rows| {
            self.tree.has_mark(rows.clone()) || self.has_hit(rows)
        });
    }

    /// The rows as they stand on the screen.
    pub fn laid<'a>(&'a self, stack: &Stack, marks: &BTreeSet<ResourceId>, pane: Pane) -> Laid<'a> {
        let area = rows_area(pane);
        let strip = |(line, name): (Line, String)| {
            let is_marked = |id: &ResourceId| line.place.offset == 0 && marks.contains(id);
            let mark = if line.place.node.resource().is_some_and(|id| is_marked(&id)) {
                "●"
            } else {
                " "
            };
            let mark = Span::new(mark, Role::Badge);
            (line.row, self.strip(mark, stack, &line, &name, area))
        };
        let mut sticky: Vec<_> = self.laid_out(stack, area).into_iter().map(strip).collect();
        // A row that would stand on its line anyway is no ancestor above the screen.
        let rows = sticky.iter().zip(self.cursor.top..);
        let n_sticky = rows.take_while(|((row, _), own)| row != own).count();
        let shown: HashMap<usize, Strip> = sticky.split_off(n_sticky).into_iter().collect();
        let make = move |row| vec![shown.get(&row).cloned().unwrap_or_default().into()];
        let laid = Laid::new(pane, pane.inner, self.tree.len(), self.cursor, make);
        laid.flat().below(sticky)
    }

    /// The rows on the screen, each with its name as far as there is room.
    fn laid_out(&self, stack: &Stack, area: Rect) -> Vec<(Line, String)> {
        let height = usize::from(area.height);
        let has_signs = has_signs(stack);
        let mut lines = Vec::new();
        let sticky = self.sticky(height);
        let rest = self.cursor.top + sticky.len()..self.cursor.top + height;
        for row in sticky.into_iter().chain(rest) {
            let Some(place) = self.tree.at(row) else {
                break;
            };
            let room = usize::from(area.width)
                .saturating_sub(if has_signs { 4 } else { 2 })
                .saturating_sub(guides(place.depth, guide_limit(area)).1 + 2);
            lines.push(self.line(stack, row, place, room));
        }
        let types: Vec<String> = lines.iter().map(|line| line.ty.clone()).collect();
        let types = cut_types(&types, |at| lines[at].room_for_type());
        for (line, ty) in lines.iter_mut().zip(types) {
            line.put_type(ty);
            if let Some(id) = line.place.node.resource() {
                line.fit_badges(stack.record(id).flags);
            }
        }
        let names: Vec<String> = lines.iter().map(|line| line.name.clone()).collect();
        let names = cut_names(&names, |at| lines[at].room_for_name());
        lines.into_iter().zip(names).collect()
    }

    fn title(&self) -> String {
        let mut title = "Resources".to_owned();
        if self.tree.arrangement() != Arrangement::Parent {
            title.push_str(" · ");
            title.push_str(self.tree.arrangement().name());
        }
        if self.order != Order::Name {
            title.push_str(" · by ");
            title.push_str(self.order.name());
        }
        if let Some(filter) = &self.filter {
            title.push_str(" · filter: ");
            title.push_str(&rows::shown(&filter.query));
        }
        title
    }

    /// `12 of 41 resources`, `12 of 30 rows` if the rows are not the resources, or `12 of 30 rows · 5 match` with a filter.
    fn status(&self) -> String {
        let (n_rows, n_resources) = (self.tree.len(), self.tree.n_all());
        if n_rows == 0 {
            return String::new();
        }
        let what = if n_rows == n_resources {
            "resource"
        } else {
            "row"
        };
        let mut status = format!(
            "{} of {}",
            count(self.cursor.row as u64 + 1),
            plural(n_rows, what)
        );
        if let Some(filter) = &self.filter {
            status = format!("{status} · {} match", count(filter.ids.len() as u64));
        }
        status
    }

    /// Says why there are no rows, and what to do.
    fn draw_empty(&self, ctx: Ctx<'_>, area: Rect, buffer: &mut Buffer) {
        let n = ctx.session.stack().len();
        let folder = keymap::key_of(Command::View(View::Stacks));
        let texts = if ctx.session.document.is_none() || ctx.session.loading.is_some() && n == 0 {
            match (&ctx.session.failure, &ctx.session.loading) {
                (Some(failure), _) => [failure.clone(), format!("{folder} other files here")],
                (None, Some(_)) => ["no resources read yet".to_owned(), String::new()],
                (None, None) => ["nothing is open".to_owned(), format!("{folder} files here")],
            }
        } else if let Some(filter) = self.filter.as_ref().filter(|_| n > 0) {
            let (back, edit) = (
                keymap::key_of(Command::Cancel),
                keymap::key_of(Command::Search(SearchCommand::Filter)),
            );
            [
                format!("no resource matches {}", rows::shown(&filter.query)),
                format!(
                    "{back} show all {} · {edit} edit the filter",
                    plural(n, "resource")
                ),
            ]
        } else {
            let reload = keymap::key_of(Command::Reload);
            let kind = ctx.session.stack().header.kind;
            let what = match (kind.is_log(), kind.has_changes()) {
                (true, _) => "the log of this run names no resources",
                (false, true) => "this plan has no resources",
                (false, false) => "this stack has no resources",
            };
            [
                what.to_owned(),
                format!("{reload} read it again · {folder} other files here"),
            ]
        };
        let [what, next] = &texts;
        let rest = put_text(what, Role::Text, ctx.theme, area, buffer);
        put_text(next, Role::Dim, ctx.theme, rest, buffer);
    }

    /// The parts of a row. `room` is for the name and everything after it.
    fn line(&self, stack: &Stack, row: usize, place: RowPosition, room: usize) -> Line {
        let mut line = Line {
            row,
            place,
            name: String::new(),
            badges: Vec::new(),
            right: Vec::new(),
            ty: String::new(),
            room,
        };
        if place.offset > 0 {
            return line;
        }
        let tables = &stack.tables;
        match place.node {
            Node::Resource(id) => {
                line.name = rows::shown(match self.tree.arrangement() {
                    Arrangement::Parent | Arrangement::Type => own_name(stack, id),
                    Arrangement::Flat => stack.name(id),
                });
                line.badges = badges(stack.record(id).flags, BadgeWords::Full);
            }
            Node::Group(group) => {
                let group = tables.group(group);
                let above = group.parent.map_or("", |it| &tables.group(it).path);
                let name = group.path.strip_prefix(above).unwrap_or(&group.path);
                line.name = rows::shown(name.trim_start_matches('.'));
            }
            Node::Type(prefix) => line.name = rows::shown(tables.prefix(prefix).ty()),
            Node::Provider(provider) => {
                let provider = tables.provider(provider);
                line.name = provider_label(provider);
                let version = stack.header.locked_version(provider).map(rows::shown);
                line.right
                    .extend(version.map(|it| Span::new(it, Role::Dim)));
            }
            Node::Providers => "providers".clone_into(&mut line.name),
            Node::Outputs => "outputs".clone_into(&mut line.name),
        }
        let has_type =
            self.tree.arrangement() != Arrangement::Type && room >= MIN_NAME + 1 + MIN_TYPE;
        if let Some(id) = place.node.resource().filter(|_| has_type) {
            line.ty = self.inside(id).unwrap_or_else(|| short_type(stack, id));
        }
        // Names and types tell rows apart. Sums take the free room; types take what then remains.
        let kept = width(&line.name) + width(&line.ty).min(MIN_TYPE) + 3;
        let sums = self.sums(stack, place.node, room.saturating_sub(kept).min(room / 2));
        line.right.extend(sums);
        line
    }

    /// The place of the hit for which a filter lists a resource. It stands in place of the type.
    fn inside(&self, id: ResourceId) -> Option<String> {
        let inside = self.filter.as_ref()?.inside.get(&id)?;
        Some(format!("in {}", rows::shown(&inside.path)))
    }

    /// The changes below a node, as far as they fit in `room` cells. The providers of a Pulumi stack are listed beside it, and count
    /// as its parts.
    fn sums(&self, stack: &Stack, node: Node, room: usize) -> Vec<Span> {
        let is_stack = |id: ResourceId| stack.record(id).flags.contains(Flags::STACK);
        let nodes = [node, Node::Providers];
        let has_providers = node.resource().is_some_and(is_stack);
        let mut sums = Vec::new();
        for (action, n) in self.tree.changes(&nodes[..=usize::from(has_providers)]) {
            let gap = if sums.is_empty() { "" } else { " " };
            let text = format!("{gap}{}{}", action.sign(), count(n as u64));
            if width_of(&sums) + width(&text) > room {
                sums.extend((room > 0).then(|| Span::new("…", Role::Dim)));
                break;
            }
            sums.push(Span::new(text, action.into()));
        }
        sums
    }

    /// A row after its cursor. The text at the right end is left out if there is no room for it.
    fn strip(&self, mark: Span, stack: &Stack, line: &Line, name: &str, area: Rect) -> Strip {
        let cells = usize::from(area.width).saturating_sub(usize::from(CURSOR));
        let left = |spans: &[Span]| cells.saturating_sub(width_of(spans));
        let Line { place, .. } = *line;
        let id = place.node.resource();
        let mut spans = vec![mark];
        if has_signs(stack) {
            let own = id.filter(|_| place.offset == 0);
            let action = own.and_then(|id| words::action(stack, id));
            let (sign, _, role) = action.unwrap_or((" ", "", Role::Text));
            spans.push(Span::new(format!("{sign} "), role));
        }
        let depth = place.depth + usize::from(place.offset > 0);
        spans.push(Span::new(guides(depth, guide_limit(area)).0, Role::Border));
        if let Some(index) = place.offset.checked_sub(1) {
            let props = self.props.get(&place.node);
            if let Some(row) = props.and_then(|props| props.rows.get(index)) {
                let row = Row {
                    remark: Vec::new(),
                    ..row.clone()
                };
                let value = line_of_row(&row, left(&spans), 16);
                spans.push(Span::new(" ".repeat(value.indent), Role::Text));
                spans.extend(value.spans);
            }
            return spans.into();
        }
        let is_openable = self.tree.n_children(place.node) > 0 || is_openable(stack, place.node);
        let fold = match (is_openable, self.tree.is_open(place.node)) {
            (false, _) => Fold::Leaf,
            (true, false) => Fold::Closed,
            (true, true) => Fold::Open,
        };
        spans.push(fold_sign(fold));
        let mut right = line.right.clone();
        if width_of(&right) >= left(&spans) {
            right.clear();
        }
        let role = match id {
            Some(id) if stack.record(id).flags.contains(Flags::BROKEN) => Role::Danger,
            Some(_) => Role::Text,
            None => Role::Title,
        };
        spans.push(Span::new(name, role));
        if !line.badges.is_empty() {
            spans.push(Span::new("  ", Role::Text));
            spans.extend(line.badges.iter().cloned());
        }
        let n = match place.node {
            Node::Outputs => stack.outputs.len(),
            Node::Providers => self.tree.n_children(place.node),
            Node::Resource(_) if fold != Fold::Closed => 0,
            node => self.tree.n_resources(node),
        };
        let inside = Span::new(format!(" ({})", count(n as u64)), Role::Dim);
        let beside = width_of(&right) + usize::from(!right.is_empty());
        if n > 0 && width(&inside.text) + beside <= left(&spans) {
            spans.push(inside);
        }
        if !right.is_empty() {
            right.push(Span::new(" ", Role::Text));
        }
        Strip::from(spans).ending(right)
    }
}

/// The area of the rows. A blank keeps types away from the scrollbar.
fn rows_area(pane: Pane) -> Rect {
    Rect {
        width: pane.inner.width.saturating_sub(1),
        ..pane.inner
    }
}

/// True if resources of a file can have signs of changes.
fn has_signs(stack: &Stack) -> bool {
    stack.is_comparison || stack.header.kind.has_changes()
}

/// Cells for guides: a third of the row.
fn guide_limit(area: Rect) -> usize {
    usize::from(area.width) / 3
}

/// The guides in front of a row at this depth, and their width in cells, at most `limit`: two cells for each of the outer levels, one
/// for deeper ones, and the depth as a number where they end.
pub(in crate::modules::tui) fn guides(depth: usize, limit: usize) -> (String, usize) {
    const NUMBER: usize = 4;
    let n_wide = (limit / 3).min(limit.saturating_sub(NUMBER) / 2);
    let n_narrow = limit.saturating_sub(2 * n_wide + NUMBER);
    let mut text = "│ ".repeat(depth.min(n_wide));
    let deeper = depth.saturating_sub(n_wide);
    text.push_str(&"│".repeat(deeper.min(n_narrow)));
    if deeper > n_narrow {
        text = format!("{text}{depth:>width$} ", width = NUMBER - 1);
    }
    let width = width(&text);
    (text, width)
}

/// A provider as rows show it: without the default registry, with its module and its alias.
pub(in crate::modules::tui) fn provider_label(text: &str) -> String {
    let Some(address) = ProviderAddress::named(text) else {
        return rows::shown(text);
    };
    let module = match &*address.module {
        "" => String::new(),
        module => format!("{module} "),
    };
    let alias = match &*address.alias {
        "" => String::new(),
        alias => format!(".{alias}"),
    };
    rows::shown(&format!("{module}{}{alias}", address.for_display()))
}

/// The type as rows show it, without redundant parts.
pub(in crate::modules::tui) fn short_type(stack: &Stack, id: ResourceId) -> String {
    let ty = stack.ty(id);
    if !stack.header.kind.is_pulumi() {
        return rows::shown(ty);
    }
    let ty = urn::display_type(ty);
    let parts: Vec<&str> = ty.split(':').collect();
    match parts[..] {
        [package, module, name] if module == "index" || module == package => {
            rows::shown(&format!("{package}:{name}"))
        }
        _ => rows::shown(&ty),
    }
}

/// The length of the words of badges.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::modules::tui) enum BadgeWords {
    Full,
    Short,
}

/// Badges for the flags that matter before a resource is opened.
pub(in crate::modules::tui) fn badges(flags: Flags, words: BadgeWords) -> Vec<Span> {
    /// Each with its words in full and in short.
    const DANGERS: [(Flags, &str, &str); 8] = [
        (Flags::BROKEN, "unreadable!", "unreadable!"),
        (Flags::PENDING_DELETE, "pending delete!", "old copy!"),
        (Flags::DEPOSED, "deposed!", "deposed!"),
        (Flags::TAINTED, "tainted!", "tainted!"),
        (Flags::PENDING_REPLACEMENT, "pending replace!", "deleted!"),
        (Flags::PENDING_OPERATION, "operation pending!", "pending!"),
        (Flags::INIT_ERRORS, "init errors!", "errors!"),
        (Flags::FAILED, "failed!", "failed!"),
    ];
    const OTHERS: [(Flags, &str); 7] = [
        (Flags::RUNNING, "running"),
        (Flags::DRIFTED, "drifted"),
        (Flags::DEFERRED, "deferred"),
        (Flags::EXTERNAL, "external"),
        (Flags::PROTECTED, "protected"),
        (Flags::RETAIN_ON_DELETE, "retained"),
        (Flags::DATA, "data"),
    ];
    let dangers = DANGERS.iter().filter(|(flag, ..)| flags.contains(*flag));
    let dangers = dangers.map(|(_, full, short)| match words {
        BadgeWords::Full => Span::new(*full, Role::Danger),
        BadgeWords::Short => Span::new(*short, Role::Danger),
    });
    let others = OTHERS.iter().filter(|(flag, _)| flags.contains(*flag));
    let others = others.map(|(_, word)| Span::new(*word, Role::Badge));
    joined(dangers.chain(others), " ")
}

#[cfg(test)]
mod tests {
    use super::guides;

    #[test]
    fn guides_grow_with_the_depth_up_to_their_limit() {
        assert_eq!(guides(0, 15), (String::new(), 0));
        assert_eq!(guides(2, 15).0, "│ │ ");
        assert_eq!(guides(6, 15).0, "│ │ │ │ │ │");
        assert_eq!(guides(40, 15).0, "│ │ │ │ │ │ 40 ");
        for limit in 4..60 {
            let widths: Vec<_> = (0..100).map(|depth| guides(depth, limit).1).collect();
            assert!(widths.is_sorted(), "{limit}: {widths:?}");
            assert!(widths[99] <= limit, "{limit}: {widths:?}");
        }
    }
}
