//! Finding and filtering in the views whose rows are no resources, or one resource many times: Outputs, Deps and Problems.
//!
//! A view gives its rows as texts ([`Views::row_texts`](crate::tui::views::Views::row_texts)), goes to one of them, and narrows
//! itself to those that a query matches. Everything else is here, once for all of them.

use std::sync::Arc;

use super::App;
use crate::search::{Goal, RowQuery};
use crate::tui::command::{Command, Motion, SearchCommand, View};
use crate::tui::keymap;
use crate::tui::overlays::find_rows::{self, FindRows, RowTexts};
use crate::tui::row_key::RowKey;
use crate::tui::rows::shown;
use crate::tui::widgets::cursor::next_among;
use crate::tui::widgets::text::plural;

/// A query for the rows of a view, which the keys for the next and the previous hit go on with.
#[derive(Debug)]
pub(super) struct RowSearch {
    view: View,
    query: RowQuery,
    /// The rows that were searched. A view gives the same ones until they change.
    texts: Arc<Vec<String>>,
    /// The rows that were found, ascending.
    hits: Vec<usize>,
}

impl App {
    /// Opens the bar that finds or filters rows of the view in front. False if this view lists resources, which a search finds.
    pub(super) fn open_row_bar(&mut self, goal: Goal) -> bool {
        let view = self.window.view;
        if self.views.of(view).row_texts(&self.session).is_none() {
            return false;
        }
        if view == View::Brief && goal == Goal::Filter {
            let [find, changes] = [
                Command::Search(SearchCommand::Open),
                Command::View(View::Changes),
            ]
            .map(keymap::key_of);
            self.say_error(format!(
                "the brief has no filter · {find} finds in it · {changes} lists all changes, which have one"
            ));
            return true;
        }
        let before = self.views.of(view).row_filter().cloned();
        let text = match (&before, goal) {
            (Some(filter), Goal::Filter) => {
                let text = filter.text.clone();
                self.with_views(|views, ctx| views.of_mut(view).narrow(None, ctx));
                text
            }
            (Some(_), Goal::Go) | (None, _) => String::new(),
        };
        let rows = self.views.of(view).row_texts(&self.session);
        let origin = self.views.of(view).selected_key();
        let bar = FindRows::new(goal, rows.unwrap_or_default(), origin, before, &text);
        self.overlays.push(bar);
        self.show_found_row();
        true
    }

    fn row_bar(&mut self) -> Option<&mut FindRows> {
        self.overlays.get_mut()
    }

    /// Number of lines that the bar covers.
    pub(super) fn row_bar_height(&self) -> u16 {
        if self.overlays.get::<FindRows>().is_some() {
            find_rows::HEIGHT
        } else {
            0
        }
    }

    /// Finds the rows for the new text of the bar.
    pub(super) fn typed_in_row_bar(&mut self) {
        if let Some(bar) = self.row_bar() {
            bar.read();
            self.show_found_row();
        }
    }

    fn show_found_row(&mut self) {
        let view = self.window.view;
        let Some(row) = self.row_bar().map(|bar| bar.target()) else {
            return;
        };
        self.go_row(row);
        let shown = self.views.of(view).key_of_text(row);
        if let Some(bar) = self.row_bar() {
            bar.shown = shown;
        }
    }

    /// Goes to one of the rows that the view in front has as texts.
    fn go_row(&mut self, row: usize) {
        let view = self.window.view;
        let (views, ctx) = self.lend();
        views.of_mut(view).go_row(row, &ctx);
    }

    /// Finds the rows of the bar again if the rows of the view changed. The row that is shown stays, and so does the way back.
    pub(super) fn renew_row_bar(&mut self) {
        let view = self.window.view;
        let Some(bar) = self.row_bar() else { return };
        let (texts, origin, shown) = (
            Arc::clone(&bar.rows.texts),
            bar.origin.clone(),
            bar.shown.clone(),
        );
        let rows = self.views.of(view).row_texts(&self.session);
        let Some(rows) = rows.filter(|rows| !Arc::ptr_eq(&rows.texts, &texts)) else {
            return;
        };
        let row_of = |key: Option<RowKey>| self.views.of(view).text_of_key(&key?);
        let (at, shown) = (row_of(origin).unwrap_or(rows.at), row_of(shown));
        if let Some(bar) = self.row_bar() {
            bar.renew(RowTexts { at, ..rows }, shown);
        }
        self.show_found_row();
    }

    pub(super) fn obey_in_row_bar(&mut self, command: Command) {
        let Some(bar) = self.row_bar() else { return };
        match command {
            Command::Move(Motion::Down) => bar.step(1),
            Command::Move(Motion::Up) => bar.step(-1),
            Command::Accept => return self.accept_rows(),
            Command::Cancel => return self.leave_row_bar(),
            _ => return self.say_nothing(command),
        }
        self.show_found_row();
    }

    /// Closes the bar. The view is as it was before.
    fn leave_row_bar(&mut self) {
        let view = self.window.view;
        let Some(bar) = self.overlays.take::<FindRows>() else {
            return;
        };
        let row = bar.rows.at;
        self.go_row(row);
        if bar.goal == Goal::Filter && bar.before.is_some() {
            self.with_views(|views, ctx| views.of_mut(view).narrow(bar.before, ctx));
        }
    }

    fn accept_rows(&mut self) {
        let view = self.window.view;
        let Some(bar) = self.row_bar() else { return };
        let (goal, n, all) = (bar.goal, bar.hits.len(), bar.rows.texts.len());
        let query = match &bar.query {
            Ok(query) => query.clone(),
            Err((_, message)) => {
                let message = message.clone();
                return self.say_error(message);
            }
        };
        if query.is_empty() {
            self.overlays.pop();
            return;
        }
        if n == 0 {
            let none = bar.rows.none_contains(&query.text);
            return self.say_error(format!("{none}: the list stays as it is"));
        }
        let at = bar.chosen + 1;
        let (texts, hits) = (Arc::clone(&bar.rows.texts), std::mem::take(&mut bar.hits));
        self.overlays.pop();
        match goal {
            Goal::Go => {
                self.say(format!("[{at}/{n}] {}", shown(&query.text)));
                self.searching.rows = Some(RowSearch {
                    view,
                    query,
                    texts,
                    hits,
                });
            }
            Goal::Filter => {
                self.with_views(|views, ctx| views.of_mut(view).narrow(Some(query), ctx));
                let back = keymap::key_of(Command::Cancel);
                let all = plural(all, "row");
                self.say(format!("filtered to {n} of {all} · {back} show all"));
            }
        }
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
        if !Arc::ptr_eq(&rows.texts, &search.texts) {
            search.hits = rows.hits(&search.query);
            search.texts = Arc::clone(&rows.texts);
        }
        let text = shown(&search.query.text);
        let (n, at) = (search.hits.len(), next_among(&search.hits, rows.at, steps));
        let Some((at, row)) = at.map(|at| (at, search.hits[at])) else {
            let none = rows.none_contains(&search.query.text);
            self.say_error(format!("{none} any more"));
            return true;
        };
        self.go_row(row);
        self.say(format!("[{}/{}] {text}", at + 1, n));
        true
    }

    /// Forgets the rows that were found in the view in front, or else its filter. False if there is neither.
    pub(super) fn end_row_search(&mut self) -> bool {
        let view = self.window.view;
        if self.searching.rows.take_if(|it| it.view == view).is_some() {
            self.say("search ended");
            return true;
        }
        if self.views.of(view).row_filter().is_none() {
            return false;
        }
        self.with_views(|views, ctx| views.of_mut(view).narrow(None, ctx));
        self.say("filter cleared");
        true
    }
}
