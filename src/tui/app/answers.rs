//! Answers of jobs: each goes to its handler. Late ones are dropped here.

use super::App;
use crate::tui::jobs::{Answer, Ticket, Waiting};
use crate::tui::session::Requested;

impl App {
    /// Takes an answer.
    pub(super) fn answer(&mut self, ticket: Ticket, answer: Answer) {
        if !self.session.tickets.accepts(ticket) {
            if let Answer::Found { index, .. } = answer
                && self.session.tickets.is_of_open_file(ticket)
            {
                self.keep_index(ticket, &index);
            }
            return;
        }
        match answer {
            Answer::Load(event) => self.loaded(event),
            Answer::LoadFailed(error) => self.load_failed(&error),
            Answer::Read(id, resource) => self.read(id, &resource),
            Answer::Explained(id, steps) => self.explained(id, steps),
            Answer::Schemas(schemas) => self.take_schemas(schemas),
            Answer::Auditing(progress) => self.views.problems.progress = Some(progress),
            Answer::Audited(report) => self.audited(report),
            Answer::Briefed(listed) => self.briefed(listed, None),
            Answer::Briefing(listed, n_read) => self.briefed(listed, Some(n_read)),
            Answer::Recalled(recorded) => self.recalled(*recorded),
            Answer::Reached {
                id,
                direction,
                reached,
            } => {
                let (views, ctx) = self.lend();
                views.deps.take_reached(id, direction, reached, &ctx);
                self.follow();
            }
            Answer::Rippled(ripple) => self.rippled(ripple),
            Answer::Way(way) => self.found_way(way.as_deref()),
            Answer::Named(ids, near) => self.named(&ids, near),
            Answer::Carried(chosen) => self.carried(*chosen),
            Answer::Arranged(tree) => self.arranged(*tree),
            Answer::ChangesArranged(arranged) => {
                let (views, ctx) = self.lend();
                views.changes.take_arranged(*arranged, &ctx);
                self.follow();
            }
            Answer::Found {
                index,
                found,
                values,
                done,
            } => self.found(ticket, &index, found, values, done),
            Answer::Advised(advice) => self.advised(advice),
            Answer::Hits(found) => self.hits_found(found),
            Answer::Lines(lines) => self.lines_read(lines),
            Answer::Located(location) => self.located(location),
            Answer::Unlocked(result) => self.unlock_answered(result),
            Answer::Verifying { n_read, size } => self.verifying(n_read, size),
            Answer::Verified(verified) => self.verified(verified),
            Answer::Configured(configuration) => self.configured(configuration),
            Answer::Stacks(listing) => self.stacks_listed(listing),
            Answer::StacksFound(found) => self.stacks_found(found),
            Answer::StacksTied(tied) => self.stacks_tied(tied),
            Answer::StacksArranged(arranged) => self.stacks_arranged(*arranged),
            Answer::StacksOpened(input) => self.stacks_opened(*input),
            Answer::History(history) => self.history_known(history),
            Answer::Recorded(index, record) => self.recorded(index, record),
            Answer::Traced(traced, record) => self.traced(traced, record),
            Answer::TraceEnded(has_history) => self.trace_ended(has_history),
        }
    }

    /// Reports the end of a background thread. Its requests have no answer.
    pub(super) fn crashed(&mut self, what: &str, waiting: Option<Waiting>) {
        self.say_error(format!(
            "{what} ended in a bug of this program; please report it"
        ));
        let Some(waiting) = waiting else { return };
        match waiting {
            Waiting::Causes => self.explain_without_first(),
            Waiting::Problems => self.views.problems.progress = None,
            Waiting::Brief => {
                self.views.brief.fail();
                self.search_with_brief();
            }
            Waiting::Resources => self.session.resources.forget_requests(),
            Waiting::Dependencies => self.forget_walks(),
            Waiting::Stacks => self.forget_arranging(),
            Waiting::StackEdges => self.forget_tying(),
            Waiting::Source => self.session.configuration = Requested::No,
        }
    }
}
