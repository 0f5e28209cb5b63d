//! The search bar: the query, its hits and its completions.

use std::cell::OnceCell;
use std::cmp::Reverse;
use std::ops::Range;
use std::sync::Arc;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::popup::Popup;
use super::{Outcome, clear, language};
use crate::search::{
    Advice, Example, Goal, Index, LIMIT, Query, SearchResult, Searched, Target, UnknownField,
};
use crate::tui::command::{Command, Motion, SearchCommand, View};
use crate::tui::hit_lines::{Line, column, line, output_line};
use crate::tui::keymap::{self, Scope};
use crate::tui::layout::Pane;
use crate::tui::outline::{CURSOR, Laid, RowLine, Strip};
use crate::tui::popup::Stage;
use crate::tui::rows::{Span, shown};
use crate::tui::session::Visited;
use crate::tui::theme::{Role, Theme};
use crate::tui::widgets::cursor::{Cursor, Page};
use crate::tui::widgets::frame::{self, Labels};
use crate::tui::widgets::pen::{Pen, below, width_of};
use crate::tui::widgets::prompt::{Prompt, Typing, draw_prompt};
use crate::tui::widgets::text::{cells, count, plural, width, wrap_words};
use crate::value::Value;

/// Maximum number of recent queries that an empty bar lists.
const MAX_RECENT: usize = 5;

/// The remark on a recent query.
const RECENT: &str = "recent";

/// A listed hit: its index among the hits or the outputs of the result.
#[derive(Clone, Copy, Debug)]
enum Listed {
    Hit(usize),
    Output(usize),
}

/// An error in the typed query.
#[derive(Debug)]
struct QueryError {
    /// Its byte offset.
    offset: usize,
    message: String,
    /// True if Enter was pressed on the query: the whole message is shown then.
    is_refused: bool,
}

impl From<UnknownField> for QueryError {
    fn from(unknown: UnknownField) -> Self {
        Self {
            offset: unknown.place.start,
            message: unknown.to_string(),
            is_refused: false,
        }
    }
}

/// A request of the search bar to the explorer.
#[derive(Debug)]
pub enum Seek {
    /// Search for the query that was typed.
    Query,
    /// Show a hit in the panes behind the bar.
    Show(Target),
    /// Filter the list by the query.
    Filter,
    /// Go to the selected hit.
    Go,
    /// Close the bar and go back to the earlier place.
    Leave,
}

/// The search bar.
#[derive(Default, Debug)]
pub struct SearchBar {
    /// The typed query.
    pub prompt: Prompt,
    /// The action of Enter.
    pub goal: Goal,
    /// The things that it searches.
    pub searched: Searched,
    /// The place that Esc returns to.
    pub before: Visited,
    /// The query that `found` answers: the last one without an error.
    pub query: Query,
    /// The hits of the query.
    pub found: Arc<SearchResult>,
    /// True if the search is complete.
    pub done: bool,
    /// The selected hit, or the selected suggestion of an empty bar.
    pub cursor: Cursor,
    /// True if the person has selected a row. New hits then no longer move the cursor to the best one.
    pub has_chosen: bool,
    /// The index that the hits refer to.
    pub index: Option<Arc<Index>>,
    /// The values of the first hits.
    values: Vec<Option<Value>>,
    /// The listed hits, best first.
    listed: Vec<Listed>,
    /// The target of the selected hit.
    target: Option<Target>,
    /// The parse error of the typed query.
    error: Option<QueryError>,
    /// The possible completions, and how far the typed path leads.
    advice: Advice,
    /// True if the text is completed as soon as its completions are known.
    awaits_advice: bool,
    /// The lines of an empty bar: recent queries, then examples.
    suggestions: Vec<Example>,
}

impl SearchBar {
    /// A bar with this text. While it is empty it offers these queries.
    pub fn new(
        goal: Goal,
        searched: Searched,
        before: Visited,
        text: &str,
        recent: &[String],
        examples: Vec<Example>,
    ) -> Self {
        let recent = recent.iter().take(MAX_RECENT).map(|query| Example {
            query: query.clone(),
            help: RECENT,
        });
        Self {
            prompt: Prompt::new(text),
            goal,
            searched,
            before,
            done: true,
            suggestions: recent.chain(examples).collect(),
            ..Self::default()
        }
    }

    /// The area of the bar: at the bottom, as high as its rows, and at most half of `body`.
    pub fn bar_area(&self, body: Rect) -> Rect {
        let most = (body.height / 2).max(4).min(body.height);
        let n_rows = match self.refusal() {
            Some(error) => wrap_words(&error.message, error_room(body)).len(),
            None => self.len().max(1),
        };
        // The title, the query and the line of advice come first. A refusal takes the line of advice.
        let n_first = if self.refusal().is_some() { 2 } else { 3 };
        let height = cells(n_rows + n_first).clamp(4.min(most), most);
        Rect::new(body.x, body.bottom() - height, body.width, height)
    }

    /// Number of rows: hits, or suggestions while nothing is typed.
    fn len(&self) -> usize {
        if self.is_blank() {
            self.suggestions.len()
        } else {
            self.listed.len()
        }
    }

    /// Number of hits listed at once.
    fn height(&self, body: Rect) -> usize {
        usize::from(self.bar_area(body).height).saturating_sub(3)
    }

    /// The hits or the suggestions as they stand on the screen, beside a blank. `None` while a refused query takes their lines. Before
    /// the person chose one, no suggestion is selected.
    fn rows(&self, body: Rect) -> Option<Laid<'_>> {
        if self.refusal().is_some() {
            return None;
        }
        let outer = below(self.bar_area(body), 3);
        let n_rows = if self.is_blank() {
            self.suggestions.len()
        } else {
            self.listed.len()
        };
        // The last column is for the scrollbar, if there is one.
        let bar = u16::from(n_rows > usize::from(outer.height));
        let inner = Rect {
            x: outer.x + 1,
            width: outer.width.saturating_sub(1 + bar),
            ..outer
        };
        let pane = Pane {
            outer,
            inner,
            boxed: false,
        };
        let room = usize::from(inner.width.saturating_sub(CURSOR + 1));
        let laid = if self.is_blank() {
            let row = move |row: usize| self.suggestion(row, room);
            Laid::new(pane, inner, n_rows, self.cursor, row)
        } else {
            let on_screen = self.cursor.top..self.cursor.top + usize::from(inner.height);
            let widths = OnceCell::new();
            let row = move |row: usize| {
                let widths = widths.get_or_init(|| self.widths(on_screen.clone(), room));
                self.hit(row, *widths)
            };
            Laid::new(pane, inner, n_rows, self.cursor, row)
        };
        let laid = laid.flat();
        Some(if self.has_chosen || !self.is_blank() {
            laid
        } else {
            laid.without_cursor()
        })
    }

    /// True if nothing is typed.
    pub fn is_blank(&self) -> bool {
        self.prompt.text().trim().is_empty()
    }

    /// Parses the typed query. Returns `Some` if it differs from the query that was answered. On an error the last good answer
    /// stays.
    pub fn read(&mut self) -> Option<Query> {
        self.awaits_advice = false;
        match Query::parse(self.prompt.text()) {
            Ok(query) => {
                if let Some((term, field)) = query.misplaced(self.searched) {
                    let changes = View::Changes.name();
                    self.error = Some(QueryError {
                        offset: term.place.start,
                        message: format!("{}: works in the {changes} view only", field.name),
                        is_refused: false,
                    });
                    return None;
                }
                self.error = None;
                (query.text != self.query.text).then_some(query)
            }
            Err(error) => {
                self.error = Some(QueryError {
                    offset: error.offset,
                    message: error.reason(),
                    is_refused: false,
                });
                None
            }
        }
    }

    /// Refuses a query that does not parse, and shows the whole error. False for any other query.
    fn refuse(&mut self) -> bool {
        if let Some(error) = &mut self.error {
            error.is_refused = true;
        }
        self.error.is_some()
    }

    /// The error of a refused query.
    fn refusal(&self) -> Option<&QueryError> {
        self.error.as_ref().filter(|error| error.is_refused)
    }

    /// Sets the query to search for next. A blank query has no hits.
    pub fn expect(&mut self, query: Query) {
        self.done = query.is_empty();
        self.has_chosen = false;
        if query.is_empty() {
            self.found = Arc::default();
            self.listed.clear();
            self.target = None;
            self.cursor = Cursor::default();
        }
        self.query = query;
    }

    /// Takes the hits found so far.
    pub fn take(
        &mut self,
        index: &Arc<Index>,
        found: Arc<SearchResult>,
        values: Vec<Option<Value>>,
        done: bool,
    ) {
        let hits = found.hits.iter().enumerate();
        let hits = hits.map(|(at, hit)| (Reverse(hit.score), Listed::Hit(at)));
        let outputs = found.outputs.iter().enumerate();
        let outputs = outputs.map(|(at, hit)| (Reverse(hit.score), Listed::Output(at)));
        let mut listed: Vec<_> = hits.chain(outputs).collect();
        listed.sort_by_key(|(score, _)| *score);
        listed.truncate(LIMIT);
        self.listed = listed.into_iter().map(|(_, listed)| listed).collect();
        self.found = found;
        self.values = values;
        self.done = done;
        self.index = Some(Arc::clone(index));
        if !self.has_chosen {
            self.cursor = Cursor::default();
        }
        // The chosen hit stays chosen wherever it is listed now.
        let chosen = self.target.take().filter(|_| self.has_chosen);
        let row = chosen.and_then(|chosen| {
            let mut rows = 0..self.listed.len();
            rows.find(|row| self.target_of(*row).as_ref() == Some(&chosen))
        });
        let last = self.listed.len().saturating_sub(1);
        self.cursor.row = row.unwrap_or(self.cursor.row.min(last));
        self.note_target();
        self.note_unknown_field();
    }

    /// Refuses a query that found nothing because a field has another name.
    fn note_unknown_field(&mut self) {
        if self.done && self.error.is_none() && self.found.total == 0 {
            self.error = self.query.unknown_field().map(QueryError::from);
        }
    }

    fn note_target(&mut self) {
        self.target = self.target_of(self.cursor.row);
    }

    fn target_of(&self, row: usize) -> Option<Target> {
        Some(match *self.listed.get(row)? {
            Listed::Hit(at) => Target::of_hit(self.found.hits.get(at)?),
            Listed::Output(at) => Target::of_output(self.found.outputs.get(at)?),
        })
    }

    /// The target of the selected hit.
    pub fn target(&self) -> Option<&Target> {
        self.target.as_ref()
    }

    /// Moves the selection by `delta` rows. The first step in an empty bar selects the first suggestion.
    fn step(&mut self, delta: isize, body: Rect) -> Outcome {
        let height = self.height(body);
        let is_first = !std::mem::replace(&mut self.has_chosen, true);
        let is_first = is_first && self.is_blank();
        let delta = if is_first { 0 } else { delta };
        self.cursor.step(delta, Page::flat(self.len(), height));
        self.moved()
    }

    /// Shows the selected hit in the panes.
    pub fn show(&self) -> Outcome {
        let target = self.target.clone();
        target.map_or(Outcome::Done, |target| Outcome::Seek(Seek::Show(target)))
    }

    /// Types the selected suggestion. False if none is selected.
    fn take_suggestion(&mut self) -> bool {
        let is_offered = self.is_blank() && self.has_chosen;
        let row = self.cursor.row;
        let Some(suggestion) = self.suggestions.get(row).filter(|_| is_offered) else {
            return false;
        };
        self.prompt = Prompt::new(suggestion.query.clone());
        true
    }

    /// A query to try instead, after a separator: of an action if the bar offers one, else of a type.
    pub fn hint(&self) -> String {
        let of = |field: &str| {
            self.suggestions
                .iter()
                .rfind(|it| it.query.starts_with(field))
        };
        let query = of("action:").or_else(|| of("type:"));
        query.map_or_else(String::new, |it| format!(" · try {}", shown(&it.query)))
    }

    /// The text to ask advice on, unless the advice on it is known.
    pub fn wants_advice(&self) -> Option<String> {
        let before = self.prompt.before();
        (self.advice.before != before && !self.is_blank()).then(|| before.to_owned())
    }

    /// Takes advice. True if it completed the text.
    pub fn take_advice(&mut self, advice: Advice) -> bool {
        if advice.before != self.prompt.before() {
            return false;
        }
        self.advice = advice;
        self.awaits_advice && self.complete()
    }

    /// Completes the typed word by the only completion, or by the common start of all completions, as soon as they are known.
    /// True if the text changed.
    fn complete(&mut self) -> bool {
        let before = self.prompt.before();
        self.awaits_advice = self.advice.before != before;
        let start = self.advice.range.start;
        let common = self.advice.common().filter(|_| !self.awaits_advice);
        let Some(completed) = common.map(|common| format!("{}{common}", &before[..start])) else {
            return false;
        };
        let is_new = completed != before;
        self.prompt = Prompt::around(completed, self.prompt.behind());
        is_new
    }

    /// The part of the typed path that exists, and the possible completions.
    fn advice_line(&self) -> Vec<Span> {
        let mut line = Vec::new();
        if self.advice.before != self.prompt.before() {
            return line;
        }
        // A path that no resource has may be part of an address.
        if let Some(known) = &self.advice.known
            && (known.is_whole || self.found.total == 0)
        {
            line.push(Span::new(shown(&known.path), Role::Key));
            let word = if known.is_whole {
                "in"
            } else {
                "is the longest known prefix, in"
            };
            let n = usize::try_from(known.n_resources).unwrap_or(usize::MAX);
            let n = plural(n, "resource");
            line.push(Span::new(format!(" {word} {n}  "), Role::Dim));
        }
        for completion in self.advice.completions.iter().take(12) {
            line.push(Span::new(shown(&completion.text), Role::Hint));
            let n = match completion.n_resources {
                0 => String::new(),
                n => format!(" {}", count(n)),
            };
            line.push(Span::new(format!("{n}  "), Role::Dim));
        }
        line
    }

    fn status(&self) -> String {
        let n = count(self.found.total);
        let more = if self.done { "" } else { " so far" };
        let unread = match self.found.unread {
            0 => String::new(),
            n => format!(" · {} unread", count(n)),
        };
        if self.is_blank() || self.refusal().is_some() {
            let key = keymap::key_in(Scope::Search, Command::Search(SearchCommand::Language));
            return format!("{key} query language");
        }
        let reading = self.found.reading.words();
        let listed = match self.listed.len() as u64 {
            listed if listed < self.found.total => format!("{} of {n}", count(listed)),
            1 => "1 hit".to_owned(),
            _ => format!("{n} hits"),
        };
        format!("{listed}{more}{reading}{unread}")
    }

    /// Draws an error below its place, with all its words.
    fn draw_error(&self, error: &QueryError, theme: &Theme, area: Rect, buffer: &mut Buffer) {
        let room = usize::from(area.width);
        let words = error_room(area);
        let caret = caret(&self.prompt, error.offset, room);
        let at = caret.min(room.saturating_sub(words + 3));
        for (y, piece) in (1..area.height).zip(wrap_words(&error.message, words)) {
            let mut pen = Pen::new(buffer, theme, area, y);
            if y == 1 {
                pen.skip(caret).put("^", Role::Danger);
                pen = Pen::new(buffer, theme, area, y);
            }
            pen.skip(at + 2).put(piece, Role::Danger);
        }
    }

    fn suggestion(&self, row: usize, room: usize) -> Vec<RowLine> {
        let widths = self.suggestions.iter().map(|it| width(&shown(&it.query)));
        let widest = widths.max().unwrap_or(0).min(room / 2);
        let suggestion = &self.suggestions[row];
        let query = [Span::new(shown(&suggestion.query), Role::Key)];
        let help = Span::new(format!("  {}", suggestion.help), Role::Dim);
        let line = [column(&query, widest), vec![help]].concat();
        vec![Strip::from(line).indented(1).into()]
    }

    /// A listed hit as it is drawn.
    fn line(&self, row: usize) -> Option<Line> {
        let index = self.index.as_deref()?;
        Some(match *self.listed.get(row)? {
            Listed::Hit(at) => {
                let value = self.values.get(at).and_then(Option::as_ref);
                line(index.stack(), index, &self.found.hits[at], value)
            }
            Listed::Output(at) => output_line(index.stack(), &self.found.outputs[at]),
        })
    }

    /// The widths of the names and of the paths that these rows want.
    fn widths(&self, rows: Range<usize>, room: usize) -> [usize; 2] {
        let lines: Vec<Line> = rows.filter_map(|row| self.line(row)).collect();
        let widest = |of: fn(&Line) -> &Vec<Span>| {
            let widths = lines.iter().map(|line| width_of(of(line)));
            widths.max().unwrap_or(0)
        };
        let most = room * 2 / 5;
        let paths = widest(|line| &line.path).min(most);
        // A fifth stays for the values, which come later.
        let free = room.saturating_sub(paths + room / 5 + 5);
        [widest(|line| &line.name).min(most.max(free)), paths]
    }

    /// A hit, if the hits are known.
    fn hit(&self, row: usize, [names, paths]: [usize; 2]) -> Vec<RowLine> {
        let line = self.line(row).map(|line| line.in_columns(names, paths));
        vec![Strip::from(line.unwrap_or_default()).indented(1).into()]
    }

    fn draw_nothing(&self, theme: &Theme, area: Rect, buffer: &mut Buffer) {
        let wanted = shown(&self.query.text);
        let hint = self.hint();
        let text = format!("nothing found for {wanted}; masked values are never searched{hint}");
        let mut pen = Pen::new(buffer, theme, area, 3);
        pen.skip(3).put(&text, Role::Dim);
    }
}

impl Popup for SearchBar {
    fn scopes(&self) -> &'static [Scope] {
        &[Scope::Search, Scope::Prompt]
    }

    fn update(&mut self, command: Command, stage: Stage) -> Outcome {
        let language = Command::Search(SearchCommand::Language);
        Outcome::Seek(match command {
            Command::Move(Motion::Down) => return self.step(1, stage.body),
            Command::Move(Motion::Up) => return self.step(-1, stage.body),
            Command::Move(Motion::PageDown) => return self.step(8, stage.body),
            Command::Move(Motion::PageUp) => return self.step(-8, stage.body),
            Command::Complete if self.complete() => Seek::Query,
            Command::Complete if self.awaits_advice => return Outcome::Done,
            Command::Search(SearchCommand::Language) => {
                return Outcome::Open(Box::new(language::page(stage.body.width)));
            }
            Command::Accept if self.take_suggestion() => Seek::Query,
            Command::Accept | Command::Search(SearchCommand::Filter) if self.refuse() => {
                let key = keymap::key_in(Scope::Search, language);
                return Outcome::Complain(format!("this is not a query · {key} query language"));
            }
            Command::Search(SearchCommand::Filter) => Seek::Filter,
            Command::Accept => match self.goal {
                Goal::Filter => Seek::Filter,
                Goal::Go => Seek::Go,
            },
            Command::Cancel => Seek::Leave,
            _ => return Outcome::Nothing,
        })
    }

    fn accept_word(&self) -> Option<&'static str> {
        match self.goal {
            Goal::Filter => Some("filter"),
            Goal::Go => None,
        }
    }

    fn n_covered(&self, body: Rect) -> u16 {
        self.bar_area(body).height
    }

    fn selected(&self, _: Stage) -> Option<usize> {
        (self.has_chosen || !self.is_blank()).then_some(self.cursor.row)
    }

    fn area(&self, stage: Stage) -> Rect {
        self.bar_area(stage.body)
    }

    fn view(&self, theme: &Theme, stage: Stage, buffer: &mut Buffer) {
        let area = self.area(stage);
        let labels = Labels::of(
            match self.goal {
                Goal::Go => "Search",
                Goal::Filter => "Filter",
            }
            .to_owned(),
            self.status(),
        );
        let area = draw_bar(area, &labels, (self.goal, &self.prompt), theme, buffer);
        let advice = self.advice_line();
        let is_unfinished = |column: usize| column == self.prompt.text().len();
        match &self.error {
            Some(error) if error.is_refused => {
                self.draw_error(error, theme, area, buffer);
                return;
            }
            Some(error) if !is_unfinished(error.offset) || advice.is_empty() => {
                let pen = Pen::new(buffer, theme, area, 1);
                put_fault(&self.prompt, error.offset, &error.message, pen);
            }
            _ => {
                let mut pen = Pen::new(buffer, theme, area, 1);
                pen.skip(3).put_all(&advice);
            }
        }
        if let Some(rows) = self.rows(stage.body) {
            rows.draw(theme, true, buffer);
        }
        if self.listed.is_empty() && !self.is_blank() && self.done && self.error.is_none() {
            self.draw_nothing(theme, self.area(stage), buffer);
        }
    }

    fn input(&mut self, typing: Typing<'_>, _: Stage) -> Outcome {
        if self.prompt.input(typing) {
            return Outcome::Seek(Seek::Query);
        }
        Outcome::Done
    }

    /// The bar keeps its text. It forgets the hits and the node to return to.
    fn outlives_file(&mut self) -> bool {
        let before = Visited {
            view: self.before.view,
            focus: self.before.focus,
            ..Visited::default()
        };
        *self = Self {
            prompt: std::mem::take(&mut self.prompt),
            ..Self::new(self.goal, self.searched, before, "", &[], Vec::new())
        };
        true
    }

    fn laid(&self, stage: Stage) -> Option<Laid<'_>> {
        self.rows(stage.body)
    }

    fn cursor(&mut self) -> Option<&mut Cursor> {
        Some(&mut self.cursor)
    }

    fn moved(&mut self) -> Outcome {
        self.has_chosen = true;
        // A blank bar has no hits.
        self.note_target();
        self.show()
    }
}

/// Cells for the words of an error.
fn error_room(area: Rect) -> usize {
    usize::from(area.width).saturating_sub(8).clamp(10, 60)
}

/// The column of a place in the prompt of a bar, as far as half of its room.
fn caret(prompt: &Prompt, offset: usize, room: usize) -> usize {
    let before = prompt.text().get(..offset).unwrap_or_default();
    (3 + width(&shown(before))).min(room / 2)
}

/// Puts what is wrong below its place in the prompt of a bar.
pub fn put_fault(prompt: &Prompt, offset: usize, message: &str, mut pen: Pen<'_>) {
    let caret = caret(prompt, offset, pen.room());
    pen.skip(caret)
        .put("^ ", Role::Danger)
        .put(message, Role::Danger);
}

/// Draws the frame and the prompt of a bar at the bottom of the screen. Returns the area inside.
pub fn draw_bar(
    area: Rect,
    labels: &Labels,
    (goal, prompt): (Goal, &Prompt),
    theme: &Theme,
    buffer: &mut Buffer,
) -> Rect {
    clear(area, buffer);
    let pane = Pane {
        outer: area,
        inner: below(area, 1),
        boxed: false,
    };
    frame::draw(pane, labels, theme, buffer);
    let mut pen = Pen::new(buffer, theme, pane.inner, 0);
    let sign = match goal {
        Goal::Go => " /",
        Goal::Filter => " f",
    };
    pen.put(sign, Role::Hint);
    draw_prompt(prompt, &mut pen, theme);
    pane.inner
}
