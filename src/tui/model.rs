//! The whole state of the screen, and how it changes: no file, no clock, no thread.
//!
//! [`Model::update`] takes what happened and says what it asks of the world. Everything that takes longer than a blink is an
//! [`Effect`]; its answer comes back as an [`Event`] with a ticket, and late answers lose.

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

use ratatui::layout::Rect;

use super::command::View;
use super::effect::Effect;
use super::event::Event;
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
use crate::load::{Document, Input};
use crate::stack::{Header, Kind, Resource, ResourceId, Stack, Tool};
use crate::terraform::schema::Schemas;

pub use history::Stop;
pub use live::Progress;
pub use loading::Loading;
pub use reveal::Revealed;
pub use timeline::Timeline;

/// A message for the person, shown until the next key.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Message {
    /// What is said.
    pub text: String,
    /// How.
    pub role: Role,
}

/// The whole state of the screen.
pub struct Model {
    /// The size of the screen.
    pub screen: Rect,
    /// The look.
    pub theme: Theme,
    /// Where the file comes from.
    pub input: Input,
    /// The file, as far as it is known.
    pub document: Option<Document>,
    /// What stands in for the stack before anything is known.
    empty: Stack,
    /// How far loading is, if it is under way.
    pub loading: Option<Loading>,
    /// Why the file cannot be shown.
    pub failure: Option<String>,
    /// What the body shows.
    pub view: View,
    /// Which of two panes gets the keys.
    pub focus: usize,
    /// Whether that pane is alone.
    pub zoomed: bool,
    /// The share of the left pane in percent.
    pub split: u16,
    /// The tree of resources.
    pub tree: TreePane,
    /// The details of the selected resource.
    pub detail: DetailPane,
    /// What is about to change.
    pub changes: ChangesPane,
    /// The difference of the selected change.
    pub difference: DiffPane,
    /// The outputs of the stack.
    pub outputs: DetailPane,
    /// Who depends on whom.
    pub deps: DepsPane,
    /// The notes of the file.
    pub problems: ProblemsPane,
    /// What lies over the panes.
    pub overlays: Vec<Overlay>,
    /// What was said last.
    pub message: Option<Message>,
    /// Resources that are marked.
    pub marks: BTreeSet<ResourceId>,
    /// The one value that is revealed.
    pub revealed: Option<Revealed>,
    /// The schemas of the providers, where they are at hand.
    schemas: Option<Arc<Schemas>>,
    unlocked: Option<Arc<crate::pulumi::passphrase::Unlocked>>,
    /// Whether the mouse is ours.
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
    /// Resources on the screen that are not as they were when they were read.
    outdated: BTreeSet<ResourceId>,
    configuring: configuring::Configuring,
    /// The updates of the stack, while one steps through them.
    pub timeline: Option<Timeline>,
    /// The ticket of the question for the updates, and the update to go to with the resource to select there.
    wanted_update: Option<(u64, Option<(usize, String)>)>,
    /// The folder that the file was chosen from.
    folder: Option<std::path::PathBuf>,
    /// How far the run is, where the file is the log of one.
    pub progress: Progress,
    last_ticket: u64,
    /// Of the file that is being read or was read last.
    file_ticket: u64,
    /// Drawn when the stack was exchanged: answers to older requests are about another one.
    stack_ticket: u64,
    tree_ticket: u64,
    /// What reloading must find again.
    remembered: Option<loading::Remembered>,
    walks: deps::Walks,
    naming: Option<history::Naming>,
    effects: Vec<Effect>,
    /// Whether a key was pressed since the file was opened: before that, nobody has chosen a row.
    touched: bool,
}

impl Model {
    /// A model that is about to open `input`, and the wish to do so.
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
            last_ticket: 0,
            file_ticket: 0,
            stack_ticket: 0,
            tree_ticket: 0,
            remembered: None,
            walks: deps::Walks::default(),
            naming: None,
            effects: Vec::new(),
            touched: false,
        };
        match model.input {
            Input::Folder(_) => model.open_folder(),
            _ => model.load(),
        }
        let effects = std::mem::take(&mut model.effects);
        (model, effects)
    }

    /// Takes what happened, and says what it asks of the world.
    pub fn update(&mut self, event: Event) -> Vec<Effect> {
        if self.is_stale(&event) {
            return Vec::new();
        }
        match event {
            Event::Key(key) => self.key(key),
            Event::Mouse(mouse) => self.mouse_event(mouse),
            Event::Paste(text) => self.paste(&text),
            Event::Resize(width, height) => self.resize(width, height),
            Event::Load { ticket, event } if ticket == self.file_ticket => self.loaded(event),
            Event::LoadFailed { ticket, error } if ticket == self.file_ticket => {
                self.load_failed(&error);
            }
            Event::Read { id, resource, .. } => self.read(id, &resource),
            Event::Arranged { ticket, tree } if ticket == self.tree_ticket => self.arranged(*tree),
            Event::Explained { id, steps, .. } => self.explained(id, steps),
            Event::Schemas { ticket, schemas } if ticket == self.problems.audit_ticket => {
                self.take_schemas(schemas);
            }
            Event::Auditing { ticket, progress } => self.auditing(ticket, progress),
            Event::Audited { ticket, report } => self.audited(ticket, report),
            Event::Located {
                ticket, location, ..
            } => self.located(ticket, location),
            Event::Found {
                ticket,
                index,
                found,
                values,
                done,
            } => self.found(ticket, index, found, &values, done),
            Event::Marked {
                ticket,
                form,
                lines,
                n_missing,
                why_not,
            } => self.marked_read(ticket, form, &lines, n_missing, why_not),
            Event::Routed(route) => self.routed(route),
            Event::Hits { ticket, found } => self.hits_found(ticket, found),
            Event::Reached { ticket, reached } => self.reached(ticket, reached),
            Event::WayFound { ticket, way } => self.found_way(ticket, way.as_deref()),
            Event::Named { ticket, ids } => self.named(ticket, &ids),
            Event::Carried { chosen, .. } => self.carried(*chosen),
            Event::Woke { ticket } => self.woke(ticket),
            Event::Decoded { ticket, result } => self.decoded(ticket, result),
            Event::Unlocked { ticket, result } => self.unlock_answered(ticket, result),
            Event::Verifying {
                ticket,
                n_read,
                size,
            } => self.verifying(ticket, n_read, size),
            Event::Verified { ticket, verified } => self.verified(ticket, verified),
            Event::Configured {
                ticket,
                configuration,
            } => self.configured(ticket, configuration),
            Event::Listed { ticket, result } => self.listed(ticket, result),
            Event::History { ticket, history } => self.history_known(ticket, history),
            Event::Recorded {
                ticket,
                index,
                record,
            } => self.recorded(ticket, index, record),
            Event::Traced {
                ticket,
                traced,
                told,
            } => self.traced(ticket, traced, told),
            Event::TraceEnded {
                ticket,
                has_history,
            } => self.trace_ended(ticket, has_history),
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
            Event::Load { .. }
            | Event::LoadFailed { .. }
            | Event::Schemas { .. }
            | Event::Arranged { .. } => {}
        }
        std::mem::take(&mut self.effects)
    }

    /// The stack, empty before anything is known.
    pub fn stack(&self) -> &Stack {
        self.document.as_ref().map_or(&self.empty, |it| &it.stack)
    }

    /// Whether the file is of Pulumi.
    pub fn is_pulumi(&self) -> bool {
        self.stack().header.kind.is_pulumi()
    }

    /// What a pane may see.
    pub fn ctx(&self, focused: bool) -> Ctx<'_> {
        Ctx {
            stack: self.stack(),
            theme: &self.theme,
            marks: &self.marks,
            loading: self.loading.is_some(),
            focused: focused && self.overlays.is_empty(),
        }
    }

    /// Where everything lies.
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

    /// Whether both panes of the view are on the screen.
    pub fn shows_both_panes(&self) -> bool {
        self.areas().panes.iter().all(|pane| !pane.outer.is_empty())
    }

    /// Which rows of the table hold, first ones first.
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

    /// The keys pressed so far of a longer sequence.
    pub fn pressed(&self) -> &[String] {
        &self.pressed
    }

    /// The count typed so far.
    pub fn count(&self) -> Option<usize> {
        self.count
    }

    /// The resource that commands are about.
    pub fn selected(&self) -> Option<ResourceId> {
        match self.view {
            View::Resources => self.tree.resource(),
            View::Problems => self.problems.resource(self.stack()),
            View::Changes => self.changes.selected(),
            View::Deps => self.deps.selected(),
            View::Outputs => None,
        }
    }

    /// The value that commands are about, with its resource (`None` for an output of the stack).
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

    /// Says something in the last line until the next key.
    pub fn say(&mut self, text: impl Into<String>) {
        self.message = Some(Message {
            text: text.into(),
            role: Role::Good,
        });
    }

    /// Says what went wrong, and what to do.
    pub fn say_error(&mut self, text: impl Into<String>) {
        self.message = Some(Message {
            text: text.into(),
            role: Role::Danger,
        });
    }

    /// Asks something of the world.
    pub fn ask(&mut self, effect: Effect) {
        self.effects.push(effect);
    }

    /// A ticket that was never given before.
    pub fn ticket(&mut self) -> u64 {
        self.last_ticket += 1;
        self.last_ticket
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
            "long values go on in the next line"
        } else {
            "long values are cut"
        });
    }

    fn resize(&mut self, width: u16, height: u16) {
        self.screen = Rect::new(0, 0, width, height);
        self.fit();
        // Two changes in a row may end in the old size, with the cells in between lost.
        self.ask(Effect::Redraw);
    }
}
