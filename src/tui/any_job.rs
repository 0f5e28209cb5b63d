//! Jobs and answers of any type, and their handling by the explorer.

use std::any::Any;

use super::app::App;
use super::jobs::{Cancel, Job, Tickets, Topic};

/// The handling of a job's answers by the explorer.
pub trait Takes<J: Job> {
    /// Takes an answer.
    fn take(&mut self, answer: J::Answer);

    /// Takes that a job ended in a bug of this program. Nothing may wait for its answer any more.
    fn lose(&mut self) {}
}

/// A job of any type.
pub trait AnyJob: Any + Send {
    /// Its topic.
    fn topic(&self) -> Topic;

    /// Draws its ticket.
    fn draw(&self, tickets: &mut Tickets) -> Cancel;

    /// Does the work.
    fn run(self: Box<Self>, cancel: &Cancel, say: &mut dyn FnMut(Box<dyn AnyAnswer>));

    /// The reaction of the explorer if it ends in a bug of this program.
    fn lose(&self) -> fn(&mut App);
}

impl<J: Job> AnyJob for J
where
    App: Takes<J>,
{
    fn topic(&self) -> Topic {
        J::TOPIC
    }

    fn draw(&self, tickets: &mut Tickets) -> Cancel {
        tickets.draw::<J>()
    }

    fn run(self: Box<Self>, cancel: &Cancel, say: &mut dyn FnMut(Box<dyn AnyAnswer>)) {
        Job::run(*self, cancel, &mut |answer| {
            say(Box::new(Answer::<J>(answer)));
        });
    }

    fn lose(&self) -> fn(&mut App) {
        <App as Takes<J>>::lose
    }
}

/// An answer of a job of any type.
pub trait AnyAnswer: Any + Send {
    /// The topic of the job.
    fn topic(&self) -> Topic;

    /// Gives it to the explorer.
    fn give(self: Box<Self>, app: &mut App);
}

/// An answer of a job.
pub struct Answer<J: Job>(pub J::Answer);

impl<J: Job> AnyAnswer for Answer<J>
where
    App: Takes<J>,
{
    fn topic(&self) -> Topic {
        J::TOPIC
    }

    fn give(self: Box<Self>, app: &mut App) {
        Takes::<J>::take(app, self.0);
    }
}

impl dyn AnyAnswer {
    /// The answer, if it is one of this job.
    pub fn of<J: Job>(&self) -> Option<&J::Answer> {
        let any: &dyn Any = self;
        Some(&any.downcast_ref::<Answer<J>>()?.0)
    }
}
