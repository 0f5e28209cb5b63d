//! From keys to commands: sequences, counts, and who obeys.

use std::time::Duration;

use crossterm::event::{KeyEvent, KeyEventKind};

use super::Model;
use crate::tui::command::{Command, View};
use crate::tui::effect::Effect;
use crate::tui::keymap::{self, Found};

/// A digit that is followed by a motion within this time is a count, not a view.
const COUNT_TIME: Duration = Duration::from_millis(200);

/// Digits that were typed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Count {
    pub(super) number: usize,
    /// The view before a single digit switched it; there again if it turns out to be a count.
    view_before: Option<View>,
    ticket: u64,
}

impl Model {
    pub(super) fn key(&mut self, key: KeyEvent) {
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
    pub(super) fn take_digit(&mut self, token: &str) -> bool {
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
    pub(super) fn take_count(&mut self) -> Option<usize> {
        let count = self.count.take()?;
        if let Some(view) = count.view_before {
            self.set_view(view);
        }
        Some(count.number)
    }

    pub(super) fn woke(&mut self, ticket: u64) {
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

    pub(super) fn paste(&mut self, text: &str) {
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

    pub(super) fn obey_in_panes(&mut self, command: Command) {
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
}
