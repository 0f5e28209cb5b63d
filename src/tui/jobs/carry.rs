//! Finding a person's choices again in another version of the file.

use super::{Cancel, Job, Topic};
use crate::tui::restore_selection::{Carried, Chosen};

impl Job for Carried {
    /// The choices that still exist.
    type Answer = Chosen;

    const TOPIC: Topic = Topic::named("restoring the selection");

    fn run(self, _: &Cancel, say: &mut dyn FnMut(Self::Answer)) {
        say(self.find());
    }
}
