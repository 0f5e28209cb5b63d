//! From keys to commands: sequences, counts, and the part of the program that handles them.
//!
//! A digit is interpreted by its value, never by typing speed. `1` to `5` are views, so a count begins with one of the other
//! digits or with `0`: `8j`, `012G`. Once a count has begun, every digit belongs to it.

use crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

use super::App;
use crate::tui::command::{Command, GoCommand, ReviewCommand, SearchCommand, View};
use crate::tui::effect::Effect;
use crate::tui::keymap::{self, KeyMatch};
use crate::tui::overlays::choose::Style;
use crate::tui::overlays::themes::Themes;
use crate::tui::views::ViewCommand;
use crate::tui::widgets::prompt::Typing;

/// Maximum count: no file has more rows.
const MAX_COUNT: usize = 1_000_000_000;

/// The keys of an unfinished command.
#[derive(Default, Debug)]
pub(super) struct Keys {
    /// The keys of an unfinished sequence.
    pressed: Vec<String>,
    /// The count typed so far.
    count: Option<usize>,
    /// The keys that were pressed since the last search was accepted and that are for its hit, which is not there yet.
    held: Vec<KeyEvent>,
}

/// Maximum number of keys that wait for a hit.
const MAX_HELD: usize = 64;

impl App {
    /// The keys of an unfinished sequence.
    pub fn pressed(&self) -> &[String] {
        &self.keys.pressed
    }

    /// The count typed so far.
    pub fn count(&self) -> Option<usize> {
        self.keys.count
    }

    pub(super) fn key(&mut self, key: KeyEvent) {
        if key.kind == KeyEventKind::Release || self.holds_back(key) {
            return;
        }
        self.message = None;
        self.session.touched = true;
        self.forget_overlays_to_come();
        let Some(token) = keymap::token(key) else {
            return;
        };
        if self.overlays.is_empty() && self.keys.pressed.is_empty() && self.take_digit(&token) {
            return;
        }
        self.keys.pressed.push(token);
        match keymap::lookup(&self.scopes(), &self.keys.pressed) {
            KeyMatch::Command(command) => {
                self.keys.pressed.clear();
                self.obey(command);
            }
            KeyMatch::Prefix => {}
            KeyMatch::Nothing if self.keys.pressed.len() > 1 => {
                let keys = std::mem::take(&mut self.keys.pressed);
                // Esc ends a sequence.
                if key.code != KeyCode::Esc {
                    self.refuse_key(&keys.concat());
                }
            }
            KeyMatch::Nothing => {
                let keys = std::mem::take(&mut self.keys.pressed);
                if self.overlays.is_empty() {
                    self.refuse_key(&keys.concat());
                } else {
                    self.with_overlay(|overlay, stage| overlay.input(Typing::Key(key), stage));
                }
            }
        }
    }

    /// Keeps a key that is for the hit of an accepted search until that is there. Esc ends the wait.
    fn holds_back(&mut self, key: KeyEvent) -> bool {
        let quits = key.code == KeyCode::Char('q') && self.overlays.is_empty();
        if !self.awaits_hit() || quits || key.modifiers.contains(KeyModifiers::CONTROL) {
            return false;
        }
        if key.code == KeyCode::Esc {
            self.keys.held.clear();
            self.stop_waiting();
            let is_over = self.overlays.is_empty();
            if is_over {
                self.say("the search ended early");
            }
            // The bar ends with its search.
            return is_over;
        }
        if self.keys.held.len() < MAX_HELD {
            self.keys.held.push(key);
        }
        true
    }

    /// Takes the keys that were held back, as soon as the hit is there.
    pub(super) fn take_held(&mut self) {
        if !self.awaits_hit() {
            for key in std::mem::take(&mut self.keys.held) {
                self.key(key);
            }
        }
    }

    fn refuse_key(&mut self, keys: &str) {
        let help = keymap::key_of(Command::Help);
        self.say_error(format!("{keys} is not a key here · {help} help"));
    }

    /// Takes a digit that continues a count, or that begins one because it is not a view. False for any other key.
    fn take_digit(&mut self, token: &str) -> bool {
        let Some(digit) = token.parse::<usize>().ok().filter(|_| token.len() == 1) else {
            return false;
        };
        let before = match self.keys.count {
            Some(count) => count,
            None if !is_view(token) => 0,
            None => return false,
        };
        self.keys.count = Some(
            before
                .saturating_mul(10)
                .saturating_add(digit)
                .min(MAX_COUNT),
        );
        true
    }

    /// Takes the count for a motion. A lone `0` is not a count.
    pub(super) fn take_count(&mut self) -> Option<usize> {
        self.keys.count.take().filter(|count| *count > 0)
    }

    pub(super) fn woke(&mut self, timer: u64) {
        self.count_down(timer);
        self.turn_spinner(timer);
        self.second_of_run(timer);
    }

    pub(super) fn paste(&mut self, text: &str) {
        if self.overlays.is_empty() {
            let search = keymap::key_of(Command::Search(SearchCommand::Open));
            let go = keymap::key_of(Command::Go(GoCommand::Address));
            self.say_error(format!(
                "nothing to paste into here · {search} search · {go} go to an address"
            ));
        }
        self.with_overlay(|overlay, stage| overlay.input(Typing::Paste(text), stage));
    }

    /// Executes a command from a key, the palette or the help.
    pub fn obey(&mut self, command: Command) {
        if self.overlays.is_empty() {
            self.obey_in_panes(command);
        } else {
            self.obey_in_overlay(command);
        }
        self.follow();
    }

    pub(super) fn obey_in_panes(&mut self, command: Command) {
        use Command as C;
        // The view answers whether these change something in it.
        let is_answered = matches!(
            command,
            C::Fold(_)
                | C::List(_)
                | C::Review(_)
                | C::Side(_)
                | C::NextPane
                | C::PrevPane
                | C::Section
        ) || self.is_own(command);
        let before = (!is_answered).then(|| self.seen());
        self.execute(command);
        if before.is_some_and(|before| before == self.seen()) {
            self.say_nothing(command);
        }
    }

    /// True for a command that means something else in the view in front.
    pub(super) fn is_own(&self, command: Command) -> bool {
        self.views.of(self.window.view).has_own(command)
    }

    fn execute(&mut self, command: Command) {
        use Command as C;
        // A motion takes the count itself.
        let had_count = !matches!(command, C::Move(_)) && self.keys.count.take().is_some();
        match command {
            C::Move(motion) => self.tell(ViewCommand::Move(motion)),
            C::Count => self.keys.count = Some(0),
            // Esc first ends what was begun last.
            C::Cancel if had_count => {}
            own if self.is_own(own) => self.tell(ViewCommand::Own(own)),
            C::Cancel if self.end_search() => {}
            C::Cancel if self.end_row_search() => {}
            C::Cancel => self.cancel(),
            C::Fold(command) => self.tell(ViewCommand::Fold(command)),
            C::List(command) => self.tell(ViewCommand::List(command)),
            C::NextPane | C::PrevPane => self.tell(ViewCommand::OtherPane),
            C::Zoom | C::Narrower | C::Wider if !self.window.view.has_two_panes() => {
                self.say("this view has one pane");
            }
            C::View(View::Stacks) => self.toggle_stacks(),
            C::Go(command @ (GoCommand::Back | GoCommand::Forward)) => self.goto(command),
            other if self.lists_only() && !self.is_possible(other) => self.say_not_open(),
            C::Search(command) => self.search_command(command),
            C::Deps(command) => self.deps_command(command),
            C::Go(command) => self.goto(command),
            C::Updates(command) => self.timeline_command(command),
            // While there is a search, these keys go through its hits.
            C::Review(ReviewCommand::NextChange) if self.is_searching() => self.go_hit_here(1),
            C::Review(ReviewCommand::PrevChange) if self.is_searching() => self.go_hit_here(-1),
            C::Review(command) => self.tell(ViewCommand::Review(command)),
            C::Side(side) => self.tell(ViewCommand::Side(side)),
            C::Mark(command) => self.mark_command(command),
            C::Copy(command) => self.copy_command(command),
            C::View(view) => self.open_view(view),
            C::Zoom | C::Narrower | C::Wider if !self.shows_both_panes() => {}
            C::Zoom => self.window.zoomed = true,
            C::Unzoom => self.window.zoomed = false,
            C::Narrower => self.resize_split(-4),
            C::Wider => self.resize_split(4),
            C::Reveal => self.ask_reveal(),
            C::HideAll => self.hide_all(),
            C::Help => self.open_choose(Style::Help),
            C::Palette => self.open_choose(Style::Palette),
            C::Section => {
                let outcome = self.in_front(|view, ctx| view.next_part(ctx));
                self.obeyed(command, outcome);
            }
            C::Source => self.open_source(),
            C::Text => self.open_text(),
            C::Types => self.open_types(),
            C::Verify => self.open_verify(),
            C::Unlock => self.open_unlock(),
            C::Wrap => self.toggle_wrap(),
            C::Mouse => self.toggle_mouse(),
            C::Muted => self.toggle_muted(),
            C::Themes => self.overlays.push(Themes::popup(&self.theme)),
            C::Reload => self.reload(),
            C::Suspend => self.ask(Effect::Suspend),
            C::Quit => self.quit(),
            // Only overlays have these.
            C::Accept | C::Complete | C::OtherDirection | C::InSource(_) => {}
        }
    }
}

/// True for the key of a view.
fn is_view(token: &str) -> bool {
    let mut views = View::ALL.into_iter();
    views.any(|view| keymap::key_of(Command::View(view)) == token)
}
