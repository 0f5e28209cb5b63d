//! Secrets: the question before a value is shown, and hiding it again.

use std::time::Duration;

use super::App;
use crate::tree::Node;
use crate::tui::command::Command;
use crate::tui::keymap;
use crate::tui::overlays::ask::Ask;
use crate::tui::overlays::source::SourceView;
use crate::tui::overlays::text::TextView;
use crate::tui::rows::{Opening, shown};
use crate::tui::session::{Revealed, SHOWN_FOR, Secret};
use crate::value::Payload;

const SECOND: Duration = Duration::from_secs(1);

impl App {
    /// The way in which the selected secret is shown. `None` if the row is no secret.
    pub fn opening(&self) -> Option<Opening> {
        let is_secret = self.views.of(self.window.view).is_secret(self.window.focus);
        let (id, spot) = self.spot().filter(|_| is_secret)?;
        let value = self.stored_at(id, &spot)?;
        Some(Opening::of(&value, self.session.stack()))
    }

    pub(super) fn ask_reveal(&mut self) {
        let Some((id, spot, value)) = self.selected_value() else {
            return;
        };
        if !value.is_masked() {
            self.say("this value is not secret");
            return;
        }
        match Opening::of(&value, self.session.stack()) {
            Opening::Reveal => {}
            Opening::Passphrase if self.session.unlocked.is_some() => {}
            Opening::Passphrase => return self.open_unlock(),
            Opening::Nothing(why) => {
                return self.say_error(format!("nothing to reveal: {}", shown(&why)));
            }
        }
        let name = spot.label();
        let of = match id {
            Some(id) => shown(self.session.stack().name(id)),
            None => "the stack".to_owned(),
        };
        let ask = Ask::reveal(&format!("{name} of {of}"), Secret::Value { id, spot });
        self.overlays.push(ask);
    }

    /// Shows a secret, and hides the one that was shown before.
    pub(super) fn reveal(&mut self, secret: Secret) {
        self.hide();
        match &secret {
            Secret::Value { id, spot } => {
                self.show_opened(*id, spot);
            }
            Secret::Source => {
                let source = self.overlays.get_mut();
                source.into_iter().for_each(SourceView::reveal);
            }
        }
        let timer = self.start_timer(SECOND);
        self.session.revealed = Some(Revealed {
            secret,
            seconds_left: SHOWN_FOR,
            timer,
        });
        let (views, ctx) = self.lend();
        views.remake_values(&ctx);
        let key = keymap::key_of(Command::HideAll);
        self.say(format!("revealed for {SHOWN_FOR} s; {key} hides it"));
    }

    /// Counts down the seconds of the revealed secret, if this is its timer.
    pub(super) fn count_down(&mut self, timer: u64) {
        let Some(revealed) = &mut self.session.revealed else {
            return;
        };
        if revealed.timer != timer {
            return;
        }
        revealed.seconds_left -= 1;
        if revealed.seconds_left == 0 {
            self.hide();
            self.say(format!("hidden again after {SHOWN_FOR} s"));
            return;
        }
        let next = self.start_timer(SECOND);
        if let Some(revealed) = &mut self.session.revealed {
            revealed.timer = next;
        }
    }

    /// True if the revealed value is a ciphertext in the file. No row shows its plaintext.
    pub(super) fn reveals_unlocked(&self) -> bool {
        let Some(Secret::Value { id, spot }) = self.session.revealed.as_ref().map(|it| &it.secret)
        else {
            return false;
        };
        let stored = self.stored_at(*id, spot);
        stored.is_some_and(|value| matches!(value.payload(), Payload::Sealed(_)))
    }

    /// Hides what is revealed, and says so.
    pub(super) fn hide_all(&mut self) {
        self.hide();
        self.say("all secrets are hidden");
    }

    /// Hides the revealed secret. False if there was none.
    pub fn hide(&mut self) -> bool {
        let Some(revealed) = self.session.revealed.take() else {
            return false;
        };
        self.overlays.retain(|overlay| {
            !overlay
                .cast::<TextView>()
                .is_some_and(|text| text.menu.secret)
        });
        match revealed.secret {
            Secret::Source => {
                let source = self.overlays.get_mut();
                source.into_iter().for_each(SourceView::hide);
            }
            Secret::Value { id, .. } => {
                let (views, ctx) = self.lend();
                views.remake_values(&ctx);
                // The cursor may have left the node that shows the value.
                let node = id.map_or(Node::Outputs, Node::Resource);
                let (height, stack) = (self.pane_height(0), self.session.stack());
                self.views.resources.tree.remake(node, None, stack, height);
            }
        }
        true
    }

    /// Hides the revealed secret if the person has left it.
    pub(super) fn hide_if_moved(&mut self) {
        let stays = match self.session.revealed.as_ref().map(|it| &it.secret) {
            None => true,
            Some(Secret::Value { id, spot }) => self.spot().is_some_and(|(at, here)| {
                // A container stays revealed while the cursor is on a value in it.
                at == *id && here.part == spot.part && here.path.0.starts_with(&spot.path.0)
            }),
            Some(Secret::Source) => {
                let source = self.overlays.get::<SourceView>();
                source.is_some_and(SourceView::is_revealed)
            }
        };
        if !stays {
            self.hide();
        }
    }
}
