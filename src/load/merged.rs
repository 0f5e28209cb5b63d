//! The bytes of a preview, in which the steps of one change are read as one list.

use std::sync::{Arc, PoisonError, RwLock};

use super::collect::Merged as Change;
use crate::format::{Source, SourceError};
use crate::stack::Span;

/// Distance between made spans, so large that they never look adjacent.
const SPAN_STRIDE: u64 = 1 << 32;

/// A preview whose changes of several steps can be read as one list.
pub(super) struct Merged {
    file: Arc<dyn Source>,
    changes: RwLock<Vec<Change>>,
}

impl Merged {
    /// The bytes of `file`, with no change of several steps yet.
    pub(super) fn new(file: Arc<dyn Source>) -> Self {
        Self {
            file,
            changes: RwLock::default(),
        }
    }

    /// Adds a change and returns the span that its steps are read by.
    pub(super) fn add(&self, change: Change) -> Span {
        let mut changes = self.changes.write().unwrap_or_else(PoisonError::into_inner);
        let len: u64 = change
            .steps
            .iter()
            .map(|step| u64::from(step.len) + 1)
            .sum();
        let span = Span {
            offset: Span::MADE | (changes.len() as u64 * SPAN_STRIDE),
            len: u32::try_from(len + 1).unwrap_or(u32::MAX),
        };
        changes.push(change);
        span
    }

    /// Calls `take` with the change that `span` belongs to; `None` if it is not the span of a change.
    fn change<T>(&self, span: Span, take: impl FnOnce(&Change) -> T) -> Option<T> {
        if span.offset & Span::MADE == 0 {
            return None;
        }
        let number = usize::try_from((span.offset & !Span::MADE) / SPAN_STRIDE).ok()?;
        let changes = self.changes.read().unwrap_or_else(PoisonError::into_inner);
        changes.get(number).map(take)
    }
}

impl Source for Merged {
    fn read_into(&self, span: Span, bytes: &mut Vec<u8>) -> Result<(), SourceError> {
        let Some(steps) = self.change(span, |change| change.steps.clone()) else {
            return self.file.read_into(span, bytes);
        };
        bytes.clear();
        let mut list = vec![b'['];
        for (index, step) in steps.into_iter().enumerate() {
            if index > 0 {
                list.push(b',');
            }
            list.extend(self.file.read(step)?);
        }
        list.push(b']');
        *bytes = list;
        Ok(())
    }

    fn whole(&self) -> Option<Vec<u8>> {
        self.file.whole()
    }

    fn place(&self, span: Span) -> Span {
        self.change(span, |change| change.main).unwrap_or(span)
    }
}
