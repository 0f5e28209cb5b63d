//! The Problems view: the notes of the file and the findings of a plan's audit, worst first, problems of one kind together.
//!
//! Findings of severity info, such as values that the provider decides or that became known, are many and harmless. They are at the
//! end below a heading, folded until someone opens it.

mod draw;

use std::cell::OnceCell;
use std::collections::HashMap;
use std::sync::Arc;

use ratatui::buffer::Buffer;

use super::{Ctx, NextFile, ViewState, Views, line_on_screen, steer};
use crate::change::audit::Finding;
use crate::load::audit::Progress;
use crate::search::RowQuery;
use crate::stack::{ResourceId, Severity, Stack};
use crate::tui::command::{FoldCommand, FoldStep};
use crate::tui::jobs::audit::Report;
use crate::tui::layout::Pane;
use crate::tui::outline::Laid;
use crate::tui::overlays::Outcome;
use crate::tui::overlays::find_rows::RowTexts;
use crate::tui::row_key::{ProblemKey, RowKey};
use crate::tui::rows::{Part, Spot};
use crate::tui::session::Session;
use crate::tui::theme::Role;
use crate::tui::widgets::cursor::Cursor;
use crate::tui::widgets::text::count;

/// Maximum number of notes and findings listed. Any further ones are only counted.
const MAX_LISTED: usize = 10_000;

/// Number of problems of one kind from which they get a heading.
const MIN_GROUP: usize = 3;

/// The severity of a problem and the words that problems of one kind share.
type Kind = (Severity, String);

/// The list of notes and findings.
#[derive(Clone, Default, Debug)]
pub struct ProblemsView {
    /// The selected row.
    pub cursor: Cursor,
    /// The report of the audit, once it is done.
    pub report: Option<Arc<Report>>,
    /// The progress of the audit, while it runs.
    pub progress: Option<Progress>,
    /// True if the findings of severity info are listed.
    pub shows_info: bool,
    items: Vec<ProblemKey>,
    /// The row that was selected when the view was last in front. Until then the first row is.
    selected: Option<ProblemKey>,
    /// The rows as texts, once somebody searched them.
    texts: OnceCell<RowTexts>,
    /// The headings above a row.
    groups: HashMap<usize, Vec<(String, Role)>>,
    /// Number of problems that the list shows, and of notes of information.
    n_listed: [usize; 2],
    /// Number of notes of information.
    n_infos: usize,
    /// Number of errors among the notes and findings.
    pub n_errors: usize,
    /// Number of warnings among the notes and findings.
    pub n_warnings: usize,
    /// The query that the list is narrowed to.
    pub filter: Option<RowQuery>,
}

impl ProblemsView {
    /// Goes to the subject of the selected row.
    fn go_there(&self, session: &Session) -> Outcome {
        match (self.selected(session), self.spot(0, session)) {
            (Some(id), Some((_, spot))) => Outcome::GoToValue(id, spot),
            (Some(id), None) => Outcome::GoTo(id),
            (None, _) => Outcome::Nothing,
        }
    }

    /// Takes the notes of the stack and the findings of the audit, if any. The cursor stays on its row, and the row at its place
    /// on the screen.
    pub fn list(&mut self, ctx: &Ctx<'_>) {
        let stack = ctx.session.stack();
        let n_above = line_on_screen(self, 0, ctx);
        let notes = stack.notes.iter().enumerate();
        let notes = notes.map(|(index, note)| (note.severity, ProblemKey::Note(index)));
        let findings = self.report.iter().flat_map(|report| &report.listed);
        let (mut rows, mut info) = (notes.collect::<Vec<_>>(), Vec::new());
        for (index, (finding, _)) in findings.enumerate() {
            match finding.severity {
                Severity::Info => info.push(ProblemKey::Finding(index)),
                severity => rows.push((severity, ProblemKey::Finding(index))),
            }
        }
        let n_notes = |wanted| {
            stack
                .notes
                .iter()
                .filter(|it| it.severity == wanted)
                .count()
        };
        // A report lists its first findings and counts all of them.
        let report = self.report.as_deref();
        self.n_errors = n_notes(Severity::Error) + n_notes(Severity::Failure);
        self.n_errors += report.map_or(0, |report| report.n_errors);
        self.n_warnings = n_notes(Severity::Warning) + report.map_or(0, |it| it.n_warnings);
        self.n_infos = n_notes(Severity::Info);
        if let Some(filter) = &self.filter {
            let is_wanted = |item: ProblemKey| filter.matches(&self.row_text(item, stack), None);
            rows.retain(|(_, item)| is_wanted(*item));
            info.retain(|item| is_wanted(*item));
        }
        rows.sort_by_key(|(severity, _)| std::cmp::Reverse(*severity));
        rows.truncate(MAX_LISTED);
        let n_problems = rows.partition_point(|(severity, _)| *severity > Severity::Info);
        self.n_listed = [n_problems, rows.len() - n_problems];
        self.items = rows.into_iter().map(|(_, item)| item).collect();
        self.group(stack);
        if !info.is_empty() {
            self.items.push(ProblemKey::Info);
            if self.shows_info {
                self.items.extend(info);
            }
        }
        self.texts = OnceCell::new();
        let row = self
            .selected
            .and_then(|item| self.items.iter().position(|it| *it == item));
        steer(self, 0, ctx, |cursor, page| match row {
            Some(row) => cursor.put(row, n_above, page),
            None => cursor.fit(page),
        });
    }

    /// Puts problems of one kind together, in the order of the first of each kind.
    fn group(&mut self, stack: &Stack) {
        let mut kinds: HashMap<Kind, usize> = HashMap::new();
        let mut rows = Vec::new();
        for item in &self.items {
            let kind = self.kind(*item, stack);
            let n_kinds = kinds.len();
            let place = *kinds.entry(kind.clone()).or_insert(n_kinds);
            rows.push((std::cmp::Reverse(kind.0), place, kind, *item));
        }
        rows.sort_by_key(|(severity, place, ..)| (*severity, *place));
        self.items = rows.iter().map(|(.., item)| *item).collect();
        self.groups.clear();
        let chunks = rows.chunk_by(|(.., one, _), (.., other, _)| one.0 == other.0);
        let mut at = 0;
        for chunk in chunks {
            let severity = chunk[0].2.0.plural();
            let heading = format!("{severity} ({})", count(chunk.len() as u64));
            self.groups.insert(at, vec![(heading, Role::Title)]);
            for kind in chunk.chunk_by(|(.., one, _), (.., other, _)| one == other) {
                if kind.len() >= MIN_GROUP && kind.len() < chunk.len() {
                    let text = format!("{} ({})", kind[0].2.1, count(kind.len() as u64));
                    let headings = self.groups.entry(at).or_default();
                    headings.push((text, Role::Dim));
                }
                at += kind.len();
            }
        }
    }

    fn kind(&self, item: ProblemKey, stack: &Stack) -> Kind {
        let known = match item {
            ProblemKey::Note(index) => {
                let note = stack.notes.get(index);
                note.map(|note| (note.severity, note.kind()))
            }
            ProblemKey::Finding(index) => {
                let finding = self.report.as_ref().and_then(|it| it.listed.get(index));
                finding.map(|(finding, _)| (finding.severity, finding.kind.to_owned()))
            }
            ProblemKey::Info => None,
        };
        known.unwrap_or((Severity::Info, String::new()))
    }

    /// The resources that the rows are about.
    pub fn resources(&self, stack: &Stack) -> impl Iterator<Item = ResourceId> {
        let items = self.items.iter();
        items.filter_map(|item| self.resource_of(stack, *item))
    }

    fn resource_of(&self, stack: &Stack, item: ProblemKey) -> Option<ResourceId> {
        match item {
            ProblemKey::Note(index) => stack.notes.get(index)?.resource,
            ProblemKey::Finding(index) => self.report.as_ref()?.listed.get(index)?.1,
            ProblemKey::Info => None,
        }
    }

    /// The selected finding.
    fn finding(&self) -> Option<&Finding> {
        match *self.items.get(self.cursor.row)? {
            ProblemKey::Finding(index) => Some(&self.report.as_ref()?.listed.get(index)?.0),
            ProblemKey::Note(_) | ProblemKey::Info => None,
        }
    }
}

impl ViewState for ProblemsView {
    /// Lists or hides the findings of severity info, or goes to the subject of the selected row.
    fn fold(&mut self, command: FoldCommand, ctx: &Ctx<'_>) -> Outcome {
        let is_info = |item: &ProblemKey| *item == ProblemKey::Info;
        let heading = self.items.iter().position(is_info);
        let row = self.cursor.row;
        let is_on = heading == Some(row);
        let around = heading.filter(|heading| row > *heading);
        let wanted = match (command.on(is_on.then_some(self.shows_info)), around) {
            (FoldStep::Level(level), _) => level > 0,
            (FoldStep::Toggle, _) => !self.shows_info,
            (FoldStep::Below, _) if is_on => true,
            (FoldStep::Out, Some(heading)) => {
                steer(self, 0, ctx, |cursor, page| cursor.go(heading, page));
                return Outcome::Done;
            }
            (FoldStep::OutAndClose, Some(_)) => false,
            (FoldStep::Enter, _) if command == FoldCommand::Activate => {
                return self.go_there(ctx.session);
            }
            (
                FoldStep::Into
                | FoldStep::Out
                | FoldStep::OutAndClose
                | FoldStep::Enter
                | FoldStep::Below
                | FoldStep::Nothing,
                _,
            ) => return Outcome::Nothing,
        };
        if heading.is_none() || wanted == self.shows_info {
            return Outcome::Nothing;
        }
        self.shows_info = wanted;
        // The row goes with the rows around it: the heading takes its place.
        if around.is_some() {
            self.selected = Some(ProblemKey::Info);
        }
        self.list(ctx);
        Outcome::Done
    }

    fn laid<'a>(&'a self, _part: usize, ctx: &Ctx<'a>) -> Option<Laid<'a>> {
        Some(self.rows(ctx.of_pane(0), ctx.screen.panes[0]))
    }

    fn set_cursor(&mut self, _part: usize, cursor: Cursor, ctx: &Ctx<'_>) {
        self.cursor = cursor;
        // The selected row takes more lines than the others.
        let (cursor, ()) = self
            .rows(ctx.of_pane(0), ctx.screen.panes[0])
            .act(Cursor::fit);
        self.cursor = cursor;
        self.selected = self.items.get(self.cursor.row).copied();
    }

    fn view(&self, _all: &Views, ctx: &Ctx<'_>, panes: [Pane; 2], buffer: &mut Buffer) {
        self.draw(ctx.of_pane(0), panes[0], buffer);
    }

    fn show(&mut self, id: ResourceId, ctx: &Ctx<'_>) -> Outcome {
        let stack = ctx.session.stack();
        if self.selected(ctx.session) == Some(id) {
            return Outcome::Done;
        }
        let is_about = |item: &ProblemKey| self.resource_of(stack, *item) == Some(id);
        if let Some(row) = self.items.iter().position(is_about) {
            steer(self, 0, ctx, |cursor, page| cursor.go(row, page));
        }
        Outcome::Done
    }

    fn rows_about(&self, found: &[ResourceId], session: &Session) -> Option<Vec<usize>> {
        let stack = session.stack();
        let is_found = |item: &ProblemKey| {
            let id = self.resource_of(stack, *item);
            id.is_some_and(|id| found.binary_search(&id).is_ok())
        };
        let items = self.items.iter().enumerate();
        let items = items.filter(|(_, item)| is_found(item));
        Some(items.map(|(row, _)| row).collect())
    }

    fn row_texts(&self, session: &Session) -> Option<RowTexts> {
        let stack = session.stack();
        let items = || self.items.iter().copied();
        let rows = self.texts.get_or_init(|| RowTexts {
            texts: Arc::new(items().map(|item| self.row_text(item, stack)).collect()),
            keys: Arc::new(items().map(RowKey::Problem).collect()),
            ..RowTexts::default()
        });
        Some(RowTexts {
            at: self.cursor.row,
            ..rows.clone()
        })
    }

    fn go_to_key(&mut self, key: &RowKey, ctx: &Ctx<'_>) {
        let RowKey::Problem(key) = key else { return };
        if let Some(row) = self.items.iter().position(|item| item == key) {
            steer(self, 0, ctx, |cursor, page| cursor.go(row, page));
        }
    }

    fn clear(&mut self, next: NextFile) {
        *self = Self {
            filter: self.filter.take().filter(|_| next == NextFile::Same),
            ..Self::default()
        };
    }

    fn selected(&self, session: &Session) -> Option<ResourceId> {
        self.resource_of(session.stack(), *self.items.get(self.cursor.row)?)
    }

    fn spot(&self, _pane: usize, session: &Session) -> Option<(Option<ResourceId>, Spot)> {
        let path = self.finding()?.path.to_property_path();
        if path.0.is_empty() {
            return None;
        }
        let part = if session.is_pulumi() {
            Part::Inputs
        } else {
            Part::Outputs
        };
        let spot = Spot {
            path,
            ..Spot::top(part)
        };
        Some((self.selected(session), spot))
    }

    fn selected_key(&self) -> Option<RowKey> {
        let item = self.items.get(self.cursor.row).copied();
        item.map(RowKey::Problem)
    }

    fn cursors(&self) -> [Cursor; 2] {
        [self.cursor; 2]
    }

    fn row_filter(&self) -> Option<&RowQuery> {
        self.filter.as_ref()
    }

    fn narrow(&mut self, filter: Option<RowQuery>, ctx: &Ctx<'_>) -> Outcome {
        self.filter = filter;
        self.list(ctx);
        Outcome::Done
    }

    fn listed(&self, session: &Session, limit: usize) -> Option<Vec<ResourceId>> {
        Some(self.resources(session.stack()).take(limit).collect())
    }

    fn number(&self) -> usize {
        self.n_errors + self.n_warnings
    }

    fn has_errors(&self) -> bool {
        self.n_errors > 0
    }
}
