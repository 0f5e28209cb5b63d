//! Finding a person's choices again in another version of the file.

use super::{Cancel, Job, Topic};
use crate::tui::restore_selection::{Carried, Chosen};
use crate::tui::since::Since;

impl Job for Carried {
    /// The choices that still exist, and what moved.
    type Answer = (Chosen, Option<Since>);

    const TOPIC: Topic = Topic::named("restoring the selection");

    fn run(self, _: &Cancel, say: &mut dyn FnMut(Self::Answer)) {
        say(self.find());
    }
}
