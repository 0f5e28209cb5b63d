//! Reading the record of the review, and hashing the changes of the plan.

use std::sync::{Arc, Mutex};

use super::{Cancel, Job, Topic};
use crate::load::Document;
use crate::load::record::{Record, Recording};
use crate::terraform::schema::Schemas;
use crate::tui::review::Recorded;

/// A request to read the record.
pub struct Recall {
    /// The plan.
    pub document: Document,
    /// They tell sets from lists.
    pub schemas: Option<Arc<Schemas>>,
    /// The file of the record.
    pub recording: Recording,
}

impl Job for Recall {
    /// The record beside the changes of the plan, or the reason that it cannot be used.
    type Answer = Result<Recorded, String>;

    const TOPIC: Topic = Topic::named("reading the record");

    fn run(self, cancel: &Cancel, say: &mut dyn FnMut(Self::Answer)) {
        let Self {
            document,
            schemas,
            recording,
        } = self;
        let record = match Record::open(&recording.file) {
            Ok(record) => record,
            Err(error) => return say(Err(error.to_string())),
        };
        let schemas = schemas.unwrap_or_default();
        let is_cancelled = || cancel.is_cancelled();
        let Some(hashes) = record.hashes(&document, &schemas, &is_cancelled) else {
            return;
        };
        let standing = match recording.standing(&record, &hashes) {
            Ok(standing) => standing,
            Err(error) => return say(Err(error.to_string())),
        };
        let reviewed = hashes.iter().filter(|(_, it)| record.has(&it.change));
        let alike = record.like_reviewed(&hashes);
        let alike = alike.map(|(id, name)| (id, name.into()));
        say(Ok(Recorded {
            recording,
            reviewed: reviewed.map(|(change, _)| *change).collect(),
            standing,
            alike: Arc::new(alike.collect()),
            record: Mutex::new(record),
            hashes,
        }));
    }
}
