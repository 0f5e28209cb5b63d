//! The difference of the selected change, unified or side by side.

mod draw;
mod layout;

pub use draw::SIDES_FROM;

use std::sync::Arc;

use crate::change::causes::{Cause, Causes, Origin, RESTORED, plain_words};
use crate::change::difference::{Action, Context, describe};
use crate::change::review::{SectionDiff, alike, forcing_paths, review};
use crate::format::ReadError;
use crate::path::Path;
use crate::pulumi::steps::in_words;
use crate::render::invocation;
use crate::render::lines::{self, Body, Line, Options};
use crate::render::remarks;
use crate::stack::{self, ChangeId, Invocation, Output, Resource, ResourceId, Stack, Timing};
use crate::terraform::schema::Block;
use crate::tui::changes::Finding;
use crate::tui::panes::outputs;
use crate::tui::rows::{Part as RowPart, Span, Spot, shown};
use crate::tui::theme::Role;
use crate::tui::widgets::cursor::Cursor;
use crate::tui::widgets::text::width;
use crate::value::{Shown, Value};

/// Maximum width in cells of a label that is aligned with its neighbors.
const MAX_ALIGN: usize = 24;

/// One row of the pane.
#[derive(Clone, Debug)]
enum DiffRow {
    /// A finding of the brief.
    Finding(Finding),
    /// A remark about the whole resource.
    Remark(String, Role),
    /// The name of a set of properties, if several are shown.
    Heading(&'static str),
    /// A line of the difference.
    Line(LineRow),
}

impl DiffRow {
    /// The line of the difference. `None` for a row about the whole.
    fn line(&self) -> Option<&LineRow> {
        match self {
            Self::Line(line) => Some(line),
            Self::Finding(_) | Self::Remark(..) | Self::Heading(_) => None,
        }
    }
}

/// A line of the difference with its cause and its layout.
#[derive(Clone, Debug)]
struct LineRow {
    line: Line,
    /// The set of properties that the line belongs to.
    section: stack::Section,
    /// The cause of the change, in words.
    origin: Option<String>,
    /// The other resources among the causes.
    targets: Vec<Origin>,
    /// Width of the label in cells, including the blanks that align it with its neighbors.
    align: usize,
    /// The body to draw, if it is not the line's own: both sides unmasked while the secret is revealed, or the beginning of a
    /// very long value. Never copied.
    drawn: Option<Box<Body>>,
    /// True if a side is a secret, even while it is revealed.
    is_secret: bool,
}

impl LineRow {
    /// The place of the value that the row is about: before the change if the value is deleted.
    fn spot(&self) -> Spot {
        let part = match self.section {
            section if self.line.action == Action::Delete => RowPart::Before(section),
            stack::Section::Inputs => RowPart::Inputs,
            stack::Section::Outputs => RowPart::Outputs,
            stack::Section::Options => RowPart::Options,
        };
        Spot {
            part,
            path: self.line.path.clone(),
            inside: self.line.inside.clone(),
        }
    }

    /// The body as it is drawn.
    fn body(&self) -> &Body {
        self.drawn.as_deref().unwrap_or(&self.line.body)
    }
}

/// Maximum length of a value that is drawn, in bytes: more than any screen shows.
const MAX_DRAWN: usize = 64 << 10;

/// The beginning of a very long body; `None` for others.
fn clipped(body: &Body) -> Option<Body> {
    let is_long = |spans: &[lines::Span]| {
        let len: usize = spans.iter().map(|span| span.text.len()).sum();
        len > MAX_DRAWN
    };
    let clip = |spans: &[lines::Span]| {
        let mut left = MAX_DRAWN;
        let mut clipped = Vec::new();
        for span in spans {
            let end = left.min(span.text.len());
            let is_start = |at: &usize| span.text.is_char_boundary(*at);
            let end = (0..=end).rev().find(is_start).unwrap_or(0);
            let mut text = span.text[..end].to_owned();
            left -= end;
            let is_cut = end < span.text.len();
            if is_cut {
                text.push('…');
            }
            clipped.push(lines::Span {
                text,
                role: span.role,
            });
            if is_cut {
                break;
            }
        }
        clipped
    };
    match body {
        Body::Same(spans) if is_long(spans) => Some(Body::Same(clip(spans))),
        Body::Before(spans) if is_long(spans) => Some(Body::Before(clip(spans))),
        Body::After(spans) if is_long(spans) => Some(Body::After(clip(spans))),
        Body::Both { before, after } if is_long(before) || is_long(after) => Some(Body::Both {
            before: clip(before),
            after: clip(after),
        }),
        Body::Same(_)
        | Body::Before(_)
        | Body::After(_)
        | Body::Both { .. }
        | Body::Folded { .. }
        | Body::More { .. } => None,
    }
}

/// The values of a difference that are shown.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Shows {
    /// Those that change.
    #[default]
    Changes,
    /// All of them.
    All,
    /// Those that change and are known.
    Known,
}

impl Shows {
    /// The next one in turn.
    #[must_use]
    pub fn next(self) -> Self {
        match self {
            Self::Changes => Self::All,
            Self::All => Self::Known,
            Self::Known => Self::Changes,
        }
    }

    /// The words for the status line.
    pub fn words(self) -> &'static str {
        match self {
            Self::Changes => "unchanged values hidden",
            Self::All => "unchanged values shown",
            Self::Known => "unchanged values hidden, and those known after apply",
        }
    }
}

/// The difference of the selected change.
#[derive(Clone, Default, Debug)]
pub struct DiffPane {
    /// The resource whose change is shown.
    pub subject: Option<ResourceId>,
    /// The selected row.
    pub cursor: Cursor,
    /// True if the two sides are shown side by side.
    pub side_by_side: bool,
    /// Number of unchanged neighbors shown around a change.
    pub context: usize,
    /// The values that are shown.
    pub shows: Shows,
    /// True if long values wrap.
    pub wrap: bool,
    /// The file's notation for a value that is not known yet.
    pub unknown: Option<&'static str>,
    /// The output or the action that is shown instead of a resource.
    pub beside: Option<ChangeId>,
    /// The place to select as soon as the resource is read.
    aim: Option<(stack::Section, Path)>,
    /// The one revealed secret.
    revealed: Option<Spot>,
    /// Number of extra portions shown of long values and lists. Each is as large as the first one.
    more: usize,
    rows: Vec<DiffRow>,
    /// The findings of the brief about the resource.
    findings: Vec<Finding>,
    /// The actions that the change triggers.
    invoked: Vec<DiffRow>,
    /// Rows where a change begins, ascending.
    starts: Vec<usize>,
    parts: Vec<SectionDiff>,
    /// The line that declares the resource, in words.
    declared: Option<String>,
    remarks: Vec<(String, Role)>,
    causes: Option<Causes>,
    /// Names of the other resources, in the order of the origins in `causes`.
    names: Vec<String>,
}

impl DiffPane {
    /// Switches to another resource, which is not read yet.
    pub fn show(&mut self, subject: Option<ResourceId>) {
        *self = Self {
            subject,
            side_by_side: self.side_by_side,
            context: self.context,
            shows: self.shows,
            wrap: self.wrap,
            unknown: self.unknown,
            ..Self::default()
        };
    }

    /// Takes the resource, its schema and the known causes of its changes. `names` are the names of the other resources among the
    /// causes.
    pub fn set(
        &mut self,
        resource: &Result<Arc<Resource>, ReadError>,
        schema: Option<&Block>,
        causes: Option<Causes>,
        names: Vec<String>,
    ) {
        self.causes = causes;
        self.names = names;
        match resource {
            Ok(resource) => {
                self.parts = review(resource, schema);
                self.set_declared(remarks::declared(resource).map(|words| shown(&words)));
                self.remarks = remarks(resource, &self.parts);
                if self.causes.as_ref().is_some_and(Causes::is_restored) {
                    let because = format!("because {RESTORED}");
                    self.remarks.insert(0, (because, Role::Badge));
                }
                let is_drift = resource.flags.is_drift() && self.parts.is_empty();
                self.parts.extend(alike(resource).filter(|_| is_drift));
            }
            Err(error) => {
                self.parts.clear();
                self.remarks = vec![(shown(&error.to_string()), Role::Danger)];
            }
        }
        self.remake();
        self.take_aim();
    }

    /// Selects a place, or the nearest one around it, now or as soon as the resource is read.
    pub fn aim_at(&mut self, section: stack::Section, path: Path) {
        self.aim = Some((section, path));
        if !self.rows.is_empty() {
            self.take_aim();
        }
    }

    fn take_aim(&mut self) {
        let Some((section, path)) = self.aim.take() else {
            return;
        };
        let shared = |row: &DiffRow| {
            let own = &row.line().filter(|it| it.section == section)?.line.path.0;
            (path.0.starts_with(own) && !own.is_empty()).then_some(own.len())
        };
        let nearest = self.rows.iter().enumerate();
        let nearest = nearest.filter_map(|(index, row)| Some((shared(row)?, index)));
        // The first of several rows at the same place.
        if let Some((_, row)) = nearest.max_by_key(|(shared, index)| (*shared, usize::MAX - index))
        {
            self.cursor.select(row);
        }
    }

    /// Takes the findings of the brief about the resource. To be called before [`Self::set`]. The selected row stays selected, so
    /// that the first row below them is the first choice.
    pub fn set_findings(&mut self, findings: Vec<Finding>) {
        let n_old = std::mem::replace(&mut self.findings, findings).len();
        let row = (self.cursor.row + self.findings.len()).saturating_sub(n_old);
        self.cursor.select(row);
    }

    /// Takes the line that declares the resource. Its row is no first choice either.
    fn set_declared(&mut self, declared: Option<String>) {
        let is_new = declared.is_some() && self.declared.is_none();
        self.declared = declared;
        if is_new && self.cursor.row >= self.findings.len() {
            self.cursor.select(self.cursor.row + 1);
        }
    }

    /// Takes the actions that the change triggers. To be called before [`Self::set`].
    pub fn set_invoked(&mut self, invocations: &[Invocation]) {
        let unknown = self.unknown.unwrap_or(Options::default().unknown);
        self.invoked.clear();
        for side in [None, Some(Timing::Before), Some(Timing::After)] {
            let own: Vec<_> = invocations.iter().filter(|it| it.side() == side).collect();
            if !own.is_empty() {
                self.invoked
                    .push(DiffRow::Heading(invocation::heading(side)));
            }
            for one in own {
                let remarks = invocation_remarks(one, unknown).into_iter();
                self.invoked
                    .extend(remarks.map(|(text, role)| DiffRow::Remark(text, role)));
            }
        }
    }

    /// Switches to a change that is none of a resource.
    pub fn show_beside(&mut self, change: ChangeId, stack: &Stack) {
        self.show(None);
        self.beside = Some(change);
        match change {
            ChangeId::Output(at) => stack.outputs.get(at).map(|it| self.set_output(it)),
            ChangeId::Invocation(at) => stack.invocations.get(at).map(|it| self.set_invocation(it)),
            ChangeId::Resource(_) => None,
        };
        self.remake();
    }

    fn set_output(&mut self, output: &Output) {
        let [before, after] = outputs::maps(std::slice::from_ref(output));
        let diff = describe(&before, &after, Context::default());
        let section = stack::Section::Outputs;
        self.parts = vec![SectionDiff { section, diff }];
    }

    fn set_invocation(&mut self, invocation: &Invocation) {
        let unknown = self.unknown.unwrap_or(Options::default().unknown);
        self.remarks = invocation_remarks(invocation, unknown);
        if let Some(resource) = invocation.resource() {
            let text = format!("    triggered by {}", shown(resource));
            self.remarks.insert(1, (text, Role::Dim));
        }
    }

    /// Rebuilds the rows after the data or the view options changed.
    pub fn remake(&mut self) {
        let mut options =
            if self.shows == Shows::All || !self.parts.iter().any(|it| it.diff.is_change()) {
                Options::ALL
            } else {
                Options {
                    context: self.context,
                    hides_unknown: self.shows == Shows::Known,
                    ..Options::default()
                }
            };
        options.unknown = self.unknown.unwrap_or(options.unknown);
        options.most = Options::SCREENFUL.saturating_mul(1 + self.more);
        self.rows.clear();
        let findings = self.findings.iter().cloned();
        self.rows.extend(findings.map(DiffRow::Finding));
        let declared = self.declared.iter().map(|text| (text, &Role::Dim));
        let remarks = self.remarks.iter().map(|(text, role)| (text, role));
        for (text, role) in declared.chain(remarks) {
            self.rows.push(DiffRow::Remark(text.clone(), *role));
        }
        for part in &self.parts {
            if self.parts.len() > 1 {
                self.rows.push(DiffRow::Heading(part.section.name()));
            }
            let (lines, secrets) = lines::lines_and_secrets(&part.diff, options);
            let mut lines = lines.into_iter().enumerate().peekable();
            while let Some((index, line)) = lines.next() {
                let is_leaf = lines
                    .peek()
                    .is_none_or(|(_, next)| next.depth <= line.depth);
                let (origin, targets) = self.origin(part.section, &line, is_leaf);
                let mut row = LineRow {
                    line,
                    section: part.section,
                    origin,
                    targets,
                    align: 0,
                    drawn: None,
                    is_secret: false,
                };
                row.drawn = clipped(&row.line.body).map(Box::new);
                let secret = secrets.binary_search_by_key(&index, |(line, _)| *line);
                row.is_secret = secret.is_ok();
                if self.revealed.as_ref() == Some(&row.spot())
                    && let Ok(secret) = secret
                {
                    let body = row.line.revealed(&secrets[secret].1);
                    row.drawn = Some(Box::new(clipped(&body).unwrap_or(body)));
                }
                self.rows.push(DiffRow::Line(row));
            }
        }
        self.rows.extend(self.invoked.iter().cloned());
        self.align();
        self.starts = (0..self.rows.len())
            .filter(|row| self.starts_change(*row))
            .collect();
    }

    /// Shows more of a long value or list, or what is unchanged. Returns false unless the selected row says that there is more.
    ///
    /// The cursor moves to the first line that was not there before.
    pub fn show_more(&mut self) -> bool {
        let at = self.cursor.row;
        let line = |row: usize| self.rows.get(row)?.line();
        let is_long = match line(at).map(|it| &it.line.body) {
            Some(Body::More { .. }) => true,
            Some(Body::Folded { .. }) => false,
            Some(Body::Same(_) | Body::Before(_) | Body::After(_) | Body::Both { .. }) | None => {
                return false;
            }
        };
        let last = at.checked_sub(1).and_then(line);
        let last = last.map(|last| (last.section, last.line.clone()));
        if is_long {
            // Doubling each time puts the end of any list a few keys away.
            self.more = 2 * self.more + 1;
        } else {
            self.shows = Shows::All;
        }
        self.remake();
        // Lists further up may have grown too.
        let is_last = |row: &DiffRow| {
            let last = last.as_ref();
            let line = row.line().zip(last);
            line.is_some_and(|(row, last)| row.section == last.0 && row.line == last.1)
        };
        let mut below = self.rows.iter().skip(at.saturating_sub(1));
        let first_new = below.position(is_last).unwrap_or_default() + at;
        self.cursor.select(first_new);
        true
    }

    /// Aligns the labels of neighboring lines: those at one depth, up to a line that is less deep.
    fn align(&mut self) {
        let mut open: Vec<(usize, Vec<usize>)> = Vec::new();
        let mut groups = Vec::new();
        for (index, row) in self.rows.iter().enumerate() {
            let Some(LineRow { line, .. }) = row.line() else {
                continue;
            };
            while open.last().is_some_and(|(depth, _)| *depth > line.depth) {
                groups.extend(open.pop());
            }
            match open.last_mut() {
                Some((depth, group)) if *depth == line.depth => group.push(index),
                _ => open.push((line.depth, vec![index])),
            }
        }
        groups.extend(open);
        for (_, group) in groups {
            let label = |row: &'_ DiffRow| row.line()?.line.label.as_deref().map(width);
            let own = |row: &DiffRow| label(row).unwrap_or(0);
            let widths = group.iter().map(|index| own(&self.rows[*index]));
            let common = widths
                .filter(|width| *width <= MAX_ALIGN)
                .max()
                .unwrap_or(0);
            for index in group {
                let cells = own(&self.rows[index]).max(common);
                if let DiffRow::Line(row) = &mut self.rows[index] {
                    row.align = cells;
                }
            }
        }
    }

    /// The causes of a line's change in words, as far as the file reports them, and the resources among them. A container reports
    /// only a cause that applies to it as a whole. The lines inside it report the rest.
    fn origin(
        &self,
        section: stack::Section,
        line: &Line,
        is_leaf: bool,
    ) -> (Option<String>, Vec<Origin>) {
        let Some(causes) = &self.causes else {
            return (None, Vec::new());
        };
        if !line.is_change() || matches!(line.body, Body::Folded { .. } | Body::More { .. }) {
            return (None, Vec::new());
        }
        let is_pulumi = causes.is_pulumi();
        let (mut words, mut targets) = (Vec::new(), Vec::new());
        for cause in causes.at(section, &line.path) {
            match cause {
                Cause::From(origin) => {
                    let is_gone = matches!(line.body, Body::Before(_));
                    if is_gone || !(is_leaf || origin.property == line.path) {
                        continue;
                    }
                    let mut origins = causes.origins().iter().zip(&self.names);
                    let name = origins.find(|(other, _)| **other == origin);
                    words.extend(name.map(|(_, name)| name.as_str()));
                    targets.push(origin);
                }
                // The title of a drift entry says it for all of its values.
                Cause::Drift if causes.is_drift_entry() => {}
                Cause::Drift if is_leaf => words.push("a change outside"),
                cause if is_leaf => words.extend(cause.word(is_pulumi)),
                _ => {}
            }
        }
        let text = (!words.is_empty()).then(|| format!("← {}", words.join(", ")));
        (text, targets)
    }

    /// The selected line.
    fn selected(&self) -> Option<&LineRow> {
        self.rows.get(self.cursor.row)?.line()
    }

    /// The other resources that cause the change of the selected line.
    pub fn targets(&self) -> &[Origin] {
        self.selected().map_or(&[], |row| &row.targets)
    }

    /// The cause of the selected line's change, in words.
    pub fn cause(&self) -> Option<&str> {
        self.selected()?.origin.as_deref()
    }

    /// The place of the value that the selected row is about: before the change if the value is deleted.
    pub fn spot(&self) -> Option<Spot> {
        self.selected().map(LineRow::spot)
    }

    /// True if the selected line is a secret.
    pub fn is_on_secret(&self) -> bool {
        self.selected().is_some_and(|row| row.is_secret)
    }

    /// Reveals both sides of the secret at `spot` and hides every other secret.
    pub fn reveal(&mut self, spot: Option<Spot>) {
        if self.revealed != spot {
            self.revealed = spot;
            self.remake();
        }
    }

    /// The difference at the cursor and below it, with all secrets masked. The whole difference if the row is not a change.
    pub fn hunk(&self) -> Option<String> {
        let at = self.cursor.row;
        let change = self.rows.get(at)?.line().filter(|it| it.line.is_change());
        let depth = change.map(|it| it.line.depth);
        let from = change.map_or(0, |_| at);
        let mut text = String::new();
        for (index, row) in self.rows.iter().enumerate().skip(from) {
            let Some(LineRow { line, .. }) = row.line() else {
                continue;
            };
            if index > from && depth.is_some_and(|depth| line.depth <= depth) {
                break;
            }
            let indent = "  ".repeat(line.depth - depth.unwrap_or(0).min(line.depth));
            let sign = line.action.sign();
            let label = line.label.as_deref().unwrap_or_default();
            let gap = if label.is_empty() { "" } else { " " };
            let value: String = line.unified().into_iter().map(|span| span.text).collect();
            let remark = line
                .remark()
                .map(|remark| format!("  # {remark}"))
                .unwrap_or_default();
            let whole = format!("{sign} {indent}{label}{gap}{value}{remark}");
            text.push_str(whole.trim_end());
            text.push('\n');
        }
        (!text.is_empty()).then(|| text.trim_end().to_owned())
    }

    /// Goes to the next change, or with -1 to the previous one. Returns false if there is none.
    pub fn go_change(&mut self, step: isize) -> bool {
        let here = self.cursor.row;
        let next = if step > 0 {
            self.starts.partition_point(|row| *row <= here)
        } else {
            match self
                .starts
                .partition_point(|row| *row < here)
                .checked_sub(1)
            {
                Some(before) => before,
                None => return false,
            }
        };
        let Some(row) = self.starts.get(next) else {
            return false;
        };
        self.cursor.select(*row);
        true
    }

    /// True if a change begins at a row. A row whose only changes are inside it does not count.
    fn starts_change(&self, row: usize) -> bool {
        let line = |row: usize| Some(&self.rows.get(row)?.line()?.line);
        let Some(own) = line(row) else {
            return false;
        };
        let is_leaf = line(row + 1).is_none_or(|next| next.depth <= own.depth);
        own.action != Action::Same && (is_leaf || own.action != Action::Update)
    }

    /// Position of the cursor's change, counted from 1, and the number of changes.
    fn position(&self) -> (usize, usize) {
        let before = self.starts.partition_point(|row| *row <= self.cursor.row);
        let all = self.starts.len();
        (before.max(1).min(all), all)
    }
}

/// An action and its configuration.
fn invocation_remarks(invocation: &Invocation, unknown: &'static str) -> Vec<(String, Role)> {
    let options = Options {
        unknown,
        ..Options::ALL
    };
    let mut remarks = vec![(invocation::title(invocation), Role::Other)];
    let details = invocation::details(invocation, options).into_iter();
    remarks.extend(details.map(|line| (format!("    {line}"), Role::Text)));
    remarks
}

/// The last lines that the log of a run has about the resource.
fn messages(resource: &Resource) -> Vec<(String, Role)> {
    const MAX_LINES: usize = 12;
    let field = resource.fields.iter().find(|(key, _)| &**key == "messages");
    let messages = field.and_then(|(_, messages)| messages.as_array());
    let text = |message: &'_ Value| match message.shown() {
        Shown::Secret(mask) => Some(mask.to_owned()),
        Shown::Plain(_) => message.as_str().map(str::to_owned),
    };
    let texts: Vec<String> = messages.into_iter().flatten().filter_map(text).collect();
    let lines: Vec<&str> = texts.iter().flat_map(|text| text.lines()).collect();
    let n_left_out = lines.len().saturating_sub(MAX_LINES);
    let mut remarks = Vec::new();
    if n_left_out > 0 {
        let text = format!("{n_left_out} earlier lines are among the fields");
        remarks.push((text, Role::Dim));
    }
    let shown = lines[n_left_out..]
        .iter()
        .map(|line| (shown(line), Role::Badge));
    remarks.extend(shown);
    remarks
}

/// True if a side of a change has properties. Logs of runs name resources without them.
fn has_values(state: Option<&stack::State>) -> bool {
    let sections = [stack::Section::Inputs, stack::Section::Outputs];
    let mut sections = sections.into_iter().filter_map(|it| state?.section(it));
    sections.any(|section| section.as_map().is_some_and(|it| !it.is_empty()))
}

/// Remarks about the whole resource, shown before its properties.
fn remarks(resource: &Resource, parts: &[SectionDiff]) -> Vec<(String, Role)> {
    let mut remarks = Vec::new();
    let Some(change) = &resource.change else {
        return remarks;
    };
    let is_comparison = change.comparison.is_some();
    let because = if is_comparison { "" } else { "because " };
    for words in plain_words(&change.reasons, &forcing_paths(change)) {
        remarks.push((format!("{because}{}", shown(&words)), Role::Badge));
    }
    if !change.steps.is_empty() {
        let steps: Vec<String> = change.steps.iter().map(|it| shown(&in_words(it))).collect();
        remarks.push((format!("steps: {}", steps.join("; ")), Role::Dim));
    }
    for words in remarks::remarks(resource, parts) {
        remarks.push((shown(&words), Role::Other));
    }
    remarks.extend(messages(resource));
    if parts.is_empty() {
        let text = match change.action {
            stack::Action::Noop if is_comparison => "no property differs",
            stack::Action::Noop => "nothing changes",
            _ if has_values(resource.before.as_ref()) && has_values(resource.after.as_ref()) => {
                "the values in this file are the same before and after"
            }
            _ => "this file has no values for the change",
        };
        remarks.push((text.to_owned(), Role::Dim));
    }
    remarks
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::change::rules::Level;

    #[test]
    fn the_selected_row_stays_selected_when_findings_come() {
        let finding = Finding {
            level: Level::Danger,
            says: "it is deleted".to_owned(),
            words: "it is deleted".to_owned(),
        };
        for (row, with_findings) in [(0, 2), (1, 3), (4, 6)] {
            let mut pane = DiffPane::default();
            pane.cursor.select(row);
            pane.set_findings(vec![finding.clone(), finding.clone()]);
            assert_eq!(pane.cursor.row, with_findings);
            pane.set_findings(Vec::new());
            assert_eq!(pane.cursor.row, row);
        }
    }
}
