//! Workers: one thread finds candidates, several ask them, and the calling thread takes the answers in order.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError, mpsc};
use std::thread::{self, available_parallelism};

use super::super::LoadError;
use super::opened::Opened;
use super::{Asked, Asks, Candidate, Copies, Ended, Fleet, MAX_WAITING, WINDOW, Work, walk};

/// Maximum number of workers. More would wait for the disk.
const MAX_WORKERS: usize = 16;

/// Number of workers.
pub fn n_workers() -> usize {
    available_parallelism().map_or(2, |n| n.get().clamp(2, MAX_WORKERS))
}

/// The result of the work on a candidate: `None` if it was left out on purpose.
type Outcome<T> = Result<Option<Asked<T>>, LoadError>;

/// A candidate after the work, with its number. Without an outcome it is no member.
type Message<T> = (usize, Candidate, Option<Outcome<T>>);

/// Finds the candidates of `fleet`, works on them, and passes the members on in order.
pub(super) fn run<T: Send>(
    fleet: &Fleet,
    asks: Asks,
    cancel: &AtomicBool,
    work: &Work<'_, T>,
    take: &mut dyn FnMut(Candidate, Outcome<T>) -> ControlFlow<()>,
) -> Ended {
    let gate = Gate::default();
    let (to_workers, candidates) = mpsc::channel::<(usize, Candidate)>();
    let candidates = Mutex::new(candidates);
    let (to_taker, answers) = mpsc::channel::<Message<T>>();
    thread::scope(|scope| {
        let finder = scope.spawn(|| {
            let mut number = 0;
            let mut ended = Ended::default();
            walk::find(fleet, asks, &mut ended, &mut |candidate| {
                let waiting = candidate.contents.as_ref().map_or(0, |it| it.len() as u64);
                if cancel.load(Ordering::Relaxed) {
                    return ControlFlow::Break(());
                }
                gate.pass(number, waiting);
                let sent = to_workers.send((number, candidate));
                number += 1;
                sent.map_or(ControlFlow::Break(()), ControlFlow::Continue)
            });
            drop(to_workers);
            ended
        });
        for _ in 0..n_workers() {
            let to_taker = to_taker.clone();
            let (candidates, gate) = (&candidates, &gate);
            scope.spawn(move || {
                let buffer = RefCell::default();
                loop {
                    let next = lock(candidates).recv();
                    let Ok((number, mut candidate)) = next else {
                        return;
                    };
                    let outcome = if cancel.load(Ordering::Relaxed) {
                        None
                    } else {
                        ask(fleet, &mut candidate, &buffer, cancel, work)
                    };
                    let done = candidate.contents.take();
                    gate.release(done.map_or(0, |it| it.len() as u64));
                    if to_taker.send((number, candidate, outcome)).is_err() {
                        return;
                    }
                }
            });
        }
        drop(to_taker);
        let mut early = BTreeMap::new();
        let (mut next, mut n_others) = (0, 0);
        for (number, candidate, outcome) in answers {
            early.insert(number, (candidate, outcome));
            while let Some((candidate, outcome)) = early.remove(&next) {
                next += 1;
                let is_over = cancel.load(Ordering::Relaxed);
                match outcome {
                    Some(outcome) if !is_over => {
                        if take(candidate, outcome).is_break() {
                            cancel.store(true, Ordering::Relaxed);
                        }
                    }
                    Some(_) => {}
                    None => n_others += 1,
                }
            }
            gate.advance(next);
        }
        let mut ended = finder.join().unwrap_or_default();
        ended.n_others += n_others;
        ended
    })
}

/// Works on a candidate. `None` if it is no member.
fn ask<T>(
    fleet: &Fleet,
    candidate: &mut Candidate,
    buffer: &RefCell<Vec<u8>>,
    cancel: &AtomicBool,
    work: &Work<'_, T>,
) -> Option<Outcome<T>> {
    if let Some(trouble) = candidate.trouble.take() {
        return Some(Err(trouble));
    }
    let opened = Opened::new(fleet, candidate, buffer, cancel);
    if !opened.may_be_member() {
        return None;
    }
    if candidate.role.is_older_copy() && fleet.copies == Copies::Leave {
        return opened.is_member().then_some(Ok(None));
    }
    let outcome = catch_unwind(AssertUnwindSafe(|| work(&opened))).unwrap_or_else(|_| {
        let message = "reading it ended in an error of this program".to_owned();
        Err(LoadError::unreadable(&candidate.place.to_string(), message))
    });
    let is_other = matches!(outcome, Err(LoadError::Unreadable { .. })) && !opened.is_member();
    (!is_other).then(|| outcome.map(Some))
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Holds the finder back while it is too far ahead.
#[derive(Default)]
struct Gate {
    ahead: Mutex<Ahead>,
    changed: Condvar,
}

#[derive(Default)]
struct Ahead {
    /// Number of candidates whose answers were taken.
    n_taken: usize,
    /// Number of unpacked bytes of candidates whose work is not done.
    waiting: u64,
}

impl Gate {
    /// Waits until this candidate, with so many bytes, may go on.
    fn pass(&self, number: usize, bytes: u64) {
        let is_ahead = |ahead: &mut Ahead| {
            let is_full = ahead.waiting > 0 && ahead.waiting + bytes > MAX_WAITING;
            number >= ahead.n_taken + WINDOW || bytes > 0 && is_full
        };
        let ahead = self.changed.wait_while(lock(&self.ahead), is_ahead);
        ahead.unwrap_or_else(PoisonError::into_inner).waiting += bytes;
    }

    /// The work on a candidate with so many bytes is done.
    fn release(&self, bytes: u64) {
        if bytes > 0 {
            lock(&self.ahead).waiting -= bytes;
            self.changed.notify_all();
        }
    }

    /// The answers before this number are taken.
    fn advance(&self, n_taken: usize) {
        let mut ahead = lock(&self.ahead);
        if ahead.n_taken != n_taken {
            ahead.n_taken = n_taken;
            self.changed.notify_all();
        }
    }
}
