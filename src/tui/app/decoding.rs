//! Decoding the contents of a string, one decoder after the other.

use super::App;
use crate::change::likely_secrets::masked;
use crate::stack::ResourceId;
use crate::tui::any_job::Takes;
use crate::tui::command::{Command, FoldCommand};
use crate::tui::jobs::Job;
use crate::tui::jobs::decode::DecodeValue;
use crate::tui::keymap;
use crate::tui::overlays::decode;
use crate::tui::overlays::decode::Decode;
use crate::tui::rows::Spot;
use crate::value::Value;

impl App {
    /// Offers the decoders for the selected string.
    pub(super) fn open_decode(&mut self) {
        let Some((id, spot)) = self.spot() else {
            let open = keymap::key_of(Command::Fold(FoldCommand::Expand));
            let values = keymap::key_of(Command::NextPane);
            self.say_error(format!(
                "select a string first: {open} open a resource · {values} go to its values"
            ));
            return;
        };
        let Some(value) = self.string_at(id, spot.clone()) else {
            self.say_error("this value does not exist");
            return;
        };
        if let Some(why) = decode::not_decodable(&value) {
            self.say_error(why);
            return;
        }
        let name = spot.label();
        let decode = Decode::new(value, name, self.session.stack().header.kind);
        self.overlays.push(decode);
    }

    /// The value at a spot. If the spot is inside a document that a string contains, the string.
    fn string_at(&self, id: Option<ResourceId>, mut spot: Spot) -> Option<Value> {
        if spot.inside.as_ref().is_some_and(|it| it.0.is_empty()) {
            spot.inside = None;
        }
        self.value_at(id, &spot)
    }

    fn decode_overlay(&mut self) -> Option<&mut Decode> {
        self.overlays.get_mut()
    }

    fn remake_decoded(&mut self) {
        let stage = self.stage();
        if let Some(decode) = self.decode_overlay() {
            decode.remake(stage);
        }
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
        let decode = self.overlays.get::<Decode>();
        decode.is_some_and(|decode| decode.is_revealed)
    }
}

impl Takes<DecodeValue> for App {
    fn take(&mut self, (decoder, result): <DecodeValue as Job>::Answer) {
        let stage = self.stage();
        let document = self.session.document.as_ref();
        let mask_likely = document.is_some_and(|it| it.stack.header.mask_likely);
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
            Ok(value) => {
                let is_likely = mask_likely && masked(&value).is_some();
                let value = if is_likely {
                    value.with_likely_secret()
                } else {
                    value
                };
                decode.push(decoder, value, stage);
            }
            Err(error) => choosing.complaint = error.to_string(),
        }
    }
}
