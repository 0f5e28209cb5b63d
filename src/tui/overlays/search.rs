//! The search bar: the query, its hits and its completions.

use std::sync::Arc;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::clear;
use super::type_in::draw_prompt;
use crate::search::Target;
use crate::search::{
    At, Completion, Goal, Hit, Index, LIMIT, OutputHit, Query, Reading, SearchResult, TermKind,
};
use crate::stack::Stack;
use crate::tui::command::View;
use crate::tui::panes::outputs;
use crate::tui::rows::{Span, leaf, preview, shown};
use crate::tui::session::Visited;
use crate::tui::theme::{Role, Theme};
use crate::tui::widgets::cursor::Cursor;
use crate::tui::widgets::frame::{self, Labels};
use crate::tui::widgets::pen::{Pen, width_of};
use crate::tui::widgets::prompt::Prompt;
use crate::tui::widgets::text::{count, width};
use crate::value::{Payload, Shown, Value};

/// A hit as it is drawn.
#[derive(Clone, Debug)]
struct Line {
    name: Vec<Span>,
    path: Vec<Span>,
    value: Vec<Span>,
}

/// The search bar.
#[derive(Debug)]
pub struct SearchBar {
    /// The typed query.
    pub prompt: Prompt,
    /// The action of Enter.
    pub goal: Goal,
    /// The place that Esc returns to.
    pub before: Visited,
    /// The query that `found` answers: the last one without an error.
    pub query: Query,
    /// The hits of the query.
    pub found: Arc<SearchResult>,
    /// True if the search is complete.
    pub done: bool,
    /// Number of resources that were searched.
    pub n_seen: usize,
    /// The selected hit.
    pub cursor: Cursor,
    /// True if the person has selected a hit. New hits then no longer move the cursor to the best one.
    pub has_chosen: bool,
    /// Targets of the listed hits, best first.
    targets: Vec<Target>,
    lines: Vec<Line>,
    /// Column of the parse error in bytes, and its message.
    error: Option<(usize, String)>,
    /// The possible completions, and how far the typed path leads.
    advice: Vec<Span>,
}

impl SearchBar {
    /// An empty bar.
    pub fn new(goal: Goal, before: Visited, text: &str) -> Self {
        Self {
            prompt: Prompt::new(text),
            goal,
            before,
            query: Query::default(),
            found: Arc::default(),
            done: true,
            n_seen: 0,
            cursor: Cursor::default(),
            has_chosen: false,
            targets: Vec::new(),
            lines: Vec::new(),
            error: None,
            advice: Vec::new(),
        }
    }

    /// Forgets the hits and the node to return to, because their file is not shown any more.
    pub fn forget(&mut self) {
        let before = Visited {
            current: None,
            row: None,
            value: None,
            change: None,
            change_row: 0,
            ..self.before.clone()
        };
        *self = Self {
            prompt: std::mem::take(&mut self.prompt),
            ..Self::new(self.goal, before, "")
        };
    }

    /// The area of the bar: at the bottom, so that both panes can be seen above it.
    pub fn area(body: Rect) -> Rect {
        let height = (body.height * 2 / 5).clamp(4, 16).min(body.height);
        Rect::new(body.x, body.bottom() - height, body.width, height)
    }

    /// Number of hits listed at once.
    pub fn height(body: Rect) -> usize {
        usize::from(Self::area(body).height).saturating_sub(3)
    }

    /// Parses the typed query. Returns `Some` if it differs from the query that was answered. On an error the last good answer
    /// stays.
    pub fn read(&mut self) -> Option<Query> {
        match Query::parse(self.prompt.text()) {
            Ok(query) => {
                self.error = None;
                (query.text != self.query.text).then_some(query)
            }
            Err(error) => {
                self.error = Some((error.offset, error.reason()));
                None
            }
        }
    }

    /// Takes the hits found so far.
    pub fn take(
        &mut self,
        stack: &Stack,
        index: &Index,
        found: Arc<SearchResult>,
        values: &[Option<Value>],
        done: bool,
    ) {
        let hits = found.hits.iter().enumerate().map(|(at, hit)| {
            let value = values.get(at).and_then(Option::as_ref);
            (
                hit.score,
                Target::of_hit(hit),
                line(stack, index, hit, value),
            )
        });
        let outputs = found
            .outputs
            .iter()
            .map(|hit| (hit.score, Target::of_output(hit), output_line(stack, hit)));
        let mut listed: Vec<_> = hits.chain(outputs).collect();
        listed.sort_by_key(|(score, ..)| std::cmp::Reverse(*score));
        listed.truncate(LIMIT);
        (self.targets, self.lines) = listed
            .into_iter()
            .map(|(_, target, line)| (target, line))
            .unzip();
        self.found = found;
        self.done = done;
        self.n_seen = index.n_resources();
        if !self.has_chosen {
            self.cursor = Cursor::default();
        }
        self.cursor.row = self.cursor.row.min(self.lines.len().saturating_sub(1));
    }

    /// The target of the selected hit.
    pub fn target(&self) -> Option<&Target> {
        self.targets.get(self.cursor.row)
    }

    /// Moves the selection by `delta` hits.
    pub fn step(&mut self, delta: isize, body: Rect) {
        self.has_chosen = true;
        self.cursor
            .step(delta, self.lines.len(), Self::height(body));
    }

    /// Completes the typed word by the only completion, or by the common start of all completions.
    pub fn complete(&mut self, index: &Index) {
        let before = self.prompt.before().to_owned();
        let (range, completions) = index.complete(&before, before.len());
        let Some(common) = common_start(&completions) else {
            return;
        };
        if common.len() < before.len() - range.start {
            return;
        }
        let text = format!("{}{common}", &before[..range.start]);
        let behind = self.prompt.behind().to_owned();
        self.prompt = Prompt::new(text + &behind);
    }

    /// Updates the advice: how far the path at the cursor leads, and its possible completions.
    pub fn advise(&mut self, index: &Index) {
        self.advice.clear();
        let before = self.prompt.before();
        // A path that ends in a dot is still being typed.
        let typed = before.strip_suffix('.').unwrap_or(before);
        let pattern = Query::parse(typed)
            .ok()
            .and_then(|query| query.terms().next_back().cloned())
            .filter(|term| term.place.end == typed.len())
            .and_then(|term| match term.kind {
                TermKind::Pattern { pattern, .. } => Some(pattern),
                _ => None,
            });
        if let Some(pattern) = &pattern {
            let (n_steps, n_resources) = index.longest_prefix(pattern);
            let valid = pattern.first(n_steps).to_tolerant();
            let whole = n_steps == pattern.0.len();
            self.advice.push(Span::new(shown(&valid), Role::Key));
            let word = if whole {
                "in"
            } else {
                "is the longest known prefix, in"
            };
            self.advice.push(Span::new(
                format!(" {word} {} resources  ", count(n_resources)),
                Role::Dim,
            ));
        }
        let (_, completions) = index.complete(before, before.len());
        for completion in completions.iter().take(12) {
            self.advice
                .push(Span::new(shown(&completion.text), Role::Hint));
            let n = completion.n_resources;
            let n = if n > 0 {
                format!(" {}", count(n))
            } else {
                String::new()
            };
            self.advice.push(Span::new(format!("{n}  "), Role::Dim));
        }
    }

    fn status(&self) -> String {
        let n = count(self.found.total);
        let more = if self.done { "" } else { " so far" };
        let unread = match self.found.unread {
            0 => String::new(),
            n => format!(" · {} unread", count(n)),
        };
        if self.prompt.text().is_empty() {
            return if self.before.view == View::Changes {
                "words · action:delete · type: · @path · =value · is: · !not".to_owned()
            } else {
                "words · @path · =value · type: · is: · !not".to_owned()
            };
        }
        let reading = reading_words(self.found.reading);
        let listed = match self.lines.len() as u64 {
            listed if listed < self.found.total => format!("{} of {n}", count(listed)),
            1 => "1 hit".to_owned(),
            _ => format!("{n} hits"),
        };
        format!("{listed}{more}{reading}{unread}")
    }

    /// Draws the bar.
    pub fn view(&self, theme: &Theme, body: Rect, buffer: &mut Buffer) {
        let area = Self::area(body);
        clear(area, buffer);
        let labels = Labels {
            title: match self.goal {
                Goal::Go => "Search",
                Goal::Filter => "Filter",
            }
            .to_owned(),
            status: self.status(),
            focused: true,
        };
        let pane = crate::tui::layout::Pane {
            outer: area,
            inner: Rect::new(
                area.x,
                area.y + 1,
                area.width,
                area.height.saturating_sub(1),
            ),
            boxed: false,
        };
        frame::draw(pane, &labels, theme, buffer);
        let area = pane.inner;
        let mut pen = Pen::new(buffer, theme, area, 0);
        let sign = if self.goal == Goal::Go { " /" } else { " f" };
        pen.put(sign, Role::Hint);
        draw_prompt(&self.prompt, &mut pen, theme);
        let mut pen = Pen::new(buffer, theme, area, 1);
        let is_unfinished = |column: usize| column == self.prompt.text().len();
        match &self.error {
            Some((column, message)) if !is_unfinished(*column) || self.advice.is_empty() => {
                let before = self.prompt.text().get(..*column).unwrap_or_default();
                let at = (3 + width(&shown(before))).min(pen.room() / 2);
                pen.skip(at)
                    .put("^ ", Role::Danger)
                    .put(message, Role::Danger);
            }
            _ => {
                pen.skip(3).put_all(&self.advice);
            }
        }
        self.draw_hits(theme, area, buffer);
    }

    fn draw_hits(&self, theme: &Theme, area: Rect, buffer: &mut Buffer) {
        let room = usize::from(area.width);
        let height = usize::from(area.height).saturating_sub(2);
        let listed = self
            .lines
            .iter()
            .enumerate()
            .skip(self.cursor.top)
            .take(height);
        let widest = |of: fn(&Line) -> &Vec<Span>, most: usize| {
            let listed = self.lines.iter().skip(self.cursor.top).take(height);
            listed
                .map(|line| width_of(of(line)))
                .max()
                .unwrap_or(0)
                .min(most)
        };
        let names = widest(|line| &line.name, room * 2 / 5);
        let paths = widest(|line| &line.path, room * 2 / 5);
        for (row, line) in listed {
            let y = u16::try_from(2 + row - self.cursor.top).unwrap_or(u16::MAX);
            let is_chosen = row == self.cursor.row;
            let mut pen = Pen::new(buffer, theme, area, y);
            pen.put(if is_chosen { " ▶ " } else { "   " }, Role::Focus);
            column(&mut pen, &line.name, names);
            column(&mut pen, &line.path, paths);
            pen.put_all(&line.value);
            if is_chosen {
                let line = Rect::new(area.x, area.y + y, area.width, 1);
                theme.highlight(buffer, line, true);
            }
        }
        if self.lines.is_empty() && self.done && !self.prompt.text().is_empty() {
            let mut pen = Pen::new(buffer, theme, area, 2);
            let example = if self.before.view == View::Changes {
                "action:delete"
            } else {
                "type:subnet"
            };
            let wanted = shown(&self.query.text);
            let text = format!(
                "nothing found for {wanted}; masked values are never searched · try {example}"
            );
            pen.skip(3).put(&text, Role::Dim);
        }
    }
}

/// Says how the words were matched, if not as written.
pub fn reading_words(reading: Reading) -> &'static str {
    match reading {
        Reading::Written => "",
        Reading::Value => " by value",
        Reading::Scattered => " by scattered letters",
    }
}

/// Draws spans in a column and cuts them at its end.
fn column(pen: &mut Pen<'_>, spans: &[Span], width: usize) {
    let mut left = width;
    for span in spans {
        let text = crate::tui::widgets::text::fit(&span.text, left);
        left -= crate::tui::widgets::text::width(&text).min(left);
        pen.put(&text, span.role);
    }
    pen.skip(left + 2);
}

fn line(stack: &Stack, index: &Index, hit: &Hit, value: Option<&Value>) -> Line {
    let name = marked(stack.name(hit.resource), &hit.name, Role::Text);
    let ty = marked(stack.ty(hit.resource), &hit.ty, Role::Type);
    let path = |section: String, text: &str| {
        let mut spans = vec![Span::new(section, Role::Dim)];
        let dot = if text.starts_with('[') || text.is_empty() {
            ""
        } else {
            "."
        };
        spans.push(Span::new(dot, Role::Dim));
        spans.extend(marked(text, &hit.path, Role::Key));
        spans
    };
    let pulumi = stack.header.kind.is_pulumi();
    let value = value
        .map(|value| shown_value(value, pulumi))
        .unwrap_or_default();
    match &hit.at {
        At::Resource => Line {
            name,
            path: ty,
            value,
        },
        At::Indexed(id) => Line {
            name,
            path: path(index.section(*id).to_string(), index.path_text(*id)),
            value,
        },
        At::Property(place) => Line {
            name,
            path: path(place.section_word(), &place.path.to_string()),
            value,
        },
    }
}

fn output_line(stack: &Stack, hit: &OutputHit) -> Line {
    let text = hit.place.path.to_string();
    let value = outputs::value(stack, hit.place.before, &hit.place.path);
    let section = if hit.place.before { "before." } else { "" };
    let mut path = vec![Span::new(section, Role::Dim)];
    path.extend(marked(&text, &hit.path, Role::Key));
    Line {
        name: vec![Span::new("output", Role::Type)],
        path,
        value: value
            .map(|value| shown_value(&value, stack.header.kind.is_pulumi()))
            .unwrap_or_default(),
    }
}

fn shown_value(value: &Value, pulumi: bool) -> Vec<Span> {
    match value.shown() {
        Shown::Plain(Payload::Map(_) | Payload::Array(_)) => preview(value),
        _ => vec![leaf(value, pulumi)],
    }
}

/// A text with the bytes of `ranges` highlighted. Each piece is escaped separately.
fn marked(text: &str, ranges: &[std::ops::Range<usize>], role: Role) -> Vec<Span> {
    let mut spans = Vec::new();
    let mut at = 0;
    let mut put = |piece: Option<&str>, role: Role| {
        if let Some(piece) = piece.filter(|piece| !piece.is_empty()) {
            spans.push(Span::new(shown(piece), role));
        }
    };
    for range in ranges {
        put(text.get(at..range.start), role);
        put(text.get(range.clone()), Role::Match);
        at = range.end.max(at);
    }
    put(text.get(at..), role);
    spans
}

/// The longest common start of all completions.
fn common_start(completions: &[Completion]) -> Option<&str> {
    let first = completions.first()?.text.as_str();
    let len = completions.iter().fold(first.len(), |len, other| {
        let same = first.char_indices().zip(other.text.chars());
        let same = same.take_while(|((_, one), other)| one == other);
        len.min(
            same.last()
                .map_or(0, |((at, char), _)| at + char.len_utf8()),
        )
    });
    first.get(..len)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matched_letters_are_apart_and_escaped() {
        let spans = marked("or\u{1b}ders", &[0..2, 3..5], Role::Text);
        let parts: Vec<_> = spans
            .iter()
            .map(|span| (span.text.as_str(), span.role))
            .collect();
        assert_eq!(
            parts,
            [
                ("or", Role::Match),
                ("␛", Role::Text),
                ("de", Role::Match),
                ("rs", Role::Text)
            ]
        );
    }

    #[test]
    fn completions_share_their_start() {
        let completion = |text: &str| Completion {
            text: text.to_owned(),
            n_resources: 1,
        };
        let some = [completion("password"), completion("passwordPolicy")];
        assert_eq!(common_start(&some), Some("password"));
        assert_eq!(common_start(&[completion("a"), completion("é")]), Some(""));
        assert_eq!(common_start(&[]), None);
    }
}
