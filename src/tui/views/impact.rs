//! The third pane of a wide screen: what a change of the current resource reaches.

use ratatui::buffer::Buffer;
use ratatui::layout::Position;

use crate::stack::{ResourceId, Stack};
use crate::tui::changes::words;
use crate::tui::command::{Command, DepsCommand};
use crate::tui::impact::{Dependent, Impact};
use crate::tui::jobs::impact::FindImpact;
use crate::tui::keymap;
use crate::tui::layout::Pane;
use crate::tui::overlays::Outcome;
use crate::tui::panes;
use crate::tui::rows::{Span, shown};
use crate::tui::session::Session;
use crate::tui::stacks::OtherEnd;
use crate::tui::theme::Role;
use crate::tui::widgets::frame::{self, Labels};
use crate::tui::widgets::pen::Pen;
use crate::tui::widgets::scrollbar::{self, Bar};
use crate::tui::widgets::text::{count, fit, fit_middle, width};

/// Minimum room for a reason, in cells.
const MIN_REASON: usize = 8;

/// The impact of the current resource.
#[derive(Default, Debug)]
pub struct ImpactPane {
    impact: Option<Impact>,
    /// The first line on the screen.
    top: usize,
    /// The resource whose impact is being found. One is found at a time, so that a person who moves fast waits for one only.
    asked: Option<ResourceId>,
}

/// A line of the pane. Its text is made when it is drawn.
enum Line<'i> {
    Text(Vec<Span>),
    Dependent(&'i Dependent),
    Other(&'i OtherEnd),
}

impl Line<'_> {
    fn id(&self) -> Option<ResourceId> {
        match self {
            Self::Dependent(dependent) => Some(dependent.id),
            Self::Text(_) | Self::Other(_) => None,
        }
    }

    /// The spans, and those at the right end.
    fn spans(&self, stack: &Stack, room: usize) -> [Vec<Span>; 2] {
        match self {
            Self::Text(spans) => [spans.clone(), Vec::new()],
            Self::Dependent(dependent) => row(stack, dependent, room),
            Self::Other(end) => other_row(end, room),
        }
    }
}

impl ImpactPane {
    /// Requests the impact of the current resource, unless it is known or another one is being found.
    pub fn follow(&mut self, session: &Session) -> Outcome {
        let Some(id) = subject(session) else {
            return Outcome::Done;
        };
        let is_known = self.known(id).is_some();
        // Dependencies are unknown until the end of the file.
        if is_known || self.asked.is_some() || session.loading.is_some() {
            return Outcome::Done;
        }
        let Some(document) = session.document.clone() else {
            return Outcome::Done;
        };
        self.asked = Some(id);
        Outcome::Start(Box::new(FindImpact(document, id, session.among.clone())))
    }

    /// Takes the impact of a resource.
    pub fn take(&mut self, impact: Impact) {
        self.asked = None;
        if self.known(impact.cause).is_none() {
            self.top = 0;
        }
        self.impact = Some(impact);
    }

    /// Scrolls by `delta` lines.
    pub fn scroll(&mut self, delta: isize, ctx: panes::Ctx<'_>, pane: Pane) {
        let bar = self.bar(ctx, pane);
        let most = bar.len.saturating_sub(usize::from(bar.area.height));
        self.top = bar.top.saturating_add_signed(delta).min(most);
    }

    /// The scrollbar.
    pub fn bar(&self, ctx: panes::Ctx<'_>, pane: Pane) -> Bar {
        self.bar_of(&self.lines(ctx), pane)
    }

    fn bar_of(&self, lines: &[Line<'_>], pane: Pane) -> Bar {
        let last = lines.len().saturating_sub(usize::from(pane.inner.height));
        Bar::flat(scrollbar::column(pane), self.top.min(last), lines.len())
    }

    /// The resource on a line of the screen.
    pub fn resource_at(&self, at: Position, ctx: panes::Ctx<'_>, pane: Pane) -> Option<ResourceId> {
        let line = usize::from(at.y.checked_sub(pane.inner.y)?);
        let lines = self.lines(ctx);
        lines.get(self.bar_of(&lines, pane).top + line)?.id()
    }

    fn known(&self, id: ResourceId) -> Option<&Impact> {
        self.impact.as_ref().filter(|it| it.cause == id)
    }

    /// Draws the pane.
    pub fn view(&self, ctx: panes::Ctx<'_>, pane: Pane, buffer: &mut Buffer) {
        let id = subject(ctx.session);
        let name = id.map(|id| shown(&ctx.session.stack().placed_name(id)));
        let ripple = keymap::key_of(Command::Deps(DepsCommand::Ripple));
        let labels = Labels {
            title: name.map_or("impact".to_owned(), |name| format!("impact · {name}")),
            status: format!("{ripple} ripple"),
            focused: false,
        };
        frame::draw(pane, &labels, ctx.theme, buffer);
        let lines = self.lines(ctx);
        let bar = self.bar_of(&lines, pane);
        let (stack, room) = (ctx.session.stack(), usize::from(pane.inner.width));
        for (y, line) in (0..pane.inner.height).zip(lines.iter().skip(bar.top)) {
            let [left, right] = line.spans(stack, room);
            let mut pen = Pen::new(buffer, ctx.theme, pane.inner, y);
            pen.skip(1).put_right(&right).put_all(&left);
        }
        scrollbar::draw(buffer, ctx.theme, bar, |_| None);
    }

    fn lines(&self, ctx: panes::Ctx<'_>) -> Vec<Line<'_>> {
        let dim = |text: &str| vec![Line::Text(vec![Span::new(text, Role::Dim)])];
        match subject(ctx.session) {
            None => dim("no resource selected"),
            Some(_) if ctx.session.loading.is_some() => dim("known at the end of the file"),
            Some(id) => match self.known(id) {
                None => dim("looking …"),
                Some(impact) if impact.n_all + impact.n_others == 0 => dim("nothing needs it"),
                Some(impact) => lines(impact),
            },
        }
    }
}

/// The resource whose impact is shown.
fn subject(session: &Session) -> Option<ResourceId> {
    Some(session.stack().own_record(session.current?))
}

/// The lines of an impact. Their number is limited, as that of the dependents is.
fn lines(impact: &Impact) -> Vec<Line<'_>> {
    let (n_direct, n_all) = (impact.n_direct as u64, impact.n_all as u64);
    let mut text = format!("needed by {}", count(n_direct));
    if n_all > n_direct {
        text = format!("{text} · {} in all", count(n_all));
    }
    if impact.n_others > 0 {
        let n = count(impact.n_others as u64);
        text = format!("{text} · {n} in other stacks");
    }
    let mut lines = vec![Line::Text(vec![Span::new(text, Role::Title)])];
    if !impact.totals.is_empty() {
        let gap = Span::new("  ", Role::Text);
        let totals = impact
            .totals
            .iter()
            .flat_map(|it| [it.clone(), gap.clone()]);
        lines.push(Line::Text(totals.collect()));
    }
    if impact.n_others > 0 {
        lines.push(Line::Text(Vec::new()));
        let heading = Span::new("in other stacks", Role::Dim);
        lines.push(Line::Text(vec![heading]));
        lines.extend(impact.others.iter().map(Line::Other));
        let n_more = impact.n_others - impact.others.len();
        if n_more > 0 {
            let text = format!("+{} more", count(n_more as u64));
            lines.push(Line::Text(vec![Span::new(text, Role::Dim)]));
        }
    }
    let mut depth = 0;
    for dependent in &impact.nearest {
        if dependent.depth != depth {
            depth = dependent.depth;
            let heading = match depth {
                1 => "directly".to_owned(),
                steps => format!("in {steps} steps"),
            };
            lines.push(Line::Text(Vec::new()));
            lines.push(Line::Text(vec![Span::new(heading, Role::Dim)]));
        }
        lines.push(Line::Dependent(dependent));
    }
    let n_below = impact.n_all - impact.nearest.len();
    if n_below > 0 {
        let text = format!("+{} more", count(n_below as u64));
        lines.push(Line::Text(vec![Span::new(text, Role::Dim)]));
    }
    lines
}

/// A resource of another stack, and if there is room the reason.
fn other_row(end: &OtherEnd, room: usize) -> [Vec<Span>; 2] {
    let label = fit_middle(&end.label(), room.saturating_sub(4));
    let left = room.saturating_sub(width(&label) + 3);
    let reason = end.reason();
    let role = if end.is_guess {
        Role::Badge
    } else {
        Role::Reference
    };
    let right = if left >= MIN_REASON {
        vec![Span::new(fit(&reason, left), role)]
    } else {
        Vec::new()
    };
    [vec![Span::new(label, Role::Container)], right]
}

/// A resource that needs another: its sign, its name, and if there is room the property that says so.
fn row(stack: &Stack, dependent: &Dependent, room: usize) -> [Vec<Span>; 2] {
    let Dependent { id, why, .. } = dependent;
    let action = words::action(stack, *id);
    let (sign, role) = action.map_or((" ", Role::Text), |(sign, _, role)| (sign, role));
    let name = fit_middle(&shown(&stack.placed_name(*id)), room.saturating_sub(4));
    // A file without changes needs no column for their signs.
    let has_signs = stack.header.kind.has_changes() || stack.is_comparison;
    let mut left = Vec::new();
    if has_signs {
        left.push(Span::new(format!("{sign} "), role));
    }
    let taken = width(&name) + 2 * left.len() + 3;
    let room = room.saturating_sub(taken);
    let right = if room >= MIN_REASON {
        vec![Span::new(fit(why, room), Role::Reference)]
    } else {
        Vec::new()
    };
    left.push(Span::new(name, Role::Text));
    [left, right]
}
