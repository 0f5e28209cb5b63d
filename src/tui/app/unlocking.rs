//! Unlocking the secrets of a stack with its passphrase, and files that OpenTofu encrypted. Values stay masked: each is opened
//! when it is revealed.

use std::sync::Arc;
use std::time::Duration;

use zeroize::Zeroizing;

use super::{App, View};
use crate::load::Input;
use crate::load::keys::{Keys, KeysError};
use crate::pulumi::passphrase::{self, Unlocked};
use crate::stack::ResourceId;
use crate::tui::any_job::Takes;
use crate::tui::command::Command;
use crate::tui::jobs;
use crate::tui::keymap;
use crate::tui::overlays::ask::{Ask, Asks};
use crate::tui::overlays::text::TextView;
use crate::tui::rows::{Spot, lossless_text, shown};
use crate::value::{Payload, Value};

/// Time between two frames of the spinner.
const TURN: Duration = Duration::from_millis(150);

impl App {
    /// Asks for the passphrase, after the one from the environment was tried.
    pub(super) fn open_unlock(&mut self) {
        if self.session.unlocked.is_some() {
            let reveal = keymap::key_of(Command::Reveal);
            self.say(format!(
                "this stack is unlocked · {reveal} reveal one value"
            ));
            return;
        }
        let Some(providers) = self.session.stack().secrets_provider().cloned() else {
            self.say_error("this file names no secrets provider: nothing to unlock");
            return;
        };
        if let Err(error) = passphrase::salt(&providers) {
            self.say_error(shown(&error.to_string()));
            return;
        }
        self.overlays.push(Ask::stack_key());
        self.derive(providers, self.session.input.keys.clone());
    }

    /// Asks for the key of the file, after another key did not fit. `wants` describes the key.
    pub(super) fn ask_for_key(&mut self, wants: &'static str, input: &Input, error: &KeysError) {
        if !self.asks_file_key() {
            self.overlays.push(Ask::file_key(input.clone(), wants));
        }
        if let Some(ask) = self.overlays.top_as_mut::<Ask>() {
            ask.refuse(error);
        }
    }

    /// True while the key of a file is asked for.
    fn asks_file_key(&self) -> bool {
        let ask = self.overlays.top_as::<Ask>();
        ask.is_some_and(|ask| matches!(ask.asks, Asks::FileKey(_)))
    }

    /// Closes the prompt for the key of a file, once the file is open.
    pub(super) fn leave_file_prompt(&mut self) {
        if self.asks_file_key() {
            self.overlays.pop();
            self.set_view(View::Resources);
            self.say("decrypted in memory; the file on the disk stays as it is");
        }
    }

    fn derive(&mut self, providers: Value, keys: Option<Arc<Keys>>) {
        self.wait();
        self.start(jobs::unlock::Unlock { providers, keys });
    }

    /// Turns the spinner of the prompt until the answer comes.
    fn wait(&mut self) {
        let timer = self.start_timer(TURN);
        if let Some(ask) = self.overlays.top_as_mut::<Ask>() {
            ask.trying = Some((timer, 0));
            ask.complaint.clear();
        }
    }

    /// The key that was typed.
    fn typed_keys(&mut self) -> Option<Arc<Keys>> {
        let typed = self.overlays.top_as_mut::<Ask>()?.take_key()?;
        Some(Arc::new(Keys::default().with_passphrase(typed.as_bytes())))
    }

    pub(super) fn try_stack_key(&mut self) {
        let keys = self.typed_keys();
        if let Some(providers) = self.session.stack().secrets_provider().cloned() {
            self.derive(providers, keys);
        }
    }

    pub(super) fn try_file_key(&mut self, input: Input) {
        if let Some(keys) = self.typed_keys() {
            self.session.input = input.with_keys(keys);
            self.load();
            self.wait();
        }
    }

    pub(super) fn turn_spinner(&mut self, timer: u64) {
        let ask = self.overlays.top_as::<Ask>();
        let turns = ask.and_then(|ask| ask.trying.filter(|trying| trying.0 == timer));
        let Some((_, turns)) = turns else {
            return;
        };
        let next = self.start_timer(TURN);
        if let Some(ask) = self.overlays.top_as_mut::<Ask>() {
            ask.trying = Some((next, turns + 1));
        }
    }

    /// Shows the plaintext of a ciphertext in an overlay. False if the value is not a ciphertext.
    pub(super) fn show_opened(&mut self, id: Option<ResourceId>, spot: &Spot) -> bool {
        let stored = self.stored_at(id, spot);
        let is_sealed = |value: &Value| matches!(value.payload(), Payload::Sealed(_));
        if !stored.as_ref().is_some_and(is_sealed) {
            return false;
        }
        let Some(value) = self.value_at(id, spot).filter(|value| !is_sealed(value)) else {
            return false;
        };
        let plain = value.reveal();
        let text = Zeroizing::new(
            lossless_text(&plain).unwrap_or_else(|| crate::render::plain::value(&plain, "unknown")),
        );
        let name = spot.label();
        let view = TextView::plain(format!("{name} · secret, revealed"), text, true);
        self.overlays.push(view);
        true
    }
}

impl Takes<jobs::unlock::Unlock> for App {
    fn take(&mut self, result: Result<Arc<Unlocked>, KeysError>) {
        let Some(ask) = self.overlays.top_as_mut::<Ask>() else {
            return;
        };
        match result {
            _ if ask.trying.is_none() => {}
            Ok(unlocked) => {
                self.session.unlocked = Some(unlocked);
                self.overlays.pop();
                let reveal = keymap::key_of(Command::Reveal);
                self.say(format!(
                    "unlocked: secrets stay masked · {reveal} reveal one"
                ));
            }
            Err(error) => ask.refuse(&error),
        }
    }
}
