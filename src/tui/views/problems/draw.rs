//! Drawing the list of problems.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::ProblemsView;
use crate::stack::{ResourceId, Severity, Stack};
use crate::tui::command::{Command, View};
use crate::tui::keymap::{self, Scope};
use crate::tui::layout::Pane;
use crate::tui::outline::{Laid, RowLine, Strip};
use crate::tui::panes::Ctx;
use crate::tui::row_key::ProblemKey;
use crate::tui::rows::{Span, shown};
use crate::tui::theme::Role;
use crate::tui::widgets::pen::{Pen, below, wrapped};
use crate::tui::widgets::text::{count, fit, fit_middle, plural, width, wrap_words};

/// The text of a row.
struct Text {
    severity: Severity,
    place: String,
    /// The place in short, for a row of one line. A URN would leave no room for the message.
    short: String,
    message: String,
}

impl ProblemsView {
    /// Draws the view.
    pub(super) fn draw(&self, ctx: Ctx<'_>, pane: Pane, buffer: &mut Buffer) {
        let title = match &self.filter {
            Some(filter) => format!("Problems · filter: {}", shown(&filter.text)),
            None => "Problems".to_owned(),
        };
        let document = ctx.session.document.as_ref();
        let status = document.map_or_else(String::new, |_| self.status());
        ctx.frame(pane, title, status, buffer);
        for (at, (line, role)) in (0..pane.inner.height).zip(self.head(ctx, pane)) {
            let mut pen = Pen::new(buffer, ctx.theme, pane.inner, at);
            pen.skip(1).put(&line, role);
        }
        self.rows(ctx, pane).draw(ctx.theme, ctx.focused, buffer);
    }

    /// The lines above the rows: why there is no file, why there are no problems, what the audit says as a whole. A sentence about
    /// the whole takes at most half of the lines if there are rows.
    fn head(&self, ctx: Ctx<'_>, pane: Pane) -> Vec<(String, Role)> {
        let mut texts: Vec<(String, Role)> = Vec::new();
        let failure = ctx.session.failure.clone();
        let has_failed = failure.is_some();
        texts.extend(failure.map(|failure| (failure, Role::Danger)));
        if has_failed && ctx.session.document.is_none() {
            texts.push((ways_on(), Role::Dim));
        }
        if self.items.is_empty() && !has_failed {
            let (text, role) = if ctx.session.loading.is_some() {
                (
                    "no problems so far; the file is still being read",
                    Role::Dim,
                )
            } else if self.filter.is_some() {
                ("no problem matches the filter", Role::Dim)
            } else {
                (
                    "no problems in the file: every part of it was read",
                    Role::Good,
                )
            };
            texts.push((text.to_owned(), role));
        }
        texts.extend(self.of_audit(ctx.session.stack()));
        let room = usize::from(pane.inner.width).saturating_sub(2);
        let mut lines = Vec::new();
        for (text, role) in &texts {
            let wrapped = wrap_words(text, room).into_iter();
            lines.extend(wrapped.map(|line| (line.to_owned(), *role)));
        }
        let most = if self.items.is_empty() {
            usize::from(pane.inner.height)
        } else {
            usize::from(pane.inner.height / 2)
        };
        if lines.len() > most {
            lines.truncate(most);
            if let Some((last, _)) = lines.last_mut() {
                *last = fit(&format!("{last} …"), room);
            }
        }
        lines
    }

    fn rows_area(&self, ctx: Ctx<'_>, pane: Pane) -> Rect {
        below(pane.inner, self.head(ctx, pane).len())
    }

    /// The rows as they stand on the screen.
    pub(super) fn rows<'a>(&'a self, ctx: Ctx<'a>, pane: Pane) -> Laid<'a> {
        let area = self.rows_area(ctx, pane);
        let make = move |row| self.lines(row, ctx, area);
        Laid::new(pane, area, self.items.len(), self.cursor, make)
    }

    /// The lines of a row: the headings above it, and the row. The selected row has its whole message.
    fn lines(&self, row: usize, ctx: Ctx<'_>, area: Rect) -> Vec<RowLine> {
        let headings = self.groups.get(&row).into_iter().flatten();
        let headings =
            headings.map(|(text, role)| RowLine::Above(vec![Span::new(text, *role)].into()));
        let mut lines: Vec<_> = headings.collect();
        let Some(item) = self.items.get(row) else {
            return lines;
        };
        let Some(text) = self.text(*item, ctx.session.stack()) else {
            let sign = Span::fold(self.shows_info, Role::Title);
            lines.push(vec![sign, Span::new(self.heading(), Role::Title)].into());
            return lines;
        };
        let room = usize::from(area.width).saturating_sub(2);
        let severity = Span::new(format!("{:<8}", text.severity.name()), role(text.severity));
        if row != self.cursor.row {
            let left = room.saturating_sub(INDENT);
            // The place leaves room for the message.
            let of_message = width(&text.message).min(left / 2);
            let place = fit_middle(&text.short, left.saturating_sub(of_message + 2));
            lines.push(
                vec![
                    severity,
                    Span::new(place, Role::Key),
                    Span::new("  ", Role::Text),
                    Span::new(&text.message, Role::Text),
                ]
                .into(),
            );
            return lines;
        }
        let mut place = wrapped(
            &[Span::new(&text.place, Role::Key)],
            room.saturating_sub(INDENT - 1),
            MAX_LINES,
        )
        .into_iter();
        let mut first = vec![severity];
        first.extend(place.next().unwrap_or_default());
        lines.push(first.into());
        let indented = |spans: Vec<Span>| RowLine::from(Strip::from(spans).indented(INDENT - 1));
        lines.extend(place.map(indented));
        let message = wrap_words(&text.message, room.saturating_sub(INDENT - 1)).into_iter();
        let message = message.take(MAX_LINES);
        lines.extend(message.map(|piece| indented(vec![Span::new(piece, Role::Text)])));
        lines
    }

    /// `1 problem · 2 info`: the number in the header, and the notes of information, which it does not count.
    fn status(&self) -> String {
        let n_problems = self.n_errors + self.n_warnings;
        let all = [
            (n_problems, plural(n_problems, "problem")),
            (self.n_infos, format!("{} info", count(self.n_infos as u64))),
        ];
        let all = all.into_iter().zip(self.n_listed);
        let counts = all.filter(|((n, _), _)| *n > 0).map(|((n, text), listed)| {
            if listed < n {
                format!("{} of {text}", count(listed as u64))
            } else {
                text
            }
        });
        let checking = self.progress.map(|progress| {
            let percent = progress.done * 100 / progress.total.max(1);
            format!("checking the plan {percent} %")
        });
        counts.chain(checking).collect::<Vec<_>>().join(" · ")
    }

    /// A sentence about the audit as a whole.
    fn of_audit(&self, stack: &Stack) -> Option<(String, Role)> {
        let report = self.report.as_ref()?;
        if let Some(failure) = &report.failure {
            return Some((
                format!("the plan itself was not checked: {}", shown(failure)),
                Role::Danger,
            ));
        }
        Some(match &report.basis {
            Some(basis) if report.n_errors + report.n_warnings == 0 => (
                format!(
                    "the plan follows the rules: checked against {}",
                    shown(basis)
                ),
                Role::Good,
            ),
            Some(basis) => (
                format!("the plan was checked against {}", shown(basis)),
                Role::Dim,
            ),
            None => {
                let wants = if stack.header.kind.is_pulumi() {
                    "a later preview or state, as a second file"
                } else {
                    "--schema with the schemas of its providers, or a later state as a second file; without schemas lists cannot be told \
                     from sets"
                };
                (
                    format!("the plan itself was not checked: this needs {wants}"),
                    Role::Dim,
                )
            }
        })
    }

    fn text(&self, item: ProblemKey, stack: &Stack) -> Option<Text> {
        match item {
            ProblemKey::Note(index) => {
                let note = stack.notes.get(index)?;
                let name = note.resource.map(|id| stack.short_name(id));
                let name = name.filter(|name| !name.is_empty());
                let short = shown(name.unwrap_or(&note.place));
                // The line below the list has the whole identity of a resource.
                let is_identity = |id: ResourceId| {
                    [&*stack.urn(id), &*stack.identity(id)].contains(&&*note.place)
                };
                let place = match note.resource {
                    Some(id) if is_identity(id) => short.clone(),
                    Some(_) | None => shown(&note.place),
                };
                // Messages of some logs begin with the place.
                let message = note.message.strip_prefix(&*note.place);
                let message = message.and_then(|message| message.strip_prefix(": "));
                Some(Text {
                    severity: note.severity,
                    place,
                    short,
                    message: shown(message.unwrap_or(&note.message)),
                })
            }
            ProblemKey::Finding(index) => {
                let (finding, _) = self.report.as_ref()?.listed.get(index)?;
                let resource = crate::tui::rows::urn_name(&finding.resource);
                let path = if finding.path.0.is_empty() {
                    String::new()
                } else {
                    format!(" {}", finding.path)
                };
                let place = shown(&format!("{resource}{path}"));
                Some(Text {
                    severity: finding.severity,
                    short: place.clone(),
                    place,
                    message: shown(&finding.sentence),
                })
            }
            ProblemKey::Info => None,
        }
    }

    /// A row as text: its severity, its place and its message.
    pub(super) fn row_text(&self, item: ProblemKey, stack: &Stack) -> String {
        match self.text(item, stack) {
            Some(text) => format!("{} {} {}", text.severity.name(), text.place, text.message),
            None => self.heading(),
        }
    }

    fn heading(&self) -> String {
        let n_info = self.report.as_ref().map_or(0, |report| report.n_info);
        format!(
            "{} ({n_info}): decided by the provider, or known only now",
            Severity::Info.plural()
        )
    }
}

/// Number of cells before the message of the selected row, with the cursor.
const INDENT: usize = 9;

/// Maximum number of lines of a place and of a message.
const MAX_LINES: usize = 500;

fn role(severity: Severity) -> Role {
    match severity {
        Severity::Error | Severity::Failure => Role::Danger,
        Severity::Warning => Role::Badge,
        Severity::Info => Role::Dim,
    }
}

/// The keys that lead on when nothing is open.
fn ways_on() -> String {
    let words = [
        (Command::Reload, "try again"),
        (Command::View(View::Stacks), "files in this folder"),
        (Command::Quit, "quit"),
    ];
    keymap::hints(Scope::Main, &words)
}
