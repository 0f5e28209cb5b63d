//! The third pane of a wide screen: what a change of the current resource reaches.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::stack::{ResourceId, Stack};
use crate::tui::changes::words;
use crate::tui::command::{Command, DepsCommand};
use crate::tui::impact::{Dependent, Impact};
use crate::tui::jobs::Job;
use crate::tui::keymap;
use crate::tui::layout::Pane;
use crate::tui::overlays::Outcome;
use crate::tui::panes::Ctx;
use crate::tui::rows::{Span, shown};
use crate::tui::session::Session;
use crate::tui::theme::Role;
use crate::tui::widgets::frame::{self, Labels};
use crate::tui::widgets::pen::Pen;
use crate::tui::widgets::text::{count, fit, fit_middle, width};

/// Minimum room for a reason, in cells.
const MIN_REASON: usize = 8;

/// The impact of the current resource.
#[derive(Default, Debug)]
pub struct ImpactPane {
    impact: Option<Impact>,
    /// The resource whose impact is being found. One is found at a time, so that a person who moves fast waits for one only.
    asked: Option<ResourceId>,
}

/// A line of the pane: its spans, and those at its right end.
type Line = (Vec<Span>, Vec<Span>);

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
        Outcome::Start(Box::new(Job::Impact(document, id)))
    }

    /// Takes the impact of a resource.
    pub fn take(&mut self, impact: Impact) {
        self.asked = None;
        self.impact = Some(impact);
    }

    fn known(&self, id: ResourceId) -> Option<&Impact> {
        self.impact.as_ref().filter(|it| it.cause == id)
    }

    /// Draws the pane.
    pub fn view(&self, ctx: Ctx<'_>, pane: Pane, buffer: &mut Buffer) {
        let id = subject(ctx.session);
        let name = id.map(|id| shown(&ctx.session.stack().placed_name(id)));
        let ripple = keymap::key_of(Command::Deps(DepsCommand::Ripple));
        let labels = Labels {
            title: name.map_or("impact".to_owned(), |name| format!("impact · {name}")),
            status: format!("{ripple} ripple"),
            focused: false,
        };
        frame::draw(pane, &labels, ctx.theme, buffer);
        let dim = |text: &str| vec![(vec![Span::new(text, Role::Dim)], Vec::new())];
        let lines = match id {
            None => dim("no resource selected"),
            Some(_) if ctx.session.loading.is_some() => dim("known at the end of the file"),
            Some(id) => match self.known(id) {
                None => dim("looking …"),
                Some(impact) if impact.n_all == 0 => dim("nothing needs it"),
                Some(impact) => lines(impact, ctx.session.stack(), pane.inner),
            },
        };
        for (line, (left, right)) in (0..pane.inner.height).zip(lines) {
            let mut pen = Pen::new(buffer, ctx.theme, pane.inner, line);
            pen.skip(1).put_right(&right).put_all(&left);
        }
    }
}

/// The resource whose impact is shown.
fn subject(session: &Session) -> Option<ResourceId> {
    Some(session.stack().own_record(session.current?))
}

/// The first lines of an impact, as many as `area` has.
fn lines(impact: &Impact, stack: &Stack, area: Rect) -> Vec<Line> {
    let (height, room) = (usize::from(area.height), usize::from(area.width));
    let (n_direct, n_all) = (impact.n_direct as u64, impact.n_all as u64);
    let mut text = format!("needed by {}", count(n_direct));
    if n_all > n_direct {
        text = format!("{text} · {} in all", count(n_all));
    }
    let mut lines = vec![(vec![Span::new(text, Role::Title)], Vec::new())];
    if !impact.totals.is_empty() {
        let gap = Span::new("  ", Role::Text);
        let totals = impact
            .totals
            .iter()
            .flat_map(|it| [it.clone(), gap.clone()]);
        lines.push((totals.collect(), Vec::new()));
    }
    let mut depth = 0;
    for dependent in &impact.nearest {
        if lines.len() >= height {
            break;
        }
        if dependent.depth != depth {
            depth = dependent.depth;
            let heading = match depth {
                1 => "directly".to_owned(),
                steps => format!("in {steps} steps"),
            };
            lines.push((Vec::new(), Vec::new()));
            lines.push((vec![Span::new(heading, Role::Dim)], Vec::new()));
        }
        lines.push(row(stack, dependent, room));
    }
    let n_below = impact.n_all - impact.nearest.len();
    if n_below > 0 && lines.len() < height {
        let text = format!("+{} more", count(n_below as u64));
        lines.push((vec![Span::new(text, Role::Dim)], Vec::new()));
    }
    lines
}

/// A resource that needs another: its sign, its name, and if there is room the property that says so.
fn row(stack: &Stack, dependent: &Dependent, room: usize) -> Line {
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
    (left, right)
}
