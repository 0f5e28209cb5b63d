//! A glance: the first changes of a large plan, before the planned values in front of them are read.
//!
//! Probes of the file tell about where the changes begin. What a glance shows is a guess: a value may hold a plan, too. The
//! resources in the order of the file replace it, whatever it was, so a wrong guess costs time and nothing else.

use memchr::memmem;

use super::reading::Piece;
use crate::format::Source;
use crate::index::scan::Outline;
use crate::stack::Span;

/// Minimum size of a file that is worth a glance, in bytes. A smaller one is read about as soon.
const MIN_FILE: u64 = 2 << 20;

/// Number of bytes of a probe. Most changes have fewer.
const PROBE: u64 = 1 << 16;

/// Number of places that are probed before the search between two of them.
const N_PLACES: u64 = 32;

/// Number of bytes whose changes are shown.
const SHOWN: u64 = 1 << 18;

/// The key of the list of changes.
const LIST: &[u8] = br#""resource_changes""#;

/// A key of each change. Entries of drift and changes of outputs have it too: the key of the list decides.
const OF_CHANGE: &[u8] = br#""after_unknown""#;

/// The first changes of a plan; `None` where probes do not find them.
pub(super) fn changes(source: &dyn Source, total: u64, outline: Outline) -> Option<Piece> {
    if total < MIN_FILE {
        return None;
    }
    let probes = Probes { source, total };
    let list = probes.list()?;
    // The byte before the list opens an object for the scanner.
    let base = list.checked_sub(1)?;
    let mut bytes = probes.read(base, SHOWN)?;
    *bytes.first_mut()? = b'{';
    Some(Piece::alone(bytes, base, outline))
}

struct Probes<'s> {
    source: &'s dyn Source,
    total: u64,
}

/// What a probe finds.
enum Found {
    /// The list of changes, at this offset.
    List(u64),
    /// A change.
    Change,
    /// Something else.
    Other,
}

impl Probes<'_> {
    fn read(&self, offset: u64, len: u64) -> Option<Vec<u8>> {
        let len = len.min(self.total.checked_sub(offset)?);
        let len = u32::try_from(len).ok()?;
        self.source.read(Span { offset, len }).ok()
    }

    fn probe(&self, offset: u64) -> Option<Found> {
        let bytes = self.read(offset, PROBE)?;
        Some(match list_in(&bytes) {
            Some(at) => Found::List(offset + at as u64),
            None if memmem::find(&bytes, OF_CHANGE).is_some() => Found::Change,
            None => Found::Other,
        })
    }

    /// The offset of the key of the list: between the last place without a change and the first place with one.
    fn list(&self) -> Option<u64> {
        let step = self.total / N_PLACES;
        let (mut before, mut after) = (0, None);
        for place in (1..N_PLACES).map(|it| it * step) {
            match self.probe(place)? {
                Found::List(at) => return Some(at),
                Found::Change => {
                    after = Some(place);
                    break;
                }
                Found::Other => before = place,
            }
        }
        let mut after = after?;
        while after - before > PROBE / 2 {
            let middle = before + (after - before) / 2;
            match self.probe(middle)? {
                Found::List(at) => return Some(at),
                Found::Change => after = middle,
                Found::Other => before = middle,
            }
        }
        // Drift stands before the list and looks like it.
        let bytes = self.read(before, 2 * SHOWN)?;
        list_in(&bytes).map(|at| before + at as u64)
    }
}

/// The index of the key of the list, if an array follows it.
fn list_in(bytes: &[u8]) -> Option<usize> {
    memmem::find_iter(bytes, LIST).find(|at| {
        let rest = bytes[at + LIST.len()..].trim_ascii_start();
        let rest = rest.strip_prefix(b":").unwrap_or_default();
        rest.trim_ascii_start().first() == Some(&b'[')
    })
}
