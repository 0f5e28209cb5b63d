//! Tickets of jobs: which answers still count.
//!
//! Numbers only grow. Each topic has the number of the oldest ticket that counts. A new request for a topic with one answer at
//! a time makes that its own number, and the exchange of the file makes it the next number. So every late answer is dropped in
//! one place, [`Tickets::accepts`].

use std::collections::HashMap;

use super::Topic;

/// The ticket of a request. Its answers carry it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ticket {
    /// The subject of the request.
    pub topic: Topic,
    /// The number, larger than that of every earlier ticket.
    pub number: u64,
    /// The answers that count.
    pub counts: Counts,
}

/// The answers that count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Counts {
    /// Those to all requests since the file was opened.
    EachOfFile,
    /// The one to the last request, while the file is open.
    LastOfFile,
    /// The one to the last request, whichever file is open.
    Last,
}

/// The tickets drawn so far.
#[derive(Clone, Default, Debug)]
pub struct Tickets {
    last: u64,
    /// Number of the oldest ticket of the topic that counts.
    oldest: HashMap<Topic, u64>,
    /// Number of the oldest ticket about the open file that counts.
    oldest_of_stack: u64,
}

impl Tickets {
    /// Draws the ticket of a request.
    pub fn draw(&mut self, topic: Topic, counts: Counts) -> Ticket {
        let number = self.number();
        if counts != Counts::EachOfFile {
            self.oldest.insert(topic, number);
        }
        Ticket {
            topic,
            number,
            counts,
        }
    }

    /// Draws a number for something else that is awaited: a timer.
    pub fn number(&mut self) -> u64 {
        self.last += 1;
        self.last
    }

    /// Drops the answers to all earlier requests about a topic.
    pub fn forget(&mut self, topic: Topic) {
        self.oldest.insert(topic, self.last + 1);
    }

    /// Drops the answers to all earlier requests about the open file.
    pub fn forget_stack(&mut self) {
        self.oldest_of_stack = self.last + 1;
    }

    /// True if the answer with this ticket still counts.
    pub fn accepts(&self, ticket: Ticket) -> bool {
        let oldest = self.oldest.get(&ticket.topic).copied().unwrap_or(0);
        ticket.number >= oldest && (self.is_of_open_file(ticket) || ticket.counts == Counts::Last)
    }

    /// True if the ticket was drawn since the file was opened.
    pub fn is_of_open_file(&self, ticket: Ticket) -> bool {
        ticket.number >= self.oldest_of_stack
    }
}

#[cfg(test)]
mod tests {
    use super::{Counts, Tickets, Topic};

    #[test]
    fn a_new_request_replaces_an_earlier_one() {
        let mut tickets = Tickets::default();
        let (first, second) = (
            tickets.draw(Topic::Arrange, Counts::LastOfFile),
            tickets.draw(Topic::Arrange, Counts::LastOfFile),
        );
        assert!(!tickets.accepts(first));
        assert!(tickets.accepts(second));
    }

    #[test]
    fn all_resources_that_were_requested_count() {
        let mut tickets = Tickets::default();
        let (first, second) = (
            tickets.draw(Topic::Read, Counts::EachOfFile),
            tickets.draw(Topic::Read, Counts::EachOfFile),
        );
        assert!(tickets.accepts(first) && tickets.accepts(second));
        tickets.forget(Topic::Read);
        assert!(!tickets.accepts(first) && !tickets.accepts(second));
        let third = tickets.draw(Topic::Read, Counts::EachOfFile);
        assert!(tickets.accepts(third));
    }

    #[test]
    fn after_an_exchange_only_answers_about_files_count() {
        let mut tickets = Tickets::default();
        let (read, listed) = (
            tickets.draw(Topic::Read, Counts::EachOfFile),
            tickets.draw(Topic::ListStacks, Counts::Last),
        );
        tickets.forget_stack();
        assert!(!tickets.accepts(read));
        assert!(tickets.accepts(listed));
        let read = tickets.draw(Topic::Read, Counts::EachOfFile);
        assert!(tickets.accepts(read));
    }
}
