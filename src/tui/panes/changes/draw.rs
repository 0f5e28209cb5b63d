//! Drawing the list of changes.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::{ChangesPane, ListRow, Topic, tally};
use crate::change::causes::ChainLink;
use crate::stack::{Action, Flags, ResourceId, Stack};
use crate::tui::layout::Pane;
use crate::tui::panes::Ctx;
use crate::tui::rows::{Span, shown};
use crate::tui::theme::Role;
use crate::tui::widgets::frame::{self, Labels};
use crate::tui::widgets::pen::Pen;
use crate::tui::widgets::text::{count, fit_end};

impl ChangesPane {
    /// Draws the pane.
    pub fn view(&self, ctx: Ctx<'_>, pane: Pane, buffer: &mut Buffer) {
        let len = self.row_count();
        let labels = Labels {
            title: tally::title(self, ctx.session.stack()),
            status: tally::status(self, &ctx.session.reviewed),
            focused: ctx.focused,
        };
        frame::draw(pane, &labels, ctx.theme, buffer);
        let area = pane.inner;
        if len == 0 {
            self.draw_nothing(ctx, area, buffer);
        }
        for line in 0..area.height {
            let position = self.cursor.top + usize::from(line);
            let Some(row) = self.row(position) else { break };
            let is_selected = position == self.cursor.row;
            let mut pen = Pen::new(buffer, ctx.theme, area, line);
            pen.put(if is_selected { "▶" } else { " " }, Role::Focus);
            match row {
                ListRow::Heading(topic) => self.draw_heading(ctx, topic, &mut pen),
                ListRow::Change(id) => self.draw_change(ctx, id, &mut pen),
                ListRow::Invocation(index) => draw_invocation(ctx.session.stack(), index, &mut pen),
            }
            if is_selected {
                let line = Rect::new(area.x, area.y + line, area.width, 1);
                ctx.theme.highlight(buffer, line, ctx.focused);
            }
        }
    }

    fn draw_nothing(&self, ctx: Ctx<'_>, area: Rect, buffer: &mut Buffer) {
        let text = if let Some(why) = &self.nothing {
            why
        } else if ctx.session.loading.is_some() {
            "no changes yet; the file is still being read"
        } else if !self.is_review {
            "a state has no changes; open a plan, a preview, or two files"
        } else if self.counts().next().is_none() {
            if ctx.session.stack().is_comparison {
                "no differences"
            } else {
                "no changes"
            }
        } else if self.counts().all(|it| it.0 == Topic::Change(Action::Noop)) {
            if ctx.session.stack().is_comparison {
                "no differences; . shows unchanged resources"
            } else {
                "no changes; . shows unchanged resources"
            }
        } else {
            "nothing is listed: a chooses actions, . shows unchanged resources"
        };
        let room = usize::from(area.width).saturating_sub(2);
        let pieces = crate::tui::widgets::text::wrap_words(text, room);
        for (line, piece) in (0..area.height).zip(pieces) {
            Pen::new(buffer, ctx.theme, area, line)
                .skip(1)
                .put(piece, Role::Dim);
        }
    }

    fn draw_heading(&self, ctx: Ctx<'_>, topic: Topic, pen: &mut Pen<'_>) {
        let Some(section) = self.sections.iter().find(|it| it.topic == topic) else {
            return;
        };
        pen.put(if section.open { " ▾ " } else { " ▸ " }, Role::Dim);
        pen.put(topic.name(ctx.session.stack()), Role::Title);
        let hidden = if section.open { "" } else { ", hidden" };
        let number = count_of(section.len());
        // Changes that are also imported or moved are listed under their main action.
        let above = match section.also.len() {
            0 => String::new(),
            n_above => format!(", {} more above", count_of(n_above)),
        };
        pen.put(&format!(" ({number}{above}{hidden})"), Role::Dim);
    }

    fn draw_change(&self, ctx: Ctx<'_>, id: ResourceId, pen: &mut Pen<'_>) {
        let record = ctx.session.stack().record(id);
        let topic = Topic::of(ctx.session.stack(), id).unwrap_or(Topic::Change(Action::Noop));
        let is_marked = ctx.session.marks.contains(&id);
        let mark = match (ctx.session.reviewed.contains(&id), is_marked) {
            (true, _) => "✓",
            (_, true) => "●",
            _ => " ",
        };
        pen.put(mark, Role::Good);
        pen.put(topic.sign(), topic.role()).put(" ", Role::Text);
        // The action as a word: color and sign must not be the only clue. The reason follows.
        let action = record.action.unwrap_or(Action::Noop);
        let mut remark = vec![Span::new(ctx.session.stack().word(action), topic.role())];
        remark.extend(progress(record.flags));
        if ctx.session.stack().is_old_copy(id) {
            remark.push(Span::new(" · old copy", Role::Dim));
        }
        if let Some(order) = ctx.session.stack().replace_order(id) {
            remark.push(Span::new(format!(" {}", order.sign()), Role::Replace));
        }
        for other in Topic::also(ctx.session.stack(), id) {
            remark.push(Span::new(
                format!(", {}", other.name(ctx.session.stack())),
                other.role(),
            ));
        }
        let name = name(ctx.session.stack(), id);
        let address = ctx
            .session
            .stack()
            .address(id)
            .filter(|_| topic != Topic::Drift);
        let n_invoked = address.map_or(0, |it| ctx.session.stack().invocations_of(it).len());
        if n_invoked > 0 {
            let sign = Topic::Invoked.sign();
            remark.push(Span::new(format!(" {sign}{n_invoked}"), Role::Other));
        }
        if let Some(why) = self
            .whys
            .get(&id)
            .and_then(|steps| short_why(ctx.session.stack(), steps))
        {
            remark.push(Span::new(format!(" {why}"), Role::Dim));
        }
        let wanted = crate::tui::widgets::text::width(&name).min(24);
        if crate::tui::widgets::pen::width_of(&remark) + wanted < pen.room() {
            pen.put_right(&remark);
        } else {
            let n_short = 1 + progress(record.flags).iter().len();
            pen.put_right(&remark[..n_short]);
        }
        let role = if action == Action::Noop {
            Role::Dim
        } else {
            Role::Text
        };
        // The end of an address says more than its beginning.
        let room = pen.room();
        pen.put(&fit_end(&name, room), role);
    }
}

/// Draws an action: its name and when it is invoked.
fn draw_invocation(stack: &Stack, index: usize, pen: &mut Pen<'_>) {
    let Some(invocation) = stack.invocations.get(index) else {
        return;
    };
    let topic = Topic::Invoked;
    pen.put(" ", Role::Text);
    pen.put(topic.sign(), topic.role()).put(" ", Role::Text);
    let mut when = invocation.when();
    if let Some(resource) = invocation.resource() {
        when = format!("{when} ← {resource}");
    }
    let name = shown(&invocation.address);
    let wanted = crate::tui::widgets::text::width(&name).min(24);
    let room = pen.room().saturating_sub(wanted + 1);
    pen.put_right(&[Span::new(
        crate::tui::widgets::text::fit(&shown(&when), room),
        Role::Dim,
    )]);
    let room = pen.room();
    pen.put(&fit_end(&name, room), Role::Text);
}

/// The progress of a resource, if the file is the log of a run.
fn progress(flags: Flags) -> Option<Span> {
    const WORDS: [(Flags, &str, Role); 4] = [
        (Flags::RUNNING, " · running", Role::Badge),
        (Flags::DONE, " · done", Role::Good),
        (Flags::FAILED, " · failed!", Role::Danger),
        (Flags::PENDING_OPERATION, " · unfinished!", Role::Danger),
    ];
    let found = WORDS.iter().find(|(flag, ..)| flags.contains(*flag));
    found.map(|(_, word, role)| Span::new(*word, *role))
}

fn count_of(number: usize) -> String {
    count(number as u64)
}

/// The name of a change: the address of the resource. Without one, the full name in the stack.
fn name(stack: &Stack, id: ResourceId) -> String {
    match stack.address(id) {
        Some(address) => shown(address),
        None => shown(stack.name(id)),
    }
}

/// `← main.id` if another resource is the cause, otherwise the properties that force a replacement. `None` if neither is known.
fn short_why(stack: &Stack, steps: &[ChainLink]) -> Option<String> {
    let first = steps.first()?;
    if let (Some(through), Some(next)) = (&first.through, steps.get(1)) {
        let attribute = through
            .attribute
            .as_ref()
            .map_or_else(String::new, |it| format!(".{it}"));
        return Some(format!(
            "← {}{}",
            shown(stack.short_name(next.id)),
            shown(&attribute)
        ));
    }
    let forcing: Vec<_> = first
        .forcing
        .iter()
        .map(|path| shown(&path.to_string()))
        .collect();
    if !forcing.is_empty() {
        return Some(format!("! {}", forcing.join(", ")));
    }
    None
}
