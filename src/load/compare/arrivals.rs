//! The events that were read from both files and are not yet processed.

use std::collections::VecDeque;

use super::WhichFile;
use crate::load::{LoadError, LoadEvent};
use crate::stack::Kind;

/// A queue of events for each of the two files. Arrays have one entry for each [`WhichFile`].
pub(super) struct Arrivals {
    names: [String; 2],
    queues: [VecDeque<LoadEvent>; 2],
    has_opened: [bool; 2],
    has_ended: [bool; 2],
    failures: [Option<LoadError>; 2],
}

impl Arrivals {
    /// No events yet, of two files with these names.
    pub(super) fn new(names: [String; 2]) -> Self {
        Self {
            names,
            queues: Default::default(),
            has_opened: [false; 2],
            has_ended: [false; 2],
            failures: [None, None],
        }
    }

    /// Adds an event of one of the files.
    pub(super) fn add(&mut self, side: WhichFile, event: LoadEvent) {
        self.has_opened[side as usize] = true;
        self.queues[side as usize].push_back(event);
    }

    /// Records the end of one of the files.
    pub(super) fn end(&mut self, side: WhichFile, outcome: Result<(), LoadError>) {
        self.has_ended[side as usize] = true;
        self.failures[side as usize] = outcome.err();
    }

    /// The next event of one of the files.
    pub(super) fn next(&mut self, side: WhichFile) -> Option<LoadEvent> {
        self.queues[side as usize].pop_front()
    }

    /// True if no more events will be added for one of the files.
    pub(super) fn has_ended(&self, side: WhichFile) -> bool {
        self.has_ended[side as usize]
    }

    /// The name of one of the files.
    pub(super) fn name(&self, side: WhichFile) -> &str {
        &self.names[side as usize]
    }

    /// The error that prevents a comparison. An error of the old file comes first.
    pub(super) fn failure(&mut self) -> Option<LoadError> {
        if !self.has_opened[0] && !self.has_ended[0] {
            return None;
        }
        [WhichFile::Old, WhichFile::New]
            .into_iter()
            .find_map(|side| {
                let at = side as usize;
                let nothing =
                    || LoadError::unreadable(&self.names[at], "nothing to read".to_owned());
                let is_empty = self.has_ended[at] && !self.has_opened[at];
                self.failures[at].take().or_else(|| is_empty.then(nothing))
            })
    }

    /// True if the old file has to be read whole before the new one. That is so for logs, whose later events may change earlier
    /// steps, and for previews, which may be followed by a log. `None` if a kind is not known yet.
    ///
    /// # Errors
    ///
    /// If the two files are not of one tool, or one has no values.
    pub(super) fn is_in_turn(&self) -> Result<Option<bool>, LoadError> {
        let kind = |side: WhichFile| match self.queues[side as usize].front()? {
            LoadEvent::Opened { document, .. } => Some(document.stack.header.kind),
            _ => None,
        };
        let (Some(one), Some(other)) = (kind(WhichFile::Old), kind(WhichFile::New)) else {
            return Ok(None);
        };
        if one.is_pulumi() != other.is_pulumi() {
            return Err(LoadError::Unlike { one, other });
        }
        for (file, [kind, beside]) in self.names.iter().zip([[one, other], [other, one]]) {
            // Two logs are compared by their actions.
            let lacks_values = kind == Kind::ProviderSchemas
                || kind == Kind::TerraformUi && beside != Kind::TerraformUi;
            if lacks_values {
                let file = file.clone();
                return Err(LoadError::Incomparable { file, kind });
            }
        }
        let may_change = |kind: Kind| kind.is_log() || kind == Kind::PulumiPreview;
        Ok(Some(may_change(one) || may_change(other)))
    }
}
