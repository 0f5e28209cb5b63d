//! The record of the review, as the explorer keeps it.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::load::record::{Hashes, Record, RecordError, Recording, Standing};
use crate::stack::{ChangeId, ResourceId};

/// The changes that are like a reviewed one, with the name of that one.
pub type Alike = HashMap<ResourceId, Box<str>>;

/// The record of the review.
#[derive(Debug)]
pub enum Review {
    /// The person named none, or it is being read.
    Unknown,
    /// The file is no record, or that of another plan. It stays as it is.
    Failed,
    /// The record.
    Known(Arc<Recorded>),
}

/// A record that is open, with the plan that is reviewed.
#[derive(Debug)]
pub struct Recorded {
    /// Its file, and who reviews.
    pub recording: Recording,
    /// The record. A thread writes it while the person goes on.
    pub record: Mutex<Record>,
    /// The hashes of the changes.
    pub hashes: Hashes,
    /// The changes that were reviewed when it was opened.
    pub reviewed: Vec<ChangeId>,
    /// The changes that were like a reviewed one when it was opened, with the name of that one.
    pub alike: Arc<Alike>,
    /// The plan beside the record when it was opened.
    pub standing: Standing,
}

impl Review {
    /// The changes that were like a reviewed one when the record was opened.
    pub fn alike(&self) -> Arc<Alike> {
        match self {
            Self::Known(recorded) => Arc::clone(&recorded.alike),
            Self::Unknown | Self::Failed => Arc::default(),
        }
    }

    /// The note on a change, if there is one.
    pub fn note(&self, change: ChangeId) -> Option<String> {
        let Self::Known(recorded) = self else {
            return None;
        };
        let hashed = recorded.hashes.get(&change)?;
        let record = recorded.lock();
        record.note_on(&hashed.change).map(str::to_owned)
    }
}

impl Recorded {
    /// The record.
    pub fn lock(&self) -> MutexGuard<'_, Record> {
        self.record.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes a note on these changes.
    pub fn note(&self, changes: &[ChangeId], text: &str) {
        let mut record = self.lock();
        for hashed in changes.iter().filter_map(|it| self.hashes.get(it)) {
            record.note(&hashed.change, text);
        }
    }

    /// Takes that a change with a name is reviewed, or that it is not if it has none. False if the record says so already.
    pub fn mark(&self, change: ChangeId, name: Option<&str>) -> bool {
        let Some(hashed) = self.hashes.get(&change) else {
            return false;
        };
        let mut record = self.lock();
        match name {
            None => record.unmark(&hashed.change),
            Some(_) if record.has(&hashed.change) => return false,
            Some(name) => record.mark(hashed, name),
        }
        true
    }

    /// Writes the record.
    ///
    /// # Errors
    ///
    /// If the file cannot be written, or has become something else.
    pub fn save(&self) -> Result<(), RecordError> {
        let mut record = self.lock().clone();
        record.take_plan(&self.hashes);
        record.save(&self.recording)
    }
}
