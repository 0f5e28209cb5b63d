//! Drawing the list of changes.
//!
//! A row has a sign, a name, a type, the properties that change, and the reason. The name and the type are never left out. The
//! reason for a replacement or a deletion moves to a second line if there is no room for it.

use std::fmt::Write as _;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::columns::Columns;
use super::{ChangesPane, ListRow, Topic, tally};
use crate::change::rules::Level;
use crate::stack::{Action, ChangeId, ResourceId, Stack};
use crate::tui::brief::{ChangeLine, REVIEWED};
use crate::tui::changes::{Explained, Group, Property, words};
use crate::tui::command::{Command, ListCommand, ReviewCommand};
use crate::tui::keymap::{self, Scope};
use crate::tui::layout::Pane;
use crate::tui::outline::{Laid, RowLine, Strip};
use crate::tui::panes::Ctx;
use crate::tui::panes::tree::short_type;
use crate::tui::rows::{Span, shown};
use crate::tui::session::Session;
use crate::tui::theme::Role;
use crate::tui::widgets::pen::{joined, put_text, width_of};
use crate::tui::widgets::text::{
    count, fit, fit_end, fit_middle, padded, plural, time, width, wrap_words,
};

/// Cells in front of a name: the cursor, the mark, the sign and a blank.
const LEAD: usize = 4;

/// Maximum number of lines of an error in the list. The difference has all of them.
const MAX_ERROR: usize = 8;

/// Maximum number of changes that are counted as held up by a failed one.
const MAX_HELD: usize = 99;

/// Width of the properties of a change, in cells, from which on the action stands beside them as a word.
const READABLE_PROPERTIES: usize = 24;

/// Minimum width of the properties of a change, in cells.
const MIN_PROPERTIES: usize = 6;

impl ChangesPane {
    /// Draws the pane.
    pub fn view(&self, ctx: Ctx<'_>, pane: Pane, buffer: &mut Buffer) {
        let len = self.rows().row_count();
        self.frame(ctx, pane, self.cursor.words(len), buffer);
        let area = pane.inner;
        if len == 0 {
            self.draw_nothing(ctx, area, buffer);
        }
        self.laid(ctx.session, pane)
            .draw(ctx.theme, ctx.focused, buffer);
    }

    /// Draws the frame, with the words for the place of the cursor.
    pub fn frame(&self, ctx: Ctx<'_>, pane: Pane, row: String, buffer: &mut Buffer) {
        let status = tally::status(self, row, ctx.session.stack(), &ctx.session.reviewed);
        // Without a frame the status stands beside the title.
        let beside = if pane.boxed { 0 } else { width(&status) + 3 };
        let room = usize::from(pane.outer.width).saturating_sub(beside);
        let title = tally::title(self, ctx.session.stack(), room);
        ctx.frame(pane, title, status, buffer);
    }

    /// The rows as they stand on the screen.
    pub fn laid<'p>(&'p self, session: &'p Session, pane: Pane) -> Laid<'p> {
        let drawing = Drawing::new(self, session, pane);
        let make = move |row| {
            let lines = drawing.lines(row).into_iter();
            lines.map(RowLine::from).collect()
        };
        Laid::new(pane, pane.inner, self.rows().row_count(), self.cursor, make)
    }

    fn draw_nothing(&self, ctx: Ctx<'_>, area: Rect, buffer: &mut Buffer) {
        let unjudged = ctx.session.stack().counts.unjudged();
        let [choose, unchanged] = [
            Command::Review(ReviewCommand::Actions),
            Command::List(ListCommand::Noise),
        ]
        .map(|command| keymap::key_in(Scope::Changes, command));
        let unchanged = format!("{unchanged} show unchanged resources");
        // Outputs and actions may change all the same.
        let total = || {
            let stack = ctx.session.stack();
            stack.total(&stack.changes())
        };
        let text = if let Some(why) = &self.nothing {
            why
        } else if let Some(unjudged) = unjudged.as_ref().filter(|_| self.filter.is_none()) {
            unjudged
        } else if self.filter.is_some() {
            "no change matches the filter"
        } else if ctx.session.loading.is_some() {
            "no changes yet; the file is still being read"
        } else if !self.is_review {
            "a state has no changes; open a plan, a preview, or two files"
        } else if self.counts().next().is_none() {
            &total()
        } else if self.counts().all(|it| it.0 == Topic::Change(Action::Noop)) {
            &format!("{} · {unchanged}", total())
        } else {
            &format!("nothing is listed · {choose} choose actions · {unchanged}")
        };
        put_text(text, Role::Dim, ctx.theme, area, buffer);
    }
}

/// The rows on the screen.
struct Drawing<'p> {
    list: &'p ChangesPane,
    session: &'p Session,
    columns: Columns,
    /// Cells of a line, without the cursor.
    room: usize,
}

impl<'p> Drawing<'p> {
    fn new(list: &'p ChangesPane, session: &'p Session, pane: Pane) -> Self {
        let ids: Vec<_> = list.on_screen(usize::from(pane.inner.height)).collect();
        let width = usize::from(pane.inner.width);
        let names_module = |id: ResourceId| list.rows().names_module(id);
        let room = width.saturating_sub(LEAD);
        Self {
            list,
            session,
            columns: Columns::new(session.stack(), &ids, room, names_module),
            room: width.saturating_sub(1),
        }
    }

    /// The lines of a row.
    fn lines(&self, row: usize) -> Vec<Strip> {
        match self.list.rows().row(row) {
            Some(ListRow::Group(at)) => vec![self.heading(&self.list.rows().groups()[at])],
            Some(ListRow::Change(ChangeId::Resource(id))) => {
                let mut lines = self.change(id);
                lines.extend(self.failure(id));
                lines
            }
            Some(ListRow::Change(ChangeId::Output(at))) => vec![self.output(at)],
            Some(ListRow::Change(ChangeId::Invocation(at))) => vec![self.invocation(at)],
            None => vec![Strip::default()],
        }
    }

    /// The heading of a group: a section with the number of its changes, another one with those in it and below it by topic.
    fn heading(&self, group: &Group) -> Strip {
        let stack = self.session.stack();
        let sum = |(topic, n): &(Topic, usize)| {
            let text = format!("{}{}", topic.sign(), count_of(*n));
            Span::new(text, topic.role())
        };
        let right = joined(group.sums.iter().map(sum), " ");
        let indent = (2 * group.depth).min(self.room / 3);
        let left = self.room.saturating_sub(width_of(&right) + 4 + indent);
        let label = match (group.topic(), group.type_of()) {
            (Some(topic), _) => topic.name(stack).to_owned(),
            (None, Some(id)) => fit_middle(&short_type(stack, id), left),
            (None, None) => fit_middle(&group.label, left),
        };
        let mut spans = vec![
            Span::new(" ".repeat(1 + indent), Role::Dim),
            Span::fold(group.open, Role::Dim),
            Span::new(label, Role::Title),
        ];
        if let Some(topic) = group.topic() {
            let n = count_of(group.n_entries());
            let above = match self.list.n_also(topic) {
                // A filter hides some.
                n if n > 0 && self.list.filter.is_none() => {
                    format!(", {} more above", count_of(n))
                }
                _ => String::new(),
            };
            let hidden = if group.open { "" } else { ", hidden" };
            spans.push(Span::new(format!(" ({n}{above}{hidden})"), Role::Dim));
        }
        Strip::from(spans).ending(right)
    }

    /// The lines below a change that failed: its error, and the changes that it holds up.
    fn failure(&self, id: ResourceId) -> Vec<Strip> {
        if Topic::of(self.session.stack(), id) != Some(Topic::Failed) {
            return Vec::new();
        }
        let room = self.room.saturating_sub(LEAD + 2);
        let error = self.list.errors.get(&id).map_or("", String::as_str);
        let parts: Vec<String> = error.lines().map(shown).collect();
        let pieces = parts.iter().filter(|part| !part.is_empty());
        let pieces: Vec<&str> = pieces.flat_map(|part| wrap_words(part, room)).collect();
        let n_more = pieces.len().saturating_sub(MAX_ERROR);
        let mut lines: Vec<(String, Role)> = pieces
            .iter()
            .take(MAX_ERROR)
            .map(|piece| ((*piece).to_owned(), Role::Danger))
            .collect();
        if n_more > 0 {
            lines.push((format!("… {}", plural(n_more, "more line")), Role::Dim));
        }
        let (n_held, names) = held_up(self.session, id);
        if n_held > 0 {
            let more = if n_held > names.len() { ", …" } else { "" };
            let text = format!("holds up {n_held}: {}{more}", names.join(", "));
            lines.push((fit(&text, room), Role::Badge));
        }
        let lead = Span::new(format!("{}│ ", " ".repeat(LEAD - 1)), Role::Border);
        let lines = lines.into_iter();
        lines
            .map(|(text, role)| Strip::from(vec![lead.clone(), Span::new(text, role)]))
            .collect()
    }

    /// An output: its name and its values.
    fn output(&self, at: usize) -> Strip {
        let is_reviewed = self.session.reviewed.contains(&ChangeId::Output(at));
        let mark = if is_reviewed { REVIEWED } else { " " };
        let detail = self.list.outputs.get(&at).map(ChangeLine::new);
        let line = detail.map(|line| line.in_one(self.room.saturating_sub(1)));
        let mark = Span::new(mark, Role::Good);
        let spans = [mark].into_iter().chain(line.into_iter().flatten());
        Strip::from(spans.collect::<Vec<_>>())
    }

    fn change(&self, id: ResourceId) -> Vec<Strip> {
        let (list, session, stack) = (self.list, self.session, self.session.stack());
        let topic = Topic::of(stack, id).unwrap_or(Topic::Change(Action::Noop));
        let action = stack.record(id).action.unwrap_or(Action::Noop);
        let mark = if session.reviewed.contains(&ChangeId::Resource(id)) {
            REVIEWED
        } else if session.marks.contains(&id) {
            "●"
        } else {
            " "
        };
        let explained = list.whys.get(&id);
        let mut state = state(stack, id, topic);
        if session.is_not_started(id) {
            state.insert(0, Span::new("not started", Role::Badge));
        }
        if topic == Topic::Running
            && let Some(seconds) = session.running_for(id)
        {
            state.push(Span::new(time(seconds), Role::Badge));
        }
        // The action as a word, where there is room: color and sign are not the only clue.
        let word = match words::progress(stack, id) {
            Some(_) => None,
            None => words::action(stack, id).map(|(_, word, role)| Span::new(word, role)),
        };
        let parts = ChangeParts {
            named: self.named(id, mark, topic, action),
            properties: explained.map_or(&[][..], |it| &it.properties),
            reason: explained.and_then(|it| reason(stack, it)),
            word: word.into_iter().collect(),
            state,
            gap: self.columns.gap,
            room: self.room,
        };
        let mut findings = list.findings.iter().flat_map(|it| it.about(id));
        match findings.find(|finding| finding.level == Level::Danger) {
            Some(danger) => parts.with_danger(&danger.words),
            None if matches!(action, Action::Replace | Action::Delete | Action::Forget) => {
                parts.with_reason()
            }
            None => vec![parts.on_one_line()],
        }
    }

    /// The beginning of the row of a change: its mark, sign, name and type.
    fn named(&self, id: ResourceId, mark: &str, topic: Topic, action: Action) -> Vec<Span> {
        let columns = &self.columns;
        let (name, ty) = columns.texts(id);
        let signed = if topic.is_of_run() {
            Topic::Change(action)
        } else {
            topic
        };
        let role = if action == Action::Noop {
            Role::Dim
        } else {
            Role::Text
        };
        let mut spans = vec![
            Span::new(mark, Role::Good),
            Span::new(format!("{} ", signed.sign()), signed.role()),
            Span::new(padded(name, columns.name), role),
        ];
        if columns.ty > 0 {
            spans.push(Span::new(" ".repeat(columns.gap), Role::Text));
            spans.push(Span::new(padded(ty, columns.ty), Role::Type));
        }
        spans
    }

    /// An action: its name and when it is invoked.
    fn invocation(&self, index: usize) -> Strip {
        let Some(invocation) = self.session.stack().invocations.get(index) else {
            return Strip::default();
        };
        let topic = Topic::Invoked;
        let mut when = invocation.when();
        if let Some(resource) = invocation.resource() {
            when = format!("{when} ← {resource}");
        }
        let name = shown(&invocation.address);
        let room = self.room.saturating_sub(LEAD);
        let wanted = width(&name).min(24);
        let when = fit(&shown(&when), room.saturating_sub(wanted + 1));
        let left = room.saturating_sub(width(&when) + 1);
        Strip::from(vec![
            Span::new(" ", Role::Text),
            Span::new(format!("{} ", topic.sign()), topic.role()),
            Span::new(fit_end(&name, left), Role::Text),
        ])
        .ending(vec![Span::new(when, Role::Dim)])
    }
}

/// The parts of the row of a change, before they are laid out.
struct ChangeParts<'a> {
    /// The signs, the name and the type.
    named: Vec<Span>,
    properties: &'a [Property],
    reason: Option<Span>,
    /// The action as a word.
    word: Vec<Span>,
    state: Vec<Span>,
    /// Blanks between columns.
    gap: usize,
    room: usize,
}

impl ChangeParts<'_> {
    /// Everything on one line: each part as far as there is room. The word of the action gives way to properties that cannot be
    /// read, the reason to nothing but lack of room.
    fn on_one_line(mut self) -> Strip {
        let needed = self.needed();
        let least = needed.min(MIN_PROPERTIES);
        let readable = needed.min(READABLE_PROPERTIES);
        let fitting = self.fitting([
            (self.worded(self.reason.as_ref()), readable),
            (self.stated(self.reason.as_ref()), least),
            (self.worded(None), readable),
        ]);
        if let Some(right) = fitting {
            return self.line(right);
        }
        // The progress of a run comes first and stays longest.
        while with_blank(&self.stated(None)) > self.free() {
            self.state.pop();
        }
        let right = self.stated(None);
        let left = self.free().saturating_sub(with_blank(&right));
        // The reason alone, beside the name.
        let is_alone = left >= 10 && self.properties.is_empty();
        let right = match &self.reason {
            Some(it) if is_alone => vec![Span::new(fit(&it.text, left - 1), it.role)],
            Some(_) | None => right,
        };
        self.line(right)
    }

    /// On one line, or with the properties and the reason below: neither is left out.
    fn with_reason(mut self) -> Vec<Strip> {
        let needed = self.needed();
        let least = match self.properties {
            [first, ..] if first.forces => {
                width_of(&property_spans(std::slice::from_ref(first), usize::MAX))
            }
            _ => needed.min(MIN_PROPERTIES),
        };
        let fitting = self.fitting([
            (
                self.worded(self.reason.as_ref()),
                least.max(needed.min(READABLE_PROPERTIES)),
            ),
            (self.stated(self.reason.as_ref()), least),
        ]);
        if let Some(right) = fitting {
            return vec![self.line(right)];
        }
        let below = reason_line(self.properties, self.reason.take(), self.room);
        self.properties = &[];
        let first = self.with_state();
        [first].into_iter().chain(below).collect()
    }

    /// The danger stands below, with the reason if both fit. Properties of which none can be read whole are left out.
    fn with_danger(mut self, says: &str) -> Vec<Strip> {
        let first = self.properties.get(..1).unwrap_or_default();
        let least = width_of(&property_spans(first, usize::MAX));
        if self.fitting([(self.stated(None), least)]).is_none() {
            self.properties = &[];
        }
        let lead = below_lead();
        let room = self.room.saturating_sub(width_of(&lead) + 1);
        let reason = self.reason.take().into_iter().collect::<Vec<_>>();
        let right = if width(says) + 2 + width_of(&reason) <= room {
            reason
        } else {
            Vec::new()
        };
        let says = Span::new(fit(&shown(says), room), Role::Danger);
        let below = Strip::from([lead, vec![says]].concat()).ending(right);
        vec![self.with_state(), below]
    }

    /// The line of the name, with the word of the action and the state at its end as far as they fit.
    fn with_state(self) -> Strip {
        let readable = self.needed().min(READABLE_PROPERTIES);
        let forms = [(self.worded(None), readable), (self.stated(None), 0)];
        let right = self.fitting(forms).unwrap_or_default();
        self.line(right)
    }

    /// The state and the reason, at the right end.
    fn stated(&self, reason: Option<&Span>) -> Vec<Span> {
        joined(self.state.iter().chain(reason).cloned(), " ")
    }

    /// The word of the action, the state and the reason, at the right end.
    fn worded(&self, reason: Option<&Span>) -> Vec<Span> {
        let spans = self.word.iter().chain(&self.state).chain(reason);
        joined(spans.cloned(), " ")
    }

    /// Cells beside the name.
    fn free(&self) -> usize {
        self.room.saturating_sub(width_of(&self.named))
    }

    /// Cells that all properties take.
    fn needed(&self) -> usize {
        width_of(&property_spans(self.properties, usize::MAX))
    }

    /// The first of some texts at the right that leaves enough cells for properties: each comes with their number.
    fn fitting<const N: usize>(&self, forms: [(Vec<Span>, usize); N]) -> Option<Vec<Span>> {
        let fits = |(right, least): &(Vec<Span>, usize)| {
            let before = if *least > 0 { self.gap } else { 0 };
            with_blank(right) + before + least <= self.free()
        };
        let mut forms = forms.into_iter();
        forms.find(fits).map(|(right, _)| right)
    }

    /// The line of the name, with the properties that fit and this text at the right.
    fn line(self, right: Vec<Span>) -> Strip {
        let left = self.free().saturating_sub(with_blank(&right));
        let properties = property_spans(self.properties, left.saturating_sub(self.gap));
        let mut spans = self.named;
        if !properties.is_empty() {
            spans.push(Span::new(" ".repeat(self.gap), Role::Text));
            spans.extend(properties);
        }
        Strip::from(spans).ending(right)
    }
}

/// Width of a text with a blank before it; 0 for none.
fn with_blank(spans: &[Span]) -> usize {
    width_of(spans) + usize::from(!spans.is_empty())
}

/// The sign in front of a line below a row.
fn below_lead() -> Vec<Span> {
    let indent = " ".repeat(LEAD - 1);
    vec![Span::new(format!("{indent}└ "), Role::Border)]
}

/// Changes that wait for a failed one: their number, at most [`MAX_HELD`], and the names of the first ones.
fn held_up(session: &Session, id: ResourceId) -> (usize, Vec<String>) {
    let stack = session.stack();
    let mut seen = vec![id];
    let mut at = 0;
    while let Some(next) = seen.get(at).copied() {
        for link in stack.graph.used_by(next).iter().take(10 * MAX_HELD) {
            if seen.len() <= MAX_HELD && session.is_waiting(link.to) && !seen.contains(&link.to) {
                seen.push(link.to);
            }
        }
        at += 1;
    }
    let names = seen.iter().skip(1).take(4);
    let names = names.map(|id| shown(stack.short_name(*id)));
    (seen.len() - 1, names.collect())
}

/// The line below the row of a change: its properties and its reason. `None` if neither is known. The reason leaves room for a
/// property.
fn reason_line(properties: &[Property], reason: Option<Span>, room: usize) -> Option<Strip> {
    let lead = below_lead();
    let room = room.saturating_sub(width_of(&lead) + 1);
    let wanted = reason.as_ref().map_or(0, |it| width(&it.text) + 2);
    let first = width_of(&property_spans(properties, room)).min(room / 2);
    let mut below = property_spans(properties, room.saturating_sub(wanted).max(first));
    if let Some(reason) = reason {
        if !below.is_empty() {
            below.push(Span::new("  ", Role::Text));
        }
        let left = room.saturating_sub(width_of(&below));
        below.push(Span::new(fit_middle(&reason.text, left), reason.role));
    }
    (!below.is_empty()).then(|| [lead, below].concat().into())
}

/// Remarks about a change: its progress, its steps, further actions.
fn state(stack: &Stack, id: ResourceId, topic: Topic) -> Vec<Span> {
    let mut state = Vec::new();
    let progress = words::progress(stack, id);
    state.extend(progress.map(|(word, role)| Span::new(word, role)));
    if words::is_lost(stack, id) {
        state.push(Span::new("old one deleted", Role::Danger));
    }
    if stack.is_old_copy(id) {
        state.push(Span::new("old copy", Role::Dim));
    }
    if let Some(order) = stack.replace_order(id) {
        state.push(Span::new(order.sign(), Role::Replace));
    }
    let own = stack.record(id).action.map(Topic::Change);
    for other in Topic::also(stack, id).filter(|other| Some(*other) != own) {
        state.push(Span::new(other.name(stack), other.role()));
    }
    let address = stack.address(id).filter(|_| topic != Topic::Drift);
    let n_invoked = address.map_or(0, |it| stack.invocations_of(it).len());
    if n_invoked > 0 {
        let sign = Topic::Invoked.sign();
        state.push(Span::new(
            format!("{sign}{}", count_of(n_invoked)),
            Role::Other,
        ));
    }
    state
}

/// The number of properties that are left out, in `room` cells: `+3 forcing`, `+2 others`, else `+5`. `None` for no property.
fn more(left_out: &[Property], room: usize) -> Option<String> {
    let n_forcing = left_out.iter().filter(|it| it.forces).count();
    let n_others = left_out.len() - n_forcing;
    let others = if n_others == 1 { "other" } else { "others" };
    let words = match (n_forcing, n_others) {
        (0, 0) => return None,
        (0, n) => format!("+{} {others}", count_of(n)),
        (n, 0) => format!("+{} forcing", count_of(n)),
        (forcing, n) => format!("+{} forcing +{} {others}", count_of(forcing), count_of(n)),
    };
    let short = format!("+{}", count_of(left_out.len()));
    Some(if width(&words) <= room { words } else { short })
}

/// `! engine, size, +2 others` in `room` cells.
fn property_spans(properties: &[Property], room: usize) -> Vec<Span> {
    let mut spans: Vec<Span> = Vec::new();
    let mut used = 0;
    for (index, property) in properties.iter().enumerate() {
        let (text, role) = if property.forces {
            (format!("! {}", shown(&property.path)), Role::Danger)
        } else {
            (shown(&property.path), Role::Key)
        };
        let comma = if index > 0 { 2 } else { 0 };
        let rest = more(&properties[index + 1..], 0).map_or(0, |more| 2 + width(&more));
        let free = room.saturating_sub(used + comma);
        if width(&text) + rest > free && index > 0 {
            let left = room.saturating_sub(used + 2);
            let more = more(&properties[index..], left);
            if let (Some(last), Some(more)) = (spans.last_mut(), more) {
                _ = write!(last.text, ", {more}");
            }
            break;
        }
        if width(&text) > free && free < MIN_PROPERTIES {
            break;
        }
        let text = fit(&text, free);
        if index > 0 {
            spans.push(Span::new(", ", Role::Dim));
        }
        used += comma + width(&text);
        spans.push(Span::new(text, role));
        if index >= 8
            && let Some(more) = more(&properties[index + 1..], room.saturating_sub(used + 2))
        {
            spans.push(Span::new(format!(", {more}"), Role::Dim));
            break;
        }
    }
    spans
}

fn count_of(number: usize) -> String {
    count(number as u64)
}

/// `← main.id` if another resource is the cause, otherwise the file's own words. `None` if there are neither, or if the
/// properties that force a replacement say it.
fn reason(stack: &Stack, explained: &Explained) -> Option<Span> {
    let first = explained.steps.first()?;
    let words = first
        .reasons
        .first()
        .map(|it| Span::new(shown(it), Role::Dim));
    // Only the file's own words explain a deletion: an upstream change does not delete.
    if first.action == Action::Delete {
        return words;
    }
    if let (Some(through), Some(next)) = (&first.through, explained.steps.get(1)) {
        let attribute = through
            .attribute()
            .map_or_else(String::new, |it| format!(".{it}"));
        let text = format!(
            "← {}{}",
            shown(stack.short_name(next.id)),
            shown(&attribute)
        );
        return Some(Span::new(text, Role::Dim));
    }
    if !first.forcing.is_empty() {
        return None;
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_of_any_length_leaves_room_for_a_property() {
        let property = |path: &str, forces| Property {
            path: path.to_owned(),
            forces,
        };
        let properties = [property("file_system_id", true), property("tags.a", false)];
        let reason = Span::new("← aws_efs_file_system.shared.id", Role::Dim);
        let line = reason_line(&properties, Some(reason), 52).unwrap();
        let text: String = line.spans.iter().map(|span| &*span.text).collect();
        assert!(text.contains("! file_system_id"), "{text}");
        assert!(
            text.contains("← aws_") && text.ends_with("shared.id"),
            "{text}"
        );
        assert!(width(&text) <= 52, "{text}");
    }
}
