//! The bar that finds rows of the view in front, or narrows the view to them.

use std::sync::Arc;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::Outcome;
use super::popup::Popup;
use super::search::{draw_bar, put_fault};
use crate::search::{Goal, Query, RowQuery};
use crate::tui::command::{Command, Motion, View};
use crate::tui::keymap::{self, Scope};
use crate::tui::popup::Stage;
use crate::tui::row_key::RowKey;
pub use crate::tui::row_key::RowTexts;
use crate::tui::rows::shown;
use crate::tui::theme::{Role, Theme};
use crate::tui::widgets::cursor::next_among;
use crate::tui::widgets::frame::Labels;
use crate::tui::widgets::pen::Pen;
use crate::tui::widgets::prompt::{Prompt, Typing};
use crate::tui::widgets::text::{n_of, plural};

/// Height of the bar in lines: the title, the query, and a line about it.
const HEIGHT: u16 = 3;

/// The word for Enter if it searches the resources.
const SEARCH: &str = "search the resources";

/// A query for the rows of a view, which the keys for the next and the previous hit go on with.
#[derive(Debug)]
pub struct RowSearch {
    /// The view.
    pub view: View,
    query: RowQuery,
    /// The same, to mark on the screen.
    pub marked: Query,
    /// The rows that were searched. A view gives the same ones until they change.
    texts: Arc<Vec<String>>,
    /// The rows that were found, ascending.
    hits: Vec<usize>,
}

impl RowSearch {
    /// A query for the rows of a view.
    pub fn new(view: View, query: RowQuery) -> Self {
        Self {
            view,
            marked: Query::parse(&query.text).unwrap_or_default(),
            query,
            texts: Arc::default(),
            hits: Vec::new(),
        }
    }

    /// The next row that is as wanted, or the previous one, and what to say of it.
    ///
    /// # Errors
    ///
    /// If there is none any more.
    pub fn next(&mut self, rows: &RowTexts, steps: isize) -> Result<(RowKey, String), String> {
        if !Arc::ptr_eq(&rows.texts, &self.texts) {
            self.hits = rows.hits(&self.query);
            self.texts = Arc::clone(&rows.texts);
        }
        let text = &self.query.text;
        let at = next_among(&self.hits, rows.at, steps);
        let key = at.and_then(|at| Some((at, rows.keys.get(self.hits[at])?)));
        let Some((at, key)) = key else {
            return Err(format!("{} any more", rows.none_contains(text)));
        };
        let said = format!("[{}/{}] {}", at + 1, self.hits.len(), shown(text));
        Ok((key.clone(), said))
    }
}

/// The bar.
#[derive(Debug)]
pub struct FindRows {
    /// The typed query.
    prompt: Prompt,
    /// The action of Enter.
    goal: Goal,
    /// The rows as they are now, and the one that was selected when the bar opened.
    rows: RowTexts,
    /// That row.
    origin: Option<RowKey>,
    /// The row that is shown.
    shown: Option<RowKey>,
    /// The filter of the view when the bar opened.
    before: Option<RowQuery>,
    /// The rows that are as wanted, ascending.
    hits: Vec<usize>,
    /// Index among them of the row that is shown.
    chosen: usize,
    /// The query, or the byte offset of an error with its words.
    query: Result<RowQuery, (usize, String)>,
}

impl FindRows {
    /// A bar with this text.
    pub fn new(
        goal: Goal,
        rows: RowTexts,
        origin: Option<RowKey>,
        before: Option<RowQuery>,
        text: &str,
    ) -> Self {
        let mut bar = Self {
            prompt: Prompt::new(text),
            goal,
            rows,
            shown: origin.clone(),
            origin,
            before,
            hits: Vec::new(),
            chosen: 0,
            query: Err((0, String::new())),
        };
        bar.read();
        bar
    }

    /// Reads the typed query. The first hit from the selected row on is chosen.
    fn read(&mut self) {
        let query = RowQuery::parse(self.prompt.text(), self.rows.kind());
        self.query = query.map_err(|error| (error.offset, error.reason()));
        self.find_from(self.rows.at);
    }

    /// Takes the rows again. If some came or went, the row that is shown stays, and so does the way back.
    pub fn renew(&mut self, rows: RowTexts) -> Outcome {
        if Arc::ptr_eq(&rows.texts, &self.rows.texts) {
            return Outcome::Done;
        }
        let row_of = |key: &Option<RowKey>| rows.row_of(key.as_ref()?);
        let (at, shown) = (row_of(&self.origin), row_of(&self.shown));
        self.rows = RowTexts {
            at: at.unwrap_or(rows.at),
            ..rows
        };
        self.find_from(shown.unwrap_or(self.rows.at));
        self.show()
    }

    /// Finds the rows that are as wanted. The first one from this row on is chosen.
    fn find_from(&mut self, row: usize) {
        self.hits = match &self.query {
            Ok(query) if !query.is_empty() => self.rows.hits(query),
            Ok(_) | Err(_) => Vec::new(),
        };
        self.chosen = self.hits.partition_point(|hit| *hit < row);
        if self.chosen == self.hits.len() {
            self.chosen = 0;
        }
    }

    /// Chooses the next hit, or with -1 the previous one, and around at the ends.
    fn step(&mut self, step: isize) -> Outcome {
        if let Some(last) = self.hits.len().checked_sub(1) {
            self.chosen = match self.chosen.checked_add_signed(step) {
                Some(chosen) if chosen <= last => chosen,
                Some(_) => 0,
                None => last,
            };
        }
        self.show()
    }

    /// Shows the chosen hit, or the row that was selected at first.
    pub fn show(&mut self) -> Outcome {
        let row = self.hits.get(self.chosen).copied();
        self.shown = self.rows.keys.get(row.unwrap_or(self.rows.at)).cloned();
        self.shown.clone().map_or(Outcome::Done, Outcome::FindRow)
    }

    /// Closes the bar. The view is as it was before.
    fn leave(&mut self) -> Outcome {
        let origin = self.rows.keys.get(self.rows.at).cloned();
        let before = self.before.take().filter(|_| self.goal == Goal::Filter);
        Outcome::All(vec![
            Outcome::Close,
            origin.map_or(Outcome::Done, Outcome::FindRow),
            before.map_or(Outcome::Done, |before| Outcome::Narrow(Some(before))),
        ])
    }

    /// True if Enter searches the resources: no row is as wanted, and a resource may be.
    fn searches_resources(&self) -> bool {
        let text = self.prompt.text();
        let is_query = Query::parse(text).is_ok_and(|query| !query.is_empty());
        self.goal == Goal::Go && self.hits.is_empty() && is_query
    }

    fn accept(&mut self) -> Outcome {
        if self.searches_resources() {
            let text = self.prompt.text().to_owned();
            return Outcome::All(vec![self.leave(), Outcome::SearchFor(text)]);
        }
        let query = match &self.query {
            Ok(query) => query.clone(),
            Err((_, message)) => return Outcome::Complain(message.clone()),
        };
        if query.is_empty() {
            return Outcome::Close;
        }
        let n = self.hits.len();
        if n == 0 {
            let none = self.rows.none_contains(&query.text);
            return Outcome::Complain(format!("{none}: the list stays as it is"));
        }
        let (said, found) = match self.goal {
            Goal::Go => {
                let at = self.chosen + 1;
                let said = format!("[{at}/{n}] {}", shown(&query.text));
                (said, Outcome::FoundRows(query))
            }
            Goal::Filter => {
                let back = keymap::key_of(Command::Cancel);
                let all = plural(self.rows.texts.len(), "row");
                let said = format!("filtered to {n} of {all} · {back} show all");
                (said, Outcome::Narrow(Some(query)))
            }
        };
        Outcome::All(vec![Outcome::Close, found, Outcome::Say(said)])
    }
}

impl Popup for FindRows {
    fn obeys(&self, command: Command) -> bool {
        use Command::{Accept, Cancel, Move};
        matches!(command, Accept | Cancel | Move(Motion::Down | Motion::Up))
    }

    fn accept_word(&self) -> Option<&'static str> {
        Some(if self.searches_resources() {
            SEARCH
        } else {
            match self.goal {
                Goal::Go => "go to",
                Goal::Filter => "filter",
            }
        })
    }

    fn scopes(&self) -> &'static [Scope] {
        &[Scope::Prompt]
    }

    fn update(&mut self, command: Command, _: Stage) -> Outcome {
        match command {
            Command::Move(Motion::Down) => self.step(1),
            Command::Move(Motion::Up) => self.step(-1),
            Command::Accept => self.accept(),
            Command::Cancel => self.leave(),
            _ => Outcome::Nothing,
        }
    }

    fn n_covered(&self, _: Rect) -> u16 {
        HEIGHT
    }

    fn input(&mut self, typing: Typing<'_>, _: Stage) -> Outcome {
        if !self.prompt.input(typing) {
            return Outcome::Done;
        }
        self.read();
        self.show()
    }

    fn view(&self, theme: &Theme, stage: Stage, buffer: &mut Buffer) {
        let area = self.area(stage);
        let title = match self.goal {
            Goal::Go => "Find in this list",
            Goal::Filter => "Filter this list",
        };
        let n = n_of(self.hits.len(), self.rows.texts.len());
        let labels = Labels::of(title, format!("{n} rows"));
        let inner = draw_bar(area, &labels, (self.goal, &self.prompt), theme, buffer);
        let mut pen = Pen::new(buffer, theme, inner, 1);
        let search = keymap::hints(Scope::Prompt, &[(Command::Accept, SEARCH)]);
        match &self.query {
            Err(_) if self.searches_resources() => {
                let text = format!("no row is a resource · {search}");
                pen.skip(3).put(&text, Role::Dim);
            }
            Err((offset, message)) => put_fault(&self.prompt, *offset, message, pen),
            Ok(query) if self.hits.is_empty() && !query.is_empty() => {
                let text = self.rows.none_contains(&query.text);
                pen.skip(3).put(&text, Role::Dim);
                if self.goal == Goal::Go {
                    pen.put(&format!(" · {search}"), Role::Dim);
                }
            }
            Ok(_) => {}
        }
    }
}
