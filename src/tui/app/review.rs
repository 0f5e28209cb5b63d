//! Commands of a review: the listed changes, the selected change, the reviewed ones, and the causes.

use crate::tui::panes::changes::{Topic, is_reviewed};
use std::sync::Arc;

use super::App;
use super::moving::Active;
use crate::change::audit::schema_of;
use crate::change::causes::{Causes, ChainLink, Origin, Through, is_restored};
use crate::format::ReadError;
use crate::path::Path;
use crate::stack::{Action, Flags, Resource, ResourceId, Stack};
use crate::terraform::schema::Schemas;
use crate::tui::changes::{Explained, words};
use crate::tui::command::{Command, FoldCommand, ReviewCommand, View};
use crate::tui::jobs::{self, Job};
use crate::tui::keymap::{self, Scope};
use crate::tui::overlays::Overlay;
use crate::tui::overlays::actions::Actions;
use crate::tui::overlays::text::{TextLine, TextView};
use crate::tui::panes::diff::SIDES_FROM;
use crate::tui::rows::{Span, shown};
use crate::tui::theme::Role;

/// Maximum number of unchanged neighbors that can be added one by one.
const MAX_CONTEXT: usize = 99;

impl App {
    /// Executes a command of the Changes view.
    pub(super) fn review_command(&mut self, command: ReviewCommand) {
        match command {
            // While there is a search, these keys go through its hits.
            ReviewCommand::NextChange if self.is_searching() => self.go_hit(1),
            ReviewCommand::PrevChange if self.is_searching() => self.go_hit(-1),
            ReviewCommand::NextChange => self.go_change(1),
            ReviewCommand::PrevChange => self.go_change(-1),
            ReviewCommand::Reviewed => self.toggle_reviewed(),
            ReviewCommand::NextUnreviewed => {
                self.go_unreviewed(self.views.changes.list.cursor.row + 1);
            }
            ReviewCommand::Actions => {
                let actions = Actions::new(
                    self.session.stack(),
                    self.views.changes.list.counts().collect(),
                );
                self.overlays.push(Overlay::Actions(actions));
            }
            ReviewCommand::Why => self.show_why(),
            ReviewCommand::SideBySide => {
                self.views.changes.difference.side_by_side =
                    !self.views.changes.difference.side_by_side;
                let is_narrow = self.areas().panes[1].inner.width < SIDES_FROM;
                self.say(match self.views.changes.difference.side_by_side {
                    true if is_narrow => format!(
                        "side by side needs a wider pane · {} and {} widen it",
                        keymap::key_of(Command::Narrower),
                        keymap::key_of(Command::Zoom)
                    ),
                    true => "side by side".to_owned(),
                    false => "unified".to_owned(),
                });
            }
            ReviewCommand::MoreContext => {
                self.set_context(self.views.changes.difference.context + 1);
            }
            ReviewCommand::LessContext => {
                self.set_context(self.views.changes.difference.context.saturating_sub(1));
            }
        }
    }

    /// Opens and closes rows in the Changes view.
    pub(super) fn fold_changes(&mut self, command: FoldCommand) {
        let is_open = self.views.changes.list.is_selected_open();
        match (command, is_open) {
            (FoldCommand::Activate | FoldCommand::Toggle, Some(_))
            | (FoldCommand::Expand | FoldCommand::Open, Some(false))
            | (FoldCommand::Collapse | FoldCommand::Close, Some(true)) => {
                self.views.changes.list.toggle_selected();
                self.settle_changes();
            }
            (FoldCommand::Activate | FoldCommand::Expand, None) => self.window.focus = 1,
            (FoldCommand::Expand | FoldCommand::Open, Some(true))
            | (FoldCommand::Collapse | FoldCommand::Close, Some(false))
            | (
                FoldCommand::Toggle
                | FoldCommand::Open
                | FoldCommand::Close
                | FoldCommand::Collapse,
                None,
            )
            | (
                FoldCommand::OpenBelow
                | FoldCommand::OpenAll
                | FoldCommand::CloseAll
                | FoldCommand::Level(_),
                _,
            ) => {}
        }
    }

    /// Moves the cursor inside the list after the list changed.
    pub(super) fn settle_changes(&mut self) {
        let height = self.pane_height(0);
        let len = self.views.changes.list.row_count();
        self.views.changes.list.cursor.fit(len, height);
    }

    /// Shows or hides a section of changes, as chosen in the overlay. The selected change stays selected.
    pub(super) fn toggle_topic(&mut self, topic: Topic) {
        self.keep_selected(|changes| changes.toggle(topic));
        self.remake_changes();
    }

    fn keep_selected(&mut self, change: impl FnOnce(&mut crate::tui::panes::changes::ChangesPane)) {
        let selected = self.views.changes.list.selected();
        change(&mut self.views.changes.list);
        if let Some(row) = selected.and_then(|id| self.views.changes.list.row_of(id)) {
            self.views.changes.list.cursor.row = row;
        }
        self.settle_changes();
    }

    pub(super) fn toggle_noise(&mut self) {
        self.views.changes.difference.show_all = !self.views.changes.difference.show_all;
        let show = self.views.changes.difference.show_all;
        let noop = Topic::Change(Action::Noop);
        if show != self.views.changes.list.folds.lists(noop) {
            self.keep_selected(|changes| changes.toggle(noop));
            self.remake_changes();
        }
        self.remake_difference();
        self.say(if show {
            "unchanged values shown"
        } else {
            "unchanged values hidden"
        });
    }

    fn set_context(&mut self, context: usize) {
        self.views.changes.difference.context = context.min(MAX_CONTEXT);
        self.remake_difference();
        let context = self.views.changes.difference.context;
        self.say(format!("{context} unchanged values around each change"));
    }

    fn remake_difference(&mut self) {
        let height = self.pane_height(1);
        self.views.changes.difference.remake(height);
    }

    /// Shows more of a long value, if the selected line of the difference offers it.
    pub(super) fn show_more_difference(&mut self) -> bool {
        let height = self.pane_height(1);
        self.views.changes.difference.show_more(height)
    }

    fn go_change(&mut self, step: isize) {
        let height = self.pane_height(1);
        if !self.views.changes.difference.go_change(step, height) {
            self.say(if step > 0 {
                "no change below"
            } else {
                "no change above"
            });
        }
    }

    fn toggle_reviewed(&mut self) {
        let Some(id) = self.views.changes.list.selected() else {
            self.say_error("select a change to mark it as reviewed");
            return;
        };
        if !is_reviewed(self.session.stack(), id) {
            self.say_error("only changes can be marked as reviewed");
            return;
        }
        if self.session.reviewed.remove(&id) {
            self.say("not reviewed");
            return;
        }
        self.session.reviewed.insert(id);
        let (stack, list) = (self.session.stack(), &self.views.changes.list);
        let (reviewed, all) = list.progress(stack, &self.session.reviewed);
        if self.active() == Active::Changes {
            self.go_unreviewed(self.views.changes.list.cursor.row + 1);
        }
        if reviewed == all {
            self.say(format!("all {all} changes are reviewed"));
        }
    }

    fn go_unreviewed(&mut self, from: usize) {
        match self
            .views
            .changes
            .list
            .next_unreviewed(&self.session.reviewed, from)
        {
            Some(row) if row == self.views.changes.list.cursor.row => {
                self.say("no other listed change is left to review");
            }
            Some(row) => {
                let (height, len) = (self.pane_height(0), self.views.changes.list.row_count());
                self.views.changes.list.cursor.go(row, len, height);
            }
            None => self.say("all listed changes are reviewed"),
        }
    }

    /// Updates the difference to match the list, and requests what the rows on the screen need.
    pub(super) fn follow_changes(&mut self) {
        let height = self.pane_height(0);
        // Dependencies are unknown until the end of the file.
        let is_known = self.session.loading.is_none();
        if is_known {
            self.explain_rows(height);
        }
        let selected = self.views.changes.list.selected();
        let invocation = self.views.changes.list.invocation();
        if let Some(index) =
            invocation.filter(|it| self.views.changes.difference.invocation != Some(*it))
        {
            if let Some(invocation) = self.session.stack().invocations.get(index).cloned() {
                let height = self.pane_height(1);
                self.views
                    .changes
                    .difference
                    .show_invocation(index, &invocation, height);
            }
        } else if invocation.is_none()
            && (self.views.changes.difference.subject != selected
                || self.views.changes.difference.invocation.is_some())
        {
            self.views.changes.difference.show(selected);
            if let Some(id) = selected
                && let Some(resource) = self.resource(id)
            {
                self.set_difference(id, &Ok(resource));
            }
        }
    }

    /// Requests the explanations of the rows on the screen. One request is under way at a time, so that a person who scrolls
    /// fast never waits for rows that are gone from the screen.
    fn explain_rows(&mut self, height: usize) {
        let list = &self.views.changes.list;
        if !list.asked.is_empty() {
            return;
        }
        let stack = self.session.stack();
        let on_screen = list.on_screen(height);
        let selected = list.selected();
        let on_screen = on_screen.filter(|id| Some(*id) != selected && is_explained(stack, *id));
        let wanted: Vec<_> = selected
            .into_iter()
            .chain(on_screen)
            .filter(|id| !list.whys.contains_key(id))
            .collect();
        let Some(document) = self.session.document.clone().filter(|_| !wanted.is_empty()) else {
            return;
        };
        self.views.changes.list.asked.clone_from(&wanted);
        let schemas = self.session.schemas.clone();
        self.start(Job::Explain(document, wanted, schemas));
    }

    /// Drops the requests for explanations and makes them again for the rows on the screen.
    pub(super) fn explain_again(&mut self) {
        self.session.tickets.forget(jobs::Topic::Explain);
        self.views.changes.list.asked.clear();
        self.follow();
    }

    /// Requests explanations again after one of them crashed. That one stays empty: it would crash again.
    pub(super) fn explain_without_first(&mut self) {
        if let Some(first) = self.views.changes.list.asked.first() {
            let whys = &mut self.views.changes.list.whys;
            whys.insert(*first, Arc::default());
        }
        self.explain_again();
    }

    /// Takes the resource of the difference.
    pub(super) fn set_difference(
        &mut self,
        id: ResourceId,
        resource: &Result<Arc<Resource>, ReadError>,
    ) {
        let drift = self.drift_entry(id).and_then(|entry| self.resource(entry));
        let schema = match (resource, &self.session.schemas) {
            (Ok(resource), Some(schemas)) => schema_of(resource, schemas).map(Arc::new),
            _ => None,
        };
        // The explanation knows the sources. It comes soon, and the difference is made again.
        let explained = self.views.changes.list.whys.get(&id);
        let sources = explained.map_or_else(Vec::new, |it| it.sources.clone());
        let causes = resource.as_ref().ok().map(|resource| {
            let resource = Arc::clone(resource);
            Causes::of(
                self.session.stack(),
                sources,
                resource,
                schema.clone(),
                drift,
            )
        });
        let origins = causes.iter().flat_map(Causes::origins);
        let names = origins.map(|origin| self.name_of(origin)).collect();
        let address = self.session.stack().address(id).map(str::to_owned);
        let is_drift = self
            .session
            .stack()
            .record(id)
            .flags
            .contains(Flags::DRIFT_ENTRY);
        let stack = self.session.stack();
        let invoked = address.filter(|_| !is_drift);
        let invoked = invoked.map_or_else(Vec::new, |it| stack.invocations_of(&it).to_vec());
        self.views.changes.difference.set_invoked(&invoked);
        let height = self.pane_height(1);
        let schema = schema.as_ref().map(|schema| &schema.block);
        self.views
            .changes
            .difference
            .set(resource, schema, causes, names, height);
    }

    /// The drift entry of a resource, if the plan has one and the resource is not that entry itself.
    fn drift_entry(&self, id: ResourceId) -> Option<ResourceId> {
        let address = self.session.stack().address(id)?;
        let entry = *self.views.changes.list.drifted.get(address)?;
        (entry != id).then_some(entry)
    }

    /// Draws the difference again once the drift entry of its resource was read.
    pub(super) fn drift_was_read(&mut self, entry: ResourceId) {
        let subject = self.views.changes.difference.subject;
        if let Some(id) = subject.filter(|id| self.drift_entry(*id) == Some(entry))
            && let Some(resource) = self.session.resources.get(id).cloned()
        {
            self.set_difference(id, &Ok(resource));
        }
    }

    /// Takes the schemas of the providers. Differences use them from now on.
    pub(super) fn take_schemas(&mut self, schemas: Arc<Schemas>) {
        self.session.schemas = Some(schemas);
        self.views.changes.list.whys.clear();
        self.explain_again();
        if let Some(id) = self.views.changes.difference.subject
            && let Some(resource) = self.session.resources.get(id).cloned()
        {
            self.set_difference(id, &Ok(resource));
        }
    }

    /// Example: `db.id (replaced)`.
    fn name_of(&self, origin: &Origin) -> String {
        let name = shown(self.session.stack().short_name(origin.id));
        let attribute = origin
            .attribute
            .as_deref()
            .map_or_else(String::new, |it| format!(".{}", shown(it)));
        let renewed = match self.session.stack().record(origin.id).action {
            Some(Action::Replace) => " (replaced)",
            Some(Action::Create) => " (created)",
            _ => "",
        };
        format!("{name}{attribute}{renewed}")
    }

    /// Goes to the resource that causes the change of the selected property. If there are several, asks for one.
    pub(super) fn follow_cause(&mut self) {
        match self.views.changes.difference.targets() {
            [] => {}
            [origin] => {
                let id = origin.id;
                self.go_to(id);
            }
            origins => {
                let lines = origins
                    .iter()
                    .map(|origin| self.origin_line(origin))
                    .collect();
                let view = TextView::of_lines(leading("Comes from"), lines, false);
                self.overlays.push(Overlay::Text(view));
            }
        }
    }

    /// Example: `size  takes its value from db.id`.
    fn origin_line(&self, origin: &Origin) -> TextLine {
        let property = shown(&origin.property.to_string());
        TextLine {
            spans: vec![
                Span::new(property, Role::Key),
                Span::new("  takes its value from ", Role::Text),
                Span::new(self.name_of(origin), Role::Reference),
            ],
            target: Some(origin.id),
        }
    }

    pub(super) fn explained(&mut self, id: ResourceId, explained: Explained) {
        self.views.changes.list.whys.insert(id, Arc::new(explained));
        self.views.changes.list.asked.retain(|asked| *asked != id);
        if self.views.changes.difference.subject == Some(id)
            && let Some(resource) = self.session.resources.get(id).cloned()
        {
            self.set_difference(id, &Ok(resource));
        }
        if self.views.changes.list.asked.is_empty() && self.window.view == View::Changes {
            let height = self.pane_height(0);
            self.explain_rows(height);
        }
    }

    /// Shows the chain of causes of the selected change. Enter goes to a resource in it.
    fn show_why(&mut self) {
        let Some(id) = self.views.changes.list.selected() else {
            self.say_error("select a change to see why it happens");
            return;
        };
        let explained = self
            .views
            .changes
            .list
            .whys
            .get(&id)
            .cloned()
            .unwrap_or_default();
        let steps = &explained.steps;
        let mut lines = Vec::new();
        if self.window.focus == 1 {
            let targets = self.views.changes.difference.targets();
            lines.extend(targets.iter().map(|origin| self.origin_line(origin)));
            if lines.is_empty()
                && let (Some(cause), Some(spot)) = (
                    self.views.changes.difference.cause(),
                    self.views.changes.difference.spot(),
                )
            {
                let spans = vec![
                    Span::new(shown(&spot.path.to_string()), Role::Key),
                    Span::new(format!("  {cause}"), Role::Text),
                ];
                lines.push(TextLine {
                    spans,
                    target: None,
                });
            }
        }
        if !lines.is_empty() && !steps.is_empty() {
            lines.push(TextLine::default());
        }
        lines.extend(why_lines(self.session.stack(), steps));
        if lines.is_empty() {
            self.say("the file does not say why");
            return;
        }
        let view = TextView::of_lines(leading("Why"), lines, false).in_popup();
        self.overlays.push(Overlay::Text(view));
    }
}

/// True if the row of a change names properties and a cause.
fn is_explained(stack: &Stack, id: ResourceId) -> bool {
    match stack.record(id).action {
        Some(Action::Replace | Action::Update | Action::Delete | Action::Forget) => true,
        Some(
            Action::Create
            | Action::Read
            | Action::Import
            | Action::Move
            | Action::Defer
            | Action::Noop,
        )
        | None => false,
    }
}

fn why_lines(stack: &Stack, steps: &[ChainLink]) -> Vec<TextLine> {
    let mut lines = Vec::new();
    let mut add =
        |spans: Vec<Span>, target: Option<ResourceId>| lines.push(TextLine { spans, target });
    for (index, step) in steps.iter().enumerate() {
        let name = stack
            .address(step.id)
            .map_or_else(|| shown(stack.name(step.id)), shown);
        let intro = if index == 0 { "" } else { "← " };
        let unnamed = (
            step.action.sign(),
            stack.word(step.action),
            step.action.into(),
        );
        let (sign, word, role) = if step.is_drift {
            (words::DRIFT_SIGN, step.action.drifted(), Role::Other)
        } else {
            words::action(stack, step.id).unwrap_or(unnamed)
        };
        add(
            vec![
                Span::new(intro, Role::Dim),
                Span::new(format!("{sign} "), role),
                Span::new(name, Role::Reference),
                Span::new(format!("  {word}"), role),
            ],
            Some(step.id),
        );
        for reason in &step.reasons {
            add(
                vec![Span::new(
                    format!("    because {}", shown(reason)),
                    Role::Text,
                )],
                None,
            );
        }
        let through = step.through.as_ref().zip(steps.get(index + 1));
        let carrier = match through {
            Some((Through::Property { property, .. }, _)) => Some(property),
            Some((Through::Trigger { .. } | Through::Provider, _)) | None => None,
        };
        // The property that the next step is reached through has one line.
        let is_carrier = |path: &&Path| carrier == Some(*path);
        let forces = step.forcing.iter().any(|path| is_carrier(&path));
        for path in step.forcing.iter().filter(|path| !is_carrier(path)) {
            add(
                vec![
                    Span::new("    ", Role::Text),
                    Span::new(shown(&path.to_string()), Role::Key),
                    Span::new("  forces replacement", Role::Danger),
                ],
                None,
            );
        }
        if let Some((through, next)) = through {
            let (property, takes) = match through {
                Through::Property { property, .. } => {
                    (property.to_string(), "takes its value from")
                }
                Through::Trigger { .. } => ("replace_triggered_by".to_owned(), "names"),
                Through::Provider => ("provider".to_owned(), "is"),
            };
            let attribute = through
                .attribute()
                .map_or_else(String::new, |it| format!(".{it}"));
            let next = format!("{}{attribute}", stack.short_name(next.id));
            let mut spans = vec![
                Span::new("    ", Role::Text),
                Span::new(shown(&property), Role::Key),
                Span::new(format!("  {takes} {}", shown(&next)), Role::Text),
            ];
            if forces {
                spans.push(Span::new("  forces replacement", Role::Danger));
            }
            add(spans, None);
        }
    }
    if let (Some(first), Some(last)) = (steps.first(), steps.last()) {
        let root = shown(stack.short_name(last.id));
        let text = match (steps.len() > 1, first.action) {
            // The creation of a resource is not caused by the ones that it waits for.
            (true, Action::Create) if !last.is_drift => Some(format!("{root} comes first")),
            (true, _) => Some(format!("the root is {root}")),
            // A comparison says what differs, never why.
            (false, _) if stack.is_comparison => None,
            (false, Action::Replace) if !first.forcing.is_empty() => {
                Some("the replacement starts here".to_owned())
            }
            (false, Action::Delete | Action::Forget) => no_reason(stack, first),
            (false, Action::Create) if is_restored(stack, first.id) => None,
            (false, _) => Some("the change starts here".to_owned()),
        };
        if let Some(text) = text {
            add(vec![Span::new(text, Role::Dim)], None);
        }
    }
    lines
}

/// The words for a deletion that gives no reason; `None` if it gives one.
fn no_reason(stack: &Stack, step: &ChainLink) -> Option<String> {
    let words = if stack.header.kind.is_pulumi() {
        // A preview of either looks the same.
        "it is no longer in the program, or the stack is destroyed"
    } else {
        "the file does not say why"
    };
    step.reasons.is_empty().then(|| words.to_owned())
}

/// The title of a list whose lines lead to resources.
fn leading(title: &str) -> String {
    let hint = keymap::hints(Scope::Text, &[(Command::Accept, "go to")]);
    format!("{title} · {hint}")
}
