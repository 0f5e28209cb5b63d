//! The needs of what a plan deletes. Only the prior state has them if the configuration has these resources no more, so it is read
//! again, after the changes, and only by plans that delete something.

use std::ops::Range;
use std::sync::Arc;

use super::PIECE;
use super::reading::Reading;
use crate::format::{Source, prior};
use crate::load::collect::Collector;

/// Reads the prior state in `range` of a file, which may end after it.
pub(super) fn read(collector: &mut Collector, source: &Arc<dyn Source>, range: Range<u64>) {
    let leaving = collector.leaving();
    if leaving.is_empty() {
        return;
    }
    let is_wanted = |address: &str| leaving.contains(&collector.key_of(address));
    let mut needs = Vec::new();
    let mut reading = Reading::again(source.clone(), range, prior::outline);
    while let Some(piece) = reading.next(PIECE) {
        for element in &piece.elements {
            prior::needs(&piece.text(element), &is_wanted, &mut |from, target| {
                needs.push((collector.key_of(from), collector.key_of(target)));
            });
        }
        reading.give_back(piece);
    }
    collector.take_prior(needs);
}
