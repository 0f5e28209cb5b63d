//! Drawing the tree.

use ratatui::buffer::Buffer;

use super::{TreePane, is_openable};
use crate::pulumi::urn;
use crate::stack::{Flags, ResourceId, Stack};
use crate::tree::{Arrangement, Node, Order, RowPosition};
use crate::tui::changes::words;
use crate::tui::layout::Pane;
use crate::tui::panes::{Ctx, draw_indent, draw_row, glyph};
use crate::tui::rows::{self, Fold, Row, Span};
use crate::tui::theme::Role;
use crate::tui::widgets::frame::{self, Labels};
use crate::tui::widgets::pen::{Pen, width_of};
use crate::tui::widgets::text::{count, fit, width};

impl TreePane {
    /// Draws the pane.
    pub fn view(&self, ctx: Ctx<'_>, pane: Pane, buffer: &mut Buffer) {
        let labels = Labels {
            title: self.title(),
            status: format!(
                "{}/{}",
                count(self.cursor.row as u64 + u64::from(!self.tree.is_empty())),
                count(self.tree.len() as u64)
            ),
            focused: ctx.focused,
        };
        frame::draw(pane, &labels, ctx.theme, buffer);
        let area = pane.inner;
        for line in 0..area.height {
            let row = self.cursor.top + usize::from(line);
            let Some(place) = self.tree.at(row) else {
                break;
            };
            let is_selected = row == self.cursor.row;
            let mut pen = Pen::new(buffer, ctx.theme, area, line);
            pen.put(if is_selected { "▶" } else { " " }, Role::Focus);
            self.draw(&mut pen, ctx, place);
            if is_selected {
                let line = ratatui::layout::Rect::new(area.x, area.y + line, area.width, 1);
                ctx.theme.highlight(buffer, line, ctx.focused);
            }
        }
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

    fn draw(&self, pen: &mut Pen<'_>, ctx: Ctx<'_>, place: RowPosition) {
        if let Some(index) = place.offset.checked_sub(1) {
            let row = self
                .props
                .get(&place.node)
                .and_then(|props| props.rows.get(index));
            if let Some(row) = row {
                pen.skip(1);
                draw_indent(pen, place.depth + 1);
                let row = Row {
                    remark: Vec::new(),
                    ..row.clone()
                };
                draw_row(pen, &row, 16);
            }
            return;
        }
        let is_marked = matches!(place.node, Node::Resource(id) if ctx.session.marks.contains(&id));
        pen.put(if is_marked { "●" } else { " " }, Role::Badge);
        draw_indent(pen, place.depth);
        let is_openable =
            self.tree.n_children(place.node) > 0 || is_openable(ctx.session.stack(), place.node);
        let fold = match (is_openable, self.tree.is_open(place.node)) {
            (false, _) => Fold::Leaf,
            (true, false) => Fold::Closed,
            (true, true) => Fold::Open,
        };
        pen.put(glyph(fold), Role::Dim);
        match place.node {
            Node::Resource(id) => self.draw_resource(pen, ctx.session.stack(), id, fold),
            Node::Group(group) => {
                let group = ctx.session.stack().tables.group(group);
                let above = group
                    .parent
                    .map_or("", |it| &ctx.session.stack().tables.group(it).path);
                let name = group.path.strip_prefix(above).unwrap_or(&group.path);
                pen.put_right(&[Span::new("module", Role::Type)]);
                let name = rows::shown(name.trim_start_matches('.'));
                pen.put(&name, Role::Title);
                self.draw_count(pen, place.node, fold);
            }
            Node::Type(prefix) => {
                let ty = ctx.session.stack().tables.prefix(prefix).ty();
                pen.put(&rows::shown(ty), Role::Title);
                self.draw_count(pen, place.node, fold);
            }
            Node::Providers => {
                pen.put_right(&[Span::new(". shows", Role::Dim)]);
                pen.put("providers", Role::Text);
                self.draw_count(pen, place.node, fold);
            }
            Node::Outputs => {
                pen.put("outputs", Role::Title);
                let n = ctx.session.stack().outputs.len();
                pen.put(&format!(" ({n})"), Role::Dim);
            }
        }
    }

    fn draw_count(&self, pen: &mut Pen<'_>, node: Node, fold: Fold) {
        if fold == Fold::Closed || !matches!(node, Node::Resource(_)) {
            let n = self.tree.n_resources(node);
            if n > 0 {
                pen.put(&format!(" ({})", count(n as u64)), Role::Dim);
            }
        }
    }

    fn draw_resource(&self, pen: &mut Pen<'_>, stack: &Stack, id: ResourceId, fold: Fold) {
        let record = stack.record(id);
        if let Some((sign, _, role)) = words::action(stack, id) {
            pen.put(sign, role).put(" ", Role::Text);
        }
        let name = match self.tree.arrangement() {
            Arrangement::Parent => stack.short_name(id),
            Arrangement::Flat | Arrangement::Type => stack.name(id),
        };
        let name = rows::shown(name);
        let mut right = badges(record.flags);
        let n_below = self.tree.n_resources(Node::Resource(id));
        let needed = width(&name) + if n_below > 0 { 8 } else { 1 };
        let room = pen.room().saturating_sub(needed + width_of(&right) + 1);
        // The address already contains the type.
        if self.tree.arrangement() != Arrangement::Type && stack.address(id).is_none() {
            let ty = short_type(stack, id);
            if room >= 6 {
                if !right.is_empty() {
                    right.push(Span::new(" ", Role::Text));
                }
                right.push(Span::new(fit(&ty, room), Role::Type));
            }
        }
        pen.put_right(&right);
        let role = if record.flags.contains(Flags::BROKEN) {
            Role::Danger
        } else {
            Role::Text
        };
        pen.put(&name, role);
        self.draw_count(pen, Node::Resource(id), fold);
    }
}

/// The type as rows show it, without redundant parts.
pub(in crate::tui) fn short_type(stack: &Stack, id: ResourceId) -> String {
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

/// Badges for the flags that matter before a resource is opened.
pub(in crate::tui) fn badges(flags: Flags) -> Vec<Span> {
    const BADGES: [(Flags, &str, Role); 15] = [
        (Flags::BROKEN, "unreadable!", Role::Danger),
        (Flags::PENDING_DELETE, "pending delete!", Role::Danger),
        (Flags::DEPOSED, "deposed!", Role::Danger),
        (Flags::TAINTED, "tainted!", Role::Danger),
        (Flags::PENDING_REPLACEMENT, "pending replace!", Role::Danger),
        (Flags::PENDING_OPERATION, "operation pending!", Role::Danger),
        (Flags::INIT_ERRORS, "init errors!", Role::Danger),
        (Flags::FAILED, "failed!", Role::Danger),
        (Flags::RUNNING, "running", Role::Badge),
        (Flags::DRIFTED, "drifted", Role::Badge),
        (Flags::DEFERRED, "deferred", Role::Badge),
        (Flags::EXTERNAL, "external", Role::Badge),
        (Flags::PROTECTED, "protected", Role::Badge),
        (Flags::RETAIN_ON_DELETE, "retained", Role::Badge),
        (Flags::DATA, "data", Role::Badge),
    ];
    let mut spans = Vec::new();
    for (flag, text, role) in BADGES {
        if flags.contains(flag) {
            if !spans.is_empty() {
                spans.push(Span::new(" ", Role::Text));
            }
            spans.push(Span::new(text, role));
        }
    }
    spans
}
