//! Finding and filtering in the views whose rows are no resources, or one resource many times: Outputs, Deps and Problems.
//!
//! A view gives its rows as texts ([`ViewState::row_texts`](crate::tui::views::ViewState::row_texts)), goes to one of them, and
//! narrows itself to those that a query matches. Everything else is here, once for all of them.

use super::App;
use crate::search::{Goal, RowQuery};
use crate::tui::command::View;
use crate::tui::overlays::find_rows::{FindRows, RowSearch};

impl App {
    /// Opens the bar that finds or filters rows of the view in front. False if this view lists resources, which a search finds. The
    /// brief is not filtered: the list of its changes is.
    pub(super) fn open_row_bar(&mut self, goal: Goal) -> bool {
        let view = self.window.view;
        let is_searched = view == View::Brief && goal == Goal::Filter;
        if is_searched || self.views.of(view).row_texts(&self.session).is_none() {
            return false;
        }
        let before = self.views.of(view).row_filter().cloned();
        let text = match (&before, goal) {
            (Some(filter), Goal::Filter) => {
                let text = filter.text.clone();
                self.narrow(None);
                text
            }
            (Some(_), Goal::Go) | (None, _) => String::new(),
        };
        let rows = self.views.of(view).row_texts(&self.session);
        let origin = self.views.of(view).selected_key();
        let mut bar = FindRows::new(goal, rows.unwrap_or_default(), origin, before, &text);
        let shown = bar.show();
        self.overlays.push(bar);
        self.apply(shown);
        true
    }

    /// Filters the rows of the view in front, or lists all of them.
    pub(super) fn narrow(&mut self, filter: Option<RowQuery>) {
        let narrowed = self.in_front(|view, ctx| view.narrow(filter, ctx));
        self.apply(narrowed);
    }

    /// Finds the rows of the bar again if the rows of the view changed.
    pub(super) fn renew_row_bar(&mut self) {
        let view = self.window.view;
        let Some(bar) = self.overlays.get_mut::<FindRows>() else {
            return;
        };
        if let Some(rows) = self.views.of(view).row_texts(&self.session) {
            let outcome = bar.renew(rows);
            self.apply(outcome);
        }
    }

    /// Keeps the query of the bar for the keys that go on with it.
    pub(super) fn keep_rows(&mut self, query: RowQuery) {
        self.searching.rows = Some(RowSearch::new(self.window.view, query));
    }

    /// True if rows of the view in front were searched.
    pub(super) fn is_finding_rows(&self) -> bool {
        let view = self.window.view;
        self.searching
            .rows
            .as_ref()
            .is_some_and(|it| it.view == view)
    }

    /// Goes to the next row that was found in the view in front, or to the previous one. False if nothing was searched there.
    pub(super) fn go_row_hit(&mut self, steps: isize) -> bool {
        let view = self.window.view;
        let rows = self.views.of(view).row_texts(&self.session);
        let search = self.searching.rows.as_mut().filter(|it| it.view == view);
        let (Some(rows), Some(search)) = (rows, search) else {
            return false;
        };
        match search.next(&rows, steps) {
            Ok((key, said)) => {
                self.in_front(|view, ctx| view.find_row(&key, ctx));
                self.say(said);
            }
            Err(none) => self.say_error(none),
        }
        true
    }

    /// Forgets the rows that were found in the view in front. False if there are none.
    pub(super) fn end_row_search(&mut self) -> bool {
        let view = self.window.view;
        let is_ended = self.searching.rows.take_if(|it| it.view == view).is_some();
        if is_ended {
            self.say("search ended");
        }
        is_ended
    }
}
