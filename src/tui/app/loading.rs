//! Loading a file: progress, stopping, reloading, and restoring what was selected and open.

use std::path::Path;

use super::App;
use super::searching::{SearchPurpose, WantedSearch};
use crate::load::{self, LoadError, LoadEvent};
use crate::search::{Goal, Query};
use crate::tree::{Folds, Node, Request, Tree};
use crate::tui::any_job::Takes;
use crate::tui::changes::Arrangement;
use crate::tui::command::{Command, SearchCommand, View};
use crate::tui::effect::Effect;
use crate::tui::jobs::arrange::Arrange;
use crate::tui::jobs::load::Load;
use crate::tui::keymap;
use crate::tui::restore_selection::{Carried, Chosen, Remembered};
use crate::tui::session::{Loading, failure};
use crate::tui::since::{Reading, Since};
use crate::tui::widgets::text::plural;

/// Maximum number of nodes for which all folders are open at first.
const OPEN_IF_AT_MOST: usize = 400;

/// The query for what is new or differs since the file was read before.
const FRESH: &str = "is:fresh";

/// A change of the file by another program, while the file is watched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum OutsideChange {
    /// The screen shows the file as it is, or the person reads it again.
    None,
    /// The file is to be read again as soon as the person is not in an overlay.
    Waiting,
    /// It is being read again.
    BeingRead,
}

impl App {
    /// Starts reading the file.
    pub(super) fn load(&mut self) {
        self.forget_search();
        self.session.loading = Some(Loading::default());
        let paths = self.session.input.paths().into_iter();
        let paths = paths.map(Path::to_owned).collect();
        self.ask(Effect::Watch(paths));
        let digest = self.session.digest.clone();
        self.start(Load(self.session.input.clone(), digest));
    }

    /// Reads the file again. The selection, the open nodes and the marks are restored.
    pub(super) fn reload(&mut self) {
        self.change = OutsideChange::None;
        if self.session.input.sole_origin() == Some(&load::Origin::Stdin) {
            self.say_error("standard input cannot be read twice; save it to a file to reload it");
            return;
        }
        // An earlier reload may not have restored its choices yet: keep those rather than the few made since.
        if self.session.remembered.is_none() {
            self.remember_chosen();
        }
        self.load();
        self.say("reading the file again");
    }

    fn remember_chosen(&mut self) {
        let mut folds = self.views.resources.tree.tree.folds().clone();
        if self.session.stack().is_empty() {
            folds = Folds::default();
        }
        self.session.remembered = Some(Remembered {
            chosen: Chosen {
                node: self.views.resources.tree.node(),
                spot: self.views.resources.detail.list.selected_spot(),
                current: self.session.current,
                change: self.views.of(View::Changes).selected(&self.session),
                folds,
                marks: self.session.marks.clone(),
                reviewed: self.session.reviewed.clone(),
            },
            document: self.session.document.clone(),
            digests: self.session.digests.clone(),
        });
    }

    /// Takes what moved since the file was read before: the page tells it, and `n` goes through it. Returns what to say of it.
    fn take_since(&mut self, since: Since) -> String {
        let (words, has_fresh) = (since.words(), !since.fresh.is_empty());
        self.session.since = Some(since);
        if words.is_empty() {
            return "nothing moved".to_owned();
        }
        if !has_fresh {
            return words;
        }
        if let Ok(query) = Query::parse(FRESH) {
            let wanted = WantedSearch {
                query,
                goal: Goal::Go,
                among_changes: self.views.changes.list.is_review,
                purpose: SearchPurpose::Step(0),
            };
            self.ask_search(wanted, None);
        }
        let next = keymap::key_of(Command::Search(SearchCommand::NextHit));
        format!("{words} · {next} go through them")
    }

    pub(super) fn stop_loading(&mut self) {
        self.session.tickets.stop::<Load>();
        self.say("stopping; the part already read stays");
    }

    fn loaded(&mut self, event: LoadEvent) {
        match event {
            LoadEvent::Opened { document, total } => {
                self.leave_file_prompt();
                let is_fresh = self.session.remembered.is_none() && !self.session.touched;
                let mut document = *document;
                document.stack.is_history = self.timeline.is_some();
                self.exchange(Some(document));
                let header = &self.session.stack().header;
                let (has_changes, unknown) = (header.kind.has_changes(), header.kind.unknown());
                // A comparison of two files is always a review.
                let is_comparison = self.session.stack().is_comparison;
                self.views.changes.list.is_review = has_changes || is_comparison;
                let is_log = header.kind.is_log();
                if has_changes && !is_log && !is_comparison {
                    self.views.changes.list.usual = Arrangement::Story;
                }
                self.views.changes.difference.unknown = Some(unknown);
                if is_fresh && let Some(view) = self.first_view() {
                    self.set_view(view);
                }
                self.session.loading = Some(Loading { bytes: 0, total });
            }
            LoadEvent::Indexed { batch, bytes } => {
                if let Some(loading) = &mut self.session.loading {
                    loading.bytes = bytes;
                }
                self.extend(*batch);
            }
            LoadEvent::Finished(summary) => {
                if let Some(text) = self.session.settle(*summary) {
                    self.say(text);
                }
                self.finished();
            }
        }
    }

    /// The view that a file opens on: the one that the person prefers, if the file has it, otherwise the brief of a review. A run
    /// goes on in Changes, and an update of the past is compared with others there.
    fn first_view(&self) -> Option<View> {
        let is_review = self.views.changes.list.is_review;
        if is_review && (self.session.is_live() || self.timeline.is_some()) {
            return Some(View::Changes);
        }
        let preferred = self.preferences.first_view;
        preferred.or(is_review.then_some(View::Brief))
    }

    /// Closes the file; nothing is open.
    pub(super) fn close_file(&mut self) {
        self.session.tickets.forget::<Load>();
        self.session.loading = None;
        self.session.remembered = None;
        self.exchange(None);
    }

    fn finished(&mut self) {
        let (views, ctx) = self.lend();
        views.changes.list.take_beside(ctx.session.stack());
        if let Some(document) = &self.session.document {
            self.views.changes.list.take_errors(&document.stack);
        }
        // The first key of a search among the changes finds it made.
        self.views.changes.list.all();
        self.with_views(|views, ctx| views.changes.renew(ctx));
        // The first row may be the heading of a section.
        let list = &self.views.changes.list;
        let is_first = list.cursor.row == 0 && !self.session.touched;
        if let Some(row) = list.first_change().filter(|_| is_first) {
            let (views, ctx) = self.lend();
            views.changes.go(row, &ctx);
        }
        self.select_subject();
        self.show_problems();
        self.notice_errors();
        let stack = self.session.stack();
        let mut outdated: Vec<_> = stack.repeating.iter().copied().collect();
        // Dependencies are known from here on. Their part in the configuration is read with each resource.
        if !stack.references.is_empty() {
            outdated.extend(self.session.resources.ids());
        }
        for id in outdated {
            self.outdate(id);
        }
        self.with_views(|views, ctx| views.changes.renew_difference(ctx));
        self.forget_walks();
        if self.window.view == View::Deps {
            self.with_views(|views, ctx| views.deps.remake(ctx));
        }
        self.audit();
        self.make_brief();
        let (views, ctx) = self.lend();
        views.outputs.take(&ctx);
        self.searching.unsettled = true;
        if let Some(filter) = &mut self.views.changes.list.filter {
            // The end of the file may change what the query finds among all records.
            filter.n_seen = 0;
        }
        self.renew_filter();
        // The results in the search bar are from before the end of the file.
        self.typed_in_bar();
    }

    /// Builds the final tree once everything is read. After a reload, finds the old choices first.
    pub(super) fn settle_file(&mut self) {
        if let Some(remembered) = &self.session.remembered {
            self.start(Carried {
                remembered: remembered.clone(),
                new: Reading {
                    stack: self.session.stack().clone(),
                    digests: self.session.digests.clone(),
                },
            });
            return;
        }
        let selected = self.chosen_node();
        self.arrange(selected);
    }

    /// The node that the person selected since the file was opened. Without one, the tree starts at its top.
    fn chosen_node(&mut self) -> Option<Node> {
        let tree = &mut self.views.resources.tree;
        let node = tree.node().filter(|_| self.session.touched);
        if node.is_none() {
            tree.aim_at_top();
        }
        node
    }

    pub(super) fn show_problems(&mut self) {
        let (views, ctx) = self.lend();
        views.problems.list(&ctx);
    }

    /// Says once, when a file is opened, that it has errors.
    pub(super) fn notice_errors(&mut self) {
        let n_errors = self.views.problems.n_errors;
        let is_fresh = self.session.remembered.is_none() && self.message.is_none();
        if n_errors == 0 || !is_fresh || self.window.view == View::Problems {
            return;
        }
        let key = keymap::key_of(Command::View(View::Problems));
        let them = if n_errors == 1 { "it" } else { "them" };
        let errors = plural(n_errors, "error");
        self.say_error(format!("{errors} in this file · {key} shows {them}"));
    }

    fn load_failed(&mut self, error: &LoadError) {
        self.session.loading = None;
        self.session.remembered = None;
        if matches!(error, LoadError::Damaged { .. }) {
            // A partial comparison would look like a real difference.
            self.close_file();
        }
        let text = failure(error);
        if self.session.document.is_some() {
            self.say_error(text.clone());
        } else {
            // It shows the failure.
            self.set_view(View::Problems);
        }
        self.session.failure = Some(text);
        if let LoadError::Locked {
            source,
            wants: Some(wants),
            input,
            ..
        } = error
        {
            self.ask_for_key(wants, input, source);
        }
    }

    /// Another program wrote to the file. Reads it again, if the person wants that.
    pub(super) fn changed_outside(&mut self) {
        if self.preferences.watch {
            self.change = OutsideChange::Waiting;
        } else {
            self.file_changed();
        }
    }

    /// Reads a file that changed again, once it is read to its end and the person is not in an overlay.
    pub(super) fn reload_changed(&mut self) {
        let is_free = self.overlays.is_empty() && self.pressed().is_empty();
        let is_waiting = self.change == OutsideChange::Waiting;
        if is_waiting && is_free && self.session.loading.is_none() {
            self.reload();
            self.change = OutsideChange::BeingRead;
            self.say("the file changed: reading it again");
        }
    }

    /// True if the file is read again when it changes.
    pub fn is_watching(&self) -> bool {
        let is_file = self.session.input.sole_origin() != Some(&load::Origin::Stdin);
        self.preferences.watch && is_file
    }

    /// Says that what is shown is older than the file.
    pub(super) fn file_changed(&mut self) {
        if self.preferences.watch {
            return;
        }
        let reload = keymap::key_of(Command::Reload);
        self.say_error(format!(
            "the file changed since it was opened · {reload} read it again"
        ));
    }

    /// Builds the tree again in the background. The cursor goes to `selected`.
    pub(super) fn arrange(&mut self, selected: Option<Node>) {
        let folds = self.views.resources.tree.tree.folds().clone();
        self.arrange_with(folds, selected);
    }

    fn arrange_with(&mut self, folds: Folds, selected: Option<Node>) {
        if let Some(node) = selected {
            self.views.resources.tree.aim(node);
        }
        let tree = &self.views.resources.tree;
        let request = Request {
            arrangement: tree.arrangement,
            order: tree.order,
            folds,
            filter: tree.filter.as_ref().map(|filter| filter.ids.to_vec()),
            open_if_at_most: OPEN_IF_AT_MOST,
        };
        self.start(Arrange(self.session.stack().clone(), request));
    }
}

impl Takes<Load> for App {
    fn take(&mut self, answer: Result<LoadEvent, LoadError>) {
        match answer {
            Ok(event) => self.loaded(event),
            Err(error) => self.load_failed(&error),
        }
    }
}

impl Takes<Carried> for App {
    /// Restores the choices that were found again after a reload.
    fn take(&mut self, (chosen, since): (Chosen, Option<Since>)) {
        let remembered = self.session.remembered.take();
        let had_reviewed = remembered.is_some_and(|it| !it.chosen.reviewed.is_empty());
        let is_dropped = had_reviewed && chosen.reviewed.is_empty();
        // If the person moved during the reload, keep the new selection.
        let moved = self.chosen_node();
        if moved.is_none()
            && let (Some(Node::Resource(id)), Some(spot)) = (chosen.node, chosen.spot)
        {
            self.aim_at(id, spot);
        }
        let selected = moved.or(chosen.node);
        if self.session.current.is_none() {
            self.session.current = chosen.current;
        }
        if let Some(id) = self.session.current {
            let (views, ctx) = self.lend();
            views.changes.stories.resume(id, &ctx);
        }
        self.session.marks.extend(chosen.marks);
        for id in chosen.reviewed {
            self.mark_reviewed(id);
        }
        if let Some(id) = chosen.change.filter(|_| !self.session.touched) {
            let (views, ctx) = self.lend();
            views.changes.resume(id, &ctx);
        }
        let is_outside = self.change == OutsideChange::BeingRead;
        if is_outside {
            self.change = OutsideChange::None;
        }
        let mut words = match (is_dropped, is_outside) {
            (true, _) => "read again; the file changed, so the review begins anew",
            (false, true) => "the file changed: read again",
            (false, false) => "read again",
        }
        .to_owned();
        if let Some(since) = since {
            words.push_str(" · ");
            words.push_str(&self.take_since(since));
        }
        self.say(words);
        self.arrange_with(chosen.folds, selected);
    }
}

impl Takes<Arrange> for App {
    fn take(&mut self, mut tree: Tree) {
        let height = self.pane_height(0);
        // Records may have arrived since the tree was requested.
        if self.views.resources.tree.filter.is_none() {
            let from = tree.n_seen();
            tree.extend(self.session.stack(), from);
        }
        self.views.resources.tree.set_tree(tree, height);
        self.follow();
        self.take_aim();
        self.reach_aim();
    }
}
