//! The whole state of the screen, and how it changes: no file, no clock, no thread.
//!
//! [`Model::update`] takes what happened and says what it asks of the world. Everything that takes longer than a blink is an
//! [`Effect`]; its answer comes back as an [`Event`] with a ticket, and late answers lose.

mod copying;
mod decoding;
mod deps;
mod folding;
mod history;
mod loading;
mod moving;
mod overlay;
mod pointing;
mod reveal;
mod review;
mod searching;
mod types;
mod unlocking;
mod verifying;

use std::collections::{BTreeSet, HashMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use crossterm::event::{KeyEvent, KeyEventKind};
use ratatui::layout::Rect;

use super::command::{Command, View};
use super::effect::Effect;
use super::event::Event;
use super::keymap::{self, Found, Scope};
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
use super::widgets::text::plural;
use crate::format::ReadError;
use crate::load::{Document, Input};
use crate::stack::{Header, Kind, Resource, ResourceId, Stack, Tool};

pub use history::Stop;
pub use loading::Loading;
pub use reveal::Revealed;

/// A digit that is followed by a motion within this time is a count, not a view.
const COUNT_TIME: Duration = Duration::from_millis(200);

/// How many resources are kept after they were read.
const MAX_KEPT: usize = 256;

/// A message for the person, shown until the next key.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Message {
    /// What is said.
    pub text: String,
    /// How.
    pub role: Role,
}

/// Digits that were typed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Count {
    number: usize,
    /// The view before a single digit switched it; there again if it turns out to be a count.
    view_before: Option<View>,
    ticket: u64,
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
    unlocked: Option<Arc<crate::secrets::passphrase::Unlocked>>,
    /// Whether the mouse is ours.
    pub mouse: bool,
    history: history::History,
    searching: searching::Searching,
    located: copying::Located,
    pressed: Vec<String>,
    count: Option<Count>,
    kept: HashMap<ResourceId, Arc<Resource>>,
    kept_order: VecDeque<ResourceId>,
    reading: BTreeSet<ResourceId>,
    last_ticket: u64,
    /// Of the file that is shown: answers about another one are no news.
    file_ticket: u64,
    tree_ticket: u64,
    /// What reloading must find again.
    remembered: Option<loading::Remembered>,
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
            unlocked: None,
            mouse: false,
            history: history::History::default(),
            searching: searching::Searching::default(),
            located: copying::Located::default(),
            pressed: Vec::new(),
            count: None,
            kept: HashMap::new(),
            kept_order: VecDeque::new(),
            reading: BTreeSet::new(),
            last_ticket: 0,
            file_ticket: 0,
            tree_ticket: 0,
            remembered: None,
            effects: Vec::new(),
            touched: false,
        };
        model.load();
        let effects = std::mem::take(&mut model.effects);
        (model, effects)
    }

    /// Takes what happened, and says what it asks of the world.
    pub fn update(&mut self, event: Event) -> Vec<Effect> {
        match event {
            Event::Key(key) => self.key(key),
            Event::Mouse(mouse) => self.mouse_event(mouse),
            Event::Paste(text) => self.paste(&text),
            Event::Resize(width, height) => self.resize(width, height),
            Event::Load { ticket, event } if ticket == self.file_ticket => self.loaded(event),
            Event::LoadFailed { ticket, error } if ticket == self.file_ticket => {
                self.load_failed(&error);
            }
            Event::Read {
                ticket,
                id,
                resource,
            } if ticket == self.file_ticket => self.read(id, &resource),
            Event::Arranged { ticket, tree } if ticket == self.tree_ticket => self.arranged(*tree),
            Event::Explained { ticket, id, steps } if ticket == self.file_ticket => {
                self.explained(id, steps);
            }
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
            Event::Woke { ticket } => self.woke(ticket),
            Event::Decoded { ticket, result } => self.decoded(ticket, result),
            Event::Unlocked { ticket, result } => self.unlock_answered(ticket, result),
            Event::Verifying {
                ticket,
                n_read,
                size,
            } => self.verifying(ticket, n_read, size),
            Event::Verified { ticket, verified } => self.verified(ticket, verified),
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
            Event::Resumed
            | Event::Load { .. }
            | Event::LoadFailed { .. }
            | Event::Read { .. }
            | Event::Explained { .. }
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
        self.count.map(|count| count.number)
    }

    /// The resource that commands are about.
    pub fn selected(&self) -> Option<ResourceId> {
        match self.view {
            View::Resources => self.tree.resource(),
            View::Problems => self.problems.selected(self.stack())?.resource,
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
            (View::Changes, 1) => Some((self.difference.subject, self.difference_spot()?)),
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

    fn key(&mut self, key: KeyEvent) {
        if key.kind == KeyEventKind::Release {
            return;
        }
        self.message = None;
        self.touched = true;
        let Some(token) = keymap::token(key) else {
            return;
        };
        if self.overlays.is_empty() && self.pressed.is_empty() && self.take_digit(&token) {
            return;
        }
        self.pressed.push(token);
        match keymap::lookup(self.scopes(), &self.pressed) {
            Found::Command(command) => {
                self.pressed.clear();
                self.obey(command);
            }
            Found::Prefix => {}
            Found::Nothing if self.pressed.len() > 1 => {
                let keys = self.pressed.concat();
                self.pressed.clear();
                self.say_error(format!("{keys} means nothing here; ? lists the keys"));
            }
            Found::Nothing => {
                self.pressed.clear();
                self.type_key(key);
            }
        }
    }

    /// A digit is a view at once, and becomes a count if a motion follows at once.
    fn take_digit(&mut self, token: &str) -> bool {
        let Some(digit) = token.parse::<u8>().ok().filter(|_| token.len() == 1) else {
            return false;
        };
        if digit == 0 && self.count.is_none() {
            return false;
        }
        let view = (1..=5)
            .contains(&digit)
            .then(|| View::ALL[usize::from(digit) - 1]);
        let (number, view_before) = match self.count {
            Some(count) => {
                if let Some(view) = count.view_before {
                    self.set_view(view);
                }
                (count.number.saturating_mul(10) + usize::from(digit), None)
            }
            None => (usize::from(digit), view.map(|_| self.view)),
        };
        if self.count.is_none()
            && let Some(view) = view
        {
            self.set_view(view);
        }
        let ticket = self.ticket();
        self.count = Some(Count {
            number: number.min(1_000_000_000),
            view_before,
            ticket,
        });
        if view_before.is_some() {
            self.ask(Effect::Wake {
                ticket,
                after: COUNT_TIME,
            });
        }
        true
    }

    /// Takes the count for a motion; the view that a first digit switched is there again.
    fn take_count(&mut self) -> Option<usize> {
        let count = self.count.take()?;
        if let Some(view) = count.view_before {
            self.set_view(view);
        }
        Some(count.number)
    }

    fn woke(&mut self, ticket: u64) {
        if self.count.is_some_and(|count| count.ticket == ticket) {
            self.count = None;
        }
        if self.revealed.as_ref().is_some_and(|it| it.ticket == ticket) {
            self.hide();
            self.say("hidden again after 30 s");
        }
        self.hide_decoded(Some(ticket));
        self.turn_spinner(ticket);
    }

    fn paste(&mut self, text: &str) {
        match self.overlays.last_mut() {
            Some(overlay) => {
                Self::insert(overlay, text);
                self.typed_in_bar();
            }
            None => self.say_error("nothing to paste into here; / searches, gu goes to an address"),
        }
    }

    /// Does what a key, the palette or the help asks for.
    pub fn obey(&mut self, command: Command) {
        if self.overlays.is_empty() {
            self.obey_in_panes(command);
        } else {
            self.obey_in_overlay(command);
        }
        self.follow();
        self.hide_if_moved();
    }

    fn obey_in_panes(&mut self, command: Command) {
        use Command as C;
        if self.move_by(command) {
            return;
        }
        self.count = None;
        if self.review_command(command) {
            return;
        }
        match command {
            C::Expand
            | C::Collapse
            | C::Activate
            | C::Toggle
            | C::Open
            | C::Close
            | C::OpenBelow
            | C::OpenAll
            | C::CloseAll
            | C::Level(_) => self.fold(command),
            C::View(view) => self.set_view(view),
            C::NextPane | C::PrevPane => self.switch_pane(),
            C::Zoom => self.zoomed = true,
            C::Unzoom => self.zoomed = false,
            C::Narrower => self.resize_split(-4),
            C::Wider => self.resize_split(4),
            C::Search | C::Filter | C::NextHit | C::PrevHit | C::SearchKey | C::SearchKeyBack => {
                self.search_command(command);
            }
            C::DependsOn | C::UsedBy | C::DependsOnAll | C::UsedByAll | C::Impact | C::Way => {
                self.deps_command(command);
            }
            C::GotoParent | C::GotoProvider | C::GotoOutputs | C::GotoAddress | C::GotoStack => {
                self.goto(command);
            }
            C::Back => self.back(),
            C::Forward => self.forward(),
            C::Yank | C::CopyPath | C::Copy(_) | C::CopySecret => self.copy_command(command),
            C::Reveal => self.ask_reveal(),
            C::HideAll => {
                self.hide();
                self.say("all secrets are hidden");
            }
            C::Cancel => self.cancel(),
            C::Help | C::Palette => self.open_choose(command),
            C::Sort | C::Arrange | C::Noise | C::Mark | C::MarkAll | C::ClearMarks => {
                self.list_command(command);
            }
            C::Section => self.cycle_parts(),
            C::Text => self.open_text(),
            C::Decode => self.open_decode(),
            C::Types => self.open_types(),
            C::Verify => self.open_verify(),
            C::Unlock => self.open_unlock(),
            C::Wrap => self.toggle_wrap(),
            C::Mouse => self.toggle_mouse(),
            C::Reload => self.reload(),
            C::Suspend => self.ask(Effect::Suspend),
            C::Quit => self.ask(Effect::Quit),
            _ => {}
        }
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
        self.say(if self.detail.wrap {
            "the selected value is shown whole"
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

    /// A resource that was read lately; else it is asked for.
    pub fn resource(&mut self, id: ResourceId) -> Option<Arc<Resource>> {
        if let Some(resource) = self.kept.get(&id) {
            return Some(Arc::clone(resource));
        }
        let document = self.document.clone()?;
        if self.reading.insert(id) {
            let ticket = self.file_ticket;
            self.ask(Effect::Read {
                ticket,
                document,
                id,
            });
        }
        None
    }

    /// A resource that was read lately.
    pub fn kept(&self, id: ResourceId) -> Option<&Arc<Resource>> {
        self.kept.get(&id)
    }

    fn read(&mut self, id: ResourceId, resource: &Result<Arc<Resource>, ReadError>) {
        self.reading.remove(&id);
        if let Err(ReadError::Source(crate::format::SourceError::Changed { .. })) = resource {
            self.file_changed();
        }
        if let Ok(resource) = resource {
            self.keep(id, Arc::clone(resource));
        }
        if self.difference.subject == Some(id) {
            self.set_difference(id, resource);
        }
        let pulumi = self.is_pulumi();
        if self.detail.id() == Some(id) && self.detail.resource.is_none() {
            self.detail.set_resource(resource.clone());
            self.remake_detail();
            self.take_aim();
        }
        if self.view == View::Deps && self.deps.center() == Some(id) {
            self.remake_deps();
        }
        let node = crate::tree::Node::Resource(id);
        if self.tree.tree.is_open(node)
            && !self.tree.has_props(node)
            && !self.is_folder(id)
            && let Ok(resource) = resource
        {
            self.tree.set_resource(id, resource, pulumi);
            let height = self.pane_height(0);
            self.tree.settle(height);
        }
    }

    fn keep(&mut self, id: ResourceId, resource: Arc<Resource>) {
        if self.kept.insert(id, resource).is_none() {
            self.kept_order.push_back(id);
        }
        while self.kept_order.len() > MAX_KEPT {
            if let Some(oldest) = self.kept_order.pop_front() {
                self.kept.remove(&oldest);
            }
        }
    }

    /// Lets the details follow the cursor of the list beside them.
    fn follow(&mut self) {
        if self.view == View::Deps {
            self.center_deps();
        }
        match self.view {
            View::Resources => self.follow_tree(),
            View::Changes => self.follow_changes(),
            View::Outputs | View::Deps | View::Problems => {}
        }
    }

    fn follow_tree(&mut self) {
        let node = self.tree.node();
        if self.detail.subject == node {
            return;
        }
        self.detail.show(node);
        match node {
            Some(crate::tree::Node::Resource(id)) => {
                if let Some(resource) = self.resource(id) {
                    self.detail.set_resource(Ok(resource));
                }
            }
            Some(crate::tree::Node::Outputs) => {
                let outputs = super::panes::tree::outputs_map(self.stack());
                self.detail.set_outputs(outputs);
            }
            Some(node) => {
                let n = plural(self.tree.tree.n_resources(node), "resource");
                let what = match node {
                    crate::tree::Node::Group(_) => "in this module and the modules in it",
                    crate::tree::Node::Type(_) => "of this type",
                    _ => "that manage the others; their own values open like any",
                };
                self.detail.set_summary(format!("{n} {what}"));
            }
            None => {}
        }
        self.remake_detail();
    }

    fn remake_detail(&mut self) {
        let height = self.value_height();
        let pulumi = self.is_pulumi();
        let revealed = self
            .revealed
            .as_ref()
            .filter(|it| it.id == self.detail.id())
            .map(|it| it.spot.clone());
        self.detail.remake(revealed.as_ref(), pulumi, height);
    }

    fn cycle_parts(&mut self) {
        self.detail.parts = self.detail.parts.next();
        self.remake_detail();
        let name = self.detail.parts.name();
        self.say(format!("showing {name}"));
    }
}
