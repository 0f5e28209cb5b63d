//! The whole state of the screen and its changes: no file, no clock, no thread.
//!
//! [`Model::update`] takes an [`Event`] and returns [`Effect`]s. Everything that takes longer than a blink is an [`Effect`]. Its
//! answer comes back as an event with a ticket, and late answers are dropped.

mod auditing;
mod configuring;
mod copying;
mod decoding;
mod deps;
mod exchange;
mod filtering;
mod folding;
mod history;
mod hits;
mod keys;
mod live;
mod loading;
mod moving;
mod overlay;
mod pointing;
mod reading;
mod reveal;
mod review;
mod searching;
mod timeline;
mod types;
mod unlocking;
mod verifying;

use std::collections::{BTreeSet, HashMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use ratatui::layout::Rect;

use super::command::View;
use super::effect::Effect;
use super::event::Event;
use super::jobs::{Answer, Job, Ticket, Tickets};
use super::keymap::Scope;
use super::layout::{self, Areas, Shape};
use super::overlays::Overlay;
use super::panes::Ctx;
use super::panes::changes::ChangesPane;
use super::panes::deps::DepsPane;
use super::panes::detail::DetailPane;
use super::panes::diff::DiffPane;
use super::panes::problems::ProblemsPane;
use super::panes::tree::TreePane;
use super::rows::Spot;
use super::theme::{Role, Theme};
use crate::load::{Document, Input, Origin};
use crate::stack::{Header, Kind, Resource, ResourceId, Stack, Tool};
use crate::terraform::schema::Schemas;

pub use live::Progress;
pub use loading::Loading;
pub use reveal::Revealed;
pub use timeline::Timeline;

/// A message for the person, shown until the next key.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Message {
    /// The text.
    pub text: String,
    /// The role, which decides its color.
    pub role: Role,
}

/// The whole state of the screen.
pub struct Model {
    /// The size of the screen.
    pub screen: Rect,
    /// The colors and styles.
    pub theme: Theme,
    /// The origin of the file.
    pub input: Input,
    /// The file, as far as it is loaded.
    pub document: Option<Document>,
    /// An empty stack, used before anything is loaded.
    empty: Stack,
    /// The progress of loading; `None` if no file is being loaded.
    pub loading: Option<Loading>,
    /// The reason that the file cannot be shown.
    pub failure: Option<String>,
    /// The current view.
    pub view: View,
    /// Index of the pane that gets the keys: 0 or 1.
    pub focus: usize,
    /// True if only the focused pane is shown.
    pub zoomed: bool,
    /// Width of the left pane, in percent.
    pub split: u16,
    /// The tree of resources.
    pub tree: TreePane,
    /// The details of the selected resource.
    pub detail: DetailPane,
    /// The list of changes.
    pub changes: ChangesPane,
    /// The difference of the selected change.
    pub difference: DiffPane,
    /// The outputs of the stack.
    pub outputs: DetailPane,
    /// The dependencies of the selected resource.
    pub deps: DepsPane,
    /// The problems of the file.
    pub problems: ProblemsPane,
    /// The overlays over the panes, topmost last.
    pub overlays: Vec<Overlay>,
    /// The last message.
    pub message: Option<Message>,
    /// The marked resources.
    pub marks: BTreeSet<ResourceId>,
    /// The one value that is revealed.
    pub revealed: Option<Revealed>,
    /// The schemas of the providers, if they are known.
    schemas: Option<Arc<Schemas>>,
    unlocked: Option<Arc<crate::pulumi::passphrase::Unlocked>>,
    /// True while mouse capture is on.
    pub mouse: bool,
    history: history::History,
    searching: searching::Searching,
    located: copying::Located,
    awaited: copying::Awaited,
    pressed: Vec<String>,
    count: Option<usize>,
    kept: HashMap<ResourceId, Arc<Resource>>,
    kept_order: VecDeque<ResourceId>,
    reading: BTreeSet<ResourceId>,
    /// Resources on the screen that changed since they were read.
    outdated: BTreeSet<ResourceId>,
    configuring: configuring::Configuring,
    /// The updates of the stack, while the timeline is open.
    pub timeline: Option<Timeline>,
    /// The index of the update to go to as soon as the updates are known, and the resource to select there.
    wanted_update: Option<(usize, String)>,
    /// The folder that the file was chosen from.
    folder: Option<std::path::PathBuf>,
    /// The progress of the run, if the file is a run's log.
    pub progress: Progress,
    tickets: Tickets,
    /// The choices that reloading must restore.
    remembered: Option<loading::Remembered>,
    walks: deps::Walks,
    naming: Option<history::Naming>,
    effects: Vec<Effect>,
    /// True if a key was pressed since the file was opened: before that, nobody has chosen a row.
    touched: bool,
}

impl Model {
    /// Creates a model that is about to open `input`, and the effects that open it.
    pub fn new(input: Input, theme: Theme, width: u16, height: u16) -> (Self, Vec<Effect>) {
        let mut model = Self {
            screen: Rect::new(0, 0, width, height),
            theme,
            input,
            document: None,
            empty: Stack::new(Header {
                kind: Kind::PulumiState,
                tool: Tool::Pulumi,
                tool_version: String::new(),
                format_version: String::new(),
                stack: String::new(),
                project: String::new(),
                fields: Vec::new(),
                hidden: crate::terraform::schema::HiddenPlaces::default(),
            }),
            loading: None,
            failure: None,
            view: View::Resources,
            focus: 0,
            zoomed: false,
            split: 42,
            tree: TreePane::default(),
            detail: DetailPane::default(),
            changes: ChangesPane::default(),
            difference: DiffPane::default(),
            outputs: DetailPane::default(),
            deps: DepsPane::default(),
            problems: ProblemsPane::default(),
            overlays: Vec::new(),
            message: None,
            marks: BTreeSet::new(),
            revealed: None,
            schemas: None,
            unlocked: None,
            mouse: false,
            history: history::History::default(),
            searching: searching::Searching::default(),
            located: copying::Located::default(),
            awaited: copying::Awaited::default(),
            pressed: Vec::new(),
            count: None,
            kept: HashMap::new(),
            kept_order: VecDeque::new(),
            reading: BTreeSet::new(),
            outdated: BTreeSet::new(),
            configuring: configuring::Configuring::default(),
            progress: Progress::default(),
            timeline: None,
            wanted_update: None,
            folder: None,
            tickets: Tickets::default(),
            remembered: None,
            walks: deps::Walks::default(),
            naming: None,
            effects: Vec::new(),
            touched: false,
        };
        match model.input.sole_origin() {
            Some(Origin::Folder(_)) => model.open_folder(),
            _ => model.load(),
        }
        let effects = std::mem::take(&mut model.effects);
        (model, effects)
    }

    /// Applies an event and returns the effects that follow from it.
    pub fn update(&mut self, event: Event) -> Vec<Effect> {
        match event {
            Event::Key(key) => self.key(key),
            Event::Mouse(mouse) => self.mouse_event(mouse),
            Event::Paste(text) => self.paste(&text),
            Event::Resize(width, height) => self.resize(width, height),
            Event::Answer(ticket, answer) => self.answer(ticket, answer),
            Event::Routed(route) => self.routed(route),
            Event::Woke(timer) => self.woke(timer),
            Event::Copied {
                what,
                n_chars,
                result,
            } => self.copied(&what, n_chars, result),
            Event::Crashed { what } => {
                self.say_error(format!(
                    "{what} ended in a bug of this program; please report it"
                ));
            }
            Event::FileChanged => self.file_changed(),
            Event::Terminate => self.effects.push(Effect::Quit),
        }
        std::mem::take(&mut self.effects)
    }

    /// Takes an answer. Late ones are dropped here.
    fn answer(&mut self, ticket: Ticket, answer: Answer) {
        if !self.tickets.accepts(ticket) {
            if let Answer::Found { index, .. } = answer
                && self.tickets.is_of_open_file(ticket)
            {
                self.keep_index(ticket, &index);
            }
            return;
        }
        match answer {
            Answer::Load(event) => self.loaded(event),
            Answer::LoadFailed(error) => self.load_failed(&error),
            Answer::Read(id, resource) => self.read(id, &resource),
            Answer::Explained(id, steps) => self.explained(id, steps),
            Answer::Schemas(schemas) => self.take_schemas(schemas),
            Answer::Auditing(progress) => self.problems.progress = Some(progress),
            Answer::Audited(report) => self.audited(report),
            Answer::Reached {
                id,
                direction,
                is_impact,
                reached,
            } => self.reached(id, direction, is_impact, reached),
            Answer::Way(way) => self.found_way(way.as_deref()),
            Answer::Named(ids) => self.named(&ids),
            Answer::Carried(chosen) => self.carried(*chosen),
            Answer::Arranged(tree) => self.arranged(*tree),
            Answer::Found {
                index,
                found,
                values,
                done,
            } => self.found(ticket, &index, found, &values, done),
            Answer::Hits(found) => self.hits_found(found),
            Answer::Lines(lines) => self.lines_read(lines),
            Answer::Located(location) => self.located(location),
            Answer::Decoded(decoder, result) => self.decoded(decoder, result),
            Answer::Unlocked(result) => self.unlock_answered(result),
            Answer::Verifying { n_read, size } => self.verifying(n_read, size),
            Answer::Verified(verified) => self.verified(verified),
            Answer::Configured(configuration) => self.configured(configuration),
            Answer::Listed(result) => self.listed(result),
            Answer::History(history) => self.history_known(history),
            Answer::Recorded(index, record) => self.recorded(index, record),
            Answer::Traced(traced, record) => self.traced(traced, record),
            Answer::TraceEnded(has_history) => self.trace_ended(has_history),
        }
    }

    /// The stack; empty before anything is loaded.
    pub fn stack(&self) -> &Stack {
        self.document.as_ref().map_or(&self.empty, |it| &it.stack)
    }

    /// True if the file is from Pulumi.
    pub fn is_pulumi(&self) -> bool {
        self.stack().header.kind.is_pulumi()
    }

    /// The part of the state that a pane may see.
    pub fn ctx(&self, focused: bool) -> Ctx<'_> {
        Ctx {
            stack: self.stack(),
            theme: &self.theme,
            marks: &self.marks,
            loading: self.loading.is_some(),
            focused: focused && self.overlays.is_empty(),
        }
    }

    /// The layout of the screen.
    pub fn areas(&self) -> Areas {
        let shape = Shape {
            panes: if self.view.has_two_panes() { 2 } else { 1 },
            focus: self.focus,
            zoomed: self.zoomed,
            split: self.split,
            timeline: self.timeline.is_some(),
        };
        layout::areas(self.screen, shape)
    }

    /// True if both panes of the view are on the screen.
    pub fn shows_both_panes(&self) -> bool {
        self.areas().panes.iter().all(|pane| !pane.outer.is_empty())
    }

    /// The scopes whose key bindings apply, the first one first.
    pub fn scopes(&self) -> &'static [Scope] {
        match (self.overlays.last(), self.view) {
            (Some(overlay), _) => overlay.scopes(),
            (None, View::Changes) if self.timeline.is_some() => {
                &[Scope::Timeline, Scope::Changes, Scope::Main]
            }
            (None, _) if self.timeline.is_some() => &[Scope::Timeline, Scope::Main],
            (None, View::Changes) => &[Scope::Changes, Scope::Main],
            (None, _) => &[Scope::Main],
        }
    }

    /// The keys of an unfinished sequence.
    pub fn pressed(&self) -> &[String] {
        &self.pressed
    }

    /// The count typed so far.
    pub fn count(&self) -> Option<usize> {
        self.count
    }

    /// The resource that commands act on.
    pub fn selected(&self) -> Option<ResourceId> {
        match self.view {
            View::Resources => self.tree.resource(),
            View::Problems => self.problems.resource(self.stack()),
            View::Changes => self.changes.selected(),
            View::Deps => self.deps.selected(),
            View::Outputs => None,
        }
    }

    /// The value that commands act on, with its resource (`None` for an output of the stack).
    pub fn spot(&self) -> Option<(Option<ResourceId>, Spot)> {
        match (self.view, self.focus) {
            (View::Resources, 0) => {
                let row = self.tree.row()?;
                Some((self.tree.resource(), row.spot.clone()))
            }
            (View::Resources, _) => {
                let row = self.detail.list.selected()?;
                Some((self.detail.id(), row.spot.clone()))
            }
            (View::Problems, _) => Some((self.selected(), self.problem_spot()?)),
            (View::Changes, 1) => Some((self.difference.subject, self.difference.spot()?)),
            (View::Outputs, _) => Some((None, self.outputs.list.selected()?.spot.clone())),
            _ => None,
        }
    }

    /// Shows a message in the last line until the next key.
    pub fn say(&mut self, text: impl Into<String>) {
        self.message = Some(Message {
            text: text.into(),
            role: Role::Good,
        });
    }

    /// Shows an error in the last line: what went wrong, and what to do.
    pub fn say_error(&mut self, text: impl Into<String>) {
        self.message = Some(Message {
            text: text.into(),
            role: Role::Danger,
        });
    }

    /// Requests an effect.
    pub fn ask(&mut self, effect: Effect) {
        self.effects.push(effect);
    }

    /// Starts a job.
    fn start(&mut self, job: Job) {
        let ticket = self.tickets.draw(job.topic());
        self.effects.push(Effect::Start(ticket, Box::new(job)));
    }

    /// Starts a timer and returns its number.
    fn start_timer(&mut self, after: Duration) -> u64 {
        let timer = self.tickets.number();
        self.ask(Effect::Wake(timer, after));
        timer
    }

    /// Changes the view.
    pub fn set_view(&mut self, view: View) {
        if view != self.view {
            self.view = view;
            self.focus = 0;
            self.fit();
            self.follow();
        }
    }

    fn switch_pane(&mut self) {
        if self.view == View::Deps {
            self.other_side();
            return;
        }
        if self.view.has_two_panes() {
            self.focus = 1 - self.focus.min(1);
        } else {
            self.say("this view has one pane");
        }
    }

    fn resize_split(&mut self, by: i16) {
        self.split = self.split.saturating_add_signed(by).clamp(20, 80);
    }

    fn toggle_wrap(&mut self) {
        self.detail.wrap = !self.detail.wrap;
        self.outputs.wrap = self.detail.wrap;
        self.difference.wrap = self.detail.wrap;
        self.say(if self.detail.wrap {
            "long values wrap"
        } else {
            "long values are cut"
        });
    }

    fn resize(&mut self, width: u16, height: u16) {
        self.screen = Rect::new(0, 0, width, height);
        self.fit();
        // After two quick changes the terminal may still have the old size, and the cells in between are lost.
        self.ask(Effect::Redraw);
    }
}
