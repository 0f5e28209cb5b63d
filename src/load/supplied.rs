//! The bytes of a file for a search, read on all cores of the processor.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;

use super::Document;
use super::workers::n_workers;
use crate::search::{Stride, Supply};
use crate::stack::{Resource, ResourceId, Span, Stack};

/// Maximum number of results for each thread that wait for an earlier one.
const N_WAITING: usize = 8;

impl Supply for Document {
    fn bytes(&self, span: Span, bytes: &mut Vec<u8>) -> bool {
        self.source.read_into(span, bytes).is_ok()
    }

    fn other_span(&self, id: ResourceId) -> Option<Span> {
        self.compared.as_ref()?.other_span(id)
    }

    fn has_other_spans(&self) -> bool {
        self.compared.is_some()
    }

    fn in_order(
        &self,
        n: u64,
        work: &(dyn Fn(u64) -> Stride + Sync),
        take: &mut dyn FnMut(Stride) -> bool,
    ) -> bool {
        let n_workers = n_workers();
        if n < n_workers as u64 {
            return (0..n).all(|number| take(work(number)));
        }
        let (next, stop) = (AtomicU64::new(0), AtomicBool::new(false));
        let (tell, told) = mpsc::sync_channel(N_WAITING);
        std::thread::scope(|scope| {
            for _ in 0..n_workers {
                let (next, stop, tell) = (&next, &stop, tell.clone());
                scope.spawn(move || {
                    while !stop.load(Ordering::Relaxed) {
                        let number = next.fetch_add(1, Ordering::Relaxed);
                        if number >= n || tell.send((number, work(number))).is_err() {
                            return;
                        }
                    }
                });
            }
            drop(tell);
            let mut wanted = 0;
            let mut early = BTreeMap::new();
            // Leaving the loop closes the channel, and with it ends the workers.
            for (number, stride) in told {
                early.insert(number, stride);
                while let Some(stride) = early.remove(&wanted) {
                    wanted += 1;
                    if !take(stride) {
                        stop.store(true, Ordering::Relaxed);
                        return false;
                    }
                }
            }
            true
        })
    }

    fn resource(&self, stack: &Stack, id: ResourceId) -> Option<Resource> {
        self.resource_of(stack, id).ok()
    }
}
