//! The selected value: its type, its text, and the file that it describes.

use zeroize::Zeroizing;

use super::App;
use crate::stack::ResourceId;
use crate::tui::any_job::Takes;
use crate::tui::command::{Command, FoldCommand, View};
use crate::tui::effect::Effect;
use crate::tui::jobs::verify::{HashAsset, Hashed};
use crate::tui::keymap;
use crate::tui::overlays::text::TextView;
use crate::tui::overlays::{types, verify};
use crate::tui::panes::outputs;
use crate::tui::rows::{Spot, is_long, lossless_text};
use crate::value::{Payload, Value};

impl App {
    /// The value at a spot of a resource that was read, or of the outputs of the stack.
    pub(super) fn stored_at(&self, id: Option<ResourceId>, spot: &Spot) -> Option<Value> {
        let Some(id) = id else {
            return outputs::value_at(self.session.stack(), spot);
        };
        let detail = &self.views.resources.detail;
        match self.session.resources.get(id) {
            Some(resource) => spot.value(resource),
            None => spot.value(detail.read().filter(|_| detail.id() == Some(id))?),
        }
    }

    /// The value at a spot, opened if it is a ciphertext and the stack is unlocked. It stays as secret as before.
    pub fn value_at(&self, id: Option<ResourceId>, spot: &Spot) -> Option<Value> {
        Some(self.session.opened(self.stored_at(id, spot)?))
    }

    /// The value at a spot as it may be shown: the revealed one is no secret.
    fn shown_at(&self, id: Option<ResourceId>, spot: &Spot) -> Option<Value> {
        let value = self.value_at(id, spot)?;
        let is_revealed = self.session.revealed_in(id) == Some(spot);
        Some(if is_revealed { value.reveal() } else { value })
    }

    /// The selected value and its place. Says so if there is none.
    pub(super) fn selected_value(&mut self) -> Option<(Option<ResourceId>, Spot, Value)> {
        let Some((id, spot)) = self.spot() else {
            self.say_error(way_to_values(self.window.view));
            return None;
        };
        let value = self.value_at(id, &spot);
        if value.is_none() {
            self.say_error("this value does not exist");
        }
        Some((id, spot, value?))
    }

    /// The inferred type of a value, short enough to share a line.
    pub fn type_of(&self, id: Option<ResourceId>, spot: &Spot) -> Option<String> {
        let kind = self.session.stack().header.kind;
        types::short(&self.value_at(id, spot)?, kind)
    }

    pub(super) fn open_types(&mut self) {
        let Some((id, spot, value)) = self.selected_value() else {
            return;
        };
        let before = spot.before().and_then(|before| self.value_at(id, &before));
        let kind = self.session.stack().header.kind;
        let page = types::page(&spot.label(), &value, before.as_ref(), kind);
        self.overlays.push(page);
    }

    pub(super) fn open_verify(&mut self) {
        let Some((_, spot, value)) = self.selected_value() else {
            return;
        };
        match verify::page(&spot.label(), value, &self.session.input) {
            Ok((page, job)) => {
                self.overlays.push(page);
                if let Some((flag, job)) = job {
                    self.ask(Effect::Start(flag, Box::new(job)));
                }
            }
            Err(why) => self.say_error(why),
        }
    }

    /// Shows the whole text of the selected string, or of the string that contains the selected value.
    pub(super) fn open_text(&mut self) {
        let Some((id, mut spot)) = self.spot() else {
            return self.say_error(way_to_values(self.window.view));
        };
        let inner = self.shown_at(id, &spot);
        let is_text = |value: &Value| matches!(value.payload(), Payload::String(_));
        if inner.is_some_and(|value| !is_text(&value)) {
            spot.inside = None;
        }
        let Some(value) = self.shown_at(id, &spot) else {
            return;
        };
        let is_revealed = self.session.revealed_in(id) == Some(&spot);
        if let Some(text) = lossless_text(&value) {
            let view = TextView::plain(spot.label(), Zeroizing::new(text), is_revealed);
            self.overlays.push(view);
        } else if value.is_masked() {
            self.say(format!(
                "{} reveal this value",
                keymap::key_of(Command::Reveal)
            ));
        } else {
            self.say("this value is not a text");
        }
    }

    /// True if a command enters a row of a view whose value is a long text that can be read.
    pub(super) fn enters_text(&self, command: Command) -> bool {
        let is_entering = command == Command::Fold(FoldCommand::Activate);
        let spot = self
            .spot()
            .filter(|_| is_entering && self.overlays.is_empty());
        let value = spot.and_then(|(id, spot)| self.shown_at(id, &spot));
        value.is_some_and(|value| {
            !value.is_masked() && matches!(value.payload(), Payload::String(text) if is_long(text))
        })
    }
}

impl Takes<HashAsset> for App {
    fn take(&mut self, answer: Hashed) {
        if let Some(page) = self.overlays.get_mut() {
            verify::take(page, &answer);
        }
    }
}

/// Says that a command needs a selected value, and how to reach one from a view.
fn way_to_values(view: View) -> String {
    let key = keymap::key_of;
    let way = match view {
        View::Changes => format!("{} goes to the values that change", key(Command::NextPane)),
        View::Resources => format!(
            "{} opens a resource, {} goes to its values",
            key(Command::Fold(FoldCommand::Expand)),
            key(Command::NextPane)
        ),
        View::Stacks => format!(
            "{} opens the selected stack",
            key(Command::Fold(FoldCommand::Activate))
        ),
        View::Brief | View::Outputs | View::Deps | View::Problems => format!(
            "{} shows the values that change, {} all of a resource",
            key(Command::View(View::Changes)),
            key(Command::View(View::Resources))
        ),
    };
    format!("select a value first: {way}")
}
