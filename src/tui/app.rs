//! The explorer: it routes events to the session, the views and the overlays. No file, no clock, no thread.
//!
//! [`App::update`] takes an [`Event`] and returns [`Effect`]s. Everything that takes longer than a blink is a
//! [`Job`](super::jobs::Job). Its answers come back as events with the flag of its ticket, and late answers are dropped.

mod auditing;
mod briefing;
mod configuring;
mod copying;
mod deps;
mod exchange;
mod filtering;
mod finding_rows;
mod history;
mod hits;
mod keys;
mod live;
mod loading;
mod marking;
mod nothing;
mod offered;
mod overlay;
mod pointing;
mod reading;
mod recording;
mod reveal;
mod routing;
mod searching;
mod stacks;
mod timeline;
mod unlocking;
mod values;

use std::time::Duration;

use ratatui::layout::Rect;

use super::any_job::AnyJob;
use super::command::{Current, View};
use super::effect::Effect;
use super::event::Event;
use super::keymap::Scope;
use super::layout::{self, Areas, Shape};
use super::overlays::Overlays;
use super::overlays::source::SourceView;
use super::preferences::Preferences;
use super::row_key::RowKey;
use super::session::Session;
use super::theme::{Background, Role, Theme};
use super::views::Views;
use crate::load::Input;
use crate::stack::ResourceId;

pub use timeline::Timeline;

/// A message for the person, shown until the next key.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Message {
    /// The text.
    pub text: String,
    /// The role, which decides its color.
    pub role: Role,
    /// True if it names the hit of a search, whose number is known later.
    pub is_of_hit: bool,
}

/// The size of the screen, and what of the program it shows.
#[derive(Clone, Debug)]
pub struct Window {
    /// The size of the screen.
    pub screen: Rect,
    /// The current view.
    pub view: View,
    /// Index of the pane that gets the keys: 0 or 1.
    pub focus: usize,
    /// True if only the focused pane is shown.
    pub zoomed: bool,
    /// Width of the left pane of each view in percent, once it was changed.
    pub splits: [Option<u16>; View::ALL.len()],
    /// True while mouse capture is on.
    pub mouse: bool,
    /// The thing that the pressed button holds.
    grip: Option<pointing::Grip>,
    /// The view, the resource selected in it, and its row if it is a list, after the last event.
    shown: Option<(View, Option<ResourceId>, Option<RowKey>)>,
}

/// The explorer.
pub struct App {
    /// The open file, and the choices that all views share.
    pub session: Session,
    /// The colors and styles.
    pub theme: Theme,
    /// The person's choices, as they were at the start.
    preferences: Preferences,
    /// The size of the screen, and what it shows.
    pub window: Window,
    /// The views.
    pub views: Views,
    /// The overlays over the panes, topmost last.
    pub overlays: Overlays,
    /// The last message.
    pub message: Option<Message>,
    /// The updates of the stack, while they are shown.
    pub timeline: Option<Timeline>,
    /// The list of stacks, and the way through them.
    fleet: stacks::Fleet,
    change: loading::OutsideChange,
    keys: keys::Keys,
    history: history::History,
    searching: searching::Searching,
    effects: Vec<Effect>,
}

impl Message {
    fn new(text: impl Into<String>, role: Role) -> Self {
        Self {
            text: text.into(),
            role,
            is_of_hit: false,
        }
    }
}

impl App {
    /// Creates an explorer that is about to open `input`, and the effects that open it.
    pub fn new(
        input: Input,
        preferences: &Preferences,
        width: u16,
        height: u16,
    ) -> (Self, Vec<Effect>) {
        let mut app = Self {
            session: Session::new(input),
            theme: preferences.theme,
            preferences: preferences.clone(),
            window: Window {
                screen: Rect::new(0, 0, width, height),
                view: View::Resources,
                focus: 0,
                zoomed: false,
                splits: [None; View::ALL.len()],
                mouse: false,
                grip: None,
                shown: Some((View::Resources, None, None)),
            },
            views: Views::default(),
            overlays: Overlays::default(),
            message: None,
            timeline: None,
            fleet: stacks::Fleet::default(),
            change: loading::OutsideChange::None,
            keys: keys::Keys::default(),
            history: history::History::default(),
            searching: searching::Searching::default(),
            effects: Vec::new(),
        };
        app.views.changes.difference.context = preferences.context;
        if preferences.mouse {
            app.capture_mouse();
        }
        if app.lists_only() {
            app.open_stacks();
            app.work_on_stacks();
        } else {
            app.load();
        }
        let effects = std::mem::take(&mut app.effects);
        (app, effects)
    }

    /// Applies an event and returns the effects that follow from it.
    pub fn update(&mut self, event: Event) -> Vec<Effect> {
        match event {
            Event::Key(key) => self.key(key),
            Event::Mouse(mouse) => self.mouse_event(mouse),
            Event::Paste(text) => self.paste(&text),
            Event::Resize(width, height) => self.resize(width, height),
            Event::Answer(cancel, answer) if !cancel.is_late() => answer.give(self),
            Event::Answer(..) => {}
            Event::Routed(route) => self.routed(route),
            Event::Woke(timer) => self.woke(timer),
            Event::Copied {
                what,
                n_chars,
                result,
            } => self.copied(&what, n_chars, result),
            Event::Crashed { what, lose } => {
                self.say_error(format!(
                    "{what} ended in a bug of this program; please report it"
                ));
                lose(self);
            }
            Event::NotRecorded(error) => self.not_recorded(&error),
            Event::FileChanged => self.changed_outside(),
            Event::Background(color) => self.theme = self.theme.on(Background::Known(color)),
            Event::Terminate => self.effects.push(Effect::Quit),
        }
        self.reload_changed();
        self.take_choice();
        self.hide_if_moved();
        self.work_on_stacks();
        self.show_hits();
        self.renew_row_bar();
        self.fit();
        std::mem::take(&mut self.effects)
    }

    /// The layout of the screen.
    pub fn areas(&self) -> Areas {
        layout::areas(self.window.screen, self.shape(self.window.focus))
    }

    /// The part of the screen between the top line and the path line.
    fn body(&self) -> Rect {
        layout::areas(self.window.screen, self.bare_shape()).body
    }

    /// The shape of the screen without overlays, if one pane was all.
    fn bare_shape(&self) -> Shape {
        Shape {
            panes: 1,
            focus: 0,
            zoomed: false,
            split: self.split(),
            timeline: self.timeline.is_some(),
            run: self.shows_run(),
            source: 0,
            covered: 0,
        }
    }

    /// The shape of the screen if this pane had the keys.
    fn shape(&self, focus: usize) -> Shape {
        Shape {
            panes: if self.window.view.has_two_panes() {
                2
            } else {
                1
            },
            focus,
            zoomed: self.window.zoomed,
            source: match self.overlays.get::<SourceView>() {
                Some(_) => layout::source_width(self.window.screen.width),
                None => 0,
            },
            covered: self.n_covered(),
            ..self.bare_shape()
        }
    }

    /// Number of lines at the end of the panes that an overlay covers.
    fn n_covered(&self) -> u16 {
        let body = self.body();
        let overlays = self.overlays.iter();
        overlays.map(|it| it.n_covered(body)).max().unwrap_or(0)
    }

    /// True if both panes of the view are on the screen.
    pub fn shows_both_panes(&self) -> bool {
        self.areas().panes.iter().all(|pane| !pane.outer.is_empty())
    }

    /// The scopes whose key bindings apply, the first one first.
    pub fn scopes(&self) -> Vec<Scope> {
        if let Some(overlay) = self.overlays.top() {
            return overlay.scopes().to_vec();
        }
        let timeline = self.timeline.as_ref().map(|_| Scope::Timeline);
        let scopes = timeline.into_iter().chain(self.window.view.row().scope);
        scopes.chain([Scope::Main]).collect()
    }

    /// Shows a message in the last line until the next key.
    pub fn say(&mut self, text: impl Into<String>) {
        self.message = Some(Message::new(text, Role::Good));
    }

    /// Shows an error in the last line: what went wrong, and what to do.
    pub fn say_error(&mut self, text: impl Into<String>) {
        self.message = Some(Message::new(text, Role::Danger));
    }

    /// Requests an effect.
    pub fn ask(&mut self, effect: Effect) {
        self.effects.push(effect);
    }

    /// Starts a job.
    fn start(&mut self, job: impl AnyJob) {
        self.start_any(Box::new(job));
    }

    fn start_any(&mut self, job: Box<dyn AnyJob>) {
        let cancel = job.draw(&mut self.session.tickets);
        self.ask(Effect::Start(cancel, job));
    }

    /// Starts a timer and returns its number.
    fn start_timer(&mut self, after: Duration) -> u64 {
        let timer = self.session.tickets.timer();
        self.ask(Effect::Wake(timer, after));
        timer
    }

    /// Changes the view. It shows the current resource if it can, and otherwise the row that was left.
    pub fn set_view(&mut self, view: View) {
        if view == self.window.view {
            return;
        }
        if self.session.current.is_none() && view == View::Deps {
            self.session.current = self.selected();
        }
        let is_same_list = self.views.are_one_list(self.window.view, view);
        self.window.view = view;
        self.window.focus = 0;
        self.fit();
        if is_same_list {
            // The selected row stays. It may be about other resources than the current one.
            self.session.current = self.selected().or(self.session.current);
        } else {
            self.show_current();
        }
        if self.session.current.is_none() && view.row().current != Current::Stays {
            self.session.current = self.selected();
        }
        self.follow();
        self.watch_run();
    }

    /// Makes `id` the current resource.
    fn choose(&mut self, id: ResourceId) {
        self.session.current = Some(id);
    }

    /// Makes the selected resource the current one, if the cursor moved since the last time. Showing a view is not a choice.
    fn take_choice(&mut self) {
        // The cursor of the dependencies is on a neighbor of the current resource.
        let current = self.window.view.row().current;
        if current == Current::Stays {
            self.window.shown = None;
            return;
        }
        let view = self.window.view;
        // A cursor that moves among the lines of one resource chooses it too.
        let shown = Some((view, self.selected(), self.views.of(view).selected_key()));
        let is_same_view = self
            .window
            .shown
            .as_ref()
            .is_some_and(|(it, ..)| *it == view);
        if is_same_view && self.window.shown != shown {
            let keeps = current == Current::SelectedIfAny;
            let before = self.window.shown.as_ref().and_then(|(_, id, _)| *id);
            if before != self.selected() {
                self.aim_inside();
            }
            self.session.current = self.selected().or(self.session.current.filter(|_| keeps));
        }
        self.window.shown = shown;
    }

    /// Width of the left pane in percent.
    pub(super) fn split(&self) -> u16 {
        let window = &self.window;
        let usual = layout::usual_split(window.view.row().split, window.screen.width);
        window.splits[window.view as usize].unwrap_or(usual)
    }

    fn resize_split(&mut self, by: i16) {
        self.set_split(self.split().saturating_add_signed(by));
    }

    fn toggle_wrap(&mut self) {
        self.views.resources.detail.wrap = !self.views.resources.detail.wrap;
        self.views.outputs.values.wrap = self.views.resources.detail.wrap;
        self.views.changes.difference.wrap = self.views.resources.detail.wrap;
        self.say(if self.views.resources.detail.wrap {
            "long values wrap"
        } else {
            "long values are cut"
        });
    }

    fn resize(&mut self, width: u16, height: u16) {
        self.window.screen = Rect::new(0, 0, width, height);
        self.fit();
        // After two quick changes the terminal may still have the old size, and the cells in between are lost.
        self.ask(Effect::Redraw);
    }
}
