//! Reads elements that are close to each other in the file in one go: a read of its own for each costs more than most elements.

use std::sync::{Mutex, PoisonError};

use crate::format::{Source, SourceError};
use crate::stack::{ResourceId, Span, Stack};

/// Maximum number of bytes between two elements that are read together.
const MAX_GAP: u64 = 16 << 10;

/// Maximum number of bytes that are read in one go, unless one element is longer.
const MAX_WINDOW: u64 = 1 << 20;

/// The bytes of some elements. Each read gives bytes of the file as it was indexed, or fails, like the source behind it.
pub(super) struct Ahead<'s> {
    source: &'s dyn Source,
    /// The elements that will be read, in the order of the file.
    spans: Vec<Span>,
    window: Mutex<Window>,
}

/// The bytes that were read last.
#[derive(Default)]
struct Window {
    offset: u64,
    bytes: Vec<u8>,
}

impl<'s> Ahead<'s> {
    /// Reads these elements of `source`.
    pub(super) fn new(
        source: &'s dyn Source,
        stack: &Stack,
        ids: impl Iterator<Item = ResourceId>,
    ) -> Self {
        let spans = ids.map(|id| stack.record(id).span);
        let mut spans: Vec<Span> = spans.collect();
        spans.sort_unstable_by_key(|span| span.offset);
        Self {
            source,
            spans,
            window: Mutex::default(),
        }
    }

    /// The element `span` and those that are close after it.
    fn run(&self, span: Span) -> Span {
        let mut end = end(span);
        let next = self.spans.partition_point(|it| it.offset < span.offset);
        for it in &self.spans[next..] {
            let is_close = it.offset <= end + MAX_GAP;
            if !is_close || self::end(*it) > span.offset + MAX_WINDOW {
                break;
            }
            end = end.max(self::end(*it));
        }
        let len = u32::try_from(end - span.offset);
        Span {
            len: len.unwrap_or(span.len),
            ..span
        }
    }
}

fn end(span: Span) -> u64 {
    span.offset + u64::from(span.len)
}

impl Window {
    fn get(&self, span: Span) -> Option<&[u8]> {
        let start = usize::try_from(span.offset.checked_sub(self.offset)?).ok()?;
        self.bytes.get(start..start + span.len as usize)
    }
}

impl Source for Ahead<'_> {
    fn read_into(&self, span: Span, bytes: &mut Vec<u8>) -> Result<(), SourceError> {
        let mut window = self.window.lock().unwrap_or_else(PoisonError::into_inner);
        if window.get(span).is_none() {
            let run = self.run(span);
            window.offset = run.offset;
            self.source.read_into(run, &mut window.bytes)?;
        }
        bytes.clear();
        match window.get(span) {
            Some(found) => bytes.extend_from_slice(found),
            None => return self.source.read_into(span, bytes),
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file of 100,000 bytes, which counts its reads.
    #[derive(Default)]
    struct Counted(Mutex<Vec<Span>>);

    fn byte(offset: u64) -> u8 {
        u8::try_from(offset % 251).unwrap()
    }

    impl Source for Counted {
        fn read_into(&self, span: Span, bytes: &mut Vec<u8>) -> Result<(), SourceError> {
            self.0.lock().unwrap().push(span);
            bytes.clear();
            bytes.extend((span.offset..end(span)).map(byte));
            Ok(())
        }
    }

    #[test]
    fn elements_that_are_close_are_read_together() {
        let file = Counted::default();
        let spans = [(10, 5), (20, 30), (60, 5), (90_000, 7)];
        let spans: Vec<Span> = spans.map(|(offset, len)| Span { offset, len }).into();
        let ahead = Ahead {
            source: &file,
            spans: spans.clone(),
            window: Mutex::default(),
        };
        let elsewhere = Span {
            offset: 70_000,
            len: 3,
        };
        for span in spans.iter().chain([&spans[1], &elsewhere]) {
            let want: Vec<u8> = (span.offset..end(*span)).map(byte).collect();
            assert_eq!(ahead.read(*span).unwrap(), want);
        }
        let read: Vec<(u64, u32)> = file
            .0
            .lock()
            .unwrap()
            .iter()
            .map(|it| (it.offset, it.len))
            .collect();
        assert_eq!(read, [(10, 55), (90_000, 7), (20, 45), (70_000, 3)]);
    }
}
