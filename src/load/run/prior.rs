//! The needs of what a plan deletes. Only the prior state has them if the configuration has these resources no more. Indexing notes
//! where its entries lie; those of resources that leave are read at the end. Walking all of them in passing takes 40 % more
//! processor time for a plan.

use crate::format::{Source, prior};
use crate::json::tape::Tape;
use crate::load::collect::Collector;

/// Reads the needs of the resources that leave.
pub(super) fn read(collector: &mut Collector, source: &dyn Source) {
    let (mut needs, mut bytes, mut tape) = (Vec::new(), Vec::new(), Tape::default());
    for (address, span) in collector.take_leaving() {
        // An entry that cannot be read again is without needs, like a resource without an entry.
        if source.read_into(span, &mut bytes).is_err() {
            continue;
        }
        prior::needs(&tape.read(&bytes), &mut |target| {
            needs.push((address, collector.key_of(target)));
        });
    }
    collector.set_needs_before(needs);
}
