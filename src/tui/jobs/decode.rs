//! Decoding a string.

use super::{Cancel, Job, Topic};
use crate::change::decode::{DecodeError, Decoder};
use crate::value::Value;

/// A request to decode a string.
pub struct DecodeValue(pub Decoder, pub Value);

impl Job for DecodeValue {
    type Answer = (Decoder, Result<Value, DecodeError>);

    const TOPIC: Topic = Topic::named("decoding");

    fn run(self, _: &Cancel, say: &mut dyn FnMut(Self::Answer)) {
        let Self(decoder, value) = self;
        say((decoder, decoder.decode(&value)));
    }
}
