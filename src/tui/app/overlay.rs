//! Commands and typing while an overlay covers the panes, and Esc without an overlay.

use super::App;
use crate::search::Goal;
use crate::stack::ResourceId;
use crate::tui::command::{Command, View};
use crate::tui::effect::Effect;
use crate::tui::jobs::find::Find;
use crate::tui::keymap;
use crate::tui::overlays::Outcome;
use crate::tui::overlays::ask::{Ask, Asks};
use crate::tui::overlays::choose::{self, Choose, Style};
use crate::tui::overlays::text::TextView;
use crate::tui::overlays::themes::{self, Themes};
use crate::tui::rows::Spot;

impl App {
    pub(super) fn open_choose(&mut self, style: Style) {
        let offered = match style {
            Style::Help => choose::keys(self.window.view, &self.scopes()),
            Style::Palette => self.possible_commands(),
        };
        self.overlays.push(Choose::popup(style, offered));
    }

    pub(super) fn obey_in_overlay(&mut self, command: Command) {
        let before = matches!(command, Command::Move(_)).then(|| self.seen());
        let stage = self.stage();
        if let Some(overlay) = self.overlays.top_mut() {
            let outcome = overlay.update(command, stage);
            self.obeyed(command, outcome);
        }
        if before.is_some_and(|before| before == self.seen()) {
            self.say_nothing(command);
        }
    }

    /// Does what an overlay or a view asks for.
    pub(super) fn apply(&mut self, outcome: Outcome) {
        match outcome {
            Outcome::Done | Outcome::Nothing => {}
            Outcome::Focus(pane) => self.window.focus = pane,
            Outcome::Read(id) => {
                self.resource(id);
            }
            Outcome::Follow(name) => self.go_to_named(name),
            Outcome::ShowDeps(id, direction) => self.show_deps(id, direction, false),
            Outcome::ShowOther {
                place,
                resource,
                view,
            } => self.open_other(place, resource.as_deref(), Some(view)),
            Outcome::All(outcomes) => outcomes.into_iter().for_each(|it| self.apply(it)),
            Outcome::OpenText => self.open_text(),
            Outcome::Arrange(text) => {
                self.arrange(self.views.resources.tree.node());
                self.say(text);
            }
            Outcome::Close => self.close_overlay(),
            Outcome::Leave => self.leave_stacks(),
            Outcome::ShowFile(file) => self.show_source_file(file),
            Outcome::Say(text) => self.say(text),
            Outcome::Complain(text) => self.say_error(text),
            Outcome::GoTo(id) => self.leave_for(id),
            Outcome::GoToValue(id, spot) => self.go_to_value(id, spot),
            Outcome::Ripple(origin) => self.find_ripple(origin),
            Outcome::Run {
                chosen,
                typed,
                style,
            } => {
                self.overlays.pop();
                self.run_chosen(chosen, &typed, style);
            }
            Outcome::Toggle(topic) => {
                self.with_views(|views, ctx| views.changes.toggle(topic, ctx));
            }
            Outcome::GoToChange(id) => self.go_to_change(id),
            Outcome::List(query) => self.list_query(query),
            Outcome::Show(view) => {
                self.remember();
                self.set_view(view);
            }
            Outcome::Review(changes) => self.review(changes),
            Outcome::Note(changes) => self.ask_note(changes),
            Outcome::Answered { asks, text } => self.answered(asks, text),
            Outcome::Seek(request) => self.seek(request),
            Outcome::FindRow(key) => self.in_front(|view, ctx| view.find_row(&key, ctx)),
            Outcome::FoundRows(query) => self.keep_rows(query),
            Outcome::SearchFor(text) => self.open_bar(Goal::Go, &text),
            Outcome::Narrow(filter) => self.narrow(filter),
            Outcome::Copy(command) => {
                self.overlays.pop();
                self.copy_command(command);
            }
            Outcome::CopyText { what, text } => self.copy(what, text),
            Outcome::OpenStacks(places, aim) => self.open_members(places, aim),
            Outcome::ShowStack(place) => self.show_stack(place),
            Outcome::SearchStacks(text) => self.views.stacks.search(text),
            Outcome::Tell(command) => self.obey_in_panes(command),
            Outcome::OpenUpdate { index, urn } => {
                self.overlays.clear();
                self.open_update(index, urn);
            }
            Outcome::Hide => self.hide_all(),
            Outcome::Theme(chosen) => self.theme = self.theme.with(chosen),
            Outcome::Start(job) => self.start_any(job),
            Outcome::Open(overlay) => self.overlays.open(overlay),
        }
    }

    /// Closes all overlays and goes to a resource. The way back leads to the ripple that was left.
    fn leave_for(&mut self, id: ResourceId) {
        let ripple = self.ripple_origin();
        self.overlays.clear();
        self.go_to(id);
        self.return_to_ripple(ripple);
    }

    fn go_to_value(&mut self, id: ResourceId, spot: Spot) {
        self.go_to(id);
        self.aim_at(id, spot);
        self.window.focus = 1;
    }

    /// Does what a question asked about. One whose answer may be wrong stays open.
    fn answered(&mut self, asks: Asks, text: String) {
        match asks {
            Asks::Goto if text.is_empty() => self.close_overlay(),
            Asks::Goto => self.go_to_named(text),
            Asks::StackKey => self.try_stack_key(),
            Asks::FileKey(input) => self.try_file_key(*input),
            Asks::Reveal(secret) => {
                self.overlays.pop();
                self.reveal(secret);
            }
            Asks::CopySecret { id, spot } => {
                self.overlays.pop();
                self.copy_secret(id, &spot);
            }
            Asks::Note(changes) => {
                self.overlays.pop();
                self.note(&changes, &text);
            }
            Asks::Quit => self.ask(Effect::Quit),
        }
    }

    fn close_overlay(&mut self) {
        let Some(closed) = self.overlays.pop() else {
            return;
        };
        let text = closed.cast::<TextView>();
        if text.is_some_and(|text| text.menu.secret) && self.reveals_unlocked() {
            // The unlocked value is shown nowhere else on the screen.
            self.hide();
        }
        let ask = closed.cast::<Ask>();
        if ask.is_some_and(|ask| matches!(ask.asks, Asks::Goto)) {
            // A name that is still looked up is not wanted any more.
            self.session.tickets.forget::<Find>();
        }
    }

    fn run_chosen(&mut self, chosen: Option<(Command, &'static str)>, typed: &str, style: Style) {
        if style == Style::Palette && self.run_typed(typed) {
            return;
        }
        match chosen {
            Some((_, "")) => self.say("this key works only in the place named above it"),
            Some((command, _)) => self.obey_in_panes(command),
            None if keymap::bindings().iter().any(|it| it.name == typed) => {
                self.say_error(format!("{typed} is not possible here"));
            }
            None => {
                let key = keymap::key_of(Command::Palette);
                let typed = crate::tui::rows::shown(typed);
                self.say_error(format!(
                    "no command is called {typed} · {key} list commands"
                ));
            }
        }
    }

    /// Runs a command that only the palette knows. False for any other text.
    fn run_typed(&mut self, typed: &str) -> bool {
        let (name, rest) = typed.split_once(' ').unwrap_or((typed, ""));
        match (name, rest.trim()) {
            ("q" | "quit", _) => self.quit(),
            ("theme", "") => self.overlays.push(Themes::popup(&self.theme)),
            ("theme", name) => self.apply(themes::named(name)),
            _ => return false,
        }
        true
    }

    /// Lists all rows of a view again. False if no filter narrows it.
    fn unfilter(&mut self, view: View) -> bool {
        let (views, ctx) = self.lend();
        let outcome = views.of_mut(view).unfilter(&ctx);
        let is_filtered = !matches!(outcome, Outcome::Nothing);
        self.apply(outcome);
        is_filtered
    }

    /// Handles Esc: ends one thing at a time, never the program.
    pub(super) fn cancel(&mut self) {
        if self.session.loading.is_some() {
            self.stop_loading();
        } else if self.session.revealed.is_some() {
            self.hide();
        } else if self.window.focus > 0 {
            self.window.focus = 0;
        } else if self.unfilter(self.window.view) || self.unfilter(View::Resources) {
            // Esc ends the filter of the tree from everywhere.
        } else if !self.session.marks.is_empty() {
            self.session.marks.clear();
            self.say("marks cleared");
        } else if self.timeline.is_some() {
            self.leave_timeline();
        }
    }
}
