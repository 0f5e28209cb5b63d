//! Reading a file from its start.

use super::{Cancel, Counts, Frame, Job, Topic};
use crate::load::{self, Input, LoadError, LoadEvent};

/// A request to read a file.
pub struct Load(pub Input);

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
        let loaded = load::stream_within(&self.0, self.0.limits, cancel.flag(), &mut sink);
        if let Err(error) = loaded {
            say(Err(error));
        }
    }
}
