//! Reading a file from its start.

use hashbrown::DefaultHashBuilder;

use super::{Cancel, Counts, Frame, Job, Topic};
use crate::load::{self, Input, LoadError, LoadEvent};

/// A request to read a file, with the hashes of the texts of resources.
pub struct Load(pub Input, pub DefaultHashBuilder);

impl Job for Load {
    /// The header, more records, or the end.
    type Answer = Result<LoadEvent, LoadError>;

    const TOPIC: Topic = Topic {
        counts: Counts::Last,
        frame: Frame::Due,
        ..Topic::named("loading")
    };

    fn run(self, cancel: &Cancel, say: &mut dyn FnMut(Self::Answer)) {
        let mut sink = |event| say(Ok(event));
        let Self(input, digest) = &self;
        let loaded =
            load::stream_digested(input, input.limits, cancel.flag(), Some(digest), &mut sink);
        if let Err(error) = loaded {
            say(Err(error));
        }
    }
}
