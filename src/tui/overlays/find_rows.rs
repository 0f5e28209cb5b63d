//! The bar that finds rows of the view in front, or narrows the view to them.

use std::sync::Arc;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::popup::Popup;
use super::type_in::draw_prompt;
use super::{Outcome, clear};
use crate::path::Path;
use crate::search::{Goal, RowQuery, Rows};
use crate::tui::command::{Command, Motion};
use crate::tui::keymap::{self, Scope};
use crate::tui::layout::Pane;
use crate::tui::popup::Stage;
use crate::tui::row_key::RowKey;
use crate::tui::rows::shown;
use crate::tui::theme::{Role, Theme};
use crate::tui::widgets::frame::{self, Labels};
use crate::tui::widgets::pen::Pen;
use crate::tui::widgets::prompt::{Prompt, Typing};
use crate::tui::widgets::text::{count, width};

/// Height of the bar in lines: the title, the query, and a line about it.
pub const HEIGHT: u16 = 3;

/// The rows of a view as texts, and the index of the selected one.
#[derive(Clone, Default, Debug)]
pub struct RowTexts {
    /// The texts.
    pub texts: Arc<Vec<String>>,
    /// The paths of the rows; `None` if they have none.
    pub paths: Option<Arc<Vec<Path>>>,
    /// The index of the selected row.
    pub at: usize,
    /// The rows that are not among them, in words; "" if all are.
    pub without: &'static str,
}

impl RowTexts {
    /// The rows that are as wanted, ascending.
    pub fn hits(&self, query: &RowQuery) -> Vec<usize> {
        let path = |row: usize| self.paths.as_ref().and_then(|paths| paths.get(row));
        let rows = self.texts.iter().enumerate();
        let hits = rows.filter(|(row, text)| query.matches(text, path(*row)));
        hits.map(|(row, _)| row).collect()
    }

    /// Says that no row contains a text, and which rows were left out.
    pub fn none_contains(&self, text: &str) -> String {
        let without = match self.without {
            "" => String::new(),
            without => format!(" ({without} not searched)"),
        };
        format!("no row contains {}{without}", shown(text))
    }

    /// The kind of the rows.
    fn kind(&self) -> Rows {
        match self.paths {
            Some(_) => Rows::Values,
            None => Rows::Texts,
        }
    }
}

/// The bar.
#[derive(Debug)]
pub struct FindRows {
    /// The typed query.
    pub prompt: Prompt,
    /// The action of Enter.
    pub goal: Goal,
    /// The rows as they are now, and the one that was selected when the bar opened.
    pub rows: RowTexts,
    /// That row.
    pub origin: Option<RowKey>,
    /// The row that is shown.
    pub shown: Option<RowKey>,
    /// The filter of the view when the bar opened.
    pub before: Option<RowQuery>,
    /// The rows that are as wanted, ascending.
    pub hits: Vec<usize>,
    /// Index among them of the row that is shown.
    pub chosen: usize,
    /// The query, or the byte offset of an error with its words.
    pub query: Result<RowQuery, (usize, String)>,
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
    pub fn read(&mut self) {
        let query = RowQuery::parse(self.prompt.text(), self.rows.kind());
        self.query = query.map_err(|error| (error.offset, error.reason()));
        self.find_from(self.rows.at);
    }

    /// Takes the rows again after some came or went. `shown` is the index of the row that is shown; `None` if it is gone.
    pub fn renew(&mut self, rows: RowTexts, shown: Option<usize>) {
        self.rows = rows;
        self.find_from(shown.unwrap_or(self.rows.at));
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
    pub fn step(&mut self, step: isize) {
        if let Some(last) = self.hits.len().checked_sub(1) {
            self.chosen = match self.chosen.checked_add_signed(step) {
                Some(chosen) if chosen <= last => chosen,
                Some(_) => 0,
                None => last,
            };
        }
    }

    /// The row to show: the chosen hit, or the row that was selected at first.
    pub fn target(&self) -> usize {
        self.hits.get(self.chosen).copied().unwrap_or(self.rows.at)
    }
}

impl Popup for FindRows {
    fn obeys(&self, command: Command) -> bool {
        use Command::{Accept, Cancel, Move};
        matches!(command, Accept | Cancel | Move(Motion::Down | Motion::Up))
    }

    fn scopes(&self) -> &'static [Scope] {
        &[Scope::Prompt]
    }

    /// The view shows its hits, so the explorer obeys.
    fn update(&mut self, command: Command, _: Stage) -> Outcome {
        Outcome::InRowBar(command)
    }

    /// The area of the bar, at the bottom.
    fn area(&self, stage: Stage) -> Rect {
        let body = stage.body;
        let height = HEIGHT.min(body.height);
        Rect::new(body.x, body.bottom() - height, body.width, height)
    }

    fn input(&mut self, typing: Typing<'_>, _: Stage) -> bool {
        self.prompt.input(typing)
    }

    fn view(&self, theme: &Theme, stage: Stage, buffer: &mut Buffer) {
        let area = self.area(stage);
        clear(area, buffer);
        let (title, sign, done) = match self.goal {
            Goal::Go => ("Find in this list", " /", "go to"),
            Goal::Filter => ("Filter this list", " f", "filter"),
        };
        let [n, all] = [self.hits.len(), self.rows.texts.len()].map(|n| count(n as u64));
        let labels = Labels {
            title: title.to_owned(),
            status: format!("{n} of {all} rows"),
            focused: true,
        };
        let inner = Rect::new(
            area.x,
            area.y + 1,
            area.width,
            area.height.saturating_sub(1),
        );
        let pane = Pane {
            outer: area,
            inner,
            boxed: false,
        };
        frame::draw(pane, &labels, theme, buffer);
        let mut pen = Pen::new(buffer, theme, inner, 0);
        pen.put(sign, Role::Hint);
        draw_prompt(&self.prompt, &mut pen, theme);
        let mut pen = Pen::new(buffer, theme, inner, 1);
        match &self.query {
            Err((offset, message)) => {
                let before = self.prompt.text().get(..*offset).unwrap_or_default();
                let caret = (3 + width(&shown(before))).min(pen.room() / 2);
                pen.skip(caret)
                    .put("^ ", Role::Danger)
                    .put(message, Role::Danger);
            }
            Ok(query) if self.hits.is_empty() && !query.is_empty() => {
                let text = self.rows.none_contains(&query.text);
                pen.skip(3).put(&text, Role::Dim);
            }
            Ok(_) => {
                let words = [(Command::Accept, done), (Command::Cancel, "back")];
                let hints = keymap::hints(Scope::Prompt, &words);
                pen.skip(3).put(&hints, Role::Dim);
            }
        }
    }
}
