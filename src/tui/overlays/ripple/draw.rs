//! Drawing a ripple: only the lines on the screen are laid out.

use super::RippleLines;
use crate::stack::Action;
use crate::stack::graph::Direction;
use crate::tui::changes::words;
use crate::tui::edges::why;
use crate::tui::outline::Strip;
use crate::tui::panes::tree::{guides, short_type};
use crate::tui::ripple::layout::Subject;
use crate::tui::rows::{Span, shown};
use crate::tui::stacks::OtherEnd;
use crate::tui::theme::Role;
use crate::tui::widgets::pen::width_of;
use crate::tui::widgets::text::{fit, fit_middle, plural, width};

/// Cells of the first line that its texts do not use: the corners, and the blanks around both texts.
const AROUND_HEAD: usize = 7;

/// Width of the title that the totals leave, in cells.
const MIN_TITLE: usize = 24;

impl RippleLines {
    /// The title and the totals in a frame of this width. The words of the title give way first, then the names of other stacks, then the
    /// middle of the name.
    pub(super) fn head(&self, width_of_frame: usize) -> (String, Vec<Span>) {
        let room = width_of_frame.saturating_sub(AROUND_HEAD);
        let (before, what) = self.title();
        let mut totals = self.ripple.totals.clone();
        if let Some(last) = totals.last_mut() {
            last.text.truncate(last.text.trim_end().len());
        }
        let needed = width_of(&totals);
        if width(&before) + width(&what) + needed <= room {
            return (before + &what, totals);
        }
        let least = width(&what).min(MIN_TITLE);
        let mut left = room.saturating_sub(least);
        for span in &mut totals {
            span.text = fit(&span.text, left);
            left -= width(&span.text);
        }
        let of_title = room.saturating_sub(width_of(&totals));
        (fit_middle(&what, of_title), totals)
    }

    /// `What happens when ` and `± orders-db is replaced`.
    fn title(&self) -> (String, String) {
        let stack = &*self.ripple.stack;
        let id = self.ripple.origin.cause;
        let name = shown(stack.short_name(id));
        let sign = words::action(stack, id).map_or(String::new(), |(sign, ..)| format!("{sign} "));
        if self.ripple.origin.direction == Direction::DependsOn {
            return ("What ".to_owned(), format!("{sign}{name} depends on"));
        }
        let record = stack.record(id);
        let is_planned = !stack.is_comparison && !record.flags.is_drift();
        let happens = match record.action.filter(|_| is_planned) {
            Some(Action::Replace) => "is replaced",
            Some(Action::Update) => "is updated",
            Some(Action::Delete) => "is destroyed",
            Some(Action::Create) => "is created",
            Some(Action::Import) => "is imported",
            Some(Action::Read | Action::Move | Action::Forget | Action::Defer | Action::Noop)
            | None => "changes",
        };
        let what = format!("{sign}{name} {happens}");
        ("What happens when ".to_owned(), what)
    }

    /// The resource on a line: its type, the edge to it and its steps in the apply.
    pub(super) fn status(&self, row: usize) -> String {
        let stack = &*self.ripple.stack;
        let id = match self.ripple.lines[row].subject {
            Subject::Own(id) => id,
            Subject::Other(index) => return self.status_of_other(&self.ripple.others[index]),
        };
        let mut parts = vec![shown(&stack.placed_name(id))];
        if let Some(steps) = self.ripple.steps.get(&id) {
            let steps = steps.iter().map(|step| match (steps.len(), step.destroys) {
                (1, _) => format!("step {}", step.number),
                (_, true) => format!("destroyed in step {}", step.number),
                (_, false) => format!("created in step {}", step.number),
            });
            let steps = steps.collect::<Vec<_>>().join(", ");
            parts.push(format!("{steps} of {}", self.ripple.n_steps));
        }
        if stack.address(id).is_none() {
            parts.push(short_type(stack, id));
        }
        parts.extend(self.edge(row).map(|_| self.reason(row)));
        parts.retain(|part| !part.is_empty());
        parts.join(" · ")
    }

    /// The end in another stack, the reason for it, and the stacks that read that one in turn.
    fn status_of_other(&self, end: &OtherEnd) -> String {
        let mut parts = vec![end.label(), end.reason()];
        let among = self.ripple.among.as_ref().zip(end.stack);
        let readers = among.map(|(among, stack)| among.readers_of(stack));
        let readers = readers.unwrap_or_default();
        if let [first, more @ ..] = &readers[..] {
            let more = match more.len() {
                0 => String::new(),
                n => format!(" and {}", plural(n, "more stack")),
            };
            parts.push(format!("{} is read by {first}{more}", end.name));
        }
        parts.join(" · ")
    }

    /// The reason for the edge to a line.
    fn reason(&self, at: usize) -> String {
        if let Some(end) = self.other(at) {
            return end.reason();
        }
        let known = self.reasons.get(&at).cloned();
        let edge = self.edge(at);
        known
            .or_else(|| Some(why(&self.ripple.stack, edge?, None)))
            .unwrap_or_default()
    }

    /// The role of the reason for the edge to a line: a guess stands out.
    fn reason_role(&self, at: usize) -> Role {
        match self.other(at) {
            Some(end) if end.is_guess => Role::Badge,
            Some(_) | None => Role::Reference,
        }
    }

    /// The sign and the name of a resource, and its steps in the apply: `± orders-db  steps 1, 4`. In another stack its stack and its
    /// name.
    fn resource(&self, subject: Subject, room: usize) -> Vec<Span> {
        let id = match subject {
            Subject::Own(id) => id,
            Subject::Other(index) => {
                let label = self.ripple.others[index].label();
                return vec![Span::new(fit_middle(&label, room), Role::Container)];
            }
        };
        let stack = &*self.ripple.stack;
        let mut spans = Vec::new();
        if let Some((sign, _, role)) = words::action(stack, id) {
            spans.push(Span::new(format!("{sign} "), role));
        }
        let numbers = self.ripple.steps.get(&id).into_iter().flatten();
        let numbers: Vec<_> = numbers.map(|step| step.number.to_string()).collect();
        let steps = match &numbers[..] {
            [] => String::new(),
            [number] => format!("  step {number}"),
            several => format!("  steps {}", several.join(", ")),
        };
        let room = room.saturating_sub(width_of(&spans) + width(&steps));
        let name = fit_middle(&shown(&stack.placed_name(id)), room);
        spans.push(Span::new(name, Role::Text));
        spans.push(Span::new(steps, Role::Dim));
        spans
    }

    /// A line with the distance from the cause at its right end.
    pub(super) fn strip(&self, row: usize, room: usize) -> Strip {
        let line = self.ripple.lines[row];
        let distance = match line.depth {
            0 => "cause".to_owned(),
            depth => plural(depth, "step"),
        };
        let (guide, _) = guides(line.depth, room / 3);
        let left = room.saturating_sub(width(&distance) + width(&guide) + 2);
        let mut spans = vec![Span::new(guide, Role::Border)];
        spans.extend(self.resource(line.subject, left));
        let reason = format!("  {}", self.reason(row));
        spans.push(Span::new(reason, self.reason_role(row)));
        Strip {
            indent: 1,
            spans,
            right: vec![Span::new(distance, Role::Dim)],
            ..Strip::default()
        }
    }
}
