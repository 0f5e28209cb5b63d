//! Decoding the contents of a string, one decoder after the other.

use super::App;
use crate::change::decode::{DecodeError, Decoder};
use crate::stack::ResourceId;
use crate::tui::command::{Command, FoldCommand, Motion};
use crate::tui::jobs::Job;
use crate::tui::overlays::Overlay;
use crate::tui::overlays::decode::{Choosing, Decode};
use crate::tui::overlays::text::TextView;
use crate::tui::rows::{Fold, Leads, Spot, label, lossless_text};
use crate::tui::session::Secret;
use crate::value::{Payload, Value};

impl App {
    /// Offers the decoders for the selected string.
    pub(super) fn open_decode(&mut self) {
        let Some((id, spot)) = self.spot() else {
            self.say_error("select a string first: l opens a resource, Tab goes to its values");
            return;
        };
        let Some(value) = self.string_at(id, spot.clone()) else {
            self.say_error("this value does not exist");
            return;
        };
        if let Some(why) = not_decodable(&value) {
            self.say_error(why);
            return;
        }
        let name = match spot.path.0.last() {
            Some(segment) => label(segment),
            None => spot.part.name().to_owned(),
        };
        let decode = Decode::new(value, name);
        self.overlays.push(Overlay::Decode(Box::new(decode)));
    }

    /// The value at a spot. If the spot is inside a document that a string contains, the string.
    fn string_at(&self, id: Option<ResourceId>, mut spot: Spot) -> Option<Value> {
        if spot.inside.as_ref().is_some_and(|it| it.0.is_empty()) {
            spot.inside = None;
        }
        self.value_at(id, &spot)
    }

    fn decode_overlay(&mut self) -> Option<&mut Decode> {
        self.overlays
            .iter_mut()
            .rev()
            .find_map(|overlay| match overlay {
                Overlay::Decode(decode) => Some(&mut **decode),
                _ => None,
            })
    }

    pub(super) fn obey_in_decode(&mut self, command: Command) {
        let Some(decode) = self.decode_overlay() else {
            return;
        };
        if command == Command::Cancel {
            if decode.pop() {
                self.remake_decoded();
            } else {
                self.overlays.pop();
            }
            return;
        }
        match &mut decode.choosing {
            Some(choosing) => {
                let len = choosing.offers.len();
                match command {
                    Command::Move(Motion::Down) => choosing.cursor.step(1, len, len),
                    Command::Move(Motion::Up) => choosing.cursor.step(-1, len, len),
                    Command::Accept => self.apply_decoder(),
                    _ => {}
                }
            }
            None => self.obey_in_decoded(command),
        }
    }

    fn apply_decoder(&mut self) {
        let Some(choosing) = self.decode_overlay().and_then(|it| it.choosing.as_mut()) else {
            return;
        };
        let Some(decoder) = choosing.chosen() else {
            return;
        };
        choosing.is_waiting = true;
        choosing.complaint.clear();
        let value = choosing.of.clone();
        self.start(Job::Decode(decoder, value));
    }

    pub(super) fn decoded(&mut self, decoder: Decoder, result: Result<Value, DecodeError>) {
        let height = Decode::height(self.areas().body);
        let pulumi = self.session.is_pulumi();
        let Some(decode) = self.decode_overlay() else {
            return;
        };
        let Some(choosing) = &mut decode.choosing else {
            return;
        };
        if !std::mem::take(&mut choosing.is_waiting) {
            return;
        }
        match result {
            Ok(value) => decode.push(decoder, value, pulumi, height),
            Err(error) => choosing.complaint = error.to_string(),
        }
    }

    fn obey_in_decoded(&mut self, command: Command) {
        let height = Decode::height(self.areas().body);
        let page = isize::try_from(height).unwrap_or(isize::MAX);
        let Some(step) = self.decode_overlay().and_then(|it| it.steps.last_mut()) else {
            return;
        };
        let list = &mut step.list;
        let len = list.rows.len();
        match command {
            Command::Move(Motion::Down) => list.cursor.step(1, len, height),
            Command::Move(Motion::Up) => list.cursor.step(-1, len, height),
            Command::Move(Motion::PageDown) => list.cursor.step(page, len, height),
            Command::Move(Motion::PageUp) => list.cursor.step(-page, len, height),
            Command::Move(Motion::Top) => list.cursor.go(0, len, height),
            Command::Move(Motion::Bottom) => list.cursor.go(len, len, height),
            Command::Fold(FoldCommand::Expand) => {
                list.expand(height);
                self.remake_decoded();
            }
            Command::Fold(FoldCommand::Collapse) => {
                list.collapse(height);
                self.remake_decoded();
            }
            Command::Fold(FoldCommand::Activate) => self.activate_decoded(),
            Command::Decode => self.decode_further(),
            Command::Reveal => self.ask_reveal_decoded(),
            Command::HideAll => {
                self.hide();
                self.say("all secrets are hidden");
            }
            _ => {}
        }
    }

    fn remake_decoded(&mut self) {
        let height = Decode::height(self.areas().body);
        let pulumi = self.session.is_pulumi();
        if let Some(decode) = self.decode_overlay() {
            decode.remake(pulumi, height);
        }
    }

    /// Handles Enter: opens or closes, shows a long text, or offers to decode further.
    fn activate_decoded(&mut self) {
        let Some(list) = self
            .decode_overlay()
            .and_then(|it| it.steps.last_mut())
            .map(|step| &mut step.list)
        else {
            return;
        };
        let Some(row) = list.selected() else {
            return;
        };
        if row.fold != Fold::Leaf {
            list.toggle();
            self.remake_decoded();
        } else if row.secret {
            self.ask_reveal_decoded();
        } else if row.leads == Leads::Text {
            self.open_decoded_text();
        } else {
            self.decode_further();
        }
    }

    fn open_decoded_text(&mut self) {
        let Some(decode) = self.decode_overlay() else {
            return;
        };
        let Some((value, title)) = decode.selected() else {
            return;
        };
        let is_secret = value.is_secret();
        if is_secret && !decode.is_revealed {
            return;
        }
        if let Some(text) = lossless_text(&value.reveal()) {
            let view = TextView::plain(title, &text, is_secret);
            self.overlays.push(Overlay::Text(view));
        }
    }

    fn decode_further(&mut self) {
        let Some(decode) = self.decode_overlay() else {
            return;
        };
        let Some((value, label)) = decode.selected() else {
            return;
        };
        if let Some(why) = not_decodable(&value) {
            self.say_error(why);
            return;
        }
        decode.choosing = Some(Choosing::new(value, label));
    }

    fn ask_reveal_decoded(&mut self) {
        let Some(decode) = self.decode_overlay() else {
            return;
        };
        if !decode.is_secret() {
            self.say("this value is not secret");
            return;
        }
        let what = format!("the decoded form of {}", decode.label);
        self.ask_to_show(&what, Secret::Decoded);
    }

    /// Shows or hides the value that was decoded from a secret.
    pub(super) fn set_decoded_revealed(&mut self, is_revealed: bool) {
        if let Some(decode) = self.decode_overlay() {
            decode.is_revealed = is_revealed;
            self.remake_decoded();
        }
    }

    /// True if a decoded secret is shown.
    pub(super) fn shows_decoded(&self) -> bool {
        let mut overlays = self.overlays.iter();
        overlays.any(|it| matches!(it, Overlay::Decode(decode) if decode.is_revealed))
    }
}

/// Returns the reason that a value cannot be decoded, or `None` if it can. A value known after apply may be decoded: the result
/// is also known after apply.
fn not_decodable(value: &Value) -> Option<&'static str> {
    match value.payload() {
        Payload::String(_) | Payload::Computed(_) => None,
        Payload::Sealed(_) => Some("the file holds only ciphertext of this value"),
        // Not even the kind of a secret is revealed.
        _ if value.is_secret() => None,
        _ => Some("only strings are decoded; select one"),
    }
}
