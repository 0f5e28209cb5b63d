//! Deriving the key of a stack.

use std::sync::Arc;

use super::{Cancel, Job, Topic};
use crate::load::keys::{Keys, KeysError};
use crate::pulumi::passphrase::Unlocked;
use crate::value::Value;

/// A request to derive the key.
pub struct Unlock {
    /// The stack's secrets provider, as the file records it.
    pub providers: Value,
    /// The keys to try; `None` for those of the environment.
    pub keys: Option<Arc<Keys>>,
}

impl Job for Unlock {
    /// The key, checked.
    type Answer = Result<Arc<Unlocked>, KeysError>;

    const TOPIC: Topic = Topic::named("unlocking");

    fn run(self, _: &Cancel, say: &mut dyn FnMut(Self::Answer)) {
        let unlocked = match self.keys {
            Some(keys) => keys.unlock(&self.providers),
            None => Keys::of_environment().and_then(|keys| keys.unlock(&self.providers)),
        };
        say(unlocked.map(Arc::new));
    }
}
