//! Tickets of jobs: the one way to end a job, and the one way to drop its answers.
//!
//! The part that wants the answers of a job holds its [`Ticket`]. The job and its answers carry the [`Cancel`] of this ticket. When the
//! ticket is dropped, the job ends and its late answers do not count. [`Tickets`] holds those of the explorer; a popup holds its
//! own.

use std::any::TypeId;
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::{Counts, Job};

/// A hold on a job. The job ends when it is dropped.
#[derive(Default, Debug)]
pub struct Ticket(Cancel);

impl Ticket {
    /// The flag for the job and its answers.
    pub fn flag(&self) -> Cancel {
        self.0.clone()
    }

    /// Asks the job to end early. What it answers still counts.
    pub fn stop(&self) {
        self.0.0.ends.store(true, Ordering::Relaxed);
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        self.0.0.is_late.store(true, Ordering::Relaxed);
        self.stop();
    }
}

/// The flag of a ticket. Clones share it.
#[derive(Clone, Default, Debug)]
pub struct Cancel(Arc<Flags>);

#[derive(Default, Debug)]
struct Flags {
    ends: AtomicBool,
    is_late: AtomicBool,
}

impl Cancel {
    /// True if the job was asked to end.
    pub fn is_cancelled(&self) -> bool {
        self.flag().load(Ordering::Relaxed)
    }

    /// True if the ticket was dropped: no answer counts any more.
    pub fn is_late(&self) -> bool {
        self.0.is_late.load(Ordering::Relaxed)
    }

    /// The flag that asks the job to end.
    pub fn flag(&self) -> &AtomicBool {
        &self.0.ends
    }
}

/// The tickets of the jobs under way, by the type of the job.
#[derive(Default, Debug)]
pub struct Tickets {
    held: HashMap<TypeId, (Ticket, Counts)>,
    n_timers: u64,
}

impl Tickets {
    /// Draws a ticket. It replaces the one of the last job of this type, unless the answers of each count: those share one ticket.
    pub fn draw<J: Job>(&mut self) -> Cancel {
        let counts = J::TOPIC.counts;
        if counts != Counts::EachOfFile {
            self.forget::<J>();
        }
        let held = self.held.entry(TypeId::of::<J>());
        let (ticket, _) = held.or_insert_with(|| (Ticket::default(), counts));
        ticket.flag()
    }

    /// Ends all jobs of this type, and drops their answers.
    pub fn forget<J: Job>(&mut self) {
        self.held.remove(&TypeId::of::<J>());
    }

    /// True if answers of a job of this type are still wanted.
    pub fn holds<J: Job>(&self) -> bool {
        self.held.contains_key(&TypeId::of::<J>())
    }

    /// Asks the jobs of this type to end early. What they answer still counts.
    pub fn stop<J: Job>(&self) {
        if let Some((ticket, _)) = self.held.get(&TypeId::of::<J>()) {
            ticket.stop();
        }
    }

    /// Ends all jobs about the open file, and drops their answers.
    pub fn forget_stack(&mut self) {
        self.held.retain(|_, (_, counts)| *counts == Counts::Last);
    }

    /// Draws the number of a timer, larger than that of every earlier one.
    pub fn timer(&mut self) -> u64 {
        self.n_timers += 1;
        self.n_timers
    }
}

#[cfg(test)]
mod tests {
    use super::super::arrange::Arrange;
    use super::super::read::Read;
    use super::super::stacks::OpenStacks;
    use super::{Ticket, Tickets};

    #[test]
    fn a_job_ends_when_its_ticket_is_dropped() {
        let ticket = Ticket::default();
        let flag = ticket.flag();
        assert!(!flag.is_cancelled());
        drop(ticket);
        assert!(flag.is_cancelled() && flag.is_late());
    }

    #[test]
    fn a_job_that_is_stopped_may_still_answer() {
        let ticket = Ticket::default();
        ticket.stop();
        assert!(ticket.flag().is_cancelled());
        assert!(!ticket.flag().is_late());
    }

    #[test]
    fn a_new_request_replaces_an_earlier_one() {
        let mut tickets = Tickets::default();
        let (first, second) = (tickets.draw::<Arrange>(), tickets.draw::<Arrange>());
        assert!(first.is_late() && first.is_cancelled());
        assert!(!second.is_late());
    }

    #[test]
    fn all_resources_that_were_requested_count() {
        let mut tickets = Tickets::default();
        let (first, second) = (tickets.draw::<Read>(), tickets.draw::<Read>());
        assert!(!first.is_late() && !second.is_late());
        tickets.forget::<Read>();
        assert!(first.is_late() && second.is_late());
        let third = tickets.draw::<Read>();
        assert!(!third.is_late());
    }

    #[test]
    fn after_an_exchange_only_answers_about_files_count() {
        let mut tickets = Tickets::default();
        let (read, opened) = (tickets.draw::<Read>(), tickets.draw::<OpenStacks>());
        tickets.forget_stack();
        assert!(read.is_late() && read.is_cancelled());
        assert!(!opened.is_late());
        let read = tickets.draw::<Read>();
        assert!(!read.is_late());
    }
}
